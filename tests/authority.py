"""Tables of authority: who may sign what at which moment of a match, and how a row is tried."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from typing import Any, TypeAlias

from match import Match

from ledger.errors import Refused

OTHER = "0" * 64
"""A hash or a number that is nobody's."""

Row: TypeAlias = tuple[str, str, Mapping[str, str]]
"""Event, moment, and for each role what is said to it: ``yes``, or the code of the refusal."""


def rows(table: str, moments: Sequence[str], kinds: Sequence[str] = ()) -> Iterator[Row]:
    """Every row of a table. A row may name several moments (``ended,closed``). ``else`` is every
    moment that no other row of the event names; as an event, every one that no other row names."""
    head, *found = [line.split() for line in table.splitlines() if line]
    listed = {(kind, moment) for kind, named, *_ in found for moment in named.split(",")}
    others = [each for each in kinds if each not in {kind for kind, *_ in found}]
    for event, named, *answers in found:
        for kind in others if event == "else" else [event]:
            rest = [each for each in moments if (kind, each) not in listed]
            for moment in rest if named == "else" else named.split(","):
                yield kind, moment, dict(zip(head[2:], answers, strict=True))


def again(match: Match) -> Match:
    """The match to go on with from here, as often as one likes."""
    copied = copy(match)
    copied.keys = dict(match.keys)
    return copied


def said(made: Match, kind: str, data: Any, by: str, for_: str | None = None) -> str:
    """What a match says to this event, as the tables say it."""
    match = again(made)
    try:
        assert match.write(kind, data, by, for_) == made.state.seq + 1
    except Refused as refusal:
        assert match.state is made.state
        return refusal.code
    return "yes"
