"""A grid as text, and dice: letters for pieces, signs for marked places, pips.

Pure. A line is made of parts, and each part knows what it shows: the terminal may give it a
colour, but the signs alone must say everything.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, Literal, NamedTuple, TypeAlias

from ledger.views.shapes import BoardView
from ledger.views.words import faces

Shown: TypeAlias = Literal[
    "words",
    "edge",
    "first",
    "second",
    "nobody",
    "empty",
    "touched",
    "mark",
    "odd",
    "even",
    "die",
]
"""What a part shows: a piece of the first or second seat or of nobody, an empty place (of odd or
even number on a track), what the last action touched …"""

_FACES: Final = {
    1: ("     ", "  o  ", "     "),
    2: ("o    ", "     ", "    o"),
    3: ("o    ", "  o  ", "    o"),
    4: ("o   o", "     ", "o   o"),
    5: ("o   o", "  o  ", "o   o"),
    6: ("o   o", "o   o", "o   o"),
}


class Part(NamedTuple):
    text: str
    shows: Shown = "words"


Line: TypeAlias = tuple[Part, ...]


def plain(line: Line) -> str:
    return "".join(part.text for part in line).rstrip()


def side(letter: str) -> Literal["first", "second", "nobody"]:
    """Whose piece a sign is: upper case for the first seat, lower case for the second."""
    return "first" if letter.isupper() else "second" if letter.islower() else "nobody"


def grid_lines(board: BoardView, *, flip: bool = False) -> list[Line]:
    """The board with coordinates on all sides; ``flip`` shows it from the second seat.

    The places of the last action are marked with brackets: ``[T]``.
    """
    columns = board.columns[::-1] if flip else board.columns
    rows = board.rows if flip else board.rows[::-1]
    width = max(len(row) for row in board.rows)
    indent, across = " " * (width + 1), 3 * len(columns)
    edge: Line = (Part(indent + "".join(f" {column} " for column in columns), "edge"),)
    lines: list[Line] = []
    for row in rows:
        lines.append(
            (
                Part(f"{row:>{width}} ", "edge"),
                *_places(board, [column + row for column in columns]),
                Part(f" {row}", "edge"),
            )
        )
    sides = [
        [(Part(indent + f"{name:^{across}}", "edge"),)] if name else [] for name in board.sides
    ]
    below, above = sides[::-1] if flip else sides
    return [*above, edge, *lines, edge, *below]


def _places(board: BoardView, row: Sequence[str]) -> Iterator[Part]:
    """The places of a row from left to right. What belongs together is joined by dashes, what the
    last action touched is in brackets: around both where both are."""
    joined = {pair for each in board.joined for pair in pairwise(each)}
    joined |= {(second, first) for first, second in joined}
    gaps = [(pair in joined, set(pair) <= set(board.last)) for pair in pairwise(row)]
    open_end = (False, False)
    for place, left, right in zip(row, [open_end, *gaps], [*gaps, open_end], strict=True):
        touched = place in board.last
        yield _place(
            board, place, _beside(touched, *left, "["), _beside(touched, *right, "]"), touched
        )


def _beside(touched: bool, joined: bool, both_touched: bool, bracket: str) -> str:
    if touched and not (joined and both_touched):
        return bracket
    return "-" if joined else " "


def _place(board: BoardView, place: str, left: str, right: str, touched: bool) -> Part:
    piece, mark = board.pieces.get(place), board.marks.get(place)
    shows: Shown = "touched" if touched else "empty"
    sign = "."
    if piece:
        sign, shows = piece, side(piece)
    elif mark:
        sign, shows = board.signs.get(mark, "*"), "mark"
    return Part(f"{left}{sign}{right}", shows)


def legend(board: BoardView) -> str:
    """Words for the letters and signs, in one line."""
    words = (
        f"{board.signs.get(key, '*') if key in board.marks.values() else key} {meaning}"
        for key, meaning in board.legend.items()
    )
    return ", ".join(words)


def counts(board: BoardView) -> str:
    """What is left: "Swedes 8, Muscovites 16"."""
    return ", ".join(f"{what} {number}" for what, number in board.counts.items())


def dice_lines(dice: Sequence[int]) -> list[Line]:
    """Dice as they are written, "dice 2-5-6", and their faces side by side below."""
    if not dice:
        return []
    lines: list[Line] = [(Part(f"dice {faces(dice)}"),)]
    for row in range(3):
        drawn = (Part(f"|{_FACES[die][row]}|", "die") for die in dice)
        lines.append(tuple(part for face in drawn for part in (face, Part("  "))))
    return lines
