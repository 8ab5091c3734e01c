"""Care of what is on this device: backup, doctor."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli.options import JsonOption, LedgerOption, example


def register(app: typer.Typer) -> None:
    app.command("backup", epilog=example("tabellion backup ledger-copy.db"))(backup)
    app.command("doctor", epilog=example("tabellion doctor"))(doctor)


def backup(
    file: Annotated[str, typer.Argument(metavar="FILE", help="Where to: best on another disk.")],
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
    ledger: LedgerOption = None,
    json: JsonOption = False,
) -> None:
    """Copy the whole ledger into one checked file.

    Others may write meanwhile. The copy is a ledger itself: give it to --ledger. Keys are not in
    it. Never copy the file of a ledger in use by other means: its latest events may be missing.
    """
    from shlex import quote

    from cli.desk import clock, ledger_path
    from cli.output import as_json, aside, say
    from ledger.backup import back_up
    from ledger.views import BackupView

    made = back_up(ledger_path(ledger), Path(file), clock, force=force)
    if json:
        as_json(
            BackupView(
                file=str(made.file),
                format=made.format,
                matches=made.matches,
                events=made.events,
                set_aside=made.set_aside,
                sha256=made.sha256,
            )
        )
        return
    count = f"{made.matches} match{'es' * (made.matches != 1)}"
    count += f", {made.events} event{'s' * (made.events != 1)}"
    if made.set_aside:
        count += f", {made.set_aside} set aside"
    say(f"{file}: {count}, SHA-256 {made.sha256}", hang=2)
    aside(f"next: keep it on another disk; look into it with: tabellion audit {quote(file)}")


def doctor(ledger: LedgerOption = None, json: JsonOption = False) -> None:
    """Look whether ledger, keys and clock are well.

    Every match is audited too. Nothing is changed. Exit code 0: no faults. 1: faults.
    """
    from contextlib import suppress
    from datetime import datetime

    from cli.desk import clock, keyring, ledger_path
    from cli.output import Styled, as_json, say
    from ledger.doctor import examine

    mounts = ""
    with suppress(OSError):
        mounts = Path("/proc/self/mountinfo").read_text("utf-8", "replace")
    view = examine(ledger_path(ledger), keyring(), datetime.fromisoformat(clock()), mounts)
    states = [finding.state for finding in view.findings]
    if json:
        as_json(view)
    else:
        marks = {
            "ok": Styled("ok", "green"),
            "warn": Styled("WARN", "bold"),
            "fault": Styled("FAULT", "red"),
        }
        for finding in view.findings:
            remedy = f" Remedy: {finding.remedy}" if finding.remedy else ""
            say(marks[finding.state], f" {finding.what}: {finding.text}{remedy}", hang=2)
        faults, warnings = states.count("fault"), states.count("warn")
        say(f"{faults} fault{'s' * (faults != 1)}, {warnings} warning{'s' * (warnings != 1)}")
    raise typer.Exit(1 if "fault" in states else 0)
