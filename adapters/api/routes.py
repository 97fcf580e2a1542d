"""The table of all requests: how each is sent, who may send it, and the function that answers it; as OpenAPI, too.

The rest is read from the function's types: what is in the address (its parameters of the names in braces), in the body
(`body`), behind the question mark (`query`), and what is answered.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, Literal, get_type_hints

from pydantic import BaseModel
from pydantic.json_schema import JsonSchemaMode, models_json_schema

from adapters.api import connections, jobs, results, submission
from adapters.api.auth import TOKEN_SCOPES, TokenScope
from adapters.api.problems import PROBLEM_CONTENT_TYPE, ProblemDetails
from adapters.api.request import ApiParameters
from adapters.wire import ACTING_HEADER, APPROVED_HEADER
from adapters.wire import PEOPLE_HEADER_PATTERN as PEOPLE
from router.jobs.results.export import FORMATS

PATH_PATTERNS: Final = {
    "job": r"^([CMRWS]-[2-9A-HJKMNP-TV-Z]{8}|[A-Za-z0-9_-]{16,64})$",
    "connection": r"^[1-9][0-9]{0,9}$",
    "form": r"^(csv|xlsx)$",
}
"""The looks of the parts of an address that stand in braces; what looks otherwise is not there."""


@dataclass(frozen=True)
class Route:
    """One kind of request; without a scope, any token will do."""

    method: Literal["GET", "POST", "DELETE"]
    path: str
    summary: str
    handler: Callable[..., BaseModel | Path | None]
    """Answers it, in a thread; raises BotError or HTTPException if it is not done."""
    scope: TokenScope | None = None
    asks: bool = False
    """True if a database is asked before it is answered, which may take long."""
    status: int = 200
    """The status of what was done."""

    def __post_init__(self) -> None:
        wanted = {*self._types} - {"site", "call", "body", "query", "return"}
        if wanted != {*self.path_parts}:
            raise TypeError(f"{self.name} takes {sorted(wanted)}, and {self.path} has {self.path_parts}")

    @property
    def name(self) -> str:
        """The name of the request: that of its function."""
        return self.handler.__name__

    @property
    def path_parts(self) -> list[str]:
        """The names in braces."""
        return re.findall(r"{(\w+)}", self.path)

    @property
    def path_with_patterns(self) -> str:
        """The path as the server finds it."""
        return re.sub(r"{(\w+)}", lambda found: f"{{{found[1]}:{PATH_PATTERNS[found[1]].strip('^$')}}}", self.path)

    @cached_property
    def _types(self) -> dict[str, Any]:
        return get_type_hints(self.handler)

    @property
    def body(self) -> type[BaseModel] | None:
        """The form of the body, if there is one."""
        return self._types.get("body")

    @property
    def query(self) -> type[ApiParameters] | None:
        """The parameters behind the question mark, if there are some."""
        return self._types.get("query")

    @property
    def answer(self) -> type[BaseModel] | None:
        """The form of the answer; None if it is a file, or empty."""
        found = self._types["return"]
        return found if issubclass(found, BaseModel) else None

    def path_values(self, given: dict[str, str]) -> dict[str, Any]:
        """Return the parts of an address as the function takes them."""
        return {name: self._types[name](text) for name, text in given.items()}


# fmt: off
ROUTES: Final[tuple[Route, ...]] = (
    # Jobs: the person's own.
    Route("POST", "/v1/jobs", "Run, compare, write or e-mail",
          submission.submit_job, asks=True, status=202),
    Route("GET", "/v1/jobs", "List jobs, the latest first",
          jobs.list_jobs),
    Route("GET", "/v1/jobs/{job}", "Look at a job",
          jobs.show_job),
    Route("POST", "/v1/jobs/{job}/cancel", "Cancel a job",
          jobs.cancel_job),
    Route("POST", "/v1/jobs/{job}/retry", "Have a job done again that was not done",
          submission.retry_job),

    # Results: of a job by its number, or by their own id.
    Route("GET", "/v1/jobs/{job}/result", "Look at the result of a reading or a comparison that is done",
          results.show_result, "read", asks=True),
    Route("GET", "/v1/jobs/{job}/rows", "Get rows of a result",
          results.show_rows, "read", asks=True),
    Route("GET", "/v1/jobs/{job}/files/{form}", "Get a result as a file",
          results.result_file, "read", asks=True),

    # Connections, schemas and tables, and queries that are only looked at.
    Route("GET", "/v1/connections", "List connections",
          connections.list_connections),
    Route("GET", "/v1/connections/{connection}/schemas", "List the schemas of a connection",
          connections.list_schemas, asks=True),
    Route("GET", "/v1/connections/{connection}/tables", "List the tables of a schema",
          connections.list_tables, asks=True),
    Route("GET", "/v1/connections/{connection}/target", "Look at a table that may be written to",
          connections.show_target, "write", asks=True),
    Route("POST", "/v1/queries/check", "Have a database look at a query without running it",
          connections.check_query, "read", asks=True),

    # For a program that talks with people, and acts for them.
    Route("GET", "/v1/site", "Get all connections, with the rights of everybody, and the rules of e-mails",
          connections.show_site, "act_for"),
    Route("POST", "/v1/threads/forget", "Delete what is kept of a talk's jobs",
          submission.forget_thread, "act_for", status=204),
    Route("DELETE", "/v1/jobs/{job}/result", "Delete the rows of a talk's job, by the id of its result",
          results.delete_result, "act_for", status=204),
)
# fmt: on

# The API as OpenAPI 3.1 describes it, made from the table and the models of bodies and answers.

Json = dict[str, Any]

SCHEMA_REFERENCE: Final = "#/components/schemas/{model}"
KEY_PATTERN: Final = r"^[!-~]{1,255}$"
"""The characters that the header Idempotency-Key may hold."""

HEADERS: Final[dict[str, tuple[str, str]]] = {
    "Idempotency-Key": ("The same for a request that is sent again: its job is made once.", KEY_PATTERN),
    ACTING_HEADER: ("In whose name it is done: id=slack%3AU0123ABCD&name=Ana&email=ana%40example.com.", PEOPLE),
    APPROVED_HEADER: ("Who approved it, where that is somebody else.", PEOPLE),
}
"""Headers that a request may have: what each says, and its form."""


def build_description() -> Json:
    """Return the description."""
    models: list[tuple[type[BaseModel], JsonSchemaMode]] = [(ProblemDetails, "serialization")]
    paths: Json = {}
    for route in ROUTES:
        models += [(route.answer, "serialization")] if route.answer else []
        models += [(route.body, "validation")] if route.body else []
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route)
    _, definitions = models_json_schema(list(dict.fromkeys(models)), ref_template=SCHEMA_REFERENCE)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "icc-bot jobs",
            "version": version("icc-bot"),
            "description": "Reading, comparing, writing and e-mailing, each as the person whose token it is. "
            f"The scopes of a token are {', '.join(TOKEN_SCOPES)}.",
        },
        "paths": paths,
        "components": {
            "schemas": definitions["$defs"],
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _operation(route: Route) -> Json:
    done: Json = {"description": "Done."}
    if route.answer:
        done["content"] = {"application/json": {"schema": _reference(route.answer)}}
    elif route.status == 200:
        done["content"] = {form: {"schema": {"type": "string"}} for form in FORMATS.values()}
    refused = {PROBLEM_CONTENT_TYPE: {"schema": _reference(ProblemDetails)}}
    operation: Json = {
        "operationId": route.name,
        "summary": route.summary,
        "description": route.handler.__doc__,
        "security": [{"token": [route.scope] if route.scope else []}],
        "parameters": [
            *(_parameter(name, "path", _text(PATH_PATTERNS[name]), required=True) for name in route.path_parts),
            *_in_query(route),
            *(_parameter(name, "header", _text(form), says) for name, (says, form) in HEADERS.items()),
        ],
        "responses": {str(route.status): done, "default": {"description": "Not done.", "content": refused}},
    }
    if route.body:
        content = {"application/json": {"schema": _reference(route.body)}}
        operation["requestBody"] = {"required": True, "content": content}
    return operation


def _in_query(route: Route) -> list[Json]:
    schema = route.query.model_json_schema() if route.query else {"properties": {}}
    required = schema.get("required", ())
    return [_parameter(name, "query", about, required=name in required) for name, about in schema["properties"].items()]


def _parameter(name: str, place: str, schema: Json, says: str = "", *, required: bool = False) -> Json:
    return {"name": name, "in": place, "required": required, "description": says, "schema": schema}


def _text(pattern: str) -> Json:
    return {"type": "string", "pattern": pattern}


def _reference(model: type[BaseModel]) -> Json:
    return {"$ref": SCHEMA_REFERENCE.format(model=model.__name__)}
