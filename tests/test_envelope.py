"""The envelope: DSSE as other programs read and write it, one spelling, one signature."""

from __future__ import annotations

import base64
import json
import subprocess
from hashlib import sha256, sha512
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from hypothesis import given
from hypothesis import strategies as st
from securesystemslib.dsse import Envelope as Dsse
from securesystemslib.exceptions import VerificationError
from securesystemslib.signer import CryptoSigner, SSlibKey  # type: ignore[attr-defined]

from ledger.envelope import MAX_ENVELOPE, PAYLOAD_TYPE, Envelope, pae, parse, seal
from ledger.errors import Refused, TabellionError
from ledger.keys import SigningKey
from ledger.publickey import PublicKey

VECTORS = json.loads((Path(__file__).parent / "conformance/event.json").read_bytes())
KEYS = {
    "arbiter": SigningKey.from_seed(b"\1" * 32),
    "white": SigningKey.from_seed(b"\2" * 32),
}
SIGNED = [
    pytest.param(VECTORS["events"][0], KEYS["arbiter"], id="by-the-arbiter"),
    pytest.param(VECTORS["events"][1], KEYS["white"], id="by-a-seat"),
]
ARBITER = KEYS["arbiter"]
GOOD = seal(b'{"a":1,"b":"Jes\xc3\xbas"}', ARBITER.public, ARBITER.sign)

Json = dict[str, Any]


def refusal(text: bytes) -> str:
    """The code of the refusal of ``text``, whose words can be shown on any terminal."""
    with pytest.raises(Refused) as caught:
        parse(text)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 300
    return caught.value.code


def written(outer: object) -> bytes:
    return json.dumps(outer, separators=(",", ":"), sort_keys=True).encode()


def altered(**fields: object) -> bytes:
    """The good envelope with other fields."""
    return written(json.loads(GOOD.text()) | fields)


def with_signature(**fields: object) -> bytes:
    """The good envelope with other fields in its signature."""
    (signature,) = json.loads(GOOD.text())["signatures"]
    return altered(signatures=[signature | fields])


# -- the vectors -------------------------------------------------------------------------------


def test_the_vectors_name_our_payload_type_and_keys() -> None:
    assert VECTORS["payload_type"] == PAYLOAD_TYPE
    for role, key in KEYS.items():
        assert key.public.line == VECTORS["keys"][role]["public"]
        assert key.public.fingerprint == VECTORS["keys"][role]["keyid"]


@pytest.mark.parametrize(("vector", "key"), SIGNED)
def test_a_vector_is_sealed_byte_for_byte(vector: Json, key: SigningKey) -> None:
    envelope = seal(vector["payload"].encode(), key.public, key.sign)
    assert envelope.signature.hex() == vector["signature_hex"]
    assert envelope.hash == vector["pae_sha256_hash"]
    assert envelope.text() == vector["envelope"].encode()


@pytest.mark.parametrize(("vector", "key"), SIGNED)
def test_a_vector_is_read_byte_for_byte(vector: Json, key: SigningKey) -> None:
    envelope = parse(vector["envelope"].encode())
    assert envelope.payload == vector["payload"].encode()
    assert envelope.signature.hex() == vector["signature_hex"]
    assert envelope.keyid == key.public.fingerprint
    assert envelope.hash == sha256(pae(envelope.payload)).hexdigest() == vector["pae_sha256_hash"]
    assert envelope.signed_by(key.public)


def test_the_second_vector_continues_the_first() -> None:
    first, second = (parse(vector["envelope"].encode()) for vector in VECTORS["events"])
    assert json.loads(second.payload)["prev"] == first.hash


# -- securesystemslib: another DSSE ------------------------------------------------------------


def peer_key(key: PublicKey) -> SSlibKey:
    return SSlibKey.from_crypto(Ed25519PublicKey.from_public_bytes(key.raw), key.fingerprint)


@given(st.binary(max_size=300))
def test_the_signed_bytes_are_those_of_dsse(payload: bytes) -> None:
    assert pae(payload) == Dsse(payload, PAYLOAD_TYPE, {}).pae()


