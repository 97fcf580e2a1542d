"""What is SQLite's own: a file, WAL mode, views, full-text tables, functions."""

import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from router.errors import JobFailed
from router.sql.databases.session import PooledDatabase
from router.sql.dialect import DIALECTS
from router.sql.opening import open_database
from router.sql.readers.sqlite import SqliteReader
from router.sql.scope import Scope

TABLES = """
CREATE TABLE orders (id INTEGER PRIMARY KEY, note TEXT);
INSERT INTO orders VALUES (1, 'one');
CREATE TABLE "od""d name" (x);
CREATE VIEW odd AS SELECT x FROM "od""d name";
CREATE VIEW inner_view AS SELECT * FROM "od""d name";
CREATE VIEW outer_view AS SELECT * FROM inner_view;
CREATE VIEW ones AS SELECT 1 AS one FROM "od""d name";
CREATE VIEW all_ones AS SELECT one FROM ones;
CREATE VIEW broken AS SELECT * FROM gone;
CREATE VIRTUAL TABLE notes USING fts5(body);
INSERT INTO notes VALUES ('the quick brown fox');
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A small file."""
    path = tmp_path / "shop.sqlite"
    with sqlite3.connect(path) as connection:
        connection.executescript(TABLES)
    connection.close()
    return path


@contextmanager
def opened(path: Path | str, timeout: float = 5) -> Iterator[PooledDatabase]:
    """Open it as the bot does."""
    database = open_database(f"sqlite:///{path}", DIALECTS["sqlite"], timeout)
    yield database
    database.close()


def read(database: PooledDatabase, sql: str, *tables: str) -> list[tuple[object, ...]]:
    """Return all rows, in the scope of the tables named, or of all."""
    scope = Scope.of("main", (("main", table) for table in tables)) if tables else None
    with database.session(scope) as session:
        return [row for rows in session.stream(sql)[1] for row in rows]


