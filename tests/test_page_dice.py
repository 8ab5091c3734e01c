"""Commitments, openings and seals before the page's verifier: each broken in one point.

The events are signed by the keys of the match and stand in a good chain: nothing but the point
itself is wrong. The audit says the same of each.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from match import SPARE_KEYS, Match, opened, sealed, verdict
from secondopinion import NODE, Opinion, audited, faults_of, first_fault, of_events, opinions
from table import opening

from ledger import record
from ledger.events import (
    Award,
    Commitment,
    CommitReveal,
    Confirmation,
    DrawOffer,
    Lying,
    NewContributors,
    Opened,
    Physical,
    Play,
    Resumption,
    Rewind,
    SetPosition,
    Throw,
    Unsealed,
    Voiding,
)
from ledger.fold import overruled

pytestmark = pytest.mark.skipif(NODE is None, reason="Node is not installed")
THREE = CommitReveal(contributors=("white", "black", "arbiter"))
OTHER = "5" * 64


def committed(*roles: str) -> Match:
    match = Match(ruleset="tabula", dice=THREE)
    for role in roles:
        match.commit(role)
    return match


def in_flight() -> Match:
    """White has thrown and opened; Black and the arbiter are to open, in this order."""
    match = committed("white", "black", "arbiter")
    match.throw("white")
    return match


def landed() -> Match:
    match = in_flight()
    match.open("black")
    match.open("arbiter")
    return match


def with_one_more(
    match: Match, kind: str, data: Any, by: str, for_: str | None = None
) -> tuple[bytes, int]:
    last = sealed(match.next(kind, data, by, for_))
    return record.write([*map(sealed, match.state.entries), last]), match.state.seq + 1


def opens(match: Match, role: str, **changes: Any) -> Opened:
    roll = match.state.rolling.number
    fields = {"roll": roll, "nonce": match.nonce(role), "next": match.commitment(role, roll + 1)}
    return Opened(**(fields | changes))


def throws(match: Match, role: str, **changes: Any) -> Throw:
    roll = match.state.rolling.number
    fields = {"roll": roll, "nonce": match.nonce(role), "next": match.commitment(role, roll + 1)}
    return Throw(**(fields | changes))


def another_number() -> tuple[bytes, int]:
    match = in_flight()
    return with_one_more(match, "roll.opened", opens(match, "black", nonce=OTHER), "black")


def a_number_again() -> tuple[bytes, int]:
    """Black publishes the commitment of White for the next roll as Black's own."""
    match = in_flight()
    taken = match.commitment("white", 2)
    return with_one_more(match, "roll.opened", opens(match, "black", next=taken), "black")


def a_commitment_again() -> tuple[bytes, int]:
    match = committed("white")
    data = Commitment(roll=1, commitment=match.commitment("white"))
    return with_one_more(match, "dice.committed", data, "black")


def a_second_commitment() -> tuple[bytes, int]:
    match = committed("white")
    return with_one_more(match, "dice.committed", Commitment(roll=1, commitment=OTHER), "white")


def a_commitment_for_later() -> tuple[bytes, int]:
    match = committed("white")
    return with_one_more(match, "dice.committed", Commitment(roll=2, commitment=OTHER), "black")


def a_commitment_by_the_witness() -> tuple[bytes, int]:
    data = Commitment(roll=1, commitment=OTHER)
    return with_one_more(committed(), "dice.committed", data, "witness1")


def a_throw_before_all_commit() -> tuple[bytes, int]:
    match = committed("white", "arbiter")
    return with_one_more(match, "roll", throws(match, "white"), "white")


def a_throw_without_its_number() -> tuple[bytes, int]:
    return with_one_more(committed("white", "black", "arbiter"), "roll", Throw(roll=1), "white")


def a_throw_of_another_roll() -> tuple[bytes, int]:
    match = committed("white", "black", "arbiter")
    return with_one_more(match, "roll", throws(match, "white", roll=2), "white")


def an_opening_before_the_throw() -> tuple[bytes, int]:
    match = committed("white", "black", "arbiter")
    return with_one_more(match, "roll.opened", opens(match, "black"), "black")


def an_opening_out_of_order() -> tuple[bytes, int]:
    match = in_flight()
    return with_one_more(match, "roll.opened", opens(match, "arbiter"), "arbiter")


def an_opening_twice() -> tuple[bytes, int]:
    match = in_flight()
    return with_one_more(match, "roll.opened", opens(match, "white"), "white")


def an_offer_in_flight() -> tuple[bytes, int]:
    return with_one_more(in_flight(), "offer.made", DrawOffer(), "black")


def a_new_key_opens() -> tuple[bytes, int]:
    """A roll in flight waits for the ruling: the number went with the key that was replaced."""
    match = in_flight()
    match.replace_key("black", SPARE_KEYS[0])
    return with_one_more(match, "roll.opened", opens(match, "black"), "black")


