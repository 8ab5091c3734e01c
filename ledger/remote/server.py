"""What can be asked of a server: its matches, the events of one, to store an event, to join.

Answers are read strictly and in bounds. An event from here is no more than bytes that parse: who
takes it in verifies it.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypeVar

import msgspec
from msgspec import Raw, Struct

from ledger import canonical, joincodes
from ledger.envelope import Envelope, parse
from ledger.errors import NotAllowed, NotFound, Refused, Stale, TabellionError
from ledger.record import MAX_EVENTS, MAX_RECORD
from ledger.remote.address import Address
from ledger.remote.line import PATIENCE, Answer, Unreachable, ask
from ledger.service import Signer
from ledger.views import ListView
from ledger.views.joining import JoinView

_ALL: Final = 6
"""A whole match may take so many times as long as one answer."""
PAGE: Final = 1000
"""Events in one answer."""
_SMALL: Final = 256 * 1024
_LIST: Final = 16 * 1024 * 1024
_LARGE: Final = 100 * 1024 * 1024
"""A page of events, all of them as large as events can be."""
_CODE: Final = re.compile(r"[a-z][a-z0-9-]{0,59}")
_HASH: Final = re.compile(r"[0-9a-f]{64}")
_STEERING: Final = re.compile("[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
"""What no text of a signed event has, and a terminal may obey. JSON itself escapes the others."""
_LONGEST: Final = 600
"""Characters that are shown of what a server says."""

_T = TypeVar("_T")


class Page(Struct, frozen=True):
    """Some events of a match, and where it stands."""

    match: str
    head: str
    seq: int
    events: tuple[Raw, ...]


class _Fault(Struct, frozen=True):
    code: str
    message: str
    hint: str = ""


class _Faulty(Struct, frozen=True):
    error: _Fault


@dataclass(frozen=True, slots=True)
class Chain:
    """Events that follow one that is known here, and the head that the server names."""

    events: tuple[Envelope, ...]
    seq: int
    head: str


class Server:
    """One server, asked anew each time."""

    def __init__(self, address: Address, patience: float = PATIENCE) -> None:
        self.address = address
        self.patience = patience
        """Seconds for each answer."""

    def matches(self) -> ListView:
        """The matches as the server tells of them: nothing of it is verified."""
        view = self._got("/api/matches", ListView, _LIST)
        if not all(_HASH.fullmatch(line.match) for line in view.matches):
            raise self._nonsense("A match that it names has no such id.")
        return view

    def after(self, match: str, seq: int) -> Chain:
        """The events of ``match`` after number ``seq`` (-1: all of them).

        Raises ``NotFound`` where the server has no such match.
        """
        found: list[Envelope] = []
        size, end = 0, time.monotonic() + _ALL * self.patience
        for page in self._pages(match, seq):
            for text in page.events:
                found.append(self._event(bytes(text)))
                size += len(found[-1].payload)
            if len(found) > MAX_EVENTS or size > MAX_RECORD:
                raise self._nonsense("It sends more events than a match can have.")
            if time.monotonic() > end:
                raise Unreachable("server-slow", f"{self.address.base} takes too long to send all.")
        if found and found[-1].hash != page.head:
            raise self._nonsense("The last event that it sends is not the head that it names.")
        return Chain(tuple(found), page.seq, page.head)

    def post(self, envelope: Envelope) -> bool:
        """Send an event; whether it was new there.

        Raises ``Stale`` when somebody else was first, ``Refused`` for what the server refuses.
        """
        answer = self._ask("POST", "/api/events", envelope.text(), largest=_SMALL)
        if answer.status not in (200, 201):
            raise self._fault(answer)
        return answer.status == 201

    def join(self, code: str, key: Signer) -> JoinView:
        """Take the seat that ``code`` is for with ``key``, or ask again what became of it."""
        line = key.public.line
        proof = key.sign(joincodes.message(code, line))
        grouped = joincodes.grouped(joincodes.spelled(code))
        body = canonical.encode({"code": grouped, "key": line, "sig": proof.hex()})
        answer = self._ask("POST", "/api/join", body, largest=_SMALL)
        if answer.status not in (200, 201):
            raise self._fault(answer)
        joined = self._read(answer, JoinView)
        if joined.match is not None and not _HASH.fullmatch(joined.match):
            raise self._nonsense("The match that it names has no such id.")
        return joined

    # -- inside --------------------------------------------------------------------------

    def _pages(self, match: str, seq: int) -> Iterator[Page]:
        """Pages until the head that the last of them names is reached."""
        while True:
            since = f"?since={seq}" if seq >= 0 else ""
            page = self._got(f"/api/matches/{match}/events{since}", Page, _LARGE)
            if page.match != match or not _HASH.fullmatch(page.head) or page.seq < 0:
                raise self._nonsense("It answers for another match than it was asked for.")
            if len(page.events) > PAGE:
                raise self._nonsense(f"It sends more than {PAGE} events at once.")
            yield page
            seq += len(page.events)
            if seq >= page.seq:
                return
            if not page.events:
                raise self._nonsense("It says that there are more events, and sends none.")

    def _event(self, text: bytes) -> Envelope:
        try:
            return parse(text)
        except Refused as error:
            raise self._nonsense(error.message) from None

    def _got(self, path: str, wanted: type[_T], largest: int) -> _T:
        answer = self._ask("GET", path, largest=largest)
        if answer.status != 200:
            raise self._fault(answer)
        return self._read(answer, wanted)

    def _ask(self, method: str, path: str, body: bytes | None = None, *, largest: int) -> Answer:
        return ask(self.address, method, path, body, largest=largest, patience=self.patience)

    def _read(self, answer: Answer, wanted: type[_T]) -> _T:
        try:
            found = msgspec.json.decode(answer.body, type=wanted)
        except (msgspec.MsgspecError, ValueError, RecursionError):
            raise self._nonsense("Its answer is not what was asked for.") from None
        if wanted is not Page and _STEERING.search(msgspec.json.encode(found).decode()):
            raise self._nonsense("It has characters that no name has.")
        return found

    def _nonsense(self, why: str) -> Refused:
        return Refused(
            "bad-answer",
            f"{self.address.base} gives an answer that cannot be: {why} Nothing of it was taken.",
            hint="is this the address of a Tabellion server? The join sheet has it",
        )

    def _fault(self, answer: Answer) -> TabellionError:
        """The error that an answer stands for. What a server writes is quoted, never obeyed."""
        code, said, hint = self._said(answer)
        match answer.status:
            case 404:
                return NotFound(code, said, hint=hint)
            case 403:
                return NotAllowed(code, said, hint=hint)
            case 409 if code == "stale":
                return Stale(code, said, hint=hint)
            case 429:
                wait = answer.retry_after
                wait = f" Try again in {wait} s." if re.fullmatch(r"[0-9]{1,4}", wait) else ""
                return Unreachable("server-busy", f"{said}{wait}")
            case status if status >= 500:
                return Unreachable("server-failed", said)
            case _:
                return Refused(code, said, hint=hint)

    def _said(self, answer: Answer) -> tuple[str, str, str]:
        try:
            fault = msgspec.json.decode(answer.body, type=_Faulty).error
        except (msgspec.MsgspecError, ValueError, RecursionError):
            said = f"{self.address.base} answers with status {answer.status} and no reason."
            return "server-refused", said, ""
        code = fault.code if _CODE.fullmatch(fault.code) else "server-refused"
        said = f"The server says no: {_cut(fault.message)}"
        return code, said, _cut(fault.hint)


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
