"""What a record comes in: as itself, inside the page, or in a bundle. Everything gets bytes of a
record from here, and reads them as those of any other.

A hostile carrier is refused with a sentence: one that grows when it is unpacked, that holds two
records, that other programs would read otherwise. What is left is damage to the record, and its own
reader names that. Pure: bytes in, bytes out.
"""

from __future__ import annotations

import re
import zlib
from io import BytesIO
from typing import TYPE_CHECKING, Final

from ledger.errors import Unreadable
from ledger.record import MAX_RECORD

if TYPE_CHECKING:
    from zipfile import ZipFile, ZipInfo

RECORD: Final = "match.tabellion.json"
"""What the record is called in a bundle."""

_PAGE: Final = re.compile(rb"(?:\xef\xbb\xbf)?\s*<(?:!doctype|html)[\s>]", re.IGNORECASE)
_LINE: Final = re.compile(rb'^\{"events":\[[^\n]*\n?', re.MULTILINE)

_ZIP: Final = b"PK\x03\x04"
_END: Final = b"PK\x05\x06"
_LARGE: Final = b"PK\x06\x07"
_MOST_LISTED: Final = 64 * 1024
"""Bytes of a zip's list of members. A match has a dozen keys; a page of them is no bundle."""
_ENCRYPTED: Final = 1
_RENAMED: Final = 0x7075
"""The extra field that gives a member another name (Info-ZIP Unicode Path, APPNOTE 4.6.9)."""
_PIECE: Final = 64 * 1024


def record_in(data: bytes) -> bytes:
    """The bytes of the record that ``data`` carries; ``data`` itself when it is no carrier.

    Raises ``Unreadable``: ``no-record``, ``many-records``, ``bad-bundle``, ``too-large``.
    """
    if not is_carrier(data):
        return data
    return _in_bundle(data) if data.startswith((_ZIP, _END)) else _in_page(data)


def is_carrier(data: bytes) -> bool:
    """Whether a file that begins so is a page or a bundle."""
    return data.startswith((_ZIP, _END)) or _PAGE.match(data) is not None


def _in_page(data: bytes) -> bytes:
    """The one line that begins like a record, wherever it stands: the verifying page takes the
    same. How the lines of a page end can change on its way."""
    found = _LINE.findall(data)
    if len(found) > 1:
        raise Unreadable("many-records", "There is more than one record in this page.")
    if not found:
        raise Unreadable(
            "no-record",
            "There is no record in this page.",
            hint="the page that carries one is written by: tabellion export --format html",
        )
    line: bytes = found[0]
    return line[:-2] + b"\n" if line.endswith(b"\r\n") else line


def _in_bundle(data: bytes) -> bytes:
    from zipfile import BadZipFile, ZipFile

    _check_list(data)
    try:
        with ZipFile(BytesIO(data)) as archive:
            return _read(archive, _member(archive))
    except (BadZipFile, NotImplementedError, EOFError, zlib.error, ValueError, OSError):
        raise _damaged() from None


def _check_list(data: bytes) -> None:
    """The list of members stands at the very end, where it says, and is short: so every program
    finds the same (APPNOTE 4.3.16)."""
    end = data[-22:]
    if len(end) < 22 or not (end.startswith(_END) and end.endswith(b"\0\0")):
        raise _damaged()
    size, start = (int.from_bytes(end[at : at + 4], "little") for at in (12, 16))
    if start + size + len(end) != len(data) or data[-42:-38] == _LARGE:
        raise _damaged()
    if size > _MOST_LISTED:
        raise Unreadable("bad-bundle", "There are too many files in this zip file for a bundle.")


def _member(archive: ZipFile) -> ZipInfo:
    if any(_RENAMED in _extra_fields(each.extra) for each in archive.infolist()):
        what = "Files in this zip file have two names each: other programs would unpack others."
        raise Unreadable("bad-bundle", what)
    found = [each for each in archive.infolist() if each.filename.split("/")[-1] == RECORD]
    if not found:
        raise Unreadable(
            "no-record",
            f"There is no {RECORD} in this zip file: it is no bundle of Tabellion.",
            hint="one is written by: tabellion export --format bundle",
        )
    if len(found) > 1:
        raise Unreadable(
            "many-records",
            f"There are {len(found)} records in this zip file, and no telling which one is meant.",
            hint="unpack it and take one",
        )
    return found[0]


def _extra_fields(extra: bytes) -> set[int]:
    """The kinds of a member's extra fields (APPNOTE 4.5)."""
    kinds, place = set(), 0
    while place + 4 <= len(extra):
        kinds.add(int.from_bytes(extra[place : place + 2], "little"))
        place += 4 + int.from_bytes(extra[place + 2 : place + 4], "little")
    return kinds


def _read(archive: ZipFile, member: ZipInfo) -> bytes:
    from zipfile import ZIP_DEFLATED, ZIP_STORED

    if member.flag_bits & _ENCRYPTED or member.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        raise Unreadable(
            "bad-bundle",
            f"The {RECORD} of this zip file is encrypted or packed in an unusual way.",
            hint="unpack it and take the record",
        )
    if member.file_size > MAX_RECORD:
        raise Unreadable(
            "too-large", f"A record of {member.file_size} bytes is too large to be read."
        )
    pieces = []
    with archive.open(member) as stream:
        while piece := stream.read(_PIECE):
            pieces.append(piece)
    return b"".join(pieces)


def _damaged() -> Unreadable:
    return Unreadable(
        "bad-bundle",
        "This zip file is damaged or cut off, or was not written by Tabellion.",
        hint="unpack it, if that goes, and take the record",
    )
