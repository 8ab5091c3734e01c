"""A match at the table: each method writes one event, or raises what the fold says to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal

import pytest
from msgspec.structs import replace
from table import ARBITER, KEYS, SHORT_GAME, STRANGER, clock, opening

from ledger import dice, record, rulings, sealing
from ledger import envelope as envelopes
from ledger.audit import Report, Trust, audit
from ledger.envelope import Envelope
from ledger.errors import Refused
from ledger.events import (
    EVENT_TYPES,
    Adjournment,
    Answer,
    Call,
    Closing,
    Commitment,
    Complaint,
    Confirmation,
    Countersignature,
    Decision,
    DrawOffer,
    Evidence,
    Lying,
    MatchOpened,
    Nothing,
    Objection,
    Officer,
    Opened,
    Opening,
    Play,
    Remark,
    Replacement,
    Result,
    Resumption,
    Rewind,
    SettlementOffer,
    Settling,
    Succession,
    TakebackOffer,
    Throw,
    Unsealed,
    Unwilling,
    Verdict,
    Voiding,
    decode,
    encode,
)
from ledger.fold import Entry, advance, begin, cited
from ledger.fold.acts import data_of
from ledger.fold.due import signing
from ledger.fold.rolls import awaited, contributors, uncommitted
from ledger.games.protocol import Action
from ledger.keys import SigningKey

ANA = SigningKey.from_seed(bytes([6]) * 32)
SPARE_KEYS = tuple(SigningKey.from_seed(bytes([number]) * 32) for number in range(20, 30))
"""Keys that nobody has at the opening."""
ALL_KEYS = KEYS | {"appeal": ANA, "stranger": STRANGER}
SWEDES_WIN = Result(kind="win", how="goal", winner="swedes")


def signed(event: Any, key: SigningKey) -> Entry:
    envelope = envelopes.seal(encode(event), key.public, key.sign)
    return Entry(decode(envelope.payload), envelope.hash, envelope.keyid)


def opened(opening: Opening, key: SigningKey = ARBITER, **changes: Any) -> Entry:
    fields: dict[str, Any] = {"v": 1, "seq": 0, "by": "arbiter", "at": clock(), "data": opening}
    return signed(MatchOpened(**(fields | changes)), key)


@contextmanager
def refused(code: str, words: str = "") -> Iterator[None]:
    with pytest.raises(Refused) as caught:
        yield
    assert caught.value.code == code, caught.value
    assert words in caught.value.message


class Match:
    """A match at the table. Each method writes one event, or raises what the fold says to it."""

    def __init__(
        self, keyed: Sequence[str] | None = None, *, play: bool = True, **options: Any
    ) -> None:
        found = opening(options.pop("ruleset", "tablut"), keyed=keyed, witness=True, **options)
        keyed = [seat for seat, held in found.seats.items() if held.key]
        self.keys = dict(ALL_KEYS)
        """Who signs for a role now."""
        self.state = begin(opened(replace(found, appeal=Officer(name="Ana", key=ANA.public.line))))
        if play:
            for seat in keyed:
                self.write("seat.accepted", Nothing(), seat)

    def next(self, kind: str, data: Any, by: str, for_: str | None = None, **changes: Any) -> Entry:
        """The next event, signed by whoever ``by`` is, unless ``key`` says otherwise."""
        key = changes.pop("key", None) or self.keys[by]
        fields = {
            "v": 1,
            "seq": self.state.seq + 1,
            "by": by,
            "for_": for_,
            "at": clock(),
            "match": self.state.match,
            "prev": self.state.head,
            "data": data,
        }
        return signed(EVENT_TYPES[kind](**(fields | changes)), key)

    def write(self, kind: str, data: Any, by: str, for_: str | None = None, **changes: Any) -> int:
        """Add an event; gives its number."""
        self.state = advance(self.state, self.next(kind, data, by, for_, **changes))
        return self.state.seq

    def accept(self, seat: str) -> int:
        return self.write("seat.accepted", Nothing(), seat)

    def move(self, text: str, by: str, for_: str | None = None) -> int:
        return self.write("move", Play(move=text), by, for_)

    def play(self, *texts: str) -> int:
        """Moves of the seats in turn, by their own keys."""
        for text in texts:
            assert self.state.turn
            self.move(text, self.state.turn)
        return self.state.seq

    def act(self, kind: str, text: str = "") -> int:
        """An act of any kind, of the seat that it belongs to: by its own key or by the arbiter."""
        game, position = self.state.game, self.state.position
        seat = (game.actor(position, kind) if self.state.turn else None) or game.seats[0]
        by = signing(self.state, seat)
        action = Action(kind, text or kind)
        return self.write(kind, data_of(action), by, None if by == seat else seat)

    def call(self, word: str, by: str = "swedes") -> int:
        return self.write("call", Call(call=word), by)

    def offer_draw(self, by: str) -> str:
        """Gives the hash that answers it."""
        self.write("offer.made", DrawOffer(), by)
        return self.state.head

    def offer_takeback(self, by: str, to: int) -> str:
        self.write("offer.made", TakebackOffer(to=to), by)
        return self.state.head

    def offer_settlement(self, by: str, first: int, second: int) -> str:
        """So much for the first seat, so much for the second."""
        self.write("offer.made", SettlementOffer(split=(first, second)), by)
        return self.state.head

    def agree(self, by: str, offer: str) -> int:
        return self.write("offer.accepted", Answer(offer=offer), by)

    def decline(self, by: str, offer: str) -> int:
        return self.write("offer.declined", Answer(offer=offer), by)

    def claim(self, by: str) -> int:
        return self.write("draw.claimed", Nothing(), by)

    def resign(self, seat: str) -> int:
        return self.write("resigned", Nothing(), seat)

    def rewind(
        self, to: int, by: str = "arbiter", dice: Literal["keep", "rethrow"] | None = None
    ) -> int:
        return self.write("ruling", verdict(Rewind(to=to, dice=dice)), by)

    # -- dice --------------------------------------------------------------------------------

    def nonce(self, role: str, roll: int | None = None) -> str:
        """What ``role`` commits to for a roll: the one in flight, or the next."""
        number = self.state.rolling.number if roll is None else roll
        secret = self.keys[role].dice_secret()
        return dice.nonce(secret, self.state.match, number, self._number(role)).hex()

    def commitment(self, role: str, roll: int | None = None) -> str:
        number = self.state.rolling.number if roll is None else roll
        nonce = bytes.fromhex(self.nonce(role, number))
        return dice.commitment(self.state.match, number, self._number(role), nonce)

    def _number(self, role: str) -> int:
        return (*self.state.game.seats, "arbiter").index(role)

    def commit(self, role: str, **changes: Any) -> int:
        roll = self.state.rolling.number
        fields = {"roll": roll, "commitment": self.commitment(role)} | changes
        return self.write("dice.committed", Commitment(**fields), role)

    def throw(self, by: str, for_: str | None = None, **changes: Any) -> int:
        """``by`` opens with the throw if it contributes and throws for itself."""
        roll = self.state.rolling.number
        fields: dict[str, Any] = {"roll": roll}
        if for_ is None and by in contributors(self.state):
            fields |= {"nonce": self.nonce(by), "next": self.commitment(by, roll + 1)}
        return self.write("roll", Throw(**(fields | changes)), by, for_)

    def open(self, by: str, **changes: Any) -> int:
        roll = self.state.rolling.number
        fields = {
            "roll": roll,
            "nonce": self.nonce(by),
            "next": self.commitment(by, roll + 1),
        }
        return self.write("roll.opened", Opened(**(fields | changes)), by)

    def roll(self) -> tuple[int, ...]:
        """A whole roll: commitments that are missing, the throw, all openings. Gives the dice."""
        for role in uncommitted(self.state):
            self.commit(role)
        wanted = self.state.game.wanted(self.state.position)
        assert wanted is not None
        by = signing(self.state, wanted.seat)
        self.throw(by, None if by == wanted.seat else wanted.seat)
        for role in awaited(self.state):
            self.open(role)
        return self.state.rolling.rolls[-1].dice

    def record(self, *faces: int, by: str = "arbiter", for_: str | None = None, **data: Any) -> int:
        fields = {"roll": self.state.rolling.number, "dice": faces} | data
        return self.write("roll.recorded", Lying(**fields), by, for_)

    def confirm(self, by: str, for_: str | None = None, what: str | None = None) -> int:
        """Confirm event ``what``, by its hash; the last one if not said."""
        return self.write(
            "roll.confirmed", Confirmation(confirms=what or self.state.head), by, for_
        )

    def void(self, by: str = "arbiter", roll: int | None = None) -> int:
        number = self.state.rolling.number - 1 if roll is None else roll
        return self.write("roll.voided", Voiding(roll=number, reason="a die was cocked"), by)

    def play_any(self, better: Callable[[str], int] = len) -> str:
        """The legal act of the seat on turn that is ``better`` than the others (the longest text),
        by its own key or written by the arbiter."""
        legal = self.state.game.legal(self.state.position)
        action = max(legal, key=lambda action: better(action.text))
        seat = self.state.turn or ""
        by = signing(self.state, seat)
        self.write(action.kind, data_of(action), by, None if by == seat else seat)
        return action.text

    # -- officials ---------------------------------------------------------------------------

    def dispute(self, event: int | None = None, by: str | None = None) -> str:
        """About an event (the last one), by a seat (the first). Gives the hash that names it."""
        about = self.state.seq if event is None else event
        self.write(
            "dispute.raised",
            Complaint(event=about, text="That is not what was played."),
            by or self.state.game.seats[0],
        )
        return self.state.head

    def state_words(self, by: str, about: str, for_: str | None = None) -> int:
        return self.write("statement", Evidence(about=about, text="I saw it."), by, for_)

    def settle(self, by: str, dispute: str) -> int:
        return self.write("dispute.settled", Settling(dispute=dispute), by)

    def rule(self, *effects: Any, by: str = "arbiter") -> int:
        return self.write("ruling", verdict(*effects), by)

    def appeal(self, by: str, against: str | None = None) -> str:
        """Against the event with this hash (the last one). Gives the hash that names the appeal."""
        found = Objection(against=against or self.state.head, text="The rule says otherwise.")
        self.write("appeal", found, by)
        return self.state.head

    def decide(self, appeal: str, *effects: Any, by: str = "appeal") -> int:
        decision = Decision(appeal=appeal, reason="Read anew.", rule="record", effects=effects)
        return self.write("appeal.decided", decision, by)

    def replace_key(
        self, role: str, key: SigningKey | None, name: str | None = None, **changes: Any
    ) -> int:
        """Another key for ``role``, or none; from here on the match signs for it with that key."""
        fields = {
            "role": role,
            "name": name or self.state.roster[role].name,
            "key": key.public.line if key else None,
            "reason": "The phone is lost.",
        }
        seq = self.write("key.replaced", Replacement(**(fields | changes)), "arbiter")
        if key:
            self.keys[role] = key
        return seq

    def replace_arbiter(self, key: SigningKey, by: str = "arbiter", name: str = "Yara") -> int:
        given = Succession(name=name, key=key.public.line, reason="Zoë has to leave.")
        seq = self.write("arbiter.replaced", given, by)
        self.keys["arbiter"] = key
        return seq

    def adjourn(self, until: str | None = None) -> int:
        return self.write("adjourned", Adjournment(until=until), "arbiter")

    def seal(self, by: str, text: str, for_: str | None = None) -> Unsealed:
        """Seal a move; gives what opens it."""
        nonce = bytes(range(32))
        number = self.state.game.seats.index(for_ or by)
        bound = sealing.seal(self.state.match, self.state.seq + 1, number, nonce, text)
        self.write("adjourned", Adjournment(sealed=bound), by, for_)
        return Unsealed(move=text, nonce=nonce.hex())

    def resume(
        self, by: str = "arbiter", opened: Unsealed | None = None, for_: str | None = None
    ) -> int:
        return self.write("resumed", Resumption(opened=opened), by, for_)

    def refuse_to_sign(self, seat: str, by: str = "arbiter", what: str | None = None) -> int:
        signed = what or self.state.result_event or "0" * 64
        found = Unwilling(result_event=signed, seat=seat, reason="He left in anger.")
        return self.write("signature.refused", found, by)

    def note(self, by: str = "arbiter") -> int:
        return self.write("note", Remark(text="Tea is served."), by)

    def close(self, result: Result | None = None, by: str = "arbiter") -> int:
        closing = Closing(
            result=result or self.state.result or SWEDES_WIN, ruling=cited(self.state)
        )
        return self.write("match.closed", closing, by)

    def countersign(self, by: str, what: str | None = None, absent: str | None = None) -> int:
        signed = what or self.state.result_event or "0" * 64
        return self.write("countersigned", Countersignature(result_event=signed, absent=absent), by)

    def audited(self) -> Report:
        """What an audit says of the match as a record."""
        found = record.read(record.write(map(sealed, self.state.entries)))
        return audit(found.pieces, found.frame, Trust(documents=rulings.digests()))

    @property
    def position(self) -> str:
        return self.state.game.position(self.state.position)

    def after(self, seq: int) -> str:
        return self.state.game.position(self.state.moments[seq].game)


_BY_FINGERPRINT = {key.public.fingerprint: key for key in (*ALL_KEYS.values(), *SPARE_KEYS)}


def sealed(entry: Entry) -> Envelope:
    """An event as it stands in a record, signed by the key that signed it."""
    key = _BY_FINGERPRINT[entry.keyid]
    return envelopes.seal(encode(entry.event), key.public, key.sign)


def verdict(*effects: Any) -> Verdict:
    return Verdict(reason="A piece was moved by mistake.", rule="record", effects=effects)


def finished() -> Match:
    match = Match()
    assert match.play(*SHORT_GAME) == 11
    return match
