"""Calls: raichi and tuichi, which the Swedes owe right after their move (``calls``).

A missing or false call changes nothing by itself: it is told, and is the arbiter's to punish.
"""

from __future__ import annotations

from unicodedata import normalize

from msgspec.structs import replace

from ledger.errors import Unreadable
from ledger.games.protocol import Illegal
from ledger.games.tablut.board import MUSCOVITES, SWEDES
from ledger.games.tablut.play import SEATS, State, calls_due

CALLS = ("raichi", "tuichi")
SEAT = SEATS[SWEDES]
"""Who calls."""
_SAID = {"raichi": "raichi", "tuichi": "tuichi", "raihi": "raichi", "twihi": "tuichi"}
"""As it is written, and as it is said at the table: RÀ-ihi, TWÍ-hi."""


def read(text: str) -> str:
    """The call that a text means, however it is spelled. Raises ``Unreadable``."""
    letters = "".join(each for each in normalize("NFKD", text[:40]) if each.isascii())
    said = _SAID.get("".join(filter(str.isalpha, letters)).lower())
    if said is None or len(text) > 40:
        raise Unreadable("bad-call", f"{text[:40]!a} is no call: the calls are raichi and tuichi")
    return said


def is_call(text: str) -> bool:
    return text in CALLS


def check(state: State) -> None:
    """Raises ``Illegal`` unless the Swedes may call: not now, not here, not twice."""
    if state.rules.option["calls"] == "off":
        raise Illegal("calls", "There are no calls in this match (calls=off).")
    if state.last is None or state.position.turn != MUSCOVITES:
        raise Illegal("calls", "The Swedes call right after their own move, not now.")
    if state.called is not None:
        raise Illegal("calls", f"The Swedes have called {state.called} already.")


def may_call(state: State) -> bool:
    try:
        check(state)
    except Illegal:
        return False
    return True


def call(state: State, said: str) -> State:
    """The state once the Swedes have called. Raises ``Illegal``."""
    check(state)
    return replace(state, called=said)


def fault(state: State) -> str | None:
    """What is wrong with what was called, or not called, after the move that led here."""
    due, said = calls_due(state), state.called
    if due == said:
        return None
    if said is None:
        return f"{due} was due and not called"
    if due is None:
        return f"{said} was called, but none was due"
    return f"{said} was called, but {due} was due"


def remarks(state: State) -> list[str]:
    """The call that is due, or what was wrong with the one that was made."""
    if state.called is not None:
        wrong = fault(state)
        return [f"A false call: {wrong}."] if wrong else []
    due = calls_due(state)
    if due is None:
        return []
    what = "goal square in reach" if state.rules.calls_goal else "free way to the edge"
    ways = f"one {what}" if due == "raichi" else f"more than one {what}"
    return [f"The king has {ways}: {due} is due from the Swedes."]
