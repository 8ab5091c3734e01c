"""Moves as text, both ways, and the reasons why a move is refused.

A move has one canonical spelling: ``e3-d3``, with a K before a king's move, and after an x every
capture in alphabetical order, ``xd4/f4``. People may leave out the K and the captures. A reason
names the squares and the option that stands in the way.
"""

from __future__ import annotations

import re
from typing import NamedTuple, NoReturn

from ledger.errors import Ambiguous, Unreadable
from ledger.games.protocol import Action, Illegal
from ledger.games.tablut.board import KING, MUSCOVITE, MUSCOVITES, SWEDE, piece_on
from ledger.games.tablut.moves import captures_of, reaches
from ledger.games.tablut.play import SIDES, Move, State

GUIDE = """
A square is a letter and a number, as on the board: e5. A move is two squares;
a king's move has a K in front, and captures follow an x.

  e3-d3          a piece goes from e3 to d3
  Ke5-e6         the king goes from e5 to e6
  e3-d3xd4/f4    a piece goes to d3 and takes what stands on d4 and f4

You may type less: e3d3, capital letters, no K, no captures. What you do type
must be so. Where one move could take one piece or another (captures=single),
name the piece: e3-d3xd4.

A call is raichi or tuichi, right after the Swedes' move: one free way of the
king to the edge, or more than one.

A position is a line: the ranks from the first up, each with a stroke behind
it, then the side to move. T is a Swede, K the king, t a Muscovite, a number
so many empty squares; s for the Swedes, m for the Muscovites.

  /3ttt3/4t4/4T4/t3T3t/ttTTKTTtt/t3T3t/4T4/4t4/3ttt3/ s

  $ tabellion check tablut start e3d3
  $ tabellion check tablut "/9/9/9/9/4K4/9/9/9/t8/ m" a9-a5
"""
"""For people, how all this is written."""

_LONGEST = 60
"""Characters of a move as typed. Longer texts are not looked at."""

_MOVE = re.compile(
    r"([kt]?)([a-k][0-9]{1,2})[-–—]?([a-k][0-9]{1,2})"
    r"((?:x[a-k][0-9]{1,2}(?:[x/,]?[a-k][0-9]{1,2})*)?)",
    re.IGNORECASE | re.ASCII,
)
_SQUARE = re.compile(r"[a-k][0-9]{1,2}")

_PIECES = {SWEDE: "a Swede", MUSCOVITE: "a Muscovite", KING: "the king"}


def in_order(action: Action) -> list[tuple[str, int]]:
    """The squares of a move, to sort moves by as people count: b2 before b10."""
    return [(square[0], int(square[1:])) for square in _SQUARE.findall(action.text)]


def way(text: str) -> tuple[str, str]:
    """The square that a written move leaves, and the one that it reaches."""
    typed = parse(text)
    return typed.origin, typed.target


class Typed(NamedTuple):
    """A move as someone wrote it: squares by name, on the board or not."""

    letter: str
    origin: str
    target: str
    captured: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.letter}{self.origin}-{self.target}"


def parse(text: str) -> Typed:
    """Reads what can only be a move; which one is legal is another question."""
    match = _MOVE.fullmatch("".join(text.split())) if len(text) <= _LONGEST else None
    if match is None:
        raise Unreadable(
            "bad-move",
            f"{_shown(text)} is no move",
            hint="a move is written e3-d3, a king's move Ke5-e6; captures may follow: e3-d3xd4/f4",
        )
    letter, origin, target, captured = match[1], match[2], match[3], match[4]
    return Typed(
        letter.upper(),
        origin.lower(),
        target.lower(),
        tuple(sorted(set(_SQUARE.findall(captured.lower())))),
    )


def _shown(text: str) -> str:
    return f"{text!a}" if len(text) <= _LONGEST else f"a text of {len(text)} characters"


