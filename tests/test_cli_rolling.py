"""Dice from the command line: roll, confirm, void, stats. Alba plays White, Bruno Black."""

from __future__ import annotations

import json
import os
import re
import stat
import tempfile
from pathlib import Path
from typing import Any

import pytest
from terminal import Desk
from test_agent import real_agent

PLAYERS = {"white": ("Alba", "alba"), "black": ("Bruno", "bruno")}


@pytest.fixture
def desk(tmp_path: Any, monkeypatch: Any, capsys: Any) -> Desk:
    return Desk(tmp_path, monkeypatch, capsys)


def open_tabula(desk: Desk, *more: str, keyed: tuple[str, ...] = ("white", "black")) -> None:
    if not desk.keys.exists():
        desk.make_keys()
    seats = []
    for seat, (player, key) in PLAYERS.items():
        seats += ["--seat", f"{seat}={player}"]
        seats += ["--seat-key", f"{seat}={key}"] if seat in keyed else []
    desk.did("open", "tabula", "--key", "zoe", "--arbiter", "Zoë", *seats, *more)


def shown(desk: Desk, *arguments: str) -> Any:
    return json.loads(desk("show", "--json", *arguments).out)


def first_move(desk: Desk) -> str:
    return desk("moves").out.splitlines()[0]


def past_the_opening(desk: Desk) -> None:
    """Until somebody is to throw three dice."""
    while len(shown(desk)["dice"]) != 3:
        desk.did("roll")
    desk.did("move", first_move(desk))


# -- dice of the players -----------------------------------------------------------------------


def test_who_accepts_commits_and_one_laptop_rolls_at_once(desk: Desk) -> None:
    open_tabula(desk)
    desk.did("accept")
    assert desk.types()[1:] == ["seat.accepted"] * 2 + ["dice.committed"] * 2
    told = desk.did("roll")
    assert re.search(
        r"Bruno opens roll 1: ([1-6])-([1-6]), (a tie|Alba begins|Bruno begins)\n", told
    )
    assert desk.types()[-2:] == ["roll", "roll.opened"]
    assert "dice: made by Alba (White) and Bruno (Black)" in desk("show").out


def test_the_arbiter_as_contributor_commits_when_the_match_is_opened(desk: Desk) -> None:
    open_tabula(desk, "--dice", "players+arbiter")
    assert desk.types() == ["match.opened", "dice.committed"]
    desk.did("accept")
    desk.did("roll")
    assert desk.types()[-3:] == ["roll", "roll.opened", "roll.opened"]


def test_the_arbiter_alone_rolls_for_players_without_keys(desk: Desk) -> None:
    open_tabula(desk, "--dice", "arbiter", keyed=())
    desk.did("roll")
    assert desk.types()[-2:] == ["roll", "roll.opened"]
    assert "fair only if you trust Zoë" in desk("audit").out


def test_what_is_typed_after_a_restart_opens_what_was_committed_before(desk: Desk) -> None:
    open_tabula(desk)
    assert desk.process("accept").status == 0
    for _ in range(3):
        while len(shown(desk)["dice"]) != 3:
            assert desk.process("roll").status == 0
        assert desk.process("move", first_move(desk)).status == 0
    assert desk.process("audit").status == 0


def test_dice_are_not_stated_where_they_are_computed(desk: Desk) -> None:
    open_tabula(desk)
    desk.did("accept")
    assert desk("roll", "6-6").code == "computed-dice"
    assert desk("void", "cocked").code == "computed-dice"
    assert desk("confirm").code == "nothing-to-confirm"


def test_the_throw_comes_before_the_move(desk: Desk) -> None:
    open_tabula(desk)
    desk.did("accept")
    ran = desk("move", "hand/1")
    assert (ran.code, ran.status) == ("dice-first", 1)
    assert "Alba (White) to throw one die each, White's first." in ran.err
    assert "hint: tabellion roll" in ran.err
    past_the_opening(desk)
    desk.did("roll")
    assert desk("roll").code == "no-throw"


def two_devices(tmp_path: Path, patch: Any, capture: Any) -> tuple[Desk, Desk]:
    """The arbiter's laptop, which has Alba's key too, and Bruno's."""
    there, here = tmp_path / "bruno", tmp_path / "zoe"
    there.mkdir()
    here.mkdir()
    bruno = Desk(there, patch, capture)
    bruno.make_keys("bruno")
    desk = at(here, patch, capture)
    desk.make_keys("zoe", "alba")
    desk.did("key", "import", str(bruno.keys / "bruno.pub"))
    return desk, bruno


