"""What was set aside when copies of a match parted: pending."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Annotated, Optional

import typer

from cli.options import JsonOption, LedgerOption, MatchOption, PassphraseOption, example

if TYPE_CHECKING:
    from ledger.exchange import Pending
    from ledger.fold import MatchState
    from ledger.service import Service
    from ledger.views import PendingLine, SignedView


def register(app: typer.Typer) -> None:
    app.command("pending", epilog=example("tabellion pending --sign"))(show_pending)


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
    from cli.copies import word
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
        say_next(word(match[:8]))


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
