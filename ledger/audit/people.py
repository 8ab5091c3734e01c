"""Who held which role with which key, and what each of them has signed."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ledger.audit.judging import Reading
from ledger.audit.report import PartyReport
from ledger.events import ArbiterReplaced, Countersigned, KeyReplaced, SeatAccepted
from ledger.fold import MatchState, Party
from ledger.fold.parts import Change


class Holder(NamedTuple):
    """A holder of a role, put in by ``change`` (``None``: the opening), until event ``until``."""

    party: Party
    change: Change | None
    until: int | None

    @property
    def since(self) -> int:
        return self.change.seq if self.change else 0

    def of(self, events: Sequence[int]) -> tuple[int, ...]:
        """Which of the role's acts are this holder's: numbers of events, in their order."""
        first = bisect_right(events, self.since) if self.change else 0
        last = len(events) if self.until is None else bisect_right(events, self.until)
        return tuple(events[first:last])


def holders(reading: Reading) -> Iterator[Holder]:
    """Role by role in the order of the roster, each from the opening on."""
    for role, now in (reading.parties or {}).items():
        put_in: Change | None = None
        for change in reading.changes:
            if change.after.role == role:
                yield Holder(change.before, put_in, change.seq)
                put_in = change
        yield Holder(now, put_in, None)


def parties(reading: Reading, listed: Mapping[str, tuple[str, ...]]) -> tuple[PartyReport, ...]:
    """``listed``: principals by fingerprint."""
    state = reading.state
    signed = {event.by: (event.seq,) for event in countersignatures(reading)}
    accepted = _accepted(state) if state else {}
    found = []
    for holder in holders(reading):
        role, change = holder.party.role, holder.change
        keyid = holder.party.key.fingerprint if holder.party.key else None
        asked = change is not None and change.before.key is not None
        found.append(
            PartyReport(
                role=role,
                name=holder.party.name,
                keyid=keyid,
                listed_as=listed.get(keyid, ()) if keyid else (),
                signed=len(holder.of(reading.signed.get(role, ()))) if keyid else 0,
                written_for=len(holder.of(reading.written.get(role, ()))),
                countersigned=bool(holder.of(signed.get(role, ()))),
                since=holder.since,
                until=holder.until,
                put_in_by=change.by if change else None,
                consent=change.consent if change and asked else None,
                reason=_reason(state, change),
                accepted=next(iter(holder.of(accepted.get(role, ()))), None),
            )
        )
    return tuple(found)


def countersignatures(reading: Reading) -> list[Countersigned]:
    """Those of the result that stands, where the signature is genuine. Since the event that gave
    it the fold takes no others."""
    state = reading.state
    if state is None or state.sheet is None:
        return []
    return [
        entry.event
        for entry in state.entries[state.sheet.seq :]
        if isinstance(entry.event, Countersigned) and entry.event.seq in reading.genuine
    ]


def _accepted(state: MatchState) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for entry in state.entries:
        if isinstance(entry.event, SeatAccepted):
            found.setdefault(entry.event.by, []).append(entry.event.seq)
    return found


def _reason(state: MatchState | None, change: Change | None) -> str | None:
    """Why a key was replaced; not known where the fold had stopped before."""
    if state is None or change is None or change.seq > state.seq:
        return None
    event = state.entries[change.seq].event
    return event.data.reason if isinstance(event, KeyReplaced | ArbiterReplaced) else None
