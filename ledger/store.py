"""The ledger file: SQLite, append-only, one order for each match.

What stands here are the bytes as they were signed. Triggers refuse every change and every row
that does not continue its chain, whoever writes. Nothing here knows what an event means; read
models are tables that can be dropped and rebuilt (``ledger.readmodels``).
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from ledger.envelope import Envelope
from ledger.errors import NotAllowed, NotFound, Refused, Stale, TabellionError, Unreadable

if TYPE_CHECKING:
    import sqlite3
else:
    try:
        # Debian's SQLite can lose a write-ahead log on reset; pysqlite3 brings a newer one.
        import pysqlite3 as sqlite3
    except ImportError:
        import sqlite3

APPLICATION_ID: Final = 0x5461626C  # "Tabl"
FORMAT: Final = 1
BUSY_SECONDS: Final = 60
_SQLITE_MAGIC: Final = b"SQLite format 3\0"

SCHEMA: Final = {
    "events": """
CREATE TABLE events (
    position INTEGER PRIMARY KEY,
    match TEXT NOT NULL CHECK (length(match) = 64),
    seq INTEGER NOT NULL CHECK (seq >= 0),
    prev TEXT,
    type TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE CHECK (length(hash) = 64),
    payload BLOB NOT NULL,
    signature BLOB NOT NULL CHECK (length(signature) = 64),
    keyid TEXT NOT NULL,
    recorded_at TEXT NOT NULL,
    UNIQUE (match, seq),
    UNIQUE (match, prev)
) STRICT""",
    "events_continue": """
CREATE TRIGGER events_continue BEFORE INSERT ON events
BEGIN
    SELECT RAISE(ABORT, 'events are never replaced') WHERE EXISTS (
        SELECT 1 FROM events WHERE hash = NEW.hash OR position = NEW.position
    ) OR EXISTS (SELECT 1 FROM events WHERE match = NEW.match AND seq = NEW.seq);
    SELECT RAISE(ABORT, 'an event must continue its chain') WHERE NOT CASE NEW.seq
        WHEN 0 THEN NEW.prev IS NULL AND NEW.match = NEW.hash
        ELSE EXISTS (
            SELECT 1 FROM events
            WHERE match = NEW.match AND seq = NEW.seq - 1 AND hash = NEW.prev
        ) END;
END""",
    "events_gapless": """
CREATE TRIGGER events_gapless AFTER INSERT ON events
WHEN NEW.position != 1
    AND NOT EXISTS (SELECT 1 FROM events WHERE position = NEW.position - 1)
BEGIN SELECT RAISE(ABORT, 'positions have no gaps'); END""",
    "events_never_change": """
CREATE TRIGGER events_never_change BEFORE UPDATE ON events
BEGIN SELECT RAISE(ABORT, 'events are never changed'); END""",
    "events_never_go": """
