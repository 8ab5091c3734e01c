"""Game logs of the University of Bologna's Tablut Challenge server (``*.gameLog.txt``).

White are the Swedes and move first; the rules are ``tablut-ashton``.

Nothing is skipped: a message or a board that the course of the game does not explain is named
with its line. A captured king stays on the server's board, which only says who won: he is lifted
off here and counted as taken, as in our positions. The square in the server's message about it is
not used, since the server names a wrong one when he is taken from above.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from ledger.errors import Refused, Unreadable
from ledger.formats.tablut import BOLOGNA
from ledger.formats.tablut.bologna_entries import (
    ENDS,
    HEADER,
    SEATS,
    Board,
    Message,
    bad,
    board_of,
    messages,
    position_of,
    quoted,
)
from ledger.formats.transcript import Attempt, Claim, Claimed, Ply, Transcript
from ledger.games import game, options_of

RULESET: Final = "tablut-ashton"

_PLAYERS: Final = re.compile(r"Players:\t(?:White:\t)?(.*?)\tvs\t(?:Black:\t)?(.*)")
_SETTING: Final = re.compile(r"Repeated moves allowed:\t(-?[0-9]{1,9})\tCache:\t(-?[0-9]{1,9})")
_TURN: Final = re.compile(r"Turn: (W|B|null) Pawn from (\S{1,8}) to (\S{1,8})")
_REMOVED: Final = re.compile(r"Pedina (bianca|nera) rimossa in: ([a-i][1-9])")
_WHITE_WINS: Final = re.compile(r"Bianco vince con re in ([A-Ia-i][1-9])")
_BLACK_WINS: Final = re.compile(r"Nero vince con re catturato (?:in: \w+|sul trono)")
_REPEATED: Final = "Partita terminata in pareggio per numero di stati ripetuti"
_COUNTERS: Final = re.compile(
    r"Capture! Draw cache cleared!|Equal states found: [0-9]+|Current draw cache size: [0-9]+"
)
_REJECTED: Final = re.compile(
    r"(?:Formato mossa errato|Mossa |Nessuna mossa|Giocatore .* cerca di muovere).*"
)
_COLOURS: Final = {"swedes": "nera", "muscovites": "bianca"}


@dataclass(slots=True)
class _Try:
    """A move that was sent to the server, and what the log says became of it."""

    line: int
    letter: str
    origin: str
    target: str
    reason: str = ""
    carried_out: bool = False
    removed: list[str] = field(default_factory=list)
    ends: str = ""

    @property
    def text(self) -> str:
        return f"{self.origin}-{self.target}"


@dataclass(slots=True)
class _Course:
    """The game as far as the log is read."""

    players: dict[str, str] | None = None
    set_up: bool = False
    first: Board | None = None
    board: Board | None = None
    trying: _Try | None = None
    plies: list[Ply] = field(default_factory=list)
    attempts: list[Attempt] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def seat(self) -> str:
        return SEATS.get(self.board.side, "") if self.board else ""


def parse(text: str) -> Transcript:
    """A game log. Raises ``Unreadable`` for what no log has or the game does not explain, and
    ``Refused`` for rules that the server was set to and we do not have."""
    lines = text.split("\n")
    course = _Course()
    for message in messages(lines):
        _take(course, message)
    _leave_try(course, None)
    if course.first is None or course.board is None:
        raise Unreadable("bad-log", "The log shows no board.")
    if not course.set_up:
        course.notes.append("The log does not say how often positions may repeat; taken: never.")
    match = HEADER.fullmatch(next(line for line in lines if line.strip()).rstrip("\r"))
    played = game("tablut")
    return Transcript(
        format=BOLOGNA,
        ruleset=RULESET,
        options=options_of(played, played.rulesets[RULESET]),
        plies=tuple(course.plies),
        claim=_claim(course.board),
        players=course.players or {},
        details={"date": match[1]} if match else {},
        first_board=position_of(course.first, "swedes"),
        first_line=course.first.line,
        attempts=tuple(course.attempts),
        notes=tuple(course.notes),
    )


def _take(course: _Course, message: Message) -> None:
    line, text = message.line, message.text
    if text.startswith("Stato:"):
        _take_board(course, board_of(message))
        return
    if message.more:
        bad(message.more[0][0], f"{quoted(message.more[0][1])} is no part of a game log")
    if match := _PLAYERS.fullmatch(text):
        if course.players is not None:
            bad(line, "another game begins here; keep one game in a file")
        names = zip(("swedes", "muscovites"), (match[1], match[2]), strict=True)
        course.players = {seat: name.strip() for seat, name in names if name.strip()}
    elif match := _SETTING.fullmatch(text):
        course.set_up = True
        if int(match[1]) != 0 or int(match[2]) >= 0:
            what = f"{match[1]} repeated moves allowed, cache {match[2]}"
            raise Refused("rules-not-ours", f"line {line}: no option of ours says: {what}")
    elif match := _TURN.fullmatch(text):
        _leave_try(course, match)
        if course.board is None or not course.seat():
            bad(line, "a move where no side is to move")
        course.trying = _Try(line, match[1], match[2].lower(), match[3].lower())
    elif text != "Inizio partita" and not _COUNTERS.fullmatch(text):
        _take_consequence(course, line, text)


def _take_consequence(course: _Course, line: int, text: str) -> None:
    """What the server says of the move it was sent: rejected, carried out, pieces taken, won."""
    trying = course.trying
    if trying is None:
        bad(line, f"{quoted(text)} belongs to no move")
    if not trying.carried_out:
        if text == "Movimento pedina" and not trying.reason:
            trying.carried_out = True
        elif _REJECTED.fullmatch(text) and not trying.reason:
            trying.reason = text
        else:
            bad(line, f"{quoted(text)} is not explained by the move of line {trying.line}")
    elif (match := _REMOVED.fullmatch(text)) and match[1] == _COLOURS[course.seat()]:
        trying.removed.append(match[2])
    elif (match := _WHITE_WINS.fullmatch(text)) and match[1].lower() == trying.target:
        trying.ends = "WW"
    elif _BLACK_WINS.fullmatch(text):
        trying.ends = "BW"
    elif text == _REPEATED:
        trying.ends = "D"
    else:
        bad(line, f"{quoted(text)} is not explained by the move of line {trying.line}")


def _take_board(course: _Course, board: Board) -> None:
    trying, before = course.trying, course.board
    if before is None:
        if board.side != "W" or trying is not None:
            bad(board.side_line, "the first board has White to move")
        course.first = course.board = board
        return
    if trying is None or not trying.carried_out:
        if not board.same(before):
            bad(board.line, "no move explains this board")
        return
    if trying.ends and trying.ends != board.side:
        bad(board.side_line, f"{board.side} contradicts the result that the log has just named")
    mover = course.seat()
    captures, rows = list(trying.removed), board.rows
    if board.side == "BW":
        for rank, row in enumerate(rows, 1):
            captures += [
                f"{'abcdefghi'[column]}{rank}" for column in range(9) if row[column] == "K"
            ]
        rows = tuple(row.replace("K", "O") for row in rows)
    seat = SEATS.get(trying.letter, mover)
    other = "muscovites" if mover == "swedes" else "swedes"
    position = position_of(Board(board.line, rows, board.side, board.side_line), other)
    taken = tuple(sorted(set(captures)))
    course.plies.append(Ply(trying.line, seat, trying.text, taken, position, board.line))
    course.board, course.trying = board, None


def _leave_try(course: _Course, follower: re.Match[str] | None) -> None:
    """A move is left behind: it had its board, or it must not have been played."""
    trying, course.trying = course.trying, None
    if trying is None:
        return
    if trying.carried_out:
        bad(trying.line, f"no board follows the move {trying.text}; is the log cut off?")
    again = follower is not None and f"{follower[2]}-{follower[3]}".lower() == trying.text
    if again and not trying.reason:
        course.notes.append(f"line {trying.line}: {trying.text} is logged twice")
        return
    course.attempts.append(Attempt(len(course.plies), trying.line, trying.text, trying.reason))
    why = trying.reason or "without a reason"
    course.notes.append(f"line {trying.line}: the server did not play {trying.text}: {why}")


def _claim(board: Board) -> Claim:
    result, winner = ENDS.get(board.side, (Claimed.OPEN, None))
    hint = "without that result the game can be imported as unfinished, and ruled on afterwards"
    return Claim(result, winner, words=board.side, line=board.side_line, hint=hint)
