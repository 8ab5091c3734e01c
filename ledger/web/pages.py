"""The pages, the same bytes for everybody. They ask the API for all that they show.

Each page says in itself which script and style it may run, by hash; the header adds what only a
header can say.
"""

from __future__ import annotations

from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import Response

from ledger.web import assembled
from ledger.web.answers import known_already


class Page:
    """A route that gives one page."""

    def __init__(self, page: Callable[[], bytes]) -> None:
        self.page = page

    async def get(self, request: Request) -> Response:
        data = self.page()
        tag = assembled.digest(data)
        headers = {
            "etag": f'"{tag}"',
            "cache-control": "no-cache",
            "content-security-policy": "frame-ancestors 'none'",
        }
        if known_already(request, tag):
            return Response(status_code=304, headers=headers)
        return Response(data, headers=headers, media_type="text/html; charset=utf-8")
