"""The scope within DuckDB: what the plan reads, and statements that DuckDB makes two of."""

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from router.errors import JobFailed
from router.sql.databases.session import PooledDatabase
from router.sql.dialect import DIALECTS
from router.sql.opening import open_database
from router.sql.scope import Scope

SCOPE = Scope.of("main", [("main", name) for name in ("orders", "cities", "readings", "names", "told")])
NARROWER = Scope.of("main", SCOPE.tables - {("main", "told")})


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PooledDatabase]:
    """A file with tables of the scope and others, and views and macros that read the others."""
    path = tmp_path_factory.mktemp("scope") / "shop.duckdb"
    with duckdb.connect(path) as connection:
        connection.execute(
            """
            CREATE TABLE orders AS SELECT * FROM (VALUES
                (1, 7, 'open', 10, DATE '2026-01-01', ['a', 'b'], {'x': 1, 'y': 2}),
                (2, 7, 'paid', 20, DATE '2026-01-05', ['c'], {'x': 3, 'y': 4}),
                (3, 8, 'open', 40, DATE '2026-03-01', [], {'x': 5, 'y': 6})
            ) AS o(id, city_id, status, amount, ordered, tags, s);
            CREATE TABLE cities AS SELECT * FROM (VALUES (7, 'Ulm'), (8, 'Bonn')) AS c(city_id, city);
            CREATE TABLE readings AS SELECT DATE '2026-01-02' AS ordered, 5 AS price;
            CREATE TABLE secrets AS SELECT 1 AS id, 7 AS city_id, 'pw1' AS pw;
            CREATE SCHEMA vault;
            CREATE TABLE vault.orders AS SELECT 'pw2' AS status, 1 AS amount;
            CREATE TABLE vault.keys AS SELECT 1 AS id, 'pw3' AS code;
            CREATE VIEW names AS SELECT city_id, pw FROM secrets;
            CREATE VIEW told AS SELECT table_name FROM information_schema.tables;
            CREATE VIEW open_secrets AS SELECT * FROM secrets;
            CREATE MACRO leak(x) AS (SELECT string_agg(pw, ',') FROM secrets);
            CREATE MACRO leaked() AS TABLE SELECT * FROM secrets
            """
        )
    opened = open_database(f"duckdb:///{path}", DIALECTS["duckdb"], 10)
    yield opened
    opened.close()


def run(database: PooledDatabase, sql: str, scope: Scope | None = SCOPE) -> tuple[list[str], list[tuple[object, ...]]]:
    """Plan it, then return the names of its columns and all rows."""
    with database.session(scope) as session:
        session.check(sql)
        columns, batches = session.stream(sql)
        return [column.name for column in columns], [row for rows in batches for row in rows]


@pytest.mark.parametrize(
    ("sql", "count"),
    [
        ("SELECT city, amount FROM orders JOIN cities USING (city_id)", 3),
        ("SELECT * FROM orders NATURAL JOIN cities", 3),
        ("SELECT o.id, r.price FROM orders o ASOF JOIN readings r ON o.ordered >= r.ordered", 2),
        ("SELECT o.id, r.price FROM orders o ASOF LEFT JOIN readings r USING (ordered)", 3),
        ("SELECT id FROM orders WHERE (city_id, status) IN (SELECT city_id, status FROM orders WHERE id = 1)", 1),
        ("SELECT o.id, t.tag FROM orders o, unnest(o.tags) AS t(tag)", 3),
        ("SELECT n FROM unnest([1, 2, 3]) AS t(n), range(2), generate_series(1, 2)", 12),
        ("SELECT COLUMNS('city.*') FROM cities", 2),
        ("SELECT * LIKE '%id' FROM orders", 3),
        ("UNPIVOT orders ON id, amount INTO NAME kind VALUE n", 6),
        ("SELECT s.* FROM (SELECT s FROM orders)", 3),
        ("SELECT quantile_disc(amount, [0.25, 0.75]) FROM orders", 1),
        ("SELECT sum(amount) OVER (ORDER BY ordered RANGE INTERVAL 30 DAYS PRECEDING) FROM orders", 3),
        ("SELECT pw FROM names JOIN cities USING (city_id)", 1),
        ("SELECT table_name FROM told", 9),
        ("WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 3) SELECT n FROM r", 3),
        ("SELECT o.id FROM orders o WHERE amount = (SELECT max(amount) FROM orders p WHERE p.city_id = o.city_id)", 2),
    ],
)
def test_what_needs_the_columns_runs(database: PooledDatabase, sql: str, count: int) -> None:
    """And so does what a view of the scope reads outside of it."""
    assert len(run(database, sql)[1]) == count


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM orders JOIN secrets USING (city_id)",
        "SELECT * FROM orders NATURAL JOIN secrets",
        "SELECT * FROM orders, unnest((SELECT list(pw) FROM secrets))",
        "UNPIVOT secrets ON id, city_id",
        "SELECT * REPLACE ((SELECT max(pw) FROM secrets) AS status) FROM orders",
        "SELECT id FROM orders o LEFT JOIN cities c ON EXISTS (SELECT 1 FROM secrets s WHERE s.id = o.id + c.city_id)",
        "SELECT id FROM orders JOIN cities USING (city_id) LIMIT (SELECT max(id) FROM secrets)",
        "SELECT max(id) FROM orders JOIN secrets USING (id) WHERE false",
        "SELECT leak(city) FROM orders JOIN cities USING (city_id)",
        "SELECT * FROM leaked() JOIN cities USING (city_id)",
        "SELECT * FROM open_secrets JOIN cities USING (city_id)",
        "SELECT * FROM names, secrets JOIN cities USING (city_id)",
        "SELECT status FROM vault.orders JOIN cities ON true",
        "SELECT * FROM query_table('sec' || 'rets')",
        "SELECT table_name FROM duckdb_tables()",
        "SELECT * FROM pragma_table_info('secrets')",
        "SHOW TABLES",
    ],
)
def test_what_is_outside_is_refused(database: PooledDatabase, sql: str) -> None:
    """Wherever in the statement it is read, and whatever the optimizer would make of it."""
    with pytest.raises(JobFailed, match=r"may not be read here|only reads tables"):
        run(database, sql, NARROWER)


