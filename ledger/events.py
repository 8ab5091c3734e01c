"""The events: every type that a ledger may hold, typed, frozen, strict.

Each event class is one type; ``data`` is its own struct. Unknown fields, unknown types and
unknown versions are refused. Every field is always written out, save those that may be absent.
What an event *means* is the fold's business; here stands only what it looks like.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Final, Literal, TypeAlias, TypeVar, get_args

import msgspec
from msgspec import Meta, Struct

from ledger import canonical
from ledger.errors import Refused

VERSION: Final = 1

Hash: TypeAlias = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", description="SHA-256, in hex")]
Nonce: TypeAlias = Annotated[str, Meta(pattern="^[0-9a-f]{32}$", description="16 random bytes")]
Role: TypeAlias = Annotated[str, Meta(pattern="^[a-z][a-z0-9_]{0,31}$")]
_TRIMMED: Final = r"^[^\s\ufeff]([\s\S]*[^\s\ufeff])?$"
"""No space outside. Python and ECMAScript differ on U+FEFF and on the dot; here they agree."""
Name: TypeAlias = Annotated[str, Meta(pattern=_TRIMMED, max_length=80)]
Line: TypeAlias = Annotated[str, Meta(pattern=_TRIMMED, max_length=200)]
Text: TypeAlias = Annotated[str, Meta(pattern=_TRIMMED, max_length=4000)]
Notation: TypeAlias = Annotated[str, Meta(min_length=1, max_length=200)]
KeyLine: TypeAlias = Annotated[
    str, Meta(pattern="^ssh-ed25519 [A-Za-z0-9+/]{68}$", description="OpenSSH, without comment")
]
Instant: TypeAlias = Annotated[
    str,
    Meta(
        pattern="^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
        "T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z$",
        description="RFC 3339, UTC, whole seconds; advisory",
        extra_json_schema={"format": "date-time"},
    ),
]
Seq: TypeAlias = Annotated[int, Meta(ge=0, le=canonical.MAX_INTEGER)]
RollNumber: TypeAlias = Annotated[int, Meta(ge=1, le=2**32 - 1)]
Secret: TypeAlias = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", description="32 bytes, in hex")]
Die: TypeAlias = Annotated[int, Meta(ge=1, le=6)]
Points: TypeAlias = Annotated[int, Meta(ge=0, le=1_000_000)]
Dice: TypeAlias = Annotated[tuple[Die, ...], Meta(min_length=1, max_length=8)]


class _Strict(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    pass


class RulesInForce(_Strict, frozen=True, kw_only=True):
    """The ruleset, all its options spelled out, and the ruling document they are read by."""

    game: Role
    name: Name
    version: Annotated[int, Meta(ge=1, le=1_000_000)]
    options: dict[Role, bool | Name]
    document: Hash


class Seat(_Strict, frozen=True, kw_only=True):
    """Who sits here. Without a key the arbiter writes down what this seat does."""

    name: Name
    key: KeyLine | None = None


class Officer(_Strict, frozen=True, kw_only=True):
    name: Name
    key: KeyLine


class CommitReveal(_Strict, tag_field="scheme", tag="commit-reveal/1", frozen=True, kw_only=True):
    contributors: tuple[Role, ...]


class Physical(_Strict, tag_field="scheme", tag="physical/1", frozen=True, kw_only=True):
    confirm: bool


class Source(_Strict, frozen=True, kw_only=True):
    """The imported file that a match was written from."""

    format: Annotated[str, Meta(pattern="^[a-z][a-z0-9-]{0,31}$")]
    sha256: Hash


class Opening(_Strict, frozen=True, kw_only=True):
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


class Nothing(_Strict, frozen=True, kw_only=True):
    """No data: the type says it all."""


class Play(_Strict, frozen=True, kw_only=True):
    """A move; where it is made of dice, with the die of each step."""

    move: Notation
    dice: Dice | None = None


class Taking(_Strict, frozen=True, kw_only=True):
    """Coins that are taken from the board."""

    pull: Notation


class Call(_Strict, frozen=True, kw_only=True):
    """A warning that the rules ask for, in the game's own word: ``raichi``."""

    call: Notation


class Commitment(_Strict, frozen=True, kw_only=True):
    """What binds a contributor to a nonce that is opened with roll ``roll``."""

    roll: RollNumber
    commitment: Hash


class Opened(_Strict, frozen=True, kw_only=True):
    """A contributor's nonce of roll ``roll``, and the commitment for the roll after it."""

    roll: RollNumber
    nonce: Secret
    next: Hash


