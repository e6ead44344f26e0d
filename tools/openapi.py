"""Write docs/openapi.json: our own HTTP API as OpenAPI, from the values that the daemon answers with.

What a route takes stands here, what it answers in thresher.serve.protocol.api. A test holds the page to this, and the
routes of the daemon to the page.
"""

import json
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from thresher.boxes import MAX_BYTES
from thresher.serve.api import MOST_EVIDENCE, MOST_LESSONS, USUAL_EVIDENCE, USUAL_LESSONS
from thresher.serve.protocol import api
from thresher.values import Label

Json = dict[str, Any]

_LABELS: Final = sorted(Label)
USER: Final = ("user", {"type": "string"}, "Who says so; each person's word on a message counts once.", False)
Parameter = tuple[str, Json, str, bool]


class Operation(NamedTuple):
    """One route."""

    name: str
    method: str
    summary: str
    answer: type[msgspec.Struct]
    message: str = ""
    """Whether the body is a message: required, optional or not at all."""
    parameters: tuple[Parameter, ...] = ()
    guarded: bool = True
    """Whether the token is asked for."""
    failures: tuple[int, ...] = ()


def _count(usual: int, most: int) -> Json:
    return {"type": "integer", "minimum": 1, "maximum": most, "default": usual}


OPERATIONS: Final = (
    Operation("check", "post", "Judge a message.", api.Checked, "required", guarded=False, failures=(400, 413)),
    Operation(
        "explain",
        "post",
        "Judge a message and take the score apart.",
        api.Explained,
        "required",
        (("most", _count(USUAL_EVIDENCE, MOST_EVIDENCE), "How many features to list, the strongest first.", False),),
        guarded=False,
        failures=(400, 413, 503),
    ),
    Operation(
        "learn",
        "post",
        "Learn that a message is ham or spam. The other label corrects what the same person said before.",
        api.Learned,
        "required",
        (
            ("label", {"type": "string", "enum": _LABELS}, "What the message is.", True),
            USER,
            ("source", {"type": "string"}, "Where the message came from, for people.", False),
        ),
        failures=(400, 403, 413, 503),
    ),
    Operation(
        "forget",
        "post",
        "Take back what one person, or everybody, said of a message, sent or named by its id.",
        api.Forgotten,
        "optional",
        (("id", {"type": "string", "pattern": "^[0-9a-f]{32}$"}, "The message, if it is not sent.", False), USER),
        failures=(400, 403, 413, 503),
    ),
    Operation("status", "get", "How the daemon stands.", api.Status),
    Operation(
        "history",
        "get",
        "Lessons, the newest first.",
        api.History,
        "",
        (
            ("limit", _count(USUAL_LESSONS, MOST_LESSONS), "Lessons on a page.", False),
            (
                "before",
                {"type": "integer", "minimum": 1},
                "Those before this number: `before` of the last page.",
                False,
            ),
            USER,
        ),
        failures=(400, 503),
    ),
)
REASONS: Final = {
    400: "The request means nothing; the error says what would.",
    401: "The token is missing or wrong.",
    403: "Learning is not switched on for this listener.",
    413: f"The message has more than {MAX_BYTES} bytes.",
    503: "The journal cannot be read or written now; the error says why.",
}
DESCRIPTION: Final = (
    "What the daemon answers under the address of `--http`, beside rspamd's interface. Judging is open to "
    "whoever reaches the address. Everything else needs `Authorization: Bearer TOKEN`, where `token` is set "
    "under [serve]; where it is not, clients on the same machine need none, unless they are web pages in a "
    "browser. Lessons are taken if `learning = true` is set there. A message is the body as it is, not "
    f"compressed, of at most {MAX_BYTES} bytes."
)


def _refers(schema: type[msgspec.Struct]) -> Json:
    return {"application/json": {"schema": {"$ref": f"#/components/schemas/{schema.__name__}"}}}


def _operation(made: Operation) -> Json:
    codes = [*made.failures, *([401] if made.guarded else [])]
    operation: Json = {
        "operationId": made.name,
        "summary": made.summary,
        "parameters": [
            {"name": name, "in": "query", "required": required, "description": text, "schema": schema}
            for name, schema, text, required in made.parameters
        ],
        "responses": {
            "200": {"description": made.answer.__doc__, "content": _refers(made.answer)},
            **{str(code): {"description": REASONS[code], "content": _refers(api.Failed)} for code in sorted(codes)},
        },
        "security": [{"token": []}] if made.guarded else [],
    }
    if made.message:
        media = {"schema": {"type": "string", "format": "binary", "maxLength": MAX_BYTES}}
        operation["requestBody"] = {"required": made.message == "required", "content": {"message/rfc822": media}}
    return operation


def description() -> Json:
    """Return the whole description."""
    kinds = [*(made.answer for made in OPERATIONS), api.Failed]
    _, schemas = msgspec.json.schema_components(kinds, ref_template="#/components/schemas/{name}")
    return {
        "openapi": "3.1.0",
        "info": {"title": "thresher", "version": version("thresher"), "description": DESCRIPTION},
        "paths": {f"{api.PREFIX}/{made.name}": {made.method: _operation(made)} for made in OPERATIONS},
        "components": {
            "schemas": dict(sorted(schemas.items())),
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def text() -> str:
    """Return the file."""
    return json.dumps(description(), indent=2) + "\n"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(text())
