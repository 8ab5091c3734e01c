"""El Tablero de Jesús told as match reports: a position, a throw or an act, and what it leads to
or why not.

A position is the row of the coin in each column a to g, the stakes of South and North, Wager, pot,
the active player and the phase. Always 36 points.
"""

from __future__ import annotations

import pytest

from ledger.errors import Ambiguous, Unreadable
from ledger.games.protocol import Action, Choices, Illegal, OptionValue, Throw
from ledger.games.tablero import GAME, State

Options = dict[str, OptionValue]

START = "0000000 18,18 0 0 - opening"
SOUTH_BEGINS = "7711111 13,16 0 0 south throw"
NORTH_BEGINS = "7777711 16,13 0 0 north throw"


def rules(ruleset: str = "tablero", /, **changes: OptionValue) -> Options:
    defaults = {name: option.default for name, option in GAME.options.items()}
    return defaults | dict(GAME.rulesets[ruleset].changes) | changes


def at(position: str, *acts: str, **changes: OptionValue) -> State:
    """The state after these throws and acts, canonical as written here, typed and recorded."""
    return on(GAME.place(rules(**changes), position), *acts)


def on(state: State, *acts: str) -> State:
    for act in acts:
        kind, _, text = act.partition(" ")
        if kind == "throw":
            state = GAME.throw(state, tuple(map(int, text.split("-"))))
            continue
        action = GAME.read(state, kind, text)
        assert action.text == (text or kind)
        state = GAME.apply(state, action)
    return state


def plays(position: str, *acts_and_after: str, **changes: OptionValue) -> State:
    """The acts lead from the position to the one named last."""
    *acts, after = acts_and_after
    state = at(position, *acts, **changes)
    assert GAME.position(state) == after
    return state


def refuses(state: State | str, act: str, **changes: OptionValue) -> str:
    """The rules refuse the act, typed and recorded; the code and the words of the refusal."""
    if isinstance(state, str):
        state = at(state, **changes)
    kind, _, text = act.partition(" ")
    with pytest.raises(Illegal) as typed:
        GAME.read(state, kind, text)
    with pytest.raises(Illegal) as recorded:
        GAME.apply(state, Action(kind, text or kind))
    assert str(typed.value) == str(recorded.value)
    return f"{typed.value.code}: {typed.value}"


def reads(position: str, typed: str, **changes: OptionValue) -> str:
    kind, _, text = typed.partition(" ")
    action = GAME.read(at(position, **changes), kind, text)
    assert action.kind == kind
    return action.text


def acts(state: State) -> list[str]:
    """What the active player may do, apart from throwing."""
    return [
        action.kind if action.text == action.kind else f"{action.kind} {action.text}"
        for action in GAME.legal(state)
    ]


def ended(state: State) -> tuple[str, str | None, str]:
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert GAME.turn(state) is GAME.wanted(state) is None
    assert acts(state) == list(GAME.remarks(state)) == []
    return outcome.reason, outcome.winner, outcome.text


# ---- opening


def test_each_throws_one_die_and_the_higher_begins_with_five_coins() -> None:
    state = GAME.start(rules())
    assert GAME.position(state) == START
    assert GAME.turn(state) == GAME.actor(state, "move") == "south"
    assert GAME.wanted(state) == Throw("south", ("south", "north"))
    assert acts(state) == []
    plays(START, "throw 5-3", SOUTH_BEGINS)
    state = plays(START, "throw 4-5", NORTH_BEGINS)
    assert GAME.turn(state) == "north"
    assert GAME.wanted(state) == Throw("north", ("north", "north"))


def test_equal_dice_are_thrown_again() -> None:
    state = plays(START, "throw 4-4", START)
    assert GAME.news(state) == "equal: once more"
    assert GAME.wanted(state) == Throw("south", ("south", "north"))
    plays(START, "throw 4-4", "throw 1-1", "throw 2-1", SOUTH_BEGINS)


def test_first_low() -> None:
    plays(START, "throw 5-3", NORTH_BEGINS, first="low")
    plays(START, "throw 1-6", SOUTH_BEGINS, first="low")
    plays(START, "throw 2-2", START, first="low")


def test_a_pass_number_is_none_in_the_opening_roll() -> None:
    plays(START, "throw 6-5", SOUTH_BEGINS)
    plays(START, "throw 3-4", NORTH_BEGINS)


def test_who_begins_throws_first() -> None:
    first = "who begins is not decided; each throws one die first"
    for act in ("move g1-g4", "pull 7a-b", "wager", "pass", "run", "stop"):
        assert (
            refuses(START, act) == f"throw-first: {act.removeprefix('move ')} is refused: {first}."
        )
    for act in ("pull 1c-g", "run", "stop"):
        assert refuses(SOUTH_BEGINS, act) == f"throw-first: {act} is refused: South throws first."


# ---- throwing


def test_a_throw_is_two_dice_of_the_active_player() -> None:
    state = plays(SOUTH_BEGINS, "throw 5-3", "7711111 13,16 0 0 south move:5-3")
    assert (GAME.thrown(state), GAME.wanted(state)) == ((5, 3), None)
    state = on(state, "move c1-c6 d1-d4")
    assert (GAME.thrown(state), GAME.wanted(state)) == ((), Throw("south", ("south", "south")))


@pytest.mark.parametrize("dice", [(), (3,), (1, 2, 3), (0, 1), (1, 7), (-1, 2)])
@pytest.mark.parametrize("position", [START, SOUTH_BEGINS, "4444444 15,14 0 0 south run"])
def test_what_is_no_throw(position: str, dice: tuple[int, ...]) -> None:
    with pytest.raises(Illegal) as refusal:
        GAME.throw(at(position), dice)
    assert refusal.value.code == "bad-dice"
    assert str(refusal.value) == "A throw is two dice, each with a face from 1 to 6."


@pytest.mark.parametrize(
    ("acts", "why"),
    [
        (("throw 3-5",), "3-5 is to be moved first"),
        (("throw 3-4",), "3-4 is a Pass Number; it is answered first, by pass or wager"),
    ],
)
def test_dice_on_the_table_come_first(acts: tuple[str, ...], why: str) -> None:
    with pytest.raises(Illegal) as refusal:
        GAME.throw(at(SOUTH_BEGINS, *acts), (1, 2))
    assert (refusal.value.code, str(refusal.value)) == (
        "no-throw",
        f"No dice are thrown now: {why}.",
    )


def test_a_pass_number_of_which_only_the_position_is_known_is_answered_first_too() -> None:
    with pytest.raises(Illegal, match=r"No dice are thrown now: \w"):
        GAME.throw(at("7711111 13,16 0 0 south answer"), (1, 2))


# ---- moving


def test_each_die_moves_one_coin_up_or_down() -> None:
    plays(
        SOUTH_BEGINS,
        "throw 3-5",
        "move c1-c4 d1-d6",
        "7746111 13,16 0 0 south decide",
    )
    plays(
        "1234567 14,15 0 0 north throw",
        "throw 2-3",
        "move c3-c1 e5-e2",
        "1214267 14,15 0 0 north decide",
    )


def test_both_dice_move_one_coin_in_one_direction() -> None:
    plays(SOUTH_BEGINS, "throw 1-2", "move a7-a4", "4711111 13,16 0 0 south decide")
    plays(SOUTH_BEGINS, "throw 2-4", "move g1-g7", "7711117 13,16 0 0 south decide")


def test_doubles_are_just_two_dice() -> None:
    state = plays(SOUTH_BEGINS, "throw 2-2", "7711111 13,16 0 0 south move:2-2")
    assert len(acts(state)) == 21 + 7
    assert GAME.position(on(state, "move c1-c3 d1-d3")) == "7733111 13,16 0 0 south decide"
    assert GAME.position(on(state, "move c1-c5")) == "7751111 13,16 0 0 south decide"


SCATTERED = "4142354 16,13 0 0 south throw"


