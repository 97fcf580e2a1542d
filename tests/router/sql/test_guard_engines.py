"""On real databases, the guard's text gives the rows of the text that came in."""

import sqlite3
from collections import Counter
from collections.abc import Callable
from contextlib import closing, suppress
from typing import Any

import duckdb
import pymysql
import pytest

from router.errors import Failed
from router.sql.databases.server import ServerDatabase
from router.sql.dialect import Name
from router.sql.guard import check
from router.sql.scope import Scope
from tests.router.sql.statements import SHOP, good, hostile, shop
from tests.support.mysql import MysqlDatabase
from tests.support.postgres import PostgresDatabase

Rows = list[tuple[Any, ...]]

TABLES = """
CREATE TABLE customers (id int, name text, email text, city text, country text, created date, data {json});
CREATE TABLE orders (id int, customer_id int, product_id int, amount numeric(10, 2), quantity int, status text,
    ordered date, shipped date);
CREATE TABLE products (id int, name text, category text, price numeric(10, 2), cost numeric(10, 2));
CREATE TABLE employees (id int, name text, manager_id int, department text, salary numeric(10, 2), hired date);
INSERT INTO customers VALUES
    (1, 'Anna', 'anna@x.de', 'Berlin', 'DE', '2026-01-01', '{{"vip": true, "tier": "gold", "tags": ["a", "b"]}}'),
    (2, 'O''Hara', 'o.hara@y.ie', NULL, 'IE', '2026-02-01', '{{"vip": false, "tier": "tin", "tags": []}}'),
    (3, 'Zoe', 'zoe@z.fr', 'Paris', 'FR', '2026-03-01', '{{"tier": "gold"}}'),
    (4, '50%_x', 'p@q.de', 'Bonn', 'DE', '2026-03-02', '{{}}');
INSERT INTO orders VALUES
    (1, 1, 1, 120.5, 1, 'paid', '2026-01-05', '2026-01-07'), (2, 1, 2, 15.25, 3, 'open', '2026-02-05', NULL),
    (3, 2, 1, 99.99, 2, 'paid', '2026-02-10', '2026-02-12'), (4, 3, 3, 5, 1, 'cancelled', '2026-03-01', NULL),
    (5, 3, 2, 30, 2, 'paid', '2026-03-15', '2026-03-20');
INSERT INTO products VALUES (1, 'Lamp', 'home', 120.5, 60), (2, 'Novel', 'books', 15.25, 7), (3, 'Robot', 'toys', 5, 2);
INSERT INTO employees VALUES (1, 'Ada', NULL, 'IT', 100, '2020-01-01'), (2, 'Bob', 1, 'IT', 80, '2021-01-01'),
    (3, 'Cid', 1, 'HR', 70, '2022-01-01'), (4, 'Dee', 2, 'HR', 60, '2023-01-01')
"""


def counted(rows: Rows) -> Counter[str]:
    """Return how often each row is there: engines give rows that are equal in their order as they come."""
    return Counter(map(repr, rows))


def different(dialect: Name, rows: Callable[[str], Rows]) -> list[tuple[str, str, Rows, Rows]]:
    """Return the statements whose rows change when the guard's text runs instead of them."""
    found = []
    for sql in good(dialect):
        text = check(sql, dialect, shop(dialect)).sql
        before, after = rows(sql), rows(text)
        if counted(before) != counted(after):
            found.append((sql, text, before, after))
    return found


def test_sqlite_gives_the_same_rows() -> None:
    """SQLite reads the guard's text as it read the original."""
    connection = sqlite3.connect(":memory:")
    try:
        connection.executescript(TABLES.format(json="text"))
        assert different("sqlite", lambda sql: connection.execute(sql).fetchall()) == []
    finally:
        connection.close()


@pytest.mark.thorough
def test_duckdb_gives_the_same_rows() -> None:
    """DuckDB reads the guard's text as it read the original."""
    with duckdb.connect() as connection:
        connection.execute(TABLES.format(json="json"))
        assert different("duckdb", lambda sql: connection.execute(sql).fetchall()) == []


def test_postgresql_gives_the_same_rows(postgres: PostgresDatabase) -> None:
    """PostgreSQL reads the guard's text as it read the original."""
    postgres.run(TABLES.format(json="jsonb"))
    with postgres.connect() as connection:
        assert different("postgres", lambda sql: connection.execute(sql.encode()).fetchall()) == []


LACKING = {
    "LEAD(amount, 1, 0)": "MariaDB's LEAD and LAG take no third argument",
    "->>": "MariaDB has JSON_VALUE and JSON_UNQUOTE in the place of this sign",
    "SELECT * FROM dual": "MySQL does not take it either: there is nothing in it to select",
    "FIELD(status": "customers have no status",
    "CONVERT(name USING utf8mb4), CAST(ordered": "orders have no name",
}
"""What MariaDB does not take of MySQL's good statements, by a part of each, and why."""

