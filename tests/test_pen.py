"""An arbiter's key that asks before it signs: the hall goes on while somebody is waited for."""

from __future__ import annotations

import asyncio
import json
import os
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from typing import Any

import loops
import msgspec
import pytest
from server import Client, program, serving, signed, wait_for
from table import ALBA, ARBITER, BRUNO, KEYS, accept, clock, new_service, opening, play
from terminal import Desk
from test_agent import real_agent

from ledger import joincodes
from ledger.errors import NotAllowed, TabellionError
from ledger.events import CommitReveal, Nothing, Remark
from ledger.fold import MatchState
from ledger.keys import SigningKey
from ledger.publickey import PublicKey
from ledger.service import Draft, LineRefused, Service, planned
from ledger.tables import Tables, beside
from ledger.web.arbiter import Arbiter
from ledger.web.clerk import Clerk
from ledger.web.pen import Pen

ALL_THREE = CommitReveal(contributors=("white", "black", "arbiter"))
SEATS = {"white": ALBA, "black": BRUNO}


class Slow:
    """A key that signs when its owner has confirmed."""

    def __init__(self, key: SigningKey = ARBITER) -> None:
        self.key = key
        self.confirmed = threading.Event()
        self.asked: list[bytes] = []

    @property
    def public(self) -> PublicKey:
        return self.key.public

    def sign(self, message: bytes) -> bytes:
        self.asked.append(message)
        self.confirmed.wait(20)
        return self.key.sign(message)


@pytest.fixture
def match(tmp_path: Path) -> MatchState:
    """A match whose dice the arbiter makes too."""
    with new_service(tmp_path / "ledger.db") as service:
        return service.open_match(opening("tabula", keyed=tuple(SEATS), dice=ALL_THREE), ARBITER)


def types(ledger: Path) -> list[str]:
    with new_service(ledger) as service:
        (match,) = service.store.matches()
        return [row.type for row in service.store.rows(match)]


def test_players_go_on_while_the_arbiter_has_not_confirmed(
    tmp_path: Path, match: MatchState
) -> None:
    ledger, slow = tmp_path / "ledger.db", Slow()
    with serving(ledger, arbiter=Arbiter(Pen(slow), tmp_path)) as client:
        wait_for(lambda: slow.asked)
        for seat, key in SEATS.items():
            with new_service(ledger) as service:
                state = service.state(match.match)
            said = client.post(signed(state, Draft("seat.accepted", Nothing(), seat), key))
            assert said.status == 201, said.body
        assert client.get(f"/api/matches/{match.match}").json["seq"] == 2
        slow.confirmed.set()
        wait_for(lambda: types(ledger)[3:] == ["dice.committed"])
    assert len(slow.asked) == 2, "the chain had gone on: the first signature was for another place"
    assert types(ledger) == ["match.opened", *["seat.accepted"] * 2, "dice.committed"]


def test_who_does_not_confirm_holds_up_nothing_but_the_own_dice(
    tmp_path: Path, match: MatchState
) -> None:
    said: list[str] = []
    slow = Slow()
    arbiter = Arbiter(Pen(slow, patience=0.1), tmp_path, said.append)
    with serving(tmp_path / "ledger.db", arbiter=arbiter) as client:
        wait_for(lambda: said)
        assert client.get("/api/matches").status == 200
    assert said == [
        f"match {match.match[:12]}: the arbiter's dice: ssh-agent did not sign within 0.1 s: "
        "nobody confirmed it. Nothing was stored."
    ]
    slow.confirmed.set()


def joined(client: Client, code: str, key: SigningKey) -> Any:
    line = key.public.line
    body = {"code": code, "key": line, "sig": key.sign(joincodes.message(code, line)).hex()}
    said = client.ask(
        "POST", "/api/join", json.dumps(body).encode(), content_type="application/json"
    )
    assert said.status == 200, said.body
    return said.json["match"]


def test_a_table_is_opened_when_the_arbiter_has_confirmed(tmp_path: Path) -> None:
    """The last phone waits, and so does the first, which asks again; there is one match."""
    ledger, slow = tmp_path / "ledger.db", Slow()
    new_service(ledger).close()
    names = {"swedes": "Alba", "muscovites": "Bruno"}
    with Tables.open(beside(ledger), create=True) as tables:
        keyid = ARBITER.public.fingerprint
        _, codes = tables.set_out(opening(keyed=()), keyid, names, clock(), os.urandom)
    with serving(ledger, arbiter=Arbiter(Pen(slow), tmp_path)) as client:
        assert joined(client, codes["swedes"], ALBA) is None
        with ThreadPoolExecutor(2) as phones:
            last = phones.submit(joined, client, codes["muscovites"], BRUNO)
            wait_for(lambda: slow.asked)
            first = phones.submit(joined, client, codes["swedes"], ALBA)
            assert client.get("/api/matches").json["matches"] == []
            slow.confirmed.set()
            assert first.result(10) == last.result(10) is not None
    assert len(slow.asked) == 1
    assert types(ledger) == ["match.opened"]


