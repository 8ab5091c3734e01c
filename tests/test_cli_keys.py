"""Keys: encrypted unless one says otherwise, passphrases typed or read from a file."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
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
        "error[passphrase-needed]: Nobody is there to choose a passphrase. No key was stored.\n\n"
        "hint: --passphrase-file FILE, or --no-passphrase for none\n",
    )
    ran = desk("key", "new", "alba", "--no-passphrase", "--passphrase-file", "x")
    assert (ran.status, ran.err) == (
        2,
        "error[usage]: A key has a passphrase or none: --passphrase-file FILE, or "
        "--no-passphrase.\n",
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
        ("", None, "error[empty-passphrase]: An empty passphrase protects nothing. No key was"),
        ("one", "two", "error[passphrases-differ]: The two passphrases differ. No key was stored."),
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
    assert (status, shown.startswith(said)) == (4, True), shown
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


# -- keys from elsewhere, and to elsewhere -----------------------------------------------------


def ssh_key(desk: Desk, passphrase: str, *how: str, name: str = "id_ed25519") -> Path:
    """A key as people have it in ~/.ssh, with the name of its file."""
    folder = desk.folder / ".ssh"
    folder.mkdir(exist_ok=True)
    kind = how or ("-t", "ed25519", "-a", "1")
    subprocess.run(
        ["ssh-keygen", "-q", *kind, "-N", passphrase, "-C", "Alba@home", "-f", name],
        cwd=folder,
        check=True,
    )
    return folder / name


def test_an_encrypted_key_is_copied_as_it_is(desk: Desk) -> None:
    source = ssh_key(desk, "swordfish")
    before = source.read_bytes()
    assert desk.did("key", "import", "~/.ssh/id_ed25519", "alba") == (
        "key alba imported  FINGERPRINT  encrypted\n"
        "LINE\n"
        "next: give that line to the arbiter, who types: tabellion open --help\n"
    )
    assert (desk.keys / "alba").read_bytes() == source.read_bytes() == before
    assert (desk.keys / "alba").stat().st_mode & 0o777 == 0o600
    assert (desk.keys / "alba.pub").stat().st_mode & 0o777 == 0o644
    assert (desk.keys / "alba.pub").read_text().endswith(" alba\n")
    desk.make_keys("zoe", "bruno")
    (desk.folder / "secret").write_text("swordfish\n")
    desk.open(unlock=("--passphrase-file", "secret"))
    assert "Alba moves e3-f3" in desk.did("move", "e3-f3", "--passphrase-file", "secret")


def test_a_key_without_a_passphrase_is_not_kept_so_unasked(desk: Desk) -> None:
    source = ssh_key(desk, "")
    ran = desk("key", "import", str(source), "alba")
    assert (ran.status, ran.err) == (
        4,
        "error[passphrase-needed]: Nobody is there to choose a passphrase. No key was stored.\n\n"
        "hint: --passphrase-file FILE, or --no-passphrase for none\n",
    )
    assert not desk.keys.exists()
    (desk.folder / "secret").write_text("swordfish\n")
    said = desk.did("key", "import", str(source), "alba", "--passphrase-file", "secret")
    assert said.startswith("key alba imported  FINGERPRINT  encrypted\n")
    assert (desk.keys / "alba").read_bytes() != source.read_bytes()
    locked = subprocess.run(
        ["ssh-keygen", "-y", "-P", "swordfish", "-f", "alba"],
        cwd=desk.keys,
        check=True,
        capture_output=True,
        text=True,
    )
    assert locked.stdout.split()[1] == (desk.keys / "alba.pub").read_text().split()[1]
    assert desk.did("key", "import", str(source), "bare", "--no-passphrase").startswith(
        "key bare imported  FINGERPRINT  not encrypted\n"
    )
    assert (desk.keys / "bare").read_bytes() == source.read_bytes()
    assert (desk.keys / "bare").stat().st_mode & 0o777 == 0o600


def test_a_passphrase_is_chosen_for_an_imported_key(desk: Desk) -> None:
    ssh_key(desk, "")
    screen = typing(desk, "key", "import", ".ssh/id_ed25519", "alba")
    screen.expect("id_ed25519 has no passphrase. Choose one: ")
    screen.sendline("swordfish")
    screen.expect("Once more: ")
    screen.sendline("swordfish")
    status, said = ended(screen)
    assert (status, desk.plain(said).splitlines()[0]) == (
        0,
        "key alba imported  FINGERPRINT  encrypted",
    )


def test_a_public_key_is_enough_to_name_somebody(desk: Desk) -> None:
    source = ssh_key(desk, "swordfish")
    line = source.with_suffix(".pub").read_text()
    assert desk.did("key", "import", "~/.ssh/id_ed25519.pub", "alba") == (
        "key alba imported  FINGERPRINT  public half only\n"
        "LINE\n"
        "next: when a match is opened: tabellion open … --seat-key SEAT=alba\n"
    )
    assert os.listdir(desk.keys) == ["alba.pub"]
    desk.make_keys("zoe", "bruno")
    desk.open()
    ran = desk("accept", "--key", "alba")
    assert (ran.status, ran.code) == (4, "key-missing")
    for index, given in enumerate((("-",), (line.strip(),))):
        said = desk.did("key", "import", *given, f"alba{index}", stdin=line.encode())
        assert "public half only" in said


def test_a_key_is_called_as_its_file_or_its_comment_is(desk: Desk) -> None:
    source = ssh_key(desk, "swordfish")
    line = source.with_suffix(".pub").read_text()
    assert desk.did("key", "import", str(source)).startswith("key id_ed25519 imported")
    assert desk.did("key", "import", "-", stdin=line.encode()).startswith("key alba imported")
    for given in (("-",), ("-", "Alba")):
        ran = desk("key", "import", *given, stdin=line.rsplit(" ", 1)[0].encode())
        assert (ran.status, ran.code) == (2, "key-name")
    ran = desk("key", "import", str(source))
    assert (ran.status, ran.code) == (4, "key-exists")


def test_what_cannot_be_imported(desk: Desk) -> None:
    ssh_key(desk, "", "-t", "rsa", name="rsa")
    ssh_key(desk, "", "-t", "rsa", "-m", "PEM", name="pem")
    ssh_key(desk, "", "-t", "ecdsa", name="ecdsa")
    (desk.folder / ".ssh" / "rubbish").write_bytes(b"\0\x1b[2J" * 9)
    for name, status, code in (
        ("rsa", 2, "key-type"),
        ("rsa.pub", 2, "key-type"),
        ("pem", 2, "key-type"),
        ("ecdsa", 2, "key-type"),
        ("rubbish", 2, "key-unreadable"),
        ("nowhere", 3, "no-file"),
        (".", 4, "key-unreadable"),
    ):
        ran = desk("key", "import", f".ssh/{name}", "alba", "--no-passphrase")
        assert (ran.status, ran.code, ran.out) == (status, code, ""), name
        assert "\x1b" not in ran.err
    source = ssh_key(desk, "", name="open")
    source.chmod(0o640)
    ran = desk("key", "import", ".ssh/open", "--no-passphrase")
    assert (ran.status, ran.err) == (
        4,
        "error[key-too-open]: Others can read the private key open.\n\nhint: chmod 600 .ssh/open\n",
    )
    ran = desk("key", "import", "-", "alba", stdin=source.read_bytes())
    assert (ran.status, ran.code) == (2, "private-key")
    assert not desk.keys.exists()


def test_a_passphrase_is_for_a_private_key_without_one(desk: Desk) -> None:
    ssh_key(desk, "swordfish")
    (desk.folder / "secret").write_text("swordfish\n")
    for file, said in (
        ("id_ed25519", "This is encrypted, and stays so: --no-passphrase and --passphrase-file"),
        ("id_ed25519.pub", "This is a public key: --no-passphrase and --passphrase-file are"),
    ):
        for option in (["--no-passphrase"], ["--passphrase-file", "secret"]):
            ran = desk("key", "import", f".ssh/{file}", "alba", *option)
            assert (ran.status, ran.code) == (2, "usage")
            assert said in ran.err
    both = ("--no-passphrase", "--passphrase-file", "secret")
    assert "A key has a passphrase or none" in desk("key", "import", ".ssh/id_ed25519", *both).err
    assert not desk.keys.exists()


def test_the_public_line_is_written_for_others(desk: Desk) -> None:
    desk.make_keys("alba")
    line = (desk.keys / "alba.pub").read_text()
    ran = desk("key", "export", "alba")
    assert (ran.status, ran.out, ran.err) == (0, line, "")
    assert desk.did("key", "export", "alba", "-o", "alba.pub") == (
        "alba.pub: key alba, FINGERPRINT\n"
    )
    assert (desk.folder / "alba.pub").read_text() == line
    (desk.folder / "alba.pub").write_text("mine")
    assert desk("key", "export", "alba", "-o", "alba.pub").code == "file-exists"
    assert (desk.folder / "alba.pub").read_text() == "mine"
    desk.did("key", "export", "alba", "-o", "alba.pub", "--force")
    assert (desk.folder / "alba.pub").read_text() == line
    ran = desk("key", "export", "alba", "-o", ".")
    assert (ran.code, ran.err.splitlines()[-1]) == ("is-a-folder", "hint: --output ./alba.pub")
    assert desk("key", "export", "nobody").status == 3


def test_a_key_with_a_fault_is_not_given_out(desk: Desk) -> None:
    desk.make_keys("alba", "zoe")
    (desk.keys / "alba.pub").write_bytes((desk.keys / "zoe.pub").read_bytes())
    (desk.keys / "zoe").chmod(0o644)
    for name, said in (("alba", "belongs to another key"), ("zoe", "Others can read")):
        ran = desk("key", "export", name)
        assert (ran.status, ran.code, ran.out) == (4, "key-problem", "")
        assert said in ran.err


def test_exported_keys_are_signers_to_audit_with(desk: Desk) -> None:
    desk.finish()
    desk.did("export", "-o", "match.json")
    trusted = "".join(
        desk("key", "export", name, "--signers").out for name in ("zoe", "alba", "bruno")
    )
    (desk.folder / "signers").write_text(trusted)
    assert trusted.startswith("zoe ssh-ed25519 ")
    said = desk("audit", "match.json", "--signers", "signers").out
    assert "listed as alba" in said
    (desk.folder / "signers").write_text(desk("key", "export", "zoe", "--signers").out)
    assert desk("audit", "match.json", "--signers", "signers").status == 1


def test_ssh_keygen_takes_an_exported_signer(desk: Desk) -> None:
    desk.make_keys("alba")
    (desk.folder / "signers").write_text(desk("key", "export", "alba", "--signers").out)
    (desk.folder / "text").write_text("e3-f3")
    for command in (
        ["ssh-keygen", "-q", "-Y", "sign", "-n", "tabellion", "-f", desk.keys / "alba", "text"],
        ["ssh-keygen", "-Y", "find-principals", "-s", "text.sig", "-f", "signers"],
    ):
        said = subprocess.run(
            command, cwd=desk.folder, check=True, capture_output=True, text=True
        ).stdout
    assert said == "alba\n"


def test_the_name_in_a_signers_line_is_the_one_of_the_match(desk: Desk) -> None:
    desk.make_keys("zoe")
    line = desk("key", "export", "zoe", "--signers", "--as", "Zoë Åkesson").out
    assert line.startswith('"Zoë Åkesson" ssh-ed25519 ')
    assert desk("key", "export", "zoe", "--as", "Zoë").code == "usage"
    assert desk("key", "export", "zoe", "--signers", "--as", "a,b").code == "bad-option"


def test_what_key_show_prints_is_good_enough_for_a_seat(desk: Desk) -> None:
    desk.make_keys()
    (desk.folder / "bruno.pub").write_text(desk("key", "show", "bruno").out)
    (desk.folder / "both.pub").write_text(desk("key", "show", "alba").out * 2)
    for file, code in (("bruno.pub", ""), ("both.pub", "key-unreadable")):
        ran = desk(
            *("open", "tablut", "--key", "zoe", "--seat", "swedes=Alba"),
            *("--seat", "muscovites=Bruno", "--seat-key", f"muscovites={file}"),
        )
        assert ran.code == code, ran.err
