"""What the old key of a role signs when another takes its place: consent, in bytes.

It stands in ``key.replaced`` beside the arbiter's own signature, so that a reader can tell a key
that was handed over from one that the arbiter put in. The bytes are DSSE's PAE over canonical JSON,
of a payload type of their own: no event can be taken for a consent, nor the other way round.
"""

from __future__ import annotations

from ledger import canonical, envelope

PAYLOAD_TYPE = "application/vnd.tabellion.consent.v1+json"


def message(match: str, role: str, name: str, key: str | None) -> bytes:
    """The bytes to sign: from here on ``role`` is held by ``name`` with this key, or without."""
    held = {"match": match, "name": name, "role": role} | ({"key": key} if key else {})
    return envelope.pae(canonical.encode(held), PAYLOAD_TYPE)
