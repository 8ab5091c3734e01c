"""What the service says of itself (OpenAPI), and whether it keeps to it whatever it is asked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from server import Client, serving
from table import ARBITER, KEYS, accept, clock, new_service, opening, whole_game

from ledger.web import openapi
from ledger.web.app import House, build
from ledger.web.clerk import Clerk

SCHEMA = schemathesis.openapi.from_dict(openapi.document()).exclude(
    path_regex="stream$|^/play$|^/desk$|^/$|^/match/"
)
"""All that is answered at once and in JSON."""
PROMISED = (
    schemathesis.checks.not_a_server_error,
    *schemathesis.checks.CHECKS.get_by_names(
        [
            "status_code_conformance",
            "content_type_conformance",
            "response_headers_conformance",
            "response_schema_conformance",
            "unsupported_method",
        ]
    ),
)


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    path = tmp_path_factory.mktemp("described") / "ledger.db"
    with new_service(path) as service:
        whole_game(service)
        state = service.open_match(opening(nonce="13" * 16), ARBITER)
        service.append(state.match, [accept("swedes"), accept("muscovites")], KEYS)
    with serving(path) as found:
        yield found


@SCHEMA.parametrize()
@settings(
    max_examples=6,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
def test_no_request_breaks_the_server_or_what_it_promises(case: Any, client: Client) -> None:
    """A match is named by its first digit often enough to be there."""
    if "match" in case.path_parameters:
        case.path_parameters["match"] = str(case.path_parameters["match"])[:1] or "0"
    case.call_and_validate(base_url=client.url, checks=PROMISED)


def test_the_description_names_every_route_and_no_other(tmp_path: Path) -> None:
    service = build(Clerk(tmp_path / "none.db", clock), House(), lambda: 0.0)
    routes = {
        (method.lower(), route.path)
        for route in service.routes
        for method in (route.methods or set()) - {"HEAD"}
        if not route.path.startswith("/desk/")  # the arbiter's page alone asks there
    }
    described = {
        (method, path) for path, each in openapi.document()["paths"].items() for method in each
    }
    assert routes == described


@pytest.mark.parametrize("name", openapi.document()["components"]["schemas"])
def test_its_schemas_are_schemas(name: str) -> None:
    parts = openapi.document()["components"]["schemas"]
    jsonschema_rs.meta.validate(parts[name])
    references = {"$ref": f"#/components/schemas/{name}", "components": {"schemas": parts}}
    jsonschema_rs.validator_for(references)


def test_a_client_gets_the_same_description(client: Client) -> None:
    assert client.get("/api/openapi.json").json == openapi.document()
