"""Who owes what: the one step that a match waits for, whoever asks."""

from __future__ import annotations

from enum import Enum

from msgspec import Struct

from ledger.fold.rolls import awaited, uncommitted
from ledger.fold.state import ARBITER, MatchState, Phase


class Step(Enum):
    """What a match can wait for. The value is what ``--json`` says."""

    ACCEPT = "accept"
    COMMIT = "commit"
    """To the dice of the next roll."""
    THROW = "throw"
    OPEN = "open"
    """A roll that is thrown."""
    CONFIRM = "confirm"
    """Dice that were written down."""
    ACT = "act"
    CLOSE = "close"
    COUNTERSIGN = "countersign"
    NOTHING = "nothing"


class Due(Struct, frozen=True):
    """The step a match waits for, and whose it is: seats, or the arbiter. Of several any may go
    first."""

    step: Step
    whose: tuple[str, ...] = ()


def due(state: MatchState) -> Due:
    match state.phase:
        case Phase.BEFORE_ACCEPTANCE:
            return Due(Step.ACCEPT, state.unaccepted)
        case Phase.IN_PLAY:
            return _due_in_play(state)
        case Phase.ENDED:
            return Due(Step.CLOSE, (ARBITER,))
        case Phase.CLOSED:
            return Due(Step.COUNTERSIGN, state.unsigned) if state.unsigned else Due(Step.NOTHING)


def _due_in_play(state: MatchState) -> Due:
    rolling = state.rolling
    if rolling.flight is not None:
        return Due(Step.OPEN, awaited(state)[:1])
    if rolling.recorded is not None:
        return Due(Step.CONFIRM, (rolling.recorded.confirmer,))
    wanted = state.game.wanted(state.position)
    if wanted is not None and not state.game.legal(state.position):
        missing = uncommitted(state)
        return Due(Step.COMMIT, missing) if missing else Due(Step.THROW, (wanted.seat,))
    return Due(Step.ACT, (state.turn,)) if state.turn else Due(Step.NOTHING)


def signing(state: MatchState, seat: str) -> str:
    """The role that signs what a seat does: its own, or the arbiter for one without a key."""
    return seat if state.roster[seat].key else ARBITER
