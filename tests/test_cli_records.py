"""Records from the command line: export, audit from any folder, import, and the demo."""

from __future__ import annotations

import os
import shutil
import time
from typing import Any

import pytest
from bologna_log import OPEN, WHITE_WINS, log
from terminal import Desk

AUDIT = """\
verdict: SOUND, 15 events, head HASH
match HASH
result: a win for swedes (goal), closed
rules: tablut, version 1
played: DATE
parties:
- arbiter: FINGERPRINT: Zoë
- swedes: FINGERPRINT: Alba
- muscovites: FINGERPRINT: Bruno
proven, and by whom:
- The key of Zoë (arbiter) signed 2 events.
- The key of Alba (swedes) signed 7 events.
- The key of Bruno (muscovites) signed 6 events.
calls and duties:
- event 7: raichi was due and not called; for the arbiter to judge
- event 9: raichi was due and not called; for the arbiter to judge
result, and its standing:
- Ends at event 14, closed with a win for swedes (goal); countersigned by Alba and Bruno.
- Event 11, a move of Alba (swedes): a win for Alba (swedes), goal. Closed by event 12. It stands.
  - Signed by Alba (swedes), event 13; Bruno (muscovites), event 14.
"""
LIMITS = """\
what no record can prove:
- Keys were checked against nobody: whoever opened the match could have invented the players. Give \
--signers with a file of keys that you trust.
- Compared with no score sheet: a record cut off at its end is still a valid beginning. Give \
--head with the hash noted down at the table.
- Times are the signers' own clocks: they prove nothing.
"""


@pytest.fixture
def desk(tmp_path: Any, monkeypatch: Any, capsys: Any) -> Desk:
    return Desk(tmp_path, monkeypatch, capsys)


def stranger(desk: Desk) -> None:
    """From here on: another folder, without the ledger and the keys."""
    elsewhere = desk.folder / "elsewhere"
    elsewhere.mkdir()
    shutil.copy(desk.folder / "match.json", elsewhere)
    desk.patch.chdir(elsewhere)
    desk.patch.setenv("XDG_DATA_HOME", str(elsewhere / "nothing"))


def test_a_record_is_exported_and_audited_by_a_stranger(desk: Desk) -> None:
    desk.finish()
    assert desk.did("export", "--output", "match.json") == (
        "match.json: 15 events, head HASH\n"
        "next: note the head on the sheet; anybody can run: tabellion audit match.json\n"
    )
    stranger(desk)
    assert desk.did("audit", "match.json") == AUDIT + LIMITS
    assert desk.did("audit", "./match.json") == AUDIT + LIMITS
    assert not os.path.exists("nothing")


def test_a_record_goes_through_a_pipe(desk: Desk) -> None:
    match = desk.finish()
    record = desk.process("export").out.encode()
    desk.did("export", match[:8], "-o", "match.json")
    assert (desk.folder / "match.json").read_bytes() == record
    assert desk.did("audit", "-", stdin=record).startswith(AUDIT)


def test_a_ledger_and_a_match_are_audited(desk: Desk) -> None:
    match = desk.finish()
    assert desk.did("audit", match[:10]).startswith(AUDIT)
    assert desk.did("audit", str(desk.ledger)).startswith(AUDIT)
    desk.open()
    said = desk.did("audit")
    assert said.startswith(f"{AUDIT}\nverdict: SOUND, ")
    assert said.endswith(
        "\n\nof every match:\n"
        "- Keys were checked against nobody: whoever opened the match could have invented the "
        "players. Give --signers with a file of keys that you trust.\n"
        "- Compared with no score sheet: a record cut off at its end is still a valid beginning. "
        "Give --head with the hash noted down at the table.\n"
        "- Times are the signers' own clocks: they prove nothing.\n"
        "\n2 of 2 matches sound; ledger: sound\n"
    )
    assert said.count("Times are the signers' own clocks") == 1


def test_the_head_on_the_score_sheet(desk: Desk) -> None:
    desk.finish()
    desk.did("export", "-o", "match.json")
    head = desk("log").out.splitlines()[-1].split()[1]
    stranger(desk)
    assert desk("audit", "match.json", "--head", head[:32]).status == 0
    assert desk("audit", "match.json", "--head", f" {head[:8]}-{head[8:40].upper()}").status == 0
    earlier = desk("audit", "match.json", "--head", head[:31] + ("0" if head[31] != "0" else "1"))
    assert (earlier.status, "[wrong-head]" in earlier.out) == (1, True)
    assert desk("audit", "match.json", "--head", "not a hash").status != 0


def test_keys_that_the_reader_trusts(desk: Desk) -> None:
    desk.finish()
    desk.did("export", "-o", "match.json")
    lines = {
        name: f"{called} {(desk.keys / f'{name}.pub').read_text()}"
        for name, called in (("zoe", "Zoë"), ("alba", "Alba"), ("bruno", "Bruno"))
    }
    for names, status in ((("zoe", "alba", "bruno"), 0), (("zoe", "alba"), 1)):
        (desk.folder / "signers").write_text("".join(lines[name] for name in names))
        ran = desk("audit", "match.json", "--signers", "signers")
        assert ran.status == status, ran.out
        assert ", listed as Alba: Alba\n" in ran.out
    assert "[key-not-listed]" in ran.out


