"""The player's page in a real browser, at a real server: arriving, the board, lines that break, and
that everybody can use it."""

from __future__ import annotations

import json
import os
import re
from hashlib import sha256
from pathlib import Path

import pytest
from barriers import faint
from msgspec.structs import replace
from playerseat import (
    Opponent,
    Player,
    Sit,
    alba,
    ledger,
    overtaken,
    pocket,
    seated,
    server,
    service,
    sit,
)
from playwright.sync_api import Browser, BrowserContext, Route, expect
from server import Client, wait_for
from table import ALBA, ARBITER, BRUNO, KEYS, WITNESS, clock, lay, note, opening, play
from toygame import DOCUMENT
from toygame import GAME as PEBBLES

from ledger import joincodes, rulings
from ledger.events import Physical
from ledger.games import MODULES
from ledger.page import assembling
from ledger.service import Service
from ledger.tables import Tables, beside
from ledger.web import assembled

__all__ = ["alba", "ledger", "pocket", "seated", "server", "service", "sit"]

pytest_plugins = ["browser"]

TABLE = Path(assembled.__file__).with_name("table")
DIGEST = sha256(DOCUMENT).hexdigest()
"""Of the ruling document of the fourth game."""


# -- arriving ------------------------------------------------------------------------------------


def test_the_key_of_the_phone_is_shown_in_groups_to_be_compared(alba: Player) -> None:
    alba.lists()
    shown = alba.page.locator('[data-key="own-key"] .groups').inner_text()
    assert all(len(group) <= 4 for group in shown.split())
    fingerprint = alba.page.evaluate(
        """async (line) => {
            const raw = Uint8Array.from(atob(line.split(" ")[1]), (sign) => sign.charCodeAt(0));
            const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", raw));
            return btoa(String.fromCharCode(...digest)).replaceAll("=", "");
        }""",
        alba.line,
    )
    assert "".join(shown.split()) == fingerprint
    assert not alba.barriers()


def set_out(ledger: Path, nonce: int) -> dict[str, str]:
    """The codes of a table for Alba and Bruno."""
    given = opening("tablut", keyed=(), nonce=nonce.to_bytes(16, "big").hex())
    names = {"swedes": "Alba", "muscovites": "Bruno"}
    with Tables.open(beside(ledger), create=True) as found:
        keyid = ARBITER.public.fingerprint
        _, codes = found.set_out(replace(given, table="4"), keyid, names, clock(), os.urandom)
    return codes


def bruno_joins(server: Client, code: str) -> None:
    line = BRUNO.public.line
    sig = BRUNO.sign(joincodes.message(code, line)).hex()
    body = json.dumps({"code": code, "key": line, "sig": sig}).encode()
    said = server.ask("POST", "/api/join", body, content_type="application/json")
    assert said.status == 200, said.body


def test_a_scanned_code_takes_the_seat_and_stands_in_no_address(
    alba: Player, server: Client, ledger: Path
) -> None:
    codes = set_out(ledger, 2**100)
    asked: list[str] = []
    alba.page.on("request", lambda request: asked.append(request.url))
    alba.go(f"#{codes['swedes']}")
    alba.says("You sit as Alba (Swedes)")
    alba.says("Waiting for Bruno")
    assert alba.page.url == f"{server.url}/play"
    assert not alba.barriers()
    bruno_joins(server, codes["muscovites"])
    alba.says("What you agree to")
    alba.says("Zoë (arbiter)")
    assert not any(codes["swedes"] in url for url in asked)
    alba.press("Accept this match")
    alba.turn("Tabellion")
    alba.says("Bruno (Muscovites) must accept")


