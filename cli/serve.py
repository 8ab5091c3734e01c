"""The service for phones and for the hall: serve."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Optional

import typer

from cli.options import KeyOption, LedgerOption, PassphraseOption, example

if TYPE_CHECKING:
    from collections.abc import Iterator
    from socket import socket

    from ledger.errors import TabellionError
    from ledger.service import Signer
    from ledger.tablesfile import Server
    from ledger.web.app import House
    from ledger.web.clerk import Clerk

PORT: Final = 8765
LOOPBACK: Final = "127.0.0.1"
EVERYWHERE: Final = ("", "0.0.0.0", "::")  # noqa: S104  (what people type for it)


def register(app: typer.Typer) -> None:
    app.command("serve", epilog=example("tabellion serve --get /api/matches"))(serve)


def serve(
    host: Annotated[
        str,
        typer.Option("--host", metavar="NAME", help="Where to listen; 0.0.0.0 for every phone."),
    ] = LOOPBACK,
    port: Annotated[
        int,
        typer.Option("--port", min=0, max=65535, metavar="N", help="Its port; 0 takes a free one."),
    ] = PORT,
    name: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Option("--name", metavar="NAME", help="Another name or address of this machine."),
    ] = None,
    key: KeyOption = None,
    readonly: Annotated[
        bool, typer.Option("--readonly", help="Only show matches: take nothing in.")
    ] = False,
    get: Annotated[
        str, typer.Option("--get", metavar="PATH", help="Print the answer to one request, and end.")
    ] = "",
    tls_cert: Annotated[
        str, typer.Option("--tls-cert", metavar="FILE", help="A certificate of your own (PEM).")
    ] = "",
    tls_key: Annotated[
        str, typer.Option("--tls-key", metavar="FILE", help="Its private key (PEM).")
    ] = "",
    passphrase_file: PassphraseOption = None,
    ledger: LedgerOption = None,
) -> None:
    """Serve matches to phones and to the hall.

    Players sign on their phones, spectators watch. Nobody's key is kept here but the arbiter's,
    with --key: then the arbiter's page can sign. Off this machine it speaks https, because phones
    make keys on no other page. Ctrl-C stops it.
    """
    _check_extra()
    from secrets import token_bytes

    from cli.desk import clock, keyring, ledger_path, unlock
    from ledger.errors import Unreadable
    from ledger.web.app import House
    from ledger.web.arbiter import Arbiter
    from ledger.web.clerk import Clerk
    from ledger.web.logbook import LOG
    from ledger.web.login import Login

    if bool(tls_cert) != bool(tls_key):
        raise Unreadable("usage", "--tls-cert and --tls-key go together.")
    clerk = Clerk(ledger_path(ledger), clock, write=not (readonly or get))
    with ExitStack() as stack:
        clerk.open()
        stack.callback(clerk.close)
        if get:
            _answer(clerk, get)
            return
        listening = [stack.enter_context(each) for each in _places(host, port)]
        signer = _pen(unlock(key, passphrase_file)) if key and not readonly else None
        house = House(
            openers=_openers(signer),
            names=(*_names(host), *(name or ())),
            arbiter=Arbiter(signer, keyring().folder, LOG.note) if signer else None,
            login=Login(token_bytes, _say_link) if signer else None,
            write=not readonly,
        )
        _run(clerk, house, listening, _certificate(host, house.names, tls_cert, tls_key))


def _pen(signer: Signer) -> Signer:
    """The arbiter's key as the server signs with it: one in ssh-agent may have to be waited for."""
    from ledger.keys import SigningKey
    from ledger.web.logbook import LOG
    from ledger.web.pen import Pen

    return signer if isinstance(signer, SigningKey) else Pen(signer, LOG.note)


def _places(host: str, port: int) -> Iterator[socket]:
    """Where the server listens: at ``host``, and on loopback too, for the arbiter's page."""
    from ipaddress import ip_address

    from ledger.web.listening import listen

    there = listen(host or EVERYWHERE[1], port)
    yield there
    address, port = there.getsockname()[:2]
    if not (ip_address(address).is_loopback or ip_address(address).is_unspecified):
        yield listen(LOOPBACK, port)


def _here(listening: socket) -> str:
    """This machine as a link names it, by the number at which this server listens: what the name
    ``localhost`` leads to can be another program's, and the link has a secret in it."""
    from ipaddress import ip_address

    address = ip_address(listening.getsockname()[0])
    if address.is_unspecified:
        return "127.0.0.1" if address.version == 4 else "[::1]"
    return _in_url(str(address))


