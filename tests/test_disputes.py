"""Disputes, statements, appeals: what freezes, what goes on, and how a complaint ends."""

from __future__ import annotations

from typing import Any

import pytest
from authority import OTHER, again, said
from match import SPARE_KEYS, Match, finished, opened, refused
from msgspec.structs import replace
from table import BOTH, opening

from ledger import views
from ledger.events import (
    Complaint,
    Dismissed,
    GivenResult,
    Nothing,
    Penalty,
    Physical,
    Remark,
    Rewind,
    SetPosition,
    Settling,
)
from ledger.fold import Phase, as_of, begin
from ledger.fold.due import Step, due
from ledger.fold.parts import Dispute
from ledger.fold.rolls import awaited


def begun() -> Match:
    match = Match()
    match.play("e3-f3", "e2-h2")
    return match


def opened_otherwise(**changes: Any) -> Match:
    """The same players in a match that was opened with other terms."""
    match = Match(play=False)
    match.state = begin(opened(replace(opening(witness=True), **changes)))
    match.accept("swedes")
    match.accept("muscovites")
    match.play("e3-f3")
    return match


# -- raised ----------------------------------------------------------------------------------


def test_a_dispute_freezes_the_game_until_the_arbiter_has_ruled() -> None:
    match = begun()
    raised = match.dispute(event=4, by="swedes")
    assert match.state.phase is Phase.DISPUTED
    assert match.state.turn is None
    assert match.state.dispute == Dispute(hash=raised, seq=5, by="swedes", about=4)
    assert due(match.state).step is Step.RULE
    assert due(match.state).whose == ("arbiter",)
    with refused("disputed", "Event 4 is disputed (event 5)"):
        match.move("e4-e2", "swedes")
    match.rule(Dismissed())
    assert match.state.dispute is None
    assert match.state.disputes[0].ended == 6
    assert (match.state.phase, match.state.turn) == (Phase.IN_PLAY, "swedes")
    match.play("e4-e2")


def test_what_is_disputed_has_happened() -> None:
    match = begun()
    with refused("no-such-event", "There is no event 5 yet"):
        match.dispute(event=5)
    match.dispute(event=4)
    assert match.state.dispute is not None
    match.rule(Dismissed())
    match.dispute(event=0)
    assert match.state.dispute is not None
    assert match.state.dispute.about == 0


def test_before_the_first_act_a_dispute_needs_that_all_have_accepted() -> None:
    match = Match(play=False)
    match.accept("swedes")
    for by in ("swedes", "muscovites", "witness1", "arbiter"):
        with refused("not-accepted", "before all have accepted"):
            match.dispute(event=0, by=by)
    match.accept("muscovites")
    match.dispute(event=0, by="swedes")
    assert match.state.phase is Phase.DISPUTED


def test_after_the_first_act_a_new_key_that_has_not_accepted_holds_up_no_dispute() -> None:
    match = begun()
    match.replace_key("muscovites", SPARE_KEYS[0])
    match.dispute(by="swedes")
    assert match.state.phase is Phase.DISPUTED


def test_one_dispute_at_a_time_and_then_another() -> None:
    match = begun()
    first = match.dispute(event=3)
    with refused("disputed", "Event 3 is disputed"):
        match.dispute(event=4, by="muscovites")
    match.rule(Dismissed())
    second = match.dispute(event=3, by="muscovites")
    assert [each.hash for each in match.state.disputes] == [first, second]
    assert [each.ended for each in match.state.disputes] == [6, None]


@pytest.mark.parametrize("by", ["swedes", "muscovites", "arbiter", "witness1"])
def test_players_the_arbiter_and_a_witness_may_complain(by: str) -> None:
    match = begun()
    match.dispute(by=by)
    assert match.state.dispute is not None
    assert match.state.dispute.by == by


def test_nobody_complains_for_a_player_who_has_no_key() -> None:
    match = Match(["swedes"])
    match.play("e3-f3")
    complaint = Complaint(event=2, text="That is not what was played.")
    with refused("wrong-role"):
        match.write("dispute.raised", complaint, "arbiter", "muscovites")
    match.dispute(by="arbiter")


