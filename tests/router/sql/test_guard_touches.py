"""Whatever passes the guard and runs touches only the tables and columns of the scope, on the real engines.

Each engine holds twins: two databases that are equal in everything that may be read, and differ in every forbidden
cell, in the number of forbidden rows, and in what a function called `leak` returns. A statement that gives other rows
or another error on the second twin has touched what it may not. No layer but the guard stands between: the connections
are plain ones, whose user may read everything.
"""

import json
import re
import sqlite3
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from typing import Any

import duckdb
import psycopg
import pymysql
import pytest
from hypothesis import HealthCheck, given, settings

from router.sql.dialect import Name
from router.sql.guard import check
from router.sql.scope import Scope
from tests.router.sql.composed import TABLES, statements
from tests.support.hypothesis_examples import examples
from tests.support.mysql import fresh_mysql
from tests.support.postgres import PostgresServer, fresh_database

Outcome = tuple[str, object]
Run = Callable[[str], Outcome]

SAME = """
CREATE TABLE people (id {text}, name {text}, salary {text}, ssn {text}, team {text});
CREATE TABLE guests (id {text}, name {text}, ssn {text}, host {text});
CREATE TABLE badges (id {text}, ssn {text}, year {text});
CREATE TABLE secrets (id {text}, pw {text});
CREATE VIEW staff AS SELECT id, name FROM people;
CREATE VIEW pay AS SELECT id, salary FROM people;
INSERT INTO badges VALUES ('1', 'S1', '2024'), ('2', 'S2', '2025'), ('3', 'S3', '2025');
"""
OTHER = {
    "a": """
INSERT INTO people VALUES ('1', 'Ada', '91', 'S1', 'it'),
    ('2', 'Bob', NULL, 'S8', 'it'), ('3', 'Cid', '93', 'S9', 'hr');
INSERT INTO guests VALUES ('1', 'Ada', 'S1', 'Bob'), ('4', 'Dee', 'S2', 'Cid');
INSERT INTO secrets VALUES ('1', 'alpha'), ('2', 'beta');
""",
    "b": """
INSERT INTO people VALUES ('1', 'Ada', '83', 'S7', 'it'),
    ('2', 'Bob', '82', 'S2', 'it'), ('3', 'Cid', '81', NULL, 'hr');
INSERT INTO guests VALUES ('1', 'Ada', 'S6', 'Bob'), ('4', 'Dee', NULL, 'Cid');
INSERT INTO secrets VALUES ('1', 'gamma'), ('2', 'delta'), ('3', 'eta'), ('Ada', 'x');
""",
}
POSTGRES_LEAK = """
CREATE FUNCTION leak(anyelement) RETURNS text LANGUAGE sql SECURITY DEFINER AS
    'SELECT string_agg(pw, '','') FROM public.secrets';
"""
HERE: dict[Name, str] = {"sqlite": "main", "duckdb": "main", "postgres": "public"}
EXAMPLES = examples(250)
pytestmark = pytest.mark.hypothesis
ENOUGH = 0.03
"""The share of statements that must pass and give rows, lest the property hold because nothing runs."""


def scope_of(schema: str) -> Scope:
    """Return the rights: four tables, and two of them with hidden columns."""
    columns = {(schema, table): names for table, names in TABLES.items()}
    hidden = {(schema, "people"): ("salary", "ssn"), (schema, "guests"): ("ssn",)}
    return Scope.of(schema, list(columns), columns, hidden)


def holds(dialect: Name, run: dict[str, Run], scopes: dict[str, Scope], judge: Callable[[str], None] | None) -> None:
    """Hold the property to many statements; `judge` looks at one that passed and runs, by the engine's own account."""
    seen = Counter[str]()

    @settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
    @given(sql=statements(dialect))
    def touches_only_the_scope(sql: str) -> None:
        verdicts = {twin: check(sql, dialect, scopes[twin]) for twin in "ab"}
        if not verdicts["a"].allowed:
            seen["refused"] += 1
            return
        text = verdicts["a"].sql
        outcomes = {twin: run[twin](verdicts[twin].sql) for twin in "ab"}
        if "late" in (outcomes["a"][0], outcomes["b"][0]):
            seen["late"] += 1
            return
        assert outcomes["a"] == outcomes["b"], text
        seen[outcomes["a"][0]] += 1
        if judge and outcomes["a"][0] == "rows":
            judge(text)

    touches_only_the_scope()
    assert seen["rows"] >= ENOUGH * sum(seen.values()), seen


def outcome(call: Callable[[], object], *errors: type[Exception]) -> Outcome:
    """Return the rows, or the words of the error; "late" where a recursive query came to no end."""
    try:
        return "rows", call()
    except errors as error:
        words = f"{type(error).__name__}: {error}"
        return ("late", "") if "nterrupt" in words or "statement timeout" in words else ("error", words)


def build(twin: str, text: str = "TEXT") -> str:
    """Return the script of one twin."""
    return SAME.format(text=text) + OTHER[twin]


def test_sqlite_reads_nothing_else() -> None:
    """The engine's authorizer names each column that is read."""
    read = set[tuple[str, str]]()
    connections = {}
    for twin in "ab":
        connection = connections[twin] = sqlite3.connect(":memory:")
        connection.executescript(build(twin))
        connection.create_function("leak", -1, lambda *_, twin=twin: twin)

    def authorize(action: int, table: str | None, column: str | None, _: str | None, through: str | None) -> int:
        if action == sqlite3.SQLITE_READ and through in (None, ""):
            read.add((str(table).lower(), str(column).lower()))
        return sqlite3.SQLITE_OK

    def judge(sql: str) -> None:
        read.clear()
        connections["a"].set_authorizer(authorize)
        try:
            connections["a"].execute(sql).fetchall()
        finally:
            connections["a"].set_authorizer(None)
        forbidden = {(table, column) for table in ("people", "guests") for column in ("salary", "ssn")}
        # Of a WITH query of which only the rows count, SQLite tells the name, as of a table.
        made = {table for table, column in read if not column and re.search(rf"\b{table}(\([^)]*\))? AS \(", sql, re.I)}
        named = {table for table, _ in read} - made
        assert not read & forbidden, sql
        assert not named & {"secrets", "pay", "sqlite_master"}, sql

    run = {twin: _sqlite(connection) for twin, connection in connections.items()}
    holds("sqlite", run, dict.fromkeys("ab", scope_of("main")), judge)
    for connection in connections.values():
        connection.close()


