"""The dice cup of a device: the secret numbers of its contributors, from their keys.

A number is never stored and never shown before its roll is thrown: it comes from the key's secret,
and so is the same after a restart. The folder of keys is given; no key is unlocked here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from ledger import dice, dicesecrets
from ledger.errors import NotAllowed
from ledger.events import Commitment, Opened, Throw
from ledger.fold.rolls import contributors, seat_number
from ledger.keys import SigningKey
from ledger.service import Draft

if TYPE_CHECKING:
    from ledger.fold import MatchState
    from ledger.publickey import PublicKey
    from ledger.service import Signer

FileOf: TypeAlias = "Callable[[PublicKey], SigningKey | None]"
"""Gives a key's own file, unlocked, where it is on this device."""


def no_file(_: PublicKey) -> SigningKey | None:
    """Where nobody is there to unlock a file."""
    return None


def seal_secrets(key: Signer, folder: Path) -> Iterator[bytes]:
    """Every secret that this key may have sealed a move with, the one it seals with first."""
    yield _own_secret(key, folder)
    kept = dicesecrets.stored(folder, key.public)
    if kept is not None:
        yield kept


def _own_secret(key: Signer, folder: Path) -> bytes:
    """The secret of a key: its file's own, or one kept in the folder."""
    if isinstance(key, SigningKey):
        return key.dice_secret()
    return dicesecrets.kept(folder, key.public)


class Cup:
    """What this device contributes to the next roll, or to the roll in flight, of a match."""

    def __init__(
        self,
        state: MatchState,
        keys: Mapping[str, Signer],
        folder: Path,
        file_of: FileOf = no_file,
    ) -> None:
        self.state = state
        self.keys = keys
        self.folder = folder
        self.file_of = file_of
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
        secret = _own_secret(self.keys[role], self.folder)
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
        if isinstance(key, SigningKey):
            yield key.dice_secret()
        kept = dicesecrets.stored(self.folder, key.public)
        if kept is not None:
            yield kept
        if not isinstance(key, SigningKey) and (file := self.file_of(key.public)) is not None:
            yield file.dice_secret()  # ssh-agent signs now; its file did when it was committed to
