"""The dice of a match as an auditor sees them: every roll, and whom one has to trust for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import assert_never

from ledger.audit.report import DiceReport, RollReport, UnopenedReport
from ledger.events import CommitReveal, Physical, RollConfirmed, RollRecorded, Ruling
from ledger.fold import MatchState
from ledger.fold.due import Step, due
from ledger.fold.rolls import awaited
from ledger.fold.state import ARBITER


def dice_report(state: MatchState, *, whole: bool) -> DiceReport | None:
    """``None`` for a game without dice. ``whole``: every event was judged; else nobody is said to
    owe anything."""
    scheme = state.opening.dice
    if scheme is None:
        return None
    unopened = tuple(_unopened(state)) if whole else ()
    said = _statement(state, unopened)
    if not whole:
        said = f"Dice were judged up to event {state.seq} only. {said}"
    return DiceReport(
        scheme=str(scheme.__struct_config__.tag),
        contributors=scheme.contributors if isinstance(scheme, CommitReveal) else (),
        rolls=tuple(
            RollReport(roll.number, roll.seq, roll.seat, roll.dice, roll.voided)
            for roll in state.rolling.rolls
        ),
        unopened=unopened,
        statement=said if whole else f"{said} What became of later rolls is not known.",
    )


def _unopened(state: MatchState) -> Iterator[UnopenedReport]:
    for each in state.rolling.unopened:
        yield UnopenedReport(each.number, each.seat, each.owed, each.ended)
    flight = state.rolling.flight
    if flight is not None:
        yield UnopenedReport(state.rolling.number, flight.seat, awaited(state), None)


def waits(state: MatchState) -> str:
    """Who owes what before anything else can happen, in a sentence; "" for an ordinary turn."""
    owed = due(state)
    whose = " and ".join(_named(state, role) for role in owed.whose)
    have = "has" if len(owed.whose) == 1 else "have"
    number = state.rolling.number
    match owed.step:
        case Step.ACCEPT:
            return f"{whose} {have} not accepted the match yet: no play was possible."
        case Step.COMMIT:
            return f"{whose} {have} not committed to roll {number} yet: it cannot be thrown."
        case Step.OPEN:
            return f"Roll {number} was thrown and {whose} owes its opening: nothing else goes on."
        case Step.CONFIRM:
            return f"{whose} has not confirmed the dice that were written down: nothing moves."
        case _:
            return ""


def _statement(state: MatchState, unopened: Sequence[UnopenedReport]) -> str:
    if state.opening.source is not None:
        return "Dice as the imported file has them: nothing here proves how they were made."
    match state.opening.dice:
        case CommitReveal(contributors=roles):
            return " ".join([_computed(state), *_trusted(state, roles), *_left(state, unopened)])
        case Physical(confirm=confirm):
            return " ".join(_on_the_table(state, confirm=confirm))
        case None:
            return ""
        case _ as never:
            assert_never(never)


def _computed(state: MatchState) -> str:
    count = len(state.rolling.rolls)
    if not count:
        return "Dice by commit-reveal: no roll is open yet."
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
        f"They are fair if {', '.join(names[:-1])} or {names[-1]} kept their numbers secret until "
        "the throw; that the contributors did not act together is not proven."
    ]
    if roles[-1] == ARBITER:
        said.append("The arbiter opened last: no player saw dice that they could still refuse.")
    else:
        said.append("Whoever opened last saw the dice first and could have refused to open.")
    return said


def _left(state: MatchState, unopened: Sequence[UnopenedReport]) -> list[str]:
    """The rolls that were thrown and not opened by all, with what ended them."""
    said = []
    for each in unopened:
        owed = _named(state, each.owed[0])
        if each.ended is None:
            said.append(f"Roll {each.roll} is thrown and waits for {owed} to open it.")
            continue
        ending = state.entries[each.ended].event
        what = "the ruling" if isinstance(ending, Ruling) else "the resignation"
        said.append(
            f"Roll {each.roll} was never opened: {owed} owed it when {what} of event {each.ended} "
            "ended it."
        )
    return said or ["No roll was left unopened."]


def _on_the_table(state: MatchState, *, confirm: bool) -> list[str]:
    rolls = state.rolling.rolls
    voided = sum(roll.voided is not None for roll in rolls)
    events = [entry.event for entry in state.entries]
    recorded = Counter(event.by for event in events if isinstance(event, RollRecorded))
    confirmed = Counter(event.by for event in events if isinstance(event, RollConfirmed))
    said = [
        "Physical dice, as they lay on the table, written down by: "
        f"{_counted(state, recorded) or 'nobody yet'}."
    ]
    if not confirm:
        said.append("Nobody had to confirm them: for each there is the word of who wrote it down.")
    elif confirmed:
        said.append(f"Nothing moved before a confirmation: {_counted(state, confirmed)}.")
    if confirmed[ARBITER]:
        said.append(
            "What the arbiter confirmed for a seat without a key is the arbiter's word only."
        )
    if voided:
        each = "its reason stands" if voided == 1 else "the reasons stand"
        said.append(f"{voided} voided; {each} in the log.")
    said.append("How they fell, and with which dice, no record can prove.")
    return said


def _counted(state: MatchState, counts: Counter[str]) -> str:
    return ", ".join(f"{_named(state, role)} {count}" for role, count in counts.items())


def _named(state: MatchState, role: str) -> str:
    return f"{state.roster[role].name} ({role})"
