"""Constants that neither the question, nor the glossary, nor a choice has are told to the person, always."""

from datetime import date

import pytest

from router.catalog.values import Value
from router.knowledge.knowledge import NOTHING_KNOWN, Example, Known, Term
from router.text_to_sql.named_values import Named
from router.text_to_sql.question import Question
from router.text_to_sql.unsaid_constants import unsaid_constants
from router.text_to_sql.write_sql import write_sql
from tests.router.text_to_sql.scripted import Scripted, sql_task
from tests.support.rows import every_row
from tests.support.trade import trade

TODAY = date(2026, 11, 21)


def told(
    asked: str, sql: str, evidence: str = "", known: Known = NOTHING_KNOWN, *named: Named, before: Example | None = None
) -> str:
    """Return what is said of a statement's constants."""
    question = Question(asked, TODAY, evidence=evidence, known=known, named=named, follows=before)
    return unsaid_constants(question, sql, trade())


@pytest.mark.parametrize(
    ("asked", "sql", "conditions"),
    [
        ("Umsatz pro Land", "SELECT COUNT(*) FROM customers WHERE country = 'Poland'", "`country = 'Poland'`"),
        ("revenue by country", "SELECT 1 FROM orders WHERE status IN ('paid', 'open')", "`status IN ('paid', 'open')`"),
        ("customers in the UK", "SELECT 1 FROM customers WHERE country = 'UK' AND name LIKE 'A%'", "`name LIKE 'A%'`"),
        ("which orders are large?", "SELECT id FROM orders WHERE total_amount > 500", "`total_amount > 500`"),
        ("orders by month", "SELECT id FROM orders WHERE order_date >= '2024-01-01'", "`order_date >= '2024-01-01'`"),
        ("revenue by customer", "SELECT customer_id FROM orders LIMIT 10", "`LIMIT 10`"),
        ("total of open orders", "SELECT SUM(CASE WHEN status = 'paid' THEN 1 END) FROM orders", "`status = 'paid'`"),
        (
            "orders per status",
            "SELECT 1 FROM orders WHERE LOWER(status) = 'paid' AND total_amount BETWEEN 5 AND 9",
            "`LOWER(status) = 'paid'` and `total_amount BETWEEN 5 AND 9`",
        ),
    ],
)
def test_what_nobody_said_is_told(asked: str, sql: str, conditions: str) -> None:
    """Each condition with such a constant is named, and what limits the rows."""
    assert f"The SQL has {conditions}, which your question does not say." == told(asked, sql)


@every_row(
    ("asked", "sql"),
    [
        ("customers in the uk", "SELECT 1 FROM customers WHERE country = 'UK'"),
        ("Which orders were cancelled?", "SELECT 1 FROM orders WHERE status = 'cancellation'"),
        ("European customers", "SELECT 1 FROM customers WHERE country = 'europe'"),
        ("female customers", "SELECT 1 FROM customers WHERE name = 'F'"),
        ("customers of the United Kingdom", "SELECT 1 FROM customers WHERE country = 'UK'"),
        ("the five largest orders", "SELECT 1 FROM orders ORDER BY total_amount DESC LIMIT 5"),
        ("die fünf größten Bestellungen", "SELECT 1 FROM orders ORDER BY total_amount DESC LIMIT 5"),
        ("orders over 1,500 or 2k", "SELECT 1 FROM orders WHERE total_amount > 1500 OR total_amount > 2000"),
        ("at least 3 items", "SELECT 1 FROM order_items GROUP BY order_id HAVING COUNT(*) > 2"),
        ("more than 20% of it", "SELECT 1 FROM orders WHERE total_amount / 5.0 > 0.2"),
        ("orders in March 2026", "SELECT 1 FROM orders WHERE order_date >= '2026-03-01' AND order_date < '2026-04-01'"),
        ("orders of last year", "SELECT 1 FROM orders WHERE STRFTIME('%Y', order_date) = '2025'"),
        ("customers without orders", "SELECT COUNT(*) FROM customers WHERE id > 0 AND name <> ''"),
        ("customers whose name has ada in it", "SELECT 1 FROM customers WHERE name LIKE '%Ada%'"),
        ("orders by status", "SELECT CASE WHEN total_amount > 1 THEN 'large' ELSE 'small' END FROM orders"),
        ("what", "SELECT FROM WHERE"),
    ],
)
def test_what_was_said_is_not_told(asked: str, sql: str) -> None:
    """A constant may be said in another form, as a number in words, or by a time; a flag by its column's name."""
    assert "" == told(asked, sql)


def test_the_glossary_a_hint_a_choice_and_the_question_before_say_it() -> None:
    """Whatever a person said, or chose, or was taught, counts."""
    sql = "SELECT 1 FROM customers WHERE country = 'Poland'"
    value = (Value("customers", "country", "Poland"),)

    assert "" == told("big customers", sql, evidence="big customers means customers.country = 'Poland'")
    assert "" == told("big ones", sql, known=Known((Term("big", "those of Poland"),)))
    assert "" == told("only the big ones", sql, before=Example("customers in Poland", "SELECT 1"))
    assert "" == told("sacks for pol", sql, "", NOTHING_KNOWN, Named("pol", value))


def test_it_comes_before_all_other_findings() -> None:
    """The card shows two findings at most: a constant that nobody said is one of them."""
    model = Scripted(["SELECT name FROM customers WHERE country = 'USA'"])
    written = write_sql(
        sql_task(Question("How many customers are in the UK, of the 77 there are?", TODAY), model=model)
    )

    assert written.doubts[0] == "The SQL has `country = 'USA'`, which your question does not say."
    assert len(written.doubts) > 1
    assert not written.unsure
