"""Reading through the API: what runs, what comes back, and what is refused."""

import json
import sqlite3

import pytest

from tests.adapters.api.api_server import GUARDED, REGIONS, SECRETS, SHOP, ApiServer, Program


def test_rows_are_read(ana: Program) -> None:
    """A query is a job; its rows come page by page, with types."""
    job = ana.done(ana.ask("read", {"connection": SHOP, "sql": "SELECT id, name, note FROM customers"}))

    assert ("read", "done", 6, "", "api:ana@example.com") == tuple(
        job[name] for name in ("kind", "state", "rows", "error", "asker")
    )
    page = ana.rows(job["id"], offset=1, limit=2)
    assert [[2, "Grace Hopper", "prefers mail"], [3, "Alan Turing", None]] == page["rows"]
    assert ["id", "name", "note"] == [column["name"] for column in page["result"]["columns"]]
    assert (1, 3, 6, False) == (page["offset"], page["next"], page["result"]["total"], page["result"]["capped"])
    assert ana.rows(job["id"], offset=5)["next"] is None
    assert [] == ana.rows(job["id"], offset=10**9)["rows"]


def test_what_runs_is_the_checked_form(api: ApiServer, ana: Program) -> None:
    """The answer shows the text that runs."""
    status, job = ana.ask("read", {"connection": SHOP, "sql": "select name -- all\nfrom regions;"})

    assert 202 == status
    assert "SELECT name FROM regions" == job["sql"].replace('"', "")
    assert "done" == ana.done((status, job))["state"]
    started = [line for line in map(json.loads, api.trail().splitlines()) if line["event"] == "started"]
    assert [job["sql"]] == [line["sql"] for line in started]


def test_what_the_database_says_of_a_query(ana: Program) -> None:
    """A query is looked at without being run; one that is run all the same fails with the database's reason."""
    wrong = {"connection": "shop", "sql": "SELECT nullif(name) FROM regions"}
    assert 200 == ana.post("/v1/queries/check", {"connection": "shop", "sql": REGIONS})[0]
    status, problem = ana.post("/v1/queries/check", wrong)
    failed = ana.done(ana.ask("read", wrong))

    assert (422, "failed") == (status, failed["state"])
    assert "NULLIF" in problem["detail"]
    assert "NULLIF" in failed["error"]


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        ("DELETE FROM orders", "only"),
        ("SELECT 1; SELECT 2", "one"),
        ("SELECT * FROM sqlite_master", "sqlite_master"),
        ("SELECT load_extension('x')", "load_extension"),
        ("SELEC", ""),
        ("\x00", ""),
    ],
)
def test_what_the_guard_refuses(api: ApiServer, ana: Program, sql: str, words: str) -> None:
    """Nothing is run, nothing is in the ledger, and the sentence says why."""
    status, problem = ana.ask("read", {"connection": SHOP, "sql": sql})

    assert 422 == status
    assert words.lower() in problem["detail"].lower()
    assert {"jobs": []} == ana.get("/v1/jobs")[1]
    assert '"started"' not in api.trail()


def test_what_may_not_be_read(ana: Program) -> None:
    """A connection is for its readers, through the API as anywhere."""
    status, problem = ana.ask("read", {"connection": SECRETS, "sql": REGIONS})

    unknown = ana.ask("read", {"connection": 77, "sql": REGIONS})[1]
    assert 404 == status
    assert {**unknown, "detail": unknown["detail"].replace("77", str(SECRETS))} == problem


def test_values_are_exact(api: ApiServer, ana: Program) -> None:
    """What JSON has no form for that every reader takes exactly is a text."""
    with sqlite3.connect(api.folder / "shop.sqlite") as shop:
        shop.execute("CREATE TABLE odd (wide INTEGER, big REAL, blob BLOB, day DATE)")
        shop.execute("INSERT INTO odd VALUES (?, ?, ?, ?)", (2**60, float("inf"), b"\x00\xff", "2026-01-31"))
    shop.close()
    api.bot.services.catalog.refresh("shop")

    assert [[str(2**60), "inf", "AP8=", "2026-01-31"]] == ana.rows(ana.reading("SELECT * FROM odd"))["rows"]


def test_a_page_ends_where_it_becomes_large(api: ApiServer, ana: Program) -> None:
    """Large rows come in small pages; every row comes."""
    with sqlite3.connect(api.folder / "shop.sqlite") as shop:
        shop.execute("CREATE TABLE long (n INTEGER, text TEXT)")
        shop.executemany("INSERT INTO long VALUES (?, ?)", [(n, "x" * 1_000_000) for n in range(9)])
    shop.close()
    api.bot.services.catalog.refresh("shop")
    job = ana.reading("SELECT n, text FROM long ORDER BY n")

    pages, offset = [], 0
    while offset is not None:
        page = ana.rows(job, offset=offset, limit=1000)
        pages.append([row[0] for row in page["rows"]])
        offset = page["next"]
    assert [[0, 1, 2, 3], [4, 5, 6, 7], [8]] == pages


def test_rows_that_were_deleted(api: ApiServer, ana: Program) -> None:
    """They are kept for some days, and then the answer says so."""
    job = ana.reading()
    for path in (api.settings.home / "results").iterdir():
        path.unlink()

    status, problem = ana.get(f"/v1/jobs/{job}/rows")
    assert (404, True) == (status, problem["detail"].startswith("This result is gone: I keep rows for 7 days"))


def test_somebody_else_has_to_approve(api: ApiServer) -> None:
    """Where a connection names approvers, a program of anybody else runs nothing there."""
    status, problem = api.client().ask("read", {"connection": GUARDED, "sql": REGIONS})

    assert 403 == status
    assert problem["detail"].endswith("Ask in a talk with the bot, where those who approve see it.")
    assert "You may not approve this for " in api.trail()
    assert (
        2
        == api.client("bob@example.com").rows(api.client("bob@example.com").reading(connection=GUARDED))["result"][
            "total"
        ]
    )
