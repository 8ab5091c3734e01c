"""The doctor: what he looks at, what he says of it, and that he changes nothing.

Where a finding needs another machine (an old SQLite, a network disk, a wrong clock), that is told
to him; everything else is really so.
"""

from __future__ import annotations

import os
import shutil
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
import table
from terminal import Desk
from test_store import Holder, tamper, without_triggers

from ledger import page
from ledger.doctor import examine, program
from ledger.keys import Keyring
from ledger.store import FORMAT, Store
from ledger.surroundings import clock, network, rights, space
from ledger.views import Finding
from ledger.web import assembled

NOW = datetime(2026, 11, 29, 18, 0, 5, tzinfo=UTC)
"""A little after the clock of the table."""
GOLDEN = Path(__file__).parent / "golden"


@pytest.fixture
def ring(tmp_path: Path) -> Keyring:
    return Keyring(tmp_path / "keys")


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    """A ledger with one whole match, its owner's alone."""
    folder = tmp_path / "desk"
    folder.mkdir(mode=0o700)
    with table.new_service(folder / "ledger.db") as service:
        table.whole_game(service)
    return folder / "ledger.db"


def looked(path: Path, ring: Keyring, now: datetime = NOW, mounts: str = "") -> list[Finding]:
    return list(examine(path, ring, now, mounts).findings)


def unwell(path: Path, ring: Keyring) -> list[tuple[str, str]]:
    found = looked(path, ring)
    assert all(bool(each.remedy) == (each.state != "ok") for each in found)
    return [(each.state, each.what) for each in found if each.state != "ok"]


def the(what: str, found: list[Finding]) -> Finding:
    (one,) = (each for each in found if each.what == what)
    return one


def test_where_there_is_nothing_yet_all_is_well(tmp_path: Path, ring: Keyring) -> None:
    path = tmp_path / "none" / "yet" / "ledger.db"
    found = looked(path, ring)
    assert {each.state for each in found} == {"ok"}
    assert the("ledger", found).text == f"There is no ledger at {path} yet."
    assert the("keys", found).text == "There is no key here yet."
    assert [each.name for each in tmp_path.iterdir()] == []


def test_a_sound_desk_is_told_so(ledger: Path, ring: Keyring) -> None:
    ring.create("zoe", b"a passphrase")
    found = looked(ledger, ring)
    assert [each for each in found if each.state != "ok"] == []
    assert [each.what for each in found] == [
        *("program", "page", "player's page", "ledger", "matches", "rights", "disk", "clock"),
        "key zoe",
    ]
    assert the("ledger", found).text == f"{ledger}, format {FORMAT}."
    assert the("matches", found).text == "1 match, 15 events: all sound."
    assert the("key zoe", found).text == "Encrypted."


def test_nothing_is_changed(ledger: Path, tmp_path: Path, ring: Keyring) -> None:
    old = Path(shutil.copy(GOLDEN / "v1.db", tmp_path / "old.db"))
    ring.create("zoe", None)
    ring.folder.joinpath("zoe").chmod(0o644)
    files = [old, ledger, *ring.folder.iterdir()]
    before = [(sha256(each.read_bytes()).digest(), each.stat().st_mode) for each in files]
    looked(old, ring)
    looked(ledger, ring)
    after = [(sha256(each.read_bytes()).digest(), each.stat().st_mode) for each in files]
    assert after == before


# -- the program ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sqlite", "state"),
    [
        ((3, 40, 1), "warn"),
        ((3, 44, 5), "warn"),
        ((3, 44, 6), "ok"),
        ((3, 45, 0), "warn"),
        ((3, 50, 6), "warn"),
        ((3, 50, 7), "ok"),
        ((3, 51, 0), "warn"),
        ((3, 51, 2), "warn"),
        ((3, 51, 3), "ok"),
        ((3, 53, 4), "ok"),
    ],
)
def test_a_sqlite_that_can_lose_its_log_is_named(sqlite: tuple[int, int, int], state: str) -> None:
    (found,) = program("3.11.2", "sqlite3", sqlite)
    assert found.state == state
    assert f"SQLite {'.'.join(map(str, sqlite))} (sqlite3)" in found.text
    assert ("WAL-reset bug" in found.text) == (state == "warn") == bool(found.remedy)