def test_every_play_of_a_throw() -> None:
    """Only b goes six rows; d, e and f go four, the others stand in the middle."""
    assert acts(at(SCATTERED, "throw 4-6")) == [
        "move b1-b7 d2-d6",
        "move b1-b7 e3-e7",
        "move b1-b7 f5-f1",
    ]


@pytest.mark.parametrize(
    ("move", "refusal"),
    [
        ("a3-a6 b1-b6", "not-there: a3-a6 is refused: the coin of column a is on a4."),
        ("a4-a4 b1-b4", "no-die: a4-a4 is refused: the coin stays where it is."),
        (
            "a4-a7 b1-b4",
            "no-die: a4-a7 b1-b4 is refused: the coins go 3 and 3, and the dice are 3-5.",
        ),
        ("b1-b7", "no-die: b1-b7 is refused: the coin goes 6, and the dice are 3-5."),
        (
            "a4-a7",
            "both-dice: a4-a7 alone is refused: both dice of 3-5 must be played, "
            "a4-a7 b1-b6 for one.",
        ),
    ],
)
def test_a_coin_moves_with_a_die_or_both(move: str, refusal: str) -> None:
    assert refuses(at(SCATTERED, "throw 3-5"), f"move {move}") == refusal


def test_a_coin_never_turns_back() -> None:
    state = at(SCATTERED, "throw 2-4")
    for typed in ("b1-b5 b5-b3", "b1-b5-b3", "b5 b3", "f5-f1-f3"):
        with pytest.raises(Illegal, match="is refused: a coin never turns back") as refusal:
            GAME.read(state, "move", typed)
        assert refusal.value.code == "turn-back"
    with pytest.raises(Illegal) as refusal:
        GAME.apply(state, Action("move", "b1-b3 b1-b5"))
    assert (refusal.value.code, str(refusal.value)) == (
        "turn-back",
        "b1-b3 b1-b5 is refused: a coin moves once in a throw, in one direction, with one die or "
        "with the sum of both.",
    )


def test_a_coin_stays_in_its_column_and_only_two_move() -> None:
    state = at(SCATTERED, "throw 3-5")
    with pytest.raises(Illegal) as refusal:
        GAME.read(state, "move", "a4-b7")
    assert str(refusal.value) == "a4-b7 is refused: a coin stays in its column."
    assert refusal.value.code == "column"
    with pytest.raises(Illegal, match="two dice move two coins at most") as refusal:
        GAME.read(state, "move", "a7 b6 c7")
    assert refusal.value.code == "no-die"
    with pytest.raises(Illegal, match="a3-a4 is refused: a1-a2 leaves") as refusal:
        GAME.read(at("1111111 16,13 0 0 south throw", "throw 1-2"), "move", "a1-a2 a3-a4")
    assert refusal.value.code == "not-there"


def test_one_die_is_played_where_both_cannot_be() -> None:
    """Only the coin of f moves four or five rows; either die may be chosen."""
    state = at("4444424 15,14 0 0 south throw", "throw 4-5")
    assert acts(state) == ["move f2-f6", "move f2-f7"]
    assert GAME.position(on(state, "move f2-f7")) == "4444474 15,14 0 0 south decide"
    assert refuses(state, "move f2-f5") == (
        "no-die: f2-f5 is refused: the coin goes 3, and the dice are 4-5."
    )
    state = at("4444424 15,14 0 0 south throw", "throw 6-3")
    assert "move f2-f5" in acts(state)
    assert {len(act.split()) for act in acts(state)} == {2}, "no coin moves six rows"


def test_a_throw_that_nobody_can_play_is_over_and_the_dice_stay() -> None:
    state = plays(
        "4444444 15,14 0 0 south throw",
        "throw 4-5",
        "4444444 15,14 0 0 south decide",
    )
    assert GAME.news(state) == "no coin can be moved"
    assert acts(state) == ["pull 4a-g", "run"], "it was a throw, so there may be a Pull"
    state = plays(
        "4354354 10,14 5 0 south throw",
        "throw 5-5",
        "4354354 10,14 5 0 south throw",
    )
    assert refuses(state, "run").startswith("wager-stands: ")


def test_unplayable_pass() -> None:
    """Where both dice cannot be played the dice pass, and with them a Wager that stands."""
    one_die = "4444424 15,14 0 0 south throw"
    state = plays(one_die, "throw 4-5", "4444424 15,14 0 0 north throw", unplayable="pass")
    assert GAME.news(state) == "it cannot be played: the dice pass"
    plays(
        "4354354 10,14 5 0 south throw",
        "throw 5-5",
        "4354354 10,19 0 0 north throw",
        unplayable="pass",
    )
    state = at(SCATTERED, "throw 4-6", unplayable="pass")
    assert len(acts(state)) == 3


# ---- the seventh coin

SIX = "4444443 15,14 0 0 south throw"


def test_the_other_die_may_be_left_when_one_makes_seven_of_six() -> None:
    plays(SIX, "throw 1-3", "move g3-g4", "4444444 15,14 0 0 south decide")
    plays(SIX, "throw 1-3", "move a4-a7 g3-g4", "7444444 15,14 0 0 south decide")
    plays(
        "2444444 15,14 0 0 south throw",
        "throw 2-2",
        "move a2-a4",
        "4444444 15,14 0 0 south decide",
    )
    assert refuses(at(SIX, "throw 1-3"), "move a4-a5").startswith("both-dice: a4-a5 alone")
    assert refuses(at(SIX, "throw 1-3"), "move g3-g6").startswith("both-dice: g3-g6 alone")


def test_six_coins_in_a_row_that_are_no_formation_leave_no_die() -> None:
    parted = "4443444 15,14 0 0 south throw"
    assert refuses(at(parted, "throw 1-3"), "move d3-d4").startswith("both-dice: d3-d4 alone")
    baseline = "1111112 15,14 0 0 south throw"
    plays(baseline, "throw 1-3", "move g2-g1", "1111111 15,14 0 0 south decide")
    state = at(baseline, "throw 1-3", baseline_formations=False)
    assert refuses(state, "move g2-g1").startswith("both-dice: g2-g1 alone")


def test_a_formation_of_six_that_the_throw_itself_makes_leaves_no_die() -> None:
    """Six stand only once c has come; g alone may not be moved."""
    state = at("4434443 15,14 0 0 south throw", "throw 1-1")
    assert refuses(state, "move g3-g4").startswith("both-dice: g3-g4 alone")
    plays(
        "4434443 15,14 0 0 south throw",
        "throw 1-1",
        "move c3-c4 g3-g4",
        "4444444 15,14 0 0 south decide",
    )


def test_unplayable_pass_knows_no_seventh_coin() -> None:
    """The 1 would make seven, but nobody goes five rows: no coin moves."""
    plays(SIX, "throw 1-5", "move g3-g4", "4444444 15,14 0 0 south decide")
    plays(SIX, "throw 1-5", "4444443 15,14 0 0 north throw", unplayable="pass")


# ---- decide: a Pull, or another throw


def test_a_pull_takes_a_formation_and_the_opponent_fills_its_columns() -> None:
    state = plays(
        "4442354 20,9 0 0 north decide",
        "pull 4a-c",
        "1112354 17,12 0 0 south throw",
    )
    assert GAME.news(state) == "North takes 3, South fills 3"
    assert GAME.surface(state).last == ("a4", "b4", "c4")


def test_exactly_enough_is_no_loss() -> None:
    state = plays(
        "4442354 26,3 0 0 south decide",
        "pull 4a-c",
        "7772354 29,0 0 0 north throw",
    )
    assert GAME.outcome(state) is None


def test_who_cannot_fill_is_cleaned_out() -> None:
    """Two of three come to the board and are taken; the columns stay empty, the others stand."""
    state = plays(
        "4442354 27,2 0 0 south decide",
        "pull 4a-c",
        "0002354 32,0 0 0 south over",
    )
    assert ended(state) == (
        "cleaned_out",
        "south",
        "North has 2 to fill 3 columns with: South wins.",
    )
    state = plays(
        "1237777 0,29 0 0 north decide",
        "pull 7d-g",
        "1230000 0,33 0 0 north over",
    )
    assert ended(state)[:2] == ("cleaned_out", "north")


