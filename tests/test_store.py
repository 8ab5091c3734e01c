"""The ledger file: append-only whoever writes, and every accident in words that help.

Strangers write here with a connection of their own, without the ledger's settings. Where an
accident needs them there is a second process, a full database, or a user without rights.
"""

from __future__ import annotations

import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import table

from ledger.errors import NotAllowed, NotFound, Refused, Stale, TabellionError, Unreadable
from ledger.inspection import inspect_ledger, trust
from ledger.service import Service
from ledger.sqlitefile import is_sqlite, sqlite3
from ledger.store import (
    APPLICATION_ID,
    FORMAT,
    SCHEMA,
    Row,
    Store,
)

A, B, C, D, E, F = (letter * 64 for letter in "abcdef")
"""Hashes. Two matches: A is followed by B and C; D stands alone."""

TRIGGERS = [name for name, sql in SCHEMA.items() if "CREATE TRIGGER" in sql]

Statement = tuple[str, dict[str, object]]


def row(match: str, seq: int, prev: str | None, digest: str) -> Row:
    return Row(match, seq, prev, "note", digest, b"{}", bytes(64), "SHA256:")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A ledger of four rows. Nobody has it open."""
    file = tmp_path / "ledger.db"
    with Store.open(file, create=True) as store, store.writing():
        for each in (row(A, 0, None, A), row(A, 1, A, B), row(D, 0, None, D), row(A, 2, B, C)):
            store.append(each, table.clock())
    return file


@pytest.fixture
def played(tmp_path: Path) -> Path:
    """A ledger with one whole match."""
    file = tmp_path / "played.db"
    with table.new_service(file) as service:
        table.whole_game(service)
    return file


def stranger(path: Path) -> Any:
    """A connection with SQLite's own settings: recursive triggers are off."""
    connection = sqlite3.connect(path, isolation_level=None)
    assert connection.execute("PRAGMA recursive_triggers").fetchone() == (0,)
    return closing(connection)


def tamper(path: Path, *statements: str) -> None:
    with stranger(path) as connection:
        for statement in statements:
            connection.execute(statement)


def without_triggers(path: Path, *statements: str) -> None:
    """Change what the triggers guard, and put them back as if nothing had been."""
    tamper(
        path,
        *(f"DROP TRIGGER {name}" for name in TRIGGERS),
        *statements,
        *(SCHEMA[name] for name in TRIGGERS),
    )


def content(path: Path) -> list[tuple[object, ...]]:
    with stranger(path) as connection:
        return list(connection.execute("SELECT * FROM events ORDER BY position"))


def verdict(path: Path) -> str:
    return inspect_ledger(path, None, trust(None, None)).verdict


def findings(path: Path) -> str:
    """All that an audit of the whole file says against it."""
    view = inspect_ledger(path, None, trust(None, None))
    faults = [fault.text for report in view.reports for fault in report.faults]
    return "\n".join([*view.file_faults, *faults])


# -- append only -------------------------------------------------------------------------


def insert(verb: str = "INSERT", tail: str = "", **changes: object) -> Statement:
    """A row that continues match A, with ``changes``."""
    values = {
        "position": None,
        "match": A,
        "seq": 3,
        "prev": C,
        "type": "note",
        "hash": E,
        "payload": b"{}",
        "signature": bytes(64),
        "keyid": "SHA256:",
        "recorded_at": table.clock(),
    } | changes
    marks = ", ".join(f":{name}" for name in values)
    return f"{verb} INTO events ({', '.join(values)}) VALUES ({marks}) {tail}", values


def test_a_row_that_continues_its_chain_is_taken_from_anybody(path: Path) -> None:
    with stranger(path) as connection:
        connection.execute(*insert())
        connection.execute(*insert(match=D, seq=1, prev=D, hash=F, position=6))
    assert [each[:3] for each in content(path)[-2:]] == [(5, A, 3), (6, D, 1)]


NEVER = {
    "all rows changed": ("UPDATE events SET recorded_at = 'later'", {}),
    "one payload changed": ("UPDATE events SET payload = x'00' WHERE seq = 2", {}),
    "changed, or ignored": ("UPDATE OR IGNORE events SET seq = 9 WHERE seq = 2", {}),
    "changed, replacing": ("UPDATE OR REPLACE events SET position = 1 WHERE seq = 2", {}),
    "all rows deleted": ("DELETE FROM events", {}),
    "the last row deleted": ("DELETE FROM events WHERE position = 4", {}),
    "replaced by hash": insert("INSERT OR REPLACE", match=D, seq=1, prev=D, hash=C),
    "replaced by number": insert("INSERT OR REPLACE", seq=2, prev=B),
    "replaced by number, the first": insert("INSERT OR REPLACE", seq=0, prev=None, hash=A),
    "replaced by position": insert("INSERT OR REPLACE", position=2),
    "REPLACE by hash": insert("REPLACE", match=D, seq=1, prev=D, hash=C),
    "REPLACE by position": insert("REPLACE", position=4),
    "ignored by hash": insert("INSERT OR IGNORE", match=D, seq=1, prev=D, hash=C),
    "changed on conflict": insert(
        tail="ON CONFLICT (match, seq) DO UPDATE SET payload = x'00'", seq=2, prev=B
    ),
}


@pytest.mark.parametrize("who", ["stranger", "stranger with recursive triggers", "ledger"])
@pytest.mark.parametrize("what", NEVER)
def test_no_row_is_ever_changed(path: Path, who: str, what: str) -> None:
    before = content(path)
    with closing(Store.open(path).connection) if who == "ledger" else stranger(path) as connection:
        if who == "stranger with recursive triggers":
            connection.execute("PRAGMA recursive_triggers=ON")
        with pytest.raises(sqlite3.IntegrityError, match="events are never"):
            connection.execute(*NEVER[what])
    assert content(path) == before


