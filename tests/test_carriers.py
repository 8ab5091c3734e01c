"""What a record comes in: the page and the bundle give back the very bytes, hostile ones a
sentence."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from random import Random
from struct import pack
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZIP_STORED, ZipFile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger import bundle, record
from ledger.audit import audit
from ledger.carriers import record_in
from ledger.envelope import Envelope
from ledger.errors import Unreadable
from ledger.events import decode
from ledger.fold import Entry, open_match
from ledger.page import page, with_record

GOLDEN = Path(__file__).parent / "golden"
RECORD = (GOLDEN / "v1-tablut.tabellion.json").read_bytes()
EVENTS = [piece for piece in record.read(RECORD).pieces if isinstance(piece, Envelope)]
STATE = open_match([Entry(decode(one.payload), one.hash, one.keyid) for one in EVENTS])
BUNDLE = bundle.write(STATE, RECORD, b"<!doctype html>\n")
NAME = f"{bundle.folder(STATE.match)}/match.tabellion.json"
HEAD = b'<!DOCTYPE html>\n<html lang="en"><title>A match</title>\n'
OPEN = b'<script type="application/json" id="record">\n'
CLOSE = b"</script>\n<script>let a = 1 < 2;</script></html>\n"


def zipped(*members: tuple[str, bytes], method: int = ZIP_DEFLATED) -> bytes:
    """A zip file as other programs make one."""
    packed = BytesIO()
    with ZipFile(packed, "w", method) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return packed.getvalue()


def refusal(data: bytes) -> Unreadable:
    with pytest.raises(Unreadable) as caught:
        record_in(data)
    assert caught.value.message.isprintable()
    return caught.value


def outcome(data: bytes) -> bytes | str:
    """The record, or the code of the refusal. Nothing else may come out."""
    try:
        return record_in(data)
    except Unreadable as error:
        return error.code


# -- no carrier --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        RECORD,
        RECORD[:500],
        RECORD[3:],
        b"",
        b"PK",
        b"SQLite format 3\0",
        b"\xff\xfe\0",
        b'{"events":["<!doctype html>"]}',
        b"<?xml version='1.0'?>",
        b"1. e2-e4",
    ],
)
def test_what_is_no_carrier_is_left_alone(data: bytes) -> None:
    assert record_in(data) is data


@given(st.binary(max_size=200))
def test_anything_is_left_alone_or_refused(data: bytes) -> None:
    for start in (b"", b"PK\3\4", b"PK\5\6", b"<!doctype html>", HEAD + OPEN):
        outcome(start + data)


# -- the page ----------------------------------------------------------------------------------


def test_the_page_gives_back_its_record() -> None:
    assert record_in(with_record(RECORD)) == RECORD


def test_the_page_that_everybody_has_holds_none() -> None:
    error = refusal(page())
    assert (error.code, error.message) == ("no-record", "There is no record in this page.")
    assert "--format html" in error.hint


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text,
        lambda text: text.replace(b"\n", b"\r\n"),
        lambda text: b"\xef\xbb\xbf" + text,
        lambda text: b"\r\n  " + text,
        lambda text: text.replace(b"<!DOCTYPE html>", b"<!doctype HTML>"),
        lambda text: text.replace(b"<html", b"<!-- saved from url=(0014)about:internet -->\n<html"),
        lambda text: text.replace(b"<!DOCTYPE html>\n", b""),
        lambda text: text.replace(b"</script>", b"</SCRIPT >"),
    ],
    ids=["as-written", "crlf", "bom", "space", "capitals", "saved", "no-doctype", "other-end"],
)
def test_a_page_that_was_sent_around(change: Callable[[bytes], bytes]) -> None:
    assert record_in(change(HEAD + OPEN + RECORD + CLOSE)) == RECORD


@pytest.mark.parametrize("inside", [b"", b"\n", b" \r\n\t"])
def test_an_empty_page(inside: bytes) -> None:
    assert refusal(HEAD + OPEN + inside + CLOSE).code == "no-record"


def test_any_other_page_is_no_record() -> None:
    assert refusal(HEAD).code == "no-record"
    assert refusal(HEAD + OPEN[:-1] + RECORD + CLOSE).code == "no-record"  # not alone on its line


def test_a_page_with_two_records() -> None:
    twice = HEAD + OPEN + RECORD + CLOSE + OPEN + RECORD + CLOSE
    assert refusal(twice).message == "There is more than one record in this page."
    hidden = HEAD + b"<!--\n" + RECORD + b"-->" + OPEN + RECORD + CLOSE
    assert refusal(hidden).code == "many-records"


@pytest.mark.parametrize("left", [4000, 1, 0])
def test_a_page_that_is_cut_off_is_for_the_audit_to_judge(left: int) -> None:
    """What is there of the record is read, and the audit says that its end is missing."""
    whole = HEAD + OPEN + RECORD
    found = record.read(record_in(whole[: len(whole) - 1 - left]))
    report = audit(found.pieces, found.frame)
    assert report.verdict == "faults"
    assert "cut off" in report.faults[0].text
    assert report.events == {4000: 9, 1: 15, 0: 15}[left]


def test_damage_in_a_page_is_damage_to_its_record() -> None:
    broken = RECORD.replace(b"payloadType", b"payloadtype", 1)
    assert record_in(HEAD + OPEN + broken + CLOSE) == broken
    assert refusal(HEAD + OPEN + RECORD + RECORD + CLOSE).code == "many-records"


# -- the bundle --------------------------------------------------------------------------------


def test_a_bundle_gives_back_its_record() -> None:
    assert record_in(BUNDLE) == RECORD


@pytest.mark.parametrize(
    "members",
    [
        [(NAME, RECORD)],
        [("match.tabellion.json", RECORD)],
        [("a/b/c/match.tabellion.json", RECORD), ("a/b/notes.txt", b"Mine")],
        [("x/", b""), ("__MACOSX/x/._match.tabellion.json", b"\0"), (f"x/{NAME}", RECORD)],
    ],
)
def test_a_bundle_that_was_packed_anew(members: list[tuple[str, bytes]]) -> None:
    for method in (ZIP_STORED, ZIP_DEFLATED):
        assert record_in(zipped(*members, method=method)) == RECORD


def test_a_zip_file_without_a_record() -> None:
    for data in (zipped(), zipped(("photo.jpg", b"\xff")), zipped((f"{NAME}.txt", RECORD))):
        error = refusal(data)
        assert error.code == "no-record"
        assert "it is no bundle of Tabellion" in error.message


def test_a_zip_file_with_two_records() -> None:
    error = refusal(zipped((NAME, RECORD), ("old/match.tabellion.json", RECORD)))
    assert error.message.startswith("There are 2 records in this zip file")
    with pytest.warns(UserWarning, match="Duplicate name"):
        twice = zipped((NAME, RECORD), (NAME, RECORD[:-1]))
    assert refusal(twice).code == "many-records"


def test_a_record_that_grows_beyond_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bomb says how large it is, and is not unpacked; or it does not say so, and is stopped."""
    bomb = zipped((NAME, bytes(20_000_000)))
    assert len(bomb) < 30_000
    monkeypatch.setattr("ledger.carriers.MAX_RECORD", 10_000_000)
    assert refusal(bomb).message == "A record of 20000000 bytes is too large to be read."
    large, small = (pack("<I", size) for size in (20_000_000, 1000))
    assert bomb.count(large) == 2
    assert refusal(bomb.replace(large, small)).code == "bad-bundle"


