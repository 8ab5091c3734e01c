"""What there is to tell of two copies of one match that lie side by side."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from ledger import copies
from ledger.envelope import Envelope
from ledger.errors import Refused
from ledger.fold import MatchState
from ledger.fold.parts import ARBITER
from ledger.views.copies import SignedBothView, SignedView, signed


class CopyView(Struct, frozen=True):
    """One of the copies: what it was called, how long it is, and what it has alone."""

    name: str
    events: int
    head: str
    only: tuple[SignedView, ...]
    arbiter: bool
    """Whether the arbiter has signed any of what it has alone."""


class DiffView(Struct, frozen=True):
    """Two copies of one match. ``common``: how many events both begin with."""

    match: str
    common: int
    first: CopyView
    second: CopyView
    signed_both: tuple[SignedBothView, ...]
    """Where one key signed two events with the same number: an explanation is due."""

    @property
    def same(self) -> bool:
        return not self.first.only and not self.second.only


def difference(
    names: tuple[str, str],
    states: tuple[MatchState, MatchState],
    chains: tuple[Sequence[Envelope], Sequence[Envelope]],
) -> DiffView:
    """What two copies share and where they part; ``states`` are their folds, signatures checked.

    Raises ``Refused`` (``other-match``) for copies of different matches.
    """
    if states[0].match != states[1].match:
        raise Refused(
            "other-match",
            f"{names[0]} is of match {states[0].match[:12]}, {names[1]} of match "
            f"{states[1].match[:12]}: these are no copies of one.",
        )
    common = copies.common(*chains)
    tails = [chain[common:] for chain in chains]
    first, second = (
        _copy(name, state, tail) for name, state, tail in zip(names, states, tails, strict=True)
    )
    return DiffView(
        match=states[0].match,
        common=common,
        first=first,
        second=second,
        signed_both=tuple(
            SignedBothView(signed(states[0], each.ours), signed(states[1], each.theirs), each.anew)
            for each in copies.signed_both(*tails)
        ),
    )


def _copy(name: str, state: MatchState, tail: Sequence[Envelope]) -> CopyView:
    only = tuple(signed(state, each) for each in tail)
    return CopyView(
        name=name,
        events=len(state.entries),
        head=state.head,
        only=only,
        arbiter=any(each.by == ARBITER for each in only),
    )