def test_every_formation_may_be_pulled_and_only_whole() -> None:
    state = at("4422444 20,9 0 0 north decide")
    assert acts(state) == ["pull 2c-d", "pull 4a-b", "pull 4e-g"]
    assert refuses(state, "pull 4e-f") == (
        "whole: pull 4e-f is refused: the Formation is 4e-g, taken whole (pull=whole)."
    )
    there = "that is no Formation. On the board: 4a-b, 2c-d, 4e-g."
    for pull in ("4a-g", "4a-d", "2a-b", "4e-e", "7a-b", "2c-e"):
        assert refuses(state, f"pull {pull}") == (f"no-formation: pull {pull} is refused: {there}")
    assert refuses("1234567 20,9 0 0 north decide", "pull 1a-b") == (
        "no-formation: pull 1a-b is refused: that is no Formation. On the board: none."
    )


def test_pull_part() -> None:
    state = at("4442354 26,3 0 0 south decide", pull="part")
    assert acts(state) == ["pull 4a-b", "pull 4a-c", "pull 4b-c"]
    assert GAME.position(on(state, "pull 4b-c")) == "4772354 28,1 0 0 north throw"
    assert refuses(state, "pull 4b-b").startswith("no-formation: ")
    assert refuses(state, "pull 4b-d").startswith("no-formation: ")
    assert len(acts(at("4444444 15,14 0 0 south decide", pull="part"))) == 21 + 1


def test_coins_on_a_baseline() -> None:
    state = at("7711411 13,16 0 0 south decide")
    assert acts(state) == ["pull 1c-d", "pull 1f-g", "pull 7a-b"]
    state = at("7711411 13,16 0 0 south decide", baseline_formations=False)
    assert acts(state) == []
    assert GAME.wanted(state) == Throw("south", ("south", "south"))
    assert refuses(state, "pull 7a-b") == (
        "baseline: pull 7a-b is refused: coins on a Baseline are no Formation "
        "(baseline_formations=false)."
    )


def test_another_throw_instead_of_a_pull() -> None:
    plays(
        "4442354 26,3 0 0 south decide",
        "throw 1-2",
        "move e3-e2 f5-f7",
        "throw 4-1",
        "4442274 26,3 0 0 south move:4-1",
    )


def test_there_is_no_other_way_to_hand_the_dice_over() -> None:
    choice = "the throw is moved; South may pull, throw again, or run with seven"
    for act in ("pass", "wager", "stop", "move a4-a5"):
        assert refuses("4442354 26,3 0 0 south decide", act) == (
            f"moved: {act.removeprefix('move ')} is refused: {choice}."
        )


def test_who_has_just_received_the_dice_throws_first() -> None:
    state = at("4442354 20,9 0 0 north decide", "pull 4a-c")
    assert acts(state) == []
    for act in ("pull 1a-c", "run"):
        assert refuses(state, act) == f"throw-first: {act} is refused: South throws first."


def test_before_the_throw_is_moved_nothing_is_decided() -> None:
    state = at(SOUTH_BEGINS, "throw 3-5")
    for act in ("pull 1c-g", "run", "stop", "wager", "pass"):
        assert refuses(state, act) == f"move-first: {act} is refused: 3-5 is to be moved first."


# ---- Pass Numbers and the Wager


@pytest.mark.parametrize("dice", ["1-6", "5-2", "3-4", "5-6", "6-5", "6-6"])
def test_seven_eleven_and_twelve_are_answered(dice: str) -> None:
    state = plays(
        "4142354 16,13 0 0 south throw", f"throw {dice}", "4142354 16,13 0 0 south answer"
    )
    assert acts(state) == ["pass", "wager"]
    assert GAME.thrown(state) == tuple(map(int, dice.split("-")))
    assert GAME.news(state) == "a Pass Number"
    assert refuses(state, "move a4-a5") == (
        f"answer-first: a4-a5 is refused: {dice} is a Pass Number; it is answered first, by pass "
        "or wager."
    )
    for act in ("pull 4a-c", "run", "stop"):
        assert refuses(state, act).startswith(f"answer-first: {act} is refused: ")


def test_the_dice_are_passed_and_the_throw_is_not_moved() -> None:
    plays(NORTH_BEGINS, "throw 2-5", "pass", "7777711 16,13 0 0 south throw")


@pytest.mark.parametrize(
    ("position", "after"),
    [
        ("7773751 16,13 0 0 north answer", "7773751 16,8 5 0 north throw"),
        ("7773751 16,13 0 0 south answer", "7773751 11,13 5 0 south throw"),
        ("4433221 16,13 0 0 south answer", "4433221 12,13 4 0 south throw"),
        ("4343434 16,13 0 0 south answer", "4343434 14,13 2 0 south throw"),
    ],
)
def test_a_wager_is_the_longest_formation_and_two(position: str, after: str) -> None:
    plays(position, "wager", after)


def test_empty_board_wager() -> None:
    lone = "4343434 16,13 0 0 south answer"
    state = plays(lone, "wager", "4343434 13,13 3 0 south throw", empty_board_wager="3")
    assert GAME.news(state) == "South stakes 3 of 16"
    plays(
        "4433221 16,13 0 0 south answer",
        "wager",
        "4433221 12,13 4 0 south throw",
        empty_board_wager="3",
    )


def test_baselines_and_the_wager() -> None:
    plays("1111177 16,13 0 0 south answer", "wager", "1111177 9,13 7 0 south throw")
    plays(
        "1111177 16,13 0 0 south answer",
        "wager",
        "1111177 14,13 2 0 south throw",
        baseline_formations=False,
    )


def test_the_stake_has_to_cover_it() -> None:
    plays("4444135 6,23 0 0 south answer", "wager", "4444135 0,23 6 0 south throw")
    assert acts(at("4444135 6,23 0 0 south answer")) == ["pass", "wager"]
    state = at("4444135 5,24 0 0 south answer")
    assert acts(state) == ["pass"]
    assert refuses(state, "wager") == "stake: A Wager of 6 is refused: South's stake is 5."


def test_a_wager_of_eight_or_nine_can_never_be_redeemed() -> None:
    state = plays(
        "4444441 18,11 0 0 south answer",
        "wager",
        "throw 1-2",
        "move g1-g4",
        "4444444 10,11 8 0 south throw",
    )
    assert refuses(state, "run").startswith("wager-stands: run is refused: South's Wager of 8")
    plays("4444444 18,11 0 0 south answer", "wager", "4444444 9,11 9 0 south throw")


def test_wager_over_seven_is_not_offered() -> None:
    for position, amount in (("4444441", 8), ("4444444", 9)):
        state = at(f"{position} 18,11 0 0 south answer", wager_over_seven=False)
        assert acts(state) == ["pass"]
        assert refuses(state, "wager") == (
            f"over-seven: A Wager of {amount} is refused: no Formation of {amount} can be made "
            "(wager_over_seven=false)."
        )
    state = at("4444413 18,11 0 0 south answer", wager_over_seven=False)
    assert acts(state) == ["pass", "wager"]
    assert GAME.position(on(state, "wager")) == "4444413 11,11 7 0 south throw"


WAGERED = "4441433 10,14 5 0 south throw"


def test_a_wager_goes_back_when_any_formation_is_as_long() -> None:
    state = plays(WAGERED, "throw 1-2", "move d1-d4", "4444433 15,14 0 0 south decide")
    assert GAME.news(state) == "the Wager of 5 goes back to South"
    plays(
        "4441444 10,14 5 0 south throw",
        "throw 2-1",
        "move d1-d4",
        "4444444 15,14 0 0 south decide",
    )
    plays(
        "3332122 18,7 4 0 north throw",
        "throw 1-1",
        "move a3-a2 e1-e2",
        "2332222 18,11 0 0 north decide",
    )


def test_until_then_there_is_no_pull_and_no_run() -> None:
    state = plays(
        "4441333 10,14 5 0 south throw",
        "throw 1-2",
        "move d1-d4",
        "4444333 10,14 5 0 south throw",
    )
    stands = "South's Wager of 5 stands until a Formation of 5 is made"
    for act in ("pull 4a-d", "run", "pass", "wager"):
        assert refuses(state, act) == f"wager-stands: {act} is refused: {stands}."


