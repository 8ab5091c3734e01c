"""The service asked and told, over real connections: what it answers, stores, refuses.

Signatures are the only authority: a stranger's event leaves the ledger as it was, whatever it
looks like, and the audit finds nothing afterwards.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import json
import pkgutil
import re
import socket
import threading
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Any

import jsonschema_rs
import pytest
from server import Client, Said, serving, signed, wait_for
from table import (
    ALBA,
    ARBITER,
    BRUNO,
    KEYS,
    STRANGER,
    accept,
    clock,
    new_service,
    opening,
    play,
    whole_game,
)

import ledger
from ledger import (
    migrations,
    readmodels,
    record,
    rollrows,
    schemas,
    sqlitefile,
    store,
    tablesfile,
)
from ledger.audit import audit
from ledger.envelope import MAX_ENVELOPE, Envelope, seal
from ledger.errors import (
    Ambiguous,
    NotAllowed,
    NotFound,
    Refused,
    TabellionError,
    Unreadable,
)
from ledger.events import VERSION, MatchOpened, Nothing, Play, Remark, encode
from ledger.fold import MatchState
from ledger.service import Draft, LineRefused, Service
from ledger.web.answers import status_of
from ledger.web.clerk import Overtaken
from ledger.web.limits import Limits, Pace, Places, TooMany

Hall = tuple[Client, Service]
number = count(1)


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    """A server, and the arbiter's own program on the same ledger."""
    path = tmp_path_factory.mktemp("hall") / "ledger.db"
    with new_service(path) as service:
        whole_game(service)
        with serving(path) as client:
            yield client, service


@pytest.fixture
def match(hall: Hall) -> MatchState:
    """A match that both players have accepted."""
    state = hall[1].open_match(opening(nonce=f"{next(number):032x}"), ARBITER)
    return hall[1].append(state.match, [accept("swedes"), accept("muscovites")], KEYS)


def sound(service: Service) -> None:
    """Whatever was sent, every match in the ledger is what its keys signed."""
    for each in service.store.matches():
        assert not audit(service.envelopes(each)).faults
    assert service.store.faults() == []


def fits(name: str, value: Any) -> None:
    assert list(jsonschema_rs.validator_for(schemas.load(name)).iter_errors(value)) == []


def move(state: MatchState, text: str, **changes: Any) -> Envelope:
    return signed(state, Draft("move", Play(move=text), "swedes"), ALBA, **changes)


# -- reading -------------------------------------------------------------------------------


def test_the_hall_lists_every_match_the_last_one_first(hall: Hall, match: MatchState) -> None:
    said = hall[0].get("/api/matches")
    fits("service/hall", said.json)
    line = said.json["matches"][0]
    assert line["match"] == match.match
    assert line["seats"] == {"swedes": "Alba", "muscovites": "Bruno"}
    assert line["due"] == {"step": "act", "whose": ["swedes"]}
    assert (line["keys"], line["since"]) == (["swedes", "muscovites"], clock())
    assert said.json["matches"][-1]["phase"] == "closed"


def test_a_match_is_shown_as_the_command_shows_it(hall: Hall, match: MatchState) -> None:
    said = hall[0].get(f"/api/matches/{match.match[:10]}")
    fits("commands/show", said.json)
    assert (said.json["seq"], said.json["head"]) == (2, match.head)


def test_and_as_it_stood_after_an_earlier_event(hall: Hall, match: MatchState) -> None:
    earlier = hall[0].get(f"/api/matches/{match.match}?at=1").json
    assert (earlier["seq"], earlier["due"]["whose"]) == (1, ["muscovites"])
    assert hall[0].get(f"/api/matches/{match.match}?at=3").code == "no-event"


def test_events_are_given_byte_by_byte_as_they_were_signed(hall: Hall, match: MatchState) -> None:
    said = hall[0].get(f"/api/matches/{match.match}/events?since=0")
    fits("service/events", said.json)
    assert (said.json["seq"], said.json["head"]) == (2, match.head)
    stored = [each.text() for each in hall[1].envelopes(match.match)[1:]]
    assert b'"events":[' + b",".join(stored) + b"]}" in said.body


