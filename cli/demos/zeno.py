"""Emperor Zeno's throw, as Agathias tells it: 2-5-6, and everything had to be broken up.

*Palatine Anthology* IX 482. Zeno plays White. No ledger is needed: the referee judges.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from cli.demos.stage import run, step
from cli.output import say
from ledger.games.protocol import Game, Illegal, State, Track

ABOUT: Final = "the throw of Emperor Zeno, about 480: why there is only one play"
POSITION: Final = (
    "W h0 b0 o0 6:7,9:1,10:2,19:2,20:2,23:1 | B h0 b0 o0 8:2,11:2,12:2,13:1,14:2,15:2,18:2,21:2 | W"
)
DICE: Final = (2, 5, 6)
PLAY: Final = "10/16 20/22 19/24"


def play(_: Path) -> None:
    from cli.board import show_board
    from ledger import views
    from ledger.games import options_of, ruleset

    game, rules = ruleset("tabula")
    state = game.throw(game.place(options_of(game, rules), POSITION), DICE)
    step("About 480, Emperor Zeno plays White, and throws 2-5-6.")
    show_board(views.board(game.surface(state)), dice=game.thrown(state))
    step("Every checker of his with every die: what the rules say to each.")
    _every_step(game, state)
    step("Each die can be played with one checker only. So there is one play, and it must be made.")
    run("check", "tabula", POSITION, "--dice", "2-5-6")
    after = game.apply(state, game.read(state, "move", PLAY))
    step("Before it: four points held and two blots. After it: eight blots, and Black throws.")
    show_board(views.board(game.surface(after)))
    step("The emperor would rather have played one die alone. That is refused, with the play.")
    run("check", "tabula", POSITION, "10/16", "--dice", "2-5-6", expect=1)


def _every_step(game: Game, state: State) -> None:
    """Single steps: played alone they all are too short, so only what refuses the step counts."""
    surface = game.surface(state)
    if not isinstance(surface, Track):
        return
    own = [n for n, each in enumerate(surface.points, 1) if each.count and each.piece.isupper()]
    for die in sorted(DICE):
        for point in own:
            target = "off" if point + die > len(surface.points) else str(point + die)
            say(
                f"{die}: {f'{point}/{target}':<7} {_verdict(game, state, f'{point}/{target}')}",
                hang=3,
            )


def _verdict(game: Game, state: State, text: str) -> str:
    try:
        game.apply(state, game.read(state, "move", text))
    except Illegal as refusal:
        if refusal.code != "r-all":
            return refusal.message
    return "can be played"
