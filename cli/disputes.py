"""What people complain of, and say about it: dispute, statement, settle, appeal."""

from __future__ import annotations

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
from cli.seats import SeatOption
from cli.typed import event_number, words

if TYPE_CHECKING:
    from ledger.errors import TabellionError
    from ledger.fold import MatchState
    from ledger.service import Draft


def register(app: typer.Typer) -> None:
    app.command(
        "dispute",
        epilog=example('tabellion dispute 7 --reason "the king passed over g5" --seat swedes'),
    )(dispute)
    app.command(
        "statement",
        epilog=example('tabellion statement "I saw it pass over g5." --seat swedes'),
    )(statement)
    app.command("settle", epilog=example("tabellion settle --seat swedes"))(settle)
    app.command(
        "appeal", epilog=example('tabellion appeal --reason "the rule says else" --seat swedes')
    )(appeal)


def dispute(
    reason: Annotated[
        str,
        typer.Option(
            "--reason", metavar="WORDS", parser=words("--reason", "Text"), help="What is wrong."
        ),
    ],
    event: Annotated[
        Optional[int],  # noqa: UP045
        typer.Argument(
            metavar="[N]",
            parser=event_number,
            help="The event complained of; the last act when left out.",
            autocompletion=completing.events,
        ),
    ] = None,
    match: MatchOption = None,
    seat: SeatOption = None,
    key: KeyOption = None,
    passphrase_file: PassphraseOption = None,
    ledger: LedgerOption = None,
    json: JsonOption = False,
) -> None:
    """Dispute an event: the match stops.

    Until the arbiter rules, or both players settle it. A player, a witness or the arbiter signs,
    each with their own key.
    """
    from cli.seats import perform
    from ledger.events import Complaint
    from ledger.service import Draft

    def decide(state: MatchState) -> Draft:
        acts = [seq for seq in state.line() if state.moments[seq].acted]
        number = max(acts, default=state.seq) if event is None else event
        if number > state.seq:
            raise no_event(state, number)
        complaint = Complaint(event=number, text=reason)
        by = in_person(state, seat, key, "disputes", officials=True)
        return Draft("dispute.raised", complaint, by)

    perform(decide, match, passphrase_file, ledger, json)


def statement(
    text: Annotated[
        str,
        typer.Argument(
            metavar="TEXT", parser=words("The statement", "Text"), help="What is said of it."
        ),
    ],
    file: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option("--file", metavar="FILE", help="Name a file by its SHA-256: a photo, say."),
    ] = None,
    match: MatchOption = None,
    seat: SeatOption = None,
    key: KeyOption = None,
    passphrase_file: PassphraseOption = None,
    ledger: LedgerOption = None,
    json: JsonOption = False,
) -> None:
    """Say something on a dispute or an appeal.

    A player, a witness or the arbiter; for a player without a key the arbiter writes it down.
    """
    from hashlib import sha256

    from cli.desk import read_input
    from cli.seats import acting, perform, speaking
    from ledger.events import Evidence
    from ledger.service import Draft

    digest = sha256(read_input(file, 1 << 30)).hexdigest() if file else None

    def decide(state: MatchState) -> Draft:
        said = Evidence(about=_at_issue(state), text=text, sha256=digest)
        if seat is None:
            return Draft("statement", said, speaking(state, key))
        return Draft("statement", said, *acting(state, seat, key, "says it"))

    perform(decide, match, passphrase_file, ledger, json)


def _at_issue(state: MatchState) -> str:
    """The hash of the dispute, or of the appeal, that a statement is about."""
    from ledger.errors import Refused

    if state.dispute is not None:
        return state.dispute.hash
    if state.appealed:
        return state.appealed[-1].hash
    raise Refused(
        "nothing-at-issue",
        "No dispute is open, and no appeal.",
        hint='tabellion note "WORDS", for any other words',
    )


def settle(
    match: MatchArgument = None,
    named: MatchOption = None,
    seat: SeatOption = None,
    key: KeyOption = None,
    passphrase_file: PassphraseOption = None,
    ledger: LedgerOption = None,
    json: JsonOption = False,
) -> None:
    """Agree that the dispute is over.

    The game stands as it is. When both players have said so it goes on without a ruling.
    """
    from cli.seats import perform
    from ledger.errors import Refused
    from ledger.events import Settling
    from ledger.service import Draft

    def decide(state: MatchState) -> Draft:
        if state.dispute is None:
            raise Refused("no-such-dispute", "No dispute is open.")
        by = in_person(state, seat, key, "settles it")
        return Draft("dispute.settled", Settling(dispute=state.dispute.hash), by)

    perform(decide, match or named, passphrase_file, ledger, json)


