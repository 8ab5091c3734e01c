"""Where the numbers behind each roll stand: the event that bound a contributor to a number, and the
event that opened it (design: "Dice: commit-reveal/1")."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ledger.events import DiceCommitted, Rolled, RollOpened
from ledger.fold import MatchState
from ledger.fold.parts import Roll
from ledger.fold.rolls import seat_number


class Share(NamedTuple):
    """One contributor's number for a roll; ``seat`` is its owner's number in the hashes."""

    seat: int
    role: str
    bound: int
    opened: int


class Throw(NamedTuple):
    """A roll that its contributors made, with their shares in the order of the hashes."""

    roll: Roll
    shares: tuple[Share, ...]


def throws(state: MatchState) -> tuple[Throw, ...]:
    """Every roll whose dice follow from opened numbers; none of dice on the table, and none that a
    ruling awarded."""
    bound: dict[tuple[int, str], int] = {}
    opened: dict[int, list[tuple[str, int]]] = {}
    for entry in state.entries:
        event = entry.event
        if isinstance(event, DiceCommitted):
            bound[event.data.roll, event.by] = event.seq
        elif isinstance(event, Rolled | RollOpened) and event.data.nonce is not None:
            opened.setdefault(event.data.roll, []).append((event.by, event.seq))
            bound[event.data.roll + 1, event.by] = event.seq
    return tuple(
        Throw(roll, _shares(state, roll.number, opened[roll.number], bound))
        for roll in state.rolling.rolls
        if roll.number in opened and not roll.awarded
    )


def _shares(
    state: MatchState,
    number: int,
    opened: list[tuple[str, int]],
    bound: Mapping[tuple[int, str], int],
) -> tuple[Share, ...]:
    found = [
        Share(seat_number(state, role), role, bound[number, role], seq) for role, seq in opened
    ]
    return tuple(sorted(found))
