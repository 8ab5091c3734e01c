"""A whole Tabula match with dice that its two players made, seeded: the same on every machine.

Keys, clock and the opening's random number come from a seed here, and so do the dice. In a real
match they come from the players' own keys, and nobody can repeat them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cli.demos.stage import at, run, step
from cli.output import say

if TYPE_CHECKING:
    from ledger.events import Opening
    from ledger.fold import MatchState
    from ledger.games.protocol import Action
    from ledger.keys import SigningKey
    from ledger.service import Plan, Service

SEED: Final = "tabellion demo"
WHEN: Final = "2026-06-24T18:00:00Z"
TOLD: Final = 3
"""Turns that are told event by event."""


def play(folder: Path) -> None:
    from ledger.service import Service

    keys, ledger = folder / "keys", folder / "ledger.db"
    with at(folder, TABELLION_LEDGER=str(ledger), TABELLION_KEYS=str(keys)):
        signers = _keys(keys)
        with Service.open(ledger, lambda: WHEN, create=True) as service:
            state = _begin(service, signers)
            state = _told(service, state, signers)
            state = _the_rest(service, state, signers)
            _close(service, state, signers)
        _end()


def _keys(folder: Path) -> dict[str, SigningKey]:
    from ledger.keys import Keyring, SigningKey

    step("Alba plays White, Bruno Black, Zoë is the arbiter. Each has a key.")
    say("The keys of this demo never change, so its dice are the same every time. Yours are not.")
    ring, found = Keyring(folder), {}
    for role, name in (("arbiter", "zoe"), ("white", "alba"), ("black", "bruno")):
        seed = sha256(f"{SEED} {name}".encode()).digest()
        found[role] = SigningKey.from_seed(seed)
        ring.create(name, None, seed)
        say(f"{role}: {found[role].public.fingerprint}")
    return found


def _opening(signers: dict[str, SigningKey]) -> Opening:
    from ledger import rulings
    from ledger.events import CommitReveal, Officer, Opening, RulesInForce, Seat
    from ledger.games import options_of, ruleset

    game, rules = ruleset("tabula")
    return Opening(
        ruleset=RulesInForce(
            game=game.name,
            name=rules.name,
            version=rules.version,
            options=options_of(game, rules),
            document=rulings.digest(game.document),
        ),
        seats={
            "white": Seat(name="Alba", key=signers["white"].public.line),
            "black": Seat(name="Bruno", key=signers["black"].public.line),
        },
        arbiter=Officer(name="Zoë", key=signers["arbiter"].public.line),
        witnesses=(),
        dice=CommitReveal(contributors=("white", "black")),
        takebacks=True,
        settlements=True,
        sealed_move_unopened="loses",
        event="Demo",
        nonce=sha256(SEED.encode()).hexdigest()[:32],
    )


def _begin(service: Service, signers: dict[str, SigningKey]) -> MatchState:
    from cli.cup import Cup
    from ledger.events import Nothing
    from ledger.service import Draft, planned

    step("Both accept, and commit to the first roll: a hash of a secret number, not the number.")
    state = service.open_match(_opening(signers), signers["arbiter"])
    seats = state.game.seats
    accepted = [planned(Draft("seat.accepted", Nothing(), seat)) for seat in seats]
    state = _write(service, state, accepted, signers)
    cup = Cup(state, signers, None)
    return _write(service, state, [planned(cup.commit(seat)) for seat in seats], signers)


def _told(service: Service, state: MatchState, signers: dict[str, SigningKey]) -> MatchState:
    step("The thrower opens the number, then the other. Only now do the dice exist.")
    while state.game.thrown(state.position) or len(state.rolling.rolls) < TOLD:
        state = _turn(service, state, signers, tell=True)
    return state


def _the_rest(service: Service, state: MatchState, signers: dict[str, SigningKey]) -> MatchState:
    from cli.board import show_board
    from ledger import views

    step("And so on. Every line is three signed events: a throw, an opening, a move.")
    number = sum(len(roll.dice) == 3 for roll in state.rolling.rolls)
    while state.result is None:
        seat = state.turn
        state = _turn(service, state, signers)
        if state.game.thrown(state.position):
            continue
        number += 1
        dice = views.faces(state.rolling.rolls[-1].dice)
        say(f"{number:>3}. {state.roster[seat or ''].name:<5} {dice}: {_last(state)}")
    show_board(views.board(state.game.surface(state.position)))
    say(views.next_step(state))
    return state


def _turn(
    service: Service, state: MatchState, signers: dict[str, SigningKey], *, tell: bool = False
) -> MatchState:
    """A throw with its openings, or the move that is made with it."""
    from cli.rolling import drafts, rolling_steps
    from ledger.fold.acts import data_of
    from ledger.service import Draft, planned

    seat = state.turn or ""
    if state.game.wanted(state.position) is not None:
        steps = rolling_steps(state, set(signers))
        plans = [planned(draft) for draft in drafts(state, steps, signers, None)]
    else:
        action = _choice(state)
        plans = [planned(Draft(action.kind, data_of(action), seat))]
    return _write(service, state, plans, signers, tell=tell)


def _choice(state: MatchState) -> Action:
    """The play with the fewest blots of one's own, and of those the first by name."""
    from ledger.games.protocol import Track

    game, seat = state.game, state.turn
    first = seat == game.seats[0]

    def blots(action: Action) -> int:
        surface = game.surface(game.apply(state.position, action))
        points = surface.points if isinstance(surface, Track) else ()
        return sum(each.count == 1 and each.piece.isupper() is first for each in points)

    return min(game.legal(state.position), key=lambda action: (blots(action), action.text))


def _write(
    service: Service,
    state: MatchState,
    plans: Sequence[Plan],
    signers: dict[str, SigningKey],
    *,
    tell: bool = True,
) -> MatchState:
    after = service.append(state.match, plans, signers)
    for line in _lines(after, state.seq) if tell else ():
        say(line, hang=4)
    return after


def _lines(state: MatchState, since: int) -> Iterator[str]:
    from ledger import views

    for event in views.written(state, since).events:
        yield f"event {event.seq}  {event.hash[:12]}  {event.text}"


def _last(state: MatchState) -> str:
    from ledger import views

    return views.last_action(state) or ""


def _close(service: Service, state: MatchState, signers: dict[str, SigningKey]) -> None:
    from ledger.events import Closing, Countersignature
    from ledger.service import Draft, planned

    step("The arbiter closes the match, the players countersign.")
    if state.result is not None:
        closing = Draft("match.closed", Closing(result=state.result), "arbiter")
        state = _write(service, state, [planned(closing)], signers)
    signature = Countersignature(result_event=state.head)
    signed = [Draft("countersigned", signature, seat) for seat in state.game.seats]
    _write(service, state, [planned(draft) for draft in signed], signers)


def _end() -> None:
    step("How the dice fell.")
    run("stats")
    step("An auditor computes every roll again, and says whom to trust for the dice.")
    run("export", "--output", "match.json")
    run("audit", "match.json")
