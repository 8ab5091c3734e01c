"""Games of Tabula as text, both ways: a throw a line with its whole move, as in the ruling
document (``14. W 6-5-2: 10/16 19/24 20/22``)."""

from __future__ import annotations

from typing import Final

from ledger.formats import numbered
from ledger.formats.headers import bad
from ledger.formats.tabula import NAME
from ledger.formats.transcript import Ply, Transcript
from ledger.games import game

GAME: Final = "tabula"


class _Reading(numbered.Reading):
    dice = 3
    turn = "W 6-5-2: 10/16 19/24 20/22"

    def act(self, line: int, seat: str, text: str) -> None:
        if len(self.plies) < self.number - 2:
            before = self.casts[-2].line
            bad(before, "dice without a turn; only the last line may end with them")
        if text:
            self.plies.append(Ply(line, seat, text))


def parse(text: str) -> Transcript:
    """A game of Tabula. Raises ``Unreadable``, naming the line."""
    return numbered.read(text, _Reading(NAME, game(GAME)))
