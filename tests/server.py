"""A real server on a free port of this machine, for tests.

``serving(ledger)`` runs one in a thread of this process, ``Program`` the installed program as a
process of its own, which can be killed. ``Client`` talks to either as a phone would: real
connections, bytes as they are.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, NamedTuple

from table import ARBITER, clock

from ledger.envelope import Envelope, seal
from ledger.events import EVENT_TYPES, VERSION, encode
from ledger.fold import MatchState
from ledger.keys import SigningKey
from ledger.service import Draft
from ledger.web.app import House, build
from ledger.web.clerk import Clerk
from ledger.web.limits import Limits
from ledger.web.listening import listen, server

PROGRAM = Path(sys.executable).with_name("tabellion")
OPENERS = frozenset({ARBITER.public.fingerprint})
PATIENCE = 10.0
"""Seconds after which something that should happen has not happened."""


class Said(NamedTuple):
    """An answer."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def code(self) -> str:
        """The code of the error, "" if there is none."""
        return self.json["error"]["code"] if self.status >= 400 else ""


class Message(NamedTuple):
    """What a stream said at once."""

    event: str
    id: int | None
    data: Any


class Listening:
    """An open stream; a thread reads it."""

    def __init__(self, connection: HTTPConnection, path: str, headers: dict[str, str]) -> None:
        self.connection = connection
        connection.request("GET", path, headers=headers)
        assert connection.sock is not None
        self.socket = connection.sock
        self.answer = connection.getresponse()
        self.status = self.answer.status
        self.seen: queue.Queue[Message | None] = queue.Queue()
        self.thread = threading.Thread(target=self._read, daemon=True)
        self.thread.start()

    def _read(self) -> None:
        event, number, data = "", None, ""
        try:
            for raw in self.answer:
                line = raw.decode().rstrip("\n")
                name, _, value = line.partition(": ")
                if name == "event":
                    event = value
                elif name == "id":
                    number = int(value)
                elif name == "data":
                    data = value
                elif not line and event:
                    self.seen.put(Message(event, number, json.loads(data)))
                    event, number, data = "", None, ""
        except (OSError, ValueError, AttributeError):  # the connection was cut
            pass
        self.seen.put(None)

    def next(self, *events: str) -> Message:
        """The next message, of these kinds if any are named."""
        while True:
            found = self.seen.get(timeout=PATIENCE)
            assert found is not None, "the stream has ended"
            if not events or found.event in events:
                return found

    def until(self, seq: int) -> list[Message]:
        """Signed events up to this number, and the table that follows."""
        found = []
        while True:
            message = self.next()
            if message.event == "signed":
                found.append(message)
            if message.event == "table" and message.data["seq"] >= seq:
                return found

    def ended(self) -> bool:
        """Wait for the end of the stream."""
        while self.seen.get(timeout=PATIENCE) is not None:
            pass
        return True

    def close(self) -> None:
        with suppress(OSError):  # it was cut already
            self.socket.shutdown(socket.SHUT_RDWR)
        self.thread.join(PATIENCE)
        self.answer.close()
        self.connection.close()
        self.socket.close()

    def __enter__(self) -> Listening:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Client:
    """Somebody on this machine who talks to the server at this port."""

    def __init__(self, port: int) -> None:
        self.port = port

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def connection(self) -> HTTPConnection:
        return HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)

    def ask(self, method: str, path: str, body: bytes | None = None, **headers: str) -> Said:
        """One request; an underscore in a header's name is a hyphen."""
        connection = self.connection()
        try:
            given = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method, path, body, given)
            answer = connection.getresponse()
            kept = {name.lower(): value for name, value in answer.getheaders()}
            return Said(answer.status, kept, answer.read())
        finally:
            connection.close()

    def get(self, path: str, **headers: str) -> Said:
        return self.ask("GET", path, **headers)

    def post(self, envelope: Envelope | bytes) -> Said:
        body = envelope if isinstance(envelope, bytes) else envelope.text()
        return self.ask("POST", "/api/events", body, content_type="application/json")

    def listen(self, path: str, last: int | None = None) -> Listening:
        headers = {} if last is None else {"Last-Event-ID": str(last)}
        return Listening(self.connection(), path, headers)

    def raw(self, data: bytes) -> socket.socket:
        """A connection on which these bytes were sent, whatever they are."""
        found = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)
        found.sendall(data)
        return found


@contextmanager
def serving(ledger: Path, *, limits: Limits | None = None, **house: Any) -> Iterator[Client]:
    """A server of this ledger, in a thread of this process."""
    given = {"openers": OPENERS, "log": False} | house
    told = House(**given, limits=limits or Limits())
    clerk = Clerk(ledger, clock, write=told.write)
    clerk.open()
    listening = listen("127.0.0.1", 0)
    running = server(build(clerk, told, time.monotonic), told.limits)
    thread = threading.Thread(target=running.run, args=([listening],), daemon=True)
    thread.start()
    try:
        wait_for(lambda: running.started)
        yield Client(listening.getsockname()[1])
    finally:
        running.stop()
        thread.join(PATIENCE)
        clerk.close()
        assert not thread.is_alive(), "the server did not stop"


class Program(Client):
    """``tabellion serve`` as a process of its own."""

    def __init__(self, ledger: Path, *arguments: str, port: int = 0, **environment: str) -> None:
        self.log = ledger.with_name(f"{ledger.name}.log")
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                [PROGRAM, "serve", "--ledger", str(ledger), "--port", str(port), *arguments],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env={**os.environ, **environment},
            )
        assert self.process.stdout is not None
        self.greeting = []
        for line in self.process.stdout:
            self.greeting.append(line.rstrip("\n"))
            if line.startswith("Ctrl-C"):
                break
        else:
            raise AssertionError(self.log.read_text())
        super().__init__(int(self.greeting[0].rstrip("/").rpartition(":")[2]))

    def kill(self) -> None:
        """Without a warning, as when the power fails."""
        self.process.kill()
        self.process.communicate()

    def stop(self, by: int = signal.SIGINT) -> tuple[int, str, float]:
        """Ask it to stop: its status, what it said on standard error, and how long it took."""
        began = time.monotonic()
        self.process.send_signal(by)
        self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, self.log.read_text(), time.monotonic() - began


@contextmanager
def program(ledger: Path, *arguments: str, **environment: str) -> Iterator[Program]:
    """``tabellion serve`` for as long as it is needed."""
    running = Program(ledger, *arguments, **environment)
    try:
        yield running
    finally:
        if running.process.poll() is None:
            running.kill()


def signed(state: MatchState, draft: Draft, key: SigningKey, **changes: Any) -> Envelope:
    """The next event of the match, signed by a player on a device of their own."""
    fields: dict[str, Any] = {
        "v": VERSION,
        "seq": state.seq + 1,
        "by": draft.by,
        "for_": draft.for_,
        "at": clock(),
        "match": state.match,
        "prev": state.head,
        "data": draft.data,
    }
    event = EVENT_TYPES[draft.type](**(fields | changes))
    return seal(encode(event), key.public, key.sign)


def wait_for(condition: Callable[[], object]) -> None:
    """Wait until something is so."""
    late = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < late, "it did not happen"
        time.sleep(0.01)
