"""The terminal: commands, output, board colours. Everything it knows comes from ``ledger``."""

from __future__ import annotations


def main() -> None:
    """The program ``tabellion``. Quiet when its reader goes away or the user presses Ctrl-C."""
    import os
    import sys

    try:
        from cli.app import build

        build(sys.argv[1:])()
        sys.stdout.flush()
    except KeyboardInterrupt:
        os._exit(130)
    except BrokenPipeError:
        # Python would complain once more when it closes standard output at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(141) from None
