"""A full hall: two hundred spectators, twenty matches in play at once, and a long day."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import crowd
import pytest
from server import program

from ledger.store import Store

TABLES = 20
SPECTATORS = 200
DAY = 20_000
"""Events of a long day."""
MEMORY = Path("/dev/shm")
SOME = 6
"""Matches that are played at once all day."""


def test_two_hundred_watch_twenty_matches_and_nothing_is_lost_or_doubled(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    ledger = tmp_path / "ledger.db"
    matches = crowd.tables(TABLES, longest=12)
    crowd.prepared(ledger, matches)
    with program(ledger) as server:
        spectators, phones = crowd.evening(server.port, matches, SPECTATORS)
    lengths = {envelopes[0].hash: len(envelopes) for envelopes in matches}
    for each in spectators:
        assert each.seen == list(range(lengths[each.match]))
        assert all(one < other for one, other in pairwise(each.tables))
    with Store.open(ledger, write=False) as store:
        for envelopes in matches:
            assert [row.envelope for row in store.rows(envelopes[0].hash)] == envelopes
    waited = crowd.delays(spectators, phones)
    assert len(waited) == sum(lengths[each.match] - 1 for each in spectators)
    record_property("p95 from post to seen, ms", round(1000 * waited[len(waited) * 95 // 100]))


@pytest.fixture
def in_memory() -> Iterator[Path]:
    """A folder that needs no disk, where there is one: what is measured is the server."""
    with TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
        yield Path(folder)


@pytest.mark.long
def test_memory_stays_level_over_twenty_thousand_events(in_memory: Path) -> None:
    ledger = in_memory / "ledger.db"
    matches = crowd.tables(DAY // 330, longest=400)
    assert sum(map(len, matches)) >= DAY
    crowd.prepared(ledger, matches)
    posted, used = [0], []
    with program(ledger) as server:
        for start in range(0, len(matches), SOME):
            playing = matches[start : start + SOME]
            crowd.evening(server.port, playing, spectators=1)
            posted.append(posted[-1] + sum(map(len, playing)))
            used.append(crowd.resident(server.process.pid))
    half = next(index for index, events in enumerate(posted[1:]) if events > DAY * 6 // 10)
    assert max(used[half:]) - used[half] < used[half] / 10, used
