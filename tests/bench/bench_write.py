"""What writing a stored result costs beside a bare COPY loop: `uv run python tests/bench/bench_write.py [rows]`.

A stored result of 8 columns goes into PostgreSQL; the bare loop reads the very same SQLite file and hands each row to
psycopg's COPY. Each way runs in a process of its own, three times in turn; the least time counts. Memory is the peak
of the process over what it held before the work began, from Linux's /proc.
"""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb
import psycopg
from tabulate import tabulate

from router.jobs.audit import Audit
from router.jobs.results.store import Results
from router.jobs.write_data import WriteData, write_data
from router.sql.databases.session import Described
from router.sql.dialect import DIALECTS, Name
from router.sql.opening import open_target
from router.sql.writing.order import Mode
from tests.bench.bench_results import NAMES, peak
from tests.support.postgres import fresh_database, postgres_server

ROWS = 1_000_000
DDL = (
    "id bigint, customer text, city text, amount double precision, pieces bigint, sold text, note text, "
    "rebate double precision"
)


def plain(rows: int) -> Iterator[tuple[Any, ...]]:
    """Give rows of two integers, two floats (one of them mostly NULL), four texts, as SQLite has them."""
    for i in range(rows):
        rebate = None if i % 5 else i / 3
        yield i, f"customer {i}", f"city {i % 100}", i * 1.1, i % 7, f"2026-01-{i % 28 + 1:02}", "as agreed", rebate


def typed(rows: int) -> Iterator[tuple[Any, ...]]:
    """Give the same with two decimals, a date and a time with a zone, as PostgreSQL and Oracle have them."""
    start = datetime(2026, 1, 1, tzinfo=UTC)
    for i in range(rows):
        day, cents = date(2026, 1, i % 28 + 1), Decimal(i).scaleb(-2)
        rebate = None if i % 5 else Decimal(i * 3).scaleb(-2)
        yield i, f"customer {i}", f"city {i % 100}", cents, i % 7, day, start + timedelta(seconds=i), rebate


SHAPES = {"plain": plain, "typed": typed}


def results(folder: Path) -> Results:
    """Open the store."""
    return Results(folder / "results", timedelta(days=7), lambda: datetime.now(UTC))


def store(folder: Path, shape: str, rows: int) -> str:
    """Keep a result of this shape and return its id."""

    def batches() -> Iterator[list[tuple[Any, ...]]]:
        source = SHAPES[shape](rows)
        while batch := [row for _, row in zip(range(1000), source, strict=False)]:
            yield batch

    columns = [Described(name, "text") for name in NAMES]
    return results(folder).store(columns, batches(), 10 * rows, lambda rows: None, lambda: 0.0).id


def bare(folder: Path, url: str, result: str, mode: Mode) -> None:
    """SQLite file to COPY, with nothing between."""
    import sqlite3

    database = sqlite3.connect(folder / "results" / f"{result}.sqlite")
    with psycopg.connect(url.replace("+psycopg", "")) as connection, connection.cursor() as cursor:
        cursor.execute("DROP TABLE IF EXISTS bare")
        cursor.execute(f"CREATE TABLE bare ({DDL})".encode())
        with cursor.copy("COPY bare FROM STDIN") as copy:
            for row in database.execute("SELECT * FROM rows"):
                copy.write_row(row)


def written(folder: Path, url: str, result: str, mode: Mode) -> None:
    """The write job, approval, trail, log of jobs and all."""
    dialect: Name = "postgres" if url.startswith("postgres") else "duckdb" if url.startswith("duckdb") else "sqlite"
    store = results(folder)
    columns = tuple(enumerate(store.fields(result)))
    schema = "public" if dialect == "postgres" else "main"
    job = WriteData("there", schema, "written", mode, columns, result, "bench", "me", "me", "")
    job = replace(job, approval=job.digest)
    target = open_target(url, DIALECTS[dialect], 600)
    audit = Audit(folder / "audit.jsonl", lambda: datetime.now(UTC))
    number = f"bench-{time.time_ns()}"
    done = write_data(job, id=number, target=target, results=store, audit=audit, progress=lambda text: None)
    target.close()
    assert done.rows == store.ref(result).total


WAYS: dict[str, Callable[[Path, str, str, Mode], None]] = {"bare": bare, "written": written}


def child(way: str, *given: str) -> None:
    """Do the work and print what it took."""
    folder, url, result, mode = given
    Path("/proc/self/clear_refs").write_text("5")  # the peak begins again: imports had one of their own
    before = peak()
    began, cpu = time.perf_counter(), time.process_time()
    WAYS[way](Path(folder), url, result, mode)  # type: ignore[arg-type]
    seconds, busy = time.perf_counter() - began, time.process_time() - cpu
    print(json.dumps({"seconds": seconds, "cpu": busy, "megabytes": peak() - before}))


def run(way: str, folder: Path, url: str, result: str, mode: str) -> dict[str, float]:
    """Run one way once, in a process of its own."""
    command = [sys.executable, "-m", "tests.bench.bench_write", way, str(folder), url, result, mode]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return dict(json.loads(done.stdout))


def best(runs: list[dict[str, float]]) -> dict[str, float]:
    """Return the least time and the most memory."""
    return {
        "seconds": min(each["seconds"] for each in runs),
        "cpu": min(each["cpu"] for each in runs),
        "megabytes": max(each["megabytes"] for each in runs),
    }


@contextmanager
def server() -> Iterator[str]:
    """Give the URL of a fresh database on a real PostgreSQL."""
    start = postgres_server.__wrapped__ if hasattr(postgres_server, "__wrapped__") else postgres_server
    with contextmanager(start)() as running, fresh_database(running) as database:
        yield database.owner_url


def main(rows: int) -> None:
    """Print the table."""
    with TemporaryDirectory() as name, server() as url:
        folder = Path(name)
        stored = {shape: store(folder, shape, rows) for shape in SHAPES}
        duckdb.connect(folder / "there.duckdb").close()
        (folder / "there.sqlite").touch()
        turns = [
            (run("bare", folder, url, stored["plain"], ""), run("written", folder, url, stored["plain"], "drop"))
            for _ in range(3)
        ]
        loop, plainly = best([pair[0] for pair in turns]), best([pair[1] for pair in turns])
        lines = [("bare COPY loop", loop), ("a new table", plainly)]
        for shape, mode in (("plain", "append"), ("plain", "truncate"), ("typed", "drop")):
            runs = [run("written", folder, url, stored[shape], mode)]
            lines.append((f"{mode}, {shape} values", best(runs)))
        for kind in ("duckdb", "sqlite"):
            there = f"{kind}:///{folder}/there.{kind}"
            for shape in SHAPES:
                lines.append((f"{kind}, {shape} values", run("written", folder, there, stored[shape], "drop")))
    shown = [
        (
            way,
            f"{m['seconds']:.2f}",
            f"{m['cpu']:.2f}",
            f"{loop['seconds'] / m['seconds']:.2f}",
            f"{m['megabytes']:.0f}",
        )
        for way, m in lines
    ]
    print(
        tabulate(shown, ["way", "seconds", "CPU seconds", "speed to the bare loop", "MB more"], disable_numparse=True)
    )


if __name__ == "__main__":
    if len(sys.argv) == 6:
        child(*sys.argv[1:])
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else ROWS)
