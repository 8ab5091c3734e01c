"""JSON Schemas: generated from the types and committed, and they say what the readers say."""

from __future__ import annotations

import base64
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger import canonical, events, positions, record, schemas
from ledger.envelope import PAYLOAD_TYPE, Envelope, parse
from ledger.errors import NotFound, Refused, TabellionError
from ledger.events import EVENT_TYPES, Countersigned, MatchOpened
from ledger.fold import Entry, MatchState, open_match
from ledger.publickey import PublicKey
from ledger.schemas import VIEWS
from ledger.spreadsheets import ROWS, as_jsonl

ROOT = Path(__file__).resolve().parent.parent
COMMITTED = ROOT / "schemas"
EXAMPLES = COMMITTED / "examples"

NAMES = sorted(schemas.documents())
EVENTS = sorted((EXAMPLES / "events").glob("*/*.json"))
RECORDS = sorted((EXAMPLES / "record").glob("*.json"))
LINES = sorted((EXAMPLES / "archive-line").glob("*.json"))
GOLDEN = sorted((ROOT / "tests/golden").glob("*.tabellion.json"))


def named(file: Path) -> str:
    return f"{file.parent.name}/{file.stem}"


def of_kind(files: list[Path], *prefixes: str) -> pytest.MarkDecorator:
    chosen = [file for file in files if file.name.startswith(prefixes)]
    return pytest.mark.parametrize("file", chosen, ids=named)


SAID_BY_SCHEMA = [file for file in EVENTS if not file.name.startswith("invalid-reader-")]


def faults(name: str, value: object) -> list[str]:
    """What the schema of that name finds wrong."""
    return [error.message for error in validator(name).iter_errors(value)]


@cache
def validator(name: str) -> Any:
    return jsonschema_rs.validator_for(schemas.load(name))


