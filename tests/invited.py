"""A server with a seat set out for Alba's own key: what the examples of a laptop's player need."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from server import serving
from table import ARBITER, clock, new_service, opening
from terminal import Desk

from ledger.joincodes import grouped
from ledger.tables import Tables, beside
from ledger.web.arbiter import Arbiter

URL = "http://127.0.0.1:8765"
CODE = "ABCD-EFGH-JK"
"""What stands in the examples, where a server really has another port and another code."""


@contextmanager
def invited(desk: Desk, arguments: list[list[str]]) -> Iterator[None]:
    """A server whose arbiter signs by itself; in ``arguments`` its address and Alba's code stand
    where the examples have theirs."""
    ledger = desk.folder / "hall" / "ledger.db"
    ledger.parent.mkdir()
    new_service(ledger).close()
    with Tables.open(beside(ledger), create=True) as tables:
        keyid = ARBITER.public.fingerprint
        given = opening(keyed=())
        _, codes = tables.set_out(given, keyid, {"swedes": "Alba"}, clock(), os.urandom)
    with serving(ledger, arbiter=Arbiter(ARBITER, ledger.parent)) as server:
        real = {URL: server.url, CODE: grouped(codes["swedes"])}
        for typed in arguments:
            typed[:] = [real.get(word, word) for word in typed]
        yield
