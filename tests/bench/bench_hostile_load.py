"""Eight people with heavy and hostile queries: `uv run python -m tests.bench.bench_hostile_load [minutes]`.

They ask SQLite and DuckDB, by jobs of the ledger and by reading sessions whose rows are kept, and press Stop now and
then. Two more people ask small questions meanwhile. Prints the memory that this process gained, the slowest small
query, and the slowest Stop.
"""

import random
import sqlite3
import sys
import threading
import time
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb

from bot.__main__ import keep_few_arenas
from router.catalog.catalog import Catalog
from router.catalog.connection import Connection, Connections
from router.catalog.targets import target_opener
from router.errors import Failed
from router.jobs.audit import Audit
from router.jobs.cancellation import Stopping
from router.jobs.job_entry import JobEntry, JobState
from router.jobs.ledger import Ledger
from router.jobs.payloads import READ_SQL
from router.jobs.read_sql import ReadSql, digest
from router.jobs.results.store import Results
from router.jobs.runner import Runner
from router.jobs.workers import workers
from router.policy import require_query
from router.sql.dialect import DIALECTS
from router.sql.guard import check
from router.storage.database import home_database

DIGITS = "CREATE TABLE digits (d integer); INSERT INTO digits VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9);"

CROSSED = ", ".join(f"digits AS t{i}" for i in range(14))

SMALL = "SELECT d FROM digits ORDER BY d"

HEAVY = (
    f"SELECT COUNT(*) AS n FROM {CROSSED} WHERE t0.d + t7.d < 99",
    f"SELECT MAX(t0.d * t3.d) AS n FROM {CROSSED} GROUP BY t1.d + t2.d",
)
"""Approved as jobs on either database."""

HOSTILE = {
    "lite": (
        "SELECT instr(printf('%.30000000c', 'a') || 'b', printf('%.300000c', 'a') || 'c')",
        f"SELECT sum(length(printf('%.30000000c', t0.d))) FROM {CROSSED}",
        f"SELECT printf('%.3000000c', t0.d) AS x FROM {CROSSED}",
        "SELECT printf('%.7500000c', d) AS x FROM digits",
        "SELECT " + ", ".join(f"printf('%.60000000c', {n})" for n in range(20)),
        f"SELECT t1.d, random() AS r FROM {CROSSED} ORDER BY 2",
    ),
    "duck": (
        "SELECT levenshtein(repeat('ab', 1000000), repeat('ba', 1000000))",
        "SELECT format('{:>1000000000}', d) FROM digits",
        f"SELECT repeat('x', 3000000) AS x FROM {CROSSED}",
        "SELECT repeat('x', 7500000) || d AS x FROM digits",
        "SELECT list_resize([NULL], 1000000 + d) AS x FROM digits",
        f"SELECT * FROM (SELECT t1.d, random() AS r FROM {CROSSED}) AS t ORDER BY r",
    ),
}
"""Past the guard, which is no part of this."""


@dataclass(slots=True)
class Measured:
    """What came of it; seconds, and bytes."""

    small: list[float] = field(default_factory=list)
    stops: list[float] = field(default_factory=list)
    ended: int = 0
    gained: int = 0
    wrong: list[str] = field(default_factory=list)


