"""The rows of a score sheet as text, written as they can be typed in again. Pure.

What is said about them stands behind ``#``, and what was taken back or voided in square brackets;
both are passed over when they are read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from ledger.render.wrapping import cells, wrapped
from ledger.views.sheet import SheetView
from ledger.views.sheetrows import SheetAct, SheetNote, SheetRow
from ledger.views.words import faces

LINE: Final = "_"
"""What is to be written on."""
_MARGIN: Final = 7
"""Columns for the number of a row."""
_BELOW: Final = " " * _MARGIN


def rows(view: SheetView, columns: int) -> Iterator[str]:
    """Every row and note, below a line that says what stands where."""
    yield from _heading(view, columns)
    for line in view.lines:
        match line:
            case SheetNote():
                said = f"event {line.seq}: {line.text}"
                yield from _comment(f"[{said} {line.struck}]" if line.struck else said, columns)
            case SheetRow() if view.pairs:
                yield from _pair(line, view, columns)
            case SheetRow():
                yield from _throw(line, view, columns)


def cast(row: SheetRow, view: SheetView) -> str:
    """Who, and what the dice show: ``W 6-5-2:``, or ``W 4 B 2`` for who begins."""
    if row.toss:
        shown = zip(row.owners, row.dice, strict=True)
        return " ".join(f"{view.letters[owner]} {die}" for owner, die in shown)
    dice = f" {faces(row.dice)}" if row.dice else ""
    return f"{view.letters[row.seat]}{dice}{':' * bool(row.acts)}"


def remarks(row: SheetRow) -> str:
    """What came of the dice, and of all that was played with them."""
    return "; ".join(filter(None, (row.remark, *(act.remark for act in row.acts))))


def _heading(view: SheetView, columns: int) -> Iterator[str]:
    label = "No.".rjust(4).ljust(_MARGIN)
    if view.pairs:
        first, second = (each.title for each in view.parties if each.role in view.letters)
        yield from _beside(label, first, _BELOW, second, columns)
    else:
        yield from wrapped("side dice: what was played  # what came of it", columns, label)


def _label(number: int, continued: bool = False) -> str:
    return f"{number:>3}{'...' if continued else '.'}".ljust(_MARGIN)


def _cell(columns: int) -> int:
    """Columns for the plies of one side."""
    return max((columns - _MARGIN) // 2, 1)


def _struck(act: SheetAct) -> str:
    return f"[{act.text} {act.struck}]" if act.struck else act.text


def _pair(row: SheetRow, view: SheetView, columns: int) -> Iterator[str]:
    """The plies of both sides beside each other, or below where there is no room."""
    if not row.acts:
        room = LINE * max(_cell(columns) - 2, 1)
        yield f"{_label(row.number)}{room}  {room}"
        return
    first, second = (
        " ".join(_struck(act) for act in row.acts if act.seat == seat) for seat in view.letters
    )
    label = _label(row.number, continued=row.continued or not first)
    yield from _beside(label, first, _label(row.number, continued=True), second, columns)
    for act in row.acts:
        if act.remark:
            yield from _comment(f"event {act.seq}: {act.remark}", columns)


def _beside(label: str, first: str, below: str, second: str, columns: int) -> Iterator[str]:
    """What each side has, in a column each; the second one below where there is no room."""
    cell = _cell(columns)
    if cells(first) < cell and cells(second) <= cell:
        yield f"{label}{first}{' ' * (cell - cells(first))}{second}".rstrip()
    else:
        yield from wrapped(first, columns, label)
        yield from wrapped(second, columns, below) if second else ()


def _throw(row: SheetRow, view: SheetView, columns: int) -> Iterator[str]:
    """Who threw what, what was played with it, and behind it what came of it."""
    label = _label(row.number, row.continued)
    if not row.acts and not any(row.dice):
        yield _boxes(label, row, view, columns)
        return
    head = cast(row, view)
    acts = [act.text if row.struck else _struck(act) for act in row.acts]
    if row.struck:
        head, last = f"[{head}", f" {row.struck}]"
        acts = [*acts[:-1], acts[-1] + last] if acts else [last.strip()]
    lines = list(_packed(label + head, acts, columns))
    remark = remarks(row)
    if remark and len(lines) == 1 and cells(f"{lines[0]}  # {remark}") <= columns:
        yield f"{lines[0]}  # {remark}"
        return
    yield from lines
    yield from _comment(remark, columns) if remark else ()


def _boxes(label: str, row: SheetRow, view: SheetView, columns: int) -> str:
    """An empty row, with a place for each die."""
    if row.toss:
        return label + " ".join(f"{view.letters[owner]} {LINE}" for owner in row.owners)
    dice = f" {'-'.join(LINE for _ in row.dice)}" if row.dice else ""
    start = f"{label}{'/'.join(view.letters.values())}{dice}: "
    return start + LINE * max(columns - len(start), 1)


def _packed(start: str, acts: Iterable[str], columns: int) -> Iterator[str]:
    """Acts with ``;`` between them. Lines end behind an act, so that they can be read again."""
    lines, begun = [start], False
    for act in acts:
        if begun and cells(f"{lines[-1]}; {act}") >= columns:
            lines[-1] += ";"
            lines.append(_BELOW + act)
        else:
            lines[-1] += f"; {act}" if begun else f" {act}"
        begun = True
    for line in lines:
        bare = line.lstrip()
        indent = line[: len(line) - len(bare)]
        yield from [line] if cells(line) <= columns else wrapped(bare, columns, indent, _BELOW)


def _comment(said: str, columns: int) -> Iterator[str]:
    start = f"{_BELOW}# "
    return wrapped(said, columns, start, f"{start}  ")
