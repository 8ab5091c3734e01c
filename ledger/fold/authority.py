"""Who may sign what: the roster, one key one role, and the scribe's ``for``.

design: "Who does what". Nothing here looks at the rules of a game.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ledger.envelope import Envelope
from ledger.errors import Refused, TabellionError
from ledger.events import (
    Called,
    Countersigned,
    DiabloCalled,
    DiceCommitted,
    DrawClaimed,
    Event,
    Finished,
    MatchClosed,
    MatchOpened,
    Moved,
    OfferAccepted,
    OfferDeclined,
    OfferMade,
    Opening,
    Passed,
    Pulled,
    Ran,
    Resigned,
    RollConfirmed,
    Rolled,
    RollOpened,
    RollRecorded,
    RollVoided,
    Ruling,
    SeatAccepted,
    Stopped,
    Wagered,
    type_of,
)
from ledger.fold.state import APPEAL, ARBITER, WITNESS, Entry, MatchState, Party
from ledger.publickey import PublicKey

_ARBITERS: Final = (MatchOpened, Ruling, MatchClosed)
_SCRIBED: Final = (
    Rolled,
    RollRecorded,
    RollConfirmed,
    Moved,
    Pulled,
    Wagered,
    Passed,
    Ran,
    Stopped,
    DiabloCalled,
    Finished,
    Called,
    OfferMade,
    OfferAccepted,
    OfferDeclined,
    DrawClaimed,
    Resigned,
)
"""What the arbiter may write down for a seat that has no key."""
_SEATS: Final = (
    SeatAccepted,
    *(kind for kind in _SCRIBED if kind is not RollRecorded),
)
_SEATS_AND_ARBITERS: Final = (DiceCommitted, RollOpened, RollRecorded, RollVoided)
_DOING: Final = {
    "match.opened": "opens a match",
    "ruling": "makes a ruling",
    "match.closed": "closes a match",
    "seat.accepted": "accepts a match",
    "dice.committed": "commits to dice",
    "roll": "throws the dice",
    "roll.opened": "opens a roll",
    "roll.recorded": "records dice",
    "roll.confirmed": "confirms dice",
    "roll.voided": "voids a roll",
    "move": "moves",
    "pull": "pulls",
    "wager": "wagers",
    "pass": "passes",
    "run": "runs",
    "stop": "stops a Run",
    "diablo": "calls Diablo",
    "done": "ends a throw",
    "call": "calls",
    "offer.made": "makes an offer",
    "offer.accepted": "agrees to an offer",
    "offer.declined": "declines an offer",
    "draw.claimed": "claims a draw",
    "resigned": "resigns",
}
"""What nobody else does, in words."""


def roster(opening: Opening, seats: tuple[str, str]) -> Mapping[str, Party]:
    """Every role of a match with its holder. Raises ``Refused`` on keys that do not fit."""
    if set(opening.seats) != set(seats):
        raise Refused(
            "wrong-seats", f"The seats of this game are {seats[0]} and {seats[1]}, no others."
        )
    parties = [Party(ARBITER, opening.arbiter.name, _key(opening.arbiter.key))]
    for seat in seats:
        holder = opening.seats[seat]
        parties.append(Party(seat, holder.name, _key(holder.key) if holder.key else None))
    for number, witness in enumerate(opening.witnesses, start=1):
        parties.append(Party(f"{WITNESS}{number}", witness.name, _key(witness.key)))
    if opening.appeal:
        parties.append(Party(APPEAL, opening.appeal.name, _key(opening.appeal.key)))
    held: dict[PublicKey, str] = {}
    for party in parties:
        if party.key is None:
            continue
        if party.key in held:
            raise Refused(
                "key-twice",
                f"{held[party.key]} and {party.role} have the same key: one key, one role.",
            )
        held[party.key] = party.role
    found = {party.role: party for party in parties}
    if len(found) != len(parties):  # a foreign record of a game that is not known here
        raise Refused("wrong-seats", "A seat is called like the role of somebody else.")
    return found


def _key(line: str) -> PublicKey:
    try:
        return PublicKey.parse_canonical(line)
    except TabellionError as error:
        raise Refused(error.code, error.message) from None


def signer(parties: Mapping[str, Party] | None, event: Event) -> PublicKey:
    """The key that the roster gives to ``event.by``; the opening (``None``) brings its own.

    Raises ``Refused``: no such role here, or a seat without a key.
    """
    if parties is None:
        if not isinstance(event, MatchOpened):
            raise Refused("not-opened", "The first event of a match opens it; this one does not.")
        return _key(event.data.arbiter.key)
    party = parties.get(event.by)
    if party is None:
        raise Refused("unknown-role", f"This match has no role {event.by!r}.")
    if party.key is None:
        raise Refused(
            "no-key", f"{party.name} ({event.by}) plays without a key: the arbiter writes for them."
        )
    return party.key


def authenticate(parties: Mapping[str, Party] | None, envelope: Envelope, event: Event) -> None:
    """Check the signature, and the keys that an opening brings. Raises ``Refused``."""
    key = signer(parties, event)
    _check_signer(key, envelope.keyid, event)
    if isinstance(event, MatchOpened):
        for line in _key_lines(event.data):
            _key(line).check()
    if not envelope.signed_by(key):
        raise Refused(
            "bad-signature", f"The signature is not the one of {event.by} over these bytes."
        )


def _key_lines(opening: Opening) -> list[str]:
    officers = [opening.arbiter, *opening.witnesses, *([opening.appeal] if opening.appeal else [])]
    held = [seat.key for seat in opening.seats.values() if seat.key is not None]
    return [officer.key for officer in officers] + held


def _check_signer(key: PublicKey, keyid: str, event: Event) -> None:
    if key.fingerprint != keyid:
        raise Refused(
            "wrong-signer",
            f"Signed with the key {keyid}, but the key of {event.by} is {key.fingerprint}.",
        )


def check_authority(state: MatchState | None, entry: Entry) -> None:
    """Whether ``by`` and ``for`` fit the type, and the key fits ``by``. Raises ``Refused``."""
    event = entry.event
    parties = state.roster if state else None
    _check_signer(signer(parties, event), entry.keyid, event)
    if event.for_ is not None:
        _check_scribe(state, event, event.for_)
    elif isinstance(event, _ARBITERS) and event.by != ARBITER:
        raise Refused("wrong-role", f"Only the arbiter {_DOING[type_of(event)]}, not {event.by}.")
    elif isinstance(event, _SEATS) and not _is_seat(state, event.by):
        raise Refused("wrong-role", f"Only a seat {_DOING[type_of(event)]}, not {event.by}.")
    elif (
        isinstance(event, _SEATS_AND_ARBITERS)
        and event.by != ARBITER
        and not _is_seat(state, event.by)
    ):
        raise Refused(
            "wrong-role",
            f"Only a seat or the arbiter {_DOING[type_of(event)]}, not {event.by}.",
        )
    elif isinstance(event, Countersigned) and not (
        _is_seat(state, event.by) or event.by.startswith(WITNESS)
    ):
        raise Refused("wrong-role", f"Seats and witnesses countersign, not {event.by}.")


def _check_scribe(state: MatchState | None, event: Event, seat: str) -> None:
    if event.by != ARBITER or not isinstance(event, _SCRIBED):
        raise Refused(
            "wrong-role",
            f"{event.by} signs for {seat}: only the arbiter writes for somebody else, and only "
            "what they do in the game.",
        )
    if state is None or not _is_seat(state, seat):
        raise Refused("unknown-role", f"This match has no seat {seat!r}.")
    if state.roster[seat].key is not None:
        raise Refused(
            "seat-has-key",
            f"{state.roster[seat].name} ({seat}) has a key: nobody writes for them.",
        )


def _is_seat(state: MatchState | None, role: str) -> bool:
    return state is not None and role in state.game.seats