def test_a_pass_number_loses_the_wager_and_the_dice() -> None:
    state = plays(WAGERED, "throw 3-4", "4441433 10,19 0 0 north throw")
    assert GAME.news(state) == "a Pass Number; the Wager of 5 goes to North"


def test_after_a_wager_has_gone_back_another_may_be_staked() -> None:
    plays(
        WAGERED,
        *("throw 1-2", "move d1-d4", "throw 5-2", "wager"),
        "4444433 8,14 7 0 south throw",
    )


# ---- Runs

SEVEN = "4444444 15,14 0 0 south decide"


def test_a_run_that_is_stopped() -> None:
    state = plays(SEVEN, "run", "4444444 15,14 0 0 south run")
    assert acts(state) == []
    declared = "a Run is declared; at least one throw follows"
    for act in ("stop", "pull 4a-g", "run", "pass"):
        assert refuses(state, act) == f"running: {act} is refused: {declared}."
    assert GAME.position(on(state, "throw 1-2")) == "4444444 15,12 0 2 south run-or-stop"
    state = on(state, "throw 1-2", "throw 3-3")
    assert GAME.position(state) == "4444444 15,10 0 4 south run-or-stop"
    assert GAME.news(state) == "North adds 2 to the pot"
    assert acts(state) == ["stop"]
    assert refuses(state, "pull 4a-g") == (
        "running: pull 4a-g is refused: South runs, and throws again or stops."
    )
    state = on(state, "stop")
    assert GAME.position(state) == "7777777 26,3 0 0 north throw"
    assert GAME.news(state) == "South takes 11, North fills 7"


def test_a_run_takes_seven_and_a_throw_before_it() -> None:
    assert acts(at("4444441 15,14 0 0 south decide")) == ["pull 4a-f"]
    assert refuses("4444441 15,14 0 0 south decide", "run") == (
        "no-run: run is refused: it takes a Formation of seven; the longest is 6."
    )
    assert refuses(SEVEN.replace("decide", "throw"), "run") == (
        "throw-first: run is refused: South throws first."
    )
    assert acts(at("7777777 15,14 0 0 south decide")) == ["pull 7a-g", "run"]
    state = at("7777777 15,14 0 0 south decide", baseline_formations=False)
    assert acts(state) == []
    assert refuses(state, "run").endswith("the longest is 0.")


def test_who_cannot_fill_after_a_run_is_cleaned_out() -> None:
    plays(
        "4444444 18,7 0 4 south run-or-stop",
        "stop",
        "7777777 29,0 0 0 north throw",
    )
    state = plays(
        "4444444 19,6 0 4 south run-or-stop",
        "stop",
        "0000000 36,0 0 0 south over",
    )
    assert ended(state) == (
        "cleaned_out",
        "south",
        "North has 6 to fill 7 columns with: South wins.",
    )


def test_a_pass_number_ends_a_run() -> None:
    """North takes seven, pot and dice, and South fills the whole board."""
    state = plays(
        "4444444 15,10 0 4 south run-or-stop",
        "throw 5-6",
        "1111111 8,21 0 0 north throw",
    )
    assert GAME.news(state) == "a Pass Number; North takes 11, South fills 7"
    plays("4444444 15,14 0 0 south run", "throw 3-4", "1111111 8,21 0 0 north throw")
    plays("4444444 10,15 0 4 north run-or-stop", "throw 6-6", "7777777 21,8 0 0 south throw")


def test_a_runner_who_cannot_fill_is_cleaned_out() -> None:
    plays("4444444 7,18 0 4 south run-or-stop", "throw 6-1", "1111111 0,29 0 0 north throw")
    state = plays(
        "4444444 6,19 0 4 south run-or-stop",
        "throw 6-1",
        "0000000 0,36 0 0 north over",
    )
    assert ended(state) == (
        "cleaned_out",
        "north",
        "South has 6 to fill 7 columns with: North wins.",
    )


def test_who_cannot_add_two_is_cleaned_out() -> None:
    plays("4444444 23,2 0 4 south run-or-stop", "throw 1-2", "4444444 23,0 0 6 south run-or-stop")
    for north in (1, 0):
        state = plays(
            f"4444444 {25 - north},{north} 0 4 south run-or-stop",
            "throw 1-2",
            "0000000 36,0 0 0 south over",
        )
        assert ended(state) == (
            "cleaned_out",
            "south",
            "North cannot add 2 coins to the Run: South wins.",
        )


def test_after_a_pass_number_nobody_has_to_add() -> None:
    plays("4444444 24,1 0 4 south run-or-stop", "throw 3-4", "1111111 17,12 0 0 north throw")


def test_run_banked() -> None:
    state = plays(
        "4444444 15,14 0 0 south run",
        "throw 1-2",
        "4444444 17,12 0 0 south run-or-stop",
        run="banked",
    )
    assert GAME.position(on(state, "throw 2-2")) == "4444444 19,10 0 0 south run-or-stop"
    assert GAME.position(on(state, "stop")) == "7777777 24,5 0 0 north throw"
    assert GAME.position(on(state, "throw 3-4")) == "1111111 10,19 0 0 north throw"


def test_who_has_not_two_to_bank_loses_whatever_falls() -> None:
    for dice in ("1-2", "3-4"):
        state = plays(
            "4444444 28,1 0 0 south run",
            f"throw {dice}",
            "0000000 36,0 0 0 south over",
            run="banked",
        )
        assert ended(state)[:2] == ("cleaned_out", "south")
    plays(
        "4444444 27,2 0 0 south run",
        "throw 1-2",
        "4444444 29,0 0 0 south run-or-stop",
        run="banked",
    )
    plays(
        "4444444 27,2 0 0 south run",
        "throw 3-4",
        "1111111 20,9 0 0 north throw",
        run="banked",
    )
    state = plays(
        "4444444 6,23 0 0 south run",
        "throw 3-4",
        "0000000 0,36 0 0 north over",
        run="banked",
    )
    assert ended(state)[:2] == ("cleaned_out", "north")


# ---- Diablo, called


def called(position: str, *acts: str, **changes: OptionValue) -> State:
    return at(position, *acts, diablo="called", **changes)


def test_each_coin_moves_by_itself() -> None:
    state = called(SOUTH_BEGINS, "throw 3-5", "move c1-c6")
    assert GAME.position(state) == "7761111 13,16 0 0 south move:3"
    assert GAME.thrown(state) == (3,)
    assert "move c6-c3" not in acts(state)
    assert refuses(state, "move c6-c3") == (
        "turn-back: c6-c3 is refused: the coin of column c has moved in this throw."
    )
    assert refuses(state, "move d1-d6") == ("no-die: d1-d6 is refused: the coin goes 5; left: 3.")
    assert refuses(state, "move d1-d4 e1-e4").startswith("one-coin: d1-d4 e1-e4 is refused: ")
    assert refuses(state, "pull 7a-b") == (
        "move-first: pull 7a-b is refused: 3 is to be moved first."
    )
    state = on(state, "move d1-d4")
    assert GAME.position(state) == "7764111 13,16 0 0 south decide"
    assert GAME.surface(state).last == ("c1", "c6", "d1", "d4")


def test_one_coin_with_both_dice_is_one_event() -> None:
    state = called(SOUTH_BEGINS, "throw 1-2")
    assert GAME.position(on(state, "move c1-c4")) == "7741111 13,16 0 0 south decide"
    assert GAME.position(on(state, "move c1-c3")) == "7731111 13,16 0 0 south move:1"
    state = called(SOUTH_BEGINS, "throw 2-2", "move c1-c3")
    assert GAME.position(state) == "7731111 13,16 0 0 south move:2"


