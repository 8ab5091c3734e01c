"""The phone's own part of the service: its keys, and what it signs."""

from __future__ import annotations

import json
import os
import re
from base64 import b64decode
from pathlib import Path

import handset
import pytest
from handset import Phone, Table
from playwright.sync_api import Request, Route
from server import wait_for
from table import ARBITER, STRANGER, note

from ledger import joincodes, record, rulings
from ledger import page as verifying
from ledger.audit import Trust, audit
from ledger.page import assembling
from ledger.publickey import PublicKey
from ledger.service import Service

pytest_plugins = ["browser", "phonetable"]


# -- keys ----------------------------------------------------------------------------------------


def test_its_keys_are_made_once_and_cannot_be_taken_out(phone: Phone) -> None:
    line, keyid = phone.line, phone.tab.evaluate("own.keys.keyid")
    assert PublicKey.parse_canonical(line).fingerprint == keyid
    phone.load()
    assert phone.line == line
    (kept,) = phone.tab.evaluate(
        """async () => (await own.storage.all("keys")).map(({signing, secret}) => [
            signing.extractable, signing.algorithm.name, secret.extractable,
            secret.algorithm.name, secret.algorithm.length,
        ])"""
    )
    assert kept == [False, "Ed25519", False, "HMAC", 256]


def test_two_tabs_that_make_keys_at_once_have_the_same(phone: Phone) -> None:
    lines = phone.tab.evaluate(
        """async () => {
            const storage = await phone.openStorage("another browser");
            const both = [phone.ownKeys(storage), phone.ownKeys(storage)];
            const lines = (await Promise.all(both)).map(({line}) => line);
            const late = await storage.keepFirst("keys", "own", {name: "own", line: "late"});
            return [...lines, late.line];
        }"""
    )
    assert lines[0] == lines[1] == lines[2] != phone.line


def test_a_browser_that_keeps_nothing_says_so(phone: Phone) -> None:
    said = phone.tab.evaluate(
        """async () => {
            indexedDB.open = () => {
                const request = {};
                setTimeout(() => request.onerror());
                return request;
            };
            return phone.openStorage("x").catch(({code, message}) => ({code, message}));
        }"""
    )
    assert said["code"] == "no-storage"
    assert "private window" in said["message"]


def test_a_page_that_did_not_come_by_https_says_so(phone: Phone) -> None:
    said = phone.tab.evaluate(
        """async () => {
            Object.defineProperty(globalThis, "isSecureContext", {value: false});
            return phone.ownKeys(own.storage).catch(({code, message}) => ({code, message}));
        }"""
    )
    assert said["code"] == "not-secure"


def test_it_joins_with_a_code_that_is_in_no_address(phone: Phone) -> None:
    asked: list[Request] = []

    def answer(route: Route) -> None:
        asked.append(route.request)
        view = {"table": "4", "ruleset": "tablut", "seat": "swedes", "name": "Alba"}
        more = {"arbiter": "Zoë", "keyid": "SHA256:x", "waiting": [], "match": None}
        route.fulfill(json=view | more)

    phone.context.route("**/api/join", answer)
    take = "code => phone.takeSeat(own.storage, own.keys, code)"
    assert phone.tab.evaluate(take, " abcd-efgh-jk")["seat"] == "swedes"
    (request,) = asked
    body = json.loads(request.post_data or "")
    assert (body["code"], body["key"]) == ("ABCDEFGHJK", phone.line)
    said = joincodes.message(body["code"], body["key"])
    assert PublicKey.parse_canonical(phone.line).verify(bytes.fromhex(body["sig"]), said)
    assert "ABCD" not in request.url.upper()
    phone.load()
    (seat,) = phone.rows("seats")
    assert (seat["code"], seat["match"], seat["name"]) == ("ABCDEFGHJK", None, "Alba")


def test_a_match_of_another_arbiter_than_was_told_is_not_signed_in(
    phone: Phone, service: Service
) -> None:
    table = Table(service, phone.line)
    row = {"place": table.match, "match": table.match, "code": None, "seat": "swedes"}
    for told, code in ((ARBITER, None), (STRANGER, "other-arbiter")):
        keyid = told.public.fingerprint
        phone.tab.evaluate("row => own.storage.put(['seats', row])", {**row, "arbiter": keyid})
        phone.follow(table.match)
        phone.comes_to(0)
        assert phone.sees("fault?.code ?? null") == code
    assert phone.act("seat.accepted")["code"] == "not-verified"
    assert table.types() == ["match.opened"]


