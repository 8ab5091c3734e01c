"""Shapes of tables set out: what whoever joins is told, and what the arbiter sees of them."""

from __future__ import annotations

from msgspec import Struct


class JoinView(Struct, frozen=True):
    """The seat that a code is for, and how far its table is."""

    table: str | None
    """Where it is played."""
    ruleset: str
    seat: str
    """The seat, or the role that gets a new key."""
    name: str
    arbiter: str
    keyid: str
    """The fingerprint of the arbiter's key: the opening is to be signed by it."""
    waiting: tuple[str, ...]
    """Names of those who are awaited still."""
    match: str | None
    """Once the arbiter's key has signed; before, the same request may be sent again."""


class SeatOutView(Struct, frozen=True):
    """A seat of a table that is set out, or the role that gets a new key."""

    seat: str
    name: str
    joins: bool
    """Whether a phone comes for it; else its key, or that it has none, was said beforehand."""
    keyid: str | None
    """The fingerprint of the key that came."""


class SetOutView(Struct, frozen=True):
    """A table that waits for phones."""

    id: str
    match: str | None
    """The match that gets a new key; ``None`` for one that is to be opened."""
    table: str | None
    ruleset: str
    arbiter: str
    keyid: str
    """The fingerprint of the key that is to sign."""
    seats: tuple[SeatOutView, ...]
    expires_at: str
    """When its codes end."""


class TablesView(Struct, frozen=True):
    """Every table that waits for phones, the one set out first before others."""

    tables: tuple[SetOutView, ...]
