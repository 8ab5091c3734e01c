"""The boards that a record carries: what the fold gives, whole, in one spelling, and audited."""

from __future__ import annotations

import json
import random
from functools import cache
from hashlib import sha256
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest
from match import Match
from msgspec.structs import replace

from ledger import positions, record, rulings
from ledger.audit import Report, Trust, audit
from ledger.envelope import Envelope
from ledger.errors import Unreadable
from ledger.events import decode
from ledger.fold import Entry, MatchState, as_of, open_match
from ledger.games.protocol import Surface, Track

GOLDEN = Path(__file__).parent / "golden"
NAMES = sorted(
    file.name.removesuffix(".tabellion.json") for file in GOLDEN.glob("*.tabellion.json")
)
DIGESTS = json.loads((GOLDEN / "boards.json").read_text("utf-8"))
TRUST = Trust(documents=rulings.digests())


@cache
def match(name: str) -> tuple[tuple[Envelope, ...], MatchState]:
    pieces = record.read((GOLDEN / f"{name}.tabellion.json").read_bytes()).pieces
    events = tuple(each for each in pieces if isinstance(each, Envelope))
    return events, open_match([Entry(decode(e.payload), e.hash, e.keyid) for e in events])


def carried(name: str) -> bytes:
    events, state = match(name)
    return record.write(events, positions.write(state))


def audited(data: bytes) -> Report:
    found = record.read(data)
    return audit(found.pieces, found.frame, TRUST, found.positions)


def changed(name: str, turn: Any) -> Report:
    """The audit of the record after ``turn`` has changed its boards."""
    events, state = match(name)
    boards = json.loads(positions.write(state))
    turn(boards)
    text = json.dumps(boards, separators=(",", ":"), ensure_ascii=False).encode()
    return audited(record.write(events, text))


@pytest.mark.parametrize("name", NAMES)
def test_a_record_with_boards_is_sound_and_its_events_are_the_same(name: str) -> None:
    events, _ = match(name)
    found = record.read(carried(name))
    assert (found.pieces, found.frame) == (events, ())
    report = audited(carried(name))
    assert (report.verdict, report.unchecked) == ("sound", ())


@pytest.mark.parametrize("name", NAMES)
def test_the_boards_of_released_records_stay_as_they_are_for_ever(name: str) -> None:
    assert sha256(positions.write(match(name)[1])).hexdigest() == DIGESTS[name]


@pytest.mark.parametrize("name", NAMES)
def test_laid_on_one_another_the_changes_give_the_board_after_every_event(name: str) -> None:
    _, state = match(name)
    written = json.loads(positions.write(state))
    boards = list(accumulate(written["boards"], lambda board, change: board | change))
    assert len(boards) == len(state.entries)
    for seq, board in enumerate(boards):
        then = as_of(state, seq)
        surface = then.game.surface(then.position)
        assert board["position"] == then.game.position(then.position)
        assert board["dice"] == list(then.game.thrown(then.position))
        assert board["turn"] == (None if then.result else then.game.turn(then.position))
        match surface, board["board"]:
            case Surface(), {"kind": "grid", **drawn}:
                assert drawn["pieces"] == surface.pieces
                assert drawn["marks"] == surface.marks
                assert tuple(drawn["rows"]) == surface.rows
            case Track(), {"kind": "track", **drawn}:
                points = [(each["piece"], each["count"]) for each in drawn["points"]]
                assert points == [(each.piece, each.count) for each in surface.points]
                assert list(drawn["pools"]) == list(surface.pools)
            case _:
                raise AssertionError(board["board"]["kind"])


def test_an_event_that_changes_nothing_carries_nothing() -> None:
    game = Match()
    game.note()
    assert json.loads(positions.write(game.state))["boards"][-1] == {}


@pytest.mark.parametrize("name", NAMES)
def test_every_changed_byte_of_the_boards_is_a_fault(name: str) -> None:
    events, state = match(name)
    data = carried(name)
    chance = random.Random(name)
    first = len(data) - len(positions.write(state)) - len(b',"positions":}\n')
    for place in (*range(first, first + 16), *chance.sample(range(first, len(data)), 40)):
        spoilt = bytearray(data)
        spoilt[place] ^= 1 << chance.randrange(8)
        report = audited(bytes(spoilt))
        assert report.verdict != "sound", (place, bytes(spoilt[place - 9 : place + 9]))
        assert report.events == len(events)


def test_a_board_that_the_rules_do_not_give_is_named_by_its_event() -> None:
    def king_on_e6(found: dict[str, Any]) -> None:
        found["boards"][5]["board"]["pieces"].pop("e5")
        found["boards"][5]["board"]["pieces"]["e6"] = "K"

    report = changed("v1-tablut", king_on_e6)
    assert [(fault.event, fault.code) for fault in report.faults] == [(5, "wrong-board")]


@pytest.mark.parametrize(
    "turn",
    [
        lambda found: found["boards"].pop(),
        lambda found: found["boards"].append({}),
        lambda found: found.update(boards={}),
        lambda found: found.update(version="1"),
        lambda found: found.update(version=0),
        lambda found: found.pop("version"),
        lambda found: found.update(more=1),
        lambda found: found["boards"].__setitem__(3, 7),
    ],
)
def test_boards_of_another_form_are_a_fault(turn: Any) -> None:
    report = changed("v1-tabula", turn)
    assert [fault.code for fault in report.faults] == ["wrong-board"]


@pytest.mark.parametrize("text", [b"", b"[]", b"{", b"[" * 100_000, b'"\xff"', b'{"a":NaN}'])
def test_boards_that_cannot_be_read_are_a_fault(text: bytes) -> None:
    report = audited(record.write(match("v1-tabula")[0], text))
    assert [fault.code for fault in report.faults] == ["wrong-board"]


def test_boards_of_a_later_version_are_not_judged() -> None:
    report = changed("v1-tabula", lambda found: found.update(version=2))
    assert report.verdict == "could-not-check"
    assert report.unchecked == ("The boards in the file are of version 2.",)
    with pytest.raises(Unreadable):
        positions.wrong(match("v1-tabula")[1], 43, b'{"boards":[],"version":9}')


def test_where_the_rules_stop_only_the_boards_before_are_judged() -> None:
    events, state = match("v1-tablut")
    spoilt = Envelope(events[9].payload, bytes(64), events[9].keyid)
    boards = positions.write(state)
    report = audited(record.write((*events[:9], spoilt, *events[10:]), boards))
    assert {fault.code for fault in report.faults} == {"bad-signature"}


def test_no_byte_of_the_boards_opens_a_tag() -> None:
    _, state = match("v1-tablut")

    class Loud(type(state.game)):  # type: ignore[misc]
        def surface(self, state: Any) -> Surface:
            return replace(super().surface(state), legend={"K": "</script><script>alert(1)"})

    written = positions.write(replace(state, game=Loud()))
    assert b"<" not in written
    legend = json.loads(written)["boards"][0]["board"]["legend"]
    assert legend == {"K": "</script><script>alert(1)"}
