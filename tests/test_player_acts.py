"""What a player does at the page, in a real browser at a real server: dice, the acts of the games,
offers, disputes, a new key, the end."""

from __future__ import annotations

import os
from pathlib import Path

from playerseat import (
    Opponent,
    Player,
    Sit,
    alba,
    ledger,
    overtaken,
    pocket,
    ruled,
    seated,
    server,
    service,
    sit,
    tablero,
)
from playwright.sync_api import Browser, expect
from server import Client, wait_for
from table import ARBITER, WITNESS, clock, close, countersign, does, lay, note, play, resign

from ledger.events import (
    Answer,
    Complaint,
    Confirmation,
    DrawOffer,
    Evidence,
    GivenResult,
    Officer,
    Physical,
    Replacement,
    SetPosition,
    SettlementOffer,
    Settling,
)
from ledger.inspection import inspect_record, trust
from ledger.service import Draft, Plan, Service
from ledger.tables import Replacing, Tables, beside

__all__ = ["alba", "ledger", "pocket", "seated", "server", "service", "sit"]

pytest_plugins = ["browser"]


# -- dice ----------------------------------------------------------------------------------------


def thrown(table: Opponent, number: int) -> None:
    """Bruno opens his number for a roll that Alba has thrown."""
    wait_for(lambda: table.state.rolling.flight and table.state.rolling.number == number)
    table.open_number()


def test_tabula_is_thrown_and_played_step_by_step(alba: Player, sit: Sit) -> None:
    table = sit("tabula", diced=True)
    alba.turn("Your throw")
    wait_for(lambda: len(table.state.rolling.commitments) == 2)
    alba.press("Throw")
    alba.says("is opened by Bruno (Black)", ".awaited")
    thrown(table, 1)
    while table.state.turn != "white" or not table.state.game.thrown(table.state.position):
        number = table.state.rolling.number
        if table.state.game.wanted(table.state.position).seat == "white":
            expect(alba.page.locator('[data-key="throw"]')).to_be_visible()
            alba.press("Throw")
            thrown(table, number)
            table.landed(number)
        else:
            table.throw()
            table.landed(number)
            state = table.state
            legal = state.game.legal(state.position)
            table.write(does(legal[0].kind, legal[0].text))
    state = table.state
    dice = state.game.thrown(state.position)
    alba.says("-".join(map(str, dice)), ".lying")
    alba.sees_her_moves()
    assert alba.movable() == {"hand"}
    alba.tap("hand")
    alba.tap(min(alba.targets(), key=int))
    left = alba.text(".lying strong")
    assert left.count("-") == 1
    while not alba.page.locator(".inhand button.main").count():
        alba.tap(sorted(alba.movable(), key=lambda name: name != "hand")[0])
        alba.tap(min(alba.targets(), key=int))
    alba.says("The dice in this order", ".inhand")
    alba.page.locator(".inhand button.main").click()
    wait_for(lambda: table.types()[-1] == "move")
    assert sorted(table.last().data.dice) == sorted(dice)
    assert not alba.barriers()


def test_tablero_moves_two_coins_in_any_order(alba: Player, sit: Sit) -> None:
    table = tablero(sit, (3, 5))
    alba.turn()
    alba.says("3-5", ".lying")
    state = table.state
    move = next(each for each in state.game.legal(state.position) if " " in each.text)
    (one, there), (other, goal) = (word.split("-") for word in move.text.split())
    alba.tap(other, goal)
    alba.says(f"Not signed yet: {other} to {goal}")
    alba.tap(one, there)
    alba.press(f"Sign {move.text}")
    wait_for(lambda: table.types()[-1] == "move")
    assert table.last().data.move == move.text


