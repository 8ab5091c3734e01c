"""Matches as rows of a table: what stands, what was taken back, and nothing that a spreadsheet
would reckon with."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from io import StringIO
from typing import Any

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from match import Match, finished
from test_tablero_text import random_match, table
from test_tabula_text import TEXT, written
from test_texts import TAME, a_match, words

from ledger.errors import Unreadable
from ledger.events import GivenResult, Penalty, Physical, Rewind, Withdrawn
from ledger.fold import MatchState
from ledger.formats.cells import csv_lines, plain
from ledger.formats.rows import MoveRow, ResultRow, RollRow
from ledger.spreadsheets import FORMATS, ROWS, as_csv, as_jsonl, rows, write


def cells(data: bytes) -> list[list[str]]:
    """A table of CSV, as Python reads it."""
    return list(csv.reader(StringIO(data.decode(), newline=""), strict=True))


def from_csv(kind: str, data: bytes) -> list[Any]:
    """The rows of a table of CSV, each cell as what its field is."""
    head, *lines = cells(data)
    row = ROWS[kind]
    types = {field.name: field.type for field in msgspec.structs.fields(row)}
    assert head == [*types]
    return [
        row(**{name: value(types[name], cell) for name, cell in zip(head, line, strict=True)})
        for line in lines
    ]


def value(type_: Any, cell: str) -> Any:
    if type_ in (int, bool):
        return msgspec.convert(cell, type_, strict=False)
    if type_ == tuple[int, ...]:
        return tuple(map(int, cell.split()))
    if not cell:
        return "" if type_ is str else None
    if type_ == bool | None:
        return msgspec.convert(cell, bool, strict=False)
    return int(cell) if type_ == int | None else plain(cell)


def corrected() -> Match:
    """Two throws, one of them void; a move that was taken back, a call to order, a Wager."""
    match = table()
    match.record(5, 3)
    match.record(1, 1)
    match.void()
    match.record(4, 6)
    thrown = match.state.seq
    match.act("move", "c1-c7 d1-d5")
    match.rule(Rewind(to=thrown, dice="keep"))
    match.act("move", "e1-e7 f1-f5")
    match.rule(Penalty(seat="south", penalty="warning"))
    match.record(5, 6)
    match.act("wager")
    return match


# -- what stands there -----------------------------------------------------------------------


def test_the_acts_of_a_match_as_csv() -> None:
    state = corrected().state
    hashes = [entry.hash for entry in state.entries]
    about = f"{state.match},,,,,,tablero,tablero"
    assert b"".join(as_csv("moves", [state])).decode() == "\r\n".join(
        [
            "match,event,round,table,place,date,game,ruleset,seq,number,seat,player,kind,notation,"
            "dice,position,signed_by,at,hash,superseded_by",
            f'{about},5,,south,Alba,move,c1-c7 d1-d5,4 6,"7775111 13,16 0 0 south decide",'
            f"arbiter,2026-11-29T18:00:00Z,{hashes[5]},6",
            f'{about},7,1,south,Alba,move,e1-e7 f1-f5,4 6,"7711751 13,16 0 0 south decide",'
            f"arbiter,2026-11-29T18:00:00Z,{hashes[7]},",
            f'{about},10,2,south,Alba,wager,wager,5 6,"7711751 9,16 4 0 south throw",'
            f"arbiter,2026-11-29T18:00:00Z,{hashes[10]},",
            "",
        ]
    )


def test_the_throws_of_a_match_as_json_lines() -> None:
    state = corrected().state
    hashes = [entry.hash for entry in state.entries]
    lines = b"".join(as_jsonl("rolls", [state])).splitlines()
    assert msgspec.json.decode(lines[1]) == {
        "match": state.match,
        **dict.fromkeys(("event", "round", "table", "place", "date")),
        "game": "tablero",
        "ruleset": "tablero",
        "roll": 2,
        "seq": 2,
        "seat": "south",
        "player": "Alba",
        "dice": [1, 1],
        "toss": False,
        "scheme": "physical/1",
        "awarded": False,
        "signed_by": "arbiter",
        "completed_by": "arbiter",
        "at": "2026-11-29T18:00:00Z",
        "hash": hashes[2],
        "voided_by": 3,
        "superseded_by": None,
    }
    found = [msgspec.json.decode(line, type=RollRow) for line in lines]
    assert [(each.dice, each.toss, each.voided_by) for each in found] == [
        ((5, 3), True, None),
        ((1, 1), False, 3),
        ((4, 6), False, None),
        ((5, 6), False, None),
    ]


def test_a_match_is_one_row_of_results() -> None:
    match = corrected()
    match.rule(Penalty(seat="north", penalty="fine"), Withdrawn(ruling=8))
    match.rule(GivenResult(kind="win", winner="north"))
    match.close()
    state = match.state
    (row,) = rows("results", state)
    assert isinstance(row, ResultRow)
    assert msgspec.to_builtins(row) == {
        "match": state.match,
        **dict.fromkeys(("event", "round", "table", "place", "date")),
        "game": "tablero",
        "ruleset": "tablero",
        "changed_options": "",
        "first_seat": "south",
        "first_player": "Alba",
        "second_seat": "north",
        "second_player": "Bruno",
        "arbiter": "Zoë",
        "phase": "closed",
        "kind": "win",
        "how": "ruling",
        "winner": "north",
        "winning_player": "Bruno",
        "first_held_at_end": 9,
        "second_held_at_end": 16,
        "moves": 2,
        "rolls": 3,
        "rulings": 4,
        "disputes": 0,
        "appeals": 0,
        "first_penalties": 0,
        "second_penalties": 1,
        "closed": True,
        "first_countersigned": False,
        "second_countersigned": False,
        "first_refused_to_sign": False,
        "second_refused_to_sign": False,
        "first_signed_instead": None,
        "second_signed_instead": None,
        "source": None,
        "opened_at": "2026-11-29T18:00:00Z",
        "last_at": "2026-11-29T18:00:00Z",
        "events": 14,
        "head": state.head,
    }


def test_who_signed_a_result_and_who_has_no_stake() -> None:
    match = finished()
    (before,) = rows("results", match.state)
    match.close()
    match.countersign("swedes")
    (after,) = rows("results", match.state)
    assert isinstance(before, ResultRow)
    assert isinstance(after, ResultRow)
    assert (before.phase, before.kind, before.how, before.closed) == ("ended", "win", "goal", False)
    assert (after.closed, after.first_countersigned, after.second_countersigned) == (
        *(True, True, False),
    )
    assert (before.first_countersigned, before.second_countersigned) == (None, None)
    assert (after.first_held_at_end, after.second_held_at_end, after.rolls) == (None, None, 0)
    assert {row.signed_by for row in rows("moves", match.state)} == {"swedes", "muscovites"}
    assert [*rows("rolls", match.state)] == []
    assert len(cells(b"".join(as_csv("rolls", [match.state])))) == 1


def test_who_would_not_sign_and_who_signed_instead() -> None:
    match = finished()
    match.close()
    match.refuse_to_sign("muscovites")
    match.countersign("witness1", absent="swedes")
    assert signatures(match) == (False, False, False, True, "Wanda", None)
    match.countersign("muscovites")
    assert signatures(match) == (False, True, False, False, "Wanda", None)
    match.countersign("swedes")
    assert signatures(match) == (True, True, False, False, None, None)


def test_a_result_that_a_ruling_changed_is_signed_by_nobody() -> None:
    match = finished()
    match.close()
    match.refuse_to_sign("muscovites")
    match.countersign("swedes")
    match.rule(GivenResult(kind="draw"))
    assert signatures(match) == (False, False, False, False, None, None)


def test_a_match_in_play_has_nothing_to_count() -> None:
    """Neither stakes nor signatures: a sum over all matches is one over those that are over."""
    match = corrected()
    (row,) = rows("results", match.state)
    assert isinstance(row, ResultRow)
    assert (row.kind, row.winner, row.closed) == (None, None, False)
    assert (row.first_held_at_end, row.second_held_at_end) == (None, None)
    assert signatures(match) == (None,) * 6
    line = dict(zip(*cells(b"".join(as_csv("results", [match.state]))), strict=True))
    assert {line[name] for name in line if name.startswith(("first_held", "second_held"))} == {""}
    assert {line[name] for name in line if name.endswith(("signed", "to_sign", "instead"))} == {""}


def signatures(match: Match) -> tuple[Any, ...]:
    """For either seat: whether it signed, whether it refused to, and who signed instead."""
    (row,) = rows("results", match.state)
    assert isinstance(row, ResultRow)
    return (
        *(row.first_countersigned, row.second_countersigned),
        *(row.first_refused_to_sign, row.second_refused_to_sign),
        *(row.first_signed_instead, row.second_signed_instead),
    )


def test_an_imported_match_names_the_format_it_came_from() -> None:
    (row,) = rows("results", written(TEXT.encode()))
    assert isinstance(row, ResultRow)
    assert (row.source, row.event, row.table) == ("tabula-text", "Saturnalia", "4")


def test_a_call_is_an_act_without_a_number() -> None:
    match = Match()
    match.play("e3-f3")
    match.call("raichi")
    match.play("e2-h2")
    found = [(row.kind, row.notation, row.number) for row in rows("moves", match.state)]
    assert found == [("move", "e3-f3", 1), ("call", "raichi", None), ("move", "e2-h2", 2)]


def test_what_a_ruling_puts_back_stands_again() -> None:
    match = Match()
    match.play("e3-f3", "e2-h2")
    first = match.rewind(3)
    assert [row.superseded_by for row in rows("moves", match.state)] == [None, first]
    match.rewind(4)
    assert [row.superseded_by for row in rows("moves", match.state)] == [None, None]
    assert [row.number for row in rows("moves", match.state)] == [1, 2]


def test_who_confirmed_dice_that_the_other_wrote_down() -> None:
    match = Match(ruleset="tabula", dice=Physical(confirm=True))
    match.record(5, 2, by="white")
    assert [*rows("rolls", match.state)] == []
    match.confirm("black")
    (row,) = rows("rolls", match.state)
    assert isinstance(row, RollRow)
    assert (row.signed_by, row.completed_by, row.seq) == ("white", "black", match.state.seq)


# -- many matches, and names -----------------------------------------------------------------


def test_matches_are_written_one_by_one_as_they_come() -> None:
    asked = 0

    def states() -> Iterator[MatchState]:
        nonlocal asked
        for _ in range(3):
            asked += 1
            yield corrected().state

    pieces = write("moves.csv", states())
    assert next(pieces).startswith(b"match,event,")
    assert asked == 0
    assert next(pieces).count(b"\r\n") == 3
    assert asked == 1
    assert len([*pieces]) == 2
    assert len(b"".join(write("results.jsonl", states())).splitlines()) == 3


def test_an_empty_list_is_a_table_without_rows() -> None:
    for name in FORMATS:
        data = b"".join(write(name, []))
        assert data.count(b"\r\n") == name.endswith(".csv")


def test_formats_have_names_and_no_others_are_known() -> None:
    assert (
        *("moves.csv", "rolls.csv", "results.csv"),
        *("moves.jsonl", "rolls.jsonl", "results.jsonl"),
    ) == FORMATS
    assert {"moves": MoveRow, "rolls": RollRow, "results": ResultRow} == ROWS
    for name in ("moves", "moves.xls", "moves.csv.csv", "\x1b[2J", ""):
        with pytest.raises(Unreadable) as caught:
            write(name, [])
        assert (caught.value.code, caught.value.message.isprintable()) == ("bad-option", True)
    for wrong in (as_csv, as_jsonl, lambda kind, _: rows(kind, corrected().state)):
        with pytest.raises(Unreadable, match="No row is called seats, only moves, rolls, results"):
            wrong("seats", [])


# -- cells -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("=1+1", "'=1+1"),
        ("+49 170", "'+49 170"),
        ("-2", "'-2"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\tx", "'\tx"),
        ("\uff1d1+1", "'\uff1d1+1"),
        ("'=1", "''=1"),
        (" =1+1", "' =1+1"),
        ("\u00a0@x", "'\u00a0@x"),
        ("Alba;=1+1;b", "Alba;'=1+1;b"),
        ("Alba; -2", "Alba;' -2"),
        (";'", ";''"),
        (" 'x", "' 'x"),
        ("x;y", "x;y"),
        ("2026-11-29", "2026-11-29"),
        ("c1-c4 d7-d2", "c1-c4 d7-d2"),
        ("Alba = Bruno", "Alba = Bruno"),
        ('Alba "the Fox", Ltd', '"Alba ""the Fox"", Ltd"'),
        ("", ""),
    ],
)
def test_no_text_is_a_formula(text: str, cell: str) -> None:
    class Row(msgspec.Struct):
        player: str

    assert csv_lines([Row(text)]) in (f"{cell}\r\n".encode(), b'""\r\n')
    assert plain(cells(csv_lines([Row(text)]))[0][0]) == text


@pytest.mark.parametrize(
    ("text", "guarded"),
    [
        ("6/11", True),
        ("6/11/13", True),
        ("3-5", True),
        ("007", True),
        ("1.5", True),
        ("3.4.26", True),
        ("1E5", True),
        ("12:30", True),
        ("hand/6 6/11", False),
        ("24/off", False),
        ("e3-f3", False),
        ("May 5", False),
        ("pass", False),
    ],
)
def test_no_notation_is_a_date_or_a_number(text: str, guarded: bool) -> None:
    """A name or a table is left as it is: what a spreadsheet makes of it, its reader decides."""

    class Row(msgspec.Struct):
        table: str
        notation: str
        position: str

    row = Row(text, text, text)
    assert cells(csv_lines([row])) == [[text, *2 * [f"'{text}" if guarded else text]]]
    assert [plain(cell) for cell in cells(csv_lines([row]))[0]] == [text] * 3


@given(st.text(st.sampled_from(" ;'=+-@1/\u00a0\uff1dx"), max_size=9))
def test_what_is_guarded_is_given_back(text: str) -> None:
    class Row(msgspec.Struct):
        player: str
        notation: str

    (line,) = cells(csv_lines([Row(text, text)]))
    assert [plain(cell) for cell in line] == [text, text]
    for part in line[0].split(";"):
        assert not part.strip().startswith(tuple("=+-@\uff1d"))


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(["tablut", "tabula", "tablero"]),
    st.lists(words(80), min_size=5, max_size=5),
)
@example("tabula", ["=cmd|' /C calc'!A0", "-1", "@x", "'", "1/2"])
@example("tablut", ['"', ",", ';"', "x\u2028x", "1 2"])
@example("tablero", TAME)
def test_python_reads_the_same_from_csv_and_json_lines(ruleset: str, names: list[str]) -> None:
    state = a_match(ruleset, names, "x").state
    same_rows(state)
    for line in cells(b"".join(as_csv("results", [state])))[1:]:
        assert not [cell for cell in line if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32), st.integers(3, 90), st.sampled_from(["automatic", "called"]))
def test_every_act_and_every_throw_of_a_match_has_its_row(luck: int, most: int, how: str) -> None:
    state = random_match(luck, {"diablo": how}, None, most).state
    same_rows(state)
    moves: list[Any] = [*rows("moves", state)]
    back = {row.seq for row in moves if row.superseded_by is not None}
    assert back == {row.seq for row in moves} & state.superseded()
    assert [row.number for row in moves if row.number] == [*range(1, len(moves) - len(back) + 1)]
    rolls: list[Any] = [*rows("rolls", state)]
    assert [row.roll for row in rolls] == [roll.number for roll in state.rolling.rolls]
    off = {row.seq for row in rolls if row.superseded_by or row.voided_by}
    assert {row.seq for row in rolls} - off <= state.line()
    (result,) = rows("results", state)
    assert isinstance(result, ResultRow)
    assert (result.moves, result.rolls) == (len(moves) - len(back), len(rolls) - len(off))


def same_rows(state: MatchState) -> None:
    for kind, row in ROWS.items():
        found = [*rows(kind, state)]
        assert from_csv(kind, b"".join(as_csv(kind, [state]))) == found
        lines = b"".join(as_jsonl(kind, [state])).splitlines()
        assert [msgspec.json.decode(line, type=row) for line in lines] == found
