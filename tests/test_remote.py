"""Laptops against a server: their own ledgers and keys, its order, over real connections."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from laptops import PATIENCE, PLAYERS, Hall, accepted, alone, served_with_key
from server import serving, wait_for
from table import SHORT_GAME, clock, note
from terminal import Desk
from wire import through

from ledger import keys, schemas
from ledger.service import Service


@pytest.fixture
def hall(tmp_path: Path, monkeypatch: Any, capsys: Any) -> Hall:
    return Hall(Desk(tmp_path, monkeypatch, capsys))


def test_a_whole_game_on_two_laptops_and_a_server(hall: Hall) -> None:
    hall.open()
    with hall.serving():
        said = hall.did("alba", "accept")
        assert "event 1  HASH  Alba accepts" in said
        hall.did("bruno", "accept")
        for number, move in enumerate(SHORT_GAME):
            who = PLAYERS[number % 2]
            hall.did(who, "show")
            hall.did(who, "move", move)
        hall.did("zoe", "close")
        for who in PLAYERS:
            hall.did(who, "show")
            hall.did(who, "countersign")
    hall.did("zoe", "export", "-o", "match.json")
    audit = hall.did("zoe", "audit", "match.json")
    assert "verdict: SOUND" in audit
    assert "countersigned by Alba and Bruno" in audit


# -- what is meant, and what was seen ------------------------------------------------------


def test_a_laptop_gets_a_match_for_the_first_time(hall: Hall) -> None:
    """By list, by its table or its id; nothing but an acceptance is signed before a look."""
    match = hall.open()
    with hall.serving():
        (line,) = hall.told("bruno", "list")["matches"]
        assert line["match"] == match
        said = hall.did("bruno", "list")
        assert "table 4  tablut  Alba – Bruno" in said
        assert "note: the server says so" in said
        ran = hall("bruno", "resign", "-m", "t4")
        assert (ran.status, ran.code) == (6, "gone-on")
        assert "This match is new here: nothing was signed." in ran.err
        assert f"hint: tabellion show {match[:8]}" in ran.err
        assert hall.told("bruno", "show", "t4")["match"] == match
        assert hall.did("alba", "import", "--server", hall.server.url, "t4").startswith(
            "match HASH\nevent 0  HASH  zoe opens tablut: Alba – Bruno\n"
        )
        again = hall.did("alba", "import", "--server", hall.server.url, match[:6])
        assert again == "Nothing new at the server: match SHORT, event 0.\n"
        missing = hall("alba", "show", "ffffffff")
        assert (missing.status, missing.code) == (3, "not-there")
        assert hall("alba", "show", "t9").code == "not-there"


def test_a_match_that_only_this_laptop_has_is_not_taken_for_one_of_the_server(hall: Hall) -> None:
    match = hall.open()
    hall.did("alba", "key", "new", "ana", "--no-passphrase")
    seats = ("--seat", "swedes=Alba", "--seat", "muscovites=Ana")
    hall.did("alba", "open", "tablut", "--key", "ana", "--table", "4", *seats)
    with hall.serving():
        assert hall.told("alba", "show", "t4")["match"] == match
        assert hall.told("alba", "show")["match"] == match
        said = hall.did("alba", "accept", "--key", "alba")
        assert "Alba accepts" in said
        own = next(
            each
            for each in hall.told("alba", "list", "--server", "")["matches"]
            if each["match"] != match
        )["match"]
        assert "does not keep the match" in hall.did("alba", "show", own)
        ran = hall("alba", "note", "Tea.", "-m", own)
        assert (ran.code, "--server ''" in ran.err) == ("not-there", True)


def test_nobody_moves_on_a_board_that_they_have_not_seen(hall: Hall) -> None:
    hall.open()
    with hall.serving():
        accepted(hall)
        hall.did("alba", "move", "e3-f3")
        ran = hall("bruno", "move", "e2-h2")
        assert (ran.status, ran.out) == (6, "")
        assert "Alba moves e3-f3\n\nerror[gone-on]: " in ran.err
        assert "The match has gone on since you looked: nothing was signed." in ran.err
        assert "Bruno moves e2-h2" in hall.did("bruno", "move", "e2-h2")


def test_what_comes_next_is_typed_with_the_server_where_no_variable_names_it(hall: Hall) -> None:
    hall.open()
    with hall.serving() as server:
        said = hall.did("zoe", "show", "--server", server.url)
        follow = f"tabellion show --watch --server {server.url}"
        assert said.endswith(f"next: Alba or Bruno has to act; follow it with: {follow}\n")
        said = hall.did("alba", "show", "--server", server.url)
        assert said.endswith("next: tabellion accept\n"), "a variable names it"
        said = hall.did("alba", "accept")
        assert said.endswith("next: Bruno has to act; follow it with: tabellion show --watch\n")


# -- when the wire breaks ------------------------------------------------------------------


def test_away_from_the_server_the_copy_is_read_and_nothing_is_signed_unasked(hall: Hall) -> None:
    hall.open()
    with hall.serving():
        accepted(hall)
        hall.did("alba", "show")
    said = hall.did("alba", "show")
    assert "note: not live. http://127.0.0.1:" in said
    assert "cannot be reached: Connection refused. This is the copy here." in said
    assert hall("alba", "log").status == hall("alba", "moves").status == 0
    assert "These are the matches here." in hall.did("alba", "list")
    before = hall.seq("alba")
    ran = hall("alba", "move", "e3-f3")
    assert (ran.status, ran.code) == (2, "server-unreachable")
    assert "Nothing was signed: the copy here may be old." in ran.err
    assert hall.seq("alba") == before
    assert hall("zoe", "show", "--server", "http://127.0.0.1:9").status == 0
    hall.desk.patch.setenv("XDG_DATA_HOME", str(hall.desk.folder / "nobody"))
    hall.desk.patch.setenv("TABELLION_SERVER", "http://127.0.0.1:9")
    assert "There is no copy here either." in hall.desk("show").err


def test_what_is_signed_offline_is_sent_by_the_next_command(hall: Hall) -> None:
    hall.open()
    with hall.serving():
        accepted(hall)
        hall.did("alba", "show")
    assert "Alba moves e3-f3" in hall.did("alba", "move", "e3-f3", "--server", "")
    signed = hall.told("alba", "show")["head"]
    with hall.serving():
        assert "sent now: event 3  HASH  Alba moves e3-f3" in hall.did("alba", "show")
        assert hall.told("zoe", "show")["head"] == signed
        assert "sent now" not in hall.did("alba", "show")


@pytest.mark.parametrize("fate", ["lost", "deaf"])
def test_a_move_on_a_wire_that_breaks_is_sent_again_with_the_same_bytes(
    hall: Hall, fate: str
) -> None:
    hall.open()
    posted: list[bytes] = []

    def breaking(asked: bytes) -> str:
        if not asked.startswith(b"POST"):
            return ""
        posted.append(asked.partition(b"\r\n\r\n")[2])
        return fate if len(posted) == 1 else ""

    with hall.serving() as server:
        accepted(hall)
        hall.did("alba", "show")
        with through(server.port, breaking) as wire:
            ran = hall("alba", "move", "e3-f3", "--server", f"http://127.0.0.1:{wire}")
            assert (ran.status, "Alba moves e3-f3" in ran.out) == (2, True)
            assert "error[not-sent]: " in ran.err
            assert "Do not sign it again." in ran.err
            arrived = fate == "deaf"
            assert (hall.seq("zoe") == 3) == arrived
            said = hall.did("alba", "show", "--server", f"http://127.0.0.1:{wire}")
            assert ("sent now: event 3" in said) != arrived
        assert len(set(posted)) == 1
        assert hall.told("zoe", "log")["events"][-1]["text"] == "Alba moves e3-f3"
        assert len(hall.told("zoe", "log")["events"]) == 4


def test_somebody_else_was_first(hall: Hall) -> None:
    """Zoë writes a note just when Alba's move is on its way."""
    hall.open()

    def noting(asked: bytes) -> str:
        if asked.startswith(b"POST"):
            with Service.open(hall.at("zoe"), clock) as opened:
                (match,) = opened.store.matches()
                key = keys.Keyring(hall.at("zoe").parent / "keys").unlock("zoe", bytes)
                opened.append(match, [note("The clock is started.")], {"arbiter": key})
        return ""

    with hall.serving() as server:
        accepted(hall)
        hall.did("alba", "show")
        with through(server.port, noting) as wire:
            ran = hall("alba", "move", "e3-f3", "--server", f"http://127.0.0.1:{wire}")
        assert (ran.status, ran.out) == (6, "")
        assert "note by zoe: The clock is started." in ran.err
        assert "set aside: event 3" in ran.err
        assert "error[stale]: Somebody else was first at the server." in ran.err
        assert "hint: tabellion pending --sign -m " in ran.err
        assert hall.seq("alba") == hall.seq("zoe") == 3
        assert "event 4  HASH  Alba moves e3-f3" in hall.did("alba", "pending", "--sign")
        assert hall.told("zoe", "show")["head"] == hall.told("alba", "show")["head"]
        assert hall.seq("zoe") == 4


