"""Waiting at a server for others: until a roll is open, and while a match is watched.

The server's stream only rings: what is new is fetched and verified as ever.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final

from cli.live import is_quiet
from ledger.errors import NotAllowed, TabellionError
from ledger.remote.line import Unreachable
from ledger.remote.stream import rings

if TYPE_CHECKING:
    from cli.live import Live
    from ledger.fold import MatchState
    from ledger.service import Service

PATIENCE: Final = 20.0
"""Seconds that ``roll`` waits for the others."""
_POLL: Final = 1.0
"""Seconds between two questions where the server has no stream."""

Act = Callable[["Service", "MatchState"], "MatchState"]


def roll(live: Live, match: str, act: Act, patience: float = PATIENCE) -> MatchState:
    """Throw or open, and stay until the dice are there: what others open comes in, and what
    this device owes is opened. Nothing but openings is signed unasked."""
    from cli.desk import service

    news = _news(live, patience)
    refused: TabellionError | None = None
    with service(live.ledger) as opened:
        try:
            state = act(opened, opened.state(match))
        except NotAllowed as error:
            if error.code != "not-yours":
                raise
            refused, state = error, opened.state(match)
    number = state.rolling.number
    while (refused or state.rolling.flight) and not live.late and next(news, False):
        with suppress(Unreachable, NotAllowed), service(live.ledger) as opened:
            brought = live.fetch(opened)
            state = opened.state(match)
            if refused and brought and not all(map(is_quiet, brought.taken)):
                live.check_seen(brought, "roll")
            if state.rolling.flight is not None:
                state, refused = act(opened, state), None
        if state.rolling.number != number:
            refused = None
    if refused is not None:
        raise refused
    return state


@contextmanager
def courier(live: Live) -> Iterator[None]:
    """Meanwhile, whatever is new at the server is taken into the ledger here, where others may
    watch for it."""
    from threading import Event, Thread

    done = Event()
    Thread(target=_carry, args=(live, done.is_set, done.wait), daemon=True).start()
    try:
        yield
    finally:
        done.set()


def _carry(live: Live, done: Callable[[], bool], wait: Callable[[float], object]) -> None:
    from cli.desk import clock, ledger_path
    from cli.output import aside
    from ledger.service import Service

    failed, said = 0, ""
    while live.match and not done():
        try:
            for _ in rings(live.server.address, live.match, live.known, None):
                with Service.open(ledger_path(live.ledger), clock) as opened:
                    live.fetch(opened)
                if done():
                    return
                failed, said = 0, ""
        except TabellionError as error:
            failed += 1
            if failed > 1 and error.message != said and not done():  # else it is there again
                said = error.message
                aside(f"note: not live. {said}", hang=2)
        wait(_POLL)


def _news(live: Live, patience: float) -> Iterator[bool]:
    """At each news of the match, for so many seconds; where the server has no stream, every
    second."""
    end = time.monotonic() + patience
    while (left := end - time.monotonic()) > 0:
        try:
            for _ in rings(live.server.address, live.match, live.known, left):
                yield True
        except Unreachable:
            time.sleep(min(_POLL, max(0.0, end - time.monotonic())))
            yield True
