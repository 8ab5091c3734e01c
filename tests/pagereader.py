"""Somebody who reads the verifying page, and the records that are shown to it: as they were
written, changed by somebody without a key, or forged by those who have one."""

from __future__ import annotations

import json
from base64 import b64encode
from functools import cache
from pathlib import Path
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from match import Match, sealed
from msgspec.structs import replace
from playwright.sync_api import Page

from ledger import page as pages
from ledger import positions, record
from ledger.envelope import Envelope
from ledger.events import decode
from ledger.fold import Entry, MatchState, open_match

GOLDEN = sorted(Path(__file__).with_name("golden").glob("*.tabellion.json"))
CHECKS = ("file", "form", "signature", "chain", "authority", "dice")

_DROP = """([files]) => {
    const carried = new DataTransfer();
    for (const [name, content] of files) {
        const bytes = Uint8Array.from(atob(content), (sign) => sign.charCodeAt(0));
        carried.items.add(new File([bytes], name));
    }
    document.body.dispatchEvent(
        new DragEvent("drop", {dataTransfer: carried, bubbles: true, cancelable: true}),
    );
}"""


class Reader:
    """Somebody with a browser, before the page: alone, or with a record inside."""

    def __init__(self, page: Page, folder: Path) -> None:
        self.page, self.folder = page, folder
        self.asked: list[str] = []
        self.complaints: list[str] = []
        page.on("request", lambda request: self.asked.append(request.url))
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def open(self, data: bytes | None = None, fragment: str = "") -> None:
        """The page, with ``data`` as the record inside if given."""
        file = self.folder / ("match.html" if data else "verify.html")
        file.write_bytes(pages.with_record(data) if data else pages.page())
        if self.page.url.partition("#")[0] == file.as_uri():  # else only the fragment would change
            self.page.goto("about:blank")
        self.page.goto(file.as_uri() + fragment)
        if data:
            self.judged()

    def drop(self, *files: bytes, name: str = "match.tabellion.json") -> None:
        given = [(name, b64encode(each).decode("ascii")) for each in files]
        self.page.evaluate(_DROP, [given])

    def judged(self) -> str:
        """The verdict, once it is there."""
        self.page.wait_for_selector("html[data-verdict]")
        return str(self.page.evaluate("document.documentElement.dataset.verdict"))

    def checks(self) -> dict[str, str]:
        lines = self.page.locator("[data-check]").all()
        return {_read(each, "data-check"): _read(each, "data-state") for each in lines}

    def faults(self) -> set[tuple[str, str]]:
        """Event and code of every fault that is listed."""
        lines = self.page.locator("li[data-code]").all()
        return {(_read(each, "data-event"), _read(each, "data-code")) for each in lines}

    def text(self, selector: str) -> str:
        return self.page.inner_text(selector)

    def status(self) -> str:
        self.page.wait_for_selector("#status[data-refused]")
        return self.text("#status")

    def at(self) -> int:
        """The event whose board is shown."""
        return int(self.page.get_attribute("#replay", "data-event") or -1)

    def barriers(self) -> list[str]:
        """What axe finds against the page."""
        found = Axe().run(self.page).response["violations"]
        return [json.dumps([each["id"], each["nodes"][0]["html"]]) for each in found]

    def sideways(self) -> bool:
        """Whether the page is wider than the window."""
        return bool(self.page.evaluate("document.documentElement.scrollWidth > innerWidth"))


def _read(line: Any, name: str) -> str:
    return str(line.get_attribute(name))


@cache
def golden(name: str) -> tuple[bytes, MatchState]:
    """A record of ``tests/golden`` with its boards, and the fold of it."""
    path = Path(__file__).with_name("golden") / f"{name}.tabellion.json"
    found = record.read(path.read_bytes())
    envelopes = [piece for piece in found.pieces if isinstance(piece, Envelope)]
    state = open_match([Entry(decode(each.payload), each.hash, each.keyid) for each in envelopes])
    return record.write(envelopes, positions.write(state)), state


GOLDEN_NAMES = [path.name.removesuffix(".tabellion.json") for path in GOLDEN]


def tampered(data: bytes, number: int, **changes: Any) -> bytes:
    """The record with one event changed by somebody without a key: ``payload`` or ``signature``
    (a function of the bytes), or another ``keyid``."""
    pieces = [piece for piece in record.read(data).pieces if isinstance(piece, Envelope)]
    old = pieces[number]
    pieces[number] = Envelope(
        changes.get("payload", bytes)(old.payload),
        changes.get("signature", bytes)(old.signature),
        changes.get("keyid", old.keyid),
    )
    return record.write(pieces)


def sign_anew(match: Match, number: int, **said: Any) -> bytes:
    """The record of a match in which event ``number`` says something else, and all from there on is
    signed again by the keys of the match: no signature and no hash gives it away."""
    envelopes, before = [], None
    for entry in match.state.entries:
        event = entry.event
        if event.seq == number:
            event = replace(event, data=replace(event.data, **said))
        if event.seq > number:
            event = replace(event, prev=before)
        envelopes.append(sealed(replace(entry, event=event)))
        before = envelopes[-1].hash
    return record.write(envelopes)
