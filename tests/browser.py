"""A real browser for the page: Debian's Chromium, one for all tests of a run; without its windows
where that is installed, which takes a fifth less time.

Every page that is opened here is watched: a request for anything but the file itself, an error of
the script or a breach of the content security policy fails the test that caused it.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from pagereader import Reader
from playwright.sync_api import Browser, BrowserContext, sync_playwright


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    found = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if found is None:
        pytest.skip("no chromium is installed")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def window(chromium: Browser) -> Iterator[BrowserContext]:
    with chromium.new_context(viewport={"width": 1280, "height": 900}) as context:
        yield context


@pytest.fixture
def reader(window: BrowserContext, tmp_path: Path) -> Iterator[Reader]:
    with window.new_page() as page:
        reader = Reader(page, tmp_path)
        yield reader
        strangers = [url for url in reader.asked if not url.startswith(("file:", "about:blank"))]
        opened = {url.partition("#")[0] for url in reader.asked} - {"about:blank"}
        assert not strangers
        assert len(opened) <= 2, "nothing is asked for but the file itself"
        assert not reader.complaints
