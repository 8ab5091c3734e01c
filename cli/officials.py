"""What officials do: correct."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cli import completing
from cli.options import JsonOption, KeyOption, LedgerOption, MatchOption, PassphraseOption, example
from cli.typed import event_number, words

if TYPE_CHECKING:
    from ledger.fold import MatchState

MISTYPED = "record: what was done on the board is what counts"
"""The rule that a correction rests on unless another is named."""


def register(app: typer.Typer) -> None:
    app.command(
        "correct",
        epilog=example('tabellion correct 7 --reason "mistyped: e4-f4 was played, not e4-g4"'),
    )(correct)


def correct(
    event: Annotated[
        int,
        typer.Argument(
            metavar="N",
            parser=event_number,
            help="The event that was mistyped.",
            autocompletion=completing.acts,
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
    rule: Annotated[
        str,
        typer.Option(
            "--rule", metavar="RULE", parser=words("--rule"), help="The rule that this rests on."
        ),
    ] = MISTYPED,
    dice: Annotated[
        str,
        typer.Option(
            metavar="keep|rethrow",
            help="In games with dice: those that lay there stay, or are thrown anew.",
        ),
    ] = "keep",
    match: MatchOption = None,
    key: KeyOption = None,
    passphrase_file: PassphraseOption = None,
    ledger: LedgerOption = None,
    json: JsonOption = False,
) -> None:
    """Take back event N and what followed.

    The arbiter signs a ruling. Nothing is deleted: log shows what was taken back, struck.
    """
    from cli.desk import role_of, service, write
    from cli.finding import find_match
    from cli.output import say, written
    from cli.rulings import kept
    from ledger.errors import TabellionError
    from ledger.events import Rewind, Verdict
    from ledger.service import Draft

    with service(ledger) as opened:
        state = find_match(opened, match)
        check_standing(state, event)
        role = role_of(state, key) if key else "arbiter"
        back = Rewind(to=event - 1, dice=kept(dice) if state.game.dice else None)
        verdict = Verdict(reason=reason, rule=rule, effects=(back,))
        plan = lambda _: Draft("ruling", verdict, role)  # noqa: E731
        try:
            after = write(opened, state, [plan], [role], passphrase_file)
        except TabellionError as error:
            if error.code == "across-a-throw":
                error.hint = "--dice rethrow; or void, for dice on the table that nobody has played"
            raise
    if not json:
        struck = sorted(after.superseded() - state.superseded())
        say(f"taken back: event{'s' * (len(struck) > 1)} {', '.join(map(str, struck))}")
    written(after, state.seq, json, match)


def check_standing(state: MatchState, event: int) -> None:
    """Refuse to take back what is no act of the game, or is taken back already."""
    from ledger.errors import NotFound, Refused
    from ledger.events import AppealDecided, Ruling

    if event > state.seq:
        raise NotFound("no-event", f"The match has no event {event}; its last is {state.seq}.")
    if isinstance(state.entries[event].event, Ruling | AppealDecided):
        raise Refused(
            "a-ruling",
            f"Event {event} is a ruling: another ruling takes it back, or withdraws its penalty.",
            hint="tabellion ruling --help",
        )
    if not state.moments[event].acted:
        raise Refused(
            "not-an-act",
            f"Event {event} is no act in the game that could be taken back.",
            hint="tabellion log",
        )
    if event in state.superseded():
        raise Refused("taken-back", f"Event {event} is taken back already.")
