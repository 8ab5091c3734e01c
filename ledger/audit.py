"""The audit: every event of a match judged anew, and said in words what that proves.

Form, chain, signatures, authority, rules, result, countersignatures. It believes nothing that it
has not computed, names every fault with event number and code, and goes on after a fault as far
as anything can still be judged. Pure: bytes in, a report out.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from ledger.envelope import Envelope
from ledger.errors import Refused, TabellionError
from ledger.events import Countersigned, Event, MatchOpened, Result, Ruling, decode
from ledger.fold import (
    Entry,
    MatchState,
    Party,
    Phase,
    advance,
    authenticate,
    begin,
    check_authority,
    describe,
    roster,
)
from ledger.publickey import PublicKey
from ledger.record import Damage, Piece
from ledger.signers import AllowedSigners

Verdict: TypeAlias = Literal["sound", "faults", "could-not-check"]
_HEAD: Final = re.compile("[0-9a-f]{16,64}")
_KEY_LINE: Final = re.compile(rb"ssh-ed25519 [A-Za-z0-9+/]{68}")


class Fault(Struct, frozen=True):
    """What is wrong. ``event`` is the event's number; ``None``: the file or match as a whole."""

    event: int | None
    code: str
    text: str


class PartyReport(Struct, frozen=True):
    role: str
    name: str
    keyid: str | None
    listed_as: tuple[str, ...]
    """Principals that the reader's signers file gives this key."""
    signed: int
    """Events signed with this key."""
    written_for: int
    """Acts of this seat that the arbiter wrote down."""
    countersigned: bool


class RulingReport(Struct, frozen=True):
    event: int
    reason: str
    rule: str
    takes_back: tuple[int, ...]


class Report(Struct, frozen=True):
    """An audit's findings on one match."""

    match: str | None
    verdict: Verdict
    events: int
    head: str | None
    phase: str | None
    result: Result | None
    faults: tuple[Fault, ...]
    unchecked: tuple[str, ...]
    parties: tuple[PartyReport, ...]
    rulings: tuple[RulingReport, ...]
    statements: tuple[str, ...]
    """What is proven, by whom, and what is not: sentences for a reader who trusts nobody."""


class AuditView(Struct, frozen=True):
    """What ``audit`` tells: reports by match, and faults of the ledger file itself."""

    verdict: Verdict
    file_faults: tuple[str, ...]
    reports: tuple[Report, ...]


@dataclass(frozen=True, slots=True)
class Trust:
    """What the reader brings: names for keys, the head on the score sheet, ruling documents."""

    documents: Collection[str] = ()
    """SHA-256 of the ruling documents that this program holds."""
    signers: AllowedSigners | None = None
    head: str | None = None


@dataclass(slots=True)
class _Reading:
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
    signed: dict[str, int] = field(default_factory=dict)
    written: dict[str, int] = field(default_factory=dict)

    def fault(self, event: int | None, code: str, text: str) -> None:
        found = Fault(event, code, text)
        if found not in self.faults[-1:]:
            self.faults.append(found)


def audit(pieces: Sequence[Piece], frame: Sequence[str] = (), trust: Trust | None = None) -> Report:
    """Judge a match. ``frame`` are faults of the file around the events, found by its reader."""
    reading = _Reading(trust or Trust())
    for text in frame:
        reading.fault(None, "file-damaged", text)
    if not pieces:
        reading.fault(None, "empty", "There is no event.")
    for number, piece in enumerate(pieces):
        _judge(reading, number, piece)
    _check_document(reading)
    _check_head(reading)
    listed = _check_signers(reading)
    return _report(reading, listed)


# -- one event ---------------------------------------------------------------------------


def _judge(reading: _Reading, number: int, piece: Piece) -> None:
    if isinstance(piece, Damage):
        _lose(reading, number, piece.code, piece.text)
        reading.hashes.append(None)
        reading.previous = None
        return
    digest = piece.hash
    reading.hashes.append(digest)
    if number == 0:
        reading.match = digest
    try:
        event = decode(piece.payload)
    except Refused as error:
        _set_aside(reading, number, piece, error)
    else:
        if number == 0:
            reading.match, reading.shift = event.match or digest, event.seq
        chained = _check_chain(reading, number, event)
        authentic = _check_signature(reading, number, piece, event)
        _fold(reading, number, Entry(event, digest, piece.keyid), chained and authentic)
    reading.previous = digest


def _lose(reading: _Reading, number: int, code: str, text: str) -> None:
    reading.fault(number, code, text)
    reading.stuck = True


def _set_aside(reading: _Reading, number: int, envelope: Envelope, error: Refused) -> None:
    """An event that cannot be read: a fault, unless it is one that a later version may know and
    a key of this match signed it."""
    newer = error.code in ("future-version", "unknown-type")
    if newer and any(envelope.signed_by(key) for key in _keys(reading, number, envelope)):
        reading.unchecked.append(f"Event {number}: {error.message}")
        reading.stuck = True
    else:
        _lose(reading, number, error.code, error.message)


