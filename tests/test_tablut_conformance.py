"""Tablut against reference data: legal lists, captures, results and counts of move sequences.

The data was made by brute-force references that share no code with this project; at least two
independent engines agree on all of it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from ledger.games.protocol import Action, Illegal, OptionValue
from ledger.games.tablut import GAME, Position, Rules, State, successors
from ledger.games.tablut.board import Board

DATA = Path(__file__).parent / "conformance"
FAST = 1_000_000
"""Sequences that may be counted in an ordinary run."""


def options(ruleset: str) -> dict[str, OptionValue]:
    defaults = {name: option.default for name, option in GAME.options.items()}
    return defaults | dict(GAME.rulesets[ruleset].changes)


@cache
def cases(file: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / file).read_text("utf-8").splitlines()]


def placed(file: str, every: int = 1) -> Iterator[tuple[dict[str, Any], State]]:
    for case in cases(file)[::every]:
        yield case, GAME.place(options(case.get("ruleset", "tablut")), case["position"])


def split(action: Action) -> tuple[str, list[str]]:
    """A canonical move as the data writes it, without the king's letter, and its captures."""
    move, _, captured = action.text.removeprefix("K").partition("x")
    return move, captured.split("/") if captured else []


FILES = pytest.mark.parametrize("file", ["tablut_positions.jsonl", "tablut_variants.jsonl"])


@FILES
def test_the_data_is_there(file: str) -> None:
    assert len(cases(file)) == {"tablut_positions.jsonl": 500, "tablut_variants.jsonl": 535}[file]


@FILES
def test_position_texts_are_canonical(file: str) -> None:
    for case, state in placed(file):
        assert GAME.position(state) == case["position"]


@FILES
def test_legal_lists_and_captures(file: str) -> None:
    for case, state in placed(file):
        listed = [split(action) for action in GAME.legal(state)]
        assert sorted(move for move, _ in listed) == sorted(case["legal"]), case["position"]
        captures = {move: captured for move, captured in listed if captured}
        assert captures == case["captures"], case["position"]


@FILES
def test_every_legal_move_applied(file: str) -> None:
    """Each legal move, read bare as people type it and then applied, leaves the captured squares
    empty and gives the result listed, or none."""
    for case, state in placed(file):
        before = GAME.surface(state).pieces
        for move in case["legal"]:
            after = GAME.apply(state, GAME.read(state, "move", move))
            origin, target = move.split("-")
            captured = case["captures"].get(move, [])
            expected = {**before, target: before[origin]}
            for square in (origin, *captured):
                del expected[square]
            assert GAME.surface(after).pieces == expected, (case["position"], move)
            end = GAME.outcome(after)
            result = None if end is None else end.winner or "draw"
            assert result == case["results"].get(move), (case["position"], move)


@FILES
def test_every_other_move_of_the_movers_pieces_is_refused(file: str) -> None:
    """A tenth of the positions: from each square of the mover to every square of the board."""
    for case, state in placed(file, every=10):
        legal = set(case["legal"])
        squares = [column + row for column in "abcdefghi" for row in "123456789"]
        mover = "t" if case["position"].endswith("m") else "TK"
        own = [square for square, piece in GAME.surface(state).pieces.items() if piece in mover]
        for move in {f"{origin}-{target}" for origin in own for target in squares} - legal:
            for attempt in (
                GAME.read,
                lambda state, kind, text: GAME.apply(state, Action(kind, text)),
            ):
                with pytest.raises(Illegal, match=r"is refused: "):
                    attempt(state, "move", move)


# ---- counts


def count(rules: Rules, position: Position, depth: int) -> int:
    """Sequences of ``depth`` moves; every position that they reach is made, the last too. Where
    several reach the same position they are walked on from there once, and counted as often."""
    layer = {position: 1}
    for _ in range(depth - 1):
        after: dict[Position, int] = {}
        for reached, times in layer.items():
            for each in successors(rules, reached):
                after[each] = after.get(each, 0) + times
        layer = after
    return sum(times * len(successors(rules, at)) for at, times in layer.items())


def counts(*, slow: bool) -> list[Any]:
    """Every count but that of depth 5, as parameters: position, depth, expected count."""
    return [
        pytest.param(case.get("ruleset", "tablut"), case["position"], depth, expected)
        for case in json.loads((DATA / "tablut_counts.json").read_text("utf-8"))
        for depth, expected in enumerate(case["counts"], 1)
        if depth < 5 and (expected > FAST) == slow
    ]


@pytest.mark.parametrize(("ruleset", "position", "depth", "expected"), counts(slow=False))
def test_counts(ruleset: str, position: str, depth: int, expected: int) -> None:
    state = GAME.place(options(ruleset), position)
    assert count(state.rules, state.position, depth) == expected


@pytest.mark.slow
@pytest.mark.parametrize(("ruleset", "position", "depth", "expected"), counts(slow=True))
def test_deep_counts(ruleset: str, position: str, depth: int, expected: int) -> None:
    test_counts(ruleset, position, depth, expected)


def seen_from_all_sides(board: Board, position: Position) -> Position:
    """The least of a position's eight images: turned, and seen in a mirror."""
    masks = position.swedes, position.muscovites, position.king
    images = (tuple(_turned(mask, turn) for mask in masks) for turn in _turns(board))
    return Position(*min(images), position.turn)


@cache
def _turns(board: Board) -> list[dict[int, int]]:
    """Where each square comes to lie, in each of the eight images of the board."""
    last = board.size - 1
    places = [(x, y) for y in range(board.size) for x in range(board.size)]
    turns = [
        lambda x, y: (x, y),
        lambda x, y: (last - y, x),
        lambda x, y: (last - x, last - y),
        lambda x, y: (y, last - x),
    ]
    turns += [lambda x, y, turn=turn: turn(last - x, y) for turn in turns]
    return [
        {board.ranks[y][x]: board.ranks[turn(x, y)[1]][turn(x, y)[0]] for x, y in places}
        for turn in turns
    ]


def _turned(mask: int, turn: dict[int, int]) -> int:
    found = 0
    while mask:
        lowest = mask & -mask
        found |= turn[lowest]
        mask ^= lowest
    return found


def walked(depth: int, *, images: bool) -> Counter[Position]:
    """Every position after so many moves from the start, with the sequences that lead to it; with
    ``images`` one position for all that are its images."""
    state = GAME.start(options("tablut"))
    layer = Counter([state.position])
    for _ in range(depth):
        after: Counter[Position] = Counter()
        for position, times in layer.items():
            for reached in successors(state.rules, position):
                image = seen_from_all_sides(state.rules.board, reached) if images else reached
                after[image] += times
        layer = after
    return layer


def test_images_of_a_position_have_as_many_sequences() -> None:
    """The board and the rules look alike from all sides: no direction is favoured anywhere."""
    rules = GAME.start(options("tablut")).rules
    whole, images = walked(2, images=False), walked(2, images=True)
    assert (len(whole), len(images)) == (3968, 496)
    for layer in (whole, images):
        assert sum(layer.values()) == 3968
        assert sum(times * count(rules, at, 1) for at, times in layer.items()) == 225_224


@pytest.mark.slow
def test_count_of_depth_five() -> None:
    """922 488 200 sequences of five moves from the start.

    Those that lead to the same position after three moves, or to an image of it, are walked on
    from there once, and counted as often as they are. From each of these positions all moves, and
    all moves after them, are made one by one, the last ply too.
    """
    rules = GAME.start(options("tablut")).rules
    layer = walked(3, images=True)
    assert sum(layer.values()) == 225_224
    assert sum(times * count(rules, at, 2) for at, times in layer.items()) == 922_488_200
