"""The audit: what it finds in matches that were tampered with, and what it says of sound ones."""

from __future__ import annotations

import json
import shutil
from base64 import b64encode
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from table import (
    ALBA,
    ARBITER,
    BRUNO,
    KEYS,
    SHORT_GAME,
    STRANGER,
    WITNESS,
    accept,
    clock,
    close,
    countersign,
    new_service,
    note,
    opening,
    play,
    resign,
    rewind,
    whole_game,
)

from ledger import envelope as envelopes
from ledger import record, rulings
from ledger.audit import (
    BreachReport,
    OpeningReport,
    PartyReport,
    Report,
    ResultReport,
    SignatureReport,
    Trust,
    audit,
)
from ledger.envelope import Envelope
from ledger.events import (
    EVENT_TYPES,
    Closing,
    Event,
    Opening,
    Play,
    Result,
    Seat,
    Source,
    decode,
    encode,
    type_of,
)
from ledger.exchange import pending
from ledger.fold import Entry, MatchState, open_match
from ledger.inspection import inspect
from ledger.keys import SigningKey
from ledger.service import Plan, Service
from ledger.signers import AllowedSigners, parse_signers

GOLDEN = Path(__file__).parent / "golden"
SWEDES_WIN = Result(kind="win", how="goal", winner="swedes")
PLAYERS = f"Zoë {ARBITER.public.line}\nAlba {ALBA.public.line}\nBruno {BRUNO.public.line}\n"


def trust(signers: str | None = None, head: str | None = None) -> Trust:
    """A reader with all ruling documents."""
    allowed = parse_signers(signers) if signers is not None else None
    return Trust(documents=rulings.digests(), signers=allowed, head=head)


def written(opening: Opening, plans: Sequence[Plan]) -> tuple[Envelope, ...]:
    with TemporaryDirectory() as folder, new_service(Path(folder) / "ledger") as service:
        state = service.open_match(opening, ARBITER)
        service.append(state.match, plans, KEYS)
        return tuple(service.envelopes(state.match))


@cache
def game(*keyed: str) -> tuple[Envelope, ...]:
    """The whole game of the table to its close, countersigned by the seats that have keys."""
    with TemporaryDirectory() as folder, new_service(Path(folder) / "ledger") as service:
        state = whole_game(service, keyed=keyed)
        return tuple(service.envelopes(state.match))


BOTH = ("swedes", "muscovites")
"""Events of ``game(*BOTH)``: 0 opening, 1 2 acceptances, 3 to 11 moves, 12 closing, 13 14
countersignatures."""


def forge(event: Event, key: SigningKey, **changes: Any) -> Envelope:
    """An event with some fields changed, signed by ``key``."""
    return envelopes.seal(encode(replace(event, **changes)), key.public, key.sign)


def changed(
    events: Sequence[Envelope], number: int, key: SigningKey | None = None, **changes: Any
) -> tuple[Envelope, ...]:
    """The match with one event changed: signed anew by ``key``, or under its old signature."""
    old = events[number]
    event = decode(old.payload)
    if key is not None:
        new = forge(event, key, **changes)
    else:
        new = Envelope(encode(replace(event, **changes)), old.signature, old.keyid)
    return (*events[:number], new, *events[number + 1 :])


def rechained(events: Sequence[Envelope], keys: dict[str, SigningKey]) -> list[Envelope]:
    """The same events in one good chain, each signed by the key that ``keys`` gives its role."""
    found: list[Envelope] = []
    for number, each in enumerate(events):
        event = decode(each.payload)
        links = {"match": found[0].hash, "prev": found[-1].hash} if found else {}
        found.append(forge(event, keys[event.by], seq=number, **links))
    return found


def said(report: Report) -> list[tuple[int | None, str]]:
    return [(fault.event, fault.code) for fault in report.faults]


def party(report: Report, role: str) -> PartyReport:
    return next(each for each in report.parties if each.role == role)


def end(report: Report) -> str:
    """The sentence on how the record ends."""
    (found,) = (text for text in report.statements if "Ends at" in text or "Judged by" in text)
    return found


# -- sound ---------------------------------------------------------------------------------


