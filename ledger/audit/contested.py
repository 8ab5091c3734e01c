"""Disputes, rulings, penalties and appeals of a match, with who said what and what came of it."""

from __future__ import annotations

from ledger.audit.findings import (
    AppealReport,
    ConsentReport,
    DisputeReport,
    EffectReport,
    PenaltyReport,
    RulingReport,
    StatementReport,
    TakebackReport,
)
from ledger.audit.naming import act_words, effect_words, held_by
from ledger.events import (
    AppealDecided,
    Appealed,
    DisputeRaised,
    DisputeSettled,
    OfferAccepted,
    OfferMade,
    Resumed,
    Rewind,
    Ruling,
    Stated,
    TakebackOffer,
)
from ledger.fold import MatchState, moved, overruled, taken_back
from ledger.fold.ruling import PENALTIES


def rulings(state: MatchState) -> tuple[RulingReport, ...]:
    """Rulings and decisions of appeals, in their order."""
    disputes = {each.ended: each.seq for each in state.disputes}
    appeals = {each.decided: each.seq for each in state.appeals}
    reversed_by = overruled(state)
    found: list[RulingReport] = []
    for entry in state.entries:
        event = entry.event
        if not isinstance(event, Ruling | AppealDecided):
            continue
        effects = event.data.effects
        gone, back = (
            tuple(each for each in events if state.moments[each].acted)
            for events in moved(state.moments, event.seq)
        )
        found.append(
            RulingReport(
                event=event.seq,
                reason=event.data.reason,
                rule=event.data.rule,
                dice=next((each.dice for each in effects if isinstance(each, Rewind)), None),
                takes_back=gone,
                acts=tuple(act_words(state, each) for each in gone),
                overruled=reversed_by.get(event.seq),
                number=len(found) + 1,
                by=event.by,
                name=held_by(state, event.by, event.seq),
                effects=tuple(
                    EffectReport(str(each.__struct_config__.tag), effect_words(state, event, each))
                    for each in effects
                ),
                brings_back=back,
                dispute=disputes.get(event.seq),
                appeal=appeals.get(event.seq),
            )
        )
    return tuple(found)


def disputes(state: MatchState) -> tuple[DisputeReport, ...]:
    said = _statements(state)
    consents: dict[str, list[ConsentReport]] = {}
    for entry in state.entries:
        event = entry.event
        if isinstance(event, DisputeSettled):
            consent = ConsentReport(event.seq, event.by, held_by(state, event.by, event.seq))
            consents.setdefault(event.data.dispute, []).append(consent)
    found = []
    for each in state.disputes:
        event = state.entries[each.seq].event
        ruled = each.ended is not None and isinstance(state.entries[each.ended].event, Ruling)
        found.append(
            DisputeReport(
                event=each.seq,
                by=each.by,
                name=held_by(state, each.by, each.seq),
                about=each.about,
                act=act_words(state, each.about),
                text=event.data.text if isinstance(event, DisputeRaised) else _of_itself(event),
                of_itself=not isinstance(event, DisputeRaised),
                statements=tuple(said.get(each.hash, ())),
                settled=tuple(consents.get(each.hash, ())),
                ended=each.ended,
                how=None if each.ended is None else "ruling" if ruled else "settled",
            )
        )
    return tuple(found)


def _of_itself(event: object) -> str:
    """What a dispute is about that nobody raised: a sealed move that cannot be played."""
    opened = isinstance(event, Resumed) and event.data.opened is not None
    return f"The sealed move {'is illegal' if opened else 'was not opened'}."


def appeals(state: MatchState) -> tuple[AppealReport, ...]:
    said = _statements(state)
    found = []
    for each in state.appeals:
        event = state.entries[each.seq].event
        found.append(
            AppealReport(
                event=each.seq,
                seat=each.seat,
                name=held_by(state, each.seat, each.seq),
                against=each.against,
                text=event.data.text if isinstance(event, Appealed) else "",
                statements=tuple(said.get(each.hash, ())),
                decided=each.decided,
            )
        )
    return tuple(found)


def _statements(state: MatchState) -> dict[str, list[StatementReport]]:
    """What was said, by the hash of the dispute or appeal that it was said on."""
    found: dict[str, list[StatementReport]] = {}
    for entry in state.entries:
        event = entry.event
        if isinstance(event, Stated):
            name = held_by(state, event.for_ or event.by, event.seq)
            data = event.data
            said = StatementReport(event.seq, event.by, event.for_, name, data.text, data.sha256)
            found.setdefault(data.about, []).append(said)
    return found


def penalties(state: MatchState) -> tuple[PenaltyReport, ...]:
    return tuple(
        PenaltyReport(
            each.seq, each.seat, each.name, each.penalty, PENALTIES[each.penalty], each.withdrawn
        )
        for each in state.penalties
    )


def takebacks(state: MatchState) -> tuple[TakebackReport, ...]:
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
