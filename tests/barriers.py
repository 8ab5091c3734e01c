"""What keeps people from using a page, as axe-core finds it."""

from __future__ import annotations

import json
from functools import cache

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

_RUN = """(more) => axe.run(document, {resultTypes: ["violations"], ...more})
    .then(({violations}) => violations.map(({id, nodes}) => [id, nodes[0].html]))"""
"""Only what is wrong is sent back: all that was looked at is a hundred times as much."""


@cache
def _script() -> str:
    return str(Axe().axe_script)


def barriers(page: Page) -> list[str]:
    """Every rule that the page breaks, with the first element that does."""
    return _broken(page, {})


def faint(page: Page) -> list[str]:
    """The same of the rules that colours can break: for the same page in other colours."""
    return _broken(page, {"runOnly": ["color-contrast", "link-in-text-block"]})


def _broken(page: Page, more: dict[str, object]) -> list[str]:
    if not page.evaluate("typeof axe === 'object'"):
        page.evaluate(_script())
    return [json.dumps(each) for each in page.evaluate(_RUN, more)]
