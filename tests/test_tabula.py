"""Tabula told as match reports: a position, a throw, a turn, and what it leads to or why not.

W is White, B is Black: how many in the hand, on the bar and off, then the points.
"""

from __future__ import annotations

import pytest

from ledger.errors import Ambiguous, Unreadable
from ledger.games.protocol import Action, Illegal, OptionValue, Stack, Throw
from ledger.games.tabula import GAME, State

Options = dict[str, OptionValue]
Dice = tuple[int, ...]

START = "W h15 b0 o0 - | B h15 b0 o0 - | -"
WHITE_BEGINS = "W h15 b0 o0 - | B h15 b0 o0 - | W"
ZENO = (
    "W h0 b0 o0 6:7,9:1,10:2,19:2,20:2,23:1 | B h0 b0 o0 8:2,11:2,12:2,13:1,14:2,15:2,18:2,21:2 | W"
)


def rules(ruleset: str = "tabula", /, **changes: OptionValue) -> Options:
    defaults = {name: option.default for name, option in GAME.options.items()}
    return defaults | dict(GAME.rulesets[ruleset].changes) | changes


def thrown(position: str, dice: Dice, **changes: OptionValue) -> State:
    return GAME.throw(GAME.place(rules(**changes), position), dice)


def plays(position: str, dice: Dice, turn: str, after: str, **changes: OptionValue) -> State:
    """The turn, canonical as written here, is read, recorded, and leads to the position."""
    state = thrown(position, dice, **changes)
    action = GAME.read(state, "move", turn)
    assert action.text == turn
    state = GAME.apply(state, action)
    assert GAME.position(state) == after
    return state


def refuses(position: str, dice: Dice, turn: str, **changes: OptionValue) -> str:
    """The rules refuse the turn, typed or recorded; the code and the words of the refusal."""
    state = thrown(position, dice, **changes)
    with pytest.raises(Illegal) as typed:
        GAME.read(state, "move", turn)
    kind = "pass" if turn == "pass" else "move"
    with pytest.raises(Illegal) as recorded:
        GAME.apply(state, Action(kind, turn, dice))
    assert str(typed.value) == str(recorded.value)
    return f"{typed.value.code}: {typed.value}"


def reads(position: str, dice: Dice, typed: str, **changes: OptionValue) -> str:
    action = GAME.read(thrown(position, dice, **changes), "move", typed)
    assert (action.kind == "pass") == (action.text == "pass")
    return action.text


def results(position: str, dice: Dice, **changes: OptionValue) -> list[str]:
    return [action.text for action in GAME.legal(thrown(position, dice, **changes))]


# ---- the opening


def test_each_throws_one_die_and_the_higher_begins_with_three_anew() -> None:
    state = GAME.start(rules())
    assert GAME.position(state) == START
    assert GAME.turn(state) == GAME.actor(state, "move") == "white"
    assert GAME.wanted(state) == Throw("white", ("white", "black"))
    state = GAME.throw(state, (4, 4))
    assert (GAME.position(state), GAME.wanted(state)) == (START, Throw("white", ("white", "black")))
    state = GAME.throw(state, (2, 5))
    assert GAME.position(state) == "W h15 b0 o0 - | B h15 b0 o0 - | B"
    assert GAME.turn(state) == "black"
    assert GAME.thrown(state) == ()
    assert GAME.wanted(state) == Throw("black", ("black",) * 3)
    state = GAME.throw(state, (6, 1, 3))
    assert (GAME.thrown(state), GAME.wanted(state)) == ((6, 1, 3), None)


def test_white_begins_with_the_higher_die() -> None:
    state = GAME.throw(GAME.start(rules()), (6, 5))
    assert GAME.position(state) == WHITE_BEGINS


def test_nothing_is_played_before_it_is_thrown() -> None:
    opening = GAME.start(rules())
    for state, words in (
        (opening, "Who begins is not decided: each throws one die first."),
        (GAME.throw(opening, (1, 2)), "Black has to throw first."),
    ):
        assert GAME.legal(state) == ()
        assert list(GAME.remarks(state)) == []
        for attempt in (
            lambda state: GAME.read(state, "move", "hand/3"),
            lambda state: GAME.read(state, "move", "pass"),
            lambda state: GAME.apply(state, Action("pass", "pass")),
        ):
            with pytest.raises(Illegal) as refusal:
                attempt(state)
            assert (refusal.value.code, str(refusal.value)) == ("throw-first", words)


@pytest.mark.parametrize("dice", [(1, 2), (1, 2, 3, 4), (), (0, 1, 2), (1, 2, 7), (1, -2, 3)])
def test_a_throw_is_three_dice_of_six_faces(dice: Dice) -> None:
    with pytest.raises(Illegal) as refusal:
        GAME.throw(GAME.place(rules(), WHITE_BEGINS), dice)
    assert refusal.value.code == "bad-dice"
    assert str(refusal.value) == "This throw is 3 dice, each with a face from 1 to 6."


def test_dice_on_the_table_are_played_before_others_are_thrown() -> None:
    with pytest.raises(Illegal) as refusal:
        GAME.throw(thrown(WHITE_BEGINS, (2, 6, 5)), (1, 2, 3))
    assert refusal.value.code == "no-throw"
    assert str(refusal.value) == "No dice are thrown now: 2-6-5 is to be played first."


