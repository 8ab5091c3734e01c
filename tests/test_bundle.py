"""The bundle: what lies in it, and whether a stranger with a shell finds every forgery by it.

The commands of ``VERIFY.md`` run as they stand there, with ``sh``, in the folder that ``unzip``
makes. Nothing of Tabellion is asked while they run.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from random import Random
from struct import unpack

import pytest
from match import SPARE_KEYS, Match, opened, sealed
from msgspec.structs import replace
from table import ALBA, ARBITER, BRUNO, opening
from tournament import played

from ledger import bundle, record
from ledger.bundling.holders import holders, principal
from ledger.bundling.shares import throws
from ledger.carriers import record_in
from ledger.envelope import Envelope, pae
from ledger.events import CommitReveal, Officer, decode
from ledger.fold import Entry, MatchState, begin, open_match
from ledger.keys import SigningKey
from ledger.signers import parse_signers

GOLDEN = Path(__file__).parent / "golden"
RECORDS = sorted(GOLDEN.glob("*.tabellion.json"))
PAGE = b"<!doctype html>\n<title>Tabellion</title>\n"
ASIDE = {
    "VERIFY.md",
    "allowed_signers",
    "match.tabellion.json",
    "verify.html",
}
NAMES = (
    "$(touch pwned)",
    "`touch pwned`",
    "'; touch pwned; '",
    '"; touch pwned; "',
    "```",
    "| a | <b> | [x](y)",
    "# END",
    "END",
    "@MATCH@",
    "*",
    "!*,Alba",
    '"Alba"',
    "Alba\u2028```sh",
    "-rf \\",
    "\u00ad\ufeffz",
)
"""What no roll of players should have to hold. None of it can be kept out: events take any text
without control characters."""


def folded(events: list[Envelope]) -> MatchState:
    return open_match([Entry(decode(one.payload), one.hash, one.keyid) for one in events])


def events_of(data: bytes) -> list[Envelope]:
    return [piece for piece in record.read(data).pieces if isinstance(piece, Envelope)]


def named(state: MatchState) -> str:
    return bundle.folder(state.match)


NOT_APART = "NOT SOUND: this record is not taken apart, run block 1 first.\n"
BEGINNINGS = {
    "tablut": ("v1-tablut", 9),
    "tabula": ("v1-tabula", 17),
    "tablero": ("v1-tablero", 12),
    "tabula-ruled": ("v1-tabula-ruled", 21),
    "tablut-replaced": ("v1-tablut-ruled", 33),
}
"""Beginnings of golden matches, for what does not need the rest: Tablut, Tabula with the arbiter's
numbers in the dice and Tablero without, three throws each; a Tabula match where a ruling gave a
roll and named other contributors; a Tablut match where every key was replaced."""


@dataclass(frozen=True)
class Unpacked:
    """A bundle as a stranger has it."""

    folder: Path
    apart: str = ""
    """What the first block said, if it was run."""

    @property
    def text(self) -> str:
        return (self.folder / "VERIFY.md").read_text(encoding="utf-8")

    @property
    def blocks(self) -> list[str]:
        return re.findall(r"^```sh\n(.*?)^```$", self.text, re.MULTILINE | re.DOTALL)

    @property
    def record(self) -> Path:
        return self.folder / "match.tabellion.json"

    def run(self, block: str, **env: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["sh"],
            input=block,
            cwd=self.folder,
            env=os.environ | env,
            capture_output=True,
            text=True,
            check=False,
        )

    def take_apart(self) -> Unpacked:
        done = self.run(self.blocks[0])
        assert (done.returncode, done.stderr) == (0, "")
        return Unpacked(self.folder, done.stdout.strip())

    def check(self, first: int = 0) -> list[str]:
        """What each block says, up to the first that ends with an error."""
        said = []
        for block in self.blocks[first:]:
            done = self.run(block)
            said.append(done.stdout.strip())
            if done.returncode:
                return said
            assert done.stderr == "", block
        return [*said, "all ran"]

    def refusal(self) -> str:
        said = self.check()
        assert said[-1] != "all ran", said
        return said[-1]

    def dice(self) -> list[subprocess.CompletedProcess[str]]:
        """The blocks of the dice alone, once the record is taken apart."""
        return [self.run(block) for block in self.blocks if "dice-seed" in block]

    def copy(self, to: Path) -> Unpacked:
        return Unpacked(Path(shutil.copytree(self.folder, to / "copy")), self.apart)

    def forge(self, change: Callable[[bytes], bytes]) -> Unpacked:
        self.record.write_bytes(change(self.record.read_bytes()))
        return self

    def has_nothing_to_judge(self) -> bool:
        """Every block after the first says that the record is not taken apart, and no more. The
        last is about the page alone."""
        done = [self.run(block) for block in self.blocks[1:-1]]
        said = [(each.returncode, each.stdout, each.stderr) for each in done]
        assert said == [(1, NOT_APART, "")] * len(said)
        return len(said) >= 4

    def change(self, name: str, change: Callable[[bytes], bytes]) -> Unpacked:
        path = self.folder / name
        before = path.read_bytes()
        after = change(before)
        assert sum(a != b for a, b in zip(before, after, strict=True)) == 1
        path.write_bytes(after)
        return self


def unpack_into(place: Path, data: bytes, state: MatchState) -> Unpacked:
    (place / "match.zip").write_bytes(data)
    subprocess.run(["unzip", "-q", "match.zip"], cwd=place, check=True)
    return Unpacked(place / named(state))


@cache
def golden(name: str) -> tuple[MatchState, bytes]:
    """A golden match, or a beginning of one."""
    whole, length = BEGINNINGS.get(name, (name, None))
    data = (GOLDEN / f"{whole}.tabellion.json").read_bytes()
    events = events_of(data)[:length]
    return folded(events), record.write(events) if length else data


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Unpacked]:
    """The golden matches as bundles, unpacked and taken apart once: tests change copies."""

    @cache
    def made(name: str) -> Unpacked:
        state, data = golden(name)
        packed = bundle.write(state, data, PAGE)
        return unpack_into(tmp_path_factory.mktemp(name), packed, state).take_apart()

    return made


# -- what a stranger does ----------------------------------------------------------------------


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.name.split(".")[0])
def test_the_commands_find_a_sound_match_sound(
    path: Path, sound: Callable[[str], Unpacked]
) -> None:
    name = path.name.removesuffix(".tabellion.json")
    state, _ = golden(name)
    unpacked = sound(name)
    said = [unpacked.apart, *unpacked.check(1)]
    count = len(state.entries)
    assert said[0] == f"The record is taken apart: {count} events, numbered from 0."
    assert said[2] == "Signature Verified Successfully"
    assert said[3] == f"All signatures hold: {count}, each by the key that its role had then."
    assert said[4] == f"The chain holds, from match {state.match}\nto the head {state.head}."
    assert said[-2:] == ["verify.html: OK", "all ran"]
    made = throws(state)
    assert len(said) == (9 if made else 7)
    if made:
        assert said[6] == (
            "All numbers are those that were promised, and all dice follow from them: rolls "
            f"{len(made)}."
        )


def test_a_match_played_by_lot(tmp_path: Path) -> None:
    """Tablero, with the arbiter opening last."""
    events = played(5, longest=20)
    state = folded(events)
    assert isinstance(state.opening.dice, CommitReveal)
    data = bundle.write(state, record.write(events), PAGE)
    said = unpack_into(tmp_path, data, state).check()
    assert said[-1] == "all ran"
    assert said[6].endswith(f"rolls {len(state.rolling.rolls)}.")
    assert len(state.rolling.rolls) > 3


def test_the_record_may_carry_boards(tmp_path: Path) -> None:
    """They stand behind the events. A board may show anything: nobody signed it."""
    state, data = golden("tablut")
    boards = b'{"boards":[{"position":"},{\\"payload\\"],\\"format\\""}],"version":1}'
    data = record.write(events_of(data), boards)
    unpacked = unpack_into(tmp_path, bundle.write(state, data, PAGE), state)
    assert unpacked.check()[-1] == "all ran"


def test_an_arbiter_signs_the_last_event_of_theirs_with_the_old_key(tmp_path: Path) -> None:
    """Zoë puts in Yara, and Yara somebody else: each by the key that was hers until then."""
    match = Match()
    for key, name in zip(SPARE_KEYS[:2], ("Yara", "Xenia"), strict=True):
        match.replace_arbiter(key, name=name)
        match.accept("arbiter")
    data = bundle.write(match.state, record.write(map(sealed, match.state.entries)), PAGE)
    unpacked = unpack_into(tmp_path, data, match.state)
    assert unpacked.check()[-1] == "all ran"
    assert sorted(path.name for path in unpacked.folder.glob("keys/arbiter*")) == [
        "arbiter-since-3.pem",
        "arbiter-since-5.pem",
        "arbiter.pem",
    ]


def test_a_match_of_one_event(tmp_path: Path) -> None:
    state = begin(opened(opening()))
    data = bundle.write(state, record.write(map(sealed, state.entries)), PAGE)
    unpacked = unpack_into(tmp_path, data, state)
    assert unpacked.check()[-1] == "all ran"
    assert "\n1 event, the last one" in unpacked.text


@pytest.mark.parametrize("shell", ["bash", "dash"])
def test_blocks_can_be_pasted_into_a_shell_at_work(
    shell: str, tmp_path: Path, sound: Callable[[str], Unpacked]
) -> None:
    """A block that finds a fault must not end the reader's shell, nor meet the history of bash."""
    unpacked = sound("tabula").copy(tmp_path)
    (unpacked.folder / "keys/white.pem").unlink()
    script = "\n".join([*unpacked.blocks, "echo still here"])
    command = [shell, *(["--norc", "-o", "histexpand"] if shell == "bash" else [])]
    done = subprocess.run(
        command, input=script, cwd=unpacked.folder, capture_output=True, text=True, check=False
    )
    assert "NOT SOUND: keys/white.pem is not the key that event 0 gives to white." in done.stdout
    assert done.stdout.endswith("still here\n")
    assert not re.search(r"![^= ]", "".join(unpacked.blocks))
    assert not any("\t" in block for block in unpacked.blocks)


