"""Where checkers are: places, both sides' men packed into integers, position texts.

Nothing here knows how checkers move.

A side's men are one integer, four bits a place: the hand is place 0, so that entering with a die
is a step from 0; the points follow, then what is off, at 25, and the bar. A board is the men of
the side to move with the other side's above them: one integer that a turn changes step by step.
"""

from __future__ import annotations

import re

from ledger.errors import Unreadable

SEATS = ("white", "black")
SIDES = ("White", "Black")
WHITE, BLACK = 0, 1

CHECKERS = 15
HAND, OFF, BAR = 0, 25, 26
POINTS = range(1, 25)
PLACES = {"hand": HAND, "bar": BAR, **{str(point): point for point in POINTS}, "off": OFF}
NAMES = {place: name for name, place in PLACES.items()}

FOE = 128
"""How far above the mover's men the other side's stand, in bits."""


_LONGEST = 160
"""Characters of a position text: with all points occupied it has 141. Longer texts are not looked
at."""

_MEN = r"h([0-9]{1,2}) b([0-9]{1,2}) o([0-9]{1,2}) (-|[0-9:,]+)"
_POSITION = re.compile(rf"W {_MEN} \| B {_MEN} \| ([WB-])")
_STACK = re.compile(r"([0-9]{1,2}):([0-9]{1,2})")


def unit(place: int) -> int:
    """One checker in a place."""
    return 1 << 4 * place


START = CHECKERS * unit(HAND)


def count(men: int, place: int) -> int:
    """How many stand in a place: of one side's men, or of the mover's on a board."""
    return men >> 4 * place & 15


def standing(men: int) -> dict[int, int]:
    """The occupied points of one side, in ascending order, with how many stand there."""
    return {point: many for point in POINTS if (many := count(men, point))}


def facing(men: tuple[int, int], side: int) -> int:
    """The board as this side sees it."""
    return men[side] | men[1 - side] << FOE


def sides(board: int, side: int) -> tuple[int, int]:
    """White's men and Black's, of a board as this side sees it."""
    own, other = board & (1 << FOE) - 1, board >> FOE
    return (own, other) if side == WHITE else (other, own)


# ---- position texts


def write_position(men: tuple[int, int], side: int | None) -> str:
    """``W <men> | B <men> | W``; the last field is ``-`` before the opening roll is decided."""
    white, black = map(_write_men, men)
    return f"W {white} | B {black} | {'-' if side is None else 'WB'[side]}"


def _write_men(men: int) -> str:
    points = ",".join(f"{point}:{many}" for point, many in standing(men).items())
    return f"h{count(men, HAND)} b{count(men, BAR)} o{count(men, OFF)} {points or '-'}"


def read_position(text: str) -> tuple[tuple[int, int], int | None]:
    """Both sides' men and the side to move, of a text in its one canonical spelling.

    The checkers may stand anywhere, also as no turn could have left them: an arbiter's ruling may
    have to set it. Raises ``Unreadable``.
    """
    if len(text) > _LONGEST:
        raise _bad(f"a position has at most {_LONGEST} characters, this has {len(text)}")
    match = _POSITION.fullmatch(text)
    if match is None:
        raise _bad("a position is written like W h14 b0 o0 6:1 | B h15 b0 o0 - | B")
    men = (_read_men("White", *match.groups()[:4]), _read_men("Black", *match.groups()[4:8]))
    side = None if match[9] == "-" else "WB".index(match[9])
    if write_position(men, side) != text:
        raise _bad("points go up, each is written once, and numbers have no zero in front")
    _check(men, side)
    return men, side


def _read_men(whose: str, hand: str, bar: str, off: str, points: str) -> int:
    stacks = [] if points == "-" else points.split(",")
    numbers = [(HAND, int(hand)), (BAR, int(bar)), (OFF, int(off))]
    for stack in stacks:
        match = _STACK.fullmatch(stack)
        if match is None or int(match[1]) not in POINTS:
            raise _bad(f"{stack[:12]} is no stack: a point from 1 to 24, a colon, a number")
        numbers.append((int(match[1]), int(match[2])))
    total = sum(many for _, many in numbers)
    if total != CHECKERS:
        raise _bad(f"{whose} has {total} checkers, not {CHECKERS}")
    return sum(many * unit(place) for place, many in numbers)


def _check(men: tuple[int, int], side: int | None) -> None:
    white, black = map(standing, men)
    for point in white:
        if point in black:
            raise _bad(f"both sides stand on point {point}")
    if all(count(each, OFF) == CHECKERS for each in men):
        raise _bad("both sides have borne off all their checkers")
    if side is None and men != (START, START):
        raise _bad("somebody is to move: only before the first throw nobody is")


def _bad(why: str) -> Unreadable:
    return Unreadable("bad-position", f"This position cannot be read: {why}.")