def test_after_a_turn_the_other_side_throws() -> None:
    state = plays(
        WHITE_BEGINS,
        (3, 1, 6),
        "hand/6 6/9 9/10",
        "W h14 b0 o0 10:1 | B h15 b0 o0 - | B",
    )
    assert GAME.wanted(state) == Throw("black", ("black",) * 3)
    assert GAME.thrown(state) == ()


# ---- ruling 2: entering


def test_a_checker_enters_on_the_point_of_the_die() -> None:
    plays(
        WHITE_BEGINS,
        (6, 3, 1),
        "hand/1 hand/3 hand/6",
        "W h12 b0 o0 1:1,3:1,6:1 | B h15 b0 o0 - | B",
    )


def test_entering_from_the_hand_is_optional() -> None:
    plays(
        "W h14 b0 o0 5:1 | B h15 b0 o0 - | W",
        (1, 2, 3),
        "5/6 6/8 8/11",
        "W h14 b0 o0 11:1 | B h15 b0 o0 - | B",
    )


ONE_ON_THE_BAR = "W h0 b1 o0 8:5,14:9 | B h0 b0 o0 1:2,3:2,9:5,17:6 | W"


def test_from_the_bar_it_comes_first() -> None:
    plays(
        ONE_ON_THE_BAR,
        (2, 4, 6),
        "bar/4 4/6 8/14",
        "W h0 b0 o0 6:1,8:4,14:10 | B h0 b0 o0 1:2,3:2,9:5,17:6 | B",
    )
    assert refuses(ONE_ON_THE_BAR, (2, 4, 6), "8/10") == (
        "r-bar: 8/10 is refused (R-BAR): White has 1 on the bar, which must enter first."
    )
    assert list(GAME.remarks(thrown(ONE_ON_THE_BAR, (2, 4, 6)))) == [
        "White has 1 on the bar, which must enter first."
    ]


def test_two_on_the_bar_enter_before_anything_else() -> None:
    position = "W h1 b2 o0 8:12 | B h15 b0 o0 - | W"
    assert reads(position, (1, 2, 3), "bar/1 hand/2 bar/3") == "bar/1 bar/3 hand/2"
    with pytest.raises(Illegal) as refusal:
        GAME.apply(thrown(position, (1, 2, 3)), Action("move", "bar/1 hand/2 bar/3", (1, 2, 3)))
    assert refusal.value.code == "r-bar"


def test_bar_and_hand_have_to_hold_somebody() -> None:
    assert refuses(ZENO, (2, 5, 6), "hand/5") == (
        "r-enter: hand/5 is refused (R-ENTER): White's hand is empty."
    )
    assert refuses(ZENO, (2, 5, 6), "bar/6") == (
        "r-enter: bar/6 is refused (R-ENTER): White has no checker on the bar."
    )
    assert refuses(WHITE_BEGINS, (1, 2, 2), "hand/3 hand/1 hand/2 hand/2") == (
        "r-enter: hand/3 is refused (R-ENTER): it takes 3; left to play: 1-2-2."
    )
    assert refuses(WHITE_BEGINS, (1, 2, 3), "hand/off") == (
        "r-enter: hand/off is refused (R-ENTER): checkers enter on the points 1 to 6."
    )


# ---- ruling 3: moving


def test_one_checker_may_use_all_three_dice() -> None:
    plays(
        "W h0 b0 o0 7:15 | B h15 b0 o0 - | W",
        (6, 2, 5),
        "7/13 13/15 15/20",
        "W h0 b0 o0 7:14,20:1 | B h15 b0 o0 - | B",
    )


def test_every_stop_must_be_open() -> None:
    held = "W h0 b0 o0 7:15 | B h0 b0 o0 9:2,12:2,13:11 | W"
    assert refuses(held, (6, 2, 5), "7/13 13/15 15/20") == (
        "r-open: 7/13 is refused (R-OPEN): point 13 is held by Black."
    )
    assert results(held, (6, 2, 5)) == ["pass"]


def test_three_equal_dice_are_three_moves() -> None:
    assert results(WHITE_BEGINS, (6, 6, 6)) == ["hand/6 hand/6 6/12", "hand/6 hand/6 hand/6"]


@pytest.mark.parametrize(
    ("turn", "words"),
    [
        ("7/9 10/16", "7/9 is refused (R-MOVE): White has no checker on 7."),
        ("10/14", "10/14 is refused (R-MOVE): it takes 4; left to play: 2-5-6."),
        ("10/16 10/16", "10/16 is refused (R-MOVE): it takes 6; left to play: 2-5."),
        ("10/9", "10/9 is refused (R-MOVE): checkers only go forward, to higher points."),
        ("10/10", "10/10 is refused (R-MOVE): checkers only go forward, to higher points."),
        (
            "10/16 20/22 19/24 10/12",
            "10/12 is refused (R-MOVE): it takes 2; no die is left to play.",
        ),
    ],
)
def test_a_move_is_a_checker_and_the_distance_of_a_die(turn: str, words: str) -> None:
    assert refuses(ZENO, (2, 5, 6), turn) == f"r-move: {words}"


