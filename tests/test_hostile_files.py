"""Files from anybody: whatever is in them, every command ends with its own word and status.

Real files are cut, stirred and spiced with what steers terminals and upsets readers; events are
changed and signed again, so that only what they say is amiss. No command may meet a bug, show a
traceback, or print what could steer a terminal; what it refuses, it has not written.
"""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from pathlib import Path
from random import Random
from typing import Any

import bologna_log
import msgspec
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from table import KEYS, SHORT_GAME, STRANGER, new_service, note, whole_game
from terminal import Desk, Ran

from cli import desk as commands_desk
from ledger import envelope as envelopes
from ledger import record
from ledger.envelope import Envelope
from ledger.texts import notation

STEERING = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
"""What could steer a terminal: named here once more, for the program's own list may be wrong."""
STATUSES = {0, 1, 2, 3, 4, 6}
SPICE = (
    *(b"\x1b[2J\x1b]0;owned\x07", b"\xc2\x9b31m", b"\x00", b"\x7f", b"\r", b"\n", b"\t", b" "),
    *(b"\xff\xfe", b"\xed\xa0\x80", b"\xef\xbb\xbf", "\u202e".encode(), "e\u0301".encode()),
    *("\u2028".encode(), "\U000e0001".encode(), "\u0378".encode(), b"'", b'"', b"\\", b"%s{}"),
    *(b"null", b"true", b"-1", b"1e999", b"9" * 40, b"1.5", b"[]", b"{}", b"[" * 5000),
    *(b'{"a":' * 3000, b"\\ud800", b"\\u0000", b"SQLite format 3\x00", b"../../etc/passwd"),
    *(b"PRIVATE KEY", b"ssh-ed25519 ", b"#", b"|", b"[rules:", b"x", b"A" * 5000),
)
"""What is thrown into files: control and direction characters, broken encodings, odd values."""
ODD: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 3, 2**53, 2**70, 1.5, 1e308, "", " ", "x", "A" * 300, [], {}),
    *("\x1b[2J", "\u202e", "e\u0301", "\u0378", "\x00", "[b|c]", "a\nb", "0" * 64, "f" * 64),
    *("arbiter", "swedes", "muscovites", "witness1", "appeal", "draw", "rewind", "draw.claimed"),
    *([[]], ["swedes"], {"to": 0}, {"name": "x"}, {"": ""}, "ssh-ed25519 " + "A" * 68, "tablut"),
)
"""What takes the place of a value in an event."""
lucks = st.integers(0, 2**32)


def hostile(examples: int) -> Callable[[Any], Any]:
    """So many lots, on a desk that stays."""
    health = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]

    def decorate(test: Any) -> Any:
        drawn = given(lucks)(example(luck=0)(test))
        return settings(max_examples=examples, suppress_health_check=health)(drawn)

    return decorate


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> Desk:
    return Desk(tmp_path, monkeypatch, capsys)


def run(desk: Desk, *arguments: str, stdin: bytes = b"") -> Ran:
    """Run a command, whatever it says, and look how it says it."""
    ran = desk(*arguments, stdin=stdin)
    said = ran.out + ran.err
    assert ran.status in STATUSES, (arguments, ran)
    assert "Traceback" not in said, (arguments, said)
    assert not STEERING.search(said), (arguments, said)
    assert not re.search(r"object at 0x|\b[A-Z][A-Za-z]+(Error|Exception)\b", ran.err), ran.err
    assert ran.status != 0 or "error[" not in ran.err, (arguments, ran.err)
    if ran.err.startswith("error["):
        assert re.match(r"error\[[a-z0-9]+(-[a-z0-9]+)*\]: [^ ]", ran.err), ran.err
        assert ran.status
    if "--json" in arguments and ran.out:
        json.loads(ran.out)
    return ran


# -- how files are spoilt ------------------------------------------------------------------------


