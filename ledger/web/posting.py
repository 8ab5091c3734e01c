"""What comes in: one signed event at a time. It is answered when it is on the disk.

A forged event costs little: its size is looked at first, then its form, then whether its key may
open matches here; only then the ledger is asked.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from ledger import envelope as envelopes
from ledger.envelope import MAX_ENVELOPE
from ledger.errors import NotAllowed, Unreadable
from ledger.events import MatchOpened, decode
from ledger.web.answers import json
from ledger.web.clerk import Clerk
from ledger.web.limits import Pace

TYPES = ("application/json", "application/octet-stream")


class Posting:
    """The route that writes. ``openers``: fingerprints of the keys that may open matches here."""

    def __init__(
        self, clerk: Clerk, pace: Pace, openers: Collection[str], body_seconds: float
    ) -> None:
        self.clerk = clerk
        self.pace = pace
        self.openers = openers
        self.body_seconds = body_seconds

    async def event(self, request: Request) -> Response:
        """Store one signed event."""
        text = await taken(request, self.pace, MAX_ENVELOPE, self.body_seconds)
        envelope = envelopes.parse(text)
        event = decode(envelope.payload)
        if isinstance(event, MatchOpened) and envelope.keyid not in self.openers:
            raise NotAllowed(
                "opening-not-here", "Matches are opened on this server by its arbiter alone."
            )
        new, written = await asyncio.shield(
            asyncio.ensure_future(self.clerk.ask(self.clerk.post, text, envelope, event))
        )
        return json(written, 201 if new else 200)


async def taken(request: Request, pace: Pace, most: int, seconds: float) -> bytes:
    """The body of a request that writes. Raises ``TooMany``, ``Unreadable``."""
    pace.take(request.client.host if request.client else "")
    given = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if given not in TYPES:
        raise Unreadable("wrong-content-type", "What is sent here is application/json.")
    body = bytearray()
    try:
        async with asyncio.timeout(seconds):
            async for part in request.stream():
                body += part
                if len(body) > most:
                    raise Unreadable("too-large", f"More than {most} bytes are not taken.")
    except TimeoutError:
        raise Unreadable("too-slow", "The request did not arrive in time.") from None
    except ClientDisconnect:
        raise Unreadable("half-sent", "The request ended in the middle.") from None
    return bytes(body)
