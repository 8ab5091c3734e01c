"""How the dice of a match are made, in the words of the command line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, TypeAlias

from ledger.errors import Refused, Unreadable
from ledger.events import CommitReveal, Opening, Physical, Seat
from ledger.fold.parts import ARBITER

if TYPE_CHECKING:
    from ledger.fold import MatchState
    from ledger.games.protocol import Game
    from ledger.service import Draft, Plan, Signer

Scheme: TypeAlias = CommitReveal | Physical

SCHEMES: Final = {
    "players": "made by both players",
    "players+arbiter": "made by the players and the arbiter, who opens last",
    "arbiter": "made by the arbiter alone",
    "table": "as they lie on the table",
    "table+confirm": "as they lie on the table, confirmed by the other seat",
}


def scheme(game: Game, seats: Mapping[str, Seat], how: str | None) -> Scheme | None:
    """How the dice of a match are made. Where a seat has no key, ``players+arbiter`` is the other
    one with the arbiter.

    Raises ``Unreadable`` for what cannot be read, ``Refused`` where nobody has a secret.
    """
    if not game.dice:
        if how is not None:
            raise Refused("no-dice", f"{game.name} is played without dice.")
        return None
    keyed = tuple(seat for seat in game.seats if seats[seat].key)
    match how or ("players" if len(keyed) == len(game.seats) else "table"):
        case "table":
            return Physical(confirm=False)
        case "table+confirm":
            return Physical(confirm=True)
        case "arbiter":
            return CommitReveal(contributors=(ARBITER,))
        case "players" if len(keyed) == len(game.seats):
            return CommitReveal(contributors=keyed)
        case "players+arbiter" if keyed:
            return CommitReveal(contributors=(*keyed, ARBITER))
        case "players" | "players+arbiter":
            raise Refused(
                "keyless-contributor",
                "A seat without a key has no secret to make dice with.",
                hint="--dice table, --dice arbiter, or with one key --dice players+arbiter",
            )
        case other:
            raise Unreadable(
                "bad-option", f"--dice is one of {', '.join(SCHEMES)}, not {other[:40]!a}."
            )


def contributes(opening: Opening) -> bool:
    """Whether the arbiter's secret is part of the dice."""
    return isinstance(opening.dice, CommitReveal) and ARBITER in opening.dice.contributors


def commits(signer: Signer) -> Plan:
    """The arbiter commits to the first roll."""

    def plan(state: MatchState) -> Draft:
        from cli.cup import Cup

        return Cup(state, {ARBITER: signer}, None).commit(ARBITER)

    return plan
