"""The pages that the server serves, each one HTML file: the same bytes for everybody.

They are put together by the rules of the verifying page and know nothing of the match, the server
or whoever looks at them: all that comes later, through the API. So a player can compare the page
of a phone with the published hash.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from typing import Final

from ledger.page.assembling import assembled

_BOARDS: Final = ("page/face/ground.css", "page/face/board.css", "web/served.css")
"""Colours and boards, as on the verifying page; and what is read out and not seen."""
_TAPPED: Final = "web/table/tapped.css"
"""Boards under the finger."""
_HEAD: Final = "web/hall/head.css"
"""The head of a page of many matches: the way back, whether it is live, what is searched for."""


@cache
def player() -> bytes:
    """The page of whoever plays with a phone."""
    return _page("table", _TAPPED)


@cache
def hall() -> bytes:
    """The page of spectators: the hall, or one match of it."""
    return _page("hall", _HEAD)


@cache
def desk() -> bytes:
    """The page of the arbiter."""
    return _page("desk", _HEAD, _TAPPED)


def digest(page: bytes) -> str:
    """SHA-256 of a page, in hex: what is published, and what everybody can compare with."""
    return sha256(page).hexdigest()


def _page(room: str, *more: str) -> bytes:
    styles = [*_BOARDS, *more, f"web/{room}/style.css"]
    return assembled(f"web/{room}/page.html", f"web/{room}/main.mjs", styles, server=True)
