"""A query is put into words that are short and true; the cases lie in a file, to be read.

`uv run pytest tests/router/sql/explain --update -n0` writes the file again: read it.
"""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

from adapters.rendering.text import pieces, strip_marks
from router.sql.databases.session import Described
from router.sql.dialect import DIALECTS, Name
from router.sql.explain.explanation import MORE_THAN_TOLD, TOO_UNUSUAL, explain, explanation_of, headed
from router.sql.explain.title import FILTERED, TITLE_MAX_CHARS
from router.sql.guard import check
from tests.support.rows import every_row

FILE = Path(__file__).with_name("described.txt")


def cases() -> list[tuple[Name, str]]:
    """Return the queries of the file with their dialects; those without one are SQLite's."""
    found: list[tuple[Name, str]] = []
    for block in FILE.read_text(encoding="utf-8").strip().split("\n\n"):
        first, _, rest = block.splitlines()[0].partition(": ")
        known = next((name for name in DIALECTS if name == first), None)
        found.append((known, rest) if known else ("sqlite", block.splitlines()[0]))
    return found


def described(dialect: Name, sql: str) -> str:
    """Return a query as it stands in the file."""
    words = explanation_of(sql, dialect)
    prefix = "" if dialect == "sqlite" else f"{dialect}: "
    return "\n".join([f"{prefix}{sql}", f"  = {words.title}", *(f"  - {each}" for each in words.steps)])


def test_the_words_are_those_of_the_file(request: pytest.FixtureRequest) -> None:
    """A changed word shows what else it changes; titles are short lines without a full stop."""
    due = "\n\n".join(described(*each) for each in cases()) + "\n"
    if request.config.getoption("--update"):
        FILE.write_text(due, encoding="utf-8")

    assert due == FILE.read_text(encoding="utf-8")
    for title in (line.removeprefix("  = ") for line in due.splitlines() if line.startswith("  = ")):
        assert 0 < len(title) <= TITLE_MAX_CHARS
        assert title[0] == title[0].upper()
        assert not title.endswith(".")


UNTRUE = [
    ("SELECT COUNT(*) AS revenue FROM orders", "evenue"),
    ("SELECT SUM(quantity) AS revenue FROM items", "evenue"),
    ("SELECT MIN(price) AS highest_price FROM products", "ighest"),
    ("SELECT SUM(total) AS paid_revenue FROM orders", "aid"),
    ("SELECT SUM(total) AS revenue_2024 FROM orders", "2024"),
    ("SELECT COUNT(*) AS customers FROM orders o JOIN customers c ON o.customer_id = c.id", "ustomers"),
    ("SELECT MAX(a, b) FROM t", "ighest a"),
    ("SELECT c.name, SUM(o.total) FROM orders o JOIN customers c ON o.c_id = c.id GROUP BY c.name", "by customer from"),
    ("SELECT DATE(sent_at), COUNT(*) FROM t GROUP BY 1", "by sent"),
    ("SELECT c.name, COUNT(o.*) FROM c LEFT JOIN orders o ON o.c_id = c.id GROUP BY 1", "rows"),
    ("SELECT name FROM stores WHERE id NOT IN (SELECT store_id FROM o WHERE a = 1 AND b > c || 'x')", "no o"),
    ("SELECT s.name FROM stores s LEFT JOIN orders o ON o.store_id = s.id WHERE o.note IS NULL", "no orders"),
    ("SELECT c.id, COUNT(*) FROM c LEFT JOIN orders o ON o.c_id = c.id GROUP BY c.id", "of orders"),
    ("SELECT a FROM t ORDER BY b DESC LIMIT 3 OFFSET 3", "highest"),
    ("SELECT name FROM stores WHERE id IN (SELECT customer_id FROM orders)", "with orders"),
    ("SELECT name FROM customers WHERE id IN (SELECT order_id FROM orders)", "with orders"),
    ("SELECT c.last_name, COUNT(*) FROM orders o JOIN customers c ON o.c_id = c.id GROUP BY 1 LIMIT 3", "customer,"),
    ("WITH a AS (SELECT * FROM a LIMIT 3) SELECT COUNT(*) FROM (WITH a AS (SELECT 1) SELECT * FROM a)", "of a"),
    ("SELECT COUNT(*) FROM (SELECT country FROM customers GROUP BY country) AS c", "ustomers"),
    ("SELECT COUNT(*) FROM (SELECT country FROM customers GROUP BY country) AS c", "rows by"),
]


@every_row(("sql", "untrue"), UNTRUE)
def test_a_title_claims_nothing_that_the_sql_does_not_do(sql: str, untrue: str) -> None:
    """Names that somebody gave, and conditions said in part, are no ground for a claim."""
    assert untrue not in explanation_of(sql, "sqlite").title


LEFT_OUT = [
    "SELECT c.id, COUNT(o.id) FROM c LEFT JOIN orders o ON o.c_id = c.id AND o.paid = 1 GROUP BY c.id",
    "SELECT COUNT(*) FROM t WHERE shipped > DATE(ordered, '+3 days')",
    "SELECT SUM(x) FROM (SELECT x FROM t ORDER BY x LIMIT 5) AS u",
    "SELECT COUNT(*) FROM t WHERE a = 1 OR b GLOB c",
    "WITH u AS (SELECT x FROM t WHERE y GLOB z) SELECT SUM(x) FROM u",
    "SELECT a, COUNT(*) FROM t GROUP BY a HAVING GROUP_CONCAT(b) = 'x'",
]


@every_row("sql", LEFT_OUT)
def test_a_title_says_that_conditions_are_left_out(sql: str) -> None:
    """Nobody takes a part of the rows for all of them."""
    assert explanation_of(sql, "sqlite").title.endswith(FILTERED)


