"""Rolls: thrown, opened by every contributor, and then the dice are computed. Never stated.

design: "Dice: commit-reveal/1". While a roll is in flight nothing else is done but to open it:
whoever opens last could look at the dice in private and get away.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from ledger import dice
from ledger.errors import Refused, TabellionError
from ledger.events import (
    ArbiterReplaced,
    Commitment,
    CommitReveal,
    DiceCommitted,
    DisputeRaised,
    DisputeSettled,
    Event,
    Opened,
    Opening,
    Resigned,
    RollOpened,
    Stated,
    Throw,
)
from ledger.fold.course import acting_seat, append, check_in_play, result_of
from ledger.fold.parts import ARBITER, Entry, Flight, Moment, Party, Phase, Roll, Rolling, Unopened
from ledger.fold.published import Published
from ledger.fold.state import MatchState

_MOST: Final = 2**32 - 1
"""The highest number that a roll can have."""
_IN_FLIGHT: Final = (RollOpened, Resigned, DisputeRaised, ArbiterReplaced)
"""What goes on while a roll is in flight, beside the arbiter's acts."""


def check_contributors(
    opening: Opening, seats: tuple[str, str], parties: Mapping[str, Party]
) -> None:
    """Whose nonces make the dice: both seats, the arbiter with them or alone. Where a seat has no
    key the other may contribute together with the arbiter."""
    if not isinstance(opening.dice, CommitReveal):
        return
    named = opening.dice.contributors
    _check_keys(named, seats, parties)
    keyed = tuple(seat for seat in seats if parties[seat].key)
    lawful = {(*seats,), (*seats, ARBITER), (ARBITER,), *(((*keyed, ARBITER),) if keyed else ())}
    if named not in lawful:
        raise Refused(
            "bad-contributors",
            f"Dice are made by {seats[0]} and {seats[1]}, by both and the arbiter, or by the "
            "arbiter alone, named in this order.",
        )


def check_ruled(
    named: tuple[str, ...], seats: tuple[str, str], parties: Mapping[str, Party]
) -> None:
    """Whom a ruling may name: anybody of these, but never a seat alone."""
    _check_keys(named, seats, parties)
    order = [role for role in (*seats, ARBITER) if role in named]
    if not named or order != list(named) or (len(named) == 1 and named[0] in seats):
        raise Refused(
            "bad-contributors",
            f"Dice are made by some of {seats[0]}, {seats[1]} and the arbiter, named in this "
            "order; never by a seat alone.",
        )


def _check_keys(
    named: tuple[str, ...], seats: tuple[str, str], parties: Mapping[str, Party]
) -> None:
    for role in named:
        if role in seats and parties[role].key is None:
            raise Refused(
                "keyless-contributor",
                f"{parties[role].name} ({role}) has no key, and so no secret to make dice with.",
            )


def contributors(state: MatchState) -> tuple[str, ...]:
    """The roles whose nonces make the dice; none for dice on the table."""
    return state.contributors


def opening_order(state: MatchState, seat: str) -> tuple[str, ...]:
    """Who opens a roll of ``seat``, in this order: the thrower, the other seat, the arbiter."""
    named = contributors(state)
    return tuple(role for role in (seat, state.other(seat), ARBITER) if role in named)


def awaited(state: MatchState) -> tuple[str, ...]:
    """Who has still to open the roll in flight, the next one first."""
    flight = state.rolling.flight
    if flight is None:
        return ()
    return tuple(role for role in opening_order(state, flight.seat) if role not in flight.nonces)


def uncommitted(state: MatchState) -> tuple[str, ...]:
    """Contributors without a live commitment for the next roll."""
    return tuple(role for role in contributors(state) if role not in state.rolling.commitments)


def check_flight(state: MatchState, event: Event) -> None:
    """While a roll is in flight only its openings, a resignation and the arbiter's acts go on."""
    if state.rolling.flight is None:
        return
    if isinstance(event, _IN_FLIGHT):
        return
    if state.dispute and isinstance(event, (Stated, DisputeSettled)):
        return
    if event.by == ARBITER and event.for_ is None and not isinstance(event, DiceCommitted):
        return
    waiting = state.roster[awaited(state)[0]].name
    raise Refused(
        "roll-in-flight",
        f"Roll {state.rolling.number} is thrown; {waiting} must open it before anything else.",
        hint="tabellion roll",
    )


