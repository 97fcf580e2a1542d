"""The description of the API is true: by its routes, and by thousands of requests made from it."""

import re
from pathlib import Path

import pytest

from adapters.api.jobs import show_job
from adapters.api.routes import Route, build_description
from adapters.api.server import application
from bot.commands.api_tokens import tokens_of
from tests.adapters.api.api_server import ApiServer
from tests.adapters.api.schemathesis_run import run_schemathesis


async def test_every_route_is_described(api: ApiServer) -> None:
    """What the server answers and what the description has are the same requests, each with a name of its own."""
    app = application(api.bot.services, tokens_of(api.settings))
    served = {
        (route.method.lower(), re.sub(r"{(\w+):[^/]*}(?=/|$)", r"{\1}", route.resource.canonical))
        for route in app.router.routes()
        if route.resource
    }
    paths = build_description()["paths"]
    names = [operation["operationId"] for path in paths.values() for operation in path.values()]

    assert served - {("get", "/v1/openapi.json"), ("get", "/health")} == {
        (method, path) for path in paths for method in paths[path]
    }
    assert len(names) == len(set(names))


def test_a_function_takes_what_its_address_has() -> None:
    """A row of the table whose function wants something else is an error at the start, not of the first request."""
    with pytest.raises(TypeError, match=r"show_job takes \['job'\], and /v1/jobs has \[\]"):
        Route("GET", "/v1/jobs", "", show_job)


@pytest.mark.thorough
def test_requests_made_from_the_description(api: ApiServer, tmp_path: Path) -> None:
    """Every answer is one that the description has, none is a failure of the server, and queries were run by it."""
    status, said, report = run_schemathesis(api, tmp_path, examples=2, seed=1)

    assert 0 == status, said
    operations = sum(len(path) for path in build_description()["paths"].values())
    assert (operations, operations) == (report["operations"]["total"], report["operations"]["tested"])
    assert [] != api.client().get("/v1/jobs", state="done")[1]["jobs"]


@pytest.mark.bench
def test_many_requests_made_from_the_description(api: ApiServer, tmp_path: Path) -> None:
    """The same, longer: `uv run pytest -m bench tests/adapters/api`."""
    status, said, report = run_schemathesis(api, tmp_path, examples=300, seed=2)

    print(report["test_cases"])
    assert 0 == status, said
