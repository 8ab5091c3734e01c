"""Secrets that dice are made of, for keys whose private half is not in a file here.

A key file gives its secret itself (``SigningKey.dice_secret``). What ssh-agent holds shows nothing,
and some signers never sign the same twice: for such a key a random secret is kept beside the
keyring, on the disk before anything that depends on it is published. Lost secret, lost key: a roll
that was committed to with it can never be opened.
"""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from ledger.errors import NotAllowed, Unreadable
from ledger.keys import fresh_seed, sync_folder, write_new
from ledger.publickey import PublicKey
from ledger.regularfile import read_regular

_BYTES = 32


def stored(folder: Path, public: PublicKey) -> bytes | None:
    """The secret kept in ``folder`` for this key, if there is one.

    Raises ``NotAllowed`` (``secret-unreadable``, ``secret-too-open``), ``Unreadable``.
    """
    path = _path(folder, public)
    try:
        data, mode = read_regular(path, 1024)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise NotAllowed(
            "secret-unreadable", f"The secret of your dice cannot be read: {error.strerror}."
        ) from None
    if os.name == "posix" and mode & 0o077:
        raise NotAllowed(
            "secret-too-open",
            f"Others can read the secret of your dice, {path}.",
            hint=f"chmod 600 {path}",
        )
    if len(data) != _BYTES:
        raise Unreadable("secret-damaged", f"The secret of your dice is damaged: {path}.")
    return data


def kept(folder: Path, public: PublicKey) -> bytes:
    """The secret kept for this key; a new one when there is none. Durable before it is used."""
    secret = stored(folder, public)
    if secret is not None:
        return secret
    path = _path(folder, public)
    draft = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_new(draft, fresh_seed(), 0o600, [])
        with suppress(FileExistsError):  # another program was faster; its secret counts
            os.link(draft, path)
        sync_folder(folder)
    except OSError as error:
        raise NotAllowed(
            "secret-not-written", f"A secret for your dice was not written: {error.strerror}."
        ) from None
    finally:
        draft.unlink(missing_ok=True)
    secret = stored(folder, public)
    if secret is None:
        raise NotAllowed("secret-not-written", "A secret for your dice was not written.")
    return secret


def _path(folder: Path, public: PublicKey) -> Path:
    """One file a key. No key can have this name: those are in lower case."""
    return folder / f"DICE-{sha256(public.line.encode()).hexdigest()[:32]}"
