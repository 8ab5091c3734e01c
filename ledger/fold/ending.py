"""How the players end a game: by a resignation, by a draw."""

from __future__ import annotations

from msgspec.structs import replace

from ledger.events import Result
from ledger.fold.course import acting_seat, append, check_in_play
from ledger.fold.parts import Entry, Moment, Phase
from ledger.fold.rolls import given_up
from ledger.fold.state import MatchState
from ledger.games.protocol import State


def end(
    state: MatchState, entry: Entry, result: Result | None, game: State | None = None
) -> MatchState:
    """The players end the game, as it stands or as ``game``. Open offers lapse, and a roll in
    flight is given up."""
    ended = append(
        state, entry, Moment(state.position if game is None else game, result, state.seq, True)
    )
    return replace(ended, offers=(), rolling=given_up(state, entry.event.seq))


def resign(state: MatchState, entry: Entry) -> MatchState:
    resting = state.phase is Phase.ADJOURNED
    waiting = state.phase is Phase.BEFORE_ACCEPTANCE and state.under_way  # for a new key
    if not (resting or waiting):
        check_in_play(state)
    winner = state.other(acting_seat(entry))
    return end(state, entry, Result(kind="win", how="resigned", winner=winner))


def claim_draw(state: MatchState, entry: Entry) -> MatchState:
    """A draw that the rules let either player claim, in the position that stands."""
    check_in_play(state)
    outcome = state.game.claim(state.position)
    return end(state, entry, Result(kind="draw", how=outcome.reason))
