"""The list of all rolls: a row for each, how it came about and what became of it. Pure.

Rows are added throw by throw; where the game is set back, all of a match are made anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

from ledger.events import Physical, Rolled
from ledger.fold import MatchState
from ledger.fold.parts import Roll

Value: TypeAlias = "str | int | None"
Row: TypeAlias = "tuple[Value, ...]"

ROLLS: Final[Mapping[str, type]] = {
    "match": str,
    "roll": int,
    "seat": str,
    "player": str,
    "dice": str,
    "how": str,
    "thrown": int,
    "event": int,
    "voided": int,
    "stands": int,
    "owed": str,
}
"""Columns and their types."""


def roll_rows(state: MatchState) -> list[Row]:
    """Every roll whose dice are known, and those that were given up before all had opened them."""
    line = state.line()
    rows = [_roll_row(state, roll, stands=roll.seq in line) for roll in state.rolling.rolls]
    numbers = {roll.number for roll in state.rolling.rolls}  # an awarded one is there already
    return rows + [
        (
            *(state.match, each.number, each.seat, state.holder(each.seat, each.ended).name),
            *(None, "unopened", _thrown(state, each.number), each.ended, None, 0),
            ", ".join(each.owed),
        )
        for each in state.rolling.unopened
        if each.number not in numbers
    ]


def _roll_row(state: MatchState, roll: Roll, *, stands: bool) -> Row:
    if roll.awarded:
        how = "awarded"
    elif state.opening.source is not None:
        how = "imported"
    else:
        how = "recorded" if isinstance(state.opening.dice, Physical) else "computed"
    return (
        *(state.match, roll.number, roll.seat, state.holder(roll.seat, roll.thrown).name),
        *("-".join(map(str, roll.dice)), how, roll.thrown, roll.seq, roll.voided),
        *(int(stands and roll.counted and roll.voided is None), None),
    )


def _thrown(state: MatchState, number: int) -> int | None:
    """The event that threw roll ``number``."""
    throws = (each.event for each in state.entries if isinstance(each.event, Rolled))
    return next((event.seq for event in throws if event.data.roll == number), None)


def new_rolls(before: MatchState, after: MatchState) -> list[Row] | None:
    """The rows that ``after`` has beyond ``before``; ``None`` where earlier ones may differ too:
    the game was set back, or another copy of the match was taken over."""
    old, new = before.rolling, after.rolling
    known, last = len(before.entries), len(old.rolls) - 1
    if len(after.entries) < known or after.entries[known - 1].hash != before.head:
        return None
    if any(after.moments[seq].before != seq - 1 for seq in range(known, len(after.moments))):
        return None
    if old.rolls is new.rolls and old.unopened is new.unopened:
        return []
    if old.unopened != new.unopened or (old.rolls and old.rolls[last] is not new.rolls[last]):
        return None
    return [_roll_row(after, roll, stands=True) for roll in new.rolls[len(old.rolls) :]]
