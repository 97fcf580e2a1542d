"""Every name is resolved in its own scope; columns that may not be read are no columns at all."""

import re

import pytest
from sqlglot import exp

from router.sql import parsing
from router.sql.dialect import Name
from router.sql.guard import check
from router.sql.scope import Scope
from tests.support.rows import every_row

COLUMNS = {
    "customers": ("id", "name", "city", "data", "tags"),
    "orders": ("id", "customer_id", "amount", "status", "ordered"),
    "people": ("id", "name", "boss"),
}
HIDDEN = {"people": ("salary", "ssn")}
SCHEMA: dict[Name, str] = {
    "sqlite": "main", "duckdb": "main", "postgres": "public", "oracle": "SHOP", "mysql": "shop", "tsql": "dbo",
}  # fmt: skip


def scope(dialect: Name) -> Scope:
    """Return the tables above as this database spells them."""
    spell = str.upper if dialect == "oracle" else str

    def spelled(names: dict[str, tuple[str, ...]]) -> dict[tuple[str, str], tuple[str, ...]]:
        return {(SCHEMA[dialect], spell(table)): tuple(map(spell, columns)) for table, columns in names.items()}

    columns = spelled(COLUMNS)
    return Scope.of(SCHEMA[dialect], columns, columns, spelled(HIDDEN))


CALLS: list[tuple[Name, str]] = [
    ("postgres", "SELECT ('select * from secrets'::text).ts_stat"),
    ("postgres", "SELECT ((SELECT 'x'::text)).ts_stat"),
    ("postgres", "SELECT (customers).leak FROM customers"),
    ("postgres", "SELECT (c.name).ts_stat FROM customers c"),
    ("postgres", "SELECT (ROW(1, 2)).f1"),
    ("postgres", "SELECT s.ts_stat FROM unnest(ARRAY['select']) AS s"),
    ("postgres", "SELECT unnest.ts_stat FROM unnest(ARRAY['select'])"),
    ("postgres", "SELECT string_to_table.ts_stat FROM string_to_table('x', 'y')"),
    ("postgres", "SELECT s.pg_terminate_backend FROM generate_series(1, 9) AS s"),
    ("postgres", "SELECT s.ts_stat FROM concat('select') AS s"),
    ("postgres", "SELECT x.ts_stat FROM CAST('select' AS text) x"),
    ("postgres", "SELECT c.leak FROM customers c"),
    ("postgres", "SELECT q.leak FROM (SELECT id FROM customers) q"),
    ("postgres", "WITH q AS (SELECT id FROM customers) SELECT q.leak FROM q"),
    ("postgres", "SELECT v.ts_stat FROM (VALUES ('x')) v"),
    ("postgres", "SELECT 1 FROM customers ORDER BY customers.leak"),
    ("postgres", "SELECT count(*) FILTER (WHERE c.leak) FROM customers c"),
    ("postgres", "SELECT 1 FROM customers c JOIN orders o ON c.leak = o.id"),
    ("postgres", "SELECT 1 LIMIT (SELECT s.f FROM generate_series(1, 2) s)"),
    ("postgres", "SELECT s.f[1] FROM generate_series(1, 2) s"),
    ("postgres", "SELECT j.a.b FROM json_to_record('{}') AS j(a int)"),
    # An inner source of the same name is not seen where the database looks for the outer one.
    (
        "postgres",
        "SELECT (SELECT 1 FROM (SELECT 1 AS ts_stat) AS s, customers c JOIN orders o ON s.ts_stat = 1) "
        "FROM unnest(ARRAY['x']) AS s",
    ),
    (
        "postgres",
        "SELECT (SELECT q FROM (SELECT s.ts_stat AS q) z, (SELECT 1 AS ts_stat) s) FROM unnest(ARRAY['x']) AS s",
    ),
    ("postgres", "SELECT row_to_json.row_to_json FROM unnest(ARRAY[1], ARRAY[2]) AS row_to_json"),
    ("oracle", "SELECT my_pkg.delete_all FROM customers WHERE EXISTS (SELECT 1 FROM orders my_pkg)"),
    ("oracle", "SELECT (SELECT 1 FROM orders my_pkg) FROM customers WHERE my_pkg.f = 1"),
    ("oracle", "WITH my_pkg AS (SELECT id FROM orders) SELECT my_pkg.f FROM customers"),
    ("oracle", "SELECT c.my_func FROM customers c"),
    ("oracle", "SELECT my_func FROM customers"),
    ("oracle", "SELECT 1 AS my_func FROM customers WHERE my_func > 0"),
    ("oracle", "SELECT 1 AS my_func FROM customers GROUP BY my_func"),
    ("oracle", "SELECT name AS my_func FROM customers ORDER BY (SELECT my_func FROM dual)"),
    ("oracle", "SELECT id FROM customers CONNECT BY PRIOR my_func = id"),
    ("oracle", "SELECT q.f FROM (SELECT COUNT(*) FROM customers) q"),
]