def at(folder: Path, patch: Any, capture: Any) -> Desk:
    return Desk(folder, patch, capture)


def test_on_two_devices_each_opens_its_own_and_everybody_sees_who_owes_it(
    tmp_path: Path, monkeypatch: Any, capsys: Any
) -> None:
    desk, bruno = two_devices(tmp_path, monkeypatch, capsys)
    record = str(tmp_path / "match.json")

    def on(one: Desk, *commands: tuple[str, ...]) -> list[str]:
        """Run these on a device which first takes in the record, and then gives it out."""
        device = at(one.folder, monkeypatch, capsys)
        if os.path.exists(record):
            device.did("import", record)
        told = [device.did(*command) for command in commands]
        device.did("export", "--output", record, "--force")
        return told

    open_tabula(desk, "--opening-deadline", "within 5 minutes")
    on(desk, ("accept",))
    on(bruno, ("accept",))
    told = on(desk, ("roll",), ("show",), ("list",))
    owed = "Roll 1 is thrown: Bruno (Black) must open it. Deadline: within 5 minutes."
    for text in told:
        assert owed in text
    assert "for the device of Bruno" in told[0]
    again = at(desk.folder, monkeypatch, capsys)("roll")
    assert (again.code, again.status) == ("not-yours", 4)
    assert owed in again.err
    assert "Bruno (black) owes its opening" in again_audit(desk, monkeypatch, capsys)
    (opened,) = on(bruno, ("roll",))
    assert re.search(r"Bruno opens roll 1: [1-6]-[1-6], ", opened)
    on(desk, ("show",))


def again_audit(desk: Desk, patch: Any, capture: Any) -> str:
    return at(desk.folder, patch, capture)("audit").out


def test_json_says_who_has_opened_and_who_is_awaited(
    tmp_path: Path, monkeypatch: Any, capsys: Any
) -> None:
    desk, bruno = two_devices(tmp_path, monkeypatch, capsys)
    record = str(tmp_path / "match.json")
    open_tabula(desk)
    desk.did("accept")
    desk.did("export", "--output", record)
    bruno = at(bruno.folder, monkeypatch, capsys)
    bruno.did("import", record)
    bruno.did("accept")
    bruno.did("export", "--output", record, "--force")
    desk = at(desk.folder, monkeypatch, capsys)
    desk.did("import", record)
    desk.did("roll")
    view = shown(desk)
    assert view["due"] == {"step": "open", "whose": ["black"]}
    rolling = view["rolling"]
    assert (rolling["thrown_by"], rolling["opened"], rolling["awaited"]) == (
        "white",
        ["white"],
        ["black"],
    )


# -- keys in ssh-agent -------------------------------------------------------------------------


def test_an_agents_key_has_a_secret_of_its_own_on_the_disk(desk: Desk) -> None:
    desk.make_keys()
    with tempfile.TemporaryDirectory(prefix="agent-") as short, real_agent(Path(short)) as agent:
        agent.add(desk.keys / "alba")
        (desk.keys / "alba").unlink()
        desk.patch.setenv("SSH_AUTH_SOCK", str(agent.path))
        open_tabula(desk)
        desk.did("accept")
        (secret,) = desk.keys.glob("DICE-*")
        assert stat.S_IMODE(secret.stat().st_mode) == 0o600
        before = secret.read_bytes()
        assert len(before) == 32
        past_the_opening(desk)
        assert secret.read_bytes() == before
        assert "DICE" not in desk.did("key", "list")
        assert before.hex() not in desk("export").out
        desk.did("roll")
        secret.chmod(0o644)
        desk.did("move", first_move(desk))
        ran = desk("roll")
        assert ran.code == "secret-too-open"
        secret.unlink()
        ran = desk("roll")
        assert ran.code == "nonce-elsewhere"
        assert "needs its file DICE-" in ran.err


def test_the_file_opens_what_the_agent_committed_to_and_the_other_way_round(desk: Desk) -> None:
    desk.make_keys()
    with tempfile.TemporaryDirectory(prefix="agent-") as short, real_agent(Path(short)) as agent:
        agent.add(desk.keys / "alba")
        open_tabula(desk)
        desk.did("accept")  # with the file
        desk.patch.setenv("SSH_AUTH_SOCK", str(agent.path))
        desk.did("roll")  # the agent signs; the file opens
        desk.patch.delenv("SSH_AUTH_SOCK")
        desk.did("roll")  # the file signs; what the agent committed to is opened
        past_the_opening(desk)
        assert desk("audit").status == 0


