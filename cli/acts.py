"""Acts of the game that are a command of their own: pull, wager, pass, run, stop, diablo, done,
call. What each means is for the rules of the game; here is only the way into the ledger."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cli import completing
from cli.options import (
    JsonOption,
    KeyOption,
    LedgerOption,
    MatchOption,
    PassphraseOption,
    example,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from ledger.fold import MatchState
    from ledger.service import Draft, Plan

_PLAIN = {
    "wager": """Stake a Wager instead of passing.

    The answer to a Pass Number: the longest Formation and two, out of the stake. Then throw again.
    """,
    "pass": """Pass the dice.

    Where no die can be played, or as the answer to a Pass Number. Refused where the rules let a
    die be played.
    """,
    "run": """Declare a Run with a Formation of seven.

    At least one throw follows. Each throw that is no Pass Number brings two coins of the opponent.
    """,
    "stop": """Stop a Run and take what it has brought.

    The seven and the pot; the opponent fills the board, and the dice pass.
    """,
    "diablo": """Call Diablo on a Pass Number.

    For the opponent of the active player, in matches that are played so: before the last coin of
    the throw has moved.
    """,
    "done": """Leave the other die unplayed.

    Only where the rules allow it and each coin's move is an event of its own.
    """,
}
"""Acts that are a word alone, with their help."""


def register(app: typer.Typer) -> None:
    app.command("pull", epilog=example("tabellion pull 4a-c"))(pull)
    for kind, words in _PLAIN.items():
        app.command(kind, help=words, epilog=example(f"tabellion {kind}"))(_plain(kind))
    app.command("call", epilog=example("tabellion call raichi"))(call)


def pull(
    formation: Annotated[
        str,
        typer.Argument(
            metavar="[FORMATION]",
            help="Row, first and last column: 4a-c. The only Formation needs no name.",
            autocompletion=completing.pulls,
        ),
    ] = "",
    match: MatchOption = None,
    key: KeyOption = None,
    passphrase_file: PassphraseOption = None,
    ledger: LedgerOption = None,
    json: JsonOption = False,
) -> None:
    """Take a Formation from the board.

    The opponent fills the columns from their stake, and the dice pass to them. Who cannot fill
    has lost.
    """
    _act("pull", formation, match, key, passphrase_file, ledger, json)


def call(
    word: Annotated[str, typer.Argument(metavar="WORD", help="The call, like raichi.")],
    match: MatchOption = None,
    key: KeyOption = None,
    passphrase_file: PassphraseOption = None,
    ledger: LedgerOption = None,
    json: JsonOption = False,
) -> None:
    """Call what the rules ask for, after the move.

    A warning like raichi: one free way to the edge; tuichi: two. A call that is missing or false
    stays visible on the record; it changes nothing in the game.
    """
    _act("call", word, match, key, passphrase_file, ledger, json)


def _plain(kind: str) -> Callable[..., None]:
    """The command of an act that is a word alone."""

    def command(
        match: MatchOption = None,
        key: KeyOption = None,
        passphrase_file: PassphraseOption = None,
        ledger: LedgerOption = None,
        json: JsonOption = False,
    ) -> None:
        _act(kind, kind, match, key, passphrase_file, ledger, json)

    return command


def _act(
    kind: str,
    text: str,
    match: str | None,
    key: str | None,
    passphrase_file: str | None,
    ledger: str | None,
    json: bool,
) -> None:
    from cli.desk import role_of
    from cli.seats import perform

    def decide(state: MatchState) -> Draft:
        return act(kind, text, role_of(state, key) if key else None)(state)

    perform(decide, match, passphrase_file, ledger, json)


def typed_act(typed: str, role: str | None) -> Plan:
    """A move, or another act that may stand among moves, of the seat that it belongs to."""

    def plan(state: MatchState) -> Draft:
        from ledger.games.typed import kind_and_text

        return act(*kind_and_text(state.game, state.position, typed), role)(state)

    return plan


def act(kind: str, text: str, role: str | None) -> Plan:
    """An act of this kind, of the seat that it belongs to, signed by ``role`` or whoever signs
    for that seat."""

    def plan(state: MatchState) -> Draft:
        from ledger.fold.acts import data_of
        from ledger.fold.course import check_in_play
        from ledger.fold.due import signing
        from ledger.service import Draft

        check_in_play(state)
        seat = state.game.actor(state.position, kind) or state.game.seats[0]
        _check_dice(state, kind)
        action = state.game.read(state.position, kind, text)
        by = role or signing(state, seat)
        return Draft(action.kind, data_of(action), by, seat if by == "arbiter" else None)

    return plan


def _check_dice(state: MatchState, kind: str) -> None:
    """Dice come before what is done with them. Where no throw has begun the rules of the game say
    it better, unless it is a move."""
    from cli.output import next_here
    from ledger import views
    from ledger.errors import Refused
    from ledger.fold.due import Step, due

    first = {Step.OPEN, Step.CONFIRM}
    if kind in ("move", "pass"):
        first |= {Step.COMMIT, Step.THROW}
    if kind != "call" and due(state).step in first:
        raise Refused("dice-first", views.next_step(state), hint=next_here(state))