@every_row(("dialect", "sql"), CALLS)
def test_what_looks_like_a_column_is_one(dialect: Name, sql: str) -> None:
    """No name with a dot, and in Oracle no bare name, can be a call of a function."""
    assert check(sql, dialect, scope(dialect)).allowed is False


ELSEWHERE: list[tuple[Name, str]] = [
    ("duckdb", "SELECT * FROM histogram_values('secrets', 'pw')"),
    ("duckdb", "SELECT histogram_values(secrets, pw) FROM customers"),
    ("duckdb", "SELECT * FROM abs(1)"),
    ("postgres", "SELECT * FROM lower('x')"),
    ("sqlite", "SELECT * FROM upper('x')"),
    ("postgres", "SELECT * FROM ROWS FROM (generate_series(1, 2)) x"),
    ("mysql", "SELECT 1 FROM customers /*!50000 , secrets */"),
    ("mysql", "SELECT 1 FROM customers /*M! , secrets */"),
    ("duckdb", "PIVOT secrets ON name"),
    ("duckdb", "FROM (PIVOT secrets ON name)"),
    ("duckdb", "UNPIVOT secrets ON name INTO NAME a VALUE b"),
    ("sqlite", "SELECT nothing FROM customers"),
    ("mysql", "SELECT c.nothing FROM customers c"),
    ("tsql", "SELECT nothing FROM customers"),
    ("duckdb", "SELECT nothing FROM customers"),
]


@every_row(("dialect", "sql"), ELSEWHERE)
def test_functions_in_from_and_tables_have_their_lists(dialect: Name, sql: str) -> None:
    """What is read from is a table of the scope, a query, or a function that may stand there."""
    assert check(sql, dialect, scope(dialect)).allowed is False


