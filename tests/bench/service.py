"""The service beside the same calls in its own process, and a full hall.

Posting: the signed events of matches, one after the other, to ``tabellion serve`` over one
connection, and to ``Service.post`` on another ledger; both store durably. Reading: the state of a
match (``GET /api/matches/ID``) and the events after a number, beside ``views.show`` of the fold
and the rows. In turns, the best of the rounds. The hall: twenty matches at once before two
hundred spectators, each table an event every ``PAUSE`` seconds, with the time from the posting of
an event to each screen; then 20 000 events and the memory of the server.
``python tests/bench/service.py [--day]``
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from http.client import HTTPConnection
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

import crowd
import msgspec
from server import program
from table import clock

from ledger import views
from ledger.envelope import Envelope
from ledger.service import Service

ROUNDS = 3
READS = 300
TABLES, SPECTATORS, PAUSE = 20, 200, 0.5

Matches = Sequence[Sequence[Envelope]]


def posted_here(folder: Path, matches: Matches) -> float:
    """Events a second through ``Service.post``."""
    ledger = folder / "here.db"
    crowd.prepared(ledger, matches)
    with Service.open(ledger, clock) as service:
        began = time.perf_counter()
        for envelopes in matches:
            for each in envelopes[1:]:
                service.post(each.text())
        took = time.perf_counter() - began
    return sum(len(each) - 1 for each in matches) / took


def posted_there(folder: Path, matches: Matches) -> float:
    """Events a second through the server."""
    ledger = folder / "there.db"
    crowd.prepared(ledger, matches)
    with program(ledger) as server:
        line = HTTPConnection("127.0.0.1", server.port)
        began = time.perf_counter()
        for envelopes in matches:
            for each in envelopes[1:]:
                line.request("POST", "/api/events", each.text(), JSON)
                answer = line.getresponse()
                answer.read()
                assert answer.status == 201, answer.status
        took = time.perf_counter() - began
        line.close()
    return sum(len(each) - 1 for each in matches) / took


JSON = {"Content-Type": "application/json"}


def reads(act: Callable[[], object]) -> float:
    """Reads a second."""
    began = time.perf_counter()
    for _ in range(READS):
        act()
    return READS / (time.perf_counter() - began)


def reading(folder: Path, matches: Matches) -> dict[str, tuple[float, float]]:
    """State and events a second: through the server, and here."""
    ledger, match = folder / "there.db", matches[0][0].hash
    found = {}
    with program(ledger) as server, Service.open(ledger, clock, write=False) as service:
        line = HTTPConnection("127.0.0.1", server.port)

        def asked(path: str) -> bytes:
            line.request("GET", path)
            return line.getresponse().read()

        def shown() -> bytes:
            return msgspec.json.encode(views.show(service.remember(service.current(match))))

        last = len(matches[0]) - 21
        state = f"/api/matches/{match}"
        since = f"{state}/events?since={last}"
        found["state"] = reads(lambda: asked(state)), reads(shown)
        found["twenty events"] = (
            reads(lambda: asked(since)),
            reads(lambda: [row.envelope.text() for row in service.store.rows(match, last)]),
        )
        line.close()
    return found


def hall(folder: Path) -> None:
    matches = crowd.tables(TABLES, longest=24)
    ledger = folder / "hall.db"
    crowd.prepared(ledger, matches)
    with program(ledger) as server:
        waited = crowd.delays(*crowd.evening(server.port, matches, SPECTATORS, PAUSE))
    marks = ", ".join(
        f"p{part} {1000 * waited[len(waited) * part // 100]:.0f} ms" for part in (50, 95, 99)
    )
    print(f"hall: {TABLES} matches, {SPECTATORS} spectators, {len(waited)} sights: {marks}")


def day(folder: Path) -> None:
    matches = crowd.tables(60, longest=400)
    ledger = folder / "day.db"
    crowd.prepared(ledger, matches)
    done = 0
    with program(ledger) as server:
        for start in range(0, len(matches), 6):
            crowd.evening(server.port, matches[start : start + 6], 12)
            done += sum(map(len, matches[start : start + 6]))
            print(f"day: {done} events, {crowd.resident(server.process.pid) // 1024} MiB")


def main() -> None:
    matches = crowd.tables(4, longest=150)
    here, there = [], []
    for _ in range(ROUNDS):
        with tempfile.TemporaryDirectory() as folder:
            here.append(posted_here(Path(folder), matches))
            there.append(posted_there(Path(folder), matches))
            read = reading(Path(folder), matches)
    print(
        f"posts: {max(there):.0f} events a second through the server, {max(here):.0f} in process: "
        f"ratio {max(there) / max(here):.2f}"
    )
    for what, (asked, own) in read.items():
        print(f"reads of {what}: {asked:.0f} a second, {own:.0f} in process: {asked / own:.2f}")
    with tempfile.TemporaryDirectory() as folder:
        hall(Path(folder))
        if "--day" in sys.argv[1:]:
            day(Path(folder))


if __name__ == "__main__":
    main()
