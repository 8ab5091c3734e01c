"""The arbiter before the page in a real browser, and a hall in which matches are played beside it.

Whatever page is opened here is watched: an error of its script, a breach of its policy or a
request to anybody else fails the test.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from barriers import barriers
from deskhand import Desk, desk_of
from match import Match, sealed
from msgspec.structs import replace
from playwright.sync_api import Browser, BrowserContext, Locator, Page, ViewportSize, expect
from table import ARBITER, BOTH, KEYS, clock, new_service, opening

from ledger.events import Complaint
from ledger.fold import MatchState
from ledger.service import Draft, Plan, Service

NUMBERS = count(1)
SIZE: ViewportSize = {"width": 1280, "height": 900}
_GO_THERE = """match => new Promise((arrived) => {
    addEventListener("hashchange", arrived, {once: true});
    location.hash = match;
})"""


class Hall:
    """The hall of this module: matches are opened and played beside the server."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def opened(self, *plans: Plan, table: str = "", name: str = "tablut", **more: Any) -> str:
        """A new match by its id; ``plans`` are what has happened in it."""
        given = {"keyed": (), "nonce": f"{next(NUMBERS):032x}"} | more
        found = opening(name, **given)
        found = replace(found, table=table or f"{given['nonce'][-2:]}")
        with self.service() as service:
            state = service.open_match(found, ARBITER)
            if plans:
                service.append(state.match, plans, KEYS)
        return state.match

    def thrown(self) -> MatchState:
        """A match in which both players' numbers make the dice: White has thrown, Black does not
        open."""
        nonce = f"{next(NUMBERS):032x}"
        match = Match(("white", "black"), ruleset="tabula", dice=BOTH, nonce=nonce)
        match.commit("white")
        match.commit("black")
        match.throw("white")
        with self.service() as service:
            for entry in match.state.entries:
                service.post(sealed(entry).text())
        return match.state

    def write(self, match: str, *plans: Plan) -> MatchState:
        with self.service() as service:
            return service.append(match, plans, KEYS)

    def state(self, match: str) -> MatchState:
        with self.service() as service:
            return service.state(match)

    def service(self) -> Service:
        return Service.open(self.path, clock)


class Chair:
    """The arbiter before the page."""

    def __init__(self, page: Page, desk: Desk) -> None:
        self.page = page
        self.desk = desk
        self.complaints: list[str] = []
        self.strangers: list[str] = []
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda said: self._hear(said.text))
        page.on("request", lambda asked: self._watch(asked.url))

    def _hear(self, said: str) -> None:
        if not said.startswith("Failed to load resource"):  # Chromium's word for any refusal
            self.complaints.append(said)

    def _watch(self, url: str) -> None:
        if not url.startswith((self.desk.client.url, "about:")):
            self.strangers.append(url)

    def hall(self) -> None:
        self.page.goto(f"{self.desk.client.url}/desk")
        self.page.wait_for_selector("#found:not(:empty)")

    def sit_at(self, match: str) -> None:
        """Go to a match, from another one by the address."""
        there = f"{self.desk.client.url}/desk#"
        if self.page.url.startswith(there) and not self.page.url.endswith(match):
            self.page.evaluate(_GO_THERE, match)
        else:
            self.page.goto("about:blank")
            self.page.goto(there + match)
        self.page.wait_for_selector("html[data-current=true]")

    def key(self, name: str) -> Locator:
        return self.page.locator(f'[data-key="{name}"]')

    def type_move(self, text: str) -> None:
        self.page.fill("#field-notation", text)
        self.page.press("#field-notation", "Enter")

    def proposed(self) -> str:
        """What is about to be signed, in words."""
        self.page.wait_for_selector(".proposal")
        return str(self.page.inner_text(".proposal"))

    def sign(self) -> tuple[int, str]:
        """Sign what is proposed: the number of the event, and its hash."""
        self.key("sign").click()
        told = self.page.inner_text(".outcome")
        number = re.search(r"Event ([0-9]+) is signed", told)
        digest = re.search(r"Hash: ([0-9a-f ]+)", told)
        assert number
        assert digest
        return int(number[1]), digest[1].replace(" ", "")

    def refused(self) -> str:
        return str(self.page.inner_text(".refused"))

    def lacks(self, field: str) -> str:
        """What is said to lack in this field, which the arbiter is led to."""
        place = self.page.locator(f"#field-{field}")
        expect(place).to_be_focused()
        expect(place).to_have_attribute("aria-invalid", "true")
        return str(self.page.inner_text(f"#lack-{field}"))

    def unfold(self, *keys: str) -> None:
        for key in keys:
            details = self.key(key)
            if details.get_attribute("open") is None:
                details.locator("> summary").click()

    def focused(self) -> str:
        found = self.page.evaluate(
            "document.activeElement.closest('[data-key]')?.dataset.key ?? document.activeElement.id"
        )
        return str(found)

    def barriers(self) -> list[str]:
        return barriers(self.page)


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Hall:
    path = tmp_path_factory.mktemp("desk") / "ledger.db"
    new_service(path).close()
    return Hall(path)


@pytest.fixture(scope="module")
def desk(hall: Hall) -> Iterator[Desk]:
    with desk_of(hall.path) as found:
        yield found


@pytest.fixture(scope="module")
def window(chromium: Browser, desk: Desk) -> Iterator[BrowserContext]:
    with chromium.new_context(viewport=SIZE) as context:
        context.set_default_timeout(10_000)
        yield context


@pytest.fixture(scope="module")
def seated(window: BrowserContext, desk: Desk) -> Iterator[Chair]:
    """The arbiter has come in by the link. One tab serves all tests of a module."""
    with window.new_page() as page:
        page.goto(desk.links[-1])
        page.wait_for_selector("#found")
        yield Chair(page, desk)


@pytest.fixture
def chair(seated: Chair) -> Iterator[Chair]:
    seated.strangers.clear()
    seated.complaints.clear()
    seated.page.set_viewport_size(SIZE)
    yield seated
    seated.page.unroute_all(behavior="wait")
    seated.page.emulate_media(color_scheme="null")
    assert not seated.strangers, seated.strangers
    assert not seated.complaints, seated.complaints


def disputes(event: int, by: str) -> Plan:
    """A complaint about an event."""
    return lambda _: Draft("dispute.raised", Complaint(event=event, text="it jumped"), by)
