"""A ledger that is restored from an older copy, and the phones of the match: what they have signed
where it stands again is the only thing that they can give there."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from handset import POSTING, Phone, Table, posts
from playerseat import Player
from playwright.sync_api import Browser, expect
from server import Program, wait_for
from table import clock, note, play

from ledger.backup import back_up
from ledger.service import Service

pytest_plugins = ["browser"]


class Machine:
    """Zoë's laptop: the program as a process, its ledger, and a backup of it."""

    def __init__(self, folder: Path) -> None:
        self.ledger, self.backup = folder / "hall.ledger", folder / "backup.ledger"
        Service.open(self.ledger, clock, create=True).close()
        self.server = Program(self.ledger)

    def opened(self) -> Service:
        return Service.open(self.ledger, clock)

    def is_backed_up(self) -> None:
        back_up(self.ledger, self.backup, clock, force=True)

    def is_restored(self) -> None:
        """The disk failed; what the backup has is all there is."""
        self.server.kill()
        for path in self.ledger.parent.glob(f"{self.ledger.name}*"):
            if path != self.server.log:
                path.unlink()
        shutil.copy(self.backup, self.ledger)
        self.server = Program(self.ledger, port=self.server.port)


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    found = Machine(tmp_path_factory.mktemp("restored"))
    try:
        yield found
    finally:
        found.server.kill()


@pytest.fixture(scope="module")
def handset(chromium: Browser, machine: Machine) -> Iterator[Phone]:
    with chromium.new_context() as context:
        yield Phone(context, machine.server)
        context.unroute_all(behavior="ignoreErrors")


@pytest.fixture
def phone(handset: Phone) -> Iterator[Phone]:
    handset.as_new()
    yield handset
    assert not handset.complaints, handset.complaints


Restores = Callable[[Table], None]


@pytest.fixture
def restores(machine: Machine) -> Restores:
    def restores(table: Table) -> None:
        table.service.close()
        machine.is_restored()
        table.service = machine.opened()

    return restores


@pytest.fixture
def seated(phone: Phone, machine: Machine) -> Iterator[Table]:
    """A match of Tablut that Bruno has accepted, and that the phone follows."""
    found = Table(machine.opened(), phone.line)
    found.accept()
    phone.follow(found.match)
    phone.comes_to(1)
    yield found
    found.service.close()


@pytest.fixture
def table(phone: Phone, seated: Table) -> Table:
    """Both have accepted."""
    phone.act("seat.accepted")
    phone.comes_to(2)
    phone.live()
    return seated


def test_what_it_has_signed_is_sent_again_as_the_same_bytes(
    phone: Phone, table: Table, machine: Machine, restores: Restores
) -> None:
    machine.is_backed_up()
    assert phone.act("move", move="e3-f3")["sent"]
    signed = table.events[3].text()
    phone.load()
    restores(table)
    assert table.state.seq == 2
    phone.follow(table.match)
    wait_for(lambda: table.state.seq == 3)
    assert table.events[3].text() == signed
    wait_for(lambda: phone.sees("doubt") is None)
    assert phone.sees("lapsed") == phone.sees("unsent") == []
    table.write(play("e2-h2"))
    phone.comes_to(4)
    assert phone.act("move", move="f3-e3")["sent"]


def test_an_act_that_was_overtaken_is_sent_when_its_player_says_so(
    phone: Phone, table: Table, machine: Machine, restores: Restores
) -> None:
    machine.is_backed_up()
    phone.context.route(POSTING, lambda route: route.abort())
    acted = phone.act("move", move="e3-f3")
    table.write(note("Zoë was first"))
    wait_for(lambda: phone.sees("lapsed.length") == 1)
    assert phone.sees("held") is None
    phone.context.unroute(POSTING)
    posted = posts(phone)
    restores(table)
    wait_for(lambda: phone.sees("held?.hash ?? null") == acted["hash"])
    assert phone.act("move", move="e3-g3")["code"] == "acted-already"
    assert not posted
    phone.tab.evaluate("own.following.sendHeld()")
    wait_for(lambda: table.state.head == acted["hash"])
    wait_for(lambda: phone.sees("held") is None and not phone.sees("lapsed"))


def test_an_arbiters_note_sets_such_a_phone_free(
    phone: Phone, table: Table, machine: Machine, restores: Restores
) -> None:
    machine.is_backed_up()
    phone.context.route(POSTING, lambda route: route.abort())
    phone.act("move", move="e3-f3")
    table.write(note("Zoë was first"))
    wait_for(lambda: phone.sees("lapsed.length") == 1)
    phone.context.unroute(POSTING)
    restores(table)
    wait_for(lambda: phone.sees("held !== null"))
    table.write(note("you are free"))
    wait_for(lambda: phone.sees("held") is None)
    assert phone.act("move", move="e3-g3")["sent"]


def test_what_a_phone_does_by_itself_is_sent_again_by_itself(
    phone: Phone, seated: Table, machine: Machine, restores: Restores
) -> None:
    """Its acceptance was overtaken and signed anew; then the match stands there again."""
    machine.is_backed_up()
    phone.context.route(POSTING, lambda route: route.abort())
    phone.tab.evaluate("phone.acceptSeat(own.following)")
    seated.write(note("Zoë was first"))
    phone.comes_to(2)
    wait_for(lambda: not phone.rows("outbox"))
    phone.context.unroute(POSTING)
    restores(seated)
    wait_for(lambda: seated.types() == ["match.opened", "seat.accepted", "seat.accepted"])
    assert phone.sees("lapsed") == []


def test_what_cannot_come_in_any_more_keeps_nobody_from_acting(
    phone: Phone, table: Table, machine: Machine, restores: Restores
) -> None:
    """She has signed behind an event that the restored ledger does not have."""
    machine.is_backed_up()
    table.write(note("this will be lost"))
    phone.comes_to(3)
    phone.context.route(POSTING, lambda route: route.abort())
    assert not phone.act("move", move="e3-f3")["sent"]
    phone.tab.evaluate("own.following.stop()")
    restores(table)
    phone.load()
    phone.context.unroute(POSTING)  # what was on its way has ended with the page
    phone.follow(table.match)
    wait_for(lambda: phone.sees("lapsed.length") == 1)
    assert "is not in the match any more" in phone.sees("lapsed[0].why.message")
    assert phone.act("move", move="e3-g3")["sent"]
    assert table.types()[3:] == ["move"]


def test_the_page_shows_what_it_has_signed_there_and_sends_it(
    phone: Phone, table: Table, machine: Machine, restores: Restores
) -> None:
    with phone.context.new_page() as page:
        alba = Player(page, machine.server, phone.line)
        alba.comes_to(table.match)
        alba.turn()
        machine.is_backed_up()
        alba.tap("e3", "f3")
        page.route("**/api/events", lambda route: route.abort())
        alba.press("Sign e3-f3")
        alba.says("Signed and kept")
        table.write(note("Zoë was first"))
        alba.says("Did not go through: move e3-f3")
        alba.press("Dismiss")
        phone.tab.evaluate("own.following.stop()")
        page.unroute("**/api/events")
        restores(table)
        alba.says("You have acted here before: move e3-f3")
        assert not alba.barriers()
        alba.press("Send move e3-f3")
        wait_for(lambda: table.types()[3:] == ["move"])
        expect(page.get_by_label("Signed before")).to_have_count(0)
