"""The clerk: one thread that owns the ledger. Nobody else touches SQLite, least of all the event
loop.

What the clerk stores, or finds that another program has stored, it tells ``publish`` in the order
in which it stands in the file, before whoever asked for it gets an answer. Where a signature has to
be waited for (``pen``), others are served meanwhile.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

import msgspec

from ledger import views
from ledger.envelope import Envelope
from ledger.errors import NotAllowed, NotFound, Stale, TabellionError, Unreadable
from ledger.events import Event, MatchOpened, type_of
from ledger.fold import MatchState
from ledger.service import Clock, Service
from ledger.store import Row
from ledger.views.eventwords import event_words
from ledger.web import watching
from ledger.web.hallline import hall_line
from ledger.web.pen import Pen, Signed, Unsigned
from ledger.web.watching import Head, Message, Tail

Answer = TypeVar("Answer")
VIEWS: Final = 256
"""Encoded views that are kept: one for each match at its head."""

QUESTIONS: Final = 100
"""Signatures that are asked for, for one act: more than an act has, whatever goes on meanwhile."""

_encode = msgspec.json.Encoder().encode


class News(NamedTuple):
    """What is new in a match. ``table`` and ``line``: how it stands now, encoded, if somebody
    watches and it can be told."""

    match: str
    head: Head
    messages: tuple[Message, ...]
    table: bytes | None
    line: bytes | None


class Overtaken(Stale):
    """Someone else wrote first: ``head`` is where the match stands."""

    def __init__(self, cause: Stale, head: Head) -> None:
        super().__init__(cause.code, cause.message, hint=cause.hint)
        self.head = head


class Clerk:
    """The ledger as the service sees it. Everything but ``ask`` and ``close`` is done in the
    clerk's own thread: ``await clerk.ask(clerk.tail, match, 4, None)``."""

    def __init__(self, path: Path, clock: Clock, *, write: bool = True) -> None:
        self.path = path
        self.clock = clock
        self.write = write
        self.publish: Callable[[Sequence[News]], object] = lambda _: None
        self.watched: Callable[[str], bool] = lambda _: False
        self.attend: Callable[[Service, MatchState], None] | None = None
        """What is done in this thread when a match went on, and once for each at the start."""
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="clerk")
        self._loop: asyncio.AbstractEventLoop | None = None
        self._signing = asyncio.Lock()
        """One question at a time to whoever has to confirm a signature."""
        self._unattended: set[str] = set()
        """Matches whose dice wait for a signature of the arbiter's."""
        self._at: str | None = None
        """The time of the act that is done again."""
        self._service: Service | None = None
        self._position = 0
        self._version = -1
        self._tables: OrderedDict[tuple[str, str], bytes] = OrderedDict()
        self._lines: dict[str, tuple[str, bytes]] = {}

    def open(self) -> None:
        """Open the ledger, in the clerk's thread. Raises as ``Service.open`` does."""
        self._thread.submit(self._open).result()

    def close(self) -> None:
        self._thread.submit(self._close).result()
        self._thread.shutdown()

    async def ask(self, what: Callable[..., Answer], *given: object) -> Answer:
        """Have something done in the clerk's thread; again, once what it needs is signed."""
        act = partial(what, *given)
        self._loop = asyncio.get_running_loop()
        try:
            return await self._loop.run_in_executor(self._thread, act)
        except Unsigned as wanted:
            pen = wanted.pen
        async with self._signing:
            at, known = self.clock(), dict[bytes, Signed]()
            for _ in range(QUESTIONS):
                again = partial(self._again, act, at, pen, known)
                try:
                    return await self._loop.run_in_executor(self._thread, again)
                except Unsigned as wanted:
                    known[wanted.message] = await pen.ask(wanted.message)
        raise NotAllowed(
            "not-signed", "What was to be signed changed too often. Nothing was stored."
        )

    def _again(
        self, act: Callable[[], Answer], at: str, pen: Pen, known: dict[bytes, Signed]
    ) -> Answer:
        self._at, pen.known = at, known
        try:
            return act()
        finally:
            self._at, pen.known = None, {}

    def _time(self) -> str:
        return self._at or self.clock()

    def _open(self) -> None:
        self._service = Service.open(self.path, self._time, create=self.write, write=self.write)
        self._position = self._service.store.last_position()

    def _close(self) -> None:
        if self._service is not None:
            self._service.close()
            self._service = None

    @property
    def service(self) -> Service:
        """The open ledger; only in the clerk's thread."""
        if self._service is None:
            raise Unreadable("ledger-closed", "The ledger is not open.")
        return self._service

    # -- what is new ---------------------------------------------------------------------

    def look(self) -> None:
        """Publish what other programs have written since; cheap when they have not."""
        version = watching.version(self.service.store)
        if version != self._version:
            self.tell_news()
            self._version = version

    def tell_news(self) -> None:
        """Publish what stands in the file after what was published last, and do what is to be
        done then, until there is nothing new."""
        while True:
            position, rows = watching.newer(self.service.store, self._position)
            self._position = max(position, self._position)
            if not rows:
                return
            by_match: dict[str, list[Row]] = {}
            for row in rows:
                by_match.setdefault(row.match, []).append(row)
            self.publish([news for each in by_match.items() if (news := self._news(*each))])
            for match in by_match:
                self._attend(match)

    def _news(self, match: str, rows: Sequence[Row]) -> News | None:
        head = self.service.store.head(match)
        if head is None:
            return None
        table = line = None
        if self.watched(match):
            with suppress(TabellionError):  # the events go out: who reads them judges them
                state = self.state(match)
                head = state.seq, state.head
                table, line = self._table(state), self._line(state)
        return News(match, Head(*head), tuple(map(watching.message, rows)), table, line)

    def _attend(self, match: str) -> None:
        try:
            self._attend_now(match)
        except Unsigned:
            if self._loop is not None and match not in self._unattended:
                self._unattended.add(match)
                asyncio.run_coroutine_threadsafe(self.ask(self._attend_now, match), self._loop)

    def _attend_now(self, match: str) -> None:
        if self.attend is not None:
            with suppress(TabellionError):  # of a match that does not hold, which audit tells
                self.attend(self.service, self.state(match))
        self._unattended.discard(match)

    # -- reading -------------------------------------------------------------------------

    def state(self, prefix: str) -> MatchState:
        """The match whose id begins so, at its head. Raises ``NotFound``, ``Ambiguous``."""
        match = self.find(prefix)
        with self.service.store.reading():
            return self.service.remember(self.service.current(match))

    def find(self, prefix: str) -> str:
        """The id that begins so. Raises ``NotFound``, ``Ambiguous``."""
        if len(prefix) == 64 and self.service.store.head(prefix) is not None:
            return prefix
        return self.service.resolve(prefix)

    def with_envelopes(self, prefix: str) -> tuple[MatchState, list[Envelope]]:
        """The match and its signed events, of the same moment."""
        match = self.find(prefix)
        with self.service.store.reading():
            state = self.service.remember(self.service.current(match))
            return state, self.service.envelopes(match)

    def events(self, prefix: str, after: int, limit: int) -> tuple[str, Head, list[Row]]:
        """At most ``limit`` events after number ``after``, and the head of the match."""
        match = self.find(prefix)
        with self.service.store.reading():
            head = self.service.store.head(match)
            if head is None:
                raise NotFound("no-match", f"There is no match {match[:12]}.")
            return match, Head(*head), watching.rows(self.service.store, match, after, limit)

    def table(self, prefix: str) -> tuple[str, Head, bytes]:
        """The match as ``show --json`` has it."""
        state = self.state(prefix)
        return state.match, Head(state.seq, state.head), self._table(state)

    def tail(self, match: str, seq: int, digest: str | None) -> Tail:
        """What a stream has to send next (``watching.tail``)."""
        found = watching.tail(self.service.store, match, seq, digest)
        if found is None:
            raise NotFound("no-match", f"There is no match {match[:12]}.")
        return found

    def last_position(self) -> int:
        return self.service.store.last_position()

    def hall(self) -> list[tuple[str, Head]]:
        """Every match and its head, the one opened last first."""
        return [(match, head) for match, head, _ in reversed(watching.heads(self.service.store))]

    def line(self, match: str, head: Head) -> bytes | None:
        """The match as the hall sees it; ``None`` for one that does not hold."""
        kept = self._lines.get(match)
        if kept is not None and kept[0] == head.hash:
            return kept[1]
        with suppress(TabellionError):
            return self._line(self.state(match))
        return None

    def _table(self, state: MatchState) -> bytes:
        key = state.match, state.head
        if key not in self._tables:
            self._tables[key] = _encode(views.show(state))
            if len(self._tables) > VIEWS:
                self._tables.popitem(last=False)
        self._tables.move_to_end(key)
        return self._tables[key]

    def _line(self, state: MatchState) -> bytes:
        kept = self._lines.get(state.match)
        if kept is not None and kept[0] == state.head:
            return kept[1]
        stored = watching.stored_at(self.service.store, state.match)
        line = _encode(hall_line(state, stored))
        self._lines[state.match] = (state.head, line)
        return line

    # -- writing -------------------------------------------------------------------------

    def post(self, text: bytes, envelope: Envelope, event: Event) -> tuple[bool, bytes]:
        """Store an event that somebody signed: whether it is new, and what was written.

        Raises what ``Service.post`` raises, ``Overtaken`` with the head among it.
        """
        service = self.service
        known = service.store.by_hash(envelope.hash) is not None
        try:
            state = service.post(text)
        except Stale as error:
            match = envelope.hash if isinstance(event, MatchOpened) else str(event.match)
            head = service.store.head(match) if error.code == "stale" else None
            if head is None:
                raise
            raise Overtaken(error, Head(*head)) from None
        entry = state.entries[event.seq]
        told = views.WrittenEvent(
            seq=event.seq,
            type=type_of(entry.event),
            hash=entry.hash,
            text=event_words(state, entry.event),
        )
        written = msgspec.structs.replace(views.written(state, state.seq), events=(told,))
        if not known:
            self.tell_news()
        return not known, _encode(written)

    @contextmanager
    def telling(self) -> Iterator[Service]:
        """The ledger for an act of the service's own; what it writes is published."""
        try:
            yield self.service
        finally:
            self.tell_news()
