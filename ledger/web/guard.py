"""What holds for every request: the name it was sent to, the headers of every answer, the log.

The ``Host`` header is looked at so that a foreign page cannot reach this server by a name of its
own that leads to this machine (DNS rebinding). No answer may be read by pages of other origins.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from ipaddress import ip_address
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ledger.errors import NotAllowed
from ledger.web import answers
from ledger.web.limits import Pace, TooMany, readonly
from ledger.web.logbook import LOG

HERE: Final = ("localhost",)
SECURITY: Final = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "x-frame-options": "DENY",
}
_NOTHING: Final = "default-src 'none'; frame-ancestors 'none'"
_HOST: Final = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::[0-9]{1,5})?")


class Guard:
    """Around the whole application. ``names``: what this server is called, beside localhost and
    its addresses. ``pace``: how fast one address may read."""

    def __init__(
        self,
        app: ASGIApp,
        pace: Pace,
        names: Collection[str],
        *,
        write: bool,
        log: bool,
    ) -> None:
        self.app = app
        self.pace = pace
        self.seconds = pace.seconds
        self.names = {*HERE, *(name.lower() for name in names)}
        self.write = write
        self.log = log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began = self.seconds()
        status = 0

        async def answered(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                _secure(MutableHeaders(scope=message))
            await send(message)

        try:
            await self._judged(scope, receive, answered)
        except Exception as error:  # the outermost boundary
            if status:
                LOG.note(f"bug: {type(error).__name__}: {error}")
                raise
            await answers.bug(error)(scope, receive, answered)
        finally:
            if self.log:
                took = round((self.seconds() - began) * 1000)
                path = scope["path"][:200].replace(" ", "%20")
                LOG.note(f"{scope['method'][:10]} {path} {status or '-'} {took} ms")

    async def _judged(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not self._is_us(Headers(scope=scope).get("host", "")):
            error = NotAllowed("wrong-host", "This server does not go by that name.")
            await answers.failure(error)(scope, receive, send)
            return
        if scope["method"] in ("GET", "HEAD"):
            try:
                self.pace.take((scope.get("client") or ("",))[0])
            except TooMany as error:
                await answers.failure(error)(scope, receive, send)
                return
        elif not self.write:
            await answers.failure(readonly())(scope, receive, send)
            return
        await self.app(scope, receive, send)

    def _is_us(self, host: str) -> bool:
        found = _HOST.fullmatch(host.lower())
        return found is not None and (found[1] in self.names or _is_number(found[1]))


def _is_number(host: str) -> bool:
    """Whether a host is an address itself: no foreign name leads to it then."""
    try:
        ip_address(host.strip("[]"))
    except ValueError:
        return False
    return True


def _secure(headers: MutableHeaders) -> None:
    for name, value in SECURITY.items():
        headers.setdefault(name, value)
    headers.setdefault("content-security-policy", _NOTHING)
