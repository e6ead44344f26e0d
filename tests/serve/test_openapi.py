"""docs/openapi.json says what the daemon does: its routes, what they take, what they answer."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest
from starlette.routing import Route

from tests.cli.making import ham
from tests.serve.test_rspamd import asking
from thresher.serve.access import Access
from thresher.serve.http import application
from thresher.serve.scanner import Scanner
from tools import openapi

FILE: Final = Path(__file__).resolve().parents[2] / "docs" / "openapi.json"
DESCRIBED: Final[dict[str, Any]] = json.loads(FILE.read_text())
OPERATIONS: Final = [
    (path, method, operation) for path, methods in DESCRIBED["paths"].items() for method, operation in methods.items()
]
JSON_TYPES: Final[Mapping[str, type | tuple[type, ...]]] = {
    "string": str, "integer": int, "number": (int, float), "boolean": bool, "array": list, "object": dict,
    "null": type(None),
}  # fmt: skip


def test_the_file_is_what_make_docs_writes() -> None:
    assert FILE.read_text() == openapi.text(), "run `make docs`"


def test_every_route_is_described_and_nothing_else(scanner: Scanner) -> None:
    routes = application(scanner, Access()).routes
    served = {
        (route.path, method.lower())
        for route in routes
        if isinstance(route, Route) and route.path.startswith("/api/")
        for method in (route.methods or set()) - {"HEAD"}
    }
    assert served == {(path, method) for path, method, _ in OPERATIONS}
    assert len(served) >= 6


def conforms(value: object, schema: Mapping[str, Any]) -> bool:
    """Say whether a value is as a schema says, of the kinds of schema that stand in the file."""
    if "$ref" in schema:
        return conforms(value, DESCRIBED["components"]["schemas"][schema["$ref"].rpartition("/")[2]])
    if "anyOf" in schema:
        return any(conforms(value, each) for each in schema["anyOf"])
    if "enum" in schema:
        return value in schema["enum"]
    fits = isinstance(value, JSON_TYPES[schema["type"]]) and (
        schema["type"] == "boolean" or not isinstance(value, bool)
    )
    if fits and isinstance(value, list):
        return all(conforms(each, schema["items"]) for each in value)
    if fits and isinstance(value, dict):
        properties = schema["properties"]
        complete = set(schema.get("required", ())) <= set(value) <= set(properties)
        return complete and all(conforms(each, properties[name]) for name, each in value.items())
    return fits


@pytest.mark.parametrize(("path", "method", "operation"), OPERATIONS, ids=[path for path, _, _ in OPERATIONS])
def test_what_is_answered_is_what_is_described(
    scanner: Scanner, path: str, method: str, operation: Mapping[str, Any]
) -> None:
    """Each is asked with what it says it needs, and once with the wrong token."""
    needed = [
        f"{parameter['name']}={parameter['schema']['enum'][0]}"
        for parameter in operation["parameters"]
        if parameter["required"]
    ]
    message = ham(3) if "requestBody" in operation else None
    target = "?".join([path, *["&".join(needed)]]) if needed else path
    with asking(scanner, learning=True, password="s3cret") as ask:
        answers = [
            ask(target, message, method.upper(), Authorization="Bearer s3cret"),
            ask(target, message, method.upper()),
        ]
    assert [answer.status for answer in answers] == [200, 401 if operation["security"] else 200]
    for answer in answers:
        media = operation["responses"][str(answer.status)]["content"]["application/json"]
        assert conforms(answer.body, media["schema"]), answer


@pytest.mark.parametrize(("path", "method", "operation"), OPERATIONS, ids=[path for path, _, _ in OPERATIONS])
def test_what_is_needed_is_asked_for(scanner: Scanner, path: str, method: str, operation: Mapping[str, Any]) -> None:
    if not any(parameter["required"] for parameter in operation["parameters"]) and "requestBody" not in operation:
        return
    with asking(scanner, learning=True) as ask:
        answer = ask(path, b"", method.upper())
    if operation.get("requestBody", {}).get("required"):
        assert answer.status == 400
        assert conforms(answer.body, operation["responses"]["400"]["content"]["application/json"]["schema"])
