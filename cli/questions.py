"""What the match waits for and could be done here: questions for the table, each with the commands
that an answer runs. Asking signs nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ledger.fold import MatchState


class Question(NamedTuple):
    """What the match waits for, and could be done here: ``y`` and ``n`` run commands. ``about``
    are lines to be read before."""

    text: str
    yes: tuple[str, ...]
    no: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    once: str = ""
    """What it is about, if a no holds longer than until the next event."""


def questions(state: MatchState, here: Mapping[str, str], ledger: str | None) -> Iterator[Question]:
    """The questions of the moment, the most pressing first. ``here``: the roles whose keys can
    sign on this device. Raises ``TabellionError`` when the ledger cannot be read."""
    yield from _parted(state, here, ledger)
    for asked in (_offer(state, here), _due(state, here)):
        if asked is not None:
            yield asked


def _parted(state: MatchState, here: Mapping[str, str], ledger: str | None) -> list[Question]:
    """After copies have parted: what can be signed anew here, and the arbiter's word."""
    from cli.copies import STANDS
    from cli.desk import service
    from cli.pending import lines_pending
    from ledger import views
    from ledger.exchange import awaits_word

    with service(ledger, write=False) as opened:
        lines = lines_pending(opened, state.match, here)
        parted = awaits_word(opened, state.match) if "arbiter" in here else []
    found = []
    events = [line.event for line in lines if line.key is not None and line.refusal is None]
    if events:
        asked = "Sign anew what was set aside?"
        about = tuple(f"set aside: {event.text}" for event in events)
        hashes = (event.hash for event in events)
        found.append(Question(asked, ("pending", "--sign", *hashes), about=about))
    if parted:
        asked = "Tell the other devices that this copy stands?"
        signs = [views.signed(state, each.envelope) for each in parted]
        beside = [f"beside it: event {each.seq}, {each.text}, by {each.name}" for each in signs]
        beside.append("If the other should stand: n, then import FILE --take-over.")
        once = " ".join(each.hash for each in signs)
        found.append(Question(asked, ("note", STANDS), about=tuple(beside), once=once))
    return found


def _offer(state: MatchState, here: Mapping[str, str]) -> Question | None:
    """An offer that somebody here can answer."""
    from cli.seats import scribe
    from ledger.views import offer_words

    for offer in state.offers:
        seat = state.other(offer.seat)
        if scribe(state, seat) in here:
            offered = offer_words(state, offer.seq, offer.terms)
            made = f"{state.roster[offer.seat].name} offers {offered}."
            text = f"{made} Does {state.roster[seat].name} agree?"
            return Question(text, ("agree", offer.hash), ("decline", offer.hash))
    return None


def _due(state: MatchState, here: Mapping[str, str]) -> Question | None:
    """The step that the match waits for, if it can be taken here."""
    from cli.seats import scribe
    from ledger.fold import Phase

    match state.phase:
        case Phase.BEFORE_ACCEPTANCE:
            names = [state.roster[seat].name for seat in state.unaccepted if seat in here]
            if names:
                asked = f"{_do(names)} accept this match?"
                return Question(asked, ("accept",), about=_terms(state))
        case Phase.IN_PLAY:
            owed = state.game.owed(state.position)
            seat = state.game.actor(state.position, owed.kind) if owed else None
            if owed and seat and scribe(state, seat) in here:
                name = state.roster[seat].name
                return Question(f"Does {name} {owed.kind} {owed.text}?", (owed.kind, owed.text))
        case Phase.ENDED if "arbiter" in here:
            return Question("Close the match with this result?", ("close",))
        case Phase.CLOSED:
            names = [state.roster[seat].name for seat in state.unsigned if seat in here]
            if names:
                return Question(f"{_do(names)} countersign the result?", ("countersign",))
        case _:
            pass
    return None


def _terms(state: MatchState) -> tuple[str, ...]:
    """What is accepted: the rules, the arbiter, whether moves may be taken back."""
    from cli.output import option_value
    from ledger.games import changed_options

    opening = state.opening
    rules = opening.ruleset
    changed = changed_options(state.game, rules.name, rules.options)
    how = ", ".join(f"{name}={option_value(value)}" for name, value in changed.items())
    key = state.roster["arbiter"].key
    return (
        f"rules: {rules.name}{f' with {how}' if how else ''}",
        f"arbiter: {key.fingerprint if key else ''}: {opening.arbiter.name}",
        f"takebacks by agreement: {'allowed' if opening.takebacks else 'not allowed'}",
    )


def _do(names: list[str]) -> str:
    return f"Do {' and '.join(names)}" if len(names) > 1 else f"Does {names[0]}"