# ---- ruling 4: hitting


def test_a_blot_is_hit() -> None:
    plays(
        "W h0 b0 o0 4:1,10:14 | B h14 b0 o0 16:1 | W",
        (6, 1, 1),
        "4/5 5/6 10/16*",
        "W h0 b0 o0 6:1,10:13,16:1 | B h14 b1 o0 - | B",
    )


def test_an_intermediate_stop_hits_too_and_so_does_entering() -> None:
    plays(
        "W h14 b0 o0 2:1 | B h12 b0 o0 3:1,5:1,9:1 | W",
        (3, 6, 4),
        "hand/3* 2/8 8/12",
        "W h13 b0 o0 3:1,12:1 | B h12 b1 o0 5:1,9:1 | B",
    )
    plays(
        "W h14 b0 o0 2:1 | B h12 b0 o0 3:1,5:1,9:1 | W",
        (3, 6, 4),
        "2/5* 5/9* hand/6",
        "W h13 b0 o0 6:1,9:1 | B h12 b2 o0 3:1 | B",
    )


def test_what_is_passed_over_is_not_hit() -> None:
    plays(
        "W h0 b0 o0 10:15 | B h14 b0 o0 12:1 | W",
        (6, 6, 6),
        "10/16 10/16 10/16",
        "W h0 b0 o0 10:12,16:3 | B h14 b0 o0 12:1 | B",
    )


def test_black_hits_in_the_finishing_table() -> None:
    plays(
        "W h0 b0 o12 20:2,23:1 | B h0 b0 o10 17:2,19:2,22:1 | B",
        (2, 5, 6),
        "17/22 17/23* 23/off",
        "W h0 b1 o12 20:2 | B h0 b0 o11 19:2,22:2 | W",
    )


def test_a_second_checker_on_the_same_point_hits_nobody() -> None:
    plays(
        "W h0 b0 o0 10:14,11:1 | B h14 b0 o0 12:1 | W",
        (1, 2, 6),
        "11/12* 10/12 10/16",
        "W h0 b0 o0 10:12,12:2,16:1 | B h14 b1 o0 - | B",
    )


# ---- ruling 5: the second half

ONE_IN_HAND = "W h1 b0 o0 6:4,10:5,12:5 | B h0 b0 o7 2:2,5:2,14:2,16:2 | W"


def test_the_second_half_is_closed_while_the_hand_is_not_empty() -> None:
    assert refuses(ONE_IN_HAND, (1, 6, 6), "12/18") == (
        "r-half: 12/18 is refused (R-HALF):"
        " White has 1 in hand; none goes beyond 12 before all have entered."
    )


def test_the_last_entry_opens_it_in_the_same_turn() -> None:
    plays(
        ONE_IN_HAND,
        (1, 6, 6),
        "hand/1 12/18 12/18",
        "W h0 b0 o0 1:1,6:4,10:5,12:3,18:2 | B h0 b0 o7 2:2,5:2,14:2,16:2 | B",
    )
    assert reads(ONE_IN_HAND, (1, 6, 6), "12/18 hand/1 12/18") == "hand/1 12/18 12/18"
    with pytest.raises(Illegal, match="R-HALF"):
        GAME.apply(thrown(ONE_IN_HAND, (1, 6, 6)), Action("move", "12/18 hand/1 12/18", (6, 1, 6)))


def test_second_half_open() -> None:
    plays(
        ONE_IN_HAND,
        (1, 6, 6),
        "12/18 6/12 12/13",
        "W h1 b0 o0 6:3,10:5,12:4,13:1,18:1 | B h0 b0 o7 2:2,5:2,14:2,16:2 | B",
        second_half="open",
    )


def test_who_is_in_the_second_half_already_may_move_on() -> None:
    plays(
        "W h1 b0 o0 14:14 | B h0 b0 o7 1:2,2:2,3:4 | W",
        (1, 2, 3),
        "14/15 14/16 14/17",
        "W h1 b0 o0 14:11,15:1,16:1,17:1 | B h0 b0 o7 1:2,2:2,3:4 | B",
    )


# ---- ruling 6: bearing off

ALL_HOME = "W h0 b0 o11 19:1,22:2,24:1 | B h0 b0 o10 10:5 | W"


def test_a_checker_is_borne_off_with_the_number_of_its_point() -> None:
    plays(
        ALL_HOME,
        (1, 3, 6),
        "24/off 22/off 19/off",
        "W h0 b0 o14 22:1 | B h0 b0 o10 10:5 | B",
    )
    assert refuses(ALL_HOME, (2, 3, 6), "24/off") == (
        "r-off: 24/off is refused (R-OFF): it takes 1; left to play: 2-3-6."
    )
    assert list(GAME.remarks(thrown(ALL_HOME, (1, 3, 6)))) == [
        "All of White's checkers are home and may be borne off."
    ]