def test_the_arbiters_key_that_was_told_first_is_kept(phone: Phone) -> None:
    """A server that says another one later is found out by the opening."""
    told = {"table": "4", "ruleset": "tablut", "seat": "swedes", "name": "Alba", "arbiter": "Zoë"}
    answers = [
        {"keyid": "SHA256:first", "waiting": ["Bruno"], "match": None},
        {"keyid": "SHA256:second", "waiting": [], "match": "5e" * 32},
    ]
    phone.context.route("**/api/join", lambda route: route.fulfill(json=told | answers.pop(0)))
    take = "phone.takeSeat(own.storage, own.keys, 'ABCD-EFGH-JK')"
    assert [phone.tab.evaluate(take)["keyid"] for _ in range(2)] == ["SHA256:first"] * 2
    (seat,) = phone.rows("seats")
    assert (seat["match"], seat["arbiter"]) == ("5e" * 32, "SHA256:first")


# -- signing -------------------------------------------------------------------------------------


def test_a_seat_is_accepted_and_a_move_made_with_its_key(phone: Phone, table: Table) -> None:
    assert phone.act("move", move="e3-f3")["sent"]
    assert table.types() == ["match.opened", "seat.accepted", "seat.accepted", "move"]
    assert table.state.entries[3].keyid == phone.tab.evaluate("own.keys.keyid")
    assert phone.sees("mine") == "swedes"
    assert not phone.sees("unsent")
    assert not phone.rows("outbox")
    found = record.read(phone.server.get(f"/api/matches/{table.match}/record").body)
    report = audit(found.pieces, found.frame, Trust(documents=rulings.digests()))
    assert report.verdict == "sound"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("\u202etxet", "forbidden-character"),
        ("bell\a", "forbidden-character"),
        ("x" * 4001, "bad-event"),
        (" outside", "bad-event"),
        ("\ud800", "not-json"),
    ],
)
def test_what_may_not_stand_in_an_event_is_not_signed(
    phone: Phone, table: Table, text: str, code: str
) -> None:
    body = json.dumps(text)
    said = phone.tab.evaluate(
        f"""() => phone.act(own.following, {{type: "note", data: {{text: {body}}}}},
            own.following.head).catch(({{code}}) => code)"""
    )
    assert said == code
    assert not phone.rows("outbox")
    assert table.state.seq == 2


def test_accents_are_put_together(phone: Phone, table: Table) -> None:
    assert phone.act("note", text="Zoe\u0308")["sent"]
    assert table.state.entries[-1].event.data.text == "Zoë"  # type: ignore[union-attr]


def test_a_click_twice_acts_once(phone: Phone, table: Table) -> None:
    said = phone.tab.evaluate(
        """async () => {
            const {head} = own.following;
            const click = () => phone.act(own.following, {type: "note", data: {text: "x"}}, head)
                .then(() => "done", ({code}) => code);
            return Promise.all([click(), click()]);
        }"""
    )
    assert said[0] == "done"
    assert said[1] in ("stale", "acted-already")
    assert table.types().count("note") == 1


def test_two_tabs_that_act_at_once_act_once(phone: Phone, table: Table) -> None:
    other = phone.new_tab()
    phone.follow(table.match, other)
    phone.comes_to(2, other)
    click = """head => {
        own.done = phone.act(own.following, {type: "note", data: {text: "x"}}, head)
            .then(() => "done", ({code}) => code);
    }"""
    head = table.state.head
    for tab in (phone.tab, other):
        tab.evaluate(click, head)
    said = [tab.evaluate("own.done") for tab in (phone.tab, other)]
    assert said.count("done") == 1
    assert set(said) - {"done"} <= {"stale", "acted-already"}
    phone.comes_to(3)
    phone.comes_to(3, other)
    assert table.types().count("note") == 1


