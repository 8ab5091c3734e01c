"""What is around a ledger file: who may touch it, where it lies, room on the disk, the clock.

For the doctor. Nothing is opened and nothing is changed; the time and the system's list of mounted
file systems are given.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from shlex import quote
from typing import Final

from ledger.views import Finding

_ENOUGH: Final = 100_000_000
"""Bytes that should be free on the ledger's disk."""
_MADE: Final = datetime(2026, 1, 1, tzinfo=UTC)
"""Nothing of this was written earlier."""
_LONG: Final = timedelta(days=20 * 365)
_UTC: Final = "%Y-%m-%dT%H:%M:%SZ"
_OCTAL: Final = re.compile(r"\\([0-7]{3})")
_NETWORK: Final = frozenset(
    ("9p", "afs", "ceph", "cifs", "fuse.sshfs", "ncpfs", "nfs", "nfs4", "smb3", "smbfs")
)
"""What Linux calls file systems that lie on other machines."""


def rights(path: Path) -> Iterator[Finding]:
    """Who may read and write the ledger, besides its owner."""
    path = Path(os.path.realpath(path))
    file, folder = path.stat(), path.parent.stat()
    found = []
    if folder.st_mode & 0o022 and not folder.st_mode & stat.S_ISVTX:
        found.append(
            (
                f"Others may write to {path.parent} and could put another ledger there.",
                f"chmod go-w {quote(str(path.parent))}",
            )
        )
    if folder.st_mode & 0o011 and file.st_mode & 0o066:
        may = "write to" if file.st_mode & 0o022 else "read"
        found.append((f"Others may {may} {path}.", f"chmod go-rw {quote(str(path))}"))
    for beside in (Path(f"{path}-wal"), Path(f"{path}-shm")):
        if beside.exists() and beside.stat().st_uid != file.st_uid:
            found.append(
                (
                    f"{beside} belongs to another user than the ledger.",
                    f"sudo chown --reference={quote(str(path))} {quote(str(beside))}",
                )
            )
    if not os.access(path, os.R_OK | os.W_OK):
        may = "You may read, but not write" if os.access(path, os.R_OK) else "You may not read"
        found.append((f"{may} {path}.", f"chmod u+rw {quote(str(path))}, as its owner"))
    for text, remedy in found:
        yield Finding("rights", "warn", text, remedy)
    if not found:
        yield Finding("rights", "ok", "The ledger is its owner's alone.")


def network(path: Path, mounts: str) -> Iterator[Finding]:
    """SQLite's log needs memory that all its writers share: they must be on one machine."""
    place, kind = Path(os.path.realpath(path)), ""
    deepest = -1
    for line in mounts.splitlines():
        before, _, after = line.partition(" - ")
        fields = before.split(" ")
        if len(fields) < 5 or not after:
            continue
        root = Path(_OCTAL.sub(lambda found: chr(int(found[1], 8)), fields[4]))
        if place.is_relative_to(root) and len(root.parts) >= deepest:
            deepest, kind = len(root.parts), after.split(" ")[0]
    if kind in _NETWORK:
        yield Finding(
            "disk",
            "warn",
            f"The ledger lies on another machine ({kind}), where two devices that write can "
            "damage it.",
            "Keep the ledger on this device, and copy it there: tabellion backup FILE",
        )


def space(path: Path) -> Iterator[Finding]:
    """Room on the disk where the ledger is, or would be made."""
    folder = Path(os.path.realpath(path)).parent
    while not folder.exists():
        folder = folder.parent
    free = shutil.disk_usage(folder).free
    text = f"{free // 1_000_000} MB are free."
    if free < _ENOUGH:
        yield Finding("disk", "warn", text, f"df -h {quote(str(folder))}")
    else:
        yield Finding("disk", "ok", text)


def clock(now: datetime, latest: datetime | None) -> Iterator[Finding]:
    """``now``, beside the time at which the ledger's latest event was stored."""
    what = ""
    if now < _MADE:
        what = ", before there was anything to record."
    elif latest and now < latest:
        what = f", but the latest event was stored at {latest:{_UTC}}."
    elif latest and now - latest > _LONG:
        what = f", decades after the latest event ({latest:{_UTC}})."
    if what:
        yield Finding("clock", "warn", f"It says {now:{_UTC}}{what}", "timedatectl set-ntp true")
    else:
        yield Finding("clock", "ok", f"{now:{_UTC}}.")
