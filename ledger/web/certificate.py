"""The certificate of a server that phones reach in the hall: made here, signed by itself.

Browsers give a page its keys (WebCrypto) only over https. No authority vouches for an address of
a hall, so a phone warns once, and its owner compares the fingerprint with the join sheet.

Key and certificate lie in the folder of keys: they are this machine's, whatever ledger is served,
and need the same care. Their names are in capitals, as no key's name can be. The key is made once.
The certificate is made anew, and with it the fingerprint, when a name is missing in it or a month
before it ends; browsers take 397 days at most. Key and serial number come from the library's own
entropy.
"""

from __future__ import annotations

import os
import secrets
import socket
import sys
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ledger.errors import NotAllowed, Unreadable
from ledger.keys import sync_folder, write_new
from ledger.regularfile import read_regular

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
    from cryptography.x509 import Certificate, GeneralName

CERTIFICATE: Final = "TLS-cert.pem"
KEY: Final = "TLS-key.pem"
DAYS: Final = 397
"""From its first to its last second: the CA/Browser Forum's limit of 398 days, less one."""
_EARLY: Final = timedelta(days=1)
"""Phones whose clocks are behind take it as well."""
_RENEWED: Final = timedelta(days=30)
_ALWAYS: Final = ("localhost", "127.0.0.1", "::1")
_MOST: Final = 64 * 1024


@dataclass(frozen=True, slots=True)
class Kept:
    cert: Path
    key: Path
    fingerprint: str
    """SHA-256 of the certificate, as browsers print it: AB:CD:…"""


def kept(folder: Path, names: Iterable[str], clock: Callable[[], str]) -> Kept:
    """The certificate kept in ``folder`` for these names and addresses, made when there is none
    that fits. ``clock`` gives RFC 3339 in UTC.

    Raises ``NotAllowed`` (``tls-key-too-open``, ``tls-not-written``, ``tls-unreadable``),
    ``Unreadable`` (``tls-key-damaged``, ``bad-name``).
    """
    now = datetime.fromisoformat(clock())
    wanted = dict.fromkeys(_name(each) for each in (*names, *_ALWAYS))
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        key = _key(folder)
        found = _found(folder / CERTIFICATE)
        if found is None or not _fits(found, key, wanted, now):
            found = _made(key, wanted, now)
            _put(folder / CERTIFICATE, _pem(found))
    except OSError as error:
        raise NotAllowed(
            "tls-not-written", f"The certificate was not written: {error.strerror}."
        ) from None
    return Kept(folder / CERTIFICATE, folder / KEY, fingerprint(found))


def fingerprint(certificate: Certificate) -> str:
    """SHA-256 in pairs of capitals with colons between."""
    from cryptography.hazmat.primitives.hashes import SHA256

    return certificate.fingerprint(SHA256()).hex(":").upper()


def fingerprint_of(path: Path) -> str:
    """That of the first certificate in a PEM file that somebody brought.

    Raises ``Unreadable`` (``tls-unreadable``).
    """
    found = _found(path)
    if found is None:
        raise Unreadable("tls-unreadable", f"{path} is no certificate in PEM.")
    return fingerprint(found)


def reachable() -> tuple[str, ...]:
    """IPv4 addresses of this machine that phones in its networks can reach, the likeliest first.
    Nothing is sent: a datagram socket that is connected only chooses its own address."""
    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking, suppress(OSError):
        asking.connect(("192.0.2.1", 9))  # for documentation: nobody is there (RFC 5737)
        found.append(str(asking.getsockname()[0]))
    found += _of_interfaces()
    usable = (each for each in found if not _is_useless(each))
    return tuple(dict.fromkeys(usable))


def _is_useless(address: str) -> bool:
    at = ip_address(address)
    return at.is_loopback or at.is_unspecified or at.is_link_local


def _of_interfaces() -> list[str]:
    """What Linux says of every network it is in: a hall's own has no way out, and is missed by a
    socket that looks for one."""
    if sys.platform != "linux":
        return []
    import fcntl
    import struct

    asks_address = 0x8915  # SIOCGIFADDR (netdevice(7))
    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        for _, name in socket.if_nameindex():
            with suppress(OSError):  # a network without an address
                asked = struct.pack("256s", os.fsencode(name)[:15])
                told = fcntl.ioctl(asking.fileno(), asks_address, asked)
                found.append(socket.inet_ntoa(told[20:24]))
    return found


# -- key and certificate -------------------------------------------------------------------


