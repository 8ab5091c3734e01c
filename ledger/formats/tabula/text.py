"""Games of Tabula as text, read into a ``Transcript``: a turn a line, as in the ruling document.

``; [Key "value"]`` are headers, other lines with a semicolon are comments, line 0 is the opening
with every tie, and the turns follow, numbered through for both sides. Nothing else may stand
there, and nothing but comments and headers without a meaning is passed over, which is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from ledger.errors import Unreadable
from ledger.formats.comparing import shown
from ledger.formats.tabula import NAME
from ledger.formats.tabula.headers import (
    DETAILS,
    OPTIONS,
    RESULT,
    RULESET,
    SEATS,
    Header,
    bad,
    read_header,
    read_result,
    read_rules,
)
from ledger.formats.transcript import Cast, Comment, Ply, Transcript

LETTERS: Final = {"W": "white", "B": "black"}
_MOST_LINES: Final = 10_000
_LONGEST: Final = 1000
"""Lines of a text and characters of a line. A long game has some hundred lines of sixty."""

_NUMBERED: Final = re.compile(r"(0|[1-9][0-9]{0,5})\.[ \t]*(.*)")
_DICE: Final = re.compile(r"([WB])[ \t]+([1-6])-([1-6])-([1-6])[ \t]*:[ \t]*(.*)")
_EACH: Final = re.compile(r"W[ \t]+([1-6])[ \t]+B[ \t]+([1-6])")


@dataclass(slots=True)
class _Reading:
    """The text as far as it is read. ``number`` is that of the next line of play."""

    headers: dict[str, Header] = field(default_factory=dict)
    comments: list[Comment] = field(default_factory=list)
    casts: list[Cast] = field(default_factory=list)
    plies: list[Ply] = field(default_factory=list)
    number: int = 0

    def remark(self, line: int, text: str) -> None:
        """A header, or a comment: what no header looks like."""
        if not text.startswith("["):
            self.comments.append(Comment(len(self.plies), line, text))
            return
        if self.number:
            bad(line, "headers stand before the game, not in it")
        key, value = read_header(line, text)
        if key in self.headers:
            bad(line, f"the header {key} stands twice")
        self.headers[key] = Header(line, value)

    def play(self, line: int, text: str) -> None:
        match = _NUMBERED.fullmatch(text)
        if match is None:
            bad(line, f"{shown(text)} is no turn; one is written 14. W 6-5-2: 10/16 19/24 20/22")
        if int(match[1]) != self.number:
            opening = ", the opening," if not self.number else ""
            bad(line, f"number {self.number}{opening} is expected here, not {match[1]}")
        if len(self.plies) + 1 < self.number:
            bad(self.casts[-1].line, "dice without a turn; only the last line may end with them")
        self.number += 1
        if self.number == 1:
            self._opening(line, match[2])
        else:
            self._turn(line, match[2])

    def _opening(self, line: int, text: str) -> None:
        for each in text.split("/"):
            match = _EACH.fullmatch(each.strip())
            if match is None:
                bad(line, f"{shown(text)} is no opening; one is written 0. W 4 B 4 / W 5 B 2")
            dice = int(match[1]), int(match[2])
            self.casts.append(Cast(0, line, tuple(LETTERS.values()), dice))

    def _turn(self, line: int, text: str) -> None:
        match = _DICE.fullmatch(text)
        if match is None:
            bad(line, f"{shown(text)} is no turn; one is written W 6-5-2: 10/16 19/24 20/22")
        seat, move = LETTERS[match[1]], match[5]
        dice = int(match[2]), int(match[3]), int(match[4])
        self.casts.append(Cast(len(self.plies), line, (seat,) * len(dice), dice))
        if move:
            self.plies.append(Ply(line, seat, move))


def parse(text: str) -> Transcript:
    """A game of Tabula. Raises ``Unreadable``, naming the line."""
    lines = text.split("\n")
    if len(lines) > _MOST_LINES:
        what = f"The file has {len(lines)} lines; {_MOST_LINES} at most are read."
        raise Unreadable("bad-text", what)
    reading = _Reading()
    for number, line in enumerate(lines, 1):
        if len(line) > _LONGEST:
            bad(number, f"it has {len(line)} characters; {_LONGEST} at most are read")
        words = line.strip()
        if words.startswith(";"):
            reading.remark(number, words[1:].strip())
        elif words:
            reading.play(number, words)
    return _transcript(reading)


def _transcript(reading: _Reading) -> Transcript:
    headers = reading.headers
    ruleset, options = read_rules(headers)
    claim = read_result(headers.get(RESULT))
    used = {RULESET, OPTIONS, RESULT, *DETAILS, *SEATS}
    unused = {key: header for key, header in headers.items() if key not in used}
    return Transcript(
        format=NAME,
        ruleset=ruleset,
        options=options,
        plies=tuple(reading.plies),
        claim=claim,
        players=_said(headers, SEATS),
        details=_said(headers, DETAILS),
        tags={key: header.text for key, header in unused.items()},
        casts=tuple(reading.casts),
        comments=tuple(reading.comments),
        notes=tuple(_passed_over(unused, reading.comments)),
    )


def _said(headers: Mapping[str, Header], names: Mapping[str, str]) -> dict[str, str]:
    return {
        name: headers[key].text
        for key, name in names.items()
        if key in headers and headers[key].text
    }


def _passed_over(unused: Mapping[str, Header], comments: list[Comment]) -> Iterable[str]:
    """What of the file the match will not have."""
    if unused:
        named = ", ".join(f"{key} (line {header.line})" for key, header in unused.items())
        yield f"headers that are passed over: {named}"
    if comments:
        lines = ", ".join(str(comment.line) for comment in comments[:10])
        more = f" and {len(comments) - 10} more" if len(comments) > 10 else ""
        yield f"comments that are passed over, by their lines: {lines}{more}"
