"""What a file says against what the rules say: the first difference, in words for an arbiter.

Nothing here decides anything; every comparison either agrees or raises ``import-diverges``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NoReturn

from ledger.errors import Refused
from ledger.games.protocol import Action, Game, State, Track


def compare_captures(where: str, recorded: Iterable[str], action: Action) -> None:
    said = sorted(set(recorded))
    taken = [square for square in action.text.partition("x")[2].split("/") if square]
    if said != sorted(taken):
        diverges(where, f"the file says {_taken(said)} taken; by the rules {_taken(taken)}")


def _taken(squares: Sequence[str]) -> str:
    if len(squares) < 2:
        return f"{''.join(squares) or 'nothing'} is"
    return f"{' and '.join(squares)} are"


def compare_boards(where: str, recorded: str, game: Game, state: State) -> None:
    """Squares first, then the side to move; at most three squares are named. A board without
    squares is told as its whole position."""
    ruled = game.position(state)
    if recorded == ruled:
        return
    surface = game.surface(state)
    if isinstance(surface, Track):
        diverges(where, f"the file shows {shown(recorded)}, the rules {ruled}")
    theirs, ours = _squares(recorded), _squares(ruled)
    names = [f"{column}{row}" for row in surface.rows for column in surface.columns]
    differ = [name for name in names if theirs.get(name) != ours.get(name)]
    if not differ:
        diverges(where, "the file has the other side to move")
    words = [
        f"on {name} the file shows {surface.legend.get(theirs.get(name, ''), 'nothing')},"
        f" the rules {surface.legend.get(ours.get(name, ''), 'nothing')}"
        for name in differ[:3]
    ]
    more = f"; {len(differ)} squares differ" if len(differ) > len(words) else ""
    diverges(where, "; ".join(words) + more)


def _squares(position: str) -> dict[str, str]:
    """The pieces of a position text by square."""
    pieces = {}
    for rank, row in enumerate(position.partition(" ")[0].strip("/").split("/"), 1):
        column, gap = 0, ""
        for sign in row:
            if sign.isdigit():
                gap += sign
                continue
            column, gap = column + int(gap or 0), ""
            pieces[f"{chr(ord('a') + column)}{rank}"] = sign
            column += 1
    return pieces


def shown(text: str) -> str:
    """Words of a file in a message: short, on one line, in ASCII."""
    plain = text if text.isascii() and text.isprintable() else ascii(text)[1:-1]
    return plain if len(plain) <= 60 else f"{plain[:57]}..."


def diverges(where: str, what: str) -> NoReturn:
    raise Refused("import-diverges", f"{where}: {what}")
