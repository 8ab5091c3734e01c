"""Opening: init makes a ledger, open a match, with all that is agreed before the first move."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, Optional, get_args

import typer

from cli import completing
from cli.joining import NoWaitOption, SheetOption, UrlOption
from cli.options import JsonOption, KeyOption, LedgerOption, PassphraseOption, example
from cli.typed import fit, turns, words

if TYPE_CHECKING:
    from ledger.events import Officer, Seat
    from ledger.fold import MatchState
    from ledger.games.protocol import Game, OptionValue, Ruleset
    from ledger.service import Service

Text = Optional[str]  # noqa: UP045
_Sealed = Literal["loses", "ruling"]
_ON_PAPER = "A seat without a key signs the printed score sheet; its moves are your word."


def register(app: typer.Typer) -> None:
    app.command("init", epilog=example("tabellion init"))(init)
    app.command(
        "open",
        epilog=example(
            "tabellion open tablut --key zoe --arbiter Zoë \\",
            "    --seat swedes=Alba --seat-key swedes=alba --seat muscovites=Bruno",
        ),
    )(open_match)


def init(
    ledger: LedgerOption = None,
    rebuild: Annotated[
        bool, typer.Option("--rebuild", help="Make the lists anew from the events.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Make the ledger file, or its lists anew.

    The lists (matches, seats, results) are made from the events and can be made again.
    """
    from cli.desk import ledger_path, service
    from cli.output import as_json, say, say_next
    from ledger.views import InitView

    path = ledger_path(ledger)
    there = path.exists()
    with service(ledger, create=not rebuild) as opened:
        count = opened.rebuild() if rebuild else None
    if json:
        as_json(InitView(ledger=str(path), made=not there, rebuilt=count))
        return
    if count is not None:
        matches = "1 match" if count == 1 else f"{count} matches"
        say(f"Lists rebuilt from the events of {matches} in {path}.")
    else:
        say(f"The ledger {path} {'is there already' if there else 'is made'}.")
    say_next("tabellion list" if there else "tabellion key new NAME")


