"""How much faster the turns of a throw are found, and one turn is judged, than by enumeration.

The plain way plays every order of the dice, every checker with each of them, and remembers no
position; it is a second reading of the ruling document, which the property tests use as well.
For each counted position all 56 throws are played; both ways must find the same results. The two
take turns, and the best of fifteen runs counts, in processor time. Run it on a quiet machine:
``python tests/bench/tabula_turns.py``.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from itertools import combinations_with_replacement, permutations
from pathlib import Path

from ledger.games import options_of
from ledger.games.protocol import OptionValue
from ledger.games.tabula import GAME

GOAL = 5
RUNS = 15
POSITIONS = Path(__file__).parent.parent / "conformance" / "tabula_counts.json"
THROWS = list(combinations_with_replacement(range(1, 7), 3))

HAND, OFF, BAR = 0, 25, 26
PLACES = {"hand": HAND, "off": OFF, "bar": BAR, **{str(point): point for point in range(1, 25)}}
NAMES = {place: name for name, place in PLACES.items()}
NAMED = {
    (source, target, die): f"{NAMES[source]}/{NAMES[target]}"
    for source in NAMES
    for target in NAMES
    for die in range(1, 7)
}

Options = dict[str, OptionValue]
Men = list[int]
"""How many of a side are in each place: the hand, the points 1 to 24, off, the bar."""
Token = tuple[int, int, int]
"""From where, to where, with which die."""
Play = tuple[Men, Men, list[Token]]


# ---- the plain way


def plain_turns(options: Options, own: Men, foe: Men, dice: tuple[int, ...]) -> list[Play]:
    """Every legal turn, in every order in which it can be played. None: a pass."""
    plays = [
        play for order in set(permutations(dice)) for play in walk(options, own, foe, order, [])
    ]
    most = max(len(tokens) for _, _, tokens in plays)
    if most == 0:
        return []
    longest = [play for play in plays if len(play[2]) == most]
    if most == 1 and options["single_die"] == "highest":
        top = max(tokens[0][2] for _, _, tokens in longest)
        longest = [play for play in longest if play[2][0][2] == top]
    if options["win_ends_turn"]:
        longest += [play for play in plays if play[0][OFF] == 15 and len(play[2]) < most]
    return longest


def walk(
    options: Options, own: Men, foe: Men, order: tuple[int, ...], tokens: list[Token]
) -> Iterator[Play]:
    """Every way to play the dice in this order until one cannot be played."""
    stuck = True
    if order:
        for source, target in steps(options, own, foe, order[0]):
            stuck = False
            moved, hit = own.copy(), foe.copy()
            moved[source] -= 1
            moved[target] += 1
            if target != OFF and foe[target] == 1:
                hit[target] -= 1
                hit[BAR] += 1
            yield from walk(options, moved, hit, order[1:], [*tokens, (source, target, order[0])])
    if stuck:
        yield own, foe, tokens


def steps(options: Options, own: Men, foe: Men, die: int) -> Iterator[tuple[int, int]]:
    """Every step that the rules allow with one die."""
    if own[BAR]:
        if foe[die] < 2:
            yield BAR, die
        return
    home = 13 if options["home"] == "second_half" else 19
    all_home = sum(own[home : OFF + 1]) == 15
    for source in range(HAND, OFF):
        target = source + die
        if not own[source]:
            continue
        if target < OFF:
            closed = options["second_half"] == "closed" and own[HAND] and source <= 12 < target
            if foe[target] < 2 and not closed:
                yield source, target
        elif all_home and (
            target == OFF or (options["bear_off"] == "overshoot" and not any(own[:source]))
        ):
            yield source, OFF


def spelled(men: Men) -> str:
    points = ",".join(f"{point}:{men[point]}" for point in range(1, OFF) if men[point])
    return f"h{men[HAND]} b{men[BAR]} o{men[OFF]} {points or '-'}"


def counted(text: str) -> Men:
    """The checkers of one side of a position text."""
    _, hand, bar, off, points = text.split()
    men = [0] * 27
    men[HAND], men[BAR], men[OFF] = int(hand[1:]), int(bar[1:]), int(off[1:])
    for stack in points.split(",") if points != "-" else []:
        point, many = stack.split(":")
        men[int(point)] = int(many)
    return men


def parted(position: str) -> tuple[Men, Men]:
    """The mover's checkers and the other side's, of a position text."""
    white, black, side = position.split(" | ")
    first, second = (white, black) if side == "W" else (black, white)
    return counted(first), counted(second)


def plain_results(options: Options, position: str, dice: tuple[int, ...]) -> set[str]:
    """The positions that a throw can lead to, as texts."""
    before = parted(position)
    plays = plain_turns(options, *before, dice) or [(*before, [])]
    if position.endswith("W"):
        return {f"W {spelled(own)} | B {spelled(foe)} | B" for own, foe, _ in plays}
    return {f"W {spelled(foe)} | B {spelled(own)} | W" for own, foe, _ in plays}


# ---- both timed


class Throw:
    """One throw in one position: all its turns and one of them, found and judged both ways."""

    def __init__(self, options: Options, position: str, dice: tuple[int, ...]) -> None:
        self.options, self.men, self.dice = options, parted(position), dice
        self.state = GAME.throw(GAME.place(options, position), dice)
        self.given = GAME.legal(self.state)[-1]
        words = [word.rstrip("*").split("/") for word in self.given.text.split() if word != "pass"]
        self.tokens = [
            (PLACES[source], PLACES[target], die)
            for (source, target), die in zip(words, self.given.dice, strict=True)
        ]
        reached = {
            GAME.position(GAME.apply(self.state, action)) for action in GAME.legal(self.state)
        }
        assert reached == plain_results(options, position, dice), (position, dice)
        assert self.plain_judged()
        self.results = len(reached)

    def found(self) -> object:
        return GAME.legal(self.state)

    def plain_found(self) -> object:
        turns = plain_turns(self.options, *self.men, self.dice)
        found = {(*own, *foe): tokens for own, foe, tokens in turns}
        return sorted(" ".join(NAMED[token] for token in tokens) for tokens in found.values())

    def judged(self) -> object:
        return GAME.apply(self.state, self.given)

    def plain_judged(self) -> bool:
        turns = plain_turns(self.options, *self.men, self.dice)
        return any(tokens == self.tokens for _, _, tokens in turns) or not turns


def best(*works: Callable[[Throw], object], throws: list[Throw]) -> list[float]:
    """Microseconds a throw of each of the ways, the fastest run of each."""
    runs = [[seconds(work, throws) for work in works] for _ in range(RUNS)]
    return [min(column) / len(throws) * 1e6 for column in zip(*runs, strict=True)]


def seconds(work: Callable[[Throw], object], throws: list[Throw]) -> float:
    begun = time.process_time()
    for throw in throws:
        work(throw)
    return time.process_time() - begun


def main() -> None:
    options = options_of(GAME, GAME.rulesets["tabula"])
    print(
        "microseconds a throw     results  |  all: plain   ours ratio  |  one: plain   ours ratio"
    )
    ratios = {}
    for case in json.loads(POSITIONS.read_text("utf-8")):
        throws = [Throw(options, case["position"], dice) for dice in THROWS]
        results = sum(throw.results for throw in throws)
        assert results == case["sum"]
        plain, ours = best(Throw.plain_found, Throw.found, throws=throws)
        plain_one, ours_one = best(Throw.plain_judged, Throw.judged, throws=throws)
        ratios[results] = plain / ours
        print(
            f"{case['name']:<24} {results:7,}  | {plain:11,.0f} {ours:6,.0f} {plain / ours:5.1f}"
            f"  | {plain_one:11,.0f} {ours_one:6,.0f} {plain_one / ours_one:5.1f}"
        )
    most = max(ratios)
    print(f"ratio with the most results, {most:,}: {ratios[most]:.1f} (goal: {GOAL})")


if __name__ == "__main__":
    main()
