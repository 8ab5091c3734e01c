"""The demos: each runs through on a desk of its own, and shows what it promises."""

from __future__ import annotations

import os
import re
import shlex
from typing import Any

import pexpect
import pytest
from terminal import PROGRAM, Desk

from cli.demos import DEMOS, tablero
from cli.shells import answer

SEEDED = ("tabula", "tablero")


@pytest.fixture
def desk(tmp_path: Any, monkeypatch: Any, capsys: Any) -> Desk:
    return Desk(tmp_path, monkeypatch, capsys)


def played(desk: Desk, name: str) -> str:
    """What a demo that runs through prints."""
    ran = desk("demo", name)
    assert ran.status == 0, ran.err
    return ran.out


# -- every demo ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", DEMOS)
def test_it_runs_through_and_nothing_is_left_of_it(desk: Desk, name: str) -> None:
    desk.patch.setattr("tempfile.tempdir", str(desk.folder))
    before = (os.getcwd(), dict(os.environ), sorted(os.listdir(desk.folder)))
    assert played(desk, name).endswith("That was all. The folder is gone again.\n")
    assert (os.getcwd(), dict(os.environ), sorted(os.listdir(desk.folder))) == before


@pytest.mark.parametrize("name", SEEDED)
def test_a_seeded_match_is_sound_and_the_same_every_time(desk: Desk, name: str) -> None:
    first = played(desk, name)
    assert first == played(desk, name)
    assert "verdict: SOUND" in first
    assert "fair if Alba or Bruno kept their numbers secret" in first


def test_the_first_is_tablut_and_is_played_where_none_is_named(desk: Desk) -> None:
    assert next(iter(DEMOS)) == "tablut"
    assert "$ tabellion open tablut" in desk("demo").out


def test_a_wrong_name_is_refused_with_those_that_there_are(desk: Desk) -> None:
    ran = desk("demo", "chess")
    assert (ran.status, ran.code, ran.out) == (3, "no-demo", "")
    assert f"'chess'. Known: {', '.join(DEMOS)}." in ran.err


@pytest.mark.parametrize("module", ["stage", "seeded", "tablut.play", "../demo", ""])
def test_what_is_no_demo_is_not_run(desk: Desk, module: str) -> None:
    assert desk("demo", module).code == "no-demo"


def test_tab_proposes_them_with_their_titles(desk: Desk) -> None:
    desk.capture.readouterr()
    assert answer("tabellion demo ") == 0
    proposed = desk.capture.readouterr().out.splitlines()
    assert proposed == [f"{name}\t{title}" for name, title in DEMOS.items()]
    assert {"tablut", "tabula", "tablero", "zeno"} <= DEMOS.keys()


# -- El Tablero de Jesús ---------------------------------------------------------------------


def test_tablero_has_a_pull_a_wager_redeemed_one_lost_and_a_run(desk: Desk) -> None:
    said = played(desk, "tablero")
    for moment in (
        r"pulls \d[a-g]-[a-g]: (South|North) takes \d, (South|North) fills \d$",
        r"moves .*: the Wager of \d goes back to (South|North)$",
        r"a Pass Number; the Wager of \d goes to (South|North)$",
        r"declares a Run$",
        r"(stops the Run: |a Pass Number; )(South|North) takes \d+, (South|North) fills \d$",
        r"fill \d columns with: (South|North) wins\.",
        r"closed: a win for (south|north) \(cleaned out\)$",
    ):
        assert re.search(moment, said, re.M), moment


def test_tablero_shows_the_board_with_every_point_of_the_36(desk: Desk) -> None:
    boards = re.findall(
        r"^((?:\d .*\n){7}).*\n +South\nSouth's stake (\d+), North's stake (\d+), "
        r"Wager (\d+), pot (\d+)$",
        played(desk, "tablero"),
        re.M,
    )
    assert len(boards) == len(tablero.SHOWN) + 1
    *_, last = boards
    for rows, *points in boards:
        on_the_board = rows.count("@")
        assert on_the_board == 7 or rows == last[0]
        assert on_the_board + sum(map(int, points)) == 36


def test_tablero_is_short_and_fits_a_terminal_of_80_columns(desk: Desk) -> None:
    assert len(played(desk, "tablero").splitlines()) < 160
    shown = pexpect.run(
        shlex.join([str(PROGRAM), "demo", "tablero"]),
        cwd=str(desk.folder),
        env={**os.environ, "NO_COLOR": "1", "TERM": "xterm"},
        encoding="utf-8",
        dimensions=(24, 80),
    )
    lines = [line for line in shown.splitlines() if not line.startswith("next: ")]
    assert "That was all. The folder is gone again." in lines
    assert [line for line in lines if len(line) > 80] == []


def test_a_match_without_what_tablero_promises_is_a_demo_that_failed(desk: Desk) -> None:
    desk.patch.setattr(tablero, "BOLD", 0)  # nobody ever stakes a Wager
    ran = desk("demo", "tablero")
    assert (ran.status, ran.code) == (1, "demo-failed")
    assert "wager" not in ran.err
    assert "verdict" not in ran.out
