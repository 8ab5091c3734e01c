"""The rows of a score sheet, in the order of the events.

A row is a throw with what was played, or, where a move is one word and there are no dice, the plies
of both sides. What is neither an act nor dice stands in its place as a note, whatever types of
events there are. What was taken back or voided stays, marked.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from ledger.events import (
    Called,
    DiceCommitted,
    Event,
    RollConfirmed,
    Rolled,
    RollOpened,
    RollRecorded,
)
from ledger.fold import MatchState, breaches, overruled
from ledger.fold.acts import Act, action_of
from ledger.fold.parts import Roll
from ledger.games.protocol import Game, State
from ledger.views.eventwords import event_words

Struck: TypeAlias = Literal["", "taken back", "void"]
_Dice: TypeAlias = DiceCommitted | Rolled | RollOpened | RollRecorded | RollConfirmed
"""What goes into the row of a throw, and is no note of its own."""


class SheetAct(Struct, frozen=True):
    """What was done, as it is typed."""

    seq: int
    seat: str
    text: str
    struck: Struck
    remark: str
    """What came of it, or a duty left undone."""


class SheetRow(Struct, frozen=True, tag_field="kind", tag="row"):
    """A row of the sheet. Dice that are 0 are boxes to be filled in."""

    number: int
    """0 for throws that decide who begins."""
    seat: str
    """Who throws, or acts first; "" where that is open."""
    continued: bool = False
    """Whether it goes on with the row of this number, after a note."""
    dice: tuple[int, ...] = ()
    owners: tuple[str, ...] = ()
    """Whose each die is."""
    struck: Struck = ""
    """Of the dice, and so of all that was played with them."""
    remark: str = ""
    """What the dice brought about by themselves."""
    acts: tuple[SheetAct, ...] = ()

    @property
    def toss(self) -> bool:
        """Whether each throws one die for who begins."""
        return len(set(self.owners)) > 1


class SheetNote(Struct, frozen=True, tag_field="kind", tag="note"):
    """An event that is neither an act nor dice: a ruling, an offer, a signature …"""

    seq: int
    text: str
    struck: Struck


SheetLine: TypeAlias = SheetRow | SheetNote


class _Place(NamedTuple):
    """The row that the game has come to after an event, and whose it is."""

    number: int = 0
    seat: str = ""


def in_pairs(game: Game) -> bool:
    """Whether a row holds the plies of both sides."""
    return not game.dice and not game.steps


def order(game: Game, start: State) -> tuple[str, str]:
    """The seats as a sheet has them: in pairs the one that moves first comes first."""
    first, second = game.seats
    return (second, first) if in_pairs(game) and game.turn(start) == second else (first, second)


def rows(state: MatchState) -> tuple[SheetLine, ...]:
    """Every event of the match but its opening."""
    back, said = state.superseded() | overruled(state).keys(), breaches(state)
    waiting = state.rolling.recorded
    rolls = {roll.seq: roll for roll in state.rolling.rolls}
    if waiting is not None:
        rolls[waiting.roll.seq] = waiting.roll
    told = {seq for roll in rolls.values() for seq in (roll.thrown, roll.seq)}
    sides = order(state.game, state.moments[0].game)
    places = [_Place()]
    lines: list[SheetLine] = []
    for entry in state.entries[1:]:
        event = entry.event
        before = places[state.moments[event.seq].before]
        place = before
        struck: Struck = "taken back" if event.seq in back else ""
        if isinstance(event, Act):
            place = _place_of(state.game, sides, before, event)
            place = before if isinstance(event, Called) else place
            act = _act(state, event, struck, said.get(event.seq, ()))
            _put(lines, place, place.number == before.number, act)
        elif not (isinstance(event, _Dice) and _is_told(event, told)):
            lines.append(SheetNote(event.seq, event_words(state, event), struck))
        if event.seq in rolls:
            roll = rolls[event.seq]
            place = _thrown(before, roll)
            confirmed = waiting is None or roll is not waiting.roll
            lines.append(_row(state, roll, place, "void" if roll.voided else struck, confirmed))
        places.append(place)
    return tuple(lines)


def _is_told(event: Event, told: set[int]) -> bool:
    """Whether a row tells it, or it says nothing that people have on paper. A throw that nobody
    opened to its end is told by itself, and so is the word that dice are void."""
    return event.seq in told or isinstance(event, DiceCommitted | RollOpened)


def _place_of(game: Game, sides: tuple[str, str], before: _Place, event: Act) -> _Place:
    """The row of an act: the one before goes on as long as the same side acts, and where rows are
    pairs with the second side's answer."""
    seat = event.for_ or event.by
    answers = in_pairs(game) and (before.seat, seat) == sides
    same = seat == before.seat and not in_pairs(game)
    return _Place(before.number + (not answers and not same), seat)


def _thrown(before: _Place, roll: Roll) -> _Place:
    """The row of a throw. Throws for who begins have number 0."""
    if len(set(roll.owners)) > 1:
        return _Place(before.number)
    return _Place(before.number + 1, roll.seat)


def _put(lines: list[SheetLine], place: _Place, continued: bool, act: SheetAct) -> None:
    """Write an act into the row that is open, or into another one."""
    last = lines[-1] if lines else None
    if isinstance(last, SheetRow) and last.number == place.number > 0:
        lines[-1] = replace(last, acts=(*last.acts, act))
    else:
        lines.append(SheetRow(place.number, act.seat, continued, acts=(act,)))


def _act(state: MatchState, event: Act, struck: Struck, said: tuple[str, ...]) -> SheetAct:
    news = state.game.news(state.moments[event.seq].game)
    return SheetAct(
        seq=event.seq,
        seat=event.for_ or event.by,
        text=action_of(event).typed,
        struck=struck,
        remark="; ".join(filter(None, (news, *said))),
    )


def _row(state: MatchState, roll: Roll, place: _Place, struck: Struck, confirmed: bool) -> SheetRow:
    """The row that a throw begins."""
    news = state.game.news(state.moments[roll.seq].game) if roll.counted and confirmed else ""
    return SheetRow(
        number=place.number,
        seat=place.seat,
        dice=roll.dice,
        owners=roll.owners,
        struck=struck,
        remark=news if confirmed else "not confirmed",
    )
