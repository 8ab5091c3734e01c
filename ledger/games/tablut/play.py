"""A game of tablut so far: making a move, how games end, what is due.

States are immutable and carry their rules. Nothing here generates moves or reads texts.
"""

from __future__ import annotations

import msgspec

from ledger.games.protocol import Outcome
from ledger.games.tablut.board import MUSCOVITES, SWEDES, Position
from ledger.games.tablut.moves import can_move, decided, free_ways
from ledger.games.tablut.rules import Rules

SEATS = ("swedes", "muscovites")
SIDES = ("the Swedes", "the Muscovites")

OCCURRENCES = 3
"""The occurrence of a position that counts, unless the second already does."""

Past = tuple[tuple[Position, ...], ...]
"""Positions in leaves of ``_LEAF``, oldest first. The states of a game share their full leaves:
one tuple each would take gigabytes in a game of some ten thousand moves."""
_LEAF = 256


class Move(msgspec.Struct, frozen=True, gc=False):
    """One move in bit masks; ``captured`` holds every square that it clears."""

    origin: int
    target: int
    captured: int


class State(msgspec.Struct, frozen=True):
    """A game so far: its position, what can still be repeated, and how it ended if it did.

    ``earlier`` holds the positions since the last capture, oldest first, without the present one.
    ``last`` is missing where no move led here: at the start and in a position that was set.
    """

    rules: Rules
    position: Position
    earlier: Past = ()
    last: Move | None = None
    outcome: Outcome | None = None
    called: str | None = None
    """What the Swedes have called since their last move."""


def begin(rules: Rules, position: Position) -> State:
    """A game that begins at this position, which may be decided already."""
    return State(rules, position, outcome=_judge(rules, position, (), None))


def play(state: State, move: Move) -> State:
    """The state after a move that is known to be legal."""
    before = state.position
    after = moved(before, move)
    earlier = () if move.captured else _with(state.earlier, before)
    return State(state.rules, after, earlier, move, _judge(state.rules, after, earlier, before))


def _with(past: Past, position: Position) -> Past:
    if past and len(past[-1]) < _LEAF:
        return (*past[:-1], (*past[-1], position))
    return (*past, (position,))


def _times(past: Past, position: Position) -> int:
    return sum(leaf.count(position) for leaf in past)


def moved(position: Position, move: Move) -> Position:
    """The position after a move."""
    step, keep = move.origin | move.target, ~move.captured
    swedes, muscovites, king = position.swedes, position.muscovites, position.king
    if position.turn == MUSCOVITES:
        return Position(swedes & keep, muscovites ^ step, king & keep, SWEDES)
    if move.origin == king:
        return Position(swedes, muscovites & keep, move.target, MUSCOVITES)
    return Position(swedes ^ step, muscovites & keep, king, MUSCOVITES)


def move_between(before: Position, after: Position) -> Move:
    """The move that leads from one position to a successor of it."""
    swedes = (before.swedes | before.king, after.swedes | after.king)
    muscovites = (before.muscovites, after.muscovites)
    own, foe = (swedes, muscovites) if before.turn == SWEDES else (muscovites, swedes)
    return Move(own[0] & ~own[1], own[1] & ~own[0], foe[0] & ~foe[1])


# ---- ends and calls


def _judge(
    rules: Rules, position: Position, earlier: Past, before: Position | None
) -> Outcome | None:
    """Judges a new position in the order of the rulings: king taken, goal reached, no Muscovites,
    tuichi, no moves, repetition. ``before`` is the position that the last move was made in."""
    if reason := decided(rules, position):
        side = MUSCOVITES if reason == "king_taken" else SWEDES
        return _outcome(reason, side, _why_decided(rules, reason, position, before))
    if not can_move(rules, position):
        winner = None if rules.option["no_moves"] == "draws" else 1 - position.turn
        return _outcome("no_moves", winner, f"{SIDES[position.turn]} have no move")
    return _judge_repetition(rules, position, earlier)


def _why_decided(rules: Rules, reason: str, position: Position, before: Position | None) -> str:
    board = rules.board
    if reason == "king_taken" and before:
        return f"the king is taken on {board.names[before.king]}"
    if reason == "goal":
        place = "corner" if position.king & board.corners else "edge square"
        return f"the king stands on the {place} {board.names[position.king]}"
    if reason == "tuichi":
        ways = free_ways(rules, position)
        return f"the king on {board.names[position.king]} has {ways} free ways, tuichi"
    if before is None:
        return "no Muscovite is left"
    taken = board.named(before.muscovites & ~position.muscovites)
    return f"the last Muscovite is taken on {' and '.join(taken)}"


def _judge_repetition(rules: Rules, position: Position, earlier: Past) -> Outcome | None:
    law = rules.option["repetition"]
    if law == "claim" or law == "off":
        return None
    occurrences = 1 + _times(earlier, position)
    if occurrences == 1:
        return None
    if law == "second_since_capture":
        return _outcome("repetition", None, "this position stood before since the last capture")
    if occurrences < OCCURRENCES:
        return None
    winner = None if law == "draw" else MUSCOVITES
    return _outcome("repetition", winner, "this position stands for the third time")


def _outcome(reason: str, winner: int | None, why: str) -> Outcome:
    result = "the game is drawn" if winner is None else f"{SIDES[winner]} win"
    seat = None if winner is None else SEATS[winner]
    return Outcome(reason, seat, f"{why[0].upper()}{why[1:]}: {result}.")


def repetitions(state: State) -> int:
    """How often the present position has stood since the last capture, this time included."""
    return 1 + _times(state.earlier, state.position)


def calls_due(state: State) -> str | None:
    """The call that the Swedes owe after the move they have just made (``calls``)."""
    moved_last = state.last is not None and state.position.turn == MUSCOVITES
    if not moved_last or state.outcome or state.rules.option["calls"] == "off":
        return None
    ways = free_ways(state.rules, state.position)
    return ("raichi" if ways == 1 else "tuichi") if ways else None