def test_a_match_of_another_arbiter_than_was_told_is_not_accepted(
    alba: Player, service: Service, ledger: Path
) -> None:
    """Wanda sets the table out; the match that comes of it is Zoë's."""
    told = WITNESS.public.fingerprint
    given = opening("tablut", keyed=(), nonce="5a" * 16)
    with Tables.open(beside(ledger), create=True) as tables:
        table, codes = tables.set_out(given, told, {"swedes": "Alba"}, clock(), os.urandom)
        alba.go(f"#{codes['swedes']}")
        alba.says("The arbiter's key: SHA256:")
        shown = alba.page.locator('[data-key="waiting"] .groups').inner_text()
        assert "SHA256:" + "".join(shown.split()) == told
        other = Opponent(service, alba.line)
        tables.settle(table.id, lambda _: other.match)
    for _ in range(2):
        alba.page.reload()
        alba.says("What the server sent does not hold", ".fault")
        shown = alba.page.locator(".fault .groups").all_inner_texts()
        keys = ["SHA256:" + "".join(each.split()) for each in shown]
        assert keys == [told, ARBITER.public.fingerprint]
        assert not alba.button("Accept this match").count()
    assert other.types() == ["match.opened", "seat.accepted"]


def test_who_accepts_in_the_same_moment_as_others_write_has_accepted(
    alba: Player, service: Service
) -> None:
    table = Opponent(service, alba.line)
    alba.comes_to(table.match)
    with overtaken(alba, table, note("now, please")):
        alba.press("Accept this match")
        expect(alba.page.locator(".places")).to_be_visible()
    assert table.types()[2:] == ["note", "seat.accepted"]
    assert not alba.page.locator(".refused, .warning").count()


def test_a_code_that_nobody_gave_out_is_refused_in_words(alba: Player) -> None:
    alba.lists()
    alba.page.get_by_label("Join code").fill("ABCD-EFGH-JK")
    alba.press("Join")
    alba.says("There is no such code", ".refused")
    alba.says("Compare it with the join sheet, or ask the arbiter for another code.", ".refused")
    assert alba.refused() == "no-such-code"
    alba.press("Join")
    alba.says("Type the ten letters", ".refused")
    alba.page.get_by_label("Join code").fill("ABCD")
    alba.press("Join")
    alba.says("ten letters or digits", ".refused")
    assert alba.refused() == "bad-code"
    assert "-code" not in alba.text()
    assert alba.button("Join").is_visible()


def test_what_is_agreed_to_is_said_before_it_is_accepted(alba: Player, service: Service) -> None:
    table = Opponent(service, alba.line, options={"calls": "off"}, takebacks=False)
    alba.go(f"#match-{table.match}")
    alba.says("calls: off", ".terms")
    assert re.search(r"Takebacks\s+none", alba.text(".terms"))
    assert not alba.page.locator(".places").count()
    assert not alba.barriers()
    assert not alba.sideways()


def test_the_page_without_a_code_lists_the_matches_of_the_phone(alba: Player, sit: Sit) -> None:
    one, other = sit(), sit()
    alba.press("All my matches")
    for table in (one, other):
        expect(alba.page.locator(f'[data-key="match-{table.match}"]')).to_contain_text("You: Alba")
    alba.page.locator(f'[data-key="open-{one.match}"]').click()
    alba.turn()
    assert alba.page.url.endswith(one.match)
    alba.page.reload()
    alba.turn()
    assert not alba.barriers()


def test_a_browser_that_keeps_nothing_is_told_what_to_do(chromium: Browser, server: Client) -> None:
    with chromium.new_context() as context, context.new_page() as page:
        page.add_init_script("Object.defineProperty(globalThis, 'indexedDB', {value: undefined})")
        page.goto(f"{server.url}/play")
        expect(page.locator("#room")).to_contain_text("Open the page in an ordinary window")


# -- the board -----------------------------------------------------------------------------------


