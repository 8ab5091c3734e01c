"""Phones that come to a table: codes told, the join sheet, waiting until all are there."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Final, NamedTuple, NoReturn, Optional

import typer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from ledger.service import Signer
    from ledger.tables import Place, Plan, SetOut, Tables
    from ledger.tablesfile import Server

NoWaitOption = Annotated[
    bool,
    typer.Option(
        "--no-wait",
        help="Do not wait for the phones: a running serve --key signs when they are there.",
    ),
]
UrlOption = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option(
        "--url", metavar="URL", help="Where phones reach the server, if it does not know itself."
    ),
]
SheetOption = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option("--sheet", metavar="FILE", help="Write a join sheet to print (HTML)."),
]
_LOOK: Final = 0.2
"""Seconds between two looks at who has come."""
_HERE: Final = ("localhost", "127.0.0.1", "[::1]")


class Invitation(NamedTuple):
    """How phones are asked to a table."""

    url: str | None = None
    sheet: str | None = None
    wait: bool = True
    json: bool = False

    def check(self, joining: bool) -> None:
        """Raises ``Unreadable`` for what does not go together."""
        from urllib.parse import urlsplit

        from ledger.errors import Unreadable

        if not joining:
            if self.url is not None or self.sheet is not None or not self.wait:
                raise Unreadable("usage", "--no-wait, --url and --sheet go with --join.")
            return
        if self.json and not self.wait:
            raise Unreadable(
                "usage", "--json tells what was signed; with --no-wait nothing is yet."
            )
        if self.url is None:
            return
        try:
            parts = urlsplit(self.url)
            plain = parts.scheme in ("http", "https") and parts.hostname and not parts.fragment
        except ValueError:
            plain = False
        if not plain or not self.url.isprintable() or len(self.url) > 200:
            raise Unreadable("bad-option", "--url is like https://192.168.1.5:8765.")


class Seating(NamedTuple):
    """Who signs once all have come: the arbiter's key, and a key that is replaced and consents.
    Without the arbiter's key here the server has it."""

    arbiter: Signer | None
    old: Signer | None = None


@contextmanager
def at_the_server() -> Iterator[None]:
    """What comes next is said as it is where a server keeps the match: phones are told by it, and
    nothing is carried from device to device."""
    from cli.commands import at_server

    with at_server(""):
        yield


def no_server() -> NoReturn:
    from ledger.errors import NotAllowed

    raise NotAllowed(
        "no-server",
        "Phones need a server, and none is running for this ledger.",
        hint="in another terminal: tabellion serve --host 0.0.0.0 --key NAME",
    )


def find_server(tables: Tables, keyid: str, *, signs: bool) -> Server:
    """The server that phones can reach; one that holds this arbiter's key where it ``signs``.

    Raises ``NotAllowed`` (``no-server``, ``server-without-key``).
    """
    from ledger.errors import NotAllowed

    found = tables.servers(_alive)
    if not found:
        no_server()
    holding = [each for each in found if each.arbiter == keyid]
    if signs and not holding:
        raise NotAllowed(
            "server-without-key",
            f"With --no-wait the server signs, and none holds the arbiter's key {keyid}.",
            hint="tabellion serve --key NAME, or without --no-wait",
        )
    usable = holding if signs else found
    return next((each for each in usable if not _is_here(each.url)), usable[0])


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except PermissionError:
        return True
    except (ProcessLookupError, OverflowError):
        return False
    return True


def _is_here(url: str) -> bool:
    from urllib.parse import urlsplit

    return f"//{urlsplit(url).netloc}".rpartition(":")[0].removeprefix("//") in _HERE


