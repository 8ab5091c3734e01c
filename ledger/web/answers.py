"""Answers: JSON for programs, our errors with the status that HTTP has for them.

Whatever was asked, the body is what was asked for or ``{"error": …}``. What is wrong with the
ledger file itself is said to the server's log; strangers learn that it cannot be used now.
"""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import Final

import msgspec
from msgspec import UNSET
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from ledger.errors import NotAllowed, NotFound, Refused, Stale, TabellionError, Unreadable
from ledger.web.clerk import Overtaken
from ledger.web.limits import TooMany
from ledger.web.logbook import LOG
from ledger.web.shapes import ErrorAnswer, ErrorView, HeadView

LEDGER_FAULTS: Final = frozenset(
    {
        *("busy", "cannot-open", "cannot-write", "disk-error", "future-ledger", "ledger-altered"),
        *("ledger-closed", "ledger-damaged", "ledger-moved", "ledger-refuses", "lists-damaged"),
        *("match-damaged", "no-ledger", "not-a-ledger"),
    }
)
"""Errors of the file, which are nobody's fault who asks."""
TABLES_FAULTS: Final = frozenset({"tables-damaged", "future-tables"})
"""The same of the file beside it: matches go on, phones cannot join."""
_OWN_STATUS: Final = {
    "disk-full": 507,
    "too-large": 413,
    "too-slow": 408,
    "wrong-content-type": 415,
}
_BY_KIND: Final = {
    Refused.exit_status: 422,
    Unreadable.exit_status: 400,
    NotFound.exit_status: 404,
    NotAllowed.exit_status: 403,
    Stale.exit_status: 409,
}
"""The status of an error by the exit status that it has for a command: what comes of another error
(``LineRefused``) keeps its kind in it, whatever its class is."""
_INTEGER: Final = re.compile(r"-?[0-9]{1,15}")
_encode = msgspec.json.Encoder().encode


def status_of(error: TabellionError) -> int:
    """The status that HTTP has for an error."""
    if error.code in LEDGER_FAULTS | TABLES_FAULTS:
        return 503
    if error.code in _OWN_STATUS:
        return _OWN_STATUS[error.code]
    if isinstance(error, TooMany):
        return 429
    if type(error) is TabellionError:
        return 500  # nobody said what kind it is of
    return _BY_KIND.get(error.exit_status, 500)


def json(body: bytes, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    kept = {"cache-control": "no-store"} | (headers or {})
    return Response(body, status, kept, "application/json")


def view(found: object, status: int = 200) -> Response:
    """A view that changes with every event of many matches: not kept by anybody."""
    return json(_encode(found), status)


def unless_known(request: Request, tag: str, body: bytes, **more: str) -> Response:
    """``body``, or nothing for who has it already: ``tag`` names what it says."""
    headers = {"etag": f'"{tag}"', "cache-control": "no-cache"} | more
    if known_already(request, tag):
        return Response(status_code=304, headers=headers)
    return json(body, headers=headers)


def known_already(request: Request, tag: str) -> bool:
    """Whether who asks has what this tag names."""
    given = request.headers.get("if-none-match", "").split(",")
    return tag in {each.strip().removeprefix("W/").strip('"') for each in given}


def failure(error: TabellionError) -> Response:
    """An error as an answer."""
    status = status_of(error)
    message, hint = error.message, error.hint
    if status >= 500:
        LOG.note(f"{error.code}: {error.message}")
        what = "tables set out at" if error.code in TABLES_FAULTS else "ledger of"
        message = f"The {what} this server cannot be used now. Nothing was stored."
        hint = "Tell the arbiter."
    head = HeadView(*error.head) if isinstance(error, Overtaken) else UNSET
    headers = {"retry-after": str(error.after)} if isinstance(error, TooMany) else {}
    if error.code == "busy":
        headers["retry-after"] = "1"
    shown = ErrorAnswer(ErrorView(error.code, message, hint, head))
    return json(_encode(shown), status, headers)


async def refused(_request: Request, error: Exception) -> Response:
    """What a route raised, of our own kind."""
    if isinstance(error, TabellionError):
        return failure(error)
    raise error


async def unexpected(_request: Request, error: Exception) -> Response:
    """What nobody foresaw."""
    return bug(error)


async def not_routed(_request: Request, error: Exception) -> Response:
    """What Starlette says of paths and methods."""
    if not isinstance(error, HTTPException):
        raise error
    code, message = {
        404: ("no-such-path", "There is nothing at this address."),
        405: ("wrong-method", "This address is not for that."),
    }.get(error.status_code, ("bad-request", HTTPStatus(error.status_code).phrase + "."))
    shown = ErrorAnswer(ErrorView(code, message, "GET /api/openapi.json says what there is."))
    return json(_encode(shown), error.status_code, dict(error.headers or {}))


def bug(error: Exception) -> Response:
    """Something that was not expected: its kind to the log, nothing of it to strangers."""
    LOG.note(f"bug: {type(error).__name__}: {error}")
    shown = ErrorAnswer(
        ErrorView("bug", "The server met something that it does not expect.", "Tell the arbiter.")
    )
    return json(_encode(shown), 500)


def number(text: str, name: str) -> int:
    """A number that was asked with. Raises ``Unreadable``."""
    if not _INTEGER.fullmatch(text):
        raise Unreadable("bad-query", f"{name} is a whole number, not {ascii(text)[:40]}.")
    return int(text)


def query(request: Request, name: str, otherwise: int) -> int:
    """The number of this name in the query."""
    text = request.query_params.get(name)
    return otherwise if text is None else number(text, name)
