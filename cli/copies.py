"""What comes in from elsewhere: import."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Optional

import typer

from cli import completing
from cli.options import (
    JsonOption,
    KeyOption,
    LedgerOption,
    PassphraseOption,
    ServerOption,
    example,
)

if TYPE_CHECKING:
    from ledger.envelope import Envelope
    from ledger.exchange import TakenIn
    from ledger.fold import MatchState
    from ledger.record import Record
    from ledger.service import Service
    from ledger.views import ImportView, PartedView, SignedView


_LEDGER: Final = b"SQLite format 3\0"
"""How a whole ledger begins: what is read here says that it is not for import."""
STANDS: Final = "This copy stands."
"""The arbiter's word, as a note."""


def register(app: typer.Typer) -> None:
    app.command("import", epilog=example("tabellion import game.otg --key zoe"))(import_file)


def import_file(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help="The file; - for a pipe. With --server: the match, like t4."
        ),
    ],
    format_: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(
            "--format",
            metavar="NAME",
            help="record, or a format of other programs, found out by itself; a wrong name lists "
            "them.",
            autocompletion=completing.formats,
        ),
    ] = None,
    again: Annotated[
        bool, typer.Option("--again", help="Import a game once more that was imported already.")
    ] = False,
    take_over: Annotated[
        bool,
        typer.Option("--take-over", help="Where the record and your copy part, the record stands."),
    ] = False,
    server: ServerOption = None,
    key: KeyOption = None,
    passphrase_file: PassphraseOption = None,
    ledger: LedgerOption = None,
    json: JsonOption = False,
) -> None:
    """Import a record, an archive or a foreign game.

    A record of ours (from export on another device) brings in what is new in it: every signature
    and every move is checked first. Where it parts from your copy, what does not continue the
    match is set aside: see pending. Of an archive (export --all) each match comes in whole or
    not at all, and one with faults is left out and named. A game of another program, or one
    exported as text, is judged anew, and what our rules give is written as a match; at the first
    difference nothing is written.
    """
    from cli.archives import take_in_archive
    from ledger import record
    from ledger.errors import Refused, Unreadable

    if server and not _is_file(file):
        _import_from(server, file, take_over, ledger, json)
        return
    from ledger.inspection import Archive, opened

    with opened(file) as found_in:
        if isinstance(found_in, Archive):
            if format_ not in (None, "record"):
                raise Refused("usage", "This is an archive of records: it has no other format.")
            take_in_archive(found_in, file, ledger, take_over=take_over, json=json)
            return
    data = _LEDGER if isinstance(found_in, Path) else found_in
    if len(data) > record.MAX_RECORD:
        raise Unreadable("too-large", f"{file} is larger than {record.MAX_RECORD} bytes.")
    if format_ in (None, "record"):
        try:
            found = record.read(data)
        except Unreadable:
            if format_:
                raise
        else:
            events = whole(found, file)
            _check_boards(found)
            _import_record(events, take_over, ledger, json)
            return
    if take_over:
        raise Refused("usage", "--take-over is for records.")
    _import_game(data, format_, again, key, passphrase_file, ledger, json)


# -- records -------------------------------------------------------------------------------


def whole(found: Record, file: str = "-") -> list[Envelope]:
    """The events of a record without a fault in its form. Raises ``Refused``."""
    from shlex import quote

    from ledger.envelope import Envelope
    from ledger.errors import Refused

    damage = [*found.frame, *(each.text for each in found.pieces if not isinstance(each, Envelope))]
    if damage:
        hint = f"see every fault: tabellion audit {quote(file)}" if file != "-" else ""
        raise Refused(
            "record-damaged",
            f"The record is damaged, and nothing was taken from it. {damage[0]}",
            hint=hint,
        )
    return [each for each in found.pieces if isinstance(each, Envelope)]


def _check_boards(found: Record) -> None:
    """Boards that a record carries are not taken in; but where they are not those of its events,
    somebody altered the file. Raises ``Refused``."""
    from ledger.audit import judged
    from ledger.errors import Refused

    if found.positions is None:
        return
    for fault in judged(found.pieces, positions=found.positions).faults:
        if fault.code == "wrong-board":
            where = "" if fault.event is None else f"Event {fault.event}: "
            raise Refused(
                "record-damaged",
                f"The record is damaged, and nothing was taken from it. {where}{fault.text}",
            )


def _import_record(
    events: Sequence[Envelope], take_over: bool, ledger: str | None, json: bool
) -> None:
    from cli.desk import service

    with service(ledger, create=True) as opened:
        brought = bring_in(opened, events, take_over=take_over)
    _tell_brought(brought, json)


def _is_file(file: str) -> bool:
    return file == "-" or Path(file).is_file()


def _import_from(server: str, match: str, take_over: bool, ledger: str | None, json: bool) -> None:
    """A match that a server keeps, for the first time or where the copies part."""
    from cli.desk import service
    from cli.output import as_json, say
    from cli.remote import against
    from ledger import views

    with against(server, ledger) as live:
        brought = live.bring(match, take_over=take_over)
        if brought is not None:
            _tell_brought(brought, json)
            return
        with service(ledger, write=False) as opened:
            state = opened.state(live.match)
    if json:
        as_json(views.imported(state, state.seq))
    else:
        say(f"Nothing new at the server: match {state.match[:12]}, event {state.seq}.")