BROKEN = {
    "another previous event": (insert(prev=B), "continue its chain"),
    "the other match's last event": (insert(prev=D), "continue its chain"),
    "an event of the other match": (insert(match=D, seq=1, prev=A), "continue its chain"),
    "no previous event": (insert(prev=None), "continue its chain"),
    "a gap": (insert(seq=4), "continue its chain"),
    "a number again": (insert(seq=2, prev=B), "never replaced"),
    "a second opening": (insert(seq=0, prev=None), "never replaced"),
    "a negative number": (insert(seq=-1, prev=None), "continue its chain"),
    "a match that nobody opened": (insert(match=F, seq=1, prev=F), "continue its chain"),
    "an opening with a previous event": (insert(match=E, seq=0, prev=C), "continue its chain"),
    "an opening named otherwise": (insert(match=F, seq=0, prev=None), "continue its chain"),
    "a position with a gap": (insert(position=6), "positions have no gaps"),
    "position 0": (insert(position=0), "positions have no gaps"),
    "a position below 0": (insert(position=-7), "positions have no gaps"),
}


@pytest.mark.parametrize("what", BROKEN)
def test_a_row_that_breaks_its_chain_is_refused(path: Path, what: str) -> None:
    before = content(path)
    statement, words = BROKEN[what]
    for verb in ("INSERT", "INSERT OR REPLACE", "INSERT OR IGNORE"):
        with (
            stranger(path) as connection,
            pytest.raises(sqlite3.IntegrityError, match=words),
        ):
            connection.execute(statement[0].replace("INSERT", verb, 1), statement[1])
    assert content(path) == before


def test_the_first_row_of_a_ledger_is_number_one(tmp_path: Path) -> None:
    Store.open(tmp_path / "new.db", create=True).close()
    with stranger(tmp_path / "new.db") as connection:
        with pytest.raises(sqlite3.IntegrityError, match="positions have no gaps"):
            connection.execute(*insert(match=A, hash=A, seq=0, prev=None, position=2))
        connection.execute(*insert(match=A, hash=A, seq=0, prev=None))
    assert content(tmp_path / "new.db")[0][0] == 1


@pytest.mark.parametrize(
    "wrong",
    [
        {"payload": "{}"},
        {"payload": None},
        {"signature": bytes(63)},
        {"signature": "x" * 64},
        {"hash": b"e" * 64},
        {"hash": "e" * 63},
        {"hash": None},
        {"type": None},
        {"keyid": None},
        {"recorded_at": b"today"},
        {"recorded_at": None},
        {"position": "first"},
    ],
    ids=repr,
)
def test_a_column_holds_what_it_was_made_for(path: Path, wrong: dict[str, object]) -> None:
    before = content(path)
    with stranger(path) as connection, pytest.raises(sqlite3.IntegrityError):
        connection.execute(*insert(**wrong))
    assert content(path) == before


def test_a_refused_row_is_an_error_of_ours_and_takes_its_transaction_along(path: Path) -> None:
    before = content(path)
    with Store.open(path) as store:
        with pytest.raises(Refused, match="continue its chain") as caught, store.writing():  # noqa: PT012
            store.append(row(A, 3, C, E), table.clock())
            store.append(row(A, 5, E, F), table.clock())
        assert caught.value.code == "ledger-refuses"
        assert store.head(A) == (2, C)
    assert content(path) == before


def test_what_was_written_is_read_back_to_the_byte(path: Path) -> None:
    with Store.open(path) as store:
        written = row(A, 3, C, E)._replace(payload=bytes(range(256)), signature=b"\xff" * 64)
        with store.writing():
            store.append(written, table.clock())
        assert store.rows(A, after=2) == [written]
        assert store.by_hash(E) == written
        assert store.by_hash(F) is None
        assert store.head(A) == (3, E)
        assert store.head(F) is None
        assert store.matches() == [A, D]
        assert store.matches("d") == [D]


# -- set aside ---------------------------------------------------------------------------


@pytest.fixture
def forked(path: Path) -> Path:
    """A: event 0 and another event 1. Its old events 1 and 2 are set aside."""
    with Store.open(path) as store, store.writing():
        assert store.set_aside(A, 0) == 2
        store.append(row(A, 1, A, E), table.clock())
    return path


def shelf_of(path: Path) -> list[tuple[int, str, int, int]]:
    with Store.open(path, write=False) as store:
        return [(each.position, each.hash, each.seq, each.since) for each in store.aside()]


def whole(path: Path) -> list[tuple[object, ...]]:
    with stranger(path) as connection:
        aside = connection.execute("SELECT * FROM set_aside ORDER BY position")
        return [*content(path), *aside]


def test_the_end_of_a_match_leaves_its_chain_and_is_kept_to_the_byte(path: Path) -> None:
    with Store.open(path) as store:
        before = store.rows(A)
        with store.writing():
            assert store.set_aside(A, 0) == 2
        assert store.rows(A) == before[:1]
        assert store.head(A) == (0, A)
        assert [each.row for each in store.aside(A)] == before[1:]
        assert [each.envelope for each in store.aside()] == [each.envelope for each in before[1:]]
        assert store.aside(D) == []
        assert store.last_position() == 4
    assert shelf_of(path) == [(2, B, 1, 4), (4, C, 2, 4)]
    assert faults(path) == []


def test_the_chain_goes_on_where_it_was_cut_and_no_number_is_used_twice(forked: Path) -> None:
    with Store.open(forked) as store:
        assert [each.hash for each in store.rows(A)] == [A, E]
        assert store.positions(A) == {A: 1, E: 5}
        assert store.positions("0" * 64) == {}
        assert store.last_position() == 5
    assert [each[0] for each in content(forked)] == [1, 3, 5]
    assert faults(forked) == []


def test_an_envelope_can_come_back_and_be_set_aside_again(path: Path) -> None:
    with Store.open(path) as store:
        for _ in range(3):
            with store.writing():
                store.set_aside(A, 0)
                store.append(row(A, 1, A, B), table.clock())
        assert store.head(A) == (1, B)
    assert shelf_of(path) == [(2, B, 1, 4), (4, C, 2, 4), (5, B, 1, 5), (6, B, 1, 6)]
    assert faults(path) == []


