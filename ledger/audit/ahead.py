"""What can be known of every event before the match is judged: what it says, and whose key made
its signature.

The same work is done here for all events at once, one kind after the other: a processor that
verifies signatures forgets what it needs to fold a match, and the other way round. Nothing is
judged here. A key counts only where it made the signature; whether it was the right one, the
judging says, and it verifies anew where another was.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Final, NamedTuple

from ledger.envelope import Envelope
from ledger.errors import Refused, TabellionError
from ledger.events import Event, decode
from ledger.publickey import PublicKey
from ledger.record import Damage, Piece

_KEY_LINE: Final = re.compile(rb"ssh-ed25519 [A-Za-z0-9+/]{68}")
_REPLACED: Final = b'.replaced"'
"""In the type of every event that puts in a key."""


class Known(NamedTuple):
    """An event as it stands, what it says (or why it cannot be read), and the key of this match
    that made its signature, where one did."""

    piece: Piece
    event: Event | Refused | None
    """``None`` where the piece is damaged."""
    maker: PublicKey | None


def look_ahead(pieces: Sequence[Piece]) -> Iterator[Known]:
    """Every piece of a match with what is known of it, in their order."""
    events = [_read(piece) for piece in pieces]
    keys = {key.fingerprint: key for key in _brought(pieces)}
    makers = [_maker(piece, keys) for piece in pieces]
    return map(Known, pieces, events, makers)


def key_lines(payload: bytes) -> Iterator[PublicKey]:
    """The keys that stand in a payload, wherever that is."""
    for line in _KEY_LINE.findall(payload):
        with suppress(TabellionError):
            yield PublicKey.parse(line.decode("ascii"))


def _read(piece: Piece) -> Event | Refused | None:
    if isinstance(piece, Damage):
        return None
    try:
        return decode(piece.payload)
    except Refused as error:
        return error


def _brought(pieces: Sequence[Piece]) -> Iterator[PublicKey]:
    """The keys that the events bring which can bring any."""
    for number, piece in enumerate(pieces):
        if isinstance(piece, Envelope) and (number == 0 or _REPLACED in piece.payload):
            yield from key_lines(piece.payload)


def _maker(piece: Piece, keys: Mapping[str, PublicKey]) -> PublicKey | None:
    if isinstance(piece, Damage):
        return None
    key = keys.get(piece.keyid)
    return key if key is not None and piece.signed_by(key) else None
