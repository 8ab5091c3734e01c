"""The games: one module each, one small protocol, one registry.

A new game is one module with a ``GAME`` and one line in ``MODULES``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Final

from ledger.errors import NotFound
from ledger.games.protocol import Game, OptionValue, Ruleset

MODULES: Final = {
    "tablut": "ledger.games.tablut",
    "tabula": "ledger.games.tabula",
    "tablero": "ledger.games.tablero",
}


def game(name: str) -> Game:
    """The game of this name. Raises ``NotFound`` (``unknown-game``)."""
    if name not in MODULES:
        raise NotFound(
            "unknown-game",
            f"No game is called {ascii(name)[:60]}. Known: {', '.join(MODULES)}.",
            hint="tabellion rules",
        )
    found: Game = import_module(MODULES[name]).GAME
    return found


def every_game() -> Iterator[Game]:
    return (game(name) for name in MODULES)


def ruleset(name: str) -> tuple[Game, Ruleset]:
    """The ruleset of this name and its game. Raises ``NotFound`` (``unknown-ruleset``)."""
    for candidate in every_game():
        if name in candidate.rulesets:
            return candidate, candidate.rulesets[name]
    known = ", ".join(each for one in every_game() for each in one.rulesets)
    raise NotFound(
        "unknown-ruleset",
        f"No ruleset is called {ascii(name)[:60]}. Known: {known}.",
        hint="tabellion rules",
    )


def options_of(played: Game, rules: Ruleset) -> dict[str, OptionValue]:
    """All options of a ruleset, spelled out."""
    defaults = {name: option.default for name, option in played.options.items()}
    return {**defaults, **rules.changes}


def changed_options(
    played: Game, name: str, options: Mapping[str, OptionValue]
) -> dict[str, OptionValue]:
    """The options that differ from those of the ruleset ``name``; all of an unknown one."""
    own = played.rulesets.get(name)
    usual = options_of(played, own) if own else {}
    return {option: value for option, value in options.items() if usual.get(option) != value}
