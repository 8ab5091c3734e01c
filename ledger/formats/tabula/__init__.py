"""Texts of Tabula: a throw a line, in the notation of the ruling document, both ways."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ledger.formats.offered import Reader, Texts, Writer

if TYPE_CHECKING:
    from ledger.formats.transcript import Origin, Transcript

NAME: Final = "tabula-text"

_MARKS: Final = re.compile(
    rb'^[ \t]*(?:;[ \t]*\[Ruleset "tabula|0\.[ \t]*W[ \t]+[1-6][ \t]+B )',
    re.MULTILINE | re.IGNORECASE,
)
"""What such a text has and no other: the header of one of its rulesets, or its line 0."""


def _is_text(body: bytes) -> bool:
    return _MARKS.search(body[:65536].replace(b"\r", b"\n")) is not None


def _read(text: str) -> Transcript:
    from ledger.formats.tabula.text import parse

    return parse(text)


def _write(transcript: Transcript, origin: Origin) -> str:
    from ledger.formats import numbered_writer
    from ledger.games import game

    return numbered_writer.of_match(transcript, origin, game("tabula"))


TEXTS: Final = Texts(
    readers=(Reader(NAME, _is_text, _read, 'games of Tabula begin with ; [Ruleset "tabula"]'),),
    writer=Writer("text", _write),
)
"""What the game offers, for the registry."""
