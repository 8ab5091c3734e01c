"""Dice in a foreign game: what the file says fell, and whether our rules wanted that throw.

What dice show cannot be judged; whose throw it was, how many dice it had and when, can.
"""

from __future__ import annotations

from dataclasses import dataclass

from ledger.formats.comparing import diverges
from ledger.games.protocol import Game, State


@dataclass(frozen=True, slots=True)
class Cast:
    """A throw as the file has it, after so many plies: one face and one owner for each die."""

    after: int
    line: int
    owners: tuple[str, ...]
    dice: tuple[int, ...]


def judge_cast(cast: Cast, game: Game, state: State) -> State:
    """The state after a throw that the rules want now. Raises ``Refused`` (``import-diverges``)."""
    where = f"line {cast.line}: the throw {'-'.join(map(str, cast.dice))}"
    wanted, outcome = game.wanted(state), game.outcome(state)
    if outcome is not None:
        diverges(where, f"by the rules the game is over: {outcome.text}")
    if wanted is None:
        diverges(where, "by the rules no throw is due")
    if wanted.owners != cast.owners:
        said, due = _whose(cast.owners, game), _whose(wanted.owners, game)
        diverges(where, f"the file has {said}; by the rules it is {due}")
    return game.throw(state, cast.dice)


def _whose(owners: tuple[str, ...], game: Game) -> str:
    """``a throw of 3 dice by White``, or one for who begins."""
    if len(set(owners)) > 1:
        return "a throw for who begins"
    many = f"{len(owners)} dice" if len(owners) > 1 else "one die"
    return f"a throw of {many} by {game.titles[owners[0]]}"
