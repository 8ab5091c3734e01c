"""Two opinions on 500 spoilt records: the audit's and the page's, which share nothing.

Every record is spoilt in one place, by a seed. In half of them somebody who holds the keys has
signed the change, and all that follows it, anew: no hash and no signature gives that away.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import cache
from random import Random
from typing import Any, TypeAlias

import pytest
from match import ALL_KEYS, SPARE_KEYS, Match, sealed
from secondopinion import (
    NODE,
    PARTLY,
    PLAIN,
    SHARE,
    Opinion,
    audited,
    faults_of,
    first_fault,
    opinions,
)
from table import BOTH_SIDES

from ledger import canonical, consent, record
from ledger import envelope as envelopes
from ledger.audit import Report
from ledger.envelope import Envelope
from ledger.errors import Refused
from ledger.events import EVENT_TYPES, CommitReveal, Nothing, Penalty, Physical
from ledger.keys import SigningKey

pytestmark = pytest.mark.skipif(NODE is None, reason="Node is not installed")
RECORDS = 500
HOLDERS = {key.public.fingerprint: key for key in (*ALL_KEYS.values(), *SPARE_KEYS)}
Payload: TypeAlias = dict[str, Any]
Spoiler: TypeAlias = Callable[[list[Envelope], int, Random], bytes]


# -- what is spoilt ------------------------------------------------------------------------------


def tablut() -> Match:
    """Offers, a dispute, a new key with the old one's consent, an adjournment, an appeal."""
    match = Match()
    match.play("e3-f3", "e2-h2", "e4-e2", "h2-h3")
    match.decline("muscovites", match.offer_draw("swedes"))
    match.agree("swedes", match.offer_takeback("muscovites", 5))
    match.rule(Penalty(seat="swedes", penalty="warning"))
    match.state_words("witness1", match.dispute(by="muscovites"))
    match.rewind(4)
    hands_over(match, "swedes", SPARE_KEYS[0])
    match.accept("swedes")
    match.adjourn()
    match.resume(opened=match.seal("swedes", "e4-e2"), by="swedes")
    match.move("e4-e2", "swedes")
    match.replace_arbiter(SPARE_KEYS[1])
    match.accept("arbiter")
    match.resign("muscovites")
    match.close()
    match.decide(match.appeal("muscovites"), Penalty(seat="swedes", penalty="fine"))
    match.countersign("swedes")
    match.refuse_to_sign("muscovites")
    return match


def hands_over(match: Match, role: str, key: SigningKey) -> None:
    name = match.state.roster[role].name
    message = consent.message(match.state.match, role, name, key.public.line)
    match.replace_key(role, key, consent=match.keys[role].sign(message).hex())


def computed(ruleset: str, *makers: str) -> Match:
    """Two plays with dice that the roles make together, a key lost in between, a roll awarded."""
    match = Match(ruleset=ruleset, dice=CommitReveal(contributors=makers))
    for _ in range(2):
        while not match.state.game.legal(match.state.position):
            match.roll()
        match.play_any()
    match.note()
    seat = match.state.game.seats[1]
    match.replace_key(seat, SPARE_KEYS[2])
    match.accept(seat)
    match.roll()
    match.rewind(match.state.seq, dice="rethrow")
    match.resign(seat)
    match.close()
    return match


def scribed() -> Match:
    """Dice on the table, confirmed; the arbiter writes for Black."""
    match = Match(["white"], ruleset="tabula", dice=Physical(confirm=True))
    for faces in ((3, 3), (6, 1)):
        match.record(*faces, by="white")
        match.confirm("arbiter", "black")
    match.record(2, 5, 6, by="white")
    match.confirm("arbiter", "black")
    match.void("white", roll=3)
    match.void("arbiter", roll=3)
    match.record(2, 5, 6)
    match.confirm("arbiter", "black")
    match.play_any()
    match.offer_draw("white")
    match.write("resigned", Nothing(), "arbiter", "black")
    match.close()
    match.countersign("white")
    match.countersign("witness1", absent="black")
    return match


@cache
def originals() -> tuple[tuple[Envelope, ...], ...]:
    matches = (
        tablut(),
        computed("tabula", "white", "black", "arbiter"),
        computed("tablero-event", *BOTH_SIDES.contributors),
        scribed(),
    )
    return tuple(tuple(map(sealed, match.state.entries)) for match in matches)


# -- spoilt by somebody without keys -------------------------------------------------------------


def flip_a_bit(events: list[Envelope], _at: int, chance: Random) -> bytes:
    text = bytearray(record.write(events))
    text[chance.randrange(len(text))] ^= 1 << chance.randrange(7)
    return bytes(text)


def change_the_payload(events: list[Envelope], at: int, chance: Random) -> bytes:
    old = events[at]
    payload = bytearray(old.payload)
    payload[chance.randrange(len(payload))] = chance.choice(b'0123456789abcdef"{}[]:, ')
    events[at] = Envelope(bytes(payload), old.signature, old.keyid)
    return record.write(events)


