"""A foreign game, read but not believed, and its adjudication by our own engine.

A parser turns a file into a ``Transcript``: what the file says, with the line it says it in.
``adjudicate`` plays it through the rules. Captures, boards and the result of the file are only
compared, never used: at the first difference it stops and names ply, line, move and difference.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from ledger.errors import Ambiguous, Refused, TabellionError
from ledger.formats.comparing import compare_boards, compare_captures, diverges, shown
from ledger.games.protocol import Action, Game, OptionValue, Outcome, State

MAX_PLIES: Final = 4000
"""Longest game that is adjudicated; the longest published ones have a few hundred plies."""


@dataclass(frozen=True, slots=True)
class Ply:
    """One move as the file has it. ``captures`` and ``board`` are ``None`` where it has none."""

    line: int
    seat: str
    move: str
    captures: tuple[str, ...] | None = None
    board: str | None = None
    """The board after the move, as a position text."""
    board_line: int = 0
    ends: bool = False
    """The file marks this move as the one that ends the game."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A move that the file says was refused when it was tried, after so many plies."""

    after: int
    line: int
    move: str
    reason: str


@dataclass(frozen=True, slots=True)
class Comment:
    """Words of the file about the position after so many plies (0: before the first)."""

    after: int
    line: int
    text: str


class Claimed(Enum):
    """What a file says about the result."""

    WIN = "win"
    DRAW = "draw"
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


@dataclass(frozen=True, slots=True)
class Transcript:
    """A game as a foreign file has it. ``options`` are all options, spelled out."""

    format: str
    ruleset: str
    options: Mapping[str, OptionValue]
    plies: tuple[Ply, ...]
    claim: Claim
    players: Mapping[str, str] = field(default_factory=dict)
    """Names by seat."""
    details: Mapping[str, str] = field(default_factory=dict)
    """``event``, ``round``, ``place`` and ``date``, where the file has them."""
    tags: Mapping[str, str] = field(default_factory=dict)
    """Everything else that the file says about the game."""
    start: str | None = None
    """The position the game starts from, if it is not the start of the ruleset."""
    first_board: str | None = None
    """A start position that the file shows, to be compared."""
    first_line: int = 0
    attempts: tuple[Attempt, ...] = ()
    comments: tuple[Comment, ...] = ()
    notes: tuple[str, ...] = ()
    """What an arbiter should know about the reading, in sentences."""


class End(Enum):
    """How an adjudicated game ended."""

    BOARD = "board"
    """By the rules: see the outcome."""
    RESIGNED = "resigned"
    AGREED = "agreed"
    """A draw that the file explains as agreed."""
    CLAIMED = "claimed"
    """A draw that the rules let a player claim in the last position."""
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Adjudication:
    """A transcript that holds: its actions in canonical spelling, and how it ended."""

    actions: tuple[Action, ...]
    state: State
    ended: End
    outcome: Outcome | None
    """For ``End.BOARD`` only."""
    resigned: str | None
    """For ``End.RESIGNED``: the seat that gave up."""
    text: str
    """The ending in a sentence."""


def adjudicate(transcript: Transcript, game: Game) -> Adjudication:
    """Play every ply by our rules and compare all that the file says.

    Raises ``Refused``: ``import-diverges`` at the first difference, ``import-unexplained`` for a
    result that neither the board nor the file explains, ``import-empty``, ``import-too-long``.
    """
    if not transcript.plies:
        raise Refused("import-empty", "The file holds no move.")
    if len(transcript.plies) > MAX_PLIES:
        raise Refused(
            "import-too-long",
            f"The file holds {len(transcript.plies)} moves; {MAX_PLIES} are judged at most.",
        )
    options = transcript.options
    place = transcript.start
    state = game.start(options) if place is None else game.place(options, place)
    if transcript.first_board is not None:
        where = f"before the first move, line {transcript.first_line}"
        compare_boards(where, transcript.first_board, game, state)
    actions: list[Action] = []
    attempts: dict[int, list[Attempt]] = {}
    for attempt in transcript.attempts:
        attempts.setdefault(attempt.after, []).append(attempt)
    for ply in transcript.plies:
        _judge_attempts(attempts.get(len(actions), ()), game, state)
        action, state = _judge_ply(ply, len(actions) + 1, game, state)
        actions.append(action)
    _judge_attempts(attempts.get(len(actions), ()), game, state)
    ended, resigned = _judge_result(transcript, game, state)
    outcome = game.outcome(state)
    text = outcome.text if outcome else _ending(ended, resigned, game)
    return Adjudication(tuple(actions), state, ended, outcome, resigned, text)


