"""People and their keys: a key that was lost, a player who left, another arbiter.

The old key is dead from the event on. Whoever has the new key accepts the match with it before
anything else. If it makes dice, the number that was committed to for the coming roll is dead, and
all commit afresh to the next.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from ledger.errors import Refused
from ledger.events import Replacement, SeatAccepted, Succession
from ledger.fold.authority import key_of, roster
from ledger.fold.course import append
from ledger.fold.parts import ARBITER, Change, Entry, Party
from ledger.fold.rolls import without
from ledger.fold.state import MatchState
from ledger.publickey import PublicKey


def accept(state: MatchState, entry: Entry, event: SeatAccepted) -> MatchState:
    """A seat accepts the match; or a key that was put in later does, whatever its role."""
    role = event.by
    if role in state.accepted:
        raise Refused(
            "accepted-twice", f"{state.roster[role].name} has accepted the match already."
        )
    accepted = state.accepted | {role} if role in state.game.seats else state.accepted
    return replace(append(state, entry), accepted=accepted, put_in=state.put_in - {role})


def replace_key(state: MatchState, entry: Entry, given: Replacement) -> MatchState:
    """Another holder or another key for a seat, a witness or the appeal."""
    role = given.role
    if role == ARBITER:
        raise Refused(
            "wrong-role",
            "The arbiter's key is replaced with the arbiter.",
            hint="tabellion replace-arbiter",
        )
    if role not in state.roster:
        raise Refused("unknown-role", f"This match has no role {role!r}.")
    if given.key is None and role not in state.game.seats:
        raise Refused("key-needed", f"Nobody is {role} without a key.")
    if given.consent is not None and state.roster[role].key is None:
        raise Refused("bad-consent", f"{role} had no key that could consent.")
    return _put_in(state, entry, role, given.name, given.key, consent=given.consent is not None)


def replace_arbiter(state: MatchState, entry: Entry, given: Succession) -> MatchState:
    """Another arbiter, put in by the one before or by the appeal key."""
    consent = entry.event.by == ARBITER
    return _put_in(state, entry, ARBITER, given.name, given.key, consent=consent)


def _put_in(
    state: MatchState, entry: Entry, role: str, name: str, line: str | None, *, consent: bool
) -> MatchState:
    before, key = state.roster[role], key_of(line) if line else None
    if key is None and before.key is None and name == before.name:
        raise Refused("nobody-new", f"{name} holds {role} without a key already.")
    if key is not None:
        _check_new(state, key)
    party = Party(role, name, key)
    change = Change(entry.event.seq, before, party, entry.event.by, consent)
    makes_dice = role in state.contributors
    rolling = without(state.rolling, role) if makes_dice else state.rolling
    if state.closed and role in state.game.seats and name != before.name:
        raise Refused("match-closed", "The match is closed: who played it does not change.")
    return replace(
        append(state, entry),
        roster={**state.roster, role: party},
        changes=(*state.changes, change),
        accepted=state.accepted - {role},
        put_in=state.put_in | {role} if key else state.put_in - {role},
        rolling=rolling,
    )


def _check_new(state: MatchState, key: PublicKey) -> None:
    """One key, one role, once: also a key that is dead has had its role."""
    parties = [*state.roster.values(), *(change.before for change in state.changes)]
    held = {party.key: party.role for party in parties if party.key is not None}
    if key in held:
        raise Refused("key-twice", f"This key is or was that of {held[key]}: one key, one role.")


def rosters(state: MatchState) -> tuple[Mapping[str, Party], ...]:
    """Every roster that the match ever had: that of the opening, and one after each change."""
    found = [roster(state.opening, state.game.seats)]
    for change in state.changes:
        found.append({**found[-1], change.after.role: change.after})
    return tuple(found)
