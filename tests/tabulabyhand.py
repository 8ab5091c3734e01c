"""Tabula by hand, for tests: the dice from the numbers that were opened, the turns from the second
reading of the rulings. Nothing of the product's own dice and rules is asked.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from typing import NamedTuple

from bench.tabula_turns import NAMED, OFF, Men, parted, plain_turns, spelled

from ledger.games.protocol import OptionValue

SEATS = ("white", "black")
NUMBERS = {"white": 0, "black": 1, "arbiter": 2}
SEEDS = {"arbiter": 1, "white": 2, "black": 3}
"""The byte of which each private key is made (``table``)."""
START = "W h15 b0 o0 - | B h15 b0 o0 - | -"


# -- dice: commit-reveal/1 ---------------------------------------------------------------------


def mac(key: bytes, *parts: bytes) -> bytes:
    return hmac.digest(key, b"".join(parts), "sha256")


def place(match: str, roll: int) -> bytes:
    return bytes.fromhex(match) + roll.to_bytes(4, "big")


@cache
def secret(role: str) -> bytes:
    """What a key's owner draws all numbers from: HKDF-SHA256 of the private key, one block."""
    drawn = mac(bytes(32), bytes([SEEDS[role]]) * 32)
    return mac(drawn, b"tabellion/dice-secret/v1", b"\x01")


def nonce(match: str, roll: int, role: str) -> str:
    where = place(match, roll) + bytes([NUMBERS[role]])
    return mac(secret(role), b"dice-nonce/v1\0", where).hex()


def bound(match: str, roll: int, role: str, number: str) -> str:
    """What binds a role to a number for a roll."""
    where = place(match, roll) + bytes([NUMBERS[role]])
    return sha256(b"dice-commit/v1\0" + where + bytes.fromhex(number)).hexdigest()


def faces(match: str, roll: int, nonces: Mapping[str, str], count: int) -> tuple[int, ...]:
    opened = sorted(
        bytes([NUMBERS[role]]) + bytes.fromhex(number) for role, number in nonces.items()
    )
    start = b"dice-seed/v1\0" + place(match, roll) + bytes([len(opened)])
    seed = sha256(start + b"".join(opened)).digest()
    stream = mac(seed, b"dice-block/v1\0", bytes(4)) + mac(seed, b"dice-block/v1\0", b"\0\0\0\1")
    return tuple(byte % 6 + 1 for byte in stream if byte < 252)[:count]


# -- turns ---------------------------------------------------------------------------------------


class Turn(NamedTuple):
    """A legal turn: the die of each step, the position after it, the points that it touches."""

    dice: tuple[int, ...]
    position: str
    touched: tuple[int, ...]


@cache
def turns(
    options: tuple[tuple[str, OptionValue], ...], position: str, dice: tuple[int, ...]
) -> Mapping[str, Turn]:
    """Every legal turn by its text, in every order in which it can be played. None: a pass."""
    own, foe = parted(position)
    found = {}
    for left, hit, tokens in plain_turns(dict(options), own, foe, dice):
        standing, words = foe.copy(), []
        for token in tokens:
            star = token[1] < OFF and standing[token[1]] == 1
            standing[token[1]] -= star
            words.append(NAMED[token] + "*" * star)
        points = {spot for token in tokens for spot in token[:2] if 0 < spot < OFF}
        used = tuple(die for _, _, die in tokens)
        found[" ".join(words)] = Turn(used, after(position, left, hit), tuple(sorted(points)))
    return found


def after(position: str, own: Men, foe: Men) -> str:
    """The position once the side to move has moved: the other side is to move."""
    if position.endswith("W"):
        return f"W {spelled(own)} | B {spelled(foe)} | B"
    return f"W {spelled(foe)} | B {spelled(own)} | W"


def passed(position: str) -> str:
    return after(position, *parted(position))


def whole(position: str) -> bool:
    """Fifteen checkers a side, and never two colours on a point."""
    mover, other = parted(position)
    shared = [point for point in range(1, OFF) if mover[point] and other[point]]
    return sum(mover) == sum(other) == 15 and not shared


def across(seat: str) -> str:
    return SEATS[1 - SEATS.index(seat)]
