"""What every game gives the fold and the renderers: one small protocol and its value types.

A game is one module with one ``Game`` object, derived from ``Game``, which has an answer for what
most games do not know: dice, calls, draws to be claimed. States are immutable and carry their
options, so every question is a function of the state alone. Nothing here knows a particular game.

Its acts are of the kinds that events know (``ledger.fold.acts``). Names of seats and options, and
reasons of outcomes, stand in events, in the form of ``events.Role``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeAlias

from msgspec import Struct, field

from ledger.errors import Refused
from ledger.games.ways import Step, Ways, listed

OptionValue: TypeAlias = "bool | str"
State: TypeAlias = Any
"""A game's own immutable state; opaque outside its module."""


class Option(Struct, frozen=True):
    """One point where the rules had to be read: its default comes first in ``values``."""

    name: str
    values: tuple[OptionValue, ...]
    reason: str

    @property
    def default(self) -> OptionValue:
        return self.values[0]


class Ruleset(Struct, frozen=True):
    """A named set of options. ``changes`` lists those that differ from the game's defaults."""

    name: str
    version: int
    title: str
    changes: Mapping[str, OptionValue] = field(default_factory=dict)


class Action(Struct, frozen=True):
    """What a seat does: the type of its event (``move``, ``pass`` …) and its canonical notation."""

    kind: str
    text: str
    dice: tuple[int, ...] = ()
    """The die of each step in the order of the text, in games where a move is made of dice."""

    @property
    def typed(self) -> str:
        """The words that people type for it: moves and calls go without their kind."""
        alone = self.kind in ("move", "call") or self.kind == self.text
        return self.text if alone else f"{self.kind} {self.text}"


class Choices(Struct, frozen=True):
    """Legal actions that people look for together: what they begin with, or a word for them, and
    how each goes on. Without a head they stand a line each."""

    head: str
    texts: tuple[str, ...]


class Throw(Struct, frozen=True):
    """Dice that may be thrown now: by which seat, and whose each die is (all the thrower's, or
    one die each for who begins)."""

    seat: str
    owners: tuple[str, ...]

    @property
    def count(self) -> int:
        return len(self.owners)


class Outcome(Struct, frozen=True):
    """How the game ended by its own rules: why, and who won (``None``: a draw)."""

    reason: str
    winner: str | None
    text: str
    """A sentence for people: "The king stands on the corner a1: the Swedes win."."""


class Surface(Struct, frozen=True):
    """A board for renderers: a grid of places with pieces, marks and counts.

    ``columns`` run from left to right and ``rows`` from bottom to top as the first seat sees
    them; a place is column + row ("e5"). ``pieces`` and ``marks`` map places to a letter and to
    the name of a marking; ``signs`` has a character for each marking, and ``legend`` words for
    letters and markings, in the order to print them.
    """

    columns: tuple[str, ...]
    rows: tuple[str, ...]
    pieces: Mapping[str, str]
    marks: Mapping[str, str]
    legend: Mapping[str, str]
    counts: tuple[tuple[str, int], ...]
    signs: Mapping[str, str] = {}
    last: tuple[str, ...] = ()
    """Places that the last action touched."""
    joined: tuple[tuple[str, ...], ...] = ()
    """Places in neighbouring columns of a row that belong together."""
    sides: tuple[str, str] = ("", "")
    """Who sits below the first row and above the last, where the board does not show it."""


class Stack(Struct, frozen=True):
    """Pieces of one kind in one place: a letter and how many; the letter is "" where none are."""

    piece: str
    count: int


class Track(Struct, frozen=True):
    """A board for renderers: a track of numbered points in the direction of travel, with stacks,
    and pools beside it.

    ``points[0]`` is point 1; upper-case letters are the first seat's pieces, lower-case ones the
    second's. ``pools`` (hand, bar, off …) give a stack for each seat, in the order to print them.
    ``legend`` gives words for the letters; ``last`` are the points that the last action touched.
    """

    points: tuple[Stack, ...]
    pools: Mapping[str, tuple[Stack, Stack]]
    legend: Mapping[str, str]
    last: tuple[int, ...] = ()


class Illegal(Refused):
    """An action that the rules refuse. ``code`` names the rule or option that refuses it."""


