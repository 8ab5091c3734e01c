"""Live streams: every event once and in order, whoever wrote it, whatever breaks in between."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from server import PATIENCE, Client, Listening, Message, program, serving, signed, wait_for
from table import (
    ALBA,
    ARBITER,
    BRUNO,
    KEYS,
    SHORT_GAME,
    accept,
    close,
    new_service,
    note,
    opening,
    play,
)

from ledger import service as services
from ledger.audit import audit
from ledger.envelope import Envelope
from ledger.events import Play
from ledger.exchange import take_in
from ledger.fold import MatchState
from ledger.keys import SigningKey
from ledger.service import Draft, Service
from ledger.web.clerk import Clerk, News
from ledger.web.feed import MEMORY, Channel
from ledger.web.limits import Limits
from ledger.web.watching import BATCH, Head
from ledger.web.watching import Message as Sent

Hall = tuple[Client, Service]
number = count(1)


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    """A server, and the arbiter's own program on the same ledger."""
    path = tmp_path_factory.mktemp("hall") / "ledger.db"
    with new_service(path) as service, serving(path) as client:
        yield client, service


@pytest.fixture
def match(hall: Hall) -> MatchState:
    return begun(hall[1])


def begun(service: Service) -> MatchState:
    """A match that both players have accepted."""
    state = service.open_match(opening(nonce=f"{next(number):032x}"), ARBITER)
    return service.append(state.match, [accept("swedes"), accept("muscovites")], KEYS)


def stream(match: MatchState, more: str = "") -> str:
    return f"/api/matches/{match.match}/stream{more}"


def ids(messages: list[Message]) -> list[int | None]:
    return [each.id for each in messages]


def in_turn(state: MatchState, text: str) -> tuple[Draft, SigningKey]:
    """The move of the seat on turn, and the key that signs it."""
    seat = state.turn or ""
    read = state.game.read(state.position, "move", text).text
    return Draft("move", Play(move=read), seat), {"swedes": ALBA, "muscovites": BRUNO}[seat]


# -- one match -----------------------------------------------------------------------------


def test_a_stream_begins_with_what_was_and_how_it_stands(hall: Hall, match: MatchState) -> None:
    client = hall[0]
    with client.listen(stream(match)) as seen:
        signed_events = [seen.next() for _ in range(3)]
        assert [(each.event, each.id) for each in signed_events] == [
            ("signed", 0),
            ("signed", 1),
            ("signed", 2),
        ]
        stored = client.get(f"/api/matches/{match.match}/events").json["events"]
        assert [each.data for each in signed_events] == stored
        table = seen.next()
        assert (table.event, table.id) == ("table", None)
        assert table.data == client.get(f"/api/matches/{match.match}").json


def test_it_goes_on_after_what_the_reader_has(hall: Hall, match: MatchState) -> None:
    client = hall[0]
    with client.listen(stream(match, "?since=0")) as seen:
        assert ids(seen.until(2)) == [1, 2]
    with client.listen(stream(match, "?since=0"), last=1) as seen:
        assert ids(seen.until(2)) == [2]
    with client.listen(stream(match, "?since=2")) as seen:
        assert seen.next().event == "table"


def test_what_a_player_posts_is_seen_and_what_the_arbiter_writes_within_a_second(
    hall: Hall, match: MatchState
) -> None:
    client, service = hall
    with client.listen(stream(match, "?since=2")) as seen:
        seen.next("table")
        draft, key = in_turn(match, "e3-f3")
        assert client.post(signed(match, draft, key)).status == 201
        posted = seen.next()
        assert (posted.event, posted.id) == ("signed", 3)
        assert seen.next().data["last_action"] == "e3-f3"
        service.append(match.match, [note("the round begins"), play("e8-f8")], KEYS)
        began = time.monotonic()
        assert ids(seen.until(5)) == [4, 5]
        assert time.monotonic() - began < 1


def test_many_readers_see_a_whole_game_each_event_once(hall: Hall, match: MatchState) -> None:
    client, service = hall
    readers = [client.listen(stream(match)) for _ in range(12)]
    state = match
    for text in SHORT_GAME:
        draft, key = in_turn(state, text)
        assert client.post(signed(state, draft, key)).status == 201
        state = service.state(match.match)
    for reader in readers:
        assert ids(reader.until(state.seq)) == list(range(state.seq + 1))
        reader.close()


