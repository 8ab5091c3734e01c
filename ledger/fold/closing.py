"""The end of a match: closed with its result, countersigned, or not.

The result is the one that the game has; where a ruling gave it, the closing cites that ruling.
"""

from __future__ import annotations

from msgspec.structs import replace

from ledger.errors import Refused
from ledger.events import (
    AppealDecided,
    Closing,
    Countersignature,
    Result,
    Ruling,
    Unwilling,
)
from ledger.fold.course import append
from ledger.fold.parts import WITNESS, Entry, Sheet
from ledger.fold.state import MatchState


def cited(state: MatchState) -> str | None:
    """The hash of the ruling or decision that the result rests on; ``None`` where the players or
    the rules of the game gave it."""
    acts = [seq for seq in state.line() if state.moments[seq].acted]
    last = state.entries[max(acts)] if acts else None
    ruled = last is not None and isinstance(last.event, Ruling | AppealDecided)
    return last.hash if last is not None and ruled else None


def close(state: MatchState, entry: Entry, closing: Closing) -> MatchState:
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
    if closing.ruling != cited(state):
        raise Refused(
            "wrong-citation",
            "A closing cites the ruling that gave the result, and no other.",
        )
    sheet = Sheet(entry.hash, entry.event.seq, result)
    return replace(append(state, entry), sheets=(sheet,))


def countersign(state: MatchState, entry: Entry, signed: Countersignature) -> MatchState:
    """The score sheet signed by a seat or a witness, who may sign instead of an absent seat."""
    role, sheet = entry.event.by, _sheet(state, signed.result_event)
    if role in sheet.signed and signed.absent is None:
        raise Refused(
            "countersigned-twice",
            f"{state.roster[role].name} has countersigned this result already.",
        )
    absent = {seat: witness for seat, witness in sheet.for_absent.items() if seat != role}
    if signed.absent is not None:
        _check_absent(state, sheet, role, signed.absent)
        absent[signed.absent] = role
    refused = {seat: seq for seat, seq in sheet.refused.items() if seat != role}
    sheet = replace(sheet, signed=sheet.signed | {role}, for_absent=absent, refused=refused)
    return replace(append(state, entry), sheets=(*state.sheets[:-1], sheet))


def _check_absent(state: MatchState, sheet: Sheet, role: str, seat: str) -> None:
    if not role.startswith(WITNESS) or role in state.game.seats:
        raise Refused("wrong-role", "Only a witness signs instead of an absent player.")
    if seat not in state.game.seats:
        raise Refused("unknown-role", f"This match has no seat {seat!r}.")
    if seat in sheet.signed or seat in sheet.for_absent:
        raise Refused(
            "countersigned-twice",
            f"{state.roster[seat].name} has countersigned this result, or somebody instead.",
        )


def refuse(state: MatchState, entry: Entry, unwilling: Unwilling) -> MatchState:
    """A player who does not sign, as the arbiter saw it. They may still sign later."""
    sheet, seat = _sheet(state, unwilling.result_event), unwilling.seat
    if seat not in state.game.seats:
        raise Refused("unknown-role", f"This match has no seat {seat!r}.")
    if seat in sheet.signed:
        raise Refused(
            "countersigned-twice",
            f"{state.roster[seat].name} has countersigned this result.",
        )
    if seat in sheet.refused:
        raise Refused("refused-already", f"That is on record already: event {sheet.refused[seat]}.")
    refused = {**sheet.refused, seat: entry.event.seq}
    sheet = replace(sheet, refused=refused)
    return replace(append(state, entry), sheets=(*state.sheets[:-1], sheet))


def _sheet(state: MatchState, result_event: str) -> Sheet:
    sheet = state.sheet
    if sheet is None:
        raise Refused("not-closed", "The arbiter closes the match first.", hint="tabellion close")
    if sheet.event != result_event:
        raise Refused("wrong-result-event", "This is not the event that gave the result.")
    return sheet


def describe(result: Result) -> str:
    """A result in a few words: "a win for swedes (goal)"."""
    kind = {
        "win": "a win",
        "draw": "a draw",
        "forfeit": "a win by forfeit",
        "double_forfeit": "a double forfeit",
        "annulled": "annulled",
    }[result.kind]
    how = result.how.replace("_", " ")
    return f"{kind}{f' for {result.winner}' if result.winner else ''} ({how})"
