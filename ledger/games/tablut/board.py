"""Boards and what stands on them: squares as bits of one integer, their names, position texts.

Rows lie ``size + 1`` bits apart: the spare bit at the end of each row is a ditch that nothing
ever stands in, so a shift by one square can never wrap round the edge. Nothing here knows how
pieces move.
"""

from __future__ import annotations

import re
from functools import cache

import msgspec

from ledger.errors import Unreadable

SWEDES, MUSCOVITES = 0, 1
"""The sides, as ``Position.turn`` names them: indices into the seats of the game."""

SWEDE, MUSCOVITE, KING = "T", "t", "K"
"""The pieces, by their letters in position texts."""

_START = {
    "tablut": "/3ttt3/4t4/4T4/t3T3t/ttTTKTTtt/t3T3t/4T4/4t4/3ttt3/",
    "hnefatafl": "/3ttttt3/5t5/11/t4T4t/t3TTT3t/tt1TTKTT1tt/t3TTT3t/t4T4t/11/5t5/3ttttt3/",
    "tawlbwrdd": "/4ttt4/4t1t4/5t5/5T5/tt2TTT2tt/t1tTTKTTt1t/tt2TTT2tt/5T5/5t5/4t1t4/4ttt4/",
}
"""Start boards in OpenTafl notation, rank 1 first."""

_LONGEST = 160
"""Characters of a position text: a full 11×11 board has 135. Longer texts are not looked at."""


class Position(msgspec.Struct, frozen=True, gc=False):
    """What stands on the board and who is to move: all that repetition compares.

    ``swedes`` leaves out the king; ``king`` is 0 once he is taken.
    """

    swedes: int
    muscovites: int
    king: int
    turn: int


class Board:
    """One board: its size, the names of its squares and its marked places, as bit masks."""

    def __init__(self, name: str) -> None:
        rows = _START[name].strip("/").split("/")
        self.size = size = len(rows)
        self.columns = tuple("abcdefghijk"[:size])
        self.rows = tuple(str(rank) for rank in range(1, size + 1))
        self.steps = (1, -1, size + 1, -size - 1)
        self.ranks = [[1 << (y * (size + 1) + x) for x in range(size)] for y in range(size)]
        self.files = [list(file) for file in zip(*self.ranks, strict=True)]
        self.lines = [*self.ranks, *self.files]
        self.names = {
            bit: column + row
            for row, rank in zip(self.rows, self.ranks, strict=True)
            for column, bit in zip(self.columns, rank, strict=True)
        }
        self.bits = {square: bit for bit, square in self.names.items()}
        self.squares = sum(self.names)
        ends, middle = (0, size - 1), size // 2
        self.konakis = self.ranks[middle][middle]
        self.corners = sum(self.ranks[y][x] for y in ends for x in ends)
        self.edge = self.squares & ~sum(sum(rank[1:-1]) for rank in self.ranks[1:-1])
        self.edge_middles = self.edge & (sum(self.ranks[middle]) | sum(self.files[middle]))
        self.start = _stand(self, rows, SWEDES)

    def neighbours(self, square: int) -> list[tuple[int, int]]:
        """The squares next to ``square``, each with the one on its other side (0: none)."""
        around = [_shifted(square, step) & self.squares for step in self.steps]
        across = [_shifted(square, -step) & self.squares for step in self.steps]
        return [pair for pair in zip(around, across, strict=True) if pair[0]]

    def named(self, squares: int) -> list[str]:
        """The names of the squares of a mask, sorted as text."""
        found = []
        while squares:
            lowest = squares & -squares
            found.append(self.names[lowest])
            squares ^= lowest
        return sorted(found)


@cache
def board_called(name: str) -> Board:
    """The one ``Board`` of a value of the option ``board``."""
    return Board(name)


def _shifted(square: int, step: int) -> int:
    return square << step if step > 0 else square >> -step


def write_position(board: Board, position: Position) -> str:
    """``<board> <s|m>``: OpenTafl notation, rank 1 first, and the side to move."""
    rows = ["".join(piece_on(position, bit) or "." for bit in rank) for rank in board.ranks]
    packed = [re.sub(r"\.+", lambda gap: str(len(gap[0])), row) for row in rows]
    return f"/{'/'.join(packed)}/ {'sm'[position.turn]}"


def piece_on(position: Position, square: int) -> str:
    """The letter of the piece on a square; empty if there is none."""
    if square & position.muscovites:
        return MUSCOVITE
    if square & position.swedes:
        return SWEDE
    return KING if square & position.king else ""


def read_position(board: Board, text: str) -> Position:
    """The position of a text in its one canonical spelling. Raises ``Unreadable``.

    Any scattering of pieces can be read, also one that no legal move leads to: an arbiter's
    ruling may have to set it. There is exactly one king, and no side has more pieces than it
    started with.
    """
    if len(text) > _LONGEST:
        raise _bad(f"a position has at most {_LONGEST} characters, this has {len(text)}")
    match = re.fullmatch(r"/([0-9tTK/]*)/ ([sm])", text)
    if match is None:
        raise _bad("a position is a board of t, T, K and numbers between strokes, then s or m")
    rows = match[1].split("/")
    if len(rows) != board.size:
        raise _bad(f"the board has {board.size} ranks, this has {len(rows)}")
    position = _stand(board, rows, "sm".index(match[2]))
    if write_position(board, position) != text:
        raise _bad("a gap is written as one number, and 0 not at all")
    _check_numbers(position, board.start)
    return position


def _stand(board: Board, rows: list[str], turn: int) -> Position:
    standing = {SWEDE: 0, MUSCOVITE: 0, KING: 0}
    for rank, row in zip(board.ranks, rows, strict=True):
        places = re.sub(r"[0-9]{1,2}", lambda gap: "." * int(gap[0]), row)
        if len(places) != board.size:
            raise _bad(f"{row} fills {len(places)} squares of a rank of {board.size}")
        for bit, piece in zip(rank, places, strict=True):
            if piece != ".":
                standing[piece] |= bit
    return Position(standing[SWEDE], standing[MUSCOVITE], standing[KING], turn)


def _check_numbers(position: Position, start: Position) -> None:
    if position.king.bit_count() != 1:
        raise _bad(f"there is one king, not {position.king.bit_count()}")
    for side, has, had in (
        ("Swedes beside the king", position.swedes, start.swedes),
        ("Muscovites", position.muscovites, start.muscovites),
    ):
        if has.bit_count() > had.bit_count():
            raise _bad(f"{has.bit_count()} {side} are too many: there are {had.bit_count()}")


def _bad(why: str) -> Unreadable:
    return Unreadable("bad-position", f"This position cannot be read: {why}")
