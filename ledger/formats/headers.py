"""The headers of a numbered text, ``; [Key "value"]``, both ways: rules, people, result.

As in backgammon's ``.mat`` files they stand in front and each stands once. In a value a quotation
mark and a backslash have a backslash before them, as in chess's PGN. Sides are called as the game
calls them: White, South.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, NoReturn
from unicodedata import normalize

from ledger import canonical
from ledger.errors import Refused, Unreadable
from ledger.formats.comparing import shown
from ledger.formats.option_words import option_of
from ledger.formats.results import Claim, Claimed, End
from ledger.games import options_of
from ledger.games.protocol import Game, OptionValue

RULESET: Final = "Ruleset"
OPTIONS: Final = "Options"
TURN_CAP: Final = "Turn cap"
RESULT: Final = "Result"
DETAILS: Final = {
    "Event": "event",
    "Round": "round",
    "Table": "table",
    "Place": "place",
    "Date": "date",
}
ARBITER: Final = "Arbiter"
MATCH: Final = "Match"
HEAD: Final = "Head"

_HEADER: Final = re.compile(r'\[([A-Za-z][A-Za-z0-9 _-]{0,39}) "((?:[^"\\]|\\["\\])*)"\]')
_ESCAPED: Final = re.compile(r'\\(["\\])')
_LONGEST: Final = 200
_LONGEST_NAME: Final = 80
_MOST_TURNS: Final = 100_000

UNFINISHED: Final = "unfinished"
_RESULT: Final = re.compile(
    r"(?:([A-Z][a-z]{0,31}) (wins|wins by forfeit)|(draw|both forfeit|annulled))"
    r" \(([a-z][a-z0-9_]{0,31})(?: ([0-9]{1,7})-([0-9]{1,7}))?\)"
)
_WORDS: Final = {
    Claimed.WIN: "wins",
    Claimed.FORFEIT: "wins by forfeit",
    Claimed.DRAW: "draw",
    Claimed.DOUBLE_FORFEIT: "both forfeit",
    Claimed.ANNULLED: "annulled",
}
_KINDS: Final = {words: kind for kind, words in _WORDS.items()}
_HINT: Final = (
    f'write ; [{RESULT} "{UNFINISHED}"], import the game, and rule on its result afterwards'
)


@dataclass(frozen=True, slots=True)
class Header:
    line: int
    text: str


def bad(line: int, what: str) -> NoReturn:
    raise Unreadable("bad-text", f"line {line}: {what}")


def sides(played: Game) -> dict[str, str]:
    """The seats of a game by the key of their header."""
    return {played.titles[seat]: seat for seat in played.seats}


def order(played: Game) -> tuple[str, ...]:
    """The keys that we know, in the order that we write them in."""
    front, back = (RULESET, OPTIONS, TURN_CAP, *DETAILS), (ARBITER, RESULT, MATCH, HEAD)
    return (*front, *sides(played), *back)


def read_header(line: int, text: str, played: Game) -> tuple[str, str]:
    """Key and value of a header line without its semicolon; a key that we know as we spell it."""
    match = _HEADER.fullmatch(text)
    if match is None:
        bad(line, f'{shown(text)} is no header; one is written ; [Event "Spring meet"]')
    key = next((known for known in order(played) if known.lower() == match[1].lower()), match[1])
    value = normalize("NFC", _ESCAPED.sub(r"\1", match[2])).strip()
    _check_value(line, key, value, _LONGEST_NAME if key in sides(played) else _LONGEST)
    return key, value


def _check_value(line: int, key: str, value: str, longest: int) -> None:
    if len(value) > longest:
        bad(line, f"{key} has {len(value)} characters; {longest} at most are taken")
    try:
        canonical.check_text(value)
    except Refused as refused:
        bad(line, refused.message)
    if "\ufeff" in value:
        bad(line, f"{key} has the invisible character U+FEFF")


def write_header(key: str, value: str) -> str:
    """The line of a header. Raises ``Refused`` (``not-writable``) for a value that could not be
    read again: one of several lines, or with an invisible character."""
    if "\n" in value or "\r" in value:
        raise Refused("not-writable", f"A header has one line; {key} has several.")
    if "\ufeff" in value:
        raise Refused("not-writable", f"{key} has the invisible character U+FEFF.")
    escaped = value.replace("\\", r"\\").replace('"', r"\"")
    return f'; [{key} "{escaped}"]'


# -- rules -----------------------------------------------------------------------------------


def read_rules(
    headers: Mapping[str, Header], played: Game
) -> tuple[str, dict[str, OptionValue], int | None]:
    """The ruleset, all options spelled out, and the turn cap. Which rules were played is not
    guessed."""
    called = played.name.capitalize()
    if RULESET not in headers:
        raise Unreadable(
            "no-ruleset",
            "No header says by which rules this was played; that is not guessed.",
            hint=f'if it was played by the defaults, add the line ; [{RULESET} "{played.name}"]',
        )
    named = headers[RULESET]
    if named.text not in played.rulesets:
        known = ", ".join(played.rulesets)
        what = f'no ruleset of {called} is called "{shown(named.text)}"; there are {known}'
        bad(named.line, what)
    options = options_of(played, played.rulesets[named.text])
    changed = headers.get(OPTIONS, Header(0, ""))
    given: dict[str, OptionValue] = {}
    for word in changed.text.split():
        found = option_of(played, word)
        if found is None:
            bad(changed.line, f"{shown(word)} is no option of {called} with one of its values")
        if found[0] in given:
            bad(changed.line, f"the option {found[0]} stands twice")
        given[found[0]] = found[1]
    return named.text, options | given, _turn_cap(headers.get(TURN_CAP))


def _turn_cap(header: Header | None) -> int | None:
    if header is None or not header.text:
        return None
    if re.fullmatch("[1-9][0-9]{0,5}", header.text) is None or int(header.text) > _MOST_TURNS:
        bad(header.line, f"{shown(header.text)} is no number of turns; 1 to {_MOST_TURNS} are")
    return int(header.text)


# -- the result ------------------------------------------------------------------------------


def read_result(header: Header | None, played: Game) -> Claim:
    """What the header says about the result; nothing without one."""
    if header is None:
        return Claim(Claimed.NOTHING)
    line, text = header.line, header.text
    if text == UNFINISHED:
        return Claim(Claimed.OPEN, line=line)
    seats, match = sides(played), _RESULT.fullmatch(text)
    if match is None or (match[1] or next(iter(seats))) not in seats or not _may_share(match):
        bad(
            line,
            f"{shown(text)} is no result; one is written {UNFINISHED},"
            f" {' wins (resigned), '.join(seats)} wins (resigned), draw (agreed)",
        )
    kind, how = _KINDS[match[2] or match[3]], match[4]
    winner = seats[match[1]] if match[1] else None
    loser = next((other for other in seats.values() if other != winner), None)
    return Claim(
        kind,
        winner,
        resigned=loser if (kind, how) == (Claimed.WIN, "resigned") else None,
        agreed=(kind, how) == (Claimed.DRAW, "agreed"),
        line=line,
        hint=_HINT,
        how=how,
        split=(int(match[5]), int(match[6])) if match[5] else None,
    )


def _may_share(match: re.Match[str]) -> bool:
    """Shares stand where the players settled, and nowhere else."""
    return match[5] is None or (match[4] == End.SETTLED.value and match[2] != "wins by forfeit")


def write_result(claim: Claim, played: Game) -> str:
    """The result in words that are read back; empty where nothing is said."""
    if claim.result in (Claimed.NOTHING, Claimed.OPEN):
        return UNFINISHED if claim.result is Claimed.OPEN else ""
    shares = f" {claim.split[0]}-{claim.split[1]}" if claim.split else ""
    whose = f"{played.titles[claim.winner]} " if claim.winner else ""
    return f"{whose}{_WORDS[claim.result]} ({claim.how}{shares})"


def in_order(headers: Mapping[str, str], played: Game) -> Iterator[str]:
    """The lines of the headers that say something, ours first."""
    known = order(played)
    keys = [*known, *(key for key in headers if key not in known)]
    return (write_header(key, headers[key]) for key in keys if headers.get(key))
