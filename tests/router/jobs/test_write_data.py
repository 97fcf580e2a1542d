"""The write job, against a real result store and a real SQLite file."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from router.errors import JobFailed, NotAllowed, Stopped
from router.jobs.audit import Audit
from router.jobs.progress import Outcome
from router.jobs.results.store import Results
from router.jobs.write_data import WriteData, write_data
from router.sql.dialect import DIALECTS
from router.sql.opening import open_target
from router.sql.writing.order import Mode, Refusal, ResultField
from tests.router.jobs.conftest import Keep

CHAIN = ("time", "seconds", "before", "number", "mac")
ROWS = [(n, f"customer {n}", n / 2) for n in range(2500)]
Run = Callable[..., Outcome]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """An empty database."""
    path = tmp_path / "backup.db"
    path.touch()
    return path


@pytest.fixture
def job(results: Results, keep: Keep) -> WriteData:
    """The approved job that makes a table of all rows."""
    ref = keep(ROWS, "id", "customer", "amount")
    return approved(
        WriteData(
            "backup",
            "main",
            "archive",
            "create",
            tuple(enumerate(results.fields(ref))),
            ref.id,
            "nightly",
            "test:ana",
            "test:bob",
            "",
            "test/1",
        )
    )


def approved(job: WriteData) -> WriteData:
    """Return the job with the approval of just what it is."""
    return replace(job, approval=job.digest)


@pytest.fixture
def run(results: Results, file: Path, tmp_path: Path) -> Run:
    """Run a job; the clock goes a second at each look."""
    audit = Audit(tmp_path / "audit.jsonl", lambda: datetime(2026, 3, 1, tzinfo=UTC))

    def run(job: WriteData, id: str = "job-1", progress: Callable[[str], None] = lambda text: None) -> Outcome:
        seconds = iter(range(10_000))
        with closing(open_target(f"sqlite:///{file}", DIALECTS["sqlite"], 10)) as target:
            clock = lambda: float(next(seconds))  # noqa: E731
            return write_data(job, id=id, target=target, results=results, audit=audit, progress=progress, clock=clock)

    return run


def content(file: Path) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(file)) as database:
        return database.execute("SELECT * FROM archive ORDER BY 1").fetchall()


def trail(folder: Path) -> list[dict[str, Any]]:
    """Return the trail without what is the same in every line."""
    lines = [json.loads(line) for line in (folder / "audit.jsonl").read_text().splitlines()]
    return [{name: value for name, value in line.items() if name not in CHAIN} for line in lines]


def about(job: WriteData) -> dict[str, Any]:
    return {
        "thread": "test/1",
        "who": "test:ana",
        "approver": "test:bob",
        "connection": "backup",
        "digest": job.approval,
        "job": "job-1",
        "target": f"main.archive ({job.mode})",
    }


def test_done(run: Run, job: WriteData, file: Path, tmp_path: Path) -> None:
    """All rows are there, the person was told of them, and the trail tells of it before and after."""
    told: list[str] = []
    written = run(job, progress=told.append)
    assert (written.rows, written.said["table"]) == (2500, "main.archive")
    assert content(file) == ROWS
    assert told == ["1,000 rows written…", "2,000 rows written…", "2,500 rows written…"]
    assert trail(tmp_path) == [
        {"event": "started", **about(job)},
        {"event": "finished", "rows": 2500, "outcome": "done", **about(job)},
    ]


def test_once(run: Run, job: WriteData, file: Path) -> None:
    """The same job again writes nothing, and tells the rows; another job of the same rows is refused."""
    run(job)
    assert run(job).rows == 2500
    with pytest.raises(Refusal, match="already"):
        run(job, id="job-2")
    assert content(file) == ROWS


@pytest.mark.parametrize(
    "change",
    [
        {"connection": "shop"},
        {"schema": "other"},
        {"table": "customers"},
        {"mode": "drop"},
        {"columns": ((0, ResultField("id", "integer")),)},
        {"result": "another-result-0123456789"},
        {"asker": "test:eve"},
        {"approval": ""},
    ],
)
def test_approval_for_something_else(
    run: Run, job: WriteData, file: Path, tmp_path: Path, change: dict[str, Any]
) -> None:
    """An approval is for these rows, this place and this mode alone."""
    with pytest.raises(NotAllowed, match="so nothing was written"):
        run(replace(job, **change))
    assert [line["event"] for line in trail(tmp_path)] == ["refused"]
    assert file.read_bytes() == b""


@pytest.mark.parametrize("mode", ["append", "truncate"])
def test_a_clash_is_told_to_the_person_only(run: Run, job: WriteData, file: Path, tmp_path: Path, mode: Mode) -> None:
    """The person reads the value that does not fit; the trail keeps the sentence without it."""
    with closing(sqlite3.connect(file)) as database:
        database.execute("CREATE TABLE archive (customer integer)")
    clashing = approved(replace(job, mode=mode, columns=((1, ResultField("customer", "text")),)))
    with pytest.raises(Refusal, match='"customer 0" is no whole number'):
        run(clashing)
    assert content(file) == []
    (_, finished) = trail(tmp_path)
    assert finished["outcome"] == "failed"
    assert finished["error"].startswith('Row 1 does not fit the column "customer" (INTEGER): the value is no whole')
    assert finished["rows"] == 0


def test_rows_that_expired(run: Run, job: WriteData, results: Results, file: Path) -> None:
    """Rows that are gone cannot be written."""
    results.delete(job.result)
    with pytest.raises(JobFailed, match="This result is gone"):
        run(job)
    assert file.read_bytes() == b""


def test_stopped(results: Results, job: WriteData, file: Path, tmp_path: Path) -> None:
    """A Stop is a Stop in the trail as well."""
    audit = Audit(tmp_path / "audit.jsonl", lambda: datetime(2026, 3, 1, tzinfo=UTC))
    with closing(open_target(f"sqlite:///{file}", DIALECTS["sqlite"], 10)) as target:
        target.cancel()
        with pytest.raises(Stopped):
            write_data(job, id="job-1", target=target, results=results, audit=audit, progress=lambda text: None)
    assert [line.get("outcome", "") for line in trail(tmp_path)] == ["", "stopped"]
