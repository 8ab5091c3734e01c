"""The arbiter's desk: where the ledger and the keys lie, the clock, who signs for whom."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ledger.errors import Ambiguous, NotAllowed, NotFound, Stale, Unreadable

KEY_FILE: Final = 16 * 1024
"""Largest file of a public key that is read."""

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ledger.agent import AgentKey
    from ledger.fold import MatchState
    from ledger.keys import KeyEntry, Keyring, SigningKey
    from ledger.publickey import PublicKey
    from ledger.service import Plan, Service, Signer

_kept: dict[str, SigningKey] | None = None
"""Keys that stay unlocked, by name; ``None``: none stays."""
_shown: MatchState | None = None
"""The match as it was last shown at the table."""
_afterwards: Callable[[Service], None] | None = None
"""What is done with a ledger that a command has written to."""


def lock() -> None:
    """Forget every key that stays unlocked, and what ssh-agent said that it holds."""
    if _kept is not None:
        _kept.clear()
    agent_keys.cache_clear()
    passphrase_from.cache_clear()


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
def environment(**values: str | None) -> Iterator[None]:
    """Environment variables for what is done meanwhile; ``None`` leaves one as it is."""
    before = {name: os.environ.get(name) for name in values}
    os.environ.update({name: text for name, text in values.items() if text is not None})
    try:
        yield
    finally:
        for name, text in before.items():
            if text is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = text


@contextmanager
def service(ledger: str | None, *, create: bool = False, write: bool = True) -> Iterator[Service]:
    """The ledger, opened for one command."""
    from ledger.service import Service

    with Service.open(ledger_path(ledger), clock, create=create, write=write) as opened:
        yield opened
        if write and _afterwards is not None:
            _afterwards(opened)


@contextmanager
def afterwards(act: Callable[[Service], None]) -> Iterator[None]:
    """Meanwhile, ``act`` is done with each ledger that a command has written to."""
    global _afterwards
    _afterwards = act
    try:
        yield
    finally:
        _afterwards = None


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


@cache
def agent_keys() -> Mapping[PublicKey, AgentKey]:
    """What ssh-agent holds, if there is one; asked when first needed, and once in a command.

    One that misbehaves takes no key file away from its owner: it is named, and left out.
    """
    socket = os.environ.get("SSH_AUTH_SOCK")
    if not socket:
        return {}
    from cli.output import aside
    from ledger.agent import held

    try:
        return {key.public: key for key in held(Path(socket))}
    except NotAllowed as error:
        aside(f"note: {error.message} Only keys with a file here can sign.", hang=2)
        return {}


def unlock(name: str, passphrase_file: str | None) -> Signer:
    """The private key of this name. ssh-agent signs if it holds the key; else its file is read,
    and its passphrase is asked for when it is encrypted."""
    public = keyring().find(name).public
    if public is not None and (key := agent_keys().get(public)):
        return key
    return unlock_file(name, passphrase_file)


def unlock_file(name: str, passphrase_file: str | None) -> SigningKey:
    """The private key of this name from its file, kept unlocked if that is wanted."""

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

    if _kept is None:
        return keyring().unlock(name, ask)
    if name not in _kept:
        _kept[name] = keyring().unlock(name, ask)
    return _kept[name]


def keep_keys(keep: bool) -> None:
    """Whether keys stay unlocked until the program ends, for a whole evening's play. Either way
    those that were unlocked before are forgotten."""
    global _kept
    _kept = {} if keep else None


def can_sign(entry: KeyEntry) -> bool:
    """Whether the private half of a key is here: in a file, or in ssh-agent."""
    return entry.encrypted is not None or entry.public in agent_keys()


def one_key(name: str | None, what: str, taken: Collection[str] = ()) -> str:
    """The key named, or the only one whose public line is not ``taken`` by somebody else."""
    if name:
        return name
    found = [
        entry.name
        for entry in keyring().list()
        if entry.public
        and entry.public.line not in taken
        and (entry.encrypted is not None or entry.public in agent_keys())
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
    for change in state.changes:
        if change.before.key is not None and change.before.key == public:
            raise NotAllowed(
                "key-replaced",
                f"The key {name} was that of {change.before.name} ({change.before.role}) until "
                f"event {change.seq} replaced it: it signs nothing any more.",
                hint="tabellion log",
            )
    raise NotAllowed(
        "no-role",
        f"The key {name} has no role in the match {state.match[:12]}.",
        hint="tabellion key list",
    )


def holders(state: MatchState, roles: Iterable[str]) -> dict[str, str]:
    """Those of ``roles`` whose key can sign on this device, with the key's name: one of the
    keyring, or for a key that only ssh-agent knows its comment or fingerprint there."""
    known = [(entry, entry.public) for entry in keyring().list() if entry.public]
    files = {public: entry.name for entry, public in known if entry.encrypted is not None}
    names = {public: entry.name for entry, public in known}
    found = {}
    for role in roles:
        key = state.roster[role].key
        if key is None:
            continue
        if key in files:
            found[role] = files[key]
        elif held := agent_keys().get(key):
            found[role] = names.get(key) or held.comment or key.fingerprint
    return found


def roles_here(state: MatchState) -> dict[str, str]:
    """Every role of the match whose key can sign on this device, with the key's name."""
    return holders(state, [role for role, party in state.roster.items() if party.key])


