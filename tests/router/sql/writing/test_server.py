"""Servers that are written through a staging table: killed after each statement, and what is sent to each kind."""

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import oracledb
import pytest

from router.errors import JobFailed
from router.sql.dialect import Name
from router.sql.writing.dialects import WRITE_DIALECTS, WriteDialect
from router.sql.writing.loading import Loader
from router.sql.writing.order import Mode, Refusal, ResultField, WriteOrder
from router.sql.writing.refusals import refusal_of
from router.sql.writing.target import Target
from tests.router.sql.writing.places import Place, Row, batches, sqlite_place
from tests.router.sql.writing.shim import COMMITTING, IN_ONE, Killed, Shim, url_of

FIELDS = (ResultField("n", "integer"), ResultField("name", "text"))
ROWS: list[Row] = [(1, "one"), (2, None), (3, "three"), (4, "four"), (5, "five")]
OLD: list[Row] = [(0, "old")]
BOTH = pytest.mark.parametrize("dialect", [COMMITTING, IN_ONE], ids=["commits", "in one"])
MODES = pytest.mark.parametrize("mode", ["create", "append", "truncate", "drop"])


def write(place: Place, dialect: WriteDialect, mode: Mode, shim: Shim, job: str = "job-1") -> int:
    """Write the rows through the shim, by a target of their own."""
    url = url_of(Path(place.url.partition("///")[2]))
    target = Target(url, 10, shim, dialect)
    try:
        return target.write(WriteOrder(job, "main", "t", mode, FIELDS), batches(ROWS), lambda rows: None)
    finally:
        shim.last = None  # the system closes what a killed process had open
        target.close()


def prepare(place: Place, mode: Mode) -> list[Row]:
    """Make the table where the mode needs it; return what has to be in it in the end."""
    if mode != "create":
        place.run("CREATE TABLE t (n integer, name varchar(10)); INSERT INTO t VALUES (0, 'old')")
    return [*OLD, *ROWS] if mode == "append" else ROWS


def leftovers(place: Place) -> list[str]:
    """Return the bot's own tables other than the log."""
    found = place.rows("SELECT name FROM sqlite_master WHERE name LIKE 'icc%' AND type = 'table' ORDER BY name")
    return [name for (name,) in found if name != "icc_bot_jobs"]


@BOTH
@MODES
def test_every_mode(sqlite: Place, dialect: WriteDialect, mode: Mode) -> None:
    """The rows are there, the log knows the job, and no staging table is left."""
    wanted = prepare(sqlite, mode)
    assert write(sqlite, dialect, mode, Shim()) == 5
    assert sqlite.content() == wanted
    assert sqlite.log() == [("job-1", "t", 5)]
    assert leftovers(sqlite) == []
    assert write(sqlite, dialect, mode, Shim()) == 5
    assert sqlite.content() == wanted


@BOTH
@MODES
def test_killed_after_each_statement(tmp_path: Path, dialect: WriteDialect, mode: Mode) -> None:
    """Whatever the last statement was, the next try makes it whole: each row once, and nothing else is left."""
    last, killed = 0, True
    while killed:
        folder = tmp_path / str(last)
        folder.mkdir()
        place = sqlite_place(folder)
        wanted = prepare(place, mode)
        try:
            write(place, dialect, mode, Shim(last))
            killed = False
        except Killed:
            there = place.rows("SELECT name FROM sqlite_master WHERE name = 't'")
            content = place.content() if there else []
            assert content in ([] if mode == "create" else OLD, wanted) or (mode == "drop" and not there)
        assert write(place, dialect, mode, Shim()) == 5
        assert place.content() == wanted
        assert place.log() == [("job-1", "t", 5)]
        assert leftovers(place) == []
        last += 1
    assert last > 10


@BOTH
@MODES
def test_a_failure_leaves_nothing(sqlite: Place, dialect: WriteDialect, mode: Mode) -> None:
    """A refusal in the middle leaves the old rows and no staging table."""
    prepare(sqlite, mode)
    before = sqlite.content() if mode != "create" else []

    def torn() -> Iterator[list[Row]]:
        yield ROWS[:2]
        raise JobFailed("the rows expired")

    url = url_of(Path(sqlite.url.partition("///")[2]))
    with closing(Target(url, 10, Shim(), dialect)) as target:
        with pytest.raises(JobFailed, match="the rows expired"):
            target.write(WriteOrder("job-1", "main", "t", mode, FIELDS), torn(), lambda rows: None)
        assert target.written("main", "job-1") is None
    assert leftovers(sqlite) == []
    if mode != "create":
        assert sqlite.content() == before


