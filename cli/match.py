"""A match from its opening to its countersigned close: init, open, accept, close, countersign."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Literal, Optional, get_args

import typer

from cli.options import JsonOption, KeyOption, LedgerOption, MatchArgument, PassphraseOption

if TYPE_CHECKING:
    from ledger.events import Officer, Seat
    from ledger.fold import MatchState
    from ledger.games.protocol import Game, OptionValue, Ruleset
    from ledger.service import Draft, Plan

Text = Optional[str]  # noqa: UP045
_Sealed = Literal["loses", "ruling"]


def register(app: typer.Typer) -> None:
    app.command("init", epilog="Example: tabellion init")(init)
    app.command(
        "open",
        epilog="Example: tabellion open tablut --seat swedes=Alba --seat muscovites=Bruno "
        "--seat-key swedes=alba",
    )(open_match)
    app.command("accept", epilog="Example: tabellion accept")(accept)
    app.command("close", epilog="Example: tabellion close")(close)
    app.command("countersign", epilog="Example: tabellion countersign")(countersign)


def init(
    ledger: LedgerOption = None,
    rebuild: Annotated[
        bool, typer.Option("--rebuild", help="Make the lists anew from the events.")
    ] = False,
) -> None:
    """Make the ledger file. With --rebuild: make its lists (matches, seats, results) anew."""
    from cli.desk import ledger_path, service
    from cli.output import say

    path = ledger_path(ledger)
    there = path.exists()
    with service(ledger, create=True) as opened:
        if rebuild:
            say(f"Lists rebuilt from the events of {opened.rebuild()} matches in {path}.")
        else:
            say(f"The ledger {path} {'is there already' if there else 'is made'}.")


def open_match(
    ruleset: Annotated[str, typer.Argument(metavar="RULESET", help="See: tabellion rules")],
    seat: Annotated[
        list[str], typer.Option("--seat", metavar="SEAT=NAME", help="Who sits where; once a seat.")
    ],
    seat_key: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Option(
            "--seat-key",
            metavar="SEAT=KEY",
            help="The seat signs in person: a key's name here, a .pub file, or the public line. "
            "Without it the arbiter writes for the seat.",
        ),
    ] = None,
    option: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Option("--option", metavar="NAME=VALUE", help="Change an option of the ruleset."),
    ] = None,
    arbiter: Annotated[
        Text, typer.Option("--arbiter", metavar="NAME", help="The arbiter's name.")
    ] = None,
    witness: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Option("--witness", metavar="NAME=KEY", help="A witness, who may countersign."),
    ] = None,
    appeal: Annotated[
        Text, typer.Option("--appeal", metavar="NAME=KEY", help="Who decides appeals.")
    ] = None,
    takebacks: Annotated[
        bool, typer.Option(help="Whether players may agree to take back a move.")
    ] = True,
    settlements: Annotated[
        bool, typer.Option(help="Whether players may end a dispute by agreement.")
    ] = True,
    sealed_move_unopened: Annotated[
        str,
        typer.Option(metavar="loses|ruling", help="What an unopened sealed move costs."),
    ] = "loses",
    turn_cap: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option("--turn-cap", metavar="N", help="The game ends after N turns."),
    ] = None,
    opening_deadline: Annotated[
        Text, typer.Option(metavar="WORDS", help="When dice that are owed must be opened.")
    ] = None,
    event: Annotated[Text, typer.Option("--event", help="The event, as for score sheets.")] = None,
    round_: Annotated[Text, typer.Option("--round", help="The round.")] = None,
    table: Annotated[Text, typer.Option("--table", help="The table.")] = None,
    place: Annotated[Text, typer.Option("--place", help="The place.")] = None,
    date: Annotated[Text, typer.Option("--date", help="The date, as people write it.")] = None,
    key: KeyOption = None,
    passphrase_file: PassphraseOption = None,
    ledger: LedgerOption = None,
    json: JsonOption = False,
) -> None:
    """Open a match. The arbiter's key signs who plays, by which rules, and who may sign what."""
    import secrets

    from cli.desk import clock, one_key, service, unlock
    from cli.output import aside, say, written
    from ledger import rulings, views
    from ledger.events import Officer, Opening, RulesInForce
    from ledger.games import ruleset as find_ruleset

    game, rules = find_ruleset(ruleset)
    name = one_key(key, "open a match")
    seats = _seats(game, seat, seat_key or [])
    options = read_options(game, rules, option or [])
    signer = unlock(name, passphrase_file)
    opening = Opening(
        ruleset=RulesInForce(
            game=game.name,
            name=rules.name,
            version=rules.version,
            options=options,
            document=rulings.digest(game.document),
        ),
        seats=seats,
        arbiter=Officer(name=arbiter or name, key=signer.public.line),
        witnesses=tuple(_officer(each) for each in witness or []),
        appeal=_officer(appeal) if appeal else None,
        takebacks=takebacks,
        settlements=settlements,
        sealed_move_unopened=_sealed(sealed_move_unopened),
        turn_cap=turn_cap,
        opening_deadline=opening_deadline,
        event=event,
        round=round_,
        table=table,
        place=place,
        date=date or clock()[:10],
        nonce=secrets.token_hex(16),
    )
    with service(ledger, create=True) as opened:
        state = opened.open_match(opening, signer)
    if not json:
        say(f"match {state.match}")
        for each in game.seats:
            say(_seat_line(state, each))
    hint = "tabellion accept" if state.unaccepted else "tabellion show"
    written(views.written(state, -1), json, f"{hint} {state.match[:8]}")
    if not json and any(state.roster[each].key is None for each in game.seats):
        aside("A seat without a key signs the printed score sheet; its moves are your word.")


