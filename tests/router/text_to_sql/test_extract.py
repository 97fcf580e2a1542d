"""SQL is found in whatever a model wraps around it."""

import pytest

from router.text_to_sql.prompt import extract
from tests.support.rows import every_row


@every_row(
    ("answer", "sql"),
    [
        ("SELECT 1", "SELECT 1"),
        ("```sql\nSELECT 1;\n```", "SELECT 1"),
        ("```\nSELECT a FROM t\n```\nIt selects a.", "SELECT a FROM t"),
        ("```sql\nSELECT a FROM t", "SELECT a FROM t"),
        ("Here is the query:\nSELECT a\nFROM t;\nThis selects a.", "SELECT a\nFROM t"),
        ("SQL: SELECT a FROM t", "SELECT a FROM t"),
        ("SELECT a FROM t\n\nThis query selects all rows.", "SELECT a FROM t"),
        ("SELECT a\n\nFROM t\n\nWHERE b = 1", "SELECT a\n\nFROM t\n\nWHERE b = 1"),
        ("<think>SELECT wrong</think>SELECT a FROM t", "SELECT a FROM t"),
        ("<think>SELECT never ends", None),
        ("The SQL is `SELECT a FROM t`.", "SELECT a FROM t"),
        ("```sql\nSELECT ';' AS a FROM t; SELECT 2\n```", "SELECT ';' AS a FROM t"),
        ("```sql\nDROP TABLE t; SELECT 1\n```", "SELECT 1"),
        ("I can create it:\n```\nWITH a AS (SELECT 1) SELECT * FROM a\n```", "WITH a AS (SELECT 1) SELECT * FROM a"),
        ("WITH RECURSIVE a (n) AS (SELECT 1) SELECT n FROM a", "WITH RECURSIVE a (n) AS (SELECT 1) SELECT n FROM a"),
        ("SELECT a FROM t WHERE b = 'it''s", "SELECT a FROM t WHERE b = 'it''s"),
    ],
)
def test_the_first_query_of_an_answer_is_found(answer: str, sql: str | None) -> None:
    """Fences, chatter, thoughts, semicolons and further statements are left out."""
    assert extract(answer, "sqlite") == sql


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "I cannot select anything from that.",
        "With this query you select the sum of all orders.",
        "DELETE FROM t WHERE id IN (\nSELECT id FROM u)",
        "```sql\nINSERT INTO t\nSELECT 1\n```",
        "```json\n{}\n```",
    ],
)
def test_an_answer_without_a_query_gives_none(answer: str) -> None:
    """Prose is no query, and neither is the inner part of a statement that writes."""
    assert extract(answer, "sqlite") is None
