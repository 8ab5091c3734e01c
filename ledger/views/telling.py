"""What there is to tell of a match, an event or a ruleset, from the fold alone."""

from __future__ import annotations

from collections.abc import Sequence

from ledger.events import (
    Countersigned,
    Event,
    MatchClosed,
    MatchOpened,
    Moved,
    Note,
    Resigned,
    Ruling,
    SeatAccepted,
    type_of,
)
from ledger.fold import Entry, MatchState, Phase, as_of, describe
from ledger.games import changed_options, options_of
from ledger.games.protocol import Action, Game, Option, OptionValue, Ruleset, Surface
from ledger.views.shapes import (
    ActionView,
    BoardView,
    LogLine,
    LogView,
    MovesView,
    OptionView,
    RulesetView,
    SeatView,
    ShowView,
    WrittenEvent,
    WrittenView,
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
        about=about(state),
        arbiter=state.opening.arbiter.name,
        seats=seats(shown),
        position=state.game.position(shown.position),
        board=board(state.game.surface(shown.position)),
        last_action=last_action(shown),
        turn=shown.turn,
        result=shown.result,
        remarks=tuple(state.game.remarks(shown.position)),
        next=next_step(shown),
    )


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


def board(surface: Surface) -> BoardView:
    return BoardView(
        columns=surface.columns,
        rows=surface.rows,
        pieces=dict(surface.pieces),
        marks=dict(surface.marks),
        legend=dict(surface.legend),
        counts=dict(surface.counts),
        last=surface.last,
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
        if isinstance(event, Moved):
            return event.data.move
    return None


def who(state: MatchState, seat: str) -> str:
    """A seat with its player: "Alba (the Swedes)"."""
    return f"{state.roster[seat].name} ({state.game.titles[seat]})"


def next_step(state: MatchState) -> str:
    """Who has to do what now."""
    match state.phase:
        case Phase.BEFORE_ACCEPTANCE:
            waiting = " and ".join(who(state, seat) for seat in state.unaccepted)
            return f"{waiting} must accept before play begins."
        case Phase.IN_PLAY:
            seat = state.turn
            if seat is None:
                return "Nobody has anything to do."
            scribe = "" if state.roster[seat].key else "; the arbiter writes it down"
            return f"{who(state, seat)} to move{scribe}."
        case Phase.ENDED:
            return f"{result_words(state)} The arbiter closes the match."
        case Phase.CLOSED:
            if state.unsigned:
                waiting = " and ".join(who(state, seat) for seat in state.unsigned)
                return f"{result_words(state)} Closed; {waiting} may countersign."
            return f"{result_words(state)} Closed."


def result_words(state: MatchState) -> str:
    """The standing result as a sentence, "" while there is none."""
    result = state.result
    if result is None:
        return ""
    outcome = state.game.outcome(state.position)
    if outcome and outcome.reason == result.how:
        return outcome.text
    if result.how == "resigned" and result.winner:
        first, second = state.game.seats
        loser = second if result.winner == first else first
        return f"{who(state, loser)} resigned: {state.game.titles[result.winner]} win."
    return f"Result: {describe(result)}."


# -- events ------------------------------------------------------------------------------


def log(state: MatchState) -> LogView:
    struck = state.superseded()
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
                superseded=entry.event.seq in struck,
            )
            for entry in state.entries
        ),
    )


def event_words(state: MatchState, event: Event) -> str:
    """What an event did, in a few words."""
    seat = event.for_ or event.by
    name = state.roster[seat].name
    match event:
        case MatchOpened():
            players = " – ".join(state.roster[each].name for each in state.game.seats)
            return f"{name} opens {event.data.ruleset.name}: {players}"
        case SeatAccepted():
            return f"{name} accepts"
        case Moved():
            return f"{name} moves {event.data.move}"
        case Resigned():
            return f"{name} resigns"
        case Ruling():
            back = ", ".join(f"back to event {effect.to}" for effect in event.data.effects)
            return f"ruling: {back}: {event.data.reason} [{event.data.rule}]"
        case MatchClosed():
            return f"closed: {describe(event.data.result)}"
        case Countersigned():
            return f"{name} countersigns"
        case Note():
            photo = f" (file SHA-256 {event.data.sha256})" if event.data.sha256 else ""
            return f"note by {name}: {event.data.text}{photo}"


def written(state: MatchState, since: int) -> WrittenView:
    """The events after number ``since``, which a command has just written."""
    return WrittenView(
        match=state.match,
        events=tuple(_written(state, entry) for entry in state.entries[since + 1 :]),
        phase=state.phase.value,
        turn=state.turn,
        remarks=tuple(state.game.remarks(state.position)),
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
        moves=tuple(ActionView(action.kind, action.text) for action in legal),
    )


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
