"""Dice on the table: recorded as they lie, confirmed where the match demands it, voided.

design: "physical/1". Everybody at the table can see them; the record says who wrote them down and
who confirmed them.
"""

from __future__ import annotations

from msgspec.structs import replace

from ledger.errors import Refused
from ledger.events import Confirmation, Lying, Physical, Voiding
from ledger.fold.course import acting_seat, append, check_in_play
from ledger.fold.parts import ARBITER, Entry, Moment, Phase, Roll, Unconfirmed
from ledger.fold.rolls import acted, check_dice, check_number, check_wanted, fall, next_roll
from ledger.fold.state import MatchState


def check_confirmed(state: MatchState) -> None:
    """Nothing moves before dice that were recorded are confirmed."""
    recorded = state.rolling.recorded
    if recorded is not None:
        raise Refused(
            "unconfirmed",
            f"{state.roster[recorded.confirmer].name} confirms the dice "
            f"{'-'.join(map(str, recorded.roll.dice))} first (event {recorded.event}).",
            hint="tabellion confirm",
        )


def record(state: MatchState, entry: Entry, lying: Lying) -> MatchState:
    """Dice as they lie, written down by a seat or by the arbiter. They lapse every offer."""
    scheme = _scheme(state)
    check_in_play(state)
    check_confirmed(state)
    wanted = state.game.wanted(state.position)
    thrower = wanted.seat if wanted else acting_seat(entry)
    check_wanted(state, thrower)
    check_number(state, lying.roll)
    recorder = acting_seat(entry)
    roll = Roll(
        number=lying.roll,
        seat=thrower,
        dice=lying.dice,
        owners=wanted.owners if wanted else (),
        thrown=entry.event.seq,
        seq=entry.event.seq,
    )
    rolling = next_roll(state.rolling)
    if not scheme.confirm:
        return fall(replace(state, offers=(), rolling=rolling), entry, roll)
    state.game.throw(state.position, lying.dice)  # refused now, not when it is confirmed
    confirmer = state.other(thrower if recorder == ARBITER else recorder)
    recorded = Unconfirmed(entry.event.seq, entry.hash, roll, confirmer)
    rolling = replace(rolling, recorded=recorded, voiding=None)
    return acted(replace(state, offers=(), rolling=rolling), entry)


def confirm(state: MatchState, entry: Entry, confirmation: Confirmation) -> MatchState:
    """A seat confirms what the other, or the arbiter, wrote down of the dice."""
    check_dice(state)
    rolling, seat = state.rolling, acting_seat(entry)
    if rolling.voiding is None or not _ended_by(state, rolling.voiding.roll):
        check_in_play(state)
    for waiting in (rolling.recorded, rolling.voiding):
        if waiting is None or waiting.hash != confirmation.confirms:
            continue
        if seat != waiting.confirmer:
            raise Refused(
                "wrong-turn",
                f"It is for {state.game.titles[waiting.confirmer]} to confirm event "
                f"{waiting.event}, not for {state.game.titles[seat]}.",
            )
        if waiting is rolling.voiding:
            return _annul(state, entry, waiting.roll)
        roll = replace(waiting.roll, seq=entry.event.seq)
        rolling = replace(rolling, recorded=None, voiding=None)
        return fall(replace(state, rolling=rolling), entry, roll)
    raise Refused("nothing-to-confirm", "No dice wait for this confirmation.")


def void(state: MatchState, entry: Entry, voiding: Voiding) -> MatchState:
    """Dice that do not count, while nothing has been done with them: by the arbiter at once, by a
    seat once the other has confirmed it."""
    _scheme(state)
    roll = _last(state)
    if roll is None or not _ended_by(state, roll):
        check_in_play(state)
    if roll is None or roll.number != voiding.roll:
        number = f"Roll {roll.number}" if roll else "No roll"
        raise Refused(
            "no-such-roll",
            f"{number} lies on the table so that it could be voided, and not roll {voiding.roll}: "
            "that is void already, or something was done with it.",
            hint="the arbiter takes an act back first: tabellion correct",
        )
    seat, asked = entry.event.by, state.rolling.voiding
    if asked is not None and asked.roll.number != roll.number:
        asked = None
    if seat == ARBITER or (asked is not None and asked.confirmer == seat):
        return _annul(state, entry, roll)
    if asked is not None:
        raise Refused("voided-already", "You have asked for that already.")
    asked = Unconfirmed(entry.event.seq, entry.hash, roll, state.other(seat))
    return replace(append(state, entry), rolling=replace(state.rolling, voiding=asked))


def _last(state: MatchState) -> Roll | None:
    """The dice that lie on the table and that nothing has been done with yet."""
    rolling = state.rolling
    if rolling.recorded is not None:
        return rolling.recorded.roll
    last = rolling.rolls[-1] if rolling.rolls else None
    if last is None or last.voided is not None or last.seq not in state.line():
        return None
    return last if state.moments[last.seq].game is state.position else None


def _ended_by(state: MatchState, roll: Roll) -> bool:
    """Whether these dice have ended the game by themselves, and it is not closed yet: then they
    can still be voided."""
    given = state.moments[roll.seq].result
    return state.phase is Phase.ENDED and given is not None and given == state.result


def _annul(state: MatchState, entry: Entry, roll: Roll) -> MatchState:
    """As before the throw. The roll stays on record, marked; its number is not used again."""
    rolling = state.rolling
    counted = rolling.recorded is None
    voided = replace(roll, voided=entry.event.seq, counted=counted)
    kept = rolling.rolls[:-1] if counted else rolling.rolls
    before = state.moments[roll.thrown].before
    moment = Moment(state.moments[before].game, state.moments[before].result, before, False)
    rolling = replace(rolling, rolls=(*kept, voided), recorded=None, voiding=None)
    return append(replace(state, offers=(), rolling=rolling), entry, moment)


def _scheme(state: MatchState) -> Physical:
    check_dice(state)
    scheme = state.opening.dice
    if not isinstance(scheme, Physical):
        raise Refused(
            "computed-dice",
            "The dice of this match are computed from what the players commit to: nobody states "
            "or voids them.",
            hint="tabellion roll",
        )
    return scheme
