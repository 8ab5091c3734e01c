"""What spectators read beside the board: the events of a match in words.

After each event everybody who looks on asks for the new lines at the same time, so that they are
made once for each head and kept.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from ledger import views
from ledger.fold import MatchState
from ledger.views import LogLine, LogView
from ledger.web.answers import query, unless_known
from ledger.web.clerk import Clerk

KEPT: Final = 32
"""Matches whose lines are kept, those asked for last."""

_encode = msgspec.json.Encoder().encode


class LookingOn:
    """The route of the log."""

    def __init__(self, clerk: Clerk) -> None:
        self.clerk = clerk
        self._making = asyncio.Semaphore(1)
        self._kept: OrderedDict[str, tuple[str, tuple[LogLine, ...]]] = OrderedDict()

    async def log(self, request: Request) -> Response:
        """The events after number ``since`` in words, as ``tabellion log --json`` has them.

        What was taken back later is marked so in lines that were read before: a reader asks for
        all of them again after a ruling, a takeback or a roll that was voided.
        """
        since = max(query(request, "since", -1), -1)
        state = await self.clerk.ask(self.clerk.state, request.path_params["match"])
        lines = await self._lines(state)
        body = _encode(LogView(match=state.match, events=lines[since + 1 :]))
        return unless_known(request, f"{state.head}-{since}-log", body)

    async def _lines(self, state: MatchState) -> tuple[LogLine, ...]:
        async with self._making:
            head, lines = self._kept.get(state.match, ("", ()))
            if head != state.head:
                lines = (await asyncio.to_thread(views.log, state)).events
                self._kept[state.match] = (state.head, lines)
                if len(self._kept) > KEPT:
                    self._kept.popitem(last=False)
            self._kept.move_to_end(state.match)
        return lines
