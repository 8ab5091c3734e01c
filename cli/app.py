"""The command tree, and the one boundary where errors become messages and exit codes."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Annotated, Any, Final

import typer
from typer.core import TyperGroup

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


MODULES: Final = {
    "cli.demo": ("demo",),
    "cli.referee": ("check", "rules"),
    "cli.keys": ("key",),
    "cli.match": ("init", "open", "accept", "close", "countersign"),
    "cli.look": ("list", "show", "log", "moves"),
    "cli.table": ("move", "resign", "note"),
    "cli.officials": ("correct",),
    "cli.records": ("export", "audit", "import"),
}
"""Which module holds which commands, in the order of the help."""


def build(arguments: list[str]) -> typer.Typer:
    """The program, with the commands of the module that ``arguments`` ask for; with all of them
    when they ask for none. Loading all would cost every command a part of its start-up."""
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
    app.callback()(root)
    asked = arguments[0] if arguments else None
    wanted = [module for module, commands in MODULES.items() if asked in commands]
    for module in wanted or MODULES:
        import_module(module).register(app)
    return app


def _version(wanted: bool) -> None:
    if wanted:
        from ledger import __version__

        print(f"tabellion {__version__}")
        raise typer.Exit


def root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say the version.")
    ] = False,
) -> None:
    """A notary for tabletop matches: every act signed, every result provable."""