def write(state: State, move: Move) -> str:
    """The canonical spelling of a move in this state."""
    board = state.rules.board
    letter = KING if move.origin == state.position.king else ""
    text = f"{letter}{board.names[move.origin]}-{board.names[move.target]}"
    return f"{text}x{'/'.join(board.named(move.captured))}" if move.captured else text


def resolve(state: State, text: str) -> Move:
    """The one legal move that a text means. Raises ``Unreadable``, ``Illegal``, ``Ambiguous``."""
    typed = parse(text)
    rules, position = state.rules, state.position
    if state.outcome is not None:
        _refuse("game-over", typed, f"the game is over. {state.outcome.text}")
    bits = rules.board.bits
    for square in (typed.origin, typed.target, *typed.captured):
        if square not in bits:
            _refuse("off-board", typed, f"the board has no square {square}")
    origin, target = bits[typed.origin], bits[typed.target]
    walker = _walker(state, typed, origin)
    if not reaches(rules, walker, position, origin | target):
        _refuse_walk(state, typed, walker)
    choices = captures_of(rules, position, walker, target)
    return Move(origin, target, _chosen(state, typed, choices))


def _walker(state: State, typed: Typed, origin: int) -> str:
    """The piece that moves, if it is one of the mover's and of the kind that was written."""
    piece = piece_on(state.position, origin)
    if not piece:
        _refuse("no-piece", typed, f"{typed.origin} is empty")
    if (piece == MUSCOVITE) != (state.position.turn == MUSCOVITES):
        whose = SIDES[state.position.turn]
        _refuse("not-yours", typed, f"{_on(piece, typed.origin)}, and {whose} are to move")
    if typed.letter and (typed.letter == KING) != (piece == KING):
        _refuse("wrong-piece", typed, _on(piece, typed.origin))
    return piece


def _on(piece: str, square: str) -> str:
    return f"{_PIECES[piece]} stands on {square}"


def _refuse(code: str, typed: Typed, why: str) -> NoReturn:
    raise Illegal(code, f"{typed} is refused: {why}")


def _refuse_walk(state: State, typed: Typed, walker: str) -> NoReturn:
    """Says what stands in the way of a move that the tables do not have."""
    board, position = state.rules.board, state.position
    origin, target = board.bits[typed.origin], board.bits[typed.target]
    if origin == target:
        _refuse("same-square", typed, "a piece that moves leaves its square")
    line = next((line for line in board.lines if origin in line and target in line), None)
    if line is None:
        _refuse("not-straight", typed, "a piece moves along its rank or its file")
    start, end = line.index(origin), line.index(target)
    path = line[start + 1 : end + 1] if start < end else line[end:start][::-1]
    for distance, square in enumerate(path, 1):
        if piece := piece_on(position, square):
            _refuse("blocked", typed, _on(piece, board.names[square]))
        if bar := state.rules.bar(walker, origin, square, distance, stop=square == target):
            _refuse(bar[0], typed, f"{board.names[square]} {bar[1]}")
    raise AssertionError("a move that nothing bars is in the tables")


def _chosen(state: State, typed: Typed, choices: list[int]) -> int:
    """The capture that was meant; what was written must happen, the rest may be left out."""
    board = state.rules.board
    written = sum(board.bits[square] for square in typed.captured)
    fitting = [choice for choice in choices if not written & ~choice]
    if not fitting:
        _refuse("wrong-capture", typed, _why_wrong(state, typed, choices))
    if len(fitting) > 1:
        origin, target = board.bits[typed.origin], board.bits[typed.target]
        ways = sorted(write(state, Move(origin, target, choice)) for choice in fitting)
        raise Ambiguous(
            "choose-capture", f"{typed} takes one piece only (captures): {' or '.join(ways)}"
        )
    return fitting[0]


def _why_wrong(state: State, typed: Typed, choices: list[int]) -> str:
    every = state.rules.board.named(sum(choices))
    for square in typed.captured:
        if square not in every:
            return f"it does not capture on {square}"
    return f"one move takes one piece only (captures): {' or '.join(every)}"