def open_match(
    ruleset: Annotated[
        str,
        typer.Argument(
            metavar="RULESET",
            help="The ruleset: tabellion rules lists them.",
            autocompletion=completing.rulesets,
        ),
    ],
    seat: Annotated[
        list[str],
        typer.Option(
            "--seat",
            metavar="SEAT=NAME",
            help="Who sits where, once a seat: swedes=Alba.",
            autocompletion=completing.seated_players,
        ),
    ],
    seat_key: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Option(
            "--seat-key",
            metavar="SEAT=KEY",
            help="The seat signs in person: a key's name here, a .pub file, or the public line. "
            "Without it the arbiter writes for the seat.",
            autocompletion=completing.seated_keys,
        ),
    ] = None,
    join: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Option(
            "--join",
            metavar="SEAT",
            help="The seat signs in person, with a phone that joins now: prints a code for it and "
            "waits. Needs a running serve.",
        ),
    ] = None,
    no_wait: NoWaitOption = False,
    url: UrlOption = None,
    sheet: SheetOption = None,
    option: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Option(
            "--option",
            metavar="NAME=VALUE",
            help="Change an option of the ruleset.",
            autocompletion=completing.rule_options,
        ),
    ] = None,
    dice: Annotated[
        Text,
        typer.Option(
            "--dice",
            metavar="HOW",
            help="Whose secrets make the dice: players, players+arbiter, arbiter. Or dice on the "
            "table: table, and with the other seat's word table+confirm. players, if both have "
            "keys; else table.",
            autocompletion=completing.dice,
        ),
    ] = None,
    arbiter: Annotated[
        Text,
        typer.Option(
            "--arbiter",
            metavar="NAME",
            parser=words("--arbiter", "Name"),
            help="The arbiter's name; that of the key if left out.",
        ),
    ] = None,
    witness: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Option(
            "--witness",
            metavar="NAME=KEY",
            help="A witness, who may dispute, testify and countersign.",
            autocompletion=completing.held_keys,
        ),
    ] = None,
    appeal: Annotated[
        Text,
        typer.Option(
            "--appeal",
            metavar="NAME=KEY",
            help="Who decides appeals.",
            autocompletion=completing.held_keys,
        ),
    ] = None,
    takebacks: Annotated[
        bool, typer.Option(help="Whether players may agree to take back a move.")
    ] = True,
    settlements: Annotated[
        bool,
        typer.Option(help="Whether players may share the points, or end a dispute by agreement."),
    ] = True,
    sealed_move_unopened: Annotated[
        str,
        typer.Option(
            metavar="loses|ruling",
            help="What happens to a sealed move that stays unopened: its side loses, or a ruling.",
        ),
    ] = "loses",
    turn_cap: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option(
            "--turn-cap",
            metavar="N",
            parser=turns,
            help="The game is over after so many turns, in games that know such an end.",
        ),
    ] = None,
    opening_deadline: Annotated[
        Text,
        typer.Option(
            "--opening-deadline",
            metavar="WORDS",
            parser=words("--opening-deadline"),
            help="When a roll that is thrown must be opened: within 5 minutes.",
        ),
    ] = None,
    event: Annotated[
        Text,
        typer.Option(
            "--event",
            metavar="WORDS",
            parser=words("--event"),
            help="The tournament or meeting.",
        ),
    ] = None,
    round_: Annotated[
        Text, typer.Option("--round", metavar="WORDS", parser=words("--round"), help="The round.")
    ] = None,
    table: Annotated[
        Text, typer.Option("--table", metavar="WORDS", parser=words("--table"), help="The table.")
    ] = None,
    place: Annotated[
        Text, typer.Option("--place", metavar="WORDS", parser=words("--place"), help="The place.")
    ] = None,
    date: Annotated[
        Text,
        typer.Option(
            "--date", metavar="WORDS", parser=words("--date"), help="The date; today's if left out."
        ),
    ] = None,
    key: KeyOption = None,
    passphrase_file: PassphraseOption = None,
    ledger: LedgerOption = None,
    json: JsonOption = False,
) -> None:
    """Open a match: the arbiter signs.

    The arbiter's key signs who plays, by which rules, and who may sign what.
    """
    import secrets

    from cli.desk import clock, one_key, public_key, service, unlock
    from cli.dice import commits, contributes, scheme
    from cli.joining import Invitation, at_the_server
    from cli.settingout import joining, with_phones
    from ledger import rulings
    from ledger.events import Officer, Opening, RulesInForce
    from ledger.games import ruleset as find_ruleset

    game, rules = find_ruleset(ruleset)
    seats = _seats(game, seat, seat_key or [])
    phones = joining(seats, join or [])
    invitation = Invitation(url, sheet, not no_wait, json)
    invitation.check(bool(phones))
    officers = [_officer(each) for each in [*(witness or []), *([appeal] if appeal else [])]]
    taken = [*(each.key for each in officers), *(each.key or "" for each in seats.values())]
    name = one_key(key, "open a match", taken)
    options = read_options(game, rules, option or [])
    if turn_cap is not None:
        game.limited(game.start(options), turn_cap)
    signer = None if phones else unlock(name, passphrase_file)
    public = signer.public if signer else public_key(name)
    opening = Opening(
        ruleset=RulesInForce(
            game=game.name,
            name=rules.name,
            version=rules.version,
            options=options,
            document=rulings.digest(game.document),
        ),
        seats=seats,
        arbiter=Officer(name=arbiter or name, key=public.line),
        witnesses=tuple(officers[:-1] if appeal else officers),
        appeal=officers[-1] if appeal else None,
        dice=scheme(game, {**seats, **phones}, dice),
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
    if signer is None:
        titles = {each: game.titles[each] for each in phones}
        match = with_phones(opening, titles, name, invitation, passphrase_file, ledger)
        if match is not None:
            with service(ledger) as opened, at_the_server():
                _tell(opened, opened.state(match), json)
        return
    with service(ledger, create=True) as opened:
        plans = [commits(signer)] if contributes(opening) else []
        _tell(opened, opened.open_match(opening, signer, plans), json)


def _tell(opened: Service, state: MatchState, json: bool) -> None:
    """What was agreed, and whose turn it is."""
    from cli.finding import handle
    from cli.output import say, written

    game, named = state.game, handle(opened, state.match)
    if not json:
        say(f"match {state.match}")
        for each in game.seats:
            say(_seat_line(state, each), hang=2)
    unkeyed = any(state.roster[each].key is None for each in game.seats)
    written(state, -1, json, named, (_ON_PAPER,) if unkeyed else ())


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
        raise Unreadable("bad-option", f"{what} is written NAME=VALUE, not {text[:60]!a}.")
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
                f"{game.name} has no option {name[:60]!a}.",
                hint=f"tabellion rules {rules.name}",
            )
        values = {str(each).lower(): each for each in game.options[name].values}
        if value.lower() not in values:
            raise Unreadable(
                "bad-option", f"{name} is one of {', '.join(values)}, not {value[:60]!a}."
            )
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
        seat: Seat(
            name=fit(name, f"The name at {seat}", "Name"),
            key=public_key(held[seat]).line if seat in held else None,
        )
        for seat, name in named.items()
    }


def _officer(text: str) -> Officer:
    from cli.desk import public_key
    from ledger.events import Officer

    name, key = pair(text, "--witness or --appeal")
    return Officer(
        name=fit(name, "The name of a witness or appeal", "Name"), key=public_key(key).line
    )
