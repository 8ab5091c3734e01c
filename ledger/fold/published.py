"""Every commitment and number of a match: a set that grows by one, and is never copied whole.

A match is a value, and each event gives a new one; a set that is copied with every number makes
long matches slow. Here each value shares with the one before it all but a few small parts.
"""

from __future__ import annotations

from collections.abc import Iterator, Set


class Published(Set[str]):
    """The parts have no member in common, and each is larger than the next: with every value that
    is added those of its size are put together."""

    __slots__ = ("_parts",)

    def __init__(self, parts: tuple[frozenset[str], ...] = ()) -> None:
        self._parts = parts

    _from_iterable = frozenset

    def with_(self, value: str) -> Published:
        """One more, which is not in it yet."""
        last, parts = frozenset((value,)), self._parts
        while parts and len(parts[-1]) <= len(last):
            last, parts = parts[-1] | last, parts[:-1]
        return Published((*parts, last))

    def __contains__(self, value: object) -> bool:
        return any(value in part for part in self._parts)

    def __iter__(self) -> Iterator[str]:
        for part in self._parts:
            yield from part

    def __len__(self) -> int:
        return sum(map(len, self._parts))

    __hash__ = Set._hash

    def __repr__(self) -> str:
        return f"Published({sorted(self)})"
