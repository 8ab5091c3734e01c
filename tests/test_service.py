"""The service: all or none, never twice, never over somebody else's head.

Two services on one file stand for two programs; every refusal is followed by a look at the file:
nothing of it may have been stored.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import table
from msgspec.structs import replace
from table import ALBA, ARBITER, BRUNO, KEYS, STRANGER, WITNESS

from ledger import canonical, readmodels, views
from ledger import envelope as envelopes
from ledger.envelope import Envelope
from ledger.errors import Ambiguous, NotFound, Refused, Stale, TabellionError, Unreadable
from ledger.events import Officer, Seat, decode
from ledger.fold import MatchState
from ledger.inspection import inspect_ledger, trust
from ledger.keys import SigningKey
from ledger.publickey import PublicKey
from ledger.service import Draft, LineRefused, Plan, Service
from ledger.sqlitefile import sqlite3
from ledger.store import SCHEMA, Store

Tables = dict[str, list[tuple[object, ...]]]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "ledger.db"


@pytest.fixture
def service(path: Path) -> Iterator[Service]:
    with table.new_service(path) as opened:
        yield opened


@pytest.fixture
def other(path: Path, service: Service) -> Iterator[Service]:
    """Another program with the same ledger."""
    with Service.open(path, table.clock) as opened:
        yield opened


@pytest.fixture
def game(service: Service) -> MatchState:
    """A match in play, Swedes to move: opened and accepted, events 0 to 2."""
    state = service.open_match(table.opening(witness=True), ARBITER)
    return service.append(state.match, [table.accept("swedes"), table.accept("muscovites")], KEYS)


def tables(service: Service) -> Tables:
    """Every table of the ledger as it stands in the file."""
    connection = service.store.connection
    names = [
        name
        for (name,) in connection.execute(
            "SELECT name FROM sqlite_master WHERE sql LIKE 'CREATE TABLE%'"
        )
    ]
    return {name: sorted(connection.execute(f"SELECT * FROM {name}"), key=repr) for name in names}


def signed(state: MatchState, text: str, key: SigningKey, **changes: object) -> Envelope:
    """A note as another device makes it, following ``state``; ``changes`` to its fields."""
    fields: dict[str, object] = {
        "v": 1,
        "match": state.match,
        "seq": state.seq + 1,
        "prev": state.head,
        "type": "note",
        "by": "arbiter",
        "at": table.clock(),
        "data": {"text": text},
    } | changes
    return envelopes.seal(canonical.encode(fields), key.public, key.sign)


def moved(state: MatchState, move: str, key: SigningKey, by: str, **changes: object) -> Envelope:
    return signed(state, "", key, type="move", by=by, data={"move": move}, **changes)


def verdict(path: Path) -> str:
    return inspect_ledger(path, None, trust(None, None)).verdict


# -- append -------------------------------------------------------------------------------


def test_several_plans_are_written_together_or_not_at_all(
    service: Service, game: MatchState
) -> None:
    before = tables(service)
    moves = [table.play("e3-f3"), table.play("e2-h2"), table.play("e4-z9"), table.play("h2-h3")]
    with pytest.raises(LineRefused) as caught:
        service.append(game.match, moves, KEYS)
    assert caught.value.index == 2
    assert caught.value.code == "bad-move"
    assert caught.value.exit_status == 2
    assert tables(service) == before
    assert service.state(game.match) == game

    after = service.append(game.match, moves[:2], KEYS)
    assert after.seq == 4
    assert service.state(game.match).head == after.head


def test_a_plan_sees_the_state_that_it_follows(service: Service, game: MatchState) -> None:
    seen = []

    def plan(state: MatchState) -> Draft:
        seen.append((state.seq, state.turn))
        return table.play("e3-f3" if state.turn == "swedes" else "e2-h2")(state)

    service.append(game.match, [plan, plan], KEYS)
    assert seen == [(2, "swedes"), (3, "muscovites")]


def test_a_crash_in_a_plan_leaves_nothing(service: Service, game: MatchState) -> None:
    def crash(state: MatchState) -> Draft:
        raise KeyboardInterrupt

    before = tables(service)
    with pytest.raises(KeyboardInterrupt):
        service.append(game.match, [table.play("e3-f3"), crash], KEYS)
    assert tables(service) == before
    assert service.append(game.match, [table.play("e3-f3")], KEYS).seq == 3


@pytest.mark.parametrize(
    ("plan", "signers", "code"),
    [
        (table.play("e3-f3"), {}, "wrong-signer"),
        (table.play("e3-f3"), {"swedes": BRUNO}, "wrong-signer"),
        (table.note("hello", by="swedes"), {"swedes": STRANGER}, "wrong-signer"),
        (table.note("hello", by="witness2"), KEYS, "unknown-role"),
        (table.resign("swedes", by="arbiter"), KEYS, "seat-has-key"),
        (table.rewind(0, by="swedes"), KEYS, "wrong-role"),
        (table.accept("swedes"), KEYS, "accepted-twice"),
        (table.note("two\nlines"), KEYS, "forbidden-character"),
    ],
)
def test_what_may_not_be_written_is_not_written(
    service: Service, game: MatchState, plan: Plan, signers: dict[str, SigningKey], code: str
) -> None:
    before = tables(service)
    with pytest.raises(LineRefused) as caught:
        service.append(game.match, [plan], signers)
    assert caught.value.code == code
    assert tables(service) == before


def test_no_match_no_event(service: Service) -> None:
    with pytest.raises(NotFound) as caught:
        service.append("0" * 64, [table.note("hello")], KEYS)
    assert caught.value.code == "no-match"
    with pytest.raises(NotFound):
        service.state("0" * 64)


def test_a_head_that_has_moved_on_is_stale(
    service: Service, other: Service, game: MatchState
) -> None:
    other.append(game.match, [table.note("I was first")], KEYS, expect=game.head)
    before = tables(service)
    with pytest.raises(Stale, match=r"Someone else wrote first: the match is at event 3 now") as e:
        service.append(game.match, [table.play("e3-f3")], KEYS, expect=game.head)
    assert (e.value.code, e.value.exit_status) == ("stale", 6)
    assert tables(service) == before

    after = service.append(game.match, [table.play("e3-f3")], KEYS)
    assert [entry.event.seq for entry in after.entries] == [0, 1, 2, 3, 4]


def test_two_programs_take_turns_and_neither_falls_behind(
    service: Service, other: Service, game: MatchState
) -> None:
    for number, move in enumerate(table.SHORT_GAME):
        writer, reader = (service, other) if number % 2 else (other, service)
        state = writer.append(game.match, [table.play(move)], KEYS)
        assert reader.state(game.match) == state
    ended = service.append(game.match, [table.close()], KEYS)
    assert ended.phase.value == "closed"
    assert ended == other.state(game.match)


# -- opening ------------------------------------------------------------------------------


def test_an_import_opens_and_plays_in_one_go(service: Service) -> None:
    plans = [table.play(move) for move in table.SHORT_GAME] + [table.close()]
    state = service.open_match(table.opening(keyed=()), ARBITER, plans)
    assert state.seq == 10
    assert state.result is not None
    assert service.state(state.match) == state


def test_an_import_that_does_not_go_through_opens_nothing(service: Service, path: Path) -> None:
    before = tables(service)
    plans = [table.play(move) for move in ("e3-f3", "e2-h2", "a1-a2")]
    with pytest.raises(LineRefused) as caught:
        service.open_match(table.opening(keyed=()), ARBITER, plans)
    assert caught.value.index == 2
    assert tables(service) == before
    assert service.store.matches() == []
    assert service.open_match(table.opening(keyed=()), ARBITER, plans[:2]).seq == 2
    assert verdict(path) == "sound"


def test_the_same_opening_twice_is_one_match(service: Service, game: MatchState) -> None:
    before = tables(service)
    with pytest.raises(Refused) as caught:
        service.open_match(table.opening(witness=True), ARBITER)
    assert caught.value.code == "ledger-refuses"
    assert tables(service) == before


def test_an_opening_is_signed_by_its_own_arbiter(service: Service) -> None:
    with pytest.raises(Refused) as caught:
        service.open_match(table.opening(), STRANGER)
    assert caught.value.code == "wrong-signer"
    assert service.store.matches() == []


def test_an_opening_with_a_key_that_anyone_can_sign_with_is_refused(service: Service) -> None:
    weak = PublicKey(bytes([1]) + bytes(31))
    opening = table.opening()
    seats = {**opening.seats, "muscovites": Seat(name="Bruno", key=weak.line)}
    with pytest.raises(Refused) as caught:
        service.open_match(replace(opening, seats=seats), ARBITER)
    assert caught.value.code == "weak-key"
    assert service.store.matches() == []


# -- post ---------------------------------------------------------------------------------


def test_an_event_signed_elsewhere_is_stored_once_however_often_it_is_sent(
    service: Service, other: Service, game: MatchState
) -> None:
    event = signed(game, "from my phone", ARBITER)
    first = service.post(event.text())
    assert first.head == event.hash
    assert service.post(event.text()) == first
    assert other.post(event.text()) == first

    later = service.append(game.match, [table.note("others go on"), table.play("e3-f3")], KEYS)
    assert other.post(event.text()) == later
    assert service.post(event.text(), expect=game.head) == later
    assert [each.hash for each in service.envelopes(game.match)].count(event.hash) == 1
    assert service.envelopes(game.match)[3] == event


def test_a_whole_match_can_be_posted_event_by_event(service: Service, tmp_path: Path) -> None:
    played = table.whole_game(service)
    with table.new_service(tmp_path / "copy.db") as copy:
        for event in service.envelopes(played.match):
            state = copy.post(event.text())
        assert state == played
        assert copy.envelopes(played.match) == service.envelopes(played.match)
        for event in service.envelopes(played.match):
            assert copy.post(event.text()) == played
        assert {name: rows for name, rows in tables(copy).items() if name != "events"} == {
            name: rows for name, rows in tables(service).items() if name != "events"
        }


def test_an_event_that_was_overtaken_is_stale(
    service: Service, other: Service, game: MatchState
) -> None:
    mine = signed(game, "mine", ARBITER)
    other.append(game.match, [table.note("theirs")], KEYS)
    before = tables(service)
    with pytest.raises(Stale, match="at event 3 now"):
        service.post(mine.text())
    with pytest.raises(Stale):
        service.post(signed(other.state(game.match), "hi", ARBITER).text(), expect=game.head)
    assert tables(service) == before


def forged(game: MatchState) -> Envelope:
    """Somebody else's signature under the arbiter's key id."""
    event = signed(game, "forged", STRANGER)
    return Envelope(event.payload, event.signature, ARBITER.public.fingerprint)


def altered(game: MatchState) -> Envelope:
    event = signed(game, "I resign not", ARBITER)
    return Envelope(event.payload.replace(b" not", b" now"), event.signature, event.keyid)


def closed(game: MatchState) -> Envelope:
    """A seat that closes the match by itself."""
    result = {"kind": "win", "how": "resigned", "winner": "swedes"}
    return signed(game, "", ALBA, type="match.closed", by="swedes", data={"result": result})


@pytest.mark.parametrize(
    ("event", "code"),
    [
        (lambda game: signed(game, "hello", STRANGER), "wrong-signer"),
        (lambda game: signed(game, "hello", BRUNO, by="swedes"), "wrong-signer"),
        (lambda game: signed(game, "hello", ALBA, by="nobody"), "unknown-role"),
        (closed, "wrong-role"),
        (lambda game: moved(game, "e3-f3", WITNESS, "witness1"), "wrong-role"),
        (lambda game: moved(game, "e3-f3", ARBITER, "arbiter"), "wrong-role"),
        (
            lambda game: moved(game, "e3-f3", ARBITER, "arbiter", **{"for": "swedes"}),
            "seat-has-key",
        ),
        (lambda game: moved(game, "e2-h2", BRUNO, "muscovites"), "wrong-turn"),
        (lambda game: signed(game, "gap", ARBITER, seq=4), "bad-seq"),
        (lambda game: signed(game, "chain", ARBITER, prev="0" * 64), "bad-chain"),
        (lambda game: signed(game, "again", ARBITER, seq=2, prev=game.entries[1].hash), "stale"),
        (lambda game: signed(game, "unknown", ARBITER, match="0" * 64), "no-match"),
        (lambda game: signed(game, "future", ARBITER, v=2), "future-version"),
        (lambda game: signed(game, "type", ARBITER, type="shout"), "unknown-type"),
        (lambda game: signed(game, "more", ARBITER, extra=1), "bad-event"),
        (forged, "bad-signature"),
        (altered, "bad-signature"),
        (lambda game: Envelope(b"{}", bytes(64), ARBITER.public.fingerprint), "unknown-type"),
    ],
)
def test_an_event_that_does_not_fit_is_not_stored(
    service: Service, game: MatchState, event: Callable[[MatchState], Envelope], code: str
) -> None:
    before = tables(service)
    with pytest.raises(TabellionError) as caught:
        service.post(event(game).text())
    assert caught.value.code == code
    assert tables(service) == before
    assert service.append(game.match, [table.play("e3-f3")], KEYS).seq == 3


@pytest.mark.parametrize("text", [b"", b"{}", b"\xff", b"[" * 50_000, b'{"payload":1}'])
def test_what_is_no_event_is_not_stored(service: Service, game: MatchState, text: bytes) -> None:
    before = tables(service)
    with pytest.raises(Refused) as caught:
        service.post(text)
    assert caught.value.code == "not-an-envelope"
    assert tables(service) == before


def test_an_event_of_one_match_is_not_taken_for_another(service: Service, game: MatchState) -> None:
    second = service.open_match(table.opening(nonce="11" * 16), ARBITER)
    before = tables(service)
    with pytest.raises(Refused) as caught:
        service.post(signed(game, "astray", ARBITER, match=second.match, seq=1).text())
    assert caught.value.code == "bad-chain"
    assert tables(service) == before


def test_a_stored_event_with_a_false_signature_is_not_the_same_event(
    service: Service, game: MatchState
) -> None:
    event = signed(game, "signed once", ARBITER)
    state = service.post(event.text())
    false = Envelope(
        event.payload, bytes([event.signature[0] ^ 1]) + event.signature[1:], event.keyid
    )
    with pytest.raises(Refused) as caught:
        service.post(false.text())
    assert caught.value.code == "bad-signature"
    strange = envelopes.seal(event.payload, STRANGER.public, STRANGER.sign)
    with pytest.raises(Refused) as caught:
        service.post(strange.text())
    assert caught.value.code == "wrong-signer"
    assert service.state(game.match) == state
    assert service.envelopes(game.match)[-1] == event


# -- the cache ----------------------------------------------------------------------------


def test_a_failed_commit_leaves_neither_events_nor_lists_nor_memory(
    service: Service, game: MatchState
) -> None:
    """The space ends in the middle of a transaction of many events."""
    connection = service.store.connection
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count={pages + 4}")
    before = tables(service)
    with pytest.raises(TabellionError) as caught:
        service.append(game.match, [table.note("x" * 3000)] * 50, KEYS)
    assert caught.value.code == "disk-full"
    assert tables(service) == before
    assert service.state(game.match) == game
    connection.execute("PRAGMA max_page_count=1000000")
    assert service.append(game.match, [table.note("y")], KEYS).seq == 3


def test_a_failed_event_is_not_remembered(service: Service, game: MatchState) -> None:
    event = moved(game, "e3-e9", ALBA, "swedes")
    for _ in range(2):
        with pytest.raises(Refused):
            service.post(event.text())
    assert (
        service.append(game.match, [table.play("e3-f3")], KEYS).head
        == service.state(game.match).head
    )


def test_what_another_program_wrote_is_seen_before_the_next_event(
    service: Service, other: Service, game: MatchState
) -> None:
    other.append(game.match, [table.play("e3-f3"), table.play("e2-h2")], KEYS)
    with pytest.raises(LineRefused) as caught:
        service.append(game.match, [table.play("e3-f3")], KEYS)
    assert caught.value.code == "no-piece"
    assert service.append(game.match, [table.play("e4-e2")], KEYS).seq == 5


# -- a tampered ledger --------------------------------------------------------------------


def reworded(old: str, new: str) -> str:
    return f"payload = CAST(replace(CAST(payload AS TEXT), '{old}', '{new}') AS BLOB)"


FORGERIES = {
    "an event changed": f"UPDATE events SET {reworded('f3', 'g3')} WHERE seq = 3",
    "the last event changed": f"UPDATE events SET {reworded('spoken', 'denied')} WHERE seq = 5",
    "the opening changed": f"UPDATE events SET {reworded('Alba', 'Anna')} WHERE seq = 0",
    "an event gone": "DELETE FROM events WHERE seq = 4",
    "the opening gone": "DELETE FROM events WHERE seq = 0",
    "two events exchanged": "UPDATE events SET seq = iif(seq = 3, -1, 3) WHERE seq IN (3, 4)",
    "another key": "UPDATE events SET keyid = 'SHA256:x' WHERE seq = 3",
    "no JSON": "UPDATE events SET payload = x'ff' WHERE seq = 3",
    "another name": "UPDATE events SET match = hex(zeroblob(32))",
}


@pytest.mark.parametrize("what", FORGERIES)
def test_a_tampered_match_is_an_error_and_not_shown(path: Path, what: str) -> None:
    with table.new_service(path) as service:
        state = service.open_match(table.opening(), ARBITER)
        plans = [table.accept("swedes"), table.accept("muscovites"), table.play("e3-f3")]
        service.append(state.match, [*plans, table.note("x"), table.note("spoken")], KEYS)
    loose = SCHEMA["events"].replace("CHECK (seq >= 0)", "").replace("UNIQUE (match, seq),", "")
    connection = sqlite3.connect(path, isolation_level=None)
    for statement in (
        "ALTER TABLE events RENAME TO old",
        loose,
        "INSERT INTO events SELECT * FROM old",
        FORGERIES[what],
    ):
        connection.execute(statement)
    assert connection.execute("SELECT total_changes()").fetchone()[0] > 6
    connection.close()

    with Service.open(path, table.clock) as service:
        match = state.match if "name" not in what else "0" * 64
        for act in (
            lambda: service.state(match),
            lambda: service.append(match, [table.note("go on")], KEYS),
        ):
            with pytest.raises(Unreadable) as caught:
                act()
            assert caught.value.code == "match-damaged"
            assert caught.value.hint == f"tabellion audit {match[:12]}"
    assert verdict(path) == "faults"


# -- read models --------------------------------------------------------------------------

EVERY_EVENT: dict[str, Plan] = {
    "accepted": table.accept("swedes"),
    "accepted by both": table.accept("muscovites"),
    "noted": table.note("photo of the board", by="witness1"),
    **{f"moved {text}": table.play(text) for text in table.SHORT_GAME},
    "rewound from the end": table.rewind(11),
    "resigned": table.resign("swedes"),
    "rewound from the resignation": table.rewind(11),
    "moved again": table.play("Ka3-a1"),
    "closed": table.close(),
    "countersigned by the winner": table.countersign("swedes"),
    "countersigned by a witness": table.countersign("witness1"),
    "countersigned by the loser": table.countersign("muscovites"),
}


def test_after_every_event_the_lists_are_those_of_a_rebuild(service: Service, path: Path) -> None:
    match = service.open_match(table.opening(witness=True), ARBITER).match
    service.open_match(table.opening(keyed=(), nonce="11" * 16), ARBITER)
    results = []
    for what, plan in EVERY_EVENT.items():
        service.append(match, [plan], KEYS)
        kept = tables(service)
        assert service.rebuild() == 2
        assert tables(service) == kept, what
        assert verdict(path) == "sound", what
        if kept["results"]:
            results.append(what)
    assert results == ["moved Ka3-a1", "resigned", *list(EVERY_EVENT)[-5:]]


def test_the_lists_say_who_plays_and_what_is_awaited(service: Service, game: MatchState) -> None:
    service.append(game.match, [table.play("e3-f3")], KEYS)
    (line,) = readmodels.matches(service.store).matches
    assert line.match == game.match
    assert line.seats == {"swedes": "Alba", "muscovites": "Bruno"}
    assert (line.events, line.phase, line.turn, line.result) == (4, "in-play", "muscovites", None)
    assert "Bruno" in line.next


def test_a_note_is_not_told_like_an_act_of_the_arbiter(service: Service) -> None:
    """An arbiter may be called anything, and write anything."""
    match = table.whole_game(service)
    closing = next(line for line in views.log(match).events if line.type == "match.closed")
    name, _, text = closing.text.partition(": ")
    opening = replace(
        table.opening(nonce="7" * 32), arbiter=Officer(name=name, key=ARBITER.public.line)
    )
    forged = service.open_match(opening, ARBITER, [table.note(text)])
    assert views.log(forged).events[-1].text != closing.text


@pytest.mark.parametrize("look", ["list", "audit"])
def test_what_is_read_belongs_to_one_moment(
    service: Service, path: Path, look: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before every statement of the reader another program writes, and opens a match."""
    match = table.whole_game(service).match
    store = Store.open(path, write=False)
    nonces = iter(range(1, 1000))

    def meanwhile(statement: str) -> None:
        if "FROM" in statement:
            service.append(match, [table.note("meanwhile")], KEYS)
            service.open_match(table.opening(nonce=f"{next(nonces):032x}"), ARBITER)

    store.connection.set_trace_callback(meanwhile)
    if look == "list":
        lines = readmodels.matches(store).matches
        assert all(line.seats for line in lines)
    else:
        monkeypatch.setattr(Store, "open", lambda *_, **__: store)
        assert inspect_ledger(path, None, trust(None, None)).file_faults == ()
    assert next(nonces) > 2
    store.close()


