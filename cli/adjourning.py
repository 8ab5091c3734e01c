"""Adjourned games: adjourn, with or without a sealed move, and resume."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Optional

import typer

from cli import completing
from cli.options import (
    JsonOption,
    KeyOption,
    LedgerOption,
    MatchArgument,
    MatchOption,
    PassphraseOption,
    example,
)
from cli.typed import words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ledger.fold import MatchState
    from ledger.service import Plan, Signer

Text = Optional[str]  # noqa: UP045


def register(app: typer.Typer) -> None:
    app.command("adjourn", epilog=example('tabellion adjourn --until "Sunday, ten o\'clock"'))(
        adjourn
    )
    app.command("resume", epilog=example("tabellion resume"))(resume)


def adjourn(
    match: MatchArgument = None,
    named: MatchOption = None,
    until: Annotated[
        Text,
        typer.Option(
            "--until",
            metavar="WORDS",
            parser=words("--until"),
            help="When it goes on.",
        ),
    ] = None,
    seal: Annotated[
        Text,
        typer.Option(
            "--seal",
            metavar="MOVE",
            help="The side to move seals this move; - asks for it without showing it.",
            autocompletion=completing.moves,
        ),
    ] = None,
    key: KeyOption = None,
    passphrase_file: PassphraseOption = None,
    ledger: LedgerOption = None,
    json: JsonOption = False,
) -> None:
    """Adjourn the game, or seal a move meanwhile.

    The arbiter adjourns: in games with dice after an action and before the next throw. Then the
    side to move may seal its move: nobody sees it before the game is resumed. A player without a
    key keeps it in an envelope instead, and it is entered with move after resume.
    """
    from cli.desk import role_of, service, write
    from cli.finding import find_match
    from cli.output import written
    from ledger.events import Adjournment
    from ledger.fold import Phase
    from ledger.service import Draft

    with service(ledger) as opened:
        state = find_match(opened, match or named)
        resting = state.phase is Phase.ADJOURNED
        plans: list[Plan] = []
        if not (resting and seal):
            by = role_of(state, key) if key else "arbiter"
            rest = Adjournment(until=until)
            plans.append(lambda _: Draft("adjourned", rest, by))
        if seal is None:
            after = write(opened, state, plans, [by], passphrase_file)
        else:
            seat, signer = _sealing(state)
            text = _move(state, _typed(seal))
            roles = [signer] if resting else [by, signer]
            more = lambda keys: [_seals(keys, seat, signer, text)]  # noqa: E731
            after = write(opened, state, plans, roles, passphrase_file, more)
    written(after, state.seq, json, match or named)


def _sealing(state: MatchState) -> tuple[str, str]:
    """The seat whose move is sealed, and the role that signs."""
    from ledger.errors import Refused
    from ledger.fold.due import signing

    if state.game.dice:
        raise Refused("dice-on-board", "In a game with dice no move is sealed.")
    seat = state.game.turn(state.position)
    if seat is None:
        raise Refused("game-over", "The game is over.", hint="tabellion close")
    return seat, signing(state, seat)


def _seals(keys: Mapping[str, Signer], seat: str, signer: str, text: str) -> Plan:
    from cli.cup import seal_secrets
    from ledger import sealing
    from ledger.events import Adjournment
    from ledger.service import Draft

    def plan(state: MatchState) -> Draft:
        number, seq = state.game.seats.index(seat), state.seq + 1
        secret = next(seal_secrets(keys[signer]))
        nonce = sealing.nonce(secret, state.match, seq, number)
        bound = sealing.seal(state.match, seq, number, nonce, text)
        return Draft(
            "adjourned", Adjournment(sealed=bound), signer, seat if signer != seat else None
        )

    return plan


def _move(state: MatchState, text: str) -> str:
    """The move in its one spelling. Raises what the rules say to one that is not legal."""
    return state.game.read(state.position, "move", text).text


def _typed(text: str) -> str:
    """What was typed, or for ``-`` what is asked for and not shown."""
    if text != "-":
        return text
    if not sys.stdin.isatty():
        return sys.stdin.buffer.readline(1000).decode("utf-8", "replace").strip()
    import getpass

    from ledger.errors import NotAllowed

    try:
        return getpass.getpass("The sealed move: ").strip()
    except (EOFError, UnicodeError):
        raise NotAllowed("no-move", "No move was typed.") from None


def resume(
    match: MatchArgument = None,
    named: MatchOption = None,
    open_: Annotated[
        Text,
        typer.Option(
            "--open",
            metavar="MOVE",
            help="The move that was sealed, as it was typed then; - asks for it.",
        ),
    ] = None,
    unopened: Annotated[
        bool,
        typer.Option(
            "--unopened",
            help="The sealed move stays unopened: what that costs was said at opening.",
        ),
    ] = False,
    key: KeyOption = None,
    passphrase_file: PassphraseOption = None,
    ledger: LedgerOption = None,
    json: JsonOption = False,
) -> None:
    """Resume an adjourned game.

    The arbiter does, or where a move was sealed whoever sealed it, with that move.
    """
    from cli.desk import role_of, service, write
    from cli.finding import find_match
    from cli.output import written
    from ledger.errors import Refused, Unreadable
    from ledger.events import Resumption
    from ledger.service import Draft

    with service(ledger) as opened:
        state = find_match(opened, match or named)
        sealed = state.sealed
        if open_ is not None and unopened:
            raise Unreadable("usage", "--open MOVE and --unopened exclude each other.")
        if open_ is not None:
            if sealed is None:
                raise Refused("no-seal", "No move is sealed.", hint="tabellion resume")
            _, signer = _sealing(state)
            text = _typed(open_)
            more = lambda keys: _opens(state, keys, signer, text)  # noqa: E731
            after = write(opened, state, [], [signer], passphrase_file, more)
        else:
            if sealed is not None and not unopened:
                raise Refused(
                    "sealed",
                    f"{state.roster[sealed.seat].name} has sealed a move, which is opened to "
                    "resume.",
                    hint="--open MOVE, or --unopened if it stays so",
                )
            by = role_of(state, key) if key else "arbiter"
            plan = lambda _: Draft("resumed", Resumption(), by)  # noqa: E731
            after = write(opened, state, [plan], [by], passphrase_file)
    written(after, state.seq, json, match or named)


def _opens(state: MatchState, keys: Mapping[str, Signer], signer: str, text: str) -> list[Plan]:
    """The sealed move is read and, if it is legal, played."""
    from cli.cup import seal_secrets
    from ledger import sealing
    from ledger.errors import Refused, TabellionError
    from ledger.events import Play, Resumption, Unsealed
    from ledger.service import Draft, planned

    sealed = state.sealed
    if sealed is None:
        return []
    number = state.game.seats.index(sealed.seat)
    for_ = sealed.seat if signer != sealed.seat else None
    try:
        spellings = [_move(state, text), text]
    except TabellionError:
        spellings = [text]
    for secret in seal_secrets(keys[signer]):
        nonce = sealing.nonce(secret, state.match, sealed.seq, number)
        for spelled in spellings:
            if sealing.seal(state.match, sealed.seq, number, nonce, spelled) == sealed.hash:
                opened = Resumption(opened=Unsealed(move=spelled, nonce=nonce.hex()))
                drafts = [Draft("resumed", opened, signer, for_)]
                if spelled == spellings[0] and len(spellings) > 1:
                    drafts.append(Draft("move", Play(move=spelled), signer, for_))
                return [planned(draft) for draft in drafts]
    raise Refused(
        "wrong-seal",
        f"{text[:40]!a} is not the move that was sealed by event {sealed.seq}, or another device "
        "sealed it.",
    )
