"""A score sheet for tests: a match on paper, kept by somebody who knows nothing of the fold.

It says of every act beforehand whether it is refused and with which code, and afterwards what
stands: the acts, whose turn it is, the result, open offers, calls that were missing or false.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any, NamedTuple

from table import opening

from ledger.events import (
    EVENT_TYPES,
    Answer,
    Call,
    Closing,
    Countersignature,
    DrawOffer,
    Opening,
    Play,
    Result,
    Rewind,
    SettlementOffer,
    TakebackOffer,
    Verdict,
)
from ledger.fold import MatchState, breaches
from ledger.games.protocol import Action
from ledger.games.tablut import GAME
from ledger.service import Draft

SEATS = GAME.seats
OF_OTHERS = ("pull", "wager", "pass", "run", "stop", "diablo", "done")
"""Acts of other games."""
SCRIBED = (
    *("move", *OF_OTHERS, "call", "offer.made", "offer.accepted", "offer.declined"),
    *("draw.claimed", "resigned", "roll", "roll.recorded", "roll.confirmed"),
)
"""What the arbiter writes down for a seat without a key."""
OF_DICE = (
    *("dice.committed", "roll", "roll.opened", "roll.recorded", "roll.confirmed", "roll.voided"),
)
"""What nobody does in a game without dice."""
OF_OFFICIALS = (
    *("dispute.raised", "dispute.settled", "statement", "appeal", "appeal.decided"),
    *("key.replaced", "arbiter.replaced", "adjourned", "resumed", "signature.refused"),
)
"""What is not on this sheet, but in the book (``ledgerbyhand``): disputes, other people, breaks."""
ON_THE_SHEET = tuple(kind for kind in EVENT_TYPES if kind not in ("match.opened", *OF_OFFICIALS))


class Act(NamedTuple):
    """What somebody does: the type of the event and its data, who signs, for whom, whose key."""

    kind: str
    data: Any
    by: str
    for_: str | None = None
    key: str | None = None

    @property
    def seat(self) -> str:
        return self.for_ or self.by

    def plan(self, _: MatchState) -> Draft:
        return Draft(self.kind, self.data, self.by, self.for_)


class Done(NamedTuple):
    """An act that stands on the sheet, with its event's number."""

    seq: int
    what: str
    seat: str
    text: str = ""


@dataclass(frozen=True)
class Page:
    """The sheet after an event, as somebody keeps it who strikes out what is taken back."""

    acts: tuple[Done, ...] = ()
    trail: tuple[int, ...] = ()
    """The events that led here."""


class Offer(NamedTuple):
    hash: str
    seq: int
    seat: str
    terms: Any


