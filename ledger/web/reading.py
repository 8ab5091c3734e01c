"""What anybody may read: the hall, a match, its events, what may be done now, the record."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Final, cast

import msgspec
from msgspec import Raw
from starlette.requests import Request
from starlette.responses import Response

from ledger import __version__, exporting, views
from ledger.describing import SignedEvent
from ledger.errors import Ambiguous, NotFound, Refused, Unreadable
from ledger.fold import MatchState
from ledger.store import Row
from ledger.web.answers import known_already, query, unless_known, view
from ledger.web.clerk import Clerk
from ledger.web.limits import Limits, Places
from ledger.web.shapes import EventsView
from ledger.web.streams import whole_hall

MOST_EVENTS: Final = 1000
"""In one answer."""
LONGEST_TEXT: Final = 500
"""Characters of an action that are looked at."""
AT_ONCE: Final = 2
"""Records and earlier positions that are made at the same time, beside the clerk. Who posts waits
behind no more of them."""
MOST_BYTES: Final = 1024 * 1024
"""Of events in one answer, an event more or less: whoever asks goes on behind the last."""

_encode = msgspec.json.Encoder().encode


class Reading:
    """The routes that only read."""

    def __init__(self, clerk: Clerk, limits: Limits) -> None:
        self.clerk = clerk
        self._making = asyncio.Semaphore(AT_ONCE)
        self._giving = asyncio.Semaphore(AT_ONCE)
        self._places = Places(
            "long answers", limits.streams, limits.answers_each, limits.streams_here
        )

    def _busy(self, request: Request) -> AbstractContextManager[None]:
        """A place for an answer that is work to make: one address may wait for a few at a time, so
        that others do not wait behind it. Raises ``TooMany``."""
        return self._places.held(request.client.host if request.client else "")

    async def hall(self, request: Request) -> Response:
        """Every match, the one opened last first."""
        position = await self.clerk.ask(self.clerk.last_position)
        return unless_known(request, f"hall-{position}", await whole_hall(self.clerk))

    async def match(self, request: Request) -> Response:
        """A match as it stands, or as it stood after event ``at``."""
        prefix = request.path_params["match"]
        at = query(request, "at", -1)
        if "at" not in request.query_params:
            _, head, table = await self.clerk.ask(self.clerk.table, prefix)
            return unless_known(request, f"{head.hash}-show", table)
        with self._busy(request):
            state = await self._state(request)
            if not 0 <= at <= state.seq:
                raise NotFound("no-event", f"There is no event {at}: the last is {state.seq}.")
            async with self._making:
                shown = await asyncio.to_thread(views.show, state, at)
        return unless_known(request, f"{state.head}-{at}", _encode(shown))

    async def events(self, request: Request) -> Response:
        """The signed events after number ``since``, as they were signed."""
        since = max(query(request, "since", -1), -1)
        with self._busy(request):
            async with self._giving:
                match, head, rows = await self.clerk.ask(
                    self.clerk.events, request.path_params["match"], since, MOST_EVENTS
                )
                events = tuple(Raw(row.envelope.text()) for row in _in_one_answer(rows))
        signed = cast("tuple[SignedEvent, ...]", events)  # the bytes as they were signed
        body = _encode(EventsView(match, head.seq, head.hash, signed))
        return unless_known(request, f"{head.hash}-{since}-events", body)

    async def moves(self, request: Request) -> Response:
        """What may be done now."""
        with self._busy(request):
            state = await self._state(request)
            async with self._making:
                found = await asyncio.to_thread(views.moves, state)
        return unless_known(request, f"{state.head}-moves-{__version__}", _encode(found))

    async def read(self, request: Request) -> Response:
        """What somebody typed, as the one canonical action."""
        kind = request.query_params.get("kind", "move")
        text = request.query_params.get("text", "")
        if len(text) > LONGEST_TEXT:
            raise Unreadable("bad-query", f"An action has {LONGEST_TEXT} characters at most.")
        state = await self._state(request)
        if state.turn is None:
            raise Refused("nothing-to-do", "Nothing is to be done on the board now.")
        try:
            action = state.game.read(state.position, kind, text)
        except (Ambiguous, Unreadable) as error:
            raise Refused(error.code, error.message, hint=error.hint) from None
        return view(views.action(state, action))

    async def record(self, request: Request) -> Response:
        """The record of the match with its boards, for anybody to verify."""
        return await self._export(request, exporting.RECORD, ".tabellion.json")

    async def page(self, request: Request) -> Response:
        """The page that verifies the record that it has inside."""
        return await self._export(request, exporting.HTML, ".html")

    async def _state(self, request: Request) -> MatchState:
        return await self.clerk.ask(self.clerk.state, request.path_params["match"])

    async def _export(self, request: Request, form: str, suffix: str) -> Response:
        with self._busy(request):
            state = await self._state(request)
            if known_already(request, f"{state.head}-{form}"):
                return unless_known(request, f"{state.head}-{form}", b"")
            async with self._making:
                state, events = await self.clerk.ask(self.clerk.with_envelopes, state.match)
                data = await asyncio.to_thread(exporting.write, state, events, form)
        name = f"{state.match[:12]}-{state.seq}{suffix}"
        answer = unless_known(
            request,
            f"{state.head}-{form}",
            data,
            **{"content-disposition": f'attachment; filename="{name}"'},
        )
        if form == exporting.HTML and answer.status_code == 200:
            answer.headers["content-type"] = "text/html; charset=utf-8"
        return answer


def _in_one_answer(rows: Sequence[Row]) -> Iterator[Row]:
    size = 0
    for row in rows:
        yield row
        size += len(row.payload)
        if size > MOST_BYTES:
            return
