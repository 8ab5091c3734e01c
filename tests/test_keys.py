"""Private keys on disk: made for their owner alone, read by ssh-keygen, refused when hostile."""

from __future__ import annotations

import base64
import copy
import errno
import os
import pickle
import resource
import stat
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ledger.errors import NotAllowed, NotFound, Refused, TabellionError, Unreadable
from ledger.keys import Keyring, PrivateFile, SigningKey, fresh_seed, name_from, read_key
from ledger.publickey import PublicKey, public_part

SEED = b"\1" * 32
LINE = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIIqI4910CfGV/VLbLTy6XXLKZwm/HZQSG/N0iAG0D29c"
KEYID = "SHA256:fe85JkIjo8VPe+XqXJGH5Mau1EMFdK1OdKvJUFicyA8"
OTHER = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIIE5dw6ofRdfVqNUZsNMfszLjYqRtO43ol32D1uPybOU"
PASSPHRASE = b"tres en ratlla"


@pytest.fixture
def ring(tmp_path: Path) -> Keyring:
    return Keyring(tmp_path / "keys")


@pytest.fixture(scope="module")
def locked() -> bytes:
    """A private file with a passphrase: made once, for it takes half a second."""
    return SigningKey.from_seed(SEED).openssh(PASSPHRASE)


def put(ring: Keyring, name: str, data: bytes, mode: int = 0o600) -> Path:
    ring.folder.mkdir(exist_ok=True)
    path = ring.folder / name
    path.write_bytes(data)
    path.chmod(mode)
    return path


def never() -> bytes:
    raise AssertionError("no passphrase may be asked for")


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def ssh_keygen(*arguments: str | Path) -> str:
    done = subprocess.run(
        ["ssh-keygen", *arguments], check=True, capture_output=True, text=True, timeout=60
    )
    return done.stdout


# --- making a key -----------------------------------------------------------------------------


def test_a_new_key_is_a_pair_of_files_for_its_owner_alone(ring: Keyring) -> None:
    public = ring.create("ann", None, SEED)
    assert public.line == LINE
    assert sorted(os.listdir(ring.folder)) == ["ann", "ann.pub"]
    assert (ring.folder / "ann.pub").read_text() == f"{LINE} ann\n"
    assert mode_of(ring.folder) == 0o700
    assert mode_of(ring.folder / "ann") == 0o600
    assert mode_of(ring.folder / "ann.pub") == 0o644
    key = ring.unlock("ann", never)
    assert key.public == public
    assert public.verify(key.sign(b"roll"), b"roll")
    assert key.sign(b"roll") == Ed25519PrivateKey.from_private_bytes(SEED).sign(b"roll")


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077, 0o777])
def test_the_umask_changes_nothing(ring: Keyring, umask: int) -> None:
    before = os.umask(umask)
    try:
        ring.create("ann", None, SEED)
    finally:
        os.umask(before)
    modes = [mode_of(path) for path in (ring.folder, *sorted(ring.folder.iterdir()))]
    assert modes == [0o700, 0o600, 0o644]


def test_a_passphrase_locks_the_key(ring: Keyring) -> None:
    ring.create("ann", PASSPHRASE, SEED)
    body = unarmour((ring.folder / "ann").read_bytes())
    assert SEED not in body
    assert b"bcrypt" in body
    assert ring.find("ann").encrypted is True
    assert ring.unlock("ann", lambda: PASSPHRASE).public.line == LINE
    with pytest.raises(NotAllowed) as caught:
        ring.unlock("ann", lambda: PASSPHRASE + b" ")
    assert caught.value.code == "wrong-passphrase"
    with pytest.raises(NotAllowed) as caught:
        ring.unlock("ann")
    assert caught.value.code == "passphrase-needed"


def test_64_bcrypt_rounds(locked: bytes) -> None:
    body = unarmour(locked)
    assert body.startswith(
        b"openssh-key-v1\0\0\0\0\x0aaes256-ctr\0\0\0\x06bcrypt\0\0\0\x18\0\0\0\x10"
    )
    after_salt = body[15 + 14 + 10 + 8 + 16 :]
    assert int.from_bytes(after_salt[:4], "big") == 64


