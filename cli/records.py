"""Records: export, audit, import."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Optional

import typer

from cli.options import (
    JsonOption,
    KeyOption,
    LedgerOption,
    MatchArgument,
    MatchOption,
    PassphraseOption,
    example,
)

if TYPE_CHECKING:
    from ledger.audit import AuditView, Report


def register(app: typer.Typer) -> None:
    app.command("export", epilog=example("tabellion export --output match.json"))(export)
    app.command(
        "audit",
        epilog=example("tabellion audit match.json --head 3f9ac20b5d4e7f618c2be94d07a1563e"),
    )(audit)
    app.command("import", epilog=example("tabellion import game.otg --key zoe"))(import_file)


def export(
    match: MatchArgument = None,
    named: MatchOption = None,
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="Where to; - is a pipe.")
    ] = "-",
    format_: Annotated[
        str, typer.Option("--format", metavar="record|otn", help="otn: the moves, for OpenTafl.")
    ] = "record",
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
    ledger: LedgerOption = None,
) -> None:
    """Write the record of a match to a file.

    Every signed event, for anybody to verify. With --format otn only the moves and the result,
    as OpenTafl reads them.
    """
    from shlex import quote

    from cli.desk import service
    from cli.finding import find_match
    from cli.output import as_bytes, aside
    from ledger import record
    from ledger.errors import Unreadable

    if format_ not in ("record", "otn"):
        raise Unreadable("bad-option", "--format is record or otn.")
    with service(ledger, write=False) as opened:
        state = find_match(opened, match or named)
        if format_ == "otn":
            from ledger.exporting import opentafl_notation

            data = opentafl_notation(state).encode()
        else:
            data = record.write(opened.envelopes(state.match))
    if output == "-":
        as_bytes(data)
        return
    _write(Path(output), data, force)
    count = len(state.entries)
    aside(f"{output}: {count} event{'s' * (count > 1)}, head {state.head}", hang=2)
    if format_ == "record":
        aside(f"next: note the head on the sheet; anybody can run: tabellion audit {quote(output)}")


def _write(path: Path, data: bytes, force: bool) -> None:
    """Write a whole file or none."""
    import os
    from contextlib import suppress

    from ledger.errors import NotAllowed

    if path.is_dir():
        raise NotAllowed("is-a-folder", f"{path} is a folder.", hint=f"--output {path}/match.json")
    if path.is_file() and not force:
        raise NotAllowed("file-exists", f"{path} is there already.", hint="--force replaces it")
    half = path.with_name(f".{path.name}.{os.getpid()}.half")
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(data)  # a device
            return
        with half.open("xb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        half.replace(path)
    except BaseException as error:
        with suppress(OSError):
            half.unlink()
        if not isinstance(error, OSError):
            raise
        raise NotAllowed("cannot-write", f"{path} was not written: {error.strerror}.") from None


def audit(
    what: Annotated[
        Optional[str],  # noqa: UP045
        typer.Argument(
            metavar="[WHAT]",
            help="A record file, a ledger file, a match, or - for a pipe; your ledger if left out.",
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
        back = ", ".join(map(str, ruling.takes_back))
        say(
            f"ruling (event {ruling.event}): {ruling.reason} [{ruling.rule}]; took back: {back}",
            hang=2,
        )
    for text in report.statements:
        if text not in shared:
            say(f"- {text}", hang=2)


def import_file(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The file; - for a pipe.")],
    format_: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option("--format", metavar="NAME", help="opentafl or bologna-log; seen by itself."),
    ] = None,
    again: Annotated[
        bool, typer.Option("--again", help="Import a file once more that was imported already.")
    ] = False,
    key: KeyOption = None,
    passphrase_file: PassphraseOption = None,
    ledger: LedgerOption = None,
    json: JsonOption = False,
) -> None:
    """Import a game from another program's file.

    Nothing in the file is believed: every move is judged anew, and what our rules give is
    written as a match. At the first difference nothing is written.
    """
    import secrets

    from cli.desk import one_key, read_input, service, unlock
    from cli.output import as_json, aside, next_command, say
    from ledger import formats, readmodels, views
    from ledger.errors import Refused
    from ledger.importing import adjudged

    game = adjudged(read_input(file, formats.MAX_BYTES), format_)
    name = one_key(key, "write the match")
    signer = unlock(name, passphrase_file)
    opening = game.opening(name, signer.public, secrets.token_hex(16))
    with service(ledger, create=True) as opened:
        there = readmodels.imported(opened.store, game.sha256)
        if there and not again:
            raise Refused(
                "imported-already",
                f"This file was imported as match {there[:12]}. Nothing was written.",
                hint=f"tabellion show {there[:12]}, or --again to import it once more",
            )
        state = opened.open_match(opening, signer, game.plans)
    view = views.written(state, -1)
    if json:
        as_json(view)
        return
    for note in game.transcript.notes:
        aside(f"note: {note}", hang=2)
    say(f"match {state.match}")
    say(game.summary, hang=2)
    say(f"{len(state.entries)} events written, head {state.head}", hang=2)
    say(view.next, hang=2)
    aside(f"next: {next_command(state, state.match[:8])}")
