"""What seats and arbiter sign before and after the game: accept, close, countersign."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Annotated, Optional

import typer

from cli import completing
from cli.options import (
    JsonOption,
    KeyOption,
    LedgerOption,
    MatchArgument,
    MatchOption,
    PassphraseOption,
    example,
)
from cli.typed import words

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
    _sign_by_seats(
        match or named,
        key,
        passphrase_file,
        ledger,
        json,
        waiting=lambda state: state.accepting,
        plan=_accepts,
        nothing="No seat waits to accept with a key of this device.",
        more=_commits,
    )


def _accepts(role: str) -> Plan:
    """Acceptance. A roll whose number went with the key that was lost is decided first."""
    from ledger import views
    from ledger.errors import Refused
    from ledger.events import Nothing
    from ledger.fold.due import Step, due

    def plan(state: MatchState) -> Draft:
        if state.rolling.flight is not None and due(state).step is Step.RULE:
            raise Refused(
                "rule-first",
                views.next_step(state),
                hint="tabellion ruling --help",
            )
        return _draft("seat.accepted", Nothing(), role)

    return plan


def countersign(
    match: MatchArgument = None,
    named: MatchOption = None,
    absent: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(
            "--absent",
            metavar="SEAT",
            help="A witness signs instead of this player, who is not there.",
            autocompletion=completing.seats,
        ),
    ] = None,
    refused: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(
            "--refused",
            metavar="SEAT",
            help="The arbiter records that this player will not sign; with --reason.",
            autocompletion=completing.seats,
        ),
    ] = None,
    reason: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(
            "--reason",
            metavar="WORDS",
            parser=words("--reason"),
            help="With --refused: why, as you saw it.",
        ),
    ] = None,
    key: KeyOption = None,
    passphrase_file: PassphraseOption = None,
    ledger: LedgerOption = None,
    json: JsonOption = False,
) -> None:
    """Countersign the closed result.

    That is the score sheet signed: by every seat whose key is on this device, or by --key.
    """
    from ledger.errors import Unreadable
    from ledger.events import Countersignature

    if (refused is None) != (reason is None):
        raise Unreadable("usage", "--refused SEAT goes with --reason WORDS.")
    if refused is not None and absent is not None:
        raise Unreadable(
            "usage", "--refused is the arbiter's word, --absent a witness's: one at a time."
        )
    if refused is not None and reason is not None:
        _record_refusal(match or named, refused, reason, key, passphrase_file, ledger, json)
        return
    _sign_by_seats(
        match or named,
        key,
        passphrase_file,
        ledger,
        json,
        waiting=lambda state: _witness(state) if absent else _unsigned(state),
        plan=lambda role: (
            lambda state: _draft(
                "countersigned",
                Countersignature(result_event=state.result_event or state.head, absent=absent),
                role,
            )
        ),
        nothing="No witness has a key on this device."
        if absent
        else "No seat waits to countersign with a key of this device.",
    )


def _unsigned(state: MatchState) -> tuple[str, ...]:
    """The seats that may countersign. Before the closing every one, to be told that it is early."""
    if state.sheet is not None:
        return state.unsigned
    return tuple(seat for seat in state.game.seats if state.roster[seat].key is not None)


def _witness(state: MatchState) -> tuple[str, ...]:
    """The witness whose key is on this device: of several one that has not signed yet."""
    from cli.desk import roles_here
    from ledger.fold.parts import WITNESS

    here = [role for role in roles_here(state) if role.startswith(WITNESS)]
    signed = state.sheet.signed if state.sheet else frozenset()
    return tuple(sorted(here, key=lambda role: role in signed)[:1])


def _record_refusal(
    match: str | None,
    seat: str,
    reason: str,
    key: str | None,
    passphrase_file: str | None,
    ledger: str | None,
    json: bool,
) -> None:
    from cli.desk import role_of
    from cli.seats import perform
    from ledger.events import Unwilling

    def decide(state: MatchState) -> Draft:
        unwilling = Unwilling(
            result_event=state.result_event or state.head, seat=seat, reason=reason
        )
        return _draft("signature.refused", unwilling, role_of(state, key) if key else "arbiter")

    perform(decide, match, passphrase_file, ledger, json)


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
        plans = [plan(role) for role in roles]
        if more is not None and not json:
            opened.rehearse(state, plans)
            if on_terminal():
                aside(f"rules: {views.rules_words(state)}", hang=2)
            if state.game.dice:
                aside(f"dice: {views.dice_words(state)}", hang=2)
        secret = (lambda keys: more(state, roles, keys)) if more else None
        after = write(opened, state, plans, roles, passphrase_file, secret)
    written(after, state.seq, json, match)


def _commits(state: MatchState, roles: list[str], keys: Mapping[str, Signer]) -> list[Plan]:
    """Who accepts a match with dice of the players commits to the first roll with it."""
    from cli.cup import Cup
    from ledger.fold.rolls import uncommitted

    def commit(role: str) -> Plan:
        return lambda now: Cup(now, keys, None).commit(role)

    if state.rolling.flight is not None:
        return []
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
    from ledger.fold import cited
    from ledger.service import Draft

    def decide(state: MatchState) -> Draft:
        if state.result is None:
            raise Refused(
                "not-over",
                f"The game is not over. {views.next_step(state)}",
                hint="tabellion resign --seat SEAT, if a player gives up",
            )
        role = role_of(state, key) if key else "arbiter"
        return Draft("match.closed", Closing(result=state.result, ruling=cited(state)), role)

    perform(decide, match or named, passphrase_file, ledger, json)
