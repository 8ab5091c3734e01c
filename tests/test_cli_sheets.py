"""Paper sheets typed in: whole games of every kind, and each mistake named with its line.

The games with dice come from engines that share nothing with the product: El Tablero de Jesús from
the traces, Tabula from the hand-made reading of its rulings.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from table import SHORT_GAME
from tabulabyhand import START, passed, turns
from terminal import Desk
from test_cli_rolling import open_tabula
from test_cli_tablero import open_tablero
from test_toy_game import open_toy
from test_toy_game import toy as toy

from cli.sheetreading import Row, read
from ledger.errors import Unreadable
from ledger.games import game, options_of

TRACES = Path(__file__).parent / "conformance" / "tablero_traces.jsonl"
TABULA, TABLERO = game("tabula"), game("tablero")
LETTER = {"south": "S", "north": "N"}


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: Any, capsys: Any) -> Desk:
    return Desk(tmp_path, monkeypatch, capsys)


def shown(desk: Desk, *arguments: str) -> Any:
    return json.loads(desk("show", "--json", *arguments).out)


def done(desk: Desk, *arguments: str) -> list[tuple[str, str]]:
    """What was thrown and done, event by event, and nothing of who wrote it down."""
    told = json.loads(desk("log", "--json", *arguments).out)["events"]
    apart = ("match.opened", "seat.accepted", "roll.confirmed")
    return [(each["type"], each["text"]) for each in told if each["type"] not in apart]


def printed(desk: Desk, *arguments: str) -> str:
    """The rows of the printed sheet, notes and all."""
    _, _, below = desk("scoresheet", *arguments).out.partition("\n No.")
    return below.partition("\n")[2].partition("\n\n")[0]


# -- whole games -------------------------------------------------------------------------------


def trace(number: int) -> Any:
    return json.loads(TRACES.read_text("utf-8").splitlines()[number])


def as_rows(steps: Sequence[Any]) -> Iterator[str]:
    """A trace as a sheet: a row for each throw, with what follows in it, or on a line of its own
    every third time."""
    number, active, row = 0, "", ""
    for count, step in enumerate(steps):
        kind, _, text = step["action"].partition(" ")
        if kind in ("opening", "throw"):
            yield row
        if kind == "opening":
            south, north = text.split("-")
            row = f"0. S {south} N {north}"
        elif kind == "throw":
            number += 1
            row = f"{number}. {LETTER[active]} {text}:"
        elif count % 3:
            row += f"{'' if row.endswith(':') else ';'} {step['action'].removeprefix('move ')}"
        else:
            yield row
            row = f"   {step['action'].removeprefix('move ')}"
        active = step["position"].split()[4]
    yield row


@pytest.mark.parametrize("number", [1, 5, 13])
def test_whole_games_of_tablero(desk: Desk, number: int) -> None:
    played = trace(number)
    open_tablero(desk, ruleset=played["ruleset"], keyed=())
    sheet = "\n".join(["# table 4", *as_rows(played["steps"])])
    ran = desk("move", "-", stdin=sheet.encode())
    assert ran.status == 0, ran.err
    after = shown(desk)
    assert after["position"] == played["steps"][-1]["position"]
    assert after["result"]["winner"] == played["winner"]
    assert desk.types().count("roll.recorded") == sum(
        step["action"].startswith(("opening", "throw")) for step in played["steps"]
    )
    rows = printed(desk)
    open_tablero(desk, ruleset=played["ruleset"], keyed=())
    desk.did("close", "-m", after["match"])
    desk.did("move", "-", stdin=rows.encode())
    again = shown(desk)
    assert again["match"] != after["match"]
    assert again["position"] == after["position"]
    assert done(desk) == done(desk, after["match"])[:-1]  # the other one is closed


def tabula_by_hand(seed: int) -> tuple[list[str], str]:
    """A whole game as a sheet, and the position that it ends with."""
    lot = Random(seed)
    options = tuple(options_of(TABULA, TABULA.rulesets["tabula"]).items())
    rows = ["0. W 4 B 4 / W 2 B 6"]
    position = START.removesuffix("-") + "B"
    while " o15 " not in position:
        dice = tuple(lot.choices(range(1, 7), k=3))
        row = f"{len(rows)}. {position[-1]} {'-'.join(map(str, dice))}"
        found = turns(options, position, dice)
        if found:
            text = lot.choice(sorted(found))
            position = found[text].position
            rows.append(f"{row}: {text}")
        else:
            position = passed(position)
            rows.append(f"{row}: pass")
    return rows, position


@pytest.mark.parametrize("seed", [1, 2])
def test_whole_games_of_tabula(desk: Desk, seed: int) -> None:
    rows, position = tabula_by_hand(seed)
    assert len(rows) > 30
    open_tabula(desk, keyed=())
    desk.did("move", "-", stdin="\n".join(rows).encode())
    after = shown(desk)
    assert after["position"][:-1] == position[:-1]
    assert after["result"]["kind"] == "win"
    desk.did("close")
    sheet = printed(desk, after["match"])
    open_tabula(desk, keyed=())
    desk.did("move", "-", stdin=sheet.encode())
    assert shown(desk)["position"] == after["position"]
    assert done(desk) == done(desk, after["match"])[:-1]


def test_a_whole_game_of_tablut(desk: Desk) -> None:
    desk.open(keyed=())
    moves = [*SHORT_GAME[:5], "raichi", *SHORT_GAME[5:]]
    desk.did("move", *moves)
    desk.did("close")
    sheet = printed(desk)
    assert "  3.   Ke5-e3 raichi                       h3-h4\n" in sheet
    match = json.loads(desk("list", "--json").out)["matches"][0]["match"]
    desk.open(keyed=())
    desk.did("move", "-", stdin=sheet.encode())
    assert shown(desk)["position"] == shown(desk, match)["position"]
    assert done(desk) == done(desk, match)[:-1]


MUSCOVITES_FIRST = ("e2-g2", "e3-h3", "b5-b3")


def open_linnaeus(desk: Desk) -> None:
    """Tablut after Linnaeus, where the Muscovites, who are the second seat, move first."""
    if not desk.keys.exists():
        desk.make_keys()
    seats = ("--seat", "swedes=Alba", "--seat", "muscovites=Bruno")
    desk.did("open", "tablut-linnaeus", "--key", "zoe", "--arbiter", "Zoë", *seats)


def test_a_sheet_begins_with_the_side_that_moves_first(desk: Desk) -> None:
    open_linnaeus(desk)
    desk.did("move", "e2-g2", "e3-f3")
    desk.did("correct", "2", "--reason", "it was h3")
    desk.did("move", *MUSCOVITES_FIRST[1:])
    sheet = desk("scoresheet").out
    assert "\n No.   the Muscovites                      the Swedes\n" in sheet
    assert "\nThe Muscovites: Bruno\n    no key: the arbiter writes\nThe Swedes: Alba\n" in sheet
    assert printed(desk).splitlines()[0] == (
        "  1.   e2-g2                               [e3-f3 taken back]"
    )
    assert printed(desk).splitlines()[-1] == "  2.   b5-b3"
    before, match = shown(desk), shown(desk)["match"]
    rows = printed(desk)
    desk.did("resign", "--seat", "swedes")
    desk.did("close")
    open_linnaeus(desk)
    desk.did("move", "-", stdin=rows.encode())
    assert shown(desk)["position"] == before["position"]
    assert shown(desk)["match"] != match


STRUCK = """\
  0.   S 5 N 3
  1.   S 3-4: wager  # a Pass Number; South stakes 7 of 13
  2.   S 5-6  # a Pass Number; the Wager of 7 goes to North
  3.   N 3-3: [a7-a4 b7-b4 taken back]
       # event 7: ruling: back to event 5, dice kept: [it was c4 # and e4
       #   [record: what was done on the board is what counts]
  3... N: c1-c4 d1-d4; pull 4c-d  # North takes 2, South fills 2
  4.   [S 1-2 void]
       # event 11: Zoë voids roll 5: a die] was cocked; N 3-3: a4
  4.   [S 2-2 taken back]
       # event 13: ruling: back to event 11, dice written down anew: it was 6-2
       #   [record: what was done on the board is what counts]
  4.   S 6-2: a7-a1 b7-b5"""


def test_what_was_taken_back_is_not_typed_in_again(desk: Desk) -> None:
    """Dice that were voided, a move mistyped with the dice kept, a throw written down wrongly."""
    open_tablero(desk, keyed=())
    desk.did("move", "-", stdin=b"0. S 5 N 3\n1. S 3-4: wager\n2. S 5-6\n3. N 3-3: a4 b4")
    desk.did("correct", "6", "--reason", "[it was c4 # and e4")
    desk.did("move", "c4 d4")
    desk.did("pull", "4c-d")
    desk.did("roll", "1-2")
    desk.did("void", "a die] was cocked; N 3-3: a4")
    desk.did("roll", "2-2")
    desk.did("correct", "12", "--reason", "it was 6-2", "--dice", "rethrow")
    desk.did("roll", "6-2")
    desk.did("move", desk("moves").out.splitlines()[0])
    before = shown(desk)
    sheet = printed(desk)
    assert sheet == STRUCK
    desk.did("resign", "--seat", "north")
    desk.did("close")
    open_tablero(desk, keyed=())
    desk.did("move", "-", stdin=sheet.encode())
    assert shown(desk)["position"] == before["position"]


def test_an_invented_game_is_typed_in_as_its_sheet_shows_it(toy: Path, desk: Desk) -> None:
    open_toy(desk, keyed=())
    rows = "0. H 6 O 2\n1. H 6: a1 b1 c1\n2. O 5: a3 b3 c3\n3. H: a2\n4. O b2\nH: c2"
    desk.did("move", "-", stdin=rows.encode())
    before = shown(desk)
    assert before["result"]["winner"] == "heron"
    sheet = printed(desk)
    assert sheet.splitlines()[-2:] == ["  4.   O: b2", "  5.   H: c2"]
    desk.did("close")
    open_toy(desk, keyed=())
    desk.did("move", "-", stdin=sheet.encode())
    assert shown(desk)["position"] == before["position"]


# -- an empty sheet, filled in with an editor --------------------------------------------------


def blank_rows(desk: Desk, name: str) -> str:
    return desk("scoresheet", "--blank", name).out.partition("\n No.")[2].partition("\n\n")[0]


def test_an_empty_sheet_with_dice_is_filled_in(desk: Desk) -> None:
    rows = blank_rows(desk, "tabula").partition("\n")[2]
    rows = rows.replace("W _ B _", "W 4 B 2", 1)
    for row in ("W 6-6-6: hand/6 hand/6 hand/6", "B 6-6-6: pass"):
        rows = rows.replace("W/B _-_-_: " + "_" * 12, row, 1)
    open_tabula(desk, keyed=())
    desk.did("move", "-", stdin=rows.encode())
    assert desk.types()[1:] == [*["roll.recorded"] * 2, "move", "roll.recorded", "pass"]


def test_an_empty_sheet_without_dice_is_filled_in(desk: Desk) -> None:
    rows = blank_rows(desk, "tablut").partition("\n")[2]
    for move in SHORT_GAME[:3]:
        rows = rows.replace("_" * 30, move, 1)
    assert "  2.   e4-e2____  ____" in rows
    desk.open(keyed=())
    desk.did("move", "-", stdin=rows.encode())
    assert desk.types()[1:] == ["move"] * 3


def test_an_empty_sheet_begins_with_the_side_that_moves_first(desk: Desk) -> None:
    sheet = desk("scoresheet", "--blank", "tablut-linnaeus").out
    assert "\n No.   the Muscovites                      the Swedes\n" in sheet
    assert sheet.index("\nThe Muscovites: _") < sheet.index("\nThe Swedes: _")
    rows = blank_rows(desk, "tablut-linnaeus").partition("\n")[2]
    for move in MUSCOVITES_FIRST:
        rows = rows.replace("_" * 30, move, 1)
    open_linnaeus(desk)
    desk.did("move", "-", stdin=rows.encode())
    assert desk.types()[1:] == ["move"] * 3
    assert shown(desk)["turn"] == "swedes"


@pytest.mark.parametrize("row", ["1. W _-5-2: 10/16", "1. W/B 6-5-2: 10/16", "W 4 B _"])
def test_a_row_that_is_half_filled_in_is_not_passed_over(desk: Desk, row: str) -> None:
    open_tabula(desk, keyed=())
    ran = desk("move", "-", stdin=f"0. W 4 B 2\n{row}".encode())
    assert ran.status in (1, 2)
    assert ": line 2" in ran.err
    assert desk.types() == ["match.opened"]


# -- how a row may be written ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "meant"),
    [
        ("3. W 6-5-2: 1/7 2/7 3/5", Row("line 1", "white", (), (6, 5, 2), ("1/7 2/7 3/5",))),
        ("3. W 6-5-2 10/16 19/24", Row("line 1", "white", (), (6, 5, 2), ("10/16 19/24",))),
        ("3.w 6–5–2 : 10/16", Row("line 1", "white", (), (6, 5, 2), ("10/16",))),
        ("3. White 6 5 2: 10/16", Row("line 1", "white", (), (6, 5, 2), ("10/16",))),
        ("6-5-2: 10/16", Row("line 1", None, (), (6, 5, 2), ("10/16",))),
        ("652", Row("line 1", None, (), (6, 5, 2))),
        ("B 6-5-2", Row("line 1", "black", (), (6, 5, 2))),
        ("B: pass", Row("line 1", "black", acts=("pass",))),
        ("BLACK pass", Row("line 1", "black", acts=("pass",))),
        ("pass ; hand/3;", Row("line 1", acts=("pass", "hand/3"))),
        ("0. W 4 B 2", Row("line 1", None, (("white", 4), ("black", 2)))),
        ("0. b 4 w 2:", Row("line 1", None, (("black", 4), ("white", 2)))),
        ("7... bar/4", Row("line 1", acts=("bar/4",))),
        ("[W 1-1-1 void] B 6-5-2: # no", Row("line 1", "black", (), (6, 5, 2))),
        ("B 6-5-2: [hand/6 taken\nback]", Row("line 1", "black", (), (6, 5, 2))),
    ],
)  # fmt: skip
def test_a_row_is_read_as_people_write_it(row: str, meant: Row) -> None:
    assert read(TABULA, row) == [meant]


def test_ties_may_stand_in_one_row_and_rows_may_stay_empty() -> None:
    found = read(TABULA, "0. W 4 B 4 / W 5 B 2\n1. \n1. W 1-2-3:\n\n2.\n3.")
    assert [(row.where, row.toss, row.dice) for row in found] == [
        ("line 1", (("white", 4), ("black", 4)), ()),
        ("line 1", (("white", 5), ("black", 2)), ()),
        ("line 3", (), (1, 2, 3)),
    ]


def test_a_tie_may_have_a_row_of_its_own() -> None:
    found = read(TABULA, "0. W 4 B 4\n0. W 5 B 2\n1. W 1-2-3")
    assert [dict(row.toss) for row in found[:2]] == [
        {"white": 4, "black": 4},
        {"white": 5, "black": 2},
    ]


def test_what_was_taken_back_may_go_over_lines_and_lines_are_still_counted() -> None:
    with pytest.raises(Unreadable) as caught:
        read(TABULA, "1. W 1-2-3: [hand/1\nhand/2\nhand/3 taken back]\n2. B 7-1-1")
    assert caught.value.message.startswith("line 4: Dice are written")


def test_a_sheet_may_begin_anywhere() -> None:
    found = read(TABULA, "14. W 1-2-3: pass\n15. B 4-4-4\n15... pass")
    assert [row.where for row in found] == ["line 1", "line 2", "line 3"]


@pytest.mark.parametrize(
    ("sheet", "said"),
    [
        ("1. W 6-5-2: pass\n3. B 1-1-1", "line 2: number 2 is expected here, not 3"),
        ("1. W 6-5-2: pass\n1. B 1-1-1", "line 2: number 2 is expected here, not 1"),
        ("1. W 6-5-2: pass\n0. W 1 B 2", "line 2: number 2 is expected here, not 0"),
        ("1. W 6-5-2\n2... pass", "line 2: number 1 is expected here, not 2"),
        ("W 6-5-7: pass", "line 1: Dice are written like 3-5-2, each from 1 to 6, not '6-5-7'"),
        ("# a\n\nW 0", "line 3: Dice are written like 3-5-2, each from 1 to 6, not '0'"),
        ("1-1-1-1-1-1-1-1-1: pass", "line 1: Dice are written like 3-5-2, each from 1 to 6"),
        ("\nB", "line 2: 'B' says neither dice nor what was done"),
        ("1. W : ;", "line 1: 'W : ;' says neither dice nor what was done"),
    ],
)
def test_a_row_that_cannot_be_read_is_named(sheet: str, said: str) -> None:
    with pytest.raises(Unreadable) as caught:
        read(TABULA, sheet)
    assert caught.value.code == "bad-sheet"
    assert caught.value.message.startswith(said)
    assert caught.value.message.endswith("Nothing was written.")


signs = st.sampled_from([*"WSB0123456-.:;/#[]_ \n\t…–\0é", "pass", "hand/3", "c1-c4", "0. W 4 B 2"])


@given(st.lists(signs, max_size=40).map("".join), st.sampled_from([TABULA, TABLERO]))
def test_whatever_is_typed_is_read_or_refused(text: str, played: Any) -> None:
    try:
        rows = read(played, text)
    except Unreadable:
        return
    assert all(row.toss or row.dice or row.acts for row in rows)
    lines = len(text.split("\n"))
    assert all(1 <= int(row.where.removeprefix("line ")) <= lines for row in rows)


# -- mistakes: the line is named, and nothing is written ---------------------------------------

BEGUN = ("0. S 5 N 3", "1. S 3-4: wager", "2. S 5-6")
"""It is for North to throw."""


@pytest.mark.parametrize(
    ("row", "code", "said"),
    [
        ("3. S 3-3: a4 b4", "wrong-side", "line 4 (3-3): It is for North to throw, not for South."),
        ("3. N 3-3: a4 b4\nS: pull", "wrong-side", "line 5 (pull): It is for North to act"),
        ("4. N 3-3: a4 b4", "bad-sheet", "line 4: number 3 is expected here, not 4."),
        ("3. N 3-3-3: a4", "bad-dice", "line 4 (3-3-3): A throw is two dice"),
        ("3. N 3-7: a4", "bad-sheet", "line 4: Dice are written like 3-5-2, each from 1 to 6, not"),
        ("3. N 3: a4", "bad-dice", "line 4 (3): "),
        ("\n3. N 3-3: a4 b5", "no-die", "line 5 (a4 b5): "),
        ("3. N 3-3: a4 b4; pull 7a-b", "no-formation", "line 4: pull 7a-b is refused: "),
        ("3. N 3-3: h9", "bad-move", "line 4: 'h9' is no move."),
        ("3. N: a4 b4", "dice-first", "line 4 (a4 b4): Bruno (North) to throw two dice"),
        (
            "3. N 3-3: a4 b4\n4. N 1-2\n5. N 1-2",
            "no-throw",
            "line 6 (1-2): The row before is not played to its end: something is missing in it.",
        ),
        ("0. S 5 N 3", "bad-sheet", "line 4: number 3 is expected here, not 0."),
        ("S 5 N 3", "wrong-throw", "line 4 (south 5 north 3): It is decided who begins: North"),
        ("3. N 3-3: a4 b4; resign", "bad-move", "line 4: 'resign' is no move."),
        ("3. N 3-3: a4 [b4", "bad-move", "line 4: 'a4 [b4' is no move."),
        ("3. N 3-3: a4 b4; wager", "moved", "line 4: wager is refused: the throw is moved"),
        ("3. N 3-3: \x1b[2J", "bad-move", "line 4 (<U+001B>[2J): '\\x1b[2J' is no move."),
        ("N 3-3: " + "a4 " * 5000, "bad-move", "line 4: A text of 14999 characters is no move."),
    ],
)  # fmt: skip
def test_a_mistake_names_its_line_and_writes_nothing(
    desk: Desk, row: str, code: str, said: str
) -> None:
    open_tablero(desk, keyed=())
    ran = desk("move", "-", stdin="\n".join([*BEGUN, row]).encode())
    assert (ran.out, ran.status in (1, 2)) == ("", True)
    assert ran.err.startswith(f"error[{code}]: {said}")
    assert "Nothing was written." in ran.err
    assert "\x1b" not in ran.err
    assert desk.types() == ["match.opened"]


def test_who_begins_is_thrown_by_both_in_any_order(desk: Desk) -> None:
    open_tablero(desk, keyed=())
    ran = desk("move", "-", stdin=b"0. S 4 S 2")
    assert (ran.status, desk.types()) == (1, ["match.opened"])
    assert ran.err.startswith("error[wrong-throw]: line 1 (4): It is not decided who begins: ")
    desk.did("move", "-", stdin=b"0. N 6 S 2\n1. N 1-1")
    assert done(desk)[0] == ("roll.recorded", "Zoë writes down roll 1: 2-6, Bruno begins")


def test_who_begins_is_decided_first(desk: Desk) -> None:
    open_tablero(desk, keyed=())
    ran = desk("move", "-", stdin=b"1. S 5-3: a4")
    assert ran.err == (
        "error[wrong-throw]: line 1 (5-3): It is not decided who begins: each throws one die "
        "first. Nothing was written.\n"
    )
    desk.did("move", "-", stdin=b"5-3")  # the first seat's die first, as roll takes it
    assert shown(desk)["turn"] == "south"


def test_nothing_is_played_after_the_end(desk: Desk) -> None:
    played = trace(5)
    open_tablero(desk, keyed=())
    rows = [*as_rows(played["steps"]), "S 1-2", "pass"]
    ran = desk("move", "-", stdin="\n".join(rows).encode())
    assert ran.code == "game-over"
    assert f"line {len(rows) - 1} (1-2): The game is over. Nothing was written." in ran.err
    assert desk.types() == ["match.opened"]


def test_a_sheet_of_a_match_that_waits_for_its_players(desk: Desk) -> None:
    open_tabula(desk, "--dice", "table")
    ran = desk("move", "-", stdin=b"0. W 4 B 2")
    assert ran.code == "not-accepted"
    assert desk.types() == ["match.opened"]


def test_computed_dice_are_never_typed_in(desk: Desk) -> None:
    open_tabula(desk)
    desk.did("accept")
    before = desk.types()
    for sheet in (b"pass\n0. W 4 B 2", b"\n1. W 6-5-2: hand/6", b"# x\n6-5-2"):
        ran = desk("move", "-", stdin=sheet)
        assert (ran.code, ran.status) == ("computed-dice", 1)
        assert ran.err.startswith(
            "error[computed-dice]: line 2: the dice of this match are computed"
        )
    while not shown(desk)["dice"]:
        desk.did("roll")
    turn = desk("moves").out.splitlines()[0]
    desk.did("move", "-", stdin=f"1. {turn}".encode())
    assert desk.types()[-1] == "move"
    assert desk.types().count("roll.recorded") == before.count("roll.recorded") == 0


# -- who signs ---------------------------------------------------------------------------------


def by(desk: Desk) -> list[tuple[str, str, str | None]]:
    told = json.loads(desk("log", "--json").out)["events"]
    return [(each["type"], each["by"], each["for"]) for each in told]


SHEET = b"0. W 4 B 2\n1. W 6-6-6: hand/6 hand/6 hand/6\n2. B 6-6-6: pass"


def test_each_seat_signs_its_own_dice_and_acts(desk: Desk) -> None:
    open_tabula(desk, "--dice", "table", keyed=("white",))
    desk.did("accept")
    desk.did("move", "-", stdin=SHEET)
    assert by(desk)[2:] == [
        ("roll.recorded", "white", None),
        ("roll.recorded", "white", None),
        ("move", "white", None),
        ("roll.recorded", "arbiter", "black"),
        ("pass", "arbiter", "black"),
    ]


def test_dice_are_confirmed_by_the_other_side(desk: Desk) -> None:
    open_tabula(desk, "--dice", "table+confirm", keyed=("white",))
    desk.did("accept")
    desk.did("move", "-", stdin=SHEET + b"\n3. W 1-2-3")
    assert [each for each in by(desk)[2:] if each[0].startswith("roll")] == [
        ("roll.recorded", "white", None),
        ("roll.confirmed", "arbiter", "black"),
        ("roll.recorded", "white", None),
        ("roll.confirmed", "arbiter", "black"),
        ("roll.recorded", "arbiter", "black"),
        ("roll.confirmed", "white", None),
        ("roll.recorded", "white", None),
        ("roll.confirmed", "arbiter", "black"),
    ]


def test_without_the_other_sides_key_the_last_dice_wait_for_it(desk: Desk) -> None:
    """Alba's own device: she may write down her throw, and Bruno confirms it on his."""
    open_tabula(desk, "--dice", "table+confirm")
    desk.did("accept")
    for name in ("zoe", "bruno"):
        (desk.keys / name).rename(desk.folder / name)
    ran = desk("move", "-", stdin=SHEET)
    assert (ran.code, ran.status) == ("key-missing", 4)
    assert "Bruno (black) signs with the key SHA256:" in ran.err
    assert desk.types()[-1] == "seat.accepted"
    desk.did("move", "-", stdin=b"0. W 4 B 2")
    assert desk.types()[-1] == "roll.recorded"
    assert shown(desk)["due"] == {"step": "confirm", "whose": ["black"]}


