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
    for asked in (_settling(state, here), _offer(state, here), _due(state, here)):
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


def _settling(state: MatchState, here: Mapping[str, str]) -> Question | None:
    """A dispute that one player would settle, and the other could here."""
    dispute = state.dispute
    for seat in dispute.settled if dispute is not None else ():
        other = state.other(seat)
        if other in here:
            said, name = state.roster[seat].name, state.roster[other].name
            text = f"{said} would settle the dispute. Does {name} agree?"
            return Question(text, ("settle", "--seat", other))
    return None


def _offer(state: MatchState, here: Mapping[str, str]) -> Question | None:
    """An offer that somebody here can answer."""
    from ledger.fold.due import signing
    from ledger.views import offer_words

    for offer in state.offers:
        seat = state.other(offer.seat)
        if signing(state, seat) in here:
            offered = offer_words(state, offer.seq, offer.terms)
            made = f"{state.roster[offer.seat].name} offers {offered}."
            text = f"{made} Does {state.roster[seat].name} agree?"
            return Question(text, ("agree", offer.hash), ("decline", offer.hash))
    return None


def _due(state: MatchState, here: Mapping[str, str]) -> Question | None:
    """The step that the match waits for, if it can be taken here."""
    from ledger.fold.due import Step, due, signing
    from ledger.fold.rolls import contributors
    from ledger.views import faces, must_pass

    awaited = due(state)
    names = [state.roster[each].name for each in awaited.whose if signing(state, each) in here]
    number = state.rolling.number
    voiding = state.rolling.voiding
    if voiding is not None and signing(state, voiding.confirmer) in here:
        name, lie = state.roster[voiding.confirmer].name, faces(voiding.roll.dice)
        return Question(f"Does {name} agree that {lie} is void?", ("confirm", "--what", "void"))
    if awaited.step is Step.ACT and names and must_pass(state):
        return Question(f"{_do(names)} pass?", ("pass",))
    if awaited.step is Step.ACT:
        return _called_for(state, here)
    if not names:
        return None
    match awaited.step:
        case Step.ACCEPT:
            return Question(f"{_do(names)} accept this match?", ("accept",), about=_terms(state))
        case Step.COMMIT:
            return Question(f"{_do(names)} commit to roll {number}?", ("roll",))
        case Step.THROW if contributors(state):  # dice on the table are typed
            return Question(f"{_do(names)} throw the dice?", ("roll",))
        case Step.OPEN:
            return Question(f"{_do(names)} open roll {number}?", ("roll",))
        case Step.CONFIRM if state.rolling.recorded is not None:
            lie = faces(state.rolling.recorded.roll.dice)
            return Question(f"{_do(names)} confirm the dice {lie}?", ("confirm", "--what", "dice"))
        case Step.RESUME if state.sealed is None:
            return Question("Is the game resumed?", ("resume",))
        case Step.CLOSE:
            return Question("Close the match with this result?", ("close",))
        case Step.COUNTERSIGN:
            return Question(f"{_do(names)} countersign the result?", ("countersign",))
        case _:
            return None


def _called_for(state: MatchState, here: Mapping[str, str]) -> Question | None:
    """A call that is due beside the turn."""
    from ledger.fold.due import signing

    owed = state.game.owed(state.position)
    seat = state.game.actor(state.position, owed.kind) if owed else None
    if owed and seat and signing(state, seat) in here:
        name = state.roster[seat].name
        return Question(f"Does {name} {owed.kind} {owed.text}?", (owed.kind, owed.text))
    return None


def _terms(state: MatchState) -> tuple[str, ...]:
    """What is accepted: the rules, the arbiter, when it ends, whether moves may be taken back."""
    from ledger import views

    opening = state.opening
    arbiter = state.roster["arbiter"]
    return (
        f"rules: {views.rules_words(state)}",
        f"arbiter: {arbiter.key.fingerprint if arbiter.key else ''}: {arbiter.name}",
        *((f"dice: {views.dice_words(state)}",) if opening.dice else ()),
        *((f"over after {opening.turn_cap} turns",) if opening.turn_cap else ()),
        f"takebacks by agreement: {'allowed' if opening.takebacks else 'not allowed'}",
    )


def _do(names: list[str]) -> str:
    return f"Do {' and '.join(names)}" if len(names) > 1 else f"Does {names[0]}"
