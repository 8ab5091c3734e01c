"""A whole Tabula match with dice that its two players made, by cautious players."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from cli.demos import seeded
from cli.demos.stage import run, step
from cli.output import say

if TYPE_CHECKING:
    from cli.demos.seeded import Match
    from ledger.fold import MatchState
    from ledger.games.protocol import Action

ABOUT: Final = "a whole match with dice that two players made"
SEED: Final = "tabellion demo"
TOLD: Final = 3
"""Rolls that are told event by event."""


def play(folder: Path) -> None:
    with seeded.match(folder, "tabula", SEED) as match:
        _first(match)
        _the_rest(match)
        step("How the dice fell.")
        run("stats")


def _first(match: Match) -> None:
    step("The thrower opens the number, then the other. Only now do the dice exist.")
    while _dice_lie(match.state) or len(match.state.rolling.rolls) < TOLD:
        _turn(match)
        match.tell()


def _the_rest(match: Match) -> None:
    from cli.board import show_board
    from ledger import views

    step("And so on. Every line is three signed events: a throw, an opening, a move.")
    number = sum(len(roll.dice) == 3 for roll in match.state.rolling.rolls)
    while match.state.result is None:
        name = match.state.roster[match.state.turn or ""].name
        _turn(match)
        if _dice_lie(match.state):
            continue
        number += 1
        dice = views.faces(match.state.rolling.rolls[-1].dice)
        say(f"{number:>3}. {name:<5} {dice}: {views.last_action(match.state) or ''}")
    show_board(views.board(match.state.game.surface(match.state.position)))
    say(views.next_step(match.state))


def _dice_lie(state: MatchState) -> bool:
    return bool(state.game.thrown(state.position))


def _turn(match: Match) -> None:
    """A throw with its openings, or the move that is made with it."""
    if match.state.game.wanted(match.state.position) is not None:
        match.roll()
    else:
        match.act(_choice(match.state))


def _choice(state: MatchState) -> Action:
    """The play with the fewest blots of one's own, and of those the first by name."""
    from ledger.games.protocol import Track

    game, seat = state.game, state.turn
    first = seat == game.seats[0]

    def blots(action: Action) -> int:
        surface = game.surface(game.apply(state.position, action))
        points = surface.points if isinstance(surface, Track) else ()
        return sum(each.count == 1 and each.piece.isupper() is first for each in points)

    return min(game.legal(state.position), key=lambda action: (blots(action), action.text))