def test_the_hashes_of_the_verifying_page_and_the_players_are_told(
    ledger: Path, ring: Keyring
) -> None:
    found = looked(ledger, ring)
    assert the("page", found).text.endswith(f" {sha256(page.page()).hexdigest()}.")
    player = sha256(assembled.player()).hexdigest()
    assert the("player's page", found).text.endswith(f" {player}.")


# -- the ledger ----------------------------------------------------------------------------


def test_an_older_format_is_told_and_left(tmp_path: Path, ring: Keyring) -> None:
    old = Path(shutil.copy(GOLDEN / "v1.db", tmp_path / "old.db"))
    found = looked(old, ring)
    assert the("ledger", found) == Finding(
        "ledger", "ok", f"{old}, format 1; the next write brings it to format {FORMAT}."
    )
    assert the("matches", found).text == "1 match, 15 events: all sound."


def test_what_was_set_aside_is_counted(ledger: Path, ring: Keyring) -> None:
    with Store.open(ledger) as store, store.writing():
        store.set_aside(store.matches()[0], 12)
    found = looked(ledger, ring)
    assert the("set aside", found) == Finding("set aside", "ok", "2 events of 1 match.")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"1. e3-f3 e2-h2\n" * 100, "not an SQLite file"),
        (b"", "is empty"),
        (None, "is not a file"),
    ],
)
def test_what_is_no_ledger_is_a_fault(
    tmp_path: Path, ring: Keyring, data: bytes | None, words: str
) -> None:
    path = tmp_path / "file"
    path.mkdir() if data is None else path.write_bytes(data)
    path.chmod(0o700)
    found = the("ledger", looked(path, ring))
    assert found.state == "fault"
    assert words in found.text


def test_every_page_of_a_damaged_file_gives_findings_and_no_error(
    ledger: Path, ring: Keyring
) -> None:
    whole = ledger.read_bytes()
    for start in range(0, len(whole), 4096):
        ledger.write_bytes(whole[:start] + b"\x5a" * 4096 + whole[start + 4096 :])
        assert ("fault", "ledger") in unwell(ledger, ring), f"page {start // 4096}"
        for helper in ledger.parent.glob("*-*"):
            helper.unlink()


def test_a_later_format_is_a_fault_with_its_remedy(ledger: Path, ring: Keyring) -> None:
    tamper(ledger, "PRAGMA user_version=99")
    found = the("ledger", looked(ledger, ring))
    assert (found.state, found.remedy) == (
        "fault",
        "Use the newer Tabellion. Nothing was changed.",
    )


def test_a_dropped_trigger_is_a_fault_of_the_file(ledger: Path, ring: Keyring) -> None:
    tamper(ledger, "DROP TRIGGER set_aside_move")
    (found,) = (each for each in looked(ledger, ring) if each.state == "fault")
    assert found == Finding(
        "ledger",
        "fault",
        "The ledger's own 'set_aside_move' is missing or altered.",
        "Keep the file as it is and work on a copy.",
    )


def test_lists_that_say_something_else_are_made_anew(ledger: Path, ring: Keyring) -> None:
    tamper(ledger, "UPDATE seats SET name = 'Anna' WHERE name = 'Alba'")
    (found,) = (each for each in looked(ledger, ring) if each.state == "fault")
    assert (found.what, found.remedy) == ("ledger", "tabellion init --rebuild")


def test_a_match_with_a_forged_event_is_named_with_the_audit(ledger: Path, ring: Keyring) -> None:
    without_triggers(ledger, "UPDATE events SET signature = zeroblob(64) WHERE seq IN (3, 4)")
    (found,) = (each for each in looked(ledger, ring) if each.state == "fault")
    with Store.open(ledger, write=False) as store:
        (match,) = store.matches()
    assert found.what == f"match {match[:12]}, event 3"
    assert "signature" in found.text
    assert found.text.endswith("And 1 other fault.")
    assert found.remedy == f"tabellion audit {match[:12]}"