# -- dice on the table -------------------------------------------------------------------------


def test_players_without_keys_throw_on_the_table(desk: Desk) -> None:
    open_tabula(desk, keyed=())
    assert "next: tabellion roll 3-5\n" in desk("show").err
    for typed in ("6-1", "2 5 6"):
        desk.did("roll", *typed.split())
    assert shown(desk)["dice"] == [2, 5, 6]
    desk.did("move", "hand/2", "hand/5", "hand/6")
    assert desk.types()[1:] == ["roll.recorded", "roll.recorded", "move"]
    assert "Bruno (Black) to throw three dice; the arbiter writes it down." in desk("show").out


@pytest.mark.parametrize("typed", ["7-1", "0", "abc", "1-", "６-1", "1-2-3-4-5-6-1-2-3", ""])
def test_dice_that_nobody_can_read(desk: Desk, typed: str) -> None:
    open_tabula(desk, keyed=())
    assert desk("roll", *([typed] if typed else [])).code == "bad-dice"


def test_too_many_dice(desk: Desk) -> None:
    open_tabula(desk, keyed=())
    ran = desk("roll", "1-2-3")
    assert (ran.code, ran.status) == ("bad-dice", 1)


def test_the_other_seat_confirms(desk: Desk) -> None:
    open_tabula(desk, "--dice", "table+confirm")
    desk.did("accept")
    told = desk.did("roll", "6-1")
    assert "Alba writes down roll 1: 6-1" in told
    assert "Bruno (Black) must confirm the dice 6-1." in told
    assert "next: tabellion confirm\n" in told
    assert desk("move", "hand/1").code == "dice-first"
    assert "Bruno confirms the dice 6-1" in desk.did("confirm")
    assert "Alba (White) to throw three dice." in desk("show").out


def test_a_cocked_die_is_voided_by_the_arbiter(desk: Desk) -> None:
    open_tabula(desk, keyed=())
    desk.did("roll", "6-1")
    desk.did("roll", "2-5-6")
    assert "Zoë voids roll 2: a die was cocked" in desk.did("void", "a die was cocked")
    desk.did("roll", "1-1-2")
    assert "Void or taken back, not counted: Alba 1." in desk("stats").out
    assert "1 voided; its reason stands in the log" in desk("audit").out


def test_the_arbiter_records_where_a_players_key_is_elsewhere(
    tmp_path: Path, monkeypatch: Any, capsys: Any
) -> None:
    desk, bruno = two_devices(tmp_path, monkeypatch, capsys)
    record = str(tmp_path / "match.json")
    open_tabula(desk, "--dice", "table")
    desk.did("accept")
    desk.did("export", "--output", record)
    bruno = at(bruno.folder, monkeypatch, capsys)
    bruno.did("import", record)
    bruno.did("accept")
    bruno.did("export", "--output", record, "--force")
    desk = at(desk.folder, monkeypatch, capsys)
    desk.did("import", record)
    desk.did("roll", "1-6")
    assert "Zoë writes down roll 2: 2-5-6" in desk.did("roll", "2-5-6")  # Bruno has thrown


def test_correct_keeps_the_dice_or_has_them_thrown_anew(desk: Desk) -> None:
    open_tabula(desk, keyed=())
    desk.did("roll", "6-1")
    desk.did("roll", "2-5-6")
    desk.did("move", "hand/2 hand/5 hand/6")
    desk.did("correct", "3", "--reason", "mistyped")
    assert shown(desk)["dice"] == [2, 5, 6]
    desk.did("move", "hand/6 6/8 hand/5")
    desk.did("correct", "5", "--reason", "a die lay on the floor", "--dice", "rethrow")
    assert shown(desk)["dice"] == []
    assert "back to event 1, dice written down anew" in desk("log").out
    desk.did("roll", "1-1-2")
    ran = desk("correct", str(len(desk.types()) - 1), "--reason", "x", "--dice", "maybe")
    assert ran.code == "bad-option"


# -- moves -------------------------------------------------------------------------------------


def at_the_first_move(desk: Desk) -> None:
    open_tabula(desk, keyed=())
    desk.did("roll", "6-1")
    desk.did("roll", "2-5-6")


