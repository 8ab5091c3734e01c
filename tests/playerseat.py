"""Alba with a phone at the player's page, in a real browser at a real server; Bruno's key and the
arbiter's are here.

One phone and one tab serve all tests of a module: its keys are made once, and she goes from match
to match by the address. Whoever must load the page anew says ``go``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from barriers import barriers
from handset import Table
from msgspec.structs import replace
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Locator,
    Page,
    Route,
    expect,
)
from server import Client, serving, wait_for
from table import ARBITER, clock, lay

from ledger.events import Effect, Physical, Verdict
from ledger.service import Draft, Plan, Service
from ledger.web.arbiter import Arbiter

PATIENCE = 4000
_GO_THERE = """hash => new Promise((arrived) => {
    document.querySelector("#heard").replaceChildren();
    addEventListener("hashchange", arrived, {once: true});
    location.hash = hash;
})"""


class Opponent(Table):
    """A match of which more is said at its opening, and what Bruno does in it."""

    def __init__(self, service: Service, line: str, name: str = "tablut", **said: Any) -> None:
        self.said = said
        super().__init__(
            _Opening(service, said),  # type: ignore[arg-type]
            line,
            name,
            diced=said.pop("diced", False),
            second=said.pop("second", False),
        )
        self.service = service
        self.accept()

    def does(self, type_: str, data: Any) -> int:
        return self.write(lambda _: Draft(type_, data, self.other))

    @property
    def head(self) -> str:
        return self.state.head

    def last(self) -> Any:
        return self.state.entries[-1].event


class _Opening:
    """A service that opens the match with the rest of what was said of it."""

    def __init__(self, service: Service, said: dict[str, Any]) -> None:
        self.store, self.service, self.said = service.store, service, said

    def open_match(self, found: Any, arbiter: Any) -> Any:
        rules = replace(found.ruleset, options=found.ruleset.options | self.said.pop("options", {}))
        return self.service.open_match(replace(found, ruleset=rules, **self.said), arbiter)


class Player:
    """Alba with her phone."""

    def __init__(self, page: Page, server: Client, line: str) -> None:
        self.page, self.server, self.line = page, server, line
        self.complaints: list[str] = []
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", self._complain)

    def _complain(self, message: ConsoleMessage) -> None:
        if not message.text.startswith("Failed to load resource"):  # an answer that is no success
            self.complaints.append(message.text)

    def go(self, fragment: str = "") -> None:
        self.page.goto("about:blank")
        self.page.goto(f"{self.server.url}/play{fragment}")

    def lists(self) -> None:
        """The list of her matches, and the key."""
        self.go()
        listed = self.page.locator("#key-of-phone")
        self.button("All my matches").or_(listed).first.wait_for(state="attached")
        if not listed.count():
            self.press("All my matches")

    def comes_to(self, match: str) -> None:
        """She goes to a match from wherever she is."""
        if self.page.url.startswith(f"{self.server.url}/play"):
            self.page.evaluate(_GO_THERE, f"match-{match}")
        else:
            self.go(f"#match-{match}")

    def sits(self, match: str) -> None:
        """She opens a match and accepts it."""
        self.comes_to(match)
        self.press("Accept this match")
        expect(self.page.locator(".places")).to_be_visible()

    def button(self, words: str) -> Locator:
        return self.page.get_by_role("button", name=words)

    def press(self, words: str) -> None:
        self.button(words).first.click()

    def unfold(self, words: str) -> None:
        self.page.locator("summary", has_text=words).click()

    def place(self, name: str) -> Locator:
        return self.page.locator(f'.places [data-place="{name}"]')

    def tap(self, *places: str) -> None:
        for name in places:
            expect(self.place(name)).to_have_attribute("data-can", re.compile("free|target"))
            self.place(name).click()

    def sees_her_moves(self) -> None:
        """Wait until the page knows what she may move: it asks after it has drawn the board."""
        expect(self.page.locator('.places [data-can="free"]').first).to_be_attached()

    def targets(self) -> set[str]:
        return self._marked("target")

    def movable(self) -> set[str]:
        return self._marked("free")

    def _marked(self, how: str) -> set[str]:
        found = self.page.locator(f'.places [data-can="{how}"]')
        return set(found.evaluate_all("all => all.map((each) => each.dataset.place)"))

    def sign(self) -> None:
        self.page.locator('[data-key="sign"]').click()

    def signs(self, words: str) -> None:
        """Press, read the question, and sign."""
        self.press(words)
        self.sign()

    def text(self, selector: str = "#room") -> str:
        return self.page.locator(selector).first.inner_text()

    def says(self, words: str, selector: str = "#room") -> None:
        expect(self.page.locator(selector).first).to_contain_text(words)

    def refused(self) -> str | None:
        """The code of what did not go, which is for programs: no person is shown it."""
        return self.page.locator(".refused").first.get_attribute("data-code")

    def hears(self, words: str) -> None:
        expect(self.page.locator("#heard")).to_contain_text(words)

    def turn(self, words: str = "Your move") -> None:
        wait_for(lambda: self.page.title().startswith(words))

    def barriers(self) -> list[str]:
        return barriers(self.page)

    def sideways(self) -> bool:
        wide = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
        return bool(self.page.evaluate(wide))


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("player") / "hall.ledger"
    Service.open(path, clock, create=True).close()
    return path


@pytest.fixture(scope="module")
def server(ledger: Path) -> Iterator[Client]:
    with serving(ledger, arbiter=Arbiter(ARBITER, ledger.parent)) as found:
        yield found


@pytest.fixture(scope="module")
def service(ledger: Path) -> Iterator[Service]:
    with Service.open(ledger, clock) as found:
        yield found


@pytest.fixture(scope="module")
def pocket(chromium: Browser) -> Iterator[BrowserContext]:
    """One phone for all tests: its keys are made once."""
    size = {"width": 360, "height": 740}
    with chromium.new_context(viewport=size, has_touch=True) as context:  # type: ignore[arg-type]
        yield context


@pytest.fixture(scope="module")
def seated(pocket: BrowserContext, server: Client) -> Iterator[Player]:
    """Alba before the page, which shows her key."""
    with pocket.new_page() as page:
        page.goto(f"{server.url}/play")
        line = str(page.locator("#key-of-phone").text_content())
        yield Player(page, server, line)


@pytest.fixture
def alba(seated: Player) -> Iterator[Player]:
    seated.complaints.clear()
    yield seated
    assert not seated.complaints, seated.complaints


Sit = Callable[..., Opponent]


@pytest.fixture
def sit(alba: Player, service: Service) -> Sit:
    """Alba and Bruno sit down to a match that both have accepted."""

    def sit(name: str = "tablut", **said: Any) -> Opponent:
        table = Opponent(service, alba.line, name, **said)
        if said.get("diced"):
            table.commit()
        alba.sits(table.match)
        wait_for(lambda: not table.state.unaccepted)
        return table

    return sit


def tablero(sit: Sit, faces: tuple[int, int], **said: Any) -> Opponent:
    """A match on the table's own dice in which Alba is to act on these."""
    table = sit("tablero", dice=Physical(confirm=False), **said)
    first = (5, 3) if table.seat == "south" else (3, 5)
    table.write(lay(*first), lay(*faces))
    return table


@contextmanager
def overtaken(alba: Player, table: Opponent, *plans: Plan) -> Iterator[None]:
    """Others write while Alba's next event is on its way: no stream is as fast."""

    def overtake(route: Route) -> None:
        table.write(*plans)
        route.continue_()

    alba.page.route("**/api/events", overtake, times=1)
    yield
    alba.page.unroute("**/api/events", overtake)


def ruled(effect: Effect) -> Plan:
    found = Verdict(reason="it went wrong", rule="record", effects=(effect,))
    return lambda _: Draft("ruling", found, "arbiter")
