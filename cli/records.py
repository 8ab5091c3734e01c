"""Records: export, audit."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Optional

import typer

from cli import completing
from cli.options import (
    JsonOption,
    LedgerOption,
    MatchArgument,
    MatchOption,
    example,
)


def register(app: typer.Typer) -> None:
    app.command("export", epilog=example("tabellion export --output match.json"))(export)
    app.command(
        "audit",
        epilog=example("tabellion audit match.json --head 3f9ac20b5d4e7f618c2be94d07a1563e"),
    )(audit)


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
            help="record, or the text format of the match's game; a wrong name lists them.",
            autocompletion=_names,
        ),
    ] = "record",
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
    ledger: LedgerOption = None,
) -> None:
    """Write the record of a match to a file.

    Every signed event, for anybody to verify. The other formats have only what stands, throws,
    moves and result: import reads it again, but it proves nothing.
    """
    from shlex import quote

    from cli.desk import service
    from cli.files import write_whole
    from cli.finding import find_match
    from cli.output import as_bytes, aside
    from ledger import record
    from ledger.fold import Phase

    if format_ != "record":
        from ledger.exporting import check_name

        check_name(format_)
    with service(ledger, write=False) as opened:
        state = find_match(opened, match or named)
        if format_ == "record":
            data = record.write(opened.envelopes(state.match))
        else:
            from ledger.exporting import notation

            data = notation(state, format_).encode()
    if output == "-":
        as_bytes(data)
        return
    write_whole(Path(output), data, force, usual="match.json")
    count = len(state.entries)
    aside(f"{output}: {count} event{'s' * (count > 1)}, head {state.head}", hang=2)
    if format_ != "record":
        return
    if state.phase is Phase.CLOSED and not state.unsigned:
        aside(f"next: note the head on the sheet; anybody can run: tabellion audit {quote(output)}")
    else:
        aside(f"next, on another device: tabellion import {quote(output)}")


def audit(
    what: Annotated[
        Optional[str],  # noqa: UP045
        typer.Argument(
            metavar="[WHAT]",
            help="A record file, a ledger file, a match, or - for a pipe; your ledger if left out.",
            autocompletion=completing.matches,
        ),
    ] = None,
    signers: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option("--signers", metavar="FILE", help="Keys you trust (OpenSSH allowed_signers)."),
    ] = None,
    head: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(
            "--head", metavar="HASH", help="The hash on the score sheet, or its first half."
        ),
    ] = None,
    ledger: LedgerOption = None,
    json: JsonOption = False,
) -> None:
    """Audit a record, a match or a ledger.

    Every signature, every rule, and what that proves.
    Exit code 0: sound. 1: faults. 2: something could not be checked.
    """
    from cli.auditing import tell
    from cli.desk import ledger_path, service
    from cli.finding import find_match, names_a_table
    from cli.output import as_json
    from ledger.inspection import inspect, trust

    if what and names_a_table(what) and not Path(what).exists():
        with service(ledger, write=False) as opened:
            what = find_match(opened, what).match
    view = inspect(what, ledger_path(ledger), trust(signers, head))
    if json:
        as_json(view)
    else:
        tell(view)
    raise typer.Exit({"sound": 0, "faults": 1, "could-not-check": 2}[view.verdict])
