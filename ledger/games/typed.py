"""What people type for an act of a game: of which kind it is, and what it says."""

from __future__ import annotations

from contextlib import suppress

from ledger.errors import Unreadable
from ledger.games.protocol import Game, State


def kind_and_text(game: Game, state: State, typed: str) -> tuple[str, str]:
    """``pull 4a-c`` as kind and text. A word that stands alone (``pass``) is both; what begins
    with no kind is a call if it is one, and else a move."""
    word, _, rest = typed.strip().partition(" ")
    kind = word.lower()
    if kind in game.actions:
        return kind, rest.strip() or kind
    if "call" in game.actions:
        with suppress(Unreadable):
            return "call", game.read(state, "call", typed).text
    return "move", typed
