"""Two copies of a match side by side: diff. Nothing here writes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Optional

import typer

from cli import completing
from cli.options import JsonOption, LedgerOption, MatchOption, example

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.envelope import Envelope
    from ledger.fold import MatchState
    from ledger.views.difference import CopyView, DiffView

_HERE = "your ledger"


def register(app: typer.Typer) -> None:
    app.command("diff", epilog=example("tabellion diff zoe.json"))(diff)


def diff(
    first: Annotated[
        str,
        typer.Argument(
            metavar="COPY",
            help="A record file, a ledger file, a match of your ledger, or - for a pipe.",
            autocompletion=completing.matches,
        ),
    ],
    second: Annotated[
        Optional[str],  # noqa: UP045
        typer.Argument(metavar="[OTHER]", help="The other copy; that of your ledger if left out."),
    ] = None,
    match: MatchOption = None,
    ledger: LedgerOption = None,
    json: JsonOption = False,
) -> None:
    """Compare two copies of a match.

    What both have, where they part, who signed what from there on, and whether one key signed two
    events for one place. Exit code 0: the same. 1: they differ.
    """
    from cli.output import as_json
    from ledger.errors import Unreadable
    from ledger.views.difference import difference

    if first == second == "-":
        raise Unreadable("usage", "Only one copy can come from a pipe.")
    given = {each: _envelopes(each) for each in (first, second) if each and _is_record(each)}
    which = match or next((chain[0].hash for chain in given.values()), None)
    chains = tuple(
        given[each] if each in given else _of_ledger(each, which, ledger)
        for each in (first, second)
    )
    states = tuple(map(_folded, (first, second or _HERE), chains))
    view = difference((first, second or _HERE), (states[0], states[1]), (chains[0], chains[1]))
    if json:
        as_json(view)
    else:
        _show(view)
    raise typer.Exit(0 if view.same else 1)


def _is_record(what: str) -> bool:
    """Whether this is a file (or a pipe) that is no ledger."""
    from pathlib import Path

    from ledger.errors import NotFound
    from ledger.sqlitefile import is_sqlite

    path = Path(what)
    if what == "-" or not path.exists():
        return what == "-"
    try:
        with path.open("rb") as stream:
            return not is_sqlite(stream.peek())
    except OSError as error:
        raise NotFound("no-file", f"{what} cannot be read: {error.strerror}.") from None


def _envelopes(what: str) -> Sequence[Envelope]:
    from cli.copies import whole
    from cli.desk import read_input
    from ledger import record

    return whole(record.read(read_input(what, record.MAX_RECORD)), what)


def _of_ledger(what: str | None, match: str | None, ledger: str | None) -> Sequence[Envelope]:
    """The copy in a ledger file, or in the user's own: of the match that the other copy is of."""
    from pathlib import Path

    from cli.desk import service
    from cli.finding import find_match
    from ledger.errors import NotFound

    file = what if what and Path(what).exists() else None
    if what and not file and ("." in what or "/" in what):
        raise NotFound("no-file", f"There is no file {what}.")
    with service(file or ledger, write=False) as opened:
        return opened.envelopes(find_match(opened, match if file or not what else what).match)


def _folded(name: str, chain: Sequence[Envelope]) -> MatchState:
    """The match of a copy, every signature and rule checked. Raises ``Refused``."""
    from ledger.copies import continued
    from ledger.errors import Refused

    try:
        return continued(None, chain)
    except Refused as error:
        error.message = f"{name}: {error.message}"
        raise


def _show(view: DiffView) -> None:
    from cli.output import Styled, say

    say(f"match {view.match}")
    for each in (view.first, view.second):
        say(f"{each.name}: {_count(each.events)}, head {each.head}", hang=2)
    if view.same:
        say("Both are the same.")
        return
    say(Styled(f"The first {_count(view.common)} are the same in both.", "bold"))
    for each in (view.first, view.second):
        _show_tail(each)
    for both in view.signed_both:
        say(
            Styled(f"{both.ours.name} signed both events {both.ours.seq}", "red"),
            ", the second when the copies had parted: signed anew, most likely."
            if both.anew
            else "; an explanation is due. It may be a restored backup. --json has both envelopes.",
            hang=2,
        )
    say(_standing(view), hang=2)


def _count(events: int) -> str:
    return f"{events} event{'s' * (events != 1)}"


def _show_tail(copy: CopyView) -> None:
    from cli.output import say, short

    say(f"only in {copy.name}:{'' if copy.only else ' nothing'}")
    for event in copy.only:
        for_ = f" for {event.for_}" if event.for_ else ""
        who = f"signed by {event.name} ({event.by}{for_})"
        say(f"  event {event.seq}  {short(event.hash)}  {event.text}, {who}", hang=6)


def _standing(view: DiffView) -> str:
    """Which copy stands by what is signed."""
    first, second = view.first, view.second
    if not first.only or not second.only:
        return f"{(first if first.only else second).name} goes on where the other ends."
    if first.arbiter and second.arbiter:
        return "The arbiter has signed in both after they parted: ask the arbiter which stands."
    if first.arbiter or second.arbiter:
        name = first.name if first.arbiter else second.name
        return f"The arbiter has signed after they parted in {name} alone: that copy stands."
    return "The arbiter has signed in neither after they parted: a word of the arbiter decides."