def _seat_line(state: MatchState, seat: str) -> str:
    key = state.roster[seat].key
    how = f"signs with {key.fingerprint}" if key else "no key: the arbiter writes"
    return f"{seat}: {state.roster[seat].name}, {how}"


def _sealed(text: str) -> _Sealed:
    from ledger.errors import Unreadable

    for choice in get_args(_Sealed):
        if text == choice:
            found: _Sealed = choice
            return found
    raise Unreadable("bad-option", "--sealed-move-unopened is loses or ruling.")


def pair(text: str, what: str) -> tuple[str, str]:
    """``NAME=VALUE`` apart. Raises ``Unreadable``."""
    from ledger.errors import Unreadable

    name, sign, value = text.partition("=")
    if not (sign and name.strip() and value.strip()):
        raise Unreadable("bad-option", f"{what} is written NAME=VALUE, not {text!a}.")
    return name.strip(), value.strip()


def read_options(game: Game, rules: Ruleset, given: list[str]) -> dict[str, OptionValue]:
    """All options: the ruleset's own, changed by ``NAME=VALUE`` texts."""
    from ledger.errors import Unreadable
    from ledger.games import options_of

    options = options_of(game, rules)
    for text in given:
        name, value = pair(text, "--option")
        if name not in game.options:
            raise Unreadable(
                "unknown-option",
                f"{game.name} has no option {name!a}.",
                hint=f"tabellion rules {rules.name}",
            )
        values = {str(each).lower(): each for each in game.options[name].values}
        if value.lower() not in values:
            raise Unreadable("bad-option", f"{name} is one of {', '.join(values)}, not {value!a}.")
        options[name] = values[value.lower()]
    game.start(options)
    return options


def _seats(game: Game, names: list[str], keys: list[str]) -> dict[str, Seat]:
    from cli.desk import public_key
    from ledger.errors import Unreadable
    from ledger.events import Seat

    named = dict(pair(text, "--seat") for text in names)
    held = dict(pair(text, "--seat-key") for text in keys)
    first, second = game.seats
    if set(named) != {first, second} or len(names) != 2 or not set(held) <= set(named):
        raise Unreadable(
            "wrong-seats",
            f"{game.name} has the seats {first} and {second}: name each once.",
            hint=f"--seat {first}=NAME --seat {second}=NAME",
        )
    return {
        seat: Seat(name=name, key=public_key(held[seat]).line if seat in held else None)
        for seat, name in named.items()
    }


