"""``show --watch``: a board that follows the match, on a terminal and in a pipe."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pexpect
import pytest
from table import SHORT_GAME
from terminal import PROGRAM, Desk

from cli import watching
from cli.watching import last_told
from ledger.fold import MatchState
from ledger.service import Service

TOP = "\x1b[H\x1b[J"
"""The cursor goes home and what stood there away."""


@pytest.fixture
def desk(tmp_path: Any, monkeypatch: Any, capsys: Any) -> Desk:
    return Desk(tmp_path, monkeypatch, capsys)


@contextmanager
def screen(desk: Desk, *arguments: str, **environment: str) -> Iterator[pexpect.spawn[str]]:
    """The match watched on a terminal of 40 × 100, until the block ends at the latest."""
    seen = pexpect.spawn(
        str(PROGRAM),
        ["show", "--watch", *arguments],
        env={**os.environ, "TERM": "xterm-256color", "NO_COLOR": "1", **environment},
        cwd=str(desk.folder),
        dimensions=(40, 100),
        encoding="utf-8",
        timeout=20,
    )
    try:
        yield seen
    finally:
        seen.close(force=True)


@contextmanager
def pipe(desk: Desk, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """The match watched through a pipe, until the block ends at the latest."""
    with subprocess.Popen(
        [str(PROGRAM), "show", "--watch", *arguments],
        cwd=desk.folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    ) as seen:
        try:
            yield seen
        finally:
            seen.kill()


def ended(seen: pexpect.spawn[str]) -> int:
    seen.expect(pexpect.EOF)
    seen.close()
    return int(seen.exitstatus)


def test_the_board_is_drawn_anew_in_its_place_with_every_move(desk: Desk) -> None:
    desk.open()
    with screen(desk) as seen:
        seen.expect_exact("Alba (the Swedes) to move.")
        assert seen.before.startswith(TOP)
        assert "5  t  t  T  T  K  T  T  t  t  5" in seen.before
        seen.expect_exact("Watching. Ctrl-C ends it.")
        desk.did("move", "e3-f3")
        seen.expect_exact(TOP)
        seen.expect_exact("last move: e3-f3\r\nBruno (the Muscovites) to move.")
        assert "3  .  .  .  . [.][T] .  .  .  3" in seen.before


def test_what_another_match_does_is_told_of_by_nobody(desk: Desk) -> None:
    match = desk.open("--table", "1")
    desk.open("--table", "2")
    meanwhile = iter((("t2", "e3-f3"), ("t1", "e3-d3")))

    def rest(_: float) -> None:
        table, move = next(meanwhile)
        desk.did("move", move, "-m", table)

    desk.patch.setattr(watching.time, "sleep", rest)
    with Service.open(desk.ledger, lambda: "", write=False) as opened:
        standings = watching.standings(opened, match)
        assert [next(standings)[0].seq for _ in range(2)] == [2, 3]


def test_the_table_is_named_where_more_than_one_is_open(desk: Desk) -> None:
    desk.open("--table", "1")
    desk.open("--table", "2")
    with screen(desk, "t1") as watched:
        watched.expect_exact("table 1: Alba (the Swedes) to move.")


def test_ctrl_c_is_the_ordinary_end_of_looking_on(desk: Desk) -> None:
    desk.open()
    with screen(desk) as seen:
        seen.expect_exact("Ctrl-C ends it.")
        seen.sendintr()
        assert ended(seen) == 0
        assert "Traceback" not in seen.before


def test_it_ends_with_the_match_and_its_result_stays_on_the_screen(desk: Desk) -> None:
    desk.open()
    desk.did("move", *SHORT_GAME)
    with screen(desk) as seen:
        seen.expect_exact("Ctrl-C ends it.")
        desk.did("close")
        assert ended(seen) == 0
        last = seen.before.rpartition(TOP)[2]
        assert "Swedes win. Closed; Alba (the Swedes)" in " ".join(last.split())
        assert "Ctrl-C" not in last


def test_a_match_that_is_closed_is_shown_once(desk: Desk) -> None:
    match = desk.finish()
    with screen(desk, match) as seen:
        assert ended(seen) == 0
        assert seen.before.count("Swedes beside the king") == 1


def test_a_terminal_that_knows_no_place_gets_each_board_below_the_last(desk: Desk) -> None:
    desk.open()
    with screen(desk, TERM="dumb") as seen:
        seen.expect_exact("Ctrl-C ends it.")
        desk.did("move", "e3-f3")
        seen.expect_exact("last move: e3-f3")
        assert "\x1b" not in seen.before


def test_the_second_side_sees_its_own_men_below(desk: Desk) -> None:
    desk.open()
    with screen(desk, "--flip") as seen:
        seen.expect_exact("Ctrl-C ends it.")
        assert "   i  h  g  f  e  d  c  b  a" in seen.before


def watched(desk: Desk, seen: subprocess.Popen[str]) -> Iterator[str]:
    """The lines of a watch in a pipe, once it has told of a first note: what is written before a
    watch has begun is nothing new to it."""
    assert seen.stdout is not None
    os.set_blocking(seen.stdout.fileno(), False)
    for number in range(100):
        desk.did("note", f"Bell {number}")
        if line := seen.stdout.readline():
            os.set_blocking(seen.stdout.fileno(), True)
            yield line
            break
    yield from seen.stdout


def test_in_a_pipe_every_event_that_comes_is_a_line_as_log_has_it(desk: Desk) -> None:
    desk.open()
    with pipe(desk) as seen:
        lines = watched(desk, seen)
        told = [next(lines)]
        desk.did("move", *SHORT_GAME)
        desk.did("close")
        told += lines
        assert seen.wait() == 0
    log = desk("log").out.splitlines(keepends=True)
    assert told == log[-len(told) :]
    assert len(log) > len(told) > len(SHORT_GAME)


def test_for_programs_the_match_as_it_stands_is_a_line(desk: Desk) -> None:
    desk.open()
    with pipe(desk, "--json") as seen:
        assert seen.stdout is not None
        first = json.loads(seen.stdout.readline())
        assert (first["seq"], first["last_action"]) == (2, None)
        desk.did("move", "e3-f3")
        second = json.loads(seen.stdout.readline())
        assert (second["seq"], second["last_action"]) == (3, "e3-f3")
        seen.send_signal(signal.SIGINT)
        assert seen.wait() == 0
    assert second == json.loads(desk("show", "--json").out)


def test_where_another_copy_took_over_what_it_has_else_is_told_again(desk: Desk) -> None:
    match = desk.open()
    copy = str(shutil.copy(desk.ledger, desk.folder / "copy.db"))
    desk.did("move", "e3-f3", "e2-h2")
    desk.did("move", "e3-d3", "--ledger", copy)
    here, there = state(desk.ledger, match), state(Path(copy), match)
    assert last_told(here, None) == 4, "what was there before is nothing new"
    assert last_told(here, here) == 4
    assert last_told(there, here) == 2, "the chain parted after the acceptance"
    assert last_told(here, there) == 2


def state(ledger: Path, match: str) -> MatchState:
    with Service.open(ledger, lambda: "", write=False) as opened:
        return opened.state(match)


def test_a_ledger_that_is_replaced_is_not_watched_on(desk: Desk) -> None:
    desk.open()
    with screen(desk) as seen:
        seen.expect_exact("Ctrl-C ends it.")
        desk.ledger.rename(desk.ledger.with_name("before.db"))
        assert ended(seen) == 4
        assert "error[ledger-moved]" in seen.before


def test_looking_back_and_watching_do_not_go_together(desk: Desk) -> None:
    desk.open()
    assert desk("show", "--watch", "--at", "1").code == "usage"


def test_without_a_match_it_says_so_and_ends(desk: Desk) -> None:
    desk.make_keys()
    ran = desk("show", "--watch")
    assert (ran.status, ran.code) == (3, "no-ledger")
