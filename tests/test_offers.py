"""Offers and claims: answered by hash, lapsing in time, and the draw of the third occurrence."""

from __future__ import annotations

import pytest
from match import Match, refused
from msgspec.structs import replace

from ledger import views
from ledger.events import Answer, DrawOffer, Nothing, Physical, Play, Result
from ledger.fold import Phase, as_of
from ledger.games.protocol import OptionValue

DRAWN = Result(kind="draw", how="agreed")
ROUND = ("e3-f3", "e2-h2", "f3-e3", "h2-e2")
"""Four moves after which the start position stands again."""


def standing(match: Match) -> list[tuple[str, type]]:
    return [(offer.seat, type(offer.terms)) for offer in match.state.offers]


# -- draws ---------------------------------------------------------------------------------


def test_an_accepted_draw_ends_the_game() -> None:
    match = Match()
    match.play("e3-f3")
    offer = match.offer_draw("swedes")
    assert standing(match) == [("swedes", DrawOffer)]
    match.agree("muscovites", offer)
    assert (match.state.phase, match.state.result, match.state.turn) == (Phase.ENDED, DRAWN, None)
    assert match.state.offers == ()
    match.close()
    match.countersign("swedes")
    assert match.state.closed == DRAWN


def test_a_declined_draw_changes_nothing_and_cannot_be_accepted_later() -> None:
    match = Match()
    match.play("e3-f3")
    position = match.position
    offer = match.offer_draw("swedes")
    match.decline("muscovites", offer)
    assert (match.state.offers, match.position, match.state.turn) == ((), position, "muscovites")
    for answer in (match.agree, match.decline):
        with refused("offer-lapsed", "The offer of event 4"):
            answer("muscovites", offer)
    match.offer_draw("swedes")  # again


def test_an_offer_lapses_with_the_other_sides_next_action() -> None:
    match = Match()
    match.play("e3-f3")
    offer = match.offer_draw("swedes")
    match.play("e2-h2")
    assert match.state.offers == ()
    with refused("offer-lapsed"):
        match.agree("muscovites", offer)


def test_the_offerers_own_move_leaves_the_offer_standing() -> None:
    match = Match()
    offer = match.offer_draw("swedes")
    match.play("e3-f3")
    match.note("muscovites")
    match.agree("muscovites", offer)
    assert match.state.result == DRAWN


def test_a_call_belongs_to_the_move_before_it_and_leaves_the_offer_standing() -> None:
    match = Match()
    match.play("e3-f3", "d1-c1", "e4-d4", "c1-d1", "Ke5-e3")
    offer = match.offer_draw("muscovites")
    match.call("raichi")
    match.agree("swedes", offer)
    assert match.state.result == DRAWN


def test_nobody_answers_their_own_offer() -> None:
    match = Match()
    offer = match.offer_draw("muscovites")
    for answer in (match.agree, match.decline):
        with refused("own-offer", "Bruno made this offer"):
            answer("muscovites", offer)
    assert standing(match) == [("muscovites", DrawOffer)]


def test_both_may_offer_and_each_answers_the_others_offer() -> None:
    match = Match()
    first, second = match.offer_draw("swedes"), match.offer_draw("muscovites")
    match.decline("muscovites", first)
    assert standing(match) == [("muscovites", DrawOffer)]
    match.agree("swedes", second)
    assert match.state.result == DRAWN


def test_the_same_is_not_offered_twice_while_it_stands() -> None:
    match = Match()
    match.play("e3-f3")
    match.offer_draw("swedes")
    match.offer_takeback("swedes", to=2)
    with refused("offered-already", "An offer of Alba of that kind stands already (event 4)"):
        match.offer_draw("swedes")
    with refused("offered-already"):
        match.offer_takeback("swedes", to=2)


def test_an_answer_names_an_offer_of_this_match_and_nothing_else() -> None:
    match = Match()
    match.play("e3-f3")
    match.offer_draw("swedes")
    for digest in ("0" * 64, match.state.entries[3].hash, match.state.match):
        with refused("no-such-offer"):
            match.agree("muscovites", digest)


def test_a_draw_offer_never_slides_under_the_answer_to_a_takeback() -> None:
    match = Match()
    match.play("e3-f3")
    takeback = match.offer_takeback("swedes", to=2)
    match.decline("muscovites", takeback)
    match.offer_draw("swedes")
    with refused("offer-lapsed"):
        match.agree("muscovites", takeback)
    assert match.state.result is None


def test_a_resignation_and_a_ruling_end_every_offer() -> None:
    match = Match()
    match.play("e3-f3")
    offer = match.offer_draw("swedes")
    match.rewind(to=2)
    assert match.state.offers == ()
    with refused("offer-lapsed"):
        match.agree("muscovites", offer)
    match.offer_draw("muscovites")
    match.resign("swedes")
    assert match.state.offers == ()


def test_an_agreed_draw_is_no_longer_open_to_anything_but_the_close() -> None:
    match = Match()
    offer = match.offer_draw("swedes")
    match.agree("muscovites", offer)
    for kind, data in (
        ("offer.made", DrawOffer()),
        ("offer.accepted", Answer(offer=offer)),
        ("draw.claimed", Nothing()),
        ("resigned", Nothing()),
        ("move", Play(move="e3-f3")),
    ):
        with refused("game-over"):
            match.write(kind, data, "swedes")


def test_the_arbiter_can_correct_a_draw_that_was_written_by_mistake() -> None:
    match = Match()
    match.play("e3-f3")
    offer = match.offer_draw("swedes")
    agreed = match.agree("muscovites", offer)
    match.rewind(to=agreed - 1)
    assert (match.state.phase, match.state.result) == (Phase.IN_PLAY, None)
    assert match.state.superseded() == {agreed}


