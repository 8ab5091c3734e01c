"""A grid as text, and dice: letters for pieces, signs for marked places, pips.

Pure. A line is made of parts, and each part knows what it shows: the terminal may give it a
colour, but the signs alone must say everything.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

from ledger.views.shapes import BoardView
from ledger.views.words import faces

SIGNS: Final = {"konakis": "#", "corner": "+", "camp": ":"}
"""Signs for empty marked places; an unknown mark is ``*``, an unmarked empty place ``.``."""

Shown: TypeAlias = Literal[
    "words", "edge", "first", "second", "empty", "touched", "mark", "camp", "odd", "even", "die"
]
"""What a part shows: a piece of the first or second seat, an empty place (of odd or even number on
a track), what the last action touched …"""

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


def side(letter: str) -> Literal["first", "second"]:
    """Whose piece a letter is: upper case for the first seat, lower case for the second."""
    return "first" if letter.isupper() else "second"


def grid_lines(board: BoardView, *, flip: bool = False) -> list[Line]:
    """The board with coordinates on all sides; ``flip`` shows it from the second seat.

    The places of the last action are marked with brackets: ``[T]``.
    """
    columns = board.columns[::-1] if flip else board.columns
    rows = board.rows if flip else board.rows[::-1]
    width = max(len(row) for row in board.rows)
    edge: Line = (Part(" " * (width + 1) + "".join(f" {column} " for column in columns), "edge"),)
    lines: list[Line] = []
    for row in rows:
        places = (_place(board, column + row) for column in columns)
        lines.append((Part(f"{row:>{width}} ", "edge"), *places, Part(f" {row}", "edge")))
    return [edge, *lines, edge]


def _place(board: BoardView, place: str) -> Part:
    touched = place in board.last
    piece, mark = board.pieces.get(place), board.marks.get(place)
    shows: Shown = "touched" if touched else "empty"
    sign = "."
    if piece:
        sign, shows = piece, side(piece)
    elif mark:
        sign, shows = SIGNS.get(mark, "*"), "camp" if mark == "camp" else "mark"
    return Part(f"[{sign}]" if touched else f" {sign} ", shows)


def legend(board: BoardView) -> str:
    """Words for the letters and signs, in one line."""
    words = (
        f"{key if len(key) == 1 else SIGNS.get(key, '*')} {meaning}"
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