# -- forgeries ---------------------------------------------------------------------------------


def with_event(number: int, change: Callable[[Envelope], Envelope]) -> Callable[[bytes], bytes]:
    """A record with one event changed, in the form that an event must have."""

    def changed(data: bytes) -> bytes:
        events = events_of(data)
        events[number] = change(events[number])
        return record.write(events)

    return changed


def flip(data: bytes, at: int, bit: int = 1) -> bytes:
    return data[:at] + bytes([data[at] ^ bit]) + data[at + 1 :]


def swap_digit(data: bytes, digit: str) -> bytes:
    """One hexadecimal digit changed, the one that a pattern marks with a group."""
    found = re.search(digit.encode(), data)
    assert found is not None
    at = found.start(1)
    return data[:at] + (b"0" if data[at : at + 1] != b"0" else b"1") + data[at + 1 :]


def in_payload(digit: str) -> Callable[[Envelope], Envelope]:
    return lambda event: Envelope(swap_digit(event.payload, digit), event.signature, event.keyid)


GAMES = ("tablut", "tabula", "tablero")
DICED = ("tabula", "tablero", "tabula-ruled")
KEYED = ("tablut-replaced", "v1-tabula-ruled", "tablero")


@pytest.mark.parametrize("name", GAMES)
def test_a_changed_payload(name: str, tmp_path: Path, sound: Callable[[str], Unpacked]) -> None:
    """The minute of the last event."""
    unpacked, last = sound(name).copy(tmp_path), golden(name)[0].seq
    change = with_event(last, in_payload(r'"at":"[0-9-]*T[0-9]{2}:[0-9]([0-9])'))
    unpacked.forge(change)
    assert unpacked.refusal() == f"NOT SOUND: the signature of event {last} does not hold."


