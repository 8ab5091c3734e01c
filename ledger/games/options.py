"""The options of a match, checked against those that its game has."""

from __future__ import annotations

from collections.abc import Mapping

from ledger.errors import Unreadable
from ledger.games.protocol import Option, OptionValue


def checked(
    game: str, known: Mapping[str, Option], options: Mapping[str, OptionValue]
) -> tuple[OptionValue, ...]:
    """All option values in the order of ``known``; every option must be spelled out.

    Every combination of known values is well defined, so each value is checked by itself. Types
    are compared as well as values: JSON's ``1`` is not ``true``. Raises ``Unreadable``.
    """
    for name in options:
        if name not in known:
            raise Unreadable(
                "unknown-option",
                f"{game} has no option {_shown(name)}.",
                hint="options: " + ", ".join(known),
            )
    return tuple(_checked_value(option, options) for option in known.values())


def _checked_value(option: Option, options: Mapping[str, OptionValue]) -> OptionValue:
    if option.name not in options:
        raise Unreadable("missing-option", f"The option {option.name} is missing.")
    given = options[option.name]
    for value in option.values:
        if type(value) is type(given) and value == given:
            return value
    choices = ", ".join(str(value).lower() for value in option.values)
    raise Unreadable(
        "impossible-option",
        f"{option.name} cannot be {_shown(given)}.",
        hint=f"{option.name} is one of: {choices}",
    )


def _shown(given: object) -> str:
    """A foreign value, short and in ASCII, for a message."""
    if isinstance(given, str):
        return ascii(given[:32])
    if isinstance(given, bool):
        return str(given).lower()
    return f"a value of type {type(given).__name__}"
