"""Ways: whatever order somebody plays on the board, if the rules allow it, makes a legal move."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from random import Random
from typing import Any, TypeAlias

import pytest
from msgspec.json import encode
from test_paths import GAMES, RULESETS, options_of, states
from test_tabula_conformance import cases, lines, thrown
from toygame import GAME as PEBBLES
from toygame import Pebbles

from ledger.errors import Refused
from ledger.games.protocol import Action
from ledger.games.tabula import State as TabulaState
from ledger.games.tabula import turn_of
from ledger.games.tabula.board import BAR, HAND, NAMES, OFF
from ledger.games.tabula.rules import landing, take
from ledger.games.ways import Step, Ways, listed

TABULA, TABLERO = GAMES["tabula"], GAMES["tablero"]

Pairs: TypeAlias = tuple[tuple[str, str], ...]


def after(ways: Ways, *pairs: tuple[str, str]) -> set[int]:
    """The halts where these steps lead."""
    halts = {ways.start}
    for pair in pairs:
        halts = {
            there
            for halt in halts
            for number, there in ways.after[halt]
            if (ways.steps[number].source, ways.steps[number].target) == pair
        }
    return halts


def by_lot(ways: Ways, moves: int, lot: Random) -> tuple[list[Step], int] | None:
    """Somebody plays on as long as steps can follow; sometimes not where they could stop."""
    halt, made = ways.start, list[Step]()
    while onward := ways.after[halt]:
        if halt < moves and lot.random() < 0.5:
            break
        number, halt = lot.choice(onward)
        made.append(ways.steps[number])
    return (made, halt) if made else None


def signed(listed_action: Action, made: Sequence[Step]) -> Action:
    """What is signed for these steps: their words, where they have any."""
    if not all(step.word for step in made):
        return listed_action
    dice = tuple(die for step in made for die in step.dice)
    return Action("move", " ".join(step.word for step in made), dice)


def typed(game: str, made: Sequence[Step]) -> str:
    between = "/" if game == "tabula" else "-"
    return " ".join(f"{step.source}{between}{step.target}" for step in made)


# -- every game ------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "ruleset"), RULESETS)
def test_every_move_is_made_by_the_steps_of_its_text(name: str, ruleset: str) -> None:
    game = GAMES[name]
    for state in states(name, ruleset):
        legal = game.legal(state)
        ways = game.ways(state, legal)
        for move, action in enumerate(legal):
            if paths := game.paths(state, action):
                assert after(ways, *paths) >= {move}, action.text
        led = {there for each in ways.after for _, there in each if there < len(legal)}
        assert led == {move for move, each in enumerate(legal) if game.paths(state, each)}


@pytest.mark.parametrize(("name", "ruleset"), RULESETS)
def test_whatever_is_played_by_lot_can_be_typed_and_is_the_same(name: str, ruleset: str) -> None:
    game, lot = GAMES[name], Random(8)
    for state in states(name, ruleset):
        legal = game.legal(state)
        ways = game.ways(state, legal)
        for _ in range(5):
            if (found := by_lot(ways, len(legal), lot)) is None:
                break
            made, halt = found
            action = signed(legal[halt], made)
            assert game.read(state, "move", typed(name, made)) == action
            reached = game.position(game.apply(state, action))
            assert reached == game.position(game.apply(state, legal[halt]))


def test_a_game_that_says_nothing_of_ways_is_played_as_its_moves_say() -> None:
    class Lifted(Pebbles):
        """Pebbles are carried off the board one by one."""

        def paths(self, state: Any, action: Action) -> Sequence[tuple[str, str]]:
            if action.kind != "move":
                return ()
            return [(place, "a1") for place in action.text.split()]

    position = ".../o.o/ooo otter take:5"
    state = PEBBLES.place(options_of(PEBBLES, "toy"), position)
    legal = PEBBLES.legal(state)
    ways = Lifted().ways(state, legal)
    texts = [action.text for action in legal]
    assert after(ways, ("a3", "a1")) > {texts.index("a3")}
    assert after(ways, ("a3", "a1"), ("b3", "a1")) > {texts.index("a3 b3")}
    assert not after(ways, ("b3", "a1"), ("a3", "a1"))
    none = PEBBLES.ways(state, legal)
    assert (none.steps, set(none.after), none.start) == ((), {()}, len(legal))


def test_the_same_step_may_begin_several_moves_and_be_one() -> None:
    one, other = Step("a1", "a2"), Step("b1", "b2")
    ways = listed(3, [(0, [one]), (1, [one, other]), (1, [other, one]), (2, [one]), (0, [one])])
    assert after(ways, ("a1", "a2")) == {0, 2, 4}
    assert after(ways, ("a1", "a2"), ("b1", "b2")) == {1}
    assert sum(map(len, ways.after)) == 6


# -- tabula ----------------------------------------------------------------------------------


@cache
def reference() -> Sequence[tuple[TabulaState, Ways, Sequence[Action]]]:
    """The throws of the reference data, under every ruleset, with their ways and their turns."""
    data = [*cases(), *lines("tabula_games.jsonl"), *lines("tabula_variants.jsonl")]
    found = [
        thrown(case["position"], tuple(case["dice"]), case.get("ruleset", "tabula"))
        for case in data
    ]
    legal = [TABULA.legal(state) for state in found]
    return [
        (state, TABULA.ways(state, turns), turns) for state, turns in zip(found, legal, strict=True)
    ]


def test_a_throw_of_1_4_1_from_the_hand_is_entered_in_any_way() -> None:
    state = thrown("W h15 b0 o0 - | B h15 b0 o0 - | W", (1, 4, 1))
    legal = TABULA.legal(state)
    ways = TABULA.ways(state, legal)
    (halt,) = after(ways, ("hand", "4"), ("4", "5"), ("5", "6"))
    assert legal[halt].text == "hand/1 1/2 2/6"
    assert not after(ways, ("hand", "4"), ("4", "8"))
    onward = {ways.steps[number] for number, _ in ways.after[ways.start]}
    assert onward == {Step("hand", "1", (1,), "hand/1"), Step("hand", "4", (4,), "hand/4")}


def test_the_ways_of_the_widest_throw_are_soon_sent() -> None:
    """A phone waits for them after each event."""
    longest = max(len(encode(ways)) for _, ways, _ in reference())
    assert 10_000 < longest < 50_000


def test_tabula_each_way_through_the_reference_data_is_read_as_what_is_signed() -> None:
    lot, played = Random(80), 0
    for state, ways, legal in reference():
        for _ in range(4):
            if (found := by_lot(ways, len(legal), lot)) is None:
                assert [each.kind for each in legal] == ["pass"]
                break
            made, halt = found
            action = signed(legal[halt], made)
            assert TABULA.read(state, "move", typed("tabula", made)) == action
            reached = TABULA.position(TABULA.apply(state, action))
            assert reached == TABULA.position(TABULA.apply(state, legal[halt]))
            played += 1
    assert played > 3500


def test_tabula_moves_in_another_order_are_a_way_if_they_are_read_so() -> None:
    """Where the order cannot be played it is read as the one that can."""
    lot, tried = Random(81), 0
    for state, ways, legal in reference():
        for _ in range(3):
            action = lot.choice(legal)
            pairs = list(TABULA.paths(state, action))
            lot.shuffle(pairs)
            if not pairs:
                continue
            text = " ".join(map("/".join, pairs))
            as_read = TABULA.read(state, "move", text)
            in_this_order = as_read.text.replace("*", "") == text
            halts = after(ways, *pairs)
            assert halts == ({legal.index(action)} if in_this_order else set()), text
            tried += not in_this_order
    assert tried > 300


def steps_of(state: TabulaState) -> Iterator[Pairs]:
    """Every row of steps that the rules of a step allow, whatever comes of the whole turn."""
    turn = turn_of(state)

    def go_on(board: int, dice: list[int], made: Pairs) -> Iterator[Pairs]:
        for source in (BAR, *range(HAND, OFF)):
            for target in {landing(source, die) for die in dice}:
                try:
                    then, step = take(turn.rules, board, turn.side, source, target, dice)
                except Refused:
                    continue
                further = (*made, (NAMES[source], NAMES[target]))
                yield further
                left = list(dice)
                left.remove(step.die)
                yield from go_on(then, left, further)

    return go_on(turn.board, list(turn.dice), ())


def as_typed(state: TabulaState, pairs: Pairs) -> Action | None:
    """What these steps are in this order; nothing if they are refused, or read in another."""
    text = " ".join(map("/".join, pairs))
    try:
        action = TABULA.read(state, "move", text)
    except Refused:
        return None
    return action if action.text.replace("*", "") == text else None


def test_tabula_every_row_of_steps_that_is_read_is_a_way_and_no_other() -> None:
    played, refused = 0, 0
    for state, ways, legal in Random(82).sample(reference(), 150):
        if len(ways.steps) > 14:  # thousands of rows
            continue
        reached = {TABULA.position(TABULA.apply(state, each)): each for each in legal}
        for pairs in steps_of(state):
            halts = {halt for halt in after(ways, *pairs) if halt < len(legal)}
            action = as_typed(state, pairs)
            if action is None:
                assert not halts, pairs
                refused += 1
            else:
                same = reached[TABULA.position(TABULA.apply(state, action))]
                assert halts == {legal.index(same)}, pairs
                played += 1
    assert min(played, refused) > 200, (played, refused)


def last_of_white(men: str, dice: tuple[int, ...], **said: Any) -> tuple[TabulaState, Ways]:
    """White is about to bear off the last checkers."""
    options = options_of(TABULA, "tabula") | said
    state = TABULA.place(options, f"W h0 b0 {men} | B h0 b0 o0 1:15 | W")
    state = TABULA.throw(state, dice)
    return state, TABULA.ways(state, TABULA.legal(state))


def test_tabula_a_checker_is_borne_off_with_the_smallest_die_that_does_it() -> None:
    _, ways = last_of_white("o13 22:1,23:1", (6, 4, 5), bear_off="overshoot")
    assert [ways.steps[number].dice for number, _ in ways.after[ways.start]] == [(4,)]


def test_tabula_where_one_die_must_be_the_highest_it_is_signed_so() -> None:
    options = {"bear_off": "overshoot", "single_die": "highest"}
    state, ways = last_of_white("o14 22:1", (6, 3, 5), **options)
    (legal,) = TABULA.legal(state)
    assert ways.steps == (Step("22", "off", legal.dice, "22/off"),)
    assert legal.dice == (6,)
    assert TABULA.outcome(TABULA.apply(state, signed(legal, ways.steps)))


def test_tabula_a_turn_may_end_with_the_win_or_must_use_the_dice() -> None:
    """Off with the 2 wins; two dice are played by going to 24 first."""
    state, ways = last_of_white("o14 23:1", (1, 1, 2), win_ends_turn=True)
    (won,) = after(ways, ("23", "off"))
    assert won < len(TABULA.legal(state))
    assert after(ways, ("23", "24"), ("24", "off")) == {won}
    _, ways = last_of_white("o14 23:1", (1, 1, 2), win_ends_turn=False)
    assert not after(ways, ("23", "off"))
    assert after(ways, ("23", "24"), ("24", "off"))


# -- tablero ---------------------------------------------------------------------------------


def coins(rows: Sequence[int], dice: Sequence[int]) -> Iterator[Pairs]:
    """Every coin by a die, by both, or two steps with a die each."""
    for column, row in enumerate(rows):
        for distance in {*dice, sum(dice)}:
            for target in (row - distance, row + distance):
                if not 1 <= target <= 7:
                    continue
                name = "abcdefg"[column]
                step = (f"{name}{row}", f"{name}{target}")
                yield (step,)
                if len(dice) == 2 and distance in dice:
                    left = list(dice)
                    left.remove(distance)
                    moved = [*rows[:column], target, *rows[column + 1 :]]
                    for further in coins(moved, left):
                        yield (step, *further)


@pytest.mark.parametrize("ruleset", [ruleset for name, ruleset in RULESETS if name == "tablero"])
def test_tablero_every_order_of_the_dice_that_is_read_is_a_way_and_no_other(ruleset: str) -> None:
    moved = 0
    for state in states("tablero", ruleset):
        legal = TABLERO.legal(state)
        if not any(action.kind == "move" for action in legal):
            continue
        ways = TABLERO.ways(state, legal)
        for pairs in coins(state.rows, state.left):
            try:
                action = TABLERO.read(state, "move", " ".join(map("-".join, pairs)))
            except Refused:
                read = set()
            else:
                read = {legal.index(action)}
            halts = {halt for halt in after(ways, *pairs) if halt < len(legal)}
            assert halts == read, pairs
            moved += len(read)
    assert moved > 100


def test_tablero_a_coin_goes_with_both_dice_at_once_or_one_after_the_other() -> None:
    state = TABLERO.place(options_of(TABLERO, "tablero"), "1111177 24,5 0 0 south move:2-3")
    legal = TABLERO.legal(state)
    ways = TABLERO.ways(state, legal)
    whole = [action.text for action in legal].index("a1-a6")
    assert after(ways, ("a1", "a6")) == after(ways, ("a1", "a3"), ("a3", "a6")) == {whole}
    assert after(ways, ("a1", "a4"), ("a4", "a6")) == {whole}
    assert not after(ways, ("a1", "a4"), ("a4", "a2"))
    used = {step.target: step.dice for step in ways.steps if step.source == "a1"}
    assert used == {"a3": (2,), "a4": (3,), "a6": (2, 3)}


def test_tablero_where_each_coin_moves_by_itself_it_goes_all_its_way_at_once() -> None:
    options = options_of(TABLERO, "tablero") | {"diablo": "called"}
    state = TABLERO.place(options, "1111177 24,5 0 0 south move:2-3")
    legal = TABLERO.legal(state)
    ways = TABLERO.ways(state, legal)
    assert [len(way) for way in ways.after] == [0] * len(legal) + [len(legal)]
    assert after(ways, ("a1", "a3")) == {[action.text for action in legal].index("a1-a3")}