@pytest.mark.parametrize("name", GAMES)
def test_a_changed_signature(name: str, tmp_path: Path, sound: Callable[[str], Unpacked]) -> None:
    """In R, in S: the second event is the one that is checked first, and by hand."""
    for event, at in ((1, 3), (2, 40)):
        (tmp_path / str(event)).mkdir()
        unpacked = sound(name).copy(tmp_path / str(event))
        change = with_event(
            event, lambda one, at=at: Envelope(one.payload, flip(one.signature, at), one.keyid)
        )
        unpacked.forge(change)
        by_hand = "Signature Verification Failure\n" if event == 1 else ""
        assert unpacked.refusal() == (
            f"{by_hand}NOT SOUND: the signature of event {event} does not hold."
        )


@pytest.mark.parametrize("name", KEYED)
def test_a_changed_key_file(name: str, tmp_path: Path, sound: Callable[[str], Unpacked]) -> None:
    """Each of the keys that the match ever had."""
    unpacked = sound(name).copy(tmp_path)
    one, every = unpacked.blocks[2:4]
    for holder in holders(golden(name)[0]):
        if holder.party.key is not None:
            before = (unpacked.folder / holder.path).read_bytes()
            unpacked.change(
                holder.path, lambda text: text[:80] + other_letter(text[80]) + text[81:]
            )
            done = unpacked.run(every)
            assert done.returncode == 1
            assert done.stdout == (
                f"NOT SOUND: {holder.path} is not the key that event {holder.since} gives to "
                f"{holder.party.role}.\n"
            )
            assert (unpacked.run(one).returncode == 0) == (holder.path not in one)
            (unpacked.folder / holder.path).write_bytes(before)


def other_letter(letter: int) -> bytes:
    return b"A" if letter != ord("A") else b"B"


