"""Options and arguments that many commands share."""

from __future__ import annotations

from typing import Annotated, Optional

import typer

from cli import completing


def example(*lines: str) -> str:
    """The end of a command's help: a line that can be copied, never broken to fit a terminal."""
    return "\b\nExample: " + "\n".join(lines)


_MATCH = "The match: t4 for the one at table 4, or the first letters of its id."

LedgerOption = Annotated[
    Optional[str],  # noqa: UP045 (typer reads this form on every Python)
    typer.Option("--ledger", envvar="TABELLION_LEDGER", metavar="FILE", help="The ledger file."),
]
ServerOption = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option(
        "--server",
        envvar="TABELLION_SERVER",
        metavar="URL",
        help="The server that keeps the match: tabellion help server.",
    ),
]
KeyOption = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option(
        "--key",
        "-k",
        envvar="TABELLION_KEY",
        metavar="NAME",
        help="The key that signs.",
        autocompletion=completing.keys,
    ),
]
KeyArgument = Annotated[
    str,
    typer.Argument(
        metavar="NAME", help="The key's name on this device.", autocompletion=completing.keys
    ),
]
"""A key that is there already."""
PassphraseOption = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option(
        "--passphrase-file", metavar="FILE", help="Read the passphrase from a file (- for a pipe)."
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
MatchArgument = Annotated[
    Optional[str],  # noqa: UP045
    typer.Argument(
        metavar="[MATCH]",
        help=f"{_MATCH} The only open one needs no name.",
        autocompletion=completing.matches,
    ),
]
MatchOption = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option(
        "--match",
        "-m",
        envvar="TABELLION_MATCH",
        metavar="MATCH",
        help=_MATCH,
        autocompletion=completing.matches,
    ),
]
"""Also beside ``MatchArgument``: nobody has to know which command takes the match how."""
