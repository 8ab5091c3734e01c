"""``tabellion serve``: how it starts, what it says, how it stops, and one request without it."""

from __future__ import annotations

import json
import re
import signal
import socket
import sqlite3
import ssl
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from server import program, signed, wait_for
from table import ALBA, ARBITER, new_service, opening
from terminal import Desk

from cli.serve import _here, _openers, _places, _told
from ledger import sqlitefile
from ledger.events import Nothing
from ledger.fold import MatchState
from ledger.publickey import PublicKey
from ledger.service import Draft
from ledger.tables import Tables, beside
from ledger.tablesfile import Server
from ledger.web import certificate
from ledger.web.door import make_room
from ledger.web.limits import Limits, is_here


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: Any, capsys: Any) -> Desk:
    return Desk(tmp_path, monkeypatch, capsys)


@pytest.fixture
def match(desk: Desk) -> MatchState:
    """A match in the desk's own ledger."""
    desk.ledger.parent.mkdir(parents=True)
    with new_service(desk.ledger) as service:
        return service.open_match(opening(), ARBITER)


@pytest.fixture
def taken() -> Iterator[int]:
    """A port on which somebody else listens."""
    with socket.create_server(("127.0.0.1", 0)) as found:
        yield found.getsockname()[1]


def test_who_gave_a_public_line_alone_opens_no_match_from_elsewhere(desk: Desk) -> None:
    desk("key", "new", "zoe", "--no-passphrase")
    desk("key", "new", "bruno", "--no-passphrase")
    (desk.keys / "bruno").unlink()
    _, *keys = (
        PublicKey.parse((desk.keys / name).read_text()) for name in ("bruno.pub", "zoe.pub")
    )
    assert _openers(None) == {key.fingerprint for key in keys}
    assert _openers(ALBA) == {ALBA.public.fingerprint, *(key.fingerprint for key in keys)}


@pytest.mark.parametrize(
    ("address", "here"),
    [
        *(("127.0.0.1", True), ("127.0.0.2", True), ("::1", True), ("::ffff:127.0.0.1", True)),
        *(("192.0.2.7", False), ("::ffff:192.0.2.7", False), ("fe80::1%eth0", False), ("", False)),
    ],
)
def test_what_is_this_machine(address: str, here: bool) -> None:
    assert is_here(address) is here


def test_at_another_address_the_arbiters_page_is_still_on_this_machine() -> None:
    address = next(iter(certificate.reachable()), None)
    if address is None:
        pytest.skip("this machine is in no network")
    places = list(_places(address, 0))
    port = places[0].getsockname()[1]
    assert [each.getsockname() for each in places] == [(address, port), ("127.0.0.1", port)]
    for each in places:
        each.close()
    for host in ("127.0.0.1", "0.0.0.0", "localhost"):
        (alone,) = _places(host, 0)
        alone.close()


@pytest.mark.parametrize(
    ("host", "named"),
    [("127.0.0.1", "127.0.0.1"), ("0.0.0.0", "127.0.0.1"), ("localhost", "127.0.0.1")],
)
def test_the_arbiters_link_names_a_place_where_this_server_listens(host: str, named: str) -> None:
    """By its number: another program may listen where the name ``localhost`` leads to."""
    *_, here = _places(host, 0)
    with here:
        assert _here(here) == named


# -- start and stop ------------------------------------------------------------------------


@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGTERM], ids=["Ctrl-C", "SIGTERM"])
def test_it_says_where_to_go_and_stops_when_it_is_told(
    desk: Desk, match: MatchState, by: int
) -> None:
    with program(desk.ledger) as server:
        assert server.greeting == [
            f"spectators   {server.url}/",
            f"players      {server.url}/play",
            "Ctrl-C stops it.",
        ]
        with server.listen(f"/api/matches/{match.match}/stream") as seen:
            seen.next("table")
            status, said, took = server.stop(by)
            assert (status, said.splitlines()[-1]) == (0, "The server has stopped.")
            assert took < 2
            assert seen.ended()


def test_the_log_says_a_line_for_each_request_and_no_secret(desk: Desk, match: MatchState) -> None:
    with program(desk.ledger) as server:
        server.get("/api/matches?token=SECRET")
        server.get("/api/%1b%5b31mred%0aGET%20/forged%20200?code=SECRET", authorization="SECRET")
        server.ask("POST", "/api/join", b'{"code":"SECRET"}', content_type="application/json")
        server.get("/api/matches", host="evil.example")
        _, said, _ = server.stop()
    lines = [re.sub(r"\d+ ms", "TIME", line) for line in said.splitlines()]
    assert lines == [
        "GET /api/matches 200 TIME",
        r"GET /api/\x1b[31mred\nGET%20/forged%20200 404 TIME",
        "POST /api/join 400 TIME",
        "GET /api/matches 403 TIME",
        "The server has stopped.",
    ]


def test_a_port_in_use_and_an_address_of_others_are_said_clearly(
    desk: Desk, match: MatchState, taken: int
) -> None:
    busy = desk("serve", "--port", str(taken))
    assert (busy.status, busy.code) == (4, "port-in-use")
    assert f"Port {taken} of 127.0.0.1 is in use" in busy.err
    for host in ("203.0.113.9", "no such host", "host.invalid"):
        strange = desk("serve", "--host", host, "--port", "0")
        assert (strange.status, strange.code) == (2, "not-our-address")


