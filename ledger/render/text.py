"""A board as plain text: one line a row, letters for pieces, signs for marked places.

Pure. Colours are the terminal's business: ``style`` may wrap each place's sign.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ledger.views import BoardView

SIGNS: Final = {"konakis": "#", "corner": "+", "camp": ":"}
"""Signs for empty marked places; an unknown mark is ``*``, an unmarked empty place ``.``."""

Style = Callable[[str, str], str]
"""From a place ("e5") and its sign to what is printed there."""


def sign(board: BoardView, place: str) -> str:
    """The letter of the piece on ``place``, or the sign of the empty place."""
    piece = board.pieces.get(place)
    if piece:
        return piece
    mark = board.marks.get(place)
    return SIGNS.get(mark, "*") if mark else "."


def board_lines(board: BoardView, *, flip: bool = False, style: Style | None = None) -> list[str]:
    """The board with coordinates on all sides; ``flip`` shows it from the second seat.

    The places of the last action are marked with brackets: ``[T]``.
    """
    columns = board.columns[::-1] if flip else board.columns
    rows = board.rows if flip else board.rows[::-1]
    width = max(len(row) for row in board.rows)
    edge = " " * (width + 1) + "".join(f" {column} " for column in columns)
    lines = [edge.rstrip()]
    for row in rows:
        places = "".join(_place(board, column + row, style) for column in columns)
        lines.append(f"{row:>{width}} {places} {row}")
    return [*lines, edge.rstrip()]


def _place(board: BoardView, place: str, style: Style | None) -> str:
    text = sign(board, place)
    left, right = ("[", "]") if place in board.last else (" ", " ")
    return f"{left}{style(place, text) if style else text}{right}"


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
