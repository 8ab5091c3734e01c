"""The address of a server as it stands on a join sheet: ``https://192.168.1.5:8765#SHA256=AB:…``.

What follows ``#`` is the SHA-256 of the server's certificate, as browsers show it. It never goes
over the net: it is compared here, before anything is sent.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from ledger.errors import Unreadable

PORT: Final = 8765
"""Where a server listens unless said otherwise."""
LONGEST: Final = 400
_FINGERPRINT: Final = re.compile(r"SHA-?256[=:]((?:[0-9A-F]{2}:?){31}[0-9A-F]{2})", re.IGNORECASE)
_PLAIN: Final = re.compile(r"[\x21-\x7e]+", re.ASCII)


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server is, and the certificate it must have, if that is known."""

    secure: bool
    host: str
    port: int
    certificate: bytes | None = None
    """SHA-256 of the certificate in DER."""

    @classmethod
    def parse(cls, text: str) -> Address:
        """Read what was typed. Raises ``Unreadable`` (``bad-server``)."""
        if len(text) > LONGEST or not _PLAIN.fullmatch(text):
            raise _bad("It has characters that no address has, or too many.")
        try:
            parts = urlsplit(text)
            port = parts.port
            (parts.hostname or "").encode("idna")
        except ValueError:
            raise _bad("Its host or port cannot be read.") from None
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise _bad("It begins with http:// or https:// and the server's name.")
        if "@" in parts.netloc:
            raise _bad("No name or password belongs into it: keys sign.")
        if parts.path not in ("", "/") or parts.query:
            raise _bad("It ends after the port: the pages of phones are not for this.")
        secure = parts.scheme == "https"
        return cls(
            secure=secure,
            host=parts.hostname,
            port=PORT if port is None else port,
            certificate=_pinned(parts.fragment, secure),
        )

    @property
    def base(self) -> str:
        """The address without the fingerprint."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'https' if self.secure else 'http'}://{host}:{self.port}"

    def __str__(self) -> str:
        return self.base + (f"#SHA256={pairs(self.certificate)}" if self.certificate else "")


def pairs(digest: bytes) -> str:
    """A fingerprint as browsers show it: AB:CD:…"""
    return digest.hex(":").upper()


def _pinned(fragment: str, secure: bool) -> bytes | None:
    if not fragment:
        return None
    found = _FINGERPRINT.fullmatch(fragment)
    if found is None:
        raise _bad("After # stands the fingerprint of its certificate: SHA256= and 32 pairs.")
    if not secure:
        raise _bad("A fingerprint needs https: without it there is no certificate.")
    return bytes.fromhex(found[1].replace(":", ""))


def _bad(why: str) -> Unreadable:
    return Unreadable(
        "bad-server",
        f"The server's address cannot be read. {why}",
        hint=f"--server https://192.168.1.5:{PORT}#SHA256=AB:CD:…, as the join sheet has it",
    )
