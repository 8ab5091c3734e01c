"""The entries of a Tablut Challenge log, and the boards in them.

An entry is two lines: when and where it was logged, then a word for its level in the server's own
language (FINE, FEIN, BUONO …) and the message. A board follows as further lines, rank 1 first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NoReturn

from ledger.errors import Refused, Unreadable
from ledger.formats.transcript import Claimed

HEADER: Final = re.compile(
    r"\s*(\S+(?:\s+\S+)*?)\s+it\.unibo\.ai\.didattica\.competition\.tablut\.domain\.(\w+)\s+(\S+)"
)
_MESSAGE: Final = re.compile(r"[^\W\d_]{2,20}: ?(.*)")
_ROW: Final = re.compile("[OBWKT]{9}")

SEATS: Final = {"W": "swedes", "B": "muscovites"}
ENDS: Final = {
    "WW": (Claimed.WIN, "swedes"),
    "BW": (Claimed.WIN, "muscovites"),
    "D": (Claimed.DRAW, None),
}


@dataclass(frozen=True, slots=True)
class Message:
    """One entry of the log: the line of its message, its text, and the lines after it."""

    line: int
    text: str
    more: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class Board:
    """A logged state: nine rows and the side to move, or how the game ended."""

    line: int
    rows: tuple[str, ...]
    side: str
    side_line: int

    def same(self, other: Board) -> bool:
        return (self.rows, self.side) == (other.rows, other.side)


def messages(lines: list[str]) -> Iterator[Message]:
    """The entries of the log, each from its header to the next."""
    found: tuple[int, str] | None = None
    more: list[tuple[int, str]] = []
    due = False
    for number, raw in enumerate(lines, 1):
        line = raw.rstrip("\r")
        header = HEADER.fullmatch(line)
        message = _MESSAGE.fullmatch(line) if due else None
        if header is not None:
            if due:
                bad(number, "a message is expected here")
            if header[2] != "GameAshtonTablut":
                raise Refused("rules-not-ours", f"line {number}: no rules of ours: {header[2]}")
            if found is not None:
                yield Message(*found, tuple(more))
            found, more, due = None, [], True
        elif message is not None:
            found, due = (number, message[1].strip()), False
        elif line.strip():
            if due or found is None:
                bad(number, f"{quoted(line)} is no part of a game log")
            more.append((number, line.strip()))
    if due:
        bad(len(lines), "the log is cut off within a message")
    if found is not None:
        yield Message(*found, tuple(more))


def board_of(message: Message) -> Board:
    """The board of a message, which may begin on the line of the word or below it."""
    inline = message.text.removeprefix("Stato:").strip()
    lines = ([(message.line, inline)] if inline else []) + list(message.more)
    for number, row in lines[:9]:
        if not _ROW.fullmatch(row):
            bad(number, f"{quoted(row)} is no row of a board")
    if len(lines) != 11:
        bad(message.line, f"a board has 11 lines with its side, this has {len(lines)}")
    rows = tuple(row for _, row in lines[:9])
    (dash_line, dash), (side_line, side) = lines[9:]
    if dash != "-":
        bad(dash_line, f"{quoted(dash)} stands where a - separates board and side")
    if side not in SEATS and side not in ENDS:
        bad(side_line, f"{quoted(side)} is no side")
    for number, row in enumerate(rows):
        for column, sign in enumerate(row):
            throne = (number, column) == (4, 4)
            if (sign == "T") != (throne and sign != "K"):
                bad(lines[number][0], "the throne T stands on e5, and there alone, or the king K")
    return Board(lines[0][0], rows, side, side_line)


def position_of(board: Board, turn: str) -> str:
    """The board as one of our position texts; the side to move is ``turn`` once it is over."""
    pieces = str.maketrans("OTWBK", "..TtK")
    rows = [
        re.sub(r"\.+", lambda gap: str(len(gap[0])), row.translate(pieces)) for row in board.rows
    ]
    return f"/{'/'.join(rows)}/ {SEATS.get(board.side, turn)[0]}"


def bad(line: int, what: str) -> NoReturn:
    raise Unreadable("bad-log", f"line {line}: {what}")


def quoted(text: str) -> str:
    return ascii(text if len(text) <= 40 else f"{text[:37]}...")
