"""Events as bytes: every type written and read the same way, and all else refused by its reason."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger import canonical, envelope, events
from ledger.canonical import MAX_INTEGER
from ledger.errors import Refused, TabellionError
from ledger.events import (
    EVENT_TYPES,
    Adjourned,
    Adjournment,
    Answer,
    AppealDecided,
    Appealed,
    ArbiterReplaced,
    Award,
    Call,
    Called,
    Closing,
    Commitment,
    CommitReveal,
    Complaint,
    Confirmation,
    Countersignature,
    Countersigned,
    Decision,
    DiabloCalled,
    DiceCommitted,
    Dismissed,
    DisputeRaised,
    DisputeSettled,
    DrawClaimed,
    DrawOffer,
    Event,
    Evidence,
    Finished,
    GivenResult,
    KeyReplaced,
    Lying,
    MatchClosed,
    MatchOpened,
    Moved,
    NewContributors,
    Note,
    Nothing,
    Objection,
    OfferAccepted,
    OfferDeclined,
    OfferMade,
    Officer,
    Opened,
    Opening,
    Passed,
    Penalty,
    Physical,
    Play,
    Pulled,
    Ran,
    Remark,
    Replacement,
    Resigned,
    Result,
    Resumed,
    Resumption,
    Rewind,
    RollConfirmed,
    Rolled,
    RollOpened,
    RollRecorded,
    RollVoided,
    RulesInForce,
    Ruling,
    Seat,
    SeatAccepted,
    SetPosition,
    SettlementOffer,
    Settling,
    SignatureRefused,
    Source,
    Stated,
    Stopped,
    Succession,
    TakebackOffer,
    Taking,
    Throw,
    Unsealed,
    Unwilling,
    Verdict,
    Voiding,
    Wagered,
)
from ledger.keys import SigningKey

VECTORS = json.loads((Path(__file__).parent / "conformance/event.json").read_bytes())
ARBITER, WHITE = VECTORS["keys"]["arbiter"]["public"], VECTORS["keys"]["white"]["public"]
HASH = VECTORS["events"][0]["pae_sha256_hash"]
AT = "2026-11-29T18:00:07Z"
LAST_ROLL = 2**32 - 1
"""The highest number of a roll that fits into the hashes."""

Json = dict[str, Any]

# -- one match, an event of each type ------------------------------------------------------------

LEAST = Opening(
    ruleset=RulesInForce(
        game="tablut", name="tablut-edge", version=1, options={"camps": False}, document=HASH
    ),
    seats={"swedes": Seat(name="Nora"), "muscovites": Seat(name="Iván", key=WHITE)},
    arbiter=Officer(name="Zoë Åkesson", key=ARBITER),
    witnesses=(),
    takebacks=True,
    settlements=False,
    sealed_move_unopened="loses",
    nonce="00112233445566778899aabbccddeeff",
)
MOST = msgspec.structs.replace(
    LEAST,
    witnesses=(Officer(name="王 Ling", key=WHITE), Officer(name="😀", key=WHITE)),
    appeal=Officer(name='Jesús "el Monjo"', key=ARBITER),
    dice=CommitReveal(contributors=("white", "black", "arbiter")),
    turn_cap=100_000,
    opening_deadline="two minutes after the throw",
    event="Winter Meeting",
    round="3",
    table="2",
    place="Lleida",
    date="29 November 2026",
    source=Source(format="text", sha256=HASH),
)


def opened(data: Opening) -> MatchOpened:
    return MatchOpened(v=1, seq=0, by="arbiter", at=AT, data=data)


def later(kind: Callable[..., Event], data: object, **fields: object) -> Event:
    """An event further on in a match."""
    common = {"v": 1, "seq": 7, "by": "swedes", "at": AT, "match": HASH, "prev": HASH}
    return kind(**(common | {"data": data} | fields))


SIGNED = "5e" * 64
RULED = Verdict(
    reason="He had left the hall.",
    rule="club rules, 4.2",
    effects=(
        Dismissed(),
        SetPosition(position="/9/9/9/9/4K4/9/9/9/t8/ s"),
        Penalty(seat="swedes", penalty="points_to_opponent"),
        GivenResult(kind="forfeit", winner="muscovites"),
        GivenResult(kind="annulled"),
        Award(roll=LAST_ROLL, dice=(6,)),
        NewContributors(roll=1, contributors=("white", "arbiter")),
        NewContributors(roll=1, contributors=()),
    ),
)
"""All that a ruling can say; the fold is asked whether it may say it at once."""

MATCH: list[Event] = [
    opened(LEAST),
    opened(MOST),
    opened(msgspec.structs.replace(LEAST, dice=Physical(confirm=True))),
    later(SeatAccepted, Nothing()),
    later(Moved, Play(move="e3-d3xd4/f4")),
    later(Moved, Play(move="Ke5-e6"), by="arbiter", for_="swedes"),
    later(Moved, Play(move="hand/3 hand/6", dice=(3, 6)), by="white"),
    later(Passed, Nothing(), by="black"),
    later(Pulled, Taking(pull="4a-c"), by="south"),
    later(Wagered, Nothing(), by="south"),
    later(Ran, Nothing(), by="north"),
    later(Stopped, Nothing(), by="arbiter", for_="north"),
    later(DiabloCalled, Nothing(), by="south"),
    later(Finished, Nothing(), by="north"),
    later(DiceCommitted, Commitment(roll=1, commitment=HASH), by="arbiter"),
    later(Rolled, Throw(roll=LAST_ROLL, nonce=HASH, next=HASH), by="white"),
    later(Rolled, Throw(roll=3), by="arbiter", for_="black"),
    later(RollOpened, Opened(roll=3, nonce=HASH, next=HASH), by="white"),
    later(RollRecorded, Lying(roll=1, dice=(6,)), by="arbiter"),
    later(RollRecorded, Lying(roll=1, dice=(1, 2, 3, 4, 5, 6, 6, 6)), by="white"),
    later(RollConfirmed, Confirmation(confirms=HASH), by="arbiter", for_="black"),
    later(RollVoided, Voiding(roll=1, reason="one die was cocked"), by="arbiter"),
    later(Called, Call(call="raichi")),
    later(OfferMade, DrawOffer()),
    later(OfferMade, TakebackOffer(to=MAX_INTEGER), by="arbiter", for_="swedes"),
    later(OfferMade, SettlementOffer(split=(20, 16)), by="south"),
    later(OfferMade, SettlementOffer(split=(0, 1_000_000)), by="arbiter", for_="north"),
    later(OfferAccepted, Answer(offer=HASH)),
    later(OfferDeclined, Answer(offer=HASH)),
    later(DrawClaimed, Nothing()),
    later(Resigned, Nothing()),
    later(
        Ruling,
        Verdict(reason="Two pieces moved.", rule="tablut-1: moves", effects=(Rewind(to=4),)),
        by="arbiter",
    ),
    later(
        Ruling,
        Verdict(reason="Cocked.", rule="4.2", effects=(Rewind(to=4, dice="rethrow"),) * 8),
        by="arbiter",
    ),
    later(Ruling, RULED, by="arbiter"),
    later(DisputeRaised, Complaint(event=MAX_INTEGER, text="It stood on f3."), by="witness1"),
    later(DisputeSettled, Settling(dispute=HASH)),
    later(Stated, Evidence(about=HASH, text="I saw it.\u2028Twice."), by="arbiter", for_="swedes"),
    later(Stated, Evidence(about=HASH, text="The photo.", sha256=HASH), by="witness1"),
    later(Appealed, Objection(against=HASH, text="The rule says otherwise.")),
    later(
        AppealDecided,
        Decision(appeal=HASH, reason="Read anew.", rule="4.2", effects=RULED.effects),
        by="appeal",
    ),
    later(
        KeyReplaced,
        Replacement(
            role="swedes", name="王 Ling", reason="A new phone.", key=WHITE, consent=SIGNED
        ),
        by="arbiter",
    ),
    later(KeyReplaced, Replacement(role="swedes", name="Nora", reason="None."), by="arbiter"),
    later(ArbiterReplaced, Succession(name="Yara", key=WHITE, reason="A train."), by="appeal"),
    later(Adjourned, Adjournment(), by="arbiter"),
    later(Adjourned, Adjournment(until="tomorrow at 10"), by="arbiter"),
    later(Adjourned, Adjournment(sealed=HASH), by="arbiter", for_="swedes"),
    later(Resumed, Resumption(), by="arbiter"),
    later(Resumed, Resumption(opened=Unsealed(move="e3-f3", nonce=HASH))),
    later(
        MatchClosed,
        Closing(result=Result(kind="forfeit", how="ruling", winner="swedes"), ruling=HASH),
        by="arbiter",
    ),
    later(Countersigned, Countersignature(result_event=HASH, absent="swedes"), by="witness1"),
    later(
        SignatureRefused,
        Unwilling(result_event=HASH, seat="swedes", reason="She left the hall."),
        by="arbiter",
    ),
    later(MatchClosed, Closing(result=Result(kind="win", how="goal", winner="swedes"))),
    later(MatchClosed, Closing(result=Result(kind="draw", how="repetition"))),
    later(Countersigned, Countersignature(result_event=HASH)),
    later(Note, Remark(text="Zoë: “é < > &” \u2028 \\ / 😀"), seq=MAX_INTEGER),
    later(Note, Remark(text="The score sheet.", sha256=HASH)),
]
any_event = pytest.mark.parametrize("event", MATCH, ids=events.type_of)


def as_json(event: Event) -> Json:
    value: Json = json.loads(events.encode(event))
    return value


def spelled(value: object) -> bytes:
    """JSON in the one spelling, whatever it says."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def refusal(payload: bytes) -> str:
    """The code of the refusal of ``payload``, whose words can be shown on any terminal."""
    with pytest.raises(Refused) as caught:
        events.decode(payload)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 300
    return caught.value.code


