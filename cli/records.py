"""Records: export, audit."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Optional

import typer

from cli import completing
from cli.options import (
    JsonOption,
    LedgerOption,
    MatchArgument,
    MatchOption,
    example,
)

if TYPE_CHECKING:
    from ledger.audit import AsideReport, AuditView, Report


def register(app: typer.Typer) -> None:
    app.command("export", epilog=example("tabellion export --output match.json"))(export)
    app.command(
        "audit",
        epilog=example("tabellion audit match.json --head 3f9ac20b5d4e7f618c2be94d07a1563e"),
    )(audit)


def _names() -> completing.Proposals:
    """What matches are written as."""
    from ledger.exporting import names

    return [(name, "") for name in names()]


def export(
    match: MatchArgument = None,
    named: MatchOption = None,
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="Where to; - for a pipe.")
    ] = "-",
    format_: Annotated[
        str,
        typer.Option(
            "--format",
            metavar="NAME",
            help="record, or the text format of the match's game; a wrong name lists them.",
            autocompletion=_names,
        ),
    ] = "record",
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
    ledger: LedgerOption = None,
) -> None:
    """Write the record of a match to a file.

    Every signed event, for anybody to verify. The other formats have only what stands, throws,
    moves and result: import reads it again, but it proves nothing.
    """
    from shlex import quote

    from cli.desk import service
    from cli.files import write_whole
    from cli.finding import find_match
    from cli.output import as_bytes, aside
    from ledger import record
    from ledger.fold import Phase

    if format_ != "record":
        from ledger.exporting import check_name

        check_name(format_)
    with service(ledger, write=False) as opened:
        state = find_match(opened, match or named)
        if format_ == "record":
            data = record.write(opened.envelopes(state.match))
        else:
            from ledger.exporting import notation

            data = notation(state, format_).encode()
    if output == "-":
        as_bytes(data)
        return
    write_whole(Path(output), data, force, usual="match.json")
    count = len(state.entries)
    aside(f"{output}: {count} event{'s' * (count > 1)}, head {state.head}", hang=2)
    if format_ != "record":
        return
    if state.phase is Phase.CLOSED and not state.unsigned:
        aside(f"next: note the head on the sheet; anybody can run: tabellion audit {quote(output)}")
    else:
        aside(f"next, on another device: tabellion import {quote(output)}")


def audit(
    what: Annotated[
        Optional[str],  # noqa: UP045
        typer.Argument(
            metavar="[WHAT]",
            help="A record file, a ledger file, a match, or - for a pipe; your ledger if left out.",
            autocompletion=completing.matches,
        ),
    ] = None,
    signers: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option("--signers", metavar="FILE", help="Keys you trust (OpenSSH allowed_signers)."),
    ] = None,
    head: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(
            "--head", metavar="HASH", help="The hash on the score sheet, or its first half."
        ),
    ] = None,
    ledger: LedgerOption = None,
    json: JsonOption = False,
) -> None:
    """Audit a record, a match or a ledger.

    Every signature, every rule, and what that proves.
    Exit code 0: sound. 1: faults. 2: something could not be checked.
    """
    from cli.desk import ledger_path, service
    from cli.finding import find_match, names_a_table
    from cli.output import as_json
    from ledger.inspection import inspect, trust

    if what and names_a_table(what) and not Path(what).exists():
        with service(ledger, write=False) as opened:
            what = find_match(opened, what).match
    view = inspect(what, ledger_path(ledger), trust(signers, head))
    if json:
        as_json(view)
    else:
        _show_audit(view)
    raise typer.Exit({"sound": 0, "faults": 1, "could-not-check": 2}[view.verdict])


def _show_audit(view: AuditView) -> None:
    from cli.output import Styled, say, sentence

    shared = _shared(view.reports)
    for number, report in enumerate(view.reports):
        if number:
            say()
        _show_report(report, shared)
    if shared:
        say("\nof every match:")
    for text in shared:
        say(f"- {text}", hang=2)
    for each in view.set_aside:
        _say_aside(each)
    for text in view.file_faults:
        say(Styled("FAULT", "red"), f" ledger file: {sentence(text)}", hang=2)
    if len(view.reports) != 1 or view.file_faults:
        say()
        sound = sum(report.verdict == "sound" for report in view.reports)
        say(f"{sound} of {len(view.reports)} matches sound; ledger: {view.verdict}")


def _say_aside(aside: AsideReport) -> None:
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


def _shared(reports: Sequence[Report]) -> list[str]:
    """What is to be said of each of several matches: said once, at the end."""
    if len(reports) < 2:
        return []
    first, *others = reports
    return [text for text in first.statements if all(text in other.statements for other in others)]


def _show_report(report: Report, shared: Sequence[str]) -> None:
    from cli.output import Styled, say, sentence
    from ledger.fold import describe

    verdict = {
        "sound": Styled("SOUND", "green"),
        "faults": Styled("FAULTS", "red"),
        "could-not-check": Styled("COULD NOT CHECK ALL", "bold"),
    }[report.verdict]
    say(f"match {report.match or 'unknown'}")
    count = f"{report.events} event{'s' * (report.events != 1)}"
    say("verdict: ", verdict, f", {count}, head {report.head or 'unknown'}", hang=2)
    if report.result:
        say(f"result: {describe(report.result)}, {report.phase}")
    for fault in report.faults:
        where = "file" if fault.event is None else f"event {fault.event}"
        say(Styled("FAULT", "red"), f" {where} [{fault.code}]: {sentence(fault.text)}", hang=2)
    for text in report.unchecked:
        say(f"NOT CHECKED {text}", hang=2)
    for party in report.parties:
        # The name comes last: it is anybody's words, and could imitate what follows it.
        listed = f", listed as {', '.join(party.listed_as)}" if party.listed_as else ""
        say(f"{party.role}: {party.keyid or 'no key'}{listed}: {party.name}", hang=2)
    for ruling in report.rulings:
        back = ", ".join(map(str, ruling.takes_back)) or "nothing"
        dice = {"keep": "; dice kept", "rethrow": "; dice anew"}.get(ruling.dice or "", "")
        say(
            f"ruling (event {ruling.event}): {ruling.reason} [{ruling.rule}]; took back: {back}"
            f"{dice}",
            hang=2,
        )
    for each in report.takebacks:
        back = ", ".join(map(str, each.takes_back))
        say(f"takeback agreed (events {each.offered} and {each.event}); took back: {back}", hang=2)
    for breach in report.breaches:
        say(f"event {breach.event}: {breach.text}; for the arbiter to judge", hang=2)
    for text in report.statements:
        if text not in shared:
            say(f"- {text}", hang=2)
