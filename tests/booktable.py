"""A match of any game, and the book beside it, for tests: stories out of which matches are made.

Each event is judged beforehand by the referee (``bookreferee``) and afterwards compared with the
book (``ledgerbyhand``); neither asks the fold.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

from bookfouls import Anybody
from bookhand import FOREIGN
from bookpages import KEYRING, LINES
from bookreferee import refusal
from hypothesis import currently_in_test_context, note
from ledgerbyhand import Book, begun
from msgspec.structs import replace
from scoresheet import Act
from table import clock, opening

from ledger import envelope as envelopes
from ledger import record, rulings
from ledger.audit import Trust, audit
from ledger.envelope import Envelope
from ledger.errors import TabellionError
from ledger.events import (
    EVENT_TYPES,
    CommitReveal,
    KeyReplaced,
    MatchOpened,
    Nothing,
    Officer,
    Physical,
    Rewind,
    Seat,
    Unsealed,
    decode,
    encode,
)
from ledger.fold import Entry, MatchState, advance, as_of, authenticate, begin, open_match
from ledger.fold.due import due
from ledger.fold.state import overruled
from ledger.views.explaining import explain
from ledger.views.telling import log, moves, show, written

KINDS = tuple(kind for kind in EVENT_TYPES if kind != "match.opened")
TRUST = Trust(documents=rulings.digests())
GAMES: Sequence[tuple[str, dict[str, Any], int | None]] = (
    ("tablut", {}, None),
    ("tablut-linnaeus", {}, None),
    ("tabula", {}, None),
    ("tablero", {}, None),
    ("tablero", {"diablo": "called"}, None),
    ("tablero", {"diablo": "called", "run": "banked"}, 12),
)
"""Ruleset, options, turn cap."""
USUAL = (
    *("move", "roll", "roll.opened", "roll.recorded", "roll.confirmed", "dice.committed"),
    "seat.accepted",
)
"""Events that there are so many of that not each is looked at closely."""
SEEN: Counter[str] = Counter()
"""How often each kind of event was accepted, and each refusal met."""


class Table:
    """A match, the book beside it, and everything seen of both."""

    def __init__(self, luck: int) -> None:
        self.lot = Random(luck)
        self._open()

    @property
    def book(self) -> Book:
        return self.books[-1]

    @property
    def state(self) -> MatchState:
        return self.states[-1]

    @property
    def hand(self) -> Anybody:
        return Anybody(self.book, self.lot, self.secrets)

    def _open(self) -> None:
        self.secrets: dict[str, Unsealed] = {}
        self.books: list[Book] = []
        self.states: list[MatchState] = []
        self.envelopes: list[Envelope] = []
        lot = self.lot
        name, options, cap = lot.choice(GAMES)
        plain = opening(name, **options)
        seats = tuple(plain.seats)
        dice, keyed = None, lot.choice([(), seats[:1], seats[1:], seats, seats, seats])
        if not name.startswith("tablut"):
            dice, keyed = self._dice(seats)
        holders = {
            seat: Seat(name=plain.seats[seat].name, key=LINES[n] if seat in keyed else None)
            for n, seat in enumerate(seats)
        }
        appeal = Officer(name="Ana", key=LINES[4]) if lot.random() < 0.85 else None
        terms = replace(
            plain,
            seats=holders,
            arbiter=Officer(name="Zoë", key=LINES[2]),
            witnesses=(Officer(name="Wanda", key=LINES[3]),),
            appeal=appeal,
            dice=dice,
            turn_cap=cap,
            takebacks=lot.random() < 0.85,
            settlements=lot.random() < 0.85,
            sealed_move_unopened=lot.choice(["loses", "ruling"]),
            nonce=f"{lot.getrandbits(128):032x}",
        )
        event = MatchOpened(v=1, seq=0, by="arbiter", at=clock(), data=terms)
        entry = self._sealed(event, LINES[2])
        self.states.append(begin(entry))
        self.books.append(begun(terms, entry.hash))
        compare(self.book, self.state)

    def _dice(self, seats: tuple[str, ...]) -> tuple[Any, Sequence[str]]:
        """How the dice are made, and which seats then bring a key."""
        lot = self.lot
        roles = lot.choice(
            [seats, (*seats, "arbiter"), (seats[0], "arbiter"), ("arbiter",), (), ()]
        )
        keyed = [seat for seat in seats if seat in roles]
        if not keyed:
            keyed = lot.choice([(), seats[:1], seats, seats])
        if roles:
            return CommitReveal(contributors=roles), keyed
        return Physical(confirm=lot.random() < 0.6), keyed

    def _sealed(self, event: Any, line: str) -> Entry:
        key = KEYRING[line]
        envelope = envelopes.seal(encode(event), key.public, key.sign)
        self.envelopes.append(envelope)
        return Entry(decode(envelope.payload), envelope.hash, envelope.keyid)

    # -- one event -------------------------------------------------------------------------------

    def attempt(self, act: Act) -> bool:
        """Do this, or be refused as the referee says; gives whether it was done."""
        code = refusal(self.book, act)
        if currently_in_test_context():
            note(f"{len(self.books)}: {act} {code or ''}")
        held = self.book.holders.get(act.by)
        entry = self._entry(act, act.key or (held.key if held else None) or LINES[-1])
        found = self._folded(entry)
        if isinstance(found, MatchState):
            assert code is None, f"accepted, but the referee says {code}"
            self._follow(act, entry, found)
            return True
        self.envelopes.pop()
        in_order(found)
        assert code in (found.code, "*"), (code, found.code, str(found))
        SEEN[f"refused {found.code}"] += 1
        return False

    def _folded(self, entry: Entry) -> MatchState | TabellionError:
        """The match after the event that was signed last, or why it is refused."""
        try:
            if isinstance(entry.event, KeyReplaced):
                authenticate(self.state.roster, self.envelopes[-1], entry.event)
            return advance(self.state, entry)
        except TabellionError as error:
            return error

    def _entry(self, act: Act, line: str, **changes: Any) -> Entry:
        place = {"v": 1, "seq": self.state.seq + 1, "at": clock()}
        place |= {"match": self.state.match, "prev": self.state.head}
        said = {"by": act.by, "for_": act.for_, "data": act.data}
        return self._sealed(EVENT_TYPES[act.kind](**(place | said | changes)), line)

    def _follow(self, act: Act, entry: Entry, state: MatchState) -> None:
        before = self.state
        self.books.append(self.book.after(act, entry.hash))
        self.states.append(state)
        compare(self.book, state)
        assert state.rolling.number >= before.rolling.number
        numbers = [roll.number for roll in state.rolling.rolls]
        numbers += [each.number for each in state.rolling.unopened]
        confirmed = [roll.number for roll in state.rolling.rolls if roll.counted]
        assert len(confirmed) == len(set(confirmed)), "no number twice"
        assert max(numbers, default=0) <= state.rolling.number
        SEEN[act.kind] += 1
        for effect in getattr(act.data, "effects", ()):
            SEEN[f"{type(effect).__name__} by {act.kind}"] += 1
        show(state)
        chance = Random(entry.hash)
        if chance.random() < (0.02 if act.kind in USUAL else 0.2):
            self.look_closely(chance.randint(0, state.seq))

    def look_closely(self, seq: int) -> None:
        """What people read of the whole match, and of one event of it, now and as it stood."""
        state = self.state
        written(state, max(0, state.seq - 1))
        explain(state, state.seq, self.envelopes[-1])
        explain(state, seq, self.envelopes[seq])
        assert as_of(state, seq) == self.states[seq]
        log(state)
        moves(state)

    def out_of_order(self) -> None:
        """A lawful event that does not continue the chain."""
        act = Act("note", self.hand.said("note").data, "arbiter")
        key = self.book.holders["arbiter"].key or LINES[0]
        seq, head = self.state.seq, self.state.head
        for code, changes in (
            ("bad-seq", {"seq": seq + self.lot.choice([0, 2, 2**53 - 1 - seq])}),
            ("wrong-match", {"match": FOREIGN}),
            ("bad-chain", {"prev": self.lot.choice([FOREIGN, *([self.book.match] * (seq > 0))])}),
        ):
            assert changes != {"prev": head}
            found = self._folded(self._entry(act, key, **changes))
            self.envelopes.pop()
            assert isinstance(found, TabellionError)
            assert found.code == code
            SEEN[f"refused {code}"] += 1

    def audited(self) -> None:
        """The whole match as a record: sound, and the audit knows as much as the book."""
        book = self.book
        found = record.read(record.write(self.envelopes))
        report = audit(found.pieces, found.frame, TRUST)
        assert report.verdict == "sound", report.faults
        assert (report.phase, report.result) == (book.phase, book.result)
        assert open_match(self.state.entries) == self.state

    # -- what people do ----------------------------------------------------------------------

    def go_on(self, events: int, *, to_the_end: bool = False) -> None:
        """What the match waits for, one event after the other."""
        eager = self.lot.random() < 0.5
        for _ in range(events):
            if self.book.result and not to_the_end:
                return
            act = self.hand.owed(eager=eager)
            if act is None:
                return
            self.attempt(act)

    def accept(self) -> None:
        """Those who must accept do so; at times others, or once more."""
        for role in self.book.unaccepted:
            self.attempt(Act("seat.accepted", Nothing(), role))
        for role in sorted(self.book.put_in):
            if self.lot.random() < 0.8:
                self.attempt(Act("seat.accepted", Nothing(), role))
        if self.lot.random() < 0.2:
            self.attempt(self.hand.said("seat.accepted"))

    def play_on(self) -> None:
        self.go_on(self.lot.choice([1, 2, 3, 6, 12, 20]))

    def walk(self) -> None:
        """Pieces to and fro until the same position stands again, and again; then a claim."""
        hand = self.hand
        for _ in range(9 if self.book.rules.name == "tablut" else 0):
            if self.book.due[0] != "act":
                break
            hand.book = self.book
            self.attempt(hand.shuffles())
        self.do("draw.claimed")

    def near_the_end(self) -> None:
        """The arbiter sets up a position out of which much can happen; and it is played on."""
        if self.book.due[0] in ("accept", "resume", "close", "nothing"):
            return
        if self.lot.random() < 0.4:
            self.do("offer.made")
        self.attempt(self.hand.sets_up())
        for _ in range(self.lot.randint(1, 9)):
            if self.book.due[0] == "act" and self.lot.random() < 0.8:
                self.attempt(self.hand.ends())
            else:
                self.go_on(1)

    def throw_anew(self) -> None:
        """A throw is played, taken back and thrown anew; then the first one should come back."""
        if not self.book.rules.dice or self.book.due[0] not in DICE_DUE:
            return
        for _ in range(8):
            self.go_on(1)
            if self.book.dice and self.book.due[0] == "act":
                break
        first = self.book.page.roll
        if first is None or not self.book.dice:
            return
        self.go_on(1)
        played = self.book.seq
        self.attempt(self.hand.goes_back(first.seq))
        for _ in range(6):
            self.go_on(1)
            if self.book.dice:
                break
        self.attempt(self.hand.goes_back(played))

    def break_off(self) -> None:
        """A roll is thrown and does not come to its end."""
        for _ in range(8):
            if self.book.flight or self.book.recorded or self.book.due[0] not in DICE_DUE:
                break
            self.attempt(self.hand.rolls() if self.book.wanted else self.hand.plays())
        if self.book.recorded or self.book.lying:
            self.do("roll.voided")
            self.do("roll.confirmed", "roll.confirmed", "roll.voided", "offer.made", "move")
            rolls = [roll.seq for roll in self.book.rolls[-2:]]
            if rolls and self.lot.random() < 0.5:
                back = Rewind(to=self.lot.choice(rolls), dice=self.hand.kept())
                self.attempt(Act("ruling", self.hand.verdict(back), "arbiter"))
        elif self.book.flight and self.lot.random() < 0.3:
            self.attempt(self.hand.succeeds("arbiter"))
            self.accept()
            for role in self.book.awaited:
                self.attempt(self.hand.opens(role))
        elif self.book.flight:
            self.do("key.replaced", "dispute.raised", "arbiter.replaced", "resigned", *KINDS)
            self.accept()
            if self.lot.random() < 0.6:
                self.attempt(Act("ruling", self.hand.verdict(self.hand.way_out()), "arbiter"))

    def do(self, *kinds: str) -> None:
        self.attempt(self.hand.said(self.lot.choice(kinds)))

    def deal(self) -> None:
        """An offer, perhaps an act, an answer."""
        self.do("offer.made")
        if self.lot.random() < 0.3:
            self.go_on(1)
        if self.book.offers or self.lot.random() < 0.3:
            self.attempt(self.hand.answers())

    def quarrel(self) -> None:
        """A dispute: words, a few things that must wait, and its end or not yet."""
        if not self.book.dispute:
            self.do("dispute.raised")
        for _ in range(self.lot.randint(0, 4)):
            self.do("statement", "statement", "dispute.settled", "dispute.settled", *KINDS)
        if self.lot.random() < 0.75 and self.book.dispute:
            if self.lot.random() < 0.4:
                for seat in self.book.seats:
                    self.attempt(self.hand.settles(seat))
            else:
                self.do("ruling")

    def rule(self) -> None:
        """A ruling, and perhaps an appeal against it, decided at once or later."""
        self.do("ruling")
        if self.lot.random() < 0.5:
            self.complain()

    def complain(self) -> None:
        self.do("appeal")
        for _ in range(self.lot.randint(0, 2)):
            self.do("statement", "appeal.decided", "note")
        if self.book.undecided and self.lot.random() < 0.7:
            self.do("appeal.decided")

    def change_hands(self) -> None:
        """Another key or another person; who is new mostly accepts at once."""
        self.do("key.replaced", "key.replaced", "key.replaced", "arbiter.replaced")
        if self.lot.random() < 0.3:
            seat = self.lot.choice(self.book.seats)
            self.attempt(self.hand.replaces(seat))
            self.attempt(self.hand.replaces(seat))
        if self.lot.random() < 0.4:
            self.do(*KINDS)
        if self.lot.random() < 0.8:
            self.accept()

    def rest(self) -> None:
        """An adjournment, at times with a sealed move, and perhaps the way back."""
        if self.book.rules.dice and not self.book.wanted and self.lot.random() < 0.5:
            self.go_on(3)
        self.attempt(self.hand.adjourns())
        if self.book.phase == "adjourned":
            turn = self.book.rules.turn(self.book.game) or self.book.seats[0]
            for _ in range(self.lot.choice([0, 1, 1, 1, 2])):
                self.attempt(self.hand.seals(turn))
            for _ in range(self.lot.choice([0, 0, 1, 2])):
                self.do(*KINDS)
                self.attempt(self.hand.foul())
        if self.lot.random() < 0.85:
            whose = self.book.sealed.seat if self.book.sealed else "arbiter"
            self.attempt(self.hand.resumes(self.lot.choice([whose, whose, whose, "arbiter"])))
        if self.book.sealed and self.lot.random() < 0.5:
            self.do("move", "move", "call", "offer.made", "resigned")

    def throw(self) -> None:
        """Dice in order and out of it."""
        for _ in range(self.lot.randint(1, 4)):
            if self.lot.random() < 0.5 and not self.book.result:
                self.go_on(1)
            else:
                self.do(
                    *("dice.committed", "roll", "roll.opened", "roll.recorded", "roll.confirmed"),
                    *("roll.voided", "roll.voided"),
                )

    def end(self) -> None:
        """The game ends somehow, when the match is long enough, and is signed, or appealed."""
        if self.book.seq < self.lot.randint(0, 60):
            return
        if self.book.result is None:
            self.do("resigned", "ruling", "draw.claimed")
        self.go_on(self.lot.choice([1, 2, 3]), to_the_end=True)
        for _ in range(self.lot.randint(0, 4)):
            self.do(
                *("countersigned", "countersigned", "signature.refused", "ruling", "match.closed"),
                *("dispute.raised", "appeal.decided", "key.replaced"),
            )
            if self.lot.random() < 0.3:
                self.complain()
            sheet = self.book.sheet
            if sheet and self.lot.random() < 0.5:
                for seat in sorted({*sheet.for_absent, *sheet.refused}):
                    self.attempt(self.hand.signs(seat))
            if sheet and sheet.refused and self.lot.random() < 0.5:
                self.attempt(self.hand.foul())

    def anything(self) -> None:
        for kind in self.lot.sample(KINDS, 5):
            act = self.hand.said(kind)
            amiss = self.lot.choice([self.hand.astray, self.hand.amiss])
            self.attempt(act if self.lot.random() < 0.3 else amiss(act))
        for _ in range(self.lot.randint(1, 3)):
            self.attempt(self.hand.foul())
        owed = self.hand.owed()
        if owed and self.lot.random() < 0.7:
            self.attempt(self.hand.amiss(owed))

    def go(self) -> None:
        """Mostly what is open is brought to an end first; then one story more."""
        if self.book.dispute and self.lot.random() < 0.5:
            self.go_on(1)
        if self.book.put_in and self.lot.random() < 0.5:
            self.accept()
        if self.book.phase == "adjourned" and self.lot.random() < 0.5:
            self.go_on(1)
        if self.book.phase == "ended" and self.lot.random() < 0.6:
            seq = self.book.seq
            back = Rewind(to=max(0, seq - self.lot.randint(1, 3)), dice=self.hand.kept())
            again = Act("ruling", self.hand.verdict(back), "arbiter")
            self.attempt(self.lot.choice([again, self.hand.closes()]))
        if self.book.sheets and self.lot.random() < 0.3:
            self.audited()
            self._open()
        (story,) = self.lot.choices([*STORIES], [*STORIES.values()])
        story(self)


DICE_DUE = ("commit", "throw", "act")
STORIES = {
    Table.play_on: 4,
    Table.walk: 1,
    Table.near_the_end: 3,
    Table.break_off: 2,
    Table.throw_anew: 1,
    Table.accept: 1,
    Table.deal: 2,
    Table.quarrel: 2,
    Table.rule: 2,
    Table.change_hands: 1,
    Table.rest: 2,
    Table.throw: 2,
    Table.end: 2,
    Table.anything: 2,
    Table.out_of_order: 1,
}


def in_order(error: TabellionError) -> None:
    """A refusal is a sentence for people: nothing of a traceback, nothing that steers."""
    said = f"{error.message} {error.hint}"
    assert error.message
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", error.code)
    assert not re.search(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]", said)
    assert not re.search(r"Traceback|Exception|[a-z]Error\b|object at 0x|<class|None\b", said), said


def compare(book: Book, state: MatchState) -> None:
    """The fold and the book say the same."""
    assert state.seq == book.seq
    assert state.phase.value == book.phase
    assert state.position == book.game
    assert (state.turn, state.result) == (book.turn, book.result)
    waits = due(state)
    assert (waits.step.value, waits.whose) == book.due
    assert state.line() == set(book.page.trail)
    assert state.superseded() == book.struck
    held = {
        role: (party.name, party.key and party.key.line) for role, party in state.roster.items()
    }
    assert held == book.holders
    assert (state.accepted, state.put_in) == (book.accepted, book.put_in)
    assert state.unaccepted == book.unaccepted
    compare_dice(book, state)
    compare_officials(book, state)
    offers = [(each.hash, each.seq, each.seat, each.terms) for each in state.offers]
    assert offers == [*book.offers]


def compare_dice(book: Book, state: MatchState) -> None:
    rolling = state.rolling
    assert rolling.number == book.number
    assert state.contributors == book.contributors
    assert dict(rolling.commitments) == dict(book.commitments)
    assert dict(rolling.coming) == dict(book.coming)
    assert rolling.spoiled == book.spoiled
    assert rolling.published == book.used
    flight = rolling.flight and (rolling.flight.seat, rolling.flight.thrown, rolling.flight.nonces)
    assert flight == book.flight
    for shown, kept in ((rolling.recorded, book.recorded), (rolling.voiding, book.voiding)):
        found = shown and (shown.event, shown.hash, fields(shown.roll), shown.confirmer)
        assert found == kept
    assert [fields(roll) for roll in rolling.rolls] == [*book.rolls]
    assert [(u.number, u.seat, u.owed, u.ended) for u in rolling.unopened] == [*book.unopened]


def fields(roll: Any) -> tuple[Any, ...]:
    at = (roll.number, roll.seat, roll.dice, roll.thrown, roll.seq)
    return (*at, roll.voided, roll.counted, roll.awarded)


def compare_officials(book: Book, state: MatchState) -> None:
    disputes = [(d.hash, d.seq, d.by, d.about, d.settled, d.ended) for d in state.disputes]
    assert disputes == [*book.disputes]
    appeals = [(a.hash, a.seq, a.seat, a.against, a.decided) for a in state.appeals]
    assert appeals == [*book.appeals]
    given = [(g.seq, g.seat, g.name, g.penalty, g.withdrawn) for g in state.penalties]
    assert given == [*book.penalties]
    assert overruled(state) == book.overruled
    changes = [(c.seq, c.before.role, c.consent) for c in state.changes]
    assert changes == [(c.seq, c.role, c.consent) for c in book.changes]
    assert state.adjourned == book.adjourned
    sealed = state.sealed and (
        *(state.sealed.seq, state.sealed.seat),
        *(state.sealed.hash, state.sealed.text),
    )
    assert sealed == book.sealed
    sheets = [
        (s.event, s.seq, s.result, s.signed, dict(s.for_absent), dict(s.refused))
        for s in state.sheets
    ]
    assert sheets == [*book.sheets]
    assert state.unsigned == book.unsigned
