"""Games of El Tablero de Jesús as text, both ways: a throw a line, with all that came of it.

``5. S 3-5: c1-c4 d7-d2; pull 4a-c`` is a throw by South, its move and a Pull; ``5... S: run`` is
more of the same throw, after a comment. Whoever throws does what stands in the line, but for
``diablo``, which the opponent calls. A throw that completes by itself has no act.
"""

from __future__ import annotations

import re
from typing import Final

from ledger.formats import numbered
from ledger.formats.comparing import shown
from ledger.formats.headers import bad
from ledger.formats.tablero import NAME
from ledger.formats.transcript import Ply, Transcript
from ledger.games import game

GAME: Final = "tablero"
_KIND: Final = re.compile(r"(pull|wager|pass|run|stop|diablo|done)(?:[ \t]+(.*))?", re.IGNORECASE)
_CALLED: Final = "diablo"


class _Reading(numbered.Reading):
    dice = 2
    turn = "S 3-5: c1-c4 d7-d2; pull 4a-c"

    def act(self, line: int, seat: str, text: str) -> None:
        for each in filter(None, (part.strip() for part in text.split(";"))):
            self.plies.append(self._ply(line, seat, each))

    def go_on(self, line: int, number: int, text: str) -> None:
        found = self.whose(text)
        if found is None or not found[1]:
            bad(line, f"{shown(text)} goes on with no throw; that is written 5... S: pull 4a-c")
        seat, acts = found
        if self.number < 2 or number != self.number - 1 or seat != self.casts[-1].owners[0]:
            bad(line, f"{shown(f'{number}... {text}')} is no part of the throw before it")
        self.act(line, seat, acts)

    def _ply(self, line: int, seat: str, text: str) -> Ply:
        match = _KIND.fullmatch(text)
        if match is None:
            return Ply(line, seat, text)
        kind = match[1].lower()
        other = next(each for each in self.played.seats if each != seat)
        plain = "" if kind == "pull" else kind
        return Ply(line, other if kind == _CALLED else seat, match[2] or plain, kind=kind)


def parse(text: str) -> Transcript:
    """A game of El Tablero de Jesús. Raises ``Unreadable``, naming the line."""
    return numbered.read(text, _Reading(NAME, game(GAME)))
