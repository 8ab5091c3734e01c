"""The command tree: which module holds which command. Errors end in ``cli.boundary``."""

from __future__ import annotations

from importlib import import_module
from typing import Annotated, Final

import typer

from cli import remote
from cli.boundary import Boundary

MODULES: Final = {
    "cli.demo": ("demo",),
    "cli.play": ("play",),
    "cli.referee": ("check", "rules"),
    "cli.keys": ("key",),
    "cli.opening": ("init", "open"),
    "cli.join": ("join",),
    "cli.tables": ("tables",),
    "cli.match": ("accept", "close", "countersign"),
    "cli.look": ("list", "show", "log", "moves"),
    "cli.table": ("move", "resign", "note"),
    "cli.acts": ("pull", "wager", "pass", "run", "stop", "diablo", "done", "call"),
    "cli.rolling": ("roll", "confirm", "void"),
    "cli.stats": ("stats",),
    "cli.offers": ("offer", "agree", "decline", "claim"),
    "cli.officials": ("correct",),
    "cli.disputes": ("dispute", "statement", "settle", "appeal"),
    "cli.rulings": ("ruling",),
    "cli.adjourning": ("adjourn", "resume"),
    "cli.people": ("replace-key", "replace-arbiter"),
    "cli.shells": ("completion",),
    "cli.care": ("backup", "doctor"),
    "cli.exporting": ("export",),
    "cli.records": ("audit",),
    "cli.copies": ("import",),
    "cli.diff": ("diff",),
    "cli.explain": ("explain",),
    "cli.scoresheet": ("scoresheet",),
    "cli.pending": ("pending",),
    "cli.serve": ("serve",),
    "cli.manual": ("help",),
}
"""Which module holds which commands."""

SECTIONS: Final = {
    "Start": ("demo", "play", "check", "rules", "init", "doctor", "backup"),
    "Keys": ("key",),
    "Match": (
        *("open", "join", "tables", "accept", "list", "show", "log", "moves"),
        *("close", "countersign"),
    ),
    "Dice": ("roll", "confirm", "void"),
    "Table": (
        *("move", "pull", "wager", "pass", "run", "stop", "diablo", "done", "call"),
        *("offer", "agree", "decline", "claim", "resign", "note"),
    ),
    "Officials": (
        *("correct", "dispute", "statement", "settle", "ruling"),
        *("adjourn", "resume", "appeal", "replace-key", "replace-arbiter"),
    ),
    "Records": (
        *("audit", "diff", "explain", "scoresheet", "stats", "export", "import", "pending"),
    ),
    "Service": ("serve",),
    "Help": ("help", "completion"),
}
"""How the list of commands is divided, for people."""


def names() -> list[str]:
    """Every command and group, in the order of the tree."""
    return [name for commands in MODULES.values() for name in commands]


def build(arguments: list[str]) -> typer.Typer:
    """The program, with the commands of the module that ``arguments`` ask for; with all of them
    when they ask for none. Loading all would cost every command a part of its start-up."""
    app = typer.Typer(
        name="tabellion",
        cls=Boundary,
        help="A notary for tabletop matches: every act signed, every result provable.",
        epilog="Start here: tabellion demo",
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
    remote.offer(app)
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
