"""Ways: how moves are made on the board step by step, in every order that the rules allow.

Players lift one piece after another; only what comes of it all is the move. A game of many steps
has far more ways than moves, so they are kept as a map: from each place on the way the steps that
may follow, and where each of them leads.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct


class Step(Struct, frozen=True):
    """A piece goes from place to place: of a ``Surface``, or points of a ``Track`` as decimal
    numbers and its pools by name."""

    source: str
    target: str
    dice: tuple[int, ...] = ()
    """Those that it uses up."""
    word: str = ""
    """Where the text of a move says the order that was played: its word for this step. Such a move
    is written with the words and dice of its steps; others as they are listed."""


class Ways(Struct, frozen=True):
    """Every way to make the moves of a list on the board.

    Halts are numbered. The first are the moves themselves, made, in the order of the list; then
    come those where something is left to do, and ``start``. What leads on from a move that is made
    leads to other moves. A step may lead to several halts: then more steps tell them apart.
    """

    steps: tuple[Step, ...]
    start: int
    after: tuple[tuple[tuple[int, int], ...], ...]
    """For each halt the steps that may follow: which of ``steps``, and the halt it leads to."""


class Survey:
    """Ways while they are found, for a number of moves."""

    def __init__(self, moves: int) -> None:
        self._steps: dict[Step, int] = {}
        self._after: list[list[tuple[int, int]]] = [[] for _ in range(moves)]

    def halt(self) -> int:
        """One more, where something is left to do."""
        self._after.append([])
        return len(self._after) - 1

    def lead(self, here: int, step: Step, there: int) -> None:
        self._after[here].append((self._steps.setdefault(step, len(self._steps)), there))

    def made(self, start: int) -> Ways:
        return Ways(tuple(self._steps), start, tuple(map(tuple, self._after)))


def listed(moves: int, ways: Iterable[tuple[int, Sequence[Step]]]) -> Ways:
    """The map of ways that are listed one by one, each with the number of the move it makes."""
    found = Survey(moves)
    halts: dict[tuple[Step, ...], int] = {(): found.halt()}
    ends = set[tuple[int, tuple[Step, ...]]]()
    for move, way in ways:
        *before, last = way
        for made, step in enumerate(before):
            so_far, further = tuple(before[:made]), tuple(before[: made + 1])
            if further not in halts:
                halts[further] = found.halt()
                found.lead(halts[so_far], step, halts[further])
        if (end := (move, tuple(way))) not in ends:
            ends.add(end)
            found.lead(halts[tuple(before)], last, move)
    return found.made(halts[()])