def commit(state: MatchState, entry: Entry, given: Commitment) -> MatchState:
    """A commitment for the next roll, where its contributor has none yet. It is never changed:
    the numbers of others may be known already, from a copy that did not stand."""
    check_dice(state)
    role = entry.event.by
    _check_contributor(state, role)
    if state.phase not in (Phase.BEFORE_ACCEPTANCE, Phase.ADJOURNED):
        check_in_play(state)
    if role in state.unaccepted:
        raise Refused(
            "not-accepted",
            f"{state.roster[role].name} accepts the match before committing to dice.",
            hint="tabellion accept",
        )
    check_number(state, given.roll)
    rolling = state.rolling
    if role in rolling.commitments:
        raise Refused(
            "committed-already",
            f"{state.roster[role].name} is bound to a number for roll {given.roll} already.",
            hint="tabellion roll",
        )
    published = _publish(rolling.published, given.commitment)
    commitments = {**rolling.commitments, role: given.commitment}
    return replace(
        append(state, entry),
        rolling=replace(rolling, commitments=commitments, published=published),
    )


def throw(state: MatchState, entry: Entry, thrown: Throw) -> MatchState:
    """A roll is thrown. It lapses every offer; a thrower who contributes opens it at once."""
    check_in_play(state)
    seat = acting_seat(entry)
    check_dice(state)
    if not contributors(state):
        raise Refused(
            "dice-on-table",
            "This match is played with dice on the table: what they show is recorded.",
            hint="tabellion roll 3-5-2",
        )
    check_wanted(state, seat)
    check_number(state, thrown.roll)
    missing = uncommitted(state)
    if missing:
        names = " and ".join(state.roster[role].name for role in missing)
        raise Refused(
            "not-committed",
            f"Roll {thrown.roll} waits until {names} {'has' if len(missing) == 1 else 'have'} "
            "committed to it.",
            hint="tabellion roll",
        )
    opens = entry.event.by == seat and seat in contributors(state)
    if opens != (thrown.nonce is not None) or opens != (thrown.next is not None):
        raise Refused(
            "bad-throw",
            "Who throws and contributes to the dice opens with the throw; nobody else does.",
        )
    flight = Flight(seat, entry.event.seq, {})
    state = replace(state, offers=(), rolling=replace(state.rolling, flight=flight))
    if thrown.nonce is None or thrown.next is None:
        return acted(state, entry)
    opened = Opened(roll=thrown.roll, nonce=thrown.nonce, next=thrown.next)
    return _open(state, entry, flight, opened)


def open_roll(state: MatchState, entry: Entry, opened: Opened) -> MatchState:
    """One contributor's nonce. With the last one the dice exist."""
    check_dice(state)
    role, flight = entry.event.by, state.rolling.flight
    if flight is None:
        raise Refused("no-flight", "No roll is in flight: nothing is to be opened.")
    _check_contributor(state, role)
    check_number(state, opened.roll)
    if role in flight.nonces:
        raise Refused(
            "opened-twice", f"{state.roster[role].name} has opened roll {opened.roll} already."
        )
    first = awaited(state)[0]
    if role != first:
        raise Refused("out-of-order", f"{state.roster[first].name} ({first}) opens before {role}.")
    return _open(state, entry, flight, opened)


def _open(state: MatchState, entry: Entry, flight: Flight, opened: Opened) -> MatchState:
    role, rolling = entry.event.by, state.rolling
    nonce = bytes.fromhex(opened.nonce)
    expected = dice.commitment(state.match, opened.roll, seat_number(state, role), nonce)
    if role not in rolling.commitments:
        raise Refused(
            "no-commitment",
            f"The number of {state.roster[role].name} for roll {opened.roll} went with the old "
            "key: the arbiter rules on this roll.",
            hint="tabellion ruling --help",
        )
    if expected != rolling.commitments[role]:
        raise Refused(
            "wrong-nonce",
            f"This is not the number that {state.roster[role].name} committed to for roll "
            f"{opened.roll}.",
        )
    flight = replace(flight, nonces={**flight.nonces, role: opened.nonce})
    rolling = replace(
        rolling,
        flight=flight,
        coming={**rolling.coming, role: opened.next},
        published=_publish(_publish(rolling.published, opened.nonce), opened.next),
    )
    state = replace(state, rolling=rolling)
    return acted(state, entry) if awaited(state) else _compute(state, entry, flight)


