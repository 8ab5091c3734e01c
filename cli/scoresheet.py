"""The score sheet on paper: of a match, or an empty one. Nothing here writes into the ledger."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Optional

import typer

from cli import completing
from cli.options import JsonOption, LedgerOption, MatchArgument, MatchOption, example

if TYPE_CHECKING:
    from ledger.views.sheet import SheetView


def register(app: typer.Typer) -> None:
    app.command("scoresheet", epilog=example("tabellion scoresheet --html --output sheet.html"))(
        scoresheet
    )


def scoresheet(
    match: MatchArgument = None,
    named: MatchOption = None,
    blank: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(
            "--blank",
            metavar="RULESET",
            help="An empty sheet for a table without a device, to be typed in later.",
            autocompletion=completing.rulesets,
        ),
    ] = None,
    html: Annotated[
        bool, typer.Option("--html", help="A page for printing, or for a phone; else text.")
    ] = False,
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="Where to; - for a pipe.")
    ] = "-",
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
    ledger: LedgerOption = None,
    json: JsonOption = False,
) -> None:
    """Print the score sheet, for players to sign.

    Every throw and move, rulings, the result, and the head hash, also as a QR code; with lines to
    sign on. An empty sheet that is filled in by hand is typed in with: tabellion move -
    """
    from cli.desk import service
    from cli.finding import find_match
    from cli.output import as_json
    from ledger.errors import Unreadable
    from ledger.views.sheet import sheet

    if blank is not None:
        if match or named:
            raise Unreadable("usage", "An empty sheet is of no match: --blank RULESET alone.")
        view = _empty(blank)
    else:
        with service(ledger, write=False) as opened:
            view = sheet(find_match(opened, match or named))
    if json and output == "-":
        as_json(view)
    elif output == "-":
        _print(_made_visible(view), html)
    else:
        _write(view, Path(output), html, json, force)


def _empty(ruleset: str) -> SheetView:
    from ledger.games import ruleset as find_ruleset
    from ledger.views.emptysheet import empty

    return empty(*find_ruleset(ruleset))


def _made_visible(view: SheetView) -> SheetView:
    """The view with what strangers can write into it, but nobody sees, made visible."""
    import msgspec

    from cli.output import visible
    from ledger.views.sheet import SheetView

    def shown(value: Any) -> Any:
        match value:
            case str():
                return visible(value, lines=True)
            case dict():
                return {key: shown(inner) for key, inner in value.items()}
            case list() | tuple():
                return [shown(inner) for inner in value]
        return value

    return msgspec.convert(shown(msgspec.to_builtins(view)), SheetView)


def _print(view: SheetView, html: bool) -> None:
    """On standard output: as wide as the terminal, with the code where its signs can be shown."""
    import sys

    from cli.output import as_bytes, on_terminal, say, width
    from ledger.render.code import BLOCKS
    from ledger.render.page import page
    from ledger.render.paper import WIDEST, code, text

    if html:
        as_bytes(page(view).encode())
        return
    columns = min(width() or WIDEST, WIDEST)
    try:
        BLOCKS.encode(sys.stdout.encoding or "ascii")
        drawn = code(view, columns, lit=on_terminal())
    except UnicodeEncodeError:
        drawn = []
    for line in text(view, columns, drawn):
        say(line)


def _write(view: SheetView, path: Path, html: bool, json: bool, force: bool) -> None:
    import msgspec

    from cli.files import write_whole
    from cli.output import aside
    from ledger.render.page import page
    from ledger.render.paper import code, text

    shown = _made_visible(view)
    if json:
        data = msgspec.json.format(msgspec.json.encode(view), indent=2) + b"\n"
    elif html:
        data = page(shown).encode()
    else:
        data = ("\n".join(text(shown, code=code(shown))) + "\n").encode()
    write_whole(path, [data], force, usual="sheet.html" if html else "sheet.txt")
    if view.seq is None:
        aside(f"{path}: an empty sheet of {view.ruleset}")
    else:
        count = f"{view.seq + 1} event{'s' * (view.seq > 0)}"
        aside(f"{path}: {count}, head {view.head}", hang=2)
    aside("next: print it")
