"""How types become JSON Schemas, and the schema of a signed event. Pure.

The schemas are made from the types that write the bytes, so that they cannot say anything else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Any, TypeAlias

import msgspec
from msgspec import Meta, Struct

from ledger.canonical import MAX_BYTES
from ledger.envelope import PAYLOAD_TYPE

Schema: TypeAlias = dict[str, Any]


class Signature(Struct, frozen=True, forbid_unknown_fields=True):
    """An Ed25519 signature (RFC 8032) over DSSE's pre-authentication encoding of the payload."""

    keyid: Annotated[
        str,
        Meta(
            pattern="^SHA256:[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]$",
            description="Fingerprint of the key, as ssh-keygen -l prints it.",
        ),
    ]
    sig: Annotated[
        str, Meta(pattern="^[A-Za-z0-9+/]{85}[AQgw]==$", description="64 bytes in base64.")
    ]


class SignedEvent(Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """A DSSE envelope (1.0.2) around one event, with exactly one signature."""

    payload: Annotated[
        str,
        Meta(
            pattern="^(?:[A-Za-z0-9+/]{4})*"
            "(?:[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=|[A-Za-z0-9+/][AQgw]==)?$",
            description="The event's canonical JSON, in strictly padded base64.",
            max_length=(MAX_BYTES + 2) // 3 * 4,
            extra_json_schema={
                "contentEncoding": "base64",
                "contentMediaType": "application/json",
            },
        ),
    ]
    payload_type: Annotated[str, Meta(extra_json_schema={"const": PAYLOAD_TYPE})]
    signatures: Annotated[tuple[Signature, ...], Meta(min_length=1, max_length=1)]


def components(kinds: Sequence[Any], where: str) -> tuple[list[Schema], dict[str, Schema]]:
    """The schemas of types, and those of the structs in them by name; ``where`` is the template of
    a reference to one. A field that is always written is required, and one spelling is a
    constant."""
    roots, parts = msgspec.json.schema_components(kinds, ref_template=where)
    for name, struct in structs(kinds).items():
        _spell_out(parts[name], struct)
    for whole in (*roots, *parts.values()):
        for part in inside(whole):
            while len(part.get("anyOf", ())) == 1:
                part.update(part.pop("anyOf")[0])
            part.pop("discriminator", None)  # OpenAPI's; the tags say the same
            if len(part.get("enum", ())) == 1:
                part["const"] = part.pop("enum")[0]
    return list(roots), parts


def structs(kinds: Iterable[Any]) -> dict[str, type[Struct]]:
    """Every struct that types are made of, by name."""
    found: dict[str, type[Struct]] = {}
    waiting: list[object] = [msgspec.inspect.type_info(kind) for kind in kinds]
    while waiting:
        part = waiting.pop()
        if isinstance(part, msgspec.inspect.StructType):
            if part.cls in found.values():
                continue
            if part.cls.__name__ in found:
                raise TypeError(f"two structs are named {part.cls.__name__}")
            found[part.cls.__name__] = part.cls
        if isinstance(part, tuple):
            waiting.extend(part)
        elif isinstance(part, msgspec.inspect.Type | msgspec.inspect.Field):
            waiting.extend(getattr(part, field) for field in part.__struct_fields__)
    return found


def inside(schema: Schema) -> Iterator[Schema]:
    """``schema`` and every schema inside it; each may be changed before the next is asked for."""
    yield schema
    for word in ("properties", "$defs"):
        for inner in schema.get(word, {}).values():
            yield from inside(inner)
    for word in ("anyOf", "prefixItems"):
        for inner in schema.get(word, ()):
            yield from inside(inner)
    for word in ("items", "additionalProperties", "propertyNames"):
        if isinstance(schema.get(word), dict):
            yield from inside(schema[word])


def _spell_out(part: Schema, struct: type[Struct]) -> None:
    """Say of a struct's fields what its bytes show: left out at its default, or always there."""
    properties: dict[str, Schema] = part["properties"]
    if not struct.__struct_config__.omit_defaults:
        part["required"] = list(properties)
    for field in properties.values():
        if field.pop("default", ...) is None and struct.__struct_config__.omit_defaults:
            field["anyOf"].remove({"type": "null"})
