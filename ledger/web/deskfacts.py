"""What the arbiter's page has to know of a match beside what everybody sees: what a closing has to
say, which dice wait for whose word, which acts can be taken back. From the fold alone."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ledger.errors import TabellionError
from ledger.events import AppealDecided, Closing, Ruling, Voiding
from ledger.fold import MatchState, cited
from ledger.fold.parts import ARBITER
from ledger.fold.rolls import contributors
from ledger.service import Draft, Service, planned


class WaitingView(Struct, frozen=True):
    """Dice, or their voiding, that wait for the word of a seat."""

    hash: str
    seat: str
    what: str
    """``dice`` or ``void``."""


class DeskView(Struct, frozen=True):
    """What the arbiter's page has to know of a match after event ``seq``."""

    match: str
    seq: int
    head: str
    yours: bool
    """Whether the key that is unlocked here is the arbiter's of this match."""
    roll: int
    """The number of the roll in flight, or of the next."""
    thrower: str | None
    """Whose throw comes next, in a game that is in play."""
    faces: int
    """How many dice are thrown then."""
    on_table: bool
    """Whether dice lie on the table and are written down."""
    waiting: tuple[WaitingView, ...]
    voidable: int | None
    """The roll whose dice can still be declared void."""
    standing: tuple[int, ...]
    """Events that can be taken back: acts of the game that stand."""
    with_dice: bool
    """Whether a rewind has to say what becomes of the dice."""
    closing: Closing | None
    """What the closing has to say, once there is a result."""
    at_issue: str | None
    """The hash of the dispute or the appeal that a statement is about."""
    result_event: str | None
    unsigned: tuple[str, ...]
    """Seats that have not signed the result."""
    sealed: str | None
    """The seat that sealed a move."""


def facts_of(service: Service, state: MatchState, *, yours: bool) -> DeskView:
    """The facts of a match as it stands. ``yours``: whether its arbiter's key is unlocked here."""
    wanted = state.game.wanted(state.position) if state.turn else None
    return DeskView(
        match=state.match,
        seq=state.seq,
        head=state.head,
        yours=yours,
        roll=state.rolling.number,
        thrower=wanted.seat if wanted else None,
        faces=wanted.count if wanted else 0,
        on_table=state.opening.dice is not None and not contributors(state),
        waiting=tuple(_waiting(state)),
        voidable=_voidable(service, state),
        standing=tuple(seq for seq in sorted(state.line()) if _taken_back(state, seq)),
        with_dice=bool(state.game.dice),
        closing=_closing(state),
        at_issue=_at_issue(state),
        result_event=state.result_event,
        unsigned=state.unsigned if state.sheet is not None else (),
        sealed=state.sealed.seat if state.sealed else None,
    )


def _closing(state: MatchState) -> Closing | None:
    """What a closing has to say to be taken, where one is due."""
    if state.result is None or state.sheet is not None:
        return None
    return Closing(result=state.result, ruling=cited(state))


def _waiting(state: MatchState) -> Iterator[WaitingView]:
    for what, each in (("dice", state.rolling.recorded), ("void", state.rolling.voiding)):
        if each is not None:
            yield WaitingView(each.hash, each.confirmer, what)


def _taken_back(state: MatchState, seq: int) -> bool:
    """Whether ``correct`` would take this event back: a ruling is taken back by another ruling."""
    ruled = isinstance(state.entries[seq].event, Ruling | AppealDecided)
    return state.moments[seq].acted and not ruled


def _at_issue(state: MatchState) -> str | None:
    if state.dispute is not None:
        return state.dispute.hash
    return state.appealed[-1].hash if state.appealed else None


def _voidable(service: Service, state: MatchState) -> int | None:
    """The last dice that were written down, if the arbiter's word would void them now."""
    recorded = state.rolling.recorded
    last = recorded.roll if recorded else (None, *state.rolling.rolls)[-1]
    if last is None or contributors(state):
        return None
    draft = Draft("roll.voided", Voiding(roll=last.number, reason="cocked"), ARBITER)
    try:
        service.rehearse(state, [planned(draft)])
    except TabellionError:
        return None
    return last.number
