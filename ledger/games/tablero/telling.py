"""What the table should know: what the active player may do, and what it brings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from ledger.games.protocol import Choices, Surface
from ledger.games.tablero import throws
from ledger.games.tablero.board import (
    COLUMNS,
    SIDES,
    SIZE,
    Formation,
    Phase,
    formations,
    longest,
    place,
)
from ledger.games.tablero.play import ADDED, next_steps, wager_of
from ledger.games.tablero.refusals import may_wager
from ledger.games.tablero.state import State
from ledger.games.tablero.throws import Play, Step

COIN: Final = "@"
_SHOWN: Final = 3
"""Formations that are named in one line; there are more only with ``pull=part``."""


def remarks(state: State) -> Iterator[str]:
    """What may be done now and what it would bring, in a line; then what else matters."""
    if state.outcome is not None:
        return
    if choice := _choice(state):
        yield f"{choice}."
    if state.wager > SIZE:
        yield (
            f"{state.own}'s Wager of {state.wager} cannot be redeemed by any Formation; "
            f"{_losing(state)} ends it."
        )
    elif state.wager:
        yield (
            f"{state.own}'s Wager of {state.wager} stands: no Pull and no Run before a Formation "
            f"of {state.wager} is made; {_losing(state)} loses it."
        )
    if state.callable:
        yield (
            f"{_shown(state.dice)} is a Pass Number: {state.opponent} may call diablo until the "
            "last coin has moved."
        )
    if state.cap is not None and state.phase is Phase.THROW and not state.wager:
        yield f"Turn {state.turns + 1} of {state.cap}."


def _losing(state: State) -> str:
    return "a called Pass Number" if state.rules.called else "a Pass Number"


def _choice(state: State) -> str:
    own = state.own
    match state.phase:
        case Phase.ANSWER:
            return f"{own} may {_wager(state)}"
        case Phase.DECIDE:
            acts = [*_pulls(state), *_run(state)]
            return f"{own} may {', or '.join(('throw again', *acts))}" if acts else ""
        case Phase.RUN:
            return f"{own} runs: {_throwing(state)}"
        case Phase.RUN_OR_STOP:
            return f"{own} may {_stop(state)}, or throw again: {_throwing(state)}"
        case Phase.MOVE if state.may_be_done:
            return f"{own} may leave the other die: done"
        case _:
            return ""


def _pulls(state: State) -> Iterator[str]:
    standing = sorted(
        formations(state.rows, state.rules), key=lambda each: (-each.length, each.text)
    )
    for formation in standing[:_SHOWN]:
        part = " or a part" if state.rules.part and formation.length > 2 else ""
        yield f"pull {formation.text}{part}: {brings(state, formation)}"


def brings(state: State, formation: Formation) -> str:
    """What a Pull gives, and what the opponent has to fill: "+3; South must fill 3 of 9"."""
    return _taking(state, formation.length, formation.length)


def _taking(state: State, taken: int, columns: int) -> str:
    """So many points, and so many columns for the opponent to fill."""
    have = state.stakes[1 - state.active]
    if have < columns:
        return f"+{taken + have}, which wins: {state.opponent} has {have} to fill {columns}"
    return f"+{taken}; {state.opponent} must fill {columns} of {have}"


def _stop(state: State) -> str:
    return f"stop: {_taking(state, SIZE + state.pot, SIZE)}"


def _run(state: State) -> Iterator[str]:
    if longest(state.rows, state.rules) == SIZE:
        yield f"run: {_throwing(state)}"


def _throwing(state: State) -> str:
    """What a throw of a Run brings, and what a Pass Number costs."""
    have, own = state.stakes[1 - state.active], state.stakes[state.active]
    if have < ADDED and state.rules.banked:
        return f"the next throw wins, for {state.opponent} has {have} to add {ADDED}"
    wins = ", which wins" if have < ADDED else ""
    where = state.own if state.rules.banked else "the pot"
    loses = ", and loses" if own < SIZE else ""
    return (
        f"{ADDED} of {state.opponent}'s {have} go to {where}{wins}; on a Pass Number "
        f"{state.opponent} takes {SIZE + state.pot}, and {state.own} fills {SIZE} of {own}{loses}"
    )


def _wager(state: State) -> str:
    """How a Pass Number may be answered."""
    amount, stake = wager_of(state), state.stakes[state.active]
    if may_wager(state):
        never = ", which no Formation can redeem" if amount > SIZE else ""
        return f"pass, or wager {amount} of {stake}{never}"
    if amount > stake:
        return f"only pass: a Wager is {amount}, the stake {stake}"
    return f"only pass: a Wager of {amount} could never be redeemed"


def _shown(dice: tuple[int, ...]) -> str:
    return "-".join(map(str, dice))


def surface(state: State) -> Surface:
    """The board with its Formations, and where all the points are."""
    joined = tuple(
        tuple(place(column, found.row) for column in found.columns)
        for found in formations(state.rows, state.rules)
    )
    return Surface(
        columns=tuple(COLUMNS),
        rows=tuple(map(str, range(1, SIZE + 1))),
        pieces={place(column, row): COIN for column, row in enumerate(state.rows) if row},
        marks={},
        legend={COIN: "coin", "--": "Formation"},
        counts=(
            *((f"{side}'s stake", stake) for side, stake in zip(SIDES, state.stakes, strict=True)),
            ("Wager", state.wager),
            ("pot", state.pot),
        ),
        last=state.last,
        joined=joined,
        sides=SIDES,
    )


def choices(state: State) -> list[Choices]:
    """The plays of a throw by the die that moves a coin, since almost any coin may go with either;
    acts with what they bring."""
    match state.phase:
        case Phase.MOVE if state.rules.called:
            one_by_one = [(step,) for step in next_steps(state)]
            leave = [Choices("", ("done",))] if state.may_be_done else []
            return [*_by_die(one_by_one), *leave]
        case Phase.MOVE:
            one, two = state.left
            return _by_die(throws.plays(state.rows, (one, two), state.rules))
        case _:
            return [Choices("", tuple(_acts(state)))]


def _by_die(plays: Sequence[Play]) -> list[Choices]:
    pairs = [play for play in plays if len(play) == 2]
    alone = [step for play in plays if len(play) == 1 for step in play]
    found = []
    if pairs:
        found.append(Choices("", (f"{len(pairs)} plays move two coins, each from another line:",)))
        steps = {step for play in pairs for step in play}
        found += _by_distance(steps, twice=len({step.distance for step in steps}) == 1)
    if pairs and alone:
        found.append(Choices("", ("Or one coin alone:",)))
    return [*found, *_by_distance(alone)]


def _by_distance(steps: Iterable[Step], *, twice: bool = False) -> Iterator[Choices]:
    """The steps of each die, or of both together; ``twice``: of two equal dice."""
    for distance in sorted({step.distance for step in steps}):
        texts = [step.text for step in sorted(steps) if step.distance == distance]
        yield from [Choices(f"{distance}:", tuple(texts))] * (2 if twice else 1)


def _acts(state: State) -> Iterator[str]:
    if state.phase is Phase.ANSWER:
        yield "pass"
        if may_wager(state):
            yield f"wager: {wager_of(state)} of {state.stakes[state.active]}"
    if state.phase is Phase.DECIDE:
        yield from (f"pull {each.text}: {brings(state, each)}" for each in pulls(state))
        yield from _run(state)
    if state.phase is Phase.RUN_OR_STOP:
        yield _stop(state)


def pulls(state: State) -> Iterator[Formation]:
    """Every Formation, or part of one, that may be taken."""
    for whole in formations(state.rows, state.rules):
        if not state.rules.part:
            yield whole
            continue
        for first in range(whole.first, whole.last):
            for last in range(first + 1, whole.last + 1):
                yield Formation(whole.row, first, last)
