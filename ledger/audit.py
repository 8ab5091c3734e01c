"""The audit: every event of a match judged anew, and said in words what that proves.

Form, chain, signatures, authority, rules, result, countersignatures. It believes nothing that it
has not computed, names every fault with event number and code, and goes on after a fault as far
as anything can still be judged. Pure: bytes in, a report out.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from ledger.envelope import Envelope
from ledger.errors import Refused
from ledger.events import Event, MatchOpened, Result, Ruling, decode
from ledger.fold import (
    Entry,
    MatchState,
    Party,
    Phase,
    advance,
    authenticate,
    begin,
    describe,
    roster,
)
from ledger.record import Damage, Piece
from ledger.signers import AllowedSigners

Verdict: TypeAlias = Literal["sound", "faults", "could-not-check"]
_HEAD: Final = re.compile("[0-9a-f]{16,64}")


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

    state: MatchState | None = None
    parties: Mapping[str, Party] | None = None
    stuck: bool = False
    """The fold has stopped: rules are not judged any more."""
    unjudged: int = 0
    match: str | None = None
    previous: str | None = None
    """Hash of the previous event; ``None`` when it could not be read."""
    faults: list[Fault] = field(default_factory=list)
    unchecked: list[str] = field(default_factory=list)
    hashes: list[str | None] = field(default_factory=list)
    signed: dict[str, int] = field(default_factory=dict)
    written: dict[str, int] = field(default_factory=dict)

    def fault(self, event: int | None, code: str, text: str) -> None:
        self.faults.append(Fault(event, code, text))


def audit(pieces: Sequence[Piece], frame: Sequence[str] = (), trust: Trust | None = None) -> Report:
    """Judge a match. ``frame`` are faults of the file around the events, found by its reader."""
    trust = trust or Trust()
    reading = _Reading()
    for text in frame:
        reading.fault(None, "file-damaged", text)
    if not pieces:
        reading.fault(None, "empty", "There is no event.")
    for number, piece in enumerate(pieces):
        _judge(reading, number, piece)
    _check_document(reading, trust.documents)
    _check_head(reading, trust.head)
    listed = _check_signers(reading, trust.signers)
    return _report(reading, trust, listed)


# -- one event ---------------------------------------------------------------------------


def _judge(reading: _Reading, number: int, piece: Piece) -> None:
    if isinstance(piece, Damage):
        _lose(reading, number, piece.code, piece.text)
        reading.hashes.append(None)
        reading.previous = None
        return
    digest = piece.hash
    reading.hashes.append(digest)
    try:
        event = decode(piece.payload)
    except Refused as error:
        _lose(reading, number, error.code, error.message)
    else:
        chained = _check_chain(reading, number, event)
        if number == 0:
            reading.match = digest
        trusted = _check_signature(reading, number, piece, event)
        _fold(reading, number, Entry(event, digest, piece.keyid), chained and trusted)
    reading.previous = digest


def _lose(reading: _Reading, number: int, code: str, text: str) -> None:
    reading.fault(number, code, text)
    reading.stuck = True


def _check_chain(reading: _Reading, number: int, event: Event) -> bool:
    if number == 0:
        return True  # the fold judges the opening whole
    if event.seq != number:
        reading.fault(number, "bad-seq", f"It stands as event {number} and says {event.seq}.")
        return False
    if reading.match is not None and event.match != reading.match:
        reading.fault(number, "wrong-match", "The event belongs to another match.")
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
        reading.unjudged += 1
        return False
    try:
        authenticate(reading.parties, envelope, event)
    except Refused as error:
        reading.fault(number, error.code, error.message)
        return error.code == "bad-signature"
    reading.signed[event.by] = reading.signed.get(event.by, 0) + 1
    if event.for_ is not None:
        reading.written[event.for_] = reading.written.get(event.for_, 0) + 1
    return True


def _fold(reading: _Reading, number: int, entry: Entry, fit: bool) -> None:
    event = entry.event
    if number == 0 and isinstance(event, MatchOpened):
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
    except Refused as error:
        if error.code == "unknown-game":
            reading.unchecked.append(f"{error.message} Its rules could not be checked.")
        else:
            reading.fault(0, error.code, error.message)
        reading.stuck = True
        seats = tuple(event.data.seats)
        if len(seats) == 2:
            try:
                reading.parties = roster(event.data, (seats[0], seats[1]))
            except Refused:
                reading.parties = None


# -- the match as a whole ----------------------------------------------------------------


def _check_document(reading: _Reading, documents: Collection[str]) -> None:
    if reading.state is None:
        return
    document = reading.state.opening.ruleset.document
    if document not in documents:
        reading.unchecked.append(
            f"The match was opened under the ruling document {document}, which this Tabellion "
            "does not hold: its moves were judged by the rulings held here."
        )


def _check_head(reading: _Reading, head: str | None) -> None:
    if head is None:
        return
    wanted = re.sub(r"[\s:-]", "", head).lower()
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
            "The head hash given is none of these events: this is another match, an altered one, "
            "or one that was cut off.",
        )
    elif found[-1] != len(reading.hashes) - 1:
        reading.unchecked.append(
            f"The head hash given is event {found[-1]}: what follows was added after it was "
            "noted down."
        )


def _check_signers(reading: _Reading, signers: AllowedSigners | None) -> dict[str, tuple[str, ...]]:
    """Principals by role. A key that the reader's file does not hold is a fault."""
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
    return listed