def test_a_ledger_that_somebody_has_for_himself_is_a_warning(
    ledger: Path, ring: Keyring, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ledger.sqlitefile.BUSY_SECONDS", 0.1)
    mine = ("PRAGMA locking_mode=EXCLUSIVE", "BEGIN IMMEDIATE", "DELETE FROM seats", "ROLLBACK")
    with Holder(ledger, *mine):
        found = the("ledger", looked(ledger, ring))
    assert (found.state, found.remedy) == ("warn", "Try again.")


# -- around it -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("file", "folder", "said"),
    [
        (0o600, 0o755, []),
        (0o644, 0o700, []),
        (0o644, 0o755, ["Others may read"]),
        (0o666, 0o755, ["Others may write to"]),
        (0o640, 0o750, ["Others may read"]),
        (0o600, 0o777, ["could put another ledger there"]),
        (0o600, 0o1777, []),
        (0o666, 0o777, ["could put another ledger there", "Others may write to"]),
    ],
)
def test_a_ledger_that_others_reach_is_named(
    ledger: Path, file: int, folder: int, said: list[str]
) -> None:
    ledger.chmod(file)
    ledger.parent.chmod(folder)
    found = [each for each in rights(ledger) if each.state == "warn"]
    assert len(found) == len(said)
    for finding, words in zip(found, said, strict=True):
        assert words in finding.text
        assert finding.remedy.startswith("chmod go-")
        os.system(finding.remedy)
    assert [each.state for each in rights(ledger)] == ["ok"]


def test_a_new_ledger_is_its_owners_alone(tmp_path: Path) -> None:
    Store.open(tmp_path / "ledger.db", create=True).close()
    assert (tmp_path / "ledger.db").stat().st_mode & 0o777 == 0o600


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
@pytest.mark.parametrize("ending", ["-wal", "-shm"])
def test_a_log_of_another_user_is_named(ledger: Path, ending: str) -> None:
    beside = ledger.with_name(f"ledger.db{ending}")
    beside.write_bytes(b"")
    os.chown(beside, 65534, 65534)
    (found,) = rights(ledger)
    assert found.text == f"{beside} belongs to another user than the ledger."
    os.system(found.remedy.removeprefix("sudo "))
    assert [each.state for each in rights(ledger)] == ["ok"]


MOUNTS = """\
22 1 254:1 / / rw,relatime shared:1 - ext4 /dev/vda1 rw
40 22 0:35 / /mnt/club rw,relatime shared:9 - nfs4 nas:/club rw,vers=4.2
41 40 0:36 / /mnt/club/here rw - ext4 /dev/sdb1 rw
42 22 0:37 / /mnt/my\\040stick rw,relatime - fuse.sshfs zoe@nas: rw
a line of another form
"""


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/mnt/club/ledger.db", "nfs4"),
        ("/mnt/club/spring/ledger.db", "nfs4"),
        ("/mnt/my stick/ledger.db", "fuse.sshfs"),
        ("/mnt/club/here/ledger.db", None),
        ("/mnt/clubs/ledger.db", None),
        ("/home/zoe/ledger.db", None),
    ],
)
def test_a_disk_of_another_machine_is_named(path: str, kind: str | None) -> None:
    found = list(network(Path(path), MOUNTS))
    assert [each.state for each in found] == (["warn"] if kind else [])
    if kind:
        assert f"({kind})" in found[0].text
    assert list(network(Path(path), "")) == []


def test_a_full_disk_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (found,) = space(tmp_path / "ledger.db")
    assert found.state == "ok"
    monkeypatch.setattr("ledger.surroundings._ENOUGH", 10**18)
    (found,) = space(tmp_path / "none" / "ledger.db")
    assert (found.state, found.remedy) == ("warn", f"df -h {tmp_path}")


@pytest.mark.parametrize(
    ("now", "latest", "words"),
    [
        ("2026-11-29T18:00:00Z", None, None),
        ("2026-11-29T18:00:00Z", "2026-11-29T18:00:00Z", None),
        ("2040-11-29T18:00:00Z", "2026-11-29T18:00:00Z", None),
        ("1970-01-01T00:00:09Z", None, "before there was anything"),
        ("2025-12-31T23:59:59Z", "2026-11-29T18:00:00Z", "before there was anything"),
        ("2026-11-29T17:59:59Z", "2026-11-29T18:00:00Z", "the latest event was stored at 2026-"),
        ("2066-11-29T18:00:00Z", "2026-11-29T18:00:00Z", "decades after the latest event"),
    ],
)
def test_a_clock_that_cannot_be_right_is_named(
    now: str, latest: str | None, words: str | None
) -> None:
    before = datetime.fromisoformat(latest) if latest else None
    (found,) = clock(datetime.fromisoformat(now), before)
    assert found.state == ("warn" if words else "ok")
    assert (words or now) in found.text


