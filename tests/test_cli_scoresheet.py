"""The score sheet from the command line: to a printer, a terminal, a file, for programs."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pexpect
import pytest
from table import SHORT_GAME
from terminal import PROGRAM, Desk, unchanging
from test_cli_json import document

from cli.output import visible
from ledger.render.code import BLOCKS, blocks
from ledger.render.wrapping import cells


@pytest.fixture
def desk(tmp_path: Any, monkeypatch: Any, capsys: Any) -> Desk:
    return Desk(tmp_path, monkeypatch, capsys)


def code_in(written: str) -> list[str]:
    """The lines of half blocks."""
    return [line for line in written.splitlines() if re.fullmatch(f"[{BLOCKS}]{{57}}", line)]


def test_a_sheet_for_the_printer(desk: Desk) -> None:
    desk.open("--event", "Spring meet", "--table", "4")
    desk.did("move", *SHORT_GAME)
    ran = desk.process("scoresheet", "t4", environment={"COLUMNS": "300"})
    assert (ran.status, ran.err) == (0, "")
    written = ran.out.splitlines()
    assert written[:3] == ["SCORE SHEET", "event: Spring meet", "table: 4"]
    assert "  5.   Ka3-a1" in written
    assert (
        "open: The king stands on the corner a1: the Swedes win. The arbiter closes the" in written
    )
    assert max(map(cells, written)) <= 80
    view = document(desk, "scoresheet", "-m", "t4")
    assert view["head"] == json.loads(desk("show", "--json").out)["head"]
    assert code_in(ran.out) == blocks(view["code"], lit=False)
    assert view["code"] == f"tabellion:{view['match']}:{view['seq']}:{view['head']}"


def test_the_head_on_the_sheet_is_the_one_that_an_audit_takes(desk: Desk) -> None:
    desk.finish()
    desk.did("export", "-o", "match.json")
    _, _, below = desk("scoresheet").out.partition("head: event 14\n")
    halves = [line.replace(" ", "") for line in below.splitlines()[:2]]
    for head in ("".join(halves), halves[0]):
        assert desk("audit", "match.json", "--head", head).status == 0
    assert desk("audit", "match.json", "--head", halves[1]).status == 1


def test_a_sheet_goes_into_a_file_and_never_over_another(desk: Desk) -> None:
    desk.open()
    ran = desk("scoresheet", "-o", "sheet.txt")
    assert unchanging(ran.err) == "sheet.txt: 3 events, head HASH\nnext: print it\n"
    assert ran.out == ""
    assert (desk.folder / "sheet.txt").read_text("utf-8") == desk("scoresheet").out
    assert desk("scoresheet", "-o", "sheet.txt").code == "file-exists"
    desk.did("scoresheet", "-o", "sheet.txt", "--force", "--html")
    assert (desk.folder / "sheet.txt").read_text("utf-8") == desk("scoresheet", "--html").out
    desk.did("scoresheet", "-o", "sheet.json", "--json")
    assert (desk.folder / "sheet.json").read_text("utf-8") == desk("scoresheet", "--json").out
    ran = desk("scoresheet", "--html", "-o", str(desk.folder))
    assert (ran.code, ran.err.endswith("/sheet.html\n")) == ("is-a-folder", True)


def test_nothing_is_written_into_the_ledger(desk: Desk) -> None:
    desk.open()
    before = desk.ledger.read_bytes()
    for how in ([], ["--html"], ["--json"]):
        assert desk("scoresheet", *how).status == 0
    assert desk.ledger.read_bytes() == before


# -- an empty sheet ----------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "boxes"), [("tabula", 3), ("tablero-event", 2), ("tablut", 0)])
def test_an_empty_sheet_needs_no_ledger(desk: Desk, name: str, boxes: int) -> None:
    view = document(desk, "scoresheet", "--blank", name)
    assert (view["match"], view["head"], view["code"], view["ruleset"]) == (None, None, None, name)
    assert view["lines"][-1]["dice"] == [0] * boxes
    assert [each["name"] for each in view["parties"]] == [""] * 4
    assert set(view["about"]) == {"event", "round", "table", "place", "date"}
    written = desk.process("scoresheet", "--blank", name).out
    assert " 36.   " in written
    assert code_in(written) == []
    tree = ET.fromstring(desk("scoresheet", "--blank", name, "--html").out)
    assert len([each for each in tree.iter("span") if each.get("class") == "box"]) == (
        36 * boxes + 2 * 2 * bool(boxes)
    )
    ran = desk("scoresheet", "--blank", name, "-o", "blank.txt")
    assert ran.err == f"blank.txt: an empty sheet of {name}\nnext: print it\n"
    assert not desk.ledger.exists()


def test_an_empty_sheet_is_of_no_match(desk: Desk) -> None:
    match = desk.open()
    for named in ((match,), ("-m", match)):
        assert desk("scoresheet", *named, "--blank", "tablut").code == "usage"
    assert desk("scoresheet", "--blank", "ludo").code == "unknown-ruleset"
    assert desk("scoresheet", "t9").code == "no-match"


def test_without_a_match_there_is_no_sheet(desk: Desk) -> None:
    assert desk("scoresheet").status == 3


# -- names of strangers ------------------------------------------------------------------------

NAMES = (
    "<script>alert(1)</script>",
    "</td><h1>SOUND &amp; signed",
    "abc\u200fdef\u200e",
    "a\u2028b\u061cc",
    '" onload="x',
    "עדה 王 👩‍👩‍👧",
)


@pytest.mark.parametrize("name", NAMES)
def test_a_strangers_name_is_only_a_name(desk: Desk, name: str) -> None:
    desk.make_keys("zoe")
    seats = ("--seat", f"swedes={name}", "--seat", "muscovites=Bruno")
    desk.did("open", "tablut", *seats, "--event", name, "--key", "zoe", "--arbiter", name)
    desk.did("note", name)
    seen = visible(name, lines=True)
    written = desk("scoresheet").out
    assert f"event: {seen}\n" in written
    assert f"The Swedes: {seen}\n" in written
    notes = [line.strip(" #") for line in written.splitlines() if line.startswith("       # ")]
    assert " ".join(notes) == f"event 1: note by {seen}: {seen}"
    tree = ET.fromstring(desk("scoresheet", "--html").out)
    said = ["".join(each.itertext()) for each in tree.iter("bdi")]
    assert seen in said
    assert f"event 1: note by {seen}: {seen}" in said
    assert {each.tag for each in tree.iter()}.isdisjoint({"script", "img"})
    assert len(list(tree.iter("h1"))) == 1
    for text in (written, "".join(tree.itertext())):
        assert not re.search("[\x00-\x09\x0b-\x1f\u061c\u200e\u200f\u2028\u2029]", text)
    view = document(desk, "scoresheet")
    assert view["parties"][0]["name"] == name


def test_a_note_never_looks_like_a_row(desk: Desk) -> None:
    """However long it is, every line of it stands behind #."""
    desk.open(keyed=())
    desk.did("move", "e3-f3")
    desk.did("note", "x" * 60 + " 1. e2-h2 " + "y" * 60 + " 2. e4-e2 raichi")
    _, _, below = desk("scoresheet").out.partition("\n No.")
    rows = below.partition("\n\n")[0].splitlines()[1:]
    assert rows[0] == "  1.   e3-f3"
    assert all(row.startswith("       # ") for row in rows[1:])