def test_a_game_that_is_over_can_be_disputed_until_it_is_closed() -> None:
    match = finished()
    match.dispute(by="muscovites")
    with refused("disputed"):
        match.close()
    assert match.state.result == views.show(match.state).result
    match.rule(Dismissed())
    assert match.state.phase is Phase.ENDED
    match.close()
    with refused("match-closed", "nothing is disputed any more"):
        match.dispute(by="muscovites")


def test_a_dispute_while_adjourned_leaves_the_game_adjourned() -> None:
    match = begun()
    match.adjourn()
    match.dispute()
    assert match.state.phase is Phase.DISPUTED
    with refused("disputed"):
        match.resume()
    match.rule(Dismissed())
    assert match.state.phase is Phase.ADJOURNED


def test_words_and_keys_go_on_while_an_event_is_disputed() -> None:
    match = begun()
    raised = match.dispute(event=4, by="swedes")
    for role in ("swedes", "arbiter", "witness1", "muscovites"):
        match.state_words(role, raised)
    match.note("appeal")
    match.note("swedes")
    assert match.state.phase is Phase.DISPUTED
    assert match.position == begun().position


@pytest.mark.parametrize("effect", [Rewind(to=2), GivenResult(kind="draw"), None])
def test_any_ruling_ends_the_dispute(effect: Any) -> None:
    match = begun()
    match.dispute()
    match.rule(effect or Penalty(seat="muscovites", penalty="warning"))
    assert match.state.dispute is None
    assert match.state.disputes[0].ended == match.state.seq
    assert match.state.phase is (
        Phase.ENDED if effect == GivenResult(kind="draw") else Phase.IN_PLAY
    )


def test_nothing_is_dismissed_where_nothing_is_disputed() -> None:
    match = begun()
    with refused("nothing-to-dismiss"):
        match.rule(Dismissed())
    match.dispute()
    match.rule(Dismissed())
    with refused("nothing-to-dismiss"):
        match.rule(Dismissed())


# -- with a roll in flight -------------------------------------------------------------------


def thrown() -> Match:
    """White has thrown; Black owes a number."""
    match = Match(ruleset="tabula", dice=BOTH)
    match.commit("white")
    match.commit("black")
    match.throw("white")
    return match


def test_a_dispute_does_not_let_anybody_off_the_opening_that_is_owed() -> None:
    match = thrown()
    raised = match.dispute(by="black")
    assert awaited(match.state) == ("black",)
    match.state_words("black", raised)
    match.state_words("witness1", raised)
    match.open("black")
    assert [roll.number for roll in match.state.rolling.rolls] == [1]
    assert match.state.phase is Phase.DISPUTED
    with refused("disputed"):
        match.commit("white")
    match.rule(Dismissed())
    assert match.state.phase is Phase.IN_PLAY


def test_a_statement_in_flight_needs_a_dispute() -> None:
    match = thrown()
    with refused("roll-in-flight"):
        match.state_words("white", OTHER)
    with refused("nothing-at-issue"):
        match.state_words("arbiter", OTHER)


def test_both_may_settle_a_dispute_in_flight_and_the_opening_is_still_owed() -> None:
    match = thrown()
    raised = match.dispute(by="white")
    match.settle("white", raised)
    match.settle("black", raised)
    assert match.state.phase is Phase.IN_PLAY
    with refused("roll-in-flight"):
        match.note("black")
    match.open("black")


# -- statements ------------------------------------------------------------------------------


def test_a_statement_changes_nothing_and_names_what_it_is_about() -> None:
    match = begun()
    raised = match.dispute()
    before = match.position
    match.state_words("witness1", raised)
    assert match.position == before
    assert match.state.dispute is not None
    assert views.log(match.state).events[-1].text == "Wanda states: I saw it."
    with refused("nothing-at-issue"):
        match.state_words("witness1", match.state.head)
    match.rule(Dismissed())
    with refused("nothing-at-issue", "an open dispute or an appeal"):
        match.state_words("witness1", raised)


def test_the_arbiter_writes_down_what_a_player_without_a_key_says() -> None:
    match = Match(["swedes"])
    match.play("e3-f3")
    raised = match.dispute()
    match.state_words("arbiter", raised, for_="muscovites")
    assert views.log(match.state).events[-1].text == "Bruno states: I saw it."
    with refused("seat-has-key"):
        match.state_words("arbiter", raised, for_="swedes")