@given(st.binary(max_size=300))
def test_what_we_sign_another_dsse_verifies(payload: bytes) -> None:
    ours = seal(payload, ARBITER.public, ARBITER.sign)
    theirs = Dsse.from_dict(json.loads(ours.text()))
    assert theirs.payload == payload
    key = peer_key(ARBITER.public)
    assert theirs.verify([key], 1) == {key.keyid: key}


@given(st.binary(max_size=300))
def test_what_another_dsse_signs_we_verify(payload: bytes) -> None:
    private = Ed25519PrivateKey.from_private_bytes(b"\2" * 32)
    theirs = Dsse(payload, PAYLOAD_TYPE, {})
    theirs.sign(CryptoSigner(private, peer_key(KEYS["white"].public)))
    ours = parse(written(theirs.to_dict()))
    assert ours.payload == payload
    assert ours.signed_by(KEYS["white"].public)
    assert not ours.signed_by(ARBITER.public)


def test_another_dsse_refuses_what_we_refuse() -> None:
    changed = Envelope(GOOD.payload + b" ", GOOD.signature, GOOD.keyid)
    assert not changed.signed_by(ARBITER.public)
    with pytest.raises(VerificationError):
        Dsse.from_dict(json.loads(changed.text())).verify([peer_key(ARBITER.public)], 1)


# -- openssl: another Ed25519 ------------------------------------------------------------------


def openssl_accepts(envelope: Envelope, key: PublicKey, folder: Path) -> bool:
    """``openssl pkeyutl -verify`` over the PAE, with the key as a PEM file."""
    public = Ed25519PublicKey.from_public_bytes(key.raw)
    (folder / "key.pem").write_bytes(
        public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    )
    (folder / "pae").write_bytes(pae(envelope.payload))
    (folder / "signature").write_bytes(envelope.signature)
    command = "openssl pkeyutl -verify -rawin -pubin -inkey key.pem -in pae -sigfile signature"
    done = subprocess.run(command.split(), cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    return done.returncode == 0 and "Signature Verified Successfully" in done.stdout


@pytest.mark.parametrize(("vector", "key"), SIGNED)
def test_openssl_verifies_a_signed_event(vector: Json, key: SigningKey, tmp_path: Path) -> None:
    assert openssl_accepts(parse(vector["envelope"].encode()), key.public, tmp_path)


def test_openssl_refuses_what_we_refuse(tmp_path: Path) -> None:
    payload, signature = bytearray(GOOD.payload), bytearray(GOOD.signature)
    payload[5] ^= 1
    signature[40] ^= 1
    for changed in (
        Envelope(bytes(payload), GOOD.signature, GOOD.keyid),
        Envelope(GOOD.payload, bytes(signature), GOOD.keyid),
    ):
        assert not changed.signed_by(ARBITER.public)
        assert not openssl_accepts(changed, ARBITER.public, tmp_path)
    assert not openssl_accepts(GOOD, KEYS["white"].public, tmp_path)


# -- one spelling ------------------------------------------------------------------------------


@given(st.binary(max_size=200), st.binary(min_size=64, max_size=64))
def test_every_envelope_is_read_as_it_is_written(payload: bytes, signature: bytes) -> None:
    envelope = Envelope(payload, signature, ARBITER.public.fingerprint)
    assert parse(envelope.text()) == envelope
    assert envelope.text() == written(json.loads(envelope.text()))


PLAIN = GOOD.text()
SIGNATURE = json.loads(PLAIN)["signatures"][0]
BASE64 = base64.b64encode(GOOD.payload).decode()


def test_the_payload_of_these_examples_needs_padding() -> None:
    assert BASE64.endswith("=")
    assert "+" in SIGNATURE["sig"] or "/" in SIGNATURE["sig"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (PLAIN + b"\n", "a line end after"),
        (b" " + PLAIN, "a space before"),
        (json.dumps(json.loads(PLAIN)).encode(), "spaces inside"),
        (json.dumps(dict(reversed(json.loads(PLAIN).items()))).encode(), "fields in another order"),
        (PLAIN.replace(b'{"payload":', b'{"payload":"e30=","payload":'), "a field twice"),
        (PLAIN.replace(b'"sig":', b'"sig":"AA==","sig":'), "a field of the signature twice"),
        (PLAIN.replace(b"payloadType", b"payload\\u0054ype"), "an escape in a name"),
        (PLAIN.replace(b"SHA256", b"SHA25\\u0036"), "an escape in a text"),
        (PLAIN.replace(b"application/vnd", b"application\\/vnd"), "an escaped slash"),
    ],
)
def test_another_spelling_is_not_canonical(text: bytes, why: str) -> None:
    assert json.loads(text)["signatures"], "it is JSON all the same"
    assert refusal(text) == "not-canonical", why