def test_what_was_signed_offline_gives_way_to_the_order_of_the_server(hall: Hall) -> None:
    """Whatever the hashes: one ledger orders a match, the arbiter's."""
    hall.open()
    with hall.serving():
        hall.did("bruno", "show", "t4")
    hall.did("bruno", "accept", "--server", "")
    with hall.serving():
        hall.did("alba", "accept")
        ran = hall("bruno", "accept")
        assert (ran.status, "error[stale]: " in ran.err) == (6, True)
        assert "event 1" in ran.err
        assert "set aside: event 1" in ran.err
        hall.did("bruno", "pending", "--sign")
        assert hall.seq("zoe") == 2


def set_back(hall: Hall) -> None:
    """Zoë's ledger is what it was before Bruno accepted, which Alba has seen."""
    hall.open()
    with hall.serving():
        hall.did("alba", "accept")
        shutil.copy(hall.at("zoe"), hall.at("zoe").with_name("old.db"))
        hall.did("bruno", "accept")
        hall.did("alba", "show")
    for each in hall.at("zoe").parent.glob("ledger.db*"):
        each.unlink()
    shutil.copy(hall.at("zoe").with_name("old.db"), hall.at("zoe"))


def test_a_server_that_was_set_back_gets_what_it_lost(hall: Hall) -> None:
    """From whoever has it: the events speak for themselves."""
    set_back(hall)
    with hall.serving():
        assert "sent now: event 2  HASH  Bruno accepts" in hall.did("alba", "show")
        assert hall.seq("zoe") == 2


