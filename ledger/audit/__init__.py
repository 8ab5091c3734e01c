"""The audit: every event of a match judged anew, and said in words what that proves.

Form, chain, signatures, authority, rules, result, countersignatures. It believes nothing that it
has not computed, names every fault with event number and code, and goes on after a fault as far
as anything can still be judged. Pure: bytes in, a report out.

``report`` is what comes out, ``judging`` looks at one event after the other, ``comparing`` holds
the match against what the reader brings, ``words`` says what all that proves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ledger.audit.comparing import check_document, check_head, check_signers, is_head
from ledger.audit.judging import Reading, countersigned, judge
from ledger.audit.report import (
    AsideReport,
    AuditView,
    BreachReport,
    DiceReport,
    Fault,
    PartyReport,
    Report,
    RollReport,
    RulingReport,
    TakebackReport,
    Trust,
    UnopenedReport,
    Verdict,
)
from ledger.audit.rolls import dice_report, waits
from ledger.audit.words import events, statements
from ledger.events import OfferAccepted, OfferMade, Ruling, TakebackOffer
from ledger.fold import MatchState, breaches, taken_back
from ledger.record import Piece

__all__ = [
    "AsideReport",
    "AuditView",
    "BreachReport",
    "DiceReport",
    "Fault",
    "PartyReport",
    "Report",
    "RollReport",
    "RulingReport",
    "TakebackReport",
    "Trust",
    "UnopenedReport",
    "Verdict",
    "audit",
    "is_head",
]


def audit(pieces: Sequence[Piece], frame: Sequence[str] = (), trust: Trust | None = None) -> Report:
    """Judge a match. ``frame`` are faults of the file around the events, found by its reader."""
    reading = Reading(trust or Trust())
    for text in frame:
        reading.fault(None, "file-damaged", text)
    if not pieces:
        reading.fault(None, "empty", "There is no event.")
    for number, piece in enumerate(pieces):
        judge(reading, number, piece)
    check_document(reading)
    check_head(reading)
    listed = check_signers(reading)
    return _report(reading, listed)


def _report(reading: Reading, listed: Mapping[str, tuple[str, ...]]) -> Report:
    state = reading.state
    if reading.unjudged:
        how = "form, chain and signature" if reading.parties else "form and chain"
        reading.unchecked.append(
            f"{events(reading.unjudged)} could be judged by {how} only, not by the rules, because "
            "of what stands before."
        )
    verdict: Verdict = (
        "faults" if reading.faults else "could-not-check" if reading.unchecked else "sound"
    )
    signed = countersigned(reading)
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
                countersigned=party.role in signed,
            )
            for party in (reading.parties or {}).values()
        ),
        rulings=_rulings(state) if state else (),
        takebacks=_takebacks(state) if state else (),
        breaches=_breaches(state) if state else (),
        dice=dice_report(state, whole=not reading.stuck) if state else None,
        waits=waits(state) if state and not reading.stuck else "",
        statements=tuple(statements(reading)),
    )


def _rulings(state: MatchState) -> tuple[RulingReport, ...]:
    found = []
    for entry in state.entries:
        event = entry.event
        if isinstance(event, Ruling):
            found.append(
                RulingReport(
                    event=event.seq,
                    reason=event.data.reason,
                    rule=event.data.rule,
                    dice=event.data.effects[0].dice,
                    takes_back=taken_back(state.moments, event.seq),
                )
            )
    return tuple(found)


def _takebacks(state: MatchState) -> tuple[TakebackReport, ...]:
    offers = {
        entry.hash: entry.event
        for entry in state.entries
        if isinstance(entry.event, OfferMade) and isinstance(entry.event.data, TakebackOffer)
    }
    return tuple(
        TakebackReport(
            event=event.seq,
            offered=offers[event.data.offer].seq,
            takes_back=taken_back(state.moments, event.seq),
        )
        for event in (entry.event for entry in state.entries)
        if isinstance(event, OfferAccepted) and event.data.offer in offers
    )


def _breaches(state: MatchState) -> tuple[BreachReport, ...]:
    return tuple(
        BreachReport(event, text) for event, said in breaches(state).items() for text in said
    )
