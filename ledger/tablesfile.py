"""The file of tables set out: how it is made and opened, its one pen, what its errors mean; and
the servers that say in it that they take phones.

It lies beside the ledger and is its owner's alone. What stands in it is in ``ledger.tables``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ledger.errors import NotFound, TabellionError, Unreadable
from ledger.sqlitefile import connect, is_there, make_folder, retry_while_busy, sqlite_errors

if TYPE_CHECKING:
    import sqlite3
    from typing import Self

APPLICATION_ID: Final = 0x54616254  # "TabT"
FORMAT: Final = 1
_SCHEMA: Final = (
    """CREATE TABLE tables (
      id TEXT PRIMARY KEY,
      arbiter TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('opening', 'replacement')),
      plan BLOB NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('waiting', 'done', 'withdrawn')),
      match TEXT,
      expires_at TEXT NOT NULL,
      CHECK ((state = 'done') = (match IS NOT NULL))
    ) STRICT""",
    """CREATE TABLE places (
      place INTEGER NOT NULL,
      in_table TEXT NOT NULL REFERENCES tables (id),
      role TEXT NOT NULL,
      name TEXT NOT NULL,
      code TEXT NOT NULL UNIQUE,
      key TEXT,
      PRIMARY KEY (in_table, role)
    ) STRICT""",
    """CREATE TABLE servers (
      pid INTEGER PRIMARY KEY,
      url TEXT NOT NULL,
      fingerprint TEXT,
      arbiter TEXT
    ) STRICT""",
)
_OF_A_LEDGER: Final = ("not-a-ledger", "ledger-altered", "ledger-damaged")
_MOVE: Final = "Move it away and set the tables out again; the ledger is not touched by it."


@dataclass(frozen=True, slots=True)
class Server:
    """A server that takes phones for the tables of this file."""

    pid: int
    url: str
    fingerprint: str | None
    """SHA-256 of its certificate; none where it speaks plain http."""
    arbiter: str | None
    """The fingerprint of the arbiter's key that it holds."""


class TablesFile:
    """An open file of tables. Use ``open``."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self.connection = connection

    @classmethod
    def open(cls, path: Path, *, create: bool = False) -> Self:
        """Open the file at ``path``; made, its owner's alone, when ``create`` and there is none.

        Raises ``NotFound`` (``no-tables``), ``NotAllowed``, ``Unreadable`` (``tables-damaged``,
        ``future-tables``).
        """
        if not is_there(path):
            if not create:
                raise NotFound("no-tables", "No table is set out here.")
            make_folder(path)
        elif not path.is_file():
            raise damaged(path, "it is not a file")
        with _errors(path):
            opened = cls(path, connect(path, create=create, write=True))
            try:
                opened._check_format()
            except BaseException:
                opened.close()
                raise
        return opened

    def close(self) -> None:
        self.connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def writing(self) -> Iterator[None]:
        with self._transaction("BEGIN IMMEDIATE", "COMMIT"):
            yield

    @contextmanager
    def reading(self) -> Iterator[None]:
        with self._transaction("BEGIN", "ROLLBACK"):
            yield

    # -- servers -------------------------------------------------------------------------

    def note_server(self, server: Server) -> None:
        """A server says that it takes phones, from here until ``forget_server``."""
        with self.writing():
            self.connection.execute(
                "INSERT OR REPLACE INTO servers VALUES (?, ?, ?, ?)",
                (server.pid, server.url, server.fingerprint, server.arbiter),
            )

    def forget_server(self, pid: int) -> None:
        with self.writing():
            self.connection.execute("DELETE FROM servers WHERE pid = ?", (pid,))

    def servers(self, alive: Callable[[int], bool]) -> list[Server]:
        """The servers whose processes are ``alive``: one that was killed could not say so."""
        with self.reading():
            found = self.connection.execute(
                "SELECT pid, url, fingerprint, arbiter FROM servers ORDER BY rowid"
            ).fetchall()
        return [Server(*row) for row in found if alive(row[0])]

    # -- inside --------------------------------------------------------------------------

    @contextmanager
    def _transaction(self, begin: str, end: str) -> Iterator[None]:
        with _errors(self.path):
            try:  # Ctrl-C may come at any moment, also when it has just begun
                retry_while_busy(lambda: self._begin(begin))
                yield
                self.connection.execute(end)
            except BaseException:
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")
                raise

    def _begin(self, begin: str) -> None:
        """Reading starts with the first row that is read, and only then is somebody in the way."""
        self.connection.execute(begin)
        try:
            self.connection.execute("SELECT 1 FROM sqlite_master").fetchone()
        except BaseException:
            self.connection.execute("ROLLBACK")
            raise

    def _check_format(self) -> None:
        if self._pragma("application_id") == 0 and self._pragma("user_version") == 0:
            with self.writing():
                if self.connection.execute("SELECT 1 FROM sqlite_master").fetchone() is None:
                    for sql in _SCHEMA:
                        self.connection.execute(sql)
                    self.connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
                    self.connection.execute(f"PRAGMA user_version={FORMAT}")
        version = self._pragma("user_version")
        if self._pragma("application_id") != APPLICATION_ID:
            raise damaged(self.path, "it is no file of tables")
        if version != FORMAT:
            raise Unreadable(
                "future-tables",
                f"{self.path} was written by a newer Tabellion (format {version}).",
                hint=_MOVE,
            )

    def _pragma(self, name: str) -> int:
        value: list[int] = []
        retry_while_busy(
            lambda: value.append(self.connection.execute(f"PRAGMA {name}").fetchone()[0])
        )
        return int(value[-1])


def damaged(path: Path, why: str) -> Unreadable:
    return Unreadable("tables-damaged", f"{path} cannot be read: {why}.", hint=_MOVE)


@contextmanager
def _errors(path: Path) -> Iterator[None]:
    """SQLite's errors as ours, in words that fit this file. What is said of the ledger itself,
    which is written under this file's pen, stays as it is."""
    try:
        with sqlite_errors(path):
            yield
    except TabellionError as error:
        if error.code in _OF_A_LEDGER and str(path) in error.message:
            raise damaged(path, str(error.__cause__ or error.message).rstrip(".")) from None
        raise
