"""Dice by commit–reveal, scheme ``commit-reveal/1``: hashes in, faces out.

Every contributor commits to a secret number (nonce) before the throw; the dice are computed from
all of them once they are open. Nothing else enters: no time, no event, no signature. Pure.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterator, Mapping
from hashlib import sha256
from itertools import count, islice
from typing import Final

from ledger.errors import Refused

FACES: Final = 6
ARBITER: Final = 2
"""The number of the arbiter in the hashes; the first seat is 0, the second 1."""

_FAIR: Final = 252
"""A byte from here on is skipped, so that every face has 42 of the bytes left."""
_MOST_ROLLS: Final = 2**32 - 1


def commitment(match: str, roll: int, seat: int, nonce: bytes) -> str:
    """What binds ``seat`` to a nonce of 32 bytes for one roll of one match, in hex."""
    bound = _roll(match, roll) + bytes([seat]) + _whole(nonce)
    return sha256(b"dice-commit/v1\0" + bound).hexdigest()


def seed(match: str, roll: int, nonces: Mapping[int, bytes]) -> bytes:
    """32 bytes from the nonces of all contributors, by the numbers of their seats."""
    opened = b"".join(bytes([seat]) + _whole(nonces[seat]) for seat in sorted(nonces))
    return sha256(b"dice-seed/v1\0" + _roll(match, roll) + bytes([len(nonces)]) + opened).digest()


def faces(seed: bytes, dice: int) -> tuple[int, ...]:
    """So many dice from a seed, each face equally likely."""
    return tuple(islice(_faces(seed), dice))


def _faces(seed: bytes) -> Iterator[int]:
    for block in count():
        message = b"dice-block/v1\0" + block.to_bytes(4, "big")
        for byte in hmac.digest(seed, message, "sha256"):
            if byte < _FAIR:
                yield byte % FACES + 1


def nonce(secret: bytes, match: str, roll: int, seat: int) -> bytes:
    """The nonce that the owner of ``secret`` (32 bytes) uses there: the same after a restart."""
    message = b"dice-nonce/v1\0" + _roll(match, roll) + bytes([seat])
    return hmac.digest(_whole(secret), message, "sha256")


def _roll(match: str, roll: int) -> bytes:
    if not 1 <= roll <= _MOST_ROLLS:
        raise Refused("wrong-roll", f"Rolls are numbered from 1 to {_MOST_ROLLS}.")
    return bytes.fromhex(match) + roll.to_bytes(4, "big")


def _whole(secret: bytes) -> bytes:
    if len(secret) != 32:
        raise Refused("bad-nonce", "A nonce has exactly 32 bytes.")
    return secret
