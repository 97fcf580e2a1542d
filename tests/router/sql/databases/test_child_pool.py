"""Statements that no engine gives up by itself, and children that die: the bot lives on, and so does the next query."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from router.errors import JobFailed, Stopped
from router.sql.databases import file_database as limits
from router.sql.databases.child import end_children
from router.sql.databases.session import PooledDatabase, Session
from tests.router.sql.databases.conftest import Place, many

pytestmark = [
    pytest.mark.parametrize("place", ["sqlite", "duckdb"], indirect=True),
    pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks for children under /proc"),
]

HOSTILE = {
    "sqlite": {
        "instr": "SELECT instr(printf('%.30000000c', 'a') || 'b', printf('%.300000c', 'a') || 'c')",
        "printf": "SELECT sum(length(printf('%.30000000c', d0.d))) FROM " + ", ".join(f"digits d{i}" for i in range(5)),
        "replace": "SELECT length(replace(printf('%.30000000c', 'a'), printf('%.200000c', 'a') || 'b', 'c'))",
    },
    "duckdb": {
        "levenshtein": "SELECT levenshtein(repeat('ab', 1000000), repeat('ba', 1000000))",
        "format": "SELECT length(format('{:>1000000000}', 'x')) + length(format('{:>1000000000}', d)) FROM digits",
        "sort": "SELECT max(n) FROM (SELECT range AS n FROM range(3000000000) ORDER BY hash(range) OFFSET 5)",
    },
}
"""One long call inside the engine, or endless work in it."""

SAID = "longer than|more memory|did not come to a plan|OUT OF MEMORY"


def hostile(place: Place) -> Iterator[str]:
    """The statements of one engine."""
    yield from HOSTILE[place.name].values()


def children(parent: int | None = None) -> dict[int, str]:
    """Return the readers whose parent this one is, dead ones among them, with their state; servers are none of them."""
    found = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            name, _, rest = stat.read_text().rpartition(")")
        except OSError:
            continue
        state, ppid = rest.split()[:2]
        if int(ppid) == (parent or os.getpid()) and "(python" in name:
            found[int(stat.parent.name)] = state
    return found


def alive(pid: int) -> bool:
    """Return whether a process runs still."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def until(true: Callable[[], bool], seconds: float) -> bool:
    """Wait for something; tell whether it came."""
    end = time.monotonic() + seconds
    while not true() and time.monotonic() < end:
        time.sleep(0.01)
    return true()


def answers(database: PooledDatabase, place: Place) -> bool:
    """Return whether a small query is answered."""
    with database.session(place.scope) as session:
        return [row for rows in session.stream("SELECT count(*) FROM orders")[1] for row in rows] == [(4,)]


def drain(session: Session, sql: str) -> None:
    """Run a statement to its end."""
    for _ in session.stream(sql)[1]:
        pass


def refusal(call: Callable[[], object]) -> str:
    """Return why it failed, "" if it did not."""
    try:
        call()
    except JobFailed as error:
        return str(error)
    return ""


@contextmanager
def seconds(most: float) -> Iterator[None]:
    """Demand that the block takes no longer."""
    began = time.monotonic()
    yield
    assert time.monotonic() - began < most


@pytest.mark.parametrize("asks", ["check", "stream"])
def test_time_outs_hold(place: Place, asks: str) -> None:
    """Also inside one long call, and also before approval; the next query is answered by a fresh child."""
    for sql in hostile(place):
        database = place.open(timeout=0.4)
        with seconds(3), database.session(place.scope) as session:
            reason = refusal(lambda: session.check(sql) if asks == "check" else drain(session, sql))  # noqa: B023
        assert re.search(SAID, reason) or (asks == "check" and not reason)  # nothing may be computed for a plan
        with seconds(3):
            assert answers(database, place)
        database.close()