UNCOVERED: list[tuple[str, Name]] = [
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
    ("SELECT a.x FROM a, b WHERE a.id = b.a_id(+)", "oracle"),
    ("SELECT a FROM t WHERE b IN (WITH w AS (SELECT 1 AS x) SELECT x FROM w)", "sqlite"),
]


@every_row(("sql", "dialect"), UNCOVERED)
def test_what_the_words_leave_out_is_admitted(sql: str, dialect: Name) -> None:
    """A query with a part that has no words here is never described as if it had none."""
    words = explanation_of(sql, dialect)
    assert words.steps[-1] == MORE_THAN_TOLD
    assert words.title.startswith(("A result worked out from", "A calculated value"))


def test_what_cannot_be_read_is_said_to_be_so() -> None:
    """No error, and no claim."""
    words = explanation_of("SELECT FROM WHERE", "sqlite")
    assert ("A query that takes reading", (TOO_UNUSUAL,)) == (words.title, words.steps)


@given(some.text(some.sampled_from("a*`_ <|>\n“”"), min_size=1, max_size=12))
def test_texts_of_somebody_else_are_no_markup(text: str) -> None:
    """Signs that would be bold or code in a card come out as signs that look the same, in names and in values."""
    name, value = f'"{text}"', f"'{text}'"
    sql = f"SELECT {name}, SUM(x + 1) AS {name} FROM {name} WHERE {name} LIKE {value} OR y IN ({value}, {value})"
    words = explanation_of(f"{sql} GROUP BY {name}", "sqlite")
    for line in (words.title, *words.steps):
        assert {""} == {mark for _, mark in pieces(line)}
    assert strip_marks(words.title) == words.title


# Queries of every shape.

TABLES = ("orders", "customers", "Order Lines")
EXPRESSIONS = (
    *("id", "SUM(total)", "COUNT(DISTINCT id) + MIN(day)", "CASE WHEN id > 1 THEN 'a' ELSE name END"),
    "RANK() OVER (PARTITION BY name ORDER BY day)",
)
expressions = some.sampled_from(EXPRESSIONS)
conditions = some.recursive(
    some.builds(
        "{} {}".format,
        expressions,
        some.sampled_from(
            (
                *("= 1", "IS NULL", "LIKE 'x'", ">= '2026-01-01'", "<> (SELECT MAX(id) FROM customers)"),
                *("IN (SELECT id FROM customers)", "BETWEEN 1 AND day"),
            )
        ),
    ),
    lambda inner: some.builds("({} {} NOT {})".format, inner, some.sampled_from(("AND", "OR")), inner),
    max_leaves=5,
)


@given(
    some.lists(expressions, min_size=1, max_size=3),
    some.sampled_from(("JOIN", "LEFT JOIN", "CROSS JOIN")),
    conditions,
    some.sampled_from(("", "GROUP BY name", "GROUP BY 1 HAVING MIN(day) = 1", "ORDER BY day DESC LIMIT 3")),
    some.sampled_from(("{}", "WITH w AS ({}) SELECT * FROM w UNION SELECT name FROM customers")),
    some.sampled_from(sorted(DIALECTS)),
)
def test_every_query_that_may_run_is_explained_and_names_its_tables(
    items: list[str], join: str, condition: str, end: str, around: str, dialect: Name
) -> None:
    """Each query that the guard allows has a title, and its steps name the tables that it reads."""
    tables = f'orders AS o {join} customers AS c {join} "Order Lines" AS l'
    sql = around.format(f"SELECT {', '.join(items)} FROM {tables} WHERE {condition} {end}")
    verdict = check(sql, dialect)
    words = explanation_of(verdict.sql if verdict.allowed else sql, dialect)
    steps = explain(verdict.sql if verdict.allowed else sql, dialect)
    assert steps == " ".join(words.steps)
    assert words.steps != (TOO_UNUSUAL,) or not verdict.allowed
    assert words.steps == (TOO_UNUSUAL,) or all(name.lower() in steps.lower() for name in TABLES)
    assert 0 < len(words.title) <= TITLE_MAX_CHARS


AVERAGES = ("average price", "highest price")
JOINED = "FROM customers c JOIN orders o ON o.customer_id = c.id JOIN products p ON p.id = o.product_id"


@pytest.mark.parametrize(
    ("sql", "names", "headings"),
    [
        ("SELECT COUNT(T2.id) FROM customers T1 JOIN orders T2 ON T1.id = T2.customer_id", "x", ["number of orders"]),
        ("SELECT region, AVG(price), MAX(price) FROM products GROUP BY region", "region x y", ["region", *AVERAGES]),
        ("SELECT COUNT(*) FROM a UNION ALL SELECT COUNT(*) FROM b", "count(*)", ["number of rows of a"]),
        ("SELECT CASE WHEN a > 1 THEN b || c END, COUNT(*) AS n FROM t", "x n", ["calculated value", "n"]),
        (f"SELECT c.name, p.name {JOINED}", "name name", ["customer name", "product name"]),
        ("SELECT * FROM customers", "name", ["name"]),
        ("SELECT * FROM customers", "id name", ["id", "name"]),
        ("no query at all", "name", ["name"]),
    ],
)
def test_columns_without_a_name_get_plain_headings(sql: str, names: str, headings: list[str]) -> None:
    """What a query names keeps its name; an expression is said in words, and equal names with what they belong to."""
    columns = [Described(name, "text") for name in names.split()]
    assert headings == [column.name for column in headed(columns, sql, "sqlite")]
