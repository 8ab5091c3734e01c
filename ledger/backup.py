"""Backups: a copy of the whole ledger in one file, made while others write, and checked.

SQLite copies its pages as of one moment, into a file beside the one that was asked for. The copy
gets its name only after everything in it was read, judged and found equal to the ledger. Never
copy a ledger in use as one copies other files: its latest events may lie in the log beside it.
"""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from hashlib import file_digest
from pathlib import Path
from typing import Final

from ledger.errors import NotAllowed, Refused, TabellionError
from ledger.service import Clock, Service
from ledger.sqlitefile import copy_pages, has_log, sqlite_errors
from ledger.store import Store

_BESIDE: Final = ("-wal", "-shm", "-journal")
"""Endings of the files that SQLite keeps beside its own."""


@dataclass(frozen=True, slots=True)
class Backup:
    """What a finished copy holds; ``sha256`` is that of the file."""

    file: Path
    format: int
    matches: int
    events: int
    set_aside: int
    sha256: str


@dataclass(frozen=True, slots=True)
class _Content:
    """What must be the same in ledger and copy."""

    format: int
    heads: tuple[tuple[str, tuple[int, str] | None], ...]
    events: int
    set_aside: tuple[tuple[int, str], ...]

    @classmethod
    def of(cls, store: Store) -> _Content:
        aside = tuple((each.position, each.hash) for each in store.aside())
        return cls(
            format=store.format,
            heads=tuple((match, store.head(match)) for match in store.matches()),
            events=store.last_position() - len(aside),
            set_aside=aside,
        )


def back_up(ledger: Path, file: Path, clock: Clock, *, force: bool = False) -> Backup:
    """Copy ``ledger`` into ``file``, which must not be there yet unless ``force``.

    Raises ``NotAllowed`` for a place that cannot be written, ``Refused`` (``backup-unsound``)
    when the copy fails its check, and what ``Store.open`` raises. Then there is no copy, and what
    stood in its place before still stands.
    """
    with Store.open(ledger, write=False) as store:
        place = Path(os.path.realpath(file))
        half = place.with_name(f".{place.name}.{os.getpid()}.half")
        try:
            _check_place(ledger, file, place, force)
            mode = ledger.stat().st_mode | 0o600  # a ledger that may not be written can be copied
            os.close(os.open(half, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode))
            content = _copy(store, half, file)
            _verify(half, file, content, clock)
            digest = _settle(half, place)
        except OSError as error:
            raise NotAllowed("cannot-write", f"{file} was not written: {error.strerror}.") from None
        finally:
            for ending in ("", *_BESIDE):
                with suppress(OSError):
                    half.with_name(half.name + ending).unlink()
    return Backup(
        file=file,
        format=content.format,
        matches=len(content.heads),
        events=content.events,
        set_aside=len(content.set_aside),
        sha256=digest,
    )


def _check_place(ledger: Path, file: Path, there: Path, force: bool) -> None:
    """Refuse to write over what must stay; ``there`` is where ``file`` leads to."""
    ours = Path(os.path.realpath(ledger))
    if there in (ours, *(ours.with_name(ours.name + ending) for ending in _BESIDE)) or (
        there.exists() and there.samefile(ours)
    ):
        raise NotAllowed("is-the-ledger", f"{file} is the ledger itself.", hint="give another name")
    if there.is_dir():
        raise NotAllowed(
            "is-a-folder", f"{file} is a folder.", hint=f"tabellion backup {file / 'ledger.db'}"
        )
    if there.exists() and not there.is_file():
        raise NotAllowed("not-a-file", f"{file} is not a file.")
    if there.exists() and not force:
        raise NotAllowed("file-exists", f"{file} is there already.", hint="--force replaces it")
    if has_log(there) or os.path.lexists(f"{there}-journal"):
        raise NotAllowed(
            "file-in-use",
            f"{file} has a log of SQLite beside it, which would be taken for the copy's.",
            hint="give another name",
        )


def _copy(store: Store, half: Path, file: Path) -> _Content:
    with store.reading():
        content = _Content.of(store)
        with sqlite_errors(file):
            copy_pages(store.connection, half)
    return content


def _verify(half: Path, file: Path, content: _Content, clock: Clock) -> None:
    """Read everything in the copy. Raises ``Refused`` for the first thing that is wrong."""
    try:
        with Service.open(half, clock, write=False) as service:
            faults = service.store.faults()
            if not faults and _Content.of(service.store) != content:
                faults = ["It does not hold what the ledger holds."]
            if not faults:
                for _ in service.states():
                    pass
    except TabellionError as error:
        faults = [error.message]
    if faults:
        why = faults[0].replace(str(half), str(file))
        raise Refused(
            "backup-unsound",
            f"The copy fails its check, and {file} was not written. {why}",
            hint="tabellion doctor",
        )


def _settle(half: Path, place: Path) -> str:
    """Bring the copy to the disk and give it its name; returns its SHA-256."""
    with half.open("r+b") as stream:
        digest = file_digest(stream, "sha256").hexdigest()
        os.fsync(stream.fileno())
    half.replace(place)
    if os.name == "posix":
        folder = os.open(place.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    return digest
