"""The arbiter's desk over HTTP: who comes in, what is signed there, what is refused."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from deskhand import Desk, desk_of, move, ruling
from server import Said
from table import (
    ALBA,
    ARBITER,
    BOTH,
    BRUNO,
    KEYS,
    SHORT_GAME,
    accept,
    clock,
    new_service,
    opening,
    play,
    resign,
)

from ledger import joincodes, record, rulings
from ledger.audit import Trust, audit
from ledger.events import Physical
from ledger.keys import SigningKey
from ledger.service import Service
from ledger.tables import Tables, beside

OPENED: dict[str, str] = {}
"""Matches on the ledger of this module by what is played in them."""


def set_up(path: Path) -> None:
    with new_service(path) as service:
        tables = {
            "scribed": opening(keyed=()),
            "halted": opening(keyed=(), nonce="11" * 16),
            "keyed": opening(nonce="22" * 16),
            "dice": opening("tabula", keyed=(), dice=Physical(confirm=True), nonce="33" * 16),
        }
        for name, each in tables.items():
            OPENED[name] = service.open_match(each, KEYS["arbiter"]).match
        service.append(OPENED["keyed"], [accept("swedes"), accept("muscovites")], KEYS)


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("desk") / "ledger.db"
    set_up(path)
    return path


@pytest.fixture(scope="module")
def desk(ledger: Path) -> Iterator[Desk]:
    with desk_of(ledger) as found:
        found.come_in()
        yield found


def head(desk: Desk, name: str) -> str:
    return str(desk.client.get(f"/api/matches/{OPENED[name]}").json["head"])


# -- coming in -------------------------------------------------------------------------------


def test_the_link_is_good_once_and_a_fresh_one_is_printed(ledger: Path) -> None:
    with desk_of(ledger) as desk:
        printed = desk.token
        first = desk.come_in()
        assert "set-cookie" not in first.headers, "a cookie would go to every port of this machine"
        assert printed not in first.body.decode()
        assert desk.get("/desk/api/session").json["arbiter"] == KEYS["arbiter"].public.fingerprint
        again = desk.enter(printed)
        assert (again.status, again.code) == (403, "link-used")
        assert desk.token != printed, "the fresh link"
        assert desk.come_in().status == 200


def test_the_token_stands_where_no_browser_sends_it(desk: Desk) -> None:
    address = desk.links[-1]
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/desk#token=[0-9a-f]{64}", address)
    before = desk.token
    assert desk.client.get(f"/desk?token={before}").status == 200, "the page, and nothing more"
    assert desk.token == before


@pytest.mark.parametrize("token", ["", "0" * 64, "\u00e9", "x" * 200])
def test_a_link_that_was_guessed_leads_nowhere(desk: Desk, token: str) -> None:
    before = desk.token
    assert desk.enter(token).code == "link-used"
    assert desk.token == before


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"\xff", b"[" * 9000, b'{"token":7}', b'{"token":"' + b"x" * 201 + b'"}']
)
def test_what_is_no_token_is_refused_in_our_words(desk: Desk, body: bytes) -> None:
    answer = desk.post("enter", body)
    assert (answer.status, answer.code) == (400, "bad-token")


def test_without_the_link_nothing_is_told_and_nothing_signed(ledger: Path) -> None:
    with desk_of(ledger) as desk:
        match = OPENED["scribed"]
        for answer in (
            desk.get("/desk/api/session"),
            desk.get("/desk/api/session", Authorization="Bearer 00"),
            desk.get("/desk/api/session", Authorization=f"Bearer {desk.token}"),
            desk.get("/desk/api/session", Authorization="Basic OjA="),
            desk.get("/desk/api/tables"),
            desk.get(f"/desk/api/matches/{match}"),
            desk.post("withdraw", {"table": "0" * 16}),
            desk.sign(match, {"type": "note", "data": {"text": "I was here"}}),
            desk.rehearse(match, {"type": "note", "data": {"text": "I was here"}}),
        ):
            assert (answer.status, answer.code) == (401, "not-logged-in")
            assert answer.headers["www-authenticate"] == "Bearer"
        assert desk.get("/desk").status == 200, "the page itself is the same for everybody"


def test_two_servers_of_one_machine_know_their_own_arbiter_alone(ledger: Path, desk: Desk) -> None:
    with desk_of(ledger) as other:
        other.come_in()
        for one, another in ((desk, other), (other, desk)):
            assert one.get("/desk/api/session").status == 200
            assert one.get("/desk/api/session", **another.shown).status == 401
        assert desk.client.get("/desk/api/session", Cookie=f"x={desk.session}").status == 401


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": ""},
        {"Tabellion_Desk": ""},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
    ],
    ids=str,
)
def test_a_foreign_page_can_neither_sign_nor_come_in(desk: Desk, headers: dict[str, str]) -> None:
    acts = desk.acts(OPENED["scribed"], {"type": "note", "data": {"text": "forged"}})
    for answer in (desk.post("sign", acts, **headers), desk.enter(desk.token, **headers)):
        assert (answer.status, answer.code) == (403, "not-our-page")


@pytest.mark.parametrize(
    "headers",
    [{"Host": "192.168.1.7"}, {"Host": "0.0.0.0"}, {"X_Forwarded_For": "10.0.0.1"}],
    ids=str,
)
def test_the_desk_is_on_this_machine_alone(desk: Desk, headers: dict[str, str]) -> None:
    answer = desk.get("/desk/api/session", **headers)
    assert (answer.status, answer.code) == (403, "not-here")
    assert desk.enter(desk.token, **headers).code == "not-here"
    shown = desk.get("/desk", **headers)
    assert shown.status == 403
    assert shown.headers["content-type"].startswith("text/plain"), "a person asks"
    assert shown.body.decode().startswith("This page is ")


def test_the_token_stands_in_no_log(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "ledger.db"
    set_up(path)
    with desk_of(path, log=True) as desk:
        printed = desk.token
        desk.come_in()
    said = capfd.readouterr()  # the server has stopped: its log is whole
    assert "POST /desk/api/enter 200" in said.err
    assert printed not in said.err
    assert desk.session not in said.err


@pytest.mark.parametrize("house", [{"write": False}, {"arbiter": None, "login": None}], ids=str)
def test_without_the_key_or_read_only_the_desk_looks_on(
    ledger: Path, house: dict[str, None]
) -> None:
    with desk_of(ledger, **house) as desk:
        assert desk.get("/desk/api/session").json == {"arbiter": None, "readonly": True}
        answer = desk.sign(OPENED["scribed"], {"type": "note", "data": {"text": "no"}})
        assert answer.status in (401, 403)


# -- signing ---------------------------------------------------------------------------------


def test_the_scribe_writes_moves_and_everybody_sees_them(desk: Desk) -> None:
    match = OPENED["scribed"]
    stream = desk.client.listen(f"/api/matches/{match}/stream")
    stream.next("table")
    before = desk.client.get(f"/api/matches/{match}").json["seq"]
    shown = desk.sign(match, move("e3-f3", "swedes"), move("e2-h2", "muscovites")).json
    assert shown["seq"] == before + 2
    assert shown["last_action"] == "e2-h2"
    assert stream.until(shown["seq"])[-1].id == shown["seq"]
    stream.close()


def test_a_rehearsal_says_what_would_be_and_writes_nothing(desk: Desk) -> None:
    match = OPENED["halted"]
    before = head(desk, "halted")
    told = desk.rehearse(match, move("e3-f3", "swedes")).json
    assert told["show"]["turn"] == "muscovites"
    assert [each["type"] for each in told["events"]] == ["move"]
    assert "e3-f3" in told["events"][0]["text"]
    assert head(desk, "halted") == before


def test_a_ruling_rewinds_as_it_was_rehearsed(desk: Desk) -> None:
    match = OPENED["halted"]
    start = desk.client.get(f"/api/matches/{match}").json
    desk.sign(match, move("e3-f3", "swedes"))
    back = ruling({"effect": "rewind", "to": start["seq"]})
    rehearsed = desk.rehearse(match, back).json["show"]
    signed = desk.sign(match, back).json
    assert rehearsed["position"] == signed["position"] == start["position"]
    assert signed["turn"] == "swedes"


def test_of_several_acts_all_go_through_or_none(desk: Desk) -> None:
    before = head(desk, "halted")
    answer = desk.sign(OPENED["halted"], move("e3-f3", "swedes"), move("e4-e5", "muscovites"))
    assert answer.status == 422
    assert answer.json["error"]["message"].startswith("Act 2 of 2: ")
    assert head(desk, "halted") == before


def test_whoever_comes_late_is_told_where_the_match_stands(desk: Desk) -> None:
    match, seen = OPENED["halted"], head(desk, "halted")
    desk.sign(match, {"type": "note", "data": {"text": "the clock was stopped"}})
    for what in (desk.sign, desk.rehearse):
        answer = what(match, {"type": "note", "data": {"text": "late"}}, expect=seen)
        assert (answer.status, answer.code) == (409, "stale")
        assert answer.json["error"]["head"]["hash"] == head(desk, "halted")


def test_nobody_writes_for_a_seat_with_a_key(desk: Desk) -> None:
    for what in (desk.sign, desk.rehearse):
        answer = what(OPENED["keyed"], move("e3-f3", "swedes"))
        assert (answer.status, answer.code) == (422, "seat-has-key")


def test_only_the_arbiter_of_the_match_signs(tmp_path: Path) -> None:
    from ledger.web.arbiter import Arbiter

    path = tmp_path / "ledger.db"
    set_up(path)
    with desk_of(path, arbiter=Arbiter(ALBA, tmp_path)) as desk:
        desk.come_in()
        assert desk.get(f"/desk/api/matches/{OPENED['scribed']}").json["yours"] is False
        for what in (desk.sign, desk.rehearse):
            answer = what(OPENED["scribed"], {"type": "note", "data": {"text": "mine"}})
            assert (answer.status, answer.code) == (422, "wrong-signer")


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("match.opened", {}),
        ("key.replaced", {"role": "swedes", "name": "Eve", "reason": "lost"}),
        ("arbiter.replaced", {}),
        ("countersigned", {"result_event": "0" * 64}),
        ("no.such.type", {}),
    ],
)
def test_keys_and_openings_are_no_business_of_the_page(
    desk: Desk, kind: str, data: dict[str, str]
) -> None:
    answer = desk.sign(OPENED["scribed"], {"type": kind, "data": data})
    assert (answer.status, answer.code) in {(400, "not-at-this-desk"), (400, "unknown-type")}


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"\xff\xfe",
        b"[" * 90_000,
        b'{"match":1}',
        b'{"match":"' + b"0" * 64 + b'","expect":"' + b"0" * 64 + b'","drafts":[]}',
    ],
    ids=lambda body: ascii(body[:12]),
)
def test_what_is_no_act_is_refused_in_our_words(desk: Desk, body: bytes) -> None:
    for what in ("sign", "rehearse"):
        answer = desk.post(what, body)
        assert (answer.status, answer.code) == (400, "bad-acts")


@pytest.mark.parametrize(
    "draft",
    [
        {"type": "note", "data": {"text": ""}},
        {"type": "note", "data": {"text": "so", "more": 1}},
        {"type": "note", "data": {"text": 5}},
        {"type": "note", "data": None},
        {"type": "ruling", "data": {"reason": "so", "rule": "so", "effects": []}},
        {"type": "ruling", "data": {"reason": "so", "rule": "so", "effects": [{"effect": "x"}]}},
        {"type": "roll.recorded", "data": {"roll": 1, "dice": [7]}},
        {"type": "adjourned", "data": {"until": "x" * 201}},
    ],
    ids=lambda draft: json.dumps(draft)[:60],
)
def test_data_of_another_form_is_refused(desk: Desk, draft: dict[str, object]) -> None:
    answer = desk.sign(OPENED["scribed"], draft)
    assert (answer.status, answer.code) == (400, "bad-act")


@pytest.mark.parametrize("text", ["a\u0301", "turned \u202e round", "two\nlines", "\ud800"])
def test_words_that_cannot_be_signed_are_refused(desk: Desk, text: str) -> None:
    for what in (desk.sign, desk.rehearse):
        assert what(OPENED["scribed"], {"type": "note", "data": {"text": text}}).status in (
            400,
            422,
        )


def test_a_match_that_is_not_there(desk: Desk) -> None:
    acts = {
        "match": "0" * 64,
        "expect": "0" * 64,
        "drafts": [{"type": "note", "data": {"text": "x"}}],
    }
    assert desk.post("sign", acts).status == 404
    assert desk.post("rehearse", acts).status == 404
    assert desk.get("/desk/api/matches/ffffff").status == 404


# -- tables set out --------------------------------------------------------------------------


def set_out(ledger: Path, keyid: str = ARBITER.public.fingerprint) -> tuple[str, dict[str, str]]:
    """A table for Alba's and Bruno's phones, and its codes."""
    given = opening("tabula", keyed=(), dice=BOTH, nonce=os.urandom(16).hex())
    with Tables.open(beside(ledger), create=True) as tables:
        names = {"white": "Alba", "black": "Bruno"}
        table, codes = tables.set_out(given, keyid, names, clock(), os.urandom)
    return table.id, codes


def joins(desk: Desk, code: str, key: SigningKey) -> Said:
    line = key.public.line
    sig = key.sign(joincodes.message(code, line)).hex()
    body = json.dumps({"code": code, "key": line, "sig": sig}).encode()
    return desk.client.ask("POST", "/api/join", body, content_type="application/json")


def told(desk: Desk, table: str) -> dict[str, Any]:
    (found,) = (each for each in desk.get("/desk/api/tables").json["tables"] if each["id"] == table)
    return dict(found)


def test_the_desk_sees_who_has_come_and_with_which_key(ledger: Path, desk: Desk) -> None:
    table, codes = set_out(ledger)
    assert joins(desk, codes["white"], ALBA).status == 200
    found = told(desk, table)
    assert found["seats"] == [
        {"seat": "white", "name": "Alba", "joins": True, "keyid": ALBA.public.fingerprint},
        {"seat": "black", "name": "Bruno", "joins": True, "keyid": None},
    ]
    assert found["expires_at"] == "2026-11-30T18:00:00Z"
    assert not any(code in str(found) for code in codes.values())


def test_a_table_is_withdrawn_and_the_phones_are_told(ledger: Path, desk: Desk) -> None:
    table, codes = set_out(ledger)
    joins(desk, codes["white"], ALBA)
    left = desk.post("withdraw", {"table": table})
    assert left.status == 200
    assert table not in [each["id"] for each in left.json["tables"]]
    for seat, key in (("white", ALBA), ("black", BRUNO)):
        answer = joins(desk, codes[seat], key)
        assert (answer.status, answer.code) == (422, "table-withdrawn")
        assert answer.json["error"]["message"].startswith("This table was withdrawn.")
    assert desk.post("withdraw", {"table": table}).status == 200, "twice is once"


def test_what_cannot_be_withdrawn(ledger: Path, desk: Desk) -> None:
    other, _ = set_out(ledger, ALBA.public.fingerprint)
    table, codes = set_out(ledger)
    for seat, key in (("white", ALBA), ("black", BRUNO)):
        joins(desk, codes[seat], key)
    for name, answer in {
        table: (409, "table-open"),
        other: (403, "not-your-table"),
        "0" * 16: (404, "no-table"),
        "../x": (400, "bad-table"),
    }.items():
        said = desk.post("withdraw", {"table": name})
        assert (said.status, said.code) == answer
    assert told(desk, other)["keyid"] == ALBA.public.fingerprint
    assert desk.post("withdraw", b"[" * 9000).code == "bad-table"


def test_where_nothing_was_ever_set_out(tmp_path: Path) -> None:
    set_up(tmp_path / "ledger.db")
    with desk_of(tmp_path / "ledger.db") as desk:
        desk.come_in()
        assert desk.get("/desk/api/tables").json == {"tables": []}
        assert desk.post("withdraw", {"table": "0" * 16}).status == 404


# -- what the page has to know ---------------------------------------------------------------


def test_dice_on_the_table_are_written_down_confirmed_and_voided(desk: Desk) -> None:
    match = OPENED["dice"]
    facts = desk.get(f"/desk/api/matches/{match}").json
    assert (facts["on_table"], facts["thrower"], facts["faces"]) == (True, "white", 2)
    lie = {"roll": facts["roll"], "dice": [6, 1]}
    desk.sign(match, {"type": "roll.recorded", "data": lie, "for": "white"})
    facts = desk.get(f"/desk/api/matches/{match}").json
    (waiting,) = facts["waiting"]
    assert (waiting["seat"], waiting["what"], facts["voidable"]) == ("black", "dice", 1)
    told = {"type": "roll.confirmed", "data": {"confirms": waiting["hash"]}, "for": "black"}
    assert desk.sign(match, told).status == 200
    assert desk.get(f"/desk/api/matches/{match}").json["waiting"] == []


def test_the_closing_says_what_the_fold_says(ledger: Path, desk: Desk) -> None:
    match = OPENED["keyed"]
    with Service.open(ledger, lambda: "2026-11-29T18:00:00Z") as service:
        service.append(match, [play(SHORT_GAME[0]), resign("muscovites")], KEYS)
    facts = desk.get(f"/desk/api/matches/{match}").json
    assert facts["closing"]["result"] == {"kind": "win", "how": "resigned", "winner": "swedes"}
    shown = desk.sign(match, {"type": "match.closed", "data": facts["closing"]}).json
    assert shown["phase"] == "closed"
    facts = desk.get(f"/desk/api/matches/{match}").json
    assert (facts["closing"], facts["unsigned"]) == (None, ["swedes", "muscovites"])
    will_not = {"result_event": facts["result_event"], "seat": "muscovites", "reason": "went home"}
    assert desk.sign(match, {"type": "signature.refused", "data": will_not}).status == 200


def test_a_position_is_spelled_as_it_is_signed(desk: Desk) -> None:
    match = OPENED["halted"]
    shown = desk.client.get(f"/api/matches/{match}").json
    spelled = shown["position"].replace(" ", "%20").replace("/", "%2F")
    path = f"/desk/api/matches/{match}/position"
    assert desk.get(f"{path}?text=%20{spelled}%20").json == {"position": shown["position"]}
    assert desk.get(f"{path}?text=nonsense").status == 422
    assert desk.get(f"{path}?text={'9' * 1001}").status == 400


def test_what_was_signed_here_is_sound(ledger: Path, desk: Desk) -> None:
    desk.sign(OPENED["scribed"], {"type": "note", "data": {"text": "the sheet is signed"}})
    with Service.open(ledger, lambda: "2026-11-29T18:00:00Z", write=False) as service:
        for match in OPENED.values():
            found = record.read(record.write(service.envelopes(match)))
            report = audit(found.pieces, found.frame, Trust(documents=rulings.digests()))
            assert not report.faults, report.faults
