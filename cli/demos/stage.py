"""The stage of a demo: a folder of its own, and our commands run as if they had been typed."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import typer


def step(text: str) -> None:
    from cli.output import Styled, say

    say()
    say(Styled(f"== {text}", "bold"), hang=3)


def run(*arguments: str, expect: int = 0) -> None:
    """Run a command of ours as if it had been typed. Raises ``Refused`` if it ends otherwise."""
    from cli.app import build
    from cli.boundary import READER_GONE, STOPPED
    from cli.output import Styled, say
    from ledger.errors import Refused

    say(Styled(f"$ tabellion {shlex.join(arguments)}", "dim"))
    status = build(list(arguments))(args=list(arguments), standalone_mode=False) or 0
    if status in (READER_GONE, STOPPED):
        raise typer.Exit(status)
    if status != expect:
        raise Refused("demo-failed", f"The command ended with {status} instead of {expect}.")


@contextmanager
def at(folder: Path, **environment: str) -> Iterator[None]:
    """Work in ``folder`` with these variables set, then as before."""
    before, home = dict(os.environ), Path.cwd()
    os.environ.update(environment)
    for name in ("TABELLION_KEY", "TABELLION_MATCH", "SSH_AUTH_SOCK"):
        os.environ.pop(name, None)
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(home)
        os.environ.clear()
        os.environ.update(before)
