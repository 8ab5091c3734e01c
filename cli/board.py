"""The board on a terminal, in colour. In a pipe it stays plain text (``ledger.render``)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from cli.output import coloured, on_terminal, say, width
from ledger.games.protocol import Choices
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
    "nobody": "bold yellow",
    "empty": "dim",
    "touched": "bold",
    "mark": "bold magenta",
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


def show_choices(legal: Sequence[str], choices: Iterable[Choices]) -> None:
    """What may be done: an act a line; on a terminal as people look for it, what belongs together
    in a line (``e4-  d4 f4 g4xg5``)."""
    if not on_terminal():
        for text in legal:
            say(text)
        return
    found = list(choices)
    indent = max((len(each.head) for each in found), default=0) + 2
    grouped = [text for each in found if each.head for text in each.texts]
    whole = any(" " in text or "-" in text for text in grouped)  # not only where a piece goes
    cell, gap = (max(map(len, grouped)), "  ") if whole else (0, " ")
    for each in found:
        if not each.head:
            for text in each.texts:
                say(text, hang=2)
            continue
        start = each.head
        cells = [f"{text:<{cell}}" for text in each.texts]
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
