"""A server that lies, stalls or floods: a clear error each time, and a sound ledger here."""

from __future__ import annotations

import json
import ssl
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from table import ARBITER, BRUNO, KEYS, accept, new_service, opening, play
from terminal import Desk, Ran
from wire import accepting, plain, request, saying

from ledger.envelope import Envelope
from ledger.errors import TabellionError
from ledger.fold import MatchState
from ledger.remote.address import Address
from ledger.remote.line import Unreachable
from ledger.remote.server import Server
from ledger.remote.stream import rings
from ledger.web import certificate


class Match:
    """A match as a server would have it, and what could be made of it."""

    def __init__(self, folder: Path) -> None:
        with new_service(folder / "there.db") as there:
            state = there.open_match(opening(), ARBITER)
            plans = [accept("swedes"), accept("muscovites"), play("e3-f3")]
            self.state: MatchState = there.append(state.match, plans, KEYS)
            self.events = there.envelopes(state.match)
            other = there.open_match(opening(nonce="11" * 16), ARBITER)
            self.others = there.envelopes(other.match)
        self.id = self.state.match

    def page(self, events: list[Envelope] | None = None, **changes: Any) -> bytes:
        """The answer to a request for events."""
        events = self.events if events is None else events
        texts = b",".join(each.text() for each in events)
        head = events[-1].hash if events else self.state.head
        told = {"match": self.id, "seq": len(events) - 1, "head": head} | changes
        return plain(json.dumps(told).encode()[:-1] + b',"events":[' + texts + b"]}")

    def begun(self, ledger: Path) -> None:
        """A laptop that has the first three events."""
        ledger.parent.mkdir(parents=True)
        with new_service(ledger) as here:
            state = here.open_match(opening(), ARBITER)
            here.append(state.match, [accept("swedes"), accept("muscovites")], KEYS)


@pytest.fixture
def match(tmp_path: Path) -> Match:
    return Match(tmp_path)


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: Any, capsys: Any, match: Match) -> Iterator[Desk]:
    """A laptop; whatever it was told, its three events are there at the end, and sound."""
    found = Desk(tmp_path, monkeypatch, capsys)
    match.begun(found.ledger)
    yield found
    assert found("audit").status == 0
    assert json.loads(found("show", "--json").out)["seq"] in (2, 3)


def shown(desk: Desk, *answers: bytes) -> Ran:
    with saying(*answers) as port:
        return desk("show", "--server", f"http://127.0.0.1:{port}")


def forged(envelope: Envelope) -> Envelope:
    return Envelope(envelope.payload, BRUNO.sign(b"something else"), envelope.keyid)


def test_what_a_sound_server_says_is_taken_in(desk: Desk, match: Match) -> None:
    ran = shown(desk, match.page(match.events[3:], seq=3))
    assert (ran.status, "last move: e3-f3" in ran.out) == (0, True)


