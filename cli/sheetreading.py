"""How a paper sheet is read. Nothing here knows of a match; what the rules say comes later.

In games with dice or with moves of several words a row says whose it is, what the dice showed, and
what was played with them; otherwise it has the plies of both sides, a word each::

    0. W 4 B 2                      one die each, for who begins
    3. W 6-5-2: 10/16 19/24 20/22
    5... S: pull 4a-c; pass         more of row 5

Number and side may be left out; where they stand they have to be right. What stands behind # or in
square brackets is passed over: remarks, and what was taken back. So are rows of an empty sheet that
were not filled in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, NoReturn, TypeAlias

from ledger.errors import Unreadable

if TYPE_CHECKING:
    from ledger.games.protocol import Game

_LINE_END: Final = re.compile(r"\r\n|\r|\n")
_BRACKETS: Final = re.compile(r"\[[^\[\]]*\]")
_NUMBER: Final = re.compile(r"([0-9]{1,5})(\.+)\s*")
_DASH: Final = r"\-\u2010-\u2014\u2212"
_BEFORE_COLON: Final = re.compile(rf"([0-9][0-9,\s{_DASH}]*)?:")
_BEHIND_SIDE: Final = re.compile(rf"[0-9](?:[{_DASH}][0-9])*(?!\S)")
_BLANK: Final = "_"
"""What is to be written on."""
_ALONE: Final = re.compile(rf"[1-6](?:[,\s{_DASH}]?[1-6]){{0,7}}")

Toss: TypeAlias = tuple[tuple[str, int], ...]
"""A die for each seat, for who begins."""


class Row(NamedTuple):
    """A row of the sheet, or a part of it."""

    where: str
    """``line 3``"""
    side: str | None = None
    toss: Toss = ()
    dice: tuple[int, ...] = ()
    acts: tuple[str, ...] = ()


def read(game: Game, text: str) -> list[Row]:
    """The rows of a sheet that have something in them. Raises ``Unreadable`` naming the line."""
    from ledger.views.sheetrows import in_pairs

    remaining = "\n".join(line.partition("#")[0] for line in _LINE_END.split(text))
    bare = _BRACKETS.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), remaining)
    lines = [(f"line {number}", line.strip()) for number, line in enumerate(bare.split("\n"), 1)]
    found = list(_words(lines) if in_pairs(game) else _rows(game, lines))
    if not found:
        raise Unreadable("no-moves", "There is no move in the input.", hint="one or more a line")
    return found


def _words(lines: Sequence[tuple[str, str]]) -> Iterator[Row]:
    """A word for each move or call, whatever numbers stand among them."""
    for where, line in lines:
        found = (word.strip(_BLANK) for word in line.replace(";", " ").split())
        acts = (_NUMBER.sub("", word, count=1) for word in found)
        yield from (Row(where, acts=(act,)) for act in acts if act.strip(".…"))


def _rows(game: Game, lines: Sequence[tuple[str, str]]) -> Iterator[Row]:
    from ledger.views.sheet import letters

    sides = {letter.lower(): seat for seat, letter in letters(game).items()}
    sides |= {seat: seat for seat in game.seats}
    last: int | None = None
    for where, line in lines:
        counted = _NUMBER.match(line)
        rest = (line[counted.end() :] if counted else line).rstrip(_BLANK + " ")
        if not _filled(sides, rest):
            continue
        if counted:
            last = _following(where, int(counted[1]), len(counted[2]) > 1, last)
        tosses = _tosses(sides, rest) if game.dice else ()
        if tosses:
            yield from (Row(where, toss=toss) for toss in tosses)
        else:
            yield _row(game, where, sides, rest)


def _filled(sides: Mapping[str, str], rest: str) -> bool:
    """Whether anything was written into a row, beside what an empty one has."""
    words = re.findall(r"[^\s/:_-]+", rest)
    return bool(words) and (_BLANK not in rest or any(word.lower() not in sides for word in words))


def _following(where: str, number: int, continued: bool, last: int | None) -> int:
    """The number of a row, which follows the last one. Those of throws for who begins are 0."""
    again = continued or number == 0
    if last is not None and number != (last if again else last + 1):
        _bad(where, f"number {last if continued else last + 1} is expected here, not {number}")
    return number


def _tosses(sides: Mapping[str, str], rest: str) -> list[Toss]:
    """``W 4 B 4 / W 5 B 2``: throws for who begins; none if it is anything else."""
    name = "|".join(map(re.escape, sides))
    each = re.compile(rf"\s*({name})\s+([1-6])\s+({name})\s+([1-6])\s*:?\s*", re.IGNORECASE)
    found = [each.fullmatch(part) for part in rest.split("/")]
    tosses: list[Toss] = [
        ((sides[one[1].lower()], int(one[2])), (sides[one[3].lower()], int(one[4])))
        for one in found
        if one
    ]
    different = all(first[0] != second[0] for first, second in tosses)
    return tosses if len(tosses) == len(found) and different else []


def _row(game: Game, where: str, sides: Mapping[str, str], rest: str) -> Row:
    """Whose row it is, its dice, and the acts behind them."""
    word, left = re.match(r"[^\s:]+", rest), rest
    side = sides.get(word[0].lower()) if word else None
    if word and side:
        left = rest[word.end() :].lstrip()
    shown = ""
    if not game.dice:
        left = left.removeprefix(":") if side else left
    elif before := _BEFORE_COLON.match(left):
        shown, left = before[1] or "", left[before.end() :]
    elif side and (behind := _BEHIND_SIDE.match(left)):
        shown, left = behind[0], left[behind.end() :]
    elif _ALONE.fullmatch(left):
        shown, left = left, ""
    acts = left.split(";") if game.steps else left.replace(";", " ").split()
    row = Row(where, side, (), _dice(where, shown), tuple(filter(None, map(str.strip, acts))))
    if not row.dice and not row.acts:
        _bad(where, f"{rest[:40]!a} says neither dice nor what was done")
    return row


def _dice(where: str, shown: str) -> tuple[int, ...]:
    from cli.rolling import read_dice

    try:
        return read_dice([shown.strip()]) if shown.strip() else ()
    except Unreadable as error:
        _bad(where, error.message.rstrip("."))


def _bad(where: str, why: str) -> NoReturn:
    raise Unreadable(
        "bad-sheet",
        f"{where}: {why}. Nothing was written.",
        hint="how a row is written: tabellion help notation",
    )
