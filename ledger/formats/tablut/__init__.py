"""Texts of Tablut: OpenTafl notation both ways, and game logs of the Tablut Challenge."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ledger.formats.offered import Reader, Texts, Writer

if TYPE_CHECKING:
    from ledger.formats.transcript import Origin, Transcript

OPENTAFL: Final = "opentafl"
BOLOGNA: Final = "bologna-log"


def _is_opentafl(body: bytes) -> bool:
    return body.startswith(b"[")


def _is_bologna(body: bytes) -> bool:
    return b"it.unibo.ai.didattica.competition.tablut" in body[:4096]


def _read_opentafl(text: str) -> Transcript:
    from ledger.formats.tablut import opentafl

    return opentafl.parse(text)


def _read_bologna(text: str) -> Transcript:
    from ledger.formats.tablut import bologna

    return bologna.parse(text)


def _write(transcript: Transcript, origin: Origin) -> str:
    from ledger.formats.tablut import otn_writer

    return otn_writer.of_match(transcript, origin)


TEXTS: Final = Texts(
    readers=(
        Reader(
            OPENTAFL,
            _is_opentafl,
            _read_opentafl,
            "OpenTafl files begin with tags like [event:…] and hold a [rules:…] line",
        ),
        Reader(BOLOGNA, _is_bologna, _read_bologna),
    ),
    writer=Writer("otn", _write),
)
"""What the game offers, for the registry."""
