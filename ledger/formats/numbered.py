"""Games with dice as text: headers, line 0 for who begins, and a numbered line for each throw.

``; [Key "value"]`` are headers, other lines with a semicolon are comments, line 0 is the opening
with every tie, and the throws follow, numbered through for both sides, as on a score sheet. Nothing
else may stand there, and nothing but comments and headers without a meaning is passed over, which
is said. What a throw's line holds after the dice is the game's own: a ``Reading`` of each.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from ledger.errors import Unreadable
from ledger.formats.comparing import shown
from ledger.formats.headers import (
    DETAILS,
    OPTIONS,
    RESULT,
    RULESET,
    TURN_CAP,
    Header,
    bad,
    read_header,
    read_result,
    read_rules,
    sides,
)
from ledger.formats.transcript import Cast, Comment, Ply, Transcript
from ledger.games.protocol import Game

_MOST_LINES: Final = 10_000
LONGEST: Final = 1000
"""Lines of a text and characters of a line. A long game has some hundred lines of sixty."""

_NUMBERED: Final = re.compile(r"(0|[1-9][0-9]{0,5})(\.\.\.|\.)[ \t]*(.*)")
_WHOSE: Final = re.compile(r"([A-Z])(?:[ \t]+([1-6](?:-[1-6]){0,7}))?[ \t]*:[ \t]*(.*)")
_EACH: Final = re.compile(r"([A-Z])[ \t]+([1-6])[ \t]+([A-Z])[ \t]+([1-6])")


def letters(played: Game) -> dict[str, str]:
    """The seats by the letters that stand for them."""
    return {title[0]: seat for title, seat in sides(played).items()}


class Reading:
    """A text as far as it is read. ``number`` is that of the next line of play."""

    dice: int
    """How many a throw has, but for the one that says who begins."""
    turn: str
    """A line of play for people, without its number."""

    def __init__(self, name: str, played: Game) -> None:
        self.name = name
        self.played = played
        self.letters = letters(played)
        self.headers: dict[str, Header] = {}
        self.comments: list[Comment] = []
        self.casts: list[Cast] = []
        self.plies: list[Ply] = []
        self.number = 0

    def act(self, line: int, seat: str, text: str) -> None:
        """What was played with the throw, as its line has it after the colon; maybe nothing."""
        raise NotImplementedError

    def go_on(self, line: int, number: int, text: str) -> None:
        """More of a throw's line, ``5...``."""
        bad(line, f"{shown(f'{number}... {text}')} is no turn; one is written {self.turn}")

    # -- lines -------------------------------------------------------------------------------

    def remark(self, line: int, text: str) -> None:
        """A header, or a comment: what no header looks like."""
        if not text.startswith("["):
            place = len(self.plies), len(self.casts)
            self.comments.append(Comment(place[0], line, text, place[1]))
            return
        if self.number:
            bad(line, "headers stand before the game, not in it")
        key, value = read_header(line, text, self.played)
        if key in self.headers:
            bad(line, f"the header {key} stands twice")
        self.headers[key] = Header(line, value)

    def play(self, line: int, text: str) -> None:
        match = _NUMBERED.fullmatch(text)
        if match is None:
            bad(
                line, f"{shown(text)} is no turn; one is written {max(self.number, 1)}. {self.turn}"
            )
        if match[2] != ".":
            self.go_on(line, int(match[1]), match[3])
            return
        if int(match[1]) != self.number:
            opening = ", the opening," if not self.number else ""
            bad(line, f"number {self.number}{opening} is expected here, not {match[1]}")
        self.number += 1
        if self.number == 1:
            self._opening(line, match[3])
        else:
            self._throw(line, match[3])

    def _opening(self, line: int, text: str) -> None:
        first, second = self.letters
        for each in text.split("/"):
            match = _EACH.fullmatch(each.strip())
            if match is None or (match[1], match[3]) != (first, second):
                example = f"0. {first} 4 {second} 4 / {first} 5 {second} 2"
                bad(line, f"{shown(text)} is no opening; one is written {example}")
            dice = int(match[2]), int(match[4])
            self.casts.append(Cast(0, line, self.played.seats, dice))

    def _throw(self, line: int, text: str) -> None:
        match = _WHOSE.fullmatch(text)
        dice = tuple(map(int, (match[2] or "").split("-"))) if match and match[2] else ()
        if match is None or match[1] not in self.letters or len(dice) != self.dice:
            bad(line, f"{shown(text)} is no turn; one is written {self.turn}")
        seat = self.letters[match[1]]
        self.casts.append(Cast(len(self.plies), line, (seat,) * self.dice, dice))
        self.act(line, seat, match[3])

    def whose(self, text: str) -> tuple[str, str] | None:
        """The seat and the rest of a line that has no dice."""
        match = _WHOSE.fullmatch(text)
        if match is None or match[2] or match[1] not in self.letters:
            return None
        return self.letters[match[1]], match[3]


def read(text: str, reading: Reading) -> Transcript:
    """The game of a text. Raises ``Unreadable``, naming the line."""
    lines = text.split("\n")
    if len(lines) > _MOST_LINES:
        what = f"The file has {len(lines)} lines; {_MOST_LINES} at most are read."
        raise Unreadable("bad-text", what)
    for number, line in enumerate(lines, 1):
        if len(line) > LONGEST:
            bad(number, f"it has {len(line)} characters; {LONGEST} at most are read")
        words = line.strip()
        if words.startswith(";"):
            reading.remark(number, words[1:].strip())
        elif words:
            reading.play(number, words)
    return _transcript(reading)


def _transcript(reading: Reading) -> Transcript:
    headers, played = reading.headers, reading.played
    ruleset, options, turn_cap = read_rules(headers, played)
    claim = read_result(headers.get(RESULT), played)
    used = {RULESET, OPTIONS, TURN_CAP, RESULT, *DETAILS, *sides(played)}
    unused = {key: header for key, header in headers.items() if key not in used}
    return Transcript(
        format=reading.name,
        ruleset=ruleset,
        options=options,
        plies=tuple(reading.plies),
        claim=claim,
        players=_said(headers, sides(played)),
        details=_said(headers, DETAILS),
        tags={key: header.text for key, header in unused.items()},
        turn_cap=turn_cap,
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
