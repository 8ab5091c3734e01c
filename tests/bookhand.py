"""Hands at the table, for tests: what somebody does next, lawful or not, drawn by lot.

``Hand`` reads the book (``ledgerbyhand``) and forms acts from it; whether they are accepted it
does not say.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from hashlib import sha256
from random import Random
from typing import Any

from bookpages import KEYRING, LINES
from ledgerbyhand import Book
from msgspec.structs import replace as changed
from scoresheet import Act

from ledger import consent
from ledger.errors import TabellionError
from ledger.events import (
    Adjournment,
    Answer,
    Award,
    Closing,
    Commitment,
    Complaint,
    Confirmation,
    Countersignature,
    Decision,
    Dismissed,
    DrawOffer,
    Evidence,
    GivenResult,
    Lying,
    NewContributors,
    Nothing,
    Objection,
    Opened,
    Penalty,
    Play,
    Replacement,
    Result,
    Resumption,
    Rewind,
    SetPosition,
    SettlementOffer,
    Settling,
    Succession,
    TakebackOffer,
    Throw,
    Unsealed,
    Unwilling,
    Verdict,
    Withdrawn,
)
from ledger.fold.acts import data_of
from ledger.games.protocol import Action

FOREIGN = "0" * 64
PENALTIES = (
    *("warning", "points_off", "points_to_opponent", "game_lost", "fine", "rounds_off"),
    "expulsion",
)
POSITIONS = {
    "tablut": (
        "/3ttt3/9/9/9/4T4/9/9/9/K2ttt3/ m",
        "/3ttt3/9/4t4/3t5/K4t3/9/9/9/3ttt3/ s",
        "/3ttt3/9/9/9/9/9/9/1K7/3ttt3/ s",
        "/4K4/9/9/9/9/9/9/9/9/ m",
        "/3ttt3/4t4/4T4/t3T3t/ttTTKTTtt/t3T3t/4T4/4t4/3ttt3/ S",
        "/9/9/",
    ),
    "tabula": (
        "W h0 b0 o14 24:1 | B h0 b0 o13 23:2 | W",
        "W h0 b0 o13 23:2 | B h0 b0 o14 24:1 | B",
        "W h12 b1 o0 8:2 | B h13 b0 o0 5:1,7:1 | W",
        "W h15 b0 o0 - | B h15 b0 o0 - | -",
        "W h0 b0 o15 - | B h0 b0 o14 24:1 | B",
        "W h15 b0 o0 - | B h15 b0 o0 - | w",
        "W h99 b0 o0 - | B h15 b0 o0 - | W",
    ),
    "tablero": (
        "4444444 16,13 0 0 south decide",
        "4444444 16,13 0 0 north decide",
        "7711111 1,28 0 0 south throw",
        "4444445 16,13 0 0 south throw",
        "4442354 26,3 0 0 south decide",
        "7777711 16,13 0 0 north throw",
        "4444444 16,13 0 0 north run",
        "4277661 13,16 0 0 south move:4-6",
        "7711111 13,16 0 0 south throw",
        "0000000 36,0 0 0 south over",
        "7711111 13,99 0 0 south throw",
        "7711111  13,16 0 0 south throw",
    ),
}
"""Positions that a ruling sets, and some that are none, by game."""
GOOD = {name: some[:4] for name, some in POSITIONS.items()}
"""Those after which a game is soon over, or most can be done."""


class Hand:
    """Somebody at the table. ``secrets`` has what opens each sealed move."""

    def __init__(self, book: Book, lot: Random, secrets: dict[str, Unsealed]) -> None:
        self.book = book
        self.lot = lot
        self.secrets = secrets
        self.backwards: list[str] = []
        """Moves that would take back what was moved here."""

    def pick(self, some: Sequence[Any]) -> Any:
        return self.lot.choice(some)

    def act(self, kind: str, data: Any, seat: str) -> Act:
        """An act of a role, signed or written down by whom it should be."""
        by = self.book.signer(seat) if seat in self.book.seats else seat
        return Act(kind, data, by, None if by == seat else seat)

    @property
    def seat(self) -> str:
        """Mostly the one that it is for."""
        turn = self.book.turn
        return self.pick([*([turn] * 3 if turn else ()), *self.book.seats])

    @property
    def called(self) -> bool:
        """Whether each coin moves by itself, so that a throw can be left half played."""
        return self.book.opening.ruleset.options.get("diablo") == "called"

    # -- what goes on ------------------------------------------------------------------------

    def owed(self, *, eager: bool = False) -> Act | None:
        """The step that the match waits for, done as it should be. ``eager`` players rather throw
        than act, where they may."""
        book = self.book
        step, whose = book.due
        match step:
            case "accept":
                return Act("seat.accepted", Nothing(), self.pick(whose))
            case "commit":
                return self.commits(self.pick(whose))
            case "throw" if book.contributors:
                return self.throws(whose[0])
            case "throw":
                return self.records(whose[0])
            case "open":
                return self.opens(whose[0])
            case "confirm":
                assert book.recorded
                return self.confirms(book.recorded.hash, whose[0])
            case "act":
                if book.wanted and (eager or self.lot.random() < 0.4):
                    return self.rolls()
                return self.plays()
            case "rule":
                return Act("ruling", self.verdict(self.way_out()), "arbiter")
            case "resume":
                return self.resumes(self.pick([*whose * 3, "arbiter"]))
            case "close":
                return self.closes()
            case "decide":
                return self.decides(self.pick([Dismissed(), self.given(), self.effect()]))
            case "countersign":
                instead = self.signs("witness1", absent=whose[0])
                return self.pick([self.signs(whose[0]), instead, self.unwilling(whose[0])])
        return None

    def way_out(self) -> Any:
        """What a dispute, or a lost number, is ended with."""
        book = self.book
        if book.dispute and self.lot.random() < 0.5:
            return Dismissed()
        if book.flight and self.lot.random() < 0.6:
            faces = tuple(self.lot.randint(1, 6) for _ in range(book.rules.wanted(book.game).count))
            return Award(roll=book.number, dice=faces)
        if book.contributors and book.result is None:
            return NewContributors(roll=book.number, contributors=self.lawful_contributors())
        return Dismissed()

    def lawful_contributors(self) -> tuple[str, ...]:
        keyed = self.book.keyed
        some = [(*keyed, "arbiter"), ("arbiter",), *([keyed] if len(keyed) == 2 else ())]
        return tuple(self.pick(some))

    def rolls(self) -> Act:
        book = self.book
        if not book.contributors:
            return self.records(book.wanted.seat)
        return self.commits(book.missing[0]) if book.missing else self.throws(book.wanted.seat)

    def plays(self) -> Act:
        """A legal act; nearer to the end of the game, where one is seen."""
        book = self.book
        sealed = book.sealed.text if book.sealed else None
        beside = [*self.beside()]
        if beside and self.lot.random() < 0.5:
            return self.pick(beside)
        legal = book.rules.legal(book.game)
        if not legal:
            return self.act("pass", Nothing(), book.turn or book.seats[0])
        done = self.pick(legal)
        kinds = [each for each in legal if each.kind != "move"]
        if kinds and self.lot.random() < 0.7:
            done = self.pick(kinds)
        if sealed:
            done = next((each for each in legal if each.text == sealed), done)
        actor = book.rules.actor(book.game, done.kind) or book.seats[0]
        return self.act(done.kind, data_of(done), actor)

    def beside(self) -> Iterator[Act]:
        """What somebody may say or do beside the turn."""
        book = self.book
        due = book.rules.owed(book.game)
        words = [due] if due else [Action("diablo", "diablo")] * ("diablo" in book.rules.actions)
        for done in words:
            actor = book.rules.actor(book.game, done.kind)
            if actor and book.unplayable(done) is None:
                yield self.act(done.kind, data_of(done), actor)

    def ends(self) -> Act:
        """An act that ends the game at once or lets the throw be ended, if one is seen."""
        book = self.book
        for done in book.rules.legal(book.game):
            if self.last(book.rules.apply(book.game, done)):
                actor = book.rules.actor(book.game, done.kind) or book.seats[0]
                return self.act(done.kind, data_of(done), actor)
        return self.plays()

    def last(self, game: Any) -> bool:
        rules = self.book.rules
        if "done" in rules.actions and rules.thrown(game):
            with suppress(TabellionError):
                rules.apply(game, Action("done", "done"))
                return True
        return rules.outcome(game) is not None

    def shuffles(self) -> Act:
        """The last move of this seat back again, where that is legal: a piece to and fro."""
        book = self.book
        texts = [each.text for each in book.rules.legal(book.game) if each.kind == "move"]
        back = [text for text in texts if text.removeprefix("K") in self.backwards]
        quiet = [text for text in texts if "x" not in text] or texts
        text = (back or quiet or ["e3-f3"])[0]
        start, _, target = text.removeprefix("K").partition("x")[0].partition("-")
        self.backwards.append(f"{target}-{start}")
        return self.act("move", Play(move=text), book.turn or book.seats[0])

    # -- dice ----------------------------------------------------------------------------------

    def nonce(self, role: str, roll: int) -> str:
        held = self.book.holders.get(role)
        key = held.key if held else None
        return sha256(f"{self.book.match} {role} {roll} {key}".encode()).hexdigest()

    def binding(self, role: str, roll: int) -> str:
        known = role in (*self.book.seats, "arbiter")
        return self.book.bound(roll, role, self.nonce(role, roll)) if known else FOREIGN

    def commits(self, role: str) -> Act:
        number = self.book.number
        return Act(
            "dice.committed", Commitment(roll=number, commitment=self.binding(role, number)), role
        )

    def throws(self, seat: str) -> Act:
        number = self.book.number
        thrown = Throw(roll=number)
        if self.book.signer(seat) == seat and seat in self.book.contributors:
            following = self.binding(seat, number + 1)
            thrown = Throw(roll=number, nonce=self.nonce(seat, number), next=following)
        return self.act("roll", thrown, seat)

    def opens(self, role: str) -> Act:
        number = self.book.number
        following = self.binding(role, number + 1)
        return Act(
            "roll.opened",
            Opened(roll=number, nonce=self.nonce(role, number), next=following),
            role,
        )

    def records(self, seat: str) -> Act:
        book = self.book
        wanted = book.rules.wanted(book.game)
        faces = tuple(self.lot.randint(1, 6) for _ in range(wanted.count if wanted else 2))
        if self.called and self.lot.random() < 0.6:
            faces = (1, *faces[1:])
        who = self.pick([seat, seat, "arbiter"])
        lying = Lying(roll=book.number, dice=faces)
        return self.act("roll.recorded", lying, who)

    def confirms(self, digest: str, seat: str) -> Act:
        return self.act("roll.confirmed", Confirmation(confirms=digest), seat)

    # -- officials -------------------------------------------------------------------------------

    def verdict(self, *effects: Any) -> Verdict:
        return Verdict(reason="Seen at the board.", rule="record", effects=effects)

    def decides(self, *effects: Any) -> Act:
        waiting = [each.hash for each in self.book.undecided]
        appeal = self.pick(waiting or [FOREIGN, self.book.match])
        said = Decision(appeal=appeal, reason="Read anew.", rule="record", effects=effects)
        return Act("appeal.decided", said, "appeal")

    def given(self) -> GivenResult:
        kind = self.pick(["win", "forfeit", "draw", "double_forfeit", "annulled"])
        winner = self.pick(self.book.seats) if kind in ("win", "forfeit") else None
        return GivenResult(kind=kind, winner=winner)

    def effect(self) -> Any:
        """Any effect of a ruling, mostly one that could be."""
        book, pick = self.book, self.pick
        whom = pick([*book.seats * 6, "arbiter", "nobody"])
        number = pick([book.number] * 5 + [book.number + 1, max(1, book.number - 1)])
        match pick(["rewind"] * 4 + ["position"] * 3 + ["penalty", "result", "award", "who", "no"]):
            case "rewind":
                return Rewind(to=self.event(), dice=self.kept())
            case "position":
                return SetPosition(position=self.position())
            case "penalty":
                return Penalty(seat=whom, penalty=pick(PENALTIES))
            case "result" if self.lot.random() < 0.8:
                return self.given()
            case "result":
                return GivenResult(kind=pick(["win", "draw", "forfeit"]), winner=pick([None, whom]))
            case "award":
                wanted = book.rules.wanted(book.game)
                faces = pick([wanted.count if wanted else 2] * 5 + [1, 4])
                return Award(roll=number, dice=(*(self.lot.randint(1, 6) for _ in range(faces)),))
            case "who":
                some = [(), book.seats[:1], book.seats[::-1], ("arbiter", book.seats[0])]
                some += [("witness1",), book.seats, ("arbiter",), (*book.seats, "arbiter")]
                lawful = self.lot.random() < 0.6
                roles = self.lawful_contributors() if lawful else pick(some)
                return NewContributors(roll=number, contributors=tuple(roles))
        return Dismissed()

    def goes_back(self, to: int) -> Act:
        return Act("ruling", self.verdict(Rewind(to=to, dice="rethrow")), "arbiter")

    def sets_up(self) -> Act:
        position = self.pick(GOOD[self.book.rules.name])
        if self.called and self.lot.random() < 0.6:
            position = GOOD["tablero"][3]
        return Act("ruling", self.verdict(SetPosition(position=position)), "arbiter")

    def position(self) -> str:
        """One that stood, one of a list, nonsense, or the present one."""
        book = self.book
        now = book.rules.position(book.game)
        stood = book.rules.position(self.pick(book.pages).game)
        known = self.pick(POSITIONS[book.rules.name] * 2 + GOOD[book.rules.name] * 3)
        return self.pick([known, known, stood, stood, now, "nonsense", f"{now} ", now.upper()])

    def event(self) -> int:
        seq = self.book.seq
        near = max(0, seq - self.lot.randint(0, 6))
        return self.pick([near, near, near, self.lot.randint(0, seq), seq + self.lot.randint(0, 2)])

    def kept(self) -> Any:
        usual = ["keep", "rethrow"] if self.book.rules.dice else [None, None]
        return self.pick([*usual * 6, "keep", None])

    def effects(self) -> tuple[Any, ...]:
        """What a ruling does: one thing, and sometimes penalties; rarely things that clash."""
        book, lot = self.book, self.lot
        penalties = tuple(
            Penalty(seat=self.pick(book.seats), penalty=self.pick(PENALTIES))
            for _ in range(self.pick([0, 0, 0, 1, 2]))
        )
        loser = self.pick(book.seats)
        if lot.random() < 0.08:
            won = GivenResult(kind="forfeit", winner=book.across(loser))
            return (Penalty(seat=loser, penalty="game_lost"), won)
        lately = lot.random() < 0.5
        one = self.way_out() if book.dispute and lately else self.effect()
        some = (one, *penalties) if lot.random() < 0.5 else (*penalties, one)
        if book.penalties and lot.random() < 0.3:
            some = (*some, self.withdraws())
        return (*some, self.effect()) if lot.random() < 0.08 else some

    def withdraws(self) -> Withdrawn:
        """A penalty of the past, mostly one that still counts."""
        given = [each.seq for each in self.book.penalties]
        standing = [each.seq for each in self.book.penalties if each.withdrawn is None]
        return Withdrawn(ruling=self.pick([*standing * 4, *given, self.event()]))

    def raises(self, by: str) -> Act:
        seq = self.book.seq
        about = self.pick([seq, seq, self.lot.randint(0, seq), seq + 1])
        return Act("dispute.raised", Complaint(event=about, text="Not so."), by)

    def states(self, by: str) -> Act:
        open_ = self.book.dispute
        issues = [each.hash for each in self.book.undecided] + ([open_.hash] if open_ else [])
        about = self.pick([*issues * 4, FOREIGN, self.book.events[-1].hash])
        return self.act("statement", Evidence(about=about, text="I saw it."), by)

    def settles(self, seat: str) -> Act:
        last = [each.hash for each in self.book.disputes[-1:]]
        return Act("dispute.settled", Settling(dispute=self.pick([*last * 6, FOREIGN])), seat)

    def appeals(self, seat: str) -> Act:
        book = self.book
        some = [each.hash for each in book.events if each.kind in ("ruling", "match.closed")]
        against = self.pick([*some[-3:] * 3, book.match, FOREIGN])
        return Act("appeal", Objection(against=against, text="The rule says otherwise."), seat)

    def replaces(self, role: str) -> Act:
        """Another key, or none, for a role: mostly a new one, at times with the old one's word."""
        book, lot = self.book, self.lot
        fresh = [line for line in LINES if line not in book.keys_seen]
        key: str | None = self.pick(fresh) if lot.random() < 0.9 else self.pick(LINES)
        held = book.holders.get(role)
        if lot.random() < (0.3 if role in book.seats else 0.05):
            key = None
        name = self.pick([held.name if held else "Nobody", "Carla", "Yara"])
        given = Replacement(role=role, name=name, key=key, reason="The phone is lost.")
        if held and held.key and lot.random() < 0.4:
            said = consent.message(book.match, role, name, key)
            word = KEYRING[held.key].sign(said).hex() if lot.random() < 0.8 else "0" * 128
            given = changed(given, consent=word)
        return Act("key.replaced", given, "arbiter")

    def succeeds(self, by: str) -> Act:
        fresh = [line for line in LINES if line not in self.book.keys_seen]
        key = self.pick(fresh) if self.lot.random() < 0.9 else self.pick(LINES)
        return Act("arbiter.replaced", Succession(name="Yara", key=key, reason="A train."), by)

    # -- adjournment, the end ----------------------------------------------------------------------

    def seals(self, seat: str) -> Act:
        """A sealed move: mostly a legal one."""
        book = self.book
        legal = [each.text for each in book.rules.legal(book.game) if each.kind == "move"]
        text = self.pick([*legal, "e5-e5", "castles"]) if self.lot.random() < 0.8 else "e5-e5"
        nonce = f"{self.lot.getrandbits(256):064x}"
        bound = book.sealing(book.seq + 1, seat, nonce, text)
        self.secrets[bound] = Unsealed(move=text, nonce=nonce)
        return self.act("adjourned", Adjournment(sealed=bound), seat)

    def adjourns(self) -> Act:
        return Act("adjourned", Adjournment(until=self.pick([None, "after tea"])), "arbiter")

    def resumes(self, seat: str) -> Act:
        sealed = self.book.sealed
        opened = None
        if seat != "arbiter":
            opened = Unsealed(move="e3-f3", nonce=FOREIGN)
            if sealed and self.lot.random() < 0.9:
                opened = self.secrets[sealed.hash]
        return self.act("resumed", Resumption(opened=opened), seat)

    def closes(self) -> Act:
        book = self.book
        result = book.result or Result(kind="annulled", how="ruling")
        if self.lot.random() < 0.06:
            result = Result(kind="win", how="goal", winner=book.seats[0])
        cited = book.cited
        if self.lot.random() < 0.06:
            cited = self.pick([None, FOREIGN, book.events[-1].hash])
        return Act("match.closed", Closing(result=result, ruling=cited), "arbiter")

    def result_event(self) -> str:
        sheets = [each.event for each in self.book.sheets]
        return self.pick([*sheets[-1:] * 9, *sheets, FOREIGN])

    def signs(self, role: str, absent: str | None = None) -> Act:
        said = Countersignature(result_event=self.result_event(), absent=absent)
        return Act("countersigned", said, role)

    def unwilling(self, seat: str) -> Act:
        said = Unwilling(result_event=self.result_event(), seat=seat, reason="He left.")
        return Act("signature.refused", said, "arbiter")

    # -- offers -----------------------------------------------------------------------------------

    def terms(self) -> Any:
        book = self.book
        to = self.pick([self.event(), *([book.acted[-1] - 1] * 2 if book.acted else ())])
        first = self.lot.randint(0, 36)
        even = (first, 36 - first)
        share = SettlementOffer(split=self.pick([even, even, (18, 17)]))
        takeback = TakebackOffer(to=max(0, to))
        return self.pick([DrawOffer(), takeback, takeback, share])

    def answers(self) -> Act:
        book = self.book
        standing = [each.hash for each in book.offers]
        made = [each.hash for each in book.events if each.kind == "offer.made"]
        digest = self.pick([*standing * 6, *made[-2:], FOREIGN])
        across = [book.across(each.seat) for each in book.offers if each.hash == digest]
        kind = self.pick(["offer.accepted", "offer.accepted", "offer.declined"])
        return self.act(kind, Answer(offer=digest), self.pick([*across * 4, *book.seats]))
