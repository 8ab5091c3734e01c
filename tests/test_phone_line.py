"""A phone whose line breaks, and one whose server lies."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import handset
import pytest
from handset import POSTING, STREAM, Change, Phone, Table, as_json, posts, shows
from playwright.sync_api import Browser, Route
from server import Client, signed, wait_for
from table import BRUNO, note

from ledger.exchange import take_in
from ledger.service import Service

pytest_plugins = ["browser", "phonetable"]


# -- broken lines --------------------------------------------------------------------------------


def test_after_a_reload_the_seat_is_there_again(phone: Phone, table: Table) -> None:
    phone.load()
    phone.follow(table.match)
    phone.comes_to(2)
    assert phone.sees("mine") == "swedes"
    assert phone.act("move", move="e3-f3")["sent"]


def test_a_broken_line_loses_nothing(phone: Phone, table: Table) -> None:
    phone.context.set_offline(True)
    wait_for(lambda: phone.sees("connection") == "waiting")
    table.write(*(note(f"word {number}") for number in range(5)))
    assert phone.sees("seq") == 2
    phone.context.set_offline(False)
    phone.comes_to(7)
    hashes = phone.sees("events.map(({hash}) => hash)")
    assert hashes == [entry.hash for entry in table.state.entries]
    phone.live()
    table.write(note("the line holds"))
    phone.comes_to(8)


def test_what_was_signed_without_a_line_is_sent_later_as_the_same_bytes(
    phone: Phone, table: Table
) -> None:
    phone.context.route(POSTING, lambda route: route.abort())
    acted = phone.act("move", move="e3-f3")
    assert not acted["sent"]
    (unsent,) = phone.sees("unsent")
    assert unsent["hash"] == acted["hash"]
    again = phone.act("move", move="e3-g3")
    assert again["code"] == "acted-already"
    phone.load()
    phone.follow(table.match)
    wait_for(lambda: phone.sees("unsent.length") == 1)
    phone.context.unroute(POSTING)
    phone.load()
    phone.follow(table.match)
    phone.comes_to(3)
    assert table.events[3].text().decode() == unsent["envelope"]
    wait_for(lambda: not phone.rows("outbox"))


def test_an_event_that_comes_while_sending_fails_does_not_end_the_sending(
    phone: Phone, table: Table
) -> None:
    """The phone is told to look again at the very moment when it has given up for a while."""
    lost: list[Route] = []
    broken = [True]

    def lose(route: Route) -> None:
        lost.append(route)
        route.abort() if broken else route.continue_()

    phone.context.route(POSTING, lose)
    phone.tab.evaluate("own.following.changed = () => own.following.tryAgain()")
    acted = phone.act("move", move="e3-f3")
    assert not acted["sent"]
    wait_for(lambda: phone.sees("unsent.length") == 1 and len(lost) > 1)
    phone.tab.wait_for_timeout(200)  # until it has given up
    broken.clear()
    phone.comes_to(3)
    assert table.state.head == acted["hash"]


def test_an_answer_that_was_lost_does_not_act_twice(phone: Phone, table: Table) -> None:
    def lose(route: Route) -> None:
        route.fetch()
        route.abort()

    phone.context.route(POSTING, lose)
    phone.context.route(STREAM, lambda route: route.abort())
    acted = phone.act("move", move="e3-f3")
    assert acted["hash"] == table.state.head
    phone.context.unroute(POSTING)
    phone.context.unroute(STREAM)
    phone.comes_to(3)
    wait_for(lambda: not phone.rows("outbox"))
    assert phone.sees("unsent") == phone.sees("lapsed") == []
    assert table.types()[3:] == ["move"]


def test_what_was_overtaken_is_listed_and_never_sent(phone: Phone, table: Table) -> None:
    phone.context.route(POSTING, lambda route: route.abort())
    acted = phone.act("move", move="e3-f3")
    table.write(note("Zoë was first"))
    wait_for(lambda: phone.sees("lapsed.length") == 1)
    phone.context.unroute(POSTING)
    posted = posts(phone)
    phone.load()
    phone.follow(table.match)
    phone.live()
    (lapsed,) = phone.sees("lapsed")
    assert (lapsed["hash"], lapsed["why"]["code"]) == (acted["hash"], "stale")
    assert phone.act("note", text="and now this")["sent"]
    assert len(posted) == 1
    assert table.types()[3:] == ["note", "note"]


def test_a_long_match_is_read_in_pieces(phone: Phone, table: Table) -> None:
    phone.tab.evaluate("own.following.stop()")
    table.write(*(note(f"word {number}") for number in range(1200)))
    phone.follow(table.match)
    wait_for(lambda: phone.sees("seq") == 1202)
    assert phone.sees("fault") is None


# -- a server that lies --------------------------------------------------------------------------


def changed_signature(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The signature of the second event stands under the third."""
    events[2]["signatures"][0]["sig"] = events[1]["signatures"][0]["sig"]
    return events