def seat_phones(
    plan: Plan,
    places: Mapping[str, str],
    titles: Mapping[str, str],
    keyid: str,
    invitation: Invitation,
    seating: Callable[[], Seating],
    ledger: str | None,
) -> str | None:
    """Set a table out for the roles of ``places``, tell their codes, and wait until their phones
    have come and the arbiter has signed: the match. ``None`` where nobody waits.

    ``seating`` unlocks keys, and is asked before any code is made.
    """
    import secrets

    from cli.desk import clock, ledger_path
    from ledger.errors import NotFound
    from ledger.tables import Tables, beside

    try:
        tables = Tables.open(beside(ledger_path(ledger)))
    except NotFound:
        no_server()
    with tables:
        server = find_server(tables, keyid, signs=not invitation.wait)
        signing = seating() if invitation.wait else Seating(None)
        table, codes = tables.set_out(plan, keyid, places, clock(), secrets.token_bytes)
        try:
            _invite(table, titles, codes, server, invitation)
            if not invitation.wait:
                return None
            return _wait(tables, table, signing, ledger)
        except KeyboardInterrupt:
            return _stopped(tables, table, signing, ledger)
        except BaseException:
            tables.withdraw(table.id)
            raise


def _stopped(tables: Tables, table: SetOut, signing: Seating, ledger: str | None) -> str:
    """Ctrl-C: the table is withdrawn. Only where it came while the arbiter's key was signing, that
    is brought to its end: nobody is told that nothing was signed when something was."""
    from cli.output import aside

    if tables.table(table.id).complete and signing.arbiter is not None:
        _sign(tables, table, signing, ledger)
    after = tables.withdraw(table.id)
    if after.match is not None:
        return after.match
    aside("The table is withdrawn: its codes are good no longer, and nothing was signed.")
    if after.waiting_for:
        missing = " and ".join(place.name for place in after.waiting_for)
        aside(f"Not joined yet: {missing}.", hang=2)
    aside(
        "The same command sets it out anew, with new codes for all; with --no-wait a server that "
        "holds your key goes on alone.",
        hang=2,
    )
    raise KeyboardInterrupt


def _sign(tables: Tables, table: SetOut, signing: Seating, ledger: str | None) -> None:
    from cli.desk import keyring, service
    from ledger.seating import settle

    if signing.arbiter is not None:
        with service(ledger, create=True) as opened:
            settle(opened, tables, table.id, signing.arbiter, keyring().folder, signing.old)


def _wait(tables: Tables, table: SetOut, signing: Seating, ledger: str | None) -> str:
    """Until all have come and what they came for is signed, here or by the server."""
    import time

    from cli.desk import clock
    from cli.output import aside
    from ledger.errors import NotAllowed
    from ledger.tables import State

    told: set[str] = set()
    served = True
    while True:
        now = tables.table(table.id)
        for place in now.places:
            if place.key and place.role not in told:
                told.add(place.role)
                _came(place)
        if now.match is not None:
            return now.match
        if now.state is State.WITHDRAWN:
            raise NotAllowed("table-withdrawn", "The table was withdrawn; nothing was signed.")
        if now.expired(clock()):
            raise NotAllowed("table-expired", "The codes are good no longer; nothing was signed.")
        if now.complete:
            _sign(tables, table, signing, ledger)
            continue
        if served and not tables.servers(_alive):
            aside("note: the server has stopped; phones cannot join before it runs again.", hang=2)
            served = False
        time.sleep(_LOOK)


def _came(place: Place) -> None:
    from cli.output import aside
    from ledger.publickey import PublicKey

    aside(f"{place.name} joined with {PublicKey.parse(place.key or '').fingerprint}", hang=2)


