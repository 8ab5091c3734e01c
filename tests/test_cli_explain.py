"""One event in full: explain."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pexpect
import pytest
from parting import part
from terminal import PROGRAM, Desk
from test_cli_json import document

from ledger import rulings
from ledger.events import EVENT_TYPES
from ledger.games import every_game
from ledger.views.explaining import _RULES


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: Any, capsys: Any) -> Desk:
    return Desk(tmp_path, monkeypatch, capsys)


def explained(desk: Desk, event: str) -> list[str]:
    return desk.plain(desk("explain", event).out).splitlines()


def test_a_move_with_the_board_before_and_after_side_by_side(desk: Desk) -> None:
    desk.open(keyed=("swedes",))
    desk.did("move", "e3-f3", "e2-h2")
    lines = explained(desk, "3")
    assert lines[:7] == [
        "event 3  HASH  of match HASH",
        "Bruno moves e2-h2.",
        "signed by arbiter, for muscovites, who has no key: FINGERPRINT: Zoë",
        "at TIME by the signer's clock",
        "rests on: Ruling document tablut-1, section Moving.",
        "it stands",
        "",
    ]
    board = lines[7:]
    assert board[0].split() == ["before", "after"]
    assert board[3] == "8  .  .  .  .  t  .  .  .  .  8    8  .  .  .  .  t  .  .  .  .  8"
    assert board[9] == "2  .  .  .  .  t  .  .  .  .  2    2  .  .  .  . [.] .  . [t] .  2"
    assert lines[-2:] == [
        "before it: Bruno (the Muscovites) to move; the arbiter writes it down.",
        "after it: Alba (the Swedes) to move.",
    ]


def test_on_a_narrow_terminal_the_boards_stand_below_each_other(desk: Desk) -> None:
    desk.open()
    desk.did("move", "e3-f3")
    shown = pexpect.run(
        f"{PROGRAM} explain 3", env={**os.environ, "NO_COLOR": "1"}, dimensions=(24, 60)
    )
    lines = shown.decode().splitlines()
    first, second = lines.index("before"), lines.index("after")
    assert second > first + 10
    assert lines[first + 8] == "3  .  .  .  .  T  .  .  .  .  3"
    assert lines[second + 8] == "3  .  .  .  . [.][T] .  .  .  3"


def test_what_was_taken_back_says_by_which_event(desk: Desk) -> None:
    desk.open()
    desk.did("move", "e3-f3")
    desk.did("correct", "3", "--reason", "mistyped")
    assert "it is taken back by event 4" in explained(desk, "3")
    assert "it stands" in explained(desk, "4")
    assert "ruling: back to event 2: mistyped" in explained(desk, "4")[1]


def test_a_voided_roll_and_dice_that_act_by_themselves(desk: Desk) -> None:
    desk.make_keys()
    seats = ("--seat", "south=Alba", "--seat", "north=Bruno")
    desk.did("open", "tablero-event", "--key", "zoe", *seats, "--dice", "table")
    for line in ("roll 5-3", "roll 6-5", "wager", "roll 6-6"):
        desk.did(*line.split())
    lines = explained(desk, "4")
    assert lines[1] == "zoe writes down roll 3: 6-6, a Pass Number; the Wager of 2 goes to North."
    assert lines[4].endswith("Ruling document tablero-1, section The throw.")
    assert "position before: 7711111 11,16 2 0 south throw" in lines
    assert "position after:  7711111 11,18 0 0 north throw" in lines
    desk.did("void", "cocked")
    assert "it is void by event 5" in explained(desk, "4")


def test_an_event_without_a_trace_on_the_board(desk: Desk) -> None:
    desk.open()
    desk.did("note", "Tea is served.")
    lines = explained(desk, "3")
    assert lines[1] == "note by Zoë: Tea is served."
    assert lines[6].startswith("the game stands as before: /3ttt3/")
    assert explained(desk, "0")[-1] == (
        "after it: Alba (the Swedes) and Bruno (the Muscovites) must accept before play begins."
    )


def test_what_was_set_aside_and_whether_it_can_be_signed_anew(desk: Desk) -> None:
    part(desk)
    desk.did("import", "zoe.json")
    digest = json.loads(desk("pending", "--json").out)["events"][0]["event"]["hash"]
    lines = explained(desk, digest[:8])
    assert lines[1] == "Alba moves e3-f3."
    assert "it is set aside" in lines
    assert lines[-1] == "as the match stands its owner can sign it anew: tabellion pending"
    desk.did("move", "e3-f3")
    refused = explained(desk, digest[:8])
    assert refused[-1].startswith("as the match stands it is refused [wrong-turn]: It is for the")


def test_what_there_is_not(desk: Desk) -> None:
    desk.open()
    for event in ("3", "99999999999", "abcd", "x", "-1", "\u0663"):
        ran = desk("explain", event)
        assert ran.status in (2, 3), event
        assert "Traceback" not in ran.err
    assert desk("explain", "3").code == "no-event"


def test_json(desk: Desk) -> None:
    desk.open()
    desk.did("move", "e3-f3")
    said = document(desk, "explain", "3")
    assert said["fate"] == "stands"
    assert said["before"]["board"]["pieces"]["e3"] == "T"
    assert said["after"]["board"]["pieces"]["f3"] == "T"
    desk.did("export", "-o", "match.json")
    assert document(desk, "diff", "match.json")["first"]["only"] == []


def test_every_event_rests_on_a_rule_and_every_act_on_a_section_that_is_there() -> None:
    acts = set()
    for game in every_game():
        headings = [
            line.lstrip("#").strip()
            for line in rulings.text(game.document).decode().splitlines()
            if line.startswith("#")
        ]
        assert set(game.sections.values()) <= set(headings)
        assert set(game.sections) == game.actions | ({"throw"} if game.dice else set())
        acts |= game.actions
    assert set(_RULES) | acts == set(EVENT_TYPES)
