"""Results in bytes: what one may take, what becomes of rows and cells that are beyond it, and what is said."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb
import pytest

from router.catalog.catalog import Catalog
from router.catalog.connections_file import read_connections
from router.catalog.targets import target_opener
from router.errors import JobFailed
from router.jobs.audit import Audit
from router.jobs.ledger import Ledger
from router.jobs.payloads import READ_SQL, ref_of
from router.jobs.read_sql import ReadSql, digest
from router.jobs.results.export import WRITERS
from router.jobs.results.pages import not_kept
from router.jobs.results.reader import ignore_progress
from router.jobs.results.store import Results
from router.jobs.runner import Runner
from router.jobs.workers import workers
from router.memory.thread import ResultRef
from router.policy import require_query
from router.sql.cell_text import CELL_BYTES
from router.sql.databases.row_weight import BATCH_BYTES
from router.sql.databases.session import Described
from router.sql.dialect import DIALECTS, Name
from router.sql.guard import check
from router.sql.opening import open_database
from router.storage.database import home_database
from tests.router.jobs.conftest import Clock
from tests.support.peak_memory import gained
from tests.support.postgres import PostgresDatabase

MB = 1_000_000
LONG = "x" * (3 * MB)


def stored(results: Results, rows: Iterator[tuple[Any, ...]], largest: int, batch: int = 1) -> ResultRef:
    """Keep what fits of these rows."""
    first = next(rows)

    def batches() -> Iterator[list[tuple[Any, ...]]]:
        some = [first]
        for row in rows:
            if len(some) == batch:
                yield some
                some = []
            some.append(row)
        yield some

    columns = [Described(f"c{place}", "text") for place in range(len(first))]
    return results.store(columns, batches(), 10**6, lambda rows: None, lambda: 0.0, largest)


def size_of(results: Results, ref: ResultRef) -> int:
    return (results.folder / f"{ref.id}.sqlite").stat().st_size


@pytest.mark.parametrize("text", ["x", "\N{GRINNING FACE}"])
@pytest.mark.parametrize(("length", "batch"), [(3, 1000), (9_000, 20), (900_000, 1)])
def test_a_result_takes_no_more_than_it_may(results: Results, text: str, length: int, batch: int) -> None:
    """The file ends below the limit, not far below it, and holds the first rows."""
    largest = 4 * MB
    rows = ((number, text * (length // len(text.encode())), None, 2.5) for number in range(10**6))
    ref = stored(results, rows, largest, batch)
    assert (ref.capped, ref.full) == (True, largest)
    assert largest * (0.5 if length > 100_000 else 0.7) < size_of(results, ref) <= largest
    assert [row[0] for part in results.rows(ref) for row in part] == list(range(ref.total))


def test_a_query_is_not_read_on_once_the_result_is_full(results: Results) -> None:
    """Rows that nobody keeps are not asked for."""
    asked: list[int] = []

    def rows() -> Iterator[tuple[Any, ...]]:
        for number in range(1000):
            asked.append(number)
            yield (LONG,)

    ref = stored(results, rows(), 10 * MB)
    assert (ref.total, len(asked)) == (3, 5)
    assert not_kept(ref).startswith("The first 3 rows are all that was read: one result takes at most 10 MB here.")


@pytest.mark.parametrize(
    ("cell", "beginning", "end"),
    [
        ("x" * 7 * MB, "xxx", "x… (cut: 7,000,000 characters in all)"),
        ("é" * 7 * MB, "ééé", "é… (cut: 7,000,000 characters in all)"),
        (b"x" * 7 * MB, b"xxx", "x… (cut: 7,000,000 bytes in all)".encode()),
        ({"a": "x" * 7 * MB}, '{"a": "xx', "… (cut: 7,000,009 characters in all)"),
    ],
)
def test_a_cell_that_is_too_long_is_cut_and_says_so(results: Results, cell: Any, beginning: Any, end: Any) -> None:
    """What stands beside it stays as it is."""
    ref = stored(results, iter([(1, cell, "short"), (2, None, "short")]), 50 * MB)
    (first, second) = [row for part in results.rows(ref) for row in part]
    assert (first[0], first[2], second) == (1, "short", (2, None, "short"))
    assert first[1].startswith(beginning)
    assert first[1].endswith(end)
    assert CELL_BYTES <= len(first[1] if isinstance(first[1], bytes) else first[1].encode()) < CELL_BYTES + 100
    assert (ref.shortened, ref.capped) == (1, False)
    assert "1 cell was too long" in not_kept(ref)


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
def test_a_cell_that_no_child_hands_over_is_cut_and_told(results: Results, tmp_path: Path, dialect: Name) -> None:
    """Where the row is more than 8 MB by itself; a comparison is refused, as it needs the whole."""
    url = f"{dialect}:///{tmp_path / 'long.file'}"
    if dialect == "sqlite":
        with closing(sqlite3.connect(tmp_path / "long.file")) as made, made:
            made.execute(f"CREATE TABLE t AS SELECT 1 AS n, hex(zeroblob({10 * MB})) AS long, 'é' AS short")
    else:
        with duckdb.connect(tmp_path / "long.file") as file:
            file.execute(f"CREATE TABLE t AS SELECT 1 AS n, repeat('0', {20 * MB}) AS long, 'é' AS short")
    database, sql = open_database(url, DIALECTS[dialect], 20), "SELECT n, long, short FROM t"
    with closing(database), database.session() as session:
        ref = results.store(*session.stream(sql, cuts=True), 10, lambda _: None, lambda: 0.0, 50 * MB)
        (row,) = [row for part in results.rows(ref) for row in part]
        assert (row[0], row[2]) == (1, "é")
        assert row[1].endswith("0… (cut: 20,000,000 characters in all)")
        assert CELL_BYTES <= len(row[1].encode()) <= CELL_BYTES + 100
        assert (ref.shortened, ref.capped) == (1, False)
        with pytest.raises(JobFailed, match="more than 8 MB"):
            list(session.stream(sql)[1])


def exported(folder: str, form: str, order: str) -> int:
    """Write a stored result of wide rows as a file, as it was read or the last row first."""
    results = Results(Path(folder), timedelta(days=1), lambda: datetime.now(UTC))
    (path,) = Path(folder).glob("*.sqlite")
    file = path.with_suffix(f".{form}")
    with results.open(path.stem) as reader:
        WRITERS[form](reader, file, ignore_progress, (0, "down") if order == "turned" else None)
    return file.stat().st_size


# csv.writer alone holds four bytes for each of a cell's 3 million characters.
@pytest.mark.thorough
@pytest.mark.parametrize("order", ["read", "turned"])
@pytest.mark.parametrize(("form", "most"), [("csv", 36), ("xlsx", 70)])
def test_a_file_of_wide_rows_is_written_in_little_memory(results: Results, form: str, most: int, order: str) -> None:
    """60 MB of cells pass through some tens at most, in whichever order."""
    stored(results, iter([(number, LONG) for number in range(20)]), 200 * MB)
    megabytes, size = gained(exported, str(results.folder), form, order)
    assert size > (60 * MB if form == "csv" else 0)
    assert megabytes < most


@pytest.mark.thorough
def test_a_page_of_wide_rows_is_short(results: Results) -> None:
    """Each cell is cut to what a person can look at, in little memory and time."""
    wide = (LONG, LONG.encode(), {"a": [LONG]}, [1, 2])
    ref = stored(results, iter([wide] * 10), 200 * MB)
    for sort in (None, (0, "down")):
        table = results.page(ref, 0, 20, sort)
        assert len(table.rows) == 10
        assert all(len(cell or "") <= 200 for row in table.rows for cell in row)
        assert table.rows[0][0].endswith("x…")
        assert table.rows[0][1:] == ("⟨blob, 3.0 MB⟩", '{"a": ["' + "x" * 191 + "…", "[1, 2]")


def read_wide(folder: str, url: str) -> list[Any]:
    """Have a thousand rows of 3 MB read by the job, as the bot has it done."""
    place = Path(folder)
    text = f'[connections.SALES]\nid = 1\nurl = "{url}"\nmax_result_mb = 20\n'
    file = place / "connections.toml"
    file.write_text(text)
    file.chmod(0o600)
    connections, clock = read_connections(file, {}), Clock()
    results = Results(place / "results", timedelta(days=1), clock)
    audit = Audit(place / "audit.jsonl", clock)
    with closing(Catalog(connections)) as catalog:
        schema = catalog.schema("SALES", "public")
        verdict = check("SELECT n, t FROM numbers CROSS JOIN texts ORDER BY n", "postgres", schema.scope)
        assert verdict.allowed, verdict.reason
        sql = verdict.sql or ""
        job = ReadSql("SALES", "public", "postgres", sql, "ana", "ana", digest(sql, "SALES", "public", "ana"))
        with (
            closing(home_database(place)) as database,
            closing(
                Runner(
                    Ledger(database, clock), workers(catalog, target_opener(connections), results, audit, require_query)
                )
            ) as runner,
        ):
            done = runner.run(READ_SQL.request(job, "1"), lambda entry, doing: None)
            assert done.state.name == "DONE", done.error
            ref = ref_of(done)
    return [ref.total, ref.capped, size_of(results, ref), not_kept(ref)]


@pytest.mark.thorough
def test_a_thousand_rows_of_megabytes(postgres: PostgresDatabase, tmp_path: Path) -> None:
    """The bot reads as many as the connection lets it keep, says so, and takes little memory for it."""
    postgres.run("CREATE TABLE numbers AS SELECT generate_series(1, 1000) AS n")
    postgres.run("CREATE TABLE texts AS SELECT repeat('x', 3000000) AS t")
    megabytes, (total, capped, size, said) = gained(read_wide, str(tmp_path), postgres.reader_url)
    assert (total, capped) == (6, True)
    assert size <= 20 * MB
    assert said.startswith("The first 6 rows are all that was read: one result takes at most 20 MB here.")
    assert megabytes < 100


def test_a_batch_is_all_that_is_held(results: Results) -> None:
    """What was read goes to the disk, and a batch of it is in memory."""
    ref = stored(results, iter([(LONG,)] * 30), 100 * MB)
    with closing(sqlite3.connect(results.folder / f"{ref.id}.sqlite")) as file:
        assert file.execute("SELECT sum(length(c0)) FROM rows").fetchone() == (90 * MB,)
    assert max(sum(len(row[0]) for row in rows) for rows in results.rows(ref)) <= BATCH_BYTES + 16 * 3 * MB
