"""How things are said: data on standard output, the rest on standard error.

Colour only on a terminal and never where NO_COLOR is set. Nothing is cut in a pipe. Names and
texts come from other people: what could steer a terminal is made visible.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TextIO

from ledger.errors import NotAllowed

if TYPE_CHECKING:
    from ledger.fold import MatchState
    from ledger.views import WrittenView

SHORT = 12
"""Hex digits of a hash shown on a terminal."""

Style = Literal["bold", "dim", "strike", "red", "green"]
_CODES: Final[dict[Style, int]] = {"bold": 1, "dim": 2, "strike": 9, "red": 31, "green": 32}
_STEERING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff"
    "\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069"  # direction, lines
    "\u00ad\u115f\u1160\u180e\u200b\u2060-\u2065\u206a-\u206f\u2800\u3164\ufeff\uffa0\ufff9-\ufffb"
    "\U000e0000-\U000e007f]"
)
"""What steers a terminal, or cannot be seen: two names that look alike could differ in it. Joiners
stay (U+200C, U+200D): scripts need them."""


_next_told = True


def tell_next(wanted: bool) -> None:
    """Whether commands say whose turn it is and what comes next. At the table the session does."""
    global _next_told
    _next_told = wanted


class Styled(NamedTuple):
    """A text that stands out on a terminal and is plain elsewhere."""

    text: str
    style: Style


def on_terminal() -> bool:
    return sys.stdout.isatty()


def coloured() -> bool:
    return on_terminal() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def visible(text: str, *, lines: bool = False) -> str:
    """``text`` with control, direction and invisible characters made visible; with ``lines`` line
    ends too."""
    shown = _STEERING.sub(lambda found: f"<U+{ord(found[0]):04X}>", text)
    return shown.replace("\n", "<U+000A>") if lines else shown


def sentence(text: str) -> str:
    """``text`` with a full stop, unless it ends with a mark of its own."""
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."


def capitalised(text: str) -> str:
    """``text`` as the beginning of a sentence."""
    return text[:1].upper() + text[1:]


def say(*parts: str | Styled, hang: int | None = None) -> None:
    """A line for people (or a pipe) on standard output. On a terminal that is too narrow for it,
    a line with ``hang`` goes on below, so far from the margin; one without is never broken."""
    print(_shown(parts, hang, width()))


def aside(text: str, hang: int | None = None) -> None:
    """A line that is not data, on standard error."""
    sys.stdout.flush()
    print(_shown((text,), hang, width(sys.stderr)), file=sys.stderr)


def width(stream: TextIO | None = None) -> int | None:
    """Columns of the terminal that ``stream`` (standard output) writes to; ``None``: a pipe."""
    stream = stream or sys.stdout
    try:
        return (os.get_terminal_size(stream.fileno()).columns or None) if stream.isatty() else None
    except OSError:
        return None


def cells(text: str) -> int:
    """Columns that ``text`` takes on a terminal."""
    from ledger.render import wrapping

    return wrapping.cells(visible(text))


def padded(text: str, columns: int) -> str:
    return text + " " * (columns - cells(text))


def _shown(parts: Sequence[str | Styled], hang: int | None, columns: int | None) -> str:
    plain = [visible(part if isinstance(part, str) else part.text) for part in parts]
    broken = set() if hang is None or columns is None else _breaks("".join(plain), columns, hang)
    margin = "\n" + " " * (hang or 0)
    shown, start = [], 0
    for part, text in zip(parts, plain, strict=True):
        ends = [place - start for place in broken if start <= place < start + len(text)]
        starts = [0, *(place + 1 for place in sorted(ends))]
        lines = [text[i:j] for i, j in zip(starts, [*sorted(ends), len(text)], strict=True)]
        shown.append(margin.join(_styled(part, line) for line in lines))
        start += len(text)
    return "".join(shown)


def _styled(part: str | Styled, text: str) -> str:
    if isinstance(part, str) or not text or not coloured():
        return text
    return f"\x1b[{_CODES[part.style]}m{text}\x1b[0m"


def _breaks(text: str, columns: int, hang: int) -> set[int]:
    """The spaces of ``text`` at which its lines end; what has no space is not broken."""
    found: set[int] = set()
    start, room = 0, columns
    while len(text) - start > room:
        begin = start + len(text[start:]) - len(text[start:].lstrip(" "))
        place = text.rfind(" ", begin, start + room + 1)
        if place == -1:
            place = text.find(" ", max(begin, start + room))
        if place == -1:
            break
        found.add(place)
        start, room = place + 1, max(columns - hang, 1)
    return found


def short(digest: str) -> str:
    """A hash for people: shortened on a terminal, whole in a pipe."""
    return digest[:SHORT] if on_terminal() else digest


def as_json(view: Any) -> None:
    """The view as JSON, one document, indented; always UTF-8. On a terminal what steers it, or
    cannot be seen, is written as JSON's escapes: the same document."""
    import msgspec

    text = msgspec.json.format(msgspec.json.encode(view), indent=2) + b"\n"
    as_bytes(_escaped(text) if on_terminal() else text)


