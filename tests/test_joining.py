"""Phones that join a table: at a real server, and by the commands as they are typed."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from deskhand import in_groups
from server import PROGRAM, Client, Said, program, serving, signed, wait_for
from table import ALBA, BRUNO, STRANGER, clock, new_service, opening
from terminal import Desk

from ledger import joincodes, tables
from ledger.cup import Cup
from ledger.events import Commitment, CommitReveal, Nothing, Opening, Replacement, decode
from ledger.fold import Entry, MatchState, advance
from ledger.keys import Keyring, SigningKey
from ledger.publickey import PublicKey
from ledger.service import Draft, Service, planned, row_of
from ledger.tables import Server, Tables, beside
from ledger.views import WrittenView
from ledger.views.joining import JoinView, TablesView
from ledger.web.arbiter import Arbiter
from ledger.web.limits import Limits

ALL_THREE = CommitReveal(contributors=("white", "black", "arbiter"))
KEYS = {"white": ALBA, "black": BRUNO}


class Phone:
    """A phone as the server sees it: a key, and what it says of it."""

    def __init__(self, client: Client | None, key: SigningKey) -> None:
        self.client = client
        self.key = key

    def words(self, code: str, /, **changes: Any) -> bytes:
        line = self.key.public.line
        sig = self.key.sign(joincodes.message(code, line)).hex()
        return json.dumps({"code": code, "key": line, "sig": sig} | changes).encode()

    def join(self, code: str, /, **changes: Any) -> Said:
        return self.send(self.words(code, **changes))

    def send(self, body: bytes) -> Said:
        assert self.client is not None
        return self.client.ask("POST", "/api/join", body, content_type="application/json")


class Hall:
    """A ledger with tables set out, and Zoë's key on this machine."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        desk.make_keys("zoe")
        desk.did("init")
        self.zoe = Keyring(desk.keys).unlock("zoe")
        self.path = beside(desk.ledger)

    @contextmanager
    def served(self, *, signs: bool = False, log: bool = False) -> Iterator[Client]:
        """A server of this ledger, with the arbiter's key or without."""
        arbiter = Arbiter(self.zoe, self.desk.keys) if signs else None
        with (
            serving(self.desk.ledger, arbiter=arbiter, log=log) as client,
            self.told(client.url, signs=signs),
        ):
            yield client

    @contextmanager
    def told(
        self, url: str = "http://127.0.0.1:1", fingerprint: str | None = None, *, signs: bool = True
    ) -> Iterator[None]:
        """What a server says of itself beside the ledger."""
        keyid = self.zoe.public.fingerprint if signs else None
        with tables.serving(self.path, Server(os.getpid(), url, fingerprint, keyid)):
            yield

    def opening(self, dice: CommitReveal | None = None) -> Opening:
        given = opening("tabula", keyed=(), dice=dice or CommitReveal(contributors=tuple(KEYS)))
        zoe = msgspec.structs.replace(given.arbiter, key=self.zoe.public.line)
        return msgspec.structs.replace(given, arbiter=zoe, table="4", nonce=os.urandom(16).hex())

    def set_out(self, given: Opening | None = None) -> dict[str, str]:
        """The codes of a table for Alba and Bruno."""
        with Tables.open(self.path, create=True) as found:
            keyid, names = self.zoe.public.fingerprint, {"white": "Alba", "black": "Bruno"}
            _, codes = found.set_out(given or self.opening(), keyid, names, clock(), os.urandom)
        return codes

    def state(self, match: str | None = None) -> MatchState:
        with self.service() as service:
            if match is None:
                (match,) = service.store.matches()
            return service.state(match)

    def matches(self) -> list[str]:
        with self.service() as service:
            return service.store.matches()

    def service(self) -> Service:
        return new_service(self.desk.ledger)


@pytest.fixture
def hall(tmp_path: Path, monkeypatch: Any, capsys: Any) -> Hall:
    return Hall(Desk(tmp_path, monkeypatch, capsys))


def all_join(client: Client, codes: dict[str, str]) -> str:
    """Both phones come; the match that is opened."""
    said = [Phone(client, KEYS[seat]).join(code) for seat, code in codes.items()]
    assert [each.status for each in said] == [200, 200]
    match: str = said[-1].json["match"]
    return match


