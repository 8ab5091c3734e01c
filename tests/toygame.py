"""Pebbles: an invented game, the proof that a fourth game is one file and one line of the registry.

Ruling document: ``toy-1`` (``DOCUMENT``), whose sections are named in brackets. Written against
``ledger.games.protocol`` and nothing else; where the protocol has a default, it is used.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from operator import attrgetter
from typing import Final

from msgspec import Struct

from ledger.errors import Unreadable
from ledger.games.options import checked
from ledger.games.protocol import (
    Action,
    Game,
    Illegal,
    Option,
    OptionValue,
    Outcome,
    Ruleset,
    Surface,
    Throw,
)

DOCUMENT: Final = b"""\
# Pebbles: ruling document 1

1. Nine holes, a1 to c3 in three rows; a pebble in each. The Heron sits below, the Otter above.
2. Each throws one die. The higher begins; equal dice are thrown again.
3. While more than three pebbles lie, who is to act throws one die and takes pebbles from one row:
   one with a 1 or 2, up to two with a 3 or 4, up to three with a 5 or 6.
4. With three pebbles or fewer nobody throws any more: one is taken.
5. The pebble in the middle, b2, is taken alone.
6. Who has thrown a 1 may pass.
7. Option `last`: who takes the last pebble wins, or loses.
"""

SEATS: Final = ("heron", "otter")
SIDES: Final = ("the Heron", "the Otter")
ROWS: Final = "123"
PLACES: Final = tuple(column + row for row in ROWS for column in "abc")
MIDDLE: Final = "b2"
FEW: Final = 3
"""So many pebbles are taken without dice."""

_OPTIONS: Final = {
    "last": Option(
        "last", ("wins", "loses"), "Who takes the last pebble wins; or loses, as in Nim."
    ),
}
_RULESETS: Final = {
    "toy": Ruleset("toy", 1, "Pebbles: the last pebble wins"),
    "toy-losing": Ruleset("toy-losing", 1, "Pebbles: the last pebble loses", {"last": "loses"}),
}
_GUIDE: Final = """
Columns are a to c, rows 1 to 3. A move names the pebbles that are taken.

  a1 b1     two pebbles of row 1, in any order
  pass      after a 1

A position: rows 1, 2 and 3, who acts, and what comes next.

  ooo/ooo/ooo - toss
  .../o.o/ooo otter take:5
