"""Looking: show, log, list, moves. Nothing here writes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Optional

import typer

from cli import completing
from cli.options import JsonOption, LedgerOption, MatchArgument, MatchOption, example
from cli.typed import event_number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.fold import MatchState
    from ledger.service import Service
    from ledger.views import (
        ListView,
        LogLine,
        MatchLine,
        ShowView,
        SignedResultView,
        StatementView,
    )


def register(app: typer.Typer) -> None:
    app.command("show", epilog=example("tabellion show --flip"))(show)
    app.command("log", epilog=example("tabellion log"))(log)
    app.command("list", epilog=example("tabellion list"))(list_matches)
    app.command("moves", epilog=example("tabellion moves"))(moves)


def show(
    match: MatchArgument = None,
    named: MatchOption = None,
    flip: Annotated[
        bool, typer.Option("--flip", help="See the board from the other side.")
    ] = False,
    at: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option(
            "--at",
            metavar="N",
            parser=event_number,
            help="As the game stood after event N.",
            autocompletion=completing.events,
        ),
    ] = None,
    watch: Annotated[
        bool, typer.Option("--watch", help="Draw it anew with every event, until it is closed.")
    ] = False,
    ledger: LedgerOption = None,
    json: JsonOption = False,
) -> None:
    """Show the board and whose turn it is.

    Also the last move, what is left on the board, and what the match waits for. With --watch it
    stays on the terminal and follows the match; in a pipe every event that comes is a line.
    """
    from cli import watching
    from cli.commands import typeable
    from cli.desk import service
    from cli.finding import find_match
    from cli.output import as_json, aside, say_next, whose_turn
    from ledger import views
    from ledger.errors import NotFound, Unreadable

    if watch:
        if at is not None:
            raise Unreadable("usage", "--watch follows what comes, --at looks back: give one.")
        watching.watch(ledger, match or named, flip=flip, json=json)
        return
    with service(ledger, write=False) as opened:
        state = find_match(opened, match or named)
        waiting = _waiting(opened, state.match)
    if at is not None and at > state.seq:
        raise NotFound("no-event", f"The match has no event {at}; its last is {state.seq}.")
    view = views.show(state, at)
    if json:
        as_json(view)
    else:
        show_match(state, view, flip, whose_turn(state, view.next, match or named))
        if waiting:
            aside(typeable(f"note: {waiting}: tabellion pending"), hang=2)
        if at is None:
            say_next(_next(state, match or named))


def _next(state: MatchState, match: str | None) -> str:
    """The next command; where dice wait for another device, or a server keeps the match, the way
    to who can give it."""
    from cli.commands import kept_by_server
    from cli.output import next_command, next_here
    from ledger.fold.due import Step, due

    elsewhere = kept_by_server() or due(state).step in (Step.COMMIT, Step.OPEN)
    return next_here(state, match) if elsewhere else next_command(state, match)


def _waiting(opened: Service, match: str) -> str:
    """What waits for its owner since copies of the match parted, "" for nothing."""
    if not opened.store.aside(match):
        return ""
    from cli.pending import lines_pending

    lines = lines_pending(opened, match)
    if not lines:
        return ""
    were = "events were" if len(lines) > 1 else "event was"
    anew = all(line.refusal is None for line in lines)
    return f"{len(lines)} {were} set aside{', and can be signed anew' if anew else ''}"


def show_match(state: MatchState, view: ShowView, flip: bool, turn: str) -> None:
    from cli.output import Styled, capitalised, option_value, say, sentence, short

    say(f"match {short(view.match)}  event {view.seq}  {short(view.head)}", hang=2)
    changed = ", ".join(
        f"{name}={option_value(value)}" for name, value in view.changed_options.items()
    )
    turns = f"{view.turn_cap} turn{'s' * (view.turn_cap != 1)}"
    cap = f", over after {turns}" if view.turn_cap else ""
    say(f"rules {view.ruleset}{f' with {changed}' if changed else ''}{cap}")
    if view.about:
        say(", ".join(f"{name} {text}" for name, text in view.about.items()), hang=2)
    for seat in view.seats:
        how = f"signs with {seat.keyid}" if seat.keyid else "the arbiter writes"
        say(f"{seat.seat}: {seat.name}, {how}", hang=2)
    say(f"arbiter: {view.arbiter}")
    if view.rolling is not None:
        say(f"dice: {view.rolling.words}", hang=2)
    say()
    from cli.board import show_board

    show_board(view.board, dice=view.dice, flip=flip)
    if view.last_action:
        say(f"last move: {view.last_action}")
    if view.news:
        say(capitalised(sentence(view.news)), hang=2)
    for breach in view.breaches:
        say(f"event {breach.seq}: {breach.text}", hang=2)
    _show_officials(state, view)
    for remark in view.remarks:
        say(remark, hang=2)
    say(Styled(turn, "bold"), hang=2)


def _show_officials(state: MatchState, view: ShowView) -> None:
    """What officials have to decide, or have decided."""
    from cli.output import say

    for each in view.penalties:
        again = f" (number {each.count})" if each.count > 1 else ""
        again = again if each.withdrawn is None else f", withdrawn by event {each.withdrawn}"
        say(f"event {each.seq}: {each.text} for {each.name}{again}", hang=2)
    said: list[tuple[int, str]] = []
    if view.dispute:
        name = state.holder(view.dispute.by, view.dispute.seq).name
        text = f"{name} disputes event {view.dispute.event}: {view.dispute.text}"
        said.append((view.dispute.seq, text))
        said += [(each.seq, _stated(state, each)) for each in view.dispute.statements]
    for appeal in view.appeals:
        name = state.holder(appeal.seat, appeal.seq).name
        said.append((appeal.seq, f"{name} appeals against event {appeal.against}: {appeal.text}"))
        said += [(each.seq, _stated(state, each)) for each in appeal.statements]
    for seq, text in said:
        say(f"event {seq}: {text}", hang=2)
    for sheet in view.results:
        lapsed = sheet is not view.results[-1]
        if lapsed or len(view.results) > 1 or sheet.for_absent or sheet.refused:
            say(f"event {sheet.seq}: {_signatures(state, sheet, lapsed=lapsed)}", hang=2)


def _stated(state: MatchState, said: StatementView) -> str:
    return f"{state.holder(said.seat, said.seq).name} states: {said.text}"


def _signatures(state: MatchState, sheet: SignedResultView, *, lapsed: bool) -> str:
    """Who signed a result, who signed instead of whom, who would not, and whether it stands."""
    from ledger.events import Countersigned
    from ledger.fold import describe

    signed = []
    for event in (entry.event for entry in state.entries):
        if not isinstance(event, Countersigned) or event.by not in sheet.signed:
            continue
        if event.data.result_event == state.entries[sheet.seq].hash:
            absent = event.data.absent
            instead = f" instead of {state.holder(absent, event.seq).name}" if absent else ""
            signed.append(f"{state.holder(event.by, event.seq).name}{instead}")
    told = [f"{describe(sheet.result)}, signed by {' and '.join(signed) or 'nobody'}"]
    for seat, seq in sheet.refused.items():
        told.append(f"{state.holder(seat, seq).name} does not sign (event {seq})")
    return "; ".join([*told, *(["it does not stand any more"] if lapsed else [])])


def log(
    match: MatchArgument = None,
    named: MatchOption = None,
    ledger: LedgerOption = None,
    json: JsonOption = False,
) -> None:
    """List every event; what was taken back is struck.

    Number, hash, time, who signed, what was done.
    """
    from cli.desk import service
    from cli.finding import find_match
    from cli.output import as_json
    from ledger import views

    with service(ledger, write=False) as opened:
        view = views.log(find_match(opened, match or named))
    if json:
        as_json(view)
        return
    log_lines(view.events)


def log_lines(events: Sequence[LogLine], after: int = -1) -> None:
    """The events after number ``after``, a line each, in the columns of all of them."""
    from cli.output import Styled, on_terminal, say

    longest, day = max(len(_signed(line)) for line in events), ""
    for line in events[after + 1 :]:
        if on_terminal() and line.at[:10] != day:
            day = line.at[:10]
            say(Styled(f"     {day}, times in UTC", "dim"))
        _log_line(line, longest)


def _signed(line: LogLine) -> str:
    return f"{line.by} for {line.for_}" if line.for_ else line.by


def _log_line(line: LogLine, longest: int) -> None:
    from cli.output import Styled, on_terminal, say, short, width

    at = line.at[11:19] if on_terminal() else line.at
    start = f"{line.seq:>3}  {short(line.hash)}  {at}  {_signed(line):<{longest}}  "
    hang = len(start) if len(start) * 2 < (width() or 0) else 5
    if line.superseded or line.void:
        why = " (void)" if line.void else " (taken back)"
        say(start, Styled(line.text, "strike"), why, hang=hang)
    else:
        said = "".join(f" ({text})" for text in line.breaches)
        say(start, line.text, Styled(said, "bold"), hang=hang)


def list_matches(
    ledger: LedgerOption = None,
    unfinished: Annotated[
        bool, typer.Option("--open", help="Only matches that are not closed.")
    ] = False,
    disputed: Annotated[
        bool, typer.Option("--disputed", help="Only matches that are disputed.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """List the matches and what each waits for.

    The one that was opened last comes first.
    """
    from cli.desk import service
    from ledger import readmodels

    with service(ledger, write=False) as opened:
        view = readmodels.matches(opened.store)
    tell_list(view, unfinished=unfinished, disputed=disputed, json=json)


def tell_list(view: ListView, *, unfinished: bool, disputed: bool, json: bool) -> None:
    """The matches that were asked for, a line each."""
    from cli.output import as_json, aside, on_terminal, say
    from ledger.views import ListView

    if unfinished:
        view = ListView(tuple(line for line in view.matches if line.phase != "closed"))
    if disputed:
        view = ListView(tuple(line for line in view.matches if line.phase == "disputed"))
    if json:
        as_json(view)
        return
    if not view.matches and disputed:
        aside("No match is disputed.")
    elif not view.matches:
        aside("There is no match. Open one: tabellion open --help")
    if on_terminal():
        _in_columns(view)
        return
    for line in view.matches:
        say("  ".join(filter(None, (*_cells(line), line.next))))


def _cells(line: MatchLine) -> tuple[str, ...]:
    from cli.output import short

    table = f"table {line.about['table']}" if "table" in line.about else ""
    return short(line.match), table, line.ruleset, " – ".join(line.seats.values())


def _in_columns(view: ListView) -> None:
    """The list with its columns aligned; what each match waits for goes below its line where the
    terminal is too narrow."""
    from cli.output import cells, padded, say, width

    rows = [_cells(line) for line in view.matches]
    widths = [max(map(cells, column)) for column in zip(*rows, strict=True)]
    indent = widths[0] + 2 if widths else 0
    starts = [
        "  ".join(padded(cell, size) for cell, size in zip(row, widths, strict=True) if size)
        for row in rows
    ]
    room = width()
    below = room is not None and any(
        cells(start) + 2 + cells(line.next) > room
        for start, line in zip(starts, view.matches, strict=True)
    )
    for start, line in zip(starts, view.matches, strict=True):
        if below:
            say(start.rstrip(), hang=indent)
            say(" " * indent + line.next, hang=indent)
        else:
            say(f"{start}  {line.next}")


def moves(
    match: MatchArgument = None,
    named: MatchOption = None,
    ledger: LedgerOption = None,
    json: JsonOption = False,
) -> None:
    """List every legal move of the side to move."""
    from cli.board import show_choices
    from cli.desk import service
    from cli.finding import find_match
    from cli.output import as_json, aside
    from ledger import views
    from ledger.games.protocol import Action

    with service(ledger, write=False) as opened:
        state = find_match(opened, match or named)
    view = views.moves(state)
    if json:
        as_json(view)
        return
    aside(views.next_step(state), hang=2)
    legal = [Action(each.kind, each.text).typed for each in view.moves]
    show_choices(legal, views.choices(state))
    if legal and view.throw:
        aside(view.throw)
