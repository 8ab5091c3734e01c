"""What seats and arbiter sign before and after the game: accept, close, countersign."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import typer

from cli.options import (
    JsonOption,
    KeyOption,
    LedgerOption,
    MatchArgument,
    MatchOption,
    PassphraseOption,
    example,
)

if TYPE_CHECKING:
    from ledger.fold import MatchState
    from ledger.service import Draft, Plan, Signer


def register(app: typer.Typer) -> None:
    app.command("accept", epilog=example("tabellion accept"))(accept)
    app.command("close", epilog=example("tabellion close"))(close)
    app.command("countersign", epilog=example("tabellion countersign"))(countersign)


def accept(
    match: MatchArgument = None,
    named: MatchOption = None,
    key: KeyOption = None,
    passphrase_file: PassphraseOption = None,
    ledger: LedgerOption = None,
    json: JsonOption = False,
) -> None:
    """Accept a match as it was opened.

    Every seat whose key is on this device accepts; --key chooses one.
    """
    from ledger.events import Nothing

    _sign_by_seats(
        match or named,
        key,
        passphrase_file,
        ledger,
        json,
        waiting=lambda state: state.unaccepted,
        plan=lambda role: lambda _: _draft("seat.accepted", Nothing(), role),
        nothing="No seat waits to accept with a key of this device.",
        more=_commits,
    )


def countersign(
    match: MatchArgument = None,
    named: MatchOption = None,
    key: KeyOption = None,
    passphrase_file: PassphraseOption = None,
    ledger: LedgerOption = None,
    json: JsonOption = False,
) -> None:
    """Countersign the closed result.

    That is the score sheet signed: by every seat whose key is on this device, or by --key.
    """
    from ledger.events import Countersignature

    _sign_by_seats(
        match or named,
        key,
        passphrase_file,
        ledger,
        json,
        waiting=lambda state: state.unsigned,
        plan=lambda role: (
            lambda state: _draft(
                "countersigned",
                Countersignature(result_event=state.result_event or state.head),
                role,
            )
        ),
        nothing="No seat waits to countersign with a key of this device.",
    )


def _draft(kind: str, data: object, by: str) -> Draft:
    from ledger.service import Draft

    return Draft(kind, data, by)


def _sign_by_seats(
    match: str | None,
    key: str | None,
    passphrase_file: str | None,
    ledger: str | None,
    json: bool,
    *,
    waiting: Callable[[MatchState], tuple[str, ...]],
    plan: Callable[[str], Plan],
    nothing: str,
    more: Callable[[MatchState, list[str], Mapping[str, Signer]], list[Plan]] | None = None,
) -> None:
    from cli.desk import holders, role_of, service, write
    from cli.finding import find_match
    from cli.output import aside, on_terminal, written
    from ledger import views
    from ledger.errors import NotAllowed

    with service(ledger) as opened:
        state = find_match(opened, match)
        roles = [role_of(state, key)] if key else list(holders(state, waiting(state)))
        if not roles:
            raise NotAllowed("nobody-waits", f"{nothing} {views.next_step(state)}")
        if more is not None and not json:
            if on_terminal():
                aside(f"rules: {views.rules_words(state)}", hang=2)
            if state.game.dice:
                aside(f"dice: {views.dice_words(state)}", hang=2)
        plans = [plan(role) for role in roles]
        secret = (lambda keys: more(state, roles, keys)) if more else None
        after = write(opened, state, plans, roles, passphrase_file, secret)
    written(after, state.seq, json, match)


def _commits(state: MatchState, roles: list[str], keys: Mapping[str, Signer]) -> list[Plan]:
    """Who accepts a match with dice of the players commits to the first roll with it."""
    from cli.cup import Cup
    from ledger.fold.rolls import uncommitted

    def commit(role: str) -> Plan:
        return lambda now: Cup(now, keys, None).commit(role)

    return [commit(role) for role in roles if role in uncommitted(state)]


def close(
    match: MatchArgument = None,
    named: MatchOption = None,
    key: KeyOption = None,
    passphrase_file: PassphraseOption = None,
    ledger: LedgerOption = None,
    json: JsonOption = False,
) -> None:
    """Close a match that is over.

    The arbiter signs the result that the rules give.
    """
    from cli.desk import role_of
    from cli.seats import perform
    from ledger import views
    from ledger.errors import Refused
    from ledger.events import Closing
    from ledger.service import Draft

    def decide(state: MatchState) -> Draft:
        if state.result is None:
            raise Refused(
                "not-over",
                f"The game is not over. {views.next_step(state)}",
                hint="tabellion resign --seat SEAT, if a player gives up",
            )
        role = role_of(state, key) if key else "arbiter"
        return Draft("match.closed", Closing(result=state.result), role)

    perform(decide, match or named, passphrase_file, ledger, json)