def do(hall: Hall, client: Client, match: str, *drafts: Draft) -> None:
    """Acts of the players, each signed by their phone and posted."""
    for draft in drafts:
        said = client.post(signed(hall.state(match), draft, KEYS[draft.by]))
        assert said.status == 201, said.body


def accepts(seat: str) -> Draft:
    return Draft("seat.accepted", Nothing(), seat)


def cup(hall: Hall, match: str) -> Cup:
    return Cup(hall.state(match), KEYS, hall.desk.keys)


# -- at the server -------------------------------------------------------------------------


def test_the_match_is_opened_when_the_last_phone_has_come(hall: Hall) -> None:
    codes = hall.set_out()
    with hall.served(signs=True) as client:
        alba, bruno = Phone(client, ALBA), Phone(client, BRUNO)
        first = alba.join(codes["white"])
        assert first.json == {
            "table": "4",
            "ruleset": "tabula",
            "seat": "white",
            "name": "Alba",
            "arbiter": "Zoë",
            "keyid": hall.zoe.public.fingerprint,
            "waiting": ["Bruno"],
            "match": None,
        }
        assert alba.join(codes["white"].lower()).json == first.json, "it waits"
        last = bruno.join(joincodes.grouped(codes["black"]))
        view = msgspec.json.decode(last.body, type=JoinView, strict=True)
        assert (view.seat, view.waiting) == ("black", ())
        assert alba.join(codes["white"]).json["match"] == view.match
        state = hall.state(view.match)
        assert [state.roster[seat].key for seat in KEYS] == [ALBA.public, BRUNO.public]
        assert state.roster["arbiter"].key == hall.zoe.public
        do(hall, client, state.match, accepts("white"), accepts("black"))
    assert "verdict: SOUND, 3 events" in hall.desk.did("audit")


def test_without_the_arbiters_key_the_server_only_takes_phones(hall: Hall) -> None:
    codes = hall.set_out()
    with hall.served() as client:
        for seat, code in codes.items():
            view = Phone(client, KEYS[seat]).join(code).json
        assert (view["waiting"], view["match"]) == ([], None)
    with hall.service() as service:
        assert service.store.matches() == []
    with hall.served(signs=True):
        wait_for(lambda: len(hall.matches()) == 1)
        assert hall.state().seq == 0


def test_a_code_is_for_one_phone(hall: Hall) -> None:
    codes = hall.set_out()
    with hall.served(signs=True) as client:
        Phone(client, ALBA).join(codes["white"])
        said = Phone(client, STRANGER).join(codes["white"])
        assert (said.status, said.code) == (409, "code-used")
        said = Phone(client, ALBA).join(codes["black"])
        assert (said.status, said.code) == (422, "key-twice")
        said = Phone(client, hall.zoe).join(codes["black"])
        assert (said.status, said.code) == (422, "key-twice")
        assert Phone(client, BRUNO).join(codes["black"]).json["match"]


def test_a_phone_that_took_an_o_for_a_zero(hall: Hall) -> None:
    codes = hall.set_out()
    typed = codes["white"].translate(str.maketrans("01", "OI"))
    with hall.served(signs=True) as client:
        assert Phone(client, ALBA).join(typed).json["seat"] == "white"


WRONG = {
    "no JSON": lambda phone, code: b"{",
    "nothing": lambda phone, code: b"",
    "a list": lambda phone, code: b"[]",
    "deep": lambda phone, code: b"[" * 2000,
    "no signature": lambda phone, code: json.dumps({"code": code, "key": "k"}).encode(),
    "something more": lambda phone, code: phone.words(code, name="Alba"),
    "half a signature": lambda phone, code: phone.words(code, sig="ab" * 32),
    "a number": lambda phone, code: phone.words(code, sig=7),
    "half a code": lambda phone, code: phone.words(code)[:-4] + b'", "code": "AB"}',
    "a comment": lambda phone, code: phone.words(code, key=f"{phone.key.public.line} alba"),
    "another kind": lambda phone, code: phone.words(code, key="ssh-rsa AAAA"),
    "a private key": lambda phone, code: phone.words(code, key="-----BEGIN OPENSSH PRIVATE KEY"),
}
REFUSED = {
    "bad-signature": [
        lambda phone, code: phone.words(code, key=BRUNO.public.line),
        lambda phone, code: phone.words(code, sig="00" * 64),
        lambda phone, code: phone.words("AAAAAAAAAA", code=code),
    ],
    "weak-key": [lambda phone, code: phone.words(code, key=PublicKey(b"\1" + bytes(31)).line)],
}


