"""Matches written as texts: read again they are the same game, whatever people are called and
whatever officials said. A game has its own format."""

from __future__ import annotations

import dataclasses
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any
from unicodedata import normalize

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from match import Match, opened, refused
from msgspec.structs import replace
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

from ledger import formats
from ledger.canonical import check_text
from ledger.errors import Refused, Unreadable
from ledger.events import (
    Adjournment,
    Answer,
    Call,
    Called,
    Complaint,
    Dismissed,
    DrawOffer,
    GivenResult,
    Moved,
    Nothing,
    Penalty,
    Physical,
    Result,
    RollRecorded,
    Ruling,
    SetPosition,
    TakebackOffer,
    Verdict,
)
from ledger.fold import MatchState, begin
from ledger.fold.acts import Turn, action_of
from ledger.formats.transcript import Claim
from ledger.games import game
from ledger.importing import adjudged
from ledger.service import Draft, Plan, Service
from ledger.texts import notation

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
    assert refused.value.message.startswith("The text format of tablut is otn, not ")
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


# -- officials -------------------------------------------------------------------------------


def test_a_game_of_tablut_as_it_is_written_with_all_that_officials_did() -> None:
    match = Match()
    match.play("e3-f3", "e2-g2")
    match.dispute(event=4, by="swedes")
    match.rewind(3)
    match.play("e2-h2", "e4-e2")
    appeal = match.appeal("swedes", against=match.state.entries[6].hash)
    match.decide(appeal, Penalty(seat="swedes", penalty="warning"))
    match.play("h2-h3", "Ke5-e3")
    match.call("raichi")
    match.note()
    match.adjourn("tomorrow")
    match.resume()
    match.resign("muscovites")
    assert (
        notation(match.state, "otn")
        == f"""\
[attackers:Bruno]
[defenders:Alba]
[result:-1]
[termination:Black resigns]
[x-ruleset:tablut]
[x-match:{match.state.match}]
[x-head:{match.state.head}]
[start-comment:Left out, as taken back, void or not confirmed: 1 turn]
[rules:dim:9 name:tablut esc:c surf:n atkf:n tfr:d ka:y ks:s nj:n cj:n cens:K cenp:tcnkmTCNKM \
cenh: cenhe:tcnkmTCNKM corh:tcnkmTCNKM corp:K cors:K \
start:/3ttt3/4t4/4T4/t3T3t/ttTTKTTtt/t3T3t/4T4/4t4/3ttt3/]

1. e3-f3 e2-h2
[Event 5: Alba disputes event 4: That is not what was played; Event 6: ruling: back to event 3: \
A piece was moved by mistake. (record)|]
2. e4-e2 h2-h3
[Event 9: Alba appeals against event 6: The rule says otherwise; Event 10: Ana decides the appeal \
of event 9: a warning for Alba: Read anew. (record)|]
3. Ke5-e3
[raichi; Event 15: adjourned until tomorrow; Event 16: resumed]
"""
    )


def test_a_game_of_tabula_as_it_is_written_with_all_that_officials_did() -> None:
    match = Match(ruleset="tabula", dice=Physical(confirm=False))
    match.record(5, 2)
    match.record(6, 5, 2)
    match.rule(Penalty(seat="white", penalty="warning"))
    match.play_any(lambda text: text == "hand/2 hand/5 hand/6")
    match.record(1, 1, 1)
    dispute = match.dispute(by="white")
    match.settle("white", dispute)
    match.settle("black", dispute)
    match.rule(GivenResult(kind="draw"))
    assert (
        notation(match.state, "text")
        == f"""\
; [Ruleset "tabula"]
; [White "Alba"]
; [Black "Bruno"]
; [Arbiter "Zoë"]
; [Result "draw (ruling)"]
; [Match "{match.state.match}"]
; [Head "{match.state.head}"]

0. W 5 B 2
; Event 5: ruling: a warning for Alba: A piece was moved by mistake. [record]
1. W 6-5-2: hand/2 hand/5 hand/6
2. B 1-1-1:
; Event 8: Alba disputes event 7: That is not what was played.
; Event 10: Bruno agrees: the dispute about event 7 is settled
; Event 11: ruling: the game is a draw: A piece was moved by mistake. [record]
"""
    )
    with refused("import-unexplained", "the file says it is a draw (ruling); the board does not"):
        adjudged(notation(match.state, "text").encode())


