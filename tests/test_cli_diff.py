"""Two copies of a match side by side: diff."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from parting import part
from terminal import Desk

from ledger import envelope
from ledger.events import decode


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: Any, capsys: Any) -> Desk:
    return Desk(tmp_path, monkeypatch, capsys)


def test_the_same_copy_twice(desk: Desk) -> None:
    desk.open()
    desk.did("move", "e3-f3")
    desk.did("export", "-o", "match.json")
    said = desk.did("diff", "match.json")
    assert said == (
        "match HASH\nmatch.json: 4 events, head HASH\nyour ledger: 4 events, head HASH\n"
        "Both are the same.\n"
    )
    desk.did("diff", "match.json", "match.json")
    desk.did("diff", "match.json", str(desk.ledger))


def test_one_that_goes_on(desk: Desk) -> None:
    desk.open()
    desk.did("export", "-o", "match.json")
    desk.did("move", "e3-f3")
    ran = desk("diff", "match.json")
    assert ran.status == 1
    assert desk.plain(ran.out).splitlines()[3:] == [
        "The first 3 events are the same in both.",
        "only in match.json: nothing",
        "only in your ledger:",
        "  event 3  HASH  Alba moves e3-f3, signed by Alba (swedes)",
        "your ledger goes on where the other ends.",
    ]


def test_copies_that_part_and_whose_stands(desk: Desk) -> None:
    part(desk)
    ran = desk("diff", "zoe.json")
    assert ran.status == 1
    assert desk.plain(ran.out).splitlines()[3:] == [
        "The first 3 events are the same in both.",
        "only in zoe.json:",
        "  event 3  HASH  note by Zoë: The round begins, signed by Zoë (arbiter)",
        "only in your ledger:",
        "  event 3  HASH  Alba moves e3-f3, signed by Alba (swedes)",
        "The arbiter has signed after they parted in zoe.json alone: that copy stands.",
    ]
    other = desk("diff", str(desk.folder / "alba.db"), "zoe.json")
    assert "The arbiter has signed after they parted in zoe.json alone" in other.out


def fork(desk: Desk) -> None:
    """Alba's key signs event 3 on two devices."""
    desk.open()
    desk.did("export", "-o", "start.json")
    desk.did("move", "e3-f3")
    desk.did("export", "-o", "one.json")
    desk.did("import", "start.json", "--ledger", "two.db")
    desk.did("move", "e4-f4", "--ledger", "two.db")


def test_a_key_that_signed_both_and_the_envelopes_to_hand_over(desk: Desk) -> None:
    fork(desk)
    ran = desk("diff", "one.json", "two.db")
    assert ran.status == 1
    assert (
        "Alba signed both events 3; an explanation is due. It may be a restored backup. --json has "
        "both envelopes.\n"
        "The arbiter has signed in neither after they parted: a word of the arbiter decides.\n"
    ) in ran.out
    (both,) = json.loads(desk("diff", "one.json", "two.db", "--json").out)["signed_both"]
    moves = [envelope.parse(both[side]["envelope"].encode()) for side in ("ours", "theirs")]
    assert [decode(each.payload).data.move for each in moves] == ["e3-f3", "e4-f4"]
    assert moves[0].keyid == moves[1].keyid


def test_dice_that_fell_in_one_copy_are_told_by_that_copy(desk: Desk) -> None:
    desk.make_keys()
    seats = ("--seat", "south=Alba", "--seat", "north=Bruno")
    desk.did("open", "tablero", "--key", "zoe", *seats, "--dice", "table")
    desk.did("export", "-o", "start.json")
    desk.did("roll", "5-3")
    desk.did("import", "start.json", "--ledger", "two.db")
    desk.did("roll", "3-5", "--ledger", "two.db")
    said = desk("diff", "two.db", str(desk.ledger)).out
    assert "writes down roll 1: 3-5, Bruno begins, signed by zoe (arbiter for south)" in said
    assert "writes down roll 1: 5-3, Alba begins, signed by zoe (arbiter for south)" in said
    assert "The arbiter has signed in both after they parted: ask the arbiter" in said


def test_what_is_refused(desk: Desk) -> None:
    first = desk.open()
    desk.did("export", "-o", "one.json")
    second = desk.open("--table", "7")
    desk.did("export", second, "-o", "two.json")
    ran = desk("diff", "one.json", "two.json")
    assert (ran.status, ran.code) == (1, "other-match")
    assert first[:12] in ran.err
    assert second[:12] in ran.err
    assert desk("diff", "nothing.json").code == "no-file"
    assert desk("diff", "-", "-").status == 2
    assert desk("diff", "t7", "two.json").status == 0
    data = bytearray((desk.folder / "one.json").read_bytes())
    data[len(data) // 2] ^= 1
    (desk.folder / "bent.json").write_bytes(data)
    bent = desk("diff", "bent.json", "one.json")
    assert (bent.status, bool(bent.code)) == (1, True)
    assert desk("diff", "two.json", "--ledger", "nowhere.db").status == 3
    (desk.folder / "empty.json").write_bytes(b"")
    assert desk("diff", "empty.json").status == 2


def test_from_a_pipe(desk: Desk) -> None:
    desk.open()
    data = desk("export").out.encode()
    assert desk("diff", "-", stdin=data).status == 0