DAMAGE = {
    "a trigger": ["CREATE TRIGGER t BEFORE INSERT ON {0} BEGIN SELECT RAISE(ABORT, 'no'); END"],
    "dropped": ["DROP TABLE {0}"],
    "emptied": ["DELETE FROM {0}"],
    "a column renamed": ["ALTER TABLE {0} RENAME COLUMN match TO game_id"],
    "another table": ["DROP TABLE {0}", "CREATE TABLE {0} (a, b)"],
    "a view": ["DROP TABLE {0}", "CREATE VIEW {0} AS SELECT 1 AS match"],
    "an endless view": [
        "DROP TABLE {0}",
        "CREATE VIEW {0} AS WITH RECURSIVE r(match) AS (SELECT 'x' UNION ALL SELECT match FROM r)"
        " SELECT match FROM r",
    ],
    "a row too many": [
        "CREATE TABLE copy AS SELECT * FROM {0}",
        "UPDATE copy SET match = 'x'",
        "INSERT INTO {0} SELECT * FROM copy",
        "DROP TABLE copy",
    ],
}
HARMLESS = {
    "in capitals": ["ALTER TABLE {0} RENAME TO x", "ALTER TABLE x RENAME TO {1}"],
    "a column added": ["ALTER TABLE {0} ADD COLUMN elo INTEGER"],
    "an index": ["CREATE INDEX mine ON {0} (match)"],
}


