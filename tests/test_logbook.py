"""The server's log: whoever reads it, or does not, never holds the server."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from ledger.web.logbook import LONGEST, ROOM, Logbook

PIPE = 64 * 1024
"""Bytes that a pipe takes before somebody reads."""


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    reading, writing = os.pipe()
    yield reading, writing
    os.close(reading)
    os.close(writing)


def test_a_line_stays_a_line(pipe: tuple[int, int]) -> None:
    reading, writing = pipe
    log = Logbook(writing)
    log.note("GET /\nGET /forged 200 1 ms")
    log.note("caf\u00e9 \x1b[2J")
    log.note("x" * 5000)
    log.finish()
    first, second, third = os.read(reading, PIPE).decode("ascii").splitlines()
    assert first == r"GET /\nGET /forged 200 1 ms"
    assert second == r"caf\xe9 \x1b[2J"
    assert third == "x" * LONGEST


def test_a_log_that_nobody_reads_holds_nobody_and_says_what_it_left_out(
    pipe: tuple[int, int],
) -> None:
    reading, writing = pipe
    log = Logbook(writing)
    fitting = PIPE // (LONGEST + 1)
    for _ in range(2 * fitting):  # more than the pipe takes: the writer waits
        log.note("y" * LONGEST)
    for _ in range(3 * ROOM):
        log.note("waits")
    said = b""
    while said.count(b"waits") < ROOM - 2 * fitting:  # somebody reads at last
        said += os.read(reading, PIPE)
    log.note("after")
    log.finish()
    said += os.read(reading, PIPE)
    lines = said.decode("ascii").splitlines()
    assert lines[-1] == "after"
    told = [line.partition(" ") for line in lines if not line.startswith(("y", "waits", "after"))]
    assert {words for _, _, words in told} == {"lines were left out here."}
    assert sum(int(number) for number, _, _ in told) + lines.count("waits") == 3 * ROOM