def test_base64_with_bits_that_mean_nothing_is_not_canonical() -> None:
    for last, sloppy in (("=", "J"), ("==", "R")):
        payload = b"ab" if last == "=" else b"a"
        strict = base64.b64encode(payload).decode()
        other = strict[: -len(last) - 1] + sloppy + last
        assert base64.b64decode(other) == payload
        assert refusal(altered(payload=other)) == "not-canonical"
    assert SIGNATURE["sig"][-3] != "R"
    sig = SIGNATURE["sig"][:-3] + chr(ord(SIGNATURE["sig"][-3]) + 1) + "=="
    assert base64.b64decode(sig) == GOOD.signature
    assert refusal(with_signature(sig=sig)) == "not-canonical"


@pytest.mark.parametrize(
    ("payload", "why"),
    [
        (BASE64.rstrip("="), "without padding"),
        (BASE64 + "=", "with too much padding"),
        ("=" + BASE64, "padded in front"),
        (BASE64[:4] + "\n" + BASE64[4:], "broken into lines"),
        (BASE64 + "\n", "with a line end"),
        (BASE64[:4] + " " + BASE64[4:], "with a space"),
        ("_-" + BASE64[2:], "in the alphabet for URLs"),
        ("é" + BASE64[1:], "with a letter beyond ASCII"),
        ("e30=e30=", "two pieces"),
        ("e", "one character"),
    ],
)
def test_loose_base64_is_refused(payload: str, why: str) -> None:
    assert refusal(altered(payload=payload)) == "not-an-envelope", why


def test_a_signature_in_the_alphabet_for_urls_is_refused() -> None:
    sig = base64.urlsafe_b64encode(GOOD.signature).decode()
    assert sig != SIGNATURE["sig"]
    assert refusal(with_signature(sig=sig)) == "not-an-envelope"
    assert refusal(with_signature(sig=SIGNATURE["sig"].rstrip("="))) == "not-an-envelope"


