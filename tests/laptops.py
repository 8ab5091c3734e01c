"""A hall of laptops for tests: Zoë's machine with the ledger that is served, a laptop a player."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from server import PROGRAM, Client, serving
from table import clock
from terminal import Desk, Ran

from ledger import keys, tables
from ledger.service import Service
from ledger.tablesfile import Server
from ledger.web.arbiter import Arbiter

PLAYERS = ("alba", "bruno")
PATIENCE = 20


class Hall:
    """Zoë's machine with the ledger that is served, and a laptop for each player."""

    def __init__(self, desk: Desk, server: Client | None = None) -> None:
        self.desk = desk
        self.server = server

    def at(self, who: str) -> Path:
        return self.desk.folder / who / "tabellion" / "ledger.db"

    def __call__(self, who: str, *arguments: str, stdin: bytes = b"") -> Ran:
        """``who`` types a command; players type it with the server's address in force."""
        self.desk.patch.setenv("XDG_DATA_HOME", str(self.desk.folder / who))
        if who in PLAYERS and self.server is not None:
            self.desk.patch.setenv("TABELLION_SERVER", self.server.url)
        else:
            self.desk.patch.delenv("TABELLION_SERVER", raising=False)
        return self.desk(*arguments, stdin=stdin)

    def did(self, who: str, *arguments: str) -> str:
        ran = self(who, *arguments)
        assert ran.status == 0, ran.err
        return self.desk.plain(ran.out + ran.err)

    def told(self, who: str, *arguments: str) -> Any:
        ran = self(who, *arguments, "--json")
        assert ran.status == 0, ran.err
        return json.loads(ran.out)

    def seq(self, who: str) -> int:
        return int(self.told(who, "show")["seq"])

    def open(self, *rules: str) -> str:
        """A match whose players gave Zoë the lines of their keys."""
        for who in ("zoe", *PLAYERS):
            self.did(who, "key", "new", who, "--no-passphrase")
        terms = []
        seats = ("white", "black") if "tabula" in rules else ("swedes", "muscovites")
        for seat, who in zip(seats, PLAYERS, strict=True):
            self.did(who, "key", "export", who, "-o", f"{who}.pub")
            terms += ["--seat", f"{seat}={who.title()}", "--seat-key", f"{seat}=./{who}.pub"]
        ran = self("zoe", "open", *(rules or ("tablut",)), "--key", "zoe", "--table", "4", *terms)
        assert ran.status == 0, ran.err
        with Service.open(self.at("zoe"), clock, write=False) as opened:
            return opened.store.matches()[-1]

    @contextmanager
    def serving(self) -> Iterator[Client]:
        """Zoë's ledger, served for as long as it lasts."""
        with serving(self.at("zoe")) as self.server:
            yield self.server


def accepted(hall: Hall) -> None:
    hall.did("alba", "accept")
    hall.did("bruno", "accept")


@contextmanager
def alone(hall: Hall, who: str, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A command of ``who`` as a process of its own, meanwhile; no variable names a server."""
    known = {name: text for name, text in os.environ.items() if name != "TABELLION_SERVER"}
    with subprocess.Popen(
        [PROGRAM, *arguments],
        env={**known, "XDG_DATA_HOME": str(hall.desk.folder / who)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        try:
            yield running
        finally:
            running.kill()


@contextmanager
def served_with_key(hall: Hall) -> Iterator[None]:
    """A server of Zoë's ledger that signs for her, and says so beside the ledger."""
    folder = hall.at("zoe").parent / "keys"
    zoe = keys.Keyring(folder).unlock("zoe", bytes)
    with serving(hall.at("zoe"), arbiter=Arbiter(zoe, folder)) as hall.server:
        there = Server(os.getpid(), hall.server.url, None, zoe.public.fingerprint)
        with tables.serving(tables.beside(hall.at("zoe")), there):
            yield
