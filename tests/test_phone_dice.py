"""Dice on the phone: numbers are opened by themselves, and never too early."""

from __future__ import annotations

from pathlib import Path

from handset import POSTING, Phone, Table, as_json, diced, posts, shows
from playwright.sync_api import Browser
from server import serving, signed, wait_for
from table import ARBITER, BOTH, BRUNO, STRANGER, clock, note, opening

from ledger import joincodes
from ledger.events import Replacement, Throw
from ledger.service import Draft, Service
from ledger.tables import Tables, beside
from ledger.web.arbiter import Arbiter

pytest_plugins = ["browser", "phonetable"]


def test_numbers_are_opened_by_themselves_after_the_throw(phone: Phone, service: Service) -> None:
    table = diced(phone, service, second=True)
    assert "roll.opened" not in table.types()
    table.throw()
    table.landed(1)
    assert table.types()[-2:] == ["roll", "roll.opened"]
    wait_for(lambda: phone.sees("course.rolling.rolls.length") == 1)
    wait_for(lambda: not phone.sees("course.rolling.flight"))
    assert phone.sees("course.rolling.rolls[0].dice") == list(table.state.rolling.rolls[0].dice)
    assert not phone.sees("lapsed")


def test_the_phone_throws_with_its_number(phone: Phone, service: Service) -> None:
    table = diced(phone, service)
    assert phone.throw()["sent"]
    table.open_number()
    table.landed(1)
    phone.comes_to(table.state.seq)
    assert phone.sees("course.rolling.rolls[0].dice") == list(table.state.rolling.rolls[0].dice)


def test_nothing_is_thrown_before_the_other_is_bound(phone: Phone, service: Service) -> None:
    table = Table(service, phone.line, "tabula", diced=True)
    table.accept()
    phone.follow(table.match)
    phone.comes_to(1)
    phone.act("seat.accepted")
    wait_for(lambda: phone.sees("course.rolling.bound.size") == 1)
    said = phone.throw()
    assert said["code"] == "not-committed"
    assert "Bruno" in said["message"]


def test_a_phone_that_was_dark_during_the_throw_opens_when_it_is_back(
    phone: Phone, service: Service
) -> None:
    table = diced(phone, service, second=True)
    phone.tab.goto("about:blank")
    table.throw()
    phone.load()
    phone.follow(table.match)
    table.landed(1)


def test_of_two_tabs_one_opens(phone: Phone, service: Service) -> None:
    table = diced(phone, service, second=True)
    other = phone.new_tab()
    phone.follow(table.match, other)
    phone.comes_to(table.state.seq, other)
    table.throw()
    table.landed(1)
    for tab in (phone.tab, other):
        phone.comes_to(table.state.seq, tab)
        assert phone.sees("trouble", tab) is None
        assert phone.sees("doubt", tab) is None
    assert table.types().count("roll.opened") == 1


def test_an_opening_that_was_overtaken_is_signed_anew(phone: Phone, service: Service) -> None:
    """Zoë writes a note while the opening is on its way."""
    table = diced(phone, service, second=True)
    phone.context.route(POSTING, lambda route: route.abort())
    table.throw()
    wait_for(lambda: phone.sees("unsent.length") == 1)
    table.write(note("both are here"))
    phone.context.unroute(POSTING)
    table.landed(1)
    assert table.types()[-3:] == ["roll", "note", "roll.opened"]
    wait_for(lambda: not phone.rows("outbox"))
    assert not phone.sees("lapsed")


def test_a_number_of_another_secret_is_not_shown(phone: Phone, service: Service) -> None:
    table = diced(phone, service, second=True)
    phone.tab.evaluate(
        """async () => {
            const form = {name: "HMAC", hash: "SHA-256", length: 256};
            const secret = await crypto.subtle.generateKey(form, false, ["sign"]);
            const [kept] = await own.storage.all("keys");
            await own.storage.put(["keys", {...kept, secret}]);
        }"""
    )
    phone.load()
    phone.follow(table.match)
    phone.comes_to(4)
    table.throw()
    wait_for(lambda: phone.sees("trouble?.code") == "other-secret")
    assert table.types()[-1] == "roll"
    assert not phone.rows("outbox")


def test_a_forged_throw_opens_nothing(phone: Phone, service: Service) -> None:
    """Somebody who has not Bruno's key throws for him, with his number."""
    table = diced(phone, service, second=True)
    number = table.shown()
    draft = Draft("roll", Throw(**number), table.other)
    forged = signed(table.state, draft, STRANGER)
    posted = posts(phone)
    shows(phone, lambda events: [*events, as_json(forged)])
    phone.follow(table.match)
    wait_for(lambda: phone.sees("fault") is not None)
    assert phone.sees("fault.code") == "wrong-signer"
    assert not posted