def spoilt(lot: Random, data: bytes, other: bytes = b"") -> bytes:
    """``data`` cut, stirred, spiced, or exchanged for noise."""
    if lot.random() < 0.05:
        return lot.randbytes(lot.choice([0, 1, 40, 3000]))
    for _ in range(lot.choice([1, 1, 1, 2, 3, 8])):
        start = lot.randint(0, len(data))
        end = min(len(data), start + lot.choice([1, 1, 4, 60, 1000]))
        what = lot.randrange(7)
        if what == 0 and end > start:  # a bit
            flipped = bytes([data[start] ^ 1 << lot.randrange(8)])
            data = data[:start] + flipped + data[start + 1 :]
        elif what == 1:
            data = data[:start]
        elif what == 2:
            data = data[:start] + data[end:]
        elif what == 3:
            data = data[:end] + data[start:]
        elif what == 4 and other:
            place = lot.randint(0, len(other))
            data = data[:start] + other[place : place + 400] + data[end:]
        elif what == 5:
            data = data[:start] + lot.randbytes(end - start) + data[end:]
        else:
            data = data[:start] + lot.choice(SPICE) + data[lot.choice([start, end]) :]
    return data


def signed_again(lot: Random, chain: Sequence[Envelope]) -> list[Envelope]:
    """The match with one value of one event changed, and every event from there on signed anew
    in its place: nothing but what it says is amiss."""
    trees = [json.loads(each.payload) for each in chain]
    number = lot.randrange(len(trees))
    change(lot, trees[number])
    if lot.random() < 0.3:
        change(lot, trees[lot.randrange(len(trees))])
    found: list[Envelope] = []
    for tree in trees:
        if found and isinstance(tree, dict) and lot.random() < 0.98:
            tree |= {"match": found[0].hash, "prev": found[-1].hash}
        key = KEYS.get(str(tree.get("by")), STRANGER) if isinstance(tree, dict) else STRANGER
        payload = msgspec.json.encode(tree, order="sorted")
        found.append(envelopes.seal(payload, key.public, key.sign))
    return found


def change(lot: Random, tree: Any) -> None:
    """One place of a tree is changed, dropped or added to."""
    places = [place for place in branches(tree) if place]
    inner = lot.choice(places)
    last = lot.choice([*inner] if isinstance(inner, dict) else range(len(inner)))
    match lot.randrange(4):
        case 0:
            del inner[last]
        case 1 if isinstance(inner, dict):
            inner[lot.choice(["x", "for", "dice", "turn_cap", "source", "é", "A", ""])] = odd(lot)
        case _:
            inner[last] = odd(lot)


def branches(tree: Any) -> list[Any]:
    if not isinstance(tree, dict | list):
        return []
    values = tree.values() if isinstance(tree, dict) else tree
    return [tree, *(inner for value in values for inner in branches(value))]


def odd(lot: Random) -> Any:
    value = lot.choice(ODD)
    return json.loads(json.dumps(value)) if isinstance(value, dict | list) else value


# -- records ---------------------------------------------------------------------------------------


def rows(path: Path) -> list[Any]:
    """All that a ledger says; nothing when there is none."""
    if not path.exists():
        return []
    with closing(sqlite3.connect(path)) as connection:
        return list(connection.iterdump())


def played(folder: Path) -> list[Envelope]:
    """A whole game with a note, by the keys of the table."""
    with new_service(folder / "played.db") as service:
        if not service.store.matches():
            state = whole_game(service)
            service.append(state.match, [note("Tea is served.", "swedes")], KEYS)
        (match,) = service.store.matches()
        return service.envelopes(match)


