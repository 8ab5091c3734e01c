"""What stands in a match on paper, for tests: its pages, and what can be read off them.

How a book goes on from page to page is in ``ledgerbyhand``; here it is only looked at.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import pairwise
from typing import Any, NamedTuple

import tabulabyhand
from scoresheet import Offer

from ledger.errors import TabellionError
from ledger.events import CommitReveal, Opening, Physical, Result
from ledger.games.protocol import Action
from ledger.keys import SigningKey

ON_THE_BOARD = ("move", "pull", "wager", "pass", "run", "stop", "diablo", "done", "call")
BY_RULING = ("ruling", "appeal.decided")
KEYRING = {
    key.public.line: key
    for key in (SigningKey.from_seed(sha256(b"ring %d" % n).digest()) for n in range(60))
}
"""Every key of the tests, by its public line."""
LINES = tuple(KEYRING)


class Roll(NamedTuple):
    number: int
    seat: str
    dice: tuple[int, ...]
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
    ended: int


class Dispute(NamedTuple):
    hash: str
    seq: int
    by: str
    about: int
    settled: frozenset[str] = frozenset()
    ended: int | None = None


class Appeal(NamedTuple):
    hash: str
    seq: int
    seat: str
    against: int
    decided: int | None = None


class Given(NamedTuple):
    """A penalty: the ruling, the seat and who sat there then."""

    seq: int
    seat: str
    name: str
    penalty: str
    withdrawn: int | None = None
    """The ruling that withdrew it."""


class Held(NamedTuple):
    """Who has a role, and with which key; ``None``: the arbiter writes for them."""

    name: str
    key: str | None


class Change(NamedTuple):
    seq: int
    role: str
    before: Held
    after: Held
    consent: bool


class Sealed(NamedTuple):
    seq: int
    seat: str
    hash: str
    text: str | None = None
    """Once it is read."""


class ScoreSheet(NamedTuple):
    """A result of the closed match, and who put their name to it."""

    event: str
    seq: int
    result: Result
    signed: frozenset[str] = frozenset()
    for_absent: Mapping[str, str] = {}
    refused: Mapping[str, int] = {}


class Done(NamedTuple):
    """An event as it stands in the book."""

    kind: str
    hash: str


class Page(NamedTuple):
    """The game after an event."""

    game: Any
    result: Result | None = None
    roll: Roll | None = None
    """The last roll that counts."""
    trail: tuple[int, ...] = ()
    """The events that led here."""

    @property
    def number(self) -> int:
        """Of the last roll that counts; 0 before any."""
        return self.roll.number if self.roll else 0


@dataclass(frozen=True)
class Standing:
    """What stands in a match on paper: one page an event, page 0 is the opening."""

    opening: Opening
    match: str
    rules: Any
    """The game that is played."""
    holders: Mapping[str, Held]
    pages: tuple[Page, ...]
    events: tuple[Done, ...]
    keys_seen: frozenset[str]
    acted: tuple[int, ...] = ()
    ruled: tuple[int, ...] = ()
    """The rulings that touched the game, while it was not closed."""
    set_up: tuple[int, ...] = ()
    """Those of them that set the position."""
    accepted: frozenset[str] = frozenset()
    put_in: frozenset[str] = frozenset()
    """Roles whose new key has not accepted the match yet."""
    changes: tuple[Change, ...] = ()
    offers: tuple[Offer, ...] = ()
    number: int = 1
    named: tuple[str, ...] = ()
    """Who makes the dice, where a ruling said so."""
    commitments: Mapping[str, str] = field(default_factory=dict)
    coming: Mapping[str, str] = field(default_factory=dict)
    spoiled: bool = False
    """Whether a key was replaced in flight, so that the number after it is dead too."""
    flight: Flight | None = None
    recorded: Waiting | None = None
    voiding: Waiting | None = None
    rolls: tuple[Roll, ...] = ()
    unopened: tuple[Unopened, ...] = ()
    used: frozenset[str] = frozenset()
    """Every commitment and number that was published."""
    disputes: tuple[Dispute, ...] = ()
    appeals: tuple[Appeal, ...] = ()
    penalties: tuple[Given, ...] = ()
    adjourned: int | None = None
    sealed: Sealed | None = None
    sheets: tuple[ScoreSheet, ...] = ()

    # -- what stands -----------------------------------------------------------------------

    @property
    def seq(self) -> int:
        return len(self.pages) - 1

    @property
    def page(self) -> Page:
        return self.pages[-1]

    @property
    def game(self) -> Any:
        return self.page.game

    @property
    def result(self) -> Result | None:
        return self.sheets[-1].result if self.sheets else self.page.result

    @property
    def sheet(self) -> ScoreSheet | None:
        return self.sheets[-1] if self.sheets else None

    @property
    def seats(self) -> tuple[str, str]:
        return self.rules.seats

    @property
    def keyed(self) -> tuple[str, ...]:
        """The seats that sign for themselves."""
        return tuple(seat for seat in self.seats if self.holders[seat].key)

    @property
    def dispute(self) -> Dispute | None:
        return next((each for each in self.disputes if each.ended is None), None)

    @property
    def undecided(self) -> tuple[Appeal, ...]:
        return tuple(each for each in self.appeals if each.decided is None)

    @property
    def unaccepted(self) -> tuple[str, ...]:
        """Whom the game waits for."""
        seats = tuple(seat for seat in self.keyed if seat not in self.accepted)
        return (("arbiter",) if "arbiter" in self.put_in else ()) + seats

    @property
    def phase(self) -> str:
        if self.dispute:
            return "disputed"
        if self.sheets:
            return "appealed" if self.undecided else "closed"
        if self.result:
            return "ended"
        if self.adjourned is not None:
            return "adjourned"
        return "before-acceptance" if self.unaccepted else "in-play"

    @property
    def turn(self) -> str | None:
        return self.rules.turn(self.game) if self.phase == "in-play" else None

    @property
    def struck(self) -> set[int]:
        return {*self.acted} - {*self.page.trail}

    @property
    def overruled(self) -> dict[int, int]:
        """Rulings that turned the page, set it or decided it and count no more, by the event that
        struck them last."""
        found: dict[int, int] = {}
        for seq, (before, after) in enumerate(pairwise(self.pages), start=1):
            struck = {*self.ruled} & ({*before.trail} - {*after.trail})
            found |= dict.fromkeys(struck, seq)
            found = {each: by for each, by in found.items() if each not in after.trail}
        return found

    @property
    def contributors(self) -> tuple[str, ...]:
        dice = self.opening.dice
        if not isinstance(dice, CommitReveal):
            return ()
        return self.named or dice.contributors

    @property
    def confirms(self) -> bool:
        return isinstance(self.opening.dice, Physical) and self.opening.dice.confirm

    @property
    def dice(self) -> tuple[int, ...]:
        """The dice on the table that something is still to be done with."""
        return tuple(self.rules.thrown(self.game))

    @property
    def wanted(self) -> Any:
        return None if self.flight or self.recorded else self.rules.wanted(self.game)

    @property
    def awaited(self) -> tuple[str, ...]:
        """Who has still to open: the thrower, the other seat, the arbiter."""
        if self.flight is None:
            return ()
        shut = {*self.contributors} - {*self.flight.nonces}
        order = (self.flight.seat, self.across(self.flight.seat), "arbiter")
        return tuple(role for role in order if role in shut)

    @property
    def missing(self) -> tuple[str, ...]:
        """Contributors who have not committed to the next roll."""
        return tuple(role for role in self.contributors if role not in self.commitments)

    @property
    def unsigned(self) -> tuple[str, ...]:
        if self.sheet is None:
            return ()
        done = {*self.sheet.signed, *self.sheet.for_absent, *self.sheet.refused}
        return tuple(seat for seat in self.keyed if seat not in done)

    @property
    def due(self) -> tuple[str, tuple[str, ...]]:
        """What the match waits for, and from whom; of a new key that it accepts."""
        step, whose = self._step
        new = tuple(dict.fromkeys(self.signer(each) for each in whose))
        new = tuple(role for role in new if role in self.put_in)
        return ("accept", new) if new else (step, whose)

    @property
    def _step(self) -> tuple[str, tuple[str, ...]]:
        match self.phase:
            case "disputed":
                return "rule", ("arbiter",)
            case "adjourned":
                return "resume", (self.sealed.seat if self.sealed else "arbiter",)
            case "ended":
                return "close", ("arbiter",)
            case "appealed":
                return "decide", ("appeal",)
            case "closed":
                return ("countersign", self.unsigned) if self.unsigned else ("nothing", ())
        if self.flight:
            lost = self.awaited[0] not in self.commitments
            return ("rule", ("arbiter",)) if lost else ("open", self.awaited[:1])
        if self.phase == "before-acceptance":
            return "accept", self.unaccepted
        if self.recorded:
            return "confirm", (self.recorded.confirmer,)
        if self.wanted and not self.rules.legal(self.game):
            if any(self.holders[role].key is None for role in self.missing):
                return "rule", ("arbiter",)
            return ("commit", self.missing) if self.missing else ("throw", (self.wanted.seat,))
        return "act", (str(self.turn),)

    @property
    def cited(self) -> str | None:
        """The ruling that a closing names: the last act that stands, if that is one."""
        standing = [seq for seq in self.acted if seq in self.page.trail]
        last = self.events[standing[-1]] if standing else None
        return last.hash if last and last.kind in BY_RULING else None

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

    def across(self, seat: str) -> str:
        return self.seats[1 - self.seats.index(seat)]

    def signer(self, seat: str) -> str:
        """Who signs what a seat does."""
        return seat if self.holders[seat].key else "arbiter"

    def in_tabula(self, role: str) -> str:
        """The name under which ``tabulabyhand`` knows a contributor."""
        return "arbiter" if role == "arbiter" else tabulabyhand.SEATS[self.seats.index(role)]

    def bound(self, roll: int, role: str, nonce: str) -> str:
        return tabulabyhand.bound(self.match, roll, self.in_tabula(role), nonce)

    def sealing(self, seq: int, seat: str, nonce: str, text: str) -> str:
        """What binds a seat to a sealed move."""
        where = bytes.fromhex(self.match) + seq.to_bytes(4, "big")
        number = bytes([self.seats.index(seat)])
        move = bytes.fromhex(nonce) + text.encode()
        return sha256(b"sealed-move/v1\0" + where + number + move).hexdigest()

    def placed(self, text: str) -> Any:
        """The game set to a text; in El Tablero the turns played so far stay counted."""
        return self.rules.reset(self.opening.ruleset.options, self.game, text)

    def unplayable(self, action: Action) -> str | None:
        """What the rules of the game say against an act."""
        try:
            self.rules.apply(self.game, action)
        except TabellionError as error:
            return error.code
        return None

    def target(self, to: int, dice: str | None) -> int:
        """The page that is turned back to: the one before the dice that are thrown anew."""
        page = self.pages[to]
        anew = dice == "rethrow" and self.rules.thrown(page.game) and page.roll
        return page.roll.thrown - 1 if anew and page.roll else to

    @property
    def latest(self) -> Roll | None:
        """The last throw that ever counted, whatever became of it."""
        return next((roll for roll in reversed(self.rolls) if roll.counted), None)
