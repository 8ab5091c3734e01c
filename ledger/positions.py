"""The boards that a record carries beside its signed events, for readers that know no rules.

They are what the fold gives after each event, and nobody's word: unsigned, compared by the audit.
``boards[n]`` belongs to event n and has only the members that differ from those before it:
``position`` (the game's one line of text), ``turn``, ``dice`` that something is still to be done
with, and ``board``, a ``Surface`` or a ``Track`` with its ``kind``. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import msgspec

from ledger.errors import Unreadable
from ledger.fold import MatchState
from ledger.games.protocol import Surface, Track

VERSION: Final = 1
_TYPED: Final = msgspec.json.Decoder(dict[str, Any])


def write(state: MatchState) -> bytes:
    """The boards of a match as JSON in one spelling, in which no byte is ``<``: it can stand in a
    page. The same match gives the same bytes."""
    text = msgspec.json.encode({"boards": list(_changes(state)), "version": VERSION})
    return text.replace(b"<", rb"\u003c")


def wrong(state: MatchState, events: int, text: bytes) -> tuple[int | None, str] | None:
    """What is not as the fold has it in the boards of a record with so many events: the first
    event whose board differs (``None``: all of them as a whole) and a sentence.

    ``state`` may end before the last event; what follows is not judged. Raises ``Unreadable``
    (``future-version``) for boards that a later version wrote.
    """
    try:
        found = _TYPED.decode(text)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None, "The boards in the file cannot be read."
    version, boards = found.get("version"), found.get("boards")
    if isinstance(version, int) and version > VERSION:
        raise Unreadable("future-version", f"The boards in the file are of version {version}.")
    if version != VERSION or not isinstance(boards, list) or len(boards) != events:
        return None, "The boards in the file are not one for each event."
    for number, (right, given) in enumerate(zip(_changes(state), boards, strict=False)):
        if given != right:
            return number, "The board that the file shows is not the one that the rules give."
    if len(state.entries) == events and text != write(state):
        return None, "The boards in the file are not in their one spelling."
    return None


def whole(state: MatchState) -> Iterator[dict[str, Any]]:
    """The board after each event, with all its members."""
    for moment in state.moments:
        yield {
            "position": state.game.position(moment.game),
            "turn": None if moment.result else state.game.turn(moment.game),
            "dice": list(state.game.thrown(moment.game)),
            "board": _drawn(state.game.surface(moment.game)),
        }


def _changes(state: MatchState) -> Iterator[dict[str, Any]]:
    before: dict[str, Any] = {}
    for board in whole(state):
        yield {name: value for name, value in board.items() if before.get(name, ...) != value}
        before = board


def _drawn(surface: Surface | Track) -> dict[str, Any]:
    drawn = _TYPED.decode(msgspec.json.encode(surface))
    if isinstance(surface, Track):
        return {"kind": "track", **drawn}
    for scattered in ("pieces", "marks"):
        drawn[scattered] = dict(sorted(drawn[scattered].items()))
    return {"kind": "grid", **drawn}
