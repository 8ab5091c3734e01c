"""Keys on disk: OpenSSH files, NAME and NAME.pub for each key, in one folder.

NAME.pub alone is the key of somebody else, or one whose private half ssh-agent holds. The folder
is given, never searched for here. What `ssh-keygen` wrote can be used, and what is written here
`ssh-keygen` can read. A private file is made readable by its owner alone and is refused, as ssh
refuses it, once others can read it. Nothing is ever overwritten, and no message or repr shows any
private part.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from ledger.errors import NotAllowed, NotFound, Refused, TabellionError, Unreadable
from ledger.publickey import PublicKey, public_part
from ledger.regularfile import read_regular

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,39}")
_ROUNDS = 64
"""bcrypt rounds for new keys: four times what ssh-keygen 9.2 takes, half a second to unlock."""
_OTHER_PRIVATE = tuple(b"-----BEGIN %s PRIVATE KEY" % kind for kind in (b"RSA", b"EC", b"DSA"))
_MOST_BYTES = 64 * 1024
_POSIX = os.name == "posix"


class SigningKey:
    """An unlocked private key. It signs; it does not show, copy or pickle itself."""

    __slots__ = ("_private", "public")

    def __init__(self, private: Ed25519PrivateKey) -> None:
        self._private = private
        self.public = PublicKey(private.public_key().public_bytes_raw())

    @classmethod
    def from_seed(cls, seed: bytes) -> SigningKey:
        """The key of 32 secret random bytes (RFC 8032 §5.1.5)."""
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        if len(seed) != 32:
            raise Unreadable("key-seed", "A key is made from exactly 32 random bytes.")
        return cls(Ed25519PrivateKey.from_private_bytes(seed))

    def sign(self, message: bytes) -> bytes:
        """64 bytes, always the same for the same message (RFC 8032 §5.1.6)."""
        return self._private.sign(message)

    def dice_secret(self) -> bytes:
        """32 bytes that the nonces of this key's dice come from: HKDF-SHA256 (RFC 5869) of the
        private seed, the same wherever the key is."""
        from cryptography.hazmat.primitives.hashes import SHA256
        from cryptography.hazmat.primitives.kdf.hkdf import HKDF

        derived = HKDF(algorithm=SHA256(), length=32, salt=None, info=b"tabellion/dice-secret/v1")
        return derived.derive(self._private.private_bytes_raw())

    def openssh(self, passphrase: bytes | None) -> bytes:
        """The private file: encrypted with bcrypt and AES-256, or in clear if that is asked for."""
        from cryptography.hazmat.primitives.serialization import (
            Encoding,
            KeySerializationEncryption,
            NoEncryption,
            PrivateFormat,
        )

        if passphrase == b"":
            raise NotAllowed(
                "empty-passphrase",
                "The passphrase is empty.",
                hint="give one, or say --no-passphrase to keep the key unencrypted",
            )
        how: KeySerializationEncryption = NoEncryption()
        if passphrase is not None:
            how = PrivateFormat.OpenSSH.encryption_builder().kdf_rounds(_ROUNDS).build(passphrase)
        return self._private.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, how)

    def __repr__(self) -> str:
        return f"<SigningKey {self.public.fingerprint}>"

    def __reduce_ex__(self, _protocol: object) -> NoReturn:
        raise TypeError("a private key is neither pickled nor copied")


@dataclass(frozen=True, slots=True)
class KeyEntry:
    """What the folder says of one name; `problem` is empty for what is sound.

    `public` is None where no public key could be read, `encrypted` where no private one could: in
    a sound entry, because only the public half is here.
    """

    name: str
    public: PublicKey | None
    encrypted: bool | None
    problem: str = ""


class Keyring:
    """The keys in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def create(self, name: str, passphrase: bytes | None, seed: bytes | None = None) -> PublicKey:
        """Make a key from a seed of 32 random bytes (by default, fresh ones) and store its pair."""
        key = SigningKey.from_seed(fresh_seed() if seed is None else seed)
        self.check_new(name)
        self.add(name, key.public, key.openssh(passphrase))
        return key.public

    def add(self, name: str, public: PublicKey, private: bytes | None = None) -> None:
        """Store a key that exists: its public half, and its private file as these bytes say."""
        self.check_new(name)
        public.check()
        self._store(name, private, public)

    def list(self) -> list[KeyEntry]:
        """Every key, by name. Files whose names no key can have are passed over."""
        try:
            names = {file.removesuffix(".pub") for file in os.listdir(self.folder)}
        except FileNotFoundError:
            return []
        except OSError as error:
            raise NotAllowed(
                "keyring-unreadable", f"The folder of keys cannot be read: {error.strerror}."
            ) from None
        return [self._entry(name) for name in sorted(names) if _is_name(name)]

    def find(self, name: str) -> KeyEntry:
        """The entry of one name; `NotFound` if there is neither a private nor a public file."""
        if not self._taken(name):
            raise _no_key(name)
        return self._entry(name)

    def unlock(self, name: str, passphrase: Callable[[], bytes] | None = None) -> SigningKey:
        """The key, ready to sign; the passphrase is asked for only if the file is encrypted."""
        if not self._taken(name):
            raise _no_key(name)
        if not os.path.lexists(self._path(name)):
            raise NotAllowed(
                "public-half-only",
                f"Only the public half of the key {name} is here.",
                hint="ssh-add FILE, if you have the private half and use ssh-agent",
            )
        file = PrivateFile.read(self._path(name))
        file.check(self._published(name))
        if not file.encrypted:
            return file.unlock(None)
        if passphrase is None:
            raise NotAllowed("passphrase-needed", f"The key {name} has a passphrase.")
        return file.unlock(passphrase())

    def _path(self, name: str) -> Path:
        if not _is_name(name):
            raise Unreadable(
                "key-name",
                "That is no name for a key.",
                hint="up to 40 of a-z 0-9 . _ - beginning with a letter or digit, not ending .pub",
            )
        return self.folder / name

    def _published(self, name: str) -> PublicKey | None:
        """The key in NAME.pub; None if there is no such file."""
        try:
            data, _ = _read(self.folder / f"{name}.pub")
        except NotFound:
            return None
        try:
            return PublicKey.parse(data.decode("utf-8", "replace"))
        except Unreadable as error:
            message = f"{name}.pub: {error.message}"
            raise Unreadable(error.code, message, hint=error.hint) from None

    def _entry(self, name: str) -> KeyEntry:
        public: PublicKey | None = None
        encrypted: bool | None = None
        try:
            public = published = self._published(name)
            if published and not os.path.lexists(self._path(name)):
                published.check()
                return KeyEntry(name, public, None)
            file = PrivateFile.read(self._path(name))
            public, encrypted = file.public, file.encrypted
            file.check(published)
        except TabellionError as error:
            return KeyEntry(name, public, encrypted, error.message)
        return KeyEntry(name, public, encrypted)

    def _taken(self, name: str) -> bool:
        path = self._path(name)
        return os.path.lexists(path) or os.path.lexists(f"{path}.pub")

    def check_new(self, name: str) -> None:
        """Refuse a name that cannot be given to a new key, or is given already."""
        if self._taken(name):
            raise NotAllowed(
                "key-exists",
                f"There is a key named {name} already; it was left as it is.",
                hint="choose another name",
            )

    def _store(self, name: str, private: bytes | None, public: PublicKey) -> None:
        """Write the files that are to be written, or none."""
        path = self._path(name)
        written: list[Path] = []
        try:
            if not self.folder.is_dir():
                self.folder.mkdir(mode=0o700, parents=True)
                self.folder.chmod(0o700)
            if private is not None:
                write_new(path, private, 0o600, written)
            line = f"{public.line} {name}\n".encode()
            write_new(path.with_name(f"{name}.pub"), line, 0o644, written)
            sync_folder(self.folder)
        except BaseException as error:
            for file in written:
                file.unlink(missing_ok=True)
            if isinstance(error, FileExistsError):
                self.check_new(name)
            if isinstance(error, OSError):
                raise NotAllowed(
                    "key-not-written", f"The key {name} was not written: {error.strerror}."
                ) from None
            raise


