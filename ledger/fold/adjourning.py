"""Adjourned and resumed, with a sealed move where the game has no dice.

The arbiter adjourns; the seat to move may seal its move meanwhile, and opens it to resume. What
becomes of one that is illegal or stays unopened was said at opening: its side loses, or a ruling.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from ledger import sealing
from ledger.errors import Refused, TabellionError
from ledger.events import Adjournment, Result, Resumption, Unsealed
from ledger.fold.course import acting_seat, append, check_in_play
from ledger.fold.disputing import open_dispute
from ledger.fold.ending import end
from ledger.fold.parts import ARBITER, Entry, Phase, Sealed
from ledger.fold.state import MatchState
from ledger.games.protocol import Action

SEALED_MOVE: Final = "sealed_move"
"""How a forfeit came about when a sealed move was illegal, or was never opened."""


def adjourn(state: MatchState, entry: Entry, given: Adjournment) -> MatchState:
    if acting_seat(entry) == ARBITER:
        return _rest(state, entry, given)
    return _seal(state, entry, given)


def _rest(state: MatchState, entry: Entry, given: Adjournment) -> MatchState:
    if given.sealed is not None:
        raise Refused("wrong-role", "The seat to move seals its move, not the arbiter.")
    check_in_play(state)
    _check_no_dice(state)
    if state.sealed is not None:
        raise Refused("sealed-move", f"The sealed move {state.sealed.text} is played first.")
    return replace(append(state, entry), offers=(), adjourned=entry.event.seq)


def _check_no_dice(state: MatchState) -> None:
    """Games with dice rest between an action and the next throw."""
    if not state.game.dice:
        return
    rolling = state.rolling
    lying = rolling.flight or rolling.recorded or state.game.thrown(state.position)
    if lying or state.game.wanted(state.position) is None:
        raise Refused(
            "dice-on-board",
            "A game with dice is adjourned after an action and before the next throw.",
        )


def _seal(state: MatchState, entry: Entry, given: Adjournment) -> MatchState:
    seat = acting_seat(entry)
    if given.sealed is None or given.until is not None:
        raise Refused("wrong-role", "Only the arbiter adjourns; a seat seals a move.")
    if state.phase is not Phase.ADJOURNED:
        check_in_play(state)
        raise Refused("not-adjourned", "The arbiter adjourns before a move is sealed.")
    if state.game.dice:
        raise Refused("dice-on-board", "In a game with dice no move is sealed.")
    if state.sealed is not None:
        raise Refused("sealed-already", f"A move is sealed already, by event {state.sealed.seq}.")
    turn = state.game.turn(state.position)
    if seat != turn:
        whose = state.game.titles[turn] if turn else "nobody"
        raise Refused("wrong-turn", f"It is for {whose} to seal a move.")
    sealed = Sealed(entry.event.seq, seat, given.sealed)
    return replace(append(state, entry), sealed=sealed)


def resume(state: MatchState, entry: Entry, given: Resumption) -> MatchState:
    """The game goes on. With a sealed move its seat reads it; without, that stays unopened."""
    if state.adjourned is None or state.phase is not Phase.ADJOURNED:
        if state.closed:
            raise Refused("match-closed", "The match is closed.")
        raise Refused("not-adjourned", "The game is not adjourned.")
    seat = acting_seat(entry)
    if given.opened is not None:
        return _open(state, entry, seat, given.opened)
    if seat != ARBITER:
        raise Refused("wrong-role", "The arbiter resumes; a seat opens the move it sealed.")
    resumed = replace(state, adjourned=None)
    if state.sealed is None:
        return append(resumed, entry)
    return _forfeit(resumed, entry, state.sealed)


def _open(state: MatchState, entry: Entry, seat: str, opened: Unsealed) -> MatchState:
    sealed = state.sealed
    if sealed is None or seat != sealed.seat:
        raise Refused("no-seal", "No move of this seat is sealed.")
    number = state.game.seats.index(seat)
    nonce = bytes.fromhex(opened.nonce)
    if sealing.seal(state.match, sealed.seq, number, nonce, opened.move) != sealed.hash:
        raise Refused("wrong-seal", f"This is not the move that was sealed by event {sealed.seq}.")
    resumed = replace(state, adjourned=None)
    try:
        state.game.apply(state.position, Action("move", opened.move))
    except TabellionError:
        return _forfeit(resumed, entry, sealed)
    return replace(append(resumed, entry), sealed=replace(sealed, text=opened.move))


def _forfeit(state: MatchState, entry: Entry, sealed: Sealed) -> MatchState:
    """A sealed move that cannot be played."""
    if state.opening.sealed_move_unopened == "loses":
        winner = state.other(sealed.seat)
        result = Result(kind="forfeit", how=SEALED_MOVE, winner=winner)
        return replace(end(state, entry, result), sealed=None)
    return open_dispute(replace(append(state, entry), sealed=None), entry, sealed.seq)
