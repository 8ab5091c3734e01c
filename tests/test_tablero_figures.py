"""The figures of the ruling document of tablero, counted again by the engine."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations_with_replacement

import pytest

from ledger import rulings
from ledger.games import options_of
from ledger.games.protocol import Action
from ledger.games.tablero import GAME, PASS_NUMBERS, State

DOCUMENT = rulings.text("tablero-1").decode()
THROWS = list(combinations_with_replacement(range(1, 7), 2))


def rows(first: str) -> list[list[str]]:
    """The table whose head begins so, as cells without their marks."""
    lines = iter(DOCUMENT.split("\n"))
    head = next(line for line in lines if line.startswith(f"| {first} |"))
    table = [head]
    next(lines)
    for line in lines:
        if not line.startswith("|"):
            break
        table.append(line)
    return [[cell.strip().strip("`") for cell in line.strip("|").split("|")] for line in table]


def placed(position: str, ruleset: str = "tablero", **changes: str | bool) -> State:
    options = options_of(GAME, GAME.rulesets[ruleset])
    return GAME.place({**options, **changes}, position)


def number(text: str) -> int:
    return int(text.replace(" ", ""))


def boards(state: State) -> set[tuple[int, ...]]:
    """The boards that the moves of a throw can end on."""
    if not GAME.thrown(state):
        return {state.rows}
    found: set[tuple[int, ...]] = set()
    for action in GAME.legal(state):
        found |= boards(GAME.apply(state, action))
    return found


PLAYS = rows("throw | `7711111`")


@pytest.mark.parametrize("column", range(1, len(PLAYS[0])), ids=PLAYS[0][1:])
def test_the_plays_of_each_throw(column: int) -> None:
    board, _, event = PLAYS[0][column].replace("`", "").partition(", ")
    ruleset = "tablero-event" if event else "tablero"
    counted = {}
    for dice in THROWS:
        called = placed(f"{board} 14,15 0 0 south throw", ruleset, diablo="called")
        counted[dice] = len(boards(GAME.throw(called, dice)) - {called.rows})
        if sum(dice) not in PASS_NUMBERS:
            plain = placed(f"{board} 14,15 0 0 south throw", ruleset)
            moves = [each for each in GAME.legal(GAME.throw(plain, dice)) if each.kind == "move"]
            assert len(moves) == counted[dice]
    for line in PLAYS[1:-2]:
        dice = tuple(map(int, line[0].split()[0].split("-")))
        assert ("Pass Number" in line[0]) == (sum(dice) in PASS_NUMBERS)
        assert counted[dice] == number(line[column]), line[0]
    moved = sum(many for dice, many in counted.items() if sum(dice) not in PASS_NUMBERS)
    assert (moved, sum(counted.values())) == (number(PLAYS[-2][column]), number(PLAYS[-1][column]))


def test_what_a_first_throw_leaves_to_be_pulled() -> None:
    left = {}
    for ruleset in GAME.rulesets:
        start = placed("7777711 16,13 0 0 north throw", ruleset)
        after = [
            GAME.apply(thrown, action)
            for dice in THROWS
            if sum(dice) not in PASS_NUMBERS
            for thrown in [GAME.throw(start, dice)]
            for action in GAME.legal(thrown)
        ]
        pulls = [state for state in after if any(a.kind == "pull" for a in GAME.legal(state))]
        left[ruleset] = (len(after), len(pulls))
    assert left == {"tablero": (630, 630), "tablero-event": (630, 30)}
    assert "a Formation stands after all of the 630 plays" in DOCUMENT
    assert "after 30 of them with `tablero-event`" in DOCUMENT


# -- sequences of steps ------------------------------------------------------------------------

SEQUENCES = rows("ruleset, or the one option that is changed")
POSITIONS = dict(re.findall(r"^- ([ABC]): `(.*)`$", DOCUMENT, re.MULTILINE))


def following(state: State) -> Iterator[State]:
    if GAME.outcome(state) is not None:
        return
    if GAME.wanted(state) is not None:
        yield from (GAME.throw(state, dice) for dice in THROWS)
    yield from (GAME.apply(state, action) for action in GAME.legal(state))
    if state.callable and state.rules.called:
        yield GAME.apply(state, Action("diablo", "diablo"))


def sequences(state: State, depth: int) -> int:
    if depth == 1:
        return sum(1 for _ in following(state))
    return sum(sequences(after, depth - 1) for after in following(state))


def by(line: list[str], position: str) -> State:
    """The position under the ruleset or option that a line of the table names."""
    name, _, value = line[0].partition("=")
    if not value:
        return placed(position, name)
    options = {str(each).lower(): each for each in GAME.options[name].values}
    return placed(position, **{name: options[value]})


@pytest.mark.parametrize("line", SEQUENCES[1:], ids=[line[0] for line in SEQUENCES[1:]])
def test_sequences_of_three_steps(line: list[str]) -> None:
    for name, position in POSITIONS.items():
        column = SEQUENCES[0].index(f"{name}, 3")
        assert sequences(by(line, position), 3) == number(line[column]), name


def test_sequences_of_one_step_and_of_two() -> None:
    found = {
        name: (sequences(placed(position), 1), sequences(placed(position), 2))
        for name, position in POSITIONS.items()
    }
    assert found == {"A": (21, 640), "B": (23, 991), "C": (2, 42)}
    assert "21 and 640 from A, 23 and 991 from B, 2 and 42 from C" in DOCUMENT


FEW = 60_000
"""Sequences that are counted; some positions have a million of four steps."""


@pytest.mark.slow
@pytest.mark.parametrize("line", SEQUENCES[1:], ids=[line[0] for line in SEQUENCES[1:]])
def test_sequences_of_four_steps(line: list[str]) -> None:
    printed = {name: number(line[SEQUENCES[0].index(f"{name}, 4")]) for name in POSITIONS}
    few = {name for name, many in printed.items() if many <= FEW}
    assert "C" in few
    for name in few:
        assert sequences(by(line, POSITIONS[name]), 4) == printed[name], name
