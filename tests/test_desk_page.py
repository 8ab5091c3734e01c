"""The arbiter's page in a real browser: the way in, the hall by what is urgent, and what happens
when two do something at once."""

from __future__ import annotations

import os
import re

import pytest
from barriers import faint
from deskchair import Chair, Hall, chair, desk, disputes, hall, seated, window
from deskhand import Desk, desk_of, in_groups
from msgspec.structs import replace
from playwright.sync_api import Browser, Route, expect
from table import ARBITER, BOTH, KEYS, accept, clock, note, opening, play, resign

from ledger.tables import State, Tables, beside
from ledger.web.listening import listen

__all__ = ["chair", "desk", "hall", "seated", "window"]

pytest_plugins = ["browser"]


# -- coming in -------------------------------------------------------------------------------


def test_a_link_that_was_used_says_where_the_fresh_one_is(chromium: Browser, desk: Desk) -> None:
    with chromium.new_context() as stranger, stranger.new_page() as page:
        link = desk.links[-1]
        page.goto(link)
        expect(page.locator("#who")).to_contain_text(in_groups(ARBITER.public.fingerprint))
        assert page.url == f"{desk.client.url}/desk", "no token stays in the address"
        fresh = desk.links[-1]
        assert fresh != link
        page.goto(fresh)
        page.reload()
        expect(page.locator("#who")).to_contain_text("Signs with the arbiter's key")
        assert desk.links[-1] == fresh, "who is in does not use a link up"
        assert stranger.cookies() == []
        with chromium.new_context() as late, late.new_page() as other:
            other.goto(link)
            expect(other.locator("#heading")).to_have_text("This link was used already")
            expect(other.locator("#room")).to_contain_text("a fresh link stands below it")
            assert other.url == f"{desk.client.url}/desk"
            other.goto(f"{desk.client.url}/desk")
            expect(other.locator("#heading")).to_have_text("Come in by the link")


