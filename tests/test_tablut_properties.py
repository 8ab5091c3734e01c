"""What holds in every game of tablut: random legal play by all rulesets and random options."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.errors import TabellionError
from ledger.games.protocol import Action, OptionValue
from ledger.games.tablut import GAME, State, calls_due, repetitions, successors

Options = dict[str, OptionValue]

DEFAULTS: Options = {name: option.default for name, option in GAME.options.items()}

rulesets = st.sampled_from(list(GAME.rulesets)).map(
    lambda name: DEFAULTS | dict(GAME.rulesets[name].changes)
)
any_options = st.fixed_dictionaries(
    {name: st.sampled_from(option.values) for name, option in GAME.options.items()}
)
games = st.one_of(rulesets, any_options)


def pieces(state: State) -> str:
    return "".join(GAME.surface(state).pieces.values())


def drawn_move(data: st.DataObject, state: State) -> Action:
    """A legal move, captures and king's moves more often than they are on the list."""
    legal = GAME.legal(state)
    lively = [action for action in legal if "x" in action.text or action.text.startswith("K")]
    chosen: Action = data.draw(st.sampled_from(legal) | st.sampled_from(lively or legal))
    return chosen


def check(state: State, options: Options) -> None:
    """What holds for a state by itself."""
    over = GAME.outcome(state)
    assert (GAME.turn(state) is None) == (over is not None)
    assert bool(GAME.legal(state)) == (over is None)
    assert pieces(state).count("K") == (0 if over and over.reason == "king_taken" else 1)
    assert repetitions(state) >= 1
    assert calls_due(state) in (None, "raichi", "tuichi")
    if "K" in pieces(state):
        again = GAME.place(options, GAME.position(state))
        assert again.position == state.position
        assert GAME.position(again) == GAME.position(state)
        if over is None or over.reason != "repetition":
            assert (again.outcome is None) == (over is None)


@settings(deadline=None, max_examples=120)
@given(games, st.data())
def test_random_play(options: Options, data: st.DataObject) -> None:
    state = GAME.start(options)
    for _ in range(data.draw(st.integers(1, 40))):
        check(state, options)
        if GAME.outcome(state) is not None:
            break
        action = drawn_move(data, state)
        assert GAME.read(state, "move", action.text) == action
        after = GAME.apply(state, action)
        for piece in "tTK":
            assert pieces(after).count(piece) <= pieces(state).count(piece)
        assert GAME.position(after)[-1] != GAME.position(state)[-1]
        state = after


@settings(deadline=None, max_examples=60)
@given(games, st.data())
def test_apply_is_successors(options: Options, data: st.DataObject) -> None:
    """One by one, the listed moves lead to the generated positions, each to one of its own."""
    state = GAME.start(options)
    for _ in range(data.draw(st.integers(0, 25))):
        if GAME.outcome(state) is not None:
            return
        state = GAME.apply(state, drawn_move(data, state))
    if GAME.outcome(state) is not None:
        return
    applied = [GAME.apply(state, action).position for action in GAME.legal(state)]
    generated = successors(state.rules, state.position)
    assert len(set(generated)) == len(generated)
    assert set(applied) == set(generated)
    assert len(applied) == len(generated)


# ---- scattered positions, against a second reading of the rulings


@st.composite
def scattered(draw: st.DrawFn) -> tuple[Options, str]:
    """Options and a position of a 9×9 board with any pieces anywhere, crowded near the king."""
    options = draw(any_options) | {"board": "tablut"}
    squares = ["."] * 81
    king = draw(st.one_of(st.just(40), st.sampled_from([31, 39, 41, 49]), st.integers(0, 80)))
    near = st.sampled_from([-18, -10, -9, -8, -2, -1, 1, 2, 8, 9, 10, 18]).map(lambda d: king + d)
    where = st.one_of(near, st.integers(0, 80)).filter(lambda square: 0 <= square < 81)
    for letter, most in (("t", 12), ("T", 8)):
        for square in draw(st.lists(where, max_size=most)):
            squares[square] = letter
    squares[king] = "K"
    ranks = ["".join(squares[at : at + 9]) for at in range(0, 81, 9)]
    text = re.sub(r"\.+", lambda gap: str(len(gap[0])), "/".join(ranks))
    return options, f"/{text}/ {draw(st.sampled_from('sm'))}"


