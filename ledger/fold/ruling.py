"""Rulings, and the decisions of appeals: effects from a closed list, each with its reason.

One of them at most acts on the game: it is set back, set, given a result, or its roll is decided.
Penalties stand beside it. A ruling decides the open dispute, whatever else it does. Once a match is
closed only its result can still be changed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, assert_never

from msgspec.structs import replace

from ledger.errors import Refused, TabellionError
from ledger.events import (
    AppealDecided,
    Award,
    Dismissed,
    Effect,
    GivenResult,
    MatchClosed,
    NewContributors,
    Penalty,
    PenaltyKind,
    Result,
    Rewind,
    Ruling,
    SetPosition,
    Withdrawn,
)
from ledger.fold import rolls
from ledger.fold.course import append, result_of
from ledger.fold.disputing import end_appeal, end_dispute
from ledger.fold.parts import ARBITER, Entry, Given, Moment, Roll, Sheet
from ledger.fold.rewinding import laid_down, rewind
from ledger.fold.state import MatchState, acts_on_the_game

RULING: Final = "ruling"
APPEAL: Final = "appeal"
"""How a result came about that a ruling, or the decision of an appeal, gave."""
PENALTIES: Final[Mapping[PenaltyKind, str]] = {
    "warning": "a warning",
    "points_off": "points off",
    "points_to_opponent": "points for the opponent",
    "game_lost": "loss of the game",
    "fine": "a fine",
    "rounds_off": "left out of coming rounds",
    "expulsion": "expulsion",
}
"""Penalties in words, in the order of the ladder."""


def rule(state: MatchState, entry: Entry, event: Ruling) -> MatchState:
    if any(isinstance(each, Dismissed) for each in event.data.effects) and not state.dispute:
        raise Refused("nothing-to-dismiss", "No dispute is open that could be dismissed.")
    after = _effect(state, entry, event.data.effects, RULING)
    return end_dispute(after, event.seq)


def decide(state: MatchState, entry: Entry, event: AppealDecided) -> MatchState:
    after = _effect(state, entry, event.data.effects, APPEAL)
    return end_appeal(after, event)


def _effect(state: MatchState, entry: Entry, effects: tuple[Effect, ...], how: str) -> MatchState:
    penalties = [each for each in effects if isinstance(each, Penalty)]
    withdrawn = {each.ruling for each in effects if isinstance(each, Withdrawn)}
    others = [each for each in effects if not isinstance(each, Penalty | Withdrawn)]
    if len(others) > 1:
        raise Refused(
            "effects-clash",
            "A ruling does one thing to the game, penalties apart: it dismisses, sets back, sets "
            "the position, gives a result or decides on a roll.",
        )
    _check_loss(penalties, others)
    given = tuple(_given(state, entry, each) for each in penalties)
    after = _act(state, entry, others[0], how) if others else append(state, entry)
    kept = _withdrawn(state, entry, withdrawn)
    return replace(after, penalties=(*kept, *given)) if given or withdrawn else after


def _act(state: MatchState, entry: Entry, effect: Effect, how: str) -> MatchState:
    if state.closed and not isinstance(effect, Dismissed | GivenResult):
        raise Refused(
            "match-closed",
            "The match is closed: only its result can still be changed.",
            hint="tabellion ruling --help",
        )
    if how == RULING:
        _check_decided(state, effect)
    match effect:
        case Dismissed() | Penalty() | Withdrawn():
            return append(state, entry)
        case Rewind():
            return rewind(state, entry, effect.to, effect.dice)
        case SetPosition():
            return _set_position(state, entry, effect.position)
        case GivenResult():
            return _give(state, entry, effect, how)
        case Award():
            return _award(state, entry, effect)
        case NewContributors():
            return _name(state, entry, effect)
        case _ as never:
            assert_never(never)


def _check_decided(state: MatchState, effect: Effect) -> None:
    """The arbiter does not undo what was decided on appeal."""
    match effect:
        case GivenResult() | SetPosition() if _result_decided(state):
            raise Refused(
                "decided-on-appeal",
                "The result was decided on appeal: the arbiter does not change it any more.",
            )
        case Rewind() if any(_decided(state, seq) for seq in state.line() if seq > effect.to):
            raise Refused(
                "decided-on-appeal",
                "That goes back behind what was decided on appeal: only an appeal does.",
            )
        case _:
            return


def _decided(state: MatchState, seq: int) -> bool:
    """Whether event ``seq`` is the decision of an appeal that acted on the game."""
    event = state.entries[seq].event
    return isinstance(event, AppealDecided) and acts_on_the_game(event)


def _result_decided(state: MatchState) -> bool:
    """Whether the result that stands was given, or left as it is, by the decision of an appeal."""
    if state.closed is None:
        result = state.moments[-1].result
        return result is not None and result.how == APPEAL
    against = (each.against for each in state.appeals if each.decided is not None)
    return any(
        isinstance(event, MatchClosed) or acts_on_the_game(event)
        for event in (state.entries[seq].event for seq in against)
    )


# -- penalties ---------------------------------------------------------------------------------


def _given(state: MatchState, entry: Entry, penalty: Penalty) -> Given:
    if penalty.seat not in state.game.seats:
        raise Refused("unknown-role", f"This match has no seat {penalty.seat!r}.")
    name = state.roster[penalty.seat].name
    return Given(entry.event.seq, penalty.seat, name, penalty.penalty)


def _withdrawn(state: MatchState, entry: Entry, rulings: set[int]) -> tuple[Given, ...]:
    """The penalties so far, those of these rulings marked. Raises ``Refused``."""
    standing = {each.seq for each in state.penalties if each.withdrawn is None}
    if entry.event.by == ARBITER and any(
        isinstance(state.entries[seq].event, AppealDecided) for seq in rulings & standing
    ):
        raise Refused(
            "decided-on-appeal", "That penalty was given on appeal: only an appeal withdraws it."
        )
    for missing in sorted(rulings - standing):
        raise Refused("no-such-penalty", f"Event {missing} gave no penalty that still counts.")
    return tuple(
        replace(each, withdrawn=entry.event.seq)
        if each.seq in rulings and each.withdrawn is None
        else each
        for each in state.penalties
    )


def _check_loss(penalties: Sequence[Penalty], others: Sequence[Effect]) -> None:
    """A game that is lost as a penalty is lost by a result: the arbiter says what the other gets
    (FIDE 12.9.6)."""
    for each in penalties:
        if each.penalty != "game_lost":
            continue
        result = others[0] if others else None
        if not isinstance(result, GivenResult) or result.winner == each.seat:
            raise Refused(
                "effects-clash",
                f"The game lost as a penalty needs the result too: say what {each.seat}'s "
                "opponent gets.",
                hint="--result forfeit=SEAT",
            )


# -- position and result -----------------------------------------------------------------------


def _set_position(state: MatchState, entry: Entry, text: str) -> MatchState:
    """The game as the arbiter sets it up. Dice that are still to be played stay as they lie; no
    others can be put there."""
    game = state.game
    try:
        placed = game.reset(state.opening.ruleset.options, state.position, text)
    except TabellionError as error:
        raise Refused(error.code, error.message, hint=error.hint) from None
    written = game.position(placed)
    if written != text:
        raise Refused("not-canonical", f"This position is written {written}.")
    dice = game.thrown(placed)
    if dice and dice != game.thrown(state.position):
        raise Refused(
            "dice-set",
            f"No throw gave the dice {'-'.join(map(str, dice))}: a ruling sets no dice.",
            hint="the position with the throw still to come",
        )
    result = result_of(game.outcome(placed))
    lying = state.rolling.flight or state.rolling.recorded
    stands = text == game.position(state.position) and result == state.moments[-1].result
    if stands and not lying:
        raise Refused("nothing-to-set", "The game stands so already.")
    moment = Moment(placed, result, state.seq, True)
    after = append(state, entry, moment)
    return replace(after, offers=(), sealed=None, rolling=laid_down(state, entry.event.seq))


def _give(state: MatchState, entry: Entry, effect: GivenResult, how: str) -> MatchState:
    result = Result(kind=effect.kind, how=how, winner=effect.winner)
    if (effect.kind in ("win", "forfeit")) != (effect.winner is not None):
        raise Refused(
            "bad-result",
            "A win and a forfeit have a winner; a draw, a double forfeit and an annulled game have "
            "none.",
        )
    if effect.winner is not None and effect.winner not in state.game.seats:
        raise Refused("unknown-role", f"This match has no seat {effect.winner!r}.")
    seq = entry.event.seq
    if state.closed:
        sheet = Sheet(entry.hash, seq, result)
        return replace(append(state, entry), sheets=(*state.sheets, sheet))
    after = append(state, entry, Moment(state.position, result, state.seq, True))
    return replace(after, offers=(), sealed=None, adjourned=None, rolling=laid_down(state, seq))


# -- rolls -------------------------------------------------------------------------------------


def _award(state: MatchState, entry: Entry, effect: Award) -> MatchState:
    """The dice of a roll that somebody will not or cannot open, on the arbiter's word."""
    rolls.check_dice(state)
    flight, wanted = state.rolling.flight, state.game.wanted(state.position)
    if flight is None or wanted is None:
        raise Refused("no-flight", "No roll is in flight that could be awarded.")
    rolls.check_number(state, effect.roll)
    roll = Roll(
        number=effect.roll,
        seat=flight.seat,
        dice=effect.dice,
        owners=wanted.owners,
        thrown=flight.thrown,
        seq=entry.event.seq,
        awarded=True,
    )
    rolling = rolls.given_up(state, entry.event.seq)
    return rolls.fall(replace(state, offers=(), rolling=rolling), entry, roll)


def _name(state: MatchState, entry: Entry, effect: NewContributors) -> MatchState:
    """The next roll, and those after it, are made by others, or by the same anew; the number that
    was to come or is in flight is dead."""
    rolls.check_dice(state)
    if not state.contributors:
        raise Refused(
            "dice-on-table", "This match is played with dice on the table: nobody makes them."
        )
    rolls.check_number(state, effect.roll)
    rolls.check_ruled(effect.contributors, state.game.seats, state.roster)
    seq = entry.event.seq
    moment = None
    if state.rolling.flight is not None:
        before = state.moments[state.rolling.flight.thrown].before
        moment = replace(state.moments[before], before=before, acted=False)
        rolling = rolls.given_up(state, seq)
        kept = {r: c for r, c in rolling.commitments.items() if r in effect.contributors}
    else:
        rolling, kept = rolls.next_roll(state.rolling), {}
    rolling = replace(rolling, named=effect.contributors, commitments=kept, coming={})
    return replace(append(state, entry, moment), offers=(), rolling=rolling)
