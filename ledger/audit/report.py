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
    dice: str | None
    """What became of the dice that lay there: keep or rethrow."""
    takes_back: tuple[int, ...]


class TakebackReport(Struct, frozen=True):
    """What the players agreed to take back: ``event`` is the answer to the offer of ``offered``."""

    event: int
    offered: int
    takes_back: tuple[int, ...]


class BreachReport(Struct, frozen=True):
    """A duty left undone or done wrongly (a call): no fault of the record, the players' own."""

    event: int
    text: str


class RollReport(Struct, frozen=True):
    """A roll: computed anew by the audit, or as it was written down from the table."""

    roll: int
    event: int
    """The event since which the dice exist, or count."""
    seat: str
    """Who threw."""
    dice: tuple[int, ...]
    voided: int | None
    """The event that voided it."""


class UnopenedReport(Struct, frozen=True):
    """A roll that was thrown and never opened by all: it has no dice."""

    roll: int
    seat: str
    owed: tuple[str, ...]
    """Who had not opened it, the next one first."""
    ended: int | None
    """The event that ended it: a ruling, a resignation. ``None``: it still waits."""


class DiceReport(Struct, frozen=True):
    scheme: str
    contributors: tuple[str, ...]
    rolls: tuple[RollReport, ...]
    unopened: tuple[UnopenedReport, ...]
    statement: str
    """Whom a reader has to trust for these dice, and what is not proven."""


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
    takebacks: tuple[TakebackReport, ...]
    breaches: tuple[BreachReport, ...]
    dice: DiceReport | None
    """``None`` for a game without dice, and where nothing could be folded."""
    waits: str
    """What the match waits for, and whose it is; "" when nothing is owed."""
    statements: tuple[str, ...]
    """What is proven, by whom, and what is not: sentences for a reader who trusts nobody."""


class AsideReport(Struct, frozen=True):
    """A genuine event that a ledger keeps beside its match, from a copy that parted from it."""

    match: str
    event: int
    hash: str
    by: str
    keyid: str
    signed_both: str | None
    """Hash of the event with the same number, after the same event, by the same key: an
    explanation is due."""
    shows_roll: int | None
    """The roll whose number it opens: who has seen that copy may have known its dice."""
    envelope: str


class AuditView(Struct, frozen=True):
    """What ``audit`` tells: reports by match, and faults of the ledger file itself."""

    verdict: Verdict
    file_faults: tuple[str, ...]
    reports: tuple[Report, ...]
    set_aside: tuple[AsideReport, ...] = ()


@dataclass(frozen=True, slots=True)
class Trust:
    """What the reader brings: names for keys, the head on the score sheet, ruling documents."""

    documents: Mapping[str, str] = field(default_factory=dict)
    """The ruling documents that this program holds: names by SHA-256."""
    signers: AllowedSigners | None = None
    head: str | None = None
