"""The fields of a rules line in OpenTafl notation, and what each says in our options.

A reading is the values of an option that the fields leave open, the plainest first. A field that
no option expresses is named and refused, never guessed. Of piece lists only plain pieces (t, T)
and the king (K) matter: there are no others here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from ledger.errors import Refused, Unreadable
from ledger.games.protocol import OptionValue

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


READINGS: Final[Mapping[str, tuple[tuple[str, ...], Callable[[Fields], Values]]]] = {
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


def read_fields(text: str, line: int) -> Fields:
    """The fields of a rules line, each once and each known. Raises ``Unreadable``."""
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


def readings_of(fields: Fields, line: int) -> dict[str, tuple[OptionValue, ...]]:
    """The values that the fields leave open, by option.

    Raises ``Refused`` (``rules-not-ours``) naming every field that no option expresses.
    """
    readings = {name: read(fields) for name, (_, read) in READINGS.items()}
    unknown = {
        field: None
        for name, (names, _) in READINGS.items()
        if readings[name] is None
        for field in names
    } | {field: None for field, holds in _NEEDED.items() if not holds(fields)}
    if unknown:
        raise not_ours(line, ", ".join(fields.shown(name) for name in unknown))
    return {name: values for name, values in readings.items() if values is not None}


def _usual_places(fields: Fields, name: str) -> bool:
    """Whether ``cor`` names the four corners, or ``cen`` the centre."""
    if fields[name] == "default":
        return True
    rank, file, middle = ("9", "i", "e5") if fields.given["dim"] == "9" else ("11", "k", "f6")
    usual = {"cor": {"a1", f"a{rank}", f"{file}1", f"{file}{rank}"}, "cen": {middle}}[name]
    return {place for place in fields[name].split(",") if place} == usual


def not_ours(line: int, what: str) -> Refused:
    return Refused(
        "rules-not-ours",
        f"line {line}: no option of ours says: {what}",
        hint="the game can be imported only under rules that Tabellion plays: tabellion rules",
    )
