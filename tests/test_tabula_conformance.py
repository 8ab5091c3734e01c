"""Tabula against reference data: every result of a throw, single steps, counts, whole games.

The data was made by a brute-force reference that shares no code with this project; a second one
and, with its own rules switched on, an outside engine agree on all of it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any

import pytest

from ledger.games import options_of
from ledger.games.protocol import Action, Illegal
from ledger.games.tabula import GAME, State, turn_of

DATA = Path(__file__).parent / "conformance"
THROWS = list(combinations_with_replacement(range(1, 7), 3))

FAST = 200
"""First results from which a second turn is counted in an ordinary run."""


def placed(position: str, ruleset: str = "tabula") -> State:
    state = GAME.place(options_of(GAME, GAME.rulesets[ruleset]), position)
    assert GAME.position(state) == position
    return state


def thrown(position: str, dice: tuple[int, ...], ruleset: str = "tabula") -> State:
    return GAME.throw(placed(position, ruleset), dice)


def results(state: State) -> dict[str, Action]:
    """The positions that the legal turns lead to: a different one each."""
    legal = GAME.legal(state)
    reached = {GAME.position(GAME.apply(state, action)): action for action in legal}
    assert len(reached) == len(legal)
    return reached


def digest(positions: Iterable[str]) -> str:
    return sha256("\n".join(sorted(positions)).encode()).hexdigest()


@cache
def cases() -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = json.loads((DATA / "tabula_cases.json").read_text("utf-8"))
    return listed


@cache
def lines(file: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / file).read_text("utf-8").splitlines()]


def named(case: dict[str, Any]) -> str:
    return str(case["name"])


def test_the_throw_of_zeno() -> None:
    """Agathias, Greek Anthology IX 482: 2, 5 and 6 broke everything up, and nothing else could be
    played."""
    (zeno,) = (case for case in cases() if case["name"] == "zeno-480")
    state = thrown(zeno["position"], (2, 5, 6))
    assert GAME.legal(state) == [Action("move", "10/16 19/24 20/22", (6, 5, 2))]
    left = GAME.position(GAME.apply(state, GAME.read(state, "move", "10/16 20/22 19/24")))
    assert list(zeno["results"]) == [left]
    assert "9:1,10:1,16:1,19:1,20:1,22:1,23:1,24:1 | B" in left


def test_the_data_is_there() -> None:
    assert len(cases()) == 16
    assert len(lines("tabula_games.jsonl")) == 772
    assert len(lines("tabula_variants.jsonl")) == 240


@pytest.mark.parametrize("case", cases(), ids=named)
def test_case(case: dict[str, Any]) -> None:
    state = thrown(case["position"], tuple(case["dice"]))
    reached = results(state)
    assert max(len(action.dice) for action in reached.values()) == case["max_dice"]
    assert len(reached) == case["number_of_results"]
    assert digest(reached) == case["results_sha256"]
    for position, text in case.get("results", {}).items():
        assert GAME.position(GAME.apply(state, GAME.read(state, "move", text))) == position


@pytest.mark.parametrize("case", [each for each in cases() if "single_steps" in each], ids=named)
def test_single_steps(case: dict[str, Any]) -> None:
    """Each step with three dice of its number on the table: refused by the rule it breaks, or at
    most for leaving dice."""
    for step in case["single_steps"]:
        state = thrown(case["position"], (step["die"],) * 3)
        broken = rule_broken(state, step["step"])
        assert broken == step["rule"] or (broken == "R-ALL" and step["rule"] is None), step


def rule_broken(state: State, text: str) -> str | None:
    try:
        GAME.read(state, "move", text)
    except Illegal as refusal:
        return refusal.code.upper()
    return None


@pytest.mark.parametrize("file", ["tabula_games.jsonl", "tabula_variants.jsonl"])
def test_games(file: str) -> None:
    for case in lines(file):
        ruleset = case.get("ruleset", "tabula")
        reached = results(thrown(case["position"], tuple(case["dice"]), ruleset))
        assert len(reached) == case["number_of_results"], case
        assert digest(reached)[:16] == case["results_sha256_16"], case
        assert case.get("next", min(reached)) in reached, case


def test_every_variant_differs_where_the_data_says_so() -> None:
    for case in lines("tabula_variants.jsonl"):
        state = thrown(case["position"], tuple(case["dice"]))
        differs = digest(results(state))[:16] != case["results_sha256_16"]
        assert differs == case["differs_from_tabula"], case


# ---- counts


@cache
def counts() -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = json.loads((DATA / "tabula_counts.json").read_text("utf-8"))
    return listed


def deep(*, slow: bool) -> list[Any]:
    chosen = [case for case in counts() if (case["distinct"] > FAST) == slow]
    return [pytest.param(case, id=case["name"]) for case in chosen]


@pytest.mark.parametrize("case", counts(), ids=named)
def test_counts(case: dict[str, Any]) -> None:
    reached = {dice: results(thrown(case["position"], dice)) for dice in THROWS}
    found = {"-".join(map(str, dice)): len(positions) for dice, positions in reached.items()}
    assert found == case["rolls"]
    assert sum(found.values()) == case["sum"]
    assert len(set().union(*reached.values())) == case["distinct"]


@pytest.mark.parametrize("case", deep(slow=False))
def test_counts_of_two_turns(case: dict[str, Any]) -> None:
    """A first result counts once for each throw that leads to it."""
    first = Counter[str]()
    for dice in THROWS:
        first.update(results(thrown(case["position"], dice)).keys())
    total, positions = 0, set[int]()
    for position, times in first.items():
        if " o15 " not in position:
            before = placed(position)
            for dice in THROWS:
                turn = turn_of(GAME.throw(before, dice))
                reached = turn.results() or {turn.board: None}
                total += times * len(reached)
                positions.update(reached)
    assert (total, len(positions)) == (case["depth2_sum"], case["depth2_distinct"])


@pytest.mark.slow
@pytest.mark.parametrize("case", deep(slow=True))
def test_large_counts_of_two_turns(case: dict[str, Any]) -> None:
    test_counts_of_two_turns(case)
