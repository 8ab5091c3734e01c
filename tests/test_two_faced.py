"""Files made to be read in two ways: one file, one match, one answer."""

from __future__ import annotations

import struct
import subprocess
import zlib
from io import BytesIO
from pathlib import Path
from shutil import which
from zipfile import ZipFile, ZipInfo

import pytest
from match import Match, sealed
from secondopinion import NODE, audited, opinion

from ledger import positions, record
from ledger.bundling.holders import principal
from ledger.carriers import RECORD, record_in
from ledger.errors import Unreadable
from ledger.inspection import inspect, trust
from ledger.page import with_record

TAG = b'<script type="application/json" id="record">'


def played(nonce: str) -> bytes:
    match = Match(nonce=nonce)
    match.play("e3-f3", "e2-h2")
    return record.write(map(sealed, match.state.entries), positions.write(match.state))


OURS, THEIRS = played("00" * 16), played("11" * 16)
TWO_FACED = {
    "one in a comment, the tag in capitals": with_record(THEIRS)
    .replace(TAG, TAG.replace(b"script", b"SCRIPT"))
    .replace(b"<main", b"<!-- %b%b</script> --><main" % (TAG, OURS.rstrip())),
    "one beside its tag, one on a line of its own": with_record(THEIRS).replace(
        TAG, b'%b%b</script>\n<script type="application/json" id="other">' % (TAG, OURS.rstrip())
    ),
    "hardly a page": b"<!doctype html>\n<!--\n%b-->%b%b</script>\n" % (THEIRS, TAG, OURS.rstrip()),
}


@pytest.mark.skipif(NODE is None, reason="Node is not installed")
@pytest.mark.parametrize("how", TWO_FACED)
def test_no_page_is_one_match_to_the_audit_and_another_to_the_page(how: str) -> None:
    try:
        found = audited(record_in(TWO_FACED[how]))
    except Unreadable:
        return
    said = opinion(TWO_FACED[how])
    assert "faults" in (found.verdict, said["verdict"]) or found.match == said["match"]


@pytest.mark.skipif(which("unzip") is None, reason="unzip is not installed")
def test_no_bundle_unpacks_to_another_record_than_is_audited(tmp_path: Path) -> None:
    """Info-ZIP's Unicode Path (APPNOTE 4.6.9) gives a member another name than its own."""
    packed = BytesIO()
    with ZipFile(packed, "w") as archive:
        for name, really, data in ((RECORD, "other", OURS), ("other", RECORD, THEIRS)):
            member = ZipInfo(name)
            path = struct.pack("<BI", 1, zlib.crc32(name.encode())) + really.encode()
            member.extra = struct.pack("<HH", 0x7075, len(path)) + path
            archive.writestr(member, data)
    file = tmp_path / "match.zip"
    file.write_bytes(packed.getvalue())
    subprocess.run(["unzip", "-q", file, "-d", tmp_path], check=True)
    try:
        found = record_in(packed.getvalue())
    except Unreadable:
        return
    assert found == (tmp_path / RECORD).read_bytes()


def test_the_numbers_of_an_archive_are_never_below_nothing(tmp_path: Path) -> None:
    file = tmp_path / "archive.jsonl"
    file.write_bytes(OURS + THEIRS + b'{"payload":"x\n' * 5)
    found = inspect(str(file), tmp_path / "ledger.db", trust(None, None)).archive
    assert found is not None
    assert (found.matches, found.sound, found.unread + found.faulty) == (2, 2, 5)


def test_a_name_in_the_list_of_signers_stands_for_nobody_else() -> None:
    assert not {"?", "*"} & set(principal("????") + principal("*") + principal(",,,,"))
