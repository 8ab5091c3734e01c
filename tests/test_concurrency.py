"""Many programs, one ledger: nothing lost, nothing forked, nobody told "database is locked".

Real processes all of them. Each writes down what the ledger acknowledged; in the end the file is
held against that and audited.
"""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path

import pytest
import table
from table import ARBITER, KEYS

from ledger import readmodels
from ledger.errors import TabellionError
from ledger.events import Note
from ledger.inspection import inspect_ledger, trust
from ledger.service import Service
from ledger.store import Store

EVENTS = 200
"""Appended by each process."""
WRITERS = ("arbiter", "swedes", "muscovites", "witness1")
KILLING_SECONDS = 15.0


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "ledger.db"


@pytest.fixture(scope="module")
def four() -> Iterator[ProcessPoolExecutor]:
    """Four processes that wait for work."""
    with ProcessPoolExecutor(4, mp_context=get_context("spawn")) as pool:
        list(pool.map(time.sleep, [0.2] * 4))
        yield pool


def opened(path: Path, count: int) -> list[str]:
    with table.new_service(path) as service:
        return [
            service.open_match(table.opening(witness=True, nonce=f"{n:032x}"), ARBITER).match
            for n in range(count)
        ]


def write(path: Path, match: str, role: str) -> list[str]:
    """Append notes; the hashes that the ledger acknowledged. No head is expected, so that every
    append must succeed."""
    with Service.open(path, table.clock) as service:
        return [
            service.append(match, [table.note(f"{role} {number}", by=role)], KEYS).head
            for number in range(EVENTS)
        ]


def assert_sound(path: Path, matches: int) -> None:
    view = inspect_ledger(path, None, trust(None, None))
    assert view.file_faults == ()
    assert [report.faults for report in view.reports] == [()] * matches
    assert view.verdict == "sound"


def positions(path: Path) -> list[int]:
    with Store.open(path, write=False) as store:
        found = store.connection.execute("SELECT position FROM events ORDER BY position")
        return [each for (each,) in found]


# -- writers ------------------------------------------------------------------------------


def test_four_processes_write_to_one_match(path: Path, four: ProcessPoolExecutor) -> None:
    (match,) = opened(path, 1)
    written = list(four.map(write, [path] * 4, [match] * 4, WRITERS))

    with Service.open(path, table.clock, write=False) as service:
        state = service.state(match)
    in_order = [entry.hash for entry in state.entries[1:]]
    assert len(in_order) == 4 * EVENTS
    assert sorted(in_order) == sorted(digest for each in written for digest in each)
    for role, acknowledged in zip(WRITERS, written, strict=True):
        of_role = [entry for entry in state.entries[1:] if entry.event.by == role]
        assert [entry.hash for entry in of_role] == acknowledged, "in the order of writing"
        texts = [entry.event.data.text for entry in of_role if isinstance(entry.event, Note)]
        assert texts == [f"{role} {number}" for number in range(EVENTS)], "each exactly once"
    assert positions(path) == list(range(1, 4 * EVENTS + 2))
    assert_sound(path, 1)


def test_four_processes_write_to_four_matches(path: Path, four: ProcessPoolExecutor) -> None:
    matches = opened(path, 4)
    written = list(four.map(write, [path] * 4, matches, ["arbiter"] * 4))

    with Service.open(path, table.clock, write=False) as service:
        for match, acknowledged in zip(matches, written, strict=True):
            assert [entry.hash for entry in service.state(match).entries] == [match, *acknowledged]
    assert positions(path) == list(range(1, 4 * EVENTS + 5))
    assert_sound(path, 4)


def race(path: Path, match: str, role: str) -> tuple[int, int]:
    """Append only to the head that was seen: how often it went through, how often not."""
    through = late = 0
    with Service.open(path, table.clock) as service:
        for number in range(EVENTS):
            seen = service.state(match).head
            try:
                service.append(match, [table.note(f"{number}", by=role)], KEYS, expect=seen)
                through += 1
            except TabellionError as error:
                assert error.code == "stale"  # noqa: PT017
                late += 1
    return through, late


def test_of_those_who_saw_the_same_head_one_goes_through(
    path: Path, four: ProcessPoolExecutor
) -> None:
    (match,) = opened(path, 1)
    counts = list(four.map(race, [path] * 4, [match] * 4, WRITERS))
    through, late = (sum(column) for column in zip(*counts, strict=True))
    assert through + late == 4 * EVENTS
    assert late > 0, "the processes did not meet"
    with Service.open(path, table.clock, write=False) as service:
        assert service.state(match).seq == through
    assert_sound(path, 1)


# -- makers -------------------------------------------------------------------------------


def make(path: Path, start: float, number: int) -> str:
    while time.time() < start:
        pass
    with Service.open(path, table.clock, create=True) as service:
        return service.open_match(table.opening(nonce=f"{number:032x}"), ARBITER).match


