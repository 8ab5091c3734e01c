"""Archives at the terminal: every match of a ledger into one file and back, and how far it is."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from ledger.archives.importing import ArchiveImportView, ImportedLine
    from ledger.archives.lines import Line as ArchiveLine
    from ledger.envelope import Envelope
    from ledger.inspection import Archive
    from ledger.service import Service

Step: TypeAlias = Callable[[int, int], None]
"""Is told how much more is done: of the whole, and in matches."""
_PATIENCE: Final = 0.5
"""Seconds without a bar: it would only flicker."""


@contextmanager
def progress(what: str, whole: int | None) -> Iterator[Step]:
    """A bar on a terminal's standard error, with the rate and the time left, once it is worth
    looking at; nothing elsewhere. ``whole``: how much there is to do, where that is known."""
    if not sys.stderr.isatty():
        yield lambda _done, _matches: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.fields[matches]} matches, {task.fields[rate]:.0f} a second"),
        TimeRemainingColumn(),
    )
    shown = Progress(*columns, console=Console(stderr=True), transient=True)
    task = shown.add_task(what, total=whole, matches=0, rate=0.0)
    count = 0

    def step(done: int, matches: int) -> None:
        nonlocal count
        count += matches
        passed = shown.tasks[0].elapsed or 0.0
        rate = count / passed if passed else 0.0
        shown.update(task, advance=done, matches=count, rate=rate)
        if passed > _PATIENCE:
            shown.start()

    try:
        yield step
    finally:
        shown.stop()


def write_all(service: Service, output: str, force: bool) -> None:
    """Every match of the ledger into one file, a record a line, in the ledger's order: whole or
    not at all. ``-``: to standard output.

    Raises ``NotFound`` where there is no match, ``NotAllowed`` as every export.
    """
    from shlex import quote

    from cli.output import aside
    from ledger.archives import lines as archive

    with service.store.reading():
        names = _matches(service)
        events = 0

        def each() -> Iterator[list[Envelope]]:
            nonlocal events
            for name in names:
                found = service.envelopes(name)
                events += len(found)
                yield found

        _stream(archive.write(each()), len(names), output, force, usual="archive.jsonl")
    if output != "-":
        many = f"{_counted(len(names), 'match', 'es')}, {_counted(events, 'event')}"
        aside(f"{output}: {many}", hang=2)
        aside(f"next: anybody can run: tabellion audit {quote(output)}")


def write_rows(service: Service, format_: str, output: str, force: bool) -> None:
    """Every match of the ledger as rows of one file, as ``write_all``."""
    from cli.output import aside
    from ledger import exporting

    with service.store.reading():
        names = _matches(service)
        rows = exporting.rows(map(service.state, names), format_)
        _stream(rows, None, output, force, usual=format_)
    if output != "-":
        aside(f"{output}: {_counted(len(names), 'match', 'es')}", hang=2)


def _matches(service: Service) -> list[str]:
    from ledger.errors import NotFound

    names = service.store.matches()
    if not names:
        raise NotFound("no-match", "There is no match in this ledger.", hint="tabellion open")
    return names


def _counted(number: int, what: str, many: str = "s") -> str:
    return f"{number} {what}{many if number != 1 else ''}"


def _stream(
    pieces: Iterable[bytes], matches: int | None, output: str, force: bool, *, usual: str
) -> None:
    """``matches``: how many, where each is one piece."""
    from cli.files import write_whole
    from cli.output import printed

    if output == "-":
        for piece in pieces:
            printed(piece)
        return
    with progress("writing", matches) as step:

        def passed() -> Iterator[bytes]:
            for piece in pieces:
                step(1, 1 if matches is not None else 0)
                yield piece

        write_whole(Path(output), passed(), force, usual=usual)


# -- back again ----------------------------------------------------------------------------


def take_in_archive(
    found: Archive, file: str, ledger: str | None, *, take_over: bool, json: bool
) -> None:
    """Import every match of an archive that the audit finds no fault in, and say of each what
    became of it. Ends with status 1 where one was refused."""
    import typer

    from cli.boundary import STOPPED
    from cli.desk import roles_here, service
    from cli.output import as_json
    from ledger.archives.importing import take_in_lines

    done: list[ImportedLine] = []
    finished = False
    with service(ledger, create=True) as opened, progress("importing", found.size) as step:

        def passed() -> Iterator[ArchiveLine]:
            for line in found.lines:
                yield line
                step(line.size, 1)

        try:
            for line in take_in_lines(opened, passed(), here=roles_here, take_over=take_over):
                done.append(line)
                if not json:
                    _tell_line(line)
            finished = True
        except KeyboardInterrupt:
            pass
        finally:
            view = _summary(done, finished)
            if not json:
                _tell_import(view, file)
    if json:
        as_json(view)
    if not finished:
        raise typer.Exit(STOPPED)
    if view.refused:
        raise typer.Exit(1)


def _summary(done: Sequence[ImportedLine], finished: bool) -> ArchiveImportView:
    from ledger.archives.importing import ArchiveImportView

    refused = sum(line.refused is not None for line in done)
    new = sum(bool(line.events or line.set_aside) for line in done)
    return ArchiveImportView(
        matches=new,
        events=sum(line.events for line in done),
        unchanged=len(done) - new - refused,
        refused=refused,
        finished=finished,
        lines=tuple(done),
    )


def _tell_line(line: ImportedLine) -> None:
    from cli.output import Styled, say, sentence, short, visible

    match = f"match {short(line.match)}" if line.match else "no match"
    if line.refused is not None:
        reason = visible(sentence(line.reason), lines=True)
        refused = Styled("REFUSED", "red")
        say(f"line {line.line}  {match}  ", refused, f" [{line.refused}]: {reason}", hang=4)
        return
    news = [_counted(line.events, "new event")] if line.events else []
    if line.set_aside:
        news.append(f"{_counted(line.set_aside, 'event')} set aside ({line.standing})")
    say(f"line {line.line}  {match}  {', '.join(news) or 'nothing new'}", hang=4)


def _tell_import(view: ArchiveImportView, file: str) -> None:
    from shlex import quote

    from cli.output import say, say_next

    if not view.finished:
        say(
            "UNFINISHED: it was stopped. Each match is here whole or not at all; the same import "
            "goes on from there.",
            hang=2,
        )
    say(
        f"{_counted(view.matches, 'match', 'es')} with {_counted(view.events, 'new event')}, "
        f"{view.unchanged} with nothing new, {view.refused} refused",
        hang=2,
    )
    refused = [str(line.line) for line in view.lines if line.refused is not None]
    if refused:
        say(f"refused: line{'s' * (len(refused) > 1)} {', '.join(refused)}", hang=2)
    if view.refused and file != "-":
        say_next(f"tabellion audit {quote(file)}")
    elif any(line.set_aside for line in view.lines):
        say_next("tabellion pending")
    else:
        say_next("tabellion list")