def test_a_whole_game_is_sound() -> None:
    events = game(*BOTH)
    report = audit(events, (), trust())
    assert report == Report(
        match=events[0].hash,
        verdict="sound",
        events=15,
        head=events[14].hash,
        phase="closed",
        result=SWEDES_WIN,
        faults=(),
        unchecked=(),
        parties=(
            PartyReport("arbiter", "Zoë", ARBITER.public.fingerprint, (), 2, 0, False),
            PartyReport("swedes", "Alba", ALBA.public.fingerprint, (), 7, 0, True, accepted=1),
            PartyReport(
                "muscovites", "Bruno", BRUNO.public.fingerprint, (), 6, 0, True, accepted=2
            ),
        ),
        rulings=(),
        takebacks=(),
        breaches=tuple(BreachReport(seq, "raichi was due and not called") for seq in (7, 9)),
        dice=None,
        waits="",
        statements=(
            "The key of Zoë (arbiter) signed 2 events.",
            "The key of Alba (swedes) signed 7 events.",
            "The key of Bruno (muscovites) signed 6 events.",
            "Keys were checked against nobody: whoever opened the match could have invented the "
            "players. Give --signers with a file of keys that you trust.",
            "Played by tablut, version 1.",
            "Ends at event 14, closed with a win for swedes (goal); countersigned by Alba and "
            "Bruno.",
            "Compared with no score sheet: a record cut off at its end is still a valid "
            "beginning. Give --head with the hash noted down at the table.",
            "Times are the signers' own clocks: they prove nothing.",
        ),
        judged=14,
        opening=OpeningReport(
            ruleset="tablut",
            version=1,
            changed={},
            document=opening().ruleset.document,
            event=None,
            round=None,
            table=None,
            place=None,
            date=None,
        ),
        results=(
            ResultReport(
                event=11,
                how="a move of Alba (swedes)",
                result=SWEDES_WIN,
                text="a win for Alba (swedes)",
                ruled=False,
                closing=12,
                cites=None,
                signable=True,
                signed=(
                    SignatureReport(13, "swedes", "Alba", None, None),
                    SignatureReport(14, "muscovites", "Bruno", None, None),
                ),
                refused=(),
                unsigned=(),
                keyless=(),
                appeals=(),
                stands=True,
                ended=None,
            ),
        ),
        end="Ends at event 14, closed with a win for swedes (goal); countersigned by Alba and "
        "Bruno.",
        limits=(*report.statements[3:4], *report.statements[6:]),
    )


def test_with_signers_and_head_it_says_what_was_compared() -> None:
    events = game(*BOTH)
    report = audit(events, (), trust(PLAYERS, events[14].hash))
    assert report.verdict == "sound"
    assert report.statements[3:] == (
        "Keys were compared with your signers file. A signature proves which key signed, not "
        "whose hand.",
        "Played by tablut, version 1.",
        "Ends at event 14, closed with a win for swedes (goal); countersigned by Alba and Bruno.",
        "The last event has the head hash given (64 of 64 digits compared).",
        "Times are the signers' own clocks: they prove nothing.",
    )


def test_the_arbiter_as_scribe_is_named_as_such() -> None:
    report = audit(game("swedes"), (), trust())
    assert report.verdict == "sound"
    assert report.statements[:3] == (
        "The key of Zoë (arbiter) signed 6 events.",
        "The key of Alba (swedes) signed 7 events.",
        "Bruno (muscovites) has no key: the arbiter wrote down all of their acts (4). For these "
        "there is only the arbiter's word.",
    )
    assert party(report, "muscovites") == PartyReport("muscovites", "Bruno", None, (), 0, 4, False)
    assert end(report).endswith("countersigned by Alba.")


def test_without_any_keys_there_is_only_the_arbiter() -> None:
    report = audit(game(), (), trust())
    assert report.verdict == "sound"
    assert [text for text in report.statements if "only the arbiter's word" in text] == [
        "Alba (swedes) has no key: the arbiter wrote down all of their acts (5). For these there "
        "is only the arbiter's word.",
        "Bruno (muscovites) has no key: the arbiter wrote down all of their acts (4). For these "
        "there is only the arbiter's word.",
    ]
    assert end(report).endswith("countersigned by nobody.")


def test_a_single_event_in_words() -> None:
    report = audit(written(opening(keyed=["swedes"]), [accept("swedes")]), (), trust())
    assert "The key of Alba (swedes) signed 1 event." in report.statements
    assert end(report) == "Ends at event 1, not closed: the game is not over."


