"""How things are said: data on standard output, the rest on standard error.

Colour only on a terminal and never where NO_COLOR is set. Nothing is cut in a pipe. Names and
texts come from other people: what could steer a terminal is made visible.
"""

from __future__ import annotations

import os
import re
import sys
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

if TYPE_CHECKING:
    from ledger.fold import MatchState

SHORT = 12
"""Hex digits of a hash shown on a terminal."""

Style = Literal["bold", "dim", "strike", "red", "green"]
_CODES: Final[dict[Style, int]] = {"bold": 1, "dim": 2, "strike": 9, "red": 31, "green": 32}
_STEERING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)


class Styled(NamedTuple):
    """A text that stands out on a terminal and is plain elsewhere."""

    text: str
    style: Style


def on_terminal() -> bool:
    return sys.stdout.isatty()


def coloured() -> bool:
    return on_terminal() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def visible(text: str, *, lines: bool = False) -> str:
    """``text`` with control and direction characters made visible; with ``lines`` line ends too."""
    shown = _STEERING.sub(lambda found: f"<U+{ord(found[0]):04X}>", text)
    return shown.replace("\n", "<U+000A>") if lines else shown


def sentence(text: str) -> str:
    """``text`` with a full stop, unless it ends with a mark of its own."""
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."


def say(*parts: str | Styled) -> None:
    """A line for people (or a pipe) on standard output."""
    print("".join(map(_shown, parts)))


def aside(text: str) -> None:
    """A line that is not data, on standard error."""
    sys.stdout.flush()
    print(visible(text), file=sys.stderr)


def _shown(part: str | Styled) -> str:
    if isinstance(part, str):
        return visible(part)
    text = visible(part.text)
    return f"\x1b[{_CODES[part.style]}m{text}\x1b[0m" if coloured() else text


def short(digest: str) -> str:
    """A hash for people: shortened on a terminal, whole in a pipe."""
    return digest[:SHORT] if on_terminal() else digest


def as_json(view: Any) -> None:
    """The view as JSON, one document, indented; always UTF-8."""
    import msgspec

    as_bytes(msgspec.json.format(msgspec.json.encode(view), indent=2) + b"\n")


def as_bytes(data: bytes) -> None:
    """Bytes as they are on standard output, whatever its encoding."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def written(state: MatchState, since: int, json: bool, match: str | None = None) -> None:
    """Say what a command has written after event ``since``, whose turn it is, and the next
    command. ``match`` is how the user named the match, if they did."""
    from ledger import views

    view = views.written(state, since)
    if json:
        as_json(view)
        return
    for event in view.events:
        say(f"event {event.seq}  {short(event.hash)}  {event.text}")
    for remark in view.remarks:
        say(remark)
    say(view.next)
    aside(f"next: {next_command(state, match)}")


def next_command(state: MatchState, match: str | None = None) -> str:
    """The command that the match waits for."""
    from ledger.fold import Phase

    named = f" {match}" if match else ""
    match state.phase:
        case Phase.BEFORE_ACCEPTANCE:
            return f"tabellion accept{named}"
        case Phase.IN_PLAY:
            return f"tabellion move MOVE{' -m' if named else ''}{named}"
        case Phase.ENDED:
            return f"tabellion close{named}"
        case Phase.CLOSED if state.unsigned:
            return f"tabellion countersign{named}"
        case Phase.CLOSED:
            return f"tabellion export{named} --output match.json"


def option_value(value: bool | str) -> str:
    """An option's value as people write it."""
    return str(value).lower() if isinstance(value, bool) else value
