"""The server's log: a line a request on standard error, written by a thread of its own.

A terminal that is held (Ctrl-S), or a pipe that nobody reads, must not hold the server too: lines
that find no room are left out, and how many is said when there is room again.
"""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from contextlib import suppress
from typing import Final

ROOM: Final = 1000
"""Lines that wait to be written."""
LONGEST: Final = 1000
"""Characters of a line."""
PATIENCE: Final = 1.0
"""Seconds that the last lines may take when the server stops."""


class Logbook:
    """Lines for a file descriptor. Its thread begins with the first line."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._waiting: deque[str] = deque()
        self._left_out = 0
        self._change = threading.Condition()
        self._writer: threading.Thread | None = None
        self._writing = False

    def note(self, text: str) -> None:
        """A line; what strangers wrote into it stays on its line. Never waits for a reader."""
        with self._change:
            if len(self._waiting) >= ROOM:
                self._left_out += 1
                return
            if self._left_out:
                self._waiting.append(f"{self._left_out} lines were left out here.")
                self._left_out = 0
            self._waiting.append(ascii(text)[1:-1][:LONGEST])
            if self._writer is None:
                self._writer = threading.Thread(target=self._write, name="logbook", daemon=True)
                self._writer.start()
            self._change.notify_all()

    def finish(self) -> None:
        """Wait until all is written, but not for a reader that does not read."""
        until = time.monotonic() + PATIENCE
        with self._change:
            while self._waiting or self._writing:
                if not self._change.wait(until - time.monotonic()):
                    return

    def _write(self) -> None:
        while True:
            with self._change:
                self._writing = False
                self._change.notify_all()
                self._change.wait_for(lambda: self._waiting)
                lines = "".join(f"{line}\n" for line in self._waiting).encode("ascii")
                self._waiting.clear()
                self._writing = True
            with suppress(OSError):  # nobody reads any more
                while lines:
                    lines = lines[os.write(self._descriptor, lines) :]


LOG: Final = Logbook(2)
"""The log of this process."""
