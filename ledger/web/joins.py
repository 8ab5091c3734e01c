"""POST /api/join: a phone takes its seat with a one-time code, and says whose key it has.

The code comes in the body and leaves no trace: no log, no address, no answer holds it. What is
refused leaves the table as it was.

Wrong codes are not counted. A count that shuts somebody out can be filled by a stranger, for one
address (a hall behind one router) or for all, and then no phone gets its seat. Codes need no such
help: there are 2^50 of them, each is good for a day, and one address is heard 40 times a second
(``Limits.joins_each``). Of the hundred codes of a large tournament a stranger who tries without end
finds one in three million days. With as many addresses as he likes he is not heard faster than the
clerk looks codes up, 2 000 times a second at most: 65 000 days. Who floods an address keeps nobody
waiting but whoever shares it, and no move of theirs.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated, Final

import msgspec
from msgspec import Meta, Struct

from ledger import joincodes
from ledger.errors import NotFound, Refused, Unreadable
from ledger.publickey import PublicKey
from ledger.seating import check_key
from ledger.tables import Place, Replacing, SetOut, Tables, beside
from ledger.views.joining import JoinView
from ledger.web.limits import Limits, Pace

if TYPE_CHECKING:
    from pathlib import Path

    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route

    from ledger.service import Service
    from ledger.web.arbiter import Arbiter
    from ledger.web.clerk import Clerk

MOST: Final = 2048
"""Bytes of a request: a code, a key and a signature."""


class JoinRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Who comes, and with which key."""

    code: Annotated[str, Meta(max_length=64, description="Ten letters; case and hyphens are free.")]
    key: Annotated[str, Meta(max_length=200, description="The public key: ssh-ed25519 and base64.")]
    sig: Annotated[
        str,
        Meta(
            pattern="^[0-9a-f]{128}$",
            max_length=128,
            description="Ed25519 over DSSE's PAE of the canonical JSON of key and code, the latter "
            f"in upper case without hyphens; the payload type is {joincodes.PAYLOAD_TYPE}.",
        ),
    ]


class Joining:
    """Phones that come to the tables of one ledger, heard in the clerk's thread."""

    def __init__(self, clerk: Clerk, arbiter: Arbiter | None) -> None:
        self.clerk = clerk
        self.arbiter = arbiter

    @property
    def path(self) -> Path:
        return beside(self.clerk.path)

    def take(self, body: bytes) -> JoinView:
        """Raises ``Unreadable`` (``bad-join``, ``bad-code``), ``NotFound``
        (``no-such-code``), ``Refused`` (``table-withdrawn``, ``weak-key``, ``bad-signature``,
        ``key-twice``), ``Stale`` (``code-used``)."""
        given = _read(body)
        joincodes.spelled(given.code)
        now = self.clerk.clock()
        try:
            with Tables.open(self.path) as tables:
                _, place = tables.by_code(given.code, now)
                line = _proven(given)
                if place.key != line:
                    tables.join(given.code, line, now, self._check)
                table, place = tables.by_code(given.code, now)
                if self.arbiter is not None and table.complete:
                    with self.clerk.telling() as service:
                        self.arbiter.seat(service, tables, table)
                    table, place = tables.by_code(given.code, now)
        except NotFound as error:
            if error.code not in ("no-such-code", "no-tables"):
                raise
            raise NotFound(
                "no-such-code",
                "There is no such code, or it is good no longer.",
                hint="look at the join sheet again, or ask the arbiter for another code",
            ) from None
        return _told(table, place)

    def _check(self, table: SetOut, place: Place, line: str) -> None:
        service: Service = self.clerk.service
        check_key(service, table, place, line)


def _read(body: bytes) -> JoinRequest:
    try:
        return msgspec.json.decode(body, type=JoinRequest, strict=True)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        raise Unreadable("bad-join", "This is not {code, key, sig}.") from None


def _proven(given: JoinRequest) -> str:
    """The key's line, once it is a good one and has signed this request."""
    public = PublicKey.parse_canonical(given.key)
    public.check()
    said = joincodes.message(given.code, public.line)
    if not public.verify(bytes.fromhex(given.sig), said):
        raise Refused("bad-signature", "This key did not sign this request.")
    return public.line


def _told(table: SetOut, place: Place) -> JoinView:
    plan = table.plan
    if isinstance(plan, Replacing):
        where, ruleset, arbiter = plan.table, plan.ruleset, plan.arbiter
    else:
        where, ruleset, arbiter = plan.table, plan.ruleset.name, plan.arbiter.name
    return JoinView(
        table=where,
        ruleset=ruleset,
        seat=place.role,
        name=place.name,
        arbiter=arbiter,
        keyid=table.arbiter,
        waiting=tuple(each.name for each in table.waiting_for),
        match=table.match,
    )


def routes(clerk: Clerk, arbiter: Arbiter | None, pace: Pace, limits: Limits) -> list[Route]:
    """The route, for the application. With the arbiter's key at hand a table is opened as soon as
    its last phone has come; else the command that set it out does it."""
    from starlette.routing import Route

    from ledger.web.answers import view
    from ledger.web.posting import taken

    joining = Joining(clerk, arbiter)

    async def join(request: Request) -> Response:
        """Take a seat with a one-time code."""
        body = await taken(request, pace, MOST, limits.body_seconds)
        asked = asyncio.ensure_future(clerk.ask(joining.take, body))
        return view(await asyncio.shield(asked))

    return [Route("/api/join", join, methods=["POST"])]
