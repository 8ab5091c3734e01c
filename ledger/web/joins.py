"""POST /api/join: a phone takes its seat with a one-time code, and says whose key it has.

The code comes in the body and leaves no trace: no log, no address, no answer holds it. Wrong codes
are counted, and who tried too many is not heard for a while, right or wrong: else the count would
be no protection. What is refused leaves the table as it was.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import TYPE_CHECKING, Annotated, Final

import msgspec
from msgspec import Meta, Struct

from ledger import joincodes
from ledger.errors import NotFound, Refused, Unreadable
from ledger.publickey import PublicKey
from ledger.seating import check_key
from ledger.tables import Place, Replacing, SetOut, State, Tables, beside
from ledger.views.joining import JoinView
from ledger.web.limits import ADDRESSES, Limits, Pace, Seconds, TooMany

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


class Misses(Struct, frozen=True):
    """How many wrong codes there may be: at once, and how many a second after that."""

    each: int = 20
    each_again: float = 1 / 6
    all: int = 500
    all_again: float = 10.0


class Tries:
    """Wrong codes, by address and in all. Even at full pace a day's tries find one code of forty
    once in thirty million days."""

    def __init__(self, seconds: Seconds, misses: Misses | None = None) -> None:
        self.seconds = seconds
        self.misses = misses or Misses()
        self._all = (float(self.misses.all), seconds())
        self._each: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def check(self, address: str) -> None:
        """Raises ``TooMany`` where too many codes were wrong."""
        misses = self.misses
        for left, again in (
            (self._left(address), misses.each_again),
            (self._left_in_all(), misses.all_again),
        ):
            if left < 1:
                after = max(1, round((1 - left) / again))
                raise TooMany("Too many codes were wrong: wait a moment.", after)

    def miss(self, address: str) -> None:
        """One more was wrong."""
        now = self.seconds()
        self._all = (self._left_in_all() - 1, now)
        self._each[address] = (self._left(address) - 1, now)
        self._each.move_to_end(address)
        if len(self._each) > ADDRESSES:
            self._each.popitem(last=False)

    def _left(self, address: str) -> float:
        left, since = self._each.get(address, (float(self.misses.each), self.seconds()))
        again = (self.seconds() - since) * self.misses.each_again
        return min(float(self.misses.each), left + again)

    def _left_in_all(self) -> float:
        left, since = self._all
        again = (self.seconds() - since) * self.misses.all_again
        return min(float(self.misses.all), left + again)


class Joining:
    """Phones that come to the tables of one ledger, heard in the clerk's thread."""

    def __init__(self, clerk: Clerk, arbiter: Arbiter | None, tries: Tries) -> None:
        self.clerk = clerk
        self.arbiter = arbiter
        self.tries = tries

    @property
    def path(self) -> Path:
        return beside(self.clerk.path)

    def take(self, body: bytes, address: str) -> JoinView:
        """Raises ``Unreadable`` (``bad-join``, ``bad-code``), ``TooMany``, ``NotFound``
        (``no-such-code``), ``Refused`` (``weak-key``, ``bad-signature``, ``key-twice``), ``Stale``
        (``code-used``)."""
        given = _read(body)
        joincodes.spelled(given.code)
        self.tries.check(address)
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
                        table = self.arbiter.seat(service, tables, table)
        except NotFound as error:
            if error.code not in ("no-such-code", "no-tables"):
                raise
            self.tries.miss(address)
            raise NotFound(
                "no-such-code",
                "There is no such code, or it is good no longer.",
                hint="look at the join sheet again, or ask the arbiter for another code",
            ) from None
        if table.state is State.WITHDRAWN:
            raise Refused(
                "table-withdrawn", "The table was withdrawn: nothing was opened. Ask the arbiter."
            )
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


def routes(
    clerk: Clerk, arbiter: Arbiter | None, pace: Pace, limits: Limits, seconds: Seconds
) -> list[Route]:
    """The route, for the application. With the arbiter's key at hand a table is opened as soon as
    its last phone has come; else the command that set it out does it."""
    from starlette.routing import Route

    from ledger.web.answers import view
    from ledger.web.posting import taken

    joining = Joining(clerk, arbiter, Tries(seconds))

    async def join(request: Request) -> Response:
        """Take a seat with a one-time code."""
        body = await taken(request, pace, MOST, limits.body_seconds)
        address = request.client.host if request.client else ""
        asked = asyncio.ensure_future(clerk.ask(joining.take, body, address))
        return view(await asyncio.shield(asked))

    return [Route("/api/join", join, methods=["POST"])]
