"""Comparing as a job: SQLite against PostgreSQL, through the ledger and its runner."""

import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from psycopg import Connection

from router.jobs.cancellation import Stopping
from router.jobs.compare_sql import CompareSql
from router.jobs.compared_queries import Queried
from router.jobs.job_entry import JobEntry, JobState
from router.jobs.match_sql import MatchSql
from router.jobs.payloads import COMPARE_SQL, MATCH_SQL, likeness_of, ref_of, report_of
from router.jobs.runner import Runner
from router.memory.comparing import Reporting
from router.sql.comparing.wording import report_sentences
from tests.router.jobs.comparing.bench import ANA, BOB, Bench, planned, shop, silent, warehouse
from tests.support.postgres import PostgresDatabase


def compared(runner: Runner, left: Queried, right: Queried, reporting: Reporting = "differences") -> JobEntry:
    """Have two queries compared as is proposed."""
    return runner.run(COMPARE_SQL.request(planned(runner, left, right, reporting), "key"), silent)


def waits(locking: Connection) -> bool:
    """Return whether somebody waits for what this connection has locked."""
    return bool(
        locking.execute("SELECT pid FROM pg_locks WHERE NOT granted AND relation = 'orders'::regclass").fetchone()
    )


def until(found: Callable[[], object]) -> None:
    end = time.monotonic() + 60
    while not found():
        assert time.monotonic() < end, "it did not come to that"
        time.sleep(0.01)


def test_a_look_at_both_queries(bench: Bench) -> None:
    """It says which columns belong together and why, and that the primary key tells the rows apart; it keeps no row."""
    with bench.runner() as runner:
        entry = runner.run(MATCH_SQL.request(MatchSql.of(shop(), warehouse(), ANA), "look"), silent)
        found = likeness_of(entry)

    assert [
        ("id", "order_id", "similar name"),
        ("customer", "customer", "same name"),
        ("amount", "amount", "same name"),
        ("ordered_on", "ordered_on", "same name"),
        ("paid", "is_paid", "similar name"),
        ("code", "code", "same name"),
    ] == [(found.left[p.left], found.right[p.right], p.why.partition(" (")[0]) for p in found.pairs]
    assert ((0,), "primary key", (4, 4)) == (found.key.places, found.key.reason, found.rows)
    assert "Ada" not in str(entry.outcome)


def test_a_comparison_of_two_databases(bench: Bench) -> None:
    """The report is kept with the job, and its rows are a result; the trail has each query before and after."""
    with bench.runner() as runner:
        done = compared(runner, shop(), warehouse())
        assert done == runner.run(COMPARE_SQL.request(planned(runner, shop(), warehouse()), "key"), silent)
    assert (JobState.DONE, 8, "") == (done.state, done.rows, done.error)
    assert (
        "1 row differs (amount in 1, paid / is_paid in 1), 2 are the same, 1 is only in orders in Shop and 1 only in "
        "orders in Warehouse." == report_sentences(report_of(done))
    )
    ref = ref_of(done)
    (rows,) = bench.results.rows(ref)
    assert [
        "status",
        "id / order_id",
        "customer (orders in Shop)",
        "customer (orders in Warehouse)",
        "amount (orders in Shop)",
    ] == [head.name for head in ref.columns][:5]
    assert [
        ("changed", 2, "Grace", "Grace", 300.0, Decimal(310)),
        ("only in orders in Shop", 4, "Edsger", None, 45.0, None),
        ("only in orders in Warehouse", 5, None, "Barbara", None, Decimal(7)),
    ] == [row[:6] for row in rows]
    assert bench.results.file(ref, "csv").read_text(encoding="utf-8-sig").startswith('"status",')
    assert ["text", "integer", "text"] == [field.kind for field in bench.results.fields(ref)[:3]]
    for event in ("started", "finished"):
        found = [line for line in bench.trail(event) if line["job"] == done.id]
        assert ["shop", "warehouse"] == [line["connection"] for line in found]
        assert [shop().sql, warehouse().sql] == [line["sql"] for line in found]
    assert [(4, "done"), (4, "done")] == [
        (line["rows"], line["outcome"]) for line in bench.trail("finished") if line["job"] == done.id
    ]


@pytest.mark.parametrize(
    ("reporting", "columns", "row"),
    [
        ("summary", ["what", "rows"], ("identical", 2)),
        (
            "columns",
            [
                "column",
                "differing",
                "empty in orders in Shop only",
                "empty in orders in Warehouse only",
                "largest difference",
                "mean difference",
            ],
            ("amount", 1, 0, 0, 10.0, 10.0),
        ),
        (
            "aggregates",
            ["column", "measure", "orders in Shop", "orders in Warehouse", "same"],
            ("(all)", "rows", "4", "4", True),
        ),
    ],
)
def test_figures_are_rows_too(bench: Bench, reporting: Reporting, columns: list[str], row: tuple[object, ...]) -> None:
    """A report without single rows is a table of its figures."""
    with bench.runner() as runner:
        ref = ref_of(compared(runner, shop(), warehouse(), reporting))
    (rows,) = bench.results.rows(ref)
    assert columns == [head.name for head in ref.columns]
    assert row in rows


