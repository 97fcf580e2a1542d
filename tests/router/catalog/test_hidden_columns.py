"""Columns under `columns_hidden` on real databases: not in the schema, not in a query, not by way of a view."""

from contextlib import closing, suppress
from pathlib import Path

import pytest

from router.catalog.catalog import Catalog
from router.catalog.schema import Schema
from router.errors import Failed
from router.sql.guard import check
from tests.router.catalog.conftest import Build, Connect, build_duckdb, build_sqlite
from tests.support.mysql import MysqlDatabase

STAFF = """
CREATE TABLE teams (id INTEGER PRIMARY KEY, name VARCHAR(40), budget INTEGER);
CREATE TABLE staff (id INTEGER PRIMARY KEY, name VARCHAR(40), team INTEGER REFERENCES teams (id), salary INTEGER);
INSERT INTO teams VALUES (1, 'Sales', 7331);
INSERT INTO staff VALUES (1, 'Ada', 1, 7332), (2, 'Bob', 1, 7333);
CREATE VIEW names AS SELECT id, name FROM staff;
CREATE VIEW pay AS SELECT name, salary AS s FROM staff;
CREATE VIEW bands AS SELECT name, CASE WHEN staff.salary > 100 THEN 'high' ELSE 'low' END AS band FROM staff;
CREATE VIEW all_of_it AS SELECT * FROM staff;
CREATE VIEW indirect AS SELECT s FROM pay;
CREATE VIEW sneaky AS SELECT name, (SELECT salary FROM (SELECT 1 AS one) z) AS s FROM staff;
CREATE VIEW second AS SELECT names.name FROM names;
CREATE VIEW ordered AS SELECT name FROM staff ORDER BY salary
"""
HIDDEN = {"columns_hidden": ("staff.salary", "BUDGET")}


@pytest.fixture
def catalog(build: Build, request: pytest.FixtureRequest) -> Catalog:
    """Return the catalog of the tables above, read by a user who may see the texts of views."""
    built = build(STAFF, **HIDDEN)
    if built.connections["A"].dialect.name == "mysql":
        mysql: MysqlDatabase = request.getfixturevalue("mysql")
        with closing(mysql.server.connect()) as root, root.cursor() as cursor:
            names = mysql.name.replace("_", r"\_") + "%"  # as its right to SELECT is spelled
            cursor.execute(f"GRANT SHOW VIEW ON `{names}`.* TO '{mysql.reader}'@'%'")
    return built


@pytest.fixture
def schema(catalog: Catalog) -> Schema:
    """Return their schema."""
    return catalog.schema("A")


def test_they_are_in_no_table(schema: Schema) -> None:
    """Nor among the names that a model or a person is shown."""
    columns = {table.name: [column.name for column in table.columns] for table in schema.tables if not table.view}
    assert columns == {"teams": ["id", "name"], "staff": ["id", "name", "team"]}


def test_views_that_read_them_are_left_out(schema: Schema) -> None:
    """By whatever name, in whatever clause, by way of another view, or by a star."""
    assert [table.name for table in schema.tables if table.view] == ["names", "second"]


def test_no_query_names_them(schema: Schema) -> None:
    """The guard knows them, and writes a star out."""
    refused = ("SELECT salary FROM staff", "SELECT name FROM staff ORDER BY salary", "SELECT s FROM pay")
    assert [check(sql, schema.dialect, schema.scope).allowed for sql in refused] == [False] * 3
    written = check("SELECT * FROM staff", schema.dialect, schema.scope)
    assert written.allowed
    assert "salary" not in written.sql


def test_a_star_gives_the_others(catalog: Catalog) -> None:
    """What runs gives rows without them; what a view of the scope shows may be read."""
    assert rows(catalog, "SELECT * FROM staff ORDER BY id") == [(1, "Ada", 1), (2, "Bob", 1)]
    assert rows(catalog, "SELECT name FROM second ORDER BY name") == [("Ada",), ("Bob",)]


def test_a_view_that_calls_what_nobody_knows_is_left_out(connect: Connect, tmp_path: Path) -> None:
    """A macro may read what it likes."""
    script = STAFF + "; CREATE MACRO pay_of(i) AS (SELECT salary FROM staff WHERE id = i)"
    url = build_duckdb(tmp_path, script + "; CREATE VIEW called AS SELECT id, pay_of(id) AS p FROM staff")
    views = [table.name for table in connect("duckdb", url, **HIDDEN).schema("A").tables if table.view]
    assert views == ["names", "second"]


def test_a_view_without_a_text_is_left_out(mysql: MysqlDatabase, connect: Connect) -> None:
    """A user who may not see what a view reads sees no view: MySQL wants the right SHOW VIEW."""
    mysql.run(STAFF)
    tables = connect("mysql", mysql.reader_url, **HIDDEN).schema("A").tables
    assert [table.name for table in tables] == ["staff", "teams"]


def test_sqlite_itself_refuses_them(connect: Connect, tmp_path: Path) -> None:
    """Past the guard, where the engine can tell columns apart, it does."""
    catalog = connect("sqlite", build_sqlite(tmp_path, STAFF), **HIDDEN)
    scope = catalog.schema("A").scope
    found = []
    for sql in ("SELECT salary FROM staff", "SELECT * FROM pay", "SELECT count(*) FROM staff WHERE salary > 1"):
        with suppress(Failed), catalog.database("A").session(scope) as session:
            found += [row for batch in session.stream(sql)[1] for row in batch]
    assert found == []


def rows(catalog: Catalog, sql: str) -> list[tuple[object, ...]]:
    """Run a query as the bot does: through the guard, in a session of its scope."""
    scope = catalog.schema("A").scope
    verdict = check(sql, catalog.schema("A").dialect, scope)
    assert verdict.allowed, verdict.reason
    with catalog.database("A").session(scope) as session:
        return [row for batch in session.stream(verdict.sql)[1] for row in batch]
