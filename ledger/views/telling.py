"""What there is to tell of a match, an event or a ruleset, from the fold alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from ledger.events import (
    Called,
    Countersigned,
    DrawClaimed,
    DrawOffer,
    Event,
    MatchClosed,
    MatchOpened,
    Moved,
    Note,
    OfferAccepted,
    OfferDeclined,
    OfferMade,
    Resigned,
    Ruling,
    SeatAccepted,
    TakebackOffer,
    type_of,
)
from ledger.fold import Entry, MatchState, Phase, StandingOffer, as_of, breaches, describe
from ledger.fold.state import line
from ledger.games import changed_options, options_of
from ledger.games.protocol import Action, Game, Option, OptionValue, Ruleset, Surface
from ledger.views.shapes import (
    ActionView,
    BoardView,
    BreachView,
    LogLine,
    LogView,
    MovesView,
    OfferView,
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
        offers=offers(shown),
        remarks=remarks(shown),
        breaches=tuple(
            BreachView(seq, text) for seq, said in breaches(shown).items() for text in said
        ),
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


def _last_act(state: MatchState) -> Event | None:
    """The last act that stands, on the board or by agreement."""
    acts = [seq for seq in state.line() if state.moments[seq].acted]
    return state.entries[max(acts)].event if acts else None


def offers(state: MatchState) -> tuple[OfferView, ...]:
    return tuple(
        OfferView(offer.hash, offer.seq, offer.seat, offer_words(state, offer.seq, offer.terms))
        for offer in state.offers
    )


def offer_words(state: MatchState, seq: int, terms: DrawOffer | TakebackOffer) -> str:
    """What event ``seq`` offers, after "offers"."""
    match terms:
        case DrawOffer():
            return "a draw"
        case TakebackOffer():
            moments = state.moments[:seq]
            acts = sorted(each for each in line(moments) if each > terms.to)
            events = [state.entries[each].event for each in acts if moments[each].acted]
            moves = [event.data.move for event in events if isinstance(event, Moved)]
            named = ", ".join(moves[:4]) + (" …" if len(moves) > 4 else "")
            first = min((event.seq for event in events), default=terms.to + 1)
            return f"to take back event {first} and what followed{f' ({named})' if named else ''}"
        case _ as never:
            assert_never(never)


def remarks(state: MatchState) -> tuple[str, ...]:
    """What people at the table should know now: of the game, and of offers that stand."""
    if state.turn is None:
        return ()
    return (*state.game.remarks(state.position), *(standing(state, each) for each in state.offers))


def standing(state: MatchState, offer: StandingOffer) -> str:
    """An offer that stands, and how to answer it."""
    other = state.other(offer.seat)
    digits = short_hash(state, offer.hash)
    offered = offer_words(state, offer.seq, offer.terms)
    return (
        f"{who(state, offer.seat)} offers {offered}. {state.roster[other].name}: "
        f"agree {digits} or decline {digits}."
    )


def short_hash(state: MatchState, digest: str) -> str:
    """The shortest beginning of an event's hash, of four digits at least, that no other event of
    the match has."""
    others = [entry.hash for entry in state.entries if entry.hash != digest]
    for digits in range(4, 64):
        if not any(other.startswith(digest[:digits]) for other in others):
            return digest[:digits]
    return digest


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
        loser = state.other(result.winner)
        return f"{who(state, loser)} resigned: {state.game.titles[result.winner]} win."
    last = _last_act(state)
    if isinstance(last, DrawClaimed):
        why = state.game.claim(state.position).text
        return f"{state.roster[last.for_ or last.by].name} claimed a draw. {why}"
    if isinstance(last, OfferAccepted):
        return "The players agreed to a draw."
    return f"Result: {describe(result)}."


# -- events ------------------------------------------------------------------------------


def log(state: MatchState) -> LogView:
    struck, breached = state.superseded(), breaches(state)
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
        case Called():
            return f"{name} calls {event.data.call}"
        case OfferMade():
            return f"{name} offers {offer_words(state, event.seq, event.data)}"
        case OfferAccepted():
            return f"{name} agrees: {_answered(state, event.data.offer)}"
        case OfferDeclined():
            return f"{name} declines: {_answered(state, event.data.offer)}"
        case DrawClaimed():
            return f"{name} claims a draw"
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


def _answered(state: MatchState, digest: str) -> str:
    """The offer that an answer names: "a draw, offered in event 7"."""
    for entry in state.entries:
        if entry.hash == digest and isinstance(entry.event, OfferMade):
            seq = entry.event.seq
            return f"{offer_words(state, seq, entry.event.data)}, offered in event {seq}"
    return "an offer"


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
