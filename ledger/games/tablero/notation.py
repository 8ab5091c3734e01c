"""Acts as text, both ways: what a person typed, as the one act that it means.

A move has a word for each coin, columns from a to g: ``c1-c4 d7-d2``. A column holds one coin, so
people may leave out where it stands: ``c4 d2``.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from ledger.errors import Ambiguous, Unreadable
from ledger.games.protocol import Illegal
from ledger.games.tablero.board import COLUMNS, Formation, Phase, formations, place
from ledger.games.tablero.refusals import check_move, check_phase, check_pull
from ledger.games.tablero.state import State
from ledger.games.tablero.throws import Play, Step, spelled

GUIDE = """
Columns are a to g from South's left to right, rows 1 to 7 from South to North.
A move is a word for each coin that is moved: from where, to where.

  c1-c4 d7-d2    two coins, one with each die
  c1-c6          one coin with both dice
  pull 4a-c      a Formation is taken: its row, its first and last column
  wager, pass    the answers to a Pass Number
  run, stop      with a Formation of seven; in a Run
  diablo, done   where each coin moves by itself (diablo=called)

You may type less: any order, capital letters, commas, only where a coin goes
(c4 d2), a coin's way in two steps (c1-c3 c3-c6), and pull alone where there is
one Formation.

A position is a line: the row of the coin in each column (0: none), the stakes
of South and North, Wager, pot, who is active (-: nobody) and the phase, which
is opening, throw, move:3-5 (the dice), answer, decide, run, run-or-stop, over.

  4442354 26,3 0 0 south decide

  $ tabellion check tablero "7777711 16,13 0 0 north throw" --dice 4-6
  $ tabellion check tablero "4442354 26,3 0 0 south decide" "pull 4a-c"
"""
"""For people, how all this is written."""

_LONGEST: Final = 80
"""Characters of a text as typed. Longer ones are not looked at."""

_SQUARE: Final = "[a-g][1-7]"
_WORD: Final = re.compile(f"{_SQUARE}(?:-?{_SQUARE})*", re.IGNORECASE | re.ASCII)
_SQUARES: Final = re.compile(_SQUARE)
_PULL: Final = re.compile(
    "([1-7]) ?([a-g]) ?-? ?([a-g])|([a-g])([1-7]) ?- ?([a-g])\\5", re.IGNORECASE | re.ASCII
)


def written_move(text: str) -> Play:
    """The play of a text in canonical spelling. Raises ``Unreadable``."""
    steps = []
    for word in text.split(" ") if len(text) <= _LONGEST else []:
        squares = _SQUARES.findall(word)
        if len(squares) != 2 or "-".join(squares) != word or squares[0][0] != squares[1][0]:
            raise _no_move(text)
        column = COLUMNS.index(squares[0][0])
        steps.append(Step(column, int(squares[0][1]), int(squares[1][1])))
    if not steps or len(steps) > 2:
        raise _no_move(text)
    return tuple(steps)


def ways(text: str) -> list[tuple[str, str]]:
    """The squares that each coin of a written move leaves and reaches."""
    return [
        (place(step.column, step.source), place(step.column, step.target))
        for step in written_move(text)
    ]


def meant_move(state: State, text: str) -> Play:
    """The play that a typed text means. Raises ``Unreadable``, ``Illegal``."""
    words = text.replace(",", " ").lower().split() if len(text) <= _LONGEST else []
    if not words or not all(map(_WORD.fullmatch, words)):
        raise _no_move(text)
    check_phase(state, " ".join(words), Phase.MOVE)
    steps: dict[int, Step] = {}
    for word in words:
        squares = _SQUARES.findall(word)
        columns = {COLUMNS.index(square[0]) for square in squares}
        if len(columns) > 1:
            raise Illegal("column", f"{word} is refused: a coin stays in its column.")
        (column,) = columns
        here = steps[column].target if column in steps else state.rows[column]
        rows = [int(square[1]) for square in squares]
        if len(rows) == 1:
            rows = [here, *rows]
        steps[column] = _joined(steps.get(column), column, rows)
    if len(steps) > 2:
        raise Illegal("no-die", f"{text.strip()} is refused: two dice move two coins at most.")
    play = tuple(steps[column] for column in sorted(steps))
    check_move(state, play)
    return play


def _joined(before: Step | None, column: int, rows: list[int]) -> Step:
    """A coin's whole way, which never turns back."""
    ways = [Step(column, source, target) for source, target in pairwise(rows)]
    if before is not None:
        if before.target != rows[0]:
            raise Illegal(
                "not-there", f"{ways[0].text} is refused: {before.text} leaves the coin elsewhere."
            )
        ways = [before, *ways]
    up = {way.target > way.source for way in ways if way.distance}
    if len(up) > 1:
        raise Illegal("turn-back", f"{spelled(ways)} is refused: a coin never turns back.")
    return Step(column, ways[0].source, ways[-1].target)


def _no_move(text: str) -> Unreadable:
    shown = f"{text!a}" if len(text) <= _LONGEST else f"A text of {len(text)} characters"
    return Unreadable(
        "bad-move",
        f"{shown} is no move.",
        hint="a move is written c1-c4 d7-d2: a word for each coin, columns a-g, rows 1-7; what is"
        " taken: pull 4a-c",
    )


def written_pull(text: str) -> Formation:
    """The coins that a text names, in canonical spelling or as people write them."""
    match = _PULL.fullmatch(text.strip()) if len(text) <= _LONGEST else None
    if match is None:
        shown = f"{text!a}" if len(text) <= _LONGEST else f"A text of {len(text)} characters"
        raise Unreadable(
            "bad-pull",
            f"{shown} names no Formation.",
            hint="a Formation is written 4a-c: its row, its first and its last column",
        )
    row, first, last = match[1] or match[5], match[2] or match[4], match[3] or match[6]
    ends = sorted(COLUMNS.index(column.lower()) for column in (first, last))
    return Formation(int(row), *ends)


def meant_pull(state: State, text: str) -> Formation:
    """The Formation that is to be taken; the only one where none is named."""
    if text.strip().lower() in ("", "pull"):
        check_phase(state, "pull", Phase.DECIDE)
        standing = list(formations(state.rows, state.rules))
        if not standing:
            raise Illegal("no-formation", "pull is refused: there is no Formation.")
        if len(standing) > 1:
            there = ", ".join(each.text for each in standing)
            raise Ambiguous("which-pull", f"Say which Formation is pulled. On the board: {there}.")
        named = standing[0]
    else:
        named = written_pull(text)
    check_pull(state, named)
    return named