def test_since_the_last_event_there_is_nothing(hall: Hall, match: MatchState) -> None:
    assert hall[0].get(f"/api/matches/{match.match}/events?since=2").json["events"] == []


def test_legal_moves_and_what_somebody_typed(hall: Hall, match: MatchState) -> None:
    moves = hall[0].get(f"/api/matches/{match.match}/moves").json
    fits("commands/moves", moves)
    assert "e3-f3" in [each["text"] for each in moves["moves"]]
    read = hall[0].get(f"/api/matches/{match.match}/read?text=E3%20F3").json
    assert (read["kind"], read["text"]) == ("move", "e3-f3")


@pytest.mark.parametrize("asked", ["text=e3-e9", "text=nonsense", "kind=castle&text=O-O", "text="])
def test_what_the_rules_refuse_is_refused_with_its_rule(
    hall: Hall, match: MatchState, asked: str
) -> None:
    said = hall[0].get(f"/api/matches/{match.match}/read?{asked}")
    assert said.status == 422
    fits("service/error", said.json)


def test_the_record_that_is_downloaded_audits_sound(hall: Hall) -> None:
    closed = hall[1].store.matches()[0]
    said = hall[0].get(f"/api/matches/{closed}/record")
    read = record.read(said.body)
    assert not audit(read.pieces, read.frame, positions=read.positions).faults
    assert said.headers["content-disposition"].endswith('.tabellion.json"')
    page = hall[0].get(f"/api/matches/{closed}/page")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert said.body[-60:-2].decode() in page.body.decode()


@pytest.mark.parametrize("what", ["", "/events", "/moves", "/record", "/page"])
def test_who_has_the_latest_is_not_sent_it_again(hall: Hall, match: MatchState, what: str) -> None:
    client, service = hall
    path = f"/api/matches/{match.match}{what}"
    tag = client.get(path).headers["etag"]
    again = client.get(path, if_none_match=tag)
    assert (again.status, again.body) == (304, b"")
    service.append(match.match, [play("e3-f3")], KEYS)
    assert client.get(path, if_none_match=tag).status == 200


def test_what_is_not_there(hall: Hall) -> None:
    client = hall[0]
    found = {
        path: (client.get(path).status, client.get(path).code)
        for path in (
            "/api/matches/abcdefabcdef",
            "/api/matches/",
            "/api/nothing",
            "/api/matches/%00%ff",
            "/favicon.ico",
        )
    }
    assert set(found.values()) == {(404, "no-match"), (404, "no-such-path")}
    wrong = client.ask("DELETE", "/api/matches")
    assert (wrong.status, wrong.code) == (405, "wrong-method")
    assert set(wrong.headers["allow"].split(", ")) == {"GET", "HEAD"}


def test_an_id_that_begins_two_matches_names_neither(hall: Hall) -> None:
    client, service = hall
    while True:
        state = service.open_match(opening(nonce=f"{next(number):032x}"), ARBITER)
        alike = [each for each in service.store.matches() if each[0] == state.match[0]]
        if len(alike) > 1:
            break
    said = client.get(f"/api/matches/{state.match[0]}")
    assert (said.status, said.code) == (400, "ambiguous-match")


# -- posting -------------------------------------------------------------------------------


def test_a_players_event_is_stored_once_however_often_it_is_sent(
    hall: Hall, match: MatchState
) -> None:
    client, service = hall
    event = move(match, "e3-f3")
    first, again = client.post(event), client.post(event)
    assert (first.status, again.status) == (201, 200)
    fits("commands/move", first.json)
    assert first.json["events"] == again.json["events"]
    assert first.json["events"][0]["hash"] == event.hash
    assert service.state(match.match).seq == 3


