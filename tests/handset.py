"""A phone at the table: the modules of the player's page without its face, in a real browser, and
an opponent whose keys are here."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache, reduce
from pathlib import Path
from typing import Any

from msgspec.structs import replace
from playwright.sync_api import BrowserContext, Page, Request, Route
from server import Client, wait_for
from table import ARBITER, BRUNO, opening

from ledger import dice
from ledger.envelope import Envelope
from ledger.events import Commitment, CommitReveal, Nothing, Opened, Seat, Throw, type_of
from ledger.fold import MatchState, advance, begin
from ledger.fold.rolls import awaited, uncommitted
from ledger.page.assembling import assembled
from ledger.service import Draft, Plan, Service

HERE = Path(__file__).parent / "phone"
POSTING = "**/api/events"
EVENTS = re.compile(r"/api/matches/[0-9a-f]+/events")
STREAM = re.compile(r"/api/matches/[0-9a-f]+/stream")
PLACE = "/a-phone-without-a-face"

_SAID = """error => ({code: error.code, message: error.message, hint: error.hint,
    status: error.status})"""


@cache
def page() -> bytes:
    """The modules, put together as the player's page is."""
    return assembled("../tests/phone/page.html", "../tests/phone/main.mjs", [], server=True)


class Phone:
    """One browser of its own, with a tab on the server."""

    def __init__(self, context: BrowserContext, server: Client) -> None:
        self.context = context
        self.server = server
        self.complaints: list[str] = []
        context.route(f"**{PLACE}", _hand_out)
        self.tab = self.new_tab()

    def as_new(self) -> None:
        """As if the browser had never been here: other keys, no seats, nothing signed."""
        for tab in self.context.pages:
            if tab != self.tab:
                tab.close()
        self.context.unroute_all(behavior="ignoreErrors")
        self.context.set_offline(False)
        self.context.route(f"**{PLACE}", _hand_out)
        self.tab.goto("about:blank")
        self.tab.goto(self.server.url + PLACE)
        self.tab.evaluate(
            """async () => {
                for (const {name} of await indexedDB.databases()) {
                    await new Promise((done) => {
                        indexedDB.deleteDatabase(name).onsuccess = done;
                    });
                }
            }"""
        )
        self.take_keys(self.tab)
        self.complaints.clear()

    def new_tab(self) -> Page:
        tab = self.context.new_page()
        tab.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.load(tab)
        return tab

    def load(self, tab: Page | None = None) -> None:
        """Open the page, or open it again."""
        tab = tab or self.tab
        tab.goto(self.server.url + PLACE)
        self.take_keys(tab)

    def take_keys(self, tab: Page) -> None:
        tab.evaluate(
            """async () => {
                const storage = await phone.openStorage();
                globalThis.own = {storage, keys: await phone.ownKeys(storage)};
            }"""
        )

    @property
    def line(self) -> str:
        return str(self.tab.evaluate("own.keys.line"))

    def follow(self, match: str, tab: Page | None = None) -> None:
        (tab or self.tab).evaluate(
            """match => {
                own.following?.stop();
                own.following = new phone.Following({
                    match, ...own, changed: () => {}, clock: () => new Date(1795975200000),
                });
                own.following.start();
            }""",
            match,
        )

    def sees(self, what: str, tab: Page | None = None) -> Any:
        """A member of what the phone follows."""
        return (tab or self.tab).evaluate(f"own.following.{what}")

    def comes_to(self, seq: int, tab: Page | None = None) -> None:
        """Wait until the phone has this event."""
        wait_for(lambda: self.sees("seq", tab) >= seq)

    def live(self) -> None:
        wait_for(lambda: self.sees("connection") == "live")

    def act(self, kind: str, tab: Page | None = None, **data: Any) -> dict[str, Any]:
        """Act on what the phone shows; what came of it, or the answer it got instead."""
        found: dict[str, Any] = (tab or self.tab).evaluate(
            f"""([type, data]) => phone.act(own.following, {{type, data}}, own.following.head)
                .catch({_SAID})""",
            [kind, data],
        )
        return found

    def throw(self) -> dict[str, Any]:
        found: dict[str, Any] = self.tab.evaluate(
            f"""() => phone.throwDraft(own.following)
                .then((draft) => phone.act(own.following, draft, own.following.head))
                .catch({_SAID})"""
        )
        return found

    def rows(self, store: str) -> list[dict[str, Any]]:
        """What the phone keeps."""
        found: list[dict[str, Any]] = self.tab.evaluate("store => own.storage.all(store)", store)
        return found


def _hand_out(route: Route) -> None:
    route.fulfill(body=page(), content_type="text/html; charset=utf-8")


