"""Who may sign what: the tables by hand, cell by cell, put before the page's verifier.

The page knows no rules: where a cell is a matter of the game it may say yes instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any, TypeAlias

import pytest
import test_authority as plain
import test_authority_dice as diced
from match import Match, sealed, verdict
from secondopinion import NODE, SHARE, Found, Opinion, faults_of, opinions

from ledger import record
from ledger.events import (
    Award,
    Dismissed,
    GivenResult,
    NewContributors,
    Penalty,
    Rewind,
    SetPosition,
    Withdrawn,
)

pytestmark = pytest.mark.skipif(NODE is None, reason="Node is not installed")
Cell: TypeAlias = tuple[str, str, str, str, Match, Any, str, str | None]
"""Event, moment, role, what the table says; the match, the data, and who signs for whom."""


def without_dice() -> Iterator[Cell]:
    for kind, moment, answers in plain.TABLES:
        if moment not in ("playing", "replacing", "appeal"):
            continue
        for role, answer in answers.items():
            match, opens = plain.table_at(moment, role == "scribe")
            data = plain.what_is_said(match, opens, role)[kind]
            by, for_ = plain.SCRIBE if role == "scribe" else (role, None)
            yield kind, moment, role, answer, match, data, by, for_


def with_computed_dice() -> Iterator[Cell]:
    for kind, moment, answers in diced.TABLES:
        if moment in ("committing", "throwing", "first", "last", "lost"):
            yield from _diced(kind, moment, answers, diced.with_computed_dice)


def with_dice_on_the_table() -> Iterator[Cell]:
    for kind, moment, answers in diced.rows(diced.ON_THE_TABLE, diced.AT_THE_TABLE):
        yield from _diced(kind, moment, answers, diced.with_dice_on_the_table)


def _diced(kind: str, moment: str, answers: Mapping[str, str], come_to: Any) -> Iterator[Cell]:
    for role, answer in answers.items():
        match = come_to(moment, role == "scribe")
        by, for_ = diced.BLACK if role == "scribe" else (role, None)
        data = diced.what_is_said(match, by, for_)[kind]
        yield kind, moment, role, answer, match, data, by, for_


def rulings() -> Iterator[Cell]:
    for effect, moment, answers in diced.rows(diced.EFFECTS, [*diced.MOMENTS]):
        match = diced.with_computed_dice(moment, scribe=False)
        roll = match.state.rolling.number
        given = {
            "dismiss": Dismissed(),
            "rewind": Rewind(to=0, dice="rethrow"),
            "position": SetPosition(position=diced.FAR),
            "penalty": Penalty(seat="black", penalty="fine"),
            "withdraw": Withdrawn(ruling=next((e.seq for e in match.state.penalties), 0)),
            "result": GivenResult(kind="annulled"),
            "award": Award(roll=roll, dice=(6, 5, 4)),
            "contributors": NewContributors(roll=roll, contributors=("white", "arbiter")),
        }
        data = verdict(given[effect])
        yield "ruling", moment, effect, answers["arbiter"], match, data, "arbiter", None


def as_record(cell: Cell) -> bytes:
    kind, _, _, _, match, data, by, for_ = cell
    return record.write(
        [*map(sealed, match.state.entries), sealed(match.next(kind, data, by, for_))]
    )


@cache
def judged(table: Any) -> tuple[tuple[Cell, Opinion], ...]:
    cells = tuple(table())
    return tuple(zip(cells, opinions(map(as_record, cells)), strict=True))


TABLES = (without_dice, with_computed_dice, with_dice_on_the_table, rulings)


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.__name__)
def test_the_page_says_what_the_table_says(table: Any) -> None:
    apart = [
        (*cell[:4], found)
        for cell, page in judged(table)
        if (found := said(cell, faults_of(page))) not in (cell[3], None)
    ]
    assert apart == []


def said(cell: Cell, faults: Iterable[Found]) -> str | None:
    """The code of the first fault, which is at the last event; ``yes``; nothing where what the
    table says takes the rules of the game."""
    for event, code in faults:
        if event != cell[4].state.seq + 1:
            return f"{code} at event {event}"
        return code if cell[3] in SHARE or cell[3] == "yes" else None
    return "yes" if cell[3] in SHARE else None


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.__name__)
def test_the_tables_say_much_that_is_for_the_page(table: Any) -> None:
    answers = [cell[3] for cell, _ in judged(table)]
    for_the_page = [answer for answer in answers if answer in SHARE or answer == "yes"]
    assert len(for_the_page) > len(answers) * 0.8
    assert len({*for_the_page}) >= 5
