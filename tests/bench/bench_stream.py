"""What a reading session costs: `uv run python -m tests.bench.bench_stream [rows]`, for SQLite and DuckDB.

Each database runs in a process of its own: rows a second through `stream`, and the memory that the process gained
between the first and the last batch. Add a PostgreSQL URL as the second argument to measure that, too.
"""

import json
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb

from router.sql.dialect import by_backend
from router.sql.opening import open_database

ROWS = 1_000_000
DIGITS = "CREATE TABLE digits (d integer); INSERT INTO digits VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9);"


def query_of(rows: int) -> str:
    """Return a query of that many rows: two numbers and two texts."""
    number = " + ".join(f"t{i}.d * {10**i}" for i in range(8))
    digits = ", ".join(f"digits t{i}" for i in range(8))
    return f"SELECT {number} AS n, t0.d AS d, 'row of ' || t1.d AS a, 'x' || t2.d AS b FROM {digits} LIMIT {rows}"


def memory() -> int:
    """Return the process's resident memory in KiB."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4


def measure(url: str, rows: int) -> dict[str, float]:
    """Stream the rows once."""
    dialect = by_backend(url.split(":")[0].split("+")[0])
    assert dialect is not None
    database = open_database(url, dialect, 600)
    with database.session() as session:
        started = time.process_time(), time.monotonic()
        _, batches = session.stream(query_of(rows))
        count, before, peak = len(next(batches)), memory(), 0
        for number, batch in enumerate(batches):
            count += len(batch)
            if number % 20 == 0:
                peak = max(peak, memory())
        cpu, wall = time.process_time() - started[0], time.monotonic() - started[1]
    database.close()
    assert count == rows
    return {
        "rows": count,
        "cpu seconds": round(cpu, 2),
        "seconds": round(wall, 2),
        "gained MiB": (peak - before) / 1024,
    }


def main() -> None:
    """Measure each database in a process of its own."""
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else ROWS
    with TemporaryDirectory() as folder:
        lite, duck = Path(folder, "digits.sqlite"), Path(folder, "digits.duckdb")
        with sqlite3.connect(lite) as connection:
            connection.executescript(DIGITS)
        with duckdb.connect(duck) as other:
            other.execute(DIGITS)
        for url in (f"sqlite:///{lite}", f"duckdb:///{duck}", *sys.argv[2:]):
            done = subprocess.run(
                [sys.executable, "-m", "tests.bench.bench_stream", "--one", url, str(rows)],
                check=True,
                capture_output=True,
                text=True,
            )
            print(url.split(":")[0], done.stdout.strip())


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        print(json.dumps(measure(sys.argv[2], int(sys.argv[3]))))
    else:
        main()
