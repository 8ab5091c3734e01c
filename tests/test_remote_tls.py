"""Off this machine: a phone's browser and a laptop at one server, over its own TLS.

The address is one of this machine in its network, as phones see it, not loopback, which browsers
trust anyway.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from laptops import Hall
from playwright.sync_api import Browser, Page, expect
from server import Program, program, wait_for
from terminal import Desk

from ledger.fold import MatchState
from ledger.service import Service
from ledger.web import certificate

pytest_plugins = ["browser"]

MAKES_KEYS = """async () => {
    const {subtle} = crypto;
    const signs = await subtle.generateKey({name: "Ed25519"}, false, ["sign", "verify"]);
    const opens = await subtle.generateKey({name: "HMAC", hash: "SHA-256"}, false, ["sign"]);
    return [isSecureContext, signs.privateKey.extractable, opens.extractable];
}"""


class Away:
    """A laptop and a phone in the network of Zoë's server."""

    def __init__(self, hall: Hall, server: Program) -> None:
        self.hall = hall
        self.server = server
        (line,) = (each for each in server.greeting if each.startswith("certificate "))
        self.fingerprint = line.split()[-1]
        self.url = server.greeting[0].split()[-1].rstrip("/")
        self.pinned = f"{self.url}#SHA256={self.fingerprint}"

    def state(self) -> MatchState:
        with Service.open(self.hall.at("zoe"), lambda: "", write=False) as service:
            (match,) = service.store.matches()
            return service.state(match)


@pytest.fixture
def away(tmp_path: Path, monkeypatch: Any, capsys: Any) -> Iterator[Away]:
    address = next(iter(certificate.reachable()), None)
    if address is None:
        pytest.skip("this machine is in no network")
    hall = Hall(Desk(tmp_path, monkeypatch, capsys))
    for who in ("zoe", "alba"):
        hall.did(who, "key", "new", who, "--no-passphrase")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "zoe"))
    with program(hall.at("zoe"), "--host", address, "--key", "zoe") as server:
        yield Away(hall, server)


@pytest.fixture
def phone(chromium: Browser) -> Iterator[Page]:
    """Bruno's, whose owner has compared the certificate and gone on."""
    with chromium.new_context(ignore_https_errors=True, has_touch=True) as context:
        page = context.new_page()
        page.set_default_timeout(10_000)
        yield page


def test_a_phone_and_a_laptop_play_over_tls(away: Away, phone: Page) -> None:
    hall = away.hall
    seats = ("--seat", "swedes=Alba", "--seat", "muscovites=Bruno", "--table", "4")
    join = ("--join", "swedes", "--join", "muscovites", "--no-wait")
    ran = hall("zoe", "open", "tablut", "--key", "zoe", *seats, *join)
    assert f"{away.url}/play#" in ran.out, ran.err
    assert away.fingerprint in ran.out
    alba, bruno = dict.fromkeys(re.findall(r"#([0-9A-Z-]{12})$", ran.out, re.MULTILINE))

    unknown = hall("alba", "join", alba, "--no-wait", "--server", away.url)
    assert (unknown.status, unknown.code) == (4, "unknown-certificate")
    assert unknown.err.endswith(f"hint: if it is the same: --server '{away.pinned}'\n")
    wrong = away.pinned[:-2] + ("00" if away.pinned[-2:] != "00" else "11")
    ran = hall("alba", "join", alba, "--no-wait", "--server", wrong)
    assert (ran.status, ran.code) == (1, "other-certificate")
    assert away.fingerprint in ran.err
    assert "POST /api/join" not in away.server.log.read_text(), "nothing was sent"
    hall.did("alba", "join", alba, "--no-wait", "--server", away.pinned)

    phone.goto(f"{away.url}/play#{bruno}")
    assert phone.evaluate(MAKES_KEYS) == [True, False, False]
    phone.get_by_role("button", name="Accept this match").click()
    wait_for(lambda: away.state().seq == 1)

    typed = hall.desk.plain(f"--server '{away.pinned}'\n")
    said = hall.did("alba", "join", alba, "--server", away.pinned)
    assert said.endswith(f"next: tabellion accept MATCH {typed}")
    said = hall.did("alba", "accept", "--server", away.pinned)
    assert "event 2  HASH  Alba accepts" in said
    moved = hall.did("alba", "move", "e3-f3", "--server", away.pinned)
    assert moved.endswith(f"tabellion show --watch {typed}")
    expect(phone.get_by_role("gridcell", name=re.compile("^f3, Swede"))).to_be_visible()
