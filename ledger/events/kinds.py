"""The event classes: one for each type, with what stands around its ``data``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final, TypeAlias, get_args

import msgspec
from msgspec import Meta

from ledger.events.data import (
    Adjournment,
    Answer,
    Call,
    Closing,
    Commitment,
    Complaint,
    Confirmation,
    Countersignature,
    Decision,
    Evidence,
    Lying,
    Nothing,
    Objection,
    Opened,
    Opening,
    Play,
    Remark,
    Replacement,
    Resumption,
    Settling,
    Strict,
    Succession,
    Taking,
    Terms,
    Throw,
    Unwilling,
    Verdict,
    Voiding,
)
from ledger.events.fields import (
    Hash,
    Instant,
    Role,
    Seq,
)

VERSION: Final = 1


class _Event(Strict, tag_field="type", frozen=True, kw_only=True):
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


class DisputeRaised(_Event, tag="dispute.raised", frozen=True, kw_only=True):
    data: Complaint


class DisputeSettled(_Event, tag="dispute.settled", frozen=True, kw_only=True):
    data: Settling


class Stated(_Event, tag="statement", frozen=True, kw_only=True):
    data: Evidence


class Appealed(_Event, tag="appeal", frozen=True, kw_only=True):
    data: Objection


class AppealDecided(_Event, tag="appeal.decided", frozen=True, kw_only=True):
    data: Decision


class KeyReplaced(_Event, tag="key.replaced", frozen=True, kw_only=True):
    data: Replacement


class ArbiterReplaced(_Event, tag="arbiter.replaced", frozen=True, kw_only=True):
    data: Succession


class Adjourned(_Event, tag="adjourned", frozen=True, kw_only=True):
    data: Adjournment


class Resumed(_Event, tag="resumed", frozen=True, kw_only=True):
    data: Resumption


class MatchClosed(_Event, tag="match.closed", frozen=True, kw_only=True):
    data: Closing


class Countersigned(_Event, tag="countersigned", frozen=True, kw_only=True):
    data: Countersignature


class SignatureRefused(_Event, tag="signature.refused", frozen=True, kw_only=True):
    data: Unwilling


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
    | DisputeRaised
    | DisputeSettled
    | Stated
    | Ruling
    | Appealed
    | AppealDecided
    | KeyReplaced
    | ArbiterReplaced
    | Adjourned
    | Resumed
    | MatchClosed
    | Countersigned
    | SignatureRefused
    | Note
)
EVENT_TYPES: Final[Mapping[str, type[Event]]] = {
    str(kind.__struct_config__.tag): kind for kind in get_args(Event)
}


def type_of(event: Event) -> str:
    """The type as it stands in the payload: ``seat.accepted``."""
    return str(event.__struct_config__.tag)
