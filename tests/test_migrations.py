"""Ledgers of older formats: read as they are, brought to today's format when they are written.

``golden/v1.db``, ``v2-dice.db`` and ``v3.db`` are ledgers that formats 1, 2 and 3 wrote. The tests
work on copies of them.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from hashlib import sha256
from itertools import islice
from multiprocessing import get_context
from pathlib import Path

import pytest
import table
from match import SPARE_KEYS

from ledger import readmodels, record
from ledger.errors import NotAllowed, Unreadable
from ledger.fold import MatchState
from ledger.inspection import inspect_ledger, trust
from ledger.migrations import FORMAT, SCHEMAS, STEPS
from ledger.service import Service
from ledger.sqlitefile import sqlite3
from ledger.store import Store

GOLDEN = Path(__file__).parent / "golden"
PLAYED = json.loads((GOLDEN / "v1-tablut.expected.json").read_text(encoding="utf-8"))
MATCH: str = PLAYED["match"]
EVENTS = len(PLAYED["events"])


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A copy of the ledger of format 1."""
    return Path(shutil.copy(GOLDEN / "v1.db", tmp_path / "ledger.db"))


def asked(path: Path, *questions: str) -> list[list[tuple[object, ...]]]:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        return [connection.execute(each).fetchall() for each in questions]


def version(path: Path) -> object:
    return asked(path, "PRAGMA user_version")[0][0][0]


def made(path: Path) -> dict[object, object]:
    """The ledger's own tables, indexes, triggers and view with the statements that made them."""
    (found,) = asked(
        path,
        "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL "
        "AND tbl_name IN ('events', 'set_aside', 'events_readable')",
    )
    return dict(found)


def rows(path: Path) -> list[tuple[object, ...]]:
    return asked(path, "SELECT rowid, * FROM events ORDER BY position")[0]


def verdict(path: Path) -> tuple[str, tuple[str, ...]]:
    view = inspect_ledger(path, None, trust(None, PLAYED["head"]))
    return view.verdict, view.file_faults


def test_every_format_has_its_step_to_the_next() -> None:
    assert sorted(SCHEMAS) == [*range(1, FORMAT + 1)]
    assert sorted(STEPS) == [*range(1, FORMAT)]


def test_format_one_is_as_it_was_released(old: Path) -> None:
    assert version(old) == 1
    assert made(old) == {name: sql.strip() for name, sql in SCHEMAS[1].items()}


def test_an_old_ledger_is_as_a_new_one_after_it_was_opened_for_writing(
    old: Path, tmp_path: Path
) -> None:
    before = rows(old)
    table.new_service(tmp_path / "new.db").close()
    with Service.open(old, table.clock) as service:
        assert service.store.format == FORMAT
        assert service.store.faults() == []
    assert version(old) == FORMAT
    assert made(old) == made(tmp_path / "new.db")
    assert rows(old) == before
    assert verdict(old) == ("sound", ())


def test_an_old_ledger_folds_to_the_same_match_and_goes_on(old: Path) -> None:
    with Service.open(old, table.clock) as service:
        state = service.state(MATCH)
        positions = [state.game.position(moment.game) for moment in state.moments]
        assert (state.head, positions) == (PLAYED["head"], PLAYED["positions"])
        assert (
            record.write(service.envelopes(MATCH))
            == (GOLDEN / "v1-tablut.tabellion.json").read_bytes()
        )
        assert service.append(MATCH, [table.note("Still here")], table.KEYS).seq == EVENTS
        with service.store.writing():
            assert service.store.set_aside(MATCH, EVENTS - 1) == 1
        assert [each.position for each in service.store.aside()] == [EVENTS + 1]
    assert verdict(old) == ("sound", ())


def test_reading_leaves_an_old_ledger_as_it_is(old: Path) -> None:
    before = sha256(old.read_bytes()).digest()
    with Service.open(old, table.clock, write=False) as service:
        store = service.store
        assert (store.format, store.faults()) == (1, [])
        assert (store.aside(), store.aside(MATCH)) == ([], [])
        assert store.last_position() == EVENTS
        assert sorted(store.positions(MATCH).values()) == list(range(1, EVENTS + 1))
        assert service.state(MATCH).head == PLAYED["head"]
    assert verdict(old) == ("sound", ())
    assert sha256(old.read_bytes()).digest() == before