def test_none_is_borne_off_while_one_is_outside() -> None:
    position = "W h0 b0 o11 18:1,22:2,24:1 | B h0 b0 o10 10:5 | W"
    assert refuses(position, (1, 3, 4), "24/off") == (
        "r-off: 24/off is refused (R-OFF): White bears off only with all fifteen in 19-24 or off."
    )
    assert list(GAME.remarks(thrown(position, (1, 3, 4)))) == []


def test_the_step_that_brings_the_last_one_home_comes_first() -> None:
    position = "W h0 b0 o11 18:1,22:2,24:1 | B h0 b0 o10 10:5 | W"
    assert reads(position, (1, 3, 3), "22/off 18/19 19/22") == "18/19 19/22 22/off"


def test_who_is_hit_comes_all_the_way_round() -> None:
    position = "W h0 b0 o12 20:2,23:1 | B h0 b0 o10 17:2,19:2,22:1 | B"
    state = GAME.apply(thrown(position, (6, 2, 5)), Action("move", "17/23* 17/19 19/24", (6, 2, 5)))
    state = GAME.throw(state, (5, 5, 5))
    assert list(GAME.remarks(state)) == ["White has 1 on the bar, which must enter first."]
    assert [action.text for action in GAME.legal(state)] == ["bar/5 5/10 10/15"]


def test_a_larger_number_bears_nothing_off() -> None:
    assert results("W h0 b0 o13 23:2 | B h0 b0 o10 10:5 | W", (3, 4, 6)) == ["pass"]


REARMOST = "W h0 b0 o12 21:1,23:2 | B h0 b0 o10 10:5 | W"


def test_overshoot_bears_off_the_rearmost() -> None:
    state = plays(
        REARMOST,
        (3, 6, 6),
        "21/off 23/off 23/off",
        "W h0 b0 o15 - | B h0 b0 o10 10:5 | B",
        bear_off="overshoot",
    )
    assert GAME.outcome(state) is not None
    assert refuses(REARMOST, (3, 6, 6), "23/off", bear_off="overshoot") == (
        "r-off: 23/off is refused (R-OFF): it takes 2, or more from the rearmost point;"
        " left to play: 3-6-6."
    )


def test_the_die_of_a_checker_borne_off_is_the_exact_one_or_the_smallest_that_may() -> None:
    state = thrown(REARMOST, (6, 5, 4), bear_off="overshoot")
    assert GAME.read(state, "move", "21/off 23/off 23/off").dice == (4, 5, 6)
    state = thrown(REARMOST, (6, 5, 5), bear_off="overshoot")
    assert GAME.read(state, "move", "21/off 23/off 23/off").dice == (5, 5, 6)
    with pytest.raises(Unreadable) as refusal:
        GAME.apply(state, Action("move", "21/off 23/off 23/off", (6, 5, 5)))
    assert refusal.value.code == "not-canonical"
    assert "21/off 23/off 23/off with the dice 5-5-6" in str(refusal.value)


IN_THE_SECOND_HALF = "W h0 b0 o5 13:2,20:4,24:4 | B h0 b0 o10 10:5 | W"


def test_home_second_half() -> None:
    plays(
        IN_THE_SECOND_HALF,
        (1, 1, 5),
        "24/off 24/off 20/off",
        "W h0 b0 o8 13:2,20:3,24:2 | B h0 b0 o10 10:5 | B",
        home="second_half",
    )
    assert refuses(IN_THE_SECOND_HALF, (1, 1, 5), "24/off").startswith("r-off: ")
    outside = IN_THE_SECOND_HALF.replace("13:2", "12:1,13:1")
    assert refuses(outside, (2, 2, 5), "20/off", home="second_half") == (
        "r-off: 20/off is refused (R-OFF): White bears off only with all fifteen in 13-24 or off."
    )


# ---- ruling 7: all three dice


def test_the_throw_of_zeno_breaks_everything_up() -> None:
    plays(
        ZENO,
        (2, 5, 6),
        "10/16 20/22 19/24",
        "W h0 b0 o0 6:7,9:1,10:1,16:1,19:1,20:1,22:1,23:1,24:1"
        " | B h0 b0 o0 8:2,11:2,12:2,13:1,14:2,15:2,18:2,21:2 | B",
    )
    assert results(ZENO, (5, 2, 6)) == ["10/16 19/24 20/22"]
    assert refuses(ZENO, (2, 5, 6), "10/15") == (
        "r-open: 10/15 is refused (R-OPEN): point 15 is held by Black."
    )
    assert refuses(ZENO, (2, 5, 6), "20/22 10/16") == (
        "r-all: Two dice are played; three can be: 10/16 19/24 20/22 (R-ALL)."
    )


def test_a_step_that_leaves_the_other_dice_unplayable_is_refused() -> None:
    """White's 2 can go 20/22 or 19/21; only after the first can the 5 be played from 19."""
    position = "W h0 b0 o0 6:13,19:1,20:1 | B h0 b0 o0 7:2,8:2,11:2,12:9 | W"
    assert results(position, (2, 5, 6)) == ["19/24 20/22"]
    assert refuses(position, (2, 5, 6), "19/21") == (
        "r-all: One die is played; two can be: 19/24 20/22 (R-ALL)."
    )
    assert list(GAME.remarks(thrown(position, (2, 5, 6)))) == [
        "Only two of the dice can be played."
    ]


