"""A match after its last event, and which of its events count: nothing computed twice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from ledger.events import (
    AppealDecided,
    Award,
    CommitReveal,
    Event,
    GivenResult,
    Opening,
    Result,
    Rewind,
    Ruling,
    SetPosition,
)
from ledger.fold.parts import (
    ARBITER,
    Appeal,
    Change,
    Dispute,
    Entry,
    Given,
    Moment,
    Party,
    Phase,
    Rolling,
    Sealed,
    Sheet,
    StandingOffer,
)
from ledger.games.protocol import Game, State


class MatchState(Struct, frozen=True):
    """A match after its last event. ``entries`` and ``moments`` have one item an event."""

    match: str
    opening: Opening
    game: Game
    roster: Mapping[str, Party]
    entries: tuple[Entry, ...]
    moments: tuple[Moment, ...]
    accepted: frozenset[str] = frozenset()
    rolling: Rolling = Rolling()
    offers: tuple[StandingOffer, ...] = ()
    disputes: tuple[Dispute, ...] = ()
    appeals: tuple[Appeal, ...] = ()
    penalties: tuple[Given, ...] = ()
    changes: tuple[Change, ...] = ()
    put_in: frozenset[str] = frozenset()
    """Roles with a new key that has not accepted the match yet."""
    adjourned: int | None = None
    """The event that adjourned the game, while it rests."""
    sealed: Sealed | None = None
    sheets: tuple[Sheet, ...] = ()
    """Every result since the match was closed. The last one stands."""

    @property
    def seq(self) -> int:
        return len(self.entries) - 1

    @property
    def head(self) -> str:
        return self.entries[-1].hash

    @property
    def position(self) -> State:
        return self.moments[-1].game

    @property
    def sheet(self) -> Sheet | None:
        """The result that stands once the match is closed, and who signed it."""
        return self.sheets[-1] if self.sheets else None

    @property
    def closed(self) -> Result | None:
        return self.sheets[-1].result if self.sheets else None

    @property
    def result_event(self) -> str | None:
        """Hash of the event that gave the standing result, once the match is closed."""
        return self.sheets[-1].event if self.sheets else None

    @property
    def countersigned(self) -> frozenset[str]:
        return self.sheets[-1].signed if self.sheets else frozenset()

    @property
    def result(self) -> Result | None:
        return self.closed or self.moments[-1].result

    @property
    def dispute(self) -> Dispute | None:
        """The dispute that is open."""
        last = self.disputes[-1] if self.disputes else None
        return last if last is not None and last.ended is None else None

    @property
    def appealed(self) -> tuple[Appeal, ...]:
        """Appeals that are not decided yet."""
        return tuple(appeal for appeal in self.appeals if appeal.decided is None)

    @property
    def contributors(self) -> tuple[str, ...]:
        """The roles whose nonces make the dice; none for dice on the table."""
        scheme = self.opening.dice
        if not isinstance(scheme, CommitReveal):
            return ()
        return self.rolling.named or scheme.contributors

    def holder(self, role: str, seq: int) -> Party:
        """Who held a role when event ``seq`` was signed."""
        for change in self.changes:
            if change.seq >= seq and change.before.role == role:
                return change.before
        return self.roster[role]

    def other(self, seat: str) -> str:
        """The seat across the board."""
        first, second = self.game.seats
        return second if seat == first else first

    @property
    def unaccepted(self) -> tuple[str, ...]:
        """Whom the game waits for: seats that bring a key and have not accepted with it, and a
        new arbiter."""
        seats = tuple(
            seat
            for seat in self.game.seats
            if self.roster[seat].key is not None and seat not in self.accepted
        )
        return (ARBITER, *seats) if ARBITER in self.put_in else seats

    @property
    def accepting(self) -> tuple[str, ...]:
        """Everybody who can accept the match now, whether or not the game waits for them."""
        waiting = self.unaccepted
        return (*waiting, *sorted(self.put_in - {*waiting}))

    @property
    def unsigned(self) -> tuple[str, ...]:
        """Seats that bring a key and have not countersigned the closed result, nor refused to, nor
        has a witness signed instead."""
        sheet = self.sheet
        if sheet is None:
            return ()
        done = sheet.signed | sheet.for_absent.keys() | sheet.refused.keys()
        return tuple(
            seat
            for seat in self.game.seats
            if self.roster[seat].key is not None and seat not in done
        )

    @property
    def phase(self) -> Phase:
        if self.disputes and self.dispute:
            return Phase.DISPUTED
        if self.sheets:
            return Phase.APPEALED if self.appealed else Phase.CLOSED
        if self.moments[-1].result:
            return Phase.ENDED
        if self.adjourned is not None:
            return Phase.ADJOURNED
        if len(self.accepted) == len(self.game.seats) and not self.put_in:
            return Phase.IN_PLAY
        return Phase.BEFORE_ACCEPTANCE if self.unaccepted else Phase.IN_PLAY

    @property
    def under_way(self) -> bool:
        """Whether anything was done in the game yet."""
        return any(moment.acted for moment in self.moments)

    @property
    def turn(self) -> str | None:
        """The seat to act, once play has begun and while no result stands."""
        return self.game.turn(self.position) if self.phase is Phase.IN_PLAY else None

    def line(self) -> frozenset[int]:
        """The events whose moments lead to the present one."""
        return line(self.moments)

    def superseded(self) -> frozenset[int]:
        """The events that acted on the game and were taken back, by a ruling or by agreement."""
        return superseded(self.moments)


def line(moments: Sequence[Moment]) -> frozenset[int]:
    """The events whose moments lead to the last one."""
    found = set()
    seq = len(moments) - 1
    while seq > 0:
        found.add(seq)
        seq = moments[seq].before
    return frozenset(found)


def superseded(moments: Sequence[Moment]) -> frozenset[int]:
    """The acts among these events that lie off their line."""
    counts = line(moments)
    return frozenset(
        seq for seq, moment in enumerate(moments) if moment.acted and seq not in counts
    )


def moved(moments: Sequence[Moment], seq: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The events that ``seq`` (a ruling, an agreed takeback) put off the line, and those that it
    put on it again: down to where the old and the new meet. No longer than the way it goes back,
    however long the match is."""
    old, new = seq - 1, moments[seq].before
    gone, back = [], []
    while old != new:
        if old > new:
            gone.append(old)
            old = moments[old].before
        else:
            back.append(new)
            new = moments[new].before
    return tuple(reversed(gone)), tuple(reversed(back))


