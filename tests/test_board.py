"""Boards as they are drawn: what stands where must be read from the signs alone."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import msgspec
import pexpect
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.board import show_board, show_choices
from ledger.errors import Refused
from ledger.formats.comparing import compare_boards
from ledger.games import game, options_of, ruleset
from ledger.games.protocol import Stack, State, Surface
from ledger.games.typed import kind_and_text
from ledger.render.text import Line, dice_lines, grid_lines, plain
from ledger.render.track import track_lines
from ledger.views import BoardView
from ledger.views.shapes import TrackView
from ledger.views.telling import board as view_of

TABLUT, TABULA, TABLERO = map(game, ("tablut", "tabula", "tablero"))
ZENO = (
    "W h0 b0 o0 6:7,9:1,10:2,19:2,20:2,23:1 | B h0 b0 o0 8:2,11:2,12:2,13:1,14:2,15:2,18:2,21:2 | W"
)
TALL = "W h1 b2 o0 19:12 | B h0 b0 o0 24:15 | B"


def placed(position: str, *dice: int) -> State:
    """Tabula in this position, with these dice thrown."""
    state = TABULA.place(options_of(*ruleset("tabula")), position)
    return TABULA.throw(state, dice) if dice else state


def track(state: State) -> TrackView:
    view = view_of(TABULA.surface(state))
    assert isinstance(view, TrackView)
    return view


def start(name: str) -> State:
    return TABLUT.start(options_of(*ruleset(name)))


def grid(*moves: str) -> BoardView:
    """Tablut after these moves."""
    state = start("tablut")
    for move in moves:
        state = TABLUT.apply(state, TABLUT.read(state, "move", move))
    view = view_of(TABLUT.surface(state))
    assert isinstance(view, BoardView)
    return view


def tablero(position: str, *dice: int, name: str = "tablero", **options: str) -> State:
    """El Tablero de Jesús in this position, with these dice thrown."""
    state = TABLERO.place({**options_of(*ruleset(name)), **options}, position)
    return TABLERO.throw(state, dice) if dice else state


def after(state: State, *typed: str) -> State:
    for text in typed:
        state = TABLERO.apply(state, TABLERO.read(state, *kind_and_text(TABLERO, state, text)))
    return state


def coins(state: State, *, flip: bool = False) -> str:
    """The tablero as it is drawn."""
    view = view_of(TABLERO.surface(state))
    assert isinstance(view, BoardView)
    return drawn(grid_lines(view, flip=flip))


def drawn(lines: Iterable[Line]) -> str:
    return "\n".join(map(plain, lines))


# -- a track ---------------------------------------------------------------------------------


def test_zeno_has_thrown_2_5_6() -> None:
    state = placed(ZENO, 2, 5, 6)
    assert (
        drawn(track_lines(track(state), TABULA.thrown(state)))
        == """\
  24  23  22  21  20  19    18  17  16  15  14  13
+-------------------------+-------------------------+
|  .   W   .   b   W   W  |  b   .   .   b   b   b  |
|              b   W   W  |  b           b   b      |
|                         |                         |
|                         |                         |
|                         |                         |
|                         |                         |
|                      7  |                         |
|                      W  |                         |
|                      W  |                         |
|                      W  |      b       W   b   b  |
|  .   .   .   .   .   W  |  .   b   W   W   b   b  |
+-------------------------+-------------------------+
   1   2   3   4   5   6     7   8   9  10  11  12
                            dice 2-5-6
         hand  bar  off     |o    |  |o   o|  |o   o|
W White     0    0    0     |     |  |  o  |  |o   o|
b Black     0    0    0     |    o|  |o   o|  |o   o|"""
    )


def test_from_the_other_side_of_the_table_the_board_is_turned_round() -> None:
    assert (
        drawn(track_lines(track(placed(TALL)), flip=True))
        == """\
  12  11  10   9   8   7     6   5   4   3   2   1
+-------------------------+-------------------------+
|  .   .   .   .   .   .  |  .   .   .   .   .   .  |
|                         |                         |
|                         |                         |
|                         |                         |
|                         |                         |
|                         |                         |
|                         | 12                  15  |
|                         |  W                   b  |
|                         |  W                   b  |
|                         |  W                   b  |
|  .   .   .   .   .   .  |  W   .   .   .   .   b  |
+-------------------------+-------------------------+
  13  14  15  16  17  18    19  20  21  22  23  24

         hand  bar  off