def test_a_ruling_that_was_taken_back_itself_is_marked() -> None:
    match = Match()
    match.play("e3-f3", "e2-h2")
    match.rule(GivenResult(kind="win", winner="swedes"))
    match.rewind(4)
    match.play("e4-e2")
    text = notation(match.state, "otn")
    assert "Event 5 (taken back): ruling: the game goes to Alba (the Swedes): " in text
    assert "Event 6: ruling: back to event 4: " in text


# -- there and back --------------------------------------------------------------------------


def random_match(lot: Random, ruleset: str, most: int) -> Match:
    """Played by lot, with warnings, corrections, disputes and calls in it; at the end somebody may
    resign, or both agree on a draw."""
    dice = Physical(confirm=False) if ruleset.startswith("tabula") else None
    match = Match(ruleset=ruleset, keyed=(), dice=dice)
    game = match.state.game
    for _ in range(most):
        if match.state.result:
            break
        wanted, chance = game.wanted(match.state.position), lot.random()
        if chance < 0.05:
            match.rule(Penalty(seat=lot.choice(game.seats), penalty="warning"))
        elif chance < 0.1:
            with suppress(Refused):
                match.rewind(lot.randrange(match.state.seq + 1), dice="rethrow" if dice else None)
        elif chance < 0.15:
            match.write("dispute.raised", Complaint(event=0, text="Hm."), "arbiter")
            match.rule(Dismissed())
        elif chance < 0.2:
            with suppress(Refused):
                match.write("call", Call(call="raichi"), "arbiter", "swedes")
        elif wanted:
            match.record(*lot.choices(range(1, 7), k=wanted.count))
        else:
            match.play_any(lambda _: lot.randrange(1000))
    if not match.state.result and lot.random() < 0.3:
        match.write("resigned", Nothing(), "arbiter", lot.choice(game.seats))
    elif not match.state.result and lot.random() < 0.3:
        match.write("offer.made", DrawOffer(), "arbiter", game.seats[0])
        agreed = Answer(offer=match.state.head)
        match.write("offer.accepted", agreed, "arbiter", game.seats[1])
    return match


@settings(max_examples=40, deadline=None)
@given(
    st.integers(0, 2**32),
    st.sampled_from([*game("tablut").rulesets, *game("tabula").rulesets]),
    st.integers(4, 60),
)
def test_what_stands_goes_out_and_comes_in_whatever_happened(
    luck: int, ruleset: str, most: int
) -> None:
    state = random_match(Random(luck), ruleset, most).state
    name = "otn" if state.game.name == "tablut" else "text"
    text = notation(state, name)
    acts = [state.entries[seq].event for seq in sorted(state.line())]
    moves = [action_of(event).text for event in acts if isinstance(event, Turn)]
    throws = [event.data.dice for event in acts if isinstance(event, RollRecorded)]
    if not moves and not throws:
        with refused("import-empty"):
            adjudged(text.encode())
        return
    found = adjudged(text.encode())
    assert [action.text for action in found.adjudication.actions] == moves
    assert [cast.dice for cast in found.transcript.casts] == throws
    assert found.transcript.options == state.opening.ruleset.options
    told = [each.text for each in found.transcript.comments]
    warned = sum(isinstance(entry.event, Ruling) for entry in state.entries)
    assert sum(text.count(": ruling: ") for text in told) == warned
    assert state.game.position(found.adjudication.state) == state.game.position(state.position)
    how = state.result.how if state.result else "open"
    by_hand = how if how in ("open", "resigned", "agreed") else "board"
    assert found.adjudication.ended.value == by_hand


# -- hostile words ---------------------------------------------------------------------------

SIGNS = (
    *('"', "\\", "[", "]", "|", ";", ":", "/", "(", ")", "{", "*", "#", "'", "=", "-", "<", "."),
    *(" ", "  ", "\u00a0", "\u2028", "\ufeff", "é", "א", "👑", "x", "9"),
    *('"]', '"] ', "; [", "[rules:", "[result:1]", '; [Result "draw (agreed)"]', "[x|y]"),
    *("9. S 1-1:", "1. e3-f3", "0. W 1 B 1", "5... N: pull", "1. ", "---", "..", "resigns"),
    *("White", "Black", "South", "attackers", "the swedes", "draw agreed", "agreed"),
)


OUTSIDE = "\ufeff" + "".join(chr(code) for code in range(0x10000) if chr(code).isspace())
"""What no text of an event begins or ends with."""