def test_who_comes_second_learns_where_the_match_stands(hall: Hall, match: MatchState) -> None:
    client = hall[0]
    first = move(match, "e3-f3")
    assert client.post(first).status == 201
    late = client.post(move(match, "e3-g3"))
    assert (late.status, late.code) == (409, "stale")
    assert late.json["error"]["head"] == {"seq": 3, "hash": first.hash}
    fits("service/error", late.json)


def test_of_two_who_post_at_once_one_comes_second(hall: Hall, match: MatchState) -> None:
    client, service = hall
    said: list[Said] = []
    both = [
        threading.Thread(target=lambda event=event: said.append(client.post(event)))
        for event in (move(match, "e3-f3"), move(match, "e3-g3"))
    ]
    for each in both:
        each.start()
    for each in both:
        each.join()
    assert sorted(each.status for each in said) == [201, 409]
    head = next(each for each in said if each.status == 409).json["error"]["head"]
    assert head["hash"] == service.state(match.match).head


FORGERIES: dict[str, Callable[[MatchState], Envelope]] = {
    "by a key without a role": lambda state: signed(
        state, Draft("move", Play(move="e3-f3"), "swedes"), STRANGER
    ),
    "by the other player": lambda state: signed(
        state, Draft("move", Play(move="e3-f3"), "swedes"), BRUNO
    ),
    "with the right key's name and no signature of it": lambda state: seal(
        move(state, "e3-f3").payload, ALBA.public, lambda _: STRANGER.sign(b"something else")
    ),
    "with a signature of another event": lambda state: seal(
        move(state, "e3-f3").payload, ALBA.public, lambda _: move(state, "e3-g3").signature
    ),
    "a move that the rules refuse": lambda state: move(state, "e3-e9"),
    "not its turn": lambda state: signed(
        state, Draft("move", Play(move="e8-f8"), "muscovites"), BRUNO
    ),
    "out of order": lambda state: move(state, "e3-f3", seq=state.seq + 2),
    "after an event that is not there": lambda state: move(state, "e3-f3", prev="0" * 64),
    "in the name of the arbiter": lambda state: signed(
        state, Draft("note", Remark(text="Alba has lost"), "arbiter"), ALBA
    ),
}


@pytest.mark.parametrize("forged", FORGERIES.values(), ids=FORGERIES.keys())
def test_a_forged_event_leaves_the_ledger_as_it_was(
    hall: Hall, match: MatchState, forged: Callable[[MatchState], Envelope]
) -> None:
    client, service = hall
    said = client.post(forged(match))
    assert said.status == 422, said
    fits("service/error", said.json)
    assert service.state(match.match).head == match.head
    sound(service)


def test_an_event_replayed_into_another_match_is_refused(hall: Hall, match: MatchState) -> None:
    client, service = hall
    other = service.open_match(opening(nonce=f"{next(number):032x}"), ARBITER)
    accepted = signed(other, Draft("seat.accepted", Nothing(), "swedes"), ALBA)
    assert client.post(accepted).status == 201
    elsewhere = signed(match, Draft("seat.accepted", Nothing(), "swedes"), ALBA)
    assert client.post(elsewhere).status == 422
    unknown = signed(match, Draft("seat.accepted", Nothing(), "swedes"), ALBA, match="1" * 64)
    assert (client.post(unknown).status, client.post(unknown).code) == (404, "no-match")


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"", 422, "not-an-envelope"),
        (b"{}", 422, "not-an-envelope"),
        (b"[" * 90_000, 422, "not-an-envelope"),
        (b"\xff\xfe", 422, "not-an-envelope"),
        (b"0" * (MAX_ENVELOPE + 1), 413, "too-large"),
        (b"0" * 2_000_000, 413, "too-large"),
    ],
    ids=["nothing", "empty", "deep", "no text", "a byte too many", "far too much"],
)
def test_what_is_no_event(hall: Hall, body: bytes, status: int, code: str) -> None:
    said = hall[0].post(body)
    assert (said.status, said.code) == (status, code)


