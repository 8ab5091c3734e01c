"""The demo: a whole match in a temporary folder, by the same commands that anybody types."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Final

import typer

from cli.options import example

MOVES: Final = (
    ("e3-f3", "e2-h2"),
    ("e4-e2", "h2-h3"),
    ("e5-e3", "raichi", "h3-h4"),
    ("e3-a3", "raichi", "h4-g4"),
)
LAST_MOVE: Final = "a3-a1"
MISTYPED: Final = str(3 + sum(map(len, MOVES)))
"""Number of the event after the opening, two acceptances and these moves."""


def register(app: typer.Typer) -> None:
    app.command("demo", epilog=example("tabellion demo"))(demo)


def demo(
    keep: Annotated[bool, typer.Option("--keep", help="Leave the folder for a look.")] = False,
) -> None:
    """See a whole match, from keys to a forgery."""
    import tempfile

    from cli.output import say

    folder = Path(tempfile.mkdtemp(prefix="tabellion-demo-"))
    table, elsewhere = folder / "table", folder / "elsewhere"
    table.mkdir()
    elsewhere.mkdir()
    try:
        with _at(table, TABELLION_LEDGER=str(table / "ledger.db"), TABELLION_KEYS=str(table)):
            _keys()
            _game()
            _step("The record: everything that was signed, in one file.")
            _run("export", "--output", "match.json")
        shutil.copy(table / "match.json", elsewhere)
        nothing = str(elsewhere / "no-ledger.db")
        with _at(elsewhere, TABELLION_LEDGER=nothing, TABELLION_KEYS=str(elsewhere)):
            _audit(elsewhere / "match.json")
    finally:
        if not keep:
            shutil.rmtree(folder, ignore_errors=True)
    say()
    say(f"The folder is {folder}." if keep else "That was all. The folder is gone again.")


def _keys() -> None:
    _step("Keys. Real ones have a passphrase; three people share this laptop.")
    for name in ("arbiter", "alba", "bruno"):
        _run("key", "new", name, "--no-passphrase")


def _game() -> None:
    _step("The arbiter opens the match; both players accept it.")
    _run(
        *("open", "tablut", "--key", "arbiter", "--arbiter", "Zoë"),
        *("--seat", "swedes=Alba", "--seat-key", "swedes=alba"),
        *("--seat", "muscovites=Bruno", "--seat-key", "muscovites=bruno"),
        *("--event", "Demo", "--table", "1"),
    )
    _run("accept")
    _step("They play. Each move is signed by the key of its player.")
    _run("move", *MOVES[0])
    _step("A move against the rules is refused, with the reason.")
    _run("move", "e4-e6", expect=1)
    for moves in MOVES[1:]:
        _run("move", *moves)
    _step("A slip of the finger. The arbiter takes it back; the log keeps it.")
    _run("move", "a3-a2")
    _run("correct", MISTYPED, "--key", "arbiter", "--reason", "mistyped: a3-a1 was played")
    _run("move", LAST_MOVE)
    _run("show")
    _step("The arbiter closes the match; the players countersign the result.")
    _run("close")
    _run("countersign")


def _audit(record: Path) -> None:
    _step("Somebody else, in another folder, without ledger and keys, audits the record.")
    _run("audit", record.name)
    _step("Now one byte of the record is changed.")
    data = bytearray(record.read_bytes())
    place = len(data) * 2 // 3
    data[place] ^= 1
    record.write_bytes(bytes(data))
    _run("audit", record.name, expect=1)


def _step(text: str) -> None:
    from cli.output import Styled, say

    say()
    say(Styled(f"== {text}", "bold"))


def _run(*arguments: str, expect: int = 0) -> None:
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
def _at(folder: Path, **environment: str) -> Iterator[None]:
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
