"""What a comparison costs beside datacompy: `uv run --with datacompy python -m tests.bench.bench_compare [rows]`.

Two SQLite files with a table of 8 columns each, 4,000 differences between them; then ten times the rows, by the bot
alone. Each way runs in a process of its own, three times in turn (the largest once); the least time counts. Memory is
the peak of the process over what it held before the work began, from Linux's /proc. Without datacompy, the bot runs
alone.
"""

import json
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tabulate import tabulate

from router.memory.comparing import ComparedPair
from router.sql.comparing.compare import compare
from router.sql.comparing.plan import ComparePlan, Side
from router.sql.comparing.queries import sample
from router.sql.comparing.wording import report_sentences
from router.sql.dialect import DIALECTS
from router.sql.opening import open_database
from tests.bench.bench_results import peak

ROWS = 1_000_000
DIFFERENCES = 4000
COLUMNS = (
    "id INTEGER PRIMARY KEY, customer TEXT, city TEXT, amount REAL, pieces INTEGER, sold TEXT, note TEXT, rebate REAL"
)
SQL = "SELECT * FROM sales"


def rows(count: int, other: bool) -> Iterator[tuple[Any, ...]]:
    """Give rows; in the other file a quarter of the differences is missing, a quarter added, half changed."""
    step = max(4, count // DIFFERENCES)
    for i in range(count):
        kind = i // step % 4 if other and i % step == 0 else -1
        if kind == 0:
            continue
        if kind == 1:
            yield -i, "new", "city", 1.0, 1, "2026-01-01", "added", None
        amount = i * 1.1 + (kind >= 2)
        rebate = None if i % 5 else i / 3
        yield i, f"customer {i}", f"city {i % 100}", amount, i % 7, f"2026-01-{i % 28 + 1:02}", "as agreed", rebate


def make(path: Path, count: int, other: bool) -> None:
    """Write one of the two files."""
    database = sqlite3.connect(path)
    for setting in ("journal_mode = OFF", "synchronous = OFF"):
        database.execute(f"PRAGMA {setting}")
    database.execute(f"CREATE TABLE sales ({COLUMNS})")
    database.executemany("INSERT INTO sales VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows(count, other))
    database.commit()
    database.close()


def ours(folder: Path, keyed: bool = True) -> str:
    """Compare as the bot does."""
    databases = [open_database(f"sqlite:///{folder / name}", DIALECTS["sqlite"], 3600) for name in ("left", "right")]
    with databases[0].session() as one, databases[1].session() as other:
        left, right = Side("left", "sqlite", SQL, one), Side("right", "sqlite", SQL, other)
        names = sample(left, 0).names
        plan = ComparePlan(names, names, tuple(ComparedPair(n, n) for n in range(len(names))), (0,) if keyed else ())
        report = compare(left, right, plan)
    return report_sentences(report)


def without_key(folder: Path) -> str:
    """Compare as the bot does where there is no key."""
    return ours(folder, keyed=False)


def datacompy_pandas(folder: Path) -> str:
    """Compare as datacompy does, with pandas."""
    import datacompy  # type: ignore[import-not-found, unused-ignore]
    import pandas  # type: ignore[import-not-found, unused-ignore]

    frames = [pandas.read_sql_query(SQL, sqlite3.connect(folder / name)) for name in ("left", "right")]
    compared = getattr(datacompy, "PandasCompare", None) or datacompy.Compare
    found = compared(*frames, join_columns=["id"])
    unequal = len(found.intersect_rows) - found.count_matching_rows()
    return f"{unequal:,} differ, {len(found.df1_unq_rows):,} only left, {len(found.df2_unq_rows):,} only right"


def datacompy_polars(folder: Path) -> str:
    """Compare as datacompy does, with polars."""
    import datacompy
    import polars  # type: ignore[import-not-found, unused-ignore]

    frames = [
        polars.read_database(SQL, sqlite3.connect(folder / name), infer_schema_length=None)
        for name in ("left", "right")
    ]
    found = datacompy.PolarsCompare(*frames, join_columns=["id"])
    unequal = len(found.intersect_rows) - found.count_matching_rows()
    return f"{unequal:,} differ, {len(found.df1_unq_rows):,} only left, {len(found.df2_unq_rows):,} only right"


WAYS: dict[str, Callable[[Path], str]] = {
    "the bot": ours,
    "the bot, no key": without_key,
    "datacompy, pandas": datacompy_pandas,
    "datacompy, polars": datacompy_polars,
}


def child(way: str, folder: str) -> None:
    """Do the work and print what it took."""
    if way.startswith("datacompy"):  # imports are not what is measured
        import_module("datacompy")
        import_module(way.split()[-1])
    Path("/proc/self/clear_refs").write_text("5")  # the peak begins again: imports had one of their own
    before = peak()
    began, cpu = time.perf_counter(), time.process_time()
    said = WAYS[way](Path(folder))
    took = {"seconds": time.perf_counter() - began, "cpu": time.process_time() - cpu}
    print(json.dumps({**took, "megabytes": peak() - before, "said": said}))


def run(way: str, folder: Path) -> dict[str, Any]:
    """Run one way once, in a process of its own."""
    command = [sys.executable, "-W", "ignore", "-m", "tests.bench.bench_compare", way, str(folder)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return dict(json.loads(done.stdout.splitlines()[-1]))


def line(way: str, count: int, runs: list[dict[str, Any]]) -> tuple[str, ...]:
    """Return a line of the table: the least time and the most memory."""
    seconds, cpu = (min(each[name] for each in runs) for name in ("seconds", "cpu"))
    return (
        way,
        f"{count:,}",
        f"{seconds:.2f}",
        f"{cpu:.2f}",
        f"{max(e['megabytes'] for e in runs):.0f}",
        runs[0]["said"],
    )


def main(count: int, times: int = 3) -> None:
    """Print the table."""
    ways = [way for way in WAYS if way.startswith("the bot") or (find_spec("datacompy") and find_spec(way.split()[-1]))]
    lines = []
    with TemporaryDirectory() as name:
        folder = Path(name)
        make(folder / "left", count, other=False)
        make(folder / "right", count, other=True)
        turns = [{way: run(way, folder) for way in ways} for _ in range(times)]
        lines += [line(way, count, [turn[way] for turn in turns]) for way in ways]
    with TemporaryDirectory() as name:
        folder = Path(name)
        make(folder / "left", 10 * count, other=False)
        make(folder / "right", 10 * count, other=True)
        lines.append(line("the bot", 10 * count, [run("the bot", folder)]))
    heads = ["way", "rows", "seconds", "CPU seconds", "MB more", "what it found"]
    print(tabulate(lines, heads, disable_numparse=True, maxcolwidths=[None, None, None, None, None, 60]))


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] in WAYS:
        child(*sys.argv[1:])
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else ROWS)
