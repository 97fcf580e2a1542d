"""Questions for the cause of a result."""

import pytest

from router.understanding.followup.causes import HIGH_NUMBER_NOTE, WHEN_NOTE, WHERE_NOTE, checks
from router.understanding.followup.previous import PreviousQuestion
from tests.router.understanding.followup.shop_words import WORDS

REVENUE = PreviousQuestion(
    "Revenue by region in 2023",
    "SELECT region, SUM(o.total_amount) FROM orders AS o WHERE o.order_date >= '2023-01-01' GROUP BY region",
    names=WORDS,
)
SPAIN = PreviousQuestion(
    "How many cancelled orders came from Spain?",
    "SELECT COUNT(*) FROM orders AS o JOIN countries AS k ON k.id = o.country_id"
    " WHERE k.name = 'Spain' AND o.status = 'cancelled'",
    names=WORDS,
)
MONTHS = PreviousQuestion("Revenue by month", "SELECT month, SUM(total) FROM orders GROUP BY month", names=WORDS)
CARRIERS = PreviousQuestion(
    "Number of shipments by carrier", "SELECT carrier, COUNT(*) FROM shipments GROUP BY carrier", names=WORDS
)
DAILY = PreviousQuestion(
    "Number of shipments by month", "SELECT month, COUNT(*) FROM shipments GROUP BY month", names=WORDS
)
GERMAN = PreviousQuestion("Wie viele Bestellungen gab es 2023?", "SELECT COUNT(*) FROM orders", names=WORDS)


@pytest.mark.parametrize(
    ("message", "asked", "full", "tells_not"),
    [
        ("why is 2023 empty?", REVENUE, "How many orders are there for each year?", WHERE_NOTE),
        ("Why are there no rows", REVENUE, "How many orders are there for each year?", WHERE_NOTE),
        ("but why is that empty?", SPAIN, "How many orders are there for each country?", WHERE_NOTE),
        ("how come there is nothing for cancelled", SPAIN, "How many orders are there for each status?", WHERE_NOTE),
        ("warum ist 2023 leer?", GERMAN, "Wie viele orders gibt es pro Jahr?", WHERE_NOTE),
        (
            "why is that so high?",
            REVENUE,
            "Number of orders, sum and average of the total amount by region in 2023",
            HIGH_NUMBER_NOTE,
        ),
        ("why did it drop in 2024?", REVENUE, "Revenue by month in 2024", WHEN_NOTE),
        (
            "why is it so low in March?",
            REVENUE,
            "Number of orders, sum and average of the total amount by region and month in 2023",
            HIGH_NUMBER_NOTE,
        ),
        (
            "why is it so low in March?",
            MONTHS,
            "Number of orders, sum and average of the total by month",
            HIGH_NUMBER_NOTE,
        ),
        (
            "why are there so many for DHL?",
            CARRIERS,
            "Number of shipments by carrier and year, only for DHL",
            WHEN_NOTE,
        ),
        ("why is March so high?", DAILY, "Number of shipments by day, March only", WHEN_NOTE),
        ("why is it so low?", SPAIN, "How many cancelled orders came from Spain by year?", WHEN_NOTE),
    ],
)
def test_looks_for_the_cause(message: str, asked: PreviousQuestion, full: str, tells_not: str) -> None:
    """The question asks where rows are, or of what a number is made; what it does not tell is said."""
    understood = checks(message, [asked])
    assert understood
    assert (full, tells_not) == (understood.question, understood.problem)


@pytest.mark.parametrize(
    "message", ["why?", "why do customers cancel?", "which year is empty?", "why not by month", "and 2023?", ""]
)
def test_nothing_to_look_for(message: str) -> None:
    """What asks for no cause, or for one that no data shows, is left to others."""
    assert checks(message, [REVENUE]) is None


def test_nothing_closer_to_look_at() -> None:
    """A count by months is not made one by years: there is nothing more to be seen in that."""
    assert checks("why is that so high?", [DAILY]) is None


def test_no_result_to_explain() -> None:
    """Without a question before it, there is no cause to look for."""
    assert checks("why is 2023 empty?", []) is None
