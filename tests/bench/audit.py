"""The audit of a record beside nothing but the verification of its signatures.

A Tablut match of 300 events as a record: bytes, ``record.read``, ``audit``, which checks the
three keys anew as in a fresh process. Beside it 300 calls of ``verify`` with loaded keys. In
turns, the median of the runs: ``python tests/bench/audit.py``.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parent.parent))

import table
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from ledger import publickey, record, rulings
from ledger.audit import Trust, audit
from ledger.envelope import Envelope, pae

GOAL = 1.5
EVENTS = 300
RUNS = 15
WALK = ("e3-f3", "e2-h2", "f3-e3", "h2-e2")


def played() -> list[Envelope]:
    """Opening, two acceptances, moves back and forth."""
    plans = [table.accept("swedes"), table.accept("muscovites")]
    plans += [table.play(WALK[number % 4]) for number in range(EVENTS - 3)]
    with tempfile.TemporaryDirectory() as name, table.new_service(Path(name) / "l.db") as service:
        opened = service.open_match(table.opening(), table.ARBITER)
        return service.envelopes(service.append(opened.match, plans, table.KEYS).match)


def milliseconds(act: Callable[[], object]) -> float:
    begun = time.perf_counter()
    act()
    return (time.perf_counter() - begun) * 1000


def main() -> None:
    events = played()
    data = record.write(events)
    trust = Trust(documents=rulings.digests())
    keys = {
        key.public.fingerprint: Ed25519PublicKey.from_public_bytes(key.public.raw)
        for key in table.KEYS.values()
    }
    signed = [(keys[event.keyid], event.signature, pae(event.payload)) for event in events]

    def verify() -> None:
        for key, signature, message in signed:
            key.verify(signature, message)

    def whole() -> None:
        for remembered in (publickey.weakness, publickey._verifier, publickey._fingerprint):
            remembered.cache_clear()
        found = record.read(data)
        report = audit(found.pieces, found.frame, trust)
        if (report.verdict, report.events) != ("sound", EVENTS):
            raise SystemExit(f"The audit says: {report}")

    whole()
    runs = [(milliseconds(whole), milliseconds(verify)) for _ in range(RUNS)]
    ours, alone = (median(column) for column in zip(*runs, strict=True))
    print(f"{EVENTS} events, {len(data):,} bytes")
    print(f"audit:              {ours:7.1f} ms")
    print(f"signatures alone:   {alone:7.1f} ms")
    print(f"ratio: {median(a / b for a, b in runs):.2f} (goal: {GOAL})")


if __name__ == "__main__":
    main()
