"""Who owes what: the one step that a match waits for, whoever asks."""

from __future__ import annotations

from enum import Enum

from msgspec import Struct

from ledger.fold.parts import APPEAL, ARBITER, Phase
from ledger.fold.rolls import awaited, uncommitted
from ledger.fold.state import MatchState


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
    RULE = "rule"
    """A dispute, or what somebody can no longer do: the arbiter rules."""
    RESUME = "resume"
    CLOSE = "close"
    DECIDE = "decide"
    """An appeal."""
    COUNTERSIGN = "countersign"
    NOTHING = "nothing"


class Due(Struct, frozen=True):
    """The step a match waits for, and whose it is: seats, or the arbiter. Of several any may go
    first."""

    step: Step
    whose: tuple[str, ...] = ()


def due(state: MatchState) -> Due:
    """What the match waits for. Whoever has a new key accepts with it before anything else."""
    found = _step(state)
    signers = (signing(state, each) for each in found.whose)
    new = tuple(dict.fromkeys(role for role in signers if role in state.put_in))
    return Due(Step.ACCEPT, new) if new else found


def _step(state: MatchState) -> Due:
    match state.phase:
        case Phase.DISPUTED:
            return Due(Step.RULE, (ARBITER,))
        case Phase.ADJOURNED:
            return Due(Step.RESUME, (state.sealed.seat if state.sealed else ARBITER,))
        case Phase.BEFORE_ACCEPTANCE:
            in_flight = _due_in_flight(state)
            return in_flight or Due(Step.ACCEPT, state.unaccepted)
        case Phase.IN_PLAY:
            return _due_in_play(state)
        case Phase.ENDED:
            return Due(Step.CLOSE, (ARBITER,))
        case Phase.APPEALED:
            return Due(Step.DECIDE, (APPEAL,))
        case Phase.CLOSED:
            return Due(Step.COUNTERSIGN, state.unsigned) if state.unsigned else Due(Step.NOTHING)


def _due_in_play(state: MatchState) -> Due:
    rolling = state.rolling
    in_flight = _due_in_flight(state)
    if in_flight is not None:
        return in_flight
    if rolling.recorded is not None:
        return Due(Step.CONFIRM, (rolling.recorded.confirmer,))
    wanted = state.game.wanted(state.position)
    if wanted is not None and not state.game.legal(state.position):
        missing = uncommitted(state)
        if any(state.roster[role].key is None for role in missing):
            return Due(Step.RULE, (ARBITER,))
        return Due(Step.COMMIT, missing) if missing else Due(Step.THROW, (wanted.seat,))
    return Due(Step.ACT, (state.turn,)) if state.turn else Due(Step.NOTHING)


def _due_in_flight(state: MatchState) -> Due | None:
    """A roll in flight is opened; where the number is lost with its key the arbiter rules."""
    if state.rolling.flight is None:
        return None
    first = awaited(state)[0]
    if first not in state.rolling.commitments:
        return Due(Step.RULE, (ARBITER,))
    return Due(Step.OPEN, (first,))


def signing(state: MatchState, seat: str) -> str:
    """The role that signs what a seat does: its own, or the arbiter for one without a key."""
    return seat if state.roster[seat].key else ARBITER
