"""Anybody at the table, for tests: anything at all, by the right one or not, and plain fouls.

``said`` has an act of every kind, ``astray`` and ``amiss`` spoil one, ``foul`` is what people
seldom come upon by chance.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bookhand import FOREIGN, POSITIONS, Hand
from bookpages import BY_RULING, LINES, ON_THE_BOARD
from msgspec.structs import replace as changed
from scoresheet import Act

from ledger.events import (
    Award,
    Call,
    Closing,
    Countersignature,
    Decision,
    Dismissed,
    GivenResult,
    NewContributors,
    Nothing,
    Objection,
    Penalty,
    Play,
    Remark,
    Replacement,
    Rewind,
    SetPosition,
    Succession,
    TakebackOffer,
    Taking,
    Voiding,
)
from ledger.fold.acts import data_of


class Anybody(Hand):
    """Somebody who also does what is not to be done."""

    def said(self, kind: str) -> Act:
        """An act of this kind, by whom it is for: sensible or not."""
        book, pick, seat = self.book, self.pick, self.seat
        anybody = pick([*book.seats * 2, "arbiter"])
        match kind:
            case "seat.accepted":
                return Act(kind, Nothing(), pick([*book.holders]))
            case "move":
                legal = [each for each in book.rules.legal(book.game) if each.kind == "move"]
                odd = [Play(move="e5-e5"), Play(move="c1-c4"), Play(move="hand/1", dice=(1,))]
                return self.act(kind, pick([*map(data_of, legal[-3:]), *odd]), seat)
            case "pull":
                return self.act(kind, Taking(pull=pick(["4a-c", "1c-g"])), seat)
            case "call":
                return self.act(kind, Call(call=pick(["raichi", "tuichi", "Raichi"])), seat)
            case "offer.made":
                return self.act(kind, self.terms(), seat)
            case "offer.accepted" | "offer.declined":
                return self.answers()._replace(kind=kind)
            case "dice.committed":
                return self.commits(pick([*book.contributors, anybody]))
            case "roll":
                return self.throws(seat)
            case "roll.opened":
                return self.opens(pick([*book.awaited, anybody]))
            case "roll.recorded":
                return self.records(seat)
            case "roll.confirmed":
                waiting = [each for each in (book.recorded, book.voiding) if each]
                digest = pick([*(each.hash for each in waiting), book.events[-1].hash])
                return self.confirms(digest, pick([*(w.confirmer for w in waiting), anybody]))
            case "roll.voided":
                number = pick([book.lying.number if book.lying else 1, max(1, book.number - 1)])
                return Act(kind, Voiding(roll=number, reason="cocked"), anybody)
            case "dispute.raised":
                return self.raises(pick([*book.seats, "arbiter", "witness1"]))
            case "dispute.settled":
                return self.settles(pick(book.seats))
            case "statement":
                return self.states(pick([*book.seats, "arbiter", "witness1"]))
            case "ruling":
                return Act(kind, self.verdict(*self.effects()), "arbiter")
            case "appeal":
                return self.appeals(pick(book.seats))
            case "appeal.decided":
                return self.decides(*self.effects())
            case "key.replaced":
                roles = [*book.seats * 2, "witness1", "appeal", "arbiter", "nobody"]
                return self.replaces(pick(roles))
            case "arbiter.replaced":
                return self.succeeds(pick(["arbiter", "appeal"]))
            case "adjourned":
                return pick([self.adjourns(), self.seals(seat)])
            case "resumed":
                return self.resumes(pick(["arbiter", seat]))
            case "match.closed":
                return self.closes()
            case "countersigned":
                absent = pick([None, None, None, *book.seats])
                return self.signs(pick([*book.seats, "witness1"]), absent)
            case "signature.refused":
                return self.unwilling(pick([*book.seats * 3, "witness1"]))
            case "note":
                return Act(kind, Remark(text="Tea is served."), pick([*book.holders]))
        assert kind in (*ON_THE_BOARD, "draw.claimed", "resigned"), kind
        return self.act(kind, Nothing(), seat)

    def amiss(self, act: Act) -> Act:
        """The same with one number in it that is not the right one."""
        if act.kind == "roll" and self.lot.random() < 0.4:
            opened = None if act.data.nonce else FOREIGN
            return act._replace(data=changed(act.data, nonce=opened, next=opened))
        used = sorted(self.book.used)
        odd = f"{self.lot.getrandbits(256):064x}"
        wrong: dict[str, list[Any]] = {
            "roll": [max(1, self.book.number - 1), self.book.number + 1, 2**32 - 1],
            "dice": [(1, 2), (1, 2, 3), (6,) * 8],
            "to": [2**53 - 1, self.book.seq + 1],
            "split": [(36, 36), (0, 1_000_000)],
            "kind": ["annulled", "win"],
            "role": ["nobody", "arbiter", "witness1", "appeal"],
        }
        wrong |= {name: [odd, *used[:3]] for name in ("nonce", "next", "commitment", "sealed")}
        wrong |= {name: [FOREIGN, odd] for name in ("offer", "about", "dispute", "confirms")}
        fields = [name for name in wrong if getattr(act.data, name, None) is not None]
        if not fields:
            return act
        name = self.pick(fields)
        return act._replace(data=changed(act.data, **{name: self.pick(wrong[name])}))

    def foul(self) -> Act:
        """What is refused for a reason that people seldom come upon by chance."""
        late = [*self.fouls_at_the_end()]
        return self.pick(late if late and self.lot.random() < 0.5 else [*self.fouls_of_officials()])

    def fouls_of_officials(self) -> Iterator[Act]:
        book, number = self.book, self.book.number
        one = self.pick(book.seats)
        name, key = book.holders[one]
        used = self.pick(sorted(book.keys_seen))
        other = Replacement(role=one, name="Carla", key=used, reason="It was lost.")
        yield Act("key.replaced", other, "arbiter")
        nobody = Replacement(role="witness1", name="Carla", reason="She left.")
        yield Act("key.replaced", nobody, "arbiter")
        yield Act("arbiter.replaced", Succession(name="Yara", key=used, reason="Ill."), "arbiter")
        for effects in (
            (GivenResult(kind="win"),),
            (GivenResult(kind="draw", winner=one),),
            (GivenResult(kind="win", winner="nobody"),),
            (Penalty(seat=one, penalty="game_lost"),),
            (Penalty(seat=one, penalty="game_lost"), GivenResult(kind="win", winner=one)),
            (Dismissed(), Rewind(to=0, dice="rethrow" if book.rules.dice else None)),
            (NewContributors(roll=number, contributors=(one,)),),
            (NewContributors(roll=number, contributors=(one, "arbiter")),),
            (NewContributors(roll=number + 1, contributors=("arbiter",)),),
            (Award(roll=number + 1, dice=(1, 2)),),
            (SetPosition(position=POSITIONS[book.rules.name][-1]),),
            (SetPosition(position="4277661 13,16 0 0 south move:1-1"),),
        ):
            yield Act("ruling", self.verdict(*effects), "arbiter")
        if key is None:
            again = Replacement(role=one, name=name, reason="No change.")
            yield Act("key.replaced", again, "arbiter")

    def fouls_at_the_end(self) -> Iterator[Act]:
        book = self.book
        turn = book.rules.turn(book.game)
        if book.phase == "adjourned" and turn:
            yield self.seals(book.across(turn))
        if book.sealed and turn and not book.sealed.text:
            yield self.seals(turn)
            yield from [self.resumes(book.across(turn))] * 2
        if book.dispute:
            yield from [self.settles(seat) for seat in book.dispute.settled]
        if book.sheet:
            signed = Countersignature(result_event=book.sheet.event, absent=self.pick(book.seats))
            yield from [Act("countersigned", signed, role) for role in book.holders]
            yield from map(self.unwilling, book.seats)
        if book.result:
            cited = None if book.cited else book.events[-1].hash
            yield Act("match.closed", Closing(result=book.result, ruling=cited), "arbiter")
        for appeal in book.appeals:
            against = book.events[appeal.against].hash
            yield Act("appeal", Objection(against=against, text="Again."), self.pick(book.seats))
            effects = (Dismissed(), Penalty(seat=self.pick(book.seats), penalty="warning"))
            said = Decision(appeal=appeal.hash, reason="So.", rule="record", effects=effects)
            yield Act("appeal.decided", said, "appeal")
        voided = [roll.seq for roll in book.rolls if roll.voided and roll.counted]
        for seq in voided[-2:]:
            back = Rewind(to=seq, dice=self.pick(["keep", "rethrow"]))
            yield Act("ruling", self.verdict(back), "arbiter")
        struck = [roll.seq for roll in book.rolls if roll.seq not in book.page.trail]
        for seq in struck[-2:]:
            back = Rewind(to=min(seq + self.pick([1, 1, 2, 3]), book.seq), dice="rethrow")
            yield Act("ruling", self.verdict(back), "arbiter")
        if book.flight:
            yield from [self.opens(role) for role in book.flight.nonces]
        for offer in book.offers:
            yield self.act("offer.made", offer.terms, offer.seat)
        ruled = [seq for seq in book.acted if book.events[seq].kind in BY_RULING]
        for seq in ruled[-2:]:
            yield self.act("offer.made", TakebackOffer(to=seq - 1), self.seat)
        for seq in sorted(book.struck)[-3:]:
            yield self.act("offer.made", TakebackOffer(to=seq), self.seat)

    def astray(self, act: Act) -> Act:
        """The same by somebody else, for somebody else, or with another key."""
        book = self.book
        roles = [*book.seats, "arbiter", "witness1", "appeal", "nobody"]
        match self.pick(["by", "for", "key", "key"]):
            case "by":
                return act._replace(by=self.pick(roles))
            case "for":
                return act._replace(for_=self.pick([None, *roles]))
        old = [change.before.key for change in book.changes if change.role == act.by]
        return act._replace(key=self.pick([*filter(None, old), *LINES[:8]]))
