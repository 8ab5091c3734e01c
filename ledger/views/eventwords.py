"""What an event did, in a few words: the lines of the log."""

from __future__ import annotations

from typing import assert_never

from ledger.events import (
    Adjourned,
    AppealDecided,
    Appealed,
    ArbiterReplaced,
    Award,
    Called,
    Countersigned,
    DiabloCalled,
    DiceCommitted,
    Dismissed,
    DisputeRaised,
    DisputeSettled,
    DrawClaimed,
    Effect,
    Event,
    Finished,
    GivenResult,
    KeyReplaced,
    MatchClosed,
    MatchOpened,
    Moved,
    NewContributors,
    Note,
    OfferAccepted,
    OfferDeclined,
    OfferMade,
    Passed,
    Penalty,
    Physical,
    Pulled,
    Ran,
    Resigned,
    Resumed,
    Rewind,
    RollConfirmed,
    Rolled,
    RollOpened,
    RollRecorded,
    RollVoided,
    Ruling,
    SeatAccepted,
    SetPosition,
    SignatureRefused,
    Stated,
    Stopped,
    Wagered,
    Withdrawn,
)
from ledger.fold import MatchState, describe
from ledger.fold.parts import ARBITER, Roll
from ledger.fold.ruling import PENALTIES
from ledger.views.words import faces, given_words, offer_words


def event_words(state: MatchState, event: Event) -> str:
    """What an event did, in a few words."""
    seat = event.for_ or event.by
    name = state.holder(seat, event.seq).name
    match event:
        case MatchOpened():
            seats = event.data.seats
            players = " – ".join(seats[each].name for each in state.game.seats)
            return f"{name} opens {event.data.ruleset.name}: {players}"
        case SeatAccepted():
            return f"{name} accepts"
        case DiceCommitted():
            return f"{name} commits to roll {event.data.roll}"
        case Rolled():
            return f"{name} throws roll {event.data.roll}{_fell(state, event)}"
        case RollOpened():
            return f"{name} opens roll {event.data.roll}{_fell(state, event)}"
        case RollRecorded():
            lie = _fell(state, event) or f": {faces(event.data.dice)}"
            return (
                f"{state.holder(event.by, event.seq).name} writes down roll {event.data.roll}{lie}"
            )
        case RollConfirmed():
            return f"{name} confirms {_confirmed(state, event.data.confirms)}"
        case RollVoided():
            return f"{name} voids roll {event.data.roll}: {event.data.reason}"
        case Moved():
            return f"{name} moves {event.data.move}{_news(state, event)}"
        case Pulled():
            return f"{name} pulls {event.data.pull}{_news(state, event)}"
        case Wagered():
            return f"{name} wagers{_news(state, event)}"
        case Passed():
            return f"{name} passes{_news(state, event)}"
        case Ran():
            return f"{name} declares a Run{_news(state, event)}"
        case Stopped():
            return f"{name} stops the Run{_news(state, event)}"
        case DiabloCalled():
            return f"{name} calls Diablo{_news(state, event)}"
        case Finished():
            return f"{name} leaves the other die{_news(state, event)}"
        case Called():
            return f"{name} calls {event.data.call}"
        case OfferMade():
            return f"{name} offers {offer_words(state, event.seq, event.data)}"
        case OfferAccepted():
            return f"{name} agrees: {_answered(state, event.data.offer)}"
        case OfferDeclined():
            return f"{name} declines: {_answered(state, event.data.offer)}"
        case DrawClaimed():
            return f"{name} claims a draw"
        case Resigned():
            return f"{name} resigns"
        case DisputeRaised():
            return f"{name} disputes event {event.data.event}: {event.data.text}"
        case DisputeSettled():
            ended = any(each.ended == event.seq for each in state.disputes)
            about = _settled(state, event)
            return f"{name} agrees: {about} is settled" if ended else f"{name} would settle {about}"
        case Stated():
            return f"{name} states: {event.data.text}{_file(event.data.sha256)}"
        case Ruling():
            return f"ruling: {_decided_so(state, event)}"
        case Appealed():
            against = _event_with(state, event.data.against)
            return f"{name} appeals against event {against}: {event.data.text}"
        case AppealDecided():
            appeal = _event_with(state, event.data.appeal)
            return f"{name} decides the appeal of event {appeal}: {_decided_so(state, event)}"
        case KeyReplaced():
            return f"{_replaced(state, event)}: {event.data.reason}"
        case ArbiterReplaced():
            return f"{_succeeds(state, event)}: {event.data.reason}"
        case Adjourned():
            until = f" until {event.data.until}" if event.data.until else ""
            return f"{name} seals a move" if event.data.sealed else f"adjourned{until}"
        case Resumed():
            return _resumed(state, event)
        case MatchClosed():
            ruling = event.data.ruling
            by = f", by the ruling of event {_event_with(state, ruling)}" if ruling else ""
            return f"closed: {describe(event.data.result)}{by}"
        case Countersigned():
            absent = event.data.absent
            instead = f" instead of {_holder(state, event, absent)}" if absent else ""
            return f"{name} countersigns{instead}"
        case SignatureRefused():
            unwilling = _holder(state, event, event.data.seat)
            return f"{unwilling} does not sign the result: {event.data.reason}"
        case Note():
            return f"note by {name}: {event.data.text}{_file(event.data.sha256)}"


