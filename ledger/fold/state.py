"""What the fold knows of a match after some event: frozen values, nothing computed twice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum

from msgspec import Struct

from ledger.events import Event, Opening, Result, Terms
from ledger.games.protocol import Game, State
from ledger.publickey import PublicKey

ARBITER = "arbiter"
APPEAL = "appeal"
WITNESS = "witness"


class Phase(Enum):
    """Where a match stands. The value is what people and ``--json`` read."""

    BEFORE_ACCEPTANCE = "before-acceptance"
    IN_PLAY = "in-play"
    ENDED = "ended"
    """A result stands by the rules; the arbiter has not closed the match yet."""
    CLOSED = "closed"


class Party(Struct, frozen=True):
    """A role's holder: a name, and a key unless the arbiter writes for this seat."""

    role: str
    name: str
    key: PublicKey | None


class Entry(Struct, frozen=True):
    """An event in its place in the chain: what it says, its hash, and the key that signed it."""

    event: Event
    hash: str
    keyid: str


class Moment(Struct, frozen=True):
    """The game alone after an event. ``before`` is the event whose moment it followed: a rewind
    to N has ``before`` N, so that walking back from the head gives the line that counts."""

    game: State
    result: Result | None
    before: int
    acted: bool
    """Whether the event acted on the game (and so can be superseded)."""


class StandingOffer(Struct, frozen=True):
    """An offer that can still be answered."""

    hash: str
    seq: int
    seat: str
    """Who made it."""
    terms: Terms


class Roll(Struct, frozen=True):
    """A roll whose dice are known."""

    number: int
    seat: str
    """Who threw."""
    dice: tuple[int, ...]
    owners: tuple[str, ...]
    """Whose each die is: the thrower's, or one each when it is thrown for who begins."""
    thrown: int
    """The event that threw or recorded it."""
    seq: int
    """The event that made the dice count: the last opening, the recording, its confirmation."""
    voided: int | None = None
    """The event that voided it."""
    counted: bool = True
    """Whether the game ever went on with it: not if it was voided before it was confirmed."""


class Flight(Struct, frozen=True):
    """A roll that is thrown and that not every contributor has opened."""

    seat: str
    thrown: int
    nonces: Mapping[str, str]
    """What is open, by role."""


class Unconfirmed(Struct, frozen=True):
    """Dice on the table, or their voiding, that wait for a seat's confirmation."""

    event: int
    hash: str
    roll: Roll
    confirmer: str


class Unopened(Struct, frozen=True):
    """A roll that was thrown and given up before all had opened it."""

    number: int
    seat: str
    owed: tuple[str, ...]
    """The roles that had not opened, the next one first."""
    ended: int
    """The event that ended it."""


class Rolling(Struct, frozen=True):
    """What the match knows of dice. Nothing here is ever set back: numbers only grow."""

    number: int = 1
    """Of the roll in flight, or of the next."""
    commitments: Mapping[str, str] = {}
    """For roll ``number``, by role."""
    coming: Mapping[str, str] = {}
    """For the roll after it, from those who have opened."""
    flight: Flight | None = None
    recorded: Unconfirmed | None = None
    """Dice that a seat has not confirmed yet."""
    voiding: Unconfirmed | None = None
    """A voiding by one seat that the other has not confirmed yet."""
    rolls: tuple[Roll, ...] = ()
    unopened: tuple[Unopened, ...] = ()
    published: frozenset[str] = frozenset()
    """Every commitment and nonce of the match."""


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
    closed: Result | None = None
    result_event: str | None = None
    """Hash of the event that gave the standing result, once the match is closed."""
    countersigned: frozenset[str] = frozenset()

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
    def result(self) -> Result | None:
        return self.closed or self.moments[-1].result

    def other(self, seat: str) -> str:
        """The seat across the board."""
        first, second = self.game.seats
        return second if seat == first else first

    @property
    def unaccepted(self) -> tuple[str, ...]:
        """Seats that bring a key and have not accepted yet."""
        return tuple(
            seat
            for seat in self.game.seats
            if self.roster[seat].key is not None and seat not in self.accepted
        )

    @property
    def unsigned(self) -> tuple[str, ...]:
        """Seats that bring a key and have not countersigned the closed result."""
        return tuple(
            seat
            for seat in self.game.seats
            if self.roster[seat].key is not None and seat not in self.countersigned
        )

    @property
    def phase(self) -> Phase:
        if self.closed:
            return Phase.CLOSED
        if self.moments[-1].result:
            return Phase.ENDED
        if len(self.accepted) == len(self.game.seats):
            return Phase.IN_PLAY
        return Phase.BEFORE_ACCEPTANCE if self.unaccepted else Phase.IN_PLAY

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


def taken_back(moments: Sequence[Moment], ruling: int) -> tuple[int, ...]:
    """The acts that event ``ruling`` (or an agreed takeback) put off the line: down to where the
    old and the new meet. No longer than the way it goes back, however long the match is."""
    old, new = ruling - 1, moments[ruling].before
    found = []
    while old != new:
        if old < new:
            new = moments[new].before
            continue
        if moments[old].acted:
            found.append(old)
        old = moments[old].before
    return tuple(reversed(found))


def breaches(state: MatchState) -> Mapping[int, tuple[str, ...]]:
    """Duties left undone, or done wrongly, by the number of the act that they belong to.

    Only what stands is judged, and only once the other side has acted on it. Of a game that was
    read from a file nobody knows what was said at the table.
    """
    if state.opening.source is not None:
        return {}
    moments, found = state.moments, {}
    for seq in sorted(line(moments)):
        if not moments[seq].acted:
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
