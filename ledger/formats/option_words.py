"""Options of a game as words, ``name=value``: the same in every format that we write."""

from __future__ import annotations

from collections.abc import Mapping

from ledger.games import changed_options
from ledger.games.protocol import Game, OptionValue


def spelled(value: OptionValue) -> str:
    return str(value).lower() if isinstance(value, bool) else value


def option_of(played: Game, word: str) -> tuple[str, OptionValue] | None:
    """The option and the value that a word says; ``None`` if the game has none like it."""
    name, _, wanted = word.partition("=")
    values = played.options[name].values if name in played.options else ()
    return next(((name, value) for value in values if spelled(value) == wanted), None)


def write_changes(played: Game, ruleset: str, options: Mapping[str, OptionValue]) -> str:
    """The options that differ from those of the ruleset."""
    changed = changed_options(played, ruleset, options)
    return " ".join(f"{name}={spelled(value)}" for name, value in changed.items())
