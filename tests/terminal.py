"""A desk for tests of the command line: a folder of its own, the program in it as typed.

``desk("move", "e4-f4")`` runs a command in this process; ``desk.process(…)`` runs the installed
program, for what only a process has: pipes, signals, encodings, its exit status.
"""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from table import SHORT_GAME
from typer.main import get_command

from cli import desk as commands_desk
from cli.app import build

PROGRAM = Path(sys.executable).with_name("tabellion")

_CHANGING = (
    (re.compile(r"\b[0-9a-f]{64}\b"), "HASH"),
    (re.compile(r"\b[0-9a-f]{12}\b"), "SHORT"),
    (re.compile(r"\b[0-9a-f]{8}\b"), "MATCH"),
    (re.compile(r"SHA256:[A-Za-z0-9+/]{43}"), "FINGERPRINT"),
    (re.compile(r"ssh-ed25519 [A-Za-z0-9+/]{68}"), "LINE"),
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"), "TIME"),
    (re.compile(r"\d{4}-\d\d-\d\d"), "DATE"),
    (re.compile(r"\b\d\d:\d\d:\d\d\b"), "TIME"),
)
BOTH = ("swedes", "muscovites")
_PLAYERS = {"swedes": ("Alba", "alba"), "muscovites": ("Bruno", "bruno")}


def unchanging(text: str) -> str:
    """``text`` without what changes from run to run: keys, hashes, times."""
    for pattern, word in _CHANGING:
        text = pattern.sub(word, text)
    return text


@cache
def program(*asked: str) -> Any:
    """The program with the commands that its first argument asks for, put together once."""
    return get_command(build(list(asked)))


class Ran(NamedTuple):
    """How a command ended and what it printed."""

    status: int
    out: str
    err: str

    @property
    def code(self) -> str:
        """The code of the error, "" if there is none."""
        found = re.match(r"error\[([a-z-]+)\]: ", self.err)
        return found[1] if found else ""


class Desk:
    """A folder with ledger and keys, and nothing else of this machine."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch, capture: Any) -> None:
        self.folder = folder
        self.patch = patch
        self.capture = capture
        for name in [
            name for name in os.environ if name.startswith(("TABELLION_", "XDG_", "SSH_"))
        ]:
            patch.delenv(name)
        patch.setenv("XDG_DATA_HOME", str(folder / "data"))
        patch.setenv("HOME", str(folder))
        patch.chdir(folder)
        commands_desk.passphrase_from.cache_clear()

    @property
    def ledger(self) -> Path:
        return self.folder / "data" / "tabellion" / "ledger.db"

    @property
    def keys(self) -> Path:
        return self.folder / "data" / "tabellion" / "keys"

    def __call__(self, *arguments: str, stdin: bytes = b"") -> Ran:
        """Run a command in this process."""
        self.patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), "utf-8"))
        self.capture.readouterr()
        commands_desk.agent_keys.cache_clear()
        status = program(*arguments[:1])(args=list(arguments), standalone_mode=False)
        out, err = self.capture.readouterr()
        return Ran(status, out, err)

    def did(self, *arguments: str, stdin: bytes = b"") -> str:
        """The output of a command that must succeed, without what changes from run to run."""
        ran = self(*arguments, stdin=stdin)
        assert ran.status == 0, ran.err
        return self.plain(ran.out + ran.err)

    def process(
        self,
        *arguments: str,
        stdin: bytes = b"",
        environment: Mapping[str, str] | None = None,
        under: Sequence[str] = (),
        **how: Any,
    ) -> Ran:
        """Run the installed program as a process of its own."""
        given = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **how}
        run = subprocess.run(
            [*under, str(PROGRAM), *arguments],
            input=stdin,
            env={**os.environ, **(environment or {})},
            check=False,
            timeout=60,
            **given,
        )
        return Ran(run.returncode, _text(run.stdout), _text(run.stderr))

    def plain(self, text: str) -> str:
        """``text`` without what changes from run to run."""
        return unchanging(text.replace(str(self.folder), "FOLDER"))

    # -- what many tests begin with ----------------------------------------------------------

    def make_keys(self, *names: str) -> None:
        for name in names or ("zoe", "alba", "bruno"):
            self.did("key", "new", name, "--no-passphrase")

    def open(self, *more: str, keyed: tuple[str, ...] = BOTH, unlock: tuple[str, ...] = ()) -> str:
        """Open and accept a match between Alba and Bruno; those ``keyed`` bring their keys, which
        ``unlock`` (options) opens if they are encrypted."""
        if not self.keys.exists():
            self.make_keys()
        seats = []
        for seat, (player, key) in _PLAYERS.items():
            seats += ["--seat", f"{seat}={player}"]
            seats += ["--seat-key", f"{seat}={key}"] if seat in keyed else []
        ran = self("open", "tablut", "--key", "zoe", "--arbiter", "Zoë", *seats, *more)
        assert ran.status == 0, ran.err
        match = ran.out.split()[1]
        if keyed:
            self.did("accept", match, *unlock)
        return match

    def finish(self) -> str:
        """A whole game up to its countersigned close."""
        match = self.open()
        self.did("move", *SHORT_GAME)
        self.did("close")
        self.did("countersign")
        return match

    def types(self) -> list[str]:
        """The types of the events of the only match, as they are stored."""
        from ledger.store import Store

        with Store.open(self.ledger, write=False) as store:
            return [row.type for match in store.matches() for row in store.rows(match)]


def _text(data: bytes | None) -> str:
    return (data or b"").decode("utf-8", "backslashreplace")
