"""What is done at the table: move, resign, note."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Optional

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
from cli.typed import words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.fold import MatchState
    from ledger.service import Draft, Plan

_MAX_INPUT = 1024 * 1024
_NUMBER = re.compile(r"[0-9]{1,5}\.+")
_LINE_END = re.compile(r"\r\n|\r|\n")


def register(app: typer.Typer) -> None:
    app.command("move", epilog=example("tabellion move e4-f4"))(move)
    app.command("resign", epilog=example("tabellion resign --seat muscovites"))(resign)
    app.command("note", epilog=example('tabellion note "Sheet signed by both" --file sheet.jpg'))(
        note
    )


def move(
    moves: Annotated[
        list[str],
        typer.Argument(metavar="MOVE...", help="One or more moves; - reads them from a pipe."),
    ],
    match: MatchOption = None,
    key: KeyOption = None,
    passphrase_file: PassphraseOption = None,
    ledger: LedgerOption = None,
    json: JsonOption = False,
) -> None:
    """Move for the seat whose turn it is.

    Its own key signs; for a seat without a key the arbiter writes. Several moves go through all
    or none. From a pipe (-): one or more a line; numbers like "12." and lines that begin with #
    are passed over.
    """
    from cli.desk import role_of, service, write
    from cli.finding import find_match
    from cli.output import written
    from ledger.service import LineRefused

    typed = list(_typed(moves))
    with service(ledger) as opened:
        state = find_match(opened, match)
        role = role_of(state, key) if key else None
        roles = [role] if role else _needed(state, len(typed))
        plans = [_plan(text, role) for _, text in typed]
        try:
            after = write(opened, state, plans, roles, passphrase_file, expect=state.head)
        except LineRefused as refused:
            if len(typed) > 1:
                refused.message = _at_fault(*typed[refused.index], refused.message)
            raise
    written(after, state.seq, json, match)


def _at_fault(where: str, text: str, why: str) -> str:
    """The refusal of one of several moves. Most refusals begin with the move themselves."""
    from cli.output import sentence

    named = "" if text in why or len(text) > 20 else f" ({text})"
    return f"{where}{named}: {sentence(why)} Nothing was written."


def _typed(moves: list[str]) -> Iterator[tuple[str, str]]:
    """Each move with the place it stands at: "line 3" or "move 2"."""
    from cli.desk import read_input
    from ledger.errors import Unreadable

    if moves != ["-"]:
        yield from ((f"move {number}", text) for number, text in enumerate(moves, start=1))
        return
    try:
        text = read_input("-", _MAX_INPUT).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unreadable("not-utf8", f"Byte {error.start} of the input is not UTF-8.") from None
    count = 0
    for number, line in enumerate(_LINE_END.split(text), start=1):
        if line.lstrip().startswith("#"):
            continue
        for word in line.split():
            word = _NUMBER.sub("", word, count=1) if _NUMBER.match(word) else word
            if word:
                count += 1
                yield f"line {number}", word
    if not count:
        raise Unreadable("no-moves", "There is no move in the input.")


def _needed(state: MatchState, count: int) -> list[str]:
    """The roles whose keys the next ``count`` moves need, as far as that is known before."""
    seat = state.turn or state.game.turn(state.position) or state.game.seats[0]
    seats = state.game.seats if count > 1 else (seat,)
    return [each if state.roster[each].key else "arbiter" for each in seats]


def _plan(text: str, role: str | None) -> Plan:
    def plan(state: MatchState) -> Draft:
        from ledger.events import Play
        from ledger.service import Draft

        seat = state.turn
        if seat is None:  # the fold says why nobody may move
            seat = state.game.seats[0]
            action = text
        else:
            action = state.game.read(state.position, "move", text).text
        by = role or (seat if state.roster[seat].key else "arbiter")
        return Draft("move", Play(move=action), by, seat if by == "arbiter" else None)

    return plan


def resign(
    match: MatchArgument = None,
    named: MatchOption = None,
    seat: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option("--seat", metavar="SEAT", help="Who resigns; not needed with --key."),
    ] = None,
    key: KeyOption = None,
    passphrase_file: PassphraseOption = None,
    ledger: LedgerOption = None,
    json: JsonOption = False,
) -> None:
    """Resign the game for a seat.

    The seat's own key signs; for a seat without a key the arbiter writes.
    """
    from cli.desk import service, write
    from cli.finding import find_match
    from cli.output import written
    from ledger.events import Nothing
    from ledger.service import Draft

    with service(ledger) as opened:
        state = find_match(opened, match or named)
        by, for_ = _who_resigns(state, seat, key)
        plan = lambda _: Draft("resigned", Nothing(), by, for_)  # noqa: E731
        after = write(opened, state, [plan], [by], passphrase_file, expect=state.head)
    written(after, state.seq, json, match or named)


def _who_resigns(state: MatchState, seat: str | None, key: str | None) -> tuple[str, str | None]:
    from cli.desk import role_of
    from ledger.errors import Unreadable

    role = role_of(state, key) if key else None
    if seat is None:
        if role in state.game.seats:
            return str(role), None
        raise Unreadable("which-seat", "Say who resigns.", hint=f"--seat {state.game.seats[0]}")
    if seat not in state.game.seats:
        raise Unreadable("which-seat", f"The seats are {' and '.join(state.game.seats)}.")
    by = role or (seat if state.roster[seat].key else "arbiter")
    return by, seat if by != seat else None


def note(
    text: Annotated[
        str,
        typer.Argument(
            metavar="TEXT", parser=words("The note", "Text"), help="Words for the record."
        ),
    ],
    match: MatchOption = None,
    file: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option("--file", metavar="FILE", help="Note the SHA-256 of a file: a photo, say."),
    ] = None,
    key: KeyOption = None,
    passphrase_file: PassphraseOption = None,
    ledger: LedgerOption = None,
    json: JsonOption = False,
) -> None:
    """Add a signed note to the record.

    It changes nothing in the game.
    """
    from hashlib import sha256

    from cli.desk import read_input, role_of, service, write
    from cli.finding import find_match
    from cli.output import written
    from ledger.events import Remark
    from ledger.service import Draft

    digest = sha256(read_input(file, 1 << 30)).hexdigest() if file else None
    with service(ledger) as opened:
        state = find_match(opened, match)
        role = role_of(state, key) if key else "arbiter"
        plan = lambda _: Draft("note", Remark(text=text, sha256=digest), role)  # noqa: E731
        after = write(opened, state, [plan], [role], passphrase_file)
    written(after, state.seq, json, match)
