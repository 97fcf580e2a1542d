"""What the result store costs beside the bare driver: `uv run python tests/bench/bench_results.py [rows]`.

Each way runs in a process of its own, three times; the least time counts (CPU seconds, where the machine does other
things as well). Memory is the peak of the process over what it held before the work began, from Linux's /proc.
"""

import csv
import json
import re
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tabulate import tabulate

from router.jobs.results.export import write_csv, write_xlsx
from router.jobs.results.store import Results
from router.sql.databases.session import Described

ROWS = 1_000_000
QUERY = "SELECT * FROM sales"
NAMES = ("id", "customer", "city", "amount", "pieces", "sold", "note", "rebate")


def make_source(folder: Path, rows: int) -> None:
    """Write a table of 8 columns: two integers, two floats (one of them mostly NULL), four texts."""
    with closing(sqlite3.connect(folder / "source.db")) as database:
        database.execute(f"CREATE TABLE sales ({', '.join(NAMES)})")
        values = (
            (
                i,
                f"customer {i}",
                f"city {i % 100}",
                i * 1.1,
                i % 7,
                f"2026-01-{i % 28 + 1:02}",
                "as agreed",
                None if i % 5 else i / 3,
            )
            for i in range(rows)
        )
        database.executemany("INSERT INTO sales VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values)
        database.commit()


def read(database: sqlite3.Connection) -> Iterator[list[tuple[Any, ...]]]:
    """Give the rows as a session does."""
    cursor = database.execute(QUERY)
    while rows := cursor.fetchmany(1000):
        yield rows


def bare(folder: Path) -> None:
    """Driver to CSV, with nothing between."""
    path = folder / "bare.csv"
    with (
        closing(sqlite3.connect(folder / "source.db")) as database,
        path.open("w", encoding="utf-8", newline="") as file,
    ):
        writer = csv.writer(file)
        for rows in read(database):
            writer.writerows(rows)


def results(folder: Path) -> Results:
    """Open the store."""
    return Results(folder / "results", timedelta(days=7), lambda: datetime.now(UTC))


def store(folder: Path) -> None:
    """Driver to store."""
    columns = [Described(name, "text") for name in NAMES]
    with closing(sqlite3.connect(folder / "source.db")) as database:
        ref = results(folder).store(columns, read(database), 10 * ROWS, lambda rows: None, lambda: 0.0)
    (folder / "id").write_text(ref.id)


def to_csv(folder: Path) -> None:
    """Store to CSV."""
    with results(folder).open((folder / "id").read_text()) as reader:
        write_csv(reader, folder / "rows.csv")


def both(folder: Path) -> None:
    """Driver to store to CSV."""
    store(folder)
    to_csv(folder)


def to_xlsx(folder: Path) -> None:
    """Store to XLSX."""
    with results(folder).open((folder / "id").read_text()) as reader:
        write_xlsx(reader, folder / "rows.xlsx")


def first_page(folder: Path) -> None:
    """The first 20 rows, as read."""
    results(folder).page((folder / "id").read_text())


def by_number(folder: Path) -> None:
    """The last 20 rows, sorted by a number."""
    results(folder).page((folder / "id").read_text(), ROWS - 20, 20, (3, "down"))


def by_text(folder: Path) -> None:
    """The first 20 rows, sorted by a text."""
    results(folder).page((folder / "id").read_text(), 0, 20, (1, "down"))


WAYS: dict[str, tuple[Callable[[Path], None], int]] = {
    "bare driver to CSV": (bare, 3),
    "run and store": (store, 3),
    "CSV from the store": (to_csv, 3),
    "run, store and CSV": (both, 3),
    "first page": (first_page, 3),
    "a late page, sorted by number": (by_number, 1),
    "a page sorted by text": (by_text, 1),
    "XLSX from the store": (to_xlsx, 1),
}


def child(way: str, folder: Path) -> None:
    """Do the work and print what it took."""
    Path("/proc/self/clear_refs").write_text("5")  # the peak begins again: imports had one of their own
    before = peak()
    began, cpu = time.perf_counter(), time.process_time()
    WAYS[way][0](folder)
    seconds, busy = time.perf_counter() - began, time.process_time() - cpu
    print(json.dumps({"seconds": seconds, "cpu": busy, "megabytes": peak() - before}))


def peak() -> float:
    """Return the most memory this process has held so far, in MB; rusage would count the parent's as well."""
    status = Path("/proc/self/status").read_text()
    return int(re.findall(r"VmHWM:\s+(\d+) kB", status)[0]) / 1024


def measure(way: str, folder: Path) -> dict[str, float]:
    """Run one way in processes of its own and return the best of its figures."""
    runs = []
    for _ in range(WAYS[way][1]):
        command = [sys.executable, __file__, way, str(folder)]
        runs.append(json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout))
    return {name: min(run[name] for run in runs) for name in ("seconds", "cpu")} | {
        "megabytes": max(run["megabytes"] for run in runs)
    }


def main(rows: int) -> None:
    """Print the table."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        make_source(folder, rows)
        measured = {way: measure(way, folder) for way in WAYS}
    base = measured["bare driver to CSV"]
    lines = [
        (way, f"{m['seconds']:.2f}", f"{m['cpu']:.2f}", f"{m['cpu'] / base['cpu']:.2f}", f"{m['megabytes']:.0f}")
        for way, m in measured.items()
    ]
    print(tabulate(lines, ["way", "seconds", "CPU seconds", "to the bare driver", "MB more"], disable_numparse=True))


if __name__ == "__main__":
    if len(sys.argv) == 3:
        child(sys.argv[1], Path(sys.argv[2]))
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else ROWS)
