"""A server, a phone before it, and a match between the phone and Bruno: what the tests of the phone
begin with."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from handset import Phone, Table
from playwright.sync_api import Browser
from server import Client, serving
from table import clock

from ledger.service import Service


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("phone") / "hall.ledger"
    Service.open(path, clock, create=True).close()
    return path


@pytest.fixture(scope="module")
def server(ledger: Path) -> Iterator[Client]:
    with serving(ledger) as found:
        yield found


@pytest.fixture(scope="module")
def service(ledger: Path) -> Iterator[Service]:
    """The arbiter's command line beside the server, and Bruno's."""
    with Service.open(ledger, clock) as found:
        yield found


@pytest.fixture(scope="module")
def browser_of_phone(chromium: Browser, server: Client) -> Iterator[Phone]:
    with chromium.new_context() as context:
        yield Phone(context, server)
        context.unroute_all(behavior="ignoreErrors")


@pytest.fixture
def phone(browser_of_phone: Phone) -> Iterator[Phone]:
    """A phone that nobody has used yet."""
    browser_of_phone.as_new()
    yield browser_of_phone
    assert not browser_of_phone.complaints


@pytest.fixture
def table(phone: Phone, service: Service) -> Table:
    """A match of Tablut that both have accepted, and that the phone follows."""
    found = Table(service, phone.line)
    found.accept()
    phone.follow(found.match)
    phone.comes_to(1)
    phone.act("seat.accepted")
    phone.comes_to(2)
    phone.live()
    return found
