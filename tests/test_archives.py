"""Archives: one record a line, audited match by match and then beside each other."""

from __future__ import annotations

import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
import tournament

from ledger import record
from ledger.archives import auditing as archiveaudit
from ledger.archives import lines as archive
from ledger.archives.findings import Findings
from ledger.archives.lines import MAX_LINE, Line
from ledger.audit import AuditView, LineReport, Trust
from ledger.envelope import Envelope
from ledger.errors import Unreadable
from ledger.inspection import inspect, trust


@cache
def line(number: int) -> bytes:
    """A short match of the tournament as a record."""
    return record.write(tournament.played(number, longest=24))


def twelve() -> list[bytes]:
    """A match of every game, at least, and with every way to make dice."""
    return [line(number) for number in range(12)]


def read(lines: list[bytes], size: int = 1000) -> list[Line]:
    """The lines as an archive's reader gives them, from pieces of this size."""
    data = b"".join(lines)
    return list(archive.lines(data[at : at + size] for at in range(0, len(data), size)))


def audited(tmp_path: Path, lines: list[bytes]) -> AuditView:
    path = tmp_path / "archive.jsonl"
    path.write_bytes(b"".join(lines))
    return inspect(str(path), tmp_path / "none.db", trust(None, None))


def told(view: AuditView) -> list[LineReport]:
    assert view.archive is not None
    return list(view.archive.lines)


def faults(found: LineReport) -> list[str]:
    """Codes of the faults of the match, and the sentences about its line."""
    codes = [fault.code for fault in found.report.faults] if found.report else []
    return [*found.faults, *codes]


def altered(data: bytes, event: int) -> bytes:
    """The record with another signature under one event: that of its neighbour."""
    pieces: list[Any] = list(record.read(data).pieces)
    wrong = Envelope(pieces[event].payload, pieces[event + 1].signature, pieces[event].keyid)
    return record.write([*pieces[:event], wrong, *pieces[event + 1 :]])


# -- reading and writing -----------------------------------------------------------------------


def test_an_archive_is_the_records_in_their_order() -> None:
    events = [list(record.read(each).pieces) for each in twelve()]
    assert list(archive.write(events)) == twelve()  # type: ignore[arg-type]


@pytest.mark.parametrize("size", [1, 7, 4096, 10**6])
def test_lines_are_the_same_whatever_the_pieces_they_come_in(size: int) -> None:
    few = [line(0), b"\n", line(2)[:-1]]
    assert [(each.number, each.record) for each in read(few, size)] == [
        (1, line(0)),
        (2, b""),
        (3, line(2)[:-1]),
    ]


