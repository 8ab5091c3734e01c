"""How an audit is told to people: the report section by section, whole lines in a pipe."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ledger.audit import AsideReport, AuditView, Report
    from ledger.audit.lines import Line


def tell(view: AuditView) -> None:
    """All that an audit found: each match, then what is said of all, then the ledger file."""
    from cli.output import Styled, say, sentence

    shared = _shared(view.reports)
    for number, report in enumerate(view.reports):
        if number:
            say()
        _tell_report(report, shared)
    if shared:
        say("\nof every match:")
    for text in shared:
        say(f"- {text}", hang=2)
    for each in view.set_aside:
        _tell_aside(each)
    for text in view.file_faults:
        say(Styled("FAULT", "red"), f" ledger file: {sentence(text)}", hang=2)
    if len(view.reports) != 1 or view.file_faults:
        say()
        sound = sum(report.verdict == "sound" for report in view.reports)
        say(f"{sound} of {len(view.reports)} matches sound; ledger: {view.verdict}")


def _shared(reports: Sequence[Report]) -> list[str]:
    """What is to be said of each of several matches: said once, at the end."""
    if len(reports) < 2:
        return []
    first, *others = reports
    return [text for text in first.limits if all(text in other.limits for other in others)]


def _tell_report(report: Report, shared: Sequence[str]) -> None:
    from cli.output import Styled, say, sentence, visible
    from ledger.audit.sections import heading, sections

    verdict = {
        "sound": Styled("SOUND", "green"),
        "faults": Styled("FAULTS", "red"),
        "could-not-check": Styled("COULD NOT CHECK ALL", "bold"),
    }[report.verdict]
    count = f"{report.events} event{'s' * (report.events != 1)}"
    say("verdict: ", verdict, f", {count}, head {report.head or 'unknown'}", hang=2)
    for text in heading(report):
        say(visible(text, lines=True), hang=2)
    for section in sections(report):
        _title(section.title)
        for line in section.lines:
            _tell_line(line)
    if report.faults:
        _title("faults")
    for fault in report.faults:
        where = "file" if fault.event is None else f"event {fault.event}"
        text = visible(sentence(fault.text), lines=True)
        say(Styled("FAULT", "red"), f" {where} [{fault.code}]: {text}", hang=2)
    if report.unchecked:
        _title("could not check")
    for text in report.unchecked:
        say(f"NOT CHECKED {visible(text, lines=True)}", hang=2)
    limits = [text for text in report.limits if text not in shared]
    if limits:
        _title("what no record can prove")
    for text in limits:
        say(f"- {visible(text, lines=True)}", hang=2)


def _title(text: str) -> None:
    from cli.output import Styled, say

    say(Styled(f"{text}:", "bold"))


def _tell_line(line: Line) -> None:
    """Texts of players are made of one line, lest they imitate the next."""
    from cli.output import say, visible

    margin = "  " * line.level
    say(f"{margin}- {visible(line.text, lines=True)}", hang=len(margin) + 2)


def _tell_aside(aside: AsideReport) -> None:
    from cli.output import Styled, say, short

    about = f"match {short(aside.match)}, event {aside.event} by {aside.by}, {short(aside.hash)}"
    say(f"set aside: {about}", hang=2)
    if aside.shows_roll is not None:
        say(
            f"It opens the number of {aside.by} for roll {aside.shows_roll}: whoever saw that copy "
            "could know the dice of that roll before it was thrown again.",
            hang=2,
        )
    if aside.signed_both is not None:
        say(
            Styled(f"{aside.by} signed both", "red"),
            f" this and event {aside.event}, {short(aside.signed_both)}: an explanation is due. "
            "It may be a restored backup. --json gives the envelopes.",
            hang=2,
        )
