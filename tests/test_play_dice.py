"""Dice at the table: two terminals over a folder, one laptop, and dice that lie on the table."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from terminal import Desk
from test_cli_rolling import open_tabula, past_the_opening
from test_play import Seat


@pytest.fixture
def desk(tmp_path: Any, monkeypatch: Any, capsys: Any) -> Desk:
    return Desk(tmp_path, monkeypatch, capsys)


@pytest.fixture
def seats(tmp_path: Path) -> Iterator[dict[str, Seat]]:
    """Terminals by name; closed whatever happens."""
    found: dict[str, Seat] = {}
    yield found
    for seat in found.values():
        seat.terminal.close(force=True)


def begin(seat: Seat, *, elsewhere: str = "") -> None:
    """Open a match of Tabula by questions: Alba here, Bruno here or ``elsewhere``."""
    seat.types("Which rules [tablut]: ", "tabula")
    seat.types("Who plays White: ", "Alba")
    seat.types("1, 2 or 3 [1]: ", "1")
    seat.types("Protect it with a passphrase [y]: ", "n")
    seat.types("Who plays Black: ", "Bruno")
    if elsewhere:
        seat.types("1, 2 or 3 [1]: ", "2")
        seat.types("its file or line: ", elsewhere)
    else:
        seat.types("1, 2 or 3 [1]: ", "3")
    seat.types("Who is the arbiter [This device]: ", "")
    seat.types("Protect it with a passphrase [y]: ", "n")


def fell(seat: Seat, roll: int) -> str:
    """The dice that somebody sees after Bruno has opened a roll."""
    seat.terminal.expect(rf"Bruno opens roll {roll}: ([1-6]-[1-6])")
    return str(seat.terminal.match[1])


def test_two_terminals_throw_and_open_over_a_folder(seats: dict[str, Seat], tmp_path: Path) -> None:
    folder = tmp_path / "stick"
    folder.mkdir()
    bruno = seats["bruno"] = Seat(tmp_path / "bruno", "play", "--share", str(folder))
    bruno.types("1 or 2: ", "2")
    bruno.types("Your name: ", "Bruno")
    bruno.types("Protect it with a passphrase [y]: ", "n")
    bruno.sees("Waiting for a match with your key.")
    alba = seats["alba"] = Seat(tmp_path / "alba", "play", "--share", str(folder))
    alba.types("1 or 2: ", "1")
    begin(alba, elsewhere="bruno")
    alba.sees("made by both players")
    alba.types("Which [1]: ", "")
    alba.types("take a move back [y]: ", "")
    alba.types("Which table [none]: ", "")
    bruno.types("asked to play [y/n]: ", "y")
    alba.sees("dice: made by Alba (White) and Bruno (Black)")
    alba.types("Does Alba accept this match? [y/n] ", "y")
    bruno.sees("Alba commits to roll 1")
    bruno.types("Does Bruno accept this match? [y/n] ", "y")
    alba.sees("Bruno commits to roll 1")
    alba.types("Does Alba throw the dice? [y/n] ", "y")
    bruno.sees("Roll 1 is thrown: Bruno (Black) must open it.")
    bruno.types("Does Bruno open roll 1? [y/n] ", "y")
    assert fell(alba, 1) == fell(bruno, 1)


def test_dice_on_the_table_are_typed_as_they_lie(seats: dict[str, Seat], tmp_path: Path) -> None:
    zoe = seats["zoe"] = Seat(tmp_path / "zoe", "play")
    begin(zoe)
    zoe.sees("1  made by the players and the arbiter, who opens last")
    zoe.types("Which [3]: ", "")
    zoe.types("take a move back [y]: ", "")
    zoe.types("Which table [none]: ", "")
    zoe.types("Does Alba accept this match? [y/n] ", "y")
    zoe.types("Alba (white)> ", "6-1")
    zoe.sees("writes down roll 1: 6-1, Alba begins")
    zoe.types("Alba (white)> ", "2 5 6")
    zoe.sees("Alba (White) to move with 2-5-6.")
    zoe.types("Alba (white)> ", "hand/2 hand/5 hand/6")
    zoe.sees("Alba moves hand/2 hand/5 hand/6")
    zoe.types("Bruno (black)> ", "1-1-2")
    zoe.sees("Bruno (Black) to move with 1-1-2; the arbiter writes it down.")
    assert zoe.leaves() == 0


def test_a_whole_evening_from_a_pipe(desk: Desk) -> None:
    open_tabula(desk)
    desk.did("accept")
    past_the_opening(desk)
    seq = json.loads(desk("show", "--json").out)["seq"]
    ran = desk("play", stdin=b"roll\nmoves\nhand/25\n")
    assert ran.status != 0  # the first mistake ends it, and what came before is kept
    assert json.loads(desk("show", "--json").out)["seq"] == seq + 2