def test_moves_lists_one_play_for_each_result(desk: Desk) -> None:
    at_the_first_move(desk)
    assert len(desk("moves").out.splitlines()) == 4


@pytest.mark.parametrize(
    "typed", [("hand/6", "hand/2", "hand/5"), ("HAND/2 hand/6 hand/5",), ("hand/2,hand/5,hand/6",)]
)
def test_any_order_however_it_is_typed(desk: Desk, typed: tuple[str, ...]) -> None:
    at_the_first_move(desk)
    desk.did("move", *typed)
    assert shown(desk)["position"] == "W h12 b0 o0 2:1,5:1,6:1 | B h15 b0 o0 - | B"


def test_a_play_from_a_pipe(desk: Desk) -> None:
    at_the_first_move(desk)
    desk.did("move", "-", stdin=b"1. hand/2 hand/5 hand/6\n")
    assert desk.types()[-1] == "move"


def test_too_short_a_play_is_refused_with_a_longer_one(desk: Desk) -> None:
    at_the_first_move(desk)
    ran = desk("move", "hand/2")
    assert (ran.code, ran.status) == ("r-all", 1)
    assert "(R-ALL)" in ran.err
    assert re.search(r"three can be: \S+ \S+ \S+ ", ran.err)


def test_a_pass_while_a_die_can_be_played(desk: Desk) -> None:
    at_the_first_move(desk)
    assert desk("pass").code == "r-all"
    assert desk("move", "pass").code == "r-all"


def test_a_game_without_dice_knows_none_of_this(desk: Desk) -> None:
    desk.open()
    assert desk("roll").code == "no-dice"
    assert desk("void", "cocked").code == "no-dice"
    assert desk("pass").code == "unknown-action"
    assert desk("correct", "1", "--reason", "x").code == "not-an-act"


# -- opening -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("how", "keyed", "code"),
    [
        ("players", ("white",), "keyless-contributor"),
        ("players+arbiter", (), "keyless-contributor"),
        ("coins", ("white", "black"), "bad-option"),
    ],
)
def test_dice_that_cannot_be_made_so(
    desk: Desk, how: str, keyed: tuple[str, ...], code: str
) -> None:
    desk.make_keys()
    seats = []
    for seat, (player, key) in PLAYERS.items():
        seats += ["--seat", f"{seat}={player}"]
        seats += ["--seat-key", f"{seat}={key}"] if seat in keyed else []
    assert desk("open", "tabula", "--key", "zoe", *seats, "--dice", how).code == code


def test_a_game_without_dice_is_opened_with_none(desk: Desk) -> None:
    desk.make_keys()
    seats = ("--seat", "swedes=Alba", "--seat", "muscovites=Bruno")
    assert desk("open", "tablut", "--key", "zoe", *seats, "--dice", "table").code == "no-dice"


def test_one_player_with_a_key_and_the_arbiter_make_the_dice(desk: Desk) -> None:
    open_tabula(desk, "--dice", "players+arbiter", keyed=("black",))
    desk.did("accept")
    desk.did("roll")
    assert desk.types()[-3:] == ["roll", "roll.opened", "roll.opened"]
    assert desk("audit").status == 0


# -- stats -------------------------------------------------------------------------------------


def test_stats_count_a_match_a_player_and_the_ledger(desk: Desk) -> None:
    at_the_first_move(desk)
    view = json.loads(desk("stats", "--json").out)
    assert (view["all"]["throws"], view["all"]["dice"]) == (2, 5)
    assert [each["name"] for each in view["players"]] == ["Alba", "Bruno"]
    alba = json.loads(desk("stats", "--player", "Alba", "--json").out)
    assert [face["count"] for face in alba["all"]["faces"]] == [0, 1, 0, 0, 1, 2]
    assert "Too few to say anything" in desk("stats").out
    ran = desk("stats", "--player", "Nobody")
    assert (ran.code, ran.status) == ("no-player", 3)


def test_stats_do_not_count_dice_that_a_ruling_gave(desk: Desk) -> None:
    """Nobody threw them. The dice of a roll that is awarded and taken back are not even void."""
    open_tabula(desk)
    desk.did("accept")
    (desk.keys / "bruno").rename(desk.folder / "bruno")
    desk.did("roll")
    why = ("--reason", "Bruno has left.", "--rule", "dice")
    desk.did("ruling", "--award", "6-5", *why)
    view = json.loads(desk("stats", "--json").out)
    assert (view["all"]["throws"], view["all"]["dice"], view["all"]["voided"]) == (0, 0, {})
    rewind = len(desk.types()) - 3
    desk.did("ruling", "--rewind", str(rewind), "--dice", "rethrow", *why)
    assert json.loads(desk("stats", "--json").out)["all"]["voided"] == {}