def test_an_event_from_elsewhere_is_kept_beside_the_chain(forked: Path) -> None:
    with Store.open(forked) as store, store.writing():
        store.keep_aside(row(A, 2, B, F), table.clock())  # continues one that is set aside
        store.keep_aside(row(A, 3, F, "0" * 64), table.clock())
        store.keep_aside(row(A, 2, E, "1" * 64), table.clock())  # continues the chain itself
        store.append(row(A, 2, E, "2" * 64), table.clock())
    assert shelf_of(forked)[2:] == [(6, F, 2, 5), (7, "0" * 64, 3, 6), (8, "1" * 64, 2, 7)]
    with Store.open(forked) as store:
        assert store.positions(A) == {A: 1, E: 5, "2" * 64: 9}
    assert faults(forked) == []


def test_the_opening_is_never_set_aside(path: Path) -> None:
    with Store.open(path) as store:
        for after in (-1, 0, 9):
            with store.writing():
                store.set_aside(A, after)
        assert store.head(A) == (0, A)
        for each in (row(F, 0, None, F), row(A, 0, None, A), row(A, 0, A, F)):
            with pytest.raises(Refused) as caught, store.writing():
                store.keep_aside(each, table.clock())
            assert caught.value.code == "ledger-refuses"
    assert len(shelf_of(path)) == 2


@pytest.mark.parametrize(
    "wrong",
    [
        row(A, 2, A, F),
        row(A, 3, B, F),
        row(A, 1, D, F),
        row(D, 1, A, F),
        row(A, 2, F, F),
        row(F, 1, F, E),
    ],
)
def test_what_continues_nothing_is_not_kept(forked: Path, wrong: Row) -> None:
    before = whole(forked)
    with (
        Store.open(forked) as store,
        pytest.raises(Refused, match="continue one that is kept"),
        store.writing(),
    ):
        store.keep_aside(wrong, table.clock())
    assert whole(forked) == before


def test_a_match_that_cannot_go_on_stays_as_it_was(path: Path) -> None:
    """What was set aside is taken back with the rest of its transaction."""
    before = whole(path)
    with (  # noqa: PT012
        Store.open(path) as store,
        pytest.raises(Refused, match="continue its chain"),
        store.writing(),
    ):
        store.set_aside(A, 0)
        store.append(row(A, 2, B, E), table.clock())
    assert whole(path) == before


def aside(verb: str = "INSERT", tail: str = "", **changes: object) -> Statement:
    """A row that continues the event 1 that ``forked`` has set aside, with ``changes``."""
    values: dict[str, object] = {"position": 6, "prev": B, "seq": 2, "hash": F, "since": 5}
    text, all_values = insert(verb, tail, **{**values, **changes})
    return text.replace("INTO events", "INTO set_aside"), all_values


AS_IT_STANDS: dict[str, object] = {"position": 5, "seq": 1, "prev": A, "hash": E}
"""The last event of A in ``forked``."""
OLD = "SELECT position, match, seq, prev, type, hash, payload, signature, keyid, recorded_at"
NOT_ASIDE = {
    "changed": (("UPDATE set_aside SET recorded_at = 'later'", {}), "never changed"),
    "changed, or ignored": (("UPDATE OR IGNORE set_aside SET seq = 9", {}), "never changed"),
    "changed, replacing": (
        ("UPDATE OR REPLACE set_aside SET position = 2 WHERE position = 4", {}),
        "never changed",
    ),
    "deleted": (("DELETE FROM set_aside", {}), "never deleted"),
    "one deleted": (("DELETE FROM set_aside WHERE position = 4", {}), "never deleted"),
    "replaced": (aside("INSERT OR REPLACE", position=4), "never replaced"),
    "REPLACE": (aside("REPLACE", position=2), "never replaced"),
    "ignored": (aside("INSERT OR IGNORE", position=4), "never replaced"),
    "changed on conflict": (
        aside(tail="ON CONFLICT (position) DO UPDATE SET payload = x'00'", position=4),
        "never replaced",
    ),
    "a gap": (aside(position=7), "no gaps"),
    "position 0": (aside(position=0), "no gaps"),
    "a number of its own": (aside(position=None), "as it stands"),
    "a position of another event": (aside(position=5), "as it stands"),
    "continues nothing": (aside(prev=C), "continue one that is kept"),
    "a wrong number": (aside(seq=3), "continue one that is kept"),
    "another match's event": (aside(match=D), "continue one that is kept"),
    "an opening": (aside(seq=0, prev=None), "continue one that is kept"),
    "earlier than it was": (aside(since=4), "since the last position"),
    "later than it was": (aside(since=6), "since the last position"),
    "since never": (aside(since=None), "NOT NULL"),
    **{
        f"with another {name}": (aside(**AS_IT_STANDS | {name: value}), "as it stands")
        for name, value in {
            "hash": F,
            "type": "move",
            "payload": b"{ }",
            "signature": b"\1" * 64,
            "keyid": "SHA256:x",
            "recorded_at": "later",
        }.items()
    },
    "the last event deleted": (("DELETE FROM events WHERE position = 5", {}), "never deleted"),
    "an event that was here, deleted": (
        ("DELETE FROM events WHERE position IN (SELECT position FROM set_aside)", {}),
        None,
    ),
    "an event inserted in its place": (insert(position=4, seq=2, prev=E, hash=F), "never replaced"),
    "an event that replaces it": (
        insert("REPLACE", position=4, seq=2, prev=E, hash=F),
        "never replaced",
    ),
    "an event with a gap": (insert(position=7, seq=2, prev=E, hash=F), "no gaps"),
    "an event that continues it": (insert(position=6, seq=2, prev=B, hash=F), "continue its chain"),
}