class Patience:
    """Counts a statement's steps, and ends one that takes too many."""

    left = 0

    def __call__(self) -> bool:
        """Say whether it was enough."""
        self.left -= 1
        return self.left < 0


def _sqlite(connection: sqlite3.Connection) -> Run:
    patience = Patience()
    connection.set_progress_handler(patience, 10_000)

    def run(sql: str) -> Outcome:
        patience.left = 200
        return outcome(lambda: connection.execute(sql).fetchall(), sqlite3.Error, sqlite3.Warning)

    return run


def test_duckdb_reads_nothing_else() -> None:
    """The binder names each table."""
    connections = {}
    for twin in "ab":
        connection = connections[twin] = duckdb.connect(config={"threads": 1})
        connection.execute(build(twin))
        connection.execute("CREATE MACRO leak(x) AS (SELECT string_agg(pw, ',') FROM secrets)")

    def judge(sql: str) -> None:
        with suppress(duckdb.BinderException):  # it does not look into every function
            assert {name.split(".")[-1] for name in connections["a"].get_table_names(sql)} <= set(TABLES), sql

    run = {twin: _duckdb(connection) for twin, connection in connections.items()}
    holds("duckdb", run, dict.fromkeys("ab", scope_of("main")), judge)
    for connection in connections.values():
        connection.close()


def _duckdb(connection: duckdb.DuckDBPyConnection) -> Run:
    def run(sql: str) -> Outcome:
        patience = threading.Timer(1, connection.interrupt)
        patience.start()
        try:
            return outcome(lambda: connection.execute(sql).fetchall(), duckdb.Error, RuntimeError)
        finally:
            patience.cancel()

    return run


@contextmanager
def postgres_twins(server: PostgresServer) -> Iterator[dict[str, "psycopg.Connection[Any]"]]:
    """Lend connections of the owner of two databases, a and b."""
    with fresh_database(server) as a, fresh_database(server) as b:
        for twin, database in (("a", a), ("b", b)):
            database.run(build(twin) + POSTGRES_LEAK)
        with a.connect() as first, b.connect() as second:
            for connection in (first, second):
                connection.execute("SET statement_timeout = '1s'")
            yield {"a": first, "b": second}


def test_postgres_reads_nothing_else(postgres_server: PostgresServer) -> None:
    """The plan names each relation."""
    with postgres_twins(postgres_server) as connections:

        def judge(sql: str) -> None:
            plan = connections["a"].execute(f"EXPLAIN (VERBOSE, FORMAT JSON) {sql}".encode()).fetchone()
            assert plan is not None
            assert relations(plan[0]) <= {("public", table) for table in TABLES}, sql
            assert "leak(" not in json.dumps(plan[0]), sql

        run = {twin: _postgres(connection) for twin, connection in connections.items()}
        holds("postgres", run, dict.fromkeys("ab", scope_of("public")), judge)


def _postgres(connection: "psycopg.Connection[Any]") -> Run:
    return lambda sql: outcome(lambda: connection.execute(sql.encode()).fetchall(), psycopg.Error)


def relations(plan: object) -> set[tuple[str, str]]:
    """Return (schema, name) of each relation in a plan."""
    if isinstance(plan, list):
        return {found for each in plan for found in relations(each)}
    if not isinstance(plan, dict):
        return set()
    own = {(plan["Schema"], plan["Relation Name"])} if "Relation Name" in plan else set()
    return own | {found for each in plan.values() for found in relations(each)}


def test_mariadb_reads_nothing_else(request: pytest.FixtureRequest) -> None:
    """There, the twins alone tell."""
    server = request.getfixturevalue("mysql_server")
    with fresh_mysql(server) as a, fresh_mysql(server) as b:
        for twin, database in (("a", a), ("b", b)):
            database.run(build(twin, "VARCHAR(40)"))
            database.run(
                "CREATE FUNCTION leak(x TEXT) RETURNS TEXT READS SQL DATA RETURN (SELECT GROUP_CONCAT(pw) FROM secrets)"
            )
        with closing(a.connect()) as first, closing(b.connect()) as second:

            def runner(connection: "pymysql.Connection[Any]", name: str) -> Run:
                def rows(sql: str) -> object:
                    with connection.cursor() as cursor:
                        cursor.execute(sql)
                        return sorted(cursor.fetchall(), key=repr)  # what is equal to ORDER BY comes as it likes

                def run(sql: str) -> Outcome:
                    if "LIMIT" in sql:  # of rows that nothing puts in order, the server picks what lies first
                        return "late", ""
                    kind, words = outcome(lambda: rows(sql), pymysql.Error)
                    return kind, words if kind == "rows" else str(words).replace(name, "shop")

                return run

            for connection in (first, second):
                with connection.cursor() as cursor:
                    cursor.execute("SET sql_mode = 'ONLY_FULL_GROUP_BY', max_statement_time = 1")
            run = {"a": runner(first, a.name), "b": runner(second, b.name)}
            holds("mysql", run, {"a": scope_of(a.name), "b": scope_of(b.name)}, None)
