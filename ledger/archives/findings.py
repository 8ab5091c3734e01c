"""What the audit of an archive finds, kept in a file of its own until all of it can be told.

A temporary SQLite file that nobody else sees: reports of matches that are not sound, and every
commitment and number of dice, so that one seen in two matches is found however many there are. The
memory it takes does not grow with the archive.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec
from msgspec import Struct

from ledger.audit import ArchiveReport, LineReport, Report, Verdict

_SCHEMA: Final = """
CREATE TABLE lines(
    line INTEGER PRIMARY KEY, match TEXT, head TEXT, events INT, verdict TEXT, fault TEXT,
    report BLOB);
CREATE TABLE published(value BLOB, line INT);
CREATE TABLE said(line INT, fault INT, other INT, PRIMARY KEY(line, fault, other)) WITHOUT ROWID;
"""
_PARTED, _DICE, _AGAIN = 2, 1, 0
"""Of two lines of one archive: two copies of a match that differ, dice of another match, the same
match again. Only the last is no fault."""
_COMPARE: Final = f"""
INSERT INTO said
    SELECT line, head IS NOT first_head, first FROM (
        SELECT line, head, min(line) OVER of_match AS first,
            first_value(head) OVER of_match AS first_head
        FROM lines WHERE match IS NOT NULL WINDOW of_match AS (PARTITION BY match ORDER BY line))
    WHERE line > first;
UPDATE said SET fault = {_PARTED} WHERE fault;
CREATE TABLE firsts AS
    SELECT value, min(line) AS first FROM published GROUP BY value HAVING first < max(line);
CREATE INDEX by_value ON firsts(value);
INSERT OR IGNORE INTO said
    SELECT later.line, {_DICE}, firsts.first
    FROM published CROSS JOIN firsts USING (value)
    JOIN lines AS later ON later.line = published.line
    JOIN lines AS earlier ON earlier.line = firsts.first
    WHERE later.match IS NOT earlier.match;
"""  # noqa: S608
_TOLD: Final = """
SELECT line, match, head, verdict, fault, report FROM lines
WHERE report IS NOT NULL OR fault <> '' OR line IN (SELECT line FROM said)
ORDER BY CASE WHEN verdict = 'faults' OR fault <> ''
    OR line IN (SELECT line FROM said WHERE fault) THEN 0 ELSE 1 + (report IS NULL) END, line
"""
_COUNTS: Final = """
SELECT count(match), ifnull(sum(events), 0), ifnull(sum(match IS NULL), 0),
    ifnull(sum(match IS NOT NULL AND bad), 0),
    ifnull(sum(match IS NOT NULL AND NOT bad AND verdict = 'could-not-check'), 0)
FROM (SELECT *, ifnull(verdict = 'faults', 1) OR fault <> ''
    OR line IN (SELECT line FROM said WHERE fault) AS bad FROM lines)
"""


class Found(Struct, frozen=True):
    """What was found on one line: ``report`` is empty where there is nothing to tell of it."""

    line: int
    fault: str = ""
    match: str | None = None
    head: str | None = None
    events: int = 0
    verdict: Verdict | None = None
    """``None`` where nothing on the line is a match."""
    published: Sequence[bytes] = ()
    """Every commitment and number of its dice."""
    report: bytes | None = None


class Findings:
    """An archive's findings. Use as a context: the file goes with it."""

    def __init__(self) -> None:
        self._file = sqlite3.connect("", isolation_level=None)
        for setting in ("journal_mode=OFF", "synchronous=OFF", "cache_size=-8000"):
            self._file.execute(f"PRAGMA {setting}")
        self._file.executescript(_SCHEMA)
        self._file.execute("BEGIN")
        self._reports = msgspec.msgpack.Decoder(Report)

    def __enter__(self) -> Findings:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def add(self, found: Found) -> None:
        self._file.execute(
            "INSERT INTO lines VALUES (?,?,?,?,?,?,?)",
            (
                *(found.line, found.match, found.head, found.events, found.verdict),
                *(found.fault, found.report),
            ),
        )
        self._file.executemany(
            "INSERT INTO published VALUES (?,?)", ((each, found.line) for each in found.published)
        )

    def compare(self) -> None:
        """Hold the matches against each other, once all are there."""
        for statement in _COMPARE.strip().split(";\n"):
            self._file.execute(statement)

    def summary(self, *, finished: bool) -> ArchiveReport:
        """The archive in numbers, without the lines."""
        matches, events, unread, faulty, unchecked = self._file.execute(_COUNTS).fetchone()
        return ArchiveReport(
            matches=matches,
            events=events,
            sound=matches - faulty - unchecked,
            faulty=faulty,
            unchecked=unchecked,
            unread=unread,
            finished=finished,
        )

    def lines(self) -> Iterator[LineReport]:
        """What is to be told, faults first, then what could not be checked, each by its line."""
        for line, match, head, verdict, fault, report in self._file.execute(_TOLD):
            faults, notes = self._said(line, match or "")
            yield LineReport(
                line=line,
                match=match,
                head=head,
                verdict="faults" if faults or fault else verdict,
                faults=(*((fault,) if fault else ()), *faults),
                notes=tuple(notes),
                report=self._reports.decode(report) if report else None,
            )

    def _said(self, line: int, match: str) -> tuple[list[str], list[str]]:
        faults, notes = [], []
        for what, other, others in self._file.execute(
            "SELECT said.fault, other, lines.match FROM said JOIN lines ON lines.line = other "
            "WHERE said.line = ? ORDER BY other, said.fault DESC",
            (line,),
        ):
            if what == _PARTED:
                faults.append(
                    f"Match {match[:12]} stands on line {other} too, and the two copies are not "
                    "the same."
                )
            elif what == _DICE:
                faults.append(
                    f"A commitment or number of its dice was used in match {others[:12]} (line "
                    f"{other}) too."
                )
            else:
                notes.append(f"Match {match[:12]} stands on line {other} already: the same copy.")
        return faults, notes
