"""What is checked: audit."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Optional

import typer

from cli import completing
from cli.options import (
    JsonOption,
    LedgerOption,
    example,
)


def register(app: typer.Typer) -> None:
    app.command(
        "audit",
        epilog=example("tabellion audit match.json --head 3f9ac20b5d4e7f618c2be94d07a1563e"),
    )(audit)


def audit(
    what: Annotated[
        Optional[str],  # noqa: UP045
        typer.Argument(
            metavar="[WHAT]",
            help="A record, an archive, a ledger file, a match, or - for a pipe; your ledger if "
            "left out.",
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
    """Audit a record, an archive, a match or a ledger.

    Every signature, every rule, and what that proves. An archive (export --all) has one record a
    line: its matches are audited on all cores, and those with faults are told.
    Exit code 0: sound. 1: faults. 2: something could not be checked.
    """
    from cli.auditing import audit_archive, tell
    from cli.boundary import STOPPED
    from cli.desk import ledger_path, service
    from cli.finding import find_match, names_a_table
    from cli.output import as_json
    from ledger.inspection import Archive, inspect_file, inspect_match, is_file, opened, trust

    given = trust(signers, head)
    if what and names_a_table(what) and not Path(what).exists():
        with service(ledger, write=False) as desk:
            what = find_match(desk, what).match
    if what is None or not is_file(what):
        view = inspect_match(what, ledger_path(ledger), given)
    else:
        with opened(what) as found:
            if isinstance(found, Archive):
                view = audit_archive(found, given, json=json)
            else:
                view = inspect_file(what, found, given)
    if view.archive is not None:
        if not view.archive.finished:
            raise typer.Exit(STOPPED)
    elif json:
        as_json(view)
    else:
        tell(view)
    raise typer.Exit({"sound": 0, "faults": 1, "could-not-check": 2}[view.verdict])
