"""The course of the game: acts on it.

Every function gives the match after an event, or refuses. Chain and authority are checked before.
"""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from ledger.errors import Refused, TabellionError
from ledger.events import Called, Result, SettlementOffer
from ledger.fold.parts import Entry, Moment, Phase
from ledger.fold.state import MatchState
from ledger.games.protocol import Action, Outcome


def append(state: MatchState, entry: Entry, moment: Moment | None = None) -> MatchState:
    """``state`` with one more event, which leaves the game as it is or gives it a new moment."""
    if moment is None:
        last = state.moments[-1]
        moment = Moment(last.game, last.result, state.seq, False)
    return replace(state, entries=(*state.entries, entry), moments=(*state.moments, moment))


def acting_seat(entry: Entry) -> str:
    """The seat whose act this is, whoever wrote it down."""
    return entry.event.for_ or entry.event.by


def check_in_play(state: MatchState) -> None:
    match state.phase:
        case Phase.IN_PLAY:
            return
        case Phase.BEFORE_ACCEPTANCE:
            waiting = " and ".join(state.roster[seat].name for seat in state.unaccepted)
            has = "has" if len(state.unaccepted) == 1 else "have"
            goes = "goes on" if state.changes else "begins"
            raise Refused(
                "not-accepted",
                f"Play {goes} when {waiting} {has} accepted the match.",
                hint="tabellion accept",
            )
        case Phase.DISPUTED:
            check_frozen(state)
        case Phase.ADJOURNED:
            raise Refused(
                "adjourned", "The game is adjourned: it is resumed first.", hint="tabellion resume"
            )
        case Phase.ENDED:
            raise Refused("game-over", "The game is over.", hint="tabellion close")
        case Phase.CLOSED | Phase.APPEALED:
            raise Refused("match-closed", "The match is closed.")
        case _ as never:
            assert_never(never)


def check_frozen(state: MatchState) -> None:
    """Refuse what a dispute holds up."""
    dispute = state.dispute
    if dispute is None:
        return
    keyed = all(state.roster[seat].key for seat in state.game.seats)
    settle = "; where both agree: tabellion settle --help"
    raise Refused(
        "disputed",
        f"Event {dispute.about} is disputed (event {dispute.seq}): nothing goes on before the "
        "arbiter has ruled. More can be said of it (statement).",
        hint=f"tabellion ruling --help{settle if keyed and state.opening.settlements else ''}",
    )


def act(state: MatchState, entry: Entry, action: Action) -> MatchState:
    """An action of the game. What the other side had offered lapses with it, and any settlement,
    which was meant for the position before; not so with an action beside the turn (a call): that
    belongs to the move before."""
    check_in_play(state)
    seat, actor = acting_seat(entry), state.game.actor(state.position, action.kind)
    if seat != actor:
        whose = state.game.titles[actor] if actor else "nobody"
        raise Refused("wrong-turn", f"It is for {whose} to act, not for {state.game.titles[seat]}.")
    beside = isinstance(entry.event, Called)
    if not beside:
        _check_sealed(state, action)
    try:
        after = state.game.apply(state.position, action)
    except Refused:
        raise
    except TabellionError as error:
        raise Refused(error.code, error.message, hint=error.hint) from None
    result = result_of(state.game.outcome(after))
    kept = tuple(
        offer
        for offer in state.offers
        if beside or (offer.seat == seat and not isinstance(offer.terms, SettlementOffer))
    )
    standing = () if result else kept
    acted = append(state, entry, Moment(after, result, state.seq, True))
    if state.sealed is not None and not beside:
        acted = replace(acted, sealed=None)
    if state.rolling.voiding is not None:  # something was done with the dice
        acted = replace(acted, rolling=replace(state.rolling, voiding=None))
    return acted if standing == state.offers else replace(acted, offers=standing)


def _check_sealed(state: MatchState, action: Action) -> None:
    """After a sealed move was read it is the one that is played."""
    text = state.sealed.text if state.sealed else None
    if text is not None and (action.kind, action.text) != ("move", text):
        raise Refused("sealed-move", f"The sealed move is {text}: it is played first.")


def result_of(outcome: Outcome | None) -> Result | None:
    if outcome is None:
        return None
    return Result(
        kind="win" if outcome.winner else "draw", how=outcome.reason, winner=outcome.winner
    )