def test_statements_on_an_appeal_until_it_is_decided() -> None:
    match = begun()
    match.rule(Penalty(seat="swedes", penalty="fine"))
    appeal = match.appeal("swedes")
    match.state_words("muscovites", appeal)
    match.play("e4-e2")
    match.state_words("arbiter", appeal)
    match.decide(appeal, Dismissed())
    with refused("nothing-at-issue"):
        match.state_words("muscovites", appeal)


# -- settled ---------------------------------------------------------------------------------


def test_both_players_settle_a_dispute_and_the_game_stands_as_it_is() -> None:
    match = begun()
    raised = match.dispute(event=4, by="swedes")
    before = match.position
    match.settle("muscovites", raised)
    assert match.state.phase is Phase.DISPUTED
    assert "Bruno would settle it" in views.show(match.state).next
    with refused("settled-already"):
        match.settle("muscovites", raised)
    match.settle("swedes", raised)
    assert match.state.disputes[0].ended == match.state.seq
    assert match.position == before
    match.play("e4-e2")


def test_a_settlement_names_the_dispute_that_is_open() -> None:
    match = begun()
    first = match.dispute()
    match.rule(Dismissed())
    match.dispute()
    with refused("no-such-dispute"):
        match.settle("swedes", first)
    with refused("no-such-dispute"):
        match.settle("swedes", OTHER)
    assert match.state.dispute is not None
    assert match.state.dispute.settled == frozenset()


def test_consent_to_one_dispute_is_none_to_the_next() -> None:
    match = begun()
    match.settle("swedes", match.dispute())
    match.rule(Dismissed())
    second = match.dispute()
    match.settle("muscovites", second)
    assert match.state.phase is Phase.DISPUTED


def test_no_dispute_is_settled_where_the_opening_says_so() -> None:
    match = opened_otherwise(settlements=False)
    raised = match.dispute()
    with refused("no-settlements", "the arbiter rules"):
        match.settle("swedes", raised)


def test_nobody_settles_for_a_player_who_has_no_key() -> None:
    match = Match(["swedes"])
    match.play("e3-f3")
    raised = match.dispute()
    with refused("keyless-settlement", "Bruno (muscovites) has no key"):
        match.settle("swedes", raised)
    with refused("wrong-role"):
        match.write("dispute.settled", Settling(dispute=raised), "arbiter", "muscovites")


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"ruleset": "tabula", "dice": Physical(confirm=False)},
        {"ruleset": "tablero", "dice": Physical(confirm=False)},
    ],
    ids=["tablut", "tabula", "tablero"],
)
def test_every_game_can_be_disputed_and_settled(options: dict[str, Any]) -> None:
    match = Match(**options)
    first, second = match.state.game.seats
    raised = match.dispute(event=0, by=second)
    assert said(match, "resigned", Nothing(), first) == "disputed"
    match.settle(first, raised)
    match.settle(second, raised)
    assert match.state.phase is Phase.IN_PLAY
    assert match.state.disputes[0].settled == {first, second}


# -- appeals ---------------------------------------------------------------------------------


def ruled() -> Match:
    match = begun()
    match.rule(Rewind(to=3))
    return match


def test_an_appeal_stops_nothing() -> None:
    match = ruled()
    appeal = match.appeal("muscovites")
    assert match.state.phase is Phase.IN_PLAY
    assert [each.hash for each in match.state.appealed] == [appeal]
    assert match.state.appeals[0].against == 5
    match.play("e2-h2")
    match.decide(appeal, Dismissed())
    assert match.state.appealed == ()
    assert match.state.appeals[0].decided == match.state.seq
    assert match.state.phase is Phase.IN_PLAY


def test_an_appeal_that_is_won_sets_the_game_back() -> None:
    match = begun()
    stood = match.position
    match.rule(Rewind(to=2))
    appeal = match.appeal("muscovites")
    assert match.position != stood
    match.decide(appeal, Rewind(to=4))
    assert match.position == stood
    assert match.state.superseded() == frozenset()


def test_what_was_decided_on_appeal_is_not_taken_back_by_agreement() -> None:
    match = ruled()
    match.decide(match.appeal("muscovites"), SetPosition(position=match.after(4)))
    match.play("e4-e2")
    with refused("across-a-ruling"):
        match.offer_takeback("swedes", to=3)


