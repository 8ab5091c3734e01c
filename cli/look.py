"""Looking: show, log, list, moves, rules, check. Nothing here writes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Optional

import typer

from cli.options import JsonOption, LedgerOption, MatchArgument

if TYPE_CHECKING:
    from ledger.errors import TabellionError
    from ledger.views import CheckView, LogLine, OptionView, RulesetView, ShowView


def register(app: typer.Typer) -> None:
    app.command("show", epilog="Example: tabellion show --flip")(show)
    app.command("log", epilog="Example: tabellion log")(log)
    app.command("list", epilog="Example: tabellion list")(list_matches)
    app.command("moves", epilog="Example: tabellion moves")(moves)


def register_rules(app: typer.Typer) -> None:
    app.command("rules", epilog="Example: tabellion rules tablut-edge")(rules)
    app.command("check", epilog="Example: tabellion check tablut start e4-e7")(check)


def show(
    match: MatchArgument = None,
    flip: Annotated[
        bool, typer.Option("--flip", help="See the board from the other side.")
    ] = False,
    at: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option("--at", metavar="N", min=0, help="As the game stood after event N."),
    ] = None,
    ledger: LedgerOption = None,
    json: JsonOption = False,
) -> None:
    """Show a match: the board, the last move, who is to move, what is left."""
    from cli.desk import find_match, service
    from cli.output import as_json
    from ledger import views
    from ledger.errors import NotFound

    with service(ledger, write=False) as opened:
        state = find_match(opened, match)
    if at is not None and at > state.seq:
        raise NotFound("no-event", f"The match has no event {at}; its last is {state.seq}.")
    view = views.show(state, at)
    if json:
        as_json(view)
    else:
        _show(view, flip)


def _show(view: ShowView, flip: bool) -> None:
    from cli.output import say, short, styled

    say(f"match {short(view.match)}  event {view.seq}  {short(view.head)}")
    changed = ", ".join(f"{name}={_value(value)}" for name, value in view.changed_options.items())
    say(f"rules {view.ruleset}{f' with {changed}' if changed else ''}")
    if view.about:
        say(", ".join(f"{name} {text}" for name, text in view.about.items()))
    for seat in view.seats:
        how = f"signs with {seat.keyid}" if seat.keyid else "the arbiter writes"
        say(f"{seat.seat}: {seat.name}, {how}")
    say(f"arbiter: {view.arbiter}")
    say()
    from cli.board import show_board

    show_board(view.board, flip=flip)
    if view.last_action:
        say(f"last move: {view.last_action}")
    for remark in view.remarks:
        say(remark)
    say(styled(view.next, "bold"))


def log(match: MatchArgument = None, ledger: LedgerOption = None, json: JsonOption = False) -> None:
    """List the events of a match: number, hash, who signed, what was done. Taken back: struck."""
    from cli.desk import find_match, service
    from cli.output import as_json, say
    from ledger import views

    with service(ledger, write=False) as opened:
        view = views.log(find_match(opened, match))
    if json:
        as_json(view)
        return
    for line in view.events:
        say(_log_line(line))


def _log_line(line: LogLine) -> str:
    from cli.output import short, styled, visible

    by = f"{line.by} for {line.for_}" if line.for_ else line.by
    text = visible(line.text)
    if line.superseded:
        text = f"{styled(text, 'strike')} (taken back)"
    return f"{line.seq:>3}  {short(line.hash)}  {line.at}  {by}: {text}"


def list_matches(
    ledger: LedgerOption = None,
    unfinished: Annotated[
        bool, typer.Option("--open", help="Only matches that are not closed.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """List the matches of the ledger, the latest first, and what each waits for."""
    from cli.desk import service
    from cli.output import as_json, aside, say, short
    from ledger import readmodels
    from ledger.views import ListView

    with service(ledger, write=False) as opened:
        view = readmodels.matches(opened.store)
    if unfinished:
        view = ListView(tuple(line for line in view.matches if line.phase != "closed"))
    if json:
        as_json(view)
        return
    if not view.matches:
        aside("There is no match. Open one: tabellion open --help")
    for line in view.matches:
        table = f"table {line.about['table']}  " if "table" in line.about else ""
        names = " – ".join(line.seats.values())
        say(f"{short(line.match)}  {table}{line.ruleset}  {names}  {line.next}")


def moves(
    match: MatchArgument = None, ledger: LedgerOption = None, json: JsonOption = False
) -> None:
    """List every legal move of the seat whose turn it is."""
    from cli.desk import find_match, service
    from cli.output import as_json, aside, say
    from ledger import views

    with service(ledger, write=False) as opened:
        state = find_match(opened, match)
    view = views.moves(state)
    if json:
        as_json(view)
        return
    aside(views.next_step(state))
    for action in view.moves:
        say(action.text)


# -- rules without a ledger --------------------------------------------------------------


def rules(
    name: Annotated[
        Optional[str],  # noqa: UP045
        typer.Argument(metavar="[NAME]", help="A ruleset; all of them when left out."),
    ] = None,
    document: Annotated[
        bool, typer.Option("--document", help="Print the whole ruling document of the ruleset.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Show the rulesets, or every option of one with the reason for its reading."""
    from cli.output import as_json, say
    from ledger import rulings, views
    from ledger.games import every_game
    from ledger.games import ruleset as find_ruleset
    from ledger.views import RulesView

    if name:
        game, found = find_ruleset(name)
        shown = [views.rules(game, found)]
        if document:
            print(rulings.text(game.document).decode("utf-8"), end="")
            return
    else:
        shown = [views.rules(each, r) for each in every_game() for r in each.rulesets.values()]
    if json:
        as_json(RulesView(tuple(shown)))
    elif name:
        _show_ruleset(shown[0])
    else:
        for view in shown:
            say(f"{view.name:<16} {view.title}")


