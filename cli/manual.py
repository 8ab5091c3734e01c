"""The manual: ``help`` lists its pages, prints one, or gives the help of a command.

A page is a text in ``cli/pages``; its first line says what it is about. Lines that begin with a
space are a table or a command, the others flow to the width of a terminal. What only the program
knows, the notation of its games and where files lie here, is filled in. Nothing is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.resources import files
from textwrap import wrap
from typing import Annotated, Final, Optional

import typer

from cli.options import example

PAGES: Final = (
    "table",
    "keys",
    "dice",
    "notation",
    "officials",
    "record",
    "two-devices",
    "server",
    "exit-codes",
    "environment",
)
"""In the order in which they are needed."""
_WIDEST: Final = 80
"""Columns of text that people like to read."""
_MARGIN: Final = 4


def register(app: typer.Typer) -> None:
    app.command("help", epilog=example("tabellion help table"))(help_)


def _topics(incomplete: str) -> list[tuple[str, str]]:
    from cli.app import names

    return [(name, "") for name in (*PAGES, *names()) if name.startswith(incomplete)]


def help_(
    page: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Argument(
            metavar="[PAGE]",
            help="A page, or a command; the list of pages when left out.",
            autocompletion=_topics,
        ),
    ] = None,
) -> None:
    """Read about keys, notation, records, devices.

    Each page has examples to copy. With a command: the same as its --help.
    """
    from cli.app import build, names

    if not page:
        _list()
    elif page[0] in PAGES and len(page) == 1:
        _print(page[0])
    elif page[0] in names():
        raise typer.Exit(build(page)(args=[*page, "--help"], standalone_mode=False) or 0)
    else:
        _not_here(" ".join(page))


def text(name: str) -> str:
    """A page, with what only the program knows filled in."""
    found = files("cli").joinpath("pages", f"{name}.txt").read_text("utf-8")
    for word, filled in _FILLED.items():
        if word in found:
            found = found.replace(word, filled())
    return found


def flowed(lines: Iterator[str], columns: int) -> Iterator[str]:
    """``lines`` for a terminal: paragraphs broken anew, a table's lines each by itself, commands
    and what they print never."""
    paragraph: list[str] = []
    for line in lines:
        if line and not line.startswith(" "):
            paragraph.append(line)
            continue
        yield from _broken(" ".join(paragraph), columns, 0)
        paragraph = []
        yield from _row(line, columns) if _is_row(line) else [line]
    yield from _broken(" ".join(paragraph), columns, 0)


def _is_row(line: str) -> bool:
    return bool(line) and not line.lstrip().startswith(("$ ", "--", "error["))


def _row(line: str, columns: int) -> list[str]:
    """A row of a table. What goes on below goes on in its last column, or a little in where the
    terminal leaves no room for columns."""
    indent = len(line) - len(line.lstrip())
    _, gap, last = line.rpartition("  ")
    start = len(line) - len(last) if gap else indent
    if start * 2 < columns:
        return _broken(line, columns, start)
    return _broken(line if indent < _MARGIN else " " * _MARGIN + line.lstrip(), columns, _MARGIN)


def _broken(line: str, columns: int, hang: int) -> list[str]:
    return wrap(
        line,
        max(columns, hang + 10),
        subsequent_indent=" " * hang,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _print(name: str) -> None:
    from cli.output import Styled, say, width

    title, *lines = text(name).splitlines()
    columns = width()
    shown = lines if columns is None else flowed(iter(lines), min(columns, _WIDEST))
    say(Styled(title, "bold"), hang=0)
    for line in shown:
        say(line)


def _list() -> None:
    from cli.output import aside, say

    for name in PAGES:
        say(f"{name:<12}  {text(name).partition(chr(10))[0]}", hang=14)
    aside("next: tabellion help PAGE, or tabellion help COMMAND; all commands: tabellion --help")


def _not_here(typed: str) -> None:
    from ledger.errors import NotFound

    raise NotFound(
        "unknown-page",
        f"There is no page and no command {typed[:40]!a}. The pages: {', '.join(PAGES)}.",
        hint="tabellion help",
    )


# -- what only the program knows -----------------------------------------------------------


def _notation() -> str:
    from ledger.games import every_game

    return "\n\n".join(f"{game.name}:\n\n{game.notation.strip()}" for game in every_game())


def _ledger() -> str:
    import os

    from cli.desk import ledger_path

    return str(ledger_path(os.environ.get("TABELLION_LEDGER")))


def _keys() -> str:
    from cli.desk import keyring

    return str(keyring().folder)


def _typed() -> str:
    from cli.desk import data_folder

    return str(data_folder() / "typed")


_FILLED: Final[dict[str, Callable[[], str]]] = {
    "{notation}": _notation,
    "{ledger}": _ledger,
    "{keys}": _keys,
    "{typed}": _typed,
}
