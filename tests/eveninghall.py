"""An evening in the hall: the program as a process, the arbiter at the desk, people who look on, a
laptop, and the record that is taken home. Nobody's key is here but the arbiter's."""

from __future__ import annotations

import json
import os
import re
import subprocess
from base64 import b64decode
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Browser, Locator
from pocketphone import PATIENCE, drawn, expect
from server import PROGRAM, Program


class Hall:
    """Zoë's machine: her ledger and her key, in a folder of their own, and the program."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        clean = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("TABELLION_", "XDG_", "SSH_"))
        }
        self.environment = clean | {"XDG_DATA_HOME": str(folder), "HOME": str(folder)}
        self.types("key", "new", "zoe", "--no-passphrase")
        self.types("init")
        self.server = self._serve(0)

    @property
    def ledger(self) -> Path:
        return self.folder / "tabellion" / "ledger.db"

    @property
    def url(self) -> str:
        return self.server.url

    def types(self, *words: str, at: Path | None = None, status: int = 0) -> str:
        """A command as somebody types it, on this machine or ``at`` a folder of their own."""
        home = {"XDG_DATA_HOME": str(at), "HOME": str(at)} if at else {}
        run = subprocess.run(
            [PROGRAM, *words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            env=self.environment | home,
            check=False,
            timeout=60,
        )
        assert run.returncode == status, run.stderr
        return run.stdout + run.stderr

    def opens(self, ruleset: str, *more: str, **names: str) -> dict[str, str]:
        """A table is set out for phones: the link of each seat, as its code is scanned."""
        seats = [word for seat, name in names.items() for word in ("--seat", f"{seat}={name}")]
        joins = [word for seat in names for word in ("--join", seat)]
        given = ("--key", "zoe", "--arbiter", "Zoë", "--no-wait")
        told = self.types("open", ruleset, *seats, *joins, *given, *more)
        links = re.findall(r"(http://\S+/play#\S+)", told)
        return dict(zip(names, links, strict=True))

    def _serve(self, port: int) -> Program:
        return Program(self.ledger, "--key", "zoe", port=port, **self.environment)

    @property
    def log(self) -> str:
        """What the program has said of every request, and what it has greeted with."""
        return "\n".join((self.server.log.read_text(), *self.server.greeting))

    @property
    def link(self) -> str:
        """The way to the desk, good once."""
        (line,) = (line for line in self.server.greeting if line.startswith("arbiter "))
        return line.split()[1]

    def loses_power(self) -> None:
        self.server.kill()

    def starts_again(self) -> None:
        self.server = self._serve(self.server.port)

    def seq(self, match: str) -> int:
        """The number of the last event that the server has stored."""
        return int(self.server.get(f"/api/matches/{match}").json["seq"])

    def close(self) -> None:
        if self.server.process.poll() is None:
            self.loses_power()


class Chair:
    """Zoë at the desk, on the machine that serves."""

    def __init__(self, chromium: Browser, hall: Hall) -> None:
        self.hall = hall
        self.context = chromium.new_context(viewport={"width": 1280, "height": 900})
        self.context.set_default_timeout(PATIENCE)
        self.complaints: list[str] = []
        self.page = self.context.new_page()
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.comes_in()

    def comes_in(self) -> None:
        """By the link that the program has printed, perhaps where the page is open already."""
        self.page.goto(self.hall.link)
        expect(self.page.locator("#who")).to_contain_text("Signs with the arbiter's key")
        expect(self.page.locator("#way")).to_be_hidden()

    def named(self, key: str) -> Locator:
        return self.page.locator(f'[data-key="{key}"]')

    def closes(self, match: str) -> None:
        """The result as the rules give it, signed with her key."""
        self.page.goto(self.page.url.partition("#")[0] + f"#{match}")
        self.named("close").click()
        self.named("sign").click()
        expect(self.page.locator(".outcome")).to_contain_text("is signed and stored")

    def downloads(self, match: str) -> Path:
        """The record, from the page that everybody can see."""
        with self.context.new_page() as page:
            page.goto(f"{self.hall.url}/match/{match}")
            with page.expect_download() as download:
                page.get_by_role("link", name="The record, with its boards").click()
            return download.value.path()


class Onlooker:
    """Somebody who has the page of a match open all the time."""

    def __init__(self, chromium: Browser, hall: Hall, match: str) -> None:
        self.context = chromium.new_context()
        self.context.set_default_timeout(PATIENCE)
        self.complaints: list[str] = []
        self.page = self.context.new_page()
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.goto(f"{hall.url}/match/{match}")
        expect(self.page.locator(".seen svg")).to_be_visible()

    def sees(self, words: str) -> None:
        expect(self.page.locator("#room")).to_contain_text(words)

    def board(self) -> str:
        return drawn(self.page.locator(".seen svg").first)

    def __enter__(self) -> Onlooker:
        return self

    def __exit__(self, *_: object) -> None:
        self.context.close()
        assert not self.complaints


class Signed(NamedTuple):
    """An event as it stands in a record."""

    text: bytes
    event: dict[str, Any]
    keyid: str


class Score:
    """A record that somebody has downloaded, and what the auditor says of it."""

    def __init__(self, hall: Hall, path: Path) -> None:
        self.audit = hall.types("audit", str(path))
        self.events = [
            Signed(
                json.dumps(each, separators=(",", ":"), sort_keys=True).encode(),
                json.loads(b64decode(each["payload"])),
                each["signatures"][0]["keyid"],
            )
            for each in json.loads(path.read_bytes())["events"]
        ]

    @property
    def texts(self) -> list[bytes]:
        return [each.text for each in self.events]

    @property
    def types(self) -> list[str]:
        return [each.event["type"] for each in self.events]

    @property
    def seats(self) -> dict[str, str]:
        """The seat of each player, by name."""
        said = self.events[0].event["data"]["seats"]
        return {held["name"]: seat for seat, held in said.items()}

    @property
    def moves(self) -> list[str]:
        return [each.event["data"]["move"] for each in self.events if each.event["type"] == "move"]

    def envelope(self, kind: str) -> bytes:
        """The first event of a kind, as it was sent."""
        return self.texts[self.types.index(kind)]


class Laptop:
    """A player with a terminal on a machine of their own: ``laptop("move", "e2-h2")``."""

    def __init__(self, hall: Hall, folder: Path, name: str) -> None:
        self.hall, self.folder = hall, folder
        hall.types("key", "new", name, "--no-passphrase", at=folder)

    def __call__(self, *words: str, status: int = 0) -> str:
        given = (*words, "--server", self.hall.url)
        return self.hall.types(*given, at=self.folder, status=status)
