"""The arbiter's page and what it asks: on this machine alone, for whoever has come in by the link.

Nobody comes in from elsewhere, by another name of this machine, or through a program that passes
requests on. What writes must besides come from this very page: its origin is looked at, and it
sends a header that a foreign page cannot send without being asked first, which nothing here allows.

Whoever came in shows it in a header, never by a cookie: browsers send those to every port of a
name, so to every program of this machine that serves a page.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from ledger.errors import NotAllowed, Unreadable
from ledger.web import answers, assembled
from ledger.web.clerk import Clerk
from ledger.web.deskwork import MOST_BYTES, Desk
from ledger.web.limits import Limits, Pace, is_here
from ledger.web.login import LONGEST, Login
from ledger.web.pages import Page
from ledger.web.posting import taken
from ledger.web.shapes import ErrorAnswer, ErrorView

OURS: Final = "tabellion-desk"
"""The header of whatever writes."""
PASSED_ON: Final = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip")


class SessionView(Struct, frozen=True):
    """Who signs here. Without a key, nobody: the page looks on."""

    arbiter: str | None
    """The fingerprint of the arbiter's key."""
    readonly: bool


class EnterRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """The token of the link."""

    token: Annotated[str, Meta(max_length=LONGEST)]


class EnteredView(Struct, frozen=True):
    """What the page keeps, and shows whenever it asks: ``Authorization: Bearer …``."""

    session: str


class NotLoggedIn(NotAllowed):
    """Nobody has come in by the link (401)."""

    def __init__(self) -> None:
        super().__init__(
            "not-logged-in",
            "Come in by the link that the server printed when it started.",
            hint="It is good once; when it was used, a fresh one stands below it.",
        )


class DeskRoutes:
    """The routes. Without ``desk`` nobody can sign, and nobody has to come in."""

    def __init__(
        self,
        clerk: Clerk,
        desk: Desk | None,
        login: Login | None,
        pace: Pace,
        limits: Limits,
    ) -> None:
        self.clerk = clerk
        self.desk = desk
        self.login = login
        self.pace = pace
        self.limits = limits
        self.page = Page(assembled.desk)

    async def open(self, request: Request) -> Response:
        """The page, the same for everybody."""
        try:
            check_here(request)
        except NotAllowed as error:  # to a person, not to a program
            return PlainTextResponse(f"{error.message}\n", 403, {"cache-control": "no-store"})
        return await self.page.get(request)

    async def enter(self, request: Request) -> Response:
        """A session for the token of the link, once."""
        check_here(request)
        check_own_page(request)
        body = await taken(request, self.pace, MOST_BYTES, self.limits.body_seconds)
        try:
            token = msgspec.json.decode(body, type=EnterRequest, strict=True).token
        except (msgspec.MsgspecError, ValueError, RecursionError):
            raise Unreadable("bad-token", "This is not {token}.") from None
        session = self.login.enter(token) if self.login else None
        if session is None:
            raise NotAllowed(
                "link-used",
                "The link that you opened was used already, or is an older server's.",
                hint="The window where the server was started shows the one that is good.",
            )
        return answers.view(EnteredView(session))

    async def session(self, request: Request) -> Response:
        """Who signs here."""
        check_here(request)
        if self.desk is None:
            return answers.view(SessionView(None, readonly=True))
        self._check_in(request)
        return answers.view(SessionView(self.desk.signer.public.fingerprint, readonly=False))

    async def facts(self, request: Request) -> Response:
        """What the page has to know of a match beside what everybody sees."""
        desk = self._admit(request)
        return answers.view(await self.clerk.ask(desk.facts, request.path_params["match"]))

    async def position(self, request: Request) -> Response:
        """A position that was typed, in its one spelling."""
        desk = self._admit(request)
        text = request.query_params.get("text", "")
        match = request.path_params["match"]
        return answers.view(await self.clerk.ask(desk.position, match, text))

    async def tables(self, request: Request) -> Response:
        """Tables that wait for phones."""
        return answers.view(await self.clerk.ask(self._admit(request).tables))

    async def withdraw(self, request: Request) -> Response:
        """Take such a table away; those that are left."""
        return await self._written(request, self._admit(request).withdraw)

    async def rehearse(self, request: Request) -> Response:
        """What would become of acts; nothing is written."""
        return await self._written(request, self._admit(request).rehearse)

    async def sign(self, request: Request) -> Response:
        """Sign and store acts, all or none."""
        return await self._written(request, self._admit(request).sign)

    async def _written(self, request: Request, do: Callable[[bytes], object]) -> Response:
        check_own_page(request)
        body = await taken(request, self.pace, MOST_BYTES, self.limits.body_seconds)
        asked = asyncio.ensure_future(self.clerk.ask(do, body))
        return answers.view(await asyncio.shield(asked))

    def _admit(self, request: Request) -> Desk:
        check_here(request)
        self._check_in(request)
        if self.desk is None:
            raise NotAllowed("no-arbiter", "This server runs without the arbiter's key.")
        return self.desk

    def _check_in(self, request: Request) -> None:
        if not self._came_in(request):
            raise NotLoggedIn

    def _came_in(self, request: Request) -> bool:
        scheme, _, session = request.headers.get("authorization", "").partition(" ")
        return self.login is not None and scheme.lower() == "bearer" and self.login.knows(session)


