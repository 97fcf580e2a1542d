"""What rendering would change in a statement is found, whatever sqlglot does."""

import pytest

from router.sql import parsing
from router.sql.dialect import DIALECTS, Name
from router.sql.guard import check
from router.sql.typed_text import changed_words, moved_word
from tests.router.sql.statements import shop
from tests.support.rows import every_row


def changes(typed: str, rendered: str, dialect: Name) -> tuple[str, str]:
    """Return what a rendered text takes away and adds."""
    return changed_words(parsing.tokens(typed, dialect), parsing.tokens(rendered, dialect), dialect)


@every_row(
    ("dialect", "typed", "rendered", "lost", "added"),
    [
        ("mysql", "SELECT 5 & 0x04", "SELECT 5 & x'04'", "HEX_STRING2'04'", "HEX_STRING3'04'"),
        ("tsql", "SELECT FORMAT(amount, status)", "SELECT FORMAT(amount, 'status')", "STATUS", "'status'"),
        ("tsql", "SELECT DATEDIFF(day, a, b)", "SELECT DATEDIFF(day, CAST(a AS DATE), b)", "", "CAST, DATE"),
        ("postgres", "SELECT COUNT(DISTINCT a)", "SELECT COUNT(a)", "DISTINCT", ""),
        ("postgres", "SELECT 'a;b' FROM t", "SELECT 'a' FROM t", "'a;b'", "'a'"),
        ("postgres", "SELECT a FROM t LEFT JOIN u ON 1 = 1", "SELECT a FROM t JOIN u ON 1 = 1", "LEFT", ""),
        ("duckdb", "SELECT b ~ 'x' FROM t", "SELECT REGEXP_MATCHES(b, 'x') FROM t", "~", "REGEXP_MATCHES"),
        ("oracle", "SELECT 1 MINUS SELECT 2", "SELECT 1 INTERSECT SELECT 2", "MINUS", "INTERSECT"),
        ("sqlite", "SELECT 12.50", "SELECT 12.5", "12.50", "12.5"),
    ],
)
def test_a_change_is_named(dialect: Name, typed: str, rendered: str, lost: str, added: str) -> None:
    """Both sides are told, so that a person can write it otherwise."""
    assert changes(typed, rendered, dialect) == (lost, added)


@every_row(
    ("dialect", "typed", "rendered"),
    [
        ("postgres", "select a x from t where b != 1", "SELECT a AS x FROM t WHERE b <> 1"),
        ("postgres", "select a::int from t", "SELECT CAST(a AS INT) FROM t"),
        ("oracle", "select a from t minus select a from u", "SELECT a FROM t EXCEPT SELECT a FROM u"),
        ("mysql", "select a from t limit 2, 3", "SELECT a FROM t LIMIT 3 OFFSET 2"),
        ("sqlite", "select a is not distinct from b, .5", "SELECT a IS b, 0.5"),
        ("tsql", "select total = sum(a) from t", "SELECT SUM(a) AS total FROM t"),
    ],
)
def test_another_spelling_is_no_change(dialect: Name, typed: str, rendered: str) -> None:
    """Two ways to write the same thing."""
    assert changes(typed, rendered, dialect) == ("", "")


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_table_behind_the_condition_is_refused(dialect: Name) -> None:
    """sqlglot reads it as a join of its own; no database takes such a text."""
    for sql in (
        "SELECT * FROM orders WHERE id = 5, customers",
        "SELECT * FROM orders WHERE id = 5, customers ORDER BY 1",
        "SELECT orders.id FROM orders WHERE orders.id = 5 JOIN customers ON customers.id = orders.customer_id",
        "SELECT status, COUNT(*) FROM orders GROUP BY status CROSS JOIN customers",
        "SELECT status FROM orders ORDER BY status, amount JOIN customers ON 1 = 1",
    ):
        verdict = check(sql, dialect, shop(dialect))
        assert not verdict.allowed, sql
        assert "CUSTOMERS stands where it does not belong" in verdict.reason, sql


@every_row(
    ("dialect", "typed", "rendered"),
    [
        ("mysql", "SELECT a FROM t LIMIT 2, 3", "SELECT a FROM t LIMIT 3 OFFSET 2"),
        ("postgres", "SELECT a FROM t OFFSET 2 LIMIT 3", "SELECT a FROM t LIMIT 3 OFFSET 2"),
        ("tsql", "SELECT total = SUM(a), b FROM t", "SELECT SUM(a) AS total, b FROM t"),
        ("duckdb", "SELECT x: 1, y: 2", "SELECT 1 AS x, 2 AS y"),
        ("duckdb", "FROM t SELECT a", "SELECT a FROM t"),
        (
            "oracle",
            "SELECT a FROM t CONNECT BY PRIOR i = p START WITH p = 1",
            "SELECT a FROM t START WITH p = 1 CONNECT BY PRIOR i = p",
        ),
        ("postgres", "SELECT a::INT, CAST(b AS INT)", "SELECT CAST(a AS INT), CAST(b AS INT)"),
    ],
)
def test_another_order_that_says_the_same(dialect: Name, typed: str, rendered: str) -> None:
    """Clauses and aliases that may stand elsewhere."""
    assert not moved_word(parsing.tokens(typed, dialect), parsing.tokens(rendered, dialect), dialect)