# -- acts of the clerk -------------------------------------------------------------------------


@pytest.fixture
def clerk(tmp_path: Path) -> Iterator[Clerk]:
    """With a clock that goes on whenever it is looked at."""
    seconds = count()
    found = Clerk(tmp_path / "plain.db", lambda: f"2026-11-29T18:00:{next(seconds):02}Z")
    found.open()
    yield found
    found.close()


def begun(clerk: Clerk) -> MatchState:
    state = clerk.service.open_match(opening(), ARBITER)
    return clerk.service.append(state.match, [accept("swedes"), accept("muscovites")], KEYS)


def noted(clerk: Clerk, pen: Pen, state: MatchState, *texts: str) -> MatchState:
    plans = [planned(Draft("note", Remark(text=text), "arbiter")) for text in texts]
    return clerk.service.append(state.match, plans, {"arbiter": pen}, expect=state.head)


def test_several_acts_are_signed_one_after_the_other_and_stored_together(clerk: Clerk) -> None:
    slow = Slow()
    slow.confirmed.set()

    async def act() -> MatchState:
        state = await clerk.ask(begun, clerk)
        return await clerk.ask(noted, clerk, Pen(slow), state, "Tea.", "Cake.")

    state = loops.run(act())
    assert [entry.event.data.text for entry in state.entries[3:]] == ["Tea.", "Cake."]
    assert len(slow.asked) == 2


def test_who_confirms_too_late_comes_second(clerk: Clerk) -> None:
    slow = Slow()

    async def act() -> str:
        state = await clerk.ask(begun, clerk)
        noting = asyncio.ensure_future(clerk.ask(noted, clerk, Pen(slow), state, "Tea."))
        while not slow.asked:
            await asyncio.sleep(0.01)
        await clerk.ask(clerk.service.append, state.match, [play("e3-f3")], KEYS)
        slow.confirmed.set()
        with pytest.raises(TabellionError) as error:
            await noting
        return error.value.code

    assert loops.run(act()) == "stale"
    assert len(slow.asked) == 1


def test_who_refuses_is_told_of_as_ever(clerk: Clerk) -> None:
    class Refusing(Slow):
        def sign(self, message: bytes) -> bytes:
            raise NotAllowed("agent-refused", "The ssh-agent did not sign.")

    async def act() -> None:
        state = await clerk.ask(begun, clerk)
        with pytest.raises(LineRefused, match="did not sign") as error:
            await clerk.ask(noted, clerk, Pen(Refusing()), state, "Tea.")
        assert error.value.code == "agent-refused"

    loops.run(act())


# -- a real agent ------------------------------------------------------------------------------


def test_the_hall_goes_on_while_ssh_agent_asks(
    tmp_path: Path, monkeypatch: Any, capsys: Any
) -> None:
    desk = Desk(tmp_path, monkeypatch, capsys)
    desk.make_keys("zoe")
    zoe = desk.keys / "zoe"
    public = PublicKey.parse((desk.keys / "zoe.pub").read_text().splitlines()[-1])
    given = opening("tabula", keyed=tuple(SEATS), dice=ALL_THREE)
    arbiter = msgspec.structs.replace(given.arbiter, key=public.line)
    with Service.open(desk.ledger, clock, create=True) as service:
        given = msgspec.structs.replace(given, arbiter=arbiter)
        match = service.open_match(given, desk_key(zoe)).match
    asks = tmp_path / "asks"
    asks.write_text(
        f"#!/bin/sh\ntouch {tmp_path}/asked\nuntil [ -e {tmp_path}/yes ]; do sleep 0.02; done\n"
    )
    asks.chmod(0o700)
    with real_agent(tmp_path, str(asks)) as agent:
        agent.add("-c", zoe)
        zoe.unlink()
        with program(desk.ledger, "--key", "zoe", SSH_AUTH_SOCK=str(agent.path)) as server:
            wait_for((tmp_path / "asked").exists)
            assert server.get(f"/api/matches/{match}").json["seq"] == 0
            (tmp_path / "yes").touch()
            wait_for(lambda: server.get(f"/api/matches/{match}").json["seq"] == 1)


def desk_key(path: Path) -> SigningKey:
    from ledger.keys import Keyring

    return Keyring(path.parent).unlock(path.name, bytes)
