"""The doctor: looks at everything that a ledger needs, and changes nothing.

Each thing looked at becomes a finding: what, whether it is well, and the next command where it is
not. What is damaged or cannot be read is a finding too, never an error.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from ledger import page
from ledger.errors import Stale, TabellionError
from ledger.inspection import inspect_ledger, trust
from ledger.keys import Keyring
from ledger.migrations import FORMAT
from ledger.sqlitefile import KEEP, engine, is_there, sqlite_errors
from ledger.store import Store
from ledger.surroundings import clock, network, rights, space
from ledger.views import DoctorView, Finding
from ledger.web import assembled

if TYPE_CHECKING:
    from ledger.audit import Report


def examine(path: Path, ring: Keyring, now: datetime, mounts: str = "") -> DoctorView:
    """Look at the program, the ledger at ``path``, the clock and the keys.

    ``now`` is this device's time in UTC, ``mounts`` what Linux says in ``/proc/self/mountinfo``.
    """
    python = sys.version.split()[0]
    looks = [
        ("program", program(python, *engine())),
        ("page", pages()),
        ("ledger", _ledger(path, mounts)),
        ("disk", space(path)),
        ("clock", clock(now, _latest(path))),
        ("keys", keys(ring)),
    ]
    found = [finding for what, look in looks for finding in _safely(what, look)]
    return DoctorView(tuple(dict.fromkeys(found)))


def _safely(what: str, look: Iterator[Finding]) -> Iterator[Finding]:
    """What ``look`` finds, and what it stumbles over."""
    try:
        yield from look
    except Stale as error:
        yield Finding(what, "warn", error.message, error.hint)
    except TabellionError as error:
        yield Finding(what, "fault", error.message, error.hint or KEEP)
    except OSError as error:
        yield Finding(what, "fault", f"{error.filename}: {error.strerror}.", KEEP)


# -- the program ---------------------------------------------------------------------------


def program(python: str, module: str, sqlite: tuple[int, int, int]) -> Iterator[Finding]:
    """Versions, and the bug of SQLite that a ledger can meet."""
    numbers = ".".join(map(str, sqlite))
    text = f"Python {python}, SQLite {numbers} ({module})."
    if not _resets_safely(sqlite):
        yield Finding(
            "program",
            "warn",
            f"{text} This SQLite can lose events when two programs write at the same moment, "
            "unless whoever packed it has repaired it (sqlite.org/wal.html, the WAL-reset bug).",
            "pip install --upgrade pysqlite3"
            if sys.platform == "linux"
            else "Use a Python with SQLite 3.51.3 or newer.",
        )
    else:
        yield Finding("program", "ok", text)


def pages() -> Iterator[Finding]:
    """The hashes of the page that checks records in a browser, and of the one that players use:
    the same for everyone."""
    yield Finding("page", "ok", f"The page that verifies records has the SHA-256 {page.digest()}.")
    player = assembled.digest(assembled.player())
    yield Finding("player's page", "ok", f"The page for players has the SHA-256 {player}.")


def _resets_safely(sqlite: tuple[int, int, int]) -> bool:
    """Whether this SQLite is without the WAL-reset bug: it came with 3.7.0, and went with 3.51.3,
    3.50.7 and 3.44.6."""
    return (
        sqlite < (3, 7, 0)
        or sqlite >= (3, 51, 3)
        or (3, 50, 7) <= sqlite < (3, 51, 0)
        or (3, 44, 6) <= sqlite < (3, 45, 0)
    )


# -- the ledger ----------------------------------------------------------------------------


def _ledger(path: Path, mounts: str) -> Iterator[Finding]:
    if not is_there(path):
        yield Finding("ledger", "ok", f"There is no ledger at {path} yet.")
        return
    yield from _safely("ledger", _form(path))
    yield from _safely("ledger", _matches(path))
    if os.name == "posix":
        yield from _safely("rights", rights(path))
    yield from network(path, mounts)


def _form(path: Path) -> Iterator[Finding]:
    with Store.open(path, write=False) as store:
        later = "" if store.format == FORMAT else f"; the next write brings it to format {FORMAT}"
        aside = store.aside()
        yield Finding("ledger", "ok", f"{path}, format {store.format}{later}.")
    if aside:
        count, matches = len(aside), len({each.match for each in aside})
        yield Finding(
            "set aside",
            "ok",
            f"{_many(count, 'event')} of {_many(matches, 'match', 'matches')}.",
        )


def _matches(path: Path) -> Iterator[Finding]:
    view = inspect_ledger(path, None, trust(None, None))
    for text in view.file_faults:
        mended = "the list " in text.lower()
        yield Finding("ledger", "fault", text, "tabellion init --rebuild" if mended else KEEP)
    for report in view.reports:
        yield from _report(report)
    sound = [report for report in view.reports if report.verdict == "sound"]
    if len(sound) == len(view.reports):
        events = sum(report.events for report in sound)
        matches = _many(len(sound), "match", "matches")
        yield Finding("matches", "ok", f"{matches}, {_many(events, 'event')}: all sound.")


def _report(report: Report) -> Iterator[Finding]:
    match = (report.match or "unknown")[:12]
    remedy = f"tabellion audit {match}"
    if report.faults:
        first, *more = report.faults
        where = "" if first.event is None else f", event {first.event}"
        others = f" And {_many(len(more), 'other fault')}." if more else ""
        yield Finding(f"match {match}{where}", "fault", f"{first.text}{others}", remedy)
    for text in report.unchecked:
        yield Finding(f"match {match}", "warn", f"Not checked: {text}", remedy)


def _latest(path: Path) -> datetime | None:
    """When the latest event was stored, by the clock of that moment."""
    with suppress(TabellionError), Store.open(path, write=False) as store, sqlite_errors(path):
        times = store.connection.execute("SELECT recorded_at FROM events").fetchall()
        return max(filter(None, (_moment(text) for (text,) in times)), default=None)
    return None


def _moment(text: object) -> datetime | None:
    """The time that ``text`` says, if it says one."""
    try:
        moment = datetime.fromisoformat(str(text))
    except ValueError:
        return None
    return moment if moment.tzinfo else None


# -- the keys -----------------------------------------------------------------------------


def keys(ring: Keyring) -> Iterator[Finding]:
    """Every key of this device."""
    entries = ring.list()
    for entry in entries:
        what, name = f"key {entry.name}", quote(str(ring.folder / entry.name))
        if entry.problem:
            yield Finding(what, "fault", entry.problem, _mend(ring, entry.name))
        elif entry.encrypted is False:
            text = "It is not encrypted: who takes this device can sign with it."
            yield Finding(what, "warn", text, f"ssh-keygen -p -f {name}")
        elif entry.encrypted:
            yield Finding(what, "ok", "Encrypted.")
        else:
            yield Finding(what, "ok", "Its public half.")
    if not entries:
        yield Finding("keys", "ok", "There is no key here yet.")


def _mend(ring: Keyring, name: str) -> str:
    """What the key's own refusal says should be done."""
    try:
        ring.unlock(name)
    except TabellionError as error:
        if error.hint:
            return error.hint
    return f"tabellion key show {name}"


def _many(count: int, one: str, more: str = "") -> str:
    return f"{count} {one if count == 1 else more or one + 's'}"