def test_what_is_wrong_is_refused_and_leaves_the_table_as_it_was(hall: Hall) -> None:
    codes = hall.set_out()
    with hall.served(signs=True) as client, Tables.open(hall.path) as found:
        phone, code = Phone(client, ALBA), codes["white"]
        before, _ = found.by_code(code, clock())
        for case, made in WRONG.items():
            said = phone.send(made(phone, code))
            assert said.status == 400, (case, said.body)
            assert code not in said.body.decode(), case
        for refusal, cases in REFUSED.items():
            for made in cases:
                said = phone.send(made(phone, code))
                assert (said.status, said.code) == (422, refusal)
        assert phone.send(b" " * 5000).status == 413
        assert client.ask("POST", "/api/join", b"{}", content_type="text/plain").status == 415
        assert client.get("/api/join").status == 405
        assert phone.join("ZZZZZZZZZZ").code == "no-such-code"
        assert found.by_code(code, clock())[0] == before
        assert phone.join(code).status == 200


def test_no_table_at_all(hall: Hall) -> None:
    with serving(hall.desk.ledger) as client:
        said = Phone(client, ALBA).join("ABCDEFGHJK")
        assert (said.status, said.code) == (404, "no-such-code")
    assert not hall.path.exists()


def test_no_code_comes_into_the_log(hall: Hall, tmp_path: Path) -> None:
    codes = hall.set_out()
    hall.desk.capture.readouterr()
    kept, log = os.dup(2), tmp_path / "log"
    with log.open("w") as file:
        os.dup2(file.fileno(), 2)
    try:
        with hall.served(signs=True, log=True) as client:
            all_join(client, codes)
            Phone(client, STRANGER).join(codes["white"])
    finally:
        os.dup2(kept, 2)
        os.close(kept)
    out, err = hall.desk.capture.readouterr().out, log.read_text()
    assert err.count("POST /api/join 200 ") == 2
    assert err.count("POST /api/join 409 ") == 1
    for code in codes.values():
        assert code not in out + err
        assert joincodes.grouped(code) not in out + err


def test_however_many_guess_wrongly_a_right_code_is_heard(hall: Hall) -> None:
    """Not even whoever guessed from the same address is shut out."""
    codes = hall.set_out()
    with serving(hall.desk.ledger, limits=Limits(posts_here=1, burst=60)) as client:
        said = [Phone(client, STRANGER).join("ZZZZZZZZZZ").status for _ in range(59)]
        assert said == [404] * 59
        assert Phone(client, ALBA).join(codes["white"]).status == 200


def test_an_address_that_tries_codes_too_fast_waits_and_its_moves_do_not(hall: Hall) -> None:
    with serving(hall.desk.ledger, limits=Limits(posts_here=0.01, burst=100)) as client:
        said = [Phone(client, STRANGER).join("ZZZZZZZZZZ").status for _ in range(2)]
        assert said == [404, 429]
        assert client.post(b"{}").code == "not-an-envelope"


# -- the arbiter's own dice ----------------------------------------------------------------


def begun(hall: Hall, client: Client) -> str:
    """A match in which all three make the dice, up to the first throw."""
    match = all_join(client, hall.set_out(hall.opening(ALL_THREE)))
    assert set(hall.state(match).rolling.commitments) == {"arbiter"}, "signed with the opening"
    do(hall, client, match, accepts("white"), accepts("black"))
    do(hall, client, match, cup(hall, match).commit("white"))
    do(hall, client, match, cup(hall, match).commit("black"))
    return match