def signers(
    state: MatchState, roles: Iterable[str], passphrase_file: str | None
) -> dict[str, Signer]:
    """Unlocked keys of ``roles``. Raises ``NotAllowed`` for one that cannot sign on this device."""
    wanted = list(dict.fromkeys(roles))
    found = holders(state, wanted)
    for role in wanted:
        if role not in found:
            raise NotAllowed("key-missing", _missing(state, role), hint="tabellion key list")
    keys: dict[str, Signer] = {}
    for role, name in found.items():
        public = state.roster[role].key
        held = agent_keys().get(public) if public else None
        keys[role] = held or unlock(name, passphrase_file)
    return keys


def write(
    opened: Service,
    state: MatchState,
    plans: Sequence[Plan],
    roles: Iterable[str],
    passphrase_file: str | None,
    more: Callable[[Mapping[str, Signer]], Sequence[Plan]] | None = None,
) -> MatchState:
    """Write ``plans`` after ``state`` and nothing later, signed by ``roles``. What is refused is
    refused before anybody types a passphrase. ``more`` plans, which need the unlocked keys
    themselves, follow.

    Raises ``Stale`` when the match has gone on since, or since it was shown at the table.
    """
    global _shown
    if _shown is not None and _shown.match == state.match and _shown.head != state.head:
        raise Stale(
            "stale",
            f"The match has gone on since it was shown: it is at event {state.seq} now. Nothing of "
            "yours was stored.",
            hint="look again: board",
        )
    opened.rehearse(state, plans)
    keys = signers(state, roles, passphrase_file)
    secret = more(keys) if more else ()
    after = opened.append(state.match, [*plans, *secret], keys, expect=state.head)
    if _shown is not None and _shown.match == state.match:
        _shown = after
    return after


def shown(state: MatchState | None) -> None:
    """The match as the table has just seen it: what is decided next is decided on this."""
    global _shown
    _shown = state


def _missing(state: MatchState, role: str) -> str:
    party = state.roster[role]
    fingerprint = party.key.fingerprint if party.key else "none"
    put_in = [change.seq for change in state.changes if change.after.role == role]
    since = f" since event {put_in[-1]}" if put_in else ""
    return (
        f"{party.name} ({role}) signs with the key {fingerprint}{since}, which is not on this "
        "device."
    )


def public_key(text: str) -> PublicKey:
    """A public key as people give it: a key's name here, a ``.pub`` file, or the line itself."""
    from ledger.publickey import PublicKey

    if text.startswith("ssh-"):
        return PublicKey.parse(text)
    if text.endswith(".pub") or os.sep in text:
        lines = read_input(text, KEY_FILE).decode("utf-8", "replace").splitlines()
        keys = [line for line in lines if line.startswith("ssh-")]  # key show says more than it
        if len(keys) != 1:
            raise Unreadable(
                "key-unreadable",
                f"{text} does not hold one public key.",
                hint="tabellion key export NAME --output FILE",
            )
        return PublicKey.parse(keys[0])
    public = keyring().find(text).public
    if public is None:
        raise Unreadable(
            "bad-key", f"The key {text} cannot be read.", hint=f"tabellion key show {text}"
        )
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
