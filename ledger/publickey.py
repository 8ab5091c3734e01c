"""Ed25519 public keys as people write them, and the signatures they verify.

A key is one OpenSSH line, ``ssh-ed25519 AAAA… comment`` (RFC 8709 §4 gives the bytes behind the
base64), and its short name is the fingerprint that ``ssh-keygen -l`` prints. Whatever is pasted,
only this project's errors leave this module, and no message repeats what was pasted: it may be a
private key.

Verifiers of Ed25519 differ on odd keys and odd signatures. Here the strictest reading holds: a
signature accepted here is accepted by every verifier that follows RFC 8032 §5.1.7, with the
cofactor or without.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from ledger.edwards25519 import SIGN_BIT, L, P, decode, is_identity, multiply
from ledger.errors import Refused, Unreadable

_TYPE = "ssh-ed25519"
_HEAD = b"\0\0\0\x0bssh-ed25519\0\0\0\x20"  # RFC 8709 §4 in the encoding of RFC 4251 §5

_Y_OF_ORDER_8 = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
_LOW_ORDER_Y = frozenset({0, 1, P - 1, _Y_OF_ORDER_8, P - _Y_OF_ORDER_8})
"""The y of the eight points of order 1, 2, 4 and 8."""

_BEGIN, _END = b"-----BEGIN OPENSSH PRIVATE KEY-----", b"-----END OPENSSH PRIVATE KEY-----"
_MAGIC = b"openssh-key-v1\0"
_MOST_ROUNDS = 4096
"""bcrypt rounds beyond which a key is refused: about half a minute; ssh-keygen 9.2 takes 16."""

_OTHER_TYPES = ("ssh-", "ecdsa-", "sk-", "rsa-", "webauthn-sk-")


@dataclass(frozen=True, slots=True)
class PublicKey:
    """32 bytes (RFC 8032 §5.1.5). Any 32 bytes can be held: `check` says whether to trust them."""

    raw: bytes

    def __post_init__(self) -> None:
        if len(self.raw) != 32:
            raise Unreadable("key-unreadable", "An Ed25519 public key has 32 bytes.")

    @property
    def line(self) -> str:
        """The one spelling used in events: type and base64, no comment."""
        return f"{_TYPE} {base64.b64encode(_HEAD + self.raw).decode()}"

    @property
    def fingerprint(self) -> str:
        """``SHA256:`` and 43 characters, as ``ssh-keygen -l`` prints it."""
        return _fingerprint(self.raw)

    def verify(self, signature: bytes, message: bytes) -> bool:
        """Whether this key signed this message (RFC 8032 §5.1.7); False for any hostile bytes.

        Refused besides: R of low order or not canonical, S ≥ L, and whatever a weak key signed.
        """
        if len(signature) != 64 or int.from_bytes(signature[32:], "little") >= L:
            return False
        y = int.from_bytes(signature[:32], "little") & (SIGN_BIT - 1)
        if y >= P or y in _LOW_ORDER_Y:
            return False
        return _verifier(self.raw)(signature, message)

    def check(self) -> None:
        """Raise `Refused` ``weak-key`` unless every verifier would agree about this key."""
        if reason := weakness(self.raw):
            raise Refused(
                "weak-key",
                f"The key {self.fingerprint} is not safe: {reason}.",
                hint="make a new one with: tabellion key new NAME",
            )

    @classmethod
    def parse(cls, line: str) -> PublicKey:
        """The key of a line ``ssh-ed25519 BASE64 [comment]``; the comment is dropped."""
        text = line.strip(" \t\r\n")
        if mistake := _mistake(text):
            raise mistake
        words = text.split(maxsplit=2)
        if len(words) < 2:
            raise Unreadable("key-unreadable", "The key line stops after its type.")
        try:
            blob = base64.b64decode(words[1].encode("ascii"), validate=True)
        except (UnicodeEncodeError, binascii.Error):
            blob = b""
        if base64.b64encode(blob).decode() != words[1]:
            raise Unreadable(
                "key-unreadable",
                "The key's base64 is damaged.",
                hint="copy the whole line again",
            )
        return cls.from_wire(blob)

    @classmethod
    def parse_canonical(cls, line: str) -> PublicKey:
        """The key of a line in an event: exactly its `line`, without comment or extra space."""
        key = cls.parse(line)
        if key.line != line:
            raise Unreadable(
                "key-spelling",
                "A key in a record is its type, one space and its base64, nothing else.",
            )
        return key

    @classmethod
    def from_wire(cls, blob: bytes) -> PublicKey:
        """The key of the bytes behind the base64: two strings, type and key (RFC 8709 §4)."""
        if blob.startswith(_HEAD) and len(blob) == len(_HEAD) + 32:
            return cls(blob[len(_HEAD) :])
        if blob.startswith(_HEAD[:15]):
            raise Unreadable("key-unreadable", "The key is cut short or has something added.")
        raise Unreadable("key-type", "The bytes of the key are not those of an Ed25519 key.")


@lru_cache(maxsize=1024)
def weakness(raw: bytes) -> str | None:
    """Why verifiers may disagree about this key, or None; about a millisecond, then remembered."""
    point = decode(raw)
    if point is None:
        return "it is not the canonical encoding of a point of the curve"
    if is_identity(multiply(8, point)):
        return "it has low order, so anyone can sign with it"
    if not is_identity(multiply(L, point)):
        return "it has a low-order component"
    return None


@lru_cache(maxsize=1024)
def _fingerprint(raw: bytes) -> str:
    digest = hashlib.sha256(_HEAD + raw).digest()
    return "SHA256:" + base64.b64encode(digest).decode().rstrip("=")


@lru_cache(maxsize=1024)
def _verifier(raw: bytes) -> Callable[[bytes, bytes], bool]:
    """The check of one key, prepared once: an audit verifies thousands of events by few keys."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    if weakness(raw):
        return lambda _signature, _message: False
    key = Ed25519PublicKey.from_public_bytes(raw)

    def verifies(signature: bytes, message: bytes) -> bool:
        try:
            key.verify(signature, message)
        except InvalidSignature:
            return False
        return True

    return verifies


