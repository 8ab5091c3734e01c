"""How things are said: data on standard output, the rest on standard error.

Colour only on a terminal and never where NO_COLOR is set. Nothing is cut in a pipe. Names and
texts come from other people: what could steer a terminal is made visible.
"""

from __future__ import annotations

import os
import re
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ledger.views import WrittenView

SHORT = 12
"""Hex digits of a hash shown on a terminal."""

_STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def on_terminal() -> bool:
    return sys.stdout.isatty()


def coloured() -> bool:
    return on_terminal() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def visible(text: str) -> str:
    """``text`` with control and direction characters made visible."""
    return _STEERING.sub(lambda found: f"<U+{ord(found[0]):04X}>", text)


def say(text: str = "") -> None:
    """A line for people (or a pipe) on standard output."""
    print(_printable(visible(text)))


def aside(text: str) -> None:
    """A line that is not data, on standard error."""
    sys.stdout.flush()
    print(_printable(visible(text)), file=sys.stderr)


def _printable(text: str) -> str:
    """Signs that this terminal's encoding does not have are replaced, never a crash."""
    encoding = sys.stdout.encoding or "utf-8"
    return text.encode(encoding, "replace").decode(encoding, "replace")


def short(digest: str) -> str:
    """A hash for people: shortened on a terminal, whole in a pipe."""
    return digest[:SHORT] if on_terminal() else digest


def as_json(view: Any) -> None:
    """The view as JSON, one document, indented."""
    import msgspec

    print(msgspec.json.format(msgspec.json.encode(view), indent=2).decode())


def styled(text: str, style: str) -> str:
    """``text`` with an ANSI style on a terminal: bold, dim, strike, red, green."""
    if not coloured():
        return text
    code = {"bold": "1", "dim": "2", "strike": "9", "red": "31", "green": "32"}[style]
    return f"\x1b[{code}m{text}\x1b[0m"


def written(view: WrittenView, json: bool, hint: str = "") -> None:
    """Say what a command has written, whose turn it is, and the next command."""
    if json:
        as_json(view)
        return
    for event in view.events:
        say(f"event {event.seq}  {short(event.hash)}  {event.text}")
    say(view.next)
    if hint:
        aside(f"next: {hint}")


def option_value(value: bool | str) -> str:
    """An option's value as people write it."""
    return str(value).lower() if isinstance(value, bool) else value
