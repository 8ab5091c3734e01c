"""Tables set out: matches and new keys that wait for phones, in a file beside the ledger.

The opening of a match names all its keys, so until the phones have come there is only a plan, and
it lies here and not in the ledger: what nobody signed is no event. ``open``, ``replace-key`` and
the server use the file at the same time; every change is one transaction that holds its only pen
(``BEGIN IMMEDIATE``). What becomes of a plan is decided under the same pen (``settle``), so that
it happens once.

Of a code only its hash is kept here. A code is good for ``HOURS``, the longest day of a
tournament, and no option says otherwise: it lies on paper, and paper is forgotten.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from pathlib import Path
from typing import Final, TypeAlias

import msgspec
from msgspec.structs import replace

from ledger import joincodes
from ledger.errors import Ambiguous, NotFound, Refused, Stale
from ledger.events import Opening, Seat
from ledger.publickey import PublicKey
from ledger.tablesfile import Server, TablesFile, damaged
from ledger.views.joining import SeatOutView, SetOutView

HOURS: Final = 24
_TIME: Final = "%Y-%m-%dT%H:%M:%SZ"


class State(Enum):
    WAITING = "waiting"
    DONE = "done"
    """The arbiter has signed: the match is open, the key is replaced."""
    WITHDRAWN = "withdrawn"


class Replacing(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A new key that is awaited for a role of an open match."""

    match: str
    role: str
    name: str
    reason: str
    ruleset: str
    arbiter: str
    table: str | None
    old: str | None
    """The key that it takes the place of."""
    consents: bool = False
    """Whether the old key signs too, in the command that waits: then nobody else completes it."""


Plan: TypeAlias = Opening | Replacing
_KINDS: Final[Mapping[str, type[Opening | Replacing]]] = {
    "opening": Opening,
    "replacement": Replacing,
}


@dataclass(frozen=True, slots=True)
class Place:
    """Whom a code was made for, and the public key that came."""

    role: str
    name: str
    key: str | None = None


@dataclass(frozen=True, slots=True)
class SetOut:
    """A table as it stands: who has come, and what became of it."""

    id: str
    arbiter: str
    """The fingerprint of the key that will sign."""
    plan: Plan
    places: tuple[Place, ...]
    state: State
    match: str | None
    expires_at: str

    @property
    def waiting_for(self) -> tuple[Place, ...]:
        return tuple(place for place in self.places if place.key is None)

    @property
    def complete(self) -> bool:
        return self.state is State.WAITING and not self.waiting_for

    def expired(self, now: str) -> bool:
        return now >= self.expires_at

    def view(self) -> SetOutView:
        """As it is told to the arbiter: who has come, and with which key."""
        plan = self.plan
        sitting: dict[str, Place] = {}
        if isinstance(plan, Replacing):
            match, ruleset, arbiter = plan.match, plan.ruleset, plan.arbiter
        else:
            match, ruleset, arbiter = None, plan.ruleset.name, plan.arbiter.name
            sitting = {role: Place(role, seat.name, seat.key) for role, seat in plan.seats.items()}
        come = {place.role: place for place in self.places}
        return SetOutView(
            id=self.id,
            match=match,
            table=plan.table,
            ruleset=ruleset,
            arbiter=arbiter,
            keyid=self.arbiter,
            seats=tuple(
                _seat_out(place, joins=role in come) for role, place in (sitting | come).items()
            ),
            expires_at=self.expires_at,
        )


def _seat_out(place: Place, *, joins: bool) -> SeatOutView:
    keyid = PublicKey.parse(place.key).fingerprint if place.key else None
    return SeatOutView(seat=place.role, name=place.name, joins=joins, keyid=keyid)


def beside(ledger: Path) -> Path:
    """Where the tables of a ledger lie."""
    return ledger.with_name(f"{ledger.name}.tables")


def with_keys(opening: Opening, places: tuple[Place, ...]) -> Opening:
    """The opening with the keys that came."""
    came = {place.role: Seat(name=place.name, key=place.key) for place in places}
    return replace(opening, seats={**opening.seats, **came})


def _later(now: str, hours: int) -> str:
    return (datetime.strptime(now, _TIME) + timedelta(hours=hours)).strftime(_TIME)


