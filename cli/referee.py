"""The referee without a ledger: rules and check."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Optional

import typer

from cli import completing
from cli.options import JsonOption, example

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.errors import TabellionError
    from ledger.games.protocol import Choices
    from ledger.views import CheckView, OptionView, RulesetView


def register(app: typer.Typer) -> None:
    app.command("check", epilog=example("tabellion check tablut start e4-f4"))(check)
    app.command("rules", epilog=example("tabellion rules tablut-edge"))(rules)


def rules(
    name: Annotated[
        Optional[str],  # noqa: UP045
        typer.Argument(
            metavar="[NAME]",
            help="A ruleset; all of them when left out.",
            autocompletion=completing.rulesets,
        ),
    ] = None,
    document: Annotated[
        bool, typer.Option("--document", help="Print the whole ruling document of the ruleset.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Show the rulesets, or one with its reasons.

    Every option of the rules, and why it is read as it is.
    """
    from cli.output import as_bytes, as_json, say, say_next
    from ledger import rulings, views
    from ledger.games import every_game
    from ledger.games import ruleset as find_ruleset
    from ledger.views import RulesView

    if name:
        game, found = find_ruleset(name)
        shown = [views.rules(game, found)]
        if document:
            as_bytes(rulings.text(game.document))
            return
    else:
        shown = [views.rules(each, r) for each in every_game() for r in each.rulesets.values()]
    if json:
        as_json(RulesView(tuple(shown)))
    elif name:
        _show_ruleset(shown[0])
    else:
        for view in shown:
            say(f"{view.name:<16} {view.title}", hang=17)
        say_next("tabellion rules NAME")


def _show_ruleset(view: RulesetView) -> None:
    import textwrap

    from cli.output import option_value, say, width
    from ledger import rulings
    from ledger.games import game as find_game

    room = min(width() or 80, 80) - 4

    say(f"{view.name}, version {view.version}: {view.title}", hang=2)
    say(f"ruling document {view.document}, SHA-256 {rulings.digest(view.document)}", hang=2)
    say(f"seats: {' and '.join(find_game(view.game).seats)}")
    for option in view.options:
        say()
        say(f"{option.name} = {option_value(option.value)}{_others(option)}", hang=2)
        for line in textwrap.wrap(option.reason, max(room, 10)):
            say(f"    {line}")


def _others(option: OptionView) -> str:
    from cli.output import option_value

    others = [option_value(value) for value in option.values if value != option.value]
    usual = "" if option.value == option.default else f"; by default {option_value(option.default)}"
    return f"  (or {', '.join(others)}{usual})"


def check(
    ruleset: Annotated[
        str,
        typer.Argument(
            metavar="RULESET",
            help="The ruleset: tabellion rules lists them.",
            autocompletion=completing.rulesets,
        ),
    ],
    position: Annotated[
        str,
        typer.Argument(
            metavar="POSITION",
            help="The position as one text, or: start",
            autocompletion=completing.positions,
        ),
    ] = "start",
    move: Annotated[
        Optional[str],  # noqa: UP045
        typer.Argument(
            metavar="[MOVE]",
            help="The move to judge; all legal moves when left out.",
            autocompletion=completing.moves,
        ),
    ] = None,
    dice: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option("--dice", metavar="DICE", help="The dice to play, as thrown: 2-5-6."),
    ] = None,
    option: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Option(
            "--option",
            metavar="NAME=VALUE",
            help="Change an option of the ruleset.",
            autocompletion=completing.rule_options,
        ),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Ask the referee: is this move legal here?

    And what does it lead to? Without a ledger, and nothing is written.
    """
    from cli.output import as_json

    view, choices, refusal = _judge(ruleset, position, dice, move, option or [])
    if json:
        as_json(view)
        if refusal is not None:
            raise typer.Exit(refusal.exit_status)
    elif refusal is not None:
        raise refusal
    else:
        _show_check(view, choices)


def _judge(
    ruleset: str, position: str, dice: str | None, move: str | None, given: list[str]
) -> tuple[CheckView, Sequence[Choices], TabellionError | None]:
    """The referee's answer; what may be done, as people look for it; and the refusal, if any."""
    from cli.opening import read_options
    from cli.output import example_dice
    from cli.rolling import read_dice
    from ledger import views
    from ledger.errors import TabellionError, Unreadable
    from ledger.games import ruleset as find_ruleset
    from ledger.games.typed import kind_and_text
    from ledger.views import CheckView

    game, rules = find_ruleset(ruleset)
    options = read_options(game, rules, given)
    state = game.start(options) if position == "start" else game.place(options, position)
    if dice is not None:
        try:
            state = game.throw(state, read_dice([dice]))
        except TabellionError as error:
            error.hint = "--dice 3-5-2"
            if wanted := game.wanted(state):
                error.hint = f"--dice {example_dice(wanted.count)}"
            raise
    elif move is not None and game.wanted(state) is not None and not game.legal(state):
        raise Unreadable("no-dice-given", "Say what the dice show.", hint="--dice 2-5-6")
    refusal: TabellionError | None = None
    after, spelled = state, move
    if move is not None:
        try:
            action = game.read(state, *kind_and_text(game, state, move))
            spelled, after = action.typed, game.apply(state, action)
        except TabellionError as error:
            refusal = error
    outcome = game.outcome(after)
    listed = () if move is not None else tuple(action.typed for action in game.legal(state))
    return (
        CheckView(
            ruleset=ruleset,
            position=game.position(state),
            dice=game.thrown(state),
            wanted=views.throw_wanted(game, after) if move is None else "",
            move=spelled,
            legal=None if move is None else refusal is None,
            refusal=refusal.message if refusal else None,
            code=refusal.code if refusal else None,
            leads_to=game.position(after) if move is not None and refusal is None else None,
            news=game.news(after),
            turn=game.turn(after),
            outcome=outcome.reason if outcome else None,
            winner=outcome.winner if outcome else None,
            moves=listed,
        ),
        game.choices(state) if listed else (),
        refusal,
    )


def _show_check(view: CheckView, choices: Sequence[Choices]) -> None:
    from cli.board import show_choices
    from cli.output import aside, capitalised, say, sentence

    if view.news:
        say(capitalised(sentence(view.news)), hang=2)
    if view.move is None and (view.news or view.outcome):
        say(f"position {view.position}")
    if view.move is None:
        if view.moves or not (view.wanted or view.outcome):
            count = "1 legal move" if len(view.moves) == 1 else f"{len(view.moves)} legal moves"
            aside(f"{count} for {view.turn or 'nobody: the game is over'}")
        show_choices(view.moves, choices)
        if view.wanted:
            say(view.wanted)
        _show_outcome(view)
        return
    say(f"{view.move} is legal.")
    say(f"leads to {view.leads_to}")
    _show_outcome(view)


def _show_outcome(view: CheckView) -> None:
    from cli.output import say

    if view.outcome:
        say(f"the game is over: {view.outcome}, {view.winner or 'a draw'}")
