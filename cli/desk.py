"""The arbiter's desk: where the ledger and the keys lie, the clock, who signs for whom."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterable, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ledger.errors import Ambiguous, NotAllowed, NotFound, Unreadable

_KEY_FILE: Final = 16 * 1024
"""Largest file of a public key that is read."""

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.fold import MatchState
    from ledger.keys import Keyring, SigningKey
    from ledger.publickey import PublicKey
    from ledger.service import Plan, Service


def clock() -> str:
    """The time now, RFC 3339 in UTC, whole seconds."""
    import time

    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def data_folder() -> Path:
    """Where ledger and keys lie unless said otherwise."""
    import platformdirs

    return platformdirs.user_data_path("tabellion", appauthor=False)


def ledger_path(ledger: str | None) -> Path:
    return Path(ledger) if ledger else data_folder() / "ledger.db"


def keyring() -> Keyring:
    from ledger.keys import Keyring

    folder = os.environ.get("TABELLION_KEYS")
    return Keyring(Path(folder) if folder else data_folder() / "keys")


@contextmanager
def service(ledger: str | None, *, create: bool = False, write: bool = True) -> Iterator[Service]:
    """The ledger, opened for one command."""
    from ledger.service import Service

    with Service.open(ledger_path(ledger), clock, create=create, write=write) as opened:
        yield opened


# -- keys --------------------------------------------------------------------------------


@cache
def passphrase_from(file: str) -> bytes:
    """The first line of a passphrase file; ``-`` is standard input."""
    try:
        data = sys.stdin.buffer.read(4096) if file == "-" else Path(file).read_bytes()[:4096]
    except OSError as error:
        raise NotAllowed(
            "no-passphrase-file", f"The passphrase file {file} cannot be read: {error.strerror}."
        ) from None
    line = data.split(b"\n", 1)[0].rstrip(b"\r")
    if not line:
        raise NotAllowed("empty-passphrase", f"The first line of {file} is empty.")
    return line


def ask_passphrase(prompt: str, otherwise: NotAllowed) -> bytes:
    """A passphrase typed at the terminal. Raises ``otherwise`` when nobody is there to type."""
    import getpass

    if not (sys.stdin.isatty() or sys.stderr.isatty()):
        raise otherwise
    try:
        return getpass.getpass(prompt).encode()
    except (EOFError, UnicodeError):
        raise NotAllowed("no-passphrase", "No passphrase was typed.") from None


def unlock(name: str, passphrase_file: str | None) -> SigningKey:
    """The private key of this name; asks for its passphrase when it is encrypted."""

    def ask() -> bytes:
        if passphrase_file:
            return passphrase_from(passphrase_file)
        return ask_passphrase(
            f"Passphrase of the key {name}: ",
            NotAllowed(
                "passphrase-needed",
                f"The key {name} is encrypted and nobody is there to type its passphrase.",
                hint="--passphrase-file FILE",
            ),
        )

    return keyring().unlock(name, ask)


def one_key(name: str | None, what: str, taken: Collection[str] = ()) -> str:
    """The key named, or the only one whose public line is not ``taken`` by somebody else."""
    if name:
        return name
    found = [
        entry.name
        for entry in keyring().list()
        if entry.encrypted is not None and entry.public and entry.public.line not in taken
    ]
    if len(found) == 1:
        return found[0]
    if not found:
        raise NotFound("no-key", f"There is no key to {what} with.", hint="tabellion key new NAME")
    raise Ambiguous(
        "which-key",
        f"Several keys are here: {', '.join(found)}. Say which is to {what}.",
        hint="--key NAME",
    )


def role_of(state: MatchState, name: str) -> str:
    """The role that the key of this name has in the match."""
    public = keyring().find(name).public
    for role, party in state.roster.items():
        if party.key is not None and party.key == public:
            return role
    raise NotAllowed(
        "no-role",
        f"The key {name} has no role in the match {state.match[:12]}.",
        hint="tabellion key list",
    )


def holders(state: MatchState, roles: Iterable[str]) -> dict[str, str]:
    """Those of ``roles`` whose key is on this device, with the key's name."""
    names = {
        entry.public: entry.name
        for entry in keyring().list()
        if entry.public and entry.encrypted is not None  # the private half is here
    }
    found = {}
    for role in roles:
        key = state.roster[role].key
        if key is not None and key in names:
            found[role] = names[key]
    return found


def signers(
    state: MatchState, roles: Iterable[str], passphrase_file: str | None
) -> dict[str, SigningKey]:
    """Unlocked keys of ``roles``. Raises ``NotAllowed`` for one that is not on this device."""
    wanted = list(dict.fromkeys(roles))
    found = holders(state, wanted)
    for role in wanted:
        if role not in found:
            raise NotAllowed("key-missing", _missing(state, role), hint="tabellion key list")
    return {role: unlock(name, passphrase_file) for role, name in found.items()}


def write(
    opened: Service,
    state: MatchState,
    plans: Sequence[Plan],
    roles: Iterable[str],
    passphrase_file: str | None,
    *,
    expect: str | None = None,
) -> MatchState:
    """Write ``plans`` after ``state``, signed by ``roles``. What is refused is refused before
    anybody types a passphrase."""
    opened.rehearse(state, plans)
    keys = signers(state, roles, passphrase_file)
    return opened.append(state.match, plans, keys, expect=expect)


def _missing(state: MatchState, role: str) -> str:
    party = state.roster[role]
    fingerprint = party.key.fingerprint if party.key else "none"
    return f"{party.name} ({role}) signs with the key {fingerprint}, which is not on this device."


def public_key(text: str) -> PublicKey:
    """A public key as people give it: a key's name here, a ``.pub`` file, or the line itself."""
    from ledger.publickey import PublicKey

    if text.startswith("ssh-"):
        return PublicKey.parse(text)
    if text.endswith(".pub") or os.sep in text:
        return PublicKey.parse(read_input(text, _KEY_FILE).decode("utf-8", "replace").strip())
    public = keyring().find(text).public
    if public is None:
        raise Unreadable("bad-key", f"The key {text} cannot be read.")
    return public


def read_input(file: str, limit: int) -> bytes:
    """A file's bytes, or standard input for ``-``; at most ``limit``."""
    try:
        if file == "-":
            data = sys.stdin.buffer.read(limit + 1)
        else:
            with Path(file).open("rb") as stream:
                data = stream.read(limit + 1)
    except OSError as error:
        raise NotFound("no-file", f"{file} cannot be read: {error.strerror}.") from None
    if len(data) > limit:
        what = "The input" if file == "-" else file
        raise Unreadable("too-large", f"{what} is larger than {limit} bytes.")
    return data
