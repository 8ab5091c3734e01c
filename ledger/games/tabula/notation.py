"""Turns as text, both ways: what a person typed, as the one turn that it means.

A turn has one token a die, in the order played: ``hand/3 10/16* 22/off``. People may leave out
the stars, write in any order, and write a checker's whole way as a chain, with its stops or
without.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from ledger.errors import Ambiguous, Unreadable
from ledger.games.protocol import Illegal
from ledger.games.tabula.board import BAR, NAMES, PLACES
from ledger.games.tabula.rules import landing, spelled
from ledger.games.tabula.turns import Play, Turn

GUIDE = """
The points are 1 to 24 in the direction of travel, the same for both players.
A turn is a word for each die, in the order played: from where, to where.

  hand/3         a checker is entered from the hand on point 3
  bar/4          one that was hit enters again, on point 4
  10/16*         a checker goes from 10 to 16 and hits what stands there
  22/off         a checker on 22 is borne off, with a 3
  pass           no die can be played

You may type less: any order, no stars, capital letters, commas. A checker's
whole way may be one word, 10/16/18 or 10/18, if there is only one way to play
it. A star where nothing is hit is an error.

A position is a line: for White and for Black how many are in the hand (h), on
the bar (b) and off (o), and on which points how many; then who is to move, W
or B (- before it is decided who begins).

  W h15 b0 o0 - | B h13 b0 o0 6:1,9:1 | W

  $ tabellion check tabula "W h15 b0 o0 - | B h15 b0 o0 - | W" --dice 2-5-6
  $ tabellion check tabula "W h0 b0 o13 22:1,23:1 | B h0 b0 o10 24:5 | W" \\
      --dice 1-3-3 22/off
"""
"""For people, how all this is written."""

_LONGEST = 80
"""Characters of a turn as typed. Longer texts are not looked at."""

_POINT = r"(?:[1-9]|1[0-9]|2[0-4])"
_CHAIN = re.compile(
    rf"(?:hand|bar|{_POINT})(?:/{_POINT}\*?)*/(?:{_POINT}\*?|off)", re.IGNORECASE | re.ASCII
)


class Move(NamedTuple):
    """A checker's way from one place to another, as written; with one die, or with more."""

    source: int
    target: int
    star: bool = False

    def __str__(self) -> str:
        return spelled(self.source, self.target) + "*" * self.star


def in_travel(text: str) -> list[int]:
    """The places of a turn as numbers, to sort turns by: the bar first, then along the track."""
    places = (PLACES[place.removesuffix("*")] for word in text.split() for place in word.split("/"))
    return [-1 if place == BAR else place for place in places]


def ways(text: str) -> list[tuple[str, str]]:
    """The places that each step of a written turn leaves and reaches, by name."""
    return [(NAMES[move.source], NAMES[move.target]) for move in parse(text)]


def is_pass(text: str) -> bool:
    return len(text) <= _LONGEST and text.strip().lower() == "pass"


def parse(text: str) -> list[Move]:
    """Reads what can only be a turn; whether it is legal is another question."""
    words = text.replace(",", " ").split() if len(text) <= _LONGEST else []
    if not words or not all(map(_CHAIN.fullmatch, words)):
        shown = f"{text!a}" if len(text) <= _LONGEST else f"A text of {len(text)} characters"
        raise Unreadable(
            "bad-move",
            f"{shown} is no turn.",
            hint="a turn is written hand/3 10/16 22/off: a word for each die, points from 1 to 24",
        )
    return [move for word in words for move in _moves(word.lower())]


def _moves(word: str) -> Iterator[Move]:
    for source, target in pairwise(word.split("/")):
        star = target.endswith("*")
        yield Move(PLACES[source.removesuffix("*")], PLACES[target.removesuffix("*")], star)


def written(turn: Turn, text: str) -> Play:
    """The legal turn of a text with a word for each die, in the order written."""
    return _played(turn, parse(text))


def meant(turn: Turn, text: str) -> Play:
    """The one legal turn that a typed text means. Raises ``Unreadable``, ``Illegal``,
    ``Ambiguous``."""
    moves = parse(text)
    try:
        return _played(turn, moves)
    except Illegal as refusal:
        return _understood(turn, moves, refusal)


def _played(turn: Turn, moves: Sequence[Move]) -> Play:
    play = turn.play([(move.source, move.target) for move in moves])
    for move, step in zip(moves, play.steps, strict=True):
        if move.star and not step.hit:
            raise Illegal("wrong-hit", f"{move} is refused: nothing is hit on {step.target}.")
    return play


def _understood(turn: Turn, moves: Sequence[Move], as_written: Illegal) -> Play:
    """The turn that is meant by moves that cannot be played as they are written: in another
    order, or else with stops that were left out."""
    found: dict[int, Play] = {}
    refusals = []
    ways = sorted(set(_ways(moves, turn.dice)), key=lambda way: (len(way), way))
    for way in ways:
        try:
            play = _played_in_some_order(turn, way)
        except Illegal as refusal:
            refusals.append(refusal)
            continue
        if len(way) == len(moves):
            return play
        found.setdefault(play.board, play)
    match list(found.values()):
        case [play]:
            return play
        case []:
            # What fails in the best order is the reason to tell, if it is about what was written.
            no_such_step = as_written.code in ("r-enter", "r-move")
            if ways and (len(ways[0]) == len(moves) or no_such_step):
                raise refusals[0]
            raise as_written
        case plays:
            raise Ambiguous(
                "choose-way",
                f"{' '.join(map(str, moves))} can be played with different results:"
                f" {' or '.join(play.text for play in plays)}.",
                hint="write a word for each die",
            )


def _played_in_some_order(turn: Turn, moves: Sequence[Move]) -> Play:
    """As written if it can be; else rearmost checker first, which can be if any order can."""
    try:
        return _played(turn, moves)
    except Illegal:
        order = sorted(moves, key=lambda move: (move.source != BAR, move))
        return _played(turn, order)


def _ways(moves: Sequence[Move], dice: tuple[int, ...]) -> Iterator[tuple[Move, ...]]:
    """The moves with every stop written, one for each die, in all ways that the dice allow."""
    if not moves:
        yield ()
        return
    (source, target, star), rest = moves[0], moves[1:]
    for die in set(dice):
        left = list(dice)
        left.remove(die)
        stop = landing(source, die)
        if stop == target:
            for tail in _ways(rest, tuple(left)):
                yield (moves[0], *tail)
        elif stop < target:
            for tail in _ways([Move(stop, target, star), *rest], tuple(left)):
                yield (Move(source, stop), *tail)
