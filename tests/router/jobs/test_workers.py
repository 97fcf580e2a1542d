"""Checks that the workers make once more on any job."""

from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from router.catalog.catalog import Catalog
from router.catalog.connections_file import read_connections
from router.catalog.targets import target_opener
from router.jobs.approval import job_digest
from router.jobs.audit import Audit
from router.jobs.job_entry import JobState
from router.jobs.ledger import Ledger
from router.jobs.payloads import WRITE_DATA
from router.jobs.results.store import Results
from router.jobs.runner import Runner
from router.jobs.workers import workers
from router.jobs.write_data import WriteData
from router.policy import require_query
from router.sql.databases.session import Described
from router.sql.writing.order import ResultField
from router.storage.database import Database
from tests.support.shop import write_connections

COLUMNS = ((0, ResultField("name", "text")),)


@pytest.fixture
def jobs(database: Database, tmp_path: Path) -> Iterator[tuple[Runner, WriteData]]:
    """A runner, and an approved job that makes the table "towns" in the store's schema "archive"."""
    connections = read_connections(write_connections(tmp_path, ["store"]), {})
    with ExitStack() as stack:
        audit = Audit(tmp_path / "audit.jsonl", lambda: datetime.now(UTC))
        catalog = stack.enter_context(closing(Catalog(connections)))
        ledger = Ledger(database, lambda: datetime.now(UTC))
        results = Results(tmp_path / "results", timedelta(days=1), lambda: datetime.now(UTC))
        ref = results.store([Described("name", "text")], [[("North",)]], 10, lambda rows: None, lambda: 0.1)
        job = WriteData("store", "archive", "towns", "create", COLUMNS, ref.id, "towns", "ana", "ana", "", "thread")
        yield (
            stack.enter_context(
                closing(Runner(ledger, workers(catalog, target_opener(connections), results, audit, require_query)))
            ),
            job,
        )


@pytest.mark.parametrize(
    ("schema", "state", "error"), [("archive", JobState.DONE, ""), ("main", JobState.FAILED, "main")]
)
def test_a_schema_that_takes_no_rows(jobs: tuple[Runner, WriteData], schema: str, state: JobState, error: str) -> None:
    """Nothing is written into a schema that `write_schemas` leaves out, though the job says that it was approved."""
    runner, job = jobs
    job = replace(job, schema=schema)
    done = runner.run(WRITE_DATA.request(replace(job, approval=job_digest(job)), schema), lambda entry, doing: None)
    assert state == done.state
    assert error in done.error
    assert ("may not be written into" in done.error) == (state is JobState.FAILED)
