"""From a table set out to a match: what the arbiter's key signs once the phones have come.

The command that waits and the server both call ``settle``; whoever is first signs, and the other
finds it done. Should the program die between ledger and table, the ledger is believed: a match
that has the plan's random number was opened by it.
"""

from __future__ import annotations

from dataclasses import replace as replaced
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from ledger import consent
from ledger.cup import Cup
from ledger.errors import NotFound, Refused, TabellionError
from ledger.events import VERSION, CommitReveal, MatchOpened, Opening, Replacement
from ledger.fold import Entry, begin
from ledger.fold.parts import ARBITER
from ledger.keys import SigningKey
from ledger.publickey import PublicKey
from ledger.service import Draft, planned
from ledger.sqlitefile import sqlite_errors
from ledger.tables import Replacing, with_keys

if TYPE_CHECKING:
    from collections.abc import Callable

    from ledger.fold import MatchState
    from ledger.service import Plan, Service, Signer
    from ledger.tables import Place, SetOut, Tables

_NOWHERE: Final = "0" * 64


def rehearse(opening: Opening, places: tuple[Place, ...], entropy: Callable[[int], bytes]) -> None:
    """Refuse what could not be opened, whoever comes, before anybody gets a code."""
    came = tuple(
        replaced(place, key=SigningKey.from_seed(entropy(32)).public.line) for place in places
    )
    event = MatchOpened(
        v=VERSION,
        seq=0,
        by=ARBITER,
        at="2000-01-01T00:00:00Z",
        data=with_keys(opening, came),
    )
    arbiter = PublicKey.parse_canonical(opening.arbiter.key)
    begin(Entry(event, _NOWHERE, arbiter.fingerprint))


def rehearse_new_key(
    service: Service, state: MatchState, plan: Replacing, entropy: Callable[[int], bytes]
) -> None:
    """The same for a key that is to be put in."""
    given = _replacement(plan, SigningKey.from_seed(entropy(32)).public.line)
    service.rehearse(state, [planned(Draft("key.replaced", given, ARBITER))])


def check_key(service: Service, table: SetOut, place: Place, line: str) -> None:
    """One key, one role: refuse a key that the table or the match knows already.

    Raises ``Refused`` (``key-twice``), and what the match has against a replacement.
    """
    if isinstance(table.plan, Replacing):
        state = service.state(table.plan.match)
        draft = Draft("key.replaced", _replacement(table.plan, line), ARBITER)
        service.rehearse(state, [planned(draft)])
        return
    opening = with_keys(table.plan, tuple(each for each in table.places if each.role != place.role))
    officers = [opening.arbiter, *opening.witnesses, *([opening.appeal] if opening.appeal else [])]
    held = {each.key: each.name for each in officers}
    held |= {each.key: each.name for each in opening.seats.values() if each.key}
    if line in held:
        raise Refused(
            "key-twice",
            f"This phone's key is that of {held[line]} at this table: one key, one role.",
            hint="use another phone, or another browser",
        )


def settle(
    service: Service,
    tables: Tables,
    name: str,
    signer: Signer,
    folder: Path,
    old: Signer | None = None,
) -> SetOut:
    """Sign what a complete table waits for, unless it is done already. ``folder`` is that of the
    keys; ``old`` is the key that is replaced, where it consents."""

    def act(table: SetOut) -> str:
        if isinstance(table.plan, Replacing):
            return _put_in(service, table.plan, table.places[0], signer, old)
        opening = with_keys(table.plan, table.places)
        return _opened(service, opening) or _open(service, opening, signer, folder)

    return tables.settle(name, act)


def _opened(service: Service, opening: Opening) -> str | None:
    """The match that this opening has opened already."""
    with sqlite_errors(service.store.path):
        found = service.store.connection.execute(
            "SELECT match FROM events WHERE seq = 0 AND instr(payload, ?)",
            (f'"nonce":"{opening.nonce}"'.encode(),),
        ).fetchone()
    return str(found[0]) if found else None


def _open(service: Service, opening: Opening, signer: Signer, folder: Path) -> str:
    def commit(state: MatchState) -> Draft:
        return Cup(state, {ARBITER: signer}, folder).commit(ARBITER)

    made = opening.dice
    plans: list[Plan] = (
        [commit] if isinstance(made, CommitReveal) and ARBITER in made.contributors else []
    )
    return service.open_match(opening, signer, plans).match


def _replacement(plan: Replacing, line: str) -> Replacement:
    return Replacement(role=plan.role, name=plan.name, reason=plan.reason, key=line)


def _put_in(
    service: Service, plan: Replacing, place: Place, signer: Signer, old: Signer | None
) -> str:
    if place.key is None:
        raise NotFound("no-key", f"No phone has come for {place.name}.")
    state = service.state(plan.match)
    key = state.roster[plan.role].key
    if key is not None and key.line == place.key:
        return plan.match
    if (key.line if key else None) != plan.old:
        raise Refused(
            "stale-table",
            f"{plan.name} was given another key meanwhile: this one is not put in.",
            hint="tabellion log",
        )
    given = _replacement(plan, place.key)
    if old is not None:
        words = consent.message(state.match, given.role, given.name, given.key)
        given = replace(given, consent=old.sign(words).hex())
    draft = Draft("key.replaced", given, ARBITER)
    return service.append(state.match, [planned(draft)], {ARBITER: signer}).match


def hopeless(error: TabellionError) -> bool:
    """Whether trying again would not help: the rules say no."""
    return error.exit_status == Refused.exit_status
