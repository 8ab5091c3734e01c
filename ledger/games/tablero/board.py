"""Where coins are, which of them stand in a Formation, and positions as text.

Nothing here knows how coins move. A column holds one coin, so a board is the row of the coin in
each column from a to g; 0 is an empty column.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple, TypeAlias

from ledger.errors import Unreadable
from ledger.games.tablero.options import Rules

SEATS = ("south", "north")
SIDES = ("South", "North")
SOUTH, NORTH = 0, 1

COLUMNS = "abcdefg"
SIZE = len(COLUMNS)
BASELINES = (1, SIZE)
"""South's row and North's."""
STAKE = 18
"""Points of each player at the start; all of them together are twice as many."""

Rows: TypeAlias = tuple[int, ...]
EMPTY: Rows = (0,) * SIZE


class Phase(Enum):
    """Where a game stands. The value is how it is written."""

    OPENING = "opening"
    THROW = "throw"
    MOVE = "move"
    ANSWER = "answer"
    DECIDE = "decide"
    RUN = "run"
    RUN_OR_STOP = "run-or-stop"
    OVER = "over"


RUNNING = (Phase.RUN, Phase.RUN_OR_STOP)


class Formation(NamedTuple):
    """Coins side by side in one row: the row, the first column and the last, from 0."""

    row: int
    first: int
    last: int

    @property
    def length(self) -> int:
        return self.last - self.first + 1

    @property
    def columns(self) -> range:
        return range(self.first, self.last + 1)

    @property
    def text(self) -> str:
        """``4a-c``: the row, the first column and the last."""
        return f"{self.row}{COLUMNS[self.first]}-{COLUMNS[self.last]}"


def place(column: int, row: int) -> str:
    return f"{COLUMNS[column]}{row}"


def formations(rows: Rows, rules: Rules) -> Iterator[Formation]:
    """Every maximal run of two or more coins in neighbouring columns of one row that counts."""
    first = 0
    for column in range(1, SIZE + 1):
        if column < SIZE and rows[column] == rows[first]:
            continue
        row = rows[first]
        if column - first > 1 and row and (rules.baselines or row not in BASELINES):
            yield Formation(row, first, column - 1)
        first = column


def longest(rows: Rows, rules: Rules) -> int:
    """Coins of the longest Formation, 0 where there is none."""
    return max((found.length for found in formations(rows, rules)), default=0)


def coins(rows: Rows) -> int:
    return SIZE - rows.count(0)


# -- position texts ------------------------------------------------------------------------


class Written(NamedTuple):
    """What a position text says."""

    rows: Rows
    stakes: tuple[int, int]
    wager: int
    pot: int
    side: int | None
    phase: Phase
    dice: tuple[int, ...]

    def __str__(self) -> str:
        """``4442354 26,3 0 0 south decide``."""
        phase = self.phase.value
        if self.phase is Phase.MOVE:
            phase += ":" + "-".join(map(str, self.dice))
        active = "-" if self.side is None else SEATS[self.side]
        rows = "".join(map(str, self.rows))
        south, north = self.stakes
        return f"{rows} {south},{north} {self.wager} {self.pot} {active} {phase}"


_NUMBER = "([0-9]{1,2})"
_PHASES = "|".join(phase.value for phase in Phase)
_POSITION = re.compile(
    f"([0-{SIZE}]{{{SIZE}}}) {_NUMBER},{_NUMBER} {_NUMBER} {_NUMBER} (south|north|-)"
    f" ({_PHASES})(?::([1-6](?:-[1-6])?))?"
)
_LONGEST = 60
"""Characters of a position text that is looked at."""


def read_position(text: str, rules: Rules) -> Written:
    """A position in its one canonical spelling.

    Coins may stand anywhere, also as no play could have left them: an arbiter's ruling may have to
    set it. Raises ``Unreadable``.
    """
    match = _POSITION.fullmatch(text) if len(text) <= _LONGEST else None
    if match is None:
        raise _bad("it is written like 7777711 16,13 0 0 north throw")
    rows, south, north, wager, pot, active, phase, dice = match.groups()
    written = Written(
        rows=tuple(map(int, rows)),
        stakes=(int(south), int(north)),
        wager=int(wager),
        pot=int(pot),
        side=None if active == "-" else SEATS.index(active),
        phase=Phase(phase),
        dice=tuple(map(int, dice.split("-"))) if dice else (),
    )
    if str(written) != text:
        raise _bad("numbers have no zero in front, and dice stand behind move: only")
    _check(written, rules)
    return written


def _check(written: Written, rules: Rules) -> None:
    rows, phase = written.rows, written.phase
    total = sum(written.stakes) + coins(rows) + written.wager + written.pot
    if total != 2 * STAKE:
        raise _bad(f"stakes, coins, wager and pot make {total}, not {2 * STAKE}")
    if phase is Phase.OPENING:
        if written[:5] != (EMPTY, (STAKE, STAKE), 0, 0, None):
            raise _bad("before the opening roll the board is empty and nobody is active")
        return
    if phase is Phase.OVER:
        if written.wager or written.pot:
            raise _bad("no Wager stands and no pot when the game is over")
        return
    if written.side is None:
        raise _bad("one side is active: only before the opening roll, or after a draw, none is")
    if coins(rows) != SIZE:
        raise _bad("while the game is on every column holds a coin")
    if written.wager and phase not in (Phase.THROW, Phase.MOVE):
        raise _bad(f"no Wager stands in the phase {phase.value}")
    if phase in RUNNING and longest(rows, rules) != SIZE:
        raise _bad("in a Run all seven coins are one Formation")
    if written.pot and phase is not Phase.RUN_OR_STOP:
        raise _bad("there is a pot only in a Run, from its first throw on")
    if phase is Phase.MOVE:
        _check_dice(written.dice, rules)


def _check_dice(dice: tuple[int, ...], rules: Rules) -> None:
    if len(dice) == 1 and not rules.called:
        raise _bad("both dice are played in one move")
    if sum(dice) in PASS_NUMBERS and not rules.called:
        raise _bad(f"{'-'.join(map(str, dice))} is a Pass Number, which is not moved")


PASS_NUMBERS = frozenset({7, 11, 12})


def _bad(why: str) -> Unreadable:
    return Unreadable("bad-position", f"This position cannot be read: {why}.")