@pytest.mark.parametrize("name", GAMES)
def test_a_key_that_the_opening_does_not_name(
    name: str, tmp_path: Path, sound: Callable[[str], Unpacked]
) -> None:
    """A key changed in the record as well: it is not the one in the file any more."""
    unpacked = sound(name).copy(tmp_path)
    change = with_event(0, in_payload(r'"arbiter":\{"key":"ssh-ed25519 [A-Za-z0-9+/]{40}(.)'))
    unpacked.forge(change)
    assert unpacked.refusal() == (
        "NOT SOUND: keys/arbiter.pem is not the key that event 0 gives to arbiter."
    )


@pytest.mark.parametrize("name", DICED)
def test_a_changed_commitment(name: str, tmp_path: Path, sound: Callable[[str], Unpacked]) -> None:
    """The signature says so, and without it the dice do."""
    share = throws(golden(name)[0])[0].shares[0]
    unpacked = sound(name).copy(tmp_path)
    change = with_event(share.bound, in_payload('"commitment":"[0-9a-f]{5}(.)'))
    unpacked.forge(change)
    assert unpacked.refusal() == f"NOT SOUND: the signature of event {share.bound} does not hold."
    one, every = unpacked.dice()
    assert (one.returncode, every.returncode) == (1, 1)
    assert one.stdout == (
        f"NOT SOUND: the number of event {share.opened} is not the one that event {share.bound} "
        "promised.\n"
    )
    assert f"the number of event {share.opened} is not the one that event" in every.stdout


@pytest.mark.parametrize(("name", "which"), [("tabula", 0), ("tablero", -1), ("tabula-ruled", -1)])
def test_a_changed_opening(
    name: str, which: int, tmp_path: Path, sound: Callable[[str], Unpacked]
) -> None:
    """The last to open, in the first roll or in the last: the dice of each roll are checked."""
    throw = throws(golden(name)[0])[which]
    share = throw.shares[-1]
    unpacked = sound(name).copy(tmp_path)
    unpacked.forge(with_event(share.opened, in_payload('"nonce":"[0-9a-f]{5}(.)')))
    said = f"NOT SOUND: the signature of event {share.opened} does not hold."
    assert unpacked.refusal() == said
    every = unpacked.dice()[-1]
    assert every.returncode == 1
    assert every.stdout == (
        f"NOT SOUND: roll {throw.roll.number}: the number of event {share.opened} is not the "
        f"one that event {share.bound} promised.\n"
    )


def test_dice_that_do_not_follow(tmp_path: Path, sound: Callable[[str], Unpacked]) -> None:
    unpacked = sound("tabula").copy(tmp_path)
    path = unpacked.folder / "VERIFY.md"
    path.write_text(path.read_text("utf-8").replace("2-5", "6-6"), "utf-8")
    one, every = unpacked.dice()
    assert one.stdout == "NOT SOUND: the dice of roll 1 are 2-5, not 6-6.\n"
    assert every.stdout == "NOT SOUND: the dice of roll 1 are 2-5, not 6-6.\n"


def test_a_dead_key_signs_nothing_any_more(
    tmp_path: Path, sound: Callable[[str], Unpacked]
) -> None:
    """What the key of the opening signs after another took its place is no event of the role."""
    state, data = golden("tablut-replaced")
    change = next(each for each in state.changes if each.after.key is not None)
    role, events = change.after.role, events_of(data)
    late = next(e.event.seq for e in state.entries[change.seq + 1 :] if e.event.by == role)
    old = Envelope(events[late].payload, b"", ALBA.public.fingerprint)
    forged = Envelope(old.payload, ALBA.sign(pae(old.payload)), old.keyid)
    unpacked = sound("tablut-replaced").copy(tmp_path)
    unpacked.forge(with_event(late, lambda _: forged))
    assert unpacked.refusal() == (
        f"NOT SOUND: event {late} names a key that its role did not have."
    )


def test_events_left_out_put_twice_or_exchanged(
    tmp_path: Path, sound: Callable[[str], Unpacked]
) -> None:
    events = events_of(golden("tablut")[1])
    forgeries: Mapping[str, list[Envelope]] = {
        "event 4 does not say what it must": [*events[:4], *events[5:]],
        "event 5 does not say what it must": [*events[:5], *events[4:]],
        "event 3 does not say what it must": [*events[:3], events[4], events[3], *events[5:]],
        "8 events are here, these instructions are for 9": events[:-1],
        "an event has more than one line": [*events[:-2], glued(*events[-2:])],
    }
    unpacked = sound("tablut").copy(tmp_path)
    for said, forged in forgeries.items():
        unpacked.record.write_bytes(record.write(forged))
        assert unpacked.refusal() == f"NOT SOUND: {said}."


