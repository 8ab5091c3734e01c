"""What fits in a place of the command line: matches, keys, seats, rulesets, moves, events.

Each function proposes for one kind of place: the text, and a few words about it for shells that
show them. It may look at what stands on the line already. Nothing here writes, asks or speaks.
Whatever goes wrong is raised, and ``cli.shells`` then proposes nothing.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING, TypeAlias

import typer

if TYPE_CHECKING:
    from ledger.fold import MatchState
    from ledger.games.protocol import Action, Game, State
    from ledger.views import MatchLine

Proposals: TypeAlias = "list[tuple[str, str]]"


# -- matches and what happened in them -----------------------------------------------------


def matches(context: typer.Context) -> Proposals:
    """Matches by their shortest names, the open ones first."""
    from cli.finding import handles

    lines = _lines(context)
    unfinished = tuple(line for line in lines if line.phase != "closed")
    named = handles(lines)
    return [
        (named.get(line.match, line.match[:8]), " – ".join(line.seats.values()))
        for line in (*unfinished, *(each for each in lines if each not in unfinished))
    ]


def events(context: typer.Context) -> Proposals:
    """The events of the match that is meant, the last first."""
    from ledger import views

    log = views.log(_match(context)).events
    return [(str(line.seq), line.text) for line in reversed(log)]


def acts(context: typer.Context) -> Proposals:
    """The events that can be taken back, the last first."""
    from cli.officials import check_standing
    from ledger.errors import Refused

    state = _match(context)
    found = []
    for number, text in events(context):
        with suppress(Refused):
            check_standing(state, int(number))
            found.append((number, text))
    return found


def offers(context: typer.Context) -> Proposals:
    """The offers that stand, by the first digits of their hashes."""
    from ledger import views

    state = _match(context)
    return [
        (views.short_hash(state, offer.hash), views.standing(state, offer))
        for offer in state.offers
    ]


def moves(context: typer.Context, incomplete: str) -> Proposals:
    """Legal moves, after those that stand on the line already."""
    game, position = _asked(context) if "ruleset" in context.params else _on_the_board(context)
    if game.steps and "ruleset" not in context.params:
        return _steps(game, position, list(context.params.get("moves") or ()))
    for text in context.params.get("moves") or ():
        position = game.apply(position, _read(game, position, text))
    spelled = (
        _spelled(game, position, action, incomplete)
        for action in game.legal(position)
        if action.kind == "move"
    )
    return [(text, "") for text in spelled if text]


def pulls(context: typer.Context) -> Proposals:
    """What may be taken from the board."""
    game, position = _on_the_board(context)
    return [(each.text, "") for each in game.legal(position) if each.kind == "pull"]


def _steps(game: Game, position: State, typed: list[str]) -> Proposals:
    """What can be typed next of a move that is made of several steps, a word each."""
    done = Counter(word.lower() for text in typed for word in text.split())
    found: dict[str, str] = {}
    for action in game.legal(position):
        if action.kind != "move":
            continue
        steps = Counter(action.text.split())
        left = steps - done
        if done <= steps:
            found |= dict.fromkeys(sorted(left), "")
    return list(found.items())


def _asked(context: typer.Context) -> tuple[Game, State]:
    """The position that the referee is asked about."""
    from cli.opening import read_options
    from cli.rolling import read_dice
    from ledger.games import ruleset

    asked = context.params
    game, rules = ruleset(asked["ruleset"])
    options = read_options(game, rules, list(asked.get("option") or ()))
    text = asked.get("position") or "start"
    position = game.start(options) if text == "start" else game.place(options, text)
    if asked.get("dice"):
        position = game.throw(position, read_dice([asked["dice"]]))
    return game, position


def _on_the_board(context: typer.Context) -> tuple[Game, State]:
    """The position of the match that is meant. Raises ``Refused`` where nobody may move."""
    from ledger.errors import Refused
    from ledger.views import next_step

    state = _match(context)
    if state.turn is None:
        raise Refused("no-turn", next_step(state))
    return state.game, state.position


def _read(game: Game, position: State, text: str) -> Action:
    """A move, or another act of the game that may stand among moves."""
    from ledger.errors import TabellionError

    for kind in game.actions - {"move"}:
        with suppress(TabellionError):
            return game.read(position, kind, text)
    return game.read(position, "move", text)


def _spelled(game: Game, position: State, action: Action, incomplete: str) -> str:
    """The move in its canonical spelling, or in a shorter one that begins as was typed and is
    read as the same move: ``e5-e4`` for ``Ke5-e4``."""
    from ledger.errors import TabellionError

    start = action.text.find(incomplete)
    if start <= 0:
        return action.text
    try:
        same = game.read(position, "move", action.text[start:]) == action
    except TabellionError:
        return ""
    return action.text[start:] if same else ""


def _lines(context: typer.Context) -> tuple[MatchLine, ...]:
    from cli.desk import service
    from ledger import readmodels

    with service(context.params.get("ledger"), write=False) as opened:
        return readmodels.matches(opened.store).matches


def _match(context: typer.Context) -> MatchState:
    from cli.desk import service
    from cli.finding import find_match

    asked = context.params
    with service(asked.get("ledger"), write=False) as opened:
        return find_match(opened, asked.get("match") or asked.get("named"))


# -- keys, seats, players ------------------------------------------------------------------


def keys() -> Proposals:
    """The keys on this device."""
    from cli.desk import keyring

    return [
        (entry.name, entry.public.fingerprint if entry.public else entry.problem)
        for entry in keyring().list()
    ]


def seats(context: typer.Context) -> Proposals:
    """The seats of the match that is meant, with who sits there."""
    state = _match(context)
    return [(seat, state.roster[seat].name) for seat in state.game.seats]


def seated_players(context: typer.Context, incomplete: str) -> Proposals:
    """``SEAT=NAME``: the seats still free, then players whom the ledger knows."""
    seat, sign, _ = incomplete.partition("=")
    if not sign:
        return _free_seats(context, "seat")
    names = (name for line in _lines(context) for name in line.seats.values())
    return [(f"{seat}={name}", "") for name in dict.fromkeys(names)]


def seated_keys(context: typer.Context, incomplete: str) -> Proposals:
    """``SEAT=KEY``: the seats that have no key yet, then the keys."""
    return held_keys(incomplete) or _free_seats(context, "seat_key")


def results(context: typer.Context) -> Proposals:
    """Results that a ruling gives."""
    from typing import get_args

    from ledger.events import ResultKind

    names = [name for name, _ in seats(context)]
    won = ("win", "forfeit")
    return [
        (f"{kind}={seat}" if seat else kind, "")
        for kind in get_args(ResultKind)
        for seat in (names if kind in won else [""])
    ]


def roles(context: typer.Context) -> Proposals:
    """The roles whose key can be replaced, with who holds them."""
    state = _match(context)
    return [(role, party.name) for role, party in state.roster.items() if role != "arbiter"]


def penalties(context: typer.Context) -> Proposals:
    """Penalties for each seat."""
    from typing import get_args

    from ledger.events import PenaltyKind

    names = [name for name, _ in seats(context)]
    return [(f"{seat}={kind}", "") for seat in names for kind in get_args(PenaltyKind)]


def held_keys(incomplete: str) -> Proposals:
    """``NAME=KEY``, once the name is typed: the keys."""
    name, sign, _ = incomplete.partition("=")
    return [(f"{name}={key}", about) for key, about in keys()] if sign else []


def _free_seats(context: typer.Context, option: str) -> Proposals:
    from ledger.games import ruleset

    game, _ = ruleset(context.params["ruleset"])
    taken = {text.partition("=")[0] for text in context.params.get(option) or ()}
    return [(f"{seat}=", game.titles[seat]) for seat in game.seats if seat not in taken]


# -- rules ---------------------------------------------------------------------------------


def rulesets() -> Proposals:
    from ledger.games import every_game

    return [(each.name, each.title) for game in every_game() for each in game.rulesets.values()]


def positions() -> Proposals:
    return [("start", "the position before the first move")]


def rule_options(context: typer.Context, incomplete: str) -> Proposals:
    """``NAME=VALUE``: the options of the ruleset on the line that are not changed there, then
    the values of one."""
    from cli.output import option_value
    from ledger.games import ruleset

    game, _ = ruleset(context.params["ruleset"])
    name, sign, _ = incomplete.partition("=")
    if sign:
        values = game.options[name].values if name in game.options else ()
        return [(f"{name}={option_value(value)}", "") for value in values]
    changed = {text.partition("=")[0] for text in context.params.get("option") or ()}
    return [
        (f"{each.name}=", " or ".join(map(option_value, each.values)))
        for each in game.options.values()
        if each.name not in changed
    ]


def players(context: typer.Context) -> Proposals:
    """Everybody whom the ledger knows as a player."""
    names = (name for line in _lines(context) for name in line.seats.values())
    return [(name, "") for name in dict.fromkeys(names)]


def dice() -> Proposals:
    """How the dice of a match can be made."""
    from cli.dice import SCHEMES

    return [(name, about) for name, about in SCHEMES.items()]


def demos() -> Proposals:
    from cli.demos import DEMOS

    return list(DEMOS.items())


def formats() -> Proposals:
    """The formats of other programs that can be imported."""
    from ledger.formats import FORMATS

    return [(name, "") for name in FORMATS]
