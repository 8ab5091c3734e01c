"""Tablut and its larger relatives, hnefatafl and tawlbwrdd: a king, his Swedes, the Muscovites.

Ruling document: ``tablut-1``. The parts: ``options`` (what is open in the source), ``board``
(squares and positions), ``rules`` (what an option set allows), ``moves`` (from position to
position), ``play`` (a game so far and its ends), ``notation`` (texts and refusals).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ledger.errors import Unreadable
from ledger.games.protocol import Action, Game, OptionValue, Outcome, Surface
from ledger.games.tablut import notation
from ledger.games.tablut.board import (
    KING,
    MUSCOVITE,
    SWEDE,
    Position,
    piece_on,
    read_position,
    write_position,
)
from ledger.games.tablut.moves import successors
from ledger.games.tablut.options import OPTIONS, RULESETS
from ledger.games.tablut.play import (
    OCCURRENCES,
    SEATS,
    SIDES,
    State,
    begin,
    calls_due,
    move_between,
    play,
    repetitions,
)
from ledger.games.tablut.rules import Rules, rules_for

__all__ = [
    "GAME",
    "Position",
    "Rules",
    "State",
    "calls_due",
    "repetitions",
    "rules_for",
    "successors",
]

_ORDINALS = ("second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")

_LEGEND = {
    SWEDE: "Swede",
    KING: "king",
    MUSCOVITE: "Muscovite",
    "konakis": "konakis (throne)",
    "corner": "corner",
    "camp": "camp",
}


class Tablut:
    """Tablut as a ``Game``."""

    name = "tablut"
    seats = SEATS
    titles: Mapping[str, str] = dict(zip(SEATS, SIDES, strict=True))
    options = OPTIONS
    rulesets = RULESETS
    document = "tablut-1"
    actions = frozenset({"move"})

    repetitions = staticmethod(repetitions)
    calls_due = staticmethod(calls_due)

    def start(self, options: Mapping[str, OptionValue]) -> State:
        rules = rules_for(options)
        board = rules.board.start
        first = SEATS.index(str(rules.option["first"]))
        return begin(rules, Position(board.swedes, board.muscovites, board.king, first))

    def place(self, options: Mapping[str, OptionValue], position: str) -> State:
        rules = rules_for(options)
        return begin(rules, read_position(rules.board, position))

    def position(self, state: State) -> str:
        return write_position(state.rules.board, state.position)

    def turn(self, state: State) -> str | None:
        return SEATS[state.position.turn] if state.outcome is None else None

    def outcome(self, state: State) -> Outcome | None:
        return state.outcome

    def legal(self, state: State) -> Sequence[Action]:
        if state.outcome is not None:
            return ()
        before = state.position
        moves = (move_between(before, after) for after in successors(state.rules, before))
        return [Action("move", text) for text in sorted(notation.write(state, m) for m in moves)]

    def read(self, state: State, kind: str, text: str) -> Action:
        self._check_kind(kind)
        return Action("move", notation.write(state, notation.resolve(state, text)))

    def apply(self, state: State, action: Action) -> State:
        self._check_kind(action.kind)
        move = notation.resolve(state, action.text)
        canonical = notation.write(state, move)
        if action.text != canonical:
            raise Unreadable("not-canonical", f"this move is written {canonical}")
        return play(state, move)

    def _check_kind(self, kind: str) -> None:
        if kind not in self.actions:
            raise Unreadable("unknown-action", f"tablut knows moves only, not {kind[:32]!a}")

    def remarks(self, state: State) -> Sequence[str]:
        """The occurrences of the position, and the call that is due; nothing once it is over."""
        if state.outcome is not None:
            return ()
        return [*_repetition_remarks(state), *_call_remarks(state)]

    def surface(self, state: State) -> Surface:
        rules, position = state.rules, state.position
        board = rules.board
        pieces = {square: piece_on(position, bit) for square, bit in board.bits.items()}
        marks = _marks(rules)
        shown = {SWEDE, KING, MUSCOVITE, *marks.values()}
        last = state.last
        return Surface(
            columns=board.columns,
            rows=board.rows,
            pieces={square: piece for square, piece in pieces.items() if piece},
            marks=marks,
            legend={sign: words for sign, words in _LEGEND.items() if sign in shown},
            counts=(
                ("Swedes beside the king", position.swedes.bit_count()),
                ("Muscovites", position.muscovites.bit_count()),
            ),
            last=(
                (board.names[last.origin], board.names[last.target], *board.named(last.captured))
                if last
                else ()
            ),
        )


def _marks(rules: Rules) -> dict[str, str]:
    """Marked squares by name; corners only where some option makes them matter."""
    board, option = rules.board, rules.option
    corners_matter = (
        option["goal"] != "edge"
        or option["corner_stop"] == "king"
        or option["corner_hostile"]
        or option["king_capture"] == "edge_three"
    )
    marks = dict.fromkeys(board.named(rules.camps), "camp")
    if corners_matter:
        marks |= dict.fromkeys(board.named(board.corners), "corner")
    return marks | {board.names[board.konakis]: "konakis"}


def _repetition_remarks(state: State) -> list[str]:
    times = repetitions(state)
    if times < 2:
        return []
    often = (
        f"for the {_ORDINALS[times - 2]} time" if times - 2 < len(_ORDINALS) else f"{times} times"
    )
    claim = state.rules.option["repetition"] == "claim" and times >= OCCURRENCES
    return [f"This position stands {often}{': either player may claim a draw' if claim else ''}."]


def _call_remarks(state: State) -> list[str]:
    call = calls_due(state)
    if call is None:
        return []
    what = "goal square in reach" if state.rules.calls_goal else "free way to the edge"
    if call == "raichi":
        return [f"The king has one {what}: raichi is due from the Swedes."]
    return [f"The king has more than one {what}: tuichi is due from the Swedes."]


GAME = Tablut()
"""The game, for the registry."""

_FULFILLED: Game = GAME
