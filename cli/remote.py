"""Commands against a server: ``--server``, given in one place to all commands that take it.

What the server has comes in first, what was signed goes out last (``cli.live``). In between a
command works on the ledger here, exactly as without a server.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Any

import typer

from cli.commands import ACTING, READING, at_server
from cli.options import ServerOption

if TYPE_CHECKING:
    from cli.live import Live

_live: Live | None = None


def current() -> Live | None:
    """The server that the command of the moment plays against."""
    return _live


def offer(app: typer.Typer) -> None:
    """Give ``--server`` to the commands of ``app`` that take it."""
    for command in app.registered_commands:
        if command.name in (*READING, *ACTING) and command.callback is not None:
            command.callback = _over(command.name, command.callback)
    for group in app.registered_groups:
        if group.name in ACTING and group.typer_instance is not None:
            for command in group.typer_instance.registered_commands:
                if command.callback is not None:
                    command.callback = _over(str(command.name), command.callback)


def _over(name: str, command: Callable[..., Any]) -> Callable[..., Any]:
    """``command`` with one option more."""

    @wraps(command)
    def run(**given: Any) -> None:
        server = given.pop("server", None)
        if not server:
            with at_server(_option(""), kept=False):
                command(**given)
        elif name == "list":
            with at_server(_option(server)):
                _list(server, given, command)
        else:
            _play(server, name, given, command)

    plain = signature(command, eval_str=True)
    option = Parameter("server", Parameter.KEYWORD_ONLY, default=None, annotation=ServerOption)
    known = [each.replace(kind=Parameter.KEYWORD_ONLY) for each in plain.parameters.values()]
    run.__signature__ = plain.replace(parameters=[*known, option])  # type: ignore[attr-defined]
    return run


def _play(server: str, name: str, given: dict[str, Any], command: Callable[..., Any]) -> None:
    from cli.desk import afterwards
    from cli.stopping import told_when_stopped
    from cli.waiting import courier

    reading = name in READING and not given.get("sign")
    with against(server, given.get("ledger")) as live, told_when_stopped(live):
        meant = live.begin(given.get("match") or given.get("named"), name, reading=reading)
        if meant is not None:
            given["match" if "match" in given else "named"] = meant
        if given.get("watch"):
            with courier(live):
                command(**given)
            return
        with afterwards(live.send):
            command(**given)
        live.end()


def _option(server: str) -> str:
    """How commands name this server ("": none at all), where no variable does."""
    from shlex import quote

    by_variable = os.environ.get("TABELLION_SERVER", "") == server
    return "" if by_variable else f"--server {quote(server)}"


@contextmanager
def against(server: str, ledger: str | None) -> Iterator[Live]:
    """Meanwhile, matches of ``ledger`` are kept by this server."""
    global _live

    from cli.live import Live
    from ledger.remote.address import Address
    from ledger.remote.server import Server

    with at_server(_option(server)):
        _live = Live(Server(Address.parse(server)), ledger)
        try:
            yield _live
        finally:
            _live = None


def _list(server: str, given: Mapping[str, Any], command: Callable[..., Any]) -> None:
    """The matches as the server tells of them; where it cannot be reached, those that are here."""
    from cli.look import tell_list
    from cli.output import aside
    from ledger.remote.address import Address
    from ledger.remote.line import Unreachable
    from ledger.remote.server import Server

    try:
        view = Server(Address.parse(server)).matches()
    except Unreachable as error:
        aside(f"note: not live. {error.message} These are the matches here.", hang=2)
        command(**given)
        return
    tell_list(view, unfinished=given["unfinished"], disputed=given["disputed"], json=given["json"])
    if not given["json"]:
        aside("note: the server says so; what show shows of a match is verified.", hang=2)