W White     1    2    0
b Black     0    0    0"""
    )


def test_the_numbers_of_the_points_that_a_turn_touched_are_in_brackets() -> None:
    state = placed(ZENO, 2, 5, 6)
    after = TABULA.apply(state, TABULA.read(state, "move", "10/16 20/22 19/24"))
    upper, *_, lower = drawn(track_lines(track(after))).splitlines()[:15]
    assert upper == " [24] 23 [22] 21 [20][19]   18  17 [16] 15  14  13"
    assert lower == "   1   2   3   4   5   6     7   8   9 [10] 11  12"


def test_five_stand_in_full_and_the_sixth_makes_a_number() -> None:
    lines = drawn(track_lines(track(placed("W h4 b0 o0 1:5,2:6 | B h15 b0 o0 - | W")))).splitlines()
    assert [line[:9] for line in lines[8:13]] == ["|  W   6 "] + ["|  W   W "] * 4


STACKS = st.one_of(
    st.just(Stack("", 0)), st.builds(Stack, st.sampled_from("Wb"), st.integers(1, 15))
)
TRACKS = st.builds(
    TrackView,
    points=st.lists(STACKS, min_size=24, max_size=24).map(tuple),
    pools=st.fixed_dictionaries(dict.fromkeys(("hand", "bar", "off"), st.tuples(STACKS, STACKS))),
    legend=st.just({"W": "White", "b": "Black"}),
    last=st.lists(st.integers(1, 24), max_size=6, unique=True).map(tuple),
)
DICE = st.lists(st.integers(1, 6), max_size=4)


def stacks(lines: list[str]) -> dict[int, Stack]:
    """The points as somebody reads them: from a number at the edge inward."""
    found = {}
    for edge, rows in ((lines[0], lines[2:7]), (lines[14], lines[12:7:-1])):
        for number in re.finditer("[0-9]+", edge):
            signs = [row[number.end() - 2 : number.end()].strip() for row in rows]
            signs = [sign for sign in signs if sign not in ("", ".")]
            count = int(signs[-1]) if signs and signs[-1].isdigit() else len(signs)
            found[int(number[0])] = Stack(signs[0] if signs else "", count)
    return found


@given(TRACKS, DICE, st.booleans())
def test_whatever_stands_on_a_track_can_be_read_from_its_drawing(
    board: TrackView, dice: list[int], flip: bool
) -> None:
    lines = drawn(track_lines(board, dice, flip=flip)).splitlines()
    assert max(map(len, lines)) <= 60
    assert stacks(lines) == dict(enumerate(board.points, 1))
    assert {int(each) for each in re.findall(r"\[(\d+)\]", lines[0] + lines[14])} == set(board.last)
    for seat, owner in enumerate(("W White", "b Black")):
        (line,) = (line for line in lines if line.startswith(owner))
        counts = [str(pair[seat].count) for pair in board.pools.values()]
        assert line.removeprefix(owner).split()[:3] == counts
    assert (f"dice {'-'.join(map(str, dice))}" in "\n".join(lines)) == bool(dice)


# -- dice ------------------------------------------------------------------------------------


def test_every_face_has_as_many_pips_as_it_says() -> None:
    for face in range(1, 7):
        words, *lines = dice_lines((face,))
        assert plain(words) == f"dice {face}"
        assert drawn(lines).count("o") == face


def test_no_dice_take_no_room() -> None:
    assert dice_lines(()) == []


def test_dice_too_many_for_the_side_lie_below() -> None:
    lines = drawn(track_lines(track(placed(ZENO)), (1, 2, 3, 4, 5))).splitlines()
    assert lines[-5:-3] == ["b Black     0    0    0", "dice 1-2-3-4-5"]


# -- a grid ----------------------------------------------------------------------------------


def test_a_grid_from_the_second_seat_begins_with_its_first_row() -> None:
    lines = drawn(grid_lines(grid("e3-f3"), flip=True)).splitlines()
    assert lines[0] == lines[-1] == "   i  h  g  f  e  d  c  b  a"
    assert lines[1] == "1  +  .  .  t  t  t  .  .  +  1"
    assert lines[3] == "3  .  .  . [T][.] .  .  .  .  3"
    assert lines[9] == "9  +  .  .  t  t  t  .  .  +  9"


def test_dice_lie_below_a_grid(capsys: Any) -> None:
    show_board(grid(), dice=(3, 4), explain=False)
    assert capsys.readouterr().out.splitlines()[-5:] == [
        "Swedes beside the king 8, Muscovites 16",
        "dice 3-4",
        "|o    |  |o   o|",
        "|  o  |  |     |",
        "|    o|  |o   o|",
    ]


def test_formations_are_joined_and_each_player_sits_at_an_edge() -> None:
    assert (
        coins(tablero("4442354 26,3 0 0 south decide"))
        == """\
          North
   a  b  c  d  e  f  g
