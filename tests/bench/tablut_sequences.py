"""Nodes per second of walking move sequences: ours, and python-chess beside it.

Ours walks to depth 3 from the start of tablut and makes every position, the leaves too.
python-chess walks to depth 4 from its start and pushes every leaf. The two take turns, and the
best of five runs counts. Run it on a quiet machine: ``python tests/bench/tablut_sequences.py``.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import chess

from ledger.games.tablut import GAME, Position, Rules, successors

GOAL = 5
RUNS = 5


def tablut_nodes(rules: Rules, position: Position, depth: int) -> int:
    made = successors(rules, position)
    if depth == 1:
        return len(made)
    return len(made) + sum(tablut_nodes(rules, after, depth - 1) for after in made)


def chess_nodes(board: chess.Board, depth: int) -> int:
    nodes = 0
    for move in board.legal_moves:
        board.push(move)
        nodes += 1 if depth == 1 else 1 + chess_nodes(board, depth - 1)
        board.pop()
    return nodes


def walk_tablut() -> int:
    state = GAME.start({name: option.default for name, option in GAME.options.items()})
    return tablut_nodes(state.rules, state.position, 3)


def walk_chess() -> int:
    return chess_nodes(chess.Board(), 4)


def speed(walk: Callable[[], int]) -> float:
    begun = time.perf_counter()
    nodes = walk()
    return nodes / (time.perf_counter() - begun)


def main() -> None:
    runs = [(speed(walk_tablut), speed(walk_chess)) for _ in range(RUNS)]
    ours, theirs = (max(column) for column in zip(*runs, strict=True))
    print(f"tablut, depth 3:        {ours:12,.0f} nodes/s")
    print(f"python-chess, depth 4:  {theirs:12,.0f} nodes/s")
    print(f"ratio: {ours / theirs:.1f} (goal: {GOAL})")


if __name__ == "__main__":
    main()