CREATE TRIGGER events_never_go BEFORE DELETE ON events
BEGIN SELECT RAISE(ABORT, 'events are never deleted'); END""",
}
_COLUMNS = "match, seq, prev, type, hash, payload, signature, keyid"
_INSERT = f"INSERT INTO events ({_COLUMNS}, recorded_at) VALUES (?,?,?,?,?,?,?,?,?)"  # noqa: S608


@dataclass(frozen=True, slots=True)
class Row:
    """One stored event: the columns are what its payload says, for SQL and for Datasette."""

    match: str
    seq: int
    prev: str | None
    type: str
    hash: str
    payload: bytes
    signature: bytes
    keyid: str

    @property
    def envelope(self) -> Envelope:
        return Envelope(self.payload, self.signature, self.keyid)


def is_sqlite(head: bytes) -> bool:
    """Whether a file that begins so is an SQLite database."""
    return head.startswith(_SQLITE_MAGIC)


class Store:
    """An open ledger file. Use ``Store.open``."""

    def __init__(self, path: Path, connection: sqlite3.Connection, writable: bool) -> None:
        self.path = path
        self.connection = connection
        self.writable = writable

    @classmethod
    def open(cls, path: Path, *, create: bool = False, write: bool = True) -> Store:
        """Open the ledger at ``path``; make it first when ``create`` and there is none.

        Raises ``NotFound`` (``no-ledger``), ``NotAllowed`` and ``Unreadable``.
        """
        if not path.exists():
            if not create:
                raise NotFound("no-ledger", f"There is no ledger at {path}.", hint="tabellion init")
            _make_folder(path)
        elif not path.is_file():
            raise Unreadable("not-a-ledger", f"{path} is not a file.")
        with sqlite_errors(path):
            store = cls(path, *_connect(path, create=create, write=write))
            try:
                store._check_format(create)
            except BaseException:
                store.close()
                raise
        return store

    def close(self) -> None:
        self.connection.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def writing(self) -> Iterator[None]:
        """One transaction that holds the ledger's only pen from its first line on."""
        with sqlite_errors(self.path):
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self.connection.execute("COMMIT")
            except BaseException:
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")
                raise

    @contextmanager
    def reading(self) -> Iterator[None]:
        """One transaction in which everything read belongs to the same moment."""
        with sqlite_errors(self.path):
            self.connection.execute("BEGIN")
            try:
                yield
            finally:
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")

    def head(self, match: str) -> tuple[int, str] | None:
        """Number and hash of the match's last event."""
        found: tuple[int, str] | None = self.connection.execute(
            "SELECT seq, hash FROM events WHERE match = ? ORDER BY seq DESC LIMIT 1", (match,)
        ).fetchone()
        return found

    def rows(self, match: str, after: int = -1) -> list[Row]:
        """The match's events with a number above ``after``, in order."""
        with sqlite_errors(self.path):
            found = self.connection.execute(
                f"SELECT {_COLUMNS} FROM events WHERE match = ? AND seq > ? ORDER BY seq",  # noqa: S608
                (match, after),
            ).fetchall()
        return [Row(*each) for each in found]

    def by_hash(self, digest: str) -> Row | None:
        found = self.connection.execute(
            f"SELECT {_COLUMNS} FROM events WHERE hash = ?",  # noqa: S608
            (digest,),
        ).fetchone()
        return Row(*found) if found else None

    def append(self, row: Row, recorded_at: str) -> None:
        """Insert ``row``; only inside ``writing``."""
        self.connection.execute(
            _INSERT,
            (
                row.match,
                row.seq,
                row.prev,
                row.type,
                row.hash,
                row.payload,
                row.signature,
                row.keyid,
                recorded_at,
            ),
        )

    def matches(self, prefix: str = "") -> list[str]:
        """Ids of the matches whose id begins with ``prefix``, in the order of their opening."""
        with sqlite_errors(self.path):
            found = self.connection.execute(
                "SELECT match FROM events WHERE seq = 0 AND substr(match, 1, ?) = ? "
                "ORDER BY position",
                (len(prefix), prefix),
            ).fetchall()
        return [each for (each,) in found]

    def faults(self) -> list[str]:
        """What is wrong with the file itself, in sentences: SQLite's own check, the tables and
        triggers as we made them, positions without gaps, columns of a row that contradict it."""
        with sqlite_errors(self.path):
            check = [text for (text,) in self.connection.execute("PRAGMA integrity_check(20)")]
            found = [] if check == ["ok"] else [f"SQLite finds: {text}." for text in check]
            made = dict(self.connection.execute("SELECT name, sql FROM sqlite_master"))
            for name, sql in SCHEMA.items():
                if made.get(name) != sql.strip():
                    found.append(f"The ledger's own {name!r} is missing or altered.")
            count, last = self.connection.execute(
                "SELECT count(*), coalesce(max(position), 0) FROM events"
            ).fetchone()
            if count != last:
                found.append(f"There are {count} events, but the last is number {last}.")
        return found

    def _check_format(self, create: bool) -> None:
        application, version = self._pragma("application_id"), self._pragma("user_version")
        if application == 0 and version == 0 and create and self._is_empty():
            _retry_while_busy(lambda: self.connection.execute("PRAGMA journal_mode=WAL"))
            with self.writing():
                if self._is_empty():
                    for sql in SCHEMA.values():
                        self.connection.execute(sql.strip())
                    self.connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
                    self.connection.execute(f"PRAGMA user_version={FORMAT}")
        elif application != APPLICATION_ID:
            raise Unreadable(
                "not-a-ledger", f"{self.path} is an SQLite file, but no ledger of Tabellion."
            )
        elif version > FORMAT:
            raise Unreadable(
                "future-ledger",
                f"{self.path} was written by a newer Tabellion (format {version}; this one "
                f"reads {FORMAT}).",
                hint="Use the newer Tabellion. Nothing was changed.",
            )

    def _pragma(self, name: str) -> int:
        return int(self.connection.execute(f"PRAGMA {name}").fetchone()[0])

    def _is_empty(self) -> bool:
        return self.connection.execute("SELECT 1 FROM sqlite_master").fetchone() is None


def _make_folder(path: Path) -> None:
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise NotAllowed(
            "cannot-write", f"The folder {path.parent} cannot be made: {error.strerror}."
        ) from None


def _connect(path: Path, *, create: bool, write: bool) -> tuple[sqlite3.Connection, bool]:
    writable = write and os.access(path if path.exists() else path.parent, os.W_OK)
    mode = "rwc" if create and writable else "rw" if writable else "ro"
    if not writable and not os.access(path.parent, os.W_OK) and not _has_log(path):
        mode += "&immutable=1"  # a read-only folder: SQLite could not make its helper files
    uri = f"file:{quote(str(path.absolute()))}?mode={mode}"
    connection = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=BUSY_SECONDS)
    for pragma in ("synchronous=FULL", "recursive_triggers=ON", "trusted_schema=OFF"):
        connection.execute(f"PRAGMA {pragma}")
    return connection, writable


def _has_log(path: Path) -> bool:
    log = path.with_name(path.name + "-wal")
    return log.exists() and log.stat().st_size > 0


def _retry_while_busy(act: Any) -> None:
    """SQLite does not wait when the journal mode changes under another opening process."""
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            act()
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.02)


@contextmanager
def sqlite_errors(path: Path) -> Iterator[None]:
    """Turn SQLite's errors into ours."""
    try:
        yield
    except sqlite3.Error as error:
        raise _translated(error, path) from error


def _translated(error: sqlite3.Error, path: Path) -> TabellionError:
    text = str(error)
    if "locked" in text or "busy" in text:
        return Stale("busy", f"{path} is in use by another program.", hint="Try again.")
    if "full" in text:
        return NotAllowed(
            "disk-full", f"There is no space left to write {path}. Nothing of this was stored."
        )
    if "readonly" in text or "unable to open" in text or "authorization" in text:
        return NotAllowed(
            "cannot-write", f"{path} cannot be opened or written: {text}. Nothing was stored."
        )
    if "not a database" in text:
        return Unreadable("not-a-ledger", f"{path} is no ledger: it is not an SQLite file.")
    if isinstance(error, sqlite3.IntegrityError):
        return Refused("ledger-refuses", f"The ledger refuses the event: {text}.")
    return Unreadable(
        "ledger-damaged",
        f"{path} cannot be read as a ledger: {text}.",
        hint="Keep the file as it is and work on a copy.",
    )
