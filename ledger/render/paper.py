"""A score sheet as text: at most so many columns wide, nothing cut, to be printed and signed.

Pure. Names and texts come from strangers: what could steer a terminal has to be made visible in the
view before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ledger.fold import describe
from ledger.fold.parts import APPEAL
from ledger.render.code import blocks
from ledger.render.paperrows import LINE, rows
from ledger.render.text import counts, grid_lines, legend, plain
from ledger.render.track import track_lines
from ledger.render.wrapping import wrapped
from ledger.views.shapes import TrackView
from ledger.views.sheet import SheetView, SignerView

WIDEST: Final = 80
TYPED_IN: Final = (
    "Rows are typed in as they stand, with ; between several acts and remarks behind #: "
    "tabellion move -"
)
"""How an empty sheet comes into a ledger once it is filled in."""
_IN: Final = "    "


def text(view: SheetView, columns: int = WIDEST, code: Sequence[str] = ()) -> list[str]:
    """The sheet; below its hash the lines of the code, where that can be shown."""
    parts = (
        _head(view, columns),
        _players(view, columns),
        _hints(view, columns),
        rows(view, columns),
        _result(view, columns),
        _final(view, columns),
        (*_hash(view, columns), *code),
        _signatures(view, columns),
    )
    written = (list(part) for part in parts)
    return [line for part in written if part for line in (*part, "")][:-1]


def code(view: SheetView, columns: int = WIDEST, *, lit: bool = False) -> list[str]:
    """The code in half blocks; none on an empty sheet, or where it would not fit."""
    lines = blocks(view.code, lit=lit) if view.code else []
    return lines if lines and len(lines[0]) <= columns else []


# -- words that the page says too ----------------------------------------------------------------


def quads(digest: str) -> tuple[str, str]:
    """A hash in groups of four digits, in two halves: easily compared by eye."""
    groups = [digest[start : start + 4] for start in range(0, len(digest), 4)]
    half = len(groups) // 2
    return " ".join(groups[:half]), " ".join(groups[half:])


def terms(view: SheetView) -> Iterator[tuple[str, str]]:
    """What is played and by which rules: names and what is said of them, or "" to be filled in."""
    yield from view.about.items()
    changed = ", ".join(f"{name}={str(to).lower()}" for name, to in view.changed_options.items())
    title = f" ({view.title})" if view.title else ""
    yield "rules", f"{view.ruleset}{title}{f' with {changed}' if changed else ''}"
    if view.turn_cap is not None:
        yield "over after", f"{view.turn_cap} turn{'s' * (view.turn_cap != 1)}"
    if view.dice is not None:
        yield "dice", view.dice
    if view.source is not None:
        yield "read from a file", view.source


def results(view: SheetView) -> Iterator[tuple[str, str]]:
    """How it ended, who countersigned, and what is still open."""
    yield "result", view.result or ("none yet" if view.match else "")
    if view.outcome is not None:
        yield "that is", f"{describe(view.outcome)}, {'closed' if view.closed else 'not closed'}"
    if view.closed:
        signed = [f"{each.name} ({each.title})" for each in view.parties if each.countersigned]
        yield "countersigned by", ", ".join(signed) or "nobody"
    for said in view.due:
        yield "open", said


def titled(signer: SignerView) -> str:
    return signer.title[:1].upper() + signer.title[1:]


def holds(signer: SignerView) -> str:
    """How somebody signs events; "" where nobody is named yet."""
    if not signer.name:
        return ""
    return f"signs with {signer.keyid}" if signer.keyid else "no key: the arbiter writes"


def drawn(view: SheetView) -> list[str]:
    """The board as it stands at the end. Its lines are never broken."""
    match view.board:
        case None:
            return []
        case TrackView():
            return [plain(line) for line in track_lines(view.board)]
        case _:
            return [plain(line) for line in grid_lines(view.board)]


def beside(view: SheetView) -> list[str]:
    """What the signs of the board mean, and what is left on it, where the board does not say."""
    if view.board is None or isinstance(view.board, TrackView):
        return []
    return [legend(view.board), counts(view.board)]


def statement(view: SheetView) -> str:
    """What those who sign put their names to."""
    if view.match is None:
        return "Signed by those who were there:"
    return f"Signed for everything up to event {view.seq}, and for its hash:"


def signing(view: SheetView) -> list[SignerView]:
    """Who has a line to sign on: all but those who would hear an appeal."""
    return [each for each in view.parties if each.role != APPEAL]


# -- parts of the sheet ------------------------------------------------------------------------


def _head(view: SheetView, columns: int) -> Iterator[str]:
    yield "SCORE SHEET"
    for name, said in terms(view):
        yield from _field(name, said, columns)
    if view.match is not None:
        yield from _hashed("match:", view.match, columns)


def _players(view: SheetView, columns: int) -> Iterator[str]:
    for each in view.parties:
        yield from _field(titled(each), each.name, columns)
        yield from wrapped(holds(each), columns, _IN) if each.name else ()


def _hints(view: SheetView, columns: int) -> Iterator[str]:
    if view.hints:
        said = "; ".join(f"{each.what} ({each.meaning})" for each in view.hints)
        yield from wrapped(f"Written so: {said}.", columns)
        yield from wrapped(TYPED_IN, columns)


def _result(view: SheetView, columns: int) -> Iterator[str]:
    for name, said in results(view):
        yield from _field(name, said, columns)


def _final(view: SheetView, columns: int) -> Iterator[str]:
    if view.board is not None:
        yield from _field("position", view.position, columns)
        yield from drawn(view)
        for line in beside(view):
            yield from wrapped(line, columns, rest=_IN)


def _hash(view: SheetView, columns: int) -> Iterator[str]:
    if view.head is not None:
        yield from _hashed(f"head: event {view.seq}", view.head, columns)


def _signatures(view: SheetView, columns: int) -> Iterator[str]:
    yield from wrapped(statement(view), columns)
    date = LINE * min(16, columns // 4)
    for each in signing(view):
        yield ""
        yield from wrapped(f"{titled(each)}: {each.name}", columns, rest=_IN)
        room = LINE * max(columns - len(f"{_IN}  date {date}"), 1)
        yield f"{_IN}{room}  date {date}"


def _hashed(name: str, digest: str, columns: int) -> Iterator[str]:
    yield name
    for half in quads(digest):
        yield from wrapped(half, columns, _IN)


def _field(name: str, said: str, columns: int) -> Iterator[str]:
    """A name and what is said of it; a line to be written on where nothing is."""
    start = f"{name}: "
    return wrapped(said or LINE * max(columns - len(start), 1), columns, start, _IN)
