"""Keys held by ssh-agent: the agent signs, and the private half never comes here.

Two questions of the agent's protocol (draft-ietf-sshm-ssh-agent): which keys do you hold, and sign
this. The socket is given, never searched for here; each question is a connection of its own.
Nothing that comes back is believed: lengths are bounded, and a signature counts only once the
public key has verified it.
"""

from __future__ import annotations

import socket
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ledger.errors import NotAllowed, Unreadable
from ledger.publickey import PublicKey

_FAILURE, _LIST, _KEYS, _SIGN, _SIGNED = 5, 11, 12, 13, 14
_ED25519: Final = b"ssh-ed25519"
_MOST_BYTES: Final = 256 * 1024
"""The longest answer that is read; OpenSSH's agent keeps to the same."""
_LIST_SECONDS: Final = 2.0
"""For listing, which needs nobody. Signing may wait for a person who has to confirm it."""


@dataclass(frozen=True, slots=True)
class AgentKey:
    """A key that the agent behind ``path`` holds. It signs as an unlocked private key does."""

    public: PublicKey
    comment: str
    path: Path

    def sign(self, message: bytes) -> bytes:
        """64 bytes that verify. Raises ``NotAllowed`` if the agent or its owner does not sign."""
        key = _string(_ED25519) + _string(self.public.raw)
        question = bytes([_SIGN]) + _string(key) + _string(message) + bytes(4)  # no flags
        answer = _ask(self.path, question, None)
        if answer is None:
            raise _not_allowed("agent-gone", "The ssh-agent has ended since it was asked first.")
        if answer[0] == _FAILURE:
            raise NotAllowed(
                "agent-refused",
                f"The ssh-agent did not sign with {self.public.fingerprint}: it was not "
                "confirmed, or the agent is locked.",
                hint="ssh-add -l lists what it holds, ssh-add -X unlocks it",
            )
        blob, rest = _take(_body(answer, _SIGNED))
        kind, blob = _take(blob)
        signature, more = _take(blob)
        if kind != _ED25519 or more or rest or not self.public.verify(signature, message):
            raise _not_allowed(
                "agent-bad-signature",
                f"What the ssh-agent gave is no signature by {self.public.fingerprint}.",
            )
        return signature


def held(path: Path) -> tuple[AgentKey, ...]:
    """The Ed25519 keys of the agent at this socket; none if nobody listens there.

    Raises ``NotAllowed`` for an agent that does not answer in time, or not as an agent does.
    """
    answer = _ask(path, bytes([_LIST]), _LIST_SECONDS)
    if answer is None:
        return ()
    if answer[0] == _FAILURE:
        raise _not_allowed("agent-refused", "The ssh-agent does not say which keys it holds.")
    body = _body(answer, _KEYS)
    count, rest = int.from_bytes(body[:4], "big"), body[4:]
    found = []
    while rest:
        key, rest = _take(rest)
        comment, rest = _take(rest)
        count -= 1
        try:
            public = PublicKey.from_wire(key)
        except Unreadable:
            continue  # of another kind
        found.append(AgentKey(public, comment.decode("utf-8", "replace"), path))
    if count or len(body) < 4:
        raise _nonsense()
    return tuple(found)


def _ask(path: Path, question: bytes, seconds: float | None) -> bytes | None:
    """One question and its answer, at least a byte; ``None`` if nobody listens."""
    if not hasattr(socket, "AF_UNIX"):
        return None
    until = None if seconds is None else time.monotonic() + seconds
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
            line.settimeout(seconds)
            line.connect(str(path))
            line.sendall(_string(question))
            size = int.from_bytes(_exactly(line, 4, until), "big")
            if not 0 < size <= _MOST_BYTES:
                raise _nonsense()
            return _exactly(line, size, until)
    except (FileNotFoundError, NotADirectoryError, ConnectionRefusedError):
        return None
    except (EOFError, ConnectionError):
        raise _not_allowed("agent-gone", "The ssh-agent hung up.") from None
    except TimeoutError:
        raise _not_allowed("agent-silent", "The ssh-agent does not answer.") from None
    except OSError as error:
        raise _not_allowed(
            "agent-unreachable", f"The ssh-agent cannot be reached: {error.strerror or error}."
        ) from None


def _exactly(line: socket.socket, size: int, until: float | None) -> bytes:
    """That many bytes, however slowly they come before ``until``; EOFError if they end before."""
    read = bytearray()
    while len(read) < size:
        if until is not None:
            line.settimeout(max(until - time.monotonic(), 0.001))
        part = line.recv(size - len(read))
        if not part:
            raise EOFError
        read += part
    return bytes(read)


def _body(answer: bytes, kind: int) -> bytes:
    if answer[0] != kind:
        raise _nonsense()
    return answer[1:]


def _string(data: bytes) -> bytes:
    """A string of RFC 4251 §5; a message to the agent has the same form."""
    return len(data).to_bytes(4, "big") + data


def _take(blob: bytes) -> tuple[bytes, bytes]:
    """The first string and what follows it."""
    end = 4 + int.from_bytes(blob[:4], "big")
    if len(blob) < end:
        raise _nonsense()
    return blob[4:end], blob[end:]


def _nonsense() -> NotAllowed:
    return _not_allowed("agent-nonsense", "The ssh-agent does not answer as an agent does.")


def _not_allowed(code: str, message: str) -> NotAllowed:
    return NotAllowed(code, message, hint="SSH_AUTH_SOCK= before the command leaves ssh-agent out")
