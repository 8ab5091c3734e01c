"""Canonical JSON: RFC 8785, held to a narrow profile.

The profile: integers within ±(2^53-1) and no floats; object keys ``[a-z][a-z0-9_]*``, none twice;
strings in Unicode NFC, of the characters of Unicode 14, without control characters, bidirectional
overrides and noncharacters (I-JSON, RFC 7493); nesting at most ``MAX_DEPTH``; at most
``MAX_BYTES``. Inside it msgspec's sorted encoding *is* RFC 8785, which the tests hold against the
``rfc8785`` package.

Bytes are never repaired: a text that is not in its one spelling is refused.
"""

from __future__ import annotations

import re
from typing import Final, TypeAlias
from unicodedata import is_normalized

import msgspec

from ledger import unicode14
from ledger.errors import Refused

Json: TypeAlias = "bool | int | str | list[Json] | dict[str, Json] | None"

MAX_BYTES: Final = 60 * 1024
MAX_INTEGER: Final = 2**53 - 1
MAX_DEPTH: Final = 32

_KEY = re.compile(r"[a-z][a-z0-9_]*\Z")
_FORBIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufdd0-\ufdef"
    + "".join(chr(plane << 16 | end) for plane in range(17) for end in (0xFFFE, 0xFFFF))
    + "]"
)
_OTHER_ESCAPE = re.compile(rb'\\[^"]')
"""An escape beside those of quote and backslash: of a control character, in canonical JSON."""
_encoder = msgspec.json.Encoder(order="sorted")
_decoder = msgspec.json.Decoder(strict=True)


def encode(value: object) -> bytes:
    """The one spelling of ``value``. Raises ``Refused`` when it is outside the profile."""
    _check(value, 0)
    try:
        text = _encoder.encode(value)
    except TypeError as error:  # a subclass of str or int
        raise Refused("not-json", f"{error}.") from None
    _check_size(text)
    return text


def decode(text: bytes) -> Json:
    """Read ``text``, refusing whatever is not in its one spelling. Raises ``Refused``."""
    _check_size(text)
    try:
        value: Json = _decoder.decode(text)
    except RecursionError:
        raise Refused("too-deep", "The JSON is nested too deeply.") from None
    except (msgspec.MsgspecError, ValueError) as error:
        raise Refused("not-json", f"This is not JSON in UTF-8: {error}.") from None
    _check(value, 0)
    if _encoder.encode(value) != text:
        raise Refused(
            "not-canonical",
            "The JSON is not in its one canonical spelling (RFC 8785): a key twice, keys out of "
            "order, white space, or another way to write the same.",
        )
    return value


def is_clean(text: bytes) -> bool:
    """Whether JSON that is canonical already keeps within the profile's size and characters."""
    if len(text) > MAX_BYTES:
        return False
    if b"\\" in text and _OTHER_ESCAPE.search(text.replace(rb"\\", b"")):
        return False
    return _refusal(text.decode("utf-8")) is None


def check_text(text: str) -> str:
    """``text`` itself, when it may stand in an event. Raises ``Refused``."""
    refusal = _refusal(text)
    if refusal is not None:
        raise refusal
    return text


def _refusal(text: str) -> Refused | None:
    if text.isascii() and text.isprintable():
        return None
    found = _FORBIDDEN.search(text)
    if found is not None:
        return Refused(
            "forbidden-character",
            f"The text {ascii(text)[:80]} has the character U+{ord(found[0]):04X}: control "
            "characters, direction changes and noncharacters are refused.",
        )
    found = unicode14.find_unknown(text)
    if found is not None:
        return Refused(
            "unknown-character",
            f"The text {ascii(text)[:80]} has the character U+{ord(found[0]):04X}, which Unicode "
            "14 does not know.",
            hint="Older characters are read alike everywhere.",
        )
    if not is_normalized("NFC", text):
        return Refused(
            "not-nfc",
            f"The text {ascii(text)[:80]} is not in Unicode's composed form (NFC).",
            hint="Type the letters again; copied text sometimes has accents apart from letters.",
        )
    return None


def _check_size(text: bytes) -> None:
    if len(text) > MAX_BYTES:
        raise Refused(
            "too-large", f"{len(text)} bytes: an event has at most {MAX_BYTES} bytes (60 KiB)."
        )


def _check(value: object, depth: int) -> None:
    if isinstance(value, str):
        check_text(value)
    elif value is None or isinstance(value, bool):
        pass
    elif isinstance(value, int):
        if not -MAX_INTEGER <= value <= MAX_INTEGER:
            raise Refused("too-large-integer", "An integer is beyond ±(2^53-1).")
    elif depth >= MAX_DEPTH:
        raise Refused("too-deep", f"The JSON is nested deeper than {MAX_DEPTH} levels.")
    elif isinstance(value, dict):
        for key, inner in value.items():
            if not (isinstance(key, str) and _KEY.match(key)):
                raise Refused(
                    "bad-key", f"The key {ascii(key)[:60]} is not made of a-z, 0-9 and _."
                )
            _check(inner, depth + 1)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            _check(inner, depth + 1)
    elif isinstance(value, float):
        raise Refused("float", "A number with a point or an exponent is refused: integers only.")
    else:
        raise Refused("not-json", f"A {type(value).__name__} cannot stand in an event.")
