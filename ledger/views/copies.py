"""What there is to tell of two copies of a match: what came in, where they part, what waits."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, field

from ledger.copies import SignedBoth, Standing
from ledger.envelope import Envelope
from ledger.events import decode, type_of
from ledger.fold import MatchState
from ledger.views.eventwords import event_words
from ledger.views.shapes import WrittenView
from ledger.views.telling import written


class SignedView(Struct, frozen=True):
    """One signed event with its signer, and the envelope itself as evidence."""

    seq: int
    type: str
    by: str
    for_: str | None = field(name="for")
    name: str
    keyid: str
    hash: str
    text: str
    envelope: str


class SignedBothView(Struct, frozen=True):
    """One key signed two events with the same number: an explanation is due."""

    ours: SignedView
    theirs: SignedView
    anew: bool
    """The second was signed after the copies had parted: a signature given anew, most likely."""


class PartedView(Struct, frozen=True):
    """Two copies that part: the first event of each that the other has not."""

    after: int
    """The last event that both have."""
    ours: SignedView
    theirs: SignedView
    stands: str
    """``ours`` or ``theirs``."""
    why: str
    signed_both: tuple[SignedBothView, ...]


class ImportView(WrittenView, frozen=True):
    """What an import has written, and what it set aside."""

    standing: str
    set_aside: tuple[SignedView, ...]
    parted: PartedView | None


class PendingLine(Struct, frozen=True):
    """An event that was set aside and waits for its owner to sign it anew."""

    match: str
    event: SignedView
    key: str | None
    """The name of the owner's key, if it can sign on this device."""
    refusal: str | None
    """Why it cannot be signed anew as the match stands now; ``None`` if it can."""


class PendingView(Struct, frozen=True):
    """What waits, and what has just been signed anew."""

    events: tuple[PendingLine, ...]
    signed: tuple[SignedView, ...]


_WHY = {
    Standing.ARBITER_SIGNED_THEIRS: "the arbiter signed in the copy that came in, not in yours",
    Standing.ARBITER_SIGNED_OURS: "the arbiter signed in your copy, not in the one that came in",
    Standing.ARBITER_SIGNED_BOTH: "the arbiter signed in both, and yours was here first",
    Standing.ARBITER_HERE: "the arbiter's key is here, and this copy was first",
    Standing.OWN: "all that you give up was signed here, and can be signed anew",
    Standing.FIRST: "both acted at once, and each device decides alike",
    Standing.SEEN: "the other was set aside here before, and the arbiter has signed in neither",
    Standing.UNDECIDED: "the arbiter has signed in neither, and yours holds what others signed",
    Standing.ASKED: "you said so",
}


def signed(state: MatchState, envelope: Envelope) -> SignedView:
    """One event of a match, or of another copy of it."""
    event = decode(envelope.payload)
    return SignedView(
        seq=event.seq,
        type=type_of(event),
        by=event.by,
        for_=event.for_,
        name=state.holder(event.by, event.seq).name,
        keyid=envelope.keyid,
        hash=envelope.hash,
        text=event_words(state, event),
        envelope=envelope.text().decode("ascii"),
    )


def imported(
    state: MatchState,
    since: int,
    standing: Standing = Standing.LONGER,
    aside: Sequence[Envelope] = (),
    tails: tuple[Sequence[Envelope], Sequence[Envelope]] = ((), ()),
    both: Sequence[SignedBoth] = (),
) -> ImportView:
    """What came in after event ``since``; ``tails``: what each copy has after the common part."""
    told = written(state, since)
    return ImportView(
        match=told.match,
        events=told.events,
        phase=told.phase,
        turn=told.turn,
        offers=told.offers,
        remarks=told.remarks,
        next=told.next,
        standing=standing.value,
        set_aside=tuple(signed(state, each) for each in aside),
        parted=_parted(state, standing, *tails, both) if standing.parted else None,
    )


def _parted(
    state: MatchState,
    standing: Standing,
    ours: Sequence[Envelope],
    theirs: Sequence[Envelope],
    both: Sequence[SignedBoth],
) -> PartedView:
    first = signed(state, ours[0])
    return PartedView(
        after=first.seq - 1,
        ours=first,
        theirs=signed(state, theirs[0]),
        stands="theirs" if standing.theirs else "ours",
        why=_WHY[standing],
        signed_both=tuple(
            SignedBothView(signed(state, each.ours), signed(state, each.theirs), each.anew)
            for each in both
        ),
    )
