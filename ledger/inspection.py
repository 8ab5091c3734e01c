"""Audits of what lies on disk: a record file, a whole ledger file, or one match of a ledger."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from ledger import readmodels, record, rulings
from ledger.audit import AsideReport, AuditView, Report, Trust, Verdict, audit, is_head
from ledger.copies import genuine, roll_shown
from ledger.errors import NotFound, Refused, TabellionError, Unreadable
from ledger.events import decode, type_of
from ledger.fold import Entry, MatchState, advance, begin, open_match
from ledger.service import resolve
from ledger.signers import parse_signers
from ledger.sqlitefile import is_sqlite
from ledger.store import Row, Store

MAX_SIGNERS = 1024 * 1024


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


def inspect(what: str | None, ledger: Path, given: Trust) -> AuditView:
    """Audit ``what``: a file of either kind, ``-`` for standard input, a match of ``ledger``, or
    (``None``) the whole of ``ledger``."""
    if what is None:
        return inspect_ledger(ledger, None, given)
    if what == "-":
        return inspect_record(sys.stdin.buffer.read(record.MAX_RECORD + 1), given)
    path = Path(what)
    if not path.exists():
        if "." in what or "/" in what:
            raise NotFound("no-file", f"There is no file {what}.")
        try:
            return inspect_ledger(ledger, what, given)
        except NotFound as error:
            raise NotFound(
                error.code, f"There is no file {what}. {error.message}", hint=error.hint
            ) from None
    try:
        with path.open("rb") as stream:
            ours = is_sqlite(stream.peek())
            data = b"" if ours else stream.read(record.MAX_RECORD + 1)
    except OSError as error:
        raise NotFound("no-file", f"{what} cannot be read: {error.strerror}.") from None
    if ours:
        return inspect_ledger(path, None, given)
    try:
        return inspect_record(data, given)
    except Unreadable as error:
        why = error.message if data else "It is empty."
        raise Unreadable(error.code, f"{what} cannot be audited. {why}") from None


def inspect_record(data: bytes, given: Trust) -> AuditView:
    """Audit a record's bytes."""
    found = record.read(data)
    report = audit(found.pieces, found.frame, given)
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
    state = _as_far_as_good(rows) if kept else None
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


def _as_far_as_good(rows: Sequence[Row]) -> MatchState | None:
    """The match up to its first event that does not hold."""
    state = None
    with suppress(TabellionError):
        for row in rows:
            entry = Entry(decode(row.payload), row.envelope.hash, row.keyid)
            state = begin(entry) if state is None else advance(state, entry)
    return state


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
