"""Game logs as the Tablut Challenge server writes them, made from games played by our engine."""

from __future__ import annotations

from ledger.games import options_of
from ledger.games.protocol import State
from ledger.games.tablut import GAME

OPTIONS = options_of(GAME, GAME.rulesets["tablut-ashton"])
WHITE_WINS = ["g5-g4", "h5-g5xf5", "Ke5-f5xg5", "b5-b7", "Kf5-f2", "i4-i3", "Kf2-i2xi3"]
BLACK_WINS = ["c5-c3", "b5-c5xd5", "Ke5-d5xc5", "e2-c2", "Kd5-c5", "d9-d5xc5"]
DRAWN = ["e3-d3", "a4-b4", "d3-c3", "b4-b3", "c3-d3", "b3-b4"]
OPEN = WHITE_WINS[:3]
ENDS = {"swedes": "WW", "muscovites": "BW", None: "D"}


def entry(message: str, level: str = "FINE") -> str:
    where = "it.unibo.ai.didattica.competition.tablut.domain.GameAshtonTablut checkMove"
    return f"mag 25, 2024 8:31:07 PM {where}\n{level}: {message}\n"


def turn(move: str, letter: str) -> str:
    origin, target = move.lstrip("K").split("x")[0].split("-")
    return entry(f"Turn: {letter} Pawn from {origin} to {target}")


def board(state: State, king: str = "") -> str:
    """A state as the server prints it; a king who was taken still stands, on ``king``."""
    pieces = dict(GAME.surface(state).pieces) | ({king: "K"} if king else {})
    signs = {"T": "W", "t": "B", "K": "K"}
    rows = [[signs.get(pieces.get(f"{c}{r}", ""), "O") for c in "abcdefghi"] for r in range(1, 10)]
    if rows[4][4] == "O":
        rows[4][4] = "T"
    outcome = GAME.outcome(state)
    side = ENDS[outcome.winner] if outcome else "W" if GAME.turn(state) == "swedes" else "B"
    return "\n".join("".join(row) for row in rows) + f"\n-\n{side}"


def played(move: str, state: State, after: State, letter: str) -> str:
    """The entries of one move, from ``state`` to ``after``."""
    king = next(s for s, piece in GAME.surface(state).pieces.items() if piece == "K")
    captured = move.partition("x")[2].split("/") if "x" in move else []
    colour = "nera" if GAME.turn(state) == "swedes" else "bianca"
    taken = [square for square in captured if square != king]
    king_taken = king if king in captured else ""
    outcome = GAME.outcome(after)
    words = [entry("Movimento pedina")]
    words += [entry(f"Pedina {colour} rimossa in: {square}") for square in taken]
    if outcome and outcome.reason == "goal":
        words.append(entry(f"Bianco vince con re in {move.partition('x')[0][-2:]}"))
    if king_taken:
        words.append(entry("Nero vince con re catturato in: a1"))  # the server names wrong squares
    if taken:
        words.append(entry("Capture! Draw cache cleared!"))
    if outcome and outcome.winner is None:
        words.append(entry("Partita terminata in pareggio per numero di stati ripetuti"))
        words.append(entry("Equal states found: 1"))
    words += [entry("Current draw cache size: 3"), entry(f"Stato:\n{board(after, king_taken)}")]
    return turn(move, letter) + "".join(words)


def log(moves: list[str], letters: str = "WB", head: str = "Players:\tAlba\tvs\tBruno") -> str:
    state = GAME.start(OPTIONS)
    text = entry(head) + entry("Repeated moves allowed:\t0\tCache:\t-1") + entry("Inizio partita")
    text += entry(f"Stato:\n{board(state)}")
    for number, move in enumerate(moves):
        after = GAME.apply(state, GAME.read(state, "move", move))
        letter = "null" if letters == "null" else letters[number % 2]
        text += played(move, state, after, letter)
        state = after
    return text
