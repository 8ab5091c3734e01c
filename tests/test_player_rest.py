"""A game that rests, at the player's page in a real browser: a move is sealed, kept by the phone
alone, and opened when the game goes on."""

from __future__ import annotations

from base64 import b64decode

from playerseat import (
    Opponent,
    Player,
    Sit,
    alba,
    ledger,
    pocket,
    seated,
    server,
    service,
    sit,
)
from playwright.sync_api import BrowserContext, Request, expect
from server import wait_for
from table import lay, note, play

from ledger.events import Adjournment, Physical, Resumption
from ledger.service import Draft, Plan

__all__ = ["alba", "ledger", "pocket", "seated", "server", "service", "sit"]

pytest_plugins = ["browser"]

OVER_NIGHT: Plan = lambda _: Draft(  # noqa: E731
    "adjourned", Adjournment(until="Sunday, ten o'clock"), "arbiter"
)
GOES_ON: Plan = lambda _: Draft("resumed", Resumption(), "arbiter")  # noqa: E731


def adjourned(alba: Player, sit: Sit) -> Opponent:
    """Alba is to move in a game of Tablut that the arbiter has just adjourned."""
    table = sit()
    alba.sees_her_moves()
    table.write(OVER_NIGHT)
    alba.says("Adjourned until Sunday, ten o'clock")
    alba.says("you may seal your move now")
    return table


def seals(alba: Player, table: Opponent, text: str) -> str:
    """She makes the move on the board and seals it. What binds her to it."""
    alba.tap(*text.split("-"))
    alba.signs(f"Seal {text} …")
    wait_for(lambda: table.types()[-1] == "adjourned" and table.last().by == table.seat)
    return str(table.last().data.sealed)


def test_who_looks_for_a_way_to_adjourn_is_sent_to_the_arbiter(alba: Player, sit: Sit) -> None:
    sit()
    alba.turn()
    alba.unfold("Offer, claim, resign")
    alba.says("To break the game off for a while, ask the arbiter, Zoë (arbiter)")


def test_a_move_is_sealed_and_nobody_is_told_which_until_it_is_opened(
    alba: Player, sit: Sit
) -> None:
    table = adjourned(alba, sit)
    asked: list[Request] = []
    alba.page.on("request", lambda request: asked.append(request))
    alba.tap("e3", "f3")
    alba.says("Not sealed yet: e3 to f3")
    alba.press("Seal e3-f3 …")
    alba.says("Nobody sees it before you open it", ".question")
    alba.says("if it stays unopened, you lose the game", ".question")
    assert not alba.barriers()
    alba.sign()
    wait_for(lambda: table.types()[-1] == "adjourned" and table.last().by == "swedes")
    alba.says("You have sealed a move")
    table.write(note("good night"))
    alba.hears("good night")
    alba.page.reload()
    alba.turn("Your sealed move")
    assert not alba.barriers()
    assert not alba.sideways()
    assert not any(told(request, "e3-f3") for request in asked)
    alba.press("Open the sealed move …")
    alba.says("e3-f3", ".question")
    alba.sign()
    wait_for(lambda: table.types()[-2:] == ["resumed", "move"])
    assert (table.last().data.move, table.last().by) == ("e3-f3", "swedes")
    alba.says("Bruno (Muscovites) to move")
    assert any(told(request, "e3-f3") for request in asked)


def told(request: Request, words: str) -> bool:
    """Whether a request says something, in its address or in what is signed."""
    body = request.post_data_json if request.post_data else {}
    signed = b64decode(body.get("payload", "")).decode()
    return words in request.url or words in signed


def test_a_move_to_seal_is_typed_and_read_on_the_phone(alba: Player, sit: Sit) -> None:
    table = adjourned(alba, sit)
    asked: list[Request] = []
    alba.page.on("request", lambda request: asked.append(request))
    field = alba.page.get_by_label("Or type it")
    field.fill("e5-e9")
    field.press("Enter")
    alba.says("What you typed is none of your legal moves", ".refused")
    field.fill("E3 f3")
    alba.signs("Seal it …")
    wait_for(lambda: table.types()[-1] == "adjourned" and table.last().by == "swedes")
    assert not [request.url for request in asked if "/read" in request.url]
    assert alba.page.evaluate("document.querySelector('#field-sealing')") is None


