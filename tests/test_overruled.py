"""Rulings that are undone: penalties that are withdrawn, rulings that another took back, and what
only an appeal undoes."""

from __future__ import annotations

from typing import Any

import pytest
from match import Match, finished, refused
from test_rulings import FAR, begun

from ledger import views
from ledger.events import (
    Dismissed,
    GivenResult,
    Penalty,
    Result,
    Rewind,
    SetPosition,
    Withdrawn,
)
from ledger.fold import as_of, cited, overruled

# -- penalties that are withdrawn --------------------------------------------------------------


def withdrawn(match: Match) -> list[tuple[int, str, int | None]]:
    return [(each.seq, each.penalty, each.withdrawn) for each in match.state.penalties]


def test_a_penalty_that_was_wrong_is_withdrawn_and_stays_on_record() -> None:
    match = begun()
    first = match.rule(Penalty(seat="swedes", penalty="warning"))
    second = match.rule(Penalty(seat="swedes", penalty="warning"))
    before = match.position
    third = match.rule(Withdrawn(ruling=first))
    assert withdrawn(match) == [(first, "warning", third), (second, "warning", None)]
    counts = [(each.seq, each.count, each.withdrawn) for each in views.show(match.state).penalties]
    assert counts == [(first, 0, third), (second, 1, None)], "the second is now the first"
    assert (match.position, match.state.turn) == (before, "swedes")
    assert cited(match.state) is None
    then = as_of(match.state, second).penalties
    assert [(each.seq, each.withdrawn) for each in then] == [(first, None), (second, None)]


def test_what_was_withdrawn_has_no_number_among_those_that_count() -> None:
    match = begun()
    for _ in range(3):
        match.rule(Penalty(seat="swedes", penalty="warning"))
    match.rule(Withdrawn(ruling=6))
    assert [each.count for each in views.show(match.state).penalties] == [1, 0, 2]


def test_all_penalties_of_a_ruling_are_withdrawn_together() -> None:
    match = begun()
    match.rule(
        Penalty(seat="swedes", penalty="warning"), Penalty(seat="muscovites", penalty="fine")
    )
    match.rule(Withdrawn(ruling=5))
    assert withdrawn(match) == [(5, "warning", 6), (5, "fine", 6)]


@pytest.mark.parametrize("ruling", [0, 3, 6, 7, 99], ids=str)
def test_what_gave_no_penalty_has_none_to_withdraw(ruling: int) -> None:
    match = begun()
    match.rule(Penalty(seat="swedes", penalty="warning"))  # 5
    match.rule(Rewind(to=2))  # 6
    with refused("no-such-penalty", f"Event {ruling} gave no penalty that still counts."):
        match.rule(Withdrawn(ruling=ruling))


def test_a_penalty_is_withdrawn_once() -> None:
    match = begun()
    match.rule(Penalty(seat="swedes", penalty="warning"))
    match.rule(Withdrawn(ruling=5))
    with refused("no-such-penalty"):
        match.rule(Withdrawn(ruling=5))
    with refused("no-such-penalty"):
        match.rule(Withdrawn(ruling=6))


def test_a_ruling_does_not_withdraw_what_it_gives() -> None:
    match = begun()
    with refused("no-such-penalty"):
        match.rule(Penalty(seat="swedes", penalty="fine"), Withdrawn(ruling=match.state.seq + 1))
    assert match.state.penalties == ()


def test_a_withdrawal_stands_beside_any_effect_and_after_the_close() -> None:
    match = begun()
    match.rule(Penalty(seat="swedes", penalty="warning"))  # 5
    match.rule(Rewind(to=2), Withdrawn(ruling=5), Penalty(seat="swedes", penalty="fine"))  # 6
    assert match.position == match.after(2)
    assert withdrawn(match) == [(5, "warning", 6), (6, "fine", None)]
    match.resign("muscovites")
    match.close()
    match.countersign("swedes")
    match.rule(Withdrawn(ruling=6))
    assert withdrawn(match)[-1] == (6, "fine", 10)
    assert match.state.countersigned == {"swedes"}
    assert len(match.state.sheets) == 1


def test_an_appeal_withdraws_the_penalty_of_a_ruling() -> None:
    match = begun()
    match.rule(Penalty(seat="swedes", penalty="warning"))
    appeal = match.appeal("swedes")
    match.decide(appeal, Withdrawn(ruling=5))
    assert withdrawn(match) == [(5, "warning", 7)]
    assert "the penalty of event 5 is withdrawn" in views.log(match.state).events[-1].text