@pytest.mark.parametrize("recursive", [False, True], ids=["stranger", "recursive triggers"])
@pytest.mark.parametrize("what", NOT_ASIDE)
def test_nothing_set_aside_is_ever_changed(forked: Path, what: str, recursive: bool) -> None:
    before = whole(forked)
    statement, words = NOT_ASIDE[what]
    with stranger(forked) as connection:
        connection.execute(f"PRAGMA recursive_triggers={recursive}")
        if words is None:
            connection.execute(*statement)
        else:
            with pytest.raises(sqlite3.IntegrityError, match=words):
                connection.execute(*statement)
    assert whole(forked) == before
    assert faults(forked) == []


@pytest.mark.parametrize("seq", [0, 1])
def test_only_the_end_of_a_match_is_set_aside_by_anybody(path: Path, seq: int) -> None:
    before = whole(path)
    with stranger(path) as connection, pytest.raises(sqlite3.IntegrityError):
        connection.execute(
            f"INSERT INTO set_aside {OLD}, 4 FROM events WHERE match = ? AND seq = ?", (A, seq)
        )
    assert whole(path) == before


def test_a_stranger_sets_the_end_aside_as_the_ledger_does(path: Path) -> None:
    with stranger(path) as connection:
        connection.execute(f"INSERT INTO set_aside {OLD}, 4 FROM events WHERE hash = ?", (C,))
        connection.execute(*aside(position=5, since=4, seq=2))
        connection.execute(*insert(position=6, seq=2, prev=B))
    assert shelf_of(path) == [(4, C, 2, 4), (5, F, 2, 4)]
    assert faults(path) == []


def test_a_number_that_was_set_aside_is_not_given_again(path: Path) -> None:
    """SQLite would give it: it knows the greatest number of one table only."""
    with stranger(path) as connection:
        connection.execute(f"INSERT INTO set_aside {OLD}, 4 FROM events WHERE hash = ?", (C,))
        with pytest.raises(sqlite3.IntegrityError, match="no gaps"):
            connection.execute(*insert(seq=2, prev=B))


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ("UPDATE set_aside SET prev = 'x' WHERE position = 4", "continues no event that is kept"),
        ("UPDATE set_aside SET seq = 7 WHERE position = 2", "continues no event that is kept"),
        ("DELETE FROM set_aside WHERE position = 2", "continues no event that is kept"),
        ("DELETE FROM set_aside WHERE position = 4", "numbers are missing"),
        ("UPDATE set_aside SET position = 5 WHERE position = 4", "stands in a chain and is set"),
        ("UPDATE set_aside SET since = 0 WHERE position = 4", "at a time that cannot be"),
        ("UPDATE set_aside SET since = 9 WHERE position = 4", "at a time that cannot be"),
        ("DROP INDEX set_aside_match", "'set_aside_match' is missing or altered"),
    ],
)
def test_rows_that_cannot_have_been_set_aside_are_named(
    forked: Path, change: str, found: str
) -> None:
    without_triggers(forked, change)
    assert found in "\n".join(faults(forked))


def test_a_view_in_the_place_of_what_was_set_aside_is_never_read(forked: Path) -> None:
    tamper(
        forked,
        "ALTER TABLE set_aside RENAME TO old",
        f"CREATE VIEW set_aside AS {ENDLESS} SELECT old.* FROM old, r",
    )
    with pytest.raises(Unreadable, match="set_aside is no table of its own"):
        Store.open(forked, write=False)


CUTTER = """
import sys
from pathlib import Path
import table
from ledger.store import Store

with Store.open(Path(sys.argv[1])) as store:
    match = store.matches()[0]
    print("begun", flush=True)
    while True:
        with store.writing():
            store.set_aside(match, 0)
            for each in store.aside(match)[:6]:
                store.append(each.row, table.clock())
"""


def test_a_process_killed_while_it_sets_aside_leaves_all_or_nothing(played: Path) -> None:
    tests = Path(__file__).parent
    chance = random.Random(5)
    hashes = {each[5] for each in content(played)}
    for _ in range(12):
        process = subprocess.Popen(
            [sys.executable, "-c", CUTTER, str(played)],
            stdout=subprocess.PIPE,
            cwd=tests.parent,
            env={"PYTHONPATH": f"{tests.parent}:{tests}", "PATH": ""},
        )
        assert process.stdout is not None
        assert process.stdout.readline() == b"begun\n"
        time.sleep(chance.uniform(0, 0.03))
        process.kill()
        process.communicate()
        with Store.open(played) as store:
            assert store.faults() == []
            (match,) = store.matches()
            assert len(store.rows(match)) in (15, 7), "before it, or after"
            kept = {each.hash for each in (*store.rows(match), *store.aside())}
            assert kept == hashes
    assert len(shelf_of(played)) > 14


# -- files that are no ledger -------------------------------------------------------------


def not_sqlite(path: Path) -> None:
    path.write_bytes(b"1. e3-f3 e2-h2\n" * 100)


def a_few_bytes(path: Path) -> None:
    path.write_bytes(b"hello")


def empty(path: Path) -> None:
    path.write_bytes(b"")


def somebody_elses(path: Path) -> None:
    tamper(path, "CREATE TABLE contacts (name)", "INSERT INTO contacts VALUES ('Alba')")


def somebody_elses_with_an_id(path: Path) -> None:
    tamper(path, "PRAGMA application_id=1", "PRAGMA user_version=1", "CREATE TABLE t (a)")


def folder(path: Path) -> None:
    path.mkdir()


def pipe(path: Path) -> None:
    os.mkfifo(path)


def from_the_future(path: Path) -> None:
    Store.open(path, create=True).close()
    tamper(path, f"PRAGMA user_version={FORMAT + 1}")


