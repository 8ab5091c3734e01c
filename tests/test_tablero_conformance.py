"""El Tablero de Jesús against reference data: whole games with the state after every action.

The data was made by a brute-force reference that shares no code with this project.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import tablerobyhand as byhand

from ledger.games import options_of
from ledger.games.protocol import Action, OptionValue
from ledger.games.tablero import GAME, State

Options = dict[str, OptionValue]
Step = dict[str, Any]

DATA = Path(__file__).parent / "conformance" / "tablero_traces.jsonl"
TRACES: list[dict[str, Any]] = [json.loads(line) for line in DATA.read_text("utf-8").splitlines()]

traces = pytest.mark.parametrize(
    "trace", [pytest.param(trace, id=f"{at}-{trace['ruleset']}") for at, trace in enumerate(TRACES)]
)


def options(trace: dict[str, Any]) -> Options:
    return dict(options_of(GAME, GAME.rulesets[trace["ruleset"]]))


def acted(state: State, text: str) -> State:
    """The state after an action of the data, dice as well as acts."""
    kind, _, rest = text.partition(" ")
    if kind in ("opening", "throw"):
        return GAME.throw(state, tuple(map(int, rest.split("-"))))
    return GAME.apply(state, GAME.read(state, kind, rest))


def shown(state: State) -> list[str]:
    """What may be done in a state, as the data lists it."""
    acts = [f"{act.kind} {act.text}" if act.text != act.kind else act.text for act in legal(state)]
    if GAME.wanted(state) is not None:
        acts.append("opening" if GAME.position(state).endswith("opening") else "throw")
    return sorted(acts)


def legal(state: State) -> list[Action]:
    found = list(GAME.legal(state))
    assert len(set(found)) == len(found)
    return found


def reached(trace: dict[str, Any]) -> Iterator[tuple[State, Step]]:
    state = GAME.start(options(trace))
    for step in trace["steps"]:
        state = acted(state, step["action"])
        yield state, step


def test_the_data_is_there() -> None:
    assert [trace["ruleset"] for trace in TRACES] == ["tablero"] * 8 + ["tablero-event"] * 8
    assert sum(len(trace["steps"]) for trace in TRACES) == 4015


@traces
def test_every_step(trace: dict[str, Any]) -> None:
    for state, step in reached(trace):
        assert GAME.position(state) == step["position"], step
        assert shown(state) == sorted(step["legal"]), step


@traces
def test_the_winner(trace: dict[str, Any]) -> None:
    outcomes = [GAME.outcome(state) for state, _ in reached(trace)]
    assert outcomes[:-1] == [None] * (len(outcomes) - 1)
    last = outcomes[-1]
    assert last is not None
    assert (last.reason, last.winner) == ("cleaned_out", trace["winner"])


@traces
def test_every_position_is_read_back(trace: dict[str, Any]) -> None:
    for step in trace["steps"]:
        state = GAME.place(options(trace), step["position"])
        assert GAME.position(state) == step["position"]
        assert shown(state) == sorted(step["legal"]), step
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.winner == trace["winner"]


@traces
def test_the_second_engine_plays_the_same_games(trace: dict[str, Any]) -> None:
    """So that what it says where the data is silent can be believed."""
    state = byhand.start(options(trace))
    for step in trace["steps"]:
        kind, _, rest = step["action"].partition(" ")
        if kind in ("opening", "throw"):
            one, two = map(int, rest.split("-"))
            state = byhand.throw(state, (one, two))
        else:
            state = byhand.apply(state, step["action"])
        assert byhand.position(state) == step["position"], step
        acts = {act for act in step["legal"] if act not in ("opening", "throw")}
        assert byhand.legal(state) == acts, step
        assert byhand.may_throw(state) == (len(acts) < len(step["legal"])), step
