"""Tabula: the Roman race of fifteen checkers and three dice.

Ruling document: ``tabula-1``. The parts: ``options`` (what is open in the source), ``board``
(places and positions), ``rules`` (one step), ``turns`` (every turn of a throw), ``orders``
(every way to play them), ``play`` (a game so far and its end), ``notation`` (texts).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import attrgetter

from ledger.errors import Unreadable
from ledger.games.protocol import (
    Action,
    Choices,
    Game,
    OptionValue,
    Outcome,
    Stack,
    Throw,
    Track,
)
from ledger.games.tabula import notation, play
from ledger.games.tabula.board import (
    BAR,
    BLACK,
    HAND,
    NAMES,
    OFF,
    POINTS,
    SEATS,
    SIDES,
    START,
    WHITE,
    count,
    read_position,
    write_position,
)
from ledger.games.tabula.notation import GUIDE
from ledger.games.tabula.options import OPTIONS, RULESETS
from ledger.games.tabula.orders import ways_of
from ledger.games.tabula.play import State, begin, turn_of
from ledger.games.tabula.rules import Rules, rules_for
from ledger.games.tabula.turns import Play, Turn
from ledger.games.ways import Ways, listed

__all__ = ["GAME", "Rules", "State", "Turn", "rules_for", "turn_of"]

_LETTERS = ("W", "b")
_PASS = Action("pass", "pass")
_FEW = 10
"""Turns that are shown a line each."""


class Tabula(Game):
    """Tabula as a ``Game``."""

    name = "tabula"
    seats = SEATS
    titles: Mapping[str, str] = dict(zip(SEATS, SIDES, strict=True))
    options = OPTIONS
    rulesets = RULESETS
    document = "tabula-1"
    dice = True
    steps = True
    notation = GUIDE
    actions = frozenset({"move", "pass"})
    sections: Mapping[str, str] = dict.fromkeys(("move", "pass", "throw"), "A turn")
    words = (
        ("hand/3 3/9", "a turn, a word for each die"),
        ("pass", "no die can be played"),
    )

    def start(self, options: Mapping[str, OptionValue]) -> State:
        return begin(rules_for(options), (START, START), None)

    def place(self, options: Mapping[str, OptionValue], position: str) -> State:
        rules = rules_for(options)
        return begin(rules, *read_position(position))

    def position(self, state: State) -> str:
        return write_position(state.men, state.side)

    def turn(self, state: State) -> str | None:
        return None if state.outcome else SEATS[state.side or 0]

    def outcome(self, state: State) -> Outcome | None:
        return state.outcome

    def wanted(self, state: State) -> Throw | None:
        return play.wanted(state)

    def throw(self, state: State, dice: tuple[int, ...]) -> State:
        return play.throw(state, dice)

    def thrown(self, state: State) -> tuple[int, ...]:
        return state.dice

    def legal(self, state: State) -> Sequence[Action]:
        if not state.dice:
            return ()
        found = turn_of(state).results().values()
        return sorted(map(_action, found), key=attrgetter("text")) or [_PASS]

    def paths(self, state: State, action: Action) -> Sequence[tuple[str, str]]:
        return () if action.kind == "pass" else notation.ways(action.text)

    def ways(self, state: State, moves: Sequence[Action]) -> Ways:
        if not state.dice or _PASS in moves:
            return listed(len(moves), ())
        return ways_of(turn_of(state), [action.text for action in moves])

    def choices(self, state: State) -> Sequence[Choices]:
        """Many turns together by their first step, few a line each."""
        texts = [action.text for action in self.legal(state)]
        if len(texts) <= _FEW:
            return (Choices("", tuple(texts)),)
        found: dict[str, list[str]] = {}
        for text in sorted(texts, key=notation.in_travel):
            first, _, rest = text.partition(" ")
            found.setdefault(first, []).append(rest)
        return [Choices(head, tuple(rests)) for head, rests in found.items()]

    def read(self, state: State, kind: str, text: str) -> Action:
        self._check_kind(kind)
        turn = turn_of(state)
        if notation.is_pass(text):
            turn.check_pass()
            return _PASS
        if kind == "pass":
            raise Unreadable("bad-move", "A pass is written pass.")
        return _action(notation.meant(turn, text))

    def apply(self, state: State, action: Action) -> State:
        self._check_kind(action.kind)
        turn = turn_of(state)
        if action.kind == "pass":
            turn.check_pass()
            made, canonical = None, _PASS
        else:
            made = notation.written(turn, action.text)
            canonical = _action(made)
        if action != canonical:
            dice = f" with the dice {play.shown(canonical.dice)}" if canonical.dice else ""
            raise Unreadable("not-canonical", f"This turn is written {canonical.text}{dice}.")
        return play.after(state, turn, made)

    def _check_kind(self, kind: str) -> None:
        if kind not in self.actions:
            raise Unreadable(
                "unknown-action", f"tabula knows move and pass only, not {kind[:32]!a}."
            )

    def remarks(self, state: State) -> Sequence[str]:
        """How many dice can be played, and what the mover must or may do; nothing once it is
        over."""
        return play.remarks(state)

    def surface(self, state: State) -> Track:
        return Track(
            points=tuple(_on_point(state, point) for point in POINTS),
            pools={
                NAMES[place]: (_stack(state, WHITE, place), _stack(state, BLACK, place))
                for place in (HAND, BAR, OFF)
            },
            legend=dict(zip(_LETTERS, SIDES, strict=True)),
            last=state.last,
        )


def _action(made: Play) -> Action:
    return Action("move", made.text, made.dice)


def _stack(state: State, side: int, place: int) -> Stack:
    many = count(state.men[side], place)
    return Stack(_LETTERS[side] if many else "", many)


def _on_point(state: State, point: int) -> Stack:
    white = _stack(state, WHITE, point)
    return white if white.count else _stack(state, BLACK, point)


GAME = Tabula()
"""The game, for the registry."""
