"""Backups: one file that is a whole ledger, or none at all."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import time
from hashlib import sha256
from pathlib import Path

import pytest
import table
from test_store import (
    Holder,
    findings,
    hand_over,
    noted,
    read,
    shelf,
    tamper,
    unprivileged,
    verdict,
    without_triggers,
)

from ledger.backup import Backup, back_up
from ledger.errors import NotFound, Refused, TabellionError, Unreadable
from ledger.service import Service
from ledger.store import FORMAT, Store

__all__ = ["shelf"]
GOLDEN = Path(__file__).parent / "golden"


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    """Two matches; the last event of the first is set aside."""
    folder = tmp_path / "desk"
    folder.mkdir()
    with table.new_service(folder / "ledger.db") as service:
        first = table.whole_game(service)
        service.open_match(table.opening(nonce="11" * 16), table.ARBITER)
        service.append(first.match, [table.note("to be set aside")], table.KEYS)
        with service.store.writing():
            service.store.set_aside(first.match, first.seq)
    return folder / "ledger.db"


@pytest.fixture
def stick(tmp_path: Path) -> Path:
    """The folder for copies."""
    folder = tmp_path / "stick"
    folder.mkdir()
    return folder


def backup(ledger: Path, file: Path, *, force: bool = False) -> Backup:
    return back_up(ledger, file, table.clock, force=force)


def names(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


def heads(path: Path) -> list[object]:
    with Store.open(path, write=False) as store:
        return [*((match, store.head(match)) for match in store.matches()), *store.aside()]


def refused(ledger: Path, file: Path, *, force: bool = False) -> str:
    with pytest.raises(TabellionError) as caught:
        backup(ledger, file, force=force)
    return caught.value.code


def test_a_copy_is_one_file_and_a_whole_ledger(ledger: Path, stick: Path) -> None:
    made = backup(ledger, stick / "copy.db")
    assert names(stick) == ["copy.db"]
    assert made == Backup(
        file=stick / "copy.db",
        format=FORMAT,
        matches=2,
        events=16,
        set_aside=1,
        sha256=sha256((stick / "copy.db").read_bytes()).hexdigest(),
    )
    assert heads(stick / "copy.db") == heads(ledger)
    assert verdict(stick / "copy.db") == "sound"


def test_a_copy_is_used_as_a_ledger_many_at_a_time(ledger: Path, stick: Path) -> None:
    copy = backup(ledger, stick / "copy.db").file
    with Service.open(copy, table.clock) as one, Service.open(copy, table.clock) as two:
        assert one.store.connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        match = one.store.matches()[0]
        assert one.append(match, [table.note("here")], table.KEYS).seq == 15
        with two.store.reading():
            assert two.state(match).seq == 15
            assert one.append(match, [table.note("and there")], table.KEYS).seq == 16
    assert names(stick) == ["copy.db"]
    assert verdict(copy) == "sound"


def test_a_copy_is_read_from_a_folder_that_nobody_may_write_to(shelf: Path) -> None:
    with table.new_service(shelf / "ledger.db") as service:
        table.whole_game(service)
    backup(shelf / "ledger.db", shelf / "copy.db")
    hand_over(shelf)
    shelf.chmod(0o555)
    assert unprivileged(read(shelf / "copy.db")) == "1 match, event 14"


def test_what_lies_in_the_log_alone_is_in_the_copy(ledger: Path, stick: Path) -> None:
    with Service.open(ledger, table.clock) as service:
        match = service.store.matches()[0]
        head = service.append(match, [table.note("in the log")], table.KEYS).head
        backup(ledger, stick / "copy.db")
    with Store.open(stick / "copy.db", write=False) as store:
        assert store.head(match) == (15, head)


WRITER = """
import sys
from pathlib import Path
import table
from ledger.service import Service

with Service.open(Path(sys.argv[1]), table.clock) as service:
    match = service.store.matches()[0]
    for number in range(100_000):
        service.append(match, [table.note(f"{number}")], table.KEYS)
        print(number, flush=True)
