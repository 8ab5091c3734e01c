"""What the arbiter signs on the page: as the scribe of players without keys, and as the arbiter,
with the board as it will be."""

from __future__ import annotations

import pytest
from deskchair import Chair, Hall, chair, desk, disputes, hall, seated, window
from playwright.sync_api import expect
from table import accept, lay, play, resign

from ledger.events import CommitReveal, DrawOffer, Physical, SettlementOffer, TakebackOffer
from ledger.service import Draft

__all__ = ["chair", "desk", "hall", "seated", "window"]

pytest_plugins = ["browser"]


# -- the scribe ------------------------------------------------------------------------------


def test_a_move_is_typed_seen_and_signed_without_a_mouse(chair: Chair, hall: Hall) -> None:
    match = hall.opened()
    chair.sit_at(match)
    chair.page.focus("#field-notation")
    chair.page.keyboard.type("E3 f3")
    chair.page.keyboard.press("Enter")
    assert "Alba moves e3-f3" in chair.proposed()
    assert hall.state(match).seq == 0, "nothing is signed yet"
    expect(chair.page.locator("#proposal-title")).to_be_focused()
    chair.page.keyboard.press("Tab")
    chair.page.keyboard.press("Enter")
    expect(chair.page.locator(".outcome")).to_contain_text("Event 1 is signed and stored")
    digest = chair.page.inner_text(".outcome .groups").replace(" ", "").replace("\n", "")
    assert digest == hall.state(match).head
    expect(chair.page.locator("#field-notation")).to_be_focused()
    assert chair.page.input_value("#field-notation") == ""


def test_what_the_rules_refuse_is_said_with_its_reason(chair: Chair, hall: Hall) -> None:
    match = hall.opened()
    chair.sit_at(match)
    chair.type_move("e3-e5")
    assert "e5" in chair.refused()
    refusal = chair.key("refusal")
    code = refusal.get_attribute("data-code")
    assert code, "for programs"
    expect(refusal).not_to_contain_text(code)
    assert chair.focused() == "refusal"
    assert hall.state(match).seq == 0


def test_a_move_is_tapped_on_the_board(chair: Chair, hall: Hall) -> None:
    match = hall.opened()
    chair.sit_at(match)
    chair.key("place-e3").click()
    chair.key("place-f3").click()
    chair.key("move-e3-f3").click()
    assert "Alba moves e3-f3" in chair.proposed()
    assert chair.page.locator(".boards svg").count() == 2
    number, digest = chair.sign()
    assert (number, digest) == (1, hall.state(match).head)


def test_a_tap_hits_its_place_in_windows_of_any_form(chair: Chair, hall: Hall) -> None:
    chair.sit_at(hall.opened())
    for width, height in ((1280, 600), (900, 500), (740, 360), (1600, 700), (360, 740)):
        chair.page.set_viewport_size({"width": width, "height": height})
        for name in ("e3", "g5"):
            place = chair.key(f"place-{name}")
            place.click()
            expect(place).to_have_attribute("aria-selected", "true")
            place.click()
            expect(place).not_to_have_attribute("aria-selected", "true")


def test_two_clicks_sign_once(chair: Chair, hall: Hall) -> None:
    match = hall.opened()
    chair.sit_at(match)
    chair.type_move("e3-f3")
    chair.proposed()
    chair.page.evaluate("""() => {
        const sign = document.querySelector('[data-key="sign"]');
        sign.click();
        sign.click();
    }""")
    chair.page.wait_for_selector(".outcome")
    assert hall.state(match).seq == 1
    assert chair.page.locator(".refused").count() == 0


def test_dice_on_the_table_are_written_down_confirmed_and_played(chair: Chair, hall: Hall) -> None:
    match = hall.opened(name="tabula", dice=Physical(confirm=True))
    chair.sit_at(match)
    chair.page.fill("#field-dice", "6 1")
    chair.page.press("#field-dice", "Enter")
    assert "6-1" in chair.proposed()
    chair.sign()
    chair.page.get_by_role("button", name="Confirm for them …").click()
    chair.proposed()
    assert chair.sign()[0] == 2
    chair.unfold("void")
    chair.page.fill("#field-void-reason", "a die was cocked")
    chair.key("void-form-send").click()
    chair.proposed()
    assert chair.sign()[0] == 3
    assert hall.state(match).rolling.rolls[-1].voided