@hostile(45)
def test_records(desk: Desk, luck: int) -> None:
    """Cut or signed anew: audited the same from a file and a pipe; what is imported was sound,
    and what is not leaves the ledger as it was."""
    lot = Random(luck)
    chain = played(desk.folder)
    anew = lot.random() < 0.6
    events = signed_again(lot, chain)
    data = record.write(events) if anew else spoilt(lot, record.write(chain), b"[rules:dim:9]")
    (desk.folder / "in.json").write_bytes(data)
    form = lot.choice([[], ["--json"]])
    audited = run(desk, "audit", "in.json", *form)
    piped = run(desk, "audit", "-", *form, stdin=data)
    assert (audited.status, audited.out) == (piped.status, piped.out)
    desk.ledger.unlink(missing_ok=True)
    imported = run(desk, "import", lot.choice(["in.json", "-"]), *form, stdin=data)
    if imported.status:
        assert "INSERT INTO" not in "".join(rows(desk.ledger))
        return
    assert audited.status != 1, "what was taken in has no faults"
    for command in ("list", "show", "log", "moves", "doctor", "pending", "export", "audit"):
        run(desk, command, *(form if command != "export" else ["--format", "otn"]))


# -- other programs' games -------------------------------------------------------------------------


@hostile(40)
def test_games_of_other_programs(desk: Desk, luck: int) -> None:
    lot = Random(luck)
    if not desk.keys.exists():
        desk.make_keys("zoe")
    with new_service(desk.folder / "played.db") as service:
        matches = service.store.matches()
        state = service.state(matches[0]) if matches else whole_game(service)
    otn = notation(state, "otn").encode()
    logs = bologna_log.log(bologna_log.WHITE_WINS).encode(), bologna_log.log([]).encode()
    data = spoilt(lot, lot.choice([otn, otn, logs[0]]), lot.choice([*logs, otn]))
    (desk.folder / "in.game").write_bytes(data)
    desk.ledger.unlink(missing_ok=True)
    desk.did("init")
    before = rows(desk.ledger)
    kind = lot.choice([[], [], ["--format", "opentafl"], ["--format", "bologna-log"]])
    form = lot.choice([[], ["--json"]])
    done = run(desk, "import", "in.game", "--key", "zoe", *kind, *form)
    run(desk, "audit", "in.game", *form)
    if done.status:
        assert rows(desk.ledger) == before
        return
    for command in ("list", "show", "log", "moves", "export"):
        run(desk, command, *(form if command != "export" else ["--format", "otn"]))
    assert run(desk, "audit").status == 0, "what was written is sound"


# -- ledger files ----------------------------------------------------------------------------------

LOOKING = ("list", "show", "log", "moves", "audit", "doctor", "export", "pending")
VALUES = (
    *("NULL", "0", "-1", "9223372036854775807", "1.5", "''", "X''", "X'ff1b5b324a'", "'x'"),
    *("CAST(X'ff1b5b324a' AS TEXT)", "char(27) || '[2J'", "char(8238)", "char(155)", "char(0)"),
    *("replace(hex(zeroblob(2000)), '00', 'A')", "zeroblob(64)", "'arbiter'", "'closed'"),
)