class Throw(_Strict, frozen=True, kw_only=True):
    """Roll ``roll`` is thrown. A thrower who contributes opens first, in the same event."""

    roll: RollNumber
    nonce: Secret | None = None
    next: Hash | None = None


class Lying(_Strict, frozen=True, kw_only=True):
    """Dice as they lie on the table."""

    roll: RollNumber
    dice: Dice


class Confirmation(_Strict, frozen=True, kw_only=True):
    """What is confirmed: the hash of the event that recorded or voided a roll."""

    confirms: Hash


class Voiding(_Strict, frozen=True, kw_only=True):
    """Dice that do not count: cocked, off the board …"""

    roll: RollNumber
    reason: Line


class DrawOffer(_Strict, tag_field="offer", tag="draw", frozen=True, kw_only=True):
    """The game ends drawn if the other side agrees."""


class TakebackOffer(_Strict, tag_field="offer", tag="takeback", frozen=True, kw_only=True):
    """The game stands again as it stood after event ``to`` if the other side agrees."""

    to: Seq


class SettlementOffer(_Strict, tag_field="offer", tag="settlement", frozen=True, kw_only=True):
    """The game ends with what it is played for shared so, if the other side agrees."""

    split: tuple[Points, Points]
    """Points of the first seat and of the second."""


class Answer(_Strict, frozen=True, kw_only=True):
    """Which offer is answered: the hash of the event that made it."""

    offer: Hash


class Rewind(_Strict, tag_field="effect", tag="rewind", frozen=True, kw_only=True):
    """The game stands again as it stood after event ``to``; all else stays as it is."""

    to: Seq
    dice: Literal["keep", "rethrow"] | None = None


class Verdict(_Strict, frozen=True, kw_only=True):
    """A ruling: the reason and the rule it rests on, and what it does."""

    reason: Text
    rule: Line
    effects: Annotated[tuple[Rewind, ...], Meta(min_length=1, max_length=8)]


class Result(_Strict, frozen=True, kw_only=True):
    """How a match ended. Each kind is distinct: a forfeit is no win on the board, an annulment
    no draw. ``how`` is the reason (``goal``, ``resigned`` …), ``winner`` a seat."""

    kind: Literal["win", "draw", "forfeit", "double_forfeit", "annulled"]
    how: Role
    winner: Role | None = None


class Closing(_Strict, frozen=True, kw_only=True):
    result: Result


class Countersignature(_Strict, frozen=True, kw_only=True):
    """The score sheet signed: the hash of the event that gave the result."""

    result_event: Hash


class Remark(_Strict, frozen=True, kw_only=True):
    """Words for the record, and the SHA-256 of a file (a photo of the score sheet), if any."""

    text: Text
    sha256: Hash | None = None


class _Event(_Strict, tag_field="type", frozen=True, kw_only=True):
    v: Annotated[int, Meta(ge=VERSION, le=VERSION)]
    seq: Seq
    by: Role
    at: Instant
    for_: Role | None = msgspec.field(default=None, name="for")
    match: Hash | None = None
    prev: Hash | None = None


class MatchOpened(_Event, tag="match.opened", frozen=True, kw_only=True):
    data: Opening


class SeatAccepted(_Event, tag="seat.accepted", frozen=True, kw_only=True):
    data: Nothing


class DiceCommitted(_Event, tag="dice.committed", frozen=True, kw_only=True):
    data: Commitment


class Rolled(_Event, tag="roll", frozen=True, kw_only=True):
    data: Throw


class RollOpened(_Event, tag="roll.opened", frozen=True, kw_only=True):
    data: Opened


class RollRecorded(_Event, tag="roll.recorded", frozen=True, kw_only=True):
    data: Lying


class RollConfirmed(_Event, tag="roll.confirmed", frozen=True, kw_only=True):
    data: Confirmation


class RollVoided(_Event, tag="roll.voided", frozen=True, kw_only=True):
    data: Voiding


class Moved(_Event, tag="move", frozen=True, kw_only=True):
    data: Play


class Passed(_Event, tag="pass", frozen=True, kw_only=True):
    data: Nothing


class Pulled(_Event, tag="pull", frozen=True, kw_only=True):
    data: Taking


class Wagered(_Event, tag="wager", frozen=True, kw_only=True):
    data: Nothing


class Ran(_Event, tag="run", frozen=True, kw_only=True):
    data: Nothing


class Stopped(_Event, tag="stop", frozen=True, kw_only=True):
    data: Nothing


