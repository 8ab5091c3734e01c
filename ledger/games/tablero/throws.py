"""Every play of a throw, and what is wrong with a play that the rules refuse.

A play is one or two steps, in the order of the columns. Coins never block each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from ledger.games.protocol import Illegal
from ledger.games.tablero.board import COLUMNS, SIZE, Rows, formations, place
from ledger.games.tablero.options import Rules


class Step(NamedTuple):
    """One coin's way in a throw: its column, from 0, and the rows it leaves and reaches."""

    column: int
    source: int
    target: int

    @property
    def text(self) -> str:
        return _text(self)

    @property
    def distance(self) -> int:
        return abs(self.target - self.source)


Play: TypeAlias = tuple[Step, ...]


@lru_cache(maxsize=512)
def _text(step: Step) -> str:
    """There are 7 × 7 × 7 ways on the board."""
    return f"{place(step.column, step.source)}-{place(step.column, step.target)}"


def spelled(play: Sequence[Step]) -> str:
    return " ".join([step.text for step in play])


def after(rows: Rows, play: Sequence[Step]) -> Rows:
    """The board once these steps are made."""
    moved = list(rows)
    for step in play:
        moved[step.column] = step.target
    return tuple(moved)


def steps(rows: Rows, distance: int) -> list[Step]:
    """Every way to move one coin so far."""
    return [
        Step(column, row, target)
        for column, row in enumerate(rows)
        for target in (row - distance, row + distance)
        if 1 <= target <= SIZE
    ]


def plays(rows: Rows, dice: tuple[int, int], rules: Rules) -> list[Play]:
    """Every legal play of a throw: of both dice if there is any; if not, of one (``unplayable``).
    Where one die makes a Formation of six one of seven the other may be left."""
    one, two = steps(rows, dice[0]), steps(rows, dice[1])
    double = dice[0] == dice[1]
    found: list[Play] = [(step,) for step in steps(rows, sum(dice))]
    found += [
        (a, b) if a.column < b.column else (b, a)
        for a in one
        for b in two
        if (a.column < b.column if double else a.column != b.column)
    ]
    singles = one if double else one + two
    if not found:
        return [] if rules.passes else [(step,) for step in singles]
    seventh = completing(rows, rules)
    return found + [(step,) for step in singles if (step.column, step.target) == seventh]


def orders(play: Play, dice: tuple[int, ...], rules: Rules) -> list[list[Step]]:
    """Every way to make a legal play: coin after coin in either order, or one coin with one die
    after the other. Where each coin moves by itself it goes all its way at once."""
    if len(play) == 2:
        return [list(play), list(reversed(play))]
    (step,) = play
    if rules.called or step.distance != sum(dice):
        return [[step]]
    up = 1 if step.target > step.source else -1
    stops = [step.source + up * die for die in sorted(set(dice))]
    return [
        [step],
        *([step._replace(target=stop), step._replace(source=stop)] for stop in stops),
    ]


def playable(rows: Rows, dice: tuple[int, int], rules: Rules) -> bool:
    """Whether a throw has any play."""
    if both_playable(rows, dice):
        return True
    return not rules.passes and any(_movable(rows, die) for die in dice)


def both_playable(rows: Rows, dice: tuple[int, int]) -> bool:
    """Whether both dice can be played: by two coins, or by one with their sum."""
    one, two = _movable(rows, dice[0]), _movable(rows, dice[1])
    return (bool(one) and bool(two) and len(one | two) > 1) or bool(_movable(rows, sum(dice)))


def _movable(rows: Rows, distance: int) -> set[int]:
    """The columns whose coin can move so far, up or down."""
    return {
        column for column, row in enumerate(rows) if row + distance <= SIZE or row - distance >= 1
    }


def completing(rows: Rows, rules: Rules) -> tuple[int, int] | None:
    """The column of the seventh coin and the row that it lacks, where a Formation of six stands."""
    for formation in formations(rows, rules):
        if formation.length == SIZE - 1:
            return (0 if formation.first else SIZE - 1), formation.row
    return None


def check(rows: Rows, dice: tuple[int, int], play: Play, rules: Rules) -> None:
    """Raises ``Illegal`` unless this is a play of the throw. The first rule broken is named."""
    for step in play:
        check_there(rows, step)
    shown = "-".join(map(str, dice))
    if len(play) == 2:
        if play[0].column == play[1].column:
            raise Illegal("turn-back", _turning(play))
        if sorted(step.distance for step in play) != sorted(dice):
            raise Illegal(
                "no-die",
                f"{spelled(play)} is refused: the coins go {play[0].distance} and "
                f"{play[1].distance}, and the dice are {shown}.",
            )
        return
    (step,) = play
    if step.distance == sum(dice):
        return
    if step.distance not in dice:
        raise Illegal(
            "no-die",
            f"{step.text} is refused: the coin goes {step.distance}, and the dice are {shown}.",
        )
    if not both_playable(rows, dice):
        return
    if (step.column, step.target) != completing(rows, rules):
        raise Illegal(
            "both-dice",
            f"{step.text} alone is refused: both dice of {shown} must be played, "
            f"{spelled(_with_both(rows, dice, step))} for one.",
        )


def _with_both(rows: Rows, dice: tuple[int, int], step: Step) -> Play:
    """Some play of both dice, which there is; with this step if it can be."""
    pairs = [
        (one, two) if one.column < two.column else (two, one)
        for one in steps(rows, dice[0])
        for two in steps(rows, dice[1])
        if one.column != two.column
    ]
    alone: list[Play] = [(each,) for each in steps(rows, sum(dice))]
    return next((pair for pair in pairs if step in pair), [*pairs, *alone][0])


def check_there(rows: Rows, step: Step) -> None:
    """Whether the coin stands where the step begins, and moves."""
    if rows[step.column] != step.source:
        stands = place(step.column, rows[step.column])
        raise Illegal(
            "not-there",
            f"{step.text} is refused: the coin of column {COLUMNS[step.column]} is on {stands}.",
        )
    if step.source == step.target:
        raise Illegal("no-die", f"{step.text} is refused: the coin stays where it is.")


def _turning(play: Play) -> str:
    return (
        f"{spelled(play)} is refused: a coin moves once in a throw, in one direction, with one die "
        "or with the sum of both."
    )
