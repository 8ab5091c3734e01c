"""Dice by commit–reveal: the reference vectors, the secrets behind them, and fair faces."""

from __future__ import annotations

import json
from collections import Counter
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from table import ALBA

from ledger import dice
from ledger.errors import Refused
from ledger.keys import SigningKey

DATA = Path(__file__).parent / "conformance"
VECTORS = json.loads((DATA / "dice.json").read_bytes())
DERIVED = json.loads((DATA / "event.json").read_bytes())
MATCH = VECTORS["match"]
secrets = st.binary(min_size=32, max_size=32)


@pytest.mark.parametrize("each", VECTORS["commitments"], ids=lambda e: f"{e['roll']}-{e['seat']}")
def test_commitments_of_the_reference_data(each):
    nonce = bytes.fromhex(each["nonce"])
    assert dice.commitment(MATCH, each["roll"], each["seat"], nonce) == each["commitment"]


@pytest.mark.parametrize("each", VECTORS["rolls"], ids=lambda each: str(each["nonces"])[:40])
def test_seeds_and_dice_of_the_reference_data(each):
    nonces = {int(seat): bytes.fromhex(nonce) for seat, nonce in each["nonces"].items()}
    seed = dice.seed(MATCH, each["roll"], nonces)
    assert seed.hex() == each["seed"]
    assert dice.faces(seed, 2) == tuple(each["two"])
    assert dice.faces(seed, 3) == tuple(each["three"])


def test_the_order_in_which_nonces_are_given_changes_nothing():
    nonces = {2: b"c" * 32, 0: b"a" * 32, 1: b"b" * 32}
    assert dice.seed(MATCH, 1, nonces) == dice.seed(MATCH, 1, dict(sorted(nonces.items())))


@pytest.mark.parametrize("key", DERIVED["nonce_secret"], ids=lambda each: each["key"])
def test_secrets_and_nonces_of_the_reference_data(key):
    seed = {"arbiter": bytes([1]) * 32, "white": bytes([2]) * 32}[key["key"]]
    secret = SigningKey.from_seed(seed).dice_secret()
    assert secret.hex() == key["secret"]
    for each in key["nonces"]:
        assert dice.nonce(secret, each["match"], each["roll"], each["seat"]).hex() == each["nonce"]


def test_the_secret_is_the_same_after_a_restart():
    again = SigningKey.from_seed(bytes([2]) * 32)
    assert again.dice_secret() == ALBA.dice_secret()
    assert again.dice_secret().hex() not in repr(again)


@given(secrets, secrets, st.integers(1, 2**32 - 1))
def test_every_part_of_a_commitment_counts(one, other, roll):
    bound = dice.commitment(MATCH, roll, 0, one)
    assert bound != dice.commitment(MATCH, roll, 1, one)
    assert bound != dice.commitment("00" * 32, roll, 0, one)
    assert (bound == dice.commitment(MATCH, roll, 0, other)) == (one == other)


def test_bytes_from_252_on_are_skipped():
    seed = next(
        seed
        for seed in (sha256(bytes([n, m])).digest() for n in range(256) for m in range(8))
        if first_block(seed)[0] >= 252
    )
    block = first_block(seed)
    assert dice.faces(seed, 1) == (block[1] % 6 + 1,)


def first_block(seed: bytes) -> bytes:
    import hmac

    return hmac.digest(seed, b"dice-block/v1\0" + bytes(4), "sha256")


def test_more_dice_than_one_block_has_bytes():
    thrown = dice.faces(b"s" * 32, 100)
    assert len(thrown) == 100
    assert dice.faces(b"s" * 32, 40) == thrown[:40]


def test_faces_are_equally_likely():
    counts = Counter(dice.faces(b"fair" * 8, 60_000))
    assert set(counts) == set(range(1, 7))
    assert max(abs(count - 10_000) for count in counts.values()) < 400  # four deviations


@pytest.mark.parametrize("roll", [0, -1, 2**32])
def test_a_number_no_roll_can_have(roll):
    with pytest.raises(Refused, match="numbered from 1"):
        dice.commitment(MATCH, roll, 0, bytes(32))


@pytest.mark.parametrize("size", [0, 31, 33])
def test_a_nonce_of_another_size(size):
    with pytest.raises(Refused, match="32 bytes"):
        dice.commitment(MATCH, 1, 0, bytes(size))
