"""Moves made by tapping, in a real browser at a real server: what the rules let people do with
their hands, in any order, and what is signed for it."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from playerseat import (
    Opponent,
    Player,
    Sit,
    alba,
    ledger,
    pocket,
    ruled,
    seated,
    server,
    service,
    sit,
)
from playwright.sync_api import expect
from server import wait_for
from table import lay

from ledger.events import Physical, SetPosition

__all__ = ["alba", "ledger", "pocket", "seated", "server", "service", "sit"]

pytest_plugins = ["browser"]

TAPPING = Path(__file__).parent.parent / "ledger" / "web" / "table" / "tapping.mjs"


def tabula(sit: Sit, alba: Player, dice: Sequence[int], position: str = "") -> Opponent:
    """A match in which Alba, White, is to play these dice."""
    table = sit("tabula", dice=Physical(confirm=False))
    assert table.seat == "white"
    table.write(lay(6, 1))
    if position:
        table.write(ruled(SetPosition(position=position)))
    table.write(lay(*dice))
    alba.turn()
    alba.says("-".join(map(str, dice)), ".lying")
    wait_for(alba.movable)
    return table


def signs_what_is_made(alba: Player, table: Opponent, text: str) -> None:
    alba.press(f"Sign {text}")
    wait_for(lambda: table.types()[-1] == "move")
    assert table.last().data.move == text


def test_a_piece_that_has_just_moved_is_moved_on_with_another_die(alba: Player, sit: Sit) -> None:
    table = tabula(sit, alba, (1, 4, 1))
    alba.tap("hand", "4")
    alba.says("Dice left: 1-1", ".lying")
    assert alba.movable() == {"hand", "4"}
    alba.tap("4")
    assert alba.targets() == {"5", "6"}
    alba.tap("5", "5", "6")
    alba.says("Not signed yet: hand to 4, 4 to 5, 5 to 6.")
    alba.says("Dice left: none", ".lying")
    assert not alba.movable()
    signs_what_is_made(alba, table, "hand/4 4/5 5/6")
    assert table.last().data.dice == (4, 1, 1)
    assert table.state.game.position(table.state.position).startswith("W h14 b0 o0 6:1 |")


def test_steps_are_undone_one_by_one_and_another_order_is_played(alba: Player, sit: Sit) -> None:
    table = tabula(sit, alba, (1, 4, 1))
    alba.tap("hand", "4", "4", "5")
    alba.press("Undo the last step")
    alba.says("Dice left: 1-1", ".lying")
    assert alba.movable() == {"hand", "4"}
    alba.press("Undo the last step")
    alba.says("Dice: 1-4-1", ".lying")
    assert alba.movable() == {"hand"}
    alba.tap("hand", "1", "hand", "4", "4", "5")
    signs_what_is_made(alba, table, "hand/1 hand/4 4/5")
    assert table.last().data.dice == (1, 4, 1)


def test_a_piece_goes_all_its_way_at_once(alba: Player, sit: Sit) -> None:
    table = tabula(sit, alba, (1, 4, 1))
    alba.tap("hand")
    assert alba.targets() == {"1", "2", "4", "5", "6"}
    alba.tap("6")
    alba.says("Not signed yet: hand to 1, 1 to 2, 2 to 6.")
    signs_what_is_made(alba, table, "hand/1 1/2 2/6")


def test_where_it_matters_where_a_piece_stops_it_stops_there(alba: Player, sit: Sit) -> None:
    """Black has a checker alone on 11 and one on 12: which of them is hit, White says."""
    blots = "W h0 b0 o12 10:1,22:1,23:1 | B h0 b0 o0 11:1,12:1,20:13 | W"
    table = tabula(sit, alba, (1, 2, 5), blots)
    alba.tap("10")
    assert {"11", "12"} <= alba.targets()
    assert "13" not in alba.targets()
    alba.tap("12", "12", "13")
    assert alba.movable() == {"13"}
    alba.tap("13", "18")
    signs_what_is_made(alba, table, "10/12* 12/13 13/18")
    assert table.state.game.position(table.state.position).endswith("B h0 b1 o0 11:1,20:13 | B")


def test_what_leaves_a_die_unplayed_that_could_be_played_is_not_offered(
    alba: Player, sit: Sit
) -> None:
    """From 2 nothing goes on: Black holds 4 and 6. By 3 or 5 all three dice can be played."""
    tabula(sit, alba, (1, 2, 4), "W h0 b0 o14 1:1 | B h0 b0 o0 4:2,6:13 | W")
    alba.tap("1")
    assert alba.targets() == {"3", "5", "7", "8"}


def test_tablero_a_coin_goes_with_one_die_and_then_with_the_other(alba: Player, sit: Sit) -> None:
    table = sit("tablero", dice=Physical(confirm=False))
    table.write(
        lay(5, 3),
        ruled(SetPosition(position="1111177 24,5 0 0 south throw")),
        lay(2, 3),
    )
    assert table.seat == "south"
    alba.turn()
    wait_for(alba.movable)
    alba.tap("a1", "a4")
    alba.says("Dice left: 2", ".lying")
    assert "a4" in alba.movable()
    alba.tap("a4", "a6")
    alba.says("Dice left: none", ".lying")
    signs_what_is_made(alba, table, "a1-a6")
    expect(alba.page.locator(".inhand")).to_have_count(0)


# -- a game that nobody knows yet ----------------------------------------------------------------

JUDGED = """
import { diceLeft, finishedBy, pickable, targetsFrom, unfinishedBy } from "TAPPING";
const [actions, ways, steps, from] = JSON.parse(process.argv[1]);
const made = steps.map(([from, to]) => [from, to, { dice: [], word: "" }]);
const targets = [...targetsFrom(ways, made, from)];
process.stdout.write(JSON.stringify({
    done: finishedBy(actions, ways, made).map(({ text }) => text),
    more: unfinishedBy(ways, made),
    free: [...pickable(ways, made)],
    targets: targets.map(([place, way]) => [place, way.length]),
    left: diceLeft(made, [3, 4]),
}));
"""


def judged(ways: Any, *steps: tuple[str, str], picked: str = "") -> dict[str, Any]:
    texts = [{"kind": "move", "text": text, "dice": []} for text in ("leap", "walk", "rest")]
    program = JUDGED.replace("TAPPING", TAPPING.as_uri())
    said = json.dumps([texts, ways, steps, picked])
    command = ["node", "--input-type=module", "--eval", program, said]
    found = subprocess.run(command, capture_output=True, check=True, text=True, timeout=20)
    told: dict[str, Any] = json.loads(found.stdout)
    return told


def test_of_steps_that_are_more_than_one_move_all_are_offered() -> None:
    """A leap is a step of the walk too, and rest is the same step as the leap, meant otherwise."""
    step = {"dice": [], "word": ""}
    ways = {
        "steps": [step | {"from": "a", "to": "b"}, step | {"from": "b", "to": "c"}],
        "start": 3,
        "after": [[], [], [], [[0, 0], [0, 4], [0, 2]], [[1, 1]]],
    }
    nothing = judged(ways, picked="a")
    assert (nothing["done"], nothing["free"]) == ([], ["a"])
    assert nothing["targets"] == [["b", 1], ["c", 2]]
    leapt = judged(ways, ("a", "b"), picked="b")
    assert (leapt["done"], leapt["more"]) == (["leap", "rest"], True)
    assert (leapt["free"], leapt["targets"], leapt["left"]) == (["b"], [["c", 1]], None)
    walked = judged(ways, ("a", "b"), ("b", "c"))
    assert (walked["done"], walked["more"], walked["free"]) == (["walk"], False, [])
