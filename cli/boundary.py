"""The one boundary between the program and its user: errors become messages and exit statuses.

Nobody sees a traceback, unless TABELLION_DEBUG asks for it. What Typer refuses is said in our
voice too; nothing is imported from Click, which Typer carries inside.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final

import typer
from typer.core import TyperGroup

from ledger.errors import NotAllowed, TabellionError, Unreadable

BUG: Final = 70
STOPPED: Final = 130
"""Ctrl-C, as shells count it."""
READER_GONE: Final = 141
"""The reader of our output went away, as shells count it."""


_TOO_MUCH: Final = re.compile(r"Got unexpected extra arguments?(?:\(s\))? \((.*)\)\.?", re.DOTALL)
"""How Typer says it."""


class Group(TyperGroup):
    """Commands under one name. Without any it prints its help, and that is a usage error."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if not args and not ctx.resilient_parsing:
            print(ctx.get_help(), file=sys.stderr)
            raise typer.Exit(2)
        return super().parse_args(ctx, args)


class Boundary(Group):
    """The root of the command tree. ``main`` returns or exits with our status, never raises."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """The list of commands, divided as an evening goes, in columns of one width."""
        from cli.app import SECTIONS

        longest = max(map(len, self.list_commands(ctx)))
        for heading, names in SECTIONS.items():
            found = [(name, command) for name in names if (command := self.commands.get(name))]
            if found:
                with formatter.section(heading):
                    formatter.write_dl(
                        [(f"{name:<{longest}}", _first_sentence(each)) for name, each in found]
                    )

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,  # noqa: ARG002  (Typer's signature)
        standalone_mode: bool = True,
        windows_expand_args: bool = True,  # noqa: ARG002
        **extra: Any,
    ) -> Any:
        given = list(sys.argv[1:] if args is None else args)

        def act() -> None:
            with self.make_context(prog_name or self.name, given, **extra) as ctx:
                self.invoke(ctx)

        status = guarded(act)
        if standalone_mode:
            sys.exit(status)
        return status


def _first_sentence(command: Any) -> str:
    first: str = command.get_short_help_str(1000)
    return first


def guarded(act: Callable[[], None]) -> int:
    """Do ``act``; whatever goes wrong is said on standard error. Returns the exit status."""
    try:
        status = _ended(act)
        sys.stdout.flush()
    except TabellionError as error:
        return complain(error)
    except typer.TyperException as error:
        return complain(_usage(error))
    except BrokenPipeError:
        return READER_GONE
    except OSError as error:
        return complain(_of_the_system(error))
    except RecursionError:
        return complain(Unreadable("too-deep", "The input is nested too deeply."))
    except (KeyboardInterrupt, typer.Abort):
        return _stopped()
    except Exception as error:  # noqa: BLE001  (the outermost boundary)
        return _bug(error)
    return status


def complain(error: TabellionError) -> int:
    """Print an error: what, why, and the next command to try. Returns its exit status."""
    from cli.output import aside, sentence, visible

    with suppress(OSError):
        sys.stdout.flush()
    with suppress(OSError):
        aside(f"error[{error.code}]: {sentence(visible(error.message, lines=True))}", hang=2)
        if error.hint:
            aside("")
            aside(f"hint: {error.hint}", hang=2)
    return error.exit_status


def _ended(act: Callable[[], None]) -> int:
    try:
        act()
    except typer.Exit as done:
        return done.exit_code
    return 0


def _usage(error: typer.TyperException) -> TabellionError:
    """What Typer says of options and arguments. ``ctx`` names the command, where there is one."""
    context = getattr(error, "ctx", None)
    hint = f"{context.command_path} --help" if context else "tabellion --help"
    message = error.format_message()
    if more := _TOO_MUCH.fullmatch(message):
        message = f"Too much was typed: {more[1]}. Words that belong together stand in quotes."
    return Unreadable("usage", message, hint=hint)


def _of_the_system(error: OSError) -> TabellionError:
    where = f" {error.filename}" if error.filename else ""
    return NotAllowed("os-error", f"The system refuses{where}: {error.strerror or error}.")


def _stopped() -> int:
    with suppress(OSError):
        if sys.stderr.isatty():
            print(file=sys.stderr)  # the prompt stays on its own line
    return STOPPED


def _bug(error: Exception) -> int:
    from traceback import print_exception

    if os.environ.get("TABELLION_DEBUG"):
        print_exception(error)
    complain(
        TabellionError(
            "bug",
            f"Tabellion met something that it does not expect ({type(error).__name__}: {error}). "
            "This is a bug: report it with the command that you typed.",
            hint="TABELLION_DEBUG=1 before the command shows where it happened",
        )
    )
    return BUG