def test_only_json_is_taken(hall: Hall) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        said = hall[0].ask("POST", "/api/events", b"{}", content_type=kind)
        assert (said.status, said.code) == (415, "wrong-content-type")


def test_matches_are_opened_by_the_arbiter_of_this_machine_alone(hall: Hall) -> None:
    client, service = hall
    given = opening(nonce=f"{next(number):032x}")
    strange = signed_opening(given, STRANGER)
    before = service.store.last_position()
    said = client.post(strange)
    assert (said.status, said.code) == (403, "opening-not-here")
    assert service.store.last_position() == before
    assert client.post(signed_opening(given, ARBITER)).status == 201


def signed_opening(given: Any, key: Any) -> Envelope:
    event = MatchOpened(v=VERSION, seq=0, by="arbiter", at=clock(), data=given)
    return seal(encode(event), key.public, key.sign)


def test_a_server_that_only_shows_takes_nothing_in(tmp_path: Path) -> None:
    with new_service(tmp_path / "ledger.db") as service:
        state = service.open_match(opening(), ARBITER)
    with serving(tmp_path / "ledger.db", write=False) as client:
        said = client.post(signed(state, Draft("seat.accepted", Nothing(), "swedes"), ALBA))
        assert (said.status, said.code) == (403, "read-only")
        assert client.get("/api/matches").status == 200


# -- what is not HTTP, or comes slowly -----------------------------------------------------------


def answered(client: Client, data: bytes) -> bytes:
    with client.raw(data) as connection:
        return b"".join(iter(lambda: connection.recv(65536), b""))


@pytest.mark.parametrize(
    "data",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 64,
        b"GET / HTTQ/1.1\r\n\r\n",
        b"GET /api/matches HTTP/1.1\r\n\r\n",
        b"GET /api/matches HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 70_000,
        b"GET /" + b"x" * 70_000,
        b"POST /api/events HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
    ],
    ids=["TLS", "version", "no host", "huge header", "huge path", "negative length"],
)
def test_what_is_no_http_is_answered_in_our_shape(hall: Hall, data: bytes) -> None:
    said = answered(hall[0], data)
    assert said.startswith(b"HTTP/1.1 400 ")
    fits("service/error", json.loads(said.partition(b"\r\n\r\n")[2]))
    assert hall[0].get("/api/matches").status == 200


def test_slow_and_half_closed_requests_are_cut_off(tmp_path: Path) -> None:
    with new_service(tmp_path / "ledger.db") as service:
        state = service.open_match(opening(), ARBITER)
        accepted = signed(state, Draft("seat.accepted", Nothing(), "swedes"), ALBA).text()
        head = (
            b"POST /api/events HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Content-Length: %d\r\n\r\n" % len(accepted)
        )
        limits = Limits(request_seconds=0.6, body_seconds=0.3)
        with serving(tmp_path / "ledger.db", limits=limits) as client:
            assert answered(client, b"GET /api/mat").startswith(b"HTTP/1.1 408 ")
            late = answered(client, head + accepted[:-1])
            assert late.startswith(b"HTTP/1.1 408 ")
            assert b'"too-slow"' in late
            with client.raw(head + accepted[:100]) as connection:
                connection.shutdown(socket.SHUT_WR)
                assert connection.recv(65536) == b""
            assert client.get("/api/matches").json["matches"][0]["events"] == 1
            sound(service)


def test_an_event_that_came_whole_is_stored_though_its_sender_has_gone(
    hall: Hall, match: MatchState
) -> None:
    client, service = hall
    event = move(match, "e3-f3").text()
    head = (
        b"POST /api/events HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        b"Content-Length: %d\r\n\r\n" % len(event)
    )
    client.raw(head + event).close()
    wait_for(lambda: service.state(match.match).seq == 3)
    sound(service)


# -- limits ----------------------------------------------------------------------------------


