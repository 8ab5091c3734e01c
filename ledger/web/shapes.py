"""The shapes of what the service alone tells; the rest is told as the commands do (``--json``)."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from ledger.describing import SignedEvent
from ledger.views.shapes import DueView, MatchLine, OfferView


class HallLine(MatchLine, frozen=True):
    """A match as the hall sees it: what it waits for, and since when."""

    due: DueView
    since: str
    """When the last event was stored (RFC 3339)."""
    offers: tuple[OfferView, ...]
    """What waits for an answer."""
    keys: tuple[str, ...]
    """The seats that sign themselves."""


class HallView(Struct, frozen=True):
    """Every match that holds, the one opened last first."""

    matches: tuple[HallLine, ...]


class EventsView(Struct, frozen=True):
    """Signed events of a match in order, each as it was signed; ``seq`` and ``head`` are those of
    its last event, whether it is among them or not."""

    match: str
    seq: int
    head: str
    events: tuple[SignedEvent, ...]


class HeadView(Struct, frozen=True):
    """The last event of a match."""

    seq: int
    hash: str


class ErrorView(Struct, frozen=True, omit_defaults=True):
    """What went wrong: ``code`` is for programs, ``message`` and ``hint`` are for people."""

    code: Annotated[str, Meta(pattern="^[a-z][a-z0-9-]*$")]
    message: str
    hint: str
    head: HeadView | UnsetType = UNSET
    """Where the match stands, when somebody else wrote first."""


class ErrorAnswer(Struct, frozen=True):
    """The body of every answer that is not the one asked for."""

    error: ErrorView
