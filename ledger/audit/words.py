"""What a match proves, by whom, and what not: sentences for a reader who trusts nobody."""

from __future__ import annotations

from collections.abc import Sequence

from ledger.audit.comparing import digits, is_head
from ledger.audit.judging import Reading
from ledger.audit.naming import listed
from ledger.audit.people import countersignatures
from ledger.audit.report import OpeningReport, PartyReport, Trust
from ledger.fold import MatchState, Phase, describe
from ledger.fold.due import Step, due
from ledger.fold.rolls import awaited
from ledger.games import changed_options


def opening(state: MatchState) -> OpeningReport:
    said, rules = state.opening, state.opening.ruleset
    return OpeningReport(
        ruleset=rules.name,
        version=rules.version,
        changed=dict(changed_options(state.game, rules.name, rules.options)),
        document=rules.document,
        event=said.event,
        round=said.round,
        table=said.table,
        place=said.place,
        date=said.date,
    )


def who_wrote(party: PartyReport) -> str:
    """Whose key signed how much; for a seat without a key what the arbiter wrote down."""
    who = f"{party.name} ({party.role})"
    if party.keyid is None and not party.written_for:
        return f"{who} has no key, and has done nothing that was written down."
    if party.keyid is None:
        return (
            f"{who} has no key: the arbiter wrote down all of their acts ({party.written_for}). "
            "For these there is only the arbiter's word."
        )
    after = f"after event {party.since}" if party.since else ""
    until = f"up to event {party.until}" if party.until else ""
    when = " and ".join(filter(None, (after, until)))
    return f"The key of {who} signed {events(party.signed)}{f', {when}' if when else ''}."


def keys_statement(trust: Trust) -> str:
    if trust.signers is None:
        return (
            "Keys were checked against nobody: whoever opened the match could have invented the "
            "players. Give --signers with a file of keys that you trust."
        )
    return (
        "Keys were compared with your signers file. A signature proves which key signed, not "
        "whose hand."
    )


def rules_statement(rules: OpeningReport) -> str:
    how = ", ".join(f"{name}={str(value).lower()}" for name, value in rules.changed.items())
    return (
        f"Played by {rules.ruleset}, version {rules.version}{f', changed: {how}' if how else ''}."
    )


def end_statement(reading: Reading, state: MatchState) -> str:
    """How the record ends, and with which result."""
    last = len(reading.hashes) - 1
    if reading.stuck:
        return f"Judged by the rules up to event {state.seq} of {last}: no result is proven."
    owed = waits(state)
    rest = f" {owed}" if owed else ""
    if state.closed:
        appeal = " under appeal" if state.phase is Phase.APPEALED else ""
        signed = _signatures(reading, state)
        text = f"Ends at event {last}, closed{appeal}{_result(state)}; {signed}.{rest}"
    elif state.moments[-1].result:
        text = f"Ends at event {last}, not closed: over{_result(state)}.{rest}"
    else:
        text = f"Ends at event {last}, not closed: the game is not over.{rest}"
    return f"With the faults found this is not proven: {text}" if reading.faults else text


def _result(state: MatchState) -> str:
    return f" with {describe(state.result)}" if state.result else ""


def _signatures(reading: Reading, state: MatchState) -> str:
    """Who has countersigned the result that stands, and which seats could have."""
    signed = {event.by for event in countersignatures(reading)}
    instead = state.sheet.for_absent if state.sheet else {}
    names = [
        party.name
        for party in state.roster.values()
        if party.role in signed and party.role not in instead.values()
    ]
    missing = [
        state.roster[seat].name
        for seat in state.game.seats
        if state.roster[seat].key is not None and seat not in signed | instead.keys()
    ]
    by = f"countersigned by {' and '.join(names) or 'nobody'}"
    by = f"{by}, not by {' or '.join(missing)}" if names and missing else by
    for seat, witness in instead.items():
        by += f"; {state.roster[witness].name} instead of {state.roster[seat].name}"
    return by


def waits(state: MatchState) -> str:
    """Who owes what before anything else can happen, in a sentence; "" for an ordinary turn."""
    owed = due(state)
    whose = " and ".join(f"{state.roster[role].name} ({role})" for role in owed.whose)
    have = "has" if len(owed.whose) == 1 else "have"
    number = state.rolling.number
    match owed.step:
        case Step.ACCEPT if state.changes:
            return f"{whose} {have} not accepted the match with the new key yet: nothing goes on."
        case Step.ACCEPT:
            return f"{whose} {have} not accepted the match yet: no play was possible."
        case Step.COMMIT:
            return f"{whose} {have} not committed to roll {number} yet: it cannot be thrown."
        case Step.OPEN:
            return f"Roll {number} was thrown and {whose} owes its opening: nothing else goes on."
        case Step.CONFIRM:
            return f"{whose} has not confirmed the dice that were written down: nothing moves."
        case Step.RULE:
            return f"{_to_rule_on(state)}: {whose} has not ruled."
        case Step.RESUME:
            return f"The game was adjourned by event {state.adjourned}; {whose} has not resumed it."
        case Step.DECIDE:
            pending = listed([str(appeal.seq) for appeal in state.appealed])
            return f"The appeal of event {pending} waits: {whose} has not decided."
        case _:
            return ""


def _to_rule_on(state: MatchState) -> str:
    if state.dispute is not None:
        return f"The dispute of event {state.dispute.seq} is open"
    if state.rolling.flight is not None:
        lost = state.roster[awaited(state)[0]]
        return (
            f"Roll {state.rolling.number} was thrown, and the number of {lost.name} ({lost.role}) "
            "went with the old key"
        )
    return "Somebody who makes the dice has no key any more"


def head_statement(reading: Reading) -> list[str]:
    head, last = reading.trust.head, reading.hashes[-1]
    if head is None:
        return [
            "Compared with no score sheet: a record cut off at its end is still a valid "
            "beginning. Give --head with the hash noted down at the table."
        ]
    wanted = digits(head)
    if last is None or not is_head(head) or not last.startswith(wanted):
        return []
    return [f"The last event has the head hash given ({len(wanted)} of 64 digits compared)."]


def limits(reading: Reading) -> list[str]:
    """What no record can prove."""
    state = reading.state
    said = [keys_statement(reading.trust), *head_statement(reading)]
    if state is not None and state.opening.source:
        said.append(
            f"The moves were read from a file ({state.opening.source.format}, SHA-256 "
            f"{state.opening.source.sha256}): nothing here proves that the file tells the truth."
        )
    return [*said, "Times are the signers' own clocks: they prove nothing."]


def statements(
    parties: Sequence[PartyReport],
    rules: OpeningReport | None,
    dice: str,
    end: str,
    limited: Sequence[str],
) -> list[str]:
    """All of it in one list, whose order readers of ``--json`` know."""
    if not parties:
        return ["The match cannot be opened: nothing in it is proven."]
    keys, *others = limited
    judged = ["Neither the moves nor the result were judged."]
    if rules is not None:
        judged = [rules_statement(rules), *([dice] if dice else []), end]
    return [*map(who_wrote, parties), keys, *judged, *others]


def events(count: int) -> str:
    return "1 event" if count == 1 else f"{count} events"