def vandalised(lot: Random, path: Path) -> None:
    """Somebody has been at the ledger with SQL, for whom its triggers were no hindrance."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        names = connection.execute("SELECT type, name FROM sqlite_master WHERE sql NOT NULL")
        things = names.fetchall()
        tables = [name for kind, name in things if kind == "table"]
        for kind, name in things:
            if kind == "trigger":
                connection.execute(f"DROP TRIGGER {name}")
        connection.execute("PRAGMA writable_schema=ON")
        for _ in range(lot.choice([1, 1, 2, 4])):
            table = lot.choice(tables)
            columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
            column = lot.choice(columns or ["x"])
            where = lot.choice(["", f"WHERE rowid = {lot.randint(1, 14)}"])
            sql = lot.choice([
                *[f"UPDATE {table} SET {column} = {lot.choice(VALUES)} {where}"] * 6,
                *[f"UPDATE {table} SET {column} = {column} || {lot.choice(VALUES)} {where}"] * 2,
                f"DELETE FROM {table} {where}",
                f"DROP TABLE {table}",
                f"ALTER TABLE {table} RENAME TO other",
                f"ALTER TABLE {table} RENAME COLUMN {column} TO other",
                f"ALTER TABLE {table} ADD COLUMN more TEXT AS ({lot.choice(VALUES)})",
                f"CREATE TABLE more AS SELECT * FROM {table}",
                f"PRAGMA user_version = {lot.choice([-1, 0, 1, 2, 3, 99])}",
                f"PRAGMA application_id = {lot.choice([0, 1, -1])}",
                f"UPDATE sqlite_master SET sql = {lot.choice(VALUES)} WHERE name = '{table}'",
                "DELETE FROM sqlite_master WHERE type = 'index'",
                f"DROP TABLE {table}; CREATE VIEW {table} AS SELECT 1 AS {column}",
            ])  # fmt: skip
            with suppress(sqlite3.Error):
                connection.executescript(sql)


@hostile(40)
def test_ledger_files(desk: Desk, luck: int) -> None:
    """Looking changes no byte of the file, whatever state it is in."""
    lot = Random(luck)
    whole = desk.folder / "whole.db"
    if not whole.exists():
        match = desk.finish()
        desk.did("note", "Tea is served.", "--match", match, "--key", "alba")
        desk.did("backup", "whole.db")
    path = desk.folder / "in.db"
    for name in ("in.db", "in.db-wal", "in.db-shm", "in.db-journal"):
        (desk.folder / name).unlink(missing_ok=True)
    shutil.copy(whole, path)
    if lot.random() < 0.5:
        vandalised(lot, path)
    else:
        path.write_bytes(spoilt(lot, path.read_bytes(), whole.read_bytes()))
    if lot.random() < 0.1:
        (desk.folder / "in.db-wal").write_bytes(lot.randbytes(5000))
    before = path.read_bytes()
    form = lot.choice([[], ["--json"]])
    for command in lot.sample(LOOKING, 4):
        run(desk, command, "--ledger", "in.db", *(form if command != "export" else []))
    run(desk, "audit", "in.db", *form)
    assert path.read_bytes() == before, "looking changes nothing"
    run(desk, "import", "in.db", *form)
    writing = [["note", "Hm.", "--key", "alba"], ["init", "--rebuild"], ["backup", "b.db"]]
    writing += [["correct", "3", "--reason", "Mistyped."], ["countersign"], ["move", "e3-f3"]]
    for arguments in lot.sample(writing, 2):
        run(desk, *arguments, "--ledger", "in.db", *form)
    (desk.folder / "b.db").unlink(missing_ok=True)


# -- keys, trusted keys, passphrases, moves ----------------------------------------------------


@hostile(30)
def test_key_files(desk: Desk, luck: int) -> None:
    """A spoilt key signs as itself or not at all; the ledger stays sound."""
    lot = Random(luck)
    kept = desk.folder / "kept"
    if not kept.exists():
        desk.open()
        shutil.copytree(desk.keys, kept)
    shutil.rmtree(desk.keys)
    shutil.copytree(kept, desk.keys)
    file = desk.keys / lot.choice(["alba", "alba", "alba.pub", "zoe", "bruno.pub"])
    spoil = spoilt(lot, file.read_bytes(), (kept / lot.choice(["zoe", "bruno.pub"])).read_bytes())
    file.write_bytes(spoil)
    (desk.folder / "in.key").write_bytes(spoil)
    form = lot.choice([[], ["--json"]])
    run(desk, "key", "list", *form)
    run(desk, "key", "show", "alba", *form)
    run(desk, "key", "export", "alba", "--signers")
    run(desk, "key", "import", "in.key", "other", "--no-passphrase", *form)
    run(desk, "note", "Hm.", "--key", "alba", *form)
    run(desk, "doctor", *form)
    run(desk, "accept", *form)
    assert run(desk, "audit").status == 0


@hostile(30)
def test_files_of_trusted_keys(desk: Desk, luck: int) -> None:
    lot = Random(luck)
    (desk.folder / "in.json").write_bytes(record.write(played(desk.folder)))
    lines = [*dict.fromkeys(f"{key.public.line} x" for key in KEYS.values())]
    text = "# whom we trust\n" + "".join(
        f'{name} namespaces="tabellion",valid-after="20260101" {line}\n'
        for name, line in zip(("zoe,Zoë", "Alba", '"Bruno *"', "!w,?anda"), lines, strict=True)
    )
    (desk.folder / "trusted").write_bytes(spoilt(lot, text.encode(), lines[0].encode()))
    head = spoilt(lot, b"f" * 64).decode("utf-8", "replace").replace("\x00", "")
    form = lot.choice([[], ["--json"]])
    run(desk, "audit", "in.json", "--signers", "trusted", *form)
    run(desk, "audit", "in.json", "--signers", "trusted", f"--head={head}", *form)


def easy_key(passphrase: bytes) -> bytes:
    """An encrypted private file that opens quickly."""
    kind = serialization.PrivateFormat.OpenSSH
    lock = kind.encryption_builder().kdf_rounds(1).build(passphrase)
    return Ed25519PrivateKey.generate().private_bytes(serialization.Encoding.PEM, kind, lock)


@hostile(30)
def test_passphrase_files(desk: Desk, luck: int) -> None:
    """Only the passphrase opens the key."""
    lot = Random(luck)
    words = desk.folder / "words"
    if not desk.keys.exists():
        words.write_bytes(b"open sesame\n")
        (desk.folder / "alba").write_bytes(easy_key(b"open sesame"))
        (desk.folder / "alba").chmod(0o600)
        desk.did("key", "import", "alba")
        seats = ("--seat", "swedes=A", "--seat", "muscovites=B")
        desk.did("open", "tablut", "--key", "alba", "--passphrase-file", "words", *seats)
    data = spoilt(lot, b"open sesame\n", b"open sesame\r\n")
    (desk.folder / "in.txt").write_bytes(data)
    commands_desk.passphrase_from.cache_clear()
    arguments = ["note", "Hm.", "--passphrase-file", lot.choice(["in.txt", "-"])]
    ran = run(desk, *arguments, stdin=data)
    right = data[:4096].split(b"\n", 1)[0].rstrip(b"\r") == b"open sesame"
    assert ran.status == (0 if right else 4)


@hostile(40)
def test_moves_from_a_pipe(desk: Desk, luck: int) -> None:
    """All of them are written, or none."""
    lot = Random(luck)
    if not desk.ledger.exists():
        desk.open()
        shutil.copy(desk.ledger, desk.folder / "opened.db")
    for stale in desk.ledger.parent.glob("ledger.db*"):
        stale.unlink()
    shutil.copy(desk.folder / "opened.db", desk.ledger)
    count = len(desk.types())
    text = "\n".join(f"{n}. {move}" for n, move in enumerate(SHORT_GAME, 1)).encode()
    data = spoilt(lot, lot.choice([text, b"# a game\r\n" + text, b"raichi e3-f3 tuichi"]), text)
    ran = run(desk, "move", "-", *lot.choice([[], ["--json"]]), stdin=data)
    assert (len(desk.types()) > count) == (ran.status == 0)
    words = data.decode("utf-8", "replace").replace("\x00", "").split() or [""]
    for command in (["check", "tablut", "start"], ["move"], ["call"], ["note"]):
        run(desk, *command, "--", *words[: 3 if command[0] in ("move", "check") else 1])


@pytest.mark.parametrize(
    "name",
    ["\x1b[2J.json", "\x9b2J.json", "\u202ennosj", "a\nb.json", "t4", "-", "\udcff.db", "é" * 120],
)
@pytest.mark.parametrize("data", [b"", b"{", b"SQLite format 3\x00", b'{"events":[]}'])
def test_names_of_files(desk: Desk, name: str, data: bytes) -> None:
    """A file's name is anybody's word too."""
    (desk.folder / name).write_bytes(data)
    run(desk, "audit", "--", name)
    run(desk, "import", "--", name)
    run(desk, "audit", f"--signers={name}", "--", name)
    run(desk, "list", f"--ledger={name}")
    run(desk, "key", "import", "--", name)
    run(desk, "note", "Hm.", f"--passphrase-file={name}")
    run(desk, "export", f"--output={name}")
    run(desk, "backup", "--", name)
