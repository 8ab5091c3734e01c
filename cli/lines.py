"""What a line typed at the table means: which command of the tree, or which act of the game."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ledger.errors import NotFound, TabellionError, Unreadable

if TYPE_CHECKING:
    from ledger.fold import MatchState

LEAVE: Final = ("quit", "exit")


def understood(words: list[str], state: MatchState | None, *, may_ask: bool) -> list[str]:
    """The command that ``words`` are: themselves, or a move or call written without one.

    Where both seats could offer, claim or resign here, it is asked who does (``may_ask``).
    Raises ``NotFound`` (``no-command``).
    """
    from cli.app import names

    if words[0].startswith("-"):
        return words
    if (known := words[0].lower().rstrip("!")) in names():
        words = [known, *words[1:]]
        return _with_seat(words, state) if may_ask and state is not None else words
    if not _is_act(words[0], state):
        raise _unknown(words[0], names())
    if state is not None and _are_dice(words, state):
        return ["roll", *words]
    whole = " ".join(words)
    if state is not None and state.game.steps:
        return ["move", whole]
    return ["move", whole] if _is_one_move(whole, state) else ["move", *words]


_DOES: Final = {"offer": "offers", "claim": "claims", "resign": "resigns"}
"""What either seat may do at any time."""


def _with_seat(words: list[str], state: MatchState) -> list[str]:
    from cli.prompting import ask
    from cli.seats import seats_here

    said = any(word.startswith(("--seat", "--key", "-k", "-h", "--help")) for word in words)
    if said or words[0] not in _DOES:
        return words
    seats = seats_here(state)
    if len(seats) < 2:
        return words
    names = [f"{number} {state.roster[seat].name}" for number, seat in enumerate(seats, start=1)]
    try:
        answer = ask(f"Who {_DOES[words[0]]}? {', '.join(names)}: ")
    except EOFError:
        return words
    choice = dict(zip("12", seats, strict=False)).get(answer)
    return [*words, "--seat", choice] if choice else words


def _is_act(word: str, state: MatchState | None) -> bool:
    """Whether a word can only be a move or a call, well written or not."""
    if re.search(r"\d", word) or state is None:
        return True
    from ledger.games.typed import kind_and_text

    return kind_and_text(state.game, state.position, word)[0] == "call"


def _are_dice(words: list[str], state: MatchState) -> bool:
    """Whether these are dice on the table that are to be written down: 3-5-2."""
    from ledger.events import Physical
    from ledger.fold.due import Step, due

    physical = isinstance(state.opening.dice, Physical)
    if not physical or due(state).step not in (Step.THROW, Step.ACT):
        return False
    if not state.game.wanted(state.position) and _is_move(" ".join(words), state):
        return False
    return re.fullmatch(r"[1-6]([-, ]?[1-6])*", " ".join(words), re.ASCII) is not None


def _is_one_move(text: str, state: MatchState | None) -> bool:
    """Whether a line with spaces is a single move: e3 f3."""
    return state is not None and " " in text and _is_move(text, state)


def _is_move(text: str, state: MatchState) -> bool:
    """Whether a text can be read as a move, legal or not."""
    try:
        state.game.read(state.position, "move", text)
    except Unreadable:
        return False
    except TabellionError:
        return True
    return True


_MEANT: Final = {
    **dict.fromkeys(("undo", "takeback", "back", "take"), "offer takeback"),
    "draw": "offer draw",
    **dict.fromkeys(("throw", "dice"), "roll"),
    "yes": "agree OFFER",
    "no": "decline OFFER",
    "surrender": "resign",
    "q": "quit",
}
"""What people type first, and what it is called here."""


def _unknown(word: str, names: list[str]) -> NotFound:
    from difflib import get_close_matches

    if meant := _MEANT.get(word.lower()):
        return NotFound("no-command", f"{word!a} is not known here.", hint=meant)
    close = get_close_matches(word, [*names, *LEAVE], n=1)
    hint = f"{close[0]}, perhaps? Otherwise: help" if close else "help"
    return NotFound("no-command", f"{word[:40]!a} is neither a move nor a command.", hint=hint)


_DICE: Final = (
    ("roll", "throw the dice, or open a roll; dice on the table: 3-5-2 as they lie"),
    ('void "cocked", confirm', "dice on the table that do not count; that count"),
    ("stats", "how the dice fell"),
)
_HELP: Final = (
    ("moves", "what may be played; Tab completes moves, commands and names"),
    ("offer draw", "a draw; the other side is asked"),
    ("offer takeback", "to take the last act back; offer takeback 7 goes back further"),
    ("resign", "the game is given up"),
    ('correct 7 --reason "mistyped"', "the arbiter takes event 7 back"),
    ('note "words"', "for the record"),
    ("log", "every event"),
    ("export -o FILE, import FILE", "copies for another device, and from it"),
    ("board, flip", "the board once more; from the other side"),
    ("lock", "forget the keys until the next signature"),
    ("quit", "leave; play goes on from here another time"),
    ("help table, help notation", "to read; all commands: --help"),
)


def say_help(state: MatchState | None) -> None:
    """The words for the table, a line each."""
    from cli.output import say

    game = state.game if state is not None else None
    dice = _DICE if game is not None and game.dice else ()
    for what, about in (*(game.words if game else ()), *dice, *_HELP):
        say(f"{what}  {about}", hang=4)
