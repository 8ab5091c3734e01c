"""Adjournments of a match, and the moves that were sealed meanwhile."""

from __future__ import annotations

from msgspec.structs import replace

from ledger.audit.findings import AdjournmentReport, Fate, SealReport
from ledger.audit.naming import held_by
from ledger.events import (
    Adjourned,
    AppealDecided,
    Event,
    GivenResult,
    Resigned,
    Resumed,
    Rewind,
    Ruling,
    SetPosition,
)
from ledger.fold import MatchState


def adjournments(state: MatchState) -> tuple[AdjournmentReport, ...]:
    found: list[AdjournmentReport] = []
    for entry in state.entries:
        event = entry.event
        if isinstance(event, Adjourned):
            if event.data.sealed is None:
                found.append(AdjournmentReport(event.seq, event.data.until, (), None, None))
            elif found:
                seals = (*found[-1].seals, _sealed(state, event))
                found[-1] = replace(found[-1], seals=seals)
        elif found and found[-1].resumed is None and found[-1].ended is None:
            found[-1] = _after(state, found[-1], event)
    return tuple(found)


def _sealed(state: MatchState, event: Adjourned) -> SealReport:
    seat = event.for_ or event.by
    return SealReport(
        event=event.seq,
        seat=seat,
        name=held_by(state, seat, event.seq),
        scribed=event.for_ is not None,
        move=None,
        fate="waits",
        ended=None,
    )


def _after(state: MatchState, rest: AdjournmentReport, event: Event) -> AdjournmentReport:
    """The adjournment once ``event`` has come, whatever that is."""
    match event:
        case Resumed():
            opened = event.data.opened
            fate: Fate = "unopened" if opened is None else "opened"
            if opened is not None and _unplayable(state, event.seq):
                fate = "illegal"
            move = opened.move if opened else None
            return replace(_end_seal(rest, event.seq, fate, move), resumed=event.seq)
        case Resigned():
            return replace(_end_seal(rest, event.seq, "lapsed"), ended=event.seq)
        case Ruling() | AppealDecided():
            effects = event.data.effects
            if any(isinstance(each, GivenResult) for each in effects):
                return replace(_end_seal(rest, event.seq, "lapsed"), ended=event.seq)
            if any(isinstance(each, Rewind | SetPosition) for each in effects):
                return _end_seal(rest, event.seq, "lapsed")
            return rest
        case _:
            return rest


def _unplayable(state: MatchState, seq: int) -> bool:
    """Whether the move that event ``seq`` opened cost the game, or made a dispute of itself."""
    return state.moments[seq].acted or any(each.seq == seq for each in state.disputes)


def _end_seal(
    rest: AdjournmentReport, seq: int, fate: Fate, move: str | None = None
) -> AdjournmentReport:
    if not rest.seals or rest.seals[-1].fate != "waits":
        return rest
    last = replace(rest.seals[-1], fate=fate, ended=seq, move=move)
    return replace(rest, seals=(*rest.seals[:-1], last))