def test_an_empty_passphrase_is_no_passphrase(ring: Keyring, locked: bytes) -> None:
    with pytest.raises(NotAllowed, match="empty") as caught:
        ring.create("ann", b"", SEED)
    assert "--no-passphrase" in caught.value.hint
    assert not ring.folder.exists()
    put(ring, "bob", locked)
    with pytest.raises(NotAllowed) as caught:
        ring.unlock("bob", lambda: b"")
    assert caught.value.code == "wrong-passphrase"


def test_without_a_seed_each_key_is_another(ring: Keyring) -> None:
    assert ring.create("ann", None) != ring.create("bob", None)
    assert len(fresh_seed()) == 32
    with pytest.raises(Unreadable, match="32 random bytes"):
        ring.create("carl", None, b"short")


@pytest.mark.parametrize("taken", ["ann", "ann.pub"])
@pytest.mark.parametrize("dangling", [False, True])
def test_nothing_is_overwritten(ring: Keyring, taken: str, dangling: bool) -> None:
    ring.folder.mkdir()
    path = ring.folder / taken
    if dangling:
        path.symlink_to(ring.folder / "nowhere")
    else:
        path.write_text("mine")
    with pytest.raises(NotAllowed) as caught:
        ring.create("ann", None, SEED)
    assert caught.value.code == "key-exists"
    assert os.listdir(ring.folder) == [taken]
    assert dangling or path.read_text() == "mine"


