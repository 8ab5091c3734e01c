"""The dice of a match as an auditor sees them: every roll, and whom one has to trust for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple, assert_never

from ledger.audit.naming import listed, named
from ledger.audit.report import DiceReport, DiceTrust, RollReport, UnopenedReport
from ledger.events import (
    AppealDecided,
    CommitReveal,
    NewContributors,
    Physical,
    RollConfirmed,
    Rolled,
    RollRecorded,
    RollVoided,
    Ruling,
)
from ledger.fold import MatchState, overruled
from ledger.fold.parts import ARBITER, Party, Roll
from ledger.fold.rolls import awaited


def dice_report(state: MatchState, *, whole: bool) -> DiceReport | None:
    """``None`` for a game without dice. ``whole``: every event was judged; else nobody is said to
    owe anything."""
    scheme = state.opening.dice
    if scheme is None:
        return None
    unopened = tuple(_unopened(state)) if whole else ()
    trust = tuple(_trust(state)) if isinstance(scheme, CommitReveal) else ()
    grounds = _grounds(state, trust)
    left = _left(unopened) if isinstance(scheme, CommitReveal) and not state.opening.source else []
    said = " ".join((*grounds, *left))
    if not whole:
        said = f"Dice were judged up to event {state.seq} only. {said}"
    return DiceReport(
        scheme=str(scheme.__struct_config__.tag),
        contributors=scheme.contributors if isinstance(scheme, CommitReveal) else (),
        rolls=tuple(_roll(state, roll) for roll in state.rolling.rolls),
        unopened=unopened,
        statement=said if whole else f"{said} What became of later rolls is not known.",
        grounds=tuple(grounds),
        trust=trust if state.opening.source is None else (),
        dead=tuple(sorted(set(range(1, state.rolling.number)) - _fallen(state))),
    )


def _fallen(state: MatchState) -> set[int]:
    """Numbers of rolls that have dice, or wait for their confirmation."""
    recorded = state.rolling.recorded
    waiting = {recorded.roll.number} if recorded else set()
    return waiting | {roll.number for roll in state.rolling.rolls}


def _roll(state: MatchState, roll: Roll) -> RollReport:
    event = state.entries[roll.voided].event if roll.voided is not None else None
    reason = None
    match event:
        case RollVoided() | Ruling() | AppealDecided():
            reason = event.data.reason
        case RollConfirmed(data=given):
            asked = next(each.event for each in state.entries if each.hash == given.confirms)
            reason = asked.data.reason if isinstance(asked, RollVoided) else None
        case _:
            pass
    return RollReport(
        roll=roll.number,
        event=roll.seq,
        seat=roll.seat,
        dice=roll.dice,
        voided=roll.voided,
        voided_by=event.by if event else None,
        reason=reason,
        awarded=roll.awarded,
    )


def _unopened(state: MatchState) -> Iterator[UnopenedReport]:
    thrown, flight = _throws(state), state.rolling.flight
    left: list[tuple[int, str, tuple[str, ...], int | None]] = [
        (each.number, each.seat, each.owed, each.ended) for each in state.rolling.unopened
    ]
    if flight is not None:
        left.append((state.rolling.number, flight.seat, awaited(state), None))
    for number, seat, owed, ended in left:
        since = thrown[number]
        name = state.holder(owed[0], since).name
        lost = _lost(state, owed[0], since, ended)
        how = _ending(state, ended) if ended is not None else ""
        yield UnopenedReport(number, seat, owed, ended, since, name, lost, how)


def _lost(state: MatchState, role: str, since: int, until: int | None) -> int | None:
    """The event that replaced the key of ``role`` between the throw and its end."""
    for change in state.changes:
        if change.before.role == role and since < change.seq <= (until or state.seq):
            return change.seq
    return None


def _throws(state: MatchState) -> Mapping[int, int]:
    """The event that threw each roll."""
    return {
        entry.event.data.roll: entry.event.seq
        for entry in state.entries
        if isinstance(entry.event, Rolled)
    }


# -- whom to trust -----------------------------------------------------------------------------


class _Makers(NamedTuple):
    """Who made a roll; ``awarded``: the ruling that said how it fell."""

    holders: tuple[Party, ...]
    awarded: int | None


def _trust(state: MatchState) -> Iterator[DiceTrust]:
    """Rolls in their order, those together that the same people made, and whom to believe for
    them. Those to come count with the last, or alone where others will make them."""
    named_by = _namings(state)
    made = [(roll.number, _makers(state, roll, named_by)) for roll in state.rolling.rolls]
    if state.result is None:
        flight = state.rolling.flight
        since = flight.thrown if flight else state.seq + 1
        coming = tuple(state.holder(role, since) for role in state.contributors)
        made.append((state.rolling.number, _Makers(coming, None)))
    groups = [
        (makers, [number for number, _ in group])
        for makers, group in groupby(made, key=lambda each: each[1])
    ]
    for makers, numbers in groups:
        last = None if numbers[-1] == state.rolling.number else numbers[-1]
        alone = len(groups) == 1
        which = "They" if alone and makers.awarded is None else _which(numbers[0], last)
        yield DiceTrust(
            first=numbers[0],
            last=last,
            contributors=tuple(party.role for party in makers.holders),
            awarded=makers.awarded,
            statement=_fair(state, makers, which, alone=alone),
        )


def _namings(state: MatchState) -> list[tuple[int, tuple[str, ...]]]:
    """Who makes the dice after roll N, in the order in which it was ruled."""
    scheme = state.opening.dice
    found = [(0, scheme.contributors if isinstance(scheme, CommitReveal) else ())]
    for entry in state.entries:
        if isinstance(entry.event, Ruling | AppealDecided):
            for effect in entry.event.data.effects:
                if isinstance(effect, NewContributors):
                    found.append((effect.roll, effect.contributors))
    return found


def _makers(
    state: MatchState, roll: Roll, namings: Sequence[tuple[int, tuple[str, ...]]]
) -> _Makers:
    if roll.awarded:
        event = state.entries[roll.seq].event
        return _Makers((state.holder(event.by, roll.seq),), roll.seq)
    roles = next(roles for since, roles in reversed(namings) if since < roll.number)
    return _Makers(tuple(state.holder(role, roll.thrown) for role in roles), None)


def _which(first: int, last: int | None) -> str:
    if last is None:
        return f"The rolls from {first} on"
    if first == last:
        return f"Roll {first}"
    return f"Rolls {first} {'and' if last == first + 1 else 'to'} {last}"


def _fair(state: MatchState, makers: _Makers, which: str, *, alone: bool) -> str:
    """``alone``: the same people made all rolls, and their roles need not be said."""
    first, one = makers.holders[0], which.startswith("Roll ")
    if makers.awarded is not None:
        event = state.entries[makers.awarded].event
        what = "ruling" if isinstance(event, Ruling) else "decision"
        was, dice = ("was", "its dice") if one else ("were", "their dice")
        by = overruled(state).get(makers.awarded)
        back = f" Event {by} took that back." if by is not None else ""
        return (
            f"{which} {was} awarded by the {what} of event {makers.awarded}: for {dice} there is "
            f"only the word of {first.name} ({first.role}).{back}"
        )
    names = [party.name if alone else _with_key(state, party) for party in makers.holders]
    if len(names) == 1:
        return (
            f"{which} {'comes' if one else 'come'} from the device of {first.name} ({first.role}) "
            f"alone: fair only if you trust {first.name}, who could know and choose them "
            "beforehand."
        )
    said = (
        f"{which} {'is' if one else 'are'} fair if {listed(names, 'or')} kept their numbers secret "
        "until the throw; that the contributors did not act together is not proven."
    )
    if makers.holders[-1].role == ARBITER:
        return f"{said} The arbiter opened last: no player saw dice that they could still refuse."
    return f"{said} Whoever opened last saw the dice first and could have refused to open."


def _with_key(state: MatchState, party: Party) -> str:
    """A contributor, and since when, if their key was put in later."""
    since = next((change.seq for change in state.changes if change.after == party), None)
    key = f", key of event {since}" if since is not None and party.key else ""
    return f"{party.name} ({party.role}{key})"


def _grounds(state: MatchState, trust: Sequence[DiceTrust]) -> list[str]:
    if state.opening.source is not None:
        return ["Dice as the imported file has them: nothing here proves how they were made."]
    match state.opening.dice:
        case CommitReveal():
            return [_computed(state), *(each.statement for each in trust)]
        case Physical(confirm=confirm):
            return _on_the_table(state, confirm=confirm)
        case None:
            return []
        case _ as never:
            assert_never(never)


def _computed(state: MatchState) -> str:
    count = sum(not roll.awarded for roll in state.rolling.rolls)
    if not count:
        return "Dice by commit-reveal: no roll is open yet."
    rolls = "1 roll was" if count == 1 else f"{count} rolls were"
    return (
        f"Dice by commit-reveal: {rolls} computed anew from the numbers opened, each committed to "
        "before its throw."
    )


def _left(unopened: Sequence[UnopenedReport]) -> list[str]:
    """The rolls that were thrown and not opened by all, with what ended them."""
    said = []
    for each in unopened:
        owed = f"{each.name} ({each.owed[0]})"
        lost = f", whose key was replaced in event {each.key_lost}" if each.key_lost else ""
        if each.ended is not None:
            said.append(
                f"Roll {each.roll} was never opened: {owed}{lost}{',' if lost else ''} owed it "
                f"when {each.how} ended it."
            )
        elif lost:
            said.append(
                f"Roll {each.roll} is thrown and waits for {owed}{lost}: that counts as a refusal "
                "until the arbiter has ruled."
            )
        else:
            said.append(f"Roll {each.roll} is thrown and waits for {owed} to open it.")
    return said or ["No roll was left unopened."]


def _ending(state: MatchState, seq: int) -> str:
    match state.entries[seq].event:
        case Ruling():
            return f"the ruling of event {seq}"
        case AppealDecided():
            return f"the decision of event {seq}"
        case _:
            return f"the resignation of event {seq}"


def _on_the_table(state: MatchState, *, confirm: bool) -> list[str]:
    rolls = state.rolling.rolls
    voided = sum(roll.voided is not None for roll in rolls)
    events = [entry.event for entry in state.entries]
    recorded = Counter(
        named(state, event.by, event.seq) for event in events if isinstance(event, RollRecorded)
    )
    confirmations = [event for event in events if isinstance(event, RollConfirmed)]
    confirmed = Counter(named(state, event.by, event.seq) for event in confirmations)
    said = [
        "Physical dice, as they lay on the table, written down by: "
        f"{_counted(recorded) or 'nobody yet'}."
    ]
    if not confirm:
        said.append("Nobody had to confirm them: for each there is the word of who wrote it down.")
    elif confirmed:
        said.append(f"Nothing moved before a confirmation: {_counted(confirmed)}.")
    if any(event.by == ARBITER for event in confirmations):
        said.append(
            "What the arbiter confirmed for a seat without a key is the arbiter's word only."
        )
    if voided:
        each = "its reason stands" if voided == 1 else "the reasons stand"
        said.append(f"{voided} voided; {each} in the log.")
    said.append("How they fell, and with which dice, no record can prove.")
    return said


def _counted(counts: Counter[str]) -> str:
    return ", ".join(f"{who} {count}" for who, count in counts.items())
