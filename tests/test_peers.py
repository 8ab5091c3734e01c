"""Programs that know nothing of Tabellion judge its records: OpenSSL, Node and a library of DSSE.

Every event of every golden record is sound to each of them, and none is once a bit has changed.
What they are told is the record, and for those that know signatures alone, whose key to take.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from securesystemslib.dsse import Envelope as Dsse
from securesystemslib.exceptions import VerificationError
from securesystemslib.signer import SSlibKey  # type: ignore[attr-defined]
from table import STRANGER

from ledger import record
from ledger.bundling.holders import pem
from ledger.envelope import Envelope, pae
from ledger.events import decode
from ledger.fold import Entry, open_match
from ledger.publickey import PublicKey

GOLDEN = Path(__file__).parent / "golden"
RECORDS = sorted(GOLDEN.glob("*.tabellion.json"))
NODE = Path(__file__).parent / "peers/verify.mjs"
each_record = pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.name.split(".")[0])


def events_of(path: Path) -> list[Envelope]:
    pieces = record.read(path.read_bytes()).pieces
    return [piece for piece in pieces if isinstance(piece, Envelope)]


def with_keys(path: Path) -> Iterator[tuple[Envelope, PublicKey]]:
    """Every event with the key that its role had then."""
    events = events_of(path)
    entries = [Entry(decode(one.payload), one.hash, one.keyid) for one in events]
    state = open_match(entries)
    for event, entry in zip(events, entries, strict=True):
        key = state.holder(entry.event.by, entry.event.seq).key
        assert key is not None
        yield event, key


def flipped(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


def altered(event: Envelope, chance: Random) -> Iterator[Envelope]:
    """One bit of the payload, of R and of S."""
    at = chance.randrange(len(event.payload))
    yield Envelope(flipped(event.payload, at), event.signature, event.keyid)
    for half in (0, 32):
        at = chance.randrange(half, half + 32)
        yield Envelope(event.payload, flipped(event.signature, at), event.keyid)


# -- OpenSSL -----------------------------------------------------------------------------------


def openssl(event: Envelope, key: PublicKey, folder: Path) -> bool:
    for name, data in (
        ("key", pem(key.raw)),
        ("signed", pae(event.payload)),
        ("signature", event.signature),
    ):
        (folder / name).write_bytes(data)
    command = "openssl pkeyutl -verify -rawin -pubin -inkey key -in signed -sigfile signature"
    done = subprocess.run(command.split(), cwd=folder, capture_output=True, text=True, check=False)
    said = "Signature Verified Successfully\n" if done.returncode == 0 else None
    assert said == done.stdout or done.stdout == "Signature Verification Failure\n", done
    return said is not None


@each_record
def test_openssl_accepts_every_event(path: Path, tmp_path: Path) -> None:
    for event, key in with_keys(path):
        assert openssl(event, key, tmp_path)


@each_record
def test_openssl_refuses_altered_events(path: Path, tmp_path: Path) -> None:
    chance = Random(path.name)
    for event, key in chance.sample(list(with_keys(path)), 5):
        for changed in altered(event, chance):
            assert not openssl(changed, key, tmp_path)
        assert not openssl(event, STRANGER.public, tmp_path)


# -- securesystemslib --------------------------------------------------------------------------


def dsse_accepts(event: Envelope, key: PublicKey) -> bool:
    public = SSlibKey.from_crypto(Ed25519PublicKey.from_public_bytes(key.raw), key.fingerprint)
    try:
        found = Dsse.from_dict(json.loads(event.text())).verify([public], 1)
    except VerificationError:
        return False
    return found == {event.keyid: public}


@each_record
def test_a_library_of_dsse_accepts_every_event_and_no_altered_one(path: Path) -> None:
    chance = Random(path.name)
    for event, key in with_keys(path):
        assert dsse_accepts(event, key)
        assert not dsse_accepts(event, STRANGER.public)
        for changed in altered(event, chance):
            assert not dsse_accepts(changed, key)


# -- Node --------------------------------------------------------------------------------------


needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="there is no node here")


def node(*files: Path) -> list[str]:
    """What it says of each file."""
    command = ["node", str(NODE), *map(str, files)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    said = done.stdout.splitlines()
    assert done.returncode == any(not line[0].isdigit() for line in said)
    return said


def forgeries(path: Path) -> Iterator[tuple[str, Sequence[Envelope]]]:
    """What it must say, and the events of the forgery."""
    events, chance = events_of(path), Random(path.name)
    for number, event in enumerate(events):
        in_payload, *in_signature = altered(event, chance)
        put = [in_payload, *in_signature]
        for changed in put[chance.randrange(3) :][:1]:
            yield f"event {number}", [*events[:number], changed, *events[number + 1 :]]
    third = events[3]
    signature = STRANGER.sign(pae(third.payload))
    for keyid, why in (
        (third.keyid, "event 3: the signature does not hold"),
        (STRANGER.public.fingerprint, "event 3 names a key that"),
    ):
        yield why, [*events[:3], Envelope(third.payload, signature, keyid), *events[4:]]
    yield "event 3 says that it is event 4", [*events[:3], *events[4:]]
    yield "event 4 says that it is event 3", [*events[:4], *events[3:]]
    yield "event 0 says that it is event 1", events[1:]
    other = events_of(next(each for each in RECORDS if each != path))
    yield "event 1 does not continue the chain", [events[0], *other[1:]]


@needs_node
def test_node_accepts_every_record() -> None:
    said = [f"{len(events)} {events[-1].hash}" for events in map(events_of, RECORDS)]
    assert node(*RECORDS) == said


@needs_node
@each_record
def test_node_refuses_every_forgery(path: Path, tmp_path: Path) -> None:
    expected, files = [], []
    for why, events in forgeries(path):
        expected.append(why)
        files.append(tmp_path / f"{len(files)}.json")
        files[-1].write_bytes(record.write(events))
    for why, said in zip(expected, node(*files), strict=True):
        assert said.startswith(why) or said == "not a record"


@needs_node
def test_node_reads_a_record_that_carries_boards(tmp_path: Path) -> None:
    events = events_of(RECORDS[0])
    (tmp_path / "match").write_bytes(record.write(events, b'{"boards":[],"version":1}'))
    assert node(tmp_path / "match") == [f"{len(events)} {events[-1].hash}"]
