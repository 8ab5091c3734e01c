"""The demos: whole matches in a temporary folder, which is gone afterwards."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer

from cli import completing
from cli.options import example


def register(app: typer.Typer) -> None:
    app.command("demo", epilog=example("tabellion demo"))(demo)


def demo(
    name: Annotated[
        str,
        typer.Argument(
            metavar="[tablut|tabula|zeno]",
            help="Which: Tablut, a Tabula match with its dice, or a throw of 1 500 years ago.",
            autocompletion=completing.demos,
        ),
    ] = "tablut",
    keep: Annotated[bool, typer.Option("--keep", help="Leave the folder for a look.")] = False,
) -> None:
    """See a whole match, from keys to a forgery.

    Keys and signatures are real, and gone afterwards. The keys of tabula are always the same, so
    its dice are too. Nothing of yours is touched.
    """
    import shutil
    import tempfile

    from cli.demos import DEMOS
    from cli.output import say
    from ledger.errors import NotFound

    if name not in DEMOS:
        raise NotFound("no-demo", f"There is no demo {name[:40]!a}. Known: {', '.join(DEMOS)}.")
    folder = Path(tempfile.mkdtemp(prefix="tabellion-demo-"))
    try:
        import_module(f"cli.demos.{name}").play(folder)
    finally:
        if not keep:
            shutil.rmtree(folder, ignore_errors=True)
    say()
    say(f"The folder is {folder}." if keep else "That was all. The folder is gone again.")
