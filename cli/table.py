"""What is done at the table: move, resign, note."""

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
from cli.typed import words

if TYPE_CHECKING:
    from cli.sheets import Step
    from ledger.fold import MatchState
    from ledger.service import Draft, Plan

_MAX_INPUT = 1024 * 1024


def register(app: typer.Typer) -> None:
    app.command("move", epilog=example("tabellion move e4-f4"))(move)
    app.command("resign", epilog=example("tabellion resign --seat muscovites"))(resign)
    app.command("note", epilog=example('tabellion note "Sheet signed by both" --file sheet.jpg'))(
        note
    )


def move(
    moves: Annotated[
        list[str],
        typer.Argument(
            metavar="MOVE...",
            help="One or more moves; - reads them from a pipe.",
            autocompletion=completing.moves,
        ),
    ],
    match: MatchOption = None,
    key: KeyOption = None,
    passphrase_file: PassphraseOption = None,
    ledger: LedgerOption = None,
    json: JsonOption = False,
) -> None:
    """Move for the seat whose turn it is.

    Its own key signs; for a seat without a key the arbiter writes. Several moves go through all
    or none; calls may stand among them. From a pipe (-): a paper sheet, one or more a line, where
    dice lie on the table a line for each throw (tabellion help notation).
    """
    from cli.desk import role_of, service, write
    from cli.finding import find_match
    from cli.output import written
    from ledger.service import LineRefused

    with service(ledger) as opened:
        state = find_match(opened, match)
        role = role_of(state, key) if key else None
        steps = _typed(state, moves, role, key)
        needed: list[str] = []  # filled while the plans are rehearsed
        plans = [_noting(step.plan, needed) for step in steps]
        try:
            after = write(opened, state, plans, needed, passphrase_file)
        except LineRefused as refused:
            if len(steps) > 1:
                refused.message = _at_fault(steps[refused.index], refused.message)
            raise
    written(after, state.seq, json, match)


def _noting(plan: Plan, needed: list[str]) -> Plan:
    """``plan``, and in ``needed`` the roles whose keys it takes."""

    def noted(state: MatchState) -> Draft:
        draft = plan(state)
        needed.append(draft.by)
        return draft

    return noted


def _at_fault(step: Step, why: str) -> str:
    """The refusal of one of several moves. Most refusals begin with the move themselves."""
    from cli.output import sentence

    named = "" if step.text in why or len(step.text) > 20 else f" ({step.text})"
    return f"{step.where}{named}: {sentence(why)} Nothing was written."


def _typed(state: MatchState, moves: list[str], role: str | None, key: str | None) -> list[Step]:
    """What was typed or piped in, an event each. Where a move has several words, all that is
    typed is one move, as all dice of a throw are."""
    from cli import sheets
    from cli.acts import typed_act

    if moves == ["-"]:
        return sheets.steps(state, _piped(), role, key)
    texts = [" ".join(moves)] if state.game.steps else moves
    return [
        sheets.Step(f"move {number}", text, typed_act(text, role))
        for number, text in enumerate(texts, start=1)
    ]


def _piped() -> str:
    from cli.desk import read_input
    from ledger.errors import Unreadable

    try:
        return read_input("-", _MAX_INPUT).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unreadable(
            "not-utf8",
            f"Byte {error.start} of the input is not UTF-8. Nothing was written.",
            hint="save the moves as UTF-8",
        ) from None


def resign(
    match: MatchArgument = None,
    named: MatchOption = None,
    seat: SeatOption = None,
    key: KeyOption = None,
    passphrase_file: PassphraseOption = None,
    ledger: LedgerOption = None,
    json: JsonOption = False,
) -> None:
    """Resign the game for a seat.

    The seat's own key signs; for a seat without a key the arbiter writes.
    """
    from cli.seats import acting, perform
    from ledger.events import Nothing
    from ledger.service import Draft

    def decide(state: MatchState) -> Draft:
        by, for_ = acting(state, seat, key, "resigns")
        return Draft("resigned", Nothing(), by, for_)

    perform(decide, match or named, passphrase_file, ledger, json)


def note(
    text: Annotated[
        str,
        typer.Argument(
            metavar="TEXT", parser=words("The note", "Text"), help="Words for the record."
        ),
    ],
    match: MatchOption = None,
    file: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option("--file", metavar="FILE", help="Note the SHA-256 of a file: a photo, say."),
    ] = None,
    key: KeyOption = None,
    passphrase_file: PassphraseOption = None,
    ledger: LedgerOption = None,
    json: JsonOption = False,
) -> None:
    """Add a signed note to the record.

    It changes nothing in the game.
    """
    from hashlib import sha256

    from cli.desk import read_input
    from cli.seats import perform, speaking
    from ledger.events import Remark
    from ledger.service import Draft

    digest = sha256(read_input(file, 1 << 30)).hexdigest() if file else None

    def decide(state: MatchState) -> Draft:
        return Draft("note", Remark(text=text, sha256=digest), speaking(state, key))

    perform(decide, match, passphrase_file, ledger, json)