@pytest.mark.parametrize(
    ("signed", "words"),
    [
        ([], "countersigned by nobody."),
        (["swedes"], "countersigned by Alba, not by Bruno."),
        (["witness1"], "countersigned by Wanda, not by Alba or Bruno."),
        (["witness1", "muscovites", "swedes"], "countersigned by Alba and Bruno and Wanda."),
    ],
)
def test_a_countersignature_that_is_missing(signed: list[str], words: str) -> None:
    plans = [accept("swedes"), accept("muscovites"), resign("swedes"), close()]
    events = written(opening(witness=True), [*plans, *map(countersign, signed)])
    report = audit(events, (), trust())
    assert report.verdict == "sound"
    assert end(report).endswith(f"closed with a win for muscovites (resigned); {words}")
    assert {each.role for each in report.parties if each.countersigned} == set(signed)


def test_a_game_that_is_over_and_not_closed() -> None:
    report = audit(game(*BOTH)[:12], (), trust())
    assert (report.verdict, report.phase, report.result) == ("sound", "ended", SWEDES_WIN)
    assert end(report) == "Ends at event 11, not closed: over with a win for swedes (goal)."


def test_a_ruling_is_listed_with_what_it_took_back() -> None:
    plans = [*map(accept, BOTH), *map(play, SHORT_GAME[:3]), rewind(to=3), play("e2-g2")]
    events = written(opening(), [*plans, rewind(to=5), note("Sorry."), rewind(to=6)])
    report = audit(events, (), trust())
    assert report.verdict == "sound"
    assert [(each.event, each.takes_back) for each in report.rulings] == [
        (6, (4, 5)),  # back to 3
        (8, (7,)),  # back to 5: the moves 4 and 5 stand again
        (10, (4, 5)),  # and are off again
    ]
    assert {(each.reason, each.rule) for each in report.rulings} == {("mistyped", "record")}


def test_an_imported_game_proves_nothing_about_its_file() -> None:
    source = Source(format="opentafl", sha256="a" * 64)
    events = written(replace(opening(keyed=[]), source=source), [play("e3-f3")])
    assert (
        f"The moves were read from a file (opentafl, SHA-256 {'a' * 64}): nothing here proves "
        "that the file tells the truth."
    ) in audit(events, (), trust()).statements


def test_no_event_is_no_match() -> None:
    report = audit([], (), trust(PLAYERS, "a" * 64))
    assert said(report) == [(None, "empty"), (None, "wrong-head")]
    assert report.statements == ("The match cannot be opened: nothing in it is proven.",)


# -- signatures and roles ------------------------------------------------------------------


def test_an_altered_event_under_its_old_signature() -> None:
    events = changed(game(*BOTH), 6, data=Play(move="e2-g2"))
    report = audit(events, (), trust())
    assert said(report)[0] == (6, "bad-signature")
    assert (7, "bad-chain") in said(report)
    assert report.verdict == "faults"


@pytest.mark.parametrize("number", [3, 12, 14])
def test_an_event_signed_by_somebody_else(number: int) -> None:
    events = changed(game(*BOTH), number, STRANGER)
    report = audit(events, (), trust())
    assert said(report) == [(number, "wrong-signer")]
    assert STRANGER.public.fingerprint in report.faults[0].text


def test_a_countersignature_that_is_forged_does_not_count() -> None:
    events = game(*BOTH)
    forged = Envelope(events[14].payload, STRANGER.sign(b"x"), events[14].keyid)
    report = audit([*events[:14], forged], (), trust())
    assert said(report) == [(14, "bad-signature")]
    assert not party(report, "muscovites").countersigned
    assert end(report) == (
        "With the faults found this is not proven: Ends at event 14, closed with a win for swedes "
        "(goal); countersigned by Alba, not by Bruno."
    )


def test_later_faults_are_found_as_well() -> None:
    """Bad signatures in events 3 and 7, nothing else: both are told, and the rules judged on."""
    events = list(game(*BOTH))
    for number in (3, 7):
        events[number] = Envelope(events[number].payload, bytes(64), events[number].keyid)
    report = audit(events, (), trust())
    assert said(report) == [(3, "bad-signature"), (7, "bad-signature")]
    assert party(report, "swedes").signed == 5
    assert report.result == SWEDES_WIN