def test_the_first_coin_leaves_the_other_die_a_play() -> None:
    """Six rows are open to a only; if a went four, the six would be left."""
    state = called("1244444 15,14 0 0 south throw", "throw 4-6")
    assert acts(state) == ["move a1-a7", "move b2-b6"]
    assert refuses(state, "move a1-a5") == (
        "both-dice: a1-a5 alone is refused: both dice of 4-6 must be played, a1-a7 b2-b6 for one."
    )
    assert acts(on(state, "move b2-b6")) == ["move a1-a7"]
    state = called("4444424 15,14 0 0 south throw", "throw 4-5", "move f2-f7")
    assert GAME.position(state) == "4444474 15,14 0 0 south decide", "only one could be played"


def test_a_pass_number_is_an_ordinary_throw_unless_it_is_called() -> None:
    state = called(SOUTH_BEGINS, "throw 3-4")
    assert GAME.position(state) == "7711111 13,16 0 0 south move:3-4"
    assert GAME.turn(state) == "south"
    assert GAME.actor(state, "diablo") == "north"
    assert "diablo" not in acts(state)
    assert GAME.position(on(state, "move c1-c4", "move d1-d5")) == "7745111 13,16 0 0 south decide"


def test_diablo_before_the_first_coin() -> None:
    state = called(SOUTH_BEGINS, "throw 3-4", "diablo")
    assert GAME.position(state) == "7711111 13,16 0 0 south answer"
    assert (GAME.turn(state), GAME.thrown(state)) == ("south", (3, 4))
    assert GAME.position(on(state, "pass")) == "7711111 13,16 0 0 north throw"
    assert GAME.position(on(state, "wager")) == "7711111 6,16 7 0 south throw"


def test_diablo_between_the_coins() -> None:
    """The coin that has moved stays: four are left in the row."""
    state = called(SOUTH_BEGINS, "throw 3-4", "move c1-c4", "diablo")
    assert GAME.position(state) == "7741111 13,16 0 0 south answer"
    assert GAME.position(on(state, "wager")) == "7741111 7,16 6 0 south throw"
    assert refuses(state, "diablo").startswith("diablo: ")


def test_diablo_too_late() -> None:
    late = (
        "diablo: diablo is refused: no Pass Number is being moved. It is called before the second "
        "coin, or the only one, has moved."
    )
    state = called(SOUTH_BEGINS, "throw 3-4", "move c1-c4", "move d1-d5")
    assert refuses(state, "diablo") == late
    only_one = called("4444424 15,14 0 0 south throw", "throw 6-1")
    assert GAME.position(on(only_one, "diablo")) == "4444424 15,14 0 0 south answer"
    assert refuses(on(only_one, "move f2-f3"), "diablo") == late
    assert refuses(called(SOUTH_BEGINS, "throw 3-5"), "diablo") == late
    assert refuses(called(SOUTH_BEGINS), "diablo") == late


def test_diablo_is_called_in_no_other_match() -> None:
    assert refuses(at(SOUTH_BEGINS, "throw 3-4"), "diablo") == (
        "diablo: diablo is refused: in this match a Pass Number acts by itself (diablo=automatic)."
    )


def test_diablo_under_a_wager() -> None:
    state = called(WAGERED, "throw 3-4")
    assert GAME.position(on(state, "diablo")) == "4441433 10,19 0 0 north throw"
    state = on(state, "move d1-d4")
    assert GAME.position(state) == "4444433 10,14 5 0 south move:4", "the throw is not yet over"
    assert GAME.position(on(state, "diablo")) == "4444433 10,19 0 0 north throw"
    assert acts(state) == ["move f3-f7", "move g3-g7"]
    assert GAME.position(on(state, "move g3-g7")) == "4444437 15,14 0 0 south decide"


def test_a_wager_is_looked_at_when_the_throw_is_moved() -> None:
    state = called(WAGERED, "throw 3-1", "move d1-d4", "move a4-a3")
    assert GAME.position(state) == "3444433 10,14 5 0 south throw"


def test_a_pass_number_that_cannot_be_played_is_not_called() -> None:
    state = called("4444444 15,14 0 0 south throw", "throw 6-5")
    assert GAME.position(state) == "4444444 15,14 0 0 south decide"
    assert refuses(state, "diablo").startswith("diablo: ")
    state = called("4443433 10,14 5 0 south throw", "throw 6-6")
    assert GAME.position(state) == "4443433 10,14 5 0 south throw"
    state = called("4443433 10,14 5 0 south throw", "throw 6-6", unplayable="pass")
    assert GAME.position(state) == "4443433 10,19 0 0 north throw"
    state = called("4444424 15,14 0 0 south throw", "throw 6-1", unplayable="pass")
    assert GAME.position(state) == "4444424 15,14 0 0 north throw"


def test_in_a_run_a_pass_number_always_acts() -> None:
    state = called("4444444 15,10 0 4 south run-or-stop", "throw 5-6")
    assert GAME.position(state) == "1111111 8,21 0 0 north throw"


def test_done_leaves_the_other_die() -> None:
    state = called(SIX, "throw 1-3", "move g3-g4")
    assert GAME.position(state) == "4444444 15,14 0 0 south move:3"
    assert acts(state)[0] == "done"
    assert len(acts(state)) == 1 + 12
    assert GAME.position(on(state, "done")) == "4444444 15,14 0 0 south decide"
    assert GAME.position(on(state, "move a4-a7")) == "7444444 15,14 0 0 south decide"


def test_done_only_with_the_seventh_coin() -> None:
    no = (
        "both-dice: done is refused: a die is left only once the other has brought the seventh "
        "coin into a Formation of six (diablo=called)."
    )
    assert refuses(called(SIX, "throw 1-3"), "done") == no
    assert refuses(called(SIX, "throw 1-3", "move a4-a5"), "done") == no
    assert refuses(called("4443444 15,14 0 0 south throw", "throw 1-3", "move d3-d4"), "done") == no
    assert refuses(at(SIX, "throw 1-3"), "done") == no


def test_the_seventh_coin_in_a_throw_whose_other_die_nobody_can_play() -> None:
    state = called("4444441 15,14 0 0 south throw", "throw 3-5", "move g1-g4")
    assert GAME.position(state) == "4444444 15,14 0 0 south decide"


def test_diablo_before_done_and_after_it() -> None:
    state = called("3333337 15,14 0 0 south throw", "throw 3-4", "move g7-g3")
    assert GAME.position(state) == "3333333 15,14 0 0 south move:3"
    assert GAME.position(on(state, "diablo")) == "3333333 15,14 0 0 south answer"
    assert refuses(on(state, "done"), "diablo").startswith("diablo: ")


# ---- how else it ends


def test_the_players_may_divide_the_coins() -> None:
    state = GAME.settle(at("7773751 16,8 5 0 north throw"), (20, 16))
    assert GAME.position(state) == "0000000 20,16 0 0 south over"
    assert ended(state) == (
        "settled",
        "south",
        "The players divide the coins: South 20, North 16: South wins.",
    )
    state = GAME.settle(at("4444444 15,10 0 4 south run-or-stop"), (0, 36))
    assert GAME.position(state) == "0000000 0,36 0 0 north over"
    state = GAME.settle(at(SOUTH_BEGINS, "throw 3-5"), (18, 18))
    assert GAME.position(state) == "0000000 18,18 0 0 - over"
    assert ended(state) == (
        "settled",
        None,
        "The players divide the coins: South 18, North 18: a draw.",
    )


@pytest.mark.parametrize("split", [(20, 15), (18, 19), (37, -1), (-4, 40), (0, 0)])
def test_what_is_no_division(split: tuple[int, int]) -> None:
    with pytest.raises(Illegal) as refusal:
        GAME.settle(at(SOUTH_BEGINS), split)
    assert (refusal.value.code, str(refusal.value)) == (
        "bad-split",
        f"{split[0]}-{split[1]} is no division: the shares of South and North make 36.",
    )


