"""Keys that were lost, players and arbiters who leave: replace-key, replace-arbiter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Optional

import typer

from cli import completing
from cli.options import JsonOption, KeyOption, LedgerOption, MatchOption, PassphraseOption, example
from cli.typed import words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ledger.events import Replacement
    from ledger.fold import MatchState
    from ledger.service import Plan, Signer

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
    from cli.output import written
    from ledger.errors import Unreadable
    from ledger.events import Replacement
    from ledger.service import Draft

    if (new is None) != no_key:
        raise Unreadable("usage", "Give the new key, or --no-key.", hint="tabellion key list")
    line = public_key(new).line if new else None
    with service(ledger) as opened:
        state = find_match(opened, match)
        by = role_of(state, key) if key else "arbiter"
        if role not in state.roster:
            others = ", ".join(each for each in state.roster if each != "arbiter")
            raise Unreadable("unknown-role", f"The roles here are {others}, not {role[:40]!a}.")
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
