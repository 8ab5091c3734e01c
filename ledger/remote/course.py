"""A match here and at a server: what came from there, what has not arrived there yet.

The ledger here is the outbox: what follows the server's last event was signed and stored here
before it is sent, and the same bytes are sent again. The server orders a match. So what was signed
here alone gives way where the server has something else in its place, and is set aside for its
owner. What others have signed gives way only by the rules for copies.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from ledger import copies
from ledger.envelope import Envelope
from ledger.errors import NotAllowed, NotFound, Refused
from ledger.events import decode
from ledger.exchange import TakenIn, take_in
from ledger.fold import MatchState
from ledger.remote.server import Chain, Server
from ledger.service import Service

Here = Callable[[MatchState], Collection[str]]
"""The roles of a match whose keys are on this device."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """What a server had of a match."""

    brought: TakenIn | None
    """What became of it; ``None``: there was nothing new."""
    known: int
    """The last event that both have."""


def fetch(
    server: Server, service: Service, match: str, here: Here, *, take_over: bool = False
) -> Fetched:
    """Take in what the server has and this ledger has not. Every event is verified.

    Raises ``Refused`` for a chain with a fault, and where the copies part and ours stays.
    """
    head = service.store.head(match)
    seq, last = head if head else (-1, "")
    news = server.after(match, seq)
    if not news.events and news.seq <= seq and _at(service, match, news.seq) == news.head:
        return Fetched(None, news.seq)
    theirs = _whole(server, service, match, last, news)
    if not theirs or theirs[0].hash != match:
        raise Refused("bad-answer", "The server gives the events of another match.")
    over = take_over or _all_ours(service, match, theirs, here)
    try:
        brought = take_in(service, theirs, here=here, take_over=over)
    except Refused as error:
        why = error.message.replace("of the file", "of the server's copy")
        raise Refused(
            error.code, why, hint="tell the arbiter: this server's copy is not sound"
        ) from None
    if brought.standing.parted and not brought.standing.theirs:
        raise Refused(
            "copies-part",
            f"The server's copy and yours part after event {brought.common - 1}, and yours holds "
            "what others have signed: it stays. The server may have been set back, or it hides "
            "something.",
            hint="ask the arbiter; if the server's copy should stand: "
            f"tabellion import {match[:8]} --take-over",
        )
    stands = brought.standing.theirs
    return Fetched(brought, brought.state.seq if stands else brought.common - 1)


def unsent(service: Service, match: str, known: int) -> list[Envelope]:
    """The events here after number ``known``, which a server has not acknowledged."""
    return [row.envelope for row in service.store.rows(match, known)]


def send(server: Server, service: Service, match: str, known: int) -> int:
    """Send what the server does not have, in order; returns the last number that it has now.

    Raises ``Stale`` at the first event in whose place the server has another.
    """
    for number, envelope in enumerate(unsent(service, match, known), start=known + 1):
        try:
            server.post(envelope)
        except (Refused, NotAllowed, NotFound) as error:
            error.message = (
                f"Event {number}, signed and stored here, did not go through. {error.message}"
            )
            raise
        known = number
    return known


def _at(service: Service, match: str, seq: int) -> str:
    """The hash of event ``seq`` here."""
    row = next(iter(service.store.rows(match, seq - 1)), None)
    return row.hash if row else ""


def _whole(server: Server, service: Service, match: str, last: str, news: Chain) -> list[Envelope]:
    """All that the server has: ours and what follows it, or everything anew where they part."""
    if not last:
        return list(news.events)
    if news.events and decode(news.events[0].payload).prev == last:
        return [*service.envelopes(match), *news.events]
    return list(server.after(match, -1).events)


def _all_ours(service: Service, match: str, theirs: list[Envelope], here: Here) -> bool:
    """Whether all that would leave our chain was signed with keys of this device."""
    ours = service.envelopes(match)
    leaving = ours[copies.common(ours, theirs) :]
    if not leaving:
        return False
    return {decode(each.payload).by for each in leaving} <= set(here(service.current(match)))
