"""Which match is meant: by its table, by the first letters of its id, or the only one open."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from ledger.errors import Ambiguous, NotFound

if TYPE_CHECKING:
    from ledger.fold import MatchState
    from ledger.service import Service
    from ledger.views import MatchLine

_TABLE: Final = re.compile(r"t(?:able)?[ -]?(.{1,60})", re.IGNORECASE)
"""``t4``: the match at table 4. No id begins so: ids are hexadecimal."""
_EASY: Final = re.compile(r"[A-Za-z0-9]{1,8}", re.ASCII)
"""Tables that can be typed without quotes."""
_NAMED: Final = 6
"""Matches that an error names at most."""


def names_a_table(text: str) -> bool:
    """Whether ``text`` can only be a table: no file, no id."""
    return bool(_TABLE.fullmatch(text)) and not set(text) & {".", "/"}


def find_match(opened: Service, match: str | None) -> MatchState:
    """The match that ``match`` means; without it the only one that is not closed."""
    from ledger import readmodels

    if match and not _TABLE.fullmatch(match):
        return opened.state(opened.resolve(match))
    return opened.state(chosen(readmodels.matches(opened.store).matches, match).match)


def chosen(lines: Sequence[MatchLine], match: str | None) -> MatchLine:
    """The match at the table that ``match`` names; without it the only one that is not closed."""
    if match and (table := _TABLE.fullmatch(match)):
        lines = _at(table[1], lines)
    unfinished = [line for line in lines if line.phase != "closed"]
    candidates = unfinished or lines
    if not candidates:
        raise NotFound("no-match", "The ledger has no match yet.", hint="tabellion open --help")
    if len(candidates) > 1 and (unfinished or not match):
        raise _say_which(candidates, "open" if unfinished else "there, all closed")
    return candidates[0]


def handle(opened: Service, match: str) -> str:
    """The shortest name of an open match: ``t4`` when no other is open at its table."""
    from ledger import readmodels

    lines = readmodels.matches(opened.store).matches
    return handles(lines).get(match, match[:8])


def _at(table: str, lines: Sequence[MatchLine]) -> tuple[MatchLine, ...]:
    found = tuple(line for line in lines if _table(line) == table.casefold())
    if not found:
        raise NotFound("no-match", f"No match is at table {table!a}.", hint="tabellion list")
    return found


def _table(line: MatchLine) -> str:
    return line.about.get("table", "").casefold()


def handles(lines: Sequence[MatchLine]) -> dict[str, str]:
    unfinished = [line for line in lines if line.phase != "closed"]
    tables = Counter(map(_table, unfinished))
    return {
        line.match: f"t{table}" if _EASY.fullmatch(table) and tables[table] == 1 else line.match[:8]
        for line in unfinished
        for table in (_table(line),)
    }


def _say_which(lines: Sequence[MatchLine], which: str) -> Ambiguous:
    short = handles(lines)
    names = [
        f"{short.get(line.match, line.match[:8])} ({' – '.join(line.seats.values())})"
        for line in lines[:_NAMED]
    ]
    more = ["…"] if len(lines) > _NAMED else []
    return Ambiguous(
        "which-match",
        f"{len(lines)} matches are {which}: {', '.join(names + more)}.",
        hint=f"say which, like -m {names[0].split()[0]}; all of them: tabellion list",
    )
