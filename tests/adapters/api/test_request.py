"""A request as the ledger knows it."""

from tests.adapters.api.api_server import ApiServer, Program


def test_a_body_that_is_nested_too_deeply(api: ApiServer, ana: Program) -> None:
    """It is no JSON, and nothing is begun."""
    deep = '{"connection": 1, "sql": ' + "[" * 100_000
    answer = ana.http.post("/v1/jobs", content=deep, headers={"Content-Type": "application/json"})
    assert (422, "The body is not as it must be; `errors` says where.") == (
        answer.status_code,
        answer.json()["detail"],
    )
