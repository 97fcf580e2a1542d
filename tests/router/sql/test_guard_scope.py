"""Which tables a statement may name, and how names are compared."""

from router.sql.dialect import Name
from router.sql.guard import check
from router.sql.scope import Scope
from tests.support.rows import every_row

HR = Scope.of("hr", [("hr", "staff"), ("hr", "Odd Name"), ("pay", "bands")])
ORACLE = Scope.of("HR", [("HR", "STAFF"), ("HR", "Mixed")])
ORACLE_LOWER = Scope.of("hr", [("hr", "staff")])


@every_row(
    ("dialect", "scope", "sql"),
    [
        ("postgres", HR, "SELECT * FROM staff"),
        ("postgres", HR, "SELECT * FROM STAFF"),
        ("postgres", HR, "SELECT * FROM hr.staff JOIN pay.bands ON true"),
        ("postgres", HR, 'SELECT * FROM "hr"."Odd Name"'),
        ("postgres", HR, "WITH s AS (SELECT * FROM staff) SELECT * FROM s"),
        ("postgres", HR, "WITH staff AS (SELECT * FROM hr.staff) SELECT * FROM staff"),
        ("postgres", HR, "WITH a AS (SELECT 1 AS x), b AS (SELECT x FROM a) SELECT * FROM b AS a"),
        ("postgres", HR, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3) SELECT * FROM n"),
        ("postgres", HR, "SELECT * FROM (SELECT * FROM staff) AS salaries"),
        ("postgres", HR, "WITH x AS (SELECT 1 AS a) SELECT (SELECT max(a) FROM x) FROM staff"),
        ("postgres", HR, "SELECT 1 UNION ALL (WITH x AS (SELECT 2) SELECT * FROM x)"),
        ("oracle", ORACLE, "SELECT * FROM staff, hr.Staff, dual"),
        ("oracle", ORACLE, 'SELECT * FROM "STAFF", "Mixed"'),
        ("oracle", ORACLE_LOWER, "SELECT * FROM staff, HR.STAFF"),
        ("sqlite", HR, 'SELECT * FROM Staff, "STAFF", "odd name"'),
        ("tsql", HR, "SELECT * FROM [HR].[Staff]"),
        ("mysql", HR, "SELECT * FROM `hr`.`staff`, dual"),
        ("duckdb", HR, "FROM staff"),
    ],
)
def test_tables_of_the_scope_may_be_read(dialect: Name, scope: Scope, sql: str) -> None:
    """Names are found as the database finds them; WITH queries and aliases are no tables."""
    assert check(sql, dialect, scope).reason == "This only reads."


