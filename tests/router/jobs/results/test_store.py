"""The result store."""

import os
import re
import signal
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from pydantic import TypeAdapter

from router.cards import Head, Table
from router.errors import JobFailed, Stopped
from router.jobs.results.store import Results
from router.memory.thread import ResultRef
from router.sql.databases.session import Described
from tests.router.jobs.conftest import Clock, Keep
from tests.router.jobs.values import rows

WEEK = timedelta(days=7)


def files(folder: Path) -> list[str]:
    return sorted(path.suffix for path in folder.iterdir())


def test_reference(keep: Keep) -> None:
    """A stored result has a reference that travels as JSON, with kinds that the values decide."""
    ref = keep([(1, "a", None, True), (Decimal("2.5"), 3, None, False)], "n", "mixed", "none", "flag")
    heads = (Head("n", "number"), Head("mixed", "text"), Head("none", "text"), Head("flag", "bool"))
    adapter = TypeAdapter(ResultRef)
    assert adapter.validate_json(adapter.dump_json(ref)) == ResultRef(ref.id, heads, 2, False, 1.5)


def test_page(keep: Keep, results: Results) -> None:
    """A page is a table of text cells that knows where it stands in the whole."""
    ref = keep([(n, f"row {n}") for n in range(10)], "n", "text")
    expected = Table(ref.columns, (("8", "row 8"), ("9", "row 9")), 10, 8, False, 1.5, ref.id)
    assert (results.page(ref, 8, 5), results.page(ref.id, 8, 5)) == (expected, expected)


@pytest.mark.parametrize(("count", "total", "capped"), [(4, 4, False), (5, 5, False), (6, 5, True), (5000, 5, True)])
def test_cap(keep: Keep, results: Results, count: int, total: int, capped: bool) -> None:
    """No more rows are kept than the cap; `capped` tells whether there were more."""
    ref = keep([(n,) for n in range(count)], "n", cap=5)
    kept = [row for batch in results.rows(ref) for row in batch]
    assert (ref.total, ref.capped, kept) == (total, capped, [(n,) for n in range(total)])


def test_no_rows(results: Results) -> None:
    """A result without rows keeps its columns, and the driver's kinds."""
    ref = results.store([Described("day", "date")], [], 5, lambda rows: None, lambda: 0.0)
    empty = Table((Head("day", "date"),), (), 0, result=ref.id)
    assert (results.page(ref), list(results.rows(ref))) == (empty, [])


def test_forty_columns_of_a_real_query(results: Results) -> None:
    """A query of 40 columns, some without a name and some with the same one, comes back in its order."""
    with closing(sqlite3.connect(":memory:")) as database:
        cursor = database.execute(f"SELECT {', '.join(f'{n} AS c{n % 39}' for n in range(40))}")
        columns = [Described(column[0], "text") for column in cursor.description]
        ref = results.store(columns, [cursor.fetchall()], 5, lambda rows: None, lambda: 0.0)
    names = [*(f"c{n}" for n in range(39)), "c0 (2)"]
    assert ([head.name for head in ref.columns], list(results.rows(ref))) == (names, [[tuple(range(40))]])


@pytest.mark.parametrize("count", [0, 2001])
def test_impossible_widths(results: Results, tmp_path: Path, count: int) -> None:
    """A result without columns, or with more than SQLite holds, is refused in a sentence and leaves no file."""
    with pytest.raises(JobFailed, match=f"^The query gives {count} columns; a result has 1 to 2000.$"):
        results.store([Described("c", "text")] * count, [], 5, lambda rows: None, lambda: 0.0)
    assert files(tmp_path / "results") == []


@given(rows())
def test_round_trip(stored: list[tuple[Any, ...]]) -> None:
    """Rows of any values come back equal and of the same types."""
    with TemporaryDirectory() as folder:
        results = Results(Path(folder), WEEK, lambda: datetime.now(UTC))
        columns = [Described("c", "text") for _ in stored[0]]
        ref = results.store(columns, [stored], 1000, lambda rows: None, lambda: 0.0)
        back = [row for batch in results.rows(ref, 5) for row in batch]
    assert [[(type(value), value) for value in row] for row in back] == [
        [(type(value), value) for value in row] for row in stored
    ]


