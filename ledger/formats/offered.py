"""What a game offers in texts: readers of other programs' files, and a writer of its matches.

A game that offers any has a package ``ledger.formats.<game>`` with one ``TEXTS``. All of them are
looked at before a file is recognised, so they must not load a parser or a writer before it is
used.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ledger.formats.transcript import Origin, Transcript


class Reader(NamedTuple):
    """A format that can be imported."""

    name: str
    """No other format has it."""
    recognises: Callable[[bytes], bool]
    """Whether a file that does not begin with a brace is of this format, by its bytes after a byte
    order mark and white space. Those of other games and programs must not be taken for it."""
    parse: Callable[[str], Transcript]
    """Raises ``Unreadable``, with the line, and ``Refused`` (``rules-not-ours``)."""
    begins: str = ""
    """How such files begin, in a clause, for people whose file was not recognised."""


class Writer(NamedTuple):
    """The text format that matches of the game are exported in."""

    name: str
    """Games may have the same: a match is written in that of its own."""
    write: Callable[[Transcript, Origin], str]
    """Raises ``Refused`` (``not-writable``) for what has no place in it."""


class Texts(NamedTuple):
    """All that a game offers; of its readers the first that recognises a file reads it."""

    readers: tuple[Reader, ...] = ()
    writer: Writer | None = None
