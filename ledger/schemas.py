"""JSON Schemas (2020-12) of events, envelope, record, boards, rows, every command's ``--json``
and what the service answers.

They are generated from the types that read and write the bytes, so that they cannot say anything
else; the files are committed, and a test compares. A field that an event may lack is absent there,
never null, as the reader wants it; a command's ``--json`` writes every field out, null or not.

A schema knows form alone: Unicode composition, the one spelling, signatures and the chain are the
reader's. ``python -m ledger.schemas [--check] FOLDER`` writes or compares the files.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Final

from msgspec import UNSET, Meta, Struct, UnsetType

from ledger import positions, record
from ledger.archives.importing import ArchiveImportView
from ledger.audit import AuditView
from ledger.describing import Schema, SignedEvent, components, inside
from ledger.errors import NotFound
from ledger.events import EVENT_TYPES, VERSION, Role
from ledger.events.fields import Die, Placing
from ledger.games.protocol import Surface, Track
from ledger.spreadsheets import ROWS
from ledger.views import (
    BackupView,
    CheckView,
    DoctorView,
    ImportView,
    InitView,
    KeysView,
    KeyView,
    ListView,
    LogView,
    MovesView,
    PendingView,
    RulesView,
    ShowView,
    StatsView,
    WrittenView,
)
from ledger.views.difference import DiffView
from ledger.views.explaining import ExplainView
from ledger.views.joining import JoinView, TablesView
from ledger.views.sheet import SheetView
from ledger.web.shapes import ErrorAnswer, EventsView, HallView

VIEWS: Final[Mapping[str, type[Struct]]] = {
    "accept": WrittenView,
    "adjourn": WrittenView,
    "agree": WrittenView,
    "appeal": WrittenView,
    "audit": AuditView,
    "backup": BackupView,
    "call": WrittenView,
    "check": CheckView,
    "claim": WrittenView,
    "close": WrittenView,
    "confirm": WrittenView,
    "correct": WrittenView,
    "countersign": WrittenView,
    "decline": WrittenView,
    "diff": DiffView,
    "diablo": WrittenView,
    "dispute": WrittenView,
    "doctor": DoctorView,
    "explain": ExplainView,
    "done": WrittenView,
    "import": ImportView,
    "init": InitView,
    "key-import": KeyView,
    "key-list": KeysView,
    "key-new": KeyView,
    "key-show": KeyView,
    "join": JoinView,
    "list": ListView,
    "log": LogView,
    "move": WrittenView,
    "moves": MovesView,
    "note": WrittenView,
    "offer-draw": WrittenView,
    "offer-settle": WrittenView,
    "offer-takeback": WrittenView,
    "open": WrittenView,
    "pass": WrittenView,
    "pending": PendingView,
    "pull": WrittenView,
    "replace-arbiter": WrittenView,
    "replace-key": WrittenView,
    "resign": WrittenView,
    "resume": WrittenView,
    "roll": WrittenView,
    "rules": RulesView,
    "ruling": WrittenView,
    "run": WrittenView,
    "scoresheet": SheetView,
    "settle": WrittenView,
    "show": ShowView,
    "statement": WrittenView,
    "stats": StatsView,
    "stop": WrittenView,
    "tables": TablesView,
    "void": WrittenView,
    "wager": WrittenView,
}
"""The struct behind each command's ``--json``."""

SERVICE: Final[Mapping[str, type[Struct]]] = {
    "error": ErrorAnswer,
    "events": EventsView,
    "hall": HallView,
    "join": JoinView,
}
"""What the service alone answers; the rest it tells as the commands do."""

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_KEY = {"pattern": "^[a-z][a-z0-9_]*$"}
_FIELDS = {
    "v": "Version of the event's form.",
    "type": "What happened.",
    "seq": "Number of the event in its match: 0, 1, 2 … without gaps.",
    "by": "Role that signs.",
    "for": "Seat without a key, on whose behalf the arbiter signs; absent otherwise.",
    "match": "Hash of the match's first event; absent there.",
    "prev": "Hash of the event before; absent in the first.",
}
_NAME = re.compile(r"(?:events/|commands/|rows/|service/)?[a-z][a-z0-9._-]*")


class Grid(Surface, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="grid"):
    """Places in columns and rows, with pieces and marks. Columns run from left to right and rows
    from bottom to top as the first seat sees them; a place is column and row: e5."""


class Course(Track, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="track"):
    """Numbered points with stacks, the first of them point 1, and pools beside it."""