@pytest.mark.parametrize(
    ("sql", "names", "rows"),
    [
        ("PIVOT orders ON status USING sum(amount) GROUP BY city_id", ["city_id", "open", "paid"], 2),
        ("FROM (PIVOT orders ON status USING sum(amount) GROUP BY city_id)", ["city_id", "open", "paid"], 2),
        ("WITH p AS (PIVOT orders ON status USING count(*) GROUP BY id) SELECT * FROM p", ["id", "open", "paid"], 3),
        (
            "SELECT city, open FROM (PIVOT orders ON status USING sum(amount) GROUP BY city_id) "
            "JOIN cities USING (city_id)",
            ["city", "open"],
            2,
        ),
        ("PIVOT names ON pw USING count(*) GROUP BY city_id", ["city_id", "pw1"], 1),
        (
            "PIVOT orders ON status IN (SELECT status FROM orders WHERE id = 2) USING sum(amount) GROUP BY city_id",
            ["city_id", "paid"],
            2,
        ),
    ],
)
def test_a_pivot_without_a_list_runs(database: PooledDatabase, sql: str, names: list[str], rows: int) -> None:
    """As often as it is asked for in one session, too."""
    for scope in (SCOPE, None):
        columns, found = run(database, sql, scope)
        assert (names, rows) == (columns, len(found))
    with database.session(SCOPE) as session:
        for _ in range(2):
            session.check(sql)
            assert rows == len([row for batch in session.stream(sql)[1] for row in batch])


@pytest.mark.parametrize(
    "sql",
    [
        "PIVOT secrets ON pw",
        "PIVOT open_secrets ON pw",
        "PIVOT vault.orders ON status USING count(*)",
        "PIVOT (SELECT pw::INT AS n FROM secrets) ON n",
        "PIVOT orders ON status IN (SELECT pw FROM secrets) USING count(*)",
        "PIVOT orders ON status IN (SELECT status FROM vault.orders) USING count(*)",
        "PIVOT orders ON status IN (SELECT leak(1)) USING count(*)",
        "PIVOT orders ON status IN (SELECT pw FROM leaked()) USING count(*)",
        "PIVOT orders ON status IN (SELECT pw FROM leaked/**/()) USING count(*)",
        "PIVOT orders ON status IN (SELECT pw FROM query_table('sec' || 'rets')) USING count(*)",
        "PIVOT orders ON status IN (SELECT table_name FROM information_schema.tables) USING count(*)",
        "PIVOT orders ON status IN (SELECT table_name FROM duckdb_tables()) USING count(*)",
        "PIVOT orders ON status IN (SELECT name FROM (SHOW TABLES)) USING count(*)",
        "PIVOT leaked() ON pw",
    ],
)
def test_a_pivot_reads_nothing_outside(database: PooledDatabase, sql: str) -> None:
    """Nor does the query of its values, of which the error would tell a row."""
    with pytest.raises(JobFailed, match=r"may not be read here|only reads tables") as failed:
        run(database, sql)
    assert "pw1" not in str(failed.value)


@pytest.mark.parametrize(
    "sql",
    [
        "CREATE TEMP TABLE kept AS PIVOT orders ON status USING count(*)",
        "INSERT INTO cities PIVOT orders ON status USING count(*)",
        "WITH p AS (PIVOT orders ON status USING count(*)) INSERT INTO cities SELECT 1, 'x' FROM p",
        "WITH p AS (PIVOT orders ON status USING count(*)) DELETE FROM cities",
        "COPY (PIVOT orders ON status USING count(*)) TO 'never-written.csv'",
        "PIVOT orders ON status; SELECT 1",
    ],
)
@pytest.mark.parametrize("scope", [SCOPE, None])
def test_a_pivot_changes_nothing(database: PooledDatabase, sql: str, scope: Scope | None) -> None:
    """Two statements in one are allowed for nothing but to pivot."""
    with pytest.raises(JobFailed):
        run(database, sql, scope)
    assert len(run(database, "SELECT * FROM cities")[1]) == 2


def test_a_pivot_ends_at_the_time_out(tmp_path: Path) -> None:
    """While it reads the values, and the session is of use to the next."""
    with duckdb.connect(tmp_path / "big.duckdb") as connection:
        connection.execute("CREATE TABLE n AS SELECT range AS a FROM range(3000)")
    slow = "PIVOT (SELECT x.a % 2 AS b FROM n x, n y, n z WHERE (x.a * y.a) % 7 = z.a % 5) ON b USING count(*)"
    database = open_database(f"duckdb:///{tmp_path / 'big.duckdb'}", DIALECTS["duckdb"], 1)
    with database.session(Scope.of("main", [("main", "n")])) as session, pytest.raises(JobFailed, match="longer than"):
        session.stream(slow)
    assert len(run(database, "PIVOT (SELECT a % 2 AS b FROM n) ON b USING count(*)", None)[1]) == 1
    database.close()


def test_no_statement_changes_the_settings(database: PooledDatabase) -> None:
    """They are locked once the planner has its own."""
    assert run(database, "SELECT current_setting('lock_configuration')")[1] == [(True,)]
