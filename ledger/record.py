"""The record: a match as one file, the signed envelopes in order (``tabellion-record/1``).

A record has one spelling, on one line: ``{"events":[…],"format":"tabellion-record/1"}``, and a
third member where it carries boards (``ledger.positions``). It is read piece by piece, so that
damage to one event leaves the others readable and is named.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, TypeAlias

from ledger import envelope as envelopes
from ledger.envelope import Envelope
from ledger.errors import Refused, Unreadable

FORMAT: Final = "tabellion-record/1"
MAX_RECORD: Final = 256 * 1024 * 1024
MAX_EVENTS: Final = 50_000
"""A long match has some hundred; a file that is nothing but beginnings of events has millions."""

_HEAD: Final = b'{"events":['
_FOOT: Final = b'],"format":"%b"' % FORMAT.encode("ascii")
_BOARDS: Final = b',"positions":'
_CLOSE: Final = b"}\n"
_TAIL: Final = _FOOT + _CLOSE
_START: Final = re.compile(rb'\{"payload":"')
_END: Final = b'"}]}'
_LEAST: Final = len(Envelope(b"{}", bytes(64), f"SHA256:{'A' * 43}").text())
"""Fewer bytes than these never were an event."""


@dataclass(frozen=True, slots=True)
class Damage:
    """A place where an event should stand and cannot be read."""

    code: str
    text: str


Piece: TypeAlias = Envelope | Damage


@dataclass(frozen=True, slots=True)
class Record:
    """What a file holds: a piece for each event, and what is wrong around them."""

    pieces: tuple[Piece, ...]
    frame: tuple[str, ...]
    """Faults of the file around the events, in sentences."""
    positions: bytes | None = None
    """The boards that it carries, as they stand there; not judged here."""


def write(events: Iterable[Envelope], positions: bytes | None = None) -> bytes:
    """The record of these events. The same events give the same bytes."""
    carried = b"" if positions is None else _BOARDS + positions
    return b"".join((_HEAD, b",".join(event.text() for event in events), _FOOT, carried, _CLOSE))


def read(data: bytes) -> Record:
    """Read a record, as far as it can be read.

    Raises ``Unreadable`` (``not-a-record``) when nothing in it looks like one.
    """
    if len(data) > MAX_RECORD:
        raise Unreadable("too-large", f"A record of {len(data)} bytes is too large to be read.")
    frame = []
    body, whole_tail, positions = _without_tail(data)
    whole_head = data.startswith(_HEAD)
    if not whole_head:
        frame.append("The beginning of the file is damaged.")
    if not whole_tail:
        frame.append("The end of the file is damaged, cut off, or of another format.")
    if _CLOSE + _HEAD in data:
        frame.append("More than one record is in this file.")
    body = body.removeprefix(_HEAD)
    starts = [found.start() for found in _START.finditer(body)]
    if len(starts) > MAX_EVENTS:
        raise Unreadable("too-large", f"A record of {len(starts)} events is too large to be read.")
    if not (starts or whole_head or whole_tail):
        raise Unreadable("not-a-record", "This is no record of Tabellion.")
    pieces: list[Piece] = []
    lead = body[: starts[0] if starts else None]
    if len(lead) >= _LEAST:
        pieces.append(_damaged())
    elif lead and whole_head:
        frame.append("The file is damaged before event 0.")
    for start, end in pairwise([*starts, None]):
        last, number = end is None, len(pieces)
        rest = _take(body[start:end], pieces)
        if rest is not None and len(rest) >= _LEAST:
            pieces.append(_damaged())
        elif not last and rest not in (b",", None):
            frame.append(f"The file is damaged between events {number} and {number + 1}.")
        elif last and rest and whole_tail:
            frame.append(f"The file is damaged after event {number}.")
    return Record(tuple(pieces), tuple(frame), positions)


def _without_tail(data: bytes) -> tuple[bytes, bool, bytes | None]:
    """What stands before the end of the record, whether that end is whole, and its boards."""
    if data.endswith(_TAIL):
        return data[: -len(_TAIL)], True, None
    foot = data.find(_FOOT)
    if foot < 0:
        return data, False, None
    body, rest = data[:foot], data[foot + len(_FOOT) :]
    if not (rest.startswith(_BOARDS) and rest.endswith(_CLOSE)):
        return body, False, None
    return body, True, rest[len(_BOARDS) : -len(_CLOSE)]


def _take(text: bytes, pieces: list[Piece]) -> bytes | None:
    """Read the event at the beginning of ``text`` and give what follows it; ``None`` when the
    event has no end."""
    end = text.find(_END)
    if end < 0:
        pieces.append(_damaged())
        return None
    end += len(_END)
    try:
        pieces.append(envelopes.parse(text[:end]))
    except Refused as error:
        pieces.append(Damage(error.code, error.message))
    return text[end:]


def _damaged() -> Damage:
    return Damage("not-an-envelope", "This event is damaged and cannot be read.")