def test_a_server_that_hides_what_others_signed_is_not_followed(hall: Hall) -> None:
    """Its copy goes on after Alba's acceptance as if Bruno's had never been there."""
    set_back(hall)
    with hall.serving() as server:
        fork = hall.desk.folder / "fork" / "tabellion"
        fork.mkdir(parents=True)
        hall.did("fork", "show", "t4", "--server", server.url)
        shutil.copytree(hall.at("bruno").parent / "keys", fork / "keys")
        hall.did("fork", "note", "Tea.", "--key", "bruno", "--server", server.url)
        ran = hall("alba", "show")
        assert (ran.status, ran.code) == (1, "copies-part")
        assert "yours holds what others have signed: it stays" in ran.err
        assert hall.told("alba", "show", "--server", "")["seq"] == 2
        said = hall.did("alba", "import", "t4", "--take-over", "--server", server.url)
        assert "note by Bruno: Tea." in said


# -- dice, and looking on ------------------------------------------------------------------


def test_two_laptops_make_dice_and_each_opens_by_itself(hall: Hall) -> None:
    """Alba throws and stays; Bruno opens; both see the dice. Then Bruno waits for her throw."""
    hall.open("tabula")
    with hall.serving() as server:
        accepted(hall)
        hall.did("alba", "show")
        with alone(hall, "alba", "roll", "--server", server.url) as throwing:
            wait_for(lambda: hall.seq("zoe") == 5)
            said = hall.did("bruno", "roll")
            assert "Alba throws roll 1" in said
            assert "Bruno opens roll 1" in said
            out, err = throwing.communicate(timeout=PATIENCE)
            assert (throwing.returncode, "Bruno opens roll 1" in out) == (0, True), err
        assert hall.told("alba", "show")["dice"] == hall.told("bruno", "show")["dice"]


