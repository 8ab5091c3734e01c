"""A file of many records before the verifying page: the reader says which one is judged."""

from __future__ import annotations

import pytest
from pagereader import Reader, golden, tampered

from ledger import page, record
from ledger.envelope import Envelope

pytest_plugins = ["browser"]

TABLUT, TABULA = "v1-tablut", "v1-tabula"


def line(name: str) -> bytes:
    """A record as it stands in an archive: without boards."""
    pieces = record.read(golden(name)[0]).pieces
    return record.write(each for each in pieces if isinstance(each, Envelope))


def flipped(data: bytes) -> bytes:
    return bytes([*data[:9], data[9] ^ 1, *data[10:]])


def test_the_reader_chooses_a_match_and_that_one_is_judged(reader: Reader) -> None:
    broken = tampered(golden(TABULA)[0], 5, signature=flipped)
    reader.open()
    reader.drop(line(TABLUT) + broken, name="spring.jsonl")
    select = reader.page.get_by_label("Line of the file and match id")
    select.wait_for()
    labels = select.locator("option").all_inner_texts()
    for number, (label, name) in enumerate(zip(labels, (TABLUT, TABULA), strict=True), 1):
        assert label.startswith(f"{number}: {golden(name)[1].match[:12]}…")
        assert label.endswith("\u2068Alba\u2069 – \u2068Bruno\u2069")
    assert "holds 2 matches" in reader.text("#choice")
    assert not reader.text("#report")
    assert not reader.barriers()
    select.select_option(index=1)
    assert not reader.text("#report"), "nothing is judged before the reader says so"
    reader.page.get_by_role("button", name="Check this match").click()
    assert reader.judged() == "faults"
    assert "line 2 of spring.jsonl" in reader.text("#status")
    select.select_option(index=0)
    reader.page.get_by_role("button", name="Check this match").click()
    reader.page.wait_for_selector("[data-role=swedes]")
    assert reader.judged() == "sound"
    assert "line 1 of spring.jsonl" in reader.text("#status")
    reader.drop(line(TABULA))
    reader.page.wait_for_selector("[data-role=white]")
    assert not reader.text("#choice")


def test_lines_that_are_no_records_are_counted_and_not_offered(reader: Reader) -> None:
    reader.open()
    reader.drop(b"broken line\n" + line(TABLUT) + b"\n" + line(TABULA))
    options = reader.page.locator("#line option")
    options.first.wait_for(state="attached")
    assert [label.split(":")[0] for label in options.all_inner_texts()] == ["2", "4"]
    assert "are not offered: 2." in reader.text("#choice")


def test_a_match_whose_opening_is_damaged_can_still_be_chosen(reader: Reader) -> None:
    damaged = line(TABLUT).replace(b'{"payload":"', b'{"payload":"?', 1)
    bare = b'{"events":[\n'
    reader.open()
    reader.drop(damaged + bare + line(TABULA))
    options = reader.page.locator("#line option")
    options.first.wait_for(state="attached")
    texts = options.all_inner_texts()
    assert texts[:2] == ["1: its first event cannot be read", "2: its first event cannot be read"]
    reader.page.get_by_role("button", name="Check this match").click()
    assert reader.judged() == "faults"


def test_a_thousand_are_offered_and_the_rest_is_counted(reader: Reader) -> None:
    reader.open()
    reader.drop(line(TABLUT) * 1001)
    reader.page.wait_for_selector("#line")
    assert reader.page.locator("#line option").count() == 1000
    assert "holds 1001 matches. The first 1000 can be chosen" in reader.text("#choice")


@pytest.mark.parametrize("space", [b"", b"\n  "])
def test_a_page_with_two_records_is_a_fault_and_no_choice(reader: Reader, space: bytes) -> None:
    both = space + page.with_record(line(TABLUT) + line(TABULA))
    reader.open()
    reader.drop(both, name="match.html")
    assert reader.judged() == "faults"
    assert reader.checks()["file"] == "fault"