def test_a_long_match_is_caught_up_with_piece_by_piece(hall: Hall, match: MatchState) -> None:
    client, service = hall
    state = service.append(match.match, [note(str(each)) for each in range(BATCH + 50)], KEYS)
    with client.listen(stream(match)) as seen:
        assert ids(seen.until(state.seq)) == list(range(state.seq + 1))
        assert client.get(f"/api/matches/{match.match}/events?since={state.seq - 2}").json["events"]


def test_a_stream_of_no_match(hall: Hall) -> None:
    said = hall[0].get("/api/matches/abcabcabc/stream")
    assert (said.status, said.code) == (404, "no-match")
    assert hall[0].get("/api/matches/abcabcabc/stream?since=x").code == "bad-query"


# -- another copy takes the place ------------------------------------------------------------


def copied(service: Service, match: MatchState, folder: Path) -> list[Envelope]:
    """A copy of the match on another device, which goes on with e3-g3 and two moves more."""
    with new_service(folder / "copy.db") as other:
        for each in service.envelopes(match.match):
            other.post(each.text())
        other.append(match.match, [play("e3-g3"), play("e8-f8"), play("g3-f3")], KEYS)
        return other.envelopes(match.match)


def take_over(service: Service, copy: list[Envelope]) -> None:
    taken = take_in(service, copy, here=lambda _: (), take_over=True)
    assert taken.state.head == copy[-1].hash


def test_a_reader_is_told_when_another_copy_takes_the_place_of_the_chain(
    hall: Hall, match: MatchState, tmp_path: Path
) -> None:
    client, service = hall
    copy = copied(service, match, tmp_path)
    ours = service.append(match.match, [play("e3-f3"), play("e8-g8")], KEYS)
    with client.listen(stream(match)) as seen:
        assert ids(seen.until(4)) == [0, 1, 2, 3, 4]
        take_over(service, copy)
        message = seen.next()
        assert (message.event, message.id, message.data) == ("parted", None, {"common": 2})
        assert ids(seen.until(5)) == [3, 4, 5]
    with client.listen(stream(match, f"?since=4&hash={ours.head}")) as seen:
        assert seen.next().data == {"common": 2}
        assert ids(seen.until(5)) == [3, 4, 5]


def test_a_reader_who_had_more_than_there_is_now_begins_where_they_parted(
    hall: Hall, match: MatchState, tmp_path: Path
) -> None:
    client, service = hall
    copy = copied(service, match, tmp_path)[:4]
    service.append(match.match, [play("e3-f3"), play("e8-g8"), play("f3-e3")], KEYS)
    take_over(service, copy)
    with client.listen(stream(match), last=5) as seen:
        assert seen.next().data == {"common": 2}
        assert ids(seen.until(3)) == [3]
    with client.listen(stream(match), last=99) as seen:
        assert seen.next().data == {"common": 0}
        assert ids(seen.until(3)) == [1, 2, 3]


# -- the hall --------------------------------------------------------------------------------


def test_the_hall_tells_what_changes(hall: Hall, match: MatchState) -> None:
    client, service = hall
    with client.listen("/api/stream") as seen:
        first = seen.next()
        assert (first.event, first.data) == ("hall", client.get("/api/matches").json)
        draft, key = in_turn(match, "e3-f3")
        client.post(signed(match, draft, key))
        line = line_of(seen, match, 4)
        assert line["due"] == {"step": "act", "whose": ["muscovites"]}
        other = begun(service)
        assert line_of(seen, other, 3)["seats"] == {"swedes": "Alba", "muscovites": "Bruno"}
        assert client.get("/api/matches").json["matches"][0]["match"] == other.match


def line_of(seen: Listening, match: MatchState, events: int) -> Any:
    """The line of this match when it has so many events."""
    while True:
        line = seen.next("line").data
        if (line["match"], line["events"]) == (match.match, events):
            return line


# -- readers who do not read, servers that die --------------------------------------------------


