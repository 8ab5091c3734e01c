"""Who may sign what: the roster, one key one role, and the scribe's ``for``.

design: "Who does what". Nothing here looks at the rules of a game.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ledger import consent
from ledger.envelope import Envelope
from ledger.errors import Refused, TabellionError
from ledger.events import (
    ArbiterReplaced,
    Event,
    KeyReplaced,
    MatchOpened,
    Opening,
    SeatAccepted,
    type_of,
)
from ledger.fold.parts import APPEAL, ARBITER, SEAT, WITNESS, Entry, Party
from ledger.fold.state import MatchState
from ledger.publickey import PublicKey

_NAMED: Final = {
    ARBITER: "the arbiter",
    SEAT: "a seat",
    WITNESS: "a witness",
    APPEAL: "the appeal key",
}
_EVERYBODY: Final = (ARBITER, SEAT, WITNESS, APPEAL)
_WHO: Final[Mapping[str, tuple[str, ...]]] = {
    "match.opened": (ARBITER,),
    "seat.accepted": (SEAT,),
    "dice.committed": (SEAT, ARBITER),
    "roll": (SEAT,),
    "roll.opened": (SEAT, ARBITER),
    "roll.recorded": (SEAT, ARBITER),
    "roll.confirmed": (SEAT,),
    "roll.voided": (SEAT, ARBITER),
    "move": (SEAT,),
    "pull": (SEAT,),
    "wager": (SEAT,),
    "pass": (SEAT,),
    "run": (SEAT,),
    "stop": (SEAT,),
    "diablo": (SEAT,),
    "done": (SEAT,),
    "call": (SEAT,),
    "offer.made": (SEAT,),
    "offer.accepted": (SEAT,),
    "offer.declined": (SEAT,),
    "draw.claimed": (SEAT,),
    "resigned": (SEAT,),
    "dispute.raised": (SEAT, ARBITER, WITNESS),
    "dispute.settled": (SEAT,),
    "statement": (SEAT, ARBITER, WITNESS),
    "ruling": (ARBITER,),
    "appeal": (SEAT,),
    "appeal.decided": (APPEAL,),
    "key.replaced": (ARBITER,),
    "arbiter.replaced": (ARBITER, APPEAL),
    "adjourned": (ARBITER, SEAT),
    "resumed": (ARBITER, SEAT),
    "match.closed": (ARBITER,),
    "countersigned": (SEAT, WITNESS),
    "signature.refused": (ARBITER,),
    "note": _EVERYBODY,
}
"""Who may sign an event of a type. Besides, whoever's key was put in later accepts the match."""
_SCRIBED: Final = frozenset(
    kind
    for kind, roles in _WHO.items()
    if SEAT in roles
    and kind
    not in (
        *("seat.accepted", "dice.committed", "roll.opened", "roll.voided"),
        *("dispute.raised", "dispute.settled", "appeal", "countersigned", "note"),
    )
)
"""What the arbiter may write down for a seat that has no key."""
_DOING: Final = {
    "match.opened": "opens a match",
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
    "dispute.raised": "raises a dispute",
    "dispute.settled": "settles a dispute",
    "statement": "makes a statement",
    "ruling": "makes a ruling",
    "appeal": "appeals",
    "appeal.decided": "decides an appeal",
    "key.replaced": "replaces a key",
    "arbiter.replaced": "replaces the arbiter",
    "adjourned": "adjourns",
    "resumed": "resumes",
    "match.closed": "closes a match",
    "countersigned": "countersigns",
    "signature.refused": "records a refusal",
}
"""What nobody else does, in words."""


def roster(opening: Opening, seats: tuple[str, str]) -> Mapping[str, Party]:
    """Every role of a match with its holder. Raises ``Refused`` on keys that do not fit."""
    if set(opening.seats) != set(seats):
        raise Refused(
            "wrong-seats", f"The seats of this game are {seats[0]} and {seats[1]}, no others."
        )
    parties = [Party(ARBITER, opening.arbiter.name, key_of(opening.arbiter.key))]
    for seat in seats:
        holder = opening.seats[seat]
        parties.append(Party(seat, holder.name, key_of(holder.key) if holder.key else None))
    for number, witness in enumerate(opening.witnesses, start=1):
        parties.append(Party(f"{WITNESS}{number}", witness.name, key_of(witness.key)))
    if opening.appeal:
        parties.append(Party(APPEAL, opening.appeal.name, key_of(opening.appeal.key)))
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


