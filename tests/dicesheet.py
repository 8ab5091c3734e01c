"""A score sheet for matches with dice: Tabula on paper, kept by somebody who knows nothing of the
fold. It says what stands: the position, the dice, who owes what, the result.

What is refused is in ``dicereferee``; dice and turns are worked out in ``tabulabyhand``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from scoresheet import Act, Offer
from tabulabyhand import SEATS, START, Turn, across, faces, passed, turns

from ledger.events import (
    Answer,
    Commitment,
    CommitReveal,
    Confirmation,
    DrawOffer,
    Lying,
    Opened,
    Opening,
    Physical,
    Result,
    Rewind,
    Throw,
    Verdict,
)


class Roll(NamedTuple):
    number: int
    seat: str
    dice: tuple[int, ...]
    owners: tuple[str, ...]
    thrown: int
    seq: int
    voided: int | None = None
    counted: bool = True
    """Not if it was voided, or taken back, before it was confirmed."""
    awarded: bool = False


class Flight(NamedTuple):
    """A roll that is thrown, and what is open of it."""

    seat: str
    thrown: int
    nonces: Mapping[str, str] = {}


class Waiting(NamedTuple):
    """Dice, or their voiding, that a seat has to confirm."""

    event: int
    hash: str
    roll: Roll
    confirmer: str


class Unopened(NamedTuple):
    number: int
    seat: str
    owed: tuple[str, ...]
    ended: int | None
    """The event that gave it up; ``None`` while it waits."""


@dataclass(frozen=True)
class Page:
    """The game after an event."""

    position: str = START
    dice: tuple[int, ...] = ()
    touched: tuple[int, ...] = ()
    result: Result | None = None
    roll: Roll | None = None
    """The last roll that counts."""
    trail: tuple[int, ...] = ()
    """The events that led here."""

    @property
    def game(self) -> tuple[Any, ...]:
        return self.position, self.dice, self.touched, self.result

    @property
    def number(self) -> int:
        """Of the last roll that counts; 0 before any."""
        return self.roll.number if self.roll else 0


@dataclass(frozen=True)
class Sheet:
    """A match on paper: one page an event, page 0 is the opening."""

    opening: Opening
    match: str
    pages: tuple[Page, ...] = (Page(),)
    acted: tuple[int, ...] = ()
    accepted: frozenset[str] = frozenset()
    offers: tuple[Offer, ...] = ()
    made: tuple[str, ...] = ()
    closed: str | None = None
    signed: frozenset[str] = frozenset()
    number: int = 1
    commitments: Mapping[str, str] = field(default_factory=dict)
    coming: Mapping[str, str] = field(default_factory=dict)
    flight: Flight | None = None
    recorded: Waiting | None = None
    voiding: Waiting | None = None
    rolls: tuple[Roll, ...] = ()
    unopened: tuple[Unopened, ...] = ()
    used: frozenset[str] = frozenset()
    """Every commitment and number that was published."""

    # -- what stands -----------------------------------------------------------------------

    @property
    def seq(self) -> int:
        return len(self.pages) - 1

    @property
    def page(self) -> Page:
        return self.pages[-1]

    @property
    def result(self) -> Result | None:
        return self.page.result

    @property
    def struck(self) -> set[int]:
        return {*self.acted} - {*self.page.trail}

    @property
    def keyed(self) -> tuple[str, ...]:
        return tuple(seat for seat in SEATS if self.opening.seats[seat].key)

    @property
    def contributors(self) -> tuple[str, ...]:
        """Whose numbers make the dice; nobody's where they lie on the table."""
        scheme = self.opening.dice
        return scheme.contributors if isinstance(scheme, CommitReveal) else ()

    @property
    def confirms(self) -> bool:
        """Whether dice on the table wait for the other seat."""
        return isinstance(self.opening.dice, Physical) and self.opening.dice.confirm

    @property
    def phase(self) -> str:
        if self.closed:
            return "closed"
        if self.result:
            return "ended"
        return "in-play" if self.accepted >= {*self.keyed} else "before-acceptance"

    @property
    def turn(self) -> str | None:
        """Whose turn it is; White's, who throws for both, before it is decided."""
        if self.phase != "in-play":
            return None
        return "black" if self.page.position.endswith("B") else "white"

    @property
    def owners(self) -> tuple[str, ...]:
        """Whose each die of the next throw is; none when no throw is due."""
        if self.turn is None or self.page.dice:
            return ()
        return SEATS if self.page.position.endswith("-") else (self.turn,) * 3

    @property
    def turns(self) -> Mapping[str, Turn]:
        """The legal turns of the dice on the table."""
        options = tuple(sorted(self.opening.ruleset.options.items()))
        return turns(options, self.page.position, self.page.dice) if self.page.dice else {}

    @property
    def awaited(self) -> tuple[str, ...]:
        """Who has still to open: the thrower, the other seat, the arbiter."""
        if self.flight is None:
            return ()
        shut = {*self.contributors} - {*self.flight.nonces}
        order = (self.flight.seat, across(self.flight.seat), "arbiter")
        return tuple(role for role in order if role in shut)

    @property
    def due(self) -> tuple[str, tuple[str, ...]]:
        """What the match waits for, and from whom."""
        match self.phase:
            case "before-acceptance":
                return "accept", tuple(seat for seat in self.keyed if seat not in self.accepted)
            case "ended":
                return "close", ("arbiter",)
            case "closed":
                left = tuple(seat for seat in self.keyed if seat not in self.signed)
                return ("countersign", left) if left else ("nothing", ())
        assert self.turn
        if self.flight:
            return "open", self.awaited[:1]
        if self.recorded:
            return "confirm", (self.recorded.confirmer,)
        if self.page.dice:
            return "act", (self.turn,)
        missing = tuple(role for role in self.contributors if role not in self.commitments)
        return ("commit", missing) if missing else ("throw", (self.turn,))

    @property
    def lying(self) -> Roll | None:
        """The dice that were thrown last, while nothing was done with them."""
        if self.recorded:
            return self.recorded.roll
        last = self.rolls[-1] if self.rolls else None
        if last is None or last != self.page.roll:
            return None
        since = [seq for seq in self.acted if seq > last.seq and seq in self.page.trail]
        return None if since else last

    @property
    def latest(self) -> Roll | None:
        """The last throw that ever counted, whatever became of it."""
        return next((roll for roll in reversed(self.rolls) if roll.counted), None)

    def target(self, to: int, dice: str | None) -> int:
        """The page that is turned back to: the one before the dice that are thrown anew."""
        page = self.pages[to]
        anew = dice == "rethrow" and page.dice and page.roll
        return page.roll.thrown - 1 if anew and page.roll else to

    # -- what follows ----------------------------------------------------------------------

    def after(self, act: Act, digest: str) -> Sheet:
        """The sheet once ``act``, an event with this hash, is written on it."""
        seq, seat = len(self.pages), act.seat
        went_on = replace(self.page, trail=(*self.page.trail, seq))
        noted = replace(self, pages=(*self.pages, went_on))
        acted = replace(noted, acted=(*self.acted, seq))
        match act.kind, act.data:
            case "seat.accepted", _:
                return replace(noted, accepted=self.accepted | {act.by})
            case "dice.committed", Commitment(commitment=commitment):
                commitments = {**self.commitments, act.by: commitment}
                return replace(noted, commitments=commitments, used=self.used | {commitment})
            case "roll", Throw(nonce=number, next=following):
                flown = replace(acted, offers=(), flight=Flight(seat, seq))
                return flown._opened(act.by, number, following) if number and following else flown
            case "roll.opened", Opened(nonce=number, next=following):
                return acted._opened(act.by, number, following)
            case "roll.recorded", Lying(dice=dice):
                return acted._recorded(act, digest, dice)
            case "roll.confirmed", Confirmation(confirms=confirmed):
                if self.recorded and self.recorded.hash == confirmed:
                    fallen = self.recorded.roll._replace(seq=seq)
                    return replace(acted, recorded=None)._fallen(fallen)
                return self._annulled()
            case "roll.voided", _:
                assert self.lying
                if act.by == "arbiter" or self.voiding:
                    return self._annulled()
                return replace(noted, voiding=Waiting(seq, digest, self.lying, across(act.by)))
            case "move" | "pass", _:
                return acted._played(act)
            case "resigned", _:
                return acted._over(Result(kind="win", how="resigned", winner=across(seat)))
            case "offer.made", terms:
                offers = (*self.offers, Offer(digest, seq, seat, terms))
                return replace(noted, offers=offers, made=(*self.made, digest))
            case "offer.declined", Answer(offer=answered):
                return replace(noted, offers=tuple(o for o in self.offers if o.hash != answered))
            case "offer.accepted", Answer(offer=answered):
                (terms,) = (o.terms for o in self.offers if o.hash == answered)
                if isinstance(terms, DrawOffer):
                    return acted._over(Result(kind="draw", how="agreed"))
                return self._rewound(terms.to, "keep")
            case "ruling", Verdict(effects=(Rewind(to=to, dice=how),)):
                return self._rewound(to, how)
            case "match.closed", _:
                return replace(noted, closed=digest)
            case "countersigned", _:
                return replace(noted, signed=self.signed | {act.by})
        return noted

    def _turned(self, **changes: Any) -> Sheet:
        """The same sheet with these changes to its last page."""
        return replace(self, pages=(*self.pages[:-1], replace(self.page, **changes)))

    def _opened(self, role: str, number: str, following: str) -> Sheet:
        assert self.flight
        flight = self.flight._replace(nonces={**self.flight.nonces, role: number})
        coming = {**self.coming, role: following}
        open_ = replace(self, flight=flight, coming=coming, used=self.used | {number, following})
        if open_.awaited:
            return open_
        dice = faces(self.match, self.number, flight.nonces, len(self.owners))
        roll = Roll(self.number, flight.seat, dice, self.owners, flight.thrown, self.seq)
        ready = replace(open_, flight=None, commitments=coming, coming={}, number=self.number + 1)
        return ready._fallen(roll)

    def _recorded(self, act: Act, digest: str, dice: tuple[int, ...]) -> Sheet:
        assert self.turn
        roll = Roll(self.number, self.turn, dice, self.owners, self.seq, self.seq)
        written = replace(self, number=self.number + 1, offers=(), voiding=None)
        if not self.confirms:
            return written._fallen(roll)
        confirmer = across(self.turn if act.seat == "arbiter" else act.seat)
        return replace(written, recorded=Waiting(self.seq, digest, roll, confirmer))

    def _fallen(self, roll: Roll) -> Sheet:
        there = replace(self, rolls=(*self.rolls, roll), voiding=None)
        if len(roll.dice) == 3:
            return there._turned(roll=roll, dice=roll.dice)
        white, black = roll.dice
        side = "-" if white == black else "W" if white > black else "B"
        return there._turned(roll=roll, position=self.page.position[:-1] + side)

    def _annulled(self) -> Sheet:
        """The page before the throw is turned up again."""
        assert self.lying
        seq, kept = len(self.pages), self.rolls if self.recorded else self.rolls[:-1]
        before = self.pages[self.lying.thrown - 1]
        pages = (*self.pages, replace(before, trail=(*before.trail, seq)))
        rolls = (*kept, self.lying._replace(voided=seq, counted=self.recorded is None))
        return replace(self, pages=pages, rolls=rolls, recorded=None, voiding=None, offers=())

    def _played(self, act: Act) -> Sheet:
        position, touched, mover = passed(self.page.position), (), self.turn
        if act.kind == "move":
            _, position, touched = self.turns[act.data.move]
        over = f"{str(mover)[0].upper()} h0 b0 o15" in position
        result = Result(kind="win", how="borne_off", winner=mover) if over else None
        offers = () if over else tuple(o for o in self.offers if o.seat == mover)
        played = self._turned(position=position, touched=touched, dice=(), result=result)
        return replace(played, offers=offers, voiding=None)

    def _over(self, result: Result) -> Sheet:
        return replace(self._given_up(self.seq), offers=())._turned(result=result)

    def _given_up(self, seq: int) -> Sheet:
        """With event ``seq`` a roll in flight is dead, and its number with it."""
        if self.flight is None:
            return self
        dead = Unopened(self.number, self.flight.seat, self.awaited, seq)
        left = replace(self, number=self.number + 1, flight=None)
        return replace(left, commitments=self.coming, coming={}, unopened=(*self.unopened, dead))

    def _rewound(self, to: int, dice: str | None) -> Sheet:
        page, seq = self.pages[self.target(to, dice)], len(self.pages)
        pages = (*self.pages, replace(page, trail=(*page.trail, seq)))
        rest = replace(self._given_up(seq), recorded=None, voiding=None, offers=())
        if self.recorded:
            lost = self.recorded.roll._replace(voided=seq, counted=False)
            rest = replace(rest, rolls=(*self.rolls, lost))
        return replace(rest, pages=pages)
