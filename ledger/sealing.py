"""A sealed move, ``sealed-move/v1``: bound when a game is adjourned, read when it is resumed. Pure.

The number hides the move: without it anybody could try all legal moves against the hash.
"""

from __future__ import annotations

import hmac
from hashlib import sha256

from ledger.errors import Refused

_MOST = 2**32 - 1


def seal(match: str, seq: int, seat: int, nonce: bytes, text: str) -> str:
    """What binds ``seat`` (0 or 1) to a move, in hex. ``seq`` is the number of the event that
    seals it, ``nonce`` has 32 bytes."""
    if len(nonce) != 32:
        raise Refused("bad-nonce", "A nonce has exactly 32 bytes.")
    place = _place(match, seq, seat)
    try:
        move = text.encode()
    except UnicodeEncodeError:
        raise Refused("bad-text", "This is no text that can be sealed.") from None
    return sha256(b"sealed-move/v1\0" + place + nonce + move).hexdigest()


def nonce(secret: bytes, match: str, seq: int, seat: int) -> bytes:
    """The number that the owner of ``secret`` seals with there: the same after a restart."""
    return hmac.digest(secret, b"sealed-nonce/v1\0" + _place(match, seq, seat), "sha256")


def _place(match: str, seq: int, seat: int) -> bytes:
    if not 0 <= seq <= _MOST:
        raise Refused("bad-seq", "No event has a number so high that it could seal a move.")
    return bytes.fromhex(match) + seq.to_bytes(4, "big") + bytes([seat])
