"""The board on a terminal, in colour. In a pipe it stays plain text (``ledger.render``)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from cli.output import coloured, on_terminal, say, width
from ledger.render.text import (
    Line,
    Shown,
    counts,
    dice_lines,
    grid_lines,
    legend,
    plain,
)
from ledger.render.track import track_lines
from ledger.views.shapes import BoardView, TrackView

_STYLES: Final[Mapping[Shown, str]] = {
    "words": "",
    "edge": "dim",
    "first": "bold bright_white on blue",
    "second": "bold bright_white on red",
    "empty": "dim",
    "touched": "bold",
    "mark": "bold magenta",
    "camp": "red",
    "odd": "grey93 on grey42",
    "even": "grey30 on grey74",
    "die": "black on grey82",
}
"""Readable on light and on dark; the signs say the same without colour."""


def show_board(
    board: BoardView | TrackView,
    *,
    dice: Sequence[int] = (),
    flip: bool = False,
    explain: bool = True,
) -> None:
    """Print the board and what is left on it, what its signs mean unless that is known, and the
    dice that are still to be played."""
    if isinstance(board, TrackView):
        _print(track_lines(board, dice, flip=flip))
        return
    _print(grid_lines(board, flip=flip))
    if explain:
        say(legend(board), hang=2)
    say(counts(board), hang=2)
    _print(dice_lines(dice))


def _print(lines: Iterable[Line]) -> None:
    if not coloured():
        for line in lines:
            say(plain(line))
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False)
    for line in lines:
        text = Text.assemble(*((part.text, _STYLES[part.shows]) for part in line))
        text.rstrip()
        console.print(text, no_wrap=True, overflow="ignore", crop=False)


_FEW: Final = 10
"""Turns that are written out whole; more stand together by their first step."""


def show_moves(moves: Sequence[str]) -> None:
    """Moves, one a line. On a terminal those that begin alike stand together where they are many:
    those of a piece (``e4-  d4 f4 g4xg5``), turns of several steps by their first."""
    turns = any(" " in move for move in moves)
    if not on_terminal() or (turns and len(moves) <= _FEW):
        for move in moves:
            say(move)
        return
    groups: dict[str, list[str]] = {}
    for move in sorted(moves, key=_as_people_count):
        start, sign, rest = move.partition(" " if turns else "-")
        groups.setdefault(start + sign.strip(), []).append(rest)
    indent = max(map(len, groups), default=0) + 2
    gap = "  " if turns else " "
    cell = max(len(rest) for rests in groups.values() for rest in rests) if turns else 0
    for start, rests in groups.items():
        cells = [f"{rest:<{cell}}" for rest in rests]
        for line in _filled(cells, gap, (width() or 80) - indent):
            say(f"{start:<{indent}}{line}".rstrip())
            start = ""


def _filled(cells: Iterable[str], gap: str, room: int) -> Iterator[str]:
    """Lines of as many cells as there is room for."""
    line = ""
    for cell in cells:
        if line and len(line) + len(gap) + len(cell) > room:
            yield line
            line = cell
        else:
            line = f"{line}{gap}{cell}" if line else cell
    yield line


def _as_people_count(move: str) -> list[str | int]:
    """b2 before b10: texts and numbers in turn."""
    return [int(part) if part.isdigit() else part for part in re.split(r"([0-9]+)", move)]
