"""What comes in from elsewhere: import, pending."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Annotated, Optional

import typer

from cli.options import (
    JsonOption,
    KeyOption,
    LedgerOption,
    MatchOption,
    PassphraseOption,
    example,
)

if TYPE_CHECKING:
    from ledger.envelope import Envelope
    from ledger.exchange import Pending, TakenIn
    from ledger.fold import MatchState
    from ledger.record import Record
    from ledger.service import Service
    from ledger.views import ImportView, PartedView, PendingLine, SignedView


def register(app: typer.Typer) -> None:
    app.command("import", epilog=example("tabellion import game.otg --key zoe"))(import_file)
    app.command("pending", epilog=example("tabellion pending --sign"))(show_pending)


def import_file(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The file; - for a pipe.")],
    format_: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(
            "--format", metavar="NAME", help="record, opentafl or bologna-log; found out by itself."
        ),
    ] = None,
    again: Annotated[
        bool, typer.Option("--again", help="Import a game once more that was imported already.")
    ] = False,
    take_over: Annotated[
        bool,
        typer.Option("--take-over", help="Where the record and your copy part, the record stands."),
    ] = False,
    key: KeyOption = None,
    passphrase_file: PassphraseOption = None,
    ledger: LedgerOption = None,
    json: JsonOption = False,
) -> None:
    """Import a record, or another program's game.

    A record of ours (from export on another device) brings in what is new in it: every signature
    and every move is checked first. Where it parts from your copy, what does not continue the
    match is set aside: see pending. A game of another program is judged anew, and what our rules
    give is written as a match; at the first difference nothing is written.
    """
    from cli.desk import read_input
    from ledger import record
    from ledger.errors import Refused, Unreadable

    data = read_input(file, record.MAX_RECORD)
    if format_ in (None, "record"):
        try:
            found = record.read(data)
        except Unreadable:
            if format_:
                raise
        else:
            _import_record(whole(found, file), take_over, ledger, json)
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


def _import_record(
    events: Sequence[Envelope], take_over: bool, ledger: str | None, json: bool
) -> None:
    from cli.desk import service
    from cli.output import as_json, say, say_next, short

    with service(ledger, create=True) as opened:
        brought = bring_in(opened, events, take_over=take_over)
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
    if any(_is_here(brought.state, each) for each in view.set_aside):
        return f"tabellion pending --sign -m {named}"
    return remedy(brought) or next_here(brought.state, named)


def remedy(brought: TakenIn) -> str:
    """How two copies that part come together again, "" where nothing needs to be done."""
    from cli.desk import holders
    from ledger.copies import Standing

    named = brought.state.match[:8]
    match brought.standing:
        case Standing.ARBITER_HERE:
            return f"{_word(named)}; if the other should stand: import FILE --take-over first"
        case Standing.ASKED if holders(brought.state, ["arbiter"]):
            return _word(named)
        case Standing.UNDECIDED | Standing.SEEN:
            return "the arbiter says which copy stands, with a note; until then the two differ"
        case Standing.ARBITER_SIGNED_BOTH:
            return "ask the arbiter which stands; if not yours: tabellion import FILE --take-over"
        case _:
            return ""


def _word(named: str) -> str:
    """How the arbiter says which copy stands."""
    return f'to tell the others which stands: tabellion note "This copy stands." -m {named}'


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


# -- what was set aside --------------------------------------------------------------------


def show_pending(
    hashes: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Argument(metavar="[HASH...]", help="Only these: the first digits of their hashes."),
    ] = None,
    named: MatchOption = None,
    sign: Annotated[
        bool,
        typer.Option("--sign", help="Sign anew what still goes, with the keys of this device."),
    ] = False,
    passphrase_file: PassphraseOption = None,
    ledger: LedgerOption = None,
    json: JsonOption = False,
) -> None:
    """List what was set aside and can be signed anew.

    When two copies of a match part, what does not continue the one that stands is kept here. Its
    owner signs it anew, or does something else instead: then it is no longer listed.
    """
    from cli.desk import holders, service
    from cli.output import as_json, say, say_next
    from ledger.exchange import awaits_word
    from ledger.views import PendingView

    with service(ledger, write=sign) as opened:
        wanted = _wanted(opened, named)
        lines = _chosen(lines_pending(opened, wanted), hashes or [])
        signed = _sign_anew(opened, lines, passphrase_file, json) if sign else []
        if sign:
            lines = lines_pending(opened, wanted)
        matches = [
            match
            for match in dict.fromkeys(line.match for line in lines)
            if awaits_word(opened, match) and holders(opened.state(match), ["arbiter"])
        ]
    if json:
        as_json(PendingView(tuple(lines), tuple(signed)))
        return
    if sign:
        if not signed:
            say("Nothing waits that can be signed anew here.")
        return
    for line in lines:
        _say_pending(line)
    if not lines:
        say("Nothing waits to be signed anew.")
    if any(_can_sign(line) for line in lines):
        say_next("tabellion pending --sign")
    for match in matches:
        say_next(_word(match[:8]))


def _wanted(opened: Service, match: str | None) -> str | None:
    from cli.finding import find_match

    return find_match(opened, match).match if match else None


def _chosen(lines: list[PendingLine], hashes: list[str]) -> list[PendingLine]:
    """Those that begin with one of ``hashes``; all of them without any."""
    from ledger.errors import NotFound

    for digits in hashes:
        if len(digits) < 4 or not any(line.event.hash.startswith(digits) for line in lines):
            raise NotFound(
                "not-pending",
                f"Nothing that waits begins with {digits[:70]!a}.",
                hint="tabellion pending",
            )
    return [line for line in lines if not hashes or line.event.hash.startswith(tuple(hashes))]


def _can_sign(line: PendingLine) -> bool:
    return line.key is not None and line.refusal is None


def _sign_anew(
    opened: Service, lines: list[PendingLine], passphrase_file: str | None, json: bool
) -> list[SignedView]:
    """Sign anew what was possible when it was listed, one after the other. What was signed is told
    even when something stops it half-way; so is what no longer waits."""
    from cli.output import say, written
    from ledger import views
    from ledger.exchange import pending

    waiting = {each.envelope.hash: each for each in pending(opened)}
    signed: list[SignedView] = []
    for match in dict.fromkeys(line.match for line in lines):
        chosen = [line for line in lines if line.match == match and _can_sign(line)]
        begin = state = opened.state(match)
        try:
            for line in chosen:
                state = _sign_one(opened, state, waiting[line.event.hash], passphrase_file, json)
        finally:
            new = opened.envelopes(match)[begin.seq + 1 : state.seq + 1]
            signed += [views.signed(state, each) for each in new]
            if new and not json:
                written(state, begin.seq, json, match[:8])
        left = {each.envelope.hash for each in pending(opened, match)}
        for line in lines:
            gone = line.event.hash not in left and line not in chosen
            if line.match == match and gone and not json:
                say(f"no longer waits: {line.event.text}", hang=2)
    return signed


def _sign_one(
    opened: Service, state: MatchState, each: Pending, passphrase_file: str | None, json: bool
) -> MatchState:
    """Sign one act anew after ``state``, unless what was signed before it has made it impossible.

    Raises ``Stale`` when somebody else has written since.
    """
    from cli.desk import write
    from cli.output import say
    from ledger.service import LineRefused

    try:
        return write(opened, state, [each.plan], [each.event.by], passphrase_file)
    except LineRefused as refused:
        if not json:
            say(f"not signed: {refused.message}", hang=2)
        return state


def lines_pending(
    opened: Service, match: str | None, roles: Collection[str] | None = None
) -> list[PendingLine]:
    """What waits to be signed anew, of one match or of all, by all owners or by some."""
    from ledger.exchange import pending

    states: dict[str, MatchState] = {}
    found = []
    for each in pending(opened, match, roles):
        if each.match not in states:
            states[each.match] = opened.state(each.match)
        found.append(_line(opened, states[each.match], each))
    return found


def _line(opened: Service, state: MatchState, each: Pending) -> PendingLine:
    from cli.desk import holders
    from ledger import views
    from ledger.errors import TabellionError

    refusal = None
    try:
        opened.rehearse(state, [each.plan])
    except TabellionError as error:
        refusal = error.message
    return views.PendingLine(
        match=each.match,
        event=views.signed(state, each.envelope),
        key=holders(state, [each.event.by]).get(each.event.by),
        refusal=refusal,
    )


def _say_pending(line: PendingLine) -> None:
    from cli.output import say, short

    event = line.event
    say(f"{short(event.hash)}  match {short(line.match)}, event {event.seq}: {event.text}", hang=4)
    if line.refusal is not None:
        say(f"  no longer possible: {line.refusal}", hang=4)
    elif line.key is None:
        say(f"  {line.event.name} signs it anew on their device, once your copy is there.", hang=4)
    else:
        say(f"  can be signed anew with the key {line.key}")


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
