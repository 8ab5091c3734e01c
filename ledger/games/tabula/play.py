"""A game of tabula so far: the opening roll, throws, turns, and how it ends.

States are immutable and carry their rules. Nothing here generates turns or reads texts.
"""

from __future__ import annotations

from msgspec import Struct

from ledger.games.protocol import Illegal, Outcome, Throw
from ledger.games.tabula.board import (
    BAR,
    BLACK,
    CHECKERS,
    OFF,
    POINTS,
    SEATS,
    SIDES,
    WHITE,
    count,
    facing,
    sides,
)
from ledger.games.tabula.rules import Rules
from ledger.games.tabula.turns import Play, Turn

DICE = 3
"""Dice of a turn."""

_FEWER: tuple[list[str], ...] = (
    ["No die can be played: this is a pass."],
    ["Only one of the dice can be played."],
    ["Only two of the dice can be played."],
    [],
)
"""What is said of a throw of which so many dice can be played."""


class State(Struct, frozen=True):
    """A game so far. Nobody is to move (``side`` is ``None``) until the opening roll is decided;
    ``dice`` are those to be played, none before they are thrown."""

    rules: Rules
    men: tuple[int, int]
    side: int | None
    dice: tuple[int, ...] = ()
    last: tuple[int, ...] = ()
    outcome: Outcome | None = None


def begin(rules: Rules, men: tuple[int, int], side: int | None) -> State:
    """A game that begins at this position, which may be decided already."""
    return State(rules, men, side, outcome=_judge(men))


def wanted(state: State) -> Throw | None:
    """The throw that is due, if one is."""
    if state.outcome or state.dice:
        return None
    if state.side is None:
        return Throw(SEATS[0], SEATS)
    return Throw(SEATS[state.side], (SEATS[state.side],) * DICE)


def throw(state: State, dice: tuple[int, ...]) -> State:
    """The state once the wanted dice lie. The higher die of the opening roll begins, and throws
    anew; equal dice decide nothing."""
    due = wanted(state)
    if due is None:
        why = "the game is over" if state.outcome else f"{shown(state.dice)} is to be played first"
        raise Illegal("no-throw", f"No dice are thrown now: {why}.")
    if len(dice) != due.count or not all(die in range(1, 7) for die in dice):
        raise Illegal("bad-dice", f"This throw is {due.count} dice, each with a face from 1 to 6.")
    if state.side is not None:
        return State(state.rules, state.men, state.side, tuple(dice), state.last)
    white, black = dice
    if white == black:
        return state
    return State(state.rules, state.men, WHITE if white > black else BLACK)


def shown(dice: tuple[int, ...]) -> str:
    return "-".join(map(str, dice))


def turn_of(state: State) -> Turn:
    """The throw that is to be played. Raises ``Illegal`` where there is none."""
    if state.outcome is not None:
        raise Illegal("game-over", f"The game is over. {state.outcome.text}")
    if state.side is None:
        raise Illegal("throw-first", "Who begins is not decided: each throws one die first.")
    if not state.dice:
        raise Illegal("throw-first", f"{SIDES[state.side]} has to throw first.")
    return Turn(state.rules, facing(state.men, state.side), state.side, state.dice)


def after(state: State, turn: Turn, play: Play | None) -> State:
    """The state after a turn that is known to be legal; ``None`` is a pass."""
    men = sides(play.board, turn.side) if play else state.men
    places = {place for step in play.steps for place in (step.source, step.target)} if play else ()
    last = tuple(sorted(place for place in places if place in POINTS))
    return State(state.rules, men, 1 - turn.side, last=last, outcome=_judge(men))


def remarks(state: State) -> list[str]:
    """What the table should know before the mover touches a checker."""
    if state.side is None or state.outcome:
        return []
    side, own = SIDES[state.side], state.men[state.side]
    said = []
    if waiting := count(own, BAR):
        said.append(f"{side} has {waiting} on the bar, which must enter first.")
    if not own & state.rules.outside:
        said.append(f"All of {side}'s checkers are home and may be borne off.")
    if state.dice:
        longest = turn_of(state).longest()
        said += _FEWER[len(longest.steps) if longest else 0]
    return said


def _judge(men: tuple[int, int]) -> Outcome | None:
    for seat, side, own in zip(SEATS, SIDES, men, strict=True):
        if count(own, OFF) == CHECKERS:
            text = f"{side} has borne off all fifteen checkers: {side} wins."
            return Outcome("borne_off", seat, text)
    return None
