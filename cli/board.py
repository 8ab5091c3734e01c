"""The board on a terminal, in colour. In a pipe it stays plain text (``ledger.render.text``)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cli.output import coloured, on_terminal, say
from ledger.render.text import board_lines, counts, legend
from ledger.views import BoardView

_PIECES = {0: "bold bright_white on blue", 1: "bold bright_white on red"}
_MARKS = {"konakis": "bold magenta", "corner": "bold magenta", "camp": "red"}
"""Readable on light and on dark; the signs say the same without colour."""


def show_board(board: BoardView, *, flip: bool = False, explain: bool = True) -> None:
    """Print the board, what its signs mean unless that is known, and what is left on it."""
    lines = board_lines(board, flip=flip)
    if coloured():
        _in_colour(board, lines, flip)
    else:
        for line in lines:
            say(line)
    if explain:
        say(legend(board), hang=2)
    say(counts(board), hang=2)


def show_moves(moves: Sequence[str]) -> None:
    """Moves, one a line; on a terminal those of a piece together: ``e4-  d4 f4 g4xg5``."""
    if not on_terminal() or not all("-" in move for move in moves):
        for move in moves:
            say(move)
        return
    pieces: dict[str, list[str]] = {}
    for move in sorted(moves, key=_as_people_count):
        origin, _, rest = move.partition("-")
        pieces.setdefault(f"{origin}-", []).append(rest)
    indent = max(map(len, pieces), default=0) + 2
    for origin, rests in pieces.items():
        say(f"{origin:<{indent}}", " ".join(rests), hang=indent)


def _as_people_count(move: str) -> list[tuple[str, int]]:
    """b2 before b10."""
    return [(letters, int(digits or 0)) for letters, digits in re.findall(r"(\D+)(\d*)", move)]


def _in_colour(board: BoardView, lines: list[str], flip: bool) -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False)
    margin = max(len(row) for row in board.rows) + 1
    columns = board.columns[::-1] if flip else board.columns
    rows = board.rows if flip else board.rows[::-1]
    for number, line in enumerate(lines):
        text = Text(line)
        if 0 < number <= len(rows):
            for index, column in enumerate(columns):
                start = margin + 3 * index
                place = column + rows[number - 1]
                text.stylize(_style(board, place), start, start + 3)
        else:
            text.stylize("dim")
        console.print(text, no_wrap=True, overflow="ignore", crop=False)


def _style(board: BoardView, place: str) -> str:
    piece = board.pieces.get(place)
    if piece:
        # Letters are upper case for the first seat's pieces and lower case for the second's.
        return _PIECES[0 if piece.isupper() else 1]
    mark = board.marks.get(place)
    empty = "bold" if place in board.last else "dim"
    return _MARKS.get(mark, _MARKS["konakis"]) if mark else empty
