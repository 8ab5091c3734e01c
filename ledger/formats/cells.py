"""Rows as CSV (RFC 4180) and as JSON Lines.

CSV is UTF-8, with a header line, commas and CRLF. Several numbers stand in a cell with a space
between them; nothing is an empty cell. Two kinds of text have an apostrophe before them, and lose
it again by ``plain``:

- any text that a program would take for a formula ("=1+1"), for its own safety; also behind a
  semicolon within the text, where a program that separates cells by semicolons begins another one;
- in the columns of notation, what would be taken for a date, a time or a number ("6/11", "3-5").

Nothing else is guarded, since no sign keeps a spreadsheet from reading "May 5", "1.5", "007" or
"TRUE" in its own way: whoever imports the file says that it is UTF-8 with commas and that its
columns are text. JSON Lines have the same fields with numbers, lists and nulls, and no apostrophes.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable
from io import StringIO
from typing import Final, TypeAlias

import msgspec
from msgspec import Struct

Cell: TypeAlias = "bool | int | str | tuple[int, ...] | None"

_FORMULA: Final = re.compile("\\s*[-=+@\uff0d\uff1d\uff0b\uff20']|[\\t\\r\\n]")
"""What a cell begins with that is taken for a formula; full-width signs are, in some languages. The
apostrophe stands here so that one can be taken away again."""
_NOTATION: Final = frozenset({"notation", "position"})
"""Columns whose texts are made of numbers and signs, and are ours to guard."""
_RECKONED: Final = re.compile("[0-9]+(?:[-/.,:eE][0-9]+)*")
"""What is made into a date, a time or a number, and cannot be made into the text again."""


def csv_header(row: type[Struct]) -> bytes:
    """The first line, with the names of the fields."""
    return _lines([row.__struct_fields__])


def csv_lines(rows: Iterable[Struct]) -> bytes:
    return _lines(
        [_cell(name, getattr(row, name)) for name in row.__struct_fields__] for row in rows
    )


def json_lines(rows: Iterable[Struct]) -> bytes:
    return msgspec.json.Encoder().encode_lines(rows)


def _lines(table: Iterable[Iterable[str]]) -> bytes:
    written = StringIO(newline="")
    csv.writer(written, lineterminator="\r\n").writerows(table)
    return written.getvalue().encode()


def _cell(column: str, value: Cell) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case str():
            reckoned = column in _NOTATION and _RECKONED.fullmatch(value)
            return f"'{value}" if reckoned else ";".join(map(_harmless, value.split(";")))
        case tuple():
            return " ".join(map(str, value))


def _harmless(text: str) -> str:
    return f"'{text}" if _FORMULA.match(text) else text


def plain(cell: str) -> str:
    """The text of a cell of CSV, without the apostrophes that keep it harmless."""
    return ";".join(part.removeprefix("'") for part in cell.split(";"))
