"""What an audit finds of the officials' part of a match: disputes, rulings, results, rests.

Every finding names the events that it rests on. Names are those of who held a role at that event.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from ledger.events import PenaltyKind, Result


class WordReport(Struct, frozen=True):
    """What only somebody's word stands for: the arbiter's, or the appeal's."""

    what: Literal["acts", "confirmations", "key", "dice", "position", "award", "result"]
    role: str
    """Whose word it is."""
    events: tuple[int, ...]
    text: str


class StatementReport(Struct, frozen=True):
    """What somebody said on a dispute or an appeal. ``by`` signed; ``seat`` is who said it, where
    the arbiter wrote it down for a seat without a key."""

    event: int
    by: str
    seat: str | None
    name: str
    text: str
    sha256: str | None


class ConsentReport(Struct, frozen=True):
    """A seat that agreed that a dispute is over."""

    event: int
    seat: str
    name: str


class DisputeReport(Struct, frozen=True):
    event: int
    by: str
    name: str
    about: int
    """The event complained of."""
    act: str
    """What that was, if an act on the board."""
    text: str
    of_itself: bool
    """Whether nobody complained: a sealed move could not be played."""
    statements: tuple[StatementReport, ...]
    settled: tuple[ConsentReport, ...]
    ended: int | None
    """The event that ended it; ``None``: it is open."""
    how: Literal["ruling", "settled"] | None


class EffectReport(Struct, frozen=True):
    """One thing that a ruling does: its name in the record, and in words."""

    effect: str
    text: str


class RulingReport(Struct, frozen=True):
    """A ruling, or the decision of an appeal: then ``appeal`` is the event that appealed."""

    event: int
    reason: str
    rule: str
    dice: str | None
    """What became of the dice that lay there: keep or rethrow."""
    takes_back: tuple[int, ...]
    acts: tuple[str, ...]
    """What these were, where they were acts on the board."""
    overruled: int | None
    """The event that took the ruling back itself; its penalties stand."""
    number: int
    """Which one it is of the match, decisions of appeals included: 1, 2 …"""
    by: str
    name: str
    effects: tuple[EffectReport, ...]
    brings_back: tuple[int, ...]
    """Acts that had been taken back and stand again."""
    dispute: int | None
    """The dispute that it ended."""
    appeal: int | None


class PenaltyReport(Struct, frozen=True):
    event: int
    seat: str
    name: str
    penalty: PenaltyKind
    text: str
    withdrawn: int | None
    """The ruling that withdrew it."""


class AppealReport(Struct, frozen=True):
    event: int
    seat: str
    name: str
    against: int
    text: str
    statements: tuple[StatementReport, ...]
    decided: int | None
    """The event that decided it; ``None``: it is pending."""


class TakebackReport(Struct, frozen=True):
    """What the players agreed to take back: ``event`` is the answer to the offer of ``offered``."""

    event: int
    offered: int
    takes_back: tuple[int, ...]


Fate: TypeAlias = Literal["waits", "opened", "illegal", "unopened", "lapsed"]


class SealReport(Struct, frozen=True):
    """A sealed move, and what became of it."""

    event: int
    seat: str
    name: str
    scribed: bool
    """Whether the arbiter wrote it down for a seat without a key."""
    move: str | None
    """The move, once it was read."""
    fate: Fate
    ended: int | None
    """The event that opened it, or made it lapse."""


class AdjournmentReport(Struct, frozen=True):
    event: int
    until: str | None
    seals: tuple[SealReport, ...]
    resumed: int | None
    ended: int | None
    """The event that ended the game while it rested."""


class SignatureReport(Struct, frozen=True):
    """A countersignature. ``absent`` is the seat that a witness signed instead of."""

    event: int
    role: str
    name: str
    absent: str | None
    absent_name: str | None


class UnwillingReport(Struct, frozen=True):
    """A player who did not sign, as the arbiter recorded it."""

    event: int
    seat: str
    name: str
    reason: str


class ResultReport(Struct, frozen=True):
    """A result: the event that gave it, whether it stands, and who put their name to it."""

    event: int
    how: str
    """By what it came about: an act, a ruling."""
    result: Result
    text: str
    ruled: bool
    """Whether a ruling or the decision of an appeal gave it."""
    closing: int | None
    """The event that closed the match with it."""
    cites: int | None
    """The ruling that the closing cites."""
    signable: bool
    """Whether it could be countersigned: once the match was closed."""
    signed: tuple[SignatureReport, ...]
    refused: tuple[UnwillingReport, ...]
    unsigned: tuple[str, ...]
    """Seats with a key that have not signed, nor refused to, nor has a witness signed instead."""
    keyless: tuple[str, ...]
    """Seats that have no key to sign with."""
    appeals: tuple[int, ...]
    """Appeals against the closing, or the ruling that gave it."""
    stands: bool
    ended: int | None
    """The event that first took it back, or gave another."""