def key_of(line: str) -> PublicKey:
    """A key as it stands in an event. Raises ``Refused``."""
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
        return key_of(event.data.arbiter.key)
    party = parties.get(event.by)
    if party is None:
        raise Refused("unknown-role", f"This match has no role {event.by!r}.")
    if party.key is None:
        raise Refused(
            "no-key", f"{party.name} ({event.by}) plays without a key: the arbiter writes for them."
        )
    return party.key


def authenticate(
    parties: Mapping[str, Party] | None,
    envelope: Envelope,
    event: Event,
    maker: PublicKey | None = None,
) -> None:
    """Check the signature, and the keys that an opening brings. ``maker``: the key that is known
    to have made this signature over these bytes, if one is. Raises ``Refused``."""
    key = signer(parties, event)
    _check_signer(key, envelope.keyid, event)
    for line in _key_lines(event):
        key_of(line).check()
    if key != maker and not envelope.signed_by(key):
        raise Refused(
            "bad-signature", f"The signature is not the one of {event.by} over these bytes."
        )

    if isinstance(event, KeyReplaced) and event.data.consent is not None:
        _check_consent(parties, event)


def _key_lines(event: Event) -> list[str]:
    """The keys that an event brings."""
    match event:
        case MatchOpened(data=opening):
            appeal = [opening.appeal] if opening.appeal else []
            officers = [opening.arbiter, *opening.witnesses, *appeal]
            held = [seat.key for seat in opening.seats.values() if seat.key is not None]
            return [officer.key for officer in officers] + held
        case KeyReplaced(data=given):
            return [given.key] if given.key else []
        case ArbiterReplaced(data=given):
            return [given.key]
        case _:
            return []


def _check_consent(parties: Mapping[str, Party] | None, event: KeyReplaced) -> None:
    """The old key's own signature over its replacement."""
    given, party = event.data, (parties or {}).get(event.data.role)
    old = party.key if party else None
    message = consent.message(event.match or "", given.role, given.name, given.key)
    if old is None or not old.verify(bytes.fromhex(given.consent or ""), message):
        raise Refused(
            "bad-consent",
            f"The consent is not the signature of the key that {given.role} had until now.",
        )


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
    if state is not None and event.by in state.put_in and not isinstance(event, SeatAccepted):
        raise Refused(
            "not-accepted",
            f"{state.roster[event.by].name} accepts the match with the new key first.",
            hint="tabellion accept",
        )
    if event.for_ is not None:
        _check_scribe(state, event, event.for_)
        return
    allowed, part = _WHO[type_of(event)], _part(state, event.by)
    if isinstance(event, SeatAccepted) and state is not None and event.by in state.put_in:
        return
    if part not in allowed:
        named = [_NAMED[each] for each in allowed]
        only = " or ".join(filter(None, (", ".join(named[:-1]), named[-1])))
        raise Refused("wrong-role", f"Only {only} {_DOING[type_of(event)]}, not {event.by}.")


def _part(state: MatchState | None, role: str) -> str:
    """What a role is in any match: a seat, a witness, the arbiter, the appeal."""
    if state is not None and role in state.game.seats:
        return SEAT
    return WITNESS if role.startswith(WITNESS) else role


def _check_scribe(state: MatchState | None, event: Event, seat: str) -> None:
    if event.by != ARBITER or type_of(event) not in _SCRIBED:
        raise Refused(
            "wrong-role",
            f"{event.by} signs for {seat}: only the arbiter writes for somebody else, and only "
            "what they do in the game.",
        )
    if state is None or seat not in state.game.seats:
        raise Refused("unknown-role", f"This match has no seat {seat!r}.")
    if state.roster[seat].key is not None:
        raise Refused(
            "seat-has-key",
            f"{state.roster[seat].name} ({seat}) has a key: nobody writes for them.",
        )