def test_an_appeal_is_against_a_ruling_or_the_closing_and_once_each() -> None:
    match = ruled()
    ruling = match.state.head
    for entry in match.state.entries[:-1]:
        with refused("not-appealable"):
            match.appeal("swedes", entry.hash)
    with refused("not-appealable"):
        match.appeal("swedes", OTHER)
    appeal = match.appeal("swedes", ruling)
    with refused("appealed-already", "since event 6"):
        match.appeal("swedes", ruling)
    with refused("appealed-already"):
        match.appeal("muscovites", ruling)
    match.decide(appeal, Dismissed())
    with refused("appealed-already"):
        match.appeal("muscovites", ruling)
    with refused("not-appealable"):
        match.appeal("muscovites", match.state.head)


def test_two_appeals_are_decided_one_by_one() -> None:
    match = ruled()
    first = match.appeal("swedes")
    match.rule(Penalty(seat="swedes", penalty="fine"))
    second = match.appeal("swedes")
    match.decide(second, Dismissed())
    assert [each.hash for each in match.state.appealed] == [first]
    with refused("no-such-appeal"):
        match.decide(second, Dismissed())
    with refused("no-such-appeal"):
        match.decide(OTHER, Dismissed())
    match.decide(first, Dismissed())
    assert [each.decided for each in match.state.appeals] == [10, 9]


def test_where_nobody_decides_appeals_there_are_none() -> None:
    match = opened_otherwise(appeal=None)
    match.rule(Penalty(seat="swedes", penalty="fine"))
    with refused("no-appeal"):
        match.appeal("swedes")


def test_an_appeal_and_its_decision_wait_for_the_open_dispute() -> None:
    match = ruled()
    ruling = match.state.head
    appeal = match.appeal("swedes")
    match.rule(Penalty(seat="swedes", penalty="fine"))
    match.dispute()
    with refused("disputed"):
        match.appeal("swedes")
    with refused("disputed"):
        match.decide(appeal, Dismissed())
    with refused("disputed"):
        match.appeal("muscovites", ruling)


def test_the_decision_of_an_appeal_has_no_dispute_to_dismiss_and_needs_none() -> None:
    match = ruled()
    appeal = match.appeal("swedes")
    match.decide(appeal, Dismissed(), Penalty(seat="swedes", penalty="warning"))
    (given,) = match.state.penalties
    assert (given.seat, given.penalty, given.seq) == ("swedes", "warning", match.state.seq)


def test_a_result_on_appeal_says_that_it_was_one() -> None:
    match = ruled()
    appeal = match.appeal("swedes")
    match.decide(appeal, GivenResult(kind="win", winner="muscovites"))
    assert match.state.result is not None
    assert match.state.result.how == "appeal"
    assert match.state.phase is Phase.ENDED
    match.close()
    closing = match.state.entries[-1].event
    assert closing.data.ruling == match.state.entries[-2].hash


def test_after_the_close_the_match_waits_for_the_appeal() -> None:
    match = finished()
    match.close()
    appeal = match.appeal("muscovites")
    assert match.state.phase is Phase.APPEALED
    assert (due(match.state).step, due(match.state).whose) == (Step.DECIDE, ("appeal",))
    match.countersign("swedes")
    match.state_words("swedes", appeal)
    match.decide(appeal, Dismissed())
    assert match.state.phase is Phase.CLOSED
    assert match.state.countersigned == {"swedes"}
    assert len(match.state.sheets) == 1


def test_a_match_as_it_stood_in_a_dispute() -> None:
    match = begun()
    match.dispute(event=4)
    match.rule(Rewind(to=3))
    then = as_of(match.state, 5)
    assert then.phase is Phase.DISPUTED
    assert views.show(match.state, 5).phase == "disputed"
    assert views.show(match.state, 5).position == match.after(4)
    assert views.show(match.state).phase == "in-play"


def test_a_note_is_not_held_up_and_a_stranger_still_has_no_say() -> None:
    match = begun()
    match.dispute()
    frozen = again(match)
    assert said(frozen, "note", Remark(text="Tea is served."), "witness1") == "yes"
    assert said(frozen, "note", Remark(text="Tea is served."), "stranger") == "unknown-role"