def damage(service: Service, name: str, what: str) -> None:
    for statement in (DAMAGE | HARMLESS)[what]:
        service.store.connection.execute(statement.format(name, name.upper()))


@pytest.mark.parametrize("name", readmodels.TABLES)
@pytest.mark.parametrize("what", DAMAGE | HARMLESS)
def test_damaged_lists_are_found_by_the_audit_and_brought_back_by_a_rebuild(
    service: Service, path: Path, name: str, what: str
) -> None:
    state = table.whole_game(service)
    before = tables(service)
    damage(service, name, what)
    assert verdict(path) == ("faults" if what in DAMAGE else "sound")
    assert service.rebuild() == 1
    assert tables(service) == before
    assert verdict(path) == "sound"
    assert service.append(state.match, [table.note("on we go")], KEYS).seq == state.seq + 1


@pytest.mark.parametrize("name", readmodels.TABLES)
@pytest.mark.parametrize(
    "what", ["dropped", "another table", "a view", "an endless view", "a trigger"]
)
def test_without_lists_the_error_names_the_remedy_and_nothing_is_stored(
    service: Service, name: str, what: str
) -> None:
    opened = service.open_match(table.opening(), ARBITER)
    game = [table.accept("swedes"), table.accept("muscovites")]
    game += [table.play(move) for move in table.SHORT_GAME]
    damage(service, name, what)

    acts: list[Callable[[], object]] = [lambda: service.append(opened.match, game, KEYS)]
    if what != "a trigger":
        acts.append(lambda: readmodels.matches(service.store))
    for act in acts:
        with pytest.raises(Unreadable, match="lists of matches, seats and results") as caught:
            act()
        assert caught.value.code == "lists-damaged"
        assert caught.value.hint == "tabellion init --rebuild"
    assert service.state(opened.match) == opened, "a match is shown without the lists"

    assert service.rebuild() == 1
    assert service.append(opened.match, game, KEYS).result is not None


