"""Tablero's open points as named options, and the rulesets made of them.

Each point where the source can be read in more than one way, or where published rules differ, is
an option whose default comes first; a ruleset is nothing but the options it changes. Reasons are
given to players by ``tabellion rules``; the full wording is in the ruling document ``tablero-1``.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from msgspec import Struct

from ledger.games.options import checked
from ledger.games.protocol import Option, OptionValue, Ruleset

_OPTIONS = (
    Option(
        "baseline_formations",
        (True, False),
        "The source does not say that coins on a Baseline are no Formation, so they are one: for a"
        " Pull, a Wager, a Run and to redeem a Wager. The first throw that is moved then always"
        " leaves a Pull. false: rows 1 and 7 do not count, as in all other published rules.",
    ),
    Option(
        "pull",
        ("whole", "part"),
        "The source takes a Formation from the board: the whole of it. 'part': any two or more"
        " neighbouring coins of it.",
    ),
    Option(
        "wager_over_seven",
        (True, False),
        "The source sets the Wager to the longest Formation and two, without an end: at six or"
        " seven in a row it is 8 or 9 and can never be redeemed. false: such a Wager is not"
        " offered.",
    ),
    Option(
        "empty_board_wager",
        ("2", "3"),
        "Where no Formation stands the longest is none, so the Wager is 2. '3': a lone coin counts"
        " as one.",
    ),
    Option(
        "diablo",
        ("automatic", "called"),
        "A Pass Number acts by itself. 'called': the source's variant; it is an ordinary throw"
        " unless the opponent calls Diablo before the second coin has moved. Each coin's move is"
        " then an event of its own, and the order of the ledger decides.",
    ),
    Option(
        "run",
        ("at_risk", "banked"),
        "In a Run the opponent adds two coins after every throw, and a Pass Number takes them with"
        " the seven. 'banked', as in other texts: two are staked before every throw, and once it"
        " was safe they are the runner's for good.",
    ),
    Option(
        "unplayable",
        ("keep", "pass"),
        "A die that no coin can move is disregarded, and the dice do not pass. 'pass', as in other"
        " texts: if both dice cannot be played together no coin moves and the dice pass, a standing"
        " Wager with them.",
    ),
    Option(
        "first",
        ("high", "low"),
        "The higher die begins. 'low': the lower one.",
    ),
)

OPTIONS: Mapping[str, Option] = {option.name: option for option in _OPTIONS}

_RULESETS = (
    Ruleset("tablero", 1, "El Tablero de Jesús after the box of 1971: Baselines make Formations"),
    Ruleset(
        "tablero-event",
        1,
        "El Tablero de Jesús as most events play it: Baselines make no Formation",
        {"baseline_formations": False, "wager_over_seven": False},
    ),
)

RULESETS: Mapping[str, Ruleset] = {ruleset.name: ruleset for ruleset in _RULESETS}


class Rules(Struct, frozen=True):
    """One set of options, as play asks for them."""

    baselines: bool
    """Rows 1 and 7 count for Formations."""
    part: bool
    over_seven: bool
    lone: int
    """What a board without a Formation counts for the Wager."""
    called: bool
    banked: bool
    passes: bool
    """What cannot be played passes the dice."""
    low: bool


@lru_cache(maxsize=256)
def _rules_of(values: tuple[OptionValue, ...]) -> Rules:
    option = dict(zip(OPTIONS, values, strict=True))
    return Rules(
        baselines=bool(option["baseline_formations"]),
        part=option["pull"] == "part",
        over_seven=bool(option["wager_over_seven"]),
        lone=1 if option["empty_board_wager"] == "3" else 0,
        called=option["diablo"] == "called",
        banked=option["run"] == "banked",
        passes=option["unplayable"] == "pass",
        low=option["first"] == "low",
    )


def rules_for(options: Mapping[str, OptionValue]) -> Rules:
    """The rules of fully spelled options. Raises ``Unreadable`` for unusable ones."""
    return _rules_of(checked("tablero", OPTIONS, options))
