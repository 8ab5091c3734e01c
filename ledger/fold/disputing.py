"""Disputes, statements, appeals: what people complain of, and how that ends without a ruling.

A dispute freezes the match: only openings that are owed, statements, consent by both and a ruling
go on, and what keeps keys and words in order. An appeal stops nothing: what it is against stands
until it is decided.
"""

from __future__ import annotations

from msgspec.structs import replace

from ledger.errors import Refused
from ledger.events import (
    AppealDecided,
    ArbiterReplaced,
    Complaint,
    DisputeSettled,
    Event,
    Evidence,
    KeyReplaced,
    MatchClosed,
    Note,
    Objection,
    RollOpened,
    Ruling,
    SeatAccepted,
    Settling,
    Stated,
)
from ledger.fold.course import append, check_frozen
from ledger.fold.parts import APPEAL, Appeal, Dispute, Entry, Phase
from ledger.fold.state import MatchState


def check_dispute(state: MatchState, event: Event) -> None:
    """What may go on while an event is disputed."""
    match event:
        case RollOpened() | Stated() | DisputeSettled() | Ruling():
            return
        case KeyReplaced() | ArbiterReplaced() | SeatAccepted() | Note():
            return
        case _:
            check_frozen(state)


def dispute(state: MatchState, entry: Entry, complaint: Complaint) -> MatchState:
    """A complaint about an event. The match freezes."""
    if state.closed:
        hint = "tabellion appeal --help" if APPEAL in state.roster else ""
        raise Refused(
            "match-closed", "The match is closed: nothing is disputed any more.", hint=hint
        )
    if state.phase is Phase.BEFORE_ACCEPTANCE and not state.under_way:
        raise Refused("not-accepted", "Nothing is disputed before all have accepted the match.")
    _check_event(state, complaint.event)
    return open_dispute(append(state, entry), entry, complaint.event)


def open_dispute(state: MatchState, entry: Entry, about: int) -> MatchState:
    found = Dispute(entry.hash, entry.event.seq, entry.event.by, about)
    return replace(state, disputes=(*state.disputes, found))


def _check_event(state: MatchState, seq: int) -> None:
    if seq > state.seq:
        raise Refused("no-such-event", f"There is no event {seq} yet that could be disputed.")


def state_words(state: MatchState, entry: Entry, said: Evidence) -> MatchState:
    """Words in an open dispute, or on an appeal that is not decided. They change nothing."""
    at_issue = {appeal.hash for appeal in state.appealed}
    if state.dispute is not None:
        at_issue.add(state.dispute.hash)
    if said.about not in at_issue:
        raise Refused(
            "nothing-at-issue",
            "A statement is about an open dispute or an appeal that is not decided; this one is "
            "about neither.",
            hint="tabellion note, for any other words",
        )
    return append(state, entry)


def settle(state: MatchState, entry: Entry, consent: Settling) -> MatchState:
    """A seat agrees that the dispute is over and the game stands as it is. With both it is."""
    open_, seat = state.dispute, entry.event.by
    if open_ is None or open_.hash != consent.dispute:
        raise Refused("no-such-dispute", "No dispute is open that this could settle.")
    if not state.opening.settlements:
        raise Refused(
            "no-settlements",
            "This match was opened without settlements: the arbiter rules.",
            hint="tabellion ruling --help",
        )
    for each in state.game.seats:
        if state.roster[each].key is None:
            raise Refused(
                "keyless-settlement",
                f"{state.roster[each].name} ({each}) has no key, and nobody settles for them: the "
                "arbiter rules.",
                hint="tabellion ruling --help",
            )
    if seat in open_.settled:
        raise Refused("settled-already", f"{state.roster[seat].name} has agreed to that already.")
    settled = open_.settled | {seat}
    ended = entry.event.seq if settled >= set(state.game.seats) else None
    last = replace(open_, settled=settled, ended=ended)
    return replace(append(state, entry), disputes=(*state.disputes[:-1], last))


def end_dispute(state: MatchState, seq: int) -> MatchState:
    """The open dispute, if there is one, is decided by event ``seq``."""
    if state.dispute is None:
        return state
    return replace(state, disputes=(*state.disputes[:-1], replace(state.disputes[-1], ended=seq)))


def appeal(state: MatchState, entry: Entry, objection: Objection) -> MatchState:
    """An appeal against a ruling or the closing, to the key named at opening."""
    if APPEAL not in state.roster:
        raise Refused("no-appeal", "This match was opened without anybody who decides appeals.")
    found = [each.event for each in state.entries if each.hash == objection.against]
    if not found or not isinstance(found[0], Ruling | MatchClosed):
        raise Refused(
            "not-appealable", "An appeal is against a ruling, or against the closing of a match."
        )
    (against,) = (each.seq for each in found)
    for each in state.appeals:
        if each.against == against:
            raise Refused(
                "appealed-already",
                f"Event {against} is under appeal, or was, since event {each.seq}.",
            )
    made = Appeal(entry.hash, entry.event.seq, entry.event.by, against)
    return replace(append(state, entry), appeals=(*state.appeals, made))


def end_appeal(state: MatchState, event: AppealDecided) -> MatchState:
    """The appeal that ``event`` decides is decided. Raises ``Refused``."""
    if event.data.appeal not in {each.hash for each in state.appealed}:
        raise Refused("no-such-appeal", "No appeal waits that this could decide.")
    appeals = tuple(
        replace(each, decided=event.seq) if each.hash == event.data.appeal else each
        for each in state.appeals
    )
    return replace(state, appeals=appeals)