def test_a_rewind_does_not_bring_a_withdrawn_penalty_back() -> None:
    match = begun()
    match.rule(Penalty(seat="swedes", penalty="warning"))
    match.rule(Withdrawn(ruling=5))
    match.rule(Rewind(to=2))
    assert withdrawn(match) == [(5, "warning", 6)]


# -- rulings that were taken back themselves ---------------------------------------------------


def test_a_ruling_that_was_taken_back_itself_is_named_with_what_did_so() -> None:
    match = begun()
    match.rule(Rewind(to=2))  # 5
    assert overruled(match.state) == {}
    match.rule(Rewind(to=4))  # 6: takes 5 back
    assert overruled(match.state) == {5: 6}
    match.rule(Rewind(to=5))  # 7: takes 6 back and brings 5 back
    assert overruled(match.state) == {6: 7}
    match.rule(Rewind(to=4))  # 8: and 5 is taken back once more
    assert overruled(match.state) == {5: 8, 6: 7, 7: 8}
    assert [each.superseded for each in views.log(match.state).events[3:]] == [
        *(False, False, True, True, True, False),
    ]


@pytest.mark.parametrize(
    "effect", [SetPosition(position=FAR), GivenResult(kind="draw")], ids=["position", "result"]
)
def test_a_ruling_on_the_game_is_overruled_by_a_rewind_and_not_its_penalty(effect: Any) -> None:
    match = begun()
    match.rule(effect, Penalty(seat="swedes", penalty="fine"))
    match.rule(Rewind(to=4))
    assert overruled(match.state) == {5: 6}
    assert [each.withdrawn for each in match.state.penalties] == [None]


def test_a_ruling_that_did_nothing_to_the_game_is_not_overruled() -> None:
    match = begun()
    match.rule(Penalty(seat="swedes", penalty="warning"))
    match.dispute()
    match.rule(Dismissed())
    match.rule(Rewind(to=2))
    assert overruled(match.state) == {}


# -- what was decided on appeal ----------------------------------------------------------------


def test_the_arbiter_does_not_go_back_behind_what_was_decided_on_appeal() -> None:
    match = begun()
    match.rule(Penalty(seat="swedes", penalty="warning"))
    match.decide(match.appeal("swedes"), SetPosition(position=FAR))
    match.play("d1-c1")
    with refused("decided-on-appeal", "only an appeal does"):
        match.rule(Rewind(to=4))
    match.rule(Rewind(to=7))
    assert match.position == FAR
    appeal = match.appeal("muscovites")
    match.decide(appeal, Rewind(to=4))
    assert match.position == match.after(4)


def test_the_arbiter_does_not_undo_a_decision_before_the_match_is_closed() -> None:
    match = begun()
    match.rule(Penalty(seat="swedes", penalty="warning"))
    appeal = match.appeal("swedes")
    match.decide(appeal, GivenResult(kind="draw"), Penalty(seat="muscovites", penalty="warning"))
    decision = match.state.seq
    for effect in (
        GivenResult(kind="win", winner="swedes"),
        SetPosition(position=FAR),
        Rewind(to=2),
        Withdrawn(ruling=decision),
    ):
        with refused("decided-on-appeal"):
            match.rule(effect)
    match.close()
    assert match.state.result == Result(kind="draw", how="appeal")


def test_a_decision_that_went_back_is_not_gone_behind() -> None:
    match = begun()
    match.play("e4-e2", "d1-c1")
    match.rule(Penalty(seat="swedes", penalty="warning"))
    match.decide(match.appeal("swedes"), Rewind(to=2))
    with refused("decided-on-appeal", "only an appeal does"):
        match.rule(Rewind(to=4))


def test_an_appeal_against_a_warning_leaves_the_result_to_the_arbiter() -> None:
    match = finished()
    match.rule(Penalty(seat="swedes", penalty="warning"))
    match.decide(match.appeal("swedes"), Dismissed())
    match.close()
    match.rule(GivenResult(kind="annulled"))
    assert match.state.result == Result(kind="annulled", how="ruling")


def test_the_arbiter_does_not_change_a_result_that_was_decided_on_appeal() -> None:
    match = finished()
    match.close()
    match.decide(match.appeal("muscovites"), GivenResult(kind="draw"))
    with refused("decided-on-appeal", "the arbiter does not change it any more"):
        match.rule(GivenResult(kind="win", winner="swedes"))
    match.rule(Penalty(seat="swedes", penalty="fine"))
    ruling = match.appeal("muscovites")
    match.decide(ruling, GivenResult(kind="annulled"))
    assert match.state.result == Result(kind="annulled", how="appeal")