class Tables(TablesFile):
    """Tables set out, and the servers that take phones for them."""

    def set_out(
        self,
        plan: Plan,
        arbiter: str,
        names: Mapping[str, str],
        now: str,
        entropy: Callable[[int], bytes],
    ) -> tuple[SetOut, dict[str, str]]:
        """Set a table out for the roles of ``names``; the code of each is told here and never
        again. Tables that expired a day ago are cleared away."""
        new = entropy(8).hex()
        codes = {role: joincodes.fresh(entropy) for role in names}
        kind = "opening" if isinstance(plan, Opening) else "replacement"
        with self.writing():
            self._clear(_later(now, -HOURS))
            self.connection.execute(
                "INSERT INTO tables VALUES (?, ?, ?, ?, 'waiting', NULL, ?)",
                (new, arbiter, kind, msgspec.json.encode(plan), _later(now, HOURS)),
            )
            self.connection.executemany(
                "INSERT INTO places VALUES (?, ?, ?, ?, ?, NULL)",
                [
                    (number, new, role, name, joincodes.digest(codes[role]))
                    for number, (role, name) in enumerate(names.items())
                ],
            )
            return self._table(new), codes

    def table(self, name: str) -> SetOut:
        with self.reading():
            return self._table(name)

    def complete(self, arbiter: str, now: str) -> list[SetOut]:
        """Tables of this arbiter's key whose phones have all come, and that wait for its
        signature."""
        with self.reading():
            found = self.connection.execute(
                "SELECT id FROM tables WHERE arbiter = ? AND state = 'waiting' AND expires_at > ? "
                "AND NOT EXISTS (SELECT 1 FROM places WHERE in_table = id AND key IS NULL)",
                (arbiter, now),
            ).fetchall()
            return [self._table(name) for (name,) in found]

    def waiting(self, now: str) -> list[SetOut]:
        """Tables that wait for phones or for a signature, the one set out first before others."""
        with self.reading():
            found = self.connection.execute(
                "SELECT id FROM tables WHERE state = 'waiting' AND expires_at > ? ORDER BY rowid",
                (now,),
            ).fetchall()
            return [self._table(name) for (name,) in found]

    def named(self, name: str, now: str) -> SetOut:
        """The waiting table that is meant: by the first digits of its id, or as t4 for table 4.

        Raises ``NotFound`` (``no-table``), ``Ambiguous``.
        """
        asked = name.strip().lower()
        there = self.waiting(now)
        found = [each for each in there if asked and each.id.startswith(asked)]
        if not found:
            at = [each for each in there if each.plan.table]
            found = [each for each in at if asked == f"t{each.plan.table}".lower()]
        if not found:
            raise NotFound(
                "no-table", f"No table {name[:40]!a} is set out.", hint="tabellion tables"
            )
        if len(found) > 1:
            raise Ambiguous("ambiguous-table", f"{len(found)} tables are named so: say the id.")
        return found[0]

    def by_code(self, code: str, now: str) -> tuple[SetOut, Place]:
        """The table that a code is for. Raises ``NotFound`` (``no-such-code``), ``Refused``
        (``table-withdrawn``)."""
        with self.reading():
            return self._by_code(code, now)

    def join(
        self, code: str, key: str, now: str, check: Callable[[SetOut, Place, str], None]
    ) -> tuple[SetOut, Place]:
        """The first key takes the code; the same key may come again. ``check`` raises what is
        against it, and then the table stays as it was.

        Raises ``NotFound`` (``no-such-code``), ``Refused`` (``table-withdrawn``), ``Stale``
        (``code-used``).
        """
        with self.writing():
            table, place = self._by_code(code, now)
            if place.key == key:
                return table, place
            if place.key is not None or table.state is not State.WAITING:
                raise Stale(
                    "code-used",
                    "Another phone has used this code already.",
                    hint="ask the arbiter who it was, and for another code",
                )
            check(table, place, key)
            self.connection.execute(
                "UPDATE places SET key = ? WHERE in_table = ? AND role = ? AND key IS NULL",
                (key, table.id, place.role),
            )
            return self._by_code(code, now)

    def settle(self, name: str, act: Callable[[SetOut], str]) -> SetOut:
        """Complete a table whose phones have all come: ``act`` signs and gives the match. It is
        called under the pen, and once it has succeeded never again."""
        with self.writing():
            table = self._table(name)
            if table.complete:
                match = act(table)
                self.connection.execute(
                    "UPDATE tables SET state = 'done', match = ? WHERE id = ?", (match, name)
                )
            return self._table(name)

    def withdraw(self, name: str) -> SetOut:
        """Take a table away, unless it is done already; gives back which it is."""
        with self.writing():
            self.connection.execute(
                "UPDATE tables SET state = 'withdrawn' WHERE id = ? AND state = 'waiting'", (name,)
            )
            return self._table(name)

    # -- inside --------------------------------------------------------------------------

    def _by_code(self, code: str, now: str) -> tuple[SetOut, Place]:
        found = self.connection.execute(
            "SELECT in_table, role FROM places WHERE code = ?", (joincodes.digest(code),)
        ).fetchone()
        table = self._table(found[0]) if found else None
        if table is None or table.expired(now):
            raise NotFound(
                "no-such-code",
                "There is no such code, or it is good no longer.",
                hint="look at the join sheet again, or ask the arbiter for another code",
            )
        if table.state is State.WITHDRAWN:
            raise Refused(
                "table-withdrawn",
                "This table was withdrawn. Nothing was signed, and the code is good no longer.",
                hint="ask the arbiter for another code",
            )
        return table, next(place for place in table.places if place.role == found[1])

    def _table(self, name: str) -> SetOut:
        row = self.connection.execute(
            "SELECT arbiter, kind, plan, state, match, expires_at FROM tables WHERE id = ?", (name,)
        ).fetchone()
        if row is None:
            raise NotFound("no-table", "This table is not set out any more.")
        arbiter, kind, plan, state, match, expires_at = row
        places = self.connection.execute(
            "SELECT role, name, key FROM places WHERE in_table = ? ORDER BY place", (name,)
        ).fetchall()
        try:
            read: Plan = msgspec.json.decode(plan, type=_KINDS[kind])
            found = State(state)
        except (msgspec.MsgspecError, ValueError, KeyError, RecursionError) as error:
            raise damaged(self.path, f"a plan in it cannot be read ({error})") from None
        return SetOut(
            name, arbiter, read, tuple(Place(*each) for each in places), found, match, expires_at
        )

    def _clear(self, before: str) -> None:
        old = "SELECT id FROM tables WHERE expires_at < ?"
        self.connection.execute(f"DELETE FROM places WHERE in_table IN ({old})", (before,))  # noqa: S608
        self.connection.execute("DELETE FROM tables WHERE expires_at < ?", (before,))


@contextmanager
def serving(path: Path, server: Server) -> Iterator[None]:
    """Say in the file at ``path`` that a server takes phones, for as long as it does."""
    with Tables.open(path, create=True) as tables:
        tables.note_server(server)
    try:
        yield
    finally:
        with Tables.open(path, create=True) as tables:
            tables.forget_server(server.pid)
