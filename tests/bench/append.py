"""Processor time of an append: the whole of it, and a bare insert of the same row beside it.

Ours: ``Service.append`` of a note and of a move, in a match of about sixty events: plan, signature,
fold, insert with triggers, read models, COMMIT. Bare: ``BEGIN IMMEDIATE``, the same insert into
the same STRICT table without triggers, ``COMMIT``. Both with a write-ahead log and
``synchronous=FULL``, in turns, in one process; user and system time, the median of the rounds.
Run it on a quiet machine: ``python tests/bench/append.py``.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parent.parent))

import table

from ledger import envelope as envelopes
from ledger.service import Plan, Service
from ledger.sqlitefile import sqlite3
from ledger.store import SCHEMA, Row, Store

GOAL = 150
ROUNDS = 40
APPENDS = 20
WALK = ("e3-f3", "e2-h2", "f3-e3", "h2-e2")
"""Back and forth: the position of every fourth move is the one at the start."""


def microseconds(act: Callable[[int], object]) -> float:
    begun = time.process_time_ns()
    for number in range(APPENDS):
        act(number)
    return (time.process_time_ns() - begun) / APPENDS / 1000


class Ours:
    """A new match of sixty events for each round, so that all rounds do the same."""

    def __init__(self, folder: Path) -> None:
        self.service = table.new_service(folder / "ours.db")
        self._matches = 0

    def round(self, plans: list[Plan]) -> Callable[[int], object]:
        self._matches += 1
        opening = table.opening(keyed=("swedes", "muscovites"), nonce=f"{self._matches:032x}")
        state = self.service.open_match(opening, table.ARBITER)
        before = [table.accept("swedes"), table.accept("muscovites")]
        before += [table.play(WALK[number % 4]) for number in range(56)]
        match = self.service.append(state.match, before, table.KEYS).match
        return lambda number: self.service.append(match, [plans[number % len(plans)]], table.KEYS)


class Bare:
    """The rows that ours wrote, once more, into a table without triggers."""

    def __init__(self, folder: Path) -> None:
        self.connection = sqlite3.connect(folder / "bare.db", isolation_level=None)
        tables = SCHEMA["events"], SCHEMA["set_aside"]
        for statement in ("PRAGMA journal_mode=WAL", "PRAGMA synchronous=FULL", *tables):
            self.connection.execute(statement)
        self._insert = Store(folder / "bare.db", self.connection).append

    def round(self, rows: list[Row]) -> Callable[[int], object]:
        def append(number: int) -> None:
            self.connection.execute("BEGIN IMMEDIATE")
            self._insert(rows[number], table.clock())
            self.connection.execute("COMMIT")

        return append

    def fill(self, rows: list[Row]) -> None:
        self.connection.execute("BEGIN IMMEDIATE")
        for row in rows:
            self._insert(row, table.clock())
        self.connection.execute("COMMIT")


def compare(folder: Path, plans: list[Plan]) -> list[tuple[float, float, float]]:
    """Ours, bare and signature alone, in microseconds an event, for each round."""
    folder.mkdir()
    ours, bare = Ours(folder), Bare(folder)
    key, found = table.ARBITER, []
    for _ in range(ROUNDS):
        act = ours.round(plans)
        service_time = microseconds(act)
        rows = ours.service.store.rows(ours.service.store.matches()[-1])
        bare.fill(rows[:-APPENDS])
        bare_time = microseconds(bare.round(rows[-APPENDS:]))
        message = envelopes.pae(rows[-1].payload)
        found.append((service_time, bare_time, microseconds(lambda _, m=message: key.sign(m))))
    assert_same(ours.service, bare)
    return found


def assert_same(service: Service, bare: Bare) -> None:
    columns = "match, seq, prev, type, hash, payload, signature, keyid"
    query = f"SELECT {columns} FROM events ORDER BY match, seq"
    ours = service.store.connection.execute(query).fetchall()
    if ours != bare.connection.execute(query).fetchall():
        raise SystemExit("The two did not write the same rows.")


def main() -> None:
    print(
        f"{'µs an event':<12} {'ours':>8} {'bare':>8} {'beyond':>8} {'best':>8} {'signature':>10}"
    )
    with tempfile.TemporaryDirectory() as folder:
        for name, plans in {
            "note": [table.note("The clock was stopped for the lights.")],
            "move": [table.play(text) for text in WALK],
        }.items():
            rounds = compare(Path(folder) / name, plans)
            ours, bare, signature = (median(column) for column in zip(*rounds, strict=True))
            beyond = median(mine - theirs for mine, theirs, _ in rounds)
            best = min(mine for mine, _, _ in rounds) - min(theirs for _, theirs, _ in rounds)
            print(f"{name:<12} {ours:8.0f} {bare:8.0f} {beyond:8.0f} {best:8.0f} {signature:10.0f}")
    print(f"goal: {GOAL} beyond bare SQLite")


if __name__ == "__main__":
    main()