def dice_stated() -> tuple[bytes, int]:
    return with_one_more(landed(), "roll.recorded", Lying(roll=2, dice=(1, 2, 3)), "white")


def dice_voided() -> tuple[bytes, int]:
    return with_one_more(landed(), "roll.voided", Voiding(roll=1, reason="cocked"), "arbiter")


def an_award_of_nothing() -> tuple[bytes, int]:
    given = verdict(Award(roll=2, dice=(1, 2, 3)))
    return with_one_more(landed(), "ruling", given, "arbiter")


def a_seat_alone() -> tuple[bytes, int]:
    given = verdict(NewContributors(roll=1, contributors=("white",)))
    return with_one_more(in_flight(), "ruling", given, "arbiter")


def a_choice_between_throws() -> tuple[bytes, int]:
    """The arbiter goes back behind a throw and would keep the one before."""
    match = Match(ruleset="tabula", dice=Physical(confirm=False))
    match.record(6, 1)
    match.record(2, 5, 6)
    thrown = match.state.seq
    match.play_any()
    match.record(1, 2, 3)
    return with_one_more(match, "ruling", verdict(Rewind(to=thrown, dice="keep")), "arbiter")


def unconfirmed_dice_moved() -> tuple[bytes, int]:
    match = Match(ruleset="tabula", dice=Physical(confirm=True))
    match.record(6, 1, by="white")
    return with_one_more(match, "move", Play(move="hand/6", dice=(6,)), "white")


def confirmed_by_the_writer() -> tuple[bytes, int]:
    match = Match(ruleset="tabula", dice=Physical(confirm=True))
    match.record(6, 1, by="white")
    data = Confirmation(confirms=match.state.head)
    return with_one_more(match, "roll.confirmed", data, "white")


def another_sealed_move() -> tuple[bytes, int]:
    match = Match()
    match.play("e3-f3")
    match.adjourn()
    seal = match.seal("muscovites", "e2-h2")
    data = Resumption(opened=Unsealed(move="e2-g2", nonce=seal.nonce))
    return with_one_more(match, "resumed", data, "muscovites")


def not_the_sealed_move() -> tuple[bytes, int]:
    match = Match()
    match.play("e3-f3")
    match.adjourn()
    match.resume("muscovites", match.seal("muscovites", "e2-h2"))
    return with_one_more(match, "move", Play(move="e2-g2"), "muscovites")


def opened_with(*contributors: str, keyed: tuple[str, ...] = ("white", "black")) -> bytes:
    scheme = CommitReveal(contributors=contributors)
    return record.write([sealed(opened(opening("tabula", keyed=keyed, dice=scheme)))])


BROKEN: dict[Callable[[], tuple[bytes, int]], str] = {
    another_number: "wrong-nonce",
    a_number_again: "used-before",
    a_commitment_again: "used-before",
    a_second_commitment: "committed-already",
    a_commitment_for_later: "wrong-roll",
    a_commitment_by_the_witness: "wrong-role",
    a_throw_before_all_commit: "not-committed",
    a_throw_without_its_number: "bad-throw",
    a_throw_of_another_roll: "wrong-roll",
    an_opening_before_the_throw: "no-flight",
    an_opening_out_of_order: "out-of-order",
    an_opening_twice: "opened-twice",
    an_offer_in_flight: "roll-in-flight",
    a_new_key_opens: "not-accepted",
    dice_stated: "computed-dice",
    dice_voided: "computed-dice",
    an_award_of_nothing: "no-flight",
    a_seat_alone: "bad-contributors",
    a_choice_between_throws: "across-a-throw",
    unconfirmed_dice_moved: "unconfirmed",
    confirmed_by_the_writer: "wrong-turn",
    another_sealed_move: "wrong-seal",
    not_the_sealed_move: "sealed-move",
}


@cache
def broken() -> dict[str, tuple[bytes, int, Opinion]]:
    made = [make() for make in BROKEN]
    pages = opinions(text for text, _ in made)
    return {
        make.__name__: (text, event, page)
        for make, (text, event), page in zip(BROKEN, made, pages, strict=True)
    }


@pytest.mark.parametrize("what", BROKEN, ids=lambda what: what.__name__)
def test_both_find_what_is_broken(what: Callable[[], tuple[bytes, int]]) -> None:
    text, event, page = broken()[what.__name__]
    assert faults_of(audited(text)) == [(event, BROKEN[what])]
    assert faults_of(page) == [(event, BROKEN[what])]


CONTRIBUTORS = {
    ("white", "black"): None,
    ("white", "black", "arbiter"): None,
    ("arbiter",): None,
    ("white",): "bad-contributors",
    ("black", "white"): "bad-contributors",
    ("white", "white"): "bad-contributors",
    ("witness1", "black"): "bad-contributors",
    (): "bad-contributors",
}


