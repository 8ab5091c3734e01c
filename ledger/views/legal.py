"""The shapes of what may be done now: each act, and every way of making it on the board."""

from __future__ import annotations

from msgspec import Struct


class ActionView(Struct, frozen=True):
    """An action in its canonical spelling, and how it looks on the board."""

    seat: str
    """Whose act it is."""
    kind: str
    text: str
    typed: str
    """The words that people type for it."""
    dice: tuple[int, ...]
    """The die of each step, in games where a move is made of dice."""
    paths: tuple[tuple[str, str], ...]
    """From where to where pieces go, a pair for each step: places of a grid, points of a track as
    decimal numbers, its pools by name. Empty for what is not done by moving pieces."""


class StepView(Struct, frozen=True, rename={"source": "from", "target": "to"}):
    """A piece goes from place to place."""

    source: str
    target: str
    dice: tuple[int, ...]
    """Those that are used up."""
    word: str
    """Where the text of a move says the order that was played: its word for this step. Such a move
    is written with the words and dice of its steps in that order, others as they are listed."""


class WaysView(Struct, frozen=True):
    """How the moves are made on the board, in every order that the rules allow. Halts are
    numbered: first the moves themselves, made, as they are listed; then what lies on the way."""

    steps: tuple[StepView, ...]
    start: int
    """The halt before the first step."""
    after: tuple[tuple[tuple[int, int], ...], ...]
    """For each halt what may follow: the number of a step, and of the halt that it leads to."""


class MovesView(Struct, frozen=True):
    """What may be done now: empty when the game is over, or where dice must be thrown first."""

    match: str
    seq: int
    turn: str | None
    moves: tuple[ActionView, ...]
    ways: WaysView
    throw: str
    """The throw that may be made, in words; "" for none."""
    beside: tuple[ActionView, ...]
    """What may be done beside the turn: a call, right or wrong."""
    claim: str
    """Why a draw may be claimed, in words; "" where none may be."""
    points: tuple[int, int] | None
    """What each seat holds of what the game is played for; null where it is not for points."""