def appeal(
    reason: Annotated[
        str,
        typer.Option("--reason", metavar="WORDS", parser=words("--reason", "Text"), help="Why."),
    ],
    event: Annotated[
        Optional[int],  # noqa: UP045
        typer.Argument(
            metavar="[N]",
            parser=event_number,
            help="The ruling or the closing appealed against; the last one when left out.",
            autocompletion=completing.events,
        ),
    ] = None,
    match: MatchOption = None,
    seat: SeatOption = None,
    key: KeyOption = None,
    passphrase_file: PassphraseOption = None,
    ledger: LedgerOption = None,
    json: JsonOption = False,
) -> None:
    """Appeal against a ruling or a result.

    To whoever decides appeals in this match (open --appeal). Nothing stops meanwhile.
    """
    from cli.seats import perform
    from ledger.errors import NotFound
    from ledger.events import MatchClosed, Objection, Ruling
    from ledger.service import Draft

    def decide(state: MatchState) -> Draft:
        found = [
            entry
            for entry in state.entries
            if event in (None, entry.event.seq) and isinstance(entry.event, Ruling | MatchClosed)
        ]
        if event is not None and event > state.seq:
            raise no_event(state, event)
        if not found:
            what = f"Event {event} is no ruling" if event is not None else "There is no ruling"
            raise NotFound("not-appealable", f"{what}, and no closing.", hint="tabellion log")
        objection = Objection(against=found[-1].hash, text=reason)
        return Draft("appeal", objection, in_person(state, seat, key, "appeals"))

    perform(decide, match, passphrase_file, ledger, json)


def no_event(state: MatchState, number: int) -> TabellionError:
    """What is said of the number of an event that is not there."""
    from ledger.errors import NotFound

    last = f"its last is {state.seq}"
    return NotFound("no-event", f"The match has no event {number}; {last}.", hint="tabellion log")


def in_person(
    state: MatchState, seat: str | None, key: str | None, doing: str, *, officials: bool = False
) -> str:
    """The role of somebody who signs this with their own key and by nobody else's hand: a seat,
    or with ``officials`` the arbiter or a witness."""
    from cli.desk import role_of, roles_here
    from ledger.errors import Refused, Unreadable
    from ledger.fold.parts import ARBITER

    role = role_of(state, key) if key else None
    if seat is not None and seat not in state.game.seats:
        names = (f"{state.roster[each].name} plays {each}" for each in state.game.seats)
        raise Unreadable("which-seat", f"{', '.join(names)}.", hint=f"--seat {state.game.seats[0]}")
    if role is not None and seat not in (None, role):
        raise Unreadable("which-seat", f"The key {key} is that of {role}, not of {seat}.")
    if role is not None:
        return role
    if seat is None:
        return _only_one(state, doing, officials)
    if state.roster[seat].key is None:
        instead = ": the arbiter does it in their own name, and says whose complaint it is"
        key = roles_here(state).get(ARBITER, "NAME")
        raise Refused(
            "keyless",
            f"{state.roster[seat].name} has no key, and nobody {doing} for them"
            f"{instead if officials else ''}.",
            hint=f"--key {key}" if officials else "",
        )
    return seat


def _only_one(state: MatchState, doing: str, officials: bool) -> str:
    """The only role here that could do this. Raises ``Unreadable`` with every one that could."""
    from cli.desk import roles_here
    from ledger.errors import Unreadable
    from ledger.fold.parts import APPEAL

    here = roles_here(state)
    seats = [each for each in state.game.seats if each in here]
    others = [each for each in here if each not in (*state.game.seats, APPEAL) and officials]
    if len(seats) + len(others) == 1:
        return (*seats, *others)[0]
    choices = [f"--seat {each}" for each in seats or (() if others else state.game.seats)]
    choices += [f"--key {here[each]} ({state.roster[each].name})" for each in others]
    raise Unreadable("which-seat", f"Say who {doing}.", hint=", or ".join(choices))