def _answered(state: MatchState, digest: str) -> str:
    """The offer that an answer names: "a draw, offered in event 7"."""
    for entry in state.entries:
        if entry.hash == digest and isinstance(entry.event, OfferMade):
            seq = entry.event.seq
            return f"{offer_words(state, seq, entry.event.data)}, offered in event {seq}"
    return "an offer"


def _fell(state: MatchState, event: Event) -> str:
    """The dice that exist since this event: ": 2-5-6"."""
    for roll in state.rolling.rolls:
        if roll.seq == event.seq and roll.counted and _of_match(state, event):
            return f": {faces(roll.dice)}{_decided(state, roll)}"
    return ""


def _news(state: MatchState, event: Event) -> str:
    """What an act brought about: ": the Wager of 5 goes back to South"."""
    if not _of_match(state, event):
        return ""
    news = state.game.news(state.moments[event.seq].game)
    return f": {news}" if news else ""


def _of_match(state: MatchState, event: Event) -> bool:
    """Whether an event is one of the chain, and not one of a copy that was set aside."""
    return event.seq <= state.seq and state.entries[event.seq].event == event


def _decided(state: MatchState, roll: Roll) -> str:
    """What a throw of one die each has decided: ", a tie", ", Alba begins"; of any other what it
    brought about by itself."""
    after = state.moments[roll.seq].game
    if len(set(roll.owners)) < 2:
        news = state.game.news(after)
        return f", {news}" if news else ""
    following = state.game.wanted(after)
    if following is None:
        return ""
    tie = len(set(following.owners)) > 1
    return ", a tie" if tie else f", {state.holder(following.seat, roll.seq).name} begins"


def _confirmed(state: MatchState, digest: str) -> str:
    """What a confirmation is about: "the dice 2-5-6", "that roll 4 is void"."""
    for entry in state.entries:
        if entry.hash == digest and isinstance(entry.event, RollRecorded):
            rolls = (roll for roll in state.rolling.rolls if roll.thrown == entry.event.seq)
            decided = "".join(_decided(state, roll) for roll in rolls)
            return f"the dice {faces(entry.event.data.dice)}{decided}"
        if entry.hash == digest and isinstance(entry.event, RollVoided):
            return f"that roll {entry.event.data.roll} is void"
    return "an event"


def _file(sha256: str | None) -> str:
    return f" (file SHA-256 {sha256})" if sha256 else ""


def _holder(state: MatchState, event: Event, role: str) -> str:
    """Who held a role that an event names, when it was signed."""
    return state.holder(role, event.seq).name if role in state.roster else role


