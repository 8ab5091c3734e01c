"""An audit as a text that a committee can decide from: headings, and sentences that name events.

Made of the report alone: whoever has its JSON can write the same. What people said stands in
quotation marks; an event that has a fault of its own is marked wherever it is named.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ledger.audit import hearing
from ledger.audit.findings import (
    AdjournmentReport,
    ResultReport,
    SealReport,
)
from ledger.audit.lines import Line, Lines, Naming, capital, marks, quoted, stopped
from ledger.audit.naming import listed
from ledger.audit.report import DiceReport, PartyReport, Report, UnopenedReport
from ledger.audit.words import who_wrote
from ledger.fold import describe


class Section(NamedTuple):
    title: str
    lines: tuple[Line, ...]


def heading(report: Report) -> list[str]:
    """Which match, how it ended, by which rules, where and when."""
    said = [f"match {report.match or 'unknown'}"]
    if report.result:
        said.append(f"result: {describe(report.result)}, {report.phase}")
    rules = report.opening
    if rules is not None:
        changed = "".join(f", {name}={str(value).lower()}" for name, value in rules.changed.items())
        said.append(f"rules: {rules.ruleset}, version {rules.version}{changed}")
        numbered = [
            f"{what} {value}"
            for what, value in (("round", rules.round), ("table", rules.table))
            if value
        ]
        where = [rules.event, *numbered, rules.place, rules.date]
        if any(where):
            said.append(f"played: {', '.join(each for each in where if each)}")
    return said


def sections(report: Report) -> tuple[Section, ...]:
    """What there is to say, in the order in which it is asked for. Nothing is said twice."""
    found = [
        Section(title, tuple(lines(report)))
        for title, lines in (
            ("parties", _parties),
            ("proven, and by whom", _proven),
            (_whose_word(report), _words),
            ("disputes", hearing.disputes),
            ("rulings", hearing.rulings),
            ("penalties", hearing.penalties),
            ("appeals", hearing.appeals),
            ("dice", _dice),
            ("calls and duties", _breaches),
            ("taken back by agreement", _takebacks),
            ("adjournments", _adjournments),
            ("result, and its standing", _results),
        )
    ]
    return tuple(section for section in found if section.lines)


# -- people ------------------------------------------------------------------------------------


def _parties(report: Report) -> Lines:
    event = marks(report)
    for party in report.parties:
        facts = [party.keyid or "no key"]
        if party.listed_as:
            facts.append(f"listed as {', '.join(party.listed_as)}")
        facts += _tenure(party, event)
        # The name comes last: it is anybody's words, and could imitate what follows it.
        yield Line(f"{party.role}: {', '.join(facts)}: {party.name}")
        if party.reason:
            yield Line(f"why: {quoted(party.reason)}", 1)


def _tenure(party: PartyReport, event: Naming) -> Iterator[str]:
    """Since when a holder has the role, by whom, and until when."""
    if party.put_in_by is not None:
        yield _put_in(party, event)
    if party.keyid is not None and party.accepted is None and _accepts(party):
        yield "never accepted the match"
    elif party.keyid is not None and party.put_in_by is not None:
        yield f"accepted in {event(party.accepted or 0)}"
    if party.until is not None:
        yield f"until {event(party.until)}"


def _accepts(party: PartyReport) -> bool:
    """Whether this holder has to accept: a seat, and whoever's key was put in later."""
    officer = party.role.startswith(("arbiter", "witness", "appeal"))
    return party.put_in_by is not None or not officer


def _put_in(party: PartyReport, event: Naming) -> str:
    by = "the arbiter before" if party.role == party.put_in_by else f"the {party.put_in_by}"
    by = f"{by} key" if party.put_in_by == "appeal" else by
    since = event(party.since)
    if party.role == "arbiter":
        return f"since {since}, put in by {by}"
    consent = "with" if party.consent else "without"
    asked = f" {consent} the old key's consent" if party.consent is not None else ""
    if party.keyid is None:
        return f"since {since} {by} writes for this seat,{asked}" if asked else f"since {since}"
    if party.consent:
        return f"since {since}, put in by {by}{asked}"
    return f"from {since} on, a key {by} put in{asked or ', where there was none before'}"


def _proven(report: Report) -> Lines:
    if not report.parties:
        yield from map(Line, report.statements)
    for party in report.parties:
        idle = party.signed == 0 and party.role.startswith(("witness", "appeal"))
        if party.keyid is not None and not idle:
            yield Line(who_wrote(party))


def _whose_word(report: Report) -> str:
    appeal = any(word.role != "arbiter" for word in report.words)
    return "only an official's word" if appeal else "only the arbiter's word"


def _words(report: Report) -> Lines:
    for word in report.words:
        yield Line(word.text)
    for party in report.parties:
        if party.keyid is None and not party.written_for:
            yield Line(who_wrote(party))


# -- the game ----------------------------------------------------------------------------------


