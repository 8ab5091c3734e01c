"""The demos: whole matches in a temporary folder, which is gone afterwards."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Annotated, Optional

import typer

from cli import completing
from cli.options import example


def register(app: typer.Typer) -> None:
    app.command("demo", epilog=example("tabellion demo"))(demo)


def demo(
    name: Annotated[
        Optional[str],  # noqa: UP045
        typer.Argument(
            metavar="[NAME]",
            help="Which demo; the first if none is named. A wrong name is answered with all.",
            autocompletion=completing.demos,
        ),
    ] = None,
    keep: Annotated[bool, typer.Option("--keep", help="Leave the folder for a look.")] = False,
) -> None:
    """See a whole match, from keys to a forgery.

    Keys and signatures are real, and gone afterwards. Where players make dice, their keys are
    always the same, so the dice are too. Nothing of yours is touched.
    """
    import shutil
    import tempfile

    from cli.demos import DEMOS
    from cli.output import say
    from ledger.errors import NotFound

    first, *_ = DEMOS
    if name is not None and name not in DEMOS:
        raise NotFound("no-demo", f"There is no demo {name[:40]!a}. Known: {', '.join(DEMOS)}.")
    folder = Path(tempfile.mkdtemp(prefix="tabellion-demo-"))
    try:
        import_module(f"cli.demos.{name or first}").play(folder)
    finally:
        if not keep:
            shutil.rmtree(folder, ignore_errors=True)
    say()
    say(f"The folder is {folder}." if keep else "That was all. The folder is gone again.")
