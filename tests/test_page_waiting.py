"""Whom a match waits for and which row of the score sheet a move stands in: what the page says
after every event, beside what the fold and the sheet say."""

from __future__ import annotations

import json
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from match import Match, sealed
from pagereader import GOLDEN_NAMES, golden, sign_anew
from table import BOTH

from ledger import page, positions, record
from ledger.events import Physical
from ledger.fold import MatchState, as_of
from ledger.fold.due import Step, due
from ledger.views.sheetrows import SheetRow, rows

_READ = """
import {{ readFileSync }} from "node:fs";
import {{ verify }} from "{folder}/verifier/verify.mjs";
import {{ waitingAfter }} from "{folder}/face/waiting.mjs";
import {{ sheetRows, groupsOf }} from "{folder}/face/sheetnumbers.mjs";
import {{ plainWords }} from "{folder}/face/elements.mjs";
const report = await verify(new Uint8Array(readFileSync(0)));
const rows = sheetRows(report);
const waits = report.events.map(({{ number }}) => {{
    const said = waitingAfter(report, number, report.positions?.[number].turn ?? null);
    return said === null ? null : plainWords(said);
}});
const groups = groupsOf(report, rows, 10000).map(({{ name, items }}) => [name, items.length]);
console.log(JSON.stringify({{ waits, rows: [...rows], groups }}));
"""


@cache
def read(data: bytes) -> dict[str, Any]:
    """What the page's own modules say of a record."""
    script = _READ.format(folder=Path(page.__file__).parent)
    node = ["node", "--input-type=module", "-e", script]
    told = subprocess.run(node, input=data, check=True, capture_output=True).stdout
    found: dict[str, Any] = json.loads(told)
    return found


def waits(match: Match) -> list[str | None]:
    data = record.write(map(sealed, match.state.entries), positions.write(match.state))
    said: list[str | None] = read(data)["waits"]
    return said


def expected(state: MatchState) -> str | None:
    """How the page should begin, and whom it should name."""
    now = due(state)
    names = [f"{state.holder(role, state.seq + 1).name} ({role})" for role in now.whose]
    whose = " and ".join(names)
    turn = None if state.result else state.game.turn(state.position)
    match now.step:
        case Step.ACCEPT if not state.closed:
            return f"Waits for {whose} to accept"
        case Step.OPEN:
            return f"Roll {state.rolling.number} is thrown. Waits for {whose} to open it"
        case Step.CONFIRM:
            return f"Waits for {whose} to confirm"
        case Step.RULE if state.dispute:
            return "The game is frozen: "
        case Step.RESUME:
            return "Adjourned"
        case Step.DECIDE:
            return "Waits for the decision of the appeal"
        case Step.COMMIT | Step.THROW | Step.ACT | Step.RULE if turn:
            return f"To act: {state.roster[turn].name} ({turn})"
        case _:
            return None


@pytest.mark.parametrize("name", GOLDEN_NAMES)
def test_the_page_waits_for_those_whom_the_fold_waits_for(name: str) -> None:
    data, state = golden(name)
    for seq, said in enumerate(read(data)["waits"]):
        then = as_of(state, seq)
        wanted = expected(then)
        if due(then).step is Step.CLOSE:
            assert said is None or said.startswith("The game is over."), f"event {seq}"
        elif wanted is None:
            assert said is None, f"event {seq}"
        else:
            assert said, f"event {seq}"
            assert said.startswith(wanted), f"event {seq}"


def test_nobody_is_to_move_before_all_have_accepted() -> None:
    match = Match(play=False)
    match.accept("swedes")
    both = "Waits for Alba (swedes) and Bruno (muscovites) to accept"
    assert waits(match) == [both, "Waits for Bruno (muscovites) to accept"]
    match.accept("muscovites")
    assert waits(match)[-1] == "To act: Alba (swedes)"


def test_a_dispute_freezes_the_game_until_it_is_settled_or_ruled_on() -> None:
    match = Match()
    match.play("e3-f3", "e2-h2")
    frozen = "The game is frozen: event 4 is disputed (event 5). Waits for the ruling of "
    dispute = match.dispute(4)
    match.settle("swedes", dispute)
    match.settle("muscovites", dispute)
    after = [frozen + "Zoë (arbiter)", frozen + "Zoë (arbiter)", "To act: Alba (swedes)"]
    assert waits(match)[5:] == after
    match.dispute(4)
    match.rewind(3)
    assert waits(match)[8:] == [
        "The game is frozen: event 4 is disputed (event 8). Waits for the ruling of Zoë (arbiter)",
        "To act: Bruno (muscovites)",
    ]


