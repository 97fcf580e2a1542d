"""The pool and the clock, by themselves."""

import threading

import pytest

from router.errors import JobFailed, Stopped
from router.sql.databases.connection_pool import ConnectionPool
from router.sql.databases.deadline import Deadline, driver_message


class Line:
    """A connection that can die."""

    def __init__(self) -> None:
        self.alive, self.open, self.clean = True, True, True

    def close(self) -> None:
        """Close it, once."""
        assert self.open
        self.open = False


def pool_of(made: list[Line], size: int = 2) -> ConnectionPool[Line]:
    """A pool that writes down what it makes."""

    def make() -> Line:
        made.append(Line())
        return made[-1]

    return ConnectionPool(make, sound=lambda c: c.alive, reset=lambda c: c.clean, end=Line.close, size=size, wait=0.05)


@pytest.mark.parametrize("fault", ["alive", "clean"])
def test_a_bad_connection_is_closed_and_replaced(fault: str) -> None:
    """Whether it died while idle or could not be reset."""
    made: list[Line] = []
    pool = pool_of(made)
    with pool.lend() as first:
        setattr(first, fault, False)
    with pool.lend() as second:
        assert second is not first
    assert [line.open for line in made] == [False, True]


def test_who_waits_too_long_is_told() -> None:
    """And a connection that comes back is lent again."""
    made: list[Line] = []
    pool = pool_of(made)
    with pool.lend(), pool.lend():
        waiting = pool.lend()
        with pytest.raises(JobFailed, match="All 2 connections to this database are busy"):
            waiting.__enter__()
    with pool.lend():
        pass
    assert len(made) == 2


def test_closing_closes_idle_ones_now_and_lent_ones_later() -> None:
    """Nothing is left open."""
    made: list[Line] = []
    pool = pool_of(made)
    with pool.lend() as lent:
        with pool.lend():
            pass
        pool.close()
        assert [line.open for line in made] == [True, False]
        assert lent.open
    assert [line.open for line in made] == [False, False]


def test_the_clock_runs_only_while_the_database_works() -> None:
    """A reader who takes his time does not use up the query's."""
    running = Deadline(0.2)
    running.start("SELECT 1")
    threading.Event().wait(0.3)
    with running.working():
        assert not running.over


def test_the_time_of_several_calls_adds_up() -> None:
    """Many short fetches end like one long one, and the next statement starts again."""
    running = Deadline(0.1)
    running.start("SELECT 1")

    def work_for_ever() -> None:
        while True:
            with running.working():
                threading.Event().wait(0.02)

    with pytest.raises(JobFailed, match=r"longer than 0\.1 s"):
        work_for_ever()
    running.start("SELECT 2")
    with running.working():
        pass


def test_a_stop_is_final() -> None:
    """Whether the database works or not."""
    running = Deadline(5)
    running.start("SELECT 1")
    running.stop()
    assert running.over
    with pytest.raises(Stopped), running.working():
        raise AssertionError("nothing runs after a stop")


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("two\nlines.", "two lines"),
        ("postgresql://me:secret@host/db refused", "postgresql://host/db refused"),
        ("password=secret host=h", "password=… host=h"),
        ("x" * 400, "x" * 299 + "…"),
    ],
)
def test_a_message_is_one_short_line_without_secrets(words: str, line: str) -> None:
    """Whatever the driver says."""
    assert driver_message(words) == line