def _show_ruleset(view: RulesetView) -> None:
    import textwrap

    from cli.output import say
    from ledger import rulings

    say(f"{view.name}, version {view.version}: {view.title}")
    say(f"ruling document {view.document}, SHA-256 {rulings.digest(view.document)}")
    for option in view.options:
        say()
        say(f"{option.name} = {_value(option.value)}{_others(option)}")
        for line in textwrap.wrap(option.reason, 76):
            say(f"    {line}")


def _others(option: OptionView) -> str:
    others = [_value(value) for value in option.values if value != option.value]
    usual = "" if option.value == option.default else f"; usually {_value(option.default)}"
    return f"  (or {', '.join(others)}{usual})"


def _value(value: bool | str) -> str:
    return str(value).lower() if isinstance(value, bool) else value


def check(
    ruleset: Annotated[str, typer.Argument(metavar="RULESET", help="See: tabellion rules")],
    position: Annotated[
        str, typer.Argument(metavar="POSITION", help="The position as one text, or: start")
    ] = "start",
    move: Annotated[
        Optional[str],  # noqa: UP045
        typer.Argument(metavar="[MOVE]", help="The move to judge; all legal moves when left out."),
    ] = None,
    option: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Option("--option", metavar="NAME=VALUE", help="Change an option of the ruleset."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Ask the referee, without a ledger: is this move legal here, and what does it lead to?"""
    from cli.output import as_json
    from ledger.errors import Refused

    view, refusal = _judge(ruleset, position, move, option or [])
    if json:
        as_json(view)
        if refusal is not None:
            raise typer.Exit(refusal.exit_status)
    elif refusal is not None:
        raise Refused(refusal.code, refusal.message, hint=refusal.hint)
    else:
        _show_check(view)


def _judge(
    ruleset: str, position: str, move: str | None, given: list[str]
) -> tuple[CheckView, TabellionError | None]:
    from cli.match import read_options
    from ledger.errors import TabellionError
    from ledger.games import ruleset as find_ruleset
    from ledger.views import CheckView

    game, rules = find_ruleset(ruleset)
    options = read_options(game, rules, given)
    state = game.start(options) if position == "start" else game.place(options, position)
    refusal: TabellionError | None = None
    after, spelled = state, move
    if move is not None:
        try:
            action = game.read(state, "move", move)
            spelled, after = action.text, game.apply(state, action)
        except TabellionError as error:
            refusal = error
    outcome = game.outcome(after)
    listed = () if move is not None else tuple(action.text for action in game.legal(state))
    return (
        CheckView(
            ruleset=ruleset,
            position=game.position(state),
            move=spelled,
            legal=None if move is None else refusal is None,
            refusal=refusal.message if refusal else None,
            code=refusal.code if refusal else None,
            leads_to=game.position(after) if move is not None and refusal is None else None,
            turn=game.turn(after),
            outcome=outcome.reason if outcome else None,
            winner=outcome.winner if outcome else None,
            moves=listed,
        ),
        refusal,
    )


def _show_check(view: CheckView) -> None:
    from cli.output import aside, say

    if view.move is None:
        aside(f"{len(view.moves)} legal moves for {view.turn or 'nobody: the game is over'}")
        for move in view.moves:
            say(move)
        return
    say(f"{view.move} is legal.")
    say(f"leads to {view.leads_to}")
    if view.outcome:
        say(f"the game is over: {view.outcome}, {view.winner or 'a draw'}")
