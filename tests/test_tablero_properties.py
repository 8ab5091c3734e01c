"""What holds in every game of tablero, with all options: the game and an engine by hand, written
from the rulings alone, play the same games; the 36 points stay; hostile texts are refused.
"""

from __future__ import annotations

import re
from collections import Counter
from contextlib import suppress
from functools import partial
from itertools import combinations, product
from random import Random
from typing import Any

import pytest
import tablerobyhand as byhand
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from tablerobyhand import ACROSS, COLUMNS, NotAllowed

from ledger.errors import TabellionError, Unreadable
from ledger.games.protocol import Action, Illegal, OptionValue, Throw
from ledger.games.tablero import GAME, State

Options = dict[str, OptionValue]
Dice = tuple[int, int]

DEFAULTS: Options = {name: option.default for name, option in GAME.options.items()}
ALL_OPTIONS: list[Options] = [
    dict(zip(DEFAULTS, values, strict=True))
    for values in product(*(option.values for option in GAME.options.values()))
]
WORDS = ("wager", "pass", "run", "stop", "diablo", "done")
SEEN: Counter[str] = Counter()
"""How often games were seen to go this way and that."""
TO_BE_SEEN = (
    *("throw", "move", "pull", "wager", "pass", "run", "stop", "diablo", "done"),
    *("cleaned out pull", "cleaned out stop", "cleaned out throw"),
    "turn cap",
    *("Wager stands", "Wager redeemed", "Wager lost"),
    *("diablo, then answer", "diablo, then throw", "diablo between"),
    *("phase half moved", "may be done", "one coin with a throw"),
    *("no play, the dice stay", "no play, the dice pass"),
    *("run, then run-or-stop", "run, then throw"),
)

rulesets = st.sampled_from(list(GAME.rulesets)).map(
    lambda name: DEFAULTS | dict(GAME.rulesets[name].changes)
)
games = st.one_of(rulesets, st.sampled_from(ALL_OPTIONS))
faces = st.integers(1, 6)
luck = st.integers(0, 2**32)


# ---- acts and positions, drawn by lot


def as_action(act: str) -> Action:
    kind, _, text = act.partition(" ")
    return Action(kind, text or kind)


def as_act(action: Action) -> str:
    return action.kind if action.text == action.kind else f"{action.kind} {action.text}"


def any_step(lot: Random, rows: str) -> str:
    """Some coin to some square; mostly from where it stands."""
    column = lot.randrange(7)
    row = rows[column] if lot.random() < 0.9 else str(lot.randint(1, 7))
    return f"{COLUMNS[column]}{row}-{COLUMNS[column]}{lot.randint(1, 7)}"


def any_act(lot: Random, rows: str) -> str:
    """Some act in its spelling, whether the rules know it here or not."""
    what = lot.choice(("move", "move", "pull", "word"))
    if what == "word":
        return lot.choice(WORDS)
    if what == "pull":
        first, last = sorted(lot.choices(COLUMNS, k=2))
        return f"pull {lot.choice(rows.replace('0', '1'))}{first}-{last}"
    words = [any_step(lot, rows) for _ in range(lot.choice((1, 2, 2)))]
    return "move " + " ".join(sorted(words))


def any_position(lot: Random) -> str:
    """A position of a game that is on: many coins in one row, often one side with few points."""
    row = lot.choice((1, 2, 3, 4, 4, 4, 5, 6, 7))
    rows = [row if lot.random() < 0.7 else lot.randint(1, 7) for _ in range(7)]
    if lot.random() < 0.6:
        rows = [row] * 7
        if lot.random() < 0.7:
            rows[lot.choice((0, 6, lot.randrange(7)))] = lot.randint(1, 7)
    phases = ["throw", "throw", "decide", "decide", "answer"]
    seven = len(set(rows)) == 1 and 1 < row < 7
    phase = lot.choice([*phases, "run", "run-or-stop"] if seven else phases)
    wager = lot.randint(2, 9) if phase == "throw" and lot.random() < 0.5 else 0
    pot = 2 * lot.randint(0, 4) if phase == "run-or-stop" else 0
    loose = 29 - wager - pot
    few = lot.choice((lot.randint(0, 2), lot.randint(0, 8), lot.randint(0, loose)))
    stakes = lot.choice(((few, loose - few), (loose - few, few)))
    active = lot.choice(tuple(ACROSS))
    written = "".join(map(str, rows))
    return f"{written} {stakes[0]},{stakes[1]} {wager} {pot} {active} {phase}"


