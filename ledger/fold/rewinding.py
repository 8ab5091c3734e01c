"""Going back: the game as it stood after an earlier event. Nothing is ever deleted.

design: "Rewind". Only the game is restored; commitments, numbers of rolls and the roster stay as
they are. Dice are kept only where none that count were thrown since: else they are thrown anew.
Nor does a throw that was taken back come back in what it brought about, once other dice have been
thrown: nobody chooses between throws.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from msgspec.structs import replace

from ledger.errors import Refused
from ledger.events import AppealDecided, Effect, Ruling, SetPosition
from ledger.fold.course import append
from ledger.fold.parts import Entry, Moment, Roll, Rolling
from ledger.fold.rolls import given_up
from ledger.fold.state import MatchState, line

Dice: TypeAlias = Literal["keep", "rethrow"]


def rewind(state: MatchState, entry: Entry, to: int, dice: Dice | None) -> MatchState:
    """The game as it stood after event ``to``; with ``rethrow`` as before the dice that lay there.
    All else stays; open offers lapse, and a roll in flight is given up."""
    check_rewind(state, to, dice)
    before = _target(state, to, dice)
    target = state.moments[before]
    back = append(state, entry, Moment(target.game, target.result, before, False))
    return replace(back, offers=(), sealed=None, rolling=laid_down(state, entry.event.seq))


def laid_down(state: MatchState, seq: int) -> Rolling:
    """The dice once event ``seq`` has set the game: what was in flight, or not confirmed, stays on
    record and never counts."""
    rolling = given_up(state, seq)
    if rolling.recorded is not None:
        lost = replace(rolling.recorded.roll, voided=seq, counted=False)
        rolling = replace(rolling, rolls=(*rolling.rolls, lost))
    return replace(rolling, recorded=None, voiding=None)


def check_rewind(state: MatchState, to: int, dice: Dice | None) -> None:
    if to > state.seq:
        raise Refused("no-such-event", f"There is no event {to} to go back to.")
    if not state.game.dice:
        if dice is not None:
            raise Refused("no-dice", "The game has no dice to keep or to throw anew.")
    elif dice is None:
        raise Refused(
            "dice-unsaid",
            "Say whether the dice are kept or thrown anew.",
            hint="--dice keep or --dice rethrow",
        )
    elif dice == "keep":
        _check_kept(state, to)
    back = _target(state, to, dice)
    _check_void(state, back)
    _check_returning(state, back)
    _check_set(state, back)
    target = state.moments[back]
    standing = target.game == state.position and target.result == state.moments[-1].result
    if standing and state.rolling.flight is None and state.rolling.recorded is None:
        raise Refused("nothing-to-rewind", f"The game stands as it stood after event {to}.")


def _check_kept(state: MatchState, to: int) -> None:
    """``keep`` needs the throw in force, or the very last one where a rewind took it off: nobody
    chooses between throws."""
    if state.rolling.flight is not None or state.rolling.recorded is not None:
        raise Refused("across-a-throw", "A roll is under way: it cannot be kept.")
    then, counted = last_roll(state, to), [roll for roll in state.rolling.rolls if roll.counted]
    latest = counted[-1] if counted else None
    if then != last_roll(state, state.seq) and (then is None or then != latest):
        number = latest.number if latest else 0
        raise Refused(
            "across-a-throw",
            f"Roll {number} was thrown since event {to}: the dice of then cannot be kept.",
        )


def _check_void(state: MatchState, target: int) -> None:
    """Dice that were voided never come back, nor what was done with them."""
    voided = {r.seq: r for r in state.rolling.rolls if r.voided is not None and r.counted}
    if returning := voided.keys() & _line_of(state, target):
        number = voided[max(returning)].number
        raise Refused("voided", f"Roll {number} was voided: its dice do not come back.")


def _check_returning(state: MatchState, target: int) -> None:
    """A throw that is off the line counts again only if the very last dice were thrown while it
    counted, and so none in its stead."""
    counted = {roll.seq: roll for roll in state.rolling.rolls if roll.counted}
    latest = max(counted, default=0)
    returning = counted.keys() & _line_of(state, target) - state.line() - _line_of(state, latest)
    if returning:
        number = counted[min(returning)].number
        raise Refused(
            "across-a-throw",
            f"Roll {number} was taken back and other dice were thrown in its stead: what it "
            "brought about does not come back.",
        )


def _check_set(state: MatchState, target: int) -> None:
    """What stood before a position was set does not come back once dice were thrown after it."""
    latest = max((roll.seq for roll in state.rolling.rolls if roll.counted), default=0)
    for seq in state.line() - _line_of(state, target):
        event = state.entries[seq].event
        if seq < latest and isinstance(event, Ruling | AppealDecided) and _sets(event.data.effects):
            raise Refused(
                "across-a-throw",
                f"Dice were thrown since event {seq} set the position: what stood before does not "
                "come back.",
            )


def _sets(effects: Sequence[Effect]) -> bool:
    return any(isinstance(each, SetPosition) for each in effects)


def _line_of(state: MatchState, seq: int) -> frozenset[int]:
    return line(state.moments[: seq + 1])


def last_roll(state: MatchState, seq: int) -> Roll | None:
    """The last roll that counts in the game as it stood after event ``seq``."""
    rolls = {roll.seq: roll for roll in state.rolling.rolls if roll.counted}
    while seq and seq not in rolls:
        seq = state.moments[seq].before
    return rolls.get(seq)


def _target(state: MatchState, to: int, dice: Dice | None) -> int:
    """The event whose game is restored: ``to``, or what stood before the dice that lay there."""
    roll = last_roll(state, to) if dice == "rethrow" else None
    if roll is None or not state.game.thrown(state.moments[to].game):
        return to
    return state.moments[roll.thrown].before
