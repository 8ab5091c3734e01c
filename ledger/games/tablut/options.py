"""Tablut's open points as named options, and the rulesets made of them.

The source is short and contradicts itself once. Each point where it had to be read is an option
whose default comes first; a ruleset is nothing but the options it changes. Reasons are given to
players by ``tabellion rules``; the full wording is in the ruling document ``tablut-1``.
"""

from __future__ import annotations

from collections.abc import Mapping

from ledger.games.protocol import Option, Ruleset

_OPTIONS = (
    Option(
        "first",
        ("swedes", "muscovites"),
        "The source lets the Swedes move first; most clubs let the attackers begin.",
    ),
    Option(
        "konakis_pass",
        ("all", "king", "none"),
        "The source lets the other pieces cross the konakis as long as they do not stop on it.",
    ),
    Option(
        "konakis_stop",
        ("king", "never"),
        "Only the king may be placed on the konakis, and nothing in the source bars his return.",
    ),
    Option(
        "konakis_hostile",
        ("empty", "linnaean", "always", "never"),
        "The konakis captures as if a piece of one's own stood on it, to both sides while it is"
        " empty. 'linnaean': also against the fourth neighbour, a Swede, of a king on it who has"
        " three Muscovites round him. 'always': also against Swedes while the king is on it.",
    ),
    Option(
        "corner_stop",
        ("king", "all"),
        "Corners are the king's goal: four Muscovites could end the game by standing on them.",
    ),
    Option(
        "corner_hostile",
        (True, False),
        "The source lets an empty corner capture as if a piece of one's own stood on it.",
    ),
    Option(
        "king_armed",
        (True, False),
        "The king is one of the Swedish pieces and captures like them. false: he never takes part"
        " in a capture.",
    ),
    Option(
        "king_capture",
        ("four", "edge_three", "two_away"),
        "The source asks for Muscovites on all four sides, or on three if the fourth is the"
        " konakis, so he is safe on the edge. 'edge_three': on the edge three are enough."
        " 'two_away': away from the konakis two are enough, as for any piece.",
    ),
    Option(
        "captures",
        ("each_direction", "single"),
        "One sentence of the source says one piece a move, a later and more particular one says"
        " all of them: one in each direction. 'single': one only, and the mover names it.",
    ),
    Option(
        "goal",
        ("corners", "clear_edge", "edge"),
        "The source sends the king to a corner; elsewhere, it says, any edge square does that held"
        " no Muscovite at the start (clear_edge). 'edge': any edge square.",
    ),
    Option(
        "calls",
        ("edge", "goal", "off"),
        "A free way to the edge must be called: one is raichi, two are tuichi. 'goal': the goal"
        " squares that the king can reach with his next move are counted instead.",
    ),
    Option(
        "tuichi_wins",
        (False, True),
        "The source remarks that two free ways have won; by the default the king still walks"
        " there. true: the game ends at once.",
    ),
    Option(
        "no_moves",
        ("loses", "draws"),
        "The source is silent; in nearly every published rule of this family the side that cannot"
        " move has lost.",
    ),
    Option(
        "repetition",
        ("claim", "draw", "off", "swedes_lose", "second_since_capture"),
        "The source is silent. 'claim': at the third occurrence either player may claim a draw;"
        " 'draw': it is one at once; 'swedes_lose': it is lost for the Swedes;"
        " 'second_since_capture': the second occurrence since the last capture is a draw at once.",
    ),
    Option(
        "camps",
        (False, True),
        "Computer tournaments close the Muscovites' start squares to everyone but a Muscovite who"
        " still stands there, and let them capture.",
    ),
    Option(
        "board",
        ("tablut", "hnefatafl", "tawlbwrdd"),
        "Size and start position only: the source supposes that the larger games were played by"
        " the same rules.",
    ),
)

OPTIONS: Mapping[str, Option] = {option.name: option for option in _OPTIONS}

_RULESETS = (
    Ruleset("tablut", 1, "Tablut after Oriol Comas: corners"),
    Ruleset("tablut-edge", 1, "Tablut after Oriol Comas: clear edge", {"goal": "clear_edge"}),
    Ruleset(
        "tablut-linnaeus",
        1,
        "Tablut as most clubs play it, after Linnaeus",
        {
            "first": "muscovites",
            "goal": "edge",
            "konakis_stop": "never",
            "konakis_hostile": "linnaean",
            "corner_stop": "all",
            "corner_hostile": False,
            "king_capture": "two_away",
            "no_moves": "draws",
        },
    ),
    Ruleset(
        "tablut-ashton",
        1,
        "Tablut of the computer tournaments, after Ashton",
        {
            "goal": "edge",
            "konakis_pass": "none",
            "konakis_stop": "never",
            "konakis_hostile": "always",
            "corner_stop": "all",
            "corner_hostile": False,
            "king_capture": "two_away",
            "repetition": "second_since_capture",
            "camps": True,
        },
    ),
    Ruleset("hnefatafl", 1, "Hnefatafl, 11×11, by the rules of tablut", {"board": "hnefatafl"}),
    Ruleset("tawlbwrdd", 1, "Tawlbwrdd, 11×11, by the rules of tablut", {"board": "tawlbwrdd"}),
)

RULESETS: Mapping[str, Ruleset] = {ruleset.name: ruleset for ruleset in _RULESETS}