@dataclass(frozen=True, slots=True, repr=False)
class PrivateFile:
    """An OpenSSH private file: still locked, but its public part is in clear."""

    name: str
    path: Path
    data: bytes
    mode: int
    public: PublicKey
    encrypted: bool

    @classmethod
    def read(cls, path: Path) -> PrivateFile:
        return cls.of(path, *_read(path))

    @classmethod
    def of(cls, path: Path, data: bytes, mode: int) -> PrivateFile:
        try:
            public, encrypted = public_part(data)
        except Unreadable as error:
            message = f"{path.name}: {error.message}"
            raise type(error)(error.code, message, hint=error.hint) from None
        return cls(path.name, path, data, mode, public, encrypted)

    def check(self, published: PublicKey | None) -> None:
        """Refuse a file that others can read, a weak key, a NAME.pub of another key."""
        if _POSIX and self.mode & 0o077:
            raise NotAllowed(
                "key-too-open",
                f"Others can read the private key {self.name}.",
                hint=f"chmod 600 {shlex.quote(str(self.path))}",
            )
        if published is not None and published != self.public:
            raise Refused("key-mismatch", f"{self.name}.pub belongs to another key.")
        self.public.check()

    def unlock(self, passphrase: bytes | None) -> SigningKey:
        from cryptography.exceptions import InvalidTag, UnsupportedAlgorithm
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
        from cryptography.hazmat.primitives.serialization import load_ssh_private_key

        damaged = Unreadable("key-damaged", f"The private key {self.name} is damaged.")
        try:
            private = load_ssh_private_key(self.data, passphrase)
        except UnsupportedAlgorithm:
            raise Unreadable(
                "key-cipher",
                f"The private key {self.name} is encrypted in a way not supported here.",
                hint=f"ssh-keygen -p -Z aes256-ctr -f {shlex.quote(str(self.path))}",
            ) from None
        except (ValueError, TypeError, InvalidTag):
            if self.encrypted:
                raise NotAllowed(
                    "wrong-passphrase",
                    f"That is not the passphrase of {self.name}, or its file is damaged.",
                ) from None
            raise damaged from None
        if not isinstance(private, Ed25519PrivateKey):
            raise damaged
        key = SigningKey(private)
        if key.public != self.public:
            raise damaged
        return key