ONE_OF_TWO = "W h0 b0 o13 22:1,23:1 | B h0 b0 o10 24:5 | W"


def test_which_single_die_is_free() -> None:
    assert results(ONE_OF_TWO, (3, 1, 3)) == ["22/23", "22/off"]
    assert "Only one of the dice can be played." in GAME.remarks(thrown(ONE_OF_TWO, (3, 1, 3)))


def test_single_die_highest() -> None:
    assert results(ONE_OF_TWO, (3, 1, 3), single_die="highest") == ["22/off"]
    assert refuses(ONE_OF_TWO, (3, 1, 3), "22/23", single_die="highest") == (
        "r-all: Only one die can be played, and it must be the highest that can be:"
        " 22/off (R-ALL, single_die=highest)."
    )


def test_single_die_highest_has_no_effect_when_two_can_be_played() -> None:
    position = "W h0 b0 o0 6:13,19:1,20:1 | B h0 b0 o0 7:2,8:2,11:2,12:9 | W"
    assert results(position, (2, 5, 6), single_die="highest") == ["19/24 20/22"]


def test_single_die_highest_with_overshoot_is_the_die_on_record() -> None:
    position = "W h0 b0 o14 22:1 | B h0 b0 o10 10:5 | W"
    for highest, die in (("free", 3), ("highest", 6)):
        state = thrown(position, (3, 6, 4), bear_off="overshoot", single_die=highest)
        assert GAME.read(state, "move", "22/off") == Action("move", "22/off", (die,))
        assert list(GAME.legal(state)) == [Action("move", "22/off", (die,))]


LAST_ONE = "W h0 b0 o14 22:1 | B h0 b0 o10 10:5 | W"


def test_winning_ends_the_turn() -> None:
    assert results(LAST_ONE, (1, 1, 3)) == ["22/23 23/24", "22/off"]
    state = plays(LAST_ONE, (1, 1, 3), "22/off", "W h0 b0 o15 - | B h0 b0 o10 10:5 | B")
    assert GAME.outcome(state) is not None


def test_win_ends_turn_false() -> None:
    assert results(LAST_ONE, (1, 1, 3), win_ends_turn=False) == ["22/23 23/24"]
    assert refuses(LAST_ONE, (1, 1, 3), "22/off", win_ends_turn=False) == (
        "r-all: One die is played; two can be: 22/23 23/24 (R-ALL)."
    )


# ---- ruling 8: passing, and the end

SHUT = "W h0 b1 o0 10:6,15:8 | B h0 b0 o0 1:2,2:2,3:2,4:2,5:2,6:2,20:3 | W"


def test_without_a_playable_die_the_turn_is_a_pass() -> None:
    state = thrown(SHUT, (1, 3, 6))
    assert GAME.legal(state) == [Action("pass", "pass")]
    assert "No die can be played: this is a pass." in GAME.remarks(state)
    for kind, text in (("move", "pass"), ("pass", "pass"), ("move", " PASS ")):
        assert GAME.read(state, kind, text) == Action("pass", "pass")
    state = GAME.apply(state, Action("pass", "pass"))
    assert GAME.position(state) == SHUT.removesuffix("W") + "B"


def test_a_pass_is_refused_while_a_die_can_be_played() -> None:
    assert refuses(ZENO, (2, 5, 6), "pass") == (
        "r-all: A pass is refused (R-ALL): 10/16 19/24 20/22 can be played."
    )
    with pytest.raises(Illegal, match="R-ALL"):
        GAME.read(thrown(ZENO, (2, 5, 6)), "pass", "pass")


def test_the_first_to_bear_off_all_fifteen_wins() -> None:
    state = plays(
        "W h0 b0 o10 10:5 | B h0 b0 o12 22:1,23:1,24:1 | B",
        (1, 2, 3),
        "24/off 23/off 22/off",
        "W h0 b0 o10 10:5 | B h0 b0 o15 - | W",
    )
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert (outcome.reason, outcome.winner) == ("borne_off", "black")
    assert outcome.text == "Black has borne off all fifteen checkers: Black wins."
    assert (GAME.turn(state), GAME.wanted(state), list(GAME.legal(state))) == (None, None, [])
    assert list(GAME.remarks(state)) == []
    for attempt in (
        lambda: GAME.read(state, "move", "10/11"),
        lambda: GAME.apply(state, Action("pass", "pass")),
    ):
        with pytest.raises(Illegal) as refusal:
            attempt()
        assert refusal.value.code == "game-over"
    with pytest.raises(Illegal, match="the game is over"):
        GAME.throw(state, (1, 2, 3))


def test_there_is_no_draw_and_nothing_is_called() -> None:
    state = thrown(ZENO, (2, 5, 6))
    with pytest.raises(Illegal) as refusal:
        GAME.claim(state)
    assert refusal.value.code == "no-draw"
    assert str(refusal.value) == "This game has no draw to claim. Both may agree on one."
    assert GAME.owed(state) is None
    assert GAME.breaches(state, state) == ()


# ---- notation


