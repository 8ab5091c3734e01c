"""The record: one spelling, and no byte of it changes, goes or comes unseen."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable
from copy import deepcopy
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from table import ARBITER, KEYS, SHORT_GAME, accept, new_service, opening, play, whole_game

from ledger import record, rulings
from ledger.audit import Reading, Report, Trust, audit, judged
from ledger.audit.ahead import look_ahead
from ledger.audit.judging import judge
from ledger.envelope import Envelope, seal
from ledger.errors import Unreadable
from ledger.record import Damage, Record, read, write

TRUST = Trust(documents=rulings.digests())
HEAD, TAIL = b'{"events":[', b'],"format":"tabellion-record/1"}\n'


@cache
def game(nonce: str = "00" * 16) -> tuple[Envelope, ...]:
    """The whole game of the table, to its countersigned close."""
    with TemporaryDirectory() as folder, new_service(Path(folder) / "ledger") as service:
        if nonce == "00" * 16:
            state = whole_game(service)
        else:
            state = service.open_match(opening(nonce=nonce), ARBITER)
            plans = [accept("swedes"), accept("muscovites"), *map(play, SHORT_GAME)]
            state = service.append(state.match, plans, KEYS)
        return tuple(service.envelopes(state.match))


@cache
def spans() -> tuple[range, ...]:
    """Where each event of the game lies in its record."""
    found, start = [], len(HEAD)
    for event in game():
        end = start + len(event.text())
        found.append(range(start, end))
        start = end + 1
    return tuple(found)


DATA = write(game())
LAST = len(game()) - 1


def audited(data: bytes, trust: Trust = TRUST) -> Report:
    found = read(data)
    return audit(found.pieces, found.frame, trust)


def said(report: Report) -> list[tuple[int | None, str]]:
    return [(fault.event, fault.code) for fault in report.faults]


def readable(found: Record) -> list[Envelope]:
    return [piece for piece in found.pieces if isinstance(piece, Envelope)]


# -- writing and reading -------------------------------------------------------------------


def test_what_is_written_is_read() -> None:
    found = read(DATA)
    assert found.pieces == game()
    assert found.frame == ()
    assert write(readable(found)) == DATA
    assert write(iter(game())) == DATA


def test_a_record_is_one_line() -> None:
    assert DATA.startswith(HEAD + b'{"payload":"')
    assert DATA.endswith(TAIL)
    assert DATA.count(b"\n") == 1
    assert audited(DATA).verdict == "sound"


def test_a_record_of_nothing() -> None:
    assert write([]) == HEAD + TAIL
    assert read(HEAD + TAIL) == Record((), ())
    assert said(audited(HEAD + TAIL)) == [(None, "empty")]


def test_every_beginning_is_a_record() -> None:
    for end in range(1, LAST + 2):
        report = audited(write(game()[:end]))
        assert (report.verdict, report.events, report.head) == ("sound", end, game()[end - 1].hash)


# -- one byte ------------------------------------------------------------------------------


def names_the_place(data: bytes, offset: int, *, whole: bool = True) -> bool:
    """Whether the audit says that the file is damaged, or that the event at ``offset`` is: that
    event must be the first that anything is said of. Not ``whole``: it is judged alone, by an
    audit that has come so far."""
    found = read(data)
    if found.frame:
        return True
    event = next((n for n, span in enumerate(spans()) if offset in span), None)
    if event is not None and not whole:
        return is_first_at_fault(found, event)
    report = audit(found.pieces, found.frame, TRUST)
    events = [fault.event for fault in report.faults]
    return event is not None and events[:1] == [event]


def is_first_at_fault(found: Record, event: int) -> bool:
    """Whether all stands as it was written up to ``event``, and that is found to be at fault."""
    assert found.pieces[:event] == game()[:event]
    reading = so_far(event)
    assert reading.faults == []
    *_, changed = look_ahead([*game()[: min(event, 1)], found.pieces[event]])
    judge(reading, event, changed)
    return [fault.event for fault in reading.faults][:1] == [event]


def so_far(event: int) -> Reading:
    """The audit of the game before ``event``, to go on with."""
    before = sound_up_to(event)
    own = {each.name: getattr(before, each.name) for each in dataclasses.fields(before)}
    lists = {name: deepcopy(x) for name, x in own.items() if isinstance(x, list | set | dict)}
    return dataclasses.replace(before, **lists)


@cache
def sound_up_to(event: int) -> Reading:
    return judged(game()[:event], (), TRUST) if event else Reading(TRUST)


@pytest.mark.parametrize("event", [*range(LAST + 1), None])
def test_no_byte_changes_unseen(event: int | None) -> None:
    """Every byte of the record twice: its lowest bit flipped, and another value drawn.

    What precedes the event is sound and was judged once; every fiftieth time all is judged anew.
    """
    chance = random.Random(f"changes {event}")
    inside = {offset for span in spans() for offset in span}
    offsets = sorted(set(range(len(DATA))) - inside) if event is None else spans()[event]
    for offset in offsets:
        for changed in (DATA[offset] ^ 1, (DATA[offset] + chance.randint(1, 255)) % 256):
            data = DATA[:offset] + bytes([changed]) + DATA[offset + 1 :]
            whole = event is None or chance.random() < 0.02
            assert names_the_place(data, offset, whole=whole), (offset, changed)


def test_the_bytes_between_events_are_the_file() -> None:
    inside = {offset for span in spans() for offset in span}
    assert len(DATA) - len(inside) == len(HEAD) + len(TAIL) + LAST


@pytest.mark.parametrize("seed", range(4))
def test_no_byte_goes_unseen(seed: int) -> None:
    chance = random.Random(seed)
    for offset in [0, len(HEAD), len(DATA) - 1, *chance.sample(range(len(DATA)), 150)]:
        data = DATA[:offset] + DATA[offset + 1 :]
        assert names_the_place(data, offset), offset


@pytest.mark.parametrize("seed", range(4))
def test_no_byte_comes_unseen(seed: int) -> None:
    chance = random.Random(seed)
    for offset in [0, len(HEAD), len(DATA), *chance.sample(range(len(DATA)), 150)]:
        added = bytes([chance.choice([*b' \n\t,{}[]"Aa0=', chance.randrange(256)])])
        data = DATA[:offset] + added + DATA[offset:]
        assert names_the_place(data, offset), (offset, added)


@pytest.mark.parametrize(
    ("offset", "words"),
    [
        (3, "The beginning of the file is damaged."),
        (spans()[3].stop, "The file is damaged between events 3 and 4."),
        (spans()[LAST].stop, "The end of the file is damaged, cut off, or of another format."),
        (len(DATA) - 1, "The end of the file is damaged, cut off, or of another format."),
    ],
)
def test_damage_around_the_events_leaves_them_whole(offset: int, words: str) -> None:
    found = read(DATA[:offset] + b"~" + DATA[offset + 1 :])
    assert found.frame == (words,)
    assert found.pieces == game()


def test_space_around_events_is_damage() -> None:
    before = read(DATA.replace(HEAD, HEAD + b" "))
    assert before.frame == ("The file is damaged before event 0.",)
    assert before.pieces == game()
    after = read(DATA.replace(TAIL, b" " + TAIL))
    assert after.frame == (f"The file is damaged after event {LAST}.",)
    assert after.pieces == game()


@pytest.mark.parametrize("event", [0, 5, LAST])
def test_damage_to_one_event_leaves_the_others(event: int) -> None:
    for offset in (spans()[event].start, spans()[event].start + 40, spans()[event].stop - 2):
        found = read(DATA[:offset] + b"~" + DATA[offset + 1 :])
        assert found.frame == ()
        assert len(found.pieces) == LAST + 1
        assert isinstance(found.pieces[event], Damage)
        assert readable(found) == [each for n, each in enumerate(game()) if n != event]


# -- cut off -------------------------------------------------------------------------------


def test_a_record_cut_off_anywhere() -> None:
    chance = random.Random("cuts")
    edges = [edge + by for span in spans() for edge in (span.start, span.stop) for by in (0, 1)]
    for end in [*edges, *chance.sample(range(len(HEAD), len(DATA)), 300)]:
        found = read(DATA[:end])
        assert "cut off" in found.frame[0]
        whole = [each for each, span in zip(game(), spans(), strict=True) if span.stop <= end]
        assert readable(found) == whole
        assert audit(found.pieces, found.frame, TRUST).verdict == "faults"


@pytest.mark.parametrize(
    ("events", "words"),
    [
        (
            15,
            "Ends at event 14, closed with a win for swedes (goal); countersigned by Alba and Bru",
        ),
        (
            14,
            "Ends at event 13, closed with a win for swedes (goal); countersigned by Alba, not by",
        ),
        (13, "Ends at event 12, closed with a win for swedes (goal); countersigned by nobody."),
        (12, "Ends at event 11, not closed: over with a win for swedes (goal)."),
        (11, "Ends at event 10, not closed: the game is not over."),
        (1, "Ends at event 0, not closed: the game is not over."),
    ],
)
def test_a_cut_record_written_anew_is_a_valid_beginning(events: int, words: str) -> None:
    """Nothing inside can show it; the audit says where it ends, and the head on the score sheet
    finds it out."""
    data = write(game()[:events])
    report = audited(data)
    assert report.verdict == "sound"
    assert any(text.startswith(words) for text in report.statements), report.statements
    assert any("cut off at its end" in text for text in report.statements)
    head = audited(data, Trust(documents=rulings.digests(), head=game()[-1].hash))
    assert said(head) == ([] if events == 15 else [(None, "wrong-head")])


@pytest.mark.parametrize("end", range(len(HEAD)))
def test_a_record_cut_off_in_its_first_bytes(end: int) -> None:
    with pytest.raises(Unreadable, match="no record"):
        read(DATA[:end])


# -- events that come, go and change places ------------------------------------------------


@pytest.mark.parametrize(
    ("change", "faults"),
    [
        (lambda e: [*e[:6], *e[5:]], [(6, "bad-seq")]),
        (lambda e: [*e, e[LAST]], [(LAST + 1, "bad-seq")]),
        (lambda e: [e[0], *e], [(1, "wrong-match"), (2, "bad-seq")]),
        (lambda e: [*e[:5], *e[6:]], [(5, "bad-seq")]),
        (
            lambda e: [*e[:5], e[6], e[5], *e[7:]],
            [(5, "bad-seq"), (6, "bad-seq"), (7, "bad-seq")],
        ),
        (lambda e: list(e[1:]), [(0, "not-opened")]),
    ],
    ids=["doubled", "last doubled", "opened doubly", "dropped", "swapped", "without its opening"],
)
def test_events_out_of_order(
    change: Callable[[tuple[Envelope, ...]], list[Envelope]],
    faults: list[tuple[int | None, str]],
) -> None:
    """Each break of the order is told once, with the number of the place where it stands."""
    report = audited(write(change(game())))
    assert said(report)[: len(faults)] == faults
    assert len(report.faults) <= len(faults) + 1
    assert report.verdict == "faults"


def test_the_events_of_two_matches() -> None:
    other = game("22" * 16)
    assert other[0].hash != game()[0].hash
    mixed = [*game()[:5], other[5], *game()[6:]]
    assert said(audited(write(mixed))) == [(5, "wrong-match"), (6, "bad-chain")]
    mixed = [*game()[:5], *other[5:]]
    assert {code for _, code in said(audited(write(mixed)))} == {"wrong-match"}
    inserted = [*game()[:5], other[5], *game()[5:]]
    assert said(audited(write(inserted)))[:2] == [(5, "wrong-match"), (6, "bad-seq")]


# -- what is no record ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        b"not JSON",
        b"{}",
        b"[]",
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b"\xff\xfe" + "{}".encode("utf-16-le"),
        b'[Event "Casual game"]\n\n1. e4 e5 *\n',
        bytes(4096),
    ],
    ids=lambda data: ascii(data[:12]),
)
def test_what_is_no_record(data: bytes) -> None:
    with pytest.raises(Unreadable, match="no record") as caught:
        read(data)
    assert caught.value.code == "not-a-record"


def test_a_file_too_large_is_not_read() -> None:
    with pytest.raises(Unreadable) as caught:
        read(bytes(record.MAX_RECORD + 1))
    assert caught.value.code == "too-large"


@pytest.mark.parametrize(
    "inside",
    [
        b"[" * 100_000,
        b'{"payload":"' + b"[" * 100_000 + b'"}]}',
        b'{"payload":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"payload":"' * 20_000,
        b'{"payload":"","payloadType":"","signatures":[{"keyid":"","sig":""}]}',
        b"null",
        b"\xff" * 1000,
    ],
    ids=lambda inside: ascii(inside[:16]),
)
def test_rubbish_in_the_frame_of_a_record(inside: bytes) -> None:
    report = audited(HEAD + inside + TAIL)
    assert report.verdict == "faults"
    assert {fault.code for fault in report.faults} <= {
        "not-an-envelope",
        "file-damaged",
        "empty",
        "foreign-payload",
        "too-large",
    }


def test_nested_brackets_signed_by_the_arbiter() -> None:
    for payload in (b"[" * 50_000, b'{"a":' * 9_000 + b"1" + b"}" * 9_000):
        event = seal(payload, ARBITER.public, ARBITER.sign)
        assert said(audited(write([event])))[0][0] == 0
        assert said(audited(write([*game()[:4], event])))[0][0] == 4


BEGINNING = "The beginning of the file is damaged."
END = "The end of the file is damaged, cut off, or of another format."


@pytest.mark.parametrize(
    ("data", "frame"),
    [
        (b"\xef\xbb\xbf" + DATA, (BEGINNING,)),
        (DATA[:-1], (END,)),
        (DATA[:-1] + b"\r\n", (END,)),
        (DATA + b"\n", (END,)),
        (DATA.replace(b"record/1", b"record/2"), (END,)),
        (b" " + DATA, (BEGINNING,)),
        (DATA[1:-1], (BEGINNING, END)),
    ],
    ids=["BOM", "no newline", "CRLF", "two newlines", "record/2", "space", "no frame"],
)
def test_a_file_that_was_touched_by_an_editor(data: bytes, frame: tuple[str, ...]) -> None:
    """The events are whole and are judged; the file is not the one that was written."""
    found = read(data)
    assert found.frame == frame
    assert found.pieces == game()
    assert said(audited(data)) == [(None, "file-damaged")] * len(frame)


def test_lines_broken_between_events() -> None:
    found = read(DATA.replace(b"},{", b"},\r\n{"))
    assert found.pieces == game()
    assert len(found.frame) == LAST


def test_two_records_in_one_file() -> None:
    report = audited(DATA + write(game("22" * 16)))
    assert report.faults[0].text == "More than one record is in this file."
    assert (LAST + 1, "wrong-match") in said(report)
    assert report.verdict == "faults"


def test_a_file_of_nothing_but_beginnings_is_not_read() -> None:
    with pytest.raises(Unreadable) as caught:
        read(HEAD + b'{"payload":"' * (record.MAX_EVENTS + 1) + TAIL)
    assert caught.value.code == "too-large"
