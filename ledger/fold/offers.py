"""Offers: a draw, a takeback, a settlement. Made by one seat, answered by the other, by the
offer's own hash.

An offer stands until it is answered, until the other side's next action (not a call, which belongs
to the move before it), until the game is set back or has a result; a settlement until anybody's
next action, since it was meant for one position. So no answer can ever meet an
offer that was not meant.
"""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from ledger.errors import Refused
from ledger.events import (
    AppealDecided,
    DrawOffer,
    OfferMade,
    Result,
    Ruling,
    SettlementOffer,
    TakebackOffer,
    Terms,
)
from ledger.fold.course import acting_seat, append, check_in_play, result_of
from ledger.fold.ending import end
from ledger.fold.parts import Entry, StandingOffer
from ledger.fold.rewinding import Dice, check_rewind, rewind
from ledger.fold.state import MatchState

AGREED = "agreed"
"""How a draw by agreement came about."""


def make(state: MatchState, entry: Entry, terms: Terms) -> MatchState:
    check_in_play(state)
    seat = acting_seat(entry)
    if isinstance(terms, TakebackOffer):
        _check_takeback(state, terms.to)
    if isinstance(terms, SettlementOffer):
        if not state.opening.settlements:
            raise Refused("no-settlements", "This match was opened without settlements.")
        state.game.settle(state.position, terms.split)
    for offer in state.offers:
        if offer.seat == seat and type(offer.terms) is type(terms):
            raise Refused(
                "offered-already",
                f"An offer of {state.roster[seat].name} of that kind stands already (event "
                f"{offer.seq}), until it is answered or the other side acts.",
            )
    offer = StandingOffer(hash=entry.hash, seq=entry.event.seq, seat=seat, terms=terms)
    return replace(append(state, entry), offers=(*state.offers, offer))


def _check_takeback(state: MatchState, to: int) -> None:
    if not state.opening.takebacks:
        raise Refused(
            "no-takebacks",
            "This match was opened without takebacks: what is played stands.",
            hint="The arbiter can correct what was mistyped: tabellion correct N --reason WORDS",
        )
    check_rewind(state, to, _kept(state))
    ruled = [seq for seq in state.line() if seq > to and state.moments[seq].acted]
    if any(isinstance(state.entries[seq].event, Ruling | AppealDecided) for seq in ruled):
        raise Refused("across-a-ruling", "What a ruling has done is not taken back by agreement.")
    if to != 0 and to not in state.line():
        raise Refused("taken-back", f"Event {to} was taken back; the game cannot return to it.")


def accept(state: MatchState, entry: Entry, digest: str) -> MatchState:
    """The offer with this hash takes effect."""
    terms = _answered(state, entry, digest).terms
    match terms:
        case DrawOffer():
            return end(state, entry, Result(kind="draw", how=AGREED))
        case TakebackOffer():
            return rewind(state, entry, terms.to, _kept(state))
        case SettlementOffer():
            settled = state.game.settle(state.position, terms.split)
            return end(state, entry, result_of(state.game.outcome(settled)), settled)
        case _ as never:
            assert_never(never)


def _kept(state: MatchState) -> Dice | None:
    """A takeback never goes back across a throw: the dice stay."""
    return "keep" if state.game.dice else None


def decline(state: MatchState, entry: Entry, digest: str) -> MatchState:
    answered = _answered(state, entry, digest)
    standing = tuple(offer for offer in state.offers if offer is not answered)
    return replace(append(state, entry), offers=standing)


def _answered(state: MatchState, entry: Entry, digest: str) -> StandingOffer:
    check_in_play(state)
    for offer in state.offers:
        if offer.hash == digest:
            if offer.seat == acting_seat(entry):
                raise Refused(
                    "own-offer",
                    f"{state.roster[offer.seat].name} made this offer: the other side answers.",
                )
            return offer
    for known in state.entries:
        if known.hash == digest and isinstance(known.event, OfferMade):
            raise Refused(
                "offer-lapsed", f"The offer of event {known.event.seq} does not stand any more."
            )
    raise Refused("no-such-offer", "No event of this match is the offer that is answered.")
