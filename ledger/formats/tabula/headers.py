"""The headers of a Tabula text, ``; [Key "value"]``, both ways: rules, people, result.

As in backgammon's ``.mat`` files they stand in front and each stands once. In a value a quotation
mark and a backslash have a backslash before them, as in chess's PGN.
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
from ledger.formats.results import Claim, Claimed
from ledger.games import game, options_of
from ledger.games.protocol import OptionValue

GAME: Final = "tabula"
RULESET: Final = "Ruleset"
OPTIONS: Final = "Options"
RESULT: Final = "Result"
DETAILS: Final = {
    "Event": "event",
    "Round": "round",
    "Table": "table",
    "Place": "place",
    "Date": "date",
}
SEATS: Final = {"White": "white", "Black": "black"}
ARBITER: Final = "Arbiter"
MATCH: Final = "Match"
HEAD: Final = "Head"
ORDER: Final = (RULESET, OPTIONS, *DETAILS, *SEATS, ARBITER, RESULT, MATCH, HEAD)
"""The keys that we know, in the order that we write them in."""

_HEADER: Final = re.compile(r'\[([A-Za-z][A-Za-z0-9 _-]{0,39}) "((?:[^"\\]|\\["\\])*)"\]')
_ESCAPED: Final = re.compile(r'\\(["\\])')
_KNOWN: Final = {key.lower(): key for key in ORDER}
_LONGEST: Final = 200
_LONGEST_NAME: Final = 80

UNFINISHED: Final = "unfinished"
_WIN: Final = re.compile(r"(White|Black) wins( by forfeit)? \(([a-z][a-z0-9_]{0,31})\)")
_OTHER: Final = re.compile(r"(draw|both forfeit|annulled) \(([a-z][a-z0-9_]{0,31})\)")
_WORDS: Final = {
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


def read_header(line: int, text: str) -> tuple[str, str]:
    """Key and value of a header line without its semicolon; a key that we know as we spell it."""
    match = _HEADER.fullmatch(text)
    if match is None:
        bad(line, f'{shown(text)} is no header; one is written ; [Event "Spring meet"]')
    key = _KNOWN.get(match[1].lower(), match[1])
    value = normalize("NFC", _ESCAPED.sub(r"\1", match[2])).strip()
    _check_value(line, key, value)
    return key, value


def _check_value(line: int, key: str, value: str) -> None:
    longest = _LONGEST_NAME if key in SEATS else _LONGEST
    if len(value) > longest:
        bad(line, f"{key} has {len(value)} characters; {longest} at most are taken")
    try:
        canonical.check_text(value)
    except Refused as refused:
        bad(line, refused.message)
    if "\ufeff" in value:
        bad(line, f"{key} has the invisible character U+FEFF")


def write_header(key: str, value: str) -> str:
    """The line of a header. Raises ``Refused`` (``not-writable``) for a value of several lines."""
    if "\n" in value or "\r" in value:
        raise Refused("not-writable", f"A header has one line; {key} has several.")
    escaped = value.replace("\\", r"\\").replace('"', r"\"")
    return f'; [{key} "{escaped}"]'


# -- rules -----------------------------------------------------------------------------------


def read_rules(headers: Mapping[str, Header]) -> tuple[str, dict[str, OptionValue]]:
    """The ruleset and all options, spelled out. Which rules were played is not guessed."""
    played = game(GAME)
    if RULESET not in headers:
        raise Unreadable(
            "no-ruleset",
            "No header says by which rules this was played; that is not guessed.",
            hint=f'if it was played by the defaults, add the line ; [{RULESET} "{GAME}"]',
        )
    named = headers[RULESET]
    if named.text not in played.rulesets:
        known = ", ".join(played.rulesets)
        bad(named.line, f'no ruleset of Tabula is called "{shown(named.text)}"; there are {known}')
    options = options_of(played, played.rulesets[named.text])
    changed = headers.get(OPTIONS, Header(0, ""))
    given: dict[str, OptionValue] = {}
    for word in changed.text.split():
        found = option_of(played, word)
        if found is None:
            bad(changed.line, f"{shown(word)} is no option of Tabula with one of its values")
        if found[0] in given:
            bad(changed.line, f"the option {found[0]} stands twice")
        given[found[0]] = found[1]
    return named.text, options | given


# -- the result ------------------------------------------------------------------------------


def read_result(header: Header | None) -> Claim:
    """What the header says about the result; nothing without one."""
    if header is None:
        return Claim(Claimed.NOTHING)
    line, text = header.line, header.text
    if text == UNFINISHED:
        return Claim(Claimed.OPEN, line=line)
    if match := _WIN.fullmatch(text):
        seat = SEATS[match[1]]
        loser = next(other for other in SEATS.values() if other != seat)
        kind = Claimed.FORFEIT if match[2] else Claimed.WIN
        resigned = loser if kind is Claimed.WIN and match[3] == "resigned" else None
        return Claim(kind, seat, resigned, how=match[3], line=line, hint=_HINT)
    if match := _OTHER.fullmatch(text):
        agreed = match[1] == "draw" and match[2] == "agreed"
        return Claim(_KINDS[match[1]], agreed=agreed, how=match[2], line=line, hint=_HINT)
    bad(
        line,
        f"{shown(text)} is no result; one is written {UNFINISHED}, White wins (borne_off),"
        " Black wins (resigned), draw (agreed)",
    )


def write_result(claim: Claim) -> str:
    """The result in words that are read back; empty where nothing is said."""
    if claim.result in (Claimed.NOTHING, Claimed.OPEN):
        return UNFINISHED if claim.result is Claimed.OPEN else ""
    how = f"({claim.how})"
    for title, seat in SEATS.items():
        if claim.winner == seat:
            return f"{title} wins{' by forfeit' * (claim.result is Claimed.FORFEIT)} {how}"
    return f"{_WORDS[claim.result]} {how}"


def in_order(headers: Mapping[str, str]) -> Iterator[str]:
    """The lines of the headers that say something, ours first."""
    keys = [*ORDER, *(key for key in headers if key not in ORDER)]
    return (write_header(key, headers[key]) for key in keys if headers.get(key))
