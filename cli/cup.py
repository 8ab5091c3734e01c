"""The dice cup with the keys of this device: where they lie, and how their files are unlocked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from cli.desk import keyring, unlock_file
from ledger import cup
from ledger.errors import TabellionError

if TYPE_CHECKING:
    from ledger.fold import MatchState
    from ledger.keys import SigningKey
    from ledger.publickey import PublicKey
    from ledger.service import Signer


def seal_secrets(key: Signer) -> Iterator[bytes]:
    """Every secret that this key may have sealed a move with, the one it seals with first."""
    return cup.seal_secrets(key, keyring().folder)


class Cup(cup.Cup):
    """What this device contributes to the next roll, or to the roll in flight, of a match."""

    def __init__(
        self, state: MatchState, keys: Mapping[str, Signer], passphrase_file: str | None
    ) -> None:
        def file_of(public: PublicKey) -> SigningKey | None:
            with suppress(TabellionError):
                for entry in keyring().list():
                    if entry.public == public and entry.encrypted is not None:
                        return unlock_file(entry.name, passphrase_file)
            return None

        super().__init__(state, keys, keyring().folder, file_of)
