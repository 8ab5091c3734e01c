"""Dice on the table: recorded, confirmed, voided. Alba plays White, Bruno Black."""

from __future__ import annotations

from typing import Any

import pytest
from match import Match
from test_rolls import audited, refused_by_both

from ledger.events import Physical
from ledger.fold import due
from ledger.fold.due import Step


def tabula(*, confirm: bool = False, keyed: Any = None) -> Match:
    return Match(keyed, ruleset="tabula", dice=Physical(confirm=confirm))


def begun(**options: Any) -> Match:
    """White has thrown the higher die and begins."""
    match = tabula(**options)
    match.record(6, 1, by="arbiter")
    if match.state.rolling.recorded:
        match.confirm("black" if match.state.roster["black"].key else "arbiter", None)
    return match


@pytest.mark.parametrize("by", ["white", "black", "arbiter"])
def test_whoever_sits_there_writes_the_dice_down(by):
    match = tabula()
    match.record(6, 1, by=by)
    assert match.state.rolling.rolls[0].seat == "white"
    match.record(2, 5, 6, by=by)
    assert match.state.game.thrown(match.state.position) == (2, 5, 6)


def test_equal_dice_of_the_opening_are_on_record_and_thrown_again():
    match = tabula()
    match.record(3, 3)
    match.record(4, 4)
    match.record(2, 5)
    assert [roll.dice for roll in match.state.rolling.rolls] == [(3, 3), (4, 4), (2, 5)]
    assert match.state.turn == "black"


@pytest.mark.parametrize("faces", [(1,), (1, 2, 3)])
def test_too_few_or_too_many_dice(faces):
    match = tabula()
    with refused_by_both(match, "bad-dice"):
        match.record(*faces)


def test_too_many_dice_are_refused_before_anybody_confirms_them():
    match = tabula(confirm=True)
    with refused_by_both(match, "bad-dice"):
        match.record(1, 2, 3)


def test_dice_are_not_recorded_while_others_wait_to_be_played():
    match = begun()
    match.record(2, 5, 6)
    with refused_by_both(match, "no-throw"):
        match.record(1, 1, 1)


@pytest.mark.parametrize("number", [1, 3])
def test_a_number_that_goes_back_or_skips(number):
    match = begun()
    with refused_by_both(match, "wrong-roll"):
        match.record(2, 5, 6, roll=number)


@pytest.mark.parametrize("by", ["witness1", "appeal"])
def test_nobody_else_writes_dice_down(by):
    match = tabula()
    with refused_by_both(match, "wrong-role"):
        match.record(6, 1, by=by)


# -- confirmed by the other seat ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("by", "confirmer"), [("white", "black"), ("black", "white"), ("arbiter", "black")]
)
def test_the_other_seat_confirms(by, confirmer):
    match = tabula(confirm=True)
    match.record(6, 1, by=by)
    assert match.state.rolling.rolls == ()
    assert due.due(match.state) == due.Due(Step.CONFIRM, (confirmer,))
    recorded = match.state.head
    with refused_by_both(match, "wrong-turn"):
        match.confirm(match.state.other(confirmer))
    match.confirm(confirmer, what=recorded)
    assert match.state.rolling.rolls[0].dice == (6, 1)


def test_nothing_moves_before_the_confirmation():
    match = begun(confirm=True)
    match.record(2, 5, 6, by="white")
    with refused_by_both(match, "unconfirmed", "Bruno"):
        match.move("hand/2 hand/5 hand/6", "white")
    with refused_by_both(match, "unconfirmed"):
        match.offer_draw("black")
    with refused_by_both(match, "unconfirmed"):
        match.record(1, 1, 1, by="white")
    assert "Bruno (black) has not confirmed" in audited(match).waits


def test_a_confirmation_of_something_else():
    match = tabula(confirm=True)
    match.record(6, 1, by="white")
    with refused_by_both(match, "nothing-to-confirm"):
        match.confirm("black", what="00" * 32)


