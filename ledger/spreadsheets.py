"""Matches as rows for spreadsheets and scripts: one match or many, streamed.

Three kinds of row: an act of the game (``moves``), a throw (``rolls``), a match (``results``). What
was taken back or voided stays, and says by which event. Rows prove nothing; each names its match
and the hash of its event, by which the record is found that does. How values are written, and what
keeps a cell from being a formula: ``ledger.formats.cells``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, Final, TypeAlias

from ledger.errors import Unreadable
from ledger.events import Appealed, DisputeRaised, Ruling
from ledger.fold import MatchState, Phase
from ledger.fold.acts import Act, Turn, action_of
from ledger.fold.parts import ARBITER
from ledger.fold.state import moved
from ledger.formats.cells import csv_header, csv_lines, json_lines
from ledger.formats.comparing import shown
from ledger.formats.option_words import write_changes
from ledger.formats.rows import MoveRow, ResultRow, RollRow

Row: TypeAlias = MoveRow | RollRow | ResultRow


def _of_match(state: MatchState) -> Mapping[str, Any]:
    opening = state.opening
    return {
        "match": state.match,
        "event": opening.event,
        "round": opening.round,
        "table": opening.table,
        "place": opening.place,
        "date": opening.date,
        "game": state.game.name,
        "ruleset": opening.ruleset.name,
    }


def _moves(state: MatchState) -> Iterator[MoveRow]:
    back, match, number = _superseded(state), _of_match(state), 0
    for entry in state.entries:
        event = entry.event
        if not isinstance(event, Act):
            continue
        action, seat = action_of(event), event.for_ or event.by
        moment = state.moments[event.seq]
        stands = isinstance(event, Turn) and event.seq not in back
        number += stands
        yield MoveRow(
            **match,
            seq=event.seq,
            number=number if stands else None,
            seat=seat,
            player=state.holder(seat, event.seq).name,
            kind=action.kind,
            notation=action.text,
            dice=state.game.thrown(state.moments[moment.before].game),
            position=state.game.position(moment.game),
            signed_by=event.by,
            at=event.at,
            hash=entry.hash,
            superseded_by=back.get(event.seq),
        )


def _rolls(state: MatchState) -> Iterator[RollRow]:
    back, match, scheme = _superseded(state), _of_match(state), state.opening.dice
    for roll in state.rolling.rolls:
        entry = state.entries[roll.seq]
        yield RollRow(
            **match,
            roll=roll.number,
            seq=roll.seq,
            seat=roll.seat,
            player=state.holder(roll.seat, roll.thrown).name,
            dice=roll.dice,
            toss=len(set(roll.owners)) > 1,
            scheme=str(scheme.__struct_config__.tag) if scheme else "",
            awarded=roll.awarded,
            signed_by=state.entries[roll.thrown].event.by,
            completed_by=entry.event.by,
            at=entry.event.at,
            hash=entry.hash,
            voided_by=roll.voided,
            superseded_by=None if roll.voided else back.get(roll.seq),
        )


def _superseded(state: MatchState) -> Mapping[int, int]:
    """The events that do not lead to the game as it stands, by the event that took them back. What
    was taken back, and is put back by a later ruling, stands."""
    found: dict[int, int] = {}
    for seq, moment in enumerate(state.moments):
        if seq and moment.before != seq - 1:
            gone, back = moved(state.moments, seq)
            found |= dict.fromkeys(gone, seq)
            for each in back:
                found.pop(each, None)
    return found


def _results(state: MatchState) -> Iterator[ResultRow]:
    opening, result, standing = state.opening, state.result, state.line()
    first, second = state.game.seats
    winner = result.winner if result else None
    events = [entry.event for entry in state.entries]
    held = (result and state.game.points(state.position)) or (None, None)
    given = [each.seat for each in state.penalties if each.withdrawn is None]
    rules = opening.ruleset
    yield ResultRow(
        **_of_match(state),
        changed_options=write_changes(state.game, rules.name, rules.options),
        first_seat=first,
        first_player=state.roster[first].name,
        second_seat=second,
        second_player=state.roster[second].name,
        arbiter=state.roster[ARBITER].name,
        phase=state.phase.value,
        kind=result.kind if result else None,
        how=result.how if result else None,
        winner=winner,
        winning_player=state.roster[winner].name if winner else None,
        first_held_at_end=held[0],
        second_held_at_end=held[1],
        moves=sum(isinstance(events[seq], Turn) for seq in standing),
        rolls=sum(roll.counted and roll.seq in standing for roll in state.rolling.rolls),
        rulings=sum(isinstance(event, Ruling) for event in events),
        disputes=sum(isinstance(event, DisputeRaised) for event in events),
        appeals=sum(isinstance(event, Appealed) for event in events),
        first_penalties=given.count(first),
        second_penalties=given.count(second),
        closed=state.phase in (Phase.CLOSED, Phase.APPEALED),
        **_signatures(state),
        source=opening.source.format if opening.source else None,
        opened_at=events[0].at,
        last_at=events[-1].at,
        events=len(events),
        head=state.head,
    )


def _signatures(state: MatchState) -> Mapping[str, Any]:
    """Who put their name to the result that stands, seat by seat. Before the closing nobody can."""
    sheet, found = state.sheet, dict[str, Any]()
    for place, seat in zip(("first", "second"), state.game.seats, strict=True):
        witness = sheet.for_absent.get(seat) if sheet else None
        found |= {
            f"{place}_countersigned": seat in sheet.signed if sheet else None,
            f"{place}_refused_to_sign": seat in sheet.refused if sheet else None,
            f"{place}_signed_instead": state.roster[witness].name if witness else None,
        }
    return found


_MAKERS: Final[Mapping[str, tuple[type[Row], Callable[[MatchState], Iterator[Row]]]]] = {
    "moves": (MoveRow, _moves),
    "rolls": (RollRow, _rolls),
    "results": (ResultRow, _results),
}
ROWS: Final[Mapping[str, type[Row]]] = {kind: row for kind, (row, _) in _MAKERS.items()}
"""The kinds of row, for schemas."""
FORMATS: Final = tuple(f"{kind}.{ending}" for ending in ("csv", "jsonl") for kind in _MAKERS)
"""What matches can be written as."""


def rows(kind: str, state: MatchState) -> Iterator[Row]:
    """The rows of a match, in the order of its events. ``kind`` is one of ``ROWS``."""
    _check_kind(kind)
    return _MAKERS[kind][1](state)


def write(format: str, states: Iterable[MatchState]) -> Iterator[bytes]:
    """The matches in one of ``FORMATS``, a piece for each match; a header is a piece of its own.

    Like all that is below, raises ``Unreadable`` (``bad-option``) at once for another name.
    """
    if format not in FORMATS:
        known = ", ".join(FORMATS)
        raise Unreadable("bad-option", f"No rows are written as {shown(format)}, only {known}.")
    kind, _, ending = format.partition(".")
    return as_csv(kind, states) if ending == "csv" else as_jsonl(kind, states)


def as_csv(kind: str, states: Iterable[MatchState]) -> Iterator[bytes]:
    """The header, and a line for each row."""
    _check_kind(kind)
    return chain((csv_header(ROWS[kind]),), (csv_lines(rows(kind, state)) for state in states))


def as_jsonl(kind: str, states: Iterable[MatchState]) -> Iterator[bytes]:
    """A JSON object a line."""
    _check_kind(kind)
    return (json_lines(rows(kind, state)) for state in states)


def _check_kind(kind: str) -> None:
    if kind not in _MAKERS:
        known = ", ".join(_MAKERS)
        raise Unreadable("bad-option", f"No row is called {shown(kind)}, only {known}.")
