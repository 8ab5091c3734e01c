"""Disputes, rulings, penalties and appeals as sentences that name their events."""

from __future__ import annotations

from collections.abc import Sequence

from ledger.audit.findings import (
    AppealReport,
    DisputeReport,
    PenaltyReport,
    RulingReport,
    StatementReport,
)
from ledger.audit.lines import Line, Lines, Naming, capital, marks, quoted
from ledger.audit.naming import listed
from ledger.audit.report import Report


def disputes(report: Report) -> Lines:
    event = marks(report)
    numbers = {ruling.event: ruling.number for ruling in report.rulings}
    for each in report.disputes:
        act = f" ({each.act})" if each.act else ""
        who = f"{each.name} ({each.by}) disputes {event(each.about)}{act}: {quoted(each.text)}"
        of_itself = f"a dispute about {event(each.about)}, without a complaint: {each.text}"
        yield Line(f"{capital(event(each.event))}: {of_itself if each.of_itself else who}")
        yield from _said(each.statements, event)
        yield Line(_end_of(each, numbers, event), 1)


def _said(statements: Sequence[StatementReport], event: Naming) -> Lines:
    for said in statements:
        scribed = ", written down by the arbiter" if said.seat else ""
        who = f"{said.name} ({said.seat or said.by}){scribed}"
        words = quoted(said.text, said.sha256)
        yield Line(f"{capital(event(said.event))}, {who}: {words}", 1)


def _end_of(dispute: DisputeReport, numbers: dict[int, int], event: Naming) -> str:
    agreed = "; ".join(
        f"{each.name} ({each.seat}), {event(each.event)}" for each in dispute.settled
    )
    if dispute.ended is None:
        return f"Open: no ruling has ended it.{f' Would settle it: {agreed}.' if agreed else ''}"
    if dispute.how == "settled":
        return f"Settled by agreement: {agreed}. The game stands as it was."
    return f"Ended by ruling {numbers[dispute.ended]}, {event(dispute.ended)}."


def rulings(report: Report) -> Lines:
    event = marks(report)
    for ruling in report.rulings:
        yield Line(f"{ruling.number}. {capital(_ruling(ruling, event))}")


def _ruling(ruling: RulingReport, event: Naming) -> str:
    effects = "; ".join(each.text for each in ruling.effects)
    did = [f"{quoted(ruling.reason)} [{ruling.rule}]"]
    if ruling.takes_back:
        pairs = zip(ruling.takes_back, ruling.acts, strict=True)
        did.append(f"took back: {', '.join(f'{n} ({act})' if act else str(n) for n, act in pairs)}")
    if ruling.brings_back:
        did.append(f"brought back: {', '.join(map(str, ruling.brings_back))}")
    if ruling.dispute is not None:
        did.append(f"ended the dispute of {event(ruling.dispute)}")
    if ruling.appeal is not None:
        did.append(f"decided the appeal of {event(ruling.appeal)}")
    if ruling.overruled is not None:
        did.append(f"taken back itself by {event(ruling.overruled)}")
    return f"{event(ruling.event)}, {ruling.name} ({ruling.by}): {effects}. {'; '.join(did)}"


def penalties(report: Report) -> Lines:
    event = marks(report)
    players = dict.fromkeys((each.seat, each.name) for each in report.penalties)
    for seat, name in players:
        given = [
            f"{each.text} ({_given(each, event)})"
            for each in report.penalties
            if (each.seat, each.name) == (seat, name)
        ]
        yield Line(f"{name} ({seat}): {listed(given)}")


def _given(penalty: PenaltyReport, event: Naming) -> str:
    if penalty.withdrawn is None:
        return event(penalty.event)
    return f"{event(penalty.event)}, withdrawn by {event(penalty.withdrawn)}"


def appeals(report: Report) -> Lines:
    event = marks(report)
    numbers = {ruling.event: ruling.number for ruling in report.rulings}
    for each in report.appeals:
        against = _against(report, each, event)
        yield Line(
            f"{capital(event(each.event))}: {each.name} ({each.seat}) appeals against {against}: "
            f"{quoted(each.text)}"
        )
        yield from _said(each.statements, event)
        if each.decided is None:
            yield Line("Pending: not decided.", 1)
        else:
            yield Line(f"Decided by ruling {numbers[each.decided]}, {event(each.decided)}.", 1)


def _against(report: Report, appeal: AppealReport, event: Naming) -> str:
    for ruling in report.rulings:
        if ruling.event == appeal.against:
            return f"ruling {ruling.number}, {event(ruling.event)}"
    return f"the closing, {event(appeal.against)}"
