"""A match with dice that its two players made, seeded: the same on every machine.

Keys, clock and the opening's random number come from words here, and so do the dice. In a real
match they come from the players' own keys, and nobody can repeat them. Whatever the opening says
is in the dice too: other options or another ruling document make another match.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cli.demos.stage import at, run, step
from cli.output import say

if TYPE_CHECKING:
    from ledger.events import Opening
    from ledger.fold import MatchState
    from ledger.games.protocol import Action, Game
    from ledger.keys import SigningKey
    from ledger.service import Draft, Service

KEYS: Final = "tabellion demo"
WHEN: Final = "2026-06-24T18:00:00Z"
PLAYERS: Final = ("Alba", "Bruno")
"""Who sits on the first seat, and who on the second."""
ARBITER: Final = "Zoë"


class Match:
    """A match in play, with the keys of everybody at the table at hand."""

    def __init__(self, service: Service, signers: dict[str, SigningKey], state: MatchState) -> None:
        self.state = state
        self._told = state.seq
        self._service = service
        self._signers = signers

    def write(self, *drafts: Draft) -> None:
        """Sign and store these events."""
        from ledger.service import planned

        self._told = self.state.seq
        plans = [planned(draft) for draft in drafts]
        self.state = self._service.append(self.state.match, plans, self._signers)

    def tell(self) -> None:
        """What was written last, event by event."""
        from ledger import views

        for event in views.written(self.state, self._told).events:
            say(f"event {event.seq}  {event.hash[:12]}  {event.text}", hang=4)

    def commit(self) -> None:
        """Both players commit to the first roll; to every other one as they open that before."""
        from cli.cup import Cup

        cup = Cup(self.state, self._signers, None)
        self.write(*(cup.commit(seat) for seat in self.state.game.seats))

    def roll(self) -> None:
        """A throw with its openings."""
        from cli.rolling import drafts, rolling_steps

        steps = rolling_steps(self.state, set(self._signers))
        self.write(*drafts(self.state, steps, self._signers, None))

    def act(self, action: Action) -> None:
        """An act of the player whose turn it is."""
        from ledger.fold.acts import data_of
        from ledger.service import Draft

        self.write(Draft(action.kind, data_of(action), self.state.turn or ""))


@contextmanager
def match(folder: Path, ruleset: str, seed: str) -> Iterator[Match]:
    """A match in ``folder`` from its keys to the audit of its record; what is done meanwhile plays
    it to its end. ``seed`` makes its dice."""
    from ledger.games import ruleset as named
    from ledger.service import Service

    keys, ledger = folder / "keys", folder / "ledger.db"
    with at(folder, TABELLION_LEDGER=str(ledger), TABELLION_KEYS=str(keys)):
        game, _ = named(ruleset)
        signers = _keys(keys, game)
        with Service.open(ledger, lambda: WHEN, create=True) as service:
            opened = service.open_match(_opening(ruleset, seed, signers), signers["arbiter"])
            played = Match(service, signers, opened)
            _begin(played)
            yield played
            _close(played)
        _audit()


def _keys(folder: Path, game: Game) -> dict[str, SigningKey]:
    from ledger.keys import Keyring, SigningKey

    first, second = (game.titles[seat] for seat in game.seats)
    alba, bruno = PLAYERS
    step(f"{alba} plays {first}, {bruno} {second}, {ARBITER} is the arbiter. Each has a key.")
    say("The keys here never change, so the dice fall the same every time. Yours do not.")
    ring, found = Keyring(folder), {}
    for role, name in zip(("arbiter", *game.seats), ("zoe", "alba", "bruno"), strict=True):
        secret = sha256(f"{KEYS} {name}".encode()).digest()
        found[role] = SigningKey.from_seed(secret)
        ring.create(name, None, secret)
        say(f"{role}: {found[role].public.fingerprint}")
    return found


def _opening(ruleset: str, seed: str, signers: dict[str, SigningKey]) -> Opening:
    from ledger import rulings
    from ledger.events import CommitReveal, Officer, Opening, RulesInForce, Seat
    from ledger.games import options_of
    from ledger.games import ruleset as named

    game, rules = named(ruleset)
    return Opening(
        ruleset=RulesInForce(
            game=game.name,
            name=rules.name,
            version=rules.version,
            options=options_of(game, rules),
            document=rulings.digest(game.document),
        ),
        seats={
            seat: Seat(name=name, key=signers[seat].public.line)
            for seat, name in zip(game.seats, PLAYERS, strict=True)
        },
        arbiter=Officer(name=ARBITER, key=signers["arbiter"].public.line),
        witnesses=(),
        dice=CommitReveal(contributors=game.seats),
        takebacks=True,
        settlements=True,
        sealed_move_unopened="loses",
        event="Demo",
        nonce=sha256(seed.encode()).hexdigest()[:32],
    )


def _begin(played: Match) -> None:
    from ledger.events import Nothing
    from ledger.service import Draft

    step("Both accept, and commit to the first roll: a hash of a secret number, not the number.")
    played.write(*(Draft("seat.accepted", Nothing(), seat) for seat in played.state.game.seats))
    played.tell()
    played.commit()
    played.tell()


def _close(played: Match) -> None:
    from ledger.events import Closing, Countersignature
    from ledger.service import Draft

    step("The arbiter closes the match, the players countersign.")
    if played.state.result is not None:
        played.write(Draft("match.closed", Closing(result=played.state.result), "arbiter"))
        played.tell()
    signature = Countersignature(result_event=played.state.head)
    played.write(*(Draft("countersigned", signature, seat) for seat in played.state.game.seats))
    played.tell()


def _audit() -> None:
    step("An auditor computes every roll again, and says whom to trust for the dice.")
    run("export", "--output", "match.json")
    run("audit", "match.json")