def test_one_flipped_bit_is_a_fault(desk: Desk) -> None:
    desk.finish()
    desk.did("export", "-o", "match.json")
    stranger(desk)
    data = bytearray((desk.folder / "match.json").read_bytes())
    for place in (1, 100, len(data) // 2, len(data) - 3):
        damaged = bytearray(data)
        damaged[place] ^= 1
        ran = desk("audit", "-", stdin=bytes(damaged))
        assert (ran.status, "verdict: FAULTS" in ran.out) == (1, True), place
        faults = [line for line in ran.out.splitlines() if line.startswith("FAULT ")]
        assert faults
        assert all(line.endswith(".") for line in faults)


def test_the_moves_go_out_for_opentafl_and_come_in_again(desk: Desk) -> None:
    desk.finish()
    desk.did("export", "--format", "otn", "--output", "match.otg")
    text = (desk.folder / "match.otg").read_text()
    assert "[rules:dim:9 " in text
    assert "1. e3-f3 e2-h2\n" in text
    said = desk.did("import", "match.otg", "--key", "zoe")
    assert "opentafl, tablut: 9 moves judged and equal." in said
    assert desk("export", "--format", "pgn").err.startswith("error[bad-option]: ")


# -- import ----------------------------------------------------------------------------------


def test_a_game_of_another_program_becomes_a_match(desk: Desk) -> None:
    desk.make_keys("zoe")
    (desk.folder / "game.log").write_text(log(WHITE_WINS))
    said = desk.did("import", "game.log")
    assert said.startswith("match HASH\n")
    assert f"{len(WHITE_WINS)} moves judged and equal." in said
    assert "next: tabellion export MATCH --output match.json\n" in said
    assert desk.types() == ["match.opened", *["move"] * len(WHITE_WINS), "match.closed"]
    assert desk("audit").status == 0


def test_a_file_is_imported_once_unless_asked_for_again(desk: Desk) -> None:
    desk.make_keys("zoe")
    data = log(WHITE_WINS).encode()
    desk.did("import", "-", stdin=data)
    ran = desk("import", "-", stdin=data)
    assert (ran.status, ran.code) == (1, "imported-already")
    assert desk.types().count("match.opened") == 1
    desk.did("import", "-", "--again", stdin=data)
    assert desk.types().count("match.opened") == 2
    desk.did("init", "--rebuild")
    assert desk("import", "-", stdin=data).code == "imported-already"


def test_a_game_that_was_not_finished_stays_open(desk: Desk) -> None:
    desk.make_keys("zoe")
    said = desk.did("import", "-", stdin=log(OPEN).encode())
    assert "next: tabellion move MOVE -m MATCH\n" in said


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "empty-file"),
        (b"hello", "unknown-format"),
        (b"\0" * 5000, "unknown-format"),
        (log(WHITE_WINS).replace("g5 to g4", "g5 to g9").encode(), None),
    ],
    ids=["empty", "text", "NUL", "a move that cannot be"],
)
def test_what_cannot_be_imported_writes_nothing(desk: Desk, data: bytes, code: str | None) -> None:
    desk.make_keys("zoe")
    ran = desk("import", "-", stdin=data)
    assert ran.status in (1, 2)
    assert ran.err.startswith(f"error[{code}]: " if code else "error[")
    assert not desk.ledger.exists()


def test_our_own_record_comes_in_and_a_ledger_does_not(desk: Desk) -> None:
    desk.finish()
    desk.did("export", "-o", "match.json")
    assert "Both are the same." in desk.did("import", "match.json")
    assert desk("import", str(desk.ledger)).code == "own-ledger"


# -- demo ------------------------------------------------------------------------------------


def test_the_demo_is_short_true_and_leaves_nothing_behind(desk: Desk) -> None:
    temporary = desk.folder / "tmp"
    temporary.mkdir()
    before = sorted(os.listdir(desk.folder))
    start = time.monotonic()
    ran = desk.process("demo", environment={"TMPDIR": str(temporary)})
    assert time.monotonic() - start < 5
    assert ran.status == 0, ran.err
    for said in ("verdict: SOUND", "verdict: FAULTS", "(taken back)", "countersigns"):
        assert said in ran.out or said == "(taken back)", said
    assert "error[blocked]: e4-e6 is refused: the king stands on e5.\n" in ran.err
    assert ran.out.endswith("That was all. The folder is gone again.\n")
    assert os.listdir(temporary) == []
    assert sorted(os.listdir(desk.folder)) == before


def test_the_demo_keeps_its_folder_if_asked(desk: Desk) -> None:
    ran = desk.process("demo", "--keep", environment={"TMPDIR": str(desk.folder)})
    folder = ran.out.rstrip(".\n").split()[-1]
    assert sorted(os.listdir(folder)) == ["elsewhere", "table"]


def test_the_demo_does_not_see_the_keys_and_matches_of_the_user(desk: Desk) -> None:
    desk.open()
    before = desk.ledger.read_bytes()
    variables = {"TABELLION_KEY": "zoe", "TABELLION_MATCH": "00", "TMPDIR": str(desk.folder)}
    assert desk.process("demo", environment=variables).status == 0
    assert desk.ledger.read_bytes() == before
    assert len(desk("list").out.splitlines()) == 1


def test_the_demo_leaves_the_program_as_it_was(desk: Desk) -> None:
    home, environment = os.getcwd(), dict(os.environ)
    assert desk("demo").status == 0
    assert (os.getcwd(), dict(os.environ)) == (home, environment)
