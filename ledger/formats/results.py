"""How a foreign game ended: what the file claims, held against what the rules give.

A result that neither the board nor the file explains is refused, never taken on trust.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from ledger.errors import Refused, TabellionError
from ledger.formats.comparing import diverges, shown
from ledger.games.protocol import Game, State


class Claimed(Enum):
    """What a file says about the result; the first five are the kinds of ``events.Result``."""

    WIN = "win"
    DRAW = "draw"
    FORFEIT = "forfeit"
    DOUBLE_FORFEIT = "double_forfeit"
    ANNULLED = "annulled"
    OPEN = "open"
    """It says that the game goes on."""
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Claim:
    """The result as the file has it, how it explains it, and how to make it importable."""

    result: Claimed
    winner: str | None = None
    resigned: str | None = None
    agreed: bool = False
    words: str = ""
    line: int = 0
    hint: str = ""
    how: str = ""
    """The reason in the word of our rules, where the file has it."""
    split: tuple[int, int] | None = None
    """What the first seat and the second got, where both agreed to share what was played for."""


class End(Enum):
    """How an adjudicated game ended."""

    BOARD = "board"
    """By the rules: see the outcome."""
    RESIGNED = "resigned"
    AGREED = "agreed"
    """A draw that the file explains as agreed."""
    SETTLED = "settled"
    """What was played for is shared, as the file says and both agreed."""
    CLAIMED = "claimed"
    """A draw that the rules let a player claim in the last position."""
    OPEN = "open"


_SAID: Final = {
    Claimed.DRAW: "it is a draw",
    Claimed.FORFEIT: "it was forfeited",
    Claimed.DOUBLE_FORFEIT: "both forfeited it",
    Claimed.ANNULLED: "it was annulled",
}


def judge_result(claim: Claim, where: str, game: Game, state: State) -> tuple[End, str | None]:
    """How the game ended after its last move, and the seat that resigned, if one did."""
    outcome, says = game.outcome(state), _claimed(claim, game)
    if outcome is not None:
        won = (Claimed.WIN, outcome.winner) if outcome.winner else (Claimed.DRAW, None)
        same = (claim.result, claim.winner) == won and claim.how in ("", outcome.reason)
        if claim.result is not Claimed.NOTHING and not same:
            diverges(where, f"the file says {says}; by the rules: {outcome.text}")
        return End.BOARD, None
    if claim.resigned is not None and claim.result in (Claimed.WIN, Claimed.NOTHING):
        if claim.winner == claim.resigned:
            diverges(where, f"the file says {game.titles[claim.resigned]} resigned and won")
        return End.RESIGNED, claim.resigned
    if claim.result in (Claimed.OPEN, Claimed.NOTHING):
        return End.OPEN, None
    if claim.result is Claimed.DRAW and claim.agreed:
        return End.AGREED, None
    if claim.result is Claimed.DRAW and _claimable(game, state):
        return End.CLAIMED, None
    why = f" ({shown(claim.words)})" if claim.words else ""
    raise Refused(
        "import-unexplained",
        f"{where}: the file says {says}{why}; the board does not show it, nor is it explained",
        hint=claim.hint,
    )


def settled(claim: Claim, where: str, game: Game, state: State) -> State:
    """The game once both have shared what it is played for, as the file says."""
    if claim.split is None or game.outcome(state) is not None:
        return state
    try:
        return game.settle(state, claim.split)
    except TabellionError as error:
        diverges(where, f"the file says that both settled; {error.message}")


def _claimable(game: Game, state: State) -> bool:
    try:
        game.claim(state)
    except Refused:
        return False
    return True


def _claimed(claim: Claim, game: Game) -> str:
    how = f" ({shown(claim.how)})" if claim.how else ""
    if claim.result is Claimed.WIN and claim.winner is not None:
        return f"{game.titles[claim.winner]} won{how}"
    return _SAID.get(claim.result, "the game goes on") + how


def ending(ended: End, resigned: str | None, game: Game, state: State) -> str:
    """How it ended in a sentence, where the board does not say it."""
    if ended is End.RESIGNED and resigned is not None:
        winner = next(seat for seat in game.seats if seat != resigned)
        text = f"{_does(game.titles[resigned], 'resign')}: {_does(game.titles[winner], 'win')}."
        return text[0].upper() + text[1:]
    if ended is End.CLAIMED:
        return game.claim(state).text
    drawn = "The game is drawn by agreement."
    return drawn if ended is End.AGREED else "The file stops without a result."


def _does(title: str, verb: str) -> str:
    """Sides are many, "the Swedes", or one, "White"."""
    return f"{title} {verb}{'' if title.startswith('the ') else 's'}"
