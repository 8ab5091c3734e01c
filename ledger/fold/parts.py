"""What a match is made of, as the fold knows it: frozen values."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from msgspec import Struct

from ledger.events import Event, PenaltyKind, Result, Terms
from ledger.fold.published import Published
from ledger.games.protocol import State
from ledger.publickey import PublicKey

ARBITER = "arbiter"
APPEAL = "appeal"
WITNESS = "witness"
SEAT = "seat"
"""Any seat, where its name does not matter. No role of a match is called so."""


class Phase(Enum):
    """Where a match stands. The value is what people and ``--json`` read."""

    BEFORE_ACCEPTANCE = "before-acceptance"
    """Somebody who brings a key, at first or later, has not accepted the match with it."""
    IN_PLAY = "in-play"
    DISPUTED = "disputed"
    ADJOURNED = "adjourned"
    ENDED = "ended"
    """A result stands; the arbiter has not closed the match yet."""
    CLOSED = "closed"
    APPEALED = "appealed"
    """Closed, and an appeal is not decided yet."""


class Party(Struct, frozen=True):
    """A role's holder: a name, and a key unless the arbiter writes for this seat."""

    role: str
    name: str
    key: PublicKey | None


class Entry(Struct, frozen=True):
    """An event in its place in the chain: what it says, its hash, and the key that signed it."""

    event: Event
    hash: str
    keyid: str


class Moment(Struct, frozen=True):
    """The game alone after an event. ``before`` is the event whose moment it followed: a rewind
    to N has ``before`` N, so that walking back from the head gives the line that counts."""

    game: State
    result: Result | None
    before: int
    acted: bool
    """Whether the event acted on the game (and so can be superseded)."""


class StandingOffer(Struct, frozen=True):
    """An offer that can still be answered."""

    hash: str
    seq: int
    seat: str
    """Who made it."""
    terms: Terms


class Roll(Struct, frozen=True):
    """A roll whose dice are known."""

    number: int
    seat: str
    """Who threw."""
    dice: tuple[int, ...]
    owners: tuple[str, ...]
    """Whose each die is: the thrower's, or one each when it is thrown for who begins."""
    thrown: int
    """The event that threw or recorded it."""
    seq: int
    """The event that made the dice count: the last opening, the recording, its confirmation."""
    voided: int | None = None
    """The event that voided it."""
    counted: bool = True
    """Whether the game ever went on with it: not if it was voided before it was confirmed."""
    awarded: bool = False
    """Whether a ruling said how it fell."""


class Flight(Struct, frozen=True):
    """A roll that is thrown and that not every contributor has opened."""

    seat: str
    thrown: int
    nonces: Mapping[str, str]
    """What is open, by role."""


class Unconfirmed(Struct, frozen=True):
    """Dice on the table, or their voiding, that wait for a seat's confirmation."""

    event: int
    hash: str
    roll: Roll
    confirmer: str


class Unopened(Struct, frozen=True):
    """A roll that was thrown and given up before all had opened it."""

    number: int
    seat: str
    owed: tuple[str, ...]
    """The roles that had not opened, the next one first."""
    ended: int
    """The event that ended it."""


class Dispute(Struct, frozen=True):
    """A dispute, named by the hash of the event that raised it."""

    hash: str
    seq: int
    by: str
    about: int
    """The event complained of."""
    settled: frozenset[str] = frozenset()
    """The seats that agree to end it."""
    ended: int | None = None
    """The ruling, or the last consent, that ended it."""


class Appeal(Struct, frozen=True):
    """An appeal, named by the hash of its event."""

    hash: str
    seq: int
    seat: str
    against: int
    """The ruling, or the closing, that is appealed against."""
    decided: int | None = None


class Given(Struct, frozen=True):
    """A penalty that counts for this player, by the ruling of event ``seq``."""

    seq: int
    seat: str
    name: str
    penalty: PenaltyKind
    withdrawn: int | None = None
    """The ruling that withdrew it."""


class Change(Struct, frozen=True):
    """Who holds a role since event ``seq``, and who held it before."""

    seq: int
    before: Party
    after: Party
    by: str
    consent: bool
    """Whether the old key signed it too."""


class Sealed(Struct, frozen=True):
    """A move that was sealed by event ``seq``; ``text`` once it is read."""

    seq: int
    seat: str
    hash: str
    text: str | None = None


class Sheet(Struct, frozen=True):
    """A result of a closed match, and who put their name to it."""

    event: str
    """Hash of the event that gave it: the closing, a ruling, the decision of an appeal."""
    seq: int
    result: Result
    signed: frozenset[str] = frozenset()
    for_absent: Mapping[str, str] = {}
    """The witness who signed instead of a seat."""
    refused: Mapping[str, int] = {}
    """Seats that would not sign, as the arbiter recorded in this event."""


class Rolling(Struct, frozen=True):
    """What the match knows of dice. Nothing here is ever set back: numbers only grow."""

    number: int = 1
    """Of the roll in flight, or of the next."""
    commitments: Mapping[str, str] = {}
    """For roll ``number``, by role."""
    coming: Mapping[str, str] = {}
    """For the roll after it, from those who have opened."""
    spoiled: bool = False
    """Whether a key was replaced while the roll is in flight: then the number after it is dead."""
    flight: Flight | None = None
    recorded: Unconfirmed | None = None
    """Dice that a seat has not confirmed yet."""
    voiding: Unconfirmed | None = None
    """A voiding by one seat that the other has not confirmed yet."""
    named: tuple[str, ...] = ()
    """The roles that make the dice, where a ruling named others than the opening did."""
    rolls: tuple[Roll, ...] = ()
    unopened: tuple[Unopened, ...] = ()
    published: Published = Published()
    """Every commitment and nonce of the match."""
