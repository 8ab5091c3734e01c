"""A match as a text for people and other programs: the throws and acts that stand, the result, and
in comments what officials did. Statements, notes and signatures have no place in such a text: it
proves nothing. The record is the file to verify.
"""

from __future__ import annotations

from ledger.errors import Refused, Unreadable
from ledger.events import (
    Adjourned,
    AppealDecided,
    Appealed,
    ArbiterReplaced,
    Called,
    DisputeRaised,
    DisputeSettled,
    Event,
    KeyReplaced,
    OfferAccepted,
    OfferMade,
    Result,
    Resumed,
    Ruling,
    SetPosition,
    SettlementOffer,
)
from ledger.fold import MatchState, overruled
from ledger.fold.acts import Turn, action_of
from ledger.fold.offers import AGREED
from ledger.formats import writer, writers
from ledger.formats.comparing import shown
from ledger.formats.transcript import Cast, Claim, Claimed, Comment, End, Origin, Ply, Transcript
from ledger.views import about
from ledger.views.eventwords import event_words

_RULED = {
    "ruling": "by ruling",
    "appeal": "decided on appeal",
    "sealed_move": "sealed move not played",
}
"""How a text says that the result is not one of the board. Such a file is not read back."""


def notation(state: MatchState, name: str) -> str:
    """The match in the text format of its game that has this name; importing it again gives the
    same throws, moves and result, unless an official gave that.

    Raises ``Unreadable`` (``bad-option``) for a format that the game does not have, ``Refused``
    (``not-writable``) for what has no place in it.
    """
    game = state.game.name
    own = writer(game)
    if own is None or own.name != name:
        what = f"{own.name}, not {shown(name)}" if own else f"none of its own ({shown(name)})"
        raise Unreadable("bad-option", f"The text format of {game} is {what}.")
    origin = Origin(state.match, state.head, state.opening.arbiter.name, _left_out(state))
    return own.write(_transcript(state, name), origin)


def names() -> list[str]:
    """The text formats of the games."""
    return list(dict.fromkeys(each.name for each in writers()))


def _transcript(state: MatchState, format: str) -> Transcript:
    rules = state.opening.ruleset
    rolls = {roll.seq: roll for roll in state.rolling.rolls if roll.counted}
    plies: list[Ply] = []
    casts: list[Cast] = []
    comments: list[Comment] = []
    standing, back = state.line(), overruled(state)
    for seq, entry in enumerate(state.entries):
        event = entry.event
        if _is_told(state, event):
            taken_back = " (taken back)" if seq in back else ""
            words = f"Event {seq}{taken_back}: {event_words(state, event)}"
            comments.append(Comment(len(plies), 0, words, len(casts)))
        if seq not in standing:
            continue
        if _sets_the_game(state, seq):
            raise Refused(
                "not-writable",
                f"By the ruling of event {seq} the game went on from another position: no "
                "notation of moves says that.",
                hint="--format record",
            )
        if seq in rolls:
            casts.append(Cast(len(plies), 0, rolls[seq].owners, rolls[seq].dice))
        elif isinstance(event, Turn):
            action = action_of(event)
            plies.append(Ply(0, event.for_ or event.by, action.text, kind=action.kind))
        elif isinstance(event, Called):
            comments.append(Comment(len(plies), 0, event.data.call, len(casts)))
    return Transcript(
        format=format,
        ruleset=rules.name,
        options=rules.options,
        plies=tuple(plies),
        casts=tuple(casts),
        comments=tuple(comments),
        claim=_claim(state),
        turn_cap=state.opening.turn_cap,
        players={seat: state.roster[seat].name for seat in state.game.seats},
        details=about(state),
    )


def _sets_the_game(state: MatchState, seq: int) -> bool:
    """Whether a ruling, or the decision of an appeal, put the game into another position."""
    event = state.entries[seq].event
    return isinstance(event, Ruling | AppealDecided) and any(
        isinstance(effect, SetPosition) for effect in event.data.effects
    )


def _is_told(state: MatchState, event: Event) -> bool:
    """Whether a comment tells of an event: what officials decided and what was asked of them, when
    the game rested, who came in for somebody else."""
    match event:
        case Ruling() | AppealDecided() | Appealed() | DisputeRaised() | Adjourned() | Resumed():
            return True
        case DisputeSettled():
            return any(dispute.ended == event.seq for dispute in state.disputes)
        case KeyReplaced():
            return event.data.name != state.holder(event.data.role, event.seq).name
        case ArbiterReplaced():
            return True
        case _:
            return False


def _claim(state: MatchState) -> Claim:
    result = state.result
    if result is None:
        return Claim(Claimed.OPEN)
    gave_up = (result.kind, result.how) == ("win", "resigned") and result.winner is not None
    return Claim(
        Claimed(result.kind),
        result.winner,
        resigned=state.other(result.winner) if gave_up and result.winner else None,
        agreed=(result.kind, result.how) == ("draw", AGREED),
        how=result.how,
        words=_RULED.get(result.how, ""),
        split=_shares(state, result),
    )


def _shares(state: MatchState, result: Result) -> tuple[int, int] | None:
    """How both divided what was played for, if that gave the result."""
    if result.how != End.SETTLED.value:
        return None
    last = state.entries[max(seq for seq in state.line() if state.moments[seq].acted)].event
    if not isinstance(last, OfferAccepted):
        return None
    (offer,) = (entry.event for entry in state.entries if entry.hash == last.data.offer)
    terms = offer.data if isinstance(offer, OfferMade) else None
    return terms.split if isinstance(terms, SettlementOffer) else None


def _left_out(state: MatchState) -> str:
    """How many turns and throws do not stand any more."""
    back, standing = state.superseded(), state.line()
    turns = sum(isinstance(state.entries[seq].event, Turn) for seq in back)
    rolls = state.rolling.rolls
    throws = sum(roll.seq not in standing or not roll.counted for roll in rolls)
    throws += state.rolling.recorded is not None
    counted = " and ".join(
        f"{count} {what}{'s' * (count != 1)}"
        for count, what in ((turns, "turn"), (throws, "throw"))
        if count
    )
    return f"Left out, as taken back, void or not confirmed: {counted}." if counted else ""
