"""A track as text: the points of a board for tables, its pools, the dice on it.

Pure, and at most 60 columns wide for twenty-four points. The track runs counterclockwise: its
first half along the lower edge from left to right, the second half back along the upper edge.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import zip_longest
from typing import Final

from ledger.games.protocol import Stack
from ledger.render.text import Line, Part, Shown, dice_lines, plain, side
from ledger.views.shapes import TrackView

_HEIGHT: Final = 5
"""Pieces shown of a stack; a higher one ends in its number instead of the fifth."""
_CELL: Final = 4


def track_lines(board: TrackView, dice: Sequence[int] = (), *, flip: bool = False) -> list[Line]:
    """Points, pools and dice; ``flip`` shows the board from the other side of the table.

    The points that the last action touched have their numbers in brackets: ``[22]``.
    """
    last = len(board.points)
    half = (last + 1) // 2
    lower, upper = range(1, half + 1), range(last, half, -1)
    if flip:
        lower, upper = upper[::-1], lower[::-1]

    def number(point: int) -> Line:
        touched = point in board.last
        text = f"[{point}]" if touched else f"{point} "
        return (Part(f"{text:>{_CELL}}", "touched" if touched else "edge"),)

    def place(depth: int) -> Callable[[int], Line]:
        return lambda point: _place(board.points[point - 1], point, depth)

    frame = _row(lower, lambda _: (Part("-" * _CELL, "edge"),), end="-", wall="+")
    return [
        _row(upper, number, wall=" "),
        frame,
        *(_row(upper, place(depth)) for depth in range(_HEIGHT)),
        _row(lower, lambda _: (Part(" " * _CELL),)),
        *(_row(lower, place(depth)) for depth in reversed(range(_HEIGHT))),
        frame,
        _row(lower, number, wall=" "),
        *_beside(_pools(board), dice_lines(dice), len(plain(frame))),
    ]


def _row(
    points: Sequence[int], cell: Callable[[int], Line], *, end: str = " ", wall: str = "|"
) -> Line:
    """A line of the board: a cell for each point, with a wall at both sides and in the middle."""
    middle = (len(points) + 1) // 2
    parts = [Part(wall, "edge")]
    for half in (points[:middle], points[middle:]):
        parts += [part for point in half for part in cell(point)]
        parts += [Part(end, "edge"), Part(wall, "edge")]
    return tuple(parts)


def _place(stack: Stack, point: int, depth: int) -> Line:
    """What is to be seen of a stack so far from the edge."""
    shows: Shown = "odd" if point % 2 else "even"
    if depth >= stack.count:
        sign = "" if depth or stack.count else "."
    else:
        shows = side(stack.piece)
        sign = str(stack.count) if depth == _HEIGHT - 1 < stack.count - 1 else stack.piece
    return (Part(" "), Part(f"{sign:>2} ", shows))


def _pools(board: TrackView) -> list[Line]:
    """A table below a blank line: a line for each seat, a column for each pool."""
    owners = [
        ", ".join(f"{sign} {word}" for sign, word in board.legend.items() if side(sign) == seat)
        for seat in ("first", "second")
    ]
    label = max(map(len, owners))
    widths = {name: max(len(name), 2) + 2 for name in board.pools}
    heads = "".join(f"{name:>{width}}" for name, width in widths.items())
    lines: list[Line] = [(), (Part(" " * label + heads, "edge"),)]
    for seat, owner in enumerate(owners):
        counts = {name: pair[seat].count for name, pair in board.pools.items()}
        cells = (
            Part(f"{count:>{widths[name]}}", "words" if count else "edge")
            for name, count in counts.items()
        )
        lines.append((Part(f"{owner:<{label}}"), *cells))
    return lines


def _beside(lines: list[Line], dice: list[Line], width: int) -> list[Line]:
    """The dice at the right of these lines, or below them where the board leaves no room."""
    indent = width - max((len(plain(line)) for line in dice), default=0)
    if indent < 2 + max(len(plain(line)) for line in lines):
        return [*lines, *dice]
    return [
        (*line, Part(" " * (indent - len(plain(line)))), *drawn)
        for line, drawn in zip_longest(lines, dice, fillvalue=())
    ]
