"""The verifying page: one HTML file that reads and checks records in a browser, without network.

Its parts are modules of JavaScript, which share nothing with the Python: ``verifier`` judges
(``verify.mjs``), ``face`` shows (``main.mjs``, ``page.html``, ``style.css``). They are put together
into the same bytes for everyone, under a content security policy that lets these very scripts and
styles run and nothing else, and no request leave. A record can stand inside, alone on its line:
without that line the page is byte for byte the one without it.
"""

from __future__ import annotations

import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Final

_FIRST: Final = "main"
"""The module that all others are imported from, by others or by itself."""
_IMPORT: Final = re.compile(
    r"^import \{[^}\n]*\} from \"\.(?:/|\./[a-z]+/)([a-z]+)\.mjs\";\n", re.MULTILINE
)
_EXPORT: Final = re.compile(r"^export (?=(?:async )?(?:function|const|class)\b)", re.MULTILINE)
_INSIDE: Final = b'<script type="application/json" id="record">\n'


@cache
def page() -> bytes:
    """The page without a record: the same bytes wherever this version is installed."""
    parts = (_EXPORT.sub("", _IMPORT.sub("", text)) for text in modules().values())
    script = "(() => {\n'use strict';\n" + "".join(parts) + "})();\n"
    style = _part("face", "style.css")
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; "
        "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'"
    )
    text = _part("face", "page.html")
    for place, filling in (
        ("POLICY", policy),
        ("/* style */", style),
        ("/* script */", script),
    ):
        before, after = text.split(place)
        text = before + filling + after
    return text.encode()


def modules() -> dict[str, str]:
    """The text of every module by its name, each after those that it imports from."""
    there = {
        module.name.removesuffix(".mjs"): _part(folder, module.name)
        for folder in ("verifier", "face")
        for module in files(__package__).joinpath(folder).iterdir()
        if module.name.endswith(".mjs")
    }
    found: dict[str, str] = {}

    def gather(name: str) -> None:
        for imported in _IMPORT.findall(there[name]):
            if imported not in found:
                gather(imported)
        found[name] = there[name]

    gather(_FIRST)
    return found


def with_record(record: bytes) -> bytes:
    """The page with a record (one line, no byte of it ``<``) inside."""
    before, after = page().split(_INSIDE)
    return before + _INSIDE + record + after


def digest() -> str:
    """SHA-256 of the page, in hex: what everybody can compare their own copy with."""
    return sha256(page()).hexdigest()


def _part(*path: str) -> str:
    return files(__package__).joinpath(*path).read_bytes().decode("utf-8")


def _hash(text: str) -> str:
    """A source for the policy (CSP 3): the hash of what stands between the tags."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode('ascii')}"
