"""A whole match of El Tablero de Jesús, by two players who like a risk: a Wager that is redeemed,
one that is lost, and a Run. They are promised: a match without them is a demo that failed.

``SEED`` was sought for that. Where the opening comes to say something else (the digest of another
ruling document, one option more), the dice are others, and so another one must be sought: two in
five will do, and of those the shortest match tells best.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cli.board import show_board
from cli.demos import seeded
from cli.demos.stage import step
from cli.output import say
from ledger import views
from ledger.errors import Refused
from ledger.games.protocol import Action
from ledger.games.tablero import GAME, Phase, State
from ledger.games.tablero.board import RUNNING
from ledger.render.text import counts

if TYPE_CHECKING:
    from cli.demos.seeded import Match
    from ledger.fold import MatchState

ABOUT: Final = "a whole match with a Wager redeemed, a Wager lost, and a Run"
SEED: Final = "tablero 76"
ENOUGH: Final = 4
"""Coins in a Formation for which our players Pull. Fewer are too few; with more they want all."""
BOLD: Final = 5
"""The highest Wager that they stake."""

MOMENTS: Final[Mapping[str, str]] = {
    "opening": "Each throws a die: the higher one sets up five coins and begins, the other two.",
    "pull": "The first Pull: a Formation is taken, and the other side fills its columns.",
    "wager": "A Pass Number (7, 11 or 12): pass the dice, or stake a Wager and throw on.",
    "redeemed": "A Formation as long as the Wager: it is redeemed.",
    "lost": "A Pass Number under a Wager: it is lost, and the turn with it.",
    "run": "All seven in a row, and a Run: at each throw the other side adds two coins.",
    "stop": "The Run is stopped in time: seven coins and the pot are the runner's.",
    "failed": "A Pass Number in a Run: seven coins and the pot are the other side's.",
}
"""What is told by itself when it happens for the first time."""
SHOWN: Final = ("pull", "wager", "redeemed", "run")
"""Of these, what is seen on the board; the others can be told by the stakes."""
PROMISED: Final = ({"pull"}, {"redeemed"}, {"lost"}, {"stop", "failed"})
"""Of each of these one at least must happen."""
LONGEST: Final = 90
"""Throws after which a match is too long to be told."""


def play(folder: Path) -> None:
    with seeded.match(folder, "tablero-event", SEED) as match:
        _rules()
        tale = _Tale()
        while match.state.result is None and len(match.state.rolling.rolls) < LONGEST:
            before = match.state
            tale.tell(before, match, _next(match))
        _check(match.state, tale.happened)
        step("The end.")
        _show(match.state)
        say(views.next_step(match.state))


def _rules() -> None:
    step("The game: every coin (@) has a column of its own, where dice move it up or down.")
    say("Coins side by side in a row are a Formation (@--@), which may be taken.")
    say("The other side then fills the empty columns from its stake. Who cannot has lost.")


class _Tale:
    """The match as it is told: its first turn event by event, then a line a turn."""

    def __init__(self) -> None:
        self.happened: set[str] = set()
        self._words: list[str] = []
        """Of the turn that goes on, as far as it is not told."""

    def tell(self, before: MatchState, match: Match, kind: str) -> None:
        """What a throw or an act of this kind has led to."""
        turns, after = before.position.turns, match.state
        moment = _moment(kind, before.position, after.position)
        if moment in MOMENTS.keys() - self.happened:
            self._line(before)
            step(MOMENTS[moment])
            match.tell()
            _show(after, board=moment in SHOWN)
            self.happened.add(moment)
        elif turns == 0:
            match.tell()
        else:
            self._words += _words(kind, after)
        if after.position.turns > turns or after.result:
            self._line(before)
            if turns == 0:
                step("And so on. A line is a turn: its dice, and what was done besides moving.")

    def _line(self, state: MatchState) -> None:
        """The turn of ``state`` as far as it is not told."""
        if self._words:
            name = state.roster[state.turn or ""].name
            said = " ".join(self._words)
            say(f"{state.position.turns + 1:>3}. {name:<5} {said}", hang=5)
        self._words = []


def _moment(kind: str, before: State, after: State) -> str:
    """What has happened, of what makes a match; else the kind of the act alone."""
    if kind == "throw" and before.phase is Phase.OPENING is not after.phase:
        return "opening"
    if kind == "throw" and before.phase in RUNNING and after.side != before.side:
        return "failed"
    if before.wager > after.wager:
        return "redeemed" if kind == "move" else "lost"
    return kind


def _words(kind: str, state: MatchState) -> list[str]:
    """A throw by its dice, an act as it is typed, and what they brought about; a move by that
    alone."""
    dice = views.faces(state.rolling.rolls[-1].dice) if kind == "throw" else ""
    act = views.last_action(state) if kind not in ("throw", "move") else ""
    news = "" if state.position.phase is Phase.ANSWER else GAME.news(state.position)
    what = ": ".join(filter(None, (act, news)))
    return [*filter(None, (dice, f"({what})" if what else ""))]


def _show(state: MatchState, *, board: bool = True) -> None:
    """The board and the stakes, or the stakes alone."""
    shown = views.board(GAME.surface(state.position))
    if board or isinstance(shown, views.TrackView):
        show_board(shown, explain=False)
    else:
        say(counts(shown), hang=2)


def _check(state: MatchState, happened: set[str]) -> None:
    """Raises ``Refused`` unless all that was promised has been told."""
    outcome = GAME.outcome(state.position)
    cleaned_out = outcome is not None and outcome.reason == "cleaned_out"
    if not cleaned_out or not all(happened & each for each in PROMISED):
        raise Refused("demo-failed", f"All that this match had: {', '.join(sorted(happened))}.")


# -- how they play -------------------------------------------------------------------------


def _next(match: Match) -> str:
    """The next throw or act; returns its kind."""
    action = _choice(match.state.position)
    if action is None:
        match.roll()
        return "throw"
    match.act(action)
    return action.kind


def _choice(position: State) -> Action | None:
    """The act of somebody who wants long Formations; ``None``: throw."""
    legal = GAME.legal(position)
    acts = {each.kind: each for each in legal}
    match position.phase:
        case Phase.MOVE:
            return max(legal, key=lambda move: _longest(GAME.apply(position, move)))
        case Phase.ANSWER:
            bold = _longest(position) + 2 <= BOLD
            return acts.get("wager", acts["pass"]) if bold else acts["pass"]
        case Phase.DECIDE if "pull" in acts and "run" not in acts:
            return _pull(position)
        case Phase.DECIDE | Phase.RUN_OR_STOP:
            return acts.get("run", acts.get("stop"))
        case _:
            return None


def _pull(position: State) -> Action | None:
    """The Pull that brings most, if it is long enough and not too good, or if it wins."""
    pulls = {each: GAME.apply(position, each) for each in GAME.legal(position)}
    best = max(pulls, key=lambda each: pulls[each].stakes[position.side or 0])
    wins = GAME.outcome(pulls[best]) is not None
    return best if wins or _longest(position) == ENOUGH else None


def _longest(position: State) -> int:
    return max(map(len, GAME.surface(position).joined), default=0)