def thrown(hall: Hall, client: Client, match: str) -> None:
    do(hall, client, match, cup(hall, match).throw("white", "white"))
    do(hall, client, match, cup(hall, match).open("black"))


def test_the_arbiter_opens_by_itself_when_it_is_its_turn(hall: Hall) -> None:
    with hall.served(signs=True) as client:
        match = begun(hall, client)
        do(hall, client, match, cup(hall, match).throw("white", "white"))
        assert hall.state(match).rolling.flight is not None, "the other seat opens before"
        do(hall, client, match, cup(hall, match).open("black"))
        wait_for(lambda: hall.state(match).rolling.flight is None)
        assert [entry.event.by for entry in hall.state(match).entries][-3:] == [
            *("white", "black", "arbiter"),
        ]
    assert "verdict: SOUND" in hall.desk.did("audit")


def test_a_restart_in_the_middle_of_a_roll(hall: Hall) -> None:
    with hall.served(signs=True) as client:
        match = begun(hall, client)
    with hall.served() as client:
        thrown(hall, client, match)
    assert hall.state(match).rolling.flight is not None
    with hall.served(signs=True):
        wait_for(lambda: hall.state(match).rolling.flight is None)
    assert len(hall.state(match).rolling.rolls) == 1


def test_dice_go_on_when_a_player_writes_by_the_command_line(hall: Hall) -> None:
    """What another program writes into the ledger file is noticed as well."""
    with hall.served(signs=True) as client:
        match = begun(hall, client)
        do(hall, client, match, cup(hall, match).throw("white", "white"))
        with hall.service() as service:
            plan = planned(cup(hall, match).open("black"))
            service.append(match, [plan], {"black": BRUNO})
        wait_for(lambda: hall.state(match).rolling.flight is None)


def test_after_a_new_key_the_arbiter_commits_anew(hall: Hall) -> None:
    with hall.served(signs=True) as client:
        match = begun(hall, client)
        given = Replacement(role="white", name="Alba", reason="lost", key=STRANGER.public.line)
        with hall.service() as service:
            draft = Draft("key.replaced", given, "arbiter")
            service.append(match, [planned(draft)], {"arbiter": hall.zoe})
        wait_for(lambda: hall.state(match).entries[-1].event.by == "arbiter")
        wait_for(lambda: hall.state(match).seq == 7)
    last = hall.state(match).entries[-1].event.data
    assert isinstance(last, Commitment)
    assert last.roll == 2


def test_a_number_that_a_copy_shows_is_not_opened_again(hall: Hall) -> None:
    arbiter = Arbiter(hall.zoe, hall.desk.keys)
    with hall.served(signs=True) as client:
        match = begun(hall, client)
    with hall.served() as client:
        thrown(hall, client, match)
    with hall.service() as service:
        state = service.state(match)
        draft = Cup(state, {"arbiter": hall.zoe}, hall.desk.keys).open("arbiter")
        shown = signed(state, draft, hall.zoe)
        entry = Entry(decode(shown.payload), shown.hash, shown.keyid)
        with service.store.writing():
            service.store.keep_aside(row_of(advance(state, entry), shown, entry), clock())
        arbiter.attend(service, service.state(match))
        assert service.state(match).rolling.flight is not None


def test_the_arbiters_key_does_nothing_in_the_matches_of_others(hall: Hall) -> None:
    with hall.served(signs=True) as client:
        match = begun(hall, client)
    before = hall.state(match).head
    said: list[str] = []
    with hall.service() as service:
        Arbiter(STRANGER, hall.desk.keys, said.append).attend(service, service.state(match))
    assert (hall.state(match).head, said) == (before, [])


# -- as it is typed ------------------------------------------------------------------------

OPEN = (
    *("open", "tabula", "--key", "zoe", "--arbiter", "Zoë", "--table", "4"),
    *("--seat", "white=Alba", "--seat", "black=Bruno", "--join", "white", "--join", "black"),
)
CODE = re.compile(r"  code ([0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{2})")