def test_who_read_an_old_ledger_reads_on_when_another_brings_it_forward(old: Path) -> None:
    with Store.open(old, write=False) as reader, Store.open(old) as writer:
        with writer.writing():
            writer.set_aside(MATCH, EVENTS - 2)
        assert reader.format == FORMAT
        assert len(reader.aside()) == 1
        assert reader.faults() == []


def test_an_old_ledger_is_judged_by_its_own_format(old: Path) -> None:
    asked(old, "DROP TRIGGER events_gapless")
    with Store.open(old, write=False) as store:
        assert store.faults() == ["The ledger's own 'events_gapless' is missing or altered."]


@pytest.mark.parametrize(
    "alteration",
    [
        ("DROP TRIGGER events_never_go",),
        ("DROP TRIGGER events_never_change",),
        (
            "DROP TRIGGER events_continue",
            "CREATE TRIGGER events_continue AFTER INSERT ON events BEGIN SELECT 1; END",
        ),
    ],
)
def test_an_altered_ledger_is_not_made_to_look_new(old: Path, alteration: tuple[str, ...]) -> None:
    asked(old, *alteration)
    before = made(old)
    with pytest.raises(Unreadable, match="not as Tabellion made it: events_") as caught:
        Store.open(old)
    assert caught.value.code == "ledger-altered"
    assert (version(old), made(old)) == (1, before)


def test_a_table_in_the_way_is_an_error_and_nothing_is_changed(old: Path) -> None:
    asked(old, "CREATE TABLE set_aside (notes)")
    with pytest.raises(Unreadable, match="already exists") as caught:
        Store.open(old)
    assert caught.value.code == "ledger-altered"
    assert version(old) == 1
    assert verdict(old) == ("sound", ())


def test_a_trigger_of_somebody_else_does_not_stop_the_arbiter(old: Path) -> None:
    asked(old, "CREATE TRIGGER mine AFTER INSERT ON events BEGIN SELECT 1; END")
    with Store.open(old) as store:
        assert store.faults() == ["The trigger 'mine' is not the ledger's own."]
        assert store.format == FORMAT


@pytest.mark.parametrize("number", [0, -1])
def test_a_format_that_never_was_is_refused(old: Path, number: int) -> None:
    asked(old, f"PRAGMA user_version={number}")
    for write in (False, True):
        with pytest.raises(Unreadable, match=f"there is no format {number}") as caught:
            Store.open(old, write=write)
        assert caught.value.code == "ledger-altered"


def test_a_ledger_of_a_later_format_is_left_alone(old: Path) -> None:
    asked(old, f"PRAGMA user_version={FORMAT + 1}")
    for write in (False, True):
        with pytest.raises(Unreadable, match="newer Tabellion") as caught:
            Store.open(old, write=write)
        assert caught.value.code == "future-ledger"


# -- the lists ---------------------------------------------------------------------------------


