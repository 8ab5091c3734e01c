"""Read models: what lists and spreadsheets ask for, computed from the fold.

Three plain tables (``matches``, ``seats``, ``results``) that open in Datasette as they are. They
are never the truth: they can be dropped and rebuilt at any time, and the audit compares them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final, TypeAlias

import msgspec

from ledger.errors import TabellionError, Unreadable
from ledger.events import Result
from ledger.fold import MatchState
from ledger.sqlitefile import sqlite_errors
from ledger.store import Store
from ledger.views import ListView, MatchLine, next_step

Value: TypeAlias = "str | int | None"
Row: TypeAlias = "tuple[Value, ...]"

TABLES: Final[Mapping[str, Mapping[str, type]]] = {
    "matches": {
        "match": str,
        "game": str,
        "ruleset": str,
        "event": str,
        "round": str,
        "table_name": str,
        "place": str,
        "date": str,
        "opened_at": str,
        "source": str,
        "phase": str,
        "turn": str,
        "awaits": str,
    },
    "seats": {
        "match": str,
        "seat": str,
        "number": int,
        "name": str,
        "keyid": str,
        "accepted": int,
        "countersigned": int,
    },
    "results": {
        "match": str,
        "kind": str,
        "how": str,
        "winner": str,
        "closed": int,
        "result_event": str,
    },
}
_KEYS: Final = {"matches": ("match",), "seats": ("match", "seat"), "results": ("match",)}


def _write_statement(table: str) -> str:
    """Insert a row, or change it where it stands: its key's index is not written again."""
    columns, keys = TABLES[table], _KEYS[table]
    changes = ", ".join(f"{name} = excluded.{name}" for name in columns if name not in keys)
    marks = ", ".join("?" * len(columns))
    return (
        f"INSERT INTO {table} VALUES ({marks}) "  # noqa: S608
        f"ON CONFLICT ({', '.join(keys)}) DO UPDATE SET {changes}"
    )


_WRITE: Final = {table: _write_statement(table) for table in TABLES}


def _match_rows(state: MatchState) -> list[Row]:
    opening = state.opening
    return [
        (
            state.match,
            opening.ruleset.game,
            opening.ruleset.name,
            opening.event,
            opening.round,
            opening.table,
            opening.place,
            opening.date,
            state.entries[0].event.at,
            opening.source.sha256 if opening.source else None,
            state.phase.value,
            state.turn,
            next_step(state),
        )
    ]


def _seat_rows(state: MatchState) -> list[Row]:
    rows: list[Row] = []
    for number, seat in enumerate(state.game.seats):
        party = state.roster[seat]
        keyid = party.key.fingerprint if party.key else None
        accepted, countersigned = seat in state.accepted, seat in state.countersigned
        rows.append(
            (state.match, seat, number, party.name, keyid, int(accepted), int(countersigned))
        )
    return rows


def _result_rows(state: MatchState) -> list[Row]:
    result = state.result
    if result is None:
        return []
    closed = int(state.closed is not None)
    return [(state.match, result.kind, result.how, result.winner, closed, state.result_event)]


_MODELS: Final[
    Mapping[str, tuple[Callable[[MatchState], list[Row]], Callable[[MatchState], object]]]
] = {
    "matches": (
        _match_rows,
        lambda state: (
            state.position,
            state.result,
            state.sheets,
            state.accepted,
            state.roster,
            state.put_in,
            state.rolling,
            state.disputes,
            state.appeals,
            state.adjourned,
            state.sealed,
            state.head if state.result else None,  # who ended it is in the words
        ),
    ),
    "seats": (_seat_rows, lambda state: (state.roster, state.accepted, state.countersigned)),
    "results": (_result_rows, lambda state: (state.result, state.closed, state.result_event)),
}
"""For each table the rows of a match, and what of the match they are made from."""


def make_tables(store: Store) -> None:
    """Drop the read models and make them anew, empty; only inside ``store.writing``."""
    from sqlite_utils import Database

    database = Database(store.connection)
    there = store.connection.execute("SELECT name, type FROM sqlite_master").fetchall()
    for name, kind in there:
        if name.lower() in TABLES:
            store.connection.execute(f"DROP {kind} {name}")  # a table, or a view put in its place
    for name, columns in TABLES.items():
        store.connection.execute(
            database.create_table_sql(
                name, dict(columns), pk=_KEYS[name], not_null=_KEYS[name], strict=True
            )
        )


