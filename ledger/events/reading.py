"""Events as bytes: written canonically, read strictly."""

from __future__ import annotations

from datetime import datetime
from typing import Final

import msgspec

from ledger import canonical
from ledger.errors import Refused
from ledger.events.kinds import EVENT_TYPES, VERSION, Event

_encoder = msgspec.json.Encoder(order="sorted")
_decoder: Final[msgspec.json.Decoder[Event]] = msgspec.json.Decoder(Event)


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