@pytest.mark.parametrize(
    ("typed", "turn"),
    [
        ("10/16 20/22 19/24", "10/16 20/22 19/24"),
        ("19/24 20/22 10/16", "19/24 20/22 10/16"),
        (" 10/16,  20/22 ,19/24 ", "10/16 20/22 19/24"),
    ],
)
def test_what_can_be_played_as_typed_stays_in_that_order(typed: str, turn: str) -> None:
    assert reads(ZENO, (2, 5, 6), typed) == turn


@pytest.mark.parametrize(
    ("typed", "turn"),
    [
        ("HAND/3 Hand/2 hand/1", "hand/3 hand/2 hand/1"),
        ("3/5 hand/1 hand/3", "hand/1 hand/3 3/5"),
        ("hand/1/3/6", "hand/1 1/3 3/6"),
        ("hand/6", "hand/1 1/3 3/6"),
        ("hand/1/4, hand/2", "hand/1 1/4 hand/2"),
        ("hand/4 hand/2", "hand/1 1/4 hand/2"),
    ],
)
def test_entries_as_people_type_them(typed: str, turn: str) -> None:
    assert reads(WHITE_BEGINS, (1, 2, 3), typed) == turn


def test_chains_from_the_bar_and_off() -> None:
    assert reads(ONE_ON_THE_BAR, (2, 4, 6), "8/14 bar/4/6") == "bar/4 4/6 8/14"
    assert reads(ONE_ON_THE_BAR, (2, 4, 6), "bar/6 8/14") == "bar/2 2/6 8/14"
    assert reads(ALL_HOME, (2, 3, 3), "22/24 19/22/off") == "22/24 19/22 22/off"


def test_stars_are_set_right() -> None:
    blots = "W h0 b0 o0 10:14,11:1 | B h14 b0 o0 12:1 | W"
    for typed in ("11/12 10/12 10/16", "11/12* 10/12 10/16"):
        assert reads(blots, (1, 2, 6), typed) == "11/12* 10/12 10/16"
    assert reads(blots, (1, 2, 6), "10/12 11/12 10/16") == "10/12* 11/12 10/16"
    assert refuses(blots, (1, 2, 6), "11/12* 10/12 10/16*") == (
        "wrong-hit: 10/16* is refused: nothing is hit on 16."
    )


def test_a_way_without_its_stops_is_read_if_it_leads_to_one_result() -> None:
    free = "W h0 b0 o0 10:1,16:14 | B h0 b0 o9 20:6 | W"
    assert reads(free, (6, 2, 1), "10/18 16/17") == "10/12 12/18 16/17"
    held = "W h0 b0 o0 10:1,16:14 | B h0 b0 o7 12:2,20:6 | W"
    assert reads(held, (6, 2, 1), "10/18 16/17") == "10/16 16/18 16/17"
    with pytest.raises(Illegal, match=r"12/18\* is refused: nothing is hit on 18"):
        GAME.read(thrown(free, (6, 2, 1)), "move", "10/18* 16/17")


def test_a_way_without_its_stops_is_refused_where_it_is_blocked() -> None:
    shut = "W h0 b0 o0 10:1,15:14 | B h0 b0 o5 12:2,16:2,20:6 | W"
    with pytest.raises(Illegal) as refusal:
        GAME.read(thrown(shut, (6, 2, 2)), "move", "15/17 10/18")
    assert str(refusal.value) == "10/12 is refused (R-OPEN): point 12 is held by Black."


def test_of_a_turn_in_the_wrong_order_the_step_that_fails_in_any_order_is_named() -> None:
    state = thrown("W h3 b0 o0 1:12 | B h0 b0 o5 7:2,12:8 | W", (6, 1, 5))
    with pytest.raises(Illegal, match=r"1/7 is refused \(R-OPEN\)"):
        GAME.read(state, "move", "5/6 hand/5 1/7")
    state = thrown("W h0 b1 o0 7:14 | B h0 b0 o11 8:4 | W", (4, 4, 1))
    with pytest.raises(Illegal, match=r"4/8 is refused \(R-OPEN\)"):
        GAME.read(state, "move", "4/8 bar/4")


def test_a_refusal_is_about_what_was_written() -> None:
    """And not about the 1 and the 3, with which somebody could have meant to reach the 4."""
    state = thrown("W h0 b2 o0 8:13 | B h0 b0 o9 1:2,3:2,5:2 | W", (1, 3, 4))
    with pytest.raises(Illegal, match=r"4/8 is refused \(R-BAR\): White has 1 on the bar"):
        GAME.read(state, "move", "bar/4 4/8")


TWO_WAYS = "W h0 b0 o0 10:1,16:14 | B h0 b0 o8 12:1,20:6 | W"


def test_a_way_that_hits_on_one_side_only_is_ambiguous() -> None:
    with pytest.raises(Ambiguous) as question:
        GAME.read(thrown(TWO_WAYS, (6, 2, 1)), "move", "10/18 16/17")
    assert question.value.code == "choose-way"
    assert str(question.value) == (
        "10/18 16/17 can be played with different results: 10/12* 12/18 16/17 or 10/16 16/18 16/17."
    )
    assert reads(TWO_WAYS, (6, 2, 1), "10/12/18 16/17") == "10/12* 12/18 16/17"
    assert reads(TWO_WAYS, (6, 2, 1), "10/16/18 16/17") == "10/16 16/18 16/17"


