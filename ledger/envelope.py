"""The signed envelope: DSSE 1.0.2 with exactly one Ed25519 signature (RFC 8032).

An envelope has one spelling: canonical JSON, strictly padded base64, no white space. So every
changed bit is a fault. What is stored, exported and verified are the bytes as they were signed;
nothing is serialised anew to be verified.
"""

from __future__ import annotations

import re
from base64 import b64encode
from binascii import Error as Base64Error
from binascii import a2b_base64
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

import msgspec

from ledger.errors import Refused
from ledger.publickey import PublicKey

PAYLOAD_TYPE: Final = "application/vnd.tabellion.event.v1+json"
MAX_ENVELOPE: Final = 96 * 1024
"""Bytes: more than 60 KiB of payload in base64 with its frame can be."""

_KEYID = re.compile(r"SHA256:[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]\Z")


def _head(payload_type: str) -> bytes:
    return f"DSSEv1 {len(payload_type)} {payload_type} ".encode("ascii")


_PAE_HEAD = _head(PAYLOAD_TYPE)


class _Signature(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    keyid: str
    sig: str


class _Envelope(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    payload: str
    payload_type: str
    signatures: tuple[_Signature, ...]


_decoder = msgspec.json.Decoder(_Envelope)


def pae(payload: bytes, payload_type: str = PAYLOAD_TYPE) -> bytes:
    """DSSE's pre-authentication encoding of a payload, an event's unless said otherwise: the bytes
    that are signed."""
    head = _PAE_HEAD if payload_type == PAYLOAD_TYPE else _head(payload_type)
    return b"%b%d %b" % (head, len(payload), payload)


@dataclass(frozen=True)
class Envelope:
    """One signed event as bytes: what it says, and who says it. Nothing is judged here yet."""

    payload: bytes
    signature: bytes
    keyid: str

    @property
    def hash(self) -> str:
        """SHA-256 of the PAE, in hexadecimal: the event's name. Computed when first asked for."""
        known: str | None = self.__dict__.get("_hash")
        if known is None:
            known = self.__dict__["_hash"] = sha256(pae(self.payload)).hexdigest()
        return known

    def text(self) -> bytes:
        """The envelope in its one spelling."""
        return b'{"payload":"%b","payloadType":"%b","signatures":[{"keyid":"%b","sig":"%b"}]}' % (
            b64encode(self.payload),
            PAYLOAD_TYPE.encode("ascii"),
            self.keyid.encode("ascii"),
            b64encode(self.signature),
        )

    def signed_by(self, key: PublicKey) -> bool:
        """Whether ``key`` made the signature over this payload."""
        return key.fingerprint == self.keyid and key.verify(self.signature, pae(self.payload))


def seal(payload: bytes, key: PublicKey, sign: Callable[[bytes], bytes]) -> Envelope:
    """Sign ``payload``; ``sign`` is the private half of ``key``."""
    return Envelope(payload, sign(pae(payload)), key.fingerprint)


def parse(text: bytes) -> Envelope:
    """Read one envelope. Raises ``Refused`` when it is not one in its one spelling."""
    if len(text) > MAX_ENVELOPE:
        raise Refused("too-large", f"{len(text)} bytes are too many for a signed event.")
    try:
        outer = _decoder.decode(text)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        why = ascii(str(error))[1:-1][:200]  # it may quote what was given
        raise Refused("not-an-envelope", f"This is not a signed event: {why}.") from None
    if outer.payload_type != PAYLOAD_TYPE:
        raise Refused(
            "foreign-payload", f"The payload type {ascii(outer.payload_type)[:80]} is not ours."
        )
    if len(outer.signatures) != 1:
        raise Refused(
            "not-one-signature", f"An event has one signature, not {len(outer.signatures)}."
        )
    keyid = outer.signatures[0].keyid
    if not _KEYID.match(keyid):
        raise Refused("not-an-envelope", "The key id is not a SHA256 fingerprint.")
    envelope = Envelope(
        _base64(outer.payload, "payload"), _base64(outer.signatures[0].sig, "signature"), keyid
    )
    if len(envelope.signature) != 64:
        raise Refused("not-an-envelope", "An Ed25519 signature has 64 bytes.")
    if envelope.text() != text:
        raise Refused("not-canonical", "The signed event is not in its one canonical spelling.")
    return envelope


def _base64(text: str, what: str) -> bytes:
    try:
        return a2b_base64(text, strict_mode=True)
    except (Base64Error, ValueError):
        raise Refused("not-an-envelope", f"The {what} is not strict base64.") from None
