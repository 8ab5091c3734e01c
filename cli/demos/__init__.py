"""The demos: one module each, with ``play``, in the order to be tried."""

from __future__ import annotations

from typing import Final

DEMOS: Final = {
    "tablut": "a whole match, from keys to a forgery",
    "tabula": "a whole match with dice that two players made",
    "zeno": "the throw of Emperor Zeno, about 480: why there is only one play",
}
