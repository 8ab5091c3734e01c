"""Keys: encrypted unless one says otherwise, passphrases typed or read from a file."""

from __future__ import annotations

import os
import subprocess
from typing import Any

import pexpect
import pytest
from terminal import PROGRAM, Desk


@pytest.fixture
def desk(tmp_path: Any, monkeypatch: Any, capsys: Any) -> Desk:
    return Desk(tmp_path, monkeypatch, capsys)


def typing(desk: Desk, *arguments: str) -> Any:
    return pexpect.spawn(str(PROGRAM), list(arguments), encoding="utf-8", timeout=30)


def ended(screen: Any) -> tuple[int, str]:
    screen.expect(pexpect.EOF)
    screen.close()
    return screen.exitstatus, screen.before.replace("\r\n", "\n").strip()


def test_a_key_without_a_passphrase(desk: Desk) -> None:
    assert desk.did("key", "new", "zoe", "--no-passphrase") == (
        "key zoe made  FINGERPRINT  not encrypted\n"
        "LINE\n"
        "next: give that line to the arbiter, who types: tabellion open --help\n"
    )
    assert desk.did("key", "show", "zoe") == "key zoe  FINGERPRINT  not encrypted\nLINE\n"
    assert desk.did("key", "list") == "zoe  FINGERPRINT  not encrypted\n"
    assert (desk.keys / "zoe").stat().st_mode & 0o777 == 0o600
    assert desk.keys.stat().st_mode & 0o777 == 0o700


def test_no_key_yet(desk: Desk) -> None:
    ran = desk("key", "list")
    assert (ran.status, ran.out) == (0, "")
    assert ran.err == "There is no key yet. Make one: tabellion key new NAME\n"


def test_a_passphrase_from_a_file(desk: Desk) -> None:
    (desk.folder / "secret").write_bytes(b"swordfish\r\nsecond line\n")
    said = desk.did("key", "new", "alba", "--passphrase-file", "secret")
    assert "key alba made  FINGERPRINT  encrypted\n" in said
    assert "swordfish" not in said
    desk.make_keys("zoe", "bruno")
    desk.open(unlock=("--passphrase-file", "secret"))
    desk.did("move", "e3-f3", "--passphrase-file", "-", stdin=b"swordfish")
    ran = desk("resign", "--key", "alba", "--passphrase-file", "secret")
    assert ran.status == 0


def test_the_wrong_passphrase(desk: Desk) -> None:
    (desk.folder / "secret").write_text("swordfish\n")
    (desk.folder / "wrong").write_text("herring\n")
    (desk.folder / "empty").write_text("\n")
    desk.did("key", "new", "alba", "--passphrase-file", "secret")
    desk.make_keys("zoe", "bruno")
    desk.open(unlock=("--passphrase-file", "secret"))
    for file, code, said in (
        ("wrong", "wrong-passphrase", "That is not the passphrase of alba, or its file is"),
        ("empty", "empty-passphrase", "The first line of empty is empty.\n"),
        ("none", "no-passphrase-file", "The passphrase file none cannot be read: No such file"),
        (".", "no-passphrase-file", "The passphrase file . cannot be read: Is a directory.\n"),
    ):
        ran = desk("move", "e3-f3", "--passphrase-file", file)
        assert (ran.status, ran.out) == (4, "")
        assert ran.err.startswith(f"error[{code}]: {said}")
    ran = desk("move", "e3-f3")
    assert (ran.status, ran.err) == (
        4,
        "error[passphrase-needed]: The key alba is encrypted and nobody is there to type its "
        "passphrase.\n\nhint: --passphrase-file FILE\n",
    )
    assert "move" not in desk.types()


def test_a_key_is_not_made_without_knowing_how_to_keep_it(desk: Desk) -> None:
    ran = desk("key", "new", "alba")
    assert (ran.status, ran.err) == (
        4,
        "error[passphrase-needed]: Nobody is there to choose a passphrase.\n\n"
        "hint: --passphrase-file FILE, or --no-passphrase for none\n",
    )
    ran = desk("key", "new", "alba", "--no-passphrase", "--passphrase-file", "x")
    assert (ran.status, ran.err) == (
        2,
        "error[usage]: --no-passphrase and --passphrase-file exclude each other.\n",
    )
    assert not desk.keys.exists()


def test_a_name_is_given_once(desk: Desk) -> None:
    desk.make_keys("alba")
    before = (desk.keys / "alba").read_bytes()
    ran = desk("key", "new", "alba", "--no-passphrase")
    assert (ran.status, ran.err) == (
        4,
        "error[key-exists]: There is a key named alba already; it was left as it is.\n\n"
        "hint: choose another name\n",
    )
    assert (desk.keys / "alba").read_bytes() == before


@pytest.mark.parametrize(
    "name", ["", ".", "..", "../x", "/x", "Alba", "x" * 41, "a\nb", "a\x1b", "-", "x.pub", "ä"]
)
def test_names_that_no_key_has(desk: Desk, name: str) -> None:
    for command in ("new", "show"):
        ran = desk("key", command, "--", name)
        assert (ran.status, ran.out) == (2, "")
        assert ran.err.startswith("error[key-name]: That is no name for a key.\n\nhint: ")
    assert not desk.keys.exists()