def _officer(text: str) -> Officer:
    from cli.desk import public_key
    from ledger.events import Officer

    name, key = pair(text, "A witness or appeal")
    return Officer(name=name, key=public_key(key).line)


# -- what seats and arbiter sign ---------------------------------------------------------


def accept(
    match: MatchArgument = None,
    key: KeyOption = None,
    passphrase_file: PassphraseOption = None,
    ledger: LedgerOption = None,
    json: JsonOption = False,
) -> None:
    """Accept a match as it was opened. Every seat whose key is on this device accepts."""
    from ledger.events import Nothing

    _sign_by_seats(
        match,
        key,
        passphrase_file,
        ledger,
        json,
        waiting=lambda state: state.unaccepted,
        plan=lambda role: lambda _: _draft("seat.accepted", Nothing(), role),
        nothing="No seat waits to accept with a key of this device.",
    )


def countersign(
    match: MatchArgument = None,
    key: KeyOption = None,
    passphrase_file: PassphraseOption = None,
    ledger: LedgerOption = None,
    json: JsonOption = False,
) -> None:
    """Countersign the closed result: the score sheet signed. Every seat whose key is here."""
    from ledger.events import Countersignature

    _sign_by_seats(
        match,
        key,
        passphrase_file,
        ledger,
        json,
        waiting=lambda state: state.unsigned,
        plan=lambda role: (
            lambda state: _draft(
                "countersigned",
                Countersignature(result_event=state.result_event or state.head),
                role,
            )
        ),
        nothing="No seat waits to countersign with a key of this device.",
    )


def _draft(kind: str, data: object, by: str) -> Draft:
    from ledger.service import Draft

    return Draft(kind, data, by)


def _sign_by_seats(
    match: str | None,
    key: str | None,
    passphrase_file: str | None,
    ledger: str | None,
    json: bool,
    *,
    waiting: Callable[[MatchState], tuple[str, ...]],
    plan: Callable[[str], Plan],
    nothing: str,
) -> None:
    from cli.desk import find_match, holders, role_of, service, signers
    from cli.output import written
    from ledger import views
    from ledger.errors import NotAllowed

    with service(ledger) as opened:
        state = find_match(opened, match)
        roles = [role_of(state, key)] if key else list(holders(state, waiting(state)))
        if not roles:
            raise NotAllowed("nobody-waits", f"{nothing} {views.next_step(state)}")
        keys = signers(state, roles, passphrase_file)
        after = opened.append(state.match, [plan(role) for role in roles], keys)
    written(views.written(after, state.seq), json)


def close(
    match: MatchArgument = None,
    key: KeyOption = None,
    passphrase_file: PassphraseOption = None,
    ledger: LedgerOption = None,
    json: JsonOption = False,
) -> None:
    """Close a match that is over: the arbiter signs the result that the rules give."""
    from cli.desk import find_match, role_of, service, signers
    from cli.output import written
    from ledger import views
    from ledger.errors import Refused
    from ledger.events import Closing
    from ledger.service import Draft

    with service(ledger) as opened:
        state = find_match(opened, match)
        result = state.result
        if result is None:
            raise Refused(
                "not-over",
                f"The game is not over. {views.next_step(state)}",
                hint="tabellion resign --seat SEAT, if a player gives up",
            )
        role = role_of(state, key) if key else "arbiter"
        keys = signers(state, [role], passphrase_file)
        plan = lambda _: Draft("match.closed", Closing(result=result), role)  # noqa: E731
        after = opened.append(state.match, [plan], keys, expect=state.head)
    hint = "tabellion countersign" if after.unsigned else "tabellion export -o match.json"
    written(views.written(after, state.seq), json, hint)