class Board(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What is another than after the event before; the first has all members. Laid over one
    another they give the whole board."""

    position: Annotated[Placing | UnsetType, Meta(description="The game's own line of text.")] = (
        UNSET
    )
    turn: Annotated[Role | UnsetType | None, Meta(description="The seat to act, or null.")] = UNSET
    dice: Annotated[
        tuple[Die, ...] | UnsetType,
        Meta(description="Dice on the table that something is still to be done with."),
    ] = UNSET
    board: Grid | Course | UnsetType = UNSET


class Boards(Struct, frozen=True, forbid_unknown_fields=True):
    """The board after each event, for readers that know no rules. Nobody signed it."""

    boards: Annotated[
        tuple[Board, ...],
        Meta(
            min_length=1,
            extra_json_schema={
                "prefixItems": [
                    {"$ref": "#/$defs/Board", "required": ["board", "dice", "position", "turn"]}
                ]
            },
        ),
    ]
    version: Annotated[int, Meta(extra_json_schema={"const": positions.VERSION})]


class ArchiveLine(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A match to be verified by strangers: its signed events, in order, and nothing else."""

    events: Annotated[tuple[SignedEvent, ...], Meta(min_length=1)]
    format: Annotated[str, Meta(extra_json_schema={"const": record.FORMAT})]


class Record(ArchiveLine, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A match to be verified by strangers: its signed events, in order, and the boards beside
    them, if its reader may want to look on."""

    positions: Boards | UnsetType = UNSET


def documents() -> Mapping[str, Schema]:
    """Every schema by the name of its file, without ``.json``."""
    made = {
        "envelope": _schema("envelope:1", "Signed event", "", SignedEvent),
        "record": _schema("record:1", "Record of a match", "", Record),
        "archive-line": _schema("archive-line:1", "A line of an archive", "", ArchiveLine),
        "boards": _schema("boards:1", "Boards of a record", "", Boards),
    }
    for name, event in EVENT_TYPES.items():
        made[f"events/{name}"] = _event(name, event)
    for command, view in VIEWS.items():
        group, _, inner = command.partition("-")
        typed = f"{group} {inner}" if group in ("key", "offer") else command
        title = f"tabellion {typed} --json"
        about = f"What {title} prints."
        made[f"commands/{command}"] = _schema(f"command:{command}:1", title, about, view)
    title = "tabellion import ARCHIVE --json"
    made["commands/import-archive"] = _schema(
        "command:import-archive:1", title, f"What {title} prints.", ArchiveImportView
    )
    for kind, row in ROWS.items():
        title = f"A line of {kind}.jsonl"
        made[f"rows/{kind}"] = _schema(f"row:{kind}:1", title, "", row)
    for name, view in SERVICE.items():
        title = f"Answer of the service: {name}"
        made[f"service/{name}"] = _schema(f"service:{name}:1", title, "", view)
    return made


def text(schema: Schema) -> str:
    """The file of ``schema``: sorted keys, two spaces, a final newline."""
    return json.dumps(schema, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def path(name: str) -> Path:
    """The shipped file of a schema: ``envelope``, ``events/match.opened``. Raises ``NotFound``."""
    here = Path(__file__).resolve().parent
    shipped = here / "_schemas"
    folder = shipped if shipped.is_dir() else here.parent / "schemas"
    found = folder / f"{name}.json"
    if not _NAME.fullmatch(name) or not found.is_file():
        raise NotFound("schema-not-found", f"There is no schema {ascii(name)[:80]}.")
    return found


def load(name: str) -> Schema:
    """The shipped schema of that name. Raises ``NotFound``."""
    schema: Schema = json.loads(path(name).read_bytes())
    return schema


def drift(folder: Path) -> list[str]:
    """One sentence for each file of ``folder`` that is not as it would be written now."""
    wanted = {f"{name}.json": text(schema) for name, schema in documents().items()}
    there = set(_generated(folder))
    found = [f"{name} is missing" for name in wanted.keys() - there]
    found += [f"{name} belongs to no type" for name in there - wanted.keys()]
    found += [
        f"{name} is not what the types say"
        for name in wanted.keys() & there
        if (folder / name).read_bytes() != wanted[name].encode()
    ]
    return sorted(found)


def write(folder: Path) -> None:
    """Write every schema, and take away those whose type is gone. Examples are left alone."""
    made = documents()
    for name in _generated(folder):
        if name.removesuffix(".json") not in made:
            (folder / name).unlink()
    for name, schema in made.items():
        file = folder / f"{name}.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text(schema).encode())


def _generated(folder: Path) -> Iterator[str]:
    for pattern in ("*.json", "events/*.json", "commands/*.json", "rows/*.json", "service/*.json"):
        for file in folder.glob(pattern):
            yield file.relative_to(folder).as_posix()


def _event(name: str, kind: type[Struct]) -> Schema:
    """The whole payload of one event type, within the profile of canonical JSON."""
    about = "The payload of a signed event: canonical JSON (RFC 8785)."
    schema = _schema(f"event:{name}:{VERSION}", f"Event {name}", about, kind)
    for field, words in _FIELDS.items():
        schema["properties"][field].setdefault("description", words)
    for part in inside(schema):
        if isinstance(part.get("additionalProperties"), dict):
            part.setdefault("propertyNames", dict(_KEY))
    return schema


def _schema(urn: str, title: str, about: str, kind: Any) -> Schema:
    """The schema of a type; ``about`` describes it if the type does not describe itself."""
    (root,), parts = components((kind,), "#/$defs/{name}")
    reference = root.get("$ref", "")
    if reference and f'"{reference}"' not in text(parts):
        root = parts.pop(reference.removeprefix("#/$defs/"))
    schema = {"description": about, **root, "title": title}
    schema |= {"$schema": _DIALECT, "$id": f"urn:tabellion:schema:{urn}"}
    if parts:
        schema["$defs"] = parts
    return schema


def main(arguments: list[str] | None = None) -> int:
    """Write the files, or with ``--check`` say which differ (exit 1)."""
    parser = argparse.ArgumentParser(prog="python -m ledger.schemas")
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    parser.add_argument("folder", type=Path)
    asked = parser.parse_args(arguments)
    if not asked.check:
        write(asked.folder)
        return 0
    found = drift(asked.folder)
    for sentence in found:
        print(sentence, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