def test_an_address_that_posts_too_fast_is_told_to_wait() -> None:
    now = [0.0]
    pace = Pace(Limits(posts_each=2.0, burst=2.0), lambda: now[0])
    for _ in range(4):
        pace.take("192.0.2.1")
    with pytest.raises(TooMany) as caught:
        pace.take("192.0.2.1")
    assert caught.value.after == 1
    pace.take("192.0.2.2")
    now[0] = 0.5
    pace.take("192.0.2.1")
    with pytest.raises(TooMany):
        pace.take("192.0.2.1")


def test_an_address_that_reads_without_end_is_told_to_wait(tmp_path: Path) -> None:
    new_service(tmp_path / "ledger.db").close()
    with serving(tmp_path / "ledger.db", limits=Limits(reads_here=0.01, burst=200.0)) as client:
        said = [client.get("/api/matches") for _ in range(3)]
        assert [each.status for each in said] == [200, 200, 429]
        assert int(said[-1].headers["retry-after"]) > 1
        assert client.post(b"{}").status == 422, "who acts is heard"


def test_places_are_counted_for_each_address_and_given_back() -> None:
    places = Places("streams", total=4, each=2, here=3)
    assert [places.take("192.0.2.1") for _ in range(3)] == [True, True, False]
    assert [places.take("127.0.0.1") for _ in range(3)] == [True, True, False]
    places.give_back("192.0.2.1")
    assert places.take("127.0.0.1")
    assert not places.take("192.0.2.2")
    assert set(places.taken) == {"192.0.2.1", "127.0.0.1"}


def test_too_many_posts_streams_and_connections(tmp_path: Path) -> None:
    with new_service(tmp_path / "ledger.db") as service:
        state = service.open_match(opening(), ARBITER)
    limits = Limits(posts_here=0.01, burst=100.0, streams_here=1, connections_here=3)
    with serving(tmp_path / "ledger.db", limits=limits) as client:
        first = client.post(b"{}")
        second = client.post(b"{}")
        assert (first.status, second.status, second.code) == (422, 429, "too-many")
        assert int(second.headers["retry-after"]) > 1
        with client.listen(f"/api/matches/{state.match}/stream") as stream:
            stream.next("table")
            assert client.get("/api/stream").status == 429
            with client.raw(b""), client.raw(b""):
                assert answered(client, b"").startswith(b"HTTP/1.1 503 ")
        wait_for(lambda: heard(client))


def test_who_asks_for_many_long_answers_waits_for_few_of_them(tmp_path: Path) -> None:
    with new_service(tmp_path / "ledger.db") as service:
        match = service.open_match(opening(), ARBITER).match
    limits = Limits(streams_here=1)
    with serving(tmp_path / "ledger.db", limits=limits) as client:
        asked = f"GET /api/matches/{match}/page HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
        came = [client.raw(asked) for _ in range(6)]
        said = [each.recv(20) for each in came]
        assert any(each.startswith(b"HTTP/1.1 200 ") for each in said)
        assert any(each.startswith(b"HTTP/1.1 429 ") for each in said)
        for each in came:
            each.close()
        assert client.get(f"/api/matches/{match}").status == 200


def test_many_large_events_come_in_several_answers(hall: Hall, match: MatchState) -> None:
    client, service = hall
    word = Draft("note", Remark(text="x" * 4000), "arbiter")
    state = service.append(match.match, [lambda _: word] * 300, KEYS)
    seen: list[Any] = []
    answers = 0
    while len(seen) <= state.seq:
        page = client.get(f"/api/matches/{match.match}/events?since={len(seen) - 1}").json
        assert page["events"]
        seen += page["events"]
        answers += 1
    assert answers == 2
    assert seen == [json.loads(each.text()) for each in service.envelopes(match.match)]


def heard(client: Client) -> bool:
    with client.listen("/api/stream") as stream:
        return stream.status == 200