def test_the_arbiter_offers_and_answers_for_seats_without_a_key_only() -> None:
    match = Match(["swedes"])
    match.play("e3-f3")
    match.write("offer.made", DrawOffer(), "arbiter", "muscovites")
    with refused("seat-has-key"):
        match.write("offer.accepted", Answer(offer=match.state.head), "arbiter", "swedes")
    with refused("seat-has-key"):
        match.write("offer.made", DrawOffer(), "arbiter", "swedes")
    offer = match.state.head
    with refused("own-offer"):
        match.write("offer.accepted", Answer(offer=offer), "arbiter", "muscovites")
    match.agree("swedes", offer)
    assert match.state.result == DRAWN


# -- takebacks -----------------------------------------------------------------------------


def test_an_accepted_takeback_sets_the_game_back_and_strikes_what_followed() -> None:
    match = Match()
    match.play("e3-f3", "e2-h2", "e4-e2")
    offer = match.offer_takeback("swedes", to=4)
    position = match.after(4)
    agreed = match.agree("muscovites", offer)
    assert (match.position, match.state.turn) == (position, "swedes")
    assert match.state.superseded() == {5}
    assert agreed in match.state.line()
    match.play("e4-d4")
    assert as_of(match.state, 5).superseded() == frozenset()


def test_a_takeback_can_be_forbidden_at_the_opening() -> None:
    match = Match()
    match.state = replace(match.state, opening=replace(match.state.opening, takebacks=False))
    match.play("e3-f3")
    with refused("no-takebacks", "opened without takebacks"):
        match.offer_takeback("swedes", to=2)
    match.offer_draw("swedes")


def test_a_takeback_names_an_event_that_the_game_can_go_back_to() -> None:
    match = Match()
    match.play("e3-f3", "e2-h2")
    with refused("no-such-event"):
        match.offer_takeback("swedes", to=9)
    with refused("nothing-to-rewind"):
        match.offer_takeback("swedes", to=4)
    match.rewind(to=2)
    with refused("taken-back", "Event 3 was taken back"):
        match.offer_takeback("swedes", to=3)
    match.play("e3-d3")
    match.offer_takeback("swedes", to=0)


def test_a_takeback_of_a_takeback_cannot_bring_back_what_was_struck() -> None:
    match = Match()
    match.play("e3-f3", "e2-h2")
    match.agree("muscovites", match.offer_takeback("swedes", to=2))
    with refused("taken-back"):
        match.offer_takeback("swedes", to=4)


def deciding() -> Match:
    """El Tablero de Jesús: South has six coins in a row and decides what to do with them."""
    match = Match(ruleset="tablero", dice=Physical(confirm=False))
    match.record(5, 3)
    match.record(2, 4)
    match.act("move", "b7-b1")
    return match


def test_a_pull_is_taken_back_and_words_say_what() -> None:
    match = deciding()
    decided, position = match.state.seq, match.position
    pulled = match.act("pull", "1b-g")
    offer = match.offer_takeback("south", to=decided)
    words = f"Alba offers to take back event {pulled} and what followed (pull 1b-g)"
    assert views.log(match.state).events[-1].text == words
    match.agree("north", offer)
    assert (match.position, match.state.turn) == (position, "south")
    assert match.state.superseded() == {pulled}


def test_every_act_of_a_game_lapses_what_the_other_side_has_offered() -> None:
    match = deciding()
    match.record(1, 5)
    match.act("move", "a7-a1")
    for act, faces in (("run", (1, 2)), ("stop", (3, 4)), ("pass", (1, 2))):
        offer = match.offer_draw(match.state.other(match.state.turn or ""))
        match.act(act)
        assert match.state.offers == (), act
        with refused("offer-lapsed"):
            match.agree(match.state.turn or "", offer)
        match.record(*faces)


# -- claims --------------------------------------------------------------------------------


def repeated(**options: OptionValue) -> Match:
    match = Match(**options)
    match.play(*ROUND, *ROUND)
    return match


@pytest.mark.parametrize("seat", ["swedes", "muscovites"])
def test_either_player_claims_the_third_occurrence(seat: str) -> None:
    match = repeated()
    match.claim(seat)
    assert match.state.result == Result(kind="draw", how="repetition")
    match.close()


def test_a_claim_is_refused_before_the_third_occurrence_and_after_the_next_move() -> None:
    match = Match()
    match.play(*ROUND)
    with refused("repetition", "stands for the second time"):
        match.claim("swedes")
    match.play(*ROUND)
    match.play("e3-d3")
    with refused("repetition", "stands for the first time"):
        match.claim("swedes")


@pytest.mark.parametrize("law", ["off", "draw", "swedes_lose", "second_since_capture"])
def test_where_repetition_is_judged_otherwise_nothing_is_claimed(law: str) -> None:
    match = Match(repetition=law)
    match.play("e3-f3")
    with refused("repetition", f"repetition={law}"):
        match.claim("swedes")


def test_an_offer_does_not_hinder_a_claim() -> None:
    match = repeated()
    match.offer_draw("swedes")
    match.claim("muscovites")
    assert match.state.offers == ()
    assert match.state.result == Result(kind="draw", how="repetition")


def test_before_acceptance_nothing_is_offered() -> None:
    match = Match(play=False)
    with refused("not-accepted"):
        match.offer_draw("swedes")


def test_the_match_as_it_stood_earlier_has_the_offers_of_that_time() -> None:
    match = Match()
    match.play("e3-f3")
    match.offer_draw("swedes")
    match.play("e2-h2")
    found = [[each.seq for each in as_of(match.state, seq).offers] for seq in (3, 4, 5)]
    assert found == [[], [4], []]