def change_a_word(events: list[Envelope], at: int, chance: Random) -> bytes:
    old = events[at]
    payload = json.loads(old.payload)
    change_somewhere(payload, chance)
    events[at] = Envelope(written(payload), old.signature, old.keyid)
    return record.write(events)


def change_the_signature(events: list[Envelope], at: int, chance: Random) -> bytes:
    old = events[at]
    signature = bytearray(old.signature)
    signature[chance.randrange(64)] ^= 1 << chance.randrange(8)
    events[at] = Envelope(old.payload, bytes(signature), old.keyid)
    return record.write(events)


def change_the_signer(events: list[Envelope], at: int, chance: Random) -> bytes:
    old = events[at]
    events[at] = Envelope(old.payload, old.signature, chance.choice([*HOLDERS]))
    return record.write(events)


def drop(events: list[Envelope], at: int, _chance: Random) -> bytes:
    return record.write([*events[:at], *events[at + 1 :]])


def double(events: list[Envelope], at: int, _chance: Random) -> bytes:
    return record.write([*events[: at + 1], *events[at:]])


def swap(events: list[Envelope], at: int, chance: Random) -> bytes:
    other = chance.randrange(len(events))
    events[at], events[other] = events[other], events[at]
    return record.write(events)


def spell_otherwise(events: list[Envelope], at: int, chance: Random) -> bytes:
    """The same event with white space, members in another order, or base64 without padding."""
    text = events[at].text()
    members = json.loads(text)
    other = chance.choice(
        [
            json.dumps(members).encode(),
            json.dumps(dict(reversed(members.items())), separators=(",", ":")).encode(),
            text.replace(b"=", b"", 1),
            text.replace(b"payloadType", b"payload_type"),
            text.replace(b"event.v1", b"event.v2"),
        ]
    )
    return record.write(events).replace(text, other)


# -- spoilt by somebody with the keys --------------------------------------------------------------


def signs_another_word(events: list[Envelope], at: int, chance: Random) -> bytes:
    payloads = read(events)
    change_somewhere(payloads[at], chance)
    return signed_anew(events, payloads, at)


def signs_another_role(events: list[Envelope], at: int, chance: Random) -> bytes:
    payloads = read(events)
    payloads[at]["by"] = chance.choice([*ALL_KEYS, "nobody"])
    if chance.random() < 0.3:
        payloads[at]["for"] = chance.choice(["white", "black", "swedes", "arbiter"])
    return signed_anew(events, payloads, at, by_name=True)


def signs_another_type(events: list[Envelope], at: int, chance: Random) -> bytes:
    payloads = read(events)
    payloads[at]["type"] = chance.choice([*EVENT_TYPES, "chess.move"])
    if chance.random() < 0.5:
        payloads[at]["data"] = {}
    return signed_anew(events, payloads, at)


def signs_it_away(events: list[Envelope], at: int, _chance: Random) -> bytes:
    payloads = read(events)
    del payloads[at], events[at]
    return signed_anew(events, payloads, at)


def signs_it_twice(events: list[Envelope], at: int, _chance: Random) -> bytes:
    payloads = read(events)
    payloads.insert(at, json.loads(events[at].payload))
    events.insert(at, events[at])
    return signed_anew(events, payloads, at)


def signs_them_in_another_order(events: list[Envelope], at: int, chance: Random) -> bytes:
    payloads, other = read(events), chance.randrange(len(events))
    for each in (payloads, events):
        each[at], each[other] = each[other], each[at]
    return signed_anew(events, payloads, min(at, other))


def signs_with_another_key(events: list[Envelope], at: int, chance: Random) -> bytes:
    key = chance.choice([*HOLDERS.values()])
    events[at] = envelopes.seal(events[at].payload, key.public, key.sign)
    return record.write(events)


def signs_another_place(events: list[Envelope], at: int, chance: Random) -> bytes:
    """Another number, previous event, match or version; what follows is left as it was."""
    old, payload = events[at], json.loads(events[at].payload)
    member = chance.choice(["seq", "prev", "match", "v", "at"])
    payload[member] = other_value(payload.get(member, "0" * 64), chance)
    events[at] = sealed_by(HOLDERS[old.keyid], written(payload))
    return record.write(events)


def read(events: Sequence[Envelope]) -> list[Payload]:
    return [json.loads(each.payload) for each in events]


def sealed_by(key: SigningKey, payload: bytes) -> Envelope:
    return envelopes.seal(payload, key.public, key.sign)


def written(payload: Payload) -> bytes:
    try:
        return canonical.encode(payload)
    except Refused:
        return json.dumps(payload, sort_keys=True, separators=(",", ":")).encode()


