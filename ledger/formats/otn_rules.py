"""The rules line of OpenTafl notation, read into options (``otn_writer`` writes it).

Each option is looked up in the fields that speak of it. A reading is the values that the fields
leave open, the plainest first; ``[x-ruleset:…]`` and ``[x-options:…]`` choose among them and say
what OpenTafl has no field for. A field that no option expresses is named and refused, never
guessed. Of piece lists only plain pieces (t, T) and the king (K) matter: there are no others here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from ledger.errors import NotFound, Refused, Unreadable
from ledger.games import game, options_of
from ledger.games.protocol import Game, OptionValue

Values: TypeAlias = "tuple[OptionValue, ...] | None"
"""The values that the fields leave open; ``None``: no option says this."""

EVERY_PIECE: Final = "tcnkmTCNKM"
_DEFAULTS: Final = dict(
    word.split(":", 1)
    for word in (
        "name: esc:c surf:y atkf:y tfr:d ka:y ks:s kj:n nj:c cj:j spd:-1 sw:n swf:y efe:n ber:n"
        " cor:default cen:default afor: dfor:"
        f" corh:{EVERY_PIECE} corp:K cors:K corre:{EVERY_PIECE}"
        f" cenh:tcnk cenhe:{EVERY_PIECE} cenp:{EVERY_PIECE} cens:K cenre:{EVERY_PIECE}"
        f" aforh:TCNK aforp:{EVERY_PIECE} afors:{EVERY_PIECE} aforre:{EVERY_PIECE}"
        f" dforh:tcnk dforp:{EVERY_PIECE} dfors:TCNK dforre:{EVERY_PIECE}"
    ).split()
)
"""What OpenTafl takes for a field that is absent (ks:y and ks:n are older words for s and w)."""

_LISTS: Final = frozenset(
    name for name in _DEFAULTS if re.fullmatch("(cor|cen|afor|dfor)(h|he|p|s|re)", name)
)
_STRANGERS: Final = {
    **dict.fromkeys("nN", "knights"),
    **dict.fromkeys("cC", "commanders"),
    **dict.fromkeys("mM", "mercenaries"),
    "k": "a king of the attackers",
}


class Fields:
    """The fields of one rules line, with defaults for those that are absent."""

    def __init__(self, given: Mapping[str, str]) -> None:
        self.given = given

    def __getitem__(self, name: str) -> str:
        return self.given.get(name, _DEFAULTS[name])

    def pieces(self, name: str) -> str:
        """Which of t, T and K a list names, in this order."""
        return "".join(piece for piece in "tTK" if piece in self[name])

    def shown(self, name: str) -> str:
        about = f" ({_WORDS[name]})" if name in _WORDS else ""
        return f"{name}:{ascii(self[name])[1:-1][:40]}{about}"


@dataclass(frozen=True, slots=True)
class RulesLine:
    """What a rules line denotes. ``start`` is a board without a side, ``None`` if it is usual."""

    ruleset: str
    options: Mapping[str, OptionValue]
    start: str | None
    notes: tuple[str, ...]


def _value(field: str, table: Mapping[str, Values]) -> Callable[[Fields], Values]:
    return lambda fields: table.get(fields[field])


def _list(field: str, table: Mapping[str, Values]) -> Callable[[Fields], Values]:
    return lambda fields: table.get(fields.pieces(field))


def _konakis_hostile(fields: Fields) -> Values:
    """An occupied centre holds the king, who if armed is an anvil to Muscovites anyway."""
    empty, occupied = fields.pieces("cenhe"), fields.pieces("cenh")
    if "t" in occupied and fields["ka"] != "y":
        return None
    if empty == "tTK":
        if "T" in occupied:
            return ("always",)
        return ("linnaean", "empty") if fields["ks"] == "c" else ("empty", "linnaean")
    return ("never",) if empty == "K" and "T" not in occupied else None


def _corner_stop(fields: Fields) -> Values:
    if not fields["cor"]:
        return ("all",)
    return {"K": ("king",), "tTK": ("all",)}.get(fields.pieces("cors"))


def _corner_hostile(fields: Fields) -> Values:
    if not fields["cor"]:
        return (False,)
    return {"tTK": (True,), "": (False,)}.get(fields.pieces("corh"))


_READINGS: Final[Mapping[str, tuple[tuple[str, ...], Callable[[Fields], Values]]]] = {
    "first": (("atkf",), _value("atkf", {"y": ("muscovites",), "n": ("swedes",)})),
    "goal": (("esc",), _value("esc", {"c": ("corners",), "e": ("edge", "clear_edge")})),
    "repetition": (
        ("tfr",),
        _value(
            "tfr",
            {"d": ("claim", "draw"), "i": ("off", "swedes_lose", "second_since_capture")},
        ),
    ),
    "king_armed": (("ka",), _value("ka", {"y": (True,), "n": (False,)})),
    "king_capture": (
        ("ks",),
        _value(
            "ks",
            {"s": ("four", "edge_three"), "y": ("four", "edge_three"), "c": ("two_away",)},
        ),
    ),
    "konakis_pass": (("cenp",), _list("cenp", {"tTK": ("all",), "K": ("king",), "": ("none",)})),
    "konakis_stop": (("cens",), _list("cens", {"K": ("king",), "": ("never",)})),
    "konakis_hostile": (("cenhe", "cenh"), _konakis_hostile),
    "corner_stop": (("cors",), _corner_stop),
    "corner_hostile": (("corh",), _corner_hostile),
}
"""For each option the fields that speak of it, and their reading."""

_NEEDED: Final[Mapping[str, Callable[[Fields], bool]]] = {
    "surf": lambda fields: fields["surf"] == "n" or "surf" not in fields.given,
    "kj": lambda fields: fields["kj"] == "n",
    "sw": lambda fields: fields["sw"] == "n",
    "efe": lambda fields: fields["efe"] == "n",
    "ber": lambda fields: fields["ber"] == "n",
    "afor": lambda fields: not fields["afor"],
    "dfor": lambda fields: not fields["dfor"],
    "spd": lambda fields: re.fullmatch("(-1,?)+", fields["spd"]) is not None,
    "esc": lambda fields: bool(fields["cor"]) or fields["esc"] != "c",
    "cenre": lambda fields: "K" in fields.pieces("cenre") or not fields.pieces("cens"),
    "corre": lambda fields: set(fields.pieces("cors")) <= set(fields.pieces("corre")),
    "cor": lambda fields: not fields["cor"] or _usual_places(fields, "cor"),
    "cen": lambda fields: _usual_places(fields, "cen"),
}
"""Fields that must be as here: no option of ours says anything else."""

_WORDS: Final = {
    "surf": "a surrounded side loses",
    "tfr": "who repeats wins or loses",
    "ka": "the king as hammer or anvil only",
    "ks": "another king's strength",
    "kj": "a jumping king",
    "sw": "shieldwalls",
    "efe": "edge forts",
    "ber": "berserk moves",
    "afor": "forts of the attackers",
    "dfor": "forts of the defenders",
    "spd": "speed limits",
    "esc": "corners as the goal, without corners",
}
"""What a field that is refused is about."""


def read_rules(text: str, line: int, tags: Mapping[str, str]) -> RulesLine:
    """What the rules line denotes; ``tags`` may hold ``x-ruleset`` and ``x-options``.

    Raises ``Unreadable`` when it is no rules line, ``Refused`` (``rules-not-ours``) naming every
    field that no option expresses.
    """
    fields = _split(text, line)
    played = game("tablut")
    _check_start(fields, line)
    readings = {name: read(fields) for name, (_, read) in _READINGS.items()}
    unknown = {
        field: None
        for name, (names, _) in _READINGS.items()
        if readings[name] is None
        for field in names
    } | {field: None for field, holds in _NEEDED.items() if not holds(fields)}
    if unknown:
        raise _not_ours(line, ", ".join(fields.shown(name) for name in unknown))
    board, start = _board(fields)
    open_values = {name: values for name, values in readings.items() if values is not None}
    open_values["board"] = (board,)
    ruleset, options = _choose(played, open_values, line, tags)
    notes = _notes(played, fields, ruleset, options, line)
    return RulesLine(ruleset, options, start, notes)


def _split(text: str, line: int) -> Fields:
    given: dict[str, str] = {}
    for word in text.split():
        name, colon, value = word.partition(":")
        if not colon or name not in {*_DEFAULTS, "dim", "start"}:
            known = "is no field of OpenTafl that we know"
            raise Unreadable("bad-rules-line", f"line {line}: {word[:40]!a} {known}")
        if name in given:
            raise Unreadable("bad-rules-line", f"line {line}: the field {name} stands twice")
        if name in _LISTS and set(value) - set(EVERY_PIECE):
            raise Unreadable("bad-rules-line", f"line {line}: {word[:40]!a} names no pieces")
        given[name] = value
    for name in ("dim", "start"):
        if name not in given:
            raise Unreadable("bad-rules-line", f"line {line}: the rules line has no {name}")
    return Fields(given)


def _check_start(fields: Fields, line: int) -> None:
    start = fields.given["start"]
    strangers = sorted({_STRANGERS[sign] for sign in start if sign in _STRANGERS})
    if strangers:
        raise _not_ours(line, f"the start position has {' and '.join(strangers)}")
    if fields.given["dim"] not in ("9", "11"):
        raise _not_ours(line, f"dim:{ascii(fields.given['dim'][:8])[1:-1]} (9 and 11 are played)")
    if len(start.strip("/").split("/")) != int(fields.given["dim"]):
        ranks = f"the start position has not the {fields.given['dim']} ranks of dim"
        raise Unreadable("bad-rules-line", f"line {line}: {ranks}")


def _usual_places(fields: Fields, name: str) -> bool:
    """Whether ``cor`` names the four corners, or ``cen`` the centre."""
    if fields[name] == "default":
        return True
    rank, file, middle = ("9", "i", "e5") if fields.given["dim"] == "9" else ("11", "k", "f6")
    usual = {"cor": {"a1", f"a{rank}", f"{file}1", f"{file}{rank}"}, "cen": {middle}}[name]
    return {place for place in fields[name].split(",") if place} == usual


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
        if options[name] not in values:
            options[name] = values[0]
    for name, value in _extra(played, tags.get("x-options", "")).items():
        if value not in readings.get(name, (value,)):
            said = f"x-options says {name}={spelled(value)}, and the rules line another thing"
            raise Refused("rules-not-ours", f"line {line}: {said}")
        options[name] = value
    exact = [name for name, whole in sets.items() if whole == options]
    return (exact[0] if exact else base), options


def _extra(played: Game, text: str) -> dict[str, OptionValue]:
    extra = {}
    for word in text.split():
        name, _, wanted = word.partition("=")
        values = played.options[name].values if name in played.options else ()
        found = [value for value in values if spelled(value) == wanted]
        if not found or name in extra:
            raise Unreadable("bad-options", f"x-options: {word[:40]!a} is no option of tablut")
        extra[name] = found[0]
    return extra


def spelled(value: OptionValue) -> str:
    return str(value).lower() if isinstance(value, bool) else value


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
        unsaid = ", ".join(f"{n}={spelled(v)}" for n, v in options.items() if n not in _READINGS)
        notes.append(f"line {line}: {ruleset} with {', '.join(differing)}; taken over: {unsaid}")
    return tuple(notes)


def _not_ours(line: int, what: str) -> Refused:
    return Refused(
        "rules-not-ours",
        f"line {line}: no option of ours says: {what}",
        hint="the game can be imported only under rules that Tabellion plays: tabellion rules",
    )