def test_who_opens_can_come_first(hall: Hall) -> None:
    hall.open("tabula")
    with hall.serving() as server:
        accepted(hall)
        with alone(hall, "bruno", "roll", "--server", server.url) as opening:
            ran = hall("bruno", "roll", "--no-wait")
            assert (ran.status, ran.code) == (4, "not-yours")
            hall.did("alba", "show")
            hall.did("alba", "roll", "--no-wait")
            out, err = opening.communicate(timeout=PATIENCE)
            assert (opening.returncode, "Bruno opens roll 1" in out) == (0, True), err
        assert "Bruno opens roll 1" in hall.did("alba", "log")


def test_watching_a_match_at_a_server(hall: Hall) -> None:
    hall.open()
    with hall.serving() as server:
        accepted(hall)
        hall.did("alba", "show")
        told = ("show", "--watch", "--json", "--server", server.url)
        with alone(hall, "bruno", *told) as watching:
            assert watching.stdout is not None
            assert json.loads(watching.stdout.readline())["seq"] == 2
            hall.did("alba", "move", "e3-f3")
            assert json.loads(watching.stdout.readline())["last_action"] == "e3-f3"
            hall.did("alba", "resign", "--seat", "swedes")
            hall.did("zoe", "close")
            out, err = watching.communicate(timeout=PATIENCE)
            assert (watching.returncode, err) == (0, "")
            assert json.loads(out.splitlines()[-1])["phase"] == "closed"
        assert hall.told("bruno", "show", "--server", "")["phase"] == "closed"


# -- joining -------------------------------------------------------------------------------


def test_a_seat_is_taken_with_a_code(hall: Hall) -> None:
    """Alba and Bruno bring keys that Zoë does not know; their codes open the match."""
    for who in ("zoe", *PLAYERS):
        hall.did(who, "key", "new", who, "--no-passphrase")
    hall.did("zoe", "init")
    with served_with_key(hall):
        seats = ("--seat", "swedes=Alba", "--seat", "muscovites=Bruno")
        ran = hall(
            "zoe",
            *("open", "tablut", "--key", "zoe", "--arbiter", "Zoë", *seats, "--table", "4"),
            *("--join", "swedes", "--join", "muscovites", "--no-wait"),
        )
        assert ran.status == 0, ran.err
        codes = re.findall(r"\b[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{2}\b", ran.out)
        alba, bruno = dict.fromkeys(codes)
        assert "Not opened yet: waiting for Bruno." in hall.did("alba", "join", alba, "--no-wait")
        wrong = hall("bruno", "join", alba, "--no-wait")
        assert (wrong.status, wrong.code) == (1, "code-used")
        assert hall("bruno", "join", "ABCD").code == "bad-code"
        assert hall("bruno", "join", "ABCD-EFGH-JK").code == "no-such-code"
        assert hall("bruno", "join", bruno, "--server", "").code == "usage"
        said = hall.did("bruno", "join", bruno.lower().replace("-", ""))
        assert "You take the seat muscovites (tablut) as Bruno. The arbiter is Zoë" in said
        assert "swedes: Alba, FINGERPRINT" in said
        assert said.endswith("next: tabellion accept MATCH\n")
        told = hall.told("alba", "join", alba)
        checker = jsonschema_rs.validator_for(schemas.load("commands/join"))
        assert [str(error) for error in checker.iter_errors(told)] == []
        said = hall.did("alba", "join", alba)
        assert said.endswith("next: tabellion accept MATCH\n")
        accepted(hall)
        assert hall.seq("zoe") == 2


def test_a_server_that_only_shows_keeps_the_move_waiting(hall: Hall) -> None:
    hall.open()
    with hall.serving():
        accepted(hall)
        hall.did("alba", "show")
    with serving(hall.at("zoe"), write=False) as hall.server:
        ran = hall("alba", "move", "e3-f3")
        assert (ran.status, ran.out) == (4, "")
        assert "Event 3, signed and stored here, did not go through." in ran.err
        assert "note: Event 3, signed and stored here" in hall.did("alba", "show")
    with hall.serving():
        assert "sent now: event 3" in hall.did("alba", "show")
