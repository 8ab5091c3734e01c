"""The ledger file: SQLite, append-only, one order for each match.

What stands here are the bytes as they were signed. Triggers refuse every change and every row
that does not continue its chain, whoever writes. Nothing here knows what an event means; read
models are tables that can be dropped and rebuilt (``ledger.readmodels``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ledger.envelope import Envelope
from ledger.errors import NotAllowed, NotFound, Unreadable
from ledger.sqlitefile import (
    KEEP,
    connect,
    damaged,
    is_there,
    make_folder,
    place_of,
    retry_while_busy,
    sqlite_errors,
)

if TYPE_CHECKING:
    import sqlite3

APPLICATION_ID: Final = 0x5461626C  # "Tabl"
FORMAT: Final = 1

_CONTINUES: Final = """CASE {row}.seq
        WHEN 0 THEN {row}.prev IS NULL AND {row}.match = {row}.hash
        ELSE EXISTS (
            SELECT 1 FROM events
            WHERE match = {row}.match AND seq = {row}.seq - 1 AND hash = {row}.prev
        ) END"""
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
    "events_continue": f"""
CREATE TRIGGER events_continue BEFORE INSERT ON events
BEGIN
    SELECT RAISE(ABORT, 'events are never replaced') WHERE EXISTS (
        SELECT 1 FROM events WHERE hash = NEW.hash OR position = NEW.position
    ) OR EXISTS (SELECT 1 FROM events WHERE match = NEW.match AND seq = NEW.seq);
    SELECT RAISE(ABORT, 'an event must continue its chain')
    WHERE NOT {_CONTINUES.format(row="NEW")};