def _dice(report: Report) -> Lines:
    dice, event = report.dice, marks(report)
    if dice is None:
        return
    if len(dice.trust) < 2 and not dice.unopened:
        yield Line(dice.statement)
    else:
        yield from map(Line, dice.grounds)
    for roll in dice.rolls:
        if roll.voided is not None:
            faces = "-".join(map(str, roll.dice))
            reason = f": {quoted(roll.reason)}" if roll.reason else ""
            yield Line(
                f"Roll {roll.roll} ({faces}, {event(roll.event)}) does not count since "
                f"{event(roll.voided)} ({roll.voided_by}){reason}"
            )
    yield from _refusals(dice)
    if dice.dead:
        yield Line(f"Dead numbers, without dice: {listed([str(each) for each in dice.dead])}.")


def _refusals(dice: DiceReport) -> Lines:
    """Rolls that somebody did not open, by person, and what ended each."""
    people = dict.fromkeys((each.name, each.owed[0]) for each in dice.unopened)
    for name, role in people:
        owed = [each for each in dice.unopened if (each.name, each.owed[0]) == (name, role)]
        count = f"{len(owed)} roll{'s' * (len(owed) > 1)}"
        said = "; ".join(f"roll {each.roll}, {_left(each)}" for each in owed)
        yield Line(f"Not opened by {name} ({role}), {count}: {said}.")


def _left(roll: UnopenedReport) -> str:
    if roll.key_lost is None:
        return f"until {roll.how}" if roll.how else "which waits for it"
    until = roll.how or "the arbiter has ruled"
    return f"the key replaced meanwhile by event {roll.key_lost}: a refusal until {until}"


def _breaches(report: Report) -> Lines:
    for breach in report.breaches:
        yield Line(f"event {breach.event}: {breach.text}; for the arbiter to judge")


def _takebacks(report: Report) -> Lines:
    for each in report.takebacks:
        back = ", ".join(map(str, each.takes_back))
        yield Line(f"takeback agreed (events {each.offered} and {each.event}); took back: {back}")


def _adjournments(report: Report) -> Lines:
    event = marks(report)
    for each in report.adjournments:
        until = f" until {quoted(each.until)}" if each.until else ""
        yield Line(f"{capital(event(each.event))}: adjourned{until}. {_end_of_rest(each, event)}")
        for seal in each.seals:
            yield Line(_seal(seal, event), 1)


def _end_of_rest(rest: AdjournmentReport, event: Naming) -> str:
    if rest.resumed is not None:
        return f"Resumed by {event(rest.resumed)}."
    if rest.ended is not None:
        return f"The game was ended meanwhile by {event(rest.ended)}."
    return "Not resumed."


def _seal(seal: SealReport, event: Naming) -> str:
    scribed = ", written down by the arbiter" if seal.scribed else ""
    ended = event(seal.ended or 0)
    fate = {
        "waits": "It is not opened yet.",
        "opened": f"Opened by {ended}: {seal.move}.",
        "illegal": f"Opened by {ended}: {seal.move}, which cannot be played.",
        "unopened": f"It was never opened: {ended} resumed without it.",
        "lapsed": f"It lapsed with {ended}.",
    }[seal.fate]
    who = f"{seal.name} ({seal.seat})"
    return f"{capital(event(seal.event))}: {who} sealed a move{scribed}. {fate}"


# -- the result --------------------------------------------------------------------------------


def _results(report: Report) -> Lines:
    event = marks(report)
    if report.end:
        yield Line(report.end)
    elif report.parties:
        yield Line("Neither the moves nor the result were judged.")
    for each in report.results:
        yield Line(" ".join(_result(report, each, event)))
        standing = " ".join(_signatures(report, each, event))
        if standing:
            yield Line(standing, 1)


def _whole(report: Report) -> bool:
    return report.judged == report.events - 1


def _result(report: Report, given: ResultReport, event: Naming) -> Iterator[str]:
    told = given.ruled or given.result.how == "resigned"
    how = "" if told else f", {given.result.how.replace('_', ' ')}"
    yield f"{capital(event(given.event))}, {given.how}: {given.text}{how}."
    if given.closing is not None:
        cites = f", which cites {event(given.cites)}" if given.cites is not None else ""
        yield f"Closed by {event(given.closing)}{cites}."
    if given.ended is not None:
        yield f"It does not stand since {event(given.ended)}."
    elif _whole(report):
        yield "It stands."


def _signatures(report: Report, given: ResultReport, event: Naming) -> Iterator[str]:
    if not given.signable:
        return
    names = {party.role: f"{party.name} ({party.role})" for party in report.parties}
    signed = [
        f"{each.name} ({each.role})"
        f"{f' instead of {each.absent_name} ({each.absent})' if each.absent else ''}, "
        f"{event(each.event)}"
        for each in given.signed
    ]
    yield f"Signed by {'; '.join(signed)}." if signed else "Signed by nobody."
    later = {each.role: each.event for each in given.signed}
    for each in given.refused:
        but = f"; signed after all, {event(later[each.seat])}" if each.seat in later else ""
        yield (
            f"{each.name} ({each.seat}) would not sign, as the arbiter recorded in "
            f"{event(each.event)}: {stopped(quoted(each.reason) + but)}"
        )
    if given.unsigned:
        yield f"Not signed by {listed([names[seat] for seat in given.unsigned], 'or')}."
    for seat in given.keyless:
        yield f"{names[seat]} has no key to sign with."
    pending = {appeal.event for appeal in report.appeals if appeal.decided is None}
    for appeal in given.appeals:
        state = "pending" if appeal in pending else "decided"
        yield f"Appealed against in {event(appeal)}, {state}."
