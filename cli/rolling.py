"""Dice: roll, confirm, void."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Final, Optional

import typer

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
from cli.typed import words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ledger.fold import MatchState
    from ledger.service import Draft, Plan, Service, Signer


def register(app: typer.Typer) -> None:
    app.command("roll", epilog=example("tabellion roll"))(roll)
    app.command("confirm", epilog=example("tabellion confirm"))(confirm)
    app.command("void", epilog=example('tabellion void "a die was cocked"'))(void)


def roll(
    dice: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Argument(
            metavar="[DICE]", help="Dice on the table, as they lie: 3-5-2. Otherwise nothing."
        ),
    ] = None,
    match: MatchOption = None,
    seat: SeatOption = None,
    shown: Annotated[
        bool,
        typer.Option(
            "--shown", help="Open a number even if it stands in a copy that was set aside."
        ),
    ] = False,
    wait: Annotated[
        bool,
        typer.Option(
            "--wait/--no-wait", help="With --server: stay some seconds until the others open."
        ),
    ] = True,
    key: KeyOption = None,
    passphrase_file: PassphraseOption = None,
    ledger: LedgerOption = None,
    json: JsonOption = False,
) -> None:
    """Throw the dice, or open a roll that is thrown.

    Dice made by the players: whoever has to throw throws, and everybody whose key is on this
    device opens. The dice are there once all have opened. Dice on the table: say what they show.
    """
    from cli.desk import service
    from cli.finding import find_match
    from cli.output import example_dice, written
    from cli.remote import current
    from ledger.fold.rolls import check_dice, contributors

    def throw(opened: Service, state: MatchState) -> MatchState:
        return _roll(opened, state, key, passphrase_file, shown)

    live = current() if wait else None
    with service(ledger) as opened:
        state = find_match(opened, match)
        check_dice(state)
        made = bool(contributors(state)) and not dice
        if made and live is None:
            after = throw(opened, state)
        elif not made:
            wanted = state.game.wanted(state.position)
            lie = read_dice(dice or [], example_dice(wanted.count if wanted else 3))
            after = _record(opened, state, lie, seat, key, passphrase_file)
    if made and live is not None:
        from cli import waiting

        after = waiting.roll(live, state.match, throw)
    written(after, state.seq, json, match)


_DASHES: Final = str.maketrans("\u2010\u2011\u2012\u2013\u2014\u2212", "------")
"""What keyboards make of a hyphen."""


def read_dice(words: Sequence[str], example: str = "3-5-2") -> tuple[int, ...]:
    """Dice as people write them: 3-5-2, 3 5 2, 352. Raises ``Unreadable``."""
    from ledger.errors import Unreadable

    text = " ".join(words).translate(_DASHES)
    if not re.fullmatch(r"[1-6]([-, ]?[1-6]){0,7}", text, re.ASCII):
        raise Unreadable(
            "bad-dice",
            f"Dice are written like {example}, each from 1 to 6, not {text[:40]!a}."
            if text
            else "Say what the dice on the table show.",
            hint=f"tabellion roll {example}{' -m MATCH' if len(words) > 1 else ''}",
        )
    return tuple(int(face) for face in text if face.isdigit())


def _roll(
    opened: Service,
    state: MatchState,
    key: str | None,
    passphrase_file: str | None,
    shown: bool,
) -> MatchState:
    """Everything that this device can do for the roll: commit, throw, open."""
    from cli.desk import holders, role_of, write
    from ledger.fold.parts import ARBITER
    from ledger.service import planned

    here = {role_of(state, key)} if key else set(holders(state, [*state.game.seats, ARBITER]))
    steps = rolling_steps(state, here)
    roles = list(dict.fromkeys(role for _, role, _ in steps))
    if not shown:
        _check_unseen(opened, state, [role for what, role, _ in steps if what != "commit"])

    def more(keys: Mapping[str, Signer]) -> list[Plan]:
        return [planned(draft) for draft in drafts(state, steps, keys, passphrase_file)]

    return write(opened, state, [], roles, passphrase_file, more)


def _check_unseen(opened: Service, state: MatchState, roles: Sequence[str]) -> None:
    """Refuse to open a number that somebody may know from a copy which does not stand."""
    from ledger.errors import Refused
    from ledger.exchange import shown_aside

    number = state.rolling.number
    for role in roles:
        if shown_aside(opened, state.match, role, number):
            name = state.roster[role].name
            raise Refused(
                "number-shown",
                f"The number of {name} for roll {number} stands in a copy that was set aside: "
                "whoever has seen that copy can know the dice before this throw.",
                hint="agree with the other side first; then: tabellion roll --shown",
            )


Step = tuple[str, str, str]
"""What is done (commit, throw, open), the role that signs, and the seat or role it is done for."""


def rolling_steps(state: MatchState, here: set[str]) -> list[Step]:
    """What can be done for the roll with the keys ``here``, in order.

    Raises ``Refused`` when no throw is due, ``NotAllowed`` when others have to act first.
    """
    from cli.output import next_here
    from ledger import views
    from ledger.errors import NotAllowed
    from ledger.fold.course import check_in_play
    from ledger.fold.due import signing
    from ledger.fold.parts import ARBITER
    from ledger.fold.rolls import awaited, check_wanted, opening_order, uncommitted

    check_in_play(state)
    steps: list[Step] = []
    if state.rolling.flight is not None:
        order = awaited(state)
    else:
        thrower = _thrower(state)
        check_wanted(state, thrower)
        missing = uncommitted(state)
        steps += [("commit", role, role) for role in missing if role in here]
        signer = signing(state, thrower)
        order = opening_order(state, thrower)
        if len(steps) < len(missing) or signer not in here:
            order = ()
        else:
            steps.append(("throw", signer, thrower))
            order = tuple(role for role in order if role != thrower)
    for role in order:
        if role not in here:
            break
        steps.append(("open", role, role))
    if not steps:
        flight = state.rolling.flight
        give_up = f'tabellion correct {flight.thrown} --dice rethrow --reason "…"' if flight else ""
        raise NotAllowed(
            "not-yours",
            f"{views.next_step(state)} No key of this device can do that.",
            hint=f"the arbiter can give the roll up: {give_up}"
            if flight and ARBITER in here
            else next_here(state),
        )
    return steps


def drafts(
    state: MatchState,
    steps: Sequence[Step],
    keys: Mapping[str, Signer],
    passphrase_file: str | None,
) -> list[Draft]:
    """The events of these steps, once the keys are unlocked."""
    from cli.cup import Cup

    cup = Cup(state, keys, passphrase_file)
    made = {"commit": cup.commit, "open": cup.open}
    return [
        cup.throw(whose, role) if what == "throw" else made[what](role)
        for what, role, whose in steps
    ]


def _record(
    opened: Service,
    state: MatchState,
    dice: tuple[int, ...],
    seat: str | None,
    key: str | None,
    passphrase_file: str | None,
) -> MatchState:
    """Dice on the table: written down by the thrower, by ``seat``, or by the arbiter."""
    from cli.desk import write
    from ledger.events import Lying
    from ledger.service import Draft, planned

    by, for_ = recording(state, seat or _thrower(state), key)
    draft = Draft("roll.recorded", Lying(roll=state.rolling.number, dice=dice), by, for_)
    return write(opened, state, [planned(draft)], [by], passphrase_file)


def _thrower(state: MatchState) -> str:
    """Who throws now. Refuses with what comes first while dice wait to be played."""
    from cli.output import next_here
    from ledger import views
    from ledger.errors import Refused

    wanted = state.game.wanted(state.position)
    if wanted is None and state.turn is not None:
        why = f"Nobody throws now. {views.next_step(state)}"
        raise Refused("no-throw", why, hint=next_here(state))
    return wanted.seat if wanted else state.game.seats[0]


def recording(state: MatchState, seat: str, key: str | None) -> tuple[str, str | None]:
    """Who writes down the dice of a seat: its own key, for a seat without one the arbiter, and
    the arbiter in person where the seat's key is not here."""
    from cli.desk import holders, role_of
    from ledger.errors import Unreadable
    from ledger.fold.parts import ARBITER

    if seat not in state.game.seats:
        raise Unreadable("which-seat", f"The seats are {' and '.join(state.game.seats)}.")
    keyed = state.roster[seat].key is not None
    role = role_of(state, key) if key else None
    if role is None and keyed and not holders(state, [seat]) and holders(state, [ARBITER]):
        role = ARBITER
    if role is None:
        role = seat if keyed else ARBITER
    return role, seat if role == ARBITER and not keyed else None