def _keys(reading: _Reading, number: int, envelope: Envelope) -> list[PublicKey]:
    """The keys of this match; for its opening, all that stand in it, wherever that is."""
    if number:
        return [party.key for party in (reading.parties or {}).values() if party.key]
    found = []
    for line in _KEY_LINE.findall(envelope.payload):
        with suppress(TabellionError):
            found.append(PublicKey.parse(line.decode("ascii")))
    return found


def _check_chain(reading: _Reading, number: int, event: Event) -> bool:
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


def _check_signature(reading: _Reading, number: int, envelope: Envelope, event: Event) -> bool:
    """Whether the event may be folded: it names its signer rightly. A bad signature is a fault,
    but what the event says can still be judged by the rules."""
    if reading.parties is None and number > 0:
        return False
    try:
        authenticate(reading.parties, envelope, event)
        reading.genuine.add(number)
        if reading.state is not None:
            check_authority(reading.state, Entry(event, envelope.hash, envelope.keyid))
    except Refused as error:
        reading.fault(number, error.code, error.message)
        return error.code == "bad-signature"
    reading.signed[event.by] = reading.signed.get(event.by, 0) + 1
    if event.for_ is not None:
        reading.written[event.for_] = reading.written.get(event.for_, 0) + 1
    return True


def _fold(reading: _Reading, number: int, entry: Entry, fit: bool) -> None:
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
        except Refused as error:
            _lose(reading, number, error.code, error.message)


def _open(reading: _Reading, entry: Entry, event: MatchOpened) -> None:
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


# -- the match as a whole ----------------------------------------------------------------


def _check_document(reading: _Reading) -> None:
    if reading.state is None:
        return
    document = reading.state.opening.ruleset.document
    if document not in reading.trust.documents:
        reading.unchecked.append(
            f"The match was opened under the ruling document {document}, which this Tabellion "
            "does not hold: its moves were judged by other rulings."
        )


def _check_head(reading: _Reading) -> None:
    head = reading.trust.head
    if head is None:
        return
    wanted = _digits(head)
    if not _HEAD.fullmatch(wanted):
        reading.fault(
            None, "bad-head", f"A head hash has 16 to 64 hex digits, unlike {head[:80]!a}."
        )
        return
    found = [n for n, each in enumerate(reading.hashes) if each and each.startswith(wanted)]
    if not found:
        reading.fault(
            None,
            "wrong-head",
            "None of these events has the head hash given: this is another match, an altered one, "
            "or one that was cut off.",
        )
    elif found[-1] != len(reading.hashes) - 1:
        reading.unchecked.append(
            f"The head hash given is that of event {found[-1]}: what follows was added after it "
            "was noted down."
        )


def _digits(head: str) -> str:
    return re.sub(r"[\s:-]", "", head).lower()


def _check_signers(reading: _Reading) -> dict[str, tuple[str, ...]]:
    """Principals by role. A key that the reader's file does not hold is a fault."""
    signers = reading.trust.signers
    listed: dict[str, tuple[str, ...]] = {}
    if signers is None or reading.parties is None:
        return listed
    for party in reading.parties.values():
        if party.key is None:
            continue
        found = signers.of(party.key)
        listed[party.role] = tuple(name for each in found for name in each.principals)
        if not found:
            reading.fault(
                0,
                "key-not-listed",
                f"The key of {party.name} ({party.role}), {party.key.fingerprint}, is not in "
                "your signers file.",
            )
        elif not any(each.named(party.name) for each in found):
            reading.unchecked.append(
                f"The record calls the holder of {party.key.fingerprint} {party.name}; your "
                f"signers file calls them {', '.join(listed[party.role])}. Compare the names."
            )
        elif all(each.valid_after or each.valid_before for each in found):
            reading.unchecked.append(
                f"Your signers file limits the key of {party.name} ({party.role}) in time. "
                "Whether it was used in that time, no record can prove."
            )
    return listed