positions = luck.map(lambda number: any_position(Random(number)))


def eager(lot: Random, rows: str, acts: list[str]) -> str:
    """Some act of those that are allowed: often to where most coins are, seldom a Pull."""
    common = max(rows, key=rows.count)
    first = [act for act in acts if act in ("run", "done", "wager")]
    joining = [
        act
        for act in acts
        if act.startswith("move ") and all(word[-1] == common for word in act.split()[1:])
    ]
    rare = [act for act in acts if act.split()[0] in ("pull", "stop", "diablo")]
    others = [act for act in acts if act not in rare]
    if (first or joining) and lot.random() < 0.6:
        return lot.choice(first or joining)
    return lot.choice(rare if rare and (not others or lot.random() < 0.2) else others)


def every_act(rows: str) -> list[str]:
    """All that could be written of a board: single steps, pairs of steps, Pulls, words."""
    squares = [
        [f"{column}{row}-{column}{target}" for target in range(1, 8)]
        for column, row in zip(COLUMNS, rows, strict=True)
    ]
    single = [f"move {step}" for steps in squares for step in steps]
    pairs = [
        f"move {step} {other}"
        for steps, others in combinations(squares, 2)
        for step, other in product(steps, others)
    ]
    pulls = [
        f"pull {row}{first}-{last}"
        for row in range(1, 8)
        for first, last in product(COLUMNS, COLUMNS)
        if first <= last
    ]
    return [*single, *pairs, *pulls, *WORDS]


# ---- the game and the engine by hand


def points(position: str) -> list[int]:
    """The stakes, the coins on the board, Wager and pot."""
    rows, stakes, wager, pot, *_ = position.split()
    south, north = stakes.split(",")
    return [int(south), int(north), 7 - rows.count("0"), int(wager), int(pot)]


def agree(state: State, sheet: byhand.State) -> list[str]:
    """The game says of a state what the engine by hand says. Gives all acts that are allowed."""
    assert GAME.position(state) == byhand.position(sheet)
    legal = list(GAME.legal(state))
    assert legal == sorted(legal, key=lambda action: (action.kind, action.text))
    assert [action.text for action in legal if action.kind not in GAME.actions] == []
    acts = [as_act(action) for action in legal]
    assert len(acts) == len(set(acts))
    assert set(acts) == byhand.legal(sheet)
    active = sheet["active"]
    outcome, wanted = GAME.outcome(state), GAME.wanted(state)
    assert (wanted is not None) == byhand.may_throw(sheet)
    assert (outcome is not None) == (sheet["phase"] == "over")
    if outcome is not None:
        assert GAME.turn(state) is None
        assert (outcome.winner or "-") == active
        assert not legal
    elif sheet["phase"] == "opening":
        assert wanted == Throw("south", ("south", "north"))
    else:
        assert GAME.turn(state) == GAME.actor(state, "move") == active
        assert GAME.actor(state, "diablo") == ACROSS[active]
        assert wanted in (None, Throw(active, (active, active)))
    if sheet["phase"] == "move":
        assert GAME.thrown(state) == tuple(sheet["dice"])
    return sorted({*acts, *byhand.calls(sheet)})


def cleaned_out(position: str, act: str, options: Options) -> bool:
    """Whether an act or a throw asks somebody for more points than their stake holds."""
    _, stakes, _, _, active, phase = position.split()
    south, north = map(int, stakes.split(","))
    own, other = (south, north) if active == "south" else (north, south)
    kind, _, rest = act.partition(" ")
    if kind == "pull":
        return other < ord(rest[3]) - ord(rest[1]) + 1
    if kind == "stop":
        return other < 7
    if kind != "throw" or phase not in ("run", "run-or-stop"):
        return False
    if options["run"] == "banked" and other < 2:
        return True
    one, two = rest.split("-")
    return own < 7 if int(one) + int(two) in (7, 11, 12) else other < 2