def test_tablero_is_wagered_pulled_run_and_stopped_with_buttons(alba: Player, sit: Sit) -> None:
    """The arbiter sets up each position, and what he did is appealed against."""
    table = tablero(sit, (3, 4), appeal=Officer(name="Yves", key=WITNESS.public.line))
    alba.turn()
    assert not alba.movable()
    expect(alba.button("pass …")).to_be_visible()
    alba.signs("wager …")
    wait_for(lambda: table.types()[-1] == "wager")
    table.write(ruled(SetPosition(position="4442354 26,3 0 0 south decide")))
    alba.signs("pull 4a-c …")
    wait_for(lambda: table.types()[-1] == "pull")
    assert (table.last().data.pull, table.last().by) == ("4a-c", "south")
    table.write(ruled(SetPosition(position="4444444 15,14 0 0 south decide")))
    ruling = table.head
    alba.signs("run …")
    wait_for(lambda: table.types()[-1] == "run")
    table.write(lay(1, 2))
    alba.says("pot: 2", ".counts")
    alba.signs("stop …")
    wait_for(lambda: table.types()[-1] == "stop")
    alba.unfold("Dispute, statement, appeal")
    field = alba.page.get_by_label("Against")
    expect(field.locator("option")).to_have_count(2)
    field.select_option(index=0)
    alba.page.locator("#field-appeal").fill("that was not the position")
    alba.signs("Appeal …")
    wait_for(lambda: table.types()[-1] == "appeal")
    assert (table.last().data.against, table.last().by) == (ruling, "south")
    alba.hears("Signed: event 12")


def test_tablero_calls_diablo_while_the_other_side_moves(alba: Player, sit: Sit) -> None:
    table = sit("tablero", dice=Physical(confirm=False), second=True, options={"diablo": "called"})
    table.write(lay(5, 3), lay(3, 4))
    alba.signs("diablo …")
    wait_for(lambda: table.types()[-1] == "diablo")


def test_dice_on_the_table_are_written_down_confirmed_and_voided(alba: Player, sit: Sit) -> None:
    table = sit("tabula", dice=Physical(confirm=True))
    alba.turn("Your throw")
    alba.page.locator('[name="die0"][value="6"]').check()
    alba.press("Write these dice down …")
    alba.says("Say for each die what it shows", ".refused")
    alba.page.locator('[name="die1"][value="2"]').check()
    alba.signs("Write these dice down …")
    wait_for(lambda: table.types()[-1] == "roll.recorded")
    alba.says("That waits for Bruno")
    assert table.last().data.dice == (6, 2)
    table.does("roll.confirmed", Confirmation(confirms=table.head))
    alba.turn("Your throw")
    assert not alba.barriers()
    table.write(lay(2, 5, 6))
    alba.turn("Tabellion")
    table.does("roll.confirmed", Confirmation(confirms=table.head))
    alba.turn("Your move")
    alba.unfold("do not count")
    alba.page.get_by_label("Why").fill("one is cocked")
    alba.press("Ask …")
    alba.sign()
    wait_for(lambda: table.types()[-1] == "roll.voided")
    alba.says("The dice 2-5-6 are to be void")
    table.does("roll.confirmed", Confirmation(confirms=table.head))
    alba.turn("Your throw")


def test_dice_that_are_not_played_are_shown_with_what_came_of_them(alba: Player, sit: Sit) -> None:
    table = sit("tabula", dice=Physical(confirm=False))
    for dice, words in (((6, 6), "roll 1: 6-6, a tie."), ((4, 1), "roll 2: 4-1, Alba begins.")):
        table.write(lay(*dice))
        alba.says(words, ".now .lying")
        expect(alba.page.locator(".now .lying svg")).to_have_attribute(
            "data-dice", "-".join(map(str, dice))
        )
        alba.hears(words)
    table.write(lay(1, 2, 3))
    alba.says("1-2-3", ".field .lying")
    expect(alba.page.locator(".now .lying")).to_have_count(0)