@pytest.mark.parametrize(
    ("make", "code", "words"),
    [
        (not_sqlite, "not-a-ledger", "not an SQLite file"),
        (a_few_bytes, "not-a-ledger", "not an SQLite file"),
        (empty, "not-a-ledger", "is empty"),
        (somebody_elses, "not-a-ledger", "is an SQLite file, but no ledger"),
        (somebody_elses_with_an_id, "not-a-ledger", "is an SQLite file, but no ledger"),
        (folder, "not-a-ledger", "is not a file"),
        (pipe, "not-a-ledger", "is not a file"),
        (from_the_future, "future-ledger", "newer Tabellion"),
    ],
)
def test_a_file_that_is_no_ledger_is_named_and_left_alone(
    tmp_path: Path, make: Callable[[Path], None], code: str, words: str
) -> None:
    path = tmp_path / "file"
    make(path)
    before = path.read_bytes() if path.is_file() else None
    for create in (False,) if make is empty else (False, True):
        for write in (False, True):
            with pytest.raises(Unreadable, match=words) as caught:
                Store.open(path, create=create, write=write)
            assert caught.value.code == code
            assert str(path) in caught.value.message
    assert before == (path.read_bytes() if path.is_file() else None)
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


def test_an_empty_file_becomes_a_whole_ledger(tmp_path: Path) -> None:
    """It is what a process leaves that was killed while it made one."""
    path = tmp_path / "ledger.db"
    empty(path)
    with Service.open(path, table.clock, create=True) as service:
        table.whole_game(service)
    assert verdict(path) == "sound"


def test_a_missing_ledger_is_not_made_by_looking_for_it(tmp_path: Path) -> None:
    path = tmp_path / "none" / "ledger.db"
    with pytest.raises(NotFound, match="There is no ledger at") as caught:
        Store.open(path)
    assert (caught.value.code, caught.value.hint) == ("no-ledger", "tabellion init")
    assert not path.parent.exists()


def test_a_new_ledger_says_what_it_is(path: Path) -> None:
    with stranger(path) as connection:
        assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
        assert connection.execute("PRAGMA user_version").fetchone() == (FORMAT,)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert is_sqlite(path.read_bytes())
    with Store.open(path) as store:
        assert store.connection.execute("PRAGMA synchronous").fetchone() == (2,)
        assert store.connection.execute("PRAGMA recursive_triggers").fetchone() == (1,)
        assert store.connection.execute("PRAGMA busy_timeout").fetchone() == (500,)


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(NotAllowed, match="cannot be made") as caught:
        Store.open(tmp_path / "file" / "folder" / "ledger.db", create=True)
    assert caught.value.code == "cannot-write"


@pytest.mark.parametrize(
    "name", ["?mode=memory", "100%41.db", "a b#c.db", "é.db", os.fsdecode(b"\xff")]
)
def test_a_file_may_have_any_name(tmp_path: Path, name: str) -> None:
    with Store.open(tmp_path / name, create=True) as store, store.writing():
        store.append(row(A, 0, None, A), table.clock())
    assert [each.name for each in tmp_path.iterdir()] == [name]


def test_a_path_may_begin_with_two_slashes(path: Path) -> None:
    with Store.open(Path(f"/{path}")) as store:
        assert store.head(A) == (2, C)


def test_a_name_that_no_file_can_have_is_an_error_of_ours(tmp_path: Path) -> None:
    with pytest.raises(NotAllowed, match="cannot be opened") as caught:
        Store.open(tmp_path / ("x" * 5000), create=True)
    assert caught.value.code == "cannot-open"


# -- damage -------------------------------------------------------------------------------


def used(path: Path) -> None:
    """Read the ledger in every way, and write to it."""
    with Service.open(path, table.clock) as service:
        for match in service.store.matches():
            service.state(match)
            service.append(match, [table.note("still here")], table.KEYS)


