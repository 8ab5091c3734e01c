"""An archive taken into a ledger: each match as one whole act, or not at all.

A match in which the audit finds faults is refused, and the others come in. What is here already
is nothing new: to import an archive twice changes nothing, and one that was broken off goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator

from msgspec import Struct

from ledger import record, rulings
from ledger.archives.lines import Line
from ledger.audit import Trust, judged
from ledger.copies import Standing
from ledger.envelope import Envelope
from ledger.errors import Refused, Unreadable
from ledger.exchange import take_in
from ledger.fold import MatchState
from ledger.service import Service


class ImportedLine(Struct, frozen=True):
    """What became of one line of an archive."""

    line: int
    match: str | None
    """``None`` where nothing on the line is a match."""
    standing: str | None
    """How its copy and ours stand to each other; ``None``: it was refused."""
    events: int = 0
    """Events that are new in the ledger's chain."""
    set_aside: int = 0
    """Events that were set aside, of ours or of the other copy."""
    refused: str | None = None
    """The code of what is wrong with it."""
    reason: str = ""


class ArchiveImportView(Struct, frozen=True):
    """What an import of many matches has written, line by line."""

    matches: int
    """Matches from which something new came in."""
    events: int
    unchanged: int
    """Matches that are here already, as far as the archive has them."""
    refused: int
    finished: bool
    """Whether the archive was read to its end."""
    lines: tuple[ImportedLine, ...]


def take_in_lines(
    service: Service,
    lines: Iterable[Line],
    *,
    here: Callable[[MatchState], Collection[str]],
    take_over: bool = False,
) -> Iterator[ImportedLine]:
    """Bring in one line after the other, and say of each what became of it."""
    given = Trust(documents=rulings.digests())
    for line in lines:
        # a service of its own: one remembers every match that it has written
        desk = Service(service.store, service.clock)
        try:
            yield _take_in(desk, line, given, here, take_over)
        except Refused as error:
            yield ImportedLine(line.number, None, None, refused=error.code, reason=error.message)


def _take_in(
    service: Service,
    line: Line,
    given: Trust,
    here: Callable[[MatchState], Collection[str]],
    take_over: bool,
) -> ImportedLine:
    if line.fault:
        raise Refused("line-damaged", line.fault)
    try:
        read = record.read(line.record)
    except Unreadable as error:
        raise Refused(error.code, error.message) from None
    events = [each for each in read.pieces if isinstance(each, Envelope)]
    match = events[0].hash if events else None
    whole = len(events) == len(read.pieces) and not read.frame
    if whole and match is not None and service.envelopes(match) == events:
        return ImportedLine(line.number, match, Standing.SAME.value)
    reading = judged(read.pieces, read.frame, given, read.positions)
    if reading.faults:
        fault = min(reading.faults, key=lambda each: -1 if each.event is None else each.event)
        where = "" if fault.event is None else f"Event {fault.event}: "
        reason = f"{where}{fault.text}"
        return ImportedLine(line.number, reading.match, None, refused=fault.code, reason=reason)
    try:
        brought = take_in(service, events, here=here, take_over=take_over)
    except Refused as error:
        refused, reason = error.code, error.message
    except Unreadable as error:
        if error.code != "match-damaged":
            raise
        refused, reason = error.code, f"Your own copy is damaged. {error.message}"
    else:
        return ImportedLine(
            line=line.number,
            match=brought.state.match,
            standing=brought.standing.value,
            events=len(brought.taken),
            set_aside=len(brought.aside),
        )
    return ImportedLine(line.number, match, None, refused=refused, reason=reason)
