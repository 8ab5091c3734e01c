"""The verifying page: one HTML file that reads and checks records in a browser, without network.

Its parts are modules of JavaScript, which share nothing with the Python: ``verifier`` judges
(``verify.mjs``), ``face`` shows (``main.mjs``, ``page.html``, ``style.css``). They are put together
(``assembling``) into the same bytes for everyone; no request leaves the page. A record can stand
inside, alone on its line: without that line the page is byte for byte the one without it.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from typing import Final

from ledger.page.assembling import assembled, gathered

_ENTRY: Final = "page/face/main.mjs"
_STYLES: Final = ("page/face/ground.css", "page/face/board.css", "page/face/style.css")
_INSIDE: Final = b'<script type="application/json" id="record">\n'


@cache
def page() -> bytes:
    """The page without a record: the same bytes wherever this version is installed."""
    return assembled("page/face/page.html", _ENTRY, _STYLES, server=False)


def modules() -> dict[str, str]:
    """The text of every module by its name, each after those that it imports from."""
    found = gathered(_ENTRY).items()
    return {path.rpartition("/")[2].removesuffix(".mjs"): text for path, text in found}


def with_record(record: bytes) -> bytes:
    """The page with a record (one line, no byte of it ``<``) inside."""
    before, after = page().split(_INSIDE)
    return before + _INSIDE + record + after


def digest() -> str:
    """SHA-256 of the page, in hex: what everybody can compare their own copy with."""
    return sha256(page()).hexdigest()
