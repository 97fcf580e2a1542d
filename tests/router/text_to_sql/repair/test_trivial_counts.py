"""Counts that are always 1, as rows are grouped by the key of their own table."""

from datetime import date

import pytest

from router.text_to_sql.critic import signs_of
from router.text_to_sql.question import Question
from tests.support.trade import trade

EACH_ONE = "SELECT id, name, COUNT(*) FROM customers GROUP BY id, name ORDER BY COUNT(*) DESC"


def asked(text: str) -> Question:
    return Question(text, date(2026, 11, 21))


@pytest.mark.parametrize(
    ("sql", "found"),
    [
        (EACH_ONE, 1),
        ("SELECT o.id, COUNT(c.id) FROM orders o JOIN customers c ON c.id = o.customer_id GROUP BY o.id", 1),
        ("SELECT c.id, COUNT(*) FROM customers c JOIN orders o ON c.id = o.customer_id GROUP BY c.id", 0),
        ("SELECT country, COUNT(*) FROM customers GROUP BY country", 0),
        ("SELECT id, MAX(total_amount) FROM orders GROUP BY id", 0),
        ("SELECT a.id, COUNT(*) FROM orders a, customers b GROUP BY a.id", 0),
        ("WITH t AS (SELECT id FROM orders) SELECT id, COUNT(*) FROM t GROUP BY id", 0),
    ],
)
def test_the_critic_sees_a_count_that_is_always_one(sql: str, found: int) -> None:
    """A group is one row only if its key is grouped by, and no join gives the row several times."""
    kinds = [sign.kind for sign in signs_of(asked("How many orders?"), sql, trade())]
    assert kinds.count("always_one") == found
