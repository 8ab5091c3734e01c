"""Wires between a laptop and a server for tests: one that breaks when it matters, and servers that
say whatever a test wants them to say."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Final

PATIENCE: Final = 10.0
_HEADERS: Final = b"\r\n\r\n"


@contextmanager
def accepting(serve: Callable[[socket.socket], object]) -> Iterator[int]:
    """A port of this machine, each of whose connections is given to ``serve``."""
    listening = socket.create_server(("127.0.0.1", 0))
    threads: list[threading.Thread] = []

    def one(connection: socket.socket) -> None:
        with suppress(OSError, ssl.SSLError), connection:
            connection.settimeout(PATIENCE)
            serve(connection)

    def run() -> None:
        with suppress(OSError):
            while True:
                connection, _ = listening.accept()
                threads.append(threading.Thread(target=one, args=[connection], daemon=True))
                threads[-1].start()

    threads.append(threading.Thread(target=run, daemon=True))
    threads[0].start()
    try:
        yield listening.getsockname()[1]
    finally:
        listening.shutdown(socket.SHUT_RDWR)
        listening.close()
        for thread in threads:
            thread.join(PATIENCE)


def request(connection: socket.socket) -> bytes:
    """One request, whole."""
    got = b""
    while _HEADERS not in got:
        got += _some(connection)
    head, _, body = got.partition(_HEADERS)
    length = next(
        (
            int(line[15:])
            for line in head.lower().split(b"\r\n")
            if line.startswith(b"content-length:")
        ),
        0,
    )
    while len(body) < length:
        body += _some(connection)
    return head + _HEADERS + body


def _some(connection: socket.socket) -> bytes:
    data = connection.recv(65536)
    if not data:
        raise OSError("gone")
    return data


@contextmanager
def through(port: int, meanwhile: Callable[[bytes], str]) -> Iterator[int]:
    """A wire to the server at ``port``. ``meanwhile`` is asked at each request what becomes of it:
    "" it goes through, "lost" it does not arrive, "deaf" it arrives and the answer is lost."""

    def carry(connection: socket.socket) -> None:
        asked = request(connection)
        fate = meanwhile(asked)
        if fate == "lost":
            return
        with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as server:
            first, rest = asked.split(b"\r\n", 1)
            server.sendall(first + b"\r\nConnection: close\r\n" + rest)
            while data := server.recv(65536):
                if fate != "deaf":
                    connection.sendall(data)

    with accepting(carry) as wire:
        yield wire


@contextmanager
def saying(*answers: bytes) -> Iterator[int]:
    """A server that gives these answers in turn, and the last one again and again."""
    left: list[bytes] = list(answers)

    def answer(connection: socket.socket) -> None:
        request(connection)
        connection.sendall(left.pop(0) if len(left) > 1 else left[0])

    with accepting(answer) as port:
        yield port


def plain(body: bytes, status: str = "200 OK", headers: Sequence[str] = ()) -> bytes:
    """An answer with this body."""
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", "Content-Type: application/json"]
    return "\r\n".join([*lines, *headers, "", ""]).encode() + body
