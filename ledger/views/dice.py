"""The dice of matches, counted: what ``stats`` tells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec import Struct

from ledger.events import Physical
from ledger.fold import MatchState
from ledger.fold.parts import Roll
from ledger.statistics import DiceStatistics, Thrown, by_owner, judge


class PlayerDice(Struct, frozen=True):
    """What one player threw."""

    name: str
    dice: DiceStatistics


class StatsView(Struct, frozen=True):
    """``matches`` are those with dice. ``players`` are judged together with the whole."""

    matches: tuple[str, ...]
    player: str | None
    """The one player that was asked for; ``all`` is then theirs alone."""
    all: DiceStatistics
    players: tuple[PlayerDice, ...]


def stats(states: Iterable[MatchState], player: str | None = None) -> StatsView:
    """The rolls of these matches, by player. Computed rolls that were taken back count: they fell.
    Of dice on the table nobody knows whether they did, or were mistyped."""
    played = [state for state in states if state.opening.dice is not None]
    if player is not None:
        played = [state for state in played if player in players([state])]
    throws = [throw for state in played for throw in _thrown(state)]
    voided = _voided(played)
    owned = by_owner(throws)
    together = 1 + len(owned)  # whoever asks for one player after the other looks at all of them
    if player is not None:
        throws, owned = owned.get(player, []), {}
        voided = {name: times for name, times in voided.items() if name == player}
    return StatsView(
        matches=tuple(state.match for state in played),
        player=player,
        all=judge(throws, voided=voided, together=together),
        players=tuple(
            PlayerDice(name, judge(theirs, together=together)) for name, theirs in owned.items()
        ),
    )


def players(states: Iterable[MatchState]) -> list[str]:
    """Everybody who threw dice."""
    return list(by_owner(throw for state in states for throw in _thrown(state)))


def _thrown(state: MatchState) -> list[Thrown]:
    return [
        Thrown(roll.dice, tuple(state.holder(seat, roll.seq).name for seat in roll.owners))
        for roll in _counted(state)
    ]


def _counted(state: MatchState) -> list[Roll]:
    rolls = [roll for roll in _fell(state) if roll.voided is None]
    if not isinstance(state.opening.dice, Physical):
        return rolls
    back = state.superseded()
    return [roll for roll in rolls if roll.seq not in back]


def _fell(state: MatchState) -> list[Roll]:
    """All rolls but those of which a ruling said how they count."""
    return [roll for roll in state.rolling.rolls if not roll.awarded]


def _voided(states: Sequence[MatchState]) -> dict[str, int]:
    counts: Counter[str] = Counter()
    for state in states:
        counted = _counted(state)
        counts.update(
            state.holder(roll.seat, roll.seq).name for roll in _fell(state) if roll not in counted
        )
    return dict(counts)
