"""The session for the table: ``play``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Optional

import typer

from cli.options import LedgerOption, MatchArgument, MatchOption, PassphraseOption, example

if TYPE_CHECKING:
    from cli.folder import SharedFolder
    from cli.session import Reader, Session


def register(app: typer.Typer) -> None:
    app.command("play", epilog=example("tabellion play"))(play)


def play(
    match: MatchArgument = None,
    named: MatchOption = None,
    new: Annotated[bool, typer.Option("--new", help="Open a new match: you are asked.")] = False,
    share: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(
            "--share",
            metavar="FOLDER",
            help="Play with another device through a folder that both see.",
        ),
    ] = None,
    flip: Annotated[
        bool, typer.Option("--flip", help="See the board from the other side.")
    ] = False,
    passphrase_file: PassphraseOption = None,
    ledger: LedgerOption = None,
) -> None:
    """Play a match at the table: board, moves, questions.

    The board is shown after every event, the prompt says whose turn it is, Tab completes. A move
    is typed as it is; every other command works too, without the word tabellion. Keys are
    unlocked once. Without a match you are asked what a new one needs. Lines from a pipe work as
    well: the first mistake ends them.
    """
    from shlex import quote

    from cli.desk import environment, keep_keys, shown
    from cli.folder import SharedFolder
    from cli.output import say, tell_next
    from cli.session import Session

    folder = SharedFolder(Path(share)) if share else None
    keep_keys(True)
    tell_next(False)
    try:
        with environment(TABELLION_LEDGER=ledger):
            found = _match(match or named, new, folder, ledger)
            session = Session(found, ledger, folder, flip=flip)
            if passphrase_file:
                _unlock(session, passphrase_file)
            with environment(TABELLION_MATCH=found):
                status = session.run(_reader())
        if _is_terminal() and session.unfinished:
            again = f" --share {quote(share)}" if share else ""
            say(f"To go on another time: tabellion play {found[:8]}{again}")
    finally:
        keep_keys(False)
        shown(None)
        tell_next(True)
    raise typer.Exit(status)


def _is_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def _reader() -> Reader:
    from cli.prompting import Pipe, Terminal

    if _is_terminal():
        from cli.desk import data_folder

        return Terminal(data_folder() / "typed")
    return Pipe()


def _match(name: str | None, new: bool, folder: SharedFolder | None, ledger: str | None) -> str:
    """The match to be played: the one that is meant, one from the folder, or a new one."""
    from cli.asking import arrived, begin, choose
    from cli.desk import service
    from cli.finding import find_match
    from ledger import readmodels
    from ledger.errors import NotFound

    if folder is not None:
        arrived(folder, ledger, ask=_is_terminal())
    try:
        with service(ledger, write=False) as opened:
            lines = readmodels.matches(opened.store).matches
            unfinished = [line for line in lines if line.phase != "closed"]
            if not name and not new and len(unfinished) > 1 and _is_terminal():
                return choose(unfinished)
            if name or (not new and unfinished):
                return find_match(opened, name).match
    except NotFound as error:
        if name or error.code != "no-ledger":
            raise
    if not _is_terminal():
        raise NotFound(
            "no-match", "No match is open, and nobody is here to be asked.", hint="tabellion open"
        )
    return begin(folder, ledger)


def _unlock(session: Session, passphrase_file: str) -> None:
    """Unlock the keys of this device that have a role in the match."""
    from cli.desk import service, signers
    from ledger.errors import Unreadable

    if passphrase_file == "-":  # noqa: S105
        raise Unreadable("usage", "The pipe brings the lines here, not the passphrase.")
    with service(session.ledger, write=False) as opened:
        state = opened.state(session.match)
    signers(state, session.here(state), passphrase_file)
