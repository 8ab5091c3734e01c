"""Words for people: who, what a match waits for, how it ended. From the fold alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, assert_never

from ledger.events import (
    Adjourned,
    CommitReveal,
    DrawClaimed,
    DrawOffer,
    Event,
    OfferAccepted,
    Physical,
    ResultKind,
    Resumed,
    SettlementOffer,
    TakebackOffer,
    Terms,
)
from ledger.fold import MatchState, StandingOffer, describe
from ledger.fold.acts import Turn, action_of
from ledger.fold.due import Step, due, signing
from ledger.fold.parts import APPEAL, ARBITER, Unconfirmed
from ledger.fold.rolls import awaited
from ledger.fold.state import line
from ledger.games import changed_options
from ledger.games.protocol import Game, State, Throw


def who(state: MatchState, role: str) -> str:
    """A role with its holder: "Alba (the Swedes)", "Zoë (the arbiter)"."""
    title = state.game.titles.get(role, "the appeal key" if role == APPEAL else f"the {role}")
    return f"{state.roster[role].name} ({title})"


def next_step(state: MatchState) -> str:
    """Who has to do what now."""
    awaited = due(state)
    whose = " and ".join(who(state, role) for role in awaited.whose)
    scribed = all(signing(state, seat) != seat for seat in awaited.whose)
    scribe = "; the arbiter writes it down" if scribed else ""
    match awaited.step:
        case Step.ACCEPT:
            if state.closed:
                return f"{result_words(state)} Closed; {whose} must accept with the new key."
            goes = "goes on" if state.changes else "begins"
            return f"{whose} must accept before play {goes}."
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
        case Step.RULE:
            return _ruling_due(state)
        case Step.RESUME:
            return _resumption_due(state)
        case Step.DECIDE:
            appeal = state.appealed[0]
            return (
                f"{result_words(state)} Closed; {who(state, appeal.seat)} has appealed (event "
                f"{appeal.seq}): {whose} decides."
            )
        case Step.CLOSE:
            return f"{result_words(state)} The arbiter closes the match."
        case Step.COUNTERSIGN:
            return f"{result_words(state)} Closed; {whose} may countersign."
        case Step.NOTHING if state.closed:
            return f"{result_words(state)} Closed."
        case Step.NOTHING:
            return "Nobody has anything to do."


def _ruling_due(state: MatchState) -> str:
    """Why the arbiter has to rule."""
    arbiter, dispute, rolling = who(state, ARBITER), state.dispute, state.rolling
    if dispute is not None:
        agreed = " and ".join(state.roster[seat].name for seat in sorted(dispute.settled))
        consent = f" {agreed} would settle it." if agreed else ""
        text = f"Event {dispute.about} is disputed (event {dispute.seq}): {arbiter} rules.{consent}"
        if rolling.flight is None:
            return text
        owing = who(state, awaited(state)[0])
        return f"{text} {owing} still owes the opening of roll {rolling.number}."
    if rolling.flight is not None:
        lost = who(state, awaited(state)[0])
        number = f"The number of {lost} for roll {rolling.number}"
        return f"{number} went with the old key: {arbiter} rules."
    return f"Somebody who makes the dice has no key any more: {arbiter} says who makes them."


def _resumption_due(state: MatchState) -> str:
    """What a game waits for that rests."""
    begun = state.entries[state.adjourned or 0].event
    until = begun.data.until if isinstance(begun, Adjourned) else None
    rests = f"Adjourned{f' until {until}' if until else ''}"
    if state.sealed is not None:
        return f"{rests}: {who(state, state.sealed.seat)} opens the sealed move to resume."
    return f"{rests}: {who(state, ARBITER)} resumes."


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
        case CommitReveal():
            names = [who(state, role) for role in state.contributors]
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
    if result.how in ("ruling", "appeal"):
        whose = "the ruling" if result.how == "ruling" else "the decision on appeal"
        given = given_words(state, result.kind, result.winner)
        return f"By {whose} {given}."
    last = _last_act(state)
    if result.how == "sealed_move" and result.winner:
        loser = who(state, state.other(result.winner))
        given = given_words(state, result.kind, result.winner)
        opened = isinstance(last, Resumed) and last.data.opened is not None
        why = "cannot be played" if opened else "was not opened when the arbiter resumed"
        return f"The sealed move of {loser} {why}: {given}."
    if isinstance(last, DrawClaimed):
        why = state.game.claim(state.position).text
        return f"{state.roster[last.for_ or last.by].name} claimed a draw. {why}"
    if isinstance(last, OfferAccepted):  # a settlement has an outcome of the game
        return "The players agreed to a draw."
    return f"Result: {describe(result)}."


def given_words(state: MatchState, kind: ResultKind, winner: str | None) -> str:
    """A result that no rules of a game gave: "the game goes to Alba (the Swedes)"."""
    to = f" to {who(state, winner)}" if winner in state.game.seats else ""
    match kind:
        case "win":
            return f"the game goes{to}"
        case "forfeit":
            return f"the game goes{to} by forfeit"
        case "draw":
            return "the game is a draw"
        case "double_forfeit":
            return "both forfeit the game"
        case "annulled":
            return "the game is annulled"
        case _ as never:
            assert_never(never)


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
