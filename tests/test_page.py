"""The face of the verifying page, in a real browser: what it says of records, good and bad."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from match import Match, opened, sealed
from msgspec.structs import replace
from pagereader import CHECKS, GOLDEN_NAMES, Reader, golden, sign_anew, tampered
from table import ARBITER, BOTH, SHORT_GAME, STRANGER

from ledger import envelope, page, positions, record
from ledger.events import EVENT_TYPES, Nothing, Remark, Seat
from ledger.fold import begin

pytest_plugins = ["browser"]

TABLUT, TABULA, TABLERO = "v1-tablut-ruled", "v1-tabula", "v1-tablero-called"


def written(match: Match) -> bytes:
    return record.write(map(sealed, match.state.entries), positions.write(match.state))


def flipped(place: int) -> Callable[[bytes], bytes]:
    """One bit of a byte the other way."""
    return lambda data: bytes([*data[:place], data[place] ^ 1, *data[place:][1:]])


def swapped(old: bytes, new: bytes) -> Callable[[bytes], bytes]:
    def swap(data: bytes) -> bytes:
        assert old in data
        return data.replace(old, new, 1)

    return swap


def diced() -> Match:
    """Two rolls of Tabula, made by both players."""
    match = Match(ruleset="tabula", dice=BOTH)
    while len(match.state.rolling.rolls) < 3:
        if match.state.game.wanted(match.state.position):
            match.roll()
        else:
            match.play_any()
    return match


# -- what is right -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GOLDEN_NAMES)
def test_nothing_is_wrong_in_an_untouched_record(reader: Reader, name: str) -> None:
    data, state = golden(name)
    reader.open(data)
    assert reader.judged() == "sound"
    assert reader.text("#verdict") == "Nothing wrong found in what this page checks"
    checks = reader.checks()
    assert tuple(checks) == CHECKS
    assert {checks[each] for each in CHECKS[:-1]} == {"ok"}
    assert checks["dice"] == ("ok" if state.contributors else "none")
    assert not reader.faults()
    assert reader.text("#head").replace(" ", "").replace("\n", "") == state.head
    told = reader.page.locator(".events li").all_inner_texts()
    assert len(told) == len(state.entries)
    for text in told:
        assert not any(words in text for words in ("does not know", "not here", "?", "undefined"))
    signed = [state.roster[role].name for role in state.countersigned]
    assert all(name in reader.text(".end") for name in signed)


@pytest.mark.parametrize(
    ("width", "scheme", "name", "event"),
    [
        (320, "light", "v1-tablut-scribe", 6),
        (320, "dark", "v1-tabula-on-the-table", 9),
        (1280, "light", "v1-tablero-called", 27),
        (1280, "dark", "v1-tabula", 33),
    ],
)
def test_nobody_is_shut_out(reader: Reader, width: int, scheme: str, name: str, event: int) -> None:
    reader.page.set_viewport_size({"width": width, "height": 800})
    reader.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    reader.open(golden(name)[0], f"#e{event}")
    assert not reader.barriers()
    assert not reader.sideways()


@pytest.mark.parametrize(("width", "scheme"), [(320, "dark"), (1280, "light")])
def test_nobody_is_shut_out_of_bad_news(reader: Reader, width: int, scheme: str) -> None:
    reader.page.set_viewport_size({"width": width, "height": 800})
    reader.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    reader.open()
    reader.drop(b"no record")
    assert reader.status()
    assert not reader.barriers()
    assert not reader.sideways()
    reader.open(tampered(golden("v1-tablut")[0], 9, signature=flipped(40)), "#e9")
    assert reader.judged() == "faults"
    assert not reader.barriers()
    assert not reader.sideways()


def test_buttons_can_be_hit_with_a_thumb(reader: Reader) -> None:
    reader.page.set_viewport_size({"width": 320, "height": 640})
    reader.open(golden(TABLUT)[0])
    for button in reader.page.locator(".controls button").all():
        box = button.bounding_box()
        assert box
        assert box["width"] >= 44
        assert box["height"] >= 44


def test_a_hall_screen_has_a_large_board(reader: Reader) -> None:
    reader.page.set_viewport_size({"width": 1920, "height": 1080})
    reader.open(golden(TABLUT)[0])
    box = reader.page.locator(".board").bounding_box()
    assert box
    assert box["height"] > 800


def test_paper_has_the_report_and_the_moves_but_no_buttons(reader: Reader) -> None:
    reader.open(golden(TABLUT)[0])
    reader.page.emulate_media(media="print")
    for shown in ("#verdict", "[data-check=chain]", "#head", ".board", "#e0", "#e43"):
        assert reader.page.locator(shown).is_visible()
    for hidden in ("button", "#file", "#head-field", ".chooser"):
        assert not reader.page.locator(hidden).first.is_visible()
    box = reader.page.locator(".events").evaluate("list => list.scrollHeight - list.clientHeight")
    assert box <= 1


# -- what is wrong -------------------------------------------------------------------------------


def test_a_changed_byte_of_a_payload_breaks_signature_and_chain(reader: Reader) -> None:
    data, _ = golden(TABLUT)
    reader.open(tampered(data, 5, payload=swapped(b'"at":"2026', b'"at":"2025')))
    assert reader.judged() == "faults"
    assert reader.text("#verdict").startswith("FAULTS: ")
    assert {("5", "bad-signature"), ("6", "bad-chain")} <= reader.faults()
    assert reader.checks()["signature"] == reader.checks()["chain"] == "fault"
    assert reader.page.get_attribute("#e5", "data-state") == "fault"
    assert "FAULT: " in reader.text("#e5")
    reader.page.click("li[data-code=bad-signature] a")
    assert reader.at() == 5
    assert "wrong: signature" in reader.text(".particulars")


def test_a_changed_signature_is_named(reader: Reader) -> None:
    reader.open(tampered(golden(TABLUT)[0], 7, signature=flipped(3)))
    assert ("7", "bad-signature") in reader.faults()
    assert reader.checks()["signature"] == "fault"
    assert reader.checks()["chain"] == "ok"
    assert "wrong" in reader.text("[data-check=signature]")


def test_a_changed_key_is_named(reader: Reader) -> None:
    reader.open(tampered(golden(TABLUT)[0], 3, keyid=STRANGER.public.fingerprint))
    assert {event for event, _ in reader.faults()} >= {"3"}
    assert "fault" in (reader.checks()["signature"], reader.checks()["authority"])


def test_a_commitment_changed_by_its_own_key_is_found_by_the_dice(reader: Reader) -> None:
    match = diced()
    seq = next(e.event.seq for e in match.state.entries if hasattr(e.event.data, "commitment"))
    reader.open(sign_anew(match, seq, commitment="5a" * 32))
    assert reader.judged() == "faults"
    assert reader.checks()["signature"] == "ok"
    assert reader.checks()["dice"] == "fault"


def test_an_opening_changed_by_its_own_key_is_found_by_the_dice(reader: Reader) -> None:
    match = diced()
    seq = match.state.rolling.rolls[-1].seq
    reader.open(sign_anew(match, seq, nonce="5a" * 32))
    assert reader.checks()["signature"] == "ok"
    assert reader.checks()["dice"] == "fault"
    assert str(seq) in {event for event, _ in reader.faults()}


def test_an_event_by_somebody_who_may_not_is_found_by_the_roster(reader: Reader) -> None:
    match = Match()
    entry = match.next("seat.accepted", Nothing(), "witness1")
    reader.open(record.write(map(sealed, [*match.state.entries, entry])))
    assert reader.checks()["signature"] == "ok"
    assert reader.checks()["authority"] == "fault"
    assert {event for event, _ in reader.faults()} == {str(entry.event.seq)}


def test_an_event_left_out_is_found_by_the_chain(reader: Reader) -> None:
    data, _ = golden(TABLUT)
    pieces = list(record.read(data).pieces)
    del pieces[8]
    reader.open(record.write(pieces))  # type: ignore[arg-type]
    assert reader.checks()["chain"] == "fault"


def test_a_file_that_was_cut_off_is_read_as_far_as_it_goes(reader: Reader) -> None:
    data, _ = golden(TABLUT)
    reader.open()
    reader.drop(data[: len(data) // 3])
    assert reader.judged() == "faults"
    assert reader.checks()["file"] == "fault"
    assert reader.page.locator(".events li").count() > 3


def test_a_browser_that_cannot_check_signatures_says_so(reader: Reader) -> None:
    reader.page.add_init_script(
        "crypto.subtle.importKey = () => Promise.reject(new DOMException('', 'NotSupportedError'))"
    )
    reader.open(golden(TABLUT)[0])
    assert reader.judged() == "could-not-check"
    assert reader.text("#verdict") == "Could not check all"
    assert set(reader.checks().values()) == {"unchecked"}
    assert "Firefox" in reader.text(".unchecked")
    assert not reader.barriers()


# -- the head ------------------------------------------------------------------------------------


def test_the_head_of_the_score_sheet_is_compared(reader: Reader) -> None:
    data, state = golden(TABLUT)
    earlier = state.entries[-3].hash
    reader.open(data)
    answers = {
        state.head: "same",
        state.head[:32]: "same",
        " ".join(state.head[n : n + 4] for n in range(0, 64, 4)).upper(): "same",
        state.head[:31]: "unreadable",
        state.head + "0": "unreadable",
        "not a hash at all, but words": "unreadable",
        f"{'0' * 31}1": "different",
        state.head[:32] + "0" * 32: "different",
        earlier: "earlier",
        "": "none",
    }
    for typed, answer in answers.items():
        reader.page.fill("#head-field", typed)
        assert reader.page.get_attribute("#head-answer", "data-head") == answer, typed
    reader.page.fill("#head-field", earlier)
    assert f"event {len(state.entries) - 3}" in reader.text("#head-answer")
    reader.page.fill("#head-field", "0" * 64)
    assert "Not the same" in reader.text("#head-answer")


# -- files ---------------------------------------------------------------------------------------


def test_before_a_record_the_page_says_what_it_is(reader: Reader) -> None:
    reader.open()
    assert reader.page.locator("#welcome").is_visible()
    assert not reader.page.locator("#carried").is_visible()
    assert "cannot know" in reader.text("main")
    reader.page.set_input_files("#file", [_file(golden(TABLUT)[0])])
    assert reader.judged() == "sound"
    assert not reader.page.locator("#welcome").is_visible()
    assert not reader.page.locator("#carried").is_visible()


def test_a_page_with_a_record_is_dropped_on_the_page_that_everybody_has(reader: Reader) -> None:
    data, state = golden(TABULA)
    reader.open()
    reader.drop(page.with_record(data), name="match.html")
    assert reader.judged() == "sound"
    assert reader.page.locator(".events li").count() == len(state.entries)
    assert not reader.page.locator("#carried").is_visible()


def test_a_page_with_a_record_inside_warns_of_itself(reader: Reader) -> None:
    reader.open(golden(TABULA)[0])
    assert "proves nothing" in reader.text("#carried")
    reader.drop(golden(TABLUT)[0])
    reader.page.wait_for_selector("[data-role=swedes]")
    assert reader.judged() == "sound"
    assert "This page itself came with a record" in reader.text("#carried")
    assert "The record came inside" not in reader.text("#carried")


def test_a_wrong_file_gets_a_sentence(reader: Reader) -> None:
    data, _ = golden(TABLUT)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("match.tabellion.json", data)
    reader.open()
    for files, words in (
        ([], "No file"),
        ([b""], "empty"),
        ([data, data], "2 files"),
        ([packed.getvalue()], "Unpack it first"),
        ([page.page()], "without a record"),
        ([b"SQLite format 3\0" + bytes(100)], "ledger"),
        ([b"\x89PNG\r\n\x1a\n" + bytes(100)], "picture"),
        ([b'[Event "Spring meet"]\n1. e3-f3'], "no record"),
        ([b'{"events":{}}'], "no record"),
        ([bytes(range(256)) * 9], "no record"),
    ):
        reader.drop(data)
        reader.judged()
        reader.drop(*files)
        assert words in reader.status()
        assert reader.page.evaluate("document.documentElement.dataset.verdict") is None
        assert not reader.text("#report")
    reader.drop(data)
    assert reader.judged() == "sound"


def _file(data: bytes) -> dict[str, object]:
    return {"name": "match.tabellion.json", "mimeType": "application/json", "buffer": data}


# -- hostile words -------------------------------------------------------------------------------

HOSTILE = (
    '<img src="x" onerror="window.hit = 1">',
    '"><script>window.hit = 1</script>',
    "<svg onload='window.hit = 1'></svg>",
    "</script><script>window.hit = 1</script>",
    "javascript:window.hit=1//<!--",
    "שלום (arbiter)",
    "A" * 80,
)


def test_names_and_notes_are_text_whatever_they_say(reader: Reader) -> None:
    match = Match(play=False)
    one, other, third, *_ = HOSTILE
    seats = {
        role: replace(seat, name=name)
        for (role, seat), name in zip(match.state.opening.seats.items(), (one, other), strict=True)
    }
    arbiter = replace(match.state.opening.arbiter, name=third)
    match.state = begin(
        opened(replace(match.state.opening, seats=seats, arbiter=arbiter, event=third))
    )
    for seat in ("swedes", "muscovites"):
        match.accept(seat)
    match.play(*SHORT_GAME[:2])
    said = {match.write("note", Remark(text=text), "arbiter"): text for text in HOSTILE}
    reader.page.set_viewport_size({"width": 320, "height": 640})
    reader.open(written(match))
    assert reader.judged() == "sound"
    assert reader.page.evaluate("window.hit") is None
    assert not reader.page.locator("#report img, #report script, .listed svg").count()
    for seq, text in said.items():
        assert text in reader.text(f"#e{seq}")
        assert text in reader.page.locator(f"#e{seq} bdi").all_inner_texts()
    alone = reader.page.locator(".parties h3 bdi").all_inner_texts()
    assert {one, other, third} <= {*alone}
    assert not reader.sideways()


def test_signs_that_nobody_sees_are_spelled_out(reader: Reader) -> None:
    match = Match(play=False)
    seats = dict(match.state.opening.seats)
    seats["muscovites"] = Seat(name="Al\u200bba\u00a0B", key=seats["muscovites"].key)
    match.state = begin(opened(replace(match.state.opening, seats=seats)))
    reader.open(written(match))
    assert "Al‹U+200B›ba‹U+00A0›B" in reader.text(".parties")


JUNK = (None, 7, "x", [], [None], {"__proto__": 1}, {"constructor": {"prototype": 1}}, [[[[[]]]]])


@pytest.mark.parametrize("kind", ["data", "around"])
def test_events_that_say_anything_at_all_are_listed(reader: Reader, kind: str) -> None:
    match = Match()
    envelopes = list(map(sealed, match.state.entries))
    members = ("move", "effects", "seats", "ruleset", "dice", "offer", "split", "role", "sha256")
    for place, (name, junk) in enumerate(product(EVENT_TYPES, JUNK), len(envelopes)):
        said = dict.fromkeys(members, junk) if place % 2 else junk
        event: dict[str, Any] = {"v": 1, "seq": place, "by": "arbiter", "at": "x", "type": name}
        event |= {"data": said} if kind == "data" else {"data": {}, "by": junk, "for": junk}
        payload = json.dumps(event, separators=(",", ":"), sort_keys=True).encode()
        envelopes.append(envelope.seal(payload, ARBITER.public, ARBITER.sign))
    reader.open(record.write(envelopes))
    assert reader.judged() == "faults"
    assert reader.page.locator(".events li").count() == len(envelopes)
    assert reader.page.locator(".events li[data-state=fault]").count() >= len(EVENT_TYPES)
    reader.page.focus(".controls button")
    for _ in range(40):
        reader.page.keyboard.press("ArrowLeft")
    assert reader.at() == len(envelopes) - 41
