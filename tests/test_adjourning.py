"""Adjourned and resumed: what rests, what goes on, and a move in a sealed envelope."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import pytest
from match import SPARE_KEYS, Match, opened, refused
from msgspec.structs import replace
from table import BOTH, opening

from ledger import dice, sealing, views
from ledger.events import (
    Adjournment,
    Dismissed,
    DrawOffer,
    GivenResult,
    Physical,
    Result,
    Resumption,
    Rewind,
    Unsealed,
)
from ledger.fold import Phase, begin
from ledger.fold.due import Step, due

NUMBER = bytes(range(32))


def begun(policy: str = "loses") -> Match:
    """Tablut after two moves; an unopened sealed move loses, or is ruled on."""
    match = Match(play=False)
    match.state = begin(opened(replace(opening(witness=True), sealed_move_unopened=policy)))
    match.accept("swedes")
    match.accept("muscovites")
    match.play("e3-f3", "e2-h2")
    return match


def adjourned(policy: str = "loses") -> Match:
    match = begun(policy)
    match.adjourn(until="tomorrow at 10")
    return match


# -- the game rests ----------------------------------------------------------------------------


def test_the_game_rests_and_goes_on() -> None:
    match = begun()
    offer = match.offer_draw("swedes")
    match.adjourn(until="tomorrow at 10")
    assert (match.state.phase, match.state.turn) == (Phase.ADJOURNED, None)
    assert (due(match.state).step, due(match.state).whose) == (Step.RESUME, ("arbiter",))
    assert "tomorrow at 10" in views.show(match.state).next
    with refused("adjourned", "it is resumed first"):
        match.move("e4-e2", "swedes")
    with refused("adjourned"):
        match.agree("muscovites", offer)
    match.resume()
    assert (match.state.phase, match.state.turn) == (Phase.IN_PLAY, "swedes")
    assert match.state.adjourned is None
    with refused("offer-lapsed"):
        match.agree("muscovites", offer)
    match.play("e4-e2")


def test_it_rests_once_and_is_resumed_once() -> None:
    match = begun()
    with refused("not-adjourned"):
        match.resume()
    match.adjourn()
    with refused("adjourned"):
        match.adjourn()
    match.resume()
    with refused("not-adjourned"):
        match.resume()
    match.adjourn()
    assert match.state.adjourned == 7


def test_a_player_resigns_meanwhile() -> None:
    match = adjourned()
    match.resign("swedes")
    assert match.state.phase is Phase.ENDED
    assert match.state.result == Result(kind="win", how="resigned", winner="muscovites")
    with refused("not-adjourned"):
        match.resume()
    match.close()


def test_officials_and_words_go_on_meanwhile() -> None:
    match = adjourned()
    match.note("swedes")
    match.replace_key("witness1", SPARE_KEYS[0])
    match.rule(Rewind(to=2))
    assert match.state.phase is Phase.ADJOURNED
    with refused("adjourned"):
        match.write("offer.made", DrawOffer(), "swedes")
    match.rule(GivenResult(kind="draw"))
    assert match.state.phase is Phase.ENDED


def test_only_the_arbiter_adjourns_and_only_the_arbiter_resumes() -> None:
    match = begun()
    for seat in ("swedes", "muscovites"):
        with refused("wrong-role", "Only the arbiter adjourns"):
            match.write("adjourned", Adjournment(until="tomorrow"), seat)
        with refused("wrong-role", "Only the arbiter adjourns"):
            match.write("adjourned", Adjournment(), seat)
    match.adjourn()
    for seat in ("swedes", "muscovites"):
        with refused("wrong-role", "The arbiter resumes"):
            match.resume(seat)
    with refused("wrong-role"):
        match.write("adjourned", Adjournment(sealed="0" * 64, until="tomorrow"), "swedes")
    with refused("wrong-role", "seals its move, not the arbiter"):
        match.write("adjourned", Adjournment(sealed="0" * 64), "arbiter")


# -- dice --------------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", ["tabula", "tablero"])
def test_a_game_with_dice_rests_between_an_action_and_the_next_throw(ruleset: str) -> None:
    match = Match(ruleset=ruleset, dice=Physical(confirm=False))
    match.adjourn()
    match.resume()
    match.record(5, 3)
    match.adjourn()
    with refused("adjourned"):
        match.record(*((6, 5, 6) if ruleset == "tabula" else (2, 4)))
    match.resume()
    match.record(*((6, 5, 6) if ruleset == "tabula" else (2, 4)))
    with refused("dice-on-board"):
        match.adjourn()
    match.play_any()
    match.adjourn()
    for seat in match.state.game.seats:
        with refused("dice-on-board", "no move is sealed"):
            match.write("adjourned", Adjournment(sealed="0" * 64), seat)
    match.resume()


def test_dice_that_wait_for_a_word_or_a_number_are_finished_first() -> None:
    match = Match(ruleset="tabula", dice=Physical(confirm=True))
    match.record(5, 3, by="white")
    with refused("dice-on-board"):
        match.adjourn()
    match.confirm("black")
    match.adjourn()
    flying = Match(ruleset="tabula", dice=BOTH)
    flying.commit("white")
    flying.commit("black")
    flying.throw("white")
    with refused("dice-on-board"):
        flying.adjourn()


def test_the_tablero_does_not_rest_while_something_is_still_to_be_said_to_the_throw() -> None:
    match = Match(ruleset="tablero", dice=Physical(confirm=False))
    match.record(5, 3)
    match.record(3, 4)
    assert match.position.endswith("answer")
    with refused("dice-on-board"):
        match.adjourn()


def test_commitments_are_made_meanwhile() -> None:
    match = Match(ruleset="tabula", dice=BOTH)
    match.adjourn()
    match.commit("white")
    match.commit("black")
    with refused("adjourned"):
        match.throw("white")
    match.resume()
    match.throw("white")


# -- a sealed move -----------------------------------------------------------------------------


def sealed_by_hand(match: Match, seat: int, text: str, number: bytes = NUMBER) -> str:
    """SHA-256 of label, match, number of the event (4 bytes), seat (1 byte), number, move."""
    return sha256(
        b"sealed-move/v1\x00"
        + bytes.fromhex(match.state.match)
        + (match.state.seq + 1).to_bytes(4, "big")
        + bytes([seat])
        + number
        + text.encode()
    ).hexdigest()


@pytest.mark.parametrize(
    ("seat", "text"), [(0, "e4-e2"), (1, "h2-h3"), (0, "e3-d3xd4/f4"), (1, "é")]
)
def test_the_bytes_of_a_seal(seat: int, text: str) -> None:
    match = adjourned()
    by_hand = sealed_by_hand(match, seat, text)
    assert sealing.seal(match.state.match, match.state.seq + 1, seat, NUMBER, text) == by_hand


def test_what_is_no_text_is_not_sealed() -> None:
    match = adjourned()
    with refused("bad-text"):
        sealing.seal(match.state.match, match.state.seq + 1, 0, NUMBER, "\ud800")


def test_a_seal_has_a_number_of_32_bytes_and_a_place() -> None:
    match = adjourned()
    for number in (b"", bytes(31), bytes(33)):
        with refused("bad-nonce"):
            sealing.seal(match.state.match, 6, 0, number, "e4-e2")
    for seq in (-1, 2**32):
        with refused("bad-seq"):
            sealing.seal(match.state.match, seq, 0, NUMBER, "e4-e2")
    assert sealing.seal(match.state.match, 2**32 - 1, 0, NUMBER, "e4-e2")


def test_the_number_of_a_seal_is_the_same_after_a_restart_and_nowhere_else() -> None:
    match = adjourned()
    secret = match.keys["swedes"].dice_secret()
    number = sealing.nonce(secret, match.state.match, 6, 0)
    assert len(number) == 32
    assert number == sealing.nonce(secret, match.state.match, 6, 0)
    others = {
        sealing.nonce(secret, match.state.match, 7, 0),
        sealing.nonce(secret, match.state.match, 6, 1),
        sealing.nonce(secret, "0" * 64, 6, 0),
        sealing.nonce(match.keys["muscovites"].dice_secret(), match.state.match, 6, 0),
        dice.nonce(secret, match.state.match, 6, 0),
    }
    assert number not in others


def test_a_sealed_move_is_read_and_played() -> None:
    match = adjourned()
    by_hand = sealed_by_hand(match, 0, "e4-e2")
    match.write("adjourned", Adjournment(sealed=by_hand), "swedes")
    assert (due(match.state).step, due(match.state).whose) == (Step.RESUME, ("swedes",))
    assert match.state.sealed is not None
    assert match.state.sealed.text is None
    match.resume("swedes", Unsealed(move="e4-e2", nonce=NUMBER.hex()))
    assert match.state.phase is Phase.IN_PLAY
    assert match.state.sealed is not None
    assert match.state.sealed.text == "e4-e2"
    with refused("sealed-move", "The sealed move is e4-e2"):
        match.move("e4-d4", "swedes")
    match.move("e4-e2", "swedes")
    assert match.state.sealed is None
    match.play("h2-h3")


def test_the_arbiter_seals_and_opens_for_a_player_without_a_key() -> None:
    match = Match(["muscovites"])
    match.adjourn()
    opens = match.seal("arbiter", "e3-f3", "swedes")
    assert match.state.sealed is not None
    assert match.state.sealed.seat == "swedes"
    with refused("no-seal"):
        match.resume("arbiter", opens)
    match.resume("arbiter", opens, "swedes")
    match.move("e3-f3", "arbiter", "swedes")


def test_only_the_seat_to_move_seals_and_only_once_and_after_the_adjournment() -> None:
    match = begun()
    with refused("not-adjourned", "adjourns before a move is sealed"):
        match.seal("swedes", "e4-e2")
    match.adjourn()
    with refused("wrong-turn", "It is for the Swedes to seal"):
        match.seal("muscovites", "h2-h3")
    match.seal("swedes", "e4-e2")
    with refused("sealed-already", "by event 6"):
        match.seal("swedes", "e4-d4")


def test_a_seal_fits_one_move_one_number_one_seat_and_one_place() -> None:
    match = adjourned()
    opens = match.seal("swedes", "e4-e2")
    for wrong in (
        replace(opens, move="e4-d4"),
        replace(opens, move="e4-e2 "),
        replace(opens, nonce="00" * 32),
    ):
        with refused("wrong-seal", "sealed by event 6"):
            match.resume("swedes", wrong)
    with refused("no-seal"):
        match.resume("muscovites", opens)
    match.resume("swedes", opens)


@pytest.mark.parametrize("shift", [(1, 0), (0, 1)], ids=["another-event", "the-other-seat"])
def test_a_seal_made_for_another_place_does_not_open(shift: tuple[int, int]) -> None:
    match = adjourned()
    seq, seat = match.state.seq + 1 + shift[0], shift[1]
    bound = sealing.seal(match.state.match, seq, seat, NUMBER, "e4-e2")
    match.write("adjourned", Adjournment(sealed=bound), "swedes")
    with refused("wrong-seal"):
        match.resume("swedes", Unsealed(move="e4-e2", nonce=NUMBER.hex()))


FORFEIT = Result(kind="forfeit", how="sealed_move", winner="muscovites")


@pytest.mark.parametrize("text", ["e4-a1", "h2-h3", "castles", "E4-E2", "call raichi"])
def test_an_illegal_sealed_move_loses_where_the_opening_says_so(text: str) -> None:
    match = adjourned()
    match.resume("swedes", match.seal("swedes", text))
    assert match.state.result == FORFEIT
    assert match.state.phase is Phase.ENDED
    assert (match.state.sealed, match.state.adjourned) == (None, None)
    assert "sealed move" in views.show(match.state).next
    match.close()
    assert match.state.entries[-1].event.data.ruling is None


def test_an_unopened_sealed_move_loses_where_the_opening_says_so() -> None:
    match = adjourned()
    match.seal("swedes", "e4-e2")
    match.resume()
    assert match.state.result == FORFEIT
    assert "stays unopened" in views.log(match.state).events[-1].text


@pytest.mark.parametrize("text", ["e4-e2", "e4-a1"], ids=["unopened", "illegal"])
def test_or_the_arbiter_rules_on_it(text: str) -> None:
    match = adjourned("ruling")
    opens = match.seal("swedes", text)
    seal = match.state.seq
    match.resume(*(() if text == "e4-e2" else ("swedes", opens)))
    assert match.state.result is None
    assert match.state.phase is Phase.DISPUTED
    dispute = match.state.dispute
    assert dispute is not None
    assert (dispute.hash, dispute.seq, dispute.about) == (match.state.head, 7, seal)
    assert match.state.sealed is None
    match.state_words("muscovites", dispute.hash)
    match.rule(Dismissed())
    assert (match.state.phase, match.state.turn) == (Phase.IN_PLAY, "swedes")
    match.play("e4-d4")


def test_both_settle_what_a_sealed_move_was_worth() -> None:
    match = adjourned("ruling")
    match.seal("swedes", "e4-e2")
    match.resume()
    raised = match.state.head
    match.settle("swedes", raised)
    match.settle("muscovites", raised)
    match.play("e4-e2")


def test_a_rewind_gives_a_forfeited_game_back_with_no_move_sealed() -> None:
    match = adjourned()
    match.seal("swedes", "e4-e2")
    match.resume()
    match.rule(Rewind(to=4))
    assert (match.state.phase, match.state.turn) == (Phase.IN_PLAY, "swedes")
    match.play("e4-d4")


def test_a_sealed_move_lapses_when_the_game_is_set_back() -> None:
    match = adjourned()
    opens = match.seal("swedes", "e4-e2")
    match.rule(Rewind(to=2))
    assert (match.state.sealed, match.state.phase) == (None, Phase.ADJOURNED)
    with refused("no-seal"):
        match.resume("swedes", opens)
    match.resume()
    match.play("e3-f3")


def test_whoever_has_the_seat_later_opens_what_was_sealed() -> None:
    match = adjourned()
    opens = match.seal("swedes", "e4-e2")
    match.replace_key("swedes", None)
    with refused("no-key"):
        match.resume("swedes", opens)
    match.resume("arbiter", opens, "swedes")
    match.move("e4-e2", "arbiter", "swedes")


def test_a_move_that_was_read_is_not_escaped_by_another_adjournment() -> None:
    match = adjourned()
    match.resume("swedes", match.seal("swedes", "e4-e2"))
    with refused("sealed-move", "The sealed move e4-e2 is played first."):
        match.adjourn()
    with refused("sealed-move"):
        match.play("e4-d4")
    match.play("e4-e2")
    match.adjourn()
    match.seal("muscovites", "h2-h3")


def test_a_sealed_move_is_not_opened_twice() -> None:
    match = adjourned()
    opens = match.seal("swedes", "e4-e2")
    match.resume("swedes", opens)
    for by, given in (("swedes", Resumption(opened=opens)), ("arbiter", Resumption())):
        with refused("not-adjourned"):
            match.write("resumed", given, by)


@pytest.mark.parametrize(
    "given", [{}, {"ruleset": "tabula", "dice": BOTH}], ids=["tablut", "tabula"]
)
def test_the_log_says_when_the_game_rested(given: dict[str, Any]) -> None:
    match = Match(**given)
    match.adjourn(until="Sunday")
    match.resume()
    texts = [line.text for line in views.log(match.state).events]
    assert texts[-2:] == ["adjourned until Sunday", "resumed"]
