"""What goes out: export."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli import completing
from cli.options import LedgerOption, MatchArgument, MatchOption, example

if TYPE_CHECKING:
    from ledger.fold import MatchState

_USUAL = {
    "record": "match.json",
    "html": "match.html",
    "bundle": "match.zip",
    "page": "verify.html",
}


def register(app: typer.Typer) -> None:
    app.command("export", epilog=example("tabellion export --output match.json"))(export)


def _names() -> completing.Proposals:
    """What matches are written as."""
    from ledger.exporting import names

    return [(name, "") for name in names()]


def export(
    match: MatchArgument = None,
    named: MatchOption = None,
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="Where to; - for a pipe.")
    ] = "-",
    format_: Annotated[
        str,
        typer.Option(
            "--format",
            metavar="NAME",
            help="record, html, bundle, rows for a spreadsheet (moves.csv …), or the text format "
            "of the match's game; a wrong name lists them. See tabellion help record.",
            autocompletion=_names,
        ),
    ] = "record",
    all_: Annotated[
        bool, typer.Option("--all", help="Every match of the ledger, as an archive or as rows.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
    ledger: LedgerOption = None,
) -> None:
    """Write the record of a match to a file.

    Every signed event, for anybody to verify: --format html puts it into a page that checks it in
    a browser, --format bundle into a zip file with keys and instructions, --format page writes
    that page alone. Other formats have only what stands, throws, moves and result: import reads
    texts again, but they prove nothing.
    """
    from cli.desk import service
    from cli.files import write_whole
    from cli.finding import find_match
    from ledger import exporting

    exporting.check_name(format_)
    if all_:
        _export_all(match or named, format_, output, force, ledger)
        return
    if format_ == exporting.PAGE:
        _export_page(match or named, output, force)
        return
    with service(ledger, write=False) as opened:
        state = find_match(opened, match or named)
        data = exporting.write(state, opened.envelopes(state.match), format_)
    if output == "-":
        _print(data, format_)
        return
    write_whole(Path(output), [data], force, usual=_USUAL.get(format_, f"match.{format_}"))
    _tell(state, format_, output)


def _print(data: bytes, format_: str) -> None:
    """On standard output; what nobody can read there only into a pipe."""
    from cli.output import on_terminal, printed
    from ledger import exporting
    from ledger.errors import Unreadable

    if on_terminal() and format_ in (exporting.HTML, exporting.BUNDLE, exporting.PAGE):
        what = f"{format_} is for a file, not for a terminal."
        raise Unreadable("no-text", what, hint=f"--output {_USUAL[format_]}")
    printed(data)


def _tell(state: MatchState, format_: str, output: str) -> None:
    """What was written, and what it is for."""
    from shlex import quote

    from cli.output import aside
    from ledger import exporting
    from ledger.fold import Phase

    if format_ not in exporting.CARRYING:
        aside(f"{output}: what stands of the match; it proves nothing", hang=2)
        return
    count = len(state.entries)
    aside(f"{output}: {count} event{'s' * (count > 1)}, head {state.head}", hang=2)
    if format_ == exporting.HTML:
        aside(
            "next: open it in a browser. Who does not trust you drops it on a page of their own: "
            "tabellion export --format page",
            hang=2,
        )
    elif format_ == exporting.BUNDLE:
        aside("next: send it; VERIFY.md in it says how it is checked without Tabellion", hang=2)
    elif state.phase is Phase.CLOSED and not state.unsigned:
        aside(f"next: note the head on the sheet; anybody can run: tabellion audit {quote(output)}")
    else:
        aside(f"next, on another device: tabellion import {quote(output)}")


def _export_page(match: str | None, output: str, force: bool) -> None:
    from cli.files import write_whole
    from cli.output import aside
    from ledger import exporting, page
    from ledger.errors import Unreadable

    if match:
        raise Unreadable("usage", "The page is of no match: leave it out.", hint="--format html")
    if output == "-":
        _print(page.page(), exporting.PAGE)
        return
    write_whole(Path(output), [page.page()], force, usual=_USUAL[exporting.PAGE])
    aside(f"{output}: SHA-256 {page.digest()}", hang=2)
    aside("next: open it in a browser and drop a record on it", hang=2)


def _export_all(
    match: str | None, format_: str, output: str, force: bool, ledger: str | None
) -> None:
    from cli.archives import write_all, write_rows
    from cli.desk import service
    from ledger import exporting
    from ledger.errors import Unreadable

    if match:
        raise Unreadable("usage", "--all is every match: name none.")
    if not exporting.is_for_many(format_):
        many = [name for name in exporting.names() if exporting.is_for_many(name)]
        raise Unreadable("usage", f"--all writes {', '.join(many)}, not {format_}.")
    with service(ledger, write=False) as opened:
        if format_ == exporting.RECORD:
            write_all(opened, output, force)
        else:
            write_rows(opened, format_, output, force)
