"""How an audit is told to people: the report section by section, whole lines in a pipe."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from cli.output import Styled
    from ledger.archives.findings import Findings, Found
    from ledger.archives.lines import Line as ArchiveLine
    from ledger.audit import (
        ArchiveReport,
        AsideReport,
        AuditView,
        LineReport,
        Report,
        Trust,
        Verdict,
    )
    from ledger.audit.lines import Line
    from ledger.inspection import Archive


_NAMED: Final = 20
"""Lines of an archive that its summary names, and lines without a match that are told at all."""


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


def audit_archive(found: Archive, given: Trust, *, json: bool) -> AuditView:
    """Audit an archive, with a bar on a terminal meanwhile, and tell what was found."""
    from time import monotonic

    from cli.archives import progress
    from ledger.archives.findings import Findings
    from ledger.inspection import archive_view, look_through

    begun = monotonic()
    with Findings() as findings:
        with progress("auditing", found.size) as step:

            def watch(line: ArchiveLine, done: Found) -> None:
                step(line.size, int(done.match is not None))

            summary = look_through(found, given, findings, watch)
        view = archive_view(summary)
        if json:
            _archive_as_json(view, findings)
        else:
            _tell_archive(view.verdict, summary, findings.lines, monotonic() - begun)
    return view


def _archive_as_json(view: AuditView, findings: Findings) -> None:
    """As ``as_json``, with one line of the archive after the other: they may be more than memory
    holds."""
    import msgspec

    from cli.output import as_bytes

    encode, form = msgspec.json.encode, msgspec.json.format
    begin, empty, end = form(encode(view), indent=2).rpartition(b'"lines": []')
    as_bytes(begin + empty[:-1])
    many = 0
    for many, line in enumerate(findings.lines(), start=1):
        text = form(encode(line), indent=2).replace(b"\n", b"\n      ")
        as_bytes(b"%b\n      %b" % (b"," if many > 1 else b"", text))
    as_bytes(b"%b]%b\n" % (b"\n    " if many else b"", end))


def _tell_archive(
    verdict: Verdict,
    found: ArchiveReport,
    lines: Callable[[], Iterable[LineReport]],
    seconds: float,
) -> None:
    from cli.output import on_terminal, say

    say("archive: ", _verdict(verdict), f", {_count(found.matches, 'match', 'es')}", hang=2)
    say(f"events: {found.events}")
    say(f"sound: {found.sound}")
    say(f"faulty: {found.faulty}{_which(lines(), 'faults')}", hang=2)
    say(f"could not be checked: {found.unchecked}{_which(lines(), 'could-not-check')}", hang=2)
    if found.unread:
        say(f"lines that hold no match: {found.unread}")
    if on_terminal():
        say(f"in {seconds:.1f} seconds, {found.events / max(seconds, 0.001):.0f} events a second")
    if not found.finished:
        say("UNFINISHED: it was stopped; the lines that were not reached are not judged.", hang=2)
    shared = _shared_by(lines())
    unread = 0
    for line in lines():
        unread += line.match is None
        if line.match is None and unread > _NAMED:
            continue
        say()
        _tell_archive_line(line, shared)
    if unread > _NAMED:
        say(f"\nand {unread - _NAMED} more lines that hold no match")
    if shared:
        say("\nof every match named here:")
    for text in shared:
        say(f"- {text}", hang=2)


def _which(lines: Iterable[LineReport], verdict: Verdict) -> str:
    """The numbers of the lines with a match of this verdict, as many as can be looked up."""
    numbers = [str(line.line) for line in lines if line.match and line.verdict == verdict]
    if not numbers:
        return ""
    named, more = numbers[:_NAMED], len(numbers) - _NAMED
    others = f" and {more} more" if more > 0 else ""
    return f" (line{'s' * (len(numbers) > 1)} {', '.join(named)}{others})"


def _shared_by(lines: Iterable[LineReport]) -> list[str]:
    """What is to be said of each of several matches, as ``_shared``, without holding them all."""
    shared: list[str] = []
    reports = (line.report for line in lines if line.report is not None)
    for number, report in enumerate(reports):
        kept = report.limits if number == 0 else shared
        shared = [text for text in kept if text in report.limits]
    return shared


def _tell_archive_line(line: LineReport, shared: Sequence[str]) -> None:
    from cli.output import Styled, say, sentence

    match = f"match {line.match}" if line.match else "no match"
    say(Styled(f"line {line.line}:", "bold"), "" if line.report else f" {match}", hang=2)
    for text in line.faults:
        say(Styled("FAULT", "red"), f" line {line.line}: {sentence(text)}", hang=2)
    for text in line.notes:
        say(f"note: {text}", hang=2)
    if line.report is not None:
        _tell_report(line.report, shared)


def _verdict(verdict: Verdict) -> Styled:
    from cli.output import Styled

    return {
        "sound": Styled("SOUND", "green"),
        "faults": Styled("FAULTS", "red"),
        "could-not-check": Styled("COULD NOT CHECK ALL", "bold"),
    }[verdict]


def _count(number: int, what: str, many: str = "s") -> str:
    return f"{number} {what}{many if number != 1 else ''}"


def _tell_report(report: Report, shared: Sequence[str]) -> None:
    from cli.output import Styled, say, sentence, visible
    from ledger.audit.sections import heading, sections

    count = _count(report.events, "event")
    verdict = _verdict(report.verdict)
    say("verdict: ", verdict, f", {count}, head {report.head or 'unknown'}", hang=2)
    for text in heading(report):
        say(visible(text, lines=True), hang=2)
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
    for section in sections(report):
        _title(section.title)
        for line in section.lines:
            _tell_line(line)
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
