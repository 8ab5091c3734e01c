"""Who sits at the arbiter's desk: whoever opened the one link that the server printed.

The link is good once and leads to a session that ends with the server. Its token stands behind the
``#``, which browsers send nowhere: the page gives it in a body. Link and session are random, kept
only as hashes and compared in constant time. The link goes to ``say`` alone, never into the log;
when it was used a fresh one is said, so that another browser can come in, or the same one again
after its data were cleared.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from hashlib import sha256
from hmac import compare_digest
from typing import Final

Entropy = Callable[[int], bytes]
"""Gives so many random bytes."""

SECRET_BYTES: Final = 32
SESSIONS: Final = 8
"""Browsers that are remembered; the one that came first is forgotten for a ninth."""
LONGEST: Final = 200
"""Characters of what is compared at all."""


class Login:
    """The link of one server, and the sessions that came of it. Lives in the event loop alone."""

    def __init__(self, entropy: Entropy, say: Callable[[str], object]) -> None:
        self._entropy = entropy
        self._say = say
        self._address = ""
        self._link: bytes | None = None
        self._sessions: deque[bytes] = deque(maxlen=SESSIONS)

    def offer(self, address: str) -> None:
        """Say a link of the server at ``address`` (``http://127.0.0.1:8765``)."""
        self._address = address
        token = self._entropy(SECRET_BYTES).hex()
        self._link = _digest(token)
        self._say(f"{address}/desk#token={token}")

    def enter(self, token: str) -> str | None:
        """The session that this link leads to; ``None`` if it is not the present one. It is good
        once: a fresh one is said."""
        if self._link is None or not _same(token, self._link):
            return None
        session = self._entropy(SECRET_BYTES).hex()
        self._sessions.append(_digest(session))
        self.offer(self._address)
        return session

    def knows(self, session: str) -> bool:
        """Whether this is the session of somebody who came in."""
        found = [_same(session, known) for known in self._sessions]
        return any(found)


def _digest(secret: str) -> bytes:
    return sha256(secret.encode("utf-8", "replace")).digest()


def _same(given: str, known: bytes) -> bool:
    return compare_digest(_digest(given[:LONGEST]), known)
