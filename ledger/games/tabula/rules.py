"""What one step may be: a checker, a die, and the rule that stands in the way.

The rules of a step are asked in one fixed order, and the first that is broken names the refusal.
What holds for a whole turn is in ``turns``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from msgspec import Struct

from ledger.games.options import checked
from ledger.games.protocol import Illegal, OptionValue
from ledger.games.tabula.board import BAR, FOE, HAND, NAMES, OFF, SIDES, count, unit
from ledger.games.tabula.options import OPTIONS


class Rules(Struct, frozen=True):
    """One set of options, as play asks for them."""

    closed: bool
    """The second half is closed while the hand is not empty."""
    overshoot: bool
    home: int
    """The first point of those that all must be in before bearing off."""
    outside: int
    """Every place, on a board, where a checker of the mover forbids bearing off."""
    highest: bool
    win_ends: bool


@lru_cache(maxsize=64)
def _rules_of(values: tuple[OptionValue, ...]) -> Rules:
    option = dict(zip(OPTIONS, values, strict=True))
    home = 19 if option["home"] == "finishing" else 13
    return Rules(
        closed=option["second_half"] == "closed",
        overshoot=option["bear_off"] == "overshoot",
        home=home,
        outside=unit(home) - 1 | 15 * unit(BAR),
        highest=option["single_die"] == "highest",
        win_ends=bool(option["win_ends_turn"]),
    )


def rules_for(options: Mapping[str, OptionValue]) -> Rules:
    """The rules of fully spelled options. Raises ``Unreadable`` for unusable ones."""
    return _rules_of(checked("tabula", OPTIONS, options))


class Step(Struct, frozen=True, gc=False):
    """One checker played with one die."""

    source: int
    target: int
    die: int
    hit: bool
    text: str


def landing(source: int, die: int) -> int:
    """Where a die leads from a place, if the rules let it."""
    return die if source in (BAR, HAND) else min(source + die, OFF)


def _every_step(hit: bool) -> dict[tuple[int, int], Step]:
    return {
        (source, die): Step(source, target, die, hit, spelled(source, target) + "*" * hit)
        for die in range(1, 7)
        for source in (BAR, *range(HAND, OFF))
        for target in [landing(source, die)]
    }


def spelled(source: int, target: int) -> str:
    return f"{NAMES[source]}/{NAMES[target]}"


STEPS = (_every_step(hit=False), _every_step(hit=True))
"""Every step there is, by source and die: those that hit nothing, those that hit."""


def take(
    rules: Rules, board: int, side: int, source: int, target: int, dice: Sequence[int]
) -> tuple[int, Step]:
    """Plays a checker from place to place with one of these dice: the board after it, and the
    step. Raises ``Illegal`` with the code of the first rule that it breaks."""
    die = _fitting(rules, board, source, target, dice)
    if fault := _fault(rules, board, side, source, target, die, dice):
        rule, why = fault
        raise Illegal(rule.lower(), f"{spelled(source, target)} is refused ({rule}): {why}.")
    hit = target != OFF and count(board >> FOE, target) == 1
    after = board - unit(source) + unit(target)
    if hit:
        after += unit(BAR) - unit(target) << FOE
    return after, STEPS[hit][source, die]


def _fitting(rules: Rules, board: int, source: int, target: int, dice: Sequence[int]) -> int:
    """The die that makes this step; 0 if there is none. A checker is borne off with its own
    number, or else with the smallest that may do it (``bear_off``)."""
    exact = target - (HAND if source == BAR else source)
    if exact in dice:
        return exact
    rearmost = not board & unit(source) - 1
    if target == OFF and rules.overshoot and rearmost:
        return min((die for die in dice if die > exact), default=0)
    return 0


def _fault(
    rules: Rules, board: int, side: int, source: int, target: int, die: int, dice: Sequence[int]
) -> tuple[str, str] | None:
    """The first rule that the step breaks, and why in words; ``None`` if it is legal."""
    own, other = SIDES[side], SIDES[1 - side]
    entering = source in (HAND, BAR)
    if (waiting := count(board, BAR)) and source != BAR:
        return "R-BAR", f"{own} has {waiting} on the bar, which must enter first"
    if not count(board, source):
        return "R-ENTER" if entering else "R-MOVE", _no_checker(own, source)
    if target == OFF and not entering:
        if board & rules.outside:
            return "R-OFF", f"{own} bears off only with all fifteen in {rules.home}-24 or off"
        more = ", or more from the rearmost point" if rules.overshoot else ""
        return None if die else ("R-OFF", f"it takes {OFF - source}{more}; {_left(dice)}")
    if not die:
        return "R-ENTER" if entering else "R-MOVE", _no_die(source, target, dice)
    if rules.closed and source <= 12 < target and (hand := count(board, HAND)):
        return "R-HALF", f"{own} has {hand} in hand; none goes beyond 12 before all have entered"
    if count(board >> FOE, target) > 1:
        return "R-OPEN", f"point {target} is held by {other}"
    return None


def _no_checker(own: str, source: int) -> str:
    if source == HAND:
        return f"{own}'s hand is empty"
    return f"{own} has no checker on {'the bar' if source == BAR else source}"


def _no_die(source: int, target: int, dice: Sequence[int]) -> str:
    distance = target - (HAND if source == BAR else source)
    if target == OFF:
        return "checkers enter on the points 1 to 6"
    if distance < 1:
        return "checkers only go forward, to higher points"
    return f"it takes {distance}; {_left(dice)}"


def _left(dice: Sequence[int]) -> str:
    return f"left to play: {'-'.join(map(str, dice))}" if dice else "no die is left to play"
