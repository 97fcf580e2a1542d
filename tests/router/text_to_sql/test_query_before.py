"""What a question takes from the query that it stands below."""

from datetime import date

import pytest

from router.knowledge.knowledge import Example
from router.text_to_sql.query_before import inherits_conditions
from router.text_to_sql.question import Question

PAID = "SELECT o.id FROM orders AS o WHERE o.status = 'paid' ORDER BY o.id"


def below(text: str, sql: str = PAID) -> Question:
    """Return a question below a query."""
    return Question(text, date(2026, 3, 15), follows=Example("paid orders", sql))


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


@pytest.mark.parametrize("condition", ["note IS NULL", "total > (SELECT AVG(total) FROM orders)", "day = DATE('now')"])
def test_conditions_without_constants_are_seen(condition: str) -> None:
    """These are not said by any word of the question either."""
    before = f"SELECT id FROM orders WHERE {condition}"
    assert inherits_conditions(below("how many?", before), f"SELECT COUNT(*) FROM orders WHERE {condition}", "sqlite")
    limited = "SELECT id FROM orders LIMIT 5"
    assert inherits_conditions(below("their totals", limited), "SELECT total FROM orders LIMIT 5", "sqlite")