def test_what_the_rules_refuse_can_be_done_otherwise(phone: Phone, table: Table) -> None:
    refused = phone.act("move", move="e3-e4")
    assert refused["status"] == 422
    (lapsed,) = phone.sees("lapsed")
    assert lapsed["why"]["message"] == refused["message"]
    assert phone.act("move", move="e3-f3")["sent"]
    phone.tab.evaluate("hash => own.following.dismiss(hash)", lapsed["hash"])
    assert not phone.sees("lapsed")
    assert table.types()[3:] == ["move"]


def test_what_a_server_has_refused_is_kept_for_good(phone: Phone, table: Table) -> None:
    """It may have kept it all the same: with the envelope her player shows which came first."""
    for move in ("e3-e4", "e3-e5"):
        phone.act("move", move=move)
    kept = phone.sees("refused.map(({envelope}) => envelope)")
    phone.tab.evaluate(
        "Promise.all(own.following.lapsed.map((e) => own.following.dismiss(e.hash)))"
    )
    phone.load()
    phone.follow(table.match)
    phone.comes_to(2)
    phone.live()
    assert phone.sees("lapsed") == []
    wait_for(lambda: phone.sees("refused.map(({envelope}) => envelope)") == kept)
    said = [json.loads(b64decode(json.loads(each)["payload"])) for each in kept]
    assert {each["data"]["move"] for each in said} == {"e3-e4", "e3-e5"}
    assert len({each["prev"] for each in said}) == 1


def test_nothing_is_signed_for_another_moment_than_was_seen(phone: Phone, table: Table) -> None:
    table.write(note("a move later"))
    phone.comes_to(3)
    code = phone.tab.evaluate(
        """head => phone.act(own.following, {type: "resigned", data: {}}, head)
            .catch(({code}) => code)""",
        table.state.entries[2].hash,
    )
    assert code == "stale"
    assert not phone.rows("outbox")


def test_a_phone_without_a_seat_signs_nothing(phone: Phone, service: Service) -> None:
    table = Table(service, STRANGER.public.line)
    phone.follow(table.match)
    phone.comes_to(0)
    assert phone.sees("mine") is None
    assert phone.act("note", text="me too")["code"] == "no-role"


# -- the page ------------------------------------------------------------------------------------


def test_the_page_may_ask_the_place_that_it_comes_from_and_no_other() -> None:
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', handset.page().decode())
    rules = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    assert rules["default-src"] == "'none'"
    assert rules["connect-src"] == "'self'"
    assert "connect-src" not in verifying.page().decode()


@pytest.mark.parametrize(
    "line",
    [
        'import { act as done } from "./other.mjs"; // renamed',
        'import * as all from "./other.mjs";',
        "export default 5;",
        "export { act };",
    ],
)
def test_a_module_of_another_form_is_found_when_the_page_is_made(tmp_path: Path, line: str) -> None:
    odd = tmp_path / "odd.mjs"
    odd.write_text(f"{line}\n")
    entry = os.path.relpath(odd, Path(verifying.__file__).parents[1])
    with pytest.raises(SyntaxError):
        assembling.assembled("../tests/phone/page.html", entry, [], server=True)


@pytest.mark.parametrize(
    "again",
    [
        "function same() {}",
        "export async function same() {}",
        "export class same {}",
        "let same;",
        "const [other, same] = [1, 2];",
    ],
)
def test_a_name_at_the_top_of_two_modules_is_found_when_the_page_is_made(
    tmp_path: Path, again: str
) -> None:
    (tmp_path / "first.mjs").write_text("export const own = 1;\n\nconst same = 2;\n")
    (tmp_path / "second.mjs").write_text(f'import {{ own }} from "./first.mjs";\n\n{again}\n')
    entry = os.path.relpath(tmp_path / "second.mjs", Path(verifying.__file__).parents[1])
    with pytest.raises(SyntaxError, match=r"same: .*/first\.mjs and of .*/second\.mjs"):
        assembling.assembled("../tests/phone/page.html", entry, [], server=True)


def test_the_phone_knows_no_face() -> None:
    for path in (Path(handset.__file__).parents[1] / "ledger/web/phone").iterdir():
        assert not re.search(r"/(?:face|table|hall|desk)/|innerHTML|\beval\(", path.read_text()), (
            path
        )
