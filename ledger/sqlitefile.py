"""An SQLite file as a ledger needs it: how it is opened, waited for, and what its errors mean.

SQLite's own errors end here: each becomes one of ours, with a message that helps.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from ledger.errors import NotAllowed, Refused, Stale, TabellionError, Unreadable

if TYPE_CHECKING:
    import sqlite3
else:
    try:
        # Debian's SQLite can lose a write-ahead log on reset; pysqlite3 brings a newer one.
        import pysqlite3 as sqlite3
    except ImportError:
        import sqlite3

BUSY_SECONDS: Final = 60
_PATIENCE: Final = 0.5
"""Seconds that SQLite waits by itself. Longer, and Ctrl-C would not be heard."""
_SQLITE_MAGIC: Final = b"SQLite format 3\0"
KEEP: Final = "Keep the file as it is and work on a copy."
_SAID: Final = {
    "database or disk is full": sqlite3.SQLITE_FULL,
    "disk I/O error": sqlite3.SQLITE_IOERR,
}
"""A copy that fails is reported by pysqlite3 in SQLite's words, without its code."""
_BUSY: Final = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def engine() -> tuple[str, tuple[int, int, int]]:
    """The module that brings SQLite, and the version of SQLite in it."""
    major, minor, patch = sqlite3.sqlite_version_info[:3]
    return sqlite3.__name__.partition(".")[0], (major, minor, patch)


def is_sqlite(head: bytes) -> bool:
    """Whether a file that begins so is an SQLite database."""
    return head.startswith(_SQLITE_MAGIC)


def is_there(path: Path) -> bool:
    try:
        return path.exists()
    except OSError as error:
        raise NotAllowed("cannot-open", f"{path} cannot be opened: {error.strerror}.") from None


def place_of(path: Path) -> tuple[int, int] | None:
    """What tells a file from another that was put in its place."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def make_folder(path: Path) -> None:
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise NotAllowed(
            "cannot-write", f"The folder {path.parent} cannot be made: {error.strerror}."
        ) from None


def connect(path: Path, *, create: bool, write: bool) -> sqlite3.Connection:
    path = Path(os.path.realpath(path))  # SQLite's own files lie beside the file, not the link
    writable = write and os.access(path if path.exists() else path.parent, os.W_OK)
    mode = "rwc" if create and writable else "rw" if writable else "ro"
    if not writable and not os.access(path.parent, os.W_OK) and not has_log(path):
        mode += "&immutable=1"  # a read-only folder: SQLite could not make its helper files
    if create and writable:
        _make_private(path)
    uri = f"file://{quote(os.fsencode(path))}?mode={mode}"
    connection = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=_PATIENCE)
    try:
        for pragma in ("synchronous=FULL", "recursive_triggers=ON", "trusted_schema=OFF"):
            connection.execute(f"PRAGMA {pragma}")
    except BaseException:
        connection.close()
        raise
    return connection


def _make_private(path: Path) -> None:
    """Make a new file its owner's alone: names of players stand in it."""
    with suppress(OSError):  # SQLite says better what is in the way
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def copy_pages(connection: sqlite3.Connection, path: Path) -> None:
    """Copy all that ``connection`` reads, as of one moment, into the file at ``path``."""
    copy = sqlite3.connect(path, isolation_level=None)
    try:
        copy.execute("PRAGMA journal_mode=MEMORY")
        connection.backup(copy)
    finally:
        copy.close()


def has_log(path: Path) -> bool:
    """Whether events lie beside the file that are not in it yet."""
    log = f"{path}-wal"
    return os.path.exists(log) and os.path.getsize(log) > 0


def retry_while_busy(act: Callable[[], object]) -> None:
    """Wait for another program to put down the pen, for ``BUSY_SECONDS`` at most."""
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            act()
            return
        except sqlite3.OperationalError as error:
            if _code(error) not in _BUSY or time.monotonic() > deadline:
                raise
            time.sleep(0.02)


@contextmanager
def sqlite_errors(path: Path) -> Iterator[None]:
    """Turn SQLite's errors into ours."""
    try:
        yield
    except sqlite3.ProgrammingError:
        raise  # ours, not the file's
    except sqlite3.Error as error:
        raise _translated(error, path) from error
    except UnicodeDecodeError as error:  # SQLite's message quotes what is damaged
        raise damaged(path, "it holds text that is not UTF-8") from error


def _code(error: sqlite3.Error) -> int:
    """SQLite's primary result code; 0 for an error of the module around it."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF or _SAID.get(str(error), 0)


def _translated(error: sqlite3.Error, path: Path) -> TabellionError:
    match _code(error):
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return Stale("busy", f"{path} is in use by another program.", hint="Try again.")
        case sqlite3.SQLITE_FULL:
            return NotAllowed(
                "disk-full", f"There is no space left to write {path}. Nothing of this was stored."
            )
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM:
            return _denied(path, "cannot-write", f"{path} cannot be written", os.W_OK)
        case sqlite3.SQLITE_CANTOPEN:
            return _denied(path, "cannot-open", f"{path} cannot be opened", os.R_OK)
        case sqlite3.SQLITE_IOERR:
            return NotAllowed(
                "disk-error",
                f"The disk of {path} failed: {error}.",
                hint="See what was stored: tabellion show",
            )
        case sqlite3.SQLITE_NOTADB:
            return Unreadable("not-a-ledger", f"{path} is no ledger: it is not an SQLite file.")
        case sqlite3.SQLITE_CONSTRAINT:
            return Refused("ledger-refuses", f"The ledger refuses the event: {error}.")
        case sqlite3.SQLITE_ERROR:
            return Unreadable(
                "ledger-altered", f"{path} is not as Tabellion made it: {error}.", hint=KEEP
            )
        case _:
            return damaged(path, str(error))


def damaged(path: Path, why: str) -> Unreadable:
    return Unreadable("ledger-damaged", f"{path} cannot be read as a ledger: {why}.", hint=KEEP)


def _denied(path: Path, code: str, message: str, needed: int) -> NotAllowed:
    """Who denies it: the file itself, its folder, or the files that SQLite keeps beside it."""
    hint = f"{path.name}-wal and {path.name}-shm beside it need the same permissions."
    if os.access(path, os.F_OK) and not os.access(path, needed):
        message += ": you have no permission"
        hint = ""
    elif not os.access(path.parent, os.W_OK):
        message += ": SQLite may not make its files in that folder"
        hint = ""
        if has_log(path):
            hint = (
                f"Its latest events lie in {path.name}-wal: copy both files into a folder of "
                "yours and use the copy."
            )
    return NotAllowed(code, f"{message}. Nothing was stored.", hint=hint)
