"""Games from other programs' files, judged anew and written as matches by the arbiter.

What a file says is only compared (``ledger.formats``); what is written is what our rules gave.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from unicodedata import normalize

from ledger import formats, rulings
from ledger.errors import Refused
from ledger.events import (
    Closing,
    Nothing,
    Officer,
    Opening,
    Play,
    RulesInForce,
    Seat,
    Source,
)
from ledger.fold import MatchState
from ledger.fold.state import ARBITER
from ledger.formats.transcript import Adjudication, End, Transcript, adjudicate
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
        plies = len(self.adjudication.actions)
        return (
            f"{self.transcript.format}, {self.transcript.ruleset}: {plies} "
            f"{'ply' if plies == 1 else 'plies'} judged and equal. {self.adjudication.text}"
        )

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
            settlements=False,
            sealed_move_unopened="ruling",
            event=details.get("event") or None,
            round=details.get("round") or None,
            place=details.get("place") or None,
            date=details.get("date") or None,
            source=Source(format=self.transcript.format, sha256=self.sha256),
            nonce=nonce,
        )

    @property
    def plans(self) -> Sequence[Plan]:
        """Every action, the resignation if there is one, and the close of a finished game."""
        plans = [_act(action) for action in self.adjudication.actions]
        if self.adjudication.resigned is not None:
            plans.append(_resign(self.adjudication.resigned))
        if self.adjudication.ended is not End.OPEN:
            plans.append(_close)
        return plans


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
    if adjudication.ended in (End.AGREED, End.CLAIMED):
        raise Refused(
            "import-no-event",
            f"{adjudication.text} A match cannot record a draw of that kind. Nothing was written.",
        )
    return ImportedGame(transcript, adjudication, game, sha256(data).hexdigest())


def _text(text: str) -> str:
    """A foreign text in composed form, without outer spaces."""
    return normalize("NFC", text).strip()


def _act(action: Action) -> Plan:
    return lambda state: Draft(action.kind, Play(move=action.text), ARBITER, state.turn)


def _resign(seat: str) -> Plan:
    return lambda _: Draft("resigned", Nothing(), ARBITER, seat)


def _close(state: MatchState) -> Draft:
    if state.result is None:
        raise Refused("not-over", "The game is not over.")
    return Draft("match.closed", Closing(result=state.result), ARBITER)
