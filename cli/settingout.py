"""A match that is set out for phones: which seats they take, and what they are asked to."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cli.joining import Invitation
    from ledger.events import Opening, Seat


def joining(seats: Mapping[str, Seat], named: Collection[str]) -> dict[str, Seat]:
    """The seats whose phones are to come, as if they had keys already."""
    from msgspec.structs import replace

    from ledger.errors import Unreadable

    free = [seat for seat in seats if seats[seat].key is None]
    if not set(named) <= set(free):
        raise Unreadable(
            "wrong-seats",
            f"--join is for a seat without --seat-key: {' or '.join(free) or 'none'}.",
        )
    return {seat: replace(seats[seat], key="comes") for seat in seats if seat in named}


def with_phones(
    opening: Opening,
    titles: Mapping[str, str],
    name: str,
    invitation: Invitation,
    passphrase_file: str | None,
    ledger: str | None,
) -> str | None:
    """Set the match out and wait for its phones. What is refused is refused before."""
    import secrets

    from cli.desk import unlock
    from cli.joining import Seating, seat_phones
    from ledger.publickey import PublicKey
    from ledger.seating import rehearse
    from ledger.tables import Place

    names = {seat: opening.seats[seat].name for seat in titles}
    places = tuple(Place(seat, each) for seat, each in names.items())
    rehearse(opening, places, secrets.token_bytes)
    return seat_phones(
        opening,
        names,
        titles,
        PublicKey.parse_canonical(opening.arbiter.key).fingerprint,
        invitation,
        lambda: Seating(unlock(name, passphrase_file)),
        ledger,
    )