def glued(one: Envelope, other: Envelope) -> Envelope:
    return Envelope(one.payload + b"\n" + other.payload, one.signature, one.keyid)


@pytest.mark.parametrize(
    ("field", "said"),
    [
        ("prev", "event 8 does not continue the one before it"),
        ("match", "event 8 belongs to another match"),
    ],
)
def test_an_event_of_another_chain(
    field: str, said: str, tmp_path: Path, sound: Callable[[str], Unpacked]
) -> None:
    """Bruno's own key signed it: only the chain tells."""
    unpacked = sound("tablut").copy(tmp_path)
    unpacked.forge(signed_anew(8, f'"{field}":"[0-9a-f]{{9}}(.)', BRUNO))
    assert unpacked.refusal() == f"NOT SOUND: {said}."


def signed_anew(number: int, digit: str, key: SigningKey) -> Callable[[bytes], bytes]:
    """A record with an event that its own signer made otherwise."""

    def other(event: Envelope) -> Envelope:
        payload = in_payload(digit)(event).payload
        return Envelope(payload, key.sign(pae(payload)), event.keyid)

    return with_event(number, other)


def test_another_end_and_another_match(tmp_path: Path, sound: Callable[[str], Unpacked]) -> None:
    """Sound in themselves, and not those that the head and the name of the match stand for."""
    minute = r'"at":"[0-9-]*T[0-9]{2}:[0-9]([0-9])'
    ended = sound("tablut").copy(tmp_path).forge(signed_anew(8, minute, BRUNO))
    assert ended.refusal() == (
        "NOT SOUND: the head is not the one that these instructions were written for."
    )
    state = begin(opened(opening()))
    data = bundle.write(state, record.write(map(sealed, state.entries)), PAGE)
    begun = unpack_into(tmp_path, data, state).forge(signed_anew(0, minute, ARBITER))
    assert begun.refusal() == (
        "NOT SOUND: this is not the match that these instructions were written for."
    )


@pytest.mark.parametrize("seed", range(2))
def test_no_byte_of_the_events_changes_unseen(
    seed: int, tmp_path: Path, sound: Callable[[str], Unpacked]
) -> None:
    chance, data = Random(seed), golden("tablut")[1]
    unpacked = sound("tablut").copy(tmp_path)
    for _ in range(5):
        at = chance.randrange(len(data) - 1)
        unpacked.record.write_bytes(data)
        unpacked.change("match.tabellion.json", lambda text, at=at: flip(text, at))
        assert unpacked.refusal(), at


# -- what is there to judge --------------------------------------------------------------------


@pytest.mark.parametrize("name", ["tablut", "tabula"])
def test_without_the_first_block_the_others_judge_nothing(
    name: str, tmp_path: Path, sound: Callable[[str], Unpacked]
) -> None:
    unpacked = sound(name).copy(tmp_path)
    shutil.rmtree(unpacked.folder / "apart")
    assert unpacked.has_nothing_to_judge()


def test_a_first_block_that_fails_leaves_nothing_to_judge(
    tmp_path: Path, sound: Callable[[str], Unpacked]
) -> None:
    """Nothing of this record, and nothing of the sound one that was taken apart before it."""
    data = golden("tablut")[1]
    forgeries: Mapping[str, bytes] = {
        "the record is not one line": data[:-1],
        "the record does not begin as one": data[1:],
        "the record does not end as one": data[:-3] + b"\n",
        "event 0 is not of the form of an event": data.replace(b'"keyid"', b'"keyId"', 1),
        "event 2 is not of the form of an event": spelled_otherwise(data, 2),
        "event 1 is damaged": data.replace(b'MX0="', b'MX1="', 1),
    }
    unpacked = sound("tablut").copy(tmp_path)
    for said, forged in forgeries.items():
        unpacked.record.write_bytes(data)
        unpacked.take_apart()
        unpacked.record.write_bytes(forged)
        assert unpacked.refusal() == f"NOT SOUND: {said}."
        assert not (unpacked.folder / "apart").exists()
    assert unpacked.has_nothing_to_judge()


def spelled_otherwise(data: bytes, number: int) -> bytes:
    """The same signature in base64, with a bit set that stands for nothing."""
    pieces = data.split(b'=="}')
    letter = pieces[number][-1:]
    pieces[number] = pieces[number][:-1] + bytes([letter[0] + 1])
    return b'=="}'.join(pieces)


