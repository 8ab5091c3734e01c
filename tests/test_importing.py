"""From another program's file to a signed match, its record, and an audit in another folder."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest
from bologna_log import OPEN, WHITE_WINS, log
from table import ALBA, ARBITER, new_service

from ledger import record
from ledger.audit import Report
from ledger.errors import Refused, TabellionError
from ledger.events import Result, type_of
from ledger.fold import MatchState, Phase
from ledger.importing import adjudged
from ledger.inspection import inspect, trust
from ledger.service import Service

START = "/3ttt3/4t4/4T4/t3T3t/ttTTKTTtt/t3T3t/4T4/4t4/3ttt3/"
RESIGNED = f"""[date:2015.05.04]
[event:Triathlon]
[result:1]
[attackers:Bruno]
[defenders:Alba]
[termination:White resigns]
[rules:dim:9 name:Tablut esc:e atkf:y ka:y ks:c nj:n cj:n cor: cens: cenh: start:{START}]

1. e2-c2 c5-c9
2. b5-b9xc9
"""


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return new_service(tmp_path / "ledger.db")


def written(service: Service, data: bytes) -> MatchState:
    game = adjudged(data)
    return service.open_match(
        game.opening("Zoë", ARBITER.public, "11" * 16), ARBITER, list(game.plans)
    )


def audited(service: Service, state: MatchState, folder: Path) -> Report:
    """The report on the match's record, in a folder without the ledger."""
    folder.mkdir()
    file = folder / "match.json"
    file.write_bytes(record.write(service.envelopes(state.match)))
    (report,) = inspect(str(file), folder / "no-ledger.db", trust(None, state.head)).reports
    return report


def test_a_finished_log_becomes_a_closed_match(service: Service, tmp_path: Path) -> None:
    data = log(WHITE_WINS).encode()
    state = written(service, data)
    assert state.phase is Phase.CLOSED
    assert state.result is not None
    assert (state.result.kind, state.result.winner, state.result.how) == ("win", "swedes", "goal")
    assert state.opening.source is not None
    assert state.opening.source.format == "bologna-log"
    assert state.opening.dice is None
    assert state.opening.source.sha256 == sha256(data).hexdigest()
    assert [entry.event.by for entry in state.entries] == ["arbiter"] * (len(WHITE_WINS) + 2)
    assert state.entries[1].event.for_ == "swedes"
    assert state.entries[2].event.for_ == "muscovites"
    report = audited(service, state, tmp_path / "elsewhere")
    assert report.verdict == "sound"
    assert any("read from a file (bologna-log" in text for text in report.statements)


def test_a_log_that_stops_stays_open(service: Service) -> None:
    state = written(service, log(OPEN).encode())
    assert state.phase is Phase.IN_PLAY
    assert state.turn == "muscovites"
    assert len(state.entries) == len(OPEN) + 1


def test_a_resignation_is_written_for_the_seat_that_gave_up(service: Service) -> None:
    state = written(service, RESIGNED.encode())
    assert state.opening.ruleset.name == "tablut-linnaeus"
    assert state.opening.event == "Triathlon"
    assert {seat: party.name for seat, party in state.roster.items()} == {
        "arbiter": "Zoë",
        "swedes": "Alba",
        "muscovites": "Bruno",
    }
    assert state.result is not None
    assert (state.result.how, state.result.winner) == ("resigned", "muscovites")
    assert state.entries[-2].event.for_ == "swedes"


def test_one_altered_move_is_refused_at_that_ply_and_nothing_is_written(service: Service) -> None:
    data = log(WHITE_WINS).replace("from h5 to g5", "from h5 to h6").encode()
    with pytest.raises(Refused, match="move 2, line") as refused:
        written(service, data)
    assert refused.value.code == "import-diverges"
    assert service.store.matches() == []


def test_a_changed_byte_of_the_imported_record_is_found(service: Service, tmp_path: Path) -> None:
    state = written(service, RESIGNED.encode())
    data = bytearray(record.write(service.envelopes(state.match)))
    data[len(data) // 2] ^= 4
    file = tmp_path / "match.json"
    file.write_bytes(bytes(data))
    assert inspect(str(file), file, trust(None, None)).verdict == "faults"


def test_a_record_signed_by_somebody_else_is_no_imported_match(service: Service) -> None:
    game = adjudged(RESIGNED.encode())
    with pytest.raises(Refused) as refused:
        service.open_match(game.opening("Zoë", ARBITER.public, "11" * 16), ALBA, list(game.plans))
    assert refused.value.code == "wrong-signer"
    assert service.store.matches() == []


def test_an_agreed_draw_is_an_offer_of_the_side_that_moved_last_and_its_answer(
    service: Service,
) -> None:
    agreed = RESIGNED.replace("[result:1]", "[result:0]").replace("White resigns", "draw agreed")
    state = written(service, agreed.encode())
    types = [type_of(entry.event) for entry in state.entries][-3:]
    assert types == ["offer.made", "offer.accepted", "match.closed"]
    moved, offered, answered = (entry.event.for_ for entry in state.entries[-4:-1])
    assert (moved, offered) == (offered, moved)
    assert answered != offered
    assert state.closed == Result(kind="draw", how="agreed")


def test_a_claimed_draw_is_a_claim_of_the_side_on_turn(service: Service) -> None:
    rules, _ = RESIGNED.split("\n\n")
    walk = ["e2-h2 e3-f3", "h2-e2 f3-e3"] * 2
    moves = "".join(f"{turn}. {pair}\n" for turn, pair in enumerate(walk, start=1))
    text = f"{rules.replace('[result:1]', '[result:0]')}\n\n{moves}"
    text = "\n".join(line for line in text.splitlines() if "resigns" not in line) + "\n"
    state = written(service, text.encode())
    assert type_of(state.entries[-2].event) == "draw.claimed"
    assert state.closed == Result(kind="draw", how="repetition")


def test_a_game_from_a_position_of_its_own_is_refused() -> None:
    rules, moves = RESIGNED.split("\n\n")
    own = rules.replace("/4t4/3ttt3/]", "/4t4/3tt4/]") + "\n\n" + moves
    with pytest.raises(TabellionError) as refused:
        adjudged(own.encode())
    assert refused.value.code == "import-own-start"


def test_names_are_composed_and_a_missing_one_is_said(service: Service) -> None:
    text = RESIGNED.replace("[attackers:Bruno]", "").replace("Alba", "Zoe\u0308")
    state = written(service, text.encode())
    assert state.roster["swedes"].name == "Zoë"
    assert state.roster["muscovites"].name == "unknown"
