"""Files that commands write: whole or not at all, and never over another unless that is asked."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path


def write_whole(path: Path, data: Iterable[bytes], force: bool, *, usual: str) -> None:
    """Write a whole file or none, of pieces that come one by one: it may be larger than memory.
    ``usual`` is a file's name to propose where a folder is given.

    Raises ``NotAllowed`` for a folder, a file that is there (unless ``force``), a failing disk.
    """
    from ledger.errors import NotAllowed

    if path.is_dir():
        raise NotAllowed("is-a-folder", f"{path} is a folder.", hint=f"--output {path}/{usual}")
    if path.is_file() and not force:
        raise NotAllowed("file-exists", f"{path} is there already.", hint="--force replaces it")
    if not path.exists() or path.is_file():
        replace(path, data)
        return
    try:
        with path.open("wb") as stream:  # a device, a pipe
            stream.writelines(data)
    except OSError as error:
        raise NotAllowed("cannot-write", f"{path} was not written: {error.strerror}.") from None


def replace(path: Path, data: Iterable[bytes]) -> None:
    """Put a whole file in the place of whatever stands there, a link or a pipe as well; or none.

    Raises ``NotAllowed``.
    """
    import os
    from contextlib import suppress

    from ledger.errors import NotAllowed

    half = path.with_name(f".{path.name}.{os.getpid()}.half")
    try:
        with half.open("xb") as stream:
            stream.writelines(data)
            stream.flush()
            os.fsync(stream.fileno())
        half.replace(path)
    except BaseException as error:
        with suppress(OSError):
            half.unlink()
        if not isinstance(error, OSError):
            raise
        raise NotAllowed("cannot-write", f"{path} was not written: {error.strerror}.") from None