def before(state: MatchState, seq: int) -> MatchState:
    """The match as it was before event ``seq``."""
    return reduce(advance, state.entries[1:seq], begin(state.entries[0]))


class Table:
    """A match between Alba, who has a phone, and Bruno; Zoë is the arbiter. Alba sits in the first
    seat, if not ``second``."""

    def __init__(
        self,
        service: Service,
        line: str,
        name: str = "tablut",
        *,
        diced: bool = False,
        second: bool = False,
    ) -> None:
        self.service = service
        found = opening(name, nonce=len(service.store.matches()).to_bytes(16, "big").hex())
        order = tuple(found.seats)
        self.place = 0 if second else 1
        self.other, self.seat = order[self.place], order[1 - self.place]
        made = CommitReveal(contributors=order) if diced else None
        seats = {
            self.seat: Seat(name="Alba", key=line),
            self.other: Seat(name="Bruno", key=BRUNO.public.line),
        }
        self.match = service.open_match(replace(found, seats=seats, dice=made), ARBITER).match

    @property
    def state(self) -> MatchState:
        return self.service.state(self.match)

    @property
    def events(self) -> list[Envelope]:
        return self.service.envelopes(self.match)

    def types(self) -> list[str]:
        return [type_of(entry.event) for entry in self.state.entries]

    def write(self, *plans: Plan) -> int:
        """Events of Bruno and Zoë, written by another program than the server."""
        signers = {self.other: BRUNO, "arbiter": ARBITER}
        return self.service.append(self.match, plans, signers).seq

    def accept(self) -> int:
        return self.write(lambda _: Draft("seat.accepted", Nothing(), self.other))

    def commit(self) -> int:
        """Bruno is bound to a number for the next roll."""
        return self.write(
            lambda state: Draft(
                "dice.committed",
                Commitment(roll=state.rolling.number, commitment=self._binding(state, 0)),
                self.other,
            )
        )

    def throw(self) -> int:
        return self.write(lambda state: Draft("roll", Throw(**self.shown(state)), self.other))

    def open_number(self) -> int:
        return self.write(
            lambda state: Draft("roll.opened", Opened(**self.shown(state)), self.other)
        )

    def shown(self, state: MatchState | None = None) -> dict[str, Any]:
        """Bruno's number for the roll, and what binds him to the next."""
        state = state or self.state
        number = state.rolling.number
        own = self._number(state, number).hex()
        return {"roll": number, "nonce": own, "next": self._binding(state, 1)}

    def _binding(self, state: MatchState, later: int) -> str:
        number = state.rolling.number + later
        return dice.commitment(state.match, number, self.place, self._number(state, number))

    def _number(self, state: MatchState, roll: int) -> bytes:
        return dice.nonce(BRUNO.dice_secret(), state.match, roll, self.place)

    def committed(self) -> None:
        """Wait until everybody has committed to the next roll."""
        wait_for(lambda: not uncommitted(self.state))

    def landed(self, roll: int) -> None:
        """Wait until the dice of this roll are there."""
        wait_for(lambda: len(self.state.rolling.rolls) >= roll and not awaited(self.state))


def diced(phone: Phone, service: Service, *, second: bool = False) -> Table:
    """A match of Tabula that waits for its first throw."""
    found = Table(service, phone.line, "tabula", diced=True, second=second)
    found.accept()
    found.commit()
    phone.follow(found.match)
    phone.comes_to(2)
    phone.act("seat.accepted")
    found.committed()
    wait_for(lambda: phone.sees("course.rolling.bound.size") == 2)
    return found


Change = Callable[[list[dict[str, Any]]], list[dict[str, Any]]]


def shows(phone: Phone, change: Change) -> None:
    """From now on the server shows other events, and has no stream."""

    def answer(route: Route) -> None:
        since = int(route.request.url.partition("since=")[2])
        whole = phone.server.get(route.request.url.removeprefix(phone.server.url).split("?")[0])
        told = whole.json
        told["events"] = change(told["events"])
        told["seq"] = len(told["events"]) - 1
        told["events"] = told["events"][since + 1 :]
        route.fulfill(json=told)

    phone.tab.evaluate("own.following?.stop()")
    phone.context.route(EVENTS, answer)
    phone.context.route(STREAM, lambda route: route.abort())


def posts(phone: Phone) -> list[str]:
    """Where the phone posts to from now on."""
    found: list[str] = []

    def note_down(request: Request) -> None:
        if request.method == "POST":
            found.append(request.url)

    phone.context.on("request", note_down)
    return found


def as_json(envelope: Envelope) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(envelope.text())
    return found
