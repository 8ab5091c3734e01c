"""The state of a game of tablero: whose it is, in which phase, and how it ended.

States are immutable and carry their rules. What leads from one to the next is in ``play``.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from ledger.games.protocol import Outcome
from ledger.games.tablero.board import (
    EMPTY,
    PASS_NUMBERS,
    SEATS,
    SIDES,
    SIZE,
    SOUTH,
    STAKE,
    Phase,
    Rows,
    Written,
    longest,
)
from ledger.games.tablero.options import Rules


class State(Struct, frozen=True):
    """A game so far. ``side`` is the active player; nobody is before the opening is decided."""

    rules: Rules
    rows: Rows = EMPTY
    stakes: tuple[int, int] = (STAKE, STAKE)
    wager: int = 0
    pot: int = 0
    side: int | None = None
    phase: Phase = Phase.OPENING
    dice: tuple[int, ...] = ()
    """As thrown, while they are to be moved or answered."""
    left: tuple[int, ...] = ()
    """Those still to be moved."""
    moved: int | None = None
    """The column of the coin that one die has moved, where each coin moves by itself."""
    turns: int = 0
    """How often the dice have passed."""
    cap: int | None = None
    """After how many turns the game is over, if the match says so."""
    last: tuple[str, ...] = ()
    """Squares that the last act touched."""
    news: str = ""
    """What the last throw or act brought about, in a few words."""
    outcome: Outcome | None = None

    @property
    def active(self) -> int:
        """The side that has the dice; South throws them for the opening."""
        return self.side or SOUTH

    @property
    def own(self) -> str:
        return SIDES[self.active]

    @property
    def opponent(self) -> str:
        return SIDES[1 - self.active]

    @property
    def written(self) -> Written:
        return Written(
            self.rows, self.stakes, self.wager, self.pot, self.side, self.phase, self.left
        )

    @property
    def callable(self) -> bool:
        """Whether the opponent may call Diablo."""
        return self.phase is Phase.MOVE and sum(self.dice) in PASS_NUMBERS

    @property
    def may_be_done(self) -> bool:
        """Whether the die that is left may be left unplayed: the other one has brought the seventh
        coin into a Formation of six."""
        one_left = self.phase is Phase.MOVE and len(self.left) == 1
        at_an_end = self.moved in (None, 0, SIZE - 1)
        return one_left and at_an_end and longest(self.rows, self.rules) == SIZE


def at(rules: Rules, written: Written) -> State:
    """A game that begins at a position. Of a throw that is half moved nobody knows which coin has
    moved, nor whether it was a Pass Number."""
    state = State(
        rules=rules,
        rows=written.rows,
        stakes=written.stakes,
        wager=written.wager,
        pot=written.pot,
        side=written.side,
        phase=written.phase,
        dice=written.dice,
        left=written.dice,
    )
    if state.phase is not Phase.OVER:
        return state
    return replace(state, outcome=_as_written(state))


def _as_written(state: State) -> Outcome:
    """How a game ended of which only the last position is known."""
    if state.side is not None and not state.stakes[1 - state.side]:
        return ended(state.side, f"{state.opponent} is cleaned out")
    return ended(state.side, "The coins are counted", "settled")


def limited(state: State, turns: int) -> State:
    """The same game, over when the dice have passed so many times."""
    return replace(state, cap=turns)


def ended(winner: int | None, why: str, reason: str = "cleaned_out") -> Outcome:
    if winner is None:
        return Outcome(reason, None, f"{why}: a draw.")
    return Outcome(reason, SEATS[winner], f"{why}: {SIDES[winner]} wins.")
