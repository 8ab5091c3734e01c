"""The command tree, and the one boundary where errors become messages and exit codes."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from cli import demo, keys, look, match, officials, records, table
from ledger.errors import TabellionError


class Boundary(TyperGroup):
    """Turns our errors into ``error[code]`` on standard error. Nobody sees a traceback."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except TabellionError as error:
            complain(error)
            raise typer.Exit(error.exit_status) from None
        except OSError as error:
            if isinstance(error, BrokenPipeError):
                raise
            where = f" {error.filename}" if error.filename else ""
            complain(TabellionError("os-error", f"{error.strerror or error}:{where}"))
            raise typer.Exit(4) from None
        except RecursionError:
            complain(TabellionError("too-deep", "The input is nested too deeply."))
            raise typer.Exit(2) from None


def complain(error: TabellionError) -> None:
    """Print an error: what, why, and the next command to try."""
    from cli.output import visible

    sys.stdout.flush()
    print(f"error[{error.code}]: {visible(error.message)}", file=sys.stderr)
    if error.hint:
        print(f"\nhint: {visible(error.hint)}", file=sys.stderr)


app = typer.Typer(
    name="tabellion",
    cls=Boundary,
    help="A notary for tabletop matches: every act signed, every result provable.",
    epilog="Start here: tabellion demo",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


def _version(wanted: bool) -> None:
    if wanted:
        from ledger import __version__

        print(f"tabellion {__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say the version.")
    ] = False,
) -> None:
    """A notary for tabletop matches: every act signed, every result provable."""


demo.register(app)
look.register_rules(app)
keys.register(app)
match.register(app)
look.register(app)
table.register(app)
officials.register(app)
records.register(app)
