"""Tabula's open points as named options, and the rulesets made of them.

The source is one page. Each point where it had to be read is an option whose default comes first;
a ruleset is nothing but the options it changes. Reasons are given to players by ``tabellion
rules``; the full wording is in the ruling document ``tabula-1``.
"""

from __future__ import annotations

from collections.abc import Mapping

from ledger.games.protocol import Option, Ruleset

_OPTIONS = (
    Option(
        "second_half",
        ("closed", "open"),
        "The source keeps checkers out of the second half until all the others have been entered:"
        " nothing crosses from 12 to 13 while the hand is not empty. 'open': no such rule, as in"
        " Bell and Finkel.",
    ),
    Option(
        "bear_off",
        ("exact", "overshoot"),
        "The source bears off with the number of the checker's own point. 'overshoot': a larger"
        " number bears off too, from the rearmost occupied point only, as in backgammon.",
    ),
    Option(
        "home",
        ("finishing", "second_half"),
        "The source begins bearing off once all fifteen are in the finishing table, 19 to 24."
        " 'second_half': once all are in 13 to 24.",
    ),
    Option(
        "single_die",
        ("free", "highest"),
        "The source asks for all three numbers if possible and does not say which must be played"
        " when not all can. 'highest': where exactly one can be, it must be the highest of those"
        " that can.",
    ),
    Option(
        "win_ends_turn",
        (True, False),
        "The first to bear off all fifteen wins, so that turn is complete with whatever it used."
        " false: even so it must use as many dice as it can.",
    ),
)

OPTIONS: Mapping[str, Option] = {option.name: option for option in _OPTIONS}

_RULESETS = (
    Ruleset("tabula", 1, "Tabula after the Tabula Rulebook"),
    Ruleset(
        "tabula-open", 1, "Tabula with an open second half (Bell, Finkel)", {"second_half": "open"}
    ),
    Ruleset(
        "tabula-bgammon",
        1,
        "Tabula as the server bgammon plays it",
        {"home": "second_half", "single_die": "highest", "win_ends_turn": False},
    ),
)

RULESETS: Mapping[str, Ruleset] = {ruleset.name: ruleset for ruleset in _RULESETS}
