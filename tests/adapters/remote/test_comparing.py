"""A comparison that another process does: asked for, waited for and read as one that is done here."""

from dataclasses import replace
from pathlib import Path

import pytest

from router.jobs.compare_sql import CompareSql
from router.jobs.compared_queries import Queried
from router.jobs.job_entry import JobEntry, JobState, Request
from router.jobs.match_sql import MatchSql
from router.jobs.payloads import COMPARE_SQL, MATCH_SQL, likeness_of, ref_of, report_of
from router.jobs.read_sql import digest
from router.sql.guard import check
from tests.adapters.remote.talk import RemoteTalk
from tests.support.talk import ANA, KEY


def side(sql: str, label: str) -> Queried:
    text = check(sql, "sqlite").sql
    return Queried("shop", "main", text, label, ANA, digest(text, "shop", "main", ANA.id))


def quiet(entry: JobEntry, doing: str) -> None:
    """Tell nobody."""


def asked(request: Request) -> Request:
    return replace(request, people=(ANA, ANA))


def test_a_comparison_through_the_api(tmp_path: Path) -> None:
    """The look, the report and the rows are those of the process that has the databases."""
    talk = RemoteTalk(tmp_path, lambda: pytest.fail("no model is asked"), ("shop",))
    try:
        left, right = side("SELECT * FROM regions", "all"), side("SELECT * FROM regions WHERE id = 2", "one")
        looked = talk.services.jobs.run(
            asked(MATCH_SQL.request(MatchSql.of(left, right, ANA, thread=str(KEY)), "m")), quiet
        )
        plan = likeness_of(looked).plan("differences")
        job = CompareSql.of(left, right, ANA, plan=plan, thread=str(KEY))
        done = talk.services.jobs.run(asked(COMPARE_SQL.request(job, "c")), quiet)
        assert (JobState.DONE, 1, 1) == (done.state, report_of(done).identical, report_of(done).only_left)
        assert [("only in all", 1, "North", None, "whole row")] == [
            row for rows in talk.services.results.seen_by(ANA).rows(ref_of(done)) for row in rows
        ]
        found = talk.services.jobs.find("c")
        assert found
        assert report_of(done) == report_of(found)
    finally:
        talk.close()
