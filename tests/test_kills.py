"""Killed at any moment and started again, a talk goes on where it was, and no query runs unasked."""

import json
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.thorough
def test_no_talk_is_lost_to_a_kill() -> None:
    """Talks that are killed at random moments all come to their end; every query that ran had its own Yes."""
    talks = 10
    command = [sys.executable, "-m", "tests.support.talk_kills", str(talks), "1"]
    done = subprocess.run(command, cwd=Path(__file__).parent.parent, capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (0, "")
    counted = json.loads(done.stdout)
    assert (counted["talks"], counted["wrong"]) == (talks, [])
    assert counted["kills"] > talks
