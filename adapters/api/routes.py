"""The table of all requests: how each is sent, who may send it, and the function that answers it; as OpenAPI, too.

The rest is read from the function's types: what is in the address (its parameters of the names in braces), in the body
(`body`), behind the question mark (`query`), and what is answered.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from http import HTTPStatus
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, Literal, get_type_hints

from pydantic import BaseModel
from pydantic.json_schema import JsonSchemaMode, models_json_schema

from adapters.api import connections, jobs, results, submission
from adapters.api.auth import TOKEN_SCOPES, TokenScope
from adapters.api.jobs import JobAnswer
from adapters.api.problems import PROBLEM_CONTENT_TYPE, ProblemDetails
from adapters.api.request import ApiAnswer, ApiParameters
from adapters.api.submission import SubmittedJob
from adapters.wire import ACTING_HEADER, APPROVED_HEADER, PEOPLE_HEADER_MAX_CHARS, PEOPLE_HEADER_PATTERN
from router.jobs.results.export import FORMATS

JOB_PATH: Final = "/v1/jobs/{job}"
"""The address of a job; answers of other addresses name it in the header Location."""

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
    handler: Callable[..., BaseModel | SubmittedJob | Path]
    """Answers it, in a thread; raises RequestRefused or BotError where it is not done."""
    scope: TokenScope | None = None
    problems: tuple[int, ...] = ()
    """Statuses of refusals, beside those that any request may meet."""
    asks: bool = False
    """True where a database is asked before it is answered, which may take long."""

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
        """The form of the body, where there is one."""
        return self._types.get("body")

    @property
    def query(self) -> type[ApiParameters] | None:
        """The parameters behind the question mark, where there are some."""
        return self._types.get("query")

    @property
    def creates(self) -> bool:
        """True where it makes a job, for which the header Idempotency-Key holds."""
        return self._types["return"] is SubmittedJob

    @property
    def answer(self) -> type[BaseModel] | None:
        """The form of the answer; None where it is a file."""
        found = self._types["return"]
        return JobAnswer if found is SubmittedJob else None if found is Path else found

    @property
    def good(self) -> tuple[HTTPStatus, ...]:
        """The statuses of what was done; 200 for a job that was asked for before."""
        return (HTTPStatus.ACCEPTED, HTTPStatus.OK) if self.creates else (HTTPStatus.OK,)

    def path_values(self, given: dict[str, str]) -> dict[str, Any]:
        """Return the parts of an address as the function takes them."""
        return {name: self._types[name](text) for name, text in given.items()}


# fmt: off
ROUTES: Final[tuple[Route, ...]] = (
    # Jobs: the person's own, and for an admin everybody's.
    Route("POST", "/v1/jobs", "Run, compare, write or e-mail",
          submission.submit_job, None, (404, 409), asks=True),
    Route("GET", "/v1/jobs", "List jobs, the latest first",
          jobs.list_jobs),
    Route("GET", JOB_PATH, "Look at a job",
          jobs.show_job, None, (404,)),
    Route("POST", "/v1/jobs/{job}/cancel", "Cancel a job",
          jobs.cancel_job, None, (404, 409)),
    Route("POST", "/v1/jobs/{job}/retry", "Have a job done again that was not done",
          submission.retry_job, None, (404, 409)),

    # Results: of a job by its number, or by their own id.
    Route("GET", "/v1/jobs/{job}/result", "Look at the result of a reading or a comparison that is done",
          results.show_result, "read", (404, 409), asks=True),
    Route("GET", "/v1/jobs/{job}/rows", "Get rows of a result",
          results.show_rows, "read", (404, 409), asks=True),
    Route("GET", "/v1/jobs/{job}/files/{form}", "Get a result as a file",
          results.result_file, "read", (404, 409), asks=True),

    # Connections, schemas and tables, and queries that are only looked at.
    Route("GET", "/v1/connections", "List connections",
          connections.list_connections),
    Route("GET", "/v1/connections/{connection}/schemas", "List the schemas of a connection",
          connections.list_schemas, None, (404,), asks=True),
    Route("GET", "/v1/connections/{connection}/tables", "List the tables of a schema",
          connections.list_tables, None, (404,), asks=True),
    Route("GET", "/v1/connections/{connection}/target", "Look at a table that may be written to",
          connections.show_target, "write", (404,), asks=True),
    Route("POST", "/v1/queries/check", "Have a database look at a query without running it",
          connections.check_query, "read", (404,), asks=True),

    # For a program that talks with people, and acts for them.
    Route("GET", "/v1/site", "Get all connections, with the rights of everybody, and the rules of e-mails",
          connections.show_site, "act_for"),
    Route("POST", "/v1/threads/forget", "Delete what is kept of a talk's jobs",
          submission.forget_thread, "act_for"),
    Route("DELETE", "/v1/jobs/{job}/result", "Delete the rows of a talk's job, by the id of its result",
          results.delete_result, "act_for", (404,)),
)
# fmt: on

# The API as OpenAPI 3.1 describes it, made from the table and the models of bodies and answers.

Json = dict[str, Any]

SCHEMA_REFERENCE: Final = "#/components/schemas/{model}"
KEY_PATTERN: Final = r"^[!-~]{1,255}$"
"""The characters that the header Idempotency-Key may hold."""
IDEMPOTENCY_KEY: Final[Json] = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "The same for a request that is sent again: its job is made once.",
    "schema": {"type": "string", "pattern": KEY_PATTERN},
}
STATUSES_OF_ANY: Final = (401, 403, 422, 429, 500, 503)
"""Statuses of refusals that any request with a token may meet."""
STATUSES_WITH_BODY: Final = (400, 408, 413, 415)


class HealthAnswer(ApiAnswer):
    """That the API answers."""

    status: Literal["ok"] = "ok"


def described() -> Json:
    """Return the description."""
    answers: set[type[BaseModel]] = {ProblemDetails, HealthAnswer, *(route.answer for route in ROUTES if route.answer)}
    bodies = {route.body for route in ROUTES if route.body}
    models: list[tuple[type[BaseModel], JsonSchemaMode]] = [
        *((model, "serialization") for model in answers),
        *((model, "validation") for model in bodies),
    ]
    _, definitions = models_json_schema(models, ref_template=SCHEMA_REFERENCE)
    health = {
        "operationId": "health",
        "summary": "Whether the API answers",
        "security": [],
        "responses": {"200": _answer(HealthAnswer, "It does.")},
    }
    paths: Json = {"/health": {"get": health}}
    for route in ROUTES:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route)
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
            "schemas": dict(sorted(definitions["$defs"].items())),
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _operation(route: Route) -> Json:
    refusals = sorted({*STATUSES_OF_ANY, *route.problems, *(STATUSES_WITH_BODY if route.body else ())})
    operation: Json = {
        "operationId": route.name,
        "summary": route.summary,
        "description": (route.handler.__doc__ or "").strip(),
        "security": [{"token": [route.scope] if route.scope else []}],
        "parameters": [
            *_in_path(route),
            *_in_query(route),
            *([IDEMPOTENCY_KEY] if route.creates else []),
            *_in_headers(route),
        ],
        "responses": {
            **{str(int(status)): _done(route, status) for status in route.good},
            **{str(status): _refusal(status) for status in refusals},
        },
    }
    if route.body:
        content = {"application/json": {"schema": _reference(route.body)}}
        operation["requestBody"] = {"required": True, "content": content}
    return operation


def _in_path(route: Route) -> list[Json]:
    return [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string", "pattern": PATH_PATTERNS[name]}}
        for name in route.path_parts
    ]


def _in_query(route: Route) -> list[Json]:
    if route.query is None:
        return []
    schema = route.query.model_json_schema()
    required = schema.get("required", ())
    return [
        {
            "name": name,
            "in": "query",
            "required": name in required,
            "description": about.pop("description", ""),
            "schema": about,
        }
        for name, about in schema["properties"].items()
    ]


def _in_headers(route: Route) -> list[Json]:
    """Return the people whom a token with the scope act_for names."""
    schema = {"type": "string", "pattern": PEOPLE_HEADER_PATTERN, "maxLength": PEOPLE_HEADER_MAX_CHARS}
    about = {ACTING_HEADER: "In whose name it is done: id=slack%3AU0123ABCD&name=Ana&email=ana%40example.com."}
    if route.answer is JobAnswer and route.method == "POST":
        about[APPROVED_HEADER] = "Who approved it, where that is somebody else."
    return [
        {"name": name, "in": "header", "required": False, "description": words, "schema": schema}
        for name, words in about.items()
    ]


def _done(route: Route, status: HTTPStatus) -> Json:
    if route.answer is None:
        return {
            "description": "The file.",
            "content": {form: {"schema": {"type": "string"}} for form in FORMATS.values()},
        }
    said = {202: "The job is queued.", 200: "The same was asked for before under this key: this is its job."}
    answer = _answer(route.answer, said[status] if route.creates else "Done.")
    if route.answer is JobAnswer and route.path != JOB_PATH:
        where = {"description": "Where the job can be looked at.", "schema": {"type": "string"}, "required": True}
        answer["headers"] = {"Location": where}
    if route.creates:
        answer["links"] = _links()
    return answer


def _links() -> Json:
    """Return what can be asked of the job that was made."""
    of_a_job = [each for each in ROUTES if "{job}" in each.path and each.scope != "act_for"]
    return {
        each.name: {"operationId": each.name, "parameters": {"job": "$response.body#/id"}, "description": each.summary}
        for each in of_a_job
    }


def _answer(model: type[BaseModel], description: str) -> Json:
    return {"description": description, "content": {"application/json": {"schema": _reference(model)}}}


def _refusal(status: int) -> Json:
    return {
        "description": HTTPStatus(status).phrase,
        "content": {PROBLEM_CONTENT_TYPE: {"schema": _reference(ProblemDetails)}},
    }


def _reference(model: type[BaseModel]) -> Json:
    return {"$ref": SCHEMA_REFERENCE.format(model=model.__name__)}
