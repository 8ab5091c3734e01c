"""A whole match on paper, for tests: kept by somebody who reads the rules and never asks the fold.

``Book`` says what stands after each event: the game, who holds which role, what is open and whose
step it is, who signed which result. What is refused is in ``bookreferee``. Positions come from the
games' own rules; how they follow from events is worked out here once more.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import tabulabyhand
from bookpages import (
    ON_THE_BOARD,
    Appeal,
    Change,
    Dispute,
    Done,
    Flight,
    Given,
    Held,
    Page,
    Roll,
    ScoreSheet,
    Sealed,
    Standing,
    Unopened,
    Waiting,
)
from scoresheet import Act, Offer

from ledger.events import (
    Adjournment,
    Answer,
    Award,
    Commitment,
    Confirmation,
    Decision,
    DrawOffer,
    Evidence,
    GivenResult,
    Lying,
    NewContributors,
    Opened,
    Opening,
    Penalty,
    Play,
    Replacement,
    Result,
    Resumption,
    Rewind,
    SetPosition,
    SettlementOffer,
    Succession,
    TakebackOffer,
    Taking,
    Throw,
    Verdict,
    Withdrawn,
)
from ledger.events import Call as Calling
from ledger.games import ruleset
from ledger.games.protocol import Action

ON_THE_GAME = (Rewind, SetPosition, GivenResult, Award)
"""Effects that another ruling can take back, the game with them."""


@dataclass(frozen=True)
class Book(Standing):
    """A match on paper, and how it goes on."""

    # -- what follows ----------------------------------------------------------------------

    def after(self, act: Act, digest: str) -> Book:
        """The book once ``act``, an event with this hash, is written in it."""
        seq, seat = len(self.pages), act.seat
        went_on = self.page._replace(trail=(*self.page.trail, seq))
        events = (*self.events, Done(act.kind, digest))
        noted = replace(self, pages=(*self.pages, went_on), events=events)
        acted = replace(noted, acted=(*self.acted, seq))
        match act.kind, act.data:
            case kind, _ if kind in ON_THE_BOARD:
                return acted._played(act)
            case "seat.accepted", _:
                seats = {act.by} & {*self.seats}
                return replace(noted, accepted=self.accepted | seats, put_in=self.put_in - {act.by})
            case "resigned", _:
                winner = self.across(seat)
                return acted._over(Result(kind="win", how="resigned", winner=winner))
            case "draw.claimed", _:
                return acted._over(result_of(self.rules.claim(self.game)))
            case kind, _ if kind.startswith("offer."):
                return noted._offered(act, digest)
            case kind, _ if kind.startswith(("roll", "dice.")):
                return noted._about_dice(act, digest)
            case "dispute.raised", _:
                opened = Dispute(digest, seq, act.by, act.data.event)
                return replace(noted, disputes=(*self.disputes, opened))
            case "dispute.settled", _:
                return noted._settled(act.by)
            case "appeal", _:
                (against,) = (
                    at for at, each in enumerate(self.events) if each.hash == act.data.against
                )
                made = Appeal(digest, seq, act.by, against)
                return replace(noted, appeals=(*self.appeals, made))
            case "ruling", Verdict():
                ended = tuple(
                    each if each.ended is not None else each._replace(ended=seq)
                    for each in self.disputes
                )
                return replace(noted, disputes=ended)._ruled(act.data.effects, digest, "ruling")
            case "appeal.decided", Decision(appeal=appeal):
                decided = tuple(
                    each._replace(decided=seq) if each.hash == appeal else each
                    for each in self.appeals
                )
                return replace(noted, appeals=decided)._ruled(act.data.effects, digest, "appeal")
            case "key.replaced", Replacement(role=role):
                held = Held(act.data.name, act.data.key)
                return noted._held(role, held, consent=act.data.consent is not None)
            case "arbiter.replaced", Succession():
                held = Held(act.data.name, act.data.key)
                return noted._held("arbiter", held, consent=act.by == "arbiter")
            case "adjourned", Adjournment(sealed=None):
                return replace(noted, adjourned=seq, sealed=None, offers=())
            case "adjourned", Adjournment(sealed=bound):
                return replace(noted, sealed=Sealed(seq, seat, bound))
            case "resumed", Resumption(opened=opened):
                return replace(noted, adjourned=None)._resumed(act.by, opened, digest)
            case "match.closed", _:
                return replace(noted, sheets=(ScoreSheet(digest, seq, act.data.result),))
            case (("countersigned" | "signature.refused"), _):
                return noted._signed(act)
        assert isinstance(act.data, Evidence) or act.kind == "note", act
        return noted

    def _turned(self, **changes: Any) -> Book:
        """The same book with these changes to its last page."""
        return replace(self, pages=(*self.pages[:-1], self.page._replace(**changes)))

    def _now(self, game: Any, **changes: Any) -> Book:
        """The game stands so from here on, and is over if its rules say so."""
        outcome = self.rules.outcome(game)
        result = result_of(outcome) if outcome else None
        over = self._turned(game=game, result=result, **changes)
        return replace(over, offers=()) if result else over

    def _over(self, result: Result) -> Book:
        return replace(self._given_up(self.seq), offers=())._turned(result=result)

    def _played(self, act: Act) -> Book:
        keep = self.offers
        if act.kind != "call":
            keep = tuple(
                offer
                for offer in self.offers
                if offer.seat == act.seat and not isinstance(offer.terms, SettlementOffer)
            )
        beside = self.sealed if act.kind == "call" else None
        played = replace(self, offers=keep, voiding=None, sealed=beside)
        return played._now(self.rules.apply(self.game, action(act)))

    def _offered(self, act: Act, digest: str) -> Book:
        if act.kind == "offer.made":
            made = Offer(digest, self.seq, act.seat, act.data)
            return replace(self, offers=(*self.offers, made))
        assert isinstance(act.data, Answer)
        (answered,) = (each for each in self.offers if each.hash == act.data.offer)
        if act.kind == "offer.declined":
            return replace(self, offers=tuple(each for each in self.offers if each != answered))
        acted = replace(self, acted=(*self.acted, self.seq))
        match answered.terms:
            case TakebackOffer(to=to):
                return self._rewound(to, "keep" if self.rules.dice else None)
            case SettlementOffer(split=split):
                settled = self.rules.settle(self.game, split)
                return replace(acted._now(settled), offers=())
            case DrawOffer():
                return acted._over(Result(kind="draw", how="agreed"))
        raise AssertionError(answered)

    def _settled(self, seat: str) -> Book:
        last = self.disputes[-1]
        agreed = last.settled | {seat}
        ended = self.seq if agreed == {*self.seats} else None
        last = last._replace(settled=agreed, ended=ended)
        return replace(self, disputes=(*self.disputes[:-1], last))

    # -- dice

    def _about_dice(self, act: Act, digest: str) -> Book:
        acted = replace(self, acted=(*self.acted, self.seq))
        match act.kind, act.data:
            case "dice.committed", Commitment(commitment=given):
                commitments = {**self.commitments, act.by: given}
                return replace(self, commitments=commitments, used=self.used | {given})
            case "roll", Throw(nonce=nonce, next=following):
                flown = replace(acted, offers=(), flight=Flight(act.seat, self.seq))
                return flown._opened(act.by, nonce, following) if nonce and following else flown
            case "roll.opened", Opened(nonce=nonce, next=following):
                return acted._opened(act.by, nonce, following)
            case "roll.recorded", Lying(dice=dice):
                return acted._recorded(act, digest, dice)
            case "roll.confirmed", Confirmation(confirms=confirmed):
                if self.recorded and self.recorded.hash == confirmed:
                    fallen = self.recorded.roll._replace(seq=self.seq)
                    return replace(acted, recorded=None)._fallen(fallen)
                return self._annulled()
        assert self.lying
        if act.by == "arbiter" or self.voiding:
            return self._annulled()
        asked = Waiting(self.seq, digest, self.lying, self.across(act.by))
        return replace(self, voiding=asked)

    def _opened(self, role: str, nonce: str, following: str) -> Book:
        assert self.flight
        flight = self.flight._replace(nonces={**self.flight.nonces, role: nonce})
        coming = {**self.coming, role: following}
        open_ = replace(self, flight=flight, coming=coming, used=self.used | {nonce, following})
        if open_.awaited:
            return open_
        nonces = {self.in_tabula(each): shown for each, shown in flight.nonces.items()}
        count = self.rules.wanted(self.game).count
        dice = tabulabyhand.faces(self.match, self.number, nonces, count)
        roll = Roll(self.number, flight.seat, dice, flight.thrown, self.seq)
        return open_._landed()._fallen(roll)

    def _next_number(self, commitments: Mapping[str, str]) -> Book:
        return replace(self, number=self.number + 1, commitments=commitments, coming={})

    def _landed(self) -> Book:
        """After a roll in flight those are bound to the next number who opened; to none where a
        key was lost meanwhile."""
        left = replace(self, flight=None, spoiled=False)._next_number(self.coming)
        return left._next_number({}) if self.spoiled and self.coming else left

    def _recorded(self, act: Act, digest: str, dice: tuple[int, ...]) -> Book:
        thrower = self.rules.wanted(self.game).seat
        roll = Roll(self.number, thrower, dice, self.seq, self.seq)
        written = replace(self, number=self.number + 1, offers=(), voiding=None)
        if not self.confirms:
            return written._fallen(roll)
        confirmer = self.across(thrower if act.seat == "arbiter" else act.seat)
        return replace(written, recorded=Waiting(self.seq, digest, roll, confirmer))

    def _fallen(self, roll: Roll) -> Book:
        there = replace(self, rolls=(*self.rolls, roll), voiding=None)
        return there._now(self.rules.throw(self.game, roll.dice), roll=roll)

    def _annulled(self) -> Book:
        """The page before the throw is turned up again."""
        lying, seq = self.lying, self.seq
        assert lying
        kept = self.rolls if self.recorded else self.rolls[:-1]
        before = self.pages[lying.thrown - 1]
        rolls = (*kept, lying._replace(voided=seq, counted=self.recorded is None))
        there = replace(self, rolls=rolls, recorded=None, voiding=None, offers=())
        return there._turned_to(before)

    def _turned_to(self, page: Page) -> Book:
        back = page._replace(trail=(*page.trail, self.seq))
        return replace(self, pages=(*self.pages[:-1], back))

    def _given_up(self, seq: int) -> Book:
        """With event ``seq`` a roll in flight is dead, and its number with it."""
        if self.flight is None:
            return self
        dead = Unopened(self.number, self.flight.seat, self.awaited, seq)
        return replace(self, unopened=(*self.unopened, dead))._landed()

    # -- rulings

    def _ruled(self, effects: Any, digest: str, how: str) -> Book:
        ruled = self
        if not self.sheets and any(isinstance(each, ON_THE_GAME) for each in effects):
            ruled = replace(self, ruled=(*self.ruled, self.seq))
        for effect in effects:
            match effect:
                case Penalty(seat=seat, penalty=penalty):
                    given = Given(self.seq, seat, self.holders[seat].name, penalty)
                    ruled = replace(ruled, penalties=(*ruled.penalties, given))
                case Withdrawn(ruling=seq):
                    kept = tuple(
                        each._replace(withdrawn=self.seq)
                        if each.seq == seq and each.withdrawn is None
                        else each
                        for each in ruled.penalties
                    )
                    ruled = replace(ruled, penalties=kept)
                case Rewind(to=to, dice=dice):
                    ruled = ruled._rewound(to, dice)
                case SetPosition(position=text):
                    acted = replace(ruled._laid_down(), acted=(*ruled.acted, self.seq))
                    acted = replace(acted, set_up=(*ruled.set_up, self.seq))
                    ruled = replace(acted, offers=(), sealed=None)._now(self.placed(text))
                case GivenResult(kind=kind, winner=winner):
                    ruled = ruled._given(Result(kind=kind, how=how, winner=winner), digest)
                case Award(roll=number, dice=dice):
                    ruled = ruled._awarded(number, dice)
                case NewContributors(contributors=roles):
                    ruled = ruled._named(roles)
        return ruled

    def _given(self, result: Result, digest: str) -> Book:
        if self.sheets:
            return replace(self, sheets=(*self.sheets, ScoreSheet(digest, self.seq, result)))
        rests = replace(self._laid_down(), adjourned=None, sealed=None)
        return replace(rests, acted=(*self.acted, self.seq))._over(result)

    def _awarded(self, number: int, dice: tuple[int, ...]) -> Book:
        flight = self.flight
        assert flight
        roll = Roll(number, flight.seat, dice, flight.thrown, self.seq, awarded=True)
        acted = replace(self._given_up(self.seq), acted=(*self.acted, self.seq))
        return acted._fallen(roll)

    def _named(self, roles: tuple[str, ...]) -> Book:
        """Others make the dice. A throw in flight counts for nothing; who opened it is bound to
        the next one already."""
        left = replace(self._next_number({}), named=roles, offers=())
        if self.flight:
            gone = replace(self._given_up(self.seq), named=roles, offers=())
            bound = {who: what for who, what in gone.commitments.items() if who in roles}
            left = replace(gone, commitments=bound)._turned_to(self.pages[self.flight.thrown - 1])
        return left

    def _rewound(self, to: int, dice: str | None) -> Book:
        page = self.pages[self.target(to, dice)]
        return replace(self._laid_down(), offers=(), sealed=None)._turned_to(page)

    def _laid_down(self) -> Book:
        """Dice that are not there yet, or not confirmed, will not be."""
        rest = replace(self._given_up(self.seq), recorded=None, voiding=None)
        if self.recorded is None:
            return rest
        lost = self.recorded.roll._replace(voided=self.seq, counted=False)
        return replace(rest, rolls=(*self.rolls, lost))

    # -- people

    def _held(self, role: str, held: Held, *, consent: bool) -> Book:
        change = Change(self.seq, role, self.holders[role], held, consent)
        gone = {role}
        return replace(
            self._unbound(role) if role in self.contributors else self,
            holders={**self.holders, role: held},
            changes=(*self.changes, change),
            keys_seen=self.keys_seen | ({held.key} if held.key else set()),
            accepted=self.accepted - gone,
            put_in=self.put_in | gone if held.key else self.put_in - gone,
        )

    def _unbound(self, role: str) -> Book:
        """Whoever makes dice has another key: the coming number is dead if anybody was bound to
        it. In flight it is so later; the number of the old key is gone at once."""
        if self.flight is None:
            return self._next_number({}) if self.commitments else self
        kept = {who: what for who, what in self.commitments.items() if who != role}
        return replace(self, commitments=kept, spoiled=True)

    def _resumed(self, by: str, opened: Any, digest: str) -> Book:
        if self.sealed is None:
            return self
        legal = opened and self.unplayable(Action("move", opened.move)) is None
        if legal:
            return replace(self, sealed=self.sealed._replace(text=opened.move))
        left = replace(self, sealed=None)
        if self.opening.sealed_move_unopened == "ruling":
            asked = Dispute(digest, self.seq, by, self.sealed.seq)
            return replace(left, disputes=(*self.disputes, asked))
        winner = self.across(self.sealed.seat)
        lost = Result(kind="forfeit", how="sealed_move", winner=winner)
        return replace(left, acted=(*self.acted, self.seq))._over(lost)

    def _signed(self, act: Act) -> Book:
        last = self.sheets[-1]
        if act.kind == "signature.refused":
            last = last._replace(refused={**last.refused, act.data.seat: self.seq})
        else:
            instead = {who: by for who, by in last.for_absent.items() if who != act.by}
            instead |= {act.data.absent: act.by} if act.data.absent else {}
            unwilling = {who: seq for who, seq in last.refused.items() if who != act.by}
            signed = last.signed | {act.by}
            last = last._replace(signed=signed, for_absent=instead, refused=unwilling)
        return replace(self, sheets=(*self.sheets[:-1], last))


def begun(opening: Opening, match: str) -> Book:
    """The book of a match that was just opened."""
    rules = ruleset(opening.ruleset.name)[0]
    officers = {"arbiter": opening.arbiter}
    officers |= {f"witness{n}": each for n, each in enumerate(opening.witnesses, start=1)}
    officers |= {"appeal": opening.appeal} if opening.appeal else {}
    parties = {**opening.seats, **officers}
    holders = {role: Held(party.name, party.key) for role, party in parties.items()}
    game = rules.start(opening.ruleset.options)
    if opening.turn_cap:
        game = rules.limited(game, opening.turn_cap)
    keys = frozenset(held.key for held in holders.values() if held.key)
    events = (Done("match.opened", match),)
    return Book(opening, match, rules, holders, (Page(game),), events, keys)


def result_of(outcome: Any) -> Result:
    kind = "win" if outcome.winner else "draw"
    return Result(kind=kind, how=outcome.reason, winner=outcome.winner)


def action(act: Act) -> Action:
    """An act on the board, in the words of the game."""
    match act.data:
        case Play(move=text, dice=dice):
            return Action("move", text, dice or ())
        case Taking(pull=text):
            return Action("pull", text)
        case Calling(call=text):
            return Action("call", text)
    return Action(act.kind, act.kind)