@contextmanager
def unprivileged() -> Iterator[None]:
    """Act as a user whom file permissions bind; root is not bound."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@contextmanager
def guarded_folder(mode: str) -> Iterator[Path]:
    """Lend a database in a folder that nobody may write, in the journal mode given."""
    folder = Path(tempfile.mkdtemp(prefix="icc-bot-"))
    file = folder / "shop.sqlite"
    connection = sqlite3.connect(file)
    connection.execute(f"PRAGMA journal_mode = {mode}")
    connection.executescript("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    connection.close()
    file.chmod(0o444)
    folder.chmod(0o555)
    yield file
    folder.chmod(0o755)
    for left in (*folder.iterdir(),):
        left.unlink()
    folder.rmdir()


def test_the_file_is_left_byte_for_byte(path: Path) -> None:
    """Reading, pinging and asking for rights change nothing, and leave nothing beside the file."""
    before = path.read_bytes()
    with opened(path) as database:
        database.ping()
        read(database, "SELECT * FROM orders ORDER BY note")
        database.can_write()
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir() if file.is_file()] == ["shop.sqlite"]


@pytest.mark.parametrize("mode", ["DELETE", "WAL"])
def test_a_folder_without_write_access_is_enough(mode: str) -> None:
    """Also for a database in WAL mode, which usually wants a file beside it.

    A child has the rights of whom it was started by, which is root in some places: its reader is asked here.
    """
    with guarded_folder(mode) as file, unprivileged(), opened(file) as database:
        assert database.can_write() is None
        reader = SqliteReader()
        reader.open(str(file), None)
        reader.stream("SELECT a FROM t")
        parts, more = reader.rows(10)
        reader.close()
    assert (len(parts), more) == (1, False)


def test_a_writable_file_is_told_to_doctor(path: Path) -> None:
    """SQLite has no users, so the operating system would have to be the first layer."""
    with opened(path) as database:
        assert database.can_write() == (
            "SQLite has no users: this process may write the file shop.sqlite. "
            "Make the file read-only for it to have the first layer, too."
        )


def test_what_a_writer_commits_is_seen(path: Path) -> None:
    """A pooled connection reads the file as it is now, in WAL mode, too."""
    writer = sqlite3.connect(path, isolation_level=None)
    writer.execute("PRAGMA journal_mode = WAL")
    with opened(path) as database:
        assert read(database, "SELECT count(*) FROM orders") == [(1,)]
        writer.execute("INSERT INTO orders VALUES (2, 'two')")
        assert read(database, "SELECT count(*) FROM orders") == [(2,)]
    writer.close()


def test_a_file_put_in_its_place_is_read(path: Path, tmp_path: Path) -> None:
    """A nightly copy that is renamed onto the file replaces the pooled connections."""
    with opened(path) as database:
        assert read(database, "SELECT count(*) FROM orders") == [(1,)]
        fresh = sqlite3.connect(tmp_path / "fresh.sqlite")
        fresh.executescript("CREATE TABLE orders (id); INSERT INTO orders VALUES (1), (2), (3)")
        fresh.close()
        (tmp_path / "fresh.sqlite").rename(path)
        assert read(database, "SELECT count(*) FROM orders") == [(3,)]


@pytest.mark.parametrize(
    ("sql", "view"),
    [
        ("SELECT count(*) FROM inner_view", "outer_view"),
        ("SELECT * FROM inner_view", "outer_view"),
        ("SELECT count(*) FROM outer_view, inner_view", "outer_view"),
        ("SELECT count(*) FROM ones", "odd"),
        ("SELECT count(*) FROM ones, odd", "odd"),
        ("SELECT count(*) FROM ones, all_ones", "all_ones"),
        ("WITH odd AS (SELECT 1 FROM ones) SELECT count(*) FROM odd", "odd"),
        ('WITH odd AS (SELECT * FROM "od""d name") SELECT * FROM odd', "odd"),
        ('WITH odd AS (SELECT * FROM [od"d name]) SELECT * FROM odd', "odd"),
        ("WITH odd AS (SELECT * FROM 'od\"d name''') SELECT * FROM odd", "odd"),
        ("WITH outer_view AS (SELECT * FROM inner_view''WHERE 1) SELECT * FROM outer_view", "outer_view"),
    ],
)
def test_what_is_below_a_view_is_not_read_directly(path: Path, sql: str, view: str) -> None:
    """A WITH that carries the view's name does not lend its rights."""
    with opened(path) as database, pytest.raises(JobFailed):
        read(database, sql, view)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM sqlite_master",
        "SELECT * FROM sqlite_schema",
        "SELECT * FROM sqlite_temp_master",
        "SELECT * FROM pragma_table_info('orders')",
        "SELECT * FROM dbstat",
        "SELECT load_extension('x')",
        "SELECT zeroblob(1000000000)",
        "SELECT randomblob(1000000000)",
        "SELECT fts3_tokenizer('simple')",
        "SELECT sqlite_version()",
        "WITH g(s) AS (SELECT 'x' UNION ALL SELECT s || s FROM g WHERE length(s) < 200000000) SELECT s FROM g",
        "PRAGMA table_info(orders)",
        "PRAGMA query_only",
    ],
)
@pytest.mark.parametrize("tables", [(), ("orders",)])
def test_the_engine_s_own_tables_and_functions_are_closed(path: Path, sql: str, tables: tuple[str, ...]) -> None:
    """With a scope and without: what is not a table of the database is not read, and no value fills the memory."""
    with opened(path) as database, pytest.raises(JobFailed):
        read(database, sql, *tables)


def test_text_that_is_no_utf8_is_read(path: Path) -> None:
    """A stray byte stays apart from every sign; the row is not lost."""
    with opened(path) as database:
        assert read(database, "SELECT CAST(x'41FF42' AS TEXT)") == [("A\udcffB",)]