"""


def test_copies_are_made_while_another_program_writes(ledger: Path, stick: Path) -> None:
    tests = Path(__file__).parent
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(ledger)],
        stdout=subprocess.PIPE,
        cwd=tests.parent,
        env={"PYTHONPATH": f"{tests.parent}:{tests}", "PATH": ""},
    )
    try:
        assert process.stdout is not None
        process.stdout.readline()
        counts = []
        for number in range(5):
            made = backup(ledger, stick / f"{number}.db")
            counts.append(made.events)
            assert verdict(made.file) == "sound"
            time.sleep(0.05)
        assert process.poll() is None, "it wrote all the time"
    finally:
        process.kill()
        process.communicate()
    assert counts == sorted(set(counts))


def test_a_ledger_of_an_older_format_is_copied_as_it_is(tmp_path: Path) -> None:
    old = Path(shutil.copy(GOLDEN / "v1.db", tmp_path / "ledger.db"))
    made = backup(old, tmp_path / "copy.db")
    assert (made.format, made.events, made.set_aside) == (1, 15, 0)
    Service.open(made.file, table.clock).close()
    assert verdict(made.file) == "sound"


# -- places that are refused -----------------------------------------------------------------


def test_nothing_is_replaced_unasked(ledger: Path, stick: Path) -> None:
    (stick / "copy.db").write_bytes(b"something of mine")
    assert refused(ledger, stick / "copy.db") == "file-exists"
    assert (stick / "copy.db").read_bytes() == b"something of mine"
    backup(ledger, stick / "copy.db", force=True)
    assert names(stick) == ["copy.db"]
    assert verdict(stick / "copy.db") == "sound"


@pytest.mark.parametrize("force", [False, True])
def test_the_ledger_itself_is_never_written_over(ledger: Path, stick: Path, force: bool) -> None:
    before = ledger.read_bytes()
    (stick / "link.db").symlink_to(ledger)
    (stick / "twin.db").hardlink_to(ledger)
    for file in (
        ledger,
        ledger.parent / ".." / "desk" / "ledger.db",
        stick / "link.db",
        stick / "twin.db",
        *(ledger.with_name(f"ledger.db{ending}") for ending in ("-wal", "-shm", "-journal")),
    ):
        assert refused(ledger, file, force=force) == "is-the-ledger"
    assert ledger.read_bytes() == before
    assert verdict(ledger) == "sound"


def test_a_ledger_in_use_is_not_replaced_under_its_log(ledger: Path, stick: Path) -> None:
    """SQLite would take the old log for the new file's, and mix the two."""
    with table.new_service(stick / "other.db") as service:
        table.whole_game(service)
        assert refused(ledger, stick / "other.db", force=True) == "file-in-use"
        (match,) = service.store.matches()
        assert service.append(match, [table.note("goes on")], table.KEYS).seq == 15


@pytest.mark.parametrize(
    ("place", "code"),
    [
        ("", "is-a-folder"),
        ("none/copy.db", "cannot-write"),
        ("pipe", "not-a-file"),
        ("x" * 300, "cannot-write"),
    ],
)
def test_a_place_that_holds_no_file_is_named(
    ledger: Path, stick: Path, place: str, code: str
) -> None:
    os.mkfifo(stick / "pipe")
    assert refused(ledger, stick / place, force=True) == code
    assert names(stick) == ["pipe"]


def test_a_copy_may_be_read_by_those_who_may_read_the_ledger(ledger: Path, stick: Path) -> None:
    for mode in (0o600, 0o640):
        ledger.chmod(mode)
        backup(ledger, stick / "copy.db", force=True)
        assert (stick / "copy.db").stat().st_mode & 0o777 == mode


def test_a_link_is_followed_and_stays_a_link(ledger: Path, stick: Path, tmp_path: Path) -> None:
    (stick / "latest.db").symlink_to(tmp_path / "disk.db")
    backup(ledger, stick / "latest.db")
    assert (stick / "latest.db").is_symlink()
    assert verdict(tmp_path / "disk.db") == "sound"


def test_a_missing_ledger_is_not_copied(tmp_path: Path, stick: Path) -> None:
    with pytest.raises(NotFound) as caught:
        backup(tmp_path / "none.db", stick / "copy.db")
    assert caught.value.code == "no-ledger"
    assert names(stick) == []


def test_what_is_no_ledger_is_not_copied(tmp_path: Path, stick: Path) -> None:
    (tmp_path / "notes.db").write_bytes(b"1. e3-f3 e2-h2\n" * 100)
    with pytest.raises(Unreadable):
        backup(tmp_path / "notes.db", stick / "copy.db")
    assert names(stick) == []


