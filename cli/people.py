"""Keys that were lost, players and arbiters who leave: replace-key, replace-arbiter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, NamedTuple, Optional

import typer

from cli import completing
from cli.joining import NoWaitOption, SheetOption, UrlOption
from cli.options import JsonOption, KeyOption, LedgerOption, MatchOption, PassphraseOption, example
from cli.typed import words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cli.joining import Invitation
    from ledger.events import Replacement
    from ledger.fold import MatchState
    from ledger.service import Plan, Signer
    from ledger.tables import Replacing

Text = Optional[str]  # noqa: UP045


def register(app: typer.Typer) -> None:
    app.command(
        "replace-key",
        epilog=example('tabellion replace-key swedes dora --reason "Alba\'s phone is lost"'),
    )(replace_key)
    app.command(
        "replace-arbiter",
        epilog=example('tabellion replace-arbiter Dora dora --reason "Zoë has to leave"'),
    )(replace_arbiter)


def replace_key(
    reason: Annotated[
        str,
        typer.Option(
            "--reason",
            metavar="WORDS",
            parser=words("--reason", "Text"),
            help="Why; it stays on the record.",
        ),
    ],
    role: Annotated[
        str,
        typer.Argument(
            metavar="ROLE",
            help="A seat, witness1 …, or appeal.",
            autocompletion=completing.roles,
        ),
    ],
    new: Annotated[
        Text,
        typer.Argument(
            metavar="[NEWKEY]",
            help="The new key: a name here, a .pub file, or the public line.",
            autocompletion=completing.keys,
        ),
    ] = None,
    name: Annotated[
        Text,
        typer.Option(
            "--name",
            metavar="NAME",
            parser=words("--name", "Name"),
            help="Who plays from here on, if it is somebody else.",
        ),
    ] = None,
    no_key: Annotated[
        bool,
        typer.Option("--no-key", help="From here on the arbiter writes for this seat."),
    ] = False,
    lost: Annotated[
        bool,
        typer.Option("--lost", help="Do not sign with the old key, even if it is on this device."),
    ] = False,
    join: Annotated[
        bool,
        typer.Option(
            "--join",
            help="The new key is that of a phone that joins now: prints a code for it and waits. "
            "Needs a running serve.",
        ),
    ] = False,
    no_wait: NoWaitOption = False,
    url: UrlOption = None,
    sheet: SheetOption = None,
    match: MatchOption = None,
    key: KeyOption = None,
    passphrase_file: PassphraseOption = None,
    ledger: LedgerOption = None,
    json: JsonOption = False,
) -> None:
    """Replace a lost key, or a player who left.

    The arbiter signs, and the old key too if it is here. It is dead from then on. Whoever has the
    new key accepts the match with it before play goes on.
    """
    from cli.desk import holders, public_key, role_of, service, write
    from cli.finding import find_match
    from cli.joining import Invitation
    from cli.output import written
    from ledger.errors import Unreadable
    from ledger.events import Replacement
    from ledger.service import Draft

    if [new is not None, no_key, join].count(True) != 1:
        raise Unreadable(
            "usage", "Give the new key, or --join, or --no-key.", hint="tabellion key list"
        )
    invitation = Invitation(url, sheet, not no_wait, json)
    invitation.check(join)
    if join:
        asked = Asked(role, name, reason, lost)
        _by_phone(asked, invitation, match, key, passphrase_file, ledger)
        return
    line = public_key(new).line if new else None
    with service(ledger) as opened:
        state = find_match(opened, match)
        by = role_of(state, key) if key else "arbiter"
        _check_role(state, role)
        given = Replacement(
            role=role, name=name or state.roster[role].name, reason=reason, key=line
        )
        opened.rehearse(state, [lambda _: Draft("key.replaced", given, by)])
        consents = [] if lost else list(holders(state, [role]))

        def more(keys: Mapping[str, Signer]) -> list[Plan]:
            signed = _consent(state, given, keys[role]) if consents else given
            return [lambda _: Draft("key.replaced", signed, by)]

        after = write(opened, state, [], [by, *consents], passphrase_file, more)
    written(after, state.seq, json, match)


def _check_role(state: MatchState, role: str) -> None:
    from ledger.errors import Unreadable

    if role not in state.roster:
        others = ", ".join(each for each in state.roster if each != "arbiter")
        raise Unreadable("unknown-role", f"The roles here are {others}, not {role[:40]!a}.")


class Asked(NamedTuple):
    """What was typed of a replacement."""

    role: str
    name: str | None
    reason: str
    lost: bool


def _by_phone(
    asked: Asked,
    invitation: Invitation,
    match: str | None,
    key: str | None,
    passphrase_file: str | None,
    ledger: str | None,
) -> None:
    """The key of a phone that is to come. What is refused is refused before it is asked."""
    import secrets

    from cli.desk import holders, role_of, service, signers
    from cli.finding import find_match
    from cli.joining import Seating, at_the_server, seat_phones
    from cli.output import written
    from ledger.errors import NotAllowed, Unreadable
    from ledger.fold.parts import ARBITER
    from ledger.seating import rehearse_new_key

    role = asked.role
    with service(ledger) as opened:
        state = find_match(opened, match)
        _check_role(state, role)
        if key is not None and role_of(state, key) != ARBITER:
            raise NotAllowed("wrong-role", "Only the arbiter puts another key in.")
        consents = [role] if not asked.lost and holders(state, [role]) else []
        plan = _replacing(state, asked, bool(consents))
        rehearse_new_key(opened, state, plan, secrets.token_bytes)
        if consents and not invitation.wait:
            raise Unreadable("usage", "The old key is here and signs too: wait, or say --lost.")

    def seating() -> Seating:
        keys = signers(state, [ARBITER, *consents], passphrase_file)
        return Seating(keys[ARBITER], keys[role] if consents else None)

    titles = {role: state.game.titles.get(role, role)}
    arbiter = state.roster[ARBITER].key
    keyid = arbiter.fingerprint if arbiter else ""
    found = seat_phones(plan, {role: plan.name}, titles, keyid, invitation, seating, ledger)
    if found is not None:
        with service(ledger) as opened:
            after = opened.state(found)
        with at_the_server():
            written(after, state.seq, invitation.json, match)


def _replacing(state: MatchState, asked: Asked, consents: bool) -> Replacing:
    from ledger.fold.parts import ARBITER
    from ledger.tables import Replacing

    before = state.roster[asked.role]
    return Replacing(
        match=state.match,
        role=asked.role,
        name=asked.name or before.name,
        reason=asked.reason,
        ruleset=state.opening.ruleset.name,
        arbiter=state.roster[ARBITER].name,
        table=state.opening.table,
        old=before.key.line if before.key else None,
        consents=consents,
    )


def _consent(state: MatchState, given: Replacement, old: Signer) -> Replacement:
    """The same, with the old key's signature."""
    from msgspec.structs import replace

    from ledger import consent

    message = consent.message(state.match, given.role, given.name, given.key)
    return replace(given, consent=old.sign(message).hex())


