"""What people type, made fit for the record or refused in words that they know.

Parsers for options and arguments: each takes what was typed and raises ``Unreadable``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from ledger.errors import Unreadable

_NUMBER: Final = re.compile(r"[0-9]{1,15}", re.ASCII)
_MOST_TURNS: Final = 100_000
_OUTSIDE: Final = " \t\r\n\xa0\ufeff"


def event_number(text: str) -> int:
    """The number of an event; whether there is one with it is another question."""
    if not _NUMBER.fullmatch(text):
        raise Unreadable(
            "usage", f"An event has a number like 7, unlike {text[:40]!a}.", hint="tabellion log"
        )
    return int(text)


def turns(text: str) -> int:
    """A number of turns after which a game is over."""
    if not _NUMBER.fullmatch(text) or not 1 <= int(text) <= _MOST_TURNS:
        raise Unreadable("usage", f"A number of turns is 1 to {_MOST_TURNS}, not {text[:40]!a}.")
    return int(text)


def words(what: str, kind: str = "Line") -> Callable[[str], str]:
    """A parser of words for the record: composed letters, no space outside, as short as the type
    ``kind`` of ``ledger.events`` wants them. ``what`` names them in a refusal."""

    def parse(text: str) -> str:
        return fit(text, what, kind)

    return parse


def fit(text: str, what: str, kind: str) -> str:
    """``text`` as ``words`` takes it."""
    from typing import get_args
    from unicodedata import normalize

    from ledger import events
    from ledger.canonical import check_text
    from ledger.errors import Refused

    tidy = normalize("NFC", text).strip(_OUTSIDE)
    most = int(get_args(getattr(events, kind))[1].max_length)
    if not tidy:
        raise Unreadable("no-words", f"{what} is empty.")
    if len(tidy) > most:
        raise Unreadable("too-long", f"{what} has {len(tidy)} characters; {most} are the most.")
    try:
        return check_text(tidy)
    except Refused as error:
        raise Unreadable(error.code, f"{what}: {error.message}", hint=error.hint) from None