def test_what_is_sealed_without_a_connection_is_sent_later_and_can_be_opened(
    alba: Player, sit: Sit, pocket: BrowserContext
) -> None:
    table = adjourned(alba, sit)
    alba.tap("e3", "f3")
    alba.press("Seal e3-f3 …")
    pocket.set_offline(True)
    try:
        alba.sign()
        alba.says("Signed and kept: event 4")
    finally:
        pocket.set_offline(False)
    wait_for(lambda: table.state.seq == 4)
    alba.signs("Open the sealed move …")
    wait_for(lambda: table.types()[-1] == "move")


def test_a_seal_that_was_opened_when_the_line_broke_is_played_with_a_button(
    alba: Player, sit: Sit, pocket: BrowserContext
) -> None:
    table = adjourned(alba, sit)
    seals(alba, table, "e3-f3")
    alba.press("Open the sealed move …")
    pocket.set_offline(True)
    try:
        alba.sign()
        alba.says("Signed and kept: event 5")
    finally:
        pocket.set_offline(False)
    alba.says("The move that was sealed is played first")
    assert not alba.movable()
    assert not alba.page.get_by_label("Or type it").count()
    alba.press("Sign e3-f3")
    wait_for(lambda: table.types()[-2:] == ["resumed", "move"])


def test_after_a_reload_the_phone_still_knows_what_can_be_sealed(alba: Player, sit: Sit) -> None:
    table = adjourned(alba, sit)
    alba.page.reload()
    alba.says("you may seal your move now")
    seals(alba, table, "e4-f4")


def test_a_phone_that_was_not_there_says_who_can_help(alba: Player, sit: Sit) -> None:
    """Bruno moves and the game is adjourned before her phone has asked what she may do."""
    table = sit()
    alba.tap("e3", "f3")
    alba.press("Sign e3-f3")
    alba.says("Bruno (Muscovites) to move")
    alba.lists()
    table.write(play("e2-h2"), OVER_NIGHT)
    alba.comes_to(table.match)
    alba.says("ask the arbiter to resume the game and to adjourn it again")
    assert not alba.movable()
    table.write(GOES_ON)
    alba.turn()
    alba.sees_her_moves()
    table.write(OVER_NIGHT)
    alba.says("you may seal your move now")


def test_who_is_not_to_move_and_who_plays_with_dice_seals_nothing(alba: Player, sit: Sit) -> None:
    table = sit()
    alba.tap("e3", "f3")
    alba.press("Sign e3-f3")
    alba.says("Bruno (Muscovites) to move")
    alba.page.wait_for_function("() => document.title.startsWith('Tabellion')")
    table.write(OVER_NIGHT)
    alba.says("Bruno (Muscovites) may seal a move")
    assert not alba.movable()
    diced = sit("tabula", dice=Physical(confirm=False))
    diced.write(lay(6, 1), OVER_NIGHT)
    alba.says("Zoë (arbiter) resumes.", ".standing")
    assert "seal" not in alba.text(".now")


def test_a_seal_of_another_phone_is_not_opened_here(
    alba: Player, sit: Sit, pocket: BrowserContext
) -> None:
    """As with a new phone after the old one has sealed."""
    table = adjourned(alba, sit)
    seals(alba, table, "e3-f3")
    alba.says("You have sealed a move")
    alba.page.evaluate(
        """() => new Promise((done) => {
            indexedDB.open("tabellion").onsuccess = ({target: {result}}) => {
                const change = result.transaction("sealed", "readwrite");
                change.objectStore("sealed").clear();
                change.oncomplete = () => { result.close(); done(); };
            };
        })"""
    )
    alba.page.reload()
    alba.says("The move was sealed with another phone or computer")
    assert not alba.button("Open the sealed move").count()
    table.write(GOES_ON)
    alba.says("The arbiter closes the match")
    expect(alba.page.locator(".inhand, .offer")).to_have_count(0)