def test_the_other_sides_dice_are_confirmed(alba: Player, sit: Sit) -> None:
    table = sit("tabula", dice=Physical(confirm=True), second=True)
    table.write(lay(6, 2, by=table.other))
    alba.turn("Confirm the dice")
    alba.signs("Confirm 6-2 …")
    wait_for(lambda: table.types()[-1] == "roll.confirmed")


# -- offers, disputes, the end -------------------------------------------------------------------


def test_an_offer_is_answered_by_its_hash(alba: Player, sit: Sit) -> None:
    table = sit()
    offer = table.does("offer.made", DrawOffer()) and table.head
    alba.says("Bruno (Muscovites) offers a draw", ".offer")
    alba.says("You are asked: Bruno (Muscovites) offers a draw.", ".standing")
    assert not alba.barriers()
    alba.signs("Agree …")
    wait_for(lambda: table.types()[-1] == "offer.accepted")
    assert table.last().data.offer == offer
    alba.says("The players agreed to a draw")


def test_a_question_that_the_match_has_left_behind_is_not_answered(alba: Player, sit: Sit) -> None:
    table = sit()
    table.does("offer.made", DrawOffer())
    alba.press("Agree …")
    expect(alba.page.locator(".question")).to_be_visible()
    table.does("dispute.raised", Complaint(event=2, text="that was not agreed"))
    alba.says("nothing was signed")
    assert not alba.page.locator(".question").count()
    alba.hears("The match has gone on since you were asked")
    assert table.types()[-1] == "dispute.raised"


def test_offers_are_made_declined_and_stand(alba: Player, sit: Sit) -> None:
    table = sit()
    alba.tap("e3", "f3")
    alba.press("Sign e3-f3")
    alba.says("Bruno (Muscovites) to move")
    alba.unfold("Offer, claim, resign")
    alba.press("Offer to take back …")
    alba.says("Event 3 and what followed", ".question")
    alba.sign()
    wait_for(lambda: table.types()[-1] == "offer.made")
    assert table.last().data.to == 2
    alba.says("You have offered to go back: the game stands as after event 2")
    table.does("offer.declined", Answer(offer=table.head))
    alba.hears("Bruno (Muscovites) declines the offer of event 4")
    alba.signs("Offer a draw …")
    alba.says("You have offered a draw")
    assert not alba.barriers()


def test_what_the_match_does_not_allow_is_said(alba: Player, sit: Sit) -> None:
    sit(takebacks=False)
    alba.unfold("Offer, claim, resign")
    alba.says("This match was opened without takebacks")
    assert not alba.button("Offer to take back").count()
    assert not alba.button("Offer to settle").count()


def test_a_settlement_is_offered_in_points(alba: Player, sit: Sit) -> None:
    table = tablero(sit, (3, 4))
    alba.turn()
    alba.unfold("Offer, claim, resign")
    alba.page.get_by_label("For Alba").fill("20")
    alba.page.get_by_label("For Bruno").fill("15")
    alba.signs("Offer to settle …")
    alba.says("the shares of South and North make 36", ".refused")
    alba.says("Did not go through: offer made")
    alba.page.get_by_label("For Bruno").fill("16")
    alba.signs("Offer to settle …")
    wait_for(lambda: table.types()[-1] == "offer.made")
    assert table.last().data.split == (20, 16)
    alba.press("Dismiss")
    expect(alba.page.get_by_label("Did not go through")).to_have_count(0)
    alba.unfold("All signed events")
    alba.unfold("Signed here and refused (1)")
    alba.says("offer made settlement", '[data-key="refused"]')
    alba.says("the shares of South and North make 36", '[data-key="refused"]')
    alba.unfold("As it was signed")
    alba.says('{"payload":"', '[data-key="refused"]')
    assert not alba.barriers()
    assert not alba.sideways()
    table.does("offer.declined", Answer(offer=table.head))
    table.does("offer.made", SettlementOffer(split=(18, 18)))
    alba.says("Bruno (North) offers a settlement: Alba (South) 18, Bruno (North) 18", ".offer")
    alba.signs("Agree …")
    wait_for(lambda: table.types()[-1] == "offer.accepted")
    assert table.state.result is not None
    alba.says("The arbiter closes the match")


