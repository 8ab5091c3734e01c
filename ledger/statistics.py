"""Whether dice fell as fair dice do: what was thrown, what was to be expected, how far chance goes.

Pure, and slow to accuse: under a hundred dice nothing is said, and whoever judges several players
or matches has to say how many. A verdict is about dice, never about a person.

Pearson's chi-squared test; its tails are the exact sums of M. Abramowitz, I. A. Stegun, *Handbook
of Mathematical Functions* (1964), 26.4.4 (odd) and 26.4.5 (even degrees of freedom).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from itertools import combinations, combinations_with_replacement
from math import erfc, exp, factorial, floor, log10, pi, sqrt
from typing import Final, assert_never

from msgspec import Struct
from msgspec.structs import replace

FEWEST: Final = 100
"""Dice that must have been thrown before anything is said of them."""
LIMIT: Final = 1 / 1000
"""What fair dice do more rarely than this is unusual, if nothing else is judged with it."""
_SMALLEST_CELL: Final = 5
"""Expected in every cell, or chi-squared is a poor guide: the usual rule (W. G. Cochran, *Some
methods for strengthening the common chi-squared tests*, Biometrics 10, 1954)."""
_RARE: Final = 1 / 100

_FACES: Final = range(1, 7)
_PAIRS: Final = tuple(combinations_with_replacement(_FACES, 2))


class Thrown(Struct, frozen=True):
    """Dice thrown at once, with faces from 1 to 6, and whose each of them is."""

    dice: tuple[int, ...]
    owners: tuple[str, ...]


class Verdict(Enum):
    TOO_FEW = "too-few"
    AS_EXPECTED = "as-expected"
    UNUSUAL = "unusual"


class FaceCount(Struct, frozen=True):
    face: int
    count: int
    expected: float


class PairCount(Struct, frozen=True):
    """How often two faces, the lower first, lay together in a throw, in whatever order."""

    faces: tuple[int, int]
    count: int
    expected: float


class DiceStatistics(Struct, frozen=True):
    """``faces_chance`` and ``pairs_chance``: how probable fair dice make a spread as wide or wider;
    ``None`` where there are too few to say."""

    throws: int
    dice: int
    faces: tuple[FaceCount, ...]
    pairs: tuple[PairCount, ...]
    faces_chance: float | None
    pairs_chance: float | None
    voided: dict[str, int]
    """Throws that were voided or taken back, by person. They count nowhere else."""
    verdict: Verdict
    text: str
    """The verdict in sentences."""


def judge(
    throws: Iterable[Thrown], *, voided: Mapping[str, int] | None = None, together: int = 1
) -> DiceStatistics:
    """The statistics of these throws. ``together`` is how many such sets (players, matches) are
    judged at once: among many, something rare is to be expected, so the limit is divided by it
    (Bonferroni), and by two where faces and pairs are both judged."""
    dice = [throw.dice for throw in throws]
    faces = Counter(die for thrown in dice for die in thrown)
    pairs = Counter(pair for thrown in dice for pair in combinations(sorted(thrown), 2))
    chances = _chances(faces, Counter(_independent_pairs(dice)))
    statistics = DiceStatistics(
        throws=len(dice),
        dice=faces.total(),
        faces=tuple(FaceCount(face, faces[face], faces.total() / 6) for face in _FACES),
        pairs=tuple(
            PairCount(pair, pairs[pair], pairs.total() * _probability(pair)) for pair in _PAIRS
        ),
        faces_chance=chances.get("faces"),
        pairs_chance=chances.get("pairs"),
        voided=dict(voided or {}),
        verdict=_verdict(chances, together),
        text="",
    )
    return replace(statistics, text=_text(statistics, chances, together))


def by_owner(throws: Iterable[Thrown]) -> dict[str, list[Thrown]]:
    """The same throws for each owner, with only the dice that are theirs."""
    owned: dict[str, list[Thrown]] = {}
    for throw in throws:
        for owner in dict.fromkeys(throw.owners):
            dice = tuple(
                die for die, whose in zip(throw.dice, throw.owners, strict=True) if whose == owner
            )
            owned.setdefault(owner, []).append(Thrown(dice, (owner,) * len(dice)))
    return owned


def _independent_pairs(dice: Iterable[tuple[int, ...]]) -> Iterator[tuple[int, int]]:
    """One pair of each throw: pairs that share a die are not independent. Which one goes by the
    number of the throw: people write dice down in order of size, and the first two would be the
    lowest."""
    several = (thrown for thrown in dice if len(thrown) > 1)
    for number, thrown in enumerate(several):
        choices = list(combinations(thrown, 2))
        one, other = choices[number % len(choices)]
        yield min(one, other), max(one, other)


def _chances(faces: Counter[int], pairs: Counter[tuple[int, int]]) -> dict[str, float]:
    """How probable fair dice make a spread as wide or wider, for what can be judged."""
    if faces.total() < FEWEST:
        return {}
    face_cells = [(faces[face], faces.total() / 6) for face in _FACES]
    pair_cells = [(pairs[pair], pairs.total() * _probability(pair)) for pair in _PAIRS]
    chances = {"faces": five_degrees(_chi_squared(face_cells))}
    if min(expected for _, expected in pair_cells) >= _SMALLEST_CELL:
        chances["pairs"] = twenty_degrees(_chi_squared(pair_cells))
    return chances


def _probability(pair: tuple[int, int]) -> float:
    return 1 / 36 if pair[0] == pair[1] else 2 / 36


def _chi_squared(cells: Iterable[tuple[int, float]]) -> float:
    return sum((count - expected) ** 2 / expected for count, expected in cells)


def five_degrees(x: float) -> float:
    """The chance that chi-squared of 5 degrees of freedom is at least ``x`` (26.4.4)."""
    return erfc(sqrt(x / 2)) + sqrt(2 * x / pi) * exp(-x / 2) * (1 + x / 3)


def twenty_degrees(x: float) -> float:
    """The same of 20 degrees (26.4.5): a Poisson variable of mean x/2 is at most 9."""
    return sum(exp(-x / 2) * (x / 2) ** i / factorial(i) for i in range(10))


def _verdict(chances: Mapping[str, float], together: int) -> Verdict:
    if not chances:
        return Verdict.TOO_FEW
    unusual = min(chances.values()) * len(chances) * max(together, 1) < LIMIT
    return Verdict.UNUSUAL if unusual else Verdict.AS_EXPECTED


# -- words ---------------------------------------------------------------------------------


def _text(statistics: DiceStatistics, chances: Mapping[str, float], together: int) -> str:
    throws = f"{_number(statistics.throws)} throw{'' if statistics.throws == 1 else 's'}"
    widest = min(chances, key=lambda what: chances[what], default="")
    match statistics.verdict:
        case Verdict.TOO_FEW:
            sentences = [
                f"Too few to say anything: {throws}.",
                "Even a badly loaded die shows only after some hundreds.",
            ]
        case Verdict.UNUSUAL:
            among = f", even among {together} judged together" if together > 1 else ""
            sentences = [
                f"{throws}, {_number(statistics.dice)} dice.",
                f"Unusual{among}: the {widest} of fair dice spread as widely as this "
                f"{_how_often(chances[widest])} such matches.",
                "That proves nothing alone; it is a reason to look at the dice.",
            ]
        case Verdict.AS_EXPECTED:
            sentences = [
                f"{throws}, {_number(statistics.dice)} dice.",
                "The faces fell as fair dice do: a spread as wide as this or wider comes "
                f"{_how_often(chances['faces'])} matches.",
            ]
            if "pairs" in chances:
                sentences.append(f"So did the pairs: {_how_often(chances['pairs'])}.")
            if chances[widest] < _RARE:
                sentences.append("That is rare, but not rare enough to mean anything.")
        case _ as never:
            assert_never(never)
    if statistics.voided:
        named = ", ".join(f"{who} {times}" for who, times in statistics.voided.items())
        sentences.append(f"Void or taken back, not counted: {named}.")
    return " ".join(sentences)


def _how_often(chance: float) -> str:
    """A chance before the word "matches": in 41 of 100, only once in 4 000."""
    if chance >= _RARE:
        return f"in {min(round(100 * chance), 99)} of 100"
    if chance < 1e-6:
        return "less than once in a million"
    once_in = round(1 / chance)
    return f"only once in {_number(round(once_in, 1 - floor(log10(once_in))))}"


def _number(number: int) -> str:
    return f"{number:,}".replace(",", " ")
