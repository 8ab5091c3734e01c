"""Closed, countersigned, refused, signed after all: the score sheet and who signed it."""

from __future__ import annotations

from typing import Any

import pytest
from authority import OTHER
from match import SPARE_KEYS, Match, finished, opened, refused
from msgspec.structs import replace
from table import ALBA, BOTH, STRANGER, WITNESS, opening

from ledger import views
from ledger.events import (
    Closing,
    Countersignature,
    Dismissed,
    GivenResult,
    Officer,
    Penalty,
    Physical,
    Result,
    Rewind,
    Unwilling,
)
from ledger.fold import Phase, begin, cited
from ledger.fold.due import Step, due

GOAL = Result(kind="win", how="goal", winner="swedes")
FORFEIT = GivenResult(kind="forfeit", winner="muscovites")


def closed() -> Match:
    match = finished()
    match.close()
    return match


def with_two_witnesses() -> Match:
    """Alba wins; Wanda and Wim have seen it."""
    match = Match(play=False)
    wim = Officer(name="Wim", key=STRANGER.public.line)
    known = opening(witness=True)
    match.state = begin(opened(replace(known, witnesses=(*known.witnesses, wim))))
    match.keys["witness2"] = STRANGER
    match.accept("swedes")
    match.accept("muscovites")
    match.resign("muscovites")
    match.close()
    return match


# -- closed ------------------------------------------------------------------------------------


def test_a_match_is_closed_with_the_result_of_the_game() -> None:
    match = finished()
    assert (due(match.state).step, due(match.state).whose) == (Step.CLOSE, ("arbiter",))
    match.close()
    assert (match.state.phase, match.state.closed) == (Phase.CLOSED, GOAL)
    (sheet,) = match.state.sheets
    assert (sheet.event, sheet.seq, sheet.result) == (match.state.head, 12, GOAL)
    assert (sheet.signed, sheet.for_absent, sheet.refused) == (frozenset(), {}, {})
    with refused("match-closed"):
        match.close()


@pytest.mark.parametrize(
    "result",
    [
        Result(kind="draw", how="goal"),
        Result(kind="forfeit", how="goal", winner="swedes"),
        Result(kind="win", how="resigned", winner="swedes"),
        Result(kind="win", how="goal", winner="muscovites"),
        Result(kind="annulled", how="goal"),
        Result(kind="win", how="goal"),
    ],
)
def test_no_other_result_closes_it(result: Result) -> None:
    with refused("wrong-result", "The result is a win for swedes (goal), not "):
        finished().close(result)


def test_a_game_that_goes_on_is_not_closed() -> None:
    with refused("not-over"):
        Match().close(GOAL)


# -- which ruling is cited ---------------------------------------------------------------------


def closing(match: Match, ruling: str | None) -> None:
    assert match.state.result
    match.write("match.closed", Closing(result=match.state.result, ruling=ruling), "arbiter")


def test_a_result_that_a_ruling_gave_is_cited_and_no_other_ruling_is() -> None:
    match = Match()
    match.rule(Penalty(seat="swedes", penalty="fine"))
    fine = match.state.head
    match.rule(FORFEIT)
    given = match.state.head
    match.rule(Penalty(seat="swedes", penalty="fine"))
    for wrong in (None, fine, match.state.head, OTHER):
        with refused("wrong-citation"):
            closing(match, wrong)
    assert cited(match.state) == given
    closing(match, given)
    assert views.log(match.state).events[-1].text.endswith("by the ruling of event 4")


@pytest.mark.parametrize("effects", [(Penalty(seat="swedes", penalty="fine"),), (Rewind(to=2),)])
def test_a_result_of_the_players_cites_nothing_whatever_was_ruled_before(
    effects: tuple[Any, ...],
) -> None:
    match = Match()
    match.play("e3-f3")
    match.rule(*effects)
    match.resign("swedes")
    for wrong in (match.state.entries[4].hash, OTHER):
        with refused("wrong-citation"):
            closing(match, wrong)
    closing(match, None)


def test_the_last_of_two_results_is_cited() -> None:
    match = Match()
    match.rule(FORFEIT)
    first = match.state.head
    match.rule(GivenResult(kind="double_forfeit"))
    with refused("wrong-citation"):
        closing(match, first)
    closing(match, match.state.head)


def test_a_result_on_appeal_is_cited() -> None:
    match = Match()
    match.rule(FORFEIT)
    appeal = match.appeal("swedes")
    match.decide(appeal, GivenResult(kind="draw"))
    assert match.state.result == Result(kind="draw", how="appeal")
    closing(match, match.state.head)


def test_an_appeal_that_is_dismissed_is_not_cited() -> None:
    match = Match()
    match.rule(FORFEIT)
    ruling = match.state.head
    match.decide(match.appeal("swedes"), Dismissed())
    closing(match, ruling)


# -- countersigned -----------------------------------------------------------------------------