def test_who_may_make_the_dice_of_a_match() -> None:
    texts = [opened_with(*named) for named in CONTRIBUTORS]
    texts.append(opened_with("white", "black", keyed=("white",)))
    wanted = [code and (0, code) for code in CONTRIBUTORS.values()] + [(0, "keyless-contributor")]
    assert list(map(first_fault, opinions(texts))) == wanted
    assert [first_fault(audited(text)) for text in texts] == wanted


# -- what the report says of rolls -----------------------------------------------------------------


def test_a_roll_says_who_opened_it_and_when_that_was_committed() -> None:
    """0 opening, 1 2 acceptances, 3 to 5 commitments, 6 the throw, 7 8 openings."""
    match = landed()
    (roll,) = of_events(list(map(sealed, match.state.entries)))["rolls"]
    (fallen,) = match.state.rolling.rolls
    assert roll == {
        "roll": 1,
        "seat": "white",
        "thrown": 6,
        "event": 8,
        "dice": list(fallen.dice),
        "how": "computed",
        "opened": [
            {"role": "white", "event": 6, "committed": 3},
            {"role": "black", "event": 7, "committed": 4},
            {"role": "arbiter", "event": 8, "committed": 5},
        ],
        "confirmed": None,
        "voided": None,
        "ended": None,
        "counted": True,
    }


def test_an_awarded_roll_says_so_and_the_arbiter_may_name_others_for_a_dead_one() -> None:
    awarded = in_flight()
    awarded.rule(Award(roll=1, dice=(6, 2)))
    named = in_flight()
    named.rule(NewContributors(roll=1, contributors=("white", "arbiter")))
    named.roll()
    first, second = opinions(
        record.write(map(sealed, match.state.entries)) for match in (awarded, named)
    )
    assert (first["verdict"], second["verdict"]) == ("sound", "sound")
    (roll,) = first["rolls"]
    assert (roll["how"], roll["dice"], roll["event"]) == ("awarded", [6, 2], 7)
    dead, roll = second["rolls"]
    assert (dead["dice"], dead["event"], dead["ended"]) == ([], None, 7)
    assert [each["role"] for each in roll["opened"]] == ["white", "arbiter"]
    assert roll["dice"] == list(named.state.rolling.rolls[-1].dice)


def test_dice_on_the_table_say_who_confirmed_and_voided_them() -> None:
    match = Match(ruleset="tabula", dice=Physical(confirm=True))
    match.record(6, 1, by="white")
    match.confirm("black")
    match.record(2, 5, 6, by="white")
    match.confirm("black")
    match.void("arbiter")
    page = of_events(list(map(sealed, match.state.entries)))
    assert page["verdict"] == "sound"
    assert [
        (roll["how"], roll["seat"], roll["confirmed"], roll["voided"]) for roll in page["rolls"]
    ] == [("recorded", "white", 4, None), ("recorded", "white", 6, 7)]
    assert page["superseded"] == [[5, 7], [6, 7]]


# -- what was taken back ---------------------------------------------------------------------------


def thrown_anew(to: int) -> Match:
    """1 2 acceptances, 3 the opening roll, 4 roll 2, 5 its move, 6 roll 3; then back to ``to``."""
    match = Match(ruleset="tabula", dice=Physical(confirm=False))
    match.record(6, 1)
    match.record(2, 5, 6)
    match.play_any()
    match.record(1, 2, 3)
    match.rewind(to, dice="rethrow")
    return match


def a_run_thrown_anew() -> Match:
    """Dice of a Run are never moved: there is nothing of them to throw anew."""
    match = Match(ruleset="tablero", dice=Physical(confirm=False))
    match.record(6, 1)
    match.rule(SetPosition(position="3333333 13,16 0 0 south decide"))
    match.act("run")
    match.record(2, 1)
    match.record(2, 2)
    match.rewind(6, dice="rethrow")
    return match


def taken_back_and_forth() -> Match:
    """A takeback by agreement, a ruling against it, and the ruling taken back."""
    match = Match()
    match.play("e3-f3", "e2-h2", "e4-e2")
    match.agree("muscovites", match.offer_takeback("swedes", 4))
    match.rewind(5)
    match.rewind(4)
    return match


TAKEN_BACK: dict[str, Callable[[], Match]] = {
    "the opening roll": lambda: thrown_anew(3),
    "a throw": lambda: thrown_anew(4),
    "a move": lambda: thrown_anew(5),
    "the last throw": lambda: thrown_anew(6),
    "a Run": a_run_thrown_anew,
    "there and back": taken_back_and_forth,
}


@pytest.mark.parametrize("what", TAKEN_BACK)
def test_the_same_acts_are_taken_back(what: str) -> None:
    match = TAKEN_BACK[what]()
    page = of_events(list(map(sealed, match.state.entries)))
    assert page["verdict"] == "sound"
    back = match.state.superseded() | overruled(match.state).keys()
    assert {act for act, _ in page["superseded"]} == back != set()
    assert {by for _, by in page["superseded"]} == {match.state.seq}