7  .  .  .  .  .  .  .  7
6  .  .  .  .  .  .  .  6
5  .  .  .  .  .  @  .  5
4  @--@--@  .  .  .  @  4
3  .  .  .  .  @  .  .  3
2  .  .  .  @  .  .  .  2
1  .  .  .  .  .  .  .  1
   a  b  c  d  e  f  g
          South"""
    )


def test_from_norths_side_the_board_is_turned_round_with_its_formations() -> None:
    assert (
        coins(tablero("4442354 26,3 0 0 south decide"), flip=True)
        == """\
          South
   g  f  e  d  c  b  a
1  .  .  .  .  .  .  .  1
2  .  .  .  @  .  .  .  2
3  .  .  @  .  .  .  .  3
4  @  .  .  .  @--@--@  4
5  .  @  .  .  .  .  .  5
6  .  .  .  .  .  .  .  6
7  .  .  .  .  .  .  .  7
   g  f  e  d  c  b  a
          North"""
    )


def test_brackets_stand_around_what_was_moved_together() -> None:
    moved = after(tablero("7711111 13,16 0 0 south throw", 3, 3), "a7-a4 b7-b4")
    lines = coins(moved).splitlines()
    assert lines[2] == "7 [.][.] .  .  .  .  .  7"
    assert lines[5] == "4 [@--@] .  .  .  .  .  4"
    assert coins(moved, flip=True).splitlines()[5] == "4  .  .  .  .  . [@--@] 4"
    joined = after(tablero("7744411 13,16 0 0 south throw", 1, 2), "b7-b4")
    assert coins(joined).splitlines()[5] == "4  . [@]-@--@--@  .  .  4"
    assert coins(joined, flip=True).splitlines()[5] == "4  .  .  @--@--@-[@] .  4"


def test_the_columns_of_a_pull_are_in_brackets() -> None:
    pulled = after(tablero("4442354 26,3 0 0 south decide"), "pull 4a-c")
    lines = coins(pulled).splitlines()
    assert lines[2] == "7  @--@--@  .  .  .  .  7"
    assert lines[5] == "4 [.][.][.] .  .  .  @  4"


def test_coins_on_a_baseline_are_joined_only_where_they_make_a_formation() -> None:
    position = "7711111 13,16 0 0 south throw"
    assert coins(tablero(position)).splitlines()[8] == "1  .  .  @--@--@--@--@  1"
    event = coins(tablero(position, name="tablero-event"))
    assert event.splitlines()[8] == "1  .  .  @  @  @  @  @  1"
    assert "-" not in event


def test_an_empty_board_when_the_coins_are_divided(capsys: Any) -> None:
    settled = TABLERO.settle(tablero("4442354 26,3 0 0 south decide"), (20, 16))
    assert "@" not in coins(settled)
    view = view_of(TABLERO.surface(settled))
    show_board(view)
    assert capsys.readouterr().out.splitlines()[-2:] == [
        "@ coin, -- Formation",
        "South's stake 20, North's stake 16, Wager 0, pot 0",
    ]


COLUMNS = "abcdefg"
SQUARES = st.sampled_from([f"{column}{row}" for column in COLUMNS for row in range(1, 8)])


def gathered(lines: list[str]) -> tuple[set[str], set[str], set[frozenset[str]]]:
    """The coins, what was touched and what is joined, as somebody reads them from the signs."""
    columns = lines[0].split()
    pieces, touched, joined = set(), set(), set()
    for line in lines[1:-1]:
        row, inside, before = line[0], False, ""
        for number, column in enumerate(columns):
            left, sign, right = line[2 + 3 * number :][:3]
            place = f"{column}{row}"
            inside = left == "[" or (inside and left == "-")
            pieces |= {place} if sign == "@" else set()
            touched |= {place} if inside else set()
            joined |= (
                {frozenset((columns[number - 1] + row, place))} if "-" in before + left else set()
            )
            inside, before = inside and right != "]", right
    return pieces, touched, joined


@given(
    st.lists(st.integers(0, 7), min_size=7, max_size=7),
    st.lists(SQUARES, max_size=14, unique=True),
    st.booleans(),
)
def test_whatever_lies_on_a_grid_can_be_read_from_its_drawing(
    rows: list[int], last: list[str], flip: bool
) -> None:
    places = [f"{column}{row}" for column, row in zip(COLUMNS, rows, strict=True) if row]
    runs = [run for run in neighbours(rows) if len(run) > 1]
    surface = Surface(
        columns=tuple(COLUMNS),
        rows=tuple("1234567"),
        pieces=dict.fromkeys(places, "@"),
        marks={},
        legend={},
        counts=(),
        last=tuple(last),
        joined=tuple(runs),
    )
    view = view_of(surface)
    assert isinstance(view, BoardView)
    pieces, touched, joined = gathered(drawn(grid_lines(view, flip=flip)).splitlines())
    assert pieces == set(places)
    assert touched == set(last)
    assert joined == {frozenset(pair) for run in runs for pair in pairwise(run)}


def neighbours(rows: list[int]) -> list[tuple[str, ...]]:
    """Coins side by side in a row, from the left."""
    found: list[tuple[str, ...]] = []
    for column, row in zip(COLUMNS, rows, strict=True):
        if not row:
            continue
        beside = f"{chr(ord(column) - 1)}{row}"
        if found and found[-1][-1] == beside:
            found[-1] += (f"{column}{row}",)
        else:
            found.append((f"{column}{row}",))
    return found


# -- what --json says ------------------------------------------------------------------------


def test_json_says_which_kind_of_board_it_is() -> None:
    told = msgspec.to_builtins(track(placed(TALL)))
    assert told["kind"] == "track"
    assert told["points"][18] == {"piece": "W", "count": 12}
    assert told["pools"]["bar"] == ({"piece": "W", "count": 2}, {"piece": "", "count": 0})
    assert msgspec.to_builtins(grid())["kind"] == "grid"


def test_an_imported_track_that_differs_is_told_as_a_whole() -> None:
    state = placed(TALL)
    compare_boards("line 1", TALL, TABULA, state)
    with pytest.raises(Refused, match=r"the file shows W h2 .*, the rules W h1 ") as caught:
        compare_boards("line 1", TALL.replace("h1 b2", "h2 b1"), TABULA, state)
    assert caught.value.code == "import-diverges"


# -- on a terminal ---------------------------------------------------------------------------

BOARD = f"""
from cli.board import show_board
from test_board import placed, track
show_board(track(placed({TALL!r})), dice=(2, 5, 6))
"""


def terminal(script: str, columns: int = 60, **environment: str) -> str:
    """What a script prints on a terminal."""
    screen = pexpect.spawn(
        sys.executable,
        ["-c", script],
        env={"PYTHONPATH": ":".join(sys.path), "TERM": "xterm-256color", **environment},
        dimensions=(24, columns),
        encoding="utf-8",
        timeout=30,
    )
    screen.expect(pexpect.EOF)
    screen.close()
    assert screen.exitstatus == 0, screen.before
    return str(screen.before).replace("\r\n", "\n")


@pytest.mark.parametrize("columns", [60, 80])
def test_colours_change_no_sign(columns: int) -> None:
    shown = terminal(BOARD, columns)
    assert "\x1b[1;97;44m" in shown
    assert "\x1b[1;97;41m" in shown
    signs = re.sub(r"\x1b\[[0-9;]*m", "", shown)
    assert signs == drawn(track_lines(track(placed(TALL)), (2, 5, 6))) + "\n"


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_no_colour_is_the_plain_board(environment: dict[str, str]) -> None:
    assert terminal(BOARD, **environment) == (
        drawn(track_lines(track(placed(TALL)), (2, 5, 6))) + "\n"
    )


def listed(name: str, state: str, columns: int = 60) -> list[str]:
    """The choices in a state of a game as a terminal shows them; ``state`` in words of this
    module."""
    script = f"""