# -- copies that fail ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: tamper(path, "DROP TRIGGER events_never_go"),
        lambda path: without_triggers(path, "UPDATE events SET prev = 'x' WHERE seq = 9"),
        lambda path: without_triggers(path, "UPDATE events SET payload = x'00' WHERE seq = 9"),
        lambda path: without_triggers(path, "UPDATE set_aside SET prev = 'x'"),
    ],
)
def test_a_damaged_ledger_gives_no_copy_that_looks_sound(
    ledger: Path, stick: Path, damage: object
) -> None:
    assert callable(damage)
    damage(ledger)
    (stick / "copy.db").write_bytes(b"the copy of yesterday")
    with pytest.raises(Refused, match="fails its check") as caught:
        backup(ledger, stick / "copy.db", force=True)
    assert (caught.value.code, caught.value.hint) == ("backup-unsound", "tabellion doctor")
    assert "half" not in caught.value.message
    assert (stick / "copy.db").read_bytes() == b"the copy of yesterday"
    assert names(stick) == ["copy.db"]


def test_a_page_that_rotted_is_found_in_the_copy(ledger: Path, stick: Path) -> None:
    whole = ledger.read_bytes()
    found = set()
    for start in range(4096, len(whole), 4096):
        ledger.write_bytes(whole[:start] + b"\x5a" * 4096 + whole[start + 4096 :])
        try:
            made = backup(ledger, stick / "copy.db")
        except TabellionError as error:
            found.add(error.code)
            assert names(stick) == []
        else:  # in a list, not in an event: the audit compares the lists
            assert "the list " in findings(made.file)
            made.file.unlink()
    assert "backup-unsound" in found


@pytest.mark.parametrize("part", ["heads", "events", "set_aside"])
def test_a_copy_that_holds_something_else_is_refused(
    ledger: Path, stick: Path, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    """As if SQLite had copied the file of another moment."""
    from dataclasses import replace

    from ledger import backup as module

    of = module._Content.of
    seen: list[object] = []

    def other(store: Store) -> object:
        seen.append(store)
        content = of(store)
        return replace(content, **{part: 0 if part == "events" else ()}) if seen[1:] else content

    monkeypatch.setattr(module._Content, "of", other)
    with pytest.raises(Refused, match="does not hold what the ledger holds"):
        backup(ledger, stick / "copy.db")
    assert names(stick) == []


def test_without_space_there_is_no_copy(shelf: Path) -> None:
    with table.new_service(shelf / "ledger.db") as service:
        table.whole_game(service)
        for _ in range(5):
            noted(service, "x" * 3000)
    (shelf / "stick").mkdir()
    hand_over(shelf)

    def act() -> str:
        _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, hard))
        backup(shelf / "ledger.db", shelf / "stick" / "copy.db")
        return "copied"

    back_up(shelf / "ledger.db", shelf / "rehearsed.db", table.clock)
    answer = unprivileged(act)
    assert answer.startswith(("disk-full", "disk-error")), answer
    assert str(shelf / "stick" / "copy.db") in answer
    assert names(shelf / "stick") == []


def test_a_folder_that_may_not_be_written_to_is_named(shelf: Path) -> None:
    with table.new_service(shelf / "ledger.db") as service:
        table.whole_game(service)
    (shelf / "stick").mkdir()
    hand_over(shelf)
    (shelf / "stick").chmod(0o555)

    def act() -> str:
        backup(shelf / "ledger.db", shelf / "stick" / "copy.db")
        return "copied"

    assert unprivileged(act).startswith("cannot-write")
    assert names(shelf / "stick") == []


@pytest.mark.usefixtures("impatient")
def test_a_ledger_that_somebody_has_for_himself_is_an_error(ledger: Path, stick: Path) -> None:
    mine = ("PRAGMA locking_mode=EXCLUSIVE", "BEGIN IMMEDIATE", "DELETE FROM seats", "ROLLBACK")
    with Holder(ledger, *mine):
        assert refused(ledger, stick / "copy.db") == "busy"
    assert names(stick) == []


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ledger.sqlitefile.BUSY_SECONDS", 0.3)
