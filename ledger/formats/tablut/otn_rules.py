"""The rules line of OpenTafl notation, read into a ruleset and options (``otn_writer`` writes it).

What the fields leave open, and what OpenTafl has no field for, is chosen by ``[x-ruleset:…]`` and
``[x-options:…]``, or else by the first ruleset that the plain reading fits.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from ledger.errors import NotFound, Refused, Unreadable
from ledger.formats.option_words import option_of, spelled
from ledger.formats.tablut.otn_fields import READINGS, Fields, not_ours, read_fields, readings_of
from ledger.games import game, options_of
from ledger.games.protocol import Game, OptionValue

_STRANGERS: Final = {
    **dict.fromkeys("nN", "knights"),
    **dict.fromkeys("cC", "commanders"),
    **dict.fromkeys("mM", "mercenaries"),
    "k": "a king of the attackers",
}


@dataclass(frozen=True, slots=True)
class RulesLine:
    """What a rules line denotes. ``start`` is a board without a side, ``None`` if it is usual."""

    ruleset: str
    options: Mapping[str, OptionValue]
    start: str | None
    notes: tuple[str, ...]


def read_rules(text: str, line: int, tags: Mapping[str, str]) -> RulesLine:
    """What the rules line denotes; ``tags`` may hold ``x-ruleset`` and ``x-options``.

    Raises ``Unreadable`` when it is no rules line, ``Refused`` (``rules-not-ours``) naming every
    field that no option expresses.
    """
    fields = read_fields(text, line)
    _check_start(fields, line)
    readings = readings_of(fields, line)
    board, start = _board(fields)
    played = game("tablut")
    ruleset, options = _choose(played, readings | {"board": (board,)}, line, tags)
    notes = _notes(played, fields, ruleset, options, line)
    return RulesLine(ruleset, options, start, notes)


def _check_start(fields: Fields, line: int) -> None:
    start = fields.given["start"]
    strangers = sorted({_STRANGERS[sign] for sign in start if sign in _STRANGERS})
    if strangers:
        raise not_ours(line, f"the start position has {' and '.join(strangers)}")
    if fields.given["dim"] not in ("9", "11"):
        raise not_ours(line, f"dim:{ascii(fields.given['dim'][:8])[1:-1]} (9 and 11 are played)")
    if len(start.strip("/").split("/")) != int(fields.given["dim"]):
        ranks = f"the start position has not the {fields.given['dim']} ranks of dim"
        raise Unreadable("bad-rules-line", f"line {line}: {ranks}")


def _board(fields: Fields) -> tuple[str, str | None]:
    """The board by its usual start, and the start if it is another one."""
    played, start = game("tablut"), fields.given["start"]
    for board in played.options["board"].values:
        options = {name: option.default for name, option in played.options.items()}
        usual = played.position(played.start(options | {"board": board})).partition(" ")[0]
        if usual == start:
            return str(board), None
    return ("tablut" if fields.given["dim"] == "9" else "hnefatafl"), start


def _choose(
    played: Game,
    readings: Mapping[str, tuple[OptionValue, ...]],
    line: int,
    tags: Mapping[str, str],
) -> tuple[str, dict[str, OptionValue]]:
    """The ruleset and all options: what the line leaves open comes from the named ruleset, or
    from the first that the plain reading fits, or else from ``tablut``."""
    plain = {name: values[0] for name, values in readings.items()}
    sets = {name: options_of(played, rules) for name, rules in played.rulesets.items()}
    fitting = [name for name, options in sets.items() if plain.items() <= options.items()]
    base = tags.get("x-ruleset", fitting[0] if fitting else "tablut")
    if base not in sets:
        raise NotFound("unknown-ruleset", f"x-ruleset: no ruleset is called {base[:40]!a}.")
    options = dict(sets[base])
    for name, values in readings.items():
        if "x-ruleset" not in tags or options[name] not in values:
            options[name] = values[0]
    for name, value in _extra(played, tags.get("x-options", "")).items():
        if value not in readings.get(name, (value,)):
            said = f"x-options says {name}={spelled(value)}, and the rules line another thing"
            raise Refused("rules-not-ours", f"line {line}: {said}")
        options[name] = value
    exact = [name for name, whole in sets.items() if whole == options]
    return (exact[0] if exact else base), options


def _extra(played: Game, text: str) -> dict[str, OptionValue]:
    extra: dict[str, OptionValue] = {}
    for word in text.split():
        found = option_of(played, word)
        if found is None or found[0] in extra:
            raise Unreadable("bad-options", f"x-options: {word[:40]!a} is no option of tablut")
        extra[found[0]] = found[1]
    return extra


def _notes(
    played: Game, fields: Fields, ruleset: str, options: Mapping[str, OptionValue], line: int
) -> tuple[str, ...]:
    notes = []
    if "surf" not in fields.given:
        notes.append(
            f"line {line}: surf is not written; OpenTafl then lets a surrounded side lose, these"
            " rules do not"
        )
    usual = options_of(played, played.rulesets[ruleset])
    differing = [
        f"{name}={spelled(options[name])}" for name in usual if usual[name] != options[name]
    ]
    if differing:
        unsaid = ", ".join(f"{n}={spelled(v)}" for n, v in options.items() if n not in READINGS)
        notes.append(f"line {line}: {ruleset} with {', '.join(differing)}; taken over: {unsaid}")
    return tuple(notes)