def lists(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """Every row of every read model."""
    names = ("matches", "seats", "results", "rolls")
    found = asked(path, *(f"SELECT * FROM {name}" for name in names))
    return {name: sorted(rows, key=repr) for name, rows in zip(names, found, strict=True)}


@pytest.fixture
def dice(tmp_path: Path) -> Path:
    """A ledger of format 2 with two matches of Tabula: it has no list of rolls."""
    return Path(shutil.copy(GOLDEN / "v2-dice.db", tmp_path / "dice.db"))


def test_format_two_is_as_it_was_released(dice: Path) -> None:
    assert version(dice) == 2
    assert made(dice) == {name: sql.strip() for name, sql in SCHEMAS[2].items()}


def test_reading_leaves_the_lists_of_format_two_as_they_are(dice: Path) -> None:
    before = sha256(dice.read_bytes()).digest()
    assert verdict_of_all(dice) == ("sound", ())
    with Store.open(dice, write=False) as store:
        lines = readmodels.matches(store).matches
    assert [line.seats for line in lines] == [{"white": "Alba", "black": "Bruno"}] * 2
    assert sha256(dice.read_bytes()).digest() == before


def test_a_list_of_format_two_that_lies_is_found(dice: Path) -> None:
    asked(dice, "UPDATE results SET winner = 'black'")
    told, faults = verdict_of_all(dice)
    assert told == "faults"
    assert all("the list results does not say what the events say" in each for each in faults)
    assert len(faults) == 2


def test_the_lists_of_format_two_are_made_anew_when_it_is_opened_for_writing(dice: Path) -> None:
    Service.open(dice, table.clock).close()
    brought = lists(dice)
    assert len(brought["rolls"]) == 14
    with Service.open(dice, table.clock) as service:
        assert service.rebuild() == 2
    assert lists(dice) == brought
    assert verdict_of_all(dice) == ("sound", ())


@pytest.mark.parametrize(
    "accident",
    [
        "DROP TABLE matches",
        "DROP TABLE seats",
        "DELETE FROM seats",
    ],
)
def test_damaged_lists_do_not_stop_an_old_ledger(dice: Path, accident: str) -> None:
    asked(dice, accident)
    Service.open(dice, table.clock).close()
    assert verdict_of_all(dice) == ("sound", ())
    assert len(lists(dice)["rolls"]) == 14


@pytest.mark.parametrize("name", ["rolls", "events_readable"])
def test_a_table_of_somebody_else_is_never_dropped(dice: Path, name: str) -> None:
    asked(dice, f"CREATE TABLE {name} (mine)", f"INSERT INTO {name} VALUES ('kept')")
    with pytest.raises(Unreadable, match=f"{name} already exists"):
        Service.open(dice, table.clock)
    assert (version(dice), asked(dice, f"SELECT * FROM {name}")) == (2, [[("kept",)]])
    assert verdict_of_all(dice) == ("sound", ())


def test_a_match_that_does_not_hold_is_brought_along_as_far_as_it_does(dice: Path) -> None:
    name = "events_never_change"
    with closing(sqlite3.connect(dice, isolation_level=None)) as connection:
        (sql,) = connection.execute("SELECT sql FROM sqlite_master WHERE name = ?", (name,))
        connection.execute(f"DROP TRIGGER {name}")
        connection.execute("UPDATE events SET payload = x'7b7d' WHERE position = 20")
        connection.execute(sql[0])
    Service.open(dice, table.clock).close()
    assert (version(dice), len(lists(dice)["matches"])) == (FORMAT, 2)
    assert verdict_of_all(dice)[0] == "faults"


def verdict_of_all(path: Path) -> tuple[str, tuple[str, ...]]:
    view = inspect_ledger(path, None, trust(None, None))
    return view.verdict, view.file_faults


def test_the_ledger_of_format_three_is_read_for_ever(tmp_path: Path) -> None:
    """``golden/v3.db`` holds four matches of three games. It is never regenerated; ``v3.json``
    says what its lists say."""
    path = Path(shutil.copy(GOLDEN / "v3.db", tmp_path / "ledger.db"))
    expected = json.loads((GOLDEN / "v3.json").read_text(encoding="utf-8"))
    known = {key.public: key for key in (table.ARBITER, *SPARE_KEYS)}
    assert version(path) == 3
    assert made(path) == {name: sql.strip() for name, sql in SCHEMAS[3].items()}
    assert json.loads(json.dumps(lists(path))) == expected["lists"]
    assert verdict_of_all(path) == ("sound", ())
    with Service.open(path, table.clock) as service:
        states = {match: service.state(match) for match in service.store.matches()}
        assert {match: state.head for match, state in states.items()} == expected["heads"]
        for match, state in states.items():
            arbiter = known[state.roster["arbiter"].key]
            service.append(match, [table.note("Still here")], {"arbiter": arbiter})
    assert verdict_of_all(path) == ("sound", ())


# -- many at once, and accidents -----------------------------------------------------------


@pytest.fixture(scope="module")
def four() -> Iterator[ProcessPoolExecutor]:
    """Four processes that wait for work."""
    with ProcessPoolExecutor(4, mp_context=get_context("spawn")) as pool:
        list(pool.map(time.sleep, [0.2] * 4))
        yield pool


def note_down(path: Path, text: str) -> str:
    with Service.open(path, table.clock) as service:
        return service.append(MATCH, [table.note(text)], table.KEYS).head


def test_four_programs_that_open_an_old_ledger_at_once_all_write_to_it(
    tmp_path: Path, four: ProcessPoolExecutor
) -> None:
    for turn in range(8):
        path = Path(shutil.copy(GOLDEN / "v1.db", tmp_path / f"{turn}.db"))
        heads = list(four.map(note_down, [path] * 4, map(str, range(4))))
        with Service.open(path, table.clock) as service:
            stored = [each.hash for each in service.envelopes(MATCH)[EVENTS:]]
            assert sorted(stored) == sorted(heads)
            assert service.store.format == FORMAT
        assert verdict(path)[1] == ()


KILLED = """
import os, sys
from pathlib import Path
from ledger import store

def steps(done):
    yield from store.STEPS_OF_ONE[:done]
    os.kill(os.getpid(), 9)

store.STEPS_OF_ONE = store.STEPS[1]
store.STEPS = {**store.STEPS, 1: steps(int(sys.argv[2]))}
store.Store.open(Path(sys.argv[1]))
"""


@pytest.mark.parametrize("done", [0, 1, 4, len(STEPS[1])])
def test_a_process_killed_while_it_migrates_leaves_the_old_ledger(old: Path, done: int) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", KILLED, str(old), str(done)],
        cwd=Path(__file__).parent.parent,
        check=False,
    )
    assert ran.returncode == -9
    with Store.open(old, write=False) as store:
        assert (store.format, store.faults(), len(store.rows(MATCH))) == (1, [], EVENTS)
    with Service.open(old, table.clock) as service:
        store = service.store
        assert (store.format, store.faults(), len(store.rows(MATCH))) == (FORMAT, [], EVENTS)
    assert verdict(old) == ("sound", ())


