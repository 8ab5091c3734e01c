"""Copies of a match that come in from another device, and what was set aside when they parted.

No server: one device exports its record, another takes it in. What continues is taken over; what
does not is set aside in the ledger, never lost, until its owner signs it anew or does something
else. Every event of a copy is verified before any is stored.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from ledger import copies, readmodels
from ledger.copies import SignedBoth, Standing
from ledger.envelope import Envelope
from ledger.errors import Refused, TabellionError
from ledger.events import (
    Adjourned,
    AppealDecided,
    DisputeRaised,
    Event,
    OfferMade,
    Resumed,
    RollRecorded,
    RollVoided,
    Ruling,
    TakebackOffer,
    decode,
    type_of,
)
from ledger.fold import MatchState, authenticate
from ledger.fold.acts import Plain
from ledger.fold.parts import ARBITER
from ledger.service import Draft, Service, row_of
from ledger.store import AsideRow


@dataclass(frozen=True, slots=True)
class TakenIn:
    """What became of a copy that was brought in."""

    state: MatchState
    standing: Standing
    common: int
    """How many events both copies begin with."""
    taken: tuple[Envelope, ...]
    """Events that are new in our chain."""
    aside: tuple[Envelope, ...]
    """Events that were set aside: ours, when theirs stands; theirs, when ours does."""
    ours: tuple[Envelope, ...]
    theirs: tuple[Envelope, ...]
    """What each copy has after the common part."""
    signed_both: tuple[SignedBoth, ...]


@dataclass(frozen=True, slots=True)
class Pending:
    """An event that was set aside and waits for its owner."""

    match: str
    event: Event
    envelope: Envelope

    def plan(self, state: MatchState) -> Draft:
        """The same act, to be signed anew where the match stands now.

        Raises ``Refused`` for one that names other events by number: the number may mean another
        event now, and the same words another thing.
        """
        party = state.roster.get(self.event.by)
        if party is None or party.key is None or party.key.fingerprint != self.envelope.keyid:
            raise Refused(
                "old-key",
                f"It was signed with a key that {self.event.by} has not any more: whoever has the "
                "new one acts anew, and never by signing this.",
            )
        if isinstance(self.event, OfferMade) and isinstance(self.event.data, TakebackOffer):
            raise Refused("names-an-event", "It names an event by its number: offer it anew.")
        if isinstance(self.event, Ruling | AppealDecided):
            raise Refused("names-an-event", "It names an event by its number: rule anew.")
        if isinstance(self.event, DisputeRaised | Adjourned | Resumed):
            raise Refused("names-an-event", "It is about the other copy: say it anew.")
        if isinstance(self.event, RollRecorded | RollVoided):
            raise Refused("names-an-event", "It is about a roll of the other copy.")
        if isinstance(self.event, Plain):
            raise Refused(
                "names-no-throw", "It does not say to which throw it belonged: do it anew."
            )
        if copies.roll_shown(self.event) is not None:
            raise Refused(
                "number-shown",
                "It shows the number of a roll to whoever has that copy: they can know the dice.",
                hint="tabellion roll, which says what can be done",
            )
        return Draft(type_of(self.event), self.event.data, self.event.by, self.event.for_)


def shown_aside(service: Service, match: str, role: str, roll: int) -> bool:
    """Whether the number of ``role`` for this roll stands in an event that was set aside: whoever
    saw that copy knows it."""
    for row in service.store.aside(match):
        try:
            event = decode(row.payload)
        except TabellionError:
            continue
        if event.by == role and copies.roll_shown(event) == roll:
            return True
    return False


def take_in(
    service: Service,
    theirs: Sequence[Envelope],
    *,
    here: Callable[[MatchState], Collection[str]],
    take_over: bool = False,
) -> TakenIn:
    """Bring a copy of a match in: all of it, what is new in it, or beside ours.

    ``here`` gives the roles of a match whose keys are on this device. Every signature and every
    rule is checked first: a copy with a fault is refused whole. What leaves our chain, or does
    not enter it, is set aside (``pending``). ``take_over``: the other copy stands where they part.
    """
    if not theirs:
        raise Refused("empty", "There is no event.")
    match = theirs[0].hash
    with service.store.writing():
        rows = service.store.rows(match)
        ours = [row.envelope for row in rows]
        shared = copies.common(ours, theirs)
        own, new = ours[shared:], theirs[shared:]
        before = service.current(match) if ours else None
        base = before if not own else service.folded(None, rows[:shared]) if shared else None
        _check_again(base, ours, theirs[:shared])
        after = copies.continued(base, new)
        standing = copies.standing(
            own,
            new,
            here=here(after),
            again=lambda: _goes_on(service, after, own),
            back=lambda: before is not None and _goes_on(service, before, new),
            seen=not _any_new(service, match, new),
            take_over=take_over,
        )
        aside: Sequence[Envelope] = ()
        if standing.theirs:
            if own:
                service.store.set_aside(match, shared - 1)
                aside = own
            for envelope, entry in zip(new, after.entries[shared:], strict=True):
                service.store.append(row_of(after, envelope, entry), service.clock())
            readmodels.update(service.store, before, after)
            service.check_head(after)
            state = after
        else:
            if standing.parted:
                aside = _keep_aside(service, after, new, shared)
            state = before or after
    return TakenIn(
        state=service.remember(state),
        standing=standing,
        common=shared,
        taken=tuple(new) if standing.theirs else (),
        aside=tuple(aside),
        ours=tuple(own),
        theirs=tuple(new),
        signed_both=tuple(copies.signed_both(own, new)),
    )


def _goes_on(service: Service, state: MatchState, acts: Sequence[Envelope]) -> bool:
    """Whether all these acts could be signed anew, one after the other, where the match stands."""
    waiting = [Pending(state.match, decode(each.payload), each) for each in acts]
    try:
        service.rehearse(state, [each.plan for each in waiting])
    except TabellionError:
        return False
    return True


def _any_new(service: Service, match: str, envelopes: Sequence[Envelope]) -> bool:
    known = {row.hash for row in service.store.aside(match)}
    return any(envelope.hash not in known for envelope in envelopes)


def _keep_aside(
    service: Service, after: MatchState, envelopes: Sequence[Envelope], shared: int
) -> list[Envelope]:
    """Store what does not enter the chain beside it; returns what was not there before."""
    known = {row.hash for row in service.store.aside(after.match)}
    kept = []
    for envelope, entry in zip(envelopes, after.entries[shared:], strict=True):
        if envelope.hash not in known:
            service.store.keep_aside(row_of(after, envelope, entry), service.clock())
            kept.append(envelope)
    return kept


def pending(
    service: Service, match: str | None = None, roles: Collection[str] | None = None
) -> list[Pending]:
    """Events that were set aside and still wait for their owner: to sign them anew, or to do
    something else instead, which ends the wait. ``roles``: of these owners only."""
    rows: dict[str, list[AsideRow]] = {}
    for row in service.store.aside(match):
        rows.setdefault(row.match, []).append(row)
    found: list[Pending] = []
    for each, kept in rows.items():
        found += _waiting(service, each, kept, roles)
    return found


def _waiting(
    service: Service, match: str, rows: Sequence[AsideRow], roles: Collection[str] | None
) -> list[Pending]:
    state = service.state(match)
    positions = service.store.positions(match)
    latest: dict[tuple[str, str | None], int] = {}
    for entry in state.entries:
        signer = (entry.event.by, entry.event.for_)
        latest[signer] = max(latest.get(signer, 0), positions[entry.hash])
    found: dict[object, Pending] = {}
    events = copies.genuine(state, [row.envelope for row in rows])
    for row, event in zip(rows, events, strict=True):
        if row.hash in positions or (roles is not None and _signer(row) not in roles):
            continue
        if event is None or row.hash != row.envelope.hash:
            continue  # the audit says what is wrong with it
        act = (type(event), event.data, event.by, event.for_)
        found.pop(act, None)  # the same act, signed anew before and set aside again
        if latest.get((event.by, event.for_), 0) <= row.since:
            found[act] = Pending(match, event, row.envelope)
    return list(found.values())


def _signer(row: AsideRow) -> str | None:
    """The role that an event names, without a look at its signature."""
    try:
        return decode(row.payload).by
    except TabellionError:
        return None


def awaits_word(service: Service, match: str) -> list[Pending]:
    """The branches beside the chain of which nobody elsewhere can know yet that they do not stand:
    the first event of each that leaves the chain where the arbiter has signed nothing since. One
    word of the arbiter ends it for all."""
    rows = service.store.aside(match)
    if not rows:
        return []
    state = service.state(match)
    chain = {entry.hash for entry in state.entries}
    spoken = max(entry.event.seq for entry in state.entries if entry.event.by == ARBITER)
    found = {}
    leaving = [
        row for row in rows if row.prev in chain and row.hash not in chain and row.seq > spoken
    ]
    events = copies.genuine(state, [row.envelope for row in leaving])
    for row, event in zip(leaving, events, strict=True):
        if event is not None:
            found[row.hash] = Pending(match, event, row.envelope)
    return list(found.values())


def _check_again(
    state: MatchState | None, ours: Sequence[Envelope], theirs: Sequence[Envelope]
) -> None:
    """The same event with another signature (some signers never sign the same twice) must be
    genuine too, by the key that its role had then. Raises ``Refused``."""
    for mine, other in zip(ours, theirs, strict=False):
        if mine != other and state is not None:
            event = decode(other.payload)
            parties = copies.parties_at(state, event.seq) if event.seq else None
            authenticate(parties, other, event)