@dataclass(frozen=True)
class Sheet:
    """A match on paper: one page an event, page 0 is the opening."""

    opening: Opening
    pages: tuple[Page, ...] = (Page(),)
    acted: tuple[int, ...] = ()
    offers: tuple[Offer, ...] = ()
    made: tuple[str, ...] = ()
    accepted: frozenset[str] = frozenset()
    closed: str | None = None
    signed: frozenset[str] = frozenset()

    # -- what stands -----------------------------------------------------------------------

    @property
    def seq(self) -> int:
        return len(self.pages) - 1

    @property
    def page(self) -> Page:
        return self.pages[-1]

    @cached_property
    def game(self) -> Any:
        return self.played(self.page)

    @cached_property
    def result(self) -> Result | None:
        return self.ended(self.page)

    def played(self, page: Page) -> Any:
        """The acts that stand, played once more from the start."""
        return played(self.opening.ruleset.name, said_on(page.acts))

    def ended(self, page: Page) -> Result | None:
        match page.acts[-1:]:
            case (Done(what="resigned", seat=loser),):
                return Result(kind="win", how="resigned", winner=other(loser))
            case (Done(what="agreed"),):
                return Result(kind="draw", how="agreed")
            case (Done(what="claimed"),):
                return Result(kind="draw", how="repetition")
        outcome = GAME.outcome(self.played(page))
        if outcome is None:
            return None
        kind = "win" if outcome.winner else "draw"
        return Result(kind=kind, how=outcome.reason, winner=outcome.winner)

    @property
    def moves(self) -> list[Done]:
        return [act for act in self.page.acts if act.what == "move"]

    @property
    def phase(self) -> str:
        if self.closed:
            return "closed"
        if self.result:
            return "ended"
        keyed = {seat for seat, holder in self.opening.seats.items() if holder.key}
        return "in-play" if keyed <= self.accepted else "before-acceptance"

    @property
    def turn(self) -> str | None:
        """Whose turn it is, from the number of moves that stand."""
        first = SEATS.index(str(self.opening.ruleset.options["first"]))
        return SEATS[(first + len(self.moves)) % 2] if self.phase == "in-play" else None

    @property
    def struck(self) -> set[int]:
        return set(self.acted) - {act.seq for act in self.page.acts}

    def times(self) -> int:
        """How often the position has stood since the last capture, counted on paper."""
        texts = [act.text for act in self.moves]
        capture = max((n for n, text in enumerate(texts, 1) if "x" in text), default=0)
        stood = [position(self.opening.ruleset.name, (*texts[:n],)) for n in range(len(texts) + 1)]
        return stood[capture:].count(stood[-1])

    def breaches(self) -> dict[int, tuple[str, ...]]:
        """Calls missing or false after a Swedish move that the Muscovites have answered."""
        found = {}
        last: Done | None = None
        said = due = None
        for number, act in enumerate(self.page.acts, start=1):
            if act.what == "move":
                if last is not None and act.seat == "muscovites" and said != due:
                    found[last.seq] = (wrong(said, due),)
                said = due = None
                if act.seat == "swedes":
                    due = owed(self.opening.ruleset.name, said_on(self.page.acts[:number]))
            elif act.what == "call":
                said = act.text
            last = act
        return found

    # -- what is refused -------------------------------------------------------------------

    def refusal(self, act: Act) -> str | None:
        """The code of the refusal that ``act`` must meet; ``*`` is any."""
        return self._authority(act) or self._rule(act)

    def _holders(self) -> dict[str, str | None]:
        seats = {seat: seat if held.key else None for seat, held in self.opening.seats.items()}
        return {"arbiter": "arbiter", "witness1": "witness1", **seats}

    def _authority(self, act: Act) -> str | None:
        holders, kind = self._holders(), act.kind
        if act.by not in holders:
            return "unknown-role"
        if holders[act.by] is None:
            return "no-key"
        if act.key not in (None, act.by):
            return "wrong-signer"
        if act.for_ is not None:
            if act.by != "arbiter" or kind not in SCRIBED:
                return "wrong-role"
            if act.for_ not in SEATS:
                return "unknown-role"
            return "seat-has-key" if holders[act.for_] else None
        may = {
            **dict.fromkeys((*SCRIBED, "seat.accepted"), SEATS),
            **dict.fromkeys(
                ("dice.committed", "roll.opened", "roll.recorded", "roll.voided"),
                (*SEATS, "arbiter"),
            ),
            **dict.fromkeys(("ruling", "match.closed"), ("arbiter",)),
            "countersigned": (*SEATS, "witness1"),
            "note": tuple(holders),
        }
        return None if act.by in may[kind] else "wrong-role"

    def _rule(self, act: Act) -> str | None:  # one line for each rule, in the order of the rules
        match act.kind, act.data:
            case "seat.accepted", _:
                return "accepted-twice" if act.by in self.accepted else None
            case "ruling", Verdict(effects=(Rewind(to=to),)):
                return "match-closed" if self.closed else self._back(to)
            case "match.closed", Closing(result=result):
                if self.closed or self.result is None:
                    return "match-closed" if self.closed else "not-over"
                return None if result == self.result else "wrong-result"
            case "countersigned", Countersignature(result_event=digest):
                if not self.closed:
                    return "not-closed"
                if digest != self.closed:
                    return "wrong-result-event"
                return "countersigned-twice" if act.by in self.signed else None
            case "note", _:
                return None
            case kind, _ if kind in OF_DICE and kind != "roll":
                return "no-dice"
        idle = {"closed": "match-closed", "ended": "game-over", "before-acceptance": "not-accepted"}
        return idle.get(self.phase) or self._in_play(act)

    def _in_play(self, act: Act) -> str | None:
        match act.kind, act.data:
            case "roll", _:
                return "no-dice"
            case kind, _ if kind in OF_OTHERS:
                return "wrong-turn" if act.seat != self.turn else "unknown-action"
            case "move", Play(move=text):
                if act.seat != self.turn:
                    return "wrong-turn"
                return None if text in [each.text for each in GAME.legal(self.game)] else "*"
            case "call", Call(call=word):
                if act.seat != "swedes":
                    return "wrong-turn"
                if word not in ("raichi", "tuichi"):
                    return "not-canonical"
                last = self.page.acts[-1:]
                just = last and last[0].what == "move" and last[0].seat == "swedes"
                return None if just else "calls"
            case "offer.made", terms:
                if isinstance(terms, TakebackOffer):
                    if not self.opening.takebacks:
                        return "no-takebacks"
                    if refused := self._back(terms.to):
                        return refused
                    if terms.to not in (0, *self.page.trail):
                        return "taken-back"
                if isinstance(terms, SettlementOffer):
                    return "no-settlement"
                twice = any((o.seat, type(o.terms)) == (act.seat, type(terms)) for o in self.offers)
                return "offered-already" if twice else None
            case "offer.accepted" | "offer.declined", Answer(offer=digest):
                for offer in self.offers:
                    if offer.hash == digest:
                        return "own-offer" if offer.seat == act.seat else None
                return "offer-lapsed" if digest in self.made else "no-such-offer"
            case "draw.claimed", _:
                claim = self.opening.ruleset.options["repetition"] == "claim"
                return None if claim and self.times() >= 3 else "repetition"
        return None

    def _back(self, to: int) -> str | None:
        if to > self.seq:
            return "no-such-event"
        page = self.pages[to]
        same = self.played(page) == self.game and self.ended(page) == self.result
        return "nothing-to-rewind" if same else None

    # -- what follows ----------------------------------------------------------------------

    def after(self, act: Act, digest: str) -> Sheet:
        """The sheet once ``act``, an event with this hash, is written on it."""
        seq, seat = len(self.pages), act.seat
        went_on = replace(self.page, trail=(*self.page.trail, seq))
        noted = replace(self, pages=(*self.pages, went_on))
        match act.kind, act.data:
            case "seat.accepted", _:
                return replace(noted, accepted=self.accepted | {act.by})
            case "move", Play(move=text):
                return noted._act("move", seat, text)
            case "call", Call(call=text):
                return noted._act("call", seat, text)
            case "resigned", _:
                return noted._act("resigned", seat)
            case "draw.claimed", _:
                return noted._act("claimed", seat)
            case "offer.made", terms:
                offers = (*self.offers, Offer(digest, seq, seat, terms))
                return replace(noted, offers=offers, made=(*self.made, digest))
            case "offer.declined", Answer(offer=answered):
                return replace(noted, offers=tuple(o for o in self.offers if o.hash != answered))
            case "offer.accepted", Answer(offer=answered):
                (terms,) = (o.terms for o in self.offers if o.hash == answered)
                if isinstance(terms, DrawOffer):
                    return noted._act("agreed", seat)
                return self._rewound(seq, terms.to)
            case "ruling", Verdict(effects=(Rewind(to=to),)):
                return self._rewound(seq, to)
            case "match.closed", _:
                return replace(noted, closed=digest)
            case "countersigned", _:
                return replace(noted, signed=self.signed | {act.by})
        return noted

    def _act(self, what: str, seat: str, text: str = "") -> Sheet:
        page = self.page
        done = replace(page, acts=(*page.acts, Done(self.seq, what, seat, text)))
        sheet = replace(self, pages=(*self.pages[:-1], done), acted=(*self.acted, self.seq))
        keep = self.offers if what == "call" else tuple(o for o in self.offers if o.seat == seat)
        keep = () if sheet.result else keep
        return replace(sheet, offers=keep)

    def _rewound(self, seq: int, to: int) -> Sheet:
        page = self.pages[to]
        back = replace(page, trail=(*page.trail, seq))
        return replace(self, pages=(*self.pages, back), offers=())


