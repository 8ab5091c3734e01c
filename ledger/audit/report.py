"""What an audit finds, and what its reader brings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from msgspec import Struct

from ledger.events import Result
from ledger.signers import AllowedSigners

Verdict: TypeAlias = Literal["sound", "faults", "could-not-check"]


class Fault(Struct, frozen=True):
    """What is wrong. ``event`` is the event's number; ``None``: the file or match as a whole."""

    event: int | None
    code: str
    text: str


class PartyReport(Struct, frozen=True):
    role: str
    name: str
    keyid: str | None
    listed_as: tuple[str, ...]
    """Principals that the reader's signers file gives this key."""
    signed: int
    """Events signed with this key."""
    written_for: int
    """Acts of this seat that the arbiter wrote down."""
    countersigned: bool


class RulingReport(Struct, frozen=True):
    event: int
    reason: str
    rule: str
    takes_back: tuple[int, ...]


class Report(Struct, frozen=True):
    """An audit's findings on one match."""

    match: str | None
    verdict: Verdict
    events: int
    head: str | None
    phase: str | None
    result: Result | None
    faults: tuple[Fault, ...]
    unchecked: tuple[str, ...]
    parties: tuple[PartyReport, ...]
    rulings: tuple[RulingReport, ...]
    statements: tuple[str, ...]
    """What is proven, by whom, and what is not: sentences for a reader who trusts nobody."""


class AuditView(Struct, frozen=True):
    """What ``audit`` tells: reports by match, and faults of the ledger file itself."""

    verdict: Verdict
    file_faults: tuple[str, ...]
    reports: tuple[Report, ...]


@dataclass(frozen=True, slots=True)
class Trust:
    """What the reader brings: names for keys, the head on the score sheet, ruling documents."""

    documents: Mapping[str, str] = field(default_factory=dict)
    """The ruling documents that this program holds: names by SHA-256."""
    signers: AllowedSigners | None = None
    head: str | None = None
