"""One request, answered without a network: the same application, on standard output."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Final, NamedTuple
from urllib.parse import unquote

from starlette.types import Message, Scope

from ledger.errors import Unreadable
from ledger.web.app import Served

LONGEST: Final = 4000


class Answer(NamedTuple):
    status: int
    body: bytes


def get(service: Served, path: str) -> Answer:
    """What ``GET path`` is answered. A stream ends when it has said how things stand."""
    if not path.startswith("/") or not path.isascii() or len(path) > LONGEST:
        raise Unreadable("bad-path", "A path begins with / and is plain ASCII.")
    service.feed.end()
    with ThreadPoolExecutor(1) as alone:  # whoever calls may have a loop running
        return alone.submit(asyncio.run, _get(service, path)).result()


async def _get(service: Served, path: str) -> Answer:
    name, _, asked = path.partition("?")
    scope: Scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": unquote(name),
        "raw_path": name.encode(),
        "query_string": asked.encode(),
        "root_path": "",
        "headers": [(b"host", b"localhost")],
        "client": ("127.0.0.1", 0),
        "server": ("localhost", 80),
        "state": {},
    }
    status, body = 0, bytearray()
    for_ever = asyncio.Event()

    async def receive() -> Message:
        if not body and status == 0:
            return {"type": "http.request", "body": b"", "more_body": False}
        await for_ever.wait()
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        nonlocal status
        status = message.get("status", status)
        body.extend(message.get("body", b""))

    await service.app(scope, receive, send)
    return Answer(status, bytes(body))