# -- names and headers -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "localhost:x", "", "a b"]
)
def test_a_foreign_name_that_leads_here_is_refused(hall: Hall, host: str) -> None:
    said = hall[0].get("/api/matches", host=host)
    assert (said.status, said.code) == (403, "wrong-host")


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:8765", "127.0.0.1", "[::1]:80"])
def test_this_machines_own_names_are_taken(hall: Hall, host: str) -> None:
    assert hall[0].get("/api/matches", host=host).status == 200


@pytest.mark.parametrize(
    "path", ["/api/matches", "/api/nothing", "/api/events", "/api/openapi.json"]
)
def test_every_answer_is_shut_to_other_pages(hall: Hall, path: str) -> None:
    headers = hall[0].get(path, origin="https://evil.example").headers
    assert headers["content-security-policy"] == "default-src 'none'; frame-ancestors 'none'"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert "access-control-allow-origin" not in headers
    assert headers["cache-control"] in ("no-store", "no-cache")


# -- the file fails ----------------------------------------------------------------------------


def test_a_damaged_ledger_is_nobodys_fault_who_asks(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "ledger.db"
    with new_service(path) as service:
        state = service.open_match(opening(), ARBITER)
        service.store.connection.execute("PRAGMA writable_schema=ON")
    with serving(path) as client:
        path.with_name("ledger.db-wal").unlink(missing_ok=True)
        path.rename(tmp_path / "elsewhere.db")
        new_service(path).close()
        event = signed(state, Draft("seat.accepted", Nothing(), "swedes"), ALBA)
        said = client.post(event)
    assert (said.status, said.code) == (503, "ledger-moved")
    assert str(tmp_path) not in said.body.decode()
    assert str(tmp_path) in capfd.readouterr().err


# -- errors and statuses -----------------------------------------------------------------------

FILES = (store, sqlitefile, readmodels, rollrows, migrations, tablesfile)


def kinds() -> list[type[TabellionError]]:
    """Every class of errors below ``ledger``, whatever module it stands in."""
    for module in pkgutil.walk_packages(ledger.__path__, "ledger."):
        importlib.import_module(module.name)
    found, left = [], [TabellionError]
    while left:
        below = left.pop().__subclasses__()
        found += below
        left += below
    return found


def test_no_kind_of_error_is_a_fault_of_the_servers_own() -> None:
    """One that is written tomorrow neither."""
    found = kinds()
    assert {LineRefused, TooMany, Overtaken} <= set(found)
    for kind in found:
        error = kind.__new__(kind)
        TabellionError.__init__(error, "some-code", "Some words.")
        assert 400 <= status_of(error) < 500, kind
    assert status_of(TabellionError("bug", "Nobody knows.")) == 500


@pytest.mark.parametrize(
    ("kind", "status"),
    [(Refused, 422), (Unreadable, 400), (Ambiguous, 400), (NotFound, 404), (NotAllowed, 403)],
)
def test_what_stops_one_of_several_acts_keeps_its_status(
    kind: type[TabellionError], status: int
) -> None:
    cause = kind("some-code", "Some words.")
    assert status_of(cause) == status_of(LineRefused(1, cause)) == status
    assert status_of(LineRefused(1, kind("disk-full", "No space."))) == 507


@pytest.mark.parametrize("module", FILES, ids=lambda module: module.__name__)
def test_what_is_wrong_with_the_file_is_nobodys_fault_who_asks(module: ModuleType) -> None:
    """Every code that the modules of the files give, but for what is not there."""
    for call in ast.walk(ast.parse(inspect.getsource(module))):
        for given in call.args[:2] if isinstance(call, ast.Call) else ():
            code = given.value if isinstance(given, ast.Constant) else None
            if isinstance(code, str) and re.fullmatch(r"busy|[a-z]+(-[a-z]+)+", code):
                known = status_of(Unreadable(code, "Some words.")) >= 500
                assert known or code == "no-tables", f"{code} would be said to be the reader's"