class DiabloCalled(_Event, tag="diablo", frozen=True, kw_only=True):
    data: Nothing


class Finished(_Event, tag="done", frozen=True, kw_only=True):
    data: Nothing


class Called(_Event, tag="call", frozen=True, kw_only=True):
    data: Call


Terms: TypeAlias = DrawOffer | TakebackOffer | SettlementOffer
"""What can be offered."""


class OfferMade(_Event, tag="offer.made", frozen=True, kw_only=True):
    data: Terms


class OfferAccepted(_Event, tag="offer.accepted", frozen=True, kw_only=True):
    data: Answer


class OfferDeclined(_Event, tag="offer.declined", frozen=True, kw_only=True):
    data: Answer


class DrawClaimed(_Event, tag="draw.claimed", frozen=True, kw_only=True):
    data: Nothing


class Resigned(_Event, tag="resigned", frozen=True, kw_only=True):
    data: Nothing


class Ruling(_Event, tag="ruling", frozen=True, kw_only=True):
    data: Verdict


class MatchClosed(_Event, tag="match.closed", frozen=True, kw_only=True):
    data: Closing


class Countersigned(_Event, tag="countersigned", frozen=True, kw_only=True):
    data: Countersignature


class Note(_Event, tag="note", frozen=True, kw_only=True):
    data: Remark


Event: TypeAlias = (
    MatchOpened
    | SeatAccepted
    | DiceCommitted
    | Rolled
    | RollOpened
    | RollRecorded
    | RollConfirmed
    | RollVoided
    | Moved
    | Pulled
    | Wagered
    | Passed
    | Ran
    | Stopped
    | DiabloCalled
    | Finished
    | Called
    | OfferMade
    | OfferAccepted
    | OfferDeclined
    | DrawClaimed
    | Resigned
    | Ruling
    | MatchClosed
    | Countersigned
    | Note
)
EVENT_TYPES: Final[Mapping[str, type[Event]]] = {
    str(kind.__struct_config__.tag): kind for kind in get_args(Event)
}

_E = TypeVar("_E", bound=_Event)
_encoder = msgspec.json.Encoder(order="sorted")
_decoder: Final[msgspec.json.Decoder[Event]] = msgspec.json.Decoder(Event)


def type_of(event: Event) -> str:
    """The type as it stands in the payload: ``seat.accepted``."""
    return str(event.__struct_config__.tag)


def encode(event: Event) -> bytes:
    """The payload of ``event``. Raises ``Refused`` when a field is not of its form."""
    try:
        payload = _encoder.encode(event)
    except (TypeError, ValueError, OverflowError) as error:
        raise Refused("bad-event", f"The event cannot be written: {error}.") from None
    decode(payload)
    return payload


def decode(payload: bytes) -> Event:
    """The event in ``payload``. Raises ``Refused``: not canonical, unknown, not of its form.

    Typed reading, the same bytes when written again, and clean texts: what passes these three is
    in the profile of ``canonical``, which is asked only to say what is wrong with the others.
    """
    try:
        event: Event = _decoder.decode(payload)
        if _encoder.encode(event) == payload and canonical.is_clean(payload):
            datetime.fromisoformat(event.at)  # the pattern lets the 31st of February pass
            return event
    except (msgspec.MsgspecError, ValueError, RecursionError):
        pass
    raise _fault(payload)


def _fault(payload: bytes) -> Refused:
    """What is wrong with a payload that is no event."""
    try:
        value = canonical.decode(payload)
    except Refused as error:
        return error
    if not isinstance(value, dict):
        return Refused("bad-event", "An event is a JSON object.")
    version, kind = value.get("v"), value.get("type")
    if type(version) is int and version > VERSION:
        return Refused(
            "future-version",
            f"The event is of version {version}; this Tabellion reads version {VERSION}.",
            hint="Use a newer Tabellion to read it.",
        )
    if not isinstance(kind, str):
        return Refused("unknown-type", "An event says of what type it is; this one does not.")
    event_type = EVENT_TYPES.get(kind)
    if event_type is None:
        return Refused(
            "unknown-type",
            f"The event type {ascii(kind)[:60]} is not known.",
            hint="A newer Tabellion may know it.",
        )
    try:
        event: Event = msgspec.convert(value, event_type, strict=True)
        datetime.fromisoformat(event.at)
    except (msgspec.ValidationError, ValueError) as error:
        return Refused("bad-event", f"The event {kind} is not of its form: {str(error)[:200]}.")
    return Refused("not-canonical", "A field that is absent must be left out, not null.")
