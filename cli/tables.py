"""Tables that are set out for phones: who has come, and taking one away."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Optional

import typer

from cli.options import JsonOption, LedgerOption, example

if TYPE_CHECKING:
    from ledger.tables import Tables
    from ledger.views.joining import SeatOutView, SetOutView, TablesView


def register(app: typer.Typer) -> None:
    app.command("tables", epilog=example("tabellion tables"))(show_tables)


def show_tables(
    withdraw: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(
            "--withdraw",
            metavar="TABLE",
            help="Take this one away: t4, or the first digits of its id.",
        ),
    ] = None,
    ledger: LedgerOption = None,
    json: JsonOption = False,
) -> None:
    """List tables that wait for phones.

    Who has come, with which key, and until when the codes are good. A table that is taken away is
    not opened any more: its codes are good no longer, and phones that wait are told so.
    """
    from cli.desk import clock, ledger_path
    from cli.output import as_json
    from ledger.errors import NotFound
    from ledger.tables import Tables, beside
    from ledger.views.joining import TablesView

    try:
        tables = Tables.open(beside(ledger_path(ledger)))
    except NotFound:
        if withdraw is not None:
            raise
        told = TablesView(())
    else:
        with tables:
            if withdraw is not None:
                _take_away(tables, withdraw, json=json)
            told = TablesView(tuple(each.view() for each in tables.waiting(clock())))
    if json:
        as_json(told)
    elif withdraw is None:
        _tell(told)


def _take_away(tables: Tables, named: str, *, json: bool) -> None:
    """Raises ``Stale`` where all have come meanwhile and it is done."""
    from cli.desk import clock
    from cli.output import say
    from ledger.errors import Stale

    table = tables.named(named, clock())
    after = tables.withdraw(table.id)
    if after.match is not None:
        raise Stale(
            "table-open",
            "All have come meanwhile: it was not withdrawn.",
            hint=f"tabellion show {after.match[:8]}",
        )
    if not json:
        say("The table is withdrawn: its codes are good no longer, and nothing was signed.")


def _tell(told: TablesView) -> None:
    from cli.output import say

    if not told.tables:
        say("No table is set out: tabellion open --join SEAT")
    for table in told.tables:
        _say_table(table)


def _say_table(table: SetOutView) -> None:
    from cli.joining import in_groups
    from cli.output import say

    where = f"table {table.table}, " if table.table else ""
    what = "a new key in " if table.match else ""
    until = f"{table.expires_at[:16].replace('T', ' ')} UTC"
    say(f"{table.id[:8]}  {where}{what}{table.ruleset}, until {until}", hang=2)
    say(f"  arbiter: {table.arbiter}, {in_groups(table.keyid)}", hang=4)
    for seat in table.seats:
        say(f"  {_seated(seat)}", hang=4)


def _seated(seat: SeatOutView) -> str:
    from cli.joining import in_groups

    if seat.keyid:
        how = f"{'has come with ' if seat.joins else ''}{in_groups(seat.keyid)}"
    else:
        how = "awaited" if seat.joins else "no key: the arbiter writes"
    return f"{seat.seat}: {seat.name}, {how}"