def confirm(
    match: MatchArgument = None,
    named: MatchOption = None,
    what: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(
            "--what", metavar="dice|void", help="Where both wait: the dice, or that they are void."
        ),
    ] = None,
    key: KeyOption = None,
    passphrase_file: PassphraseOption = None,
    ledger: LedgerOption = None,
    json: JsonOption = False,
) -> None:
    """Confirm dice that were written down.

    Or that they are void, if that was asked for. Where the match was opened so, nothing moves
    before the other seat has confirmed.
    """
    from cli.desk import role_of
    from cli.seats import perform
    from ledger.errors import Refused
    from ledger.events import Confirmation
    from ledger.fold.due import signing
    from ledger.service import Draft
    from ledger.views import faces

    def decide(state: MatchState) -> Draft:
        rolling = state.rolling
        waiting = {"dice": rolling.recorded, "void": rolling.voiding}.get(what or "")
        if what is None and rolling.recorded and rolling.voiding:
            lie = faces(rolling.recorded.roll.dice)
            raise Refused(
                "say-what",
                f"The dice {lie} wait to be confirmed, and that they are void.",
                hint="--what dice or --what void",
            )
        waiting = waiting or (None if what else rolling.recorded or rolling.voiding)
        if waiting is None:
            raise Refused("nothing-to-confirm", "No dice wait to be confirmed.")
        seat = waiting.confirmer
        by = role_of(state, key) if key else signing(state, seat)
        for_ = seat if by == "arbiter" else None
        return Draft("roll.confirmed", Confirmation(confirms=waiting.hash), by, for_)

    perform(decide, match or named, passphrase_file, ledger, json)


def void(
    reason: Annotated[
        str,
        typer.Argument(
            metavar="REASON", parser=words("The reason"), help="Why: cocked, off the board."
        ),
    ],
    match: MatchOption = None,
    key: KeyOption = None,
    passphrase_file: PassphraseOption = None,
    ledger: LedgerOption = None,
    json: JsonOption = False,
) -> None:
    """Void dice on the table that do not count.

    Only while nothing has been done with them. The arbiter's word is enough; a player's needs the
    other seat's: tabellion confirm.
    """
    from cli.desk import role_of, roles_here
    from cli.seats import perform
    from ledger.events import Voiding
    from ledger.fold.parts import ARBITER
    from ledger.service import Draft

    def decide(state: MatchState) -> Draft:
        here = roles_here(state)
        own = ARBITER if ARBITER in here else next(iter(here), ARBITER)
        by = role_of(state, key) if key else own
        rolling = state.rolling
        last = rolling.recorded.roll if rolling.recorded else (None, *rolling.rolls)[-1]
        number = last.number if last else rolling.number
        return Draft("roll.voided", Voiding(roll=number, reason=reason), by)

    perform(decide, match, passphrase_file, ledger, json)
