"""``VERIFY.md``: how a stranger checks this match with the tools that every system has.

The texts lie beside this module: ``verify.md``, ``dice.md``, ``ready.sh`` with which every block
after the first begins, so that none judges what is not there, and ``functions.sh`` for the commands
of the dice. What a person has written goes into one block of plain text, behind a role: there no
Markdown is read. Commands are given hashes, numbers and roles only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Final

from ledger.bundling.holders import Holder, holders, plain
from ledger.bundling.shares import Share, Throw, throws
from ledger.envelope import PAYLOAD_TYPE
from ledger.events import CommitReveal, Physical
from ledger.fold import MatchState
from ledger.fold.parts import ARBITER, Roll
from ledger.record import FORMAT

_PLACE: Final = re.compile("@([A-Z_]+)@")


def instructions(state: MatchState, page: bytes) -> bytes:
    """The text for this match, beside this page. The same match and page give the same bytes."""
    made = throws(state)
    one = next((entry.event for entry in state.entries if entry.event.by != ARBITER), None)
    seq, role = (one.seq, one.by) if one else (0, ARBITER)
    places = {
        "MATCH": state.match,
        "HEAD": state.head,
        "EVENTS": f"{len(state.entries)} event{'s' * (len(state.entries) > 1)}",
        "TOTAL": str(len(state.entries)),
        "READY": _commands("ready.sh"),
        "HOLDERS": "\n".join(_holders(state)),
        "FORMAT": FORMAT,
        "TYPE": PAYLOAD_TYPE,
        "LENGTH": str(len(PAYLOAD_TYPE)),
        "ONE": str(seq),
        "ONE_ROLE": f"`{role}`",
        "ONE_KEY": _key_file(state, role, seq),
        "DICE": _dice(state, made) if made else f"## 5. The dice\n\n{_without(state)}",
        "DICE_PROVEN": ", and that the dice follow from numbers promised before" if made else "",
        "LAST": "7" if made else "6",
        "PAGE": sha256(page).hexdigest(),
    }
    return _filled(_text("verify.md"), places).encode()


def _holders(state: MatchState) -> Iterator[str]:
    """A line for each; the name comes last, so that it cannot be taken for anything else."""
    rows = [(*_held(holder), plain(holder.party.name)) for holder in holders(state)]
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for *cells, name in rows:
        columns = (cell.ljust(width) for cell, width in zip(cells, wide, strict=False) if width)
        yield "  ".join((*columns, name))


def _held(holder: Holder) -> tuple[str, str, str, str]:
    """Who, since when if not from the opening on, and by which key."""
    key = holder.party.key
    since = f"since event {holder.since}" if holder.since else ""
    file, known = (holder.path, key.fingerprint) if key else ("no key: the arbiter writes", "")
    return holder.party.role, since, file, known


def _key_file(state: MatchState, role: str, seq: int) -> str:
    held = [each for each in holders(state) if each.party.role == role]
    return _since(held, seq).path


def _since(held: list[Holder], seq: int) -> Holder:
    return [each for each in held if each.since < max(seq, 1)][-1]


def _dice(state: MatchState, made: tuple[Throw, ...]) -> str:
    roll, shares = made[0]
    unmade = "\n".join(_unmade(state, made))
    places = {
        "ROLL": str(roll.number),
        "THROWN": str(roll.thrown),
        "SHARES": "\n".join(map(_told, shares)),
        "READY": _commands("ready.sh"),
        "FUNCTIONS": _commands("functions.sh"),
        "CHECKS": "\n".join(_check(roll, share) for share in shares),
        "NUMBER": f"{roll.number:08x}",
        "COUNT": f"{len(shares):02x}",
        "NUMBERS": "".join(f"{share.seat:02x}${{{_variable(share)}}}" for share in shares),
        "WANTED": str(len(roll.dice)),
        "FACES": _faces(roll),
        "UNMADE": f"\n{unmade}\n" if unmade else "",
        "ROLLS": "\n".join(map(_row, made)),
        "MADE": str(len(made)),
    }
    return _filled(_text("dice.md"), places).removesuffix("\n")


def _told(share: Share) -> str:
    return (
        f"- `{share.role}` (seat {share.seat} in the hashes) was bound by event {share.bound} and "
        f"opened by event {share.opened}."
    )


def _check(roll: Roll, share: Share) -> str:
    name, number = _variable(share), roll.number
    return (
        f"{name}=$(opened {number} {share.opened})\n"
        f'[ "$(promise "{number:08x}{share.seat:02x}${name}")" = '
        f'"$(bound {number} {share.bound})" ] ||\n'
        f'  bad "the number of event {share.opened} is not the one that event {share.bound} '
        'promised"'
    )


def _variable(share: Share) -> str:
    return f"nonce{share.seat}"


def _row(throw: Throw) -> str:
    roll, shares = throw
    bound = " ".join(f"{share.seat:02x}:{share.bound}:{share.opened}" for share in shares)
    return f"{roll.number} {len(roll.dice)} {_faces(roll)} {roll.thrown} {bound}"


def _faces(roll: Roll) -> str:
    return "-".join(map(str, roll.dice))


def _unmade(state: MatchState, made: tuple[Throw, ...]) -> Iterator[str]:
    """The other rolls of the match, where nothing can be computed."""
    computed = {throw.roll.number for throw in made}
    for roll in state.rolling.rolls:
        if roll.awarded:
            yield (
                f"Roll {roll.number} was not opened by all: that it fell {_faces(roll)} is what "
                f"event {roll.seq} ruled."
            )
        elif roll.number not in computed:
            yield f"Roll {roll.number} was written down by event {roll.thrown}."
    awarded = {roll.number for roll in state.rolling.rolls if roll.awarded}
    for each in state.rolling.unopened:
        if each.number not in awarded:
            yield f"Roll {each.number} was thrown and not opened by all: it has no dice."
    if state.rolling.flight is not None:
        yield f"Roll {state.rolling.number} is thrown and not opened by all yet."


def _without(state: MatchState) -> str:
    """Why there is nothing to compute."""
    match state.opening.dice:
        case None:
            return "This game is played without dice: there is nothing to compute."
        case Physical():
            return (
                "The dice of this match lay on a table: the record has what somebody read there "
                "and signed, and nothing can be computed."
            )
        case CommitReveal():
            return "\n".join(
                ("No roll of this match was opened by all: no dice follow.", *_unmade(state, ()))
            )


def _filled(text: str, places: dict[str, str]) -> str:
    """Every place is filled once: what was put in is not looked at again."""
    return _PLACE.sub(lambda found: places[found[1]], text)


def _commands(name: str) -> str:
    return _text(name).removesuffix("\n")


@cache
def _text(name: str) -> str:
    data = files(__package__).joinpath(name).read_bytes()
    return data.decode("utf-8").replace("\r\n", "\n")