def test_a_plan_has_a_time_out_of_its_own(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the engine computes while it plans does not have the time of a query: nobody has approved it yet."""
    if place.name == "sqlite":
        pytest.skip("SQLite computes nothing for a plan")
    monkeypatch.setattr(limits, "PLAN_SECONDS", 0.5)
    database = place.open(timeout=60)
    with seconds(3), database.session(place.scope) as session, pytest.raises(JobFailed, match="a plan of this query"):
        session.check(HOSTILE["duckdb"]["levenshtein"])
    database.close()


def test_stop_holds(place: Place) -> None:
    """Within a second, inside one long call."""
    database = place.open(timeout=60)
    for name, sql in HOSTILE[place.name].items():
        stopped_at = []

        def stop(session: Session, stopped_at: list[float] = stopped_at) -> None:
            stopped_at.append(time.monotonic())
            session.cancel()

        with database.session(place.scope) as session:
            timer = threading.Timer(0.2, stop, (session,))
            timer.start()
            with pytest.raises((Stopped, JobFailed)) as raised:
                drain(session, sql)
            took = time.monotonic() - (stopped_at or [time.monotonic()])[0]
            timer.cancel()
            timer.join()
        assert took < 1, name
        assert isinstance(raised.value, Stopped) or "memory" in str(raised.value), name
    assert answers(database, place)
    database.close()


PROGRAM = """
import sys
from router.sql.opening import open_database
from router.sql.dialect import DIALECTS
database = open_database(sys.argv[1], DIALECTS[sys.argv[2]], 60)
with database.session() as session:
    print("open", flush=True)
    for rows in session.stream(sys.argv[3])[1]:
        pass
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_children_end_with_the_bot(place: Place, number: signal.Signals) -> None:
    """Also where it is killed, and the child is in the middle of one long call."""
    sql = HOSTILE[place.name]["instr" if place.name == "sqlite" else "levenshtein"]
    command = [sys.executable, "-c", PROGRAM, place.url, place.name, sql]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as bot:
        assert bot.stdout is not None
        assert bot.stdout.readline() == "open\n"
        time.sleep(0.5)
        (child,) = children(bot.pid)
        assert alive(child)
        bot.send_signal(number)
        assert until(lambda: not alive(child) and bot.poll() is not None, 1)


@pytest.mark.thorough
def test_a_child_may_not_take_all_memory(place: Place) -> None:
    """The sentence says so, and this process did not grow."""
    greedy = {
        "sqlite": "SELECT " + ", ".join(f"printf('%.60000000c', {n})" for n in range(14)) + " FROM digits",
        "duckdb": "SELECT repeat('x', 100000000) || d FROM digits UNION ALL SELECT repeat('y', 1500000000) FROM digits",
    }
    database = place.open(timeout=20)
    with database.session() as session, pytest.raises(JobFailed, match=r"memory|MB, which is more"):
        drain(session, greedy[place.name])
    assert answers(database, place)
    database.close()


def test_a_child_that_is_killed_is_told_of(place: Place, database: PooledDatabase) -> None:
    """No hang, no trace: a sentence, and a fresh child for the next query."""
    with database.session(place.scope) as session:
        _, batches = session.stream(many(6), batch=10)
        next(batches)
        for child in children():
            os.kill(child, signal.SIGKILL)
        with pytest.raises(JobFailed, match=r"ended before its answer \(SIGKILL\).*The next query finds a new one"):
            list(batches)
    assert answers(database, place)


@pytest.mark.thorough
def test_nothing_is_left(place: Place) -> None:
    """No process, no zombie, no open file and no folder, after queries that ended in every way."""

    def held() -> tuple[int, int]:
        end_children()
        return len(children()), len(os.listdir("/proc/self/fd"))

    def use() -> None:
        database = place.open(timeout=0.3)

        def read(number: int) -> None:
            with database.session(place.scope) as session:
                match number % 3:
                    case 0:
                        next(session.stream(many(4), 10)[1])
                    case 1:
                        with pytest.raises(JobFailed):
                            drain(session, many(9))
                    case _:
                        session.cancel()

        with ThreadPoolExecutor(6) as threads:
            list(threads.map(read, range(6)))
        database.close()

    def grown() -> bool:
        now = held()
        return now[0] > before[0] or now[1] > before[1]

    def zombies() -> set[int]:
        return {child for child, state in children().items() if state == "Z"}

    others = zombies()  # of programs that other tests began
    use()
    time.sleep(1)
    before = held()
    for _ in range(2):
        use()
    assert until(lambda: not grown(), 5)
    assert until(lambda: zombies() <= others, 5)
    assert until(lambda: not any(isinstance(thread, threading.Timer) for thread in threading.enumerate()), 5)


def test_a_batch_is_limited_in_bytes(place: Place, database: PooledDatabase) -> None:
    """A thousand large rows are never held at once; small ones among them are not lost."""
    text = {"sqlite": "printf('%.*c', size, 'x')", "duckdb": "repeat('x', size)"}[place.name]
    sql = (
        f"SELECT n, {text} AS body FROM (SELECT n, CASE WHEN n > 50 AND n < 100 THEN 1500000 ELSE 3 END AS size FROM "
        f"({many(3)}) AS t) AS u"
    )
    found = []
    with database.session(place.scope) as session:
        for rows in session.stream(sql)[1]:
            assert sum(len(body) for _, body in rows) <= 4 * 2**20
            assert len(rows) <= 1000
            found += [(n, len(body)) for n, body in rows]
    assert sorted(found) == [(n, 1500000 if 50 < n < 100 else 3) for n in range(1000)]


def test_a_row_is_limited_in_bytes(place: Place, database: PooledDatabase) -> None:
    """One that would take the bot's memory is refused with a sentence; lists of little things weigh more."""
    large = {
        "sqlite": ["SELECT printf('%.17000000c', 'x')"],
        "duckdb": ["SELECT repeat('x', 17000000)", "SELECT list_resize([NULL], 3000000)"],
    }
    for sql in large[place.name]:
        with (
            database.session() as session,
            pytest.raises(JobFailed, match=r"more than 8 MB|more memory than it may use"),
        ):
            drain(session, sql)
    assert answers(database, place)
