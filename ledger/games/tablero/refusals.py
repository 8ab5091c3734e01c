"""What the rules refuse, phase by phase: each check names the rule and what comes first.

Nothing here changes a state.
"""

from __future__ import annotations

from typing import Final

from ledger.games.protocol import Illegal
from ledger.games.tablero import throws
from ledger.games.tablero.board import (
    BASELINES,
    COLUMNS,
    SIZE,
    Formation,
    Phase,
    formations,
    longest,
)
from ledger.games.tablero.play import next_steps, wager_of, wanted
from ledger.games.tablero.state import State
from ledger.games.tablero.throws import Play


def check_throw(state: State, dice: tuple[int, ...]) -> None:
    """Raises ``Illegal`` unless these dice may be thrown now."""
    if wanted(state) is None:
        raise Illegal("no-throw", f"No dice are thrown now: {why_not(state)}.")
    if len(dice) != 2 or not all(die in range(1, 7) for die in dice):
        raise Illegal("bad-dice", "A throw is two dice, each with a face from 1 to 6.")


def why_not(state: State) -> str:
    """Why what is asked for has no place in this phase: what comes first."""
    shown = "-".join(map(str, state.left or state.dice)) or "the throw"
    match state.phase:
        case Phase.OVER:
            return "the game is over"
        case Phase.OPENING:
            return "who begins is not decided; each throws one die first"
        case Phase.THROW if state.wager:
            return (
                f"{state.own}'s Wager of {state.wager} stands until a Formation of {state.wager} "
                "is made"
            )
        case Phase.THROW:
            return f"{state.own} throws first"
        case Phase.MOVE:
            return f"{shown} is to be moved first"
        case Phase.ANSWER:
            return f"{shown} is a Pass Number; it is answered first, by pass or wager"
        case Phase.DECIDE:
            return f"the throw is moved; {state.own} may pull, throw again, or run with seven"
        case Phase.RUN:
            return "a Run is declared; at least one throw follows"
        case Phase.RUN_OR_STOP:
            return f"{state.own} runs, and throws again or stops"


def check_pull(state: State, formation: Formation) -> None:
    """Raises ``Illegal`` unless the active player may take these coins."""
    said = f"pull {formation.text} is refused"
    check_phase(state, f"pull {formation.text}", Phase.DECIDE)
    standing = list(formations(state.rows, state.rules))
    if formation in standing:
        return
    for found in standing:
        inside = found.first <= formation.first and formation.last <= found.last
        if formation.row == found.row and inside and formation.length > 1:
            if state.rules.part:
                return
            raise Illegal(
                "whole", f"{said}: the Formation is {found.text}, taken whole (pull=whole)."
            )
    on_row = all(state.rows[column] == formation.row for column in formation.columns)
    alone = formation.length == 1
    if on_row and not alone and formation.row in BASELINES and not state.rules.baselines:
        raise Illegal(
            "baseline",
            f"{said}: coins on a Baseline are no Formation (baseline_formations=false).",
        )
    there = ", ".join(found.text for found in standing) or "none"
    raise Illegal("no-formation", f"{said}: that is no Formation. On the board: {there}.")


def check_wager(state: State) -> None:
    """Raises ``Illegal`` unless a Wager may be staked."""
    check_phase(state, "wager", Phase.ANSWER)
    amount, stake = wager_of(state), state.stakes[state.active]
    said = f"A Wager of {amount} is refused"
    if amount > SIZE and not state.rules.over_seven:
        raise Illegal(
            "over-seven", f"{said}: no Formation of {amount} can be made (wager_over_seven=false)."
        )
    if stake < amount:
        raise Illegal("stake", f"{said}: {state.own}'s stake is {stake}.")


def may_wager(state: State) -> bool:
    """Whether a Pass Number that is to be answered may be answered by a Wager."""
    amount = wager_of(state)
    redeemable = amount <= SIZE or state.rules.over_seven
    return redeemable and amount <= state.stakes[state.active]


def check_pass(state: State) -> None:
    check_phase(state, "pass", Phase.ANSWER)


def check_run(state: State) -> None:
    """Raises ``Illegal`` unless a Formation of seven stands and may be run with."""
    check_phase(state, "run", Phase.DECIDE)
    there = longest(state.rows, state.rules)
    if there < SIZE:
        raise Illegal(
            "no-run", f"run is refused: it takes a Formation of seven; the longest is {there}."
        )


def check_stop(state: State) -> None:
    check_phase(state, "stop", Phase.RUN_OR_STOP)


def check_diablo(state: State) -> None:
    """Raises ``Illegal`` unless a Pass Number is being moved and the variant is played."""
    if not state.rules.called:
        raise Illegal(
            "diablo",
            "diablo is refused: in this match a Pass Number acts by itself (diablo=automatic).",
        )
    if not state.callable:
        raise Illegal(
            "diablo",
            "diablo is refused: no Pass Number is being moved. It is called before the second "
            "coin, or the only one, has moved.",
        )


def check_done(state: State) -> None:
    if not state.may_be_done:
        raise Illegal(
            "both-dice",
            "done is refused: a die is left only once the other has brought the seventh coin into "
            "a Formation of six (diablo=called).",
        )


def check_move(state: State, play: Play) -> None:
    """Raises ``Illegal`` unless this is a play of the throw, or of one coin where each moves by
    itself."""
    check_phase(state, throws.spelled(play), Phase.MOVE)
    rules, left = state.rules, state.left
    if not rules.called:
        throws.check(state.rows, (left[0], left[1]), play, rules)
        return
    if len(play) > 1:
        raise Illegal(
            "one-coin",
            f"{throws.spelled(play)} is refused: each coin moves by itself, for Diablo may be "
            "called between (diablo=called).",
        )
    (step,) = play
    throws.check_there(state.rows, step)
    if step in next_steps(state):
        return
    if step.column == state.moved:
        raise Illegal(
            "turn-back",
            f"{step.text} is refused: the coin of column {COLUMNS[step.column]} has moved in this "
            "throw.",
        )
    if len(left) == 2:
        throws.check(state.rows, (left[0], left[1]), play, rules)
    shown = "-".join(map(str, left))
    raise Illegal(
        "no-die", f"{step.text} is refused: the coin goes {step.distance}; left: {shown}."
    )


def check_phase(state: State, act: str, phase: Phase) -> None:
    """Raises ``Illegal`` with what comes first unless the game is in this phase."""
    if state.phase is not phase:
        raise Illegal(_code(state), f"{act} is refused: {why_not(state)}.")


_CODES: Final = {
    Phase.OPENING: "throw-first",
    Phase.THROW: "throw-first",
    Phase.MOVE: "move-first",
    Phase.ANSWER: "answer-first",
    Phase.DECIDE: "moved",
    Phase.RUN: "running",
    Phase.RUN_OR_STOP: "running",
    Phase.OVER: "game-over",
}


def _code(state: State) -> str:
    if state.wager and state.phase is Phase.THROW:
        return "wager-stands"
    return _CODES[state.phase]
