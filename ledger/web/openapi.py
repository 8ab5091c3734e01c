"""What there is to ask for, for programs: OpenAPI 3.1, made from the types that answer."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import msgspec
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from ledger import __version__
from ledger.describing import Schema, SignedEvent, components
from ledger.events import EVENT_TYPES
from ledger.games import every_game
from ledger.views.joining import JoinView
from ledger.views.legal import ActionView, MovesView
from ledger.views.shapes import LogView, ShowView, WrittenView
from ledger.web.answers import unless_known
from ledger.web.joins import JoinRequest
from ledger.web.shapes import ErrorAnswer, EventsView, HallLine, HallView

JSON: Final = "application/json"
STREAM: Final = "text/event-stream"
HTML: Final = "text/html; charset=utf-8"
_REFUSALS: Final = {
    304: "Nothing has changed since what If-None-Match names.",
    400: "What was sent or asked for does not parse, or names more than one match.",
    403: "Not here, or not by this key; or sent to another name than the server's.",
    404: "There is no such thing.",
    408: "It did not arrive in time.",
    409: "Somebody else was first: head says where the match stands. Nothing was stored.",
    413: "Too large.",
    415: "Another content type is wanted.",
    422: "Refused by the rules, or by the checks of a signed event: nothing was stored.",
    429: "Too much at once: Retry-After says when to come again.",
    500: "A fault of the server's own.",
    503: "The ledger cannot be used now.",
    507: "No space is left on the server's disk: nothing was stored.",
}
_ALWAYS: Final = (403, 429, 500, 503)
_TAKEN: Final = (400, 408, 413, 415, 422, 429, 507)


class Parameter(Struct, frozen=True):
    name: str
    about: str
    schema: Schema
    place: str = "query"


class Operation(Struct, frozen=True):
    """One thing that can be asked for."""

    method: str
    path: str
    summary: str
    gives: dict[int, str]
    """What each good status means."""
    body: Any = None
    """The type of the answer."""
    media: str = JSON
    takes: Any = None
    """The type of what is sent."""
    refusals: tuple[int, ...] = ()
    parameters: tuple[Parameter, ...] = ()


MATCH: Final = Parameter(
    "match",
    "The id of a match, or its first digits.",
    {"type": "string", "pattern": "^[0-9a-f]{1,64}$"},
    "path",
)
SINCE: Final = Parameter(
    "since",
    "Only events after this number; -1 or nothing: all.",
    {"type": "integer", "minimum": -1, "maximum": 10**15 - 1},
)
AT: Final = Parameter(
    "at",
    "As it stood after this event.",
    {"type": "integer", "minimum": 0, "maximum": 10**15 - 1},
)
HASH: Final = Parameter(
    "hash",
    "The hash of the event that since names, so that another chain is noticed.",
    {"type": "string", "pattern": "^[0-9a-f]{64}$"},
)
_KINDS: Final = sorted({kind for game in every_game() for kind in game.actions})


def _of_match(
    part: str,
    summary: str,
    gives: str,
    body: Any = None,
    *more: Parameter,
    media: str = JSON,
    refusals: tuple[int, ...] = (304, 400, 404),
) -> Operation:
    """Something of one match that can be read."""
    path = f"/api/matches/{{match}}{part}"
    return Operation(
        "get", path, summary, {200: gives}, body, media, None, refusals, (MATCH, *more)
    )


def _page(path: str, summary: str, *parameters: Parameter) -> Operation:
    gives = {200: "The page."}
    return Operation("get", path, summary, gives, None, HTML, None, (304,), parameters)


OPERATIONS: Final = (
    Operation(
        "get",
        "/api/matches",
        "Every match, the one opened last first",
        {200: "The hall."},
        HallView,
        refusals=(304,),
    ),
    _of_match("", "A match as it stands", "As tabellion show --json prints it.", ShowView, AT),
    _of_match(
        "/events",
        "Its signed events, at most 1000 or 1 MiB of them at once",
        "The events after that number, each as it was signed.",
        EventsView,
        SINCE,
    ),
    _of_match("/moves", "What may be done now", "As tabellion moves --json prints it.", MovesView),
    _of_match(
        "/read",
        "What somebody typed, as the one canonical action",
        "The action.",
        ActionView,
        Parameter("kind", "What is done; move if nothing is said.", {"enum": _KINDS}),
        Parameter("text", "What was typed.", {"type": "string", "maxLength": 500}),
        refusals=(400, 404, 422),
    ),
    _of_match(
        "/log",
        "Its events in words",
        "As tabellion log --json prints it, after that number.",
        LogView,
        SINCE,
    ),
    _of_match(
        "/record",
        "Its record with boards, for anybody to verify",
        "The record (schemas/record.json).",
        {"type": "object"},
    ),
    _of_match(
        "/page", "A page that verifies the record that it has inside", "The page.", media=HTML
    ),
    _of_match(
        "/stream",
        "The match as it goes on",
        "Server-sent events. signed: an event, its number as id; table: how the match stands "
        '(ShowView); parted: {"common":N}, another chain has taken the place of this one after '
        "event N.",
        None,
        SINCE,
        HASH,
        Parameter("Last-Event-ID", "The same as since, and wins.", SINCE.schema, "header"),
        media=STREAM,
        refusals=(400, 404),
    ),
    Operation(
        "get",
        "/api/stream",
        "The hall as it goes on",
        {200: "Server-sent events. hall: HallView, at first; line: HallLine, what changed."},
        media=STREAM,
    ),
    Operation(
        "post",
        "/api/events",
        "Store one signed event",
        {200: "It was stored before.", 201: "It is stored, on the disk."},
        WrittenView,
        takes=SignedEvent,
        refusals=(*_TAKEN, 404, 409),
    ),
    Operation(
        "post",
        "/api/join",
        "Take a seat with a one-time code",
        {200: "The seat; the match too, once the arbiter has signed."},
        JoinView,
        takes=JoinRequest,
        refusals=(*_TAKEN, 404, 409),
    ),
    Operation(
        "get", "/api/openapi.json", "This", {200: "OpenAPI."}, {"type": "object"}, refusals=(304,)
    ),
    _page("/", "The hall's page"),
    _page("/match/{match}", "The same page, showing one match", MATCH),
    _page("/play", "The player's page"),
    _page("/desk", "The arbiter's page, on the machine that serves"),
)


@cache
def document() -> Schema:
    """The whole description."""
    kinds = {
        each
        for operation in OPERATIONS
        for each in (operation.body, operation.takes)
        if isinstance(each, type)
    } | {ErrorAnswer, HallLine, ShowView}
    ordered = sorted(kinds, key=lambda kind: kind.__name__)
    _, parts = components(ordered, "#/components/schemas/{name}")
    paths: dict[str, Schema] = {}
    for operation in OPERATIONS:
        paths.setdefault(operation.path, {})[operation.method] = _operation(operation)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Tabellion",
            "version": __version__,
            "description": "Matches as signed events. The only authority is the signature of an "
            f"event: one of {len(EVENT_TYPES)} types, see schemas/events.",
        },
        "paths": paths,
        "components": {"schemas": parts},
    }


async def answer(request: Request) -> Response:
    """What there is to ask for."""
    return unless_known(request, f"openapi-{__version__}", msgspec.json.encode(document()))


def _operation(given: Operation) -> Schema:
    answers: Schema = {}
    for status, about in given.gives.items():
        answers[str(status)] = {"description": about, "content": _content(given.body, given.media)}
    for status in sorted({*_ALWAYS, *given.refusals}):
        answers[str(status)] = {"description": _REFUSALS[status]}
        if status != 304:
            answers[str(status)]["content"] = _content(ErrorAnswer, JSON)
    made: Schema = {"summary": given.summary, "responses": answers}
    if given.parameters:
        made["parameters"] = [_parameter(each) for each in given.parameters]
    if given.takes is not None:
        made["requestBody"] = {"required": True, "content": _content(given.takes, JSON)}
    return made


def _content(kind: Any, media: str) -> Schema:
    if isinstance(kind, type):
        kind = {"$ref": f"#/components/schemas/{kind.__name__}"}
    return {media: {"schema": kind or {"type": "string"}}}


def _parameter(given: Parameter) -> Schema:
    return {
        "name": given.name,
        "in": given.place,
        "description": given.about,
        "required": given.place == "path",
        "schema": given.schema,
    }
