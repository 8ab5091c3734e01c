"""The tables and triggers of each format of the ledger file, and the steps from one to the next.

A step is data definition alone: it makes tables and puts triggers in the place of others. No row
of ``events`` is rewritten, and SQLite takes back a step that did not end. So nothing has to be
copied before it. A format that was released never changes here.

Read models are not in the steps: they are made anew from the events after the last one
(``ledger.readmodels``). Format 3 has the view ``events_readable``, and other read models than 2.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

FORMAT: Final = 3
"""The format that is written."""

CONTINUES: Final = """CASE {row}.seq
        WHEN 0 THEN {row}.prev IS NULL AND {row}.match = {row}.hash
        ELSE EXISTS (
            SELECT 1 FROM events
            WHERE match = {row}.match AND seq = {row}.seq - 1 AND hash = {row}.prev
        ) END"""
"""Whether a row of ``events`` continues its chain."""

CONTINUED: Final = """EXISTS (
        SELECT 1 FROM events
        WHERE match = {row}.match AND seq = {row}.seq - 1 AND hash = {row}.prev
    ) OR EXISTS (
        SELECT 1 FROM set_aside
        WHERE match = {row}.match AND seq = {row}.seq - 1 AND hash = {row}.prev
    )"""
"""Whether a row of ``set_aside`` continues an event that is kept, in the chain or beside it."""

LAST: Final = """max(
        ifnull((SELECT max(position) FROM events), 0),
        ifnull((SELECT max(position) FROM set_aside), 0)
    )"""
"""The greatest position of all."""

_ONE: Final[Mapping[str, str]] = {
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
    WHERE NOT {CONTINUES.format(row="NEW")};
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

_ASIDE: Final[Mapping[str, str]] = {
    "set_aside": """
CREATE TABLE set_aside (
    position INTEGER PRIMARY KEY,
    match TEXT NOT NULL CHECK (length(match) = 64),
    seq INTEGER NOT NULL CHECK (seq >= 1),
    prev TEXT NOT NULL,
    type TEXT NOT NULL,
    hash TEXT NOT NULL CHECK (length(hash) = 64),
    payload BLOB NOT NULL,
    signature BLOB NOT NULL CHECK (length(signature) = 64),
    keyid TEXT NOT NULL,
    recorded_at TEXT NOT NULL,
    since INTEGER NOT NULL
) STRICT""",
    "set_aside_match": """
CREATE INDEX set_aside_match ON set_aside (match)""",
    "set_aside_continue": f"""
CREATE TRIGGER set_aside_continue BEFORE INSERT ON set_aside
BEGIN
    SELECT RAISE(ABORT, 'events set aside are never replaced') WHERE EXISTS (
        SELECT 1 FROM set_aside WHERE position = NEW.position
    );
    SELECT RAISE(ABORT, 'an event set aside must continue one that is kept')
    WHERE NOT ({CONTINUED.format(row="NEW")});
    SELECT RAISE(ABORT, 'an event is set aside since the last position')
    WHERE NEW.since != {LAST};
END""",  # noqa: S608
    "set_aside_move": """
CREATE TRIGGER set_aside_move AFTER INSERT ON set_aside
BEGIN
    SELECT RAISE(ABORT, 'an event is set aside as it stands') WHERE EXISTS (
        SELECT 1 FROM events WHERE position = NEW.position AND NOT (
            match = NEW.match AND seq = NEW.seq AND prev = NEW.prev AND type = NEW.type
            AND hash = NEW.hash AND payload = NEW.payload AND signature = NEW.signature
            AND keyid = NEW.keyid AND recorded_at = NEW.recorded_at
        )
    );
    SELECT RAISE(ABORT, 'positions have no gaps') WHERE NOT EXISTS (
        SELECT 1 FROM events WHERE position = NEW.position - 1
    ) AND NOT EXISTS (SELECT 1 FROM set_aside WHERE position = NEW.position - 1);
    DELETE FROM events WHERE position = NEW.position;
