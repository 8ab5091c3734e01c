"""The ledger file: SQLite, append-only, one order for each match.

What stands here are the bytes as they were signed. Triggers refuse every change and every row
that does not continue its chain, whoever writes. The end of a match can be set aside, when
another copy goes on otherwise: it leaves the chain and stays in the file. Nothing here knows what
an event means; read models are tables that can be dropped and rebuilt (``ledger.readmodels``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ledger import filefaults
from ledger.envelope import Envelope
from ledger.errors import NotAllowed, NotFound, Unreadable
from ledger.migrations import FORMAT, LAST, SCHEMAS, STEPS
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
SCHEMA: Final = SCHEMAS[FORMAT]
_COLUMNS = "match, seq, prev, type, hash, payload, signature, keyid"
_STORED = f"{_COLUMNS}, recorded_at"
_INSERT = f"INSERT INTO events (position, {_STORED}) VALUES ({LAST} + 1, ?,?,?,?,?,?,?,?,?)"  # noqa: S608
_KEEP_ASIDE = (
    f"INSERT INTO set_aside (position, since, {_STORED}) "  # noqa: S608
    f"VALUES ({LAST} + 1, {LAST}, ?,?,?,?,?,?,?,?,?)"
)
_SET_ASIDE = (
    f"INSERT INTO set_aside (position, since, {_STORED}) SELECT position, {LAST}, {_STORED} "  # noqa: S608
    "FROM events WHERE match = ? AND seq > ? ORDER BY seq DESC"
)


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


class AsideRow(NamedTuple):
    """An event beside the chain of its match. ``position`` identifies it: an envelope can be set
    aside, come back and be set aside again. ``since`` is the ledger's last position when it was
    set aside."""

    match: str
    seq: int
    prev: str
    type: str
    hash: str
    payload: bytes
    signature: bytes
    keyid: str
    position: int
    since: int

    @property
    def row(self) -> Row:
        return Row(
            self.match,
            self.seq,
            self.prev,
            self.type,
            self.hash,
            self.payload,
            self.signature,
            self.keyid,
        )

    @property
    def envelope(self) -> Envelope:
        return self.row.envelope


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
        what ``furnish`` adds in the same transaction. A file of an older format is brought to
        this one, with the same, unless it is opened for reading alone: then it stays as it is.

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
                if write:
                    store._migrate(furnish)
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
            try:  # Ctrl-C may come at any moment, also when it has just begun
                retry_while_busy(lambda: self.connection.execute("BEGIN IMMEDIATE"))
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
            try:
                self.connection.execute("BEGIN")
                yield
            finally:
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")

    def head(self, match: str) -> tuple[int, str] | None:
        """Number and hash of the match's last event."""
        with sqlite_errors(self.path):
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
        with sqlite_errors(self.path):
            found = self.connection.execute(
                f"SELECT {_COLUMNS} FROM events WHERE hash = ?",  # noqa: S608
                (digest,),
            ).fetchone()
        return self._row(found) if found else None

    def append(self, row: Row, recorded_at: str) -> None:
        """Insert ``row``; only inside ``writing``."""
        self.connection.execute(_INSERT, (*row, recorded_at))

    def set_aside(self, match: str, after_seq: int) -> int:
        """Move the match's events after number ``after_seq`` out of its chain, never its opening;
        only inside ``writing``. Returns how many they were."""
        return self.connection.execute(_SET_ASIDE, (match, max(after_seq, 0))).rowcount

    def keep_aside(self, row: Row, recorded_at: str) -> None:
        """Store an event that continues the match no more beside its chain; only inside
        ``writing``. What it continues must be here, in the chain or set aside."""
        self.connection.execute(_KEEP_ASIDE, (*row, recorded_at))

    def aside(self, match: str | None = None) -> list[AsideRow]:
        """What was set aside, of one match or of all, in the order of ``position``."""
        which = "" if match is None else "WHERE match = :match"
        with sqlite_errors(self.path):
            if self.format < 2:
                return []
            found = self.connection.execute(
                f"SELECT {_COLUMNS}, position, since FROM set_aside {which} ORDER BY position",  # noqa: S608
                {"match": match},
            ).fetchall()
        rows = [AsideRow(*each) for each in found]
        for each in rows:
            self._row(each.row)
        return rows

    def positions(self, match: str) -> dict[str, int]:
        """By hash the position of every event in the match's chain."""
        with sqlite_errors(self.path):
            return dict(
                self.connection.execute(
                    "SELECT hash, position FROM events WHERE match = ?", (match,)
                ).fetchall()
            )

    def last_position(self) -> int:
        """The number of envelopes ever stored here, in the chains and set aside."""
        with sqlite_errors(self.path):
            last = LAST if self.format > 1 else "ifnull(max(position), 0) FROM events"
            return int(self.connection.execute(f"SELECT {last}").fetchone()[0])

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
        """What is wrong with the file itself, in sentences (``ledger.filefaults``)."""
        with sqlite_errors(self.path):
            return filefaults.faults(self.connection, self.format)

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

    @property
    def format(self) -> int:
        """The format of the file now: another program may have brought it to a newer one."""
        return self._pragma("user_version")

    def _migrate(self, furnish: Callable[[Store], None] | None) -> None:
        """Bring an older file to this format, a step in one transaction.

        An altered file is refused: new triggers in place of the altered ones would hide it.
        """
        while (version := self.format) < FORMAT:
            with self.writing():
                if self.format != version:
                    continue  # somebody else did it meanwhile
                if altered := filefaults.altered(self.connection, version):
                    raise self._altered(f"{altered[0]} is missing or altered")
                for sql in STEPS[version]:
                    self.connection.execute(sql.strip())
                self.connection.execute(f"PRAGMA user_version={version + 1}")
                if furnish is not None and version + 1 == FORMAT:
                    furnish(self)

    def _check_format(self) -> None:
        application, version = self._pragma("application_id"), self.format
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
        if version not in SCHEMAS:
            raise self._altered(f"there is no format {version}")
        for name in ("events", "set_aside")[:version]:
            self.check_table(name)

    def check_table(self, name: str) -> None:
        """Refuse what computes its rows (a view, a virtual table, a generated column) in the
        place of a table: reading it might never end. Raises ``Unreadable``."""
        found = self.connection.execute(
            "SELECT 1 FROM pragma_table_list(:name) WHERE schema = 'main' AND type = 'table' "
            "AND NOT EXISTS (SELECT 1 FROM pragma_table_xinfo(:name) WHERE hidden)",
            {"name": name},
        ).fetchone()
        if found is None:
            raise self._altered(f"{name} is no table of its own")

    def _altered(self, why: str) -> Unreadable:
        return Unreadable(
            "ledger-altered", f"{self.path} is not as Tabellion made it: {why}.", hint=KEEP
        )

    def _pragma(self, name: str) -> int:
        return int(self.connection.execute(f"PRAGMA {name}").fetchone()[0])

    def _is_empty(self) -> bool:
        return self.connection.execute("SELECT 1 FROM sqlite_master").fetchone() is None
