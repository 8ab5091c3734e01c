"""Every key that ever held a role in a match, as the files that other programs read.

``keys/ROLE.pem`` is the key of the opening, ``keys/ROLE-since-N.pem`` the one that event N put in.
The files say what the record says: whose hand is behind a key they cannot know.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from typing import Final, NamedTuple

from ledger.fold import MatchState, Party
from ledger.fold.people import rosters
from ledger.signers import NAMESPACE

_SPKI: Final = bytes.fromhex("302a300506032b6570032100")
"""What stands before the 32 bytes of an Ed25519 key in a SubjectPublicKeyInfo (RFC 8410 §4)."""
_PATTERN: Final = '"*?!,#\\'
"""What means something else than itself in a list of principals (ssh-keygen(1), PATTERNS in
ssh_config(5))."""


class Holder(NamedTuple):
    """Who held a role from an event on, by the record."""

    party: Party
    since: int

    @property
    def path(self) -> str:
        """Its key file."""
        since = f"-since-{self.since}" if self.since else ""
        return f"keys/{self.party.role}{since}.pem"


def holders(state: MatchState) -> Iterator[Holder]:
    """Role by role in the order of the roster, each from the opening on."""
    for role, first in rosters(state)[0].items():
        yield Holder(first, 0)
        for change in state.changes:
            if change.after.role == role:
                yield Holder(change.after, change.seq)


def pem(raw: bytes) -> bytes:
    """A public key of 32 bytes as ``openssl`` reads it (RFC 7468 §13)."""
    body = b64encode(_SPKI + raw)
    return b"-----BEGIN PUBLIC KEY-----\n%b\n-----END PUBLIC KEY-----\n" % body


def allowed_signers(state: MatchState) -> bytes:
    """The keys in OpenSSH's own list, for a reader who has compared them with the people."""
    lines = [
        f'"{principal(holder.party.name)}" namespaces="{NAMESPACE}" {holder.party.key.line} '
        f"{holder.path.removeprefix('keys/').removesuffix('.pem')}\n"
        for holder in holders(state)
        if holder.party.key is not None
    ]
    return "".join(lines).encode()


def principal(name: str) -> str:
    """A name that is a pattern of nothing but itself: ``_`` stands for each character that cannot
    be written there, so that no name ends its line, denies somebody else or stands for others."""
    return "".join(c if c.isprintable() and c not in _PATTERN else "_" for c in name)


def plain(text: str) -> str:
    """A text for any terminal: what cannot be seen is spelled out."""
    return "".join(c if c.isprintable() else f"\\u{{{ord(c):x}}}" for c in text)
