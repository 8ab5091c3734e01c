"""Every order in which the turns of a throw can be played, checker by checker.

``turns`` knows one order for each result. People play any that the rules allow, and may not know
yet where it will end: a step is shown as long as some whole turn goes on from it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from ledger.games import ways
from ledger.games.tabula import rules
from ledger.games.tabula.board import CHECKERS, NAMES, OFF, count
from ledger.games.tabula.turns import Turn


@cache
def _shown(step: rules.Step) -> ways.Step:
    return ways.Step(NAMES[step.source], NAMES[step.target], (step.die,), step.text)


def ways_of(turn: Turn, texts: Sequence[str]) -> ways.Ways:
    """Every way to play the turns of these texts, which are all that there are with different
    results."""
    numbers = {text: move for move, text in enumerate(texts)}
    moves = {numbers[each.text]: each for each in turn.results().values()}
    longest = max(len(each.steps) for each in moves.values())
    if longest == 1:  # ``single_die`` may say which die it must be
        alone = ((move, [_shown(step) for step in each.steps]) for move, each in moves.items())
        return ways.listed(len(moves), alone)
    return _Orders(turn, {each.board: move for move, each in moves.items()}, longest).ways()


class _Orders:
    """The ways of a throw, for its whole turns numbered by the boards they lead to."""

    def __init__(self, turn: Turn, moves: Mapping[int, int], longest: int) -> None:
        self.turn, self.moves, self.longest = turn, moves, longest
        self.found = ways.Survey(len(moves))
        self.halts: dict[tuple[int, tuple[int, ...]], int | None] = {}

    def ways(self) -> ways.Ways:
        dice = tuple(sorted(self.turn.dice))
        start = self._halt(self.turn.board, dice)
        return self.found.made(self.found.halt() if start is None else start)

    def _halt(self, board: int, dice: tuple[int, ...]) -> int | None:
        """The number of this board with these dice left; ``None`` if no turn can end from it."""
        reached = board, dice
        if reached not in self.halts:
            over = self._whole(board, dice)
            self.halts[reached] = self.moves.get(board) if over else self._underway(board, dice)
        return self.halts[reached]

    def _whole(self, board: int, dice: tuple[int, ...]) -> bool:
        """Whether a turn may end here: with as many dice as can be played (``tabula-1``, R-ALL),
        or by winning (``win_ends_turn``)."""
        if len(self.turn.dice) - len(dice) == self.longest:
            return True
        return self.turn.rules.win_ends and count(board, OFF) == CHECKERS

    def _underway(self, board: int, dice: tuple[int, ...]) -> int | None:
        onward = [
            (step, there)
            for step, after, left in self.turn.following(board, dice)
            if (there := self._halt(after, left)) is not None
        ]
        if not onward:
            return None
        here = self.found.halt()
        for step, there in onward:
            self.found.lead(here, _shown(step), there)
        return here
