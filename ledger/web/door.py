"""The door of a server that speaks https: who comes in is counted before a word was said.

A connection is HTTP's only after TLS has shaken hands, and who never does keeps it open for a
minute. So places are taken when a connection is accepted, and given back when it is closed.
"""

from __future__ import annotations

import socket
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from ledger.web.limits import Limits, Places

if TYPE_CHECKING:
    from typing import Self

FILES: Final = 512
"""Files beside connections that a server may have open."""


class Guest(socket.socket):
    """A connection that has a place for as long as it is open."""

    places: Places | None = None
    address = ""

    def close(self) -> None:
        if self.places is not None:
            self.places.give_back(self.address)
            self.places = None
        super().close()


class Door(socket.socket):
    """A listening socket with so many places."""

    places: Places

    @classmethod
    def of(cls, listening: socket.socket, places: Places) -> Self:
        """``listening`` itself, from now on with places; the old object is closed."""
        kind = listening.family, listening.type, listening.proto
        door = cls(*kind, fileno=listening.detach())
        door.setblocking(False)
        door.places = places
        return door

    def accept(self) -> tuple[socket.socket, Any]:
        """The next guest. ``ConnectionAbortedError`` where there is no place: whoever asks comes
        back for the next one."""
        came, address = super().accept()
        if not self.places.take(address[0]):
            came.close()
            raise ConnectionAbortedError
        kind = came.family, came.type, came.proto
        guest = Guest(*kind, fileno=came.detach())
        guest.places, guest.address = self.places, address[0]
        return guest, address


def make_room(limits: Limits) -> None:
    """Ask the system for as many open files as there may be connections: many give 1 024."""
    try:
        import resource
    except ImportError:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = limits.connections + FILES
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