def note(**fields: object) -> bytes:
    """A note with other fields."""
    return spelled(as_json(later(Note, Remark(text="A remark."))) | fields)


def remark(**fields: object) -> bytes:
    """A note with other data."""
    return note(data={"text": "A remark."} | fields)


def thrown(**fields: object) -> bytes:
    """A throw that its thrower opens, with other data."""
    return note(type="roll", data={"roll": 3, "nonce": HASH, "next": HASH} | fields)


def recorded(**fields: object) -> bytes:
    """Dice written down from the table, with other data."""
    return note(type="roll.recorded", data={"roll": 3, "dice": [3, 5, 2]} | fields)


def opening(**fields: object) -> bytes:
    """An opening with other data."""
    value = as_json(opened(LEAST))
    return spelled(value | {"data": value["data"] | fields})


# -- written and read ----------------------------------------------------------------------------


def test_every_type_is_here() -> None:
    assert {events.type_of(event) for event in MATCH} == set(EVENT_TYPES)


@any_event
def test_an_event_is_read_as_it_was_written(event: Event) -> None:
    payload = events.encode(event)
    assert events.decode(payload) == event
    assert events.encode(events.decode(payload)) == payload
    assert canonical.encode(json.loads(payload)) == payload
    assert json.loads(payload)["type"] == events.type_of(event)


