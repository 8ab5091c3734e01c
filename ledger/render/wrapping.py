"""Text in lines of so many columns, nothing cut. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from unicodedata import combining, east_asian_width


def cells(text: str) -> int:
    """Columns that ``text`` takes where every sign is one wide, or two, or none."""
    return sum(map(_cell, text))


def _cell(sign: str) -> int:
    return 0 if combining(sign) else 2 if east_asian_width(sign) in "WF" else 1


def wrapped(text: str, columns: int, first: str = "", rest: str | None = None) -> Iterator[str]:
    """``text`` in lines, broken at spaces, and within a word only where that alone is longer than
    a line. ``first`` stands before it, and ``rest`` (as wide, but blank) before what follows."""
    rest = " " * len(first) if rest is None else rest
    line, begun = first, False
    for word in text.split():
        left = word
        if begun and cells(f"{line} {left}") > columns:
            yield line
            line, begun = rest, False
        while not begun and left and cells(line) + cells(left) > columns:
            fits = _fitting(left, columns - cells(line))
            yield line + left[:fits]
            line, left = rest, left[fits:]
        line, begun = f"{line} {left}" if begun else line + left, True
    yield line.rstrip()


def _fitting(word: str, room: int) -> int:
    """How many signs of ``word`` fit; at least one."""
    taken = 0
    for count, sign in enumerate(word):
        taken += _cell(sign)
        if taken > room:
            return max(count, 1)
    return len(word)
