"""A match as one line of the hall."""

from __future__ import annotations

from ledger import views
from ledger.fold import MatchState
from ledger.fold.due import due
from ledger.views.shapes import DueView
from ledger.views.telling import offers
from ledger.web.shapes import HallLine


def hall_line(state: MatchState, stored: str) -> HallLine:
    """``stored``: when the last event was."""
    waits = due(state)
    parties = {seat: state.roster[seat] for seat in state.game.seats}
    return HallLine(
        match=state.match,
        ruleset=state.opening.ruleset.name,
        seats={seat: party.name for seat, party in parties.items()},
        about=views.about(state),
        events=state.seq + 1,
        phase=state.phase.value,
        turn=state.turn,
        result=state.result,
        next=views.next_step(state),
        due=DueView(step=waits.step.value, whose=waits.whose),
        since=stored,
        offers=offers(state),
        keys=tuple(seat for seat, party in parties.items() if party.key is not None),
    )
