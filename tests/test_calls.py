"""Calls in Tablut: due after a Swedish move, made once, and told when missing or false."""

from __future__ import annotations

import pytest
from match import Match, refused
from msgspec.structs import replace

from ledger.events import Call, Source
from ledger.fold import breaches
from ledger.games import game

TABLUT = game("tablut")
RAICHI = ("e3-f3", "d1-c1", "e4-d4", "c1-d1", "Ke5-e3")
"""The king on e3 has one free way to the edge. His move is event 7."""
TUICHI = ("e3-f3", "e2-d2", "f3-f2", "d1-c1", "e4-d4", "c1-d1", "Ke5-e3")
"""He has more than one; his move is event 9."""


def after(*moves: str, **options: bool | str) -> Match:
    match = Match(**options)
    match.play(*moves)
    return match


def remarks(match: Match) -> list[str]:
    return list(TABLUT.remarks(match.state.position))


@pytest.mark.parametrize(("moves", "word"), [(RAICHI, "raichi"), (TUICHI, "tuichi")])
def test_a_call_is_due_until_it_is_made_and_changes_nothing(
    moves: tuple[str, ...], word: str
) -> None:
    match = after(*moves)
    assert f"{word} is due from the Swedes" in remarks(match)[0]
    position = match.position
    match.call(word)
    assert (match.position, match.state.turn, remarks(match)) == (position, "muscovites", [])
    match.play("d1-c1")
    assert breaches(match.state) == {}


def test_a_missing_call_is_told_at_the_move_that_owed_it_once_the_muscovites_have_moved() -> None:
    match = after(*RAICHI)
    assert breaches(match.state) == {}
    match.note()
    match.play("d1-c1")
    assert breaches(match.state) == {7: ("raichi was due and not called",)}


def test_a_false_call_is_told_at_once_and_stays_on_the_record() -> None:
    match = after(*TUICHI)
    seq = match.call("raichi")
    assert remarks(match) == ["A false call: raichi was called, but tuichi was due."]
    match.play("d1-c1")
    assert breaches(match.state) == {seq: ("raichi was called, but tuichi was due",)}
    other = after("e3-f3")
    seq = other.call("tuichi")
    assert remarks(other) == ["A false call: tuichi was called, but none was due."]
    other.play("d1-c1")
    assert breaches(other.state) == {seq: ("tuichi was called, but none was due",)}


def test_what_was_taken_back_owes_no_call() -> None:
    match = after(*RAICHI, "d1-c1")
    match.rewind(to=6)
    assert breaches(match.state) == {}
    match.play("Ke5-e4", "d1-c1")
    assert breaches(match.state) == {}


def test_a_mistyped_call_is_corrected_like_a_move() -> None:
    match = after(*RAICHI)
    match.call("tuichi")
    match.rewind(to=7)
    match.call("raichi")
    match.play("d1-c1")
    assert breaches(match.state) == {}
    assert match.state.superseded() == {8}


def test_the_swedes_call_right_after_their_own_move_once() -> None:
    match = Match()
    with refused("calls", "right after their own move"):
        match.call("raichi")
    match.play(*RAICHI)
    with refused("wrong-turn", "for the Swedes to act, not for the Muscovites"):
        match.call("raichi", by="muscovites")
    match.call("raichi")
    with refused("calls", "called raichi already"):
        match.call("tuichi")
    match.play("d1-c1")
    with refused("calls", "right after their own move"):
        match.call("raichi")


def test_where_there_are_no_calls_none_is_made_or_missed() -> None:
    match = after(*RAICHI, calls="off")
    with refused("calls", "calls=off"):
        match.call("raichi")
    match.play("d1-c1")
    assert breaches(match.state) == {}


def test_a_call_is_an_act_of_its_seat_that_the_arbiter_writes_for_it() -> None:
    match = Match(["muscovites"])
    for number, text in enumerate(RAICHI):
        match.move(text, *(("arbiter", "swedes") if number % 2 == 0 else ("muscovites",)))
    match.write("call", Call(call="raichi"), "arbiter", "swedes")
    match.play("d1-c1")
    assert breaches(match.state) == {}


def test_a_call_is_written_in_one_spelling_and_typed_in_many() -> None:
    match = after(*RAICHI)
    for text in ("Raichi", "RÀ-ihi", "ra-ihi", "RAICHI!"):
        assert TABLUT.read(match.state.position, "call", text).text == "raichi"
    for text in ("TWÍ-hi", "tuichi", " Tuichi "):
        assert TABLUT.read(match.state.position, "call", text).text == "tuichi"
    with refused("not-canonical", "raichi or tuichi"):
        match.call("Raichi")


def test_nobody_knows_what_was_called_in_a_game_from_a_file() -> None:
    match = after(*RAICHI, "d1-c1")
    source = Source(format="opentafl", sha256="0" * 64)
    read = replace(match.state, opening=replace(match.state.opening, source=source))
    assert breaches(match.state)
    assert breaches(read) == {}


def test_a_call_does_not_count_as_a_repetition() -> None:
    match = after(*RAICHI)
    match.call("raichi")
    assert TABLUT.repetitions(match.state.position) == 1  # type: ignore[attr-defined]