def test_a_move_is_tapped_read_and_signed_with_the_key_of_the_phone(alba: Player, sit: Sit) -> None:
    table = sit()
    alba.turn()
    alba.sees_her_moves()
    assert alba.movable() == {"c5", "d5", "f5", "g5", "e3", "e4", "e6", "e7"}
    alba.tap("e3")
    legal = {each.text for each in table.state.game.legal(table.state.position)}
    assert {f"e3-{place}" for place in alba.targets()} == {
        text for text in legal if text.startswith("e3-")
    }
    alba.says("Tap a piece, then where it goes.", ".now")
    expect(alba.page.get_by_label("Or type it")).to_have_accessible_name(
        re.compile(r"in this game, like K?[a-i][1-9]-[a-i][1-9]$")
    )
    alba.hears("e3 picked up. It can move to")
    alba.tap("f3")
    alba.says("Not signed yet: e3 to f3")
    assert table.state.seq == 2
    alba.button("Sign e3-f3").dblclick()
    alba.says("Signed: event 3")
    expect(alba.page.locator(".refused, .question, .inhand")).to_have_count(0)
    assert "Tap a piece" not in alba.text(".now")
    assert table.state.seq == 3
    event, keyid = table.last(), table.state.entries[-1].keyid
    assert (event.data.move, event.by) == ("e3-f3", "swedes")
    assert keyid == table.state.roster["swedes"].key.fingerprint
    alba.unfold("All signed events")
    alba.says(table.head[:12], ".log .own")


def test_a_piece_is_put_back_and_a_step_undone(alba: Player, sit: Sit) -> None:
    table = sit()
    alba.tap("e3")
    alba.place("e3").click()
    assert not alba.targets()
    alba.tap("e3", "a3")
    alba.press("Undo the last step")
    assert "e3" in alba.movable()
    alba.tap("e3", "a3")
    table.write(note("a word of the arbiter"))
    alba.hears("a word of the arbiter")
    assert table.state.seq == 3
    alba.press("Sign e3-a3")
    wait_for(lambda: table.types()[3:] == ["note", "move"])


def test_a_finger_beside_a_small_square_still_finds_the_piece(alba: Player, sit: Sit) -> None:
    sit()
    alba.turn()
    box = alba.place("e3").locator("rect").first.bounding_box()
    assert box
    assert box["width"] < 44
    alba.page.mouse.click(box["x"] - 3, box["y"] + box["height"] / 2)
    assert "f3" in alba.targets()


def test_a_tap_hits_its_place_in_windows_of_any_form(alba: Player, sit: Sit) -> None:
    sit()
    alba.turn()
    size = alba.page.viewport_size
    assert size
    for width, height in ((740, 360), (844, 390), (1280, 800), (1024, 768), (360, 740)):
        alba.page.set_viewport_size({"width": width, "height": height})
        for name in ("e3", "g5"):
            alba.tap(name)
            expect(alba.place(name)).to_have_attribute("aria-selected", "true")
            alba.place(name).click()
            expect(alba.place(name)).not_to_have_attribute("aria-selected", "true")
    assert alba.page.viewport_size == size


def test_the_board_is_played_with_the_keyboard(alba: Player, sit: Sit) -> None:
    table = sit()
    alba.turn()
    keyboard = alba.page.keyboard
    assert alba.page.locator('.places [tabindex="0"]').count() == 1
    alba.place("e3").focus()
    keyboard.press("Enter")
    expect(alba.place("e3")).to_have_attribute("aria-selected", "true")
    expect(alba.place("e3")).to_have_attribute("aria-label", "e3, Swede, yours, picked up")
    keyboard.press("Escape")
    expect(alba.place("e3")).not_to_have_attribute("aria-selected", "true")
    keyboard.press("Enter")
    keyboard.press("ArrowRight")
    expect(alba.place("f3")).to_be_focused()
    expect(alba.place("f3")).to_have_attribute("aria-label", "f3, empty, can move here")
    for key, name in (("ArrowUp", "f4"), ("Home", "a4"), ("ArrowDown", "a3"), ("End", "i3")):
        keyboard.press(key)
        expect(alba.place(name)).to_be_focused()
    assert alba.page.locator('.places [tabindex="0"]').count() == 1
    keyboard.press("Enter")
    alba.button("Sign e3-i3").focus()
    keyboard.press("Enter")
    alba.says("Signed: event 3")
    expect(alba.page.locator(".now")).to_be_focused()
    wait_for(lambda: table.state.seq == 3)


