"""The API as OpenAPI 3.1 describes it, made from the table of requests and the models of bodies and answers."""

import re
from http import HTTPStatus
from importlib.metadata import version
from typing import Any, Final

from pydantic import BaseModel
from pydantic.json_schema import JsonSchemaMode, models_json_schema

from adapters.api.answers import Health, Job
from adapters.api.bodies import KEY
from adapters.api.problems import TYPE, Problem
from adapters.api.routes import PATTERNS, ROUTES, Route
from adapters.api.tokens import SCOPES
from adapters.wire.people import ACTING, APPROVED, LONGEST, PATTERN
from router.jobs.export import FORMATS

Json = dict[str, Any]

REFERENCE: Final = "#/components/schemas/{model}"
ALWAYS: Final = (401, 403, 422, 429, 500, 503)
"""Statuses of refusals that any request with a token may meet."""
WITH_BODY: Final = (400, 408, 413, 415)


def described() -> Json:
    """Return the description."""
    models: list[tuple[type[BaseModel], JsonSchemaMode]] = [(Problem, "serialization"), (Health, "serialization")]
    for route in ROUTES:
        models += [] if route.file else [(route.answer, "serialization")]
        models += [(route.body, "validation")] if route.body else []
    _, definitions = models_json_schema(list(dict.fromkeys(models)), ref_template=REFERENCE)
    paths: Json = {"/health": {"get": _health()}}
    for route in ROUTES:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "icc-bot jobs",
            "version": version("icc-bot"),
            "description": "Reading, comparing, writing and e-mailing, each as the person whose token it is. "
            f"The scopes of a token are {', '.join(SCOPES)}.",
        },
        "paths": paths,
        "components": {
            "schemas": definitions["$defs"],
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _health() -> Json:
    return {
        "operationId": "health",
        "summary": "Whether the API answers",
        "security": [],
        "responses": {"200": _answer(Health, "It does.")},
    }


def _operation(route: Route) -> Json:
    refusals = sorted({*ALWAYS, *route.problems, *(WITH_BODY if route.body else ())})
    operation: Json = {
        "operationId": route.name,
        "summary": route.summary,
        "description": (route.handle.__doc__ or "").strip(),
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
        {"name": name, "in": "path", "required": True, "schema": {"type": "string", "pattern": PATTERNS[name]}}
        for name in re.findall(r"{(\w+)}", route.path)
    ]


def _in_query(route: Route) -> list[Json]:
    if route.query is None:
        return []
    schema = route.query.model_json_schema()
    return [
        {"name": name, "in": "query", "required": False, "description": about.pop("description", ""), "schema": about}
        for name, about in schema["properties"].items()
    ]


def _in_headers(route: Route) -> list[Json]:
    """Return the people whom a token with the scope act_for names."""
    schema = {"type": "string", "pattern": PATTERN, "maxLength": LONGEST}
    acting = {"description": "In whose name it is done: id=slack%3AU0123ABCD&name=Ana&email=ana%40example.com."}
    found: list[Json] = [{"name": ACTING, "in": "header", "required": route.person, **acting, "schema": schema}]
    if route.person and route.scope == "act_for" and route.answer is Job:
        approved = {"description": "Who approved it, where that is somebody else."}
        found.append({"name": APPROVED, "in": "header", "required": False, **approved, "schema": schema})
    return found


def _done(route: Route, status: HTTPStatus) -> Json:
    if route.file:
        return {
            "description": "The file.",
            "content": {form: {"schema": {"type": "string"}} for form in FORMATS.values()},
        }
    if not route.creates:
        return _answer(route.answer, "Done.")
    said = {202: "The job is queued.", 200: "The same was asked for before under this key: this is its job."}
    answer = _answer(route.answer, said[status])
    where = {"description": "Where the job can be looked at.", "schema": {"type": "string"}, "required": True}
    return {**answer, "headers": {"Location": where}, "links": _links(route)}


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
    return {"description": HTTPStatus(status).phrase, "content": {TYPE: {"schema": _reference(Problem)}}}


def _reference(model: type[BaseModel]) -> Json:
    return {"$ref": REFERENCE.format(model=model.__name__)}


_KEY: Final[Json] = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "The same for a request that is sent again: its job is made once.",
    "schema": {"type": "string", "pattern": KEY},
}