def test_a_file_that_appears_meanwhile_is_not_overwritten(
    ring: Keyring, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(ring, "ann.pub", b"mine")
    monkeypatch.setattr(os.path, "lexists", lambda _path: False)
    with pytest.raises(NotAllowed):
        ring.create("ann", None, SEED)
    assert os.listdir(ring.folder) == ["ann.pub"]
    assert (ring.folder / "ann.pub").read_bytes() == b"mine"


@contextmanager
def disk_full_after(size: int) -> Iterator[None]:
    """Every write beyond this size fails, after a part was written."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("size", [0, 50, 300])
def test_nothing_half_written_stays_behind(ring: Keyring, size: int) -> None:
    with pytest.raises(NotAllowed) as caught, disk_full_after(size):
        ring.create("ann", None, SEED)
    assert caught.value.code == "key-not-written"
    assert os.listdir(ring.folder) == []
    ring.create("ann", None, SEED)


@pytest.mark.parametrize("failing", [1, 2, 3])
def test_a_failing_sync_leaves_nothing_behind(
    ring: Keyring, monkeypatch: pytest.MonkeyPatch, failing: int
) -> None:
    calls = []

    def fsync(descriptor: int) -> None:
        calls.append(descriptor)
        if len(calls) == failing:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(NotAllowed, match="No space left"):
        ring.create("ann", None, SEED)
    assert len(calls) == failing
    assert os.listdir(ring.folder) == []


def test_the_folder_may_be_a_file(tmp_path: Path) -> None:
    (tmp_path / "keys").write_text("")
    for folder in (tmp_path / "keys", tmp_path / "keys" / "deeper"):
        ring = Keyring(folder)
        for attempt in (lambda: ring.create("ann", None, SEED), ring.list):  # noqa: B023
            with pytest.raises(NotAllowed):
                attempt()


@pytest.mark.parametrize(
    "name",
    [
        *("", ".", "..", "../ann", "a/b", "/etc/passwd", "a..b", "a\\b", "c:ann", "ann.pub"),
        *(".ann", "-ann", "Ann", "ann ", "ann\n", "a\0b", "ann\x1b[2J", "añ", "\udc80", "a" * 41),
    ],
)
def test_hostile_names(ring: Keyring, name: str) -> None:
    for attempt in (
        lambda: ring.create(name, None, SEED),
        lambda: ring.find(name),
        lambda: ring.unlock(name, never),
    ):
        with pytest.raises(Unreadable) as caught:
            attempt()
        assert caught.value.code == "key-name"
    assert not ring.folder.exists()


@pytest.mark.parametrize("name", ["a", "0", "ann.2026", "a_b-c", "a" * 40, "pub", "ann.pub.old"])
def test_good_names(ring: Keyring, name: str) -> None:
    ring.create(name, None, SEED)
    assert [entry.name for entry in ring.list()] == [name]


# --- together with ssh-keygen -----------------------------------------------------------------


def test_ssh_keygen_reads_ours(ring: Keyring, locked: bytes) -> None:
    ring.create("ann", None, SEED)
    path = ring.folder / "ann"
    assert ssh_keygen("-y", "-P", "", "-f", path).strip() == LINE
    assert ssh_keygen("-l", "-f", path).split() == ["256", KEYID, "ann", "(ED25519)"]
    (ring.folder / "ann.pub").unlink()
    assert ssh_keygen("-l", "-f", path).split()[:2] == ["256", KEYID]
    other = put(ring, "bob", locked)
    assert ssh_keygen("-y", "-P", PASSPHRASE.decode(), "-f", other).strip() == LINE


@pytest.mark.parametrize("passphrase", ["", "pässword"])
@pytest.mark.parametrize("cipher", ["aes256-ctr", "aes256-cbc", "aes256-gcm@openssh.com"])
def test_ssh_keygens_are_read_here(ring: Keyring, passphrase: str, cipher: str) -> None:
    ring.folder.mkdir()
    path = ring.folder / "ann"
    ssh_keygen("-q", "-t", "ed25519", "-a", "4", "-Z", cipher, "-N", passphrase, "-f", path)
    asked = []

    def ask() -> bytes:
        asked.append(1)
        return passphrase.encode()

    key = ring.unlock("ann", ask)
    assert len(asked) == (1 if passphrase else 0)
    assert f"{key.public.line} " in (ring.folder / "ann.pub").read_text()
    assert ring.find("ann").encrypted is bool(passphrase)
    assert ssh_keygen("-l", "-f", path).split()[1] == key.public.fingerprint
    if passphrase:
        with pytest.raises(NotAllowed) as caught:
            ring.unlock("ann", lambda: b"x")
        assert caught.value.code == "wrong-passphrase"


def test_a_cipher_not_supported_is_said_to_be_so(ring: Keyring) -> None:
    ring.folder.mkdir()
    path = ring.folder / "ann"
    cipher = "chacha20-poly1305@openssh.com"
    ssh_keygen("-q", "-t", "ed25519", "-a", "4", "-Z", cipher, "-N", "word", "-f", path)
    with pytest.raises(Unreadable) as caught:
        ring.unlock("ann", lambda: b"word")
    assert caught.value.code == "key-cipher"
    assert "ssh-keygen -p" in caught.value.hint


@pytest.mark.parametrize("kind", ["rsa", "ecdsa"])
def test_other_kinds_of_key_are_refused(ring: Keyring, kind: str) -> None:
    ring.folder.mkdir()
    ssh_keygen("-q", "-t", kind, "-N", "", "-f", ring.folder / "ann")
    (ring.folder / "ann.pub").unlink()
    with pytest.raises(Unreadable) as caught:
        ring.unlock("ann", never)
    assert caught.value.code == "key-type"


# --- finding keys -----------------------------------------------------------------------------


def test_list_and_find(ring: Keyring, locked: bytes) -> None:
    assert ring.list() == []
    ring.create("bob", None, b"\2" * 32)
    put(ring, "ann", locked)
    ann, bob = ring.list()
    assert (ann.name, ann.encrypted, ann.problem) == ("ann", True, "")
    assert ann.public is not None
    assert ann.public.line == LINE  # read from the private file: there is no ann.pub
    assert (bob.name, bob.encrypted, bob.problem) == ("bob", False, "")
    assert ring.find("ann") == ann
    with pytest.raises(NotFound):
        ring.find("carl")
    with pytest.raises(NotFound):
        ring.unlock("carl", never)


def test_a_public_half_alone_is_a_sound_entry_that_signs_nothing(ring: Keyring) -> None:
    ring.add("ann", PublicKey.parse(LINE))
    assert os.listdir(ring.folder) == ["ann.pub"]
    assert (ring.folder / "ann.pub").read_text() == f"{LINE} ann\n"
    entry = ring.find("ann")
    assert (entry.public, entry.encrypted, entry.problem) == (PublicKey.parse(LINE), None, "")
    with pytest.raises(NotAllowed) as caught:
        ring.unlock("ann", never)
    assert caught.value.code == "public-half-only"
    put(ring, "weak.pub", b"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + b"A" * 43 + b"\n")
    assert "not safe" in ring.find("weak").problem


def test_junk_in_the_folder(ring: Keyring) -> None:
    ring.create("ann", None, SEED)
    put(ring, "README", b"passed over: no key has such a name")
    put(ring, ".hidden", b"")
    (ring.folder / os.fsdecode(b"\xff\xfe")).write_text("")
    put(ring, "notes.txt", b"buy dice")
    put(ring, "empty", b"")
    put(ring, "broken.pub", b"\xff\xfe\x00")
    put(ring, "large", b"x" * 100_000)
    put(ring, "large.pub", b"x" * 100_000)
    (ring.folder / "folder").mkdir()
    (ring.folder / "folder.d.pub").mkdir()
    (ring.folder / "loop").symlink_to("loop")
    (ring.folder / "loop2.pub").symlink_to("loop2.pub")
    (ring.folder / "dangling").symlink_to("nowhere")
    os.mkfifo(ring.folder / "pipe")
    open_files = len(os.listdir("/dev/fd"))
    entries = {entry.name: entry for entry in ring.list()}
    assert entries.pop("ann").problem == ""
    assert " ".join(sorted(entries)) == (
        "broken dangling empty folder folder.d large loop loop2 notes.txt pipe"
    )
    for entry in entries.values():
        assert entry.problem
        assert entry.public is None
        with pytest.raises(TabellionError):
            ring.unlock(entry.name, never)
    assert len(os.listdir("/dev/fd")) == open_files
    assert entries["pipe"].problem == "pipe is not a file."
    assert entries["large"].problem == "large.pub is too large for a key."


def test_a_link_to_a_key_elsewhere_works(ring: Keyring, tmp_path: Path) -> None:
    real = Keyring(tmp_path / "ssh")
    real.create("id", None, SEED)
    ring.folder.mkdir()
    (ring.folder / "ann").symlink_to(real.folder / "id")
    assert ring.unlock("ann", never).public.line == LINE


# --- keys that must not be used ---------------------------------------------------------------


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o601, 0o644, 0o777])
def test_a_private_key_that_others_can_read_is_refused(ring: Keyring, mode: int) -> None:
    ring.create("ann", None, SEED)
    (ring.folder / "ann").chmod(mode)
    with pytest.raises(NotAllowed) as caught:
        ring.unlock("ann", never)
    assert caught.value.code == "key-too-open"
    assert caught.value.hint == f"chmod 600 {ring.folder}/ann"
    assert caught.value.exit_status == 4
    assert "Others can" in ring.find("ann").problem
    (ring.folder / "ann").chmod(0o400)
    assert ring.unlock("ann", never).public.line == LINE


def test_a_pub_file_of_another_key_is_refused(ring: Keyring) -> None:
    ring.create("ann", None, SEED)
    put(ring, "ann.pub", f"{OTHER} ann\n".encode())
    with pytest.raises(Refused) as caught:
        ring.unlock("ann", never)
    assert caught.value.code == "key-mismatch"
    assert ring.find("ann").problem == "ann.pub belongs to another key."
    put(ring, "ann.pub", b"scribble")
    with pytest.raises(Unreadable, match=r"ann\.pub"):
        ring.unlock("ann", never)


def string(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + data


def openssh_file(shown: bytes, inside: bytes, seed: bytes, count: int = 1) -> bytes:
    """An unencrypted private file by hand: PROTOCOL.key, with what we like in each place."""
    kind = string(b"ssh-ed25519")
    part = b"same" * 2 + kind + string(inside) + string(seed + inside) + string(b"comment")
    part += bytes(range(1, 1 + -len(part) % 8))
    body = b"openssh-key-v1\0" + string(b"none") * 2 + string(b"") + count.to_bytes(4, "big")
    body += string(kind + string(shown)) + string(part)
    return armour(body)


def armour(body: bytes) -> bytes:
    begin, end = b"-----BEGIN OPENSSH PRIVATE KEY-----\n", b"-----END OPENSSH PRIVATE KEY-----\n"
    return begin + base64.encodebytes(body) + end


def unarmour(file: bytes) -> bytes:
    return base64.b64decode(b"".join(file.split(b"\n")[1:-2]))


RAW = PublicKey.parse(LINE).raw
OTHER_RAW = PublicKey.parse(OTHER).raw
GOOD = openssh_file(RAW, RAW, SEED)


def test_a_file_made_by_hand_is_read(ring: Keyring) -> None:
    put(ring, "ann", GOOD)
    assert ring.unlock("ann", never).public.line == LINE


def pem(private: rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey | Ed25519PrivateKey) -> bytes:
    return private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


HOSTILE: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "key-unreadable"),
    "white space": (b" \n\n", "key-unreadable"),
    "text": (b"hello", "key-unreadable"),
    "binary": (bytes(range(256)), "key-unreadable"),
    "public key": (f"{LINE} ann\n".encode(), "key-not-private"),
    "PKCS8": (pem(Ed25519PrivateKey.from_private_bytes(SEED)), "key-unreadable"),
    "PKCS8 of P-256": (pem(ec.generate_private_key(ec.SECP256R1())), "key-unreadable"),
    "only the first line": (b"-----BEGIN OPENSSH PRIVATE KEY-----", "key-damaged"),
    "nothing inside": (
        b"-----BEGIN OPENSSH PRIVATE KEY-----\n-----END OPENSSH PRIVATE KEY-----",
        "key-damaged",
    ),
    "cut short": (GOOD[:200], "key-damaged"),
    "last line missing": (GOOD[: GOOD.index(b"-----END")], "key-damaged"),
    "two of them": (GOOD + GOOD, "key-damaged"),
    "two keys": (openssh_file(RAW, RAW, SEED, count=2), "key-damaged"),
    "no key": (openssh_file(RAW, RAW, SEED, count=0), "key-damaged"),
    "shows another public key": (openssh_file(OTHER_RAW, RAW, SEED), "key-damaged"),
    "another public key throughout": (openssh_file(OTHER_RAW, OTHER_RAW, SEED), "key-damaged"),
    "public key too short": (openssh_file(RAW[:31], RAW, SEED), "key-unreadable"),
    "seed too short": (openssh_file(RAW, RAW, SEED[:31]), "key-damaged"),
    "weak public key": (openssh_file(bytes(32), bytes(32), SEED), "weak-key"),
    "base64 with a hole": (GOOD.replace(b"AAAA", b"A*AA", 1), "key-damaged"),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_hostile_files(ring: Keyring, what: str) -> None:
    data, code = HOSTILE[what]
    put(ring, "ann", data)
    with pytest.raises(TabellionError) as caught:
        ring.unlock("ann", never)
    assert caught.value.code == code
    words = f"{caught.value.message} {caught.value.hint} {ring.find('ann')!r}"
    assert SEED.hex() not in words
    assert repr(SEED)[2:-1] not in words
    body = data.decode("latin-1").replace("\n", "")
    secret = body.removeprefix("-----BEGIN OPENSSH PRIVATE KEY-----")[:-32]
    windows = (secret[at : at + 12] for at in range(len(secret) - 12))
    assert not any(window in words for window in windows)


def test_a_private_key_as_pub_file_is_not_shown(ring: Keyring) -> None:
    put(ring, "ann.pub", GOOD)
    entry = ring.find("ann")
    assert entry.problem == "ann.pub: This is a private key. Show it to nobody."


def test_a_file_that_may_not_be_read(ring: Keyring, monkeypatch: pytest.MonkeyPatch) -> None:
    ring.create("ann", None, SEED)
    real: Callable[..., int] = os.open

    def refuse(path: Path, flags: int, *rest: int) -> int:
        if Path(path).name == "ann":
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return real(path, flags, *rest)

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(NotAllowed, match="Permission denied") as caught:
        ring.unlock("ann", never)
    assert caught.value.code == "key-unreadable"
    assert ring.find("ann").problem == "ann cannot be read: Permission denied."


def test_a_file_that_would_take_for_ever_to_unlock(ring: Keyring, locked: bytes) -> None:
    rounds, many = (64).to_bytes(4, "big") + b"\0\0\0\1", b"\xff\xff\xff\xff\0\0\0\1"
    put(ring, "ann", armour(unarmour(locked).replace(rounds, many, 1)))
    with pytest.raises(Unreadable, match="far too long"):
        ring.unlock("ann", never)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_change_to_a_private_file_is_our_error_or_the_same_key(
    ring: Keyring, data: st.DataObject
) -> None:
    light = ring.folder.parent / "light"
    if not light.exists():
        light.touch(mode=0o600)
        light.write_bytes(GOOD)
        ssh_keygen("-q", "-p", "-a", "1", "-P", "", "-N", "word", "-f", light)
    file = bytearray(data.draw(st.sampled_from([GOOD, light.read_bytes()])))
    if data.draw(st.booleans()):
        file[data.draw(st.integers(0, len(file) - 1))] = data.draw(st.integers(0, 255))
    else:  # change a byte under the base64
        body = bytearray(unarmour(bytes(file)))
        body[data.draw(st.integers(0, len(body) - 1))] = data.draw(st.integers(0, 255))
        file = bytearray(armour(bytes(body)))
    put(ring, "ann", bytes(file))
    ring.list()
    try:
        key = ring.unlock("ann", lambda: b"word")
    except TabellionError:
        return
    assert key.public.line == LINE


def test_a_file_cut_short_anywhere_is_damaged() -> None:
    assert public_part(GOOD)[0].line == LINE
    body = unarmour(GOOD)
    for size in range(len(body)):
        with pytest.raises(Unreadable) as caught:
            public_part(armour(body[:size]))
        assert caught.value.code == "key-damaged"
    for size in range(36, len(GOOD) - 1):
        with pytest.raises(Unreadable) as caught:
            public_part(GOOD[:size])
        assert caught.value.code == "key-damaged"


@pytest.mark.parametrize("count", [0, 2])
def test_one_key_a_file(count: int) -> None:
    with pytest.raises(Unreadable):
        public_part(openssh_file(RAW, RAW, SEED, count))


@given(st.binary(max_size=300))
def test_any_bytes_are_a_private_file_or_our_error(data: bytes) -> None:
    for whole in (data, GOOD[:36] + data, armour(data), armour(b"openssh-key-v1\0" + data)):
        with pytest.raises(Unreadable):
            public_part(whole)


# --- keys from elsewhere ----------------------------------------------------------------------


def test_a_key_that_exists_is_stored_as_its_file_is(
    ring: Keyring, tmp_path: Path, locked: bytes
) -> None:
    source = tmp_path / "id_ed25519"
    source.write_bytes(locked)
    source.chmod(0o400)
    file = read_key(source)
    assert isinstance(file, PrivateFile)
    ring.add("ann", file.public, file.data)
    assert (ring.folder / "ann").read_bytes() == source.read_bytes() == locked
    assert mode_of(ring.folder / "ann") == 0o600
    assert mode_of(source) == 0o400
    assert (ring.folder / "ann.pub").read_text() == f"{LINE} ann\n"
    assert ring.unlock("ann", lambda: PASSPHRASE).public.line == LINE


@pytest.mark.parametrize("private", [None, GOOD])
@pytest.mark.parametrize("taken", ["ann", "ann.pub"])
def test_a_key_from_elsewhere_overwrites_nothing(
    ring: Keyring, taken: str, private: bytes | None
) -> None:
    put(ring, taken, b"mine")
    with pytest.raises(NotAllowed) as caught:
        ring.add("ann", PublicKey.parse(LINE), private)
    assert caught.value.code == "key-exists"
    assert os.listdir(ring.folder) == [taken]
    assert (ring.folder / taken).read_bytes() == b"mine"


def test_a_weak_key_is_not_taken_in(ring: Keyring, tmp_path: Path) -> None:
    with pytest.raises(Refused) as caught:
        ring.add("ann", PublicKey(bytes(32)))
    assert caught.value.code == "weak-key"
    assert not ring.folder.exists()


def test_a_public_key_is_read_from_any_file(tmp_path: Path) -> None:
    (tmp_path / "ann.txt").write_text(f"{LINE} ann@home\r\n")
    assert read_key(tmp_path / "ann.txt") == PublicKey.parse(LINE)


@pytest.mark.parametrize(
    ("data", "code", "said"),
    [
        (pem(rsa.generate_private_key(65537, 2048)), "key-unreadable", "no OpenSSH private key"),
        (b"-----BEGIN RSA PRIVATE KEY-----\nMII\n", "key-type", "no Ed25519 key"),
        (b"-----BEGIN EC PRIVATE KEY-----\nMII\n", "key-type", "no Ed25519 key"),
        (b"-----BEGIN DSA PRIVATE KEY-----\nMII\n", "key-type", "no Ed25519 key"),
        (b"PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\n", "key-type", "PuTTY"),
        (b"ssh-rsa AAAAB3NzaC1yc2E= ann\n", "key-type", "Only ssh-ed25519"),
        (f"{LINE} a\n{OTHER} b\n".encode(), "key-unreadable", "one line"),
        (b"\xff\xfe\x00", "key-unreadable", "one line"),
        (b"", "key-unreadable", "empty"),
        (GOOD[:200], "key-damaged", "damaged"),
    ],
)
def test_what_is_no_key_of_ours_is_refused(
    tmp_path: Path, data: bytes, code: str, said: str
) -> None:
    (tmp_path / "ann").write_bytes(data)
    (tmp_path / "ann").chmod(0o600)
    with pytest.raises(Unreadable, match=said) as caught:
        read_key(tmp_path / "ann")
    assert caught.value.code == code


def test_a_private_file_that_others_can_read_is_not_taken_in(tmp_path: Path) -> None:
    (tmp_path / "my key").write_bytes(GOOD)
    (tmp_path / "my key").chmod(0o644)
    with pytest.raises(NotAllowed) as caught:
        read_key(tmp_path / "my key")
    assert caught.value.code == "key-too-open"
    assert caught.value.hint == f"chmod 600 '{tmp_path}/my key'"


def test_no_file_and_no_regular_file(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        read_key(tmp_path / "nowhere")
    os.mkfifo(tmp_path / "pipe")
    for name in ("pipe", "."):
        with pytest.raises(TabellionError):
            read_key(tmp_path / name)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("id_ed25519", "id_ed25519"),
        ("alba.pub", "alba"),
        ("Zoë@laptop", "zoe"),
        ("Alba Pérez.pub", "alba-perez"),
        ("../../etc", "etc"),
        ("a..b", "a-b"),
        ("x" * 50, "x" * 40),
        ("עלמה", ""),
        (".pub", ""),
        ("@home", ""),
    ],
)
def test_a_name_out_of_a_files_name_or_a_comment(text: str, name: str) -> None:
    assert name_from(text) == name


@given(st.text())
def test_any_text_makes_a_good_name_or_none(text: str) -> None:
    name = name_from(text)
    if name:
        Keyring(Path("nowhere")).check_new(name)


# --- the unlocked key -------------------------------------------------------------------------


def test_a_signing_key_shows_its_fingerprint_only() -> None:
    key = SigningKey.from_seed(SEED)
    assert repr(key) == str(key) == f"<SigningKey {KEYID}>"
    assert not hasattr(key, "__dict__")


def test_a_signing_key_is_not_pickled_or_copied() -> None:
    key = SigningKey.from_seed(SEED)
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        with pytest.raises(TypeError):
            pickle.dumps(key, protocol)
    for attempt in (copy.copy, copy.deepcopy):
        with pytest.raises(TypeError):
            attempt(key)


def test_a_private_file_in_memory_does_not_show_itself(ring: Keyring) -> None:
    path = put(ring, "ann", GOOD)
    assert "OPENSSH" not in repr(PrivateFile.read(path))
