"""The application: which address leads where."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.routing import Route
from starlette.types import ASGIApp

from ledger.errors import TabellionError
from ledger.tables import beside
from ledger.web import answers, assembled, desk, joins, openapi
from ledger.web.arbiter import Arbiter
from ledger.web.clerk import Clerk
from ledger.web.deskwork import Desk
from ledger.web.feed import Feed
from ledger.web.guard import Guard
from ledger.web.limits import USUAL, Limits, Pace, Seconds
from ledger.web.logbook import LOG
from ledger.web.login import Login
from ledger.web.lookingon import LookingOn
from ledger.web.pages import Page
from ledger.web.posting import Posting
from ledger.web.reading import Reading
from ledger.web.streams import Streams

POLL: Final = 0.2
"""Seconds between two looks at whether another program has written."""


class House(Struct, frozen=True):
    """What a server is told: whose it is, what it is called, how much it allows.

    ``openers``: fingerprints of the keys that may open matches through it. ``arbiter`` signs, if
    the arbiter's key is unlocked here.
    """

    openers: frozenset[str] = frozenset()
    names: tuple[str, ...] = ()
    arbiter: Arbiter | None = None
    login: Login | None = None
    """The way to the arbiter's desk."""
    write: bool = True
    log: bool = True
    limits: Limits = field(default_factory=lambda: USUAL)


class Served(Struct, frozen=True):
    """A service that can be run: ``app`` for the network, ``feed`` to let its streams end."""

    app: ASGIApp
    feed: Feed
    routes: Collection[Route]


def build(clerk: Clerk, house: House, seconds: Seconds) -> Served:
    """The service of an open ledger. ``seconds``: a clock that never goes back."""
    feed = Feed()
    pace = Pace(house.limits, seconds)
    joining = replace(house.limits, posts_each=house.limits.joins_each)
    codes = Pace(joining, seconds)
    reading = Reading(clerk, house.limits)
    streams = Streams(clerk, feed, house.limits)
    posting = Posting(clerk, pace, house.openers, house.limits.body_seconds)
    signing = Desk(clerk, house.arbiter.signer) if house.arbiter else None
    match = "/api/matches/{match}"
    routes = [
        Route("/api/matches", reading.hall, methods=["GET"]),
        Route(match, reading.match, methods=["GET"]),
        Route(f"{match}/events", reading.events, methods=["GET"]),
        Route(f"{match}/moves", reading.moves, methods=["GET"]),
        Route(f"{match}/read", reading.read, methods=["GET"]),
        Route(f"{match}/log", LookingOn(clerk).log, methods=["GET"]),
        Route(f"{match}/record", reading.record, methods=["GET"]),
        Route(f"{match}/page", reading.page, methods=["GET"]),
        Route(f"{match}/stream", streams.match, methods=["GET"]),
        Route("/api/stream", streams.hall, methods=["GET"]),
        Route("/api/events", posting.event, methods=["POST"]),
        *joins.routes(clerk, house.arbiter, codes, house.limits),
        Route("/api/openapi.json", openapi.answer, methods=["GET"]),
        Route("/", Page(assembled.hall).get, methods=["GET"]),
        Route("/match/{match}", Page(assembled.hall).get, methods=["GET"]),
        Route("/play", Page(assembled.player).get, methods=["GET"]),
        *desk.routes(clerk, signing, house.login, pace, house.limits),
    ]

    @asynccontextmanager
    async def living(_app: Starlette) -> AsyncIterator[None]:
        loop = asyncio.get_running_loop()
        clerk.watched = feed.watched
        clerk.publish = lambda news: loop.call_soon_threadsafe(partial(feed.publish, news))
        looking = asyncio.create_task(_look(clerk, house.arbiter))
        try:
            yield
        finally:
            looking.cancel()
            with suppress(asyncio.CancelledError):
                await looking
            await asyncio.to_thread(LOG.finish)

    inner = Starlette(
        routes=routes,
        lifespan=living,
        exception_handlers={
            TabellionError: answers.refused,
            HTTPException: answers.not_routed,
            Exception: answers.unexpected,
        },
    )
    inner.router.redirect_slashes = False
    reads = Pace(house.limits, seconds, reads=True)
    app = Guard(inner, reads, house.names, write=house.write, log=house.log)
    return Served(app, feed, routes)


async def _look(clerk: Clerk, arbiter: Arbiter | None) -> None:
    """Publish what other programs write, for as long as the server runs. The arbiter's key first
    does what was left to do while no server ran."""
    said = ""
    if arbiter is not None:
        clerk.attend = arbiter.attend
    beginning = asyncio.create_task(_begin(clerk, arbiter))
    try:
        while True:
            await asyncio.sleep(POLL)
            try:
                await clerk.ask(clerk.look)
                said = ""
            except TabellionError as error:
                if error.code != said:
                    said = error.code
                    LOG.note(f"{error.code}: {error.message}")
    finally:
        beginning.cancel()


async def _begin(clerk: Clerk, arbiter: Arbiter | None) -> None:
    if arbiter is not None:
        with suppress(TabellionError):
            await clerk.ask(_catch_up, clerk, arbiter)


def _catch_up(clerk: Clerk, arbiter: Arbiter) -> None:
    with clerk.telling() as service:
        arbiter.attend_all(service)
        arbiter.seat_all(service, beside(clerk.path), clerk.clock())