def test_a_first_block_that_cannot_work_leaves_nothing_to_judge(
    tmp_path: Path, sound: Callable[[str], Unpacked]
) -> None:
    """In a folder without a record, which nobody asked to tidy; and with an OpenSSL of old."""
    unpacked = sound("tablut").copy(tmp_path)
    old = tmp_path / "bin/openssl"
    old.parent.mkdir()
    old.write_text("#!/bin/sh\necho OpenSSL 1.1.1w\n", encoding="utf-8")
    old.chmod(0o755)
    done = unpacked.run(unpacked.blocks[0], PATH=f"{old.parent}:{os.environ['PATH']}")
    assert done.returncode == 1
    assert done.stdout == "OpenSSL 3 or newer is needed; this is OpenSSL 1.1.1w.\n"
    assert unpacked.has_nothing_to_judge()
    unpacked.record.unlink()
    (unpacked.folder / "apart").mkdir()
    assert unpacked.refusal() == "NOT SOUND: there is no match.tabellion.json in this folder."
    assert (unpacked.folder / "apart").exists()
    assert unpacked.has_nothing_to_judge()


def test_another_record_is_not_judged_by_what_was_taken_apart(
    tmp_path: Path, sound: Callable[[str], Unpacked]
) -> None:
    unpacked = sound("tabula").copy(tmp_path)
    unpacked.change("match.tabellion.json", lambda text: flip(text, 100))
    assert unpacked.has_nothing_to_judge()


def test_every_event_and_every_roll_is_counted(
    tmp_path: Path, sound: Callable[[str], Unpacked]
) -> None:
    """Signatures, chain, dice: what was lost on the way is missed."""
    unpacked = sound("tabula").copy(tmp_path)
    rolls = re.sub(r"\n3 [0-9] .*", "", unpacked.blocks[6])
    assert unpacked.run(rolls).stdout == "NOT SOUND: only 2 of 3 rolls were looked at.\n"
    facts = unpacked.folder / "apart/facts"
    facts.write_text("".join(facts.read_text("utf-8").splitlines(True)[:-1]), "utf-8")
    signatures, chain = unpacked.blocks[3:5]
    assert unpacked.run(signatures).stdout == (
        "NOT SOUND: only 16 of 17 signatures were looked at.\n"
    )
    assert unpacked.run(chain).stdout == "NOT SOUND: only 16 of 17 events were looked at.\n"


# -- names -------------------------------------------------------------------------------------


def badly_named() -> Iterator[tuple[tuple[str, ...], MatchState]]:
    """Matches whose arbiter and players are called so, three by three."""
    said = opening("tabula", dice=CommitReveal(contributors=("white", "black")), witness=True)
    for first in range(0, len(NAMES), 3):
        arbiter, *players = NAMES[first : first + 3]
        seats = {
            seat: replace(held, name=name)
            for (seat, held), name in zip(said.seats.items(), players, strict=True)
        }
        official = Officer(name=arbiter, key=said.arbiter.key)
        yield (
            (arbiter, *players, "Wanda"),
            begin(opened(replace(said, seats=seats, arbiter=official))),
        )


def test_no_name_reaches_a_command_or_the_text_around(tmp_path: Path) -> None:
    """Names stand in one block of plain text, each at the end of a line that begins with a role."""
    tame = begin(opened(opening("tabula", dice=CommitReveal(contributors=("white", "black")))))
    usual, _, usual_rest = parted(dict(bundle_files(tame))["VERIFY.md"].decode())
    for names, state in badly_named():
        data = bundle.write(state, record.write(map(sealed, state.entries)), PAGE)
        place = tmp_path / state.match[:8]
        place.mkdir()
        unpacked = unpack_into(place, data, state)
        assert unpacked.check()[-1] == "all ran"
        assert not list(place.rglob("pwned"))
        before, listed, rest = parted(unpacked.text)
        assert [line.split()[0] for line in listed] == ["arbiter", "white", "black", "witness1"]
        for line, name in zip(listed, names, strict=True):
            assert line.isprintable()
            assert line.endswith(f"  {name}") or not name.isprintable()
        for text, same in ((before, usual), (rest, usual_rest)):
            text = text.replace(state.match, tame.match).replace(state.head, tame.head)
            assert text == same


def parted(text: str) -> tuple[str, list[str], str]:
    """The text before the list of names, its lines, and the text after it."""
    before, _, rest = text.partition("```text\n")
    listed, _, after = rest.partition("\n```\n")
    return before, listed.split("\n"), after


def test_allowed_signers_is_read_as_it_was_meant(tmp_path: Path) -> None:
    for names, state in badly_named():
        text = dict(bundle_files(state))["allowed_signers"].decode()
        signers = parse_signers(text).signers
        assert text.count("\n") == len(signers) == 4
        for signer, holder, name in zip(signers, holders(state), names, strict=True):
            assert signer.key == holder.party.key
            assert signer.principals == (principal(name),)
            assert signer.named(principal(name))
            assert not signer.named("Carla")
        assert ssh_keygen_finds(text, tmp_path) == [principal(names[1])]


