"""The server's certificate: what phones are shown in the hall, and when it changes."""

from __future__ import annotations

import shutil
import socket
import ssl
import subprocess
import threading
from datetime import timedelta
from hashlib import sha256
from pathlib import Path

import pytest
from cryptography import x509

from ledger.errors import NotAllowed, Unreadable
from ledger.web import certificate
from ledger.web.certificate import Kept

NAMES = ("192.168.1.5", "hall.local")


def kept(folder: Path, *names: str, on: str = "2026-11-29") -> Kept:
    return certificate.kept(folder, names or NAMES, lambda: f"{on}T18:00:00Z")


def read(found: Kept) -> x509.Certificate:
    return x509.load_pem_x509_certificate(found.cert.read_bytes())


def names_in(found: Kept) -> set[str]:
    extension = read(found).extensions.get_extension_for_class(x509.SubjectAlternativeName)
    return {str(each.value) for each in extension.value}


def shake_hands(found: Kept, name: str, trusting: ssl.SSLContext) -> bytes:
    """The certificate that a phone is shown by a server which has this one."""
    here = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    here.load_cert_chain(found.cert, found.key)
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            caller, _ = listening.accept()
            try:
                with here.wrap_socket(caller, server_side=True) as wrapped:
                    wrapped.recv(1)
            except OSError:
                pass  # the phone hung up

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            with (
                socket.create_connection(listening.getsockname()) as plain,
                trusting.wrap_socket(plain, server_hostname=name) as wrapped,
            ):
                shown = wrapped.getpeercert(binary_form=True)
                assert shown is not None
                return shown
        finally:
            thread.join(5)


@pytest.mark.parametrize("name", ["192.168.1.5", "hall.local", "localhost", "127.0.0.1", "::1"])
def test_a_phone_that_trusts_it_reaches_the_server_by_every_name(tmp_path: Path, name: str) -> None:
    found = kept(tmp_path)
    shown = shake_hands(found, name, ssl.create_default_context(cafile=found.cert))
    assert sha256(shown).digest().hex(":").upper() == found.fingerprint


def test_another_name_is_not_covered(tmp_path: Path) -> None:
    found = kept(tmp_path)
    trusting = ssl.create_default_context(cafile=found.cert)
    with pytest.raises(ssl.SSLCertVerificationError, match="IP address mismatch"):
        shake_hands(found, "192.168.1.6", trusting)


def test_a_phone_that_was_told_nothing_warns(tmp_path: Path) -> None:
    with pytest.raises(ssl.SSLCertVerificationError, match="self-signed"):
        shake_hands(kept(tmp_path), "localhost", ssl.create_default_context())


@pytest.mark.skipif(shutil.which("openssl") is None, reason="no openssl here")
def test_the_fingerprint_is_the_one_that_openssl_prints(tmp_path: Path) -> None:
    found = kept(tmp_path)
    said = subprocess.run(
        ["openssl", "x509", "-in", found.cert, "-noout", "-fingerprint", "-sha256"],
        check=True,
        capture_output=True,
        text=True,
    )
    assert said.stdout.strip() == f"sha256 Fingerprint={found.fingerprint}"
    assert certificate.fingerprint_of(found.cert) == found.fingerprint


def test_it_lasts_as_long_as_browsers_take_and_begins_before_slow_clocks(tmp_path: Path) -> None:
    made = read(kept(tmp_path))
    lasts = made.not_valid_after_utc - made.not_valid_before_utc + timedelta(seconds=1)
    assert lasts == timedelta(days=397)
    assert str(made.not_valid_before_utc) == "2026-11-28 18:00:00+00:00"


def test_only_its_owner_reads_it(tmp_path: Path) -> None:
    folder = tmp_path / "keys"
    found = kept(folder)
    assert [path.stat().st_mode & 0o777 for path in (folder, found.key)] == [0o700, 0o600]
    assert sorted(path.name for path in folder.iterdir()) == ["TLS-cert.pem", "TLS-key.pem"]