EVERYWHERE = [
    "SELECT salary FROM people",
    "SELECT p.ssn FROM people p",
    "SELECT name FROM people WHERE salary > 5",
    "SELECT name FROM people ORDER BY salary",
    "SELECT name FROM people GROUP BY name, salary",
    "SELECT name FROM people GROUP BY name HAVING max(salary) > 5",
    "SELECT count(ssn) FROM people",
    "SELECT name AS salary FROM people ORDER BY salary",
    "SELECT name AS salary FROM people WHERE salary > 5",
    "SELECT 1 FROM customers WHERE EXISTS (SELECT 1 FROM people WHERE ssn = '1')",
    "SELECT 1 FROM people WHERE EXISTS (SELECT 1 FROM customers WHERE ssn = '1')",
    "SELECT 1 FROM people p JOIN people q ON p.salary = q.salary",
    "SELECT 1 FROM people p JOIN (SELECT id, ssn FROM people) q ON p.id = q.id",
    "SELECT sum(id) OVER (ORDER BY salary) FROM people",
    "SELECT CASE WHEN salary > 5 THEN 1 ELSE 0 END FROM people",
    "SELECT name FROM people UNION SELECT ssn FROM people",
    "SELECT id FROM customers WHERE id IN (SELECT salary FROM people)",
    "WITH q AS (SELECT * FROM people) SELECT salary FROM q",
    "WITH q AS (SELECT * FROM people) SELECT q.ssn FROM q",
    "SELECT q.salary FROM (SELECT * FROM people) q",
    "SELECT q.salary FROM (SELECT p.* FROM people p) q",
    "SELECT SALARY FROM people",
]
HIDDEN_BY_DIALECT: list[tuple[Name, str]] = [
    # What an inner query has by another name, or only perhaps, may be a column of an outer one.
    ("postgres", "SELECT (SELECT id AS ssn FROM customers ORDER BY CAST(ssn AS int) LIMIT 1) FROM people"),
    ("postgres", "SELECT (SELECT max(id) AS ssn FROM customers GROUP BY 1 / (ssn - 1)) FROM people"),
    ("duckdb", "SELECT (SELECT salary FROM (SELECT 1 + 1) t) FROM people"),
    ("duckdb", "SELECT (SELECT q.salary FROM (SELECT 1 + 1) q) FROM people q"),
    ("duckdb", "SELECT (SELECT p FROM (SELECT 1 + 1) z) FROM people p"),
    ("duckdb", "WITH z AS (SELECT 1 + 1) SELECT (SELECT salary FROM z) FROM people"),
    ("mysql", "SELECT (SELECT salary FROM (SELECT count(*) FROM orders) t) FROM people"),
    ("mysql", "SELECT name FROM people WHERE (SELECT salary FROM (SELECT 1 + 1) t) > 5"),
    ("sqlite", "SELECT (SELECT salary FROM (SELECT 1 + 1) t) FROM people"),
    ("sqlite", "SELECT (SELECT salary AS salary) FROM people"),
    (
        "tsql",
        "SELECT (SELECT salary FROM (SELECT id, amount FROM orders) o PIVOT (SUM(amount) FOR id IN ([1])) q) "
        "FROM people",
    ),
    # A server that tells P from p would look further out.
    ("mysql", "SELECT (SELECT P.ssn FROM customers p LIMIT 1) FROM people P"),
    ("tsql", "SELECT (SELECT P.ssn FROM customers p) FROM people P"),
    ("postgres", "SELECT p FROM people p"),
    ("postgres", "SELECT people FROM people"),
    ("postgres", "SELECT to_json(p) FROM people p"),
    ("postgres", "SELECT to_json(p.*) FROM people p"),
    ("postgres", "SELECT ROW(p.*) FROM people p"),
    ("postgres", "SELECT count(p) FROM people p"),
    ("postgres", "SELECT count(p.*) FROM people p"),
    ("postgres", "SELECT (p).salary FROM people p"),
    ("postgres", "SELECT p IS NULL FROM people p"),
    ("postgres", "SELECT array_agg(p) FROM people p"),
    ("postgres", "SELECT name FROM people p ORDER BY p"),
    ("postgres", "SELECT DISTINCT ON (p) name FROM people p"),
    ("postgres", "SELECT 1 FROM customers c WHERE EXISTS (SELECT p FROM people p WHERE p.id = c.id)"),
    ("postgres", "SELECT * FROM people NATURAL JOIN customers"),
    ("postgres", "SELECT 1 FROM people p JOIN people q USING (ssn)"),
    ("postgres", "SELECT c FROM people AS p(a, b, c, d)"),
    ("postgres", "SELECT d FROM (people JOIN customers ON true) AS j(a, b, c, d)"),
    ("postgres", "SELECT j.salary FROM (people JOIN customers ON true) AS j"),
    ("postgres", "SELECT public.people.salary FROM public.people"),
    ("postgres", "SELECT date_trunc(ssn, now()) FROM people"),
    ("postgres", "SELECT x.salary FROM people p CROSS JOIN LATERAL (SELECT p.*) x"),
    ("postgres", "SELECT ctid FROM people"),
    ("duckdb", "SELECT COLUMNS('s.*') FROM people"),
    ("duckdb", "SELECT COLUMNS(*) FROM people"),
    ("duckdb", "SELECT min(COLUMNS(*)) FROM people"),
    ("duckdb", "SELECT #4 FROM people"),
    ("duckdb", "SELECT people FROM people"),
    ("duckdb", "SELECT people.salary.x FROM people"),
    ("duckdb", "SELECT unnest(p) FROM people p"),
    ("duckdb", "SELECT {'a': p} FROM people p"),
    ("duckdb", "SELECT * RENAME (name AS n) FROM people"),
    ("duckdb", "SELECT * EXCLUDE (name), salary FROM people"),
    ("duckdb", "SELECT * REPLACE (salary AS name) FROM people"),
    ("duckdb", "SELECT list_transform([1], lambda x: x + salary) FROM people"),
    ("duckdb", "PIVOT people ON name USING sum(salary)"),
    ("duckdb", "PIVOT people ON name USING count(*)"),
    ("duckdb", "UNPIVOT people ON COLUMNS(* EXCLUDE (id)) INTO NAME n VALUE v"),
    ("duckdb", "SELECT rowid FROM people"),
    ("duckdb", "SELECT * FROM people POSITIONAL JOIN customers WHERE ssn = '1'"),
    ("sqlite", "SELECT rowid FROM people"),
    ("sqlite", "SELECT _rowid_, oid FROM people"),
    ("sqlite", 'SELECT "ssn" FROM people'),
    ("sqlite", "SELECT [ssn] FROM people"),
    ("sqlite", "SELECT * FROM people NATURAL JOIN customers"),
    # SQLite looks for names of a join and of a function's arguments in the whole FROM.
    ("sqlite", "SELECT (SELECT 1 FROM json_each(s.salary), people s) FROM (SELECT 1 AS salary) s"),
    (
        "sqlite",
        "SELECT (SELECT 1 FROM orders o JOIN customers c ON s.salary > 1, people s) FROM (SELECT 1 AS salary) s",
    ),
    ("mysql", "SELECT _rowid FROM people"),
    ("mysql", "SELECT `ssn` FROM people"),
    ("mysql", "SELECT 1 FROM people JOIN customers USING (ssn)"),
    ("tsql", "SELECT [ssn] FROM people"),
    ("tsql", "SELECT v FROM people UNPIVOT (v FOR n IN (salary, ssn)) AS u"),
    ("oracle", 'SELECT "SSN" FROM people'),
    ("oracle", "SELECT rowid FROM people"),
    ("oracle", "SELECT * FROM people PIVOT (SUM(salary) FOR name IN ('a'))"),
]


