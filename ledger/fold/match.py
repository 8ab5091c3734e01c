"""The fold itself: a match and its next event give the match after it, or a refusal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, assert_never

from msgspec.structs import replace

from ledger.errors import Refused, TabellionError
from ledger.events import (
    Called,
    Closing,
    Countersigned,
    DiabloCalled,
    DiceCommitted,
    DrawClaimed,
    Event,
    Finished,
    MatchClosed,
    MatchOpened,
    Moved,
    Note,
    OfferAccepted,
    OfferDeclined,
    OfferMade,
    Passed,
    Pulled,
    Ran,
    Resigned,
    Result,
    RollConfirmed,
    Rolled,
    RollOpened,
    RollRecorded,
    RollVoided,
    Ruling,
    SeatAccepted,
    Stopped,
    Wagered,
)
from ledger.fold import course, ending, offers, rolls, tabledice
from ledger.fold.acts import Act, action_of
from ledger.fold.authority import check_authority, roster
from ledger.fold.course import append
from ledger.fold.rewinding import rewind
from ledger.fold.state import Entry, MatchState, Moment
from ledger.games import game as game_of

_PLAY: Final = Act | OfferMade | OfferAccepted | OfferDeclined | DrawClaimed
"""What waits until dice on the table are confirmed."""


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
        if event.data.turn_cap is not None:
            start = game.limited(start, event.data.turn_cap)
    except TabellionError as error:
        raise Refused(error.code, error.message, hint=error.hint) from None
    if event.data.dice is not None and not game.dice:
        raise Refused("no-dice", f"{rules.name} is played without dice.")
    if event.data.dice is None and game.dice:
        raise Refused(
            "dice-unsaid", f"{rules.name} is played with dice: the opening says how they are made."
        )
    parties = roster(event.data, game.seats)
    rolls.check_contributors(event.data, game.seats, parties)
    return MatchState(
        match=entry.hash,
        opening=event.data,
        game=game,
        roster=parties,
        entries=(entry,),
        moments=(Moment(start, None, 0, False),),
    )


def advance(state: MatchState, entry: Entry) -> MatchState:
    """``state`` after ``entry``. Raises ``Refused``: chain, authority, phase or rules."""
    event = entry.event
    _check_chain(state, event)
    check_authority(state, entry)
    rolls.check_flight(state, event)
    if isinstance(event, _PLAY):
        tabledice.check_confirmed(state)
    match event:
        case MatchOpened():
            raise Refused("opened-twice", "The match is open already.")
        case SeatAccepted():
            return _accept(state, entry, event)
        case DiceCommitted():
            return rolls.commit(state, entry, event.data)
        case Rolled():
            return rolls.throw(state, entry, event.data)
        case RollOpened():
            return rolls.open_roll(state, entry, event.data)
        case RollRecorded():
            return tabledice.record(state, entry, event.data)
        case RollConfirmed():
            return tabledice.confirm(state, entry, event.data)
        case RollVoided():
            return tabledice.void(state, entry, event.data)
        case (
            Moved()
            | Pulled()
            | Wagered()
            | Passed()
            | Ran()
            | Stopped()
            | DiabloCalled()
            | Finished()
            | Called()
        ):
            return course.act(state, entry, action_of(event))
        case OfferMade():
            return offers.make(state, entry, event.data)
        case OfferAccepted():
            return offers.accept(state, entry, event.data.offer)
        case OfferDeclined():
            return offers.decline(state, entry, event.data.offer)
        case DrawClaimed():
            return ending.claim_draw(state, entry)
        case Resigned():
            return ending.resign(state, entry)
        case Ruling():
            return _rule(state, entry, event)
        case MatchClosed():
            return _close(state, entry, event.data)
        case Countersigned():
            return _countersign(state, entry, event)
        case Note():
            return append(state, entry)
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


def _accept(state: MatchState, entry: Entry, event: SeatAccepted) -> MatchState:
    if event.by in state.accepted:
        raise Refused(
            "accepted-twice", f"{state.roster[event.by].name} has accepted the match already."
        )
    return replace(append(state, entry), accepted=state.accepted | {event.by})


def _rule(state: MatchState, entry: Entry, event: Ruling) -> MatchState:
    if state.closed:
        raise Refused("match-closed", "The match is closed: its result stands.")
    if len(event.data.effects) != 1:
        raise Refused("effects-clash", "A ruling sets the game back once.")
    (effect,) = event.data.effects
    return rewind(state, entry, effect.to, effect.dice)


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
        append(state, entry), closed=result, result_event=entry.hash, countersigned=frozenset()
    )


def _countersign(state: MatchState, entry: Entry, event: Countersigned) -> MatchState:
    if state.result_event is None:
        raise Refused("not-closed", "The arbiter closes the match first.", hint="tabellion close")
    if event.data.result_event != state.result_event:
        raise Refused("wrong-result-event", "This is not the event that gave the result.")
    if event.by in state.countersigned:
        raise Refused(
            "countersigned-twice",
            f"{state.roster[event.by].name} has countersigned this result already.",
        )
    return replace(append(state, entry), countersigned=state.countersigned | {event.by})


def describe(result: Result) -> str:
    """A result in a few words: "a win for swedes (goal)"."""
    kind = {
        "win": "a win",
        "draw": "a draw",
        "forfeit": "a forfeit",
        "double_forfeit": "a double forfeit",
        "annulled": "annulled",
    }[result.kind]
    how = result.how.replace("_", " ")
    return f"{kind}{f' for {result.winner}' if result.winner else ''} ({how})"