class Load:
    """A bot's catalog, jobs and results, and the people who ask it."""

    def __init__(self, folder: Path, stack: ExitStack, timeout: float) -> None:
        self._folder = folder
        self._names = count()
        self.measured = Measured()
        self.over = threading.Event()
        with sqlite3.connect(folder / "a.sqlite") as file:
            file.executescript(DIGITS)
        file.close()
        with duckdb.connect(str(folder / "a.duckdb")) as other:
            other.execute(DIGITS)
        connections = Connections(
            Connection(name, number, name, DIALECTS[dialect], f"{dialect}:///{folder}/a.{dialect}", timeout=timeout)
            for number, (name, dialect) in enumerate((("lite", "sqlite"), ("duck", "duckdb")), 1)
        )
        audit = Audit(folder / "audit.jsonl", _now)
        self.catalog = stack.enter_context(closing(Catalog(connections)))
        ledger = Ledger(stack.enter_context(closing(home_database(folder))), _now)
        self.results = Results(folder / "results", timedelta(days=1), _now)
        done = workers(self.catalog, target_opener(connections), self.results, audit, require_query)
        self.runner = stack.enter_context(closing(Runner(ledger, done)))

    def job(self, person: str, name: str, sql: str, stop_after: float | None = None) -> JobEntry:
        """Have an approved query run as a job, and wait for it."""
        dialect = self.catalog.connections[name].dialect.name
        text = check(sql, dialect, self.catalog.schema(name).scope).sql or ""
        job = ReadSql(name, "main", dialect, text, person, person, digest(text, name, "main", person))
        request = READ_SQL.request(job, f"job {next(self._names)}")
        stopping, stopped = Stopping(), []
        if stop_after is not None:
            clock = threading.Timer(stop_after, lambda: (stopped.append(time.monotonic()), stopping.stop()))
            clock.start()
        entry = self.runner.run(request, lambda entry, doing: None, stopping)
        if stop_after is not None:
            clock.cancel()
            clock.join()
        if stopped and entry.state is JobState.CANCELLED:
            self.measured.stops.append(time.monotonic() - stopped[0])
        return entry

    def attack(self, name: str, sql: str, stop_after: float | None) -> None:
        """Read past the guard, and keep what comes as a result."""
        stopped: list[float] = []
        try:
            with self.catalog.database(name).session(self.catalog.schema(name).scope) as session:

                def stop() -> None:
                    stopped.append(time.monotonic())
                    session.cancel()

                clock = threading.Timer(stop_after or 60, stop)
                clock.daemon = True
                clock.start()
                try:
                    columns, batches = session.stream(sql)
                    self.results.delete(self.results.store(columns, batches, 30, lambda rows: None, lambda: 0.0).id)
                finally:
                    if stopped:
                        self.measured.stops.append(time.monotonic() - stopped[0])
                    clock.cancel()
        except Failed:
            pass

    def heavy(self, person: str, dice: random.Random) -> None:
        """Ask for too much, over and over."""
        while not self.over.is_set():
            name = dice.choice(("lite", "duck"))
            stop_after = dice.uniform(0.2, 4) if dice.random() < 0.3 else None
            try:
                if dice.random() < 0.5:
                    self.job(person, name, dice.choice(HEAVY), stop_after)
                else:
                    self.attack(name, dice.choice(HOSTILE[name]), stop_after)
            except Exception as error:
                self.measured.wrong.append(f"{person}: {error!r}")
            self.measured.ended += 1

    def light(self, person: str, dice: random.Random) -> None:
        """Ask small questions, and look how long they take."""
        while not self.over.is_set():
            name = dice.choice(("lite", "duck"))
            began = time.monotonic()
            try:
                if dice.random() < 0.5:
                    with self.catalog.database(name).session(self.catalog.schema(name).scope) as session:
                        session.check(SMALL)  # as it is done before each approval
                elif (entry := self.job(person, name, SMALL)).state is not JobState.DONE:
                    self.measured.wrong.append(f"{person}: {entry.state} {entry.error}")
            except Exception as error:
                self.measured.wrong.append(f"{person}: {error!r}")
            self.measured.small.append(time.monotonic() - began)
            self.over.wait(0.2)


def run(seconds: float, timeout: float = 10) -> Measured:
    """Have the load for so long; return what was measured."""
    keep_few_arenas()  # as the bot does at its start
    with TemporaryDirectory() as folder, ExitStack() as stack:
        load = Load(Path(folder), stack, timeout)
        for name in ("lite", "duck"):
            load.job("warm", name, SMALL)
        before = memory()
        people = [
            threading.Thread(target=load.heavy, args=(f"heavy {n}", random.Random(n)), daemon=True) for n in range(8)
        ] + [threading.Thread(target=load.light, args=(f"light {n}", random.Random(n)), daemon=True) for n in range(2)]
        for person in people:
            person.start()
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            load.measured.gained = max(load.measured.gained, memory() - before)
            time.sleep(0.05)
        load.over.set()
        for person in people:
            person.join()
    return load.measured


def memory() -> int:
    """Return the process's resident memory in bytes."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


def _now() -> datetime:
    return datetime.now(UTC)


def main() -> None:
    """Measure, and print."""
    minutes = float(sys.argv[1]) if len(sys.argv) > 1 else 10
    found = run(minutes * 60)
    small = sorted(found.small)
    print(f"{found.ended} heavy and hostile queries of eight people in {minutes:g} minutes")
    print(f"memory gained: {found.gained / 2**20:.0f} MB")
    print(
        f"small queries of two others: {len(small)}, median {small[len(small) // 2]:.2f} s, slowest {small[-1]:.2f} s"
    )
    print(f"stops: {len(found.stops)}, slowest {max(found.stops, default=0):.2f} s")
    print(f"wrong: {len(found.wrong)} {found.wrong[:5]}")


if __name__ == "__main__":
    main()