def test_after_the_rules_stop_signatures_and_roles_are_judged_on() -> None:
    """The arbiter inserts an illegal move at 5; what is wrong at 7, 9 and 11 is told as well."""
    events = rechained(changed(game(*BOTH), 5, ALBA, data=Play(move="e4-e9")), KEYS)
    events[7] = Envelope(events[7].payload, bytes(64), events[7].keyid)
    events[9] = forge(decode(events[9].payload), ARBITER, by="arbiter", for_="swedes")
    events[11] = forge(decode(events[11].payload), WITNESS, by="witness1")
    report = audit(events, (), trust())
    found = said(report)
    assert found[0] == (5, "blocked")
    assert (7, "bad-signature") in found
    assert (9, "seat-has-key") in found
    assert (11, "unknown-role") in found
    assert report.unchecked == (
        "9 events could be judged by form, chain and signature only, not by the rules, because "
        "of what stands before.",
    )
    assert end(report) == "Judged by the rules up to event 4 of 14: no result is proven."


def test_a_damaged_event_leaves_the_later_signatures_to_be_judged() -> None:
    pieces: list[Any] = list(game(*BOTH))
    pieces[4] = record.Damage("not-an-envelope", "This event is damaged and cannot be read.")
    pieces[9] = Envelope(pieces[9].payload, bytes(64), pieces[9].keyid)
    report = audit(pieces, (), trust())
    assert said(report) == [(4, "not-an-envelope"), (9, "bad-signature")]
    assert report.events == 15


def test_a_forger_who_signs_the_whole_chain_anew_is_found_by_the_roster() -> None:
    """Another move 6, every later event hashed anew; the forger has the arbiter's key, not the
    players', and signs for them with one of his own."""
    forger = dict.fromkeys(BOTH, STRANGER) | {"arbiter": ARBITER}
    events = changed(game(*BOTH)[:7], 6, STRANGER, data=Play(move="h2-h4"))
    forged = [*events[:6], *rechained(events, forger)[6:]]
    report = audit(forged, (), trust())
    assert said(report) == [(6, "wrong-signer")]


def test_a_forger_who_invents_the_players_is_found_by_the_signers_file_alone() -> None:
    """The same match with players made up by its arbiter is sound by itself."""
    invented = {seat: SigningKey.from_seed(bytes([n]) * 32) for n, seat in enumerate(BOTH, 50)}
    seats = {
        seat: Seat(name=name, key=invented[seat].public.line)
        for seat, name in zip(BOTH, ("Alba", "Bruno"), strict=True)
    }
    events = changed(game(*BOTH)[:12], 0, ARBITER, data=replace(opening(), seats=seats))
    forged = rechained(events, invented | {"arbiter": ARBITER})
    alone = audit(forged, (), trust())
    assert alone.verdict == "sound"
    assert any("could have invented the players" in text for text in alone.statements)
    known = audit(forged, (), trust(PLAYERS))
    assert said(known) == [(0, "key-not-listed"), (0, "key-not-listed")]
    assert audit(forged, (), trust(None, game(*BOTH)[11].hash)).verdict == "faults"


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({}, "wrong-signer"),
        ({"by": "arbiter"}, "wrong-role"),
        ({"by": "arbiter", "for_": "swedes"}, "seat-has-key"),
        ({"by": "arbiter", "for_": "witness1"}, "unknown-role"),
        ({"by": "nobody"}, "unknown-role"),
    ],
)
def test_the_arbiter_forges_a_move_of_a_seat_with_a_key(changes: dict[str, Any], code: str) -> None:
    report = audit(changed(game(*BOTH)[:6], 5, ARBITER, **changes), (), trust())
    assert said(report) == [(5, code)]


@pytest.mark.parametrize("by", ["swedes", "muscovites", "witness1"])
def test_nobody_closes_but_the_arbiter(by: str) -> None:
    plans = [*map(accept, BOTH), *map(play, SHORT_GAME), close()]
    events = changed(written(opening(witness=True), plans), 12, KEYS[by], by=by)
    assert said(audit(events, (), trust())) == [(12, "wrong-role")]


def test_a_key_that_verifiers_disagree_about() -> None:
    """A key of low order: anybody can sign with it."""
    wire = bytes.fromhex("0000000b7373682d6564323535313900000020") + bytes([1]) + bytes(31)
    line = f"ssh-ed25519 {b64encode(wire).decode()}"
    seats = opening().seats | {"swedes": Seat(name="Alba", key=line)}
    events = changed(game(*BOTH)[:1], 0, ARBITER, data=replace(opening(), seats=seats))
    report = audit(events, (), trust())
    assert said(report) == [(0, "weak-key")]
    assert "anyone can sign with it" in report.faults[0].text


