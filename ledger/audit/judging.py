"""One event after the other: form, chain, signature, authority, rules.

A fault never ends the reading. What stands after it is judged as far as it still can be.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from msgspec.structs import replace

from ledger.audit.ahead import Known, key_lines
from ledger.audit.report import Fault, Trust, Verdict
from ledger.envelope import Envelope
from ledger.errors import Refused
from ledger.events import ArbiterReplaced, Event, KeyReplaced, MatchOpened
from ledger.fold import (
    Entry,
    MatchState,
    Party,
    advance,
    authenticate,
    begin,
    check_authority,
    roster,
)
from ledger.fold.authority import key_of
from ledger.fold.parts import ARBITER, Change
from ledger.publickey import PublicKey
from ledger.record import Damage


@dataclass(slots=True)
class Reading:
    """How far the audit has come."""

    trust: Trust
    state: MatchState | None = None
    parties: Mapping[str, Party] | None = None
    stuck: bool = False
    """The fold has stopped: rules are not judged any more."""
    unjudged: int = 0
    match: str | None = None
    previous: str | None = None
    """Hash of the previous event; ``None`` when it could not be read."""
    shift: int = 0
    """By how much the events' own numbers run ahead of their places, once some are missing."""
    faults: list[Fault] = field(default_factory=list)
    unchecked: list[str] = field(default_factory=list)
    hashes: list[str | None] = field(default_factory=list)
    genuine: set[int] = field(default_factory=set)
    """Events whose signature is the one of the role that they name."""
    changes: tuple[Change, ...] = ()
    """Who took whose place: as the fold has it, and after that as the arbiter signed it."""
    signed: dict[str, list[int]] = field(default_factory=dict)
    """Events by the role that signed them."""
    written: dict[str, list[int]] = field(default_factory=dict)
    """Events by the seat that the arbiter wrote for."""
    listed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Principals of the reader's file by fingerprint."""

    @property
    def verdict(self) -> Verdict:
        return "faults" if self.faults else "could-not-check" if self.unchecked else "sound"

    def fault(self, event: int | None, code: str, text: str) -> None:
        found = Fault(event, code, text)
        if found not in self.faults[-1:]:
            self.faults.append(found)


def judge(reading: Reading, number: int, known: Known) -> None:
    piece, event, maker = known
    if isinstance(piece, Damage):
        _lose(reading, number, piece.code, piece.text)
        reading.hashes.append(None)
        reading.previous = None
        return
    digest = piece.hash
    reading.hashes.append(digest)
    if number == 0:
        reading.match = digest
    if isinstance(event, Refused):
        _set_aside(reading, number, piece, event)
    elif event is not None:
        if number == 0:
            reading.match, reading.shift = event.match or digest, event.seq
        chained = _check_chain(reading, number, event)
        authentic = _check_signature(reading, number, piece, event, maker)
        _fold(reading, number, Entry(event, digest, piece.keyid), chained and authentic)
    reading.previous = digest


def _lose(reading: Reading, number: int, code: str, text: str) -> None:
    reading.fault(number, code, text)
    reading.stuck = True


def _set_aside(reading: Reading, number: int, envelope: Envelope, error: Refused) -> None:
    """An event that cannot be read: a fault, unless it is one that a later version may know and
    a key of this match signed it."""
    newer = error.code in ("future-version", "unknown-type")
    if newer and any(envelope.signed_by(key) for key in _keys(reading, number, envelope)):
        reading.unchecked.append(f"Event {number}: {error.message}")
        reading.stuck = True
    else:
        _lose(reading, number, error.code, error.message)


def _keys(reading: Reading, number: int, envelope: Envelope) -> list[PublicKey]:
    """The keys of this match; for its opening, all that stand in it, wherever that is."""
    if number:
        return [party.key for party in _holders(reading) if party.key]
    return [*key_lines(envelope.payload)]