def _judge_ply(ply: Ply, number: int, game: Game, state: State) -> tuple[Action, State]:
    where = f"move {number}, line {ply.line}: {shown(ply.move)}"
    turn = game.turn(state)
    if turn is None:
        diverges(where, f"by the rules the game is over: {_outcome(game, state)}")
    if turn != ply.seat:
        seats = game.titles[ply.seat], game.titles[turn]
        diverges(where, f"the file lets {seats[0]} move; by the rules it is for {seats[1]}")
    action = _read(ply, where, game, state)
    if ply.captures is not None:
        compare_captures(where, ply.captures, action)
    state = game.apply(state, action)
    if ply.board is not None:
        there = f"move {number}, line {ply.board_line}: {shown(ply.move)}"
        compare_boards(there, ply.board, game, state)
    if ply.ends and game.outcome(state) is None:
        diverges(where, "the file says the game ends here; by the rules it goes on")
    return action, state


def _read(ply: Ply, where: str, game: Game, state: State) -> Action:
    """The action that a ply means; its captures are looked at only where they decide it."""
    bare = ply.move.partition("x")[0]
    try:
        try:
            return game.read(state, "move", bare)
        except Ambiguous:
            return game.read(state, "move", ply.move)
    except TabellionError as error:
        why = error.message.partition(" is refused: ")[2] or error.message
        diverges(where, f"refused by the rules: {why}")


def _judge_attempts(attempts: Iterable[Attempt], game: Game, state: State) -> None:
    """A move that the file says was refused must be refused by our rules too."""
    for attempt in attempts:
        try:
            game.read(state, "move", attempt.move)
        except Ambiguous:
            pass
        except TabellionError:
            continue
        why = f" ({shown(attempt.reason)})" if attempt.reason else ""
        diverges(
            f"after move {attempt.after}, line {attempt.line}: {shown(attempt.move)}",
            f"the file says this was not played{why}; by the rules it is legal",
        )


def _judge_result(transcript: Transcript, game: Game, state: State) -> tuple[End, str | None]:
    claim, outcome = transcript.claim, game.outcome(state)
    line = claim.line or transcript.plies[-1].line
    where = f"after move {len(transcript.plies)}, line {line}"
    says = _claimed(claim, game)
    if outcome is not None:
        won = (Claimed.WIN, outcome.winner) if outcome.winner else (Claimed.DRAW, None)
        if claim.result is not Claimed.NOTHING and (claim.result, claim.winner) != won:
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


def _claimable(game: Game, state: State) -> bool:
    try:
        game.claim(state)
    except Refused:
        return False
    return True


def _claimed(claim: Claim, game: Game) -> str:
    if claim.result is Claimed.WIN and claim.winner is not None:
        return f"{game.titles[claim.winner]} won"
    return "it is a draw" if claim.result is Claimed.DRAW else "the game goes on"


def _ending(ended: End, resigned: str | None, game: Game) -> str:
    if ended is End.RESIGNED and resigned is not None:
        winner = next(seat for seat in game.seats if seat != resigned)
        text = f"{game.titles[resigned]} resign: {game.titles[winner]} win."
        return text[0].upper() + text[1:]
    return {
        End.AGREED: "The game is drawn by agreement.",
        End.CLAIMED: "This position stands for the third time: the game is drawn.",
    }.get(ended, "The file stops without a result.")


def _outcome(game: Game, state: State) -> str:
    outcome = game.outcome(state)
    return outcome.text if outcome else ""
