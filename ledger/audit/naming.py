"""How people, events and effects of rulings are named in an audit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from ledger.events import (
    AppealDecided,
    Award,
    CommitReveal,
    Dismissed,
    Effect,
    Event,
    GivenResult,
    NewContributors,
    Penalty,
    Result,
    Rewind,
    SetPosition,
    Withdrawn,
)
from ledger.fold import MatchState
from ledger.fold.acts import Act, action_of
from ledger.fold.ruling import PENALTIES


def named(state: MatchState, role: str, seq: int) -> str:
    """Who held a role at event ``seq``: "Alba (swedes)". A role that nobody has is named alone."""
    return f"{held_by(state, role, seq)} ({role})" if role in state.roster else role


def held_by(state: MatchState, role: str, seq: int) -> str:
    """The name of who held a role at event ``seq``."""
    return state.holder(role, seq).name if role in state.roster else role


def listed(names: Sequence[str], last: str = "and") -> str:
    """ "A", "A and B", "A, B and C"."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} {last} {names[-1]}"


def numbers(events: Sequence[int]) -> str:
    """ "event 4", "events 4, 6 and 9"; many in short: "events 4 to 120 (58)"."""
    if len(events) == 1:
        return f"event {events[0]}"
    if len(events) > 12:
        return f"{len(events)} events from {events[0]} to {events[-1]}"
    return f"events {listed([str(each) for each in events])}"


def result_words(state: MatchState, result: Result, seq: int) -> str:
    """A result with the winner's name: "a win for Alba (swedes)"."""
    kind = {
        "win": "a win",
        "draw": "a draw",
        "forfeit": "a win by forfeit",
        "double_forfeit": "a double forfeit",
        "annulled": "the game annulled",
    }[result.kind]
    who = f" for {named(state, result.winner, seq)}" if result.winner else ""
    return f"{kind}{who}"


def effect_words(state: MatchState, event: Event, effect: Effect) -> str:
    """What one effect of a ruling or a decision does."""
    seq = event.seq
    match effect:
        case Dismissed():
            appeal = isinstance(event, AppealDecided)
            return "the appeal is dismissed" if appeal else "the complaint is dismissed"
        case Rewind():
            return _rewind_words(state, seq, effect)
        case SetPosition():
            before, after = (state.moments[each].game for each in (seq - 1, seq))
            lay = state.game.thrown(before)
            dropped = "-".join(map(str, lay)) if not state.game.thrown(after) else ""
            gone = f", the dice {dropped} that lay there do not count" if dropped else ""
            return f"the position is set to {effect.position}{gone}"
        case Penalty():
            return f"{PENALTIES[effect.penalty]} for {named(state, effect.seat, seq)}"
        case Withdrawn():
            return f"the penalty of event {effect.ruling} is withdrawn"
        case GivenResult():
            given = Result(kind=effect.kind, how="ruling", winner=effect.winner)
            return f"the result is {result_words(state, given, seq)}"
        case Award():
            dice = "-".join(map(str, effect.dice))
            return f"roll {effect.roll} counts as {dice}, though not all had opened it"
        case NewContributors():
            names = listed([named(state, role, seq) for role in effect.contributors])
            return (
                f"roll {effect.roll} is dead; from roll {effect.roll + 1} on the dice are made by "
                f"{names}"
            )
        case _ as never:
            assert_never(never)


def act_words(state: MatchState, seq: int) -> str:
    """An act on the board, as it is quoted beside its number: "e4-e2 by Alba"; "" for others."""
    event = state.entries[seq].event
    if not isinstance(event, Act):
        return ""
    return f"{action_of(event).typed} by {held_by(state, event.for_ or event.by, seq)}"


def _rewind_words(state: MatchState, seq: int, effect: Rewind) -> str:
    """Where the game goes back to: before the event that is named, if its dice go as well."""
    to = state.moments[seq].before
    made = "thrown" if isinstance(state.opening.dice, CommitReveal) else "written down"
    how = {
        "keep": ", the dice kept as they lay",
        "rethrow": f", the dice {made} anew",
        None: "",
    }[effect.dice]
    further = f" (before the throw that lay there: event {to})" if to != effect.to else ""
    return f"the game stands as after event {effect.to}{further}{how}"