"""
_POSITION: Final = re.compile(
    "([o.]{3})/([o.]{3})/([o.]{3}) (heron|otter|-) (toss|throw|take|take:[1-6]|over)"
)


class State(Struct, frozen=True):
    """A game so far. ``side`` is nobody's until the toss is decided; in the end it is whose pebble
    was the last. ``die`` waits to be used; 0 if none does."""

    last: OptionValue
    pebbles: tuple[str, ...]
    side: int | None = None
    die: int = 0
    touched: tuple[str, ...] = ()

    @property
    def phase(self) -> str:
        if self.side is None:
            return "toss"
        if not self.pebbles:
            return "over"
        return "take" if self.die or len(self.pebbles) <= FEW else "throw"

    @property
    def most(self) -> int:
        """Pebbles that may be taken at once (3, 4)."""
        return (self.die + 1) // 2 if self.die else 1

    @property
    def written(self) -> str:
        row = "/".join(
            "".join("o" if place in self.pebbles else "." for place in PLACES[start : start + 3])
            for start in (0, 3, 6)
        )
        whose = "-" if self.side is None else SEATS[self.side]
        return f"{row} {whose} {self.phase}{f':{self.die}' if self.die else ''}"


class Pebbles(Game):
    """The game, as the ledger asks for it."""

    name = "toy"
    seats = SEATS
    titles: Mapping[str, str] = dict(zip(SEATS, SIDES, strict=True))
    options = _OPTIONS
    rulesets = _RULESETS
    document = "toy-1"
    actions = frozenset({"move", "pass"})
    notation = _GUIDE
    words = (("a1 b1", "pebbles of one row are taken"), ("pass", "after a 1"))
    dice = True
    steps = True

    def start(self, options: Mapping[str, OptionValue]) -> State:
        (last,) = checked(self.name, self.options, options)
        return State(last, PLACES)

    def turn(self, state: State) -> str | None:
        return None if state.phase == "over" else SEATS[state.side or 0]

    def wanted(self, state: State) -> Throw | None:
        match state.phase:
            case "toss":
                return Throw(SEATS[0], SEATS)
            case "throw":
                return Throw(SEATS[state.side or 0], (SEATS[state.side or 0],))
        return None

    def throw(self, state: State, dice: tuple[int, ...]) -> State:
        wanted = self.wanted(state)
        if wanted is None:
            raise Illegal("no-throw", f"No dice are thrown now: {_first(state)}.")
        if len(dice) != wanted.count or not all(die in range(1, 7) for die in dice):
            raise Illegal("bad-dice", f"This throw has {wanted.count} dice, from 1 to 6.")
        if state.phase == "throw":
            return State(state.last, state.pebbles, state.side, dice[0], state.touched)
        heron, otter = dice
        side = None if heron == otter else int(otter > heron)
        return State(state.last, state.pebbles, side)

    def thrown(self, state: State) -> tuple[int, ...]:
        return (state.die,) if state.die else ()

    def legal(self, state: State) -> Sequence[Action]:
        return sorted(_legal(state), key=attrgetter("kind", "text"))

    def read(self, state: State, kind: str, text: str) -> Action:
        if kind not in self.actions:
            raise Unreadable("unknown-action", f"toy knows move and pass, not {kind[:32]!a}.")
        words = re.split(r"[\s,]+", text.strip().lower())
        if words == ["pass"]:
            _check_pass(state)
            return Action("pass", "pass")
        if kind == "pass" or not set(words) <= {*PLACES} or len({*words}) < len(words):
            raise Unreadable("bad-move", f"A move is written like a1 b1, not {text[:40]!a}.")
        _check_move(state, words)
        return Action("move", _spelled(words))

    def apply(self, state: State, action: Action) -> State:
        canonical = self.read(state, action.kind, action.text)
        if action != canonical:
            raise Unreadable("not-canonical", f"This is written {canonical.typed}.")
        taken = tuple(action.text.split()) if action.kind == "move" else ()
        left = tuple(place for place in state.pebbles if place not in taken)
        side = 1 - (state.side or 0) if left else state.side
        return State(state.last, left, side, touched=taken)

    def outcome(self, state: State) -> Outcome | None:
        if state.phase != "over":
            return None
        last = state.side or 0
        winner = last if state.last == "wins" else 1 - last
        text = f"{SIDES[last]} took the last pebble: {SIDES[winner]} wins."
        return Outcome("last_pebble", SEATS[winner], text[0].upper() + text[1:])

    def position(self, state: State) -> str:
        return state.written

    def place(self, options: Mapping[str, OptionValue], position: str) -> State:
        found = _POSITION.fullmatch(position)
        if found is None:
            raise Unreadable("bad-position", "A position is written like ooo/ooo/ooo - toss.")
        *rows, whose, phase = found.groups()
        signs = zip(PLACES, "".join(rows), strict=True)
        pebbles = tuple(place for place, sign in signs if sign == "o")
        side = None if whose == "-" else SEATS.index(whose)
        die = int(phase[-1]) if ":" in phase else 0
        state = State(self.start(options).last, pebbles, side, die)
        lacking = len(pebbles) < len(PLACES) if side is None else die and len(pebbles) <= FEW
        if state.written != position or lacking:
            raise Unreadable("bad-position", f"There is no {phase} with these pebbles.")
        return state

    def surface(self, state: State) -> Surface:
        return Surface(
            columns=tuple("abc"),
            rows=tuple(ROWS),
            pieces=dict.fromkeys(state.pebbles, "@"),
            marks={MIDDLE: "middle"},
            legend={"@": "pebble", "middle": "the middle, taken alone"},
            counts=(("pebbles", len(state.pebbles)),),
            last=state.touched,
            sides=("Heron", "Otter"),
        )


def _spelled(places: Iterable[str]) -> str:
    return " ".join(sorted(places))


def _legal(state: State) -> Iterator[Action]:
    if state.phase != "take":
        return
    if state.die == 1:
        yield Action("pass", "pass")
    for row in ROWS:
        there = [place for place in state.pebbles if place.endswith(row)]
        for many in range(1, state.most + 1):
            for places in combinations(there, many):
                if many == 1 or MIDDLE not in places:
                    yield Action("move", _spelled(places))


def _first(state: State) -> str:
    """What comes before that which somebody wants to do."""
    match state.phase:
        case "over":
            return "the game is over"
        case "toss":
            return "who begins is not decided; each throws one die first"
        case "throw":
            return f"{SIDES[state.side or 0]} throws first"
    return f"{SIDES[state.side or 0]} takes pebbles first"


def _check_pass(state: State) -> None:
    if state.phase != "take":
        raise Illegal("not-now", f"A pass is refused: {_first(state)}.")
    if state.die != 1:
        raise Illegal("pass-on-one", "A pass is refused: only who has thrown a 1 may pass.")


def _check_move(state: State, places: Sequence[str]) -> None:
    """Raises ``Illegal`` with the first section that refuses this."""
    if state.phase != "take":
        raise Illegal("not-now", f"{_spelled(places)} is refused: {_first(state)}.")
    for place in sorted(places):
        if place not in state.pebbles:
            raise Illegal("empty-hole", f"{_spelled(places)} is refused: {place} is empty.")
    if len({place[1] for place in places}) > 1:
        raise Illegal("one-row", f"{_spelled(places)} is refused: that is more than one row.")
    if MIDDLE in places and len(places) > 1:
        raise Illegal("middle-alone", f"{_spelled(places)} is refused: b2 is taken alone.")
    if len(places) > state.most:
        why = f"{state.most} may be taken"
        raise Illegal("too-many", f"{_spelled(places)} is refused: {why}, not {len(places)}.")


GAME: Final = Pebbles()