# -- rules and results ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "result",
    [
        Result(kind="win", how="goal", winner="muscovites"),
        Result(kind="draw", how="repetition"),
        Result(kind="win", how="resigned", winner="swedes"),
    ],
)
def test_an_altered_result(result: Result) -> None:
    """Signed by the arbiter himself, in a good chain: the fold knows better."""
    events = rechained(changed(game(*BOTH), 12, ARBITER, data=Closing(result=result)), KEYS)
    report = audit(events, (), trust())
    assert said(report) == [(12, "wrong-result")]
    assert report.phase == "ended"


def test_an_illegal_move_that_its_player_signed() -> None:
    events = rechained(changed(game(*BOTH), 7, ALBA, data=Play(move="Ke5-e1")), KEYS)
    report = audit(events, (), trust())
    assert said(report) == [(7, "blocked")]
    assert "9 events" not in report.unchecked[0]
    assert report.unchecked[0].startswith("7 events could be judged by form, chain and signature")


def test_a_move_out_of_turn() -> None:
    event = decode(game(*BOTH)[4].payload)
    events = [*game(*BOTH)[:4], forge(event, ALBA, by="swedes", data=Play(move="e4-f4"))]
    assert said(audit(events, (), trust())) == [(4, "wrong-turn")]


def test_a_match_of_an_unknown_ruling_document() -> None:
    """It may be a newer ruling: not a fault, but not sound either."""
    report = audit(game(*BOTH), (), Trust(documents={"0" * 64: "tablut-1"}))
    assert (report.verdict, report.faults) == ("could-not-check", ())
    assert "which this Tabellion does not hold" in report.unchecked[0]
    assert report.result == SWEDES_WIN


def in_game(name: str, **options: Any) -> list[Envelope]:
    rules = opening().ruleset
    data = replace(
        opening(),
        ruleset=replace(rules, game=name, document="f" * 64, options=rules.options | options),
    )
    return rechained(changed(game(*BOTH), 0, ARBITER, data=data), KEYS)


@pytest.mark.parametrize("events", [in_game("hnefatafl99"), in_game("tablut", komi=True)])
def test_a_game_that_is_not_known_here(events: list[Envelope]) -> None:
    """Chain and signatures are judged all the same."""
    report = audit(events, (), trust(PLAYERS, events[-1].hash))
    assert (report.verdict, report.faults) == ("could-not-check", ())
    assert report.unchecked[0].startswith("The rules of the game were not judged: ")
    assert report.unchecked[1].startswith("14 events could be judged by form, chain and signature")
    assert len(report.unchecked) == 2
    assert party(report, "swedes").signed == 7
    assert "The key of Alba (swedes) signed 7 events." in report.statements
    assert "Neither the moves nor the result were judged." in report.statements
    events[8] = Envelope(events[8].payload, bytes(64), events[8].keyid)
    events[10] = forge(decode(events[10].payload), BRUNO, prev="0" * 64)
    report = audit(events, (), trust(PLAYERS))
    assert said(report) == [(8, "bad-signature"), (10, "bad-chain"), (11, "bad-chain")]


def test_one_key_has_one_role_in_any_game() -> None:
    data = decode(in_game("hnefatafl99")[0].payload).data
    assert isinstance(data, Opening)
    seats = data.seats | {"swedes": Seat(name="Alba", key=ARBITER.public.line)}
    opened = changed(game(*BOTH)[:1], 0, ARBITER, data=replace(data, seats=seats))
    assert said(audit(opened, (), trust())) == [(0, "key-twice")]


def test_an_impossible_option_under_a_known_ruling_is_a_fault() -> None:
    rules = opening().ruleset
    data = replace(opening(), ruleset=replace(rules, options=rules.options | {"komi": True}))
    report = audit(rechained(changed(game(*BOTH), 0, ARBITER, data=data), KEYS), (), trust())
    assert said(report) == [(0, "unknown-option")]


def test_an_opening_that_cannot_be_used_leaves_the_chain_to_be_judged() -> None:
    seats = opening().seats | {"swedes": Seat(name="Alba", key=ARBITER.public.line)}
    events = rechained(changed(game(*BOTH), 0, ARBITER, data=replace(opening(), seats=seats)), KEYS)
    report = audit(events, (), trust())
    assert said(report) == [(0, "key-twice")]
    assert report.unchecked == (
        "14 events could be judged by form and chain only, not by the rules, because of what "
        "stands before.",
    )
    assert report.statements == ("The match cannot be opened: nothing in it is proven.",)


