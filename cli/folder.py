"""The shared folder: how two devices play without a server.

A stick, a synchronised or a network folder. Every device writes its own copy of the match there,
under its own name, and reads those of the others. Nothing in it is believed: each copy is judged
event by event when it is taken in.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from cli.desk import KEY_FILE
from ledger.errors import NotAllowed, NotFound, Stale, TabellionError, Unreadable
from ledger.publickey import PublicKey
from ledger.regularfile import read_regular

if TYPE_CHECKING:
    from ledger.envelope import Envelope
    from ledger.fold import MatchState
    from ledger.service import Service

ENDING: Final = ".tabellion.json"
_COPY: Final = 4 * 1024 * 1024
"""Largest copy that is read from the folder: some thousand events. ``import`` takes more."""


class Stamp(NamedTuple):
    """What tells a file from what it was before."""

    changed: int
    size: int
    place: int


class SharedFolder:
    """One folder, and what of it has been read and written."""

    def __init__(self, path: Path) -> None:
        if not path.is_dir():
            raise NotFound("no-folder", f"There is no folder {path}.", hint="make it first")
        self.path = path
        self._read: dict[Path, Stamp] = {}
        self._written: dict[str, tuple[str, Stamp | None]] = {}
        """By match the head that was written, and the file as it was left."""
        self._last: Path | None = None
        self._later: list[Path] = []
        self._held: dict[str, str] = {}
        """By match the head that somebody else's file had."""

    def publish(self, opened: Service, state: MatchState, roles: list[str]) -> None:
        """Write this device's copy, if it has anything new. ``roles`` are those that sign here."""
        from cli.files import replace
        from ledger import record

        name = "-".join([state.match[:12], *roles, _device(opened.store.path)])
        file = self.path / f"{name}{ENDING}"
        if self._written.get(state.match) == (state.head, _stamp(file)):
            return
        if self._held.get(state.match) == state.head and not os.path.lexists(file):
            return
        replace(file, [record.write(opened.envelopes(state.match))])
        stamp = _stamp(file)
        self._written[state.match] = (state.head, stamp)
        if stamp is not None:
            self._read[file] = stamp

    def holds(self, state: MatchState, events: list[Envelope]) -> None:
        """What was read there is all that this device has: it need not be written again."""
        if events[-1].hash == state.head:
            self._held[state.match] = state.head

    def publish_key(self, name: str, public: PublicKey) -> Path:
        """Lay a public key where the other device finds it, beside what lies there already."""
        from cli.files import replace

        line = f"{public.line} {name}\n".encode()
        digits = re.sub(r"[^A-Za-z0-9]", "", public.fingerprint.partition(":")[2])[:8]
        for file in (self.path / f"{name}.pub", self.path / f"{name}-{digits}.pub"):
            if not os.path.lexists(file):
                replace(file, [line])
                return file
            with suppress(OSError, Unreadable):
                if read_regular(file, KEY_FILE, follow=False)[0] == line:
                    return file
        raise NotAllowed("file-exists", f"{file.name} in the shared folder is another key.")

    def public_keys(self) -> dict[str, PublicKey]:
        """Public keys that lie here, by the names of their files. Others are passed over."""
        found = {}
        for file in self._files(".pub"):
            with suppress(OSError, TabellionError):
                data, _ = read_regular(file, KEY_FILE, follow=False)
                found[file.stem] = PublicKey.parse(data.decode("utf-8", "replace"))
        return found

    def changed(self) -> bool:
        """Whether a copy is here that has not been read as it is now. Quick, and never fails."""
        return any(self._is_new(file) for file in self._copies())

    def copies(self, complain: Callable[[TabellionError], object]) -> Iterator[list[Envelope]]:
        """Every copy that is new here, read once. One that cannot be read is complained of, and
        read again when it has changed."""
        from cli.copies import whole
        from ledger import record

        for file in self._copies():
            stamp = _stamp(file)
            if stamp is None or self._read.get(file) == stamp:
                continue
            self._read[file] = stamp
            try:
                data, _ = read_regular(file, _COPY, follow=False)
                events = whole(record.read(data))
            except (OSError, TabellionError) as error:
                why = error.message if isinstance(error, TabellionError) else error.strerror
                text = f"{file.name} in the shared folder is damaged, or not yet all there: {why}"
                complain(NotAllowed("copy-unreadable", text))
                continue
            if events:
                self._last = file
                yield events

    def again(self, error: TabellionError) -> None:
        """The copy that was given last could not be taken in. If that may pass (a busy ledger, a
        full disk), it is given again once something else has happened (``another_try``)."""
        if isinstance(error, NotAllowed | Stale) and self._last is not None:
            self._later.append(self._last)

    def another_try(self) -> None:
        """Give again what could not be taken in."""
        for file in self._later:
            self._read.pop(file, None)
        self._later.clear()

    def _copies(self) -> list[Path]:
        return self._files(ENDING)

    def _files(self, ending: str) -> list[Path]:
        """The regular files with names that end so; what else lies there is none of ours."""
        try:
            with os.scandir(self.path) as found:
                names = [
                    each.name
                    for each in found
                    if each.name.endswith(ending)
                    and not each.name.startswith(".")
                    and each.name.isprintable()
                    and each.is_file(follow_symlinks=False)
                ]
        except OSError:
            return []  # a stick that was taken out comes back
        return [self.path / name for name in sorted(names)]

    def _is_new(self, file: Path) -> bool:
        stamp = _stamp(file)
        return stamp is not None and self._read.get(file) != stamp


def complain_of_all(faults: list[TabellionError]) -> None:
    """Say what was wrong with copies; of many only how many, and the first."""
    from cli.boundary import complain

    if len(faults) > 3:
        first = faults[0].message
        text = f"{len(faults)} files in the shared folder were passed over. The first: {first}"
        faults = [NotAllowed("copy-unreadable", text)]
    for fault in faults:
        complain(fault)


def _device(ledger: Path) -> str:
    """A few digits that tell this device's files from those of others with the same keys."""
    import platform
    from hashlib import sha256

    place = f"{platform.node()} {os.path.realpath(ledger)}"
    return sha256(place.encode("utf-8", "surrogateescape")).hexdigest()[:6]


def _stamp(file: Path) -> Stamp | None:
    try:
        found = os.lstat(file)
    except OSError:
        return None
    return Stamp(found.st_mtime_ns, found.st_size, found.st_ino)