def test_lists_that_are_not_made_to_the_end_leave_format_two(
    dice: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(store: Store, states: Iterable[MatchState]) -> int:
        whole(store, islice(states, 1))
        raise KeyboardInterrupt

    whole = readmodels.rebuild
    before = sha256(dice.read_bytes()).digest()
    with monkeypatch.context() as patch:
        patch.setattr(readmodels, "rebuild", broken)
        with pytest.raises(KeyboardInterrupt):
            Service.open(dice, table.clock)
    assert sha256(dice.read_bytes()).digest() == before
    Service.open(dice, table.clock).close()
    assert len(lists(dice)["rolls"]) == 14


@pytest.mark.parametrize("step", range(len(STEPS[1])))
def test_a_step_that_breaks_off_anywhere_is_taken_back(
    old: Path, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    before = made(old)
    broken = (*STEPS[1][:step], "SELECT no_such_function()")
    monkeypatch.setitem(STEPS, 1, broken)  # type: ignore[arg-type]
    with pytest.raises(Unreadable):
        Store.open(old)
    assert (version(old), made(old)) == (1, before)
    assert verdict(old) == ("sound", ())


def test_without_space_an_old_ledger_stays_as_it_is(
    old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(store: Store, furnish: Callable[[Store], None] | None) -> None:
        (pages,) = store.connection.execute("PRAGMA page_count").fetchone()
        store.connection.execute(f"PRAGMA max_page_count={pages}")
        migrate(store, furnish)

    migrate = Store._migrate
    monkeypatch.setattr(Store, "_migrate", full)
    with pytest.raises(NotAllowed, match="no space left") as caught:
        Store.open(old)
    assert caught.value.code == "disk-full"
    assert version(old) == 1
    assert verdict(old) == ("sound", ())
