"""The server: where it listens, how it stops.

Ctrl-C and SIGTERM end every stream and stop it in less than two seconds. Signals are not raised
again when it has stopped: a server that was asked to stop has done what it was told.
"""

from __future__ import annotations

import errno
import logging
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

import uvicorn

from ledger.errors import NotAllowed, Unreadable
from ledger.web.app import Served
from ledger.web.door import Door
from ledger.web.limits import Limits, Places
from ledger.web.wire import connections, protocol

if TYPE_CHECKING:
    from types import FrameType

GRACE: Final = 1
"""Seconds that requests have to end in when the server stops."""
LONGEST_HEADERS: Final = 16 * 1024


class Server(uvicorn.Server):
    """uvicorn, which ends the streams first when it stops."""

    def __init__(self, config: uvicorn.Config, service: Served, places: Places) -> None:
        super().__init__(config)
        self.service = service
        self.places = places

    def run(self, sockets: list[socket.socket] | None = None) -> None:
        if self.config.is_ssl:
            sockets = [Door.of(each, self.places) for each in sockets or ()]
        super().run(sockets)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self.service.feed.end()
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {each: signal.signal(each, self.stop) for each in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for each, handler in before.items():
                signal.signal(each, handler)

    def stop(self, _signal: int = 0, _frame: FrameType | None = None) -> None:
        """Stop soon; may be called from anywhere."""
        self.force_exit = self.should_exit
        self.should_exit = True


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens there. Raises ``NotAllowed``, ``Unreadable``."""
    try:
        family, kind, transport, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP, flags=socket.AI_PASSIVE
        )[0]
    except (socket.gaierror, UnicodeError):
        raise _not_here(host) from None
    # TCP by name: asyncio sends small answers at once (TCP_NODELAY) only where it is named
    listening = socket.socket(family, kind, transport)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(512)
        listening.setblocking(False)
    except OSError as error:
        listening.close()
        match error.errno:
            case errno.EADDRINUSE:
                raise NotAllowed(
                    "port-in-use",
                    f"Port {port} of {host} is in use: another server runs there.",
                    hint="Stop the other one, or choose a port: --port 0 takes a free one",
                ) from None
            case errno.EADDRNOTAVAIL:
                raise _not_here(host) from None
            case errno.EACCES | errno.EPERM:
                raise NotAllowed(
                    "port-not-allowed",
                    f"The system does not give port {port} to this program.",
                    hint="--port 8765",
                ) from None
        raise NotAllowed(
            "cannot-listen", f"Nobody can listen on {host}: {error.strerror}."
        ) from None
    return listening


def _not_here(host: str) -> Unreadable:
    return Unreadable(
        "not-our-address",
        f"{ascii(host)[1:-1][:80]} is no address of this machine.",
        hint="--host 0.0.0.0 listens on all of them",
    )


def server(
    service: Served, limits: Limits, certificate: Path | None = None, key: Path | None = None
) -> Server:
    """A server, ready to run on a socket: ``server.run([socket])``."""
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access", "uvicorn.asgi"):
        logging.getLogger(name).disabled = True  # one line a request is the guard's
    config = uvicorn.Config(
        service.app,
        http=protocol(limits),
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=GRACE,
        h11_max_incomplete_event_size=LONGEST_HEADERS,
        ssl_certfile=certificate,
        ssl_keyfile=key,
    )
    try:
        config.load()
    except (OSError, ValueError) as error:  # ssl's errors are both
        why = getattr(error, "reason", None) or type(error).__name__
        raise Unreadable(
            "tls-unreadable", f"Certificate and private key cannot be used: {why}."
        ) from None
    return Server(config, service, connections(limits))
