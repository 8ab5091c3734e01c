"""Every result that a match had: the event that gave it, whether it stands, and who signed it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ledger.audit.findings import ResultReport, SignatureReport, UnwillingReport
from ledger.audit.judging import Reading
from ledger.audit.naming import held_by, named, result_words
from ledger.events import (
    AppealDecided,
    Countersigned,
    DrawClaimed,
    MatchClosed,
    Moved,
    OfferAccepted,
    Resigned,
    Result,
    Resumed,
    Ruling,
    SignatureRefused,
)
from ledger.fold import MatchState
from ledger.fold.parts import Moment, Sheet


def every_result(reading: Reading) -> tuple[ResultReport, ...]:
    """In the order of the events that gave them: those of the game, then those that changed the
    result of the closed match."""
    state = reading.state
    if state is None:
        return ()
    moments, names = state.moments, _names(reading, state)
    given = [(seq, each.result) for seq, each in enumerate(moments) if each.acted and each.result]
    last = _giver(moments, state.seq) if moments[-1].result else None
    closing = state.sheets[0] if state.sheets else None
    found = [
        _report(state, names, seq, result, closing if seq == last else None, stands=seq == last)
        for seq, result in given
    ]
    for sheet in state.sheets[1:]:
        found.append(_report(state, names, sheet.seq, sheet.result, sheet, stands=True))
    return tuple(found)


def _giver(moments: Sequence[Moment], seq: int) -> int:
    """The act that led to the game as it stands after event ``seq``."""
    while seq and not moments[seq].acted:
        seq = moments[seq].before
    return seq


def _report(
    state: MatchState,
    names: Mapping[str, _Names],
    seq: int,
    result: Result,
    sheet: Sheet | None,
    *,
    stands: bool,
) -> ResultReport:
    following = _following(state, sheet) if sheet else None
    signed, refused = names.get(sheet.event, _Names()) if sheet else _Names()
    at = (following or state.seq + 1) if sheet else seq
    done = {each.role for each in signed} | {each.absent for each in signed}
    done |= {each.seat for each in refused}
    keyed = {seat: state.holder(seat, at).key is not None for seat in state.game.seats if sheet}
    return ResultReport(
        event=seq,
        how=_how(state, seq),
        result=result,
        text=result_words(state, result, seq),
        ruled=isinstance(state.entries[seq].event, Ruling | AppealDecided),
        closing=sheet.seq if sheet and sheet.seq != seq else None,
        cites=_cited(state, sheet),
        signable=sheet is not None,
        signed=signed,
        refused=refused,
        unsigned=tuple(seat for seat, key in keyed.items() if key and seat not in done),
        keyless=tuple(seat for seat, key in keyed.items() if not key and seat not in done),
        appeals=tuple(
            each.seq
            for each in state.appeals
            if each.against == seq or (sheet and each.against == sheet.seq)
        ),
        stands=stands and following is None,
        ended=following if sheet else None if stands else _ended(state.moments, seq),
    )


def _following(state: MatchState, sheet: Sheet) -> int | None:
    """The event that gave the closed match another result."""
    return next((each.seq for each in state.sheets if each.seq > sheet.seq), None)


def _ended(moments: Sequence[Moment], seq: int) -> int | None:
    """The event that first took back the result of event ``seq``, or gave another."""
    for later in range(seq + 1, len(moments)):
        if moments[later].acted or moments[later].before != later - 1:
            return later
    return None


def _cited(state: MatchState, sheet: Sheet | None) -> int | None:
    event = state.entries[sheet.seq].event if sheet else None
    if not isinstance(event, MatchClosed) or event.data.ruling is None:
        return None
    digest = event.data.ruling
    return next((each.event.seq for each in state.entries if each.hash == digest), None)


class _Names(NamedTuple):
    """Who signed a result, and who would not."""

    signed: tuple[SignatureReport, ...] = ()
    refused: tuple[UnwillingReport, ...] = ()


def _names(reading: Reading, state: MatchState) -> dict[str, _Names]:
    """The names under each result, by the hash of the event that gave it. A signature counts if
    it is genuine."""
    found: dict[str, _Names] = {}
    for entry in state.entries:
        event = entry.event
        match event:
            case Countersigned(data=data) if event.seq in reading.genuine:
                absent = data.absent
                signature = SignatureReport(
                    event=event.seq,
                    role=event.by,
                    name=held_by(state, event.by, event.seq),
                    absent=absent,
                    absent_name=held_by(state, absent, event.seq) if absent else None,
                )
                names = found.get(data.result_event, _Names())
                found[data.result_event] = names._replace(signed=(*names.signed, signature))
            case SignatureRefused(data=data):
                name = held_by(state, data.seat, event.seq)
                refusal = UnwillingReport(event.seq, data.seat, name, data.reason)
                names = found.get(data.result_event, _Names())
                found[data.result_event] = names._replace(refused=(*names.refused, refusal))
            case _:
                continue
    return found


def _how(state: MatchState, seq: int) -> str:
    event = state.entries[seq].event
    who = named(state, event.for_ or event.by, seq)
    match event:
        case Ruling():
            return f"a ruling of {who}"
        case AppealDecided():
            return f"the decision of an appeal by {who}"
        case Resigned():
            return f"the resignation of {who}"
        case OfferAccepted():
            return f"an offer that {who} agreed to"
        case DrawClaimed():
            return f"a claim of {who}"
        case Resumed():
            return "a sealed move that could not be played"
        case Moved():
            return f"a move of {who}"
        case _:
            return f"an act of {who}"
