"""A full hall: spectators who watch matches live, and tables that play, all at once.

Spectators are streams of one event loop in this process, the players' phones post the events of a
tournament that is signed already; the server is the program, a process of its own.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import loops
import tournament

from ledger.envelope import Envelope
from ledger.service import Service


def prepared(ledger: Path, matches: Sequence[Sequence[Envelope]]) -> None:
    """A ledger in which these matches have been opened and nothing else."""
    with Service.open(ledger, lambda: "2026-11-29T18:00:00Z", create=True) as service:
        for envelopes in matches:
            service.post(envelopes[0].text())


class Spectator:
    """Somebody who watches a match: what arrived, and when."""

    def __init__(self, port: int, match: str) -> None:
        self.port = port
        self.match = match
        self.seen: list[int] = []
        self.at: dict[int, float] = {}
        self.tables: list[int] = []

    async def watch(self, last: int) -> None:
        """Read the stream until event ``last`` and the board after it have come."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 20)
        path = f"/api/matches/{self.match}/stream"
        writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n\r\n".encode())
        kind = ""
        while last not in self.at or self.tables[-1:] != [last]:
            line = await reader.readline()
            if not line:
                raise ConnectionError(f"the stream ended at {self.seen[-1:]}")
            if line.startswith(b"event: "):
                kind = line[7:-1].decode()
            elif line.startswith(b"id: "):
                number = int(line[4:])
                self.seen.append(number)
                self.at[number] = time.perf_counter()
            elif line.startswith(b"data: ") and kind == "table":
                self.tables.append(json.loads(line[6:])["seq"])
        writer.close()


class Phones:
    """The phones at one table: they post event after event of their match."""

    def __init__(self, port: int, envelopes: Sequence[Envelope]) -> None:
        self.port = port
        self.envelopes = envelopes
        self.posted: dict[int, float] = {}

    async def play(self, late: float, pause: float) -> None:
        """Post all but the opening, one after the other; ``pause`` seconds between two, the first
        ``late`` seconds after the other tables."""
        await asyncio.sleep(late)
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        for seq, envelope in enumerate(self.envelopes[1:], 1):
            body = envelope.text()
            head = (
                f"POST /api/events HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n"
                f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
            )
            self.posted[seq] = time.perf_counter()
            writer.write(head.encode() + body)
            status = await _answer(reader)
            if status != 201:
                raise ConnectionError(f"event {seq} was answered with {status}")
            await asyncio.sleep(pause)
        writer.close()


async def _answer(reader: asyncio.StreamReader) -> int:
    """The status of one answer; its body is read and left."""
    head = await reader.readuntil(b"\r\n\r\n")
    lines = head.lower().split(b"\r\n")
    length = next(int(line[16:]) for line in lines if line.startswith(b"content-length: "))
    await reader.readexactly(length)
    return int(head[9:12])


def evening(
    port: int, matches: Sequence[Sequence[Envelope]], spectators: int, pause: float = 0.0
) -> tuple[list[Spectator], list[Phones]]:
    """All matches are played at once, before so many spectators, divided among them."""
    ids = [envelopes[0].hash for envelopes in matches]
    crowd = [Spectator(port, ids[number % len(ids)]) for number in range(spectators)]
    lengths = {match: len(envelopes) for match, envelopes in zip(ids, matches, strict=True)}
    phones = [Phones(port, envelopes) for envelopes in matches]

    async def all_at_once() -> None:
        watching = [asyncio.create_task(each.watch(lengths[each.match] - 1)) for each in crowd]
        async with asyncio.timeout(120):
            while not all(each.tables for each in crowd):
                await asyncio.sleep(0.01)
            late = pause / len(phones)
            await asyncio.gather(
                *(each.play(late * number, pause) for number, each in enumerate(phones))
            )
            await asyncio.gather(*watching)

    loops.run(all_at_once())
    return crowd, phones


def delays(crowd: Sequence[Spectator], phones: Sequence[Phones]) -> list[float]:
    """For every event and everybody who saw it the seconds since it was posted, ascending."""
    posted: dict[str, dict[int, float]] = defaultdict(dict)
    for each in phones:
        posted[each.envelopes[0].hash] = each.posted
    return sorted(
        seen - posted[each.match][seq]
        for each in crowd
        for seq, seen in each.at.items()
        if seq in posted[each.match]
    )


def tables(many: int, longest: int) -> list[list[Envelope]]:
    """So many matches of a tournament, of about that length."""
    return list(tournament.matches(many, longest))


def resident(pid: int) -> int:
    """Memory of a process that is in use, in KiB (Linux)."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0])
