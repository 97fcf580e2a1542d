"""Ending a turn from outside it."""

from threading import Event, get_ident
from threading import enumerate as enumerate_threads

import pytest

from router.jobs.cancellation import SHUT_DOWN, Stopping


class Query:
    """Something that takes its time to be cancelled, as a database on another machine does."""

    def __init__(self) -> None:
        self.begun, self.goes_on, self.cancelled = Event(), Event(), Event()
        self.thread = 0

    def cancel(self) -> None:
        self.thread = get_ident()
        self.begun.set()
        if self.goes_on.wait(60):
            self.cancelled.set()


def test_stop_waits_for_no_database() -> None:
    """A person who stops goes on at once, while the database is still being told."""
    query, stopping = Query(), Stopping()
    stopping.runs(query.cancel)
    stopping.stop()
    told = query.begun.wait(60)
    query.goes_on.set()

    assert (told, query.cancelled.wait(60), query.thread == get_ident()) == (True, True, False)


def test_what_runs_after_the_stop_is_cancelled() -> None:
    """A stop that comes before the query reaches it all the same."""
    query, stopping = Query(), Stopping()
    query.goes_on.set()
    stopping.stop()
    stopping.runs(query.cancel)

    assert query.cancelled.is_set()


def test_the_first_reason_counts() -> None:
    """Where a person pressed Stop before the process ended, they read what they read otherwise."""
    asked, ended = Stopping(), Stopping()
    asked.stop()
    asked.stop(SHUT_DOWN)
    ended.stop(SHUT_DOWN)
    ended.stop()

    assert (asked.why, ended.why) == ("", SHUT_DOWN)


def test_what_is_closed_already_needs_no_cancelling(caplog: pytest.LogCaptureFixture) -> None:
    """A database that went away meanwhile is a line in the log, and no thread's end."""
    failed = Event()

    def cancel() -> None:
        failed.set()
        raise OSError("closed")

    with caplog.at_level("INFO"):
        stopping = Stopping()
        stopping.runs(cancel)
        stopping.stop()
        assert failed.wait(60)
        for thread in [each for each in enumerate_threads() if each.name == "stop"]:
            thread.join(60)
    assert "could not be cancelled" in caplog.text