@any_event
def test_what_is_absent_is_left_out(event: Event) -> None:
    assert b":null" not in events.encode(event)


def test_a_move_as_it_is_signed() -> None:
    move = later(Moved, Play(move="e3-d3"), by="arbiter", for_="swedes")
    assert events.encode(move) == (
        b'{"at":"2026-11-29T18:00:07Z","by":"arbiter","data":{"move":"e3-d3"},"for":"swedes",'
        b'"match":"%b","prev":"%b","seq":7,"type":"move","v":1}'
    ) % (HASH.encode(), HASH.encode())


def test_a_throw_as_it_is_signed() -> None:
    throw = later(Rolled, Throw(roll=12, nonce=HASH, next=HASH), by="white")
    assert events.encode(throw) == (
        b'{"at":"2026-11-29T18:00:07Z","by":"white","data":{"next":"%b","nonce":"%b","roll":12},'
        b'"match":"%b","prev":"%b","seq":7,"type":"roll","v":1}'
    ) % ((HASH.encode(),) * 4)


def test_a_move_made_of_dice_as_it_is_signed() -> None:
    move = later(Moved, Play(move="hand/6 22/off", dice=(6, 3)), by="black")
    assert b'"data":{"dice":[6,3],"move":"hand/6 22/off"}' in events.encode(move)


def test_a_pull_as_it_is_signed() -> None:
    pull = later(Pulled, Taking(pull="4a-c"), by="south")
    assert events.encode(pull) == (
        b'{"at":"2026-11-29T18:00:07Z","by":"south","data":{"pull":"4a-c"},'
        b'"match":"%b","prev":"%b","seq":7,"type":"pull","v":1}'
    ) % ((HASH.encode(),) * 2)


def test_a_settlement_as_it_is_signed() -> None:
    offer = later(OfferMade, SettlementOffer(split=(20, 16)), by="south")
    assert b'"data":{"offer":"settlement","split":[20,16]}' in events.encode(offer)


