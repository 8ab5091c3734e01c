"""A server's stream as a bell: it says that something is new, and nothing else is taken from it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Final

from ledger.remote.address import Address
from ledger.remote.line import Unreachable, connected, kind_of

QUIET: Final = 40.0
"""Seconds without a byte until a stream counts as broken; a living one sends a line every 15."""
_GAP: Final = 0.1
"""Seconds at least between two rings."""
_PIECE: Final = 64 * 1024
_NEWS: Final = (b"event: table", b"event:table", b"event: parted", b"event:parted")


def rings(address: Address, match: str, since: int, patience: float | None) -> Iterator[None]:
    """Once when the stream is open, then each time that the match went on there.

    Raises ``Unreachable`` when it breaks, or after ``patience`` seconds.
    """
    with connected(address, patience, quiet=QUIET) as connection:
        path = f"/api/matches/{match}/stream?since={since}"
        connection.request("GET", path, headers={"Accept": "text/event-stream"})
        with connection.getresponse() as response:
            if response.status != 200 or kind_of(response) != "text/event-stream":
                raise Unreachable("no-stream", f"{address.base} has no stream for this match.")
            yield
            while line := response.readline(_PIECE):
                if line.startswith(_NEWS):
                    time.sleep(_GAP)
                    yield
    raise Unreachable("stream-ended", f"{address.base} has ended its stream.")