def test_a_number_is_shown_under_one_throw_only(phone: Phone, service: Service) -> None:
    """Bruno throws, sees what Alba opens, and throws otherwise in a copy without that."""
    table = diced(phone, service, second=True)
    before = table.state
    shown = table.shown()
    table.throw()
    table.landed(1)
    phone.comes_to(table.state.seq)
    later = "2026-11-29T18:00:01Z"
    second = signed(before, Draft("roll", Throw(**shown), table.other), BRUNO, at=later)
    posted = posts(phone)
    shows(phone, lambda events: [*events[: before.seq + 1], as_json(second)])
    phone.follow(table.match)
    wait_for(lambda: phone.sees("doubt?.code") == "parted")
    assert phone.sees("trouble") is None, "nothing goes on by itself before somebody believes it"
    phone.tab.evaluate("own.following.believe()")
    wait_for(lambda: phone.sees("trouble?.code") == "number-shown")
    assert not posted


def test_a_throw_that_was_overtaken_can_be_thrown_again(phone: Phone, service: Service) -> None:
    table = diced(phone, service)
    phone.context.route(POSTING, lambda route: route.abort())
    assert not phone.throw()["sent"]
    table.write(note("Zoë was first"))
    wait_for(lambda: phone.sees("lapsed.length") == 1)
    phone.context.unroute(POSTING)
    assert phone.throw()["sent"]
    table.open_number()
    table.landed(1)


def test_while_a_roll_is_in_flight_nothing_else_is_signed(phone: Phone, service: Service) -> None:
    table = diced(phone, service)
    phone.throw()
    assert phone.act("note", text="how long will he take?")["code"] == "roll-in-flight"
    assert not phone.sees("lapsed")
    table.open_number()
    table.landed(1)


def test_a_new_phone_goes_on_with_numbers_of_its_own(
    chromium: Browser, phone: Phone, service: Service
) -> None:
    """Alba has lost her phone; Zoë puts the key of another one in."""
    table = diced(phone, service, second=True)
    with chromium.new_context() as context:
        other = Phone(context, phone.server)
        given = Replacement(role=table.seat, name="Alba", key=other.line, reason="lost")
        table.write(lambda _: Draft("key.replaced", given, "arbiter"))
        other.follow(table.match)
        other.comes_to(table.state.seq)
        assert other.sees("mine") == table.seat
        wait_for(lambda: phone.sees("mine") is None)
        other.act("seat.accepted")
        table.commit()
        table.committed()
        other.comes_to(table.state.seq)
        table.throw()
        table.landed(1)
        assert not other.complaints


def test_two_phones_join_and_throw_and_nobody_does_more_than_that(
    chromium: Browser, tmp_path: Path
) -> None:
    path = tmp_path / "hall.ledger"
    Service.open(path, clock, create=True).close()
    letters = iter((bytes(range(7)), bytes(range(7, 14)), bytes(16)))
    with Tables.open(beside(path), create=True) as tables:
        planned = opening("tabula", keyed=(), dice=BOTH)
        names = {"white": "Alba", "black": "Bruno"}
        keyid = ARBITER.public.fingerprint
        _, codes = tables.set_out(planned, keyid, names, clock(), lambda _: next(letters))
    take = "code => phone.takeSeat(own.storage, own.keys, code)"
    with (
        serving(path, arbiter=Arbiter(ARBITER, tmp_path)) as server,
        chromium.new_context() as one,
        chromium.new_context() as two,
    ):
        alba, bruno = Phone(one, server), Phone(two, server)
        assert alba.tab.evaluate(take, codes["white"])["waiting"] == ["Bruno"]
        match = bruno.tab.evaluate(take, joincodes.grouped(codes["black"]).lower())["match"]
        assert alba.tab.evaluate(take, codes["white"])["match"] == match
        for phone, seat in ((alba, "white"), (bruno, "black")):
            (kept,) = phone.rows("seats")
            assert (kept["match"], kept["seat"], kept["code"]) == (match, seat, None)
            phone.follow(match)
            phone.comes_to(0)
            assert phone.sees("mine") == seat
        for phone in (alba, bruno):
            phone.tab.evaluate("() => { own.done = phone.acceptSeat(own.following); }")
        for phone in (alba, bruno):
            assert phone.tab.evaluate("own.done")["sent"]
        wait_for(lambda: alba.sees("course.rolling.bound.size") == 2)
        assert alba.throw()["sent"]
        for phone in (alba, bruno):
            wait_for(lambda phone=phone: phone.sees("course.rolling.number") == 2)  # type: ignore[misc]
            assert len(phone.sees("course.rolling.rolls[0].dice")) == 2
            assert not phone.sees("lapsed")
            assert not phone.complaints
