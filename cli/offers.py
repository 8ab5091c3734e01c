"""What players offer, answer and claim: offer draw|takeback|settle, agree, decline, claim."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Optional

import typer

from cli import completing
from cli.boundary import Group
from cli.options import (
    JsonOption,
    KeyOption,
    LedgerOption,
    MatchArgument,
    MatchOption,
    PassphraseOption,
    example,
)
from cli.seats import SeatOption
from cli.typed import event_number

if TYPE_CHECKING:
    from collections.abc import Callable

    from ledger.events import TakebackOffer, Terms
    from ledger.fold import MatchState
    from ledger.service import Draft

OfferArgument = Annotated[
    Optional[str],  # noqa: UP045
    typer.Argument(
        metavar="OFFER",
        help="The offer: the first digits of its hash, as show has them.",
        autocompletion=completing.offers,
    ),
]


def register(app: typer.Typer) -> None:
    group = typer.Typer(
        help="Offer a draw, a takeback or a settlement.",
        epilog=example("tabellion offer draw --seat swedes"),
        cls=Group,
        rich_markup_mode=None,
    )
    group.command("draw", epilog=example("tabellion offer draw --seat swedes"))(offer_draw)
    group.command("takeback", epilog=example("tabellion offer takeback 7 --seat swedes"))(
        offer_takeback
    )
    group.command("settle", epilog=example("tabellion offer settle 20-16 --seat south"))(
        offer_settle
    )
    app.add_typer(group, name="offer")
    app.command("agree", epilog=example("tabellion agree 3f2a"))(agree)
    app.command("decline", epilog=example("tabellion decline 3f2a"))(decline)
    app.command("claim", epilog=example("tabellion claim --seat muscovites"))(claim)


def offer_draw(
    match: MatchArgument = None,
    named: MatchOption = None,
    seat: SeatOption = None,
    key: KeyOption = None,
    passphrase_file: PassphraseOption = None,
    ledger: LedgerOption = None,
    json: JsonOption = False,
) -> None:
    """Offer a draw.

    It stands until the other side agrees, declines or acts.
    """
    from ledger.events import DrawOffer

    _make(lambda _: DrawOffer(), match or named, seat, key, passphrase_file, ledger, json)


def offer_takeback(
    event: Annotated[
        Optional[int],  # noqa: UP045
        typer.Argument(
            metavar="[N]",
            parser=event_number,
            help="The event to take back, and what followed; the last act when left out.",
            autocompletion=completing.acts,
        ),
    ] = None,
    match: MatchOption = None,
    seat: SeatOption = None,
    key: KeyOption = None,
    passphrase_file: PassphraseOption = None,
    ledger: LedgerOption = None,
    json: JsonOption = False,
) -> None:
    """Offer to take back event N, or the last act.

    With it goes what followed. The game goes back when the other side agrees; the log keeps it
    all, struck. A match may be opened without takebacks.
    """
    from cli.officials import check_standing
    from ledger.events import TakebackOffer

    def terms(state: MatchState) -> TakebackOffer:
        number = event
        if number is None:
            acts = [seq for seq in state.line() if state.moments[seq].acted]
            number = max(acts, default=state.seq)
        check_standing(state, number)
        return TakebackOffer(to=number - 1)

    _make(terms, match, seat, key, passphrase_file, ledger, json)


def offer_settle(
    split: Annotated[
        str,
        typer.Argument(metavar="SPLIT", help="Points of the first seat and of the second: 20-16."),
    ],
    match: MatchOption = None,
    seat: SeatOption = None,
    key: KeyOption = None,
    passphrase_file: PassphraseOption = None,
    ledger: LedgerOption = None,
    json: JsonOption = False,
) -> None:
    """Offer to end the game with the points shared.

    In games that are played for points. The larger share wins, equal shares are a draw. It ends
    the game when the other side agrees.
    """
    from ledger.events import SettlementOffer

    shares = _shares(split)
    _make(lambda _: SettlementOffer(split=shares), match, seat, key, passphrase_file, ledger, json)


def _shares(text: str) -> tuple[int, int]:
    """Two numbers as people write them: 20-16, 20:16."""
    from ledger.errors import Unreadable

    match = re.fullmatch(r"([0-9]{1,6})\s*[-:, /]\s*([0-9]{1,6})", text.strip(), re.ASCII)
    if match is None:
        raise Unreadable(
            "bad-split",
            f"A division is written 20-16, the first seat's share first, not {text[:40]!a}.",
        )
    return int(match[1]), int(match[2])


def _make(
    terms: Callable[[MatchState], Terms],
    match: str | None,
    seat: str | None,
    key: str | None,
    passphrase_file: str | None,
    ledger: str | None,
    json: bool,
) -> None:
    from cli.seats import acting, perform
    from ledger.service import Draft

    def decide(state: MatchState) -> Draft:
        by, for_ = acting(state, seat, key, "offers")
        return Draft("offer.made", terms(state), by, for_)

    perform(decide, match, passphrase_file, ledger, json)


def agree(
    offer: OfferArgument = None,
    match: MatchOption = None,
    key: KeyOption = None,
    passphrase_file: PassphraseOption = None,
    ledger: LedgerOption = None,
    json: JsonOption = False,
) -> None:
    """Agree to an offer of the other side.

    It is named by its hash, so that no other offer can be meant.
    """
    _answer("offer.accepted", offer, match, key, passphrase_file, ledger, json)


def decline(
    offer: OfferArgument = None,
    match: MatchOption = None,
    key: KeyOption = None,
    passphrase_file: PassphraseOption = None,
    ledger: LedgerOption = None,
    json: JsonOption = False,
) -> None:
    """Decline an offer of the other side.

    To act in the game declines it too.
    """
    _answer("offer.declined", offer, match, key, passphrase_file, ledger, json)


def _answer(
    kind: str,
    offer: str | None,
    match: str | None,
    key: str | None,
    passphrase_file: str | None,
    ledger: str | None,
    json: bool,
) -> None:
    from cli.desk import role_of
    from cli.seats import perform
    from ledger.events import Answer
    from ledger.fold.due import signing
    from ledger.service import Draft

    def decide(state: MatchState) -> Draft:
        digest, seat = _find_offer(state, offer)
        by = role_of(state, key) if key else signing(state, seat)
        return Draft(kind, Answer(offer=digest), by, seat if by != seat else None)

    perform(decide, match, passphrase_file, ledger, json)


def _find_offer(state: MatchState, typed: str | None) -> tuple[str, str]:
    """The hash of the offer that is meant, and the seat that answers it."""
    from ledger import views
    from ledger.errors import Ambiguous, NotFound
    from ledger.events import OfferMade

    standing = "; ".join(views.standing(state, offer) for offer in state.offers)
    if not typed:
        raise NotFound(
            "which-offer", f"Say which offer. {standing}" if standing else "No offer stands."
        )
    wanted = typed.lower()
    made = [
        entry
        for entry in state.entries
        if isinstance(entry.event, OfferMade) and entry.hash.startswith(wanted)
    ]
    if not made or len(wanted) < 4:
        raise NotFound(
            "no-offer",
            f"No offer begins with {typed[:70]!a}. {standing or 'No offer stands.'}",
            hint="four digits at least, as show has them" if made else "",
        )
    if len(made) > 1:
        raise Ambiguous("which-offer", f"Several offers begin with {typed}. {standing}")
    event = made[0].event
    return made[0].hash, state.other(event.for_ or event.by)


def claim(
    match: MatchArgument = None,
    named: MatchOption = None,
    seat: SeatOption = None,
    key: KeyOption = None,
    passphrase_file: PassphraseOption = None,
    ledger: LedgerOption = None,
    json: JsonOption = False,
) -> None:
    """Claim a draw that the rules allow.

    Where they do: the same position for the third time, say. show counts them.
    """
    from cli.seats import acting, perform
    from ledger.events import Nothing
    from ledger.service import Draft

    def decide(state: MatchState) -> Draft:
        by, for_ = acting(state, seat, key, "claims the draw")
        return Draft("draw.claimed", Nothing(), by, for_)

    perform(decide, match or named, passphrase_file, ledger, json)