def test_nothing_is_confirmed_twice():
    match = tabula(confirm=True)
    match.record(6, 1, by="white")
    recorded = match.state.head
    match.confirm("black")
    with refused_by_both(match, "nothing-to-confirm"):
        match.confirm("black", what=recorded)


def test_the_arbiter_confirms_for_a_seat_without_a_key():
    match = tabula(confirm=True, keyed=("white",))
    match.record(6, 1, by="white")
    match.confirm("arbiter", "black")
    assert match.state.rolling.rolls[0].dice == (6, 1)
    assert "is the arbiter's word only" in audited(match).dice.statement


# -- voided ------------------------------------------------------------------------------------


def test_the_arbiter_voids_a_cocked_die_and_it_is_thrown_again():
    match = begun()
    before = match.position
    match.record(2, 5, 6, by="white")
    match.void()
    assert match.position == before
    assert match.state.rolling.rolls[-1].voided == match.state.seq
    match.record(1, 1, 2, by="white")
    assert match.state.rolling.rolls[-1].number == 3
    assert "1 voided" in audited(match).dice.statement


def test_a_seat_voids_once_the_other_confirms_it():
    match = begun()
    match.record(2, 5, 6, by="white")
    match.void("white")
    assert match.state.game.thrown(match.state.position) == (2, 5, 6)
    asked = match.state.head
    with refused_by_both(match, "voided-already"):
        match.void("white")
    with refused_by_both(match, "wrong-turn"):
        match.confirm("white", what=asked)
    match.confirm("black", what=asked)
    assert match.state.game.thrown(match.state.position) == ()


def test_a_voiding_that_was_not_confirmed_lapses_with_the_next_act():
    match = begun()
    match.record(2, 5, 6, by="white")
    match.void("black")
    asked = match.state.head
    match.play_any()
    with refused_by_both(match, "nothing-to-confirm"):
        match.confirm("white", what=asked)


def test_nothing_is_voided_once_something_was_done_with_it():
    match = begun()
    match.record(2, 5, 6, by="white")
    match.play_any()
    with refused_by_both(match, "no-such-roll"):
        match.void()


def test_dice_that_nobody_has_confirmed_are_voided():
    match = begun(confirm=True)
    match.record(2, 5, 6, by="white")
    match.void()
    assert due.due(match.state) == due.Due(Step.THROW, ("white",))
    match.record(1, 2, 3, by="white")
    match.confirm("black")
    assert match.state.game.thrown(match.state.position) == (1, 2, 3)


def test_voiding_and_dice_each_confirmed_by_its_own_hash():
    match = begun(confirm=True)
    match.record(2, 5, 6, by="white")
    match.void("black")
    match.confirm("white")
    assert match.state.rolling.recorded is None
    assert match.state.game.thrown(match.state.position) == ()


def test_a_voiding_that_was_not_confirmed_lapses_with_the_next_dice():
    match = tabula(confirm=True)
    match.record(6, 1, by="white")
    match.confirm("black")
    match.void("white")
    asked = match.state.head
    match.record(2, 5, 6, by="white")
    with refused_by_both(match, "nothing-to-confirm"):
        match.confirm("black", what=asked)


def test_dice_that_never_counted_do_not_stand_between_a_turn_and_its_dice():
    match = begun(confirm=True)
    match.record(2, 5, 6, by="white")
    lying = match.confirm("black")
    match.play_any()
    cocked = match.record(1, 1, 1, by="black")
    match.void()
    match.record(1, 2, 3, by="black")
    match.rewind(cocked, dice="rethrow")
    match.rewind(lying, dice="keep")
    assert match.state.game.thrown(match.state.position) == (2, 5, 6)


def test_the_opening_dice_are_voided_too():
    match = tabula()
    match.record(6, 1)
    match.void()
    match.record(1, 6)
    assert match.state.turn == "black"


