"""The read job, against a real SQLite file and the real guard."""

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from router.errors import JobFailed, NotAllowed, Stopped
from router.jobs.audit import Audit
from router.jobs.read_sql import ReadSql, digest, read_sql
from router.jobs.results.store import Results
from router.sql.databases.file_database import SqliteDatabase
from router.sql.guard import check
from router.sql.scope import Scope

CHAIN = ("time", "seconds", "before", "number", "mac")
SCOPE = Scope.of("main", [("main", "sales")])


def asked(sql: str) -> ReadSql:
    """Build the job of an approved text in the form that the guard gave."""
    text = check(sql, "sqlite", SCOPE).sql or sql
    return ReadSql(
        "shop", "main", "sqlite", text, "test:ana", "test:bob", digest(text, "shop", "main", "test:ana"), "test/1"
    )


@pytest.fixture
def database(tmp_path: Path) -> Iterator[SqliteDatabase]:
    with closing(sqlite3.connect(tmp_path / "shop.db")) as file:
        file.execute("CREATE TABLE sales (id INTEGER, customer TEXT)")
        file.execute("CREATE TABLE salaries (id INTEGER)")
        file.executemany("INSERT INTO sales VALUES (?, ?)", [(n, f"customer {n}") for n in range(2500)])
        file.commit()
    database = SqliteDatabase(f"sqlite:///{tmp_path / 'shop.db'}", 60)
    yield database
    database.close()


Run = Callable[..., Any]


@pytest.fixture
def run(database: SqliteDatabase, results: Results, tmp_path: Path) -> Run:
    """Run a job; the progress goes to the callable that is given, the clock goes a second at each look."""
    audit = Audit(tmp_path / "audit.jsonl", lambda: datetime(2026, 3, 1, tzinfo=UTC))

    def run(job: ReadSql, cap: int = 10_000, progress: Callable[[str], None] = lambda text: None) -> Any:
        seconds = iter(range(10_000))
        with database.session(SCOPE) as session:
            return read_sql(
                job,
                session=session,
                scope=SCOPE,
                results=results,
                audit=audit,
                cap=cap,
                progress=progress,
                clock=lambda: float(next(seconds)),
            )

    return run


def trail(folder: Path) -> list[dict[str, Any]]:
    """Return the trail without what is the same in every line."""
    lines = [json.loads(line) for line in (folder / "audit.jsonl").read_text().splitlines()]
    return [{name: value for name, value in line.items() if name not in CHAIN} for line in lines]


def about(job: ReadSql) -> dict[str, Any]:
    return {
        "thread": "test/1",
        "who": "test:ana",
        "approver": "test:bob",
        "connection": "shop",
        "sql": job.sql,
        "digest": job.approval,
    }


def test_done(run: Run, results: Results, tmp_path: Path) -> None:
    """An approved query gives its rows, and the trail tells of it before and after."""
    job = asked("SELECT id, customer FROM sales ORDER BY id")
    told: list[str] = []
    ref = run(job, progress=told.append)
    kept = [row for batch in results.rows(ref) for row in batch]
    assert kept == [(n, f"customer {n}") for n in range(2500)]
    assert told == ["1,000 rows read…", "2,000 rows read…", "2,500 rows read…"]
    assert trail(tmp_path) == [
        {"event": "started", **about(job)},
        {"event": "finished", "rows": 2500, "outcome": "done", **about(job)},
    ]


def test_headings(run: Run) -> None:
    """Columns that the query gives no name are stored under plain words, which all that is made of the rows has."""
    ref = run(asked("SELECT COUNT(*), MAX(a.id), a.customer, b.customer FROM sales a, sales b WHERE a.id = b.id"))
    assert [head.name for head in ref.columns][:2] == ["number of sales", "highest sale id"]
    assert len({head.name for head in ref.columns}) == 4


