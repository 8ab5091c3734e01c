"""What there is to tell of one event: what it did, by which rule, who signed it, and what became of
it. From the fold alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from ledger.envelope import Envelope
from ledger.errors import Refused
from ledger.events import Event, decode, type_of
from ledger.fold import MatchState, as_of, overruled, taken_back
from ledger.fold.acts import Act
from ledger.games.protocol import Game
from ledger.views.copies import SignedView, signed
from ledger.views.shapes import BoardView, TrackView
from ledger.views.telling import board
from ledger.views.words import next_step

_RULES: Final = {
    "match.opened": "The arbiter opens a match, and with it fixes the rules and the keys.",
    "seat.accepted": "Whoever brings a key accepts the match before play begins.",
    "dice.committed": "Nobody opens a roll before all who make it have committed to a number.",
    "roll": "The seat whose throw it is throws; who throws and makes dice opens first.",
    "roll.opened": "The others open in their order. The dice exist when the last has opened.",
    "roll.recorded": "Dice on the table are written down as they lie, by a seat or the arbiter.",
    "roll.confirmed": "Where the match asks for it the other seat confirms dice, or their voiding.",
    "roll.voided": "Dice are voided before anything is done with them: by the arbiter, or by one "
    "seat with the other's word.",
    "offer.made": "Either seat may offer while the game is on. It stands until it is answered or "
    "lapses.",
    "offer.accepted": "An offer is answered by the other seat, by the offer's own hash.",
    "offer.declined": "An offer is answered by the other seat, by the offer's own hash.",
    "draw.claimed": "A player may claim a draw where the rules of the game give it.",
    "resigned": "A player may resign at any time while the game is on.",
    "dispute.raised": "A player, a witness or the arbiter may dispute any event before the match "
    "is closed. Nothing goes on before a ruling, or before both players settle it.",
    "dispute.settled": "Both players may end a dispute, if the match was opened with settlements: "
    "the game stands as it is.",
    "statement": "Players, witnesses and the arbiter may say something on an open dispute or "
    "appeal. It changes nothing by itself.",
    "ruling": "The arbiter rules, with reason and rule, and ends the open dispute. What is taken "
    "back stays on record.",
    "appeal": "A player may appeal against a ruling or the closing, if somebody was named for it "
    "at opening. Nothing stops meanwhile.",
    "appeal.decided": "Who was named at opening decides an appeal, as the arbiter rules.",
    "key.replaced": "The arbiter may replace a key or its holder. The old key is dead from here, "
    "and what it had committed to is void.",
    "arbiter.replaced": "The arbiter may hand over; where that key is lost, the appeal key puts "
    "another arbiter in.",
    "adjourned": "The arbiter adjourns, a game with dice only before a throw. Then the side to "
    "move may seal its move.",
    "resumed": "The arbiter resumes, or whoever sealed a move by opening it. One that is illegal "
    "or unopened costs what was said at opening.",
    "match.closed": "The arbiter closes a match that is over, with the result that it has, and "
    "cites the ruling that gave it.",
    "countersigned": "Seats and witnesses countersign the closed result; a witness may sign "
    "instead of an absent player.",
    "signature.refused": "The arbiter records that a player will not sign. The result stands, "
    "unsigned by them.",
    "note": "Anybody with a role may add words to the record. They change nothing.",
}
"""By which rule of the ledger an event of a type is lawful; acts of the game rest on its own."""


class SideView(Struct, frozen=True):
    """The match before the event, or after it."""

    position: str
    board: BoardView | TrackView
    dice: tuple[int, ...]
    next: str


class RefusalView(Struct, frozen=True):
    code: str
    text: str


class ExplainView(Struct, frozen=True):
    """One event. ``rule``: what it rests on, in words."""

    match: str
    event: SignedView
    at: str
    """The signer's own clock."""
    fate: str
    """``stands``, ``taken back``, ``void``, or ``set aside``."""
    ended_by: int | None
    """The event that took it back or voided it."""
    rule: str
    refusal: RefusalView | None
    """Why one that was set aside cannot enter the match as it stands; ``None`` otherwise."""
    before: SideView | None
    """``None`` for the opening, and for what was set aside."""
    after: SideView | None


def explain(state: MatchState, seq: int, envelope: Envelope) -> ExplainView:
    """Event ``seq`` of the match."""
    fate, ended_by = _fate(state, seq)
    entry = state.entries[seq]
    return ExplainView(
        match=state.match,
        event=signed(state, envelope),
        at=entry.event.at,
        fate=fate,
        ended_by=ended_by,
        rule=_rule(state.game, entry.event),
        refusal=None,
        before=_side(as_of(state, seq - 1)) if seq else None,
        after=_side(as_of(state, seq)),
    )


def explain_aside(state: MatchState, envelope: Envelope, refusal: Refused | None) -> ExplainView:
    """An event beside the chain, and why it cannot be signed anew."""
    event = decode(envelope.payload)
    return ExplainView(
        match=state.match,
        event=signed(state, envelope),
        at=event.at,
        fate="set aside",
        ended_by=None,
        rule=_rule(state.game, event),
        refusal=RefusalView(refusal.code, refusal.message) if refusal else None,
        before=None,
        after=None,
    )


def _fate(state: MatchState, seq: int) -> tuple[str, int | None]:
    for roll in state.rolling.rolls:
        if roll.voided is not None and seq in (roll.thrown, roll.seq):
            return "void", roll.voided
    if (by := overruled(state).get(seq)) is not None:
        return "taken back", by
    if seq not in state.superseded():
        return "stands", None
    moments: Sequence[int] = range(seq + 1, state.seq + 1)
    back = [
        each
        for each in moments
        if state.moments[each].before != each - 1 and seq in taken_back(state.moments, each)
    ]
    return "taken back", back[-1] if back else None


def _rule(game: Game, event: Event) -> str:
    kind = type_of(event)
    if isinstance(event, Act):
        return f"Ruling document {game.document}, section {game.sections.get(kind, kind)}."
    rests = _RULES[kind]
    if kind in ("roll", "roll.recorded") and "throw" in game.sections:
        return f"{rests} Ruling document {game.document}, section {game.sections['throw']}."
    return rests


def _side(state: MatchState) -> SideView:
    return SideView(
        position=state.game.position(state.position),
        board=board(state.game.surface(state.position)),
        dice=state.game.thrown(state.position),
        next=next_step(state),
    )
