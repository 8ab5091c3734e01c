"""Statistics of dice: what is counted, what is called unusual, and how seldom that is a mistake."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from itertools import cycle, islice
from math import exp, lgamma, log

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.statistics import (
    FEWEST,
    LIMIT,
    DiceStatistics,
    Thrown,
    Verdict,
    by_owner,
    five_degrees,
    judge,
    twenty_degrees,
)

FAIR = (1, 1, 1, 1, 1, 1)
LOADED = (3, 3, 3, 3, 3, 5)
"""A 6 in one of four."""


def throws(*dice: tuple[int, ...], owner: str = "Alba") -> list[Thrown]:
    return [Thrown(thrown, (owner,) * len(thrown)) for thrown in dice]


def match(
    chance: random.Random,
    times: int,
    weights: Sequence[int] = FAIR,
    dice: int = 3,
    written: str = "as thrown",
) -> DiceStatistics:
    """The statistics of a match with so many throws."""
    thrown = [chance.choices(range(1, 7), weights, k=dice) for _ in range(times)]
    if written == "in order of size":
        thrown = [sorted(each) for each in thrown]
    return judge(throws(*map(tuple, thrown)))


def lying(*counts: int) -> list[Thrown]:
    """One die in each throw, its faces so often."""
    return throws(*((face,) for face, times in enumerate(counts, 1) for _ in range(times)))


def seldom(chances: Sequence[float | None], limit: float) -> float:
    """The share of the matches whose chance is below the limit."""
    return sum(chance is not None and chance < limit for chance in chances) / len(chances)


# -- counting --------------------------------------------------------------------------------


def test_faces_and_pairs_are_counted_against_what_is_expected() -> None:
    found = judge(throws((2, 5, 6), (6, 5, 6), (1, 1)))
    assert (found.throws, found.dice) == (3, 8)
    assert [each.count for each in found.faces] == [2, 1, 0, 0, 2, 3]
    assert {each.expected for each in found.faces} == {8 / 6}
    together = {each.faces: each.count for each in found.pairs if each.count}
    assert together == {(2, 5): 1, (2, 6): 1, (5, 6): 3, (6, 6): 1, (1, 1): 1}
    expected = {each.faces: each.expected for each in found.pairs}
    assert (expected[1, 1], expected[1, 2]) == pytest.approx((7 / 36, 14 / 36))


def test_twenty_one_pairs_are_listed_the_lower_face_first() -> None:
    pairs = [each.faces for each in judge([]).pairs]
    assert len(set(pairs)) == 21
    assert all(low <= high for low, high in pairs)


@given(st.lists(st.lists(st.integers(1, 6), max_size=4).map(tuple), max_size=60))
def test_nothing_is_lost_in_counting(dice: list[tuple[int, ...]]) -> None:
    found = judge(throws(*dice))
    assert found.dice == sum(map(len, dice)) == sum(each.count for each in found.faces)
    pairs = sum(len(each) * (len(each) - 1) // 2 for each in dice)
    assert sum(each.count for each in found.pairs) == pairs
    assert sum(each.expected for each in found.pairs) == pytest.approx(pairs)
    assert found.faces == judge(throws(*dice[::-1])).faces


def test_a_die_belongs_to_its_owner_in_the_opening_throw_too() -> None:
    opening = Thrown((4, 2), ("Alba", "Bruno"))
    owned = by_owner([opening, *throws((1, 2, 3)), *throws((6, 6, 6), owner="Bruno")])
    assert owned == {
        "Alba": throws((4,), (1, 2, 3)),
        "Bruno": throws((2,), (6, 6, 6), owner="Bruno"),
    }


def test_voided_throws_are_told_and_count_nowhere() -> None:
    dice = throws(*[(1, 3, 5), (2, 4, 6)] * 20)
    found, without = judge(dice, voided={"Alba": 2, "Bruno": 1}), judge(dice)
    assert found.voided == {"Alba": 2, "Bruno": 1}
    assert found.text == f"{without.text} Void or taken back, not counted: Alba 2, Bruno 1."
    assert msgspec.structs.replace(found, voided={}, text=without.text) == without


def test_json_has_plain_values() -> None:
    told = msgspec.json.decode(msgspec.json.encode(judge(throws((6, 6, 6)))))
    assert told["verdict"] == "too-few"
    assert told["faces"][5] == {"face": 6, "count": 3, "expected": 0.5}
    assert told["pairs"][20] == {"faces": [6, 6], "count": 3, "expected": 3 / 36}
    assert told["faces_chance"] is None


# -- chances ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("chance", "five", "twenty"),
    [
        (0.95, 1.145, 10.851),
        (0.05, 11.070, 31.410),
        (0.01, 15.086, 37.566),
        (0.001, 20.515, 45.315),
    ],
)
def test_the_tails_of_chi_squared_are_those_of_printed_tables(
    chance: float, five: float, twenty: float
) -> None:
    assert five_degrees(five) == pytest.approx(chance, rel=1e-3)
    assert twenty_degrees(twenty) == pytest.approx(chance, rel=1e-3)


def test_the_tails_begin_at_one_and_end_at_nothing() -> None:
    assert five_degrees(0) == twenty_degrees(0) == 1
    assert five_degrees(1e7) == twenty_degrees(1e7) == 0


def squares(dice: int) -> dict[int, float]:
    """The exact distribution of the sum of the squares of the six counts of fair dice."""
    mean = dice / 6
    poisson = [exp(-mean + count * log(mean) - lgamma(count + 1)) for count in range(dice + 1)]
    found: dict[tuple[int, int], float] = {(0, 0): 1.0}
    for _ in range(6):
        more: dict[tuple[int, int], float] = defaultdict(float)
        for (used, total), chance in found.items():
            for count in range(dice - used + 1):
                if (both := chance * poisson[count]) > 1e-13:
                    more[used + count, total + count * count] += both
        found = more
    whole = sum(chance for (used, _), chance in found.items() if used == dice)
    return {total: chance / whole for (used, total), chance in found.items() if used == dice}


def test_a_hundred_fair_dice_are_unusual_as_seldom_as_is_said() -> None:
    """Chi-squared is an approximation; here it is held against every way a hundred dice can
    fall."""
    exact = squares(FEWEST)
    assert sum(exact.values()) == pytest.approx(1)
    for limit in (0.1, 0.01, LIMIT):
        chance = sum(
            chance
            for total, chance in exact.items()
            if five_degrees(max(6 * total / FEWEST - FEWEST, 0)) < limit
        )
        assert chance == pytest.approx(limit, rel=0.06)


@pytest.mark.parametrize("written", ["as thrown", "in order of size"])
def test_fair_dice_are_seldom_suspected_however_people_write_them_down(written: str) -> None:
    chance = random.Random(476)
    matches = [match(chance, times=200, written=written) for _ in range(1000)]
    faces = [each.faces_chance for each in matches]
    pairs = [each.pairs_chance for each in matches]
    for chances in (faces, pairs):
        assert 0.4 < seldom(chances, 0.5) < 0.6
        assert seldom(chances, 0.05) < 0.07
    assert sum(each.verdict is Verdict.UNUSUAL for each in matches) <= 4


# -- verdicts --------------------------------------------------------------------------------


def test_loaded_dice_are_found_within_four_hundred_throws() -> None:
    chance = random.Random(1)
    for _ in range(50):
        assert match(chance, times=400, weights=LOADED).verdict is Verdict.UNUSUAL


@pytest.mark.parametrize("times", [0, 1, 20, 33])
def test_a_few_throws_are_never_unusual_not_even_sixes_only(times: int) -> None:
    found = judge(throws(*[(6, 6, 6)] * times))
    assert found.verdict is Verdict.TOO_FEW
    assert found.faces_chance is found.pairs_chance is None


def test_a_hundred_sixes_are_unusual() -> None:
    assert judge(throws(*[(6, 6, 6)] * 34)).verdict is Verdict.UNUSUAL


def test_among_many_players_something_rare_is_to_be_expected() -> None:
    dice = lying(44, 44, 44, 44, 43, 81)
    alone, among = judge(dice), judge(dice, together=12)
    assert alone.faces_chance == among.faces_chance == pytest.approx(1 / 3069, rel=1e-3)
    assert alone.verdict is Verdict.UNUSUAL
    assert among.verdict is Verdict.AS_EXPECTED


def doubles(times: int) -> list[Thrown]:
    """Every face as often as the others, but always two of them."""
    return throws(*islice(cycle((face, face) for face in range(1, 7)), times))


def test_dice_that_follow_one_another_show_in_the_pairs_alone() -> None:
    found = judge(doubles(180))
    assert found.faces_chance == 1
    assert found.verdict is Verdict.UNUSUAL
    assert "the pairs of fair dice" in found.text


def test_pairs_are_judged_once_five_of_each_double_are_expected() -> None:
    assert judge(doubles(179)).pairs_chance is None
    assert judge(doubles(180)).pairs_chance is not None


def test_where_faces_and_pairs_are_judged_each_has_half_the_limit() -> None:
    single = lying(54, 54, 53, 53, 53, 93)
    faces = [die for throw in single for die in throw.dice]
    random.Random(1).shuffle(faces)
    one, two = judge(single), judge(throws(*zip(faces[::2], faces[1::2], strict=True)))
    assert one.faces_chance == two.faces_chance == pytest.approx(1 / 1750, rel=1e-3)
    assert two.pairs_chance is not None
    assert one.verdict is Verdict.UNUSUAL
    assert two.verdict is Verdict.AS_EXPECTED


# -- words -----------------------------------------------------------------------------------


def test_an_arbiter_reads_that_the_dice_fell_as_fair_dice_do() -> None:
    assert match(random.Random(6), times=212).text == (
        "212 throws, 636 dice. The faces fell as fair dice do: a spread as wide as this or wider "
        "comes in 17 of 100 matches. So did the pairs: in 68 of 100."
    )


def test_an_arbiter_reads_that_there_are_too_few() -> None:
    assert judge(throws(*[(6, 6, 6)] * 20)).text == (
        "Too few to say anything: 20 throws. "
        "Even a badly loaded die shows only after some hundreds."
    )
    assert judge(throws((6, 6, 6))).text.startswith("Too few to say anything: 1 throw. ")


def test_an_arbiter_reads_what_is_unusual_and_that_it_proves_nothing() -> None:
    assert judge(lying(44, 44, 44, 44, 43, 81)).text == (
        "300 throws, 300 dice. Unusual: the faces of fair dice spread as widely as this only once "
        "in 3 100 such matches. "
        "That proves nothing alone; it is a reason to look at the dice."
    )


def test_an_arbiter_reads_how_many_were_judged_together() -> None:
    assert judge(throws(*[(6, 6, 6)] * 400), together=12).text.startswith(
        "400 throws, 1 200 dice. Unusual, even among 12 judged together: the faces of fair dice "
        "spread as widely as this less than once in a million such matches. "
    )


def test_what_is_rare_and_not_unusual_is_said_so() -> None:
    assert judge(lying(44, 44, 44, 44, 43, 81), together=12).text == (
        "300 throws, 300 dice. The faces fell as fair dice do: a spread as wide as this or wider "
        "comes only once in 3 100 matches. That is rare, but not rare enough to mean anything."
    )


def test_never_is_it_said_that_it_comes_in_every_match() -> None:
    assert "comes in 99 of 100 matches" in judge(lying(20, 20, 20, 20, 20, 20)).text