def left_out(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [events[0], *events[2:]]


@pytest.mark.parametrize(
    ("change", "code"), [(changed_signature, "bad-signature"), (left_out, "bad-seq")]
)
def test_events_that_do_not_hold_stop_the_pen(
    phone: Phone, table: Table, change: Change, code: str
) -> None:
    shows(phone, change)
    phone.load()
    phone.follow(table.match)
    wait_for(lambda: phone.sees("fault") is not None)
    assert phone.sees("fault.code") == code
    assert phone.act("note", text="still here")["code"] == "not-verified"


def test_another_match_is_not_taken_for_this_one(
    phone: Phone, table: Table, service: Service
) -> None:
    other = Table(service, phone.line)
    shows(phone, lambda _: [as_json(each) for each in other.events])
    phone.load()
    phone.follow(table.match)
    wait_for(lambda: phone.sees("fault") is not None)
    assert phone.sees("fault.code") == "wrong-match"


def test_fewer_events_than_it_has_seen_are_noticed(phone: Phone, table: Table) -> None:
    phone.act("move", move="e3-f3")
    phone.comes_to(3)
    shows(phone, lambda events: events[:3])
    phone.load()
    phone.follow(table.match)
    phone.comes_to(2)
    wait_for(lambda: phone.sees("doubt") is not None)
    assert phone.sees("doubt.code") == "parted"
    assert "fewer events" in phone.sees("doubt.message")
    assert phone.act("move", move="e3-g3")["code"] == "acted-already"


def test_a_server_that_contradicts_the_events_is_doubted(phone: Phone, table: Table) -> None:
    show = phone.server.get(f"/api/matches/{table.match}").json
    for change, words in (
        ({"arbiter": "Mallory"}, "arbiter has another name"),
        ({"head": "0" * 64}, "last event is another"),
        ({"phase": "closed"}, "only one of them is closed"),
    ):
        told = f"event: table\ndata: {json.dumps({**show, **change})}\n\n"
        answer = partial(_stream, told)
        phone.tab.evaluate("own.following.stop()")
        phone.context.route(STREAM, answer)
        phone.follow(table.match)
        wait_for(lambda: phone.sees("doubt") is not None)
        assert words in phone.sees("doubt.message")
        phone.context.unroute(STREAM, answer)


def _stream(told: str, route: Route) -> None:
    route.fulfill(body=told, content_type="text/event-stream")


def test_another_copy_takes_the_place_of_what_it_had(phone: Phone, table: Table) -> None:
    """Zoë takes over Bruno's copy, in which another event is the third."""
    table.write(note("this copy"))
    phone.comes_to(3)
    found = handset.before(table.state, 3)
    other = signed(found, note("that copy", table.other)(found), BRUNO)
    copy = [*table.events[:3], other]
    take_in(table.service, copy, here=lambda _: (), take_over=True)
    wait_for(lambda: phone.sees("head") == other.hash)
    assert phone.sees("fault") is None
    assert "other events" in phone.sees("doubt.message")
    phone.live()
    assert phone.act("move", move="e3-f3")["sent"]
    wait_for(lambda: phone.sees("doubt") is None)


def test_a_copy_that_came_while_the_line_was_broken_is_read_anew(
    phone: Phone, table: Table
) -> None:
    table.write(note("this copy"))
    phone.comes_to(3)
    found = handset.before(table.state, 3)
    other = signed(found, note("that copy", table.other)(found), BRUNO)
    shows(phone, lambda events: [*events[:3], as_json(other)])
    phone.tab.evaluate("own.following.start()")
    wait_for(lambda: phone.sees("head") == other.hash)
    assert phone.sees("fault") is None


@pytest.mark.parametrize(
    "told", ["null", "7", '{"seats":5,"dice":[]}', '{"seats":[null],"dice":[]}', "no JSON"]
)
def test_what_makes_no_sense_is_not_shown(phone: Phone, table: Table, told: str) -> None:
    phone.tab.evaluate("own.following.stop()")
    phone.context.route(STREAM, partial(_stream, f"event: table\ndata: {told}\n\n"))
    phone.follow(table.match)
    phone.comes_to(2)
    if told != "no JSON":
        wait_for(lambda: phone.sees("doubt?.code") == "unreadable")
    assert phone.sees("show") is None
    assert phone.act("note", text="here I am")["sent"]


def test_a_strange_event_in_the_stream_is_asked_for_and_not_there(
    phone: Phone, table: Table, service: Service
) -> None:
    other = Table(service, phone.line)
    strange = other.events[0].text().decode()
    phone.tab.evaluate("own.following.stop()")
    phone.context.route(STREAM, partial(_stream, f"event: signed\nid: 3\ndata: {strange}\n\n"))
    phone.follow(table.match)
    with phone.tab.expect_request(STREAM):
        phone.comes_to(2)
    assert phone.sees("fault") is None
    assert phone.act("note", text="here I am")["sent"]


def test_a_line_that_has_gone_silent_is_cut(
    chromium: Browser, server: Client, service: Service
) -> None:
    asked = []
    with chromium.new_context() as context:
        phone = Phone(context, server)
        table = Table(service, phone.line)
        context.route(STREAM, lambda route: asked.append(route.request.url))
        phone.tab.clock.install()
        phone.load()
        phone.follow(table.match)
        wait_for(lambda: phone.sees("seq") == 0 and len(asked) == 1)
        phone.tab.clock.run_for(41_000)
        wait_for(lambda: phone.sees("connection") == "waiting")
        phone.tab.clock.run_for(1_000)
        wait_for(lambda: phone.sees("seq") == 0 and len(asked) == 2)
        context.unroute_all(behavior="ignoreErrors")
