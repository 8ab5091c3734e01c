"""Taking a seat from a laptop with the one-time code of a join sheet: join."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cli.options import (
    JsonOption,
    KeyOption,
    LedgerOption,
    PassphraseOption,
    ServerOption,
    example,
)

if TYPE_CHECKING:
    from cli.live import Live
    from ledger.fold import MatchState
    from ledger.service import Signer
    from ledger.views.joining import JoinView

AGAIN: Final = 2.0
"""Seconds between two questions whether the match is opened."""
_LONGEST_CODE: Final = 64


def register(app: typer.Typer) -> None:
    app.command(
        "join",
        epilog=example("tabellion join ABCD-EFGH-JK --server http://127.0.0.1:8765 --key alba"),
    )(join)


def join(
    code: Annotated[
        str,
        typer.Argument(
            metavar="CODE", help="The code of your seat on the join sheet; - reads it from a pipe."
        ),
    ],
    server: ServerOption = None,
    wait: Annotated[
        bool,
        typer.Option("--wait/--no-wait", help="Stay until the others have joined too."),
    ] = True,
    key: KeyOption = None,
    passphrase_file: PassphraseOption = None,
    ledger: LedgerOption = None,
    json: JsonOption = False,
) -> None:
    """Take your seat at a server with your own key.

    The code is good once, for one key; the same key may come again, to ask whether the match is
    opened. Then the match is fetched and verified: read what was opened, and accept it.
    """
    from cli.desk import one_key, unlock
    from cli.remote import against
    from ledger.errors import Unreadable

    if not server:
        raise Unreadable(
            "usage", "Say which server: its address stands on the join sheet.", hint="--server URL"
        )
    typed = _piped() if code == "-" else code
    with against(server, ledger) as live:
        name = one_key(key, "play")
        signer = unlock(name, passphrase_file)
        try:
            joined = _taken(live, typed, signer, wait=wait)
        except KeyboardInterrupt:
            _say_stopped(code, name)
            raise
        state = _brought(live, joined, signer) if joined.match else None
        _tell(joined, state, json)


def _piped() -> str:
    from cli.desk import read_input

    return read_input("-", _LONGEST_CODE).decode("ascii", "replace").strip()


def _taken(live: Live, code: str, signer: Signer, *, wait: bool) -> JoinView:
    """The seat, once its match is opened; without ``wait`` as it is now.

    Raises ``Refused`` when the server tells another story than at first.
    """
    from cli.output import aside
    from ledger.errors import Refused
    from ledger.remote.line import Unreachable

    joined = live.server.join(code, signer)
    aside(
        f"You take the seat {joined.seat} ({joined.ruleset}) as {joined.name}. The arbiter is "
        f"{joined.arbiter}, with the key {joined.keyid}: compare it with the join sheet.",
        hang=2,
    )
    first, told = joined, ""
    while joined.match is None and wait:
        awaited = ", ".join(joined.waiting[:4]) or joined.arbiter
        if awaited != told:
            aside(f"Waiting for {awaited}. Ctrl-C leaves; the seat stays yours.", hang=2)
            told = awaited
        time.sleep(AGAIN)
        try:
            joined = live.server.join(code, signer)
        except Unreachable:
            continue
        if (joined.seat, joined.keyid) != (first.seat, first.keyid):
            raise Refused(
                "bad-answer",
                "The server names another seat or another arbiter now than at first.",
                hint="ask the arbiter",
            )
    return joined


def _say_stopped(code: str, name: str) -> None:
    """Ctrl-C, perhaps before the server's first answer."""
    from shlex import quote

    from cli.output import aside, say_next

    aside(
        f"Stopped. If the server has taken the code, it stays taken, for your key {name} alone; no "
        "event was signed. The same command asks again, and fetches the match when all have come.",
        hang=2,
    )
    say_next(f"tabellion join {quote(code)} --key {quote(name)}")


def _brought(live: Live, joined: JoinView, signer: Signer) -> MatchState:
    """The match, verified. Raises ``Refused`` where it is not the one that was promised."""
    from cli.desk import service
    from ledger.errors import Refused
    from ledger.fold.parts import ARBITER

    with service(live.ledger, create=True) as opened:
        live.match = str(joined.match)
        live.fetch(opened)
        state = opened.state(live.match)
    arbiter, seat = state.roster[ARBITER].key, state.roster.get(joined.seat)
    if arbiter is None or arbiter.fingerprint != joined.keyid:
        raise Refused(
            "other-arbiter",
            f"The match {state.match[:12]} was opened with another key than the arbiter's that "
            "the server named. Accept nothing.",
            hint="ask the arbiter",
        )
    if seat is None or seat.key != signer.public:
        raise Refused(
            "no-seat",
            f"In the match {state.match[:12]} your key does not hold the seat {joined.seat}.",
            hint="ask the arbiter",
        )
    return state


def _tell(joined: JoinView, state: MatchState | None, json: bool) -> None:
    from cli.output import as_json, say, say_next, short
    from ledger import views

    if json:
        as_json(joined)
        return
    if state is None:
        say(f"Not opened yet: waiting for {', '.join(joined.waiting[:4]) or joined.arbiter}.")
        return
    say(f"match {short(state.match)}")
    say(f"rules: {views.rules_words(state)}", hang=2)
    for role, party in state.roster.items():
        key = party.key.fingerprint if party.key else "no key: the arbiter writes"
        say(f"{role}: {party.name}, {key}", hang=2)
    say(views.next_step(state), hang=2)
    asked = joined.seat in state.unaccepted
    say_next(f"tabellion {'accept' if asked else 'show --watch'} {state.match[:8]}")