OF_A_HIDDEN_NAME: list[tuple[Name, str]] = [
    ("postgres", "SELECT id AS ssn FROM people ORDER BY ssn"),
    ("postgres", "SELECT id AS ssn, count(*) FROM people GROUP BY ssn"),
    ("postgres", "SELECT date_trunc('month', now()) AS salary FROM people"),
    ("postgres", "SELECT c.ssn FROM (SELECT id AS ssn FROM customers) c JOIN people p ON p.id = c.ssn"),
    ("postgres", "WITH ssn AS (SELECT 1 AS salary) SELECT salary FROM ssn, people"),
    ("postgres", "SELECT s.* FROM people s JOIN LATERAL (SELECT s.name AS salary) l ON l.salary = s.name"),
    ("duckdb", "SELECT list_transform([1], lambda ssn: ssn + 1) FROM people"),
    ("duckdb", "SELECT [ssn + 1 FOR ssn IN [1, 2]] FROM people"),
    ("duckdb", "SELECT id AS salary FROM people WHERE salary > 1"),
    ("sqlite", 'SELECT "ssn" FROM people'),
    ("sqlite", 'SELECT name FROM people WHERE name = "ssn"'),
    ("tsql", "SELECT DATEDIFF(ssn, 1, 2) FROM people"),
    ("mysql", "SELECT id AS ssn FROM people HAVING ssn > 1"),
]


def uncovered(sql: str, dialect: Name) -> list[str]:
    """Return where a text reads people but by a query that lists columns which may be read."""
    tree = parsing.statement(sql, dialect)
    assert isinstance(tree, exp.Expr)
    made = {cte.alias for cte in tree.find_all(exp.CTE)}
    found = []
    for table in tree.find_all(exp.Table):
        query = table.find_ancestor(exp.Select, exp.Pivot)
        listed = {each.sql(dialect).strip('`"[]').lower() for each in query.expressions} if query else {"*"}
        if table.name.lower() == "people" and table.name not in made and not listed <= {*COLUMNS["people"]}:
            found.append(table.sql(dialect))
    return found


@every_row(("dialect", "sql"), [*((name, sql) for name in SCHEMA for sql in EVERYWHERE), *HIDDEN_BY_DIALECT])
def test_hidden_columns_are_nowhere(dialect: Name, sql: str) -> None:
    """Not selected, filtered, sorted by, counted, joined; nor by whole rows, new names, patterns, numbers of rows."""
    verdict = check(sql, dialect, scope(dialect))
    assert not verdict.allowed or uncovered(verdict.sql, dialect) == []
    assert not verdict.allowed or check(verdict.sql, dialect, scope(dialect)) == verdict


