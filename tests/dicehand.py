"""What people do at a table with dice: what the match waits for, and fouls, each by its name."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, TypeAlias

from dicesheet import Sheet
from msgspec.structs import replace
from scoresheet import Act
from tabulabyhand import NUMBERS, SEATS, across, bound, nonce

from ledger.events import (
    Answer,
    Call,
    Closing,
    Commitment,
    Confirmation,
    Countersignature,
    DrawOffer,
    Lying,
    Nothing,
    Opened,
    Play,
    Remark,
    Result,
    Rewind,
    SettlementOffer,
    TakebackOffer,
    Taking,
    Throw,
    Verdict,
    Voiding,
)

FOREIGN = "0" * 64
"""The hash of nothing."""


class Hand:
    """Somebody at the table who knows all numbers and signs or has written whatever is drawn."""

    def __init__(self, sheet: Sheet, lot: Random) -> None:
        self.sheet = sheet
        self.lot = lot

    def act(self, kind: str, data: Any, seat: str) -> Act:
        """An act of a seat, signed or written down by whom it should be."""
        scribe = seat in SEATS and seat not in self.sheet.keyed
        return Act(kind, data, "arbiter", seat) if scribe else Act(kind, data, seat)

    def owed(self, style: str = "any") -> Act | None:
        """An act that the match waits for."""
        what, whose = self.sheet.due
        match what:
            case "accept":
                return Act("seat.accepted", Nothing(), self.lot.choice(whose))
            case "commit":
                return self.commits(self.lot.choice(whose))
            case "throw":
                return self.throws(whose[0]) if self.sheet.contributors else self.records(whose[0])
            case "open":
                return self.opens(whose[0])
            case "confirm":
                assert self.sheet.recorded
                return self.confirms(self.sheet.recorded.hash, whose[0])
            case "act":
                return self.plays(style)
            case "close":
                assert self.sheet.result
                return Act("match.closed", Closing(result=self.sheet.result), "arbiter")
            case "countersign":
                said = Countersignature(result_event=self.sheet.closed or "")
                return Act("countersigned", said, self.lot.choice(whose))
        return None

    def bound(self, roll: int, role: str) -> str:
        match = self.sheet.match
        return bound(match, roll, role, nonce(match, roll, role))

    def shown(self, role: str) -> dict[str, Any]:
        """What a contributor opens, and binds to next."""
        roll = self.sheet.number
        return {"nonce": nonce(self.sheet.match, roll, role), "next": self.bound(roll + 1, role)}

    def commits(self, role: str) -> Act:
        """To a number that its owner can open: whoever commits to another stops the match."""
        roll = self.sheet.number
        given = Commitment(roll=roll, commitment=self.bound(roll, role))
        return Act("dice.committed", given, role)

    def throws(self, seat: str) -> Act:
        opened = self.shown(seat) if seat in self.sheet.contributors else {}
        return self.act("roll", Throw(roll=self.sheet.number, **opened), seat)

    def opens(self, role: str) -> Act:
        return Act("roll.opened", Opened(roll=self.sheet.number, **self.shown(role)), role)

    def records(self, seat: str) -> Act:
        """Dice as they lie, written down by the thrower, by the other seat or by the arbiter."""
        fell = self.lot.choices(range(1, 7), k=len(self.sheet.owners) or 3)
        lying = Lying(roll=self.sheet.number, dice=tuple(fell))
        if self.lot.random() < 0.3:
            return Act("roll.recorded", lying, "arbiter")
        return self.act("roll.recorded", lying, self.lot.choice([seat, seat, across(seat)]))

    def confirms(self, what: str, seat: str) -> Act:
        return self.act("roll.confirmed", Confirmation(confirms=what), seat)

    def plays(self, style: str = "any") -> Act:
        """Any legal turn, in any order in which it can be played; or a careful one; or a pass."""
        seat, turns = self.sheet.turn or "white", self.sheet.turns
        if not turns:
            return self.act("pass", Nothing(), seat)
        text = self.lot.choice([*turns])
        if style == "careful":
            text = min(turns, key=lambda each: exposed(turns[each].position, seat))
        return self.act("move", Play(move=text, dice=turns[text].dice), seat)

    def anything(self, kind: str) -> Any:
        """Data for an event of this kind, sensible or not."""
        sheet, pick = self.sheet, self.lot.choice
        number = self.lot.randint(0, sheet.seq + 1)
        roll = max(1, sheet.number + pick([0, 0, 0, -1, 1]))
        role = pick([*NUMBERS])
        match kind:
            case "move":
                odd = ["hand/1", "bar/3", "24/off", "hand/7", "castles", "pass"]
                return Play(move=pick([*sheet.turns, *odd]), dice=pick([None, (1, 2, 3)]))
            case "call":
                return Call(call="raichi")
            case "offer.made":
                share = SettlementOffer(split=(number, 36))
                return pick([DrawOffer(), DrawOffer(), TakebackOffer(to=number), share])
            case "pull":
                return Taking(pull="4a-c")
            case "offer.accepted" | "offer.declined":
                return Answer(offer=pick([FOREIGN, *sheet.made]))
            case "ruling":
                return back(number, pick(["keep", "rethrow", None])).data
            case "match.closed":
                return Closing(result=Result(kind="annulled", how="fire"))
            case "countersigned":
                return Countersignature(result_event=pick([sheet.closed or FOREIGN, sheet.match]))
            case "note":
                return Remark(text="Tea is served.")
            case "dice.committed":
                return Commitment(roll=roll, commitment=self.bound(roll, role))
            case "roll":
                return pick([Throw(roll=roll), Throw(roll=roll, **self.shown(role))])
            case "roll.opened":
                return Opened(roll=roll, **self.shown(role))
            case "roll.recorded":
                return Lying(roll=roll, dice=pick([(3, 5), (3, 5, 2), (1,)]))
            case "roll.confirmed":
                return Confirmation(confirms=pick([FOREIGN, sheet.match]))
            case "roll.voided":
                return Voiding(roll=roll, reason="one die was cocked")
        return Nothing()


def exposed(position: str, seat: str) -> tuple[int, int]:
    """How many checkers of a seat stand alone, and how far the others are."""
    mine = position.split(" | ")[SEATS.index(seat)].split()[-1]
    stacks = [tuple(map(int, each.split(":"))) for each in mine.split(",") if mine != "-"]
    return sum(many == 1 for _, many in stacks), -sum(spot * many for spot, many in stacks)


def back(to: int, dice: Any) -> Act:
    """The arbiter sets the game back."""
    effects = (Rewind(to=to, dice=dice),)
    return Act("ruling", Verdict(reason="Mistyped.", rule="record", effects=effects), "arbiter")


# -- the fouls -----------------------------------------------------------------------------------

Foul: TypeAlias = Callable[[Hand], "Act | None"]
"""``None``: not here and now."""
FOULS: dict[str, Foul] = {}


def foul(attempt: Foul) -> Foul:
    FOULS[attempt.__name__.replace("_", " ")] = attempt
    return attempt


@foul
def the_wrong_seat(hand: Hand) -> Act | None:
    owed = hand.owed()
    if owed is None or owed.kind not in ("roll", "move", "pass", "roll.confirmed"):
        return None
    return hand.act(owed.kind, owed.data, across(owed.seat))


@foul
def somebody_elses_key(hand: Hand) -> Act | None:
    owed = hand.owed()
    others = [role for role in ("arbiter", *SEATS, "stranger") if owed and role != owed.by]
    return owed and owed._replace(key=hand.lot.choice(others))


@foul
def the_wrong_nonce(hand: Hand) -> Act | None:
    owed = hand.owed()
    if owed is None or getattr(owed.data, "nonce", None) is None:
        return None
    other = hand.lot.choice([f"{hand.lot.getrandbits(256):064x}", *sorted(hand.sheet.used)])
    return changed(owed, nonce=other)


@foul
def a_commitment_reused_or_copied(hand: Hand) -> Act | None:
    owed, used = hand.owed(), sorted(hand.sheet.used)
    field = {"dice.committed": "commitment", "roll": "next", "roll.opened": "next"}
    if owed is None or not used or getattr(owed.data, field.get(owed.kind, ""), None) is None:
        return None
    return changed(owed, **{field[owed.kind]: hand.lot.choice(used)})


@foul
def a_commitment_changed(hand: Hand) -> Act | None:
    if not hand.sheet.commitments:
        return None
    role = hand.lot.choice(sorted(hand.sheet.commitments))
    return changed(hand.commits(role), commitment=f"{hand.lot.getrandbits(256):064x}")


@foul
def a_second_throw(hand: Hand) -> Act | None:
    thrown = hand.sheet.flight or hand.sheet.recorded or hand.sheet.page.dice
    seat = hand.lot.choice(SEATS)
    if not thrown:
        return None
    return hand.throws(seat) if hand.sheet.contributors else hand.records(seat)


@foul
def acting_in_flight(hand: Hand) -> Act | None:
    doing = {
        "move": Play(move="hand/1", dice=(1,)),
        "pass": Nothing(),
        "offer.made": DrawOffer(),
        "draw.claimed": Nothing(),
        "note": Remark(text="Wait."),
        "seat.accepted": Nothing(),
    }
    kind, seat = hand.lot.choice(sorted(doing)), hand.lot.choice(SEATS)
    return hand.act(kind, doing[kind], seat) if hand.sheet.flight else None


@foul
def opening_twice(hand: Hand) -> Act | None:
    flight = hand.sheet.flight
    return hand.opens(min(flight.nonces)) if flight and flight.nonces else None


@foul
def opening_out_of_order(hand: Hand) -> Act | None:
    later = hand.sheet.awaited[1:]
    return hand.opens(hand.lot.choice(later)) if later else None


@foul
def dice_stated(hand: Hand) -> Act:
    """Dice said where they are computed, computed where they lie on the table."""
    seat = hand.sheet.turn or hand.lot.choice(SEATS)
    return hand.records(seat) if hand.sheet.contributors else hand.throws(seat)


@foul
def the_wrong_roll_number(hand: Hand) -> Act | None:
    owed = hand.owed()
    if owed is None or getattr(owed.data, "roll", None) is None:
        return None
    others = [*range(1, owed.data.roll), owed.data.roll + 1, 2**32 - 1]
    return changed(owed, roll=hand.lot.choice(others))


@foul
def dice_not_thrown(hand: Hand) -> Act | None:
    """A turn with other dice, or with none said."""
    owed = hand.owed()
    if owed is None or owed.kind != "move":
        return None
    others = tuple(face % 6 + 1 for face in owed.data.dice)
    return changed(owed, dice=hand.lot.choice([None, others]))


@foul
def fewer_dice_than_can_be(hand: Hand) -> Act | None:
    """A pass, or a turn broken off."""
    owed = hand.owed()
    if owed is None or owed.kind != "move":
        return None
    begun = " ".join(owed.data.move.split()[:-1])
    if not begun or begun in hand.sheet.turns or hand.lot.random() < 0.3:
        return owed._replace(kind="pass", data=Nothing())
    return changed(owed, move=begun, dice=owed.data.dice[:-1])


@foul
def one_die_too_many(hand: Hand) -> Act | None:
    owed = hand.owed()
    if owed is None or owed.kind != "roll.recorded":
        return None
    return changed(owed, dice=(*owed.data.dice, 1))


@foul
def playing_before_the_confirmation(hand: Hand) -> Act | None:
    doing = {
        "move": Play(move="hand/1", dice=(1,)),
        "pass": Nothing(),
        "offer.made": DrawOffer(),
        "roll.recorded": Lying(roll=hand.sheet.number, dice=(1, 2, 3)),
    }
    kind, seat = hand.lot.choice(sorted(doing)), hand.lot.choice(SEATS)
    return hand.act(kind, doing[kind], seat) if hand.sheet.recorded else None


@foul
def dice_kept_across_a_throw(hand: Hand) -> Act | None:
    sheet = hand.sheet
    known = (sheet.page.number, sheet.latest.number if sheet.latest else 0)
    there = [seq for seq, page in enumerate(sheet.pages) if page.number not in known]
    return back(hand.lot.choice(there), "keep") if there and not sheet.closed else None


@foul
def agreeing_with_oneself(hand: Hand) -> Act | None:
    for offer in hand.sheet.offers:
        return hand.act("offer.accepted", Answer(offer=offer.hash), offer.seat)
    return None


def changed(act: Act, **fields: Any) -> Act:
    return act._replace(data=replace(act.data, **fields))
