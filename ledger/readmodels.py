"""Read models: what lists and Datasette ask for, computed from the fold.

Plain tables (``matches``, ``seats``, ``results``, ``rolls``) that a person can read without
knowing the events; the events themselves are read through the view ``events_readable``
(``ledger.migrations``). They are never the truth: they can be dropped and rebuilt at any time,
and the audit compares them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Final

import msgspec

from ledger.errors import TabellionError, Unreadable
from ledger.events import Result, decode
from ledger.fold import Entry, MatchState, advance, begin
from ledger.rollrows import ROLLS, Row, new_rolls, roll_rows
from ledger.sqlitefile import sqlite_errors
from ledger.store import Row as StoredRow
from ledger.store import Store
from ledger.views import ListView, MatchLine, next_step

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
        "first_player": str,
        "second_player": str,
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
        "event": str,
        "round": str,
        "table_name": str,
        "date": str,
        "first_player": str,
        "second_player": str,
        "winner_name": str,
    },
}
"""The lists, as ``list`` reads them: column and type."""
_ALL: Final = {**TABLES, "rolls": ROLLS}
_KEYS: Final = {
    "matches": ("match",),
    "seats": ("match", "seat"),
    "results": ("match",),
    "rolls": ("match", "roll"),
}
_SINCE_THREE: Final = {"matches": 2, "results": 7}
"""How many of the last columns the files of format 1 and 2 do not have; nor have they rolls."""


def _write_statement(table: str) -> str:
    """Insert a row, or change it where it stands: its key's index is not written again."""
    columns, keys = _ALL[table], _KEYS[table]
    changes = ", ".join(f"{name} = excluded.{name}" for name in columns if name not in keys)
    marks = ", ".join("?" * len(columns))
    return (
        f"INSERT INTO {table} VALUES ({marks}) "  # noqa: S608
        f"ON CONFLICT ({', '.join(keys)}) DO UPDATE SET {changes}"
    )


_WRITE: Final = {table: _write_statement(table) for table in _ALL}


def _players(state: MatchState) -> tuple[str, str]:
    first, second = state.game.seats
    return state.roster[first].name, state.roster[second].name


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
            *_players(state),
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
    result, opening = state.result, state.opening
    if result is None:
        return []
    closed = int(state.closed is not None)
    given = (state.match, result.kind, result.how, result.winner, closed, state.result_event)
    about = (opening.event, opening.round, opening.table, opening.date)
    winner = state.roster[result.winner].name if result.winner else None
    return [(*given, *about, *_players(state), winner)]


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
    "results": (
        _result_rows,
        lambda state: (state.result, state.closed, state.result_event, state.roster),
    ),
}
"""For each list the rows of a match, and what of the match they are made from."""


def make_tables(store: Store) -> None:
    """Make the read models of a new ledger, or of one that has just been brought to this format;
    only inside ``store.writing``. A match that does not hold is listed as far as it does: the
    audit says what is wrong with it."""
    states = ((match, as_far_as_good(store.rows(match))) for match in store.matches())
    rebuild(store, (state for match, state in states if state and state.match == match))


def as_far_as_good(rows: Iterable[StoredRow]) -> MatchState | None:
    """The match up to its first event that does not hold."""
    state = None
    with suppress(TabellionError):
        for row in rows:
            entry = Entry(decode(row.payload), row.envelope.hash, row.keyid)
            state = begin(entry) if state is None else advance(state, entry)
    return state


def _make_empty(store: Store) -> None:
    """Drop the read models and make them anew, empty."""
    from sqlite_utils import Database

    database = Database(store.connection)
    there = store.connection.execute("SELECT name, type FROM sqlite_master").fetchall()
    for name, kind in there:
        if name.lower() in _ALL:
            store.connection.execute(f"DROP {kind} {name}")  # a table, or a view put in its place
    for name, columns in _ALL.items():
        links = [] if name == "matches" else [("match", "matches", "match")]
        store.connection.execute(
            database.create_table_sql(
                name,
                dict(columns),
                pk=_KEYS[name],
                not_null=_KEYS[name],
                foreign_keys=links,
                strict=True,
            )
        )


def update(store: Store, before: MatchState | None, after: MatchState) -> None:
    """Bring the read models from ``before`` to ``after``; only inside ``store.writing``."""
    with _lists(store):
        for table, (rows, source) in _MODELS.items():
            if before is not None and source(before) == source(after):
                continue
            _write(store, table, after.match, rows(after), whole=False)
        if not after.game.dice:
            return
        new = None if before is None else new_rolls(before, after)
        if new is None:
            _write(store, "rolls", after.match, roll_rows(after), whole=True)
        elif new:
            _write(store, "rolls", after.match, new, whole=False)


def _write(store: Store, table: str, match: str, rows: Iterable[Row], *, whole: bool) -> None:
    """Put ``rows`` into a table; ``whole``: they are all that a match has there."""
    if whole or not rows:
        store.connection.execute(f"DELETE FROM {table} WHERE match = ?", (match,))  # noqa: S608
    for row in rows:
        store.connection.execute(_WRITE[table], row)


def rebuild(store: Store, states: Iterable[MatchState]) -> int:
    """Make all read models anew from the fold, in place of what stands there; only inside
    ``store.writing``. Returns the number of matches."""
    count = 0
    _make_empty(store)
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
            "SELECT matches.match, ruleset, matches.event, matches.round, matches.table_name, "
            "place, matches.date, "
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
    for name in _models(store):
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
    for name, columns in _models(store).items():
        query = f"SELECT {', '.join(columns)} FROM {name} WHERE match = ?"  # noqa: S608
        try:
            with sqlite_errors(store.path):
                store.check_table(name)
                stored = set(store.connection.execute(query, (state.match,)))
        except TabellionError:
            found.append(f"The list {name} cannot be read.")
            continue
        rows = roll_rows if name == "rolls" else _MODELS[name][0]
        if stored != {row[: len(columns)] for row in rows(state)}:
            found.append(
                f"Match {state.match[:12]}: the list {name} does not say what the events say."
            )
    return found


def _models(store: Store) -> dict[str, tuple[str, ...]]:
    """The read models that a file of this format has, and their columns."""
    if store.format > 2:
        return {name: tuple(columns) for name, columns in _ALL.items()}
    return {
        name: tuple(columns)[: len(columns) - _SINCE_THREE.get(name, 0)]
        for name, columns in TABLES.items()
    }


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
