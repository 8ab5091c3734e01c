"""A tournament in a moment: whole matches of every game, played by lot, the same for the same seed.

Signed events in the fold alone, without a ledger: a club of players with keys of their own, dice
made together, by the arbiter with them, or on the table. Every match ends: by the rules, or its
arbiter calls time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from hashlib import sha256
from random import Random
from typing import Any, Final

import table
from msgspec.structs import replace

from ledger import dice, envelope
from ledger.envelope import Envelope
from ledger.events import (
    EVENT_TYPES,
    Closing,
    Commitment,
    CommitReveal,
    Confirmation,
    Countersignature,
    GivenResult,
    Lying,
    MatchOpened,
    Nothing,
    Officer,
    Opened,
    Physical,
    Seat,
    Throw,
    Verdict,
    decode,
    encode,
)
from ledger.fold import Entry, advance, begin, cited
from ledger.fold.acts import data_of
from ledger.fold.due import Step, due, signing
from ledger.fold.rolls import seat_number
from ledger.keys import SigningKey

CLUB: Final = 24
"""Players of the club, beside its three arbiters."""
TABLES: Final[Sequence[tuple[str, Any]]] = (
    ("tablut", None),
    ("tabula", CommitReveal(contributors=("white", "black"))),
    ("tablero", CommitReveal(contributors=("south", "north"))),
    ("hnefatafl", None),
    ("tabula", Physical(confirm=True)),
    ("tablero", CommitReveal(contributors=("south", "north", "arbiter"))),
    ("tawlbwrdd", None),
    ("tabula", CommitReveal(contributors=("white", "black", "arbiter"))),
)
"""What is played where, and how the dice are made."""


@cache
def key(number: int) -> SigningKey:
    return SigningKey.from_seed(sha256(b"tournament %d" % number).digest())


@cache
def _secret(number: int) -> bytes:
    return key(number).dice_secret()


class Sitting:
    """One match while it is played. Every act is the next event, signed by whose it is."""

    def __init__(self, number: int, longest: int) -> None:
        self.lot = Random(number)
        self.longest = longest
        self.envelopes: list[Envelope] = []
        name, scheme = TABLES[number % len(TABLES)]
        found = table.opening(name, dice=scheme, nonce=f"{number:032x}")
        first, second, *_ = self.lot.sample(range(3, 3 + CLUB), 2)
        self.holders = dict(
            zip((*found.seats, "arbiter"), (first, second, number % 3), strict=True)
        )
        seats = {
            seat: Seat(name=f"Player {self.holders[seat]}", key=self.line(seat))
            for seat in found.seats
        }
        officer = Officer(name="Zoë", key=self.line("arbiter"))
        found = replace(found, seats=seats, arbiter=officer, table=str(number))
        event = MatchOpened(v=1, seq=0, by="arbiter", at=table.clock(), data=found)
        self.state = begin(self.sealed(event))

    def line(self, role: str) -> str:
        return key(self.holders[role]).public.line

    def sealed(self, event: Any) -> Entry:
        holder = key(self.holders[event.by])
        self.envelopes.append(envelope.seal(encode(event), holder.public, holder.sign))
        signed = self.envelopes[-1]
        return Entry(decode(signed.payload), signed.hash, signed.keyid)

    def write(self, kind: str, data: Any, by: str) -> None:
        state = self.state
        event = EVENT_TYPES[kind](
            v=1,
            seq=state.seq + 1,
            by=by,
            at=table.clock(),
            match=state.match,
            prev=state.head,
            data=data,
        )
        self.state = advance(state, self.sealed(event))

    # -- what a match waits for ----------------------------------------------------------------

    def step(self) -> bool:
        """One more event; false when there is nothing to do any more."""
        late = self.state.seq >= self.longest and self.state.rolling.flight is None
        if late and self.state.result is None:
            self.call_time()
            return True
        what = due(self.state)
        role = signing(self.state, what.whose[0]) if what.whose else ""
        match what.step:
            case Step.ACCEPT:
                self.write("seat.accepted", Nothing(), role)
            case Step.COMMIT:
                number = self.state.rolling.number
                bound = Commitment(roll=number, commitment=self.bound(role, number))
                self.write("dice.committed", bound, role)
            case Step.THROW:
                self.throw(role)
            case Step.OPEN:
                self.write("roll.opened", Opened(**self.shown(role)), role)
            case Step.CONFIRM:
                self.write("roll.confirmed", Confirmation(confirms=self.state.head), role)
            case Step.ACT:
                action = self.lot.choice(self.state.game.legal(self.state.position))
                self.write(action.kind, data_of(action), role)
            case Step.CLOSE:
                closing = Closing(result=self.state.result, ruling=cited(self.state))  # type: ignore[arg-type]
                self.write("match.closed", closing, role)
            case Step.COUNTERSIGN:
                said = Countersignature(result_event=self.state.result_event or "")
                self.write("countersigned", said, role)
            case _:
                return False
        return True

    def throw(self, role: str) -> None:
        if isinstance(self.state.opening.dice, Physical):
            wanted = self.state.game.wanted(self.state.position)
            assert wanted is not None
            fell = tuple(self.lot.choices(range(1, 7), k=wanted.count))
            self.write("roll.recorded", Lying(roll=self.state.rolling.number, dice=fell), role)
        else:
            self.write("roll", Throw(**self.shown(role)), role)

    def nonce(self, role: str, roll: int) -> bytes:
        secret = _secret(self.holders[role])
        return dice.nonce(secret, self.state.match, roll, seat_number(self.state, role))

    def bound(self, role: str, roll: int) -> str:
        number = seat_number(self.state, role)
        return dice.commitment(self.state.match, roll, number, self.nonce(role, roll))

    def shown(self, role: str) -> dict[str, Any]:
        roll = self.state.rolling.number
        return {
            "roll": roll,
            "nonce": self.nonce(role, roll).hex(),
            "next": self.bound(role, roll + 1),
        }

    def call_time(self) -> None:
        effects = (GivenResult(kind="draw"),)
        said = Verdict(reason="The hall closes.", rule="hall", effects=effects)
        self.write("ruling", said, "arbiter")


def played(number: int, longest: int = 400) -> list[Envelope]:
    """The signed events of match ``number``, up to its end or to the arbiter's calling time."""
    sitting = Sitting(number, longest)
    while sitting.step():
        pass
    return sitting.envelopes


def matches(many: int, longest: int = 400) -> Iterator[list[Envelope]]:
    return (played(number, longest) for number in range(many))
