"""Rulings: each effect in its place, what clashes, what comes back, and what stays on record."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest
from match import SPARE_KEYS, Match, finished, refused
from table import BOTH

from ledger import dice, views
from ledger.events import (
    Award,
    Closing,
    CommitReveal,
    Dismissed,
    GivenResult,
    NewContributors,
    Penalty,
    Physical,
    Result,
    Rewind,
    SetPosition,
    TakebackOffer,
)
from ledger.fold import Phase, as_of, cited, describe
from ledger.fold.due import Step, due
from ledger.fold.rolls import awaited, contributors, uncommitted

ON_THE_TABLE = Physical(confirm=False)
ALL_THREE = CommitReveal(contributors=("white", "black", "arbiter"))

FAR = "/3ttt3/4t4/9/t7t/tt2K1Ttt/t3T3t/4T4/4t4/9/ m"
"""A Tablut position that no move leads to from the beginning: Swedes and Muscovites are gone."""
WON = "/K8/9/9/9/4T4/9/9/9/t8/ m"
"""The king stands on a corner."""


def begun() -> Match:
    match = Match()
    match.play("e3-f3", "e2-h2")
    return match


def on_the_table(**options: Any) -> Match:
    """Tabula, White to throw three dice."""
    match = Match(ruleset="tabula", dice=ON_THE_TABLE, **options)
    match.record(5, 3)
    return match


def tablero(**options: Any) -> Match:
    match = Match(ruleset="tablero", dice=ON_THE_TABLE, **options)
    match.record(5, 3)
    return match


# -- one effect --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "effects",
    [
        (Rewind(to=2), GivenResult(kind="draw")),
        (Rewind(to=2), Rewind(to=3)),
        (SetPosition(position=FAR), GivenResult(kind="annulled")),
        (Dismissed(), Rewind(to=2)),
        (Dismissed(), Dismissed()),
        (GivenResult(kind="draw"), GivenResult(kind="draw")),
        (Award(roll=1, dice=(1,)), Rewind(to=2)),
    ],
)
def test_a_ruling_does_one_thing_to_the_game(effects: tuple[Any, ...]) -> None:
    match = begun()
    match.dispute()
    with refused("effects-clash"):
        match.rule(*effects)
    with refused("effects-clash"):
        match.rule(Penalty(seat="swedes", penalty="fine"), *effects)
    assert match.state.penalties == ()
    assert match.state.phase is Phase.DISPUTED


def test_penalties_stand_beside_any_effect() -> None:
    match = begun()
    match.rule(
        Penalty(seat="swedes", penalty="warning"),
        Rewind(to=2),
        Penalty(seat="muscovites", penalty="fine"),
    )
    assert [(each.seat, each.name, each.penalty, each.seq) for each in match.state.penalties] == [
        ("swedes", "Alba", "warning", 5),
        ("muscovites", "Bruno", "fine", 5),
    ]
    assert match.position == Match().position


# -- penalties ---------------------------------------------------------------------------------


def test_penalties_are_counted_and_never_set_back() -> None:
    match = begun()
    match.rule(Penalty(seat="swedes", penalty="warning"))
    match.rule(Penalty(seat="swedes", penalty="warning"))
    match.rule(Rewind(to=2))
    assert [each.seq for each in match.state.penalties] == [5, 6]
    assert match.state.turn == "swedes"


def test_a_penalty_stays_with_the_player_and_not_with_the_seat() -> None:
    match = begun()
    match.rule(Penalty(seat="swedes", penalty="warning"))
    match.replace_key("swedes", SPARE_KEYS[0], name="Astrid")
    match.accept("swedes")
    match.rule(Penalty(seat="swedes", penalty="warning"))
    assert [each.name for each in match.state.penalties] == ["Alba", "Astrid"]


def test_a_penalty_is_for_a_seat() -> None:
    match = begun()
    for role in ("witness1", "arbiter", "white"):
        with refused("unknown-role"):
            match.rule(Penalty(seat=role, penalty="expulsion"))


def test_the_game_lost_as_a_penalty_says_what_the_other_gets() -> None:
    match = begun()
    lost = Penalty(seat="swedes", penalty="game_lost")
    with refused("effects-clash", "what swedes's opponent gets"):
        match.rule(lost)
    with refused("effects-clash"):
        match.rule(lost, Rewind(to=2))
    with refused("effects-clash"):
        match.rule(lost, GivenResult(kind="win", winner="swedes"))
    match.rule(lost, GivenResult(kind="forfeit", winner="muscovites"))
    assert match.state.result == Result(kind="forfeit", how="ruling", winner="muscovites")
    assert match.state.penalties[0].penalty == "game_lost"


def test_both_lose_the_game() -> None:
    match = begun()
    both = [Penalty(seat=seat, penalty="game_lost") for seat in match.state.game.seats]
    with refused("effects-clash"):
        match.rule(*both, GivenResult(kind="forfeit", winner="muscovites"))
    match.rule(*both, GivenResult(kind="double_forfeit"))
    assert len(match.state.penalties) == 2


def test_a_penalty_alone_leaves_the_game_as_it_is() -> None:
    match = begun()
    offer = match.offer_draw("swedes")
    before = match.position
    match.rule(Penalty(seat="muscovites", penalty="fine"))
    assert (match.position, match.state.turn) == (before, "swedes")
    assert cited(match.state) is None
    match.agree("muscovites", offer)


# -- results -----------------------------------------------------------------------------------

RESULTS = [
    ("win", "swedes", "a win for swedes (ruling)", "the game goes to Alba (the Swedes)"),
    ("draw", None, "a draw (ruling)", "the game is a draw"),
    (
        "forfeit",
        "swedes",
        "a win by forfeit for swedes (ruling)",
        "to Alba (the Swedes) by forfeit",
    ),
    ("double_forfeit", None, "a double forfeit (ruling)", "both forfeit the game"),
    ("annulled", None, "annulled (ruling)", "the game is annulled"),
]


@pytest.mark.parametrize(("kind", "winner", "words", "told"), RESULTS)
def test_each_kind_of_result_is_told_apart(
    kind: Any, winner: str | None, words: str, told: str
) -> None:
    match = begun()
    match.rule(GivenResult(kind=kind, winner=winner))
    result = Result(kind=kind, how="ruling", winner=winner)
    assert match.state.result == result
    assert describe(result) == words
    assert views.show(match.state).result == result
    assert told in views.show(match.state).next
    assert told in views.log(match.state).events[-1].text
    assert match.state.phase is Phase.ENDED
    assert cited(match.state) == match.state.head
    match.close()
    assert match.state.closed == result
    assert words in views.log(match.state).events[-1].text


def test_no_two_kinds_of_result_are_told_alike() -> None:
    told = set()
    for kind, winner, *_ in RESULTS:
        match = begun()
        match.rule(GivenResult(kind=kind, winner=winner))
        told |= {
            describe(match.state.result),
            views.show(match.state).next,
            views.log(match.state).events[-1].text,
        }
    assert len(told) == 3 * len(RESULTS)


@pytest.mark.parametrize(
    ("kind", "winner"),
    [
        ("win", None),
        ("forfeit", None),
        ("draw", "swedes"),
        ("double_forfeit", "swedes"),
        ("annulled", "muscovites"),
    ],
)
def test_a_winner_for_a_win_and_a_forfeit_and_nowhere_else(kind: Any, winner: str | None) -> None:
    match = begun()
    with refused("bad-result"):
        match.rule(GivenResult(kind=kind, winner=winner))


def test_the_winner_is_a_player() -> None:
    match = begun()
    for role in ("arbiter", "witness1", "white"):
        with refused("unknown-role"):
            match.rule(GivenResult(kind="win", winner=role))


def test_a_result_before_anybody_has_come() -> None:
    match = Match(play=False)
    match.rule(GivenResult(kind="double_forfeit"))
    assert match.state.phase is Phase.ENDED
    match.close()
    assert match.state.phase is Phase.CLOSED


def test_a_ruling_changes_a_result_of_the_board_before_the_close() -> None:
    match = finished()
    assert match.state.result == Result(kind="win", how="goal", winner="swedes")
    match.rule(GivenResult(kind="annulled"))
    assert match.state.result == Result(kind="annulled", how="ruling")
    assert match.position == finished().position
    with refused("wrong-result", "annulled (ruling), not a win for swedes (goal)"):
        match.close(Result(kind="win", how="goal", winner="swedes"))
    match.close()


def test_a_result_gives_up_the_roll_in_flight_and_the_adjournment() -> None:
    match = Match(ruleset="tabula", dice=BOTH)
    match.commit("white")
    match.commit("black")
    match.throw("white")
    match.rule(GivenResult(kind="forfeit", winner="white"))
    assert match.state.rolling.flight is None
    (dead,) = match.state.rolling.unopened
    assert (dead.number, dead.seat, dead.owed, dead.ended) == (1, "white", ("black",), 6)
    rested = begun()
    rested.adjourn()
    rested.seal("swedes", "e4-e2")
    rested.rule(GivenResult(kind="draw"))
    assert (rested.state.adjourned, rested.state.sealed) == (None, None)
    assert rested.state.phase is Phase.ENDED


def test_an_offer_does_not_outlive_a_result() -> None:
    match = begun()
    offer = match.offer_draw("swedes")
    match.rule(GivenResult(kind="annulled"))
    assert match.state.offers == ()
    match.rule(Rewind(to=4))
    with refused("offer-lapsed"):
        match.agree("muscovites", offer)


# -- back and forth ----------------------------------------------------------------------------


def test_a_rewind_of_a_rewind() -> None:
    match = begun()
    match.rule(Rewind(to=2))
    assert match.position == match.after(2)
    assert match.state.superseded() == {3, 4}
    match.rule(Rewind(to=4))
    assert match.position == match.after(4)
    assert match.state.superseded() == frozenset()
    match.rule(Rewind(to=5))
    assert match.position == match.after(2)
    assert match.state.superseded() == {3, 4}


def test_a_rewind_over_a_position_that_was_set() -> None:
    match = begun()
    match.rule(SetPosition(position=FAR))
    match.move("d1-c1", "muscovites")
    assert match.state.turn == "swedes"
    match.rule(Rewind(to=4))
    assert match.position == begun().position
    assert match.state.superseded() == {5, 6}
    match.rule(Rewind(to=5))
    assert match.position == FAR
    assert match.state.superseded() == {6}


def test_a_rewind_over_a_result_and_back_to_it() -> None:
    match = begun()
    match.rule(GivenResult(kind="draw"))
    match.rule(Rewind(to=4))
    assert (match.state.phase, match.state.result) == (Phase.IN_PLAY, None)
    match.play("e4-e2")
    match.rule(Rewind(to=5))
    assert match.state.result == Result(kind="draw", how="ruling")
    assert cited(match.state) == match.state.entries[5].hash


def test_a_rewind_over_a_win_on_the_board_and_back_needs_no_ruling_to_be_cited() -> None:
    match = finished()
    match.rule(Rewind(to=9))
    match.rule(Rewind(to=11))
    assert match.state.result == Result(kind="win", how="goal", winner="swedes")
    assert cited(match.state) is None
    match.close()


def test_the_board_as_of_an_event_that_was_taken_back() -> None:
    match = begun()
    match.play("e4-e2")
    match.rule(Rewind(to=3))
    match.move("d1-c1", "muscovites")
    assert match.state.superseded() == {4, 5}
    then = as_of(match.state, 5)
    assert then.game.position(then.position) == match.after(5)
    assert then.superseded() == frozenset()
    assert then.turn == "muscovites"
    assert views.show(match.state, 5).position == match.after(5)
    assert views.show(match.state, 4).position == match.after(4) != match.after(3)
    assert views.show(match.state, 6).position == match.after(3)


def test_a_rewind_leaves_people_and_penalties_as_they_are() -> None:
    match = begun()
    match.rule(Penalty(seat="swedes", penalty="warning"))
    match.replace_key("muscovites", SPARE_KEYS[0], name="Boris")
    match.accept("muscovites")
    match.dispute()
    match.rule(Rewind(to=2))
    assert match.state.roster["muscovites"].name == "Boris"
    assert match.state.penalties
    assert [each.ended for each in match.state.disputes] == [9]
    match.play("e3-f3", "e2-h2")


def test_what_stood_before_a_position_was_set_does_not_come_back_once_dice_were_thrown() -> None:
    match = on_the_table()
    stood = match.state.seq
    match.rule(SetPosition(position=TABULA))
    match.rule(Rewind(to=stood, dice="keep"))
    match.rule(SetPosition(position=TABULA))
    placed = match.state.seq
    match.record(6, 6, 6)
    for back in (stood, placed - 1):
        with refused("across-a-throw", f"Dice were thrown since event {placed} set the position"):
            match.rule(Rewind(to=back, dice="rethrow"))
    match.rule(Rewind(to=placed, dice="rethrow"))
    assert match.position == TABULA


# -- position ----------------------------------------------------------------------------------


def test_a_position_that_no_move_leads_to() -> None:
    match = begun()
    match.offer_draw("swedes")
    match.rule(SetPosition(position=FAR))
    assert match.position == FAR
    assert match.state.turn == "muscovites"
    assert match.state.offers == ()
    match.play("d1-c1")
    assert match.state.superseded() == frozenset()


@pytest.mark.parametrize(
    "text", [FAR.removeprefix("/"), FAR.replace("/9/", "/09/", 1), f"{FAR[:-1]}M", "nine by nine"]
)
def test_a_position_is_written_in_its_one_spelling(text: str) -> None:
    match = begun()
    with refused("bad-position"):
        match.rule(SetPosition(position=text))
    assert match.state.phase is Phase.IN_PLAY


@pytest.mark.parametrize(
    "match", [Match(), on_the_table(), tablero()], ids=["tablut", "tabula", "tablero"]
)
def test_the_position_that_stands_is_not_set(match: Match) -> None:
    with refused("nothing-to-set"):
        match.rule(SetPosition(position=match.position))


def test_a_position_stands_already_if_text_and_result_are_the_same() -> None:
    """The same text after other moves is no other position; over a result it takes that away."""
    match = begun()
    there_and_back = ("e4-d4", "h2-g2", "d4-e4", "g2-h2")
    match.play(*there_and_back)
    assert match.position == match.after(4)
    with refused("nothing-to-set"):
        match.rule(SetPosition(position=match.after(4)))
    match.resign("swedes")
    match.rule(SetPosition(position=match.after(4)))
    assert (match.state.result, match.position) == (None, match.after(4))


def test_a_position_in_which_the_game_is_over_ends_it() -> None:
    match = begun()
    match.rule(SetPosition(position=WON))
    assert match.state.result == Result(kind="win", how="goal", winner="swedes")
    assert match.state.phase is Phase.ENDED
    assert cited(match.state) == match.state.head
    with refused("wrong-citation"):
        match.write("match.closed", Closing(result=match.state.result), "arbiter")
    match.close()


def test_a_position_over_a_result_takes_the_result_away() -> None:
    match = finished()
    match.rule(SetPosition(position=FAR))
    assert (match.state.result, match.state.phase) == (None, Phase.IN_PLAY)
    match.play("d1-c1")


def test_a_position_is_not_taken_back_by_agreement() -> None:
    match = begun()
    match.rule(SetPosition(position=FAR))
    match.play("d1-c1")
    with refused("across-a-ruling"):
        match.write("offer.made", TakebackOffer(to=4), "swedes")
    offer = match.offer_takeback("muscovites", to=5)
    match.agree("swedes", offer)
    assert match.position == FAR


def test_a_sealed_move_lapses_when_the_position_is_set() -> None:
    match = begun()
    match.adjourn()
    opens = match.seal("swedes", "e4-e2")
    match.rule(SetPosition(position=FAR))
    assert match.state.sealed is None
    assert match.state.phase is Phase.ADJOURNED
    with refused("no-seal"):
        match.resume("swedes", opens)
    match.resume()
    match.play("d1-c1")


TABULA = "W h0 b0 o3 20:12 | B h0 b1 o0 1:2,9:12 | B"


def test_a_position_of_tabula_has_the_throw_still_to_come() -> None:
    match = on_the_table()
    match.rule(SetPosition(position=TABULA))
    assert match.position == TABULA
    assert due(match.state).step is Step.THROW
    assert due(match.state).whose == ("black",)
    match.record(6, 6, 6)
    assert match.state.game.thrown(match.state.position) == (6, 6, 6)


def test_a_position_lays_the_dice_down_that_were_on_the_table() -> None:
    match = on_the_table()
    match.record(5, 3, 1)
    assert match.state.game.thrown(match.state.position) == (5, 3, 1)
    match.rule(SetPosition(position=TABULA))
    assert match.state.game.thrown(match.state.position) == ()
    assert [roll.dice for roll in match.state.rolling.rolls] == [(5, 3), (5, 3, 1)]
    match.record(2, 2, 1)


def test_a_position_of_the_tablero_sets_no_dice() -> None:
    match = tablero()
    with refused("dice-set", "No throw gave the dice 2-4"):
        match.rule(SetPosition(position="7711111 13,16 0 0 south move:2-4"))
    match.record(2, 4)
    with refused("dice-set", "No throw gave the dice 1-4"):
        match.rule(SetPosition(position="7711111 13,16 0 0 south move:1-4"))
    match.rule(SetPosition(position="1711111 13,16 0 0 south move:2-4"))
    assert match.state.game.thrown(match.state.position) == (2, 4)


def test_turns_that_were_played_stay_played_when_a_tablero_is_set() -> None:
    match = tablero(turn_cap=3)
    turns = 0
    for number in count():
        if match.state.turn is None:
            break
        if number == 1:
            before = match.state.position
            match.rule(SetPosition(position="1711111 15,14 0 0 south throw"))
            assert match.position == "1711111 15,14 0 0 south throw"
            assert match.state.position.turns == before.turns
            assert match.state.position.cap == before.cap
        wanted = match.state.game.wanted(match.state.position)
        if wanted and not match.state.game.legal(match.state.position):
            match.record(2, 4)
        else:
            turns += 1
            match.play_any()
        assert number < 60
    assert match.state.result is not None
    assert match.state.result.how == "turn_cap"
    assert turns >= 2


def test_a_position_gives_up_the_roll_in_flight() -> None:
    match = computed()
    match.throw("white")
    match.rule(SetPosition(position=TABULA))
    assert match.state.rolling.flight is None
    (dead,) = match.state.rolling.unopened
    assert dead.owed == ("black", "arbiter")
    assert match.state.rolling.number == dead.number + 1
    with refused("no-flight"):
        match.open("black")
    assert set(uncommitted(match.state)) == {"black", "arbiter"}


def test_a_position_puts_unconfirmed_dice_aside() -> None:
    match = Match(ruleset="tabula", dice=Physical(confirm=True))
    match.record(5, 3, by="white")
    match.rule(SetPosition(position=TABULA))
    assert match.state.rolling.recorded is None
    (lost,) = match.state.rolling.rolls
    assert (lost.dice, lost.counted, lost.voided) == ((5, 3), False, 4)
    with refused("nothing-to-confirm"):
        match.confirm("black", what=match.state.entries[3].hash)


# -- rolls -------------------------------------------------------------------------------------


def computed(dice: CommitReveal = ALL_THREE, **options: Any) -> Match:
    """All are bound; White is to throw three dice."""
    for number in count():
        match = Match(ruleset="tabula", dice=dice, nonce=f"{number:032x}", **options)
        match.roll()
        wanted = match.state.game.wanted(match.state.position)
        if wanted and wanted.owners == ("white",) * 3:
            return match
    raise AssertionError


def test_a_roll_that_is_never_opened_is_awarded() -> None:
    match = computed()
    number = match.state.rolling.number
    match.throw("white")
    thrown = match.state.seq
    match.rule(Award(roll=number, dice=(6, 5, 4)))
    roll = match.state.rolling.rolls[-1]
    assert (roll.number, roll.dice, roll.awarded) == (number, (6, 5, 4), True)
    assert (roll.seat, roll.thrown, roll.seq) == ("white", thrown, match.state.seq)
    assert match.state.game.thrown(match.state.position) == (6, 5, 4)
    assert match.state.rolling.unopened[-1].owed == ("black", "arbiter")
    assert match.state.rolling.number == number + 1
    match.play_any()
    match.roll()
    assert not match.state.rolling.rolls[-1].awarded


def test_an_award_names_the_roll_in_flight_and_dice_that_fit() -> None:
    match = computed()
    number = match.state.rolling.number
    with refused("no-flight"):
        match.rule(Award(roll=number, dice=(6, 5, 4)))
    match.throw("white")
    with refused("wrong-roll"):
        match.rule(Award(roll=number + 1, dice=(6, 5, 4)))
    with refused("bad-dice"):
        match.rule(Award(roll=number, dice=(6, 5)))
    match.dispute(by="white")
    match.rule(Award(roll=number, dice=(1, 1, 1)))
    assert match.state.phase is Phase.IN_PLAY


def test_no_roll_is_awarded_without_dice_or_with_dice_on_the_table() -> None:
    with refused("no-dice"):
        begun().rule(Award(roll=1, dice=(1,)))
    with refused("no-dice"):
        begun().rule(NewContributors(roll=1, contributors=("arbiter",)))
    with refused("no-flight"):
        on_the_table().rule(Award(roll=2, dice=(1, 1, 1)))
    with refused("dice-on-table"):
        on_the_table().rule(NewContributors(roll=2, contributors=("arbiter",)))


def test_other_contributors_for_a_roll_that_is_never_opened() -> None:
    match = computed()
    number = match.state.rolling.number
    stood = match.position
    match.throw("white")
    thrown = match.state.seq
    match.rule(NewContributors(roll=number, contributors=("white", "arbiter")))
    assert match.state.rolling.flight is None
    assert contributors(match.state) == ("white", "arbiter")
    assert match.position == stood
    assert thrown in match.state.superseded()
    (dead,) = match.state.rolling.unopened
    assert (dead.number, dead.owed) == (number, ("black", "arbiter"))
    assert match.state.rolling.number == number + 1
    assert uncommitted(match.state) == ("arbiter",), "White's number came with the opening"
    with refused("not-contributor"):
        match.commit("black")
    match.commit("arbiter")
    match.throw("white")
    assert awaited(match.state) == ("arbiter",)
    match.open("arbiter")
    by_hand = dice.faces(
        dice.seed(
            match.state.match,
            number + 1,
            {
                seat: bytes.fromhex(match.nonce(role, number + 1))
                for seat, role in ((0, "white"), (2, "arbiter"))
            },
        ),
        3,
    )
    assert match.state.rolling.rolls[-1].dice == by_hand


def test_other_contributors_before_a_throw_commit_anew() -> None:
    match = computed()
    number = match.state.rolling.number
    match.rule(NewContributors(roll=number, contributors=("white", "black")))
    assert match.state.rolling.number == number + 1
    assert uncommitted(match.state) == ("white", "black")
    assert match.state.rolling.unopened == ()
    old = dice.commitment(match.state.match, number, 0, bytes.fromhex(match.nonce("white", number)))
    with refused("used-before"):
        match.commit("white", commitment=old)
    match.roll()
    match.play_any()
    match.roll()
    assert contributors(match.state) == ("white", "black")


def test_nobody_stays_bound_who_makes_no_dice_any_more() -> None:
    match = computed()
    match.throw("white")
    match.open("black")
    match.rule(NewContributors(roll=match.state.rolling.number, contributors=("white", "arbiter")))
    assert set(match.state.rolling.commitments) == {"white"}


def test_an_offer_lapses_when_others_make_the_dice() -> None:
    match = computed()
    offer = match.offer_draw("white")
    match.rule(NewContributors(roll=match.state.rolling.number, contributors=("arbiter",)))
    with refused("offer-lapsed"):
        match.agree("black", offer)


def test_contributors_stay_until_another_ruling() -> None:
    match = computed()
    match.rule(NewContributors(roll=match.state.rolling.number, contributors=("arbiter",)))
    match.roll()
    match.play_any()
    match.roll()
    assert contributors(match.state) == ("arbiter",)
    match.play_any()
    match.rule(NewContributors(roll=match.state.rolling.number, contributors=("black", "arbiter")))
    assert uncommitted(match.state) == ("black", "arbiter")
    match.roll()


@pytest.mark.parametrize(
    "named",
    [
        ("white",),
        ("black",),
        (),
        ("black", "white"),
        ("arbiter", "white"),
        ("white", "white"),
        ("white", "witness1"),
        ("white", "appeal"),
    ],
)
def test_nobody_makes_dice_alone_but_the_arbiter(named: tuple[str, ...]) -> None:
    match = computed()
    with refused("bad-contributors"):
        match.rule(NewContributors(roll=match.state.rolling.number, contributors=named))


def test_contributors_have_keys_and_name_the_next_roll() -> None:
    match = computed(CommitReveal(contributors=("white", "arbiter")), keyed=["white"])
    number = match.state.rolling.number
    with refused("keyless-contributor"):
        match.rule(NewContributors(roll=number, contributors=("white", "black")))
    for wrong in (number - 1, number + 1):
        with refused("wrong-roll"):
            match.rule(NewContributors(roll=wrong, contributors=("arbiter",)))


# -- once closed -------------------------------------------------------------------------------


def closed(*, countersigned: bool = False) -> Match:
    match = finished()
    match.close()
    if countersigned:
        match.countersign("swedes")
        match.countersign("muscovites")
    return match


@pytest.mark.parametrize(
    "effect", [Rewind(to=4), SetPosition(position=FAR), Award(roll=1, dice=(1,))]
)
def test_once_closed_only_the_result_can_change(effect: Any) -> None:
    match = closed()
    with refused("match-closed", "only its result can still be changed"):
        match.rule(effect)
    with refused("nothing-to-dismiss"):
        match.rule(Dismissed())


def test_a_penalty_after_the_close_leaves_the_sheet_as_it_is() -> None:
    match = closed(countersigned=True)
    match.rule(Penalty(seat="swedes", penalty="expulsion"))
    assert match.state.countersigned == {"swedes", "muscovites"}
    assert len(match.state.sheets) == 1


def test_a_result_after_the_close_is_signed_anew() -> None:
    match = closed(countersigned=True)
    first = match.state.result_event
    match.rule(GivenResult(kind="annulled"))
    old, new = match.state.sheets
    assert (old.event, old.signed) == (first, {"swedes", "muscovites"})
    assert (old.result.kind, new.result) == ("win", Result(kind="annulled", how="ruling"))
    assert (new.event, new.signed) == (match.state.head, frozenset())
    assert match.state.result == new.result
    assert match.state.unsigned == ("swedes", "muscovites")
    with refused("wrong-result-event"):
        match.countersign("swedes", first)
    match.countersign("swedes")
    assert match.state.sheets[0].signed == {"swedes", "muscovites"}
