"""Matches written for OpenTafl: read again they are the same game. A game has its own format."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from match import Match, refused
from table import (
    ARBITER,
    KEYS,
    SHORT_GAME,
    accept,
    new_service,
    opening,
    play,
    resign,
    rewind,
    whole_game,
)

from ledger.errors import Refused, Unreadable
from ledger.events import (
    Answer,
    Call,
    Called,
    DrawOffer,
    GivenResult,
    Moved,
    Nothing,
    Physical,
    Result,
    SetPosition,
    TakebackOffer,
)
from ledger.exporting import notation
from ledger.fold import MatchState
from ledger.importing import adjudged
from ledger.service import Draft, Plan, Service

START = [accept("swedes"), accept("muscovites")]


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return new_service(tmp_path / "ledger.db")


def standing(state: MatchState) -> list[str]:
    line = state.line()
    return [
        entry.event.data.move
        for entry in state.entries
        if isinstance(entry.event, Moved) and entry.event.seq in line
    ]


def again(service: Service, state: MatchState) -> MatchState:
    """The match exported, imported and written once more."""
    game = adjudged(notation(state, "otn").encode())
    return service.open_match(
        game.opening("Zoë", ARBITER.public, "22" * 16), ARBITER, list(game.plans)
    )


def played(service: Service, ruleset: str, plans: list[Plan]) -> MatchState:
    state = service.open_match(opening(ruleset), ARBITER)
    return service.append(state.match, [*START, *plans], KEYS)


def test_a_whole_game_goes_out_and_comes_in(service: Service) -> None:
    state = whole_game(service)
    back = again(service, state)
    assert standing(back) == standing(state)
    assert back.result == state.result
    assert back.opening.ruleset == state.opening.ruleset
    assert {seat: back.roster[seat].name for seat in back.game.seats} == {
        "swedes": "Alba",
        "muscovites": "Bruno",
    }


@pytest.mark.parametrize(
    ("ruleset", "moves"),
    [
        ("tablut", SHORT_GAME[:3]),
        ("tablut-edge", SHORT_GAME[:2]),
        ("tablut-linnaeus", ("e2-g2", "e3-h3", "b5-b3")),
        ("tablut-ashton", ("g5-g4", "h5-g5xf5")),
        ("hnefatafl", ("f4-e4",)),
        ("tawlbwrdd", ("f4-e4",)),
    ],
)
def test_every_ruleset_stays_what_it_is(
    service: Service, ruleset: str, moves: tuple[str, ...]
) -> None:
    state = played(service, ruleset, [play(move) for move in moves])
    back = again(service, state)
    assert back.opening.ruleset == state.opening.ruleset
    assert standing(back) == standing(state)
    assert back.result is None


def test_a_resignation_and_a_correction(service: Service) -> None:
    plans = [play("e3-f3"), play("e2-a2"), rewind(3), play("e2-h2"), resign("swedes")]
    state = played(service, "tablut", plans)
    assert standing(state) == ["e3-f3", "e2-h2"]
    back = again(service, state)
    assert standing(back) == ["e3-f3", "e2-h2"]
    assert back.result == state.result


def test_changed_options_go_along(service: Service) -> None:
    changed = opening(goal="clear_edge", captures="single", king_armed=False)
    state = service.open_match(changed, ARBITER)
    state = service.append(state.match, [*START, play("e3-f3")], KEYS)
    assert again(service, state).opening.ruleset == state.opening.ruleset


def test_words_with_brackets_are_refused(service: Service) -> None:
    from msgspec.structs import replace

    state = service.open_match(replace(opening(), event="Spring [meet]"), ARBITER)
    with pytest.raises(Refused) as refused:
        notation(state, "otn")
    assert refused.value.code == "not-writable"


@pytest.mark.parametrize("name", ["text", "pgn", "\x1b[2J"])
def test_a_format_that_the_game_does_not_have(service: Service, name: str) -> None:
    state = service.open_match(opening(), ARBITER)
    with pytest.raises(Unreadable) as refused:
        notation(state, name)
    assert refused.value.code == "bad-option"
    assert refused.value.message.startswith("A match of tablut is written as record or otn, not ")
    assert refused.value.message.isprintable()


@pytest.mark.parametrize("kind", ["annulled", "double_forfeit"])
def test_what_was_decided_off_the_board_has_no_place_in_it(kind: Any) -> None:
    match = Match()
    match.rule(GivenResult(kind=kind))
    match.close()
    with refused("not-writable"):
        notation(match.state, "otn")


def test_a_position_that_a_ruling_set_has_no_place_in_a_notation() -> None:
    """Tablut and Tabula alike; once the ruling is taken back nothing keeps the moves from it."""
    tabula = Match(ruleset="tabula", dice=Physical(confirm=False))
    tabula.record(5, 3)
    tablut = Match()
    tablut.play("e3-f3", "e2-h2")
    for match, name, text in (
        (tablut, "otn", "/3ttt3/4t4/9/t7t/tt2K1Ttt/t3T3t/4T4/4t4/9/ m"),
        (tabula, "text", "W h0 b0 o3 20:12 | B h0 b1 o0 1:2,9:12 | B"),
    ):
        before = match.state.seq
        number = match.rule(SetPosition(position=text))
        for _ in range(2):
            with refused("not-writable", f"By the ruling of event {number}"):
                notation(match.state, name)
            match.note()
        match.rewind(before, dice="keep" if match is tabula else None)
        assert notation(match.state, name)


@pytest.mark.parametrize(
    ("kind", "winner", "result"), [("draw", None, "0"), ("win", "swedes", "-1")]
)
def test_a_result_that_a_ruling_gave_is_told_in_words(
    kind: Any, winner: str | None, result: str
) -> None:
    match = Match()
    match.play("e3-f3")
    match.rule(GivenResult(kind=kind, winner=winner))
    text = notation(match.state, "otn")
    assert f"[result:{result}]" in text
    assert "[termination:by ruling]" in text


def draw_offered(by: str) -> Plan:
    return lambda _: Draft("offer.made", DrawOffer(), by)


def answered(kind: str, by: str) -> Plan:
    return lambda state: Draft(kind, Answer(offer=state.offers[0].hash), by)


def test_an_agreed_draw_comes_back_as_one(service: Service) -> None:
    plans = [play("e3-f3"), draw_offered("swedes"), answered("offer.accepted", "muscovites")]
    state = played(service, "tablut", plans)
    text = notation(state, "otn")
    assert "[result:0]" in text
    assert "[termination:draw agreed]" in text
    back = again(service, state)
    assert (standing(back), back.result) == (["e3-f3"], state.result)
    assert back.result == Result(kind="draw", how="agreed")


def test_a_claimed_draw_comes_back_as_one(service: Service) -> None:
    walk = [play(move) for move in ("e3-f3", "e2-h2", "f3-e3", "h2-e2") * 2]
    claim: Plan = lambda _: Draft("draw.claimed", Nothing(), "muscovites")  # noqa: E731
    state = played(service, "tablut", [*walk, claim])
    back = again(service, state)
    assert (len(standing(back)), back.result) == (8, state.result)


def test_a_declined_offer_and_an_agreed_takeback_leave_the_moves_that_stand(
    service: Service,
) -> None:
    takeback: Plan = lambda _: Draft("offer.made", TakebackOffer(to=3), "muscovites")  # noqa: E731
    plans = [
        play("e3-f3"),
        play("e2-h2"),
        draw_offered("swedes"),
        answered("offer.declined", "muscovites"),
        takeback,
        answered("offer.accepted", "swedes"),
        play("e2-d2"),
    ]
    state = played(service, "tablut", plans)
    assert standing(again(service, state)) == standing(state) == ["e3-f3", "e2-d2"]


def test_calls_stand_in_comments_and_are_not_believed_when_they_come_back(
    service: Service,
) -> None:
    call: Plan = lambda _: Draft("call", Call(call="raichi"), "swedes")  # noqa: E731
    state = played(service, "tablut", [*(play(move) for move in SHORT_GAME[:5]), call])
    text = notation(state, "otn")
    assert "[raichi" in text
    back = again(service, state)
    assert standing(back) == standing(state)
    assert not any(isinstance(entry.event, Called) for entry in back.entries)