def replace_arbiter(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME", parser=words("The name", "Name"), help="The new arbiter's name."
        ),
    ],
    new: Annotated[
        str,
        typer.Argument(
            metavar="NEWKEY",
            help="The new arbiter's key: a name here, a .pub file, or the public line.",
            autocompletion=completing.keys,
        ),
    ],
    reason: Annotated[
        str,
        typer.Option(
            "--reason",
            metavar="WORDS",
            parser=words("--reason", "Text"),
            help="Why; it stays on the record.",
        ),
    ],
    match: MatchOption = None,
    key: KeyOption = None,
    passphrase_file: PassphraseOption = None,
    ledger: LedgerOption = None,
    json: JsonOption = False,
) -> None:
    """Put another arbiter in.

    The arbiter signs; where that key is lost, whoever decides appeals (--key). The new arbiter
    accepts before doing anything else.
    """
    from cli.desk import public_key, role_of
    from cli.seats import perform
    from ledger.events import Succession
    from ledger.service import Draft

    given = Succession(name=name, key=public_key(new).line, reason=reason)

    def decide(state: MatchState) -> Draft:
        return Draft("arbiter.replaced", given, role_of(state, key) if key else _who_puts_in(state))

    perform(decide, match, passphrase_file, ledger, json)


def _who_puts_in(state: MatchState) -> str:
    """The arbiter; where that key is not here but the one for appeals is, nobody is guessed."""
    from cli.desk import roles_here
    from ledger.errors import NotAllowed
    from ledger.fold.parts import APPEAL, ARBITER

    here = roles_here(state)
    if ARBITER not in here and APPEAL in state.roster:
        raise NotAllowed(
            "key-missing",
            f"The key of {state.roster[ARBITER].name} (the arbiter) is not on this device. Whoever "
            "decides appeals can put another arbiter in.",
            hint=f"--key {here.get(APPEAL, 'NAME')}",
        )
    return ARBITER