def test_too_many_members_are_not_even_listed() -> None:
    crowded = zipped(*((f"{number}/match.tabellion.json", b"") for number in range(1500)))
    assert refusal(crowded).message == "There are too many files in this zip file for a bundle."


def test_a_list_that_two_programs_could_find_in_two_places() -> None:
    """A comment at the end may hold another list; so may the larger form of the format."""
    packed = BytesIO(BUNDLE)
    with ZipFile(packed, "a") as archive:
        archive.comment = zipped(("match.tabellion.json", b"another"))
    assert refusal(packed.getvalue()).code == "bad-bundle"
    end = BUNDLE[-22:]
    locator = b"PK\6\7" + bytes(16)
    assert refusal(BUNDLE[:-22] + locator + end).code == "bad-bundle"


def test_what_is_locked_or_packed_in_another_way() -> None:
    odd = zipped((NAME, RECORD), method=ZIP_BZIP2)
    assert "packed in an unusual way" in refusal(odd).message
    locked = bytearray(zipped((NAME, RECORD)))
    for header, flags in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        locked[locked.index(header) + flags] |= 1
    assert "encrypted" in refusal(bytes(locked)).message


def test_a_bundle_that_is_cut_off() -> None:
    for end in (4, 30, 1000, len(BUNDLE) // 2, len(BUNDLE) - 22, len(BUNDLE) - 1):
        error = refusal(BUNDLE[:end])
        assert error.code == "bad-bundle"
        assert "damaged or cut off" in error.message


@pytest.mark.parametrize("method", [ZIP_STORED, ZIP_DEFLATED])
def test_no_byte_of_a_bundle_changes_the_record_unseen(method: int) -> None:
    """Every byte of the lists and headers, and a sample of the others."""
    small = record.write(EVENTS[:2])
    data = zipped((NAME, small), ("VERIFY.md", b"words"), method=method)
    inside = range(data.index(NAME.encode()) + len(NAME), data.index(b"PK\3\4", 4))
    chance = Random(method)
    for at in [*chance.sample(inside, 60), *(n for n in range(len(data)) if n not in inside)]:
        for bit in (0x01, 0x08, 0x80, 0xFF):
            changed = data[:at] + bytes([data[at] ^ bit]) + data[at + 1 :]
            assert outcome(changed) in (small, "bad-bundle", "no-record", "too-large") or at < 4


def test_the_sum_of_a_member_is_checked() -> None:
    at = BUNDLE.index(RECORD) + 100
    changed = BUNDLE[:at] + bytes([BUNDLE[at] ^ 1]) + BUNDLE[at + 1 :]
    assert refusal(changed).code == "bad-bundle"
    right = pack("<I", zlib.crc32(RECORD))
    wrong = pack("<I", zlib.crc32(RECORD[:100] + bytes([RECORD[100] ^ 1]) + RECORD[101:]))
    mended = record_in(changed.replace(right, wrong))
    assert mended != RECORD
    found = record.read(mended)
    assert audit(found.pieces, found.frame).verdict == "faults"


def test_every_refusal_is_a_sentence() -> None:
    for data in (HEAD, BUNDLE[:100], zipped(), zipped((NAME, b"")) + b"x"):
        error = refusal(data)
        assert re.fullmatch(r"[A-Z].*\.", error.message)
        assert error.hint
