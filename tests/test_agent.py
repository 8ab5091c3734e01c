"""Keys in ssh-agent: a real agent signs, and a hostile one gets nothing believed."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from terminal import PROGRAM, Desk

from ledger import agent
from ledger.agent import AgentKey, held
from ledger.errors import NotAllowed
from ledger.keys import Keyring, SigningKey

ALBA = SigningKey.from_seed(b"\1" * 32)
BRUNO = SigningKey.from_seed(b"\2" * 32)


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder with a short name: a socket's path has room for a hundred letters."""
    with tempfile.TemporaryDirectory(prefix="agent-") as name:
        yield Path(name)


@pytest.fixture
def desk(tmp_path: Any, monkeypatch: Any, capsys: Any) -> Desk:
    return Desk(tmp_path, monkeypatch, capsys)


# --- a real agent -----------------------------------------------------------------------------


class RealAgent:
    """OpenSSH's, of this test alone. ``askpass`` is the program that asks its owner."""

    def __init__(self, path: Path, askpass: str) -> None:
        self.path = path
        self._environment = {
            **os.environ,
            "SSH_AUTH_SOCK": str(path),
            "SSH_ASKPASS": askpass,
            "SSH_ASKPASS_REQUIRE": "force",
        }
        self.process = subprocess.Popen(
            ["ssh-agent", "-D", "-a", str(path)],
            env=self._environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        until = time.monotonic() + 20
        while not self._listens():
            assert time.monotonic() < until
            time.sleep(0.01)

    def _listens(self) -> bool:
        """The socket is there a moment before the agent listens."""
        with socket.socket(socket.AF_UNIX) as asking:
            return asking.connect_ex(str(self.path)) == 0

    def add(self, *arguments: str | Path) -> None:
        subprocess.run(
            ["ssh-add", "-q", *arguments], env=self._environment, check=True, capture_output=True
        )

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()


@contextmanager
def real_agent(folder: Path, askpass: str = "/bin/false") -> Iterator[RealAgent]:
    running = RealAgent(folder / "socket", askpass)
    try:
        yield running
    finally:
        running.stop()


def key_file(folder: Path, key: SigningKey, name: str) -> Path:
    path = folder / name
    path.touch(mode=0o600)
    path.write_bytes(key.openssh(None))
    return path


def test_a_real_agent_lists_and_signs(folder: Path) -> None:
    with real_agent(folder) as running:
        assert held(running.path) == ()
        subprocess.run(
            ["ssh-keygen", "-q", "-t", "rsa", "-N", "", "-f", folder / "rsa"], check=True
        )
        alba = key_file(folder, ALBA, "alba")
        (folder / "alba.pub").write_text(f"{ALBA.public.line} alba@home\n")
        running.add(folder / "rsa", alba, key_file(folder, BRUNO, "bruno"))
        first, second = held(running.path)  # the RSA key is passed over
        assert (first.public, second.public) == (ALBA.public, BRUNO.public)
        for message in (b"", b"e3-f3", bytes(60_000)):
            assert first.sign(message) == ALBA.sign(message)
            assert second.sign(message) == BRUNO.sign(message)


def test_a_locked_agent_shows_nothing_and_signs_nothing(folder: Path) -> None:
    askpass = folder / "word"
    askpass.write_text("#!/bin/sh\necho swordfish\n")
    askpass.chmod(0o700)
    with real_agent(folder, str(askpass)) as running:
        running.add(key_file(folder, ALBA, "alba"))
        (key,) = held(running.path)
        running.add("-x")
        assert held(running.path) == ()
        with pytest.raises(NotAllowed) as caught:
            key.sign(b"e3-f3")
        assert caught.value.code == "agent-refused"
        assert "ssh-add -X" in caught.value.hint
        running.add("-X")
        assert key.sign(b"e3-f3") == ALBA.sign(b"e3-f3")


@pytest.mark.parametrize("confirms", [True, False])
def test_the_owner_confirms_or_does_not(folder: Path, confirms: bool) -> None:
    with real_agent(folder, "/bin/true" if confirms else "/bin/false") as running:
        running.add("-c", key_file(folder, ALBA, "alba"))
        (key,) = held(running.path)
        if confirms:
            assert key.sign(b"e3-f3") == ALBA.sign(b"e3-f3")
        else:
            with pytest.raises(NotAllowed, match="not confirmed") as caught:
                key.sign(b"e3-f3")
            assert caught.value.code == "agent-refused"


def test_an_agent_that_ends_in_between(folder: Path) -> None:
    with real_agent(folder) as running:
        running.add(key_file(folder, ALBA, "alba"))
        (key,) = held(running.path)
        running.stop()
        with pytest.raises(NotAllowed) as caught:
            key.sign(b"e3-f3")
        assert caught.value.code == "agent-gone"
        assert held(running.path) == ()  # its socket is still there


# --- no agent, and worse ones -----------------------------------------------------------------


def test_where_nobody_listens_there_is_no_agent(folder: Path) -> None:
    (folder / "file").write_text("")
    for path in (folder / "nowhere", folder / "file", folder / "file" / "below", folder):
        assert held(path) == ()


def test_a_socket_that_cannot_be_one(folder: Path) -> None:
    with pytest.raises(NotAllowed, match="cannot be reached") as caught:
        held(folder / ("x" * 500))
    assert caught.value.code == "agent-unreachable"


@contextmanager
def fake_agent(folder: Path, serve: Callable[[socket.socket, bytes], None]) -> Iterator[Path]:
    """A socket where each question is answered by ``serve`` as it likes."""
    path = folder / "fake"
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listening:
        listening.bind(str(path))
        listening.listen()
        done = threading.Event()

        def accept() -> None:
            while True:
                line, _ = listening.accept()
                with line:
                    if done.is_set():
                        return
                    try:
                        serve(line, question(line))
                    except OSError:
                        continue  # who asked has had enough

        thread = threading.Thread(target=accept, daemon=True)
        thread.start()
        try:
            yield path
        finally:
            done.set()
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as last:
                last.connect(str(path))
            thread.join(timeout=20)
            assert not thread.is_alive()


def question(line: socket.socket) -> bytes:
    with line.makefile("rb") as reader:
        return reader.read(int.from_bytes(reader.read(4), "big"))


def string(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + data


def number(value: int) -> bytes:
    return value.to_bytes(4, "big")


def wire(key: SigningKey) -> bytes:
    return string(b"ssh-ed25519") + string(key.public.raw)


LISTED = bytes([12]) + number(1) + string(wire(ALBA)) + string(b"alba@home")


def signed(signature: bytes, kind: bytes = b"ssh-ed25519") -> bytes:
    return bytes([14]) + string(string(kind) + string(signature))


def always(answer: bytes) -> Callable[[socket.socket, bytes], None]:
    return lambda line, _question: line.sendall(answer)


def test_the_fake_agent_can_be_honest(folder: Path) -> None:
    def serve(line: socket.socket, asked: bytes) -> None:
        if asked == bytes([11]):
            line.sendall(string(LISTED))
        else:
            message = asked[1 + 4 + 51 + 4 : -4]
            assert asked == bytes([13]) + string(wire(ALBA)) + string(message) + bytes(4)
            for byte in string(signed(ALBA.sign(message))):  # as slowly as it likes
                line.sendall(bytes([byte]))

    with fake_agent(folder, serve) as path:
        (key,) = held(path)
        assert key == AgentKey(ALBA.public, "alba@home", path)
        assert key.sign(b"e3-f3") == ALBA.sign(b"e3-f3")


HOSTILE_LISTS = {
    "nothing": (b"", "agent-gone"),
    "half a length": (b"\0\0", "agent-gone"),
    "cut off": (string(LISTED)[:-3], "agent-gone"),
    "a huge length": (b"\xff\xff\xff\xff" + bytes(100), "agent-nonsense"),
    "just too long": (number(256 * 1024 + 1) + bytes(256 * 1024 + 1), "agent-nonsense"),
    "length zero": (number(0), "agent-nonsense"),
    "failure": (string(bytes([5])), "agent-refused"),
    "another kind of answer": (string(signed(bytes(64))), "agent-nonsense"),
    "text": (b"HTTP/1.1 400 Bad Request\r\n\r\n", "agent-nonsense"),
    "no number of keys": (string(bytes([12, 0])), "agent-nonsense"),
    "fewer keys than it says": (string(bytes([12]) + number(2) + LISTED[5:]), "agent-nonsense"),
    "more keys than it says": (string(bytes([12]) + number(0) + LISTED[5:]), "agent-nonsense"),
    "four thousand million": (string(bytes([12]) + b"\xff" * 4), "agent-nonsense"),
    "a key beyond the end": (string(bytes([12]) + number(1) + number(99)), "agent-nonsense"),
    "no comment": (string(LISTED[:-13]), "agent-nonsense"),
}


@pytest.mark.parametrize("what", HOSTILE_LISTS)
def test_a_list_that_is_none(folder: Path, what: str) -> None:
    answer, code = HOSTILE_LISTS[what]
    with fake_agent(folder, always(answer)) as path, pytest.raises(NotAllowed) as caught:
        held(path)
    assert caught.value.code == code
    assert caught.value.hint.startswith("SSH_AUTH_SOCK= ")


def test_keys_that_are_none_are_passed_over(folder: Path) -> None:
    odd = [b"", b"x", string(b"ssh-rsa") + string(b"1"), wire(ALBA)[:-1], wire(ALBA) + b"x"]
    keys = b"".join(string(key) + string(b"\xff\x1b[2J") for key in [*odd, wire(BRUNO)])
    with fake_agent(folder, always(string(bytes([12]) + number(len(odd) + 1) + keys))) as path:
        assert [key.public for key in held(path)] == [BRUNO.public]


@pytest.mark.parametrize("dripping", [False, True])
def test_an_agent_that_does_not_list_in_time(
    folder: Path, monkeypatch: pytest.MonkeyPatch, dripping: bool
) -> None:
    monkeypatch.setattr(agent, "_LIST_SECONDS", 0.3)
    enough = threading.Event()

    def serve(line: socket.socket, _asked: bytes) -> None:
        line.sendall(number(200))
        while not enough.wait(0.05):
            if dripping:
                line.sendall(b"\x0c")

    with fake_agent(folder, serve) as path:
        start = time.monotonic()
        with pytest.raises(NotAllowed) as caught:
            held(path)
        assert 0.2 < time.monotonic() - start < 5
        enough.set()
    assert caught.value.code == "agent-silent"


def test_a_person_may_take_their_time_to_confirm(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(agent, "_LIST_SECONDS", 0.1)

    def serve(line: socket.socket, _asked: bytes) -> None:
        time.sleep(0.5)
        line.sendall(string(signed(ALBA.sign(b"e3-f3"))))

    with fake_agent(folder, serve) as path:
        assert AgentKey(ALBA.public, "", path).sign(b"e3-f3") == ALBA.sign(b"e3-f3")


GOOD = ALBA.sign(b"e3-f3")
HOSTILE_SIGNATURES = {
    "nothing": (b"", "agent-gone"),
    "cut off": (string(signed(GOOD))[:-1], "agent-gone"),
    "a huge length": (b"\x7f\xff\xff\xff", "agent-nonsense"),
    "failure": (string(bytes([5])), "agent-refused"),
    "a list instead": (string(LISTED), "agent-nonsense"),
    "nothing inside": (string(bytes([14])), "agent-nonsense"),
    "shorter inside": (string(signed(GOOD)[:-1]), "agent-nonsense"),
    "of another message": (string(signed(ALBA.sign(b"e3-f4"))), "agent-bad-signature"),
    "by another key": (string(signed(BRUNO.sign(b"e3-f3"))), "agent-bad-signature"),
    "zeros": (string(signed(bytes(64))), "agent-bad-signature"),
    "one byte short": (string(signed(GOOD[:-1])), "agent-bad-signature"),
    "one byte more": (string(signed(GOOD + b"x")), "agent-bad-signature"),
    "more after it": (string(signed(GOOD) + b"x"), "agent-bad-signature"),
    "said to be RSA": (string(signed(GOOD, b"ssh-rsa")), "agent-bad-signature"),
}


@pytest.mark.parametrize("what", HOSTILE_SIGNATURES)
def test_a_signature_that_is_none(folder: Path, what: str) -> None:
    answer, code = HOSTILE_SIGNATURES[what]
    with fake_agent(folder, always(answer)) as path, pytest.raises(NotAllowed) as caught:
        AgentKey(ALBA.public, "", path).sign(b"e3-f3")
    assert caught.value.code == code


# --- at the table -----------------------------------------------------------------------------


def into_agent(desk: Desk, running: RealAgent, *names: str) -> None:
    """Give the agent the desk's keys of these names, and take their files away."""
    for name in names:
        running.add(desk.keys / name)
        (desk.keys / name).unlink()
    desk.patch.setenv("SSH_AUTH_SOCK", str(running.path))


def test_a_match_signed_by_the_agent_alone(desk: Desk, folder: Path) -> None:
    desk.make_keys()
    with real_agent(folder) as running:
        into_agent(desk, running, "zoe", "alba")
        (desk.keys / "alba.pub").rename(desk.folder / "alba.pub")  # no entry at all
        lines = desk.did("key", "list").splitlines()
        assert lines == [
            "bruno  FINGERPRINT  not encrypted",
            "zoe  FINGERPRINT  in ssh-agent",
        ]
        desk.did(
            *("open", "tablut", "--key", "zoe", "--seat", "swedes=Alba"),
            *("--seat-key", f"swedes={desk.folder}/alba.pub"),
            *("--seat", "muscovites=Bruno", "--seat-key", "muscovites=bruno"),
        )
        desk.did("accept")
        assert "Alba moves e3-f3" in desk.did("move", "e3-f3")
        assert "Bruno moves e2-h2" in desk.did("move", "e2-h2")
        desk.did("note", "the arbiter's key is in the agent", "--key", "zoe")
        desk.did("export", "--output", "match.json")
    assert "verdict: SOUND" in desk.did("audit", "match.json")
    ran = desk("move", "e4-e2")
    assert (ran.status, ran.code) == (4, "key-missing")


def test_the_agent_spares_the_passphrase(desk: Desk, folder: Path) -> None:
    """The file is there and encrypted; nobody is asked for its passphrase."""
    desk.make_keys("zoe", "bruno")
    key = SigningKey.from_seed(b"\3" * 32)
    Keyring(desk.keys).add("alba", key.public, key.openssh(b"swordfish"))
    with real_agent(folder) as running:
        running.add(key_file(folder, key, "alba"))
        desk.patch.setenv("SSH_AUTH_SOCK", str(running.path))
        assert "alba  FINGERPRINT  encrypted, in ssh-agent" in desk.did("key", "list")
        desk.open()
        assert "Alba moves e3-f3" in desk.did("move", "e3-f3")
        (desk.keys / "alba").chmod(0o644)  # not read, so not refused
        desk.did("resign", "--key", "alba")


def test_the_only_key_may_be_in_the_agent(desk: Desk, folder: Path) -> None:
    desk.make_keys("zoe")
    desk.make_keys("alba")
    (desk.keys / "alba").unlink()
    seats = ("--seat", "swedes=A", "--seat", "muscovites=B")
    with real_agent(folder) as running:
        into_agent(desk, running, "zoe")
        assert "zoe opens tablut" in desk.did("open", "tablut", *seats)
        running.add("-D")
        assert desk("open", "tablut", *seats).code == "no-key"
        ran = desk("open", "tablut", *seats, "--key", "alba")
        assert (ran.status, ran.code) == (4, "public-half-only")


def test_an_agent_that_dies_or_refuses_writes_nothing(desk: Desk, folder: Path) -> None:
    desk.make_keys()
    desk.open()
    before = desk.types()
    with real_agent(folder) as running:
        running.add("-c", desk.keys / "alba")
        desk.patch.setenv("SSH_AUTH_SOCK", str(running.path))
        ran = desk("move", "e3-f3")
        assert (ran.status, ran.code, ran.out) == (4, "agent-refused", "")
        assert desk.types() == before
    assert "Alba moves e3-f3" in desk.did("move", "e3-f3")  # without an agent, by the file


def test_a_broken_agent_takes_no_key_file_away(desk: Desk, folder: Path) -> None:
    desk.make_keys()
    desk.open()
    with fake_agent(folder, always(b"\xff" * 8)) as path:
        desk.patch.setenv("SSH_AUTH_SOCK", str(path))
        ran = desk("move", "e3-f3")
        assert (ran.status, "Alba moves e3-f3" in ran.out) == (0, True)
        assert ran.err.startswith(
            "note: The ssh-agent does not answer as an agent does. Only keys with a file here can "
            "sign.\n"
        )
        (desk.keys / "bruno").unlink()
        ran = desk("move", "e2-h2")
        assert (ran.status, "error[key-missing]: " in ran.err) == (4, True)


def test_a_signature_by_another_key_is_not_written(desk: Desk, folder: Path) -> None:
    desk.make_keys()
    desk.open()
    public = Keyring(desk.keys).find("alba").public
    assert public is not None
    listed = bytes([12]) + number(1) + string(string(b"ssh-ed25519") + string(public.raw))

    def serve(line: socket.socket, asked: bytes) -> None:
        listing = asked == bytes([11])
        line.sendall(string(listed + string(b"") if listing else signed(GOOD)))

    with fake_agent(folder, serve) as path:
        desk.patch.setenv("SSH_AUTH_SOCK", str(path))
        ran = desk("move", "e3-f3")
    assert (ran.status, ran.code) == (4, "agent-bad-signature")
    assert desk.types() == ["match.opened", "seat.accepted", "seat.accepted"]


def test_reading_never_asks_the_agent_and_writing_once(desk: Desk, folder: Path) -> None:
    desk.make_keys()
    asked = []

    def serve(line: socket.socket, question: bytes) -> None:
        asked.append(question[0])
        line.sendall(string(bytes([12]) + number(0)))

    with fake_agent(folder, serve) as path:
        desk.patch.setenv("SSH_AUTH_SOCK", str(path))
        desk.open()
        asked.clear()
        for command in (["show"], ["log"], ["list"], ["moves"], ["audit"], ["export"]):
            desk.did(*command)
        assert desk("move", "e4-e9").code == "blocked"
        assert asked == []
        desk.did("move", "e3-f3", "e2-h2")
        assert asked == [11]


def test_ctrl_c_while_the_agent_waits_for_its_owner(desk: Desk, folder: Path) -> None:
    desk.make_keys()
    desk.open()
    public = Keyring(desk.keys).find("alba").public
    assert public is not None
    listed = bytes([12]) + number(1) + string(string(b"ssh-ed25519") + string(public.raw))
    waiting, enough = threading.Event(), threading.Event()

    def serve(line: socket.socket, asked: bytes) -> None:
        if asked == bytes([11]):
            line.sendall(string(listed + string(b"alba")))
        else:
            waiting.set()
            enough.wait(30)

    with fake_agent(folder, serve) as path:
        running = subprocess.Popen(
            [PROGRAM, "move", "e3-f3"],
            env={**os.environ, "SSH_AUTH_SOCK": str(path)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert waiting.wait(30)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=30)
        enough.set()
    assert (running.returncode, out) == (130, b""), err
    assert b"Traceback" not in err
    assert desk.types() == ["match.opened", "seat.accepted", "seat.accepted"]


def test_without_an_agent_its_module_is_not_loaded(desk: Desk) -> None:
    desk.make_keys()
    desk.open()
    program = (
        "import sys, cli\nsys.argv = ['tabellion', 'move', 'e3-f3']\n"
        "cli.run()\n"
        "assert 'ledger.agent' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, capture_output=True)
