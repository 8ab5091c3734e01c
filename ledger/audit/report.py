"""What an audit finds, and what its reader brings. Words for it: ``sections``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from msgspec import Struct

from ledger.audit.findings import (
    AdjournmentReport,
    AppealReport,
    DisputeReport,
    PenaltyReport,
    ResultReport,
    RulingReport,
    TakebackReport,
    WordReport,
)
from ledger.events import Result
from ledger.signers import AllowedSigners

Verdict: TypeAlias = Literal["sound", "faults", "could-not-check"]


class Fault(Struct, frozen=True):
    """What is wrong. ``event`` is the event's number; ``None``: the file or match as a whole."""

    event: int | None
    code: str
    text: str


class OpeningReport(Struct, frozen=True):
    """What was agreed before the first act: rules, place and day, as the opening has them."""

    ruleset: str
    version: int
    changed: dict[str, bool | str]
    """Options that differ from the ruleset's own."""
    document: str
    event: str | None
    round: str | None
    table: str | None
    place: str | None
    date: str | None


class PartyReport(Struct, frozen=True):
    """Who held a role, from event ``since`` to event ``until``: one of these for each holder."""

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
    """Whether this key has signed the result that stands."""
    since: int = 0
    """The event that put this holder in; 0: the opening."""
    until: int | None = None
    """The event that put in the next; ``None``: to the end."""
    put_in_by: str | None = None
    """The role that put this holder in, after the opening."""
    consent: bool | None = None
    """Whether the old key signed the change too; ``None`` where there was none to ask."""
    reason: str | None = None
    accepted: int | None = None
    """The event in which this holder accepted the match."""


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
    voided_by: str | None = None
    """The role that voided it."""
    reason: str | None = None
    """Why it was voided."""
    awarded: bool = False
    """Whether ``event`` is a ruling that said how it fell."""


class UnopenedReport(Struct, frozen=True):
    """A roll that was thrown and never opened by all: it has no dice."""

    roll: int
    seat: str
    owed: tuple[str, ...]
    """Who had not opened it, the next one first."""
    ended: int | None
    """The event that ended it: a ruling, a resignation. ``None``: it still waits."""
    thrown: int = 0
    """The event that threw it."""
    name: str = ""
    """Whose opening was missing first."""
    key_lost: int | None = None
    """The event that replaced the key whose number was missing, while the roll was in flight."""
    how: str = ""
    """What ended it, in words; "" while it waits."""


class DiceTrust(Struct, frozen=True):
    """Whom a reader has to trust for these rolls; ``last`` ``None``: for those to come as well."""

    first: int
    last: int | None
    contributors: tuple[str, ...]
    awarded: int | None
    """The ruling that awarded the roll: its word alone."""
    statement: str


class DiceReport(Struct, frozen=True):
    scheme: str
    contributors: tuple[str, ...]
    """As the opening named them."""
    rolls: tuple[RollReport, ...]
    unopened: tuple[UnopenedReport, ...]
    statement: str
    """Whom a reader has to trust for these dice, and what is not proven."""
    grounds: tuple[str, ...] = ()
    """The same in single sentences, without the rolls that were left unopened."""
    trust: tuple[DiceTrust, ...] = ()
    """The same by rolls, where the players' numbers make them."""
    dead: tuple[int, ...] = ()
    """Numbers of rolls that never got dice and never will."""


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
    judged: int | None = None
    """The last event that was judged by the rules."""
    opening: OpeningReport | None = None
    words: tuple[WordReport, ...] = ()
    """What only a word stands for."""
    disputes: tuple[DisputeReport, ...] = ()
    penalties: tuple[PenaltyReport, ...] = ()
    appeals: tuple[AppealReport, ...] = ()
    adjournments: tuple[AdjournmentReport, ...] = ()
    results: tuple[ResultReport, ...] = ()
    """Every result that the match ever had, in the order of their events."""
    end: str = ""
    """How the record ends, and what of that is proven."""
    limits: tuple[str, ...] = ()
    """What no record can prove."""


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


class LineReport(Struct, frozen=True):
    """What there is to tell of one line of an archive, counted from 1."""

    line: int
    match: str | None
    """``None`` where nothing on the line is a match."""
    head: str | None
    verdict: Verdict | None
    """With the faults that the other lines bring about; ``None`` where nothing is a match and
    nothing is wrong."""
    faults: tuple[str, ...]
    """What is wrong with the line, and with its match beside the others of the archive."""
    notes: tuple[str, ...]
    """What is no fault, but should be known: the same copy of the match on another line."""
    report: Report | None
    """``None`` for a match that is sound by itself."""


class ArchiveReport(Struct, frozen=True):
    """An archive in numbers, and its lines of which there is something to tell: those with faults
    first, then those that could not be checked, each in the order of the file."""

    matches: int
    events: int
    sound: int
    faulty: int
    unchecked: int
    unread: int
    """Lines that hold no match."""
    finished: bool
    """Whether the archive was read to its end."""
    lines: tuple[LineReport, ...] = ()


class AuditView(Struct, frozen=True):
    """What ``audit`` tells: reports by match, and faults of the ledger file itself. Of an archive
    it tells by lines."""

    verdict: Verdict
    file_faults: tuple[str, ...]
    reports: tuple[Report, ...]
    set_aside: tuple[AsideReport, ...] = ()
    archive: ArchiveReport | None = None


@dataclass(frozen=True, slots=True)
class Trust:
    """What the reader brings: names for keys, the head on the score sheet, ruling documents."""

    documents: Mapping[str, str] = field(default_factory=dict)
    """The ruling documents that this program holds: names by SHA-256."""
    signers: AllowedSigners | None = None
    head: str | None = None