def _invite(
    table: SetOut,
    titles: Mapping[str, str],
    codes: Mapping[str, str],
    server: Server,
    invitation: Invitation,
) -> None:
    """Tell the codes: to people, and where JSON is wanted on standard error."""
    from cli.output import Styled, aside, say
    from ledger.joincodes import grouped
    from ledger.render.joinsheet import WARNING

    tell = aside if invitation.json else say
    address = f"{(invitation.url or server.url).rstrip('/')}/play"
    if invitation.sheet is not None:
        _write_sheet(table, titles, codes, address, server, invitation.sheet)
    for place in table.places:
        letters = grouped(codes[place.role])
        tell(f"{place.role}: {place.name} joins with a phone", hang=2)
        if invitation.json:
            aside(f"  code {letters}")
        else:
            say("  code ", Styled(letters, "bold"))
        tell(f"  {address}#{letters}")
        for line in _drawn(f"{address}#{letters}", sys.stderr if invitation.json else sys.stdout):
            tell(line)
    if server.fingerprint:
        tell(WARNING, hang=2)
        tell(f"  {server.fingerprint}")
    if invitation.url is None and _is_here(server.url):
        aside("note: the server listens to this machine alone; phones need serve --host.", hang=2)
    if invitation.wait:
        names = " and ".join(place.name for place in table.places)
        aside(f"Waiting for {names}. Ctrl-C withdraws the table.", hang=2)
    else:
        aside(
            "The server signs when they have come; tabellion tables shows who has. The codes are "
            f"good until {_end(table)}, and only at this address.",
            hang=2,
        )
    sys.stdout.flush()


def _drawn(link: str, stream: object) -> list[str]:
    """The link as a QR code, where its signs can be shown and it fits."""
    from cli.output import on_terminal, width
    from ledger.render.code import BLOCKS, blocks

    try:
        BLOCKS.encode(getattr(stream, "encoding", None) or "ascii")
    except UnicodeEncodeError:
        return []
    lines = blocks(link, lit=on_terminal())
    room = width()
    return lines if room is None or len(lines[0]) <= room else []


def _write_sheet(
    table: SetOut,
    titles: Mapping[str, str],
    codes: Mapping[str, str],
    address: str,
    server: Server,
    file: str,
) -> None:
    """The join sheet, its owner's alone: the codes on it are secret."""
    from pathlib import Path

    from cli.output import aside, visible
    from ledger.errors import NotAllowed
    from ledger.joincodes import grouped
    from ledger.keys import write_new
    from ledger.render.joinsheet import Invited, page

    invited = [
        Invited(
            title=titles[place.role],
            name=visible(place.name, lines=True),
            letters=grouped(codes[place.role]),
            address=address,
            link=f"{address}#{grouped(codes[place.role])}",
        )
        for place in table.places
    ]
    heading, about = _about(table)
    text = page(visible(heading, lines=True), about, invited, server.fingerprint or "")
    path: Path = Path(file)
    try:
        write_new(path, text.encode(), 0o600, [])
    except FileExistsError:
        raise NotAllowed("file-exists", f"{path} is there already.") from None
    except OSError as error:
        raise NotAllowed("cannot-write", f"{path} was not written: {error.strerror}.") from None
    aside(f"{path}: the join sheet; print it, and then delete it")


def _end(table: SetOut) -> str:
    """When the codes end, to the minute."""
    return f"{table.expires_at[:16].replace('T', ' ')} UTC"


def in_groups(keyid: str) -> str:
    """A fingerprint in groups of four, as phones show it."""
    kind, _, letters = keyid.partition(":")
    return f"{kind}:{' '.join(letters[at : at + 4] for at in range(0, len(letters), 4))}"


def _about(table: SetOut) -> tuple[str, list[str]]:
    """The heading of a join sheet, and what else is said of its match."""
    from cli.output import visible
    from ledger.tables import Replacing

    plan = table.plan
    if isinstance(plan, Replacing):
        named, ruleset, arbiter = plan.table, plan.ruleset, plan.arbiter
        more: list[str | None] = ["A new phone for a match that is open."]
    else:
        named, ruleset, arbiter = plan.table, plan.ruleset.name, plan.arbiter.name
        more = [plan.event, f"round {plan.round}" if plan.round else None, plan.place, plan.date]
    heading = f"Table {named}" if named else " – ".join(place.name for place in table.places)
    about = [
        f"rules: {ruleset}",
        *filter(None, more),
        f"arbiter: {arbiter}, with the key {in_groups(table.arbiter)}",
        f"This code is good until {_end(table)}.",
    ]
    return heading, [visible(line, lines=True) for line in about]