def test_a_player_alone_types_a_turn_of_their_own(desk: Desk) -> None:
    """No other key is asked for than those that sign."""
    open_tabula(desk, "--dice", "table")
    desk.did("accept")
    desk.did("roll", "4-2")
    for name in ("zoe", "bruno"):
        (desk.keys / name).rename(desk.folder / name)
    desk.did("move", "-", stdin=b"1. W 6-6-6: hand/6 hand/6 hand/6")
    assert by(desk)[-2:] == [("roll.recorded", "white", None), ("move", "white", None)]


def test_a_key_that_is_named_signs_alone(desk: Desk) -> None:
    open_tabula(desk, "--dice", "table")
    desk.did("accept")
    desk.did("roll", "4-2")
    ran = desk("move", "-", "--key", "bruno", stdin=b"1. W 6-6-6: hand/6 hand/6 hand/6")
    assert ran.err.startswith("error[wrong-turn]: line 1 (hand/6 hand/6 hand/6): It is for White")
    assert desk.types()[3:] == ["roll.recorded"]


def test_as_json_it_tells_every_event(desk: Desk) -> None:
    open_tabula(desk, "--dice", "table+confirm", keyed=())
    ran = desk("move", "-", "--json", stdin=SHEET)
    written = json.loads(ran.out)["events"]
    assert [each["type"] for each in written] == desk.types()[1:]
    assert written[2]["type"] == "roll.recorded"