class Waiting:
    """A command that waits for phones, in a process of its own."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [PROGRAM, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def codes(self, count: int, *, on_errors: bool = False) -> list[str]:
        """The codes that it tells, once it waits."""
        found: list[str] = []
        stream = self.process.stderr if on_errors else self.process.stdout
        assert stream is not None
        while len(found) < count:
            line = stream.readline()
            assert line, self.process.communicate()[1]
            found += CODE.findall(line)
        return found

    def end(self) -> tuple[int, str, str]:
        out, err = self.process.communicate(timeout=20)
        return self.process.returncode, out, err


@contextmanager
def waiting(*arguments: str) -> Iterator[Waiting]:
    found = Waiting(*arguments)
    try:
        yield found
    finally:
        if found.process.poll() is None:
            found.process.kill()
            found.process.communicate()


@pytest.mark.parametrize("signs", [False, True])
def test_open_waits_for_the_phones_and_opens(hall: Hall, signs: bool) -> None:
    """Whether the server has the arbiter's key too or not: there is one match."""
    with hall.served(signs=signs) as client, waiting(*OPEN) as command:
        white, black = command.codes(2)
        assert Phone(client, ALBA).join(white).json["waiting"] == ["Bruno"]
        Phone(client, BRUNO).join(black)
        status, out, err = command.end()
        assert status == 0, err
        match = hall.state().match
        assert Phone(client, ALBA).join(white).json["match"] == match
    assert f"Alba joined with {ALBA.public.fingerprint}\n" in err
    assert f"Bruno joined with {BRUNO.public.fingerprint}\n" in err
    assert f"match {match}\n" in out
    assert f"white: Alba, signs with {ALBA.public.fingerprint}\n" in out
    assert "next: Alba or Bruno has to act; follow it with: tabellion show --watch t4\n" in err
    assert hall.state().contributors == ("white", "black"), "as if they had brought their keys"


def test_ctrl_c_withdraws_the_table(hall: Hall) -> None:
    with hall.served() as client, waiting(*OPEN) as command:
        white, _ = command.codes(2)
        Phone(client, ALBA).join(white)
        assert command.process.stderr is not None
        while "joined" not in command.process.stderr.readline():
            pass
        command.process.send_signal(signal.SIGINT)
        status, out, err = command.end()
        assert (status, "match " in out) == (130, False)
        assert "The table is withdrawn" in err
        said = Phone(client, ALBA).join(white)
        assert (said.status, said.code) == (422, "table-withdrawn")
    with hall.service() as service:
        assert service.store.matches() == []


def test_tables_set_out_are_listed_and_one_is_withdrawn_while_open_waits(hall: Hall) -> None:
    assert "No table is set out" in hall.desk.did("tables")
    with hall.served() as client, waiting(*OPEN) as command:
        white, _ = command.codes(2)
        Phone(client, ALBA).join(white)
        ran = hall.desk("tables")
        assert re.search(r"^[0-9a-f]{8}  table 4, tabula, until [0-9 :-]+ UTC$", ran.out, re.M)
        assert f"  white: Alba, has come with {in_groups(ALBA.public.fingerprint)}\n" in ran.out
        assert "  black: Bruno, awaited\n" in ran.out
        assert hall.desk("tables", "--withdraw", "t5").code == "no-table"
        assert "The table is withdrawn" in hall.desk.did("tables", "--withdraw", "t4")
        status, _, err = command.end()
        assert (status, "error[table-withdrawn]" in err) == (4, True)
        assert Phone(client, ALBA).join(white).code == "table-withdrawn"
        told = msgspec.json.decode(hall.desk("tables", "--json").out, type=TablesView, strict=True)
        assert told.tables == ()


def test_a_table_that_is_open_is_not_withdrawn(hall: Hall) -> None:
    with hall.served(signs=True) as client:
        codes = CODE.findall(hall.desk(*OPEN, "--no-wait").out)
        all_join_typed(client, codes)
    assert hall.desk("tables", "--withdraw", "t4").code == "no-table"
    assert hall.state().opening.table == "4"


def test_json_is_one_document_and_the_codes_are_beside(hall: Hall) -> None:
    with hall.served() as client, waiting(*OPEN, "--json") as command:
        codes = command.codes(2, on_errors=True)
        all_join_typed(client, codes)
        status, out, _ = command.end()
    view = msgspec.json.decode(out, type=WrittenView, strict=True)
    assert (status, view.match) == (0, hall.state().match)
    assert not CODE.search(out)


