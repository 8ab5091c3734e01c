"""Names, places, notes and complaints that would like to run, steer or break out: whatever shows
them, they stay words. What of it an event may not hold at all is refused with that event."""

from __future__ import annotations

import csv
import io
import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from terminal import Desk

from ledger.keys import Keyring

HOSTILE = {
    "html": "</script><script>alert(1)</script><img src=x onerror=alert(2)>",
    "svg": '"><svg onload=alert(1)><!-- ]]> -->',
    "formula": '=HYPERLINK("http://evil.example","Alba")',
    "plus": "+1-1|' /C calc'!A0",
    "at": "@SUM(1;1)*cmd",
    "shell": "$(touch pwned) `touch pwned` ; touch pwned",
    "direction": "abla\u200f sdeews\u200e\u061c",
    "unseen": "Al\u200bba\ufeff\u00ad\U000e0041",
    "separators": "Alba\u2028result: Alba won\u2029event 9",
    "brackets": '] [result "1-0"] {} # 99. e1-e9 -- ;',
}
"""Words that an event can hold."""
UNSEEN = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    "\U000e0000-\U000e007f]"
)
SHOWN = (
    "show",
    "show --flip",
    "log",
    "list",
    "audit",
    "stats",
    "explain 1",
    "explain 5",
    "moves",
    "scoresheet",
    "pending",
    "diff match.json match.json",
    "audit match.json",
)


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: Any, capsys: Any) -> Desk:
    return Desk(tmp_path, monkeypatch, capsys)


WORDS = list(HOSTILE.values())
TURNS = range(0, len(WORDS), 3)
"""Who says what: in every match each of them stands in another place."""


def play(desk: Desk, turn: int) -> None:
    """A match in which people write all of that, in all places where they can write."""
    first, second, event, round_, place, arbiter, note, complaint, statement, reason = (
        *WORDS[turn:],
        *WORDS[:turn],
    )
    for name in ("zoe", "alba", "wanda"):
        Keyring(desk.keys).create(name, None)
    seats = ("--seat", f"swedes={first}", "--seat", f"muscovites={second}")
    keys = ("--seat-key", "swedes=alba", "--witness", "Wanda=wanda", "--key", "zoe")
    places = [f"--event={event}", f"--round={round_}", f"--place={place}", f"--arbiter={arbiter}"]
    desk.did("open", "tablut", *seats, *keys, *places)
    desk.did("accept")
    desk.did("move", "e3-f3", "e2-h2")
    desk.did("note", "--", note)
    desk.did("dispute", "--reason", complaint, "--seat", "swedes")
    desk.did("statement", "--key", "wanda", "--", statement)
    desk.did("ruling", "--dismiss", "--penalty", "swedes=warning", f"--reason={reason}", "--rule=x")
    desk.did("export", "-o", "match.json", "--force")


@pytest.mark.parametrize("turn", TURNS)
def test_nothing_steers_a_terminal_or_looks_like_another_line(desk: Desk, turn: int) -> None:
    play(desk, turn)
    for line in SHOWN:
        ran = desk(*line.split())
        text = ran.out + ran.err
        assert ran.status in (0, 1), (line, ran.err)
        assert not UNSEEN.search(text), (line, UNSEEN.search(text))
        assert "Traceback" not in text
        assert not re.search(r"^(?:result: Alba|event 9|\[result)", text, re.MULTILINE), line
    assert sorted(each.name for each in desk.folder.iterdir()) == ["data", "match.json"]


@pytest.mark.parametrize("turn", TURNS)
def test_json_has_the_words_as_they_were_written(desk: Desk, turn: int) -> None:
    play(desk, turn)
    seats = json.loads(desk("show", "--json").out)["seats"]
    assert [each["name"] for each in seats] == [WORDS[turn], WORDS[turn + 1 - len(WORDS)]]


@pytest.mark.parametrize("turn", TURNS)
def test_a_sheet_as_a_page_has_the_elements_of_any_other(desk: Desk, turn: int) -> None:
    play(desk, turn)
    hostile = ET.fromstring(desk("scoresheet", "--html").out)
    attributes = {name for each in hostile.iter() for name in each.attrib}
    assert {each.tag for each in hostile.iter()}.isdisjoint({"script", "img", "a", "iframe"})
    assert not {name for name in attributes if name.startswith("on") or name in ("href", "src")}


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("kind", ["moves", "rolls", "results"])
def test_no_cell_of_a_table_is_a_formula(desk: Desk, kind: str, turn: int) -> None:
    play(desk, turn)
    ran = desk("export", "--format", f"{kind}.csv")
    assert ran.status == 0, ran.err
    header, *rows = csv.reader(io.StringIO(ran.out, newline=""), strict=True)
    assert all(len(row) == len(header) for row in rows)
    assert not [cell for row in rows for cell in row if re.match(r"[=+@\t\r-]", cell)]
    for line in desk("export", "--format", f"{kind}.jsonl").out.split("\n")[:-1]:
        assert list(json.loads(line)) == header


@pytest.mark.parametrize("turn", TURNS)
def test_a_page_with_such_a_record_differs_by_the_line_of_the_record_alone(
    desk: Desk, turn: int
) -> None:
    from ledger import page

    play(desk, turn)
    desk.did("export", "--format", "html", "-o", "match.html")
    lines = (desk.folder / "match.html").read_bytes().splitlines(keepends=True)
    kept = [line for line in lines if not line.startswith(b'{"events":[')]
    assert (b"".join(kept), len(lines) - len(kept)) == (page.page(), 1)
    (record,) = (line for line in lines if line.startswith(b'{"events":['))
    assert b"<" not in record
    assert record == (desk.folder / "match.json").read_bytes()
