"""What the server does by itself with the arbiter's key, once it was unlocked: the arbiter's own
numbers for the dice, and what tables wait for whose phones have come.

Nothing else is signed here. A number is opened only for a throw that the fold has taken, in its
turn, and never one that stands in a copy that was set aside.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from ledger import readmodels
from ledger.cup import Cup
from ledger.errors import TabellionError
from ledger.exchange import shown_aside
from ledger.fold import MatchState
from ledger.fold.parts import ARBITER
from ledger.fold.rolls import awaited, uncommitted
from ledger.seating import hopeless, settle
from ledger.service import Draft, Service, Signer, planned
from ledger.tables import Replacing, SetOut, Tables

Say = Callable[[str], None]
"""Takes a line for whoever looks after the server; no secret is in it."""


class Arbiter:
    """The arbiter's key at work, in the clerk's thread."""

    def __init__(self, signer: Signer, folder: Path, say: Say = lambda _: None) -> None:
        self.signer = signer
        self.folder = folder
        self.say = say

    @property
    def keyid(self) -> str:
        return self.signer.public.fingerprint

    # -- dice ----------------------------------------------------------------------------

    def attend(self, service: Service, state: MatchState) -> None:
        """Commit and open for the arbiter, if that is due in the match as it stands. If somebody
        else writes first, the next look at the match does it."""
        try:
            draft = self._due(service, state)
            if draft is not None:
                keys = {ARBITER: self.signer}
                service.append(state.match, [planned(draft)], keys, expect=state.head)
        except TabellionError as error:
            if error.code != "stale":
                self.say(f"match {state.match[:12]}: the arbiter's dice: {error.message}")

    def attend_all(self, service: Service) -> None:
        """The same for every match that is not closed: after a restart."""
        for line in readmodels.matches(service.store).matches:
            if line.phase != "closed":
                with suppress(TabellionError):
                    self.attend(service, service.state(line.match))

    def _due(self, service: Service, state: MatchState) -> Draft | None:
        party = state.roster[ARBITER]
        if party.key != self.signer.public or ARBITER in state.put_in:
            return None
        cup = Cup(state, {ARBITER: self.signer}, self.folder)
        if state.rolling.flight is not None:
            if awaited(state)[:1] != (ARBITER,) or ARBITER not in state.rolling.commitments:
                return None
            if shown_aside(service, state.match, ARBITER, state.rolling.number):
                return None
            return cup.open(ARBITER)
        if state.result is not None or ARBITER not in uncommitted(state):
            return None
        draft = cup.commit(ARBITER)
        try:
            service.rehearse(state, [planned(draft)])
        except TabellionError:
            return None  # not while this match is as it is
        return draft

    # -- tables --------------------------------------------------------------------------

    def seat(self, service: Service, tables: Tables, table: SetOut) -> SetOut:
        """Sign what a complete table waits for; where the rules refuse it, it is withdrawn. The
        command that waits signs alone where an old key consents."""
        if table.arbiter != self.keyid or not table.complete:
            return table
        if isinstance(table.plan, Replacing) and table.plan.consents:
            return table
        try:
            return settle(service, tables, table.id, self.signer, self.folder)
        except TabellionError as error:
            self.say(f"table {table.id}: {error.message}")
            return tables.withdraw(table.id) if hopeless(error) else table

    def seat_all(self, service: Service, path: Path, now: str) -> None:
        """The same for every table in the file: after a restart."""
        if path.exists():
            with Tables.open(path) as tables:
                for table in tables.complete(self.keyid, now):
                    self.seat(service, tables, table)
