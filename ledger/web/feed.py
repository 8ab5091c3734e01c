"""What streams have still to send: a short memory of the latest events, and the ledger behind it.

A stream keeps only the number and the hash of what it sent last, so that a slow reader keeps
nobody waiting and fills no memory; nothing is left out and nothing sent twice. Lives in the event
loop alone.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from ledger.web.clerk import News
from ledger.web.watching import Head, Message

MEMORY: Final = 64
"""Events that are remembered for each match that somebody watches."""


class Bell:
    """Wakes everybody who waits, once."""

    def __init__(self) -> None:
        self._event = asyncio.Event()

    @property
    def next(self) -> asyncio.Event:
        """What is set at the next ring. Take it before looking at what there is."""
        return self._event

    def ring(self) -> None:
        self._event.set()
        self._event = asyncio.Event()


class Channel:
    """A match that somebody watches."""

    def __init__(self) -> None:
        self.bell = Bell()
        self.watchers = 0
        self.head: Head | None = None
        self.table: bytes | None = None
        self._memory: deque[Message] = deque(maxlen=MEMORY)

    def begin(self, head: Head, table: bytes) -> None:
        """How the match stands, unless something newer was published meanwhile."""
        if self.head is None:
            self.head, self.table = head, table

    def add(self, news: News) -> None:
        for message in news.messages:
            if self._memory and self._memory[-1].hash != message.prev:
                self._memory.clear()
            self._memory.append(message)
        self.head, self.table = news.head, news.table
        self.bell.ring()

    def after(self, seq: int, digest: str | None) -> list[Message] | None:
        """What follows this event; ``None`` when the ledger has to be asked."""
        if self.head is not None and digest == self.head.hash:
            return []
        if not self._memory:
            return None
        index = seq + 1 - self._memory[0].seq
        if not 0 <= index < len(self._memory) or self._memory[index].prev != digest:
            return None
        return list(self._memory)[index:]


class Hall:
    """The lines of the matches that changed while somebody watches the hall."""

    def __init__(self) -> None:
        self.bell = Bell()
        self.watchers = 0
        self.number = 0
        self._lines: dict[str, tuple[int, bytes]] = {}

    def add(self, match: str, line: bytes) -> None:
        self.number += 1
        self._lines.pop(match, None)
        self._lines[match] = (self.number, line)

    def after(self, number: int) -> list[bytes]:
        """The lines that changed since, the latest last."""
        found = []
        for changed, line in reversed(self._lines.values()):
            if changed <= number:
                break
            found.append(line)
        return found[::-1]

    def forget(self) -> None:
        self._lines.clear()


class Feed:
    """All that is watched."""

    def __init__(self) -> None:
        self.channels: dict[str, Channel] = {}
        self.hall = Hall()
        self.ended = False

    def watched(self, match: str) -> bool:
        """Whether anybody wants to know how this match stands. Asked by the clerk too."""
        return self.hall.watchers > 0 or match in self.channels

    @contextmanager
    def watching(self, match: str) -> Iterator[Channel]:
        channel = self.channels.setdefault(match, Channel())
        channel.watchers += 1
        try:
            yield channel
        finally:
            channel.watchers -= 1
            if not channel.watchers:
                del self.channels[match]

    @contextmanager
    def watching_hall(self) -> Iterator[Hall]:
        self.hall.watchers += 1
        try:
            yield self.hall
        finally:
            self.hall.watchers -= 1
            if not self.hall.watchers:
                self.hall.forget()

    def publish(self, news: Sequence[News]) -> None:
        for each in news:
            if channel := self.channels.get(each.match):
                channel.add(each)
            if self.hall.watchers and each.line is not None:
                self.hall.add(each.match, each.line)
        if self.hall.watchers:
            self.hall.bell.ring()

    def end(self) -> None:
        """Let every stream end."""
        self.ended = True
        for channel in self.channels.values():
            channel.bell.ring()
        self.hall.bell.ring()
