"""Writings whose process is killed with SIGKILL at random moments, over and over, until each comes to its end.

`python -m tests.router.sql.writing.kills NAME URL [JOBS] [SEED]` prints one JSON line: how many jobs were written, how
many kills that took, and what was wrong after any of them. Each life is a forked child, and so is each look at what is
on disk: the parent itself never opens the database.
"""

import json
import os
import random
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing

import duckdb  # noqa: F401  imported before the first fork, so that a child's life is spent on its job
import psycopg  # noqa: F401
import pymysql  # noqa: F401

from router.sql.dialect import DIALECTS, Name
from router.sql.opening import open_target
from router.sql.writing.names import OWN_TABLE_PREFIX
from router.sql.writing.order import Mode, ResultField, WriteOrder
from router.sql.writing.target import Target
from tests.router.sql.writing.places import Row

ROWS = 6_000
MODES: tuple[Mode, ...] = ("create", "append", "truncate", "drop")
FIELDS = (ResultField("job", "integer"), ResultField("n", "integer"), ResultField("words", "text"))


def order_of(number: int, schema: str) -> WriteOrder:
    """Return the job of this number: each mode has a table of its own, each new table too."""
    mode = MODES[number % len(MODES)]
    return WriteOrder(f"job-{number}", schema, f"created_{number}" if mode == "create" else mode, mode, FIELDS)


def batches(number: int) -> Iterator[list[Row]]:
    """Give the rows of a job."""
    for start in range(0, ROWS, 1000):
        yield [(number, start + each, f"row {each} of job {number}") for each in range(1000)]


def opened(name: Name, url: str) -> Target:
    """Open the database; a killed server process may hold its locks for a moment."""
    return open_target(url, DIALECTS[name], 30)


def write(name: Name, url: str, schema: str, number: int) -> None:
    """Do the job."""
    with closing(opened(name, url)) as target:
        assert target.write(order_of(number, schema), batches(number), lambda rows: None) == ROWS


def look(name: Name, url: str, schema: str, number: int, ended: bool) -> None:
    """Fail where the job is half there, there twice, or there and not in the log."""
    order = order_of(number, schema)
    with closing(opened(name, url)) as target:
        noted, there = target.written(schema, order.job), target.table(schema, order.table)
        rows = there.rows if there else 0
        before = earlier(number)
        assert noted in (None, ROWS)
        assert rows == (after(number) if noted else before), f"job {number}: {rows} rows, before {before}, log {noted}"
        assert not ended or noted
        if ended:
            assert target.table(schema, f"{OWN_TABLE_PREFIX}{order.job}") is None


def earlier(number: int) -> int:
    """Return how many rows the job's table has before it."""
    return 0 if MODES[number % len(MODES)] == "create" or number < len(MODES) else after(number - len(MODES))


def after(number: int) -> int:
    """Return how many rows the job's table has after it."""
    return ROWS * (number // len(MODES) + 1) if MODES[number % len(MODES)] == "append" else ROWS


def prepare(name: Name, url: str, schema: str) -> None:
    """Make the tables into which rows are added."""
    with closing(opened(name, url)) as target:
        for mode in ("append", "truncate"):
            target.write(WriteOrder(f"first-{mode}", schema, mode, "create", FIELDS), iter([]), lambda rows: None)


def child(act: Callable[[], None]) -> int:
    """Start `act` in a process of its own."""
    number = os.fork()
    if number:
        return number
    status = 1
    try:
        act()
        status = 0
    except BaseException as error:
        print(repr(error), file=sys.stderr)
    os._exit(status)


def require(act: Callable[[], None]) -> bool:
    """Return whether `act` went well in a process of its own."""
    return os.waitstatus_to_exitcode(os.waitpid(child(act), 0)[1]) == 0


def end_of(life: int, seconds: float) -> int:
    """Kill a process unless it ends by itself within the time; return its exit code."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        ended, status = os.waitpid(life, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.002)
    os.kill(life, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(life, 0)[1])


def schema_of(name: str, url: str) -> str:
    """Return where the tables are."""
    match name:
        case "postgres":
            return "public"
        case "mysql":
            return url.rpartition("/")[2]
    return "main"


def main() -> None:
    name, url = sys.argv[1], sys.argv[2]
    jobs, seed = (int(number) for number in (*sys.argv[3:], "8", "1")[:2])
    dice, schema = random.Random(seed), schema_of(name, url)
    place = (name, url, schema)
    assert require(lambda: prepare(*place))  # type: ignore[arg-type]
    kills, wrong = 0, 0
    for number in range(jobs):
        tries, ended = 0, False
        while not ended:
            life = child(lambda: write(*place, number))  # type: ignore[arg-type]  # noqa: B023
            # Each life may last a little longer, so that every job comes to its end however slow the machine is.
            status = end_of(life, dice.uniform(0.0, 0.04 * 1.2**tries))
            ended, tries = status == 0, tries + 1
            kills += status == -signal.SIGKILL
            wrong += status > 0
            wrong += not require(lambda: look(*place, number, ended))  # type: ignore[arg-type]  # noqa: B023
    print(json.dumps({"jobs": jobs, "kills": kills, "wrong": wrong}))


if __name__ == "__main__":
    main()
