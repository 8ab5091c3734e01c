"""Acts of the game as events: what a seat does, as the rules and as the ledger know it."""

from __future__ import annotations

from typing import Final, TypeAlias, assert_never, get_args

from ledger.errors import Unreadable
from ledger.events import (
    Call,
    Called,
    DiabloCalled,
    Finished,
    Moved,
    Nothing,
    Passed,
    Play,
    Pulled,
    Ran,
    Stopped,
    Taking,
    Wagered,
    type_of,
)
from ledger.games.protocol import Action

Plain: TypeAlias = Wagered | Passed | Ran | Stopped | DiabloCalled | Finished
"""Acts that are a word alone."""
Turn: TypeAlias = Moved | Pulled | Plain
"""Acts on the board; a call stands beside them."""
Act: TypeAlias = Turn | Called

_PLAIN: Final = frozenset(kind.__struct_config__.tag for kind in get_args(Plain))


def action_of(event: Act) -> Action:
    """The act of the game that an event is."""
    kind = type_of(event)
    match event:
        case Moved():
            return Action(kind, event.data.move, event.data.dice or ())
        case Called():
            return Action(kind, event.data.call)
        case Pulled():
            return Action(kind, event.data.pull)
        case Wagered() | Passed() | Ran() | Stopped() | DiabloCalled() | Finished():
            return Action(kind, kind)
        case _ as never:
            assert_never(never)


def data_of(action: Action) -> Play | Taking | Call | Nothing:
    """What the event of an action says; its type is ``action.kind``."""
    match action.kind:
        case "move":
            return Play(move=action.text, dice=action.dice or None)
        case "call":
            return Call(call=action.text)
        case "pull":
            return Taking(pull=action.text)
        case kind if kind in _PLAIN:
            return Nothing()
        case other:
            raise Unreadable("unknown-action", f"No event says {other[:32]!a}.")
