"""The board on a terminal, in colour. In a pipe it stays plain text (``ledger.render.text``)."""

from __future__ import annotations

from cli.output import coloured, say
from ledger.render.text import board_lines, counts, legend
from ledger.views import BoardView

_PIECES = {0: "bold bright_white on blue", 1: "bold bright_white on red"}
_MARKS = {"konakis": "yellow", "corner": "yellow", "camp": "red"}


def show_board(board: BoardView, *, flip: bool = False) -> None:
    """Print the board, its legend and what is left on it."""
    lines = board_lines(board, flip=flip)
    if coloured():
        _in_colour(board, lines, flip)
    else:
        for line in lines:
            say(line)
    say(legend(board))
    say(counts(board))


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
    return _MARKS.get(mark, "yellow") if mark else "dim"
