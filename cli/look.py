"""Looking: show, log, list, moves. Nothing here writes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Optional

import typer

from cli.options import JsonOption, LedgerOption, MatchArgument, example
from cli.typed import event_number

if TYPE_CHECKING:
    from ledger.views import LogLine, ShowView


def register(app: typer.Typer) -> None:
    app.command("show", epilog=example("tabellion show --flip"))(show)
    app.command("log", epilog=example("tabellion log"))(log)
    app.command("list", epilog=example("tabellion list"))(list_matches)
    app.command("moves", epilog=example("tabellion moves"))(moves)


def show(
    match: MatchArgument = None,
    flip: Annotated[
        bool, typer.Option("--flip", help="See the board from the other side.")
    ] = False,
    at: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option(
            "--at", metavar="N", parser=event_number, help="As the game stood after event N."
        ),
    ] = None,
    ledger: LedgerOption = None,
    json: JsonOption = False,
) -> None:
    """Show the board and whose turn it is.

    Also the last move, what is left on the board, and what the match waits for.
    """
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
    from cli.output import Styled, option_value, say, short

    say(f"match {short(view.match)}  event {view.seq}  {short(view.head)}")
    changed = ", ".join(
        f"{name}={option_value(value)}" for name, value in view.changed_options.items()
    )
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
    say(Styled(view.next, "bold"))


def log(match: MatchArgument = None, ledger: LedgerOption = None, json: JsonOption = False) -> None:
    """List every event; what was taken back is struck.

    Number, hash, time, who signed, what was done.
    """
    from cli.desk import find_match, service
    from cli.output import as_json
    from ledger import views

    with service(ledger, write=False) as opened:
        view = views.log(find_match(opened, match))
    if json:
        as_json(view)
        return
    width = max(len(_signed(line)) for line in view.events)
    for line in view.events:
        _log_line(line, width)


def _signed(line: LogLine) -> str:
    return f"{line.by} for {line.for_}" if line.for_ else line.by


def _log_line(line: LogLine, width: int) -> None:
    from cli.output import Styled, say, short

    start = f"{line.seq:>3}  {short(line.hash)}  {line.at}  {_signed(line):<{width}}  "
    if line.superseded:
        say(start, Styled(line.text, "strike"), " (taken back)")
    else:
        say(start, line.text)


def list_matches(
    ledger: LedgerOption = None,
    unfinished: Annotated[
        bool, typer.Option("--open", help="Only matches that are not closed.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """List the matches and what each waits for.

    The one that was opened last comes first.
    """
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
    """List every legal move of the side to move."""
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