@pytest.mark.parametrize(
    ("kind", "word"),
    [
        (Wagered, b"wager"),
        (Ran, b"run"),
        (Stopped, b"stop"),
        (DiabloCalled, b"diablo"),
        (Finished, b"done"),
    ],
)
def test_an_act_that_is_a_word_alone_is_signed_without_data(
    kind: Callable[..., Event], word: bytes
) -> None:
    payload = events.encode(later(kind, Nothing(), by="south"))
    assert b'"data":{},' in payload
    assert payload.endswith(b'"seq":7,"type":"' + word + b'","v":1}')


def test_a_signed_event_from_end_to_end() -> None:
    key = SigningKey.from_seed(b"\1" * 32)
    sent = envelope.seal(events.encode(opened(MOST)), key.public, key.sign).text()
    received = envelope.parse(sent)
    assert received.signed_by(key.public)
    assert events.decode(received.payload) == opened(MOST)


@pytest.mark.parametrize("vector", VECTORS["events"], ids=["opening", "note"])
def test_the_vectors_are_well_spelled_but_no_complete_events(vector: Json) -> None:
    assert refusal(vector["payload"].encode()) == "bad-event"


@any_event
def test_an_event_is_frozen(event: Event) -> None:
    with pytest.raises(AttributeError):
        event.seq = 8  # type: ignore[misc]


# -- refused by the field ------------------------------------------------------------------------


def test_the_plain_note_is_good() -> None:
    assert isinstance(events.decode(note()), Note)
    assert isinstance(events.decode(remark()), Note)
    assert isinstance(events.decode(opening()), MatchOpened)
    assert isinstance(events.decode(thrown()), Rolled)
    assert isinstance(events.decode(recorded()), RollRecorded)


@pytest.mark.parametrize("value", [None, True, 1, "x", [], [{}]])
def test_an_event_is_an_object(value: object) -> None:
    assert refusal(spelled(value)) == "bad-event"


@pytest.mark.parametrize(
    ("version", "code"),
    [
        (2, "future-version"),
        (MAX_INTEGER, "future-version"),
        (0, "bad-event"),
        (-1, "bad-event"),
        ("1", "bad-event"),
        (True, "bad-event"),
        (None, "bad-event"),
        ([1], "bad-event"),
    ],
)
def test_versions(version: object, code: str) -> None:
    assert refusal(note(v=version)) == code


def test_a_future_version_is_named_before_anything_else_is_judged() -> None:
    assert refusal(spelled({"v": 2, "type": "castled", "seq": "later"})) == "future-version"


@pytest.mark.parametrize(
    "kind", ["castled", "Note", "note ", "", "ledger.events.Note", "é", None, 1, [], {"a": 1}, True]
)
def test_unknown_types(kind: object) -> None:
    assert refusal(note(type=kind)) == "unknown-type"


def test_a_type_with_the_data_of_another() -> None:
    assert refusal(note(type="move")) == "bad-event"
    assert refusal(note(type="match.opened")) == "bad-event"


@pytest.mark.parametrize("field", ["v", "seq", "by", "at", "data"])
def test_a_field_that_must_be_there(field: str) -> None:
    value = json.loads(note())
    del value[field]
    assert refusal(spelled(value)) == "bad-event"


def test_an_event_without_its_type() -> None:
    value = json.loads(note())
    del value["type"]
    assert refusal(spelled(value)) == "unknown-type"


@pytest.mark.parametrize(
    ("payload", "where"),
    [
        (note(match=None), "match"),
        (note(prev=None), "prev"),
        (spelled(as_json(MATCH[4]) | {"for": None}), "for"),
        (remark(sha256=None), "a hash in the data"),
        (thrown(nonce=None), "the number of a throw"),
        (thrown(next=None), "the commitment of a throw"),
        (note(type="move", data={"move": "hand/3", "dice": None}), "the dice of a move"),
        (opening(appeal=None), "the appeal"),
        (opening(dice=None), "the dice"),
        (opening(turn_cap=None), "the turn cap"),
        (opening(place=None), "the place"),
        (opening(seats={"swedes": {"key": None, "name": "Nora"}}), "the key of a seat"),
    ],
)
def test_null_for_an_absent_field_is_another_spelling(payload: bytes, where: str) -> None:
    assert refusal(payload) == "not-canonical", where


