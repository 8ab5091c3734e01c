"""What there is to tell of disputes, appeals, penalties and results. From the fold alone."""

from __future__ import annotations

from ledger.events import Appealed, DisputeRaised, Stated
from ledger.fold import MatchState
from ledger.fold.ruling import PENALTIES
from ledger.views.shapes import (
    AppealView,
    DisputeView,
    PenaltyView,
    SignedResultView,
    StatementView,
)


def dispute(state: MatchState) -> DisputeView | None:
    """The dispute that is open. One that a sealed move has opened has no words of its own."""
    found = state.dispute
    if found is None:
        return None
    raised = state.entries[found.seq].event
    text = raised.data.text if isinstance(raised, DisputeRaised) else "The sealed move."
    return DisputeView(
        seq=found.seq,
        by=found.by,
        event=found.about,
        text=text,
        statements=_statements(state, found.hash),
        settled=tuple(seat for seat in state.game.seats if seat in found.settled),
    )


def appeals(state: MatchState) -> tuple[AppealView, ...]:
    """The appeals that wait to be decided."""
    found = []
    for each in state.appealed:
        event = state.entries[each.seq].event
        text = event.data.text if isinstance(event, Appealed) else ""
        said = _statements(state, each.hash)
        found.append(AppealView(each.seq, each.seat, each.against, text, said))
    return tuple(found)


def _statements(state: MatchState, about: str) -> tuple[StatementView, ...]:
    return tuple(
        StatementView(event.seq, event.for_ or event.by, event.data.text)
        for event in (entry.event for entry in state.entries)
        if isinstance(event, Stated) and event.data.about == about
    )


def penalties(state: MatchState) -> tuple[PenaltyView, ...]:
    """Every penalty, counted by player: a substitute begins anew."""
    counts: dict[tuple[str, str, str], int] = {}
    found = []
    for each in state.penalties:
        whose = (each.seat, each.name, each.penalty)
        counts[whose] = counts.get(whose, 0) + (each.withdrawn is None)
        count = counts[whose] if each.withdrawn is None else 0
        found.append(
            PenaltyView(
                seq=each.seq,
                seat=each.seat,
                name=each.name,
                penalty=each.penalty,
                text=PENALTIES[each.penalty],
                count=count,
                withdrawn=each.withdrawn,
            )
        )
    return tuple(found)


def results(state: MatchState) -> tuple[SignedResultView, ...]:
    """Every result since the match was closed, and who signed which."""
    return tuple(
        SignedResultView(
            seq=sheet.seq,
            result=sheet.result,
            signed=tuple(role for role in state.roster if role in sheet.signed),
            for_absent=dict(sheet.for_absent),
            refused=dict(sheet.refused),
        )
        for sheet in state.sheets
    )
