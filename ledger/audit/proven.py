"""What nobody but an official vouches for: acts and dice written down, positions and results."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.audit.findings import WordReport
from ledger.audit.judging import Reading
from ledger.audit.naming import named, numbers
from ledger.audit.people import holders
from ledger.events import (
    AppealDecided,
    Award,
    Effect,
    Event,
    GivenResult,
    Physical,
    Resumed,
    RollConfirmed,
    RollRecorded,
    Ruling,
    SetPosition,
)
from ledger.fold import MatchState
from ledger.fold.adjourning import SEALED_MOVE
from ledger.fold.parts import ARBITER


def vouched(reading: Reading) -> tuple[WordReport, ...]:
    state = reading.state
    ruled = (*_dice(state), *_ruled(state), *_unopened(state)) if state else ()
    return (*_written(reading), *_put_in(reading), *ruled)


def _put_in(reading: Reading) -> Iterator[WordReport]:
    """Keys that were put in and that the old key did not consent to: whose they are."""
    for holder in holders(reading):
        change, party = holder.change, holder.party
        if change is None or change.consent or party.key is None:
            continue
        events = holder.of(reading.signed.get(party.role, ()))
        if events:
            text = (
                f"That the key since event {change.seq} is that of {party.name} ({party.role}): "
                f"it signed {numbers(events)}."
            )
            yield WordReport("key", change.by, events, text)


def _unopened(state: MatchState) -> Iterator[WordReport]:
    """A sealed move that the arbiter gave no time to be opened, or that nobody opened."""
    for entry in state.entries:
        event = entry.event
        if isinstance(event, Resumed) and event.data.opened is None:
            given = state.moments[event.seq].result
            if given is not None and given.how == SEALED_MOVE:
                text = f"That the sealed move was not opened in time: event {event.seq}."
                yield WordReport("result", ARBITER, (event.seq,), text)


def _written(reading: Reading) -> Iterator[WordReport]:
    """Acts and confirmations of seats without a key."""
    confirmations = _confirmations(reading.state)
    for holder in holders(reading):
        role, who = holder.party.role, f"{holder.party.name} ({holder.party.role})"
        events = holder.of(reading.written.get(role, ()))
        acts = tuple(seq for seq in events if seq not in confirmations)
        confirmed = tuple(seq for seq in events if seq in confirmations)
        if acts:
            text = f"What {who} did or said, without a key: {numbers(acts)}."
            yield WordReport("acts", ARBITER, acts, text)
        if confirmed:
            text = f"That {who} confirmed the dice, without a key: {numbers(confirmed)}."
            yield WordReport("confirmations", ARBITER, confirmed, text)


def _confirmations(state: MatchState | None) -> set[int]:
    entries = state.entries if state else ()
    return {each.event.seq for each in entries if isinstance(each.event, RollConfirmed)}


def _dice(state: MatchState) -> Iterator[WordReport]:
    """Dice on the table that the arbiter wrote down and no seat confirmed with a key."""
    if not isinstance(state.opening.dice, Physical) or state.opening.source is not None:
        return
    confirmed = {
        entry.event.data.confirms
        for entry in state.entries
        if isinstance(entry.event, RollConfirmed) and entry.event.for_ is None
    }
    events = tuple(
        entry.event.seq
        for entry in state.entries
        if isinstance(entry.event, RollRecorded)
        and entry.event.by == ARBITER
        and entry.hash not in confirmed
    )
    if events:
        text = f"Dice that the arbiter wrote down and no player's key confirmed: {numbers(events)}."
        yield WordReport("dice", ARBITER, events, text)


def _ruled(state: MatchState) -> Iterator[WordReport]:
    for entry in state.entries:
        event = entry.event
        if isinstance(event, Ruling | AppealDecided):
            for effect in event.data.effects:
                yield from _of_effect(state, event, effect)


def _of_effect(state: MatchState, event: Event, effect: Effect) -> Iterator[WordReport]:
    who, seq = named(state, event.by, event.seq), event.seq
    match effect:
        case SetPosition():
            text = f"The position that {who} set: event {seq}."
            yield WordReport("position", event.by, (seq,), text)
        case Award():
            dice = "-".join(map(str, effect.dice))
            text = f"The dice {dice} of roll {effect.roll}, awarded by {who}: event {seq}."
            yield WordReport("award", event.by, (seq,), text)
        case GivenResult():
            text = f"The result that {who} gave: event {seq}."
            yield WordReport("result", event.by, (seq,), text)
        case _:
            return