def test_a_game_that_is_over_is_over() -> None:
    state = at("4442354 27,2 0 0 south decide", "pull 4a-c")
    over = "the game is over"
    for act in ("move d2-d5", "pull 2d-e", "wager", "pass", "run", "stop"):
        said = act.removeprefix("move ")
        assert refuses(state, act) == f"game-over: {said} is refused: {over}."
    with pytest.raises(Illegal, match="The game is over") as refusal:
        GAME.settle(state, (18, 18))
    assert refusal.value.code == "game-over"
    with pytest.raises(Illegal, match="No dice are thrown now: the game is over"):
        GAME.throw(state, (1, 2))
    for act in ("diablo", "done"):
        refuses(state, act)


def limited(turns: int, position: str, *acts: str, **changes: OptionValue) -> State:
    return on(GAME.limited(at(position, **changes), turns), *acts)


def test_a_turn_cap_ends_the_game_when_the_dice_have_passed_so_often() -> None:
    state = limited(2, START, "throw 5-3", "throw 3-4", "pass")
    assert GAME.position(state) == "7711111 13,16 0 0 north throw"
    state = on(state, "throw 2-5", "pass")
    assert GAME.position(state) == "7711111 13,16 0 0 north over"
    assert ended(state) == (
        "turn_cap",
        "north",
        "After 2 turns South's stake is 13, North's 16: North wins.",
    )


@pytest.mark.parametrize(
    ("position", "act", "after"),
    [
        ("4442354 13,16 0 0 south decide", "pull 4a-c", "7772354 16,13 0 0 south over"),
        ("4442354 12,17 0 0 south decide", "pull 4a-c", "7772354 15,14 0 0 south over"),
        ("4442354 11,18 0 0 south decide", "pull 4a-c", "7772354 14,15 0 0 north over"),
        ("4435235 14,11 4 0 north throw", "throw 6-6", "4435235 18,11 0 0 south over"),
        ("4435235 14,11 4 0 south throw", "throw 6-6", "4435235 14,15 0 0 north over"),
        ("4444444 12,13 0 4 south run-or-stop", "stop", "7777777 23,6 0 0 south over"),
        ("4444444 15,14 0 0 south run", "throw 6-5", "1111111 8,21 0 0 north over"),
    ],
)
def test_the_larger_stake_wins_after_the_last_turn(position: str, act: str, after: str) -> None:
    """Whoever's turn it was; with seven coins on the board stakes are never equal."""
    state = limited(1, position, act)
    assert GAME.position(state) == after
    assert ended(state)[0] == "turn_cap"


def test_dice_that_stay_are_no_new_turn() -> None:
    state = limited(1, "4444444 15,14 0 0 south throw", "throw 4-5", "throw 4-4", "throw 3-4")
    assert GAME.outcome(state) is None
    assert GAME.outcome(on(state, "pass")) is not None


def test_a_loss_in_the_last_turn_is_a_loss() -> None:
    state = limited(1, "4442354 0,29 0 0 north decide", "pull 4a-c")
    assert ended(state)[:2] == ("cleaned_out", "north")
    state = limited(1, "4442354 27,2 0 0 south decide", "pull 4a-c")
    assert ended(state)[:2] == ("cleaned_out", "south")


def test_there_is_no_draw_to_claim() -> None:
    with pytest.raises(Illegal) as refusal:
        GAME.claim(at(SOUTH_BEGINS))
    assert refusal.value.code == "no-draw"
    assert GAME.owed(at(SOUTH_BEGINS)) is None


# ---- notation

TWO_COINS = "1117111 16,13 0 0 south move:3-5"


@pytest.mark.parametrize(
    "typed",
    [
        "c1-c4 d7-d2",
        "d7-d2 c1-c4",
        "C1-C4 D7-d2",
        " c1-c4,d7-d2 ",
        "c1-c4 ,  d7-d2",
        "c4 d2",
        "d2,c4",
        "c1c4 d7d2",
        "c1-c4 d2",
        "c1-c2-c4 d7-d6-d2",
        "c1-c2 d7-d2 c2-c4",
        "c2 d2 c4",
    ],
)
def test_a_move_as_people_type_it(typed: str) -> None:
    assert reads(TWO_COINS, f"move {typed}") == "c1-c4 d7-d2"


@pytest.mark.parametrize("typed", ["c1-c6", "c6", "c1-c3 c3-c6", "c1-c3-c6", "c1c3c6", "c3, c6"])
def test_one_coin_with_both_dice_as_people_type_it(typed: str) -> None:
    assert reads("1117111 16,13 0 0 south move:2-3", f"move {typed}") == "c1-c6"


def test_where_each_coin_moves_by_itself_it_is_typed_the_same_way() -> None:
    moving = "1117111 16,13 0 0 south move:2-3"
    assert reads(moving, "move c3", diablo="called") == "c1-c3"
    assert reads(moving, "move c1-c3 c3-c6", diablo="called") == "c1-c6"
    with pytest.raises(Illegal, match="each coin moves by itself"):
        GAME.read(at(moving, diablo="called"), "move", "c3 d4")


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", ",", "c", "4", "c0", "c8", "h1-h4", "c1 -> c4", "c1–c4", "c1-4", "c١-c٤"),
        *("c1-c4;d7-d2", "c1-c4/d7-d2", "-c4", "c1-", "c1--c4", "pull 4a-c", "3-5", "pass"),
    ],
)
def test_what_is_no_move(text: str) -> None:
    for attempt in (GAME.read, lambda state, kind, text: GAME.apply(state, Action(kind, text))):
        with pytest.raises(Unreadable) as refusal:
            attempt(at(TWO_COINS), "move", text)
        assert (refusal.value.code, str(refusal.value)) == ("bad-move", f"{text!a} is no move.")
        assert refusal.value.hint is not None
        assert "c1-c4 d7-d2" in refusal.value.hint


def test_records_hold_one_spelling_of_a_move() -> None:
    state = at(TWO_COINS)
    GAME.apply(state, Action("move", "c1-c4 d7-d2"))
    with pytest.raises(Unreadable) as refusal:
        GAME.apply(state, Action("move", "d7-d2 c1-c4"))
    assert refusal.value.code == "not-canonical"
    for text in ("C1-C4 d7-d2", "c1-c4  d7-d2", "c1-c4,d7-d2", "c4 d2", "c1-c4 d7-d2 "):
        with pytest.raises(Unreadable) as refusal:
            GAME.apply(state, Action("move", text))
        assert refusal.value.code == "bad-move"


def test_records_hold_no_dice_and_nothing_beside_a_word() -> None:
    with pytest.raises(Unreadable, match=r"This is written move c1-c4 d7-d2\.") as refusal:
        GAME.apply(at(TWO_COINS), Action("move", "c1-c4 d7-d2", (3, 5)))
    assert refusal.value.code == "not-canonical"
    answering = at("1117111 16,13 0 0 south answer")
    for text in ("", "Pass", "pass "):
        with pytest.raises(Unreadable) as refusal:
            GAME.apply(answering, Action("pass", text))
        assert refusal.value.code == "not-canonical"


@pytest.mark.parametrize(
    "typed", ["4e-g", "4E-G", "4eg", "4 e g", "4g-e", "e4-g4", "g4-e4", "4 e-g", " 4e-g "]
)
def test_a_pull_as_people_type_it(typed: str) -> None:
    position = "4422444 20,9 0 0 north decide"
    assert reads(position, f"pull {typed}") == "4e-g"
    if typed != "4e-g":
        with pytest.raises(Unreadable, match="This is written pull 4e-g"):
            GAME.apply(at(position), Action("pull", typed))


@pytest.mark.parametrize("text", ["4", "e-g", "4e-h", "8a-c", "e4-g5", "4e-g 2c-d", "4a–c", "٤a-c"])
def test_what_is_no_pull(text: str) -> None:
    for attempt in (GAME.read, lambda state, kind, text: GAME.apply(state, Action(kind, text))):
        with pytest.raises(Unreadable) as refusal:
            attempt(at("4422444 20,9 0 0 north decide"), "pull", text)
        assert refusal.value.code == "bad-pull"
        assert str(refusal.value) == f"{text!a} names no Formation."