@every_row(
    ("dialect", "scope", "sql", "table"),
    [
        ("postgres", HR, "SELECT * FROM hr.salaries", "hr.salaries"),
        ("postgres", HR, "SELECT * FROM salaries", "hr.salaries"),
        ("postgres", HR, "SELECT * FROM bands", "hr.bands"),
        ("postgres", HR, "SELECT * FROM pay.staff", "pay.staff"),
        ("postgres", HR, "SELECT * FROM staff JOIN salaries ON true", "hr.salaries"),
        ("postgres", HR, "SELECT (SELECT 1 FROM salaries)", "hr.salaries"),
        ("postgres", HR, "SELECT 1 UNION SELECT 1 FROM salaries", "hr.salaries"),
        ("postgres", HR, "WITH salaries AS (SELECT * FROM salaries) SELECT * FROM salaries", "hr.salaries"),
        ("postgres", HR, "WITH salaries AS (SELECT 1) SELECT * FROM hr.salaries", "hr.salaries"),
        ("postgres", HR, "WITH a AS (SELECT * FROM b), b AS (SELECT 1) SELECT * FROM a", "hr.b"),
        ("postgres", HR, "WITH RECURSIVE a AS (SELECT * FROM a) SELECT * FROM a", "hr.a"),
        ("postgres", HR, "WITH a AS (SELECT 1 UNION ALL SELECT * FROM a) SELECT * FROM a", "hr.a"),
        ("postgres", HR, 'WITH "B" AS (SELECT 1) SELECT * FROM b', "hr.b"),
        ("postgres", HR, "WITH x AS (WITH b AS (SELECT 1) SELECT * FROM b) SELECT * FROM b", "hr.b"),
        ("postgres", HR, "(WITH b AS (SELECT 1) SELECT * FROM b) UNION ALL SELECT * FROM b", "hr.b"),
        ("postgres", HR, "SELECT * FROM (WITH b AS (SELECT 1) SELECT * FROM b) AS x, b", "hr.b"),
        ("postgres", HR, "SELECT * FROM staff AS b, b", "hr.b"),
        ("postgres", HR, "SELECT * FROM (SELECT 1) AS b WHERE 1 IN (SELECT 1 FROM b)", "hr.b"),
        ("oracle", ORACLE, "WITH staffs AS (SELECT * FROM staffs) SELECT * FROM staffs", "HR.STAFFS"),
        ("oracle", ORACLE, "SELECT * FROM hr.dual2", "HR.DUAL2"),
        ("mysql", HR, "WITH b AS (SELECT 1) SELECT * FROM B", "hr.b"),
        ("tsql", HR, "WITH b AS (SELECT 1 AS x) SELECT * FROM B", "hr.b"),
        ("sqlite", HR, "SELECT * FROM sta\u017ff", "hr.sta\u017ff"),
        ("postgres", HR, "SELECT * FROM \u017ftaff", "hr.\u017ftaff"),
    ],
)
def test_other_tables_are_refused_by_name(dialect: Name, scope: Scope, sql: str, table: str) -> None:
    """The sentence names the table as the database would look for it."""
    expected = f"The table {table} is not among those that this connection may read."
    assert check(sql, dialect, scope).reason == expected


def test_missing_quotes_are_pointed_out() -> None:
    """A name that differs only in case gets advice, because the database would not find it either."""
    scope = Scope.of("public", [("public", "Album")])
    assert check("SELECT * FROM Album", "postgres", scope).reason == (
        "The table public.album is not among those that this connection may read. "
        'Its name has to be written as "Album", with the quotes.'
    )


@every_row(
    ("dialect", "schema", "table", "sql"),
    [
        ("postgres", "public", "pg_orders", 'FROM "public".pg_orders'),
        ("postgres", "public", "pg_user", 'FROM "public".pg_user'),
        ("duckdb", "main", "sales.2024", 'FROM "main"."sales.2024"'),
        ("duckdb", "main", "show", 'FROM "main".show'),
        ("sqlite", "main", "csv", 'FROM "main".csv'),
        ("oracle", "SHOP", "V_ORDERS", 'FROM "SHOP"."V_ORDERS"'),
        ("oracle", "SHOP", "USER_ACCOUNTS", 'FROM "SHOP"."USER_ACCOUNTS"'),
        ("mysql", "shop", "innodb_notes", "FROM `shop`.`innodb_notes`"),
        ("tsql", "dbo", "DM_Sales", "FROM [dbo].[DM_Sales]"),
    ],
)
def test_a_table_called_like_the_systems_own_is_read_with_its_schema(
    dialect: Name, schema: str, table: str, sql: str
) -> None:
    """The bare name would mean the database's own table, or a file; without such a table in the scope it is refused."""
    opening, closing = {"mysql": "``", "tsql": "[]"}.get(dialect, '""')
    typed = f"SELECT a FROM {opening}{table}{closing}"
    verdict = check(typed, dialect, Scope.of(schema, [(schema, table)], {(schema, table): ("a",)}))
    assert verdict.sql.split("FROM")[-1].replace('"', "") == sql.removeprefix("FROM").replace('"', ""), verdict
    assert not check(typed, dialect, Scope.of(schema, [])).allowed


def test_an_empty_scope_allows_no_table() -> None:
    """An empty scope is not the same as none."""
    assert check("SELECT * FROM staff", "duckdb", Scope.of("main", ())).allowed is False
    assert check("SELECT * FROM staff", "duckdb").allowed is True
    assert check("SELECT 1", "duckdb", Scope.of("main", ())).allowed is True