def test_a_word_that_one_die_can_play_is_played_with_one_die() -> None:
    """10/16 is the 6 and never the 4 and the 2 on the way, where Black would be hit."""
    position = "W h0 b0 o0 10:15 | B h0 b0 o8 12:1,20:6 | W"
    assert reads(position, (2, 4, 6), "10/16 10/14 10/12") == "10/16 10/14 10/12*"
    last_two = "W h0 b0 o13 21:1,23:1 | B h0 b0 o10 10:4,24:1 | W"
    assert reads(last_two, (4, 6, 1), "23/off 21/off", bear_off="overshoot") == "21/off 23/off"


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "Zeno",
        "10",
        "10-16",
        "10/25",
        "0/6",
        "06/8",
        "10/hand",
        "off/24",
        "10*/16",
        "22/off*",
        "10/16**",
        "10//16",
        "10/16/",
        "10/16 pass",
        "١٠/١٦",
        "10/16;20/22",
    ],
)
def test_what_is_no_turn(text: str) -> None:
    state = thrown(ZENO, (2, 5, 6))
    for attempt in (GAME.read, lambda s, k, t: GAME.apply(s, Action(k, t))):
        with pytest.raises(Unreadable) as refusal:
            attempt(state, "move", text)
        assert refusal.value.code == "bad-move"
        assert str(refusal.value) == f"{text!a} is no turn."


def test_a_pass_is_the_word_pass() -> None:
    with pytest.raises(Unreadable, match=r"A pass is written pass\."):
        GAME.read(thrown(SHUT, (1, 3, 6)), "pass", "bar/1")
    with pytest.raises(Unreadable, match=r"This turn is written pass\."):
        GAME.apply(thrown(SHUT, (1, 3, 6)), Action("pass", "PASS"))
    with pytest.raises(Unreadable, match="tabula knows move and pass only, not 'call'"):
        GAME.read(thrown(SHUT, (1, 3, 6)), "call", "raichi")


@pytest.mark.parametrize(
    ("text", "dice"),
    [
        ("10/12* 10/16 11/12", (2, 6)),
        ("10/12* 10/16 11/12", (6, 2, 1)),
        ("10/12* 10/16 11/12", ()),
        ("10/12 10/16 11/12", (2, 6, 1)),
        ("10/12*  10/16 11/12", (2, 6, 1)),
        ("10/12*, 10/16, 11/12", (2, 6, 1)),
        ("10/12* 10/16 11/12 ", (2, 6, 1)),
    ],
)
def test_records_hold_one_spelling_and_the_die_of_each_step(text: str, dice: Dice) -> None:
    state = thrown("W h0 b0 o0 10:14,11:1 | B h14 b0 o0 12:1 | W", (1, 2, 6))
    GAME.apply(state, Action("move", "10/12* 10/16 11/12", (2, 6, 1)))
    with pytest.raises(Unreadable) as refusal:
        GAME.apply(state, Action("move", text, dice))
    assert refusal.value.code == "not-canonical"
    assert str(refusal.value) == ("This turn is written 10/12* 10/16 11/12 with the dice 2-6-1.")


def test_records_hold_no_chains() -> None:
    with pytest.raises(Unreadable, match="written hand/1 1/4 hand/2 with the dice 1-3-2"):
        GAME.apply(thrown(WHITE_BEGINS, (1, 2, 3)), Action("move", "hand/1/4 hand/2", (1, 3, 2)))


# ---- positions


@pytest.mark.parametrize(
    "position",
    [
        START,
        WHITE_BEGINS,
        ZENO,
        "W h1 b2 o3 24:9 | B h15 b0 o0 - | B",
        "W h0 b15 o0 - | B h0 b15 o0 - | B",
        "W h0 b0 o15 - | B h15 b0 o0 - | W",
    ],
)
def test_positions_are_read_as_they_are_written(position: str) -> None:
    state = GAME.place(rules(), position)
    assert GAME.position(state) == position
    assert (GAME.wanted(state) is None) == ("o15" in position)


