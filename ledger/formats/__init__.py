"""Foreign formats: recognised by content, read strictly, adjudicated by our own engine.

Nothing here opens files, and nothing here is believed: see ``transcript``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from ledger.errors import Unreadable
from ledger.formats import bologna, opentafl, otn_writer, tabula_text, tabula_writer
from ledger.formats.transcript import Origin, Transcript

__all__ = [
    "FORMATS",
    "MAX_BYTES",
    "RECORD",
    "SQLITE",
    "WRITERS",
    "Writer",
    "read",
    "recognise",
]

MAX_BYTES: Final = 4 * 1024 * 1024
"""Largest file that is read; a long tournament game has some 100 kB."""

RECORD: Final = "tabellion-record"
SQLITE: Final = "sqlite"
"""Answers of ``recognise`` for files that are ours and need no import."""

FORMATS: Final[Mapping[str, Callable[[str], Transcript]]] = {
    opentafl.NAME: opentafl.parse,
    bologna.NAME: bologna.parse,
    tabula_text.NAME: tabula_text.parse,
}
"""The formats that can be imported, by name."""


class Writer(NamedTuple):
    """The text format of a game: its name for people, and what writes a match in it."""

    name: str
    write: Callable[[Transcript, Origin], str]


WRITERS: Final[Mapping[str, Writer]] = {
    "tablut": Writer("otn", otn_writer.of_match),
    "tabula": Writer("text", tabula_writer.of_match),
}
"""The text that each game is exported as, by the name of the game."""

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
    elif b"it.unibo.ai.didattica.competition.tablut" in body[:4096]:
        return bologna.NAME
    elif body.startswith(b"["):
        return opentafl.NAME
    elif tabula_text.MARKS.search(body[:65536].replace(b"\r", b"\n")):
        return tabula_text.NAME
    raise Unreadable(
        "unknown-format",
        f"The file is of no format that can be imported ({', '.join(FORMATS)}).",
        hint="OpenTafl files begin with tags like [event:…] and hold a [rules:…] line; games of"
        ' Tabula begin with ; [Ruleset "tabula"]',
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
    return FORMATS[name](_text(data))


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