@pytest.mark.parametrize(
    ("payload", "where"),
    [
        (note(clock=1), "the event"),
        (note(hash=HASH), "the event"),
        (remark(author="Zoë"), "the data"),
        (spelled(as_json(MATCH[3]) | {"data": {"agreed": True}}), "data that has no field"),
        (thrown(dice=[3, 5, 2]), "the dice of a throw, which are computed"),
        (recorded(seat="white"), "who threw, which the rules say"),
        (opening(clock="90+30"), "the opening"),
        (opening(arbiter={"key": ARBITER, "name": "Zoë", "title": "IA"}), "the arbiter"),
        (opening(seats={"swedes": {"name": "Nora", "rating": 1600}}), "a seat"),
        (opening(dice={"scheme": "physical/1", "confirm": True, "colour": "red"}), "the dice"),
        (opening(source={"format": "text", "sha256": HASH, "name": "a.txt"}), "the source"),
    ],
)
def test_unknown_fields_are_refused_at_each_level(payload: bytes, where: str) -> None:
    assert refusal(payload) == "bad-event", where


@pytest.mark.parametrize("seq", [-1, "7", None, True, [7], {"n": 7}])
def test_numbers_of_events(seq: object) -> None:
    assert refusal(note(seq=seq)) == "bad-event"


@pytest.mark.parametrize(
    ("seq", "code"),
    [
        (b"7.0", "float"),
        (b"7e0", "float"),
        (b"-0.0", "float"),
        (b"-0", "not-canonical"),
        (b"9007199254740992", "too-large-integer"),
        (b"-9007199254740992", "too-large-integer"),
        (b"1" + b"0" * 5000, "not-json"),
        (b"NaN", "not-json"),
        (b"07", "not-json"),
    ],
)
def test_numbers_that_are_no_exact_integers(seq: bytes, code: str) -> None:
    assert refusal(note().replace(b'"seq":7', b'"seq":' + seq)) == code


@pytest.mark.parametrize("role", ["", "Swedes", "1st", "white ", "white-1", "é", "a" * 33, None, 1])
def test_roles(role: object) -> None:
    assert refusal(note(by=role)) == "bad-event"


@pytest.mark.parametrize(
    "at",
    [
        "2026-11-29T18:00:07+00:00",
        "2026-11-29T18:00:07",
        "2026-11-29T18:00:07.5Z",
        "2026-11-29t18:00:07z",
        "2026-11-29 18:00:07Z",
        "20261129T180007Z",
        "2026-11-29T24:00:00Z",
        "2026-11-29T18:00:60Z",
        "2026-13-01T18:00:00Z",
        "2026-00-01T18:00:00Z",
        "2026-02-29T18:00:00Z",
        "2026-02-31T18:00:00Z",
        "2026-04-31T18:00:00Z",
        "0000-01-01T00:00:00Z",
        "+2026-11-29T18:00:07Z",
        "٢026-11-29T18:00:07Z",
        "",
        None,
        1764439207,
    ],
)
def test_times(at: object) -> None:
    assert refusal(note(at=at)) == "bad-event"


@pytest.mark.parametrize(
    "at", ["0001-01-01T00:00:00Z", "2028-02-29T23:59:59Z", "9999-12-31T23:59:59Z"]
)
def test_times_that_exist(at: str) -> None:
    assert events.decode(note(at=at)).at == at


@pytest.mark.parametrize(
    "text", [HASH[:-1], HASH + "0", HASH.upper(), "0x" + HASH[2:], "", " " + HASH[1:], 7, None, []]
)
def test_hashes(text: object) -> None:
    code = "not-canonical" if text is None else "bad-event"
    assert refusal(note(prev=text)) == code
    assert refusal(note(match=text)) == code
    assert refusal(remark(sha256=text)) == code


@pytest.mark.parametrize(
    "key",
    [
        ARBITER + " zoe@club",
        ARBITER + " ",
        ARBITER[:-1],
        ARBITER.replace(" ", "  "),
        ARBITER.removeprefix("ssh-ed25519 "),
        "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAgQ",
        "",
        None,
    ],
)
def test_keys(key: object) -> None:
    assert refusal(opening(arbiter={"key": key, "name": "Zoë"})) == "bad-event"


SPACES = [" ", "\u00a0", "\u2003", "\u3000", "\u2028", "\ufeff"]


