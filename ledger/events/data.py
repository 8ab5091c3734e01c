"""What events say: one struct for the ``data`` of each type, and the parts that these have.

Frozen and strict: an unknown field is refused, and every field is always written out, save those
that may be absent.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from ledger.events.fields import (
    Dice,
    Hash,
    KeyLine,
    Line,
    Name,
    Nonce,
    Notation,
    Placing,
    Points,
    Role,
    RollNumber,
    Secret,
    Seq,
    Signature,
    Text,
)


class Strict(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    pass


class RulesInForce(Strict, frozen=True, kw_only=True):
    """The ruleset, all its options spelled out, and the ruling document they are read by."""

    game: Role
    name: Name
    version: Annotated[int, Meta(ge=1, le=1_000_000)]
    options: dict[Role, bool | Name]
    document: Hash


class Seat(Strict, frozen=True, kw_only=True):
    """Who sits here. Without a key the arbiter writes down what this seat does."""

    name: Name
    key: KeyLine | None = None


class Officer(Strict, frozen=True, kw_only=True):
    name: Name
    key: KeyLine


class CommitReveal(Strict, tag_field="scheme", tag="commit-reveal/1", frozen=True, kw_only=True):
    contributors: tuple[Role, ...]


class Physical(Strict, tag_field="scheme", tag="physical/1", frozen=True, kw_only=True):
    confirm: bool


class Source(Strict, frozen=True, kw_only=True):
    """The imported file that a match was written from."""

    format: Annotated[str, Meta(pattern="^[a-z][a-z0-9-]{0,31}$")]
    sha256: Hash


class Opening(Strict, frozen=True, kw_only=True):
    """All that is agreed before the first action."""

    ruleset: RulesInForce
    seats: dict[Role, Seat]
    arbiter: Officer
    witnesses: tuple[Officer, ...]
    takebacks: bool
    settlements: bool
    """Whether both seats may share what is played for, or end a dispute by agreement."""
    sealed_move_unopened: Literal["loses", "ruling"]
    nonce: Nonce
    appeal: Officer | None = None
    dice: CommitReveal | Physical | None = None
    turn_cap: Annotated[int, Meta(ge=1, le=100_000)] | None = None
    opening_deadline: Line | None = None
    """When a nonce that is owed must be opened, in words."""
    event: Line | None = None
    round: Line | None = None
    table: Line | None = None
    place: Line | None = None
    date: Line | None = None
    source: Source | None = None


class Nothing(Strict, frozen=True, kw_only=True):
    """No data: the type says it all."""


class Play(Strict, frozen=True, kw_only=True):
    """A move; where it is made of dice, with the die of each step."""

    move: Notation
    dice: Dice | None = None


class Taking(Strict, frozen=True, kw_only=True):
    """Coins that are taken from the board."""

    pull: Notation


class Call(Strict, frozen=True, kw_only=True):
    """A warning that the rules ask for, in the game's own word: ``raichi``."""

    call: Notation


class Commitment(Strict, frozen=True, kw_only=True):
    """What binds a contributor to a nonce that is opened with roll ``roll``."""

    roll: RollNumber
    commitment: Hash


class Opened(Strict, frozen=True, kw_only=True):
    """A contributor's nonce of roll ``roll``, and the commitment for the roll after it."""

    roll: RollNumber
    nonce: Secret
    next: Hash


class Throw(Strict, frozen=True, kw_only=True):
    """Roll ``roll`` is thrown. A thrower who contributes opens first, in the same event."""

    roll: RollNumber
    nonce: Secret | None = None
    next: Hash | None = None


class Lying(Strict, frozen=True, kw_only=True):
    """Dice as they lie on the table."""

    roll: RollNumber
    dice: Dice


class Confirmation(Strict, frozen=True, kw_only=True):
    """What is confirmed: the hash of the event that recorded or voided a roll."""

    confirms: Hash


class Voiding(Strict, frozen=True, kw_only=True):
    """Dice that do not count: cocked, off the board …"""

    roll: RollNumber
    reason: Line


class DrawOffer(Strict, tag_field="offer", tag="draw", frozen=True, kw_only=True):
    """The game ends drawn if the other side agrees."""


class TakebackOffer(Strict, tag_field="offer", tag="takeback", frozen=True, kw_only=True):
    """The game stands again as it stood after event ``to`` if the other side agrees."""

    to: Seq


class SettlementOffer(Strict, tag_field="offer", tag="settlement", frozen=True, kw_only=True):
    """The game ends with what it is played for shared so, if the other side agrees."""

    split: tuple[Points, Points]
    """Points of the first seat and of the second."""


Terms: TypeAlias = DrawOffer | TakebackOffer | SettlementOffer
"""What can be offered."""


class Answer(Strict, frozen=True, kw_only=True):
    """Which offer is answered: the hash of the event that made it."""

    offer: Hash


class Dismissed(Strict, tag_field="effect", tag="dismiss", frozen=True, kw_only=True):
    """The complaint changes nothing."""


class Rewind(Strict, tag_field="effect", tag="rewind", frozen=True, kw_only=True):
    """The game stands again as it stood after event ``to``; all else stays as it is."""

    to: Seq
    dice: Literal["keep", "rethrow"] | None = None


