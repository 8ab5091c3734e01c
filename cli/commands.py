"""Commands as they are to be typed next: in hints, and behind ``next:``.

What a command was told beside its own words (the server that keeps the match, or that none is to
be asked) goes with every command that it names. That is done here alone: whoever writes a hint
names the plain command.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from ledger.errors import TabellionError

READING: Final = ("show", "log", "moves", "list", "pending")
"""What works on the copy here when the server cannot be reached. ``pending`` may also sign."""
ACTING: Final = (
    *("accept", "close", "countersign", "roll", "confirm", "void"),
    *("move", "pull", "wager", "pass", "run", "stop", "diablo", "done", "call"),
    *("offer", "agree", "decline", "claim", "resign", "note"),
    *("correct", "dispute", "statement", "settle", "ruling", "adjourn", "resume", "appeal"),
)
_WITH_SERVER: Final = frozenset({*READING, *ACTING, "join", "import"})
_COMMAND: Final = re.compile(
    r"""\btabellion\ (?P<name>[a-z-]+)(?:\ (?!or:)(?:'[^']*'|"[^"]*"|[^\s,;()'"])+)*""", re.VERBOSE
)
"""A command amid words: it ends before a comma, a semicolon, or the next one."""
_TAKES_NONE: Final = re.compile(r" (--help|--server|FILE)\b")

_option = ""
_kept = False


@contextmanager
def at_server(option: str, *, kept: bool = True) -> Iterator[None]:
    """Meanwhile commands are told with ``option``, which names the server ("" where a variable
    does): in refusals too. ``kept``: whether a server keeps the match at all."""
    global _option, _kept
    before = _option, _kept
    _option, _kept = option, kept
    try:
        yield
    except TabellionError as error:
        error.hint = typeable(error.hint)
        raise
    finally:
        _option, _kept = before


def kept_by_server() -> bool:
    """Whether others hear of the match by a server, and not by a file."""
    return _kept


def typeable(text: str) -> str:
    """``text`` with every command in it as it has to be typed."""
    return _COMMAND.sub(_typed, text) if _option else text


def _typed(found: re.Match[str]) -> str:
    command = found[0]
    if found["name"] not in _WITH_SERVER or _TAKES_NONE.search(command):
        return command
    return f"{command} {_option}"
