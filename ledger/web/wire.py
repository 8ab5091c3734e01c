"""HTTP on the wire: uvicorn's, with limits that it does not have.

A connection has a place in all and for its address, a request a time to arrive in, and an answer a
time to be read in. What is no HTTP at all is answered in our own shape too.
"""

from __future__ import annotations

import asyncio
import socket
from typing import Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from ledger.web.limits import Limits, Places

_BAD: Final = '{"error":{"code":"%s","message":"%s","hint":""}}'


def connections(limits: Limits) -> Places:
    """The places of connections."""
    return Places(
        "connections", limits.connections, limits.connections_each, limits.connections_here
    )


def protocol(limits: Limits) -> type[H11Protocol]:
    """The protocol of one server."""
    places = connections(limits)

    class Wire(H11Protocol):
        late: asyncio.TimerHandle | None = None
        unread: asyncio.TimerHandle | None = None
        placed = False

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            sending = transport.get_extra_info("socket")
            sending.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, limits.send_bytes)
            self.address = self.client[0] if self.client else ""
            self.placed = places.take(self.address)
            if self.placed:
                self._expect()
            else:
                self._close_with(
                    503, "Service Unavailable", "too-many", "Too many connections are open."
                )

        def connection_lost(self, exc: Exception | None) -> None:
            if self.placed:
                places.give_back(self.address)
            self._arrived()
            self._was_read()
            super().connection_lost(exc)

        def data_received(self, data: bytes) -> None:
            if self.transport.is_closing():
                return
            super().data_received(data)
            if self.conn.their_state in (h11.IDLE, h11.SEND_BODY):
                self._expect()
            else:
                self._arrived()

        def pause_writing(self) -> None:
            super().pause_writing()
            if self.unread is None:
                self.unread = self.loop.call_later(limits.send_seconds, self.transport.abort)

        def resume_writing(self) -> None:
            self._was_read()
            super().resume_writing()

        def send_400_response(self, msg: str) -> None:  # noqa: ARG002  (uvicorn's)
            if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE, h11.ERROR):
                self._close_with(400, "Bad Request", "bad-request", "This is no HTTP request.")
            else:
                self.transport.close()

        def _was_read(self) -> None:
            if self.unread is not None:
                self.unread.cancel()
                self.unread = None

        def _expect(self) -> None:
            if self.late is None:
                self.late = self.loop.call_later(limits.request_seconds, self._too_late)

        def _arrived(self) -> None:
            if self.late is not None:
                self.late.cancel()
                self.late = None

        def _too_late(self) -> None:
            if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE) and self.cycle is None:
                self._close_with(
                    408, "Request Timeout", "too-slow", "The request did not arrive in time."
                )
            else:
                self.transport.abort()

        def _close_with(self, status: int, phrase: str, code: str, message: str) -> None:
            body = _BAD % (code, message)
            self.transport.write(
                f"HTTP/1.1 {status} {phrase}\r\ncontent-type: application/json\r\n"
                f"content-length: {len(body)}\r\ncache-control: no-store\r\n"
                f"x-content-type-options: nosniff\r\nconnection: close\r\n\r\n{body}".encode()
            )
            self.transport.close()

    return Wire