@pytest.mark.parametrize("space", SPACES, ids=ascii)
def test_names_with_outer_spaces(space: str) -> None:
    for name in (f"{space}Zoë", f"Zoë{space}", space):
        assert refusal(opening(arbiter={"key": ARBITER, "name": name})) == "bad-event"
    inside = f"Zoë{space}Åkesson"
    event = events.decode(opening(arbiter={"key": ARBITER, "name": inside}))
    assert isinstance(event, MatchOpened)
    assert event.data.arbiter.name == inside


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("", "bad-event"),
        ("x" * 81, "bad-event"),
        (None, "bad-event"),
        (["Zoë"], "bad-event"),
        ("Zoe\u0308", "not-nfc"),
        ("Zoë \u202edraw", "forbidden-character"),
        ("Zoë \u2066draw\u2069", "forbidden-character"),
        ("Zoë\n", "forbidden-character"),
        ("Zoë\x7f", "forbidden-character"),
        ("Zoë\x85", "forbidden-character"),
        ("\x1b[2JZoë", "forbidden-character"),
    ],
)
def test_names(name: object, code: str) -> None:
    payload = opening(arbiter={"key": ARBITER, "name": name})
    assert refusal(payload.replace(b"\x7f", b"\\u007f").replace(b"\xc2\x85", b"\\u0085")) == code


def test_lengths_are_counted_in_characters() -> None:
    for length in (1, 80):
        events.decode(opening(arbiter={"key": ARBITER, "name": "😀" * length}))
    events.decode(remark(text="é" * 4000))
    assert refusal(remark(text="é" * 4001)) == "bad-event"
    assert refusal(remark(text="")) == "bad-event"


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"board": 9}, "bad-event"),
        ({"board": None}, "bad-event"),
        ({"board": ["a"]}, "bad-event"),
        ({"board": ""}, "bad-event"),
        ({"Board": True}, "bad-key"),
        ({"": True}, "bad-key"),
    ],
)
def test_options(options: Json, code: str) -> None:
    ruleset = as_json(opened(LEAST))["data"]["ruleset"]
    assert refusal(opening(ruleset=ruleset | {"options": options})) == code


@pytest.mark.parametrize(
    "dice",
    [
        {},
        {"scheme": "trust-me/1"},
        {"scheme": "physical/1"},
        {"scheme": "physical/1", "confirm": 1},
        {"scheme": "commit-reveal/1", "confirm": True},
        {"scheme": "commit-reveal/1", "contributors": "white"},
        {"scheme": "commit-reveal/1", "contributors": ["White"]},
        {"scheme": None, "confirm": True},
        "physical/1",
    ],
)
def test_dice(dice: object) -> None:
    assert refusal(opening(dice=dice)) == "bad-event"


@pytest.mark.parametrize("roll", [0, -1, LAST_ROLL + 1, "3", True, None, [3], {"n": 3}])
def test_numbers_of_rolls(roll: object) -> None:
    assert refusal(thrown(roll=roll)) == "bad-event"
    assert refusal(recorded(roll=roll)) == "bad-event"
    assert refusal(note(type="roll.voided", data={"roll": roll, "reason": "cocked"})) == "bad-event"
    assert refusal(note(type="dice.committed", data={"roll": roll, "commitment": HASH})) == (
        "bad-event"
    )


@pytest.mark.parametrize(
    "number", [HASH[:-1], HASH[:32], HASH + "00", HASH.upper(), "0x" + HASH[2:], "", 6, [], True]
)
def test_numbers_that_dice_are_made_of(number: object) -> None:
    """Thirty-two bytes in hex, neither shorter nor written otherwise."""
    assert refusal(thrown(nonce=number)) == "bad-event"
    assert refusal(thrown(next=number)) == "bad-event"
    opened = {"roll": 3, "nonce": HASH, "next": HASH}
    for name in ("nonce", "next"):
        assert refusal(note(type="roll.opened", data=opened | {name: number})) == "bad-event"
    committed = {"roll": 3, "commitment": number}
    assert refusal(note(type="dice.committed", data=committed)) == "bad-event"
    assert refusal(note(type="roll.confirmed", data={"confirms": number})) == "bad-event"


