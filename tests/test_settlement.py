"""Settlements: both agree how the 36 points of El Tablero de Jesús are divided, and it is over.

Alba plays South, Bruno North; a settlement names South's share first. The arbiter writes down the
dice that lie on the table unless it is said otherwise.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from match import Match, refused
from msgspec.structs import replace
from table import BOTH, BOTH_SIDES

from ledger import views
from ledger.events import Answer, CommitReveal, DrawOffer, Physical, Result, SettlementOffer
from ledger.fold import Phase, as_of

SETTLED = Result(kind="win", how="settled", winner="south")
DIVIDED = Result(kind="draw", how="settled")


def tablero(*, dice: CommitReveal | Physical | None = None, **options: Any) -> Match:
    return Match(ruleset="tablero", dice=dice or Physical(confirm=False), **options)


def deciding(**options: Any) -> Match:
    """South has six coins in a row and decides what to do with them."""
    match = tablero(**options)
    match.record(5, 3)
    match.record(2, 4)
    match.act("move", "b7-b1")
    assert match.position == "7111111 13,16 0 0 south decide"
    return match


def offered(match: Match) -> list[tuple[str, type]]:
    return [(offer.seat, type(offer.terms)) for offer in match.state.offers]


# -- agreed --------------------------------------------------------------------------------


def test_the_larger_share_wins() -> None:
    match = deciding()
    offer = match.offer_settlement("north", 20, 16)
    assert offered(match) == [("north", SettlementOffer)]
    match.agree("south", offer)
    assert match.position == "0000000 20,16 0 0 south over"
    assert (match.state.phase, match.state.result, match.state.turn) == (Phase.ENDED, SETTLED, None)
    assert match.state.offers == ()
    match.close()
    match.countersign("south")
    match.countersign("north")
    report = match.audited()
    assert (report.verdict, report.faults, report.unchecked) == ("sound", (), ())
    assert report.result == match.state.closed == SETTLED


def test_equal_shares_are_a_draw() -> None:
    match = deciding()
    match.agree("north", match.offer_settlement("south", 18, 18))
    assert match.position == "0000000 18,18 0 0 - over"
    assert match.state.result == DIVIDED
    match.close()
    report = match.audited()
    assert (report.verdict, report.result) == ("sound", DIVIDED)


def test_it_is_told_in_words_who_gets_what() -> None:
    match = deciding()
    offer = match.offer_settlement("north", 20, 16)
    shares = "Alba (South) 20, Bruno (North) 16"
    assert f"Bruno (North) offers a settlement: {shares}" in views.show(match.state).remarks[-1]
    match.agree("south", offer)
    assert views.log(match.state).events[-2].text == f"Bruno offers a settlement: {shares}"
    assert views.next_step(match.state).startswith(
        "The players divide the coins: South 20, North 16: South wins."
    )


@settings(max_examples=40)
@given(st.integers(0, 36), st.sampled_from(["south", "north"]))
def test_any_division_of_all_points_can_be_agreed(south: int, offers: str) -> None:
    match = deciding()
    answers = match.state.other(offers)
    match.agree(answers, match.offer_settlement(offers, south, 36 - south))
    winner = None if south == 18 else "south" if south > 18 else "north"
    kind = "win" if winner else "draw"
    assert match.state.result == Result(kind=kind, how="settled", winner=winner)
    report = match.audited()
    assert (report.verdict, report.result) == ("sound", match.state.result)


@pytest.mark.parametrize(
    ("what", "before"),
    [
        ("nothing", "0000000 18,18 0 0 - opening"),
        ("begun", "7711111 13,16 0 0 south throw"),
        ("thrown", "7711111 13,16 0 0 south move:2-4"),
        ("a Pass Number", "7111111 13,16 0 0 south answer"),
        ("a Wager", "7111111 5,16 8 0 south throw"),
        ("a Run", "1111111 13,16 0 0 south run"),
        ("a pot", "1111111 13,14 0 2 south run-or-stop"),
    ],
)
def test_all_points_are_divided_wherever_they_are(what: str, before: str) -> None:
    match = tablero()
    if what != "nothing":
        match.record(5, 3)
    if what not in ("nothing", "begun"):
        match.record(2, 4)
    if what in ("a Pass Number", "a Wager", "a Run", "a pot"):
        match.act("move", "b7-b1")
        match.record(*((1, 5) if what in ("a Run", "a pot") else (3, 4)))
    match what:
        case "a Wager":
            match.act("wager")
        case "a Run" | "a pot":
            match.act("move", "a7-a1")
            match.act("run")
    if what == "a pot":
        match.record(2, 1)
    assert match.position == before
    match.agree("south", match.offer_settlement("north", 10, 26))
    assert match.position == "0000000 10,26 0 0 north over"
    assert match.state.result == Result(kind="win", how="settled", winner="north")
    assert match.audited().verdict == "sound"


# -- not agreed ----------------------------------------------------------------------------


def test_a_declined_settlement_changes_nothing_and_cannot_be_accepted_later() -> None:
    match = deciding()
    before = match.position
    offer = match.offer_settlement("north", 20, 16)
    match.decline("south", offer)
    assert (match.state.offers, match.position, match.state.result) == ((), before, None)
    for answer in (match.agree, match.decline):
        with refused("offer-lapsed"):
            answer("south", offer)
    match.offer_settlement("north", 21, 15)  # a better one
    assert match.audited().verdict == "sound"


@pytest.mark.parametrize("seat", ["south", "north"])
def test_a_throw_ends_every_offer(seat: str) -> None:
    match = deciding()
    offer = match.offer_settlement(seat, 20, 16)
    match.record(1, 2)
    assert match.state.offers == ()
    with refused("offer-lapsed"):
        match.agree(match.state.other(seat), offer)


def test_it_lapses_with_the_other_sides_act() -> None:
    match = deciding()
    offer = match.offer_settlement("north", 20, 16)
    match.act("pull", "1b-g")
    assert match.state.offers == ()
    with refused("offer-lapsed"):
        match.agree("south", offer)
    assert match.audited().verdict == "sound"


def test_it_was_meant_for_one_position_and_lapses_with_the_offerers_own_act_too() -> None:
    match = deciding()
    offer = match.offer_settlement("south", 24, 12)
    draw = match.offer_draw("south")
    match.act("pull", "1b-g")
    assert match.position == "7777777 19,10 0 0 north throw"
    with refused("offer-lapsed"):
        match.agree("north", offer)
    match.agree("north", draw)


def test_a_called_diablo_ends_what_both_had_offered() -> None:
    match = tablero(diablo="called")
    match.record(5, 3)
    match.record(3, 4)
    mine, theirs = match.offer_settlement("south", 20, 16), match.offer_settlement("north", 16, 20)
    match.act("diablo")
    assert offered(match) == []
    with refused("offer-lapsed"):
        match.agree("north", mine)
    with refused("offer-lapsed"):
        match.agree("south", theirs)


def test_nobody_answers_their_own_settlement_and_none_is_offered_twice() -> None:
    match = deciding()
    offer = match.offer_settlement("north", 20, 16)
    with refused("own-offer", "Bruno made this offer"):
        match.agree("north", offer)
    with refused("offered-already", "An offer of Bruno of that kind stands already"):
        match.offer_settlement("north", 22, 14)
    match.offer_settlement("south", 22, 14)


def test_an_answer_means_one_of_several_offers() -> None:
    match = deciding()
    draw = match.offer_draw("north")
    settlement = match.offer_settlement("north", 20, 16)
    assert offered(match) == [("north", DrawOffer), ("north", SettlementOffer)]
    match.decline("south", draw)
    assert offered(match) == [("north", SettlementOffer)]
    match.agree("south", settlement)
    assert match.state.result == SETTLED


# -- refused -------------------------------------------------------------------------------


@pytest.mark.parametrize("split", [(20, 17), (20, 15), (0, 0), (0, 37), (36, 36), (1_000_000, 0)])
def test_a_split_that_does_not_make_36_is_refused(split: tuple[int, int]) -> None:
    match = deciding()
    shown = f"{split[0]}-{split[1]} is no division: the shares of South and North make 36."
    with refused("bad-split", shown):
        match.offer_settlement("north", *split)
    assert match.state.offers == ()


@pytest.mark.parametrize("name", ["tablut", "tabula"])
def test_other_games_are_not_played_for_points(name: str) -> None:
    match = Match(ruleset=name, dice=BOTH if name == "tabula" else None)
    first, _ = match.state.game.seats
    with refused("no-settlement", "not played for points that could be shared"):
        match.offer_settlement(first, 18, 18)


def test_a_match_may_be_opened_without_settlements() -> None:
    match = deciding()
    terms = replace(match.state.opening, settlements=False)
    match.state = replace(match.state, opening=terms)
    for seat in ("south", "north"):
        with refused("no-settlements", "opened without settlements"):
            match.offer_settlement(seat, 20, 16)
    match.offer_draw("north")


def test_not_while_a_roll_is_in_flight() -> None:
    match = tablero(dice=BOTH_SIDES)
    early = match.offer_settlement("north", 20, 16)
    for seat in ("south", "north"):
        match.commit(seat)
    match.throw("south")
    for seat in ("south", "north"):
        with refused("roll-in-flight"):
            match.offer_settlement(seat, 20, 16)
    for answer in (match.agree, match.decline):
        with refused("roll-in-flight"):
            answer("south", early)
    match.open("north")
    with refused("offer-lapsed"):
        match.agree("south", early)
    match.agree("north", match.offer_settlement("south", 20, 16))
    assert match.state.result == SETTLED
    assert match.audited().verdict == "sound"


def test_not_before_the_dice_are_confirmed() -> None:
    match = tablero(dice=Physical(confirm=True))
    early = match.offer_settlement("north", 20, 16)
    match.record(5, 3, by="south")
    for seat in ("south", "north"):
        with refused("unconfirmed", "Bruno confirms the dice 5-3 first"):
            match.offer_settlement(seat, 20, 16)
    with refused("unconfirmed"):
        match.agree("south", early)
    match.confirm("north")
    match.agree("south", match.offer_settlement("north", 20, 16))
    assert match.state.result == SETTLED


def test_not_before_acceptance_and_not_when_the_game_is_over() -> None:
    match = tablero(play=False)
    with refused("not-accepted"):
        match.offer_settlement("south", 20, 16)
    match = deciding()
    offer = match.offer_settlement("north", 20, 16)
    match.agree("south", offer)
    for kind, data in (
        ("offer.made", SettlementOffer(split=(18, 18))),
        ("offer.accepted", Answer(offer=offer)),
    ):
        with refused("game-over"):
            match.write(kind, data, "north")
    with refused("game-over"):
        match.record(1, 2)


def test_the_arbiter_offers_and_agrees_for_a_seat_without_a_key_only() -> None:
    match = Match(["south"], ruleset="tablero", dice=Physical(confirm=False))
    match.record(5, 3)
    terms = SettlementOffer(split=(20, 16))
    with refused("seat-has-key"):
        match.write("offer.made", terms, "arbiter", "south")
    match.write("offer.made", terms, "arbiter", "north")
    with refused("seat-has-key"):
        match.write("offer.accepted", Answer(offer=match.state.head), "arbiter", "south")
    match.agree("south", match.state.head)
    assert match.state.result == SETTLED
    assert match.audited().verdict == "sound"


# -- taken back ----------------------------------------------------------------------------


def test_the_arbiter_can_correct_a_settlement_that_was_written_by_mistake() -> None:
    match = deciding()
    agreed = match.agree("south", match.offer_settlement("north", 20, 16))
    match.rewind(to=agreed - 1, dice="keep")
    assert (match.state.phase, match.state.result) == (Phase.IN_PLAY, None)
    assert match.position == "7111111 13,16 0 0 south decide"
    assert match.state.superseded() == {agreed}
    assert match.state.offers == ()
    match.agree("north", match.offer_settlement("south", 16, 20))
    assert match.state.result == Result(kind="win", how="settled", winner="north")
    report = match.audited()
    assert (report.verdict, report.result) == ("sound", match.state.result)


def test_the_match_as_it_stood_earlier_has_the_settlement_of_that_time() -> None:
    match = deciding()
    offer = match.offer_settlement("north", 20, 16)
    match.agree("south", offer)
    then = as_of(match.state, match.state.seq - 1)
    assert [each.terms for each in then.offers] == [SettlementOffer(split=(20, 16))]
    assert (then.phase, then.result) == (Phase.IN_PLAY, None)