@every_row(
    ("dialect", "sql"),
    [*((name, sql) for name in SCHEMA for sql in EVERYWHERE), *HIDDEN_BY_DIALECT, *OF_A_HIDDEN_NAME],
)
def test_nobody_is_told_whether_a_column_is_hidden(dialect: Name, sql: str) -> None:
    """Whatever is typed, the answer is the one for a name that is nowhere."""
    other = sql.replace("ssn", "qqx").replace("salary", "wwwwwx").replace("SALARY", "WWWWWX").replace("SSN", "QQX")
    hidden, none = check(sql, dialect, scope(dialect)), check(other, dialect, scope(dialect))
    renamed = re.sub("(?i)wwwwwx", "salary", re.sub("(?i)qqx", "ssn", f"{none.reason} {none.sql}"))
    assert f"{hidden.reason} {hidden.sql}".lower() == renamed.lower()


def test_a_quoted_name_of_nothing_is_a_text_to_sqlite() -> None:
    """As it reads it; a column of that name stays a column."""
    sql = """SELECT "name" FROM customers WHERE city = "Sky Radio's" """
    assert check(sql, "sqlite", scope("sqlite")).sql == "SELECT \"name\" FROM customers WHERE city = 'Sky Radio''s'"


def test_the_text_that_runs_has_one_spelling() -> None:
    """Where a server may tell upper from lower case, names are written as the table and its alias are."""
    assert check("SELECT O.id, o.AMOUNT FROM orders o", "tsql", scope("tsql")).sql == (
        "SELECT o.id, o.amount FROM [dbo].orders AS o"
    )
    assert check("SELECT O.id FROM Orders o", "mysql", scope("mysql")).sql == "SELECT o.id FROM `orders` AS o"


def test_rows_that_are_unnested_have_a_column_of_their_own() -> None:
    """Without the list of names, PostgreSQL would take `leak.leak` for a call on each row."""
    sql = "SELECT leak.leak FROM customers c, LATERAL unnest(ARRAY[c]) AS leak"
    assert check(sql, "postgres", scope("postgres")).sql == (
        "SELECT leak.leak FROM customers AS c, LATERAL UNNEST(ARRAY[c]) AS leak(leak)"
    )


COVERS: list[tuple[Name, str, str]] = [
    ("postgres", "SELECT * FROM people", 'SELECT * FROM (SELECT "id", "name", "boss" FROM people) AS people'),
    ("sqlite", "SELECT p.* FROM people p", 'SELECT p.* FROM (SELECT "id", "name", "boss" FROM people) AS p'),
    ("mysql", "SELECT * FROM people", "SELECT * FROM (SELECT `id`, `name`, `boss` FROM people) AS people"),
    ("tsql", "SELECT * FROM people", "SELECT * FROM (SELECT [id], [name], [boss] FROM [dbo].people) AS people"),
    ("oracle", "SELECT * FROM people", 'SELECT * FROM (SELECT "ID", "NAME", "BOSS" FROM people) people'),
    ("duckdb", "FROM people", 'SELECT * FROM (SELECT "id", "name", "boss" FROM people) AS people'),
    ("postgres", "SELECT name, id FROM people", "SELECT name, id FROM people"),
    ("postgres", "SELECT count(*) FROM orders", "SELECT COUNT(*) FROM orders"),
    ("mysql", "SELECT Orders.id FROM Orders", "SELECT Orders.id FROM `orders` AS Orders"),
    ("mysql", "SELECT 1 FROM DUAL", "SELECT 1 FROM DUAL"),
]


@every_row(("dialect", "sql", "written"), COVERS)
def test_a_table_with_hidden_columns_is_read_through_a_query_of_the_others(
    dialect: Name, sql: str, written: str
) -> None:
    """But where the query does no more than list such columns itself, or no column is hidden."""
    assert " ".join(check(sql, dialect, scope(dialect)).sql.split()) == written