@pytest.mark.parametrize(
    "dice", [[], [0], [7], [-1], [3, 5, 7], [True], ["3"], [None], [[3]], [1] * 9, "3-5-2", 352, {}]
)
def test_faces(dice: object) -> None:
    assert refusal(recorded(dice=dice)) == "bad-event"
    assert refusal(note(type="move", data={"move": "hand/3", "dice": dice})) == "bad-event"


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("dice.committed", {"roll": 3}),
        ("dice.committed", {"commitment": HASH}),
        ("roll", {"nonce": HASH, "next": HASH}),
        ("roll.opened", {"roll": 3, "nonce": HASH}),
        ("roll.opened", {"roll": 3, "next": HASH}),
        ("roll.opened", {"nonce": HASH, "next": HASH}),
        ("roll.recorded", {"roll": 3}),
        ("roll.recorded", {"dice": [3, 5, 2]}),
        ("roll.confirmed", {}),
        ("roll.voided", {"roll": 3}),
        ("roll.voided", {"roll": 3, "reason": ""}),
        ("roll.voided", {"roll": 3, "reason": " cocked"}),
        ("roll.voided", {"roll": 3, "reason": "x" * 201}),
        ("roll.voided", {"reason": "cocked"}),
        ("pass", {"dice": [3, 5, 2]}),
    ],
)
def test_dice_with_something_missing_or_too_much(kind: str, data: Json) -> None:
    assert refusal(note(type=kind, data=data)) == "bad-event"


@pytest.mark.parametrize("kind", ["wager", "pass", "run", "stop", "diablo", "done"])
@pytest.mark.parametrize("data", [{"pull": "4a-c"}, {"points": 5}, [], "done", 5, True])
def test_an_act_that_is_a_word_alone_says_nothing_more(kind: str, data: object) -> None:
    assert refusal(note(type=kind, data=data)) == "bad-event"


@pytest.mark.parametrize("text", ["", "4a-c" * 51, None, 4, ["4a-c"], {"row": 4}])
def test_pulls(text: object) -> None:
    assert refusal(note(type="pull", data={"pull": text})) == "bad-event"
    assert refusal(note(type="pull", data={"pull": "4a-c", "taken": 3})) == "bad-event"
    assert refusal(note(type="pull", data={})) == "bad-event"


@pytest.mark.parametrize(
    "split",
    [
        [],
        [36],
        [12, 12, 12],
        [-1, 37],
        [37, -1],
        [0, 1_000_001],
        ["20", "16"],
        [20, None],
        [True, False],
        "20-16",
        36,
        {"south": 20, "north": 16},
        None,
    ],
)
def test_splits(split: object) -> None:
    settlement = {"offer": "settlement", "split": split}
    assert refusal(note(type="offer.made", data=settlement)) == "bad-event"


@pytest.mark.parametrize("share", [b"20.0", b"2e1", b"20.5"])
def test_a_share_is_a_whole_number(share: bytes) -> None:
    payload = note(type="offer.made", data={"offer": "settlement", "split": [20, 16]})
    assert isinstance(events.decode(payload), OfferMade)
    assert refusal(payload.replace(b"[20,", b"[" + share + b",")) == "float"


@pytest.mark.parametrize(
    "data",
    [
        {"offer": "settlement"},
        {"split": [20, 16]},
        {"offer": "draw", "split": [20, 16]},
        {"offer": "takeback", "split": [20, 16]},
        {"offer": "settlement", "split": [20, 16], "to": 4},
    ],
)
def test_a_settlement_says_its_split_and_nothing_else(data: Json) -> None:
    assert refusal(note(type="offer.made", data=data)) == "bad-event"


@pytest.mark.parametrize("cap", [0, -1, 100_001, "30", True, [30], 2**53])
def test_turn_caps(cap: object) -> None:
    code = "too-large-integer" if cap == 2**53 else "bad-event"
    assert refusal(opening(turn_cap=cap)) == code
    events.decode(opening(turn_cap=1))


@pytest.mark.parametrize(
    "effects",
    [
        [],
        None,
        {},
        [{}],
        [{"effect": "rewind"}],
        [{"effect": "disqualify", "to": 4}],
        [{"effect": "rewind", "to": -1}],
        [{"effect": "rewind", "to": 4, "dice": "reroll"}],
        [{"effect": "rewind", "to": 4, "by": "arbiter"}],
        [{"effect": "rewind", "to": 4}] * 9,
    ],
)
def test_effects(effects: object) -> None:
    data = {"reason": "Cocked.", "rule": "4.2", "effects": effects}
    assert refusal(note(type="ruling", data=data)) == "bad-event"


