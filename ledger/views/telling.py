"""What there is to tell of a match, an event or a ruleset, from the fold alone."""

from __future__ import annotations

from collections.abc import Sequence

from ledger.errors import Refused
from ledger.events import type_of
from ledger.fold import Entry, MatchState, as_of, breaches, overruled
from ledger.fold.acts import Turn, action_of
from ledger.fold.due import due
from ledger.fold.parts import ARBITER
from ledger.fold.rolls import awaited, contributors
from ledger.games import changed_options, options_of
from ledger.games.protocol import (
    Action,
    Choices,
    Game,
    Option,
    OptionValue,
    Ruleset,
    Surface,
    Track,
)
from ledger.games.ways import listed
from ledger.views import officials
from ledger.views.eventwords import event_words
from ledger.views.legal import ActionView, MovesView, StepView, WaysView
from ledger.views.shapes import (
    BoardView,
    BreachView,
    DiceView,
    DueView,
    LogLine,
    LogView,
    OfferView,
    OptionView,
    RulesetView,
    SeatView,
    ShowView,
    TrackView,
    WrittenEvent,
    WrittenView,
)
from ledger.views.words import (
    dice_words,
    next_step,
    offer_words,
    standing,
    throw_wanted,
    void_asked,
)


def show(state: MatchState, seq: int | None = None) -> ShowView:
    """The match as it stands, or as the game stood after event ``seq``."""
    shown = state if seq is None else as_of(state, seq)
    return ShowView(
        match=state.match,
        seq=shown.seq,
        head=shown.head,
        phase=shown.phase.value,
        ruleset=state.opening.ruleset.name,
        changed_options=changed_options(
            state.game, state.opening.ruleset.name, state.opening.ruleset.options
        ),
        turn_cap=state.opening.turn_cap,
        about=about(state),
        arbiter=shown.roster[ARBITER].name,
        seats=seats(shown),
        position=state.game.position(shown.position),
        board=board(state.game.surface(shown.position)),
        dice=state.game.thrown(shown.position),
        last_action=last_action(shown),
        news=shown.game.news(shown.position),
        turn=shown.turn,
        result=shown.result,
        offers=offers(shown),
        remarks=remarks(shown),
        breaches=tuple(
            BreachView(seq, text) for seq, said in breaches(shown).items() for text in said
        ),
        dispute=officials.dispute(shown),
        appeals=officials.appeals(shown),
        penalties=officials.penalties(shown),
        results=officials.results(shown),
        rolling=rolling(shown),
        due=_due(shown),
        next=next_step(shown),
    )


def rolling(state: MatchState) -> DiceView | None:
    """How the dice are made, and how far the present roll has come; ``None`` without dice."""
    scheme, now = state.opening.dice, state.rolling
    if scheme is None:
        return None
    return DiceView(
        scheme=str(scheme.__struct_config__.tag),
        words=dice_words(state),
        contributors=contributors(state),
        roll=now.number,
        thrown_by=now.flight.seat if now.flight else None,
        opened=tuple(now.flight.nonces) if now.flight else (),
        awaited=awaited(state),
        unconfirmed=now.recorded.roll.dice if now.recorded else (),
    )


def _due(state: MatchState) -> DueView:
    found = due(state)
    return DueView(step=found.step.value, whose=found.whose)


def seats(state: MatchState) -> tuple[SeatView, ...]:
    return tuple(
        SeatView(
            seat=seat,
            name=state.roster[seat].name,
            keyid=_fingerprint(state, seat),
            accepted=seat in state.accepted,
            countersigned=seat in state.countersigned,
        )
        for seat in state.game.seats
    )


def _fingerprint(state: MatchState, role: str) -> str | None:
    key = state.roster[role].key
    return key.fingerprint if key else None


def board(surface: Surface | Track) -> BoardView | TrackView:
    if isinstance(surface, Track):
        return TrackView(
            points=surface.points,
            pools=dict(surface.pools),
            legend=dict(surface.legend),
            last=surface.last,
        )
    return BoardView(
        columns=surface.columns,
        rows=surface.rows,
        pieces=dict(surface.pieces),
        marks=dict(surface.marks),
        legend=dict(surface.legend),
        signs=dict(surface.signs),
        counts=dict(surface.counts),
        last=surface.last,
        joined=surface.joined,
        sides=surface.sides,
    )


def about(state: MatchState) -> dict[str, str]:
    opening = state.opening
    given = {
        "event": opening.event,
        "round": opening.round,
        "table": opening.table,
        "place": opening.place,
        "date": opening.date,
    }
    return {name: text for name, text in given.items() if text}


