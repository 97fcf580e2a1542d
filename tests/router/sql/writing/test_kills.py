"""Killed at any moment, a writing is there whole or not at all, and never twice."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.router.sql.writing.places import Place

ROOT = Path(__file__).parents[4]


EVERY_DAY = "sqlite"
"""The place that every run kills; CI kills all."""


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("place", "jobs"),
    [
        (EVERY_DAY, 4),
        *(pytest.param(name, 4, marks=pytest.mark.thorough) for name in ("duckdb", "postgres", "mysql")),
        *(pytest.param(name, 24, marks=pytest.mark.bench) for name in (EVERY_DAY, "duckdb", "postgres", "mysql")),
    ],
    indirect=["place"],
)
def test_no_writing_is_half_done(place: Place, jobs: int) -> None:
    """After each kill the table has all rows of the job or none, as the log says; in the end each job is there once."""
    command = [sys.executable, "-m", "tests.router.sql.writing.kills", place.name, place.url, str(jobs), "1"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (0, "")
    counted = json.loads(done.stdout)
    assert (counted["jobs"], counted["wrong"]) == (jobs, 0)
    assert counted["kills"] > 0
