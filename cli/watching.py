"""Watching a match: the ledger file is asked again and again, nothing is ever written.

On a terminal the board is drawn anew in its place whenever the match goes on. In a pipe every
event that comes is a line, as ``log`` has it; with ``--json`` the match as it then stands is one.
"""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING, Final

from ledger.sqlitefile import place_of, sqlite_errors

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.fold import MatchState
    from ledger.service import Service
    from ledger.store import Store


SECONDS: Final = 0.3
"""Between two looks at the file."""
_FROM_THE_TOP: Final = "\x1b[H\x1b[J"
"""Cursor home, and everything below it away: what scrolled off above stays."""


def watch(ledger: str | None, match: str | None, *, flip: bool, json: bool) -> None:
    """Tell of the match now and whenever it goes on, until it is closed or somebody presses
    Ctrl-C: that is the ordinary end of looking on, and no failure."""
    from cli.desk import service
    from cli.finding import find_match
    from cli.output import on_terminal

    def drawn(state: MatchState, _: MatchState | None) -> None:
        _draw(state, match, flip=flip)

    tell = _as_document if json else drawn if on_terminal() else _in_lines
    with service(ledger, write=False) as opened:
        found = find_match(opened, match)
        last = found
        try:
            for last, told in standings(opened, found.match):
                tell(last, told)
                sys.stdout.flush()
        except KeyboardInterrupt:
            if on_terminal():
                print()
            _say_stopped(last, match)


def _say_stopped(state: MatchState, match: str | None) -> None:
    """Where looking on has ended, and what the match waits for."""
    from cli.output import aside, next_here, say_next, whose_turn
    from ledger import views

    aside(f"Stopped at event {state.seq}; looking on signs nothing.", hang=2)
    aside(whose_turn(state, views.next_step(state), match), hang=2)
    say_next(next_here(state, match))


def standings(opened: Service, match: str) -> Iterator[tuple[MatchState, MatchState | None]]:
    """The match as it stands now, then each time that its head has changed, each with the one
    before; the last is closed."""
    told: MatchState | None = None
    for _ in _stirrings(opened.store):
        with opened.store.reading():
            state = opened.remember(opened.current(match))
        if told is None or state.head != told.head:
            yield state, told
            told = state
        if state.phase.value == "closed":
            return


def _stirrings(store: Store) -> Iterator[None]:
    """At once, and after whatever another program writes to the ledger."""
    from ledger.errors import NotAllowed

    place, seen = place_of(store.path), None
    while True:
        with sqlite_errors(store.path):
            version = store.connection.execute("PRAGMA data_version").fetchone()[0]
        if version != seen:
            seen = version
            yield
        time.sleep(SECONDS)
        if place_of(store.path) != place:
            raise NotAllowed(
                "ledger-moved",
                f"{store.path} was moved or replaced while it was watched.",
                hint="tabellion show --watch",
            )


def _draw(state: MatchState, match: str | None, *, flip: bool) -> None:
    """The match in the place of what stood on the terminal; one that knows no such place gets it
    below."""
    from cli.look import show_match
    from cli.output import Styled, say, whose_turn
    from ledger import views

    view = views.show(state)
    print(end="\n" if os.environ.get("TERM") == "dumb" else _FROM_THE_TOP)
    show_match(state, view, flip, whose_turn(state, view.next, match))
    if state.phase.value != "closed":
        say(Styled("Watching. Ctrl-C ends it.", "dim"))


def _in_lines(state: MatchState, told: MatchState | None) -> None:
    from cli.look import log_lines
    from ledger import views

    log_lines(views.log(state).events, after=last_told(state, told))


def _as_document(state: MatchState, _: MatchState | None) -> None:
    import msgspec

    from cli.output import as_bytes, as_json, on_terminal
    from ledger import views

    view = views.show(state)
    if on_terminal():
        as_json(view)
    else:
        as_bytes(msgspec.json.encode(view) + b"\n")


def last_told(state: MatchState, told: MatchState | None) -> int:
    """The last event that was told and still stands: another copy can have taken the place of
    what followed. Where nothing was told yet, the head: only what comes is new."""
    if told is None:
        return state.seq
    both = zip(state.entries, told.entries, strict=False)
    parted = (now.event.seq - 1 for now, before in both if now.hash != before.hash)
    return next(parted, min(state.seq, told.seq))