class SetPosition(Strict, tag_field="effect", tag="position", frozen=True, kw_only=True):
    """The game stands as ``position`` says, whether or not a legal move leads there."""

    position: Placing


PenaltyKind: TypeAlias = Literal[
    "warning",
    "points_off",
    "points_to_opponent",
    "game_lost",
    "fine",
    "rounds_off",
    "expulsion",
]
"""The ladder of FIDE Laws of Chess 12.9, without its penalties on the clock."""


class Penalty(Strict, tag_field="effect", tag="penalty", frozen=True, kw_only=True):
    """What a player is given for what they did. It changes nothing in the game by itself."""

    seat: Role
    penalty: PenaltyKind


class Withdrawn(Strict, tag_field="effect", tag="withdraw", frozen=True, kw_only=True):
    """The penalties that event ``ruling`` gave do not count any more."""

    ruling: Seq


ResultKind: TypeAlias = Literal["win", "draw", "forfeit", "double_forfeit", "annulled"]


class GivenResult(Strict, tag_field="effect", tag="result", frozen=True, kw_only=True):
    """The result that the match is given. ``winner`` for a win and a forfeit, nowhere else."""

    kind: ResultKind
    winner: Role | None = None


class Award(Strict, tag_field="effect", tag="award", frozen=True, kw_only=True):
    """A roll that was thrown and not opened by all counts as these dice, on the arbiter's word."""

    roll: RollNumber
    dice: Dice


class NewContributors(Strict, tag_field="effect", tag="contributors", frozen=True, kw_only=True):
    """Roll ``roll`` is dead. From the next number on these roles make the dice."""

    roll: RollNumber
    contributors: tuple[Role, ...]


Effect: TypeAlias = (
    Dismissed | Rewind | SetPosition | Penalty | Withdrawn | GivenResult | Award | NewContributors
)
Effects: TypeAlias = Annotated[tuple[Effect, ...], Meta(min_length=1, max_length=8)]


class Verdict(Strict, frozen=True, kw_only=True):
    """A ruling: the reason and the rule it rests on, and what it does."""

    reason: Text
    rule: Line
    effects: Effects


class Complaint(Strict, frozen=True, kw_only=True):
    """What a dispute is about: an event, and what is wrong with it."""

    event: Seq
    text: Text


class Evidence(Strict, frozen=True, kw_only=True):
    """What somebody has to say in a dispute, or on an appeal: the hash of the event that raised
    it. ``sha256`` is that of a file, a photo of the board, say."""

    about: Hash
    text: Text
    sha256: Hash | None = None


class Settling(Strict, frozen=True, kw_only=True):
    """Consent to end a dispute, named by the hash of its event: the game stands as it is."""

    dispute: Hash


class Objection(Strict, frozen=True, kw_only=True):
    """An appeal against a ruling or a result, by the hash of its event."""

    against: Hash
    text: Text


class Decision(Strict, frozen=True, kw_only=True):
    """What becomes of an appeal: as ``Verdict``, and the hash of the appeal."""

    appeal: Hash
    reason: Text
    rule: Line
    effects: Effects


class Replacement(Strict, frozen=True, kw_only=True):
    """Who holds a role from here on. Without a key the arbiter writes for the seat. ``consent`` is
    the old key's signature over it (``ledger.consent``), where that key still exists."""

    role: Role
    name: Name
    reason: Text
    key: KeyLine | None = None
    consent: Signature | None = None


class Succession(Strict, frozen=True, kw_only=True):
    """Who is the arbiter from here on."""

    name: Name
    key: KeyLine
    reason: Text


class Adjournment(Strict, frozen=True, kw_only=True):
    """The game rests, until when in words; or the seat to move seals its move meanwhile."""

    until: Line | None = None
    sealed: Hash | None = None


class Unsealed(Strict, frozen=True, kw_only=True):
    """A sealed move, and the number that it was sealed with."""

    move: Notation
    nonce: Secret


class Resumption(Strict, frozen=True, kw_only=True):
    """The game goes on; with the sealed move, where one was sealed. Without it that stays
    unopened."""

    opened: Unsealed | None = None


class Result(Strict, frozen=True, kw_only=True):
    """How a match ended. Each kind is distinct: a forfeit is no win on the board, an annulment
    no draw. ``how`` is the reason (``goal``, ``resigned`` …), ``winner`` a seat."""

    kind: ResultKind
    how: Role
    winner: Role | None = None


class Closing(Strict, frozen=True, kw_only=True):
    """The result of the match, and the hash of the ruling that it rests on, if on one."""

    result: Result
    ruling: Hash | None = None


class Countersignature(Strict, frozen=True, kw_only=True):
    """The score sheet signed: the hash of the event that gave the result. ``absent`` is the seat
    that a witness signs instead of."""

    result_event: Hash
    absent: Role | None = None


class Unwilling(Strict, frozen=True, kw_only=True):
    """A seat that does not sign this result, and why, as the arbiter saw it."""

    result_event: Hash
    seat: Role
    reason: Line


class Remark(Strict, frozen=True, kw_only=True):
    """Words for the record, and the SHA-256 of a file (a photo of the score sheet), if any."""

    text: Text
    sha256: Hash | None = None