def test_a_cut_off_file_is_damaged_and_says_so(played: Path) -> None:
    whole = played.read_bytes()
    for part in (8, 4, 2):
        played.write_bytes(whole[: len(whole) * (part - 1) // part])
        with pytest.raises(Unreadable) as caught:
            used(played)
        assert caught.value.code == "ledger-damaged"
        assert caught.value.hint == "Keep the file as it is and work on a copy."


def test_every_page_overwritten_is_found_and_never_a_foreign_error(played: Path) -> None:
    """SQLite has no checksums: the audit finds what it cannot."""
    whole = played.read_bytes()
    noise = random.Random(1).randbytes(4096)
    assert len(whole) > 10 * 4096
    for start in range(0, len(whole), 4096):
        played.write_bytes(whole[:start] + noise + whole[start + 4096 :])
        try:
            found = verdict(played)
        except TabellionError as error:
            assert error.code in ("ledger-damaged", "not-a-ledger")  # noqa: PT017
        else:
            assert found == "faults", f"page {start // 4096}"
        try:
            used(played)
        except TabellionError:
            pass
        finally:
            for helper in played.parent.glob("*-*"):
                helper.unlink()


def test_a_flipped_bit_is_found_or_touches_nothing(played: Path) -> None:
    whole, before = played.read_bytes(), content(played)
    chance = random.Random(2)
    for place in chance.sample(range(100, len(whole)), 150):
        flipped = bytearray(whole)
        flipped[place] ^= 1 << chance.randrange(8)
        played.write_bytes(flipped)
        try:
            if verdict(played) == "sound":
                kept = [each[:-1] for each in content(played)]
                assert kept == [each[:-1] for each in before], f"byte {place}"
        except TabellionError as error:
            assert error.exit_status == 2  # noqa: PT017


def test_a_text_that_is_not_utf8_is_damage(path: Path) -> None:
    without_triggers(path, "UPDATE events SET keyid = CAST(x'ff' AS TEXT) WHERE seq = 1")
    with Store.open(path) as store, pytest.raises(Unreadable) as caught:
        store.rows(A)
    assert caught.value.code == "ledger-damaged"


@pytest.mark.parametrize("value", ["7", "NULL", "'text'"])
def test_a_row_that_is_not_of_its_types_is_damage(path: Path, value: str) -> None:
    loose = SCHEMA["events"].replace(" STRICT", "").replace(" NOT NULL", "")
    tamper(
        path,
        "ALTER TABLE events RENAME TO old",
        loose,
        "INSERT INTO events SELECT * FROM old",
        f"UPDATE events SET payload = {value} WHERE seq = 1",
    )
    with Store.open(path) as store:
        with pytest.raises(Unreadable, match=r"event 1 of match aaaa.* is damaged"):
            store.rows(A)
        assert "The ledger's own 'events' is missing or altered." in store.faults()


# -- faults of the file -------------------------------------------------------------------


def faults(path: Path) -> list[str]:
    with Store.open(path, write=False) as store:
        return store.faults()


def test_a_sound_file_has_no_faults(path: Path, played: Path) -> None:
    assert faults(path) == []
    assert faults(played) == []
    assert verdict(played) == "sound"


@pytest.mark.parametrize("name", TRIGGERS)
def test_a_dropped_trigger_is_named(path: Path, name: str) -> None:
    tamper(path, f"DROP TRIGGER {name}")
    assert faults(path) == [f"The ledger's own {name!r} is missing or altered."]


@pytest.mark.parametrize("name", TRIGGERS)
def test_a_weakened_trigger_is_named(path: Path, name: str) -> None:
    tamper(path, f"DROP TRIGGER {name}", SCHEMA[name].replace("RAISE(ABORT", "RAISE(FAIL"))
    assert faults(path) == [f"The ledger's own {name!r} is missing or altered."]


def test_a_trigger_with_the_right_name_on_another_table_is_not_ours(path: Path) -> None:
    tamper(
        path,
        "DROP TRIGGER events_never_go",
        "CREATE TABLE other (a)",
        SCHEMA["events_never_go"].replace("ON events", "ON other"),
    )
    assert faults(path) == ["The ledger's own 'events_never_go' is missing or altered."]


def test_a_trigger_that_swallows_events_is_named(path: Path) -> None:
    tamper(
        path,
        "CREATE TRIGGER quiet BEFORE INSERT ON Events BEGIN SELECT RAISE(IGNORE); END",
    )
    assert faults(path) == ["The trigger 'quiet' is not the ledger's own."]


def test_foreign_triggers_are_named_in_the_order_of_the_file(path: Path) -> None:
    names = [f"t{number}" for number in (3, 1, 4, 2, 9, 5)]
    tamper(
        path,
        *(f"CREATE TRIGGER {each} AFTER INSERT ON events BEGIN SELECT 1; END" for each in names),
    )
    assert [text.split("'")[1] for text in faults(path)] == names


ENDLESS = "WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r)"
COLUMNS = "match, seq, prev, type, hash, payload, signature, keyid"


@pytest.mark.parametrize(
    "statement",
    [
        f"CREATE VIEW events AS {ENDLESS} SELECT {COLUMNS} FROM old, r",
        "CREATE TABLE events (position, match, seq, prev, type, hash, signature, keyid,"
        " payload AS (zeroblob(900000000)))",
        "CREATE VIRTUAL TABLE events USING fts4(match, seq, payload)",
    ],
)
def test_rows_that_would_be_computed_are_never_read(path: Path, statement: str) -> None:
    """A file from a stranger could keep its reader busy for ever."""
    tamper(path, "ALTER TABLE events RENAME TO old", statement)
    with pytest.raises(Unreadable, match="events is no table of its own") as caught:
        Store.open(path, write=False)
    assert caught.value.code == "ledger-altered"


def test_a_match_that_is_not_text_is_a_fault_of_the_file(path: Path) -> None:
    loose = SCHEMA["events"].replace(" STRICT", "").replace("match TEXT", "match")
    tamper(
        path,
        "ALTER TABLE events RENAME TO old",
        loose.replace(" CHECK (length(match) = 64)", ""),
        "INSERT INTO events SELECT * FROM old",
        "UPDATE events SET match = 7 WHERE match = hash AND position = 1",
    )
    assert verdict(path) == "faults"


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ("UPDATE events SET prev = 'x' WHERE hash = 'c'", "does not continue its chain"),
        ("UPDATE events SET seq = 7 WHERE hash = 'c'", "does not continue its chain"),
        ("DELETE FROM events WHERE hash = 'b'", "does not continue its chain"),
        ("DELETE FROM events WHERE hash = 'a'", "does not continue its chain"),
        ("DELETE FROM events WHERE hash = 'b'", "numbers are missing"),
        ("DELETE FROM events WHERE hash = 'a'", "numbers are missing"),
        ("UPDATE events SET position = 9 WHERE hash = 'c'", "numbered 1 to 9"),
        ("UPDATE events SET position = 0 WHERE hash = 'b'", "numbered 0 to 4"),
    ],
)
def test_rows_that_the_triggers_would_have_refused_are_named(
    path: Path, change: str, found: str
) -> None:
    for letter in "abc":
        change = change.replace(f"hash = '{letter}'", f"hash = '{letter * 64}'")
    without_triggers(path, change)
    assert found in "\n".join(faults(path))


def test_a_match_whose_opening_is_gone_is_not_overlooked(played: Path) -> None:
    """It is listed nowhere, and the numbers have no gap any more."""
    without_triggers(
        played,
        "DELETE FROM events WHERE seq = 0",
        "UPDATE events SET position = position - 1",
        "DELETE FROM matches",
        "DELETE FROM seats",
        "DELETE FROM results",
    )
    assert verdict(played) == "faults"
    assert "event 1: it does not continue its chain" in findings(played)


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ("payload = replace(payload, 'Alba', 'Anna')", "The signature is not the one of arbiter"),
        ("signature = zeroblob(64)", "The signature is not the one of arbiter"),
        ("keyid = 'SHA256:x'", "Signed with the key SHA256:x"),
        ("type = 'note'", "row 0: its columns contradict its event"),
    ],
)
def test_a_row_changed_behind_the_triggers_is_found_by_the_audit(
    played: Path, change: str, found: str
) -> None:
    change = change.replace("replace(payload", "replace(CAST(payload AS TEXT)")
    change = change.replace("'Anna')", "'Anna') AS BLOB)").replace("= replace", "= CAST(replace")
    without_triggers(played, f"UPDATE events SET {change} WHERE seq = 0")
    assert verdict(played) == "faults"
    assert found in findings(played)


