"""How much of everything one machine may ask for, and all of them together.

A phone needs one stream and a few requests a minute. The machine of the hall itself may show many
screens and drive many matches: it is allowed more, never everything.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ipaddress import IPv6Address, ip_address
from typing import Final

from msgspec import Struct

from ledger.errors import NotAllowed, TabellionError

Seconds = Callable[[], float]
"""A clock that never goes back."""


class Limits(Struct, frozen=True):
    """What one address may have, and all together."""

    connections: int = 2000
    connections_each: int = 64
    connections_here: int = 1200
    streams: int = 1000
    streams_each: int = 24
    streams_here: int = 600
    answers_each: int = 12
    """Answers that are work to make (records, legal moves), waited for at the same time."""
    posts_each: float = 10.0
    """A second, from one address; ``burst`` times as many at once."""
    posts_here: float = 2000.0
    joins_each: float = 40.0
    """The same of join codes, which have a pace of their own: a phone that waits for its table asks
    every two seconds, and a whole hall's phones may come from one address. Never so fast that
    somebody could guess a code (``joins``)."""
    reads_each: float = 50.0
    """The same of what only reads: a hall's spectators may all come from one address."""
    reads_here: float = 10_000.0
    burst: float = 4.0
    request_seconds: float = 15.0
    """From a request's first byte to its last."""
    body_seconds: float = 10.0
    send_seconds: float = 20.0
    """How long a reader may leave what it is sent unread."""
    send_bytes: int = 128 * 1024
    """What the system keeps for one connection's reader."""
    silence_seconds: float = 15.0
    """How long a stream stays without a word."""


USUAL: Final = Limits()
ADDRESSES: Final = 4096
"""How many addresses are remembered: who asks from more wears out nothing."""


class TooMany(TabellionError):
    """Asked for too much at once. ``after``: seconds until it is worth asking again."""

    def __init__(self, message: str, after: int) -> None:
        super().__init__("too-many", message, hint=f"Try again in {after} s.")
        self.after = after


def is_here(address: str) -> bool:
    """Whether an address is this machine's own (loopback)."""
    try:
        found = ip_address(address)
    except ValueError:
        return False
    if isinstance(found, IPv6Address) and found.ipv4_mapped:
        return found.ipv4_mapped.is_loopback
    return found.is_loopback


class Places:
    """Places that are taken and given back: in all, and for each address."""

    def __init__(self, what: str, total: int, each: int, here: int) -> None:
        self.what = what
        self.total = total
        self.each = each
        self.here = here
        self.taken: defaultdict[str, int] = defaultdict(int)
        self.all = 0

    def take(self, address: str) -> bool:
        """Take a place; ``False`` when there is none."""
        most = self.here if is_here(address) else self.each
        if self.all >= self.total or self.taken[address] >= most:
            if not self.taken[address]:
                del self.taken[address]
            return False
        self.taken[address] += 1
        self.all += 1
        return True

    def give_back(self, address: str) -> None:
        self.all -= 1
        self.taken[address] -= 1
        if not self.taken[address]:
            del self.taken[address]

    @contextmanager
    def held(self, address: str) -> Iterator[None]:
        """A place for as long as it is needed. Raises ``TooMany``."""
        if not self.take(address):
            raise TooMany(f"Too many {self.what} are open already.", 5)
        try:
            yield
        finally:
            self.give_back(address)


class Pace:
    """A token bucket for each address: for what it sends, or for what it reads."""

    def __init__(self, limits: Limits, seconds: Seconds, *, reads: bool = False) -> None:
        self.limits = limits
        self.seconds = seconds
        self.each = limits.reads_each if reads else limits.posts_each
        self.here = limits.reads_here if reads else limits.posts_here
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, address: str) -> None:
        """One more from this address. Raises ``TooMany``."""
        rate = self.here if is_here(address) else self.each
        most = rate * self.limits.burst
        now = self.seconds()
        left, since = self._left.pop(address, (most, now))
        left = min(most, left + (now - since) * rate)
        self._left[address] = (left - 1 if left >= 1 else left, now)
        if len(self._left) > ADDRESSES:
            self._left.popitem(last=False)
        if left < 1:
            after = max(1, round((1 - left) / rate))
            raise TooMany("Too much was asked at once: wait a moment.", after)


def readonly() -> NotAllowed:
    return NotAllowed("read-only", "This server only shows matches: nothing can be sent to it.")