def test_resigning_takes_two_steps(alba: Player, sit: Sit) -> None:
    table = sit()
    alba.unfold("Offer, claim, resign")
    alba.press("Resign …")
    alba.says("The game goes to Bruno", ".question")
    assert table.state.seq == 2
    alba.sign()
    wait_for(lambda: table.types()[-1] == "resigned")


def test_a_draw_is_claimed_where_the_rules_allow_it(alba: Player, service: Service) -> None:
    """Alba comes with her phone when the arbiter has written her moves already."""
    table = Opponent(service, None, options={"repetition": "claim"})
    there_and_back = ("e3-f3", "d1-c1", "f3-e3", "c1-d1")
    table.write(*map(play, there_and_back), *map(play, there_and_back[:2]), replaces(alba.line))
    alba.sits(table.match)
    alba.tap("f3", "e3")
    alba.press("Sign f3-e3")
    wait_for(lambda: table.types()[-1] == "move")
    alba.unfold("Offer, claim, resign")
    expect(alba.button("Offer a draw …")).to_be_visible()
    assert not alba.button("Claim a draw").count()
    table.write(play("c1-d1"))
    alba.press("Claim a draw …")
    alba.says("for the third time", ".question")
    alba.sign()
    wait_for(lambda: table.types()[-1] == "draw.claimed")


def replaces(line: str) -> Plan:
    """The arbiter puts a key in for Alba."""
    given = Replacement(role="swedes", name="Alba", key=line, reason="She has a phone now.")
    return lambda _: Draft("key.replaced", given, "arbiter")


def test_a_new_phone_takes_the_seat_and_plays_on_and_the_old_one_is_told(
    alba: Player, sit: Sit, chromium: Browser, server: Client, ledger: Path
) -> None:
    table = sit()
    alba.tap("e3", "f3")
    alba.press("Sign e3-f3")
    wait_for(lambda: table.state.seq == 3)
    plan = Replacing(
        **{
            "match": table.match,
            "role": "swedes",
            "name": "Alba",
            "reason": "it fell in the tea",
        },
        **{"ruleset": "tablut", "arbiter": "Zoë", "table": None, "old": alba.line},
    )
    with Tables.open(beside(ledger), create=True) as found:
        keyid = ARBITER.public.fingerprint
        _, codes = found.set_out(plan, keyid, {"swedes": "Alba"}, clock(), os.urandom)
    with chromium.new_context() as context, context.new_page() as page:
        new = Player(page, server, "")
        new.go(f"#{codes['swedes']}")
        new.says("You take this seat with a new key")
        alba.says("The arbiter has put another key in the place of this phone's")
        for words in ("Sign", "Offer", "Resign", "Read it"):
            assert not alba.button(words).count()
        assert not alba.movable()
        assert not alba.barriers()
        new.press("Accept this match")
        new.says("Bruno (Muscovites) to move")
        table.write(play("e2-h2"))
        new.turn()
        new.tap("f3", "e3")
        new.press("Sign f3-e3")
        wait_for(lambda: table.types()[-1] == "move" and table.last().by == "swedes")
        assert not new.complaints
    keys = [entry.keyid for entry in table.state.entries if entry.event.by == "swedes"]
    assert len(set(keys[:2])) == len(set(keys[2:])) == 1
    assert keys[0] != keys[-1]
    assert alba.page.title() == "Tabellion: at the table"


def test_what_is_mostly_complained_of_is_the_last_act_of_the_other(alba: Player, sit: Sit) -> None:
    table = sit()
    alba.unfold("Dispute, statement, appeal")
    chosen = alba.page.get_by_label("The event that is wrong")
    expect(chosen).to_have_value("2")  # nobody has acted: the latest
    for one, two, answer in (("e3", "f3", "e2-h2"), ("e4", "e2", "")):
        alba.tap(one, two)
        alba.press(f"Sign {one}-{two}")
        wait_for(lambda: (table.types()[-1], table.last().by) == ("move", "swedes"))
        if answer:
            table.write(play(answer))
            alba.turn()
    expect(chosen).to_have_value("4")


