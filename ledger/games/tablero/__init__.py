"""El Tablero de Jesús: seven coins on a board of seven by seven, two dice, and a stake to lose.

Ruling document: ``tablero-1``. The parts: ``options`` (what is open in the source), ``board``
(Formations and positions), ``throws`` (every play of a throw), ``state`` (a game so far), ``play``
(what a throw or an act leads to), ``refusals`` (what is not allowed, and why), ``notation``
(texts), ``telling`` (what the table should know).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Final

from msgspec.structs import replace

from ledger.errors import Unreadable
from ledger.games.protocol import (
    Action,
    Choices,
    Game,
    Illegal,
    OptionValue,
    Outcome,
    Surface,
    Throw,
)
from ledger.games.tablero import notation, play, refusals, telling, throws
from ledger.games.tablero.board import (
    PASS_NUMBERS,
    SEATS,
    SIDES,
    SIZE,
    STAKE,
    Formation,
    Phase,
    longest,
    place,
    read_position,
)
from ledger.games.tablero.notation import GUIDE
from ledger.games.tablero.options import OPTIONS, RULESETS, Rules, rules_for
from ledger.games.tablero.play import next_steps
from ledger.games.tablero.state import State, at, limited
from ledger.games.ways import Step, Ways, listed

__all__ = ["GAME", "PASS_NUMBERS", "SIZE", "STAKE", "Phase", "Rules", "State", "rules_for"]

_PLAIN: Final = {
    "pass": (refusals.check_pass, play.pass_on),
    "wager": (refusals.check_wager, play.wager),
    "run": (refusals.check_run, play.run),
    "stop": (refusals.check_stop, play.stop),
    "diablo": (refusals.check_diablo, play.diablo),
    "done": (refusals.check_done, play.done),
}
"""Acts that are a word alone: what refuses them, and what they do."""


class Tablero(Game):
    """El Tablero de Jesús as a ``Game``."""

    name = "tablero"
    seats = SEATS
    titles: Mapping[str, str] = dict(zip(SEATS, SIDES, strict=True))
    options = OPTIONS
    rulesets = RULESETS
    document = "tablero-1"
    dice = True
    steps = True
    notation = GUIDE
    actions = frozenset({"move", "pull", *_PLAIN})
    sections: Mapping[str, str] = {
        "throw": "The throw",
        "move": "The move",
        "pull": "The Pull",
        **dict.fromkeys(("pass", "wager"), "The answer"),
        **dict.fromkeys(("run", "stop"), "The Run"),
        **dict.fromkeys(("diablo", "done"), "`diablo`: when a Pass Number acts"),
    }
    words = (
        ("c1-c4 d7-d2", "a move: a word for each coin; c4 d2 will do"),
        ("pull 4a-c", "a Formation is taken; pull alone where there is one"),
        ("wager, pass", "the answers to a Pass Number"),
        ("run, stop", "with a Formation of seven"),
        ("offer settle 20-16", "the coins are divided, South's share first"),
    )

    def start(self, options: Mapping[str, OptionValue]) -> State:
        return State(rules_for(options))

    def limited(self, state: State, turns: int) -> State:
        return limited(state, turns)

    def place(self, options: Mapping[str, OptionValue], position: str) -> State:
        rules = rules_for(options)
        state = at(rules, read_position(position, rules))
        if state.phase is Phase.MOVE and not self.legal(state):
            raise Unreadable(
                "bad-position",
                "This position cannot be read: no coin can be moved, so the throw is over.",
            )
        return state

    def reset(self, options: Mapping[str, OptionValue], state: State, position: str) -> State:
        """Turns that were played stay played: the cap counts them."""
        return replace(self.place(options, position), turns=state.turns, cap=state.cap)

    def position(self, state: State) -> str:
        return str(state.written)

    def turn(self, state: State) -> str | None:
        return None if state.outcome else SEATS[state.active]

    def actor(self, state: State, kind: str) -> str | None:
        if kind == "diablo" and state.outcome is None:
            return SEATS[1 - state.active]
        return self.turn(state)

    def outcome(self, state: State) -> Outcome | None:
        return state.outcome

    def wanted(self, state: State) -> Throw | None:
        return play.wanted(state)

    def throw(self, state: State, dice: tuple[int, ...]) -> State:
        refusals.check_throw(state, dice)
        return play.throw(state, *dice)

    def thrown(self, state: State) -> tuple[int, ...]:
        return state.dice if state.phase is Phase.ANSWER else state.left

    def legal(self, state: State) -> Sequence[Action]:
        return sorted(_legal(state), key=attrgetter("kind", "text"))

    def paths(self, state: State, action: Action) -> Sequence[tuple[str, str]]:
        return notation.ways(action.text) if action.kind == "move" else ()

    def ways(self, state: State, moves: Sequence[Action]) -> Ways:
        return listed(
            len(moves),
            (
                (move, [_shown(step, state.left) for step in order])
                for move, action in enumerate(moves)
                if action.kind == "move"
                for order in throws.orders(
                    notation.written_move(action.text), state.left, state.rules
                )
            ),
        )

    def beside(self, state: State) -> Sequence[Action]:
        may_call = state.rules.called and state.callable and state.outcome is None
        return (Action("diablo", "diablo"),) if may_call else ()

    def choices(self, state: State) -> Sequence[Choices]:
        return telling.choices(state)

    def read(self, state: State, kind: str, text: str) -> Action:
        self._check_kind(kind)
        if kind == "move":
            return _move(notation.meant_move(state, text))
        if kind == "pull":
            return _pull(notation.meant_pull(state, text))
        if text.strip().lower() not in ("", kind):
            raise Unreadable("bad-move", f"A {kind} is written {kind}, and nothing more.")
        _PLAIN[kind][0](state)
        return Action(kind, kind)

    def apply(self, state: State, action: Action) -> State:
        self._check_kind(action.kind)
        if action.kind == "move":
            moved = notation.written_move(action.text)
            refusals.check_move(state, moved)
            _check_canonical(action, _move(tuple(sorted(moved))))
            return play.move(state, moved)
        if action.kind == "pull":
            taken = notation.written_pull(action.text)
            _check_canonical(action, _pull(taken))
            refusals.check_pull(state, taken)
            return play.pull(state, taken)
        check, act = _PLAIN[action.kind]
        check(state)
        _check_canonical(action, Action(action.kind, action.kind))
        return act(state)

    def _check_kind(self, kind: str) -> None:
        if kind not in self.actions:
            known = ", ".join(sorted(self.actions))
            raise Unreadable("unknown-action", f"tablero knows {known}, not {kind[:32]!a}.")

    def settle(self, state: State, split: tuple[int, int]) -> State:
        """All 36 points are divided, also those of Wager and pot."""
        if state.outcome is not None:
            raise Illegal("game-over", f"The game is over. {state.outcome.text}")
        if sum(split) != 2 * STAKE or min(split) < 0:
            raise Illegal(
                "bad-split",
                f"{split[0]}-{split[1]} is no division: the shares of South and North make "
                f"{2 * STAKE}.",
            )
        return play.settle(state, split)

    def news(self, state: State) -> str:
        return state.news

    def points(self, state: State) -> tuple[int, int]:
        held: tuple[int, int] = state.stakes
        return held

    def remarks(self, state: State) -> Sequence[str]:
        return tuple(telling.remarks(state))

    def surface(self, state: State) -> Surface:
        return telling.surface(state)


def _move(made: throws.Play) -> Action:
    return Action("move", throws.spelled(made))


def _shown(step: throws.Step, dice: tuple[int, ...]) -> Step:
    """A coin's way with the dice that it goes."""
    used = (step.distance,) if step.distance in dice else dice
    return Step(place(step.column, step.source), place(step.column, step.target), used)


def _pull(formation: Formation) -> Action:
    return Action("pull", formation.text)


def _check_canonical(action: Action, canonical: Action) -> None:
    if action != canonical:
        raise Unreadable("not-canonical", f"This is written {canonical.kind} {canonical.text}.")


def _legal(state: State) -> Iterator[Action]:
    """Every act of the active player, apart from throwing."""
    match state.phase:
        case Phase.MOVE if state.rules.called:
            yield from (_move((step,)) for step in next_steps(state))
            if state.may_be_done:
                yield Action("done", "done")
        case Phase.MOVE:
            one, two = state.left
            yield from map(_move, throws.plays(state.rows, (one, two), state.rules))
        case Phase.ANSWER:
            yield Action("pass", "pass")
            if refusals.may_wager(state):
                yield Action("wager", "wager")
        case Phase.DECIDE:
            yield from map(_pull, telling.pulls(state))
            if longest(state.rows, state.rules) == SIZE:
                yield Action("run", "run")
        case Phase.RUN_OR_STOP:
            yield Action("stop", "stop")


GAME = Tablero()
"""The game, for the registry."""