class Game(Protocol):
    """One game. All methods are pure; texts are refused with ``Unreadable`` or ``Ambiguous``
    when they cannot be read, and with ``Illegal`` when the rules refuse them."""

    name: str
    seats: tuple[str, str]
    """First and second seat, as they are named in events."""
    titles: Mapping[str, str]
    """What a seat is called in a sentence: "the Swedes"."""
    options: Mapping[str, Option]
    rulesets: Mapping[str, Ruleset]
    document: str
    """Name of the ruling document in force, a file of ``ledger/rulings``."""
    actions: frozenset[str]
    """Event types that are actions of this game."""
    notation: str
    """How its moves, calls and positions are written: a page for people, with examples."""
    sections: Mapping[str, str] = {}
    """The section of the ruling document that an act (by its kind) or a throw rests on."""
    words: Sequence[tuple[str, str]] = ()
    """What is typed at the table in this game, and what it does, a line each."""
    dice: bool = False
    """Whether it is played with dice."""
    steps: bool = False
    """Whether a move may be several words: then all that is typed in a line is one move."""

    # -- what every game has

    def start(self, options: Mapping[str, OptionValue]) -> State:
        """The state before the first action. ``options`` are all options, spelled out.

        Raises ``Unreadable`` for an unknown, missing or impossible option.
        """
        ...

    def turn(self, state: State) -> str | None:
        """The seat to act, or ``None`` when the game is over."""
        ...

    def legal(self, state: State) -> Sequence[Action]:
        """Every legal action of the seat whose turn it is, in canonical spelling, sorted by kind
        and text; one for each result where several texts lead to the same; none when the game is
        over or dice must be thrown first."""
        ...

    def read(self, state: State, kind: str, text: str) -> Action:
        """What a person typed, as the one canonical action that it means in this state."""
        ...

    def apply(self, state: State, action: Action) -> State:
        """The next state. Refuses with ``Illegal``; a text that is legal but not in its one
        canonical spelling is ``Unreadable`` with code ``not-canonical``."""
        ...

    def outcome(self, state: State) -> Outcome | None:
        """How the game ended, or ``None`` while it goes on."""
        ...

    def position(self, state: State) -> str:
        """The position as one line of text."""
        ...

    def place(self, options: Mapping[str, OptionValue], position: str) -> State:
        """The state of a position text, without history. Raises ``Unreadable``."""
        ...

    def surface(self, state: State) -> Surface | Track:
        """The board, for the renderers."""
        ...

    # -- what some have

    def actor(self, state: State, kind: str) -> str | None:
        """The seat that an action of this kind belongs to; mostly the one whose turn it is."""
        return self.turn(state)

    def wanted(self, state: State) -> Throw | None:
        """The throw that may be made in this state, or ``None``. Where there are legal actions
        too, the seat may choose."""
        return None

    def throw(self, state: State, dice: tuple[int, ...]) -> State:
        """The state after the wanted throw fell like this, one face from 1 to 6 for each die.
        Raises ``Illegal`` (``no-throw``, ``bad-dice``) when it does not fit."""
        raise Illegal("no-throw", "This game is played without dice.")

    def thrown(self, state: State) -> tuple[int, ...]:
        """The dice on the table that something is still to be done with, as thrown; empty if
        there are none."""
        return ()

    def choices(self, state: State) -> Sequence[Choices]:
        """The legal actions as people at the table look for them."""
        return (Choices("", tuple(action.typed for action in self.legal(state))),)

    def paths(self, state: State, action: Action) -> Sequence[tuple[str, str]]:
        """From where to where a legal action takes pieces of the seat that acts, in the order of
        the text: places of a ``Surface``, or points of a ``Track`` as decimal numbers and its
        pools by name. Empty for what is not done by moving pieces on the board."""
        return ()

    def ways(self, state: State, moves: Sequence[Action]) -> Ways:
        """How these actions, all that ``legal`` lists, are made on the board: in every order and by
        all stops that the rules allow; as their text says, where a game knows no other."""
        paths = (self.paths(state, action) for action in moves)
        return listed(
            len(moves),
            ((move, [Step(*path) for path in each]) for move, each in enumerate(paths) if each),
        )

    def beside(self, state: State) -> Sequence[Action]:
        """What may be done now beside the turn (a call), right or wrong; whose it is, ``actor``
        says."""
        return ()

    def limited(self, state: State, turns: int) -> State:
        """The game before its first action, to be over after so many turns. Raises ``Illegal``
        where the rules know no such end."""
        raise Illegal("no-turn-cap", "This game has no end after a number of turns.")

    def reset(self, options: Mapping[str, OptionValue], state: State, position: str) -> State:
        """The game so far, set by hand to a position text: what is counted over the whole game
        goes on. Raises ``Unreadable``."""
        return self.place(options, position)

    def claim(self, state: State) -> Outcome:
        """The draw that either player may claim in this state. Refuses with ``Illegal``."""
        raise Illegal("no-draw", "This game has no draw to claim. Both may agree on one.")

    def settle(self, state: State, split: tuple[int, int]) -> State:
        """The game as both end it by sharing what it is played for: so much for the first seat,
        so much for the second. Refuses with ``Illegal``."""
        raise Illegal("no-settlement", "This game is not played for points that could be shared.")

    def points(self, state: State) -> tuple[int, int] | None:
        """What each seat holds of what the game is played for; ``None``: it is not for points."""
        return None

    def owed(self, state: State) -> Action | None:
        """An action that is due now beside the turn (a call), or ``None``."""
        return None

    def breaches(self, before: State, after: State) -> Sequence[str]:
        """Duties that an action from ``before`` to ``after`` leaves undone or wrongly done for
        good, in sentences. They change nothing by themselves."""
        return ()

    def news(self, state: State) -> str:
        """What the last action or throw brought about beyond what it says, in a few words."""
        return ""

    def remarks(self, state: State) -> Sequence[str]:
        """What people at the table should know of this state, in sentences; may be empty."""
        return ()