def update(store: Store, before: MatchState | None, after: MatchState) -> None:
    """Bring the read models from ``before`` to ``after``; only inside ``store.writing``."""
    with _lists(store):
        for table, (rows, source) in _MODELS.items():
            if before is not None and source(before) == source(after):
                continue
            new = rows(after)
            if not new:
                store.connection.execute(f"DELETE FROM {table} WHERE match = ?", (after.match,))  # noqa: S608
            for row in new:
                store.connection.execute(_WRITE[table], row)


def rebuild(store: Store, states: Iterator[MatchState]) -> int:
    """Make all read models anew from the fold; returns the number of matches."""
    count = 0
    make_tables(store)
    for state in states:
        count += 1
        update(store, None, state)
    return count


def matches(store: Store) -> ListView:
    """Every match, the latest opened first. Raises ``Unreadable`` when a table is damaged."""
    connection = store.connection
    with store.reading(), _lists(store):
        for table in TABLES:
            store.check_table(table)
        names: dict[str, dict[str, str]] = {}
        for match, seat, name in connection.execute(
            "SELECT match, seat, name FROM seats ORDER BY number"
        ):
            names.setdefault(match, {})[seat] = name
        found = connection.execute(
            "SELECT matches.match, ruleset, event, round, table_name, place, date, "
            "(SELECT max(seq) + 1 FROM events WHERE events.match = matches.match), phase, "
            "turn, awaits, kind, how, winner FROM matches LEFT JOIN results USING (match) "
            "JOIN events AS opened ON opened.match = matches.match AND opened.seq = 0 "
            "ORDER BY opened.position DESC"
        ).fetchall()
    lines = []
    for match, ruleset, *about, events, phase, turn, awaits, kind, how, winner in found:
        given = zip(("event", "round", "table", "place", "date"), about, strict=True)
        lines.append(
            MatchLine(
                match=match,
                ruleset=ruleset,
                seats=names.get(match, {}),
                about={name: text for name, text in given if text},
                events=events,
                phase=phase,
                turn=turn,
                result=Result(kind=kind, how=how, winner=winner) if kind else None,
                next=awaits,
            )
        )
    plain = msgspec.to_builtins(ListView(tuple(lines)), builtin_types=(bytes,))
    try:
        return msgspec.convert(plain, ListView)
    except msgspec.ValidationError:  # a value that no event gives
        raise _damaged(store) from None


def strays(store: Store) -> list[str]:
    """Read models that are missing, or hold rows of no match at all, in sentences."""
    found = []
    for name in TABLES:
        query = f"SELECT count(*) FROM {name} WHERE match NOT IN (SELECT match FROM events)"  # noqa: S608
        try:
            with sqlite_errors(store.path):
                store.check_table(name)
                (count,) = store.connection.execute(query).fetchone()
        except TabellionError:
            found.append(f"The list {name} cannot be read.")
            continue
        if count:
            found.append(f"The list {name} has {count} row(s) of no match.")
    return found


def imported(store: Store, sha256: str) -> str | None:
    """The match that was written from the file with this hash, if there is one."""
    with store.reading(), _lists(store):
        store.check_table("matches")
        found = store.connection.execute(
            "SELECT match FROM matches WHERE source = ? LIMIT 1", (sha256,)
        ).fetchone()
    return found[0] if found else None


def differences(store: Store, state: MatchState) -> list[str]:
    """Where the read models say something else than the fold, in sentences."""
    found = []
    for name, columns in TABLES.items():
        query = f"SELECT {', '.join(columns)} FROM {name} WHERE match = ?"  # noqa: S608
        try:
            with sqlite_errors(store.path):
                store.check_table(name)
                stored = set(store.connection.execute(query, (state.match,)))
        except TabellionError:
            found.append(f"The list {name} cannot be read.")
            continue
        rows, _ = _MODELS[name]
        if stored != set(rows(state)):
            found.append(
                f"Match {state.match[:12]}: the list {name} does not say what the events say."
            )
    return found


@contextmanager
def _lists(store: Store) -> Iterator[None]:
    """What goes wrong with the read models alone is mended by making them anew."""
    try:
        with sqlite_errors(store.path):
            yield
    except TabellionError as error:
        if error.code not in ("ledger-altered", "ledger-refuses"):
            raise
        raise _damaged(store) from error


def _damaged(store: Store) -> Unreadable:
    return Unreadable(
        "lists-damaged",
        f"The lists of matches, seats and results in {store.path} are missing or damaged.",
        hint="tabellion init --rebuild",
    )
