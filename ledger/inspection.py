"""Audits of what lies on disk: a record file, an archive, a whole ledger file, or one match of a
ledger."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from stat import S_ISREG
from typing import BinaryIO, Final

from msgspec.structs import replace

from ledger import carriers, readmodels, record, rulings
from ledger.archives import lines as archive
from ledger.archives.auditing import Watch, audit_lines
from ledger.archives.findings import Findings
from ledger.audit import (
    ArchiveReport,
    AsideReport,
    AuditView,
    Report,
    Trust,
    Verdict,
    audit,
    is_head,
)
from ledger.copies import genuine, roll_shown
from ledger.errors import NotFound, Refused, TabellionError, Unreadable
from ledger.events import decode, type_of
from ledger.fold import Entry, MatchState, open_match
from ledger.service import resolve
from ledger.signers import parse_signers
from ledger.sqlitefile import is_sqlite
from ledger.store import Row, Store

MAX_SIGNERS = 1024 * 1024
_PIECE: Final = 256 * 1024
"""Bytes that are read at once."""


def trust(signers: str | None, head: str | None) -> Trust:
    """What the reader brings: an ``allowed_signers`` file and a head hash, or neither."""
    allowed = None
    if signers is not None:
        try:
            with Path(signers).open("rb") as stream:
                data = stream.read(MAX_SIGNERS + 1)
            if len(data) > MAX_SIGNERS:
                raise Unreadable("too-large", f"{signers} is larger than {MAX_SIGNERS} bytes.")
            allowed = parse_signers(data.decode("utf-8"))
        except OSError as error:
            raise NotFound("no-file", f"{signers} cannot be read: {error.strerror}.") from None
        except UnicodeDecodeError:
            raise Unreadable("not-utf8", f"{signers} is not a text in UTF-8.") from None
    if head is not None and not is_head(head):
        raise Unreadable(
            "bad-head", f"A head hash has 32 to 64 digits 0-9 and a-f, unlike {head[:80]!a}."
        )
    return Trust(documents=rulings.digests(), signers=allowed, head=head)


@dataclass(frozen=True, slots=True)
class Archive:
    """An archive that was opened: its lines, to be read once, and its size where that is known."""

    lines: Iterator[archive.Line]
    size: int | None


@contextmanager
def opened(what: str) -> Iterator[Archive | bytes | Path]:
    """What a file is by what stands in it, ``-`` for standard input: an archive, the bytes of a
    record (or of nothing that we know), or the path of a ledger.

    Raises ``NotFound``, and ``Unreadable`` for a page or a bundle that holds no record.
    """
    if what == "-":
        yield _incoming(sys.stdin.buffer, None)
        return
    path = Path(what)
    with ExitStack() as files:
        try:
            stream = files.enter_context(path.open("rb"))
            ours = is_sqlite(stream.peek())
            found = path if ours else _incoming(stream, _size(stream))
        except OSError as error:
            raise NotFound("no-file", f"{what} cannot be read: {error.strerror}.") from None
        yield found


def _size(stream: BinaryIO) -> int | None:
    status = os.fstat(stream.fileno())
    return status.st_size if S_ISREG(status.st_mode) else None


def _incoming(stream: BinaryIO, size: int | None) -> Archive | bytes:
    begin = stream.read(_PIECE)
    if carriers.is_carrier(begin):
        return carriers.record_in(begin + stream.read(record.MAX_RECORD))
    pieces = chain((begin,), iter(lambda: stream.read(_PIECE), b""))
    read, many = archive.opening(pieces)
    if many:
        return Archive(archive.lines(archive.joined(read, pieces)), size)
    return read


def inspect(what: str | None, ledger: Path, given: Trust) -> AuditView:
    """Audit ``what``: a file of any kind, ``-`` for standard input, a match of ``ledger``, or
    (``None``) the whole of ``ledger``."""
    if what is None or not is_file(what):
        return inspect_match(what, ledger, given)
    with opened(what) as found:
        if isinstance(found, Archive):
            return inspect_archive(found, given)
        return inspect_file(what, found, given)


def is_file(what: str) -> bool:
    """Whether a file is meant, rather than a match. Raises ``NotFound`` for a file that is not
    there."""
    if what == "-" or Path(what).exists():
        return True
    if "." in what or "/" in what:
        raise NotFound("no-file", f"There is no file {what}.")
    return False


def inspect_match(what: str | None, ledger: Path, given: Trust) -> AuditView:
    """Audit a match of ``ledger``, or all of it."""
    try:
        return inspect_ledger(ledger, what, given)
    except NotFound as error:
        if what is None:
            raise
        raise NotFound(
            error.code, f"There is no file {what}. {error.message}", hint=error.hint
        ) from None


def inspect_file(what: str, found: bytes | Path, given: Trust) -> AuditView:
    """Audit what a file was found to be."""
    if isinstance(found, Path):
        return inspect_ledger(found, None, given)
    try:
        return inspect_record(found, given)
    except Unreadable as error:
        if what == "-":
            raise
        why = error.message if found else "It is empty."
        raise Unreadable(error.code, f"{what} cannot be audited. {why}") from None


def inspect_archive(found: Archive, given: Trust) -> AuditView:
    """Audit an archive that is not too large to hold what is found in it."""
    with Findings() as findings:
        summary = look_through(found, given, findings, lambda _line, _found: None)
        return archive_view(replace(summary, lines=tuple(findings.lines())))


def look_through(found: Archive, given: Trust, findings: Findings, watch: Watch) -> ArchiveReport:
    """Audit an archive of any size: what there is to tell of its lines stays in ``findings``.

    Raises ``Unreadable`` (``usage``) where the reader brings one match's head.
    """
    if given.head is not None:
        raise Unreadable(
            "usage",
            "--head is the hash of one match; this is an archive of several.",
            hint="audit the match's own record with --head",
        )
    finished = audit_lines(found.lines, given, findings, watch, found.size)
    return findings.summary(finished=finished)


def archive_view(found: ArchiveReport) -> AuditView:
    """What an audit says of an archive with these numbers."""
    bad = found.faulty or found.unread
    doubtful = found.unchecked or not found.finished
    verdict: Verdict = "faults" if bad else "could-not-check" if doubtful else "sound"
    return AuditView(verdict=verdict, file_faults=(), reports=(), archive=found)


def inspect_record(data: bytes, given: Trust) -> AuditView:
    """Audit a record's bytes."""
    found = record.read(data)
    report = audit(found.pieces, found.frame, given, found.positions)
    return AuditView(verdict=report.verdict, file_faults=(), reports=(report,))


