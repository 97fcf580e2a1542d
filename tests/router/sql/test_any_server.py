"""What holds for any server: on the MariaDB of the tests, and on those that `--mysql`, `--oracle` and `--mssql` name.

The tables are made by the code under test, so that no word here is of one server alone.
"""

import secrets
import threading
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy.engine import make_url

from router.catalog.catalog import Catalog
from router.catalog.connection import Connection, Connections
from router.errors import Failed, JobFailed, Stopped
from router.memory.comparing import ComparedPair
from router.sql.comparing.compare import compare
from router.sql.comparing.plan import ComparePlan, Side
from router.sql.databases.server_sql import SERVERS
from router.sql.databases.session import PooledDatabase, Session
from router.sql.dialect import Dialect, by_backend
from router.sql.opening import open_database, open_target
from router.sql.scope import Scope
from router.sql.writing.names import quoted
from router.sql.writing.order import Mode, ResultField, WriteOrder
from router.sql.writing.target import Target
from tests.router.sql.writing.places import Row, batches

NUMBER, WORDS = ResultField("n", "integer"), ResultField("words", "text", length=20)
ROWS: list[Row] = [(1, "one"), (2, None), (3, "it's % 株式会社 {x} \\ é")]


@dataclass
class Site:
    """One server, with a schema that the tests may fill; tables begin with `prefix`."""

    url: str
    dialect: Dialect
    schema: str
    prefix: str = field(default_factory=lambda: f"test_{secrets.token_hex(4)}_")
    made: set[str] = field(default_factory=set)

    def open(self, timeout: float = 30) -> PooledDatabase:
        """Open it as the bot does, to read."""
        return open_database(self.url, self.dialect, timeout)

    def target(self) -> Target:
        """Open it as the bot does, to write."""
        return open_target(self.url, self.dialect, 30)

    def order(self, table: str, mode: Mode, *fields: ResultField, job: str = "") -> WriteOrder:
        """Return an order for a table of the tests."""
        name = self.prefix + table
        self.made.add(name)
        return WriteOrder(job or secrets.token_hex(6), self.schema, name, mode, fields or (NUMBER, WORDS))

    def write(self, rows: list[Row], table: str, mode: Mode = "create", *fields: ResultField, job: str = "") -> int:
        """Write rows."""
        with closing(self.target()) as target:
            return target.write(self.order(table, mode, *fields, job=job), batches(rows, 500), lambda count: None)

    def name(self, table: str) -> str:
        """Return a table's name as it stands in SQL."""
        mark = SERVERS[make_url(self.url).get_backend_name()].quote
        return quoted(self.schema, self.prefix + table, mark=mark)

    def rows(self, table: str, columns: str = "*") -> list[Row]:
        """Read a table in the order of its first column."""
        with closing(self.open()) as database, database.session(Scope.of(self.schema, ())) as session:
            return rows_of(session, f"SELECT {columns} FROM {self.name(table)} ORDER BY 1")

    def drop(self) -> None:
        """Drop what was made."""
        target = self.target()
        for name in self.made:
            with suppress(Failed):
                target._link.define(f"DROP TABLE {target._link.name(self.schema, name)}")
                target._link.commit()
        target.close()


