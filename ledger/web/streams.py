"""Server-sent events (WHATWG HTML, 9.2): a match as it goes on, and the hall.

``id`` is the number of the event, so that a browser that comes back says where it was
(``Last-Event-ID``). Written here and not by a library: the one there is replaces uvicorn's own
handling of signals for the whole process.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from ledger.errors import TabellionError
from ledger.web.answers import number, query
from ledger.web.clerk import Clerk
from ledger.web.feed import Channel, Feed
from ledger.web.limits import Limits, Places
from ledger.web.logbook import LOG

CHUNK: Final = 64 * 1024
"""Bytes that are handed to the network at once, an event more or less."""
STILL_HERE: Final = b": still here\n\n"
HEADERS: Final = {"cache-control": "no-store", "x-accel-buffering": "no"}
_DIGITS: Final = frozenset("0123456789abcdef")


class Stream(Response):
    """An answer that goes on until its reader leaves or the server stops."""

    media_type = "text/event-stream"

    def __init__(self, parts: AsyncGenerator[bytes, None], places: Places, address: str) -> None:
        super().__init__(headers=HEADERS)
        del self.headers["content-length"]
        self.parts = parts
        self.places = places
        self.address = address

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self.places.held(self.address):
            start = {"status": self.status_code, "headers": self.raw_headers}
            await send({"type": "http.response.start", **start})
            if scope["method"] == "HEAD":
                await send({"type": "http.response.body"})
                return
            writing = asyncio.ensure_future(self._write(send))
            leaving = asyncio.ensure_future(_left(receive))
            try:
                await asyncio.wait({writing, leaving}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                leaving.cancel()
                if not writing.done():
                    writing.cancel()
                await asyncio.gather(writing, leaving, return_exceptions=True)
            if not writing.cancelled():
                writing.result()
                await send({"type": "http.response.body"})

    async def _write(self, send: Send) -> None:
        try:
            async with aclosing(self.parts) as parts:
                async for part in parts:
                    if part:
                        await send({"type": "http.response.body", "body": part, "more_body": True})
        except TabellionError as error:  # of the ledger: the reader comes back and is told
            LOG.note(f"{error.code}: {error.message}")


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


class Streams:
    """The two streams there are."""

    def __init__(self, clerk: Clerk, feed: Feed, limits: Limits) -> None:
        self.clerk = clerk
        self.feed = feed
        self.limits = limits
        self.places = Places("streams", limits.streams, limits.streams_each, limits.streams_here)

    async def match(self, request: Request) -> Response:
        """What happens in one match, after the event that the reader has already."""
        last = request.headers.get("last-event-id")
        seq = number(last, "Last-Event-ID") if last else query(request, "since", -1)
        digest = request.query_params.get("hash")
        if digest is not None and not (len(digest) == 64 and _DIGITS.issuperset(digest)):
            digest = None
        match = await self.clerk.ask(self.clerk.find, request.path_params["match"])
        return self._stream(request, self._follow(match, seq, digest))

    async def hall(self, request: Request) -> Response:
        """What happens in the hall."""
        return self._stream(request, self._watch())

    def _stream(self, request: Request, parts: AsyncGenerator[bytes, None]) -> Stream:
        address = request.client.host if request.client else ""
        return Stream(parts, self.places, address)

    async def _follow(
        self, match: str, seq: int, digest: str | None
    ) -> AsyncGenerator[bytes, None]:
        with self.feed.watching(match) as channel:
            if channel.head is None:
                _, head, table = await self.clerk.ask(self.clerk.table, match)
                channel.begin(head, table)
            shown: bytes | None = None
            while True:
                bell = channel.bell.next
                messages = channel.after(seq, digest)
                if messages is None:
                    tail = await self.clerk.ask(self.clerk.tail, match, seq, digest)
                    messages = list(tail.messages)
                    if tail.common < seq:
                        yield b'event: parted\ndata: {"common":%d}\n\n' % tail.common
                    seq, digest = tail.common, tail.hash
                part = b""
                for message in messages:
                    seq, digest = message.seq, message.hash
                    part += message.data
                    if len(part) > CHUNK:
                        yield part
                        part = b""
                now = _table(channel, digest)
                if now is not None and now is not shown:
                    shown = now
                    part += b"event: table\ndata: %b\n\n" % now
                if part:
                    yield part
                elif self.feed.ended:
                    return
                else:
                    yield await self._silence(bell)

    async def _watch(self) -> AsyncGenerator[bytes, None]:
        with self.feed.watching_hall() as hall:
            number = hall.number
            yield b"event: hall\ndata: %b\n\n" % await whole_hall(self.clerk)
            while not self.feed.ended:
                bell = hall.bell.next
                lines = hall.after(number)
                number = hall.number
                if lines:
                    yield b"".join(b"event: line\ndata: %b\n\n" % line for line in lines)
                else:
                    yield await self._silence(bell)

    async def _silence(self, bell: asyncio.Event) -> bytes:
        """Wait for something new; a comment, or nothing, to be sent meanwhile."""
        try:
            async with asyncio.timeout(self.limits.silence_seconds):
                await bell.wait()
        except TimeoutError:
            return STILL_HERE
        return b""


def _table(channel: Channel, digest: str | None) -> bytes | None:
    """How the match stands, if it stands where the reader is."""
    if channel.head is None or channel.head.hash != digest:
        return None
    return channel.table


async def whole_hall(clerk: Clerk) -> bytes:
    """The hall, encoded. Each match is a question of its own, so that others get a word in."""
    lines = []
    for match, head in await clerk.ask(clerk.hall):
        if (line := await clerk.ask(clerk.line, match, head)) is not None:
            lines.append(line)
    return b'{"matches":[%b]}' % b",".join(lines)