def inspect_ledger(path: Path, match: str | None, given: Trust) -> AuditView:
    """Audit one match of a ledger, or all of it with the file around them, as of one moment."""
    reports: list[Report] = []
    aside: list[AsideReport] = []
    used: dict[str, str] = {}
    with Store.open(path, write=False) as store, store.reading():
        faults = [] if match else store.faults() + readmodels.strays(store)
        for each in [resolve(store, match)] if match else store.matches():
            rows = store.rows(each)
            reports.append(audit([row.envelope for row in rows], (), given))
            folded, wrong = _row_faults(store, each, rows)
            faults += wrong
            faults += _used_before(used, folded)
            kept, wrong = _aside(store, each, rows)
            aside += kept
            faults += wrong
    verdicts = {report.verdict for report in reports}
    verdict: Verdict = (
        "faults"
        if faults or "faults" in verdicts
        else "could-not-check"
        if verdicts - {"sound"}
        else "sound"
    )
    return AuditView(
        verdict=verdict,
        file_faults=tuple(dict.fromkeys(faults)),
        reports=tuple(reports),
        set_aside=tuple(aside),
    )


def _aside(store: Store, match: str, rows: list[Row]) -> tuple[list[AsideReport], list[str]]:
    """What is kept beside the chain of a match, and what of it no role of the match signed."""
    found: dict[str, AsideReport] = {}
    faults: list[str] = []
    kept = store.aside(match)
    state = readmodels.as_far_as_good(rows) if kept else None
    if state is None:
        return [], []  # the audit of the match says so
    standing = {row.hash: row for row in rows}
    events = genuine(state, [row.envelope for row in kept])
    for row, event in zip(kept, events, strict=True):
        entry = Entry(event, row.envelope.hash, row.keyid) if event else None
        if event is None or entry is None or not _agrees(row.row, event.seq, entry):
            faults.append(
                f"Match {match[:12]}, set aside at {row.position}: no event of this match that its "
                "role has signed."
            )
        elif row.hash not in standing:
            same = rows[row.seq] if row.seq < len(rows) else None
            both = same is not None and (same.keyid, same.prev) == (row.keyid, row.prev)
            found[row.hash] = AsideReport(
                match=match,
                event=row.seq,
                hash=row.hash,
                by=event.by,
                keyid=row.keyid,
                signed_both=same.hash if same is not None and both else None,
                shows_roll=roll_shown(event),
                envelope=row.envelope.text().decode("ascii"),
            )
    return list(found.values()), faults


def _used_before(used: dict[str, str], state: MatchState | None) -> list[str]:
    """Commitments and numbers of dice that another match has published too."""
    if state is None:
        return []
    twice = {used[each] for each in state.rolling.published if each in used}
    used |= dict.fromkeys(state.rolling.published, state.match)
    return [
        f"Match {state.match[:12]}: a commitment or number of its dice was used in match "
        f"{other[:12]} too."
        for other in sorted(twice)
    ]


def _row_faults(store: Store, match: str, rows: list[Row]) -> tuple[MatchState | None, list[str]]:
    """Columns and read models that do not say what the signed bytes say, with the match. Where
    these cannot be read or folded, the audit of the events says so."""
    found, state = [], None
    entries = []
    for number, row in enumerate(rows):
        with suppress(Refused):
            event = decode(row.payload)
            entries.append(Entry(event, row.envelope.hash, row.keyid))
            if not _agrees(row, number, entries[-1]):
                found.append(f"Match {match[:12]}, row {number}: its columns contradict its event.")
    with suppress(TabellionError):
        if len(entries) == len(rows):
            state = open_match(entries)
            found += readmodels.differences(store, state)
    return state, found


def _agrees(row: Row, number: int, entry: Entry) -> bool:
    event = entry.event
    said = (event.match or entry.hash, event.seq, event.prev, type_of(event), entry.hash)
    return said == (row.match, row.seq, row.prev, row.type, row.hash) and row.seq == number
