"""One event in full: explain. Nothing here writes."""

from __future__ import annotations

import re
from itertools import zip_longest
from typing import TYPE_CHECKING, Annotated

import typer

from cli import completing
from cli.options import JsonOption, LedgerOption, MatchOption, example

if TYPE_CHECKING:
    from ledger.fold import MatchState
    from ledger.service import Service
    from ledger.views.explaining import ExplainView, SideView


def register(app: typer.Typer) -> None:
    app.command("explain", epilog=example("tabellion explain 7"))(explain)


def explain(
    event: Annotated[
        str,
        typer.Argument(
            metavar="EVENT",
            help="Its number, or the first digits of the hash of one that was set aside.",
            autocompletion=completing.events,
        ),
    ],
    match: MatchOption = None,
    ledger: LedgerOption = None,
    json: JsonOption = False,
) -> None:
    """Explain one event: what, by which rule, by whom.

    The match before it and after it, what it rests on, who signed it and for whom, and what became
    of it: whether it stands, was taken back, or was set aside with another copy.
    """
    from cli.desk import service
    from cli.finding import find_match
    from cli.output import as_json

    with service(ledger, write=False) as opened:
        state = find_match(opened, match)
        view = _explained(opened, state, event)
    if json:
        as_json(view)
    else:
        _show(view)


def _explained(opened: Service, state: MatchState, event: str) -> ExplainView:
    from ledger.errors import NotFound
    from ledger.views.explaining import explain as of_chain

    if re.fullmatch("[0-9]{1,9}", event, re.ASCII) and int(event) <= state.seq:
        return of_chain(state, int(event), opened.envelopes(state.match)[int(event)])
    found = [
        row.envelope
        for row in opened.store.aside(state.match)
        if len(event) >= 4 and row.hash.startswith(event.lower())
    ]
    if len(found) == 1:
        return _beside(opened, state, found[0].hash)
    raise NotFound(
        "no-event",
        f"The match has no event {event[:70]!a}; its last is {state.seq}."
        if len(found) < 2
        else f"Several events that were set aside begin with {event[:70]}.",
        hint="tabellion log; for what was set aside four digits of its hash: tabellion pending",
    )


def _beside(opened: Service, state: MatchState, digest: str) -> ExplainView:
    """An event that was set aside: whether it could be signed anew as the match stands."""
    from ledger.copies import genuine
    from ledger.errors import Refused, Unreadable
    from ledger.exchange import Pending
    from ledger.service import LineRefused
    from ledger.views.explaining import explain_aside

    kept = [row.envelope for row in opened.store.aside(state.match)]
    events = zip(kept, genuine(state, kept), strict=True)
    envelope, event = next(each for each in events if each[0].hash == digest)
    if event is None:
        raise Unreadable(
            "not-genuine", "No role of this match has signed that event.", hint="tabellion audit"
        )
    refusal = None
    try:
        opened.rehearse(state, [Pending(state.match, event, envelope).plan])
    except LineRefused as refused:
        refusal = Refused(refused.code, refused.message, hint=refused.hint)
    return explain_aside(state, envelope, refusal)


def _show(view: ExplainView) -> None:
    from cli.output import Styled, say, sentence, short

    event = view.event
    say(f"event {event.seq}  {short(event.hash)}  of match {short(view.match)}", hang=4)
    say(Styled(sentence(event.text), "bold"), hang=2)
    for_ = f", for {event.for_}, who has no key" if event.for_ else ""
    say(f"signed by {event.by}{for_}: {event.keyid}: {event.name}", hang=2)
    say(f"at {view.at} by the signer's clock")
    say(f"rests on: {view.rule}", hang=2)
    ended = f" by event {view.ended_by}" if view.ended_by is not None else ""
    say(f"it {view.fate if view.fate == 'stands' else f'is {view.fate}'}{ended}")
    if view.refusal is not None:
        say(
            f"as the match stands it is refused [{view.refusal.code}]: "
            f"{sentence(view.refusal.text)}",
            hang=2,
        )
    elif view.fate == "set aside":
        say("as the match stands its owner can sign it anew: tabellion pending", hang=2)
    if view.before and view.after:
        _show_sides(view.before, view.after)
    elif view.after:
        say(f"after it: {view.after.next}", hang=2)


def _show_sides(before: SideView, after: SideView) -> None:
    from cli.output import say, width

    if before.position == after.position and before.dice == after.dice:
        say(f"the game stands as before: {after.position}", hang=2)
    else:
        left, right = _drawn(before, "before"), _drawn(after, "after")
        gap = max(map(len, left)) + 4
        room = width()
        say()
        if room is None or gap + max(map(len, right)) <= room:
            for one, two in zip_longest(left, right, fillvalue=""):
                say(f"{one:<{gap}}{two}".rstrip())
        else:
            for line in (*left, "", *right):
                say(line)
        say()
        say(f"position before: {before.position}", hang=2)
        say(f"position after:  {after.position}", hang=2)
    say(f"before it: {before.next}", hang=2)
    say(f"after it: {after.next}", hang=2)


def _drawn(side: SideView, title: str) -> list[str]:
    """The board of one side of the event, and the dice on it."""
    from ledger.render.text import counts, dice_lines, grid_lines, plain
    from ledger.render.track import track_lines
    from ledger.views import TrackView

    if isinstance(side.board, TrackView):
        return [title, *map(plain, track_lines(side.board, side.dice))]
    board, dice = grid_lines(side.board), dice_lines(side.dice)
    return [title, *map(plain, board), *counts(side.board).split(", "), *map(plain, dice)]