def test_a_query_that_fails_half_way(bench: Bench) -> None:
    """The job says which one it was, and nothing is reported."""
    broken = shop(
        "SELECT id, customer, abs(CASE WHEN id = 4 THEN -9223372036854775808 ELSE id END) AS amount FROM orders"
    )
    with bench.runner() as runner:
        job = planned(runner, shop("SELECT id, customer, id AS amount FROM orders"), warehouse())
        failed = runner.run(COMPARE_SQL.request(CompareSql.of(broken, job.right, ANA, plan=job.plan), "key"), silent)
    assert JobState.FAILED == failed.state
    assert failed.error.startswith("Reading orders in Shop failed")
    assert "integer overflow" in failed.error
    assert ({}, []) == (failed.outcome, list((bench.folder / "results").iterdir()))
    assert ["failed", "failed"] == [line["outcome"] for line in bench.trail("finished") if line["job"] == failed.id]


@pytest.mark.parametrize("shut", ["shop", "warehouse"])
def test_a_right_that_was_lost_meanwhile(bench: Bench, shut: str) -> None:
    """A person who may not read one of the databases any more gets nothing of the other either."""
    with bench.runner() as runner:
        job = planned(runner, shop(), warehouse())
    with bench.runner(shut) as runner:
        failed = runner.run(COMPARE_SQL.request(job, "key"), silent)
    assert (JobState.FAILED, True) == (failed.state, failed.error.startswith("There is no connection"))
    assert [failed.error] * 2 == [line["error"] for line in bench.trail("refused")]


def test_what_was_not_approved(bench: Bench) -> None:
    """Another text, another plan, another asker or a stranger's approval: nothing is run."""
    with bench.runner() as runner:
        job = planned(runner, shop(), warehouse())
        other = replace(job.left, sql="SELECT 1")
        wrong = [
            replace(job, plan=replace(job.plan, keys=())),
            replace(job, left=other),
            CompareSql.of(other, job.right, ANA, plan=job.plan),
            CompareSql.of(job.left, job.right, BOB, plan=job.plan),
            CompareSql.of(replace(job.left, approver=BOB), job.right, ANA, plan=job.plan),
        ]
        failed = [runner.run(COMPARE_SQL.request(each, f"{n}"), silent) for n, each in enumerate(wrong)]
    assert [JobState.FAILED] * 5 == [entry.state for entry in failed]
    assert ["The approval was given"] * 4 == [entry.error[:22] for entry in failed[:4]]
    assert "Only Ana may approve this. Nothing was run." == failed[4].error


def test_stop_ends_both_queries(bench: Bench, depot: PostgresDatabase) -> None:
    """Also one that waits in its database; nothing is kept."""
    stopping = Stopping()
    with bench.runner() as runner, depot.connect() as locking:
        job = planned(runner, shop(), warehouse())
        with locking.transaction():
            locking.execute("LOCK TABLE orders")
            ended = runner.run(
                COMPARE_SQL.request(job, "key"),
                lambda entry, doing: stopping.stop() if waits(locking) else None,
                stopping,
            )
    assert JobState.CANCELLED == ended.state
    assert [] == list((bench.folder / "results").iterdir())
    assert {"stopped"} == {line["outcome"] for line in bench.trail("finished") if line["job"] == ended.id}


SLOW = (
    "SELECT id, customer FROM orders WHERE (SELECT count(*) FROM many AS a, many AS b, many AS c, many AS d, "
    "many AS e, many AS f WHERE a.n + b.n <> c.n) >= 0"
)
"""It takes many minutes, unless there is nothing in the table many."""


@pytest.mark.thorough
def test_a_killed_comparison_is_begun_anew(bench: Bench) -> None:
    """Its job is done at the next start, by one of two who find it; nothing is left of the first try."""
    with bench.runner() as runner:
        job = planned(runner, shop("SELECT id, customer FROM orders"), warehouse())
    request = COMPARE_SQL.request(CompareSql.of(shop(SLOW), job.right, ANA, plan=job.plan), "key")
    with bench.ledger() as ledger:
        ledger.add(request)
    command = [sys.executable, "-m", "tests.router.jobs.comparing.at_work", str(bench.folder), bench.url]
    with subprocess.Popen(command, cwd=Path(__file__).parents[4]) as process:
        try:
            until(lambda: shop(SLOW).sql in [line["sql"] for line in bench.trail("started")])
        finally:
            process.kill()
    with closing(sqlite3.connect(bench.folder / "shop.sqlite", isolation_level=None)) as connection:
        connection.execute("DELETE FROM many")
    with bench.runner() as first, bench.runner() as second:
        entries = [each.run(request, silent) for each in (first, second)]
    assert entries[0] == entries[1]
    assert (JobState.DONE, 2, (3, 1, 1)) == (entries[0].state, entries[0].attempt, counts(entries[0]))
    # The one that was killed may not have come to its second side.
    assert len([line for line in bench.trail("started") if line["job"] == entries[0].id]) in (3, 4)
    bench.results.expire()
    assert [f"{ref_of(entries[0]).id}.sqlite"] == [path.name for path in (bench.folder / "results").iterdir()]


def counts(entry: JobEntry) -> tuple[int, int, int]:
    report = report_of(entry)
    return report.identical, report.only_left, report.only_right
