"""Games in OpenTafl notation (``.otg``): read into a ``Transcript``.

In OpenTafl the attackers are Black, our Muscovites, and the defenders White, our Swedes. The side
that moves first stands first in a pair of moves. Tags come before the first turn; brackets after
it are comments, ``[first move|second move]``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, NoReturn

from ledger.errors import TabellionError, Unreadable
from ledger.formats.tablut import OPENTAFL
from ledger.formats.tablut.otn_rules import RulesLine, read_rules
from ledger.formats.transcript import Claim, Claimed, Comment, Ply, Transcript
from ledger.games import game

_TOKEN: Final = re.compile(r"\s+|\[([^\]]*)\]|[^\s\[]+|\[")
_TAG: Final = re.compile(r"\s*([A-Za-z][A-Za-z0-9_-]*)\s*:(.*)", re.DOTALL)
_NUMBER: Final = re.compile(r"([0-9]{1,4})(\.\.\.|\.)(.*)")
_MOVE: Final = re.compile(
    r"([KTt]?[a-k][0-9]{1,2}-[a-k][0-9]{1,2})"
    r"(?:x([KTt]?[a-k][0-9]{1,2}(?:[/x][KTt]?[a-k][0-9]{1,2})*))?(\+{1,2}|-{1,2})?"
)
_SQUARE: Final = re.compile("[a-k][0-9]{1,2}")
_SKIPPED: Final = ("...", "..", "…")
_RESIGNS: Final = "---"

DETAILS: Final = {"event": "event", "round": "round", "site": "place", "date": "date"}
SEATS: Final = {"attackers": "muscovites", "defenders": "swedes"}
_SIDES: Final = {
    **dict.fromkeys(("white", "defenders", "defender", "swedes"), "swedes"),
    **dict.fromkeys(("black", "attackers", "attacker", "muscovites"), "muscovites"),
}
_WINNERS: Final = {"1": "muscovites", "-1": "swedes"}
_HINT: Final = (
    "add [termination:White resigns] or [termination:Black resigns] if it was so (White are the"
    " Swedes), or set [result:?] and rule on the result afterwards"
)


@dataclass(slots=True)
class _Tag:
    line: int
    text: str


@dataclass(slots=True)
class _Moves:
    """The moves as far as they are read. ``half`` counts half-turns, skipped ones included."""

    seats: tuple[str, str]
    half: int = 0
    turn: int = 0
    skip_due: bool = False
    plies: list[Ply] = field(default_factory=list)
    comments: list[Comment] = field(default_factory=list)
    resigned: str | None = None
    skipped: bool = False

    def number(self, line: int, number: int, dots: str) -> None:
        """A turn number: the next turn, or (``3...``) the second half of the present one."""
        if self.skip_due or number != self.half // 2 + 1:
            _bad(line, f"turn {self.half // 2 + 1} is expected, not turn {number}")
        self.turn = number
        if dots != ".":
            self.skip(line)
        else:
            self.skip_due = self.half % 2 == 1

    def skip(self, line: int) -> None:
        """Dots in the place of the first move: it stands already, or the other side begins."""
        self.skip_due = False
        if self.half == 0:
            self.half, self.skipped = 1, True
        elif self.half % 2 == 0:
            _bad(line, f"turn {self.turn} leaves out its first move")

    def move(self, line: int, word: str) -> None:
        match = _MOVE.fullmatch(word)
        if self.skip_due or self.turn != self.half // 2 + 1:
            _bad(line, f"{quoted(word)} stands in no turn: turn {self.half // 2 + 1} has no number")
        if word == _RESIGNS:
            self.resigned = self.seats[self.half % 2]
            return
        if match is None:
            _bad(line, f"{quoted(word)} is no move of these games")
        captures = tuple(sorted(_SQUARE.findall(match[2] or "")))
        text = f"{match[1]}x{'/'.join(captures)}" if captures else match[1]
        ends = match[3] in ("++", "--")
        self.plies.append(Ply(line, self.seats[self.half % 2], text, captures, ends=ends))
        self.half += 1

    def comment(self, line: int, text: str) -> None:
        count = len(self.plies)
        first, bar, second = text.partition("|")
        early = count - 1 if bar and self.half % 2 == 0 and count else count
        for after, words in ((early, first), (count, second)):
            if words.strip():
                self.comments.append(Comment(after, line, " ".join(words.split())))


def parse(text: str) -> Transcript:
    """A game in OpenTafl notation. Raises ``Unreadable``; ``Refused`` for rules we do not play."""
    tags: dict[str, _Tag] = {}
    tokens = _tokens(text)
    first = None
    for line, word, bracket in tokens:
        if bracket is None:
            first = (line, word)
            break
        _take_tag(tags, line, bracket)
    if "rules" not in tags:
        raise Unreadable(
            "no-rules-line",
            "The file has no [rules:…] tag before its first move: which rules were played is not"
            " guessed.",
        )
    plain = {name: tag.text for name, tag in tags.items()}
    rules = read_rules(plain["rules"], tags["rules"].line, plain)
    seats = game("tablut").seats
    moves = _Moves(seats if rules.options["first"] == seats[0] else (seats[1], seats[0]))
    if first is not None:
        _take_word(moves, *first)
    for line, word, bracket in tokens:
        if bracket is None:
            _take_word(moves, line, word)
        else:
            moves.comment(line, bracket)
    return _transcript(tags, rules, moves)


def _tokens(text: str) -> Iterator[tuple[int, str, str | None]]:
    """Line, word, and what a bracket holds (``None`` for other words)."""
    line = 1
    for match in _TOKEN.finditer(text):
        word = match[0]
        if word == "[":
            _bad(line, "a bracket is never closed")
        if not word.isspace():
            yield line, word, match[1]
        line += word.count("\n")


def _take_tag(tags: dict[str, _Tag], line: int, bracket: str) -> None:
    match = _TAG.fullmatch(bracket)
    if match is None:
        _bad(line, f"{quoted(bracket)} is no tag")
    name = match[1].lower()
    if name in tags:
        _bad(line, f"the tag {name} stands twice")
    tags[name] = _Tag(line, " ".join(match[2].split()))


def _take_word(moves: _Moves, line: int, word: str) -> None:
    if moves.resigned is not None:
        _bad(line, f"{quoted(word)} follows a resignation")
    match = _NUMBER.fullmatch(word)
    if match:
        moves.number(line, int(match[1]), match[2])
        word = match[3]
    if word in _SKIPPED:
        moves.skip(line)
    elif word:
        moves.move(line, word)


def _transcript(tags: dict[str, _Tag], rules: RulesLine, moves: _Moves) -> Transcript:
    start = _start(tags, rules, moves)
    claim = _claim(tags, moves)
    opening = tags.pop("start-comment", None) or tags.pop("starting-comment", None)
    if opening is not None:
        moves.comments.insert(0, Comment(0, opening.line, opening.text))
    used = {*SEATS, *DETAILS, "result", "termination", "rules", "position"}
    used |= {"x-ruleset", "x-options"}
    return Transcript(
        format=OPENTAFL,
        ruleset=rules.ruleset,
        options=rules.options,
        plies=tuple(moves.plies),
        claim=claim,
        players={SEATS[name]: tags[name].text for name in SEATS if _filled(tags, name)},
        details={DETAILS[name]: tags[name].text for name in DETAILS if _filled(tags, name)},
        tags={name: tag.text for name, tag in tags.items() if name not in used},
        start=start,
        comments=tuple(moves.comments),
        notes=rules.notes,
    )


def _filled(tags: Mapping[str, _Tag], name: str) -> bool:
    return name in tags and bool(tags[name].text)


def _start(tags: Mapping[str, _Tag], rules: RulesLine, moves: _Moves) -> str | None:
    """The start position if it is not that of the ruleset; it is set up to see that it can be."""
    tag = tags.get("position")
    board = tag.text if tag else rules.start
    if board is None:
        return None
    turn = moves.seats[1 if tag and moves.skipped else 0]
    line = (tag or tags["rules"]).line
    try:
        game("tablut").place(rules.options, f"{board} {turn[0]}")
    except TabellionError as error:
        raise Unreadable(error.code, f"line {line}: {error.message}") from None
    return f"{board} {turn[0]}"


def _claim(tags: Mapping[str, _Tag], moves: _Moves) -> Claim:
    result = tags.get("result", _Tag(0, "?"))
    words = tags.get("termination", _Tag(0, "")).text
    if result.text not in ("1", "0", "-1", "?"):
        _bad(result.line, f"the result is 1, 0, -1 or ?, not {quoted(result.text)}")
    winner = _WINNERS.get(result.text)
    claimed = Claimed.WIN if winner else Claimed.DRAW if result.text == "0" else Claimed.NOTHING
    names = {tags[name].text.lower(): seat for name, seat in SEATS.items() if _filled(tags, name)}
    match = re.fullmatch(r"(?:the )?(.+?) (?:has |have )?resign(?:s|ed)?\.?", words.lower())
    resigned = moves.resigned or ((names | _SIDES).get(match[1]) if match else None)
    agreed = re.search(r"\bagree", words.lower()) is not None
    return Claim(claimed, winner, resigned, agreed, words, result.line, _HINT)


def _bad(line: int, what: str) -> NoReturn:
    raise Unreadable("bad-otn", f"line {line}: {what}")


def quoted(text: str) -> str:
    return ascii(text if len(text) <= 40 else f"{text[:37]}...")