def test_a_new_machine_gets_its_ledger_unless_nothing_is_taken_in(tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.db"
    with program(ledger) as server:
        assert server.get("/api/matches").json == {"matches": []}
    assert ledger.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("looking", [["--readonly"], ["--get", "/api/matches"]])
def test_without_a_ledger_there_is_nothing_to_show(desk: Desk, looking: list[str]) -> None:
    assert desk("serve", "--port", "0", *looking).code == "no-ledger"
    assert not desk.ledger.exists()


def test_without_the_extra_it_says_what_to_install(desk: Desk, match: MatchState) -> None:
    desk.patch.setitem(sys.modules, "uvicorn", None)
    ran = desk("serve")
    assert (ran.status, ran.code) == (4, "extra-missing")
    assert "pip install 'tabellion[web]'" in ran.err


def test_a_wrong_passphrase_is_noticed_before_anybody_comes(desk: Desk, match: MatchState) -> None:
    desk.make_keys("zoe")
    assert desk("serve", "--port", "0", "--key", "nobody").status == 3


# -- the arbiter's key ------------------------------------------------------------------------


def test_with_the_arbiters_key_there_is_a_way_to_the_desk(desk: Desk, match: MatchState) -> None:
    desk.make_keys("zoe")
    with program(desk.ledger, "--key", "zoe") as server:
        (line,) = (each for each in server.greeting if each.startswith("arbiter "))
        link = line.split()[1]
        assert link.startswith(f"http://127.0.0.1:{server.port}/desk#token=")
        assert server.get("/desk").status == 200
        _, said, _ = server.stop()
    assert link.rpartition("=")[2] not in said


def test_it_only_shows_when_it_is_told_so(desk: Desk, match: MatchState) -> None:
    with program(desk.ledger, "--readonly") as server:
        accepted = signed(match, Draft("seat.accepted", Nothing(), "swedes"), ALBA)
        assert server.post(accepted).code == "read-only"
        assert server.get(f"/api/matches/{match.match}").json["seq"] == 0


# -- https ---------------------------------------------------------------------------------------


def https(port: int, name: str) -> tuple[bytes, str]:
    """The answer of the hall over TLS, and the fingerprint of whoever gives it."""
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    with (
        socket.create_connection(("127.0.0.1", port), timeout=10) as plain,
        context.wrap_socket(plain) as secured,
    ):
        secured.sendall(
            f"GET /api/matches HTTP/1.1\r\nHost: {name}\r\nConnection: close\r\n\r\n".encode()
        )
        said = b"".join(iter(lambda: secured.recv(65536), b""))
        seen = secured.getpeercert(binary_form=True)
    return said, sha256(seen or b"").digest().hex(":").upper()


def test_off_this_machine_it_speaks_https_with_the_fingerprint_that_it_says(
    desk: Desk, match: MatchState
) -> None:
    with program(desk.ledger, "--host", "0.0.0.0", "--name", "hall.example") as server:
        (line,) = (each for each in server.greeting if each.startswith("certificate "))
        assert server.greeting[0].startswith("spectators   https://")
        for name in ("hall.example", f"192.0.2.7:{server.port}", socket.gethostname()):
            said, fingerprint = https(server.port, name)
            assert said.startswith(b"HTTP/1.1 200 ")
            assert line == f"certificate  SHA-256 {fingerprint}"
        assert https(server.port, "evil.example")[0].startswith(b"HTTP/1.1 403 ")
        server.stop()


def test_who_never_shakes_hands_keeps_nobody_out(desk: Desk, match: MatchState) -> None:
    address = next(iter(certificate.reachable()), None)
    if address is None:
        pytest.skip("this machine is in no network")
    with ExitStack() as silent, program(desk.ledger, "--host", "0.0.0.0") as server:
        came = [
            silent.enter_context(socket.create_connection((address, server.port), timeout=10))
            for _ in range(Limits().connections_each + 1)
        ]
        assert came[-1].recv(1) == b"", "the last one has no place"
        files = Path(f"/proc/{server.process.pid}/fd")
        if files.exists():
            assert len(list(files.iterdir())) < Limits().connections_each + 40
        assert https(server.port, "localhost")[0].startswith(b"HTTP/1.1 200 ")
        came[0].close()
        wait_for(lambda: _is_let_in(address, server.port))


def _is_let_in(address: str, port: int) -> bool:
    with socket.create_connection((address, port), timeout=0.2) as came:
        try:
            return came.recv(1) != b""
        except TimeoutError:
            return True


def test_it_asks_for_as_many_files_as_connections(desk: Desk, match: MatchState) -> None:
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    if before[1] != resource.RLIM_INFINITY and before[1] < Limits().connections:
        pytest.skip("this system gives no more")
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, before[1]))
    try:
        make_room(Limits())
        assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] > Limits().connections
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


