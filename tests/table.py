"""A table for tests: fixed keys, a fixed clock, matches opened and played through the service."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from ledger import rulings
from ledger.events import (
    Closing,
    CommitReveal,
    Countersignature,
    Lying,
    Nothing,
    Officer,
    Opening,
    Physical,
    Play,
    Remark,
    Rewind,
    RulesInForce,
    Seat,
    Verdict,
)
from ledger.fold import MatchState
from ledger.fold.acts import data_of
from ledger.fold.due import signing
from ledger.games import options_of, ruleset
from ledger.games.protocol import OptionValue
from ledger.keys import SigningKey
from ledger.service import Draft, Plan, Service

ARBITER, ALBA, BRUNO, WITNESS, STRANGER = (
    SigningKey.from_seed(bytes([number]) * 32) for number in (1, 2, 3, 4, 5)
)
KEYS = {
    "arbiter": ARBITER,
    "swedes": ALBA,
    "muscovites": BRUNO,
    "white": ALBA,
    "black": BRUNO,
    "south": ALBA,
    "north": BRUNO,
    "witness1": WITNESS,
}
BOTH = CommitReveal(contributors=("white", "black"))
"""Dice made by both players of a game of Tabula."""
BOTH_SIDES = CommitReveal(contributors=("south", "north"))
"""The same of El Tablero de Jesús."""

SHORT_GAME = ("e3-f3", "e2-h2", "e4-e2", "h2-h3", "Ke5-e3", "h3-h4", "Ke3-a3", "h4-g4", "Ka3-a1")
"""The king walks to the corner a1."""


def clock() -> str:
    return "2026-11-29T18:00:00Z"


def opening(
    name: str = "tablut",
    *,
    keyed: Sequence[str] | None = None,
    witness: bool = False,
    nonce: str = "00" * 16,
    dice: CommitReveal | Physical | None = None,
    turn_cap: int | None = None,
    **changes: OptionValue,
) -> Opening:
    """An opening by Zoë between Alba and Bruno; ``keyed`` seats (both, if not said) bring their
    own keys."""
    game, rules = ruleset(name)
    keyed = game.seats if keyed is None else keyed
    return Opening(
        ruleset=RulesInForce(
            game=game.name,
            name=rules.name,
            version=rules.version,
            options={**options_of(game, rules), **changes},
            document=rulings.digest(game.document),
        ),
        seats={
            seat: Seat(name=player, key=KEYS[seat].public.line if seat in keyed else None)
            for seat, player in zip(game.seats, ("Alba", "Bruno"), strict=True)
        },
        arbiter=Officer(name="Zoë", key=ARBITER.public.line),
        witnesses=(Officer(name="Wanda", key=WITNESS.public.line),) if witness else (),
        takebacks=True,
        settlements=True,
        sealed_move_unopened="loses",
        nonce=nonce,
        dice=dice,
        turn_cap=turn_cap,
    )


def new_service(path: Path, tick: Callable[[], str] = clock) -> Service:
    return Service.open(path, tick, create=True)


def accept(role: str) -> Plan:
    return lambda _: Draft("seat.accepted", Nothing(), role)


def play(text: str) -> Plan:
    """The move of the seat on turn, by its own key or written by the arbiter."""

    def plan(state: MatchState) -> Draft:
        seat = state.turn or state.game.seats[0]
        move = state.game.read(state.position, "move", text).text if state.turn else text
        by = seat if state.roster[seat].key else "arbiter"
        return Draft("move", Play(move=move), by, None if by == seat else seat)

    return plan


def does(kind: str, text: str = "") -> Plan:
    """An act of any kind, of the seat that it belongs to: by its own key or by the arbiter."""

    def plan(state: MatchState) -> Draft:
        seat = state.game.actor(state.position, kind) or state.game.seats[0]
        action = state.game.read(state.position, kind, text or kind)
        by = signing(state, seat)
        return Draft(action.kind, data_of(action), by, None if by == seat else seat)

    return plan


def lay(*faces: int, by: str = "arbiter") -> Plan:
    """Dice as they lie on the table."""
    return lambda state: Draft("roll.recorded", Lying(roll=state.rolling.number, dice=faces), by)


def resign(seat: str, by: str | None = None) -> Plan:
    return lambda _: Draft("resigned", Nothing(), by or seat, seat if by and by != seat else None)


def rewind(to: int, by: str = "arbiter") -> Plan:
    return lambda _: Draft(
        "ruling", Verdict(reason="mistyped", rule="record", effects=(Rewind(to=to),)), by
    )


def close(by: str = "arbiter") -> Plan:
    def plan(state: MatchState) -> Draft:
        assert state.result is not None
        return Draft("match.closed", Closing(result=state.result), by)

    return plan


def countersign(role: str) -> Plan:
    return lambda state: Draft(
        "countersigned", Countersignature(result_event=state.result_event or "0" * 64), role
    )


def note(text: str, by: str = "arbiter") -> Plan:
    return lambda _: Draft("note", Remark(text=text), by)


def whole_game(service: Service, *, keyed: Sequence[str] = ("swedes", "muscovites")) -> MatchState:
    """A whole Tablut game to its countersigned close."""
    state = service.open_match(opening(keyed=keyed), ARBITER)
    plans = [
        *(accept(seat) for seat in keyed),
        *(play(text) for text in SHORT_GAME),
        close(),
        *(countersign(seat) for seat in keyed),
    ]
    return service.append(state.match, plans, KEYS)
