"""Ctrl-C while a command waits at a server: what stands, what is awaited, what goes on.

Whoever stops waiting has to know whether anything was signed: it stays signed, and is not to be
signed again. All of it goes to standard error, and the command ends as stopped ones do (130).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cli.live import Live
    from ledger.fold import MatchState
    from ledger.views import WrittenEvent


@contextmanager
def told_when_stopped(live: Live) -> Iterator[None]:
    """Whatever is done meanwhile: when Ctrl-C ends it, what it leaves behind is said."""
    try:
        yield
    except KeyboardInterrupt:
        _tell(live)
        raise


def _tell(live: Live) -> None:
    from cli.desk import service
    from cli.output import aside, short
    from ledger import views

    if live.before is None:
        aside("Stopped: nothing was signed.")
        return
    with service(live.ledger, write=False) as opened:
        state = opened.state(live.match)
    signed = _signed_here(state, live.before)
    for event in signed:
        aside(f"event {event.seq}  {short(event.hash)}  {event.text}", hang=4)
    if not signed:
        aside("Stopped: nothing was signed.")
    elif signed[-1].seq > live.known:
        aside(
            "Stopped. What you signed is kept here; the server may not have it yet. The next "
            "command that reaches it sends the same bytes: do not sign it again.",
            hang=2,
        )
    else:
        aside("Stopped. What you signed stands, here and at the server.", hang=2)
    aside(views.next_step(state), hang=2)
    tell_what_goes_on(state)


def _signed_here(state: MatchState, before: int) -> list[WrittenEvent]:
    """What was signed with keys of this device after event ``before``."""
    from cli.desk import roles_here
    from ledger import views

    here = roles_here(state)
    new = views.written(state, before).events
    return [each for each in new if state.entries[each.seq].event.by in here]


def tell_what_goes_on(state: MatchState) -> None:
    """The command that goes on from here."""
    from cli.output import next_here, say_next

    say_next(next_here(state, state.match[:8]))