def test_a_dispute_is_raised_spoken_to_and_settled(alba: Player, sit: Sit) -> None:
    table = sit()
    alba.tap("e3", "f3")
    alba.press("Sign e3-f3")
    wait_for(lambda: table.state.seq == 3)
    alba.unfold("Dispute, statement, appeal")
    alba.page.get_by_label("The event that is wrong").select_option("3")
    alba.page.get_by_label("What is wrong with it").fill("I meant <b>e3-g3</b>.")
    alba.signs("Raise a dispute …")
    wait_for(lambda: table.types()[-1] == "dispute.raised")
    assert (table.last().data.event, table.last().data.text) == (3, "I meant <b>e3-g3</b>.")
    dispute = table.head
    alba.says("The game is held up", ".warning")
    alba.says("I meant <b>e3-g3</b>.", ".warning")
    assert ".." not in alba.text(".warning")
    table.does("statement", Evidence(about=dispute, text="she let go of it"))
    alba.hears("Bruno (Muscovites) states about event 4: she let go of it")
    alba.page.get_by_label("What you have to say").fill("my sleeve")
    alba.signs("Make a statement …")
    wait_for(lambda: table.types()[-1] == "statement" and table.last().by == "swedes")
    assert not alba.barriers()
    alba.signs("End it by agreement …")
    wait_for(lambda: table.types()[-1] == "dispute.settled")
    table.does("dispute.settled", Settling(dispute=dispute))
    expect(alba.page.get_by_label("A dispute")).to_have_count(0)


def test_the_result_is_countersigned_with_its_hash(alba: Player, sit: Sit) -> None:
    table = sit()
    table.write(resign(table.other))
    alba.says("The arbiter closes the match")
    table.write(close())
    closing = table.head
    alba.turn("Your signature")
    shown = alba.page.locator(".end .groups").inner_text()
    assert "".join(shown.split()) == closing
    assert not alba.barriers()
    alba.signs("Countersign …")
    wait_for(lambda: table.types()[-1] == "countersigned")
    assert table.last().data.result_event == closing
    alba.says("Countersigned by Alba (Swedes)")
    expect(alba.button("Countersign …")).to_have_count(0)
    with alba.page.expect_download() as kept:
        alba.page.get_by_role("link", name="Keep the record").click()
    found = inspect_record(kept.value.path().read_bytes(), trust(None, table.head))
    assert found.verdict == "sound"


def test_a_result_is_countersigned_whatever_others_sign_in_the_same_moment(
    alba: Player, sit: Sit
) -> None:
    table = sit()
    table.write(resign(table.other), close())
    closing = table.head
    alba.press("Countersign …")
    expect(alba.page.locator(".question")).to_be_visible()
    table.write(countersign(table.other))
    alba.hears("Bruno (Muscovites) countersigns")
    with overtaken(alba, table, note("thank you both")):
        alba.sign()
        alba.says("Countersigned by Bruno (Muscovites), Alba (Swedes)")
    assert table.types()[-3:] == ["countersigned", "note", "countersigned"]
    assert table.last().data.result_event == closing
    expect(alba.page.locator(".refused, .warning, .question")).to_have_count(0)


def test_a_result_that_is_another_meanwhile_is_not_countersigned(alba: Player, sit: Sit) -> None:
    table = sit()
    table.write(resign(table.other), close())
    alba.press("Countersign …")
    expect(alba.page.locator(".question")).to_be_visible()
    table.write(ruled(GivenResult(kind="draw")))
    alba.says("nothing was signed")
    assert not alba.page.locator(".question").count()
    assert "countersigned" not in table.types()
