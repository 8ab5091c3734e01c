"""A game of tablero phase by phase: what every throw and every act leads to.

What is done here is known to be legal: ``refusals`` has what is not, ``throws`` where coins may
move, ``board`` what Formations are. Always: stakes, coins on the board, Wager and pot make 36.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from ledger.games.protocol import Outcome, Throw
from ledger.games.tablero import throws
from ledger.games.tablero.board import (
    BASELINES,
    EMPTY,
    NORTH,
    PASS_NUMBERS,
    RUNNING,
    SEATS,
    SIDES,
    SIZE,
    SOUTH,
    STAKE,
    Formation,
    Phase,
    longest,
    place,
)
from ledger.games.tablero.state import State, ended
from ledger.games.tablero.throws import Play, Step

ADDED: Final = 2
"""Coins that the opponent adds for a throw of a Run."""


# -- throws --------------------------------------------------------------------------------


def wanted(state: State) -> Throw | None:
    """The throw that may be made; with a Formation to pull or a Run to stop it need not be."""
    match state.phase:
        case Phase.OPENING:
            return Throw(SEATS[SOUTH], SEATS)
        case Phase.THROW | Phase.DECIDE | Phase.RUN | Phase.RUN_OR_STOP:
            seat = SEATS[state.active]
            return Throw(seat, (seat, seat))
        case _:
            return None


def throw(state: State, one: int, two: int) -> State:
    """The state once the wanted dice lie."""
    if state.phase is Phase.OPENING:
        return _opened(state, one, two)
    if state.phase in RUNNING:
        return _ran(state, (one, two))
    state = replace(state, last=(), news="")
    pass_number = one + two in PASS_NUMBERS
    if pass_number and not state.rules.called:
        return _pass_number(replace(state, dice=(one, two)))
    if throws.playable(state.rows, (one, two), state.rules):
        return replace(state, phase=Phase.MOVE, dice=(one, two), left=(one, two))
    if state.rules.passes:
        return _given_over(state, "it cannot be played: the dice pass")
    return _moved(replace(state, news="no coin can be moved"))


def _opened(state: State, south: int, north: int) -> State:
    """Five coins of the starter and two of the other, each from their own right."""
    if south == north:
        return replace(state, news="equal: once more")
    side = SOUTH if (south > north) != state.rules.low else NORTH
    rows = (NORTH, NORTH, *[SOUTH] * 5) if side == SOUTH else (*[NORTH] * 5, SOUTH, SOUTH)
    stakes = (STAKE - 5, STAKE - 2) if side == SOUTH else (STAKE - 2, STAKE - 5)
    return replace(
        state,
        rows=tuple(BASELINES[each] for each in rows),
        stakes=stakes,
        side=side,
        phase=Phase.THROW,
        news="",
    )


def _pass_number(state: State) -> State:
    """It is answered, or, under a Wager, loses it and the dice."""
    if state.wager:
        return _given_over(state, "a Pass Number")
    return replace(state, phase=Phase.ANSWER, left=(), moved=None, news="a Pass Number")


def _given_over(state: State, why: str) -> State:
    """The dice pass, and a standing Wager with them."""
    if state.wager:
        why = f"{why}; the Wager of {state.wager} goes to {state.opponent}"
        state = _paid(state, 1 - state.active, state.wager)
    return _passed(replace(state, wager=0), why)


def _ran(state: State, dice: tuple[int, int]) -> State:
    """A throw of a Run. What the opponent adds is staked before it (``run=banked``), or comes
    after it unless it is a Pass Number."""
    side = state.active
    safe = sum(dice) not in PASS_NUMBERS
    if (safe or state.rules.banked) and state.stakes[1 - side] < ADDED:
        return _unpaid(state)
    if not safe:
        return _failed(state)
    state = replace(_paid(state, 1 - side, -ADDED), phase=Phase.RUN_OR_STOP, last=())
    if state.rules.banked:
        return replace(_paid(state, side, ADDED), news=f"{ADDED} of {state.opponent} are safe")
    return replace(state, pot=state.pot + ADDED, news=f"{state.opponent} adds {ADDED} to the pot")


def _unpaid(state: State) -> State:
    """The opponent cannot add two: what there is goes to the runner, and the board is empty."""
    side = state.active
    state = _paid(state, side, state.stakes[1 - side] + state.pot + SIZE)
    stakes = tuple(0 if each == 1 - side else points for each, points in enumerate(state.stakes))
    return _over(
        replace(state, stakes=stakes, pot=0, rows=EMPTY),
        side,
        f"{state.opponent} cannot add {ADDED} coins to the Run",
    )


def _failed(state: State) -> State:
    """A Pass Number in a Run: seven and pot go to the opponent, the runner fills the board."""
    taker = 1 - state.active
    return _taken(state, taker, range(SIZE), "a Pass Number; ")


def _moved(state: State) -> State:
    """The moves of a throw are made: a Wager is redeemed, stands, or there was none."""
    state = replace(state, dice=(), left=(), moved=None, phase=Phase.DECIDE)
    if not state.wager:
        return state
    if longest(state.rows, state.rules) < state.wager:
        return replace(state, phase=Phase.THROW)
    news = f"the Wager of {state.wager} goes back to {state.own}"
    news = f"{state.news}; {news}" if state.news else news
    return replace(_paid(state, state.active, state.wager), wager=0, news=news)


# -- acts ----------------------------------------------------------------------------------


def move(state: State, play: Play) -> State:
    """The state after a play that is known to be legal; of one step where each coin moves by
    itself."""
    last = tuple(place(step.column, row) for step in play for row in (step.source, step.target))
    after = replace(state, rows=throws.after(state.rows, play), last=last, news="")
    if not state.rules.called:
        return _moved(after)
    (step,) = play
    after = replace(after, last=(*(state.last if state.moved is not None else ()), *last))
    if len(state.left) == 1 or step.distance == sum(state.left):
        return _moved(after)
    left = state.left[1] if step.distance == state.left[0] else state.left[0]
    halfway = replace(after, left=(left,), moved=step.column)
    return halfway if next_steps(halfway) else _moved(after)


def next_steps(state: State) -> list[Step]:
    """What one coin may do next where each coin moves by itself (``diablo=called``)."""
    if len(state.left) == 1:
        found = throws.steps(state.rows, state.left[0])
        return [step for step in found if step.column != state.moved]
    one, two = state.left
    whole = throws.plays(state.rows, (one, two), state.rules)
    return sorted({step for each in whole for step in each})


def done(state: State) -> State:
    """The die that is left stays unplayed."""
    return _moved(replace(state, last=(), news=""))


def diablo(state: State) -> State:
    """The opponent calls: the Pass Number acts. A coin that has moved stays."""
    return _pass_number(replace(state, last=()))


def wager_of(state: State) -> int:
    """What a Wager would be now."""
    return max(longest(state.rows, state.rules), state.rules.lone) + 2


def wager(state: State) -> State:
    amount, side = wager_of(state), state.active
    news = f"{state.own} stakes {amount} of {state.stakes[side]}"
    after = replace(_paid(state, side, -amount), wager=amount, phase=Phase.THROW)
    return replace(after, dice=(), last=(), news=news)


def pass_on(state: State) -> State:
    return _passed(state, "")


def pull(state: State, formation: Formation) -> State:
    """The active player takes these coins, and the opponent fills the columns."""
    return _taken(state, state.active, formation.columns)


def run(state: State) -> State:
    return replace(state, phase=Phase.RUN, last=(), news="")


def stop(state: State) -> State:
    """The runner takes seven and pot, and the opponent fills the board."""
    return _taken(state, state.active, range(SIZE))


def settle(state: State, split: tuple[int, int]) -> State:
    """Both agree: all points are divided so, and the larger share wins."""
    news = f"{SIDES[SOUTH]} {split[SOUTH]}, {SIDES[NORTH]} {split[NORTH]}"
    shared = replace(state, rows=EMPTY, stakes=split, wager=0, pot=0)
    return _counted(shared, "settled", f"The players divide the coins: {news}")


# -- what all of them do -------------------------------------------------------------------


def _taken(state: State, taker: int, columns: range, why: str = "") -> State:
    """The coins of these columns go to the taker, and the pot with them; the other side fills the
    columns on its own Baseline, and the dice pass. Who cannot fill them all loses what there is to
    fill with, and the game."""
    filler = 1 - taker
    wanting, there, taken = len(columns), state.stakes[filler], len(columns) + state.pot
    news = f"{why}{SIDES[taker]} takes {taken}"
    state = replace(_paid(state, taker, taken), pot=0)
    squares = tuple(place(column, state.rows[column]) for column in columns)
    row = BASELINES[filler] if there >= wanting else 0
    rows = tuple(row if column in columns else old for column, old in enumerate(state.rows))
    state = replace(state, rows=rows, last=squares)
    if there >= wanting:
        news = f"{news}, {SIDES[filler]} fills {wanting}"
        return _passed(_paid(state, filler, -wanting), news)
    state = _paid(_paid(state, filler, -there), taker, there)
    state = replace(state, news=f"{news} and {SIDES[filler]}'s last {there}" if there else news)
    return _over(state, taker, f"{SIDES[filler]} has {there} to fill {wanting} columns with")


def _paid(state: State, side: int, points: int) -> State:
    """With so many points more in the stake of a side, or fewer."""
    south, north = state.stakes
    return replace(
        state, stakes=(south + points, north) if side == SOUTH else (south, north + points)
    )


def _passed(state: State, news: str) -> State:
    """The dice are the opponent's: a turn is over, and with the last one the game."""
    after = replace(
        state,
        side=1 - state.active,
        phase=Phase.THROW,
        dice=(),
        left=(),
        moved=None,
        turns=state.turns + 1,
        news=news,
    )
    if after.cap is None or after.turns < after.cap:
        return after
    south, north = after.stakes
    turns = f"{after.cap} turn{'s' * (after.cap != 1)}"
    why = f"After {turns} {SIDES[SOUTH]}'s stake is {south}, {SIDES[NORTH]}'s {north}"
    return _counted(after, "turn_cap", why)


def _counted(state: State, reason: str, why: str) -> State:
    """Over, won by the larger stake."""
    south, north = state.stakes
    winner = None if south == north else SOUTH if south > north else NORTH
    return _closed(state, winner, ended(winner, why, reason))


def _over(state: State, winner: int, why: str) -> State:
    return _closed(state, winner, ended(winner, why))


def _closed(state: State, winner: int | None, outcome: Outcome) -> State:
    return replace(
        state,
        side=winner,
        phase=Phase.OVER,
        wager=0,
        dice=(),
        left=(),
        moved=None,
        outcome=outcome,
    )