# -- written by a later version ------------------------------------------------------------


def newer(old: Envelope, key: SigningKey, change: Callable[[bytes], bytes]) -> Envelope:
    return envelopes.seal(change(old.payload), key.public, key.sign)


def of_new_type(payload: bytes) -> bytes:
    return payload.replace(b'"type":"move"', b'"type":"castle"')


def of_version_two(payload: bytes) -> bytes:
    return payload.replace(b'"v":1}', b'"v":2}')


@pytest.mark.parametrize("change", [of_new_type, of_version_two])
def test_an_event_of_a_later_version_is_no_fault_when_a_player_signed_it(
    change: Callable[[bytes], bytes],
) -> None:
    events = list(game(*BOTH)[:6])
    events[5] = newer(events[5], ALBA, change)
    report = audit(events, (), trust())
    assert (report.verdict, report.faults) == ("could-not-check", ())
    assert report.unchecked[0].startswith("Event 5: The event ")
    assert end(report) == "Judged by the rules up to event 4 of 5: no result is proven."
    events[5] = newer(events[5], STRANGER, bytes)
    assert audit(events, (), trust()).verdict == "faults"


def test_an_opening_of_a_later_version() -> None:
    opened = newer(game(*BOTH)[0], ARBITER, of_version_two)
    report = audit([opened], (), trust())
    assert (report.verdict, report.faults) == ("could-not-check", ())
    assert report.match == opened.hash
    stranger = newer(game(*BOTH)[0], STRANGER, of_version_two)
    assert said(audit([stranger], (), trust())) == [(0, "future-version")]


# -- whom the reader trusts ----------------------------------------------------------------


def test_keys_listed_under_their_names() -> None:
    report = audit(game(*BOTH), (), trust(PLAYERS.replace("Alba", "Alba,alba@club.example")))
    assert report.verdict == "sound"
    assert party(report, "swedes").listed_as == ("Alba", "alba@club.example")
    assert party(report, "arbiter").listed_as == ("Zoë",)


def test_a_key_listed_under_another_name() -> None:
    report = audit(game(*BOTH), (), trust(PLAYERS.replace("Alba", "Carla")))
    assert (report.verdict, report.faults) == ("could-not-check", ())
    assert report.unchecked == (
        f"The record calls the holder of {ALBA.public.fingerprint} Alba; your signers file calls "
        "them Carla. Compare the names.",
    )
    assert party(report, "swedes").listed_as == ("Carla",)


def test_a_key_that_is_not_listed() -> None:
    report = audit(game(*BOTH), (), trust(f"Alba {ALBA.public.line}\nZoë {ARBITER.public.line}"))
    assert said(report) == [(0, "key-not-listed")]
    assert report.faults[0].text == (
        f"The key of Bruno (muscovites), {BRUNO.public.fingerprint}, is not in your signers file."
    )


def test_an_empty_signers_file_trusts_nobody() -> None:
    report = audit(game(*BOTH), (), trust(""))
    assert said(report) == [(0, "key-not-listed")] * 3


def test_seats_without_keys_need_no_line() -> None:
    report = audit(game("swedes"), (), trust(PLAYERS))
    assert report.verdict == "sound"
    assert party(report, "muscovites").listed_as == ()


def test_a_key_that_is_trusted_for_a_time() -> None:
    limited = PLAYERS.replace("Alba ", 'Alba valid-before="20200101" ')
    report = audit(game(*BOTH), (), trust(limited))
    assert (report.verdict, report.faults) == ("could-not-check", ())
    assert report.unchecked == (
        "Your signers file limits the key of Alba (swedes) in time. Whether it was used in that "
        "time, no record can prove.",
    )
    assert isinstance(trust(limited).signers, AllowedSigners)


# -- the rules in force --------------------------------------------------------------------


def test_changed_options_are_said() -> None:
    report = audit(written(opening(konakis_pass="none", king_armed=False), []), (), trust())
    assert (
        "Played by tablut, version 1, changed: king_armed=false, konakis_pass=none."
    ) in report.statements


def test_a_ruling_document_of_another_game_is_a_fault() -> None:
    known = {game(*BOTH)[0].hash: "x", opening().ruleset.document: "hnefatafl-1"}
    report = audit(game(*BOTH), (), Trust(documents=known))
    assert said(report) == [(0, "wrong-document")]