def noted(before: str, act: str, after: str) -> None:
    """Count what has come about."""
    phase, reached = before.split()[-1], after.split()[-1]
    half_moved = reached.startswith("move:") and "-" not in reached
    reached = "half moved" if half_moved else reached.split(":")[0]
    wager, left = before.split()[2], after.split()[2]
    kind = act.split()[0]
    SEEN[kind] += 1
    SEEN[f"phase {reached}"] += 1
    if kind == "throw" and phase in ("throw", "decide") and reached == "decide":
        SEEN["no play, the dice stay"] += 1
    if kind == "throw" and phase == "decide" and reached == "throw":
        SEEN["no play, the dice pass"] += 1
    if kind == "throw" and phase == "throw" and wager > left:
        SEEN["Wager lost"] += 1
    if kind in ("move", "done"):
        SEEN["one coin with a throw"] += len(act.split()) == 2 and "-" in phase
        SEEN["Wager redeemed"] += wager > left
        SEEN["Wager stands"] += wager == left != "0"
    if kind == "diablo":
        SEEN[f"diablo, then {reached}"] += 1
        SEEN["diablo between"] += "-" not in phase
    if kind == "throw" and phase in ("run", "run-or-stop"):
        SEEN[f"run, then {reached}"] += 1


class Games(RuleBasedStateMachine):
    """One game after the other, each with options of its own. ``sheet`` is the engine by hand."""

    options: Options
    state: State
    sheet: byhand.State
    allowed: list[str]
    passed: int
    """How often the dice went to the other side, counted here."""

    def begin(self, options: Options, lot: Random) -> None:
        """From the opening roll, with a turn cap or without; or from anywhere."""
        self.options, self.passed = options, 0
        cap = lot.choice((None, None, 2, lot.randint(1, 30)))
        if lot.random() < 0.2:
            self.state, self.sheet = GAME.start(options), byhand.start(options)
        else:
            position = any_position(lot)
            self.state, self.sheet = GAME.place(options, position), byhand.place(options, position)
        if cap is not None:
            self.state, self.sheet["cap"] = GAME.limited(self.state, cap), cap
        self.allowed = agree(self.state, self.sheet)

    @property
    def over(self) -> bool:
        return bool(self.sheet["phase"] == "over")

    @initialize(options=games, number=luck)
    def open(self, options: Options, number: int) -> None:
        self.begin(options, Random(number))

    @precondition(lambda self: self.over)
    @rule(options=games, number=luck)
    def open_another(self, options: Options, number: int) -> None:
        self.begin(options, Random(number))

    # -- what is allowed

    @precondition(lambda self: byhand.may_throw(self.sheet))
    @rule(one=faces, two=faces)
    def throw(self, one: int, two: int) -> None:
        before = byhand.position(self.sheet)
        self.state = GAME.throw(self.state, (one, two))
        self.sheet = byhand.throw(self.sheet, (one, two))
        self.look(before, f"throw {one}-{two}")

    @precondition(lambda self: self.allowed)
    @rule(number=luck)
    def act(self, number: int) -> None:
        """Something that is allowed: mostly what makes a row longer, or few games would come to a
        Run."""
        act = eager(Random(number), byhand.position(self.sheet)[:7], self.allowed)
        action = as_action(act)
        assert GAME.read(self.state, action.kind, action.text) == action
        before = byhand.position(self.sheet)
        self.state = GAME.apply(self.state, action)
        self.sheet = byhand.apply(self.sheet, act)
        self.look(before, act)

    def throw_or_act(self, lot: Random) -> None:
        """One step of a walk without Hypothesis."""
        if byhand.may_throw(self.sheet) and (not self.allowed or lot.random() < 0.6):
            one, two = lot.choices((1, 2, 3, 4, 5, 6), k=2)
            self.throw(one, two)
        else:
            self.act(lot.getrandbits(32))

    def look(self, before: str, act: str) -> None:
        """What follows from an act or a throw, beside what the engine by hand says."""
        self.allowed = agree(self.state, self.sheet)
        after = GAME.position(self.state)
        was, now = before.split()[-2], after.split()[-2]
        outcome, empty = GAME.outcome(self.state), cleaned_out(before, act, self.options)
        if empty:
            assert outcome is not None
            assert outcome.reason == "cleaned_out"
            assert 0 in points(after)[:2], "who could not pay has nothing left"
            SEEN[f"cleaned out {act.split()[0]}"] += 1
            return
        cap = self.sheet["cap"]
        if outcome is None:
            self.passed += was not in (now, "-")
            assert cap is None or self.passed < cap
            noted(before, act, after)
            SEEN["may be done"] += "done" in self.allowed
            return
        south, north, *_ = points(after)
        larger = "south" if south > north else "north"
        assert outcome.reason == "turn_cap", "who can pay plays on"
        assert self.passed + 1 == cap
        assert outcome.winner == (None if south == north else larger)
        SEEN["turn cap"] += 1

    @precondition(lambda self: not self.over)
    @rule(north=st.integers(0, 36), often=faces)
    def settle(self, north: int, often: int) -> None:
        """Both agree; once in a while."""
        if often > 1:
            return
        self.state = GAME.settle(self.state, (36 - north, north))
        self.sheet = byhand.settle(self.sheet, 36 - north, north)
        self.allowed = agree(self.state, self.sheet)
        outcome = GAME.outcome(self.state)
        assert outcome is not None
        assert outcome.reason == "settled"

    # -- what is not

    @rule(number=luck)
    def act_anyhow(self, number: int) -> None:
        """Any act: it is done where the engine by hand allows it, and refused where it does not."""
        act = any_act(Random(number), byhand.position(self.sheet)[:7])
        if act in self.allowed:
            GAME.apply(self.state, as_action(act))
            return
        refused(self.state, act)
        with pytest.raises(NotAllowed):
            byhand.apply(self.sheet, act)

    @rule(dice=st.lists(st.integers(-1, 8), max_size=3).map(tuple))
    def throw_anyhow(self, dice: tuple[int, ...]) -> None:
        fits = len(dice) == 2 and set(dice) <= set(range(1, 7))
        if byhand.may_throw(self.sheet) and fits:
            GAME.throw(self.state, dice)
            return
        with pytest.raises(Illegal) as refusal:
            GAME.throw(self.state, dice)
        in_turn = byhand.may_throw(self.sheet)
        assert refusal.value.code == ("bad-dice" if in_turn else "no-throw")

    # -- what always holds

    @invariant()
    def the_points_stay(self) -> None:
        south, north, coins, wager, pot = points(GAME.position(self.state))
        assert south + north + coins + wager + pot == 36
        assert min(south, north, wager, pot) >= 0
        if self.sheet["phase"] not in ("opening", "over"):
            assert coins == 7

    @invariant()
    def the_position_is_read_back(self) -> None:
        position = GAME.position(self.state)
        again = GAME.place(self.options, position)
        assert GAME.position(again) == position
        assert GAME.wanted(again) == GAME.wanted(self.state)
        if len(self.sheet["dice"]) == 1:  # the text does not say which coin has moved
            assert set(GAME.legal(self.state)) <= set(GAME.legal(again))
            return
        assert GAME.legal(again) == GAME.legal(self.state)
        if "diablo" in self.allowed:
            assert GAME.read(again, "diablo", "") == Action("diablo", "diablo")
        won, known = GAME.outcome(again), GAME.outcome(self.state)
        assert (won and won.winner) == (known and known.winner)

    @invariant()
    def the_table_is_told_what_may_be_done(self) -> None:
        told = [text for each in GAME.choices(self.state) for text in each.texts]
        words = {word for act in self.allowed for word in act.split() if "-" in word}
        if self.sheet["phase"] == "move":
            assert words == {text for text in told if re.fullmatch("[a-g][1-7]-[a-g][1-7]", text)}
            assert ("done" in self.allowed) == ("done" in told)
        else:
            for act in self.allowed:
                assert [text for text in told if re.match(rf"{act}\b", text)]
        remarks = " ".join(GAME.remarks(self.state))
        assert ("diablo" in self.allowed) == ("diablo" in remarks)
        wager = self.sheet["wager"]
        told = "cannot be redeemed" if wager > 7 else "stands"
        assert bool(wager) == (f"Wager of {wager} {told}" in remarks)

    @invariant()
    def the_board_shows_every_point(self) -> None:
        board = GAME.surface(self.state)
        assert sum(dict(board.counts).values()) + len(board.pieces) == 36
        spots = [
            tuple(
                f"{COLUMNS[column]}{self.sheet['rows'][column]}"
                for column in range(first, last + 1)
            )
            for first, last in byhand.formations(self.sheet)
        ]
        assert sorted(board.joined) == sorted(spots)
        assert {spot for joined in spots for spot in joined} <= set(board.pieces)