LIES: dict[str, tuple[Callable[[Match], bytes], str]] = {
    "another match's events": (lambda m: m.page(m.others), "bad-answer"),
    "another match's name": (lambda m: m.page(match="0" * 64), "bad-answer"),
    "no match's name": (lambda m: m.page(head="../../etc"), "bad-answer"),
    "a forged event": (lambda m: m.page([*m.events[:3], forged(m.events[3])]), "bad-signature"),
    "events out of order": (lambda m: m.page([m.events[1], m.events[0], *m.events[2:]]), ""),
    "an event twice": (lambda m: m.page([*m.events, m.events[3]]), ""),
    "another head": (lambda m: m.page(m.events[3:], seq=3, head="0" * 64), "bad-answer"),
    "events that never come": (lambda m: m.page([], seq=1 << 60, head="0" * 64), "bad-answer"),
    "a number below zero": (lambda m: m.page([], seq=-1), "bad-answer"),
    "no JSON": (lambda _: plain(b"<html>Welcome to the hotel</html>"), "bad-answer"),
    "deep JSON": (lambda _: plain(b"[" * 200_000), "bad-answer"),
    "JSON of another kind": (lambda _: plain(b'{"match":["x"],"seq":true}'), "bad-answer"),
    "not even text": (lambda _: plain(b"\xff\xfe\x00" * 100), "bad-answer"),
    "a redirect": (
        lambda _: plain(b"", "302 Found", ["Location: http://127.0.0.1:9/"]),
        "server-refused",
    ),
    "an error that steers the terminal": (
        lambda _: plain(b'{"error":{"code":"x\\u001b","message":"\\u001b[2J"}}', "422 No"),
        "server-refused",
    ),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_lie_is_told_and_nothing_of_it_is_taken(desk: Desk, match: Match, lie: str) -> None:
    made, code = LIES[lie]
    ran = shown(desk, made(match))
    assert (ran.status in (1, 2, 3), ran.out) == (True, ""), ran
    assert code in ("", ran.code), ran.err
    assert ran.code != ""
    assert "\x1b" not in ran.err
    assert json.loads(desk("show", "--json").out)["seq"] == 2


@pytest.mark.parametrize(
    "answer",
    [plain(b"{}", "500 Sorry"), plain(b"", "503 Full"), b"SSH-2.0-OpenSSH_9.2\r\n", b""],
    ids=["500", "503", "ssh", "silence"],
)
def test_one_that_fails_leaves_the_copy_readable(desk: Desk, answer: bytes) -> None:
    ran = shown(desk, answer)
    assert (ran.status, "note: not live. " in ran.err) == (0, True), ran.err


@pytest.mark.parametrize("json", [False, True])
def test_names_that_steer_the_terminal_are_not_listed(desk: Desk, match: Match, json: bool) -> None:
    names = {"swedes": "Al\\u202eba", "muscovites": "Bruno \\u009b2J"}
    seats = ",".join(f'"{seat}":"{name}"' for seat, name in names.items())
    line = (
        f'{{"match":"{match.id}","ruleset":"tablut","seats":{{{seats}}},"about":{{}},"events":1,'
        '"phase":"in-play","turn":null,"result":null,"next":""}'
    )
    with saying(plain(f'{{"matches":[{line}]}}'.encode())) as port:
        ran = desk("list", "--server", f"http://127.0.0.1:{port}", *(["--json"] if json else []))
    assert (ran.status, ran.code, ran.out) == (1, "bad-answer", "")


def test_many_requests_are_answered_later(desk: Desk) -> None:
    busy = plain(
        b'{"error":{"code":"too-many","message":"Slowly."}}', "429 Slowly", ["Retry-After: 3"]
    )
    assert "The server says no: Slowly. Try again in 3 s." in shown(desk, busy).err


@pytest.mark.parametrize(
    ("told", "code"),
    [
        ({"keyid": "SHA256:" + "A" * 43}, "other-arbiter"),
        ({}, "no-seat"),
        ({"seat": "judge"}, "no-seat"),
        ({"match": "../../key"}, "bad-answer"),
        ({"waiting": "Bruno"}, "bad-answer"),
    ],
)
def test_a_seat_that_is_not_what_was_promised(
    desk: Desk, match: Match, told: dict[str, Any], code: str
) -> None:
    """The match that it gives is sound, and not one in which this key plays."""
    desk.make_keys("ana")
    said = {
        **{"table": "4", "ruleset": "tablut", "seat": "swedes", "name": "Ana", "waiting": []},
        **{"arbiter": "Zoë", "keyid": ARBITER.public.fingerprint, "match": match.id},
    }
    joined = plain(json.dumps(said | told).encode())
    with saying(joined, match.page(match.events[3:], seq=3)) as port:
        ran = desk("join", "ABCD-EFGH-JK", "--server", f"http://127.0.0.1:{port}")
    assert (ran.status in (1, 2), f"error[{code}]: " in ran.err) == (True, True), ran.err


def asked(port: int, patience: float = 5) -> Server:
    return Server(Address.parse(f"http://127.0.0.1:{port}"), patience)


def test_an_answer_without_end_is_cut_off(match: Match) -> None:
    def flood(connection: Any) -> None:
        request(connection)
        connection.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        while True:
            connection.sendall(b"10000\r\n" + b" " * 65536 + b"\r\n")

    with accepting(flood) as port, pytest.raises(TabellionError) as error:
        asked(port).matches()
    assert error.value.code == "answer-too-large"


def test_events_that_come_one_by_one_for_ever_are_given_up(match: Match) -> None:
    page = match.page([match.events[0]], seq=1 << 40, head="0" * 64)
    with saying(page) as port, pytest.raises(Unreachable, match="takes too long"):
        asked(port, 0.5).after(match.id, -1)


@pytest.mark.parametrize("where", [b"", b"HTTP/1.1 200 OK\r\n", plain(b" " * 9999)[:-9999]])
def test_an_answer_drop_by_drop_ends_in_time(where: bytes) -> None:
    def drip(connection: Any) -> None:
        request(connection)
        connection.sendall(where)
        while True:
            connection.sendall(b"X")
            time.sleep(0.02)

    began = time.monotonic()
    with accepting(drip) as port, pytest.raises(Unreachable, match="does not answer in time"):
        asked(port, 0.3).matches()
    assert time.monotonic() - began < 3


def test_a_stream_is_only_a_bell(match: Match) -> None:
    """What it says is not read; one that ends, or is none, is no reason to wait for ever."""
    said = b"event: table\ndata: " + b"x" * 200_000 + b"\n\n"
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
    with saying(head + said) as port:
        rung = rings(Address.parse(f"http://127.0.0.1:{port}"), match.id, 3, 5)
        assert [next(rung), next(rung)] == [None, None]
        with pytest.raises(Unreachable, match="has ended its stream"):
            next(rung)
    with saying(plain(b"{}")) as port, pytest.raises(Unreachable, match="no stream"):
        next(rings(Address.parse(f"http://127.0.0.1:{port}"), match.id, 3, 5))


# -- certificates ------------------------------------------------------------------------


def secure(kept: certificate.Kept, heard: list[bytes]) -> Callable[[Any], None]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(kept.cert, kept.key)

    def answer(connection: Any) -> None:
        with context.wrap_socket(connection, server_side=True) as wrapped:
            heard.append(request(wrapped))
            wrapped.sendall(plain(b'{"matches":[]}'))

    return answer


def test_a_certificate_is_compared_before_anything_is_sent(desk: Desk, tmp_path: Path) -> None:
    kept = certificate.kept(tmp_path / "tls", ["127.0.0.1"], lambda: "2026-11-30T12:00:00Z")
    heard: list[bytes] = []
    with accepting(secure(kept, heard)) as port:
        url = f"https://127.0.0.1:{port}"
        unknown = desk("list", "--server", url)
        assert (unknown.status, unknown.code) == (4, "unknown-certificate")
        assert kept.fingerprint in unknown.err
        assert f"--server '{url}#SHA256={kept.fingerprint}'" in unknown.err
        other = desk("list", "--server", f"{url}#SHA256={'AB:' * 31}AB")
        assert (other.status, other.code) == (1, "other-certificate")
        assert kept.fingerprint in other.err
        assert heard == []
        known = desk("list", "--server", f"{url}#SHA256={kept.fingerprint}")
        assert (known.status, known.code) == (0, ""), known.err
        assert len(heard) == 1
        assert b"SHA256" not in heard[0]
        lower = kept.fingerprint.replace(":", "").lower()
        assert desk("list", "--server", f"{url}#sha256={lower}").status == 0
    with accepting(request) as port:
        plainly = desk("list", "--server", f"https://127.0.0.1:{port}#SHA256={kept.fingerprint}")
        assert "note: not live. " in plainly.err


@pytest.mark.parametrize(
    "typed",
    [
        "192.168.1.5",
        "ftp://hall",
        "https://",
        "https://hall:port",
        "https://hall:99999",
        "https://alba:secret@hall",
        "https://hall/play#ABCD-EFGH-JK",
        "https://hall?x",
        "https://hall#SHA256=AB:CD",
        "http://hall#SHA256=" + "AB" * 32,
        "http://a..b",
        "http://hall\n",
        "http://" + "a" * 500,
        "http://[::1",
    ],
)
def test_an_address_that_is_none(desk: Desk, typed: str) -> None:
    ran = desk("show", "--server", typed)
    assert (ran.status, ran.code) == (2, "bad-server")
    assert "hint: --server https://" in ran.err


def test_addresses() -> None:
    assert str(Address.parse("http://hall")) == "http://hall:8765"
    assert str(Address.parse("https://[::1]:443/")) == "https://[::1]:443"
    pinned = "https://hall:8765#SHA256=" + ":".join(["0F"] * 32)
    assert str(Address.parse(pinned)) == pinned
    assert Address.parse(pinned).base == "https://hall:8765"
