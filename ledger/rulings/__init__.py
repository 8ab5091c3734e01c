"""The ruling documents: one file each, shipped with the program, hashed into every match.

A released document never changes; a new version is a new file.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from importlib.resources import files

from ledger.errors import NotFound


@cache
def names() -> tuple[str, ...]:
    """Names of all documents, oldest version first."""
    found = (entry.name for entry in files(__package__).iterdir())
    return tuple(sorted(name.removesuffix(".md") for name in found if name.endswith(".md")))


@cache
def text(name: str) -> bytes:
    """The document as it is hashed. Raises ``NotFound`` (``unknown-document``)."""
    if name not in names():
        raise NotFound(
            "unknown-document",
            f"There is no ruling document {name!a}. Known: {', '.join(names())}.",
        )
    return files(__package__).joinpath(f"{name}.md").read_bytes()


def digest(name: str) -> str:
    """SHA-256 of the document, in hex, as it stands in the opening of a match."""
    return sha256(text(name)).hexdigest()


def digests() -> dict[str, str]:
    """The name of every document by its SHA-256."""
    return {digest(name): name for name in names()}
