"""A QR code, as half blocks for text and as SVG for a page. Pure; ``segno`` draws it, and is loaded
only here."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from segno import QRCode

BLOCKS: Final = " ▀▄█"
"""Ink in neither half, above, below, in both."""
_QUIET: Final = 4
"""Modules without ink around a code (ISO/IEC 18004)."""


def _made(text: str) -> QRCode:
    import segno

    return segno.make(text, micro=False, error="m")


def blocks(text: str, *, lit: bool) -> list[str]:
    """The code in lines of half blocks. Ink is the dark modules, as on paper; where a terminal
    shows light signs on a dark ground (``lit``), the light ones."""
    rows = [[bool(dark) != lit for dark in row] for row in _made(text).matrix_iter(border=_QUIET)]
    none = [False] * len(rows[0])
    return [
        "".join(BLOCKS[above + 2 * below] for above, below in zip(upper, lower, strict=True))
        for upper, lower in zip_longest(rows[::2], rows[1::2], fillvalue=none)
    ]


def svg(text: str, title: str) -> str:
    """The code as an element of a page, black on white; ``title`` says it in words."""
    drawn = _made(text).svg_inline(
        border=_QUIET, dark="#000", light="#fff", title=title, omitsize=True, svgclass="code"
    )
    return drawn.replace("<svg ", '<svg role="img" ', 1)