# -- the head on the score sheet -----------------------------------------------------------


HEAD = game(*BOTH)[14].hash


@pytest.mark.parametrize(
    ("head", "digits"),
    [
        (HEAD, 64),
        (HEAD.upper(), 64),
        (HEAD[:32], 32),
        (" ".join(HEAD[i : i + 4] for i in range(0, 64, 4)), 64),
        (f"{HEAD[:8]}-{HEAD[8:16]}:{HEAD[16:40]}\n", 40),
    ],
)
def test_the_head_as_it_was_noted_down(head: str, digits: int) -> None:
    report = audit(game(*BOTH), (), trust(head=head))
    assert report.verdict == "sound"
    assert (
        f"The last event has the head hash given ({digits} of 64 digits compared)."
    ) in report.statements
    assert not any("score sheet" in text for text in report.statements)


def test_an_earlier_head() -> None:
    report = audit(game(*BOTH), (), trust(head=game(*BOTH)[12].hash))
    assert (report.verdict, report.faults) == ("could-not-check", ())
    assert report.unchecked == (
        "The head hash given is that of event 12: what follows was added after it was noted down.",
    )
    assert not any("head hash" in text for text in report.statements)


@pytest.mark.parametrize("head", ["0" * 64, "0" * 32, HEAD[:16] + "0" * 48])
def test_a_head_of_something_else(head: str) -> None:
    report = audit(game(*BOTH), (), trust(head=head))
    assert said(report) == [(None, "wrong-head")]
    assert end(report).startswith("With the faults found this is not proven: ")


@pytest.mark.parametrize("head", ["", " ", HEAD[:31], HEAD + "0", "SHA256:" + HEAD[:40], "é" * 32])
def test_a_head_that_is_none(head: str) -> None:
    report = audit(game(*BOTH), (), trust(head=head))
    assert said(report) == [(None, "bad-head")]
    assert report.faults[0].text.isascii()
    assert not any("digits compared" in text for text in report.statements)


# -- for ever ------------------------------------------------------------------------------


BREACHES: dict[str, dict[str, str]] = {
    "v1-tablut": dict.fromkeys(("7", "9"), "raichi was due and not called"),
    "v1-tablut-scribe": dict.fromkeys(("10", "12"), "raichi was due and not called"),
    "v1-tablut-offers": {"17": "tuichi was called, but raichi was due"},
    "v1-tabula": {},
    "v1-tabula-on-the-table": {},
    "v1-tablero": {},
    "v1-tablero-called": {},
    "v1-tablut-ruled": {},
    "v1-tabula-ruled": {},
}
"""What the golden records leave uncalled, or call falsely."""


@pytest.mark.parametrize("name", BREACHES)
def test_records_of_version_one_are_read_for_ever(name: str) -> None:
    """README: the files in ``golden/`` are records that version 1 wrote and what they mean. They
    are never regenerated; when this test fails, the program is wrong and not the files."""
    data = (GOLDEN / f"{name}.tabellion.json").read_bytes()
    expected = json.loads((GOLDEN / f"{name}.expected.json").read_text(encoding="utf-8"))
    found = record.read(data)
    events = [each for each in found.pieces if isinstance(each, Envelope)]
    assert record.write(events) == data
    state = open_match([Entry(decode(each.payload), each.hash, each.keyid) for each in events])
    assert {
        "match": state.match,
        "head": state.head,
        "document": state.opening.ruleset.document,
        "events": [told(entry.event) for entry in state.entries],
        "hashes": [entry.hash for entry in state.entries],
        "positions": [state.game.position(moment.game) for moment in state.moments],
        "phase": state.phase.value,
        "result": msgspec.to_builtins(state.result),
        "superseded": sorted(state.superseded()),
        "countersigned": sorted(state.countersigned),
    } == {key: value for key, value in expected.items() if key not in ("audit", "officials")}
    nothing = {key: [] for key in ("penalties", "disputes", "appeals", "changes")}
    assert officials(state) == expected.get("officials", officials(state) | nothing)
    report = audit(found.pieces, found.frame, trust(head=state.head))
    rolls, unopened = (report.dice.rolls, report.dice.unopened) if report.dice else ((), ())
    without = {"takebacks": {}, "breaches": BREACHES[name], "rolls": [], "unopened": []}
    assert {
        "verdict": report.verdict,
        "faults": list(report.faults),
        "unchecked": list(report.unchecked),
        "parties": [
            {
                "role": each.role,
                "name": each.name,
                "keyid": each.keyid,
                "signed": each.signed,
                "written_for": each.written_for,
                "countersigned": each.countersigned,
            }
            for each in report.parties
        ],
        "rulings": {str(each.event): list(each.takes_back) for each in report.rulings},
        "takebacks": {str(each.event): list(each.takes_back) for each in report.takebacks},
        "breaches": {str(each.event): each.text for each in report.breaches},
        "rolls": [
            [each.roll, each.event, each.seat, list(each.dice), each.voided] for each in rolls
        ],
        "unopened": [[each.roll, each.seat, list(each.owed)] for each in unopened],
    } == without | expected["audit"]