def test_rows_after_an_integer_that_is_too_big(keep: Keep, results: Results) -> None:
    """An integer beyond 64 bits among plain ones loses no row, repeats none, and sorts by its size."""
    stored = [(n, "x") for n in range(10)] + [(10**30, "y"), (-(10**30), "half \ud800")]
    ref = keep(stored, "n", "text")
    kept = [row for batch in results.rows(ref) for row in batch]
    first = results.page(ref, limit=2, sort=(0, "up")).rows
    assert (kept, first) == (stored, (("-" + "1" + "0" * 30, "half \N{REPLACEMENT CHARACTER}"), ("0", "x")))


EAST = timezone(timedelta(hours=5))


@pytest.mark.parametrize(
    ("values", "up", "down"),
    [
        ([10, 9, None, -1.5, 10], [3, 1, 0, 4, 2], [0, 4, 1, 3, 2]),
        ([Decimal("10"), Decimal("9.99"), None, Decimal("-3"), Decimal("10.0")], [3, 1, 0, 4, 2], [0, 4, 1, 3, 2]),
        (["b", "A", None, "a", "Ä", "ä"], [1, 3, 0, 4, 5, 2], [4, 5, 0, 1, 3, 2]),
        (
            [datetime(2026, 1, 1, 4, tzinfo=EAST), datetime(2026, 1, 1, 0, tzinfo=UTC), None],
            [0, 1, 2],
            [1, 0, 2],
        ),
        ([True, False, None], [1, 0, 2], [0, 1, 2]),
        ([None, None], [0, 1], [0, 1]),
    ],
)
def test_sorting(keep: Keep, results: Results, values: list[Any], up: list[int], down: list[int]) -> None:
    """Each kind sorts by what it means, NULL last both ways, equal values as they were read; pages fit together."""
    ref = keep([(value, place) for place, value in enumerate(values)], "value", "place")

    def places(direction: Any) -> list[int]:
        pages = [results.page(ref, offset, 2, (0, direction)).rows for offset in range(0, len(values), 2)]
        return [int(row[1] or "") for page in pages for row in page]

    assert (places("up"), places("down")) == (up, down)


def test_sorting_by_a_column_that_is_not_there(keep: Keep, results: Results) -> None:
    """A column number out of range is answered with a sentence."""
    ref = keep([(1,)], "n")
    with pytest.raises(JobFailed, match=r"^The result cannot be sorted by column 42: there is none\.$"):
        results.page(ref, sort=(41, "up"))


def test_private(keep: Keep, tmp_path: Path) -> None:
    """Only the bot's own user can read what is stored, and no name can be guessed."""
    ref = keep([(1,)], "n")
    folder = tmp_path / "results"
    modes = [stat.S_IMODE(path.stat().st_mode) for path in (folder, folder / f"{ref.id}.sqlite")]
    assert (modes, len(ref.id)) == ([0o700, 0o600], 32)


@pytest.mark.parametrize("name", ["", "../threads", "/etc/passwd", "a" * 32, "a" * 31 + "\n", "x" * 5000])
def test_ids_that_are_none(results: Results, name: str) -> None:
    """An id that was never given, or that leads elsewhere, is a result that is gone."""
    with pytest.raises(
        JobFailed, match=r"^This result is gone: I keep rows for 7 days\. Press Run to read it again\.$"
    ):
        results.page(name)
    assert not results.exists(name)


def test_expiry(keep: Keep, results: Results, clock: Clock, tmp_path: Path) -> None:
    """A result can be read until its life-time is over; then it is gone at once, and deleted when the store looks."""
    ref = keep([(1,)], "n")
    clock.now += WEEK - timedelta(seconds=1)
    before = results.exists(ref)
    clock.now += timedelta(seconds=1)
    after = results.exists(ref), files(tmp_path / "results")
    results.expire()
    assert (before, after, files(tmp_path / "results")) == (True, (False, [".sqlite"]), [])


