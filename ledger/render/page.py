"""A score sheet as a page of HTML: one file, without script or anything from outside, to be printed
on A4 and signed, or read on a phone. Well-formed as XML too.

Pure. Every text is escaped. What could change the direction of a line has to be made visible in the
view before; names stand apart from what is around them all the same (``bdi``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from typing import Final

from ledger.render import paper
from ledger.render.code import svg
from ledger.render.paperrows import remarks
from ledger.views.sheet import SheetView
from ledger.views.sheetrows import SheetAct, SheetNote, SheetRow
from ledger.views.words import faces

_STYLE: Final = """
@page { size: A4; margin: 14mm }
:root { color-scheme: light }
body { margin: 0 auto; padding: 1em; max-width: 182mm; background: #fff; color: #000;
  font: 10.5pt/1.35 system-ui, sans-serif; overflow-wrap: anywhere }
h1 { font-size: 1.4em; margin: 0 0 .5em }
h2 { font-size: 1.1em; margin: 1.2em 0 .3em; break-after: avoid }
table { border-collapse: collapse; width: 100% }
thead { display: table-header-group }
tr { break-inside: avoid }
th, td { border: 1px solid #000; padding: .2em .4em; text-align: left; vertical-align: top }
.number { width: 3.2em; text-align: right; white-space: nowrap }
.dice { white-space: nowrap }
thead th:nth-last-child(2) { width: 45% }
th, dt, code { overflow-wrap: normal; white-space: nowrap }
.note td { font-style: italic }
.empty td { height: 1.6em }
.box { display: inline-block; width: 1.1em; height: 1.1em; border: 1px solid #000;
  margin-right: .25em }
dl { margin: 0; display: grid; grid-template-columns: max-content 1fr; gap: .15em .8em }
dd { margin: 0 }
.blank { display: block; height: 1.5em; border-bottom: 1px solid #000 }
.hash, pre { font-family: ui-monospace, monospace }
pre { overflow-x: auto; line-height: 1.15; margin: .3em 0; break-inside: avoid }
.seal { display: flex; flex-wrap: wrap; gap: 1em; align-items: center; break-inside: avoid }
.code { width: 38mm; height: 38mm; flex: none }
.signatures td { height: 3.2em }
.signatures .date { width: 20% }
@media print { body { padding: 0; font-size: 9.5pt } pre { font-size: 8pt } }
"""


def page(view: SheetView) -> str:
    """The whole page."""
    names = _names(view)
    head = _all(
        '<meta charset="utf-8" />',
        '<meta name="viewport" content="width=device-width, initial-scale=1" />',
        _in("title", f"Score sheet: {' – '.join(map(escape, names))}"),
        _in("style", _STYLE),
    )
    body = _all(
        _in("h1", f"Score sheet: {' – '.join(map(_text, names))}"),
        _list(paper.terms(view)),
        _players(view),
        _hints(view),
        _table(view),
        _in("h2", "Result"),
        _list(paper.results(view)),
        _final(view),
        _seal(view),
        _signatures(view),
    )
    whole = _in("html", f"{_in('head', head)}\n{_in('body', body)}", lang="en")
    return f"<!DOCTYPE html>\n{whole}\n"


def _names(view: SheetView) -> list[str]:
    """What the sheet is of: the players, or of an empty one the ruleset."""
    if view.match is None:
        return [view.ruleset]
    return [each.name for each in view.parties if each.role in view.letters]


# -- parts of the page -------------------------------------------------------------------------


def _players(view: SheetView) -> str:
    """Names, and in a line of its own, which no name can imitate, how each signs."""
    listed = "\n".join(
        _in("dt", escape(paper.titled(each)))
        + _in("dd", f"{_text(each.name)}<br />{escape(paper.holds(each))}" if each.name else _BLANK)
        for each in view.parties
    )
    match = _hash("match", view.match) if view.match else ""
    return _all(_in("h2", "Who"), _in("dl", listed), match)


def _hints(view: SheetView) -> str:
    if not view.hints:
        return ""
    said = "; ".join(f"{each.what} ({each.meaning})" for each in view.hints)
    return _all(_in("p", escape(f"Written so: {said}.")), _in("p", escape(paper.TYPED_IN)))


def _table(view: SheetView) -> str:
    heads = _heads(view)
    head = _in("tr", "".join(_in("th", escape(head), scope="col") for head in heads))
    rows = "\n".join(_row(line, view, len(heads)) for line in view.lines)
    return _in("table", _all(_in("thead", head), _in("tbody", rows)))


def _heads(view: SheetView) -> tuple[str, ...]:
    if view.pairs:
        sides = (paper.titled(each) for each in view.parties if each.role in view.letters)
        return ("No.", *sides)
    dice = any(line.dice for line in view.lines if isinstance(line, SheetRow))
    return ("No.", "Side", *(("Dice",) if dice else ()), "Played", "What came of it")


def _row(line: SheetRow | SheetNote, view: SheetView, columns: int) -> str:
    if isinstance(line, SheetNote):
        said = _struck(_text(f"event {line.seq}: {line.text}"), line.struck)
        cells = _in("td", "") + _in("td", said, colspan=str(columns - 1))
        return _in("tr", cells, class_="note")
    empty = not line.acts and not any(line.dice)
    number = f"{line.number}{'…' if line.continued else '.'}"
    filled = _pair(line, view) if view.pairs else _throw(line, view, columns)
    written = _in("td", number, class_="number") + "".join(_in("td", cell) for cell in filled)
    return _in("tr", written, class_="empty") if empty else _in("tr", written)


def _pair(row: SheetRow, view: SheetView) -> Iterator[str]:
    """The plies of each side, with what there is to say of them."""
    for seat in view.letters:
        acts = [act for act in row.acts if act.seat == seat]
        said = [_in("small", _text(act.remark)) for act in acts if act.remark]
        yield "<br />".join([" ".join(map(_act, acts)), *said])


def _throw(row: SheetRow, view: SheetView, columns: int) -> Iterator[str]:
    """Side, dice where the game has any, what was played, what came of it."""
    letters = view.letters
    if row.toss:
        yield "<br />".join(escape(letters[owner]) for owner in row.owners)
    else:
        yield escape(letters[row.seat] if row.seat else " / ".join(letters.values()))
    if columns == len(("number", "side", "dice", "played", "remarks")):
        boxes = "".join(_in("span", "", class_="box") for die in row.dice if not die)
        shown = "<br />".join(map(str, row.dice)) if row.toss else escape(faces(row.dice))
        yield boxes or _in("span", _struck(shown, row.struck), class_="dice")
    yield "; ".join(map(_act, row.acts))
    yield _text(remarks(row))


def _act(act: SheetAct) -> str:
    return _struck(_text(act.text), act.struck)


def _struck(shown: str, struck: str) -> str:
    return f"<s>{shown}</s> {escape(struck)}" if struck and shown else shown


def _final(view: SheetView) -> str:
    if view.board is None:
        return ""
    return _all(
        _in("h2", "Position"),
        _in("p", escape(view.position), class_="hash"),
        _in("pre", escape("\n".join(paper.drawn(view)))),
        *(_in("p", escape(line)) for line in paper.beside(view)),
    )


def _seal(view: SheetView) -> str:
    """The head, to be compared by eye, and as a code to be read."""
    if view.head is None or view.code is None:
        return ""
    words = f"The head of the match after event {view.seq} as a QR code: {view.code}"
    head = _hash(f"head: event {view.seq}", view.head)
    return _in("div", svg(view.code, words) + _in("div", head), class_="seal")


def _hash(name: str, digest: str) -> str:
    halves = "<br />".join(map(escape, paper.quads(digest)))
    return _in("p", f"{escape(name)}<br />{_in('span', halves, class_='hash')}")


def _signatures(view: SheetView) -> str:
    heads = _in("tr", "".join(_in("th", head, scope="col") for head in _SIGNED))
    rows = "\n".join(
        _in(
            "tr",
            _in("td", _text(f"{paper.titled(each)}: {each.name}"))
            + _in("td", "")
            + _in("td", "", class_="date"),
        )
        for each in paper.signing(view)
    )
    table = _in("table", _all(_in("thead", heads), _in("tbody", rows)), class_="signatures")
    return _all(_in("h2", escape(paper.statement(view))), table)


_BLANK: Final = '<span class="blank"></span>'
"""What is to be written on."""
_SIGNED: Final = ("Who", "Signature", "Date")


# -- elements ----------------------------------------------------------------------------------


def _list(said: Iterable[tuple[str, str]]) -> str:
    """Names with what is said of them; a line to be written on where nothing is."""
    pairs = (
        _in("dt", escape(name)) + _in("dd", _text(words) if words else _BLANK)
        for name, words in said
    )
    return _in("dl", "\n".join(pairs))


def _text(words: str) -> str:
    """Anybody's words: escaped, and without an effect on the direction of what is around them."""
    return _in("bdi", escape(words)) if words else ""


def _in(name: str, inside: str, **attributes: str) -> str:
    """An element around markup; ``class_`` is its class."""
    said = "".join(f' {key.rstrip("_")}="{escape(to)}"' for key, to in attributes.items())
    return f"<{name}{said}>{inside}</{name}>"


def _all(*parts: str) -> str:
    return "\n".join(filter(None, parts))
