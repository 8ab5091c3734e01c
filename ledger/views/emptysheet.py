"""An empty score sheet of a ruleset: to be filled in at a table without a device, and typed in
later as it is written."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.fold.parts import ARBITER, WITNESS
from ledger.games import options_of
from ledger.games.protocol import Game, Ruleset, State, Throw
from ledger.games.typed import kind_and_text
from ledger.views.sheet import HintView, SheetView, SignerView, letters
from ledger.views.sheetrows import SheetRow, in_pairs, order

_ABOUT: Final = ("event", "round", "table", "place", "date")
_ROWS: Final = 36
_TOSSES: Final = 2
"""Rows of play, and of throws for who begins."""


def empty(game: Game, rules: Ruleset) -> SheetView:
    """The sheet before anything is known but the rules."""
    start = game.start(options_of(game, rules))
    officers = {ARBITER: ARBITER, WITNESS: WITNESS}
    sides = order(game, start)
    titles = {seat: game.titles[seat] for seat in sides}
    return SheetView(
        match=None,
        seq=None,
        head=None,
        code=None,
        about=dict.fromkeys(_ABOUT, ""),
        ruleset=rules.name,
        title=rules.title,
        changed_options={},
        turn_cap=None,
        dice="" if game.dice else None,
        source=None,
        parties=tuple(
            SignerView(role=role, title=title, name="", keyid=None, countersigned=False)
            for role, title in {**titles, **officers}.items()
        ),
        pairs=in_pairs(game),
        letters={seat: letters(game)[seat] for seat in sides},
        lines=tuple(_rows(game, start)),
        result="",
        outcome=None,
        closed=False,
        due=(),
        position="",
        board=None,
        hints=tuple(_hints(game, start)),
    )


def _rows(game: Game, start: State) -> Iterator[SheetRow]:
    """Rows with a box for each die."""
    first, then = game.wanted(start), _after_the_toss(game, start)
    if first is not None and len(set(first.owners)) > 1:
        toss = SheetRow(0, "", dice=(0,) * first.count, owners=first.owners)
        yield from (toss for _ in range(_TOSSES))
    boxes = (0,) * (then.count if then else 0)
    yield from (SheetRow(number, "", dice=boxes) for number in range(1, _ROWS + 1))


def _after_the_toss(game: Game, start: State) -> Throw | None:
    """The throw that a turn begins with. Where each throws one die first, any that differ do."""
    wanted = game.wanted(start)
    if wanted is not None and len(set(wanted.owners)) > 1:
        return game.wanted(game.throw(start, tuple(range(wanted.count, 0, -1))))
    return wanted


def _hints(game: Game, start: State) -> Iterator[HintView]:
    """The game's own words for acts; what is a command of the ledger is left out."""
    for what, meaning in game.words:
        word = what.replace(",", " ").split()[0]
        kind, _ = kind_and_text(game, start, word)
        if kind != "move" or any(sign.isdigit() for sign in word):
            yield HintView(what, meaning)
