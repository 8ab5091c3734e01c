"""What is wrong with a ledger file itself, in sentences; what its events say is for the audit.

It reads through a connection that is open already, by the format that the file says it has, and
changes nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.migrations import CONTINUED, CONTINUES, SCHEMAS

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator


def faults(connection: sqlite3.Connection, version: int) -> list[str]:
    """SQLite's own check, the tables and triggers as the format has them, and rows that the
    triggers would have refused."""
    found = [
        f"SQLite finds: {text}."
        for (text,) in connection.execute("PRAGMA integrity_check(20)")
        if text != "ok"
    ]
    found += [
        f"The ledger's own {name!r} is missing or altered." for name in altered(connection, version)
    ]
    found += _foreign_triggers(connection, version)
    found += _gaps(connection, version)
    found += _broken_chains(connection)
    return found + (list(_misplaced(connection)) if version > 1 else [])


def altered(connection: sqlite3.Connection, version: int) -> list[str]:
    """Tables, indexes and triggers of the ledger that are missing or not as they were made."""
    made = dict(connection.execute("SELECT name, sql FROM sqlite_master"))
    return [name for name, sql in SCHEMAS[version].items() if made.get(name) != sql.strip()]


def _foreign_triggers(connection: sqlite3.Connection, version: int) -> list[str]:
    """Triggers that somebody else has put into the file, on whatever table."""
    found = connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
    return [
        f"The trigger {name!a} is not the ledger's own."
        for (name,) in found
        if name not in SCHEMAS[version]
    ]


def _gaps(connection: sqlite3.Connection, version: int) -> list[str]:
    numbers = "SELECT position FROM events"
    if version > 1:
        numbers += " UNION SELECT position FROM set_aside"
    count, first, last = connection.execute(
        f"SELECT count(*), min(position), max(position) FROM ({numbers})"  # noqa: S608
    ).fetchone()
    if not count or (first, last) == (1, count):
        return []
    return [f"{count} events are numbered {first} to {last}: numbers are missing."]


def _broken_chains(connection: sqlite3.Connection) -> list[str]:
    broken = connection.execute(
        f"SELECT match, seq FROM events AS e WHERE NOT {CONTINUES.format(row='e')} LIMIT 20"  # noqa: S608
    )
    return [
        f"Match {str(match)[:12]!a}, event {seq}: it does not continue its chain."
        for match, seq in broken
    ]


def _misplaced(connection: sqlite3.Connection) -> Iterator[str]:
    """Rows of ``set_aside`` that cannot have come there."""
    for match, seq, position in connection.execute(
        "SELECT match, seq, position FROM set_aside AS a "  # noqa: S608
        f"WHERE NOT ({CONTINUED.format(row='a')}) LIMIT 20"
    ):
        yield (
            f"Match {str(match)[:12]!a}, event {seq}, set aside as number {position}: it continues "
            "no event that is kept."
        )
    for (position,) in connection.execute(
        "SELECT position FROM set_aside JOIN events USING (position) LIMIT 20"
    ):
        yield f"Number {position} stands in a chain and is set aside."
    for (position,) in connection.execute(
        "SELECT position FROM set_aside WHERE since < position - 1 OR since > max("
        "(SELECT max(position) FROM set_aside), "
        "ifnull((SELECT max(position) FROM events), 0)) LIMIT 20"
    ):
        yield f"Number {position} was set aside at a time that cannot be."
