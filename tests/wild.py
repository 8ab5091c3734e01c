"""Data of any event, well-formed and senseless: what a hostile hand could sign."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, get_type_hints

import msgspec
from msgspec import inspect

from ledger import canonical
from ledger.events import EVENT_TYPES

TEXTS = (
    *("x", "e3-f3", "Ke5-e5", "c1-c4 d7-d2", "4a-c", "raichi", "hand/1", "castles", "e3-e3xe3"),
    *("/3ttt3/9/9/9/9/9/9/9/3ttt3/ s", "7777711 16,13 0 0 north throw", "4277661 13,16 0 0 south"),
    *("W h15 b0 o0 - | B h15 b0 o0 - | -", "W h1 b1 o1 1:1 | B h9 b9 o9 9:9 | W", "0" * 200),
    *(
        "9" * 1000,
        "9999999999 99,99 9 9 south over",
        "\u05d0\u05d1 \u0633",
        "a\u200fb",
        "\u0130\u00df",
    ),
    *("{0} %s \\ / ..", "<b>&amp;</b>", "\U0001f3b2" * 40, "1,1", "None", "-0", "1e9:1e9"),
)
ROLES = (
    *("swedes", "muscovites", "white", "black", "south", "north", "arbiter", "appeal", "witness1"),
    *("witness", "witness9", "seat", "nobody", "a"),
)


class Wild:
    """``hashes``, ``keys``: what the match knows of these, beside others."""

    def __init__(self, lot: Random, hashes: list[str], keys: list[str], numbers: list[int]) -> None:
        self.lot = lot
        self.numbers = [*numbers * 3, 0, 1, 2, 6, 36, 2**32 - 1, canonical.MAX_INTEGER]
        self.texts: Mapping[int, list[str]] = {
            64: [*hashes, "0" * 64, "f" * 64],
            32: ["0" * 32, "f" * 32],
            128: ["0" * 128, "f" * 128, "01" * 64],
            68: [*keys, "ssh-ed25519 " + "A" * 68],
        }
        """By the length that a pattern asks for."""

    def data(self, kind: str) -> Any:
        return self._value(inspect.type_info(get_type_hints(EVENT_TYPES[kind])["data"]))

    def _value(self, info: Any) -> Any:
        lot = self.lot
        match info:
            case inspect.Metadata(type=plain):
                return self._value(plain)
            case inspect.StructType():
                fields = [each for each in info.fields if each.required or lot.random() < 0.5]
                return info.cls(**{each.name: self._value(each.type) for each in fields})
            case inspect.UnionType():
                return self._value(lot.choice(info.types))
            case inspect.VarTupleType():
                least = info.min_length or 0
                count = lot.choice([least, 1, 1, 1, 2, 3, info.max_length or 40])
                return tuple(self._value(info.item_type) for _ in range(max(least, count)))
            case inspect.TupleType():
                return tuple(self._value(each) for each in info.item_types)
            case inspect.DictType():
                count = lot.choice([0, 2, 5])
                return {
                    self._value(info.key_type): self._value(info.value_type) for _ in range(count)
                }
            case inspect.IntType():
                within = [n for n in self.numbers if (info.ge or 0) <= n <= (info.le or n)]
                return lot.choice(within)
            case inspect.LiteralType():
                return lot.choice(info.values)
            case inspect.BoolType():
                return lot.random() < 0.5
            case inspect.StrType():
                return self._text(info)
        assert isinstance(info, inspect.NoneType), info
        return None

    def _text(self, info: Any) -> str:
        pattern = info.pattern or ""
        for length, known in self.texts.items():
            if f"{{{length}}}" in pattern:
                return self.lot.choice(known)
        if "[a-z][a-z0-9" in pattern:
            return self.lot.choice(ROLES)
        return self.lot.choice(TEXTS)[: info.max_length or 99]


def formed(build: Callable[[], Any]) -> Any | None:
    """What is built, unless it is not of the form of its type."""
    try:
        found = build()
        return msgspec.convert(msgspec.to_builtins(found), type(found), strict=True)
    except msgspec.ValidationError:
        return None
