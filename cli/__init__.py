"""The terminal: commands, output, board colours. Everything it knows comes from ``ledger``."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sys import UnraisableHookArgs
    from typing import NoReturn


def main() -> NoReturn:
    """The program ``tabellion``."""
    _leave(run())


def run() -> int:
    """Does what was typed; gives the exit status. Quiet when the user presses Ctrl-C while it is
    still loading, or when it has done its work already."""
    import os
    import signal
    import sys

    sys.unraisablehook = _unraisable
    try:
        _streams()
        if (line := os.environ.get("_TABELLION_COMPLETE")) is not None:
            from cli.shells import answer

            status = answer(line)
        else:
            from cli.app import build

            status = build(sys.argv[1:])(standalone_mode=False)
    except KeyboardInterrupt:
        status = 130
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    return status or 0


def _leave(status: int) -> NoReturn:
    """Ends at once where nothing else is at work: taking Python apart costs a sixth of a short
    command's time."""
    import os
    import sys
    import threading
    from contextlib import suppress

    if threading.active_count() == 1 and "multiprocessing" not in sys.modules:
        with suppress(OSError, ValueError):  # a stream that is closed, or that nobody reads
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)
    sys.exit(status)


def _unraisable(lost: UnraisableHookArgs) -> None:
    """What Python cannot raise where it happens: a Ctrl-C amid an import is not worth a word."""
    import sys

    if not issubclass(lost.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(lost)


def _streams() -> None:
    """Streams that were closed lead nowhere, so that no file of ours takes their place; signs
    that an encoding does not have are replaced, never a crash."""
    import os
    import sys

    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115  (open until the end)
        elif mode == "w":
            stream.reconfigure(errors="replace")
