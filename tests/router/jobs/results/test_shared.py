"""Results of several machines: what one stored, another reads; what is deleted is gone for all."""

from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import func, select

from router.errors import JobFailed
from router.jobs.results.shared import PART_BYTES, SharedResults
from router.jobs.results.store import Results
from router.memory.thread import ResultRef
from router.sql.databases.session import Described
from router.storage.database import Database
from router.storage.tables import result_parts, results
from tests.router.jobs.conftest import Clock
from tests.support.postgres import PostgresDatabase

WEEK = timedelta(days=7)


@pytest.fixture
def server(postgres: PostgresDatabase) -> Iterator[Database]:
    """The database that the machines share."""
    with closing(Database(postgres.owner_url)) as database:
        yield database


def machine(server: Database, folder: Path, clock: Clock) -> SharedResults:
    """Return the results as a machine with this folder has them."""
    return SharedResults(server, folder, WEEK, clock)


def kept(store: Results, rows: list[tuple[object, ...]]) -> ResultRef:
    """Keep rows of a number and a text."""
    columns = [Described("n", "number"), Described("text", "text")]
    return store.store(columns, [rows], 100_000, lambda count: None, lambda: 1.5)


def parts(server: Database) -> tuple[int, int]:
    """Return the number of results and of parts in the database."""
    with server.reading() as connection:
        counts = [
            connection.execute(select(func.count()).select_from(table)).scalar() for table in (results, result_parts)
        ]
    return counts[0] or 0, counts[1] or 0


def test_another_machine_reads_all_of_it(server: Database, tmp_path: Path) -> None:
    """Rows, reference, time, pages in an order and files, of a result of several parts."""
    clock = Clock()
    one, two = (machine(server, tmp_path / name, clock) for name in ("one", "two"))
    rows = [(number, f"text {number * 7919 % 20011} " * 4) for number in range(20_000)]
    ref = kept(one, rows)
    assert parts(server)[1] > 1
    assert next(tmp_path.glob("one/*.sqlite")).stat().st_size > PART_BYTES
    assert ref == two.ref(ref.id)
    assert rows == [row for batch in two.rows(ref) for row in batch]
    assert one.read_at(ref) == two.read_at(ref)
    assert one.page(ref, 10, 5, (0, "down")) == two.page(ref, 10, 5, (0, "down"))
    assert one.file(ref, "csv").read_bytes() == two.file(ref, "csv").read_bytes()
    assert 0o600 == next(tmp_path.glob("two/*.sqlite")).stat().st_mode & 0o777


def test_what_one_deletes_is_gone_for_all(server: Database, tmp_path: Path) -> None:
    """Also where another machine has a copy."""
    clock = Clock()
    one, two = (machine(server, tmp_path / name, clock) for name in ("one", "two"))
    ref = kept(one, [(1, "a")])
    assert two.exists(ref)
    assert 1 == two.page(ref).total
    one.delete(ref.id)
    assert (0, 0) == parts(server)
    assert [] == list(tmp_path.glob("one/*"))
    assert not two.exists(ref)
    with pytest.raises(JobFailed, match="Press Run to read it again"):
        two.page(ref)


def test_results_expire(server: Database, tmp_path: Path) -> None:
    """In the database and in the folders, for everybody at the same moment."""
    clock = Clock()
    one, two = (machine(server, tmp_path / name, clock) for name in ("one", "two"))
    ref = kept(one, [(1, "a")])
    assert 1 == two.page(ref).total
    clock.now += WEEK
    assert [False, False] == [store.exists(ref) for store in (one, two)]
    one.expire()
    assert (0, 0) == parts(server)
    two.expire()
    assert [] == [*tmp_path.glob("one/*"), *tmp_path.glob("two/*")]


def test_what_cannot_be_shared_is_not_kept(server: Database, tmp_path: Path, postgres: PostgresDatabase) -> None:
    """Nobody is told of rows that only one machine has."""
    one = machine(server, tmp_path / "one", Clock())
    postgres.run("ALTER TABLE result_parts RENAME TO elsewhere")
    with pytest.raises(JobFailed, match="Try again in a minute"):
        kept(one, [(1, "a")])
    assert [] == list(tmp_path.glob("one/*"))
    postgres.run("ALTER TABLE elsewhere RENAME TO result_parts")
    assert (0, 0) == parts(server)
