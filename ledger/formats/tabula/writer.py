"""A ``Transcript`` of Tabula written as text, so that reading it again gives the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Final

from ledger.formats.option_words import write_changes
from ledger.formats.tabula.headers import (
    ARBITER,
    DETAILS,
    GAME,
    HEAD,
    MATCH,
    OPTIONS,
    RESULT,
    RULESET,
    SEATS,
    in_order,
    write_result,
)
from ledger.formats.tabula.text import LETTERS
from ledger.formats.transcript import Comment, Origin, Transcript, by_place
from ledger.games import game

_LETTER: Final = {seat: letter for letter, seat in LETTERS.items()}


def of_match(transcript: Transcript, origin: Origin) -> str:
    """A match of ours, with its arbiter, its id and its last hash; what it left out in a
    comment."""
    tags = {ARBITER: origin.arbiter, MATCH: origin.match, HEAD: origin.head}
    comments = (Comment(0, 0, origin.left_out),) if origin.left_out else ()
    return write(replace(transcript, tags=tags, comments=comments))


def write(transcript: Transcript) -> str:
    """The game as text; read again it says the same, but for line numbers.

    Raises ``Refused`` (``not-writable``) for a header of several lines.
    """
    options = write_changes(game(GAME), transcript.ruleset, transcript.options)
    headers = {RULESET: transcript.ruleset, OPTIONS: options, **transcript.tags}
    headers |= {key: transcript.details.get(name, "") for key, name in DETAILS.items()}
    headers |= {key: transcript.players.get(seat, "") for key, seat in SEATS.items()}
    headers |= {RESULT: write_result(transcript.claim)}
    comments = by_place(transcript.comments)
    front = [*in_order(headers), *_remarks(comments.get(0, ()))]
    return "\n".join([*front, "", *_play(transcript, comments)]) + "\n"


def _play(transcript: Transcript, comments: Mapping[int, Sequence[Comment]]) -> Iterator[str]:
    """Line 0 and the turns, comments before the turn that they precede; the last turn may be
    thrown and not played."""
    opening = [cast for cast in transcript.casts if len(set(cast.owners)) > 1]
    if opening:
        ties = (f"W {cast.dice[0]} B {cast.dice[1]}" for cast in opening)
        yield f"0. {' / '.join(ties)}"
    turns = [cast for cast in transcript.casts if len(set(cast.owners)) == 1]
    for number, (cast, ply) in enumerate(zip_longest(turns, transcript.plies), 1):
        if number > 1:
            yield from _remarks(comments.get(number - 1, ()))
        thrown = "-".join(map(str, cast.dice))
        yield f"{number}. {_LETTER[cast.owners[0]]} {thrown}: {ply.move if ply else ''}".rstrip()
    yield from _remarks(comments.get(len(turns), ()) if turns else ())


def _remarks(comments: Sequence[Comment]) -> list[str]:
    return [f"; {comment.text}".rstrip() for comment in comments]