@cache
def played(name: str, said: tuple[tuple[str, str], ...]) -> Any:
    """The game after these moves and calls, from the start of a ruleset."""
    if not said:
        return GAME.start(opening(name).ruleset.options)
    return GAME.apply(played(name, said[:-1]), Action(*said[-1]))


@cache
def owed(name: str, said: tuple[tuple[str, str], ...]) -> str | None:
    """The call that is due after these moves and calls."""
    return called_for(played(name, said))


def said_on(acts: Sequence[Done]) -> tuple[tuple[str, str], ...]:
    return tuple((act.what, act.text) for act in acts if act.what in ("move", "call"))


@cache
def position(name: str, moves: tuple[str, ...]) -> str:
    return GAME.position(played(name, tuple(("move", text) for text in moves)))


def other(seat: str) -> str:
    return SEATS[1 - SEATS.index(seat)]


def called_for(state: Any) -> str | None:
    """The call that is due, found by letting the king move once more at once."""
    if GAME.outcome(state):
        return None
    board = GAME.surface(state)
    ends = {board.columns[0], board.columns[-1], board.rows[0], board.rows[-1]}
    text = GAME.position(state)
    again = GAME.place(state.rules.option, text[:-1] + "s")
    ways = set()
    for action in GAME.legal(again):
        if action.text.startswith("K"):
            start, target = action.text[1:].partition("x")[0].split("-")
            gone = target[1:] if start[0] == target[0] else target[0]
            if gone in ends:
                ways.add(target)
    return None if not ways else "raichi" if len(ways) == 1 else "tuichi"


def wrong(said: str | None, due: str | None) -> str:
    if said is None:
        return f"{due} was due and not called"
    return f"{said} was called, but {due or 'none'} was due"


def compare(sheet: Sheet, state: MatchState) -> None:
    """The fold and the score sheet say the same."""
    assert state.seq == sheet.seq
    assert state.phase.value == sheet.phase
    assert (state.turn, state.result) == (sheet.turn, sheet.result)
    assert state.position == sheet.game
    assert state.superseded() == sheet.struck
    assert state.line() == set(sheet.page.trail)
    line = sorted(seq for seq in state.line() if state.moments[seq].acted)
    assert line == [act.seq for act in sheet.page.acts]
    assert [tuple(getattr(o, f) for f in Offer._fields) for o in state.offers] == [*sheet.offers]
    assert (state.accepted, state.countersigned) == (sheet.accepted, sheet.signed)
    assert state.result_event == sheet.closed
    assert breaches(state) == sheet.breaches()
    assert GAME.repetitions(state.position) == sheet.times()
    if sheet.moves and sheet.moves[-1].seat == "swedes":
        due = owed(sheet.opening.ruleset.name, said_on(sheet.page.acts))
        assert GAME.calls_due(state.position) == due