def test_pull_alone_where_there_is_one_formation() -> None:
    one = "4442354 20,9 0 0 north decide"
    assert reads(one, "pull") == reads(one, "pull pull") == "4a-c"
    assert reads(one, "pull", pull="part") == "4a-c"
    with pytest.raises(Ambiguous) as question:
        GAME.read(at("4422444 20,9 0 0 north decide"), "pull", "")
    assert (question.value.code, str(question.value)) == (
        "which-pull",
        "Say which Formation is pulled. On the board: 4a-b, 2c-d, 4e-g.",
    )
    for position in ("4442354", "4422444", "1234567"):
        with pytest.raises(Illegal, match="pull is refused: North throws first"):
            GAME.read(at(f"{position} 20,9 0 0 north throw"), "pull", "")


def test_pull_alone_where_there_is_no_formation() -> None:
    with pytest.raises(Illegal) as refusal:
        GAME.read(at("1234567 20,9 0 0 north decide"), "pull", "")
    assert refusal.value.code == "no-formation"


def test_words_are_typed_as_they_are_or_not_at_all() -> None:
    answering = at("1117111 16,13 0 0 south answer")
    for typed in ("pass", "", "PASS", " Pass "):
        assert GAME.read(answering, "pass", typed) == Action("pass", "pass")
    with pytest.raises(Unreadable, match="A wager is written wager, and nothing more") as refusal:
        GAME.read(answering, "wager", "5")
    assert refusal.value.code == "bad-move"
    for kind in ("roll", "throw", "x" * 99, ""):
        with pytest.raises(Unreadable, match=r"tablero knows diablo, done, move, pass, pull, run,"):
            GAME.read(answering, kind, kind)
        with pytest.raises(Unreadable) as refusal:
            GAME.apply(answering, Action(kind, kind))
        assert refusal.value.code == "unknown-action"
        assert len(str(refusal.value)) < 200


# ---- positions


@pytest.mark.parametrize(
    "position",
    [
        START,
        SOUTH_BEGINS,
        WAGERED,
        TWO_COINS,
        "1117111 16,13 0 0 south answer",
        "1117111 0,29 0 0 north decide",
        "4444444 15,14 0 0 south run",
        "4444444 14,7 0 8 south run-or-stop",
        "0002354 32,0 0 0 south over",
        "0000000 18,18 0 0 - over",
    ],
)
def test_positions_are_read_as_they_are_written(position: str) -> None:
    state = at(position)
    assert GAME.position(state) == position
    assert (GAME.outcome(state) is None) == ("over" not in position)


def test_the_outcome_of_a_last_position() -> None:
    for position, reason, winner in (
        ("0002354 32,0 0 0 south over", "cleaned_out", "south"),
        ("0000000 0,36 0 0 north over", "cleaned_out", "north"),
        ("0000000 18,18 0 0 - over", "settled", None),
    ):
        assert ended(at(position))[:2] == (reason, winner)


def test_a_half_moved_throw_is_read_without_what_nobody_knows() -> None:
    """Neither which coin has moved nor what the other die was."""
    state = at("7761111 13,16 0 0 south move:3", diablo="called")
    assert "move c6-c3" in acts(state)
    assert GAME.position(on(state, "move d1-d4")) == "7764111 13,16 0 0 south decide"
    assert refuses(state, "diablo").startswith("diablo: ")
    assert refuses(at("7711111 13,16 0 0 south move:3-5", diablo="called"), "diablo")
    on(at("7711111 13,16 0 0 south move:3-4", diablo="called"), "diablo")


@pytest.mark.parametrize(
    ("position", "why"),
    [
        ("7711111 13,15 0 0 south throw", "stakes, coins, wager and pot make 35, not 36"),
        ("7711111 14,16 0 0 south throw", "stakes, coins, wager and pot make 37, not 36"),
        ("7711111 18,18 0 0 - opening", "make 43, not 36"),
        ("0000000 20,16 0 0 - opening", "before the opening roll the board is empty"),
        ("0000000 18,18 0 0 south opening", "and nobody is active"),
        ("7711111 13,16 0 0 - throw", "one side is active"),
        ("0711111 14,16 0 0 south throw", "every column holds a coin"),
        ("7711111 8,16 5 0 south decide", "no Wager stands in the phase decide"),
        ("7711111 8,16 5 0 south answer", "no Wager stands in the phase answer"),
        ("7777777 8,16 5 0 south run", "no Wager stands in the phase run"),
        ("7711111 13,16 0 0 south run", "in a Run all seven coins are one Formation"),
        ("7777777 13,14 0 2 south run", "there is a pot only in a Run, from its first throw on"),
        ("7711111 11,16 0 2 south throw", "there is a pot only in a Run"),
        ("7711111 8,16 5 0 south over", "no Wager stands and no pot when the game is over"),
        ("0000000 18,13 0 5 - over", "no Wager stands and no pot when the game is over"),
        ("7711111 13,16 0 0 south move:4", "both dice are played in one move"),
        ("7711111 13,16 0 0 south move:3-4", "3-4 is a Pass Number, which is not moved"),
        ("4444444 13,16 0 0 south move:4-5", "no coin can be moved, so the throw is over"),
        ("7711111 13,16 0 0 south move", "numbers have no zero in front, and dice stand behind"),
        ("7711111 13,16 0 0 south throw:3-5", "dice stand behind move: only"),
        ("7711111 013,16 0 0 south throw", "it is written like 7777711 16,13 0 0 north throw"),
        ("7711111 13,16 00 0 south throw", "numbers have no zero in front"),
        ("7711111 13,16 0 0 South throw", "it is written like"),
        ("7711118 13,16 0 0 south throw", "it is written like"),
        ("771111 14,16 0 0 south throw", "it is written like"),
        ("7711111  13,16 0 0 south throw", "it is written like"),
        ("7711111 13,16 0 0 south throw ", "it is written like"),
        ("7711111 -3,32 0 0 south throw", "it is written like"),
        ("7711111 13,16 0 0 south move:3-7", "it is written like"),
        ("7711111 13,16 0 0 south move:1-2-3", "it is written like"),
        ("start", "it is written like"),
        ("9" * 500, "it is written like"),
    ],
)
def test_a_position_that_cannot_be_read(position: str, why: str) -> None:
    with pytest.raises(Unreadable) as refusal:
        at(position)
    assert refusal.value.code == "bad-position"
    assert str(refusal.value).startswith("This position cannot be read: ")
    assert why in str(refusal.value)
    assert len(str(refusal.value)) < 200


def test_a_throw_that_would_have_passed_the_dice_cannot_be_read() -> None:
    """Only the coin of f could be moved, and only by one of the dice."""
    one_die = "4444424 15,14 0 0 south move:4-5"
    at(one_die)
    with pytest.raises(Unreadable, match="no coin can be moved, so the throw is over"):
        at(one_die, unplayable="pass")


def test_a_run_on_a_baseline_that_makes_no_formation_cannot_be_read() -> None:
    on_baseline = "7777777 13,16 0 0 south run"
    at(on_baseline)
    with pytest.raises(Unreadable, match="in a Run all seven coins are one Formation"):
        at(on_baseline, baseline_formations=False)


# ---- options


def test_every_option_has_a_reason_and_every_ruleset_known_values() -> None:
    assert list(GAME.rulesets) == ["tablero", "tablero-event"]
    assert rules("tablero-event") == rules(baseline_formations=False, wager_over_seven=False)
    for option in GAME.options.values():
        assert option.reason.endswith(".")
    for ruleset in GAME.rulesets.values():
        for name, value in ruleset.changes.items():
            assert value in GAME.options[name].values[1:]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"run": "safe"}, "impossible-option"),
        ({"empty_board_wager": 2}, "impossible-option"),
        ({"baseline_formations": "false"}, "impossible-option"),
        ({"baseline_formations": 1}, "impossible-option"),
        ({"pull": None}, "impossible-option"),
        ({"doubling": True}, "unknown-option"),
    ],
)
def test_start_refuses_options(change: Options, code: str) -> None:
    for begin in (GAME.start, lambda options: GAME.place(options, START)):
        with pytest.raises(Unreadable) as refusal:
            begin(rules() | change)
        assert refusal.value.code == code