Square = tuple[int, int]
BOARD = [(x, y) for x in range(9) for y in range(9)]
KONAKIS = (4, 4)
CORNERS = [(0, 0), (0, 8), (8, 0), (8, 8)]
CAMPS = [(x, y) for x, y in BOARD if (x in (0, 8) and 3 <= y <= 5) or (y in (0, 8) and 3 <= x <= 5)]
CAMPS += [(1, 4), (7, 4), (4, 1), (4, 7)]
MIDDLES = [(0, 4), (8, 4), (4, 0), (4, 8)]
DIRECTIONS = [(1, 0), (-1, 0), (0, 1), (0, -1)]


class SecondReading:
    """The ruling document once more, square by square on a dictionary, in no hurry.

    It looks at each board after the move, where the engine looks at the board before it.
    """

    def __init__(self, options: Options, pieces: dict[Square, str], side: str) -> None:
        self.o, self.pieces, self.side = options, pieces, side

    def moves(self) -> Iterator[tuple[Square, Square, frozenset[Square]]]:
        for origin, piece in self.pieces.items():
            if (piece == "t") != (self.side == "m"):
                continue
            for dx, dy in DIRECTIONS:
                for distance in range(1, 9):
                    target = (origin[0] + dx * distance, origin[1] + dy * distance)
                    if target not in BOARD or target in self.pieces:
                        break
                    if self.may(piece, origin, target, distance, "stop"):
                        for captured in self.captures(origin, target):
                            yield origin, target, captured
                    if not self.may(piece, origin, target, distance, "pass"):
                        break

    def may(self, piece: str, origin: Square, at: Square, distance: int, what: str) -> bool:
        if at == KONAKIS:
            allowed = self.o[f"konakis_{what}"]
            return allowed == "all" or (allowed == "king" and piece == "K")
        if at in CORNERS and what == "stop" and self.o["corner_stop"] == "king":
            return piece == "K"
        if self.o["camps"] and at in CAMPS:
            return piece == "t" and origin in CAMPS and distance <= 5
        return True

    def captures(self, origin: Square, target: Square) -> list[frozenset[Square]]:
        after = {square: piece for square, piece in self.pieces.items() if square != origin}
        piece = after[target] = self.pieces[origin]
        if piece == "K" and not self.o["king_armed"]:
            return [frozenset()]
        taken = []
        for dx, dy in DIRECTIONS:
            victim = (target[0] + dx, target[1] + dy)
            behind = (target[0] + 2 * dx, target[1] + 2 * dy)
            foe = after.get(victim, "")
            if foe == "K" and piece == "t" and self.king_falls(after, victim, behind):
                taken.append(victim)
            hostile = foe in ("t", "T") and (foe == "t") != (piece == "t")
            if hostile and behind in BOARD and self.anvil(after, behind, foe):
                taken.append(victim)
        if self.o["captures"] == "single" and taken:
            return [frozenset([victim]) for victim in taken]
        return [frozenset(taken)]

    def anvil(self, after: dict[Square, str], at: Square, victim: str) -> bool:
        piece = after.get(at, "")
        hostile = self.o["konakis_hostile"]
        if self.o["camps"] and at in CAMPS and (victim == "T" or at not in MIDDLES):
            return True
        if piece == "K" and victim == "T":
            guards = [after.get((4 + dx, 4 + dy)) for dx, dy in DIRECTIONS].count("t")
            return at == KONAKIS and (
                hostile == "always" or (hostile == "linnaean" and guards == 3)
            )
        if piece == "K":
            return bool(self.o["king_armed"])
        if piece:
            return (piece == "t") != (victim == "t")
        if at == KONAKIS:
            return hostile != "never"
        return at in CORNERS and self.o["corner_hostile"] is True

    def king_falls(self, after: dict[Square, str], king: Square, behind: Square) -> bool:
        around = [(king[0] + dx, king[1] + dy) for dx, dy in DIRECTIONS]
        law = self.o["king_capture"]
        if law == "two_away" and king != KONAKIS and KONAKIS not in around:
            open_corner = behind in CORNERS and behind not in after and self.o["corner_hostile"]
            camp = self.o["camps"] and behind in CAMPS
            return bool(after.get(behind) == "t" or open_corner or camp)
        on_board = [square for square in around if square in BOARD]
        if len(on_board) < (3 if law == "edge_three" else 4):
            return False
        helpers = [KONAKIS, *(CORNERS if law == "edge_three" else [])]
        return all(
            after.get(square) == "t" or (square in helpers and square not in after)
            for square in on_board
        )