def test_both_players_sign_the_sheet() -> None:
    match = closed()
    assert (due(match.state).step, due(match.state).whose) == (
        Step.COUNTERSIGN,
        ("swedes", "muscovites"),
    )
    match.countersign("muscovites")
    assert match.state.unsigned == ("swedes",)
    with refused("countersigned-twice", "Bruno has countersigned this result already"):
        match.countersign("muscovites")
    match.countersign("swedes")
    match.countersign("witness1")
    assert match.state.countersigned == {"swedes", "muscovites", "witness1"}
    assert due(match.state).step is Step.NOTHING


def test_a_signature_is_for_the_event_that_gave_the_result() -> None:
    match = closed()
    for other in (OTHER, match.state.entries[11].hash, match.state.match):
        with refused("wrong-result-event"):
            match.countersign("swedes", other)
    with refused("not-closed"):
        finished().countersign("swedes")


def test_nobody_signs_for_a_player() -> None:
    match = closed()
    assert match.state.result_event
    signed = Countersignature(result_event=match.state.result_event)
    for by in ("arbiter", "appeal"):
        with refused("wrong-role"):
            match.write("countersigned", signed, by)
    with refused("wrong-role"):
        match.write("countersigned", signed, "arbiter", "swedes")


# -- a witness for an absent player ------------------------------------------------------------


def test_a_witness_signs_instead_of_an_absent_player() -> None:
    match = closed()
    match.countersign("swedes")
    match.countersign("witness1", absent="muscovites")
    sheet = match.state.sheet
    assert sheet is not None
    assert sheet.for_absent == {"muscovites": "witness1"}
    assert sheet.signed == {"swedes", "witness1"}
    assert match.state.unsigned == ()
    assert views.log(match.state).events[-1].text == "Wanda countersigns instead of Bruno"


def test_who_was_absent_may_still_sign() -> None:
    match = closed()
    match.countersign("witness1", absent="muscovites")
    match.countersign("muscovites")
    sheet = match.state.sheet
    assert sheet is not None
    assert (sheet.signed, sheet.for_absent) == ({"witness1", "muscovites"}, {})


@pytest.mark.parametrize("by", ["swedes", "muscovites"])
def test_only_a_witness_signs_instead_of_somebody(by: str) -> None:
    match = closed()
    for absent in ("swedes", "muscovites"):
        with refused("wrong-role", "Only a witness"):
            match.countersign(by, absent=absent)


def test_nobody_is_absent_who_has_signed_or_who_has_no_seat() -> None:
    match = closed()
    match.countersign("swedes")
    with refused("countersigned-twice"):
        match.countersign("witness1", absent="swedes")
    for nobody in ("arbiter", "witness1", "appeal", "white"):
        with refused("unknown-role"):
            match.countersign("witness1", absent=nobody)
    match.countersign("witness1", absent="muscovites")


def test_one_witness_for_one_absent_player() -> None:
    match = with_two_witnesses()
    match.countersign("witness1", absent="muscovites")
    with refused("countersigned-twice", "or somebody instead"):
        match.countersign("witness2", absent="muscovites")
    match.countersign("witness2", absent="swedes")
    assert match.state.sheet is not None
    assert match.state.sheet.for_absent == {"muscovites": "witness1", "swedes": "witness2"}


def test_one_witness_may_sign_for_both_absent_players() -> None:
    match = closed()
    match.countersign("witness1", absent="muscovites")
    match.countersign("witness1", absent="swedes")
    assert match.state.sheet is not None
    assert match.state.sheet.for_absent == {"muscovites": "witness1", "swedes": "witness1"}
    assert match.state.unsigned == ()
    assert due(match.state).step is Step.NOTHING
    with refused("countersigned-twice", "Wanda has countersigned this result already"):
        match.countersign("witness1")


# -- a player who does not sign ----------------------------------------------------------------


def test_a_refusal_is_on_record_and_the_match_waits_no_longer() -> None:
    match = closed()
    match.refuse_to_sign("muscovites")
    assert match.state.sheet is not None
    assert match.state.sheet.refused == {"muscovites": 13}
    assert match.state.unsigned == ("swedes",)
    with refused("refused-already", "event 13"):
        match.refuse_to_sign("muscovites")
    assert views.log(match.state).events[-1].text == (
        "Bruno does not sign the result: He left in anger."
    )


def test_a_refusal_and_then_a_signature_after_all() -> None:
    match = closed()
    match.refuse_to_sign("muscovites")
    match.countersign("muscovites")
    sheet = match.state.sheet
    assert sheet is not None
    assert (sheet.signed, sheet.refused) == ({"muscovites"}, {})
    with refused("countersigned-twice"):
        match.refuse_to_sign("muscovites")


def test_a_signature_leaves_the_refusal_of_the_other_on_record() -> None:
    match = closed()
    match.refuse_to_sign("muscovites")
    match.countersign("swedes")
    match.countersign("witness1")
    assert match.state.sheet is not None
    assert match.state.sheet.refused == {"muscovites": 13}


