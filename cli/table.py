"""What is done at the table: move, resign, note."""

from __future__ import annotations

import re
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
from cli.seats import SeatOption
from cli.typed import words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ledger.fold import MatchState
    from ledger.service import Draft

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
        typer.Argument(
            metavar="MOVE...",
            help="One or more moves; - reads them from a pipe.",
            autocompletion=completing.moves,
        ),
    ],
    match: MatchOption = None,
    key: KeyOption = None,
    passphrase_file: PassphraseOption = None,
    ledger: LedgerOption = None,
    json: JsonOption = False,
) -> None:
    """Move for the seat whose turn it is.

    Its own key signs; for a seat without a key the arbiter writes. Several moves go through all
    or none; calls may stand among them. From a pipe (-): one or more a line;
    numbers like "12." and lines that begin with # are passed over.
    """
    from cli.acts import typed_act
    from cli.desk import role_of, service, write
    from cli.finding import find_match
    from cli.output import written
    from ledger.service import LineRefused

    with service(ledger) as opened:
        state = find_match(opened, match)
        typed = list(_typed(moves, whole=state.game.steps))
        role = role_of(state, key) if key else None
        roles = [role] if role else _needed(state, [text for _, text in typed])
        plans = [typed_act(text, role) for _, text in typed]
        try:
            after = write(opened, state, plans, roles, passphrase_file)
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


def _typed(moves: list[str], *, whole: bool) -> Iterator[tuple[str, str]]:
    """Each move with the place it stands at: "line 3" or "move 2". ``whole``: all that is typed
    is one move, as all dice of a throw are; of a pipe each line."""
    from cli.desk import read_input
    from ledger.errors import Unreadable

    if moves != ["-"] and whole:
        yield "move 1", " ".join(moves)
        return
    if moves != ["-"]:
        yield from ((f"move {number}", text) for number, text in enumerate(moves, start=1))
        return
    try:
        text = read_input("-", _MAX_INPUT).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unreadable(
            "not-utf8",
            f"Byte {error.start} of the input is not UTF-8. Nothing was written.",
            hint="save the moves as UTF-8",
        ) from None
    count = 0
    for number, line in enumerate(_LINE_END.split(text), start=1):
        if line.lstrip().startswith("#"):
            continue
        words = [line.strip()] if whole else line.split()
        for word in words:
            word = _NUMBER.sub("", word, count=1).strip() if _NUMBER.match(word) else word
            if word:
                count += 1
                yield f"line {number}", word
    if not count:
        raise Unreadable("no-moves", "There is no move in the input.", hint="one or more a line")


def _needed(state: MatchState, texts: list[str]) -> list[str]:
    """The roles whose keys these words need, as far as that is known before."""
    from ledger.fold.due import signing
    from ledger.games.typed import kind_and_text

    seats: Iterable[str] = state.game.seats
    if len(texts) == 1:
        kind, _ = kind_and_text(state.game, state.position, texts[0])
        seats = [state.game.actor(state.position, kind) or state.game.seats[0]]
    return [signing(state, seat) for seat in seats]


def resign(
    match: MatchArgument = None,
    named: MatchOption = None,
    seat: SeatOption = None,
    key: KeyOption = None,
    passphrase_file: PassphraseOption = None,
    ledger: LedgerOption = None,
    json: JsonOption = False,
) -> None:
    """Resign the game for a seat.

    The seat's own key signs; for a seat without a key the arbiter writes.
    """
    from cli.seats import acting, perform
    from ledger.events import Nothing
    from ledger.service import Draft

    def decide(state: MatchState) -> Draft:
        by, for_ = acting(state, seat, key, "resigns")
        return Draft("resigned", Nothing(), by, for_)

    perform(decide, match or named, passphrase_file, ledger, json)


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

    from cli.desk import read_input
    from cli.seats import perform, speaking
    from ledger.events import Remark
    from ledger.service import Draft

    digest = sha256(read_input(file, 1 << 30)).hexdigest() if file else None

    def decide(state: MatchState) -> Draft:
        return Draft("note", Remark(text=text, sha256=digest), speaking(state, key))

    perform(decide, match, passphrase_file, ledger, json)