@pytest.mark.parametrize(
    ("position", "why"),
    [
        ("W h14 b0 o0 - | B h15 b0 o0 - | W", "White has 14 checkers, not 15"),
        ("W h15 b0 o0 - | B h15 b0 o0 1:1 | W", "Black has 16 checkers, not 15"),
        ("W h14 b0 o0 6:1 | B h14 b0 o0 6:1 | W", "both sides stand on point 6"),
        ("W h0 b0 o15 - | B h0 b0 o15 - | W", "both sides have borne off all their checkers"),
        ("W h14 b0 o0 6:1 | B h15 b0 o0 - | -", "somebody is to move"),
        ("W h13 b0 o0 6:1,3:1 | B h15 b0 o0 - | W", "points go up"),
        ("W h13 b0 o0 6:1,6:1 | B h15 b0 o0 - | W", "points go up"),
        ("W h15 b0 o0 6:0 | B h15 b0 o0 - | W", "points go up"),
        ("W h14 b0 o0 06:1 | B h15 b0 o0 - | W", "points go up"),
        ("W h14 b00 o0 6:1 | B h15 b0 o0 - | W", "points go up"),
        ("W h14 b0 o0 25:1 | B h15 b0 o0 - | W", "25:1 is no stack"),
        ("W h14 b0 o0 0:1 | B h15 b0 o0 - | W", "0:1 is no stack"),
        ("W h14 b0 o0 6:1, | B h15 b0 o0 - | W", " is no stack"),
        ("W h14 b0 o0 6:111 | B h15 b0 o0 - | W", "6:111 is no stack"),
        ("W h15 b0 o0 - | B h15 b0 o0 - | w", "a position is written like"),
        ("B h15 b0 o0 - | W h15 b0 o0 - | W", "a position is written like"),
        ("W h15 b0 o0 - | B h15 b0 o0 - | W ", "a position is written like"),
        ("W h15 b0 o0  - | B h15 b0 o0 - | W", "a position is written like"),
        ("W h115 b0 o0 - | B h15 b0 o0 - | W", "a position is written like"),
        ("W h١٥ b0 o0 - | B h15 b0 o0 - | W", "a position is written like"),
        ("W h-1 b1 o15 - | B h15 b0 o0 - | W", "a position is written like"),
        ("start", "a position is written like"),
        ("9" * 500, "a position has at most 160 characters, this has 500"),
    ],
)
def test_a_position_that_cannot_be_read(position: str, why: str) -> None:
    with pytest.raises(Unreadable) as refusal:
        GAME.place(rules(), position)
    assert refusal.value.code == "bad-position"
    assert str(refusal.value).startswith("This position cannot be read: ")
    assert why in str(refusal.value)
    assert len(str(refusal.value)) < 200


def test_the_longest_position_is_read() -> None:
    white = ",".join(f"{point}:1" for point in range(10, 25))
    black = ",".join(f"{point}:{7 if point == 9 else 1}" for point in range(1, 10))
    position = f"W h0 b0 o0 {white} | B h0 b0 o0 {black} | W"
    assert GAME.position(GAME.place(rules(), position)) == position


# ---- options


def test_every_option_has_a_reason_and_every_ruleset_known_values() -> None:
    assert list(GAME.rulesets) == ["tabula", "tabula-open", "tabula-bgammon"]
    for option in GAME.options.values():
        assert option.reason.endswith(".")
    for ruleset in GAME.rulesets.values():
        for name, value in ruleset.changes.items():
            assert value in GAME.options[name].values[1:]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"home": "outside"}, "impossible-option"),
        ({"home": ["finishing"]}, "impossible-option"),
        ({"home": True}, "impossible-option"),
        ({"win_ends_turn": 1}, "impossible-option"),
        ({"win_ends_turn": "true"}, "impossible-option"),
        ({"bear_off": None}, "impossible-option"),
        ({"doubling": True}, "unknown-option"),
        ({"x" * 9999: "fine"}, "unknown-option"),
    ],
)
def test_start_refuses_options(change: Options, code: str) -> None:
    for begin in (GAME.start, lambda options: GAME.place(options, ZENO)):
        with pytest.raises(Unreadable) as refusal:
            begin(rules() | change)
        assert refusal.value.code == code
        assert len(str(refusal.value)) < 200


def test_start_refuses_a_missing_option() -> None:
    options = rules()
    del options["home"]
    with pytest.raises(Unreadable, match="The option home is missing"):
        GAME.start(options)


# ---- the board for renderers


def test_the_track_of_a_game() -> None:
    state = plays(
        "W h9 b1 o0 4:5 | B h13 b0 o0 6:1,9:1 | W",
        (2, 2, 5),
        "bar/2 4/9* 4/6*",
        "W h9 b0 o0 2:1,4:3,6:1,9:1 | B h13 b2 o0 - | B",
    )
    track = GAME.surface(state)
    assert len(track.points) == 24
    assert (track.points[0], track.points[3]) == (Stack("", 0), Stack("W", 3))
    assert dict(track.pools) == {
        "hand": (Stack("W", 9), Stack("b", 13)),
        "bar": (Stack("", 0), Stack("b", 2)),
        "off": (Stack("", 0), Stack("", 0)),
    }
    assert list(track.pools) == ["hand", "bar", "off"]
    assert dict(track.legend) == {"W": "White", "b": "Black"}
    assert track.last == (2, 4, 6, 9)
    assert GAME.surface(GAME.throw(state, (1, 1, 1))).last == (2, 4, 6, 9)
    state = GAME.apply(thrown(ZENO, (2, 5, 6)), GAME.legal(thrown(ZENO, (2, 5, 6)))[0])
    assert GAME.surface(state).last == (10, 16, 19, 20, 22, 24)


def test_black_stands_on_the_track_in_lower_case() -> None:
    assert GAME.surface(GAME.place(rules(), ZENO)).points[20] == Stack("b", 2)


def test_a_pass_touches_no_point() -> None:
    state = GAME.apply(thrown(SHUT, (1, 3, 6)), Action("pass", "pass"))
    assert GAME.surface(state).last == ()