def _openers(signer: Signer | None) -> frozenset[str]:
    """Fingerprints of the keys that may open matches through this server: those that can sign on
    this machine, not those that somebody else has given a public line of."""
    from cli.desk import can_sign, keyring

    here = {entry.public for entry in keyring().list() if entry.public and can_sign(entry)}
    return frozenset(key.fingerprint for key in here | ({signer.public} if signer else set()))


def _check_extra() -> None:
    """Raises ``NotAllowed`` when what the service is made of is not installed."""
    from importlib.util import find_spec

    from ledger.errors import NotAllowed

    if any(find_spec(module) is None for module in ("starlette", "uvicorn")):
        raise NotAllowed(
            "extra-missing",
            "What the service is made of is not installed.",
            hint="pip install 'tabellion[web]'",
        )


def _answer(clerk: Clerk, path: str) -> None:
    """One request on standard output."""
    from time import monotonic

    from cli.output import as_bytes
    from ledger.web.app import House, build
    from ledger.web.once import get

    found = get(build(clerk, House(write=False, log=False), monotonic), path)
    as_bytes(found.body + (b"\n" if found.body[-1:] == b"}" else b""))
    if found.status >= 300:
        raise typer.Exit(3 if found.status == 404 else 2)


def _names(host: str) -> tuple[str, ...]:
    """What a server that listens there is called, the likeliest first."""
    from socket import gethostname

    from ledger.web.certificate import reachable

    if host not in EVERYWHERE:
        return (host,)
    here = gethostname()
    return (*reachable(), here, f"{here.partition('.')[0]}.local")


def _certificate(
    host: str, names: tuple[str, ...], tls_cert: str, tls_key: str
) -> tuple[Path, Path, str] | None:
    """The certificate, its key and its fingerprint; none on loopback, which needs none."""
    from cli.desk import clock, keyring
    from ledger.web import certificate
    from ledger.web.limits import is_here

    if tls_cert:
        path = Path(tls_cert)
        return path, Path(tls_key), certificate.fingerprint_of(path)
    if host == "localhost" or is_here(host):
        return None
    kept = certificate.kept(keyring().folder, names, clock)
    return kept.cert, kept.key, kept.fingerprint


def _run(
    clerk: Clerk, house: House, listening: list[socket], tls: tuple[Path, Path, str] | None
) -> None:
    """Serve until somebody stops it."""
    from os import getpid
    from time import monotonic

    from cli.output import aside
    from ledger import tables
    from ledger.tablesfile import Server
    from ledger.web.app import build
    from ledger.web.door import make_room
    from ledger.web.listening import server

    make_room(house.limits)
    running = server(build(clerk, house, monotonic), house.limits, *(tls or ())[:2])
    scheme, port = "https" if tls else "http", listening[0].getsockname()[1]
    address = f"{scheme}://{_in_url(house.names[0])}:{port}"
    keyid = house.arbiter.keyid if house.arbiter else None
    told = Server(getpid(), address, tls[2] if tls else None, keyid)
    noted = _told(tables.beside(clerk.path), told) if house.write else nullcontext()
    with noted, running.capture_signals():  # Ctrl-C stops it as soon as it says so
        _greet(house, address, f"{scheme}://{_here(listening[-1])}:{port}", tls[2] if tls else "")
        running.run(listening)
    aside("The server has stopped.")


@contextmanager
def _told(path: Path, server: Server) -> Iterator[None]:
    """Say in the file of tables that this server takes phones. A file that cannot be used keeps
    nobody from playing: it is left as it is, and what does not go then is said."""
    from ledger import tables
    from ledger.errors import TabellionError

    with ExitStack() as told:
        try:
            told.enter_context(tables.serving(path, server))
        except TabellionError as error:
            _say_no_joining(error, "Start the server again when that is mended.")
        yield
        try:
            told.close()
        except TabellionError as error:
            _say_no_joining(error, "Mend that before the server is started again.")


def _say_no_joining(error: TabellionError, then: str) -> None:
    from cli.output import aside, sentence

    aside(
        f"note: {sentence(error.message)} So no phone can join, and no table can be set out; "
        f"matches go on. {error.hint} {then}".replace("  ", " "),
        hang=2,
    )


def _greet(house: House, address: str, here: str, fingerprint: str) -> None:
    """Where everybody goes, and how it is stopped."""
    import sys

    from cli.output import say

    say(f"spectators   {address}/")
    say(f"players      {address}/play")
    if fingerprint:
        say(f"certificate  SHA-256 {fingerprint}")
    if house.login:
        house.login.offer(here)
    say("Ctrl-C stops it.")
    sys.stdout.flush()


def _say_link(link: str) -> None:
    """The way to the arbiter's desk: good once, so that a fresh one is said when it was used."""
    import sys

    from cli.output import say

    say(f"arbiter      {link}  (once, on this machine)")
    sys.stdout.flush()


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host
