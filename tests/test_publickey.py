"""Public keys: one spelling, ssh-keygen's fingerprints, and no key or signature that verifiers
would disagree about."""

from __future__ import annotations

import base64
import hashlib
import subprocess
from pathlib import Path

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger import publickey
from ledger.edwards25519 import (
    IDENTITY,
    L,
    P,
    Point,
    add,
    decode,
    double,
    is_identity,
    multiply,
)
from ledger.errors import Refused, Unreadable
from ledger.publickey import PublicKey, weakness

ARBITER = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIIqI4910CfGV/VLbLTy6XXLKZwm/HZQSG/N0iAG0D29c"
WHITE = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIIE5dw6ofRdfVqNUZsNMfszLjYqRtO43ol32D1uPybOU"
KEYIDS = {
    ARBITER: "SHA256:fe85JkIjo8VPe+XqXJGH5Mau1EMFdK1OdKvJUFicyA8",
    WHITE: "SHA256:4A9jyZBOhnKZvcGQ6TRFbf5Gymb41AfYvYaVmWHD+G4",
}
SEEDS = {ARBITER: b"\1" * 32, WHITE: b"\2" * 32}

# RFC 8032 §7.1: TEST 1, 2, 3 and SHA(abc) as public key, message, signature
RFC_8032 = [
    (
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
        "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
        "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ),
    (
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
        "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    ),
    (
        "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
        hashlib.sha512(b"abc").hexdigest(),
        "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b589"
        "09351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704",
    ),
]


def encode(point: Point) -> bytes:
    """RFC 8032 §5.1.2."""
    x, y, z, _ = point
    inverse = pow(z, -1, P)
    return (y * inverse % P | (x * inverse % P & 1) << 255).to_bytes(32, "little")


def base_point() -> Point:
    point = decode((4 * pow(5, -1, P) % P).to_bytes(32, "little"))
    assert point is not None
    return point


BASE = base_point()


def torsion_points() -> list[Point]:
    """The eight points of low order: L · any point is one; take one that generates them all."""
    for y in range(2, 200):
        point = decode(y.to_bytes(32, "little"))
        if point is not None:
            torsion = multiply(L, point)
            if not is_identity(multiply(4, torsion)):
                return [multiply(n, torsion) for n in range(8)]
    raise AssertionError("no generator found")


TORSION = torsion_points()


def low_order_encodings() -> list[bytes]:
    """Every 32 bytes that a lenient decoder takes for a point of low order: both signs where
    x = 0, and y + p where that fits into 255 bits."""
    found = set()
    for point in TORSION:
        right = encode(point)
        number = int.from_bytes(right, "little")
        y, sign = number & (1 << 255) - 1, number >> 255
        for spelt in (y, y + P):
            for bit in (0, 1):
                if spelt < 1 << 255 and (bit == sign or y in (1, P - 1)):
                    found.add((spelt | bit << 255).to_bytes(32, "little"))
    return sorted(found)


LOW_ORDER = low_order_encodings()


def secret_scalar(seed: bytes) -> int:
    """RFC 8032 §5.1.5."""
    number = int.from_bytes(hashlib.sha512(seed).digest()[:32], "little")
    return number & ~7 & (1 << 254) - 1 | 1 << 254


def challenge(nonce_point: bytes, key: bytes, message: bytes) -> int:
    return int.from_bytes(hashlib.sha512(nonce_point + key + message).digest(), "little") % L


def forge(key: bytes, scalar: int, nonce: int, torsion: Point, message: bytes) -> bytes:
    """A signature whose R carries a torsion point."""
    nonce_point = encode(add(multiply(nonce, BASE), torsion))
    s = (nonce + challenge(nonce_point, key, message) * scalar) % L
    return nonce_point + s.to_bytes(32, "little")


def openssl_accepts(key: bytes, signature: bytes, message: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
    except InvalidSignature:
        return False
    return True


def cofactored_accepts(key: bytes, signature: bytes, message: bytes) -> bool:
    """[8][S]B = [8]R + [8][k]A, the first equation of RFC 8032 §5.1.7."""
    a, r = decode(key), decode(signature[:32])
    assert a is not None
    assert r is not None
    left = multiply(8 * int.from_bytes(signature[32:], "little"), BASE)
    k = challenge(signature[:32], key, message)
    return encode(left) == encode(multiply(8, add(r, multiply(k, a))))


# --- the line and the fingerprint -------------------------------------------------------------


@pytest.mark.parametrize("line", [ARBITER, WHITE])
def test_line_fingerprint_and_key_agree(line: str) -> None:
    key = PublicKey.parse(line)
    assert key.line == line
    assert key.fingerprint == KEYIDS[line]
    private = Ed25519PrivateKey.from_private_bytes(SEEDS[line])
    assert key.raw == private.public_key().public_bytes_raw()
    key.check()


@pytest.mark.parametrize(
    "line",
    [
        f"{ARBITER} ann@table",
        f"{ARBITER} a comment with spaces, é and 王\n",
        f"  {ARBITER}\r\n",
        ARBITER.replace(" ", " \t "),
    ],
)
def test_people_may_add_comment_and_space_but_an_event_may_not(line: str) -> None:
    assert PublicKey.parse(line).line == ARBITER
    with pytest.raises(Unreadable, match="nothing else") as caught:
        PublicKey.parse_canonical(line)
    assert caught.value.code == "key-spelling"


def test_canonical_line() -> None:
    assert PublicKey.parse_canonical(WHITE) == PublicKey.parse(WHITE)


BLOB = base64.b64decode(ARBITER.split()[1])


def line_of(blob: bytes, kind: str = "ssh-ed25519") -> str:
    return f"{kind} {base64.b64encode(blob).decode()}"


@pytest.mark.parametrize(
    ("line", "code", "says"),
    [
        ("", "key-unreadable", "empty"),
        (" \n", "key-unreadable", "empty"),
        ("ssh-ed25519", "key-unreadable", "stops after its type"),
        (ARBITER + "\n" + WHITE, "key-unreadable", "one line"),
        (ARBITER + " x\x85y", "key-unreadable", "one line"),
        (ARBITER + " \u2028", "key-unreadable", "one line"),
        (ARBITER + " \x1b[31m", "key-unreadable", "plain text"),
        (ARBITER + " \u202e", "key-unreadable", "plain text"),
        (ARBITER + " \udc80", "key-unreadable", "plain text"),
        (ARBITER[:-1], "key-unreadable", "base64"),
        (ARBITER + "=", "key-unreadable", "base64"),
        (ARBITER + "====", "key-unreadable", "base64"),
        (ARBITER.replace("/", "_"), "key-unreadable", "base64"),
        (ARBITER.replace("/", "é"), "key-unreadable", "base64"),
        (ARBITER.replace("/", "*"), "key-unreadable", "base64"),
        (ARBITER[:-4], "key-unreadable", "cut short"),
        (line_of(BLOB + b"\0\0\0"), "key-unreadable", "something added"),
        (line_of(BLOB[:18] + b"\x21" + BLOB[19:]), "key-unreadable", "cut short"),
        (line_of(b"\0\0\0\x07ssh-rsa" + BLOB[15:]), "key-type", "not those of an Ed25519"),
        (line_of(b"\0" * 51), "key-type", "not those of an Ed25519"),
        (line_of(b""), "key-unreadable", "stops after"),
        ("SSH-ED25519 " + ARBITER.split()[1], "key-unreadable", "begins with ssh-ed25519"),
        (ARBITER.split()[1], "key-unreadable", "type is missing"),
        (KEYIDS[ARBITER], "key-unreadable", "fingerprint"),
        ("ssh-rsa AAAAB3NzaC1yc2EAAAADAQAB ann", "key-type", "Only ssh-ed25519"),
        ("ecdsa-sha2-nistp256 AAAAE2VjZHNh", "key-type", "Only ssh-ed25519"),
        ("ssh-dss AAAAB3NzaC1kc3M", "key-type", "Only ssh-ed25519"),
        ("sk-ssh-ed25519@openssh.com AAAAGnNr", "key-type", "security token"),
        ("sk-ecdsa-sha2-nistp256@openssh.com AAAAInNr", "key-type", "Only ssh-ed25519"),
        ("ssh-ed25519-cert-v01@openssh.com AAAAIHNz", "key-type", "certificate"),
        ("-----BEGIN PUBLIC KEY-----\nMCow\n-----END", "key-type", "another format"),
        ("---- BEGIN SSH2 PUBLIC KEY ----\nAAAA", "key-type", "another format"),
        ("-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNz", "private-key", "Show it to nobody"),
        ("-----BEGIN RSA PRIVATE KEY-----\nMIIE", "private-key", "Show it to nobody"),
        ("b3BlbnNzaC1rZXktdjEAAAAABG5vbmU=", "private-key", "Show it to nobody"),
        ("PuTTY-User-Key-File-3: ssh-ed25519", "private-key", "Show it to nobody"),
        ('from="10.*" ' + ARBITER, "key-unreadable", "begins with ssh-ed25519"),
        ("hello", "key-unreadable", "begins with ssh-ed25519"),
    ],
)
def test_what_is_no_key_line_is_refused_in_words_that_help(line: str, code: str, says: str) -> None:
    with pytest.raises(Unreadable, match=says) as caught:
        PublicKey.parse(line)
    assert caught.value.code == code
    assert "AAAA" not in caught.value.message
    assert "b3Blbn" not in caught.value.message


def test_a_key_has_32_bytes() -> None:
    for size in (0, 31, 33):
        with pytest.raises(Unreadable, match="32 bytes"):
            PublicKey(bytes(size))


def only_our_errors(line: str) -> None:
    try:
        key = PublicKey.parse(line)
    except Unreadable:
        return
    assert PublicKey.parse_canonical(key.line) == key


@given(st.text())
def test_any_text_is_a_key_or_our_error(text: str) -> None:
    only_our_errors(text)
    only_our_errors("ssh-ed25519 " + text)


@given(st.binary(max_size=80))
def test_any_bytes_behind_the_base64_are_a_key_or_our_error(blob: bytes) -> None:
    only_our_errors(blob.decode("latin-1"))
    only_our_errors(line_of(blob))
    only_our_errors(line_of(BLOB[:19] + blob))


@given(st.integers(0, len(ARBITER) - 1), st.characters())
def test_one_changed_character_is_another_key_or_our_error(at: int, new: str) -> None:
    line = ARBITER[:at] + new + ARBITER[at + 1 :]
    try:
        key = PublicKey.parse_canonical(line)
    except Unreadable:
        return
    assert (key.line == ARBITER) == (line == ARBITER)


@pytest.mark.parametrize("kind", ["ed25519", "rsa", "ecdsa"])
def test_against_ssh_keygen(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "key"
    subprocess.run(["ssh-keygen", "-q", "-t", kind, "-N", "", "-f", path], check=True)
    line = path.with_suffix(".pub").read_text()
    if kind != "ed25519":
        with pytest.raises(Unreadable, match="Only ssh-ed25519"):
            PublicKey.parse(line)
        return
    listed = subprocess.run(
        ["ssh-keygen", "-l", "-f", path], check=True, capture_output=True, text=True
    )
    key = PublicKey.parse(line)
    assert listed.stdout.split()[1] == key.fingerprint
    assert line.startswith(key.line + " ")
    subprocess.run(["ssh-keygen", "-q", "-s", path, "-I", "x", f"{path}.pub"], check=True)
    with pytest.raises(Unreadable, match="certificate"):
        PublicKey.parse((tmp_path / "key-cert.pub").read_text())


# --- the curve --------------------------------------------------------------------------------


@settings(max_examples=25)
@given(st.binary(min_size=32, max_size=32))
def test_curve_gives_the_public_key_that_openssl_gives(seed: bytes) -> None:
    theirs = Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes_raw()
    assert encode(multiply(secret_scalar(seed), BASE)) == theirs
    point = decode(theirs)
    assert point is not None
    assert encode(point) == theirs
    assert encode(double(point)) == encode(add(point, point))
    assert weakness(theirs) is None


def test_eight_points_of_low_order_in_fourteen_spellings() -> None:
    assert len({encode(point) for point in TORSION}) == 8
    assert encode(TORSION[0]) == encode(IDENTITY)
    assert len(LOW_ORDER) == 14
    assert sum(decode(spelt) is not None for spelt in LOW_ORDER) == 8


@pytest.mark.parametrize("raw", LOW_ORDER, ids=bytes.hex)
def test_key_of_low_order_is_refused_in_every_spelling(raw: bytes) -> None:
    with pytest.raises(Refused) as caught:
        PublicKey(raw).check()
    assert caught.value.code == "weak-key"
    reason = weakness(raw)
    assert reason is not None
    assert ("low order" in reason) == (decode(raw) is not None)


def test_y_is_below_p() -> None:
    for y in range(P, 1 << 255):
        for sign in (0, 1 << 255):
            reason = weakness((y | sign).to_bytes(32, "little"))
            assert reason == "it is not the canonical encoding of a point of the curve"


def test_half_of_all_y_are_off_the_curve() -> None:
    reasons = [weakness(y.to_bytes(32, "little")) for y in range(2, 202)]
    off = sum(reason is not None and "point of the curve" in reason for reason in reasons)
    assert 70 < off < 130
    # of the points, one in eight has no low-order component
    assert 3 < reasons.count(None) < 30


@pytest.mark.parametrize("order_8_multiple", range(1, 8))
def test_good_key_plus_a_torsion_point_is_refused(order_8_multiple: int) -> None:
    good = decode(PublicKey.parse(ARBITER).raw)
    assert good is not None
    mixed = PublicKey(encode(add(good, TORSION[order_8_multiple])))
    with pytest.raises(Refused, match="low-order component") as caught:
        mixed.check()
    assert caught.value.code == "weak-key"
    assert mixed.fingerprint in caught.value.message


# --- signatures -------------------------------------------------------------------------------


@pytest.mark.parametrize(("key", "message", "signature"), RFC_8032)
def test_rfc_8032_vectors(key: str, message: str, signature: str) -> None:
    public = PublicKey(bytes.fromhex(key))
    public.check()
    assert public.verify(bytes.fromhex(signature), bytes.fromhex(message))
    assert not public.verify(bytes.fromhex(signature), bytes.fromhex(message) + b"\0")


KEY = PublicKey.parse(ARBITER)
MESSAGE = "Black plays 6–5".encode()
GOOD = Ed25519PrivateKey.from_private_bytes(SEEDS[ARBITER]).sign(MESSAGE)


def test_one_flipped_bit_anywhere_is_found() -> None:
    assert KEY.verify(GOOD, MESSAGE)
    for bit in range(512):
        flipped = bytearray(GOOD)
        flipped[bit // 8] ^= 1 << bit % 8
        assert not KEY.verify(bytes(flipped), MESSAGE)


@pytest.fixture
def lenient_library(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the library below accepted anything: what is refused now, is refused by us."""
    monkeypatch.setattr(publickey, "_verifier", lambda _raw: lambda _signature, _message: True)
    assert KEY.verify(GOOD, b"not the message")


@pytest.mark.usefixtures("lenient_library")
def test_s_plus_l_is_refused() -> None:
    s = int.from_bytes(GOOD[32:], "little")
    for more in range(s + L, 1 << 256, L):
        assert not KEY.verify(GOOD[:32] + more.to_bytes(32, "little"), MESSAGE)


@pytest.mark.usefixtures("lenient_library")
@pytest.mark.parametrize("size", [0, 1, 32, 63, 65, 128])
def test_signature_has_64_bytes(size: int) -> None:
    assert not KEY.verify((GOOD * 2)[:size], MESSAGE)


@pytest.mark.parametrize("nonce_point", LOW_ORDER, ids=bytes.hex)
def test_r_of_low_order_is_refused_in_every_spelling(nonce_point: bytes) -> None:
    s = challenge(nonce_point, KEY.raw, MESSAGE) * secret_scalar(SEEDS[ARBITER]) % L
    signature = nonce_point + s.to_bytes(32, "little")
    assert not KEY.verify(signature, MESSAGE)
    if nonce_point == encode(IDENTITY):
        assert openssl_accepts(KEY.raw, signature, MESSAGE)  # so the refusal is ours


@pytest.mark.usefixtures("lenient_library")
def test_r_that_is_not_canonical_is_refused() -> None:
    for y in range(P, 1 << 255):
        for sign in (0, 1 << 255):
            assert not KEY.verify((y | sign).to_bytes(32, "little") + GOOD[32:], MESSAGE)


def test_r_with_a_low_order_component_is_refused() -> None:
    """The cofactored equation holds, the other does not."""
    signature = forge(KEY.raw, secret_scalar(SEEDS[ARBITER]), 12345, TORSION[1], MESSAGE)
    assert cofactored_accepts(KEY.raw, signature, MESSAGE)
    assert not KEY.verify(signature, MESSAGE)


def test_mixed_key_whose_signatures_divide_the_verifiers_signs_nothing_here() -> None:
    """With a key of mixed order the cofactored equation holds for every message, the other for
    one message in eight only: neither is accepted."""
    scalar = secret_scalar(SEEDS[ARBITER])
    mixed = encode(add(multiply(scalar, BASE), TORSION[1]))
    verdicts = set()
    for number in range(64):
        message = b"move %d" % number
        signature = forge(mixed, scalar, 777 + number, IDENTITY, message)
        assert cofactored_accepts(mixed, signature, message)
        verdicts.add(openssl_accepts(mixed, signature, message))
        assert not PublicKey(mixed).verify(signature, message)
    assert verdicts == {True, False}


def test_key_of_low_order_verifies_nothing() -> None:
    neutral = encode(IDENTITY)
    signature = encode(multiply(5, BASE)) + (5).to_bytes(32, "little")
    assert openssl_accepts(neutral, signature, MESSAGE)  # whatever the message
    assert not PublicKey(neutral).verify(signature, MESSAGE)


@given(st.binary(min_size=32, max_size=32), st.binary(max_size=70), st.binary(max_size=20))
def test_hostile_bytes_never_raise(raw: bytes, signature: bytes, message: bytes) -> None:
    key = PublicKey(raw)
    assert not key.verify(signature, message)
    assert not key.verify((signature + bytes(64))[:64], message)
    assert key.fingerprint.startswith("SHA256:")