def _mistake(text: str) -> Unreadable | None:
    """What was pasted instead of an Ed25519 public key line, if it can be told from its look."""
    if "PRIVATE KEY" in text or text.startswith(("b3BlbnNzaC1rZXktdjE", "PuTTY-User-Key-File")):
        return Unreadable(
            "private-key",
            "This is a private key. Show it to nobody.",
            hint="give the line of the .pub file beside it",
        )
    if text.startswith(("-----BEGIN", "---- BEGIN")):
        return Unreadable(
            "key-type",
            "This is a public key in another format.",
            hint="ssh-keygen -i -f FILE prints it as one line",
        )
    if not text:
        return Unreadable("key-unreadable", "The key is empty.")
    if len(text.splitlines()) > 1 or not text.replace("\t", " ").isprintable():
        return Unreadable("key-unreadable", "A key is one line of plain text.")
    kind = text.split(maxsplit=1)[0]
    if kind == _TYPE:
        return None
    if kind.startswith("SHA256:"):
        return Unreadable("key-unreadable", "This is a key's fingerprint, not the key itself.")
    if kind.startswith("AAAA"):
        return Unreadable("key-unreadable", f"The type is missing: write {_TYPE} in front.")
    hint = "make an Ed25519 key with: tabellion key new NAME"
    if "-cert-v0" in kind:
        return Unreadable("key-type", "This is a certificate; a plain key is needed.", hint=hint)
    if kind.startswith("sk-ssh-ed25519"):
        reason = "Keys on a security token sign something else than was asked; they do not fit."
        return Unreadable("key-type", reason, hint=hint)
    if kind.startswith(_OTHER_TYPES):
        return Unreadable("key-type", f"Only {_TYPE} keys are used here.", hint=hint)
    return Unreadable("key-unreadable", f"A public key line begins with {_TYPE}.", hint=hint)


def public_part(data: bytes) -> tuple[PublicKey, bool]:
    """The public key of an OpenSSH private file and whether the rest is encrypted.

    OpenSSH's PROTOCOL.key: magic, cipher, KDF, its options (salt, rounds), number of keys, public
    key, private part. Only the private part is ever encrypted.
    """
    text = data.strip()
    if not text:
        raise Unreadable("key-unreadable", "The file is empty.")
    if text.startswith((b"ssh-", b"ecdsa-", b"sk-")):
        raise Unreadable("key-not-private", "This is a public key; the private one is needed.")
    if not text.startswith(_BEGIN):
        hint = "ssh-keygen -p -f FILE rewrites a private key in the OpenSSH format"
        other = text.startswith(b"-----BEGIN")
        raise Unreadable(
            "key-unreadable", "This is no OpenSSH private key.", hint=hint if other else ""
        )
    damaged = Unreadable("key-damaged", "The private key is damaged or cut short.")
    try:
        body = base64.b64decode(b"".join(text[len(_BEGIN) : -len(_END)].split()), validate=True)
        cipher, rest = _take(body.removeprefix(_MAGIC))
        _kdf, rest = _take(rest)
        options, rest = _take(rest)
        public, private = _take(rest[4:])
        rounds = int.from_bytes(_take(options)[1], "big") if options else 0
        _take(private)
    except (binascii.Error, EOFError):
        raise damaged from None
    if not (text.endswith(_END) and body.startswith(_MAGIC) and rest[:4] == b"\0\0\0\1"):
        raise damaged
    if rounds > _MOST_ROUNDS:
        raise Unreadable("key-unreadable", "Unlocking this key would take far too long.")
    return PublicKey.from_wire(public), cipher != b"none"


def _take(blob: bytes) -> tuple[bytes, bytes]:
    """The first string of RFC 4251 §5 and what follows it; EOFError if it is cut short."""
    end = 4 + int.from_bytes(blob[:4], "big")
    if len(blob) < end:
        raise EOFError
    return blob[4:end], blob[end:]
