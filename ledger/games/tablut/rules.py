"""What an option set allows: masks, walks and sieges, worked out once for each set of options.

A ``Rules`` object answers what play asks again and again: where the pieces of a line can go, and
which squares take part in a capture. It knows no game in progress and never changes; only its
tables of line moves fill as lines are met.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from ledger.games.options import checked
from ledger.games.protocol import OptionValue
from ledger.games.tablut.board import KING, MUSCOVITE, SWEDE, board_called
from ledger.games.tablut.options import OPTIONS

_CAMP_REACH = 5
"""Squares that a Muscovite who stands on a camp may go to or over other camps."""


class LineMoves(dict[tuple[int, int], tuple[tuple[int, ...], int]]):
    """Every move of one kind of piece along one rank or file.

    From (such pieces on the line, all pieces on the line) to (the moves, all their destinations).
    A move is ``origin | destination``: exclusive or with it takes the piece from the one square
    and puts it on the other. There are at most 3^size keys, and few are ever met.
    """

    def __init__(self, rules: Rules, walker: str, line: Sequence[int]) -> None:
        super().__init__()
        self.rules, self.walker, self.line = rules, walker, line

    def __missing__(self, key: tuple[int, int]) -> tuple[tuple[int, ...], int]:
        pieces, occupied = key
        moves, reach = [], 0
        for place, origin in enumerate(self.line):
            if origin & pieces:
                for target in self.rules.walk(self.walker, self.line, place, occupied):
                    moves.append(origin | target)
                    reach |= target
        found = self[key] = (tuple(moves), reach)
        return found


class Rules:
    """One set of options, made ready for play. Equal options give equal rules."""

    def __init__(self, values: tuple[OptionValue, ...]) -> None:
        self.values = values
        self.option: Mapping[str, OptionValue] = dict(zip(OPTIONS, values, strict=True))
        self.board = board = board_called(str(self.option["board"]))
        self.single = self.option["captures"] == "single"
        self.armed = bool(self.option["king_armed"])
        self.calls_goal = self.option["calls"] == "goal"
        self.tuichi_wins = bool(self.option["tuichi_wins"])
        self.camps = board.start.muscovites if self.option["camps"] else 0
        self.goal = {
            "corners": board.corners,
            "clear_edge": board.edge & ~board.start.muscovites,
            "edge": board.edge,
        }[str(self.option["goal"])]
        self._set_hostile_places()
        self.siege = {square: self._sieges(square) for square in board.names}
        # Every rank and file: its mask, and the moves of each kind of piece along it.
        self.lines = {
            walker: [(sum(line), LineMoves(self, walker, line)) for line in board.lines]
            for walker in (SWEDE, MUSCOVITE, KING)
        }
        # Boards are shifted up by a margin of two rows, then down by more or less than that: one
        # expression serves all directions. For each: to the neighbour, to the square behind it,
        # and from the neighbour back.
        self.margin = margin = 2 * max(board.steps)
        self.directions = [
            (margin + step, margin + 2 * step, margin - step) for step in board.steps
        ]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rules) and self.values == other.values

    def __hash__(self) -> int:
        return hash(self.values)

    def _set_hostile_places(self) -> None:
        """The places that are anvils by themselves (``konakis_hostile``, ``corner_hostile``,
        ``camps``): while they are empty, or whatever stands there."""
        board, option = self.board, self.option
        konakis = 0 if option["konakis_hostile"] == "never" else board.konakis
        corners = board.corners if option["corner_hostile"] else 0
        self.hostile_empty = konakis | corners
        self.hostile_to_swedes = self.camps
        self.hostile_to_muscovites = self.camps & ~board.edge_middles
        # A king on the konakis makes it hostile to Swedes once so many Muscovites stand round it.
        self.court = sum(square for square, _ in board.neighbours(board.konakis))
        self.court_guard = {"always": 0, "linnaean": 3}.get(str(option["konakis_hostile"]), 5)
        # What stands in for a Muscovite next to the king: the empty konakis, whatever
        # ``konakis_hostile`` says, empty corners and camps. (``four`` never gets near a corner.)
        capture = option["king_capture"]
        corners = board.corners if capture == "edge_three" else corners
        self.king_hostile_empty = board.konakis | corners
        self.king_hostile = self.camps if capture == "two_away" else 0

    def _sieges(self, king: int) -> list[tuple[int, int]]:
        """How a king on this square is taken (``king_capture``): the square that a Muscovite
        must move to, and those that must then be hostile already."""
        capture = self.option["king_capture"]
        around = self.board.neighbours(king)
        ring = sum(square for square, _ in around)
        if capture == "two_away" and not (king | ring) & self.board.konakis:
            return [(square, across) for square, across in around if across]
        if len(around) == 4 or (capture == "edge_three" and len(around) == 3):
            return [(square, ring ^ square) for square, _ in around]
        return []

    def walk(self, walker: str, line: Sequence[int], place: int, occupied: int) -> Iterator[int]:
        """The squares that a piece on ``line[place]`` can go to along its line."""
        for path in (line[place + 1 :], line[:place][::-1]):
            for distance, square in enumerate(path, 1):
                if square & occupied:
                    break
                if not self.bar(walker, line[place], square, distance, stop=True):
                    yield square
                if self.bar(walker, line[place], square, distance, stop=False):
                    break

    def bar(
        self, walker: str, origin: int, square: int, distance: int, *, stop: bool
    ) -> tuple[str, str] | None:
        """Why the board itself keeps a piece from stopping on, or passing over, an empty square
        ``distance`` away: the option as a code, and the reason in words. ``None``: it does not."""
        if square == self.board.konakis:
            return self._konakis_bar(walker, stop=stop)
        if square & self.board.corners and walker != KING and self.option["corner_stop"] == "king":
            return "corner-stop", "is a corner: only the king may stop there (corner_stop)"
        if square & self.camps:
            return self._camp_bar(walker, origin, distance, stop=stop)
        return None

    def _konakis_bar(self, walker: str, *, stop: bool) -> tuple[str, str] | None:
        option = "konakis_stop" if stop else "konakis_pass"
        allowed = self.option[option]
        if allowed == "all" or (allowed == "king" and walker == KING):
            return None
        who = "only the king may" if allowed == "king" else "no piece may"
        what = "stop there" if stop else "pass over it"
        return option.replace("_", "-"), f"is the konakis: {who} {what} ({option})"

    def _camp_bar(
        self, walker: str, origin: int, distance: int, *, stop: bool
    ) -> tuple[str, str] | None:
        what = "enter" if stop else "pass over"
        if walker != MUSCOVITE or not origin & self.camps:
            return "camps", f"is a camp: only a Muscovite who stands on one may {what} it (camps)"
        if distance > _CAMP_REACH:
            return "camps", (
                f"is a camp {distance} squares away: a Muscovite may {what} camps no more than"
                f" {_CAMP_REACH} squares away (camps)"
            )
        return None


@lru_cache(maxsize=64)
def _rules_of(values: tuple[OptionValue, ...]) -> Rules:
    return Rules(values)


def rules_for(options: Mapping[str, OptionValue]) -> Rules:
    """The rules of fully spelled options. Raises ``Unreadable`` for unusable ones."""
    return _rules_of(checked("tablut", OPTIONS, options))
