"""What the arbiter's page has done in the clerk's thread: acts rehearsed, and signed; tables that
wait for phones told, and taken away.

Only the arbiter's acts, and those that the arbiter writes down for seats without a key, are signed
here. Matches are opened and keys are put in on the command line; commitments and openings of dice
are made by the server itself (``arbiter``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Final, NoReturn

import msgspec
from msgspec import Meta, Raw, Struct, field

from ledger import views
from ledger.errors import NotAllowed, NotFound, Refused, Stale, TabellionError, Unreadable
from ledger.events import EVENT_TYPES, Hash
from ledger.fold import MatchState
from ledger.fold.parts import ARBITER
from ledger.service import Draft, LineRefused, Plan, Service, Signer, planned
from ledger.tables import Tables, beside
from ledger.views import ShowView, WrittenEvent
from ledger.views.joining import TablesView
from ledger.web.clerk import Clerk, Overtaken
from ledger.web.deskfacts import DeskView, facts_of
from ledger.web.watching import Head

MOST_BYTES: Final = 96 * 1024
MOST_ACTS: Final = 40
LONGEST_POSITION: Final = 1000
ELSEWHERE: Final = frozenset(
    {
        *("match.opened", "key.replaced", "arbiter.replaced"),
        *("seat.accepted", "dice.committed", "roll.opened"),
        *("appeal", "appeal.decided", "countersigned", "dispute.settled"),
    }
)
"""Acts that are no business of this page: others sign them, or they are done elsewhere."""


class Act(Struct, frozen=True, forbid_unknown_fields=True):
    """What is to be signed: the type of an event, its data, and the seat that it is written for."""

    type: str
    data: Raw
    for_: str | None = field(default=None, name="for")


class Acts(Struct, frozen=True, forbid_unknown_fields=True):
    """Acts that go through together or not at all. ``expect``: the head that the arbiter saw."""

    match: Hash
    expect: Hash
    drafts: Annotated[tuple[Act, ...], Meta(min_length=1, max_length=MOST_ACTS)]


class Withdrawal(Struct, frozen=True, forbid_unknown_fields=True):
    """The table that is taken away, by its id."""

    table: Annotated[str, Meta(pattern="^[0-9a-f]{16}$", max_length=16)]


class RehearsedView(Struct, frozen=True):
    """How the match would stand, and what would be written, in words. Nothing was."""

    show: ShowView
    events: tuple[WrittenEvent, ...]


class PositionView(Struct, frozen=True):
    """A position in the one spelling that is signed."""

    position: str


_DATA: Final = {
    kind: msgspec.json.Decoder(each.type, strict=True)
    for kind, event in EVENT_TYPES.items()
    if kind not in ELSEWHERE
    for each in msgspec.structs.fields(event)
    if each.name == "data"
}


class Desk:
    """The arbiter's acts, in the clerk's thread."""

    def __init__(self, clerk: Clerk, signer: Signer) -> None:
        self.clerk = clerk
        self.signer = signer

    def facts(self, prefix: str) -> DeskView:
        """What the page has to know of the match as it stands."""
        state = self.clerk.state(prefix)
        return facts_of(self.clerk.service, state, yours=self._holds(state))

    def position(self, prefix: str, text: str) -> PositionView:
        """A position as it was typed, in its one spelling. Raises what the game says to it."""
        state = self.clerk.state(prefix)
        game = state.game
        if len(text) > LONGEST_POSITION:
            raise Unreadable("bad-query", f"A position has {LONGEST_POSITION} characters at most.")
        try:
            placed = game.reset(state.opening.ruleset.options, state.position, text.strip())
        except Unreadable as error:
            raise Refused(error.code, error.message, hint=error.hint) from None
        return PositionView(game.position(placed))

    def tables(self) -> TablesView:
        """Tables that wait for phones."""
        path = beside(self.clerk.path)
        if not path.exists():
            return TablesView(())
        with Tables.open(path) as tables:
            return self._told(tables)

    def withdraw(self, body: bytes) -> TablesView:
        """Take a table away; those that are left. Raises ``NotFound`` (``no-table``),
        ``NotAllowed`` (``not-your-table``), ``Stale`` (``table-open``)."""
        try:
            name = msgspec.json.decode(body, type=Withdrawal, strict=True).table
        except (msgspec.MsgspecError, ValueError, RecursionError):
            raise Unreadable("bad-table", "This is not {table}.") from None
        with Tables.open(beside(self.clerk.path)) as tables:
            if tables.table(name).arbiter != self.signer.public.fingerprint:
                raise NotAllowed("not-your-table", "Another arbiter has set this table out.")
            if tables.withdraw(name).match is not None:
                raise Stale("table-open", "All have come meanwhile: it was not withdrawn.")
            return self._told(tables)

    def _told(self, tables: Tables) -> TablesView:
        return TablesView(tuple(each.view() for each in tables.waiting(self.clerk.clock())))

    def rehearse(self, body: bytes) -> RehearsedView:
        """What would become of these acts. Raises as ``sign`` does."""
        acts = _read(body)
        state = self.clerk.state(acts.match)
        if state.head != acts.expect:
            raise _overtaken(state.seq, Head(state.seq, state.head))
        if not self._holds(state):
            raise Refused(
                "wrong-signer", f"The arbiter of this match is {state.roster[ARBITER].name}."
            )
        plans = _plans(acts)
        try:
            after = self.clerk.service.rehearse(state, plans)
        except LineRefused as refused:
            _refuse(refused, len(plans))
        return RehearsedView(views.show(after), views.written(after, state.seq).events)

    def sign(self, body: bytes) -> ShowView:
        """Sign and store these acts, all or none; how the match stands then.

        Raises ``Unreadable`` for what is no such act, ``Overtaken`` when the match has gone on,
        and what the fold says, which names the act where there are several.
        """
        acts = _read(body)
        plans = _plans(acts)
        with self.clerk.telling() as service:
            try:
                after = self._append(service, acts, plans)
            except LineRefused as refused:
                _refuse(refused, len(plans))
        return views.show(after)

    def _append(self, service: Service, acts: Acts, plans: Sequence[Plan]) -> MatchState:
        try:
            return service.append(acts.match, plans, {ARBITER: self.signer}, expect=acts.expect)
        except Stale as error:
            head = service.store.head(acts.match) if error.code == "stale" else None
            if head is None:
                raise
            raise _overtaken(head[0], Head(*head)) from None

    def _holds(self, state: MatchState) -> bool:
        return state.roster[ARBITER].key == self.signer.public


def _overtaken(seq: int, head: Head) -> Overtaken:
    message = f"The match went on meanwhile: it is at event {seq} now. Nothing was stored."
    return Overtaken(Stale("stale", message, hint="Look at it again, then decide."), head)


def _read(body: bytes) -> Acts:
    try:
        return msgspec.json.decode(body, type=Acts, strict=True)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        message = f"This is not {{match, expect, drafts}}: {ascii(str(error))[1:150]}."
        raise Unreadable("bad-acts", message) from None


def _plans(acts: Acts) -> list[Plan]:
    return [planned(_draft(act, place)) for place, act in enumerate(acts.drafts, start=1)]


def _draft(act: Act, place: int) -> Draft:
    decoder = _DATA.get(act.type)
    if decoder is None:
        known = act.type in EVENT_TYPES
        raise Unreadable(
            "not-at-this-desk" if known else "unknown-type",
            f"Act {place}: {ascii(act.type)[1:-1][:40]} is not signed on this page.",
            hint="tabellion --help" if known else "",
        )
    try:
        data: object = decoder.decode(act.data)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        message = f"Act {place} ({act.type}) is not of its form: {ascii(str(error))[1:-1][:150]}."
        raise Unreadable("bad-act", message) from None
    return Draft(act.type, data, ARBITER, act.for_)


def _refuse(refused: LineRefused, of: int) -> NoReturn:
    """What the fold says to one act, with the act named where there are several."""
    cause = refused.__cause__
    if not isinstance(cause, TabellionError):
        raise refused
    if of > 1:
        cause.message = f"Act {refused.index + 1} of {of}: {cause.message} Nothing was stored."
    if isinstance(cause, NotFound):
        raise Refused(cause.code, cause.message, hint=cause.hint) from None
    raise cause from None
