"""Foreign formats: recognised by content, read strictly, adjudicated by our own engine.

Nothing here opens files, and nothing here is believed: see ``transcript``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from ledger.errors import Unreadable
from ledger.formats.offered import Reader, Texts, Writer
from ledger.games import MODULES

if TYPE_CHECKING:
    from ledger.formats.transcript import Transcript

__all__ = [
    "FORMATS",
    "MAX_BYTES",
    "RECORD",
    "SQLITE",
    "read",
    "recognise",
    "texts",
    "writer",
    "writers",
]

MAX_BYTES: Final = 4 * 1024 * 1024
"""Largest file that is read; a long tournament game has some 100 kB."""

RECORD: Final = "tabellion-record"
SQLITE: Final = "sqlite"
"""Answers of ``recognise`` for files that are ours and need no import."""


def texts(game: str) -> Texts:
    """What a game of the registry offers in texts: nothing, unless it has a package here."""
    spec = find_spec(f"{__name__}.{game}")
    if spec is None or spec.submodule_search_locations is None:
        return Texts()
    found: Texts = import_module(spec.name).TEXTS
    return found


def writer(game: str) -> Writer | None:
    """What writes the matches of a game as text, if anything does."""
    return texts(game).writer


def writers() -> Iterator[Writer]:
    """Those of all games, in the order of the registry."""
    return (found for game in MODULES if (found := writer(game)))


class _Formats(Mapping[str, Reader]):
    """Those of all games, in the order of the registry; none is looked for before it is asked
    for."""

    def _all(self) -> dict[str, Reader]:
        return {reader.name: reader for game in MODULES for reader in texts(game).readers}

    def __getitem__(self, name: str) -> Reader:
        return self._all()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())


FORMATS: Final[Mapping[str, Reader]] = _Formats()
"""The formats that can be imported, by name."""

_BOM: Final = b"\xef\xbb\xbf"
_OURS: Final = {
    RECORD: ("own-record", "This is a record of Tabellion already.", "tabellion audit FILE"),
    SQLITE: ("own-ledger", "This is an SQLite database, perhaps a ledger.", "tabellion list"),
}


def recognise(data: bytes) -> str:
    """The format of a file by its content: a name of ``FORMATS``, ``RECORD`` or ``SQLITE``.

    Raises ``Unreadable`` (``empty-file``, ``unknown-format``).
    """
    if data.startswith(b"SQLite format 3\x00"):
        return SQLITE
    body = data.removeprefix(_BOM).lstrip()
    if not body:
        raise Unreadable("empty-file", "The file is empty.")
    if body.startswith(b"{"):
        if b'"tabellion-record/' in body[-100:] or body.startswith(b'{"events":['):
            return RECORD
    else:
        for reader in FORMATS.values():
            if reader.recognises(body):
                return reader.name
    raise Unreadable(
        "unknown-format",
        f"The file is of no format that can be imported ({', '.join(FORMATS)}).",
        hint="; ".join(reader.begins for reader in FORMATS.values() if reader.begins),
    )


def read(data: bytes, format: str | None = None) -> Transcript:
    """The game in a file, of the format named or recognised.

    Raises ``Unreadable``, with the line, for what cannot be read, and ``Refused``
    (``rules-not-ours``) for rules that no option of ours expresses.
    """
    if len(data) > MAX_BYTES:
        raise Unreadable("too-large", f"The file has {len(data)} bytes; {MAX_BYTES} are read.")
    name = recognise(data) if format is None else format
    if name in _OURS:
        code, message, hint = _OURS[name]
        raise Unreadable(code, message, hint=hint)
    if name not in FORMATS:
        known = ", ".join(FORMATS)
        raise Unreadable("unknown-format", f"No format is called {name[:40]!a}. Known: {known}.")
    return FORMATS[name].parse(_text(data))


def _text(data: bytes) -> str:
    """UTF-8 with or without a byte order mark; other encodings are not guessed."""
    skipped = len(_BOM) if data.startswith(_BOM) else 0
    try:
        text = data[skipped:].decode("utf-8")
    except UnicodeDecodeError as error:
        place = skipped + error.start
        number = data.count(b"\n", 0, place) + 1
        raise Unreadable(
            "not-utf8",
            f"line {number}: byte {place} of the file (0x{data[place]:02x}) is not UTF-8.",
            hint="save the file as UTF-8; other encodings are not guessed",
        ) from None
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    for number, line in enumerate(text.split("\n"), 1):
        if not line.isprintable():
            _check_signs(number, line)
    return text


def _check_signs(number: int, line: str) -> None:
    """Control characters, and those that turn the direction of writing, could forge what a
    terminal shows."""
    for sign in line:
        turning = "\u202a" <= sign <= "\u202e" or "\u2066" <= sign <= "\u2069"
        if sign != "\t" and (turning or sign < " " or "\x7f" <= sign <= "\x9f"):
            raise Unreadable(
                "control-character", f"line {number}: the control character U+{ord(sign):04X}."
            )