def test_stats_of_a_ledger_without_dice(desk: Desk) -> None:
    desk.open()
    assert "0 matches with dice" in desk("stats").out


def test_twenty_sixes_are_no_cry_of_wolf(desk: Desk) -> None:
    open_tabula(desk, keyed=())
    for _ in range(20):
        desk.did("roll", "6-6")  # every tie of the opening is on record
    said = desk("stats").out
    assert "Too few to say anything: 20 throws." in said


# -- the demos ---------------------------------------------------------------------------------


def test_the_demo_of_zeno_shows_the_one_play_and_what_refuses_the_others(desk: Desk) -> None:
    ran = desk("demo", "zeno")
    assert ran.status == 0, ran.err
    said = ran.out.splitlines()
    assert "10/16 19/24 20/22" in said
    assert sum(line.endswith("can be played") for line in said) == 3
    assert sum("(R-OPEN)" in line for line in said) == 9
    assert sum("(R-OFF)" in line for line in said) == 6
    assert "r-all" in ran.err


# -- a throw that cannot be played ---------------------------------------------------------------


def test_a_pass_is_asked_for_and_nothing_else_goes_before_it(desk: Desk) -> None:
    golden = Path(__file__).parent / "golden" / "v1-tabula-on-the-table.tabellion.json"
    desk.did("import", str(golden), "--ledger", "other.db")
    lines = desk("export", "--format", "text", "--ledger", "other.db").out.splitlines()
    at = next(number for number, line in enumerate(lines) if line.endswith(": pass"))
    text = "\n".join([*lines[:at], lines[at].removesuffix(" pass")])
    result = re.search(r'; \[Result "[^"]*"\]', text)
    assert result
    (desk.folder / "game.txt").write_text(text.replace(result[0], '; [Result "unfinished"]') + "\n")
    desk.make_keys("zoe")
    desk.did("import", "game.txt", "--key", "zoe")
    ran = desk("show")
    dice = "-".join(map(str, shown(desk)["dice"]))
    assert f"must pass with {dice}; the arbiter writes it down." in ran.out
    assert "next: tabellion pass\n" in ran.err
    refused = desk("roll", "1-2-3")
    assert (refused.code, "must pass" in refused.err) == ("no-throw", True)
    desk.did("pass")
    assert "to throw three dice" in desk("show").out
    assert "Dice as the imported file has them" in desk("audit").out


# -- a number that was shown elsewhere ---------------------------------------------------------


def test_a_number_in_a_copy_that_was_set_aside_is_not_opened_unless_that_is_said(
    desk: Desk,
) -> None:
    """Whoever saw that copy could know the dice, and rule or act so that they fall elsewhere."""
    open_tabula(desk)
    desk.did("accept")
    desk.did("export", "--output", "match.json")
    desk.did("import", "match.json", "--ledger", "other.db")
    desk.did("roll", "--ledger", "other.db")
    desk.did("export", "--output", "other.json", "--ledger", "other.db")
    desk.did("note", "Play on here.", "--key", "zoe")
    desk.did("import", "other.json")
    ran = desk("roll")
    assert (ran.code, ran.status) == ("number-shown", 1)
    assert "The number of Alba for roll 1 stands in a copy that was set aside" in ran.err
    before = desk.types()
    desk.did("pending", "--sign")
    assert desk.types() == before  # it is not signed anew by itself
    assert "It opens the number of white for roll 1" in desk("audit").out
    desk.did("roll", "--shown")
    assert desk.types()[-2:] == ["roll", "roll.opened"]


def test_dice_and_their_voiding_are_confirmed_each_by_its_name(desk: Desk) -> None:
    open_tabula(desk, "--dice", "table+confirm")
    desk.did("accept")
    desk.did("roll", "1-2")
    desk.did("void", "a die was cocked", "--key", "alba")
    assert "Alba asks that 1-2 is void. Bruno: confirm --what void" in desk("show").out
    ran = desk("confirm")
    assert (ran.code, ran.status) == ("say-what", 1)
    assert "that roll 1 is void" in desk.did("confirm", "--what", "void")
    assert "to throw one die each" in desk("show").out