def test_the_clock_is_held_against_the_latest_event(ledger: Path, ring: Keyring) -> None:
    early = NOW.replace(hour=17)
    assert the("clock", looked(ledger, ring, early)).state == "warn"
    without_triggers(ledger, "UPDATE events SET recorded_at = 'tomorrow' WHERE seq > 3")
    without_triggers(ledger, "UPDATE events SET recorded_at = '2026-11-29' WHERE seq > 9")
    assert "stored at 2026-11-29T18:00:00Z" in the("clock", looked(ledger, ring, early)).text
    assert the("clock", looked(ledger, ring)).state == "ok"


# -- keys ----------------------------------------------------------------------------------


def test_every_key_is_looked_at(tmp_path: Path, ring: Keyring) -> None:
    for name in ("open", "plain", "damaged", "swapped"):
        ring.create(name, None)
    ring.create("locked", b"a passphrase")
    ring.folder.joinpath("open").chmod(0o644)
    ring.folder.joinpath("damaged").write_bytes(b"no key")
    shutil.copy(ring.folder / "plain.pub", ring.folder / "swapped.pub")
    found = looked(tmp_path / "none.db", ring)
    assert {each.what: each.state for each in found if each.what.startswith("key ")} == {
        "key damaged": "fault",
        "key locked": "ok",
        "key open": "fault",
        "key plain": "warn",
        "key swapped": "fault",
    }
    assert the("key open", found).remedy == f"chmod 600 {ring.folder / 'open'}"
    assert the("key plain", found).remedy == f"ssh-keygen -p -f {ring.folder / 'plain'}"
    assert the("key swapped", found).text == "swapped.pub belongs to another key."
    os.system(the("key open", found).remedy)
    assert the("key open", looked(tmp_path / "none.db", ring)).state == "warn"


def test_a_folder_of_keys_that_is_a_file_is_a_fault(tmp_path: Path, ring: Keyring) -> None:
    ring.folder.write_bytes(b"")
    assert unwell(tmp_path / "none.db", ring) == [("fault", "keys")]


# -- as it is typed ------------------------------------------------------------------------


@pytest.fixture
def desk(tmp_path: Any, monkeypatch: Any, capsys: Any) -> Desk:
    return Desk(tmp_path, monkeypatch, capsys)


def test_warnings_are_no_faults(desk: Desk) -> None:
    desk.finish()
    ran = desk("doctor")
    assert (ran.status, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[3] == f"ok ledger: {desk.ledger}, format {FORMAT}."
    assert lines[4] == "ok matches: 1 match, 15 events: all sound."
    assert lines[-2] == (
        "WARN key zoe: It is not encrypted: who takes this device can sign with it. "
        f"Remedy: ssh-keygen -p -f {desk.keys / 'zoe'}"
    )
    assert lines[-1] == "0 faults, 3 warnings"


def test_a_fault_is_said_in_the_exit_status(desk: Desk) -> None:
    desk.finish()
    tamper(desk.ledger, "DROP TRIGGER events_never_go")
    ran = desk("doctor")
    assert ran.status == 1
    assert "FAULT ledger: The ledger's own 'events_never_go' is missing" in ran.out
    assert ran.out.splitlines()[-1] == "1 fault, 3 warnings"


def test_before_the_first_command_the_doctor_has_nothing_to_say(desk: Desk) -> None:
    ran = desk("doctor")
    assert ran.status == 0
    assert ran.out.endswith("0 faults, 0 warnings\n")
    assert not desk.ledger.exists()


def test_a_backup_as_it_is_typed(desk: Desk) -> None:
    match = desk.finish()
    ran = desk("backup", "copy of mine.db")
    digest = sha256((desk.folder / "copy of mine.db").read_bytes()).hexdigest()
    assert ran.out == f"copy of mine.db: 1 match, 15 events, SHA-256 {digest}\n"
    assert ran.err == (
        "next: keep it on another disk; look into it with: tabellion audit 'copy of mine.db'\n"
    )
    assert "verdict: SOUND, 15 events" in desk.did("audit", "copy of mine.db")
    assert match in desk("show", "--ledger", "copy of mine.db", "--json").out
    ran = desk("backup", "copy of mine.db")
    assert (ran.status, ran.code) == (4, "file-exists")
    assert desk("backup", "copy of mine.db", "--force").status == 0
    ran = desk("backup", str(desk.ledger), "--force")
    assert (ran.status, ran.code) == (4, "is-the-ledger")
    ran = desk("backup", "b.db", "--ledger", "none.db")
    assert (ran.status, ran.code) == (3, "no-ledger")
