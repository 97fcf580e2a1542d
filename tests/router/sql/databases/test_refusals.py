"""What a reading session refuses without the guard's help."""

import pytest

from router.errors import JobFailed
from router.sql.databases.session import PooledDatabase
from tests.router.sql.databases.conftest import Place
from tests.support.rows import check_rows

WRITES = (
    "INSERT INTO orders (id) VALUES (9)",
    "UPDATE orders SET amount = 0",
    "DELETE FROM orders",
    "DROP TABLE orders",
    "ALTER TABLE orders ADD COLUMN x integer",
    "CREATE TABLE mine (a integer)",
    "CREATE TEMP TABLE mine (a integer)",
    "CREATE VIEW mine AS SELECT 1 AS a",
    "CREATE INDEX mine ON orders (id)",
    "TRUNCATE TABLE orders",
    "WITH gone AS (DELETE FROM orders RETURNING *) SELECT * FROM gone",
    "WITH a AS (SELECT 1) DELETE FROM orders",
    "INSERT INTO orders SELECT * FROM orders RETURNING *",
    "SELECT * INTO mine FROM orders",
    "VACUUM",
    "BEGIN",
    "COMMIT",
    "ROLLBACK",
    "SELECT 1; DELETE FROM orders",
    "COMMIT; DELETE FROM orders",
    "ROLLBACK; DELETE FROM orders; COMMIT",
    "SELECT 1; COMMIT; DELETE FROM orders; --",
    "SET TRANSACTION READ WRITE; DELETE FROM orders",
    "COPY orders TO '/tmp/icc-bot-never-written'",
    "ATTACH DATABASE '/tmp/icc-bot-never-written' AS other",
    "VACUUM INTO '/tmp/icc-bot-never-written'",
    "PRAGMA query_only = OFF",
    "SET statement_timeout = 0",
    "EXPLAIN ANALYZE DELETE FROM orders",
    "CALL something()",
    "PREPARE x AS SELECT 1",
    "SELECT 1\x00; DELETE FROM orders",
    "",
    "-- only a comment",
    ";",
)


def test_a_session_only_reads(place: Place, database: PooledDatabase) -> None:
    """Every write, setting and second statement is refused with a sentence, and nothing is changed."""
    before = place.contents()

    def refused(sql: str) -> None:
        with database.session(place.scope) as session:
            with pytest.raises(JobFailed):
                session.check(sql)
            with pytest.raises(JobFailed):
                list(session.stream(sql)[1])
            with pytest.raises(JobFailed):
                session.stream("DELETE FROM orders")
        assert place.contents() == before

    check_rows(WRITES, refused)


@pytest.mark.parametrize("place", ["sqlite", "duckdb"], indirect=True)
@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM salaries",
        'SELECT pay FROM "salaries"',
        "SELECT count(*) FROM main.salaries",
        "SELECT 1 FROM orders WHERE EXISTS (SELECT 1 FROM salaries)",
        "SELECT (SELECT max(pay) FROM salaries) FROM orders",
        "WITH orders AS (SELECT * FROM salaries) SELECT * FROM orders",
        "WITH pay_total AS (SELECT pay FROM salaries) SELECT * FROM pay_total",
        "WITH pay_total AS (SELECT pay FROM salaries) SELECT * FROM pay_total, open_orders",
        "SELECT id FROM orders UNION ALL SELECT pay FROM salaries",
        "SELECT * FROM pay_total JOIN salaries ON 1 = 1",
    ],
)
def test_a_table_outside_the_scope_is_not_read(place: Place, database: PooledDatabase, sql: str) -> None:
    """SQLite and DuckDB keep to the scope by themselves; PostgreSQL has the guard and the user's rights for that."""
    with (
        database.session(place.scope) as session,
        pytest.raises(JobFailed, match=r"^The table salaries may not be read"),
    ):
        session.stream(sql)


def test_a_view_shows_what_it_was_made_for(place: Place, database: PooledDatabase) -> None:
    """A view of the scope may read a table outside it, and is counted and joined like a table."""
    other_case = "pay_total" if place.name == "mysql" else "Pay_Total"  # a file's name on its server, case and all
    with database.session(place.scope) as session:
        for sql, rows in {
            "SELECT pay FROM pay_total": [(9000,)],
            f"SELECT count(*) FROM {other_case}": [(1,)],
            "SELECT count(*) FROM open_orders AS o JOIN pay_total AS p ON p.pay > o.id": [(3,)],
            "WITH o AS (SELECT * FROM open_orders) SELECT max(id) FROM o": [(4,)],
        }.items():
            assert [row for batch in session.stream(sql)[1] for row in batch] == rows


def test_without_a_scope_all_tables_are_readable(database: PooledDatabase) -> None:
    """The bot's own reads, such as comparing two databases, may name any table."""
    with database.session() as session:
        assert list(session.stream("SELECT pay FROM salaries")[1]) == [[(9000,)]]


@pytest.mark.parametrize("place", ["sqlite", "duckdb"], indirect=True)
def test_a_connection_forgets_the_scope_before(place: Place) -> None:
    """A statement that ran in one scope is refused in the next one, on the same connection."""
    database = place.open()
    with database.session() as session:
        assert list(session.stream("SELECT pay FROM salaries")[1]) == [[(9000,)]]
    with database.session(place.scope) as session, pytest.raises(JobFailed, match="salaries may not be read"):
        session.stream("SELECT pay FROM salaries")
    database.close()