def test_after_a_restart_nothing_is_signed_before_the_new_link_is_opened(
    chromium: Browser, hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = hall.opened()
    with chromium.new_context() as context, context.new_page() as page, context.new_page() as other:
        with desk_of(hall.path) as desk:
            other.goto(desk.links[-1])
            expect(other.locator("#who")).to_contain_text("Signs with the arbiter's key")
            page.goto(f"{desk.client.url}/desk#{match}")
            page.fill("#field-notation", "e3-f3")
            page.press("#field-notation", "Enter")
            page.wait_for_selector(".proposal")
            port = desk.client.port
        monkeypatch.setattr("server.listen", lambda host, _: listen(host, port))
        with desk_of(hall.path) as desk:
            for window in (page, other):
                expect(window.locator("#way")).to_contain_text(
                    "Come in by the new link", timeout=9e3
                )
                expect(window.locator("#who")).to_have_text("Nothing is signed here now.")
            sign = page.locator("[data-key=sign]")
            expect(sign).to_have_attribute("aria-disabled", "true")
            sign.dispatch_event("click")
            page.evaluate("link => { location.hash = link }", f"token={desk.token}")
            for window in (page, other):
                expect(window.locator("#way")).to_be_hidden()
            assert page.url.endswith(f"/desk#{match}"), "the arbiter still sits at the match"
            assert hall.state(match).seq == 0, "the click while nobody was in signed nothing"
            sign.click()
            expect(page.locator(".outcome")).to_contain_text("Event 1 is signed and stored")


def test_a_link_that_the_server_did_not_hear_of_lets_in_when_it_answers_again(
    chromium: Browser, hall: Hall
) -> None:
    with (
        desk_of(hall.path) as desk,
        chromium.new_context() as context,
        context.new_page() as page,
    ):
        page.goto(f"{desk.client.url}/desk")
        expect(page.locator("#heading")).to_have_text("Come in by the link")
        context.set_offline(True)
        page.evaluate("link => { location.hash = link }", f"token={desk.token}")
        expect(page.locator("#heading")).to_have_text("The server does not answer")
        assert desk.token not in page.url
        context.set_offline(False)
        expect(page.locator("#who")).to_contain_text("Signs with the arbiter's key", timeout=9e3)


def test_a_server_without_the_key_looks_on(chromium: Browser, hall: Hall) -> None:
    match = hall.opened()
    with desk_of(hall.path, arbiter=None, login=None) as desk, chromium.new_page() as page:
        page.goto(f"{desk.client.url}/desk#{match}")
        expect(page.locator('[data-key="looks-on"]')).to_contain_text("tabellion serve --key NAME")
        assert page.locator("form").count() == 0
        assert page.locator("[data-can]").count() == 0, "no piece can be picked up"


def test_a_match_of_another_arbiter_is_only_shown(chair: Chair, hall: Hall) -> None:
    found = replace(
        opening(keyed=(), nonce="ab" * 16),
        arbiter=replace(opening().arbiter, name="Yves", key=KEYS["witness1"].public.line),
    )
    with hall.service() as service:
        match = service.open_match(found, KEYS["witness1"]).match
    chair.sit_at(match)
    expect(chair.key("not-yours")).to_contain_text("Yves")
    assert chair.page.locator("form").count() == 0


# -- the hall --------------------------------------------------------------------------------


def test_the_hall_shows_first_what_is_urgent(chair: Chair, hall: Hall) -> None:
    played = (play("e3-f3"), play("e2-h2"))
    seats = tuple(accept(seat) for seat in ("swedes", "muscovites"))
    both = {"keyed": ("swedes", "muscovites")}
    disputed = hall.opened(*seats, *played, disputes(4, "swedes"), table="41", **both)
    over = hall.opened(resign("swedes", "arbiter"), table="42")
    quiet = hall.opened(table="43")
    thrown = hall.thrown().match
    chair.hall()
    order = chair.page.eval_on_selector_all(".lines li", "all => all.map((li) => li.dataset.match)")
    urgent = [each for each in order if each in {disputed, thrown, over, quiet}]
    assert urgent == [disputed, thrown, over, quiet]
    late = chair.page.inner_text(f'li[data-match="{thrown}"]')
    assert re.search(r"awaited for [0-9]+ minutes", late)
    chair.page.fill("#find", "t42")
    expect(chair.page.locator(".lines li")).to_have_count(1)
    assert chair.barriers() == []


def test_a_dispute_comes_to_the_top_while_the_arbiter_looks(chair: Chair, hall: Hall) -> None:
    match = hall.opened(accept("swedes"), play("e3-f3"), table="51", keyed=("swedes",))
    chair.hall()
    line = chair.page.locator(f'li[data-match="{match}"]')
    expect(line).to_contain_text("In play")
    chair.key(f"to-{match}").focus()
    hall.write(match, disputes(2, "swedes"))
    expect(chair.page.locator("section.rule")).to_contain_text("Table 51")
    expect(chair.page.locator("#spoken")).to_contain_text("Table 51: disputed")
    chair.key(f"to-{match}").click()
    expect(chair.page.locator(".officials")).to_contain_text("it jumped")


# -- tables set out --------------------------------------------------------------------------


def test_who_has_come_is_seen_and_a_table_is_withdrawn(chair: Chair, hall: Hall) -> None:
    plan = opening("tabula", keyed=(), dice=BOTH, nonce="cd" * 16)
    names = {"white": "Alba", "black": "Bruno"}
    with Tables.open(beside(hall.path), create=True) as tables:
        given = replace(plan, table="61")
        keyid = ARBITER.public.fingerprint
        table, codes = tables.set_out(given, keyid, names, clock(), os.urandom)
        tables.join(codes["white"], KEYS["white"].public.line, clock(), lambda *_: None)
        chair.hall()
        lines = chair.key(f"set-{table.id}").locator(".coming li")
        white = in_groups(KEYS["white"].public.fingerprint)
        expect(lines.nth(0)).to_contain_text(f"✓ Alba (white) has come with {white}")
        expect(lines.nth(1)).to_contain_text("… Bruno (black) is awaited")
        assert chair.barriers() == []
        chair.key(f"withdraw-{table.id}").click()
        assert chair.focused() == f"withdrawing-{table.id}"
        chair.key(f"not-{table.id}").click()
        assert chair.focused() == f"withdraw-{table.id}"
        assert tables.table(table.id).state is State.WAITING
        chair.key(f"withdraw-{table.id}").click()
        chair.key(f"really-{table.id}").click()
        expect(chair.key(f"set-{table.id}")).to_have_count(0)
        expect(chair.page.locator("#spoken")).to_contain_text("Table 61 is withdrawn.")
        assert tables.table(table.id).state is State.WITHDRAWN


# -- two at once -----------------------------------------------------------------------------


def test_what_is_proposed_is_withdrawn_when_the_match_goes_on(chair: Chair, hall: Hall) -> None:
    match = hall.opened()
    chair.sit_at(match)
    chair.type_move("e3-f3")
    chair.proposed()
    hall.write(match, play("e4-f4"))
    assert "The match has gone on" in chair.refused()
    assert chair.page.locator(".proposal").count() == 0
    expect(chair.key("place-f4")).not_to_have_attribute("aria-label", re.compile("empty"))
    assert hall.state(match).seq == 1


def test_who_signs_too_late_stores_nothing_and_sees_the_new_board(chair: Chair, hall: Hall) -> None:
    match = hall.opened()
    chair.sit_at(match)
    chair.type_move("e3-f3")
    chair.proposed()

    def overtake(route: Route) -> None:
        """Write while the request is on its way: no stream is as fast."""
        hall.write(match, note("first"))
        route.continue_()

    chair.page.route("**/desk/api/sign", overtake)
    chair.key("sign").click()
    assert "The match has gone on" in chair.refused()
    expect(chair.key("event-1")).to_contain_text("first")
    assert hall.state(match).seq == 1


def test_what_happens_elsewhere_does_not_disturb_who_is_typing(chair: Chair, hall: Hall) -> None:
    match = hall.opened()
    chair.sit_at(match)
    chair.unfold("words")
    chair.page.fill("#field-note-text", "the clock was")
    hall.write(match, note("somebody else's"))
    expect(chair.key("event-1")).to_contain_text("somebody else's")
    expect(chair.page.locator("#spoken")).to_contain_text("somebody else's")
    expect(chair.page.locator("#field-note-text")).to_be_focused()
    chair.page.keyboard.type(" stopped")
    chair.key("note-form-send").click()
    assert "the clock was stopped" in chair.proposed()
    assert chair.sign()[0] == 2


# -- the log ---------------------------------------------------------------------------------


def test_the_log_shows_the_newest_ten_and_folds_the_rest(chair: Chair, hall: Hall) -> None:
    match = hall.opened(*(note(f"word {number}") for number in range(11)), play("e3-f3"))
    chair.sit_at(match)
    first = chair.page.locator(".logged > .log > li")
    expect(first).to_have_count(10)
    row, button = first.first.bounding_box(), chair.key("take-back-12").bounding_box()
    assert row is not None
    assert button is not None
    assert row["y"] - 1 <= button["y"] < row["y"] + row["height"] / 2, "in the row"
    assert button["x"] + button["width"] > row["x"] + row["width"] - 10, "at its end"
    expect(chair.key("take-back-12")).to_have_accessible_name("Take back event 12 …")
    expect(chair.key("event-0")).to_have_count(0)
    chair.unfold("older")
    expect(chair.key("event-0")).to_be_visible()
    expect(chair.page.locator(".log > li")).to_have_count(13)


# -- for everybody ---------------------------------------------------------------------------


def test_the_page_has_no_barriers(chair: Chair, hall: Hall) -> None:
    match = hall.opened(
        accept("swedes"), play("e3-f3"), play("e2-h2"), disputes(3, "swedes"), keyed=("swedes",)
    )
    chair.sit_at(match)
    for each in ("ruling", "words", "commands", "facts", "legend", "for-players", "penalties"):
        chair.unfold(each)
    chair.page.fill("#field-ruling-reason", "so")
    chair.page.fill("#field-ruling-rule", "so")
    chair.key("ruling-form-send").click()
    chair.proposed()
    assert chair.barriers() == []
    chair.page.emulate_media(color_scheme="dark")
    assert faint(chair.page) == []
    chair.page.set_viewport_size({"width": 360, "height": 740})
    assert not chair.page.evaluate("document.documentElement.scrollWidth > innerWidth")
    small = chair.page.eval_on_selector_all(
        "button, select, input:not([type=checkbox]), summary",
        "all => all.filter((one) => one.checkVisibility())"
        ".filter((one) => one.getBoundingClientRect().height < 43.5)"
        ".map((one) => one.outerHTML)",
    )
    assert small == []


def test_hostile_names_stay_names(chair: Chair, hall: Hall) -> None:
    found = opening(keyed=(), nonce="ef" * 16)
    seats = {
        seat: replace(held, name="<img src=x onerror=alert(1)>\u200f")
        for seat, held in found.seats.items()
    }
    with hall.service() as service:
        match = service.open_match(
            replace(found, seats=seats, table="\u2067<b>"[1:]), ARBITER
        ).match
    chair.sit_at(match)
    expect(chair.page.locator("#heading")).to_contain_text("<img src=x")
    expect(chair.page.locator("#heading")).to_contain_text("‹U+200F›")
    chair.type_move("e3-f3")
    assert "<img src=x" in chair.proposed()
    assert chair.page.locator("main img").count() == 0
    chair.hall()
    expect(chair.page.locator(f'li[data-match="{match}"]')).to_contain_text("<img src=x")
