"""The page's verifier: its parts against vectors, and the whole against the records of past
releases."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from secondopinion import NODE, Opinion, audited, opinions
from table import ALBA, ARBITER, BRUNO
from test_publickey import LOW_ORDER, TORSION, L, P, add, decode, encode

from ledger import canonical, events, record
from ledger.audit import Report
from ledger.envelope import Envelope
from ledger.errors import Refused
from ledger.fold import Entry, MatchState, open_match, overruled
from ledger.publickey import weakness

pytestmark = pytest.mark.skipif(NODE is None, reason="Node is not installed")
HERE = Path(__file__).parent
GOLDEN = sorted(HERE.glob("golden/*.tabellion.json"))
EVENT_VECTORS = json.loads((HERE / "conformance" / "event.json").read_bytes())
DICE_VECTORS = json.loads((HERE / "conformance" / "dice.json").read_bytes())


# -- vectors -----------------------------------------------------------------------------------

PAYLOADS = {
    b'{"a":1,"b":[]}': "read",
    b'{"b":1,"a":1}': "not-canonical",
    b'{"a":1, "b":1}': "not-canonical",
    b'{"a":1,"a":1}': "not-canonical",
    b'{"a":-0}': "not-canonical",
    b'{"a":"\\u0041"}': "not-canonical",
    b'{"a":"\\/"}': "not-canonical",
    b'{"a":1.0}': "float",
    b'{"a":1e3}': "float",
    b'{"a":9007199254740991}': "read",
    b'{"a":9007199254740992}': "too-large-integer",
    b'{"a":01}': "not-json",
    b'{"a":1}\n': "not-canonical",
    b'{"a":1}}': "not-json",
    b'{"a":"\\ud800"}': "not-json",
    b'{"a":"\xff"}': "not-json",
    b'{"a":"\n"}': "not-json",
    b'{"a":"\\u0007"}': "forbidden-character",
    '{"a":"\u202e"}'.encode(): "forbidden-character",
    '{"a":"\ufdd0"}'.encode(): "forbidden-character",
    '{"a":"e\u0301"}'.encode(): "not-nfc",
    '{"a":"\u00e9"}'.encode(): "read",
    b'{"A":1}': "bad-key",
    b'{"__proto__":{"v":1}}': "bad-key",
    b'{"constructor":1}': "read",
    b"[" * 32 + b"]" * 32: "read",
    b"[" * 33 + b"]" * 33: "too-deep",
    b"[" * 9000 + b"]" * 9000: "too-deep",
    b'{"a":"' + b"a" * 61440 + b'"}': "too-large",
}
"""Payloads, and what both say of them."""


@cache
def made_of_vectors() -> dict[str, Any]:
    asked = {
        "envelopes": [each["envelope"] for each in EVENT_VECTORS["events"]],
        "lines": [each["public"] for each in EVENT_VECTORS["keys"].values()],
        "payloads": [each.hex() for each in PAYLOADS],
        "dice": DICE_VECTORS,
        "keys": [each.hex() for each in odd_keys()],
        "signatures": [each.hex() for each in odd_signatures()],
    }
    assert NODE is not None
    script = HERE / "node" / "vectors.mjs"
    text = json.dumps(asked).encode()
    found = subprocess.run([NODE, "--no-warnings", script], input=text, capture_output=True)
    assert found.returncode == 0, found.stderr.decode()
    said: dict[str, Any] = json.loads(found.stdout)
    return said


@cache
def odd_keys() -> tuple[bytes, ...]:
    """Good keys, every spelling of low order, mixed orders, small y, y beyond the field."""
    good = [key.public.raw for key in (ALBA, BRUNO, ARBITER)]
    point = decode(good[0])
    assert point is not None
    mixed = [encode(add(point, torsion)) for torsion in TORSION[1:]]
    small = [y.to_bytes(32, "little") for y in range(2, 42)]
    beyond = [y.to_bytes(32, "little") for y in range(P, 1 << 255)]
    return (*good, *LOW_ORDER, *mixed, *small, *beyond)


@cache
def odd_signatures() -> tuple[bytes, ...]:
    good = ALBA.sign(b"a move")
    s = int.from_bytes(good[32:], "little")
    beyond = [good[:32] + (s + L).to_bytes(32, "little"), good[:32] + L.to_bytes(32, "little")]
    return (good, *beyond, *(each + good[32:] for each in LOW_ORDER))


def test_events_are_read_hashed_and_verified_as_in_the_vectors() -> None:
    assert made_of_vectors()["envelopes"] == [
        {"hash": each["pae_sha256_hash"], "payload": each["payload"], "holds": True}
        for each in EVENT_VECTORS["events"]
    ]


def test_dice_are_those_of_the_vectors() -> None:
    found = made_of_vectors()
    assert found["commitments"] == [each["commitment"] for each in DICE_VECTORS["commitments"]]
    assert found["rolls"] == [
        {name: each[name] for name in ("seed", "two", "three")} for each in DICE_VECTORS["rolls"]
    ]


def test_payloads_are_held_to_the_profile() -> None:
    assert dict(zip(PAYLOADS, made_of_vectors()["payloads"], strict=True)) == PAYLOADS
    assert {text: said_of(text) for text in PAYLOADS} == PAYLOADS


def said_of(payload: bytes) -> str:
    try:
        canonical.decode(payload)
    except Refused as refusal:
        return refusal.code
    return "read"


def test_odd_keys_are_judged_alike() -> None:
    found = [reason is None for reason in made_of_vectors()["keys"]]
    assert found == [weakness(key) is None for key in odd_keys()]
    assert found[:3] == [True] * 3
    assert not any(found[3 : 3 + len(LOW_ORDER) + 7])


def test_odd_signatures_are_refused() -> None:
    good, *odd = made_of_vectors()["signatures"]
    assert good
    assert not any(odd)


# -- the records of past releases ----------------------------------------------------------------


@cache
def golden() -> tuple[tuple[str, bytes, Opinion], ...]:
    texts = [path.read_bytes() for path in GOLDEN]
    return tuple(zip([path.name for path in GOLDEN], texts, opinions(texts), strict=True))


def folded(data: bytes) -> MatchState:
    whole = [piece for piece in record.read(data).pieces if isinstance(piece, Envelope)]
    return open_match([Entry(events.decode(each.payload), each.hash, each.keyid) for each in whole])


@pytest.mark.parametrize("number", range(len(GOLDEN)), ids=[path.name for path in GOLDEN])
def test_records_of_past_releases_are_sound(number: int) -> None:
    _, data, page = golden()[number]
    report, state = audited(data), folded(data)
    assert (page["verdict"], page["faults"], page["unchecked"]) == ("sound", [], [])
    assert (page["match"], page["head"]) == (report.match, report.head)
    assert [each["hash"] for each in page["events"]] == [each.hash for each in state.entries]
    checks = [{name for name, ok in each["checks"].items() if ok} for each in page["events"]]
    assert all(each >= {"form", "signature", "chain", "authority"} for each in checks)
    back = state.superseded() | overruled(state).keys()
    assert {number for number, _ in page["superseded"]} == back
    assert [each["faults"] for each in page["events"]] == [[]] * report.events
    assert page["closed"]
    assert set(page["signed"]) == state.countersigned


@pytest.mark.parametrize("number", range(len(GOLDEN)), ids=[path.name for path in GOLDEN])
def test_dice_and_holders_are_those_of_the_audit(number: int) -> None:
    _, data, page = golden()[number]
    report, state = audited(data), folded(data)
    assert [
        (each["roll"], each["event"], tuple(each["dice"]), each["how"] == "awarded")
        for each in page["rolls"]
        if each["counted"]
    ] == [
        (each.number, each.seq, each.dice, each.awarded)
        for each in state.rolling.rolls
        if each.counted
    ]
    assert {each["roll"]: each["voided"] for each in page["rolls"] if each["dice"]} == {
        each.number: each.voided for each in state.rolling.rolls
    }
    assert [each["roll"] for each in page["rolls"] if each["ended"] is not None] == [
        each.number for each in state.rolling.unopened
    ]
    assert sorted(map(str, page["parties"])) == sorted(map(str, held(report)))


def held(report: Report) -> Iterator[dict[str, Any]]:
    for each in report.parties:
        yield {
            "role": each.role,
            "name": each.name,
            "keyid": each.keyid,
            "since": each.since,
            "until": each.until,
            "putInBy": each.put_in_by,
            "consent": each.consent,
        }
