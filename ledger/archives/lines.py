"""The archive: many matches in one file, one record a line (``ledger.record``).

Written and read as a stream, so that a file may be larger than memory: nothing here ever holds
more than a line, and a line has its limit. What a line says is not judged here. Bytes in, lines
out; files are opened elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Final

from ledger import record
from ledger.envelope import Envelope

MAX_LINE: Final = 32 * 1024 * 1024
"""Bytes: some forty thousand events. A longer record is read as a file of its own."""

_HEADS: Final = re.compile(rb'^\{"events":\[', re.MULTILINE)
_TAILS: Final = re.compile(rb'\],"format":"%b"\}\r?\n' % re.escape(record.FORMAT.encode()))
_LONGEST: Final = 64
"""More bytes than either of these has."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of an archive by its number, counted from 1. ``record`` ends with its newline, or
    without if the file was cut off there."""

    number: int
    record: bytes
    size: int
    """Bytes in the file."""
    fault: str = ""
    """What is wrong with the line before anything in it is read; a sentence."""


def write(matches: Iterable[Iterable[Envelope]]) -> Iterator[bytes]:
    """The lines of an archive, one for each match, as they come: the same for the same matches."""
    return map(record.write, matches)


def opening(pieces: Iterator[bytes]) -> tuple[bytes, bool]:
    """What has to be read to know whether this is an archive, and whether it is one.

    A record that is damaged, even one that is broken into lines, has one beginning and one end; in
    an archive there is a second one of either. What is no archive is read to its end, or to what a
    record may have.
    """
    read = bytearray()
    heads = tails = 0
    for piece in pieces:
        before = len(read)
        read += piece
        heads += _new(_HEADS, read, before)
        tails += _new(_TAILS, read, before)
        if max(heads, tails) > 1:
            return bytes(read), True
        if len(read) > record.MAX_RECORD:
            break
    return bytes(read), False


def _new(form: re.Pattern[bytes], read: bytearray, before: int) -> int:
    """How often a form stands there that was not whole ``before``."""
    start = max(before - _LONGEST, 0)
    return sum(found.end() > before for found in form.finditer(read, start))


def lines(pieces: Iterable[bytes]) -> Iterator[Line]:
    """The lines of an archive that comes in pieces of any size. A line that is too long is passed
    over without being held."""
    held: list[bytes] = []
    size = number = 0
    for piece in pieces:
        start = 0
        while start < len(piece):
            end = piece.find(b"\n", start) + 1
            part = piece[start : end or None]
            start += len(part)
            size += len(part)
            if size <= MAX_LINE:
                held.append(part)
            else:
                held.clear()
            if end:
                number += 1
                yield _line(number, b"".join(held), size)
                held, size = [], 0
    if size:
        yield _line(number + 1, b"".join(held), size)


def _line(number: int, text: bytes, size: int) -> Line:
    if size > MAX_LINE:
        long = f"It has {size} bytes; a line of an archive has at most {MAX_LINE}."
        return Line(number, b"", size, long)
    if not text.strip():
        return Line(number, b"", size, "It is empty.")
    if text.endswith(b"\r\n"):
        return Line(number, text[:-2] + b"\n", size, "It ends with a carriage return (CR LF).")
    return Line(number, text, size)


def joined(read: bytes, rest: Iterable[bytes]) -> Iterator[bytes]:
    """What was read to know what it is, and what follows it."""
    return chain((read,), rest)
