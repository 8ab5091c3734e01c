"""Refusals: each with its code, its words and its exit status, and nothing written."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from table import SHORT_GAME
from terminal import Desk, Ran

OPEN = ("open", "tablut", "--seat", "swedes=Alba", "--seat", "muscovites=Bruno")


@pytest.fixture
def desk(tmp_path: Any, monkeypatch: Any, capsys: Any) -> Desk:
    return Desk(tmp_path, monkeypatch, capsys)


def refused(ran: Ran, status: int, said: str) -> None:
    """The command printed exactly ``said`` on standard error, and nothing else."""
    assert (ran.status, ran.out, ran.err) == (status, "", said)


# -- nothing there (3) -----------------------------------------------------------------------


def test_no_ledger(desk: Desk) -> None:
    for command in (["show"], ["list"], ["log"], ["moves"], ["move", "e4-f4"], ["export"]):
        refused(
            desk(*command),
            3,
            f"error[no-ledger]: There is no ledger at {desk.ledger}.\n\nhint: tabellion init\n",
        )
    assert desk("audit").code == "no-ledger"
    assert desk("init", "--rebuild").code == "no-ledger"
    assert not desk.ledger.exists()


def test_no_match(desk: Desk) -> None:
    desk.did("init")
    refused(
        desk("show"),
        3,
        "error[no-match]: The ledger has no match yet.\n\nhint: tabellion open --help\n",
    )
    desk.open()
    for prefix in ("zz", "%", "_", "", "-", "\x1b[31m"):
        if prefix:
            ran = desk("show", "--", prefix)
            assert (ran.status, ran.code) == (3, "no-match"), prefix
            assert "\x1b" not in ran.err


def test_no_such_event(desk: Desk) -> None:
    desk.open()
    refused(
        desk("show", "--at", "3"),
        3,
        "error[no-event]: The match has no event 3; its last is 2.\n",
    )


def test_no_such_key(desk: Desk) -> None:
    refused(
        desk(*OPEN),
        3,
        "error[no-key]: There is no key to open a match with.\n\nhint: tabellion key new NAME\n",
    )
    desk.open()
    hint = "\n\nhint: tabellion key list\n"
    refused(desk("key", "show", "ada"), 3, f"error[key-not-found]: No key is named ada.{hint}")
    refused(
        desk("move", "e4-f4", "--key", "ada"),
        3,
        f"error[key-not-found]: No key is named ada.{hint}",
    )
    refused(
        desk(*OPEN, "--key", "zoe", "--seat-key", "swedes=ada"),
        3,
        f"error[key-not-found]: No key is named ada.{hint}",
    )
    refused(
        desk(*OPEN, "--key", "zoe", "--seat-key", "swedes=ada.pub"),
        3,
        "error[no-file]: ada.pub cannot be read: No such file or directory.\n",
    )


def test_no_such_file(desk: Desk) -> None:
    desk.open()
    refused(
        desk("note", "x", "--file", "photo.jpg"),
        3,
        "error[no-file]: photo.jpg cannot be read: No such file or directory.\n",
    )
    refused(desk("audit", "match.json"), 3, "error[no-file]: There is no file match.json.\n")
    assert desk("audit", ".").status == 3
    assert desk("import", "game.otg").status == 3


def test_no_such_ruleset(desk: Desk) -> None:
    for command in (["rules", "chess"], ["check", "chess"], ["open", "chess", *OPEN[2:]]):
        ran = desk(*command)
        assert (ran.status, ran.code) == (3, "unknown-ruleset")
        assert ran.err.endswith("\n\nhint: tabellion rules\n")


# -- said in two ways (2) --------------------------------------------------------------------


def test_several_matches(desk: Desk) -> None:
    first, second = desk.open(), desk.open()
    for command in (["show"], ["move", "e4-f4"], ["resign", "--seat", "swedes"], ["close"]):
        refused(
            desk(*command),
            2,
            f"error[which-match]: 2 matches are open: {second[:8]} (Alba – Bruno), "
            f"{first[:8]} (Alba – Bruno).\n\n"
            f"hint: say which, like -m {second[:8]}; all of them: tabellion list\n",
        )
    for match in (first, second):
        desk.did("resign", match, "--seat", "swedes")
        desk.did("close", match)
    assert f"2 matches are there, all closed: {second[:8]} (" in desk("show").err


def test_several_matches_at_their_tables(desk: Desk) -> None:
    for table in range(1, 9):
        desk.open("--table", str(table), keyed=())
    ran = desk("show")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == (
        "error[which-match]: 8 matches are open: t8 (Alba – Bruno), t7 (Alba – Bruno), "
        "t6 (Alba – Bruno), t5 (Alba – Bruno), t4 (Alba – Bruno), t3 (Alba – Bruno), ….\n\n"
        "hint: say which, like -m t8; all of them: tabellion list\n"
    )
    for command in (["show", "t9"], ["audit", "t9"], ["move", "e4-f4", "-m", "table 9"]):
        refused(
            desk(*command),
            3,
            "error[no-match]: No match is at table '9'.\n\nhint: tabellion list\n",
        )
    desk.open("--table", "8", keyed=())
    assert desk("show", "t8").code == "which-match"


def test_a_prefix_of_two_matches(desk: Desk) -> None:
    matches: dict[str, str] = {}
    while True:  # seventeen matches share a first digit at the latest
        match = desk.open(keyed=())
        if match[0] in matches:
            break
        matches[match[0]] = match
    ran = desk("show", match[0])
    assert (ran.status, ran.code) == (2, "ambiguous-match")
    assert match[:12] in ran.err
    assert matches[match[0]][:12] in ran.err


def test_several_keys(desk: Desk) -> None:
    desk.make_keys()
    refused(
        desk(*OPEN),
        2,
        "error[which-key]: Several keys are here: alba, bruno, zoe. "
        "Say which is to open a match.\n\nhint: --key NAME\n",
    )


def test_who_resigns(desk: Desk) -> None:
    desk.open()
    hint = "\n\nhint: --seat swedes or --seat muscovites\n"
    refused(desk("resign"), 2, f"error[which-seat]: Say who resigns.{hint}")
    refused(desk("resign", "--key", "zoe"), 2, f"error[which-seat]: Say who resigns.{hint}")
    refused(
        desk("resign", "--seat", "white"),
        2,
        "error[which-seat]: Alba plays swedes, Bruno plays muscovites.\n\nhint: --seat swedes\n",
    )


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--option", "corners"], "bad-option]: --option is written NAME=VALUE, not 'corners'."),
        (["--option", "x=1"], "unknown-option]: tablut has no option 'x'."),
        (
            ["--option", "captures=none"],
            "bad-option]: captures is one of each_direction, single, not 'none'.",
        ),
        (
            ["--seat", "white=X"],
            "wrong-seats]: tablut has the seats swedes and muscovites: name each once.",
        ),
        (
            ["--seat-key", "white=zoe"],
            "wrong-seats]: tablut has the seats swedes and muscovites: name each once.",
        ),
        (
            ["--sealed-move-unopened", "draws"],
            "bad-option]: --sealed-move-unopened is loses or ruling.",
        ),
        (["--witness", "Wanda"], "bad-option]: --witness or --appeal is written NAME=VALUE,"),
        (["--event", " "], "no-words]: --event is empty."),
        (["--seat-key", "swedes=ssh-rsa AAAA"], "key-type]: "),
    ],
)
def test_an_opening_that_makes_no_sense(desk: Desk, more: list[str], said: str) -> None:
    desk.make_keys("zoe")
    ran = desk(*OPEN, *more)
    assert ran.status == 2
    assert ran.err.startswith(f"error[{said}")
    assert not desk.ledger.exists()


def test_one_key_has_one_role(desk: Desk) -> None:
    desk.make_keys("zoe")
    refused(
        desk(*OPEN, "--key", "zoe", "--seat-key", "swedes=zoe"),
        1,
        "error[key-twice]: arbiter and swedes have the same key: one key, one role.\n",
    )


# -- the rules say no (1) --------------------------------------------------------------------


def test_a_move_against_the_rules(desk: Desk) -> None:
    desk.open()
    refused(desk("move", "e3-e7"), 1, "error[blocked]: e3-e7 is refused: a Swede stands on e4.\n")
    refused(
        desk("move", "e2-e3"),
        1,
        "error[not-yours]: e2-e3 is refused: a Muscovite stands on e2, and the Swedes are to "
        "move.\n",
    )
    assert desk.types() == ["match.opened", "seat.accepted", "seat.accepted"]


def test_what_is_no_move_at_all(desk: Desk) -> None:
    desk.open()
    ran = desk("move", "castle")
    assert (ran.status, ran.code) == (2, "bad-move")
    assert ran.err.startswith("error[bad-move]: 'castle' is no move.\n\nhint: a move is written ")
    assert desk("move", "x" * 10_000).err.startswith(
        "error[bad-move]: a text of 10000 characters is no move."
    )


def test_of_several_moves_the_one_at_fault_is_named(desk: Desk) -> None:
    desk.open()
    refused(
        desk("move", "e3-f3", "e2-h2", "e4-e5"),
        1,
        "error[blocked]: move 3: e4-e5 is refused: the king stands on e5. Nothing was written.\n",
    )
    assert desk("move", "e3-f3", "E2–E9").err == (
        "error[blocked]: move 2 (E2–E9): e2-e9 is refused: a Swede stands on e4. "
        "Nothing was written.\n"
    )
    assert "move" not in desk.types()


def test_nobody_moves_before_both_have_accepted(desk: Desk) -> None:
    desk.make_keys()
    desk.did(*OPEN, "--key", "zoe", "--seat-key", "swedes=alba", "--seat-key", "muscovites=bruno")
    desk.did("accept", "--key", "alba")
    refused(
        desk("move", "e4-f4"),
        1,
        "error[not-accepted]: Play begins when Bruno has accepted the match.\n\n"
        "hint: tabellion accept\n",
    )
    assert desk("resign", "--seat", "swedes").code == "not-accepted"
    assert desk("accept", "--key", "alba").code == "accepted-twice"


def test_nobody_moves_after_the_end(desk: Desk) -> None:
    desk.open()
    desk.did("move", *SHORT_GAME)
    refused(
        desk("move", "e3-f3"),
        1,
        "error[game-over]: The game is over.\n\nhint: tabellion close\n",
    )
    assert desk("resign", "--seat", "swedes").code == "game-over"
    assert desk("countersign").code == "not-closed"


def test_a_closed_match_stays_closed(desk: Desk) -> None:
    match = desk.finish()
    refused(desk("move", "e3-f3"), 1, "error[match-closed]: The match is closed.\n")
    refused(desk("close"), 1, "error[match-closed]: The match is closed already.\n")
    refused(
        desk("correct", "11", "--reason", "x"),
        1,
        "error[match-closed]: The match is closed: only its result can still be changed.\n\n"
        "hint: tabellion ruling --help\n",
    )
    refused(
        desk("countersign", match, "--key", "alba"),
        1,
        "error[countersigned-twice]: Alba has countersigned this result already.\n",
    )


def test_a_game_that_is_not_over_is_not_closed(desk: Desk) -> None:
    desk.open()
    refused(
        desk("close"),
        1,
        "error[not-over]: The game is not over. Alba (the Swedes) to move.\n\n"
        "hint: tabellion resign --seat SEAT, if a player gives up\n",
    )


def test_what_cannot_be_taken_back(desk: Desk) -> None:
    desk.open()
    desk.did("move", "e3-f3")
    for number in ("4", "999999999999999"):
        refused(
            desk("correct", number, "--reason", "x"),
            3,
            f"error[no-event]: The match has no event {number}; its last is 3.\n",
        )
    for number in ("0", "2"):
        refused(
            desk("correct", number, "--reason", "x"),
            1,
            f"error[not-an-act]: Event {number} is no act in the game that could be taken "
            "back.\n\nhint: tabellion log\n",
        )
    desk.did("correct", "3", "--reason", "x")
    refused(
        desk("correct", "3", "--reason", "x"),
        1,
        "error[taken-back]: Event 3 is taken back already.\n",
    )


# -- the wrong person (1 and 4) --------------------------------------------------------------


def test_a_player_does_not_move_for_the_other(desk: Desk) -> None:
    desk.open()
    refused(
        desk("move", "e3-f3", "--key", "bruno"),
        1,
        "error[wrong-turn]: It is for the Swedes to act, not for the Muscovites.\n",
    )


def test_nobody_writes_for_a_player_with_a_key(desk: Desk) -> None:
    desk.open()
    said = "error[seat-has-key]: Alba (swedes) has a key: nobody writes for them.\n"
    refused(desk("move", "e3-f3", "--key", "zoe"), 1, said)
    refused(desk("resign", "--seat", "swedes", "--key", "zoe"), 1, said)


def test_a_player_writes_for_nobody(desk: Desk) -> None:
    desk.open(keyed=("swedes",))
    ran = desk("resign", "--seat", "muscovites", "--key", "alba")
    assert (ran.status, ran.code) == (1, "wrong-role")


def test_only_the_arbiter_rules_and_closes(desk: Desk) -> None:
    desk.open()
    desk.did("move", "e3-f3")
    refused(
        desk("correct", "3", "--reason", "x", "--key", "alba"),
        1,
        "error[wrong-role]: Only the arbiter makes a ruling, not swedes.\n",
    )
    desk.did("resign", "--seat", "swedes")
    assert desk("close", "--key", "alba").code == "wrong-role"
    desk.did("close")
    assert desk("countersign", "--key", "zoe").code == "wrong-role"


def test_a_key_without_a_role(desk: Desk) -> None:
    match = desk.open()
    desk.make_keys("ada")
    refused(
        desk("move", "e3-f3", "--key", "ada"),
        4,
        f"error[no-role]: The key ada has no role in the match {match[:12]}.\n\n"
        "hint: tabellion key list\n",
    )


def test_a_key_that_is_elsewhere(desk: Desk) -> None:
    desk.open()
    (desk.keys / "alba").unlink()
    ran = desk("move", "e3-f3")
    assert (ran.status, ran.code) == (4, "key-missing")
    assert ran.err.startswith("error[key-missing]: Alba (swedes) signs with the key SHA256:")
    assert "which is not on this device." in ran.err


def test_nobody_waits(desk: Desk) -> None:
    desk.open()
    refused(
        desk("accept"),
        4,
        "error[nobody-waits]: No seat waits to accept with a key of this device. "
        "Alba (the Swedes) to move.\n",
    )


def test_a_key_that_others_can_read(desk: Desk) -> None:
    desk.open()
    (desk.keys / "alba").chmod(0o644)
    refused(
        desk("move", "e3-f3"),
        4,
        f"error[key-too-open]: Others can read the private key alba.\n\n"
        f"hint: chmod 600 {desk.keys / 'alba'}\n",
    )
    assert "Others can read the private key alba." in desk("key", "list").out
    assert "Others can read the private key alba." in desk("key", "show", "alba").out


def test_a_public_key_that_belongs_to_another(desk: Desk) -> None:
    desk.open()
    (desk.keys / "alba.pub").write_text((desk.keys / "bruno.pub").read_text())
    assert desk("move", "e3-f3", "--key", "alba").status in (1, 4)
    assert "belongs to another key" in desk("key", "list").out


# -- the ledger and the disk -----------------------------------------------------------------


def test_a_ledger_that_is_none(desk: Desk) -> None:
    notes = desk.folder / "notes.txt"
    notes.write_text("not a database, but long enough to be looked at as one\n" * 100)
    for command in (["show"], ["list"], ["init"], ["move", "e3-f3"], ["init", "--rebuild"]):
        refused(
            desk(*command, "--ledger", str(notes)),
            2,
            f"error[not-a-ledger]: {notes} is no ledger: it is not an SQLite file.\n",
        )
    other = desk.folder / "other.db"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE songs (title)")
    connection.close()
    desk.patch.setenv("TABELLION_LEDGER", str(other))
    refused(
        desk("init"),
        2,
        f"error[not-a-ledger]: {other} is an SQLite file, but no ledger of Tabellion.\n",
    )
    assert desk("show", "--ledger", str(desk.folder)).code == "not-a-ledger"
    assert desk("show", "--ledger", "/dev/null").code == "not-a-ledger"
    assert "songs" in sqlite3.connect(other).execute("SELECT sql FROM sqlite_master").fetchone()[0]


def test_a_newer_ledger_is_left_alone(desk: Desk) -> None:
    desk.open()
    with sqlite3.connect(desk.ledger) as connection:
        connection.execute("PRAGMA user_version=99")
    connection.close()
    ran = desk("show")
    assert (ran.status, ran.code) == (2, "future-ledger")
    assert "hint: Use the newer Tabellion." in ran.err


def test_a_damaged_match_is_named(desk: Desk) -> None:
    match = desk.open()
    desk.did("move", "e3-f3")
    with sqlite3.connect(desk.ledger) as connection:
        connection.execute("DROP TRIGGER events_never_change")
        connection.execute(
            "UPDATE events SET payload = CAST(replace(payload, 'e3-f3', 'e3-e9') AS BLOB)"
        )
    connection.close()
    ran = desk("show", match)
    assert (ran.status, ran.code) == (2, "match-damaged")
    assert ran.err.endswith(f"hint: tabellion audit {match[:12]}\n")
    assert desk("audit", match).status == 1


def test_an_output_that_cannot_be_written(desk: Desk) -> None:
    desk.open()
    there = desk.folder / "match.json"
    there.write_text("mine")
    refused(
        desk("export", "-o", "match.json"),
        4,
        "error[file-exists]: match.json is there already.\n\nhint: --force replaces it\n",
    )
    assert there.read_text() == "mine"
    folder = desk.folder / "records"
    folder.mkdir()
    for more in ([], ["--force"]):
        refused(
            desk("export", "-o", "records", *more),
            4,
            "error[is-a-folder]: records is a folder.\n\nhint: --output records/match.json\n",
        )
    assert desk("export", "-o", "nowhere/match.json").code == "cannot-write"
    assert desk("export", "-o", "match.json/x").code == "cannot-write"
    assert desk("export", "-o", "x" * 300).status == 4
    desk.did("export", "-o", "match.json", "--force")
    assert there.read_bytes().startswith(b'{"events":[')
    assert sorted(os.listdir(desk.folder)) == ["data", "match.json", "records"]


def test_a_device_is_written_to(desk: Desk) -> None:
    desk.open()
    desk.did("export", "-o", "/dev/null")
    refused(
        desk("export", "-o", "/dev/full"),
        4,
        "error[cannot-write]: /dev/full was not written: No space left on device.\n",
    )
    assert Path("/dev/full").exists()


def test_an_audit_that_finds_faults_or_cannot_check(desk: Desk) -> None:
    desk.finish()
    desk.did("export", "-o", "match.json")
    assert desk("audit", "match.json", "--head", "00" * 32).status == 1
    assert desk("audit", "match.json", "--signers", "none").code == "no-file"
    refused(
        desk("audit", "-", stdin=b"hello"),
        2,
        "error[not-a-record]: This is no record of Tabellion.\n",
    )