def _escaped(json: bytes) -> bytes:
    from json import dumps

    text = json.decode("utf-8")
    return _STEERING.sub(lambda found: dumps(found[0])[1:-1], text).encode()


def printed(data: bytes) -> None:
    """What could have gone into a file, on standard output: in a pipe as it is, whatever the
    encoding; on a terminal what people can read of it."""
    if on_terminal():
        say(data.decode("utf-8").replace("\r\n", "\n").rstrip("\n"))
    else:
        as_bytes(data)


def as_bytes(data: bytes) -> None:
    """Bytes as they are on standard output, whatever its encoding."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def written(
    state: MatchState,
    since: int,
    json: bool,
    match: str | None = None,
    remarks: Sequence[str] = (),
) -> None:
    """Say what a command has written after event ``since``, whose turn it is, and the next
    command. ``match`` is how the user named the match, if they did."""
    from ledger import views

    view = views.written(state, since)
    try:
        _tell_written(view, state, json, match, remarks)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        last = view.events[-1].seq if view.events else state.seq
        raise NotAllowed(
            "output-lost",
            f"What you wrote is stored, up to event {last}; it could not be told: "
            f"{error.strerror}.",
        ) from None


def _tell_written(
    view: WrittenView, state: MatchState, json: bool, match: str | None, remarks: Sequence[str]
) -> None:
    if json:
        as_json(view)
        return
    for event in view.events:
        say(f"event {event.seq}  {short(event.hash)}  {event.text}", hang=4)
    for remark in (*(view.remarks if _next_told else ()), *remarks):
        say(remark, hang=2)
    if _next_told:
        say(whose_turn(state, view.next, match), hang=2)
        say_next(next_here(state, match))


def say_next(command: str) -> None:
    """What to type next, for people."""
    from cli.commands import typeable

    if _next_told:
        aside(f"next: {typeable(command)}")  # never broken: it is to be copied


def whose_turn(state: MatchState, text: str, match: str | None) -> str:
    """``text`` with the table before it, where the user had to say which match is meant."""
    table = state.opening.table
    return f"table {table}: {text}" if match and table else text


def next_command(state: MatchState, match: str | None = None) -> str:
    """The command that the match waits for."""
    from shlex import quote

    from ledger.events import Physical
    from ledger.fold.due import Step, due
    from ledger.views import kinds

    named = f" {quote(match)}" if match else ""
    with_m = f"{' -m' if named else ''}{named}"
    wanted = state.game.wanted(state.position)
    physical = isinstance(state.opening.dice, Physical)
    lying = f" {example_dice(wanted.count)}" if wanted and physical else ""
    acts = {"move": f"move MOVE{with_m}", "pull": f"pull{with_m}", "throw": f"roll{lying}{with_m}"}
    match due(state).step:
        case Step.ACCEPT:
            return f"tabellion accept{named}"
        case Step.THROW:
            return f"tabellion {acts['throw']}"
        case Step.COMMIT | Step.OPEN:
            return f"tabellion roll{with_m}"
        case Step.CONFIRM:
            return f"tabellion confirm{named}"
        case Step.ACT:
            possible = (acts.get(kind, f"{kind}{with_m}") for kind in kinds(state))
            return " or: ".join(f"tabellion {act}" for act in possible)
        case Step.RULE | Step.DECIDE:
            return "tabellion ruling --help"
        case Step.RESUME:
            opens = " --open MOVE" if state.sealed else ""
            return f"tabellion resume{opens}{with_m}"
        case Step.CLOSE:
            return f"tabellion close{named}"
        case Step.COUNTERSIGN:
            return f"tabellion countersign{named}"
        case Step.NOTHING:
            return f"tabellion export{named} --output match.json"


def example_dice(count: int) -> str:
    """Some dice as people write them: 3-5-2."""
    return "-".join("35261435"[:count])


def next_here(state: MatchState, match: str | None = None) -> str:
    """The command that the match waits for, where somebody of this device can give it; else the
    way to the device of somebody who can."""
    from shlex import quote

    from cli.commands import kept_by_server
    from cli.desk import holders

    waited = waited_for(state)
    if not waited or holders(state, waited):
        return next_command(state, match)
    names = " or ".join(state.roster[role].name for role in waited)
    named = f" {quote(match)}" if match else ""
    if kept_by_server():
        return f"{names} has to act; follow it with: tabellion show --watch{named}"
    return f"for the device of {names}: tabellion export{named} --output match.json --force"


def waited_for(state: MatchState) -> tuple[str, ...]:
    """The roles any of which can take the next step."""
    from ledger.fold.due import due, signing

    return tuple(dict.fromkeys(signing(state, each) for each in due(state).whose))


def option_value(value: bool | str) -> str:
    """An option's value as people write it."""
    return str(value).lower() if isinstance(value, bool) else value
