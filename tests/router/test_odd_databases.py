"""Databases with odd names, through the whole path: read, told to a model, repaired, guarded, run."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from router.catalog.catalog import Catalog
from router.errors import JobFailed
from router.sql.databases.session import Estimate
from router.text_to_sql.question import Question
from router.text_to_sql.write_sql import WrittenSql, write_sql
from tests.router.catalog.conftest import Build, Connect, build, build_duckdb, build_sqlite, connect
from tests.router.text_to_sql.scripted import Scripted, sql_task
from tests.support.postgres import PostgresDatabase, postgres, postgres_server

__all__ = ["build", "connect", "postgres", "postgres_server"]

LONG = "a_name_that_goes_on_and_on_" * 2

SCRIPT = f"""
CREATE TABLE "user" (id integer PRIMARY KEY, "order" integer, "group" varchar(20), "select" integer);
CREATE TABLE "Order Lines" (
    "line id" integer PRIMARY KEY, "user id" integer REFERENCES "user" (id), "5"" pipe" integer
);
CREATE TABLE "café.ventes" ("été" varchar(20), "2nd.value" integer, "MixedCase" integer, "😀" integer);
CREATE TABLE {LONG} ({LONG}x integer);
CREATE TABLE "123go" ("1st" integer);
CREATE TABLE nothing_in_it (id integer);
INSERT INTO "user" VALUES (1, 7, 'a', 3), (2, 8, 'b', 4);
INSERT INTO "Order Lines" VALUES (1, 1, 5), (2, 2, 6);
INSERT INTO "café.ventes" VALUES ('juillet', 10, 1, 2);
INSERT INTO {LONG} VALUES (42);
INSERT INTO "123go" VALUES (1)
"""


def script_of(request: pytest.FixtureRequest) -> str:
    """Return the script; MySQL's names hold no emoji."""
    return SCRIPT.replace("😀", "☺") if "mysql" in request.node.name else SCRIPT


def spoken(sql: str, catalog: Catalog) -> str:
    """Return the statement as the database's own people write it: in MySQL, what is in double quotes is a text."""
    if catalog.schema("A").dialect != "mysql":
        return sql
    return sql.replace('""', "'").replace('"', "`").replace("'", '"').replace("😀", "☺")


ODD = {
    # what a model writes: what comes back
    'SELECT "order" FROM "user"': [(7,), (8,)],
    "SELECT order FROM user": [(7,), (8,)],
    "SELECT u.order AS order FROM user AS u ORDER BY order": [(7,), (8,)],
    "SELECT SUM(u.order) AS order FROM user u": [(15,)],
    "SELECT group, COUNT(*) FROM user GROUP BY group ORDER BY group": [("a", 1), ("b", 1)],
    'SELECT "5"" pipe" FROM "Order Lines"': [(5,), (6,)],
    'SELECT [5" pipe] FROM [Order Lines]': [(5,), (6,)],
    "SELECT `line id` FROM `Order Lines`": [(1,), (2,)],
    "SELECT OrderLines.line_id FROM OrderLines": [(1,), (2,)],
    'SELECT "group", SUM("5"" pipe") FROM order_lines GROUP BY "group" ORDER BY 1': [("a", 5), ("b", 6)],
    'SELECT "été" FROM "café.ventes"': [("juillet",)],
    "SELECT été FROM café.ventes": [("juillet",)],
    'SELECT ete FROM "cafe.ventes"': [("juillet",)],
    'SELECT "2nd.value", mixedcase, "😀" FROM "café.ventes"': [(10, 1, 2)],
    f"SELECT {LONG}x FROM {LONG}": [(42,)],
    "SELECT 1st FROM 123go": [(1,)],
    "SELECT id FROM nothing_in_it": [],
    "SELECT id FROM public.nothing_in_it": [],
    "SELECT id FROM main.nothing_in_it": [],
}


def asked(catalog: Catalog, answer: str, question: str = "What is asked?") -> tuple[WrittenSql, list[Any]]:
    """Have a scripted model write SQL for a question, and run what came of it."""
    schema, database = catalog.schema("A"), catalog.database("A")

    def dry_run(sql: str) -> Estimate:
        with database.session(schema.scope) as session:
            return session.check(sql)

    model = Scripted([answer, "I do not know.", "I do not know."])
    written = write_sql(sql_task(Question(question, date(2026, 11, 22)), schema, model, dry_run))
    if written.problem:
        return written, []
    with database.session(schema.scope) as session:
        _, batches = session.stream(written.sql)
        return written, [tuple(row) for batch in batches for row in batch]


@pytest.mark.thorough
def test_odd_names(build: Build, request: pytest.FixtureRequest) -> None:
    """Words of SQL, blanks, quotes, accents, dots, digits, emoji: as a model is told them, and as it misspells them."""
    catalog = build(script_of(request))
    for asks, rows in ODD.items():
        if "1st" in asks and catalog.schema("A").dialect == "mysql":
            continue  # a name that begins with a digit needs quotes here
        sql = spoken(asks, catalog)
        written, found = asked(catalog, sql)
        assert (sql, None, rows) == (sql, written.problem, found), written.sql


