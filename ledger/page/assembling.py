"""How a page is put together: one HTML file from modules of JavaScript, styles and a template.

The same parts give the same bytes everywhere. A content security policy lets these very scripts and
styles run and nothing else. Modules keep to few forms, so that no tool is needed: imports of names
on one line each, ``export`` before a function, a constant or a class, and no name twice at the top
of two modules of a page.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha256
from importlib.resources import files
from posixpath import dirname, join, normpath
from typing import Final

_IMPORT: Final = re.compile(
    r"^import \{[^}\n]*\} from \"(\.{1,2}/(?:\.\./)*(?:[a-z]+/)*[a-z]+\.mjs)\";\n", re.MULTILINE
)
_EXPORT: Final = re.compile(r"^export (?=(?:async )?(?:function|const|class)\b)", re.MULTILINE)
_AT_THE_TOP: Final = re.compile(
    r"^(?:async )?(?:function\*?|const|let|class) (?:([\w$]+)|[\[{]([^\]}]+)[\]}])", re.MULTILINE
)
_LEFT_OVER: Final = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


def assembled(template: str, entry: str, styles: Iterable[str], *, server: bool) -> bytes:
    """The page of a template, the module that all others are imported from, and styles: paths in
    the package ``ledger``. With ``server`` its scripts may ask the place that it comes from."""
    parts = {path: _plain(path, text) for path, text in gathered(entry).items()}
    _check_names(parts)
    script = "(() => {\n'use strict';\n" + "".join(parts.values()) + "})();\n"
    style = "".join(map(_part, styles))
    asking = "connect-src 'self'; " if server else ""
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; {asking}"
        "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'"
    )
    text = _part(template)
    for place, filling in (
        ("POLICY", policy),
        ("/* style */", style),
        ("/* script */", script),
    ):
        before, after = text.split(place)
        text = before + filling + after
    return text.encode()


def gathered(entry: str) -> dict[str, str]:
    """The text of every module of a page by its path, each after those that it imports from."""
    found: dict[str, str] = {}
    begun: set[str] = set()

    def gather(path: str) -> None:
        begun.add(path)
        text = _part(path)
        for imported in _IMPORT.findall(text):
            other = normpath(join(dirname(path), imported))
            if other not in begun:
                gather(other)
        found[path] = text

    gather(entry)
    return found


def _plain(path: str, text: str) -> str:
    """A module as a part of one script. What is imported or exported in another form than that of
    this project would only break in the browser: it is a mistake of ours, found here."""
    plain = _EXPORT.sub("", _IMPORT.sub("", text))
    if left := _LEFT_OVER.search(plain):
        raise SyntaxError(f"{path}: {left.group()}")
    return plain


def _check_names(parts: dict[str, str]) -> None:
    """One script has each name once. Only the browser would find two, and show an empty page."""
    places: dict[str, str] = {}
    for path, text in parts.items():
        for one, several in _AT_THE_TOP.findall(text):
            for name in (one,) if one else re.findall(r"[\w$]+", several):
                if name in places:
                    raise SyntaxError(f"{name}: at the top of {places[name]} and of {path}")
                places[name] = path


def _part(path: str) -> str:
    return files("ledger").joinpath(*path.split("/")).read_bytes().decode("utf-8")


def _hash(text: str) -> str:
    """A source for the policy (CSP 3): the hash of what stands between the tags."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode('ascii')}"
