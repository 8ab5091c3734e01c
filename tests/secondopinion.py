"""The page's verifier as a second opinion: records to Node, what it says back, many at once."""

from __future__ import annotations

import json
import subprocess
from base64 import b64encode
from collections.abc import Iterable, Sequence
from pathlib import Path
from shutil import which
from typing import Any, TypeAlias

from ledger import record, rulings
from ledger.audit import Report, Trust, audit
from ledger.envelope import Envelope

NODE = which("node")
DRIVER = Path(__file__).parent / "node" / "verifier.mjs"
Opinion: TypeAlias = dict[str, Any]


def opinions(records: Iterable[bytes]) -> list[Opinion]:
    """What the page says of each record, by one process."""
    lines = b"".join(b64encode(each) + b"\n" for each in records)
    assert NODE is not None
    found = subprocess.run([NODE, "--no-warnings", DRIVER], input=lines, capture_output=True)
    assert found.returncode == 0, found.stderr.decode()
    return [json.loads(line) for line in found.stdout.splitlines()]


def opinion(data: bytes) -> Opinion:
    (found,) = opinions([data])
    return found


def of_events(events: Sequence[Envelope]) -> Opinion:
    return opinion(record.write(events))


def audited(data: bytes) -> Report:
    """What the audit says of the same record."""
    found = record.read(data)
    return audit(found.pieces, found.frame, Trust(documents=rulings.digests()))


Found: TypeAlias = tuple[int | None, str]
"""An event and the code of what is wrong there."""


def faults_of(found: Opinion | Report) -> list[Found]:
    if isinstance(found, Report):
        return [(fault.event, fault.code) for fault in found.faults]
    return [(fault["event"], fault["code"]) for fault in found["faults"]]


def first_fault(found: Opinion | Report) -> Found | None:
    return next(iter(faults_of(found)), None)


_SHARE = """
accepted-twice across-a-ruling adjourned appealed-already bad-chain bad-consent
bad-contributors bad-event bad-key bad-result bad-seq bad-signature bad-throw committed-already
computed-dice countersigned-twice decided-on-appeal dice-on-table dice-unsaid disputed
effects-clash empty file-damaged float forbidden-character foreign-payload future-version
key-needed key-twice key-type key-unreadable keyless-contributor keyless-settlement match-closed
no-appeal no-commitment no-flight no-key no-seal no-settlements no-such-appeal no-such-dispute
no-such-event no-such-offer no-such-penalty no-such-roll no-takebacks nobody-new not-accepted
not-adjourned not-an-envelope not-appealable not-closed not-committed not-contributor not-json
not-nfc not-one-signature not-opened nothing-at-issue nothing-to-confirm nothing-to-dismiss
offer-lapsed offered-already opened-twice out-of-order own-offer refused-already roll-in-flight
seat-has-key sealed-already settled-already taken-back too-deep too-large too-large-integer
unconfirmed unknown-role unknown-type used-before voided voided-already weak-key wrong-citation
wrong-match wrong-nonce wrong-result-event wrong-role wrong-roll wrong-seal wrong-seats
wrong-signer
"""
SHARE = frozenset(_SHARE.split())
"""What the page finds as the audit does."""
_PARTLY = """
across-a-throw bad-dice dice-on-board game-over no-dice not-canonical sealed-move wrong-result
wrong-turn
"""
PARTLY = frozenset(_PARTLY.split())
"""What the page finds too, save where it takes the rules of the game."""
_PLAIN = """
bad-chain bad-event bad-key bad-seq bad-signature file-damaged float forbidden-character
foreign-payload not-an-envelope not-json not-nfc not-one-signature too-large-integer
wrong-match
"""
PLAIN = frozenset(_PLAIN.split())
"""Faults that are found in an event whatever stands before it."""