END""",
    "set_aside_never_change": """
CREATE TRIGGER set_aside_never_change BEFORE UPDATE ON set_aside
BEGIN SELECT RAISE(ABORT, 'events set aside are never changed'); END""",
    "set_aside_never_go": """
CREATE TRIGGER set_aside_never_go BEFORE DELETE ON set_aside
BEGIN SELECT RAISE(ABORT, 'events set aside are never deleted'); END""",
}

_TWO: Final[Mapping[str, str]] = {
    "events": _ONE["events"],
    **_ASIDE,
    "events_continue": f"""
CREATE TRIGGER events_continue BEFORE INSERT ON events
BEGIN
    SELECT RAISE(ABORT, 'events are never replaced') WHERE EXISTS (
        SELECT 1 FROM events WHERE hash = NEW.hash OR position = NEW.position
    ) OR EXISTS (SELECT 1 FROM events WHERE match = NEW.match AND seq = NEW.seq)
    OR EXISTS (SELECT 1 FROM set_aside WHERE position = NEW.position);
    SELECT RAISE(ABORT, 'an event must continue its chain')
    WHERE NOT {CONTINUES.format(row="NEW")};
END""",  # noqa: S608
    "events_gapless": """
CREATE TRIGGER events_gapless AFTER INSERT ON events
WHEN EXISTS (SELECT 1 FROM set_aside WHERE position = NEW.position)
    OR NEW.position != 1
    AND NOT EXISTS (SELECT 1 FROM events WHERE position = NEW.position - 1)
    AND NOT EXISTS (SELECT 1 FROM set_aside WHERE position = NEW.position - 1)
BEGIN SELECT RAISE(ABORT, 'positions have no gaps'); END""",
    "events_never_change": _ONE["events_never_change"],
    "events_never_go": """
CREATE TRIGGER events_never_go BEFORE DELETE ON events
BEGIN
    SELECT RAISE(ABORT, 'events are never deleted') WHERE NOT EXISTS (
        SELECT 1 FROM set_aside WHERE position = OLD.position AND hash = OLD.hash
        AND payload = OLD.payload AND signature = OLD.signature
    );
    SELECT RAISE(ABORT, 'the last event of a match is set aside first') WHERE EXISTS (
        SELECT 1 FROM events WHERE match = OLD.match AND seq > OLD.seq
    );
END""",
}

_READABLE: Final = """
CREATE VIEW events_readable AS
SELECT
    match,
    seq,
    json_extract(said, '$.type') AS type,
    json_extract(said, '$.by') AS by,
    json_extract(said, '$.for') AS "for",
    json_extract(said, '$.at') AS at,
    hash,
    json_extract(said, '$.data') AS data
FROM (
    SELECT
        match,
        seq,
        hash,
        CASE WHEN json_valid(CAST(payload AS TEXT)) THEN CAST(payload AS TEXT) END AS said
    FROM events
)
"""
"""Events for people: taken out of the bytes as signed, so that it cannot say anything else."""

_CLAIMED: Final = """
CREATE TABLE rolls (match TEXT) STRICT"""
"""A read model that older formats did not have. It is made anew at once; but a table of somebody
else with that name is in the way, as any other, and not dropped."""

_THREE: Final[Mapping[str, str]] = {**_TWO, "events_readable": _READABLE}

SCHEMAS: Final[Mapping[int, Mapping[str, str]]] = {1: _ONE, 2: _TWO, 3: _THREE}
"""For each format the statement that made each of its tables, indexes, triggers and views."""

_RENEWED: Final = ("events_continue", "events_gapless", "events_never_go")

STEPS: Final[Mapping[int, tuple[str, ...]]] = {
    1: (
        *(f"DROP TRIGGER {name}" for name in _RENEWED),
        *_ASIDE.values(),
        *(_TWO[name] for name in _RENEWED),
    ),
    2: (_READABLE, _CLAIMED),
}
"""What brings a file of one format to the next; each is one transaction."""
