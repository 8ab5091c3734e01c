"""Archives from the command line: a whole ledger out, audited by a stranger, and in elsewhere."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs
import pexpect
import pytest
import tournament
from table import KEYS, accept, new_service, opening, play, whole_game
from terminal import PROGRAM, Desk

from cli.archives import write_all
from ledger import record, schemas
from ledger.errors import NotAllowed, NotFound
from ledger.store import Store

SOUND = """\
archive: SOUND, 3 matches
events: 82
sound: 3
faulty: 0
could not be checked: 0
"""


@pytest.fixture
def desk(tmp_path: Any, monkeypatch: Any, capsys: Any) -> Desk:
    return Desk(tmp_path, monkeypatch, capsys)


@cache
def line(number: int) -> bytes:
    """A short match of the tournament as a record."""
    return record.write(tournament.played(number, longest=22))


def flipped(number: int) -> bytes:
    """The record with one letter changed in the signature of its last event."""
    data = line(number)
    place = data.rindex(b'"sig":"') + 20
    return data[:place] + (b"A" if data[place : place + 1] != b"A" else b"B") + data[place + 1 :]


def write(desk: Desk, *lines: bytes) -> None:
    (desk.folder / "archive.jsonl").write_bytes(b"".join(lines))


def stored(desk: Desk) -> list[list[bytes]]:
    """Every match of the ledger, in its order, as signed bytes."""
    with Store.open(desk.ledger, write=False) as store:
        return [[row.payload for row in store.rows(each)] for each in store.matches()]


# -- out -----------------------------------------------------------------------------------------


def test_every_match_goes_out_in_the_ledgers_order(tmp_path: Path, capsysbinary: Any) -> None:
    with new_service(tmp_path / "l.db") as service:
        whole_game(service)
        state = service.open_match(opening(nonce="07" * 16), KEYS["arbiter"])
        service.append(state.match, [accept("swedes"), accept("muscovites"), play("e3-f3")], KEYS)
        expected = [record.write(service.envelopes(each)) for each in service.store.matches()]
        path = tmp_path / "archive.jsonl"
        write_all(service, str(path), force=False)
        said = capsysbinary.readouterr()
        assert path.read_bytes() == b"".join(expected)
        assert said.out == b""
        assert said.err.decode() == (
            f"{path}: 2 matches, 19 events\nnext: anybody can run: tabellion audit {path}\n"
        )
        write_all(service, "-", force=False)
        assert capsysbinary.readouterr().out == path.read_bytes()
        with pytest.raises(NotAllowed, match="is there already"):
            write_all(service, str(path), force=False)
        write_all(service, str(path), force=True)
        assert sorted(os.listdir(tmp_path))[0] == "archive.jsonl", "no half file is left"


def test_an_archive_that_cannot_be_finished_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "archive.jsonl"
    path.write_bytes(b"the archive of yesterday")
    with new_service(tmp_path / "l.db") as service:
        with pytest.raises(NotFound, match="no match"):
            write_all(service, str(path), force=True)
        whole_game(service)
        os.chmod(tmp_path, 0o500)
        try:
            if not os.access(tmp_path, os.W_OK):
                with pytest.raises(NotAllowed, match="was not written"):
                    write_all(service, str(path), force=True)
        finally:
            os.chmod(tmp_path, 0o700)
        with pytest.raises(NotAllowed, match="is a folder"):
            write_all(service, str(tmp_path), force=True)
    assert path.read_bytes() == b"the archive of yesterday"


def test_a_ledger_goes_out_and_comes_in_elsewhere_the_same(desk: Desk) -> None:
    desk.finish()
    desk.open()
    said = desk.did("export", "--all", "-o", "archive.jsonl")
    assert said == (
        "archive.jsonl: 2 matches, 18 events\n"
        "next: anybody can run: tabellion audit archive.jsonl\n"
    )
    archive = (desk.folder / "archive.jsonl").read_bytes()
    assert desk.process("export", "--all").out.encode() == archive
    assert desk("audit", "archive.jsonl").status == 0
    assert desk("import", "archive.jsonl", "--ledger", "elsewhere.db").status == 0
    assert desk.process("export", "--all", "--ledger", "elsewhere.db").out.encode() == archive


# -- the audit -----------------------------------------------------------------------------------


def test_a_sound_archive_is_told_in_five_lines(desk: Desk) -> None:
    write(desk, line(0), line(1), line(2))
    assert desk.did("audit", "archive.jsonl") == SOUND
    assert desk.did("audit", "-", stdin=line(0) + line(1) + line(2)) == SOUND


def test_faulty_lines_are_told_after_the_summary(desk: Desk) -> None:
    write(desk, line(0), flipped(1), b"\n", line(2), line(2)[:-400])
    ran = desk("audit", "archive.jsonl")
    assert ran.status == 1
    said = ran.out.splitlines()
    assert said[:6] == [
        "archive: FAULTS, 4 matches",
        f"events: {sum(len(record.read(line(n)).pieces) for n in (0, 1, 2, 2))}",
        "sound: 2",
        "faulty: 2 (lines 2, 5)",
        "could not be checked: 0",
        "lines that hold no match: 1",
    ]
    begins = [each for each in said if each.startswith(("line ", "FAULT "))]
    assert [each.split("]")[0] for each in begins[:4]] == [
        "line 2:",
        "FAULT event 27 [bad-signature",
        "line 3: no match",
        "FAULT line 3: It is empty.",
    ]
    assert begins[4] == "line 5:"
    assert said[said.index("line 2:") + 1].startswith("verdict: FAULTS, 28 events, head ")
    assert any("stands on line 4 too, and the two copies are not the same" in e for e in said)
    assert ran.out.count("Times are the signers' own clocks") == 1
    assert "of every match named here:" in said


def test_of_many_lines_that_are_nothing_some_are_told_and_all_are_counted(desk: Desk) -> None:
    write(desk, line(0), line(1), *[b"x\n"] * 300)
    ran = desk("audit", "archive.jsonl")
    assert "lines that hold no match: 300\n" in ran.out
    assert ran.out.count("This is no record of Tabellion.") == 20
    assert ran.out.endswith("\nand 280 more lines that hold no match\n")


def faults_of_form(command: str, found: Any) -> list[str]:
    checker = jsonschema_rs.validator_for(schemas.load(f"commands/{command}"))
    return [str(error) for error in checker.iter_errors(found)]


def test_what_programs_read(desk: Desk) -> None:
    write(desk, line(0), flipped(1), b"\n", line(0))
    ran = desk("audit", "archive.jsonl", "--json")
    found = json.loads(ran.out)
    assert (ran.status, found["verdict"], found["reports"]) == (1, "faults", [])
    assert not faults_of_form("audit", found)
    lines = found["archive"].pop("lines")
    assert (
        [(each["line"], each["match"] and each["match"][:4]) for each in lines]
        == [
            (2, record.read(line(1)).pieces[0].hash[:4]),  # type: ignore[union-attr]
            (3, None),
            (4, record.read(line(0)).pieces[0].hash[:4]),  # type: ignore[union-attr]
        ]
    )
    assert [fault["code"] for fault in lines[0]["report"]["faults"]] == ["bad-signature"]
    assert found["archive"]["sound"] == 2
    assert ran.out == json.dumps(json.loads(ran.out), indent=2, ensure_ascii=False) + "\n"


def test_keys_and_heads_that_the_reader_brings(desk: Desk) -> None:
    write(desk, line(0), line(1))
    (desk.folder / "signers").write_text(f"zoe {tournament.key(0).public.line}\n")
    ran = desk("audit", "archive.jsonl", "--signers", "signers")
    assert ran.status == 1
    assert ran.out.count("[key-not-listed]") == 5  # the arbiter of the first match alone is listed
    ran = desk("audit", "archive.jsonl", "--head", "0" * 64)
    assert (ran.status, ran.code, ran.out) == (2, "usage", "")


def test_a_pipe_sees_no_bar_and_a_terminal_does(desk: Desk) -> None:
    write(desk, line(0), line(1), line(2))
    ran = desk.process("audit", "archive.jsonl")
    assert (ran.status, ran.out, ran.err) == (0, SOUND, "")
    at_once = pexpect.run(f"{PROGRAM} audit archive.jsonl", env={**os.environ, "TERM": "xterm"})
    assert b"auditing" not in at_once  # done before anybody would have looked
    write(desk, *(line(number % 3) for number in range(300)))
    seen = pexpect.run(f"{PROGRAM} audit archive.jsonl", env={**os.environ, "TERM": "xterm"})
    said = seen.decode()
    assert "auditing" in said
    assert "matches, " in said
    assert "events a second" in said


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_tells_what_was_found_so_far(desk: Desk) -> None:
    with subprocess.Popen(
        [str(PROGRAM), "audit", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as running:
        assert running.stdin
        for number in range(600):  # more than a pipe and the first piece hold
            running.stdin.write(flipped(1) if number == 0 else line(number % 4))
        running.stdin.flush()
        time.sleep(2)
        os.killpg(running.pid, signal.SIGINT)  # as a terminal does: to all processes at once
        out, err = running.communicate(timeout=30)
    assert running.returncode == 130, err
    assert err == b""
    said = out.decode()
    assert said.startswith("archive: FAULTS, ")
    assert "\nUNFINISHED: it was stopped" in said
    assert "\nline 1:\n" in said


# -- in ------------------------------------------------------------------------------------------


def test_an_archive_comes_in_match_by_match_and_only_once(desk: Desk) -> None:
    write(desk, line(0), flipped(1), line(2), b"\n", line(0))
    first = desk("import", "archive.jsonl")
    assert first.status == 1
    said = [" ".join(each.split()) for each in desk.plain(first.out).splitlines()]
    assert said == [
        "line 1 match HASH 27 new events",
        "line 2 match HASH REFUSED [bad-signature]: Event 27: The signature is not the one of "
        "black over these bytes.",
        "line 3 match HASH 27 new events",
        "line 4 no match REFUSED [line-damaged]: It is empty.",
        "line 5 match HASH nothing new",
        "2 matches with 54 new events, 1 with nothing new, 2 refused",
        "refused: lines 2, 4",
    ]
    before = stored(desk)
    assert [len(each) for each in before] == [27, 27]
    again = desk("import", "archive.jsonl")
    assert "0 matches with 0 new events, 3 with nothing new, 2 refused" in again.out
    assert stored(desk) == before
    write(desk, line(0), line(2))
    assert desk("import", "archive.jsonl").status == 0
    assert desk("audit").status == 0


def test_what_programs_read_of_an_import(desk: Desk) -> None:
    write(desk, line(0), flipped(1))
    ran = desk("import", "archive.jsonl", "--json")
    found = json.loads(ran.out)
    assert ran.status == 1
    assert not faults_of_form("import-archive", found)
    lines = found.pop("lines")
    assert found == {"matches": 1, "events": 27, "unchanged": 0, "refused": 1, "finished": True}
    assert [(each["line"], each["standing"], each["refused"]) for each in lines] == [
        (1, "longer", None),
        (2, None, "bad-signature"),
    ]


def test_a_copy_that_goes_on_brings_its_rest_and_one_that_parts_is_set_aside(desk: Desk) -> None:
    whole = record.read(line(0)).pieces
    write(desk, record.write(whole[:9]), line(2))  # type: ignore[arg-type]
    assert desk("import", "archive.jsonl").status == 0
    write(desk, line(0), line(2))
    said = desk("import", "archive.jsonl").out
    assert f"{len(whole) - 9} new events" in said
    assert "1 match with" in said
    assert [len(each) for each in stored(desk)] == [27, 27]


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize(("blow", "status"), [(signal.SIGKILL, -9), (signal.SIGINT, 130)])
def test_an_import_that_is_broken_off_leaves_whole_matches(
    desk: Desk, blow: signal.Signals, status: int
) -> None:
    lines = [line(number) for number in range(40)]
    write(desk, *lines)
    with subprocess.Popen(
        [str(PROGRAM), "import", "archive.jsonl"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    ) as running:
        assert running.stdout
        for _ in range(3):
            running.stdout.readline()
        running.send_signal(blow)
        out, err = running.communicate(timeout=30)
    assert running.returncode == status, err
    assert (b"UNFINISHED" in out) == (status == 130)
    events = [[each.payload for each in record.read(one).pieces] for one in lines]  # type: ignore[union-attr]
    here = stored(desk)
    assert 3 <= len(here) < 40
    assert here == events[: len(here)]
    ran = desk("import", "archive.jsonl")
    assert ran.status == 0, ran.err
    assert f"{40 - len(here)} matches with" in ran.out
    assert stored(desk) == events
