"""The bundle: a match with all that a stranger needs to check it, as one zip file.

One folder: the record, the page, the keys, and instructions for a shell with ``openssl``. Nothing
is compressed and nothing but the match and the page goes in, no time and no machine: the same match
gives the same bytes everywhere. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import Final
from zipfile import ZIP_STORED, ZipFile, ZipInfo

from ledger.bundling.holders import allowed_signers, holders, pem
from ledger.bundling.instructions import instructions
from ledger.carriers import RECORD
from ledger.fold import MatchState

_NO_TIME: Final = (1980, 1, 1, 0, 0, 0)
_UNIX: Final = 3
_PLAIN_FILE: Final = 0o100644 << 16


def folder(match: str) -> str:
    """What a bundle unpacks to."""
    return f"tabellion-{match[:12]}"


def write(state: MatchState, record: bytes, page: bytes) -> bytes:
    """The bundle of a match: ``record`` as it is exported, ``page`` as everybody has it."""
    place = folder(state.match)
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_STORED) as archive:
        for path, data in _files(state, record, page):
            archive.writestr(_entry(f"{place}/{path}"), data)
    return packed.getvalue()


def _files(state: MatchState, record: bytes, page: bytes) -> Iterator[tuple[str, bytes]]:
    yield "VERIFY.md", instructions(state, page)
    yield "allowed_signers", allowed_signers(state)
    for holder in holders(state):
        if holder.party.key is not None:
            yield holder.path, pem(holder.party.key.raw)
    yield RECORD, record
    yield "verify.html", page


def _entry(path: str) -> ZipInfo:
    entry = ZipInfo(path, _NO_TIME)
    entry.create_system = _UNIX
    entry.external_attr = _PLAIN_FILE
    return entry
