"""What holds in every game of tabula: random play by all rulesets and random options, scattered
positions against a second reading of the rulings, hostile texts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise, permutations
from typing import Any

import pytest
from bench.tabula_turns import (
    BAR,
    HAND,
    NAMED,
    NAMES,
    OFF,
    parted,
    plain_results,
    plain_turns,
    steps,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.errors import Ambiguous, TabellionError, Unreadable
from ledger.games.protocol import Action, Illegal, OptionValue, Track
from ledger.games.tabula import GAME, State

Options = dict[str, OptionValue]

DEFAULTS: Options = {name: option.default for name, option in GAME.options.items()}

rulesets = st.sampled_from(list(GAME.rulesets)).map(
    lambda name: DEFAULTS | dict(GAME.rulesets[name].changes)
)
any_options = st.fixed_dictionaries(
    {name: st.sampled_from(option.values) for name, option in GAME.options.items()}
)
games = st.one_of(rulesets, any_options)
faces = st.integers(1, 6)
throws = st.tuples(faces, faces, faces)


def checkers(track: Track, letter: str) -> int:
    stacks = [*track.points, *(stack for pool in track.pools.values() for stack in pool)]
    return sum(stack.count for stack in stacks if stack.piece == letter)


def check(state: State, options: Options) -> None:
    """What holds for a state by itself."""
    track = GAME.surface(state)
    assert [checkers(track, letter) for letter in "Wb"] == [15, 15]
    assert all(bool(stack.piece) == bool(stack.count) for stack in track.points)
    again = GAME.place(options, GAME.position(state))
    assert GAME.position(again) == GAME.position(state)
    assert (again.men, again.side, again.outcome) == (state.men, state.side, state.outcome)
    over = GAME.outcome(state)
    assert (GAME.turn(state) is None) == bool(over)
    assert bool(GAME.legal(state)) == bool(GAME.thrown(state))
    assert [bool(over), bool(GAME.thrown(state)), bool(GAME.wanted(state))].count(True) == 1


def drawn_turn(data: st.DataObject, state: State) -> Action:
    """A legal turn, those that hit more often than they are on the list."""
    legal = GAME.legal(state)
    lively = [action for action in legal if "*" in action.text or "off" in action.text]
    chosen: Action = data.draw(st.sampled_from(legal) | st.sampled_from(lively or legal))
    return chosen


@settings(deadline=None, max_examples=60)
@given(games, st.data())
def test_whole_games(options: Options, data: st.DataObject) -> None:
    state = GAME.start(options)
    for _ in range(data.draw(st.integers(1, 60))):
        check(state, options)
        if (due := GAME.wanted(state)) is not None:
            state = GAME.throw(state, data.draw(st.tuples(*[faces] * due.count)))
            continue
        if GAME.outcome(state) is not None:
            break
        action = drawn_turn(data, state)
        assert GAME.read(state, action.kind, action.text) == action
        state = GAME.apply(state, action)


@settings(deadline=None, max_examples=25)
@given(games, st.data())
def test_every_legal_turn(options: Options, data: st.DataObject) -> None:
    """One by one, the listed turns read back to themselves and lead to a different position each;
    in every other order they lead there too, or are refused."""
    state = GAME.place(options, data.draw(positions()))
    if GAME.outcome(state) is not None:
        return
    state = GAME.throw(state, data.draw(throws))
    reached = set()
    for action in GAME.legal(state):
        assert GAME.read(state, action.kind, action.text) == action
        after = GAME.position(GAME.apply(state, action))
        reached.add(after)
        for order in permutations(action.text.replace("*", "").split()):
            read = GAME.read(state, action.kind, " ".join(order))
            assert GAME.position(GAME.apply(state, read)) == after
    assert len(reached) == len(GAME.legal(state))


# ---- scattered positions, against a second reading of the rulings


@st.composite
def positions(draw: st.DrawFn) -> str:
    """Fifteen checkers a side anywhere, often near the end, in the hand or on the bar."""
    first = draw(st.sampled_from([1, 1, 7, 13, 19]))
    owners = draw(st.lists(st.sampled_from("WWbb."), min_size=24, max_size=24))
    sides = []
    for letter, start in (("W", first), ("b", draw(st.sampled_from([1, first])))):
        own = [str(at) for at, who in enumerate(owners, 1) if who == letter and at >= start]
        pools = draw(st.sampled_from([["hand"], ["bar"], ["off"], ["hand", "bar"], ["off"] * 6]))
        some = st.sampled_from(own + pools if draw(st.booleans()) or not own else own)
        sides.append(draw(st.lists(some, min_size=15, max_size=15)))
    if all(set(places) == {"off"} for places in sides):
        sides[0][0] = "bar"
    side = draw(st.sampled_from("WB"))
    return f"W {spelled(sides[0])} | B {spelled(sides[1])} | {side}"


def spelled(places: list[str]) -> str:
    points = ",".join(f"{at}:{places.count(str(at))}" for at in range(1, 25) if str(at) in places)
    pools = (f"{pool[0]}{places.count(pool)}" for pool in ("hand", "bar", "off"))
    return f"{' '.join(pools)} {points or '-'}"


def over(position: str) -> bool:
    return " o15 " in position


@settings(deadline=None, max_examples=200)
@given(games, positions(), throws)
def test_results_are_those_of_the_second_reading(
    options: Options, position: str, dice: tuple[int, ...]
) -> None:
    state = GAME.place(options, position)
    check(state, options)
    if over(position):
        return
    state = GAME.throw(state, dice)
    reached = {GAME.position(GAME.apply(state, action)) for action in GAME.legal(state)}
    assert reached == plain_results(options, position, dice)
    played = max(len(action.dice) for action in GAME.legal(state))
    fewer = [remark for remark in GAME.remarks(state) if "die" in remark or "dice" in remark]
    words = {0: "No die", 1: "Only one", 2: "Only two"}
    assert len(fewer) == (played < 3)
    assert all(remark.startswith(words[played]) for remark in fewer)


@settings(deadline=None, max_examples=100)
@given(games, positions(), throws)
def test_every_play_of_the_second_reading_is_understood(
    options: Options, position: str, dice: tuple[int, ...]
) -> None:
    """In the order in which it is played there, and written so in the record."""
    if over(position):
        return
    state = GAME.throw(GAME.place(options, position), dice)
    for own, foe, tokens in plain_turns(options, *parted(position), dice):
        text = " ".join(NAMED[token] for token in tokens)
        action = GAME.read(state, "move", text)
        assert action.text.replace("*", "") == text
        after = GAME.position(GAME.apply(state, action))
        assert parted(after)[::-1] == (own, foe)


@settings(deadline=None, max_examples=60)
@given(games, positions(), throws)
def test_ways_without_their_stops_are_understood_if_they_lead_to_one_result(
    options: Options, position: str, dice: tuple[int, ...]
) -> None:
    if over(position):
        return
    state = GAME.throw(GAME.place(options, position), dice)
    results: dict[tuple[str, ...], set[str]] = {}
    for own, foe, tokens in plain_turns(options, *parted(position), dice):
        for words in shortened([(source, target) for source, target, _ in tokens]):
            results.setdefault(tuple(sorted(words)), set()).add(f"{own} {foe}")
    for words, reached in results.items():
        try:
            action = GAME.read(state, "move", " ".join(words))
        except Ambiguous:
            assert len(reached) > 1
            continue
        own, foe = parted(GAME.position(GAME.apply(state, action)))[::-1]
        assert f"{own} {foe}" in reached
        assert len(reached) == 1 or len(action.dice) == len(words)


def shortened(moves: list[tuple[int, int]]) -> Iterator[list[str]]:
    """The moves as words; and with those of one checker, one after the other, as one word."""
    yield [f"{NAMES[source]}/{NAMES[target]}" for source, target in moves]
    for at, ((source, stop), (again, target)) in enumerate(pairwise(moves)):
        if stop == again:
            yield from shortened([*moves[:at], (source, target), *moves[at + 2 :]])


@settings(deadline=None, max_examples=100)
@given(games, positions(), faces)
def test_single_steps_are_refused_by_the_first_rule_that_they_break(
    options: Options, position: str, die: int
) -> None:
    """Three dice of one number: what is no step of the second reading breaks a rule of steps."""
    if over(position):
        return
    state = GAME.throw(GAME.place(options, position), (die,) * 3)
    own, foe = parted(position)
    legal = list(steps(options, own, foe, die))
    for source in (HAND, BAR, *range(1, OFF)):
        for target in range(1, OFF + 1):
            broken = refused_by(state, f"{NAMES[source]}/{NAMES[target]}", die)
            if (source, target) in legal:
                assert broken in (None, "r-all")
            else:
                assert broken == first_rule(options, own, foe, source, target, die)


def refused_by(state: State, text: str, die: int) -> str | None:
    try:
        GAME.apply(state, Action("move", text, (die,)))
    except Illegal as refusal:
        return refusal.code
    except Unreadable as refusal:  # it hits, and the star is missing
        return {"not-canonical": None}[refusal.code]
    return None


def first_rule(
    options: Options, own: list[int], foe: list[int], source: int, target: int, die: int
) -> str:
    """The rule that refuses a step which the second reading does not have."""
    entering = source in (HAND, BAR)
    distance = target if entering else target - source
    bears_off = target == OFF and not entering
    if own[BAR] and source != BAR:
        return "r-bar"
    if not own[source] or (distance != die and not bears_off):
        return "r-enter" if entering else "r-move"
    if bears_off:
        return "r-off"
    if options["second_half"] == "closed" and own[HAND] and source <= 12 < target:
        return "r-half"
    return "r-open"


# ---- hostile texts: our own errors and nothing else

place = st.sampled_from(["hand", "bar", "off", "1", "6", "9", "24", "25", "0", "HAND", "٣", "10*"])
turns = st.lists(st.lists(place, min_size=1, max_size=4).map("/".join), max_size=5).map(" ".join)
position_like = st.text(alphabet="WBhbo0123456789:, -|٣３", max_size=150)
hostile = st.one_of(st.text(max_size=200), turns, position_like, positions())


@settings(deadline=None, max_examples=200)
@given(games, hostile, st.text(max_size=5), positions(), throws)
def test_hostile_texts(
    options: Options, text: str, kind: str, position: str, dice: tuple[int, ...]
) -> None:
    if over(position):
        return
    state = GAME.throw(GAME.place(options, position), dice)
    for attempt in (
        lambda: GAME.read(state, "move", text),
        lambda: GAME.read(state, "pass", text),
        lambda: GAME.read(state, kind, text),
        lambda: GAME.read(GAME.start(options), "move", text),
        lambda: GAME.apply(state, Action("move", text)),
        lambda: GAME.apply(state, Action("move", text, dice)),
        lambda: GAME.apply(state, Action("pass", text)),
        lambda: GAME.place(options, text),
    ):
        with suppress(TabellionError):
            attempt()


@pytest.mark.parametrize(
    "text",
    [
        "/" * 200_000,
        "9" * 200_000,
        "1/2" * 100_000,
        "1/2 " * 20,
        "1/" * 39 + "2",
        "hand/" * 15 + "3",
        " " * 200_000,
        "٩/٩",
        "\x00",
        "\ud800\udfff",
        "W h15 b0 o0 - | B h15 b0 o0 - | W\n",
        "W h٣ b0 o12 - | B h15 b0 o0 - | W",
        "W h15 b0 o0 " + "9:9," * 50_000 + " | B h15 b0 o0 - | W",
    ],
)
def test_huge_and_foreign_texts(text: str) -> None:
    state = GAME.throw(GAME.place(DEFAULTS, "W h15 b0 o0 - | B h15 b0 o0 - | W"), (1, 2, 3))
    attempts: list[Any] = [
        lambda: GAME.read(state, "move", text),
        lambda: GAME.read(state, "pass", text),
        lambda: GAME.apply(state, Action("move", text)),
        lambda: GAME.place(DEFAULTS, text),
        lambda: GAME.start(DEFAULTS | {"home": text}),
        lambda: GAME.start(DEFAULTS | {text: text}),
    ]
    for attempt in attempts:
        with pytest.raises(TabellionError) as refusal:
            attempt()
        assert len(str(refusal.value)) < 1000


values = st.one_of(
    st.none(), st.integers(), st.floats(), st.text(max_size=9), st.lists(faces), st.booleans()
)


@settings(deadline=None)
@given(st.dictionaries(st.one_of(st.sampled_from(list(DEFAULTS)), st.text(max_size=9)), values))
def test_hostile_options(changes: dict[str, Any]) -> None:
    try:
        state = GAME.start(DEFAULTS | changes)
    except TabellionError:
        return
    assert all(changes[name] in GAME.options[name].values for name in changes)
    assert GAME.wanted(state) is not None


@given(st.lists(st.integers(), max_size=5).map(tuple), st.booleans())
def test_hostile_dice(dice: tuple[int, ...], opening: bool) -> None:
    position = f"W h15 b0 o0 - | B h15 b0 o0 - | {'-' if opening else 'B'}"
    state = GAME.place(DEFAULTS, position)
    if len(dice) == (2 if opening else 3) and set(dice) <= set(range(1, 7)):
        GAME.throw(state, dice)
        return
    with pytest.raises(Illegal) as refusal:
        GAME.throw(state, dice)
    assert refusal.value.code == "bad-dice"