def test_a_certificate_of_ones_own(desk: Desk, match: MatchState) -> None:
    own = certificate.kept(desk.folder / "own", ["localhost"], lambda: "2026-11-29T18:00:00Z")
    with program(desk.ledger, "--tls-cert", str(own.cert), "--tls-key", str(own.key)) as server:
        assert https(server.port, "localhost")[1] == own.fingerprint
    assert desk("serve", "--tls-cert", str(own.cert)).code == "usage"
    broken = desk("serve", "--port", "0", "--tls-cert", str(own.cert), "--tls-key", str(own.cert))
    assert (broken.status, broken.code) == (2, "tls-unreadable")


# -- one request ---------------------------------------------------------------------------------


def test_one_request_is_answered_on_standard_output(desk: Desk, match: MatchState) -> None:
    ran = desk("serve", "--get", f"/api/matches/{match.match[:8]}")
    assert (ran.status, json.loads(ran.out)["match"], ran.err) == (0, match.match, "")
    assert json.loads(desk("serve", "--get", "/api/matches").out)["matches"][0]["events"] == 1
    stream = desk("serve", "--get", f"/api/matches/{match.match}/stream?since=0")
    assert stream.out.startswith("event: table\ndata: {")


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/api/matches/abcabc", 3, "no-match"),
        ("/nothing", 3, "no-such-path"),
        ("/api/events", 2, "wrong-method"),
        ("/api/matches/abcabc/events?since=x", 2, "bad-query"),
    ],
)
def test_and_ends_with_a_status_for_scripts(
    desk: Desk, match: MatchState, path: str, status: int, code: str
) -> None:
    ran = desk("serve", "--get", path)
    assert ran.status == status
    assert json.loads(ran.out)["error"]["code"] == code


@pytest.mark.parametrize("path", ["//[", "//a@[b/", "//localhost/api/matches", "/api/matches//["])
def test_a_path_is_no_address(desk: Desk, match: MatchState, path: str) -> None:
    ran = desk("serve", "--get", path)
    assert (ran.status, json.loads(ran.out)["error"]["code"]) == (3, "no-such-path")


@pytest.mark.parametrize("path", ["api/matches", "http://localhost/", "/é"])
def test_a_path_is_a_path(desk: Desk, match: MatchState, path: str) -> None:
    assert desk("serve", "--get", path).code == "bad-path"


# -- the file of tables ---------------------------------------------------------------------------


def _garbage(path: Path) -> None:
    path.write_bytes(b"SQLite it is not. " * 100)


def _newer(path: Path) -> None:
    Tables.open(path, create=True).close()
    with closing(sqlite3.connect(path)) as file:
        file.execute("PRAGMA user_version=99")


def _another(path: Path) -> None:
    with closing(sqlite3.connect(path)) as file:
        file.execute("CREATE TABLE recipes (name TEXT)")


def _folder(path: Path) -> None:
    path.mkdir()


@pytest.mark.parametrize("spoilt", [_garbage, _newer, _another, _folder])
def test_a_file_of_tables_that_cannot_be_used_stops_no_match(
    desk: Desk, match: MatchState, spoilt: Callable[[Path], None]
) -> None:
    desk.make_keys("zoe")
    tables = beside(desk.ledger)
    spoilt(tables)
    before = tables.read_bytes() if tables.is_file() else b""
    with program(desk.ledger, "--key", "zoe") as server:
        accepted = signed(match, Draft("seat.accepted", Nothing(), "swedes"), ALBA)
        assert server.post(accepted).status == 201
        body = json.dumps({"code": "ABCDEFGHJK", "key": ALBA.public.line, "sig": "00" * 64})
        said = server.ask("POST", "/api/join", body.encode(), content_type="application/json")
        assert said.status == 503
        assert said.json["error"]["message"].startswith("The tables set out at this server cannot")
        status, log, _ = server.stop()
    assert status == 0
    (note,) = [line for line in log.splitlines() if line.startswith("note: ")]
    assert str(tables) in note
    assert "So no phone can join, and no table can be set out; matches go on." in note
    assert (tables.read_bytes() if tables.is_file() else b"") == before


def test_one_that_is_spoilt_meanwhile_is_said_when_the_server_stops(
    desk: Desk, match: MatchState
) -> None:
    with program(desk.ledger) as server:
        _garbage(beside(desk.ledger))
        status, log, _ = server.stop()
    assert (status, log.splitlines()[-1]) == (0, "The server has stopped.")
    assert "Mend that before the server is started again." in log


def test_an_empty_one_is_a_new_one(desk: Desk, match: MatchState) -> None:
    beside(desk.ledger).touch()
    with program(desk.ledger) as server:
        assert server.stop()[1] == "The server has stopped.\n"


def test_one_that_may_only_be_read(desk: Desk, match: MatchState) -> None:
    path = beside(desk.ledger)
    Tables.open(path, create=True).close()
    desk.patch.setattr(sqlitefile.os, "access", lambda *_: False)
    with _told(path, Server(1, "http://127.0.0.1:1", None, None)):
        said = desk.capture.readouterr().err
    assert said.startswith(f"note: {path} cannot be written")
    assert "So no phone can join" in said
