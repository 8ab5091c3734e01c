"""Whole turns: every play of a throw, and whether one uses the dice that it must.

A turn whose steps can be played in some order can be played rearmost checker first: bar before
hand before the points in order. What comes earlier in that order only ever helps what comes
later: it empties the bar and the hand, it brings checkers up, it brings them home. It never
hinders, for the points that the other side holds do not change in a turn. So only this order is
walked. What is hit is the same in every order: the blots that are landed on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import TypeAlias

from msgspec import Struct

from ledger.games.protocol import Illegal
from ledger.games.tabula.board import BAR, CHECKERS, FOE, HAND, OFF, POINTS, count, unit
from ledger.games.tabula.rules import STEPS, Rules, Step, landing, take

Steps: TypeAlias = tuple[Step, ...]

_POINTS = sum(map(unit, POINTS))
_MOVABLE = _POINTS | unit(HAND)
_OFF, _BAR = unit(OFF), unit(BAR)
_ANY_ON_BAR, _ANY_IN_HAND = 15 * unit(BAR), 15 * unit(HAND)
_HIT = _BAR << FOE

_ANYWHERE = -1
"""Every place, as a mask."""

_PLAYED = {1: "One die is", 2: "Two dice are"}
_NUMBERS = {2: "two", 3: "three"}

_CHANGES = {
    die: {
        unit(source): (
            unit(target := landing(source, die)) - unit(source),
            unit(target) << FOE if target != OFF else 0,
            STEPS[False][source, die],
            STEPS[True][source, die],
        )
        for source in (BAR, *range(HAND, OFF))
    }
    for die in range(1, 7)
}
"""For a die and a checker's place: what the step adds to the board, where it may hit, the step
that hits nothing, the step that hits."""

_CROSSING = [sum(unit(point) for point in range(13 - die, 13)) for die in range(7)]
"""For each die, the points from which it leads into the second half."""


class Play(Struct, frozen=True, gc=False):
    """Steps in the order played, and the board they lead to."""

    steps: Steps
    board: int

    @property
    def text(self) -> str:
        return " ".join([step.text for step in self.steps])

    @property
    def dice(self) -> tuple[int, ...]:
        return tuple([step.die for step in self.steps])

    @property
    def wins(self) -> bool:
        return count(self.board, OFF) == CHECKERS


class Turn:
    """A throw to be played: the board as the mover sees it, and the dice as thrown."""

    def __init__(self, rules: Rules, board: int, side: int, dice: tuple[int, ...]) -> None:
        self.rules, self.board, self.side, self.dice = rules, board, side, dice
        foe = board >> FOE
        held = foe >> 1 | foe >> 2 | foe >> 3
        self.open = _POINTS & ~held
        self.blots = (_POINTS & foe & ~held) << FOE

    def play(self, moves: Sequence[tuple[int, int]]) -> Play:
        """The turn of these moves from place to place, in this order. Raises ``Illegal``."""
        board, left, steps = self.board, list(self.dice), []
        for source, target in moves:
            board, step = take(self.rules, board, self.side, source, target, left)
            left.remove(step.die)
            steps.append(step)
        return self._complete(Play(tuple(steps), board))

    def check_pass(self) -> None:
        """Raises ``Illegal`` (``r-all``) if a die can be played."""
        if longest := self.longest():
            raise Illegal(
                "r-all",
                f"A pass is refused (R-ALL): {longest.text} can be played.",
            )

    def _complete(self, play: Play) -> Play:
        """The play, if the turn may end with it. Raises ``Illegal`` (``r-all``)."""
        used = len(play.steps)
        if used == len(self.dice):
            return play
        longest = self.longest()
        if longest and len(longest.steps) > used:
            if play.wins and self.rules.win_ends:
                return play
            possible = _NUMBERS[len(longest.steps)]
            raise Illegal(
                "r-all", f"{_PLAYED[used]} played; {possible} can be: {longest.text} (R-ALL)."
            )
        return self._of_highest(play) if used == 1 and self.rules.highest else play

    def _of_highest(self, play: Play) -> Play:
        """The same result by the highest die that can be played (``single_die``)."""
        allowed = self._highest_alone().results()
        if play.board in allowed:
            return allowed[play.board]
        raise Illegal(
            "r-all",
            "Only one die can be played, and it must be the highest that can be:"
            f" {next(iter(allowed.values())).text} (R-ALL, single_die=highest).",
        )

    def _highest_alone(self) -> Turn:
        """The throw as if the highest die that can be played were the only one."""
        alone = (Turn(self.rules, self.board, self.side, (die,)) for die in sorted(self.dice))
        return [turn for turn in alone if turn.longest()][-1]

    def longest(self) -> Play | None:
        """A play of as many dice as can be played."""
        for found in reversed(self._plays(any_of_all_dice=True)):
            for board, steps in found.items():
                return Play(steps, board)
        return None

    def results(self) -> dict[int, Play]:
        """Every board that a legal turn leads to, with one play that does; a pass leads nowhere."""
        plays = self._plays()
        while plays and not plays[-1]:
            plays.pop()
        if len(plays) == 1 < len(self.dice) and self.rules.highest:
            return self._highest_alone().results()
        found = {board: Play(steps, board) for board, steps in plays.pop().items()} if plays else {}
        if self.rules.win_ends and CHECKERS - count(self.board, OFF) <= len(plays):
            shorter = (Play(steps, board) for each in plays for board, steps in each.items())
            found = {play.board: play for play in shorter if play.wins} | found
        return found

    def _plays(self, *, any_of_all_dice: bool = False) -> list[dict[int, Steps]]:
        """The boards that one step, two and three can lead to, each with the first steps found,
        rearmost checker first. One play of all dice is enough if any such play will do."""
        plays: list[dict[int, Steps]] = [{} for _ in self.dice]
        blots, by_all_dice = self.blots, plays[-1]

        def walk(board: int, steps: Steps, dice: tuple[int, ...], floor: int, last: int) -> None:
            """Goes on from the places of ``floor``; where the last step began, with no lower die
            than that one's."""
            found, struck = plays[len(steps)], blots & board
            occupied = _occupied(board)
            for die, left in _choices(dice):
                changes = _CHANGES[die]
                sources = self._sources(board, occupied, die) & (
                    floor if die >= last else floor << 1
                )
                while sources:
                    source = sources & -sources
                    sources ^= source
                    change, landed, step, hitting = changes[source]
                    after = board + change
                    if landed & struck:
                        after += _HIT - landed
                        step = hitting
                    if not left:
                        if after not in found:
                            found[after] = (*steps, step)
                        continue
                    made = (*steps, step)
                    found.setdefault(after, made)
                    if source == _BAR:
                        walk(after, made, left, _ANYWHERE, 0)
                    else:
                        walk(after, made, left, -source, die)
                    if any_of_all_dice and by_all_dice:
                        return

        walk(self.board, (), tuple(sorted(self.dice)), _ANYWHERE, 0)
        return plays

    def following(
        self, board: int, dice: tuple[int, ...]
    ) -> Iterator[tuple[Step, int, tuple[int, ...]]]:
        """Every step with one of these dice, given in ascending order, whatever comes of the
        others; the board after it, and the dice left. A checker is borne off with the smallest die
        that may do it, as ``take`` does."""
        occupied, struck, borne_off = _occupied(board), self.blots & board, 0
        for die, left in _choices(dice):
            sources = self._sources(board, occupied, die) & ~borne_off
            while sources:
                source = sources & -sources
                sources ^= source
                change, landed, step, hitting = _CHANGES[die][source]
                if landed & struck:
                    yield hitting, board + change + _HIT - landed, left
                else:
                    yield step, board + change, left
                if step.target == OFF:
                    borne_off |= source

    def _sources(self, board: int, occupied: int, die: int) -> int:
        """The places from which the rules let a checker be played with this die."""
        if board & _ANY_ON_BAR:
            return _BAR if self.open & unit(die) else 0
        rules = self.rules
        if not board & rules.outside:
            sources = occupied & (self.open | _OFF) >> 4 * die
            rearmost = occupied & -occupied
            return sources | rearmost if rules.overshoot and rearmost << 4 * die > _OFF else sources
        sources = occupied & self.open >> 4 * die
        return sources & ~_CROSSING[die] if rules.closed and board & _ANY_IN_HAND else sources


def _occupied(board: int) -> int:
    """The hand and the points where the mover has checkers."""
    folded = board | board >> 2
    return (folded | folded >> 1) & _MOVABLE


@cache
def _choices(dice: tuple[int, ...]) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Each different die, with those left once it is played."""
    return tuple(
        (die, dice[:at] + dice[at + 1 :]) for at, die in enumerate(dice) if die not in dice[:at]
    )
