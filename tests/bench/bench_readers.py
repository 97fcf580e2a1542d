"""What reading in a child costs: `uv run python -m tests.bench.bench_readers [rows]`, for SQLite and DuckDB.

One small query, and a million rows: by the engine in this process, as a baseline, and through a reading session, in
turns. Prints the medians.
"""

import sqlite3
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import duckdb

from router.sql.databases.session import PooledDatabase
from router.sql.dialect import DIALECTS, Name
from router.sql.opening import open_database
from router.sql.readers.duckdb import LIMITED, SANDBOX_CONFIG
from router.sql.readers.sqlite import opened
from router.sql.scope import Scope
from tests.bench.bench_stream import DIGITS, ROWS, query_of

SMALL = "SELECT d FROM digits ORDER BY d"


def in_process(name: Name, path: Path, sql: str) -> int:
    """Read all rows with the engine here, opened as the child opens it; return their number."""
    count = 0
    if name == "sqlite":
        file = opened(path)
        cursor = file.execute(sql)
        while rows := cursor.fetchmany(1000):
            count += len(rows)
        file.close()
    else:
        with duckdb.connect(str(path), read_only=True, config=SANDBOX_CONFIG | LIMITED) as other:
            other.execute(sql)
            while rows := other.fetchmany(1000):
                count += len(rows)
    return count


def in_child(database: PooledDatabase, sql: str) -> int:
    """Read all rows through a session; return their number."""
    with database.session(Scope.of("main", [("main", "digits")])) as session:
        return sum(len(rows) for rows in session.stream(sql)[1])


def seconds(call: Callable[[], int]) -> float:
    """Return how long a call takes."""
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


def compared(one: Callable[[], int], other: Callable[[], int], times: int) -> tuple[float, float]:
    """Return the medians of two calls that are made in turns."""
    pairs = [(seconds(one), seconds(other)) for _ in range(times)]
    return median(first for first, _ in pairs), median(second for _, second in pairs)


def main() -> None:
    """Measure both engines."""
    many = int(sys.argv[1]) if len(sys.argv) > 1 else ROWS
    with TemporaryDirectory() as folder:
        lite, duck = Path(folder, "digits.sqlite"), Path(folder, "digits.duckdb")
        with sqlite3.connect(lite) as connection:
            connection.executescript(DIGITS)
        connection.close()
        with duckdb.connect(str(duck)) as other:
            other.execute(DIGITS)
        for name, path in (("sqlite", lite), ("duckdb", duck)):
            dialect: Name = "sqlite" if name == "sqlite" else "duckdb"
            database = open_database(f"{name}:///{path}", DIALECTS[dialect], 600)
            cold = seconds(lambda d=database: in_child(d, SMALL))  # type: ignore[misc]
            for what, sql, times in (("small query", SMALL, 101), (f"{many:,} rows", query_of(many), 5)):
                here, there = compared(
                    lambda n=dialect, p=path, s=sql: in_process(n, p, s),  # type: ignore[misc]
                    lambda d=database, s=sql: in_child(d, s),  # type: ignore[misc]
                    times,
                )
                print(
                    f"{name}, {what}: {here * 1000:,.2f} ms in process, {there * 1000:,.2f} ms in a child "
                    f"({(there - here) * 1000:+,.2f} ms, x{there / here:.2f})"
                )
            print(f"{name}, first query, which starts the child: {cold * 1000:,.0f} ms")
            database.close()


if __name__ == "__main__":
    main()
