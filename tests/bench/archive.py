"""The audit of an archive beside nothing but the verification of its signatures, on one core and
on all.

An archive of a tournament (``tournament.played``: every game, every way to make dice) goes through
``ledger.archiveaudit`` from its bytes to its findings. Beside it ``verify`` of the same signatures
with the same keys in a bare loop: the least that any audit takes. In turns, the best of the runs.
``python tests/bench/archive.py [MATCHES] [RUNS]``; the archive is made once and kept in the
folder for temporary files.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

import tournament

from ledger import record
from ledger.archives import auditing as archiveaudit
from ledger.archives.findings import Findings
from ledger.envelope import Envelope, pae
from ledger.inspection import Archive, look_through, opened, trust
from ledger.publickey import PublicKey

GOAL = 0.6
"""Of the pace of bare verification, on one core."""
SPEEDUP = 1.7
"""Of two cores over one."""
MATCHES = 2000
RUNS = 5
CHUNK = 25
"""Matches whose signatures a process verifies at a time."""

Signed = Sequence[tuple[bytes, bytes, bytes]]
"""Key, signature, message."""


def made(many: int) -> Path:
    """The archive of so many matches: made anew unless it is there."""
    path = Path(tempfile.gettempdir()) / f"tournament-{many}.jsonl"
    if not path.exists():
        half = path.with_suffix(".half")
        with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
            half.write_bytes(b"".join(pool.map(line, range(many), chunksize=4)))
        half.replace(path)
    return path


def line(number: int) -> bytes:
    return record.write(tournament.played(number))


def signatures(path: Path) -> Iterator[Signed]:
    """Of so many matches at a time."""
    people = [tournament.key(number).public for number in range(tournament.CLUB + 3)]
    keys = {key.fingerprint: key.raw for key in people}
    lines = path.read_bytes().splitlines(keepends=True)
    for start in range(0, len(lines), CHUNK):
        pieces = (
            each for text in lines[start : start + CHUNK] for each in record.read(text).pieces
        )
        yield [
            (keys[each.keyid], each.signature, pae(each.payload))
            for each in pieces
            if isinstance(each, Envelope)
        ]


def verify(signed: Signed) -> bool:
    return all(PublicKey(key).verify(signature, message) for key, signature, message in signed)


def seconds(act: Callable[[], object]) -> float:
    begun = time.perf_counter()
    act()
    return time.perf_counter() - begun


def audit(path: Path, cores: int) -> None:
    archiveaudit._cores = lambda: cores
    with opened(str(path)) as found, Findings() as findings:
        if not isinstance(found, Archive):
            raise SystemExit("This is no archive.")
        summary = look_through(found, trust(None, None), findings, lambda *_: None)
    if summary.sound != summary.matches:
        raise SystemExit(f"Not sound: {summary}")


def main() -> None:
    many, runs = (
        int(sys.argv[n]) if len(sys.argv) > n else d for n, d in ((1, MATCHES), (2, RUNS))
    )
    cores = len(os.sched_getaffinity(0))
    path = made(many)
    chunks = list(signatures(path))
    events = sum(map(len, chunks))
    with ProcessPoolExecutor(cores, get_context("spawn")) as pool:
        list(pool.map(verify, chunks[:cores]))
        found = [
            (
                seconds(lambda: audit(path, 1)),
                seconds(lambda: all(map(verify, chunks))),
                seconds(lambda: audit(path, cores)),
                seconds(lambda: all(pool.map(verify, chunks))),
            )
            for _ in range(runs)
        ]
    audit_one, bare_one, audit_all, bare_all = (min(column) for column in zip(*found, strict=True))
    print(f"{many} matches, {events:,} events, {path.stat().st_size:,} bytes; events a second:")
    for where, ours, bare in (
        ("one core", audit_one, bare_one),
        (f"{cores} cores", audit_all, bare_all),
    ):
        print(
            f"{where:<9} audit {events / ours:8.0f}   signatures alone {events / bare:8.0f}   "
            f"{bare / ours:.2f} of it"
        )
    print(f"goal on one core: {GOAL}")
    print(f"audit on {cores} cores over one: {audit_one / audit_all:.2f} (goal for two: {SPEEDUP})")


if __name__ == "__main__":
    main()
