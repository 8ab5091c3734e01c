"""The forms of single values in events: patterns, lengths, ranges."""

from __future__ import annotations

from typing import Annotated, Final, TypeAlias

from msgspec import Meta

from ledger import canonical

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
Placing: TypeAlias = Annotated[str, Meta(min_length=1, max_length=1000)]
"""A position, in the game's own notation."""
Signature: TypeAlias = Annotated[
    str, Meta(pattern="^[0-9a-f]{128}$", description="Ed25519, 64 bytes, in hex")
]
Secret: TypeAlias = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", description="32 bytes, in hex")]
Die: TypeAlias = Annotated[int, Meta(ge=1, le=6)]
Points: TypeAlias = Annotated[int, Meta(ge=0, le=1_000_000)]
Dice: TypeAlias = Annotated[tuple[Die, ...], Meta(min_length=1, max_length=8)]