# -- refused by form -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "code", "why"),
    [
        (altered(signatures=[]), "not-one-signature", "nobody signed"),
        (altered(signatures=[SIGNATURE, SIGNATURE]), "not-one-signature", "one signed twice"),
        (altered(payloadType="application/json"), "foreign-payload", "another type"),
        (altered(payloadType=PAYLOAD_TYPE.upper()), "foreign-payload", "the type in capitals"),
        (altered(payloadType=PAYLOAD_TYPE.replace("v1", "v2")), "foreign-payload", "version 2"),
        (altered(payloadType=""), "foreign-payload", "no type"),
        (altered(payloadType="\x1b[2J\u202e"), "foreign-payload", "a type that clears the screen"),
        (altered(payloadType=None), "not-an-envelope", "null for the type"),
        (altered(payload=None), "not-an-envelope", "null for the payload"),
        (altered(payload={"a": 1}), "not-an-envelope", "the payload as it is"),
        (altered(signatures=None), "not-an-envelope", "null for the signatures"),
        (altered(signatures=SIGNATURE), "not-an-envelope", "a signature without its list"),
        (altered(signatures=[[]]), "not-an-envelope", "a list for a signature"),
        (altered(comment="hello"), "not-an-envelope", "an unknown field"),
        (altered(**{"\x1b[2J\u202e": 1}), "not-an-envelope", "a field that clears the screen"),
        (altered(**{"x" * 5000: 1}), "not-an-envelope", "a field with a very long name"),
        (with_signature(cert="hello"), "not-an-envelope", "an unknown field in the signature"),
        (with_signature(sig=""), "not-an-envelope", "an empty signature"),
        (with_signature(sig="AAAA"), "not-an-envelope", "a signature of 3 bytes"),
        (with_signature(sig="A" * 88), "not-an-envelope", "a signature of 66 bytes"),
        (with_signature(sig=None), "not-an-envelope", "null for the signature"),
        (with_signature(keyid=""), "not-an-envelope", "no key id"),
        (with_signature(keyid=GOOD.keyid[7:]), "not-an-envelope", "a fingerprint without its hash"),
        (with_signature(keyid=GOOD.keyid + "="), "not-an-envelope", "a fingerprint with padding"),
        (with_signature(keyid=GOOD.keyid + "\n"), "not-an-envelope", "a fingerprint and a line"),
        (
            with_signature(keyid=GOOD.keyid.lower()),
            "not-an-envelope",
            "a fingerprint in lower case",
        ),
        (with_signature(keyid=GOOD.keyid[:-1] + "9"), "not-an-envelope", "bits that mean nothing"),
        (with_signature(keyid="ab" * 32), "not-an-envelope", "a key id in hexadecimal"),
        (with_signature(keyid="MD5:16:27:ac:a5"), "not-an-envelope", "an MD5 fingerprint"),
        (with_signature(keyid=1), "not-an-envelope", "a number for the key id"),
        (b"", "not-an-envelope", "nothing"),
        (b"null", "not-an-envelope", "null"),
        (b"[]", "not-an-envelope", "a list"),
        (b"{}", "not-an-envelope", "no fields"),
        (b"\xef\xbb\xbf" + PLAIN, "not-an-envelope", "a byte order mark"),
        (PLAIN + PLAIN, "not-an-envelope", "two envelopes"),
        (PLAIN + b"\0", "not-an-envelope", "a byte after"),
        (PLAIN[:-1], "not-an-envelope", "cut short"),
        (PLAIN.replace(b"SHA", b"\xff\xff\xff"), "not-an-envelope", "bytes that are not UTF-8"),
        (PLAIN.replace(b"SHA", b"\\ud800"), "not-an-envelope", "a surrogate alone"),
        (PLAIN.decode().encode("utf-16"), "not-an-envelope", "UTF-16"),
    ],
)
def test_what_is_no_envelope_is_refused(text: bytes, code: str, why: str) -> None:
    assert refusal(text) == code, why


@pytest.mark.parametrize("field", ["payload", "payloadType", "signatures"])
def test_an_envelope_without_a_field_is_refused(field: str) -> None:
    outer = json.loads(PLAIN)
    del outer[field]
    assert refusal(written(outer)) == "not-an-envelope"


@pytest.mark.parametrize("field", ["keyid", "sig"])
def test_a_signature_without_a_field_is_refused(field: str) -> None:
    signature = {key: value for key, value in SIGNATURE.items() if key != field}
    assert refusal(altered(signatures=[signature])) == "not-an-envelope"


