"""A paper sheet typed in: its rows made into dice, their confirmations, and acts, an event each.

How a row is written is for ``cli.sheetreading``; what it means is for the rules of the game.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from cli.sheetreading import Row, read
from ledger.errors import Refused

if TYPE_CHECKING:
    from ledger.fold import MatchState
    from ledger.games.protocol import Game, Throw
    from ledger.service import Draft, Plan


Writer: TypeAlias = "tuple[str, str | None]"
"""Who writes the dice of a seat down, and for whom."""


class Step(NamedTuple):
    """One event to be written, with the place and the words that it comes from."""

    where: str
    text: str
    plan: Plan


def steps(state: MatchState, text: str, role: str | None, key: str | None) -> list[Step]:
    """Everything that a sheet says, an event each, signed by ``role`` or whoever signs for the
    seat. ``key`` is what the user named, if they did."""
    from cli.rolling import recording
    from ledger.events import Physical

    rows = read(state.game, text)
    scheme = state.opening.dice
    found: list[Step] = []
    writers: dict[str, Writer] = {}
    if isinstance(scheme, Physical):
        writers = {seat: recording(state, seat, key) for seat in state.game.seats}
    for row in rows:
        if row.toss or row.dice:
            if not isinstance(scheme, Physical):
                raise _computed(row)
            shown = " ".join(f"{seat} {die}" for seat, die in row.toss)
            shown = shown or "-".join(map(str, row.dice))
            found.append(Step(row.where, shown, _record(row, writers)))
            if scheme.confirm and (row.acts or row is not rows[-1] or _here(state, row)):
                found.append(Step(row.where, shown, _confirm(role)))
        found += (Step(row.where, act, _act(act, row.side, role)) for act in row.acts)
    return found


def _computed(row: Row) -> Refused:
    return Refused(
        "computed-dice",
        f"{row.where}: the dice of this match are computed from what the players commit to: nobody "
        "writes them down. Nothing was written.",
        hint="tabellion roll, and then the moves alone",
    )


def _here(state: MatchState, row: Row) -> bool:
    """Whether the last throw, with which nothing was done, can be confirmed on this device."""
    from cli.desk import holders
    from ledger.fold.due import signing

    throwers = [row.side] if row.side else list(state.game.seats[: 1 if row.toss else 2])
    roles = {signing(state, state.other(seat)) for seat in throwers}
    return roles == set(holders(state, roles))


def _record(row: Row, writers: Mapping[str, Writer]) -> Plan:
    """The dice of a row, written down by whoever writes dice of that seat here."""

    def plan(now: MatchState) -> Draft:
        from ledger.events import Lying
        from ledger.fold.course import check_in_play
        from ledger.service import Draft

        check_in_play(now)
        wanted = now.game.wanted(now.position)
        dice = _as_wanted(now.game, wanted, row)
        by, for_ = writers[wanted.seat if wanted else row.side or now.game.seats[0]]
        return Draft("roll.recorded", Lying(roll=now.rolling.number, dice=dice), by, for_)

    return plan


def _as_wanted(game: Game, wanted: Throw | None, row: Row) -> tuple[int, ...]:
    """The dice of a row as this throw has them; that none is due is for the ledger to say."""
    thrown = dict(row.toss)
    if wanted is None:
        raise Refused(
            "no-throw",
            "The row before is not played to its end: something is missing in it.",
        )
    each = len(set(wanted.owners)) > 1
    if row.toss and not each:
        throws = f"{game.titles[wanted.seat]} throws {wanted.count} dice"
        raise Refused("wrong-throw", f"It is decided who begins: {throws}.")
    if row.side and each:
        raise Refused("wrong-throw", "It is not decided who begins: each throws one die first.")
    if row.side not in (None, wanted.seat):
        raise Refused(
            "wrong-side",
            f"It is for {game.titles[wanted.seat]} to throw, not for {game.titles[row.side]}. Is "
            "something missing in the row before?",
        )
    return tuple(thrown[owner] for owner in wanted.owners) if row.toss else row.dice


def _check_side(game: Game, side: str | None, due: str | None, what: str) -> None:
    """Refuse the letter of a side that is not the one to act."""
    if side and due and side != due:
        raise Refused(
            "wrong-side",
            f"It is for {game.titles[due]} to {what}, not for {game.titles[side]}",
        )


def _confirm(role: str | None) -> Plan:
    """The other seat's word for the dice that have just been written down."""

    def plan(now: MatchState) -> Draft:
        from ledger.events import Confirmation
        from ledger.fold.due import signing
        from ledger.fold.parts import ARBITER
        from ledger.service import Draft

        waiting = now.rolling.recorded
        if waiting is None:
            raise Refused("nothing-to-confirm", "No dice wait to be confirmed.")
        by = role or signing(now, waiting.confirmer)
        for_ = waiting.confirmer if by == ARBITER else None
        return Draft("roll.confirmed", Confirmation(confirms=waiting.hash), by, for_)

    return plan


def _act(text: str, side: str | None, role: str | None) -> Plan:
    from cli.acts import typed_act

    act = typed_act(text, role)

    def plan(now: MatchState) -> Draft:
        from ledger.games.typed import kind_and_text

        if side and now.turn:
            kind, _ = kind_and_text(now.game, now.position, text)
            _check_side(now.game, side, now.game.actor(now.position, kind), "act")
        return act(now)

    return plan
