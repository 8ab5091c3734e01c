"""Those who look on: the hall and its matches in a real browser, from a real server."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
from barriers import barriers, faint
from msgspec.structs import replace
from playwright.sync_api import Browser, BrowserContext, Page, Request, expect
from server import Client, serving, wait_for
from table import (
    ARBITER,
    KEYS,
    SHORT_GAME,
    accept,
    close,
    countersign,
    lay,
    new_service,
    opening,
    play,
    resign,
    rewind,
)

from ledger import views
from ledger.events import Complaint, DrawOffer, Physical, Seat
from ledger.exchange import take_in
from ledger.service import Draft, Plan, Service

pytest_plugins = ["browser"]

PROJECTOR: Final = {"width": 1920, "height": 1080}
PHONE: Final = {"width": 320, "height": 640}
SEATS: Final = {"tablut": ("swedes", "muscovites"), "tabula": ("white", "black")}
_numbers = count(1)


class Hall:
    """A hall of matches: a server, and beside it the arbiter, who writes into the same ledger."""

    def __init__(self, service: Service, client: Client) -> None:
        self.service = service
        self.client = client

    def seat(self, *names: str, game: str = "tablut", accepted: bool = True, **about: Any) -> str:
        """A new match, at a table of its own unless said otherwise."""
        number = next(_numbers)
        given = opening(game, nonce=f"{number:032x}", dice=about.pop("dice", None))
        called = zip(given.seats.items(), names or ("Alba", "Bruno"), strict=True)
        seats = {seat: Seat(name=name, key=holder.key) for (seat, holder), name in called}
        about = {"table": str(number), **about}
        match = self.service.open_match(replace(given, seats=seats, **about), ARBITER).match
        if accepted:
            self.go(match, *(accept(seat) for seat in SEATS[game]))
        return match

    def go(self, match: str, *plans: Plan) -> None:
        self.service.append(match, plans, KEYS)

    def table(self, match: str) -> str:
        return f"Table {self.service.state(match).opening.table}"


class Spectator:
    """Somebody who looks on. What the script complains of, and what it asks for, is kept."""

    def __init__(self, page: Page, client: Client) -> None:
        self.page = page
        self.client = client
        self.complaints: list[str] = []
        self.asked: list[Request] = []
        page.on("console", lambda said: self.complaints.append(said.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", lambda request: self.asked.append(request))

    def at(self, path: str) -> Spectator:
        self.page.goto(self.client.url + path)
        return self

    def sees(self, where: str, text: str | re.Pattern[str]) -> None:
        expect(self.page.locator(where)).to_contain_text(text, timeout=10_000)

    def live(self) -> None:
        self.sees("#live", "● Live")

    def row(self, match: str) -> str:
        return f"tr[data-match='{match}']"

    def streams(self) -> int:
        return sum("/stream" in each.url for each in self.asked)

    def sideways(self) -> bool:
        return bool(self.page.evaluate("document.documentElement.scrollWidth > innerWidth"))

    def barriers(self) -> list[str]:
        return barriers(self.page)


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    path = tmp_path_factory.mktemp("hall") / "ledger.db"
    with new_service(path) as service, serving(path) as client:
        yield Hall(service, client)


@contextmanager
def somebody(chromium: Browser, client: Client, **how: Any) -> Iterator[Spectator]:
    """Somebody with a window of their own."""
    with (
        chromium.new_context(**{"viewport": {"width": 1280, "height": 900}, **how}) as context,
        looking(context.new_page(), client) as spectator,
    ):
        yield spectator


@contextmanager
def looking(page: Page, client: Client) -> Iterator[Spectator]:
    """Somebody who asks for nothing but what anybody may read, and whose page has no fault."""
    spectator = Spectator(page, client)
    yield spectator
    allowed = re.compile(
        re.escape(client.url)
        + r"/(match/[^/]+|api/stream|api/matches/[^/]+(/log|/stream)?)?(\?.*)?"
    )
    for request in spectator.asked:
        assert request.method == "GET", "who looks on sends nothing"
        assert allowed.fullmatch(request.url), request.url
    broken = re.compile("Failed to load resource|ERR_")  # what Chromium itself says of a break
    assert [each for each in spectator.complaints if not broken.search(each)] == []


@pytest.fixture
def spectator(window: BrowserContext, hall: Hall) -> Iterator[Spectator]:
    with window.new_page() as page, looking(page, hall.client) as found:
        yield found
        window.set_offline(False)


@pytest.fixture
def hurried(chromium: Browser, hall: Hall) -> Iterator[Spectator]:
    """Somebody for whom the clock can be turned on: ``page.clock.run_for``."""
    with somebody(chromium, hall.client) as found:
        found.page.clock.install()
        yield found


def disputes(event: int, text: str) -> Plan:
    return lambda _: Draft("dispute.raised", Complaint(event=event, text=text), "muscovites")


# -- the hall ------------------------------------------------------------------------------------


def test_every_match_stands_at_its_table_with_what_it_waits_for(
    hall: Hall, spectator: Spectator
) -> None:
    match = hall.seat("Ada", "Berta")
    spectator.at("/").live()
    row = spectator.page.locator(spectator.row(match))
    expect(row.get_by_role("rowheader")).to_have_text(f"{hall.table(match)}: Ada – Berta")
    expect(row.get_by_role("cell").nth(0)).to_have_text("tablut")
    expect(row.get_by_role("cell").nth(1)).to_contain_text("In play, since ")
    expect(row.get_by_role("cell").nth(2)).to_have_text("Ada (the Swedes) to move.")
    hall.go(match, play("e3-f3"))
    expect(row.get_by_role("cell").nth(2)).to_have_text("Berta (the Muscovites) to move.")
    assert re.fullmatch(r"The hall: \d+ open · Tabellion", spectator.page.title())


def test_from_the_hall_to_a_match_and_back(hall: Hall, spectator: Spectator) -> None:
    match = hall.seat("Carla", "Dora")
    page = spectator.at("/").page
    page.get_by_role("link", name="Carla – Dora").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(f"{hall.table(match)}: Carla – Dora")
    assert page.title() == f"{hall.table(match)}: Carla – Dora · Tabellion"
    page.get_by_role("link", name="The hall: all matches").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("The hall")


def test_a_match_that_is_opened_or_closed_finds_its_place(hall: Hall, hurried: Spectator) -> None:
    spectator, page = hurried, hurried.at("/").page
    spectator.live()
    match = hall.seat("Emma", "Frieda")
    row = page.locator(spectator.row(match))
    expect(row).to_be_visible()
    row.get_by_role("link").focus()
    hall.go(match, resign("muscovites"), close())
    expect(row).to_be_hidden()
    page.clock.run_for(5_000)
    spectator.sees("#spoken", f"{hall.table(match)}: closed, Emma wins (resigned).")
    page.locator("summary").click()
    expect(row.get_by_role("cell").nth(2)).to_have_text("Emma wins (resigned)")
    expect(page.locator("details").locator(spectator.row(match))).to_have_count(1)


def test_focus_and_place_stay_while_others_play(hall: Hall, spectator: Spectator) -> None:
    one, other = hall.seat(), hall.seat()
    page = spectator.at("/").page
    link = page.locator(spectator.row(one)).get_by_role("link")
    link.focus()
    hall.go(other, play("e3-f3"))
    hall.go(one, play("e3-f3"))
    spectator.sees(spectator.row(one), "Bruno (the Muscovites) to move.")
    expect(link).to_be_focused()


def test_a_dispute_is_said_in_words(hall: Hall, hurried: Spectator) -> None:
    spectator = hurried
    match = hall.seat("Gina", "Helga")
    spectator.at("/").live()
    hall.go(match, play("e3-f3"), disputes(3, "She touched another man first"))
    spectator.sees(f"{spectator.row(match)} .state", "⚑ Disputed")
    spectator.sees("#found", re.compile(rf"Disputed: .*{hall.table(match)}"))
    spectator.page.clock.run_for(5_000)
    spectator.sees("#spoken", f"{hall.table(match)}: disputed.")
    spectator.at(f"/match/{match}")
    spectator.sees(".officials", "Disputed. Event 4: Helga disputes event 3: She touched another")
    spectator.sees(".sentence", "Event 3 is disputed (event 4): Zoë (the arbiter) rules.")


def test_two_hundred_matches_are_found_by_table_and_by_name(
    chromium: Browser, tmp_path: Path
) -> None:
    with new_service(tmp_path / "full.db") as service, serving(service.store.path) as client:
        for number in range(200):
            Hall(service, client).seat(f"Zoé {number}", "Bruno", table=str(number), accepted=False)
        with somebody(chromium, client) as spectator:
            page = spectator.at("/").page
            rows = page.locator("tbody tr")
            expect(rows).to_have_count(200)
            tables = rows.locator("b").all_inner_texts()
            assert tables == [f"Table {number}" for number in range(200)], "10 comes after 9"
            field = page.get_by_label("Find a table or a name")
            for typed, found in (
                ("table 17", [17, *range(170, 180)]),
                ("t19 bruno", [19, *range(190, 200)]),
                ("ZOE 42", [42]),
                ("nobody", []),
            ):
                field.fill(typed)
                expect(rows.locator("b")).to_have_text([f"Table {number}" for number in found])
                spectator.sees("#found", f"{len(found)} of 200 matches fit.")
        with somebody(chromium, client, viewport=PROJECTOR) as spectator:
            page = spectator.page
            page.clock.install()
            spectator.at("/?screen=1").sees("h1", "200 open, 0 closed · 1 of 23")
            expect(page.locator(".card h2").first).to_have_text("Table 0")
            page.clock.run_for(12_500)
            spectator.sees("h1", "2 of 23")
            expect(page.locator(".card h2").first).to_have_text("Table 9")
            page.keyboard.press("Space")
            page.clock.run_for(30_000)
            spectator.sees("h1", "2 of 23, held")


# -- a match -------------------------------------------------------------------------------------


def test_a_move_is_drawn_told_and_spoken(hall: Hall, spectator: Spectator) -> None:
    match = hall.seat("Ida", "Jana")
    page = spectator.at(f"/match/{match}").page
    spectator.live()
    spectator.sees(".log li >> nth=0", "Jana accepts")
    turn = page.get_by_role("button", name="Turn the board")
    turn.focus()
    hall.go(match, play("e3-f3"))
    spectator.sees(".sentence", "Jana (the Muscovites) to move.")
    spectator.sees(".last", "Last: e3-f3.")
    spectator.sees("[data-seat=muscovites]", "Jana ▶ awaited")
    spectator.sees(".log li >> nth=0", "Ida moves e3-f3")
    spectator.sees("#spoken", "Ida moves e3-f3. Jana (the Muscovites) to move.")
    expect(page.locator(".board [data-place=f3]")).to_have_attribute("data-piece", "T")
    expect(page.locator(".board [data-last=f3]")).to_have_count(1)
    assert "Last touched: e3, f3." in page.locator(".board desc").inner_html()
    expect(turn).to_be_focused()
    assert page.locator(".log li").count() == 4


def test_the_board_is_seen_from_the_other_side(hall: Hall, spectator: Spectator) -> None:
    page = spectator.at(f"/match/{hall.seat()}").page
    corner = page.locator(".board .edge").first
    expect(corner).to_have_text("a")
    button = page.get_by_role("button", name="Turn the board")
    button.press("Enter")
    expect(button).to_have_attribute("aria-pressed", "true")
    left = "n => Number(n.getAttribute('x'))"
    assert corner.evaluate(left) > page.locator(".board .edge", has_text="i").first.evaluate(left)


def test_dice_are_drawn_and_said(hall: Hall, spectator: Spectator) -> None:
    match = hall.seat(game="tabula", dice=Physical(confirm=True))
    spectator.at(f"/match/{match}").live()
    hall.go(match, lay(6, 3, by="white"))
    spectator.sees(".rolled", "Written down, not confirmed yet: 6, 3.")
    expect(spectator.page.locator(".rolled svg")).to_have_attribute("data-dice", "6-3")


def test_an_offer_is_told_without_the_words_of_the_command_line(
    hall: Hall, spectator: Spectator
) -> None:
    match = hall.seat("Carla", "Dario")
    hall.go(match, lambda _: Draft("offer.made", DrawOffer(), "muscovites"))
    spectator.at(f"/match/{match}")
    spectator.sees(
        ".officials", "Dario (the Muscovites) offers a draw. Carla: an answer is awaited."
    )
    expect(spectator.page.locator(".officials")).not_to_contain_text("agree")


def test_what_is_taken_back_is_struck_and_a_word_says_so(hall: Hall, spectator: Spectator) -> None:
    match = hall.seat()
    hall.go(match, play("e3-f3"))
    page = spectator.at(f"/match/{match}").page
    spectator.live()
    item = page.locator(".log li[data-seq='3']")
    expect(item.locator(".words")).to_have_text("Alba moves e3-f3")
    hall.go(match, rewind(2))
    expect(item.locator(".words")).to_have_text("Alba moves e3-f3 (taken back)")
    expect(item.locator("s")).to_have_text("Alba moves e3-f3")
    expect(page.locator(".log li")).to_have_count(5)


def test_a_call_left_out_is_shown_at_its_move(hall: Hall, spectator: Spectator) -> None:
    match = hall.seat()
    hall.go(match, *map(play, SHORT_GAME[:5]))
    page = spectator.at(f"/match/{match}").page
    spectator.live()
    item = page.locator(".log li[data-seq='7']")
    expect(item).to_contain_text("Alba moves Ke5-e3")
    expect(item.locator(".breach")).to_have_count(0)
    hall.go(match, play("h3-h4"))
    expect(item.locator(".breach")).to_contain_text("raichi")


def test_head_record_and_verifying_page_are_there_to_take_along(
    hall: Hall, spectator: Spectator
) -> None:
    match = hall.seat("Kaja", "Lena")
    hall.go(match, *map(play, SHORT_GAME), close(), countersign("swedes"))
    page = spectator.at(f"/match/{match[:10]}").page
    head = hall.service.state(match).head
    groups = " ".join(re.findall(".{4}", head))
    expect(page.locator(".head")).to_have_text(groups)
    expect(page.locator(".facts")).to_contain_text("Kaja wins (goal)")
    expect(page.locator(".officials")).to_contain_text("Kaja has signed the result.")
    expect(page.locator(".proof")).to_contain_text("This page shows what the server says.")
    for name, begins in (
        ("The record, with", b'{"events":['),
        ("The verifying page", b"<!doctype html>"),
    ):
        href = page.get_by_role("link", name=name).get_attribute("href")
        assert href is not None
        taken = hall.client.get(href)
        assert taken.headers["content-disposition"].startswith("attachment")
        assert taken.body.startswith(begins)
        assert len(taken.body) > 5000


def test_all_events_are_shown_to_those_who_ask(hall: Hall, spectator: Spectator) -> None:
    match = hall.seat()
    there_and_back = ("e3-f3", "e2-f2", "f3-e3", "f2-e2") * 8
    hall.go(match, *map(play, there_and_back))
    page = spectator.at(f"/match/{match}").page
    expect(page.locator(".log li")).to_have_count(30)
    page.get_by_role("button", name="Show all 35 events").click()
    expect(page.locator(".log li")).to_have_count(35)
    expect(page.locator(".log li").nth(30)).to_be_focused()
    expect(page.locator(".log li").last).to_contain_text("Zoë opens tablut")


@pytest.mark.parametrize("address", ["f" * 64, "nobody", "%00", "%ff"])
def test_a_match_that_is_not_there_is_named_so(
    address: str, hall: Hall, spectator: Spectator
) -> None:
    page = spectator.at(f"/match/{address}").page
    expect(page.locator("h1")).to_have_text("There is no such match here")
    assert page.title() == "No such match · Tabellion"
    expect(page.locator("#room").get_by_role("link")).to_have_attribute("href", "/")
    expect(page.locator("#live")).to_be_empty()


HOSTILE: Final = (
    "<img src=x onerror=alert(1)>",
    "שלום )x(",
    "W" * 80,
    "— to move. ● Live",
)


def test_a_hostile_name_is_a_name_and_no_more(chromium: Browser, hall: Hall) -> None:
    matches = {name: hall.seat(name, "Bruno") for name in HOSTILE}
    with somebody(chromium, hall.client, viewport=PHONE) as spectator:
        page = spectator.at("/").page
        for name, match in matches.items():
            isolated = page.locator(f"{spectator.row(match)} th bdi")
            expect(isolated.nth(1)).to_contain_text(name[:50])
        assert not spectator.sideways()
        assert page.locator("img").count() == 0
        for name, match in matches.items():
            spectator.at(f"/match/{match}").live()
            expect(page.locator(".players bdi", has_text=name[:50])).to_have_count(1)
            assert not spectator.sideways()
            assert page.locator("img").count() == 0


def test_the_log_is_told_as_the_command_tells_it_from_any_event_on(hall: Hall) -> None:
    match = hall.seat()
    hall.go(match, play("e3-f3"), rewind(2))
    told = hall.client.get(f"/api/matches/{match[:10]}/log")
    assert told.body == msgspec.json.encode(views.log(hall.service.state(match)))
    later = hall.client.get(f"/api/matches/{match}/log?since=2").json["events"]
    assert later == told.json["events"][3:]
    assert [line["superseded"] for line in later] == [True, False]
    assert hall.client.get(f"/api/matches/{match}/log?since=9999").json["events"] == []
    known = hall.client.get(f"/api/matches/{match}/log", if_none_match=told.headers["etag"])
    assert known.status == 304
    assert hall.client.get(f"/api/matches/{'0' * 64}/log").code == "no-match"
    assert hall.client.get(f"/api/matches/{match}/log?since=x").code == "bad-query"


# -- the line is cut -----------------------------------------------------------------------------


def test_a_break_is_said_with_its_time_and_nothing_is_missed(
    hall: Hall, spectator: Spectator
) -> None:
    match = hall.seat()
    page = spectator.at(f"/match/{match}").page
    spectator.live()
    page.context.set_offline(True)
    spectator.sees("#live", re.compile(r"▲ Not live since \d\d:\d\d\. Trying again\."))
    hall.go(match, play("e3-f3"), play("e2-h2"))
    page.context.set_offline(False)
    spectator.live()
    spectator.sees(".last", "Last: e2-h2.")
    expect(page.locator(".log li")).to_have_count(5)
    numbers = [each.get_attribute("data-seq") for each in page.locator(".log li").all()]
    assert numbers == ["4", "3", "2", "1", "0"]


def test_where_another_copy_takes_over_its_events_are_shown(
    hall: Hall, spectator: Spectator, tmp_path: Path
) -> None:
    match = hall.seat()
    page = spectator.at(f"/match/{match}").page
    spectator.live()
    with new_service(tmp_path / "copy.db") as copy:
        take_in(copy, hall.service.envelopes(match), here=lambda _: ())
        copy.append(match, [play("e3-d3"), play("e2-f2"), play("d3-e3")], KEYS)
        hall.go(match, play("e3-f3"), play("e2-h2"))
        expect(page.locator(".log li .words").first).to_have_text("Bruno moves e2-h2")
        take_in(hall.service, copy.envelopes(match), here=lambda _: (), take_over=True)
    told = ["Alba moves d3-e3", "Bruno moves e2-f2", "Alba moves e3-d3", "Bruno accepts"]
    expect(page.locator(".log li .words")).to_have_text(
        [*told, re.compile("Alba a"), re.compile("Zoë")]
    )
    spectator.sees(".last", "Last: d3-e3.")


def test_a_server_that_has_no_room_is_asked_again_later(hall: Hall, hurried: Spectator) -> None:
    spectator = hurried
    match = hall.seat()
    page = spectator.at(f"/match/{match}").page
    spectator.live()
    page.route("**/stream?*", lambda route: route.fulfill(status=503, body="<p>busy"))
    page.evaluate("window.dispatchEvent(new Event('online'))")
    page.clock.run_for(3_000)
    spectator.sees("#live", "▲ Not live since")
    hall.go(match, play("e3-f3"))
    page.unroute("**/stream?*")
    page.clock.run_for(30_000)
    spectator.sees(".last", "Last: e3-f3.")
    spectator.live()


def test_a_line_that_fell_silent_is_asked_for_again(hurried: Spectator) -> None:
    spectator = hurried
    spectator.at("/").live()
    assert spectator.streams() == 1
    spectator.page.clock.run_for(25_000)
    assert spectator.streams() == 1, "comments come every 15 seconds"
    spectator.page.clock.run_for(25_000)
    wait_for(lambda: spectator.page.evaluate("1") and spectator.streams() == 2)
    spectator.live()


def test_a_tab_that_nobody_sees_gives_its_line_up(hall: Hall, hurried: Spectator) -> None:
    spectator, page = hurried, hurried.page
    match = hall.seat()
    spectator.at(f"/match/{match}").live()
    hidden = """(hidden) => {
        Object.defineProperty(document, 'hidden', {value: hidden, configurable: true});
        document.dispatchEvent(new Event('visibilitychange'));
    }"""
    page.evaluate(hidden, True)
    page.clock.run_for(70_000)
    spectator.sees("#live", "▲ Not live since")
    hall.go(match, play("e3-f3"))
    page.evaluate(hidden, False)
    spectator.live()
    spectator.sees(".last", "Last: e3-f3.")


# -- the screen ----------------------------------------------------------------------------------

CONTROLS: Final = "a:visible:not(.skip), button:visible, input:visible, summary:visible"


def test_the_screen_of_the_hall_is_read_from_afar_and_has_no_controls(
    chromium: Browser, hall: Hall
) -> None:
    match = hall.seat("Mona", "Nina")
    hall.go(match, play("e3-f3"), disputes(3, "She touched another man first"))
    with somebody(chromium, hall.client, viewport=PROJECTOR) as spectator:
        page = spectator.at("/?screen=1").page
        spectator.live()
        card = page.locator(f".card[data-match='{match}']")
        expect(card).to_contain_text("⚑ Disputed")
        assert page.locator(CONTROLS).count() == 0
        for part in (card.locator(".name").first, card.locator(".waits"), page.locator("#live")):
            assert part.evaluate("n => Number.parseFloat(getComputedStyle(n).fontSize)") >= 36
        bottom = "n => n.getBoundingClientRect().bottom <= innerHeight"
        assert all(each.evaluate(bottom) for each in page.locator(".card").all())
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
        assert spectator.barriers() == []
        page.emulate_media(color_scheme="dark")
        assert faint(page) == []


def test_few_cards_fill_the_screen_and_an_offer_is_on_its_card(
    chromium: Browser, tmp_path: Path
) -> None:
    size = "n => Number.parseFloat(getComputedStyle(n).fontSize)"
    with new_service(tmp_path / "few.db") as service, serving(service.store.path) as client:
        hall = Hall(service, client)
        offered = hall.seat("Rosa", "Sina")
        with somebody(chromium, client, viewport=PROJECTOR) as spectator:
            page = spectator.at("/?screen=1").page
            cards, sizes = page.locator(".card[data-match]"), []
            for there, more in ((1, 1), (2, 4), (6, 1)):
                expect(cards).to_have_count(there)
                box = page.locator(".cards").bounding_box()
                last = cards.last.bounding_box()
                assert box is not None
                assert last is not None
                assert last["y"] + last["height"] > box["y"] + box["height"] - 20, "to the bottom"
                assert last["x"] + last["width"] > box["x"] + box["width"] - 20, "and to the side"
                sizes.append(cards.first.locator(".name").first.evaluate(size))
                for _ in range(more):
                    hall.seat(accepted=False)
            assert sizes[0] > 100 > sizes[1] > 60 > sizes[2] >= 36
            offer = page.locator(f".card[data-match='{offered}'] .offer")
            hall.go(offered, lambda _: Draft("offer.made", DrawOffer(), "muscovites"))
            expect(offer).to_have_text("Sina offers a draw")
            hall.go(offered, play("e3-f3"))
            expect(offer).to_have_count(0)


def test_the_screen_of_a_match_shows_board_and_turn_at_once(chromium: Browser, hall: Hall) -> None:
    match = hall.seat("Olga", "Paula")
    hall.go(match, *map(play, SHORT_GAME[:6]))
    with somebody(chromium, hall.client, viewport=PROJECTOR) as spectator:
        page = spectator.at(f"/match/{match}?screen=1").page
        spectator.live()
        expect(page.locator(".log li")).to_have_count(5)
        assert page.locator(CONTROLS).count() == 0
        for part in (".board", ".sentence", ".log li >> nth=4"):
            box = page.locator(part).bounding_box()
            assert box is not None
            assert box["y"] + box["height"] <= PROJECTOR["height"], part
        board = page.locator(".board").bounding_box()
        assert board is not None
        assert board["height"] > 700


def test_nothing_of_a_player_is_on_any_of_it(hall: Hall) -> None:
    page = hall.client.get("/").body.decode()
    for word in ("indexedDB", "crypto.subtle", "/play", "/api/join", "/moves", "nonce"):
        assert word not in page


# -- for everybody -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("size", "colours"),
    [(PHONE, "light"), ({"width": 1280, "height": 900}, "dark")],
    ids=["phone", "desk"],
)
def test_no_barrier_is_found_in_the_hall_or_at_a_match(
    size: Any, colours: str, chromium: Browser, hall: Hall
) -> None:
    match = hall.seat()
    hall.go(match, play("e3-f3"), disputes(3, "Not so"))
    with somebody(chromium, hall.client, viewport=size, color_scheme=colours) as spectator:
        spectator.at("/").live()
        spectator.page.get_by_label("Find a table or a name").fill(hall.table(match))
        spectator.sees("#found", "matches fit.")
        assert spectator.barriers() == []
        spectator.at(f"/match/{match}").live()
        spectator.sees(".log li >> nth=0", "disputes")
        assert spectator.barriers() == []
        assert not spectator.sideways()