def _name(text: str) -> str:
    """A name or an address in its one spelling. Raises ``Unreadable`` (``bad-name``)."""
    with suppress(ValueError):
        return str(ip_address(text.strip("[]")))
    try:
        name = text.rstrip(".").encode("idna").decode("ascii").lower()
    except UnicodeError:
        name = ""
    letters = name.replace("-", "").replace(".", "")
    if not (letters.isalnum() and len(name) <= 253):
        raise Unreadable("bad-name", f"{text[:60]!a} is neither a host's name nor an address.")
    return name


def _key(folder: Path) -> EllipticCurvePrivateKey:
    """The private key of this machine's certificates: EC P-256, which every phone takes."""
    from cryptography.hazmat.primitives.asymmetric.ec import (
        SECP256R1,
        EllipticCurvePrivateKey,
        generate_private_key,
    )
    from cryptography.hazmat.primitives.serialization import (
        Encoding,
        NoEncryption,
        PrivateFormat,
        load_pem_private_key,
    )

    path = folder / KEY
    if not os.path.lexists(path):
        fresh = generate_private_key(SECP256R1())
        pem = fresh.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        with suppress(FileExistsError):  # another program was faster; its key counts
            _put(path, pem, over=False)
    data, mode = _read(path)
    if os.name == "posix" and mode & 0o077:
        raise NotAllowed(
            "tls-key-too-open",
            f"Others can read the server's private key, {path}.",
            hint=f"chmod 600 {path}",
        )
    try:
        found = load_pem_private_key(data, None)
    except (ValueError, TypeError):
        found = None
    if not isinstance(found, EllipticCurvePrivateKey):
        raise Unreadable(
            "tls-key-damaged",
            f"The server's private key is damaged: {path}.",
            hint="move it away: another is made, and phones warn once more",
        )
    return found


def _found(path: Path) -> Certificate | None:
    """The certificate in a file; none where there is none, or what is there is damaged."""
    from cryptography.x509 import load_pem_x509_certificate

    if not os.path.lexists(path):
        return None
    try:
        return load_pem_x509_certificate(_read(path)[0])
    except ValueError:
        return None


def _read(path: Path) -> tuple[bytes, int]:
    try:
        return read_regular(path, _MOST)
    except OSError as error:
        raise NotAllowed("tls-unreadable", f"{path} cannot be read: {error.strerror}.") from None


def _fits(
    found: Certificate, key: EllipticCurvePrivateKey, wanted: Collection[str], now: datetime
) -> bool:
    from cryptography.x509 import ExtensionNotFound, SubjectAlternativeName

    if found.public_key() != key.public_key():
        return False
    if not found.not_valid_before_utc <= now < found.not_valid_after_utc - _RENEWED:
        return False
    try:
        names = found.extensions.get_extension_for_class(SubjectAlternativeName).value
    except (ExtensionNotFound, ValueError):
        return False
    return {_general(each) for each in wanted} <= set(names)


def _general(name: str) -> GeneralName:
    from cryptography.x509 import DNSName, IPAddress

    try:
        return IPAddress(ip_address(name))
    except ValueError:
        return DNSName(name)


def _made(key: EllipticCurvePrivateKey, names: Iterable[str], now: datetime) -> Certificate:
    from cryptography import x509
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Tabellion")])
    begins = now.astimezone(UTC) - _EARLY
    usage = dict.fromkeys(
        (
            *("content_commitment", "key_encipherment", "data_encipherment", "key_agreement"),
            *("key_cert_sign", "crl_sign", "encipher_only", "decipher_only"),
        ),
        False,
    )
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(begins)
        .not_valid_after(begins + timedelta(days=DAYS) - timedelta(seconds=1))
        .add_extension(x509.SubjectAlternativeName(map(_general, names)), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.KeyUsage(digital_signature=True, **usage), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, SHA256())
    )


def _pem(certificate: Certificate) -> bytes:
    from cryptography.hazmat.primitives.serialization import Encoding

    return certificate.public_bytes(Encoding.PEM)


def _put(path: Path, data: bytes, *, over: bool = True) -> None:
    """Write a whole file or none, its owner's alone, through to the disk. ``FileExistsError``
    where one is there that is to stay."""
    half = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    try:
        write_new(half, data, 0o600, [])
        if over:
            half.replace(path)
        else:
            os.link(half, path)
        sync_folder(path.parent)
    finally:
        half.unlink(missing_ok=True)