def test_focus_stays_on_its_place_while_the_other_side_moves(alba: Player, sit: Sit) -> None:
    table = sit()
    alba.tap("e3", "f3")
    alba.press("Sign e3-f3")
    wait_for(lambda: table.state.seq == 3)
    alba.place("h2").focus()
    table.write(play("e2-h2"))
    alba.turn()
    alba.hears("Bruno (Muscovites) moves e2-h2")
    alba.hears("Your move")
    expect(alba.place("h2")).to_be_focused()
    expect(alba.place("h2")).to_have_attribute("aria-label", "h2, Muscovite")


def test_the_second_seat_sees_the_board_from_its_side(alba: Player, sit: Sit) -> None:
    table = sit(second=True)
    table.write(play("e3-f3"))
    alba.turn()

    def height(name: str) -> float:
        return float(alba.place(name).locator("rect").first.get_attribute("y") or 0)

    top, bottom = height("a1"), height("a9")
    assert top < bottom
    alba.unfold("The board: letters")
    alba.press("Turn the board")
    wait_for(lambda: height("a1") == bottom)


def test_what_is_typed_is_read_in_its_one_spelling_or_refused_with_its_rule(
    alba: Player, sit: Sit
) -> None:
    table = sit()
    field = alba.page.get_by_label("Or type it")
    field.fill("E3F3")
    alba.press("Read it …")
    alba.says("Your act: e3-f3", ".question")
    alba.press("Back")
    field.fill("e5-e9")
    field.press("Enter")
    alba.says("a Swede stands on e6", ".refused")
    assert alba.refused() == "blocked"
    assert "(blocked)" not in alba.text()
    assert table.state.seq == 2
    alba.tap("e3")
    expect(alba.page.locator(".refused")).to_have_count(0)


def test_a_call_is_made_with_a_button_in_the_games_own_word(alba: Player, sit: Sit) -> None:
    table = sit(options={"calls": "goal"})
    alba.tap("e3", "f3")
    alba.press("Sign e3-f3")
    alba.signs("raichi …")
    wait_for(lambda: table.types()[-1] == "call")
    assert table.last().data.call == "raichi"


def test_who_is_overtaken_is_told_what_to_do_on_a_phone(alba: Player, sit: Sit) -> None:
    table = sit()
    alba.tap("e3", "f3")
    with overtaken(alba, table, note("one moment")):
        alba.press("Sign e3-f3")
        alba.says("Someone else wrote", ".refused")
    alba.says("Look at the match; do it again if it still fits.", ".refused")
    alba.says("Did not go through: move e3-f3")
    assert alba.refused() == "stale"
    assert not re.search("tabellion |stale", alba.text())
    assert table.types()[3:] == ["note"]


# -- lines that break, servers that lie ----------------------------------------------------------


def test_what_is_signed_without_a_connection_is_kept_and_sent_later(
    alba: Player, sit: Sit, pocket: BrowserContext
) -> None:
    table = sit()
    alba.turn()
    alba.tap("e3", "f3")
    pocket.set_offline(True)
    try:
        alba.press("Sign e3-f3")
        alba.says("Signed and kept: event 3")
        alba.says("not with the server yet", ".unsent")
        assert table.state.seq == 2
    finally:
        pocket.set_offline(False)
    wait_for(lambda: table.state.seq == 3)
    alba.says(f"Signed: event 3, {table.head[:12]}.", ".notice")
    expect(alba.page.locator(".unsent")).to_have_count(0)
    expect(alba.page.locator("#line")).to_have_text("Connected: live.")


