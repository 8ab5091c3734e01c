"""The page's verifier: a record with one break in each thing that it checks, and odd files.

Every broken record is put before the audit too: both name the same event and the same code.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from match import SPARE_KEYS, Match, sealed
from secondopinion import NODE, Opinion, audited, faults_of, of_events, opinion, opinions
from table import ALBA, ARBITER, BRUNO, STRANGER
from test_publickey import LOW_ORDER, TORSION, add, decode, encode

from ledger import canonical, consent, positions, record
from ledger import envelope as envelopes
from ledger.envelope import Envelope
from ledger.events import Replacement
from ledger.keys import SigningKey
from ledger.publickey import PublicKey

pytestmark = pytest.mark.skipif(NODE is None, reason="Node is not installed")
VERIFIER = (Path(__file__).parent.parent / "ledger" / "page" / "verifier" / "verify.mjs").as_uri()


# -- one thing broken ----------------------------------------------------------------------------


@cache
def played() -> Match:
    """0 opening, 1 2 acceptances, 3 to 6 moves, 7 a new key for Alba, 8 she accepts, 9 a move."""
    match = Match()
    match.play("e3-f3", "e2-h2", "e4-e2", "h2-h3")
    message = consent.message(match.state.match, "swedes", "Alba", SPARE_KEYS[0].public.line)
    match.replace_key("swedes", SPARE_KEYS[0], consent=ALBA.sign(message).hex())
    match.accept("swedes")
    match.move("Ke5-e3", "swedes")
    return match


def events() -> list[Envelope]:
    return list(map(sealed, played().state.entries))


def payload_of(number: int, **changes: Any) -> bytes:
    """The payload of an event with other members; ``...`` takes one away."""
    members = json.loads(events()[number].payload) | changes
    kept = {name: value for name, value in members.items() if value is not ...}
    return json.dumps(kept, separators=(",", ":"), sort_keys=True, ensure_ascii=False).encode()


def by_key(number: int, key: SigningKey, **changes: Any) -> list[Envelope]:
    """The match with one event changed and signed by ``key``; what follows hangs on the old one."""
    found = events()
    found[number] = envelopes.seal(payload_of(number, **changes), key.public, key.sign)
    return found[: number + 1]


def text_with(number: int, change: Callable[[bytes], bytes]) -> bytes:
    found = [each.text() for each in events()]
    found[number] = change(found[number])
    return b'{"events":[' + b",".join(found) + b'],"format":"tabellion-record/1"}\n'


def unpadded(text: bytes) -> bytes:
    return text.replace(b'="}]}', b'"}]}')


def stray_bits(text: bytes) -> bytes:
    """The last character before the padding says more bits than there are bytes."""
    at = text.index(b'=="}]}') - 1
    alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    other = alphabet[alphabet.index(text[at]) + 1]
    return text[:at] + bytes([other]) + text[at + 1 :]


def spaced(text: bytes) -> bytes:
    return text.replace(b',"payloadType"', b', "payloadType"')


def signed_twice(text: bytes) -> bytes:
    start = text.index(b'{"keyid"')
    return text[:-2] + b"," + text[start:-2] + b"]}"


def misspelt(payload: bytes) -> bytes:
    found = events()
    found[4] = envelopes.seal(payload, BRUNO.public, BRUNO.sign)
    return record.write(found)


WEAK = f"ssh-ed25519 {PublicKey((1).to_bytes(32, 'little')).line.split()[1]}"
MIXED = PublicKey(encode(add(TORSION[7], decode(ALBA.public.raw) or TORSION[0]))).line


def with_key(line: str, **changes: Any) -> bytes:
    given = Replacement(role="muscovites", name="Bruno", reason="Lost.", key=line, **changes)
    return record.write([*events(), sealed(played().next("key.replaced", given, "arbiter"))])


def low_order_signature() -> bytes:
    found = events()
    old = found[9]
    found[9] = Envelope(old.payload, LOW_ORDER[0] + old.signature[32:], old.keyid)
    return record.write(found)


def dead_key() -> bytes:
    """Alba signs with the key that was replaced."""
    return record.write(by_key(9, ALBA))


def with_opening(**changes: Any) -> bytes:
    members = json.loads(events()[0].payload)
    members["data"] |= changes
    payload = json.dumps(members, separators=(",", ":"), sort_keys=True, ensure_ascii=False)
    return record.write([envelopes.seal(payload.encode(), ARBITER.public, ARBITER.sign)])


OTHER = "0" * 64
BROKEN: dict[str, tuple[Callable[[], bytes], int | None, str]] = {
    "space in an envelope": (lambda: text_with(4, spaced), 4, "not-canonical"),
    "base64 without padding": (lambda: text_with(4, unpadded), 4, "not-an-envelope"),
    "base64 with stray bits": (lambda: text_with(4, stray_bits), 4, "not-canonical"),
    "another payload type": (
        lambda: text_with(4, lambda text: text.replace(b"event.v1", b"event.v9")),
        4,
        "foreign-payload",
    ),
    "two signatures": (lambda: text_with(4, signed_twice), 4, "not-one-signature"),
    "no event at all": (lambda: text_with(4, lambda _: b'{"payload":"'), 4, "not-an-envelope"),
    "space in a payload": (
        lambda: misspelt(payload_of(4).replace(b",", b", ", 1)),
        4,
        "not-canonical",
    ),
    "an absent field as null": (
        lambda: record.write(by_key(4, BRUNO, **{"for": None})),
        4,
        "not-canonical",
    ),
    "an unknown field": (lambda: record.write(by_key(4, BRUNO, extra=1)), 4, "bad-event"),
    "a field too few": (lambda: record.write(by_key(4, BRUNO, data={})), 4, "bad-event"),
    "a 31st of February": (
        lambda: record.write(by_key(4, BRUNO, at="2026-02-31T10:00:00Z")),
        4,
        "bad-event",
    ),
    "another match": (lambda: record.write(by_key(4, BRUNO, match=OTHER)), 4, "wrong-match"),
    "a number left out": (lambda: record.write(by_key(4, BRUNO, seq=5)), 4, "bad-seq"),
    "another event before": (lambda: record.write(by_key(4, BRUNO, prev=OTHER)), 4, "bad-chain"),
    "an event dropped": (lambda: record.write([*events()[:4], *events()[5:]]), 4, "bad-seq"),
    "an opening with a number": (lambda: record.write(by_key(0, ARBITER, seq=1)), 0, "bad-chain"),
    "no opening": (lambda: record.write(events()[1:]), 0, "not-opened"),
    "words changed later": (
        lambda: record.write(
            [
                Envelope(payload_of(9, data={"move": "Ke5-e4"}), each.signature, each.keyid)
                if number == 9
                else each
                for number, each in enumerate(events())
            ]
        ),
        9,
        "bad-signature",
    ),
    "a signature of low order": (low_order_signature, 9, "bad-signature"),
    "a stranger's key": (lambda: record.write(by_key(4, STRANGER)), 4, "wrong-signer"),
    "a dead key": (dead_key, 9, "wrong-signer"),
    "a role that nobody has": (
        lambda: record.write(by_key(4, BRUNO, by="white")),
        4,
        "unknown-role",
    ),
    "a key of low order": (lambda: with_key(WEAK), 10, "weak-key"),
    "a key of mixed order": (lambda: with_key(MIXED), 10, "weak-key"),
    "a key of somebody else": (lambda: with_key(ALBA.public.line), 10, "key-twice"),
    "a consent by nobody": (
        lambda: with_key(SPARE_KEYS[3].public.line, consent="00" * 64),
        10,
        "bad-consent",
    ),
    "one key, two roles": (
        lambda: with_opening(appeal={"name": "Ana", "key": BRUNO.public.line}),
        0,
        "key-twice",
    ),
    "seats of another game": (
        lambda: with_opening(seats={"white": {"name": "A"}, "black": {"name": "B"}}),
        0,
        "wrong-seats",
    ),
    "dice in a game without": (
        lambda: with_opening(dice={"scheme": "physical/1", "confirm": False}),
        0,
        "no-dice",
    ),
    "the end cut off": (lambda: record.write(events())[:-10], None, "file-damaged"),
    "the beginning cut off": (lambda: record.write(events())[3:], None, "file-damaged"),
    "two records": (lambda: record.write(events()) * 2, None, "file-damaged"),
    "nothing in it": (lambda: record.write([]), None, "empty"),
}


@cache
def broken() -> dict[str, tuple[bytes, Opinion]]:
    texts = [make() for make, _, _ in BROKEN.values()]
    return dict(zip(BROKEN, zip(texts, opinions(texts), strict=True), strict=True))


@pytest.mark.parametrize("what", BROKEN)
def test_both_find_what_is_broken(what: str) -> None:
    _, event, code = BROKEN[what]
    text, page = broken()[what]
    assert faults_of(audited(text))[0] == (event, code)
    assert faults_of(page)[0] == (event, code)
    assert page["verdict"] == "faults"
    assert page["faults"][0]["text"].endswith((".", "…"))


def test_the_match_was_sound_before_it_was_broken() -> None:
    page = of_events(events())
    assert (page["verdict"], page["closed"], page["signed"]) == ("sound", False, [])
    first, second = (each for each in page["parties"] if each["role"] == "swedes")
    assert (first["until"], first["putInBy"], first["consent"]) == (7, None, None)
    assert (second["since"], second["putInBy"], second["consent"]) == (7, "arbiter", True)
    assert second["keyid"] == SPARE_KEYS[0].public.fingerprint


def test_damage_to_one_event_leaves_the_others_readable() -> None:
    page = opinion(text_with(4, lambda text: text[:20] + b"!" + text[21:]))
    assert [each["event"] is not None for each in page["events"]] == [
        number != 4 for number in range(10)
    ]
    assert faults_of(page) == [(4, "not-an-envelope")]
    assert page["events"][9]["checks"] == {
        "form": True,
        "signature": True,
        "chain": True,
        "authority": True,
        "dice": None,
    }


def test_what_a_later_version_may_know_is_no_fault_if_a_key_of_the_match_signed_it() -> None:
    for changes in ({"v": 2}, {"type": "chess.castled"}):
        page = of_events(by_key(4, BRUNO, **changes))
        assert (page["verdict"], page["faults"]) == ("could-not-check", [])
        assert page["unchecked"][0].startswith("Event 4: ")
        stranger = by_key(4, STRANGER, **changes)
        assert of_events(stranger)["verdict"] == "faults"
        assert audited(record.write(stranger)).verdict == "faults"


def test_a_game_that_is_not_known_is_not_judged() -> None:
    ruleset = json.loads(events()[0].payload)["data"]["ruleset"]
    text = with_opening(ruleset=ruleset | {"game": "chess"})
    page = opinion(text)
    assert (page["verdict"], page["faults"]) == ("could-not-check", [])
    assert "chess" in page["unchecked"][0]
    assert audited(text).verdict == "could-not-check"


# -- what the file is like -----------------------------------------------------------------------


def page_around(text: bytes) -> bytes:
    return (
        b'<!DOCTYPE html>\n<html lang="en"><title>A match</title>\n'
        b"<script>const head = '{\"events\":[';</script>\n"
        b'<script type="application/json" id="record">\n' + text + b"</script>\n</html>\n"
    )


def test_an_exported_page_is_as_good_as_the_record_in_it() -> None:
    text = record.write(events())
    mailed = page_around(text).replace(b"\n", b"\r\n")
    alone, inside, by_mail, twice, none = opinions(
        [text, page_around(text), mailed, page_around(text * 2), page_around(b"\n")]
    )
    for carried in (inside, by_mail):
        assert carried | {"milliseconds": 0} == alone | {"milliseconds": 0}
    assert faults_of(twice) == [(None, "file-damaged")]
    assert faults_of(none) == [(None, "not-a-record")]


def test_boards_are_shown_as_they_are_carried() -> None:
    state = played().state
    carried = positions.write(state)
    text = record.write(events(), carried)
    page = opinion(text)
    assert page["verdict"] == "sound"
    assert page["positions"] == list(positions.whole(state))
    assert audited(text).verdict == "sound"


@pytest.mark.parametrize(
    "boards",
    [
        b"",
        b"null",
        b"[" * 100_000,
        b'{"boards":[],"version":1}',
        b'{"boards":[{}],"version":1}',
        b'{"boards":[{"board":{"kind":"grid"},"dice":[],"position":"","turn":null}],"version":1}',
        b'{"boards":[{"__proto__":{"turn":"x"}}],"version":1}',
    ],
    ids=lambda text: text[:30].decode(),
)
def test_damaged_boards_are_a_fault_and_not_shown(boards: bytes) -> None:
    page = opinion(record.write(events()[:1], boards))
    assert (page["verdict"], page["positions"]) == ("faults", None)
    assert page["faults"][0]["check"] == "file"


HOSTILE = {
    "nothing": b"",
    "words": b"hello",
    "beginnings": b'{"payload":"' * 9000,
    "braces": b"{" * 3_000_000,
    "heads": b'{"events":[\n' * 9000,
    "a page of heads": b"<!doctype html>\n" + b'{"events":[\n' * 9000,
    "tails": b'],"format":"tabellion-record/1"' * 9000,
    "an endless event": b'{"events":[{"payload":"' + b"A" * 3_000_000 + b'"}]}],',
    "too many events": b'{"payload":"' * 20_000,
    "too large": bytes(70 * 1024 * 1024),
}


def test_hostile_files_are_faults_or_not_checked_and_nothing_worse() -> None:
    found = dict(zip(HOSTILE, opinions(HOSTILE.values()), strict=True))
    verdicts = {name: page["verdict"] for name, page in found.items()}
    large = {"too many events", "too large"}
    assert verdicts == {name: "could-not-check" if name in large else "faults" for name in HOSTILE}
    said = [text for page in found.values() for text in page["unchecked"]]
    assert not any("could not read" in text for text in said)


@pytest.mark.parametrize("payload", [b"null", b"[]", b"1", b'""', b"{}", b'{"v":1}', b'{"v":"1"}'])
@pytest.mark.parametrize("kind", ["__proto__", "toString", None, 7, {}])
def test_payloads_that_are_no_events_are_named(payload: bytes, kind: object) -> None:
    members = json.loads(payload)
    if isinstance(members, dict):
        members["type"] = kind
    text = misspelt(canonical.encode(members))
    assert faults_of(opinion(text)) == faults_of(audited(text))


def test_a_browser_without_ed25519_says_so_and_judges_nothing() -> None:
    script = (
        "Object.defineProperty(globalThis, 'crypto', { value: {} });"
        f"const {{ verify }} = await import('{VERIFIER}');"
        "console.log(JSON.stringify(await verify(new Uint8Array(9))));"
    )
    assert NODE is not None
    found = subprocess.run(
        [NODE, "--input-type=module", "-e", script], capture_output=True, check=True
    )
    page = json.loads(found.stdout)
    assert (page["verdict"], page["faults"]) == ("could-not-check", [])
    assert "Firefox" in page["unchecked"][0]


def test_a_long_match_is_checked_whole() -> None:
    match = Match()
    for _ in range(600):
        match.note("swedes")
    page = of_events([sealed(each) for each in match.state.entries])
    assert (page["verdict"], len(page["events"])) == ("sound", 603)
