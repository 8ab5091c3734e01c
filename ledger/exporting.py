"""A match as a text for other programs: the moves that stand, and the result.

Signatures, corrections and countersignatures have no place in such a text: it proves nothing. The
record is the file to verify.
"""

from __future__ import annotations

from ledger.errors import Refused
from ledger.events import Called, Moved, Result
from ledger.fold import MatchState
from ledger.fold.offers import AGREED
from ledger.formats import opentafl
from ledger.formats.otn_writer import write
from ledger.formats.transcript import Claim, Claimed, Comment, Ply, Transcript
from ledger.views import about


def opentafl_notation(state: MatchState) -> str:
    """The match in OpenTafl notation; importing it again gives the same moves and result. Calls
    stand in comments.

    Raises ``Refused`` (``not-writable``) for other games, and for words with brackets.
    """
    if state.game.name != "tablut":
        raise Refused("not-writable", f"OpenTafl notation has no place for {state.game.name}.")
    rules = state.opening.ruleset
    standing = state.line()
    moves: list[Moved] = []
    calls: list[Comment] = []
    for entry in state.entries:
        event = entry.event
        if event.seq not in standing:
            continue
        if isinstance(event, Moved):
            moves.append(event)
        elif isinstance(event, Called):
            calls.append(Comment(len(moves), 0, event.data.call))
    return write(
        Transcript(
            format=opentafl.NAME,
            ruleset=rules.name,
            options=rules.options,
            plies=tuple(Ply(0, move.for_ or move.by, move.data.move) for move in moves),
            comments=tuple(calls),
            claim=_claim(state.result, state.game.seats),
            players={seat: state.roster[seat].name for seat in state.game.seats},
            details={name: text for name, text in about(state).items() if name != "table"},
            tags={"x-match": state.match, "x-head": state.head},
        )
    )


def _claim(result: Result | None, seats: tuple[str, str]) -> Claim:
    match result:
        case None:
            return Claim(Claimed.OPEN)
        case Result(kind="win", how="resigned", winner=winner):
            loser = seats[1] if winner == seats[0] else seats[0]
            return Claim(Claimed.WIN, winner, resigned=loser)
        case Result(kind="win", winner=winner):
            return Claim(Claimed.WIN, winner)
        case Result(kind="draw", how=how):
            return Claim(Claimed.DRAW, agreed=how == AGREED)
        case _:
            raise Refused("not-writable", f"OpenTafl notation has no place for {result.kind}.")