def test_a_game_that_rests_waits_for_whoever_resumes_it() -> None:
    match = Match()
    match.play("e3-f3")
    match.adjourn("Sunday, ten o'clock.")
    match.seal("muscovites", "e2-h2")
    match.resume()
    rests = "Adjourned until Sunday, ten o'clock.; waits for "
    assert waits(match)[4:] == [
        rests + "Zoë (arbiter) to resume",
        rests + "Bruno (muscovites) to open the sealed move",
        "The game is over. Waits for Zoë (arbiter) to close the match",
    ]


def test_after_the_end_nobody_is_to_move() -> None:
    match = Match()
    match.play("e3-f3")
    resigned = match.resign("muscovites")
    match.rewind(3)
    match.agree("swedes", match.offer_draw("muscovites"))
    match.close()
    match.appeal("swedes")
    said = waits(match)
    over = "The game is over. Waits for Zoë (arbiter) to close the match"
    assert said[resigned] == over
    assert said[resigned + 1 :] == [
        "To act: Bruno (muscovites)",
        "To act: Bruno (muscovites)",
        over,
        None,
        "Waits for the decision of the appeal in event 9",
    ]


def test_a_roll_that_is_thrown_waits_for_the_next_who_opens_it() -> None:
    match = Match(ruleset="tabula", dice=BOTH)
    for role in ("white", "black"):
        match.commit(role)
    match.throw("white")
    assert waits(match)[-1] == "Roll 1 is thrown. Waits for Bruno (black) to open it"


def test_dice_that_are_written_down_wait_for_the_other_seat() -> None:
    match = Match(ruleset="tabula", dice=Physical(confirm=True))
    match.record(4, 2)
    assert waits(match)[-1] == "Waits for Bruno (black) to confirm the dice 4-2"


def test_nothing_is_said_from_the_first_event_that_could_not_be_judged() -> None:
    match = Match(ruleset="tabula", dice=BOTH)
    match.roll()
    match.roll()
    broken = match.state.rolling.rolls[0].thrown
    data = sign_anew(match, broken, nonce="5a" * 32)
    said = read(data)["waits"]
    assert said[0]
    assert set(said[broken:]) == {None}


# -- numbers -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GOLDEN_NAMES)
def test_a_move_has_the_number_of_its_row_on_the_score_sheet_or_none(name: str) -> None:
    data, state = golden(name)
    sheet = {
        act.seq: row.number
        for row in rows(state)
        if isinstance(row, SheetRow) and not state.game.dice
        for act in row.acts
        if act.text not in ("raichi", "tuichi")
    }
    numbers = {seq: said["row"] for seq, said in read(data)["rows"]}
    assert numbers == sheet
    assert bool(numbers) is (not state.game.dice)


def test_both_moves_of_a_row_have_one_number_also_after_a_takeback() -> None:
    match = Match()
    match.play("e3-f3", "e2-h2", "e4-e2", "h2-h3")
    match.agree("swedes", match.offer_takeback("muscovites", 5))
    match.play("h2-h4", "Ke5-e3")
    numbers = [[seq, said["row"], said["answer"]] for seq, said in read(_plain(match))["rows"]]
    assert numbers == [
        [3, 1, False],
        [4, 1, True],
        [5, 2, False],
        [6, 2, True],
        [9, 2, True],
        [10, 3, False],
    ]


def test_groups_are_named_by_rows_or_by_rolls_never_by_turns_that_nobody_counts() -> None:
    tablut, tabula = (read(golden(name)[0])["groups"] for name in ("v1-tablut", "v1-tabula"))
    assert tablut == [["Before play", 3], ["Score sheet, rows 1 to 10", 9], ["The end", 3]]
    assert tabula == [["Before play", 6], ["Rolls 1 to 10", 34], ["The end", 3]]


def _plain(match: Match) -> bytes:
    return record.write(map(sealed, match.state.entries))