@settings(deadline=None, max_examples=400)
@given(scattered())
def test_scattered_positions(placed: tuple[Options, str]) -> None:
    """Any position can be set, judged, played on and shown, and its moves are those that a
    second reading of the rulings finds."""
    options, position = placed
    state = GAME.place(options, position)
    assert GAME.position(state) == position
    check(state, options)
    for action in GAME.legal(state):
        GAME.remarks(GAME.apply(state, action))
    if GAME.outcome(state) is None:
        pieces_on = GAME.surface(state).pieces.items()
        board = {("abcdefghi".index(at[0]), int(at[1:]) - 1): piece for at, piece in pieces_on}
        second = SecondReading(options, board, position[-1])
        assert sorted(action.text for action in GAME.legal(state)) == sorted(
            spelled(board[origin], origin, target, captured)
            for origin, target, captured in second.moves()
        )


def spelled(piece: str, origin: Square, target: Square, captured: frozenset[Square]) -> str:
    move = f"{'K' if piece == 'K' else ''}{named(origin)}-{named(target)}"
    return f"{move}x{'/'.join(sorted(map(named, captured)))}" if captured else move


def named(square: Square) -> str:
    return f"{'abcdefghi'[square[0]]}{square[1] + 1}"


# ---- hostile texts: our own errors and nothing else

moves = st.from_regex(
    r"[KTkt]?[a-l][0-9]{1,2}[-– ]?[a-l][0-9]{1,2}(x[a-l][0-9]{1,2}([x/, ][a-l][0-9]{1,2})*)?",
    fullmatch=True,
)
position_like = st.text(alphabet="/0123456789tTK smkwـ３ ", max_size=150)
hostile = st.one_of(st.text(max_size=200), moves, position_like)


@settings(deadline=None, max_examples=500)
@given(games, hostile, st.text(max_size=5))
def test_hostile_texts(options: Options, text: str, kind: str) -> None:
    state = GAME.start(options)
    for attempt in (
        lambda: GAME.read(state, "move", text),
        lambda: GAME.apply(state, Action("move", text)),
        lambda: GAME.read(state, kind, text),
        lambda: GAME.place(options, text),
    ):
        with suppress(TabellionError):
            attempt()


@pytest.mark.parametrize(
    "text",
    [
        "/" * 200_000,
        "9" * 200_000,
        "/9" * 100_000,
        "K" * 200_000,
        " " * 200_000,
        "e3-d3x" + "d4/" * 70_000,
        "٩" * 50,
        "/٩" * 9 + "/ s",
        "\x00",
        "\ud800\udfff",
        "a1x" * 20,
    ],
)
def test_huge_and_foreign_texts(text: str) -> None:
    state = GAME.start(DEFAULTS)
    attempts: list[Any] = [
        lambda: GAME.read(state, "move", text),
        lambda: GAME.apply(state, Action("move", text)),
        lambda: GAME.place(DEFAULTS, text),
        lambda: GAME.start(DEFAULTS | {"goal": text}),
        lambda: GAME.start(DEFAULTS | {text: text}),
    ]
    for attempt in attempts:
        with pytest.raises(TabellionError) as refusal:
            attempt()
        assert len(str(refusal.value)) < 1000


values = st.one_of(
    st.none(),
    st.integers(),
    st.floats(),
    st.text(max_size=9),
    st.lists(st.integers()),
    st.booleans(),
)


@settings(deadline=None)
@given(st.dictionaries(st.one_of(st.sampled_from(list(DEFAULTS)), st.text(max_size=9)), values))
def test_hostile_options(changes: dict[str, Any]) -> None:
    try:
        state = GAME.start(DEFAULTS | changes)
    except TabellionError:
        return
    assert all(changes[name] in GAME.options[name].values for name in changes)
    assert GAME.legal(state)
