"""The score sheet: a match as its players would have it on paper, to be signed. From the fold."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ledger.events import Result
from ledger.fold import MatchState
from ledger.fold.due import Step, due
from ledger.fold.parts import Party
from ledger.games import changed_options
from ledger.games.protocol import Game
from ledger.views.shapes import BoardView, TrackView
from ledger.views.sheetrows import SheetLine, in_pairs, order, rows
from ledger.views.telling import about, board
from ledger.views.words import dice_words, next_step, result_words, standing


class SignerView(Struct, frozen=True):
    """Somebody with a role. On an empty sheet ``name`` is "" and waits to be filled in."""

    role: str
    title: str
    name: str
    keyid: str | None
    """``None``: no key; the arbiter writes."""
    countersigned: bool


class HintView(Struct, frozen=True):
    """How an act is written on an empty sheet, and what it means."""

    what: str
    meaning: str


class SheetView(Struct, frozen=True):
    """A match on paper. An empty sheet has no match, no head and no position."""

    match: str | None
    seq: int | None
    head: str | None
    code: str | None
    """What the QR code holds: ``tabellion:<match>:<seq>:<head>``. Both hashes are whole and in
    lower case; ``seq`` is the number of the event whose hash is the head."""
    about: dict[str, str]
    """Event, round, table, place, date, where they were given; all of them on an empty sheet."""
    ruleset: str
    title: str
    changed_options: dict[str, bool | str]
    turn_cap: int | None
    dice: str | None
    """How they are made; ``None`` without dice, "" where that is to be filled in."""
    source: str | None
    """The file that the match was read from: its format and SHA-256."""
    parties: tuple[SignerView, ...]
    pairs: bool
    """Whether a row holds the plies of both sides."""
    letters: dict[str, str]
    """The letter that stands for a seat."""
    lines: tuple[SheetLine, ...]
    result: str
    outcome: Result | None
    closed: bool
    due: tuple[str, ...]
    """What is still open, in sentences."""
    position: str
    board: BoardView | TrackView | None
    hints: tuple[HintView, ...]
    """How acts are written; on an empty sheet alone."""


def letters(game: Game) -> dict[str, str]:
    """A letter for each seat, or as many as tell the two apart."""
    first, second = game.seats
    length = next(
        (end for end in range(1, len(first) + 1) if first[:end] != second[:end]), len(second)
    )
    return {seat: seat[:length].upper() for seat in game.seats}


def sheet(state: MatchState) -> SheetView:
    """The sheet of a match as it stands."""
    opening, game = state.opening, state.game
    rules, source = opening.ruleset, opening.source
    known = game.rulesets.get(rules.name)
    sides = order(game, state.moments[0].game)
    return SheetView(
        match=state.match,
        seq=state.seq,
        head=state.head,
        code=f"tabellion:{state.match}:{state.seq}:{state.head}",
        about=about(state),
        ruleset=rules.name,
        title=known.title if known else "",
        changed_options=changed_options(game, rules.name, rules.options),
        turn_cap=opening.turn_cap,
        dice=dice_words(state) if opening.dice else None,
        source=f"{source.format}, SHA-256 {source.sha256}" if source else None,
        parties=tuple(
            _signer(state, state.roster[role]) for role in dict.fromkeys((*sides, *state.roster))
        ),
        pairs=in_pairs(game),
        letters={seat: letters(game)[seat] for seat in sides},
        lines=rows(state),
        result=result_words(state),
        outcome=state.result,
        closed=state.closed is not None,
        due=tuple(_due(state)),
        position=game.position(state.position),
        board=board(game.surface(state.position)),
        hints=(),
    )


def _signer(state: MatchState, party: Party) -> SignerView:
    return SignerView(
        role=party.role,
        title=state.game.titles.get(party.role, party.role.rstrip("0123456789")),
        name=party.name,
        keyid=party.key.fingerprint if party.key else None,
        countersigned=party.role in state.countersigned,
    )


def _due(state: MatchState) -> Iterator[str]:
    """What the match waits for, and offers that nobody has answered."""
    if due(state).step is not Step.NOTHING:
        yield next_step(state)
    yield from (standing(state, offer) for offer in state.offers)
