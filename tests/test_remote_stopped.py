"""Ctrl-C while a command waits for others: what is signed, what is awaited, how to go on."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from laptops import PATIENCE, PLAYERS, Hall, accepted, alone, served_with_key
from server import serving, wait_for
from terminal import Desk, unchanging
from wire import through

from ledger import tables
from ledger.tablesfile import Server


@pytest.fixture
def hall(tmp_path: Path, monkeypatch: Any, capsys: Any) -> Hall:
    return Hall(Desk(tmp_path, monkeypatch, capsys))


def stopped(
    running: subprocess.Popen[str], when: Callable[[], object] = lambda: True
) -> tuple[int, str, str]:
    """Ctrl-C, as soon as ``when`` is so: status, standard output, standard error."""
    wait_for(when)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=PATIENCE)
    return running.returncode, unchanging(out), unchanging(err)


def heard(running: subprocess.Popen[str], words: str) -> Callable[[], bool]:
    """Whether standard error has a line with these words; the lines before it are gone then."""
    assert running.stderr is not None
    lines = iter(running.stderr)
    return lambda: words in next(lines)


@contextmanager
def waiting(hall: Hall, who: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """``who`` rolls, until the match's stream is asked for; and the server's address."""
    asked: list[bytes] = []

    def noted(request: bytes) -> str:
        asked.append(request)
        return "lost" if b"/stream?" in request else ""

    assert hall.server is not None
    with through(hall.server.port, noted) as wire:
        url = f"http://127.0.0.1:{wire}"
        with alone(hall, who, "roll", "--server", url) as rolling:
            wait_for(lambda: any(b"/stream?" in each for each in asked))
            yield rolling, url


def test_a_throw_whose_other_half_is_awaited(hall: Hall) -> None:
    hall.open("tabula")
    with hall.serving():
        accepted(hall)
        hall.did("alba", "show")
        with waiting(hall, "alba") as (rolling, url):
            status, out, err = stopped(rolling)
        follow = f"tabellion show --watch MATCH --server {url}"
        assert (status, out) == (130, "")
        assert err == (
            "event 5  HASH  Alba throws roll 1\n"
            "Stopped. What you signed stands, here and at the server.\n"
            "Roll 1 is thrown: Bruno (Black) must open it.\n"
            f"next: Bruno has to act; follow it with: {follow}\n"
        )
        assert "Bruno opens roll 1" in hall.did("bruno", "roll")


def test_who_waits_for_a_throw_has_signed_nothing(hall: Hall) -> None:
    hall.open("tabula")
    with hall.serving():
        accepted(hall)
        hall.did("bruno", "show")
        with waiting(hall, "bruno") as (rolling, url):
            status, out, err = stopped(rolling)
        follow = f"tabellion show --watch MATCH --server {url}"
        assert (status, out) == (130, "")
        assert err.startswith("Stopped: nothing was signed.\n")
        assert err.endswith(f"next: Alba has to act; follow it with: {follow}\n")


def test_a_move_that_the_server_does_not_answer(hall: Hall) -> None:
    hall.open()
    asked: list[bytes] = []

    def held(request: bytes) -> str:
        if request.startswith(b"POST"):
            asked.append(request)
            wait_for(lambda: len(asked) > 1)
        return ""

    with hall.serving() as server:
        accepted(hall)
        hall.did("alba", "show")
        with through(server.port, held) as wire:
            url = f"http://127.0.0.1:{wire}"
            with alone(hall, "alba", "move", "e3-f3", "--server", url) as moving:
                status, _, err = stopped(moving, lambda: asked)
            asked.append(b"done")
        assert status == 130
        assert "event 3  HASH  Alba moves e3-f3\nStopped. What you signed is kept here; " in err
        assert "do not sign it again.\nBruno (the Muscovites) to move.\nnext: Bruno has to" in err
        hall.did("alba", "show")
        assert hall.seq("zoe") == 3


def test_a_seat_that_waits_for_the_others(hall: Hall) -> None:
    for who in ("zoe", *PLAYERS):
        hall.did(who, "key", "new", who, "--no-passphrase")
    hall.did("zoe", "init")
    with served_with_key(hall):
        assert hall.server is not None
        seats = ("--seat", "swedes=Alba", "--seat", "muscovites=Bruno")
        join = ("--join", "swedes", "--join", "muscovites", "--no-wait")
        ran = hall("zoe", "open", "tablut", "--key", "zoe", *seats, *join)
        code = re.findall(r"\b[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{2}\b", ran.out)[0]
        with alone(hall, "alba", "join", code, "--server", hall.server.url) as joining:
            status, out, err = stopped(joining, heard(joining, "Waiting for Bruno."))
        assert (status, out) == (130, "")
        assert err == (
            "Stopped. If the server has taken the code, it stays taken, for your key alba alone; "
            "no event was signed. The same command asks again, and fetches the match when all "
            f"have come.\nnext: tabellion join {code} --key alba --server {hall.server.url}\n"
        )
        words = err.rpartition("next: tabellion ")[2].split()
        assert "Not opened yet: waiting for Bruno." in hall.did("alba", *words, "--no-wait")


def test_a_match_that_is_watched(hall: Hall) -> None:
    hall.open()
    with hall.serving() as server:
        accepted(hall)
        hall.did("alba", "show")
        told = ("show", "--watch", "--json", "--server", server.url)
        with alone(hall, "bruno", *told) as watching:
            assert watching.stdout is not None
            first = watching.stdout.readline()
            status, out, err = stopped(watching, lambda: first)
    assert (status, out) == (0, "")
    assert err == (
        "Stopped at event 2; looking on signs nothing.\n"
        "Alba (the Swedes) to move.\n"
        f"next: Alba has to act; follow it with: tabellion show --watch --server {server.url}\n"
    )


def test_a_table_that_waits_for_its_phones(hall: Hall) -> None:
    hall.did("zoe", "key", "new", "zoe", "--no-passphrase")
    hall.did("zoe", "init")
    seats = ("--seat", "swedes=Alba", "--seat", "muscovites=Bruno")
    with serving(hall.at("zoe")) as server:
        there = Server(os.getpid(), server.url, None, None)
        with (
            tables.serving(tables.beside(hall.at("zoe")), there),
            alone(
                hall, "zoe", "open", "tablut", "--key", "zoe", *seats, "--join", "swedes"
            ) as waits,
        ):
            status, _, err = stopped(waits, heard(waits, "Waiting for Alba."))
    assert status == 130
    assert err == (
        "The table is withdrawn: its codes are good no longer, and nothing was signed.\n"
        "Not joined yet: Alba.\n"
        "The same command sets it out anew, with new codes for all; with --no-wait a server that "
        "holds your key goes on alone.\n"
    )
