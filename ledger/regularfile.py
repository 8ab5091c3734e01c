"""Reading a file that somebody else may have laid there: never a pipe, a device or too much."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from ledger.errors import Unreadable


def read_regular(path: Path, limit: int, *, follow: bool = True) -> tuple[bytes, int]:
    """A regular file's bytes and its permissions. Never waits. ``follow`` symbolic links or not.

    Raises ``Unreadable`` (``not-a-file``, ``too-large``), and ``OSError`` as the system says it.
    """
    flags = getattr(os, "O_NONBLOCK", 0) | (0 if follow else getattr(os, "O_NOFOLLOW", 0))
    with open(path, "rb", opener=lambda name, how: os.open(name, how | flags)) as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise Unreadable("not-a-file", f"{path.name} is not a file.")
        data = file.read(limit + 1) if status.st_size <= limit else b""
    if status.st_size > limit or len(data) > limit:
        raise Unreadable("too-large", f"{path.name} is larger than {limit} bytes.")
    return data, stat.S_IMODE(status.st_mode)