END""",  # noqa: S608
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


class Row(NamedTuple):
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


class Store:
    """An open ledger file. Use ``Store.open``."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self.connection = connection
        self._place: tuple[int, int] | None = None

    @classmethod
    def open(
        cls,
        path: Path,
        *,
        create: bool = False,
        write: bool = True,
        furnish: Callable[[Store], None] | None = None,
    ) -> Store:
        """Open the ledger at ``path``; make it first when ``create`` and there is none, with
        what ``furnish`` adds in the same transaction.

        Raises ``NotFound`` (``no-ledger``), ``NotAllowed`` and ``Unreadable``.
        """
        if not is_there(path):
            if not create:
                raise NotFound("no-ledger", f"There is no ledger at {path}.", hint="tabellion init")
            make_folder(path)
        elif not path.is_file():
            raise Unreadable("not-a-ledger", f"{path} is not a file.")
        with sqlite_errors(path):
            store = cls(path, connect(path, create=create, write=write))
            try:
                if create and store._is_empty():
                    store._make(furnish)
                store._check_format()
                store._place = place_of(path)
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
            retry_while_busy(lambda: self.connection.execute("BEGIN IMMEDIATE"))
            try:
                if self._place is not None and place_of(self.path) != self._place:
                    raise NotAllowed(
                        "ledger-moved",
                        f"{self.path} was moved or replaced while it was open. Nothing was stored.",
                        hint="Close this program and start it again.",
                    )
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
        return [self._row(each) for each in found]

    def by_hash(self, digest: str) -> Row | None:
        found = self.connection.execute(
            f"SELECT {_COLUMNS} FROM events WHERE hash = ?",  # noqa: S608
            (digest,),
        ).fetchone()
        return self._row(found) if found else None

    def append(self, row: Row, recorded_at: str) -> None:
        """Insert ``row``; only inside ``writing``."""
        self.connection.execute(_INSERT, (*row, recorded_at))

    def matches(self, prefix: str = "") -> list[str]:
        """Ids of the matches whose id begins with ``prefix``, in the order of their opening."""
        with sqlite_errors(self.path):
            found = self.connection.execute(
                "SELECT match FROM events WHERE seq = 0 AND substr(match, 1, ?) = ? "
                "AND typeof(match) = 'text' ORDER BY position",
                (len(prefix), prefix),
            ).fetchall()
        return [each for (each,) in found]

    def faults(self) -> list[str]:
        """What is wrong with the file itself, in sentences: SQLite's own check, the tables and
        triggers as we made them, rows that the triggers would have refused."""
        with sqlite_errors(self.path):
            check = [text for (text,) in self.connection.execute("PRAGMA integrity_check(20)")]
            found = [] if check == ["ok"] else [f"SQLite finds: {text}." for text in check]
            return found + self._schema_faults() + self._row_faults()

    def _schema_faults(self) -> list[str]:
        made = dict(
            self.connection.execute(
                "SELECT name, sql FROM sqlite_master WHERE name = 'events' "
                "OR type = 'trigger' AND tbl_name = 'events' COLLATE NOCASE"
            )
        )
        altered = [name for name, sql in SCHEMA.items() if made.get(name) != sql.strip()]
        return [f"The ledger's own {name!r} is missing or altered." for name in altered] + [
            f"The trigger {name!a} on the events is not the ledger's own."
            for name in made
            if name not in SCHEMA
        ]

    def _row_faults(self) -> list[str]:
        found = []
        count, first, last = self.connection.execute(
            "SELECT count(*), min(position), max(position) FROM events"
        ).fetchone()
        if count and (first, last) != (1, count):
            found.append(f"{count} events are numbered {first} to {last}: numbers are missing.")
        for match, seq in self.connection.execute(
            f"SELECT match, seq FROM events AS e WHERE NOT {_CONTINUES.format(row='e')} LIMIT 20"  # noqa: S608
        ):
            found.append(f"Match {str(match)[:12]!a}, event {seq}: it does not continue its chain.")
        return found

    def _row(self, columns: tuple[Any, ...]) -> Row:
        """A row, as strict as the table it came from was made."""
        row = Row(*columns)
        if not (
            isinstance(row.payload, bytes)
            and isinstance(row.signature, bytes)
            and isinstance(row.keyid, str)
            and row.keyid.isascii()
        ):
            raise damaged(self.path, f"event {row.seq} of match {row.match} is damaged")
        return row

    def _make(self, furnish: Callable[[Store], None] | None) -> None:
        retry_while_busy(lambda: self.connection.execute("PRAGMA journal_mode=WAL"))
        with self.writing():
            if not self._is_empty():
                return  # somebody else made it meanwhile
            for sql in SCHEMA.values():
                self.connection.execute(sql.strip())
            if furnish is not None:
                furnish(self)
            self.connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
            self.connection.execute(f"PRAGMA user_version={FORMAT}")

    def _check_format(self) -> None:
        application, version = self._pragma("application_id"), self._pragma("user_version")
        if application != APPLICATION_ID:
            if self._is_empty():
                raise Unreadable(
                    "not-a-ledger", f"{self.path} is empty: no ledger yet.", hint="tabellion init"
                )
            raise Unreadable(
                "not-a-ledger", f"{self.path} is an SQLite file, but no ledger of Tabellion."
            )
        if version > FORMAT:
            raise Unreadable(
                "future-ledger",
                f"{self.path} was written by a newer Tabellion (format {version}; this one "
                f"reads {FORMAT}).",
                hint="Use the newer Tabellion. Nothing was changed.",
            )
        self.check_table("events")

    def check_table(self, name: str) -> None:
        """Refuse what computes its rows (a view, a virtual table, a generated column) in the
        place of a table: reading it might never end. Raises ``Unreadable``."""
        found = self.connection.execute(
            "SELECT 1 FROM pragma_table_list(:name) WHERE schema = 'main' AND type = 'table' "
            "AND NOT EXISTS (SELECT 1 FROM pragma_table_xinfo(:name) WHERE hidden)",
            {"name": name},
        ).fetchone()
        if found is None:
            raise Unreadable(
                "ledger-altered",
                f"{self.path} is not as Tabellion made it: {name} is no table of its own.",
                hint=KEEP,
            )

    def _pragma(self, name: str) -> int:
        return int(self.connection.execute(f"PRAGMA {name}").fetchone()[0])

    def _is_empty(self) -> bool:
        return self.connection.execute("SELECT 1 FROM sqlite_master").fetchone() is None
