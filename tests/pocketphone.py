"""Somebody with a phone in their hand: what they see, tap and type. What is played by lot is chosen
among what the page offers; nothing here knows a rule of a game, or the key of the phone."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Expect,
    Locator,
    Page,
    Request,
)

PATIENCE = 20_000
"""Milliseconds that somebody waits for a page."""
LOOK = 40
expect = Expect()
expect.set_options(timeout=PATIENCE)
OVER = "The arbiter closes the match"
SHAPE: dict[str, Any] = {
    "viewport": {"width": 360, "height": 740},
    "has_touch": True,
    "is_mobile": True,
}


class Player:
    """Somebody with a phone, on whose storage nobody else writes."""

    def __init__(self, context: BrowserContext, seed: int) -> None:
        self.context = context
        self.context.set_default_timeout(PATIENCE)
        self.lot = Random(seed)
        self.complaints: list[str] = []
        self.asked: list[str] = []
        self.sent: list[bytes] = []
        self.did: Counter[str] = Counter()
        self.page = self.new_tab()

    def new_tab(self) -> Page:
        page = self.context.new_page()
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", self._complain)
        page.on("request", self._note_down)
        return page

    def _note_down(self, request: Request) -> None:
        self.asked.append(request.url)
        if request.url.endswith("/api/events") and request.post_data_buffer:
            self.sent.append(request.post_data_buffer)

    def _complain(self, message: ConsoleMessage) -> None:
        if not message.text.startswith("Failed to load resource"):  # no server, or a refusal
            self.complaints.append(message.text)

    @classmethod
    def comes(cls, chromium: Browser, seed: int) -> Player:
        """With a phone that was never here."""
        return cls(chromium.new_context(**SHAPE), seed)

    # -- coming and going --------------------------------------------------------------------

    def scans(self, link: str) -> None:
        self.page.goto(link)

    def accepts(self) -> None:
        """Read what is agreed to, and accept it."""
        self.button("Accept this match").tap()
        expect(self.page.locator(".places")).to_be_visible()

    @property
    def match(self) -> str:
        return self.page.url.partition("#match-")[2]

    @property
    def keyid(self) -> str:
        """The fingerprint of the phone's key, as it is read out to the arbiter."""
        shown = self.page.locator('[data-key="key"] .groups').first.text_content() or ""
        return "SHA256:" + re.sub(r"\s", "", shown)

    # -- what the page shows -----------------------------------------------------------------

    def button(self, words: str) -> Locator:
        return self.page.get_by_role("button", name=words)

    def named(self, key: str) -> Locator:
        return self.page.locator(f'[data-key="{key}"]')

    def place(self, name: str) -> Locator:
        return self.page.locator(f'.places [data-place="{name}"]')

    def sees(self, words: str, where: str = "#room") -> None:
        expect(self.page.locator(where).first).to_contain_text(words)

    def offered(self) -> dict[str, Any]:
        """Whose turn it is said to be, the places that can be chosen, the buttons of the moment."""
        found: dict[str, Any] = self.page.evaluate(
            """() => {
                const named = (each) => each.dataset.key;
                const can = (how) => [...document.querySelectorAll(`.places [data-can=${how}]`)]
                    .map((each) => each.dataset.place);
                const free = (each) => each.getAttribute("aria-disabled") !== "true";
                const buttons = [...document.querySelectorAll(".now button")].filter(free);
                return {
                    due: document.title.startsWith("Your "),
                    over: document.querySelector(".standing")?.textContent ?? "",
                    free: can("free"), targets: can("target"),
                    buttons: buttons.map(named),
                    ready: buttons.filter((each) => each.matches(".inhand .main")).map(named),
                    list: [...document.querySelectorAll(".now select[name=act] option")]
                        .map((each) => each.value),
                };
            }"""
        )
        return found

    @property
    def awaited(self) -> bool:
        """Whether the page says that it is this player's turn, and offers something."""
        found = self.offered()
        return found["due"] and bool(self._choices(found))

    @property
    def over(self) -> bool:
        return OVER in self.offered()["over"]

    def _choices(self, found: dict[str, Any]) -> list[str]:
        acts = [key for key in found["buttons"] if key.startswith("act-")]
        throw = [key for key in found["buttons"] if key == "throw"]
        return [*(["board"] if found["free"] else []), *acts, *throw, *found["list"]]

    # -- acting ------------------------------------------------------------------------------

    def tap(self, *names: str) -> None:
        for name in names:
            expect(self.place(name)).to_have_attribute("data-can", re.compile("free|target"))
            self.place(name).tap()

    def signs(self) -> None:
        """Read the question, and sign."""
        self.named("sign").tap()
        expect(self.named("sign")).to_have_count(0)

    def plays(self, text: str) -> None:
        """A move by tapping: from one place to another."""
        self.chooses(text)
        self.lets_go()

    def types(self, text: str) -> None:
        """A move by its notation."""
        self.page.get_by_label("Or type it").fill(text)
        self.page.get_by_label("Or type it").press("Enter")
        self.signs()

    def acts_by_lot(self) -> str:
        """One thing of those that the page offers."""
        found = self.offered()
        choice = self.lot.choice(self._choices(found))
        if choice == "board":
            return self._moves_by_lot()
        if choice in found["list"]:
            self.page.get_by_label("Your act").select_option(choice)
            self.button("Choose …").tap()
            self.signs()
        elif choice == "throw":
            self.throws()
        else:
            self.named(choice).tap()
            self.signs()
        self.did[choice.split("-")[1] if choice.startswith("act-") else choice] += 1
        return choice

    def throws(self) -> None:
        """Dice are thrown at once, or after a question where something else could be done."""
        asks = "…" in (self.named("throw").text_content() or "")
        self.named("throw").tap()
        if asks:
            self.signs()
        else:
            expect(self.named("throw")).to_have_count(0)

    def _moves_by_lot(self) -> str:
        while True:
            found = self.offered()
            if found["ready"]:
                break
            self.place(self.lot.choice(found["free"])).tap(force=True)
            self.place(self.lot.choice(self.offered()["targets"])).tap(force=True)
        done = self.lot.choice(found["ready"])
        self.named(done).tap()
        expect(self.page.locator(".inhand")).to_have_count(0)
        self.did["move"] += 1
        return done

    def turn(self, words: str = "Your move") -> None:
        """Wait until the page says so, and something can be done."""
        expect(self.page).to_have_title(re.compile(f"^{words}"))
        assert next_of(self) is self

    def chooses(self, text: str) -> None:
        """A move on the board, that is not signed yet."""
        self.tap(*re.findall(r"[a-i][1-9]", text))
        expect(self.named(f"move-{text}")).to_be_visible()

    def lets_go(self) -> None:
        """Sign the move that is made on the board: one tap."""
        self.page.locator(".inhand .main").tap()
        expect(self.page.locator(".inhand")).to_have_count(0)

    @contextmanager
    def offline(self) -> Iterator[None]:
        """The phone is out of reach of the hall's net."""
        self.context.set_offline(True)
        try:
            yield
        finally:
            self.context.set_offline(False)

    def resigns(self) -> None:
        self.page.locator("summary", has_text="Offer, claim, resign").tap()
        self.button("Resign …").tap()
        self.signs()
        self.sees(OVER)

    def board(self) -> str:
        return drawn(self.page.locator(".tapped > svg").first)

    def countersigns(self) -> None:
        self.button("Countersign …").tap()
        self.signs()
        expect(self.button("Countersign …")).to_have_count(0)


def play_by_lot(one: Player, other: Player, most: int) -> None:
    """Whoever is awaited acts, until the game is over or so many acts are done."""
    for _ in range(most):
        acting = next_of(one, other)
        if acting is None:
            return
        acting.acts_by_lot()


def next_of(*players: Player) -> Player | None:
    """Wait until somebody is awaited: that one; nobody when the game is over."""
    late = time.monotonic() + PATIENCE / 1000
    while time.monotonic() < late:
        for player in players:
            if player.awaited:
                return player
        if players[0].over:
            return None
        players[0].page.wait_for_timeout(LOOK)
    raise AssertionError([player.offered() for player in players])


def drawn(board: Locator) -> str:
    """A board as it is drawn."""
    return str(board.evaluate("each => each.innerHTML"))
