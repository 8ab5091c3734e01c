"""The dice cup of this device: the secret numbers of its contributors, from their keys.

A number is never stored and never shown before its roll is thrown: it comes from the key's secret,
and so is the same after a restart.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from ledger import dice, dicesecrets
from ledger.errors import NotAllowed, TabellionError
from ledger.events import Commitment, Opened, Throw
from ledger.fold.rolls import contributors, seat_number
from ledger.keys import SigningKey
from ledger.service import Draft

if TYPE_CHECKING:
    from ledger.fold import MatchState
    from ledger.publickey import PublicKey
    from ledger.service import Signer


def _own_secret(key: Signer) -> bytes:
    """The secret of a key: its file's own, or one kept beside the keyring."""
    from cli.desk import keyring

    if isinstance(key, SigningKey):
        return key.dice_secret()
    return dicesecrets.kept(keyring().folder, key.public)


def seal_secrets(key: Signer) -> Iterator[bytes]:
    """Every secret that this key may have sealed a move with, the one it seals with first."""
    from cli.desk import keyring

    yield _own_secret(key)
    kept = dicesecrets.stored(keyring().folder, key.public)
    if kept is not None:
        yield kept


class Cup:
    """What this device contributes to the next roll, or to the roll in flight, of a match."""

    def __init__(
        self, state: MatchState, keys: Mapping[str, Signer], passphrase_file: str | None
    ) -> None:
        self.state = state
        self.keys = keys
        self.passphrase_file = passphrase_file
        self.roll = state.rolling.number
        self.committed = dict(state.rolling.commitments)

    def commit(self, role: str) -> Draft:
        """Commit to the next roll."""
        bound = self._commitment(role, self.roll)
        self.committed[role] = bound
        return Draft("dice.committed", Commitment(roll=self.roll, commitment=bound), role)

    def throw(self, seat: str, signer: str) -> Draft:
        """Throw for a seat. If its own key signs and contributes, it opens at once."""
        if signer != seat:
            return Draft("roll", Throw(roll=self.roll), signer, seat)
        if seat not in contributors(self.state):
            return Draft("roll", Throw(roll=self.roll), seat)
        nonce, following = self._nonce(seat), self._commitment(seat, self.roll + 1)
        return Draft("roll", Throw(roll=self.roll, nonce=nonce, next=following), seat)

    def open(self, role: str) -> Draft:
        """Open the roll that is thrown."""
        nonce, following = self._nonce(role), self._commitment(role, self.roll + 1)
        return Draft("roll.opened", Opened(roll=self.roll, nonce=nonce, next=following), role)

    def _commitment(self, role: str, roll: int) -> str:
        """What binds ``role`` to its number for a roll."""
        seat = seat_number(self.state, role)
        secret = _own_secret(self.keys[role])
        nonce = dice.nonce(secret, self.state.match, roll, seat)
        return dice.commitment(self.state.match, roll, seat, nonce)

    def _nonce(self, role: str) -> str:
        """The number that ``role`` committed to for this roll, in hex.

        Raises ``NotAllowed`` (``nonce-elsewhere``) when no secret of this device gives it.
        """
        match, seat = self.state.match, seat_number(self.state, role)
        for secret in self._secrets(self.keys[role]):
            nonce = dice.nonce(secret, match, self.roll, seat)
            if dice.commitment(match, self.roll, seat, nonce) == self.committed.get(role):
                return nonce.hex()
        raise NotAllowed(
            "nonce-elsewhere",
            f"{self.state.roster[role].name} committed to roll {self.roll} with a secret that is "
            "not on this device.",
            hint="open it where it was committed to; a key in ssh-agent needs its file DICE-… here",
        )

    def _secrets(self, key: Signer) -> Iterator[bytes]:
        """Every secret that this key may have committed with, the likeliest first."""
        from cli.desk import keyring

        if isinstance(key, SigningKey):
            yield key.dice_secret()
        kept = dicesecrets.stored(keyring().folder, key.public)
        if kept is not None:
            yield kept
        if not isinstance(key, SigningKey) and (file := self._file_of(key.public)) is not None:
            yield file.dice_secret()  # ssh-agent signs now; its file did when it was committed to

    def _file_of(self, public: PublicKey) -> SigningKey | None:
        """The key's own file, if it is here too."""
        from cli.desk import keyring, unlock_file

        with suppress(TabellionError):
            for entry in keyring().list():
                if entry.public == public and entry.encrypted is not None:
                    return unlock_file(entry.name, self.passphrase_file)
        return None
