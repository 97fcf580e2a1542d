"""What a query does is said in plain words, and never more than it does."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from router.sql.dialect import DIALECTS, Name
from router.sql.explain import MORE, UNSPOKEN, explain
from router.sql.guard import check


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        (
            "SELECT COUNT(*) FROM orders",
            "Reads orders. Takes all of them together. Shows the number of rows.",
        ),
        (
            "SELECT * FROM customers",
            "Reads customers. Shows all columns.",
        ),
        (
            "SELECT DISTINCT country FROM customers ORDER BY 1",
            "Reads customers. Shows country, each different one once. Sorts by country.",
        ),
        (
            "SELECT c.name, SUM(o.total_amount) AS revenue FROM orders o JOIN customers c ON o.customer_id = "
            "c.id WHERE o.order_date >= '2026-01-01' AND o.order_date < '2027-01-01' GROUP BY c.name ORDER "
            "BY revenue DESC LIMIT 5",
            "Reads orders, joined with customers. Keeps only rows where order date is in 2026. Makes one row "
            "for each customer name. Shows customer name and the sum of total amount as “revenue”. Sorts by "
            "revenue, highest first. Keeps the first 5 rows.",
        ),
        (
            "SELECT strftime('%Y-%m', order_date) AS month, ROUND(SUM(total), 2) FROM orders GROUP BY 1",
            "Reads orders. Makes one row for each month of order date. Shows the month of order date as "
            "“month” and the sum of total, rounded.",
        ),
        (
            "SELECT status, COUNT(DISTINCT customer_id) FROM orders GROUP BY status HAVING COUNT(*) > 3",
            "Reads orders. Makes one row for each status. Keeps only results where the number of rows is "
            "more than 3. Shows status and the number of different customer id.",
        ),
        (
            "SELECT 1.0 * COUNT(a) / COUNT(*) AS share FROM t",
            "Reads t. Takes all of them together. Shows 1.0 times the number of rows with a divided by the "
            "number of rows as “share”.",
        ),
        (
            "SELECT a.x FROM a LEFT JOIN b ON a.id = b.a_id AND b.y > 2",
            "Reads a, joined with b (matched where b y is more than 2). Keeps rows without a match in b too. Shows x.",
        ),
        (
            "SELECT a.x FROM a LEFT JOIN b ON a.id IS b.id AND (a.y = b.y OR (a.y IS NULL AND b.y IS NULL))",
            "Reads a, joined with b. Keeps rows without a match in b too. Shows x.",
        ),
        (
            "SELECT a.x FROM a JOIN b ON a.y = b.y OR (a.y IS NULL AND b.z IS NULL)",
            "Reads a, joined with b (matched where y is b y or (y is empty and b z is empty)). Shows x.",
        ),
        (
            "SELECT x FROM a LIMIT 3 OFFSET 6",
            "Reads a. Shows x. Keeps 3 rows after the first 6.",
        ),
        (
            "SELECT x FROM a UNION ALL SELECT y FROM b",
            "Query 1: reads a; shows x. Query 2: reads b; shows y. Puts the rows of both together.",
        ),
        (
            "SELECT x FROM a EXCEPT SELECT y FROM b",
            "Query 1: reads a; shows x. Query 2: reads b; shows y. Keeps the rows of query 1 that are not in query 2.",
        ),
        (
            "WITH m AS (SELECT x, SUM(y) AS s FROM a GROUP BY x) SELECT MAX(s) FROM m",
            "First makes “m”: reads a; makes one row for each x; shows x and the total y as “s”. Reads m. "
            "Takes all of them together. Shows the highest s.",
        ),
        (
            "SELECT a, b FROM t GROUP BY a, b",
            "Reads t. Makes one row for each a and b. Shows a and b.",
        ),
        (
            "SELECT name, MAX(age) FROM t",
            "Reads t. Takes all of them together. Shows name and the highest age.",
        ),
        (
            "SELECT 1 + 1",
            "Shows 1 plus 1.",
        ),
        (
            "SELECT x, ROW_NUMBER() OVER (ORDER BY y) FROM a",
            "Reads a. Shows x and the rank by y.",
        ),
    ],
)
def test_a_query_becomes_a_sentence(sql: str, words: str) -> None:
    """Results, tables, groups, conditions, order and limit, in this order."""
    assert explain(sql, "sqlite") == words


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        ("a = 'x'", "a is “x”"),
        ("a <> 3", "a is not 3"),
        ("a > -1 AND b <= 2", "a is more than -1 and b is at most 2"),
        ("a = 1 OR (b = 2 AND c = 3)", "a is 1 or (b is 2 and c is 3)"),
        ("NOT (a = 1 AND b = 2)", "not (a is 1 and b is 2)"),
        ("a BETWEEN 1 AND 5", "a is from 1 to 5"),
        ("a IN (1, 2)", "a is one of 1, 2"),
        ("a NOT IN ('x')", "a is not “x”"),
        ("a IS NULL AND b IS NOT NULL", "a is empty and b is filled"),
        ("a LIKE 'x%'", "a starts with “x”"),
        ("a LIKE '%x'", "a ends with “x”"),
        ("a LIKE '%x%'", "a contains “x”"),
        ("a NOT LIKE '%x%'", "a does not contain “x”"),
        ("LOWER(a) LIKE LOWER('%X%')", "a contains “X” (in any case)"),
        ("a LIKE 'x_z'", "a matches the pattern “x_z”"),
        ("day >= '2026-01-01'", "day is on or after 2026-01-01"),
        ("day < DATE '2026-01-01'", "day is before 2026-01-01"),
        ("day >= '2026-07-01' AND day < '2026-10-01'", "day is in quarter 3 of 2026"),
        ("day >= '2026-02-01' AND day < '2026-03-01'", "day is in February 2026"),
        ("day >= '2026-02-03' AND day < '2026-03-04'", "day is from 2026-02-03 up to before 2026-03-04"),
        ("day BETWEEN '2026-01-01' AND '2026-12-31'", "day is from 2026-01-01 to 2026-12-31"),
        ("strftime('%Y', day) = '2026'", "the year of day is “2026”"),
        ("a > (SELECT AVG(b) FROM u)", "a is more than the result of an inner query (the average b of u)"),
        ("a IN (SELECT b FROM u)", "a is among the results of an inner query (b of u)"),
        ("EXISTS (SELECT 1 FROM u)", "there is a row in an inner query (the rows of u)"),
        ("NOT EXISTS (SELECT 1 FROM u)", "there is no row in an inner query (the rows of u)"),
        ("a NOT LIKE 'x'", "a does not read “x”"),
        ("CAST(a AS INTEGER) = 1", "`CAST(a AS INTEGER)` is 1"),
        ("a GLOB 'x*'", "`a GLOB 'x*'` holds"),
    ],
)
def test_a_condition_becomes_words(condition: str, words: str) -> None:
    """What has no plain words stands there as it is written."""
    assert (
        explain(f"SELECT z FROM t WHERE {condition}", "sqlite") == f"Reads t. Keeps only rows where {words}. Shows z."
    )


@pytest.mark.parametrize(
    ("sql", "dialect"),
    [
        ("SELECT DISTINCT ON (a) b FROM t", "postgres"),
        ("SELECT a FROM t QUALIFY ROW_NUMBER() OVER (ORDER BY a) = 1", "duckdb"),
        ("SELECT * EXCLUDE (a) FROM t", "duckdb"),
        ("SELECT a FROM t USING SAMPLE 10", "duckdb"),
        ("SELECT a FROM t TABLESAMPLE SYSTEM (5)", "postgres"),
        ("SELECT a FROM t ANTI JOIN u USING (x)", "duckdb"),
        ("SELECT a FROM t NATURAL JOIN u", "sqlite"),
        ("SELECT a, SUM(b) FROM t GROUP BY ROLLUP (a)", "postgres"),
        ("SELECT a FROM t FETCH FIRST 5 ROWS WITH TIES", "oracle"),
        ("SELECT TOP 5 PERCENT a FROM t", "tsql"),
        ("SELECT a FROM t START WITH b = 1 CONNECT BY PRIOR a = b", "oracle"),
        ("(SELECT a FROM t) LIMIT 1", "sqlite"),
        ("SELECT a FROM t WHERE b IN (WITH w AS (SELECT 1 AS x) SELECT x FROM w)", "sqlite"),
    ],
)
def test_what_the_words_leave_out_is_admitted(sql: str, dialect: Name) -> None:
    """A query with a part that has no words here is never told as if it had none."""
    assert explain(sql, dialect).endswith(MORE)


def test_what_cannot_be_read_is_said_to_be_so() -> None:
    """An honest sentence instead of an error."""
    assert explain("SELECT FROM WHERE", "sqlite") == UNSPOKEN


TABLES = ("orders", "customers", "Order Lines", "regions_2")
COLUMNS = ("id", "total_amount", "name", "day")

columns = some.sampled_from(COLUMNS)
values = some.sampled_from(("1", "'x'", "NULL", "'2026-01-01'", "(SELECT MAX(id) FROM regions_2)"))
plain = some.one_of(
    columns,
    some.builds(
        "{}({})".format, some.sampled_from(("SUM", "COUNT", "MIN", "LOWER", "COUNT(DISTINCT id) + SUM")), columns
    ),
    some.builds("CASE WHEN {} > 1 THEN 'a' ELSE 'b' END".format, columns),
    some.builds("RANK() OVER (PARTITION BY {} ORDER BY {})".format, columns, columns),
)
conditions = some.recursive(
    some.builds("{} {} {}".format, columns, some.sampled_from(("=", "<", ">=", "IS", "LIKE", "<>")), values)
    | some.builds("{} IN (SELECT {} FROM customers)".format, columns, columns)
    | some.builds("{} BETWEEN {} AND {}".format, columns, values, values),
    lambda inner: (
        some.builds("({} {} {})".format, inner, some.sampled_from(("AND", "OR")), inner)
        | some.builds("NOT {}".format, inner)
    ),
    max_leaves=5,
)


@some.composite
def queries(draw: some.DrawFn) -> str:
    names = draw(some.lists(some.sampled_from(TABLES), min_size=1, max_size=3))
    tables = f'"{names[0]}" AS t0' + "".join(
        f' {draw(some.sampled_from(("JOIN", "LEFT JOIN", "CROSS JOIN")))} "{name}" AS t{n}'
        for n, name in enumerate(names[1:], 1)
    )
    sql = f"SELECT {', '.join(draw(some.lists(plain, min_size=1, max_size=3)))} FROM {tables}"
    sql += f" WHERE {draw(conditions)}" if draw(some.booleans()) else ""
    sql += f" GROUP BY {draw(columns)} HAVING {draw(conditions)}" if draw(some.booleans()) else ""
    if draw(some.booleans()):
        return f"WITH w AS ({sql}) SELECT * FROM w UNION SELECT name FROM customers"
    return sql + (f" ORDER BY {draw(columns)} DESC LIMIT 3" if draw(some.booleans()) else "")


@given(queries(), some.sampled_from(sorted(DIALECTS)))
def test_every_query_that_may_run_is_explained_and_names_its_tables(sql: str, dialect: Name) -> None:
    """Whatever the guard allows, the person reads which tables it reads."""
    verdict = check(sql, dialect)
    words = explain(verdict.sql if verdict.allowed else sql, dialect)
    for name in TABLES:
        assert name.lower() in words.lower() or name not in sql or words == UNSPOKEN
    assert words != UNSPOKEN or not verdict.allowed


@pytest.mark.parametrize(
    ("sql", "told"),
    [
        ("SELECT * FROM a, b", True),
        ("SELECT * FROM a CROSS JOIN b WHERE a.x > 3", True),
        ("SELECT * FROM a, b WHERE a.id = b.a_id", False),
        ("SELECT * FROM a JOIN b ON a.id = b.a_id", False),
        ("SELECT * FROM a JOIN b USING (id)", False),
    ],
)
def test_a_join_without_a_tie_is_told(sql: str, told: bool) -> None:
    """Whoever approves hears that every row meets every row, and only where that is so."""
    assert ("(every row with every row)" in explain(sql, "sqlite")) == told