def test_a_reader_who_does_not_read_is_cut_off_and_keeps_nobody_waiting(tmp_path: Path) -> None:
    with new_service(tmp_path / "ledger.db") as service:
        match = begun(service)
        service.append(match.match, [note("x" * 4000) for _ in range(400)], KEYS)
        limits = Limits(send_seconds=0.5, send_bytes=4096, streams_here=2)
        with serving(tmp_path / "ledger.db", limits=limits) as client, lazy_reader() as lazy:
            lazy.connect(("127.0.0.1", client.port))
            lazy.sendall(f"GET {stream(match)} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            with client.listen(stream(match)) as seen:
                seen.until(402)
                state = service.append(match.match, [play("e3-f3")], KEYS)
                began = time.monotonic()
                assert ids(seen.until(state.seq)) == [403]
                assert time.monotonic() - began < 1
                wait_for(lambda: heard(client))  # the lazy one's place is free
            assert all_of(lazy).count(b"event: signed") < 400


def lazy_reader() -> socket.socket:
    found = socket.socket()
    found.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    found.settimeout(PATIENCE)
    return found


def heard(client: Client) -> bool:
    with client.listen("/api/stream") as found:
        return found.status == 200


def all_of(connection: socket.socket) -> bytes:
    got = b""
    with suppress(ConnectionError):
        while part := connection.recv(65536):
            got += part
    return got


def test_a_silent_stream_says_that_it_is_there(tmp_path: Path) -> None:
    with new_service(tmp_path / "ledger.db") as service:
        match = begun(service)
        limits = Limits(silence_seconds=0.05)
        with serving(tmp_path / "ledger.db", limits=limits) as client:
            asked = f"GET {stream(match)} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
            with client.raw(asked) as connection:
                got = b""
                while got.count(b": still here\n\n") < 2:
                    got += connection.recv(65536)


def test_no_acknowledged_event_is_lost_when_the_server_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    with new_service(path) as service:
        state = begun(service)
    where = {"TABELLION_KEYS": str(tmp_path / "keys")}
    seen: list[int | None] = []
    stored = []
    for texts in (SHORT_GAME[:4], SHORT_GAME[4:]):
        with (
            program(path, **where) as server,
            server.listen(stream(state), last=seen[-1] if seen else None) as reader,
        ):
            for text in texts:
                event = signed(state, *in_turn(state, text))
                assert server.post(event).status == 201
                stored.append(event.hash)
                with new_service(path) as service:
                    state = service.state(state.match)
            seen += ids(reader.until(state.seq))
            server.kill()
            assert reader.ended()
    assert seen == list(range(state.seq + 1))
    with new_service(path) as service:
        state = service.append(state.match, [close()], KEYS)
        kept = service.envelopes(state.match)
        assert [each.hash for each in kept[3:-1]] == stored
        assert not audit(kept).faults


def test_the_end_of_the_server_ends_streams(tmp_path: Path) -> None:
    with new_service(tmp_path / "ledger.db") as service:
        match = begun(service)
    with serving(tmp_path / "ledger.db") as client:
        readers = [client.listen(stream(match)), client.listen("/api/stream")]
        for reader in readers:
            reader.next("table", "hall")
    for reader in readers:
        assert reader.ended()
        reader.close()


# -- what is kept ------------------------------------------------------------------------------


def test_a_channel_keeps_the_latest_events_alone_and_never_those_of_another_chain() -> None:
    channel = Channel()

    def told(seq: int, chain: str = "a") -> News:
        prev = None if seq == 0 else f"{chain}{seq - 1}"
        message = Sent(seq, prev, f"{chain}{seq}", b"data")
        return News("match", Head(seq, f"{chain}{seq}"), (message,), b"{}", None)

    for seq in range(MEMORY * 2):
        channel.add(told(seq))
    last = MEMORY * 2 - 1
    assert channel.after(last, f"a{last}") == []
    assert [each.seq for each in channel.after(last - 2, f"a{last - 2}") or ()] == [last - 1, last]
    assert channel.after(MEMORY - 2, f"a{MEMORY - 2}") is None
    assert channel.after(last - 2, "b0") is None
    channel.add(told(last - 1, "b"))
    assert channel.after(last - 2, f"a{last - 2}") is None
    assert channel.after(last - 1, f"a{last - 1}") is None, "as long, and another"
    assert [each.hash for each in channel.after(last - 2, f"b{last - 2}") or ()] == [f"b{last - 1}"]


def test_only_so_many_matches_and_views_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "KNOWN", 12)
    monkeypatch.setattr("ledger.web.clerk.VIEWS", 3)
    with new_service(tmp_path / "ledger.db") as service:
        matches = [begun(service) for _ in range(6)]
        assert [known.seq for known in service._known.values()] == [2, 2, 2, 2]
        for match in matches:
            service.append(match.match, [note("still here")], KEYS)
        assert list(service._known) == [match.match for match in matches[-3:]]
        for number in range(20):
            service.append(matches[0].match, [note(f"still here {number}")], KEYS)
        assert list(service._known) == [matches[0].match], "one alone may be larger"
    clerk = Clerk(tmp_path / "ledger.db", lambda: "")
    clerk._open()
    try:
        for match in matches[1:] * 2:
            assert clerk.table(match.match)[1].seq == 3
        assert len(clerk._tables) == len(clerk.service._known) == 3
    finally:
        clerk._close()
        clerk._thread.shutdown()
