"""The fold itself: a match and its next event give the match after it, or a refusal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, assert_never, get_args

from ledger.errors import Refused, TabellionError
from ledger.events import (
    Adjourned,
    AppealDecided,
    Appealed,
    ArbiterReplaced,
    Called,
    Countersigned,
    DiabloCalled,
    DiceCommitted,
    DisputeRaised,
    DisputeSettled,
    DrawClaimed,
    Event,
    Finished,
    KeyReplaced,
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
    Resumed,
    RollConfirmed,
    Rolled,
    RollOpened,
    RollRecorded,
    RollVoided,
    Ruling,
    SeatAccepted,
    SignatureRefused,
    Stated,
    Stopped,
    Wagered,
)
from ledger.fold import (
    adjourning,
    closing,
    course,
    disputing,
    ending,
    offers,
    people,
    rolls,
    ruling,
    tabledice,
)
from ledger.fold.acts import Act, action_of
from ledger.fold.authority import check_authority, roster
from ledger.fold.course import append
from ledger.fold.parts import Entry, Moment
from ledger.fold.state import MatchState
from ledger.games import game as game_of

_PLAY: Final = frozenset((*get_args(Act), OfferMade, OfferAccepted, OfferDeclined, DrawClaimed))
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
    if state.dispute is not None:
        disputing.check_dispute(state, event)
    if type(event) in _PLAY:
        tabledice.check_confirmed(state)
    match event:
        case MatchOpened():
            raise Refused("opened-twice", "The match is open already.")
        case SeatAccepted():
            return people.accept(state, entry, event)
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
        case DisputeRaised():
            return disputing.dispute(state, entry, event.data)
        case DisputeSettled():
            return disputing.settle(state, entry, event.data)
        case Stated():
            return disputing.state_words(state, entry, event.data)
        case Ruling():
            return ruling.rule(state, entry, event)
        case Appealed():
            return disputing.appeal(state, entry, event.data)
        case AppealDecided():
            return ruling.decide(state, entry, event)
        case KeyReplaced():
            return people.replace_key(state, entry, event.data)
        case ArbiterReplaced():
            return people.replace_arbiter(state, entry, event.data)
        case Adjourned():
            return adjourning.adjourn(state, entry, event.data)
        case Resumed():
            return adjourning.resume(state, entry, event.data)
        case MatchClosed():
            return closing.close(state, entry, event.data)
        case Countersigned():
            return closing.countersign(state, entry, event.data)
        case SignatureRefused():
            return closing.refuse(state, entry, event.data)
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
