"""What a match proves, by whom, and what not: sentences for a reader who trusts nobody."""

from __future__ import annotations

from ledger.audit.comparing import digits, is_head
from ledger.audit.judging import Reading, countersigned
from ledger.audit.report import Trust
from ledger.audit.rolls import dice_report, waits
from ledger.fold import MatchState, Party, Phase, describe
from ledger.games import changed_options


def statements(reading: Reading) -> list[str]:
    if reading.parties is None:
        return ["The match cannot be opened: nothing in it is proven."]
    state, trust = reading.state, reading.trust
    said = [_who_wrote(reading, party) for party in reading.parties.values()]
    said.append(_keys_statement(trust))
    if state is None:
        said.append("Neither the moves nor the result were judged.")
    else:
        dice = dice_report(state, whole=not reading.stuck)
        said += [_rules_statement(state), *([dice.statement] if dice else [])]
        said.append(_end_statement(reading, state))
    said += _head_statement(reading)
    if state is not None and state.opening.source:
        said.append(
            f"The moves were read from a file ({state.opening.source.format}, SHA-256 "
            f"{state.opening.source.sha256}): nothing here proves that the file tells the truth."
        )
    said.append("Times are the signers' own clocks: they prove nothing.")
    return said


def _who_wrote(reading: Reading, party: Party) -> str:
    if party.key is None and not reading.written.get(party.role):
        return (
            f"{party.name} ({party.role}) has no key, and has done nothing that was written down."
        )
    if party.key is None:
        return (
            f"{party.name} ({party.role}) has no key: the arbiter wrote down all of their acts "
            f"({reading.written.get(party.role, 0)}). For these there is only the arbiter's word."
        )
    return (
        f"The key of {party.name} ({party.role}) signed "
        f"{events(reading.signed.get(party.role, 0))}."
    )


def _keys_statement(trust: Trust) -> str:
    if trust.signers is None:
        return (
            "Keys were checked against nobody: whoever opened the match could have invented the "
            "players. Give --signers with a file of keys that you trust."
        )
    return (
        "Keys were compared with your signers file. A signature proves which key signed, not "
        "whose hand."
    )


def _rules_statement(state: MatchState) -> str:
    rules = state.opening.ruleset
    changed = changed_options(state.game, rules.name, rules.options)
    how = ", ".join(f"{name}={str(value).lower()}" for name, value in changed.items())
    return f"Played by {rules.name}, version {rules.version}{f', changed: {how}' if how else ''}."


def _end_statement(reading: Reading, state: MatchState) -> str:
    last = len(reading.hashes) - 1
    if reading.stuck:
        return f"Judged by the rules up to event {state.seq} of {last}: no result is proven."
    match state.phase:
        case Phase.CLOSED:
            text = f"Ends at event {last}, closed{_result(state)}; {_signatures(reading, state)}."
        case Phase.ENDED:
            text = f"Ends at event {last}, not closed: over{_result(state)}."
        case _:
            text = (
                f"Ends at event {last}, not closed: the game is not over. {waits(state)}".rstrip()
            )
    return f"With the faults found this is not proven: {text}" if reading.faults else text


def _result(state: MatchState) -> str:
    return f" with {describe(state.result)}" if state.result else ""


def _signatures(reading: Reading, state: MatchState) -> str:
    """Who has countersigned, and which seats could have."""
    signed = countersigned(reading)
    names = [party.name for party in state.roster.values() if party.role in signed]
    missing = [
        state.roster[seat].name
        for seat in state.game.seats
        if state.roster[seat].key is not None and seat not in signed
    ]
    by = f"countersigned by {' and '.join(names) or 'nobody'}"
    return f"{by}, not by {' or '.join(missing)}" if names and missing else by


def _head_statement(reading: Reading) -> list[str]:
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


def events(count: int) -> str:
    return "1 event" if count == 1 else f"{count} events"