def refused(state: State, act: str) -> None:
    """An act that the rules do not allow is refused where it is recorded. What is typed may mean
    another one, but never this one."""
    action = as_action(act)
    with pytest.raises((Illegal, Unreadable)) as refusal:
        GAME.apply(state, action)
    assert refusal.value.code != "not-canonical", "as if it were only spelled wrongly"
    with suppress(Illegal, Unreadable):
        assert GAME.read(state, action.kind, action.text) != action


TestGames = Games.TestCase
TestGames.settings = settings(deadline=None, max_examples=60, stateful_step_count=50)


def test_games_by_all_options() -> None:
    """A walk for each of the 256 ways to play; together they come to everything there is."""
    SEEN.clear()
    for number, options in enumerate(ALL_OPTIONS):
        walk, lot = Games(), Random(number)
        walk.begin(options, lot)
        for _ in range(24):
            if walk.over or lot.random() < 0.15:
                walk.begin(options, lot)
            walk.throw_or_act(lot)
            walk.act_anyhow(lot.getrandbits(32))
            walk.the_points_stay()
            walk.the_position_is_read_back()
    assert [what for what in TO_BE_SEEN if not SEEN[what]] == []


@settings(deadline=None, max_examples=40)
@given(games, positions, faces, faces, luck)
def test_every_act_is_done_or_refused(
    options: Options, position: str, one: int, two: int, number: int
) -> None:
    """All acts that can be written of one position, and in a called throw of the next one too."""
    state, sheet = GAME.place(options, position), byhand.place(options, position)
    if byhand.may_throw(sheet) and not byhand.legal(sheet):
        state, sheet = GAME.throw(state, (one, two)), byhand.throw(sheet, (one, two))
    every = each_act_once(state, sheet)
    if len(sheet["dice"]) == 2 and options["diablo"] == "called":
        act = Random(number).choice(sorted(every))
        each_act_once(GAME.apply(state, as_action(act)), byhand.apply(sheet, act))