# -- where it is shown -------------------------------------------------------------------------


def on_terminal(columns: int, *arguments: str) -> list[str]:
    shown = pexpect.run(
        f"{PROGRAM} scoresheet {' '.join(arguments)}",
        env={**os.environ, "TERM": "xterm"},
        dimensions=(200, columns),
        encoding="utf-8",
    )
    return [line.rstrip("\r") for line in shown.split("\n")]


def test_on_a_terminal_it_is_as_wide_as_that(desk: Desk) -> None:
    desk.open("--event", "A meeting with a name that is rather long, for a narrow terminal")
    desk.did("move", *SHORT_GAME[:5], "raichi")
    for columns in (100, 57, 40):
        shown = on_terminal(columns)
        board = re.compile(r"(\d .* \d|   a  b .*)")
        assert all(len(line) <= min(columns, 80) or board.fullmatch(line) for line in shown)
        assert any("Ke5-e3 raichi" in line for line in shown)
        assert "".join(shown).count("AmeetingwithanamethatisratherlongforanarrowterminalX") == 0
        code = [line for line in shown if re.fullmatch(f"[{BLOCKS}]{{57}}", line)]
        assert bool(code) == (columns >= 57)


def test_a_terminal_shows_the_code_light_on_dark(desk: Desk) -> None:
    desk.open()
    view = json.loads(desk("scoresheet", "--json").out)
    shown = on_terminal(80)
    start = shown.index(blocks(view["code"], lit=True)[0])
    assert shown[start : start + 29] == blocks(view["code"], lit=True)


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_a_pipe_that_has_no_half_blocks_gets_no_code(desk: Desk, encoding: str) -> None:
    desk.open()
    ran = desk.process("scoresheet", environment={"PYTHONIOENCODING": encoding})
    assert ran.status == 0
    assert not set(BLOCKS[1:]) & set(ran.out)
    assert "???" not in ran.out
    assert "Signed for everything up to event 2, and for its hash:" in ran.out