from cli.board import show_choices
from test_board import *
played, state = game({name!r}), {state}
show_choices([each.typed for each in played.legal(state)], played.choices(state))
"""
    return terminal(script, columns).splitlines()


def test_turns_stand_together_by_their_first_step_and_in_columns() -> None:
    state = "placed('W h0 b1 o0 1:7,2:7 | B h15 b0 o0 - | W', 1, 2, 6)"
    turns = [
        turn.text
        for turn in TABULA.legal(placed("W h0 b1 o0 1:7,2:7 | B h15 b0 o0 - | W", 1, 2, 6))
    ]
    for columns in (60, 80):
        lines = listed("tabula", state, columns)
        assert max(map(len, lines)) <= columns
        read, first = [], ""
        for line in lines:
            start, *rests = re.split(" {2,}", line)
            first = start or first
            read += [f"{first} {rest}" for rest in rests]
        assert sorted(read) == turns
        starts = [line.split(" ")[0] for line in lines if not line.startswith(" ")]
        assert starts == ["bar/1", "bar/2", "bar/6"]


def test_few_turns_stand_whole() -> None:
    state = "placed('W h0 b0 o13 1:1,2:1 | B h15 b0 o0 - | W', 1, 1, 1)"
    assert listed("tabula", state)[0].count("/") > 1


def test_moves_of_a_piece_stand_together_as_people_count() -> None:
    lines = listed("tablut", "start('hnefatafl')", 80)
    assert lines[0].split() == ["d6-", "c6", "d2", "d3", "d4", "d5", "d7", "d8", "d9", "d10"]
    assert max(map(len, lines)) <= 80


def test_the_plays_of_a_throw_stand_by_the_die_that_moves_a_coin() -> None:
    assert listed("tablero", "tablero('7711111 13,16 0 0 south throw', 3, 5)") == [
        "42 plays move two coins, each from another line:",
        "3:  a7-a4  b7-b4  c1-c4  d1-d4  e1-e4  f1-f4  g1-g4",
        "5:  a7-a2  b7-b2  c1-c6  d1-d6  e1-e6  f1-f6  g1-g6",
    ]


def test_of_equal_dice_each_has_its_line_and_the_sum_another() -> None:
    steps = "a7-a4  b7-b4  c1-c4  d1-d4  e1-e4  f1-f4  g1-g4"
    assert listed("tablero", "tablero('7711111 13,16 0 0 south throw', 3, 3)") == [
        "21 plays move two coins, each from another line:",
        f"3:  {steps}",
        f"3:  {steps}",
        "Or one coin alone:",
        "6:  a7-a1  b7-b1  c1-c7  d1-d7  e1-e7  f1-f7  g1-g7",
    ]


def test_where_each_coin_moves_by_itself_there_is_no_word_of_pairs() -> None:
    state = "tablero('7111111 13,16 0 0 south throw', 6, 2, diablo='called')"
    lines = listed("tablero", state)
    assert [line.split(":")[0] for line in lines] == ["2", "6"]
    assert listed("tablero", f"after({state}, 'a7-a1')")[-1] == "done"


def test_what_an_act_brings_stands_beside_it() -> None:
    decide, answer, stop = (
        "4442255 20,9 0 0 south decide",
        "7711111 13,16 0 0 south answer",
        "1111111 13,14 0 2 south run-or-stop",
    )
    assert listed("tablero", f"tablero({decide!r})") == [
        "pull 4a-c: +3; North must fill 3 of 9",
        "pull 2d-e: +2; North must fill 2 of 9",
        "pull 5f-g: +2; North must fill 2 of 9",
    ]
    assert listed("tablero", f"tablero({answer!r})") == ["pass", "wager: 7 of 13"]
    assert listed("tablero", f"tablero({stop!r})") == ["stop: +9; North must fill 7 of 14"]


def test_in_a_pipe_an_act_is_a_line(capsys: Any) -> None:
    show_choices(["10/16 20/22 19/24", "pass"], [])
    assert capsys.readouterr().out == "10/16 20/22 19/24\npass\n"
    state = tablero("1111111 13,16 0 0 south decide")
    show_choices([each.typed for each in TABLERO.legal(state)], TABLERO.choices(state))
    assert capsys.readouterr().out == "pull 1a-g\nrun\n"
    show_choices([], [])
    assert capsys.readouterr().out == ""