def taken_back(moments: Sequence[Moment], seq: int) -> tuple[int, ...]:
    """The acts that event ``seq`` put off the line."""
    return tuple(each for each in moved(moments, seq)[0] if moments[each].acted)


def overruled(state: MatchState) -> Mapping[int, int]:
    """Rulings that acted on the game and were taken back themselves, by the event that did so.
    A penalty that stood beside stays; it has to be withdrawn."""
    found: dict[int, int] = {}
    for seq, moment in enumerate(state.moments):
        if moment.before == seq - 1 or not seq:
            continue
        gone, back = moved(state.moments, seq)
        found |= {each: seq for each in gone if acts_on_the_game(state.entries[each].event)}
        for each in back:
            found.pop(each, None)
    return found


def acts_on_the_game(event: Event) -> bool:
    """Whether an event is a ruling, or the decision of an appeal, that did more than to dismiss, to
    punish or to name who makes dice."""
    if not isinstance(event, Ruling | AppealDecided):
        return False
    acts = Rewind | SetPosition | GivenResult | Award
    return any(isinstance(effect, acts) for effect in event.data.effects)


def breaches(state: MatchState) -> Mapping[int, tuple[str, ...]]:
    """Duties left undone, or done wrongly, by the number of the act that they belong to.

    Only what stands is judged, and only once the other side has acted on it. Of a game that was
    read from a file nobody knows what was said at the table.
    """
    if state.opening.source is not None:
        return {}
    moments, found = state.moments, {}
    for seq in sorted(line(moments)):
        ruled = isinstance(state.entries[seq].event, Ruling | AppealDecided)
        if ruled or not moments[seq].acted:
            continue
        before = moments[seq].before
        said = state.game.breaches(moments[before].game, moments[seq].game)
        if said:
            found[_act_before(moments, before)] = tuple(said)
    return found


def _act_before(moments: Sequence[Moment], seq: int) -> int:
    """The act that led to the game as it stands after event ``seq``."""
    while seq and not moments[seq].acted:
        seq = moments[seq].before
    return seq
