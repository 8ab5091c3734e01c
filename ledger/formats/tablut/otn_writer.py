"""A ``Transcript`` written in OpenTafl notation, so that reading it again gives the same.

What the notation cannot say goes to ``[x-ruleset:…]`` and ``[x-options:…]``; attempts, boards and
notes have no place in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import zip_longest
from typing import Final

from ledger.errors import Refused
from ledger.formats.option_words import write_changes
from ledger.formats.tablut.opentafl import DETAILS, SEATS, quoted
from ledger.formats.tablut.otn_fields import EVERY_PIECE
from ledger.formats.transcript import (
    Claim,
    Claimed,
    Comment,
    Origin,
    Ply,
    Transcript,
    by_place,
)
from ledger.games import game
from ledger.games.protocol import OptionValue

_OTHER_SIGNS: Final = str.maketrans("[]|", "()/")


def write(transcript: Transcript) -> str:
    """The game in OpenTafl notation; read again it says the same, but for line numbers.

    Raises ``Refused`` (``not-writable``) for words with brackets or bars in them.
    """
    played = game("tablut")
    options, start = transcript.options, transcript.start
    board = played.position(played.start(options)).partition(" ")[0]
    first = str(options["first"])
    rules = _rules_line(transcript.ruleset, options, board)
    tags = {tag: transcript.details.get(name, "") for tag, name in DETAILS.items()}
    tags |= {tag: transcript.players.get(seat, "") for tag, seat in SEATS.items()}
    tags |= {"result": _result(transcript.claim), "termination": _termination(transcript.claim)}
    tags |= {"x-ruleset": transcript.ruleset}
    tags |= {"x-options": write_changes(played, transcript.ruleset, options), **transcript.tags}
    tags |= {"start-comment": _words(transcript, 0)}
    tags |= {"position": start.partition(" ")[0] if start else "", "rules": rules}
    head = "".join(f"[{name}:{_plain(text)}]\n" for name, text in tags.items() if text)
    skipped = start is not None and not first.startswith(start[-1])
    return f"{head}\n{''.join(_turns(transcript, skipped))}"


def _turns(transcript: Transcript, skipped: bool) -> Iterator[str]:
    words = [(_move(ply), _words(transcript, n)) for n, ply in enumerate(transcript.plies, 1)]
    halves = [("...", ""), *words] if skipped else words
    for turn, (one, two) in enumerate(zip_longest(halves[::2], halves[1::2]), 1):
        second = two or ("", "")
        yield f"{turn}. {one[0]} {second[0]}".rstrip() + "\n"
        if one[1] or second[1]:
            yield f"[{one[1]}|{second[1]}]\n" if two else f"[{one[1]}]\n"


def _move(ply: Ply) -> str:
    return ply.move + ("++" if ply.ends else "")


def _words(transcript: Transcript, after: int) -> str:
    found = " ".join(each.text for each in transcript.comments if each.after == after)
    if "|" in found:
        raise Refused("not-writable", f"OpenTafl notation has no place for {quoted(found)}.")
    return _plain(found)


def _plain(text: str) -> str:
    if set(text) & set("[]\n\r"):
        raise Refused("not-writable", f"OpenTafl notation has no place for {quoted(text)}.")
    return text


def of_match(transcript: Transcript, origin: Origin) -> str:
    """A match of ours, which can be found again by its id and its last hash. Comments are ours as
    well, so their brackets and bars may become others; a name is never changed."""
    left_out = (Comment(0, 0, origin.left_out),) if origin.left_out else ()
    said = by_place((*left_out, *transcript.comments))
    words = {
        after: "; ".join(each.text.rstrip(".") for each in found) for after, found in said.items()
    }
    comments = (Comment(after, 0, _tamed(text)) for after, text in words.items())
    tags = {"x-match": origin.match, "x-head": origin.head}
    return write(replace(transcript, tags=tags, comments=tuple(comments)))


def _tamed(text: str) -> str:
    return " ".join(text.translate(_OTHER_SIGNS).split())


def _result(claim: Claim) -> str:
    if claim.result is Claimed.WIN:
        return "1" if claim.winner == "muscovites" else "-1"
    if claim.result in (Claimed.FORFEIT, Claimed.DOUBLE_FORFEIT, Claimed.ANNULLED):
        raise Refused("not-writable", f"OpenTafl notation has no place for {claim.result.value}.")
    return "0" if claim.result is Claimed.DRAW else "?"


def _termination(claim: Claim) -> str:
    if claim.words or claim.resigned is None:
        return claim.words or ("draw agreed" if claim.agreed else "")
    return f"{'Black' if claim.resigned == 'muscovites' else 'White'} resigns"


def _rules_line(ruleset: str, options: Mapping[str, OptionValue], start: str) -> str:
    """The rules line of these options, every field written out, from ``start``, a board.

    What it cannot say is left to ``x-ruleset`` and ``x-options``: camps, calls, single captures,
    stuck sides, and the finer values of a field.
    """
    corners = options["corner_stop"] == "king" or options["corner_hostile"]
    corners = corners or options["goal"] == "corners"
    hostile = options["konakis_hostile"]
    fields = {
        "dim": str(len(start.strip("/").split("/"))),
        "name": ruleset,
        "esc": "c" if options["goal"] == "corners" else "e",
        "surf": "n",
        "atkf": "y" if options["first"] == "muscovites" else "n",
        "tfr": "d" if options["repetition"] in ("claim", "draw") else "i",
        "ka": "y" if options["king_armed"] else "n",
        "ks": "c" if options["king_capture"] == "two_away" else "s",
        "nj": "n",
        "cj": "n",
        "cor": "default" if corners else "",
        "cens": "K" if options["konakis_stop"] == "king" else "",
        "cenp": {"all": EVERY_PIECE, "king": "K", "none": ""}[str(options["konakis_pass"])],
        "cenh": "TCNKM" if hostile == "always" else "",
        "cenhe": "K" if hostile == "never" else EVERY_PIECE,
        "corh": EVERY_PIECE if options["corner_hostile"] else "",
        "corp": "K",
        "cors": "K" if options["corner_stop"] == "king" else EVERY_PIECE,
    }
    if fields["cor"] == "default":
        del fields["cor"]
    return " ".join(f"{name}:{value}" for name, value in (*fields.items(), ("start", start)))