def bundle_files(state: MatchState) -> Iterator[tuple[str, bytes]]:
    data = bundle.write(state, b"", PAGE)
    while data.startswith(b"PK\3\4"):
        size, name = unpack("<I4xH", data[18:28])
        path, body = data[30 : 30 + name], data[30 + name : 30 + name + size]
        yield path.decode().partition("/")[2], body
        data = data[30 + name + size :]


def ssh_keygen_finds(signers: str, folder: Path) -> list[str]:
    """The principals that OpenSSH reads for Alba's key."""
    key = folder / "key"
    key.touch(mode=0o600)
    key.write_bytes(ALBA.openssh(None))
    (folder / "allowed").write_text(signers, encoding="utf-8")
    sign = ["ssh-keygen", "-q", "-Y", "sign", "-n", "tabellion", "-f", str(key)]
    signature = subprocess.run(sign, input=b"record", check=True, capture_output=True).stdout
    (folder / "sig").write_bytes(signature)
    find = ["ssh-keygen", "-Y", "find-principals", "-f", "allowed", "-s", "sig"]
    done = subprocess.run(find, cwd=folder, check=True, capture_output=True)
    return done.stdout.decode().splitlines()


# -- the file ----------------------------------------------------------------------------------


def test_what_lies_in_a_bundle(sound: Callable[[str], Unpacked]) -> None:
    """A match whose players and arbiter got other keys, and one seat none for a while."""
    state, data = golden("v1-tablut-ruled")
    folder = sound("v1-tablut-ruled").folder
    files = [path.relative_to(folder) for path in folder.rglob("*") if path.is_file()]
    found = {str(path) for path in files if path.parts[0] != "apart"}
    keys = {
        "arbiter",
        "arbiter-since-28",
        "swedes",
        "swedes-since-25",
        "muscovites",
        "muscovites-since-30",
        "witness1",
        "appeal",
    }
    assert found == ASIDE | {f"keys/{key}.pem" for key in keys}
    assert folder.name == f"tabellion-{state.match[:12]}"
    assert (folder / "match.tabellion.json").read_bytes() == data
    assert (folder / "verify.html").read_bytes() == PAGE
    assert sha256(PAGE).hexdigest() in (folder / "VERIFY.md").read_text(encoding="utf-8")


def test_who_holds_which_key_stands_in_columns(sound: Callable[[str], Unpacked]) -> None:
    """Role, since when, key file, fingerprint, name: with other keys, and with none for a while."""
    _, listed, _ = parted(sound("v1-tablut-ruled").text)
    columns = ("arbiter", "since event 28", "keys/arbiter-since-28.pem", "SHA256:", "Yara")
    starts = [listed[1].index(column) for column in columns]
    for line in listed:
        assert not any(line[start - 2 : start].strip() for start in starts[1:])
        role, since, file, key, name = (
            line[start:end].rstrip() for start, end in zip(starts, [*starts[1:], None], strict=True)
        )
        assert role in ("arbiter", "swedes", "muscovites", "witness1", "appeal")
        assert re.fullmatch("(since event [0-9]+)?", since)
        assert (file, key) == ("no key: the arbiter writes", "") or (
            re.fullmatch(r"keys/[a-z0-9-]+\.pem", file) and re.fullmatch("SHA256:.{43}", key)
        )
        assert name in ("Alba", "Bruno", "Dora", "Zoë", "Yara", "Wanda", "Ana")
    _, listed, _ = parted(sound("tablut").text)
    assert listed[2].startswith("muscovites  keys/muscovites.pem  SHA256:")


def test_openssl_reads_every_key(sound: Callable[[str], Unpacked]) -> None:
    for name in KEYED:
        for holder in holders(golden(name)[0]):
            if holder.party.key is not None:
                path = sound(name).folder / holder.path
                command = ["openssl", "pkey", "-pubin", "-in", str(path), "-outform", "DER"]
                der = subprocess.run(command, check=True, capture_output=True).stdout
                assert der[-32:] == holder.party.key.raw
                again = ["openssl", "pkey", "-pubin", "-in", str(path)]
                text = subprocess.run(again, check=True, capture_output=True).stdout
                assert text == path.read_bytes()


def test_files_can_be_read_by_all_and_run_by_none(sound: Callable[[str], Unpacked]) -> None:
    for path in sound("tablut").folder.rglob("*"):
        if path.is_file() and "apart" not in path.parts:
            mode = stat.S_IMODE(path.stat().st_mode)
            assert mode & 0o111 == 0
            assert mode & 0o400


