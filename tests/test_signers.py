"""`allowed_signers`: read as OpenSSH reads it, as far as an audit needs it."""

from __future__ import annotations

import subprocess
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.errors import Unreadable
from ledger.keys import SigningKey
from ledger.publickey import PublicKey
from ledger.signers import Signer, parse_signers

ANN = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIIqI4910CfGV/VLbLTy6XXLKZwm/HZQSG/N0iAG0D29c"
BOB = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIIE5dw6ofRdfVqNUZsNMfszLjYqRtO43ol32D1uPybOU"
RSA = "ssh-rsa AAAAB3NzaC1yc2EAAAADAQAB"


def one(line: str) -> Signer:
    (signer,) = parse_signers(line).signers
    return signer


def test_a_file_as_people_keep_it() -> None:
    read = parse_signers(
        "\ufeff# the club's players\r\n"
        "\r\n"
        f"ann@club.example,Ann {ANN} ann's phone\r\n"
        f'\t"Bob Núñez,bob" namespaces="git,tabellion" {BOB}\n'
        f"carl {RSA} carl\n"
        f"*@club.example cert-authority {ANN}\n"
        f'ann namespaces="git" {ANN}'
    )
    assert [(s.principals, s.key.line) for s in read.signers] == [
        (("ann@club.example", "Ann"), ANN),
        (("Bob Núñez", "bob"), BOB),
    ]
    assert read.skipped == (
        "Line 5: Only ssh-ed25519 keys are used here.",
        "Line 6: a certificate authority; only keys themselves are trusted here.",
        "Line 7: its namespaces do not include tabellion.",
    )
    assert read.of(PublicKey.parse(BOB)) == read.signers[1:]
    assert read.of(PublicKey(bytes(32))) == ()


def test_an_empty_file_trusts_nobody() -> None:
    assert parse_signers("").signers == ()
    assert parse_signers("\n # nobody\n").signers == ()


def test_dates_are_kept_as_written() -> None:
    signer = one(f'ann VALID-AFTER="20260101",valid-before="202701011200Z" {ANN}')
    assert (signer.valid_after, signer.valid_before) == ("20260101", "202701011200Z")


@pytest.mark.parametrize(
    ("principals", "name", "allowed"),
    [
        ("ann", "ann", True),
        ("ann", "Ann", False),
        ("ann", "anna", False),
        ("an?", "ann", True),
        ("an?", "an", False),
        ("*@club.example", "ann@club.example", True),
        ("*@club.example", "ann@club.example.org", False),
        ("a*n*e", "ann@club.example", True),
        ("a*n*x", "ann@club.example", False),
        ("*", "", True),
        ("*,!bob", "bob", False),
        ("!bob,*", "ann", True),
        ("!bob", "ann", False),
        ("[a]nn", "ann", False),
    ],
)
def test_names_are_patterns(principals: str, name: str, allowed: bool) -> None:
    assert one(f"{principals} {ANN}").named(name) is allowed


def test_a_pattern_of_stars_does_not_take_for_ever() -> None:
    assert not one(f"{'*a' * 200}b {ANN}").named("a" * 2000)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("ann", "Write a name, then the key"),
        (ANN, "no name in front of the key"),
        (f'"ann {ANN}', "Write a name"),
        (f'"" {ANN}', "A name is empty"),
        (f"ann,,bob {ANN}", "A name is empty"),
        (f"ann {ANN[:-3]}", "base64"),
        (f"ann {ANN}\x1b[2J", "control characters"),
        (f'ann namespaces="tabellion {ANN}', "options cannot be read"),
        (f'ann namespaces="tabellion"{ANN}', "options cannot be read"),
        (f"ann namespaces=tabellion {ANN}", "options cannot be read"),
        (f'ann no-touch="1" {ANN}', "options cannot be read"),
        (f'ann cert-authority,x="1" {ANN}', "options cannot be read"),
        (f'ann namespaces="a",NAMESPACES="b" {ANN}', "given twice"),
        (f'ann valid-after="soon" {ANN}', "valid-after is not a date"),
        ("-----BEGIN OPENSSH PRIVATE KEY-----", "Show it to nobody"),
    ],
)
def test_an_unreadable_line_is_named(line: str, says: str) -> None:
    with pytest.raises(Unreadable, match=says) as caught:
        parse_signers(f"# players\n\n{line}\nbob {BOB}\n")
    assert caught.value.message.startswith("Line 3: ")


@given(st.text())
def test_any_text_is_read_or_refused_by_our_error(text: str) -> None:
    for whole in (text, f"ann {text} {ANN}", f"{text} {ANN}", f'ann namespaces="{text}" {ANN}'):
        with suppress(Unreadable):
            parse_signers(whole)


@pytest.mark.parametrize(
    "front",
    [
        "ann",
        "bob,ann",
        '"bob,ann"',
        "bob",
        "a*",
        "a*,!ann",
        "!bob,*",
        'ann namespaces="tabellion"',
        'ann namespaces="git"',
        'ann namespaces="git,tab*"',
        'ann valid-after="20200101",namespaces="tabellion"',
        "ann cert-authority",
    ],
)
def test_ssh_keygen_trusts_the_same_lines(front: str, tmp_path: Path) -> None:
    key = tmp_path / "key"
    key.touch(mode=0o600)
    key.write_bytes(SigningKey.from_seed(b"\1" * 32).openssh(None))
    text = f"{front} {ANN}\n"
    (tmp_path / "allowed").write_text(text)
    sign: list[str | Path] = ["ssh-keygen", "-Y", "sign", "-n", "tabellion", "-f", key]
    signature = subprocess.run(sign, input=b"record", check=True, capture_output=True).stdout
    (tmp_path / "sig").write_bytes(signature)
    verify: list[str | Path] = ["ssh-keygen", "-Y", "verify", "-n", "tabellion", "-I", "ann"]
    verify += ["-f", tmp_path / "allowed", "-s", tmp_path / "sig"]
    theirs = subprocess.run(verify, input=b"record", capture_output=True, check=False)
    ours = any(signer.named("ann") for signer in parse_signers(text).of(PublicKey.parse(ANN)))
    assert ours == (theirs.returncode == 0)