@pytest.mark.parametrize(
    "before", [b"", b'{"payload":', b'{"unknown":', b'{"signatures":', b'{"signatures":[{"sig":']
)
@pytest.mark.parametrize("opening", [b"[", b'{"payload":', b'{"signatures":['])
@pytest.mark.parametrize("size", [1_000, 90_000, 300_000])
def test_a_bomb_of_brackets_is_refused(before: bytes, opening: bytes, size: int) -> None:
    bomb = before + opening * (size // len(opening))
    assert refusal(bomb) == ("too-large" if size > MAX_ENVELOPE else "not-an-envelope")


def test_size_has_an_end() -> None:
    payload = b"x" * (61_440 - 2)
    assert parse(Envelope(payload, GOOD.signature, GOOD.keyid).text()).payload == payload
    far_more = Envelope(b"x" * 80_000, GOOD.signature, GOOD.keyid).text()
    assert len(far_more) > MAX_ENVELOPE
    assert refusal(far_more) == "too-large"


# -- who signed ----------------------------------------------------------------------------------

LOW_ORDER = {
    "2": "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "1": "0100000000000000000000000000000000000000000000000000000000000000",
    "4": "0000000000000000000000000000000000000000000000000000000000000000",
    "4 with its sign": "0000000000000000000000000000000000000000000000000000000000000080",
    "8": "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "8 the other": "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "1 written longer": "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
}


def signed_with_low_order_r(payload: bytes, seed: bytes, r: bytes) -> bytes:
    """R and S such that S·B = R + k·A up to a point of low order: S is k·a, R adds nothing."""
    order = 2**252 + 27742317777372353535851937790883648493
    secret = bytearray(sha512(seed).digest()[:32])
    secret[0] &= 248
    secret[31] = secret[31] & 127 | 64
    public = SigningKey.from_seed(seed).public.raw
    k = int.from_bytes(sha512(r + public + pae(payload)).digest(), "little")
    return r + (k * int.from_bytes(secret, "little") % order).to_bytes(32, "little")


@pytest.mark.parametrize("order", LOW_ORDER)
def test_a_signature_with_low_order_r_is_refused(order: str) -> None:
    r = bytes.fromhex(LOW_ORDER[order])
    signature = signed_with_low_order_r(GOOD.payload, b"\1" * 32, r)
    envelope = parse(Envelope(GOOD.payload, signature, GOOD.keyid).text())
    assert not envelope.signed_by(ARBITER.public)


def test_openssl_would_have_let_one_of_them_in(tmp_path: Path) -> None:
    signature = signed_with_low_order_r(GOOD.payload, b"\1" * 32, bytes.fromhex(LOW_ORDER["1"]))
    assert openssl_accepts(Envelope(GOOD.payload, signature, GOOD.keyid), ARBITER.public, tmp_path)


def test_a_signature_by_another_key_is_refused() -> None:
    assert GOOD.signed_by(ARBITER.public)
    assert not GOOD.signed_by(KEYS["white"].public)
    theirs = Envelope(GOOD.payload, KEYS["white"].sign(pae(GOOD.payload)), GOOD.keyid)
    assert not theirs.signed_by(ARBITER.public)


def test_a_key_id_is_part_of_the_signature_that_is_looked_at() -> None:
    renamed = Envelope(GOOD.payload, GOOD.signature, KEYS["white"].public.fingerprint)
    assert not renamed.signed_by(ARBITER.public)
    assert not renamed.signed_by(KEYS["white"].public)


def test_the_payload_alone_is_not_what_is_signed() -> None:
    bare = Envelope(GOOD.payload, ARBITER.sign(GOOD.payload), GOOD.keyid)
    assert not bare.signed_by(ARBITER.public)


def test_every_flipped_bit_is_a_fault() -> None:
    """Whatever bit is flipped: refused, or no longer signed by the key it names."""
    text = VECTORS["events"][0]["envelope"].encode()
    let_through = []
    for place in range(len(text) * 8):
        flipped = bytearray(text)
        flipped[place // 8] ^= 1 << place % 8
        try:
            envelope = parse(bytes(flipped))
        except TabellionError:
            continue
        if any(envelope.signed_by(key.public) for key in KEYS.values()):
            let_through.append(place)
    assert let_through == []


# -- hostile bytes -------------------------------------------------------------------------------


@given(st.binary(max_size=200))
def test_random_bytes_are_no_envelope(text: bytes) -> None:
    with pytest.raises(TabellionError):
        parse(text)


@given(st.data())
def test_altered_envelopes_are_refused_or_not_signed(data: st.DataObject) -> None:
    text = bytearray(data.draw(st.sampled_from([PLAIN, VECTORS["events"][1]["envelope"].encode()])))
    before = bytes(text)
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(len(text), start + 4)))
        text[start:end] = data.draw(st.binary(max_size=4) | st.sampled_from([b'"', b"\\", b"="]))
    try:
        envelope = parse(bytes(text))
    except TabellionError:
        return
    assert envelope.text() == text
    signed = any(envelope.signed_by(key.public) for key in KEYS.values())
    assert signed is (text == before)