def check_here(request: Request) -> None:
    """Whether a request comes from this machine to this machine. Raises ``NotAllowed``."""
    client, headers = request.client, request.headers
    name = _host(headers).strip("[]")
    here = client is not None and is_here(client.host)
    if not here or not (name == "localhost" or is_here(name)):
        raise NotAllowed("not-here", "This page is opened on the machine that serves it.")
    if any(each in headers for each in PASSED_ON):
        raise NotAllowed("not-here", "This page is not passed on by another program.")


def check_own_page(request: Request) -> None:
    """Whether a request that writes was made by our own page. Raises ``NotAllowed``."""
    headers = request.headers
    own = f"{request.url.scheme}://{headers.get('host', '')}".lower()
    site = headers.get("sec-fetch-site", "same-origin")
    if headers.get("origin", "").lower() != own or site != "same-origin" or OURS not in headers:
        raise NotAllowed("not-our-page", "Only the arbiter's own page can do this.")


def _host(headers: Headers) -> str:
    """The name alone: ``127.0.0.1``, ``[::1]``."""
    host = headers.get("host", "").lower()
    return host[: host.find("]") + 1] if host.startswith("[") else host.partition(":")[0]


def _answering(route: Callable[..., object]) -> Callable[..., object]:
    """The same route; for who has not come in the status says so."""

    async def answered(request: Request) -> Response:
        try:
            found = await route(request)  # type: ignore[misc]
        except NotLoggedIn as error:
            shown = ErrorAnswer(ErrorView(error.code, error.message, error.hint))
            return answers.json(msgspec.json.encode(shown), 401, {"www-authenticate": "Bearer"})
        return found  # type: ignore[no-any-return]

    answered.__doc__ = route.__doc__
    return answered


def routes(
    clerk: Clerk, desk: Desk | None, login: Login | None, pace: Pace, limits: Limits
) -> list[Route]:
    """The routes, for the application. On a ledger that is only read nobody signs."""
    found = DeskRoutes(clerk, desk if clerk.write else None, login, pace, limits)
    match = "/desk/api/matches/{match}"
    return [
        Route("/desk", found.open, methods=["GET"]),
        Route("/desk/api/enter", found.enter, methods=["POST"]),
        Route("/desk/api/session", _answering(found.session), methods=["GET"]),
        Route("/desk/api/tables", _answering(found.tables), methods=["GET"]),
        Route("/desk/api/withdraw", _answering(found.withdraw), methods=["POST"]),
        Route(match, _answering(found.facts), methods=["GET"]),
        Route(f"{match}/position", _answering(found.position), methods=["GET"]),
        Route("/desk/api/rehearse", _answering(found.rehearse), methods=["POST"]),
        Route("/desk/api/sign", _answering(found.sign), methods=["POST"]),
    ]
