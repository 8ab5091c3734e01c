"""The ledger in Datasette: four lists for people, read by a program that is not ours.

Every match of ``golden/`` is in the ledger, and one whose players have names that are markup.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import loops
import msgspec
import pytest
import table

from ledger import canonical, readmodels, record
from ledger.envelope import Envelope
from ledger.errors import Unreadable
from ledger.events import Officer, Physical, Seat, Voiding
from ledger.fold import MatchState
from ledger.inspection import inspect_ledger, trust
from ledger.service import Draft, Service, planned
from ledger.sqlitefile import sqlite3

ROOT = Path(__file__).parent.parent
RECORDS = sorted((ROOT / "tests/golden").glob("*.tabellion.json"))
(METADATA,) = re.findall(
    r"^## Datasette$.*?```json\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.S | re.M
)
LISTS = ("matches", "results", "rolls", "events_readable")

SCRIPT = "<script>alert(1)</script>"
IMAGE = "Bruno \"><img src=x onerror='alert(2)'>"
QUOTED = "O'Hara; DROP TABLE events; --"


def envelopes(path: Path) -> list[Envelope]:
    pieces = record.read(path.read_bytes()).pieces
    return [piece for piece in pieces if isinstance(piece, Envelope)]


def hostile(service: Service) -> str:
    """Dice on the table between two players whose names are an attack, one die cocked."""
    opening = table.opening("tabula", keyed=(), dice=Physical(confirm=False))
    seats = {
        "white": Seat(name=SCRIPT),
        "black": Seat(name=IMAGE),
    }
    opening = msgspec.structs.replace(
        opening,
        seats=seats,
        arbiter=Officer(name=QUOTED, key=table.ARBITER.public.line),
        event=SCRIPT,
        date="2026-11-29",
    )
    match = service.open_match(opening, table.ARBITER).match
    cocked = Draft("roll.voided", Voiding(roll=1, reason=IMAGE), "arbiter")
    plans = [table.lay(6, 1), planned(cocked), table.lay(5, 1), table.resign("white", "arbiter")]
    return service.append(match, [*plans, table.close()], table.KEYS).match


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("datasette") / "ledger.db"
    with table.new_service(path) as service:
        for file in RECORDS:
            for envelope in envelopes(file):
                service.post(envelope.text())
        hostile(service)
    return path


@pytest.fixture(scope="module")
def states(ledger: Path) -> Iterator[list[MatchState]]:
    with Service.open(ledger, table.clock, write=False) as service:
        yield list(service.states())


Ask = Callable[..., Any]


@pytest.fixture(scope="module")
def ask(ledger: Path) -> Ask:
    """What Datasette answers: JSON as rows, a page as its text."""
    from datasette.app import Datasette  # a second's import, for the worker that needs it

    site = Datasette([ledger], metadata=json.loads(METADATA), settings={"max_returned_rows": 9999})

    def answer(path: str, **params: str) -> Any:
        asked = {"_shape": "array", "_size": "max"} if path.endswith(".json") else {}
        got = loops.run(site.client.get(path, params=asked | params))
        assert got.status_code == 200, got.text
        return got.json() if path.endswith(".json") else got.text

    return answer


def test_matches_say_who_plays_and_what_is_awaited(ask: Ask, states: list[MatchState]) -> None:
    found = {row["match"]: row for row in ask("/ledger/matches.json")}
    assert len(found) == len(RECORDS) + 1
    for state in states:
        row, (first, second) = found[state.match], state.game.seats
        assert (row["game"], row["phase"]) == (state.game.name, state.phase.value)
        players = (state.roster[first].name, state.roster[second].name)
        assert (row["first_player"], row["second_player"]) == players
    assert {row["game"] for row in found.values()} == {"tablut", "tabula", "tablero"}


def test_results_say_who_won_and_why(ask: Ask, states: list[MatchState]) -> None:
    found = {row["match"]: row for row in ask("/ledger/results.json")}
    for state in states:
        result, row = state.result, found[state.match]
        assert result is not None
        assert (row["kind"], row["how"], row["winner"]) == (result.kind, result.how, result.winner)
        winner = state.roster[result.winner].name if result.winner else None
        assert (row["winner_name"], row["closed"]) == (winner, 1)
        assert row["result_event"] == state.result_event


def test_rolls_say_how_they_came_about_and_what_became_of_them(
    ask: Ask, states: list[MatchState]
) -> None:
    found = {(row["match"], row["roll"]): row for row in ask("/ledger/rolls.json")}
    for state in states:
        line = state.line()
        for roll in state.rolling.rolls:
            row = found.pop((state.match, roll.number))
            assert row["dice"] == "-".join(map(str, roll.dice))
            assert (row["seat"], row["thrown"], row["event"]) == (roll.seat, roll.thrown, roll.seq)
            assert row["voided"] == roll.voided
            assert row["stands"] == (roll.seq in line and roll.voided is None), row
    left = {(row["how"], row["dice"], row["stands"], row["owed"]) for row in found.values()}
    assert left == {("unopened", None, 0, "white"), ("unopened", None, 0, "black, arbiter")}
    ways = Counter(row["how"] for row in ask("/ledger/rolls.json"))
    assert ways == {"computed": 36, "recorded": 21, "awarded": 1, "unopened": 2}


def test_events_say_what_was_signed(ask: Ask) -> None:
    rows = ask("/ledger/events_readable.json", _size="9999")
    said = {row["hash"]: row for row in rows}
    assert len(said) == len(rows)
    assert len({row["type"] for row in rows}) == 36
    for file in RECORDS:
        for number, envelope in enumerate(envelopes(file)):
            row, event = said[envelope.hash], canonical.decode(envelope.payload)
            assert isinstance(event, dict)
            assert (row["seq"], row["type"]) == (number, event["type"])
            assert (row["by"], row["for"], row["at"]) == (
                event["by"],
                event.get("for"),
                event["at"],
            )
            assert row["data"].encode() == canonical.encode(event["data"])


def test_names_are_text_and_nothing_else(ask: Ask) -> None:
    rows = ask("/ledger/matches.json", event=SCRIPT)
    assert [(row["first_player"], row["second_player"]) for row in rows] == [(SCRIPT, IMAGE)]
    for name in LISTS:
        page = ask(f"/ledger/{name}", _size="max", _sort_desc="match")
        assert "alert(1)</script>" not in page
        assert "<img src=x" not in page
    assert "&lt;script&gt;alert(1)" in ask("/ledger/matches")
    (said,) = ask("/ledger/events_readable.json", type="roll.voided", data__contains="img")
    assert json.loads(said["data"]) == {"reason": IMAGE, "roll": 1}


def test_the_readme_explains_every_column(ask: Ask) -> None:
    told = json.loads(METADATA)["databases"]["ledger"]["tables"]
    assert tuple(told) == ("matches", "results", "rolls", "events_readable")
    for name, said in told.items():
        (row, *_) = ask(f"/ledger/{name}.json", _size="1")
        assert list(said["columns"]) == [column for column in row if column != "rowid"]
        assert said["description"] in ask(f"/ledger/{name}")


@pytest.mark.parametrize("which", ["2026-11-29", SCRIPT])
def test_the_standings_of_a_day_or_an_event_are_one_question(ask: Ask, which: str) -> None:
    rows = ask("/ledger/standings.json", day_or_event=which)
    assert rows == [
        {"player": IMAGE, "games": 1, "points": 1.0},
        {"player": SCRIPT, "games": 1, "points": 0.0},
    ]


def test_who_voids_most_is_one_question(ask: Ask) -> None:
    rows = ask("/ledger/voided.json")
    assert rows == [
        {"player": "Alba", "voided_by": "arbiter", "rolls": 2},
        {"player": SCRIPT, "voided_by": "arbiter", "rolls": 1},
        {"player": "Alba", "voided_by": "black", "rolls": 1},
    ]


def test_the_command_reads_the_file_beside_its_owner(ledger: Path) -> None:
    """Datasette as it is typed, while the arbiter has the ledger open; the file stays as it is."""
    with Service.open(ledger, table.clock) as service:
        before = sha256(ledger.read_bytes()).digest()
        command = [sys.executable, "-m", "datasette", str(ledger), "--get"]
        ran = subprocess.run(
            [*command, "/ledger/rolls.json?_shape=array&_size=max"], capture_output=True, check=True
        )
        assert len(json.loads(ran.stdout)) == 60
        assert sha256(ledger.read_bytes()).digest() == before
        assert service.store.faults() == []


def test_after_every_event_the_rolls_are_those_of_a_rebuild(tmp_path: Path) -> None:
    """What a throw, a void, a ruling or a resignation adds is what all events together give."""
    with table.new_service(tmp_path / "ledger.db") as service:
        for file in RECORDS:
            for envelope in envelopes(file):
                state = service.post(envelope.text())
                if state.game.dice:
                    assert readmodels.differences(service.store, state) == [], state.seq


@pytest.mark.parametrize(
    ("lie", "told"),
    [
        ("UPDATE rolls SET dice = '6-6' WHERE how = 'computed'", "the list rolls"),
        ("DELETE FROM rolls WHERE voided", "the list rolls"),
        ("UPDATE results SET winner_name = 'Ana'", "the list results"),
        ("INSERT INTO rolls (match, roll) VALUES ('x', 1)", "The list rolls has 1 row(s)"),
        ("DROP TABLE rolls", "The list rolls cannot be read"),
        ("DROP VIEW events_readable", "'events_readable' is missing or altered"),
    ],
)
def test_a_list_that_lies_is_found_by_the_audit(tmp_path: Path, lie: str, told: str) -> None:
    path = tmp_path / "ledger.db"
    with table.new_service(path) as service:
        for name in ("v1-tabula-ruled", "v1-tabula-on-the-table"):
            for envelope in envelopes(ROOT / f"tests/golden/{name}.tabellion.json"):
                service.post(envelope.text())
    assert inspect_ledger(path, None, trust(None, None)).verdict == "sound"
    with sqlite3.connect(path) as connection:
        connection.execute(lie)
    connection.close()
    view = inspect_ledger(path, None, trust(None, None))
    assert view.verdict == "faults"
    assert any(told in each for each in view.file_faults), view.file_faults


def test_bytes_that_are_no_json_do_not_stop_the_reader(tmp_path: Path) -> None:
    """One damaged event is empty; the others are read."""
    from datasette.app import Datasette

    path = tmp_path / "ledger.db"
    with table.new_service(path) as service:
        table.whole_game(service)
    with sqlite3.connect(path) as connection:
        connection.execute("DROP TRIGGER events_never_change")
        connection.execute("UPDATE events SET payload = x'7bff' WHERE seq = 3")
    connection.close()
    rows = loops.run(Datasette([path]).client.get("/ledger/events_readable.json?_shape=array"))
    kinds = [row["type"] for row in rows.json()]
    assert (kinds[3], kinds.count(None), len(kinds)) == (None, 1, 15)


def test_without_the_list_of_rolls_no_throw_is_stored_and_the_error_names_the_remedy(
    tmp_path: Path,
) -> None:
    with table.new_service(tmp_path / "ledger.db") as service:
        opening = table.opening("tabula", keyed=(), dice=Physical(confirm=False))
        match = service.open_match(opening, table.ARBITER).match
        service.store.connection.execute("DROP TABLE rolls")
        with pytest.raises(Unreadable) as caught:
            service.append(match, [table.lay(6, 1)], table.KEYS)
        assert (caught.value.code, caught.value.hint) == (
            "lists-damaged",
            "tabellion init --rebuild",
        )
        assert service.state(match).seq == 0
        service.rebuild()
        assert service.append(match, [table.lay(6, 1)], table.KEYS).seq == 1
        assert service.store.connection.execute("SELECT dice FROM rolls").fetchall() == [("6-1",)]
