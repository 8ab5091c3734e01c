"""The README's page for those who write a verifier: its figures, bytes and tables are true.

The examples are recomputed with Python's own hashes and the `cryptography` package, without a line
of the ledger; the tables are held against what the fold allows.
"""

from __future__ import annotations

import hmac
import re
from base64 import b64decode, b64encode
from hashlib import sha256
from pathlib import Path

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from ledger import consent
from ledger.canonical import MAX_BYTES, MAX_DEPTH
from ledger.events import EVENT_TYPES
from ledger.fold import authority
from ledger.games import every_game

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")
(PAGE,) = re.findall(r"^## Write your own verifier\n(.*?)^## ", README, re.S | re.M)
HASH, FORMULAS, DICE = (
    dict(re.split(r"\s+= ", line, maxsplit=1) for line in block.splitlines())
    for block in re.findall(r"```text\n(.*?)```", PAGE, re.S)
)


def pae(payload: bytes) -> bytes:
    return b"DSSEv1 39 application/vnd.tabellion.event.v1+json %d %b" % (len(payload), payload)


def test_the_example_of_an_event_is_true() -> None:
    payload = HASH["payload"].encode()
    signed = pae(payload)
    head, length = re.fullmatch(r"(.*) … \((\d+) bytes\)", HASH["PAE"]).groups()  # type: ignore[union-attr]
    assert signed.startswith(head.encode())
    assert len(signed) == int(length)
    assert sha256(signed).hexdigest() == HASH["hash"]
    kind, line = HASH["key"].split(" ")
    blob = b64decode(line, validate=True)
    assert (kind, len(line), len(blob)) == ("ssh-ed25519", 68, 51)
    assert blob[:19] == b"\0\0\0\x0bssh-ed25519\0\0\0\x20"
    assert f"SHA256:{b64encode(sha256(blob).digest()).decode().rstrip('=')}" == HASH["keyid"]
    key = Ed25519PublicKey.from_public_bytes(blob[19:])
    key.verify(b64decode(HASH["signature"], validate=True), signed)
    with pytest.raises(InvalidSignature):
        key.verify(b64decode(HASH["signature"]), signed + b" ")


def test_the_example_of_a_roll_is_true() -> None:
    match, roll = bytes.fromhex(DICE["match_id"]), int(DICE["roll"]).to_bytes(4, "big")
    nonces = [bytes.fromhex(DICE[f"nonce_{seat}"]) for seat in (0, 1)]
    bound = [
        b"dice-commit/v1\0" + match + roll + bytes([seat]) + nonce
        for seat, nonce in enumerate(nonces)
    ]
    assert bytes.fromhex(DICE["hashed_0"]) == bound[0]
    for seat, message in enumerate(bound):
        assert sha256(message).hexdigest() == DICE[f"commitment_{seat}"]
    opened = b"\0" + nonces[0] + b"\1" + nonces[1]
    seed = sha256(b"dice-seed/v1\0" + match + roll + b"\2" + opened).digest()
    assert seed.hex() == DICE["seed"]
    block = hmac.digest(seed, b"dice-block/v1\0" + bytes(4), "sha256")
    beginning = bytes.fromhex(DICE["byte"])
    assert block.startswith(beginning)
    assert "-".join(str(byte % 6 + 1) for byte in beginning if byte < 252) == DICE["dice"]
    assert any(byte >= 252 for byte in beginning), "an example that shows a skipped byte"


def test_the_formulas_are_those_of_the_chapter_on_dice() -> None:
    (short,) = re.findall(r"```text\n(commitment = .*?)```", README.replace(PAGE, ""), re.S)
    told = dict(re.split(r"\s+= ", line, maxsplit=1) for line in short.splitlines())
    for name in ("commitment", "seed", "die"):
        assert FORMULAS[name] == told[name]


OFFICES = {"arbiter", "seat", "witness", "appeal"}


def rights() -> dict[str, tuple[set[str], bool]]:
    """By type who signs it, and whether the arbiter writes it for a seat, as the table says."""
    found = {}
    for line in PAGE.split("| types | by |")[1].split("\n\n")[0].splitlines()[2:]:
        types, by = line.strip("| ").split(" | ")
        who = OFFICES & set(re.findall(r"\w+", by.partition(";")[0]))
        for kind, dagger in re.findall(r"`([a-z.]+)`(†?)", types):
            found[kind] = (who or OFFICES, bool(dagger))
    return found


def test_the_table_of_who_may_sign_what_is_the_one_of_the_fold() -> None:
    told = rights()
    assert set(told) == set(EVENT_TYPES)
    for kind, (who, scribed) in told.items():
        assert who == set(authority._WHO[kind]), kind
        assert scribed == (kind in authority._SCRIBED), kind


def test_the_seats_and_numbers_are_those_of_the_games() -> None:
    for game in every_game():
        first, second = game.seats
        assert f"`{first}` and `{second}` in `{game.name}`" in PAGE
    assert f"{MAX_BYTES // 1024} KiB at most" in PAGE
    assert f"at most {MAX_DEPTH} levels" in PAGE
    assert f"one of the {len(EVENT_TYPES)} types" in PAGE
    (length,) = re.findall(rf"`{re.escape(consent.PAYLOAD_TYPE)}` \((\d+) characters\)", PAGE)
    assert int(length) == len(consent.PAYLOAD_TYPE)


def test_every_code_on_the_page_is_one_that_the_audit_gives() -> None:
    source = "".join(
        file.read_text("utf-8")
        for folder in (".", "fold", "audit")
        for file in (ROOT / "ledger" / folder).glob("*.py")
    )
    named = {
        code
        for bracket in re.findall(r"\[(`[^\]]*)\]", PAGE)
        for code in re.findall(r"`([a-z]+(?:-[a-z]+)*)`", bracket)
    }
    assert len(named) > 40
    assert {code for code in named if f'"{code}"' not in source} == set()


def test_every_schema_on_the_page_is_there() -> None:
    for name in re.findall(r"`((?:\w+/)?[\w.-]+\.json)`", PAGE.split("**Schemas**")[1]):
        stem = name.replace("TYPE", "move").replace("KIND", "moves").replace("COMMAND", "audit")
        assert (ROOT / "schemas" / stem).is_file(), name