def _may_be_said(text: str, longest: int) -> bool:
    try:
        check_text(text)
    except Refused:
        return False
    return 0 < len(text) <= longest and text == text.strip(OUTSIDE)


def words(longest: int) -> st.SearchStrategy[str]:
    """Whatever may stand in an event, as hostile as can be."""
    built = st.lists(st.sampled_from(SIGNS), min_size=1, max_size=12).map("".join)
    free = st.text(st.characters(codec="utf-8"), min_size=1, max_size=30)
    return (
        (built | free)
        .map(lambda text: normalize("NFC", text))
        .filter(lambda text: _may_be_said(text, longest))
    )


def a_match(ruleset: str, names: list[str], said: str) -> Match:
    """Two throws or moves, and after each some words by officials; first seat resigns."""
    dice = None if ruleset == "tablut" else Physical(confirm=False)
    match = Match(ruleset=ruleset, keyed=(), dice=dice)
    terms = match.state.opening
    first, second = match.state.game.seats
    seats = {first: replace(terms.seats[first], name=names[0])}
    seats |= {second: replace(terms.seats[second], name=names[1])}
    arbiter = replace(terms.arbiter, name=names[2])
    terms = replace(terms, seats=seats, arbiter=arbiter, event=names[3], place=names[4])
    match.state = begin(opened(terms))
    short = said[:200].strip(OUTSIDE) or "x"
    verdict = Verdict(reason=said, rule=short, effects=(Penalty(seat=first, penalty="warning"),))
    for faces in ((6, 2), (3, 1, 1) if ruleset == "tabula" else (3, 1)):
        if dice:
            match.record(*faces)
        if match.state.turn and match.state.game.legal(match.state.position):
            match.play_any()
        match.write("ruling", verdict, "arbiter")
        match.write("dispute.raised", Complaint(event=1, text=said), "arbiter")
        match.write("ruling", replace(verdict, effects=(Dismissed(),)), "arbiter")
        match.write("adjourned", Adjournment(until=short), "arbiter")
        match.resume()
    match.write("resigned", Nothing(), "arbiter", first)
    return match


def bare(claim: Claim) -> Claim:
    """Without its place in the file."""
    return dataclasses.replace(claim, line=0)


TAME = ["Alba", "Bruno", "Zoë", "Fair", "Bruges"]


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from(["tablut", "tabula", "tablero"]),
    st.lists(words(80), min_size=5, max_size=5),
    words(4000),
)
@example("tablut", ["White", "Black", "Zoë", "x", "x"], "[x|y] resigns")
@example("tabula", ['"] ; [Result "draw (agreed)"]', "\\", "\\", "x", "x"], '[White "x"]')
@example("tablero", ["x", "x", "x", "x", "x"], "a" * 95 + ' [Result "draw (agreed)"]')
@example("tablero", ["x", "x", "x", "x", "x"], "a" * 95 + " 3. S 1-1: pass")
def test_no_words_break_out_of_a_text(ruleset: str, names: list[str], said: str) -> None:
    state = a_match(ruleset, names, said).state
    format = "otn" if ruleset == "tablut" else "text"
    hidden = "".join(names[:2] + names[3:] + [names[2]] * (format == "text"))
    if set("\ufeff" if format == "text" else "[]") & set(hidden):
        with refused("not-writable"):
            notation(state, format)
        return
    found = formats.read(notation(state, format).encode())
    tame = formats.read(notation(a_match(ruleset, TAME, "x").state, format).encode())
    assert [(ply.seat, ply.typed) for ply in found.plies] == [
        (ply.seat, ply.typed) for ply in tame.plies
    ]
    assert [(cast.after, cast.dice) for cast in found.casts] == [
        (cast.after, cast.dice) for cast in tame.casts
    ]
    assert bare(found.claim) == bare(tame.claim)
    assert found.tags.keys() == tame.tags.keys()
    assert (found.ruleset, found.options) == (tame.ruleset, tame.options)
    seats = zip(state.game.seats, names[:2], strict=True)
    told = {**found.players, **found.details}
    assert {name: " ".join(text.split()) for name, text in told.items()} == {
        name: " ".join(text.split())
        for name, text in {**dict(seats), "event": names[3], "place": names[4]}.items()
    }
    assert adjudged(notation(state, format).encode()).adjudication.ended.value == "resigned"
