"""Matches followed one event after the other: the phone comes to what the verifying page says of
the whole record, and doubts no server that tells the truth."""

from __future__ import annotations

import json
import subprocess
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Any

import msgspec
import pytest
from match import Match, sealed
from pagereader import GOLDEN_NAMES, golden
from secondopinion import NODE, opinion
from table import BOTH

from ledger import views
from ledger.events import Award
from ledger.fold import MatchState, advance, begin

pytestmark = pytest.mark.skipif(NODE is None, reason="Node is not installed")
DRIVER = Path(__file__).parent / "node" / "follower.mjs"


def followed(state: MatchState, **lie: Any) -> dict[str, Any]:
    """What a phone finds that is shown every event, and after each what a server tells of the
    match, with a lie in it if one is given."""
    first, *rest = state.entries
    steps = []
    for shown in accumulate(rest, advance, initial=begin(first)):
        told = msgspec.to_builtins(views.show(shown)) | lie
        steps.append({"text": sealed(shown.entries[-1]).text().decode(), "show": told})
    line = json.dumps({"match": state.match, "steps": steps}).encode()
    assert NODE is not None
    run = subprocess.run([NODE, "--no-warnings", DRIVER], input=line, capture_output=True)
    assert run.returncode == 0, run.stderr.decode()
    found: dict[str, Any] = json.loads(run.stdout)
    return found


@pytest.mark.parametrize("name", GOLDEN_NAMES)
def test_a_match_is_followed_to_what_its_record_says(name: str) -> None:
    data, state = golden(name)
    found = followed(state)
    assert found["fault"] is None
    assert found["doubts"] == []
    assert found["checks"] == [event["checks"] for event in opinion(data)["events"]]


@cache
def diced() -> Match:
    """Dice of both players: thrown, taken back by a ruling and kept, thrown anew, awarded."""
    match = Match(ruleset="tabula", dice=BOTH)
    while not match.state.game.legal(match.state.position):
        match.roll()
    thrown = match.state.seq
    match.play_any()
    match.rewind(thrown, dice="keep")
    match.play_any()
    match.rewind(thrown, dice="rethrow")
    match.roll()
    match.play_any()
    wanted = match.state.game.wanted(match.state.position)
    assert wanted is not None
    match.throw(wanted.seat)
    match.rule(Award(roll=match.state.rolling.number, dice=(2, 3, 5)))
    return match


def test_dice_that_were_set_back_are_no_reason_to_doubt() -> None:
    found = followed(diced().state)
    assert found["fault"] is None
    assert found["doubts"] == []


@pytest.mark.parametrize(
    ("lie", "words"),
    [
        ({"dice": [6, 6, 6, 6]}, "the dice are others"),
        ({"arbiter": "Mallory"}, "the arbiter has another name"),
        ({"match": "0" * 64}, "another match"),
        ({"phase": "closed"}, "only one of them is closed"),
        ({"seats": []}, "a seat is missing"),
    ],
)
def test_a_lie_is_doubted(lie: dict[str, Any], words: str) -> None:
    seq, doubt = followed(diced().state, **lie)["doubts"][-1]
    assert seq == diced().state.seq
    assert words in doubt
