"""The screen of a phone that others wait for, in a Chromium with windows: without them no browser
keeps a screen on."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest
from playerseat import Player, Sit, alba, ledger, seated, server, service, sit
from playwright.sync_api import Browser, BrowserContext
from server import wait_for

__all__ = ["alba", "ledger", "seated", "server", "service", "sit"]

pytest_plugins = ["browser"]


@pytest.fixture(scope="module")
def pocket(chromium: Browser) -> Iterator[BrowserContext]:
    found = shutil.which("chromium")
    if found is None:
        pytest.skip("no chromium with windows is installed")
    size = {"width": 360, "height": 740}
    with (
        chromium.browser_type.launch(executable_path=found, args=["--no-sandbox"]) as browser,
        browser.new_context(viewport=size, has_touch=True) as context,
    ):
        yield context


WATCH_THE_SCREEN = """() => {
    globalThis.heldScreens = [];
    const real = navigator.wakeLock.request.bind(navigator.wakeLock);
    navigator.wakeLock.request = async (kind) => {
        const held = { kind, lock: null };
        heldScreens.push(held);
        held.lock = await real(kind);
        return held.lock;
    };
}"""
SCREENS = "() => heldScreens.map(({ kind, lock }) => [kind, lock?.released ?? null])"


def test_the_screen_stays_on_while_others_wait_for_the_dice_of_this_phone(
    alba: Player, sit: Sit
) -> None:
    alba.lists()
    alba.page.evaluate(WATCH_THE_SCREEN)
    without = sit()
    alba.turn()
    assert alba.page.evaluate(SCREENS) == [], "nobody waits for dice"
    sit("tabula", diced=True)
    wait_for(lambda: alba.page.evaluate(SCREENS) == [["screen", False]])
    alba.comes_to(without.match)
    wait_for(lambda: alba.page.evaluate(SCREENS) == [["screen", True]])
