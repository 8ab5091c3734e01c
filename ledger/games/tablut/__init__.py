"""Tablut and its larger relatives, hnefatafl and tawlbwrdd: a king, his Swedes, the Muscovites.

Ruling document: ``tablut-1``. The parts: ``options`` (what is open in the source), ``board``
(squares and positions), ``rules`` (what an option set allows), ``moves`` (from position to
position), ``play`` (a game so far and its ends), ``calls`` (raichi and tuichi), ``notation``
(texts and refusals).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ledger.errors import Unreadable
from ledger.games.protocol import (
    Action,
    Choices,
    Game,
    Illegal,
    OptionValue,
    Outcome,
    Surface,
)
from ledger.games.tablut import calls, notation
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
from ledger.games.tablut.notation import GUIDE
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

_ORDINALS = (
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
)

_LEGEND = {
    SWEDE: "Swede",
    KING: "king",
    MUSCOVITE: "Muscovite",
    "konakis": "konakis (throne)",
    "corner": "corner",
    "camp": "camp",
}

_SIGNS = {"konakis": "#", "corner": "+", "camp": ":"}


class Tablut(Game):
    """Tablut as a ``Game``."""

    name = "tablut"
    seats = SEATS
    titles: Mapping[str, str] = dict(zip(SEATS, SIDES, strict=True))
    options = OPTIONS
    rulesets = RULESETS
    document = "tablut-1"
    notation = GUIDE
    actions = frozenset({"move", "call"})
    sections: Mapping[str, str] = {"move": "Moving", "call": "`calls`: raichi and tuichi"}
    words = (
        ("e3-f3", "a move"),
        ("raichi", "a call"),
        ("claim", "a draw that the rules allow"),
    )

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

    def actor(self, state: State, kind: str) -> str | None:
        return calls.SEAT if kind == "call" else self.turn(state)

    def outcome(self, state: State) -> Outcome | None:
        return state.outcome

    def legal(self, state: State) -> Sequence[Action]:
        if state.outcome is not None:
            return ()
        before = state.position
        moves = (move_between(before, after) for after in successors(state.rules, before))
        return [Action("move", text) for text in sorted(notation.write(state, m) for m in moves)]

    def paths(self, state: State, action: Action) -> Sequence[tuple[str, str]]:
        return () if action.kind == "call" else (notation.way(action.text),)

    def beside(self, state: State) -> Sequence[Action]:
        if state.outcome is not None or not calls.may_call(state):
            return ()
        return tuple(Action("call", word) for word in calls.CALLS)

    def choices(self, state: State) -> Sequence[Choices]:
        """The moves of each piece together."""
        found: dict[str, list[str]] = {}
        for action in sorted(self.legal(state), key=notation.in_order):
            piece, _, rest = action.text.partition("-")
            found.setdefault(f"{piece}-", []).append(rest)
        return [Choices(head, tuple(rests)) for head, rests in found.items()]

    def read(self, state: State, kind: str, text: str) -> Action:
        self._check_kind(kind)
        if kind == "call":
            return Action("call", calls.read(text))
        return Action("move", notation.write(state, notation.resolve(state, text)))

    def apply(self, state: State, action: Action) -> State:
        self._check_kind(action.kind)
        if action.kind == "call":
            if not calls.is_call(action.text):
                raise Unreadable("not-canonical", "A call is written raichi or tuichi.")
            return calls.call(state, action.text)
        move = notation.resolve(state, action.text)
        canonical = notation.write(state, move)
        if action.text != canonical:
            raise Unreadable("not-canonical", f"This move is written {canonical}.")
        return play(state, move)

    def _check_kind(self, kind: str) -> None:
        if kind not in self.actions:
            raise Unreadable(
                "unknown-action", f"tablut knows move and call only, not {kind[:32]!a}."
            )

    def claim(self, state: State) -> Outcome:
        law = str(state.rules.option["repetition"])
        if law != "claim":
            raise Illegal("repetition", f"No draw is claimed in this match (repetition={law}).")
        times = repetitions(state)
        if times < OCCURRENCES:
            raise Illegal(
                "repetition",
                f"This position stands for the {_ORDINALS[times - 1]} time; a draw can be claimed "
                f"at the {_ORDINALS[OCCURRENCES - 1]} (repetition=claim).",
            )
        return Outcome(
            "repetition", None, f"This position stands {_often(times)}: the game is drawn."
        )

    def owed(self, state: State) -> Action | None:
        due = calls_due(state) if state.called is None else None
        return Action("call", due) if due else None

    def breaches(self, before: State, after: State) -> Sequence[str]:
        if after.position == before.position:
            return ()  # a call
        wrong = calls.fault(before)
        return () if wrong is None else (wrong,)

    def remarks(self, state: State) -> Sequence[str]:
        """The occurrences of the position, and the call that is due; nothing once it is over."""
        if state.outcome is not None:
            return ()
        return [*_repetition_remarks(state), *calls.remarks(state)]

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
            signs=_SIGNS,
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


def _often(times: int) -> str:
    return f"for the {_ORDINALS[times - 1]} time" if times <= len(_ORDINALS) else f"{times} times"


def _repetition_remarks(state: State) -> list[str]:
    times = repetitions(state)
    if times < 2:
        return []
    claimable = state.rules.option["repetition"] == "claim" and times >= OCCURRENCES
    how = ": either player may claim a draw" if claimable else ""
    return [f"This position stands {_often(times)}{how}."]


GAME = Tablut()
"""The game, for the registry."""
