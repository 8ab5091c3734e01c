"""The service: matches in a ledger file. One writer at a time, every event through the fold.

Head read, fold, signature and insert happen in one transaction. Clock and entropy are given by
the caller, keys stay with the caller: this module only asks them to sign.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from ledger import envelope as envelopes
from ledger import readmodels
from ledger.envelope import Envelope
from ledger.errors import Ambiguous, NotFound, Refused, Stale, TabellionError, Unreadable
from ledger.events import (
    EVENT_TYPES,
    VERSION,
    Event,
    MatchOpened,
    Opening,
    decode,
    encode,
    type_of,
)
from ledger.fold import Entry, MatchState, advance, authenticate, begin, signer
from ledger.fold.parts import ARBITER
from ledger.publickey import PublicKey
from ledger.store import Row, Store

KNOWN: Final = 10_000
"""Events whose folds are kept, of all matches together: some forty matches in play."""

Clock = Callable[[], str]
"""Gives the time as RFC 3339 in UTC, whole seconds."""


class Signer(Protocol):
    """A private key as the service sees it."""

    @property
    def public(self) -> PublicKey: ...

    def sign(self, message: bytes) -> bytes: ...


@dataclass(frozen=True, slots=True)
class Draft:
    """An event before it has a place in the chain."""

    type: str
    data: object
    by: str
    for_: str | None = None


Plan = Callable[[MatchState], Draft]
"""What to write next, decided on the state it will follow."""


def planned(draft: Draft) -> Plan:
    """A plan that is decided already."""
    return lambda _: draft


class LineRefused(TabellionError):
    """One of several plans does not go through; none was written. ``index`` counts from 0."""

    def __init__(self, index: int, cause: TabellionError) -> None:
        super().__init__(cause.code, cause.message, hint=cause.hint)
        self.index = index
        self.exit_status = cause.exit_status


def resolve(store: Store, prefix: str) -> str:
    """The match whose id begins with ``prefix``. Raises ``NotFound``, ``Ambiguous``."""
    found = store.matches(prefix.lower()) if prefix.isalnum() else []
    if not found:
        raise NotFound(
            "no-match", f"No match begins with {ascii(prefix)[:70]}.", hint="tabellion list"
        )
    if len(found) > 1:
        raise Ambiguous(
            "ambiguous-match",
            f"{len(found)} matches begin with {prefix}: "
            f"{', '.join(each[:12] for each in found[:5])}.",
            hint="tabellion list",
        )
    return found[0]


def row_of(state: MatchState, envelope: Envelope, entry: Entry) -> Row:
    """An event of a match as the store keeps it."""
    event = entry.event
    return Row(
        match=state.match,
        seq=event.seq,
        prev=event.prev,
        type=type_of(event),
        hash=entry.hash,
        payload=envelope.payload,
        signature=envelope.signature,
        keyid=envelope.keyid,
    )


class Service:
    """Matches in one ledger."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self.store = store
        self.clock = clock
        self._known: OrderedDict[str, MatchState] = OrderedDict()

    @classmethod
    def open(cls, path: Path, clock: Clock, *, create: bool = False, write: bool = True) -> Service:
        """The ledger at ``path``; errors as ``Store.open``."""
        store = Store.open(path, create=create, write=write, furnish=readmodels.make_tables)
        return cls(store, clock)

    def close(self) -> None:
        self.store.close()

    def __enter__(self) -> Service:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- reading -------------------------------------------------------------------------

    def resolve(self, prefix: str) -> str:
        """The match whose id begins with ``prefix``. Raises ``NotFound``, ``Ambiguous``."""
        return resolve(self.store, prefix)

    def state(self, match: str) -> MatchState:
        """The fold of a match. Signatures were checked when the events were appended; the
        audit checks them again."""
        rows = self.store.rows(match)
        if not rows:
            raise NotFound("no-match", f"There is no match {match}.", hint="tabellion list")
        return self.folded(None, rows)

    def states(self) -> Iterator[MatchState]:
        """Every match, in the order of opening."""
        return (self.state(match) for match in self.store.matches())

    def envelopes(self, match: str) -> list[Envelope]:
        """The signed events of a match, as stored."""
        return [row.envelope for row in self.store.rows(match)]

    # -- writing -------------------------------------------------------------------------

    def open_match(
        self, opening: Opening, arbiter: Signer, plans: Sequence[Plan] = ()
    ) -> MatchState:
        """Sign and store the event that opens a match, and one event for each plan signed by the
        arbiter (an imported game): all or none."""
        event = MatchOpened(v=VERSION, seq=0, by=ARBITER, at=self.clock(), data=opening)
        with self.store.writing():
            opened = self._sign(None, event, arbiter)
            state = self._write_all(opened, plans, {ARBITER: arbiter})
            readmodels.update(self.store, None, state)
            self.check_head(state)
        return self.remember(state)

    def append(
        self,
        match: str,
        plans: Sequence[Plan],
        signers: Mapping[str, Signer],
        *,
        expect: str | None = None,
    ) -> MatchState:
        """Sign and store one event for each plan, all or none.

        ``signers`` gives the key of each role. ``expect`` is the head that the caller has seen.
        Raises ``Stale`` when someone else wrote since, ``LineRefused`` naming the plan at fault.
        """
        with self.store.writing():
            before = self.current(match)
            if expect is not None and before.head != expect:
                raise Stale(
                    "stale",
                    f"Someone else wrote first: the match is at event {before.seq} now. Nothing "
                    "of yours was stored.",
                    hint="tabellion show",
                )
            state = self._write_all(before, plans, signers)
            readmodels.update(self.store, before, state)
            self.check_head(state)
        return self.remember(state)

    def rehearse(self, state: MatchState, plans: Sequence[Plan]) -> MatchState:
        """Do what ``append`` would do after ``state``, without keys: nothing is written. Gives the
        state that the match would have.

        Raises ``LineRefused`` as ``append`` does, before anybody types a passphrase.
        """
        for index, plan in enumerate(plans):
            try:
                event = self._event(state, plan(state))
                digest = envelopes.Envelope(encode(event), b"", "").hash
                keyid = signer(state.roster, event).fingerprint
                state = advance(state, Entry(event, digest, keyid))
            except TabellionError as error:
                raise LineRefused(index, error) from error
        return state

    def post(self, text: bytes, *, expect: str | None = None) -> MatchState:
        """Store an event that somebody else signed. The same event twice is stored once."""
        envelope = envelopes.parse(text)
        event = decode(envelope.payload)
        with self.store.writing():
            stored = self.store.by_hash(envelope.hash)
            if stored is not None:
                state = self.current(stored.match)
                if stored.envelope != envelope:  # some signers never sign the same twice
                    authenticate(state.roster, envelope, event)
                return state
            before = None if event.match is None else self.current(event.match)
            if before is not None and (
                event.seq <= before.seq or expect not in (None, before.head)
            ):
                raise Stale(
                    "stale",
                    f"Someone else wrote first: the match is at event {before.seq} now. Nothing "
                    "of yours was stored.",
                    hint="tabellion show",
                )
            authenticate(before.roster if before else None, envelope, event)
            state = self._store(before, envelope, event)
            readmodels.update(self.store, before, state)
            self.check_head(state)
        return self.remember(state)

    def rebuild(self) -> int:
        """Make the read models anew from the events; returns the number of matches."""
        with self.store.writing():
            return readmodels.rebuild(self.store, self.states())

    # -- inside --------------------------------------------------------------------------

    def check_head(self, state: MatchState) -> None:
        """Before anything is acknowledged: what was stored stands at the head, whatever triggers
        a stranger has put into the file. Raises ``Unreadable``."""
        if self.store.head(state.match) != (state.seq, state.head):
            raise Unreadable(
                "ledger-altered",
                "The ledger file does not keep what is written into it. Nothing was stored.",
                hint="tabellion doctor",
            )

    def remember(self, state: MatchState) -> MatchState:
        """Keep ``state``, the match at its head, for the next act; gives it back. Those of the
        last matches are kept, ``KNOWN`` events of them: a service that runs for days sees all."""
        self._known[state.match] = state
        self._known.move_to_end(state.match)
        kept = sum(known.seq + 1 for known in self._known.values())
        while kept > KNOWN and len(self._known) > 1:
            _, oldest = self._known.popitem(last=False)
            kept -= oldest.seq + 1
        return state

    def current(self, match: str) -> MatchState:
        """The state at the head, folding only what is new; inside a transaction."""
        head = self.store.head(match)
        if head is None:
            raise NotFound("no-match", f"There is no match {match[:70]}.", hint="tabellion list")
        known = self._known.get(match)
        if known is not None and known.head == head[1]:
            return known
        rows = self.store.rows(match, known.seq if known else -1)
        if known is not None and (not rows or rows[0].prev != known.head):
            known, rows = None, self.store.rows(match)  # another copy was taken over meanwhile
        return self.folded(known, rows)

    def folded(self, state: MatchState | None, rows: Iterable[Row]) -> MatchState:
        """``state`` after stored events. Raises ``Unreadable`` (``match-damaged``)."""
        for row in rows:
            envelope = row.envelope
            try:
                entry = Entry(decode(envelope.payload), envelope.hash, envelope.keyid)
                state = begin(entry) if state is None else advance(state, entry)
                if entry.hash != row.hash or state.match != row.match:
                    raise Refused("bad-hash", "These are not the bytes that have its hash.")
            except TabellionError as error:
                raise Unreadable(
                    "match-damaged",
                    f"Event {row.seq} of match {row.match[:12]} does not hold: {error.message}",
                    hint=f"tabellion audit {row.match[:12]}",
                ) from error
        if state is None:
            raise NotFound("no-match", "The match has no events.")
        return state

    def _write_all(
        self, state: MatchState, plans: Sequence[Plan], signers: Mapping[str, Signer]
    ) -> MatchState:
        for index, plan in enumerate(plans):
            try:
                state = self._write(state, plan(state), signers)
            except TabellionError as error:
                raise LineRefused(index, error) from error
        return state

    def _event(self, state: MatchState, draft: Draft) -> Event:
        """``draft`` in its place after ``state``."""
        return EVENT_TYPES[draft.type](
            v=VERSION,
            seq=state.seq + 1,
            by=draft.by,
            for_=draft.for_,
            at=self.clock(),
            match=state.match,
            prev=state.head,
            data=draft.data,  # type: ignore[arg-type]  # the plan pairs type and data
        )

    def _write(self, state: MatchState, draft: Draft, signers: Mapping[str, Signer]) -> MatchState:
        event = self._event(state, draft)
        expected = signer(state.roster, event)
        key = signers.get(draft.by)
        if key is None or key.public != expected:
            raise Refused(
                "wrong-signer", f"The key of {draft.by} in this match is {expected.fingerprint}."
            )
        return self._sign(state, event, key)

    def _sign(self, state: MatchState | None, event: Event, key: Signer) -> MatchState:
        envelope = envelopes.seal(encode(event), key.public, key.sign)
        if state is None:
            authenticate(None, envelope, event)
        return self._store(state, envelope, event)

    def _store(self, state: MatchState | None, envelope: Envelope, event: Event) -> MatchState:
        entry = Entry(event, envelope.hash, envelope.keyid)
        after = begin(entry) if state is None else advance(state, entry)
        self.store.append(row_of(after, envelope, entry), self.clock())
        return after