def each_act_once(state: State, sheet: byhand.State) -> set[str]:
    allowed = byhand.legal(sheet) | byhand.calls(sheet)
    written = every_act(byhand.position(sheet)[:7])
    assert allowed <= set(written)
    for act in written:
        if act not in allowed:
            refused(state, act)
            continue
        action = as_action(act)
        assert GAME.read(state, action.kind, action.text) == action
        after = GAME.apply(state, action)
        assert GAME.position(after) == byhand.position(byhand.apply(sheet, act))
    return allowed


@settings(deadline=None, max_examples=60)
@given(games, positions, faces, faces, luck)
def test_what_people_type_for_a_move(
    options: Options, position: str, one: int, two: int, number: int
) -> None:
    """Any order, capitals, commas, without where a coin stands, with a stop on its way."""
    lot, sheet = Random(number), byhand.place(options, position)
    if not byhand.may_throw(sheet) or sheet["phase"] == "run-or-stop":
        return
    state, sheet = (
        GAME.throw(GAME.place(options, position), (one, two)),
        byhand.throw(sheet, (one, two)),
    )
    for act in sorted(byhand.legal(sheet)):
        kind, *words = act.split()
        if kind != "move":
            continue
        typed = [typed_word(lot, word) for word in words]
        lot.shuffle(typed)
        text = lot.choice((" ", ", ", ",", "  ")).join(typed)
        read = GAME.read(state, "move", lot.choice((text, text.upper(), f" {text} ")))
        assert as_act(read) == act