def rows_of(session: Session, sql: str, batch: int = 1000) -> list[Row]:
    """Return all rows."""
    return [row for rows in session.stream(sql, batch)[1] for row in rows]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run each test on MariaDB, and on the other servers that somebody named."""
    if "site" in metafunc.fixturenames:
        named = [name for name in ("oracle", "mssql") if metafunc.config.getoption(f"--{name}")]
        metafunc.parametrize("site", ["mysql", *named], indirect=True)


@pytest.fixture
def site(request: pytest.FixtureRequest) -> Iterator[Site]:
    """A server that is here."""
    if request.param == "mysql":
        mysql = request.getfixturevalue("mysql")
        url, schema = mysql.owner_url, mysql.name
    else:
        url = request.config.getoption(f"--{request.param}")
        schema = (make_url(url).username or "").upper() if request.param == "oracle" else "dbo"
    dialect = by_backend(make_url(url).get_backend_name())
    assert dialect is not None
    site = Site(url, dialect, schema)
    yield site
    site.drop()


@pytest.mark.parametrize("mode", ["create", "append", "truncate", "drop"])
def test_every_mode(site: Site, mode: Mode) -> None:
    """Rows arrive as the mode says, once, and the log knows the job."""
    old = [(7, "old")]
    if mode != "create":
        site.write(old, "t")
    assert site.write(ROWS, "t", mode, job="any-1") == 3
    assert site.write(ROWS, "t", mode, job="any-1") == 3
    wanted = [*ROWS, *old] if mode == "append" else ROWS
    assert [(int(n), words) for n, words in site.rows("t")] == wanted
    with closing(site.target()) as target:
        assert target.written(site.schema, "any-1") == 3
        assert site.schema in target.schemas()
        there = target.table(site.schema, f"{site.prefix}t")
        target._link.run(f"DELETE FROM {target._log._valued(site.schema)} WHERE job = 'any-1'")
        target._link.commit()
    assert there is not None
    assert (there.rows, [column.field.name for column in there.columns]) == (len(wanted), ["n", "words"])


def test_values_come_back(site: Site) -> None:
    """Numbers, dates, times, texts of any script and blobs are what they were."""
    fields = (
        NUMBER,
        ResultField("a", "decimal", 12, 4),
        ResultField("b", "date"),
        ResultField("c", "timestamp"),
        ResultField("d", "float"),
        ResultField("e", "text"),
        ResultField("f", "blob"),
    )
    row = (1, Decimal("12.5000"), date(2026, 1, 31), datetime(2026, 1, 31, 12, 30), 0.25, "株" * 5000, b"\x00\xff'\\%")  # noqa: DTZ001
    site.write([row, (2, *[None] * 6)], "values", "create", *fields)
    first, second = site.rows("values")
    day = first[2].date() if isinstance(first[2], datetime) else first[2]  # Oracle's have a time of day
    assert (first[0], first[1], day, *first[3:]) == row
    assert second[1:] == (None,) * 6


def test_rows_that_break_off(site: Site) -> None:
    """Nothing is written, nothing is left, and the next try writes all."""

    def torn() -> Iterator[list[Row]]:
        yield ROWS
        raise RuntimeError("the source is gone")

    order = site.order("t", "create")
    with closing(site.target()) as target:
        with pytest.raises(RuntimeError):
            target.write(order, torn(), lambda count: None)
        assert target.table(site.schema, order.table) is None
        assert target.written(site.schema, order.job) is None
        assert target.write(order, batches(ROWS), lambda count: None) == 3


def test_reading(site: Site) -> None:
    """Batches are as small as asked for; the dry run takes what is right and names what is wrong."""
    site.write([(n, "x") for n in range(2500)], "many")
    database = site.open()
    with database.session(Scope.of(site.schema, ())) as session:
        session.check(f"SELECT n FROM {site.name('many')}")
        with pytest.raises(JobFailed, match=r"(?i)nosuch"):
            session.check(f"SELECT nosuch FROM {site.name('many')}")
        columns, found = session.stream(f"SELECT n, words FROM {site.name('many')}", batch=1000)
        assert ([c.name.lower() for c in columns], [c.kind for c in columns]) == (["n", "words"], ["number", "text"])
        assert [len(rows) for rows in found] == [1000, 1000, 500]
        for sql in (f"DELETE FROM {site.name('many')}", f"DROP TABLE {site.name('many')}"):
            with pytest.raises(JobFailed):
                session.stream(sql)
    database.ping()
    assert any(each.grave for each in database.excess(lambda schema, table: True))
    database.close()
    assert len(site.rows("many")) == 2500


def heavy(site: Site) -> str:
    """Return a query that takes days."""
    site.write([(n, "x") for n in range(2000)], "heavy")
    tables = ", ".join(f"{site.name('heavy')} t{n}" for n in range(5))
    return f"SELECT count(*) AS c FROM {tables} WHERE t0.n + t1.n + t2.n + t3.n + t4.n < 9"


def test_a_time_out(site: Site) -> None:
    """It ends the query, and the next one works."""
    sql = heavy(site)
    database = site.open(timeout=2)
    with database.session() as session, pytest.raises(JobFailed):
        rows_of(session, sql)
    with database.session() as session:
        assert len(rows_of(session, f"SELECT n FROM {site.name('heavy')}")) == 2000
    database.close()


def test_a_stop(site: Site) -> None:
    """It ends the query at once; SQL Server's driver has no way to, and its time-out remains."""
    sql = heavy(site)
    if site.dialect.name == "tsql":
        pytest.skip("SQL Server stops between two batches only")
    database = site.open(timeout=60)
    with database.session() as session:
        clock = threading.Timer(0.5, session.cancel)
        clock.start()
        with pytest.raises(Stopped):
            rows_of(session, sql)
        clock.join()
    database.close()


def test_the_tables_are_read(site: Site) -> None:
    """Names, types and samples come as the server has them."""
    site.write([(n, "red" if n % 2 else "blue") for n in range(40)], "kinds")
    limits: dict[str, Any] = {"tables": (f"{site.prefix}*",)}
    catalog = Catalog(Connections([Connection("A", 1, "Any", site.dialect, site.url, **limits)]))
    (table,) = catalog.schema("A", site.schema).tables
    catalog.close()
    assert (table.name, [column.name for column in table.columns]) == (f"{site.prefix}kinds", ["n", "words"])
    assert all(column.type for column in table.columns)
    if site.dialect.name != "oracle" or "LOB" not in table.columns[1].type:
        assert table.columns[1].samples == ("blue", "red")


def test_two_tables_are_compared(site: Site) -> None:
    """Row by row, and by the totals that the server works out."""
    site.write([(1, "a"), (2, "b"), (3, None)], "left")
    site.write([(1, "a"), (2, "B"), (4, "d")], "right")
    pairs = (ComparedPair(0, 0, "number"), ComparedPair(1, 1, "text"))
    database = site.open()
    with database.session() as one, database.session() as other:
        left, right = (
            Side(name, site.dialect.name, f"SELECT n, words FROM {site.name(name)}", session)
            for name, session in (("left", one), ("right", other))
        )
        report = compare(left, right, ComparePlan(("n", "words"), ("n", "words"), pairs, (0,), reporting="all"))
        totals = compare(left, right, ComparePlan(("n", "words"), ("n", "words"), pairs, (0,), reporting="aggregates"))
    database.close()
    assert (report.identical, report.changed, report.only_left, report.only_right) == (1, 1, 1, 1)
    assert not totals.same