def all_join_typed(client: Client, codes: Sequence[str]) -> None:
    for key, code in zip(KEYS.values(), codes, strict=True):
        assert Phone(client, key).join(code).status == 200


def test_no_wait_leaves_it_to_the_server_and_prints_a_sheet(hall: Hall) -> None:
    with hall.served(signs=True) as client:
        ran = hall.desk(*OPEN, "--no-wait", "--sheet", "join.html", "--event", "<b>Spring</b>")
        assert ran.status == 0, ran.err
        codes = CODE.findall(ran.out)
        sheet = hall.desk.folder / "join.html"
        page = sheet.read_text()
        assert sheet.stat().st_mode & 0o777 == 0o600
        for name, code in zip(("Alba", "Bruno"), codes, strict=True):
            assert f"{client.url}/play#{code}\n" in ran.out
            assert f'<p class="letters">{code}</p>' in page
            assert f"<bdi>{name}</bdi>" in page
        assert page.count("<svg ") == 2
        assert "&lt;b&gt;Spring&lt;/b&gt;" in page
        assert "<script" not in page
        assert "▀" in ran.out
        assert "note: the server listens to this machine alone" in ran.err
        all_join_typed(client, codes)
        assert hall.state().opening.event == "<b>Spring</b>"
        again = hall.desk(*OPEN, "--no-wait", "--sheet", "join.html")
        assert (again.code, CODE.findall(again.out)) == ("file-exists", [])


def test_the_sheet_shows_the_servers_fingerprint(hall: Hall) -> None:
    print_ = "AB:CD:EF"
    with hall.told("https://192.168.1.5:8765", print_):
        ran = hall.desk(*OPEN, "--no-wait", "--sheet", "join.html")
        assert "https://192.168.1.5:8765/play#" in ran.out
        assert f"  {print_}\n" in ran.out
        assert f'<p class="hash">{print_}</p>' in (hall.desk.folder / "join.html").read_text()
        assert "listens to this machine alone" not in ran.err
        ran = hall.desk(*OPEN, "--no-wait", "--url", "https://hall.example/")
        assert "https://hall.example/play#" in ran.out


def test_one_seat_with_a_phone_and_one_without_a_key(hall: Hall) -> None:
    some = OPEN[:-2]
    with hall.served(signs=True) as client:
        (code,) = CODE.findall(hall.desk(*some, "--no-wait", "--dice", "players+arbiter").out)
        Phone(client, ALBA).join(code)
    assert hall.state().contributors == ("white", "arbiter")
    assert hall.state().roster["black"].key is None


def test_without_a_server_there_is_nothing_to_join(hall: Hall) -> None:
    ran = hall.desk(*OPEN)
    assert (ran.status, ran.code) == (4, "no-server")
    assert "tabellion serve" in ran.err
    with Tables.open(hall.path, create=True) as found:
        found.note_server(Server(2**22 + 1, "http://localhost:1", None, None))
    assert hall.desk(*OPEN).code == "no-server", "a server that was killed does not count"


def test_no_wait_needs_a_server_with_the_arbiters_key(hall: Hall) -> None:
    with hall.told(signs=False):
        ran = hall.desk(*OPEN, "--no-wait")
    assert (ran.status, ran.code) == (4, "server-without-key")
    assert not CODE.search(ran.out)


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ((*OPEN, "--no-wait", "--json"), "usage"),
        ((*OPEN[:-4], "--no-wait"), "usage"),
        ((*OPEN[:-4], "--sheet", "x.html"), "usage"),
        ((*OPEN, "--url", "ftp://hall"), "bad-option"),
        ((*OPEN, "--url", "http://[hall"), "bad-option"),
        ((*OPEN, "--join", "red"), "wrong-seats"),
        ((*OPEN, "--seat-key", "white=zoe"), "wrong-seats"),
        ((*OPEN[:-2], "--dice", "players"), "keyless-contributor"),
        (("replace-key", "white", "--reason", "lost", "--join", "--no-key"), "usage"),
        (("replace-key", "white", "zoe", "--reason", "lost", "--no-wait"), "usage"),
    ],
)
def test_what_does_not_go_together(hall: Hall, typed: Sequence[str], code: str) -> None:
    with hall.told():
        ran = hall.desk(*typed)
    assert ran.code == code, ran.err
    assert not CODE.search(ran.out)


