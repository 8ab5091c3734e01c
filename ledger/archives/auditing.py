"""The audit of an archive: every match by itself, on all cores, and then beside the others.

Lines go to processes of our own as they are read, never many at once, and what is found goes into
``findings``: so a file may be larger than memory. Each process is started anew (no copy of
this one, with its threads), and ends with this one, whatever ends it.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, TypeAlias

import msgspec

from ledger import record
from ledger.archives.findings import Findings, Found
from ledger.archives.lines import Line
from ledger.audit import Trust, judged, told
from ledger.errors import Unreadable

if TYPE_CHECKING:
    from concurrent.futures import Future

ALONE: Final = 2 * 1024 * 1024
"""Bytes of an archive that are judged before other processes would have started."""
_WAITING: Final = 64 * 1024 * 1024
"""Bytes of lines that wait in processes, at most, or one line."""

Watch: TypeAlias = Callable[[Line, Found], None]
"""Is told of every line that is done."""


def audit_lines(
    lines: Iterable[Line], given: Trust, findings: Findings, watch: Watch, size: int | None = None
) -> bool:
    """Put into ``findings`` what is found on every line; ``size``: the archive's, if it is known.
    False: it was stopped with Ctrl-C, and what was found so far is there."""
    cores = _cores()
    alone = cores == 1 or (size is not None and size <= ALONE)
    done = _one_by_one(lines, given) if alone else _together(lines, given, cores)
    finished = True
    try:
        for line, found in done:
            findings.add(found)
            watch(line, found)
    except KeyboardInterrupt:
        finished = False
    findings.compare()
    return finished


def audit_line(line: Line, given: Trust) -> Found:
    """Audit one line: a report only where there is something to tell."""
    if not line.record:
        return Found(line.number, line.fault)
    try:
        read = record.read(line.record)
    except Unreadable as error:
        return Found(line.number, error.message)
    reading = judged(read.pieces, read.frame, given, read.positions)
    published = reading.state.rolling.published if reading.state else ()
    sound = reading.verdict == "sound"
    return Found(
        line=line.number,
        fault=line.fault,
        match=reading.match,
        head=reading.hashes[-1] if reading.hashes else None,
        events=len(reading.hashes),
        verdict=reading.verdict,
        published=tuple(bytes.fromhex(each) for each in published),
        report=None if sound else msgspec.msgpack.encode(told(reading)),
    )


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _one_by_one(lines: Iterable[Line], given: Trust) -> Iterator[tuple[Line, Found]]:
    return ((line, audit_line(line, given)) for line in lines)


# -- in processes of our own ---------------------------------------------------------------

_brought = Trust()
"""What the reader brings, in a process that audits for another."""


def _begin(given: Trust) -> None:
    """How such a process begins: Ctrl-C is for the one that started it, and its end ours."""
    global _brought
    _brought = given
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    from multiprocessing import parent_process

    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _audit(line: Line) -> Found:
    return audit_line(line, _brought)


def _together(lines: Iterable[Line], given: Trust, cores: int) -> Iterator[tuple[Line, Found]]:
    """In the order in which they are done."""
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    pool = ProcessPoolExecutor(cores, get_context("spawn"), _begin, (given,))
    waiting: dict[Future[Found], Line] = {}
    held = 0
    try:
        for line in lines:
            while len(waiting) > 2 * cores or (waiting and held + len(line.record) > _WAITING):
                for each, found in _next(waiting):
                    held -= len(each.record)
                    yield each, found
            with _undisturbed():
                waiting[pool.submit(_audit, line)] = line
            held += len(line.record)
        while waiting:
            yield from _next(waiting)
    except BrokenProcessPool:
        raise Unreadable(
            "audit-ended",
            "A process of this audit was ended from outside; it may have had too little memory.",
            hint="audit the archive in parts",
        ) from None
    finally:
        pool.shutdown(cancel_futures=True)


def _next(waiting: dict[Future[Found], Line]) -> Iterator[tuple[Line, Found]]:
    from concurrent.futures import FIRST_COMPLETED, wait

    for future in wait(waiting, return_when=FIRST_COMPLETED).done:
        yield waiting.pop(future), future.result()


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Ctrl-C waits while a process is started, which takes over what signals are held back: it
    never dies half made, with a traceback of its own."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
