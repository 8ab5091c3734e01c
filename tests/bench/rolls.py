"""Matches with dice folded, beside nothing but the verification of their signatures.

Dice of both players: opening, acceptances, commitments, then a throw, an opening and what is done
with it for each roll. Tabula with 200 rolls, some 600 events; tablero with 300 events. Folding is
``ledger.fold`` over events that are read already; beside it a call of ``verify`` with a loaded key
for each. In turns, the median of the runs: ``python tests/bench/rolls.py``.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parent.parent))

import match as tables
import table
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from ledger import envelope as envelopes
from ledger.envelope import pae
from ledger.events import encode
from ledger.fold import open_match

RUNS = 15


def tabula() -> tables.Match:
    """Both hit whatever they can: nobody has won after 200 rolls."""
    match = tables.Match(ruleset="tabula", dice=table.BOTH)
    while len(match.state.rolling.rolls) < 200 and match.state.result is None:
        if match.state.game.thrown(match.state.position):
            match.play_any(lambda text: text.count("*"))
        else:
            match.roll()
    return match


def tablero() -> tables.Match:
    """Nobody pulls, so nobody has won after 300 events."""
    match = tables.Match(ruleset="tablero", dice=table.BOTH_SIDES)
    while match.state.seq < 299:
        if match.state.game.thrown(match.state.position):
            match.play_any()
        else:
            match.roll()
    return match


MATCHES = ((tabula, 3.0), (tablero, 2.0))
"""What is folded, and how many times its verification that may take at most."""


def milliseconds(act: Callable[[], object]) -> float:
    begun = time.perf_counter()
    act()
    return (time.perf_counter() - begun) * 1000


def measure(played: Callable[[], tables.Match], goal: float) -> None:
    entries = played().state.entries
    keys = {
        key.public.fingerprint: Ed25519PublicKey.from_public_bytes(key.public.raw)
        for key in table.KEYS.values()
    }
    signers = {key.public.fingerprint: key for key in table.KEYS.values()}
    signed = []
    for entry in entries:
        key = signers[entry.keyid]
        envelope = envelopes.seal(encode(entry.event), key.public, key.sign)
        signed.append((keys[entry.keyid], envelope.signature, pae(envelope.payload)))

    def verify() -> None:
        for key, signature, message in signed:
            key.verify(signature, message)

    folding, verifying = [], []
    for _ in range(RUNS):
        folding.append(milliseconds(lambda: open_match(entries)))
        verifying.append(milliseconds(verify))
    fold, verification = median(folding), median(verifying)
    rolls = len(open_match(entries).rolling.rolls)
    print(f"{played.__name__}: {len(entries)} events with {rolls} rolls")
    print(f"fold          {fold:8.1f} ms")
    print(f"verification  {verification:8.1f} ms")
    print(f"ratio         {fold / verification:8.2f}  (goal: at most {goal})")


def main() -> None:
    for played, goal in MATCHES:
        measure(played, goal)


if __name__ == "__main__":
    main()