GOOD: list[tuple[Name, str]] = [
    ("postgres", "SELECT e ->> 'a', e FROM json_array_elements('[]') AS e"),
    ("postgres", "SELECT row_to_json(c), c FROM customers c"),
    ("postgres", "SELECT row_to_json(q) FROM (SELECT * FROM people) q"),
    ("postgres", "SELECT g.n, d FROM generate_series(1, 3) AS g(n), generate_series(1, 2) d"),
    ("postgres", "SELECT x, n FROM unnest(ARRAY['a']) WITH ORDINALITY AS u(x, n)"),
    ("postgres", "SELECT q.count, q.max, q.coalesce FROM (SELECT count(*), max(id), coalesce(id, 1) FROM orders) q"),
    ("postgres", "SELECT q.amount FROM (SELECT amount::int FROM orders) q"),
    ("postgres", "SELECT public.customers.name, customers.ctid FROM public.customers"),
    ("postgres", "SELECT v.column1 FROM (VALUES (1)) v"),
    ("postgres", "SELECT status AS s, count(*) FROM orders GROUP BY s ORDER BY s"),
    ("postgres", "SELECT c.name FROM customers c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id)"),
    ("postgres", "SELECT x.s FROM customers c CROSS JOIN LATERAL (SELECT sum(o.amount) AS s FROM orders o "
                 "WHERE o.customer_id = c.id) x"),
    ("postgres", "SELECT r.a FROM json_to_recordset('[]') AS r(a int, b text)"),
    ("postgres", "SELECT coalesce(data -> 'tags', '{}') FROM customers"),
    ("postgres", "SELECT sum(id) OVER w FROM orders WINDOW w AS (PARTITION BY status)"),
    ("duckdb", "SELECT t.x.y, x.y, (x).y FROM (SELECT {'y': 1} AS x) t"),
    ("duckdb", "SELECT amount * 2 AS d, d + 1 AS e FROM orders WHERE d > 1 QUALIFY row_number() OVER (ORDER BY e) = 1"),
    ("duckdb", "SELECT [x + id FOR x IN tags IF x > 1], list_filter(tags, lambda x: x > id) FROM customers"),
    ("duckdb", "SELECT u.unnest, s.value FROM customers, unnest(tags) u, json_each(data) s"),
    ("duckdb", "PIVOT orders ON status USING sum(amount) GROUP BY customer_id ORDER BY customer_id LIMIT 5"),
    ("duckdb", "WITH p AS (SELECT * FROM people) PIVOT p ON name USING count(*)"),
    ("duckdb", "SELECT * FROM orders UNPIVOT (v FOR n IN (amount, id)) WHERE n = 'id' AND v > 1"),
    ("sqlite", "SELECT c.name, count(*) AS n FROM customers c, orders o WHERE n > 1"),
    ("sqlite", 'SELECT name FROM customers WHERE city = "Berlin" OR city LIKE "B%" GROUP BY "name" HAVING max(id) > 1'),
    ("sqlite", "SELECT value, c.rowid FROM customers c, json_each(c.data)"),
    ("sqlite", "SELECT customers.rank FROM customers WHERE customers MATCH 'x' ORDER BY rank"),
    ("oracle", "SELECT LEVEL, SYSDATE, c.ROWID, ROWNUM, name AS n FROM customers c ORDER BY n, UPPER(n)"),
    ("oracle", "SELECT c.data.address.city FROM customers c"),
    ("oracle", "SELECT xx FROM (SELECT status, amount FROM orders) PIVOT (SUM(amount) FOR status IN ('x' AS xx)) p"),
    ("oracle", "SELECT j.a FROM customers c, JSON_TABLE(c.data, '$' COLUMNS (a NUMBER PATH '$.a')) j"),
    ("mysql", "SELECT status AS s, sum(amount) AS t FROM orders GROUP BY s HAVING t > 1"),
    ("tsql", "SELECT p.[1] FROM (SELECT id, amount FROM orders) s PIVOT (SUM(amount) FOR id IN ([1], [2])) p"),
    ("tsql", "SELECT c.name, j.[key] FROM customers c CROSS APPLY OPENJSON(c.data) j ORDER BY name"),
]  # fmt: skip


@every_row(("dialect", "sql"), GOOD)
def test_names_that_stand_for_something_are_found(dialect: Name, sql: str) -> None:
    """Columns, outputs, aliases where they count, parameters, whole rows, pseudo-columns."""
    assert check(sql, dialect, scope(dialect)).reason == "This only reads."


@pytest.mark.parametrize("dialect", SCHEMA)
def test_a_near_name_is_offered(dialect: Name) -> None:
    """What a model or a person misspelt is told with the column that there is."""
    name = "NAME" if dialect == "oracle" else "name"
    reason = check("SELECT nmae FROM customers", dialect, scope(dialect)).reason
    assert reason == f"The tables of this query have no column nmae that may be read. Did you mean {name}?"