def _report(reading: _Reading, listed: Mapping[str, tuple[str, ...]]) -> Report:
    state = reading.state
    if reading.unjudged:
        how = "form, chain and signature" if reading.parties else "form and chain"
        reading.unchecked.append(
            f"{_events(reading.unjudged)} could be judged by {how} only, not by the rules, because "
            "of what stands before."
        )
    verdict: Verdict = (
        "faults" if reading.faults else "could-not-check" if reading.unchecked else "sound"
    )
    countersigned = _countersigned(reading)
    return Report(
        match=reading.match,
        verdict=verdict,
        events=len(reading.hashes),
        head=reading.hashes[-1] if reading.hashes else None,
        phase=state.phase.value if state else None,
        result=state.result if state else None,
        faults=tuple(sorted(reading.faults, key=lambda f: -1 if f.event is None else f.event)),
        unchecked=tuple(reading.unchecked),
        parties=tuple(
            PartyReport(
                role=party.role,
                name=party.name,
                keyid=party.key.fingerprint if party.key else None,
                listed_as=listed.get(party.role, ()),
                signed=reading.signed.get(party.role, 0),
                written_for=reading.written.get(party.role, 0),
                countersigned=party.role in countersigned,
            )
            for party in (reading.parties or {}).values()
        ),
        rulings=_rulings(state) if state else (),
        statements=tuple(_statements(reading)),
    )


def _events(count: int) -> str:
    return "1 event" if count == 1 else f"{count} events"


def _countersigned(reading: _Reading) -> frozenset[str]:
    """Roles whose countersignature stands in the fold and is genuine."""
    return frozenset(
        entry.event.by
        for entry in (reading.state.entries if reading.state else ())
        if isinstance(entry.event, Countersigned) and entry.event.seq in reading.genuine
    )


def _rulings(state: MatchState) -> tuple[RulingReport, ...]:
    found = []
    for entry in state.entries:
        event = entry.event
        if isinstance(event, Ruling):
            before, after = state.at(event.seq - 1), state.at(event.seq)
            found.append(
                RulingReport(
                    event=event.seq,
                    reason=event.data.reason,
                    rule=event.data.rule,
                    takes_back=tuple(sorted(after.superseded() - before.superseded())),
                )
            )
    return tuple(found)


def _statements(reading: _Reading) -> list[str]:
    if reading.parties is None:
        return ["The match cannot be opened: nothing in it is proven."]
    state, trust = reading.state, reading.trust
    said = [_who_wrote(reading, party) for party in reading.parties.values()]
    said.append(_keys_statement(trust))
    if state is None:
        said.append("Neither the moves nor the result were judged.")
    else:
        said.append(_end_statement(reading, state))
    said += _head_statement(reading)
    if state is not None and state.opening.source:
        said.append(
            f"The moves were read from a file ({state.opening.source.format}, SHA-256 "
            f"{state.opening.source.sha256}): nothing here proves that the file tells the truth."
        )
    said.append("Times are the signers' own clocks: they prove nothing.")
    return said


def _who_wrote(reading: _Reading, party: Party) -> str:
    if party.key is None:
        return (
            f"{party.name} ({party.role}) has no key: the arbiter wrote down all of their acts "
            f"({reading.written.get(party.role, 0)}). For these there is only the arbiter's word."
        )
    return (
        f"The key of {party.name} ({party.role}) signed "
        f"{_events(reading.signed.get(party.role, 0))}."
    )


def _keys_statement(trust: Trust) -> str:
    if trust.signers is None:
        return (
            "Keys were checked against nobody: whoever opened the match could have invented the "
            "players. Give --signers with a file of keys that you trust."
        )
    return (
        "Keys were compared with your signers file. A signature proves which key signed, not "
        "whose hand."
    )


def _end_statement(reading: _Reading, state: MatchState) -> str:
    last = len(reading.hashes) - 1
    if reading.stuck:
        return f"Judged by the rules up to event {state.seq} of {last}: no result is proven."
    match state.phase:
        case Phase.CLOSED:
            text = f"Ends at event {last}, closed{_result(state)}; {_signatures(reading, state)}."
        case Phase.ENDED:
            text = f"Ends at event {last}, not closed: over{_result(state)}."
        case _:
            text = f"Ends at event {last}, not closed: the game is not over."
    return f"With the faults found this is not proven: {text}" if reading.faults else text


def _result(state: MatchState) -> str:
    return f" with {describe(state.result)}" if state.result else ""


def _signatures(reading: _Reading, state: MatchState) -> str:
    """Who has countersigned, and which seats could have."""
    signed = _countersigned(reading)
    names = [party.name for party in state.roster.values() if party.role in signed]
    missing = [
        state.roster[seat].name
        for seat in state.game.seats
        if state.roster[seat].key is not None and seat not in signed
    ]
    by = f"countersigned by {' and '.join(names) or 'nobody'}"
    return f"{by}, not by {' or '.join(missing)}" if names and missing else by


def _head_statement(reading: _Reading) -> list[str]:
    head, last = reading.trust.head, reading.hashes[-1]
    if head is None:
        return [
            "Compared with no score sheet: a record cut off at its end is still a valid "
            "beginning. Give --head with the hash noted down at the table."
        ]
    wanted = _digits(head)
    if last is None or not _HEAD.fullmatch(wanted) or not last.startswith(wanted):
        return []
    return [f"The last event has the head hash given ({len(wanted)} of 64 digits compared)."]
