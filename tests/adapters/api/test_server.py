"""The HTTP side of the API: who is let in, and how what goes wrong is said."""

import gzip
import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy.schema import DropTable

from adapters.api.routes import ROUTES, build_description
from router.storage import tables
from tests.adapters.api.api_server import REGIONS, SHOP, ApiServer, Json, Program, read

ASKED = {"connection": SHOP, "sql": REGIONS}
PARTS = {
    "job": "R-22222222",
    "connection": SHOP,
    "form": "csv",
}
"""What stands in an address."""


def test_health_needs_no_token(api: ApiServer) -> None:
    """A person who asks learns that the API answers, and how it is used."""
    assert (200, {"status": "ok"}) == api.stranger().get("/health")
    assert (200, build_description()) == api.stranger().get("/v1/openapi.json")


@pytest.mark.parametrize("header", ["", "Bearer", "Bearer icc_wrong", "Basic YTpi", "Bearer ä", "bearer"])
def test_strangers_are_not_let_in(api: ApiServer, header: str) -> None:
    """Without a token that is known, no request learns anything, and the answer says what is missing."""
    stranger = api.stranger(**({"Authorization": header.encode()} if header else {}))  # type: ignore[arg-type]
    for route in ROUTES:
        path = route.path.format(**PARTS)
        answer = stranger.http.request(route.method, path)
        assert (401, 'Bearer realm="icc-bot"') == (read(answer)[0], answer.headers["WWW-Authenticate"])


@pytest.mark.parametrize(
    ("scopes", "kind", "scope", "body"),
    [
        ("write,email", "read", "read", ASKED),
        ("write,email", "match", "read", {"left": ASKED, "right": ASKED}),
        (
            "read,email",
            "write",
            "write",
            {"result": "R-22222222", "connection": "backup", "table": "t", "mode": "create"},
        ),
        ("read,write", "email", "email", {"recipients": ["me"], "subject": "Regions"}),
    ],
)
def test_a_scope_that_is_missing(api: ApiServer, scopes: str, kind: str, scope: str, body: Json) -> None:
    """A token does what its scopes say, whatever its person may do."""
    status, problem = api.client(scopes=scopes).ask(kind, body)

    assert (403, f"This token lacks the scope {scope}.") == (status, problem["detail"])


def test_a_body_that_is_wrong(ana: Program) -> None:
    """Each field that is wrong is named; what it held is not repeated."""
    status, problem = ana.ask("read", {"connection": "s3cret", "table": 1})

    assert 422 == status
    assert {f"read.{name}" for name in ("sql", "table")} <= {error["field"] for error in problem["errors"]}
    assert "s3cret" not in json.dumps(problem)


@pytest.mark.parametrize(
    ("content", "headers", "status"),
    [
        (b"{", {}, 422),
        (b'{"sql": "\xff"}', {}, 422),
        (b"[" * 100_000, {}, 422),
        (b"[]", {}, 422),
        (b"", {}, 422),
        (b"{}", {"Content-Type": "text/plain"}, 415),
        (gzip.compress(b"{}", mtime=0), {"Content-Encoding": "gzip"}, 415),
        (b" " * 3_000_000, {}, 413),
    ],
)
def test_bodies_that_are_none(ana: Program, content: bytes, headers: dict[str, str], status: int) -> None:
    """Each is a problem with a sentence."""
    headers = {"Content-Type": "application/json", **headers}

    assert status == read(ana.http.post("/v1/jobs", content=content, headers=headers))[0]


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/v1/nothing", 404),
        ("GET", "/v1/jobs/nothing", 404),
        ("GET", "/v1/connections/x/schemas", 404),
        ("DELETE", "/v1/jobs", 405),
        ("GET", "/v1/queries/check", 405),
        ("GET", "/v1/jobs?limit=0", 422),
        ("GET", "/v1/jobs?sort=up", 422),
        ("GET", "/v1/jobs?state=DONE", 422),
    ],
)
def test_addresses_that_are_wrong(ana: Program, method: str, path: str, status: int) -> None:
    """Each is a problem with a sentence."""
    assert status == read(ana.http.request(method, path))[0]


def test_answers_are_kept_by_nobody(ana: Program) -> None:
    """No proxy keeps rows, and no browser takes an answer for a page."""
    answer = ana.http.get("/v1/connections")

    assert ("no-store", "nosniff") == (answer.headers["Cache-Control"], answer.headers["X-Content-Type-Options"])


def test_places(ana: Program) -> None:
    """Connections that the person may use, their schemas, and the tables with columns; without a URL of a database."""
    status, found = ana.get("/v1/connections")
    assert (200, ["shop", "backup", "guarded"]) == (status, [each["name"] for each in found["connections"]])
    assert [(True, False), (True, True), (True, True)] == [
        (each["read"], each["write"]) for each in found["connections"]
    ]
    assert "sqlite://" not in json.dumps(found)

    assert (200, {"schemas": ["main"]}) == ana.get(f"/v1/connections/{SHOP}/schemas")
    _, found = ana.get(f"/v1/connections/{SHOP}/tables")
    (regions,) = [table for table in found["tables"] if table["name"] == "regions"]
    assert (["id"], ["id", "name"]) == (regions["primary_key"], [column["name"] for column in regions["columns"]])


def test_the_ledger_fails(api: ApiServer, ana: Program) -> None:
    """Then nothing is begun, and the sentence says so."""
    with api.bot.database.transaction() as connection:
        connection.execute(DropTable(tables.jobs))

    status, problem = ana.get("/v1/jobs")

    assert 503 == status
    assert problem["detail"].startswith("The list of jobs cannot be read or written (OperationalError)")


def test_too_many_requests_at_once(ana: Program) -> None:
    """A person's requests are answered a few at a time; what is too much is told to come again."""
    with ThreadPoolExecutor(40) as threads:
        answers = list(threads.map(lambda _: ana.http.get(f"/v1/connections/{SHOP}/schemas?fresh=true"), range(40)))

    assert {200, 429} >= {answer.status_code for answer in answers}
    assert {"1"} >= {answer.headers["Retry-After"] for answer in answers if answer.status_code == 429}
    assert 200 == ana.get("/v1/connections")[0]
