"""Codes by which a phone takes its seat, and what it signs with them. Pure.

Ten letters of Crockford's base32 (no I, L, O, U), 50 bits: they are typed by hand, are good for
one key and for a day. Nothing here keeps a code: what is stored is its SHA-256.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from hashlib import sha256
from typing import Final

from ledger import canonical, envelope
from ledger.errors import Unreadable

PAYLOAD_TYPE: Final = "application/vnd.tabellion.join.v1+json"
LETTERS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
LENGTH: Final = 10
_MOST: Final = 64
_WRITTEN: Final = re.compile(f"[0-9A-Z]{{{LENGTH}}}", re.ASCII)
_MISREAD: Final = str.maketrans("OIL", "011")
"""What people read where a digit stands: Crockford takes the one for the other."""


def fresh(entropy: Callable[[int], bytes]) -> str:
    """A new code, of 50 of the 56 bits that ``entropy`` gives."""
    number = int.from_bytes(entropy(7), "big")
    return "".join(LETTERS[number >> 5 * place & 31] for place in range(LENGTH))


def grouped(code: str) -> str:
    """A code as people see it: ABCD-EFGH-JK."""
    return f"{code[:4]}-{code[4:8]}-{code[8:]}"


def spelled(text: str) -> str:
    """What somebody typed, in upper case and without hyphens and spaces: so it is signed.

    Raises ``Unreadable`` (``bad-code``) without repeating it.
    """
    letters = re.sub("[- ]", "", text[:_MOST]).upper()
    if len(text) > _MOST or not _WRITTEN.fullmatch(letters):
        raise Unreadable(
            "bad-code",
            f"A join code has {LENGTH} letters and digits, like ABCD-EFGH-JK.",
            hint="look at the join sheet again",
        )
    return letters


def digest(code: str) -> str:
    """What is kept of a code, in hex."""
    return sha256(spelled(code).translate(_MISREAD).encode("ascii")).hexdigest()


def message(code: str, key: str) -> bytes:
    """What the phone signs to show that it holds the private half of ``key``: DSSE's PAE, of a
    payload type of its own, so that nothing else can be taken for it."""
    return envelope.pae(canonical.encode({"code": spelled(code), "key": key}), PAYLOAD_TYPE)
