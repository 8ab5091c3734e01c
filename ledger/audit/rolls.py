"""The dice of a match as an auditor sees them: every roll, and whom one has to trust for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import assert_never

from ledger.audit.report import DiceReport, RollReport, UnopenedReport
from ledger.events import CommitReveal, Physical, RollConfirmed, RollRecorded
from ledger.fold import MatchState
from ledger.fold.due import Step, due
from ledger.fold.rolls import awaited
from ledger.fold.state import ARBITER


def dice_report(state: MatchState) -> DiceReport | None:
    """``None`` for a game without dice."""
    scheme, rolling = state.opening.dice, state.rolling
    if scheme is None:
        return None
    given_up = [
        UnopenedReport(each.number, each.seat, each.owed, in_flight=False)
        for each in rolling.unopened
    ]
    flight = rolling.flight
    if flight is not None:
        given_up.append(UnopenedReport(rolling.number, flight.seat, awaited(state), in_flight=True))
    return DiceReport(
        scheme=str(scheme.__struct_config__.tag),
        contributors=scheme.contributors if isinstance(scheme, CommitReveal) else (),
        rolls=tuple(
            RollReport(roll.number, roll.seq, roll.seat, roll.dice, roll.voided)
            for roll in rolling.rolls
        ),
        unopened=tuple(given_up),
        statement=_statement(state, given_up),
    )


def waits(state: MatchState) -> str:
    """Who owes what before anything else can happen, in a sentence; "" for an ordinary turn."""
    awaited_step = due(state)
    whose = " and ".join(_named(state, role) for role in awaited_step.whose)
    number = state.rolling.number
    match awaited_step.step:
        case Step.ACCEPT:
            return f"{whose} did not accept the match: no play was possible."
        case Step.COMMIT:
            return f"{whose} did not commit to roll {number}: it cannot be thrown."
        case Step.OPEN:
            return f"Roll {number} was thrown and {whose} owes its opening: nothing else goes on."
        case Step.CONFIRM:
            return f"{whose} did not confirm the dice that were written down: nothing moves."
        case _:
            return ""


def _statement(state: MatchState, unopened: Sequence[UnopenedReport]) -> str:
    match state.opening.dice:
        case CommitReveal(contributors=roles):
            return " ".join([_computed(state), *_trusted(state, roles), *_refused(state, unopened)])
        case Physical():
            return " ".join(_on_the_table(state))
        case None:
            return ""
        case _ as never:
            assert_never(never)


def _computed(state: MatchState) -> str:
    count = len(state.rolling.rolls)
    rolls = "1 roll was" if count == 1 else f"{count} rolls were"
    return (
        f"Dice by commit-reveal: {rolls} computed anew from the numbers opened, each committed to "
        "before its throw."
    )


def _trusted(state: MatchState, roles: Sequence[str]) -> list[str]:
    names = [state.roster[role].name for role in roles]
    if len(roles) == 1:
        return [
            f"They come from the device of {names[0]} (arbiter) alone: fair only if you trust "
            f"{names[0]}, who could know and choose them beforehand."
        ]
    said = [
        f"They are fair if {' or '.join(names)} kept their numbers secret until the throw; that "
        "the contributors did not act together is not proven."
    ]
    if roles[-1] == ARBITER:
        said.append("The arbiter opened last: no player saw dice that they could still refuse.")
    else:
        said.append("Whoever opened last saw the dice first and could have refused to open.")
    return said


def _refused(state: MatchState, unopened: Sequence[UnopenedReport]) -> list[str]:
    if not unopened:
        return ["No roll was left unopened."]
    blamed = Counter(each.owed[0] for each in unopened if each.owed)
    by = ", ".join(f"{_named(state, role)} {count}" for role, count in blamed.items())
    numbers = ", ".join(str(each.roll) for each in unopened)
    return [f"Thrown and never opened: roll {numbers} (owed by: {by})."]


def _on_the_table(state: MatchState) -> list[str]:
    rolls, scheme = state.rolling.rolls, state.opening.dice
    voided = sum(roll.voided is not None for roll in rolls)
    recorded = Counter(
        entry.event.by for entry in state.entries if isinstance(entry.event, RollRecorded)
    )
    by = ", ".join(f"{_named(state, role)} {count}" for role, count in recorded.items())
    said = [f"Physical dice, as they lay on the table, written down by: {by or 'nobody yet'}."]
    if isinstance(scheme, Physical) and scheme.confirm:
        scribed = sum(
            entry.event.for_ is not None
            for entry in state.entries
            if isinstance(entry.event, RollConfirmed)
        )
        said.append("The other seat confirmed each before anything moved.")
        if scribed:
            said.append(f"{scribed} of these the arbiter wrote for a seat without a key.")
    else:
        said.append("Nobody had to confirm them: for each there is the word of who wrote it down.")
    if voided:
        said.append(f"{voided} voided, each with its reason in the log.")
    said.append("How they fell, and with which dice, no record can prove.")
    return said


def _named(state: MatchState, role: str) -> str:
    return f"{state.roster[role].name} ({role})"