CHANCE = ("RAND()", "UUID()")
DUAL = "FROM DUAL"


def maria_shop(mysql: MysqlDatabase) -> Scope:
    """Fill the shop, and return its scope."""
    mysql.run(TABLES.format(json="json"))
    mysql.run("ALTER TABLE customers ADD PRIMARY KEY (id), ADD FULLTEXT (name)")
    return Scope.of(mysql.name, ((mysql.name, name) for name in SHOP))


def test_mariadb_gives_the_same_rows(mysql: MysqlDatabase) -> None:
    """MariaDB reads the guard's text as it read the original; what it lacks of MySQL is known."""
    scope = maria_shop(mysql)
    found = []
    with closing(mysql.connect_plainly()) as connection, connection.cursor() as cursor:

        def rows(sql: str) -> Rows | str:
            try:
                cursor.execute(sql)
                return list(cursor.fetchall())
            except pymysql.Error as error:
                return str(error)

        for sql in good("mysql"):
            sql = sql.replace("shop.", f"{mysql.name}.")
            if any(part in sql for part in (*LACKING, *CHANCE, DUAL)):
                continue
            text = check(sql, "mysql", scope).sql
            before, after = rows(sql), rows(text)
            if isinstance(before, str) or isinstance(after, str) or counted(before) != counted(after):
                found.append((sql, text, before, after))
    assert found == []


OWN_NAMES = ("pg_orders", "csv", "V_ORDERS", "USER_ACCOUNTS", "DM_Sales", "sales.2024", "show", "pg_user", "dual")


def read_own_names(dialect: Name, schema: str, quotes: str, run: Callable[[str], Rows]) -> list[tuple[str, Rows]]:
    """Make tables that are called like a system's own, and return what each gives through the guard."""
    quoted = {name: f"{quotes[0]}{name}{quotes[-1]}" for name in OWN_NAMES if (name, dialect) != ("dual", "mysql")}
    scope = Scope.of(schema, [(schema, name) for name in quoted], {(schema, name): ("a",) for name in quoted})
    for name, quote in quoted.items():
        run(f"CREATE TABLE {schema}.{quote} (a varchar(20))")
        run(f"INSERT INTO {schema}.{quote} VALUES ('{name}')")
    return [(name, run(check(f"SELECT a FROM {quote}", dialect, scope).sql)) for name, quote in quoted.items()]


def own_rows(dialect: Name = "postgres") -> list[tuple[str, Rows]]:
    """Return what those tables hold."""
    return [(name, [(name,)]) for name in OWN_NAMES if (name, dialect) != ("dual", "mysql")]


def test_tables_called_like_the_systems_own_are_read(postgres: PostgresDatabase, mysql: MysqlDatabase) -> None:
    """On each engine the rows are those of the connection's table, not of the system's."""
    with closing(sqlite3.connect(":memory:")) as lite:
        assert read_own_names("sqlite", "main", '"', lambda sql: lite.execute(sql).fetchall()) == own_rows()
    with duckdb.connect() as duck:
        assert read_own_names("duckdb", "main", '"', lambda sql: duck.execute(sql).fetchall()) == own_rows()
    with postgres.connect() as post:

        def run(sql: str) -> Rows:
            cursor = post.execute(sql.encode())
            return cursor.fetchall() if cursor.description else []

        assert read_own_names("postgres", "public", '"', run) == own_rows()

    def ask(sql: str) -> Rows:
        mysql.run(sql)
        return mysql.rows(sql) if sql.startswith("SELECT") else []

    assert read_own_names("mysql", mysql.name, "`", ask) == own_rows("mysql")


def test_mariadb_is_not_changed_without_the_guard(mysql: MysqlDatabase) -> None:
    """No hostile statement changes a row or a table, or takes long, even if the user may do all in the schema."""
    maria_shop(mysql)
    tables = (
        "SELECT table_name, table_type, create_time FROM information_schema.tables "
        f"WHERE table_schema = '{mysql.name}' ORDER BY 1"
    )
    contents = [tables, *(f"SELECT * FROM {name} ORDER BY id" for name in SHOP)]
    before = [mysql.rows(sql) for sql in contents]
    statements = [sql for dialect, _, sql in hostile() if dialect == "mysql"]
    database = ServerDatabase(mysql.owner_url, 0.3)
    scope = Scope.of(mysql.name, ())
    for sql in statements:
        with suppress(Failed), database.session(scope) as session:
            list(session.stream(sql)[1])
    database.close()
    assert len(statements) > 20
    assert [mysql.rows(sql) for sql in contents] == before
