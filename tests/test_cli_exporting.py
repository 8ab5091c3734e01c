"""export as it is typed: every form of a match, to a file, into a pipe, onto a terminal."""

from __future__ import annotations

import csv
import io
import json
import os
import shlex
import zipfile
from pathlib import Path
from typing import Any

import pexpect
import pytest
from terminal import PROGRAM, Desk

from ledger import page, record
from ledger.carriers import record_in
from ledger.exporting import names

CARRYING = ("record", "html", "bundle")


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: Any, capsys: Any) -> Desk:
    return Desk(tmp_path, monkeypatch, capsys)


def shown(*arguments: str, columns: int = 80) -> str:
    """What a terminal shows."""
    return pexpect.run(
        shlex.join([str(PROGRAM), *arguments]),
        env={**os.environ, "TERM": "xterm", "NO_COLOR": "1"},
        dimensions=(24, columns),
        encoding="utf-8",
    ).replace("\r\n", "\n")


@pytest.mark.parametrize("form", CARRYING)
def test_what_carries_the_record_is_audited_and_taken_in_like_it(desk: Desk, form: str) -> None:
    desk.finish()
    said = desk.did("export", "--format", form, "-o", "out")
    assert said.startswith("out: 15 events, head")
    data = record_in((desk.folder / "out").read_bytes())
    assert record.read(data).positions is not None
    audited = desk("audit", "out")
    assert (audited.status, "verdict: SOUND, 15 events" in audited.out) == (0, True)
    taken = desk("import", "out", "--ledger", "elsewhere.db")
    assert taken.status == 0, taken.err
    assert desk("audit", "--ledger", "elsewhere.db").status == 0


@pytest.mark.parametrize("form", sorted({*names()} - {"text"}))  # text: of other games
def test_a_match_exported_twice_gives_the_same_bytes(desk: Desk, form: str) -> None:
    desk.finish()
    first = desk("export", "--format", form, "-o", "one")
    assert first.status == 0, first.err
    assert desk("export", "--format", form, "-o", "two").status == 0
    assert (desk.folder / "one").read_bytes() == (desk.folder / "two").read_bytes()


@pytest.mark.parametrize("form", ["record", "html", "otn", "moves.csv", "results.jsonl"])
def test_a_pipe_gets_the_bytes_of_the_file(desk: Desk, form: str) -> None:
    desk.finish()
    desk.did("export", "--format", form, "-o", "file")
    piped = desk.process("export", "--format", form)
    assert (piped.status, piped.err) == (0, "")
    assert piped.out.encode() == (desk.folder / "file").read_bytes()


@pytest.mark.parametrize("form", ["html", "bundle", "page"])
def test_what_nobody_can_read_does_not_go_onto_a_terminal(desk: Desk, form: str) -> None:
    desk.finish()
    said = shown("export", "--format", form)
    assert said.startswith(f"error[no-text]: {form} is for a file, not for a terminal.")
    assert "hint: --output " in said


def test_on_a_terminal_rows_are_lines_without_their_carriage_returns(desk: Desk) -> None:
    desk.finish()
    written = desk("export", "--format", "moves.csv").out
    assert shown("export", "--format", "moves.csv", columns=2000) == written.replace("\r\n", "\n")


def test_the_page_is_of_no_match_and_needs_no_ledger(desk: Desk) -> None:
    said = desk.did("export", "--format", "page", "-o", "verify.html")
    assert said.startswith("verify.html: SHA-256 HASH\n")
    assert (desk.folder / "verify.html").read_bytes() == page.page()
    assert not desk.ledger.exists()
    assert desk("export", "t4", "--format", "page").code == "usage"


def test_all_matches_as_an_archive_or_as_rows(desk: Desk) -> None:
    for _ in range(2):
        match = desk.open(keyed=())
        desk.did("move", "e3-f3", "-m", match)
        desk.did("resign", "-m", match, "--seat", "muscovites")
    desk.did("export", "--all", "-o", "all.jsonl")
    assert desk("audit", "all.jsonl").out.startswith("archive: SOUND, 2 matches\n")
    desk.did("export", "--all", "--format", "results.csv", "-o", "results.csv")
    text = (desk.folder / "results.csv").read_bytes().decode()
    header, *rows = csv.reader(io.StringIO(text, newline=""), strict=True)
    assert [row[header.index("winner")] for row in rows] == ["swedes", "swedes"]
    lines = desk("export", "--all", "--format", "moves.jsonl").out.splitlines()
    assert [json.loads(line)["notation"] for line in lines] == ["e3-f3", "e3-f3"]


def test_what_all_cannot_be(desk: Desk) -> None:
    desk.open()
    for more in (("--format", "html"), ("--format", "otn"), ("--format", "page"), ("t4",)):
        ran = desk("export", "--all", *more)
        assert (ran.status, ran.code, ran.out) == (2, "usage", ""), more


def test_another_games_text_is_refused_with_the_one_there_is(desk: Desk) -> None:
    desk.open()
    ran = desk("export", "--format", "text")
    assert (ran.status, ran.code) == (2, "bad-option")
    assert "The text format of tablut is otn, not " in ran.err
    assert desk("export", "--format", "pdf").err.count("html, bundle") == 1


def test_nothing_that_is_there_is_written_over(desk: Desk) -> None:
    desk.finish()
    for form in (*CARRYING, "page", "otn", "moves.csv"):
        (desk.folder / "mine").write_bytes(b"mine")
        ran = desk("export", "--format", form, "-o", "mine")
        assert ran.code == "file-exists", form
        assert (desk.folder / "mine").read_bytes() == b"mine"
        ran = desk("export", "--format", form, "-o", ".")
        assert ran.code == "is-a-folder", form


def test_a_bundle_holds_the_page_that_everybody_has(desk: Desk) -> None:
    desk.finish()
    desk.did("export", "--format", "bundle", "-o", "match.zip")
    with zipfile.ZipFile(desk.folder / "match.zip") as bundle:
        (name,) = (each for each in bundle.namelist() if each.endswith("verify.html"))
        assert bundle.read(name) == page.page()
