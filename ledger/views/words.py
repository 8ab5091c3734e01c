"""Words for people: who, what an event did, what a match waits for. From the fold alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, assert_never

from ledger.events import (
    Called,
    CommitReveal,
    Countersigned,
    DiabloCalled,
    DiceCommitted,
    DrawClaimed,
    DrawOffer,
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
    Physical,
    Pulled,
    Ran,
    Resigned,
    Rewind,
    RollConfirmed,
    Rolled,
    RollOpened,
    RollRecorded,
    RollVoided,
    Ruling,
    SeatAccepted,
    SettlementOffer,
    Stopped,
    TakebackOffer,
    Terms,
    Wagered,
)
from ledger.fold import MatchState, StandingOffer, describe
from ledger.fold.acts import Turn, action_of
from ledger.fold.due import Step, due, signing
from ledger.fold.state import Roll, Unconfirmed, line
from ledger.games import changed_options
from ledger.games.protocol import Game, State, Throw


def who(state: MatchState, role: str) -> str:
    """A seat with its player: "Alba (the Swedes)"; or the arbiter."""
    return f"{state.roster[role].name} ({state.game.titles.get(role, f'the {role}')})"


def next_step(state: MatchState) -> str:
    """Who has to do what now."""
    awaited = due(state)
    whose = " and ".join(who(state, role) for role in awaited.whose)
    scribed = all(signing(state, seat) != seat for seat in awaited.whose)
    scribe = "; the arbiter writes it down" if scribed else ""
    match awaited.step:
        case Step.ACCEPT:
            return f"{whose} must accept before play begins."
        case Step.COMMIT:
            return f"{whose} must commit to roll {state.rolling.number} before it is thrown."
        case Step.THROW:
            how_many = _how_many(state.game, state.game.wanted(state.position))
            return f"{whose} to throw {how_many}{scribe}."
        case Step.OPEN:
            deadline = state.opening.opening_deadline
            until = f" Deadline: {deadline}." if deadline else ""
            return f"Roll {state.rolling.number} is thrown: {whose} must open it.{until}"
        case Step.CONFIRM:
            return f"{whose} must confirm the dice {_dice_to_confirm(state)}{scribe}."
        case Step.ACT:
            dice = faces(state.game.thrown(state.position))
            possible = kinds(state)
            what = "must pass" if possible == ["pass"] else f"to {_or(possible)}"
            return f"{whose} {what}{f' with {dice}' if dice else ''}{scribe}."
        case Step.CLOSE:
            return f"{result_words(state)} The arbiter closes the match."
        case Step.COUNTERSIGN:
            return f"{result_words(state)} Closed; {whose} may countersign."
        case Step.NOTHING if state.closed:
            return f"{result_words(state)} Closed."
        case Step.NOTHING:
            return "Nobody has anything to do."


_NUMBERS: Final = ("no dice", "one die", "two dice", "three dice", "four dice")


def throw_wanted(game: Game, position: State) -> str:
    """The throw that may be made now, in a sentence; "" if there is none."""
    wanted = game.wanted(position)
    if wanted is None:
        return ""
    may = "may" if game.legal(position) else "to"
    title = game.titles[wanted.seat]
    return f"{title[0].upper()}{title[1:]} {may} throw {_how_many(game, wanted)}."


def _how_many(game: Game, wanted: Throw | None) -> str:
    """The dice of a throw: "three dice", "one die each, White's first"."""
    owners = wanted.owners if wanted else ()
    if len(set(owners)) > 1:
        return f"one die each, {game.titles[owners[0]]}'s first"
    return _NUMBERS[len(owners)] if len(owners) < len(_NUMBERS) else f"{len(owners)} dice"


def must_pass(state: MatchState) -> bool:
    """Whether there is nothing to do but to pass."""
    return kinds(state) == ["pass"]


def kinds(state: MatchState) -> list[str]:
    """What the seat to act may do, in the words of the commands, and whether it may throw."""
    game, position = state.game, state.position
    if game.actions <= {"move", "call"}:
        return ["move"]
    kinds = list(dict.fromkeys(action.kind for action in game.legal(position)))
    return [*kinds, "throw"] if game.wanted(position) else kinds


def _or(words: Sequence[str]) -> str:
    return " or ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def dice_words(state: MatchState) -> str:
    """How the dice of a match are made."""
    match state.opening.dice:
        case CommitReveal(contributors=roles):
            names = [who(state, role) for role in roles]
            if len(names) == 1:
                return f"made by {names[0]} alone"
            return f"made by {', '.join(names[:-1])} and {names[-1]}"
        case Physical(confirm=True):
            return "on the table, confirmed by the other seat"
        case Physical():
            return "on the table"
        case None:
            return "none"
        case _ as never:
            assert_never(never)


def rules_words(state: MatchState) -> str:
    """By which rules a match is played: the ruleset, what it is, and what was changed."""
    rules = state.opening.ruleset
    known = state.game.rulesets.get(rules.name)
    changed = changed_options(state.game, rules.name, rules.options)
    how = ", ".join(f"{name}={str(value).lower()}" for name, value in changed.items())
    return f"{rules.name}{f' ({known.title})' if known else ''}{f' with {how}' if how else ''}"


def faces(dice: Sequence[int]) -> str:
    """Dice as people write them: "2-5-6"."""
    return "-".join(map(str, dice))


def _dice_to_confirm(state: MatchState) -> str:
    recorded = state.rolling.recorded
    return faces(recorded.roll.dice) if recorded else ""


def result_words(state: MatchState) -> str:
    """The standing result as a sentence, "" while there is none."""
    result = state.result
    if result is None:
        return ""
    outcome = state.game.outcome(state.position)
    if outcome and outcome.reason == result.how:
        return outcome.text
    if result.how == "resigned" and result.winner:
        loser = state.other(result.winner)
        return f"{who(state, loser)} resigned: the game goes to {who(state, result.winner)}."
    last = _last_act(state)
    if isinstance(last, DrawClaimed):
        why = state.game.claim(state.position).text
        return f"{state.roster[last.for_ or last.by].name} claimed a draw. {why}"
    if isinstance(last, OfferAccepted):  # a settlement has an outcome of the game
        return "The players agreed to a draw."
    return f"Result: {describe(result)}."


def _last_act(state: MatchState) -> Event | None:
    """The last act that stands, on the board or by agreement."""
    acts = [seq for seq in state.line() if state.moments[seq].acted]
    return state.entries[max(acts)].event if acts else None


def standing(state: MatchState, offer: StandingOffer) -> str:
    """An offer that stands, and how to answer it."""
    other = state.other(offer.seat)
    digits = short_hash(state, offer.hash)
    offered = offer_words(state, offer.seq, offer.terms)
    return (
        f"{who(state, offer.seat)} offers {offered}. {state.roster[other].name}: "
        f"agree {digits} or decline {digits}."
    )


def offer_words(state: MatchState, seq: int, terms: Terms) -> str:
    """What event ``seq`` offers, after "offers"."""
    match terms:
        case DrawOffer():
            return "a draw"
        case TakebackOffer():
            moments = state.moments[:seq]
            acts = sorted(each for each in line(moments) if each > terms.to)
            events = [state.entries[each].event for each in acts if moments[each].acted]
            moves = [action_of(event).typed for event in events if isinstance(event, Turn)]
            named = ", ".join(moves[:4]) + (" …" if len(moves) > 4 else "")
            first = min((event.seq for event in events), default=terms.to + 1)
            return f"to take back event {first} and what followed{f' ({named})' if named else ''}"
        case SettlementOffer():
            shares = zip(state.game.seats, terms.split, strict=True)
            return "a settlement: " + ", ".join(
                f"{who(state, seat)} {share}" for seat, share in shares
            )
        case _ as never:
            assert_never(never)


def void_asked(state: MatchState, voiding: Unconfirmed) -> str:
    """A voiding that waits for the other seat."""
    other = state.roster[state.other(voiding.confirmer)].name
    return (
        f"{other} asks that {faces(voiding.roll.dice)} is void. "
        f"{state.roster[voiding.confirmer].name}: confirm --what void, or play on."
    )


def short_hash(state: MatchState, digest: str) -> str:
    """The shortest beginning of an event's hash, of four digits at least, that no other event of
    the match has."""
    others = [entry.hash for entry in state.entries if entry.hash != digest]
    for digits in range(4, 64):
        if not any(other.startswith(digest[:digits]) for other in others):
            return digest[:digits]
    return digest


def event_words(state: MatchState, event: Event) -> str:
    """What an event did, in a few words."""
    seat = event.for_ or event.by
    name = state.roster[seat].name
    match event:
        case MatchOpened():
            players = " – ".join(state.roster[each].name for each in state.game.seats)
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
            return f"{state.roster[event.by].name} writes down roll {event.data.roll}{lie}"
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
        case Ruling():
            back = ", ".join(_back(state, event, effect) for effect in event.data.effects)
            return f"ruling: {back}: {event.data.reason} [{event.data.rule}]"
        case MatchClosed():
            return f"closed: {describe(event.data.result)}"
        case Countersigned():
            return f"{name} countersigns"
        case Note():
            photo = f" (file SHA-256 {event.data.sha256})" if event.data.sha256 else ""
            return f"note by {name}: {event.data.text}{photo}"


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
    return ", a tie" if tie else f", {state.roster[following.seat].name} begins"


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


def _back(state: MatchState, event: Event, effect: Rewind) -> str:
    """Where a rewind goes back to: with dice thrown anew that may be before the event it names."""
    to = state.moments[event.seq].before if _of_match(state, event) else effect.to
    anew = "written down" if isinstance(state.opening.dice, Physical) else "thrown"
    how = {"keep": ", dice kept", "rethrow": f", dice {anew} anew", None: ""}[effect.dice]
    return f"back to event {to}{how}"