# -- users without rights -----------------------------------------------------------------

NOBODY = 65534


def unprivileged(act: Callable[[], str]) -> str:
    """What ``act`` answers, or its error, in a process where permissions count: root gives up
    its rights."""

    def answer() -> str:
        try:
            return act()
        except TabellionError as error:
            return f"{error.code}: {error.message} {error.hint}"

    rehearse()
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # the test runner has threads
        child = os.fork()
    if child == 0:
        try:
            if os.geteuid() == 0:
                os.setgroups([])
                os.setgid(NOBODY)
                os.setuid(NOBODY)
            os.write(writing, answer().encode())
        except BaseException as error:  # noqa: BLE001
            os.write(writing, repr(error).encode())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as stream:
        text = stream.read().decode()
    os.waitpid(child, 0)
    return text


@cache
def rehearse() -> None:
    """Load all that the child needs: without rights it may not even read the program's files."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "ledger.db"
        with table.new_service(path) as service:
            table.whole_game(service)
        write(path)()
        read(path)()


@pytest.fixture
def shelf() -> Iterator[Path]:
    """A folder that others may reach, owned by the user without rights."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "shelf"
        path.mkdir()
        Path(name).chmod(0o755)
        yield path
        path.chmod(0o755)


def hand_over(folder: Path) -> None:
    if os.geteuid() == 0:
        for each in (folder, *folder.iterdir()):
            os.chown(each, NOBODY, NOBODY)


def read(path: Path) -> Callable[[], str]:
    def act() -> str:
        with Service.open(path, table.clock, write=False) as service:
            states = list(service.states())
            assert inspect_ledger(path, None, trust(None, None)).verdict == "sound"
            return f"{len(states)} match, event {states[0].seq}"

    return act


def noted(service: Service, text: str) -> int:
    """The number of a note that is appended to the only match."""
    (match,) = service.store.matches()
    return service.append(match, [table.note(text)], table.KEYS).seq


def write(path: Path) -> Callable[[], str]:
    def act() -> str:
        with Service.open(path, table.clock) as service:
            return f"event {noted(service, 'more')}"

    return act


@pytest.fixture
def shelved(shelf: Path) -> Path:
    """A ledger with one whole match, events 0 to 14, on the shelf."""
    path = shelf / "ledger.db"
    with table.new_service(path) as service:
        table.whole_game(service)
    hand_over(shelf)
    return path


def test_the_owner_reads_and_writes(shelved: Path) -> None:
    assert unprivileged(read(shelved)) == "1 match, event 14"
    assert unprivileged(write(shelved)) == "event 15"


def test_a_read_only_file_is_read_and_not_written(shelved: Path) -> None:
    shelved.chmod(0o444)
    assert unprivileged(read(shelved)) == "1 match, event 14"
    answer = unprivileged(write(shelved))
    assert answer.startswith(f"cannot-write: {shelved} cannot be written: you have no permission")
    assert "Nothing was stored" in answer

    shelved.chmod(0o644)  # SQLite's own files still have the permissions that it had
    answer = unprivileged(write(shelved))
    assert "ledger.db-wal and ledger.db-shm beside it need the same permissions" in answer
    for each in shelved.parent.iterdir():
        each.chmod(0o644)
    assert unprivileged(write(shelved)) == "event 15"


@pytest.mark.parametrize(
    ("mode", "why"),
    [
        (0o444, "you have no permission"),
        (0o644, "SQLite may not make its files in that folder"),
    ],
)
def test_a_read_only_folder_is_read_and_not_written(shelved: Path, mode: int, why: str) -> None:
    shelved.chmod(mode)
    shelved.parent.chmod(0o555)
    assert unprivileged(read(shelved)) == "1 match, event 14"
    answer = unprivileged(write(shelved))
    assert answer.startswith(f"cannot-write: {shelved} cannot be written: {why}")
    assert "Nothing was stored" in answer
    shelved.parent.chmod(0o755)
    shelved.chmod(0o644)
    assert unprivileged(write(shelved)) == "event 15"


@pytest.mark.parametrize(
    ("file", "folder", "why"),
    [
        (0o444, 0o755, "you have no permission"),
        (0o644, 0o555, "SQLite may not make its files in that folder"),
        (0o444, 0o555, "you have no permission"),
    ],
)
def test_a_read_only_ledger_of_an_older_format_is_read_and_stays_as_it_is(
    shelf: Path, file: int, folder: int, why: str
) -> None:
    path = Path(shutil.copy(Path(__file__).parent / "golden" / "v1.db", shelf / "ledger.db"))
    hand_over(shelf)
    path.chmod(file)
    shelf.chmod(folder)
    assert unprivileged(read(path)) == "1 match, event 14"
    answer = unprivileged(write(path))
    assert answer.startswith(f"cannot-write: {path} cannot be written: {why}")
    assert "Nothing was stored" in answer
    with stranger(path) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (1,)


def copied_while_open(shelved: Path, *endings: str) -> None:
    """The files as a stick has them that was filled while somebody was writing."""
    original = shelved.with_name("original.db")
    shelved.rename(original)
    with Service.open(original, table.clock) as service:
        noted(service, "in the log alone")
        for ending in ("", *endings):
            shutil.copy(f"{original}{ending}", f"{shelved}{ending}")
    original.unlink()
    hand_over(shelved.parent)


def test_a_log_in_a_read_only_folder_is_never_passed_over(shelved: Path, tmp_path: Path) -> None:
    copied_while_open(shelved, "-wal")
    shelved.parent.chmod(0o555)
    for act in (read, write):
        answer = unprivileged(act(shelved))
        assert answer.startswith("cannot-open")
        assert "ledger.db-wal: copy both files" in answer
    for each in shelved.parent.iterdir():
        shutil.copy(each, tmp_path)
    assert read(tmp_path / "ledger.db")() == "1 match, event 15"


def test_a_log_with_its_index_is_read_in_a_read_only_folder(shelved: Path) -> None:
    copied_while_open(shelved, "-wal", "-shm")
    shelved.parent.chmod(0o555)
    assert unprivileged(read(shelved)) == "1 match, event 15"