def test_a_page_is_utf8_whatever_the_pipe_says(desk: Desk) -> None:
    desk.open()
    ran = desk.process("scoresheet", "--html", environment={"PYTHONIOENCODING": "ascii"})
    assert ran.out == desk("scoresheet", "--html").out
    assert "Zoë" in ran.out


def test_what_draws_codes_is_loaded_for_nothing_else(desk: Desk) -> None:
    desk.open()
    program = (
        "import sys, cli\nsys.argv = ['tabellion', *sys.argv[1:]]\n"
        "cli.run()\nprint('segno' in sys.modules)"
    )
    for arguments, loaded in ((["scoresheet"], True), (["show"], False), (["log"], False)):
        run = subprocess.run(
            [sys.executable, "-c", program, *arguments], capture_output=True, check=True, timeout=60
        )
        assert run.stdout.decode().splitlines()[-1] == str(loaded)


def test_a_reader_that_goes_away_is_no_error(desk: Desk) -> None:
    desk.open()
    for how in ("", "--html"):
        run = subprocess.run(
            ["bash", "-c", f"{PROGRAM} scoresheet {how} | true; echo ${{PIPESTATUS[0]}}"],
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        )
        assert (run.stdout.strip() in ("0", "141"), run.stderr) == (True, "")


def test_a_sheet_that_is_not_closed_says_what_is_open(desk: Desk) -> None:
    desk.open()
    desk.did("offer", "draw", "--seat", "swedes")
    view = document(desk, "scoresheet")
    assert view["closed"] is False
    assert view["due"][0].startswith("Alba (the Swedes) to move.")
    assert re.match(
        r"Alba \(the Swedes\) offers a draw\. Bruno: agree [0-9a-f]{4} or", view["due"][1]
    )


def test_every_kind_of_line_is_in_the_schema(desk: Desk) -> None:
    """A throw, an act, a note, all of them struck once."""
    desk.make_keys("zoe")
    seats = ("--seat", "white=Alba", "--seat", "black=Bruno")
    desk.did("open", "tabula", "--key", "zoe", *seats)
    for typed in ("4-2", "6-6-6"):
        desk.did("roll", typed)
    desk.did("move", "hand/6", "hand/6", "hand/6")
    desk.did("correct", "2", "--reason", "cocked", "--dice", "rethrow")
    desk.did("roll", "1-1-1")
    desk.did("void", "cocked")
    view = document(desk, "scoresheet")
    kinds = [(line["kind"], line["struck"]) for line in view["lines"]]
    assert kinds == [
        ("row", ""),
        ("row", "taken back"),
        ("note", ""),
        ("row", "void"),
        ("note", ""),
    ]
    assert view["lines"][1]["acts"] == [
        {
            "seq": 3,
            "seat": "white",
            "text": "hand/6 hand/6 hand/6",
            "struck": "taken back",
            "remark": "",
        }
    ]


def test_the_file_can_be_named_as_a_match_is(desk: Desk, tmp_path: Path) -> None:
    match = desk.open()
    assert desk("scoresheet", match[:8]).out == desk("scoresheet", "-m", match).out
