"""A match as a text for people and other programs: the moves that stand, and the result.

Signatures, corrections and countersignatures have no place in such a text: it proves nothing. The
record is the file to verify.
"""

from __future__ import annotations

from ledger.errors import Refused, Unreadable
from ledger.events import AppealDecided, Called, Result, Ruling, SetPosition
from ledger.fold import MatchState
from ledger.fold.acts import Turn, action_of
from ledger.fold.offers import AGREED
from ledger.formats import writer, writers
from ledger.formats.comparing import shown
from ledger.formats.transcript import Cast, Claim, Claimed, Comment, Origin, Ply, Transcript
from ledger.views import about

RECORD = "record"
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
        known = f"{RECORD} or {own.name}" if own else RECORD
        raise Unreadable(
            "bad-option", f"A match of {game} is written as {known}, not {shown(name)}."
        )
    origin = Origin(state.match, state.head, state.opening.arbiter.name, _left_out(state))
    return own.write(_transcript(state, name), origin)


def names() -> list[str]:
    """What matches can be written as: the record, and then the text formats of the games."""
    return list(dict.fromkeys([RECORD, *(each.name for each in writers())]))


def check_name(name: str) -> None:
    """Whether the matches of any game are written so, before one is looked up."""
    if name not in (known := names()):
        what = f"No match is written as {shown(name)}, only as {', '.join(known)}."
        raise Unreadable("bad-option", what)


def _transcript(state: MatchState, format: str) -> Transcript:
    rules = state.opening.ruleset
    rolls = {roll.seq: roll for roll in state.rolling.rolls}
    plies: list[Ply] = []
    casts: list[Cast] = []
    calls: list[Comment] = []
    for seq in sorted(state.line()):
        event = state.entries[seq].event
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
            plies.append(Ply(0, event.for_ or event.by, action_of(event).text))
        elif isinstance(event, Called):
            calls.append(Comment(len(plies), 0, event.data.call))
    return Transcript(
        format=format,
        ruleset=rules.name,
        options=rules.options,
        plies=tuple(plies),
        casts=tuple(casts),
        comments=tuple(calls),
        claim=_claim(state.result, state.game.seats),
        players={seat: state.roster[seat].name for seat in state.game.seats},
        details=about(state),
    )


def _sets_the_game(state: MatchState, seq: int) -> bool:
    """Whether a ruling, or the decision of an appeal, put the game into another position."""
    event = state.entries[seq].event
    return isinstance(event, Ruling | AppealDecided) and any(
        isinstance(effect, SetPosition) for effect in event.data.effects
    )


def _claim(result: Result | None, seats: tuple[str, str]) -> Claim:
    if result is None:
        return Claim(Claimed.OPEN)
    first, second = seats
    gave_up = (result.kind, result.how) == ("win", "resigned")
    return Claim(
        Claimed(result.kind),
        result.winner,
        resigned=(second if result.winner == first else first) if gave_up else None,
        agreed=(result.kind, result.how) == ("draw", AGREED),
        how=result.how,
        words=_RULED.get(result.how, ""),
    )


def _left_out(state: MatchState) -> str:
    """How many turns and throws do not stand any more."""
    back, standing = state.superseded(), state.line()
    turns = sum(isinstance(state.entries[seq].event, Turn) for seq in back)
    throws = sum(roll.seq not in standing for roll in state.rolling.rolls)
    throws += state.rolling.recorded is not None
    counted = " and ".join(
        f"{count} {what}{'s' * (count != 1)}"
        for count, what in ((turns, "turn"), (throws, "throw"))
        if count
    )
    return f"Left out, as taken back, void or not confirmed: {counted}." if counted else ""