def _check_chain(reading: Reading, number: int, event: Event) -> bool:
    if number == 0:
        return True  # the fold judges the opening whole
    if reading.match is not None and event.match != reading.match:
        reading.fault(number, "wrong-match", "The event belongs to another match.")
        return False
    expected = number + reading.shift
    if event.seq != expected:
        reading.fault(
            number, "bad-seq", f"Event {expected} should stand here; this is event {event.seq}."
        )
        reading.shift = event.seq - number
        return False
    if reading.previous is not None and event.prev != reading.previous:
        reading.fault(
            number, "bad-chain", f"It does not continue event {number - 1} as that stands here."
        )
        return False
    return True


def _check_signature(
    reading: Reading, number: int, envelope: Envelope, event: Event, maker: PublicKey | None
) -> bool:
    """Whether the event may be folded: it names its signer rightly. A bad signature is a fault,
    but what the event says can still be judged by the rules."""
    if reading.parties is None and number > 0:
        return False
    try:
        authenticate(reading.parties, envelope, event, maker)
        reading.genuine.add(number)
        if reading.stuck and reading.state is not None:  # else the fold checks it
            check_authority(
                replace(reading.state, roster=reading.parties, put_in=frozenset()),
                Entry(event, envelope.hash, envelope.keyid),
            )
    except Refused as error:
        reading.fault(number, error.code, error.message)
        if error.code == "bad-consent":  # the last that is checked: the arbiter has signed it
            _follow(reading, number, event, consent=False)
        return error.code == "bad-signature"
    reading.signed.setdefault(event.by, []).append(number)
    if event.for_ is not None:
        reading.written.setdefault(event.for_, []).append(number)
    if reading.stuck:
        _follow(reading, number, event, consent=_consents(event))
    return True


def _consents(event: Event) -> bool:
    """Whether the key that an event replaces has agreed."""
    match event:
        case KeyReplaced(data=given):
            return given.consent is not None
        case _:
            return isinstance(event, ArbiterReplaced) and event.by == ARBITER


def _follow(reading: Reading, number: int, event: Event, *, consent: bool) -> None:
    """A key that was put in after the fold had stopped: what follows is judged by it, lest its
    owner be accused of another's fault."""
    match event:
        case KeyReplaced(by="arbiter", data=given):
            role, line = given.role, given.key
        case ArbiterReplaced(by="arbiter" | "appeal", data=given):
            role, line = ARBITER, given.key
        case _:
            return
    parties = reading.parties or {}
    key = key_of(line) if line else None
    held = {party.key for party in _holders(reading)}
    if role not in parties or (key is not None and key in held):
        return
    after = Party(role, given.name, key)
    reading.changes += (Change(number, parties[role], after, event.by, consent),)
    reading.parties = {**parties, role: after}


def _holders(reading: Reading) -> list[Party]:
    """Everybody who holds a role, or held one."""
    return [*(reading.parties or {}).values(), *(change.before for change in reading.changes)]


def _fold(reading: Reading, number: int, entry: Entry, fit: bool) -> None:
    event = entry.event
    if number == 0:
        if isinstance(event, MatchOpened):
            _open(reading, entry, event)
    elif reading.stuck or reading.state is None:
        reading.unjudged += 1
    elif not fit:
        reading.stuck = True
    else:
        try:
            reading.state = advance(reading.state, entry)
            reading.parties = reading.state.roster
            reading.changes = reading.state.changes
        except Refused as error:
            _lose(reading, number, error.code, error.message)


def _open(reading: Reading, entry: Entry, event: MatchOpened) -> None:
    try:
        reading.state = begin(entry)
        reading.parties = reading.state.roster
        return
    except Refused as error:
        foreign = event.data.ruleset.document not in reading.trust.documents
        if error.code == "unknown-game" or (foreign and error.code.endswith("-option")):
            reading.unchecked.append(f"The rules of the game were not judged: {error.message}")
        else:
            reading.fault(0, error.code, error.message)
    reading.stuck = True
    seats = tuple(event.data.seats)
    if len(seats) == 2:
        try:
            reading.parties = roster(event.data, (seats[0], seats[1]))
        except Refused as error:
            reading.fault(0, error.code, error.message)
