"""Jobs on the wire."""

import json
from dataclasses import replace

import pytest

from router.errors import JobFailed
from router.jobs.payloads import READ_SQL
from router.jobs.queue import file_lane
from router.jobs.read_sql import ReadSql

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