def test_a_very_long_or_invisible_word_is_not_repeated_as_it_is() -> None:
    result = {"kind": "x" * 50_000, "how": "goal"}
    assert refusal(note(type="match.closed", data={"result": result})) == "bad-event"
    result["kind"] = "\u200fwin\u2028"
    assert refusal(note(type="match.closed", data={"result": result})) == "bad-event"
    assert refusal(remark(**{"x" * 50_000: 1})) == "bad-event"
    assert refusal(note(type="x" * 50_000)) == "unknown-type"


# -- refused by the bytes ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("payload", "code", "why"),
    [
        (note() + b"\n", "not-canonical", "a line end after"),
        (note() + b"{}", "not-json", "another value after"),
        (b"\xef\xbb\xbf" + note(), "not-json", "a byte order mark"),
        (note().replace(b'"v":1', b'"v":1,"v":1'), "not-canonical", "a key twice"),
        (note().replace(b'"v":1', b'"v": 1'), "not-canonical", "white space"),
        (note().replace(b"A remark", b"\\u0041 remark"), "not-canonical", "a needless escape"),
        (note().replace(b"A remark", b"\xff remark"), "not-json", "no UTF-8"),
        (note().replace(b"A remark", b"\\ud800"), "not-json", "a surrogate alone"),
        (json.dumps(json.loads(note())).encode(), "not-canonical", "Python's own spelling"),
        (note(data={"text": "x" * 70_000}), "too-large", "70 kB"),
        (b'{"data":' * 7_000, "too-deep", "objects in objects"),
        (b'{"data":' + b"[" * 60_000, "too-deep", "lists in lists"),
        (b"[" * 100_000, "too-large", "a hundred thousand brackets"),
        (b"", "not-json", "nothing"),
    ],
)
def test_bytes_that_are_no_event(payload: bytes, code: str, why: str) -> None:
    assert refusal(payload) == code, why


# -- refused before it is signed -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"seq": -1}, "bad-event"),
        ({"seq": 2**53}, "too-large-integer"),
        ({"seq": 2**70}, "too-large-integer"),
        ({"seq": 1.5}, "float"),
        ({"seq": None}, "bad-event"),
        ({"v": 2}, "future-version"),
        ({"by": "\ud800"}, "bad-event"),
        ({"by": object()}, "bad-event"),
        ({"by": "White"}, "bad-event"),
        ({"at": "yesterday"}, "bad-event"),
        ({"prev": HASH.upper()}, "bad-event"),
        ({"data": None}, "bad-event"),
        ({"data": object()}, "bad-event"),
        ({"data": Nothing()}, "bad-event"),
        ({"data": Remark(text="")}, "bad-event"),
        ({"data": Remark(text="Zoe\u0308")}, "not-nfc"),
        ({"data": Remark(text="a\nb")}, "forbidden-character"),
        ({"data": Remark(text="x" * 70_000)}, "too-large"),
    ],
)
def test_nothing_is_written_that_could_not_be_read(fields: Json, code: str) -> None:
    with pytest.raises(Refused) as caught:
        events.encode(later(Note, **({"data": Remark(text="A remark.")} | fields)))
    assert caught.value.code == code


# -- hostile bytes -------------------------------------------------------------------------------

PAYLOADS = [events.encode(event) for event in MATCH]
junk = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=6,
)


def read_or_refused(payload: bytes) -> None:
    """Nothing but a refusal of ours, or an event that is these bytes."""
    said = ""
    try:
        event = events.decode(payload)
    except TabellionError as error:
        said = str(error)
    else:
        assert events.encode(event) == payload
    assert said.isprintable()


@given(st.binary(max_size=200))
def test_random_bytes(payload: bytes) -> None:
    read_or_refused(payload)


@given(st.sampled_from(PAYLOADS), st.data())
def test_altered_events(payload: bytes, data: st.DataObject) -> None:
    text = bytearray(payload)
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(len(text), start + 4)))
        text[start:end] = data.draw(st.binary(max_size=4) | st.sampled_from([b"1", b"{", b'"']))
    read_or_refused(bytes(text))


@given(st.sampled_from(PAYLOADS), st.data())
def test_events_with_junk_in_a_field(payload: bytes, data: st.DataObject) -> None:
    value = json.loads(payload)
    inside = value if data.draw(st.booleans()) or not value["data"] else value["data"]
    inside[data.draw(st.sampled_from(sorted(inside)) | st.text(max_size=4))] = data.draw(junk)
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    read_or_refused(text.encode("utf-8", "surrogatepass"))