# -- another phone -------------------------------------------------------------------------

LOST = ("replace-key", "white", "--join", "--reason", "Her phone fell into the sea")


def test_a_lost_phone_is_replaced(hall: Hall) -> None:
    with hall.served() as client:
        with hall.service() as service:
            match = service.open_match(
                tables.with_keys(
                    hall.opening(),
                    tuple(tables.Place(seat, seat, key.public.line) for seat, key in KEYS.items()),
                ),
                hall.zoe,
            ).match
        do(hall, client, match, accepts("white"), accepts("black"))
        with waiting(*LOST) as command:
            (code,) = command.codes(1)
            assert Phone(client, BRUNO).join(code).code == "key-twice"
            assert Phone(client, ALBA).join(code).code == "key-twice", "the lost phone itself"
            view = Phone(client, STRANGER).join(code).json
            assert (view["seat"], view["table"], view["match"]) == ("white", "4", None)
            status, out, err = command.end()
        assert status == 0, err
        assert "goes on with another key: Her phone fell into the sea" in out
        assert Phone(client, STRANGER).join(code).json["match"] == match
        state = hall.state(match)
        assert (state.roster["white"].key, state.unaccepted) == (STRANGER.public, ("white",))
        accepted = signed(state, accepts("white"), STRANGER)
        assert client.post(accepted).status == 201
    assert "verdict: SOUND" in hall.desk.did("audit")


def test_a_player_on_this_laptop_goes_on_with_a_phone_and_consents(hall: Hall) -> None:
    hall.desk.make_keys("alba")
    hall.desk.did(
        *("open", "tabula", "--key", "zoe", "--seat", "white=Alba", "--seat-key", "white=alba"),
        *("--seat", "black=Bruno", "--dice", "table"),
    )
    hall.desk.did("accept")
    with hall.served(signs=True) as client:
        assert hall.desk(*LOST, "--no-wait").code == "usage", "the old key signs here"
        with waiting(*LOST) as command:
            (code,) = command.codes(1)
            Phone(client, STRANGER).join(code)
            assert command.end()[0] == 0
    replaced = hall.state().entries[-1].event.data
    assert isinstance(replaced, Replacement)
    assert replaced.consent is not None
    assert "verdict: SOUND" in hall.desk.did("audit")


def test_the_server_puts_a_new_phone_in_by_itself(hall: Hall) -> None:
    codes = hall.set_out()
    with hall.served(signs=True) as client:
        match = all_join(client, codes)
        ran = hall.desk(*LOST, "--no-wait", "--name", "Carla")
        (code,) = CODE.findall(ran.out)
        assert Phone(client, STRANGER).join(code).json["match"] == match
        assert hall.state(match).roster["white"].key == STRANGER.public
        assert hall.state(match).roster["white"].name == "Carla"


def test_a_replacement_that_nobody_can_make_is_refused_before_a_code(hall: Hall) -> None:
    codes = hall.set_out()
    with hall.served(signs=True) as client:
        all_join(client, codes)
        for role, code in (("red", "unknown-role"), ("arbiter", "wrong-role")):
            ran = hall.desk("replace-key", role, "--join", "--reason", "lost", "--no-wait")
            assert (ran.code, CODE.findall(ran.out)) == (code, [])


# -- the program as it is installed --------------------------------------------------------


def test_the_server_tells_the_desk_where_it_is(hall: Hall) -> None:
    with program(hall.desk.ledger, "--key", "zoe") as running:
        ran = hall.desk(*OPEN, "--no-wait")
        assert ran.status == 0, ran.err
        codes = CODE.findall(ran.out)
        assert f"{running.url}/play#{codes[0]}" in ran.out
        all_join_typed(running, codes)
        assert hall.state().seq == 0
        running.stop()
    assert hall.desk(*OPEN).code == "no-server"