def test_the_same_one_is_shown_the_whole_year(tmp_path: Path) -> None:
    first = kept(tmp_path)
    assert kept(tmp_path, on="2027-11-28") == first
    assert kept(tmp_path, "hall.local", "192.168.1.5", on="2027-06-01") == first
    assert kept(tmp_path, "hall.local") == first, "an address less needs no other certificate"


@pytest.mark.parametrize("day", ["2027-11-30", "2028-06-01", "2026-11-01"])
def test_it_is_renewed_with_the_same_key_before_it_ends(tmp_path: Path, day: str) -> None:
    first = kept(tmp_path)
    key = first.key.read_bytes()
    renewed = kept(tmp_path, on=day)
    assert renewed.fingerprint != first.fingerprint
    assert renewed.key.read_bytes() == key
    assert kept(tmp_path, on=day) == renewed


def test_a_new_address_makes_a_new_one(tmp_path: Path) -> None:
    first = kept(tmp_path)
    moved = kept(tmp_path, "10.0.0.7")
    assert moved.fingerprint != first.fingerprint
    assert names_in(moved) == {"10.0.0.7", "localhost", "127.0.0.1", "::1"}


def test_names_have_one_spelling(tmp_path: Path) -> None:
    found = kept(tmp_path, "Hall.Local.", "[fe80::0:1]", "münchen.example")
    assert {"hall.local", "fe80::1", "xn--mnchen-3ya.example"} < names_in(found)


@pytest.mark.parametrize("name", ["", "two words", "*.example", "a/b", "a" * 64, "\ud800", "x\n"])
def test_what_is_no_name_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(Unreadable) as refused:
        kept(tmp_path, name)
    assert refused.value.code == "bad-name"
    assert list(tmp_path.iterdir()) == []


def test_a_key_that_others_can_read_is_refused(tmp_path: Path) -> None:
    kept(tmp_path).key.chmod(0o640)
    with pytest.raises(NotAllowed) as refused:
        kept(tmp_path)
    assert refused.value.code == "tls-key-too-open"
    assert refused.value.hint.startswith("chmod 600 ")


@pytest.mark.parametrize("damage", [b"", b"no key", b"-----BEGIN PRIVATE KEY-----\nAAAA"])
def test_a_damaged_key_is_never_replaced_silently(tmp_path: Path, damage: bytes) -> None:
    kept(tmp_path).key.write_bytes(damage)
    with pytest.raises(Unreadable) as refused:
        kept(tmp_path)
    assert refused.value.code == "tls-key-damaged"
    assert (tmp_path / "TLS-key.pem").read_bytes() == damage


@pytest.mark.parametrize("damage", [b"", b"no certificate", b"-----BEGIN CERTIFICATE-----\nAA"])
def test_a_damaged_certificate_is_made_anew(tmp_path: Path, damage: bytes) -> None:
    first = kept(tmp_path)
    first.cert.write_bytes(damage)
    assert kept(tmp_path).fingerprint == certificate.fingerprint_of(first.cert)


def test_a_certificate_of_another_key_is_made_anew(tmp_path: Path) -> None:
    other, here = kept(tmp_path / "there"), kept(tmp_path / "here")
    here.cert.write_bytes(other.cert.read_bytes())
    assert kept(tmp_path / "here").fingerprint not in (other.fingerprint, here.fingerprint)


def test_one_that_somebody_brought_must_be_one(tmp_path: Path) -> None:
    path = tmp_path / "cert.pem"
    path.write_text("hello")
    with pytest.raises(Unreadable) as refused:
        certificate.fingerprint_of(path)
    assert refused.value.code == "tls-unreadable"


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(NotAllowed) as refused:
        kept(tmp_path / "file" / "keys")
    assert refused.value.code == "tls-not-written"


def test_addresses_for_phones_are_this_machines_own() -> None:
    for address in certificate.reachable():
        assert not address.startswith(("127.", "169.254.", "0."))
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as here:
            here.bind((address, 0))