def signed_anew(
    events: list[Envelope], payloads: list[Payload], since: int, *, by_name: bool = False
) -> bytes:
    """The events from ``since`` on in a good chain of their own, each signed by whoever signed it;
    the changed one, ``by_name``, by the role that it now names."""
    found = list(events[:since])
    for number in range(since, len(events)):
        payload, key = payloads[number], HOLDERS[events[number].keyid]
        if by_name and number == since:
            key = ALL_KEYS.get(payload["by"], key)
        payload["seq"] = number
        if number:
            payload |= {"match": found[0].hash, "prev": found[-1].hash}
        found.append(sealed_by(key, written(payload)))
    return record.write(found)


def change_somewhere(value: Any, chance: Random) -> None:
    """Changes one value, however deep it stands; or takes a member away, or adds one."""
    places = [(value, key) for key in value] if isinstance(value, dict) else []
    inner = [(holder, key) for holder, key in places if isinstance(holder[key], dict | list)]
    if inner and chance.random() < 0.7:
        holder, key = chance.choice(inner)
        if isinstance(holder[key], list):
            holder[key] = other_list(holder[key], chance)
        else:
            change_somewhere(holder[key], chance)
        return
    how = chance.random()
    if how < 0.1 or not places:
        value["extra"] = chance.choice([1, None, "word"])
    elif how < 0.2:
        del value[chance.choice([*value])]
    else:
        key = chance.choice([*value])
        value[key] = other_value(value[key], chance)


def other_list(values: list[Any], chance: Random) -> list[Any]:
    if not values or chance.random() < 0.4:
        return [*values, *values[:1], *([7] if chance.random() < 0.2 else [])]
    changed = list(values)
    at = chance.randrange(len(changed))
    if isinstance(changed[at], dict):
        change_somewhere(changed[at], chance)
    else:
        changed[at] = other_value(changed[at], chance)
    return changed


def other_value(value: Any, chance: Random) -> Any:
    match value:
        case bool():
            return not value
        case int():
            return chance.choice([value + 1, value - 1, 0, 1, -1, 2**53, 2**32])
        case str() if len(value) in (64, 128) and value.isalnum():
            at = chance.randrange(len(value))
            other = chance.choice("0123456789abcdefA")
            return value[:at] + other + value[at + 1 :]
        case str():
            odd = ["", " x", "e\u0301", "\u202e", None, 1.5]
            return chance.choice(["arbiter", "white", "swedes", value * 2, *odd])
        case _:
            return chance.choice([None, {}, [], "word", 0])


WITHOUT_KEYS: tuple[Spoiler, ...] = (
    *(flip_a_bit, change_the_payload, change_a_word, change_the_signature, change_the_signer),
    *(drop, double, swap, spell_otherwise),
)
WITH_KEYS: tuple[Spoiler, ...] = (
    *(signs_another_word,) * 4,
    *(signs_another_role, signs_another_type, signs_it_away, signs_it_twice),
    *(signs_them_in_another_order, signs_with_another_key, signs_another_place),
)


@cache
def spoilt() -> tuple[tuple[str, bytes], ...]:
    chance = Random(1950)
    found = []
    for number in range(RECORDS):
        spoil = chance.choice(WITH_KEYS if number % 2 else WITHOUT_KEYS)
        events = list(chance.choice(originals()))
        at = chance.randrange(len(events))
        found.append((f"{number} {spoil.__name__} {at}", spoil(events, at, chance)))
    return tuple(found)


@cache
def audits() -> tuple[Report, ...]:
    return tuple(audited(text) for _, text in spoilt())


# -- both opinions ---------------------------------------------------------------------------------


def test_the_matches_were_sound() -> None:
    texts = [record.write(each) for each in originals()]
    assert [audited(each).faults for each in texts] == [()] * len(texts)
    assert [each["faults"] for each in opinions(texts)] == [[]] * len(texts)


def test_both_find_the_same_in_500_spoilt_records() -> None:
    """Where the audit stops at what only the rules can tell, the page may go on."""
    second = opinions(text for _, text in spoilt())
    apart = [
        (name, first_fault(ours), first_fault(theirs))
        for (name, _), ours, theirs in zip(spoilt(), audits(), second, strict=True)
        if not agree(ours, theirs)
    ]
    assert apart == []


def agree(ours: Report, theirs: Opinion) -> bool:
    found, said = first_fault(ours), first_fault(theirs)
    if plain(ours) != plain(theirs):
        return False
    if found is None:
        return said is None and ours.verdict == theirs["verdict"]
    if found[1] in SHARE or said == found:
        return said == found
    return said is None or -1 < (found[0] or 0) < (said[0] or 0)


def plain(found: Report | Opinion) -> set[tuple[int | None, str]]:
    """Faults of form, chain and signature: they are found however much has gone wrong before."""
    return {fault for fault in faults_of(found) if fault[1] in PLAIN}


def test_the_spoilers_reach_every_check() -> None:
    """Else 500 records would prove little."""
    found = {first_fault(each) for each in audits()}
    codes = {fault[1] for fault in found if fault is not None}
    assert codes - SHARE - PARTLY, "some are for the rules alone"
    assert len(codes & SHARE) >= 35, sorted(codes & SHARE)
