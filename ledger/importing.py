"""Games from other programs' files, judged anew and written as matches by the arbiter.

What a file says is only compared (``ledger.formats``); what is written is what our rules gave.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import assert_never
from unicodedata import normalize

from ledger import formats, rulings
from ledger.errors import Refused
from ledger.events import (
    Answer,
    Closing,
    DrawOffer,
    Lying,
    Nothing,
    Officer,
    Opening,
    Physical,
    RulesInForce,
    Seat,
    SettlementOffer,
    Source,
)
from ledger.fold import MatchState
from ledger.fold.acts import data_of
from ledger.fold.parts import ARBITER
from ledger.formats.transcript import Adjudication, Cast, End, Transcript, adjudicate, by_place
from ledger.games import ruleset
from ledger.games.protocol import Action, Game
from ledger.publickey import PublicKey
from ledger.service import Draft, Plan

UNKNOWN = "unknown"
"""The name of a player that the file does not name."""


@dataclass(frozen=True, slots=True)
class ImportedGame:
    """A foreign game that holds by our rules, ready to be written."""

    transcript: Transcript
    adjudication: Adjudication
    game: Game
    sha256: str

    @property
    def summary(self) -> str:
        """What was read, in a sentence."""
        acts, casts = len(self.adjudication.actions), len(self.transcript.casts)
        what = "act" if any(each.kind != "move" for each in self.adjudication.actions) else "move"
        counted = f"{acts} {what}{'s' * (acts != 1)}"
        counted += f" and {casts} {'throw' if casts == 1 else 'throws'}" if casts else ""
        read = f"{self.transcript.format}, {self.transcript.ruleset}"
        return f"{read}: {counted} judged and equal. {self.adjudication.text}"

    def opening(self, arbiter: str, key: PublicKey, nonce: str) -> Opening:
        """The opening of the match: no seat has a key, all of it is the arbiter's word.

        ``nonce``: 16 random bytes in hex.
        """
        _, rules = ruleset(self.transcript.ruleset)
        details = {name: _text(text) for name, text in self.transcript.details.items()}
        return Opening(
            ruleset=RulesInForce(
                game=self.game.name,
                name=rules.name,
                version=rules.version,
                options=dict(self.transcript.options),
                document=rulings.digest(self.game.document),
            ),
            seats={
                seat: Seat(name=_text(self.transcript.players.get(seat, "")) or UNKNOWN)
                for seat in self.game.seats
            },
            arbiter=Officer(name=arbiter, key=key.line),
            witnesses=(),
            takebacks=False,
            settlements=self.adjudication.ended is End.SETTLED,
            sealed_move_unopened="ruling",
            dice=Physical(confirm=False) if self.game.dice else None,
            turn_cap=self.transcript.turn_cap,
            event=details.get("event") or None,
            round=details.get("round") or None,
            table=details.get("table") or None,
            place=details.get("place") or None,
            date=details.get("date") or None,
            source=Source(format=self.transcript.format, sha256=self.sha256),
            nonce=nonce,
        )

    @property
    def plans(self) -> Sequence[Plan]:
        """Every throw and action, how the players ended the game if they did, and the close."""
        plans: list[Plan] = []
        casts = by_place(self.transcript.casts)
        for number, action in enumerate((*self.adjudication.actions, None)):
            plans += [_record(cast) for cast in casts.get(number, ())]
            if action is not None:
                plans.append(_act(action))
        match self.adjudication.ended:
            case End.OPEN:
                return plans
            case End.BOARD:
                pass
            case End.RESIGNED:
                plans.append(_by(self.adjudication.resigned, "resigned"))
            case End.AGREED:
                plans += [_offer(DrawOffer()), _agree]
            case End.SETTLED:
                shares = self.transcript.claim.split or (0, 0)
                plans += [_offer(SettlementOffer(split=shares)), _agree]
            case End.CLAIMED:
                plans.append(_by(None, "draw.claimed"))
            case _ as never:
                assert_never(never)
        return [*plans, _close]


def adjudged(data: bytes, format_name: str | None = None) -> ImportedGame:
    """Read and judge a foreign file. Raises ``Unreadable`` or ``Refused``, naming the place."""
    transcript = formats.read(data, format_name)
    game, _ = ruleset(transcript.ruleset)
    if transcript.start is not None:
        raise Refused(
            "import-own-start",
            "The file's game starts from a position of its own; a match starts from the start of "
            "its ruleset. Nothing was written.",
        )
    adjudication = adjudicate(transcript, game)
    return ImportedGame(transcript, adjudication, game, sha256(data).hexdigest())


def _text(text: str) -> str:
    """A foreign text in composed form, without outer spaces."""
    return normalize("NFC", text).strip()


def _act(action: Action) -> Plan:
    """An act of the seat that it belongs to, which is not always the one on turn."""

    def plan(state: MatchState) -> Draft:
        seat = state.game.actor(state.position, action.kind)
        return Draft(action.kind, data_of(action), ARBITER, seat)

    return plan


def _record(cast: Cast) -> Plan:
    """Dice as they lay on the table, of the seat whose throw it is."""

    def plan(state: MatchState) -> Draft:
        lying = Lying(roll=state.rolling.number, dice=cast.dice)
        return Draft("roll.recorded", lying, ARBITER, state.turn)

    return plan


def _by(seat: str | None, kind: str) -> Plan:
    """An act without data, by a seat or by the one whose turn it is."""
    return lambda state: Draft(kind, Nothing(), ARBITER, seat or state.turn)


def _offer(terms: DrawOffer | SettlementOffer) -> Plan:
    """The file does not say who offered: it is put down to the side that is not on turn, which
    has just moved where the sides take turns."""

    def plan(state: MatchState) -> Draft:
        seat = state.other(state.turn or state.game.seats[0])
        return Draft("offer.made", terms, ARBITER, seat)

    return plan


def _agree(state: MatchState) -> Draft:
    (offer,) = state.offers
    return Draft("offer.accepted", Answer(offer=offer.hash), ARBITER, state.turn)


def _close(state: MatchState) -> Draft:
    if state.result is None:
        raise Refused("not-over", "The game is not over.")
    return Draft("match.closed", Closing(result=state.result), ARBITER)