@pytest.mark.parametrize(
    ("lifetime", "words"),
    [(timedelta(days=1), "1 day"), (timedelta(hours=12), "12 hours"), (timedelta(minutes=90), "2 hours")],
)
def test_lifetime_in_words(tmp_path: Path, lifetime: timedelta, words: str) -> None:
    """The sentence names the life-time as a person would."""
    with pytest.raises(JobFailed, match=f"I keep rows for {words}[.]"):
        Results(tmp_path, lifetime, lambda: datetime.now(UTC)).page("a" * 32)


def test_damaged(keep: Keep, results: Results, tmp_path: Path) -> None:
    """A file that is damaged is a sentence, not a crash."""
    ref = keep([(1,)], "n")
    (tmp_path / "results" / f"{ref.id}.sqlite").write_bytes(b"no database at all" * 100)
    with pytest.raises(JobFailed, match=r"^The stored rows cannot be read \(file is not a database\)\. Press Run"):
        results.page(ref)


@pytest.mark.parametrize("error", [JobFailed("The database went away."), Stopped("Stopped."), ValueError("a bug")])
def test_a_source_that_breaks(results: Results, tmp_path: Path, error: Exception) -> None:
    """What the source raises passes through as it is, and no file is left."""

    def batches() -> Iterator[list[tuple[int]]]:
        yield [(1,)]
        raise error

    with pytest.raises(type(error)) as raised:
        results.store([Described("n", "text")], batches(), 5, lambda rows: None, lambda: 0.0)
    assert (raised.value, files(tmp_path / "results")) == (error, [])


def test_folder_that_cannot_be(tmp_path: Path) -> None:
    """A folder that cannot be made is a sentence that names it."""
    (tmp_path / "file").touch()
    with pytest.raises(JobFailed, match=r"^The rows cannot be kept in .*file \(.*File exists.*\), so nothing was kept"):
        Results(tmp_path / "file", WEEK, lambda: datetime.now(UTC))


FILLS_THE_DISK = """
import resource, sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from router.errors import JobFailed
from router.jobs.results.store import Results
from router.sql.databases.session import Described
folder = Path(sys.argv[1])
results = Results(folder, timedelta(days=7), lambda: datetime.now(UTC))
resource.setrlimit(resource.RLIMIT_FSIZE, (2**20, 2**20))
batches = ([("x" * 1000,)] * 1000 for _ in range(100))
try:
    results.store([Described("c", "text")], batches, 10**6, lambda rows: None, lambda: 0.0)
except JobFailed as error:
    print(str(error).replace(str(folder), "FOLDER"), list(folder.iterdir()))
"""


def test_disk_full(tmp_path: Path) -> None:
    """When the disk takes no more, the person reads a sentence, and the half file is gone."""
    command = [sys.executable, "-c", FILLS_THE_DISK, str(tmp_path)]
    shown = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert re.sub(r"\(.*?\)", "(…)", shown) == (
        "The rows cannot be kept in FOLDER (…), so nothing was kept of them. "
        "Tell your administrator, then press Run again. []\n"
    )


STORES_FOR_EVER = """
import sys
from datetime import UTC, datetime, timedelta
from itertools import repeat
from pathlib import Path
from router.jobs.results.store import Results
from router.sql.databases.session import Described
results = Results(Path(sys.argv[1]), timedelta(days=7), lambda: datetime.now(UTC))
def batches():
    yield [(1,)] * 1000
    print("writing", flush=True)
    sys.stdin.read()
results.store([Described("c", "text")], batches(), 10**6, lambda rows: None, lambda: 0.0)
"""


def test_halves(tmp_path: Path) -> None:
    """A half result is left alone while another process writes it, and cleaned once that process was killed."""
    command = [sys.executable, "-c", STORES_FOR_EVER, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        said = writer.stdout.readline()
        Results(tmp_path, WEEK, lambda: datetime.now(UTC))
        during = files(tmp_path)
        os.kill(writer.pid, signal.SIGKILL)
        writer.wait()
    Results(tmp_path, WEEK, lambda: datetime.now(UTC))
    assert (said, during, files(tmp_path)) == ("writing\n", [".part"], [])


def test_progress(results: Results) -> None:
    """The number of rows is told after each batch."""
    told: list[int] = []
    results.store([Described("n", "text")], [[(1,)] * 3, [(2,)] * 2], 4, told.append, lambda: 0.0)
    assert told == [3, 4]
