"""Every error a user can meet, in one tree.

An error has a stable kebab-case code, says what is wrong and why, may give a hint (the next
command to try), and carries the exit status of the command that meets it. Nothing else may leave
this project's functions on bad input: no ``KeyError``, no ``ValueError``, no ``RecursionError``.
"""

from __future__ import annotations


class TabellionError(Exception):
    """Root of the tree. ``code`` is for programs, ``message`` and ``hint`` are for people."""

    exit_status = 2

    def __init__(self, code: str, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return self.message


class Refused(TabellionError):
    """The rules, the fold or the record's own checks say no (exit 1)."""

    exit_status = 1


class Unreadable(TabellionError):
    """What was given does not parse, or is not of a kind we know (exit 2)."""


class Ambiguous(TabellionError):
    """What was given can be read in more than one way (exit 2)."""


class NotFound(TabellionError):
    """No such match, key or file (exit 3)."""

    exit_status = 3


class NotAllowed(TabellionError):
    """A key is missing, locked, too open, or a file may not be written (exit 4)."""

    exit_status = 4


class Stale(TabellionError):
    """Someone else wrote first; nothing of ours was stored (exit 6)."""

    exit_status = 6
