"""The API as OpenAPI 3.1 describes it, made from the table of requests and the models of bodies and answers."""

from http import HTTPStatus
from importlib.metadata import version
from typing import Any, Final, Literal

from pydantic import BaseModel
from pydantic.json_schema import JsonSchemaMode, models_json_schema

from adapters.api.auth import TOKEN_SCOPES
from adapters.api.jobs import JobAnswer
from adapters.api.problems import PROBLEM_CONTENT_TYPE, ProblemDetails
from adapters.api.request import ApiAnswer
from adapters.api.routes import JOB_PATH, PATH_PATTERNS, ROUTES, Route
from adapters.wire.values import ACTING_HEADER, APPROVED_HEADER, PEOPLE_HEADER_MAX_CHARS, PEOPLE_HEADER_PATTERN
from router.jobs.results.export import FORMATS

Json = dict[str, Any]

SCHEMA_REFERENCE: Final = "#/components/schemas/{model}"
KEY_PATTERN: Final = r"^[!-~]{1,255}$"
"""The characters that the header Idempotency-Key may hold."""
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
    paths: Json = {"/health": {"get": _health()}}
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


def _health() -> Json:
    return {
        "operationId": "health",
        "summary": "Whether the API answers",
        "security": [],
        "responses": {"200": _answer(HealthAnswer, "It does.")},
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
            *([_KEY] if route.creates else []),
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
    acting = {"description": "In whose name it is done: id=slack%3AU0123ABCD&name=Ana&email=ana%40example.com."}
    found: list[Json] = [{"name": ACTING_HEADER, "in": "header", "required": route.person, **acting, "schema": schema}]
    if route.person and route.scope == "act_for" and route.answer is JobAnswer:
        approved = {"description": "Who approved it, where that is somebody else."}
        found.append({"name": APPROVED_HEADER, "in": "header", "required": False, **approved, "schema": schema})
    return found


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
        answer["links"] = _links(route)
    return answer


def _links(route: Route) -> Json:
    """Return what can be asked of the job that was made; only a reading has rows."""
    of_a_job = [each for each in ROUTES if "{job}" in each.path and (each.scope is None or route.scope == "read")]
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


_KEY: Final[Json] = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "The same for a request that is sent again: its job is made once.",
    "schema": {"type": "string", "pattern": KEY_PATTERN},
}
