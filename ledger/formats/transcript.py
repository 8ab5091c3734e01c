"""A foreign game, read but not believed, and its adjudication by our own engine.

A parser turns a file into a ``Transcript``: what the file says, with the line it says it in.
``adjudicate`` plays it through the rules. Captures, boards and the result of the file are only
compared, never used: at the first difference it stops and names ply, line, move and difference.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol, TypeVar

from ledger.errors import Ambiguous, Refused, TabellionError
from ledger.formats.comparing import compare_boards, compare_captures, diverges, shown
from ledger.formats.results import Claim, Claimed, End, ending, judge_result, settled
from ledger.formats.throws import Cast, judge_cast
from ledger.games.protocol import Action, Game, OptionValue, Outcome, State

__all__ = [
    "MAX_PLIES",
    "Adjudication",
    "Attempt",
    "Cast",
    "Claim",
    "Claimed",
    "Comment",
    "End",
    "Origin",
    "Ply",
    "Transcript",
    "adjudicate",
    "by_place",
]

MAX_PLIES: Final = 4000
"""Longest game that is adjudicated; the longest published ones have a few hundred plies."""


@dataclass(frozen=True, slots=True)
class Ply:
    """One act as the file has it, mostly a move. ``captures`` and ``board`` are ``None`` where it
    has none."""

    line: int
    seat: str
    move: str
    captures: tuple[str, ...] | None = None
    board: str | None = None
    """The board after the move, as a position text."""
    board_line: int = 0
    ends: bool = False
    """The file marks this move as the one that ends the game."""
    kind: str = "move"
    """What is done, where a game knows more than moves."""

    @property
    def typed(self) -> str:
        """As people write it: acts that are no moves go with their kind."""
        if self.kind in ("move", self.move):
            return self.move
        return f"{self.kind} {self.move}".rstrip()


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
    casts: int = 0
    """After so many throws, in games with dice."""


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
    """``event``, ``round``, ``table``, ``place`` and ``date``, where the file has them."""
    tags: Mapping[str, str] = field(default_factory=dict)
    """Everything else that the file says about the game."""
    turn_cap: int | None = None
    """After how many turns the game is over, if the file says so."""
    start: str | None = None
    """The position the game starts from, if it is not the start of the ruleset."""
    first_board: str | None = None
    """A start position that the file shows, to be compared."""
    first_line: int = 0
    attempts: tuple[Attempt, ...] = ()
    casts: tuple[Cast, ...] = ()
    """Every throw of the dice, in games that have them."""
    comments: tuple[Comment, ...] = ()
    notes: tuple[str, ...] = ()
    """What an arbiter should know about the reading, in sentences."""


@dataclass(frozen=True, slots=True)
class Origin:
    """The match of ours that a transcript was made from."""

    match: str
    head: str
    arbiter: str
    left_out: str
    """What of the match has no place in a text of what stands, in a sentence, or ""."""


@dataclass(frozen=True, slots=True)
class Adjudication:
    """A transcript that holds: its actions in canonical spelling, and how it ended."""

    actions: tuple[Action, ...]
    state: State
    ended: End
    outcome: Outcome | None
    """For ``End.BOARD`` and ``End.SETTLED`` only."""
    resigned: str | None
    """For ``End.RESIGNED``: the seat that gave up."""
    text: str
    """The ending in a sentence."""


class _Placed(Protocol):
    @property
    def after(self) -> int: ...


_P = TypeVar("_P", bound=_Placed)


def by_place(items: Iterable[_P]) -> Mapping[int, list[_P]]:
    """What a file says between plies, by the number of plies before it."""
    found: dict[int, list[_P]] = {}
    for item in items:
        found.setdefault(item.after, []).append(item)
    return found


def adjudicate(transcript: Transcript, game: Game) -> Adjudication:
    """Play every throw and every ply by our rules and compare all that the file says.

    Raises ``Refused``: ``import-diverges`` at the first difference, ``import-unexplained`` for a
    result that neither the board nor the file explains, ``import-empty``, ``import-too-long``.
    """
    _check_length(transcript)
    options = transcript.options
    place = transcript.start
    state = game.start(options) if place is None else game.place(options, place)
    if transcript.turn_cap is not None:
        state = game.limited(state, transcript.turn_cap)
    if transcript.first_board is not None:
        where = f"before the first move, line {transcript.first_line}"
        compare_boards(where, transcript.first_board, game, state)
    actions: list[Action] = []
    attempts, casts = by_place(transcript.attempts), by_place(transcript.casts)
    for ply in (*transcript.plies, None):
        _judge_attempts(attempts.get(len(actions), ()), game, state)
        for cast in casts.get(len(actions), ()):
            state = judge_cast(cast, game, state)
        if ply is not None:
            action, state = _judge_ply(ply, len(actions) + 1, game, state)
            actions.append(action)
    last = (transcript.plies or transcript.casts)[-1]
    where = f"after move {len(actions)}, line {transcript.claim.line or last.line}"
    on_board = game.outcome(state)
    state = settled(transcript.claim, where, game, state)
    ended, resigned = judge_result(transcript.claim, where, game, state)
    outcome = game.outcome(state)
    if outcome is not None and on_board is None:
        ended = End.SETTLED
    text = outcome.text if outcome else ending(ended, resigned, game, state)
    return Adjudication(tuple(actions), state, ended, outcome, resigned, text)


def _check_length(transcript: Transcript) -> None:
    plies, casts = len(transcript.plies), len(transcript.casts)
    if not plies and not casts:
        raise Refused("import-empty", "The file holds no move.")
    for count, what in ((plies, "moves"), (casts, "throws")):
        if count > MAX_PLIES:
            raise Refused(
                "import-too-long",
                f"The file holds {count} {what}; {MAX_PLIES} are judged at most.",
            )


def _judge_ply(ply: Ply, number: int, game: Game, state: State) -> tuple[Action, State]:
    where = f"move {number}, line {ply.line}: {shown(ply.typed)}"
    turn = game.actor(state, ply.kind)
    if turn is None:
        diverges(where, f"by the rules the game is over: {_outcome(game, state)}")
    if turn != ply.seat:
        seats = game.titles[ply.seat], game.titles[turn]
        does = "move" if ply.kind == "move" else "act"
        diverges(where, f"the file lets {seats[0]} {does}; by the rules it is for {seats[1]}")
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
    bare = ply.move.partition("x")[0] if ply.captures else ply.move
    try:
        try:
            return game.read(state, ply.kind, bare)
        except Ambiguous:
            return game.read(state, ply.kind, ply.move)
    except TabellionError as error:
        why = error.message.partition(" is refused: ")[2] or error.message
        named = " is refused (" in why
        diverges(where, why if named else f"refused by the rules: {why}")


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


def _outcome(game: Game, state: State) -> str:
    outcome = game.outcome(state)
    return outcome.text if outcome else ""