def _compute(state: MatchState, entry: Entry, flight: Flight) -> MatchState:
    """All are open: the dice."""
    rolling, wanted = state.rolling, state.game.wanted(state.position)
    if wanted is None:
        raise Refused("no-throw", "No throw is due.")
    nonces = {
        seat_number(state, role): bytes.fromhex(nonce) for role, nonce in flight.nonces.items()
    }
    seed = dice.seed(state.match, rolling.number, nonces)
    faces = dice.faces(seed, wanted.count)
    rolling = landed(rolling)
    roll = Roll(
        number=state.rolling.number,
        seat=flight.seat,
        dice=faces,
        owners=wanted.owners,
        thrown=flight.thrown,
        seq=entry.event.seq,
    )
    return fall(replace(state, rolling=rolling), entry, roll)


def fall(state: MatchState, entry: Entry, roll: Roll) -> MatchState:
    """The dice of ``roll`` count: the game goes on with them."""
    try:
        after = state.game.throw(state.position, roll.dice)
    except Refused:
        raise
    except TabellionError as error:
        raise Refused(error.code, error.message, hint=error.hint) from None
    rolling = replace(state.rolling, rolls=(*state.rolling.rolls, roll), voiding=None)
    moment = Moment(after, result_of(state.game.outcome(after)), state.seq, True)
    return append(replace(state, rolling=rolling), entry, moment)


def acted(state: MatchState, entry: Entry) -> MatchState:
    """An event of a roll that leaves the game as it is for now."""
    last = state.moments[-1]
    return append(state, entry, Moment(last.game, last.result, state.seq, True))


def given_up(state: MatchState, seq: int) -> Rolling:
    """The dice once a roll in flight is dead, and its number with it, by event ``seq``."""
    rolling = state.rolling
    if rolling.flight is None:
        return rolling
    dead = Unopened(rolling.number, rolling.flight.seat, awaited(state), seq)
    return replace(landed(rolling), unopened=(*rolling.unopened, dead))


def landed(rolling: Rolling) -> Rolling:
    """The dice once the roll in flight is over, whatever became of it: for the next number those
    are bound who have opened. Where a key was replaced meanwhile that number is dead too."""
    over = replace(next_roll(rolling), commitments=rolling.coming, coming={}, flight=None)
    return _spoiled(replace(over, spoiled=False)) if rolling.spoiled else over


def without(rolling: Rolling, role: str) -> Rolling:
    """The dice once a contributor has another key. A number that others are bound to for a coming
    roll dies: a copy of the match that did not stand may have shown it to whoever binds anew."""
    if rolling.flight is None:
        return _spoiled(rolling)
    commitments = {r: c for r, c in rolling.commitments.items() if r != role}
    return replace(rolling, commitments=commitments, spoiled=True)


def _spoiled(rolling: Rolling) -> Rolling:
    return replace(next_roll(rolling), commitments={}) if rolling.commitments else rolling


def next_roll(rolling: Rolling) -> Rolling:
    if rolling.number >= _MOST:
        raise Refused("wrong-roll", "No higher number is left for a roll.")
    return replace(rolling, number=rolling.number + 1)


def seat_number(state: MatchState, role: str) -> int:
    """The number of a contributor in the hashes."""
    return dice.ARBITER if role == ARBITER else state.game.seats.index(role)


def check_dice(state: MatchState) -> None:
    if state.opening.dice is None:
        raise Refused("no-dice", f"{state.opening.ruleset.name} is played without dice.")


def check_wanted(state: MatchState, seat: str) -> None:
    """Whether this seat may throw now."""
    wanted = state.game.wanted(state.position)
    if wanted is None:
        thrown = "-".join(map(str, state.game.thrown(state.position)))
        what = f"the dice {thrown} are played first" if thrown else "no throw is due"
        raise Refused("no-throw", f"Nobody throws now: {what}.")
    if seat != wanted.seat:
        raise Refused(
            "wrong-turn",
            f"It is for {state.game.titles[wanted.seat]} to throw, not for "
            f"{state.game.titles[seat]}.",
        )


def check_number(state: MatchState, number: int) -> None:
    if number != state.rolling.number:
        raise Refused(
            "wrong-roll",
            f"Roll {state.rolling.number} is the next; this one says {number}. Numbers of rolls "
            "never go back and never skip.",
        )


def _check_contributor(state: MatchState, role: str) -> None:
    if role not in contributors(state):
        raise Refused("not-contributor", f"The dice of this match are not made by {role}.")


def _publish(published: Published, value: str) -> Published:
    """With one commitment or nonce more, which nobody may have used before."""
    if value in published:
        raise Refused(
            "used-before",
            "This commitment or number was used in this match before: each is for one roll and "
            "one player alone.",
        )
    return published.with_(value)
