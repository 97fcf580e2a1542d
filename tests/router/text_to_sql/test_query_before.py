"""What a question takes from the query that it stands below."""

from datetime import date

import pytest

from router.knowledge.knowledge import Example
from router.sql.dialect import Name
from router.text_to_sql.query_before import count_rows, inherits_conditions
from router.text_to_sql.question import Question

PAID = "SELECT o.id FROM orders AS o WHERE o.status = 'paid' ORDER BY o.id"


def below(text: str, sql: str = PAID) -> Question:
    """Return a question below a query."""
    return Question(text, date(2026, 3, 15), follows=Example("paid orders", sql))


@pytest.mark.parametrize(
    "text",
    ["How many are there?", "and how many is that?", "Wie viele sind das?", "Combien y en a-t-il ?"],
)
def test_the_rows_are_counted(text: str) -> None:
    """Their order does not matter, as some databases take none there."""
    counted = "SELECT COUNT(*) FROM (SELECT o.id FROM orders AS o WHERE o.status = 'paid') AS query_before"
    assert counted == count_rows(below(text), "sqlite")


@pytest.mark.parametrize(
    ("question", "dialect"),
    [
        (below("how many orders are there?"), "sqlite"),
        (below("how many are there?", "SELECT COUNT(*) FROM orders"), "sqlite"),
        (below("how many are there?", "SELECT FROM WHERE"), "postgres"),
        (Question("how many are there?", date(2026, 3, 15)), "sqlite"),
    ],
)
def test_anything_else_is_up_to_the_model(question: Question, dialect: Name) -> None:
    """Other words, one number above, SQL that cannot be read, or nothing above."""
    assert "" == count_rows(question, dialect)


@pytest.mark.parametrize(
    ("sql", "inherits"),
    [
        ("SELECT COUNT(*) FROM orders WHERE status = 'paid' AND total > 77", True),
        ("SELECT COUNT(*) FROM customers JOIN orders AS x ON true WHERE x.status = 'paid'", True),
        ("SELECT COUNT(*) FROM orders", False),
        ("SELECT COUNT(*) FROM orders WHERE status = 'open'", False),
        ("SELECT FROM WHERE", False),
    ],
)
def test_conditions_of_the_query_before_are_seen(sql: str, inherits: bool) -> None:
    """Whatever other conditions stand beside them, and whatever the tables are called."""
    assert inherits == inherits_conditions(below("how many do we have?"), sql, "sqlite")