def test_a_zip_file_says_nothing_of_its_maker() -> None:
    """APPNOTE 4.3: every field of every header, and no byte beside them. Stored, dated at the
    beginning of zip's time, by "Unix", plain names: the same from every Python."""
    state, data = golden("v1-tablut")
    packed = bundle.write(state, data, PAGE)
    at, members = 0, []
    while packed[at : at + 4] == b"PK\3\4":
        needed, flags, method, time, date = unpack("<5H", packed[at + 4 : at + 14])
        _, small, size, name, extra = unpack("<3I2H", packed[at + 14 : at + 30])
        assert (needed, flags, method, time, date, extra) == (20, 0, 0, 0, 0x21, 0)
        assert small == size
        members.append(packed[at + 30 : at + 30 + name])
        at += 30 + name + size
    for member in members:
        assert packed[at : at + 6] == b"PK\1\2\x14\x03"
        name, extra, comment, disk, internal, external = unpack("<5HI", packed[at + 28 : at + 42])
        assert (extra, comment, disk, internal) == (0, 0, 0, 0)
        assert external == 0o100644 << 16
        assert packed[at + 46 : at + 46 + name] == member
        at += 46 + name
    assert packed[at : at + 4] == b"PK\5\6"
    assert len(packed) == at + 22
    inside = [member.decode().removeprefix(f"{named(state)}/") for member in members]
    keys = [f"keys/{role}.pem" for role in ("arbiter", "swedes", "muscovites")]
    assert inside == ["VERIFY.md", "allowed_signers", *keys, "match.tabellion.json", "verify.html"]


def test_the_same_match_gives_the_same_bytes(tmp_path: Path) -> None:
    state, data = golden("v1-tabula")
    ours = bundle.write(state, data, PAGE)
    assert bundle.write(state, data, PAGE) == ours
    script = f"""
import sys
sys.path[:0] = {[str(Path(__file__).parent), str(Path(__file__).parent.parent)]!r}
import test_bundle
state, data = test_bundle.golden("v1-tabula")
sys.stdout.buffer.write(test_bundle.bundle.write(state, data, test_bundle.PAGE))
"""
    elsewhere = os.environ | {"TZ": "Asia/Kathmandu", "LC_ALL": "C", "PYTHONHASHSEED": "7"}
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, env=elsewhere, check=True, capture_output=True
    )
    assert done.stdout == ours


def test_another_page_or_event_gives_other_bytes() -> None:
    state, data = golden("v1-tablut")
    ours = bundle.write(state, data, PAGE)
    assert bundle.write(state, data, PAGE + b"\n") != ours
    assert record_in(ours) == data


# -- what is said of dice ----------------------------------------------------------------------


def test_a_game_without_dice_says_so(sound: Callable[[str], Unpacked]) -> None:
    text = sound("v1-tablut").text
    assert "This game is played without dice: there is nothing to compute." in text
    assert "the dice follow" not in text


def test_dice_on_the_table_are_nobodys_to_compute(sound: Callable[[str], Unpacked]) -> None:
    assert "The dice of this match lay on a table" in sound("v1-tabula-on-the-table").text


def test_rolls_that_were_never_opened_are_told(sound: Callable[[str], Unpacked]) -> None:
    text = sound("v1-tabula-ruled").text
    assert "Roll 1 was not opened by all: that it fell 2-5 is what event 7 ruled." in text
    assert "Roll 2 was thrown and not opened by all: it has no dice." in text


def test_a_roll_in_flight_has_no_dice(tmp_path: Path) -> None:
    match = Match(ruleset="tabula", dice=CommitReveal(contributors=("white", "black")))
    for seat in ("white", "black"):
        match.commit(seat)
    match.throw("white")
    data = bundle.write(match.state, record.write(map(sealed, match.state.entries)), PAGE)
    unpacked = unpack_into(tmp_path, data, match.state)
    assert "Roll 1 is thrown and not opened by all yet." in unpacked.text
    assert unpacked.check()[-1] == "all ran"


def test_shares_name_the_events_that_bound_and_opened() -> None:
    """Every contributor's, also where a key was replaced and numbers were promised anew."""
    for path in RECORDS:
        state, data = golden(path.name.removesuffix(".tabellion.json"))
        events = events_of(data)
        for roll, shares in throws(state):
            assert [share.seat for share in shares] == sorted({share.seat for share in shares})
            for share in shares:
                bound, shown = (state.entries[n].event for n in (share.bound, share.opened))
                assert bound.by == shown.by == share.role
                assert share.bound < roll.thrown <= share.opened <= roll.seq
                assert b'"roll":%d}' % roll.number in events[share.opened].payload
