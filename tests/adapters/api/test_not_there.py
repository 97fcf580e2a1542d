"""One answer for what does not exist and what one may not see; and rights that hold at once, through the API."""

import time
from typing import Any

import httpx
import pytest

from adapters.wire import ACTING_HEADER, text_of
from router.catalog.reload import SETTLE_SECONDS
from router.memory.draft import User
from tests.adapters.api.api_server import BACKUP, GUARDED, REGIONS, SECRETS, SHOP, ApiServer, Program

NOWHERE = 77
EVE, ANA = (User(f"slack:{name}", name, f"{name.lower()}@example.com") for name in ("Eve", "Ana"))
ADDRESSES = ("bob@example.com", "eve@example.com")

QUERIES = [
    ("GET", "/v1/connections/{n}/schemas", None),
    ("GET", "/v1/connections/{n}/tables", None),
    ("POST", "/v1/jobs", {"kind": "read", "connection": "{n}", "sql": REGIONS}),
    ("POST", "/v1/jobs", {"kind": "read", "connection": "{n}", "sql": "DROP TABLE regions"}),
    (
        "POST",
        "/v1/jobs",
        {"kind": "match", "left": {"connection": "{n}", "sql": REGIONS}, "right": {"connection": 1, "sql": REGIONS}},
    ),
    (
        "POST",
        "/v1/jobs",
        {"kind": "write", "connection": "{n}", "result": "R-22222222", "table": "t", "mode": "create"},
    ),
]
"""Requests that name a connection."""


def named(given: Any, number: int) -> Any:
    """Return a request with the number in its place."""
    match given:
        case dict():
            return {key: named(each, number) for key, each in given.items()}
        case "{n}":
            return number
        case str():
            return given.replace("{n}", str(number))
    return given


def told(answer: httpx.Response) -> tuple[int, str, dict[str, str]]:
    """Return all that an answer tells."""
    headers = {name: value for name, value in answer.headers.items() if name.lower() not in ("date", "content-length")}
    return answer.status_code, answer.text, headers


@pytest.mark.parametrize(("method", "path", "body"), QUERIES)
def test_connections(ana: Program, method: str, path: str, body: Any) -> None:
    """A connection of others answers as one that is not there, to the letter."""
    shut, none = (
        told(ana.http.request(method, named(path, number), json=named(body, number))) for number in (SECRETS, NOWHERE)
    )
    assert 404 == none[0]
    assert (none[0], none[1].replace(str(NOWHERE), str(SECRETS)), none[2]) == shut


def test_jobs(api: ApiServer, ana: Program) -> None:
    """So does a job of somebody else."""
    theirs = api.client("eve@example.com").reading(connection=SECRETS)
    for method, path in (("GET", ""), ("GET", "/rows"), ("POST", "/cancel")):
        shut, none = (told(ana.http.request(method, f"/v1/jobs/{id}{path}")) for id in (theirs, "R-22222222"))
        assert 404 == none[0]
        assert (none[0], none[1].replace("R-22222222", theirs), none[2]) == shut


def test_results_for_a_bot(api: ApiServer) -> None:
    """And rows that were kept for somebody else, or were never there."""
    bot = api.client("bot@example.com", "read,write,email,act_for")
    headers = {ACTING_HEADER: text_of(EVE)}
    eve = api.client("eve@example.com")
    job = eve.reading(connection=SECRETS)
    result = eve.get(f"/v1/jobs/{job}")[1]["outcome"]["result"]["id"]
    for path in ("/result", "/rows", "/files/csv"):
        shut, none = (
            told(bot.http.get(f"/v1/jobs/{id}{path}", headers={ACTING_HEADER: text_of(ANA)}))
            for id in (result, "A" * len(result))
        )
        assert (404, none) == (shut[0], shut)
    # Others of its readers do not see them either: the connection is private.
    assert 404 == bot.http.get(f"/v1/jobs/{result}/result", headers=headers).status_code


def test_no_address_of_others(api: ApiServer, ana: Program) -> None:
    """Whatever is refused names nobody."""
    asked = [
        ana.http.post("/v1/jobs", json={"kind": "read", "connection": number, "sql": REGIONS})
        for number in (GUARDED, SECRETS)
    ]
    mine = ana.reading()
    order = {"kind": "write", "result": mine, "connection": GUARDED, "table": "t", "mode": "create"}
    asked.append(ana.http.post("/v1/jobs", json=order))
    bob = api.client("bob@example.com")
    asked.append(bob.http.post("/v1/jobs", json={**order, "result": bob.reading(), "connection": BACKUP}))
    assert [403, 404, 403, 403] == [each.status_code for each in asked]
    assert [] == [address for each in asked for address in (*ADDRESSES, "ana@example.com") if address in each.text]


def save(api: ApiServer, was: str, now: str) -> None:
    """Change connections.toml while the API is at work, and let it stand still until it holds."""
    path = api.folder / "connections.toml"
    before = path.read_text()
    assert was in before
    path.write_text(before.replace(was, now))
    time.sleep(SETTLE_SECONDS + 0.1)


def test_a_reader_who_was_taken_out(api: ApiServer, ana: Program) -> None:
    """The next request knows: nothing is read, and rows of before are not given, as if there were no such database."""
    job = ana.reading()
    save(api, 'label = "Shop"\n', 'label = "Shop"\nreaders = ["bob@example.com"]\n')

    assert 404 == ana.ask("read", {"connection": SHOP, "sql": REGIONS})[0]
    status, problem = ana.get(f"/v1/jobs/{job}/rows")
    assert (404, True) == (status, problem["detail"].startswith('There is no connection "shop" that you may use'))
    email = {"result": job, "recipients": ["me"], "subject": "Regions"}
    assert 404 == ana.ask("email", email)[0]
    write = {"result": job, "connection": BACKUP, "table": "regions", "mode": "create"}
    assert 404 == ana.ask("write", write)[0]
    assert [] == api.post.letters
    save(api, 'readers = ["bob@example.com"]\n', "")
    assert 2 == ana.rows(job)["result"]["total"]


def test_a_table_that_was_taken_away(api: ApiServer, ana: Program) -> None:
    """Its rows are not given, and the person who read them is told why."""
    job = ana.reading()
    save(api, 'label = "Shop"\n', 'label = "Shop"\ntables = ["orders"]\n')

    status, problem = ana.get(f"/v1/jobs/{job}/rows")
    assert 404 == status
    assert problem["detail"].startswith("These rows are not shown any more")
    assert "regions is not among those that this connection may read" in problem["detail"]
    assert 404 == ana.ask("email", {"result": job, "recipients": ["me"], "subject": "Regions"})[0]


def test_one_connection_that_is_away(api: ApiServer, ana: Program) -> None:
    """It is listed as away, what is asked of it is refused with a sentence, and the others are at work."""
    file = api.folder / "backup.sqlite"
    file.rename(file.with_suffix(".away"))
    listed = {each["id"]: each["away"] for each in ana.get("/v1/connections")[1]["connections"]}
    assert (False, True) == (listed[SHOP], listed[BACKUP])
    status, problem = ana.ask("read", {"connection": BACKUP, "sql": "SELECT name FROM places"})
    assert (503, True) == (status, problem["detail"].startswith("Backup is away: I cannot open its database."))
    assert str(api.folder) not in problem["detail"]
    ana.reading()
    file.with_suffix(".away").rename(file)
    ana.reading("SELECT name FROM places", BACKUP)