def test_a_server_that_changes_an_event_is_found_out_and_nothing_is_signed(
    alba: Player, sit: Sit, pocket: BrowserContext
) -> None:
    table = sit()

    def lie(route: Route) -> None:
        answer = route.fetch()
        said = answer.json()
        for envelope in said["events"]:
            sig = envelope["signatures"][0]["sig"]
            envelope["signatures"][0]["sig"] = ("B" if sig[0] == "A" else "A") + sig[1:]
        route.fulfill(response=answer, json=said)

    pocket.route(f"**/api/matches/{table.match}/events*", lie)
    try:
        alba.page.reload()
        alba.says("What the server sent does not hold", ".fault")
        alba.says("Show this to the arbiter", ".fault")
        expect(alba.page.locator(".fault")).to_have_attribute("data-code", "bad-signature")
        for words in ("Sign", "Offer", "Resign", "Read it"):
            assert not alba.button(words).count()
        assert not alba.barriers()
    finally:
        pocket.unroute_all(behavior="wait")


# -- for everybody -------------------------------------------------------------------------------


def test_nothing_hinders_and_nothing_is_cut_off(alba: Player, sit: Sit) -> None:
    sit("tabula", diced=True)
    page = alba.page
    for summary in page.locator("#room > .beneath > details > summary").all():
        summary.click()
    assert not alba.barriers()
    page.emulate_media(color_scheme="dark")
    assert not faint(page)
    assert not alba.sideways()
    small = page.locator("#room :is(button, select, input, textarea, summary)").evaluate_all(
        """all => all.filter((each) => each.checkVisibility())
            .filter((each) => each.getBoundingClientRect().height < 44)
            .map((each) => each.outerHTML)"""
    )
    assert small == []
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert not alba.sideways()
    page.evaluate("document.documentElement.style.fontSize = ''")
    page.emulate_media(color_scheme="null")


def test_a_name_of_hostile_signs_is_shown_as_what_it_is(alba: Player, service: Service) -> None:
    found = opening("tablut", nonce="7f" * 16)
    seats = dict(found.seats)
    seats["swedes"] = replace(seats["swedes"], name="<img src=x>", key=alba.line)
    match = service.open_match(replace(found, seats=seats), ARBITER).match
    alba.go(f"#match-{match}")
    alba.says("<img src=x> (Swedes)")
    assert not alba.page.locator("#room img").count()


# -- a fourth game -------------------------------------------------------------------------------


def test_the_page_knows_no_game_by_name() -> None:
    for module in TABLE.glob("*.mjs"):
        words = set(re.findall(r"[a-z]+", module.read_text().lower()))
        assert not words & {*MODULES, "swedes", "raichi", "konakis", "formation"}, module.name


def test_a_fourth_game_is_played_without_touching_the_page(
    alba: Player, service: Service, pocket: BrowserContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(MODULES, PEBBLES.name, "toygame")
    monkeypatch.setitem(KEYS, "heron", ALBA)
    monkeypatch.setitem(KEYS, "otter", BRUNO)
    digest = rulings.digest
    monkeypatch.setattr(
        rulings, "digest", lambda name: DIGEST if name == PEBBLES.document else digest(name)
    )
    part = assembling._part

    def with_pebbles(path: str) -> str:
        """The verifier's list of games, with one line more."""
        line = '  ["toy", { seats: ["heron", "otter"], dice: 1 }],\n]);'
        return part(path).replace("]);", line, 1) if path.endswith("games.mjs") else part(path)

    monkeypatch.setattr(assembling, "_part", with_pebbles)
    page = assembled.player.__wrapped__()
    pocket.route(
        "**/play", lambda route: route.fulfill(body=page, content_type="text/html; charset=utf-8")
    )
    try:
        table = Opponent(service, alba.line, "toy", dice=Physical(confirm=False))
        alba.go(f"#match-{table.match}")
        alba.press("Accept this match")
        wait_for(lambda: not table.state.unaccepted)
        table.write(lay(6, 2), lay(1))
        alba.turn()
        assert not alba.movable()
        alba.page.get_by_label("Your act").select_option("b2")
        alba.signs("Choose …")
        wait_for(lambda: table.types()[-1] == "move")
        assert table.last().data.move == "b2"
    finally:
        pocket.unroute_all(behavior="wait")
        alba.go()