def test_dice_of_the_wrong_number_are_not_even_proposed(chair: Chair, hall: Hall) -> None:
    match = hall.opened(name="tabula", dice=Physical(confirm=False))
    chair.sit_at(match)
    chair.page.fill("#field-dice", "6-1-1")
    chair.page.press("#field-dice", "Enter")
    assert chair.lacks("dice") == "Write 2 dice like 3-5."


def test_the_scribe_answers_an_offer_by_its_hash(chair: Chair, hall: Hall) -> None:
    offers = lambda _: Draft("offer.made", DrawOffer(), "swedes")  # noqa: E731
    match = hall.opened(accept("swedes"), play("e3-f3"), offers, keyed=("swedes",))
    made = hall.state(match).offers[0].hash
    chair.sit_at(match)
    chair.key(f"agree-{made}").click()
    assert "draw" in chair.proposed()
    chair.sign()
    result = hall.state(match).result
    assert result is not None
    assert result.kind == "draw"


def test_a_player_without_a_key_resigns_and_the_match_is_closed(chair: Chair, hall: Hall) -> None:
    match = hall.opened()
    chair.sit_at(match)
    chair.unfold("for-players")
    chair.page.select_option("#field-resign-seat", "muscovites")
    chair.key("resign-form-send").click()
    assert "resign" in chair.proposed()
    chair.sign()
    chair.key("close").click()
    assert "Close the match" in chair.proposed()
    chair.sign()
    state = hall.state(match)
    assert state.closed is not None
    assert state.closed.winner == "swedes"


def test_the_arbiters_own_dice_come_by_themselves(chair: Chair, hall: Hall) -> None:
    match = hall.opened(name="tabula", dice=CommitReveal(contributors=("arbiter",)))
    chair.sit_at(match)
    chair.key("throw").click()
    assert "Throw for this player" in chair.proposed()
    chair.sign()
    expect(chair.page.locator(".log")).to_contain_text("opens roll 1")
    assert hall.state(match).rolling.rolls


def test_coins_are_moved_by_dice_on_the_table(chair: Chair, hall: Hall) -> None:
    match = hall.opened(lay(6, 5), name="tablero", dice=Physical(confirm=False))
    chair.sit_at(match)
    chair.page.fill("#field-dice", "2 3")
    chair.page.press("#field-dice", "Enter")
    chair.proposed()
    chair.sign()
    legal = hall.state(match).game.legal(hall.state(match).position)
    chair.type_move(legal[0].typed)
    assert legal[0].text in chair.proposed()
    chair.sign()
    assert hall.state(match).seq == 3


def test_a_takeback_is_offered_for_a_player(chair: Chair, hall: Hall) -> None:
    match = hall.opened(play("e3-f3"))
    chair.sit_at(match)
    chair.unfold("for-players")
    chair.page.select_option("#field-offer-seat", "swedes")
    chair.page.select_option("#field-offer-kind", "takeback")
    chair.page.fill("#field-offer-event", "9")
    chair.key("offer-form-send").click()
    assert "Name an act of the game that stands" in chair.lacks("offer-event")
    chair.page.fill("#field-offer-event", "1")
    chair.key("offer-form-send").click()
    chair.proposed()
    chair.sign()
    assert [each.terms for each in hall.state(match).offers] == [TakebackOffer(to=0)]


def test_a_settlement_is_offered_and_agreed_to(chair: Chair, hall: Hall) -> None:
    match = hall.opened(lay(5, 3), name="tablero", dice=Physical(confirm=False))
    chair.sit_at(match)
    chair.unfold("for-players")
    chair.page.select_option("#field-offer-seat", "south")
    chair.page.select_option("#field-offer-kind", "settlement")
    chair.page.fill("#field-offer-split", "twenty")
    chair.key("offer-form-send").click()
    assert chair.lacks("offer-split").startswith("A division is written 20-16")
    chair.page.fill("#field-offer-split", "20-16")
    chair.key("offer-form-send").click()
    assert "(South) 20, " in chair.proposed()
    chair.sign()
    (offer,) = hall.state(match).offers
    assert offer.terms == SettlementOffer(split=(20, 16))
    chair.key(f"agree-{offer.hash}").click()
    chair.proposed()
    chair.sign()
    result = hall.state(match).result
    assert result is not None
    assert result.how == "settled"