def fresh_seed() -> bytes:
    """32 random bytes from the operating system, for a new key."""
    import secrets

    return secrets.token_bytes(32)


def read_key(path: Path) -> PrivateFile | PublicKey:
    """The key in a file anywhere, private or public, held to the same checks as those here."""
    try:
        data, mode = _read(path)
    except NotFound:
        raise NotFound("no-file", f"There is no file {path}.") from None
    text = data.lstrip()
    if text.startswith(b"PuTTY-User-Key-File"):
        raise Unreadable(
            "key-type",
            f"{path.name} is in the format of PuTTY.",
            hint="puttygen FILE -O private-openssh-new -o OTHER",
        )
    if text.startswith(_OTHER_PRIVATE):
        raise Unreadable(
            "key-type",
            f"{path.name} is no Ed25519 key; only those are used here.",
            hint="tabellion key new NAME",
        )
    if b"PRIVATE KEY" in data:
        file = PrivateFile.of(path, data, mode)
        file.check(None)
        return file
    return PublicKey.parse(data.decode("utf-8", "replace"))


def name_from(text: str) -> str:
    """A name for a key out of a file's name or a comment: ``Zoë@laptop`` is zoe; "" if none is."""
    from unicodedata import normalize

    word = text.removesuffix(".pub").partition("@")[0].lower()
    plain = normalize("NFKD", word).encode("ascii", "ignore").decode()
    name = re.sub(r"[^a-z0-9._-]+|[.]{2,}", "-", plain).strip("._-")[:40]
    return name if _is_name(name) else ""


def _no_key(name: str) -> NotFound:
    return NotFound("key-not-found", f"No key is named {name}.", hint="tabellion key list")


def _is_name(name: str) -> bool:
    return bool(_NAME.fullmatch(name)) and ".." not in name and not name.endswith(".pub")


def _read(path: Path) -> tuple[bytes, int]:
    """A small regular file's bytes and its permissions; never waits on a pipe or a device."""
    try:
        return read_regular(path, _MOST_BYTES)
    except Unreadable as error:
        why = "is not a file" if error.code == "not-a-file" else "is too large for a key"
        raise Unreadable("key-unreadable", f"{path.name} {why}.") from None
    except FileNotFoundError:
        raise NotFound(
            "key-not-found", f"There is no key file {path.name}.", hint="tabellion key list"
        ) from None
    except OSError as error:
        raise NotAllowed(
            "key-unreadable", f"{path.name} cannot be read: {error.strerror}."
        ) from None


def write_new(path: Path, data: bytes, mode: int, written: list[Path]) -> None:
    """Write a file that must not exist yet, with exactly this mode, through to the disk. Its path
    is put into ``written`` as soon as it is there."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    written.append(path)
    with os.fdopen(descriptor, "wb") as file:
        if _POSIX:
            os.fchmod(descriptor, mode)  # whatever the umask says
        file.write(data)
        file.flush()
        os.fsync(descriptor)


def sync_folder(folder: Path) -> None:
    """Make the new names durable, not only the files' contents."""
    if _POSIX:
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