def _event_with(state: MatchState, digest: str) -> str:
    """The number of the event with this hash."""
    found = [str(entry.event.seq) for entry in state.entries if entry.hash == digest]
    return found[0] if found else "?"


def _replaced(state: MatchState, event: KeyReplaced) -> str:
    given, before = event.data, state.holder(event.data.role, event.seq).name
    title = state.game.titles.get(given.role, f"the {given.role}")
    if given.name != before:
        how = "" if given.key else " without a key, the arbiter writes"
        return f"{given.name} takes the place of {before} ({title}){how}"
    if given.key is None:
        return f"{given.name} ({title}) goes on without a key, the arbiter writes"
    return f"{given.name} ({title}) goes on with another key"


def _succeeds(state: MatchState, event: ArbiterReplaced) -> str:
    before, given = state.holder(ARBITER, event.seq).name, event.data
    by = "" if event.by == ARBITER else f", put in by {_holder(state, event, event.by)}"
    if given.name == before:
        return f"{given.name} (the arbiter) goes on with another key{by}"
    return f"{given.name} is the arbiter from here on, in place of {before}{by}"


def _settled(state: MatchState, event: DisputeSettled) -> str:
    """The dispute that a consent is about."""
    about = [each.about for each in state.disputes if each.hash == event.data.dispute]
    return f"the dispute about event {about[0]}" if about else "the dispute"


def _resumed(state: MatchState, event: Resumed) -> str:
    name = state.holder(event.for_ or event.by, event.seq).name
    if event.data.opened:
        return f"{name} resumes with the sealed move {event.data.opened.move}"
    if _of_match(state, event) and state.moments[event.seq].result:
        return "resumed; the sealed move stays unopened"
    if any(dispute.seq == event.seq for dispute in state.disputes):
        return "resumed; the sealed move stays unopened, the arbiter rules"
    return "resumed"


def _decided_so(state: MatchState, event: Ruling | AppealDecided) -> str:
    effects = ", ".join(effect_words(state, event, effect) for effect in event.data.effects)
    return f"{effects}: {event.data.reason} [{event.data.rule}]"


def effect_words(state: MatchState, event: Event, effect: Effect) -> str:
    """What a ruling, or the decision of an appeal, does."""
    match effect:
        case Dismissed():
            return "dismissed"
        case Rewind():
            return _back(state, event, effect)
        case SetPosition():
            return f"the position is {effect.position}{_dropped(state, event)}"
        case Penalty():
            return f"{PENALTIES[effect.penalty]} for {_holder(state, event, effect.seat)}"
        case Withdrawn():
            return f"the penalty of event {effect.ruling} is withdrawn"
        case GivenResult():
            return given_words(state, effect.kind, effect.winner)
        case Award():
            return f"roll {effect.roll} counts as {faces(effect.dice)}"
        case NewContributors():
            names = ", ".join(_holder(state, event, role) for role in effect.contributors)
            return f"roll {effect.roll} is dead, the next are made by {names}"
        case _ as never:
            assert_never(never)


def _dropped(state: MatchState, event: Event) -> str:
    """The dice that lay there and do not count since a position was set without them."""
    if not _of_match(state, event):
        return ""
    before, after = (state.moments[seq].game for seq in (event.seq - 1, event.seq))
    lay = state.game.thrown(before)
    return f", the dice {faces(lay)} do not count" if lay and not state.game.thrown(after) else ""


def _back(state: MatchState, event: Event, effect: Rewind) -> str:
    """Where a rewind goes back to: with dice thrown anew that may be before the event it names."""
    to = state.moments[event.seq].before if _of_match(state, event) else effect.to
    anew = "written down" if isinstance(state.opening.dice, Physical) else "thrown"
    how = {"keep": ", dice kept", "rethrow": f", dice {anew} anew", None: ""}[effect.dice]
    return f"back to event {to}{how}"
