"""Every form in which a match leaves the ledger: the record, the page and the bundle that carry it,
texts of the games, rows for spreadsheets.

The record is the only one that proves anything; page and bundle have it inside. The same match
gives the same bytes in every form.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from ledger.envelope import Envelope
from ledger.errors import Unreadable
from ledger.fold import MatchState
from ledger.formats.comparing import shown

RECORD: Final = "record"
HTML: Final = "html"
BUNDLE: Final = "bundle"
PAGE: Final = "page"
"""The verifying page alone: of no match."""
CARRYING: Final = (RECORD, HTML, BUNDLE)
"""What the record stands in: the forms that can be verified."""


def names() -> list[str]:
    """What matches can be written as, and the page."""
    from ledger import spreadsheets, texts

    return [*CARRYING, *texts.names(), *spreadsheets.FORMATS, PAGE]


def check_name(name: str) -> None:
    """Whether there is such a form, before a match is looked up. Raises ``Unreadable``."""
    if name not in (known := names()):
        what = f"No match is written as {shown(name)}, only as {', '.join(known)}."
        raise Unreadable("bad-option", what)


def is_for_many(name: str) -> bool:
    """Whether many matches can stand in one file of this form."""
    from ledger import spreadsheets

    return name == RECORD or name in spreadsheets.FORMATS


def write(state: MatchState, events: Sequence[Envelope], name: str) -> bytes:
    """The match in the form of this name; ``events`` are those of ``state``, as they were signed.

    Raises ``Unreadable`` (``bad-option``) for a form that the match's game does not have,
    ``Refused`` (``not-writable``) for what has no place in it.
    """
    from ledger import bundle, page, positions, record, texts

    if name in CARRYING:
        whole = record.write(events, positions.write(state))
        if name == HTML:
            return page.with_record(whole)
        return bundle.write(state, whole, page.page()) if name == BUNDLE else whole
    if is_for_many(name):
        return b"".join(rows([state], name))
    return texts.notation(state, name).encode()


def rows(states: Iterable[MatchState], name: str) -> Iterable[bytes]:
    """Many matches as rows of one file, piece by piece. Raises ``Unreadable`` for another form."""
    from ledger import spreadsheets

    return spreadsheets.write(name, states)