def test_the_guard_keeps_the_quotes(build: Build, request: pytest.FixtureRequest) -> None:
    """What runs is rendered again, and still means the same names."""
    catalog = build(script_of(request))
    written, _ = asked(catalog, spoken('SELECT u."order", l."5"" pipe" FROM "user" u, "Order Lines" l', catalog))
    for name in ('u."order"', 'l."5"" pipe"', '"Order Lines" AS l'):
        assert spoken(name, catalog) in written.sql


@pytest.mark.parametrize(
    ("sql", "problem"),
    [
        ("SELECT a FROM t", "There is no table t; there are no tables at all."),
        ("SELECT select FROM user", "This cannot be read as SQL"),
    ],
)
def test_a_database_without_tables(sql: str, problem: str, build: Build) -> None:
    """It is read, and whatever is asked of it gets a clear word."""
    catalog = build("SELECT 1")
    assert () == catalog.schema("A").tables
    written, _ = asked(catalog, sql)
    assert (written.problem or "").startswith(problem)


def test_views(build: Build) -> None:
    """A view is a table like others; one that fails when it is run says why, without what is in its rows."""
    catalog = build(
        'CREATE TABLE t (a integer); INSERT INTO t VALUES (1); CREATE VIEW good AS SELECT a AS "my a" FROM t;'
        "CREATE VIEW bad AS SELECT CAST('x' || a AS integer) AS b FROM t"
    )
    assert [(1,)] == asked(catalog, "SELECT my_a FROM good")[1]
    if catalog.schema("A").dialect in ("sqlite", "mysql"):
        assert [(0,)] == asked(catalog, "SELECT b FROM bad")[1]
    else:
        with pytest.raises(JobFailed, match=r"invalid text representation|does not fit the type") as failed:
            asked(catalog, "SELECT b FROM bad")
        assert "x1" not in str(failed.value)


def test_a_view_whose_table_is_gone(tmp_path: Path, connect: Connect) -> None:
    """It stops nobody from reading the rest; PostgreSQL lets no such thing happen."""
    script = "CREATE TABLE t (a integer); CREATE TABLE u (b integer); CREATE VIEW v AS SELECT a FROM t; DROP TABLE t"
    for dialect, made in (("sqlite", build_sqlite), ("duckdb", build_duckdb)):
        assert [] == asked(connect(dialect, made(tmp_path, script)), "SELECT b FROM u")[1]


def test_two_schemas_with_the_same_names(postgres: PostgresDatabase, connect: Connect) -> None:
    """A bare name is that of the chosen one; the other one is read where SQL says its schema."""
    postgres.run(
        "CREATE TABLE x (a integer); INSERT INTO x VALUES (1);"
        "CREATE SCHEMA s2; CREATE TABLE s2.x (b integer); CREATE TABLE s2.y (c integer)"
    )
    postgres.share("s2")
    catalog = connect("postgres", postgres.reader_url, schemas=("*",))
    assert ("public", "s2") == catalog.schemas("A")
    assert [(1,)] == asked(catalog, "SELECT a FROM x")[1]
    assert "The tables of the query have no column b." == asked(catalog, "SELECT b FROM x")[0].problem
    assert [] == asked(catalog, "SELECT b FROM s2.x")[1]
    assert "There is no table y; the tables are x." == asked(catalog, "SELECT c FROM y")[0].problem


def test_names_that_differ_in_case_only(postgres: PostgresDatabase, connect: Connect) -> None:
    """Each is read as it is spelled; what may be either is asked about."""
    postgres.run(
        'CREATE TABLE "Items" (b integer, "B" integer); CREATE TABLE "ITEMS" (c integer); CREATE TABLE bare ();'
        'CREATE TABLE items (a integer); INSERT INTO items VALUES (1); INSERT INTO "Items" VALUES (2, 3);'
        'INSERT INTO "ITEMS" VALUES (4)'
    )
    catalog = connect("postgres", postgres.reader_url)
    for sql, rows in {
        "SELECT a FROM items": [(1,)],
        'SELECT b FROM "Items"': [(2,)],
        "SELECT b FROM Items": [(2,)],
        'SELECT "B" FROM Items': [(3,)],
        "SELECT c FROM ITEMS": [(4,)],
        "SELECT COUNT(*) FROM bare": [(0,)],
    }.items():
        written, found = asked(catalog, sql)
        assert (sql, None, rows) == (sql, written.problem, found), written.sql
    unclear = asked(catalog, 'SELECT a FROM "iTEMS"')[0].problem or ""
    assert unclear.startswith('ITEMS may be "ITEMS" or "Items" or items; write which one is meant, in quotes.')
