"""Acts of the game as events: what a seat does, as the rules and as the ledger know it."""

from __future__ import annotations

from typing import TypeAlias, assert_never

from ledger.errors import Unreadable
from ledger.events import Call, Called, Moved, Nothing, Passed, Play, type_of
from ledger.games.protocol import Action

Act: TypeAlias = Moved | Passed | Called


def action_of(event: Act) -> Action:
    """The act of the game that an event is."""
    kind = type_of(event)
    match event:
        case Moved():
            return Action(kind, event.data.move, event.data.dice or ())
        case Called():
            return Action(kind, event.data.call)
        case Passed():
            return Action(kind, kind)
        case _ as never:
            assert_never(never)


def data_of(action: Action) -> Play | Call | Nothing:
    """What the event of an action says; its type is ``action.kind``."""
    match action.kind:
        case "move":
            return Play(move=action.text, dice=action.dice or None)
        case "call":
            return Call(call=action.text)
        case "pass":
            return Nothing()
        case other:
            raise Unreadable("unknown-action", f"No event says {other[:32]!a}.")
