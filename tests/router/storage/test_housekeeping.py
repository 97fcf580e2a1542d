"""What is done now and then goes on, whatever happens in one of them; and one thread does it all."""

import sqlite3
import threading
from contextlib import closing
from threading import Event

import pytest

from router.errors import JobFailed
from router.storage.housekeeping import Housekeeping


@pytest.mark.parametrize("error", [FileNotFoundError("gone"), sqlite3.OperationalError("locked"), JobFailed("Away.")])
def test_one_failure_is_not_the_end(error: Exception, caplog: pytest.LogCaptureFixture) -> None:
    """It is logged, and done again the next time; others are done meanwhile."""
    failed, done, other = [], Event(), Event()

    def chore() -> None:
        if not failed:
            failed.append(1)
            raise error
        done.set()

    with closing(Housekeeping()) as housekeeping:
        housekeeping.add(chore, 0.01)
        housekeeping.add(other.set, now=True)
        assert done.wait(60)
        assert other.wait(60)

    assert str(error) in caplog.text


def test_nothing_is_done_before_its_time_or_after_the_end() -> None:
    """What is due in an hour does not hold up the end, nor is it done there."""
    done: list[str] = []
    soon, before = Event(), {*threading.enumerate()}
    with closing(Housekeeping()) as housekeeping:
        housekeeping.add(lambda: done.append("later"))
        housekeeping.add(soon.set, 0.01)
        assert soon.wait(60)
    housekeeping.add(lambda: done.append("too late"), now=True)
    assert [] == done
    assert "housekeeping" not in {thread.name for thread in {*threading.enumerate()} - before}