@pytest.mark.parametrize(
    "change", ["seats SET name = NULL", "matches SET awaits = NULL", "results SET kind = 'fun'"]
)
def test_a_value_that_no_event_gives_is_damage_to_the_lists(service: Service, change: str) -> None:
    table.whole_game(service)
    service.store.connection.execute(f"UPDATE {change}")
    with pytest.raises(Unreadable) as caught:
        readmodels.matches(service.store)
    assert caught.value.code == "lists-damaged"


def test_the_command_that_the_error_names_mends_the_lists(path: Path) -> None:
    with table.new_service(path) as service:
        match = table.whole_game(service).match
        damage(service, "matches", "dropped")
    assert tabellion("list", path) == (2, "")
    assert tabellion("show", path, match)[0] == 0
    assert tabellion("init", path, "--rebuild")[0] == 0
    status, text = tabellion("list", path)
    assert (status, text.split()[0]) == (0, match)


def tabellion(command: str, ledger: Path, *options: str) -> tuple[int, str]:
    """Exit status and standard output of the program."""
    done = subprocess.run(
        [sys.executable, "-c", "import cli; cli.main()", command, "--ledger", ledger, *options],
        cwd=Path(__file__).parent.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0 or "hint: tabellion init --rebuild" in done.stderr
    return done.returncode, done.stdout


def test_a_rebuild_that_fails_leaves_the_lists_as_they_were(
    service: Service, game: MatchState
) -> None:
    service.store.connection.execute("DROP TRIGGER events_never_change")
    service.store.connection.execute("UPDATE events SET payload = x'00' WHERE seq = 1")
    before = tables(service)
    with pytest.raises(Unreadable) as caught:
        service.rebuild()
    assert caught.value.code == "match-damaged"
    assert tables(service) == before


# -- resolve ------------------------------------------------------------------------------


@pytest.fixture
def crowd(service: Service) -> list[str]:
    """Forty matches: some ids begin alike."""
    return [
        service.open_match(table.opening(nonce=f"{number:032x}"), ARBITER).match
        for number in range(40)
    ]


def test_a_match_is_found_by_the_beginning_of_its_id(service: Service, crowd: list[str]) -> None:
    for match in crowd:
        assert service.resolve(match) == match
        assert service.resolve(match[:12]) == match
        assert service.resolve(match[:12].upper()) == match
        shortest = next(
            match[:n] for n in range(1, 65) if sum(m.startswith(match[:n]) for m in crowd) == 1
        )
        assert service.resolve(shortest) == match


def test_a_beginning_of_several_names_some_of_them(service: Service, crowd: list[str]) -> None:
    alike = next(
        [m for m in crowd if m[0] == letter]
        for letter in "0123456789abcdef"
        if sum(m[0] == letter for m in crowd) > 1
    )
    with pytest.raises(Ambiguous) as caught:
        service.resolve(alike[0][0])
    assert caught.value.code == "ambiguous-match"
    assert caught.value.message.startswith(f"{len(alike)} matches begin with {alike[0][0]}: ")
    assert alike[0][:12] in caught.value.message


HOSTILE = ["", "%", "_", "' OR 1=1 --", "*", "?", "g", "0" * 65, "x" * 100_000]
UNICODE = ["\x00", "\udcff", "ß", "İ", "٣", "²"]


@pytest.mark.parametrize("text", HOSTILE + UNICODE, ids=lambda text: ascii(text)[:12])
def test_hostile_text_finds_nothing_and_can_be_printed(
    service: Service, crowd: list[str], text: str
) -> None:
    with pytest.raises(NotFound) as caught:
        service.resolve(text)
    assert caught.value.code == "no-match"
    assert caught.value.message.isascii()
    assert len(caught.value.message) < 120


def test_decoded_events_are_those_of_the_fold(service: Service, game: MatchState) -> None:
    said = [decode(each.payload) for each in service.envelopes(game.match)]
    assert said == [entry.event for entry in game.entries]