def test_a_table_made_in_the_meantime(sqlite: Place) -> None:
    """Where somebody else makes the table while the rows are loaded, theirs stays and ours leaves nothing."""

    def meanwhile() -> Iterator[list[Row]]:
        yield ROWS
        sqlite.run("CREATE TABLE t (theirs integer)")

    url = url_of(Path(sqlite.url.partition("///")[2]))
    with closing(Target(url, 10, Shim(), COMMITTING)) as target, pytest.raises(Refusal, match="already"):
        target.write(WriteOrder("job-1", "main", "t", "create", FIELDS), meanwhile(), lambda rows: None)
    assert sqlite.rows("SELECT name FROM pragma_table_info('t')") == [("theirs",)]
    assert leftovers(sqlite) == []


def sent(name: Name, field: ResultField, value: Any) -> list[tuple[str, Any]]:
    """Return what goes to the cursor for one value in one column of each kind of server."""
    taken: list[tuple[str, Any]] = []

    class Recorder:
        rowcount = 1

        def cursor(self) -> "Recorder":
            return self

        def close(self) -> None:
            pass

        def setinputsizes(self, *sizes: Any) -> None:
            taken.append(("sizes", sizes))

        def execute(self, sql: str, values: Any) -> None:
            taken.append((sql, values))

        executemany = execute

    dialect = WRITE_DIALECTS[name]
    bind = dialect.binds.get(field.kind, lambda same: same)
    Loader(Recorder(), "t", [field], dialect, oracledb).send([(bind(value),), (None,)])
    return taken


NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("name", "field", "value", "wanted"),
    [
        (
            "oracle",
            ResultField("a", "decimal"),
            Decimal(1),
            [('INSERT INTO t ("a") VALUES (:1)', [(Decimal(1),), (None,)])],
        ),
        (
            "oracle",
            ResultField("a", "timestamptz"),
            NOON,
            [
                (
                    "INSERT INTO t (\"a\") VALUES (TO_TIMESTAMP_TZ(:1, 'YYYY-MM-DD HH24:MI:SS.FF6TZH:TZM'))",
                    [("2026-01-31 12:00:00.000000+00:00",), (None,)],
                )
            ],
        ),
        (
            "oracle",
            ResultField("a", "text", native="CLOB"),
            "x",
            [
                ("sizes", (oracledb.DB_TYPE_CLOB,)),
                ('INSERT INTO t ("a") VALUES (:1)', [("x",), (None,)]),
            ],
        ),
        ("mysql", ResultField("a`b", "bool"), True, [("INSERT INTO t (`a``b`) VALUES (%s)", [(1,), (None,)])]),
        (
            "mysql",
            ResultField("a", "timestamptz"),
            NOON,
            [("INSERT INTO t (`a`) VALUES (%s)", [("2026-01-31 12:00:00",), (None,)])],
        ),
        ("tsql", ResultField("a", "integer"), 7, [('INSERT INTO t ("a") VALUES (%s), (%s)', (7, None))]),
        (
            "tsql",
            ResultField("a", "blob"),
            b"\x01",
            [
                (
                    'INSERT INTO t ("a") VALUES (CONVERT(VARBINARY(MAX), %s, 1)), (CONVERT(VARBINARY(MAX), %s, 1))',
                    ("0x01", None),
                )
            ],
        ),
    ],
)
def test_how_rows_are_sent(name: Name, field: ResultField, value: Any, wanted: list[tuple[str, Any]]) -> None:
    """Arrays go to Oracle and MySQL, INSERTs of many rows to SQL Server; values that drivers would bend go as texts."""
    assert sent(name, field, value) == wanted


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (
            oracledb.DatabaseError("ORA-01950: no privileges on tablespace 'USERS'"),
            "The user of this connection lacks a right (ORA-01950). Nothing was written. Tell your administrator.",
        ),
        (
            Exception(1062, "Duplicate entry '5' for key 'PRIMARY'"),
            "A row with this key exists already, or two of the rows have the same "
            "(1062). Nothing was written. Change the query, or the table.",
        ),
        (
            Exception(1105, b"Could not allocate space"),
            "The database has no room left (1105). Nothing was written. Tell your administrator.",
        ),
        (
            Exception(1364, "Field 'ssn' doesn't have a default value"),
            "A column of the table must have a value, and one of the rows has none. Nothing was written. "
            "Change the query, or the table.",
        ),
        (Exception("odd"), "MySQL refused a statement (Exception). Nothing was written."),
    ],
)
def test_errors_are_sentences(error: Exception, sentence: str) -> None:
    """The numbers of the servers have a meaning; their words stay out, as they may hold values and hidden names."""
    refusal = refusal_of(error, "MySQL")
    assert str(refusal) == sentence
    assert isinstance(refusal, Refusal)
