"""What the commands tell: plain values for text and for ``--json``, from the fold alone.

Text on the terminal is made from the same values as ``--json``, so that both say the same.
"""

from ledger.views.shapes import (
    ActionView,
    BoardView,
    CheckView,
    InitView,
    KeysView,
    KeyView,
    ListView,
    LogLine,
    LogView,
    MatchLine,
    MovesView,
    OptionView,
    RulesetView,
    RulesView,
    SeatView,
    ShowView,
    WrittenEvent,
    WrittenView,
)
from ledger.views.telling import (
    about,
    log,
    moves,
    next_step,
    rules,
    show,
    written,
)

__all__ = [
    "ActionView",
    "BoardView",
    "CheckView",
    "InitView",
    "KeyView",
    "KeysView",
    "ListView",
    "LogLine",
    "LogView",
    "MatchLine",
    "MovesView",
    "OptionView",
    "RulesView",
    "RulesetView",
    "SeatView",
    "ShowView",
    "WrittenEvent",
    "WrittenView",
    "about",
    "log",
    "moves",
    "next_step",
    "rules",
    "show",
    "written",
]