def test_a_draw_is_claimed_for_a_player(chair: Chair, hall: Hall) -> None:
    there_and_back = (play(each) for each in ("e3-f3", "e2-h2", "f3-e3", "h2-e2") * 2)
    match = hall.opened(*there_and_back)
    chair.sit_at(match)
    chair.unfold("for-players")
    chair.key("claim").click()
    assert "claims a draw" in chair.proposed()
    chair.sign()
    result = hall.state(match).result
    assert result is not None
    assert result.kind == "draw"


def test_the_game_rests_and_goes_on_and_words_are_kept(chair: Chair, hall: Hall) -> None:
    match = hall.opened(play("e3-f3"))
    chair.sit_at(match)
    chair.unfold("adjourn")
    chair.page.fill("#field-until", "Sunday, ten o'clock")
    chair.key("adjourn-form-send").click()
    assert "Sunday" in chair.proposed()
    chair.sign()
    chair.key("resume").click()
    chair.proposed()
    chair.sign()
    assert hall.state(match).adjourned is None
    chair.unfold("words")
    chair.page.fill("#field-dispute-event", "1")
    chair.page.fill("#field-dispute-text", "Bruno says: it was\nnot my turn")
    chair.key("dispute-form-send").click()
    assert "it was not my turn" in chair.proposed()
    chair.sign()
    chair.page.select_option("#field-statement-seat", "muscovites")
    chair.page.fill("#field-statement-text", "I saw it")
    chair.key("statement-form-send").click()
    chair.proposed()
    chair.sign()
    expect(chair.page.locator(".officials")).to_contain_text("Bruno states: I saw it")


def test_who_does_not_sign_the_result_is_written_down(chair: Chair, hall: Hall) -> None:
    seats = tuple(accept(seat) for seat in ("swedes", "muscovites"))
    match = hall.opened(*seats, resign("swedes"), keyed=("swedes", "muscovites"))
    chair.sit_at(match)
    chair.key("close").click()
    chair.proposed()
    chair.sign()
    chair.unfold("unwilling")
    chair.page.select_option("#field-unwilling-seat", "swedes")
    chair.page.fill("#field-unwilling-reason", "  went home  angry ")
    chair.key("unwilling-form-send").click()
    assert "went home angry" in chair.proposed()
    chair.sign()
    assert hall.state(match).sheet.refused  # type: ignore[union-attr]


# -- rulings ---------------------------------------------------------------------------------


def test_an_act_is_taken_back_after_a_look_at_the_board(chair: Chair, hall: Hall) -> None:
    match = hall.opened(play("e3-f3"), play("e2-h2"))
    chair.sit_at(match)
    chair.key("take-back-2").click()
    expect(chair.page.locator("#correcting-title")).to_be_focused()
    chair.page.fill("#field-correct-reason", "mistyped")
    chair.key("correct-form-send").click()
    chair.proposed()
    now, then = chair.page.locator(".boards svg").all()
    assert now.locator('[data-place="h2"][data-piece]').count() == 1
    assert then.locator('[data-place="h2"][data-piece]').count() == 0
    assert hall.state(match).seq == 2, "a look signs nothing"
    chair.sign()
    assert hall.state(match).turn == "muscovites"
    expect(chair.key("event-2").locator("s")).to_be_visible()


def test_a_dispute_is_ruled_on_with_a_penalty(chair: Chair, hall: Hall) -> None:
    match = hall.opened(
        accept("swedes"), play("e3-f3"), play("e2-h2"), disputes(3, "swedes"), keyed=("swedes",)
    )
    chair.sit_at(match)
    chair.unfold("ruling", "penalties")
    chair.page.fill("#field-ruling-reason", "the rook jumped")
    chair.page.fill("#field-ruling-rule", "event rules 2")
    chair.page.select_option("#field-ruling-effect", "rewind")
    chair.page.fill("#field-ruling-to", "2")
    chair.page.select_option("#field-penalty-kind", "warning")
    chair.page.select_option("#field-penalty-seat", "muscovites")
    chair.key("ruling-form-send").click()
    told = chair.proposed()
    assert "the rook jumped" in told
    assert "warning" in told
    chair.sign()
    state = hall.state(match)
    assert state.dispute is None
    assert state.turn == "muscovites"
    assert [(each.seat, each.penalty) for each in state.penalties] == [("muscovites", "warning")]


