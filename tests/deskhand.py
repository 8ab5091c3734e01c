"""Somebody at the arbiter's desk: a real server with the arbiter's key, and the way in."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from server import Client, Said, serving
from table import ARBITER

from ledger.web.arbiter import Arbiter
from ledger.web.login import Login

DRAWN = count(1)
"""No two servers draw the same."""


class Desk:
    """The arbiter with a browser's manners. ``links``: what the server printed, the latest last."""

    def __init__(self, client: Client, links: list[str]) -> None:
        self.client = client
        self.links = links
        self.session = ""

    @property
    def token(self) -> str:
        return self.links[-1].partition("#token=")[2]

    @property
    def shown(self) -> dict[str, str]:
        """What the page sends of whoever came in."""
        return {"Authorization": f"Bearer {self.session}"} if self.session else {}

    def enter(self, token: str, **headers: str) -> Said:
        return self.post("enter", {"token": token}, **headers)

    def come_in(self) -> Said:
        answer = self.enter(self.token)
        self.session = answer.json["session"]
        return answer

    def get(self, path: str, **headers: str) -> Said:
        return self.client.get(path, **(self.shown | headers))

    def post(self, what: str, body: Any, **headers: str) -> Said:
        own = self.shown | {
            "Origin": self.client.url,
            "Content_Type": "application/json",
            "Tabellion_Desk": "1",
        }
        text = body if isinstance(body, bytes) else json.dumps(body).encode()
        given = {name: value for name, value in (own | headers).items() if value}
        return self.client.ask("POST", f"/desk/api/{what}", text, **given)

    def acts(self, match: str, *drafts: dict[str, Any], expect: str = "") -> dict[str, Any]:
        """What is to be signed, on the match as it stands now unless another head is expected."""
        head = expect or self.client.get(f"/api/matches/{match}").json["head"]
        return {"match": match, "expect": head, "drafts": list(drafts)}

    def sign(self, match: str, *drafts: dict[str, Any], expect: str = "") -> Said:
        return self.post("sign", self.acts(match, *drafts, expect=expect))

    def rehearse(self, match: str, *drafts: dict[str, Any], expect: str = "") -> Said:
        return self.post("rehearse", self.acts(match, *drafts, expect=expect))


def move(text: str, seat: str) -> dict[str, Any]:
    return {"type": "move", "data": {"move": text}, "for": seat}


def ruling(*effects: dict[str, Any]) -> dict[str, Any]:
    said = {"reason": "mistyped", "rule": "event rules 2", "effects": list(effects)}
    return {"type": "ruling", "data": said}


def in_groups(keyid: str) -> str:
    """A fingerprint as people compare it."""
    kind, _, letters = keyid.partition(":")
    return f"{kind}:{' '.join(letters[at : at + 4] for at in range(0, len(letters), 4))}"


@contextmanager
def desk_of(ledger: Path, **house: Any) -> Iterator[Desk]:
    """A desk before which nobody sits yet."""
    links: list[str] = []
    login = Login(lambda length: next(DRAWN).to_bytes(length, "big"), links.append)
    given = {"arbiter": Arbiter(ARBITER, ledger.parent), "login": login} | house
    with serving(ledger, **given) as client:
        login.offer(client.url)
        yield Desk(client, links)