def test_a_witness_signs_instead_of_one_who_would_not() -> None:
    match = closed()
    match.refuse_to_sign("muscovites")
    match.countersign("witness1", absent="muscovites")
    sheet = match.state.sheet
    assert sheet is not None
    assert (sheet.refused, sheet.for_absent) == ({"muscovites": 13}, {"muscovites": "witness1"})


def test_a_refusal_is_of_a_seat_and_of_the_result_that_stands() -> None:
    match = closed()
    for nobody in ("arbiter", "witness1", "white"):
        with refused("unknown-role"):
            match.refuse_to_sign(nobody)
    with refused("wrong-result-event"):
        match.refuse_to_sign("swedes", what=OTHER)
    with refused("not-closed"):
        finished().refuse_to_sign("swedes")


def test_nobody_but_the_arbiter_records_a_refusal() -> None:
    match = closed()
    assert match.state.result_event
    found = Unwilling(result_event=match.state.result_event, seat="swedes", reason="She left.")
    for by in ("swedes", "muscovites", "witness1", "appeal"):
        with refused("wrong-role"):
            match.write("signature.refused", found, by)


# -- another result after the close ------------------------------------------------------------


def test_both_results_stay_and_each_has_its_own_signatures() -> None:
    match = closed()
    match.countersign("swedes")
    match.refuse_to_sign("muscovites")
    first = match.state.result_event
    appeal = match.appeal("muscovites", first)
    assert match.state.phase is Phase.APPEALED
    match.decide(appeal, GivenResult(kind="win", winner="muscovites"))
    second = match.state.head
    assert match.state.phase is Phase.CLOSED
    assert match.state.result_event == second
    old, new = match.state.sheets
    assert (old.event, old.result, old.signed) == (first, GOAL, {"swedes"})
    assert old.refused == {"muscovites": 14}
    assert new.result == Result(kind="win", how="appeal", winner="muscovites")
    assert (new.signed, new.for_absent, new.refused) == (frozenset(), {}, {})
    assert match.state.unsigned == ("swedes", "muscovites")
    match.countersign("muscovites")
    with refused("wrong-result-event"):
        match.countersign("swedes", first)
    match.refuse_to_sign("swedes")
    assert [sheet.signed for sheet in match.state.sheets] == [{"swedes"}, {"muscovites"}]
    assert match.state.unsigned == ()


def test_a_signature_before_the_appeal_is_decided_is_for_the_result_of_then() -> None:
    match = closed()
    appeal = match.appeal("muscovites")
    match.countersign("witness1", absent="muscovites")
    match.decide(appeal, GivenResult(kind="annulled"))
    assert [sheet.for_absent for sheet in match.state.sheets] == [{"muscovites": "witness1"}, {}]


def test_three_results_and_the_last_one_stands() -> None:
    match = closed()
    match.rule(GivenResult(kind="draw"))
    match.rule(FORFEIT)
    assert [sheet.result.kind for sheet in match.state.sheets] == ["win", "draw", "forfeit"]
    assert match.state.result == match.state.sheets[-1].result
    assert match.state.moments[-1].result == GOAL
    assert views.show(match.state).result == match.state.result


def test_an_appeal_after_the_close_does_no_more_than_change_the_result() -> None:
    match = closed()
    appeal = match.appeal("muscovites")
    with refused("match-closed"):
        match.decide(appeal, Rewind(to=4))
    assert match.state.phase is Phase.APPEALED
    match.decide(appeal, Penalty(seat="swedes", penalty="warning"))
    assert match.state.phase is Phase.CLOSED
    assert len(match.state.sheets) == 1


def test_a_key_that_is_put_in_later_signs_for_the_seat() -> None:
    match = closed()
    match.countersign("swedes")
    match.replace_key("swedes", SPARE_KEYS[0])
    match.accept("swedes")
    with refused("countersigned-twice"):
        match.countersign("swedes")
    with refused("wrong-signer"):
        match.write(
            "countersigned",
            Countersignature(result_event=match.state.result_event or OTHER),
            "swedes",
            key=ALBA,
        )
    assert match.state.holder("swedes", 13).key == ALBA.public
    assert match.keys["witness1"] is WITNESS


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"ruleset": "tabula", "dice": Physical(confirm=False)},
        {"ruleset": "tabula", "dice": BOTH},
        {"ruleset": "tablero", "dice": Physical(confirm=True)},
    ],
    ids=["tablut", "tabula", "tabula-computed", "tablero"],
)
def test_every_game_is_closed_signed_and_changed_alike(options: dict[str, Any]) -> None:
    match = Match(**options)
    first, second = match.state.game.seats
    match.rule(GivenResult(kind="forfeit", winner=first))
    match.close()
    match.countersign(first)
    match.refuse_to_sign(second)
    assert match.state.unsigned == ()
    match.decide(match.appeal(second, match.state.result_event), GivenResult(kind="annulled"))
    assert match.state.unsigned == (first, second)
    assert [sheet.result.kind for sheet in match.state.sheets] == ["forfeit", "annulled"]