def test_a_seat_is_not_written_for_when_it_voids():
    match = begun(keyed=("white",))
    match.record(2, 5, 6, by="white")
    from ledger.events import Voiding

    with refused_by_both(match, "wrong-role"):
        match.write("roll.voided", Voiding(roll=2, reason="cocked"), "arbiter", "black")


def test_voided_dice_do_not_come_back_with_a_rewind():
    match = begun()
    match.record(2, 5, 6, by="white")
    thrown = match.state.seq
    match.void()
    with refused_by_both(match, "voided"):
        match.rewind(thrown, dice="keep")


def test_dice_that_both_void_are_void():
    match = begun()
    match.record(2, 5, 6, by="white")
    match.void("white")
    match.void("black")
    assert match.state.game.thrown(match.state.position) == ()


def test_what_was_done_after_voided_dice_does_not_come_back_either():
    match = tabula()
    match.record(6, 1)
    decided = match.note()
    match.void()
    match.record(1, 6)
    for dice in ("keep", "rethrow"):
        with refused_by_both(match, "voided" if dice == "rethrow" else "across-a-throw"):
            match.rewind(decided, dice=dice)


def test_unconfirmed_dice_that_a_ruling_takes_back_stay_on_record():
    match = begun(confirm=True)
    before = match.state.seq
    match.record(6, 6, 6, by="white")
    match.rewind(before, dice="rethrow")
    lost = match.state.rolling.rolls[-1]
    assert (lost.dice, lost.voided, lost.counted) == ((6, 6, 6), match.state.seq, False)


def test_an_offer_lapses_with_a_voiding():
    match = begun()
    match.record(2, 5, 6, by="white")
    offer = match.offer_draw("white")
    match.void()
    with refused_by_both(match, "offer-lapsed"):
        match.agree("black", offer)


def test_after_an_act_was_taken_back_its_dice_can_be_voided():
    match = begun()
    match.record(2, 5, 6, by="white")
    thrown = match.state.seq
    match.play_any()
    match.rewind(thrown, dice="keep")
    match.void()
    assert match.state.game.thrown(match.state.position) == ()


# -- what the audit says -----------------------------------------------------------------------


def test_the_audit_says_whose_word_there_is():
    match = begun()
    match.record(2, 5, 6, by="white")
    said = audited(match).dice.statement
    assert "written down by: Zoë (arbiter) 1, Alba (white) 1" in said
    assert "Nobody had to confirm them" in said
    assert "no record can prove" in said


def test_confirmed_dice_are_said_to_be_confirmed():
    match = begun(confirm=True)
    assert "Nothing moved before a confirmation: Bruno (black) 1." in audited(match).dice.statement


# -- throws that end the game by themselves ------------------------------------------------------


def over_by_a_throw() -> Match:
    """A Pass Number under a Wager: the dice pass, and with them the last turn."""
    match = Match(ruleset="tablero", dice=Physical(confirm=False), turn_cap=1)
    match.record(5, 3, by="south")
    match.record(1, 6, by="south")
    match.act("wager")
    match.record(6, 5, by="south")
    assert match.state.result is not None
    return match


def test_a_cocked_throw_that_ended_the_game_is_voided_until_the_match_is_closed():
    match = over_by_a_throw()
    match.void("arbiter")
    assert match.state.result is None
    assert match.position == "7711111 6,16 7 0 south throw"
    closed = over_by_a_throw()
    closed.close()
    with refused_by_both(closed, "match-closed"):
        closed.void("arbiter")


def test_a_seat_asks_for_it_and_the_other_confirms():
    match = over_by_a_throw()
    match.void("south")
    assert match.state.result is not None
    match.confirm("north", None, match.state.rolling.voiding.hash)
    assert match.state.result is None


def test_a_game_that_was_given_up_is_not_opened_again_by_voiding_its_last_throw():
    match = Match(ruleset="tablero", dice=Physical(confirm=False))
    match.record(5, 3, by="south")
    match.record(1, 6, by="south")
    match.resign("south")
    with refused_by_both(match, "game-over"):
        match.void("north")
