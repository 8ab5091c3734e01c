"""The fold itself: a match and its next event give the match after it, or a refusal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from msgspec.structs import replace

from ledger.errors import Refused, TabellionError
from ledger.events import (
    Closing,
    Countersigned,
    Event,
    MatchClosed,
    MatchOpened,
    Moved,
    Note,
    Resigned,
    Result,
    Rewind,
    Ruling,
    SeatAccepted,
    type_of,
)
from ledger.fold.authority import check_authority, roster
from ledger.fold.state import Entry, MatchState, Moment, Phase
from ledger.games import game as game_of
from ledger.games.protocol import Action, Outcome


def open_match(entries: Sequence[Entry]) -> MatchState:
    """Fold ``entries`` from the first on. Raises ``Refused`` at the first that does not fit."""
    if not entries:
        raise Refused("not-opened", "There is no event.")
    state = begin(entries[0])
    for entry in entries[1:]:
        state = advance(state, entry)
    return state


def as_of(state: MatchState, seq: int) -> MatchState:
    """The same match as it stood after event ``seq``."""
    return open_match(state.entries[: seq + 1])


def begin(entry: Entry) -> MatchState:
    """The match that ``entry`` opens. Raises ``Refused``."""
    event = entry.event
    if not isinstance(event, MatchOpened):
        raise Refused("not-opened", "The first event of a match opens it; this one does not.")
    if event.seq != 0 or event.match is not None or event.prev is not None:
        raise Refused("bad-chain", "The opening has number 0, no match and no previous event.")
    check_authority(None, entry)
    rules = event.data.ruleset
    try:
        game = game_of(rules.game)
        start = game.start(rules.options)
    except TabellionError as error:
        raise Refused(error.code, error.message, hint=error.hint) from None
    if event.data.dice is not None:
        raise Refused("no-dice", f"{rules.name} is played without dice.")
    if event.data.turn_cap is not None:
        raise Refused("no-turn-cap", f"{rules.name} has no end after a number of turns.")
    return MatchState(
        match=entry.hash,
        opening=event.data,
        game=game,
        roster=roster(event.data, game.seats),
        entries=(entry,),
        moments=(Moment(start, None, 0, False),),
    )


def advance(state: MatchState, entry: Entry) -> MatchState:
    """``state`` after ``entry``. Raises ``Refused``: chain, authority, phase or rules."""
    event = entry.event
    _check_chain(state, event)
    check_authority(state, entry)
    match event:
        case MatchOpened():
            raise Refused("opened-twice", "The match is open already.")
        case SeatAccepted():
            return _accept(state, entry, event)
        case Moved():
            return _act(state, entry, Action(type_of(event), event.data.move))
        case Resigned():
            return _resign(state, entry)
        case Ruling():
            return _rule(state, entry, event)
        case MatchClosed():
            return _close(state, entry, event.data)
        case Countersigned():
            return _countersign(state, entry, event)
        case Note():
            return _append(state, entry)
        case _:
            assert_never(event)


def _check_chain(state: MatchState, event: Event) -> None:
    if event.match != state.match:
        raise Refused("wrong-match", "The event belongs to another match.")
    if event.seq != state.seq + 1:
        raise Refused(
            "bad-seq", f"Event {state.seq + 1} should follow; this one says it is {event.seq}."
        )
    if event.prev != state.head:
        raise Refused("bad-chain", f"Event {event.seq} does not continue event {state.seq}.")


def _append(state: MatchState, entry: Entry, moment: Moment | None = None) -> MatchState:
    if moment is None:
        last = state.moments[-1]
        moment = Moment(last.game, last.result, state.seq, False)
    return replace(state, entries=(*state.entries, entry), moments=(*state.moments, moment))


def _accept(state: MatchState, entry: Entry, event: SeatAccepted) -> MatchState:
    if event.by in state.accepted:
        raise Refused("accepted-twice", f"{event.by} has accepted the match already.")
    return replace(_append(state, entry), accepted=state.accepted | {event.by})


def _check_in_play(state: MatchState) -> None:
    match state.phase:
        case Phase.IN_PLAY:
            return
        case Phase.BEFORE_ACCEPTANCE:
            waiting = " and ".join(state.game.titles[seat] for seat in state.unaccepted)
            raise Refused(
                "not-accepted",
                f"Play begins when {waiting} have accepted the match.",
                hint="tabellion accept",
            )
        case Phase.ENDED:
            raise Refused("game-over", "The game is over.", hint="tabellion close")
        case Phase.CLOSED:
            raise Refused("match-closed", "The match is closed.")
        case _ as never:
            assert_never(never)


def _acting_seat(entry: Entry) -> str:
    return entry.event.for_ or entry.event.by


def _act(state: MatchState, entry: Entry, action: Action) -> MatchState:
    _check_in_play(state)
    turn = state.game.turn(state.position)
    if _acting_seat(entry) != turn:
        whose = state.game.titles[turn] if turn else "nobody"
        raise Refused(
            "wrong-turn",
            f"It is for {whose} to act, not for {state.game.titles[_acting_seat(entry)]}.",
        )
    try:
        after = state.game.apply(state.position, action)
    except Refused:
        raise
    except TabellionError as error:
        raise Refused(error.code, error.message, hint=error.hint) from None
    return _append(state, entry, Moment(after, _result(state.game.outcome(after)), state.seq, True))


def _result(outcome: Outcome | None) -> Result | None:
    if outcome is None:
        return None
    return Result(
        kind="win" if outcome.winner else "draw", how=outcome.reason, winner=outcome.winner
    )


def _resign(state: MatchState, entry: Entry) -> MatchState:
    _check_in_play(state)
    first, second = state.game.seats
    winner = second if _acting_seat(entry) == first else first
    result = Result(kind="win", how="resigned", winner=winner)
    return _append(state, entry, Moment(state.position, result, state.seq, True))


def _rule(state: MatchState, entry: Entry, event: Ruling) -> MatchState:
    if state.closed:
        raise Refused("match-closed", "The match is closed: its result stands.")
    if len(event.data.effects) != 1:
        raise Refused("effects-clash", "A ruling rewinds the game once.")
    (effect,) = event.data.effects
    return _rewind(state, entry, effect)


def _rewind(state: MatchState, entry: Entry, effect: Rewind) -> MatchState:
    if effect.to >= state.seq + 1:
        raise Refused("no-such-event", f"There is no event {effect.to} to go back to.")
    if effect.dice is not None:
        raise Refused("no-dice", "The game has no dice to keep or to throw anew.")
    target = state.moments[effect.to]
    if target.game == state.position and target.result == state.moments[-1].result:
        raise Refused("nothing-to-rewind", f"The game stands as it stood after event {effect.to}.")
    return _append(state, entry, Moment(target.game, target.result, effect.to, False))


def _close(state: MatchState, entry: Entry, closing: Closing) -> MatchState:
    if state.closed:
        raise Refused("match-closed", "The match is closed already.")
    result = state.moments[-1].result
    if result is None:
        raise Refused("not-over", "The game is not over: there is no result to close it with.")
    if closing.result != result:
        raise Refused(
            "wrong-result",
            f"The result is {describe(result)}, not {describe(closing.result)}.",
        )
    return replace(
        _append(state, entry), closed=result, result_event=entry.hash, countersigned=frozenset()
    )


def _countersign(state: MatchState, entry: Entry, event: Countersigned) -> MatchState:
    if state.result_event is None:
        raise Refused("not-closed", "The arbiter closes the match first.", hint="tabellion close")
    if event.data.result_event != state.result_event:
        raise Refused("wrong-result-event", "This is not the event that gave the result.")
    if event.by in state.countersigned:
        raise Refused("countersigned-twice", f"{event.by} has countersigned this result already.")
    return replace(_append(state, entry), countersigned=state.countersigned | {event.by})


def describe(result: Result) -> str:
    """A result in a few words: "a win for swedes (goal)"."""
    kind = {
        "win": "a win",
        "draw": "a draw",
        "forfeit": "a forfeit",
        "double_forfeit": "a double forfeit",
        "annulled": "annulled",
    }[result.kind]
    return f"{kind}{f' for {result.winner}' if result.winner else ''} ({result.how})"
