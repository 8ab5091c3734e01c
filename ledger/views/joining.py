"""The shape of what a server answers to whoever joins a table with a code."""

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