def typed_word(lot: Random, word: str) -> str:
    column, source, target = word[0], int(word[1]), int(word[4])
    way = range(min(source, target), max(source, target) + 1)
    stops = list(way)[1:-1]
    stop = lot.choice(stops) if stops else source
    return lot.choice(
        (
            word,
            f"{column}{target}",
            f"{column}{source}{column}{target}",
            f"{column}{source}-{column}{stop}-{column}{target}" if stops else word,
            f"{column}{source}-{column}{stop} {column}{stop}-{column}{target}" if stops else word,
        )
    )


# ---- hostile texts: our own errors and nothing else

word = st.sampled_from(
    [
        "a1-a4",
        "c4",
        "g7-g8",
        "h1",
        "c1-c3-c6",
        "c1-d2",
        "4a-c",
        "4g-a",
        "a4-c4",
        "pull",
        "4",
        "٤a-c",
    ]
)
act_like = st.lists(word, max_size=4).map(" ".join)
position_like = st.text(alphabet="0123456789,:- southnertwvdcabgp٣３", max_size=60)
hostile = st.one_of(st.text(max_size=100), act_like, position_like, positions)
kinds = st.one_of(st.sampled_from(sorted(GAME.actions)), st.text(max_size=5))


@settings(deadline=None, max_examples=300)
@given(games, hostile, kinds, positions, st.tuples(faces, faces), st.lists(faces).map(tuple))
def test_hostile_texts(
    options: Options, text: str, kind: str, position: str, dice: Dice, claimed: tuple[int, ...]
) -> None:
    state = GAME.place(options, position)
    states = [GAME.start(options), state]
    if GAME.wanted(state) is not None:
        states.append(GAME.throw(state, dice))
    for each in states:
        with suppress(TabellionError):
            GAME.read(each, kind, text)
        for action in (Action(kind, text), Action(kind, text, claimed)):
            with suppress(TabellionError):
                GAME.apply(each, action)
    with suppress(TabellionError):
        placed = GAME.place(options, text)
        assert GAME.position(placed) == text


@settings(deadline=None, max_examples=200)
@given(games, positions, st.integers(0, 50), st.sampled_from("0123456789 ,-:sonthrwdcie"))
def test_a_position_with_one_letter_changed(
    options: Options, position: str, at: int, letter: str
) -> None:
    """It is read as it is written, plays on, or is refused."""
    at %= len(position)
    changed = position[:at] + letter + position[at + 1 :]
    with suppress(Unreadable):
        state = GAME.place(options, changed)
        assert GAME.position(state) == changed
        assert sum(points(changed)) == 36
        agree(state, byhand.place(options, changed))


@pytest.mark.parametrize(
    "text",
    [
        "a" * 200_000,
        "9" * 200_000,
        "c1-" * 100_000,
        "c1-c4 " * 14,
        "4a" * 40,
        " " * 200_000,
        "c١-c٤",
        "４a-c",
        "\x00",
        "\ud800\udfff",
        "7777711 16,13 0 0 north throw\n",
        "7777711 １６,13 0 0 north throw",
        "7777711 16,13 0 0 north move:" + "4-" * 50_000,
    ],
)
def test_huge_and_foreign_texts(text: str) -> None:
    state = GAME.place(DEFAULTS, "7777711 16,13 0 0 north throw")
    moving = GAME.throw(state, (1, 2))
    attempts: list[Any] = [
        *(partial(GAME.read, state, kind, text) for kind in sorted(GAME.actions)),
        *(partial(GAME.read, moving, kind, text) for kind in ("move", "pull")),
        *(partial(GAME.apply, moving, Action(kind, text)) for kind in sorted(GAME.actions)),
        partial(GAME.apply, state, Action(text, text)),
        partial(GAME.place, DEFAULTS, text),
        partial(GAME.start, DEFAULTS | {"run": text}),
        partial(GAME.start, DEFAULTS | {text: text}),
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