@pytest.mark.parametrize(
    "change",
    [
        {"sql": "SELECT customer FROM sales"},
        {"connection": "warehouse"},
        {"asker": "test:eve"},
        {"approval": ""},
        {"approval": "é"},
    ],
)
def test_approval_for_something_else(run: Run, tmp_path: Path, change: dict[str, str]) -> None:
    """An approval of another text, connection or person runs nothing, and the trail tells of the attempt."""
    job = replace(asked("SELECT id FROM sales"), **change)
    sentence = "The approval was given for another text, so nothing was run. Look at the SQL and press Run again."
    with pytest.raises(NotAllowed) as raised:
        run(job)
    assert (str(raised.value), [line["event"] for line in trail(tmp_path)]) == (sentence, ["refused"])


@pytest.mark.parametrize(
    "sql", ["DELETE FROM sales", "SELECT id FROM salaries", "SELECT id FROM sales; DELETE FROM sales", ""]
)
def test_guard_looks_again(run: Run, tmp_path: Path, sql: str) -> None:
    """What the guard refuses does not run, approved or not; the reason is its own."""
    with pytest.raises(NotAllowed) as raised:
        run(asked(sql))
    lines = [(line["event"], line["error"]) for line in trail(tmp_path)]
    assert (str(raised.value), lines) == (check(sql, "sqlite", SCOPE).reason, [("refused", str(raised.value))])


def test_only_the_checked_form_runs(run: Run) -> None:
    """A text that the guard would write in another way, such as one with a comment, does not run."""
    sql = "select id from sales -- all of them"
    job = ReadSql("shop", "main", "sqlite", sql, "test:ana", "test:bob", digest(sql, "shop", "main", "test:ana"))
    with pytest.raises(NotAllowed, match=r"^The SQL is not in the form that was checked, so nothing was run\."):
        run(job)


def test_failed(run: Run, tmp_path: Path) -> None:
    """What the database refuses is told in its words, to the person and to the trail; no rows are kept."""
    with pytest.raises(JobFailed) as raised:
        run(asked("SELECT nothing FROM sales"))
    end = trail(tmp_path)[-1]
    expected = ("finished", "failed", 0, str(raised.value))
    assert (end["event"], end["outcome"], end["rows"], end["error"]) == expected
    assert list((tmp_path / "results").iterdir()) == []


def test_stopped(run: Run, tmp_path: Path) -> None:
    """Stop ends the reading between two batches; the trail knows how far it came, no rows are kept."""

    def stop(text: str) -> None:
        raise Stopped("Stopped, as you asked.")

    with pytest.raises(Stopped):
        run(asked("SELECT id FROM sales"), progress=stop)
    end = trail(tmp_path)[-1]
    assert (end["outcome"], end["rows"], end["error"]) == ("stopped", 1000, "Stopped, as you asked.")
    assert list((tmp_path / "results").iterdir()) == []


def test_our_own_bug(run: Run, tmp_path: Path) -> None:
    """An error that is not meant for people reaches the trail by its name only, as its words may hold anything."""

    def broken(text: str) -> None:
        raise ValueError("postgresql://ana:secret@host/db")

    with pytest.raises(ValueError, match="secret"):
        run(asked("SELECT id FROM sales"), progress=broken)
    assert [(line.get("outcome"), line.get("error")) for line in trail(tmp_path)] == [
        (None, None),
        ("failed", "ValueError"),
    ]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a full disk is Linux's /dev/full")
def test_nothing_runs_without_a_trail(database: SqliteDatabase, results: Results, tmp_path: Path) -> None:
    """Where the trail cannot be written, nothing is read."""
    (tmp_path / "full.jsonl").symlink_to("/dev/full")
    job, audit = asked("SELECT id FROM sales"), Audit(tmp_path / "full.jsonl", lambda: datetime.now(UTC))
    with database.session(SCOPE) as session, pytest.raises(JobFailed, match="nothing runs without it"):
        read_sql(job, session=session, scope=SCOPE, results=results, audit=audit, cap=10, progress=lambda text: None)
    assert list((tmp_path / "results").iterdir()) == []


def test_digest() -> None:
    """Every part counts for the digest, and no part can pass for another."""
    parts = [
        ("a", "b", "c", "d"),
        ("ab", "", "c", "d"),
        ("a", "bc", "", "d"),
        ("a", "b", "c", "e"),
        ("a", "b", "", "cd"),
    ]
    digests = {digest(*part) for part in parts}
    assert ({len(found) for found in digests}, len(digests)) == ({64}, len(parts))