def payload_of(value: object) -> bytes:
    """The JSON as the reader wants it spelled, whatever it says."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


# -- the files -----------------------------------------------------------------------------


def test_the_committed_schemas_are_what_the_types_say() -> None:
    assert schemas.drift(COMMITTED) == [], "run: python -m ledger.schemas schemas"


def test_every_event_and_every_command_has_its_schema() -> None:
    assert {path.stem for path in (COMMITTED / "events").glob("*")} == set(EVENT_TYPES)
    assert {path.stem for path in (COMMITTED / "commands").glob("*")} == {*VIEWS, "import-archive"}
    assert {path.stem for path in (COMMITTED / "rows").glob("*")} == set(ROWS)


@pytest.mark.parametrize("name", NAMES)
def test_every_schema_is_a_schema_of_2020_12(name: str) -> None:
    schema = schemas.load(name)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    jsonschema_rs.meta.validate(schema)
    jsonschema_rs.validator_for(schema)


@pytest.mark.parametrize("name", NAMES)
def test_every_schema_introduces_itself(name: str) -> None:
    schema = schemas.load(name)
    assert schema["title"]
    assert schema["description"]
    assert schema["$id"].startswith("urn:tabellion:schema:")


def test_no_two_schemas_have_one_id() -> None:
    assert len({schema["$id"] for schema in schemas.documents().values()}) == len(NAMES)
    assert schemas.load("events/match.opened")["$id"] == (
        "urn:tabellion:schema:event:match.opened:1"
    )


@pytest.mark.parametrize("name", [name for name in NAMES if name.startswith("events/")])
def test_no_event_has_a_null_anywhere(name: str) -> None:
    assert not re.search(r"\bnull\b", (COMMITTED / f"{name}.json").read_text("utf-8"))


CLOSED = [
    "envelope",
    "record",
    "archive-line",
    "boards",
    *(f"events/{kind}" for kind in EVENT_TYPES),
]


@pytest.mark.parametrize("name", CLOSED)
def test_nothing_unknown_is_let_in_at_any_level(name: str) -> None:
    schema = schemas.load(name)
    for part in (schema, *schema["$defs"].values()):
        if part["title"] != "Stack":  # what any board is drawn with
            assert part["additionalProperties"] is False, part["title"]


def test_a_schema_is_found_by_its_name() -> None:
    assert schemas.path("events/move") == COMMITTED / "events/move.json"
    assert schemas.load("record")["title"] == "Record of a match"


@pytest.mark.parametrize("name", ["events/castled", "", "../pyproject", "events/../record", "a/b"])
def test_no_other_name_finds_a_file(name: str) -> None:
    with pytest.raises(NotFound) as caught:
        schemas.path(name)
    assert caught.value.code == "schema-not-found"


def test_an_installed_package_brings_its_schemas_along(tmp_path: Path) -> None:
    """In a wheel there is no sibling folder: the same files lie in ``ledger/_schemas``."""
    shutil.copytree(ROOT / "ledger", tmp_path / "ledger")
    shutil.copytree(COMMITTED, tmp_path / "ledger/_schemas")
    ask = "from ledger import schemas; print(schemas.path('events/move'))"
    command = [sys.executable, "-c", ask]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert Path(done.stdout.strip()) == tmp_path / "ledger/_schemas/events/move.json"


# -- python -m ledger.schemas ----------------------------------------------------------------


def generator(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "ledger.schemas", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_a_fresh_folder_is_written_and_agrees(tmp_path: Path) -> None:
    assert generator(tmp_path).returncode == 0
    assert generator("--check", tmp_path).returncode == 0
    for name in NAMES:
        written, committed = tmp_path / f"{name}.json", COMMITTED / f"{name}.json"
        assert written.read_bytes() == committed.read_bytes()


def test_check_names_each_file_that_differs(tmp_path: Path) -> None:
    schemas.write(tmp_path)
    (tmp_path / "envelope.json").unlink()
    (tmp_path / "events/castled.json").write_text("{}")
    with (tmp_path / "record.json").open("a") as file:
        file.write("\n")
    done = generator("--check", tmp_path)
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "envelope.json is missing",
        "events/castled.json belongs to no type",
        "record.json is not what the types say",
    ]


def test_writing_takes_away_schemas_without_a_type_and_no_example(tmp_path: Path) -> None:
    stale, example = tmp_path / "events/castled.json", tmp_path / "examples/events/move/valid.json"
    for file in (stale, example):
        file.parent.mkdir(parents=True)
        file.write_text("{}")
    schemas.write(tmp_path)
    assert not stale.exists()
    assert example.exists()


# -- examples of events ----------------------------------------------------------------------


@pytest.mark.parametrize("kind", EVENT_TYPES)
def test_every_event_type_has_examples(kind: str) -> None:
    names = [file.name for file in EVENTS if file.parent.name == kind]
    assert sum(name.startswith("valid-") for name in names) >= 2
    assert sum(name.startswith("invalid-") for name in names) >= 4


def test_every_example_is_of_a_known_type() -> None:
    assert {file.parent.name for file in EVENTS} <= set(EVENT_TYPES)
    files = EVENTS + RECORDS + LINES
    assert all(file.name.startswith(("valid-", "invalid-")) for file in files)


@of_kind(EVENTS, "valid-")
def test_a_valid_event_passes_schema_and_reader(file: Path) -> None:
    value = json.loads(file.read_bytes())
    assert faults(f"events/{file.parent.name}", value) == []
    payload = canonical.encode(value)
    event = events.decode(payload)
    assert events.type_of(event) == file.parent.name
    assert events.encode(event) == payload


@of_kind(SAID_BY_SCHEMA, "invalid-")
def test_an_invalid_event_makes_one_mistake_and_fails_schema_and_reader(file: Path) -> None:
    value = json.loads(file.read_bytes())
    assert len(faults(f"events/{file.parent.name}", value)) == 1
    with pytest.raises(Refused):
        events.decode(payload_of(value))


@of_kind(EVENTS, "invalid-reader-")
def test_what_only_the_reader_can_refuse_the_reader_refuses(file: Path) -> None:
    value = json.loads(file.read_bytes())
    assert faults(f"events/{file.parent.name}", value) == []
    with pytest.raises(Refused):
        events.decode(payload_of(value))


@of_kind(EVENTS, "invalid-null-")
def test_null_for_an_absent_field_is_refused_as_another_spelling(file: Path) -> None:
    with pytest.raises(Refused) as caught:
        events.decode(payload_of(json.loads(file.read_bytes())))
    assert caught.value.code == "not-canonical"


@of_kind(EVENTS, "valid-")
def test_schema_and_reader_agree_when_a_field_is_taken_away(file: Path) -> None:
    value = json.loads(file.read_bytes())
    for path in paths(value):
        agree(file.parent.name, without(value, path), f"without {path}")


@of_kind(EVENTS, "valid-")
@pytest.mark.parametrize("other", [None, True, 0, -1, "", " ", "x", "X", [], {}, ["x"], {"x": 1}])
def test_schema_and_reader_agree_when_a_field_is_something_else(file: Path, other: object) -> None:
    value = json.loads(file.read_bytes())
    for path in paths(value):
        agree(file.parent.name, replaced(value, path, other), f"{path} is {other!r}")


def agree(kind: str, value: object, what: str) -> None:
    try:
        events.decode(payload_of(value))
    except Refused:
        read = False
    else:
        read = True
    assert read is (faults(f"events/{kind}", value) == []), what


Path_ = tuple[str | int, ...]


def paths(value: object, here: Path_ = ()) -> list[Path_]:
    """Where a value stands in JSON, itself excepted."""
    inside: list[tuple[str | int, object]] = []
    if isinstance(value, dict):
        inside = list(value.items())
    elif isinstance(value, list):
        inside = list(enumerate(value))
    return [each for key, inner in inside for each in ((*here, key), *paths(inner, (*here, key)))]


def changed(value: Any, path: Path_, change: Callable[[Any, str | int], None]) -> Any:
    copy = json.loads(json.dumps(value))
    inside = copy
    for step in path[:-1]:
        inside = inside[step]
    change(inside, path[-1])
    return copy


def without(value: object, path: Path_) -> object:
    return changed(value, path, lambda inside, key: inside.pop(key))


def replaced(value: object, path: Path_, other: object) -> object:
    return changed(value, path, lambda inside, key: inside.__setitem__(key, other))


# -- names: where pattern languages differ ----------------------------------------------------

NOTE = json.loads((EXAMPLES / "events/note/valid-by-a-witness.json").read_bytes())
in_profile = st.characters(exclude_categories=("Cs", "Cc")).filter(
    lambda character: not refused(canonical.check_text, character)
)


def refused(read: Callable[..., object], value: object) -> bool:
    try:
        read(value)
    except TabellionError:
        return True
    return False


@given(st.text(in_profile, max_size=4).filter(lambda text: not refused(canonical.encode, text)))
def test_schema_and_reader_agree_about_texts(text: str) -> None:
    agree("note", replaced(NOTE, ("data", "text"), text), ascii(text))


@pytest.mark.parametrize("space", [" ", "\u00a0", "\u2003", "\u2028", "\u2029", "\u3000", "\ufeff"])
def test_spaces_of_every_kind_stand_inside_a_text_but_not_outside(space: str) -> None:
    for text, good in ((f"a{space}b", True), (f"{space}a", False), (f"a{space}", False)):
        value = replaced(NOTE, ("data", "text"), text)
        assert (faults("events/note", value) == []) is good, ascii(text)
        assert refused(events.decode, payload_of(value)) is not good, ascii(text)


@pytest.mark.parametrize(("length", "good"), [(4000, True), (4001, False)])
def test_the_length_of_a_text_is_counted_in_characters(length: int, good: bool) -> None:
    value = replaced(NOTE, ("data", "text"), "😀" * length)
    assert (faults("events/note", value) == []) is good
    assert refused(events.decode, payload_of(value)) is not good


# -- envelope and record -----------------------------------------------------------------------


def envelopes(file: Path) -> list[Envelope]:
    pieces = record.read(file.read_bytes()).pieces
    return [piece for piece in pieces if isinstance(piece, Envelope)]


@of_kind(RECORDS, "valid-")
def test_a_valid_record_passes_schema_and_reader(file: Path) -> None:
    data = file.read_bytes()
    assert faults("record", json.loads(data)) == []
    read_whole(data)
    assert record.write(envelopes(file), record.read(data).positions) == data


@of_kind(RECORDS, "invalid-")
def test_an_invalid_record_fails_schema_and_reader(file: Path) -> None:
    data = file.read_bytes()
    assert faults("record", json.loads(data)) != []
    assert refused(read_whole, data)


def read_whole(data: bytes) -> None:
    """A record without any damage, with at least one event and boards that are right if it has
    any, or a refusal."""
    read = record.read(data)
    if read.frame or not read.pieces or record.Damage in map(type, read.pieces):
        raise Refused("damaged", "The record is damaged.")
    if read.positions is None:
        return
    pieces = [piece for piece in read.pieces if isinstance(piece, Envelope)]
    wrong = positions.wrong(fold(pieces), len(pieces), read.positions)
    if wrong is not None:
        raise Refused("wrong-board", wrong[1])


def fold(chain: list[Envelope]) -> MatchState:
    return open_match([Entry(events.decode(e.payload), e.hash, e.keyid) for e in chain])


# -- boards, lines of archives, rows -----------------------------------------------------------


@of_kind(RECORDS, "valid-with-boards-", "invalid-board", "invalid-first-board", "invalid-die")
def test_the_schema_of_boards_alone_says_what_that_of_the_record_says(file: Path) -> None:
    boards = json.loads(file.read_bytes())["positions"]
    assert (faults("boards", boards) == []) is file.name.startswith("valid-")


@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.name)
def test_every_board_of_every_game_passes_and_stays_whole_when_laid_over_the_last(
    file: Path,
) -> None:
    state = fold(envelopes(file))
    text = positions.write(state)
    value = json.loads(text)
    assert faults("boards", value) == []
    assert faults("record", json.loads(record.write(envelopes(file), text))) == []
    whole: dict[str, Any] = {}
    for board, expected in zip(value["boards"], positions.whole(state), strict=True):
        whole |= board
        assert whole == json.loads(json.dumps(expected))
        assert faults("boards", {"boards": [whole], "version": 1}) == []


@of_kind(LINES, "valid-", "invalid-")
def test_a_line_of_an_archive_is_a_record_without_boards(file: Path) -> None:
    data = file.read_bytes()
    good = file.name.startswith("valid-")
    assert (faults("archive-line", json.loads(data)) == []) is good
    assert (not refused(read_whole, data) and record.read(data).positions is None) is good


@pytest.mark.parametrize("kind", ROWS)
def test_rows_pass_their_schema(kind: str) -> None:
    lines = [
        json.loads(line)
        for data in as_jsonl(kind, (fold(envelopes(file)) for file in GOLDEN))
        for line in data.splitlines()
    ]
    assert len(lines) >= len(GOLDEN)
    for line in lines:
        assert faults(f"rows/{kind}", line) == []
        assert faults(f"rows/{kind}", line | {"match": None}) != []
        assert faults(f"rows/{kind}", {k: v for k, v in line.items() if k != "game"}) != []


@of_kind(RECORDS, "valid-")
def test_a_valid_record_is_a_chain_of_signed_events(file: Path) -> None:
    chain = envelopes(file)
    read = [events.decode(envelope.payload) for envelope in chain]
    opening = read[0]
    assert isinstance(opening, MatchOpened)
    data = opening.data
    roles = {"arbiter": data.arbiter, "appeal": data.appeal, **data.seats}
    roles |= {f"witness{number}": who for number, who in enumerate(data.witnesses, 1)}
    previous: Envelope | None = None
    for number, (envelope, event) in enumerate(zip(chain, read, strict=True)):
        signer = roles[event.by]
        assert signer is not None
        assert signer.key is not None
        assert envelope.signed_by(PublicKey.parse_canonical(signer.key)), number
        assert event.seq == number
        assert event.match == (chain[0].hash if previous else None)
        assert event.prev == (previous.hash if previous else None)
        previous = envelope
    assert isinstance(read[-1], Countersigned)


@of_kind(RECORDS, "valid-")
def test_every_envelope_of_a_record_passes_the_envelope_schema(file: Path) -> None:
    for envelope in envelopes(file):
        assert faults("envelope", json.loads(envelope.text())) == []


SIGNATURE = {"keyid": f"SHA256:{'A' * 43}", "sig": base64.b64encode(b"\1" * 64).decode()}
GOOD = {"payload": "e30=", "payloadType": PAYLOAD_TYPE, "signatures": [SIGNATURE]}


@pytest.mark.parametrize(
    ("path", "other"),
    [
        (("payload",), "e30"),
        (("payload",), "e31="),
        (("payload",), "e30=="),
        (("payload",), "=e30"),
        (("payload",), "e30=\n"),
        (("payload",), "e3-_"),
        (("payload",), " e30="),
        (("payload",), None),
        (("payloadType",), "application/json"),
        (("signatures",), []),
        (("signatures",), [SIGNATURE, SIGNATURE]),
        (("signatures",), SIGNATURE),
        (("signatures", 0, "sig"), "AAAA"),
        (("signatures", 0, "sig"), "A" * 85 + "B=="),
        (("signatures", 0, "sig"), "A" * 86),
        (("signatures", 0, "sig"), "A" * 88),
        (("signatures", 0, "keyid"), f"SHA256:{'A' * 42}B"),
        (("signatures", 0, "keyid"), f"SHA256:{'A' * 43}="),
        (("signatures", 0, "keyid"), "A" * 43),
        (("signatures", 0, "keyid"), "MD5:16:27:ac:a5:76:28:2d:36:63:1b:56:4d:eb:df:a6:48"),
        (("signatures", 0, "cert"), "…"),
        (("comment",), "…"),
    ],
)
def test_schema_and_reader_agree_about_envelopes(path: Path_, other: object) -> None:
    assert faults("envelope", GOOD) == []
    parse(payload_of(GOOD))
    value = replaced(GOOD, path, other)
    assert faults("envelope", value) != []
    assert refused(parse, payload_of(value))