def _report(reading: _Reading, trust: Trust, listed: Mapping[str, tuple[str, ...]]) -> Report:
    state = reading.state
    if reading.unjudged:
        reading.unchecked.append(
            f"{reading.unjudged} later event(s) could not be judged by the rules, because of an "
            "earlier fault."
        )
    verdict: Verdict = (
        "faults" if reading.faults else "could-not-check" if reading.unchecked else "sound"
    )
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
                countersigned=state is not None and party.role in state.countersigned,
            )
            for party in (reading.parties or {}).values()
        ),
        rulings=_rulings(state) if state else (),
        statements=tuple(_statements(reading, trust)),
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


def _statements(reading: _Reading, trust: Trust) -> list[str]:
    state = reading.state
    if state is None:
        return ["The match cannot be opened: nothing in it is proven."]
    said = [_who_wrote(reading, party) for party in state.roster.values()]
    said.append(_keys_statement(trust))
    said.append(_end_statement(reading, state))
    if trust.head is None:
        said.append(
            "Compared with no score sheet: a record that was cut off is a valid beginning. Give "
            "--head with the hash that was noted down at the table."
        )
    if state.opening.source:
        said.append(
            f"The moves were read from a file ({state.opening.source.format}, SHA-256 "
            f"{state.opening.source.sha256}): nothing here proves that the file tells the truth."
        )
    said.append("Times are the signers' own clocks. They prove nothing.")
    return said


def _who_wrote(reading: _Reading, party: Party) -> str:
    if party.key is None:
        count = reading.written.get(party.role, 0)
        return (
            f"{party.name} ({party.role}) has no key: the arbiter wrote down all of their acts "
            f"({count}). For these there is only the arbiter's word."
        )
    count = reading.signed.get(party.role, 0)
    what = "event" if count == 1 else "events"
    return f"{party.name} ({party.role}) signed {count} {what} in person."


def _keys_statement(trust: Trust) -> str:
    if trust.signers is None:
        return (
            "Keys were checked against nobody: whoever opened the match could have invented the "
            "players. Give --signers with a file of keys that you trust."
        )
    return "Keys were compared with your signers file."


def _end_statement(reading: _Reading, state: MatchState) -> str:
    last = len(reading.hashes) - 1
    result = state.result
    if reading.stuck:
        return f"Judged up to event {state.seq} of {last}; the result is not proven."
    match state.phase:
        case Phase.CLOSED if result:
            signers = [state.roster[seat].name for seat in sorted(state.countersigned)]
            by = (
                f"countersigned by {' and '.join(signers)}"
                if signers
                else "countersigned by nobody"
            )
            return f"Closed with {describe(result)}, {by}."
        case Phase.ENDED if result:
            return f"Over with {describe(result)}; the arbiter has not closed it."
        case _:
            return f"Ends at event {last}, not closed: the game is not over."