def test_a_passphrase_is_chosen_and_typed_unseen(desk: Desk) -> None:
    screen = typing(desk, "key", "new", "alba")
    screen.expect("Choose a passphrase: ")
    screen.sendline("swordfish")
    screen.expect("Once more: ")
    screen.sendline("swordfish")
    status, said = ended(screen)
    assert status == 0
    assert desk.plain(said).startswith("key alba made  FINGERPRINT  encrypted\nLINE\n")
    assert "swordfish" not in said
    desk.make_keys("zoe", "bruno")
    (desk.folder / "secret").write_text("swordfish\n")
    desk.open(unlock=("--passphrase-file", "secret"))
    screen = typing(desk, "move", "e3-f3")
    screen.expect("Passphrase of the key alba: ")
    screen.sendline("swordfish")
    status, said = ended(screen)
    assert status == 0
    assert "Alba moves e3-f3" in said
    assert "swordfish" not in said


def test_a_passphrase_is_asked_for_while_moves_come_from_a_pipe(desk: Desk) -> None:
    (desk.folder / "secret").write_text("swordfish\n")
    desk.did("key", "new", "alba", "--passphrase-file", "secret")
    desk.make_keys("zoe", "bruno")
    desk.open(unlock=("--passphrase-file", "secret"))
    (desk.folder / "sheet").write_text("e3-f3\n")
    screen = pexpect.spawn(
        "/bin/sh", ["-c", f"{PROGRAM} move - < sheet"], encoding="utf-8", timeout=30
    )
    screen.expect("Passphrase of the key alba: ")
    screen.sendline("swordfish")
    status, said = ended(screen)
    assert (status, "Alba moves e3-f3" in said) == (0, True)


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        ("", None, "error[empty-passphrase]: An empty passphrase protects nothing."),
        ("one", "two", "error[passphrases-differ]: The two passphrases differ. No key was made."),
        ("\x04", None, "error[no-passphrase]: No passphrase was typed."),
    ],
    ids=["empty", "different", "Ctrl-D"],
)
def test_a_passphrase_that_is_none(desk: Desk, first: str, second: str | None, said: str) -> None:
    screen = typing(desk, "key", "new", "alba")
    screen.expect("Choose a passphrase: ")
    screen.send(first if first == "\x04" else f"{first}\n")
    if second is not None:
        screen.expect("Once more: ")
        screen.sendline(second)
    status, shown = ended(screen)
    assert (status, shown.splitlines()[0]) == (4, said)
    assert not desk.keys.exists()


def test_what_is_refused_is_refused_before_the_passphrase(desk: Desk) -> None:
    """A slip at the table must not cost a passphrase: nobody is asked for one here."""
    (desk.folder / "secret").write_text("swordfish\n")
    for name in ("zoe", "alba", "bruno"):
        desk.did("key", "new", name, "--passphrase-file", "secret")
    unlock = ("--passphrase-file", "secret")
    desk.open(*unlock, unlock=unlock)
    for command, code in (
        (["move", "e4-e9"], "blocked"),
        (["move", "zz"], "bad-move"),
        (["move", "e3-f3", "--key", "bruno"], "wrong-turn"),
        (["close"], "not-over"),
        (["countersign", "--key", "alba"], "not-closed"),
        (["accept", "--key", "alba"], "accepted-twice"),
    ):
        assert desk(*command).code == code
    assert desk("move", "e3-f3", "e3-f3").err == (
        "error[no-piece]: move 2: e3-f3 is refused: e3 is empty. Nothing was written.\n"
    )
    assert desk("move", "e3-f3").code == "passphrase-needed"
    assert desk.types() == ["match.opened", "seat.accepted", "seat.accepted"]


def test_keys_of_ssh_keygen_can_be_used(desk: Desk) -> None:
    desk.make_keys("zoe", "bruno")
    subprocess.run(
        ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "alba@home", "-f", "alba"],
        cwd=desk.keys,
        check=True,
    )
    desk.open()
    assert "Alba moves e3-f3" in desk.did("move", "e3-f3")


def test_a_folder_of_keys_elsewhere(desk: Desk) -> None:
    elsewhere = desk.folder / "stick"
    desk.patch.setenv("TABELLION_KEYS", str(elsewhere))
    desk.make_keys("zoe")
    assert sorted(os.listdir(elsewhere)) == ["zoe", "zoe.pub"]
    assert not desk.keys.exists()


def test_rubbish_among_the_keys_is_listed_as_such(desk: Desk) -> None:
    desk.make_keys("zoe")
    (desk.keys / "alba").write_bytes(b"\0" * 100)
    (desk.keys / "bruno.pub").write_text("ssh-ed25519 AAAA\n")
    (desk.keys / "folder").mkdir()
    (desk.keys / "Notes.txt").write_text("x")
    os.mkfifo(desk.keys / "pipe")
    lines = desk.did("key", "list").splitlines()
    assert [line.split()[0] for line in lines] == ["alba", "bruno", "folder", "pipe", "zoe"]
    for line in lines[:-1]:
        assert line.endswith(".")
    for name in ("alba", "bruno", "folder", "pipe"):
        ran = desk("key", "show", name)
        assert (ran.status, "None" in ran.out) == (0, False)
    assert "zoe opens tablut" in desk.did(
        "open", "tablut", "--seat", "swedes=A", "--seat", "muscovites=B"
    )