def test_a_link_is_followed_to_the_log(shelved: Path, tmp_path: Path) -> None:
    copied_while_open(shelved, "-wal")
    shelved.parent.chmod(0o555)
    link = shelved.parent.parent / "link.db"
    link.symlink_to(shelved)
    answer = unprivileged(read(link))
    assert answer.startswith("cannot-open"), answer


def test_an_unreadable_file_and_a_closed_folder_are_named(shelved: Path) -> None:
    shelved.chmod(0o000)
    assert unprivileged(read(shelved)).startswith(
        f"cannot-open: {shelved} cannot be opened: you have no permission"
    )
    shelved.chmod(0o644)
    shelved.parent.chmod(0o000)
    assert unprivileged(read(shelved)).startswith(f"cannot-open: {shelved} cannot be opened")


def test_no_ledger_is_made_in_a_read_only_folder(shelved: Path) -> None:
    shelved.parent.chmod(0o555)

    def act() -> str:
        Store.open(shelved.with_name("new.db"), create=True)
        return "made"

    assert unprivileged(act).startswith("cannot-open")


# -- no space, no turn --------------------------------------------------------------------


def test_without_space_nothing_is_lost_and_nothing_half_written(played: Path) -> None:
    with Service.open(played, table.clock) as service:
        connection = service.store.connection
        (match,) = service.store.matches()
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count={pages + 3}")
        stored = service.state(match)
        with pytest.raises(NotAllowed, match="no space left") as caught:  # noqa: PT012
            while True:
                stored = service.append(match, [table.note("x" * 2000)], table.KEYS)
        assert caught.value.code == "disk-full"
        assert "Nothing of this was stored" in caught.value.message
        assert stored.seq > 14
        assert service.state(match).head == stored.head
        assert service.envelopes(match)[-1].hash == stored.head
        assert verdict(played) == "sound"

        connection.execute("PRAGMA max_page_count=1000000")
        assert service.append(match, [table.note("x" * 2000)], table.KEYS).seq == stored.seq + 1
    assert verdict(played) == "sound"


def test_a_disk_that_fails_is_told_apart_from_a_damaged_ledger(shelved: Path) -> None:
    """The system refuses to make the log longer."""

    def act() -> str:
        with Service.open(shelved, table.clock) as service:
            noted(service, "fits")
            log = shelved.with_name("ledger.db-wal").stat().st_size
            soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
            resource.setrlimit(resource.RLIMIT_FSIZE, (log, hard))
            try:
                noted(service, "does not")
            except NotAllowed as error:
                resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
                return f"{error.code}, then event {noted(service, 'does again')}"
        return "stored beyond the limit"

    assert unprivileged(act) in ("disk-error, then event 16", "disk-full, then event 16")
    assert verdict(shelved) == "sound"


HOLD = """
import sys
from ledger.sqlitefile import sqlite3
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
for statement in sys.argv[2:]:
    connection.execute(statement)
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ledger.sqlitefile.BUSY_SECONDS", 0.3)


class Holder:
    """Another process that holds a lock until it is told to let go."""

    def __init__(self, path: Path, *statements: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", HOLD, str(path), *statements],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=Path(__file__).parent.parent,
        )
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == b"held\n"

    def __enter__(self) -> Holder:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()


@pytest.mark.usefixtures("impatient")
def test_a_pen_that_another_process_holds_too_long_is_an_error_and_reading_goes_on(
    played: Path,
) -> None:
    with Service.open(played, table.clock) as service:
        (match,) = service.store.matches()
        with Holder(played, "BEGIN IMMEDIATE"):
            with pytest.raises(Stale, match="in use by another program") as caught:
                service.append(match, [table.note("late")], table.KEYS)
            assert (caught.value.code, caught.value.exit_status) == ("busy", 6)
            assert service.state(match).seq == 14
            assert verdict(played) == "sound"
        assert service.append(match, [table.note("now")], table.KEYS).seq == 15


@pytest.mark.usefixtures("impatient")
def test_a_ledger_that_another_process_has_for_itself_is_an_error(played: Path) -> None:
    mine = (
        "PRAGMA locking_mode=EXCLUSIVE",
        "BEGIN IMMEDIATE",
        "UPDATE seats SET name = 'Anna'",
        "ROLLBACK",
    )
    with Holder(played, *mine), pytest.raises(Stale) as caught:
        Store.open(played)
    assert caught.value.code == "busy"
    assert verdict(played) == "sound"


@pytest.mark.parametrize("replaced", [False, True])
def test_a_ledger_that_was_moved_away_is_not_written_to(played: Path, replaced: bool) -> None:
    """It would be written to still, and its log lie where nobody looks."""
    with Service.open(played, table.clock) as service:
        (match,) = service.store.matches()
        moved = played.rename(played.with_name("moved.db"))
        if replaced:
            shutil.copy(moved, played)
        with pytest.raises(NotAllowed, match="moved or replaced") as caught:
            service.append(match, [table.note("to whom?")], table.KEYS)
        assert caught.value.code == "ledger-moved"
        moved.replace(played)
        assert service.append(match, [table.note("back again")], table.KEYS).seq == 15


def test_a_mistake_of_ours_is_not_blamed_on_the_file(path: Path) -> None:
    store = Store.open(path)
    store.close()
    with pytest.raises(sqlite3.ProgrammingError):
        store.rows(A)


def test_ctrl_c_when_a_transaction_has_just_begun_leaves_none_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def begun(act: Callable[[], object]) -> None:
        act()
        raise KeyboardInterrupt

    with table.new_service(tmp_path / "ledger.db") as service:
        with monkeypatch.context() as patched:
            patched.setattr("ledger.store.retry_while_busy", begun)
            with pytest.raises(KeyboardInterrupt), service.store.writing():
                pass
        assert not service.store.connection.in_transaction
        assert service.open_match(table.opening(), table.ARBITER).seq == 0