def _tell_brought(brought: TakenIn, json: bool) -> None:
    from cli.output import as_json, say, say_next, short

    view = told(brought)
    if json:
        as_json(view)
        return
    say(f"match {short(view.match)}")
    say_imported(view)
    say(view.next, hang=2)
    say_next(_next_step(brought, view))


def _next_step(brought: TakenIn, view: ImportView) -> str:
    """What to do after a copy came in; where copies part, how they come together again."""
    from cli.output import next_here

    named = brought.state.match[:8]
    ours = {each.hash for each in view.set_aside if _is_here(brought.state, each)}
    if any(can_sign_anew(brought.state, each) for each in brought.aside if each.hash in ours):
        return f"tabellion pending --sign -m {named}"
    return remedy(brought) or next_here(brought.state, named)


def can_sign_anew(state: MatchState, envelope: Envelope) -> bool:
    """Whether an event that was set aside is one that can be signed again at all."""
    from ledger.errors import TabellionError
    from ledger.events import decode
    from ledger.exchange import Pending

    try:
        Pending(state.match, decode(envelope.payload), envelope).plan(state)
    except TabellionError:
        return False
    return True


def remedy(brought: TakenIn) -> str:
    """How two copies that part come together again, "" where nothing needs to be done."""
    from cli.desk import holders
    from ledger.copies import Standing

    named = brought.state.match[:8]
    match brought.standing:
        case Standing.ARBITER_HERE:
            return f"{word(named)}; if the other should stand: import FILE --take-over first"
        case Standing.ASKED if holders(brought.state, ["arbiter"]):
            return word(named)
        case Standing.UNDECIDED | Standing.SEEN:
            return "the arbiter says which copy stands, with a note; until then the two differ"
        case Standing.ARBITER_SIGNED_BOTH:
            return "ask the arbiter which stands; if not yours: tabellion import FILE --take-over"
        case _:
            return ""


def word(named: str) -> str:
    """How the arbiter says which copy stands."""
    return f'to tell the others which stands: tabellion note "{STANDS}" -m {named}'


def bring_in(opened: Service, events: Sequence[Envelope], *, take_over: bool = False) -> TakenIn:
    """Take a record's events into the ledger."""
    from cli.desk import roles_here
    from ledger.exchange import take_in

    return take_in(opened, events, here=roles_here, take_over=take_over)


def told(brought: TakenIn) -> ImportView:
    from ledger import views

    return views.imported(
        brought.state,
        brought.common - 1 if brought.standing.theirs else brought.state.seq,
        brought.standing,
        brought.aside,
        (brought.ours, brought.theirs),
        brought.signed_both,
    )


def say_imported(view: ImportView) -> None:
    """What came in, in lines: events, where the copies part, what was set aside."""
    from cli.output import say, short

    if view.parted:
        _say_parted(view.parted)
    for event in view.events:
        say(f"event {event.seq}  {short(event.hash)}  {event.text}", hang=4)
    if not view.events and not view.parted:
        ends = "Your copy goes on after it." if view.standing == "shorter" else "Both are the same."
        say(f"Nothing new in this record. {ends}")
    for each in view.set_aside:
        say(f"set aside: event {each.seq}  {short(each.hash)}  {each.text}", hang=4)


def _say_parted(parted: PartedView) -> None:
    from cli.output import Styled, say

    say(Styled(f"The two copies part after event {parted.after}.", "bold"))
    say(f"yours: {_signed(parted.ours)}", hang=4)
    say(f"file:  {_signed(parted.theirs)}", hang=4)
    stands = "the file's copy stands" if parted.stands == "theirs" else "your copy stands"
    say(f"From there on {stands}: {parted.why}.", hang=2)
    for both in parted.signed_both:
        if both.anew:
            continue
        say(
            Styled(f"{both.ours.name} signed both events {both.ours.seq}", "red"),
            "; an explanation is due. It may be a restored backup. Both are kept.",
            hang=2,
        )


def _signed(event: SignedView) -> str:
    from cli.output import short

    return f"event {event.seq}  {short(event.hash)}  {event.text}, signed by {event.name}"


def _is_here(state: MatchState, event: SignedView) -> bool:
    from cli.desk import holders

    return event.by in holders(state, [event.by])


# -- games of other programs ---------------------------------------------------------------


def _import_game(
    data: bytes,
    format_: str | None,
    again: bool,
    key: str | None,
    passphrase_file: str | None,
    ledger: str | None,
    json: bool,
) -> None:
    import secrets

    from cli.desk import one_key, service, unlock
    from cli.output import as_json, aside, next_command, say, say_next
    from ledger import readmodels, views
    from ledger.errors import Refused
    from ledger.importing import adjudged

    game = adjudged(data, format_)
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
    view = views.imported(state, -1)
    if json:
        as_json(view)
        return
    for note in game.transcript.notes:
        aside(f"note: {note}", hang=2)
    say(f"match {state.match}")
    say(game.summary, hang=2)
    say(f"{len(state.entries)} events written, head {state.head}", hang=2)
    say(view.next, hang=2)
    say_next(next_command(state, state.match[:8]))