def last_action(state: MatchState) -> str | None:
    """The last act on the board that stands."""
    for seq in sorted(state.line(), reverse=True):
        event = state.entries[seq].event
        if isinstance(event, Turn):
            return action_of(event).typed
    return None


def offers(state: MatchState) -> tuple[OfferView, ...]:
    return tuple(
        OfferView(offer.hash, offer.seq, offer.seat, offer_words(state, offer.seq, offer.terms))
        for offer in state.offers
    )


def remarks(state: MatchState) -> tuple[str, ...]:
    """What people at the table should know now: of the game, and of offers that stand."""
    voiding = state.rolling.voiding
    asked = (void_asked(state, voiding),) if voiding else ()
    if state.turn is None:
        return asked
    offered = (standing(state, each) for each in state.offers)
    return (*state.game.remarks(state.position), *asked, *offered)


# -- events ------------------------------------------------------------------------------


def log(state: MatchState) -> LogView:
    struck, breached = state.superseded() | overruled(state).keys(), breaches(state)
    void = {seq for roll in state.rolling.rolls if roll.voided for seq in (roll.thrown, roll.seq)}
    return LogView(
        match=state.match,
        events=tuple(
            LogLine(
                seq=entry.event.seq,
                type=type_of(entry.event),
                by=entry.event.by,
                for_=entry.event.for_,
                at=entry.event.at,
                hash=entry.hash,
                keyid=entry.keyid,
                text=event_words(state, entry.event),
                breaches=breached.get(entry.event.seq, ()),
                superseded=entry.event.seq in struck,
                void=entry.event.seq in void,
            )
            for entry in state.entries
        ),
    )


def written(state: MatchState, since: int) -> WrittenView:
    """The events after number ``since``, which a command has just written."""
    return WrittenView(
        match=state.match,
        events=tuple(_written(state, entry) for entry in state.entries[since + 1 :]),
        phase=state.phase.value,
        turn=state.turn,
        offers=offers(state),
        remarks=remarks(state),
        next=next_step(state),
    )


def _written(state: MatchState, entry: Entry) -> WrittenEvent:
    return WrittenEvent(
        seq=entry.event.seq,
        type=type_of(entry.event),
        hash=entry.hash,
        text=event_words(state, entry.event),
    )


def moves(state: MatchState) -> MovesView:
    turn = state.turn
    legal: Sequence[Action] = state.game.legal(state.position) if turn else ()
    return MovesView(
        match=state.match,
        seq=state.seq,
        turn=turn,
        moves=tuple(action(state, each) for each in legal),
        ways=_ways(state, legal),
        throw=throw_wanted(state.game, state.position) if turn else "",
        beside=tuple(action(state, each) for each in state.game.beside(state.position))
        if turn
        else (),
        claim=_claimable(state) if turn else "",
        points=state.game.points(state.position),
    )


def _ways(state: MatchState, legal: Sequence[Action]) -> WaysView:
    found = state.game.ways(state.position, legal) if legal else listed(0, ())
    steps = tuple(StepView(step.source, step.target, step.dice, step.word) for step in found.steps)
    return WaysView(steps, found.start, found.after)


def _claimable(state: MatchState) -> str:
    try:
        return state.game.claim(state.position).text
    except Refused:
        return ""


def action(state: MatchState, made: Action) -> ActionView:
    """A legal action of the present state."""
    return ActionView(
        seat=state.game.actor(state.position, made.kind) or state.game.seats[0],
        kind=made.kind,
        text=made.text,
        typed=made.typed,
        dice=made.dice,
        paths=tuple(state.game.paths(state.position, made)),
    )


def choices(state: MatchState) -> Sequence[Choices]:
    """What may be done now, as people at the table look for it."""
    return state.game.choices(state.position) if state.turn else ()


# -- rules -------------------------------------------------------------------------------


def rules(game: Game, ruleset: Ruleset) -> RulesetView:
    values = options_of(game, ruleset)
    return RulesetView(
        name=ruleset.name,
        version=ruleset.version,
        title=ruleset.title,
        game=game.name,
        document=game.document,
        options=tuple(_option(option, values[option.name]) for option in game.options.values()),
    )


def _option(option: Option, value: OptionValue) -> OptionView:
    return OptionView(
        name=option.name,
        value=value,
        default=option.default,
        values=option.values,
        reason=option.reason,
    )
