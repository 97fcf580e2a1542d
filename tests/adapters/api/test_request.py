"""A request as the ledger knows it."""

from adapters.api.auth import new_token, person_of, scopes_of
from adapters.api.query_jobs import ReadBody
from adapters.api.request import ApiCall
from tests.adapters.api.api_server import ApiServer, Program


def test_the_thread_of_a_request_is_kept() -> None:
    """A program that sends a request again after an update gets the job that it made before."""
    _, token = new_token("nightly", person_of("ana@example.com"), scopes_of("read"))
    body = ReadBody.model_validate({"connection": 1, "sql": "SELECT 1"})

    assert "api//nightly/0eeab19e0882353a3e5a2fc826586633" == ApiCall(token, body).thread


def test_a_body_that_is_nested_too_deeply(api: ApiServer, ana: Program) -> None:
    """It is no JSON, and nothing is begun."""
    deep = '{"connection": 1, "sql": ' + "[" * 100_000
    answer = ana.http.post("/v1/jobs/read", content=deep, headers={"Content-Type": "application/json"})
    assert (400, "The body is not JSON in UTF-8.") == (answer.status_code, answer.json()["detail"])