def test_four_processes_make_the_same_ledger_at_once(
    tmp_path: Path, four: ProcessPoolExecutor
) -> None:
    for turn in range(25):
        path = tmp_path / f"folder{turn}" / "ledger.db"
        start = time.time() + 0.02
        matches = list(four.map(make, [path] * 4, [start] * 4, range(4)))
        with Store.open(path, write=False) as store:
            assert sorted(store.matches()) == sorted(matches)
        assert_sound(path, 4)


# -- readers ------------------------------------------------------------------------------


def look(path: Path, match: str) -> int:
    """Read in every way while others write; how many different heads were seen."""
    heads = set()
    with Service.open(path, table.clock, write=False) as service:
        while (seq := service.state(match).seq) < 2 * EVENTS:
            view = inspect_ledger(path, None, trust(None, None))
            assert (view.verdict, view.file_faults) == ("sound", ())
            lines = readmodels.matches(service.store).matches
            assert all(set(line.seats) == {"swedes", "muscovites"} for line in lines)
            (line,) = (line for line in lines if line.match == match)
            assert line.events > seq
            assert line.phase == "before-acceptance"
            heads.add(view.reports[0].head)
    return len(heads)


def write_and_open(path: Path, match: str, role: str) -> int:
    """Append, and open another match now and then."""
    with Service.open(path, table.clock) as service:
        for number in range(EVENTS):
            service.append(match, [table.note(f"{number}", by=role)], KEYS)
            if number % 10 == 0:
                nonce = f"{1 + WRITERS.index(role):016x}{number:016x}"
                service.open_match(table.opening(nonce=nonce), ARBITER)
    return EVENTS


def test_readers_see_whole_events_and_lists_that_fit(path: Path, four: ProcessPoolExecutor) -> None:
    (match,) = opened(path, 1)
    readers = [four.submit(look, path, match) for _ in range(2)]
    writers = [four.submit(write_and_open, path, match, role) for role in WRITERS[:2]]
    assert [each.result() for each in writers] == [EVENTS] * 2
    for reader in readers:
        assert reader.result() > 1, "it read while others wrote"


# -- accidents ----------------------------------------------------------------------------

APPENDER = """
import os, sys
from pathlib import Path
import table
from ledger.service import Service

path, match, start = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
with Service.open(path, table.clock) as service:
    number = start
    while True:
        plans = [table.note(f"{number}.{part}") for part in range(1 + number % 3)]
        state = service.append(match, plans, table.KEYS)
        hashes = [entry.hash for entry in state.entries[-len(plans):]]
        os.write(1, (" ".join(hashes) + "\\n").encode())
        number += 1
"""


@contextmanager
def appender(path: Path, match: str, start: int) -> Iterator[subprocess.Popen[bytes]]:
    """A process that appends, one to three events at a time, and prints what is acknowledged."""
    tests = Path(__file__).parent
    process = subprocess.Popen(
        [sys.executable, "-c", APPENDER, str(path), match, str(start)],
        stdout=subprocess.PIPE,
        cwd=tests.parent,
        env={"PYTHONPATH": f"{tests.parent}:{tests}", "PATH": ""},
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def test_a_process_killed_at_any_moment_loses_nothing_that_was_acknowledged(path: Path) -> None:
    (match,) = opened(path, 1)
    acknowledged = [match]
    chance = random.Random(4)
    end = time.monotonic() + KILLING_SECONDS
    killed = 0
    while time.monotonic() < end:
        with appender(path, match, 1000 * killed) as process:
            assert process.stdout is not None
            lines = [process.stdout.readline()]  # it is under way
            time.sleep(chance.uniform(0, 0.05))
            process.kill()
            lines += process.stdout.readlines()
        killed += 1
        for line in lines:
            assert line.endswith(b"\n")
            acknowledged += line.decode().split()

        with Service.open(path, table.clock) as service:
            stored = [entry.hash for entry in service.state(match).entries]
            kept = [digest for digest in stored if digest in set(acknowledged)]
            assert kept == acknowledged
            unsaid = len(stored) - len(acknowledged)
            assert unsaid in (0, 1, 2, 3), "at most one transaction was stored and not yet said"
            last = service.state(match).entries[-1].event
            assert isinstance(last, Note)
            number, part = map(int, last.data.text.split("."))
            assert part == number % 3, "a transaction is whole"
            acknowledged = stored
    assert killed > 20
    assert_sound(path, 1)


def test_writers_go_on_when_one_of_them_is_killed(path: Path) -> None:
    (match,) = opened(path, 1)
    with Service.open(path, table.clock) as service:
        for turn in range(5):
            with appender(path, match, 1000 * turn) as process:
                assert process.stdout is not None
                process.stdout.readline()
                process.kill()
                begun = time.monotonic()
                service.append(match, [table.note(f"turn {turn}")], KEYS)
                assert time.monotonic() - begun < 5
    assert_sound(path, 1)
