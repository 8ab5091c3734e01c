"""Options and arguments that many commands share."""

from __future__ import annotations

from typing import Annotated, Optional

import typer


def example(*lines: str) -> str:
    """The end of a command's help: a line that can be copied, never broken to fit a terminal."""
    return "\b\nExample: " + "\n".join(lines)


_MATCH = "The match: t4 for the one at table 4, or the first letters of its id."

LedgerOption = Annotated[
    Optional[str],  # noqa: UP045 (typer reads this form on every Python)
    typer.Option("--ledger", envvar="TABELLION_LEDGER", metavar="FILE", help="The ledger file."),
]
KeyOption = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option("--key", "-k", envvar="TABELLION_KEY", metavar="NAME", help="The key that signs."),
]
PassphraseOption = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option(
        "--passphrase-file", metavar="FILE", help="Read the passphrase from a file (- for a pipe)."
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
MatchArgument = Annotated[
    Optional[str],  # noqa: UP045
    typer.Argument(metavar="[MATCH]", help=f"{_MATCH} One that is open alone needs no name."),
]
MatchOption = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option(
        "--match",
        "-m",
        envvar="TABELLION_MATCH",
        metavar="MATCH",
        help=_MATCH,
    ),
]
"""Also beside ``MatchArgument``: nobody has to know which command takes the match how."""
