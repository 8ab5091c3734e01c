"""The join sheet of a table: a page to print and to cut, a part for each player's phone.

Pure; one file without script or anything from outside. Every text is escaped. The codes on it are
secret until they are used.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final, NamedTuple

from ledger.render.code import svg

WARNING: Final = (
    "Your phone warns at the first visit, because nobody but the arbiter vouches for this server. "
    "Go on only if the certificate that it shows has this SHA-256 fingerprint:"
)
"""What a browser says of a certificate that was made in the hall, and what to do."""
_BEFORE: Final = (
    "If the page does not open, join the Wi-Fi that the arbiter's laptop is in. Use the phone's "
    "ordinary browser, not a private window: it keeps your key. Leave the page open while you play."
)
_HALF: Final = 16 * len("AB:")
_STYLE: Final = """
@page { size: A4; margin: 14mm }
:root { color-scheme: light }
body { margin: 0 auto; padding: 1em; max-width: 182mm; background: #fff; color: #000;
  font: 11pt/1.4 system-ui, sans-serif; overflow-wrap: anywhere }
h1 { font-size: 1.5em; margin: 0 0 .2em }
section { display: flex; flex-wrap: wrap; gap: 3mm 8mm; align-items: center; padding: 6mm 0;
  break-inside: avoid }
section + section { border-top: 1px dashed #000 }
footer { flex: 1 1 100%; font-size: .9em }
section div { flex: 1 1 70mm }
.code { width: 52mm; height: 52mm; flex: none }
.letters { font: 700 1.7em/1.3 ui-monospace, monospace; white-space: nowrap; margin: 0 }
.hash { font: 10pt/1.4 ui-monospace, monospace; white-space: pre-wrap }
p { margin: .3em 0 }
@media print { body { padding: 0 } }
"""


class Invited(NamedTuple):
    """Who is to come, for which seat, and how."""

    title: str
    name: str
    letters: str
    address: str
    link: str
    """The address with the code, for the camera alone."""


def page(heading: str, about: Sequence[str], invited: Sequence[Invited], fingerprint: str) -> str:
    """The whole page. ``heading`` names the table; ``fingerprint`` is that of the server's
    certificate, or nothing."""
    foot = _foot(about, fingerprint)
    seats = "\n".join(_seat(heading, each, foot) for each in invited)
    return (
        '<!DOCTYPE html>\n<html lang="en"><head>\n<meta charset="utf-8" />\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1" />\n'
        f"<title>{escape(heading)}</title>\n<style>{_STYLE}</style>\n</head><body>\n"
        f"{seats}\n</body></html>\n"
    )


def _foot(about: Sequence[str], fingerprint: str) -> str:
    """What every player reads, on each part: the sheet is cut, so that nobody sees another's
    code."""
    said = "<br />\n".join(f"<bdi>{escape(line)}</bdi>" for line in about)
    warning = (
        f'<p>{escape(WARNING)}</p>\n<p class="hash">{escape(_halved(fingerprint))}</p>\n'
        if fingerprint
        else ""
    )
    return f"<footer><p>{said}</p>\n<p>{_BEFORE}</p>\n{warning}</footer>"


def _halved(fingerprint: str) -> str:
    """Sixteen pairs a line, so that two people can compare them."""
    first, second = fingerprint[:_HALF], fingerprint[_HALF:]
    return f"{first}\n{second}" if second else first


def _seat(heading: str, each: Invited, foot: str) -> str:
    drawn = svg(each.link, f"QR code: {each.address} with the code {each.letters}")
    return (
        f"<section>\n{drawn}\n<div><h1><bdi>{escape(each.name)}</bdi></h1>\n"
        f"<p><bdi>{escape(heading)}</bdi>, {escape(each.title)}</p>\n"
        f"<p>Point your phone's camera at the code, or open</p>\n<p>{escape(each.address)}</p>\n"
        f'<p>and type</p>\n<p class="letters">{escape(each.letters)}</p>\n'
        f"<p>Good once, for one phone. Show it to nobody else.</p></div>\n{foot}\n</section>"
    )
