"""A ``Transcript`` of a game with dice written as text, so that reading it again gives the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from textwrap import wrap
from typing import Final

from ledger.formats.headers import (
    ARBITER,
    DETAILS,
    HEAD,
    MATCH,
    OPTIONS,
    RESULT,
    RULESET,
    TURN_CAP,
    in_order,
    sides,
    write_result,
)
from ledger.formats.numbered import letters
from ledger.formats.option_words import write_changes
from ledger.formats.transcript import Cast, Comment, Origin, Transcript, by_place
from ledger.games.protocol import Game

_WIDTH: Final = 98
"""Characters of a comment's line."""
_GOES_ON: Final = ".. "
"""What stands before the rest of a comment, so that none of its lines looks like a header."""


def of_match(transcript: Transcript, origin: Origin, played: Game) -> str:
    """A match of ours, with its arbiter, its id and its last hash; what it left out in a
    comment."""
    tags = {ARBITER: origin.arbiter, MATCH: origin.match, HEAD: origin.head}
    left_out = (Comment(0, 0, origin.left_out),) if origin.left_out else ()
    whole = replace(transcript, tags=tags, comments=(*left_out, *transcript.comments))
    return write(whole, played)


def write(transcript: Transcript, played: Game) -> str:
    """The game as text; read again it says the same, but for line numbers and for comments that
    are too long for a line.

    Raises ``Refused`` (``not-writable``) for a header that could not be read again.
    """
    options = write_changes(played, transcript.ruleset, transcript.options)
    headers = {RULESET: transcript.ruleset, OPTIONS: options, **transcript.tags}
    headers |= {TURN_CAP: str(transcript.turn_cap or "")}
    headers |= {key: transcript.details.get(name, "") for key, name in DETAILS.items()}
    headers |= {key: transcript.players.get(seat, "") for key, seat in sides(played).items()}
    headers |= {RESULT: write_result(transcript.claim, played)}
    before = [each for each in transcript.comments if not each.after and not each.casts]
    front = [*in_order(headers, played), *_remarks(before)]
    later = by_place(each for each in transcript.comments if each.after or each.casts)
    return "\n".join([*front, "", *_play(transcript, played, later)]) + "\n"


@dataclass(slots=True)
class _Row:
    """The line of a throw, as far as it is known."""

    begins: str
    goes_on: str
    """What begins another line of the same throw, after a comment."""
    acts: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return f"{self.begins} {'; '.join(self.acts)}".rstrip()


def _play(
    transcript: Transcript, played: Game, comments: Mapping[int, Sequence[Comment]]
) -> Iterator[str]:
    """Line 0 and the throws. A comment stands before the act that it precedes; between a throw and
    the first act with it, before that throw's line."""
    first, second = letters(played)
    toss = [cast.dice for cast in transcript.casts if _is_toss(cast)]
    if toss:
        yield "0. " + " / ".join(f"{first} {one} {second} {other}" for one, other in toss)
    thrown = by_place(cast for cast in transcript.casts if not _is_toss(cast))
    row, number = _Row("", ""), 0
    for place, ply in enumerate((*transcript.plies, None)):
        said, casts = list(comments.get(place, ())), thrown.get(place, ())
        for count, cast in enumerate(casts, 1):
            whole = count == len(casts) and ply is not None
            now = [each for each in said if whole or each.casts <= len(toss) + number]
            said = [each for each in said if each not in now]
            yield from (*_ended(row), *_remarks(now))
            number += 1
            row = _begun(number, cast, played)
        if said:
            yield from (*_ended(row), *_remarks(said))
            row = _Row(row.goes_on, row.goes_on)
        if ply is not None:
            row.acts.append(ply.typed)
    yield from _ended(row)


def _is_toss(cast: Cast) -> bool:
    return len(set(cast.owners)) > 1


def _begun(number: int, cast: Cast, played: Game) -> _Row:
    letter = next(letter for letter, seat in letters(played).items() if seat == cast.owners[0])
    return _Row(f"{number}. {letter} {'-'.join(map(str, cast.dice))}:", f"{number}... {letter}:")


def _ended(row: _Row) -> Iterator[str]:
    """The line of a row, if it says anything."""
    if row.acts or row.begins != row.goes_on:
        yield str(row)


def _remarks(comments: Sequence[Comment]) -> list[str]:
    """Comments a line each, or more; whatever their words are, none is a header or a line of
    play."""
    lines = []
    for comment in comments:
        words = " ".join(comment.text.split())
        safe = _GOES_ON * words.startswith("[") + words
        lines += wrap(safe, _WIDTH, subsequent_indent=_GOES_ON, break_on_hyphens=False) or [""]
    return [f"; {line}".rstrip() for line in lines]