def test_a_line_that_is_too_long_is_passed_over_and_never_held() -> None:
    def pieces() -> Iterator[bytes]:
        yield line(0)
        for _ in range(MAX_LINE // 2**20 + 1):
            yield b"x" * 2**20
        yield b"\n" + line(2)

    tracemalloc.start()
    found = [(each.number, each.record, bool(each.fault)) for each in archive.lines(pieces())]
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found == [(1, line(0), False), (2, b"", True), (3, line(2), False)]
    assert most < MAX_LINE + 2**22


@pytest.mark.parametrize("size", [1, 5, 100, 10**6])
def test_what_an_archive_is_known_by(size: int) -> None:
    def many(data: bytes) -> bool:
        return archive.opening(data[at : at + size] for at in range(0, len(data), size))[1]

    one, two = line(0)[:200] + line(0)[-300:], line(2)[:200] + line(2)[-300:]
    assert many(one + two)
    assert many(one[5:] + two), "the beginning of the first line is damaged"
    assert many(one + two[:-9]), "the last line is cut off"
    assert many(one[:-1] + b"\r\n" + two[:-1] + b"\r\n")
    for single in (
        one,
        one[:-1],
        one + b"\n",
        one.replace(b",", b",\n"),
        one[: len(one) // 2] + b"\n" + one[len(one) // 2 :],
        b"",
        b"\n\n",
    ):
        assert not many(single), single


def test_a_single_record_is_audited_as_ever(tmp_path: Path) -> None:
    view = audited(tmp_path, [line(1)])
    assert (view.verdict, len(view.reports), view.archive) == ("sound", 1, None)
    assert audited(tmp_path, [line(1), b"\n"]).archive is None


# -- the audit ---------------------------------------------------------------------------------


def test_twelve_sound_matches(tmp_path: Path) -> None:
    view = audited(tmp_path, twelve())
    events = sum(len(record.read(each).pieces) for each in twelve())
    assert view.verdict == "sound"
    assert view.archive is not None
    assert msgspec.to_builtins(view.archive) == {
        "matches": 12,
        "events": events,
        "sound": 12,
        "faulty": 0,
        "unchecked": 0,
        "unread": 0,
        "finished": True,
        "lines": (),
    }


def test_faults_are_told_by_line_and_the_others_stay_sound(tmp_path: Path) -> None:
    lines = twelve()
    lines[1] = altered(lines[1], 5)
    lines[3] = b"\n"
    lines[5] = b"The second table was not finished.\n"
    lines[7] = lines[7][:-1] + b"\r\n"
    lines[8] = b"[" * 5000 + b"\n"
    lines[11] = lines[11][:-200]
    view = audited(tmp_path, lines)
    found = view.archive
    assert view.verdict == "faults"
    assert found is not None
    assert (found.matches, found.sound, found.faulty, found.unread) == (9, 6, 3, 3)
    assert [(each.line, faults(each)) for each in found.lines] == [
        (2, ["bad-signature"]),
        (4, ["It is empty."]),
        (6, ["This is no record of Tabellion."]),
        (8, ["It ends with a carriage return (CR LF)."]),
        (9, ["This is no record of Tabellion."]),
        (12, ["file-damaged", "not-an-envelope"]),
    ]


def test_what_could_not_be_checked_comes_after_the_faults(tmp_path: Path) -> None:
    known = trust(None, None).documents
    given = Trust({each: name for each, name in known.items() if not name.startswith("tabula")})
    lines = [line(0), line(1), altered(line(2), 3)]
    with Findings() as findings:
        assert archiveaudit.audit_lines(iter(read(lines)), given, findings, lambda *_: None)
        found = findings.summary(finished=True)
        assert (found.sound, found.faulty, found.unchecked) == (1, 1, 1)
        assert [(each.line, each.verdict) for each in findings.lines()] == [
            (3, "faults"),
            (2, "could-not-check"),
        ]


def test_processes_find_what_one_alone_finds(tmp_path: Path, monkeypatch: Any) -> None:
    lines = [*twelve(), altered(line(5), 4), line(5), b"\n", line(9)[:-1]]
    alone = audited(tmp_path, lines)
    monkeypatch.setattr(archiveaudit, "ALONE", 0)
    monkeypatch.setattr(archiveaudit, "_cores", lambda: 2)
    assert audited(tmp_path, lines) == alone


def test_the_same_match_twice_is_named_and_two_copies_of_it_are_a_fault(tmp_path: Path) -> None:
    whole = record.read(line(4)).pieces
    shorter = record.write(whole[:-2])  # type: ignore[arg-type]
    match = whole[0].hash[:12]  # type: ignore[union-attr]
    again = audited(tmp_path, [line(4), line(0), line(4)])
    assert again.verdict == "sound"
    assert [(each.line, each.notes) for each in told(again)] == [
        (3, (f"Match {match} stands on line 1 already: the same copy.",))
    ]
    parted = audited(tmp_path, [line(4), line(0), shorter])
    assert (parted.verdict, parted.archive and parted.archive.faulty) == ("faults", 1)
    assert [(each.line, each.faults, each.report) for each in told(parted)] == [
        (
            3,
            (f"Match {match} stands on line 1 too, and the two copies are not the same.",),
            None,
        )
    ]


def test_dice_of_one_match_in_another_are_found(tmp_path: Path) -> None:
    """Commitments bind to the match; but one that is copied is no number of its owner's."""
    first, second = Borrowing.two()
    view = audited(tmp_path, [line(0), first, line(1), second, line(2)])
    assert (view.verdict, view.archive and view.archive.faulty) == ("faults", 1)
    other = record.read(first).pieces[0].hash[:12]  # type: ignore[union-attr]
    assert [(each.line, each.faults) for each in told(view)] == [
        (4, (f"A commitment or number of its dice was used in match {other} (line 2) too.",))
    ]


class Borrowing(tournament.Sitting):
    """A match whose first commitment is one of another match."""

    borrowed = ""

    def bound(self, role: str, roll: int) -> str:
        return self.borrowed or super().bound(role, roll)

    @classmethod
    def two(cls) -> tuple[bytes, bytes]:
        sittings = [cls(17, 24), cls(25, 24)]
        for sitting in sittings:
            while not sitting.state.rolling.published:
                sitting.step()
            cls.borrowed = min(sitting.state.rolling.published)
        cls.borrowed = ""
        first, second = (record.write(sitting.envelopes) for sitting in sittings)
        return first, second


def test_a_head_is_one_matchs(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(line(0) + line(2))
    with pytest.raises(Unreadable, match="hash of one match"):
        inspect(str(tmp_path / "a.jsonl"), tmp_path, trust(None, "0" * 64))


def test_ctrl_c_keeps_what_was_found() -> None:
    def lines() -> Iterator[Line]:
        yield from read([altered(line(2), 3), line(0)])
        raise KeyboardInterrupt

    with Findings() as findings:
        given = trust(None, None)
        finished = archiveaudit.audit_lines(lines(), given, findings, lambda *_: None, size=1)
        summary = findings.summary(finished=finished)
        assert (summary.finished, summary.matches, summary.faulty) == (False, 2, 1)


# -- what it takes -----------------------------------------------------------------------------

_MEASURE = """
import resource, sys
from pathlib import Path
from ledger.archives import auditing as archiveaudit
from ledger.archives.findings import Findings
from ledger.inspection import Archive, look_through, opened, trust

archiveaudit._cores = lambda: 1
with opened(sys.argv[1]) as found, Findings() as findings:
    assert isinstance(found, Archive)
    summary = look_through(found, trust(None, None), findings, lambda *_: None)
    assert summary.matches == int(sys.argv[2])
    assert sum(1 for _ in findings.lines()) == summary.faulty == summary.matches // 2
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def test_memory_does_not_grow_with_the_archive(tmp_path: Path) -> None:
    """Every other match is faulty, so that reports are kept too."""
    most = []
    for many in (20, 200):
        path = tmp_path / f"{many}.jsonl"
        with path.open("wb") as stream:
            for number in range(many):
                whole = record.write(tournament.played(number, longest=24))
                stream.write(altered(whole, 4) if number % 2 else whole)
        ran = subprocess.run(
            [sys.executable, "-c", _MEASURE, str(path), str(many)],
            capture_output=True,
            check=True,
            text=True,
        )
        most.append(int(ran.stdout))
    unit = 1 if sys.platform == "darwin" else 1024
    assert (most[1] - most[0]) * unit < 4 * 2**20, most
