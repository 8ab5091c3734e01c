"""How the dice fell: stats."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Optional

import typer

from cli import completing
from cli.options import JsonOption, LedgerOption, MatchArgument, MatchOption, example

if TYPE_CHECKING:
    from ledger.statistics import DiceStatistics
    from ledger.views import StatsView


def register(app: typer.Typer) -> None:
    app.command("stats", epilog=example("tabellion stats t4"))(stats)


def stats(
    match: MatchArgument = None,
    named: MatchOption = None,
    player: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(
            "--player",
            metavar="NAME",
            help="The dice of one player alone.",
            autocompletion=completing.players,
        ),
    ] = None,
    ledger: LedgerOption = None,
    json: JsonOption = False,
) -> None:
    """Count how the dice fell.

    In a match, or in the whole ledger. Faces, pairs, what was to be expected, and whether that is
    unusual. It is said of dice, never of people.
    """
    from cli.desk import service
    from cli.finding import find_match
    from cli.output import as_json
    from ledger import views
    from ledger.errors import NotFound

    with service(ledger, write=False) as opened:
        wanted = match or named
        states = [find_match(opened, wanted)] if wanted else list(opened.states())
    known = views.players(states)
    if player is not None and player not in known:
        names = ", ".join(known) or "nobody"
        raise NotFound(
            "no-player", f"Nobody called {player[:60]!a} has thrown dice. Known: {names}."
        )
    view = views.stats(states, player)
    if json:
        as_json(view)
    else:
        _show(view)


def _show(view: StatsView) -> None:
    from cli.output import say

    count = len(view.matches)
    where = f"match {view.matches[0][:12]}" if count == 1 else f"{count} matches with dice"
    say(f"{where}{f', {view.player}' if view.player else ''}")
    if view.all.dice:
        _faces(view.all)
        _pairs(view.all)
    say(view.all.text, hang=2)
    for each in view.players:
        say(f"{each.name}: {each.dice.text}", hang=2)


def _faces(dice: DiceStatistics) -> None:
    from cli.output import say

    say()
    say("face   " + "".join(f"{each.face:>6}" for each in dice.faces))
    say("thrown " + "".join(f"{each.count:>6}" for each in dice.faces))
    say(f"expected {dice.faces[0].expected:.1f} each")


def _pairs(dice: DiceStatistics) -> None:
    """A triangle: each pair of faces once."""
    from cli.output import say

    counts = {each.faces: each.count for each in dice.pairs}
    expected = {each.faces: each.expected for each in dice.pairs}
    if not expected[1, 2]:
        return
    say()
    say("pairs  " + "".join(f"{face:>6}" for face in range(1, 7)))
    for low in range(1, 7):
        cells = (f"{counts[low, high]:>6}" if high >= low else " " * 6 for high in range(1, 7))
        say(f"{low:>5}  " + "".join(cells))
    say(f"expected {expected[1, 1]:.1f} of a double, {expected[1, 2]:.1f} of any other pair")
    say()