def test_start_refuses_a_missing_option() -> None:
    options = rules()
    del options["diablo"]
    with pytest.raises(Unreadable, match="The option diablo is missing"):
        GAME.start(options)


# ---- what the table is told


@pytest.mark.parametrize(
    ("position", "changes", "remark"),
    [
        (
            "4442354 20,9 0 0 north decide",
            {},
            "North may throw again, or pull 4a-c: +3; South must fill 3 of 20.",
        ),
        (
            "4442354 26,3 0 0 south decide",
            {},
            "South may throw again, or pull 4a-c: +3; North must fill 3 of 3.",
        ),
        (
            "4442354 27,2 0 0 south decide",
            {},
            "South may throw again, or pull 4a-c: +5, which wins: North has 2 to fill 3.",
        ),
        (
            "4442354 20,9 0 0 north decide",
            {"pull": "part"},
            "North may throw again, or pull 4a-c or a part: +3; South must fill 3 of 20.",
        ),
        (
            "3344433 20,9 0 0 north decide",
            {},
            "North may throw again, or pull 4c-e: +3; South must fill 3 of 20, or pull 3a-b: +2; "
            "South must fill 2 of 20, or pull 3f-g: +2; South must fill 2 of 20.",
        ),
        (
            "7773751 16,13 0 0 north answer",
            {},
            "North may pass, or wager 5 of 13.",
        ),
        ("4444135 5,24 0 0 south answer", {}, "South may only pass: a Wager is 6, the stake 5."),
        (
            "4444413 7,22 0 0 south answer",
            {},
            "South may pass, or wager 7 of 7.",
        ),
        (
            "4444441 18,11 0 0 south answer",
            {},
            "South may pass, or wager 8 of 18, which no Formation can redeem.",
        ),
        (
            WAGERED,
            {},
            "South's Wager of 5 stands: no Pull and no Run before a Formation of 5 is made; "
            "a Pass Number loses it.",
        ),
        (
            WAGERED,
            {"diablo": "called"},
            "South's Wager of 5 stands: no Pull and no Run before a Formation of 5 is made; "
            "a called Pass Number loses it.",
        ),
        (
            "4444444 15,12 0 2 south run-or-stop",
            {},
            "South may stop: +9; North must fill 7 of 12, or throw again: 2 of North's 12 go to "
            "the pot; on a Pass Number North takes 9, and South fills 7 of 15.",
        ),
        (
            "7711111 13,16 0 0 south move:3-4",
            {"diablo": "called"},
            "3-4 is a Pass Number: North may call diablo until the last coin has moved.",
        ),
    ],
)
def test_remarks(position: str, changes: Options, remark: str) -> None:
    assert list(GAME.remarks(at(position, **changes))) == [remark]


def test_where_there_is_nothing_to_choose_nothing_is_remarked() -> None:
    for state in (at(START), at(SOUTH_BEGINS), at(SOUTH_BEGINS, "throw 3-5")):
        assert list(GAME.remarks(state)) == []


def test_remarks_on_what_may_be_left_and_on_the_last_turns() -> None:
    (remark,) = GAME.remarks(called(SIX, "throw 1-3", "move g3-g4"))
    assert remark == "South may leave the other die: done."
    assert list(GAME.remarks(limited(3, SOUTH_BEGINS))) == ["Turn 1 of 3."]
    state = limited(3, SOUTH_BEGINS, "throw 3-4", "pass")
    assert list(GAME.remarks(state)) == ["Turn 2 of 3."]


def test_remarks_on_a_run() -> None:
    (remark,) = GAME.remarks(at(SEVEN))
    assert "pull 4a-g: +7; North must fill 7 of 14" in remark
    assert "or run: 2 of North's 14 go to the pot; on a Pass Number North takes 7" in remark
    assert list(GAME.remarks(at("4444444 28,1 0 0 south run"))) == [
        "South runs: 2 of North's 1 go to the pot, which wins; on a Pass Number North takes 7, "
        "and South fills 7 of 28."
    ]
    assert list(GAME.remarks(at("4444444 2,27 0 0 south run", run="banked"))) == [
        "South runs: 2 of North's 27 go to South; on a Pass Number North takes 7, and South fills "
        "7 of 2, and loses."
    ]
    assert list(GAME.remarks(at("4444444 28,1 0 0 south run", run="banked"))) == [
        "South runs: the next throw wins, for North has 1 to add 2."
    ]


def test_a_wager_that_no_formation_can_redeem_is_told_so() -> None:
    assert list(GAME.remarks(at("4444441 10,11 8 0 south throw"))) == [
        "South's Wager of 8 cannot be redeemed by any Formation; a Pass Number ends it."
    ]
    assert list(GAME.remarks(at("4444441 18,11 0 0 south answer", wager_over_seven=False))) == [
        "South may only pass: a Wager of 8 could never be redeemed."
    ]


def test_the_plays_of_a_throw_are_listed_by_die() -> None:
    pairs, three, five = GAME.choices(at(SOUTH_BEGINS, "throw 3-5"))
    assert pairs.head == ""
    assert pairs.texts[0].startswith("42 plays move two coins")
    assert three == Choices("3:", ("a7-a4", "b7-b4", "c1-c4", "d1-d4", "e1-e4", "f1-f4", "g1-g4"))
    assert five == Choices("5:", ("a7-a2", "b7-b2", "c1-c6", "d1-d6", "e1-e6", "f1-f6", "g1-g6"))
    *_, alone, both = GAME.choices(at(SOUTH_BEGINS, "throw 1-2"))
    assert alone == Choices("", ("Or one coin alone:",))
    assert both.head == "3:"
    assert both.texts[2] == "c1-c4"
    assert GAME.choices(at("4444424 15,14 0 0 south throw", "throw 4-5")) == [
        Choices("4:", ("f2-f6",)),
        Choices("5:", ("f2-f7",)),
    ]


def test_equal_dice_are_listed_twice() -> None:
    pairs, one, other, *_ = GAME.choices(at(SOUTH_BEGINS, "throw 2-2"))
    assert pairs.texts[0].startswith("21 plays move two coins")
    assert one == other
    assert one.head == "2:"


def test_the_choices_of_a_called_throw() -> None:
    three, four = GAME.choices(called(SOUTH_BEGINS, "throw 3-4"))
    assert (three.head, four.head) == ("3:", "4:")
    half_moved = called(SIX, "throw 1-3", "move g3-g4")
    assert GAME.choices(half_moved)[-1] == Choices("", ("done",))


@pytest.mark.parametrize(
    ("position", "texts"),
    [
        (
            "4422444 20,9 0 0 north decide",
            (
                "pull 4a-b: +2; South must fill 2 of 20",
                "pull 2c-d: +2; South must fill 2 of 20",
                "pull 4e-g: +3; South must fill 3 of 20",
            ),
        ),
        ("7773751 16,13 0 0 north answer", ("pass", "wager: 5 of 13")),
        ("4444444 15,12 0 2 south run-or-stop", ("stop: +9; North must fill 7 of 12",)),
    ],
)
def test_acts_are_listed_with_what_they_bring(position: str, texts: tuple[str, ...]) -> None:
    (choices,) = GAME.choices(at(position))
    assert choices.texts[: len(texts)] == texts


def test_the_board_for_renderers() -> None:
    state = at("4441433 10,14 5 0 south throw", "throw 1-2", "move a4-a6 b4-b5")
    board = GAME.surface(state)
    assert board.columns == tuple("abcdefg")
    assert board.rows == tuple("1234567")
    assert board.sides == ("South", "North")
    assert set(board.pieces) == {"a6", "b5", "c4", "d1", "e4", "f3", "g3"}
    assert set(board.pieces.values()) <= set(board.legend)
    assert board.joined == (("f3", "g3"),)
    assert board.last == ("a4", "a6", "b4", "b5")
    assert dict(board.counts) == {
        "South's stake": 10,
        "North's stake": 14,
        "Wager": 5,
        "pot": 0,
    }
    assert GAME.surface(at(START)).pieces == {}
