"""What the ledger file holds that a stream has not sent yet, whoever wrote it. Reads alone.

Every envelope has a position in the file, set aside or not, so that what is new is what stands
after the last position that was looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from ledger.sqlitefile import sqlite_errors
from ledger.store import Row, Store

BATCH: Final = 500
"""Events that are read at once."""
_COLUMNS: Final = "match, seq, prev, type, hash, payload, signature, keyid"

_BY_HASH: Final = "hash = ? AND match = ? AND seq < ? ORDER BY position DESC"
"""Downwards, whatever a stranger has written into the file."""


class Message(NamedTuple):
    """A signed event, ready to be streamed."""

    seq: int
    prev: str | None
    hash: str
    data: bytes


class Head(NamedTuple):
    """The last event of a match."""

    seq: int
    hash: str


class Tail(NamedTuple):
    """What follows the event ``common`` (-1: nothing is common) in the chain of a match."""

    common: int
    hash: str | None
    messages: tuple[Message, ...]
    head: Head


def message(row: Row) -> Message:
    """The event as a server-sent event: its number is the id."""
    data = b"event: signed\nid: %d\ndata: %b\n\n" % (row.seq, row.envelope.text())
    return Message(row.seq, row.prev, row.hash, data)


def version(store: Store) -> int:
    """A number that changes when another program writes into the file."""
    with sqlite_errors(store.path):
        return int(store.connection.execute("PRAGMA data_version").fetchone()[0])


def newer(store: Store, position: int) -> tuple[int, Sequence[Row]]:
    """Events in the chains after ``position``, at most ``BATCH``, and the position of the last of
    them; with none, the last position of all."""
    with store.reading():
        found = store.connection.execute(
            f"SELECT position, {_COLUMNS} FROM events WHERE position > ? "  # noqa: S608
            "ORDER BY position LIMIT ?",
            (position, BATCH),
        ).fetchall()
        last = found[-1][0] if found else store.last_position()
    return last, [store._row(tuple(each[1:])) for each in found]


def rows(store: Store, match: str, after: int, limit: int) -> list[Row]:
    """At most ``limit`` events of the match's chain after number ``after``."""
    with sqlite_errors(store.path):
        found = store.connection.execute(
            f"SELECT {_COLUMNS} FROM events WHERE match = ? AND seq > ? ORDER BY seq LIMIT ?",  # noqa: S608
            (match, after, limit),
        ).fetchall()
    return [store._row(each) for each in found]


def tail(store: Store, match: str, seq: int, digest: str | None) -> Tail | None:
    """What follows event ``seq`` with this hash, or the last event that its chain and ours have in
    common. Without a hash only the number is known. ``None``: there is no such match."""
    with store.reading():
        head = store.head(match)
        if head is None:
            return None
        common, known = _common(store, match, seq, digest)
        found = rows(store, match, common, BATCH)
    return Tail(common, known, tuple(map(message, found)), Head(*head))


def _common(store: Store, match: str, seq: int, digest: str | None) -> tuple[int, str | None]:
    if seq < 0:
        return -1, None
    here = _hash(store, match, seq)
    if here is not None and digest in (None, here):
        return seq, here
    if digest is None:  # the chain is shorter than it was: it was replaced meanwhile
        found = _aside(store, "match = ? AND seq = ? ORDER BY position DESC", (match, seq))
    else:
        found = _aside(store, _BY_HASH, (digest, match, seq + 1))
    while found is not None:
        before, prev = found[0] - 1, found[1]
        if before < 0 or _hash(store, match, before) == prev:
            return max(before, 0), prev
        found = _aside(store, _BY_HASH, (prev, match, before + 1))
    return 0, match  # no other opening has its id


def _hash(store: Store, match: str, seq: int) -> str | None:
    found = store.connection.execute(
        "SELECT hash FROM events WHERE match = ? AND seq = ?", (match, seq)
    ).fetchone()
    return found[0] if found else None


def _aside(store: Store, where: str, given: tuple[object, ...]) -> tuple[int, str | None] | None:
    """Number and predecessor of the latest envelope set aside that is so."""
    if store.format < 2:
        return None
    found: tuple[int, str | None] | None = store.connection.execute(
        f"SELECT seq, prev FROM set_aside WHERE {where} LIMIT 1",  # noqa: S608
        given,
    ).fetchone()
    return found


def heads(store: Store) -> list[tuple[str, Head, str]]:
    """Every match in the order of opening, its last event, and when that was stored."""
    with store.reading():
        found = store.connection.execute(
            "SELECT events.match, events.seq, events.hash, events.recorded_at FROM events JOIN "
            "(SELECT match, max(seq) AS seq FROM events GROUP BY match) USING (match, seq) "
            "JOIN events AS opened ON opened.match = events.match AND opened.seq = 0 "
            "ORDER BY opened.position"
        ).fetchall()
    return [(match, Head(seq, digest), stored) for match, seq, digest, stored in found]


def stored_at(store: Store, match: str) -> str:
    """When the last event of the match was stored."""
    with sqlite_errors(store.path):
        found = store.connection.execute(
            "SELECT recorded_at FROM events WHERE match = ? ORDER BY seq DESC LIMIT 1", (match,)
        ).fetchone()
    return str(found[0]) if found else ""