@pytest.mark.parametrize(
    ("effect", "fields", "kind"),
    [
        ("result", {"ruling-result": "forfeit", "ruling-winner": "muscovites"}, "forfeit"),
        ("position", {}, None),
        ("dismiss", {}, None),
    ],
)
def test_the_ruling_does_what_was_chosen(
    chair: Chair, hall: Hall, effect: str, fields: dict[str, str], kind: str | None
) -> None:
    match = hall.opened(accept("swedes"), play("e3-f3"), disputes(2, "swedes"), keyed=("swedes",))
    before = hall.state(match)
    chair.sit_at(match)
    chair.unfold("ruling")
    chair.page.fill("#field-ruling-reason", "decided")
    chair.page.fill("#field-ruling-rule", "event rules 1")
    chair.page.select_option("#field-ruling-effect", effect)
    for name, value in fields.items():
        chair.page.select_option(f"#field-{name}", value)
    if effect == "position":
        start = before.game.position(before.moments[0].game)
        chair.page.fill("#field-ruling-position", f"  {start} ")
    chair.key("ruling-form-send").click()
    chair.proposed()
    chair.sign()
    state = hall.state(match)
    assert state.dispute is None
    assert (state.result.kind if state.result else None) == kind
    if effect == "position":
        assert state.position == before.moments[0].game


@pytest.mark.parametrize("effect", ["award", "contributors"])
def test_a_roll_that_is_not_opened_is_ruled_on(chair: Chair, hall: Hall, effect: str) -> None:
    match = hall.thrown().match
    chair.sit_at(match)
    expect(chair.key("awaited")).to_contain_text("It waits to be opened by Bruno (black)")
    chair.unfold("ruling")
    chair.page.fill("#field-ruling-reason", "Bruno's phone is lost")
    chair.page.fill("#field-ruling-rule", "event rules 3")
    chair.page.select_option("#field-ruling-effect", effect)
    if effect == "award":
        chair.page.fill("#field-ruling-award", "6-1")
    else:
        chair.page.check("#field-makers-white")
        chair.page.check("#field-makers-arbiter")
    chair.key("ruling-form-send").click()
    assert ("6-1" in chair.proposed()) == (effect == "award")
    chair.sign()
    state = hall.state(match)
    if effect == "award":
        assert state.rolling.rolls[-1].dice == (6, 1)
    else:
        assert state.contributors == ("white", "arbiter")


def test_what_a_ruling_needs_is_said_at_the_empty_field(chair: Chair, hall: Hall) -> None:
    match = hall.opened(play("e3-f3"))
    chair.sit_at(match)
    chair.unfold("ruling")
    expect(chair.page.get_by_label("The rule that it rests on (needed)")).to_have_count(1)
    chair.page.fill("#field-ruling-reason", "it fell over")
    chair.key("ruling-form-send").click()
    assert chair.lacks("ruling-rule") == "This is needed."
    chair.page.keyboard.type("event rules 1")
    expect(chair.page.locator("#field-ruling-rule")).not_to_have_attribute("aria-invalid", "true")
    chair.page.select_option("#field-ruling-effect", "rewind")
    chair.page.fill("#field-ruling-to", "7")
    chair.key("ruling-form-send").click()
    assert chair.lacks("ruling-to") == "This is an event from 0 to 1."
    assert chair.page.input_value("#field-ruling-reason") == "it fell over"


def test_a_position_that_is_none_is_refused_and_the_words_are_kept(
    chair: Chair, hall: Hall
) -> None:
    match = hall.opened(play("e3-f3"))
    chair.sit_at(match)
    chair.unfold("ruling")
    chair.page.fill("#field-ruling-reason", "a piece fell over")
    chair.page.fill("#field-ruling-rule", "event rules 1")
    chair.page.select_option("#field-ruling-effect", "position")
    chair.page.fill("#field-ruling-position", "nonsense")
    chair.key("ruling-form-send").click()
    assert chair.refused()
    assert chair.page.input_value("#field-ruling-reason") == "a piece fell over"
