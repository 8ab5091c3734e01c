"""One act of a match: whose it is, who signs it (the seat's own key, or the arbiter for a seat
without one), and its way from the command line into the ledger."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Optional

import typer

from cli import completing

if TYPE_CHECKING:
    from collections.abc import Callable

    from ledger.fold import MatchState
    from ledger.service import Draft

SeatOption = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option(
        "--seat",
        metavar="SEAT",
        help="Who does it; not needed with --key, nor where one seat alone can sign here.",
        autocompletion=completing.seats,
    ),
]


def perform(
    decide: Callable[[MatchState], Draft],
    match: str | None,
    passphrase_file: str | None,
    ledger: str | None,
    json: bool,
) -> None:
    """Write the one act that ``decide`` makes of the match as it stands, and tell it."""
    from cli.desk import service, write
    from cli.finding import find_match
    from cli.output import written

    with service(ledger) as opened:
        state = find_match(opened, match)
        draft = decide(state)
        after = write(opened, state, [lambda _: draft], [draft.by], passphrase_file)
    written(after, state.seq, json, match)


def acting(
    state: MatchState, seat: str | None, key: str | None, doing: str
) -> tuple[str, str | None]:
    """The role that signs, and the seat it signs for if that is another.

    Raises ``Unreadable`` when more than one seat could be meant; ``doing`` is a word like
    "resigns".
    """
    from cli.desk import role_of
    from ledger.errors import Unreadable
    from ledger.fold.due import signing

    role = role_of(state, key) if key else None
    if seat is None and role in state.game.seats:
        return str(role), None
    if seat is None:
        possible = seats_here(state)
        if len(possible) != 1:
            choices = " or ".join(f"--seat {each}" for each in state.game.seats)
            raise Unreadable("which-seat", f"Say who {doing}.", hint=choices)
        (seat,) = possible
    if seat not in state.game.seats:
        names = (f"{state.roster[each].name} plays {each}" for each in state.game.seats)
        raise Unreadable("which-seat", f"{', '.join(names)}.", hint=f"--seat {state.game.seats[0]}")
    by = role or signing(state, seat)
    return by, seat if by != seat else None


def speaking(state: MatchState, key: str | None) -> str:
    """Who says something that is no act of a seat: the arbiter, unless this is the device of one
    other."""
    from cli.desk import role_of, roles_here

    if key:
        return role_of(state, key)
    here = roles_here(state)
    return next(iter(here)) if len(here) == 1 else "arbiter"


def seats_here(state: MatchState) -> list[str]:
    """The seats whose acts can be signed on this device."""
    from cli.desk import holders
    from ledger.fold.due import signing

    signs = {seat: signing(state, seat) for seat in state.game.seats}
    here = holders(state, dict.fromkeys(signs.values()))
    return [seat for seat, role in signs.items() if role in here]
