"""The audit: every event of a match judged anew, and said in words what that proves.

Form, chain, signatures, authority, rules, result, countersignatures. It believes nothing that it
has not computed, names every fault with event number and code, and goes on after a fault as far
as anything can still be judged. Pure: bytes in, a report out.

``report`` and ``findings`` are what comes out, ``ahead`` reads and verifies, ``judging`` looks at
one event after the other, ``comparing`` holds the match against what the reader brings. ``people``,
``contested``, ``resting``, ``rolls``, ``results`` and ``proven`` gather what a committee asks for;
``words`` says what all that proves; ``sections``, ``hearing`` and ``lines`` tell it as a text to
decide from.
"""

from __future__ import annotations

from collections.abc import Sequence

from ledger.audit.ahead import look_ahead
from ledger.audit.comparing import (
    check_document,
    check_head,
    check_positions,
    check_signers,
    is_head,
)
from ledger.audit.contested import appeals, disputes, penalties, rulings, takebacks
from ledger.audit.findings import (
    AdjournmentReport,
    AppealReport,
    DisputeReport,
    EffectReport,
    PenaltyReport,
    ResultReport,
    RulingReport,
    SignatureReport,
    StatementReport,
    TakebackReport,
    WordReport,
)
from ledger.audit.judging import Reading, judge
from ledger.audit.people import parties
from ledger.audit.proven import vouched
from ledger.audit.report import (
    ArchiveReport,
    AsideReport,
    AuditView,
    BreachReport,
    DiceReport,
    Fault,
    LineReport,
    OpeningReport,
    PartyReport,
    Report,
    RollReport,
    Trust,
    UnopenedReport,
    Verdict,
)
from ledger.audit.resting import adjournments
from ledger.audit.results import every_result
from ledger.audit.rolls import dice_report
from ledger.audit.words import end_statement, events, limits, opening, statements, waits
from ledger.fold import MatchState, breaches
from ledger.record import Piece

__all__ = [
    "AdjournmentReport",
    "AppealReport",
    "ArchiveReport",
    "AsideReport",
    "AuditView",
    "BreachReport",
    "DiceReport",
    "DisputeReport",
    "EffectReport",
    "Fault",
    "LineReport",
    "OpeningReport",
    "PartyReport",
    "PenaltyReport",
    "Reading",
    "Report",
    "ResultReport",
    "RollReport",
    "RulingReport",
    "SignatureReport",
    "StatementReport",
    "TakebackReport",
    "Trust",
    "UnopenedReport",
    "Verdict",
    "WordReport",
    "audit",
    "is_head",
    "judged",
    "told",
]


def audit(
    pieces: Sequence[Piece],
    frame: Sequence[str] = (),
    trust: Trust | None = None,
    positions: bytes | None = None,
) -> Report:
    """Judge a match. ``frame`` are faults of the file around the events, found by its reader;
    ``positions`` the boards that it carries."""
    return told(judged(pieces, frame, trust, positions))


def judged(
    pieces: Sequence[Piece],
    frame: Sequence[str] = (),
    trust: Trust | None = None,
    positions: bytes | None = None,
) -> Reading:
    """A match with every check done, before a word is said of it."""
    reading = Reading(trust or Trust())
    for text in frame:
        reading.fault(None, "file-damaged", text)
    if not pieces:
        reading.fault(None, "empty", "There is no event.")
    for number, known in enumerate(look_ahead(pieces)):
        judge(reading, number, known)
    check_document(reading)
    check_head(reading)
    if positions is not None:
        check_positions(reading, positions)
    reading.listed = check_signers(reading)
    if reading.unjudged:
        how = "form, chain and signature" if reading.parties else "form and chain"
        reading.unchecked.append(
            f"{events(reading.unjudged)} could be judged by {how} only, not by the rules, because "
            "of what stands before."
        )
    return reading


def told(reading: Reading) -> Report:
    """All that a reading found, in the order in which it is told."""
    state = reading.state
    holders = parties(reading, reading.listed)
    rules = opening(state) if state else None
    dice = dice_report(state, whole=not reading.stuck) if state else None
    end = end_statement(reading, state) if state else ""
    limited = limits(reading) if holders else []
    return Report(
        match=reading.match,
        verdict=reading.verdict,
        events=len(reading.hashes),
        head=reading.hashes[-1] if reading.hashes else None,
        phase=state.phase.value if state else None,
        result=state.result if state else None,
        faults=tuple(sorted(reading.faults, key=lambda f: -1 if f.event is None else f.event)),
        unchecked=tuple(reading.unchecked),
        parties=holders,
        rulings=rulings(state) if state else (),
        takebacks=takebacks(state) if state else (),
        breaches=_breaches(state) if state else (),
        dice=dice,
        waits=waits(state) if state and not reading.stuck else "",
        statements=tuple(statements(holders, rules, dice.statement if dice else "", end, limited)),
        judged=state.seq if state else None,
        opening=rules,
        words=vouched(reading),
        disputes=disputes(state) if state else (),
        penalties=penalties(state) if state else (),
        appeals=appeals(state) if state else (),
        adjournments=adjournments(state) if state else (),
        results=every_result(reading),
        end=end,
        limits=tuple(limited),
    )


def _breaches(state: MatchState) -> tuple[BreachReport, ...]:
    return tuple(
        BreachReport(event, text) for event, said in breaches(state).items() for text in said
    )
