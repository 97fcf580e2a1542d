"""Jobs on the wire."""

import json
from dataclasses import replace

import pytest

from router.cards import Head
from router.errors import JobFailed
from router.jobs.job_entry import JobEntry, JobState
from router.jobs.payloads import READ_SQL, ref_of, said_of
from router.jobs.queue import file_lane
from router.jobs.read_sql import ReadSql
from router.memory.thread import ResultRef
from tests.router.jobs.test_ledger import Time

READ = ReadSql("shop", "main", "sqlite", "SELECT 'ä'", "slack:U1", "slack:U2", "digest", "slack/T/C/1")


def test_a_job_comes_back_as_it_was() -> None:
    """By way of JSON, as another process reads it; what the row holds is not in the payload."""
    request = READ_SQL.request(READ, "key")
    sent = replace(request, payload=json.loads(json.dumps(request.payload)))
    assert READ == READ_SQL.job(sent)
    assert {"schema", "dialect", "sql", "approval"} == request.payload.keys()
    assert (file_lane("shop", READ.asker), "shop", "slack:U2") == (request.lane, request.connection, request.approver)


def test_a_job_that_this_version_does_not_know_is_a_sentence() -> None:
    """Of a later version, or damaged."""
    request = READ_SQL.request(READ, "key")
    with pytest.raises(JobFailed, match="A later version"):
        READ_SQL.job(replace(request, version=2))
    with pytest.raises(JobFailed, match="cannot be read"):
        READ_SQL.job(replace(request, payload={"sql": 5}))


def test_where_the_rows_lie_comes_back() -> None:
    """From the outcome that the ledger keeps."""
    ref = ResultRef("abc", (Head("n", "number"),), 5, False, 0.25)
    outcome = json.loads(json.dumps(said_of(ref)))
    entry = JobEntry("R-1", READ_SQL.request(READ, "key"), JobState.DONE, 1, 5, Time().now, outcome=outcome)
    assert ref == ref_of(entry)
