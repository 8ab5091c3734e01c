"""How much faster the plays of a throw are found, and one play is judged, than by trying them out.

The plain way does what a person with a board would do: take a copy, move a coin with one die and a
coin with the other, in both orders of the dice, and keep every board that has not come up before.
For each position all throws are played that are no Pass Number; both ways must find the same plays
and boards. The two take turns, and the best of fifteen runs counts, in processor time. Run it on a
quiet machine: ``python tests/bench/tablero_plays.py``.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import combinations_with_replacement

from ledger.games import options_of
from ledger.games.protocol import Action
from ledger.games.tablero import GAME, PASS_NUMBERS, Phase

RUNS = 15
THROWS = [
    dice for dice in combinations_with_replacement(range(1, 7), 2) if sum(dice) not in PASS_NUMBERS
]
POSITIONS = {
    "South begins": ("7711111 13,16 0 0 south throw", 630),
    "North begins": ("7777711 16,13 0 0 north throw", 630),
    "no Formation": ("2635417 15,14 0 0 south throw", 693),
    "Formation of six": ("4444441 15,14 0 0 south throw", 764),
    "Formation of seven": ("4444444 15,14 0 0 north throw", 868),
    "under a Wager": ("4464152 15,9 5 0 north throw", 714),
}
"""Positions, and how many plays all those throws have together."""

COLUMNS = "abcdefg"
Board = list[int]
"""The row of the coin in each column from a to g."""


# ---- the plain way


def plain_plays(board: Board, dice: tuple[int, int]) -> dict[tuple[int, ...], str]:
    """Every board that a throw can lead to, and the text of the play that does. For positions
    where a Formation of six counts on whatever row it stands."""
    one, two = dice
    found: dict[tuple[int, ...], str] = {}
    for first, second in ((one, two), (two, one)):
        for column, way, halfway in coin_moves(board, first):
            for again, way_again, after in coin_moves(halfway, second):
                if column != again or way == way_again:
                    found[tuple(after)] = told(board, after)
    alone = [after for die in dice for _, _, after in coin_moves(board, die)]
    if found:
        alone = [after for after in alone if six_in_a_row(board) and len(set(after)) == 1]
    return found | {tuple(after): told(board, after) for after in alone}


def coin_moves(board: Board, die: int) -> Iterator[tuple[int, int, Board]]:
    """Every way to move one coin with a die: its column, up or down, and the board after it."""
    for column in range(7):
        for way in (1, -1):
            after = board.copy()
            after[column] += way * die
            if 1 <= after[column] <= 7:
                yield column, way, after


def six_in_a_row(board: Board) -> bool:
    """Whether a Formation of six stands; seven in a row are none."""
    return len(set(board)) == 2 and 1 in (len(set(board[:6])), len(set(board[1:])))


def told(board: Board, after: Board) -> str:
    moved = zip(COLUMNS, board, after, strict=True)
    return " ".join(f"{column}{row}-{column}{to}" for column, row, to in moved if row != to)


# ---- both timed


class Throw:
    """One throw in one position: all its plays and one of them, found and judged both ways."""

    def __init__(self, position: str, dice: tuple[int, int]) -> None:
        options = options_of(GAME, GAME.rulesets["tablero"])
        self.board, self.dice = [int(row) for row in position.split()[0]], dice
        self.state = GAME.throw(GAME.place(options, position), dice)
        reached = {GAME.apply(self.state, action).rows: action.text for action in self.actions}
        assert reached == plain_plays(self.board, dice), (position, dice)
        assert len(reached) == len(self.actions), "one board, two plays"
        self.plays = len(reached)
        if self.plays:
            self.given = self.actions[self.plays // 2]
            self.reached = GAME.apply(self.state, self.given).rows
            assert self.plain_judged()

    @property
    def actions(self) -> list[Action]:
        """What may be done once the dice lie; nothing where the throw completes by itself."""
        return list(GAME.legal(self.state)) if self.state.phase is Phase.MOVE else []

    def found(self) -> object:
        return GAME.legal(self.state)

    def plain_found(self) -> object:
        return sorted(plain_plays(self.board, self.dice).values())

    def judged(self) -> object:
        return GAME.apply(self.state, self.given)

    def plain_judged(self) -> bool:
        return plain_plays(self.board, self.dice)[self.reached] == self.given.text


def best(*works: Callable[[Throw], object], throws: list[Throw]) -> list[float]:
    """Microseconds a throw of each of the ways, the fastest run of each."""
    runs = [[seconds(work, throws) for work in works] for _ in range(RUNS)]
    return [min(column) / len(throws) * 1e6 for column in zip(*runs, strict=True)]


def seconds(work: Callable[[Throw], object], throws: list[Throw]) -> float:
    begun = time.process_time()
    for throw in throws:
        work(throw)
    return time.process_time() - begun


def main() -> None:
    print("microseconds a throw   plays  |  all: plain   ours ratio  |  one: plain   ours ratio")
    ratios = []
    for name, (position, plays) in POSITIONS.items():
        throws = [Throw(position, dice) for dice in THROWS]
        assert sum(throw.plays for throw in throws) == plays
        playable = [throw for throw in throws if throw.plays]
        plain, ours = best(Throw.plain_found, Throw.found, throws=playable)
        plain_one, ours_one = best(Throw.plain_judged, Throw.judged, throws=playable)
        ratios.append((plain / ours, plain_one / ours_one))
        print(
            f"{name:<22} {plays:5,}  | {plain:11,.0f} {ours:6,.0f} {plain / ours:5.1f}"
            f"  | {plain_one:11,.0f} {ours_one:6,.0f} {plain_one / ours_one:5.1f}"
        )
    least, least_one = (min(column) for column in zip(*ratios, strict=True))
    print(f"least ratio: all plays {least:.1f}, one play {least_one:.1f}")


if __name__ == "__main__":
    main()