def officials(state: MatchState) -> dict[str, Any]:
    """What disputes, rulings and people have made of a match."""
    return {
        "penalties": [
            [each.seq, each.seat, each.name, each.penalty, each.withdrawn]
            for each in state.penalties
        ],
        "disputes": [
            [each.seq, each.by, each.about, sorted(each.settled), each.ended]
            for each in state.disputes
        ],
        "appeals": [[each.seq, each.seat, each.against, each.decided] for each in state.appeals],
        "changes": [
            [each.seq, each.before.role, each.before.name, each.after.name, each.by, each.consent]
            for each in state.changes
        ],
        "sheets": [
            [
                each.seq,
                msgspec.to_builtins(each.result),
                sorted(each.signed),
                dict(each.for_absent),
                dict(each.refused),
            ]
            for each in state.sheets
        ],
        "contributors": list(state.contributors),
    }


def test_the_ledger_of_version_one_is_read_for_ever(tmp_path: Path) -> None:
    """``golden/v1.db`` is a ledger file that version 1 wrote. It is never regenerated."""
    file = tmp_path / "ledger.db"
    shutil.copy(GOLDEN / "v1.db", file)
    expected = json.loads((GOLDEN / "v1-tablut.expected.json").read_text(encoding="utf-8"))
    view = inspect(str(file), file, trust(head=expected["head"]))
    assert (view.verdict, view.file_faults) == ("sound", ())
    with Service.open(file, clock) as service:
        assert (
            record.write(service.envelopes(expected["match"]))
            == (GOLDEN / "v1-tablut.tabellion.json").read_bytes()
        )
        state = service.append(expected["match"], [note("Still here")], KEYS)
    assert state.seq == len(expected["events"])


def test_the_ledger_of_format_two_is_read_for_ever(tmp_path: Path) -> None:
    """``golden/v2.db`` holds two matches, and two events that were set aside. It is never
    regenerated; ``v2.json`` says what it means."""
    file = tmp_path / "ledger.db"
    shutil.copy(GOLDEN / "v2.db", file)
    expected = json.loads((GOLDEN / "v2.json").read_text(encoding="utf-8"))
    view = inspect(str(file), file, trust())
    assert (view.verdict, view.file_faults) == ("sound", ())
    assert [[each.match, each.event, each.hash] for each in view.set_aside] == [
        aside[:3] for aside in expected["set_aside"] if aside[2] not in expected["came_back"]
    ]
    with Service.open(file, clock) as service:
        store = service.store
        assert {match: service.state(match).head for match in store.matches()} == expected["heads"]
        assert [
            [each.match, each.seq, each.hash, each.position, each.since] for each in store.aside()
        ] == expected["set_aside"]
        assert store.last_position() == expected["positions"]
        assert pending(service) == []
        for match in store.matches():
            service.append(match, [note("Still here")], KEYS)
        assert store.last_position() == expected["positions"] + 2


def told(event: Event) -> str:
    return f"{type_of(event)} by {event.by}" + (f" for {event.for_}" if event.for_ else "")


def test_the_golden_game_is_the_one_of_the_table() -> None:
    """The table still writes these bytes: same keys, same clock, same signatures. This one may go
    when the rulings or the format get a new version."""
    assert record.write(game(*BOTH)) == (GOLDEN / "v1-tablut.tabellion.json").read_bytes()


def test_every_type_of_event_is_in_a_golden_record() -> None:
    expected = [json.loads(file.read_text("utf-8")) for file in GOLDEN.glob("*.expected.json")]
    assert {event.split()[0] for each in expected for event in each["events"]} == set(EVENT_TYPES)
