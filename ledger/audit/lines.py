"""The sentences of an audit: what they are made of, and how people's own words stand in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeAlias

from ledger.audit.report import Report


class Line(NamedTuple):
    """A sentence or two. ``level`` 1 belongs to the line above it of level 0."""

    text: str
    level: int = 0


Lines: TypeAlias = Iterator[Line]
Naming: TypeAlias = Callable[[int], str]
"""How an event is named: "event 7", and whether it has a fault of its own."""


def marks(report: Report) -> Naming:
    faulty = {fault.event for fault in report.faults}
    return lambda event: f"event {event}{' (see faults)' if event in faulty else ''}"


def capital(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}"


def quoted(text: str, sha256: str | None = None) -> str:
    """Somebody's words. Their own quotation marks are single ones here, so that they end where
    they end."""
    text = text.replace('"', "'")
    return f'"{text}"{f" (file SHA-256 {sha256})" if sha256 else ""}'


def stopped(text: str) -> str:
    return text if text.endswith(('."', '!"', '?"', ".")) else f"{text}."
